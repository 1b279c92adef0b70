//! From spellings to persons.
//!
//! The steps, most certain first; each leaves its reason with the merge ([`MergeReason`]):
//!
//! 1. what a person says in a file of aliases, and a spelling file for what is left open by it;
//! 2. the same name but for case, diacritics, punctuation, titles;
//! 3. compatible given names, where nobody else can be meant and the two never met; where somebody else
//!    could be, rating tags decide;
//! 4. the same number with FIDE (another number keeps apart in every step), the same games under both
//!    spellings;
//! 5. surnames that are written alike, with opponents in common and ratings that agree.
//!
//! In doubt they stay apart, and the doubt is kept: a false merge corrupts two careers. Two that met over
//! the board are never one. The result does not depend on the order of the games.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::Aliases;
use super::display_names::DisplayNames;
use super::life::Life;
use super::meetings::Meetings;
use super::merge_reason::MergeReason;
use super::name::{PersonName, fold, tidied};
use super::namesakes::{self, Join, Outcome, RawDoubt};
use super::person::{Doubt, Player, PlayerId, Players};
use super::same_events::{Evidence, same_events};
use super::same_games::same_games;
use super::similarity::{SurnameSimilarity, alike};
use super::slug::{Slugs, slug};
use super::spellings::{NEAR_YEARS, NameIndex, Ratings, Spelling, merge, spellings};
use crate::disjoint_sets::DisjointSets;
use crate::games::GameTable;

/// Opponents in common that support surnames of the same sound.
const SOME_OPPONENTS: usize = 2;

/// Opponents in common that support surnames with another letter.
const MANY_OPPONENTS: usize = 5;

/// Games with a number of FIDE that make sure of it where the surnames are different.
const SEVERAL_GAMES: u32 = 3;

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
    let same_games = same_games(table, &spellings, &of);
    let same_events = same_events(table, &spellings, &of);
    let clusters = clusters(&spellings, &near, same_games.keys().chain(same_events.keys()));
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
    joining.same_places_of_events(&same_events);
    joining.near_spellings(table, &of, &near);
    joining.known_persons(aliases.display_names());
    joining.two_numbers();
    let Joining { groups, joins, doubts, .. } = joining;
    let doubts = in_words(&spellings, &groups, doubts);

    let mut players = Players::default();
    let mut persons: Vec<Person> = groups
        .into_par_iter()
        .map(|group| Person::of(&spellings, group, aliases.display_names()))
        .collect();
    persons.sort_by_cached_key(|person| (slug(&person.name), person.fullest.clone()));
    let how = how(&spellings, &persons, &joins);
    let mut slugs = Slugs::default();
    // Namesakes are told apart by what the games tell them apart by, if by anything.
    let mut persons: Vec<(String, Person)> = persons
        .into_iter()
        .map(|person| (slugs.take(&[slug(&person.name), slug(&person.fullest)]), person))
        .collect();
    persons.sort_by(|a, b| a.0.cmp(&b.0));
    let mut games: Vec<u32> = Vec::with_capacity(persons.len());
    for (number, (id, person)) in persons.into_iter().enumerate() {
        games.push(person.group.iter().map(|&index| spellings[index].games).sum());
        let Person { name, group, fullest, .. } = &person;
        for &index in group {
            let spelling = &spellings[index];
            for (text_id, _) in &spelling.texts {
                players.by_name.insert(*text_id, PlayerId(number as u32));
            }
            if spelling.text != *fullest {
                let join = how.get(&index);
                let reason = join.map_or(MergeReason::Compatible, |join| join.reason);
                let evidence = join.map(|join| join.evidence.clone()).unwrap_or_default();
                merges.push(merge(&spelling.text, name, reason, evidence));
            }
        }
        players.players.push(player(&spellings, id, person));
    }
    tell_namesakes_apart(&mut players.players, &games);
    merges.sort_by(|a, b| (&a.name, &a.spelling).cmp(&(&b.name, &b.spelling)));
    players.merges = merges;
    players.doubts = doubts;
    players
}

/// Years between two careers that are hardly taken for one.
const APART_YEARS: i16 = 10;

/// Games of a namesake, and one in so many of the better known's, from which both need an initial.
const KNOWN_GAMES: u32 = 40;
const KNOWN_PART: u32 = 4;

/// Gives initials to the surnames of those who have a better known namesake in their years, and to both where they are
/// known alike: Ed. Lasker beside Lasker, R. and D. Byrne.
fn tell_namesakes_apart(players: &mut [Player], games: &[u32]) {
    let mut of_surname: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (number, player) in players.iter().enumerate() {
        of_surname.entry(fold(&player.surname)).or_default().push(number);
    }
    let given = |player: &Player| -> String {
        let given = player.name.split_once(',').map_or("", |(_, given)| given).trim();
        given.split([' ', '-']).next().unwrap_or_default().trim_end_matches('.').to_owned()
    };
    let mut told: Vec<(usize, String)> = Vec::new();
    for namesakes in of_surname.values().filter(|all| all.len() > 1) {
        for &one in namesakes {
            let Some((first, last)) = players[one].years else { continue };
            let near = |other: &usize| {
                *other != one
                    && players[*other].years.is_some_and(|(start, end)| {
                        start - APART_YEARS <= last && first <= end + APART_YEARS
                    })
            };
            let rivals: Vec<usize> = namesakes.iter().copied().filter(near).collect();
            let needs = rivals.iter().any(|&other| {
                games[other] > games[one]
                    || (games[other] >= KNOWN_GAMES && games[other] * KNOWN_PART >= games[one])
            });
            let own = given(&players[one]);
            if !needs || own.is_empty() {
                continue;
            }
            let letters =
                |count: usize, name: &str| -> String { name.chars().take(count).collect() };
            let count = (1..=3)
                .find(|count| {
                    rivals.iter().all(|other| {
                        letters(*count, &given(&players[*other])) != letters(*count, &own)
                    })
                })
                .unwrap_or(1);
            told.push((one, format!("{}. {}", letters(count, &own), players[one].surname)));
        }
    }
    for (player, surname) in told {
        players[player].told_apart = surname;
    }
}

/// The spellings of a person, and how he is called.
struct Person {
    group: Vec<usize>,
    /// The name to show where lists sort.
    name: String,
    surname: String,
    /// The fullest spelling.
    fullest: String,
    /// What the table of names knows of him.
    life: Option<Life>,
}

impl Person {
    fn of(spellings: &[Spelling], group: Vec<usize>, names: &DisplayNames) -> Person {
        let fullest = fullest(spellings, &group);
        let all = group.iter().map(|&index| &spellings[index].name);
        match names.find(all, years(spellings, &group)) {
            Some((number, _)) => {
                let known = names.person(number);
                let (name, surname) = (known.listed(), known.family.clone());
                Person { group, name, surname, fullest, life: Some(known.life.clone()) }
            }
            None => {
                let name = tidied(&most_usual(spellings, &group));
                let surname = name.split(',').next().unwrap_or_default().to_owned();
                Person { group, name, surname, fullest, life: None }
            }
        }
    }
}

/// First and last year of the games of a group, where any is known.
fn years(spellings: &[Spelling], group: &[usize]) -> Option<(i16, i16)> {
    let members = || group.iter().map(|&index| &spellings[index]);
    let first = members().map(|one| one.first_year).min().unwrap_or(i16::MAX);
    let last = members().map(|one| one.last_year).max().unwrap_or(i16::MIN);
    (first <= last).then_some((first, last))
}

fn player(spellings: &[Spelling], id: String, person: Person) -> Player {
    let Person { group, name, surname, fullest, life } = person;
    let members = || group.iter().map(|&index| &spellings[index]);
    let mut texts: Vec<String> =
        members().flat_map(|one| one.texts.iter().map(|(_, text)| text.clone())).collect();
    texts.sort();
    let mut names: Vec<PersonName> = members().map(|one| one.name.clone()).collect();
    names.extend(texts.iter().map(|text| PersonName::parse(text)));
    names.push(PersonName::parse(&name));
    names.sort();
    names.dedup();
    let ids: BTreeSet<u32> = members().filter_map(Spelling::fide_id).collect();
    let mut player = Player {
        id,
        fullest_spelling: fullest,
        name,
        surname,
        told_apart: String::new(),
        spellings: texts,
        also_called: Vec::new(),
        names,
        fide_ids: ids.into_iter().collect(),
        years: years(spellings, &group),
        life: None,
    };
    if let Some(life) = &life {
        player.add_known_life(life);
    }
    player
}

/// The spelling that most games of a person have, of those that write a given name out if there are such: the
/// fullest one is often somebody's guess.
fn most_usual(spellings: &[Spelling], group: &[usize]) -> String {
    let of_surname = games_of_surnames(spellings, group);
    let best = group.iter().map(|&index| &spellings[index]).max_by(|a, b| {
        let key = |spelling: &Spelling| {
            let is_full = spelling.name.given.first().is_some_and(|word| word.len() > 1);
            let games = of_surname[&spelling.name.surname_key()];
            (games, is_full, spelling.games, is_plain(&spelling.text))
        };
        key(a).cmp(&key(b)).then_with(|| b.text.cmp(&a.text))
    });
    best.map(|spelling| spelling.text.clone()).unwrap_or_default()
}

fn games_of_surnames(spellings: &[Spelling], group: &[usize]) -> BTreeMap<String, u32> {
    let mut of_surname: BTreeMap<String, u32> = BTreeMap::new();
    for spelling in group.iter().map(|&index| &spellings[index]) {
        *of_surname.entry(spelling.name.surname_key()).or_default() += spelling.games;
    }
    of_surname
}

/// The fullest spelling of a group: with the surname of most of the games, a plain one, and the longest.
fn fullest(spellings: &[Spelling], group: &[usize]) -> String {
    let of_surname = games_of_surnames(spellings, group);
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
fn near_pairs(spellings: &[Spelling]) -> Vec<(usize, usize, SurnameSimilarity)> {
    let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, spelling) in spellings.iter().enumerate() {
        if !spelling.name.given.is_empty() {
            by_surname.entry(spelling.name.surname_key()).or_default().push(index);
        }
    }
    let surnames: Vec<&str> = by_surname.keys().map(String::as_str).collect();
    let members: Vec<&Vec<usize>> = by_surname.values().collect();
    let mut pairs = Vec::new();
    for (one, other, similarity) in alike(&surnames) {
        for &a in members[one] {
            for &b in members[other] {
                let (x, y) = (&spellings[a], &spellings[b]);
                if x.is_active_with(y, NEAR_YEARS) && x.may_be(y) {
                    pairs.push((a.min(b), a.max(b), similarity));
                }
            }
        }
    }
    pairs.sort_unstable_by_key(|(a, b, _)| (*a, *b));
    pairs
}

/// Spellings of which any two might be one person.
fn clusters<'a>(
    spellings: &[Spelling],
    near: &[(usize, usize, SurnameSimilarity)],
    others: impl Iterator<Item = &'a (usize, usize)>,
) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::of(spellings.len());
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    let mut same: Vec<(usize, usize)> = Vec::new();
    for (index, spelling) in spellings.iter().enumerate() {
        let home = *first.entry(spelling.name.surname_key()).or_insert(index);
        same.push((home, index));
    }
    let mut with_number: FxHashMap<u32, usize> = FxHashMap::default();
    for (index, spelling) in spellings.iter().enumerate() {
        if let Some(id) = spelling.fide_id() {
            same.push((*with_number.entry(id).or_insert(index), index));
        }
    }
    same.extend(others);
    for (a, b) in same.into_iter().chain(near.iter().map(|(a, b, _)| (*a, *b))) {
        sets.join(a, b);
    }
    let mut clusters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..spellings.len() {
        clusters.entry(sets.find(index)).or_default().push(index);
    }
    clusters.into_values().collect()
}

/// The doubts in words, as far as they are still open.
fn in_words(spellings: &[Spelling], groups: &[Vec<usize>], doubts: Vec<RawDoubt>) -> Vec<Doubt> {
    let mut home = vec![usize::MAX; spellings.len()];
    for (number, group) in groups.iter().enumerate() {
        for &index in group {
            home[index] = number;
        }
    }
    let describe = |group: &[usize]| {
        let members = || group.iter().map(|&index| &spellings[index]);
        let games: u32 = members().map(|one| one.games).sum();
        let first = members().map(|one| one.first_year).min().unwrap_or_default();
        let last = members().map(|one| one.last_year).max().unwrap_or_default();
        let rated = members().map(Spelling::best_rating).max().unwrap_or_default();
        let years = match (first, last) {
            (first, last) if first > last => "no year".to_owned(),
            (first, last) if first == last => format!("{first}"),
            (first, last) => format!("{first} to {last}"),
        };
        let rated = if rated > 0 { format!(", rated up to {rated}") } else { String::new() };
        format!("{games} games, {years}{rated}")
    };
    let texts = |group: &[usize]| -> Vec<String> {
        let texts = group.iter().flat_map(|&index| &spellings[index].texts);
        texts.map(|(_, text)| text.clone()).collect()
    };
    let mut told: Vec<Doubt> = Vec::new();
    let mut known: FxHashSet<(usize, usize, String)> = FxHashSet::default();
    for RawDoubt { pair: (a, b), why } in doubts {
        let mut sides = [home[a], home[b]].map(|group| (fullest(spellings, &groups[group]), group));
        sides.sort();
        let [(name, one), (other, two)] = sides;
        // Joined since, or told already.
        if (a != b && one == two) || !known.insert((one, two, why.clone())) {
            continue;
        }
        let mut evidence = format!("{why}; {}", describe(&groups[one]));
        if a != b {
            evidence.push_str(&format!("; {}", describe(&groups[two])));
        }
        told.push(Doubt { name, other, spellings: texts(&groups[two]), evidence });
    }
    told.sort_by(|a, b| (&a.name, &a.other, &a.evidence).cmp(&(&b.name, &b.other, &b.evidence)));
    told
}

/// By which join each spelling came to the fullest one: the one that had the two on its sides.
fn how<'a>(
    spellings: &[Spelling],
    persons: &[Person],
    joins: &'a [Join],
) -> FxHashMap<usize, &'a Join> {
    let fullest: FxHashSet<usize> = persons
        .iter()
        .filter_map(|person| {
            person.group.iter().find(|&&index| spellings[index].text == person.fullest)
        })
        .copied()
        .collect();
    let mut how = FxHashMap::default();
    for join in joins {
        let [one, other] = &join.sides;
        for (side, opposite) in [(one, other), (other, one)] {
            if opposite.iter().any(|index| fullest.contains(index)) {
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
    doubts: Vec<RawDoubt>,
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

    fn doubt(&mut self, a: usize, b: usize, why: String) {
        let pair = (self.groups[a][0], self.groups[b][0]);
        self.doubts.push(RawDoubt { pair, why });
    }

    /// Step 3: groups of spellings that are one person by compatible names; every spelling is in one group.
    fn compatible_names(&mut self) {
        let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, spelling) in self.spellings.iter().enumerate() {
            by_surname.entry(spelling.name.surname_key()).or_default().push(index);
        }
        let all: Vec<Vec<usize>> = by_surname.into_values().collect();
        let (spellings, meetings) = (self.spellings, self.meetings);
        let outcomes: Vec<Outcome> =
            all.par_iter().map(|all| namesakes::group(all, spellings, meetings)).collect();
        for Outcome { groups, joins, doubts } in outcomes {
            self.groups.extend(groups);
            self.joins.extend(joins);
            self.doubts.extend(doubts);
        }
    }

    /// Whether the given names of two groups may be one person's, all with all.
    fn may_be(&self, a: &[usize], b: &[usize]) -> bool {
        a.iter().all(|&a| b.iter().all(|&b| self.spellings[a].may_be(&self.spellings[b])))
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
                    self.doubt(home, other, format!("both have FIDE's number {id}, but they met"));
                } else if !self.share_a_name(home, other) && !self.are_sure_of_number(home, other) {
                    let why = format!("both have FIDE's number {id}, but in a single game");
                    self.doubt(home, other, why);
                } else {
                    let evidence = format!("FIDE's number {id}");
                    self.join(home, other, MergeReason::FideId, evidence);
                    now.insert(other, home);
                }
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Whether two groups have a word of their surnames in common.
    fn share_a_name(&self, a: usize, b: usize) -> bool {
        self.members(&self.groups[a]).any(|one| {
            self.members(&self.groups[b])
                .any(|other| one.name.surname.iter().any(|word| other.name.surname.contains(word)))
        })
    }

    /// Whether both groups have their numbers with FIDE from several games.
    fn are_sure_of_number(&self, a: usize, b: usize) -> bool {
        [a, b].into_iter().all(|group| {
            let games = self.members(&self.groups[group]).map(Spelling::games_with_number);
            games.sum::<u32>() >= SEVERAL_GAMES
        })
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
            let may_be = x.may_be(y) && self.may_be(mine, theirs) && is_alike();
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

    /// Step 4: groups under both of which the same places in events are told.
    fn same_places_of_events(&mut self, found: &FxHashMap<(usize, usize), Evidence>) {
        let mut homes = self.homes();
        let mut pairs: Vec<((usize, usize), Evidence)> =
            found.iter().map(|(pair, evidence)| (*pair, *evidence)).collect();
        // The best known first.
        pairs.sort_unstable_by_key(|(pair, evidence)| {
            (std::cmp::Reverse(evidence.games + evidence.both_differ), *pair)
        });
        for ((a, b), evidence) in pairs {
            let (home, other) = (homes[a].min(homes[b]), homes[a].max(homes[b]));
            if home == other {
                continue;
            }
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            let is_one_career = self
                .members(mine)
                .all(|one| self.members(theirs).all(|other| one.is_one_career_with(other)));
            // One initial for two given names would make one person of them.
            let contradict = self.members(mine).any(|one| {
                self.members(theirs).any(|other| {
                    one.name.surname_key() == other.name.surname_key()
                        && !one.name.given_compatible(&other.name, true)
                })
            });
            if contradict
                || !is_one_career
                || self.meetings.any_met_over_the_board(mine, theirs)
                || self.have_other_numbers(mine, theirs)
                || self.ratings(mine).alike(&self.ratings(theirs)) == Some(false)
            {
                continue;
            }
            let games = evidence.games + evidence.both_differ;
            let told = match games {
                1 => "1 game of an event is".to_owned(),
                games => format!("{games} games of events are"),
            };
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            self.join(home, other, MergeReason::SameEvents, format!("{told} there under both"));
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Step 5: groups whose surnames are written alike, with support.
    fn near_spellings(
        &mut self,
        table: &GameTable,
        of: &NameIndex,
        near: &[(usize, usize, SurnameSimilarity)],
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
        let mut supported: Vec<(usize, usize, usize)> = Vec::new();
        let mut partners: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
        for &(a, b, similarity) in near {
            let (home, other) = (homes[a].min(homes[b]), homes[a].max(homes[b]));
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            if home == other || !self.may_be_one(mine, theirs) {
                continue;
            }
            let of = |group: usize| opponents.get(&group);
            let in_common = of(home).zip(of(other)).map_or(0, |(a, b)| a.intersection(b).count());
            let fewest =
                of(home).map_or(0, FxHashSet::len).min(of(other).map_or(0, FxHashSet::len));
            let (ratings, others) = (self.ratings(mine), self.ratings(theirs));
            let identical = ratings.identical(&others);
            let like = ratings.alike(&others);
            let given = |index: usize| self.spellings[index].name.given.first();
            let same_given =
                given(a).zip(given(b)).is_some_and(|(a, b)| a == b && a.len() >= WHOLE_NAME);
            let is_supported = like != Some(false)
                && match similarity {
                    SurnameSimilarity::SameSound => {
                        let is_long = self.spellings[a].name.surname_key().len() >= LONG_SURNAME;
                        identical
                            || (same_given && like == Some(true))
                            || (in_common >= SOME_OPPONENTS && (same_given || is_long))
                    }
                    SurnameSimilarity::OneLetter => {
                        same_given
                            && (identical
                                || (in_common >= MANY_OPPONENTS && in_common * 3 >= fewest))
                    }
                };
            if is_supported {
                supported.push((home, other, in_common));
                partners.entry(home).or_default().insert(other);
                partners.entry(other).or_default().insert(home);
            } else if like != Some(false) && (same_given || in_common >= MANY_OPPONENTS) {
                let why =
                    format!("surnames that are written alike, {in_common} opponents in common");
                self.doubt(home, other, why);
            }
        }
        let original = self.groups.clone();
        for (home, other, in_common) in supported {
            // Somebody else whom one of the two could be as well, and who is not the other.
            let is_open = |one: usize, two: usize| {
                partners[&one].iter().any(|third| {
                    *third != two && !self.may_be_one(&original[*third], &original[two])
                })
            };
            if is_open(home, other) || is_open(other, home) {
                let why = format!(
                    "surnames that are written alike, {in_common} opponents in common, but somebody \
                     else could be meant"
                );
                let pair = (original[home][0], original[other][0]);
                self.doubts.push(RawDoubt { pair, why });
                continue;
            }
            let (home, other) = (homes[original[home][0]], homes[original[other][0]]);
            if home == other || !self.may_be_one(&self.groups[home], &self.groups[other]) {
                continue;
            }
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            let evidence = format!("{in_common} opponents in common");
            self.join(home, other, MergeReason::NearSpelling, evidence);
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Whether nothing known keeps two groups apart but their ratings and surnames.
    fn may_be_one(&self, a: &[usize], b: &[usize]) -> bool {
        self.may_be(a, b) && !self.meetings.any_met(a, b) && !self.have_other_numbers(a, b)
    }

    /// Groups that the table of names has for one person, each by a spelling of its own.
    fn known_persons(&mut self, names: &DisplayNames) {
        let mut of_person: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            let all = self.members(group).map(|one| &one.name);
            if let Some((person, true)) = names.find(all, years(self.spellings, group)) {
                of_person.entry(person).or_default().push(number);
            }
        }
        for (person, groups) in of_person.into_iter().filter(|(_, groups)| groups.len() > 1) {
            let home = groups[0];
            for &other in &groups[1..] {
                let (mine, theirs) = (&self.groups[home], &self.groups[other]);
                if self.meetings.any_met_over_the_board(mine, theirs)
                    || self.have_other_numbers(mine, theirs)
                {
                    continue;
                }
                let evidence = names.person(person).listed();
                self.join(home, other, MergeReason::NamesTable, evidence);
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Notes spellings under which two persons seem to play: the games give two numbers with FIDE.
    fn two_numbers(&mut self) {
        for (index, spelling) in self.spellings.iter().enumerate() {
            if spelling.fide_ids.len() < 2 || spelling.fide_id().is_some() {
                continue;
            }
            let mut ids = spelling.fide_ids.clone();
            ids.sort_unstable();
            let told: Vec<String> =
                ids.iter().map(|(id, games)| format!("{id} ({games} games)")).collect();
            let why = format!("several numbers with FIDE: {}", told.join(", "));
            self.doubts.push(RawDoubt { pair: (index, index), why });
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
                result: GameResult::Draw,
                ..Game::default()
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
    fn one_number_for_both_players_of_a_game_says_nothing() {
        let mut games = table(&[
            ("A", 2013, "Carlsen, Magnus", "Anand, Viswanathan"),
            ("B", 2014, "Carlsen, Magnus", "Anand, Viswanathan"),
        ]);
        let first = &mut games.games_mut()[0];
        (first.white_fide_id, first.black_fide_id) = (1_503_014, 1_503_014);
        assert_eq!(resolve(&games, &Aliases::default()).len(), 2);
        // Nor does one that belongs to somebody whom he met.
        for (game, (white, black)) in games.games_mut().iter_mut().zip([(7, 8), (8, 9)]) {
            (game.white_fide_id, game.black_fide_id) = (white, black);
        }
        assert_eq!(resolve(&games, &Aliases::default()).len(), 2);
    }

    #[test]
    fn an_initial_does_not_join_two_who_have_numbers_of_their_own() {
        let mut games = table(&[
            ("A", 2010, "Ivanov,A", "X"),
            ("B", 2010, "Ivanov, Alex", "Y"),
            ("C", 2010, "Ivanov, Alexander", "Z"),
        ]);
        for (game, (id, elo)) in games.games_mut().iter_mut().zip([(0, 0), (11, 2600), (22, 2100)])
        {
            (game.white_fide_id, game.white_elo) = (id, elo);
        }
        assert_eq!(resolve(&games, &Aliases::default()).len(), 6);
    }

    #[test]
    fn who_met_one_candidate_is_still_a_rival_for_the_other() {
        let found = persons(&[
            ("A", 1990, "Polgar,S", "X"),
            ("A", 1990, "Polgar, Su", "Y"),
            ("B", 1990, "Polgar, Susan", "Z"),
        ]);
        assert_eq!(found, ["Polgar,S", "Polgar, Su", "Polgar, Susan", "X", "Y", "Z"]);
    }

    #[test]
    fn games_of_no_named_event_tell_nothing_of_who_met() {
        let found = persons(&[
            ("?", 1990, "Kasparov, Garry", "X"),
            ("?", 1990, "Kasparov,G", "Y"),
            ("", 1990, "Karpov, Anatoly", "X"),
            ("", 1990, "Karpov,A", "Y"),
        ]);
        assert_eq!(found.len(), 4, "{found:?}");
    }

    #[test]
    fn the_order_of_rating_tags_does_not_matter() {
        let names = ["Lee, Alan", "Lee,A", "Lee, Andy"];
        let resolved = |first: u16, second: u16| {
            let rows: Vec<(&str, u16, &str, &str)> = names
                .iter()
                .flat_map(|name| [("A", 1999, *name, "X"), ("B", 1999, *name, "Y")])
                .zip(["A", "B", "C", "D", "E", "F"])
                .map(|((_, year, white, black), event)| (event, year, white, black))
                .collect();
            let mut games = table(&rows);
            let tags = [first, second, first, second, 2300, 2310];
            for (game, elo) in games.games_mut().iter_mut().zip(tags) {
                game.white_elo = elo;
            }
            resolve(&games, &Aliases::default()).len()
        };
        assert_eq!(resolved(2395, 2405), resolved(2405, 2395));
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
