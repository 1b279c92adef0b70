//! Finds similar surnames.

use std::hash::Hasher;

use rayon::prelude::*;
use rustc_hash::FxHasher;

/// Letters and sounds that transliterations write differently, in the order of replacement.
const SOUNDS: [(&str, &str); 13] = [
    ("dsch", "j"),
    ("tsch", "ch"),
    ("tch", "ch"),
    ("cz", "ch"),
    ("sch", "sh"),
    ("sz", "s"),
    ("tz", "z"),
    ("ts", "z"),
    ("kh", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("ks", "x"),
];

/// The shortest surname (letters) that may have a different letter.
///
/// Judged: many surnames of five letters differ in one and are two families' (`Bauer`, `Sauer`);
/// with eight, few surnames would be compared.
const LONG: usize = 6;

/// The shortest surname (letters) that may have a wrong letter if other evidence is strong.
///
/// Judged: a letter fewer adds many pairs of short surnames (`Hort`, `Horn`) that are two players.
const SHORT: usize = 5;

/// How similar two surnames are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SurnameSimilarity {
    /// They differ only in transliteration: `Kortschnoj` and `Korchnoi`.
    SameSound,
    /// They differ in a letter that stands for one sound of another language: `Arkhangelsky` and
    /// `Archangelsky`, `Ibragimov` and `Ibrahimov`.
    Transliterated,
    /// They differ in one letter.
    OneLetter,
    /// They are short and differ in one letter, as many surnames do.
    OneLetterOfFew,
}

/// Reduces a folded surname to the sounds that transliterations agree on.
pub(super) fn phonetic_key(surname: &str) -> String {
    let mut text = surname.to_owned();
    for (written, sound) in SOUNDS {
        if text.contains(written) {
            text = text.replace(written, sound);
        }
    }
    let mut key = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let sound = match letter {
            'y' | 'j' => 'i',
            'w' => 'v',
            'q' => 'k',
            'c' if letters.peek() != Some(&'h') => 'k',
            letter => letter,
        };
        if !key.ends_with(sound) {
            key.push(sound);
        }
    }
    key
}

/// Returns a phonetic key with one letter for those that write a breathed sound of other languages.
fn breathed(key: &str) -> String {
    key.replace("ch", "h").replace('g', "h")
}

/// Returns the positions of similar surnames in a list of different ones.
///
/// Each pair occurs once, smaller position first, in order.
pub(super) fn similar_surnames(surnames: &[&str]) -> Vec<(usize, usize, SurnameSimilarity)> {
    let keys: Vec<String> = surnames.par_iter().map(|surname| phonetic_key(surname)).collect();
    // Words that differ in one letter become equal if a letter of one or both is removed. A letter
    // may change the sound of its neighbours (`Barcza`, `Baroza`).
    let mut shortened: Vec<(u64, u32)> = (0..)
        .zip(keys.iter().zip(surnames))
        .par_bridge()
        .flat_map_iter(|(place, (key, surname))| {
            let mut hashes = vec![hash(key.as_bytes(), b"")];
            hashes.extend(hashes_without_a_letter(key));
            if key != surname {
                hashes.extend(hashes_without_a_letter(surname));
            }
            hashes.into_iter().map(move |hash| (hash, place))
        })
        .collect();
    shortened.par_sort_unstable();
    shortened.dedup();
    let mut found = Vec::new();
    for places in shortened.chunk_by(|a, b| a.0 == b.0).filter(|places| places.len() > 1) {
        for (number, &(_, a)) in places.iter().enumerate() {
            for &(_, b) in &places[number + 1..] {
                let (a, b) = (a.min(b) as usize, a.max(b) as usize);
                found.push((a, b));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    let judged = found.into_iter().filter_map(|(a, b)| {
        let found = similarity([surnames[a], surnames[b]], [&keys[a], &keys[b]])?;
        Some((a, b, found))
    });
    judged.collect()
}

/// Returns how similar two different surnames with these phonetic keys are; `None` if they are two
/// surnames.
pub(super) fn similarity(
    [one, other]: [&str; 2],
    [key, other_key]: [&str; 2],
) -> Option<SurnameSimilarity> {
    if key == other_key {
        Some(SurnameSimilarity::SameSound)
    } else if is_other_form(key, other_key)
        || (strsim::levenshtein(key, other_key) > 1 && strsim::levenshtein(one, other) > 1)
    {
        None
    } else if one.len().max(other.len()) < LONG {
        Some(SurnameSimilarity::OneLetterOfFew)
    } else if breathed(key) == breathed(other_key) {
        Some(SurnameSimilarity::Transliterated)
    } else {
        Some(SurnameSimilarity::OneLetter)
    }
}

/// Returns the hashes of a word without each of its letters; none if the word is short.
fn hashes_without_a_letter(word: &str) -> impl Iterator<Item = u64> {
    let letters = if word.len() < SHORT || !word.is_ascii() { 0 } else { word.len() };
    let word = word.as_bytes();
    (0..letters).map(|letter| hash(&word[..letter], &word[letter + 1..]))
}

/// Returns a hash of a word in two parts.
fn hash(first: &[u8], second: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    for &byte in first.iter().chain(second) {
        hasher.write_u8(byte);
    }
    hasher.finish()
}

/// Whether one surname is the women's form of the other (`Ivanova`) or another family's
/// (`Peterson`).
///
/// Then it is not another spelling.
fn is_other_form(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|end| matches!(end, "a" | "s"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transliterations_have_the_same_key() {
        for (a, b) in [
            ("kortschnoj", "korchnoi"),
            ("janowsky", "janowski"),
            ("nimzovich", "nimzowitsch"),
            ("tschigorin", "chigorin"),
            ("bogoljubow", "bogolyubov"),
            ("tartakower", "tartakover"),
            ("spielmann", "spielman"),
        ] {
            assert_eq!(phonetic_key(a), phonetic_key(b), "{a} and {b}");
        }
        assert_ne!(phonetic_key("lasker"), phonetic_key("laske"));
    }

    #[test]
    fn similar_pairs_are_found_once() {
        let names = [
            "anand",
            "anane",
            "hansen",
            "hanson",
            "ivanov",
            "ivanova",
            "janowski",
            "janowsky",
            "rubinshtein",
            "rubinstein",
        ];
        assert_eq!(
            similar_surnames(&names),
            [
                (0, 1, SurnameSimilarity::OneLetterOfFew),
                (2, 3, SurnameSimilarity::OneLetter),
                (6, 7, SurnameSimilarity::SameSound),
                (8, 9, SurnameSimilarity::OneLetter)
            ]
        );
    }

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
