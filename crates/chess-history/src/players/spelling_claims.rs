//! Matches the spellings of the games with the players of a spelling file.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::{AliasEntry, AliasFile};
use super::name::PersonName;
use super::spelling_file::SpelledPlayer;
use super::spelling_tags::SpellingTags;

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
    pub names: FxHashMap<String, String>,
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
    exact: BTreeSet<String>,
    /// Correct names with a variant that begins with this spelling.
    beginning: BTreeSet<String>,
    /// The rating tags of its games.
    tags: SpellingTags,
    /// Correct names with compatible given names whose ratings the tags are.
    rated: BTreeSet<String>,
    /// The player of the file whose ratings were compared last.
    compared_last: String,
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
    fn take_claims(&mut self) -> BTreeSet<String> {
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
            compared_last: String::new(),
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
        let mut by_name: BTreeMap<String, Vec<ClaimedSpelling>> = BTreeMap::new();
        let mut unclaimed: Vec<ClaimedSpelling> = Vec::new();
        // The correct names of the spellings that were assigned to one player.
        let mut of_person: FxHashMap<String, BTreeSet<String>> = FxHashMap::default();
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
            let mut texts: Vec<String> = spellings
                .iter()
                .filter(|spelling| apart || helped || needs_help(&spelling.name, &correct))
                .map(|spelling| spelling.text.clone())
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
        let mut names: Vec<(String, String)> = claims.decide().names.into_iter().collect();
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
}
