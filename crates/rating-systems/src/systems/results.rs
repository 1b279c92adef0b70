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

impl RatedGame {
    /// A game of two players, by their numbers.
    pub fn new(white: u32, black: u32, score: f64, day: Date, event: u32) -> RatedGame {
        RatedGame { white, black, score, day, event }
    }

    /// The game from both sides: the player, the opponent, and the player's score.
    pub fn sides(&self) -> [(u32, u32, f64); 2] {
        let RatedGame { white, black, score, .. } = *self;
        [(white, black, score), (black, white, 1.0 - score)]
    }
}

/// A player to be rated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct RatedPlayer {
    /// Name that lists show.
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
    /// What others published about the games and players. Only systems whose description says so
    /// read it; see [`About::reads_published_ratings`](super::About::reads_published_ratings).
    pub published: PublishedFacts,
}

/// Facts about games and players that a system from games alone does not read: published ratings,
/// days, and births. Empty vectors mean that nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishedFacts {
    /// The ratings (points) of White and Black in the tags of each game of [`Results::games`]; 0 is
    /// none.
    pub tags: Vec<[u16; 2]>,
    /// The ratings (points) of White and Black on FIDE's list in force on the first day of the
    /// game's event; 0 is none.
    pub fide_lists: Vec<[u16; 2]>,
    /// The days of each event, by number.
    pub spans: Vec<EventSpan>,
    /// The year of birth of each player from every source. It is separate from
    /// [`RatedPlayer::born`], so that a new source changes no rating from games.
    pub births: Vec<Option<i16>>,
}

/// The days between which an event was played. If only the month or the year of a game is known,
/// they include all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventSpan {
    /// First day, or the earliest possible one.
    pub first: Date,
    /// Last day, or the latest possible one.
    pub last: Date,
}

impl Results {
    /// The games as encounters of equal weight.
    pub fn encounters(&self) -> Encounters {
        let games: Vec<(u32, u32, f64, f64)> =
            self.games.iter().map(|game| (game.white, game.black, game.score, 1.0)).collect();
        Encounters::new(self.players.len(), &games)
    }

    /// Whether each player belongs to the largest set of players who are connected by games.
    pub(super) fn in_largest_set(&self) -> Vec<bool> {
        let mut in_set = vec![false; self.players.len()];
        for player in self.encounters().components().first().into_iter().flatten() {
            in_set[*player as usize] = true;
        }
        in_set
    }

    /// The year of birth of each player, from every source.
    pub fn births(&self) -> Vec<Option<i16>> {
        let births = self.players.iter().enumerate().map(|(number, player)| {
            player.born.or(self.published.births.get(number).copied().flatten())
        });
        births.collect()
    }

    /// The days of each event: the published ones, or else those of its games.
    pub fn spans(&self) -> impl Iterator<Item = EventSpan> {
        self.events().enumerate().map(|(number, games)| {
            self.published.spans.get(number).copied().unwrap_or_else(|| {
                let days = games.iter().map(|game| game.day);
                let first = days.clone().min().unwrap_or_default();
                EventSpan { first, last: days.max().unwrap_or_default() }
            })
        })
    }

    /// The events that ended before a day, and one event on that day whose games (White, Black) are
    /// not played yet. Systems predict its games from the others; their scores are placeholders.
    #[must_use]
    pub fn with_planned(&self, day: Date, planned: &[(u32, u32)]) -> Results {
        let mut results = Results {
            players: self.players.clone(),
            games: Vec::new(),
            anchors: self.anchors.clone(),
            published: PublishedFacts {
                births: self.published.births.clone(),
                ..PublishedFacts::default()
            },
        };
        let mut next = 0;
        for (event, span) in self.events().zip(self.spans()) {
            let games = next..next + event.len();
            next = games.end;
            if span.last >= day {
                continue;
            }
            let number = results.published.spans.len() as u32;
            results.published.spans.push(span);
            for (game, place) in event.iter().zip(games) {
                results.games.push(RatedGame { event: number, ..*game });
                let tags = self.published.tags.get(place).copied().unwrap_or_default();
                results.published.tags.push(tags);
                let listed = self.published.fide_lists.get(place).copied().unwrap_or_default();
                results.published.fide_lists.push(listed);
            }
        }
        let event = results.published.spans.len() as u32;
        results.published.spans.push(EventSpan { first: day, last: day });
        for &(white, black) in planned {
            results.games.push(RatedGame { white, black, score: 0.5, day, event });
            results.published.tags.push([0, 0]);
            results.published.fide_lists.push([0, 0]);
        }
        results
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

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_planned_event_follows_the_events_that_ended_before_it() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 3], ..Results::default() };
        for (event, month) in [(0, 1), (1, 3), (2, 5)] {
            let day = date(1990, month, 10);
            results.games.push(RatedGame { white: 0, black: 1, score: 1.0, day, event });
            results.published.tags.push([2400 + event as u16, 0]);
        }
        // The first event lasts until after the day.
        results.published.spans = vec![
            EventSpan { first: date(1990, 1, 10), last: date(1990, 4, 15) },
            EventSpan { first: date(1990, 3, 10), last: date(1990, 3, 10) },
            EventSpan { first: date(1990, 5, 10), last: date(1990, 5, 10) },
        ];
        let found = results.with_planned(date(1990, 4, 1), &[(1, 2)]);
        let games: Vec<(u32, u32, u32)> =
            found.games.iter().map(|game| (game.white, game.black, game.event)).collect();
        assert_eq!(games, [(0, 1, 0), (1, 2, 1)]);
        assert_eq!(found.published.tags, [[2401, 0], [0, 0]]);
        assert_eq!(found.published.spans.len(), 2);
    }
}
