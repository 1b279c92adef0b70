//! How many games famous matches had.
//!
//! The last known game of a match does not show that no other followed. Of matches for the world
//! championship, and of those that led to it, people know how many there were.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::players::{Player, fold};

/// How many games a match had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchLength {
    /// Games, with those that were forfeited.
    pub games: u16,
    /// Of these, games that were forfeited: some sources have them, and others do not.
    pub forfeited: u16,
}

/// A line of the table.
#[derive(Debug, Deserialize)]
struct KnownMatch {
    first: String,
    second: String,
    year: i16,
    games: u16,
    forfeited: u16,
}

/// The match of two players that began in a year, if it is a known one.
pub(super) fn known_match(players: [&Player; 2], year: i16) -> Option<MatchLength> {
    static TABLE: LazyLock<Vec<KnownMatch>> = LazyLock::new(|| {
        let table = include_str!("../../data/events/matches.csv");
        let mut table = csv::Reader::from_reader(table.as_bytes());
        let lines: Result<Vec<KnownMatch>, csv::Error> = table.deserialize().collect();
        lines.expect("the bundled table is one")
    });
    let is_called = |player: &Player, surname: &str| {
        let surname = fold(surname);
        player.names.iter().any(|name| name.surname_key() == surname)
    };
    let [one, other] = players;
    let is_it = |known: &&KnownMatch| {
        let KnownMatch { first, second, .. } = known;
        known.year == year
            && ((is_called(one, first) && is_called(other, second))
                || (is_called(one, second) && is_called(other, first)))
    };
    let known = TABLE.iter().find(is_it)?;
    Some(MatchLength { games: known.games, forfeited: known.forfeited })
}
