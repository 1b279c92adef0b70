//! The board: a page to play through the games of an event, and the files that it reads.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::addresses::of_event as address_of;
use crate::errors::PublishError;
use crate::event_files::{event_files, first_events};
use crate::figures::spoken;
use crate::folder::Folder;
use crate::script::json;
use archive::EventRecord;

/// One game: number in the event, players, result, date, round, initial position (FEN) if it is not
/// the usual one, and half-moves in SAN and in UCI notation: `e4 e2e4 e5 e7e5`.
#[derive(Debug, Serialize)]
struct GameMoves(usize, String, String, &'static str, String, String, Option<String>, String);

/// The page of the board. Its address names the event and the game after the `#`:
/// `vienna-1898,12`.
pub fn board(site: &Site, page: &Page) -> impl Serialize {
    view!(
        frame = page.frame(site, "Play through the games of the collection, move by move."),
        // The first event of each data file.
        first_events = first_events(site.archive, &files(site))
    )
}

/// The folder of the data files, relative to the archive's folder.
const FOLDER: &str = "games";

/// Approximate bytes of a game. Judged: some eighty half-moves of eight bytes.
const OF_GAME: usize = 700;

/// The events of each data file, as indexes of their records.
fn files(site: &Site) -> Vec<Vec<usize>> {
    event_files(site.archive, |event| {
        let games = &site.archive.records[event].event.games;
        let known = games.iter().filter(|game| site.archive.boards.has(game.row)).count();
        (known > 0).then_some(known * OF_GAME)
    })
}

/// Writes the data files: each is one call `greatnessGames({...})` with the games of its events.
pub fn write_games(site: &Site, folder: &Folder) -> Result<(), PublishError> {
    files(site).par_iter().enumerate().try_for_each(|(number, events)| {
        let records = events.iter().map(|event| &site.archive.records[*event]);
        let games: BTreeMap<&str, _> =
            records.map(|record| (record.event.id.as_str(), games_of(site, record))).collect();
        let text = format!("greatnessGames({});\n", json(&games));
        folder.save(&format!("{FOLDER}/{number}.js"), text.as_bytes())
    })
}

/// The address of a game on the board; `None` if its moves are unknown.
pub(super) fn at(site: &Site, record: &EventRecord, game: usize) -> Option<String> {
    let row = record.event.games.get(game)?.row;
    site.archive.boards.has(row).then(|| format!("games.html#{},{}", record.event.id, game + 1))
}

/// The board at the first game of an event that has moves.
pub(super) fn of_event(site: &Site, record: &EventRecord) -> Option<Link> {
    let href = (0..record.event.games.len()).find_map(|game| at(site, record, game))?;
    Some(Link { href, text: "play through the games".into() })
}

/// The games of an event that have moves.
fn games_of(site: &Site, record: &EventRecord) -> impl Serialize {
    let archive = site.archive;
    let games: Vec<GameMoves> = record
        .event
        .games
        .iter()
        .enumerate()
        .filter_map(|(place, of_event)| {
            let (start, moves) = archive.boards.game(of_event.row)?;
            let game = &archive.table.games()[of_event.row];
            let [white, black] = [of_event.white, of_event.black]
                .map(|player| spoken(&archive.players.get(record.event.players[player]).name));
            let words = moves.iter().map(|one| format!("{} {}", one.san, one.squares));
            Some(GameMoves(
                place + 1,
                white,
                black,
                game.result.pgn(),
                game.date.in_words().unwrap_or_default(),
                if game.round.is_known() { game.round.to_string() } else { String::new() },
                start,
                words.collect::<Vec<_>>().join(" "),
            ))
        })
        .collect();
    view!(name = record.event.name.clone(), page = address_of(record), games)
}
