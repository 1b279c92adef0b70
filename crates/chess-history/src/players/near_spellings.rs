//! Joins players with similar surnames: transliterated differently, or with a wrong letter.
//!
//! Two players may have similar surnames too. So other evidence must support a merge: common
//! opponents, rating tags, or signs that one spelling is a typo that no player bears.

use std::collections::BTreeSet;

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{DISTINCTIVE_RATING, FEW_BEARERS, IdentityEvidence};
use super::joining::Joining;
use super::merge::MergeReason;
use super::namesakes::RawDoubt;
use super::shared_events::SpelledGames;
use super::similarity::SurnameSimilarity;
use super::spelling::{NEAR_YEARS, years_of_group};

/// The number of common opponents that supports surnames with the same sound.
///
/// Measured for rare full names a letter apart: in a collection of 427,000 games, all pairs with
/// two common opponents and the same first letter were one player. One opponent may be chance; with
/// four, names of few games stay apart.
const SOME_OPPONENTS: usize = 2;

/// The number of common opponents that supports surnames with a different letter.
///
/// Judged: half an event. Two players of one club share two or three opponents by chance; ten would
/// need two events, which a typo seldom has.
const MANY_OPPONENTS: usize = 5;

/// The shortest surname (letters) that is not a short one like `Pap` and `Papp`.
///
/// Judged: among shorter surnames, many differ in a letter and are two families'.
const LONG_SURNAME: usize = 6;

/// The shortest given name (letters) that is more than an initial.
///
/// Judged: lists cut names after two or three letters, so four letters are a name.
const WHOLE_NAME: usize = 4;

/// The shortest given name (letters) that is not an initial if it is identical.
///
/// Judged: `Jan` and `Leo` are names, `Al` may begin many.
const SHORT_NAME: usize = 3;

/// The number of games that a player needs before another name can be a typo for theirs.
///
/// Judged: an event. With five, two rare names could each be a typo for the other; with twenty,
/// players of one event would have none.
const WELL_KNOWN: u32 = 10;

/// How many times as many games as the typo the player has.
///
/// Judged: a source with the wrong letter in a third of the games has another spelling, not a typo.
const BETTER_KNOWN: u32 = 3;

/// The number of games of a player for whom a name with a wrong letter rarely means someone else.
///
/// Judged: some five events. Names of less known players need more common opponents instead.
const FAMOUS: u32 = 50;

/// How many times as many games as the typo such a player has.
///
/// Judged: with two, a second player of nearly the same name would be joined; with ten, a typo that
/// a source repeats in a long event would stay apart.
const FAMOUS_RATIO: u32 = 5;

/// The greatest number of games of a rare name.
///
/// Judged: a typo is in a game or two. With four, a player of a short event could be one.
const FEW_GAMES: u32 = 2;

/// The greatest expected number of players who bear one of two surnames and a first name by chance,
/// up to which two such players are one.
///
/// Judged: one pair in 250 would be joined wrongly. Doubling it joins twice as common first names.
const COINCIDENCE: f64 = 1.0 / 250.0;

/// The difference (points) of the ratings of one player in neighbouring years.
///
/// Judged: three times the usual change of a year, and half of the difference that distinguishes
/// two players.
const NEAR_RATING: f64 = 50.0;

/// A rating (points) that some two hundred players have at a time.
///
/// Judged: so few players share a rating that a third of the opponents in common is enough. A
/// hundred points lower there are several circles.
const ELITE: u16 = 2600;

/// At most one in this many days may have games of both names against different opponents.
///
/// Judged: sources date games wrongly. With two, two players of one event would seem to alternate;
/// with eight, one wrong day in a short event would separate a typo.
const ONE_CONFLICT_IN: usize = 4;

/// The number of passes. A further pass finds common opponents whose own names were joined first.
///
/// Judged: the search stops earlier if a pass joins nothing; each further pass repeats it.
const PASSES: usize = 3;

/// Two groups with evidence that they are one player.
struct SupportedPair {
    pair: [usize; 2],
    in_common: usize,
    /// The group whose name is a typo, if one is.
    typo: Option<usize>,
}

/// The opponents and surnames of all groups.
#[derive(Default)]
struct GroupContext {
    homes: Vec<usize>,
    /// The opponents of the groups that may be joined, as groups.
    opponents: FxHashMap<usize, FxHashSet<usize>>,
    /// The opponents of the groups that may be typos or rare spellings, or have some, by day.
    days: FxHashMap<usize, FxHashMap<Date, Vec<usize>>>,
    /// The number of groups with each surname.
    bearers: FxHashMap<String, usize>,
    /// The number of groups with each first name in full.
    first_names: FxHashMap<String, usize>,
    /// The evidence in events for groups that may be typos.
    in_events: FxHashMap<(usize, usize), IdentityEvidence>,
}

impl GroupContext {
    /// Returns the number of opponents of a group.
    fn number_of_opponents(&self, group: usize) -> usize {
        self.opponents.get(&group).map_or(0, FxHashSet::len)
    }

    /// Returns the number of common opponents of two groups.
    fn in_common(&self, a: usize, b: usize) -> usize {
        let both = self.opponents.get(&a).zip(self.opponents.get(&b));
        both.map_or(0, |(a, b)| a.intersection(b).count())
    }

    /// Whether two groups rarely have games against different opponents on one day.
    ///
    /// Two records of a game may name the opponent differently too.
    fn rarely_conflict(&self, typo: usize, known: usize) -> bool {
        let Some((mine, theirs)) = self.days.get(&typo).zip(self.days.get(&known)) else {
            return true;
        };
        let conflicts = mine.iter().filter(|(day, opponents)| {
            let others = theirs.get(day);
            others.is_some_and(|others| opponents.iter().all(|one| !others.contains(one)))
        });
        ONE_CONFLICT_IN * conflicts.count() <= mine.len()
    }
}

fn common_opponents(count: usize) -> String {
    match count {
        1 => "1 common opponent".to_owned(),
        _ => format!("{count} common opponents"),
    }
}

impl Joining<'_> {
    /// Step 5: joins groups with similar surnames and supporting evidence.
    pub fn near_spellings(
        &mut self,
        games: SpelledGames,
        similar: &[(usize, usize, SurnameSimilarity)],
    ) {
        let doubts = self.doubts.len();
        for _ in 0..PASSES {
            self.doubts.truncate(doubts);
            let groups = self.groups.len();
            let context = self.context(games, similar);
            let supported = self.supported(similar, &context);
            self.join_supported(supported, context.homes);
            if self.groups.len() == groups {
                break;
            }
        }
    }

    /// Collects the opponents and surnames of all groups.
    fn context(
        &self,
        games: SpelledGames,
        similar: &[(usize, usize, SurnameSimilarity)],
    ) -> GroupContext {
        let mut context = GroupContext {
            homes: self.homes(),
            bearers: self.bearers(),
            first_names: self.first_names(),
            ..GroupContext::default()
        };
        let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut concerned: FxHashSet<usize> = FxHashSet::default();
        let mut dated: FxHashSet<usize> = FxHashSet::default();
        for &(a, b, similarity) in similar {
            let homes = [context.homes[a], context.homes[b]];
            for (typo, known) in [(a, b), (b, a)] {
                if self.may_be_typo((typo, known), &context) {
                    pairs.insert((context.homes[typo], context.homes[known]));
                    dated.extend(homes);
                }
            }
            if homes[0] != homes[1] {
                concerned.extend(homes);
            }
            let may_be_rare_spelling = match similarity {
                SurnameSimilarity::SameSound | SurnameSimilarity::Transliterated => true,
                SurnameSimilarity::OneLetter => homes.iter().any(|home| self.is_rare(*home)),
                SurnameSimilarity::OneLetterOfFew => false,
            };
            if may_be_rare_spelling && self.have_the_same_first_name(a, b) {
                dated.extend(homes);
            }
        }
        let homes = &context.homes;
        context.opponents = concerned
            .into_par_iter()
            .map(|group| {
                let opponents = self.opponents(group, games).map(|(other, _)| homes[other]);
                (group, opponents.collect())
            })
            .collect();
        context.days = dated
            .into_par_iter()
            .map(|group| {
                let mut days: FxHashMap<Date, Vec<usize>> = FxHashMap::default();
                for (other, day) in self.opponents(group, games) {
                    if let Some(day) = day {
                        days.entry(day).or_default().push(homes[other]);
                    }
                }
                (group, days)
            })
            .collect();
        let shared = self.grouped(games, homes).in_shared_events(&pairs);
        context.in_events =
            shared.into_iter().map(|(pair, shared)| (pair, shared.evidence)).collect();
        context
    }

    /// Returns the spellings of the opponents of a group, and the days of the games, as far as they
    /// are known.
    fn opponents<'a>(
        &'a self,
        group: usize,
        SpelledGames { table, name_index, rows, .. }: SpelledGames<'a>,
    ) -> impl Iterator<Item = (usize, Option<Date>)> + 'a {
        let names = self.members(&self.groups[group]).flat_map(|one| &one.texts);
        names.flat_map(move |(name, _)| {
            rows.of_name(*name).iter().filter_map(move |row| {
                let game = &table.games()[*row as usize];
                let other = if game.white == *name { game.black } else { game.white };
                Some((name_index.get(other)?, game.date.day_exact()))
            })
        })
    }

    /// Returns the number of groups with each surname.
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

    /// Returns the number of groups with each first name in full.
    fn first_names(&self) -> FxHashMap<String, usize> {
        let mut groups: FxHashMap<String, usize> = FxHashMap::default();
        for group in &self.groups {
            let names = self.members(group).filter_map(|one| one.name.given.first());
            let names: BTreeSet<&String> = names.filter(|name| name.len() >= WHOLE_NAME).collect();
            for name in names {
                *groups.entry(name.clone()).or_default() += 1;
            }
        }
        groups
    }

    /// Returns the pairs of groups with enough evidence, and records doubts about the others.
    fn supported(
        &mut self,
        similar: &[(usize, usize, SurnameSimilarity)],
        context: &GroupContext,
    ) -> Vec<SupportedPair> {
        let mut supported = Vec::new();
        for &(a, b, similarity) in similar {
            let (one, two) = (context.homes[a], context.homes[b]);
            let (home, other) = (one.min(two), one.max(two));
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            let typo = [(a, b), (b, a)].into_iter().find(|pair| self.is_typo(*pair, context));
            if home == other
                || (typo.is_none() && !self.may_be_one_player(mine, theirs))
                || self.have_different_births(mine, theirs)
            {
                continue;
            }
            let in_common = context.in_common(home, other);
            let fewest = context.number_of_opponents(home).min(context.number_of_opponents(other));
            let (ratings, others) = (self.ratings(mine), self.ratings(theirs));
            let identical = ratings.identical(&others);
            let ratings_agree = ratings.agree(&others);
            let same_first_name = self.have_the_same_first_name(a, b);
            let is_short = similarity == SurnameSimilarity::OneLetterOfFew;
            let is_spelling = match similarity {
                SurnameSimilarity::SameSound => {
                    let is_long = self.spellings[a].name.surname_key().len() >= LONG_SURNAME;
                    identical
                        || (same_first_name && ratings_agree == Some(true))
                        || (in_common >= SOME_OPPONENTS && (same_first_name || is_long))
                }
                SurnameSimilarity::OneLetter | SurnameSimilarity::Transliterated => {
                    same_first_name
                        && (identical
                            || (in_common >= MANY_OPPONENTS && in_common * 3 >= fewest)
                            // Two players of one circle rarely have a rare name each, nearly the
                            // same.
                            || (in_common >= SOME_OPPONENTS
                                && in_common * 4 >= fewest
                                && self.are_only_bearers(a, b, context)
                                && self.surnames_share_first_letter(a, b)))
                }
                SurnameSimilarity::OneLetterOfFew => false,
            };
            // If a source changes its spelling of a name, the new name soon has other opponents,
            // and the rating continues.
            let is_sequel = !is_short
                && ((same_first_name && self.are_only_bearers(a, b, context))
                    || in_common >= MANY_OPPONENTS)
                && self.is_sequel(mine, theirs)
                && ratings.continues(&others);
            let is_full_name = similarity == SurnameSimilarity::OneLetter
                && ratings_agree == Some(true)
                && self.share_full_name_of_one_bearer(a, b, context);
            let is_spelling = is_spelling
                || is_sequel
                || is_full_name
                || (same_first_name
                    && (self.is_rare_spelling((a, b), similarity, context)
                        || self.is_rare_player((a, b), similarity, context)));
            let typo = typo.map(|(typo, _)| context.homes[typo]);
            if ratings_agree != Some(false) && (is_spelling || typo.is_some()) {
                supported.push(SupportedPair { pair: [home, other], in_common, typo });
            } else if ratings_agree != Some(false)
                && !is_short
                && (same_first_name || in_common >= MANY_OPPONENTS)
            {
                let why = format!("similar surnames, {}", common_opponents(in_common));
                self.doubt(home, other, why);
            }
        }
        supported
    }

    /// Whether a group has one or two games.
    fn is_rare(&self, group: usize) -> bool {
        self.number_of_games(group) <= FEW_GAMES
    }

    /// Returns the number of games of a group.
    fn number_of_games(&self, group: usize) -> u32 {
        self.members(&self.groups[group]).map(|one| one.games).sum()
    }

    /// Whether one of two spellings, with the same first name, has one or two games and a surname
    /// that no other player bears, while the surname of the other sounds the same, or is as rare
    /// and begins with the same letter.
    ///
    /// Of eight such pairs of a collection of 427,000 games that were judged by the games, seven
    /// were one player, and one was doubtful. The games must not be on the same days. Surnames a
    /// letter apart may have other bearers if the given names are equal, the games are of the same
    /// years, and the first name is so rare that another bearer of it would be a coincidence.
    fn is_rare_spelling(
        &self,
        (a, b): (usize, usize),
        similarity: SurnameSimilarity,
        context: &GroupContext,
    ) -> bool {
        for (rare, known) in [(a, b), (b, a)] {
            let (mine, theirs) = (context.homes[rare], context.homes[known]);
            let is_fitting = self.is_rare(mine)
                && match similarity {
                    SurnameSimilarity::SameSound => self.is_only_bearer(rare, context),
                    SurnameSimilarity::OneLetter | SurnameSimilarity::Transliterated => {
                        self.surnames_share_first_letter(a, b)
                            && (self.are_only_bearers(a, b, context)
                                || (self.spellings[a].name.given == self.spellings[b].name.given
                                    && self.expected_namesakes(a, b, context) <= COINCIDENCE
                                    && self.are_of_the_same_years(mine, theirs)))
                    }
                    SurnameSimilarity::OneLetterOfFew => false,
                };
            if is_fitting && context.rarely_conflict(mine, theirs) {
                return true;
            }
        }
        false
    }

    /// Whether two spellings, with the same first name, have surnames that differ in
    /// transliteration only, and few bear either.
    ///
    /// Then a second player of the same first name would be a coincidence. The games must be of
    /// the same years, and not on the same days, and the ratings near.
    fn is_rare_player(
        &self,
        (a, b): (usize, usize),
        similarity: SurnameSimilarity,
        context: &GroupContext,
    ) -> bool {
        let groups = [a, b].map(|one| context.homes[one]);
        let [mine, theirs] = groups.map(|group| self.ratings(&self.groups[group]));
        matches!(similarity, SurnameSimilarity::SameSound | SurnameSimilarity::Transliterated)
            && self.bearers_of_both(a, b, context) <= FEW_BEARERS
            && mine.distance(&theirs).is_none_or(|points| points < NEAR_RATING)
            && self.are_of_the_same_years(groups[0], groups[1])
            && context.rarely_conflict(groups[0], groups[1])
            && context.rarely_conflict(groups[1], groups[0])
    }

    /// Returns the number of bearers of the surnames of two spellings.
    fn bearers_of_both(&self, a: usize, b: usize, context: &GroupContext) -> usize {
        let bearers =
            [a, b].map(|one| context.bearers.get(&self.spellings[one].name.surname_key()));
        bearers.into_iter().flatten().sum()
    }

    /// Returns the number of players who are expected to bear one of two surnames and the first
    /// name of two spellings by chance.
    ///
    /// Of the two, one is counted among the bearers of the first name. So a small collection does
    /// not make a name rare.
    fn expected_namesakes(&self, a: usize, b: usize, context: &GroupContext) -> f64 {
        let bearers = self.bearers_of_both(a, b, context) as f64;
        let first_names = self.spellings[a].name.given.first();
        let with_name = first_names.and_then(|name| context.first_names.get(name)).copied();
        let others = with_name.unwrap_or_default().saturating_sub(1).max(1) as f64;
        bearers * others / self.groups.len() as f64
    }

    /// Whether two groups were active in the same years, or a few years apart.
    fn are_of_the_same_years(&self, a: usize, b: usize) -> bool {
        let years = [a, b].map(|group| years_of_group(self.spellings, &self.groups[group]));
        let [Some(mine), Some(theirs)] = years else { return false };
        mine.0 - NEAR_YEARS <= theirs.1 && theirs.0 - NEAR_YEARS <= mine.1
    }

    /// Whether two spellings have the same given names, more than one, no other group has the
    /// surname of one of them, and both surnames begin with the same letter.
    fn share_full_name_of_one_bearer(&self, a: usize, b: usize, context: &GroupContext) -> bool {
        let [mine, theirs] = [a, b].map(|one| &self.spellings[one].name.given);
        mine.len() > 1
            && mine == theirs
            && mine[0].len() >= WHOLE_NAME
            && self.surnames_share_first_letter(a, b)
            && [a, b].iter().any(|one| self.is_only_bearer(*one, context))
    }

    /// Whether the table of names has different years of birth for names of both groups.
    fn have_different_births(&self, a: &[usize], b: &[usize]) -> bool {
        self.members(a).filter_map(|one| one.life.as_ref()?.born).any(|born| {
            let mut others = self.members(b).filter_map(|other| other.life.as_ref()?.born);
            others.any(|other| born != other)
        })
    }

    /// Whether two spellings have the same first name in full.
    fn have_the_same_first_name(&self, a: usize, b: usize) -> bool {
        let [mut mine, theirs] =
            [a, b].map(|one| self.spellings[one].names().filter_map(|name| name.given.first()));
        mine.any(|name| name.len() >= WHOLE_NAME && theirs.clone().any(|other| name == other))
    }

    /// Whether no other group has the surname of a spelling.
    fn is_only_bearer(&self, spelling: usize, context: &GroupContext) -> bool {
        context.bearers.get(&self.spellings[spelling].name.surname_key()) == Some(&1)
    }

    /// Whether no other group has the surname of either.
    fn are_only_bearers(&self, a: usize, b: usize, context: &GroupContext) -> bool {
        [a, b].iter().all(|one| self.is_only_bearer(*one, context))
    }

    /// Whether the surnames of two spellings begin with the same letter (`Basman` and `Pasman` do
    /// not).
    fn surnames_share_first_letter(&self, a: usize, b: usize) -> bool {
        let [one, other] =
            [a, b].map(|one| self.spellings[one].name.surname.first()?.chars().next());
        one == other
    }

    /// Whether one of two groups begins where the other ends.
    fn is_sequel(&self, a: &[usize], b: &[usize]) -> bool {
        let (Some(mine), Some(theirs)) =
            (years_of_group(self.spellings, a), years_of_group(self.spellings, b))
        else {
            return false;
        };
        [(mine, theirs), (theirs, mine)]
            .into_iter()
            .any(|(before, after)| before.1 <= after.0 && after.0 - before.1 <= NEAR_YEARS)
    }

    /// Whether one name may be a typo for that of a well-known player.
    ///
    /// No other group has the surname, and the first names are the same.
    fn may_be_typo(&self, (typo, known): (usize, usize), context: &GroupContext) -> bool {
        let (wrong, right) = (&self.spellings[typo].name, &self.spellings[known]);
        let (mine, theirs) = (context.homes[typo], context.homes[known]);

        mine != theirs
            && right.names().any(|right| wrong.has_first_name_of(right))
            && self.is_only_bearer(typo, context)
            && self.number_of_games(theirs)
                >= WELL_KNOWN.max(BETTER_KNOWN * self.number_of_games(mine))
            && self.given_names_agree(&self.groups[mine], &self.groups[theirs])
            && self.nothing_excludes(mine, theirs)
    }

    /// Whether such a name is a typo.
    ///
    /// It met only opponents of that player, has the player's ratings, or has the games that the
    /// player lacks in an event.
    fn is_typo(&self, pair: (usize, usize), context: &GroupContext) -> bool {
        if !self.may_be_typo(pair, context) {
            return false;
        }
        let (mine, theirs) = (context.homes[pair.0], context.homes[pair.1]);
        let [one, other] = [mine, theirs].map(|group| self.ratings(&self.groups[group]));
        let in_events = context.in_events.get(&(mine, theirs)).copied().unwrap_or_default();
        // Initials are evidence only within one event.
        let has_given =
            self.spellings[pair.0].name.given.iter().any(|word| word.len() >= SHORT_NAME);
        // Nearly all its opponents are the player's. Some opponents in a large event met only one
        // of the two.
        let (met, in_common) = (context.number_of_opponents(mine), context.in_common(mine, theirs));
        let met_the_same_opponents = in_common == met
            || (in_common >= MANY_OPPONENTS && 5 * in_common >= 4 * met)
            || (in_common >= SOME_OPPONENTS && self.is_far_better_known((mine, theirs), in_common));
        // With so few games, one may have a wrong round.
        let may_be_in_events = 2 * in_events.contradictions
            <= in_events.games + in_events.both_differ + in_events.completes / 2;
        // Few strong players of one circle have the same ratings. The opponents may have typos too.
        let best = self.best_rating(&self.groups[mine]);
        let is_in_circle = in_common > 0
            && match best {
                ELITE.. => 3 * in_common >= met,
                DISTINCTIVE_RATING.. => 2 * in_common >= met && in_common >= MANY_OPPONENTS,
                _ => false,
            }
            && one.agree(&other) == Some(true)
            && context.rarely_conflict(mine, theirs);
        may_be_in_events
            && (in_events.completes > 0
                || is_in_circle
                || (has_given && met_the_same_opponents)
                || (has_given && one.agree(&other) == Some(true)))
    }

    /// Whether one player is so much better known that a similar name is very likely a typo.
    ///
    /// That player has many more games, the years of the other name are among theirs, and the given
    /// name is complete. It may be short if the two have many opponents in common.
    fn is_far_better_known(&self, (typo, known): (usize, usize), in_common: usize) -> bool {
        let letters = if in_common >= MANY_OPPONENTS { SHORT_NAME } else { WHOLE_NAME };
        let first = self.members(&self.groups[known]).map(|one| one.first_year).min();
        let last = self.members(&self.groups[known]).map(|one| one.last_year).max();
        let Some((first, last)) = first.zip(last) else { return false };
        // The player's first games may be under the typo.
        let (first, last) = (first.saturating_sub(NEAR_YEARS), last.saturating_add(NEAR_YEARS));
        self.members(&self.groups[typo]).all(|one| {
            first <= one.first_year
                && one.last_year <= last
                && one.name.given.first().is_some_and(|word| word.len() >= letters)
                && one.name.surname_key().len() >= LONG_SURNAME
        }) && self.number_of_games(known) >= FAMOUS.max(FAMOUS_RATIO * self.number_of_games(typo))
    }

    /// Joins the supported pairs, unless another player is possible.
    fn join_supported(&mut self, supported: Vec<SupportedPair>, mut homes: Vec<usize>) {
        let mut partners: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
        let mut typos: FxHashSet<(usize, usize)> = FxHashSet::default();
        for SupportedPair { pair: [home, other], typo, .. } in &supported {
            partners.entry(*home).or_default().insert(*other);
            partners.entry(*other).or_default().insert(*home);
            let known = if *typo == Some(*home) { *other } else { *home };
            typos.extend(typo.map(|typo| (typo, known)));
        }
        let original = self.groups.clone();
        for SupportedPair { pair: [home, other], in_common, typo } in supported {
            // Several typos for one name do not contradict each other.
            let may_be_another = [(home, other), (other, home)].into_iter().any(|(one, two)| {
                typo.is_none_or(|typo| typo == one)
                    && partners[&one].iter().any(|third| {
                        *third != two
                            && !typos.contains(&(*third, two))
                            && !self.may_be_one_player(&original[*third], &original[two])
                    })
            });
            if may_be_another {
                let opponents = common_opponents(in_common);
                let why = format!("similar surnames, {opponents}, but another player is possible");
                let pair = (original[home][0], original[other][0]);
                self.doubts.push(RawDoubt { pair, why });
                continue;
            }
            let (home, other) = (homes[original[home][0]], homes[original[other][0]]);
            let (mine, theirs) = (&self.groups[home], &self.groups[other]);
            let may_be_one_player = match typo {
                Some(_) => {
                    self.given_names_agree(mine, theirs) && self.nothing_excludes(home, other)
                }
                None => self.may_be_one_player(mine, theirs),
            };
            if home == other || !may_be_one_player {
                continue;
            }
            for &index in &self.groups[other] {
                homes[index] = home;
            }
            let evidence = common_opponents(in_common);
            self.join(home, other, MergeReason::NearSpelling, evidence);
        }
        self.groups.retain(|group| !group.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{Game, GameTable, PartialDate};
    use crate::players::{Aliases, resolve};

    /// Returns the spellings of the players whose names begin with `A`.
    ///
    /// Each event has a month of 2005, the name, rating and opponents of the player.
    fn persons(events: &[(u8, &str, u16, &[&str])]) -> Vec<String> {
        let mut table = GameTable::default();
        for (number, (month, name, rating, opponents)) in events.iter().enumerate() {
            let event = table.names.intern(&format!("Event {number}"));
            let white = table.names.intern(name);
            for (number, opponent) in opponents.iter().enumerate() {
                let black = table.names.intern(opponent);
                let day = number % 28 + 1;
                let date = format!("2005.{month:02}.{day:02}");
                let date = PartialDate::parse(&date).expect("a date");
                let game = Game { event, white, black, date, ..Game::default() };
                table.push(Game { white_elo: *rating, black_elo: 2650, ..game });
            }
        }
        let players = resolve(&table, &Aliases::default());
        let spellings = players.iter().map(|(_, player)| player.spellings.join(" = "));
        spellings.filter(|spellings| spellings.starts_with('A')).collect()
    }

    const MASTERS: [&str; 7] = [
        "Leko, Peter",
        "Svidler,P",
        "Short,N",
        "Kramnik,V",
        "Topalov,V",
        "Polgar,J",
        "Giri, Anish",
    ];

    /// Counts the players if Anand has four events, and a typo with a rating a fifth.
    fn players_with_typo(rating: u16, months: [u8; 5], opponents: &[&str]) -> usize {
        let [known @ .., typo] = months;
        let mut events = known.map(|month| (month, "Anand,V", 2786, &MASTERS[..])).to_vec();
        events.push((typo, "Anane,V", rating, opponents));
        persons(&events).len()
    }

    #[test]
    fn a_wrong_letter_with_an_initial_needs_a_high_rating_of_its_own_circle() {
        let months = [1, 2, 3, 4, 5];
        assert_eq!(players_with_typo(2788, months, &MASTERS), 1);
        // The opponents may have typos too, but most are Anand's.
        let some_with_typos = ["Leko, Peter", "Short,N", "Shirov,A", "Bu,X"];
        assert_eq!(players_with_typo(2788, months, &some_with_typos), 1);
        assert_eq!(players_with_typo(2788, months, &["Zheng,B", "Shirov,A", "Bu,X"]), 2);
        // With another rating, a low one, or games elsewhere on the same days, it is another
        // player.
        assert_eq!(players_with_typo(2600, months, &MASTERS), 2);
        let elsewhere = ["Short,N", "Leko, Peter", "Kramnik,V", "Svidler,P"];
        assert_eq!(players_with_typo(2788, [1, 2, 3, 4, 4], &elsewhere), 2);
    }

    #[test]
    fn a_rare_name_a_letter_apart_needs_two_common_opponents() {
        for (name, opponents, players) in [
            ("Adamsni, Teodor", &["Leko, Peter", "Short,N", "Xu,A", "Yu,B"][..], 1),
            ("Adamsni, Teodor", &["Xu,A", "Yu,B", "Zu,C"], 2),
            ("Adamsni, Jan", &["Leko, Peter", "Short,N", "Xu,A"], 2),
            // One or two games of a name that no one else bears are Adamski's, unless he played
            // elsewhere.
            ("Adamsni, Teodor", &["Xu,A", "Yu,B"], 1),
            ("Adamskij, Teodor", &["Xu,A", "Yu,B"], 1),
        ] {
            let adamski = (1, "Adamski, Teodor", 0, &MASTERS[..]);
            assert_eq!(persons(&[adamski, (5, name, 0, opponents)]).len(), players, "{name}");
        }
        let adamski = (1, "Adamski, Teodor", 0, &MASTERS[..]);
        let others: [&str; 2] = ["Xu,A", "Yu,B"];
        assert_eq!(persons(&[adamski, (1, "Adamsni, Teodor", 0, &others)]).len(), 2);
        let namesake = (3, "Adamsni, Jan", 0, &others[..]);
        assert_eq!(persons(&[adamski, (5, "Adamsni, Teodor", 0, &others), namesake]).len(), 3);
    }

    /// Counts the players whose names begin with `A` in a collection of Zander's opponents: players
    /// with a first name each, of whom some are Teodors.
    fn players_among(opponents: usize, teodors: usize) -> usize {
        let opponents: Vec<String> = (0..opponents)
            .map(|number| {
                if number < teodors {
                    let surname: String = (0..5).map(|place| letter(number + place)).collect();
                    format!("B{surname}, Teodor")
                } else {
                    let surname: String =
                        [676, 26, 1].iter().map(|unit| letter(number / unit)).collect();
                    format!("B{surname}, {surname}")
                }
            })
            .collect();
        let opponents: Vec<&str> = opponents.iter().map(String::as_str).collect();
        let few = ["Xu,A", "Yu,B"];
        persons(&[
            (1, "Adamski, Teodor", 0, &MASTERS),
            (2, "Zander, Alfred", 0, &opponents),
            (3, "Adamsni, Jan", 0, &few),
            (5, "Adamsni, Teodor", 0, &few),
        ])
        .len()
    }

    fn letter(number: usize) -> char {
        char::from(b'a' + (number % 26) as u8)
    }

    #[test]
    fn a_rare_first_name_shows_that_a_letter_is_wrong() {
        // No other of a thousand players has the name.
        assert_eq!(players_among(1000, 0), 2);
        // In a collection of few players, or with a common name, it may be a namesake.
        assert_eq!(players_among(60, 0), 3);
        assert_eq!(players_among(1000, 20), 3);
    }

    #[test]
    fn a_wrong_letter_in_the_text_of_an_alias_is_found() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let alias = "[[player]]\nname = \"Romanovsky, Pjotr\"\nspellings = [\"Romanovsky, Peter\"]";
        std::fs::write(file.path(), alias).expect("written");
        let mut aliases = Aliases::default();
        assert!(aliases.read(file.path(), false).is_empty());
        let mut table = GameTable::default();
        for (name, year) in [("Romanovsky, Peter", 1925), ("Romanovssy, Peter", 1927)] {
            for opponent in MASTERS {
                let [white, black] = [name, opponent].map(|text| table.names.intern(text));
                let event = table.names.intern(name);
                let date = PartialDate::of_year(year);
                table.push(Game { event, white, black, date, ..Game::default() });
            }
        }
        assert_eq!(resolve(&table, &aliases).len(), 1 + MASTERS.len());
    }
}
