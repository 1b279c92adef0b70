//! Answers the requests of the desk: the queue, an event, the effect of a decision.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::choice::{Choice, check_saved};
use super::decision_preview::{DecisionPreview, compare};
use super::desk_error::DeskError;
use super::ledger::{Ledger, LedgerError, revision};
use super::rebuild::{Rebuild, RebuildAnswer, RebuildCommand};
use crate::archive::{ListSettings, PublishedLists};
use crate::archive_reader::{
    FiledEvent, QueuedEvent, ids, named, names_of_events, published_lists, queue,
};
use crate::decisions::{Decision, DecisionError, Decisions};
use crate::tournament::Kind;

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

    /// The address of an event's page. Events without their own page share one.
    fn page_of(&self, id: &str) -> String {
        if self.archive.join("events").join(format!("{id}.html")).is_file() {
            format!("/events/{id}.html")
        } else {
            format!("/event.html?e={id}")
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
        let is_it =
            bundled.author == built.author.as_str() && bundled.reason == built.reason.as_str();
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
            author: decision.author.to_string(),
            date: decision.date.map(|date| date.to_string()).unwrap_or_default(),
            reason: decision.reason.to_string(),
            what: decision.keys().join(", ").replace('_', " "),
            revision: revision(Some(decision)),
        });
        Ok(own.collect())
    }

    /// The command that rebuilds the archive, and what it is doing; `None` if the desk has none.
    pub fn rebuild_state(&self) -> Option<RebuildAnswer> {
        self.rebuild.as_ref().map(|rebuild| rebuild.answer(self.has_newer_decisions()))
    }

    /// Whether the file of decisions is newer than the archive. Each build makes the folder of the
    /// archive anew.
    fn has_newer_decisions(&self) -> bool {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|found| found.modified()).ok();
        let decided = changed(self.ledger().path());
        decided.zip(changed(&self.archive)).is_some_and(|(decided, built)| decided > built)
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
