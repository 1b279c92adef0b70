//! Reads an event of an archive on disk.

use std::path::Path;

use serde::Deserialize;

use super::documents::{LookupError, read};
use crate::archive::{Decided, Eligibility, EventFacts, EventInputs};
use crate::tournament::{self, Options};

/// An event of an archive on disk, with the inputs needed to re-analyse it.
#[derive(Clone, Debug, Deserialize)]
pub struct FiledEvent {
    pub event_id: String,
    pub name: String,
    /// Its first day, as far as it is known.
    pub start: String,
    /// The event as the app received it.
    pub input: tournament::Event,
    pub options: Options,
    /// What decides, in addition to its figures, whether it enters the lists.
    #[serde(rename = "standing")]
    pub eligibility: Eligibility,
    /// What is known of it and does not enter the analysis.
    #[serde(default)]
    pub facts: EventFacts,
    /// The inputs before the decision; `None` without a decision.
    pub undecided: Option<EventInputs>,
    /// The decision when the archive was built.
    pub decision: Option<Decided>,
}

impl FiledEvent {
    /// Reads an event by its identifier.
    ///
    /// # Errors
    ///
    /// Returns an error if the archive has no such event, or another version of the program wrote
    /// it.
    pub fn read(archive: &Path, id: &str) -> Result<FiledEvent, LookupError> {
        let text = read(archive, id)?;
        serde_json::from_str(&text)
            .map_err(|error| LookupError::OtherVersion { event: id.to_owned(), error })
    }

    /// Reads an event for a merge. As in a build, its exact identifier is required.
    ///
    /// # Errors
    ///
    /// Returns an error where [`FiledEvent::read`] does, or if the text is a name that fits the
    /// event.
    pub fn read_exactly(archive: &Path, id: &str) -> Result<FiledEvent, LookupError> {
        let event = FiledEvent::read(archive, id)?;
        if event.event_id == id {
            Ok(event)
        } else {
            Err(LookupError::NotAnIdentifier { id: event.event_id })
        }
    }

    /// The inputs of the published analysis.
    pub fn published(&self) -> EventInputs {
        let (input, facts) = (self.input.clone(), self.facts.clone());
        EventInputs { input, options: self.options, eligibility: self.eligibility.clone(), facts }
    }

    /// The inputs before any decision.
    pub fn found(&self) -> EventInputs {
        self.undecided.clone().unwrap_or_else(|| self.published())
    }
}
