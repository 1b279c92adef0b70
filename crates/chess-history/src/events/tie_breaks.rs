//! Finds the rapid and blitz games that decided the level matches of knock-outs.

use std::collections::BTreeSet;

use super::detection::FasterGame;
use super::event::{Event, TIE_BREAK_DAYS};
use crate::games::GameTable;
use crate::players::{PlayerId, Players};
use crate::tournament::Kind;

/// Returns the tie-breaks of a knock-out among games that were set aside as faster than their
/// event: rows of the game table, in playing order.
///
/// Two players of a tie-break met in the knock-out, and on the days of it. The list is empty for
/// other kinds of events.
pub fn tie_breaks(
    event: &Event,
    faster: &[FasterGame],
    table: &GameTable,
    players: &Players,
) -> Vec<usize> {
    let days = event.start.day_exact().zip(event.end.day_exact());
    let Some((start, end)) = days.filter(|_| event.kind == Kind::KnockOut) else {
        return Vec::new();
    };
    let met: BTreeSet<_> = event
        .games
        .iter()
        .map(|game| sorted_pair(event.players[game.white], event.players[game.black]))
        .collect();
    let mut found: Vec<usize> = faster
        .iter()
        .map(|game| game.row)
        .filter(|&row| {
            let game = &table.games()[row];
            let is_of_days = game
                .date
                .day_exact()
                .is_some_and(|day| day >= start && (day - end).get_days() <= TIE_BREAK_DAYS);
            let persons = players.of_name(game.white).zip(players.of_name(game.black));
            is_of_days
                && persons.is_some_and(|(white, black)| met.contains(&sorted_pair(white, black)))
        })
        .collect();
    found.sort_unstable_by_key(|&row| {
        let game = &table.games()[row];
        (game.date.day_exact(), game.round, row)
    });
    found
}

fn sorted_pair(one: PlayerId, other: PlayerId) -> (PlayerId, PlayerId) {
    (one.min(other), one.max(other))
}
