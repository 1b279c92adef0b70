//! Joins parts of one event with different tags, where their pairings fit together.
//!
//! The parts are games with another date, an event over New Year, a place in two spellings, and
//! play-offs and games of withdrawn players with their own tags.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::group::{GameGroup, GroupedGame, counted_games, in_common, sorted_unique};
use super::tag::{SegmentKind, is_year};
use crate::games::GameTable;
use crate::players::PlayerId;

/// At most one in `MISDATED` games of an event is misdated.
///
/// Judged: one round of nine or more. With 4, a second event of the same players could join the
/// first; with 16, a misdated round of ten players (5 of 45 games) could not.
pub(super) const MISDATED: usize = 8;

/// Joins a few games with the event of the same name, place and year from which only their dates
/// separate them.
pub(super) fn join_misdated(table: &GameTable, groups: &mut Vec<GameGroup>) {
    join(table, groups, |a, b| {
        let few = b.members().len() * MISDATED <= a.members().len();
        if a.group.site_key != b.group.site_key
            || a.years?.0 != b.years?.0
            || !few
            || !complementary(table, a, b)
        {
            return None;
        }
        Some(format!(
            "{} with another date joined: the same players, no pairing twice",
            counted_games(b.members().len())
        ))
    });
}

/// Joins a few games with the event of the same name and place whose year is another, which is
/// wrong: their days of the year are those of the event, its table lacks just these pairings, and
/// their players have no other game in these rounds.
pub(super) fn join_misdated_years(table: &GameTable, groups: &mut Vec<GameGroup>) {
    join(table, groups, |a, b| {
        let (years, other) = (a.years?, b.years?);
        let are_apart = other.1 + 1 < years.0 || years.1 + 1 < other.0;
        let few = b.members().len() * MISDATED <= a.members().len();
        if !are_apart
            || !few
            || a.group.site_key != b.group.site_key
            || !complementary(table, a, b)
            || !complete_table(a, b)
            || !are_of_days(table, a, b)
            || !have_free_rounds(a, b)
        {
            return None;
        }
        Some(format!(
            "{} of another year joined: the same days, and no pairing twice",
            counted_games(b.members().len())
        ))
    });
}

/// Returns whether the games of both are the whole of a round robin.
fn complete_table(a: &JoinCandidate, b: &JoinCandidate) -> bool {
    let (pairs, lacking) = (a.group.pairs(), b.group.pairs());
    let players = a.players().len();
    in_common(&pairs, &lacking) == 0
        && pairs.len() + lacking.len() == players * (players - 1) / 2
        && in_common(b.players(), a.players()) == b.players().len()
}

/// Returns whether the days of all games of `b` are between the first and the last of `a`, in any
/// year.
fn are_of_days(table: &GameTable, a: &JoinCandidate, b: &JoinCandidate) -> bool {
    let day_of_year = |member: &GroupedGame| {
        let day = member.game(table).date.day_exact()?;
        Some((day.month(), day.day()))
    };
    let days: Vec<(i8, i8)> = a.members().iter().filter_map(day_of_year).collect();
    let span = days.iter().min().zip(days.iter().max());
    span.is_some_and(|(first, last)| {
        let is_inside =
            |member| day_of_year(member).is_some_and(|day| (*first..=*last).contains(&day));
        b.members().iter().all(is_inside)
    })
}

/// Returns whether all games of `b` have rounds in which their players have no game of `a`.
fn have_free_rounds(a: &JoinCandidate, b: &JoinCandidate) -> bool {
    b.members().iter().all(|member| {
        let is_taken = |other: &GroupedGame| {
            [other.white, other.black]
                .iter()
                .any(|player| [member.white, member.black].contains(player))
                && other.round.number() == member.round.number()
        };
        member.round.is_known() && !a.members().iter().any(is_taken)
    })
}

/// Joins parts with the same name and place in successive years, if they have the same players and
/// no pairing twice.
pub(super) fn join_over_new_year(table: &GameTable, groups: &mut Vec<GameGroup>) {
    join(table, groups, |earlier, later| {
        let (last, first) = (earlier.years?.1, later.years?.0);
        if first - last != 1
            || earlier.group.site_key != later.group.site_key
            || begins_with_few(earlier, later)
            || !complementary(table, earlier, later)
        {
            return None;
        }
        Some(format!("games of {last} and {first} joined: the same players, no pairing twice"))
    });
}

/// Returns whether the earlier part lacks most players of the later one, although it has two games
/// of each of its own.
///
/// In all formats those who play later play from the beginning, except for some with byes. If two
/// games of each player are known, few players are missing. A part with fewer games may be a first
/// round.
fn begins_with_few(earlier: &JoinCandidate, later: &JoinCandidate) -> bool {
    let players = earlier.players().len();
    earlier.members().len() >= players && 2 * players < later.players().len()
}

/// Joins parts with the same name and year whose places are spelt differently.
///
/// The players of one must be among those of the other, and no pairing may occur twice.
pub(super) fn join_places(table: &GameTable, groups: &mut Vec<GameGroup>) {
    join(table, groups, |a, b| {
        // Groups without a name have only that in common.
        if a.group.key.is_empty()
            || a.years?.0 != b.years?.0
            || a.group.site_key == b.group.site_key
            || !complementary(table, a, b)
        {
            return None;
        }
        Some(format!(
            "places \"{}\" and \"{}\" joined: the same players, no pairing twice",
            a.group.city, b.group.city
        ))
    });
}

/// A group with properties that many comparisons need, computed at most once.
struct JoinCandidate {
    group: GameGroup,
    /// First and last year.
    years: Option<(i16, i16)>,
    players: OnceCell<Vec<PlayerId>>,
    pairings: OnceCell<Vec<(PlayerId, PlayerId)>>,
}

impl JoinCandidate {
    fn new(table: &GameTable, group: GameGroup) -> JoinCandidate {
        JoinCandidate {
            years: group.years(table),
            group,
            players: OnceCell::new(),
            pairings: OnceCell::new(),
        }
    }

    fn members(&self) -> &[GroupedGame] {
        &self.group.members
    }

    fn players(&self) -> &[PlayerId] {
        self.players.get_or_init(|| self.group.players())
    }

    fn pairings(&self) -> &[(PlayerId, PlayerId)] {
        self.pairings.get_or_init(|| self.group.pairings())
    }
}

/// Returns whether one part completes the other.
///
/// Its players must be among those of the other, and no pairing with the same colours may occur
/// twice. Two parts of a match must have different rounds.
fn complementary(table: &GameTable, a: &JoinCandidate, b: &JoinCandidate) -> bool {
    let (large, small) = if a.members().len() >= b.members().len() { (a, b) } else { (b, a) };
    let (of_large, of_small) = (large.players(), small.players());
    if of_large.len() == 2 {
        let [mine, theirs] = [large, small].map(|candidate| -> BTreeSet<_> {
            candidate.members().iter().map(|member| member.game(table).round).collect()
        });
        return of_large == of_small
            && mine.is_disjoint(&theirs)
            && mine.iter().chain(&theirs).all(|round| round.is_known());
    }
    let strangers = of_small.len() - in_common(of_small, of_large);
    if strangers * 5 > of_small.len()
        || of_large.len() < 4
        || in_common(large.pairings(), small.pairings()) > 0
    {
        return false;
    }
    let pairs = large.group.pairs();
    let is_single_round_robin = pairs.len() == of_large.len() * (of_large.len() - 1) / 2
        && pairs.len() == large.members().len();
    if !is_single_round_robin || in_common(&pairs, &small.group.pairs()) == 0 {
        return true;
    }
    // Two complete round robins of the same players are two events, unless all colours are
    // reversed: then they are the halves of one.
    let reversed = large.members().iter().map(|member| (member.black, member.white));
    sorted_unique(reversed.collect()) == small.pairings()
}

/// Joins all pairs of groups with the same name for which `reason` returns a reason.
///
/// The group that is earlier in the list absorbs the later one.
fn join(
    table: &GameTable,
    groups: &mut Vec<GameGroup>,
    reason: impl Fn(&JoinCandidate, &JoinCandidate) -> Option<String> + Sync,
) {
    let mut numbered: Vec<(usize, GameGroup)> =
        std::mem::take(groups).into_iter().enumerate().collect();
    numbered.par_sort_unstable_by(|a, b| a.1.key.cmp(&b.1.key).then(a.0.cmp(&b.0)));
    let mut same_name: Vec<Vec<(usize, GameGroup)>> = Vec::new();
    for (number, group) in numbered {
        match same_name.last_mut() {
            Some(list) if list[0].1.key == group.key => list.push((number, group)),
            _ => same_name.push(vec![(number, group)]),
        }
    }
    let mut joined: Vec<(usize, GameGroup)> =
        same_name
            .into_par_iter()
            .flat_map_iter(|list| {
                if list.len() == 1 { list } else { join_of_one_name(table, list, &reason) }
            })
            .collect();
    joined.sort_unstable_by_key(|(number, _)| *number);
    groups.extend(joined.into_iter().map(|(_, group)| group));
}

fn join_of_one_name(
    table: &GameTable,
    list: Vec<(usize, GameGroup)>,
    reason: impl Fn(&JoinCandidate, &JoinCandidate) -> Option<String>,
) -> Vec<(usize, GameGroup)> {
    let mut candidates: Vec<Option<(usize, JoinCandidate)>> = list
        .into_iter()
        .map(|(number, group)| Some((number, JoinCandidate::new(table, group))))
        .collect();
    for a in 0..candidates.len() {
        // An absorbed group has left the list. A group is also taken out while others are compared
        // with it.
        let Some((number, mut taking)) = candidates[a].take() else { continue };
        for place in &mut candidates[a + 1..] {
            let Some((_, other)) = place else { continue };
            let Some(reason) = reason(&taking, other).or_else(|| reason(other, &taking)) else {
                continue;
            };
            if let Some((_, JoinCandidate { group: other, .. })) = place.take() {
                let mut group = taking.group;
                if other.members.len() > group.members.len() {
                    group.base.clone_from(&other.base);
                    group.city.clone_from(&other.city);
                    group.site_key.clone_from(&other.site_key);
                }
                group.absorb(other, reason);
                taking = JoinCandidate::new(table, group);
            }
        }
        candidates[a] = Some((number, taking));
    }
    candidates.into_iter().flatten().map(|(number, candidate)| (number, candidate.group)).collect()
}

/// Assigns play-offs and games of withdrawn players to their events. A segment without an event
/// becomes one.
pub(super) fn attach_segments(
    table: &GameTable,
    groups: &mut Vec<GameGroup>,
    segments: Vec<GameGroup>,
) {
    let players: Vec<OnceCell<Vec<PlayerId>>> = vec![OnceCell::new(); groups.len()];
    let years: Vec<Option<(i16, i16)>> =
        groups.par_iter().map(|group| group.years(table)).collect();
    let by_word = GroupsByWord::new(groups, &years, &segments);
    let fields: Vec<Vec<PlayerId>> = segments.iter().map(GameGroup::players).collect();
    for (segment, of_segment) in segments.into_iter().zip(fields) {
        let kind = segment.members.first().map_or(SegmentKind::Main, |member| member.segment);
        let year = segment.first_year(table);
        let candidates = year.map(|year| by_word.sharing(&segment.key, year)).unwrap_or_default();
        let home = candidates
            .into_iter()
            .filter_map(|(index, in_name)| {
                let group = &groups[index];
                let same_name = group.key == segment.key;
                let same_place = group.site_key == segment.site_key;
                if !(same_name || (same_place && in_name > 0) || in_name > 1) {
                    return None;
                }
                let players = players[index].get_or_init(|| group.players());
                let inside = in_common(&of_segment, players);
                // A play-off is among players of the event. A game of a withdrawn player has that
                // player on one side.
                let fits = match kind {
                    SegmentKind::PlayOff => inside == of_segment.len(),
                    _ => inside * 2 >= of_segment.len(),
                };
                let in_its_year = years[index].map(|(_, last)| last) == year;
                let games = group.members.len();
                fits.then_some((same_name, same_place, in_its_year, in_name, games, index))
            })
            .max()
            .map(|(.., index)| index);
        match home {
            Some(index) => {
                let reason =
                    format!("{} joined: {}", counted_games(segment.members.len()), kind.words());
                groups[index].absorb(segment, reason);
            }
            None => groups.push(as_own_event(segment, kind)),
        }
    }
}

/// Turns a segment whose event is unknown into a separate event. A play-off is named as one.
fn as_own_event(segment: GameGroup, kind: SegmentKind) -> GameGroup {
    if kind != SegmentKind::PlayOff {
        return segment;
    }
    let base = match segment.base.rsplit_once(' ') {
        Some((name, year)) if is_year(year) => format!("{name} Playoff {year}"),
        _ => format!("{} Playoff", segment.base),
    };
    GameGroup { base, ..segment }
}

/// The groups by the words of their names, for the words that segments have.
struct GroupsByWord {
    words: FxHashMap<String, usize>,
    /// The groups by year and number of the word. The year after its last one is a group's too.
    groups: FxHashMap<(i16, usize), Vec<usize>>,
}

impl GroupsByWord {
    fn new(
        groups: &[GameGroup],
        years: &[Option<(i16, i16)>],
        segments: &[GameGroup],
    ) -> GroupsByWord {
        let mut words: FxHashMap<String, usize> = FxHashMap::default();
        for word in segments.iter().flat_map(|segment| segment.key.split(' ')) {
            let number = words.len();
            words.entry(word.to_owned()).or_insert(number);
        }
        let mut by_word: FxHashMap<(i16, usize), Vec<usize>> = FxHashMap::default();
        for (index, (group, span)) in groups.iter().zip(years).enumerate() {
            let Some((first, last)) = *span else { continue };
            let numbers = group.key.split(' ').filter_map(|word| words.get(word).copied());
            for number in sorted_unique(numbers.collect()) {
                for year in first..=last + 1 {
                    by_word.entry((year, number)).or_default().push(index);
                }
            }
        }
        GroupsByWord { words, groups: by_word }
    }

    /// Returns the groups of a year that share a word with a segment's name, each with the number
    /// of words of that name that its own contains. Groups without a name share the empty word,
    /// which does not count.
    fn sharing(&self, name: &str, year: i16) -> FxHashMap<usize, usize> {
        let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
        for word in name.split(' ') {
            let groups = self.words.get(word).and_then(|number| self.groups.get(&(year, *number)));
            for group in groups.into_iter().flatten() {
                *shared.entry(*group).or_default() += usize::from(!word.is_empty());
            }
        }
        shared
    }
}
