//! Reads the lists of an archive on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::archive::{ListOf, PublishedLists, of_strengths};
use crate::games::Tempo;
use crate::tournament::Kind;

/// A table of an archive that cannot be used.
#[derive(Debug, Error)]
pub enum FiledError {
    #[error("{file}: {error}; build an archive with `greatness build`")]
    Read { file: String, error: io::Error },
    /// The file is not one that this version writes.
    #[error(
        "{file} was written by another version of the program; run `greatness build` again ({error})"
    )]
    Form { file: String, error: serde_json::Error },
}

#[derive(Clone, Debug, Deserialize)]
pub struct QueuedEvent {
    pub event_id: String,
    pub event: String,
    /// The findings, in sentences.
    pub why: String,
    /// The other choice, as a phrase.
    pub choice: String,
    /// The effect of the other choice on the lists.
    pub effect: Option<String>,
    /// The importance of the effect.
    pub weight: f64,
    /// The author of an earlier decision that does not settle this.
    pub decided_by: Option<String>,
    /// The other choice as a line of a decisions file.
    pub toml: String,
}

#[derive(Deserialize)]
struct NamedEvent {
    event_id: String,
    name: String,
}

#[derive(Deserialize)]
struct Performance {
    g_score: f64,
}

#[derive(Deserialize)]
struct Strength {
    strength: f64,
    kind: Kind,
}

fn table<T: DeserializeOwned>(archive: &Path, name: &str) -> Result<Vec<T>, FiledError> {
    let path = archive.join("data").join(format!("{name}.json"));
    let file = path.display().to_string();
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) => return Err(FiledError::Read { file, error }),
    };
    serde_json::from_slice(&text).map_err(|error| FiledError::Form { file, error })
}

/// Reads the review queue, the most important event first.
///
/// # Errors
///
/// Returns an error if the archive has no such table that this version can read.
pub fn queue(archive: &Path) -> Result<Vec<QueuedEvent>, FiledError> {
    table(archive, "review")
}

/// Reads the names of all events, by id. A very large archive has no such table in JSON. The
/// result is then empty.
///
/// # Errors
///
/// Returns an error if the archive has a table that this version cannot read.
pub fn names_of_events(archive: &Path) -> Result<BTreeMap<String, String>, FiledError> {
    if !archive.join("data").join("events.json").is_file() {
        return Ok(BTreeMap::new());
    }
    let names = table::<NamedEvent>(archive, "events")?.into_iter();
    Ok(names.map(|event| (event.event_id, event.name)).collect())
}

/// Reads the ranked lists, including those of rapid and blitz.
///
/// # Errors
///
/// Returns an error if the archive has no such table that this version can read.
pub fn published_lists(archive: &Path) -> Result<PublishedLists, FiledError> {
    let mut lists = PublishedLists::default();
    let faster = Tempo::ALL.map(|tempo| (format!("-{}", tempo.word()), Some(tempo)));
    for (ending, tempo) in [(String::new(), None)].into_iter().chain(faster) {
        let (performances, strengths) = (format!("greatness{ending}"), format!("strength{ending}"));
        // A tempo that is ranked with the others has no separate list.
        let is_there = archive.join("data").join(format!("{performances}.json")).is_file();
        if tempo.is_some() && !is_there {
            continue;
        }
        for row in table::<Performance>(archive, &performances)? {
            lists.add(ListOf::Performances(tempo), row.g_score);
        }
        for row in table::<Strength>(archive, &strengths)? {
            lists.add(of_strengths(row.kind, tempo), row.strength);
        }
    }
    Ok(lists.sorted())
}
