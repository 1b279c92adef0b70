//! Games that lie outside of their event since one of their tags differs.
//!
//! The first game of a match is often there under a slightly different name, a round under a place that is
//! spelt wrong. Such a game is too little for an event of its own; it joins the event in which its
//! players play, at the time at which it is played, where its place is free.

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::group::{Group, Member, in_common};
use super::tag::SegmentKind;
use super::thresholds::EventThresholds;
use crate::games::{GameTable, PartialDate, Round};
use crate::players::PlayerId;

/// Days before the first and behind the last game of an event in which games of it may lie.
const NEAR_DAYS: i32 = 10;

/// What is asked of a group again and again.
struct Home {
    players: Vec<PlayerId>,
    pairings: Vec<(PlayerId, PlayerId)>,
    rounds: Vec<Round>,
    days: Option<(Date, Date)>,
    years: Option<(i16, i16)>,
    /// The EventDate that all games have.
    event_date: Option<PartialDate>,
    /// Whether nobody meets anybody twice.
    is_single: bool,
}

/// Joins groups too small for an event with the event to which their games belong.
pub(super) fn bring_home(table: &GameTable, groups: &mut Vec<Group>, thresholds: EventThresholds) {
    let is_small = |group: &Group, players: &[PlayerId]| match players.len() {
        2 => group.members.len() < thresholds.match_games,
        _ => group.members.len() < thresholds.event_games,
    };
    // Events by the persons who play in them; most groups are found small or large at once.
    let homes: Vec<Option<Home>> = groups
        .par_iter()
        .map(|group| {
            let players = group.players();
            (!is_small(group, &players) && !group.teams).then(|| Home::of(table, group, players))
        })
        .collect();
    let mut of_player: FxHashMap<PlayerId, Vec<usize>> = FxHashMap::default();
    for (number, home) in homes.iter().enumerate() {
        for player in home.iter().flat_map(|home| &home.players) {
            of_player.entry(*player).or_default().push(number);
        }
    }
    let mut moves: Vec<(usize, usize)> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        if homes[number].is_some() || group.members.is_empty() || group.teams {
            continue;
        }
        let players = group.players();
        let (Some(first), Some(last)) = (players.first(), players.last()) else { continue };
        let (Some(of_first), Some(of_last)) = (of_player.get(first), of_player.get(last)) else {
            continue;
        };
        let mut fitting = of_first.iter().copied().filter(|candidate| {
            of_last.binary_search(candidate).is_ok()
                && homes[*candidate]
                    .as_ref()
                    .is_some_and(|home| home.takes(table, &groups[*candidate], group, &players))
        });
        // Where it may belong to two, it belongs to none.
        if let (Some(home), None) = (fitting.next(), fitting.next()) {
            moves.push((number, home));
        }
    }
    for (orphan, home) in moves {
        let members = std::mem::take(&mut groups[orphan].members);
        let reason = format!(
            "{} under the tag \"{}\" joined: its players, its time, and nothing of it was there",
            if members.len() == 1 {
                "1 game".to_owned()
            } else {
                format!("{} games", members.len())
            },
            groups[orphan].base,
        );
        // A second game may want the place of the first.
        let mut left = Vec::new();
        let mut joined = 0;
        for member in members {
            if is_free(table, &groups[home], &member) {
                groups[home].members.push(member);
                joined += 1;
            } else {
                left.push(member);
            }
        }
        if joined > 0 {
            groups[home].reasons.push(reason);
        }
        groups[orphan].members = left;
    }
    groups.retain(|group| !group.members.is_empty());
}

/// Whether the pairing of a game, in its round, is not in a group.
fn is_free(table: &GameTable, home: &Group, member: &Member) -> bool {
    let round = table.games()[member.row].round;
    let is_match = home.members.iter().all(|other| {
        [other.white, other.black].contains(&member.white)
            && [other.white, other.black].contains(&member.black)
    });
    home.members.iter().all(|other| match is_match {
        true => table.games()[other.row].round != round,
        false => (other.white, other.black) != (member.white, member.black),
    })
}

impl Home {
    fn of(table: &GameTable, group: &Group, players: Vec<PlayerId>) -> Home {
        let games = || group.members.iter().map(|member| &table.games()[member.row]);
        let first = games().filter_map(|game| game.date.day_exact()).min();
        let last = games().filter_map(|game| game.date.day_exact()).max();
        let mut pairings: Vec<_> =
            group.members.iter().map(|member| (member.white, member.black)).collect();
        pairings.sort_unstable();
        let mut rounds: Vec<Round> = games().map(|game| game.round).collect();
        rounds.sort_unstable();
        let event_date = games().next().map(|game| game.event_date);
        let event_date = event_date.filter(|date| games().all(|game| game.event_date == *date));
        let mut pairs: Vec<_> = pairings.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
        pairs.sort_unstable();
        let is_single = pairs.windows(2).all(|two| two[0] != two[1]);
        let (days, years) = (first.zip(last), group.years(table));
        Home { players, pairings, rounds, days, years, event_date, is_single }
    }

    /// Whether a few games belong to this event: all their players do, name and time agree, and their
    /// pairings (of a match: their rounds) are not there.
    fn takes(&self, table: &GameTable, home: &Group, orphan: &Group, players: &[PlayerId]) -> bool {
        if in_common(&self.players, players) < players.len()
            || orphan.members.len() * 2 > home.members.len()
            || orphan.members.iter().any(|member| member.segment != SegmentKind::Main)
        {
            return false;
        }
        let game = |member: &Member| &table.games()[member.row];
        let same_event_date = orphan.members.iter().all(|member| {
            let date = game(member).event_date;
            date.known_parts() == 3 && self.event_date == Some(date)
        });
        let same_place = home.site_key == orphan.site_key && !home.site_key.is_empty();
        let places_may_agree = same_place
            || home.site_key.is_empty()
            || orphan.site_key.is_empty()
            || near(&home.site_key, &orphan.site_key);
        let same_name = home.key == orphan.key || shares_words(&home.key, &orphan.key);
        if !places_may_agree || !(same_event_date || same_name) {
            return false;
        }
        let in_time =
            orphan.members.iter().all(|member| match (game(member).date.day_exact(), self.days) {
                (Some(day), Some((first, last))) => {
                    (first - day).get_days() <= NEAR_DAYS && (day - last).get_days() <= NEAR_DAYS
                }
                _ => {
                    let year = game(member).date.year();
                    year.zip(self.years)
                        .is_some_and(|(year, (first, last))| (first..=last).contains(&year))
                }
            });
        let is_match = self.players.len() == 2;
        let rounds_known = self.rounds.first().is_some_and(|round| round.is_known())
            && self.rounds.windows(2).all(|two| two[0] != two[1]);
        in_time
            && orphan.members.iter().all(|member| match is_match {
                true => {
                    let round = game(member).round;
                    rounds_known && round.is_known() && self.rounds.binary_search(&round).is_err()
                }
                false => {
                    self.pairings.binary_search(&(member.white, member.black)).is_err()
                        && (self.pairings.binary_search(&(member.black, member.white)).is_err()
                            || !self.is_single)
                }
            })
    }
}

/// Whether one of two names has half of the other's words or more.
fn shares_words(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
    let both = a.iter().filter(|word| !word.is_empty() && b.contains(word)).count();
    both > 0 && 2 * both >= a.len().min(b.len())
}

/// Whether two places are spelt alike but for a letter or two.
fn near(a: &str, b: &str) -> bool {
    a.chars().count() > 3 && strsim::damerau_levenshtein(a, b) <= 2
}
