//! Detects the encoding of a text that is not UTF-8 and has one byte per character.
//!
//! Each name is examined alone, because a file may combine sources with different encodings.
//! Cyrillic names are runs of high bytes. The crate chardetng by Henri Sivonen decides between
//! Windows-1251, code page 866 (DOS) and others. In Latin names high bytes stand alone. A name is
//! DOS if they are signs in Windows-1252 and letters in code page 850 (`S\x84misch`).

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, IBM866, KOI8_R, KOI8_U, WINDOWS_1251, WINDOWS_1252};
use oem_cp::code_table::DECODING_TABLE_CP850;

/// Length of a run of high bytes that no Latin name has. Judged: two accented letters may follow
/// each other, three do not.
const RUN: usize = 3;

/// An encoding with one byte per character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodePage {
    /// An encoding of the WHATWG Encoding Standard.
    Web(&'static Encoding),
    /// Code page 850 of DOS. The letters of code page 437 are the same.
    Dos850,
}

impl Default for CodePage {
    fn default() -> CodePage {
        CodePage::Web(WINDOWS_1252)
    }
}

impl CodePage {
    /// Detects the encoding of a text that is not UTF-8.
    pub fn detect(text: &[u8]) -> CodePage {
        let runs = text.chunk_by(|a, b| a.is_ascii() == b.is_ascii());
        let (mut high, mut in_runs) = (0, 0);
        for run in runs.filter(|run| !run[0].is_ascii()) {
            high += run.len();
            in_runs += if run.len() >= RUN { run.len() } else { 0 };
        }
        if in_runs > 0 && 2 * in_runs >= high {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(text, true);
            let guess = detector.guess(None, Utf8Detection::Deny);
            let is_cyrillic = [WINDOWS_1251, IBM866, KOI8_R, KOI8_U].contains(&guess);
            return CodePage::Web(if is_cyrillic { guess } else { WINDOWS_1251 });
        }
        // Count signs of Windows-1252 between letters. Apostrophes and dashes may occur there.
        let (mut signs, mut dos) = (0, 0);
        for three in text.windows(3) {
            let [before, byte, after] = three else { continue };
            if byte.is_ascii() || !before.is_ascii_alphabetic() || !after.is_ascii_alphabetic() {
                continue;
            }
            let decoded = WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(byte)).0;
            if !decoded.chars().all(char::is_alphabetic) {
                signs += 1;
                let letter = DECODING_TABLE_CP850[usize::from(byte - 0x80)];
                let is_punctuation = matches!(*byte, 0x92 | 0x96 | 0x97);
                dos += usize::from(!is_punctuation && *byte < 0xa8 && letter.is_alphabetic());
            }
        }
        if dos > 0 && dos == signs { CodePage::Dos850 } else { CodePage::default() }
    }

    /// Decodes bytes.
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
    use super::*;

    fn read(names: &[Vec<u8>]) -> Vec<String> {
        names.iter().map(|name| CodePage::detect(name).decode(name).into_owned()).collect()
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
    fn cyrillic_names_are_recognised_in_windows_and_in_dos() {
        for encoding in [WINDOWS_1251, IBM866] {
            assert_eq!(read(&written(&CYRILLIC, encoding)), CYRILLIC, "{}", encoding.name());
        }
    }

    #[test]
    fn western_names_are_windows_1252() {
        let names = ["Sämisch, Fritz", "Grünfeld, Ernst", "Bogotá", "Réti, Richard", "Malmö"];
        assert_eq!(read(&written(&names, WINDOWS_1252)), names);
        assert_eq!(read(&written(&names[..1], WINDOWS_1252)), names[..1]);
        let marks = [b"O\x92Kelly, A".to_vec(), b"Fischer\x96Spassky".to_vec()];
        assert_eq!(read(&marks), ["O’Kelly, A", "Fischer–Spassky"]);
    }

    #[test]
    fn german_names_in_dos_are_recognised() {
        let names = [b"S\x84misch, Fritz".to_vec(), b"Gr\x81nfeld, Ernst".to_vec()];
        assert_eq!(read(&names), ["Sämisch, Fritz", "Grünfeld, Ernst"]);
    }
}
