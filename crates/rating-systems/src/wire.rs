//! Encodes results and computed ratings as bytes, to compute on another machine or to reuse earlier
//! work.

use std::mem;

use bitcode::{Decode, Encode};
use jiff::civil::Date;

use crate::evaluation::comparison::{Computed, Predictions};
use crate::systems::System;
use crate::systems::{Anchor, EventSpan, PublishedFacts, RatedGame, RatedPlayer, Results};
use crate::systems::{CareerPeak, ComputedList, ListedRating, RankProbabilities};
use crate::systems::{Flow, Flows, RatingSystem, SystemRatings};

/// A date as year, month, day.
type Day = (i16, i8, i8);

fn day(date: Date) -> Day {
    (date.year(), date.month(), date.day())
}

fn date((year, month, day): Day) -> Option<Date> {
    Date::new(year, month, day).ok()
}

#[derive(Encode, Decode)]
struct WireResults {
    players: Vec<RatedPlayer>,
    games: Vec<WireGame>,
    anchors: Vec<Anchor>,
    published: WireFacts,
}

#[derive(Encode, Decode)]
struct WireFacts {
    tags: Vec<[u16; 2]>,
    fide_lists: Vec<[u16; 2]>,
    spans: Vec<(Day, Day)>,
    births: Vec<Option<i16>>,
}

impl WireFacts {
    fn from_facts(facts: &PublishedFacts) -> WireFacts {
        let PublishedFacts { tags, fide_lists, spans, births } = facts.clone();
        let spans = spans.iter().map(|span| (day(span.first), day(span.last))).collect();
        WireFacts { tags, fide_lists, spans, births }
    }

    fn facts(self) -> Option<PublishedFacts> {
        let WireFacts { tags, fide_lists, spans, births } = self;
        let spans = spans
            .into_iter()
            .map(|(first, last)| Some(EventSpan { first: date(first)?, last: date(last)? }))
            .collect::<Option<_>>()?;
        Some(PublishedFacts { tags, fide_lists, spans, births })
    }
}

#[derive(Encode, Decode)]
struct WireGame {
    white: u32,
    black: u32,
    score: f64,
    day: Day,
    event: u32,
}

impl Results {
    /// Encodes the results for [`Results::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let games = self.games.iter().map(|game| WireGame {
            white: game.white,
            black: game.black,
            score: game.score,
            day: day(game.day),
            event: game.event,
        });
        bitcode::encode(&WireResults {
            players: self.players.clone(),
            games: games.collect(),
            anchors: self.anchors.clone(),
            published: WireFacts::from_facts(&self.published),
        })
    }

    /// Decodes results. `None` unless [`Results::to_bytes`] encoded the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Results> {
        let WireResults { players, games, anchors, published } = bitcode::decode(bytes).ok()?;
        let known = players.len() as u32;
        let games = games.into_iter().map(|game| {
            (game.white < known && game.black < known).then_some(())?;
            Some(RatedGame::new(game.white, game.black, game.score, date(game.day)?, game.event))
        });
        let published = published.facts()?;
        Some(Results { players, games: games.collect::<Option<_>>()?, anchors, published })
    }
}

#[derive(Encode, Decode)]
struct WireComputed {
    system: String,
    lists: Vec<WireList>,
    peaks: Vec<CareerPeak>,
    notes: Vec<String>,
    flows: Vec<(Day, Vec<Flow>)>,
    predictions: Option<Predictions>,
}

#[derive(Encode, Decode)]
struct WireList {
    day: Day,
    ratings: Vec<ListedRating>,
    ranks: Vec<u32>,
    odds: Vec<RankProbabilities>,
    level_error: Option<f64>,
}

/// Encodes a system's ratings and predictions. The lists in force are not encoded, because they
/// follow from the others. The ratings are moved while they are encoded, not copied, and are the
/// same afterwards.
pub fn ratings_to_bytes(
    system: &System,
    ratings: &mut SystemRatings,
    predictions: &mut Option<Predictions>,
) -> Vec<u8> {
    let wire = WireComputed {
        system: system.about.word.to_owned(),
        lists: mem::take(&mut ratings.lists).into_iter().map(WireList::from_list).collect(),
        peaks: mem::take(&mut ratings.peaks),
        notes: mem::take(&mut ratings.notes),
        flows: mem::take(&mut ratings.flows)
            .into_iter()
            .map(|flows| (day(flows.day), flows.flows))
            .collect(),
        predictions: predictions.take(),
    };
    let bytes = bitcode::encode(&wire);
    // What was just encoded has valid days.
    if let Some((own, of)) = wire.ratings() {
        let SystemRatings { lists, peaks, notes, flows, .. } = own;
        (ratings.lists, ratings.peaks, ratings.notes, ratings.flows) = (lists, peaks, notes, flows);
        *predictions = of;
    }
    bytes
}

/// Decodes what [`ratings_to_bytes`] encoded. `None` of other bytes, or if they are of another
/// system.
pub fn computed_from_bytes(
    bytes: &[u8],
    system: &'static System,
    rates: &dyn RatingSystem,
) -> Option<(Computed, Option<Predictions>)> {
    let wire: WireComputed = bitcode::decode(bytes).ok()?;
    (wire.system == system.about.word).then_some(())?;
    let (ratings, predictions) = wire.ratings()?;
    let in_force = rates.in_force(&ratings.lists).into_owned();
    Some((Computed { system, ratings, in_force }, predictions))
}

impl WireList {
    fn from_list(list: ComputedList) -> WireList {
        let ComputedList { day: from, ratings, ranks, odds, level_error } = list;
        WireList { day: day(from), ratings, ranks, odds, level_error }
    }

    fn list(self) -> Option<ComputedList> {
        let WireList { day, ratings, ranks, odds, level_error } = self;
        Some(ComputedList { day: date(day)?, ratings, ranks, odds, level_error })
    }
}

impl WireComputed {
    /// The ratings and predictions; `None` if a day is not valid.
    fn ratings(self) -> Option<(SystemRatings, Option<Predictions>)> {
        let WireComputed { lists, peaks, notes, flows, predictions, .. } = self;
        let flows = flows.into_iter().map(|(day, flows)| Some(Flows { day: date(day)?, flows }));
        let ratings = SystemRatings {
            lists: lists.into_iter().map(WireList::list).collect::<Option<_>>()?,
            peaks,
            notes,
            flows: flows.collect::<Option<_>>()?,
            ..SystemRatings::default()
        };
        Some((ratings, predictions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::comparison::computed;

    fn results() -> Results {
        let players = ["A", "B", "C"]
            .map(|name| RatedPlayer { name: name.to_owned(), ..RatedPlayer::default() })
            .into();
        let mut results = Results { players, ..Results::default() };
        for month in 1..=12 {
            for (white, black, score) in [(0, 1, 1.0), (1, 2, 0.5), (2, 0, 0.0)] {
                let day = Date::constant(1990, month, 3);
                let event = month as u32 - 1;
                results.games.push(RatedGame { white, black, score, day, event });
                results.published.tags.push([2500, 0]);
            }
            let (first, last) = (Date::constant(1990, month, 1), Date::constant(1990, month, 28));
            results.published.spans.push(EventSpan { first, last });
        }
        results.published.births = vec![Some(1960), None, Some(1970)];
        results
    }

    #[test]
    fn results_survive_encoding() {
        let results = results();
        let back = Results::from_bytes(&results.to_bytes()).unwrap();
        assert_eq!(back.players, results.players);
        assert_eq!(back.games, results.games);
        assert_eq!(back.published, results.published);
        assert!(Results::from_bytes(b"not encoded results").is_none());
    }

    #[test]
    fn ratings_of_every_system_survive_encoding() {
        let results = results();
        for system in System::all() {
            let rates = system.with(&crate::systems::Overrides::new()).unwrap();
            let (mut original, predicted) = computed(&results, system, rates.as_ref(), None);
            // Followers fit again what is not encoded.
            original.ratings.fitted = None;
            let mut moved = (original.ratings.clone(), predicted.clone());
            let bytes = ratings_to_bytes(system, &mut moved.0, &mut moved.1);
            let (back, predicted_back) =
                computed_from_bytes(&bytes, system, rates.as_ref()).unwrap();
            let name = system.about.word;
            assert_eq!(format!("{:?}", moved.0.lists), format!("{:?}", original.ratings.lists));
            assert_eq!(format!("{:?}", moved.1), format!("{predicted:?}"), "{name}");
            assert_eq!(format!("{:?}", back.ratings), format!("{:?}", original.ratings), "{name}");
            assert_eq!(back.in_force.len(), original.in_force.len(), "{name}");
            assert_eq!(format!("{predicted_back:?}"), format!("{predicted:?}"), "{name}");
        }
    }
}
