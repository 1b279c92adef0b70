//! Detects the encodings of texts that are not UTF-8 and have one byte per character.
//!
//! All texts of a file decide together. A file has at most two encodings: one for words whose
//! letters are all beyond ASCII (Cyrillic, Greek), and one for words with some such letters
//! (`S\x84misch`). So a file that combines a Russian source with a Czech one keeps the names of
//! both.
//!
//! For Latin letters three kinds of evidence count: words that are names of known players, signs
//! where a letter is expected, and the frequencies of letters, which the crate chardetng by Henri
//! Sivonen compares.

use std::borrow::Cow;
use std::sync::LazyLock;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, ISO_8859_5, ISO_8859_7, KOI8_R, KOI8_U, MACINTOSH, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
};
use oem_cp::code_table::{DECODING_TABLE_CP850, DECODING_TABLE_CP852};
use rustc_hash::FxHashSet;

/// An encoding with one byte per character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodePage {
    /// An encoding of the WHATWG Encoding Standard.
    Web(&'static Encoding),
    /// A code page of DOS, with its number and the characters from 128 on. The letters of code page
    /// 437 are those of 850.
    Dos(u16, &'static [char; 128]),
}

impl CodePage {
    /// Those for Latin letters. Among equally good ones the first is chosen.
    const LATIN: [CodePage; 8] = [
        CodePage::Web(WINDOWS_1252),
        CodePage::Web(WINDOWS_1250),
        CodePage::Web(ISO_8859_2),
        CodePage::Web(WINDOWS_1254),
        CodePage::Web(WINDOWS_1257),
        CodePage::Dos(850, &DECODING_TABLE_CP850),
        CodePage::Dos(852, &DECODING_TABLE_CP852),
        CodePage::Web(MACINTOSH),
    ];

    /// Decodes bytes.
    fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            CodePage::Web(encoding) => encoding.decode_without_bom_handling(bytes).0,
            CodePage::Dos(_, letters) => bytes
                .iter()
                .map(|byte| match byte.checked_sub(0x80) {
                    Some(high) => letters[usize::from(high)],
                    None => char::from(*byte),
                })
                .collect::<String>()
                .into(),
        }
    }

    fn name(self) -> String {
        match self {
            CodePage::Web(encoding) => encoding.name().to_owned(),
            CodePage::Dos(number, _) => format!("code page {number}"),
        }
    }
}

/// The encodings of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodePages {
    /// For texts with Latin letters.
    latin: CodePage,
    /// For texts in another script; `None` if there are none.
    other: Option<CodePage>,
    has_latin: bool,
}

impl CodePages {
    /// Chooses the encodings of texts that are not UTF-8.
    pub fn choose<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> CodePages {
        let (mut latin, mut other) = (Vec::new(), Vec::new());
        for text in texts {
            let all = if is_of_other_script(text) { &mut other } else { &mut latin };
            all.extend_from_slice(text);
            all.push(b'\n');
        }
        CodePages {
            latin: latin_page(&latin),
            other: (!other.is_empty()).then(|| page_of_other_script(&other)),
            has_latin: !latin.is_empty(),
        }
    }

    /// Decodes a text.
    pub fn decode<'t>(&self, text: &'t [u8]) -> Cow<'t, str> {
        match self.other {
            Some(other) if is_of_other_script(text) => other.decode(text),
            _ => self.latin.decode(text),
        }
    }

    /// Returns the names of the encodings, for messages.
    pub fn names(&self) -> String {
        match self.other {
            Some(other) if self.has_latin => {
                format!("{} and {}", self.latin.name(), other.name())
            }
            Some(other) => other.name(),
            None => self.latin.name(),
        }
    }
}

/// Splits a text into words: runs of ASCII letters and of bytes beyond ASCII.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    text.split(move |byte| !is_letter(byte)).filter(|word| !word.is_ascii())
}

/// Returns whether most bytes beyond ASCII are in words that have no ASCII letter. A Polish name
/// such as `Żółtek` has three in a row, but also others.
fn is_of_other_script(text: &[u8]) -> bool {
    let (mut alone, mut all) = (0, 0);
    for word in words(text) {
        let high = word.iter().filter(|byte| !byte.is_ascii()).count();
        all += high;
        if high == word.len() && high > 1 {
            alone += high;
        }
    }
    alone > 0 && 2 * alone >= all
}

/// Bytes from which Greek is considered. Judged: in a few words its letters are as frequent as
/// those of Cyrillic names, which are far more common.
const ENOUGH_FOR_GREEK: usize = 60;

fn page_of_other_script(text: &[u8]) -> CodePage {
    let guess = guess(text);
    let is_cyrillic = [WINDOWS_1251, IBM866, KOI8_R, KOI8_U, ISO_8859_5].contains(&guess);
    let is_greek = [WINDOWS_1253, ISO_8859_7].contains(&guess) && text.len() >= ENOUGH_FOR_GREEK;
    CodePage::Web(if is_cyrillic || is_greek { guess } else { WINDOWS_1251 })
}

/// Returns the encoding that the frequencies of letters suggest.
fn guess(text: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(text, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Weights of the evidence for a code page. Judged: a known name hardly arises by chance, a sign
/// within a word may be a misprint, and the frequencies of letters decide where nothing else does.
const KNOWN_NAME: i64 = 3;
const STRANGE_WORD: i64 = -2;
const FREQUENCIES: i64 = 1;

/// Most words that are examined. Judged: the evidence of a hundred names is overwhelming.
const MOST_WORDS: usize = 5000;

/// Chooses the code page for Latin letters.
fn latin_page(text: &[u8]) -> CodePage {
    let mut distinct: FxHashSet<&[u8]> = FxHashSet::default();
    let examined: Vec<&[u8]> =
        words(text).filter(|word| distinct.insert(word)).take(MOST_WORDS).collect();
    if examined.is_empty() {
        return CodePage::LATIN[0];
    }
    let guess = CodePage::Web(guess(text));
    let mut best = (i64::MIN, CodePage::LATIN[0]);
    for page in CodePage::LATIN {
        let mut score = if page == guess { FREQUENCIES } else { 0 };
        for word in &examined {
            let word = page.decode(word);
            if KNOWN_WORDS.contains(word.to_lowercase().as_str()) {
                score += KNOWN_NAME;
            } else if is_strange(&word) {
                score += STRANGE_WORD;
            }
        }
        if score > best.0 {
            best = (score, page);
        }
    }
    best.1
}

/// Returns whether a decoded word is none: it has a sign between letters, or a capital after a
/// small letter.
fn is_strange(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let is_small = |place: usize| chars.get(place).is_some_and(|c| c.is_lowercase());
    let is_letter = |place: usize| chars.get(place).is_some_and(|c| c.is_alphabetic());
    chars.iter().enumerate().any(|(place, c)| {
        let follows_letter = place > 0 && is_letter(place - 1);
        match c {
            '’' | '‘' | '´' | '–' | '—' => false,
            '“' | '”' | '„' | '«' | '»' => follows_letter && is_letter(place + 1),
            // A space that does not break may be between two words.
            '\u{a0}' => follows_letter && is_small(place + 1),
            c if c.is_alphabetic() => c.is_uppercase() && place > 0 && is_small(place - 1),
            _ => true,
        }
    })
}

/// The words of the names of known players that have letters beyond ASCII, in lower case.
static KNOWN_WORDS: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
    const NAMES: &str = include_str!("../../../../data/players/names.csv");
    let words = NAMES.lines().skip(1).flat_map(|line| line.split(|c: char| !c.is_alphabetic()));
    words.filter(|word| !word.is_ascii()).map(str::to_lowercase).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[Vec<u8>]) -> Vec<String> {
        let pages = CodePages::choose(names.iter().map(Vec::as_slice));
        names.iter().map(|name| pages.decode(name).into_owned()).collect()
    }

    fn written(names: &[&str], encoding: &'static Encoding) -> Vec<Vec<u8>> {
        names.iter().map(|name| encoding.encode(name).0.into_owned()).collect()
    }

    fn in_dos(names: &[&str], letters: &[char; 128]) -> Vec<Vec<u8>> {
        let byte = |c: char| match letters.iter().position(|letter| *letter == c) {
            Some(place) => 0x80 + place as u8,
            None => c as u8,
        };
        names.iter().map(|name| name.chars().map(byte).collect()).collect()
    }

    const CYRILLIC: [&str; 6] = [
        "Стейниц, Вильгельм",
        "Чигорин, Михаил",
        "Ботвинник, Михаил",
        "Матч на первенство мира",
        "Гавана",
        "Москва",
    ];

    const WESTERN: [&str; 5] =
        ["Sämisch, Fritz", "Grünfeld, Ernst", "Bogotá", "Réti, Richard", "Malmö"];

    const CZECH: [&str; 6] = [
        "Novák, Jiří",
        "Žák, Vítězslav",
        "Černý, Luděk",
        "Dvořák, Šimon",
        "Říha, Ondřej",
        "Třebíč",
    ];

    const POLISH: [&str; 4] = ["Żółtek, Łukasz", "Wróbel, Mścisław", "Gołębiewski, Józef", "Łódź"];

    const HUNGARIAN: [&str; 4] = ["Szabó, László", "Erdős, Győző", "Tóth, Ödön", "Székesfehérvár"];

    #[test]
    fn cyrillic_names_are_recognised_in_windows_and_in_dos() {
        for encoding in [WINDOWS_1251, IBM866, KOI8_R] {
            assert_eq!(read(&written(&CYRILLIC, encoding)), CYRILLIC, "{}", encoding.name());
        }
        for name in CYRILLIC {
            assert_eq!(read(&written(&[name], WINDOWS_1251)), [name]);
        }
    }

    #[test]
    fn western_names_are_windows_1252() {
        assert_eq!(read(&written(&WESTERN, WINDOWS_1252)), WESTERN);
        for name in WESTERN {
            assert_eq!(read(&written(&[name], WINDOWS_1252)), [name]);
        }
        let marks = [b"O\x92Kelly, A".to_vec(), b"Fischer\x96Spassky".to_vec()];
        assert_eq!(read(&marks), ["O’Kelly, A", "Fischer–Spassky"]);
        let quoted = [b"London \x93Immortal\x94 game".to_vec(), b"Carlsen,\xa0Magnus".to_vec()];
        assert_eq!(read(&quoted), ["London “Immortal” game", "Carlsen,\u{a0}Magnus"]);
        let northern = ["Skåre, Bjørn", "Þórhallsson", "Muñoz", "Çelik"];
        assert_eq!(read(&written(&northern, WINDOWS_1252)), northern);
    }

    #[test]
    fn central_european_names_are_recognised_in_windows_on_the_web_and_in_dos() {
        for names in [&CZECH[..], &POLISH, &HUNGARIAN] {
            for encoding in [WINDOWS_1250, ISO_8859_2] {
                assert_eq!(read(&written(names, encoding)), names, "{}", encoding.name());
            }
            assert_eq!(read(&in_dos(names, &DECODING_TABLE_CP852)), names, "DOS");
        }
    }

    #[test]
    fn german_names_in_dos_and_on_the_macintosh_are_recognised() {
        let names = &WESTERN[..2];
        assert_eq!(read(&in_dos(names, &DECODING_TABLE_CP850)), names);
        assert_eq!(read(&[vec![b'S', 0x8a, b'm'], b"Gr\x9fnfeld".to_vec()])[1], "Grünfeld");
    }

    #[test]
    fn a_file_may_combine_a_cyrillic_and_a_latin_source() {
        let mut names = written(&CYRILLIC, WINDOWS_1251);
        names.extend(written(&CZECH, WINDOWS_1250));
        assert_eq!(read(&names), [&CYRILLIC[..], &CZECH].concat());
        let pages = CodePages::choose(names.iter().map(Vec::as_slice));
        assert_eq!(pages.names(), "windows-1250 and windows-1251");
    }
}
