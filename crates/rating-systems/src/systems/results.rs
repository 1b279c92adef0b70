//! What the rating systems rate: who scored what against whom, and when.

use bitcode::{Decode, Encode};
use jiff::civil::Date;

use super::simultaneous::Encounters;

/// A game as a rating system sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedGame {
    /// White, by number in [`Results::players`].
    pub white: u32,
    /// Black.
    pub black: u32,
    /// White's score: 1, 0.5 or 0.
    pub score: f64,
    /// The day; of a game of which only the year is known the middle of it, likewise of a month.
    pub day: Date,
    /// Number of the event, dense from 0 in the order of their first days, and of their tags where
    /// these are the same.
    pub event: u32,
}

/// Somebody to be rated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct RatedPlayer {
    /// Name.
    pub name: String,
    /// Number with FIDE, if known.
    pub fide_id: Option<u32>,
    /// Year of birth, if known.
    pub born: Option<i16>,
    /// How else the sources spell him.
    pub spellings: Vec<String>,
    /// Number of the player in the list of players from which the results were taken.
    pub id: Option<u32>,
}

/// A rating that is taken as known: it says where the scale of a system is that tells differences only.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Anchor {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// The calendar year.
    pub year: i16,
    /// Rating (points).
    pub rating: f64,
}

/// Games by event in the order of time, and their players.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Players, by number; in the order of their identifiers.
    pub players: Vec<RatedPlayer>,
    /// Games, event by event in the order of the events' first days.
    pub games: Vec<RatedGame>,
    /// Ratings that are taken as known.
    pub anchors: Vec<Anchor>,
}

impl Results {
    /// Who met whom, each game with the same weight.
    pub fn encounters(&self) -> Encounters {
        let games: Vec<(u32, u32, f64, f64)> =
            self.games.iter().map(|game| (game.white, game.black, game.score, 1.0)).collect();
        Encounters::of(self.players.len(), &games)
    }

    /// The games event by event.
    pub fn events(&self) -> impl Iterator<Item = &[RatedGame]> {
        self.games.chunk_by(|a, b| a.event == b.event)
    }
}

/// A month as a number: twelve a year.
pub(super) fn month_of(day: Date) -> i32 {
    i32::from(day.year()) * 12 + i32::from(day.month()) - 1
}

/// The first day of a month.
pub(super) fn first_of(month: i32) -> Date {
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    Date::new(year as i16, month as i8, 1).unwrap_or(Date::MAX)
}
