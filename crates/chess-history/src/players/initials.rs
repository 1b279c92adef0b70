//! Joins initials that only one player of their events can have.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::joining::Joining;
use super::merge::MergeReason;
use super::shared_events::{SharedEvents, SpelledGames};

/// The number of bearers of a surname beyond which an initial identifies no one.
///
/// Judged: all pairs of groups are compared, and an initial of a commoner surname almost always
/// fits several bearers. A higher number costs time and joins few names.
const MOST_BEARERS: usize = 40;

/// The number of spellings of a group that are compared.
///
/// Judged: few groups have more, and the cost grows with the square. Twice as many would find some
/// more names that resemble a rare spelling only.
const SPELLINGS: usize = 4;

impl Joining<'_> {
    /// Step 5: joins initials that only one player can have.
    ///
    /// They seemed to be another player of an event because its games are under both names: each
    /// game once or twice.
    pub fn initials_in_events(&mut self, games: SpelledGames) {
        let homes = self.homes();
        let mut found: Vec<((usize, usize), SharedEvents)> =
            self.grouped(games, &homes).in_shared_events(&self.initials()).into_iter().collect();
        found.sort_unstable_by_key(|(pair, _)| *pair);
        for ((initial, known), shared) in found {
            let evidence = shared.evidence;
            let is_supported = evidence.games + evidence.both_differ > 0 || shared.fills_gaps();
            if is_supported && evidence.outweighs() && self.nothing_excludes(initial, known) {
                self.join(known, initial, MergeReason::SameEvents, evidence.in_words());
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Returns groups with only an initial, each with the only other group of the surname that
    /// fits.
    fn initials(&self) -> FxHashSet<(usize, usize)> {
        let mut by_surname: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            for one in self.members(group) {
                by_surname.entry(one.name.surname_key()).or_default().insert(number);
            }
        }
        let mut pairs = FxHashSet::default();
        for groups in by_surname.values() {
            if !(2..=MOST_BEARERS).contains(&groups.len()) {
                continue;
            }
            for &initial in groups.iter().filter(|group| self.has_only_initials(**group)) {
                let mut others = groups.iter().filter(|other| {
                    **other != initial
                        && self.given_names_agree(&self.groups[initial], &self.groups[**other])
                });
                if let (Some(&only), None) = (others.next(), others.next())
                    && !self.has_only_initials(only)
                {
                    pairs.insert((initial, only));
                }
            }
        }
        pairs
    }

    /// Whether the first given name of all spellings of a group is an initial.
    fn has_only_initials(&self, group: usize) -> bool {
        let mut given = self.members(&self.groups[group]).map(|one| one.name.given.first());
        given.all(|word| word.is_some_and(|word| word.len() == 1))
    }

    /// Whether a name of one group may be a name of another.
    pub(super) fn have_similar_names(&self, a: usize, b: usize) -> bool {
        let [mine, theirs] = [a, b].map(|group| {
            let group = &self.groups[group];
            &group[..group.len().min(SPELLINGS)]
        });
        mine.iter().any(|&one| theirs.iter().any(|&other| self.names.are_similar(one, other)))
    }

    /// Whether two groups did not play each other and have no different FIDE numbers.
    pub(super) fn nothing_excludes(&self, a: usize, b: usize) -> bool {
        let (mine, theirs) = (&self.groups[a], &self.groups[b]);
        !self.meetings.any_met_over_the_board(mine, theirs)
            && !self.have_different_numbers(mine, theirs)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::GameResult;
    use crate::players::typos::tests::persons;

    #[test]
    fn an_initial_with_the_games_of_a_full_name_is_the_same_player() {
        let games = [1, 2, 3].map(|round| {
            let letter = ['B', 'C', 'D'][usize::from(round) - 1];
            (round, "Ilivitsky, G", format!("{letter}berg, Otto"))
        });
        for (result, spellings) in [
            (GameResult::White, "Ilivitsky, G = Ilivitsky, Georgy"),
            (GameResult::Draw, "Ilivitsky, G"),
        ] {
            let games = games
                .each_ref()
                .map(|(round, white, black)| (*round, *white, black.as_str(), result));
            let found = persons(&games);
            assert!(found.contains(&spellings.to_owned()), "{found:?}");
        }
    }
}
