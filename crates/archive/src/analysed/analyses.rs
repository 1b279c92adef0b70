//! Runs the Tournament App on every event and decides whether the event enters the lists.

use std::hash::BuildHasher;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::decided::analysis_inputs::AnalysisInputs;
use crate::decisions::Decisions;
use crate::errors::BuildError;
use crate::inputs::selected::Selected;
use crate::progress::Progress;
use crate::record::all_games::AllGamesFigures;
use crate::record::eligibility::Eligibility;
use crate::record::event_facts::EventFacts;
use crate::record::event_forecast::EventForecast;
use crate::record::event_inputs::EventInputs;
use crate::record::event_norms::EventNorms;
use crate::record::status::Status;
use crate::record::{AnalysedEvent, BracketResult, Decided, EventRecord, LaterFigures};
use crate::settings::{AnalysisSettings, ListSettings, RatingSettings};
use crate::work::tasks::{AppTask, DoneWork, ListThresholds};
use chess_history::events::{EndEvidence, Event, SegmentKind};
use chess_history::players::Players;
use chess_history::ratings::{FIDE_SYSTEM, InitialRatings, RatingContext, RatingLookup, Source};
use pgn_collections::games::GameTable;
use tournament_app::{Analysis, EventPart, Kind, Player, Policy, StandardError, StandardErrors};

/// The data and settings that the analysis of every event uses.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisContext<'a> {
    pub games: &'a Selected,
    /// The sources of ratings, in the order in which they are tried.
    pub sources: &'a [Source],
    /// Which players were active when, and who led the world.
    pub world: &'a RatingContext,
    pub ratings: &'a RatingSettings,
    pub analysis: &'a AnalysisSettings,
    pub lists: &'a ListSettings,
    pub decisions: &'a Decisions,
}

/// An event with its ratings, ready for the app.
struct Prepared {
    event: Event,
    ratings: InitialRatings,
    task: AppTask,
    facts: EventFacts,
    eligibility: Eligibility,
    decided: Option<Decided>,
    undecided: Option<Box<EventInputs>>,
}

impl Prepared {
    fn prepare(event: Event, context: AnalysisContext<'_>) -> Result<Prepared, BuildError> {
        let AnalysisContext { games, sources, world, decisions, .. } = context;
        let Selected { table, players, .. } = games;
        let thresholds = context.ratings.thresholds();
        let lookup = RatingLookup { table, players, sources, context: world, thresholds };
        let ratings = lookup.initial_ratings(&event);
        let input = input(&event, &ratings, table, players);
        let mut options = context.analysis.options();
        if options.policy == Policy::Correct && keeps_ratings(&event, &ratings, lookup) {
            options.policy = Policy::Keep;
        }
        let mut inputs = AnalysisInputs { ratings, input, options };
        let (mut decided, mut undecided) = (None, None);
        if let Some(decision) = decisions.get(&event.id) {
            let found = event.without_decision();
            let by_rule = decision.list_day.map(|_| lookup.initial_ratings(&found));
            let ratings = by_rule.as_ref().unwrap_or(&inputs.ratings);
            let input = self::input(&found, ratings, table, players);
            let facts = EventFacts::new(&found, &input, table);
            let eligibility = Eligibility::new(&found, ratings, None);
            let options = inputs.options;
            undecided = Some(Box::new(EventInputs { input, options, eligibility, facts }));
            decided = Some(inputs.overrule(decision, &event, players)?);
        }
        let AnalysisInputs { ratings, input, options } = inputs;
        let facts = EventFacts::new(&event, &input, table);
        let listed = decided.as_ref().and_then(|decided| decided.listed);
        let eligibility = Eligibility::new(&event, &ratings, listed);
        let errors = eligibility
            .may_rank(event.players.len(), context.lists)
            .then(|| standard_errors(&event, &ratings, players));
        let task = AppTask {
            event: input,
            options,
            errors,
            thresholds: ListThresholds::new(context.lists),
        };
        Ok(Prepared { event, ratings, task, facts, eligibility, decided, undecided })
    }

    /// Runs the app here, unless the last build had the same task.
    fn analyse(
        self,
        lists: &ListSettings,
        work: DoneWork<'_>,
        progress: &dyn Progress,
    ) -> Result<AnalysedEvent, BuildError> {
        let analysis = self
            .task
            .run_once(work)
            .map_err(|error| BuildError::Event { id: self.event.id.clone(), error })?;
        progress.advance(1);
        Ok(self.analysed(analysis, lists))
    }

    fn analysed(self, mut analysis: Analysis, lists: &ListSettings) -> AnalysedEvent {
        let Prepared { event, ratings, task, facts, eligibility, decided, undecided } = self;
        // The steps of finding ratings come before those of correcting them.
        analysis.steps.splice(0..0, ratings.steps.iter().cloned());
        let status = eligibility.status(&analysis, lists);
        let performances = eligibility.status_of_performances(&analysis, lists);
        let great = eligibility.great(&analysis, lists);
        AnalysedEvent {
            event,
            ratings,
            input: task.event,
            options: task.options,
            analysis,
            decided,
            undecided,
            eligibility,
            facts,
            status,
            performances,
            great,
        }
    }
}

/// The part of the field of a Swiss, in `[0, 1]`, that must have ratings of the list in force.
/// Judged: three quarters, as for a source that rates a field. With half, estimates would decide
/// the test.
const OF_LIST_IN_FORCE: f64 = 0.75;

/// Whether no correction changes the ratings of an event: a Swiss most of whose players have the
/// ratings of FIDE's list in force, which say more about the players than one week. Tags alone do
/// not show that, because they may be old.
fn keeps_ratings(event: &Event, ratings: &InitialRatings, lookup: RatingLookup<'_>) -> bool {
    let Some(day) = ratings.lookup_day.filter(|_| event.kind == Kind::Swiss) else { return false };
    let mut most = 0;
    for source in lookup.sources {
        let Source::List(list) = source else { continue };
        let Some(edition) = list.in_force(day).filter(|_| list.system == FIDE_SYSTEM) else {
            continue;
        };
        let mut agreeing = 0;
        for (player, rating) in event.players.iter().zip(&ratings.ratings) {
            let line = edition.find_player(lookup.players.get(*player));
            agreeing += usize::from(line.is_some() && line.map(|line| line.rating) == *rating);
        }
        most = most.max(agreeing);
    }
    most as f64 >= OF_LIST_IN_FORCE * event.players.len() as f64
}

/// Looks up ratings for every event and analyses it, in parallel; the order stays. Helpers, if
/// there are any, receive all events at once; what they do not return, and the last build had not
/// analysed, is computed here.
///
/// # Errors
///
/// Returns an error if a decision cannot be carried out, or if the app refuses an event, which
/// would be a bug of this program.
pub fn analyse_events(
    context: AnalysisContext<'_>,
    events: Vec<Event>,
    work: DoneWork<'_>,
    progress: &dyn Progress,
) -> Result<Vec<AnalysedEvent>, BuildError> {
    let lists = context.lists;
    let Some(helpers) = work.helpers else {
        return events
            .into_par_iter()
            .map(|event| Prepared::prepare(event, context)?.analyse(lists, work, progress))
            .collect();
    };
    let all: Vec<Prepared> = events
        .into_par_iter()
        .map(|event| Prepared::prepare(event, context))
        .collect::<Result<_, _>>()?;
    let tasks: Vec<&AppTask> = all.iter().map(|prepared| &prepared.task).collect();
    let analyses = helpers.analyse(&tasks, progress)?;
    all.into_par_iter()
        .zip(analyses)
        .map(|(prepared, analysis)| match analysis {
            Some(analysis) => Ok(prepared.analysed(analysis, lists)),
            None => prepared.analyse(lists, work, progress),
        })
        .collect()
}

/// The standard errors of an event's ratings. A player has the same random errors in all events of
/// a year that use the same source: a player rated too high was so in all of them.
fn standard_errors(event: &Event, ratings: &InitialRatings, players: &Players) -> StandardErrors {
    let year = event.start.year();
    let seed = |who: &str| FxBuildHasher.hash_one((&ratings.scale, who, year));
    let of_players: Vec<StandardError> = event
        .players
        .iter()
        .zip(&ratings.deviations)
        .map(|(player, deviation)| StandardError {
            points: *deviation,
            seed: seed(&players.get(*player).id),
        })
        .collect();
    // One of the best players has the same random errors, whether or not that player takes part.
    let best: Vec<(f64, StandardError)> = ratings
        .leaders
        .iter()
        .map(|leader| {
            let who = leader.person.map_or(leader.name.as_str(), |id| players.get(id).id.as_str());
            let own = StandardError { points: leader.deviation, seed: seed(who) };
            (leader.rating, leader.player.map_or(own, |player| of_players[player]))
        })
        .collect();
    let number_two = StandardError {
        points: ratings.number_two_deviation,
        // A decision about this event does not apply to another.
        seed: seed(ratings.number_two.as_ref().map_or(&event.id, |two| &two.name)),
    };
    let number_two = match ratings.number_two_plays.filter(|_| best.len() < 2) {
        Some(player) => of_players[player],
        None => number_two,
    };
    StandardErrors { ratings: of_players, best, number_two, seed: seed(&event.id) }
}

/// Converts an event to the app's input.
pub fn input(
    event: &Event,
    ratings: &InitialRatings,
    table: &GameTable,
    players: &Players,
) -> tournament_app::Event {
    tournament_app::Event {
        name: event.name.clone(),
        kind: event.kind,
        rating_system: ratings.origin.name().to_owned(),
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
                Some(tournament_app::Game {
                    white: game.white,
                    black: game.black,
                    white_score: table.games()[game.row].result.white_score()?,
                    played: game.played,
                    part: match game.segment {
                        SegmentKind::Main => EventPart::Main,
                        SegmentKind::Extra => EventPart::Extra,
                        SegmentKind::PlayOff => EventPart::PlayOff,
                    },
                    sequence: game.sequence,
                })
            })
            .collect(),
        number_two: ratings.number_two.as_ref().map(|number_two| number_two.rating),
    }
}

/// The status of each event, and of its performances. Where a knock-out is not listed, its matches
/// are not either, unless it is incomplete and a match is known to be whole.
pub fn statuses(records: &[AnalysedEvent], lists: &ListSettings) -> Vec<(Status, Status)> {
    let of_wholes: FxHashMap<&str, Status> = records
        .iter()
        .filter(|record| record.event.kind == Kind::KnockOut)
        .map(|record| (record.event.id.as_str(), record.status))
        .collect();
    let mut found = Vec::with_capacity(records.len());
    for record in records {
        let (mut status, mut performances) = (record.status, record.performances);
        let follows = record.event.ranked_elsewhere && record.eligibility.listed.is_none();
        let whole = record.event.part_of.as_deref().and_then(|id| of_wholes.get(id));
        if let Some(&whole) = whole.filter(|_| follows) {
            // A match whose end is known is whole, even if other matches are missing.
            let is_whole = record.event.recognised.end == EndEvidence::Shown;
            let known = match whole {
                Status::Incomplete => !is_whole,
                Status::Team | Status::Unrecognised | Status::Excluded => true,
                _ => false,
            };
            if known && performances == Status::Listed {
                performances = whole;
            }
            if known && status == Status::Listed {
                status = whole;
            } else if status == Status::Uncertain && whole == Status::Listed {
                // The bracket shows how many games a match has.
                status = record.eligibility.rated_status(&record.analysis, lists);
                performances = status;
            }
        }
        found.push((status, performances));
    }
    found
}

/// What the steps after the analysis found, by event.
pub struct LaterResults {
    /// The statuses of the events and of their performances.
    pub statuses: Vec<(Status, Status)>,
    pub bracket_results: Vec<Option<BracketResult>>,
    pub all_games: Vec<Vec<Option<AllGamesFigures>>>,
    pub forecasts: Vec<EventForecast>,
    pub norms: Vec<Option<EventNorms>>,
}

/// Finishes the records of analysed events, without the simulated figures that no list ranks.
pub fn finish(analysed: Vec<AnalysedEvent>, later: LaterResults) -> Vec<EventRecord> {
    let LaterResults { statuses, bracket_results, all_games, forecasts, norms } = later;
    let later = statuses.into_iter().zip(bracket_results).zip(all_games).zip(forecasts).zip(norms);
    let mut records = Vec::with_capacity(analysed.len());
    for (event, ((((statuses, bracket_result), all_games), forecast), norms)) in
        analysed.into_iter().zip(later)
    {
        let (status, performances) = statuses;
        let mut analysis = event.analysis;
        if !matches!(status, Status::Listed | Status::Faster) {
            analysis.strength_draws = Vec::new();
        }
        if !matches!(performances, Status::Listed | Status::Faster) || event.event.ranked_elsewhere
        {
            for player in &mut analysis.players {
                player.simulated.forget_draws();
            }
        }
        let later =
            LaterFigures { status, performances, bracket_result, all_games, forecast, norms };
        records.push(EventRecord::new(AnalysedEvent { analysis, ..event }, later));
    }
    records
}
