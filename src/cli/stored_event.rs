//! Documents of events in an archive on the disk.

use std::fs;
use std::path::Path;

use crate::hint::nearest;

/// The document of an event of an archive.
///
/// # Errors
///
/// Where there is none, in words that follow the event's name.
pub(super) fn read(archive: &Path, name: &str) -> Result<String, String> {
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
    let hint = nearest_event(&folder, name)
        .map(|nearest| format!("; did you mean {nearest}?"))
        .unwrap_or_default();
    Err(format!("no such event in {shown}{hint}"))
}

/// The event whose name is most like the given one.
fn nearest_event(folder: &Path, name: &str) -> Option<String> {
    let ids: Vec<String> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            Some(file.strip_suffix(".json")?.to_owned())
        })
        .collect();
    nearest(name, ids.iter().map(String::as_str)).map(str::to_owned)
}
