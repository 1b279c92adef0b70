//! Cuts groups into the fields and matches that share a tag.
//!
//! A source may call groups A and B, men and women, or several matches by one name. Their players
//! never meet.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::event_format::recognise_pairs;
use super::group::{GameGroup, GroupedGame, sorted_unique};
use super::pairs_of_teams::{are_boards_of_teams, are_matches_of_teams};
use super::tag::{TeamWords, names_countries, names_match, team_words};
use super::thresholds::EventThresholds;
use crate::disjoint_sets::DisjointSets;
use crate::games::GameTable;
use crate::players::PlayerId;
use crate::tournament::Kind;

/// Fewest players of a field that is a separate event.
///
/// Judged: if a source has few games of an open, small sets of its players are separate by chance.
/// With 3, such sets would be events; with 12, a group B of ten players would stay in group A.
pub(super) const FIELD: usize = 6;

/// Fewest players of a field that is a separate event, if all its players met each other.
///
/// Judged: four players who met once played six games, by default the fewest of an event
/// ([`EventThresholds::event_games`]). With 8, groups of four to seven players would stay together.
const WHOLE_FIELD: usize = 4;

/// The fewest fields that are the boards of a competition of teams.
///
/// Judged: team matches have at least three boards. With 2, a complete group A next to a group B
/// with gaps would be a competition of teams.
const BOARDS: usize = 3;

/// The sizes of fields to look for. Small fields can be recognised only after copies of games have
/// joined the groups that they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldSize {
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
pub(super) fn cut_into_matches(groups: &mut Vec<GameGroup>) -> bool {
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

    /// Returns the games of each field.
    fn games(&self, group: &GameGroup) -> Vec<Vec<GroupedGame>> {
        let mut games: BTreeMap<usize, Vec<GroupedGame>> = BTreeMap::new();
        for member in &group.members {
            games.entry(self.field_of_member(member)).or_default().push(*member);
        }
        games.into_values().collect()
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

    /// Returns whether the fields are the boards of a competition of teams without team tags: at
    /// least [`BOARDS`] of about one size, of which some are whole round robins and most are not.
    fn are_boards(&self) -> bool {
        let counts = self.counts.values();
        let (whole, others): (Vec<&FieldCounts>, Vec<&FieldCounts>) = counts
            .filter(|field| field.players >= WHOLE_FIELD - 1)
            .partition(|field| field.pairs == field.players * (field.players - 1) / 2);
        let Some(largest) = whole.iter().map(|field| field.players).max() else { return false };
        let boards = others.iter().filter(|field| field.players.abs_diff(largest) <= 2).count();
        boards == others.len() && boards > whole.len() && boards + whole.len() >= BOARDS
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
pub(super) fn cut_by_field(
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
    if are_matches_of_teams(table, &group.members, &players) {
        mark_as_teams(&mut group);
        return vec![group];
    }
    let fields = Fields::new(&group, players);
    if fields.counts.len() < 2 {
        return vec![group];
    }
    if are_boards_of_teams(table, &fields.games(&group)) {
        mark_as_teams(&mut group);
        return vec![group];
    }
    if fields.are_boards() {
        return vec![group];
    }
    let large = fields.large(size, thresholds);
    // A knock-out whose final is in another group would be cut into the halves of its bracket.
    if fields.have_knock_out(&group, &large) {
        return split_off_full_brackets(table, &group, fields.games(&group));
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

fn mark_as_teams(group: &mut GameGroup) {
    group.teams = true;
    group.has_pairs_of_teams = true;
    group.reasons.push("in each round the pairings are those of matches of teams".to_owned());
}

/// Cuts a knock-out into the fields with complete brackets, and one group of all other games.
///
/// If no match of a bracket is missing, players who never met its players played in another event.
/// They may also be the other half of the knock-out, if a few of their names are misspelt.
fn split_off_full_brackets(
    table: &GameTable,
    group: &GameGroup,
    fields: Vec<Vec<GroupedGame>>,
) -> Vec<GameGroup> {
    let (full, rest): (Vec<GameGroup>, Vec<GameGroup>) = fields
        .into_iter()
        .map(|members| GameGroup { members, ..group.clone() })
        .partition(is_full_bracket);
    if full.is_empty() || rest.is_empty() {
        return vec![group.clone()];
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
        return vec![group.clone()];
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
