//! Documents of events in an archive on the disk.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::gazetteer::Places;
use crate::hint::nearest;
use crate::players::slug;
use crate::site::file_of;

/// The table of all events.
const TABLE: &str = "events.csv";

/// Events that are named where several are meant.
const SHOWN: usize = 10;

/// The document of an event of an archive.
///
/// # Errors
///
/// Where there is none, in words that follow the event's name.
pub fn read(archive: &Path, name: &str) -> Result<String, String> {
    let data = archive.join("data");
    // Only names that a build gives: a name is never a path.
    let plain = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if plain && let Some(document) = document(&data, name)? {
        return Ok(document);
    }
    let shown = archive.display();
    if !data.join(TABLE).is_file() {
        return Err(format!(
            "no archive at {shown} to look the name up in; run `greatness build` first"
        ));
    }
    let ids = ids_in(&data);
    let of_words = named(&ids, name);
    match of_words.as_slice() {
        [id] => document(&data, id)?
            .ok_or_else(|| format!("{shown} has no document of {id}; build it again")),
        [] => {
            let hint = nearest(name, ids.iter().map(String::as_str))
                .map(|nearest| format!("; did you mean {nearest}?"))
                .unwrap_or_default();
            Err(format!("no such event in {shown}{hint}"))
        }
        several => Err(format!(
            "{} events of {shown} are called so; name one of them:\n{}{}",
            several.len(),
            several.iter().take(SHOWN).map(|id| format!("  {id}")).collect::<Vec<_>>().join("\n"),
            if several.len() > SHOWN { "\n  ..." } else { "" }
        )),
    }
}

/// The events of an archive, by their identifiers, in the order of the alphabet.
pub fn ids(archive: &Path) -> Vec<String> {
    ids_in(&archive.join("data"))
}

fn ids_in(data: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Row {
        event_id: String,
    }
    let rows = csv::Reader::from_path(data.join(TABLE));
    let rows = rows.into_iter().flat_map(|rows| rows.into_deserialize::<Row>());
    let mut ids: Vec<String> = rows.filter_map(Result::ok).map(|row| row.event_id).collect();
    ids.sort_unstable();
    ids
}

/// The document of an event: of most in a file of its own, of the smallest in one with others.
fn document(data: &Path, id: &str) -> Result<Option<String>, String> {
    let path = data.join("events").join(format!("{id}.json"));
    let text = |path: &Path| match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    };
    if let Some(document) = text(&path)? {
        return Ok(Some(document));
    }
    let folder = data.join("small-events");
    let files = fs::read_dir(&folder).into_iter().flatten().flatten();
    let is_script = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".js"));
        number.is_some_and(|number| number.parse::<usize>().is_ok())
    };
    let files = files.filter(is_script).count();
    if files == 0 {
        return Ok(None);
    }
    let path = folder.join(format!("{}.js", file_of(id, files)));
    let call = format!("greatnessEvent(\"{id}\", ");
    let Some(script) = text(&path)? else { return Ok(None) };
    let Some(arguments) = script.lines().find_map(|line| line.strip_prefix(&*call)) else {
        return Ok(None);
    };
    // The document is the first of the arguments that are left.
    let mut values = serde_json::Deserializer::from_str(arguments).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(document)) => Ok(Some(format!("{document}\n"))),
        _ => Err(format!("{} is damaged; build the archive again", path.display())),
    }
}

/// The events whose identifiers have the words of a name as people type it (`Vienna 1898`, `avro`, `Wien 1898`):
/// the one that has these and no others, or else all that have them.
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
