//! The search index.
//!
//! Entries are numbered: first players and events, most important first, then years, terms of the
//! glossary and pairs of players. Files by the beginnings of words have the entries of each word,
//! files by the beginnings of titles those of a whole title, files of names the names of entries,
//! and files by first and last sounds similar words for misspellings. The files are scripts, not
//! JSON, since a page opened from a disk can load only scripts. They are small, since a reader on a
//! phone searches a large archive for a few words.

mod entries;
mod sound;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::pages::Site;
use super::pages::page::Entry;
use crate::script::json;
use entries::SearchIndex;
use sound::sound_of;

/// The largest file of words, in bytes. A larger beginning is split by its next letter. Judged:
/// such a file arrives between two keystrokes, and a query loads at most 60 kB; half the size would
/// double the number of files.
const LARGEST: usize = 12_000;

/// The number of entries that a split beginning itself has. Judged: more results than a reader
/// looks through before typing on.
const FIRST: usize = 60;

/// The length of the longest beginning with its own file. Judged: few names share more letters.
const LONGEST: usize = 12;

/// The largest number of entries for one word. Beyond it, the other words of a search decide.
/// Judged: only words such as `championship` have more.
const MOST: usize = 6000;

/// The number of names in the first file. Most results are among the most important entries, so one
/// file has their names. Measured: with it, and with an index that loads while the page is idle,
/// the first result of 14 queries took a median of 77 ms, before 149 ms (Chromium, files on a
/// disk).
const FIRST_NAMES: usize = 128;

/// The number of names in the files after it. Judged: ten results are in up to ten files, of which
/// a query should load at most 60 kB together.
const NAMES: usize = 32;

/// The number of files of [`NAMES`]. Judged: the entries that most searches mean.
const NEAR_FILES: usize = 128;

/// The number of names in every further file: a million games have 90,000 players and events, which
/// would be 2,800 files of [`NAMES`].
const FAR_NAMES: usize = 128;

/// The number of further entries that are in the order of their identifiers, so that bearers of one
/// name share a file. Judged: 64 files. The groups are in the order of importance.
const GROUP: usize = 64 * FAR_NAMES;

/// The largest number of words in a file of words by their sounds. Judged: about
/// [`LARGEST`] bytes.
const SOUNDS: usize = 1500;

/// The number of words up to which the files of several sounds are one. Judged: a query of a
/// misspelt name loads two such files.
const TOGETHER: usize = 1000;

/// The numbers of the entries of each word, ascending.
type Words = BTreeMap<String, Vec<u32>>;

/// Words by their first or last sounds.
type BySound<'a> = BTreeMap<String, Vec<&'a str>>;

/// The files in `search/`, by name: `index.js` lists the others, `s-` has words by their
/// beginnings, `t-` titles by theirs, `n-` names, `f-` and `e-` words by their first and last
/// sounds.
pub(super) fn search_files(site: &Site, present: &[&'static Entry]) -> Vec<(String, String)> {
    let index = SearchIndex::new(site, present);
    // The prefixes avoid `con.js` and `aux.js`, which are reserved on Windows.
    let (words, titles) = (word_files("s-", &index.words), word_files("t-", &index.titles));
    let (first, last) = sounds(&index.words);
    let mut written = vec![(
        "index.js".to_owned(),
        format!(
            "greatnessIndex({}, {}, {}, {}, {});\n",
            json(&beginnings(&words)),
            json(&beginnings(&titles)),
            index.others,
            json(&sounds_of(&first)),
            json(&sounds_of(&last))
        ),
    )];
    for (prefix, files) in [("s-", words), ("t-", titles)] {
        written.extend(files.into_iter().map(|(of, (_, text))| (format!("{prefix}{of}.js"), text)));
    }
    for (kind, all) in [("f", first), ("e", last)] {
        for (name, words) in all {
            let name = format!("{kind}-{name}");
            let text = format!("greatnessSounds({}, {});\n", json(&name), json(&words.join(" ")));
            written.push((format!("{name}.js"), text));
        }
    }
    let (top, rest) = index.entries.split_at(FIRST_NAMES.min(index.entries.len()));
    let (near, far) = rest.split_at(rest.len().min(NEAR_FILES * NAMES));
    let files = std::iter::once(top).chain(near.chunks(NAMES)).chain(far.chunks(FAR_NAMES));
    for (place, names) in files.enumerate() {
        written.push((
            format!("n-{place}.js"),
            format!("greatnessNames({place}, {});\n", json(&names)),
        ));
    }
    written
}

/// The files of words or titles, by their beginnings.
fn word_files(prefix: &str, words: &Words) -> WordFiles {
    let sorted: Vec<(&str, &[u32])> =
        words.iter().map(|(word, places)| (word.as_str(), places.as_slice())).collect();
    cut(prefix, &sorted, "")
}

/// The beginnings that have a file, with `*` after those whose file is complete.
fn beginnings(files: &WordFiles) -> String {
    let each =
        files.iter().map(|(of, (whole, _))| format!("{of}{}", if *whole { "*" } else { "" }));
    each.collect::<Vec<_>>().join(" ")
}

/// Ascending numbers as differences in base 36, separated by points; `+` at the end if some are
/// left out.
fn differences(places: &[u32]) -> String {
    let mut text = String::new();
    let mut before = 0;
    for place in places.iter().take(MOST) {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(&base_36(place - before));
        before = *place;
    }
    if places.len() > MOST {
        text.push('+');
    }
    text
}

fn base_36(number: u32) -> String {
    let mut text = if number >= 36 { base_36(number / 36) } else { String::new() };
    // A remainder of 36 is a digit of base 36.
    text.push(char::from_digit(number % 36, 36).expect("a digit"));
    text
}

/// The files of words by their beginnings: whether each is complete, and its text.
type WordFiles = BTreeMap<String, (bool, String)>;

/// Distributes words over files by their beginnings.
///
/// A complete file has all words of its beginning. Any other has the most important entries, and
/// the word that equals the beginning, such as the names Ma and Li.
fn cut(prefix: &str, words: &[(&str, &[u32])], beginning: &str) -> WordFiles {
    let letters = beginning.chars().count();
    let mut files = WordFiles::new();
    let name = format!("{prefix}{beginning}");
    let all = words_and_places(words);
    if all.len() <= LARGEST || letters >= LONGEST || words.len() == 1 {
        files.insert(beginning.to_owned(), (true, word_file(&name, &[], &all)));
        return files;
    }
    if letters > 0 {
        let first = most_important(words);
        // In alphabetical order the beginning itself precedes all longer words.
        let own = words.iter().take_while(|(word, _)| *word == beginning).count();
        let own = words_and_places(&words[..own]);
        files.insert(beginning.to_owned(), (false, word_file(&name, &first, &own)));
    }
    let mut rest = words;
    while let Some((word, _)) = rest.first() {
        if word.len() <= beginning.len() {
            rest = &rest[1..];
            continue;
        }
        let end = word.char_indices().nth(letters + 1).map_or(word.len(), |(at, _)| at);
        let next = &word[..end];
        let count = rest.partition_point(|(word, _)| *word < next || word.starts_with(next));
        files.extend(cut(prefix, &rest[..count], next));
        rest = &rest[count..];
    }
    files
}

/// The sounds by which words are filed, separated by spaces.
fn sounds_of(words: &BySound<'_>) -> String {
    words.keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Words, each followed by the numbers of its entries.
fn words_and_places(words: &[(&str, &[u32])]) -> String {
    let mut text = String::new();
    for (word, places) in words {
        let space = if text.is_empty() { "" } else { " " };
        // Writing to a string never fails.
        let _ = write!(text, "{space}{word} {}", differences(places));
    }
    text
}

/// The script of one beginning: its most important entries, and its words.
fn word_file(name: &str, first: &[u32], words: &str) -> String {
    let first = json(&differences(first));
    format!("greatnessWords({}, {first}, {});\n", json(&name), json(&words))
}

/// The most important entries of these words, in order.
fn most_important(words: &[(&str, &[u32])]) -> Vec<u32> {
    let mut first: BTreeSet<u32> = BTreeSet::new();
    for place in words.iter().flat_map(|(_, places)| places.iter().take(FIRST)) {
        first.insert(*place);
        if first.len() > FIRST {
            first.pop_last();
        }
    }
    first.into_iter().collect()
}

/// Whether a word is a number (`28th`, `xxii`), for which similar sounds mean nothing.
fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
        || word.bytes().all(|byte| b"ivxlc".contains(&byte))
}

/// Words by their first sounds and by their last, most important first.
fn sounds(words: &Words) -> (BySound<'_>, BySound<'_>) {
    let mut by_importance: Vec<(u32, &str)> = words
        .iter()
        .filter(|(word, _)| word.len() > 2 && !is_number(word))
        .filter_map(|(word, places)| Some((*places.first()?, word.as_str())))
        .collect();
    by_importance.sort_unstable();
    let sounded: Vec<(&str, String)> =
        by_importance.into_iter().map(|(_, word)| (word, sound_of(word))).collect();
    // Sounds are ASCII letters, so slices of bytes are safe.
    let first = by_sound(&sounded, |sound| &sound[..sound.len().min(2)]);
    let last = by_sound(&sounded, |sound| &sound[sound.len().saturating_sub(2)..]);
    (first, last)
}

/// Words by two sounds, or by the first of them, or all together, as far as they fit into a file.
fn by_sound<'a>(sounded: &[(&'a str, String)], two_of: impl Fn(&str) -> &str) -> BySound<'a> {
    let mut of_first: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, sound) in sounded {
        let two = two_of(sound);
        *of_first.entry(&two[..two.len().min(1)]).or_default() += 1;
    }
    let mut found = BySound::new();
    for (word, sound) in sounded {
        let two = two_of(sound);
        let one = &two[..two.len().min(1)];
        let key = match (sounded.len() <= TOGETHER, of_first[one] <= TOGETHER) {
            (true, _) => "",
            (false, true) => one,
            (false, false) => two,
        };
        let words: &mut Vec<&str> = found.entry(key.to_owned()).or_default();
        if words.len() < SOUNDS {
            words.push(word);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_with_too_many_words_are_split_without_loss() {
        let names: Vec<String> = (0..16_000).map(|n| format!("ma{n:04x}")).collect();
        let mut words: Vec<(&str, Vec<u32>)> =
            (0..).zip(&names).map(|(place, name)| (name.as_str(), vec![place])).collect();
        words.push(("ma", vec![15_999, 16_000]));
        words.sort();
        let words: Vec<(&str, &[u32])> =
            words.iter().map(|(word, places)| (*word, places.as_slice())).collect();
        let files = cut("s-", &words, "");
        assert!(!files["ma"].0, "too many for one file");
        assert!(files["ma"].1.contains("\"ma ccf.1\""), "Ma is in its own file: {}", files["ma"].1);
        for name in &names {
            let place = (1..=name.len()).rev().find(|end| files.contains_key(&name[..*end]));
            let (whole, text) = &files[&name[..place.expect("a file")]];
            assert!(*whole && text.contains(&format!("{name} ")), "{name}");
        }
        assert!(files.values().all(|(_, text)| text.len() < LARGEST + 200));
        assert!(files["ma"].1.starts_with("greatnessWords(\"s-ma\", "), "{}", files["ma"].1);
    }

    #[test]
    fn places_are_written_as_differences() {
        assert_eq!(differences(&[0, 35, 36, 1332]), "0.z.1.100");
        let many: Vec<u32> = (0..7000).collect();
        assert!(differences(&many).ends_with(".1+"));
    }

    #[test]
    fn json_is_safe_in_a_script() {
        assert_eq!(json(&"</script>\u{2028}\"\\"), "\"\\u003c/script>\\u2028\\\"\\\\\"");
    }
}
