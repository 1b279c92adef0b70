//! Collects the turns of events' games by reading the collections once more for the moves.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use shakmaty::uci::UciMove;

use super::analysis::Job;
use super::turns::{PositionKey, Turn, turns};
use crate::events::Event;
use crate::games::{GameTable, NameId};
use crate::pgn::{ReadOptions, for_each_game, replay};
use crate::players::Players;

/// A game of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOfEvent {
    /// Identifier of the event.
    pub event: Arc<str>,
    /// Identifier of White.
    pub white: Arc<str>,
    /// Identifier of Black.
    pub black: Arc<str>,
    /// Number of the game, from 1, among the event's games with these players and colours.
    pub number: u16,
    /// Row in the game table.
    pub row: usize,
}

/// Lists the analysed games of events, event by event.
pub fn games_of(events: &[&Event], players: &Players) -> Vec<GameOfEvent> {
    let mut games = Vec::new();
    for event in events {
        let id: Arc<str> = event.id.as_str().into();
        let ids: Vec<Arc<str>> =
            event.players.iter().map(|player| players.get(*player).id.as_str().into()).collect();
        let mut numbers: FxHashMap<(usize, usize), u16> = FxHashMap::default();
        for game in event.games.iter().filter(|game| game.played && game.analysed) {
            let number = numbers.entry((game.white, game.black)).or_default();
            *number = number.saturating_add(1);
            games.push(GameOfEvent {
                event: Arc::clone(&id),
                white: Arc::clone(&ids[game.white]),
                black: Arc::clone(&ids[game.black]),
                number: *number,
                row: game.row,
            });
        }
    }
    games
}

/// Lists games by their rows, whether or not they are in an event. A game of an event has the
/// event's identifier and its number there. The event of the other games is empty. Games that an
/// event does not count, such as forfeits, are left out.
pub fn games_of_rows(
    rows: &[usize],
    events: &[Event],
    table: &GameTable,
    players: &Players,
) -> Vec<GameOfEvent> {
    // A match of a cycle or a knock-out repeats games of that event.
    let whole: Vec<&Event> = events.iter().filter(|event| event.part_of.is_none()).collect();
    let held: FxHashSet<usize> =
        whole.iter().flat_map(|event| &event.games).map(|game| game.row).collect();
    let mut counted: FxHashMap<usize, GameOfEvent> =
        games_of(&whole, players).into_iter().map(|game| (game.row, game)).collect();
    let none: Arc<str> = "".into();
    let mut ids: FxHashMap<NameId, Option<Arc<str>>> = FxHashMap::default();
    let mut numbers: FxHashMap<(Arc<str>, Arc<str>), u16> = FxHashMap::default();
    let mut games = Vec::with_capacity(rows.len());
    for &row in rows {
        if held.contains(&row) {
            games.extend(counted.remove(&row));
            continue;
        }
        let game = &table.games()[row];
        let [white, black] = [game.white, game.black].map(|name| {
            ids.entry(name)
                .or_insert_with(|| {
                    players.of_name(name).map(|player| players.get(player).id.as_str().into())
                })
                .clone()
        });
        let (Some(white), Some(black)) = (white, black) else { continue };
        let number = numbers.entry((Arc::clone(&white), Arc::clone(&black))).or_default();
        *number = number.saturating_add(1);
        games.push(GameOfEvent { event: Arc::clone(&none), white, black, number: *number, row });
    }
    games
}

/// A game with its turns.
#[derive(Clone, Debug)]
pub struct GameTurns {
    /// The game whose turns these are.
    pub game: GameOfEvent,
    /// The year; `None` if it is unknown.
    pub year: Option<i16>,
    /// Fingerprint of the moves; see [`Game::fingerprint`](crate::games::Game::fingerprint).
    pub fingerprint: u64,
    /// The turns, in the order of the moves.
    pub turns: Vec<Turn>,
    /// Number of half-moves from the first illegal one on.
    pub illegal: usize,
}

/// Collects the turns of games, in the order of the games. Games whose moves are not found are left
/// out.
pub fn collect(
    games: &[GameOfEvent],
    table: &GameTable,
    files: &[PathBuf],
    options: ReadOptions,
    first_move: u32,
) -> Vec<GameTurns> {
    // The position in its file and the fingerprint identify a game.
    let mut places: FxHashMap<(&str, u32, u64), Vec<usize>> = FxHashMap::default();
    for (place, wanted) in games.iter().enumerate() {
        let game = &table.games()[wanted.row];
        let key = (&**table.member_of(game), game.line, game.fingerprint);
        places.entry(key).or_default().push(place);
    }
    let mut found: Vec<Option<GameTurns>> = vec![None; games.len()];
    for_each_game(files, options, &mut |member, game, text| {
        let Some(wanted) = places.get(&(member, game.line, game.fingerprint)) else { return };
        let (turns, illegal) = turns(&replay(text), first_move);
        if turns.is_empty() && illegal == 0 {
            return;
        }
        for &place in wanted {
            found[place] = Some(GameTurns {
                game: games[place].clone(),
                year: table.games()[games[place].row].date.year(),
                fingerprint: game.fingerprint,
                turns: turns.clone(),
                illegal,
            });
        }
    });
    found.into_iter().flatten().collect()
}

/// Makes the jobs for the engines: each position once, at its first occurrence, with all moves that
/// were played in it.
pub fn jobs(games: &[GameTurns]) -> Vec<Job> {
    let mut places: FxHashMap<PositionKey, usize> = FxHashMap::default();
    let mut jobs: Vec<Job> = Vec::new();
    for turn in games.iter().flat_map(|game| &game.turns).filter(|turn| turn.left_out.is_none()) {
        let place = *places.entry(turn.position).or_insert_with(|| {
            jobs.push(Job { position: turn.position, played: Vec::<UciMove>::new() });
            jobs.len() - 1
        });
        if let Some(played) = turn.played
            && !jobs[place].played.contains(&played)
        {
            jobs[place].played.push(played);
        }
    }
    jobs
}
