//! Matches the spellings of the games with the players of a spelling file, by their names, their
//! years and their ratings on FIDE's lists.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::{AliasEntry, AliasFile};
use super::name::PersonName;
use super::spelling_file::SpelledPlayer;
use crate::games::{Game, GameTable, NameId};
use crate::source::CleanName;

/// A rating (points) that few players share.
///
/// Judged: it is the rating that FIDE requires of an international master. Two hundred points less,
/// and namesakes of one level are common; two hundred more, and masters would not be found.
const DISTINCTIVE_RATING: u16 = 2400;

/// The spellings of the games, and the players of the file that they may be.
#[derive(Debug, Default)]
pub struct SpellingClaims {
    by_surname: FxHashMap<String, Vec<ClaimedSpelling>>,
    /// Pairs of spellings that met over the board, in order.
    met: FxHashSet<[String; 2]>,
}

/// The players of the file that the spellings of the games mean.
#[derive(Clone, Debug, Default)]
pub struct SpellingMatches {
    /// Spellings that would not be joined with the correct name, or with each other, without the
    /// file.
    pub aliases: AliasFile,
    /// The correct name of each spelling that means only one player.
    pub names: FxHashMap<String, CleanName>,
}

/// A spelling of the games, and the players of the file that may be meant.
#[derive(Debug)]
struct ClaimedSpelling {
    text: String,
    /// The identifier of the player to whom it was assigned without the file.
    person: String,
    name: PersonName,
    /// The name without the number by which lists distinguish namesakes.
    plain: PersonName,
    years: (i16, i16),
    /// Correct names with a variant that is this spelling.
    exact: BTreeSet<CleanName>,
    /// Correct names with a variant that begins with this spelling.
    beginning: BTreeSet<CleanName>,
    /// The rating tags of its games.
    tags: SpellingTags,
    /// Correct names with compatible given names whose ratings the tags are.
    rated: BTreeSet<CleanName>,
    /// The player of the file whose ratings were compared last.
    compared_last: CleanName,
    /// Whether the rating tags decided which player is meant.
    is_decided_by_tags: bool,
}

impl ClaimedSpelling {
    /// Records a player with compatible given names if the tags are ratings of that player.
    fn compare_ratings(&mut self, player: &SpelledPlayer, variant: &PersonName) {
        if player.ratings.is_empty()
            || self.tags.is_empty()
            || self.compared_last == player.name
            || !self.plain.given_compatible(variant, false)
            || self.plain.given.is_empty()
        {
            return;
        }
        // A player has many variants of one name.
        self.compared_last.clone_from(&player.name);
        if self.tags.is_of(player) {
            self.rated.insert(player.name.clone());
        }
    }

    /// Returns the correct names that the spelling may mean.
    ///
    /// If the names alone leave a choice, or none fits, the rating tags decide.
    fn take_claims(&mut self) -> BTreeSet<CleanName> {
        let by_name = if self.exact.is_empty() {
            std::mem::take(&mut self.beginning)
        } else {
            std::mem::take(&mut self.exact)
        };
        if by_name.len() != 1 && self.rated.len() == 1 {
            self.is_decided_by_tags = true;
            std::mem::take(&mut self.rated)
        } else {
            by_name
        }
    }
}

/// The number of letters in which a first name may differ from the correct one.
///
/// `Gary` and `Garry` may be one name, but not `David` and `Donald`. Judged: transliterations
/// differ in up to two letters; with four, most short names would be one.
const FIRST_NAME_DISTANCE: usize = 2;

impl SpellingClaims {
    /// Adds a spelling of the games: its text, its player without the file, the first and the last
    /// year of its games, and its rating tags.
    pub fn add(&mut self, text: &str, person: &str, years: (i16, i16), tags: SpellingTags) {
        let name = PersonName::parse(text);
        self.by_surname.entry(name.surname_key()).or_default().push(ClaimedSpelling {
            text: text.to_owned(),
            person: person.to_owned(),
            plain: name.without_numbers(),
            name,
            years,
            exact: BTreeSet::new(),
            beginning: BTreeSet::new(),
            tags,
            rated: BTreeSet::new(),
            compared_last: CleanName::default(),
            is_decided_by_tags: false,
        });
    }

    /// Records that two spellings met over the board. Ratings alone never make them one player.
    pub fn add_meeting(&mut self, one: &str, other: &str) {
        self.met.insert(in_order(one, other));
    }

    /// Whether a spelling has this surname ([`PersonName::surname_key`]).
    pub fn has_surname(&self, surname: &str) -> bool {
        self.by_surname.contains_key(surname)
    }

    /// Records which spellings may mean a player of the file, given the player's years of life.
    pub fn claim(&mut self, player: &SpelledPlayer) {
        for variant in player.variants.iter().chain([&player.name]) {
            // The file distinguishes namesakes by numbers, which games do not have.
            let variant = PersonName::parse(variant).without_numbers();
            let Some(spellings) = self.by_surname.get_mut(&variant.surname_key()) else { continue };
            for spelling in spellings {
                let (first, last) = spelling.years;
                if player.died.is_some_and(|died| last > died)
                    || player.born.is_some_and(|born| first < born + 10 || last > born + 90)
                {
                    continue;
                }
                spelling.compare_ratings(player, &variant);
                // Without a year of birth, a name alone may be anyone's.
                if player.born.is_none() {
                    continue;
                }
                if spelling.name == variant {
                    spelling.exact.insert(player.name.clone());
                } else if spelling.name.begins(&variant)
                    || (spelling.name.given.len() == 1
                        && spelling.name.given[0].len() == 1
                        && variant.given.first().is_some_and(|first| {
                            first.starts_with(spelling.name.given[0].as_str())
                        }))
                {
                    spelling.beginning.insert(player.name.clone());
                }
            }
        }
    }

    /// Returns the players that the spellings mean, as far as they are unambiguous.
    pub fn decide(self) -> SpellingMatches {
        let met = self.met;
        let mut by_name: BTreeMap<CleanName, Vec<ClaimedSpelling>> = BTreeMap::new();
        let mut unclaimed: Vec<ClaimedSpelling> = Vec::new();
        // The correct names of the spellings that were assigned to one player.
        let mut of_person: FxHashMap<String, BTreeSet<CleanName>> = FxHashMap::default();
        for mut spelling in self.by_surname.into_values().flatten() {
            let claims = spelling.take_claims();
            if claims.is_empty() {
                unclaimed.push(spelling);
                continue;
            }
            of_person.entry(spelling.person.clone()).or_default().extend(claims.iter().cloned());
            let mut claims = claims.into_iter();
            // The file distinguishes namesakes by numbers, which are not part of a name.
            if let (Some(correct), None) = (claims.next(), claims.next())
                && !correct.bytes().any(|byte| byte.is_ascii_digit())
            {
                by_name.entry(correct).or_default().push(spelling);
            }
        }
        // A spelling that the file does not have follows the others of its player. Otherwise one
        // career would be split.
        for spelling in unclaimed {
            if let Some(names) = of_person.get(&spelling.person)
                && let [only] = &names.iter().collect::<Vec<_>>()[..]
                && let Some(spellings) = by_name.get_mut(*only)
            {
                spellings.push(spelling);
            }
        }
        for spellings in by_name.values_mut() {
            spellings.sort_by(|a, b| a.text.cmp(&b.text));
            let texts: Vec<String> = spellings.iter().map(|one| one.text.clone()).collect();
            spellings.retain(|one| {
                !one.is_decided_by_tags
                    || !texts.iter().any(|other| met.contains(&in_order(&one.text, other)))
            });
        }
        let mut matches = SpellingMatches::default();
        for (name, spellings) in by_name {
            let correct = PersonName::parse(&name);
            let apart = spellings.iter().any(|spelling| spelling.person != spellings[0].person);
            for spelling in &spellings {
                matches.names.insert(spelling.text.clone(), name.clone());
            }
            // If one spelling changes to the correct name, all of them do.
            let helped = spellings.iter().any(|spelling| needs_help(&spelling.name, &correct));
            let mut texts: Vec<CleanName> = spellings
                .iter()
                .filter(|spelling| apart || helped || needs_help(&spelling.name, &correct))
                .map(|spelling| spelling.text.as_str().into())
                .collect();
            texts.sort();
            if !texts.is_empty() {
                matches.aliases.player.push(AliasEntry::new(name, texts));
            }
        }
        matches
    }
}

/// Returns two texts in alphabetical order.
fn in_order(one: &str, other: &str) -> [String; 2] {
    let mut pair = [one.to_owned(), other.to_owned()];
    pair.sort();
    pair
}

/// Whether a spelling would not be joined with the correct name without help.
///
/// Another first name with the same surname is doubtful and stays as in the games.
fn needs_help(spelling: &PersonName, correct: &PersonName) -> bool {
    if spelling.surname_key() != correct.surname_key() {
        return true;
    }
    let distance = match (spelling.given.first(), correct.given.first()) {
        (Some(mine), Some(theirs)) => strsim::levenshtein(mine, theirs),
        _ => 0,
    };
    !spelling.given_compatible(correct, false) && distance <= FIRST_NAME_DISTANCE
}

/// The days by which a tag may precede its list: games of a month have the next list's ratings.
///
/// Judged: a month and a half. Twice as many would span two lists since 2000.
const DAYS_BEFORE: i32 = 45;

/// The days for which the ratings of a list remain in force, at most. Lists were yearly once.
///
/// Judged: a year and a month, because some lists were late. With twice as many, an outdated rating
/// that a namesake has now would count.
const DAYS_IN_FORCE: i32 = 400;

/// The part of the tags, in quarters, that must be ratings of the history.
///
/// Judged: sources have wrong and national ratings, so not all; with a half, two namesakes whose
/// games a spelling mixes would both fit.
const QUARTERS: usize = 3;

/// The rating tags of a spelling, each with the period of its game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpellingTags {
    /// First and last possible day of the game, and the rating (points). Each month counts once.
    tags: Vec<(Date, Date, u16)>,
}

impl SpellingTags {
    /// Collects the rating tags of each name of a table, by the number of the name.
    pub fn of_names(table: &GameTable) -> Vec<SpellingTags> {
        let mut histories = vec![SpellingTags::default(); table.names.len()];
        for game in table.games() {
            let days = game.date.earliest().zip(game.date.latest());
            let Some((first, last)) = days else { continue };
            for (name, rating) in tags(game) {
                let tags = &mut histories[name.index()].tags;
                let tag = (first, last, rating);
                // The games of an event follow each other, so this keeps the memory small.
                if tags.last().is_none_or(|before| month(before) != month(&tag)) {
                    tags.push(tag);
                }
            }
        }
        for history in &mut histories {
            history.tags.sort_unstable();
            history.tags.dedup_by_key(|tag| month(tag));
        }
        histories
    }

    /// Collects tags of known days.
    #[cfg(test)]
    pub(super) fn of_days(tags: impl IntoIterator<Item = (Date, u16)>) -> SpellingTags {
        SpellingTags { tags: tags.into_iter().map(|(day, rating)| (day, day, rating)).collect() }
    }

    /// Whether the games have no rating tags.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Whether the tags are the ratings of a player of the spelling file.
    ///
    /// Three quarters of the tags must be ratings that the player had at the time. These must have
    /// two different values, or one that few players share.
    pub fn is_of(&self, player: &SpelledPlayer) -> bool {
        let mut listed: Vec<u16> = Vec::new();
        for &(first, last, rating) in &self.tags {
            // The ratings of a player are in the order of their lists.
            let begin = player
                .ratings
                .partition_point(|(list, _)| (first - *list).get_days() > DAYS_IN_FORCE);
            let mut in_force = player.ratings[begin..]
                .iter()
                .take_while(|(list, _)| (*list - last).get_days() <= DAYS_BEFORE);
            if in_force.any(|(_, listed)| *listed == rating) {
                listed.push(rating);
            }
        }
        let is_most = 4 * listed.len() >= QUARTERS * self.tags.len();
        let is_strong = listed.iter().any(|rating| *rating >= DISTINCTIVE_RATING);
        listed.sort_unstable();
        listed.dedup();
        is_most && (listed.len() >= 2 || is_strong)
    }
}

/// Returns the month and the rating of a tag. Tags that have both in common count once.
fn month((first, _, rating): &(Date, Date, u16)) -> (i16, i8, u16) {
    (first.year(), first.month(), *rating)
}

/// Returns the names of a game that have a rating tag, with the rating (points).
fn tags(game: &Game) -> impl Iterator<Item = (NameId, u16)> {
    let sides = [(game.white, game.white_elo), (game.black, game.black_elo)];
    sides.into_iter().filter(|(_, rating)| *rating > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn player(name: &str, ratings: &[(i16, u16)]) -> SpelledPlayer {
        SpelledPlayer {
            name: name.into(),
            born: Some(1956),
            ratings: ratings.iter().map(|&(year, elo)| (date(year, 1, 1), elo)).collect(),
            ..SpelledPlayer::default()
        }
    }

    /// Claims the spellings, each with its rating tags by year, for two namesakes.
    fn decide(spellings: &[(&str, &[(i16, u16)])], met: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut claims = SpellingClaims::default();
        for (number, (text, tags)) in spellings.iter().enumerate() {
            let years = (tags[0].0, tags[tags.len() - 1].0);
            let tags =
                SpellingTags::of_days(tags.iter().map(|&(year, elo)| (date(year, 5, 1), elo)));
            claims.add(text, &number.to_string(), years, tags);
        }
        for (one, other) in met {
            claims.add_meeting(one, other);
        }
        claims.claim(&player("Olafsson, Helgi", &[(1985, 2515), (1986, 2525), (1987, 2550)]));
        claims.claim(&player("Olafsson, Haukur", &[(1985, 2200), (1986, 2215), (1987, 2210)]));
        let names = claims.decide().names.into_iter();
        let mut names: Vec<(String, String)> =
            names.map(|(spelling, name)| (spelling, name.into())).collect();
        names.sort();
        names
    }

    const FULL: (&str, &[(i16, u16)]) = ("Olafsson, Helgi", &[(1985, 2515)]);

    #[test]
    fn rating_tags_decide_which_namesake_an_initial_is() {
        let of_helgi: (&str, &[(i16, u16)]) = ("Olafsson,H1", &[(1986, 2525), (1987, 2550)]);
        let of_haukur: (&str, &[(i16, u16)]) = ("Olafsson,H", &[(1985, 2200), (1986, 2215)]);
        let pairs = [
            ("Olafsson, Helgi", "Olafsson, Helgi"),
            ("Olafsson,H", "Olafsson, Haukur"),
            ("Olafsson,H1", "Olafsson, Helgi"),
        ];
        let expected = pairs.map(|(text, name)| (text.to_owned(), name.to_owned()));
        assert_eq!(decide(&[FULL, of_helgi, of_haukur], &[]), expected);
    }

    #[test]
    fn tags_of_nobody_in_the_file_decide_nothing() {
        let of_another: (&str, &[(i16, u16)]) = ("Olafsson,H", &[(1986, 2400), (1987, 2410)]);
        assert_eq!(decide(&[FULL, of_another], &[]).len(), 1);
    }

    #[test]
    fn players_who_met_are_never_joined_by_their_ratings() {
        let same: (&str, &[(i16, u16)]) = ("Olafsson,H", &[(1986, 2525), (1987, 2550)]);
        assert_eq!(decide(&[FULL, same], &[]).len(), 2);
        assert_eq!(decide(&[FULL, same], &[("Olafsson, Helgi", "Olafsson,H")]).len(), 1);
    }

    fn history(tags: &[(i16, i8, u16)]) -> SpellingTags {
        SpellingTags::of_days(tags.iter().map(|&(year, month, elo)| (date(year, month, 10), elo)))
    }

    fn listed(ratings: &[(i16, i8, u16)]) -> SpelledPlayer {
        let ratings = ratings.iter().map(|&(year, month, elo)| (date(year, month, 1), elo));
        SpelledPlayer { ratings: ratings.collect(), ..SpelledPlayer::default() }
    }

    #[test]
    fn tags_are_a_players_if_three_quarters_were_ratings_at_the_time() {
        let player = listed(&[(1990, 1, 2300), (1990, 7, 2310), (1991, 1, 2325)]);
        let own = [(1990, 3, 2300), (1990, 9, 2310), (1991, 3, 2325)];
        assert!(history(&own).is_of(&player));
        let one_of_four_differs = [own[0], own[1], own[2], (1991, 4, 2200)];
        assert!(history(&one_of_four_differs).is_of(&player));
        assert!(!history(&[own[0], own[1], (1991, 3, 2200), (1991, 4, 2205)]).is_of(&player));
        assert!(!history(&[(1994, 3, 2300), (1994, 9, 2310)]).is_of(&player));
    }

    #[test]
    fn one_rating_is_evidence_only_if_few_players_share_it() {
        assert!(!history(&[(1990, 3, 2300)]).is_of(&listed(&[(1990, 1, 2300)])));
        assert!(history(&[(1990, 3, 2600)]).is_of(&listed(&[(1990, 1, 2600)])));
        assert!(!history(&[]).is_of(&listed(&[(1990, 1, 2600)])));
    }
}
