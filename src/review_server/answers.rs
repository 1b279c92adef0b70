//! Answers the requests of the desk: the queue, an event, the effect of a decision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::Serialize;
use thiserror::Error;

use super::choice::{Choice, DateError};
use super::ledger::{Ledger, LedgerError};
use crate::archive::{Effect, EventInputs, EventOutcome, ListSettings, PublishedLists};
use crate::archive_reader::{
    FiledError, FiledEvent, LookupError, QueuedEvent, ids, named, published_lists, queue,
};
use crate::decisions::{Decision, DecisionError, Decisions};
use crate::tournament::words::sentence;
use crate::tournament::{FitResult, Kind, RatingOrigin};

/// A request that the desk cannot answer.
#[derive(Debug, Error)]
pub enum DeskError {
    /// The archive cannot be used.
    #[error(transparent)]
    Filed(#[from] FiledError),
    /// The event cannot be read from the archive.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The choice has no date.
    #[error(transparent)]
    Date(#[from] DateError),
    /// The decisions file cannot be used, or a decision cannot be carried out.
    #[error(transparent)]
    Decision(#[from] DecisionError),
    /// The decisions file cannot be written.
    #[error("{file}: cannot be written: {error}")]
    Write {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// The request is inconsistent.
    #[error("{0}")]
    Asked(String),
}

/// The desk: an archive, its review queue and a file of decisions.
#[derive(Debug)]
pub struct Desk {
    archive: PathBuf,
    ledger: Mutex<Ledger>,
    settings: ListSettings,
    lists: PublishedLists,
    queue: Vec<QueuedEvent>,
    /// The decisions that the queue suggests, by event.
    suggested: Decisions,
    ids: Vec<String>,
}

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
}

/// The figures of an event.
#[derive(Clone, Debug, Serialize)]
pub struct EventFigures {
    /// Whether the event enters the lists, or why not.
    pub status: String,
    /// Its kind, in words.
    pub kind: &'static str,
    /// The tempo.
    pub tempo: &'static str,
    /// Strength.
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
    /// Players.
    pub players: usize,
}

/// The figures of a player of an event, before and after.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerFigures {
    /// Name.
    pub name: String,
    /// Games.
    pub games: usize,
    /// Points.
    pub points: f64,
    /// The rating that was found (points).
    pub found: Option<f64>,
    /// The published rating (points).
    pub rating_before: Option<f64>,
    /// The rating after the decision (points).
    pub rating: Option<f64>,
    /// The origin of the rating.
    pub origin: &'static str,
    /// The distance from the regression line (points).
    pub residual: Option<f64>,
    /// The published G-score.
    pub g_before: Option<f64>,
    /// The G-score after the decision.
    pub g: Option<f64>,
}

/// A line of the queue at the desk.
#[derive(Clone, Debug, Serialize)]
pub struct QueueLine {
    id: String,
    name: String,
    why: String,
    choice: String,
    effect: String,
    decided: bool,
    /// Whether another file has a decision about it.
    elsewhere: bool,
}

/// An event at the desk.
#[derive(Clone, Debug, Serialize)]
pub struct EventAnswer {
    id: String,
    name: String,
    start: String,
    /// The decision in the file.
    decision: Option<Decision>,
    /// The day of that decision.
    decided_on: Option<String>,
    /// A notice that another file has a decision.
    elsewhere: Option<String>,
    /// The decision that the queue suggests.
    suggested: Option<Decision>,
    why: String,
    choice: String,
    /// Kinds with their words.
    kinds: Vec<(&'static str, &'static str)>,
    policy: &'static str,
    answer: DecisionPreview,
}

/// The first id that occurs twice.
fn named_twice(ids: &[String]) -> Option<&String> {
    let mut seen = BTreeSet::new();
    ids.iter().find(|id| !seen.insert(*id))
}

/// Computes the effect of a decision on an event of an archive.
///
/// # Errors
///
/// Where the decision cannot be carried out, or names events that do not exist.
pub fn compare(
    archive: &Path,
    lists: &PublishedLists,
    settings: &ListSettings,
    event: &FiledEvent,
    decision: Option<&Decision>,
) -> Result<DecisionPreview, DeskError> {
    if let Some(twice) = decision.and_then(|decision| named_twice(&decision.merge)) {
        return Err(DeskError::Asked(format!("merge: {twice} is named twice; keep one")));
    }
    let mut merged = Vec::new();
    for id in decision.iter().flat_map(|decision| &decision.merge) {
        if *id == event.event_id {
            let message = "merge: an event cannot be merged into itself";
            return Err(DeskError::Asked(message.into()));
        }
        merged.push(FiledEvent::read_exactly(archive, id).map_err(|reason| {
            DeskError::Asked(format!("merge: cannot read the event {id}: {reason}"))
        })?);
    }
    let outcome = |case: &EventInputs| {
        case.outcome(settings)
            .map_err(|error| DeskError::Asked(format!("the event cannot be analysed: {error}")))
    };
    let published = event.published();
    let before = outcome(&published)?;
    let others: Vec<(EventInputs, EventOutcome)> = merged
        .iter()
        .map(|other| Ok((other.published(), outcome(&other.published())?)))
        .collect::<Result<_, DeskError>>()?;
    let case = match decision {
        Some(decision) => {
            let found: Vec<EventInputs> = merged.iter().map(FiledEvent::found).collect();
            event.found().decide(&event.event_id, decision, &found)?
        }
        None => event.found(),
    };
    let after = outcome(&case)?;
    let all = std::iter::once((&published.eligibility, &before))
        .chain(others.iter().map(|(case, outcome)| (&case.eligibility, outcome)));
    let all: Vec<_> = all.collect();
    let effect = lists.effect(&all, Some((&case.eligibility, &after)));
    Ok(DecisionPreview {
        sentence: effect.sentence(),
        effect,
        before: figures(&published, &before),
        players: player_figures(&before, &after),
        after: figures(&case, &after),
        steps: after.analysis.steps.iter().map(sentence).collect(),
    })
}

fn figures(case: &EventInputs, outcome: &EventOutcome) -> EventFigures {
    let analysis = &outcome.analysis;
    EventFigures {
        status: match outcome.status.note() {
            "" => "on the lists".into(),
            note => note.to_owned(),
        },
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

/// The largest number of events that a search returns.
const FOUND: usize = 20;

impl Desk {
    /// Opens an archive and a decisions file, which need not be there yet.
    ///
    /// # Errors
    ///
    /// Where one of them cannot be used.
    pub fn open(archive: &Path, file: &Path, settings: ListSettings) -> Result<Desk, DeskError> {
        let queue = queue(archive)?;
        let mut suggested = Decisions::default();
        for row in &queue {
            suggested.add(&row.toml, "review.csv")?;
        }
        Ok(Desk {
            lists: published_lists(archive)?,
            ids: ids(archive),
            ledger: Mutex::new(Ledger::open(file)?),
            archive: archive.to_owned(),
            settings,
            suggested,
            queue,
        })
    }

    /// The queue, with the events that are decided in the file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn queue(&self) -> Result<Vec<QueueLine>, DeskError> {
        let decisions = self.decisions()?;
        Ok(self
            .queue
            .iter()
            .map(|row| QueueLine {
                id: row.event_id.clone(),
                name: row.event.clone(),
                why: row.why.clone(),
                choice: row.choice.clone(),
                effect: row.effect.clone().unwrap_or_default(),
                decided: decisions.get(&row.event_id).is_some(),
                elsewhere: row.decided_by.is_some() && decisions.get(&row.event_id).is_none(),
            })
            .collect())
    }

    /// The identifiers of events that contain all words of a name.
    pub fn find(&self, name: &str) -> Vec<&str> {
        named(&self.ids, name).into_iter().take(FOUND).collect()
    }

    /// An event, with the decision in the file.
    ///
    /// # Errors
    ///
    /// Where the archive has no such event.
    pub fn event(&self, id: &str) -> Result<EventAnswer, DeskError> {
        let event = FiledEvent::read(&self.archive, id)?;
        let decisions = self.decisions()?;
        let decision = decisions.get(&event.event_id).cloned();
        let elsewhere = self.elsewhere(&event, &decisions);
        let row = self.queue.iter().find(|row| row.event_id == event.event_id);
        let answer = match &decision {
            Some(decision) => {
                compare(&self.archive, &self.lists, &self.settings, &event, Some(decision))?
            }
            None => self.as_published(&event)?,
        };
        Ok(EventAnswer {
            suggested: self.suggested.get(&event.event_id).cloned(),
            why: row.map(|row| row.why.clone()).unwrap_or_default(),
            choice: row.map(|row| row.choice.clone()).unwrap_or_default(),
            kinds: Kind::ALL.iter().map(|kind| (kind.word(), kind.words())).collect(),
            policy: event.options.policy_for(event.eligibility.kind).word(),
            decided_on: decision
                .as_ref()
                .and_then(|decision| decision.date)
                .map(|date| date.to_string()),
            id: event.event_id,
            name: event.name,
            start: event.start,
            decision,
            elsewhere,
            answer,
        })
    }

    /// The event without a new decision.
    fn as_published(&self, event: &FiledEvent) -> Result<DecisionPreview, DeskError> {
        let published = FiledEvent { undecided: None, ..event.clone() };
        compare(&self.archive, &self.lists, &self.settings, &published, None)
    }

    /// A notice if another file than the desk's has a decision: two files must not decide about one
    /// event.
    fn elsewhere(&self, event: &FiledEvent, decisions: &Decisions) -> Option<String> {
        let decided =
            event.decision.as_ref().filter(|_| decisions.get(&event.event_id).is_none())?;
        Some(format!(
            "The archive contains a decision that is not in {}: {} ({}, {}). Either another file has it, or the archive is \
             older than the file. Choices are shown on top of that decision; write them in that file.",
            self.ledger().path().display(),
            decided.reason,
            decided.author,
            decided.date
        ))
    }

    /// An event with the decision that a choice makes, completed from the file.
    fn asked(
        &self,
        id: &str,
        choice: Choice,
    ) -> Result<(FiledEvent, Decision, Option<String>), DeskError> {
        let mut event = FiledEvent::read(&self.archive, id)?;
        let decisions = self.decisions()?;
        let elsewhere = self.elsewhere(&event, &decisions);
        if elsewhere.is_some() {
            event.undecided = None;
        }
        let other = decisions.get(&event.event_id).or_else(|| self.suggested.get(&event.event_id));
        let decision = choice.decision(other)?;
        Ok((event, decision, elsewhere))
    }

    /// The effect of a choice.
    ///
    /// # Errors
    ///
    /// Where the choice cannot be carried out.
    pub fn effect(&self, id: &str, choice: Choice) -> Result<DecisionPreview, DeskError> {
        let (event, decision, _) = self.asked(id, choice)?;
        compare(&self.archive, &self.lists, &self.settings, &event, Some(&decision))
    }

    /// Writes a choice into the file and returns its effect.
    ///
    /// # Errors
    ///
    /// Where the choice cannot be carried out, has no author, or the file cannot be written.
    pub fn decide(&self, id: &str, choice: Choice) -> Result<DecisionPreview, DeskError> {
        let (event, decision, elsewhere) = self.asked(id, choice)?;
        if let Some(elsewhere) = elsewhere {
            return Err(DeskError::Asked(elsewhere));
        }
        if let Some(twice) = named_twice(&decision.merge) {
            return Err(DeskError::Asked(format!("merge: {twice} is named twice; keep one")));
        }
        if let Some(error) = DecisionError::of_all(decision.check(&event.event_id)) {
            return Err(error.into());
        }
        let answer = compare(&self.archive, &self.lists, &self.settings, &event, Some(&decision))?;
        let ledger = self.ledger();
        ledger.put(&event.event_id, &decision).map_err(|error| not_written(&ledger, error))?;
        Ok(answer)
    }

    /// Removes the decision about an event from the file. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn take_back(&self, id: &str) -> Result<bool, DeskError> {
        let ledger = self.ledger();
        ledger.remove(id).map_err(|error| not_written(&ledger, error))
    }

    fn decisions(&self) -> Result<Decisions, DeskError> {
        Ok(self.ledger().decisions()?)
    }

    /// Only one request writes at a time. A poisoned lock is harmless, because the file is always
    /// written as a whole.
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The error for a choice that was not written.
fn not_written(ledger: &Ledger, error: LedgerError) -> DeskError {
    match error {
        LedgerError::Write(error) => {
            DeskError::Write { file: ledger.path().display().to_string(), error }
        }
        LedgerError::Decision(error) => error.into(),
    }
}
