//! The data of each event: its document, and its games as PGN.
//!
//! An event with its own page has two files of its own, `ID.json` and `ID.pgn`. The others share
//! compressed files: `YEAR.jsonl.zst` has a document in each line, and `YEAR.pgn.zst` the games, in
//! the order of the documents. `index.csv` names the file with the document of each event.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rayon::prelude::*;

use super::errors::PublishError;
use super::folder::Folder;
use archive::{Archive, EventDocument, EventRecord};
use pgn_collections::pgn::PgnGame;

/// The folder, relative to the archive's folder.
const FOLDER: &str = "data/events";

/// The number of games from which a year has another file, so that hosts accept it. Judged: the
/// largest year of 427,228 games has a file of 1.8 MB.
const GAMES: usize = 100_000;

/// The level of the compression. Measured on 130 MB of documents: level 3 takes the same time for
/// 3% more bytes, level 9 three times as long for 11% fewer.
const LEVEL: i32 = 1;

/// Writes the files of an event with its own page.
pub(super) fn write_own(
    archive: &Archive,
    record: &EventRecord,
    document: &EventDocument<'_>,
    folder: &Folder,
) -> Result<(), PublishError> {
    let id = &record.event.id;
    folder.save(&format!("{FOLDER}/{id}.json"), document.to_json().as_bytes())?;
    let mut games = Vec::new();
    write_games(archive, record, &mut games).expect("writing to memory never fails");
    folder.save(&format!("{FOLDER}/{id}.pgn"), &games)
}

/// Writes the files that events without their own page share, and the index of all events.
pub(super) fn write_shared(archive: &Archive, folder: &Folder) -> Result<(), PublishError> {
    let files = shared_files(archive);
    files.par_iter().try_for_each(|(name, events)| {
        let records = || events.iter().map(|event| &archive.records[*event]);
        let documents = compressed(|file| {
            records().try_for_each(|record| {
                file.write_all(EventDocument::new(record).to_json().as_bytes())
            })
        });
        folder.save(&format!("{FOLDER}/{name}.jsonl.zst"), &documents)?;
        let games =
            compressed(|file| records().try_for_each(|record| write_games(archive, record, file)));
        folder.save(&format!("{FOLDER}/{name}.pgn.zst"), &games)
    })?;
    folder.save(&format!("{FOLDER}/index.csv"), index(archive, &files).as_bytes())
}

/// The files by name without its ending, each with its events in the order of the archive.
fn shared_files(archive: &Archive) -> Vec<(String, Vec<usize>)> {
    let mut years: BTreeMap<Option<i16>, Vec<usize>> = BTreeMap::new();
    for (index, record) in archive.records.iter().enumerate() {
        if !record.has_page {
            years.entry(record.event.start.year()).or_default().push(index);
        }
    }
    let mut files: Vec<(String, Vec<usize>)> = Vec::new();
    for (year, events) in years {
        let year = year.map_or_else(|| "undated".to_owned(), |year| year.to_string());
        let (mut games, mut parts) = (0, 0);
        for event in events {
            if games / GAMES >= parts {
                parts += 1;
                let name = if parts == 1 { year.clone() } else { format!("{year}-{parts}") };
                files.push((name, Vec::new()));
            }
            games += archive.records[event].event.games.len();
            files.last_mut().expect("the first event begins a file").1.push(event);
        }
    }
    files
}

/// The file with the document of each event, as CSV.
fn index(archive: &Archive, files: &[(String, Vec<usize>)]) -> String {
    let mut names: Vec<Option<&str>> = vec![None; archive.records.len()];
    for (name, events) in files {
        for event in events {
            names[*event] = Some(name);
        }
    }
    let mut text = String::from("event_id,file\n");
    for (record, name) in archive.records.iter().zip(names) {
        let id = &record.event.id;
        text.push_str(&match name {
            Some(name) => format!("{id},{name}.jsonl.zst\n"),
            None => format!("{id},{id}.json\n"),
        });
    }
    text
}

/// A file of compressed bytes in memory.
type Compressor = zstd::Encoder<'static, Vec<u8>>;

/// The bytes that `write` writes, compressed.
fn compressed(write: impl FnOnce(&mut Compressor) -> io::Result<()>) -> Vec<u8> {
    const NEVER_FAILS: &str = "compressing to memory never fails";
    let mut file = zstd::Encoder::new(Vec::new(), LEVEL).expect(NEVER_FAILS);
    write(&mut file).expect(NEVER_FAILS);
    file.finish().expect(NEVER_FAILS)
}

/// Writes the games of an event as PGN.
fn write_games(archive: &Archive, record: &EventRecord, file: &mut impl Write) -> io::Result<()> {
    for of_event in &record.event.games {
        let names = [of_event.white, of_event.black]
            .map(|player| &*archive.players.get(record.event.players[player]).name);
        let game = &archive.table.games()[of_event.row];
        let (start, moves) = archive.boards.game(of_event.row).unwrap_or_default();
        let moves: Vec<String> = moves.into_iter().map(|one| one.san).collect();
        let start = start.as_deref();
        let game =
            PgnGame { table: &archive.table, game, names, start, moves: &moves, details: None };
        game.write(file)?;
    }
    Ok(())
}
