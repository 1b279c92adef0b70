//! Finds given names that may be spellings of each other, without comparing all with all.

use rustc_hash::FxHashMap;

use super::name::loosened;
use crate::games::lexicon::given_names_of;

/// The number of given names from which only similar ones are compared, not all with all. It
/// changes the time alone, not what is found.
///
/// Judged: with as many, comparing all takes about as long as an index.
pub(super) const LARGE: usize = 100;

/// The given names of many spellings. It finds all spellings whose given names
/// [`match_given_names`](super::evidence::name::match_given_names) accepts, and some others.
#[derive(Debug, Default)]
pub(super) struct GivenNameIndex {
    /// The words, [loosened], with the number of their spelling, in order.
    words: Vec<(String, u32)>,
    /// The names for which short forms stand, loosened, in order.
    meanings: Vec<(String, u32)>,
    /// The first words, and the same without one of their letters.
    with_a_letter_less: FxHashMap<String, Vec<u32>>,
}

impl GivenNameIndex {
    /// Adds a spelling with its given names.
    pub fn add(&mut self, spelling: u32, given: &[String]) {
        for word in words(given) {
            for meaning in given_names_of(&word) {
                self.meanings.push((loosened(meaning).collect(), spelling));
            }
            self.words.push((loosened(&word).collect(), spelling));
        }
        for shortened in given.first().into_iter().flat_map(|word| with_a_letter_less(word)) {
            self.with_a_letter_less.entry(shortened).or_default().push(spelling);
        }
    }

    /// Puts the index into order. Call it before [`similar`](GivenNameIndex::similar).
    pub fn sort(&mut self) {
        self.words.sort_unstable();
        self.words.dedup();
        self.meanings.sort_unstable();
        self.meanings.dedup();
    }

    /// Returns the spellings whose given names may be the same, in order.
    pub fn similar(&self, given: &[String]) -> Vec<u32> {
        let mut found = Vec::new();
        for word in words(given) {
            let own: String = loosened(&word).collect();
            found.extend(beginning_with(&self.words, &own));
            for meaning in given_names_of(&word) {
                let meaning: String = loosened(meaning).collect();
                found.extend(beginning_with(&self.words, &meaning));
            }
            for (end, letter) in own.char_indices() {
                let beginning = &own[..end + letter.len_utf8()];
                found.extend(equal_to(&self.words, beginning));
                found.extend(equal_to(&self.meanings, beginning));
            }
        }
        for shortened in given.first().into_iter().flat_map(|word| with_a_letter_less(word)) {
            found.extend(self.with_a_letter_less.get(&shortened).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The words by which given names are compared: the first, further ones that are no initials, and
/// all of them written as one.
fn words(given: &[String]) -> impl Iterator<Item = String> + '_ {
    let further = given.iter().skip(1).filter(|word| word.len() > 2).cloned();
    let as_one = (given.len() > 1).then(|| given.concat());
    given.first().cloned().into_iter().chain(further).chain(as_one)
}

/// A word, and what remains of it without each of its letters. Words of one letter more, of one
/// letter less, or with another letter have one of these in common.
fn with_a_letter_less(word: &str) -> impl Iterator<Item = String> + '_ {
    let shortened = word
        .char_indices()
        .map(|(start, letter)| format!("{}{}", &word[..start], &word[start + letter.len_utf8()..]));
    std::iter::once(word.to_owned()).chain(shortened)
}

/// The spellings of the words that begin with a text.
fn beginning_with<'a>(words: &'a [(String, u32)], text: &'a str) -> impl Iterator<Item = u32> + 'a {
    let start = words.partition_point(|(word, _)| word.as_str() < text);
    let all = words[start..].iter().take_while(move |(word, _)| word.starts_with(text));
    all.map(|(_, spelling)| *spelling)
}

/// The spellings of the words that are equal to a text.
fn equal_to<'a>(words: &'a [(String, u32)], text: &'a str) -> impl Iterator<Item = u32> + 'a {
    let start = words.partition_point(|(word, _)| word.as_str() < text);
    let all = words[start..].iter().take_while(move |(word, _)| word == text);
    all.map(|(_, spelling)| *spelling)
}

#[cfg(test)]
mod tests {
    use super::super::evidence::name::match_given_names;
    use super::*;

    /// Names with other spellings, short forms, initials, second names, and slips of each kind.
    const NAMES: [&str; 36] = [
        "j",
        "jo",
        "johann",
        "johannes",
        "john",
        "jon",
        "jonh",
        "jack",
        "jury",
        "yuri",
        "iurii",
        "bob",
        "robert",
        "rob",
        "roberto",
        "r",
        "robret",
        "viktor",
        "victor",
        "wiktor",
        "vik",
        "xiang zhi",
        "xiangzhi",
        "xiang",
        "lars bo",
        "lars b",
        "bo",
        "ann melanie",
        "melanie",
        "aaron",
        "aron",
        "alexander",
        "sasha",
        "alex",
        "aleksandr",
        "m",
    ];

    fn given(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn all_names_that_may_be_one_are_found() {
        let mut texts: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
        for name in NAMES {
            texts.extend(with_a_letter_less(name).filter(|name| !name.trim().is_empty()));
            texts.extend(name.char_indices().map(|(place, letter)| {
                format!("{}k{}", &name[..place], &name[place + letter.len_utf8()..])
            }));
        }
        texts.retain(|text| text.split(' ').all(|word| !word.is_empty()));
        texts.sort();
        texts.dedup();
        let all: Vec<Vec<String>> = texts.iter().map(|text| given(text)).collect();
        let mut index = GivenNameIndex::default();
        for (number, name) in (0..).zip(&all) {
            index.add(number, name);
        }
        index.sort();
        let mut accepted = 0;
        for one in &all {
            let found = index.similar(one);
            for (number, other) in (0..).zip(&all) {
                if match_given_names(one, other).is_some() {
                    accepted += 1;
                    assert!(found.binary_search(&number).is_ok(), "{one:?} {other:?}");
                }
            }
        }
        assert!(accepted > 3 * all.len(), "{accepted}");
    }

    #[test]
    fn different_names_are_not_found() {
        let mut index = GivenNameIndex::default();
        for (number, name) in (0..).zip(["donald", "robert", "michael"]) {
            index.add(number, &given(name));
        }
        index.sort();
        assert_eq!(index.similar(&given("robert")), [1]);
        assert_eq!(index.similar(&given("bob")), [1]);
        assert!(index.similar(&given("garry")).is_empty());
    }
}
