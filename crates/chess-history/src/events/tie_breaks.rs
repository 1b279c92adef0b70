//! Finds the rapid and blitz games that decided the level matches of knock-outs.

use std::collections::BTreeSet;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::event::{Event, TIE_BREAK_DAYS, lead_of_first};
use super::recognised::EndEvidence;
use crate::games::{GameTable, SetAside};
use crate::players::{PlayerId, Players};
use crate::tournament::Kind;

/// A game that is set aside because it was faster than its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FasterGame {
    /// Row of the game table.
    pub row: usize,
    /// The reason that reports give for it: rapid or blitz.
    pub reason: SetAside,
}

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

/// Takes level matches with a tie-break as ended: the faster games begin only after all others.
pub(super) fn confirm_level_matches(
    events: &mut [Event],
    faster: &[FasterGame],
    table: &GameTable,
    players: &Players,
) {
    let mut days_of: FxHashMap<(PlayerId, PlayerId), Vec<Date>> = FxHashMap::default();
    for game in faster.iter().map(|game| &table.games()[game.row]) {
        let persons = players.of_name(game.white).zip(players.of_name(game.black));
        if let (Some((white, black)), Some(day)) = (persons, game.date.day_exact()) {
            days_of.entry(sorted_pair(white, black)).or_default().push(day);
        }
    }
    for event in events.iter_mut().filter(|event| event.kind == Kind::Match) {
        let ([one, other], Some(end)) = (&event.players[..], event.end.day_exact()) else {
            continue;
        };
        let days = days_of.get(&sorted_pair(*one, *other)).into_iter().flatten();
        let mut days_after = days.map(|day| (*day - end).get_days());
        let follow = days_after.any(|days| (0..=TIE_BREAK_DAYS).contains(&days));
        let is_level = lead_of_first(table, &event.games) == 0.0;
        let is_open = event.recognised.end != EndEvidence::Unknown;
        if follow && is_level && is_open && event.recognised.missing.is_empty() {
            event.recognised.end = EndEvidence::Shown;
        }
    }
}

fn sorted_pair(one: PlayerId, other: PlayerId) -> (PlayerId, PlayerId) {
    (one.min(other), one.max(other))
}
