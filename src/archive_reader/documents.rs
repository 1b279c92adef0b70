//! Finds and reads documents of events in an archive on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
    let archive = archive.to_owned();
    if !folder.is_dir() {
        return Err(LookupError::NoArchive { archive });
    }
    let ids = ids_in(&folder);
    let of_words = named(&ids, name);
    match of_words.as_slice() {
        [id] => text_of(folder.join(format!("{id}.json"))),
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

/// The identifiers of the events of an archive, in alphabetical order.
pub fn ids(archive: &Path) -> Vec<String> {
    ids_in(&archive.join("data").join("events"))
}

fn ids_in(folder: &Path) -> Vec<String> {
    let mut ids: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            Some(file.strip_suffix(".json")?.to_owned())
        })
        .collect();
    ids.sort_unstable();
    ids
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
