//! Joins spellings into groups, each a player, step by step.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::comparable_names::ComparableNames;
use super::display_names::DisplayNames;
use super::evidence::IdentityEvidence;
use super::meetings::Meetings;
use super::merge::MergeReason;
use super::name::PersonName;
use super::namesakes::{self, GroupedNamesakes, Join, RawDoubt};
use super::shared_events::{GroupedGames, SpelledGames};
use super::similarity::similar_surnames;
use super::spelling::{RatingTags, Spelling, years_of_group};

/// The number of games with a FIDE number that confirm it if the surnames differ.
///
/// Judged: one or two wrong tags occur in a single event, the third game is rarely wrong as well.
/// Twice as many would keep apart players who changed their name and have few games.
const SEVERAL_GAMES: u32 = 3;

/// The state of the joining: spellings in groups, each a player.
pub(super) struct Joining<'a> {
    pub groups: Vec<Vec<usize>>,
    pub(super) spellings: &'a [Spelling],
    pub(super) names: &'a ComparableNames<'a>,
    pub(super) meetings: &'a Meetings<'a>,
    same_games: &'a FxHashMap<(usize, usize), usize>,
    pub joins: Vec<Join>,
    pub doubts: Vec<RawDoubt>,
}

impl<'a> Joining<'a> {
    /// Starts with no groups.
    pub fn new(
        spellings: &'a [Spelling],
        names: &'a ComparableNames<'a>,
        meetings: &'a Meetings<'a>,
        same_games: &'a FxHashMap<(usize, usize), usize>,
    ) -> Joining<'a> {
        let (groups, joins, doubts) = (Vec::new(), Vec::new(), Vec::new());
        Joining { groups, spellings, names, meetings, same_games, joins, doubts }
    }

    /// Returns the games of the groups; `homes` are the groups of the spellings.
    pub(super) fn grouped<'g>(
        &'g self,
        games: SpelledGames<'g>,
        homes: &'g [usize],
    ) -> GroupedGames<'g> {
        let SpelledGames { table, name_index, numbers, rows } = games;
        GroupedGames {
            table,
            group_of: Box::new(|name| name_index.get(name).map(|spelling| homes[spelling])),
            have_similar_names: Box::new(|a, b| self.have_similar_names(a, b)),
            numbers,
            rows,
        }
    }

    pub(super) fn members<'s>(&'s self, group: &'s [usize]) -> impl Iterator<Item = &'s Spelling> {
        group.iter().map(|&index| &self.spellings[index])
    }

    pub(super) fn ratings(&self, group: &[usize]) -> RatingTags {
        RatingTags::from_spellings(self.members(group))
    }

    /// Returns the highest rating tag of a group (points); 0 if there is none.
    pub(super) fn best_rating(&self, group: &[usize]) -> u16 {
        self.members(group).map(Spelling::best_rating).max().unwrap_or_default()
    }

    fn fide_ids(&self, group: &[usize]) -> BTreeSet<u32> {
        self.members(group).filter_map(Spelling::fide_id).collect()
    }

    /// Whether both groups have FIDE numbers, and none in common.
    pub(super) fn have_different_numbers(&self, a: &[usize], b: &[usize]) -> bool {
        let (mine, theirs) = (self.fide_ids(a), self.fide_ids(b));
        !mine.is_empty() && !theirs.is_empty() && mine.is_disjoint(&theirs)
    }

    /// Moves everything in the second group into the first.
    pub(super) fn join(
        &mut self,
        home: usize,
        other: usize,
        reason: MergeReason,
        evidence: String,
    ) {
        let joined = std::mem::take(&mut self.groups[other]);
        let sides = [self.groups[home].clone(), joined.clone()];
        self.joins.push(Join { sides, reason, evidence });
        self.groups[home].extend(joined);
    }

    /// Records that two groups may be one player.
    pub(super) fn doubt(&mut self, a: usize, b: usize, why: String) {
        let pair = (self.groups[a][0], self.groups[b][0]);
        self.doubts.push(RawDoubt { pair, why });
    }

    /// Step 3: groups spellings with compatible names. Every spelling is in one group afterwards.
    pub fn compatible_names(&mut self) {
        let mut by_surname: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, spelling) in self.spellings.iter().enumerate() {
            by_surname.entry(spelling.name.surname_key()).or_default().push(index);
        }
        let all: Vec<Vec<usize>> = by_surname.into_values().collect();
        let (spellings, meetings) = (self.spellings, self.meetings);
        let outcomes: Vec<GroupedNamesakes> =
            all.par_iter().map(|all| namesakes::group(all, spellings, meetings)).collect();
        for GroupedNamesakes { groups, joins, doubts } in outcomes {
            self.groups.extend(groups);
            self.joins.extend(joins);
            self.doubts.extend(doubts);
        }
    }

    /// Whether all given names of two groups agree with each other.
    ///
    /// Spellings without given names (`Suetin Alexey`, which has no comma) say nothing if a group
    /// has others.
    pub(super) fn given_names_agree(&self, a: &[usize], b: &[usize]) -> bool {
        let [mine, theirs] = [a, b].map(|group| {
            let members = self.members(group);
            members.filter(|one| !one.name.given.is_empty()).collect::<Vec<&Spelling>>()
        });
        !mine.is_empty()
            && !theirs.is_empty()
            && mine.iter().all(|one| theirs.iter().all(|other| one.given_names_agree(other)))
    }

    /// Returns the group of each spelling.
    pub(super) fn homes(&self) -> Vec<usize> {
        let mut homes = vec![usize::MAX; self.spellings.len()];
        for (number, group) in self.groups.iter().enumerate() {
            for &index in group {
                homes[index] = number;
            }
        }
        homes
    }

    /// Step 4: joins groups with the same FIDE number.
    pub fn numbers_with_fide(&mut self) {
        let mut by_id: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            for id in self.fide_ids(group) {
                by_id.entry(id).or_default().insert(number);
            }
        }
        let mut moved: BTreeMap<usize, usize> = BTreeMap::new();
        for (id, groups) in by_id.into_iter().filter(|(_, groups)| groups.len() > 1) {
            let mut groups = groups.into_iter();
            let Some(first) = groups.next() else { continue };
            let home = current_group(first, &moved);
            for other in groups {
                let other = current_group(other, &moved);
                if other == home {
                    continue;
                }
                // A header with a wrong round or spelling does not outweigh a number of many games.
                let is_sure =
                    self.share_a_name(home, other) && self.are_sure_of_number(home, other);
                let (mine, theirs) = (&self.groups[home], &self.groups[other]);
                if self.meetings.any_met_over_the_board(mine, theirs)
                    || (!is_sure && self.meetings.any_met(mine, theirs))
                {
                    self.doubt(
                        home,
                        other,
                        format!("both have the FIDE number {id}, but they met"),
                    );
                } else if !self.share_a_name(home, other) && !self.are_sure_of_number(home, other) {
                    let why = format!("both have the FIDE number {id}, but in a single game");
                    self.doubt(home, other, why);
                } else {
                    let evidence = format!("FIDE number {id}");
                    self.join(home, other, MergeReason::FideId, evidence);
                    moved.insert(other, home);
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

    /// Step 4: joins groups that have the same games.
    pub fn games_under_both(&mut self) {
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
            let (surname, of_other) = (x.name.surname_key(), y.name.surname_key());
            if !x.given_names_agree(y)
                || !self.given_names_agree(mine, theirs)
                || (surname != of_other && similar_surnames(&[&surname, &of_other]).is_empty())
                || self.meetings.any_met_over_the_board(mine, theirs)
                || self.have_different_numbers(mine, theirs)
            {
                continue;
            }
            let both = mine.iter().flat_map(|&a| theirs.iter().map(move |&b| (a.min(b), a.max(b))));
            let games: usize = both.filter_map(|pair| self.same_games.get(&pair)).sum();
            // Groups from two records of one event meet each other's opponents. A single game may
            // be an error in a header of an event in which both played.
            if games < 2 && self.meetings.any_met(mine, theirs) {
                continue;
            }
            let evidence = match games {
                1 => "1 game is recorded under both".to_owned(),
                _ => format!("{games} games are recorded under both"),
            };
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            self.join(home, other, MergeReason::SameGames, evidence);
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Step 4: joins groups that have the same place in events.
    pub fn same_places_of_events(&mut self, found: &FxHashMap<(usize, usize), IdentityEvidence>) {
        let mut homes = self.homes();
        let mut pairs: Vec<((usize, usize), IdentityEvidence)> =
            found.iter().map(|(pair, evidence)| (*pair, *evidence)).collect();
        // Pairs with the most games first.
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
            // One initial that fits two given names would join two players.
            let given_names_differ = self.members(mine).any(|one| {
                self.members(theirs).any(|other| {
                    one.name.surname_key() == other.name.surname_key()
                        && !one.name.given_compatible(&other.name, true)
                })
            });
            if given_names_differ
                || !is_one_career
                || self.meetings.any_met_over_the_board(mine, theirs)
                || self.have_different_numbers(mine, theirs)
                || self.ratings(mine).agree(&self.ratings(theirs)) == Some(false)
            {
                continue;
            }
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            self.join(home, other, MergeReason::SameEvents, evidence.in_words());
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Whether given names, numbers and meetings allow that two groups are one player.
    pub(super) fn may_be_one_player(&self, a: &[usize], b: &[usize]) -> bool {
        self.given_names_agree(a, b)
            && !self.meetings.any_met(a, b)
            && !self.have_different_numbers(a, b)
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
                if self.meetings.any_met_over_the_board(mine, theirs)
                    || self.have_different_numbers(mine, theirs)
                {
                    continue;
                }
                let evidence = names.person(person).listed();
                self.join(home, other, MergeReason::NamesTable, evidence);
            }
        }
        self.groups.retain(|group| !group.is_empty());
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
