//! Finds the members of a collection that are parts of one source.
//!
//! Large collections are split into several files, often in the middle of an event. A member that
//! begins within the event in which another ends continues that member. Both then count as one
//! file: they spell a name in one way, and do not contain a game twice.

use rustc_hash::FxHashMap;

use super::game::Game;
use super::names::NameId;
use super::round::Round;

/// The source of each member. A member that continues no other is a separate source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(Vec<u32>);

impl Sources {
    /// Returns the number of a game's source, which is the number of the source's first member.
    ///
    /// The number is meaningful only among the games of one table.
    pub fn of_game(&self, game: &Game) -> u32 {
        self.0.get(game.member as usize).copied().unwrap_or(game.member)
    }
}

/// An order of members in which each follows the member that it continues, if there is exactly one
/// such member.
pub(super) struct MemberOrder {
    /// The members in their order.
    pub members: Vec<usize>,
    /// The sources, by place in the order.
    pub sources: Sources,
}

impl MemberOrder {
    /// Orders members.
    ///
    /// `preferred` is the order of members that do not continue each other. The games of each
    /// member must be in their order within the member.
    pub fn new(preferred: &[usize], games: &[Game]) -> MemberOrder {
        let next = continuations(preferred.len(), games);
        let mut before = vec![None; next.len()];
        for (member, next) in next.iter().enumerate() {
            if let Some(next) = next {
                before[*next] = Some(member);
            }
        }
        let mut is_placed = vec![false; next.len()];
        let mut order = MemberOrder { members: Vec::new(), sources: Sources::default() };
        for &member in preferred {
            // Begin with the first of the members that continue each other. In a cycle, begin with
            // this member.
            let mut first = member;
            while let Some(earlier) = before[first].filter(|earlier| *earlier != member) {
                first = earlier;
            }
            let first = if before[first].is_some() { member } else { first };
            let source = order.members.len() as u32;
            let mut place = Some(first);
            while let Some(member) = place.filter(|member| !is_placed[*member]) {
                is_placed[member] = true;
                order.members.push(member);
                order.sources.0.push(source);
                place = next[member];
            }
        }
        order
    }
}

/// The event, place, year and round with which a member begins or ends.
type EventAndRound = (NameId, NameId, Option<i16>, Round);

/// Returns, for each member, the member that continues it.
///
/// That is the only member that begins with the event of its last game, if no other member ends
/// with that event. If a long event fills several files, it is the member that begins in the same
/// round.
fn continuations(members: usize, games: &[Game]) -> Vec<Option<usize>> {
    let mut ends: Vec<Option<(EventAndRound, EventAndRound)>> = vec![None; members];
    for game in games {
        let end: EventAndRound = (game.event, game.site, game.date.year(), game.round);
        let (_, last) = ends[game.member as usize].get_or_insert((end, end));
        *last = end;
    }
    let mut next = vec![None; members];
    let mut is_continuation = vec![false; members];
    for in_any_round in [false, true] {
        let mut begin_with: FxHashMap<EventAndRound, Vec<usize>> = FxHashMap::default();
        let mut end_with: FxHashMap<EventAndRound, Vec<usize>> = FxHashMap::default();
        for (member, ends) in ends.iter().enumerate() {
            let Some((mut first, mut last)) = *ends else { continue };
            if in_any_round {
                (first.3, last.3) = (Round::default(), Round::default());
            }
            if !is_continuation[member] {
                begin_with.entry(first).or_default().push(member);
            }
            if next[member].is_none() {
                end_with.entry(last).or_default().push(member);
            }
        }
        for (end, members) in end_with {
            let others = begin_with.get(&end).map_or(&[][..], Vec::as_slice);
            if let ([member], [other]) = (&members[..], others)
                && member != other
                && ends[*member]
                    .zip(ends[*other])
                    .is_some_and(|(one, other)| may_follow(one.1, other.0))
            {
                next[*member] = Some(*other);
                is_continuation[*other] = true;
            }
        }
    }
    next
}

/// Returns whether a game may follow another of its event: its round is not an earlier one.
fn may_follow(earlier: EventAndRound, later: EventAndRound) -> bool {
    let rounds = earlier.3.number().zip(later.3.number());
    rounds.is_none_or(|(earlier, later)| earlier <= later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameTable, PartialDate};

    /// The order and the sources of members whose games have these events.
    fn ordered(members: &[&[&str]]) -> (Vec<usize>, Vec<u32>) {
        let mut table = GameTable::default();
        for (member, events) in (0..).zip(members) {
            for event in *events {
                let event = table.names.intern(event);
                let date = PartialDate::of_year(1900);
                table.push(Game { event, date, member, ..Game::default() });
            }
        }
        let preferred: Vec<usize> = (0..members.len()).collect();
        let order = MemberOrder::new(&preferred, table.games());
        (order.members, order.sources.0)
    }

    #[test]
    fn a_member_that_begins_within_an_event_continues_the_one_that_ends_in_it() {
        let found = ordered(&[&["Paris", "Ostend"], &["Wien", "Riga"], &["Berlin", "Paris"]]);
        assert_eq!(found, (vec![2, 0, 1], vec![0, 0, 2]));
    }

    #[test]
    fn of_two_possible_continuations_neither_is_taken() {
        let found = ordered(&[&["Wien", "Paris"], &["Paris", "Riga"], &["Paris", "Ostend"]]);
        assert_eq!(found, (vec![0, 1, 2], vec![0, 1, 2]));
        // Two collections of one event.
        let found = ordered(&[&["Paris"], &["Paris"]]);
        assert_eq!(found, (vec![0, 1], vec![0, 1]));
    }

    #[test]
    fn rounds_show_the_continuation_of_an_event_that_fills_files() {
        let mut table = GameTable::default();
        let event = table.names.intern("New York");
        for (member, rounds) in [(0, [12, 37]), (1, [37, 40]), (2, [1, 12])] {
            for round in rounds {
                let round = Round::of_number(round);
                table.push(Game { event, round, member, ..Game::default() });
            }
        }
        assert_eq!(MemberOrder::new(&[0, 1, 2], table.games()).members, [2, 0, 1]);
    }

    #[test]
    fn members_in_a_cycle_occur_once_each() {
        let found = ordered(&[&["Wien", "Paris"], &["Paris", "Wien"]]);
        assert_eq!(found, (vec![0, 1], vec![0, 0]));
    }
}
