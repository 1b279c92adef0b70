//! Computes the effect of a decision on an event of an archive.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::desk_error::DeskError;
use crate::archive::{
    DecidedInputs, Effect, EventInputs, EventOutcome, ListSettings, PublishedLists, RelatedEvents,
    id_of_split,
};
use crate::archive_reader::FiledEvent;
use crate::decisions::{Decision, Regrouping};
use crate::events::Ending;
use crate::tournament::words::sentence;
use crate::tournament::{FitResult, RatingOrigin};

/// The effect of a decision on an event.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionPreview {
    /// The changes on the lists, in sentences.
    pub sentence: String,
    /// The changes on the lists, as numbers.
    pub effect: Effect,
    /// The published figures.
    pub before: EventFigures,
    /// The figures after the decision.
    pub after: EventFigures,
    /// The players after the decision, with their published figures.
    pub players: Vec<PlayerFigures>,
    /// The steps of the ratings after the decision.
    pub steps: Vec<String>,
    /// What only the next build can show, in sentences.
    pub later: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EventFigures {
    /// Whether the event enters the lists, or why not.
    pub status: String,
    pub name: String,
    /// Its first and last day, as far as they are known.
    pub days: String,
    /// The winners; empty if there is none or the games do not show it.
    pub winners: String,
    /// How it ended; empty if no source states it.
    pub outcome: &'static str,
    /// Its kind, in words.
    pub kind: &'static str,
    /// The tempo, in a word.
    pub tempo: &'static str,
    /// The strength of the event; `None` if it cannot be computed.
    pub strength: Option<f64>,
    /// Whether the ratings pass the fit test.
    pub fit: &'static str,
    /// The chi-squared statistic of the test.
    pub statistic: Option<f64>,
    /// The critical value of the test.
    pub critical: Option<f64>,
    /// Rating of the world's number two (points).
    pub number_two: Option<f64>,
    /// The number of games that are known, and that a complete event would have.
    pub games: (usize, usize),
    pub players: usize,
}

/// The figures of a player of an event, before and after.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerFigures {
    pub name: String,
    pub games: usize,
    pub points: f64,
    /// The rating that was found (points).
    pub found: Option<f64>,
    /// The published rating (points).
    pub rating_before: Option<f64>,
    /// The rating after the decision (points).
    pub rating: Option<f64>,
    /// The origin of the rating.
    pub origin: &'static str,
    /// The distance from the performance line (points).
    pub residual: Option<f64>,
    /// The published G-score.
    pub g_before: Option<f64>,
    pub g: Option<f64>,
}

/// Computes the effect of a decision on an event of an archive.
///
/// # Errors
///
/// Returns an error if the decision cannot be carried out, or names events that do not exist.
pub fn compare(
    archive: &Path,
    lists: &PublishedLists,
    settings: &ListSettings,
    event: &FiledEvent,
    decision: Option<&Decision>,
) -> Result<DecisionPreview, DeskError> {
    let published = event.published();
    let before = analysed(&published, settings)?;
    let (DecidedInputs { inputs: case, later }, merged) = match decision {
        Some(decision) => decided_inputs(archive, event, decision)?,
        None => (DecidedInputs { inputs: event.found(), later: Vec::new() }, Vec::new()),
    };
    let others: Vec<EventOutcome> =
        merged.iter().map(|case| analysed(case, settings)).collect::<Result<_, _>>()?;
    let after = analysed(&case, settings)?;
    let mut all = vec![(&published.eligibility, &before)];
    all.extend(merged.iter().map(|case| &case.eligibility).zip(&others));
    let effect = lists.effect(&all, Some((&case.eligibility, &after)));
    Ok(DecisionPreview {
        sentence: effect.sentence(),
        effect,
        before: figures(&published, &before),
        players: player_figures(&before, &after),
        after: figures(&case, &after),
        steps: after.analysis.steps.iter().map(sentence).collect(),
        later,
    })
}

/// The inputs of an event of an archive after a decision, and the events that it merges.
///
/// Merges, splits, moved games and merged persons that the archive contains are not carried out a
/// second time.
///
/// # Errors
///
/// Returns an error if the decision cannot be carried out, or names events that do not exist.
pub fn decided_inputs(
    archive: &Path,
    event: &FiledEvent,
    decision: &Decision,
) -> Result<(DecidedInputs, Vec<EventInputs>), DeskError> {
    let (names, built) = match &event.decision {
        Some(built) => (built.names.clone(), built.regrouped.clone()),
        None => (BTreeMap::new(), Regrouping::default()),
    };
    let (new, undone) = built.new_part(decision);
    let new = new.with_names(&names);
    refuse_known_ids(archive, event, &new)?;
    let mut others = related(archive, event, &new)?;
    let mut decided = event.found().decide(&event.event_id, &new, &others)?;
    if !undone.is_empty() {
        let text = "The next build puts games back that an earlier decision moved or merged.";
        decided.later.push(text.into());
    }
    if decision.start.is_some_and(|start| start.iso() != event.facts.start) {
        let text = "The next build looks up the ratings of the new first day.";
        decided.later.push(text.into());
    }
    if decision.list_day.is_some() {
        let text = "The next build looks up the ratings of the decided lists.";
        decided.later.push(text.into());
    }
    let merged = new.merge.iter().filter_map(|id| others.remove(id)).collect();
    Ok((decided, merged))
}

/// The first id that occurs twice.
fn named_twice(ids: &[String]) -> Option<&String> {
    let mut seen = BTreeSet::new();
    ids.iter().find(|id| !seen.insert(*id))
}

/// Refuses to split off an event whose id another event has. A build refuses it, too.
fn refuse_known_ids(
    archive: &Path,
    event: &FiledEvent,
    decision: &Decision,
) -> Result<(), DeskError> {
    let year = event.facts.start.get(..4).and_then(|year| year.parse().ok());
    for split in &decision.split {
        let id = id_of_split(&split.name, year);
        if FiledEvent::read_exactly(archive, &id).is_ok() {
            return Err(DeskError::Asked(format!(
                "split: an event {id} exists already; give the new event another name"
            )));
        }
    }
    Ok(())
}

/// Reads the other events that a decision names.
fn related(
    archive: &Path,
    event: &FiledEvent,
    decision: &Decision,
) -> Result<RelatedEvents, DeskError> {
    if let Some(twice) = named_twice(&decision.merge) {
        return Err(DeskError::Asked(format!("merge: {twice} is named twice; keep one")));
    }
    let mut others = RelatedEvents::new();
    for id in decision.other_events() {
        let key =
            if decision.merge.iter().any(|merged| merged == id) { "merge" } else { "moved_games" };
        if id == event.event_id {
            let message = format!("{key}: an event cannot be merged into itself");
            return Err(DeskError::Asked(message));
        }
        let other = FiledEvent::read_exactly(archive, id).map_err(|reason| {
            DeskError::Asked(format!("{key}: cannot read the event {id}: {reason}"))
        })?;
        others.insert(id.to_owned(), other.published());
    }
    Ok(others)
}

fn analysed(case: &EventInputs, settings: &ListSettings) -> Result<EventOutcome, DeskError> {
    case.outcome(settings)
        .map_err(|error| DeskError::Asked(format!("the event cannot be analysed: {error}")))
}

fn figures(case: &EventInputs, outcome: &EventOutcome) -> EventFigures {
    let analysis = &outcome.analysis;
    EventFigures {
        status: match outcome.status.note() {
            "" => "on the lists".into(),
            note => note.to_owned(),
        },
        name: case.input.name.clone(),
        days: match (&case.facts.start, &case.facts.end) {
            (start, end) if start == end => start.clone(),
            (start, end) => format!("{start} to {end}"),
        },
        winners: case.winners(outcome).join("; "),
        outcome: case.facts.outcome.map_or("", Ending::participle),
        kind: case.eligibility.kind.words(),
        tempo: case.eligibility.tempo.word(),
        strength: analysis.strength,
        fit: match analysis.fit_test.result {
            FitResult::Passed => "they fit",
            FitResult::Failed => "they do not fit",
            FitResult::TooClose => "they fit too closely",
            FitResult::NotApplicable => "no test",
        },
        statistic: analysis.fit_test.statistic,
        critical: analysis.fit_test.critical,
        number_two: analysis.number_two,
        games: (case.eligibility.placed_games, case.eligibility.expected_games),
        players: case.input.players.len(),
    }
}

fn player_figures(before: &EventOutcome, after: &EventOutcome) -> Vec<PlayerFigures> {
    let published: BTreeMap<&str, _> =
        before.analysis.players.iter().map(|player| (player.name.as_str(), player)).collect();
    let players = after.analysis.players.iter();
    players
        .map(|player| {
            let before = published.get(player.name.as_str());
            PlayerFigures {
                name: player.name.clone(),
                games: player.games,
                points: player.points,
                found: player.rating_found,
                rating_before: before.and_then(|before| before.initial_rating),
                rating: player.initial_rating,
                origin: match player.rating_origin {
                    RatingOrigin::Given => "found",
                    RatingOrigin::Filled => "estimated",
                    RatingOrigin::Corrected => "moved",
                    RatingOrigin::Decided => "decided",
                    RatingOrigin::Missing => "none",
                },
                residual: player.residual,
                g_before: before.and_then(|before| before.g_score),
                g: player.g_score,
            }
        })
        .collect()
}
