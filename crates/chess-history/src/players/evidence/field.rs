//! Compares the games of two spellings in one event.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::partners::Partners;
use super::seat::{OpponentClass, Seat, equal_games};
use crate::players::cluster::OpponentClasses;

/// An event, as far as its games compare two players.
struct Field<'a> {
    seats: &'a [Seat],
    /// The games of each spelling.
    players: FxHashMap<u32, &'a [Seat]>,
    classes: &'a OpponentClasses,
    /// The number of different rounds.
    rounds: usize,
    meetings: OnceCell<Meetings>,
    /// The number of games of each spelling, in order.
    counts: Vec<usize>,
}

/// Who met in an event, by the sounds of the surnames.
struct Meetings {
    pairs: FxHashSet<(OpponentClass, OpponentClass)>,
    /// The number of players, by which those with few games hardly count.
    players: usize,
    /// Whether several pairs met with either colour, so that the event has a second cycle.
    has_second_cycle: bool,
}

/// The number of pairs who met with either colour from which an event has a second cycle.
///
/// The same as for complete events (`events`): none of 638 single round robins has three.
const PAIRS_OF_SECOND_CYCLE: usize = 3;

impl<'a> Field<'a> {
    fn new(seats: &'a [Seat], classes: &'a OpponentClasses) -> Field<'a> {
        let mut rounds: Vec<u16> =
            seats.iter().map(|seat| seat.round).filter(|round| *round > 0).collect();
        rounds.sort_unstable();
        rounds.dedup();
        let players: FxHashMap<u32, &[Seat]> = seats
            .chunk_by(|a, b| a.spelling == b.spelling)
            .map(|games| (games[0].spelling, games))
            .collect();
        let mut counts: Vec<usize> = players.values().map(|games| games.len()).collect();
        counts.sort_unstable();
        let (rounds, meetings) = (rounds.len(), OnceCell::new());
        Field { seats, players, classes, rounds, meetings, counts }
    }

    fn meetings(&self) -> &Meetings {
        self.meetings.get_or_init(|| {
            let mut with_colours = FxHashSet::default();
            let mut games: FxHashMap<OpponentClass, f64> = FxHashMap::default();
            for seat in self.seats {
                let player = self.classes.surnames[seat.spelling as usize];
                *games.entry(player).or_default() += 1.0;
                with_colours.insert((player, seat.opponent, seat.is_black));
            }
            let twice = with_colours.iter().filter(|(player, opponent, is_black)| {
                player < opponent && !is_black && with_colours.contains(&(*player, *opponent, true))
            });
            let has_second_cycle = twice.count() >= PAIRS_OF_SECOND_CYCLE;
            let all: f64 = games.values().sum();
            let squares: f64 = games.values().map(|games| games * games).sum();
            Meetings {
                pairs: with_colours.into_iter().map(|(one, other, _)| (one, other)).collect(),
                players: (all * all / squares).round() as usize,
                has_second_cycle,
            }
        })
    }

    /// Returns the part of the pairs of two lists of opponents who met.
    ///
    /// In a round robin every two players have the same opponents, who all meet. In two groups, or
    /// far from each other in a Swiss tournament, they have not, and their opponents hardly meet.
    fn part_that_met(&self, one: &[OpponentClass], other: &[OpponentClass]) -> f64 {
        let meetings = self.meetings();
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b)));
        let met = pairs.filter(|pair| meetings.pairs.contains(pair)).count();
        // Half a pair that did not meet is added, because a few pairs may all have met by chance.
        met as f64 / ((one.len() * other.len()) as f64 + 0.5)
    }

    /// Returns minus log2 of the part of all games that players with at most so many games have.
    fn rarity_of_few_games(&self, games: usize) -> f64 {
        let up_to = self.counts.partition_point(|count| *count <= games);
        let part = self.counts[..up_to].iter().sum::<usize>() as f64;
        -(part / self.seats.len() as f64).log2()
    }
}

/// Returns what each pair of candidates in an event has there.
pub(super) fn compare_in_event(
    event: &[Seat],
    classes: &OpponentClasses,
    partners: &Partners,
) -> Vec<(usize, RowsCompared)> {
    let field = Field::new(event, classes);
    let mut found = Vec::new();
    for (&player, mine) in &field.players {
        for &(other, pair) in partners.of(player) {
            if other < player {
                continue;
            }
            let Some(theirs) = field.players.get(&other) else { continue };
            found.push((pair as usize, compare_rows(mine, theirs, &field)));
        }
    }
    found.sort_unstable_by_key(|one| one.0);
    found
}

/// What the games of a spelling and of another say in an event of the first.
#[derive(Clone, Copy, Debug)]
pub(in crate::players) struct EventSeats {
    pub spelling: u32,
    pub event: u32,
    pub other: u32,
    pub rows: RowsCompared,
}

/// What the games of two spellings say in an event.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::players) struct RowsCompared {
    /// The rounds in which they have different opponents.
    pub conflicts: u32,
    /// As in all events together (`SharedSeats`).
    pub complement: f64,
    /// The games that both have, less those in which they differ against one opponent.
    pub equal_games: i32,
    /// The number of events in which one of them has at most [`FEW_GAMES`], and nothing else says
    /// that they are two players.
    pub few_games: u32,
}

impl RowsCompared {
    pub fn add(&mut self, other: &RowsCompared) {
        self.conflicts += other.conflicts;
        self.complement += other.complement;
        self.equal_games += other.equal_games;
        self.few_games += other.few_games;
    }
}

/// Compares the games of some spellings in an event with those of their partners.
///
/// A spelling that met a player of that name there is no second name of a player.
pub(super) fn compare_some_in_event(
    event: &[Seat],
    classes: &OpponentClasses,
    partners: &Partners,
    wanted: &FxHashSet<u32>,
) -> Vec<EventSeats> {
    let field = Field::new(event, classes);
    let mut found = Vec::new();
    let of_wanted = field.players.iter().filter(|(spelling, _)| wanted.contains(spelling));
    for (&spelling, mine) in of_wanted {
        let own = classes.with_initials[spelling as usize];
        if mine.iter().any(|seat| seat.opponent_with_initial == own) {
            continue;
        }
        for &(other, _) in partners.of(spelling) {
            let Some(theirs) = field.players.get(&other) else { continue };
            let rows = compare_rows(mine, theirs, &field);
            found.push(EventSeats { spelling, event: mine[0].event, other, rows });
        }
    }
    found
}

/// Compares the games of two spellings in an event.
fn compare_rows(mine: &[Seat], theirs: &[Seat], field: &Field) -> RowsCompared {
    let mut found = RowsCompared::default();
    let are_known = mine.iter().chain(theirs).all(|seat| seat.round > 0);
    found.conflicts = conflicts(mine, theirs, are_known);
    if found.conflicts > 0 {
        return found;
    }
    let first = mine[0].opponent;
    let is_match = mine.iter().chain(theirs).all(|seat| seat.opponent == first);
    if is_match && mine.len() + theirs.len() >= GAMES_OF_MATCH {
        found.complement = MOST_COMPLEMENT;
        return found;
    }
    let has_second_cycle = field.meetings().has_second_cycle;
    let shares_opponent = mine.iter().any(|seat| {
        theirs.iter().any(|other| {
            other.opponent_with_initial == seat.opponent_with_initial
                && (!has_second_cycle || other.is_black == seat.is_black)
        })
    });
    if shares_opponent {
        // In different rounds, both met one opponent. Without rounds, the games may be copies.
        let rounds = [mine, theirs].map(|seats| different(seats, |seat| seat.round));
        if !are_known {
            found.equal_games = equal_games(mine, theirs);
        } else if !rounds[0].iter().any(|round| rounds[1].contains(round)) {
            found.complement = -2.0;
        }
        return found;
    }
    found.complement = complement(mine, theirs, field, are_known);
    found.few_games = u32::from(mine.len().min(theirs.len()) <= FEW_GAMES);
    found
}

/// Returns minus log2 of the chance that another player has just games that one lacks, of two
/// spellings without an opponent in common.
fn complement(mine: &[Seat], theirs: &[Seat], field: &Field, are_rounds_known: bool) -> f64 {
    let [one, other] = [mine, theirs].map(|seats| different(seats, |seat| seat.opponent));
    let part_that_met = field.part_that_met(&one, &other);
    let free = if are_rounds_known {
        let [one, other] = [mine, theirs].map(|seats| different(seats, |seat| seat.round));
        if one.iter().any(|round| other.contains(round)) {
            return 0.0;
        }
        free_places(one.len(), other.len(), field.rounds)
    } else {
        let [a, b] = [mine, theirs].map(|games| field.classes.surnames[games[0].spelling as usize]);
        let others = field.meetings().players.saturating_sub(if a == b { 1 } else { 2 });
        // The chance that another player met none of the opponents of one.
        let no_meeting = -(1.0 - part_that_met).log2() * one.len().min(other.len()) as f64;
        let cycles = if field.meetings().has_second_cycle { 2 } else { 1 };
        free_places(mine.len(), theirs.len(), cycles * others).min(no_meeting)
    };
    let few_games = field.rarity_of_few_games(mine.len().min(theirs.len()));
    (free + part_that_met * few_games).min(MOST_COMPLEMENT)
}

/// Returns the number of rounds in which two spellings have different opponents, or of days if the
/// rounds are not known.
fn conflicts(mine: &[Seat], theirs: &[Seat], are_rounds_known: bool) -> u32 {
    let mut conflicts = 0;
    for seat in theirs {
        let mut at_once = mine.iter().filter(|other| {
            if are_rounds_known {
                other.round == seat.round
            } else {
                seat.day > 0 && other.day == seat.day
            }
        });
        if at_once.clone().next().is_some() && at_once.all(|other| other.opponent != seat.opponent)
        {
            conflicts += 1;
        }
    }
    conflicts
}

/// Returns the different values of seats.
fn different<T: Ord>(seats: &[Seat], value: impl Fn(&Seat) -> T) -> Vec<T> {
    let mut values: Vec<T> = seats.iter().map(value).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns minus log2 of the chance that the places (rounds or opponents) of one player are among
/// those that another lacks.
fn free_places(one: usize, other: usize, all: usize) -> f64 {
    if one + other > all {
        return 0.0;
    }
    let mut bits = 0.0;
    for place in 0..other {
        let (free, all) = (all - one - place, all - place);
        bits -= (free as f64 / all as f64).log2();
    }
    bits.min(MOST_COMPLEMENT)
}

/// The greatest weight (bits) of the free rounds of an event, and that of a match.
///
/// Fitted in the prototype: of players with so free a row, one in a few hundred is another.
const MOST_COMPLEMENT: f64 = 8.0;

/// The most games of an event under a misspelt name.
///
/// Judged: errors of single games. A player of another name has as many games as the others.
const FEW_GAMES: usize = 2;

/// The number of games against one opponent that are a match.
///
/// Judged: two namesakes rarely meet one opponent four times in an event. With eight, short matches
/// would be missed.
const GAMES_OF_MATCH: usize = 4;
