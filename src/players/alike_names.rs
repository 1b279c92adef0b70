//! Names that may be one person's in two spellings.

use super::name::PersonName;
use super::similarity::phonetic_key;
use super::spellings::Spelling;

/// Letters from which surnames that differ by one letter may be one.
const LONG_SURNAME: usize = 5;

/// The words of a spelling, as they sound.
#[derive(Debug)]
pub(super) struct Words(Vec<String>);

impl Words {
    pub fn of(spelling: &Spelling) -> Words {
        let words = spelling.name.surname.iter().chain(&spelling.name.given);
        Words(words.filter(|word| word.len() > 2).map(|word| sound(word)).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    pub fn shares_one_with(&self, other: &Words) -> bool {
        self.0.iter().any(|word| other.0.contains(word))
    }
}

/// Whether two names that share a word may be one: in another transliteration or order,
/// abbreviated, with another letter.
pub(super) fn are_alike(one: &Spelling, other: &Spelling) -> bool {
    are_near(one, other) || may_be_written(one, other)
}

/// Whether two surnames differ by a letter at most, and the given names may be one.
pub(super) fn are_near(one: &Spelling, other: &Spelling) -> bool {
    let (mine, theirs) = (one.name.surname_key(), other.name.surname_key());
    mine.len().min(theirs.len()) >= LONG_SURNAME
        && mine.len().abs_diff(theirs.len()) <= 1
        && one.name.given_compatible(&other.name, true)
        && strsim::levenshtein(&mine, &theirs) <= 1
}

/// Whether two spellings may be one name in another alphabet, another transliteration or another
/// order.
pub(super) fn may_be_written(a: &Spelling, b: &Spelling) -> bool {
    let readings = |spelling: &Spelling| -> Vec<PersonName> {
        let texts = spelling.texts.iter().take(4);
        let mut readings: Vec<PersonName> =
            texts.flat_map(|(_, text)| PersonName::readings(text)).collect();
        // `Emanuel, Lasker`.
        let turned: Vec<PersonName> = readings
            .iter()
            .filter(|reading| !reading.given.is_empty())
            .map(|reading| PersonName {
                surname: reading.given.clone(),
                given: reading.surname.clone(),
            })
            .collect();
        readings.extend(turned);
        readings
    };
    let sound = |name: &PersonName| sound(&name.surname_key());
    let (mine, theirs) = (readings(a), readings(b));
    mine.iter().any(|one| {
        let own = sound(one);
        own.len() > 2
            && theirs.iter().any(|other| own == sound(other) && one.given_compatible(other, true))
    })
}

/// How a word sounds, but for endings that transliterations and languages write differently.
fn sound(word: &str) -> String {
    let key = phonetic_key(word);
    key.strip_suffix('v').map(|stem| format!("{stem}f")).unwrap_or(key)
}
