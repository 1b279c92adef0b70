//! Groups games that belong to one event.
//!
//! The first step groups games by tags: the name of the event (without a segment's suffix), the
//! place, and the date. Later steps correct the groups according to the pairings; see
//! [`joining`](super::joining), [`copies`](super::copies), [`reattach`](super::reattach) and
//! [`repeated`](super::repeated).

use std::collections::BTreeMap;

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::EventContext;
use super::copies::join_copies;
use super::event_format::recognise_pairs;
use super::group::{GameGroup, GroupedGame, sorted_unique};
use super::joining::{attach_segments, join_misdated, join_over_new_year, join_places};
use super::parsed_tags::ParsedTags;
use super::reattach::move_to_events;
use super::repeated::remove_repeated;
use super::same_results::join_same_results;
use super::tag::{
    EventTag, SegmentKind, SiteTag, TeamWords, names_countries, names_match, team_words,
};
use super::thresholds::EventThresholds;
use crate::disjoint_sets::DisjointSets;
use crate::games::{Duplicate, Game, GameTable};
use crate::players::PlayerId;
use crate::tournament::Kind;

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
    let mut groups: Vec<GameGroup> = mains
        .into_par_iter()
        .flat_map_iter(|group| cut_by_time(context, group))
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
    // Matches that share a tag in one source have separate tags in another.
    if cut_into_matches(&mut groups) {
        repeated.extend(join_same_results(table, &mut groups));
    }
    join_misdated(table, &mut groups);
    join_over_new_year(table, &mut groups);
    join_places(table, &mut groups);
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
fn group_by_tags(
    EventContext { table, players, places, .. }: EventContext<'_>,
    rows: &[usize],
    copies: &[Duplicate],
) -> TaggedGroups {
    let original: FxHashMap<usize, usize> =
        copies.iter().map(|copy| (copy.game, copy.kept)).collect();
    let mut all: Vec<usize> = rows.iter().copied().chain(original.keys().copied()).collect();
    all.sort_unstable();
    let tagged = super::same_tags::by_tags(table, all);
    let parsed = ParsedTags::parse(table, places, &tagged);
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
        let slot = (key.to_owned(), place, event.segment);
        let group = groups.entry(slot).or_insert_with(|| GameGroup {
            base: base.to_owned(),
            key: key.to_owned(),
            city: site.city.clone(),
            site_key: site.key.clone(),
            teams,
            with_team_tags,
            members: Vec::new(),
            reasons: Vec::new(),
        });
        if group.site_key != site.key {
            group.city.clear();
            group.site_key.clear();
        }
        let segment = event.segment;
        group.members.extend(same.rows.into_iter().filter_map(|row| {
            let tags = row as usize;
            let row = original.get(&tags).copied().unwrap_or(tags);
            let game: &Game = &table.games()[row];
            let (white, black) = (players.of_name(game.white)?, players.of_name(game.black)?);
            Some(GroupedGame { row, tags, white, black, segment, stage: 0 })
        }));
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

/// Fewest players of a field that is a separate event.
///
/// Judged: if a source has few games of an open, small sets of its players are separate by chance.
/// With 3, such sets would be events; with 12, a group B of ten players would stay in group A.
const FIELD: usize = 6;

/// Fewest players of a field that is a separate event, if all its players met each other.
///
/// Judged: four players who met once played six games, by default the fewest of an event
/// ([`EventThresholds::event_games`]). With 8, groups of four to seven players would stay together.
const WHOLE_FIELD: usize = 4;

/// The sizes of fields to look for. Small fields can be recognised only after copies of games have
/// joined the groups that they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldSize {
    /// Fields of at least [`FIELD`] players.
    Large,
    /// Also fields of at least [`WHOLE_FIELD`] players who all met each other.
    SmallAndWhole,
}

impl FieldSize {
    /// Returns the least number of players of a field.
    fn least(self) -> usize {
        match self {
            FieldSize::Large => FIELD,
            FieldSize::SmallAndWhole => WHOLE_FIELD,
        }
    }
}

/// Fewest games of a match that shares its tag with other matches.
///
/// Judged: most matches of a knock-out have two games. With 2, a round of a knock-out would be cut
/// into matches; with 8, short matches under one tag would stay together.
const MATCH: usize = 4;

/// Cuts groups into matches. Returns whether there were any.
fn cut_into_matches(groups: &mut Vec<GameGroup>) -> bool {
    let before = groups.len();
    *groups = std::mem::take(groups)
        .into_iter()
        .flat_map(|group| matches_apart(&group).unwrap_or_else(|| vec![group]))
        .collect();
    groups.len() > before
}

/// Cuts a group into matches, if every player met exactly one opponent, or if the name is that of a
/// match and one player met all others.
///
/// Returns `None` for any other group, for one match, for teams, and if a match has fewer than
/// [`MATCH`] games.
fn matches_apart(group: &GameGroup) -> Option<Vec<GameGroup>> {
    if group.teams || team_words(&group.key) > TeamWords::None {
        return None;
    }
    let (pairs, players) = (group.pairs(), group.players());
    if pairs.len() < 2 {
        return None;
    }
    let each_met_one_opponent = 2 * pairs.len() == players.len();
    let (a, b) = pairs[0];
    let one_met_all_others = [a, b]
        .iter()
        .any(|player| pairs.iter().all(|(one, other)| one == player || other == player));
    if !(each_met_one_opponent || one_met_all_others && names_match(&group.base)) {
        return None;
    }
    let mut matches: BTreeMap<(PlayerId, PlayerId), Vec<GroupedGame>> = BTreeMap::new();
    for &member in &group.members {
        let pair = (member.white.min(member.black), member.white.max(member.black));
        matches.entry(pair).or_default().push(member);
    }
    if matches.values().any(|members| members.len() < MATCH) {
        return None;
    }
    let mut reasons = group.reasons.clone();
    reasons.push(format!("one of {} matches with the same tag", matches.len()));
    let parts = matches.into_values().map(|members| GameGroup {
        members,
        reasons: reasons.clone(),
        ..group.clone()
    });
    Some(parts.collect())
}

/// The fields of a group: the smallest sets of players none of whom met a player of another set.
struct Fields {
    /// All players, in the order of their ids.
    players: Vec<PlayerId>,
    /// The number of each player's field, parallel to `players`.
    field_of: Vec<usize>,
    /// The size of each field, by its number.
    counts: FxHashMap<usize, FieldCounts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct FieldCounts {
    players: usize,
    games: usize,
    pairs: usize,
}

impl Fields {
    /// Finds the fields of a group with these players.
    fn new(group: &GameGroup, players: Vec<PlayerId>) -> Fields {
        let mut sets = DisjointSets::new(players.len());
        let mut fields = Fields { players, field_of: Vec::new(), counts: FxHashMap::default() };
        let pairs = group.pairs();
        for (one, other) in &pairs {
            sets.join(fields.place(*one), fields.place(*other));
        }
        fields.field_of = (0..fields.players.len()).map(|player| sets.find(player)).collect();
        for field in &fields.field_of {
            fields.counts.entry(*field).or_default().players += 1;
        }
        for member in &group.members {
            fields.counts.entry(fields.field_of_member(member)).or_default().games += 1;
        }
        for (one, _) in pairs {
            let field = fields.field_of[fields.place(one)];
            fields.counts.entry(field).or_default().pairs += 1;
        }
        fields
    }

    /// Returns the index of a player.
    fn place(&self, player: PlayerId) -> usize {
        self.players.binary_search(&player).expect("the players of the group are listed")
    }

    /// Returns the number of the field of a game.
    fn field_of_member(&self, member: &GroupedGame) -> usize {
        self.field_of[self.place(member.white)]
    }

    /// Returns the numbers of the fields that are large enough for events, largest number of games
    /// first.
    fn large(&self, size: FieldSize, thresholds: EventThresholds) -> Vec<usize> {
        let mut large: Vec<(usize, usize)> = Vec::new();
        for (field, &FieldCounts { players, games, pairs }) in &self.counts {
            let all_met = pairs == players * players.saturating_sub(1) / 2;
            if (players >= FIELD || (players >= size.least() && all_met))
                && games >= thresholds.event_games.max(players)
            {
                large.push((games, *field));
            }
        }
        large.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        large.into_iter().map(|(_, field)| field).collect()
    }

    /// Returns whether the games of any of the given fields are those of a knock-out.
    fn have_knock_out(&self, group: &GameGroup, numbers: &[usize]) -> bool {
        let mut tables: FxHashMap<usize, Vec<[usize; 2]>> = FxHashMap::default();
        for member in &group.members {
            let pair = [member.white, member.black].map(|player| self.place(player));
            tables.entry(self.field_of[pair[0]]).or_default().push(pair);
        }
        numbers.iter().any(|field| {
            let table = &tables[field];
            let players = sorted_unique(table.iter().flatten().copied().collect());
            let pairs: Vec<(usize, usize)> = table
                .iter()
                .map(|pair| {
                    pair.map(|player| players.binary_search(&player).unwrap_or_default()).into()
                })
                .collect();
            recognise_pairs(players.len(), &pairs).kind == Kind::KnockOut
        })
    }
}

/// Cuts a group into fields whose players never met: groups A and B, or men and women, under one
/// tag.
///
/// Fields that are too small for an event join the one with the nearest mean rating. If that is
/// unknown, they join the field with most games.
fn cut_by_field(
    table: &GameTable,
    mut group: GameGroup,
    size: FieldSize,
    thresholds: EventThresholds,
) -> Vec<GameGroup> {
    if let Some(matches) = matches_apart(&group) {
        return matches;
    }
    let players = group.players();
    // In team events, players on different boards seldom meet.
    if players.len() < 2 * size.least()
        || group.teams
        || team_words(&group.key) > TeamWords::None
        || names_countries(&group.base)
    {
        return vec![group];
    }
    let fields = Fields::new(&group, players);
    if fields.counts.len() < 2 {
        return vec![group];
    }
    let large = fields.large(size, thresholds);
    // A knock-out whose final is in another group would be cut into the halves of its bracket.
    if fields.have_knock_out(&group, &large) {
        return split_off_full_brackets(table, group, |member| fields.field_of_member(member));
    }
    if large.len() < 2 {
        return vec![group];
    }
    let reason = format!("one of {} fields with the same tag whose players never met", large.len());
    let members = std::mem::take(&mut group.members);
    group.reasons.push(reason);
    let mut parts: Vec<GameGroup> = large.iter().map(|_| group.clone()).collect();
    let elos = mean_elos(table, &members, |member| fields.field_of_member(member));
    let mut part_of: FxHashMap<usize, usize> =
        large.iter().enumerate().map(|(part, field)| (*field, part)).collect();
    for member in members {
        let field = fields.field_of_member(&member);
        let part = *part_of.entry(field).or_insert_with(|| {
            large
                .iter()
                .enumerate()
                .filter_map(|(part, other)| {
                    Some(((elos.get(&field)? - elos.get(other)?).abs(), part))
                })
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map_or(0, |(_, part)| part)
        });
        parts[part].members.push(member);
    }
    parts
}

/// Cuts a knock-out into the fields with complete brackets, and one group of all other games.
///
/// If no match of a bracket is missing, players who never met its players played in another event.
/// They may also be the other half of the knock-out, if a few of their names are misspelt.
fn split_off_full_brackets(
    table: &GameTable,
    group: GameGroup,
    field: impl Fn(&GroupedGame) -> usize,
) -> Vec<GameGroup> {
    let mut fields: BTreeMap<usize, Vec<GroupedGame>> = BTreeMap::new();
    for member in &group.members {
        fields.entry(field(member)).or_default().push(*member);
    }
    let (full, rest): (Vec<GameGroup>, Vec<GameGroup>) = fields
        .into_values()
        .map(|members| GameGroup { members, ..group.clone() })
        .partition(is_full_bracket);
    if full.is_empty() || rest.is_empty() {
        return vec![group];
    }
    // Two halves of a knock-out whose final is elsewhere are one event.
    let mut joined: Vec<GameGroup> = Vec::new();
    for bracket in full {
        match joined.iter_mut().find(|other| are_halves(table, &bracket, other)) {
            Some(half) => half.members.extend(bracket.members),
            None => joined.push(bracket),
        }
    }
    let reason =
        "a complete knock-out separated from players with the same tag who never met its players";
    let members = rest.into_iter().flat_map(|rest| rest.members).collect();
    let rest = GameGroup { members, ..group.clone() };
    if let [half] = &joined[..]
        && are_halves(table, half, &rest)
    {
        return vec![group];
    }
    let mut parts: Vec<GameGroup> = joined.into_iter().chain([rest]).collect();
    for part in &mut parts {
        part.reasons.push(reason.to_owned());
    }
    parts
}

/// Returns whether two groups may be the halves of a knock-out whose final is elsewhere.
///
/// They are equally large, apart from misspelt names, and equally strong.
fn are_halves(table: &GameTable, one: &GameGroup, other: &GameGroup) -> bool {
    let [players, others] = [one, other].map(|half| half.players().len());
    let [mean, other_mean] =
        [one, other].map(|half| mean_elos(table, &half.members, |_| 0).get(&0).copied());
    let differ =
        mean.zip(other_mean).is_some_and(|(mean, other)| (mean - other).abs() > HALVES_APART);
    players.abs_diff(others) * ONE_MISSPELT_IN <= players && !differ
}

/// At most one in this many names of a half of a knock-out may be a misspelt one too many.
///
/// Judged: one name in a half of eight to fifteen players. With 4, knock-outs of eight and ten
/// players could be two halves of one; with 16, one misspelt name would separate halves of
/// eight players.
const ONE_MISSPELT_IN: usize = 8;

/// The difference of the mean ratings (points) beyond which knock-outs are not two halves of one.
///
/// Judged: seeding makes halves equally strong, and men's and women's knock-outs under one tag
/// differ by more. With 50, a half with missing rating tags could be separated; with 200, a group B
/// could be a half.
const HALVES_APART: f64 = 100.0;

/// Fewest players of a knock-out whose bracket shows that it is complete.
///
/// Judged: seven matches of eight players without a contradiction are seldom a coincidence. Three
/// matches of four players often are; with 16, complete brackets of eight would not be separated.
const BRACKET: usize = 8;

/// Returns whether all matches of a knock-out are known.
///
/// The number of players must be a power of two, at least [`BRACKET`]. There must be one match
/// fewer than players, or equally many with a match for third place. At least one player must have
/// played in every round.
fn is_full_bracket(group: &GameGroup) -> bool {
    let (players, pairs) = (group.players(), group.pairs());
    let rounds = players.len().ilog2() as usize;
    players.len() >= BRACKET
        && players.len().is_power_of_two()
        && (players.len() - 1..=players.len()).contains(&pairs.len())
        && players.iter().any(|player| {
            pairs.iter().filter(|(one, other)| one == player || other == player).count() == rounds
        })
}

/// Computes the mean rating tag (points) of each field with rating tags, weighted by games.
fn mean_elos(
    table: &GameTable,
    members: &[GroupedGame],
    field: impl Fn(&GroupedGame) -> usize,
) -> FxHashMap<usize, f64> {
    let mut sums: FxHashMap<usize, (f64, f64)> = FxHashMap::default();
    for member in members {
        let game = member.game(table);
        for elo in [game.white_elo, game.black_elo].into_iter().filter(|elo| *elo > 0) {
            let sum = sums.entry(field(member)).or_default();
            *sum = (sum.0 + f64::from(elo), sum.1 + 1.0);
        }
    }
    sums.into_iter().map(|(field, (sum, count))| (field, sum / count)).collect()
}
