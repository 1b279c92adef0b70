//! Texts from outside, without the characters that none may have.
//!
//! What a message, a table, a page or a picture shows of an input is one of these types, or is in a
//! [`NameTable`](crate::games::NameTable), which takes only clean names. They can be made in no
//! other way than by cleaning, also when they are deserialised.

use std::borrow::Borrow;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Longest name that is kept (bytes). The PGN standard (section 4.3) limits lines to 255
/// characters.
pub const LONGEST_NAME: usize = 250;

/// Bytes of a text from which a name is made. Judged: cleaning rarely removes any byte, so the
/// beginning almost always holds a whole name.
const LONGEST_READ: usize = 16 * LONGEST_NAME;

/// Returns whether a character is invisible or changes the direction of the text around it.
///
/// Noncharacters count as invisible, because XML must not contain them.
fn is_invisible(c: char) -> bool {
    let is_noncharacter = u32::from(c) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c);
    is_noncharacter
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// A name from outside: one line of at most [`LONGEST_NAME`] bytes.
///
/// White space is folded. Control characters and invisible characters are removed, among them those
/// that change the direction of the text. What is longer is cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct CleanName(String);

/// A text of several lines from outside.
///
/// Control characters and invisible characters are removed, except line feeds and tabs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct CleanText(String);

impl CleanName {
    /// Cleans a text.
    pub fn new(text: &str) -> CleanName {
        if CleanName::is_clean(text.as_bytes()) {
            return CleanName(text.to_owned());
        }
        // Cleaning a text of megabytes would cost time, and only its beginning can be kept.
        let read = &text[..text.floor_char_boundary(LONGEST_READ)];
        let visible: String = read.chars().filter(|c| !is_invisible(*c)).collect();
        let words = visible.split(|c: char| c.is_whitespace() || c.is_control());
        let mut name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        name.truncate(name.floor_char_boundary(LONGEST_NAME));
        name.truncate(name.trim_end().len());
        CleanName(name)
    }

    /// Returns whether a text needs no cleaning. Of texts with other characters than those of ASCII
    /// it says no.
    pub(crate) fn is_clean(text: &[u8]) -> bool {
        let mut before = b' ';
        let is_folded = text.iter().all(|&byte| {
            let is_second_space = byte == b' ' && before == b' ';
            before = byte;
            matches!(byte, b' '..=b'~') && !is_second_space
        });
        text.len() <= LONGEST_NAME && is_folded && (before != b' ' || text.is_empty())
    }
}

impl CleanText {
    /// Cleans a text.
    pub fn new(text: impl Into<String>) -> CleanText {
        fn is_hidden(c: char) -> bool {
            is_invisible(c) || (c.is_control() && !matches!(c, '\n' | '\t'))
        }
        let text = text.into();
        CleanText(if text.contains(is_hidden) { text.replace(is_hidden, "") } else { text })
    }
}

/// Returns a path without control characters and invisible ones, as messages and pages show it.
pub(super) fn clean_path(path: Arc<str>) -> Arc<str> {
    if path.is_ascii() && !path.contains(char::is_control) {
        return path;
    }
    path.chars().filter(|c| !c.is_control() && !is_invisible(*c)).collect::<String>().into()
}

/// What both types share: they are read like `&str`.
macro_rules! read_as_str {
    ($text:ident) => {
        impl $text {
            /// Returns the cleaned text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $text {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $text {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $text {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl Borrow<str> for $text {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $text {
            fn from(text: &str) -> $text {
                $text::new(text)
            }
        }

        impl From<String> for $text {
            fn from(text: String) -> $text {
                $text::new(&*text)
            }
        }

        impl From<$text> for String {
            fn from(text: $text) -> String {
                text.0
            }
        }

        impl Display for $text {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.pad(self)
            }
        }
    };
}

read_as_str!(CleanName);
read_as_str!(CleanText);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_cleaned_and_cut() {
        assert_eq!(&*CleanName::new(" Nimzowitsch,\t Aaron \u{7}"), "Nimzowitsch, Aaron");
        assert_eq!(&*CleanName::new("\u{202e}Tal, Mi\u{200b}hail\u{2066}"), "Tal, Mihail");
        assert_eq!(&*CleanName::new("Tal\u{ffff}, M\u{fdd0}\u{1fffe}ihail\u{9b}"), "Tal, Mihail");
        assert!(CleanName::new(&"ä".repeat(1000)).len() <= LONGEST_NAME);
    }

    #[test]
    fn texts_keep_their_lines() {
        assert_eq!(&*CleanText::new("a\u{202e}b\nc\u{1b}[2J\td"), "ab\nc[2J\td");
    }

    #[test]
    fn what_is_deserialised_is_cleaned_too() {
        let name: CleanName = serde_json::from_str(r#""\u202eTal,\nMihail""#).unwrap();
        assert_eq!(&*name, "Tal, Mihail");
        let text: CleanText = serde_json::from_str(r#""\u001bTal\nMihail""#).unwrap();
        assert_eq!(&*text, "Tal\nMihail");
    }

    proptest! {
        #[test]
        fn a_clean_text_stays_as_it_is(text in any::<String>()) {
            let name = CleanName::new(&text);
            prop_assert_eq!(&CleanName::new(&name), &name);
            let lines = CleanText::new(text);
            prop_assert_eq!(&CleanText::new(&*lines), &lines);
        }
    }
}
