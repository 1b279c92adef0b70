//! Initial ratings of the players of an event.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};

use super::list::RatingList;
use super::number_two::{Activity, NumberTwo, number_two};
use crate::events::Event;
use crate::games::GameTable;
use crate::players::Players;

/// A place to look ratings up.
#[derive(Clone, Debug)]
pub enum Source {
    /// The rating tags of the event's own games, under the name of their system.
    Tags(String),
    /// A rating list.
    List(RatingList),
}

impl Source {
    /// Name of the rating system.
    pub fn system(&self) -> &str {
        match self {
            Source::Tags(system) => system,
            Source::List(list) => &list.system,
        }
    }
}

/// When a source knows enough of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Players that it must know (all, where the event has fewer).
    pub players: usize,
    /// Part of the field that it must know.
    pub part: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { players: 3, part: 0.25 }
    }
}

/// What was found for an event.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialRatings {
    /// Name of the rating system; empty where no source knows anybody.
    pub system: String,
    /// Ratings (points), parallel to the event's players.
    pub ratings: Vec<Option<f64>>,
    /// Whether the source knows too few, and no other knows enough.
    pub weak: bool,
    /// The world's number two, if a list reaches.
    pub number_two: Option<NumberTwo>,
    /// The day for which lists were asked.
    pub asked: Option<Date>,
}

impl InitialRatings {
    /// How many ratings were found.
    pub fn known(&self) -> usize {
        self.ratings.iter().flatten().count()
    }
}

/// Looks up the ratings of an event's players.
///
/// Sources are tried in their order for the event as a whole and never mixed: the first that knows
/// enough players supplies all it knows; if none does, the one that knows most.
pub fn initial_ratings(
    event: &Event,
    table: &GameTable,
    players: &Players,
    sources: &[Source],
    activity: &Activity,
    thresholds: Thresholds,
) -> InitialRatings {
    let tags = from_tags(event, table);
    let asked = day(event, &tags, players, sources);
    let mut best: Option<(usize, &Source, Vec<Option<f64>>)> = None;
    let needed = thresholds.players.min(event.players.len());
    let part = thresholds.part * event.players.len() as f64;
    let mut weak = true;
    for source in sources {
        let ratings = match source {
            Source::Tags(_) => tags.clone(),
            Source::List(list) => from_list(event, players, list, asked),
        };
        let known = ratings.iter().flatten().count();
        if best.as_ref().is_none_or(|(most, ..)| known > *most) {
            best = Some((known, source, ratings));
        }
        if known >= needed && known as f64 >= part {
            weak = false;
            break;
        }
    }
    let (system, ratings) = match best {
        Some((known, source, ratings)) if known > 0 => (source.system().to_owned(), ratings),
        _ => (String::new(), vec![None; event.players.len()]),
    };
    // The number two belongs to the same scale as the ratings; another list is better than none.
    let lists = || {
        sources.iter().filter_map(|source| match source {
            Source::List(list) => Some(list),
            Source::Tags(_) => None,
        })
    };
    let number_two = asked.and_then(|asked| {
        lists()
            .filter(|list| list.system == system)
            .chain(lists().filter(|list| list.system != system))
            .find_map(|list| number_two(list, asked, activity))
    });
    InitialRatings { system, ratings, weak, number_two, asked }
}

/// The rating that most games of the event give a player; of equals the one that came first.
fn from_tags(event: &Event, table: &GameTable) -> Vec<Option<f64>> {
    let mut counts: Vec<Vec<(u16, usize)>> = vec![Vec::new(); event.players.len()];
    for game in &event.games {
        let row = &table.games()[game.row];
        for (player, elo) in [(game.white, row.white_elo), (game.black, row.black_elo)] {
            if elo == 0 {
                continue;
            }
            match counts[player].iter_mut().find(|(value, _)| *value == elo) {
                Some((_, count)) => *count += 1,
                None => counts[player].push((elo, 1)),
            }
        }
    }
    counts
        .into_iter()
        .map(|values| {
            // `max_by_key` would take the last of equals.
            values
                .into_iter()
                .rev()
                .max_by_key(|(_, count)| *count)
                .map(|(value, _)| f64::from(value))
        })
        .collect()
}

fn from_list(
    event: &Event,
    players: &Players,
    list: &RatingList,
    asked: Option<Date>,
) -> Vec<Option<f64>> {
    let Some((_, edition)) = asked.and_then(|asked| list.in_force(asked)) else {
        return vec![None; event.players.len()];
    };
    let found: Vec<Option<(&str, f64)>> = event
        .players
        .iter()
        .map(|player| {
            edition.find(&players.get(*player).names).map(|entry| (&*entry.name, entry.rating))
        })
        .collect();
    // Two players of one event cannot be the same line of a list: then neither is sure.
    let mut claims: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in found.iter().flatten() {
        *claims.entry(name).or_default() += 1;
    }
    found
        .into_iter()
        .map(|found| found.filter(|(name, _)| claims[name] == 1).map(|(_, rating)| rating))
        .collect()
}

/// The day for which lists are asked: the event's first day.
///
/// An event dated by its year alone is placed by its rating tags: the edition of that year, or the
/// last one before it, that agrees with most of them; without agreement the middle of the year.
fn day(event: &Event, tags: &[Option<f64>], players: &Players, sources: &[Source]) -> Option<Date> {
    if event.start.known_parts() >= 2 {
        return event.start.earliest();
    }
    let year = event.start.year()?;
    let middle = date(year, 7, 1);
    let (january, december) = (date(year, 1, 1), date(year, 12, 31));
    let mut best: Option<(usize, bool, Date)> = None;
    for source in sources {
        let Source::List(list) = source else { continue };
        let before =
            january.yesterday().ok().and_then(|day| list.in_force(day)).map(|(day, _)| day);
        for (day, edition) in list.editions() {
            if !(day >= january && day <= december || Some(day) == before) {
                continue;
            }
            let agreeing = event
                .players
                .iter()
                .zip(tags)
                .filter(|(player, tag)| {
                    tag.is_some_and(|tag| {
                        edition
                            .find(&players.get(**player).names)
                            .is_some_and(|entry| entry.rating == tag)
                    })
                })
                .count();
            let in_force_mid_year =
                list.in_force(middle).is_some_and(|(in_force, _)| in_force == day);
            let candidate = (agreeing, in_force_mid_year, day);
            if agreeing > 0 && best.is_none_or(|best| candidate > best) {
                best = Some(candidate);
            }
        }
    }
    best.map(|(.., day)| day).or(Some(middle))
}
