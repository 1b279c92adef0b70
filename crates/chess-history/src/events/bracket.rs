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
        let count = self.matches.iter().filter(|(_, other)| *other == stage).count();
        match (last - stage, count) {
            (0, 1) => Some("Final"),
            (0, 2) => {
                let lost_before = |player: PlayerId| {
                    let before = self.matches.iter().zip(&self.losers);
                    before
                        .filter(|((_, other), _)| *other < stage)
                        .any(|(_, loser)| *loser == Some(player))
                };
                match lost_before(a) || lost_before(b) {
                    true => Some("Third-Place Playoff"),
                    false => Some("Final"),
                }
            }
            (1, 2) => Some("Semifinal"),
            (2, 4) => Some("Quarterfinal"),
            (3, 8) => Some("Round of 16"),
            _ => None,
        }
    }
}
