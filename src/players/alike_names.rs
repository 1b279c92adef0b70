//! Names that may be one person's in two spellings.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::name::PersonName;
use super::similarity::phonetic_key;
use super::spellings::Spelling;

/// Letters from which surnames that differ by one letter may be one.
const LONG_SURNAME: usize = 5;

/// Texts of a spelling that are read: the others differ from them by capitals and marks.
const READ_TEXTS: usize = 4;

/// The words of all spellings, as they sound, numbered in the order of the alphabet.
#[derive(Debug)]
pub(super) struct Words {
    of_spellings: Vec<Vec<u32>>,
    lengths: Vec<usize>,
}

impl Words {
    pub fn of(spellings: &[Spelling]) -> Words {
        let words: Vec<Vec<String>> = spellings.par_iter().map(words).collect();
        let mut all: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
        all.par_sort_unstable();
        all.dedup();
        let numbers: FxHashMap<&str, u32> = all.iter().copied().zip(0..).collect();
        let number =
            |words: &Vec<String>| words.iter().map(|word| numbers[word.as_str()]).collect();
        Words {
            of_spellings: words.iter().map(number).collect(),
            lengths: all.iter().map(|word| word.len()).collect(),
        }
    }

    /// The numbers of the words of a spelling.
    pub fn numbers(&self, spelling: usize) -> &[u32] {
        &self.of_spellings[spelling]
    }

    /// The numbers of its words of so many letters or more.
    pub fn long(&self, spelling: usize, letters: usize) -> impl Iterator<Item = u32> {
        let numbers = self.numbers(spelling).iter().copied();
        numbers.filter(move |word| self.lengths[*word as usize] >= letters)
    }

    pub fn share_one(&self, a: usize, b: usize) -> bool {
        self.numbers(a).iter().any(|word| self.numbers(b).contains(word))
    }
}

/// The words of a spelling that are more than initials, as they sound.
fn words(spelling: &Spelling) -> Vec<String> {
    let words = spelling.name.surname.iter().chain(&spelling.name.given);
    words.filter(|word| word.len() > 2).map(|word| sound(word)).collect()
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

/// The names that a spelling may stand for, each with the sound of its surname.
#[derive(Debug)]
pub(super) struct Readings(Vec<(String, PersonName)>);

impl Readings {
    pub fn of(spelling: &Spelling) -> Readings {
        let texts = spelling.texts.iter().take(READ_TEXTS);
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
        Readings(readings.into_iter().map(|name| (sound(&name.surname_key()), name)).collect())
    }

    /// Whether two spellings may be one name in another alphabet, transliteration or order.
    pub fn may_be(&self, other: &Readings) -> bool {
        self.0.iter().filter(|(sound, _)| sound.len() > 2).any(|(sound, one)| {
            let others = other.0.iter().filter(|(other, _)| sound == other);
            others.into_iter().any(|(_, other)| one.given_compatible(other, true))
        })
    }
}

/// Whether two spellings may be one name in another alphabet, transliteration or order.
pub(super) fn may_be_written(a: &Spelling, b: &Spelling) -> bool {
    Readings::of(a).may_be(&Readings::of(b))
}

/// How a word sounds, but for endings that transliterations and languages write differently.
fn sound(word: &str) -> String {
    let key = phonetic_key(word);
    key.strip_suffix('v').map(|stem| format!("{stem}f")).unwrap_or(key)
}
