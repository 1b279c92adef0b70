//! The input of the rating systems: results of games by player, day and event.

use bitcode::{Decode, Encode};
use jiff::civil::Date;

use super::simultaneous::Encounters;

/// A game, as rating systems see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedGame {
    /// Number of White in [`Results::players`].
    pub white: u32,
    /// Number of Black in [`Results::players`].
    pub black: u32,
    /// White's score: 1, 0.5 or 0.
    pub score: f64,
    /// The day. If only the year or the month is known, the middle of it.
    pub day: Date,
    /// Number of the event: consecutive from 0, in the order of the events' first days, then of
    /// their tags.
    pub event: u32,
}

/// A player to be rated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct RatedPlayer {
    /// Name.
    pub name: String,
    /// FIDE identifier, if known.
    pub fide_id: Option<u32>,
    /// Year of birth, if known.
    pub born: Option<i16>,
    /// Other spellings of the name in the sources.
    pub spellings: Vec<String>,
    /// Number of the player in the player list from which the results were taken.
    pub id: Option<u32>,
    /// The player's identifier in the exports. Empty where players have none.
    pub player_id: String,
}

/// A rating that is taken as known. Anchors fix the scale of systems that estimate only
/// differences.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Anchor {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// The calendar year.
    pub year: i16,
    /// Rating (points).
    pub rating: f64,
}

/// Players and their games, by event in chronological order.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Players, in the order of their identifiers. The index is the player's number.
    pub players: Vec<RatedPlayer>,
    /// Games, event by event, in the order of the events' first days.
    pub games: Vec<RatedGame>,
    /// Ratings that are taken as known.
    pub anchors: Vec<Anchor>,
}

impl Results {
    /// The games as encounters of equal weight.
    pub fn encounters(&self) -> Encounters {
        let games: Vec<(u32, u32, f64, f64)> =
            self.games.iter().map(|game| (game.white, game.black, game.score, 1.0)).collect();
        Encounters::of(self.players.len(), &games)
    }

    /// The games of each event.
    pub fn events(&self) -> impl Iterator<Item = &[RatedGame]> {
        self.games.chunk_by(|a, b| a.event == b.event)
    }
}

/// A month as a number: twelve a year.
pub(super) fn month_of(day: Date) -> i32 {
    i32::from(day.year()) * 12 + i32::from(day.month()) - 1
}

/// The first day of a month, given as in [`month_of`].
pub(super) fn first_of(month: i32) -> Date {
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    Date::new(year as i16, month as i8, 1).unwrap_or(Date::MAX)
}
