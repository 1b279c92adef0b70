//! Names that may be one person's in two spellings.

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::name::PersonName;
use super::similarity::phonetic_key;
use super::spellings::Spelling;

/// Letters from which surnames that differ by one letter may be one.
const LONG_SURNAME: usize = 5;

/// Texts of a spelling that are read: the others differ from them by capitals and marks.
const READ_TEXTS: usize = 4;

/// All spellings, with what is needed to compare any two of them.
pub(super) struct AlikeNames<'a> {
    spellings: &'a [Spelling],
    surnames: Vec<String>,
    /// The words of each as they sound, numbered in the order of the alphabet, and their lengths.
    words: Vec<Vec<u32>>,
    lengths: Vec<usize>,
    /// Read where one is first compared: few are.
    readings: Vec<OnceLock<Readings>>,
}

impl<'a> AlikeNames<'a> {
    pub fn of(spellings: &'a [Spelling]) -> AlikeNames<'a> {
        let words: Vec<Vec<String>> = spellings.par_iter().map(words).collect();
        let mut all: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
        all.par_sort_unstable();
        all.dedup();
        let numbers: FxHashMap<&str, u32> = all.iter().copied().zip(0..).collect();
        let number =
            |words: &Vec<String>| words.iter().map(|word| numbers[word.as_str()]).collect();
        AlikeNames {
            spellings,
            surnames: spellings.par_iter().map(|spelling| spelling.name.surname_key()).collect(),
            words: words.iter().map(number).collect(),
            lengths: all.iter().map(|word| word.len()).collect(),
            readings: spellings.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// How many spellings there are.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// The surname of a spelling, as it is compared.
    pub fn surname(&self, spelling: usize) -> &str {
        &self.surnames[spelling]
    }

    /// The numbers of the words of a spelling.
    pub fn words(&self, spelling: usize) -> &[u32] {
        &self.words[spelling]
    }

    /// The numbers of its words of so many letters or more.
    pub fn long_words(&self, spelling: usize, letters: usize) -> impl Iterator<Item = u32> {
        let words = self.words(spelling).iter().copied();
        words.filter(move |word| self.lengths[*word as usize] >= letters)
    }

    /// Whether two names may be one: in another transliteration or order, abbreviated, with another
    /// letter.
    pub fn may_be_one(&self, a: usize, b: usize) -> bool {
        self.are_near(a, b) || (self.share_a_word(a, b) && self.may_be_written(a, b))
    }

    /// Whether two spellings may be one name in another alphabet, transliteration or order.
    pub fn may_be_written(&self, a: usize, b: usize) -> bool {
        self.readings(a).may_be(self.readings(b))
    }

    fn readings(&self, spelling: usize) -> &Readings {
        self.readings[spelling].get_or_init(|| Readings::of(&self.spellings[spelling]))
    }

    fn share_a_word(&self, a: usize, b: usize) -> bool {
        self.words(a).iter().any(|word| self.words(b).contains(word))
    }

    /// Whether two surnames differ by a letter at most, and the given names may be one.
    fn are_near(&self, a: usize, b: usize) -> bool {
        let (mine, theirs) = (self.surname(a), self.surname(b));
        mine.len().min(theirs.len()) >= LONG_SURNAME
            && are_a_letter_apart(mine, theirs)
            && self.spellings[a].name.given_compatible(&self.spellings[b].name, true)
    }
}

/// The words of a spelling that are more than initials, as they sound.
fn words(spelling: &Spelling) -> Vec<String> {
    let words = spelling.name.surname.iter().chain(&spelling.name.given);
    words.filter(|word| word.len() > 2).map(|word| sound(word)).collect()
}

/// The names that a spelling may stand for, each with the sound of its surname.
#[derive(Debug)]
struct Readings(Vec<(String, PersonName)>);

impl Readings {
    fn of(spelling: &Spelling) -> Readings {
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
    fn may_be(&self, other: &Readings) -> bool {
        self.0.iter().filter(|(sound, _)| sound.len() > 2).any(|(sound, one)| {
            let others = other.0.iter().filter(|(other, _)| sound == other);
            others.into_iter().any(|(_, other)| one.given_compatible(other, true))
        })
    }
}

/// Whether two words differ by one letter at most.
pub(super) fn are_a_letter_apart(one: &str, other: &str) -> bool {
    if !one.is_ascii() || !other.is_ascii() {
        return strsim::levenshtein(one, other) <= 1;
    }
    let (short, long) = match one.len() <= other.len() {
        true => (one.as_bytes(), other.as_bytes()),
        false => (other.as_bytes(), one.as_bytes()),
    };
    let at_start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let at_end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    long.len() <= short.len() + 1 && at_start + at_end + 1 >= long.len()
}

/// How a word sounds, but for endings that transliterations and languages write differently.
fn sound(word: &str) -> String {
    let key = phonetic_key(word);
    key.strip_suffix('v').map(|stem| format!("{stem}f")).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_a_letter_apart_are_those_of_an_edit_distance_of_one() {
        let words =
            ["larsen", "larson", "larse", "alarsen", "larsenn", "lasren", "karpov", "", "a"];
        for one in words {
            for other in words {
                let distance = strsim::levenshtein(one, other);
                assert_eq!(super::are_a_letter_apart(one, other), distance <= 1, "{one} {other}");
            }
        }
    }
}
