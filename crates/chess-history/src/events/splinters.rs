//! Joins parts of one event that sources call by different names at one place and time.
//!
//! A collection that was put together from several databases has one event as `Linares 1998`, `It
//! (cat.21)` and `Linares ESP, Linares Anibal 1998`. Each source has some of the games. No name
//! shows that these parts belong together; the players, the days, the rounds and the table do.
//!
//! Each observation is evidence for or against one event, measured in nats: the logarithm of how
//! much more often it occurs in two parts of one event than in two events. The sum decides.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::assembly::is_large_enough;
use super::event_format::recognise_pairs;
use super::group::{GameGroup, counted_games, in_common, sorted_unique};
use super::reattach::is_one_of_places;
use super::telling_name::{name_alike, names_nothing, number_differently, take_more_telling_name};
use super::thresholds::EventThresholds;
use crate::disjoint_sets::DisjointSets;
use crate::games::{GameTable, Round};
use crate::players::PlayerId;
use crate::tournament::Kind;

/// The evidence (nats) beyond which two parts are one event.
///
/// Judged: 5 are odds of 150 to 1. The pairs of a place and time that share most players are about
/// evenly parts and events, so that fewer than one join in a hundred is wrong.
const ENOUGH: f64 = 5.0;

/// Days by which the times of two parts of an event may miss each other.
///
/// Judged: a source dates games by the day after, or by the first day.
pub(super) const NEAR_DAYS: i32 = 2;

/// The share of the players of a part who also play in another part of the event, and in another
/// event of the place and time.
const SHARED: [f64; 2] = [0.9, 0.3];

/// The number of players whose presence is independent evidence. Players come in groups.
const INDEPENDENT_PLAYERS: f64 = 4.0;

/// The share of games of an event that contradict its table: repeated, misdated or of another
/// round by mistake.
const ERRORS: f64 = 0.02;

/// The most evidence (nats) that one table gives, however large. The games of a table are not
/// independent of each other.
const MOST_OF_A_TABLE: f64 = 20.0;

/// The most evidence (nats) against a part that is a whole event alone.
///
/// Judged: like the evidence of a large table, it must not outweigh all other evidence.
const MOST_OF_WHOLE: f64 = 8.0;

/// The evidence (nats) against parts of which one begins after the other ended.
const SUCCESSIVE: f64 = -4.0;

/// The evidence (nats) against parts neither of which has a place. Players meet in one place only a
/// few times a year, and in all places far more often.
const UNKNOWN_PLACE: f64 = -4.0;

/// The same for parts of a match.
///
/// Measured: of 722 classical matches of the bundled archive, five have another of the same pair in
/// the same year and place, and nine in the same year. -0.6 is the logarithm of five ninths.
const UNKNOWN_PLACE_OF_MATCH: f64 = -0.6;

/// The evidence (nats) against parts whose names have other numbers of editions.
///
/// Judged: like a whole table alone. A source rarely numbers an edition wrongly.
const OTHER_EDITION: f64 = -8.0;

/// The most groups of a player in one place and year that are compared. It bounds the time, which
/// grows with the square; a player with more plays on a server.
const MOST_GROUPS: usize = 64;

/// Joins groups that are parts of one event under different names, and marks those that a group of
/// the same players, or one too small for an event, may continue.
pub(super) fn join_splinters(
    table: &GameTable,
    groups: &mut Vec<GameGroup>,
    thresholds: EventThresholds,
) {
    for group in groups.iter_mut() {
        group.may_continue.clear();
    }
    separate_named_matches(table, groups);
    let candidates = candidates(table, groups);
    if candidates.is_empty() {
        return;
    }
    let mut sets = DisjointSets::new(groups.len());
    for (one, other) in &candidates {
        sets.join(*one, *other);
    }
    let mut clusters: BTreeMap<usize, Cluster> = BTreeMap::new();
    for (one, other) in candidates {
        let cluster = clusters.entry(sets.find(one)).or_default();
        cluster.pairs.push((one, other));
    }
    let mut taken: Vec<Option<GameGroup>> = std::mem::take(groups).into_iter().map(Some).collect();
    for cluster in clusters.values_mut() {
        for number in cluster.numbers() {
            cluster.groups.extend(taken[number].take().map(|group| (number, group)));
        }
    }
    let joined: Vec<Vec<(usize, GameGroup)>> =
        clusters.into_par_iter().map(|(_, cluster)| cluster.join(table, thresholds)).collect();
    for (number, group) in joined.into_iter().flatten() {
        taken[number] = Some(group);
    }
    groups.extend(taken.into_iter().flatten());
}

/// Separates the matches that other sources name from groups of several matches.
///
/// A source may call all matches of a cycle in one place by one name. Each of their players meets
/// one opponent only.
fn separate_named_matches(table: &GameTable, groups: &mut Vec<GameGroup>) {
    let mut named: FxHashSet<(String, i16, (PlayerId, PlayerId))> = FxHashSet::default();
    for group in groups.iter().filter(|group| group.members.len() >= 2 && !group.teams) {
        if let ([pair], Some(year)) = (&group.pairs()[..], group.first_year(table)) {
            named.insert((group.site_key.clone(), year, *pair));
        }
    }
    let mut separated: Vec<GameGroup> = Vec::new();
    for group in groups.iter_mut().filter(|group| !group.teams) {
        let pairs = group.pairs();
        let Some(year) = group.first_year(table).filter(|_| pairs.len() > 1) else { continue };
        if 2 * pairs.len() != group.players().len() {
            continue;
        }
        for pair in pairs {
            if named.contains(&(group.site_key.clone(), year, pair)) {
                let is_of_pair =
                    |white: PlayerId, black: PlayerId| (white.min(black), white.max(black)) == pair;
                let games = group.members.extract_if(.., |game| is_of_pair(game.white, game.black));
                let members = games.collect();
                separated.push(GameGroup { members, ..group.clone() });
            }
        }
    }
    groups.retain(|group| !group.members.is_empty());
    groups.extend(separated);
}

/// Returns the pairs of groups of one place and time that share at least two players.
///
/// Groups are compared only if they share a player, a year and a word of their place, so that the
/// time does not grow with the square of the groups of a year.
fn candidates(table: &GameTable, groups: &[GameGroup]) -> Vec<(usize, usize)> {
    let mut words: FxHashMap<&str, u32> = FxHashMap::default();
    for group in groups {
        for word in words_of_place(group) {
            let number = words.len() as u32;
            words.entry(word).or_insert(number);
        }
    }
    let mut entries: Vec<(u32, i16, PlayerId, u32)> = groups
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, group)| {
            let mut entries = Vec::new();
            let has_no_place = group.site_key.is_empty();
            let years = group.years(table).filter(|_| !(group.teams && has_no_place));
            if let Some((first, last)) = years {
                let players = group.players();
                for word in words_of_place(group).filter_map(|word| words.get(word)) {
                    for year in first..=last.min(first + 1) {
                        let of_year = players.iter();
                        entries.extend(of_year.map(|player| (*word, year, *player, number as u32)));
                    }
                }
            }
            entries
        })
        .collect();
    entries.par_sort_unstable();
    let mut shared: FxHashSet<(usize, usize, PlayerId)> = FxHashSet::default();
    for of_player in entries.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
        if of_player.len() > MOST_GROUPS {
            continue;
        }
        for (place, one) in of_player.iter().enumerate() {
            for other in &of_player[place + 1..] {
                shared.insert((one.3 as usize, other.3 as usize, one.2));
            }
        }
    }
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (one, other, _) in shared {
        *counts.entry((one, other)).or_default() += 1;
    }
    let counts = counts.into_iter().filter(|(_, shared)| *shared >= 2);
    counts.map(|(pair, _)| pair).collect()
}

/// Returns the words of a place that few other places have.
fn words_of_place(group: &GameGroup) -> impl Iterator<Item = &str> {
    let has_long = group.site_key.split(' ').any(|word| word.len() > 3);
    group.site_key.split(' ').filter(move |word| word.len() > 3 || !has_long)
}

/// Groups any two of which may be parts of one event, directly or by others.
#[derive(Default)]
struct Cluster {
    /// The pairs to compare, by the numbers of the groups.
    pairs: Vec<(usize, usize)>,
    /// The groups with their numbers.
    groups: Vec<(usize, GameGroup)>,
}

impl Cluster {
    fn numbers(&self) -> Vec<usize> {
        sorted_unique(self.pairs.iter().flat_map(|(one, other)| [*one, *other]).collect())
    }

    /// Joins the two parts with the strongest evidence until no two are one event.
    fn join(self, table: &GameTable, thresholds: EventThresholds) -> Vec<(usize, GameGroup)> {
        let mut parts: FxHashMap<usize, Part> = FxHashMap::default();
        for (number, group) in self.groups {
            parts.insert(number, Part::new(table, group));
        }
        let mut scores: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (one, other) in self.pairs {
            scores.insert((one, other), evidence(&parts[&one], &parts[&other]));
        }
        loop {
            let best = scores.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
            let Some((&pair, &score)) = best else { break };
            if score < ENOUGH {
                break;
            }
            join_pair(table, &mut parts, &mut scores, pair);
        }
        join_by_names(table, &mut parts, &mut scores);
        for ((one, other), _) in scores.into_iter().filter(|(_, score)| *score > 0.0) {
            for (number, other) in [(one, other), (other, one)] {
                let (part, other) = (&parts[&number], &parts[&other]);
                // A larger group with other players is an event of its own.
                let is_part = other.players == part.players
                    || !is_large_enough(&other.group, thresholds)
                        && common(&other.players, &part.players) == other.players;
                if !is_part {
                    continue;
                }
                let name = other.group.base.clone();
                parts.entry(number).and_modify(|part| part.group.may_continue.push(name));
            }
        }
        parts.into_iter().map(|(number, part)| (number, part.group)).collect()
    }
}

/// Joins the second part with the first, and compares the union with the others. Returns the pairs
/// that were compared.
fn join_pair(
    table: &GameTable,
    parts: &mut FxHashMap<usize, Part>,
    scores: &mut BTreeMap<(usize, usize), f64>,
    (one, other): (usize, usize),
) -> Vec<(usize, usize)> {
    let Some((kept, absorbed)) = parts.remove(&one).zip(parts.remove(&other)) else {
        return Vec::new();
    };
    parts.insert(one, kept.joined_with(table, absorbed));
    let mut neighbours: Vec<usize> = Vec::new();
    scores.retain(|(a, b), _| {
        for (place, next) in [(a, b), (b, a)] {
            if [one, other].contains(place) && ![one, other].contains(next) {
                neighbours.push(*next);
            }
        }
        ![*a, *b].contains(&one) && ![*a, *b].contains(&other)
    });
    let compared = sorted_unique(neighbours).into_iter().map(|next| (one.min(next), one.max(next)));
    let compared: Vec<(usize, usize)> = compared.collect();
    for pair in &compared {
        scores.insert(*pair, evidence(&parts[&pair.0], &parts[&pair.1]));
    }
    compared
}

/// Joins parts of one event whose tables show too little of it: their names say the same, or one of
/// them says nothing and the other is the only one that may be of the event.
fn join_by_names(
    table: &GameTable,
    parts: &mut FxHashMap<usize, Part>,
    scores: &mut BTreeMap<(usize, usize), f64>,
) {
    let mut possible: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut compared: Vec<(usize, usize)> = scores.keys().copied().collect();
    loop {
        compared.retain(|(one, other)| may_be_of_one_event(&parts[one], &parts[other]));
        possible.extend(compared);
        let Some(pair) = named_alike_or_nameless(parts, &possible) else { return };
        let joined = [pair.0, pair.1];
        possible.retain(|(one, other)| !joined.contains(one) && !joined.contains(other));
        compared = join_pair(table, parts, scores, pair);
    }
}

/// Finds a pair of parts to join, among those that may be of one event.
fn named_alike_or_nameless(
    parts: &FxHashMap<usize, Part>,
    possible: &BTreeSet<(usize, usize)>,
) -> Option<(usize, usize)> {
    let mut of_nameless: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for &(one, other) in possible {
        let (first, second) = (&parts[&one], &parts[&other]);
        if name_alike(&first.group, &second.group) {
            return Some((one, other));
        }
        if first.is_nameless != second.is_nameless {
            let nameless = if first.is_nameless { one } else { other };
            of_nameless.entry(nameless).or_default().push((one, other));
        }
    }
    of_nameless.into_values().find(|pairs| pairs.len() == 1).map(|pairs| pairs[0])
}

/// The share of the players of the smaller part who are in the other, if the parts have few games
/// of each player.
///
/// Measured: the events of 427,000 games were each divided among three sources at random. Where a
/// part shares two players and a fifth of its players with one part of the same place and time, and
/// with no other, 2,940 of 3,031 such pairs are of one event. With a tenth, 9 of 10.
const SHARED_OF_FEW_GAMES: f64 = 0.2;

/// The games per player of both parts below which their tables show too little. With more games
/// their places decide.
///
/// Judged: a round robin of four, the smallest table, has 1.5.
const FEW_GAMES: f64 = 1.5;

/// Returns whether the players, place and time of two parts may be those of one event, and no game
/// contradicts it.
fn may_be_of_one_event(one: &Part, other: &Part) -> bool {
    let (large, small) =
        if one.rows.len() >= other.rows.len() { (one, other) } else { (other, one) };
    let Some(((first, last), (from, to))) = large.span.zip(small.span) else { return false };
    let smaller = large.players.len().min(small.players.len());
    if smaller <= 2
        || large.is_whole
        || small.is_whole
        || large.group.site_key.is_empty()
        || (from - last).get_days() > NEAR_DAYS
        || (first - to).get_days() > NEAR_DAYS
        || !are_of_one_place(&large.group.site_key, &small.group.site_key)
    {
        return false;
    }
    let shared = common(&large.players, &small.players);
    let all = large.players.len() + small.players.len() - shared.len();
    let games = large.rows.len() + small.rows.len();
    shared.len() >= 2
        && shared.len() as f64 >= SHARED_OF_FEW_GAMES * smaller as f64
        && (games as f64) < FEW_GAMES * all as f64
        && in_common(&large.rows, &small.rows) == 0
        && in_common(&large.pairings, &small.pairings) == 0
        && !number_differently(&large.group.base, &small.group.base)
        && of_times(large, small, &shared) >= 0.0
}

/// A group with the properties that are compared.
struct Part {
    group: GameGroup,
    /// The first and the last day that its dates may mean.
    span: Option<(Date, Date)>,
    /// Whether nearly all dates have a day.
    has_days: bool,
    players: Vec<PlayerId>,
    /// The (White, Black) pairs.
    pairings: Vec<(PlayerId, PlayerId)>,
    /// The rounds of each player; empty if they say nothing.
    rounds: Vec<(PlayerId, Round)>,
    /// The days of each player.
    days: Vec<(PlayerId, Date)>,
    /// The pairs without colours.
    pairs: Vec<(PlayerId, PlayerId)>,
    /// The rows of the games.
    rows: Vec<usize>,
    /// Whether it is a whole round robin or knock-out alone.
    is_whole: bool,
    /// Whether its name says nothing of the event.
    is_nameless: bool,
}

impl Part {
    fn new(table: &GameTable, group: GameGroup) -> Part {
        let dates = group.members.iter().map(|member| member.game(table).date);
        let dates: Vec<_> = dates.filter(|date| date.year().is_some()).collect();
        let known = dates.iter().filter(|date| date.known_parts() == 3).count();
        let first = dates.iter().filter_map(|date| date.earliest()).min();
        let last = dates.iter().filter_map(|date| date.latest()).max();
        let mut days: Vec<(PlayerId, Date)> = Vec::new();
        for member in &group.members {
            if let Some(day) = member.game(table).date.day_exact() {
                days.extend([(member.white, day), (member.black, day)]);
            }
        }
        Part {
            span: first.zip(last),
            has_days: 10 * known >= 9 * group.members.len(),
            players: group.players(),
            pairings: group.pairings(),
            pairs: group.pairs(),
            rows: sorted_unique(group.members.iter().map(|member| member.row).collect()),
            rounds: telling_rounds(&group),
            days: sorted_unique(days),
            is_whole: is_whole(&group),
            is_nameless: names_nothing(&group),
            group,
        }
    }

    /// Joins it with another part of the event, whose name it takes if that says more.
    fn joined_with(self, table: &GameTable, other: Part) -> Part {
        let (mut group, mut other) = (self.group, other.group);
        for part in [&mut group, &mut other] {
            if has_one_round(part) {
                for member in &mut part.members {
                    member.round = Round::UNKNOWN;
                }
            }
        }
        let reason = format!(
            "joined with \"{}\": {} of the same players at the same place and time",
            other.base,
            counted_games(other.members.len())
        );
        take_more_telling_name(&mut group, &other);
        group.teams |= other.teams;
        group.with_team_tags |= other.with_team_tags;
        group.has_pairs_of_teams |= other.has_pairs_of_teams;
        group.absorb(other, reason);
        Part::new(table, group)
    }
}

/// Returns whether all games have the number that a source gives to all games: the first, or one in
/// which a player has several.
fn has_one_round(group: &GameGroup) -> bool {
    let Some(first) = group.members.first().map(|member| member.round) else { return false };
    group.members.iter().all(|member| member.round == first)
        && (first.number() == Some(1) || 2 * group.members.len() > group.players().len())
}

/// Returns the rounds of each player. They are empty if all are equal, or if many players have two
/// games in one.
fn telling_rounds(group: &GameGroup) -> Vec<(PlayerId, Round)> {
    let with_round = group.members.iter().filter(|member| member.round.is_known());
    let number = |round: Round| Round::of_number(round.number().unwrap_or_default());
    let rounds: Vec<(PlayerId, Round)> = with_round
        .flat_map(|member| [(member.white, member.round), (member.black, member.round)])
        .map(|(player, round)| (player, number(round)))
        .collect();
    let all = rounds.len();
    let rounds = sorted_unique(rounds);
    let first = rounds.first().map(|(_, round)| *round);
    let differ = rounds.iter().any(|(_, round)| Some(*round) != first);
    if differ && 20 * rounds.len() >= 17 * all { rounds } else { Vec::new() }
}

/// Returns whether a group of more than two players is a whole round robin or knock-out.
fn is_whole(group: &GameGroup) -> bool {
    let players = group.players();
    let place = |player: PlayerId| players.binary_search(&player).unwrap_or_default();
    let pairs: Vec<(usize, usize)> =
        group.members.iter().map(|member| (place(member.white), place(member.black))).collect();
    if players.len() < 4 {
        return false;
    }
    let found = recognise_pairs(players.len(), &pairs);
    (found.kind.is_round_robin() || found.kind == Kind::KnockOut)
        && found.missing.is_empty()
        && found.placed_games == pairs.len()
}

/// Returns the evidence (nats) that two parts are one event.
///
/// Negative infinity means that they are not compared. Parts that share games are joined as copies.
fn evidence(one: &Part, other: &Part) -> f64 {
    let one_is_large = one.rows.len() >= other.rows.len();
    let (large, small) = if one_is_large { (one, other) } else { (other, one) };
    if large.group.teams || small.group.teams {
        return f64::NEG_INFINITY;
    }
    let shared = common(&large.players, &small.players);
    if 2 * shared.len() <= small.players.len()
        || !are_of_one_place(&large.group.site_key, &small.group.site_key)
        || in_common(&large.rows, &small.rows) > 0
    {
        return f64::NEG_INFINITY;
    }
    let Some(((first, last), (from, to))) = large.span.zip(small.span) else {
        return f64::NEG_INFINITY;
    };
    if (from - last).get_days() > NEAR_DAYS || (first - to).get_days() > NEAR_DAYS {
        return f64::NEG_INFINITY;
    }
    let mut sum = of_players(shared.len(), small.players.len());
    let is_match = large.players.len() == 2 && small.players.len() == 2;
    if large.group.site_key.is_empty() {
        sum += if is_match { UNKNOWN_PLACE_OF_MATCH } else { UNKNOWN_PLACE };
    }
    if large.has_days && small.has_days && (from > last || first > to) {
        sum += SUCCESSIVE;
    }
    if number_differently(&large.group.base, &small.group.base) {
        sum += OTHER_EDITION;
    }
    for part in [large, small] {
        if part.is_whole {
            sum -= of_whole(part.pairs.len());
        }
    }
    if is_match {
        return sum + of_numbers(large, small) + of_colours(large, small);
    }
    sum += of_table(large, small, &shared) + of_times(large, small, &shared);
    let decides = sum < ENOUGH && sum + FILLED_GAPS >= ENOUGH;
    if decides && are_whole_together(&large.group, &small.group) { sum + FILLED_GAPS } else { sum }
}

/// Returns whether two groups together are a whole round robin or knock-out.
fn are_whole_together(one: &GameGroup, other: &GameGroup) -> bool {
    let members = one.members.iter().chain(&other.members).copied().collect();
    is_whole(&GameGroup { members, ..one.clone() })
}

/// Returns whether two places are one, or one is among several places of the other.
pub(super) fn are_of_one_place(one: &str, other: &str) -> bool {
    one == other || is_one_of_places(one, other) || is_one_of_places(other, one)
}

/// Returns the evidence of the pairing table.
///
/// The event may be a tournament in which no pair meets twice with the same colours, or a set of
/// matches, in which the same pairs meet again and again. The more probable one counts.
fn of_table(large: &Part, small: &Part, shared: &[PlayerId]) -> f64 {
    let is_single = [large, small].iter().all(|part| part.pairs.len() == part.rows.len());
    let [of_large, of_small] = [large, small].map(|part| within(&part.pairs, shared));
    let places = shared.len() as f64 * (shared.len() as f64 - 1.0) / 2.0;
    let of_tournament = if is_single {
        of_free_places(&of_large, &of_small, places)
    } else {
        let [of_large, of_small] = [large, small].map(|part| within(&part.pairings, shared));
        of_free_places(&of_large, &of_small, 2.0 * places)
    };
    let density = (of_large.len() as f64 / places.max(1.0)).clamp(0.01, 0.95);
    let again = in_common(&of_large, &of_small) as f64;
    let others = of_small.len() as f64 - again;
    let of_matches =
        again * (AGAIN / density).ln() + others * ((1.0 - AGAIN) / (1.0 - density)).ln();
    of_tournament.max(of_matches.min(MOST_OF_A_TABLE))
}

/// The share of the pairs of a part of a knock-out that also meet in another part.
///
/// Judged: half of the matches of two games have one in each of two sources.
const AGAIN: f64 = 0.5;

/// Returns the pairs both of whose players are in a list.
fn within(pairs: &[(PlayerId, PlayerId)], players: &[PlayerId]) -> Vec<(PlayerId, PlayerId)> {
    let is_in = |player: &PlayerId| players.binary_search(player).is_ok();
    pairs.iter().copied().filter(|(one, other)| is_in(one) && is_in(other)).collect()
}

/// Returns the evidence of the rounds of the common players, or of their days if rounds say
/// nothing. No player has two games in one.
fn of_times(large: &Part, small: &Part, shared: &[PlayerId]) -> f64 {
    if !large.rounds.is_empty() && !small.rounds.is_empty() {
        of_moments(&large.rounds, &small.rounds, shared)
    } else if large.has_days && small.has_days {
        of_moments(&large.days, &small.days, shared)
    } else {
        0.0
    }
}

fn of_moments<T: Copy + Ord>(
    large: &[(PlayerId, T)],
    small: &[(PlayerId, T)],
    shared: &[PlayerId],
) -> f64 {
    let moments = sorted_unique(large.iter().chain(small).map(|(_, moment)| *moment).collect());
    let places = (shared.len() * moments.len()) as f64;
    of_free_places(&of_shared(large, shared), &of_shared(small, shared), places)
}

/// Returns the common elements of two sorted lists.
fn common(one: &[PlayerId], other: &[PlayerId]) -> Vec<PlayerId> {
    one.iter().copied().filter(|player| other.binary_search(player).is_ok()).collect()
}

/// Returns the evidence (nats) against a part in which each of `pairs` pairs met once.
///
/// By chance, half of the games of a double round robin are so distributed in one of
/// 2^p / sqrt(pi p) cases. The number of cases is that of Stirling's formula.
fn of_whole(pairs: usize) -> f64 {
    let pairs = pairs as f64;
    let cases = pairs * std::f64::consts::LN_2 - (std::f64::consts::PI * pairs).ln() / 2.0;
    cases.min(MOST_OF_WHOLE)
}

/// Keeps the entries of some players.
fn of_shared<T: Copy>(entries: &[(PlayerId, T)], shared: &[PlayerId]) -> Vec<(PlayerId, T)> {
    entries.iter().copied().filter(|(player, _)| shared.binary_search(player).is_ok()).collect()
}

/// Returns the evidence of the players whom both parts have.
fn of_players(shared: usize, players: usize) -> f64 {
    let share = shared as f64 / players as f64;
    let [of_part, of_event] = SHARED;
    INDEPENDENT_PLAYERS.min(players as f64)
        * (share * (of_part / of_event).ln()
            + (1.0 - share) * ((1.0 - of_part) / (1.0 - of_event)).ln())
}

/// Returns the evidence of a table with `places` places, of which both parts have some.
///
/// The games of one event have different places. Those of another event have places at random, so
/// that as many are taken as the larger part has of all.
fn of_free_places<T: Ord>(large: &[T], small: &[T], places: f64) -> f64 {
    if places <= 0.0 {
        return 0.0;
    }
    let density = (large.len() as f64 / places).clamp(0.0, 0.95);
    let taken = in_common(large, small) as f64;
    let free = small.len() as f64 - taken;
    let for_taken = if taken > 0.0 { taken * (ERRORS / density).ln() } else { 0.0 };
    let sum = for_taken + free * ((1.0 - ERRORS) / (1.0 - density)).ln();
    sum.clamp(-MOST_OF_A_TABLE, MOST_OF_A_TABLE)
}

/// Returns the evidence of the numbers of the games of two parts of a match.
fn of_numbers(large: &Part, small: &Part) -> f64 {
    /// Measured: of 722 classical matches of the bundled archive, five have another of the same
    /// pair in the same place and year. That is one in 140, the logarithm of which is 4.9.
    const ONE_PAIR: f64 = 5.0;
    let numbers = |part: &Part| -> Vec<Round> {
        let rounds = part.group.members.iter().map(|member| member.round);
        let mut rounds: Vec<Round> = rounds.filter(|round| round.is_known()).collect();
        rounds.sort_unstable();
        rounds.dedup();
        // A source may give the number 1 to every game.
        let is_default = match rounds[..] {
            [only] => only.number() == Some(1) || part.rows.len() > 1,
            _ => false,
        };
        if is_default { Vec::new() } else { rounds }
    };
    let (of_large, of_small) = (numbers(large), numbers(small));
    let last = of_large.iter().chain(&of_small).filter_map(|round| round.number()).max();
    let mut sum =
        ONE_PAIR + of_free_places(&of_large, &of_small, f64::from(last.unwrap_or_default()));
    let all = large.rows.len() + small.rows.len();
    for (part, numbers) in [(large, &of_large), (small, &of_small)] {
        let are_first = (1..).zip(numbers).all(|(place, round)| round.number() == Some(place));
        if are_first && numbers.len() == part.rows.len() {
            sum -= ln_of_choices(all, numbers.len());
        }
    }
    // One part has numbers with gaps, and the other has as many games without numbers.
    let numbered = [(large, &of_large), (small, &of_small)];
    let is_filled = (of_large.is_empty() || of_small.is_empty())
        && all == usize::from(last.unwrap_or_default())
        && numbered.iter().any(|(part, numbers)| numbers.len() == part.rows.len());
    if is_filled { sum + FILLED_GAPS } else { sum }
}

/// The evidence (nats) of games that are as many as another part of a match lacks, or that make its
/// table whole.
///
/// Judged: half of the parts of one match are as many, and one in ten of other matches, which have
/// ten usual lengths. 1.6 is the logarithm of five.
const FILLED_GAPS: f64 = 1.6;

/// Returns the evidence of the colours of two parts of a match.
///
/// Players have White in turn, so a match has as many games with one player as White as with the
/// other, or one more. Parts of it have any number.
fn of_colours(large: &Part, small: &Part) -> f64 {
    let [of_large, of_small] = [large, small].map(|part| {
        let whites = part.group.members.iter().filter(|game| game.white == part.players[0]);
        let whites = whites.count();
        Colours { whites, blacks: part.group.members.len() - whites }
    });
    let sum = Colours {
        whites: of_large.whites + of_small.whites,
        blacks: of_large.blacks + of_small.blacks,
    };
    let split = ln_of_choices(sum.whites, of_small.whites)
        + ln_of_choices(sum.blacks, of_small.blacks)
        - ln_of_choices(sum.whites + sum.blacks, of_small.whites + of_small.blacks);
    sum.chance().ln() + split - of_large.chance().ln() - of_small.chance().ln()
}

/// How many games of a match one of its players has with White, and with Black.
#[derive(Clone, Copy)]
struct Colours {
    whites: usize,
    blacks: usize,
}

impl Colours {
    /// Returns the chance of these numbers in a match.
    ///
    /// Measured: of 760 matches of four games or more in the bundled archive, 76% have as many
    /// games with one player as White as with the other, 20% have one more with one of them, and
    /// few have a greater difference. Judged: half of the matches lack games at random.
    fn chance(self) -> f64 {
        let all = self.whites + self.blacks;
        let of_whole = match self.whites.abs_diff(self.blacks) {
            _ if all == 1 => 0.5,
            0 => 0.76,
            1 => 0.1,
            2 => 0.01,
            _ => 0.005,
        };
        let of_part = (ln_of_choices(all, self.whites) - all as f64 * std::f64::consts::LN_2).exp();
        (of_whole + of_part) / 2.0
    }
}

/// Returns the logarithm of the number of ways to choose some of all games. By chance, the games of
/// a part are the first ones of the match in one of them.
fn ln_of_choices(all: usize, chosen: usize) -> f64 {
    (1..=chosen).map(|one| ((all - chosen + one) as f64 / one as f64).ln()).sum()
}
