//! Documents of events in an archive on the disk.

use std::fs;
use std::path::Path;

use crate::gazetteer::Places;
use crate::hint::nearest;
use crate::players::slug;

/// Events that are named where several are meant.
const SHOWN: usize = 10;

/// The document of an event of an archive.
///
/// # Errors
///
/// Where there is none, in words that follow the event's name.
pub fn read(archive: &Path, name: &str) -> Result<String, String> {
    let folder = archive.join("data").join("events");
    // Only names that a build gives: a name is never a path.
    let plain = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let path = folder.join(format!("{name}.json"));
    if plain && path.is_file() {
        return fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()));
    }
    let shown = archive.display();
    if !folder.is_dir() {
        return Err(format!(
            "no archive at {shown} to look the name up in; run `greatness build` first"
        ));
    }
    let ids = ids_in(&folder);
    let of_words = named(&ids, name);
    match of_words.as_slice() {
        [id] => fs::read_to_string(folder.join(format!("{id}.json")))
            .map_err(|error| format!("cannot read {id}.json in {}: {error}", folder.display())),
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
