//! The bracket of a knock-out: who met whom in which round.

use super::cycle::knock_out_rounds;
use super::event::Event;
use super::tag::SegmentKind;
use crate::games::GameTable;
use crate::players::PlayerId;

/// The matches of a knock-out, by their rounds.
pub(super) struct Bracket {
    /// The players of each match and its round, from 0, in playing order.
    matches: Vec<([PlayerId; 2], usize)>,
    /// The loser of each match, where the games show one.
    losers: Vec<Option<PlayerId>>,
}

impl Bracket {
    pub fn of(whole: &Event, table: &GameTable) -> Bracket {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut leads: Vec<f64> = Vec::new();
        for game in whole.games.iter().filter(|game| game.segment == SegmentKind::Main) {
            let pair = (game.white.min(game.black), game.white.max(game.black));
            let place = pairs.iter().position(|other| *other == pair).unwrap_or_else(|| {
                pairs.push(pair);
                leads.push(0.0);
                pairs.len() - 1
            });
            let score = table.games()[game.row].result.white_score();
            let white = score.map_or(0.0, |score| 2.0 * score - 1.0);
            leads[place] += if game.white == pair.0 { white } else { -white };
        }
        let stages = knock_out_rounds(&pairs);
        let of = |player: usize| whole.players[player];
        let losers = pairs.iter().zip(&leads).map(|(pair, lead)| match lead {
            lead if *lead > 0.0 => Some(of(pair.1)),
            lead if *lead < 0.0 => Some(of(pair.0)),
            _ => None,
        });
        let losers = losers.collect();
        let matches =
            pairs.iter().zip(stages).map(|(pair, stage)| ([of(pair.0), of(pair.1)], stage));
        Bracket { matches: matches.collect(), losers }
    }

    /// Returns whether `player`, and not `other`, played more matches after the one between them.
    pub fn advanced(&self, player: PlayerId, other: PlayerId) -> bool {
        let last = |player: PlayerId| {
            self.matches
                .iter()
                .filter(|(pair, _)| pair.contains(&player))
                .map(|(_, stage)| *stage)
                .max()
        };
        last(player) > last(other)
    }

    /// Names the round of a match. Returns `None` where the bracket does not show it.
    pub fn round(&self, a: PlayerId, b: PlayerId) -> Option<&'static str> {
        let is_it = |pair: &[PlayerId; 2]| pair.contains(&a) && pair.contains(&b);
        let place = self.matches.iter().position(|(pair, _)| is_it(pair))?;
        let stage = self.matches[place].1;
        let last = self.matches.iter().map(|(_, stage)| *stage).max()?;
        let of_stage = |stage: usize| self.matches.iter().filter(move |(_, other)| *other == stage);
        let lost_before = |player: PlayerId| {
            let before = self.matches.iter().zip(&self.losers);
            before.filter(|((_, other), _)| *other < last).any(|(_, loser)| *loser == Some(player))
        };
        let of_losers = |pair: &[PlayerId; 2]| pair.iter().any(|player| lost_before(*player));
        let finals = of_stage(last).filter(|(pair, _)| !of_losers(pair)).count();
        // Two matches of players who had lost none are the semi-finals of a final that is missing.
        let to_final = last - stage + usize::from(finals == 2 && of_stage(last).count() == 2);
        match (to_final, of_stage(stage).count()) {
            (0, 1) => Some("Final"),
            (0, 2) if of_losers(&[a, b]) => Some("Third-Place Playoff"),
            (0, 2) => Some("Final"),
            (1, 2) => Some("Semifinal"),
            (2, 4) => Some("Quarterfinal"),
            (3, 8) => Some("Round of 16"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bracket of matches in playing order; the first player of each won.
    fn bracket<const N: usize>(won: [(u32, u32, usize); N]) -> Bracket {
        let id = PlayerId::of_index;
        Bracket {
            matches: won.iter().map(|(a, b, stage)| ([id(*a), id(*b)], *stage)).collect(),
            losers: won.iter().map(|(_, b, _)| Some(id(*b))).collect(),
        }
    }

    fn round(of: &Bracket, a: u32, b: u32) -> Option<&'static str> {
        of.round(PlayerId::of_index(a), PlayerId::of_index(b))
    }

    #[test]
    fn two_last_matches_are_a_final_and_a_match_of_losers() {
        let whole = bracket([(1, 2, 0), (3, 4, 0), (1, 3, 1), (2, 4, 1)]);
        assert_eq!(round(&whole, 1, 3), Some("Final"));
        assert_eq!(round(&whole, 2, 4), Some("Third-Place Playoff"));
        assert_eq!(round(&whole, 1, 2), Some("Semifinal"));
    }

    #[test]
    fn two_last_matches_of_winners_are_semifinals() {
        let without_final =
            bracket([(1, 2, 0), (3, 4, 0), (5, 6, 0), (7, 8, 0), (1, 3, 1), (5, 7, 1)]);
        assert_eq!(round(&without_final, 1, 3), Some("Semifinal"));
        assert_eq!(round(&without_final, 5, 6), Some("Quarterfinal"));
    }
}
