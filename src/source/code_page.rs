//! Which encoding of one byte a character a text has that is not UTF-8.
//!
//! Names tell it. Cyrillic ones are runs of high bytes, of Windows-1251, of DOS (code page 866) or another; which,
//! the detector of Henri Sivonen's chardetng says. In Latin names high bytes stand alone: those that are signs in
//! Windows-1252 and letters in code page 850 are DOS (`S\x84misch`), and for the Central European and Baltic
//! encodings there must be letters enough.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1257};
use oem_cp::code_table::DECODING_TABLE_CP850;

/// High bytes from which the detector is believed of Latin names.
const ENOUGH: usize = 12;

/// High bytes in a row that no Latin name has.
const RUN: usize = 3;

/// An encoding of one byte a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePage {
    /// One of the web's.
    Web(&'static Encoding),
    /// DOS in the west, code page 850 (and 437, as far as letters go).
    Dos850,
}

impl Default for CodePage {
    fn default() -> CodePage {
        CodePage::Web(WINDOWS_1252)
    }
}

impl CodePage {
    /// Told by texts that are not UTF-8.
    pub fn of<'a>(texts: impl Iterator<Item = &'a [u8]> + Clone) -> CodePage {
        let is_high = |byte: &u8| *byte >= 0x80;
        let has_run = |text: &&[u8]| {
            text.chunk_by(|a, b| (*a >= 0x80) == (*b >= 0x80))
                .any(|run| run.len() >= RUN && is_high(&run[0]))
        };
        let (all, in_runs) = (texts.clone().count(), texts.clone().filter(has_run).count());
        let high: usize =
            texts.clone().map(|text| text.iter().filter(|b| is_high(b)).count()).sum();
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        for text in texts.clone() {
            detector.feed(text, false);
            detector.feed(b" ", false);
        }
        detector.feed(b"", true);
        let guess = detector.guess(None, Utf8Detection::Deny);
        if 2 * in_runs >= all.max(1) {
            let is_latin = guess.name().starts_with("windows-1252")
                || guess == WINDOWS_1250
                || guess == WINDOWS_1257
                || !guess.is_single_byte();
            return CodePage::Web(if is_latin { WINDOWS_1251 } else { guess });
        }
        // Signs of Windows-1252 with letters on both sides.
        let (mut signs, mut dos) = (0, 0);
        for text in texts {
            for three in text.windows(3).filter(|three| {
                is_high(&three[1])
                    && three[0].is_ascii_alphabetic()
                    && three[2].is_ascii_alphabetic()
            }) {
                let meant = WINDOWS_1252.decode_without_bom_handling(&three[1..2]).0;
                if !meant.chars().all(char::is_alphabetic) {
                    signs += 1;
                    let letter = DECODING_TABLE_CP850[usize::from(three[1] - 0x80)];
                    dos += usize::from(three[1] < 0xa8 && letter.is_alphabetic());
                }
            }
        }
        if dos > 0 && 2 * dos > signs {
            return CodePage::Dos850;
        }
        let is_other = guess == WINDOWS_1250 || guess == WINDOWS_1257;
        match is_other && signs > 0 && high >= ENOUGH {
            true => CodePage::Web(guess),
            false => CodePage::default(),
        }
    }

    /// Its name: `windows-1251`.
    pub fn name(self) -> &'static str {
        match self {
            CodePage::Web(encoding) if encoding == WINDOWS_1252 => "Windows-1252",
            CodePage::Web(encoding) => encoding.name(),
            CodePage::Dos850 => "DOS (code page 850)",
        }
    }

    /// The text of some bytes.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            CodePage::Web(encoding) => encoding.decode_without_bom_handling(bytes).0,
            CodePage::Dos850 => bytes
                .iter()
                .map(|byte| match byte.checked_sub(0x80) {
                    Some(high) => DECODING_TABLE_CP850[usize::from(high)],
                    None => char::from(*byte),
                })
                .collect::<String>()
                .into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::IBM866;

    use super::*;

    fn read(names: &[Vec<u8>]) -> Vec<String> {
        let page = CodePage::of(names.iter().map(Vec::as_slice));
        names.iter().map(|name| page.decode(name).into_owned()).collect()
    }

    fn written(names: &[&str], encoding: &'static Encoding) -> Vec<Vec<u8>> {
        names.iter().map(|name| encoding.encode(name).0.into_owned()).collect()
    }

    const CYRILLIC: [&str; 6] = [
        "Стейниц, Вильгельм",
        "Чигорин, Михаил",
        "Ботвинник, Михаил",
        "Матч на первенство мира",
        "Гавана",
        "Москва",
    ];

    #[test]
    fn cyrillic_names_are_told_in_windows_and_in_dos() {
        for encoding in [WINDOWS_1251, IBM866] {
            assert_eq!(read(&written(&CYRILLIC, encoding)), CYRILLIC, "{}", encoding.name());
        }
    }

    #[test]
    fn western_names_stay_what_they_are() {
        let names = ["Sämisch, Fritz", "Grünfeld, Ernst", "Bogotá", "Réti, Richard", "Malmö"];
        assert_eq!(read(&written(&names, WINDOWS_1252)), names);
        assert_eq!(read(&written(&names[..1], WINDOWS_1252)), names[..1]);
    }

    #[test]
    fn german_names_of_dos_are_told() {
        let names = [b"S\x84misch, Fritz".to_vec(), b"Gr\x81nfeld, Ernst".to_vec()];
        assert_eq!(read(&names), ["Sämisch, Fritz", "Grünfeld, Ernst"]);
    }
}
