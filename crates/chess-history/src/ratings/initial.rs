//! Initial ratings of the players of an event.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};

use super::activity::Activity;
use super::deviations::Deviations;
use super::leaders::{NumberTwo, NumberTwoSource, STALE_DAYS, leaders, number_two};
use super::list::{Edition, Listed, RatingList};
use super::list_file::FIDE_SYSTEM;
use super::tags::{FIRST_TAGS, MISTAKE, POSSIBLE, TagHistory};
use crate::events::Event;
use crate::games::GameTable;
use crate::players::{PlayerId, Players};
use crate::tournament::{Step, TagCorrection};

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
    pub fraction: f64,
    /// Part of the field with which the first source is taken, whatever others know.
    pub sufficient: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { players: 3, fraction: 0.25, sufficient: 0.75 }
    }
}

/// What is known of the world beside the sources of ratings.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Who played when.
    pub activity: Activity,
    /// The best of the world by list, before which no other number two goes.
    pub best: Vec<RatingList>,
    /// Lists that lead the scales of others (see [`RatingList::led_by`]), and are no sources themselves.
    pub scales: Vec<RatingList>,
    /// The rating tags of all games.
    pub tags: TagHistory,
    /// How sure ratings are of which no list tells it.
    pub deviations: Deviations,
}

/// Whose ratings the players of an event have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RatingsOrigin {
    /// No source knows any of them.
    Nobody,
    /// Those of a rating system, by its name.
    System(String),
    /// The Ratings Administrator gave them, where no source knows anybody.
    Decided,
}

impl RatingsOrigin {
    /// The name that labels and exports have; empty where there is none.
    pub fn name(&self) -> &str {
        match self {
            RatingsOrigin::Nobody => "",
            RatingsOrigin::System(system) => system,
            RatingsOrigin::Decided => "Decided",
        }
    }
}

/// What was found for an event.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialRatings {
    /// Whose ratings they are.
    pub origin: RatingsOrigin,
    /// The system whose best lead their scale; empty where there is none.
    pub scale: String,
    /// Ratings (points), parallel to the event's players.
    pub ratings: Vec<Option<f64>>,
    /// Their standard errors (points): as the list tells them, or the usual one of its system. Whoever has no rating
    /// has that too.
    pub deviations: Vec<f64>,
    /// Those that the list itself tells (points).
    pub told_deviations: Vec<Option<f64>>,
    /// Whether the source knows too few, and no other knows enough.
    pub weak: bool,
    /// The world's number two, if a list reaches.
    pub number_two: Option<NumberTwo>,
    /// The standard error (points) of his rating beside that of who is second: of moving it to another scale; all of it
    /// where the best are not known.
    pub number_two_deviation: f64,
    /// His index among the event's players, if he plays.
    pub number_two_plays: Option<usize>,
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
    /// What was mended or is doubtful.
    pub steps: Vec<Step>,
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
    /// Its standard error (points): as the list tells it, or the usual one of its system.
    pub deviation: f64,
    /// Index among the event's players, if he plays.
    pub player: Option<usize>,
    /// Who that is among the players of the games, if it is certain.
    pub person: Option<PlayerId>,
}

/// How many leaders there are, where a list reaches.
pub const LEADERS: usize = 10;

impl InitialRatings {
    /// How many ratings were found.
    pub fn known(&self) -> usize {
        self.ratings.iter().flatten().count()
    }
}

/// Looks up the ratings of an event's players.
///
/// Sources are tried in their order for the event as a whole and never mixed: the first that knows
/// three quarters of the field supplies all it knows; if none does, the one that knows most. A list
/// of events' players, which knows what came later, and tags of years without an official list are
/// tried where no other knows enough.
pub fn initial_ratings(
    event: &Event,
    table: &GameTable,
    players: &Players,
    sources: &[Source],
    world: &World,
    thresholds: Thresholds,
) -> InitialRatings {
    let mut steps = Vec::new();
    let tags = from_tags(event, table);
    let (asked, placed_by_tags) = day(event, &tags, players, sources);
    let tags = match asked {
        Some(asked) => without_mistakes(
            Known { sources, world, asked },
            &event.players,
            players,
            tags,
            &mut steps,
        ),
        None => tags,
    };
    let mut tried = Vec::new();
    let mut best: Option<(usize, &Source, Found<'_>)> = None;
    let sufficient = thresholds.sufficient.max(thresholds.fraction) * event.players.len() as f64;
    let needed = thresholds.players.min(event.players.len());
    let is_enough = |known: usize| {
        known >= needed && known as f64 >= thresholds.fraction * event.players.len() as f64
    };
    let year = asked.map(Date::year).or_else(|| event.start.year());
    let last_resort = |source: &Source| match source {
        // Ratings that know what came later.
        Source::List(list) => list.of_events,
        // Tags older than the ratings they name.
        Source::Tags(_) => year.is_some_and(|year| year < FIRST_TAGS),
    };
    // The others in their order, before those that are for events of which nothing else is known.
    let (others, last): (Vec<&Source>, Vec<&Source>) =
        sources.iter().partition(|source| !last_resort(source));
    for source in others.into_iter().chain(last) {
        if last_resort(source) && best.as_ref().is_some_and(|(known, ..)| is_enough(*known)) {
            continue;
        }
        let found = match source {
            Source::Tags(_) => Found::new(tags.clone()),
            Source::List(list) => from_list(event, players, list, asked),
        };
        let known = found.ratings.iter().flatten().count();
        tried.push((source.system().to_owned(), known));
        if best.as_ref().is_none_or(|(most, ..)| known > *most) {
            best = Some((known, source, found));
        }
        if known >= needed && known as f64 >= sufficient {
            break;
        }
    }
    let weak = best.as_ref().is_none_or(|(known, ..)| !is_enough(*known));
    let (source, Found { ratings, deviations, edition }) = match best {
        Some((known, source, found)) if known > 0 => (Some(source), found),
        _ => (None, Found::new(vec![None; event.players.len()])),
    };
    let system = source.map(Source::system);
    let scale = source.map(|source| match source {
        Source::Tags(system) => system,
        Source::List(list) => list.scale(),
    });
    if let (Some(system), Some(edition), Some(asked)) = (system, edition, asked)
        && (asked - edition.day).get_days() > STALE_DAYS
    {
        let months = (asked - edition.day).get_days() / 30;
        steps.push(Step::StaleList { system: system.to_owned(), months });
    }
    let lists: Vec<&RatingList> = sources
        .iter()
        .filter_map(|source| match source {
            Source::List(list) => Some(list),
            Source::Tags(_) => None,
        })
        .collect();
    let found = asked.zip(scale).and_then(|(asked, system)| {
        let scale = Scale { system, ratings: &ratings, edition, event, players };
        world_number_two(scale, &lists, world, players, asked)
    });
    if let Some(number_two) = &found {
        steps.extend(step_of(number_two));
    }
    // The best ten of the scale itself, or else of another list.
    let of_scale = || {
        let best = world.best.iter().chain(lists.iter().copied());
        best.clone()
            .chain(&world.scales)
            .filter(|list| Some(list.system.as_str()) == scale)
            .chain(best.filter(|list| Some(list.system.as_str()) != scale))
    };
    let leaders = asked.map(|asked| {
        let best = of_scale().map(|list| best_ten(event, players, list, asked, world));
        best.into_iter().find(|leaders| !leaders.is_empty()).unwrap_or_default()
    });
    let leaders = leaders.unwrap_or_default();
    let usual = world.deviations.of(system.unwrap_or_default());
    let number_two_plays = found.as_ref().and_then(|two| {
        let on_list = leaders.iter().find(|leader| leader.name == two.name);
        let by_name = || event.players.iter().position(|id| players.get(*id).name == two.name);
        on_list.map_or_else(by_name, |leader| leader.player)
    });
    let of_system = |system: &str| RatingsOrigin::System(system.to_owned());
    InitialRatings {
        origin: system.map_or(RatingsOrigin::Nobody, of_system),
        scale: scale.unwrap_or_default().to_owned(),
        ratings,
        deviations: deviations.iter().map(|told| told.unwrap_or(usual)).collect(),
        told_deviations: deviations,
        weak,
        number_two_deviation: found.as_ref().map_or(usual, |two| {
            // Who is second among the best is drawn; a shift is unsure beside it.
            let own = two.deviation.unwrap_or_else(|| world.deviations.of(&two.system));
            match two.origin {
                NumberTwoSource::Shifted { deviation, .. } if leaders.len() > 1 => deviation,
                NumberTwoSource::Shifted { deviation, .. } => own.hypot(deviation),
                _ if leaders.len() > 1 => 0.0,
                _ => own,
            }
        }),
        number_two_plays,
        number_two: found,
        asked,
        placed_by_tags,
        edition: edition.map(|edition| edition.day),
        tried,
        leaders,
        steps,
    }
}

/// The scale of an event's ratings.
#[derive(Clone, Copy)]
struct Scale<'a> {
    system: &'a str,
    ratings: &'a [Option<f64>],
    edition: Option<Edition<'a>>,
    event: &'a Event,
    players: &'a Players,
}

/// Players that two systems must both know before one is moved to the scale of the other.
const BOTH_KNOW: usize = 5;

/// The rating of the world's number two on the scale of an event's ratings: from the lists of the world's
/// best, a list of the system itself, the tags of the collection where it speaks for the world, or the list of
/// another system, moved to this scale. A list more than a year old is none.
fn world_number_two(
    scale: Scale<'_>,
    lists: &[&RatingList],
    world: &World,
    players: &Players,
    asked: Date,
) -> Option<NumberTwo> {
    let of_system = || {
        let best = world.best.iter().chain(lists.iter().copied()).chain(&world.scales);
        best.filter(|list| list.system == scale.system)
    };
    if let Some(found) = of_system().find_map(|list| number_two(list, asked, &world.activity)) {
        return Some(found);
    }
    if scale.system == FIDE_SYSTEM
        && let Some((player, rating)) = world.tags.number_two(asked)
    {
        let (name, system) = (players.get(player).name.clone(), scale.system.to_owned());
        let (deviation, origin) = (None, NumberTwoSource::Tags);
        return Some(NumberTwo { rating, deviation, name, system, origin });
    }
    let others = world.best.iter().chain(lists.iter().copied());
    others.filter(|list| list.system != scale.system).find_map(|list| {
        let two = number_two(list, asked, &world.activity)?;
        let edition = list.in_force(asked)?;
        let mut differences = scale.differences(&edition);
        if differences.len() < BOTH_KNOW {
            return None;
        }
        differences.sort_by(f64::total_cmp);
        let by = differences[differences.len() / 2];
        let deviation = error_of_median(&differences);
        let players = differences.len();
        let origin = NumberTwoSource::Shifted { edition: edition.day, by, deviation, players };
        Some(NumberTwo { rating: (two.rating + by).round(), origin, ..two })
    })
}

/// The standard error of the median of numbers in order, as of normal ones: 1.25 times that of their mean.
fn error_of_median(sorted: &[f64]) -> f64 {
    let count = sorted.len();
    // Two in three lie within one standard deviation on either side.
    let (low, high) = (sorted[count * 16 / 100], sorted[count * 84 / 100]);
    1.2533 * (high - low) / 2.0 / (count as f64).sqrt()
}

/// What a source tells of the players of an event.
struct Found<'a> {
    /// Ratings (points), parallel to them.
    ratings: Vec<Option<f64>>,
    /// Their standard deviations, where the source tells them.
    deviations: Vec<Option<f64>>,
    /// The edition, of a list.
    edition: Option<Edition<'a>>,
}

impl Found<'_> {
    /// Ratings of which no deviation is told.
    fn new(ratings: Vec<Option<f64>>) -> Found<'static> {
        Found { deviations: vec![None; ratings.len()], ratings, edition: None }
    }
}

impl Scale<'_> {
    /// Rating here minus rating on an edition of another system, of the players that both know: those of the
    /// two lists, or where the ratings come from tags those of the event.
    fn differences(&self, other: &Edition<'_>) -> Vec<f64> {
        /// The best of a list, among whom those of another are looked for.
        const COMPARED: usize = 200;
        match self.edition {
            Some(edition) => edition
                .best()
                .take(COMPARED)
                .filter_map(|line| Some(line.rating - other.find(line.readings)?.rating))
                .collect(),
            None => self
                .event
                .players
                .iter()
                .zip(self.ratings)
                .filter_map(|(player, rating)| {
                    Some((*rating)? - other.find_player(self.players.get(*player))?.rating)
                })
                .collect(),
        }
    }
}

/// What a reader should know of a number two that is not simply the list's.
fn step_of(two: &NumberTwo) -> Option<Step> {
    let NumberTwo { rating, name, system, origin, .. } = two.clone();
    match origin {
        NumberTwoSource::List(_) => None,
        NumberTwoSource::Tags => Some(Step::NumberTwoFromTags { name, rating }),
        NumberTwoSource::Shifted { edition, by, players, .. } => {
            let edition = edition.to_string();
            Some(Step::NumberTwoShifted { name, rating, system, edition, by, players })
        }
    }
}

/// What is known beside the tags of an event, and on which day.
#[derive(Clone, Copy)]
struct Known<'a> {
    sources: &'a [Source],
    world: &'a World,
    asked: Date,
}

/// The tags without those that cannot be: one that lies far from the list in force, or where none is from the
/// player's other tags of the time, gives way to these.
fn without_mistakes(
    Known { sources, world, asked }: Known<'_>,
    field: &[PlayerId],
    players: &Players,
    mut tags: Vec<Option<f64>>,
    steps: &mut Vec<Step>,
) -> Vec<Option<f64>> {
    let editions: Vec<Edition<'_>> = sources
        .iter()
        .filter_map(|source| match source {
            Source::List(list) if list.system == FIDE_SYSTEM => list.in_force(asked),
            _ => None,
        })
        .collect();
    for (player, tag) in field.iter().zip(&mut tags) {
        let Some(given) = *tag else { continue };
        let person = players.get(*player);
        // Other tags of the time that say the same are no mistake all together.
        let usual = world.tags.usual(*player, asked);
        if usual.is_some_and(|usual| !TagHistory::is_mistaken(given, usual)) {
            continue;
        }
        // On an extract of the best a namesake may be the only one who could be meant.
        let is_him = |line: &Listed<'_>| {
            person.names.iter().any(|mine| {
                mine.given.first().is_some_and(|word| word.len() > 1)
                    && line.readings.iter().any(|theirs| theirs.given == mine.given)
            })
        };
        let listed = editions
            .iter()
            .find_map(|edition| edition.find_player(person))
            .filter(is_him)
            .map(|line| line.rating);
        // The young gain hundreds of points in a year.
        let far = |known: &f64| (given - known).abs() > 2.0 * MISTAKE;
        let Some(known) = listed.or(usual.filter(far)) else { continue };
        if TagHistory::is_mistaken(given, known) {
            let source = match listed {
                Some(_) => TagCorrection::EloList,
                None => TagCorrection::OtherTags,
            };
            let player = person.name.clone();
            steps.push(Step::MistakenTag { player, tag: given, rating: known, source });
            *tag = Some(known);
        }
    }
    tags
}

/// The best ten active players of a list, and who of them plays.
fn best_ten(
    event: &Event,
    players: &Players,
    list: &RatingList,
    asked: Date,
    world: &World,
) -> Vec<Leader> {
    let Some(edition) = list.in_force(asked) else { return Vec::new() };
    let on_list: Vec<Option<u32>> = event
        .players
        .iter()
        .map(|player| edition.find_player(players.get(*player)).map(|listed| listed.number))
        .collect();
    let mut best: Vec<Leader> = Vec::with_capacity(LEADERS);
    for (place, leader) in leaders(list, edition, asked, &world.activity).take(LEADERS).enumerate()
    {
        let rank = best.last().filter(|last| last.rating == leader.rating);
        let rank = rank.map_or(place + 1, |last| last.rank);
        best.push(Leader {
            rank,
            name: leader.name.to_owned(),
            rating: leader.rating,
            deviation: leader.deviation.unwrap_or_else(|| world.deviations.of(&list.system)),
            person: world.activity.player_of(&leader, asked),
            player: on_list.iter().position(|number| *number == Some(leader.number)),
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
            if !POSSIBLE.contains(&elo) {
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

fn from_list<'a>(
    event: &Event,
    players: &Players,
    list: &'a RatingList,
    asked: Option<Date>,
) -> Found<'a> {
    let is_month = event.start.known_parts() == 2;
    let editions = asked.map(|asked| list.editions_for(asked, is_month)).unwrap_or_default();
    let found = editions.into_iter().map(|edition| from_edition(event, players, edition));
    // Of several events of a day the first that has most of the players.
    let known = |found: &Found<'_>| found.ratings.iter().flatten().count();
    found
        .reduce(|best, next| if known(&next) > known(&best) { next } else { best })
        .unwrap_or_else(|| Found::new(vec![None; event.players.len()]))
}

fn from_edition<'a>(event: &Event, players: &Players, edition: Edition<'a>) -> Found<'a> {
    let found: Vec<Option<Listed<'_>>> =
        event.players.iter().map(|player| edition.find_player(players.get(*player))).collect();
    // Two players of one event cannot be the same line of a list: then neither is sure.
    let mut claims: BTreeMap<u32, usize> = BTreeMap::new();
    for listed in found.iter().flatten() {
        *claims.entry(listed.number).or_default() += 1;
    }
    let sure = || {
        let is_sure = |listed: &&Listed<'_>| claims[&listed.number] == 1;
        found.iter().map(move |listed| listed.as_ref().filter(is_sure))
    };
    Found {
        ratings: sure().map(|listed| listed.map(|listed| listed.rating)).collect(),
        deviations: sure().map(|listed| listed.and_then(|listed| listed.deviation)).collect(),
        edition: Some(edition),
    }
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
