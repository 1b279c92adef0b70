//! Recognises Swiss tournaments, in which players with similar scores meet.

use super::event_format::{FIRST_SWISS, LEAVERS};
use super::pairing_table::{PairCounts, TableRounds};
use super::recognised::{Circumstances, EndEvidence, MissingGame, Recognised, expected_each};
use crate::tournament::Kind;

/// The least average number of games of a player in a Swiss, if the tags state no rounds.
///
/// Judged: one or two games a player are a match of teams or an incomplete event. With six, Swisses
/// of five rounds would be refused.
const LEAST_ROUNDS: usize = 3;

/// The share of the games of its known rounds that shows that a Swiss lacks no further round.
///
/// Judged: as for a round robin. A source that lacks games by chance does not lack a whole round
/// and hardly any game of the others.
const WHOLE_ROUNDS: f64 = 0.95;

impl PairCounts {
    /// Recognises a Swiss: at most one pair in twenty met twice, and each player met only part of
    /// the field.
    pub fn swiss(&self, rounds: Option<&TableRounds>, about: Circumstances) -> Option<Recognised> {
        let most = self.active.iter().map(|&player| self.games[player]).max().unwrap_or(0);
        let once = self.total() as f64 <= 1.05 * self.met.len() as f64;
        let before_swiss = about.year.is_some_and(|year| year < FIRST_SWISS);
        // One or two games a player belong to a match of teams, or to an incomplete event.
        let is_stated = (3..=20).contains(&about.rounds);
        let few_games = !is_stated && 2 * self.total() < LEAST_ROUNDS * self.active.len();
        if self.active.len() < 8 || !once || before_swiss || few_games {
            return None;
        }
        let mut expected_of = vec![0; self.games.len()];
        let mut missing = Vec::new();
        let last;
        if let Some(rounds) = rounds {
            last = usize::from(match about.rounds {
                stated @ 3..=20 if stated >= rounds.last => stated,
                _ => rounds.last,
            });
            // A few players come late or leave early. If many do, rounds or boards are missing.
            let spans: Vec<(usize, (u16, u16))> = self
                .active
                .iter()
                .filter_map(|&player| Some((player, rounds.spans[player]?)))
                .collect();
            let in_part =
                spans.iter().filter(|(_, (first, until))| *first > 1 || *until < rounds.last);
            let are_many = in_part.count() * LEAVERS > self.active.len();
            for (player, (first, until)) in spans {
                let (first, until) = if are_many { (1, rounds.last) } else { (first, until) };
                let until = if last > usize::from(rounds.last) { last } else { usize::from(until) };
                expected_of[player] = (until + 1 - usize::from(first)).max(self.games[player]);
                let lacks = expected_of[player] - self.games[player];
                if lacks > 0 {
                    missing.push(MissingGame {
                        player: Some(player),
                        opponent: None,
                        round: None,
                        games: lacks,
                    });
                }
            }
        } else {
            last = most;
            expected_of = expected_each(self, most);
        }
        if most + 1 >= self.active.len() || last + 1 >= self.active.len() && rounds.is_none() {
            return None;
        }
        let expected = (expected_of.iter().sum::<usize>() / 2).max(self.total());
        let has_whole_rounds = self.total() as f64 >= WHOLE_ROUNDS * expected as f64;
        Some(Recognised {
            end: match rounds {
                Some(_) if is_stated => EndEvidence::Shown,
                Some(_) if has_whole_rounds => EndEvidence::Unbroken,
                _ => EndEvidence::Usual,
            },
            missing,
            ..Recognised::new(Kind::Swiss, expected, self.total(), expected_of)
        })
    }
}
