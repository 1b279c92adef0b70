//! Joins spellings into groups, each a player, step by step.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::cluster::LinkInput;
use super::display_names::DisplayNames;
use super::divided_initials::DividedInitial;
use super::link::{Link, Linker};
use super::merge::{MergeReason, WeighedPair};
use super::name::{PersonName, fold};
use super::spelling::{NameIndex, Spelling, years_of_group};
use crate::games::GameTable;

/// The number of games with a FIDE number that confirm it if the surnames differ.
///
/// Judged: one or two wrong tags occur in a single event, the third game is rarely wrong as well.
/// Twice as many would keep apart players who changed their name and have few games.
const SEVERAL_GAMES: u32 = 3;

/// The probability from which a pair that is not joined is recorded as a doubt.
///
/// Judged: below it, two players are more likely than one. Half as much would double the doubts.
const DOUBT: f64 = 0.5;

/// Two groups of spellings that were joined, and why.
#[derive(Debug)]
pub(super) struct Join {
    pub sides: [Vec<usize>; 2],
    pub reason: MergeReason,
    pub evidence: String,
}

/// Two spellings that may belong to one player; the description follows at the end.
#[derive(Debug)]
pub(super) struct RawDoubt {
    pub pair: (usize, usize),
    pub why: String,
}

/// The state of the joining: spellings in groups, each a player.
pub(super) struct Joining<'a> {
    pub groups: Vec<Vec<usize>>,
    spellings: &'a [Spelling],
    /// The pairs of spellings that played each other, the smaller number first.
    opponents: FxHashSet<(usize, usize)>,
    pub joins: Vec<Join>,
    pub doubts: Vec<RawDoubt>,
    pub weighed: Vec<WeighedPair>,
    /// The games under initials that several players may have.
    pub divided: Vec<DividedInitial>,
}

impl<'a> Joining<'a> {
    /// Starts with a group for each spelling.
    pub fn new(
        table: &GameTable,
        name_index: &NameIndex,
        spellings: &'a [Spelling],
    ) -> Joining<'a> {
        let mut opponents = FxHashSet::default();
        for game in table.games() {
            let sides = name_index.get(game.white).zip(name_index.get(game.black));
            opponents.extend(sides.map(|(a, b)| (a.min(b), a.max(b))));
        }
        Joining {
            groups: (0..spellings.len()).map(|one| vec![one]).collect(),
            spellings,
            opponents,
            joins: Vec::new(),
            doubts: Vec::new(),
            weighed: Vec::new(),
            divided: Vec::new(),
        }
    }

    /// Whether any spelling of one group played any of another.
    fn are_opponents(&self, a: &[usize], b: &[usize]) -> bool {
        a.iter().any(|&a| b.iter().any(|&b| self.opponents.contains(&(a.min(b), a.max(b)))))
    }

    fn members<'s>(&'s self, group: &'s [usize]) -> impl Iterator<Item = &'s Spelling> {
        group.iter().map(|&index| &self.spellings[index])
    }

    fn fide_ids(&self, group: &[usize]) -> BTreeSet<u32> {
        self.members(group).filter_map(Spelling::fide_id).collect()
    }

    /// Whether both groups have FIDE numbers, and none in common.
    fn have_different_numbers(&self, a: &[usize], b: &[usize]) -> bool {
        let (mine, theirs) = (self.fide_ids(a), self.fide_ids(b));
        !mine.is_empty() && !theirs.is_empty() && mine.is_disjoint(&theirs)
    }

    /// Moves everything in the second group into the first.
    fn join(&mut self, home: usize, other: usize, reason: MergeReason, evidence: String) {
        let joined = std::mem::take(&mut self.groups[other]);
        let sides = [self.groups[home].clone(), joined.clone()];
        self.joins.push(Join { sides, reason, evidence });
        self.groups[home].extend(joined);
    }

    /// Records that two groups may be one player.
    fn doubt(&mut self, a: usize, b: usize, why: String) {
        let pair = (self.groups[a][0], self.groups[b][0]);
        self.doubts.push(RawDoubt { pair, why });
    }

    /// Returns the group of each spelling.
    fn homes(&self) -> Vec<usize> {
        let mut homes = vec![usize::MAX; self.spellings.len()];
        for (number, group) in self.groups.iter().enumerate() {
            for &index in group {
                homes[index] = number;
            }
        }
        homes
    }

    /// Joins groups with the same FIDE number in several games.
    pub fn numbers_with_fide(&mut self) {
        let mut by_id: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            for id in self.fide_ids(group) {
                by_id.entry(id).or_default().push(number);
            }
        }
        let mut moved: BTreeMap<usize, usize> = BTreeMap::new();
        for (id, groups) in by_id {
            let home = current_group(groups[0], &moved);
            for &other in &groups[1..] {
                let other = current_group(other, &moved);
                if other == home {
                    continue;
                }
                if self.are_opponents(&self.groups[home], &self.groups[other]) {
                    let why = format!("both have the FIDE number {id}, but they met");
                    self.doubt(home, other, why);
                } else if self.are_sure_of_number(home, other)
                    || (self.share_a_name(home, other) && self.have_number_always(home, other))
                {
                    self.join(home, other, MergeReason::FideId, format!("FIDE number {id}"));
                    moved.insert(other, home);
                } else if !self.share_a_name(home, other) {
                    let why = format!("both have the FIDE number {id}, but in a single game");
                    self.doubt(home, other, why);
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

    /// Whether both groups have their FIDE numbers from several games.
    fn are_sure_of_number(&self, a: usize, b: usize) -> bool {
        [a, b].into_iter().all(|group| {
            let games = self.members(&self.groups[group]).map(Spelling::games_with_number);
            games.sum::<u32>() >= SEVERAL_GAMES
        })
    }

    /// Whether all games of two groups, several together, have their FIDE numbers.
    fn have_number_always(&self, a: usize, b: usize) -> bool {
        let both = || [a, b].into_iter().flat_map(|group| self.members(&self.groups[group]));
        let games: u32 = both().map(|spelling| spelling.games).sum();
        let with_number: u32 = both().map(Spelling::games_with_number).sum();
        games >= SEVERAL_GAMES && with_number == games
    }

    /// Joins groups that are one player in the table of names, each by a spelling in the table.
    pub fn known_persons(&mut self, names: &DisplayNames) {
        let persons: Vec<Option<usize>> =
            self.groups.par_iter().map(|group| self.known_person(group, names)).collect();
        let mut by_person: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, person) in persons.into_iter().enumerate() {
            if let Some(person) = person {
                by_person.entry(person).or_default().push(number);
            }
        }
        for (person, groups) in by_person {
            let home = groups[0];
            for &other in &groups[1..] {
                let (mine, theirs) = (&self.groups[home], &self.groups[other]);
                if self.are_opponents(mine, theirs) || self.have_different_numbers(mine, theirs) {
                    continue;
                }
                let evidence = names.person(person).listed();
                self.join(home, other, MergeReason::NamesTable, evidence);
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Joins groups by weighed evidence.
    ///
    /// The weighed pairs of spellings that contain `explained` are kept.
    pub fn weighed(&mut self, input: &LinkInput, names: &DisplayNames, explained: Option<&str>) {
        let explained = explained.map(fold);
        let spellings = self.spellings;
        let is_explained = |pair: [usize; 2]| {
            explained.as_ref().is_some_and(|name| {
                pair.iter().any(|&spelling| fold(&spellings[spelling].text).contains(name))
            })
        };
        let known: Vec<Option<usize>> =
            self.groups.par_iter().map(|group| self.known_person(group, names)).collect();
        let mut linker = Linker::new(input, &self.groups, &known);
        let mut homes = self.homes();
        for link in linker.run(input) {
            let (home, other) = (homes[link.home], homes[link.other]);
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            if is_explained([link.home, link.other]) {
                self.weighed.push(self.weighed_pair(&link, true));
            }
            self.join(home, other, MergeReason::Weighed, link.evidence);
        }
        self.divided = linker.divided_initials(input);
        for link in linker.left_apart(DOUBT, is_explained) {
            if is_explained([link.home, link.other]) {
                self.weighed.push(self.weighed_pair(&link, false));
            }
            if link.probability > DOUBT {
                self.doubts.push(RawDoubt { pair: (link.home, link.other), why: link.evidence });
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    fn weighed_pair(&self, link: &Link, are_joined: bool) -> WeighedPair {
        WeighedPair {
            names: [link.home, link.other].map(|one| self.spellings[one].text.clone()),
            are_joined,
            probability: link.probability,
            terms: link.evidence.clone(),
        }
    }

    /// Returns the number of the only person in the table of names who has a spelling of a group.
    fn known_person(&self, group: &[usize], names: &DisplayNames) -> Option<usize> {
        let texts = self.members(group).flat_map(|one| &one.texts);
        let texts: Vec<PersonName> = texts.map(|(_, text)| PersonName::parse(text)).collect();
        let all = self.members(group).map(|one| &one.name).chain(&texts);
        let (person, is_stated) = names.find(all, years_of_group(self.spellings, group))?;
        is_stated.then_some(person)
    }

    /// Records doubts about spellings whose games have two FIDE numbers, which may be two players.
    pub fn doubt_two_numbers(&mut self) {
        for (index, spelling) in self.spellings.iter().enumerate() {
            if spelling.fide_ids.len() < 2 || spelling.fide_id().is_some() {
                continue;
            }
            let mut ids = spelling.fide_ids.clone();
            ids.sort_unstable();
            let counts: Vec<String> = ids
                .iter()
                .map(|(id, games)| match games {
                    1 => format!("{id} (1 game)"),
                    _ => format!("{id} ({games} games)"),
                })
                .collect();
            let why = format!("several FIDE numbers: {}", counts.join(", "));
            self.doubts.push(RawDoubt { pair: (index, index), why });
        }
    }
}

/// Returns the group that contains the spellings of a group now, after joins.
///
/// `moved` contains, by group, the group into which it was moved.
fn current_group(mut group: usize, moved: &BTreeMap<usize, usize>) -> usize {
    while let Some(&next) = moved.get(&group) {
        group = next;
    }
    group
}
