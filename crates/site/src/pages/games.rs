//! The board: a page to play through the games of an event, and the files that it reads.

use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::figures::spoken;
use crate::script::json;
use archive::EventRecord;

/// One game: number in the event, players, result, date, round, initial position (FEN) if it is not
/// the usual one, and half-moves in SAN and in UCI notation: `e4 e2e4 e5 e7e5`.
#[derive(Debug, Serialize)]
struct GameMoves(usize, String, String, &'static str, String, String, Option<String>, String);

/// The page of the board. Its address names the event and the game after the `#`:
/// `vienna-1898,12`.
pub fn board(site: &Site, page: &Page) -> impl Serialize {
    view!(frame = page.frame(site, "Play through the games of the collection, move by move."))
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

/// The file of an event's games; `None` if no game has moves.
pub fn games_file(site: &Site, record: &EventRecord) -> Option<String> {
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
    (!games.is_empty()).then(|| {
        let text = json(&view!(name = &record.event.name, games));
        format!("greatnessGames({}, {text});\n", json(&record.event.id))
    })
}
