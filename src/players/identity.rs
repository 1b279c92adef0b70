//! From spellings to persons.
//!
//! The steps, most certain first; each leaves its reason with the merge ([`MergeReason`]):
//!
//! 1. what a person says in a file of aliases, and a spelling file for what is left open by it;
//! 2. the same name but for case, diacritics, punctuation, titles;
//! 3. compatible given names, where nobody else can be meant and the two never met; where somebody else
//!    could be, rating tags decide;
//! 4. the same number with FIDE, the same games under both spellings;
//! 5. surnames that are written alike, with opponents in common and ratings that agree.
//!
//! In doubt they stay apart, and the doubt is kept: a false merge corrupts two careers. Two that met over
//! the board are never one. The result does not depend on the order of the games.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::likeness::{Likeness, alike};
use super::meetings::Meetings;
use super::name::PersonName;
use super::person::{Doubt, MergeReason, Player, PlayerId, Players};
use super::slug::{Slugs, slug};
use super::spellings::{NEAR_YEARS, NameIndex, Ratings, STRONG, Spelling, merge, spellings};
use crate::games::GameTable;

/// Years in which two spellings may lie apart and still be one career.
const CAREER_GAP: i16 = 25;

/// Years apart in which the only bearer of a name is still looked for.
const FAR_YEARS: i16 = 8;

/// Points by which his ratings differ at most then.
const FAR_RATING: f64 = 100.0;

/// Points that tell apart who was never rated near another.
const FAR_BELOW: u16 = 200;

/// Half-moves from which the same moves are the same game, and no opening that two pairs repeat.
const SAME_GAME: u16 = 30;

/// Opponents in common that support surnames of the same sound.
const SOME_OPPONENTS: usize = 2;

/// Opponents in common that support surnames with another letter.
const MANY_OPPONENTS: usize = 5;

/// Letters from which surnames of the same sound are not short ones like `Pap` and `Papp`.
const LONG_SURNAME: usize = 6;

/// Letters from which a given name says more than an initial does.
const WHOLE_NAME: usize = 4;

/// Resolves the names of all games of the table to persons.
pub fn resolve(table: &GameTable, aliases: &Aliases) -> Players {
    let mut merges = Vec::new();
    let spellings = spellings(table, aliases, &mut merges);
    let of = NameIndex::of(table, &spellings);
    let near = near_pairs(&spellings);
    let same_games = same_games(table, &of);
    let clusters = clusters(&spellings, &near);
    let meetings = Meetings::of(table, &of, &spellings, &clusters);
    let mut joining = Joining {
        groups: Vec::new(),
        spellings: &spellings,
        meetings: &meetings,
        same_games: &same_games,
        joins: Vec::new(),
        doubts: Vec::new(),
    };
    joining.compatible_names();
    joining.numbers_with_fide();
    joining.games_under_both();
    joining.near_spellings(table, &of, &near);
    joining.two_numbers();
    let Joining { groups, joins, mut doubts, .. } = joining;

    let mut players = Players::default();
    let mut persons: Vec<(String, Vec<usize>)> =
        groups.into_iter().map(|group| (shown(&spellings, &group), group)).collect();
    persons.sort_by_cached_key(|(name, _)| (slug(name), name.clone()));
    let how = how(&spellings, &persons, &joins);
    let mut slugs = Slugs::default();
    for (number, (name, group)) in persons.into_iter().enumerate() {
        for &index in &group {
            let spelling = &spellings[index];
            for (text_id, _) in &spelling.texts {
                players.by_name.insert(*text_id, PlayerId(number as u32));
            }
            if spelling.text != name {
                let join = how.get(&index);
                let reason = join.map_or(MergeReason::Compatible, |join| join.reason);
                let evidence = join.map(|join| join.evidence.clone()).unwrap_or_default();
                merges.push(merge(&spelling.text, &name, reason, evidence));
            }
        }
        players.players.push(player(&spellings, name, &group, &mut slugs));
    }
    merges.sort_by(|a, b| (&a.name, &a.spelling).cmp(&(&b.name, &b.spelling)));
    players.merges = merges;
    doubts.sort_by(|a, b| (&a.name, &a.other).cmp(&(&b.name, &b.other)));
    doubts.dedup();
    players.doubts = doubts;
    players
}

fn player(spellings: &[Spelling], name: String, group: &[usize], slugs: &mut Slugs) -> Player {
    let members = || group.iter().map(|&index| &spellings[index]);
    let mut texts: Vec<String> =
        members().flat_map(|one| one.texts.iter().map(|(_, text)| text.clone())).collect();
    texts.sort();
    let mut names: Vec<PersonName> = members().map(|one| one.name.clone()).collect();
    names.extend(texts.iter().map(|text| PersonName::parse(text)));
    names.sort();
    names.dedup();
    let ids: BTreeSet<u32> = members().filter_map(Spelling::fide_id).collect();
    Player {
        id: slugs.take(&[slug(&name)]),
        name,
        spellings: texts,
        names,
        fide_ids: ids.into_iter().collect(),
        life: None,
    }
}

/// The name to show for a group: with the surname of most of the games, a plain one, and the fullest.
fn shown(spellings: &[Spelling], group: &[usize]) -> String {
    let mut of_surname: BTreeMap<String, u32> = BTreeMap::new();
    for spelling in group.iter().map(|&index| &spellings[index]) {
        *of_surname.entry(spelling.name.surname_key()).or_default() += spelling.games;
    }
    let best = group.iter().map(|&index| &spellings[index]).max_by(|a, b| {
        let key = |spelling: &Spelling| {
            let games = of_surname[&spelling.name.surname_key()];
            (games, is_plain(&spelling.text), spelling.name.fullness())
        };
        key(a).cmp(&key(b)).then_with(|| b.text.cmp(&a.text))
    });
    best.map(|spelling| spelling.text.clone()).unwrap_or_default()
}

/// Whether a spelling is a name and nothing else: no number and no country that tells namesakes
/// apart (`Sokolov,Iv NED`).
fn is_plain(text: &str) -> bool {
    let country = text.rsplit(' ').next().is_some_and(|word| {
        word.len() == 3 && word.len() < text.len() && word.bytes().all(|b| b.is_ascii_uppercase())
    });
    !country && !text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Pairs of spellings whose surnames are written alike and whose given names may be one.
fn near_pairs(spellings: &[Spelling]) -> Vec<(usize, usize, Likeness)> {
    let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, spelling) in spellings.iter().enumerate() {
        if !spelling.name.given.is_empty() {
            by_surname.entry(spelling.name.surname_key()).or_default().push(index);
        }
    }
    let surnames: Vec<&str> = by_surname.keys().map(String::as_str).collect();
    let members: Vec<&Vec<usize>> = by_surname.values().collect();
    let mut pairs = Vec::new();
    for (one, other, likeness) in alike(&surnames) {
        for &a in members[one] {
            for &b in members[other] {
                let (x, y) = (&spellings[a], &spellings[b]);
                if x.is_active_with(y, NEAR_YEARS) && x.may_be(y) {
                    pairs.push((a.min(b), a.max(b), likeness));
                }
            }
        }
    }
    pairs.sort_unstable_by_key(|(a, b, _)| (*a, *b));
    pairs
}

/// Spellings of which any two might be one person.
fn clusters(spellings: &[Spelling], near: &[(usize, usize, Likeness)]) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..spellings.len()).collect();
    fn find(root: &mut [usize], mut one: usize) -> usize {
        while root[one] != one {
            root[one] = root[root[one]];
            one = root[one];
        }
        one
    }
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    let mut same: Vec<(usize, usize)> = Vec::new();
    for (index, spelling) in spellings.iter().enumerate() {
        let home = *first.entry(spelling.name.surname_key()).or_insert(index);
        same.push((home, index));
    }
    for (a, b) in same.into_iter().chain(near.iter().map(|(a, b, _)| (*a, *b))) {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a.max(b)] = a.min(b);
    }
    let mut clusters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..spellings.len() {
        clusters.entry(find(&mut root, index)).or_default().push(index);
    }
    clusters.into_values().collect()
}

/// For each pair of spellings how many games are there under both, on the same side.
fn same_games(table: &GameTable, of: &NameIndex) -> FxHashMap<(usize, usize), usize> {
    let mut games: Vec<(u64, u32)> = (0..)
        .zip(table.games())
        .filter(|(_, game)| game.plies >= SAME_GAME)
        .map(|(row, game)| (game.fingerprint, row))
        .collect();
    games.par_sort_unstable();
    let game = |row: u32| &table.games()[row as usize];
    let mut found: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for alike in games.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        for (place, &(_, a)) in alike.iter().enumerate() {
            for &(_, b) in &alike[place + 1..] {
                let (a, b) = (game(a), game(b));
                let years = a.date.year().zip(b.date.year());
                if a.result != b.result || years.is_some_and(|(a, b)| (a - b).abs() > 1) {
                    continue;
                }
                for (x, y) in [(a.white, b.white), (a.black, b.black)] {
                    if let (Some(x), Some(y)) = (of.get(x), of.get(y))
                        && x != y
                    {
                        *found.entry((x.min(y), x.max(y))).or_default() += 1;
                    }
                }
            }
        }
    }
    found
}

/// Two groups of spellings that became one, and why.
struct Join {
    sides: [Vec<usize>; 2],
    reason: MergeReason,
    evidence: String,
}

/// By which join each spelling came to the name that is shown: the one that had the two on its sides.
fn how<'a>(
    spellings: &[Spelling],
    persons: &[(String, Vec<usize>)],
    joins: &'a [Join],
) -> FxHashMap<usize, &'a Join> {
    let shown: FxHashSet<usize> = persons
        .iter()
        .filter_map(|(name, group)| group.iter().find(|&&index| spellings[index].text == *name))
        .copied()
        .collect();
    let mut how = FxHashMap::default();
    for join in joins {
        let [one, other] = &join.sides;
        for (side, opposite) in [(one, other), (other, one)] {
            if opposite.iter().any(|index| shown.contains(index)) {
                how.extend(side.iter().map(|index| (*index, join)));
            }
        }
    }
    how
}

/// The joining of spellings to groups, each a person.
struct Joining<'a> {
    groups: Vec<Vec<usize>>,
    spellings: &'a [Spelling],
    meetings: &'a Meetings,
    same_games: &'a FxHashMap<(usize, usize), usize>,
    joins: Vec<Join>,
    doubts: Vec<Doubt>,
}

impl Joining<'_> {
    fn members<'s>(&'s self, group: &'s [usize]) -> impl Iterator<Item = &'s Spelling> {
        group.iter().map(|&index| &self.spellings[index])
    }

    fn ratings(&self, group: &[usize]) -> Ratings {
        Ratings::of(self.members(group))
    }

    /// The numbers with FIDE of a group.
    fn fide_ids(&self, group: &[usize]) -> BTreeSet<u32> {
        self.members(group).filter_map(Spelling::fide_id).collect()
    }

    /// Whether both have numbers with FIDE, and none in common.
    fn have_other_numbers(&self, a: &[usize], b: &[usize]) -> bool {
        let (mine, theirs) = (self.fide_ids(a), self.fide_ids(b));
        !mine.is_empty() && !theirs.is_empty() && mine.is_disjoint(&theirs)
    }

    fn shared_games(&self, a: &[usize], b: &[usize]) -> usize {
        let of = |a: usize, b: usize| self.same_games.get(&(a.min(b), a.max(b))).copied();
        a.iter().flat_map(|&a| b.iter().filter_map(move |&b| of(a, b))).sum()
    }

    /// Puts the second group, and everything in it, into the first.
    fn join(&mut self, home: usize, other: usize, reason: MergeReason, evidence: String) {
        let joined = std::mem::take(&mut self.groups[other]);
        let sides = [self.groups[home].clone(), joined.clone()];
        self.joins.push(Join { sides, reason, evidence });
        self.groups[home].extend(joined);
    }

    fn doubt(&mut self, a: usize, b: usize, why: &str) {
        let describe = |group: &[usize]| {
            let games: u32 = self.members(group).map(|one| one.games).sum();
            let first = self.members(group).map(|one| one.first_year).min().unwrap_or_default();
            let last = self.members(group).map(|one| one.last_year).max().unwrap_or_default();
            let rated = self.members(group).map(Spelling::best_rating).max().unwrap_or_default();
            let years = match (first, last) {
                (first, last) if first > last => "no year".to_owned(),
                (first, last) if first == last => format!("{first}"),
                (first, last) => format!("{first} to {last}"),
            };
            let rated = if rated > 0 { format!(", rated up to {rated}") } else { String::new() };
            format!("{games} games, {years}{rated}")
        };
        let mut sides = [a, b].map(|group| {
            let group = &self.groups[group];
            (shown(self.spellings, group), describe(group))
        });
        sides.sort();
        let [(name, mine), (other, theirs)] = sides;
        self.doubts.push(Doubt { name, other, evidence: format!("{why}; {mine}; {theirs}") });
    }

    /// Step 3: groups of spellings that are one person by compatible names; every spelling is in one group.
    fn compatible_names(&mut self) {
        let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, spelling) in self.spellings.iter().enumerate() {
            by_surname.entry(spelling.name.surname_key()).or_default().push(index);
        }
        for namesakes in by_surname.into_values() {
            let first = self.groups.len();
            self.namesakes(&namesakes);
            self.decide_by_ratings(first);
            self.tell_ambiguous(first);
        }
    }

    /// Groups the spellings of one surname.
    fn namesakes(&mut self, namesakes: &[usize]) {
        let (spellings, meetings) = (self.spellings, self.meetings);
        let joined = |a: usize, b: usize| {
            let (x, y) = (&spellings[a], &spellings[b]);
            // A bare surname says too little to be joined with anybody.
            !x.name.given.is_empty()
                && !y.name.given.is_empty()
                && x.name.given_compatible(&y.name, false)
                && x.first_year.saturating_sub(y.last_year) <= CAREER_GAP
                && y.first_year.saturating_sub(x.last_year) <= CAREER_GAP
                && !self.have_other_numbers(&[a], &[b])
                && Ratings::of([x]).alike(&Ratings::of([y])) != Some(false)
        };
        let mut rest = namesakes.to_vec();
        // Spellings that could be two different persons stay alone; what remains falls into
        // groups in which everybody is compatible with everybody.
        let ambiguous: Vec<usize> = namesakes
            .iter()
            .copied()
            .filter(|&a| {
                let others: Vec<usize> =
                    namesakes.iter().copied().filter(|&b| b != a && joined(a, b)).collect();
                others.iter().enumerate().any(|(i, &b)| {
                    others[i + 1..].iter().any(|&c| {
                        !spellings[b].name.given_compatible(&spellings[c].name, false)
                            || meetings.met(b, c)
                    })
                }) || others.iter().any(|&b| meetings.met(a, b))
            })
            .collect();
        rest.retain(|index| !ambiguous.contains(index));
        let mut groups = Vec::new();
        while let Some(first) = rest.first().copied() {
            let (group, others): (Vec<usize>, Vec<usize>) =
                rest.iter().copied().partition(|&index| index == first || joined(first, index));
            groups.push(group);
            rest = others;
        }
        groups.extend(ambiguous.into_iter().map(|index| vec![index]));
        self.groups.extend(groups);
    }

    /// Whether the given names of two groups go together, all with all.
    fn may_be(&self, a: &[usize], b: &[usize], strictly: bool) -> bool {
        a.iter().all(|&a| {
            b.iter().all(|&b| {
                let (a, b) = (&self.spellings[a], &self.spellings[b]);
                if strictly { a.name.given_compatible(&b.name, false) } else { a.may_be(b) }
            })
        })
    }

    /// The groups from `first` on that a group may belong to, active at most so many years apart, and
    /// whether they are rated alike.
    fn candidates(&self, first: usize, index: usize, years: i16) -> Vec<(usize, Option<bool>)> {
        let group = &self.groups[index];
        let active = |other: &[usize]| {
            self.members(group).any(|a| self.members(other).any(|b| a.is_active_with(b, years)))
        };
        (first..self.groups.len())
            .filter(|&other| {
                let theirs = &self.groups[other];
                other != index
                    && !theirs.is_empty()
                    && self.may_be(group, theirs, false)
                    && active(theirs)
                    && !self.meetings.any_met(group, theirs)
                    && !self.have_other_numbers(group, theirs)
            })
            .map(|other| (other, self.ratings(group).alike(&self.ratings(&self.groups[other]))))
            .collect()
    }

    /// Joins groups of one surname, those from `first` on, where the names leave it open and something
    /// else decides: nobody else was active in the same years; or only one was rated as this one was.
    fn decide_by_ratings(&mut self, first: usize) {
        let mut index = first;
        while index < self.groups.len() {
            let home = self.home_by_ratings(first, index);
            match home {
                Some((home, reason)) => {
                    self.join(home, index, reason, String::new());
                    self.groups.remove(index);
                    // What could be several persons before may be one now.
                    index = first;
                }
                None => index += 1,
            }
        }
    }

    /// The group that another belongs to, if it is only one; first among those active in the same years.
    fn home_by_ratings(&self, first: usize, index: usize) -> Option<(usize, MergeReason)> {
        let near = self.candidates(first, index, NEAR_YEARS);
        let is_alone = near.iter().all(|(_, like)| *like == Some(false));
        let home = self.home_among(first, index, near, NEAR_YEARS);
        if home.is_some() || !is_alone {
            return home;
        }
        let far = self.candidates(first, index, FAR_YEARS);
        self.home_among(first, index, far, FAR_YEARS).filter(|(home, reason)| {
            let distance =
                self.ratings(&self.groups[index]).distance(&self.ratings(&self.groups[*home]));
            *reason == MergeReason::Compatible && distance.is_some_and(|points| points < FAR_RATING)
        })
    }

    fn home_among(
        &self,
        first: usize,
        index: usize,
        candidates: Vec<(usize, Option<bool>)>,
        years: i16,
    ) -> Option<(usize, MergeReason)> {
        let group = &self.groups[index];
        let best = self.members(group).map(Spelling::best_rating).max().unwrap_or_default();
        let lowest = self.members(group).filter_map(Spelling::lowest_rating).min();
        let is_outclassed =
            |other: usize| best >= STRONG && self.ratings(&self.groups[other]).is_empty();
        let open: Vec<(usize, Option<bool>)> = candidates
            .into_iter()
            .filter(|&(other, like)| like != Some(false) && !is_outclassed(other))
            .collect();
        // The very same tags in the same years are no accident.
        let ratings = self.ratings(group);
        let identical: Vec<usize> = open
            .iter()
            .map(|(other, _)| *other)
            .filter(|&other| ratings.identical(&self.ratings(&self.groups[other])))
            .collect();
        if let [only] = identical[..] {
            return Some((only, MergeReason::SameRatings));
        }
        // Nor is it that of few who are rated as high only one has the name, and the others never came
        // near.
        let (alike, others): (Vec<_>, Vec<_>) =
            open.iter().partition(|(_, like)| *like == Some(true));
        let are_far_below = |&(other, _): &(usize, Option<bool>)| {
            let theirs = self.members(&self.groups[other]).map(Spelling::best_rating).max();
            lowest.zip(theirs).is_some_and(|(lowest, theirs)| theirs + FAR_BELOW < lowest)
        };
        if let [(only, _)] = alike[..]
            && !others.is_empty()
            && best >= STRONG
            && others.iter().all(are_far_below)
        {
            return Some((only, MergeReason::SameRatings));
        }
        let [(only, like)] = open[..] else { return None };
        let strictly = self.may_be(group, &self.groups[only], true);
        // Neither may there be somebody else whom the other could be.
        let is_only = self.candidates(first, only, years).iter().all(|&(other, like)| {
            other == index || like == Some(false) || self.may_be(group, &self.groups[other], false)
        });
        let reason = if strictly { MergeReason::Compatible } else { MergeReason::SameRatings };
        ((like == Some(true) || strictly) && is_only).then_some((only, reason))
    }

    /// Notes the groups of one surname, from `first` on, of which some may be one.
    fn tell_ambiguous(&mut self, first: usize) {
        for index in first..self.groups.len() {
            let open: Vec<usize> = self
                .candidates(first, index, NEAR_YEARS)
                .into_iter()
                .filter(|&(other, like)| other > index && like != Some(false))
                .map(|(other, _)| other)
                .collect();
            for other in open {
                self.doubt(
                    index,
                    other,
                    "given names that go together, and others that do as well",
                );
            }
        }
    }

    /// The group of each spelling.
    fn homes(&self) -> Vec<usize> {
        let mut homes = vec![usize::MAX; self.spellings.len()];
        for (number, group) in self.groups.iter().enumerate() {
            for &index in group {
                homes[index] = number;
            }
        }
        homes
    }

    /// Step 4: groups with the same number with FIDE.
    fn numbers_with_fide(&mut self) {
        let mut by_id: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            for id in self.fide_ids(group) {
                by_id.entry(id).or_default().insert(number);
            }
        }
        let mut now: BTreeMap<usize, usize> = BTreeMap::new();
        for (id, groups) in by_id.into_iter().filter(|(_, groups)| groups.len() > 1) {
            let mut groups = groups.into_iter();
            let Some(first) = groups.next() else { continue };
            let current = |group: usize, now: &BTreeMap<usize, usize>| {
                let mut group = group;
                while let Some(&next) = now.get(&group) {
                    group = next;
                }
                group
            };
            let home = current(first, &now);
            for other in groups {
                let other = current(other, &now);
                if other == home {
                    continue;
                }
                if self.meetings.any_met(&self.groups[home], &self.groups[other]) {
                    self.doubt(home, other, &format!("both have FIDE's number {id}, but they met"));
                } else {
                    let evidence = format!("FIDE's number {id}");
                    self.join(home, other, MergeReason::FideId, evidence);
                    now.insert(other, home);
                }
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Step 4: groups under both of which the same games are there.
    fn games_under_both(&mut self) {
        let mut homes = self.homes();
        let mut pairs: Vec<(usize, usize)> = self.same_games.keys().copied().collect();
        pairs.sort_unstable();
        for (a, b) in pairs {
            let (home, other) = (homes[a].min(homes[b]), homes[a].max(homes[b]));
            if home == other || home == usize::MAX || other == usize::MAX {
                continue;
            }
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            let (x, y) = (&self.spellings[a], &self.spellings[b]);
            let is_alike = || {
                let (one, two) = (x.name.surname_key(), y.name.surname_key());
                one == two || !alike(&[&one, &two]).is_empty()
            };
            let may_be = x.may_be(y) && self.may_be(mine, theirs, false) && is_alike();
            if !may_be
                || self.meetings.any_met_over_the_board(mine, theirs)
                || self.have_other_numbers(mine, theirs)
            {
                continue;
            }
            let games = self.shared_games(mine, theirs);
            // Those under which an event is told twice meet each other's opponents; a single game may
            // be a header's mistake where both played.
            if games < 2 && self.meetings.any_met(mine, theirs) {
                continue;
            }
            let evidence = format!("{games} games are there under both");
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            self.join(home, other, MergeReason::SameGames, evidence);
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Step 5: groups whose surnames are written alike, with support.
    fn near_spellings(
        &mut self,
        table: &GameTable,
        of: &NameIndex,
        near: &[(usize, usize, Likeness)],
    ) {
        let mut homes = self.homes();
        let concerned: FxHashSet<usize> =
            near.iter().flat_map(|(a, b, _)| [homes[*a], homes[*b]]).collect();
        let mut opponents: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
        for game in table.games() {
            let (Some(white), Some(black)) = (of.get(game.white), of.get(game.black)) else {
                continue;
            };
            for (one, other) in [(homes[white], homes[black]), (homes[black], homes[white])] {
                if concerned.contains(&one) {
                    opponents.entry(one).or_default().insert(other);
                }
            }
        }
        for &(a, b, likeness) in near {
            let (home, other) = (homes[a].min(homes[b]), homes[a].max(homes[b]));
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            if home == other
                || !self.may_be(mine, theirs, false)
                || self.meetings.any_met(mine, theirs)
                || self.have_other_numbers(mine, theirs)
            {
                continue;
            }
            let in_common = match (opponents.get(&home), opponents.get(&other)) {
                (Some(mine), Some(theirs)) => mine.intersection(theirs).count(),
                _ => 0,
            };
            let fewest = opponents
                .get(&home)
                .map_or(0, FxHashSet::len)
                .min(opponents.get(&other).map_or(0, FxHashSet::len));
            let (ratings, others) = (self.ratings(mine), self.ratings(theirs));
            let identical = ratings.identical(&others);
            let like = ratings.alike(&others);
            let whole =
                self.spellings[a].name.given.first().zip(self.spellings[b].name.given.first());
            let same_given = whole.is_some_and(|(a, b)| a == b && a.len() >= WHOLE_NAME);
            let supported = like != Some(false)
                && match likeness {
                    Likeness::SameSound => {
                        let is_long = self.spellings[a].name.surname_key().len() >= LONG_SURNAME;
                        identical
                            || (same_given && like == Some(true))
                            || (in_common >= SOME_OPPONENTS && (same_given || is_long))
                    }
                    Likeness::OneLetter => {
                        same_given
                            && (identical
                                || (in_common >= MANY_OPPONENTS && in_common * 3 >= fewest))
                    }
                };
            if supported {
                let evidence = format!("{in_common} opponents in common");
                for &index in &self.groups[other] {
                    homes[index] = home;
                }
                let moved = opponents.remove(&other).unwrap_or_default();
                opponents.entry(home).or_default().extend(moved);
                self.join(home, other, MergeReason::NearSpelling, evidence);
            } else if like != Some(false) && (same_given || in_common >= MANY_OPPONENTS) {
                let why =
                    format!("surnames that are written alike, {in_common} opponents in common");
                self.doubt(home, other, &why);
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Notes spellings under which two persons seem to play: the games give two numbers with FIDE.
    fn two_numbers(&mut self) {
        for spelling in self.spellings {
            if spelling.fide_ids.len() < 2 || spelling.fide_id().is_some() {
                continue;
            }
            let mut ids = spelling.fide_ids.clone();
            ids.sort_unstable();
            let told: Vec<String> =
                ids.iter().map(|(id, games)| format!("{id} ({games} games)")).collect();
            self.doubts.push(Doubt {
                name: spelling.text.clone(),
                other: spelling.text.clone(),
                evidence: format!("several numbers with FIDE: {}", told.join(", ")),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, GameResult, PartialDate, Round};

    fn table(games: &[(&str, u16, &str, &str)]) -> GameTable {
        let mut table = GameTable::default();
        for &(event, year, white, black) in games {
            let [event, white, black] = [event, white, black].map(|text| table.names.intern(text));
            table.push(Game {
                event,
                site: event,
                white,
                black,
                date: PartialDate::of_year(year),
                event_date: PartialDate::UNKNOWN,
                round: Round::UNKNOWN,
                result: GameResult::Draw,
                white_elo: 0,
                black_elo: 0,
                white_fide_id: 0,
                black_fide_id: 0,
                plies: 0,
                fingerprint: 0,
                signs: Default::default(),
                member: 0,
                line: 1,
            });
        }
        table
    }

    fn persons(games: &[(&str, u16, &str, &str)]) -> Vec<String> {
        resolve(&table(games), &Aliases::default())
            .iter()
            .map(|(_, player)| player.spellings.join(" = "))
            .collect()
    }

    #[test]
    fn an_initial_joins_the_only_player_it_can_be() {
        assert_eq!(
            persons(&[
                ("A", 1990, "Kasparov, Garry", "Karpov, Anatoly"),
                ("B", 1991, "Kasparov,G", "Karpov,An"),
            ]),
            ["Karpov, Anatoly = Karpov,An", "Kasparov, Garry = Kasparov,G"]
        );
    }

    #[test]
    fn an_initial_that_could_be_two_players_stays_alone() {
        let found = persons(&[
            ("A", 1939, "Bolbochan, Julio", "X"),
            ("B", 1939, "Bolbochan, Jacobo", "X"),
            ("C", 1939, "Bolbochan, J.", "X"),
        ]);
        assert_eq!(found, ["Bolbochan, J.", "Bolbochan, Jacobo", "Bolbochan, Julio", "X"]);
    }

    #[test]
    fn names_that_met_are_never_one() {
        let found = persons(&[("A", 1924, "Lasker, E", "Lasker, Edward")]);
        assert_eq!(found.len(), 2);
        let found = persons(&[("A", 1994, "Polgar,S", "X"), ("A", 1994, "Polgar, Sofia", "Y")]);
        assert_eq!(found.len(), 4, "they played in one event");
    }

    #[test]
    fn spellings_that_fold_to_one_name_and_yet_played_each_other_are_two() {
        let found = persons(&[("A", 1990, "Müller, Hans", "Mueller,Hans"), ("B", 1991, "X", "Y")]);
        assert_eq!(found, ["Mueller,Hans", "Müller, Hans", "X", "Y"]);
    }

    #[test]
    fn an_initial_of_several_goes_to_who_was_rated_as_it_was() {
        let mut table = table(&[
            ("A", 1990, "Seirawan, Yasser", "X"),
            ("B", 1990, "Seirawan, Yvette", "X"),
            ("C", 1990, "Seirawan,Y", "X"),
            ("D", 1990, "Lee, Alan", "X"),
            ("E", 1990, "Lee, Andy", "X"),
            ("F", 1990, "Lee,A", "X"),
        ]);
        for (game, elo) in table.games_mut().iter_mut().zip([2600, 2100, 2595, 2300, 2330, 2310]) {
            game.white_elo = elo;
        }
        let players = resolve(&table, &Aliases::default());
        let found: Vec<String> =
            players.iter().map(|(_, player)| player.spellings.join(" = ")).collect();
        assert_eq!(
            found,
            [
                "Lee,A",
                "Lee, Alan",
                "Lee, Andy",
                "Seirawan, Yasser = Seirawan,Y",
                "Seirawan, Yvette",
                "X"
            ]
        );
    }

    #[test]
    fn one_stray_header_in_an_event_does_not_split_a_career() {
        let mut table = table(&[
            ("WCh", 2012, "Anand,V", "Gelfand,B"),
            ("WCh", 2012, "Gelfand,B", "Anand,V"),
            ("WCh", 2012, "Anand, Viswanathan", "Gelfand, Boris"),
        ]);
        for (round, game) in (1..).zip(table.games_mut()) {
            game.round = Round::parse(&format!("{round}"));
        }
        assert_eq!(resolve(&table, &Aliases::default()).len(), 2);
    }

    #[test]
    fn a_name_without_a_comma_is_the_name_with_one() {
        assert_eq!(
            persons(&[("A", 2009, "Wang, Hao", "X"), ("B", 2010, "Wang Hao", "Deep Blue")]),
            ["Deep Blue", "Wang Hao = Wang, Hao", "X"]
        );
    }

    #[test]
    fn nobody_and_several_together_are_no_persons() {
        let found = persons(&[
            ("A", 1999, "Kasparov, Garry", "Topalov, V"),
            ("B", 1999, "Kasparov, Garry:Crumiller, Jon", "NN"),
        ]);
        assert_eq!(found, ["Kasparov, Garry", "Topalov, V"]);
    }

    #[test]
    fn careers_a_lifetime_apart_are_two() {
        let found = persons(&[("A", 1880, "Berger, Johann", "X"), ("B", 1964, "Berger, J", "Y")]);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn one_number_with_fide_is_one_person_and_two_are_two() {
        let mut games = table(&[
            ("A", 2010, "Cmilyte, Viktorija", "X"),
            ("B", 2015, "Cmilyte-Nielsen, Viktorija", "X"),
            ("C", 2015, "Wang, Yi", "X"),
            ("D", 2015, "Wang,Y", "X"),
        ]);
        for (game, id) in games.games_mut().iter_mut().zip([12_800_023, 12_800_023, 1, 2]) {
            game.white_fide_id = id;
        }
        let players = resolve(&games, &Aliases::default());
        let found: Vec<String> =
            players.iter().map(|(_, player)| player.spellings.join(" = ")).collect();
        assert_eq!(
            found,
            ["Cmilyte, Viktorija = Cmilyte-Nielsen, Viktorija", "Wang,Y", "Wang, Yi", "X"]
        );
        let reason = players.merges.iter().map(|merge| merge.reason).next();
        assert_eq!(reason, Some(MergeReason::FideId));
    }

    #[test]
    fn the_same_games_under_two_spellings_are_one_persons() {
        let mut games = table(&[
            ("London", 1922, "Bogoljubow, Efim", "Lasker, Edward"),
            ("London it", 1922, "Bogoljubov, E", "Lasker, Ed"),
            ("Other", 1923, "Lasker, Emanuel", "X"),
        ]);
        for game in games.games_mut().iter_mut().take(2) {
            (game.plies, game.fingerprint) = (60, 7);
        }
        let players = resolve(&games, &Aliases::default());
        let found: Vec<String> =
            players.iter().map(|(_, player)| player.spellings.join(" = ")).collect();
        assert_eq!(
            found,
            [
                "Bogoljubov, E = Bogoljubow, Efim",
                "Lasker, Ed = Lasker, Edward",
                "Lasker, Emanuel",
                "X"
            ]
        );
    }

    #[test]
    fn near_spellings_need_opponents_in_common() {
        let rivals = ["Geller, Efim", "Tal, Mihail", "Keres, Paul", "Stein, Leonid"];
        let games = |names: [&'static str; 2]| {
            let mut games: Vec<(&str, u16, &str, &str)> = Vec::new();
            for (name, event) in names.into_iter().zip(["A", "B"]) {
                games.extend(rivals.map(|rival| (event, 1960, name, rival)));
            }
            games
        };
        let together = games(["Korchnoi, Viktor", "Kortschnoj, Viktor"]);
        assert_eq!(persons(&together).len(), 5);
        let apart = [("A", 1960, "Korchnoi, Viktor", "X"), ("B", 1960, "Kortschnoj, Viktor", "Y")];
        assert_eq!(persons(&apart).len(), 4);
        let doubts = resolve(&table(&apart), &Aliases::default()).doubts;
        assert_eq!(doubts.len(), 1);
        assert!(doubts[0].evidence.starts_with("surnames that are written alike"), "{doubts:?}");
        // Another family's name is no other spelling, whomever they play.
        assert_eq!(persons(&games(["Hansen, L", "Hanson, L"])).len(), 6);
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let mut games = [
            ("A", 1990, "Kasparov, Garry", "Karpov, Anatoly"),
            ("B", 1991, "Kasparov,G", "Karpov,An"),
            ("C", 1992, "Anand,V", "Kasparov, Gary"),
        ];
        let forward = persons(&games);
        games.reverse();
        assert_eq!(forward, persons(&games));
    }
}
