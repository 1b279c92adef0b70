//! Finds and reads documents of events in an archive on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::gazetteer::Places;
use crate::hint::nearest;
use crate::players::slug;

/// Events that an error message lists where a name fits several. Judged: more would fill the
/// screen.
const SHOWN: usize = 10;

/// An event of an archive that cannot be read.
#[derive(Debug, Error)]
pub enum LookupError {
    #[error("no archive at {} in which to look it up; run `greatness build` first", .archive.display())]
    NoArchive { archive: PathBuf },
    #[error("no such event in {}{hint}", .archive.display())]
    NoSuchEvent {
        archive: PathBuf,
        /// A question with the nearest identifier; empty where none is near.
        hint: String,
    },
    #[error("{} events in {} fit this name; give the identifier of one:\n{}", .ids.len(), .archive.display(), listed(.ids))]
    Ambiguous { archive: PathBuf, ids: Vec<String> },
    /// The text is a name of the event instead of its identifier.
    #[error("write the identifier, {id}")]
    NotAnIdentifier { id: String },
    #[error("cannot read {}: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    /// The document is not one that this version writes.
    #[error(
        "{event} was written by another version of the program; run `greatness build` again ({error})"
    )]
    OtherVersion { event: String, error: serde_json::Error },
}

/// The first identifiers, one a line.
fn listed(ids: &[String]) -> String {
    let mut text =
        ids.iter().take(SHOWN).map(|id| format!("  {id}")).collect::<Vec<_>>().join("\n");
    if ids.len() > SHOWN {
        text.push_str("\n  ...");
    }
    text
}

/// Reads the document of an event, by its identifier or by the words of its name.
///
/// # Errors
///
/// Returns an error if the archive has no such event or several, or the file cannot be read. The
/// message follows the event's name in a sentence.
pub fn read(archive: &Path, name: &str) -> Result<String, LookupError> {
    let folder = archive.join("data").join("events");
    // Only names as a build writes them: a name is never a path.
    let plain = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let path = folder.join(format!("{name}.json"));
    if plain && path.is_file() {
        return text_of(path);
    }
    let files = files(archive)?;
    if let Some(file) = files.get(name) {
        return document_in(&folder, file, name);
    }
    let ids: Vec<String> = files.keys().cloned().collect();
    let archive = archive.to_owned();
    match named(&ids, name).as_slice() {
        [id] => document_in(&folder, &files[*id], id),
        [] => {
            let hint = nearest(name, ids.iter().map(String::as_str))
                .map(|nearest| format!("; did you mean {nearest}?"))
                .unwrap_or_default();
            Err(LookupError::NoSuchEvent { archive, hint })
        }
        several => {
            let ids = several.iter().map(|id| (*id).to_owned()).collect();
            Err(LookupError::Ambiguous { archive, ids })
        }
    }
}

fn text_of(file: PathBuf) -> Result<String, LookupError> {
    fs::read_to_string(&file).map_err(|error| LookupError::Read { file, error })
}

/// Reads a document from its own file, or from one that has a document in each line.
fn document_in(folder: &Path, file: &str, id: &str) -> Result<String, LookupError> {
    let path = folder.join(file);
    if file.ends_with(".json") {
        return text_of(path);
    }
    line_of(&path, id).map_err(|error| LookupError::Read { file: path, error })
}

/// Reads the document of an event from a compressed file with a document in each line.
fn line_of(path: &Path, id: &str) -> io::Result<String> {
    let own = format!("\"event_id\":{}", Value::from(id));
    for line in BufReader::new(zstd::Decoder::new(fs::File::open(path)?)?).lines() {
        let line = line?;
        if line.contains(&own) && is_of_event(&line, id) {
            return Ok(line);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, format!("it has no event {id}")))
}

/// Whether a document is that of an event. Only this field of it is read.
fn is_of_event(document: &str, id: &str) -> bool {
    #[derive(Deserialize)]
    struct Named {
        event_id: String,
    }
    serde_json::from_str::<Named>(document).is_ok_and(|found| found.event_id == id)
}

/// The identifiers of the events of an archive, in alphabetical order; empty without an archive.
pub fn ids(archive: &Path) -> Vec<String> {
    files(archive).map(|files| files.into_keys().collect()).unwrap_or_default()
}

/// The file of each event's document, by the event's identifier.
fn files(archive: &Path) -> Result<BTreeMap<String, String>, LookupError> {
    let file = archive.join("data").join("events").join("index.csv");
    let mut index = csv::Reader::from_path(&file)
        .map_err(|_| LookupError::NoArchive { archive: archive.to_owned() })?;
    let rows: Result<_, csv::Error> = index.deserialize().collect();
    rows.map_err(|error| LookupError::Read { file, error: io::Error::other(error) })
}

/// The events whose identifiers contain all words of a name as people type it (`Vienna 1898`,
/// `avro`, `Wien 1898`). An identifier with these words and no others is the only result.
pub fn named<'a>(ids: &'a [String], name: &str) -> Vec<&'a str> {
    let places = Places::default();
    let mut words: Vec<String> = Vec::new();
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let here = places.name(word).filter(|place| !place.is_empty()).unwrap_or(word);
        words.extend(slug(here).split('-').map(str::to_owned));
    }
    if words.is_empty() {
        return Vec::new();
    }
    let all: Vec<&str> = ids
        .iter()
        .map(String::as_str)
        .filter(|id| words.iter().all(|word| id.split('-').any(|own| own == word)))
        .collect();
    match all.iter().find(|id| id.split('-').count() == words.len()) {
        Some(whole) => vec![*whole],
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_found_by_the_names_that_people_type() {
        let ids = ["avro-1938", "vienna-1898", "vienna-1898-b", "london-1883", "london-1899"]
            .map(str::to_owned);
        for (typed, found) in [
            ("Vienna 1898", &["vienna-1898"][..]),
            ("Wien 1898", &["vienna-1898"]),
            ("1898, vienna b", &["vienna-1898-b"]),
            ("avro", &["avro-1938"]),
            ("London", &["london-1883", "london-1899"]),
            ("Nowhere 1900", &[]),
            ("../..", &[]),
        ] {
            assert_eq!(named(&ids, typed), found, "{typed}");
        }
    }
}
