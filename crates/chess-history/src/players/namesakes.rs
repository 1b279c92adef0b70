//! Joins spellings of one surname by given names and rating tags.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::{FEW_BEARERS, STRONG};
use super::meetings::Meetings;
use super::merge_reason::MergeReason;
use super::spelling::{NEAR_YEARS, RatingTags, Spelling};
use crate::disjoint_sets::DisjointSets;

/// The longest gap (years) between two spellings of one career.
const CAREER_GAP: i16 = 25;

/// The gap (years) within which the only bearer of a name is still a candidate.
const FAR_YEARS: i16 = 8;

/// The greatest difference (points) of the ratings across such a gap.
const FAR_RATING: f64 = 100.0;

/// How far (points) below a player's lowest rating a candidate's best must be to exclude him.
const FAR_BELOW: u16 = 200;

/// The number of games up to which a player is hardly known.
const HARDLY_KNOWN: u32 = 2;

/// The number of spellings of one surname beyond which none are joined.
///
/// No real collection has more.
const MOST: usize = 4000;

/// The number of different given names of one surname beyond which an initial identifies no one.
const MANY_BEARERS: usize = 40;

/// The number of doubts about one surname that are recorded.
const REPORTED: usize = 20;

/// Two groups of spellings that were joined, and why.
#[derive(Debug)]
pub(super) struct Join {
    pub sides: [Vec<usize>; 2],
    pub reason: MergeReason,
    pub evidence: String,
}

/// Two spellings that may be one player's; the description follows at the end.
#[derive(Debug)]
pub(super) struct RawDoubt {
    pub pair: (usize, usize),
    pub why: String,
}

/// The result for one surname.
#[derive(Debug, Default)]
pub(super) struct GroupedNamesakes {
    pub groups: Vec<Vec<usize>>,
    pub joins: Vec<Join>,
    pub doubts: Vec<RawDoubt>,
}

/// Spellings that are one player's as far as is known.
struct NamesakeGroup {
    /// Positions among the namesakes; empty if the group was moved into another.
    members: Vec<usize>,
    ratings: RatingTags,
    fide_ids: BTreeSet<u32>,
}

/// The spellings of one surname while they are joined.
struct Namesakes<'a> {
    /// The spellings of the surname, by index.
    all: &'a [usize],
    spellings: &'a [Spelling],
    meetings: &'a Meetings<'a>,
    /// For each pair, whether the given names are compatible.
    compatible: Vec<bool>,
    /// For each pair, whether the given names are compatible, and the numbers are one bearer's.
    same_bearer: Vec<bool>,
    /// For each pair, whether the given names are compatible if other evidence supports it.
    may_be: Vec<bool>,
    /// Whether the surname is so common that an initial is weak evidence.
    is_common: bool,
    groups: Vec<NamesakeGroup>,
    joins: Vec<Join>,
}

/// Groups the spellings of one surname.
pub(super) fn group(
    all: &[usize],
    spellings: &[Spelling],
    meetings: &Meetings<'_>,
) -> GroupedNamesakes {
    if all.len() == 1 || all.len() > MOST {
        let groups = all.iter().map(|&one| vec![one]).collect();
        return GroupedNamesakes { groups, ..GroupedNamesakes::default() };
    }
    let pairs =
        || all.iter().flat_map(|&a| all.iter().map(move |&b| (&spellings[a], &spellings[b])));
    let mut namesakes = Namesakes {
        all,
        spellings,
        meetings,
        compatible: pairs()
            .map(|(a, b)| {
                a.name.given_compatible(&b.name, false) || a.is_named_as(b) || a.is_numbered_as(b)
            })
            .collect(),
        same_bearer: pairs().map(|(a, b)| a.is_same_bearer_as(b)).collect(),
        may_be: pairs().map(|(a, b)| a.may_be(b)).collect(),
        is_common: {
            let given = all.iter().filter_map(|&one| spellings[one].name.given.first());
            let full: BTreeSet<&String> = given.filter(|word| word.len() > 2).collect();
            full.len() >= MANY_BEARERS
        },
        groups: Vec::new(),
        joins: Vec::new(),
    };
    namesakes.by_names();
    namesakes.by_ratings();
    namesakes.families();
    namesakes.sequels();
    let doubts = namesakes.doubts();
    let Namesakes { groups, joins, .. } = namesakes;
    let groups = groups.into_iter().filter(|group| !group.members.is_empty());
    let groups = groups.map(|group| group.members.iter().map(|&place| all[place]).collect());
    GroupedNamesakes { groups: groups.collect(), joins, doubts }
}

/// Whether the given name is an initial.
fn is_initial(spelling: &Spelling) -> bool {
    spelling.name.given.first().is_some_and(|word| word.len() == 1)
}

/// Returns the only candidate whose ratings are alike, if all others are excluded; otherwise all
/// candidates.
fn only_alike(
    candidates: Vec<(usize, Option<bool>)>,
    is_excluded: impl Fn(&(usize, Option<bool>)) -> bool,
) -> Vec<(usize, Option<bool>)> {
    let (alike, others): (Vec<_>, Vec<_>) =
        candidates.iter().partition(|(_, like)| *like == Some(true));
    match alike[..] {
        [only] if others.iter().all(is_excluded) => vec![only],
        _ => candidates,
    }
}

impl Namesakes<'_> {
    fn spelling(&self, place: usize) -> &Spelling {
        &self.spellings[self.all[place]]
    }

    /// Whether two spellings share only an initial, which is weak evidence.
    ///
    /// It is if the surname is common, or was guessed from a name without a comma.
    fn is_weak_match(&self, a: &Spelling, b: &Spelling) -> bool {
        let is_guessed = |spelling: &Spelling| {
            spelling.name.given.len() > 1
                && spelling.texts.iter().all(|(_, text)| !text.contains(','))
        };
        (is_initial(a) || is_initial(b)) && (self.is_common || is_guessed(a) || is_guessed(b))
    }

    fn met(&self, a: usize, b: usize) -> bool {
        self.meetings.met(self.all[a], self.all[b])
    }

    fn are_compatible(&self, a: usize, b: usize) -> bool {
        self.compatible[a * self.all.len() + b]
    }

    /// Whether two spellings would be one player's if there were no others.
    fn are_joinable(&self, a: usize, b: usize) -> bool {
        let (x, y) = (self.spelling(a), self.spelling(b));
        // A bare surname is never joined with another name.
        self.are_compatible(a, b)
            && x.is_one_career_with(y)
            && !x.name.given.is_empty()
            && !y.name.given.is_empty()
            && x.first_year.saturating_sub(y.last_year) <= CAREER_GAP
            && y.first_year.saturating_sub(x.last_year) <= CAREER_GAP
            && !matches!((x.fide_id(), y.fide_id()), (Some(mine), Some(theirs)) if mine != theirs)
            && !((is_initial(x) || is_initial(y)) && x.ratings.falls_to(&y.ratings))
            && match self.is_weak_match(x, y) {
                true => x.ratings.alike(&y.ratings) == Some(true),
                false => x.ratings.alike(&y.ratings) != Some(false),
            }
    }

    /// Groups spellings by name.
    ///
    /// A spelling that could be either of two players stays alone. The others form groups in which
    /// all pairs are compatible.
    fn by_names(&mut self) {
        let count = self.all.len();
        let together: Vec<Vec<usize>> = (0..count)
            .map(|a| (0..count).filter(|&b| b != a && self.are_joinable(a, b)).collect())
            .collect();
        let is_ambiguous = |a: usize| {
            let others = &together[a];
            others.iter().enumerate().any(|(place, &b)| {
                self.met(a, b)
                    || others[place + 1..]
                        .iter()
                        .any(|&c| together[b].binary_search(&c).is_err() || self.met(b, c))
            })
        };
        let (ambiguous, mut rest): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&place| is_ambiguous(place));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        while let Some(first) = rest.first().copied() {
            let mut group = vec![first];
            for &other in &rest[1..] {
                if group.iter().all(|&one| together[one].binary_search(&other).is_ok()) {
                    group.push(other);
                }
            }
            rest.retain(|place| !group.contains(place));
            groups.push(group);
        }
        groups.extend(ambiguous.into_iter().map(|place| vec![place]));
        self.groups = groups.into_iter().map(|members| self.group_of(members)).collect();
    }

    fn group_of(&self, members: Vec<usize>) -> NamesakeGroup {
        let spellings = || members.iter().map(|&place| self.spelling(place));
        NamesakeGroup {
            ratings: RatingTags::from_spellings(spellings()),
            fide_ids: spellings().filter_map(Spelling::fide_id).collect(),
            members,
        }
    }

    /// Whether a table of pairs holds for all pairs from two groups.
    fn all_are(&self, pairs: &[bool], a: &NamesakeGroup, b: &NamesakeGroup) -> bool {
        let count = self.all.len();
        a.members.iter().all(|&a| b.members.iter().all(|&b| pairs[a * count + b]))
    }

    /// Whether nothing known excludes that two groups are one, apart from their ratings.
    fn may_be_one(&self, a: &NamesakeGroup, b: &NamesakeGroup) -> bool {
        let other_numbers =
            !a.fide_ids.is_empty() && !b.fide_ids.is_empty() && a.fide_ids.is_disjoint(&b.fide_ids);
        !other_numbers
            && self.all_are(&self.may_be, a, b)
            && !a.members.iter().any(|&a| b.members.iter().any(|&b| self.met(a, b)))
    }

    /// Returns the groups that a group may belong to, and whether their ratings are alike.
    ///
    /// They are active at most this many years apart.
    fn candidates(&self, index: usize, years: i16) -> Vec<(usize, Option<bool>)> {
        let group = &self.groups[index];
        let is_active = |other: &NamesakeGroup| {
            group.members.iter().any(|&a| {
                other
                    .members
                    .iter()
                    .any(|&b| self.spelling(a).is_active_with(self.spelling(b), years))
            })
        };
        (0..self.groups.len())
            .filter(|&other| {
                let theirs = &self.groups[other];
                other != index
                    && !theirs.members.is_empty()
                    && self.may_be_one(group, theirs)
                    && is_active(theirs)
            })
            .map(|other| (other, group.ratings.alike(&self.groups[other].ratings)))
            .collect()
    }

    /// Joins groups that have a single candidate after ratings and years are considered.
    ///
    /// Each join may make another one unambiguous. All groups are therefore checked again until
    /// nothing changes.
    fn by_ratings(&mut self) {
        loop {
            let mut changed = false;
            for index in 0..self.groups.len() {
                if self.groups[index].members.is_empty() {
                    continue;
                }
                let Some((home, reason)) = self.home_of(index) else { continue };
                self.join(home, index, reason);
                changed = true;
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the group that another belongs to, if there is only one.
    ///
    /// Groups active in the same years come first.
    fn home_of(&self, index: usize) -> Option<(usize, MergeReason)> {
        let near = self.candidates(index, NEAR_YEARS);
        let is_alone = near.iter().all(|(_, like)| *like == Some(false));
        let home = self.home_among(index, near, NEAR_YEARS);
        if home.is_some() || !is_alone {
            return home;
        }
        let far = self.candidates(index, FAR_YEARS);
        self.home_among(index, far, FAR_YEARS).filter(|(home, reason)| {
            let distance = self.groups[index].ratings.distance(&self.groups[*home].ratings);
            *reason == MergeReason::Compatible && distance.is_some_and(|points| points < FAR_RATING)
        })
    }

    /// Returns the only group among the candidates that another belongs to.
    fn home_among(
        &self,
        index: usize,
        candidates: Vec<(usize, Option<bool>)>,
        years: i16,
    ) -> Option<(usize, MergeReason)> {
        let open: Vec<(usize, Option<bool>)> = candidates
            .into_iter()
            .filter(|&(other, like)| like != Some(false) && !self.is_outclassed(index, other))
            .collect();
        let open = self.with_all_initials(index, open);
        let open = self.with_ratings(open);
        let open = self.with_the_ratings_of_the_year(index, open);
        let by_ratings = self
            .with_identical_ratings(index, &open, years)
            .or_else(|| self.with_such_high_ratings(index, &open));
        if let Some(only) = by_ratings {
            return Some((only, MergeReason::SameRatings));
        }
        let [(only, like)] = open[..] else { return None };
        // The other group must have no other candidate, unless that one may be this group too.
        let is_only = self.candidates(only, years).iter().all(|&(other, like)| {
            other == index
                || like == Some(false)
                || self.is_later_bearer(other, index)
                || self.may_be_one(&self.groups[index], &self.groups[other])
        });
        let is_fitting = self.is_fitting(index, only);
        let reason = if is_fitting { MergeReason::Compatible } else { MergeReason::SameRatings };
        ((like == Some(true) || is_fitting) && is_only).then_some((only, reason))
    }

    /// Whether the names of two groups fit each other so well that no ratings are needed.
    fn is_fitting(&self, index: usize, only: usize) -> bool {
        let [group, other] = [index, only].map(|one| &self.groups[one]);
        let is_by_initials = [group, other].iter().any(|group| self.is_by_initials(group));
        let is_weak_match = self.is_common && is_by_initials;
        let falls = || is_by_initials && group.ratings.falls_to(&other.ratings);
        let strictly =
            || !is_weak_match && self.all_are(&self.compatible, group, other) && !falls();
        let goes_on = || {
            !is_weak_match
                && self.all_are(&self.same_bearer, group, other)
                && (group.ratings.continues(&other.ratings)
                    || self.changes_spelling(index, only)
                    || self.numbers_the_first(index, only))
        };
        strictly()
            || goes_on()
            || self.misspells(group, other)
            || self.is_letter_apart(group, other)
            || self.are_strong_and_rare(group, other)
    }

    /// Returns the only candidate with such high ratings, if all others are far below.
    ///
    /// That is no coincidence.
    fn with_such_high_ratings(
        &self,
        index: usize,
        candidates: &[(usize, Option<bool>)],
    ) -> Option<usize> {
        let group = &self.groups[index];
        let mine = self.best_rating(group);
        let lowest =
            group.members.iter().filter_map(|&place| self.spelling(place).lowest_rating()).min();
        let is_far_below = |&(other, _): &(usize, Option<bool>)| {
            let theirs = self.best_rating(&self.groups[other]);
            lowest.is_some_and(|lowest| theirs + FAR_BELOW < lowest)
                || (theirs + FAR_BELOW < mine && !self.played_at_best_of(other, group))
        };
        let (alike, others): (Vec<_>, Vec<_>) =
            candidates.iter().partition(|(_, like)| *like == Some(true));
        match alike[..] {
            [(only, _)] if mine >= STRONG && !others.is_empty() => {
                others.iter().all(is_far_below).then_some(only)
            }
            _ => None,
        }
    }

    /// Returns the only candidate with identical rating tags in the same years, if there is one.
    ///
    /// Several such tags, or a high one, are no coincidence. A single lower one is hardly one if
    /// all other candidates, of both, have ratings, and other ones.
    fn with_identical_ratings(
        &self,
        index: usize,
        candidates: &[(usize, Option<bool>)],
        years: i16,
    ) -> Option<usize> {
        let ratings = |one: usize| &self.groups[one].ratings;
        let all = || candidates.iter().map(|(other, _)| *other);
        let identical: Vec<usize> =
            all().filter(|&other| ratings(index).identical(ratings(other))).collect();
        if let [only] = identical[..] {
            return Some(only);
        }
        let is_told_from = |one: usize, other: usize| {
            !ratings(other).is_empty() && ratings(one).closest(ratings(other)) > 0
        };
        let only = all().find(|&other| ratings(index).share_a_value(ratings(other)))?;
        let mut theirs = self.candidates(only, years).into_iter().map(|(other, _)| other);
        let is_only = all().all(|other| other == only || is_told_from(index, other))
            && theirs.all(|other| other == index || is_told_from(only, other));
        is_only.then_some(only)
    }

    /// Returns the only candidate with all initials of a group and its ratings, if there is one;
    /// otherwise all candidates.
    ///
    /// `Gonzales, JA.` is rather `Gonzales, Jorge A` than `Gonzales, Julio`.
    fn with_all_initials(
        &self,
        index: usize,
        candidates: Vec<(usize, Option<bool>)>,
    ) -> Vec<(usize, Option<bool>)> {
        let has_second = |place: usize| self.spelling(place).name.second_given().is_some();
        let members = &self.groups[index].members;
        if !members.iter().all(|&place| is_initial(self.spelling(place)) && has_second(place)) {
            return candidates;
        }
        let is_spelt_out = |&&(other, like): &&(usize, Option<bool>)| {
            let theirs = &self.groups[other].members;
            like == Some(true)
                && theirs
                    .iter()
                    .any(|&place| !is_initial(self.spelling(place)) && has_second(place))
        };
        let mut spelt_out = candidates.iter().filter(is_spelt_out);
        match (spelt_out.next(), spelt_out.next()) {
            (Some(only), None) => vec![*only],
            _ => candidates,
        }
    }

    /// Returns the only candidate whose ratings are alike, if all others have one or two games and
    /// no ratings; otherwise all candidates.
    fn with_ratings(&self, candidates: Vec<(usize, Option<bool>)>) -> Vec<(usize, Option<bool>)> {
        let is_hardly_known = |&(other, _): &(usize, Option<bool>)| {
            let group = &self.groups[other];
            let games: u32 = group.members.iter().map(|&place| self.spelling(place).games).sum();
            group.ratings.is_empty() && games <= HARDLY_KNOWN
        };
        only_alike(candidates, is_hardly_known)
    }

    /// Returns the only candidate whose ratings are alike, if all others have other ratings in the
    /// same years; otherwise all candidates.
    ///
    /// Lists of one year hardly ever give a player ratings so far apart. A common surname may have
    /// bearers whose whole names are not in the games.
    fn with_the_ratings_of_the_year(
        &self,
        index: usize,
        candidates: Vec<(usize, Option<bool>)>,
    ) -> Vec<(usize, Option<bool>)> {
        let ratings = |group: usize| &self.groups[group].ratings;
        let is_another = |&(other, _): &(usize, Option<bool>)| {
            self.count() <= FEW_BEARERS && ratings(index).differs(ratings(other))
        };
        only_alike(candidates, is_another)
    }

    /// Whether a group was active about the year in which another had its best rating.
    fn played_at_best_of(&self, group: usize, other: &NamesakeGroup) -> bool {
        let years = self.years(&self.groups[group]);
        years.zip(other.ratings.year_of_best()).is_none_or(|((first, last), best)| {
            (first - NEAR_YEARS..=last + NEAR_YEARS).contains(&best)
        })
    }

    /// Whether one group begins where the other ends, and no rating speaks against one player.
    ///
    /// A source that begins to number a name uses the numbered one from then on.
    fn changes_spelling(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|group| &self.groups[group]);
        let follows = |before: (i16, i16), after: (i16, i16)| {
            before.1 <= after.0 && after.0 - before.1 <= NEAR_YEARS
        };
        let years = self.years(x).zip(self.years(y));
        let is_near = match (x.ratings.is_empty(), y.ratings.is_empty()) {
            (false, false) => x.ratings.distance(&y.ratings).is_some_and(|far| far < FAR_RATING),
            (mine, theirs) => mine == theirs,
        };
        is_near
            && years.is_some_and(|(mine, theirs)| follows(mine, theirs) || follows(theirs, mine))
    }

    /// Whether a list counts one of two groups as the first bearer of the name, and their ratings
    /// are not far from each other.
    fn numbers_the_first(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|group| &self.groups[group]);
        let is_first = |group: &NamesakeGroup| {
            group.members.iter().any(|&place| self.spelling(place).is_numbered("1"))
        };
        (is_first(x) || is_first(y))
            && x.ratings.distance(&y.ratings).is_some_and(|points| points < FAR_RATING)
    }

    /// Whether a list counts one group as a later bearer of the name, but not the other.
    ///
    /// A name without a number is rather that of the first bearer.
    fn is_later_bearer(&self, later: usize, first: usize) -> bool {
        let all_are_later = |group: usize, are_later: bool| {
            let members = &self.groups[group].members;
            members.iter().all(|&place| self.spelling(place).is_later_bearer() == are_later)
        };
        all_are_later(later, true) && all_are_later(first, false)
    }

    /// Whether all given names of a group seem to be misspelt ones of another.
    fn misspells(&self, group: &NamesakeGroup, known: &NamesakeGroup) -> bool {
        let games = known.members.iter().map(|&place| self.spelling(place).games).sum();
        group.members.iter().all(|&one| {
            let mut rights = known.members.iter().map(|&right| self.spelling(right));
            rights.any(|right| self.spelling(one).misspells(right, games))
        })
    }

    /// Whether all given names of a group are a letter apart from one of another, and the second
    /// given names are the same, or no third group has the surname.
    ///
    /// A rare surname hardly has two bearers whose given names are so near.
    fn is_letter_apart(&self, group: &NamesakeGroup, other: &NamesakeGroup) -> bool {
        let is_rare = self.count() <= 2;
        group.members.iter().all(|&one| {
            let one = self.spelling(one);
            let mut theirs = other.members.iter().map(|&other| self.spelling(other));
            theirs.any(|theirs| {
                one.has_given_name_of(theirs) && (is_rare || one.has_second_name_of(theirs))
            })
        })
    }

    /// Whether both have high ratings near each other, and no third group has the surname.
    ///
    /// A number after a single initial may count a namesake who is not in the games
    /// (`Ismagambetov,A2`).
    fn are_strong_and_rare(&self, group: &NamesakeGroup, other: &NamesakeGroup) -> bool {
        let are_strong = [group, other].iter().all(|group| self.best_rating(group) >= STRONG);
        let members = || group.members.iter().chain(&other.members);
        let mut numbered = members().filter(|place| self.spelling(**place).is_later_bearer());
        are_strong
            && numbered.all(|&place| self.spelling(place).counts_an_initial())
            && self.count() <= 2
            && group.ratings.distance(&other.ratings).is_some_and(|points| points < FAR_RATING)
    }

    /// Returns the number of groups with the surname.
    fn count(&self) -> usize {
        self.groups.iter().filter(|group| !group.members.is_empty()).count()
    }

    /// Joins groups that may all be each other and no other player.
    ///
    /// Then all are one player, and it was only open to which spelling an initial or a number
    /// belongs.
    fn families(&mut self) {
        let count = self.groups.len();
        let is_open = |a: usize, b: usize| {
            let [x, y] = [a, b].map(|group| &self.groups[group]);
            a != b && x.ratings.alike(&y.ratings) != Some(false) && self.may_be_one(x, y)
        };
        let mut families = DisjointSets::new(count);
        for a in 0..count {
            let mut others = self.candidates(a, NEAR_YEARS);
            others.retain(|&(b, like)| {
                like != Some(false) && !self.is_outclassed(a, b) && !self.is_outclassed(b, a)
            });
            others.iter().for_each(|(b, _)| families.join(a, *b));
        }
        let mut of_family: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for group in (0..count).filter(|group| !self.groups[*group].members.is_empty()) {
            of_family.entry(families.find(group)).or_default().push(group);
        }
        let families: Vec<Vec<usize>> = of_family
            .into_values()
            .filter(|family| family.len() > 1)
            .filter(|family| {
                let all_open = family
                    .iter()
                    .enumerate()
                    .all(|(place, &a)| family[place + 1..].iter().all(|&b| is_open(a, b)));
                all_open && self.is_one_line_of_ratings(family)
            })
            .collect();
        for family in families {
            for &other in &family[1..] {
                self.join(family[0], other, MergeReason::SameRatings);
            }
        }
    }

    /// Joins groups if one begins where the other ends, with the same rating.
    ///
    /// A source that changes the spelling of a name uses the new one from then on.
    fn sequels(&mut self) {
        loop {
            let mut changed = false;
            for (a, b) in self.sequel_pairs() {
                let are_whole = [a, b].iter().all(|&one| !self.groups[one].members.is_empty());
                if are_whole && self.have_the_same_candidates(a, b) {
                    self.join(a, b, MergeReason::SameRatings);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns pairs of groups of which the second may continue the first.
    fn sequel_pairs(&self) -> Vec<(usize, usize)> {
        let open = (0..self.groups.len()).filter(|&one| self.is_identifiable(&self.groups[one]));
        let open: Vec<(usize, i16, i16)> = open
            .filter_map(|one| self.years(&self.groups[one]).map(|(from, to)| (one, from, to)))
            .collect();
        let follows =
            |&&(_, from, _): &&(usize, i16, i16), to: i16| to <= from && from - to <= NEAR_YEARS;
        let pairs = open.iter().flat_map(|&(a, _, to)| {
            let later = open.iter().filter(move |later| follows(later, to));
            later.map(move |&(b, ..)| (a, b))
        });
        pairs.filter(|&(a, b)| a != b && self.may_continue(a, b)).collect()
    }

    /// Whether the ratings of one group may continue those of another.
    fn may_continue(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|group| &self.groups[group]);
        x.ratings.continues(&y.ratings) && self.may_be_one(x, y)
    }

    /// Whether all candidates for one of two groups are candidates for the other too.
    fn have_the_same_candidates(&self, a: usize, b: usize) -> bool {
        (0..self.groups.len()).filter(|&third| third != a && third != b).all(|third| {
            let may_be = [a, b].map(|one| self.may_be_one(&self.groups[one], &self.groups[third]));
            may_be == [true; 2] || (!self.may_continue(a, third) && !self.may_continue(b, third))
        })
    }

    /// Whether a group has ratings and more than an initial.
    ///
    /// The number 1 of a list, the first of its name, counts as more, and so does a country.
    fn is_identifiable(&self, group: &NamesakeGroup) -> bool {
        let spellings = || group.members.iter().map(|&place| self.spelling(place));
        !group.ratings.is_empty()
            && spellings().any(|one| one.is_numbered("1") || one.has_country() || !is_initial(one))
            && spellings().all(|one| !one.is_numbered_otherwise_than("1"))
    }

    /// Returns the first and the last year of a group, if any is known.
    fn years(&self, group: &NamesakeGroup) -> Option<(i16, i16)> {
        let spellings = || group.members.iter().map(|&place| self.spelling(place));
        let first = spellings().map(|one| one.first_year).min()?;
        let last = spellings().map(|one| one.last_year).max()?;
        (first <= last).then_some((first, last))
    }

    /// Whether the ratings of some groups form one line, in which each continues another.
    fn is_one_line_of_ratings(&self, family: &[usize]) -> bool {
        let mut lines = DisjointSets::new(family.len());
        for (a, &one) in family.iter().enumerate() {
            for (b, &other) in family.iter().enumerate().skip(a + 1) {
                let (x, y) = (&self.groups[one], &self.groups[other]);
                let by_initials = [x, y].iter().any(|group| self.is_by_initials(group));
                if !(self.is_common && by_initials) && x.ratings.continues(&y.ratings) {
                    lines.join(a, b);
                }
            }
        }
        (1..family.len()).all(|place| lines.find(place) == lines.find(0))
    }

    /// Whether a group has such high ratings that a group without ratings is hardly the same
    /// player.
    fn is_outclassed(&self, group: usize, other: usize) -> bool {
        let (mine, theirs) = (&self.groups[group], &self.groups[other]);
        self.best_rating(mine) >= STRONG && theirs.ratings.is_empty()
    }

    fn best_rating(&self, group: &NamesakeGroup) -> u16 {
        let ratings = group.members.iter().map(|&place| self.spelling(place).best_rating());
        ratings.max().unwrap_or_default()
    }

    /// Whether all spellings of a group have only an initial.
    fn is_by_initials(&self, group: &NamesakeGroup) -> bool {
        group.members.iter().all(|&place| is_initial(self.spelling(place)))
    }

    /// Moves the second group into the first.
    fn join(&mut self, home: usize, other: usize, reason: MergeReason) {
        let joined = std::mem::take(&mut self.groups[other].members);
        let mut members = std::mem::take(&mut self.groups[home].members);
        let indices = |places: &[usize]| places.iter().map(|&place| self.all[place]).collect();
        let sides = [indices(&members), indices(&joined)];
        self.joins.push(Join { sides, reason, evidence: String::new() });
        members.extend(joined);
        self.groups[home] = self.group_of(members);
    }

    /// Returns the pairs of groups that may be one player.
    fn doubts(&self) -> Vec<RawDoubt> {
        let mut doubts = Vec::new();
        for index in 0..self.groups.len() {
            if self.groups[index].members.is_empty() {
                continue;
            }
            for (other, like) in self.candidates(index, NEAR_YEARS) {
                if other > index && like != Some(false) {
                    let one = |group: usize| self.all[self.groups[group].members[0]];
                    let why = "compatible given names, but several players fit".to_owned();
                    doubts.push(RawDoubt { pair: (one(index), one(other)), why });
                    if doubts.len() == REPORTED {
                        return doubts;
                    }
                }
            }
        }
        doubts
    }
}
