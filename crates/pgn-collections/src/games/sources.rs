//! Which members of a collection are parts of one source.
//!
//! Large collections come in several files, cut wherever one was full. A member that begins within
//! the event in which another ends goes on from it: what is true of games of one file (that it
//! spells a name in one way, that it does not tell a game twice) is true of both.

use rustc_hash::FxHashMap;

use super::game::Game;
use super::names::NameId;
use super::round::Round;

/// The source of each member. Members that nothing joins are sources of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(Vec<u32>);

impl Sources {
    /// Number of the source of a game, that of its first member; it means nothing beside other
    /// games than those of its table.
    pub fn of(&self, game: &Game) -> u32 {
        self.0.get(game.member as usize).copied().unwrap_or(game.member)
    }
}

/// Members in an order in which each comes behind the one that it goes on from, if it is clear
/// which that is.
pub(super) struct MemberOrder {
    /// Members by their place in the order.
    pub members: Vec<usize>,
    /// The sources, by place.
    pub sources: Sources,
}

impl MemberOrder {
    /// Of members that otherwise would be in this order; the games by member, in their own.
    pub fn of(preferred: &[usize], games: &[Game]) -> MemberOrder {
        let next = those_that_go_on(preferred.len(), games);
        let mut before = vec![None; next.len()];
        for (member, next) in next.iter().enumerate() {
            if let Some(next) = next {
                before[*next] = Some(member);
            }
        }
        let mut is_placed = vec![false; next.len()];
        let mut order = MemberOrder { members: Vec::new(), sources: Sources::default() };
        for &member in preferred {
            // From the first of those that go on from each other; where they go round, from this
            // one.
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

/// What a member begins and ends with: an event, and a round of it.
type EventAndRound = (NameId, NameId, Option<i16>, Round);

/// For each member the one that begins with a game of the event of its last, where neither has a
/// rival; of a long event that fills files the one that begins in the same round.
fn those_that_go_on(members: usize, games: &[Game]) -> Vec<Option<usize>> {
    let end =
        |game: &Game| -> EventAndRound { (game.event, game.site, game.date.year(), game.round) };
    let mut ends: Vec<Option<(EventAndRound, EventAndRound)>> = vec![None; members];
    for game in games {
        let (_, last) = ends[game.member as usize].get_or_insert((end(game), end(game)));
        *last = end(game);
    }
    let mut next = vec![None; members];
    let mut goes_on = vec![false; members];
    let in_any_round =
        |(event, site, year, _): EventAndRound| (event, site, year, Round::default());
    let in_its_round = |end: EventAndRound| end;
    for key in [&in_its_round as &dyn Fn(EventAndRound) -> EventAndRound, &in_any_round] {
        let mut begin_with: FxHashMap<EventAndRound, Vec<usize>> = FxHashMap::default();
        let mut end_with: FxHashMap<EventAndRound, Vec<usize>> = FxHashMap::default();
        for (member, ends) in ends.iter().enumerate() {
            let Some((first, last)) = *ends else { continue };
            if !goes_on[member] {
                begin_with.entry(key(first)).or_default().push(member);
            }
            if next[member].is_none() {
                end_with.entry(key(last)).or_default().push(member);
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
                goes_on[*other] = true;
            }
        }
    }
    next
}

/// Whether a game of one event may stand behind another: not in an earlier round.
fn may_follow(earlier: EventAndRound, later: EventAndRound) -> bool {
    let rounds = earlier.3.number().zip(later.3.number());
    rounds.is_none_or(|(earlier, later)| earlier <= later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameTable, PartialDate};

    /// The order and the sources of members that have these events, one a game.
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
        let order = MemberOrder::of(&preferred, table.games());
        (order.members, order.sources.0)
    }

    #[test]
    fn a_member_that_begins_within_an_event_goes_on_from_the_one_that_ends_in_it() {
        let found = ordered(&[&["Paris", "Ostend"], &["Wien", "Riga"], &["Berlin", "Paris"]]);
        assert_eq!(found, (vec![2, 0, 1], vec![0, 0, 2]));
    }

    #[test]
    fn where_two_might_neither_does() {
        let found = ordered(&[&["Wien", "Paris"], &["Paris", "Riga"], &["Paris", "Ostend"]]);
        assert_eq!(found, (vec![0, 1, 2], vec![0, 1, 2]));
        // Two collections of one event.
        let found = ordered(&[&["Paris"], &["Paris"]]);
        assert_eq!(found, (vec![0, 1], vec![0, 1]));
    }

    #[test]
    fn of_an_event_that_fills_files_the_rounds_tell_which_goes_on() {
        let mut table = GameTable::default();
        let event = table.names.intern("New York");
        for (member, rounds) in [(0, [12, 37]), (1, [37, 40]), (2, [1, 12])] {
            for round in rounds {
                let round = Round::of_number(round);
                table.push(Game { event, round, member, ..Game::default() });
            }
        }
        assert_eq!(MemberOrder::of(&[0, 1, 2], table.games()).members, [2, 0, 1]);
    }

    #[test]
    fn members_that_go_round_are_all_there_once() {
        let found = ordered(&[&["Wien", "Paris"], &["Paris", "Wien"]]);
        assert_eq!(found, (vec![0, 1], vec![0, 0]));
    }
}
