//! The run: a flat list of named, timed steps.

use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::computed::{BestAverage, ComputedRatings};
use super::counts::Counts;
use super::decide;
use super::lists::{self, FasterLists, GreatnessRow, PlayerRow, StrengthRow};
use super::missing::{self, MissingRow};
use super::progress::{Amount, Progress, timed};
use super::published::{self, PublishedRow};
use super::rankings::{self, Ranking};
use super::reading::Reading;
use super::record::{EventRecord, Status};
use super::review::{self, ReviewRow};
use super::settings::{RatingSettings, Settings};
use crate::decisions::{DecisionError, Decisions};
use crate::events::{Event, SegmentKind, games_in};
use crate::games::GameTable;
use crate::hint::nearest;
use crate::players::{BEST_RATINGS, PersonName, Players};
use crate::ratings::{
    Activity, FIDE_SYSTEM, InitialRatings, RatingList, Source, TagHistory, World, initial_ratings,
    read_lists,
};
use crate::source::{Diagnostic, DiagnosticKind, Severity, Wanted, find};
use crate::systems::comparison::Comparison;
use crate::tournament::{self, Analysis, EventError, Kind, Part, Player, analyse};

/// Everything that a run works out, complete before the first page is written.
#[derive(Debug)]
pub struct Archive {
    /// How it was made.
    pub settings: Settings,
    /// All games read.
    pub table: GameTable,
    /// All persons.
    pub players: Players,
    /// All events, in the order of start and name.
    pub records: Vec<EventRecord>,
    /// The Greatness List.
    pub greatness: Vec<GreatnessRow>,
    /// The strongest events.
    pub strength: Vec<StrengthRow>,
    /// The lists of rapid and of blitz events, as far as these are not ranked with the others.
    pub faster: Vec<FasterLists>,
    /// Events too much of which is missing: the strongest first.
    pub fragments: Vec<usize>,
    /// What the collection lacks of events that would rank high if they were whole.
    pub missing: Vec<MissingRow>,
    /// Published G-scores beside ours.
    pub published: Vec<PublishedRow>,
    /// The players of events.
    pub player_rows: Vec<PlayerRow>,
    /// Who led the world, by system and year.
    pub rankings: Vec<Ranking>,
    /// How our own rating systems compare, where they were computed.
    pub comparison: Option<Comparison>,
    /// The highest five-year averages by historical Elo, the best first.
    pub best_averages: Vec<BestAverage>,
    /// Where every game went.
    pub counts: Counts,
    /// Events that a person should look at, the most important first.
    pub review: Vec<ReviewRow>,
    /// What was wrong or doubtful.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no archive.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Not a single game.
    #[error("no games: {} (of {files} files found)", first.as_deref().unwrap_or("the inputs hold none"))]
    NoGames {
        /// How many files were found.
        files: usize,
        /// The first thing that went wrong, if anything did.
        first: Option<String>,
    },
    /// An event that the app refuses; a fault of the program, not of the input.
    #[error("the event {id} cannot be analysed: {error}")]
    Event {
        /// Its identifier.
        id: String,
        /// Why.
        error: EventError,
    },
    /// A decision that cannot be carried out: to build without it would be to overrule it.
    #[error(transparent)]
    Decision(#[from] DecisionError),
}

impl Archive {
    /// Whether an input could not be read.
    pub fn has_unread_input(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Runs everything from inputs to lists.
///
/// # Errors
///
/// Where there are no games at all. Inputs that cannot be read are diagnostics.
pub fn build(settings: Settings, progress: &dyn Progress) -> Result<Archive, BuildError> {
    let mut diagnostics = Vec::new();
    let mut reading = Reading::read(&settings, progress, &mut diagnostics)?;

    let found = timed(progress, "group games into events", Amount::Unknown, || {
        let found = reading.events(&mut diagnostics);
        let summary =
            format!("{} events; {} games in none", found.events.len(), found.outside.len());
        (found, summary)
    });
    let (events, decisions) = timed(progress, "apply decisions", Amount::Unknown, || {
        let decided = read_decisions(&settings).and_then(|decisions| {
            let events = decide::amend(found.events, &decisions, reading.material())?;
            Ok((events, decisions))
        });
        let summary = match &decided {
            Ok((_, decisions)) => format!("{} events decided", decisions.len()),
            Err(_) => "failed".into(),
        };
        (decided, summary)
    })?;
    reading.counts.used = games_in(&events);

    let computed = timed(progress, "compute ratings", Amount::Unknown, || {
        let computed = ComputedRatings::of(&settings, &reading, &mut diagnostics);
        let summary = match &computed {
            Some(computed) => {
                format!("from {} games of {} players", computed.comparison.games, computed.players)
            }
            None => "none are asked for".into(),
        };
        (computed, summary)
    });
    let sources = timed(progress, "read rating lists", Amount::Unknown, || {
        let sources = read_ratings(&settings, &reading, computed.as_ref(), &mut diagnostics);
        let lines: usize = sources
            .iter()
            .map(|source| match source {
                Source::List(list) => list.len(),
                Source::Tags(_) => 0,
            })
            .sum();
        (sources, format!("{lines} ratings on lists"))
    });

    let total = events.len() as u64;
    let world = read_world(&settings, &reading, &events, &mut diagnostics);
    let records = timed(progress, "run the Tournament App", Amount::Steps(total), || {
        let knowledge = Knowledge { reading: &reading, sources: &sources, world: &world };
        let records = analyse_events(knowledge, events, &settings, &decisions, progress);
        let summary = match &records {
            Ok(records) => {
                let listed = records.iter().filter(|record| record.status == Status::Listed);
                format!("{} events, {} of them for the lists", records.len(), listed.count())
            }
            Err(_) => "failed".into(),
        };
        (records, summary)
    })?;

    let mut records = records;
    matches_follow_their_knock_outs(&mut records, &settings);
    let (greatness, strength, player_rows, rankings, review) =
        timed(progress, "rank", Amount::Unknown, || {
            let greatness = lists::greatness(&records, &settings.lists, Status::Listed, None);
            let strength = lists::strength(&records, Status::Listed, None);
            let shown = shown(&sources, computed.as_ref());
            let players = lists::players(
                &records,
                &reading.table,
                &reading.players,
                &shown,
                settings.lists.minimum_games,
            );
            let rankings = rankings::rankings(&shown, &world.activity);
            let review = review::queue(&records, settings.lists.minimum_games);
            let summary = format!(
                "{} performances, {} strengths, {} players; {} events to review",
                greatness.len(),
                strength.len(),
                players.len(),
                review.len()
            );
            ((greatness, strength, players, rankings, review), summary)
        });
    let faster = lists::faster(&records, &settings.lists);
    let fragments = lists::fragments(&records);
    let missing = missing::missing(&records, &greatness, &strength);
    let published = published::compare(&settings, &records, &reading.players, &mut diagnostics);
    Ok(Archive {
        settings,
        table: reading.table,
        players: reading.players,
        records,
        greatness,
        strength,
        faster,
        fragments,
        missing,
        published,
        player_rows,
        rankings,
        best_averages: computed
            .as_ref()
            .map(|computed| computed.best_averages.clone())
            .unwrap_or_default(),
        comparison: computed.map(|computed| computed.comparison),
        counts: reading.counts,
        review,
        diagnostics,
    })
}

fn read_decisions(settings: &Settings) -> Result<Decisions, DecisionError> {
    let mut decisions = Decisions::default();
    let mut diagnostics = Vec::new();
    for file in find(&settings.input.decisions, Wanted::Decisions, &mut diagnostics) {
        decisions.read(&file)?;
    }
    // A folder without a single file of decisions is as wrong as a missing one.
    match diagnostics.into_iter().next() {
        Some(missing) => Err(DecisionError::Read {
            file: missing.file.to_string(),
            error: std::io::Error::new(std::io::ErrorKind::NotFound, missing.message),
        }),
        None => Ok(decisions),
    }
}

/// The lists whose rankings and histories pages show: those of others as they are, our own by year.
fn shown<'a>(sources: &'a [Source], computed: Option<&'a ComputedRatings>) -> Vec<&'a RatingList> {
    let of_others = sources.iter().filter_map(|source| match source {
        Source::List(list) if !ComputedRatings::is_name(&list.system) => Some(list),
        _ => None,
    });
    let own = computed.into_iter().flat_map(|computed| &computed.by_year);
    of_others.chain(own).collect()
}

/// Reads the rating lists and puts all sources in the order of the settings. Lists of one system
/// are one source.
pub fn read_ratings(
    settings: &Settings,
    reading: &Reading,
    computed: Option<&ComputedRatings>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Source> {
    let mut lists: Vec<RatingList> = Vec::new();
    let known = reading.players.known_names();
    let occurs = |readings: &[PersonName]| known.may_hold(readings);
    for file in find(&settings.input.ratings, Wanted::Ratings, diagnostics) {
        let limits = settings.input.limits;
        read_lists(&file, &system_of, limits, &occurs, &mut lists, diagnostics);
    }
    if !reading.spelled.is_empty() {
        // FIDE's ratings, from the histories of the spelling files.
        let mut list = RatingList::new(FIDE_SYSTEM);
        for player in &reading.spelled {
            let everything = occurs(&PersonName::readings(&player.name));
            let ratings = player.ratings.iter().copied();
            let kept = ratings.filter(|(_, rating)| everything || *rating >= BEST_RATINGS);
            list.add_history(&player.name, player.fide_id, kept);
        }
        match lists.iter_mut().find(|known| known.system == list.system) {
            Some(known) => known.merge(list),
            None => lists.push(list),
        }
    }
    // The default order names systems that may well be missing; one that was written down is meant.
    if settings.ratings.order != RatingSettings::default().order {
        for name in &settings.ratings.order {
            let words = ComputedRatings::words();
            let systems = || {
                let own = words.iter().map(String::as_str);
                lists.iter().map(|list| list.system.as_str()).chain(["tags"]).chain(own)
            };
            if !systems().any(|system| system == name) {
                let hint = nearest(name, systems())
                    .map(|hint| format!("; did you mean {hint}?"))
                    .unwrap_or_default();
                diagnostics.push(Diagnostic::warning(
                    "ratings.order",
                    0,
                    DiagnosticKind::RatingList,
                    format!("no rating list of the system {name}{hint}"),
                ));
            }
        }
    }
    in_order(lists, computed, &settings.ratings)
}

fn in_order(
    mut lists: Vec<RatingList>,
    computed: Option<&ComputedRatings>,
    settings: &RatingSettings,
) -> Vec<Source> {
    for list in &mut lists {
        list.active_only = settings.active_only.contains(&list.system);
    }
    let mut sources = Vec::new();
    for name in &settings.order {
        if name == "tags" {
            sources.push(Source::Tags("Elo".into()));
        } else if let Some(list) = computed.and_then(|computed| computed.named(name)) {
            sources.push(Source::List(list.clone()));
        } else if let Some(place) = lists.iter().position(|list| list.system == *name) {
            sources.push(Source::List(lists.remove(place)));
        }
    }
    sources.extend(lists.into_iter().map(Source::List));
    sources
}

/// The rating system that a list's file name tells: its first word. FIDE's ratings are Elo ratings.
fn system_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let word = stem.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
    let word = word.unwrap_or("List").to_lowercase();
    if word == "fide" || word == "elo" {
        return FIDE_SYSTEM.into();
    }
    let mut letters = word.chars();
    letters.next().map_or(word.clone(), |first| first.to_uppercase().chain(letters).collect())
}

/// What the events are looked up in.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// Games and persons.
    pub reading: &'a Reading,
    /// Where ratings come from.
    pub sources: &'a [Source],
    /// Who played when, who led the world.
    pub world: &'a World,
}

/// What is known of the world: who played when, the lists of its best, the rating tags of all games.
pub fn read_world(
    settings: &Settings,
    reading: &Reading,
    events: &[Event],
    diagnostics: &mut Vec<Diagnostic>,
) -> World {
    let mut best = Vec::new();
    for file in find(&settings.input.leaders, Wanted::Ratings, diagnostics) {
        let limits = settings.input.limits;
        read_lists(&file, &system_of, limits, &|_| true, &mut best, diagnostics);
    }
    World {
        activity: Activity::of(&reading.table, events, &reading.players),
        best,
        tags: TagHistory::of(&reading.table, &reading.rows, &reading.players),
    }
}

/// Looks up ratings for, and analyses, every event, in parallel; the order stays.
///
/// # Errors
///
/// Where a decision cannot be carried out; or where the app refuses an event, which would be a fault
/// of this program.
pub fn analyse_events(
    knowledge: Knowledge<'_>,
    events: Vec<Event>,
    settings: &Settings,
    decisions: &Decisions,
    progress: &dyn Progress,
) -> Result<Vec<EventRecord>, BuildError> {
    let Knowledge { reading: Reading { table, players, .. }, sources, world } = knowledge;
    let thresholds = settings.ratings.thresholds();
    events
        .into_par_iter()
        .map(|event| {
            let mut ratings = initial_ratings(&event, table, players, sources, world, thresholds);
            let mut input = input(&event, &ratings, table, players);
            let mut options = settings.analysis.options();
            let decided = match decisions.get(&event.id) {
                Some(decision) => Some(decide::overrule(
                    decision,
                    &event,
                    players,
                    &mut ratings,
                    &mut input,
                    &mut options,
                )?),
                None => None,
            };
            let mut analysis = analyse(&input, &options)
                .map_err(|error| BuildError::Event { id: event.id.clone(), error })?;
            // What was found of the ratings comes before what was done to them.
            analysis.steps.splice(0..0, ratings.steps.iter().cloned());
            let status = status(&event, &ratings, &analysis, settings);
            progress.advance(1);
            Ok(EventRecord { event, ratings, input, options, analysis, decided, status })
        })
        .collect()
}

/// An event as the app takes it.
fn input(
    event: &Event,
    ratings: &InitialRatings,
    table: &GameTable,
    players: &Players,
) -> tournament::Event {
    tournament::Event {
        name: event.name.clone(),
        kind: event.kind,
        rating_system: ratings.system.clone(),
        players: event
            .players
            .iter()
            .zip(&ratings.ratings)
            .map(|(player, rating)| Player::new(players.get(*player).name.clone(), *rating))
            .collect(),
        games: event
            .games
            .iter()
            .filter(|game| game.analysed)
            .filter_map(|game| {
                Some(tournament::Game {
                    white: game.white,
                    black: game.black,
                    white_score: table.games()[game.row].result.white_score()?,
                    played: game.played,
                    part: match game.segment {
                        SegmentKind::Main => Part::Main,
                        SegmentKind::Extra => Part::Extra,
                        SegmentKind::PlayOff => Part::PlayOff,
                    },
                    sequence: game.sequence,
                })
            })
            .collect(),
        number_two: ratings.number_two.as_ref().map(|number_two| number_two.rating),
    }
}

fn status(
    event: &Event,
    ratings: &InitialRatings,
    analysis: &Analysis,
    settings: &Settings,
) -> Status {
    if event.kind == Kind::Team {
        Status::Team
    } else if event.coverage() < settings.lists.minimum_coverage {
        Status::Incomplete
    } else if !event.kind.is_recognised() {
        Status::Unrecognised
    } else if !event.recognised.is_certain {
        Status::Uncertain
    } else {
        rated_status(event, ratings, analysis, settings)
    }
}

/// The standing of an event that is whole.
fn rated_status(
    event: &Event,
    ratings: &InitialRatings,
    analysis: &Analysis,
    settings: &Settings,
) -> Status {
    if event.programs * PROGRAMS >= event.players.len() {
        Status::Computers
    } else if analysis.strength.is_none() {
        Status::Unrated
    } else if ratings.weak || analysis.weak {
        Status::Weak
    } else if !settings.lists.tempo.contains(&event.tempo) {
        Status::Faster
    } else {
        Status::Listed
    }
}

/// The matches of a knock-out are no better known than that: where it is not listed, they are not.
fn matches_follow_their_knock_outs(records: &mut [EventRecord], settings: &Settings) {
    let of_wholes: FxHashMap<String, Status> = records
        .iter()
        .filter(|record| record.event.kind == Kind::KnockOut)
        .map(|record| (record.event.id.clone(), record.status))
        .collect();
    for record in records.iter_mut().filter(|record| record.event.ranked_elsewhere) {
        let Some(whole) = record.event.part_of.as_ref().and_then(|id| of_wholes.get(id)) else {
            continue;
        };
        let known = matches!(whole, Status::Incomplete | Status::Team | Status::Unrecognised);
        if known && record.status == Status::Listed {
            record.status = *whole;
        } else if record.status == Status::Uncertain && *whole == Status::Listed {
            // The bracket tells how many games a match has.
            record.status =
                rated_status(&record.event, &record.ratings, &record.analysis, settings);
        }
    }
}

/// One program in so many players makes an event of computers; a guest in an open does not.
const PROGRAMS: usize = 5;

impl Archive {
    /// The record of an event.
    pub fn event(&self, id: &str) -> Option<&EventRecord> {
        self.records.iter().find(|record| record.event.id == id)
    }
}
