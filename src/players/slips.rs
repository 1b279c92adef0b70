//! What events say of names that may be slips of the pen for others'.
//!
//! A source that has a wrong letter in one game has the right ones in the others of the same event, so that the
//! two names are in one table: with the same game, where the event is there twice, or with games that complete
//! each other. Two persons in one table have games in the same rounds, and results of their own against the same
//! opponents.

use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::Evidence;
use super::spellings::NameIndex;
use crate::games::{Game, GameResult, GameTable};

/// An event as its tags name it: the event, the place, the year.
type Place = (usize, usize, i16);

/// A game of one player.
#[derive(Clone, Copy, Debug)]
struct Seat {
    place: Place,
    round: Option<u16>,
    /// The group of the opponent.
    opponent: usize,
    is_white: bool,
    result: GameResult,
}

impl Seat {
    /// Whether two seats are those of one game.
    fn is_same(&self, other: &Seat) -> bool {
        self.opponent == other.opponent
            && self.is_white == other.is_white
            && self.result == other.result
    }

    /// Whether nobody can have both; `is_open` tells of groups that may be another.
    fn contradicts(&self, other: &Seat, is_open: impl Fn(usize) -> bool) -> bool {
        match self.round.zip(other.round) {
            Some((one, two)) if one != two => false,
            Some(_) if self.opponent != other.opponent => {
                !is_open(self.opponent) && !is_open(other.opponent)
            }
            Some(_) => !self.is_same(other),
            // Twice with the same colour, and with two results.
            None => {
                self.opponent == other.opponent
                    && self.is_white == other.is_white
                    && self.result != other.result
            }
        }
    }
}

/// What the events in which both of a pair of groups play say for and against their being one: of each pair the
/// first is the one that may be a slip.
pub(super) fn in_shared_events(
    table: &GameTable,
    of: &NameIndex,
    homes: &[usize],
    pairs: &FxHashSet<(usize, usize)>,
) -> FxHashMap<(usize, usize), Evidence> {
    let slips: FxHashSet<usize> = pairs.iter().map(|(slip, _)| *slip).collect();
    let known: FxHashSet<usize> = pairs.iter().map(|(_, known)| *known).collect();
    let of_slips = seats(table, of, homes, |home, _| slips.contains(&home));
    let places: FxHashSet<Place> = of_slips.values().flatten().map(|seat| seat.place).collect();
    let of_known =
        seats(table, of, homes, |home, place| known.contains(&home) && places.contains(&place));
    let is_open = |group: usize| slips.contains(&group);
    let mut found = FxHashMap::default();
    for &(slip, known) in pairs {
        let (Some(mine), Some(theirs)) = (of_slips.get(&slip), of_known.get(&known)) else {
            continue;
        };
        let mut evidence = Evidence::default();
        for seat in mine {
            let others = || theirs.iter().filter(|other| other.place == seat.place);
            evidence.completes += usize::from(others().next().is_some());
            evidence.games += usize::from(others().any(|other| seat.is_same(other)));
            evidence.contradictions +=
                usize::from(others().any(|other| seat.contradicts(other, is_open)));
        }
        found.insert((slip, known), evidence);
    }
    found
}

/// The games of some groups in some events.
fn seats(
    table: &GameTable,
    of: &NameIndex,
    homes: &[usize],
    is_wanted: impl Fn(usize, Place) -> bool,
) -> FxHashMap<usize, Vec<Seat>> {
    let mut seats: FxHashMap<usize, Vec<Seat>> = FxHashMap::default();
    for game in table.games() {
        let (Some(white), Some(black)) = (of.get(game.white), of.get(game.black)) else { continue };
        let place = place(game);
        let both = [(homes[white], homes[black], true), (homes[black], homes[white], false)];
        for (home, opponent, is_white) in both {
            if is_wanted(home, place) {
                let (round, result) = (game.round.number(), game.result);
                let seat = Seat { place, round, opponent, is_white, result };
                seats.entry(home).or_default().push(seat);
            }
        }
    }
    seats
}

fn place(game: &Game) -> Place {
    (game.event.index(), game.site.index(), game.date.year().unwrap_or(i16::MIN))
}
