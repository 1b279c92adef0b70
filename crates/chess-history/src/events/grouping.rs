//! Groups games that belong to one event.
//!
//! The first step groups games by tags: the name of the event (without a segment's suffix), the
//! place, and the date. Later steps correct the groups according to the pairings; see
//! [`fields`](super::fields), [`splinters`](super::splinters), [`joining`](super::joining),
//! [`copies`](super::copies), [`reattach`](super::reattach) and [`repeated`](super::repeated).

use std::collections::BTreeMap;

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::EventContext;
use super::copies::join_copies;
use super::fields::{FIELD, FieldSize, cut_by_field, cut_into_matches};
use super::group::{GameGroup, GroupedGame};
use super::joining::{
    attach_segments, join_misdated, join_misdated_years, join_over_new_year, join_places,
};
use super::knock_out_stages::join_stages;
use super::parsed_tags::ParsedTags;
use super::reattach::move_to_events;
use super::repeated::remove_repeated;
use super::same_results::join_same_results;
use super::splinters::join_splinters;
use super::tag::{EventTag, SegmentKind, SiteTag, TeamWords, team_words};
use super::two_towns::join_continued_matches;
use crate::games::{Duplicate, Game, GameFlags};
use crate::players::PlayerId;

/// Groups the games in the given rows of the table. Each copy of a game contributes its own tags.
///
/// Also returns the repeated games that were found: those that occur twice, with different moves or
/// dates.
pub(super) fn group(
    context: EventContext<'_>,
    rows: &[usize],
    copies: &[Duplicate],
) -> (Vec<GameGroup>, Vec<Duplicate>) {
    let EventContext { table, thresholds, .. } = context;
    let mut tagged = group_by_tags(context, rows, copies);
    let mut segments: Vec<GameGroup> = tagged
        .extract_if(.., |(_, _, segment), _| *segment != SegmentKind::Main)
        .flat_map(|(_, group)| cut_by_time(context, group))
        .collect();
    let mains: Vec<GameGroup> = tagged.into_values().collect();
    let mut groups: Vec<GameGroup> =
        mains.into_par_iter().flat_map_iter(|group| cut_by_time(context, group)).collect();
    // Fields of a part are not those of the event.
    join_splinters(table, &mut groups, thresholds);
    groups = groups
        .into_par_iter()
        .flat_map_iter(|group| cut_by_field(table, group, FieldSize::Large, thresholds))
        .collect();
    let mut repeated = Vec::new();
    if !copies.is_empty() {
        repeated = join_copies(table, &mut groups, &mut segments, thresholds);
        segments.retain(|segment| !segment.members.is_empty());
    }
    groups = groups
        .into_par_iter()
        .flat_map_iter(|group| cut_by_field(table, group, FieldSize::SmallAndWhole, thresholds))
        .collect();
    repeated.extend(join_same_results(table, &mut groups));
    join_splinters(table, &mut groups, thresholds);
    // Matches that share a tag in one source have separate tags in another.
    if cut_into_matches(&mut groups) {
        repeated.extend(join_same_results(table, &mut groups));
    }
    join_misdated(table, &mut groups);
    join_misdated_years(table, &mut groups);
    join_over_new_year(table, &mut groups);
    join_places(table, &mut groups);
    join_continued_matches(table, &mut groups);
    join_stages(table, &mut groups, thresholds);
    move_to_events(table, &mut groups, thresholds);
    attach_segments(table, &mut groups, segments);
    let found: Vec<Vec<Duplicate>> = groups
        .par_iter_mut()
        .map(|group| {
            let found = remove_repeated(table, group);
            group.members.sort_by_key(|member| member.row);
            found
        })
        .collect();
    repeated.extend(found.into_iter().flatten());
    (groups, resolve_chains(repeated))
}

/// Groups games by name, place and time alone.
pub(super) fn parts_by_tags(context: EventContext<'_>, rows: &[usize]) -> Vec<GameGroup> {
    let groups: Vec<GameGroup> = group_by_tags(context, rows, &[]).into_values().collect();
    groups.into_par_iter().flat_map_iter(|group| cut_by_time(context, group)).collect()
}

/// Lists each repeated game once, with the game that remains after all removals.
fn resolve_chains(mut repeated: Vec<Duplicate>) -> Vec<Duplicate> {
    repeated.sort_by_key(|copy| copy.game);
    repeated.dedup_by_key(|copy| copy.game);
    let next: FxHashMap<usize, usize> =
        repeated.iter().map(|copy| (copy.game, copy.kept)).collect();
    for copy in &mut repeated {
        while let Some(&kept) = next.get(&copy.kept).filter(|kept| **kept != copy.game) {
            copy.kept = kept;
        }
    }
    repeated
}

/// The longest pause (days) within a team competition.
///
/// Judged: leagues pause for up to three months. With half of it a season would be two events; with
/// twice as much, two seasons would be one.
const TEAMS_GAP_DAYS: i32 = 100;

/// The place of the games of one tag. A team competition is one event in all its towns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum GroupPlace {
    /// One place, by the key of its Site tag.
    One(String),
    All,
}

/// Groups by the key of the event's name, the place and the segment.
type TaggedGroups = BTreeMap<(String, GroupPlace, SegmentKind), GameGroup>;

/// Groups games by name, place and segment.
fn group_by_tags(context: EventContext<'_>, rows: &[usize], copies: &[Duplicate]) -> TaggedGroups {
    let EventContext { table, players, .. } = context;
    let original: FxHashMap<usize, usize> =
        copies.iter().map(|copy| (copy.game, copy.kept)).collect();
    let mut all: Vec<usize> = rows.iter().copied().chain(original.keys().copied()).collect();
    all.sort_unstable();
    let tagged = super::same_tags::by_tags(table, all);
    let parsed = ParsedTags::parse(context, &tagged, |row| original.contains_key(&row));
    let keys_of_teams = parsed.keys_of_teams(table, &tagged);
    let mut groups: TaggedGroups = BTreeMap::new();
    for same in tagged {
        let event = &parsed.events[&(same.event, same.site)];
        let site = &parsed.sites[&same.site];
        let with_team_tags = keys_of_teams.contains(event.key.as_str());
        let teams = with_team_tags || team_words(&event.key) > TeamWords::None;
        let (base, key) = if event.base.is_empty() {
            (site.broadcast.as_str(), site.broadcast.as_str())
        } else {
            (event.base.as_str(), event.key.as_str())
        };
        // A league plays in many towns.
        let place = if teams { GroupPlace::All } else { GroupPlace::One(site.key.clone()) };
        // The round of a play-off may be a word (`TB2`).
        let is_play_off = |row: &u32| table.games()[*row as usize].round.is_play_off();
        let (play_off, others): (Vec<u32>, Vec<u32>) = same.rows.into_iter().partition(is_play_off);
        for (segment, rows) in [(event.segment, others), (SegmentKind::PlayOff, play_off)] {
            if rows.is_empty() {
                continue;
            }
            let slot = (key.to_owned(), place.clone(), segment);
            let group = groups.entry(slot).or_insert_with(|| GameGroup {
                base: base.to_owned(),
                key: key.to_owned(),
                city: site.city.clone(),
                site_key: site.key.clone(),
                teams,
                with_team_tags,
                has_pairs_of_teams: false,
                members: Vec::new(),
                may_continue: Vec::new(),
                reasons: Vec::new(),
            });
            if group.site_key != site.key {
                group.city.clear();
                group.site_key.clear();
            }
            group.members.extend(rows.into_iter().filter_map(|row| {
                let tags = row as usize;
                let row = original.get(&tags).copied().unwrap_or(tags);
                let game: &Game = &table.games()[row];
                let (white, black) = (players.of_name(game.white)?, players.of_name(game.black)?);
                let of_tag = parsed.round((same.event, same.site));
                let round = if game.round.is_known() { game.round } else { of_tag };
                let in_whole_report = game.flags.contains(GameFlags::WHOLE_REPORT);
                Some(GroupedGame {
                    row,
                    tags,
                    white,
                    black,
                    round,
                    segment,
                    stage: 0,
                    in_whole_report,
                })
            }));
        }
    }
    groups.retain(|_, group| !group.members.is_empty());
    for group in groups.values_mut() {
        group.members.sort_by_key(|member| (member.row, member.tags));
        group.members.dedup_by_key(|member| member.row);
    }
    groups
}

/// Cuts a group at long periods without games.
///
/// Games with a known month are sorted by date. The group is cut at each long gap, unless the games
/// before and after it have the same EventDate. Games with only a year join the largest part with
/// games of that year, unless nearly all their players are others: two editions of a tournament may
/// be in one year.
fn cut_by_time(context: EventContext<'_>, mut group: GameGroup) -> Vec<GameGroup> {
    let EventContext { table, places, thresholds, .. } = context;
    let mut gap_days: i32 = thresholds.gap_days.into();
    if group.teams {
        gap_days = gap_days.max(TEAMS_GAP_DAYS);
    }
    // Each part gets a copy of all fields except the games.
    let members = std::mem::take(&mut group.members);
    let (mut dated, vague): (Vec<GroupedGame>, Vec<GroupedGame>) =
        members.into_iter().partition(|member| member.game(table).date.known_parts() >= 2);
    dated.sort_by_key(|member| (member.game(table).date, member.row));
    let mut clusters: Vec<Vec<GroupedGame>> = Vec::new();
    let mut last: Option<Date> = None;
    for member in dated {
        let game = member.game(table);
        let is_soon = last
            .zip(game.date.earliest())
            .is_some_and(|(last, date)| (date - last).get_days() <= gap_days);
        let has_event_date = game.event_date.known_parts() >= 2;
        match clusters.last_mut() {
            Some(cluster)
                if is_soon
                    || has_event_date
                        && cluster
                            .last()
                            .is_some_and(|last| last.game(table).event_date == game.event_date) =>
            {
                cluster.push(member);
            }
            _ => clusters.push(vec![member]),
        }
        last = game.date.latest().max(last);
    }
    let mut by_year: BTreeMap<Option<i16>, Vec<GroupedGame>> = BTreeMap::new();
    for member in vague {
        by_year.entry(member.game(table).date.year()).or_default().push(member);
    }
    let without_year = by_year.remove(&None);
    for (year, members) in by_year {
        let home = clusters
            .iter_mut()
            .filter(|cluster| {
                year.is_some()
                    && cluster.iter().any(|member| member.game(table).date.year() == year)
                    && !have_different_players(&members, cluster)
            })
            .max_by_key(|cluster| cluster.len());
        match home {
            Some(cluster) => cluster.extend(members),
            None => clusters.push(members),
        }
    }
    // Games without a year join the other games if these are one part.
    match (without_year, &mut clusters[..]) {
        (None, _) => {}
        (Some(members), [only]) => only.extend(members),
        (Some(members), _) => clusters.push(members),
    }
    clusters
        .into_iter()
        .map(|members| {
            // Each part is named after its own games, because `Gashimov Mem 2014` and `Gashimov Mem
            // 2015` share a key.
            let own = members.first().map(|member| {
                let tags = &table.games()[member.tags];
                let site = SiteTag::parse(table.text(tags.site)).with_place(places);
                EventTag::at(table.text(tags.event), &site, places)
            });
            let own = own.filter(|own| !own.base.is_empty() && own.key == group.key);
            let base = own.map_or_else(|| group.base.clone(), |own| own.base);
            let mut part = GameGroup { members, base, ..group.clone() };
            if part.teams {
                part.find_place(table);
            }
            part
        })
        .collect()
}

/// Two events of one tag share at most one in this many of the players of the smaller.
///
/// Judged: some players return to a yearly event. With 2, parts of one event with different players
/// would be separated; with 6, two editions with regular guests would be one event.
const ONE_RETURNING_IN: usize = 3;

/// Returns whether some games are of another event, because nearly all players are others.
///
/// In a fragment with a game or two of each player, few of them occur in another fragment of the
/// same event.
fn have_different_players(one: &[GroupedGame], other: &[GroupedGame]) -> bool {
    let [players, others] = [one, other].map(|members| -> FxHashSet<PlayerId> {
        members.iter().flat_map(|member| [member.white, member.black]).collect()
    });
    let smaller = players.len().min(others.len());
    let is_fragment = one.len() <= players.len() || other.len() <= others.len();
    smaller >= FIELD
        && !is_fragment
        && ONE_RETURNING_IN * players.intersection(&others).count() <= smaller
}
