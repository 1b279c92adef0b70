//! Finds rating tags that only number the players, and discards them.
//!
//! Organisers of children's tournaments number the field: 2560, 2561, 2562 and so on. Such numbers
//! would be the strongest field of the year.

use rustc_hash::FxHashMap;

use super::tags::POSSIBLE;
use crate::games::{Game, GameTable, NameId};
use crate::source::{Diagnostic, DiagnosticKind};

/// The number of players from which consecutive tags number the field.
///
/// Judged: if ratings have a standard deviation of 50 points, six of them are so by chance in fewer
/// than one of 100,000 fields. Pairs are in one of a hundred.
const PLAYERS: usize = 6;

/// The largest part of the numbers that may be missing, because the games of these players are.
/// Judged: with half, a field of grandmasters with similar ratings would count as numbered.
const MISSING: f64 = 1.0 / 3.0;

/// Sets the rating tags of numbered fields to unknown, and reports the first game of each.
///
/// A field is the players of consecutive games of one event in one file.
pub fn discard_numbered_tags(table: &mut GameTable) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut numbered: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    let of_one_event = |one: &Game, other: &Game| {
        (one.member, one.event, one.site) == (other.member, other.event, other.site)
    };
    for games in table.games().chunk_by(of_one_event) {
        let end = start + games.len();
        if are_numbers(games) {
            numbered.push((start, end));
            let message = "the rating tags of this event are consecutive numbers and are ignored";
            let (file, line) = (table.member_of(&games[0]).clone(), games[0].line.into());
            findings.push(Diagnostic::warning(file, line, DiagnosticKind::BadTag, message));
        }
        start = end;
    }
    for (start, end) in numbered {
        for game in &mut table.games_mut()[start..end] {
            (game.white_elo, game.black_elo) = (0, 0);
        }
    }
    findings
}

/// Returns whether the tags of an event number its players: all are different, each player has one,
/// and they are consecutive except for those of missing players.
fn are_numbers(games: &[Game]) -> bool {
    let mut of_player: FxHashMap<NameId, u16> = FxHashMap::default();
    for game in games {
        for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
            if POSSIBLE.contains(&elo) && *of_player.entry(name).or_insert(elo) != elo {
                return false;
            }
        }
    }
    let mut tags: Vec<u16> = of_player.into_values().collect();
    tags.sort_unstable();
    let players = tags.len();
    tags.dedup();
    let (Some(first), Some(last)) = (tags.first(), tags.last()) else { return false };
    let numbers = f64::from(last - first + 1);
    players >= PLAYERS && tags.len() == players && players as f64 >= (1.0 - MISSING) * numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the tags of an event are kept, whose players have these ratings and play in a row.
    fn are_kept(ratings: &[u16]) -> bool {
        let mut table = GameTable::default();
        table.members.push("games.pgn".into());
        for (place, pair) in ratings.windows(2).enumerate() {
            let [white, black] =
                [place, place + 1].map(|player| table.names.intern(&format!("Player {player}")));
            let (white_elo, black_elo) = (pair[0], pair[1]);
            table.push(Game { white, black, white_elo, black_elo, ..Game::default() });
        }
        let findings = discard_numbered_tags(&mut table);
        assert!(findings.len() <= 1);
        let is_kept = table.games().iter().all(|game| game.white_elo > 0 && game.black_elo > 0);
        assert_eq!(is_kept, findings.is_empty());
        is_kept
    }

    #[test]
    fn consecutive_numbers_are_no_ratings_even_if_a_few_are_missing() {
        assert!(!are_kept(&[2563, 2560, 2561, 2565, 2564, 2562]));
        assert!(!are_kept(&[2560, 2561, 2563, 2564, 2565, 2567, 2568]));
    }

    #[test]
    fn ratings_of_a_strong_field_are_kept() {
        // The candidates of 2018, a match, and equal ratings.
        assert!(are_kept(&[2809, 2800, 2794, 2784, 2769, 2767, 2763, 2754]));
        assert!(are_kept(&[2750, 2751]));
        assert!(are_kept(&[2500, 2501, 2501, 2502, 2503, 2504, 2505]));
    }
}
