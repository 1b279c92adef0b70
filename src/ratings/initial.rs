//! Initial ratings of the players of an event.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};

use super::activity::Activity;
use super::leaders::{NumberTwo, leaders, number_two};
use super::list::RatingList;
use crate::events::Event;
use crate::games::GameTable;
use crate::players::{PlayerId, Players};

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
    /// Whether that day was told by the rating tags, since the games give the year alone.
    pub placed_by_tags: bool,
    /// Day of the list that supplied the ratings; `None` where it was no list.
    pub edition: Option<Date>,
    /// The sources that were tried, in their order: name of the system, and how many players it knows.
    pub tried: Vec<(String, usize)>,
    /// The best ten active players of the list in force, the best first; empty where no list reaches.
    pub leaders: Vec<Leader>,
}

/// One of the world's best ten when an event began.
#[derive(Clone, Debug, PartialEq)]
pub struct Leader {
    /// Rank among the active players, from 1; equals share it.
    pub rank: usize,
    /// The name, as the list writes it.
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    /// Index among the event's players, if he plays.
    pub player: Option<usize>,
}

/// How many leaders there are.
const LEADERS: usize = 10;

impl InitialRatings {
    /// How many ratings were found.
    pub fn known(&self) -> usize {
        self.ratings.iter().flatten().count()
    }

    /// The class of a tournament (0 to 22) by those of the world's best ten who play: four points each
    /// for numbers 1 and 2, three for 3 and 4, two for 5 and 6, one for 7 to 10. `None` where no list
    /// reaches. Source: Jeff Sonas, Chessmetrics, "Event formulas".
    pub fn class(&self) -> Option<u32> {
        let points = |place: usize| match place {
            1 | 2 => 4,
            3 | 4 => 3,
            5 | 6 => 2,
            _ => 1,
        };
        (self.leaders.len() == LEADERS).then(|| {
            let present = (1..).zip(&self.leaders).filter(|(_, leader)| leader.player.is_some());
            present.map(|(place, _)| points(place)).sum()
        })
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
    let (asked, placed_by_tags) = day(event, &tags, players, sources);
    let mut tried = Vec::new();
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
        tried.push((source.system().to_owned(), known));
        if best.as_ref().is_none_or(|(most, ..)| known > *most) {
            best = Some((known, source, ratings));
        }
        if known >= needed && known as f64 >= part {
            weak = false;
            break;
        }
    }
    let (system, ratings, edition) = match best {
        Some((known, source, ratings)) if known > 0 => {
            let edition = match source {
                Source::Tags(_) => None,
                Source::List(list) => asked.and_then(|asked| list.in_force(asked)),
            };
            (source.system().to_owned(), ratings, edition.map(|edition| edition.day))
        }
        _ => (String::new(), vec![None; event.players.len()], None),
    };
    // The number two belongs to the same scale as the ratings; another list is better than none.
    let lists = || {
        sources.iter().filter_map(|source| match source {
            Source::List(list) => Some(list),
            Source::Tags(_) => None,
        })
    };
    let on_the_scale = || {
        lists()
            .filter(|list| list.system == system)
            .chain(lists().filter(|list| list.system != system))
    };
    let number_two =
        asked.and_then(|asked| on_the_scale().find_map(|list| number_two(list, asked, activity)));
    let leaders = asked.map(|asked| {
        let best = on_the_scale().map(|list| best_ten(event, players, list, asked, activity));
        best.into_iter().find(|leaders| !leaders.is_empty()).unwrap_or_default()
    });
    InitialRatings {
        system,
        ratings,
        weak,
        number_two,
        asked,
        placed_by_tags,
        edition,
        tried,
        leaders: leaders.unwrap_or_default(),
    }
}

/// The best ten active players of a list, and who of them plays.
fn best_ten(
    event: &Event,
    players: &Players,
    list: &RatingList,
    asked: Date,
    activity: &Activity,
) -> Vec<Leader> {
    let Some(edition) = list.in_force(asked) else { return Vec::new() };
    let on_list: Vec<Option<&str>> = event
        .players
        .iter()
        .map(|player| edition.find_player(players.get(*player)).map(|listed| listed.name))
        .collect();
    let mut best: Vec<Leader> = Vec::with_capacity(LEADERS);
    for (place, leader) in leaders(list, edition, asked, activity).take(LEADERS).enumerate() {
        let rank = best.last().filter(|last| last.rating == leader.rating);
        let rank = rank.map_or(place + 1, |last| last.rank);
        best.push(Leader {
            rank,
            name: leader.name.to_owned(),
            rating: leader.rating,
            player: on_list.iter().position(|name| *name == Some(leader.name)),
        });
    }
    best
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
    let Some(edition) = asked.and_then(|asked| list.in_force(asked)) else {
        return vec![None; event.players.len()];
    };
    let found: Vec<Option<(&str, f64)>> = event
        .players
        .iter()
        .map(|player| {
            edition.find_player(players.get(*player)).map(|listed| (listed.name, listed.rating))
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
///
/// Also whether the tags placed it.
fn day(
    event: &Event,
    tags: &[Option<f64>],
    players: &Players,
    sources: &[Source],
) -> (Option<Date>, bool) {
    if event.start.known_parts() >= 2 {
        return (event.start.earliest(), false);
    }
    let Some(year) = event.start.year() else { return (None, false) };
    let middle = date(year, 7, 1);
    let (january, december) = (date(year, 1, 1), date(year, 12, 31));
    let mut best: Option<(usize, bool, Date)> = None;
    if tags.iter().all(Option::is_none) {
        return (Some(middle), false);
    }
    for source in sources {
        let Source::List(list) = source else { continue };
        let before = january.yesterday().ok().and_then(|day| list.in_force(day));
        let before = before.map(|edition| edition.day);
        let in_force = list.in_force(middle).map(|edition| edition.day);
        for edition in list.editions() {
            let day = edition.day;
            if !(day >= january && day <= december || Some(day) == before) {
                continue;
            }
            let agrees = |(player, tag): &(&PlayerId, &Option<f64>)| {
                tag.is_some_and(|tag| {
                    let listed = edition.find_player(players.get(**player));
                    listed.is_some_and(|listed| listed.rating == tag)
                })
            };
            let agreeing = event.players.iter().zip(tags).filter(agrees).count();
            let candidate = (agreeing, in_force == Some(day), day);
            if agreeing > 0 && best.is_none_or(|best| candidate > best) {
                best = Some(candidate);
            }
        }
    }
    match best {
        Some((.., day)) => (Some(day), true),
        None => (Some(middle), false),
    }
}
