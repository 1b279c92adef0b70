//! Whom of a spelling file the spellings of games mean.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::aliases::{AliasEntry, AliasFile};
use super::name::PersonName;
use super::spelling_file::SpelledPlayer;

/// The spellings of the games, and what the spelling file makes of them.
#[derive(Debug, Default)]
pub struct SpellingClaims {
    by_surname: FxHashMap<String, Vec<ClaimedSpelling>>,
}

/// Whom the spellings of the games mean.
#[derive(Clone, Debug, Default)]
pub struct SpellingMatches {
    /// Spellings that would not be joined with the correct name, or with each other, without help.
    pub aliases: AliasFile,
    /// The correct name of each spelling that means just one player.
    pub names: FxHashMap<String, String>,
}

#[derive(Debug)]
struct ClaimedSpelling {
    text: String,
    /// Identifier of the person that it was taken for.
    person: String,
    name: PersonName,
    years: (i16, i16),
    /// Correct names whose variants are this very spelling.
    exact: BTreeSet<String>,
    /// Correct names whose variants begin with it.
    beginning: BTreeSet<String>,
}

/// Letters that a first name may differ by from the correct one: `Gary` and `Garry`, but not
/// `David` and `Donald`.
const FIRST_NAME_DISTANCE: usize = 2;

impl SpellingClaims {
    /// Adds a spelling of the games: whose it seems to be without the file, and the first and the last
    /// year of his games.
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

    /// Notes which spellings may mean a player of the file: he lived then.
    pub fn claim(&mut self, player: &SpelledPlayer) {
        let Some(born) = player.born else { return };
        for variant in player.variants.iter().chain([&player.name]) {
            // Numbers tell the file's namesakes apart; in games they have none.
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

    /// Whom the spellings mean, as far as only one player of the file can be meant.
    pub fn decide(self) -> SpellingMatches {
        let mut by_name: BTreeMap<String, Vec<ClaimedSpelling>> = BTreeMap::new();
        let mut unclaimed: Vec<ClaimedSpelling> = Vec::new();
        // Whom the spellings that were taken for one person mean.
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
            // The file tells namesakes apart by numbers, which are no part of a name.
            if let (Some(correct), None) = (claims.next(), claims.next())
                && !correct.bytes().any(|byte| byte.is_ascii_digit())
            {
                by_name.entry(correct).or_default().push(spelling);
            }
        }
        // A spelling that the file does not have goes with the others of its person: to take those away
        // would part one career.
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
        let mut meant = SpellingMatches::default();
        for (name, spellings) in by_name {
            let correct = PersonName::parse(&name);
            let apart = spellings.iter().any(|spelling| spelling.person != spellings[0].person);
            for spelling in &spellings {
                meant.names.insert(spelling.text.clone(), name.clone());
            }
            // Where one goes over to the correct name, all of them do.
            let helped = spellings.iter().any(|spelling| needs_help(&spelling.name, &correct));
            let mut texts: Vec<String> = spellings
                .iter()
                .filter(|spelling| apart || helped || needs_help(&spelling.name, &correct))
                .map(|spelling| spelling.text.clone())
                .collect();
            texts.sort();
            if !texts.is_empty() {
                meant.aliases.player.push(AliasEntry::new(name, texts));
            }
        }
        meant
    }
}

/// Whether a spelling would not be joined with the correct name by itself. Another first name of
/// the same surname is doubtful, and stays as the games have it.
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
