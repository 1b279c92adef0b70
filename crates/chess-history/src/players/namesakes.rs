//! Joins spellings of one surname by given names and rating tags.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::{DISTINCTIVE_RATING, FEW_BEARERS};
use super::meetings::Meetings;
use super::merge::MergeReason;
use super::spelling::{NEAR_YEARS, RatingTags, Spelling};
use crate::disjoint_sets::DisjointSets;

/// The longest gap (years) between two spellings of one career.
///
/// Judged: players paused for a war or a profession, but rarely for longer. Twice as much would
/// join fathers and sons of one initial.
const CAREER_GAP: i16 = 25;

/// The gap (years) within which the only bearer of a name is still a candidate.
///
/// Judged: a player's rating after so long a pause is still near the one before. Half as much is
/// about [`NEAR_YEARS`], which is tried first; twice as much would let a namesake begin in the gap.
const FAR_YEARS: i16 = 8;

/// The greatest difference (points) of the ratings across such a gap.
///
/// Judged: it is what a player gains or loses in some seven years at 15 points a year. Half as much
/// would exclude young players, twice as much would join an amateur and a master.
const FAR_RATING: f64 = 100.0;

/// How far (points) a candidate's best rating must be below a player's lowest to exclude the
/// candidate.
///
/// Judged: few players gain as much within a few years, apart from children. Twice as much would
/// exclude almost no candidate.
const FAR_BELOW: u16 = 200;

/// The number of games up to which a candidate without ratings gives way to one with ratings.
///
/// Judged: a source may write a name once or twice in error. Twice as many may be a whole event, in
/// which the candidate certainly played.
const LITTLE_KNOWN_GAMES: u32 = 2;

/// The number of spellings of one surname beyond which none are joined.
///
/// Judged: no real collection has more. The tables of pairs take three bytes for each pair, so that
/// twice as many need 192 MB.
const MOST_SPELLINGS: usize = 4000;

/// The number of different given names of one surname beyond which an initial identifies no one.
///
/// Judged: each frequent initial then has several bearers. Half as many would leave more initials
/// of rarer surnames alone; twice as many would join some with a namesake.
const MANY_BEARERS: usize = 40;

/// The number of doubts about one surname that are recorded.
///
/// Judged: common surnames would otherwise fill the file of doubts, which a person decides one by
/// one.
const REPORTED: usize = 20;

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

/// The result for one surname.
#[derive(Debug, Default)]
pub(super) struct GroupedNamesakes {
    pub groups: Vec<Vec<usize>>,
    pub joins: Vec<Join>,
    pub doubts: Vec<RawDoubt>,
}

/// Spellings that belong to one player, as far as is known.
struct NamesakeGroup {
    /// Positions among the namesakes; empty if the group was moved into another.
    members: Vec<usize>,
    ratings: RatingTags,
    fide_ids: BTreeSet<u32>,
}

impl NamesakeGroup {
    /// Whether the ratings in the nearest years, one of each group, differ by less than
    /// [`FAR_RATING`].
    fn has_ratings_near(&self, other: &NamesakeGroup) -> bool {
        self.ratings.distance(&other.ratings).is_some_and(|points| points < FAR_RATING)
    }
}

/// A group that may be the same player as another group.
#[derive(Clone, Copy)]
struct Candidate {
    group: usize,
    /// Whether the ratings of both agree; `None` if they cannot be compared.
    ratings_agree: Option<bool>,
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
    /// For each pair, whether the given names agree if other evidence supports it.
    given_names_agree: Vec<bool>,
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
    if all.len() == 1 || all.len() > MOST_SPELLINGS {
        let groups = all.iter().map(|&one| vec![one]).collect();
        return GroupedNamesakes { groups, ..GroupedNamesakes::default() };
    }
    let given = all.iter().filter_map(|&one| spellings[one].name.given.first());
    let full_given: BTreeSet<&String> = given.filter(|word| word.len() > 2).collect();
    let pairs = all.len() * all.len();
    let mut namesakes = Namesakes {
        all,
        spellings,
        meetings,
        compatible: Vec::with_capacity(pairs),
        same_bearer: Vec::with_capacity(pairs),
        given_names_agree: Vec::with_capacity(pairs),
        is_common: full_given.len() >= MANY_BEARERS,
        groups: Vec::new(),
        joins: Vec::new(),
    };
    for a in all.iter().map(|&index| &spellings[index]) {
        for b in all.iter().map(|&index| &spellings[index]) {
            namesakes.compatible.push(
                a.name.given_compatible(&b.name, false) || a.is_named_as(b) || a.is_numbered_as(b),
            );
            namesakes.same_bearer.push(a.is_same_bearer_as(b));
            namesakes.given_names_agree.push(a.given_names_agree(b));
        }
    }
    namesakes.group_by_names();
    namesakes.join_by_ratings();
    namesakes.join_families();
    namesakes.join_sequels();
    let doubts = namesakes.doubts();
    let Namesakes { groups, joins, .. } = namesakes;
    let groups = groups.into_iter().filter(|group| !group.members.is_empty());
    let groups = groups.map(|group| group.members.iter().map(|&place| all[place]).collect());
    GroupedNamesakes { groups: groups.collect(), joins, doubts }
}

fn is_initial(spelling: &Spelling) -> bool {
    spelling.name.given.first().is_some_and(|word| word.len() == 1)
}

/// Whether the surname was guessed from a name without a comma.
fn has_guessed_surname(spelling: &Spelling) -> bool {
    spelling.name.given.len() > 1 && spelling.texts.iter().all(|(_, text)| !text.contains(','))
}

/// Whether the years of one group begin soon after those of another end.
fn follows_soon(after: (i16, i16), before: (i16, i16)) -> bool {
    before.1 <= after.0 && after.0 - before.1 <= NEAR_YEARS
}

impl Namesakes<'_> {
    fn spelling(&self, place: usize) -> &Spelling {
        &self.spellings[self.all[place]]
    }

    /// Returns the spellings at some positions among the namesakes.
    fn spellings_at(&self, places: &[usize]) -> impl Iterator<Item = &Spelling> {
        places.iter().map(|&place| self.spelling(place))
    }

    fn met(&self, a: usize, b: usize) -> bool {
        self.meetings.met(self.all[a], self.all[b])
    }

    /// Whether two spellings would be one player's if there were no others.
    fn are_joinable(&self, a: usize, b: usize) -> bool {
        let (x, y) = (self.spelling(a), self.spelling(b));
        let has_initial = is_initial(x) || is_initial(y);
        // A bare surname is never joined with another name.
        if !self.compatible[a * self.all.len() + b]
            || !x.is_one_career_with(y)
            || x.name.given.is_empty()
            || y.name.given.is_empty()
            || x.first_year.saturating_sub(y.last_year) > CAREER_GAP
            || y.first_year.saturating_sub(x.last_year) > CAREER_GAP
            || matches!((x.fide_id(), y.fide_id()), (Some(mine), Some(theirs)) if mine != theirs)
            || (has_initial && x.ratings.falls_to(&y.ratings))
        {
            return false;
        }
        // An initial is weak evidence for a surname that is common, or was guessed from a name
        // without a comma.
        if has_initial && (self.is_common || has_guessed_surname(x) || has_guessed_surname(y)) {
            x.ratings.agree(&y.ratings) == Some(true)
        } else {
            x.ratings.agree(&y.ratings) != Some(false)
        }
    }

    /// Groups spellings by name.
    ///
    /// A spelling that could be either of two players stays alone. The others form groups in which
    /// all pairs are compatible.
    fn group_by_names(&mut self) {
        let count = self.all.len();
        let joinable: Vec<Vec<usize>> = (0..count)
            .map(|a| (0..count).filter(|&b| b != a && self.are_joinable(a, b)).collect())
            .collect();
        let (ambiguous, mut rest): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&place| self.is_ambiguous(place, &joinable));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        while let Some(first) = rest.first().copied() {
            let mut group = vec![first];
            for &other in &rest[1..] {
                if group.iter().all(|&one| joinable[one].binary_search(&other).is_ok()) {
                    group.push(other);
                }
            }
            rest.retain(|place| !group.contains(place));
            groups.push(group);
        }
        groups.extend(ambiguous.into_iter().map(|place| vec![place]));
        self.groups = groups.into_iter().map(|members| self.group_of(members)).collect();
    }

    /// Whether a spelling may belong to two players.
    ///
    /// It does if it met a spelling that it could be joined with, or if two such spellings could
    /// not be joined with each other. `joinable` lists, for each spelling, those that it could be
    /// joined with, in order.
    fn is_ambiguous(&self, a: usize, joinable: &[Vec<usize>]) -> bool {
        let others = &joinable[a];
        for (place, &b) in others.iter().enumerate() {
            if self.met(a, b) {
                return true;
            }
            for &c in &others[place + 1..] {
                if joinable[b].binary_search(&c).is_err() || self.met(b, c) {
                    return true;
                }
            }
        }
        false
    }

    fn group_of(&self, members: Vec<usize>) -> NamesakeGroup {
        NamesakeGroup {
            ratings: RatingTags::from_spellings(self.spellings_at(&members)),
            fide_ids: self.spellings_at(&members).filter_map(Spelling::fide_id).collect(),
            members,
        }
    }

    /// Whether a table of pairs holds for all pairs from two groups.
    fn holds_for_all_pairs(&self, pairs: &[bool], a: &NamesakeGroup, b: &NamesakeGroup) -> bool {
        let count = self.all.len();
        a.members.iter().all(|&a| b.members.iter().all(|&b| pairs[a * count + b]))
    }

    /// Whether given names, numbers and meetings allow that two groups are one player.
    fn may_be_one_player(&self, a: &NamesakeGroup, b: &NamesakeGroup) -> bool {
        let have_different_numbers =
            !a.fide_ids.is_empty() && !b.fide_ids.is_empty() && a.fide_ids.is_disjoint(&b.fide_ids);
        !have_different_numbers
            && self.holds_for_all_pairs(&self.given_names_agree, a, b)
            && !a.members.iter().any(|&a| b.members.iter().any(|&b| self.met(a, b)))
    }

    /// Returns the groups that may be the same player as a group.
    ///
    /// They are active at most this many years apart.
    fn candidates(&self, index: usize, years: i16) -> Vec<Candidate> {
        let group = &self.groups[index];
        let mut candidates = Vec::new();
        for (other, theirs) in self.groups.iter().enumerate() {
            if other == index || theirs.members.is_empty() || !self.may_be_one_player(group, theirs)
            {
                continue;
            }
            let are_active_together = self.spellings_at(&group.members).any(|one| {
                self.spellings_at(&theirs.members).any(|other| one.is_active_with(other, years))
            });
            if are_active_together {
                let ratings_agree = group.ratings.agree(&theirs.ratings);
                candidates.push(Candidate { group: other, ratings_agree });
            }
        }
        candidates
    }

    /// Joins groups that have a single candidate after ratings and years are considered.
    ///
    /// Groups active in the same years come first. Each join may make another one unambiguous. All
    /// groups are therefore checked again until nothing changes.
    fn join_by_ratings(&mut self) {
        loop {
            let mut changed = false;
            for index in 0..self.groups.len() {
                if self.groups[index].members.is_empty() {
                    continue;
                }
                let contemporaries = self.candidates(index, NEAR_YEARS);
                let is_alone = contemporaries.iter().all(|one| one.ratings_agree == Some(false));
                let mut home = self.home_among(index, contemporaries, NEAR_YEARS);
                if home.is_none() && is_alone {
                    let far = self.candidates(index, FAR_YEARS);
                    home = self.home_among(index, far, FAR_YEARS).filter(|(home, reason)| {
                        *reason == MergeReason::Compatible
                            && self.groups[index].has_ratings_near(&self.groups[*home])
                    });
                }
                if let Some((home, reason)) = home {
                    self.join(home, index, reason);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the only group among the candidates that another belongs to.
    fn home_among(
        &self,
        index: usize,
        mut candidates: Vec<Candidate>,
        years: i16,
    ) -> Option<(usize, MergeReason)> {
        candidates.retain(|one| {
            one.ratings_agree != Some(false) && !self.is_outclassed(index, one.group)
        });
        let open = self.prefer_rated(index, candidates);
        let by_ratings = self
            .only_with_identical_ratings(index, &open, years)
            .or_else(|| self.only_with_such_high_ratings(index, &open));
        if let Some(only) = by_ratings {
            return Some((only, MergeReason::SameRatings));
        }
        let [Candidate { group: only, ratings_agree }] = open[..] else { return None };
        let names_suffice = self.names_suffice(index, only);
        if ratings_agree != Some(true) && !names_suffice {
            return None;
        }
        // The other group must have no other candidate, unless that one may be this group too.
        let is_only = self.candidates(only, years).iter().all(|other| {
            other.group == index
                || other.ratings_agree == Some(false)
                || self.is_later_bearer(other.group, index)
                || self.may_be_one_player(&self.groups[index], &self.groups[other.group])
        });
        let reason = if names_suffice { MergeReason::Compatible } else { MergeReason::SameRatings };
        is_only.then_some((only, reason))
    }

    /// Whether the names of two groups fit each other so well that no ratings are needed.
    fn names_suffice(&self, index: usize, only: usize) -> bool {
        let [group, other] = [index, only].map(|one| &self.groups[one]);
        let is_by_initials = self.is_by_initials(group) || self.is_by_initials(other);
        if !(self.is_common && is_by_initials) {
            if self.holds_for_all_pairs(&self.compatible, group, other)
                && !(is_by_initials && group.ratings.falls_to(&other.ratings))
            {
                return true;
            }
            // A list may count one of them as the first bearer of the name.
            let mut spellings =
                self.spellings_at(&group.members).chain(self.spellings_at(&other.members));
            if self.holds_for_all_pairs(&self.same_bearer, group, other)
                && (group.ratings.continues(&other.ratings)
                    || self.changes_spelling(index, only)
                    || (spellings.any(|one| one.is_numbered("1")) && group.has_ratings_near(other)))
            {
                return true;
            }
        }
        self.misspells(group, other)
            || self.given_names_are_a_letter_apart(group, other)
            || self.are_strong_and_rare(group, other)
    }

    /// Returns the only candidate with such high ratings, if all others are far below, so that
    /// equal ratings are not a coincidence.
    fn only_with_such_high_ratings(&self, index: usize, candidates: &[Candidate]) -> Option<usize> {
        let group = &self.groups[index];
        let mine = self.best_rating(group);
        let (agreeing, others): (Vec<Candidate>, Vec<Candidate>) =
            candidates.iter().partition(|one| one.ratings_agree == Some(true));
        let [only] = agreeing[..] else { return None };
        if mine < DISTINCTIVE_RATING || others.is_empty() {
            return None;
        }
        let lowest = self.spellings_at(&group.members).filter_map(Spelling::lowest_rating).min();
        for other in others {
            let other = &self.groups[other.group];
            let theirs = self.best_rating(other);
            // Whether the other was active about the year of the best rating.
            let years = self.years(other).zip(group.ratings.year_of_best());
            let played_then = years.is_none_or(|((first, last), best)| {
                (first - NEAR_YEARS..=last + NEAR_YEARS).contains(&best)
            });
            let is_far_below = lowest.is_some_and(|lowest| theirs + FAR_BELOW < lowest)
                || (theirs + FAR_BELOW < mine && !played_then);
            if !is_far_below {
                return None;
            }
        }
        Some(only.group)
    }

    /// Returns the only candidate with identical rating tags in the same years, if there is one.
    ///
    /// Several such tags, or a high one, are not a coincidence. A single lower one rarely is if all
    /// other candidates, of both, have ratings, and other ones.
    fn only_with_identical_ratings(
        &self,
        index: usize,
        candidates: &[Candidate],
        years: i16,
    ) -> Option<usize> {
        let mine = &self.groups[index].ratings;
        let identical: Vec<usize> = candidates
            .iter()
            .map(|one| one.group)
            .filter(|&other| mine.identical(&self.groups[other].ratings))
            .collect();
        if let [only] = identical[..] {
            return Some(only);
        }
        let mut others = candidates.iter().map(|one| one.group);
        let only = others.find(|&other| mine.share_a_value(&self.groups[other].ratings))?;
        let is_only = candidates
            .iter()
            .all(|other| other.group == only || self.ratings_differ(index, other.group))
            && self
                .candidates(only, years)
                .iter()
                .all(|other| other.group == index || self.ratings_differ(only, other.group));
        is_only.then_some(only)
    }

    /// Whether the other group has ratings, and never one of the first group's.
    fn ratings_differ(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|group| &self.groups[group].ratings);
        !other.is_empty() && one.closest(other) > 0
    }

    /// Returns the only candidate whose ratings agree, if it has all initials of a group or nothing
    /// supports the other candidates; otherwise all candidates.
    fn prefer_rated(&self, index: usize, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let (agreeing, others): (Vec<Candidate>, Vec<Candidate>) =
            candidates.iter().partition(|one| one.ratings_agree == Some(true));
        // `Gonzales, JA.` is rather `Gonzales, Jorge A` than `Gonzales, Julio`.
        let group = &self.groups[index];
        let mut mine = self.spellings_at(&group.members);
        if mine.all(|one| is_initial(one) && one.name.second_given().is_some()) {
            let mut spelt_out = agreeing.iter().filter(|other| {
                self.spellings_at(&self.groups[other.group].members)
                    .any(|one| !is_initial(one) && one.name.second_given().is_some())
            });
            if let (Some(only), None) = (spelt_out.next(), spelt_out.next()) {
                return vec![*only];
            }
        }
        let [only] = agreeing[..] else { return candidates };
        let are_little_known = others.iter().all(|other| {
            let other = &self.groups[other.group];
            let games: u32 = self.spellings_at(&other.members).map(|one| one.games).sum();
            other.ratings.is_empty() && games <= LITTLE_KNOWN_GAMES
        });
        // Lists of one year rarely give a player ratings so far apart. But a common surname may
        // have bearers whose whole names are not in the games.
        let have_other_ratings = self.group_count() <= FEW_BEARERS
            && others.iter().all(|other| group.ratings.differs(&self.groups[other.group].ratings));
        if are_little_known || have_other_ratings { vec![only] } else { candidates }
    }

    /// Whether one group begins where the other ends, and no rating speaks against one player.
    ///
    /// A source that begins to number a name uses the numbered one from then on.
    fn changes_spelling(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|group| &self.groups[group]);
        let ratings_fit = if x.ratings.is_empty() || y.ratings.is_empty() {
            x.ratings.is_empty() && y.ratings.is_empty()
        } else {
            x.has_ratings_near(y)
        };
        ratings_fit
            && self.years(x).zip(self.years(y)).is_some_and(|(mine, theirs)| {
                follows_soon(theirs, mine) || follows_soon(mine, theirs)
            })
    }

    /// Whether a list counts one group as a later bearer of the name, but not the other.
    ///
    /// A name without a number is rather that of the first bearer.
    fn is_later_bearer(&self, later: usize, first: usize) -> bool {
        let [later, first] = [later, first].map(|group| &self.groups[group].members);
        self.spellings_at(later).all(Spelling::is_later_bearer)
            && !self.spellings_at(first).any(Spelling::is_later_bearer)
    }

    /// Whether all given names of a group seem to be misspelt ones of another.
    fn misspells(&self, group: &NamesakeGroup, known: &NamesakeGroup) -> bool {
        let games = self.spellings_at(&known.members).map(|one| one.games).sum();
        self.spellings_at(&group.members)
            .all(|one| self.spellings_at(&known.members).any(|right| one.misspells(right, games)))
    }

    /// Whether all given names of a group are a letter apart from one of another, and the second
    /// given names are the same, or no third group has the surname.
    ///
    /// A rare surname seldom has two bearers whose given names are so similar.
    fn given_names_are_a_letter_apart(&self, group: &NamesakeGroup, other: &NamesakeGroup) -> bool {
        let is_rare = self.group_count() <= 2;
        self.spellings_at(&group.members).all(|one| {
            self.spellings_at(&other.members).any(|theirs| {
                one.misspells_given_name_of(theirs) && (is_rare || one.has_second_name_of(theirs))
            })
        })
    }

    /// Whether both have high ratings near each other, and no third group has the surname.
    ///
    /// A number after a single initial may count a namesake who is not in the games
    /// (`Ismagambetov,A2`).
    fn are_strong_and_rare(&self, group: &NamesakeGroup, other: &NamesakeGroup) -> bool {
        let mut spellings =
            self.spellings_at(&group.members).chain(self.spellings_at(&other.members));
        self.best_rating(group) >= DISTINCTIVE_RATING
            && self.best_rating(other) >= DISTINCTIVE_RATING
            && spellings.all(|one| !one.is_later_bearer() || one.counts_an_initial())
            && self.group_count() <= 2
            && group.has_ratings_near(other)
    }

    /// Returns the number of groups with the surname.
    fn group_count(&self) -> usize {
        self.groups.iter().filter(|group| !group.members.is_empty()).count()
    }

    /// Joins groups that may all be each other and no other player.
    ///
    /// Then all are one player, and it was only open to which spelling an initial or a number
    /// belongs.
    fn join_families(&mut self) {
        let count = self.groups.len();
        let mut families = DisjointSets::new(count);
        for a in 0..count {
            for Candidate { group: b, ratings_agree } in self.candidates(a, NEAR_YEARS) {
                if ratings_agree != Some(false)
                    && !self.is_outclassed(a, b)
                    && !self.is_outclassed(b, a)
                {
                    families.join(a, b);
                }
            }
        }
        let mut by_family: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for group in (0..count).filter(|group| !self.groups[*group].members.is_empty()) {
            by_family.entry(families.find(group)).or_default().push(group);
        }
        let mut families: Vec<Vec<usize>> = by_family.into_values().collect();
        families.retain(|family| family.len() > 1 && self.is_one_player(family));
        for family in families {
            for &other in &family[1..] {
                self.join(family[0], other, MergeReason::SameRatings);
            }
        }
    }

    /// Whether any two of some groups may be one player, and the ratings of all form one line, in
    /// which each continues another.
    fn is_one_player(&self, family: &[usize]) -> bool {
        let mut lines = DisjointSets::new(family.len());
        for (a, &one) in family.iter().enumerate() {
            for (b, &other) in family.iter().enumerate().skip(a + 1) {
                let (x, y) = (&self.groups[one], &self.groups[other]);
                if x.ratings.agree(&y.ratings) == Some(false) || !self.may_be_one_player(x, y) {
                    return false;
                }
                let by_initials = self.is_by_initials(x) || self.is_by_initials(y);
                if !(self.is_common && by_initials) && x.ratings.continues(&y.ratings) {
                    lines.join(a, b);
                }
            }
        }
        (1..family.len()).all(|place| lines.find(place) == lines.find(0))
    }

    /// Joins groups if one begins where the other ends, with the same rating.
    ///
    /// A source that changes the spelling of a name uses the new one from then on.
    fn join_sequels(&mut self) {
        loop {
            let mut changed = false;
            for (a, b) in self.sequel_pairs() {
                // An earlier pair may have moved one of them into another group.
                if self.groups[a].members.is_empty() || self.groups[b].members.is_empty() {
                    continue;
                }
                if self.have_the_same_candidates(a, b) {
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
    ///
    /// They have ratings and more than an initial. The number 1 of a list, the first of its name,
    /// counts as more, and so does a country.
    fn sequel_pairs(&self) -> Vec<(usize, usize)> {
        let mut identifiable: Vec<(usize, (i16, i16))> = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let is_identifiable = !group.ratings.is_empty()
                && self.spellings_at(&group.members).any(|one| {
                    one.is_numbered("1") || one.name.country().is_some() || !is_initial(one)
                })
                && self
                    .spellings_at(&group.members)
                    .all(|one| !one.is_numbered_otherwise_than("1"));
            if is_identifiable && let Some(years) = self.years(group) {
                identifiable.push((index, years));
            }
        }
        let mut pairs = Vec::new();
        for &(a, before) in &identifiable {
            for &(b, after) in &identifiable {
                if a != b && follows_soon(after, before) && self.may_continue(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    /// Whether the ratings of one group may continue those of another.
    fn may_continue(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|group| &self.groups[group]);
        x.ratings.continues(&y.ratings) && self.may_be_one_player(x, y)
    }

    /// Whether all candidates for one of two groups are candidates for the other too.
    fn have_the_same_candidates(&self, a: usize, b: usize) -> bool {
        (0..self.groups.len()).filter(|&third| third != a && third != b).all(|third| {
            let other = &self.groups[third];
            let may_be_both =
                [a, b].iter().all(|&one| self.may_be_one_player(&self.groups[one], other));
            may_be_both || (!self.may_continue(a, third) && !self.may_continue(b, third))
        })
    }

    /// Returns the first and the last year of a group, if any is known.
    fn years(&self, group: &NamesakeGroup) -> Option<(i16, i16)> {
        let first = self.spellings_at(&group.members).map(|one| one.first_year).min()?;
        let last = self.spellings_at(&group.members).map(|one| one.last_year).max()?;
        (first <= last).then_some((first, last))
    }

    /// Whether a group has such high ratings that a group without ratings is probably another
    /// player.
    fn is_outclassed(&self, group: usize, other: usize) -> bool {
        let (mine, theirs) = (&self.groups[group], &self.groups[other]);
        self.best_rating(mine) >= DISTINCTIVE_RATING && theirs.ratings.is_empty()
    }

    fn best_rating(&self, group: &NamesakeGroup) -> u16 {
        let ratings = self.spellings_at(&group.members).map(Spelling::best_rating);
        ratings.max().unwrap_or_default()
    }

    /// Whether all spellings of a group have only an initial.
    fn is_by_initials(&self, group: &NamesakeGroup) -> bool {
        self.spellings_at(&group.members).all(is_initial)
    }

    /// Moves the second group into the first.
    fn join(&mut self, home: usize, other: usize, reason: MergeReason) {
        let joined = std::mem::take(&mut self.groups[other].members);
        let mut members = std::mem::take(&mut self.groups[home].members);
        let sides =
            [&members, &joined].map(|places| places.iter().map(|&place| self.all[place]).collect());
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
            for Candidate { group: other, ratings_agree } in self.candidates(index, NEAR_YEARS) {
                if other > index && ratings_agree != Some(false) {
                    let [one, other] =
                        [index, other].map(|group| self.all[self.groups[group].members[0]]);
                    let why = "compatible given names, but several players fit".to_owned();
                    doubts.push(RawDoubt { pair: (one, other), why });
                    if doubts.len() == REPORTED {
                        return doubts;
                    }
                }
            }
        }
        doubts
    }
}
