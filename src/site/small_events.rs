//! The events without a page of their own: their documents and games, many to a file.
//!
//! A document is the call of a script, since a page opened from a disk may load only those:
//! `greatnessEvent("id", {...}, [...]);`, a line each: the identifier, the same document as other events have in
//! `data/events`, and the keys of its players in the order of the document's `input`.

use rayon::prelude::*;

use super::addresses::{by_file, key_of_player};
use super::errors::PublishError;
use super::folder::Folder;
use super::script::json;
use crate::archive::{Archive, EventDocument, EventRecord};
use crate::pgn::write_game;

/// The folder below the archive's.
pub(super) const FOLDER: &str = "data/small-events";

/// Games of a file, about: its documents are some hundred kilobytes.
const GAMES: usize = 60;

/// How many files hold those events; 0 where there are none.
pub(super) fn number_of_files(archive: &Archive) -> usize {
    let games: usize = small(archive).map(|(_, record)| record.event.games.len()).sum();
    games.div_ceil(GAMES)
}

fn small(archive: &Archive) -> impl Iterator<Item = (usize, &EventRecord)> {
    archive.records.iter().enumerate().filter(|(_, record)| !record.has_page)
}

/// Writes them.
pub(super) fn write(archive: &Archive, folder: &Folder) -> Result<(), PublishError> {
    let files = number_of_files(archive);
    let held = by_file(small(archive).map(|(place, record)| (place, &*record.event.id)), files);
    held.par_iter().enumerate().try_for_each(|(number, events)| {
        let (mut documents, mut games) = (String::new(), Vec::new());
        for record in events.iter().map(|event| &archive.records[*event]) {
            documents.push_str(&document(archive, record));
            write_games(archive, record, &mut games);
        }
        folder.save(&format!("{FOLDER}/{number}.js"), documents.as_bytes())?;
        folder.save(&format!("{FOLDER}/{number}.pgn"), &games)
    })
}

fn document(archive: &Archive, record: &EventRecord) -> String {
    let players = record.event.players.iter().map(|player| key_of_player(archive, *player));
    let players: Vec<String> = players.collect();
    let document = EventDocument::of(record);
    format!(
        "greatnessEvent({}, {}, {});\n",
        json(&record.event.id),
        json(&document),
        json(&players)
    )
}

/// The games of an event as PGN.
pub(super) fn write_games(archive: &Archive, record: &EventRecord, games: &mut Vec<u8>) {
    for of_event in &record.event.games {
        let names = [of_event.white, of_event.black]
            .map(|player| &*archive.players.get(record.event.players[player]).name);
        let game = &archive.table.games()[of_event.row];
        let (start, moves) = archive.boards.game(of_event.row).unwrap_or_default();
        let moves: Vec<String> = moves.into_iter().map(|one| one.san).collect();
        // Nothing fails that writes to memory.
        let _ = write_game(games, &archive.table, game, names, start.as_deref(), &moves);
    }
}
