//! Which games belong together.
//!
//! First by tags: the event's own name (without the mark of a segment), the place, and the time.
//! Then mended by what the pairings show: an event over New Year, a place spelt in two ways,
//! play-offs and games of withdrawn players under tags of their own.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::copies::join_copies;
use super::kind::Kind;
use super::orphans::bring_home;
use super::recognised::recognise_pairs;
use super::repeated::take_out_repeated;
use super::tag::{EventTag, SegmentKind, SiteTag, is_of_teams, names_countries};
use super::thresholds::EventThresholds;
use crate::games::{Duplicate, Game, GameTable, NameId, Signs};
use crate::players::{PlayerId, Players};

/// A game in a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Row of the game table.
    pub row: usize,
    /// The row whose tags put it here: that, or a copy of it.
    pub tags: usize,
    pub white: PlayerId,
    pub black: PlayerId,
    pub segment: SegmentKind,
    /// The stage of a cycle, in the order of playing; 0 where there are none.
    pub stage: u8,
}

/// Games that belong together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The event's own name as its main games spell it.
    pub base: String,
    pub key: String,
    pub city: String,
    pub site_key: String,
    /// Whether the tags of most games name teams.
    pub teams: bool,
    pub members: Vec<Member>,
    /// What was mended, for people.
    pub reasons: Vec<String>,
}

impl Group {
    /// The field, each player once, in order.
    pub fn players(&self) -> Vec<PlayerId> {
        let mut players: Vec<PlayerId> = Vec::with_capacity(2 * self.members.len());
        players.extend(self.members.iter().flat_map(|member| [member.white, member.black]));
        sorted(players)
    }

    /// (White, Black) pairs, each once, in order.
    fn pairings(&self) -> Vec<(PlayerId, PlayerId)> {
        sorted(self.members.iter().map(|member| (member.white, member.black)).collect())
    }

    /// Pairs without colours, each once, in order.
    fn pairs(&self) -> Vec<(PlayerId, PlayerId)> {
        let members = self.members.iter();
        sorted(
            members
                .map(|member| (member.white.min(member.black), member.white.max(member.black)))
                .collect(),
        )
    }

    pub fn first_year(&self, table: &GameTable) -> Option<i16> {
        self.years(table).map(|(first, _)| first)
    }

    /// First and last year.
    pub fn years(&self, table: &GameTable) -> Option<(i16, i16)> {
        let years = self.members.iter().filter_map(|member| table.games()[member.row].date.year());
        years.fold(None, |span, year| match span {
            None => Some((year, year)),
            Some((first, last)) => Some((year.min(first), year.max(last))),
        })
    }

    pub fn absorb(&mut self, other: Group, reason: String) {
        self.members.extend(other.members);
        self.reasons.extend(other.reasons);
        self.reasons.push(reason);
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

/// How many two sorted lists have in common.
pub(super) fn in_common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => (i, j, both) = (i + 1, j + 1, both + 1),
        }
    }
    both
}

/// Groups the given rows of the table; each copy of a game speaks with its own tags.
///
/// Also the games that are there twice with other moves or dates.
pub(super) fn group(
    table: &GameTable,
    rows: &[usize],
    copies: &[Duplicate],
    players: &Players,
    thresholds: EventThresholds,
) -> (Vec<Group>, Vec<Duplicate>) {
    let (mains, mut segments) = by_tags(table, rows, copies, players, thresholds);
    let mains: Vec<Group> = mains.into_values().collect();
    let mut groups: Vec<Group> = mains
        .into_par_iter()
        .flat_map_iter(|group| by_time(table, group, thresholds))
        .flat_map_iter(|group| by_field(table, group, thresholds))
        .collect();
    let mut repeated = Vec::new();
    if !copies.is_empty() {
        repeated = join_copies(table, &mut groups, &mut segments, thresholds);
        segments.retain(|segment| !segment.members.is_empty());
    }
    join_misdated(table, &mut groups);
    join_over_new_year(table, &mut groups);
    join_places(table, &mut groups);
    bring_home(table, &mut groups, thresholds);
    attach_segments(table, &mut groups, segments);
    let found: Vec<Vec<Duplicate>> = groups
        .par_iter_mut()
        .map(|group| {
            let found = take_out_repeated(table, group);
            group.members.sort_by_key(|member| member.row);
            found
        })
        .collect();
    repeated.extend(found.into_iter().flatten());
    (groups, ends(repeated))
}

/// Repeated games, each once and with the game that stays in the end.
fn ends(mut repeated: Vec<Duplicate>) -> Vec<Duplicate> {
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

/// Stands for all places of a competition of teams.
const TEAMS_SITE: &str = "\u{0}teams";

/// Days without a game after which a competition of teams has ended; leagues pause for months.
const TEAMS_GAP_DAYS: i32 = 100;

type ByTags = BTreeMap<(String, String, SegmentKind), Group>;

/// Main games and segments by name and place.
fn by_tags(
    table: &GameTable,
    rows: &[usize],
    copies: &[Duplicate],
    players: &Players,
    thresholds: EventThresholds,
) -> (ByTags, Vec<Group>) {
    let original: FxHashMap<usize, usize> =
        copies.iter().map(|copy| (copy.game, copy.kept)).collect();
    let mut all: Vec<usize> = rows.iter().copied().chain(original.keys().copied()).collect();
    all.sort_unstable();
    let mut events: FxHashMap<NameId, EventTag> = FxHashMap::default();
    let mut sites: FxHashMap<NameId, SiteTag> = FxHashMap::default();
    let mut groups: ByTags = BTreeMap::new();
    for same in super::same_tags::by_tags(table, all) {
        let event =
            events.entry(same.event).or_insert_with(|| EventTag::parse(table.text(same.event)));
        let site = sites.entry(same.site).or_insert_with(|| SiteTag::parse(table.text(same.site)));
        // A league plays in many towns.
        let with_teams = same
            .rows
            .iter()
            .filter(|row| table.games()[**row as usize].signs.contains(Signs::TEAMS));
        let teams = 2 * with_teams.count() > same.rows.len() && !event.key.is_empty();
        let (base, key) = match event.base.is_empty() {
            true => (site.broadcast.as_str(), site.broadcast.as_str()),
            false => (event.base.as_str(), event.key.as_str()),
        };
        let site_key = if teams { TEAMS_SITE } else { site.key.as_str() };
        let slot = (key.to_owned(), site_key.to_owned(), event.segment);
        let group = groups.entry(slot).or_insert_with(|| Group {
            base: base.to_owned(),
            key: key.to_owned(),
            city: site.city.clone(),
            site_key: site.key.clone(),
            teams,
            members: Vec::new(),
            reasons: Vec::new(),
        });
        if group.site_key != site.key {
            group.city.clear();
            group.site_key.clear();
        }
        for row in same.rows {
            let tags = row as usize;
            let row = original.get(&tags).copied().unwrap_or(tags);
            let game: &Game = &table.games()[row];
            if let (Some(white), Some(black)) =
                (players.of_name(game.white), players.of_name(game.black))
            {
                let segment = event.segment;
                group.members.push(Member { row, tags, white, black, segment, stage: 0 });
            }
        }
    }
    groups.retain(|_, group| !group.members.is_empty());
    for group in groups.values_mut() {
        group.members.sort_by_key(|member| (member.row, member.tags));
        group.members.dedup_by_key(|member| member.row);
    }
    let mut segments = Vec::new();
    groups.retain(|(_, _, segment), group| {
        if *segment == SegmentKind::Main {
            return true;
        }
        segments.extend(by_time(table, group.clone(), thresholds));
        false
    });
    (groups, segments)
}

/// Cuts a group where time passes without games.
///
/// Games with a month at least are strung by date; a longer gap cuts, unless their EventDate tags
/// are the same. Games with a year alone go by year, to the largest string of that year.
fn by_time(table: &GameTable, mut group: Group, thresholds: EventThresholds) -> Vec<Group> {
    let gap_days = match group.teams {
        true => TEAMS_GAP_DAYS.max(thresholds.gap_days.into()),
        false => thresholds.gap_days.into(),
    };
    // What is left is copied for every part.
    let members = std::mem::take(&mut group.members);
    let game = |member: &Member| &table.games()[member.row];
    let (mut dated, vague): (Vec<Member>, Vec<Member>) =
        members.iter().partition(|member| game(member).date.known_parts() >= 2);
    dated.sort_by_key(|member| (game(member).date, member.row));
    let mut clusters: Vec<Vec<Member>> = Vec::new();
    let mut last: Option<Date> = None;
    for member in dated {
        let date = game(&member).date;
        let far = match (last, date.earliest()) {
            (Some(last), Some(date)) => (date - last).get_days() > gap_days,
            _ => true,
        };
        let same_event = |other: &Member| {
            let event_date = game(&member).event_date;
            event_date.known_parts() >= 2 && game(other).event_date == event_date
        };
        match clusters.last_mut() {
            Some(cluster) if !far || cluster.last().is_some_and(same_event) => cluster.push(member),
            _ => clusters.push(vec![member]),
        }
        last = date.latest().max(last);
    }
    let mut by_year: BTreeMap<Option<i16>, Vec<Member>> = BTreeMap::new();
    for member in vague {
        by_year.entry(game(&member).date.year()).or_default().push(member);
    }
    for (year, members) in by_year {
        let home = clusters
            .iter_mut()
            .filter(|cluster| {
                year.is_some() && cluster.iter().any(|member| game(member).date.year() == year)
            })
            .max_by_key(|cluster| cluster.len());
        match home {
            Some(cluster) => cluster.extend(members),
            None => clusters.push(members),
        }
    }
    clusters
        .into_iter()
        .map(|members| {
            // Each part is called as its own games call it: `Gashimov Mem 2014` is not that of 2015.
            let own = members
                .first()
                .map(|member| EventTag::parse(table.text(table.games()[member.tags].event)));
            let own = own.filter(|own| !own.base.is_empty());
            let base = own.map_or_else(|| group.base.clone(), |own| own.base);
            Group { members, base, ..group.clone() }
        })
        .collect()
}

/// Players that a field has at least which is an event of its own beside another.
const FIELD: usize = 6;

/// Cuts a group into fields that never met: groups A and B, men and women, under one tag. Players who met
/// only few others go where the ratings are most like theirs, or else with the largest.
fn by_field(table: &GameTable, mut group: Group, thresholds: EventThresholds) -> Vec<Group> {
    let players = group.players();
    // Boards of teams hardly meet.
    if players.len() < 2 * FIELD
        || group.teams
        || is_of_teams(&group.key)
        || names_countries(&group.base)
    {
        return vec![group];
    }
    let place = |player: PlayerId| players.binary_search(&player).unwrap_or_default();
    let mut home: Vec<usize> = (0..players.len()).collect();
    fn find(home: &mut [usize], mut player: usize) -> usize {
        while home[player] != player {
            home[player] = home[home[player]];
            player = home[player];
        }
        player
    }
    for member in &group.members {
        let (a, b) = (find(&mut home, place(member.white)), find(&mut home, place(member.black)));
        home[a.max(b)] = a.min(b);
    }
    let fields: Vec<usize> = (0..players.len()).map(|player| find(&mut home, player)).collect();
    let mut sizes: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for field in &fields {
        sizes.entry(*field).or_default().0 += 1;
    }
    for member in &group.members {
        sizes.entry(fields[place(member.white)]).or_default().1 += 1;
    }
    let mut large: Vec<(usize, usize)> = sizes
        .into_iter()
        .filter(|(_, (players, games))| {
            *players >= FIELD && *games >= thresholds.event_games.max(*players)
        })
        .map(|(field, (_, games))| (games, field))
        .collect();
    // A knock-out whose final is elsewhere falls into the halves of its bracket.
    let table_of = |field: usize| -> Vec<(usize, usize)> {
        let members = group.members.iter();
        members
            .map(|member| (place(member.white), place(member.black)))
            .filter(|(white, _)| fields[*white] == field)
            .collect()
    };
    let is_half = |&(_, field): &(usize, usize)| {
        recognise_pairs(players.len(), &table_of(field)).kind == Kind::KnockOut
    };
    if large.len() < 2 || large.iter().any(is_half) {
        return vec![group];
    }
    large.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let reason = format!("one of {} fields under one tag that never met", large.len());
    let members = std::mem::take(&mut group.members);
    let mut parts: Vec<Group> = large.iter().map(|_| group.clone()).collect();
    let elos: FxHashMap<usize, f64> =
        mean_elos(table, &members, |member| fields[place(member.white)]);
    for member in members {
        let field = fields[place(member.white)];
        let distance = |other: usize| Some((elos.get(&field)? - elos.get(&other)?).abs());
        let part = large.iter().position(|(_, large)| *large == field).or_else(|| {
            let near = large.iter().enumerate();
            near.filter_map(|(part, (_, other))| Some((distance(*other)?, part)))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, part)| part)
        });
        parts[part.unwrap_or(0)].members.push(member);
    }
    for part in &mut parts {
        part.reasons.push(reason.clone());
    }
    parts
}

/// The mean of the rating tags of each field.
fn mean_elos(
    table: &GameTable,
    members: &[Member],
    field: impl Fn(&Member) -> usize,
) -> FxHashMap<usize, f64> {
    let mut sums: FxHashMap<usize, (f64, f64)> = FxHashMap::default();
    for member in members {
        let game = &table.games()[member.row];
        for elo in [game.white_elo, game.black_elo].into_iter().filter(|elo| *elo > 0) {
            let sum = sums.entry(field(member)).or_default();
            *sum = (sum.0 + f64::from(elo), sum.1 + 1.0);
        }
    }
    sums.into_iter().map(|(field, (sum, count))| (field, sum / count)).collect()
}

/// Part of an event's games that may be misdated.
const MISDATED: usize = 8;

/// Joins a few games with the event of their name, place and year from which only their dates part
/// them.
fn join_misdated(table: &GameTable, groups: &mut Vec<Group>) {
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
            "{} games of another date joined: the same players, no pairing twice",
            b.members().len()
        ))
    });
}

/// Joins parts of one name and place in two years that follow each other, where the players are
/// the same and no pairing comes twice.
fn join_over_new_year(table: &GameTable, groups: &mut Vec<Group>) {
    join(table, groups, |earlier, later| {
        let (last, first) = (earlier.years?.1, later.years?.0);
        if first - last != 1
            || earlier.group.site_key != later.group.site_key
            || !complementary(table, earlier, later)
        {
            return None;
        }
        Some(format!("games of {last} and {first} joined: the same players, no pairing twice"))
    });
}

/// Joins parts of one name in one year whose places are spelt differently, where the players of
/// one are among those of the other and no pairing comes twice.
fn join_places(table: &GameTable, groups: &mut Vec<Group>) {
    join(table, groups, |a, b| {
        if a.years?.0 != b.years?.0
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

/// A group with what joining asks of it again and again, worked out at most once.
struct Candidate {
    group: Group,
    /// First and last year.
    years: Option<(i16, i16)>,
    players: OnceCell<Vec<PlayerId>>,
    pairings: OnceCell<Vec<(PlayerId, PlayerId)>>,
}

impl Candidate {
    fn of(table: &GameTable, group: Group) -> Candidate {
        Candidate {
            years: group.years(table),
            group,
            players: OnceCell::new(),
            pairings: OnceCell::new(),
        }
    }

    fn members(&self) -> &[Member] {
        &self.group.members
    }

    fn players(&self) -> &[PlayerId] {
        self.players.get_or_init(|| self.group.players())
    }

    fn pairings(&self) -> &[(PlayerId, PlayerId)] {
        self.pairings.get_or_init(|| self.group.pairings())
    }
}

/// Whether one part completes the other: its players are the other's (two players: its rounds are
/// others), and no pairing with its colours comes twice.
fn complementary(table: &GameTable, a: &Candidate, b: &Candidate) -> bool {
    let (large, small) = if a.members().len() >= b.members().len() { (a, b) } else { (b, a) };
    let (of_large, of_small) = (large.players(), small.players());
    if of_large.len() == 2 {
        let rounds = |candidate: &Candidate| -> BTreeSet<_> {
            candidate.members().iter().map(|member| table.games()[member.row].round).collect()
        };
        let (mine, theirs) = (rounds(large), rounds(small));
        return of_large == of_small
            && mine.is_disjoint(&theirs)
            && mine.iter().chain(&theirs).all(|round| round.is_known());
    }
    let strangers = of_small.len() - in_common(of_small, of_large);
    strangers * 5 <= of_small.len()
        && of_large.len() >= 4
        && in_common(large.pairings(), small.pairings()) == 0
        // Two whole round robins of the same people are two events, unless every colour is reversed:
        // then they are the halves of one.
        && (in_common(&large.group.pairs(), &small.group.pairs()) == 0
            || !is_whole(&large.group)
            || !is_single(&large.group)
            || reversed(&large.group) == small.pairings())
}

/// The pairings with colours exchanged.
fn reversed(group: &Group) -> Vec<(PlayerId, PlayerId)> {
    sorted(group.members.iter().map(|member| (member.black, member.white)).collect())
}

/// Whether everybody met everybody.
fn is_whole(group: &Group) -> bool {
    let players = group.players().len();
    group.pairs().len() == players * (players - 1) / 2
}

/// Whether nobody met twice.
fn is_single(group: &Group) -> bool {
    group.pairs().len() == group.members.len()
}

/// Joins every pair of groups of one name for which `reason` finds one, the earlier in the list taking
/// in the later.
fn join(
    table: &GameTable,
    groups: &mut Vec<Group>,
    reason: impl Fn(&Candidate, &Candidate) -> Option<String> + Sync,
) {
    let mut numbered: Vec<(usize, Group)> =
        std::mem::take(groups).into_iter().enumerate().collect();
    numbered.par_sort_unstable_by(|a, b| a.1.key.cmp(&b.1.key).then(a.0.cmp(&b.0)));
    let mut same_name: Vec<Vec<(usize, Group)>> = Vec::new();
    for (number, group) in numbered {
        match same_name.last_mut() {
            Some(list) if list[0].1.key == group.key => list.push((number, group)),
            _ => same_name.push(vec![(number, group)]),
        }
    }
    let mut joined: Vec<(usize, Group)> =
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
    list: Vec<(usize, Group)>,
    reason: impl Fn(&Candidate, &Candidate) -> Option<String>,
) -> Vec<(usize, Group)> {
    let mut candidates: Vec<Option<(usize, Candidate)>> = list
        .into_iter()
        .map(|(number, group)| Some((number, Candidate::of(table, group))))
        .collect();
    for a in 0..candidates.len() {
        // What is taken in has left the list; a place is taken out while others are compared with it.
        let Some((number, mut taking)) = candidates[a].take() else { continue };
        for place in &mut candidates[a + 1..] {
            let Some((_, other)) = place else { continue };
            let Some(reason) = reason(&taking, other).or_else(|| reason(other, &taking)) else {
                continue;
            };
            if let Some((_, Candidate { group: other, .. })) = place.take() {
                let mut group = taking.group;
                if other.members.len() > group.members.len() {
                    group.base.clone_from(&other.base);
                    group.city.clone_from(&other.city);
                    group.site_key.clone_from(&other.site_key);
                }
                group.absorb(other, reason);
                taking = Candidate::of(table, group);
            }
        }
        candidates[a] = Some((number, taking));
    }
    candidates.into_iter().flatten().map(|(number, candidate)| (number, candidate.group)).collect()
}

/// Gives play-offs and games of withdrawn players to their events; a segment without an event
/// becomes one.
fn attach_segments(table: &GameTable, groups: &mut Vec<Group>, segments: Vec<Group>) {
    let players: Vec<OnceCell<Vec<PlayerId>>> = vec![OnceCell::new(); groups.len()];
    let years: Vec<Option<(i16, i16)>> =
        groups.par_iter().map(|group| group.years(table)).collect();
    let mut by_year: FxHashMap<i16, Vec<usize>> = FxHashMap::default();
    for (index, span) in years.iter().enumerate() {
        if let Some((first, last)) = span {
            for year in *first..=*last + 1 {
                by_year.entry(year).or_default().push(index);
            }
        }
    }
    let fields: Vec<Vec<PlayerId>> = segments.iter().map(Group::players).collect();
    for (segment, of_segment) in segments.into_iter().zip(fields) {
        let kind = segment.members.first().map_or(SegmentKind::Main, |member| member.segment);
        let year = segment.first_year(table);
        let candidates = year.and_then(|year| by_year.get(&year)).map_or(&[][..], Vec::as_slice);
        let words: Vec<&str> = segment.key.split(' ').collect();
        let home = candidates
            .iter()
            .copied()
            .filter_map(|index| {
                let group = &groups[index];
                let same_name = group.key == segment.key;
                let same_place = group.site_key == segment.site_key;
                let likeness = shared_words(&words, &group.key);
                if !(same_name || (same_place && likeness > 0) || likeness > 1) {
                    return None;
                }
                let players = players[index].get_or_init(|| group.players());
                let inside = in_common(&of_segment, players);
                // A play-off is among players of the event; a game of a withdrawn player has him
                // on one side.
                let fits = match kind {
                    SegmentKind::PlayOff => inside == of_segment.len(),
                    _ => inside * 2 >= of_segment.len(),
                };
                let in_its_year = years[index].map(|(_, last)| last) == year;
                let games = group.members.len();
                fits.then_some((same_name, same_place, in_its_year, likeness, games, index))
            })
            .max()
            .map(|(.., index)| index);
        match home {
            Some(index) => {
                let reason = format!("{} games joined: {}", segment.members.len(), kind.words());
                groups[index].absorb(segment, reason);
            }
            None => groups.push(segment),
        }
    }
}

/// How many of the words are in a name.
fn shared_words(words: &[&str], name: &str) -> usize {
    let occurs = |word: &&&str| !word.is_empty() && name.split(' ').any(|other| other == **word);
    words.iter().filter(occurs).count()
}
