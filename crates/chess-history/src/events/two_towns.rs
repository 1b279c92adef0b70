//! Joins the parts of a match that was played in two towns.
//!
//! The second part continues the numbers of the first.

use std::collections::BTreeMap;

use super::group::{GameGroup, counted_games};
use super::splinters::are_of_one_place;
use crate::games::GameTable;
use crate::players::PlayerId;

/// The fewest games of a part. Judged: two games, one with each colour, show that the numbers
/// continue; a single number may be a misprint.
const PART: usize = 2;

/// The most days between two parts.
///
/// Judged: the players travel for days or weeks, and a return match follows after months. Half of
/// it would separate parts with a long pause.
const PAUSE_DAYS: i32 = 60;

/// Joins the parts of matches in two towns.
pub(super) fn join_continued_matches(table: &GameTable, groups: &mut Vec<GameGroup>) {
    let mut of_pair: BTreeMap<(PlayerId, PlayerId), Vec<MatchPart>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        if let Some(part) = MatchPart::new(number, group) {
            of_pair.entry(part.pair).or_default().push(part);
        }
    }
    for mut parts in of_pair.into_values() {
        parts.sort_by_key(|part| (part.first, part.group));
        for (place, later) in parts.iter().enumerate().filter(|(_, part)| part.first > 1) {
            let earlier = parts[..place].iter().filter(|earlier| {
                earlier.first == 1
                    && earlier.last + 1 == later.first
                    && earlier.has_white_in_odd == later.has_white_in_odd
                    && follows(table, &groups[later.group], &groups[earlier.group])
            });
            let earlier: Vec<usize> = earlier.map(|earlier| earlier.group).collect();
            let [earlier] = earlier[..] else { continue };
            let second = std::mem::take(&mut groups[later.group]);
            join(&mut groups[earlier], second);
        }
    }
    groups.retain(|group| !group.members.is_empty());
}

/// Part of a match all of whose games are numbered without a gap.
struct MatchPart {
    group: usize,
    pair: (PlayerId, PlayerId),
    first: u16,
    last: u16,
    /// The player who has White in the odd games.
    has_white_in_odd: PlayerId,
}

impl MatchPart {
    fn new(group: usize, games: &GameGroup) -> Option<MatchPart> {
        if games.members.len() < PART || games.site_key.is_empty() {
            return None;
        }
        let [pair] = games.pairs()[..] else { return None };
        let mut whites: BTreeMap<u16, PlayerId> = BTreeMap::new();
        for member in &games.members {
            whites.insert(member.round.number()?, member.white);
        }
        let (&first, &last) = (whites.keys().next()?, whites.keys().next_back()?);
        let other = |player: PlayerId| if player == pair.0 { pair.1 } else { pair.0 };
        let mut odd = whites
            .iter()
            .map(|(number, white)| if number % 2 == 1 { *white } else { other(*white) });
        let has_white_in_odd = odd.next()?;
        let is_whole = whites.len() == games.members.len()
            && usize::from(last - first) + 1 == whites.len()
            && odd.all(|player| player == has_white_in_odd);
        is_whole.then_some(MatchPart { group, pair, first, last, has_white_in_odd })
    }
}

/// Returns whether a part is in another town than an earlier one, and follows it soon.
fn follows(table: &GameTable, later: &GameGroup, earlier: &GameGroup) -> bool {
    let dates = |group: &GameGroup| {
        let dates = group.members.iter().map(|member| member.game(table).date);
        dates.collect::<Vec<_>>()
    };
    let last = dates(earlier).iter().filter_map(|date| date.latest()).max();
    let ended = dates(earlier).iter().filter_map(|date| date.earliest()).max();
    let first = dates(later).iter().filter_map(|date| date.earliest()).min();
    let began = dates(later).iter().filter_map(|date| date.latest()).min();
    let (Some(last), Some(ended), Some(first), Some(began)) = (last, ended, first, began) else {
        return false;
    };
    !are_of_one_place(&later.site_key, &earlier.site_key)
        && (first - last).get_days() <= PAUSE_DAYS
        && (began - ended).get_days() >= 0
}

/// Adds the second part. The match keeps the name of the first and has both places.
fn join(first: &mut GameGroup, second: GameGroup) {
    let reason = format!(
        "{} in {} joined: their numbers continue the match",
        counted_games(second.members.len()),
        second.city
    );
    first.city = format!("{}/{}", first.city, second.city);
    first.site_key = format!("{} {}", first.site_key, second.site_key);
    first.absorb(second, reason);
}
