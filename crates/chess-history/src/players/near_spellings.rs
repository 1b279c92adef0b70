//! Persons whose surnames are written alike: in another transliteration, or with another letter.
//!
//! Written alike are also the names of two persons, so that something else must speak for one:
//! opponents in common, rating tags; or that it is a slip of the pen, which nobody else is called.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::IdentityEvidence;
use super::joining::Joining;
use super::merge_reason::MergeReason;
use super::namesakes::RawDoubt;
use super::similarity::SurnameSimilarity;
use super::slips::in_shared_events;
use super::spellings::{NEAR_YEARS, NameIndex, Spelling, years};
use crate::games::GameTable;

/// Opponents in common that support surnames of the same sound.
const SOME_OPPONENTS: usize = 2;

/// Opponents in common that support surnames with another letter.
const MANY_OPPONENTS: usize = 5;

/// Letters from which surnames of the same sound are not short ones like `Pap` and `Papp`.
const LONG_SURNAME: usize = 6;

/// Letters from which a given name says more than an initial does.
const WHOLE_NAME: usize = 4;

/// Letters from which a given name that is the same to the letter is no initial.
const SHORT_NAME: usize = 3;

/// Games that a player must have at least, for another name to be a slip of the pen for his.
const WELL_KNOWN: u32 = 10;

/// How many times as many games he must have as there are under the slip.
const BETTER_KNOWN: u32 = 3;

/// Games of a player beside whom a name a letter away is hardly another's, and how many times as
/// many they are.
const FAMOUS: u32 = 50;
const FAMOUS_BESIDE: u32 = 5;

/// Years before and behind a career in which games of it may be.
const SOME_YEARS: i16 = 2;

/// How often names are compared: an opponent in common may be known by then who was not before.
const PASSES: usize = 2;

/// Two groups that may be one.
struct SupportedPair {
    pair: [usize; 2],
    in_common: usize,
    /// Which of the two is a slip of the pen for the other.
    slip: Option<usize>,
}

/// Who met whom, and who is called how.
struct GroupContext {
    homes: Vec<usize>,
    /// The opponents of the groups that may be others, as groups.
    opponents: FxHashMap<usize, FxHashSet<usize>>,
    /// How many groups have each surname.
    bearers: FxHashMap<String, usize>,
    /// What events say of groups that may be slips for others.
    in_events: FxHashMap<(usize, usize), IdentityEvidence>,
}

impl GroupContext {
    fn opponents(&self, group: usize) -> usize {
        self.opponents.get(&group).map_or(0, FxHashSet::len)
    }

    fn in_common(&self, a: usize, b: usize) -> usize {
        let both = self.opponents.get(&a).zip(self.opponents.get(&b));
        both.map_or(0, |(a, b)| a.intersection(b).count())
    }
}

impl Joining<'_> {
    /// Step 5: groups whose surnames are written alike, with support.
    pub fn near_spellings(
        &mut self,
        table: &GameTable,
        of: &NameIndex,
        near: &[(usize, usize, SurnameSimilarity)],
    ) {
        let doubts = self.doubts.len();
        for _ in 0..PASSES {
            self.doubts.truncate(doubts);
            let groups = self.groups.len();
            let surroundings = self.surroundings(table, of, near);
            let supported = self.supported(near, &surroundings);
            self.join_supported(supported, surroundings.homes);
            if self.groups.len() == groups {
                break;
            }
        }
    }

    fn surroundings(
        &self,
        table: &GameTable,
        of: &NameIndex,
        near: &[(usize, usize, SurnameSimilarity)],
    ) -> GroupContext {
        let homes = self.homes();
        let pairs = near.iter().map(|(a, b, _)| [homes[*a], homes[*b]]).filter(|[a, b]| a != b);
        let concerned: FxHashSet<usize> = pairs.flatten().collect();
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
        let bearers = self.bearers();
        let mut around =
            GroupContext { homes, opponents, bearers, in_events: FxHashMap::default() };
        let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
        for &(a, b, _) in near {
            let both = [(a, b), (b, a)].into_iter().filter(|pair| self.may_be_slip(*pair, &around));
            pairs.extend(both.map(|(slip, known)| (around.homes[slip], around.homes[known])));
        }
        around.in_events =
            in_shared_events(table, of, &around.homes, &pairs, &|a, b| self.are_alike(a, b));
        around
    }

    /// How many groups have each surname.
    pub(super) fn bearers(&self) -> FxHashMap<String, usize> {
        let mut bearers: FxHashMap<String, usize> = FxHashMap::default();
        for group in &self.groups {
            let surnames: BTreeSet<String> =
                self.members(group).map(|one| one.name.surname_key()).collect();
            for surname in surnames {
                *bearers.entry(surname).or_default() += 1;
            }
        }
        bearers
    }

    /// The pairs of groups of which enough says that they are one; what is said of others is left
    /// as doubts.
    fn supported(
        &mut self,
        near: &[(usize, usize, SurnameSimilarity)],
        around: &GroupContext,
    ) -> Vec<SupportedPair> {
        let mut supported = Vec::new();
        for &(a, b, similarity) in near {
            let (one, two) = (around.homes[a], around.homes[b]);
            let (home, other) = (one.min(two), one.max(two));
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            let slip = [(a, b), (b, a)].into_iter().find(|pair| self.is_slip(*pair, around));
            if home == other || (slip.is_none() && !self.may_be_one(mine, theirs)) {
                continue;
            }
            let in_common = around.in_common(home, other);
            let fewest = around.opponents(home).min(around.opponents(other));
            let (ratings, others) = (self.ratings(mine), self.ratings(theirs));
            let identical = ratings.identical(&others);
            let like = ratings.alike(&others);
            let given = |index: usize| self.spellings[index].name.given.first();
            let same_given =
                given(a).zip(given(b)).is_some_and(|(a, b)| a == b && a.len() >= WHOLE_NAME);
            let is_written_so = match similarity {
                SurnameSimilarity::SameSound => {
                    let is_long = self.spellings[a].name.surname_key().len() >= LONG_SURNAME;
                    identical
                        || (same_given && like == Some(true))
                        || (in_common >= SOME_OPPONENTS && (same_given || is_long))
                }
                SurnameSimilarity::OneLetter => {
                    same_given
                        && (identical || (in_common >= MANY_OPPONENTS && in_common * 3 >= fewest))
                }
            };
            // A source that changes how it writes a name has new opponents under it soon, and the rating
            // goes on.
            let is_sequel = ((same_given && self.are_only_bearers(a, b, around))
                || in_common >= MANY_OPPONENTS)
                && self.is_sequel(mine, theirs)
                && ratings.continues(&others);
            let is_written_so = is_written_so || is_sequel;
            let slip = slip.map(|(slip, _)| around.homes[slip]);
            if like != Some(false) && (is_written_so || slip.is_some()) {
                supported.push(SupportedPair { pair: [home, other], in_common, slip });
            } else if like != Some(false) && (same_given || in_common >= MANY_OPPONENTS) {
                let why =
                    format!("surnames that are written alike, {in_common} opponents in common");
                self.doubt(home, other, why);
            }
        }
        supported
    }

    /// Whether nobody else has the surname of either.
    fn are_only_bearers(&self, a: usize, b: usize, around: &GroupContext) -> bool {
        let surnames = [a, b].map(|one| self.spellings[one].name.surname_key());
        surnames.iter().all(|surname| around.bearers.get(surname) == Some(&1))
    }

    /// Whether one of two groups begins where the other ends.
    fn is_sequel(&self, a: &[usize], b: &[usize]) -> bool {
        let (Some(mine), Some(theirs)) = (years(self.spellings, a), years(self.spellings, b))
        else {
            return false;
        };
        let follows = |before: (i16, i16), after: (i16, i16)| {
            before.1 <= after.0 && after.0 - before.1 <= NEAR_YEARS
        };
        follows(mine, theirs) || follows(theirs, mine)
    }

    /// Whether one name may be a slip of the pen for that of a well-known player: nobody else has
    /// the surname, and the given names are the same to the letter.
    fn may_be_slip(&self, (slip, known): (usize, usize), around: &GroupContext) -> bool {
        let (wrong, right) = (&self.spellings[slip].name, &self.spellings[known].name);
        let (mine, theirs) = (around.homes[slip], around.homes[known]);
        let games =
            |group: usize| -> u32 { self.members(&self.groups[group]).map(|one| one.games).sum() };
        mine != theirs
            && wrong.given == right.given
            && !wrong.given.is_empty()
            && around.bearers.get(&wrong.surname_key()) == Some(&1)
            && games(theirs) >= WELL_KNOWN.max(BETTER_KNOWN * games(mine))
            && self.may_be(&self.groups[mine], &self.groups[theirs])
            && self.nothing_parts(mine, theirs)
    }

    /// Whether such a name is a slip: it met nobody but opponents of that player, or is rated as he
    /// is, or has the games that he lacks in an event.
    fn is_slip(&self, pair: (usize, usize), around: &GroupContext) -> bool {
        if !self.may_be_slip(pair, around) {
            return false;
        }
        let (mine, theirs) = (around.homes[pair.0], around.homes[pair.1]);
        let [one, other] = [mine, theirs].map(|group| self.ratings(&self.groups[group]));
        let in_events = around.in_events.get(&(mine, theirs)).copied().unwrap_or_default();
        // Initials say something only of players of one event.
        let has_given =
            self.spellings[pair.0].name.given.iter().any(|word| word.len() >= SHORT_NAME);
        // Nearly all whom it met: of those of a whole event some met him there alone.
        let (met, in_common) = (around.opponents(mine), around.in_common(mine, theirs));
        let met_his_opponents = in_common == met
            || (in_common >= MANY_OPPONENTS && 5 * in_common >= 4 * met)
            || (in_common >= SOME_OPPONENTS && self.is_famous_beside((mine, theirs)));
        // Of so few games one may have a wrong round.
        2 * in_events.contradictions
            <= in_events.games + in_events.both_differ + in_events.completes / 2
            && (in_events.completes > 0
                || (has_given && met_his_opponents)
                || (has_given && one.alike(&other) == Some(true)))
    }

    /// Whether the player of one group has so many more games than another, whose years lie among
    /// his, that a name a letter away from his with his given name in full is hardly somebody
    /// else's.
    fn is_famous_beside(&self, (slip, known): (usize, usize)) -> bool {
        let of = |group: usize| self.members(&self.groups[group]);
        let games = |group: usize| -> u32 { of(group).map(|one| one.games).sum() };
        let years = |group: usize| {
            let first = of(group).map(|one| one.first_year).min();
            first.zip(of(group).map(|one| one.last_year).max())
        };
        let is_among = years(slip).zip(years(known)).is_some_and(|((first, last), (from, to))| {
            // One's first games may be under the slip.
            from.saturating_sub(SOME_YEARS) <= first && last <= to.saturating_add(SOME_YEARS)
        });
        let is_whole = |one: &Spelling| {
            one.name.given.first().is_some_and(|word| word.len() >= WHOLE_NAME)
                && one.name.surname_key().len() >= LONG_SURNAME
        };
        is_among
            && of(slip).all(is_whole)
            && games(known) >= FAMOUS.max(FAMOUS_BESIDE * games(slip))
    }

    fn join_supported(&mut self, supported: Vec<SupportedPair>, mut homes: Vec<usize>) {
        let mut partners: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
        let mut slips: FxHashSet<(usize, usize)> = FxHashSet::default();
        for SupportedPair { pair: [home, other], slip, .. } in &supported {
            partners.entry(*home).or_default().insert(*other);
            partners.entry(*other).or_default().insert(*home);
            let known = if *slip == Some(*home) { *other } else { *home };
            slips.extend(slip.map(|slip| (slip, known)));
        }
        let original = self.groups.clone();
        for SupportedPair { pair: [home, other], in_common, slip } in supported {
            // Somebody else whom one of the two could be as well, and who is not the other. That
            // there are several slips for one name says nothing against any of them.
            let is_open = |one: usize, two: usize| {
                slip.is_none_or(|slip| slip == one)
                    && partners[&one].iter().any(|third| {
                        *third != two
                            && !slips.contains(&(*third, two))
                            && !self.may_be_one(&original[*third], &original[two])
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
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            let may_be_one = match slip {
                Some(_) => self.may_be(mine, theirs) && self.nothing_parts(home, other),
                None => self.may_be_one(mine, theirs),
            };
            if home == other || !may_be_one {
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
}
