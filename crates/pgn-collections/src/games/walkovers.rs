//! Finds games that were not played because a player had withdrawn or did not come.
//!
//! Collections enter points by forfeit against a withdrawn player as results without moves, or with
//! a move or two as a placeholder. They enter games whose moves are lost in the same form. A
//! withdrawn player has moves up to some round and none from there on, and lost all games without
//! moves. The other players of the event have moves.
//!
//! Boards that are connected to a computer record the first move of a player whose opponent does
//! not come. Such a game has one half-move and a winner.

use rustc_hash::FxHashMap;

use super::game::{GameFlags, REAL_MOVES};
use super::names::NameId;
use super::result::GameResult;
use super::table::GameTable;

/// Fewest games without moves that show that a player had withdrawn. Judged: one or two lost scores
/// in a row are common in old events.
const FEWEST_UNPLAYED: usize = 3;

/// Of an event's other games, at most one in this many may lack its moves. Judged: with more, the
/// source lacks scores anyway, and a game without moves proves nothing.
const LOST_SCORES: usize = 20;

/// The first year in which one half-move shows that the opponent did not come. Judged: earlier
/// collections use a first move as a placeholder for a lost score, and tournaments with connected
/// boards were rare.
const NO_SHOWS_FROM: i16 = 2000;

/// At most one game of an event in this many is a no-show. Judged: with more, the source rather
/// lacks the moves. In a small event one player who does not come at all is near this share.
const NO_SHOWS: usize = 4;

/// A game of an event from the side of one player.
#[derive(Clone, Copy)]
struct PlayerGame {
    round: Option<u16>,
    row: usize,
    has_moves: bool,
    is_lost: bool,
}

/// Marks the games of withdrawn players and of players who did not come as not played, and returns
/// their number.
///
/// An event here is what one source has under one Event tag, one Site tag and one year. A player is
/// a spelling, because one file spells a name in one way.
pub fn mark_walkovers(table: &mut GameTable) -> usize {
    let games = table.games();
    // A table of results states itself which games were forfeited.
    let mut rows: Vec<usize> = (0..table.len())
        .filter(|row| !games[*row].flags.contains(GameFlags::RESULT_ONLY))
        .collect();
    rows.sort_by_key(|row| (event_key(table, *row), *row));
    let mut found: Vec<usize> = Vec::new();
    for event in rows.chunk_by(|a, b| event_key(table, *a) == event_key(table, *b)) {
        if event.iter().filter(|row| games[**row].plies < REAL_MOVES).count() >= FEWEST_UNPLAYED {
            found.extend(of_event(table, event));
        }
        found.extend(no_shows(table, event));
    }
    found.sort_unstable();
    found.dedup();
    for row in &found {
        table.games_mut()[*row].flags.insert(GameFlags::UNPLAYED);
    }
    found.len()
}

/// What the games of one event share: source, Event tag, Site tag and year.
fn event_key(table: &GameTable, row: usize) -> (u32, NameId, NameId, Option<i16>) {
    let game = &table.games()[row];
    (table.sources().of_game(game), game.event, game.site, game.date.year())
}

/// Returns the rows of the games of an event whose loser did not come.
///
/// FIDE does not rate games in which both players have not made a move.
fn no_shows(table: &GameTable, rows: &[usize]) -> Vec<usize> {
    let games = table.games();
    let is_late = games[rows[0]].date.year().is_some_and(|year| year >= NO_SHOWS_FROM);
    let has_winner =
        |row: usize| matches!(games[row].result, GameResult::White | GameResult::Black);
    let found: Vec<usize> =
        rows.iter().copied().filter(|row| games[*row].plies == 1 && has_winner(*row)).collect();
    let with_moves = rows.iter().filter(|row| games[**row].plies >= REAL_MOVES).count();
    if is_late && with_moves >= found.len() * (NO_SHOWS - 1) { found } else { Vec::new() }
}

/// Returns the rows of the games of withdrawn players in an event.
fn of_event(table: &GameTable, rows: &[usize]) -> Vec<usize> {
    let mut of_player: FxHashMap<_, Vec<PlayerGame>> = FxHashMap::default();
    for &row in rows {
        let game = &table.games()[row];
        let round = game.round.number();
        let sides = [(game.white, GameResult::Black), (game.black, GameResult::White)];
        for (player, lost) in sides {
            let (has_moves, is_lost) = (game.plies >= REAL_MOVES, game.result == lost);
            of_player.entry(player).or_default().push(PlayerGame {
                round,
                row,
                has_moves,
                is_lost,
            });
        }
    }
    let mut found: Vec<usize> = of_player.into_values().flat_map(after_withdrawal).collect();
    found.sort_unstable();
    found.dedup();
    let lost_scores =
        rows.iter().filter(|row| table.games()[**row].plies < REAL_MOVES).count() - found.len();
    if lost_scores * LOST_SCORES > rows.len() - found.len() { Vec::new() } else { found }
}

/// Returns the rows of a player's games after the withdrawal, or nothing if there was none.
///
/// From that round on no game has moves, and all are lost. One may be won, because one of two
/// withdrawn players got the point of their game. If a game without moves has no round, as replays
/// have none, the order of the games is unknown and nothing is returned.
fn after_withdrawal(mut games: Vec<PlayerGame>) -> Vec<usize> {
    if games.iter().any(|game| game.round.is_none() && !game.has_moves) {
        return Vec::new();
    }
    games.sort_by_key(|game| (game.round, game.row));
    let Some(last) = games.iter().rposition(|game| game.has_moves) else { return Vec::new() };
    let (before, after) = games.split_at(last + 1);
    let not_lost = after.iter().filter(|game| !game.is_lost).count();
    let has_withdrawn =
        after.len() >= FEWEST_UNPLAYED && not_lost <= 1 && before.iter().all(|game| game.has_moves);
    if has_withdrawn { after.iter().map(|game| game.row).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, PartialDate, Round};

    /// A double round robin of four players. From a round on, the last player has no moves.
    fn event(left_in: u16, result: GameResult, with_moves: u16) -> GameTable {
        let mut table = GameTable::default();
        table.members.push("file".into());
        let names: Vec<_> =
            (0..4).map(|name| table.names.intern(&format!("player {name}"))).collect();
        let tag = table.names.intern("tournament");
        let rounds = [[(0, 3), (1, 2)], [(1, 3), (0, 2)], [(2, 3), (0, 1)]];
        for (round, pairs) in (1..).zip(rounds.iter().chain(&rounds)) {
            for &(white, black) in pairs {
                let left = black == 3 && round >= left_in;
                table.push(Game {
                    event: tag,
                    white: names[white],
                    black: names[black],
                    round: Round::of_number(round),
                    plies: if left { 1 } else { with_moves },
                    result: if left { result } else { GameResult::Draw },
                    ..Game::default()
                });
            }
        }
        table
    }

    #[test]
    fn a_player_who_loses_without_moves_from_a_round_on_had_withdrawn() {
        let mut table = event(4, GameResult::White, 80);
        assert_eq!(mark_walkovers(&mut table), 3);
        let unplayed = table.games().iter().filter(|game| game.flags.contains(GameFlags::UNPLAYED));
        assert!(unplayed.clone().all(|game| game.round.number() >= Some(4)));
        assert_eq!(unplayed.count(), 3);
    }

    /// Games of one event: the year, then how many half-moves each has and its result.
    fn no_shows_among(year: u16, games: &[(u16, GameResult)]) -> usize {
        let mut table = GameTable::default();
        table.members.push("file".into());
        let names = ["white", "black"].map(|name| table.names.intern(name));
        for &(plies, result) in games {
            let date = PartialDate::of_year(year);
            let [white, black] = names;
            table.push(Game { white, black, date, plies, result, ..Game::default() });
        }
        mark_walkovers(&mut table)
    }

    #[test]
    fn one_half_move_and_a_winner_are_a_no_show() {
        let (win, draw, long) = (GameResult::Black, GameResult::Draw, 60);
        let played = [(long, draw); 3];
        let with = |games: &[(u16, GameResult)]| [&played[..], games].concat();
        assert_eq!(no_shows_among(2024, &with(&[(1, win)])), 1);
        // Draws, games without any move, and old collections have placeholders for lost scores.
        assert_eq!(no_shows_among(2024, &with(&[(1, draw)])), 0);
        assert_eq!(no_shows_among(2024, &with(&[(0, win)])), 0);
        assert_eq!(no_shows_among(2024, &with(&[(2, win)])), 0);
        assert_eq!(no_shows_among(1921, &with(&[(1, win)])), 0);
        // Where many games have one half-move, the source lacks the others.
        assert_eq!(no_shows_among(2024, &with(&[(1, win), (1, win)])), 0);
    }

    #[test]
    fn lost_moves_are_not_walkovers() {
        // Two games do not suffice, and drawn games were played. If no game has moves, the games
        // cannot be distinguished.
        assert_eq!(mark_walkovers(&mut event(5, GameResult::White, 80)), 0);
        assert_eq!(mark_walkovers(&mut event(4, GameResult::Draw, 80)), 0);
        assert_eq!(mark_walkovers(&mut event(4, GameResult::White, 0)), 0);
    }
}
