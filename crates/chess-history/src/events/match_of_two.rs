//! Determines how many games a match of two players had, and the evidence for it.

use super::pairing_table::{PairCounts, Pairing};
use super::recognised::{Circumstances, EndEvidence, MissingGame, Recognised, expected_each};
use crate::tournament::Kind;

impl PairCounts {
    /// Describes a match. It has the games up to the last known one, or as many as the tags state.
    pub fn match_of_two(&self, pairings: &[Pairing], about: Circumstances) -> Recognised {
        let found = pairings.len();
        let numbers = GameNumbers::from_pairings(pairings);
        let mut expected = found.max(numbers.last());
        if about.rounds > 0
            && expected < usize::from(about.rounds)
            && !is_decided(pairings, about.rounds)
        {
            expected = about.rounds.into();
        }
        // It is not the known match if it has more games.
        let length = about.length.filter(|length| expected <= usize::from(length.games));
        if let Some(length) = length {
            let played = usize::from(length.games - length.forfeited);
            expected = if found >= played { found } else { length.games.into() };
        }
        let end = if about.rounds > 0 || length.is_some() {
            EndEvidence::Shown
        } else if numbers.are_unbroken(found) {
            EndEvidence::Unbroken
        } else if numbers.are_reliable && is_won(pairings) {
            EndEvidence::Decided
        } else if found == 4 && numbers.are_one_to(found) {
            EndEvidence::UnbrokenFour
        } else if let Some(rarity) = numbers.rarity_of_missing_games(found)
            // A known match of the pair had fewer games, so some are of another one.
            && about.length.is_none()
            && MATCH_GAMES.contains(&found)
            && is_balanced(pairings)
        {
            EndEvidence::Numbered(rarity)
        } else if !numbers.are_reliable {
            // The last game is unknown as well.
            EndEvidence::Unknown
        } else if MATCH_GAMES.contains(&expected) {
            EndEvidence::Usual
        } else {
            EndEvidence::Seen
        };
        Recognised {
            cycles: expected,
            missing: self.missing_of_match(&numbers, found, expected),
            is_certain: end != EndEvidence::Unknown,
            end,
            ..Recognised::new(Kind::Match, expected, found, expected_each(self, expected))
        }
    }

    /// Lists the missing games of a match, by their rounds where these are known.
    fn missing_of_match(
        &self,
        numbers: &GameNumbers,
        found: usize,
        expected: usize,
    ) -> Vec<MissingGame> {
        let (player, opponent) = (self.active.first().copied(), self.active.get(1).copied());
        let mut list: Vec<MissingGame> = Vec::new();
        // Without the rounds of all games, the missing ones are unknown.
        if numbers.are_reliable && numbers.with_round == found {
            let rounds = (1..=expected as u16)
                .filter(|round| numbers.rounds.binary_search(round).is_err())
                .take(expected - found);
            list.extend(rounds.map(|round| MissingGame {
                player,
                opponent,
                round: Some(round),
                games: 1,
            }));
        }
        let others = expected - found - list.len();
        if others > 0 {
            list.push(MissingGame { player, opponent, round: None, games: others });
        }
        list
    }
}

struct GameNumbers {
    /// The rounds, each once, in order.
    rounds: Vec<u16>,
    /// How many games have a round.
    with_round: usize,
    /// Whether the rounds number the games: nearly all games with a round have different ones.
    ///
    /// A few games without a round do not matter.
    are_reliable: bool,
}

impl GameNumbers {
    fn from_pairings(pairings: &[Pairing]) -> GameNumbers {
        let mut rounds: Vec<u16> = pairings.iter().filter_map(|pairing| pairing.round).collect();
        let with_round = rounds.len();
        rounds.sort_unstable();
        rounds.dedup();
        let are_reliable = rounds.len() > 1 && rounds.len() as f64 >= 0.9 * with_round as f64;
        // A number far beyond all others is a misprint.
        if let [.., before, slip] = rounds[..]
            && usize::from(slip) > usize::from(before) + 4 * pairings.len()
        {
            rounds.pop();
        }
        GameNumbers { rounds, with_round, are_reliable }
    }

    /// Returns whether the numbers are 1 to an even number, and every one of the `found` games has
    /// its own.
    ///
    /// If games are missing at random, there are hardly ever none between the first and an even
    /// last one.
    fn are_unbroken(&self, found: usize) -> bool {
        found >= UNBROKEN_GAMES && found.is_multiple_of(2) && self.are_one_to(found)
    }

    /// Returns whether the numbers are 1 to this number of games, and every one has its own.
    fn are_one_to(&self, found: usize) -> bool {
        self.with_round == found && self.rounds.len() == found && self.last() == found
    }

    /// Returns the [`rarity_of_hidden_games`]; `None` if a number is beyond the `found` games, or
    /// if no number tells anything.
    fn rarity_of_missing_games(&self, found: usize) -> Option<u16> {
        let numbers = self.rounds.len();
        // A source may give the number 1 to every game.
        let is_told =
            numbers == self.with_round && (1..=found).contains(&numbers) && self.rounds[..] != [1];
        let last = self.rounds.last().copied().map_or(0, usize::from);
        (is_told && last <= found).then(|| rarity_of_hidden_games(found, numbers))
    }

    /// The last number; 0 where the numbers are not reliable.
    fn last(&self) -> usize {
        self.rounds.last().copied().filter(|_| self.are_reliable).map_or(0, usize::from)
    }
}

/// Returns how rarely none of some numbers would be beyond the `found` games if two more games
/// were missing at random: once in so many cases.
///
/// Of n numbers of a match of f + 2 games, none is beyond f in one case of
/// (f + 2)(f + 1) / ((f + 2 - n)(f + 1 - n)).
pub(super) fn rarity_of_hidden_games(found: usize, numbers: usize) -> u16 {
    let all = (found + 2) * (found + 1);
    let rarity = all / ((found + 2 - numbers) * (found + 1 - numbers));
    rarity.min(u16::MAX.into()) as u16
}

/// The least number of games of a match that counts as whole if no number is missing.
///
/// Measured on 16 matches of a collection without a third of its games: all 16 were whole. Of four
/// games the first or last two may be missing by chance.
pub(super) const UNBROKEN_GAMES: usize = 6;

/// Usual lengths of matches, in games.
///
/// Judged: the even lengths to 20 and some longer ones. A match of a length that is not listed
/// stays uncertain, and one that breaks off at a listed length counts as complete.
const MATCH_GAMES: [usize; 13] = [4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 30, 36, 48];

/// Usual numbers of wins that decided matches without a fixed length.
///
/// Among these were the World Championships of 1886 to 1907, of 1927, and of 1978 to 1985.
const MATCH_WINS: [usize; 4] = [6, 7, 8, 10];

/// Returns whether a match stops at a decisive score for a usual length or number of wins.
///
/// With the last game one side must have passed half of the points of a usual length, with games
/// left to play, or must have won a usual number of games.
pub(super) fn is_won(pairings: &[Pairing]) -> bool {
    let Some(last) = pairings.last() else { return false };
    [last.white, last.black].into_iter().any(|player| {
        let scores: Option<Vec<f64>> = pairings
            .iter()
            .map(|pairing| {
                let white = pairing.white_score?;
                Some(if pairing.white == player { white } else { 1.0 - white })
            })
            .collect();
        let Some(scores) = scores else { return false };
        let points: f64 = scores.iter().sum();
        let wins = scores.iter().filter(|score| **score == 1.0).count();
        let last = scores[scores.len() - 1];
        let of_games = MATCH_GAMES.iter().any(|&games| {
            let half = games as f64 / 2.0;
            games > pairings.len() && points > half && points - last <= half
        });
        of_games || last == 1.0 && MATCH_WINS.contains(&wins)
    })
}

/// Returns whether each player has White in half of the games.
fn is_balanced(pairings: &[Pairing]) -> bool {
    let first = pairings.first().map(|pairing| pairing.white);
    let of_first = pairings.iter().filter(|pairing| Some(pairing.white) == first).count();
    2 * of_first == pairings.len()
}

/// Returns whether one side has more than half of the points of a match of `rounds` games.
pub(super) fn is_decided(pairings: &[Pairing], rounds: u16) -> bool {
    let first = pairings.first().map(|pairing| pairing.white);
    let mut points = 0.0;
    for pairing in pairings {
        let Some(white) = pairing.white_score else { return false };
        points += if Some(pairing.white) == first { white } else { 1.0 - white };
    }
    let half = f64::from(rounds) / 2.0;
    points > half || pairings.len() as f64 - points > half
}
