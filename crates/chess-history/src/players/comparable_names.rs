//! Compares names that may be two spellings of one player's name.

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::name::PersonName;
use super::similarity::phonetic_key;
use super::spelling::Spelling;

/// The shortest surname (letters) that may have one wrong letter.
///
/// Judged: most surnames of four letters have a neighbour that is another surname (`Hall`, `Hill`).
/// Twice as many letters would exclude most surnames.
const LONG_SURNAME: usize = 5;

/// The shortest surname (letters) that may have two wrong letters.
///
/// Judged: at most one letter in four may be wrong. With half as many letters, half of the surname
/// could be.
const LONG_FOR_TWO: usize = 8;

/// The number of texts of a spelling that are read.
///
/// Judged: texts of one spelling differ only in capitals, diacritics and punctuation, apart from
/// aliases, so that more texts add few readings. Reading them takes time.
const READ_TEXTS: usize = 4;

/// All spellings, prepared for comparing any two of them.
pub(super) struct ComparableNames<'a> {
    spellings: &'a [Spelling],
    surnames: Vec<String>,
    /// The phonetic words of each spelling, numbered in alphabetical order.
    words: Vec<Vec<u32>>,
    /// The length (letters) of each word by its number.
    lengths: Vec<usize>,
    /// The readings of each spelling, computed on demand because few are needed.
    readings: Vec<OnceLock<Readings>>,
}

impl<'a> ComparableNames<'a> {
    pub fn new(spellings: &'a [Spelling]) -> ComparableNames<'a> {
        let words: Vec<Vec<String>> = spellings.par_iter().map(words).collect();
        let mut all: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
        all.par_sort_unstable();
        all.dedup();
        let numbers: FxHashMap<&str, u32> = all.iter().copied().zip(0..).collect();
        ComparableNames {
            spellings,
            surnames: spellings.par_iter().map(|spelling| spelling.name.surname_key()).collect(),
            words: words
                .iter()
                .map(|words| words.iter().map(|word| numbers[word.as_str()]).collect())
                .collect(),
            lengths: all.iter().map(|word| word.len()).collect(),
            readings: spellings.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the number of spellings.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Returns the surname of a spelling in the form that is compared.
    pub fn surname(&self, spelling: usize) -> &str {
        &self.surnames[spelling]
    }

    /// Returns the numbers of the words of a spelling.
    pub fn words(&self, spelling: usize) -> &[u32] {
        &self.words[spelling]
    }

    /// Returns the numbers of the words of a spelling that have at least this many letters.
    pub fn long_words(&self, spelling: usize, letters: usize) -> impl Iterator<Item = u32> {
        let words = self.words(spelling).iter().copied();
        words.filter(move |word| self.lengths[*word as usize] >= letters)
    }

    /// Whether two names are so similar that they may be one: transliterated, reordered,
    /// abbreviated or with a wrong letter.
    pub fn are_similar(&self, a: usize, b: usize) -> bool {
        if self.surnames_are_a_letter_apart(a, b) {
            return true;
        }
        // `Kluger Gyula` and `Klugtr, Gyula` are a letter apart only if the words are exchanged.
        self.share_a_word(a, b)
            && (self.sound_the_same(a, b)
                || self.readings(a).may_be_misspelt(self.readings(b), are_a_letter_apart))
    }

    /// Whether both names may be misspelt, each in another letter.
    pub fn may_both_be_misspelt(&self, a: usize, b: usize) -> bool {
        let (mine, theirs) = (self.surname(a), self.surname(b));
        (have_two_wrong_letters(mine, theirs) && self.have_compatible_given_names(a, b))
            || (self.share_a_word(a, b)
                && self.readings(a).may_be_misspelt(self.readings(b), have_two_wrong_letters))
    }

    /// Whether two spellings may be one name in two alphabets, transliterations or orders.
    pub fn sound_the_same(&self, a: usize, b: usize) -> bool {
        let (mine, theirs) = (&self.readings(a).names, &self.readings(b).names);
        mine.iter().filter(|(sound, _)| sound.len() > 2).any(|(sound, one)| {
            theirs.iter().any(|(same, other)| sound == same && one.given_compatible(other, true))
        })
    }

    fn readings(&self, spelling: usize) -> &Readings {
        self.readings[spelling].get_or_init(|| Readings::from_spelling(&self.spellings[spelling]))
    }

    fn share_a_word(&self, a: usize, b: usize) -> bool {
        self.words(a).iter().any(|word| self.words(b).contains(word))
    }

    /// Whether two surnames differ by at most one letter and the given names are compatible.
    fn surnames_are_a_letter_apart(&self, a: usize, b: usize) -> bool {
        if is_surname_with_wrong_letter(self.surname(a), self.surname(b))
            && self.have_compatible_given_names(a, b)
        {
            return true;
        }
        // An alias may give one of them several names.
        let [mine, theirs] = [a, b].map(|one| self.spellings[one].names());
        let pairs = mine.flat_map(|mine| theirs.clone().map(move |theirs| (mine, theirs)));
        pairs.skip(1).any(|(mine, theirs)| {
            is_surname_with_wrong_letter(&mine.surname_key(), &theirs.surname_key())
                && mine.given_compatible(theirs, true)
        })
    }

    fn have_compatible_given_names(&self, a: usize, b: usize) -> bool {
        self.spellings[a].name.given_compatible(&self.spellings[b].name, true)
    }
}

/// Returns the phonetic words of a spelling, without initials.
fn words(spelling: &Spelling) -> Vec<String> {
    let words = spelling.name.surname.iter().chain(&spelling.name.given);
    words.filter(|word| word.len() > 2).map(|word| sound(word)).collect()
}

/// The names that a spelling may stand for, each with its phonetic surname.
#[derive(Debug)]
struct Readings {
    names: Vec<(String, PersonName)>,
    /// The number of names, at the beginning, that do not contradict a comma.
    as_written: usize,
    /// Whether a text has no comma, which would show the surname.
    has_no_comma: bool,
}

impl Readings {
    fn from_spelling(spelling: &Spelling) -> Readings {
        let (mut with_comma, mut names) = (Vec::new(), Vec::new());
        let mut has_no_comma = false;
        for (_, text) in spelling.texts.iter().take(READ_TEXTS) {
            if text.contains(',') {
                with_comma.push(PersonName::parse(text));
            } else {
                names.extend(PersonName::readings(text));
                has_no_comma = true;
            }
        }
        names.extend(exchange_names(&names));
        // `Emanuel, Lasker`.
        let exchanged = exchange_names(&with_comma);
        names.extend(with_comma);
        let as_written = names.len();
        names.extend(exchanged);
        let names = names.into_iter().map(|name| (sound(&name.surname_key()), name)).collect();
        Readings { names, as_written, has_no_comma }
    }

    /// Returns the surnames that may have a wrong letter, each with the name.
    fn long_surnames(&self) -> Vec<(String, &PersonName)> {
        let names = self.names[..self.as_written].iter();
        let named = names.map(|(_, name)| (name.surname_key(), name));
        named.filter(|(surname, _)| surname.len() >= LONG_SURNAME).collect()
    }

    /// Whether two spellings, of which one has no comma, may be one name with a misspelt surname.
    ///
    /// `is_misspelt` decides whether one surname may be the other with wrong letters.
    fn may_be_misspelt(&self, other: &Readings, is_misspelt: impl Fn(&str, &str) -> bool) -> bool {
        if !self.has_no_comma && !other.has_no_comma {
            return false;
        }
        let theirs = other.long_surnames();
        self.long_surnames().iter().any(|(surname, one)| {
            theirs.iter().any(|(theirs, other)| {
                is_misspelt(surname, theirs) && one.given_compatible(other, true)
            })
        })
    }
}

/// Returns the names with the surname and the given names exchanged, if there are both.
///
/// `Jr` stays with the given names.
fn exchange_names(names: &[PersonName]) -> Vec<PersonName> {
    let mut exchanged = Vec::new();
    for name in names {
        let (suffix, surname): (Vec<String>, Vec<String>) =
            name.given.iter().cloned().partition(|word| matches!(word.as_str(), "sr" | "jr"));
        if !surname.is_empty() {
            exchanged.push(PersonName { surname, given: [name.surname.clone(), suffix].concat() });
        }
    }
    exchanged
}

/// Whether one surname may be the other with one wrong letter: both are long, and at most one
/// letter differs.
fn is_surname_with_wrong_letter(one: &str, other: &str) -> bool {
    one.len().min(other.len()) >= LONG_SURNAME && are_a_letter_apart(one, other)
}

/// Whether two words differ by at most one letter.
pub(super) fn are_a_letter_apart(one: &str, other: &str) -> bool {
    if !one.is_ascii() || !other.is_ascii() {
        return strsim::levenshtein(one, other) <= 1;
    }
    let (short, long) = if one.len() <= other.len() {
        (one.as_bytes(), other.as_bytes())
    } else {
        (other.as_bytes(), one.as_bytes())
    };
    if long.len() > short.len() + 1 {
        return false;
    }
    let at_start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let at_end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    at_start + at_end + 1 >= long.len()
}

/// Whether two long words of the same length differ by two letters.
fn have_two_wrong_letters(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one.len() >= LONG_FOR_TWO
        && one.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count() == 2
}

/// Returns the phonetic form of a word, with one form for endings that languages write differently.
fn sound(word: &str) -> String {
    let key = phonetic_key(word);
    key.strip_suffix('v').map(|stem| format!("{stem}f")).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_a_letter_apart_have_an_edit_distance_of_at_most_one() {
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
