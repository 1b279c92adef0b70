//! Answers the requests of the desk: the queue, an event, the effect of a decision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use thiserror::Error;

use super::choice::{Choice, ChoiceError, check_saved};
use super::ledger::{Ledger, LedgerError, revision};
use super::rebuild::{Rebuild, RebuildAnswer, RebuildCommand};
use crate::archive::{
    DecidedInputs, Effect, EventInputs, EventOutcome, ListSettings, PublishedLists, RelatedEvents,
    id_of_split,
};
use crate::archive_reader::{
    FiledError, FiledEvent, LookupError, QueuedEvent, ids, named, names_of_events, published_lists,
    queue,
};
use crate::decisions::{Decision, DecisionError, Decisions, Regrouping};
use crate::events::Ending;
use crate::tournament::words::sentence;
use crate::tournament::{FitResult, Kind, RatingOrigin};

#[derive(Debug, Error)]
pub enum DeskError {
    /// The archive cannot be used.
    #[error(transparent)]
    Filed(#[from] FiledError),
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The choice is not a valid decision.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The decisions file cannot be used, or a decision cannot be carried out.
    #[error("{}", .0.messages())]
    Decision(#[from] DecisionError),
    /// Another desk changed the decision since this one loaded it.
    #[error("{0}")]
    Changed(LedgerError),
    #[error("{file}: cannot be written: {error}")]
    Write { file: String, error: std::io::Error },
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
    /// The bundled decisions. Those in the file replace them.
    bundled: Decisions,
    rebuild: Option<Rebuild>,
    shown: RwLock<ShownArchive>,
}

/// What the desk holds of the archive. A rebuild replaces it.
#[derive(Debug)]
struct ShownArchive {
    lists: PublishedLists,
    queue: Vec<QueuedEvent>,
    /// The decisions that the queue suggests, by event.
    suggested: Decisions,
    ids: Vec<String>,
    /// The names of the events, by id.
    names: BTreeMap<String, String>,
}

impl ShownArchive {
    fn read(archive: &Path) -> Result<ShownArchive, DeskError> {
        let queue = queue(archive)?;
        let mut suggested = Decisions::default();
        for row in &queue {
            // Author, date and reason of these lines are not filled in.
            let rows: BTreeMap<String, Decision> = toml::from_str(&row.toml).unwrap_or_default();
            rows.into_iter().for_each(|(id, decision)| suggested.put(&id, decision));
        }
        let (lists, names) = (published_lists(archive)?, names_of_events(archive)?);
        Ok(ShownArchive { lists, ids: ids(archive), suggested, queue, names })
    }
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

#[derive(Clone, Debug, Serialize)]
pub struct EventAnswer {
    id: String,
    name: String,
    start: String,
    decision: Option<Decision>,
    /// The digest of that decision, by which a later change is noticed.
    revision: String,
    decided_on: Option<String>,
    /// A notice that another file has a decision.
    elsewhere: Option<String>,
    /// The bundled decision that a decision here replaces.
    bundled: Option<Decision>,
    /// The address of its page.
    page: String,
    /// The decision that the queue suggests.
    suggested: Option<Decision>,
    why: String,
    choice: String,
    /// Kinds with their words.
    kinds: Vec<(&'static str, &'static str)>,
    policy: &'static str,
    answer: DecisionPreview,
}

#[derive(Clone, Debug, Serialize)]
pub struct SavedAnswer {
    #[serde(flatten)]
    pub effect: DecisionPreview,
    /// The digest of the decision in the file now.
    revision: String,
}

/// A decision in the desk's file.
#[derive(Clone, Debug, Serialize)]
pub struct OwnDecision {
    id: String,
    /// The name of the event, or its id if the archive has no such event.
    name: String,
    author: String,
    date: String,
    reason: String,
    /// What is decided: the keys, in words.
    what: String,
    revision: String,
}

/// The kinds that can be chosen, with their words. A fragment is not a kind to decide. It is
/// offered only if the decision has it.
fn kinds(decided: Option<Kind>) -> Vec<(&'static str, &'static str)> {
    Kind::ALL
        .iter()
        .filter(|kind| **kind != Kind::Fragment || decided == Some(**kind))
        .map(|kind| (kind.word(), kind.words()))
        .collect()
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
    let merged = new.merge.iter().filter_map(|id| others.remove(id)).collect();
    Ok((decided, merged))
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

/// A decision about an event, with the names that the event's page shows.
fn displayed(decision: &Decision, event: &FiledEvent) -> Decision {
    match &event.decision {
        Some(built) => decision.clone().with_names(&built.names),
        None => decision.clone(),
    }
}

/// The event with the decision that the archive contains as part of it.
fn as_published(event: &FiledEvent) -> FiledEvent {
    FiledEvent { undecided: None, ..event.clone() }
}

/// The largest number of events that a search returns. Judged: they fit under the field in which
/// the administrator types; another word finds the others.
const FOUND: usize = 20;

impl Desk {
    /// Opens an archive and a decisions file, which need not be there yet.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them cannot be used.
    pub fn open(archive: &Path, file: &Path, settings: ListSettings) -> Result<Desk, DeskError> {
        Ok(Desk {
            shown: RwLock::new(ShownArchive::read(archive)?),
            ledger: Mutex::new(Ledger::open(file)?),
            archive: archive.to_owned(),
            settings,
            bundled: Decisions::default(),
            rebuild: None,
        })
    }

    /// The desk with the bundled decisions, which its file may replace.
    #[must_use]
    pub fn with_bundled(self, bundled: Decisions) -> Desk {
        Desk { bundled, ..self }
    }

    /// The desk with a command that rebuilds the archive.
    #[must_use]
    pub fn with_rebuild(self, command: RebuildCommand) -> Desk {
        Desk { rebuild: Some(Rebuild::new(command)), ..self }
    }

    /// The queue, with the events that are decided in the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn queue(&self) -> Result<Vec<QueueLine>, DeskError> {
        let decisions = self.decisions()?;
        let mut lines = Vec::new();
        for row in &self.shown().queue {
            let decided = decisions.get(&row.event_id).is_some_and(|decision| !decision.is_empty());
            lines.push(QueueLine {
                id: row.event_id.clone(),
                name: row.event.clone(),
                why: row.why.clone(),
                choice: row.choice.clone(),
                effect: row.effect.clone().unwrap_or_default(),
                decided,
                elsewhere: row.decided_by.is_some() && !decided,
            });
        }
        Ok(lines)
    }

    /// The identifiers of events that contain all words of a name.
    pub fn find(&self, name: &str) -> Vec<String> {
        let shown = self.shown();
        named(&shown.ids, name).into_iter().take(FOUND).map(str::to_owned).collect()
    }

    /// An event, with the decision in the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the archive has no such event.
    pub fn event(&self, id: &str) -> Result<EventAnswer, DeskError> {
        let event = FiledEvent::read(&self.archive, id)?;
        let decisions = self.decisions()?;
        let own = decisions.get(&event.event_id);
        let revision = revision(own);
        let decision = own.map(|decision| displayed(decision, &event));
        let shown = self.shown();
        let row = shown.queue.iter().find(|row| row.event_id == event.event_id);
        let bundled = self.bundled_decision(&event).map(|decision| displayed(decision, &event));
        let elsewhere = self.elsewhere(&event, &decisions);
        let answer = match decision.as_ref().or(bundled.as_ref()) {
            Some(decision) => self.preview(&shown, &event, Some(decision))?,
            None => self.preview(&shown, &as_published(&event), None)?,
        };
        Ok(EventAnswer {
            suggested: shown.suggested.get(&event.event_id).cloned(),
            why: row.map(|row| row.why.clone()).unwrap_or_default(),
            choice: row.map(|row| row.choice.clone()).unwrap_or_default(),
            kinds: kinds(decision.as_ref().and_then(|decision| decision.kind)),
            policy: event.options.policy_for(event.eligibility.kind).word(),
            decided_on: decision
                .as_ref()
                .and_then(|decision| decision.date)
                .map(|date| date.to_string()),
            page: self.page_of(&event.event_id),
            id: event.event_id,
            name: event.name,
            start: event.start,
            decision,
            revision,
            elsewhere,
            bundled,
            answer,
        })
    }

    /// The address of an event's page. Small events share one page.
    fn page_of(&self, id: &str) -> String {
        if self.archive.join("events").join(format!("{id}.html")).is_file() {
            format!("/events/{id}.html")
        } else {
            format!("/event.html#{id}")
        }
    }

    fn preview(
        &self,
        shown: &ShownArchive,
        event: &FiledEvent,
        decision: Option<&Decision>,
    ) -> Result<DecisionPreview, DeskError> {
        compare(&self.archive, &shown.lists, &self.settings, event, decision)
    }

    /// The bundled decision that the archive contains about an event.
    fn bundled_decision(&self, event: &FiledEvent) -> Option<&Decision> {
        let built = event.decision.as_ref()?;
        let bundled = self.bundled.get(&event.event_id)?;
        let is_it = (&built.author, &built.reason) == (&bundled.author, &bundled.reason);
        Some(bundled).filter(|_| is_it)
    }

    /// A notice if a file of the user, other than the desk's, has a decision: two of the user's
    /// files must not decide about one event. A bundled decision gives way, and a decision that was
    /// withdrawn from this file since the build is none.
    fn elsewhere(&self, event: &FiledEvent, decisions: &Decisions) -> Option<String> {
        let built = event.decision.as_ref().filter(|_| decisions.get(&event.event_id).is_none())?;
        let ledger = self.ledger();
        let own = ledger.path().file_name().map(|name| name.to_string_lossy());
        let is_own = own.is_some_and(|own| own == built.file.as_str());
        if is_own || self.bundled_decision(event).is_some() {
            return None;
        }
        let file = if built.file.is_empty() { "another file" } else { built.file.as_str() };
        Some(format!(
            "{file} decides about this event: {} ({}, {}). Choices are shown on top of that \
             decision; write them in {file}, because two of your files must not decide about one \
             event.",
            built.reason, built.author, built.date
        ))
    }

    /// An event with the decision that a choice makes.
    fn asked(
        &self,
        shown: &ShownArchive,
        id: &str,
        choice: Choice,
    ) -> Result<(FiledEvent, Decision, Option<String>), DeskError> {
        let mut event = FiledEvent::read(&self.archive, id)?;
        let decisions = self.decisions()?;
        let elsewhere = self.elsewhere(&event, &decisions);
        if elsewhere.is_some() {
            event.undecided = None;
        }
        let other = decisions.get(&event.event_id);
        let other = other.or_else(|| shown.suggested.get(&event.event_id));
        let decision = choice.decision(other.and_then(|other| other.field.clone()))?;
        Ok((event, decision, elsewhere))
    }

    /// The effect of a choice.
    ///
    /// # Errors
    ///
    /// Returns an error if the choice cannot be carried out.
    pub fn effect(&self, id: &str, choice: Choice) -> Result<DecisionPreview, DeskError> {
        let shown = self.shown();
        let (event, decision, _) = self.asked(&shown, id, choice)?;
        // Who decides and why is written last.
        if let Some(error) = DecisionError::of_all(decision.check_content(&event.event_id)) {
            return Err(error.into());
        }
        self.preview(&shown, &event, Some(&decision))
    }

    /// Writes a choice into the file and returns its effect.
    ///
    /// # Errors
    ///
    /// Returns an error if the choice decides nothing, cannot be carried out, has no author or
    /// reason or a date in the future; if another desk decided about the event; or if the file
    /// cannot be written.
    pub fn decide(&self, id: &str, choice: Choice) -> Result<SavedAnswer, DeskError> {
        let shown = self.shown();
        let seen = choice.seen.clone();
        let (event, decision, elsewhere) = self.asked(&shown, id, choice)?;
        if let Some(elsewhere) = elsewhere {
            return Err(DeskError::Asked(elsewhere));
        }
        check_saved(&decision, Timestamp::now().to_zoned(TimeZone::UTC).date())?;
        if let Some(error) = DecisionError::of_all(decision.check(&event.event_id)) {
            return Err(error.into());
        }
        let effect = self.preview(&shown, &event, Some(&decision))?;
        let ledger = self.ledger();
        let put = ledger.put(&event.event_id, &decision, seen.as_deref());
        put.map_err(|error| not_written(&ledger, error))?;
        let written = ledger.decisions()?;
        Ok(SavedAnswer { effect, revision: revision(written.get(&event.event_id)) })
    }

    /// Removes the decision about an event from the file. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, or has another decision than the one with
    /// the digest `seen`.
    pub fn take_back(&self, id: &str, seen: Option<&str>) -> Result<bool, DeskError> {
        let ledger = self.ledger();
        ledger.remove(id, seen).map_err(|error| not_written(&ledger, error))
    }

    /// All decisions in the file, in the order of the ids: also those about events that the queue
    /// lacks.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn own_decisions(&self) -> Result<Vec<OwnDecision>, DeskError> {
        let (decisions, shown) = (self.decisions()?, self.shown());
        let own = decisions.iter().map(|(id, decision)| OwnDecision {
            id: id.to_owned(),
            name: shown.names.get(id).cloned().unwrap_or_else(|| id.to_owned()),
            author: decision.author.clone(),
            date: decision.date.map(|date| date.to_string()).unwrap_or_default(),
            reason: decision.reason.clone(),
            what: decision.keys().join(", ").replace('_', " "),
            revision: revision(Some(decision)),
        });
        Ok(own.collect())
    }

    /// The command that rebuilds the archive, and what it is doing; `None` if the desk has none.
    pub fn rebuild_state(&self) -> Option<RebuildAnswer> {
        self.rebuild.as_ref().map(Rebuild::answer)
    }

    /// Marks the rebuild as running, before [`rebuild`](Desk::rebuild) runs it. Returns whether it
    /// may run: the desk has a command that it may use, and no rebuild is running.
    pub fn begin_rebuild(&self) -> bool {
        self.rebuild.as_ref().is_some_and(Rebuild::begin)
    }

    /// Rebuilds the archive and then shows the new one.
    pub fn rebuild(&self) {
        let Some(rebuild) = &self.rebuild else { return };
        rebuild.run(|| {
            let new = ShownArchive::read(&self.archive)?;
            *self.shown.write().unwrap_or_else(PoisonError::into_inner) = new;
            Ok::<(), DeskError>(())
        });
    }

    /// What the desk holds of the archive. It is replaced as a whole, so a poisoned lock is
    /// harmless.
    fn shown(&self) -> RwLockReadGuard<'_, ShownArchive> {
        self.shown.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn decisions(&self) -> Result<Decisions, DeskError> {
        Ok(self.ledger().decisions()?)
    }

    /// Only one request writes at a time. A poisoned lock is harmless, because the file is always
    /// written as a whole.
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error for a choice that was not written.
fn not_written(ledger: &Ledger, error: LedgerError) -> DeskError {
    match error {
        LedgerError::Write(error) => {
            DeskError::Write { file: ledger.path().display().to_string(), error }
        }
        LedgerError::Decision(error) => error.into(),
        changed @ LedgerError::Changed(_) => DeskError::Changed(changed),
    }
}
