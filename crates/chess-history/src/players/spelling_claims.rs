//! Matches the spellings of the games with the players of a spelling file.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::aliases::{AliasEntry, AliasFile};
use super::name::PersonName;
use super::spelling_file::SpelledPlayer;

/// The spellings of the games, and the players of the file that they may be.
#[derive(Debug, Default)]
pub struct SpellingClaims {
    by_surname: FxHashMap<String, Vec<ClaimedSpelling>>,
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
    years: (i16, i16),
    /// Correct names with a variant that is this spelling.
    exact: BTreeSet<String>,
    /// Correct names with a variant that begins with this spelling.
    beginning: BTreeSet<String>,
}

/// The number of letters in which a first name may differ from the correct one.
///
/// `Gary` and `Garry` may be one name, but not `David` and `Donald`.
const FIRST_NAME_DISTANCE: usize = 2;

impl SpellingClaims {
    /// Adds a spelling of the games: its text, its player without the file, and the first and the
    /// last year of its games.
    pub fn add(&mut self, text: &str, person: &str, years: (i16, i16)) {
        let name = PersonName::parse(text);
        self.by_surname.entry(name.surname_key()).or_default().push(ClaimedSpelling {
            text: text.to_owned(),
            person: person.to_owned(),
            name,
            years,
            exact: BTreeSet::new(),
            beginning: BTreeSet::new(),
        });
    }

    /// Whether a spelling has this surname ([`PersonName::surname_key`]).
    pub fn has_surname(&self, surname: &str) -> bool {
        self.by_surname.contains_key(surname)
    }

    /// Records which spellings may mean a player of the file, given his years of life.
    pub fn claim(&mut self, player: &SpelledPlayer) {
        let Some(born) = player.born else { return };
        for variant in player.variants.iter().chain([&player.name]) {
            // The file distinguishes namesakes by numbers, which games do not have.
            let variant = PersonName::parse(variant).without_numbers();
            let Some(spellings) = self.by_surname.get_mut(&variant.surname_key()) else { continue };
            for spelling in spellings {
                let (first, last) = spelling.years;
                if first < born + 10
                    || last > born + 90
                    || player.died.is_some_and(|died| last > died)
                {
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
        let mut by_name: BTreeMap<String, Vec<ClaimedSpelling>> = BTreeMap::new();
        let mut unclaimed: Vec<ClaimedSpelling> = Vec::new();
        // The correct names of the spellings that were assigned to one player.
        let mut of_person: FxHashMap<String, BTreeSet<String>> = FxHashMap::default();
        for mut spelling in self.by_surname.into_values().flatten() {
            let claims = if spelling.exact.is_empty() {
                std::mem::take(&mut spelling.beginning)
            } else {
                std::mem::take(&mut spelling.exact)
            };
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
