//! An event of an archive on the disk.

use std::path::Path;

use serde::Deserialize;

use super::documents::{LookupError, read};
use crate::archive::{Decided, Eligibility, EventInputs};
use crate::tournament::{self, Options};

/// An event of an archive on the disk, with all from which it can be worked out again.
#[derive(Clone, Debug, Deserialize)]
pub struct FiledEvent {
    /// Its identifier.
    pub event_id: String,
    /// Its name.
    pub name: String,
    /// First day, as far as known.
    pub start: String,
    /// What the app was given.
    pub input: tournament::Event,
    /// How it was run.
    pub options: Options,
    /// What decides, beside its figures, whether it enters the lists.
    #[serde(rename = "standing")]
    pub eligibility: Eligibility,
    /// What was known before anything was decided; `None` where nothing was.
    pub undecided: Option<EventInputs>,
    /// What was decided when the archive was built.
    pub decision: Option<Decided>,
}

impl FiledEvent {
    /// Reads an event by its identifier.
    ///
    /// # Errors
    ///
    /// Where the archive has no such event, or another version of the program wrote it.
    pub fn read(archive: &Path, id: &str) -> Result<FiledEvent, LookupError> {
        let text = read(archive, id)?;
        serde_json::from_str(&text)
            .map_err(|error| LookupError::OtherVersion { event: id.to_owned(), error })
    }

    /// The event as it is published.
    pub fn published(&self) -> EventInputs {
        let (input, options, eligibility) =
            (self.input.clone(), self.options, self.eligibility.clone());
        EventInputs { input, options, eligibility }
    }

    /// The event before anything was decided of it.
    pub fn found(&self) -> EventInputs {
        self.undecided.clone().unwrap_or_else(|| self.published())
    }
}
