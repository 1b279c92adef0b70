//! The data files of events without their own page, with many events in each.
//!
//! The files are scripts, since a page opened from a disk can load only scripts. Each line is a
//! call `greatnessEvent("id", {...}, [...]);` with the identifier, the document of `data/events`,
//! and the keys of the players in the order of the document's `input`.

use rayon::prelude::*;

use super::addresses::{by_file, key_of_player};
use super::errors::PublishError;
use super::folder::Folder;
use super::script::json;
use archive::{Archive, EventDocument, EventRecord};

/// The folder of the files, relative to the archive's folder.
pub(super) const FOLDER: &str = "small-events";

/// Approximate number of games in a file. Judged: some hundred kilobytes a file. Half as many games
/// would double the number of files.
const GAMES: usize = 60;

/// The number of files; 0 without such events.
pub(super) fn number_of_files(archive: &Archive) -> usize {
    let games: usize = small(archive).map(|(_, record)| record.event.games.len()).sum();
    games.div_ceil(GAMES)
}

fn small(archive: &Archive) -> impl Iterator<Item = (usize, &EventRecord)> {
    archive.records.iter().enumerate().filter(|(_, record)| !record.has_page)
}

pub(super) fn write(archive: &Archive, folder: &Folder) -> Result<(), PublishError> {
    let files = number_of_files(archive);
    let held = by_file(small(archive).map(|(place, record)| (place, &*record.event.id)), files);
    held.par_iter().enumerate().try_for_each(|(number, events)| {
        let events = events.iter().map(|event| &archive.records[*event]);
        let documents: String = events.map(|record| document(archive, record)).collect();
        folder.save(&format!("{FOLDER}/{number}.js"), documents.as_bytes())
    })
}

fn document(archive: &Archive, record: &EventRecord) -> String {
    let players = record.event.players.iter().map(|player| key_of_player(archive, *player));
    let players: Vec<String> = players.collect();
    let document = EventDocument::new(record);
    format!(
        "greatnessEvent({}, {}, {});\n",
        json(&record.event.id),
        json(&document),
        json(&players)
    )
}
