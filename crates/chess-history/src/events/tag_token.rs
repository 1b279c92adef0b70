//! Splits the name of an event into sequences of letters and of digits.

use super::tag::{corrected_word, is_year};
use crate::games::lexicon::{self, Class};
use crate::players::fold;

/// A sequence of letters or of digits in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The folded text.
    pub text: String,
    /// The original text.
    pub shown: String,
    pub is_number: bool,
    /// Whether it follows the previous token without a separator.
    pub is_joined: bool,
}

/// Splits a name into sequences of letters and of digits, without years.
pub(super) fn tokens(base: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for word in base.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if is_year(word) {
            continue;
        }
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let is_number = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != is_number).unwrap_or(rest.len());
            let (shown, behind) = rest.split_at(end);
            let is_joined = rest.len() < word.len();
            let text = corrected_word(&fold(shown));
            tokens.push(Token { text, shown: shown.to_owned(), is_number, is_joined });
            rest = behind;
        }
    }
    tokens
}

/// Returns the words without numbers and their endings. All events of a series share them.
pub(super) fn key_of(tokens: &[Token]) -> String {
    let words = tokens.iter().filter(|token| !token.is_number && !is_ordinal_ending(token));
    words.map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns the number of the edition: `81st`, `-ch14`, `09.Kongress`, `mem12`.
pub(super) fn number(tokens: &[Token]) -> Option<u16> {
    let place = tokens.iter().enumerate().position(|(place, token)| {
        let before = place.checked_sub(1).and_then(|before| tokens.get(before));
        let is_counted = before
            .is_some_and(|before| lexicon::means(Class::Generic, &before.text, "before number"));
        let behind = tokens.get(place + 1);
        token.is_number
            && (behind.is_some_and(|behind| is_ordinal_ending(behind) && behind.is_joined)
                || (token.is_joined && is_counted)
                || behind.is_some_and(|behind| {
                    lexicon::means(Class::Generic, &behind.text, "after number")
                }))
    })?;
    tokens[place].text.parse().ok().filter(|number| (1..=250).contains(number))
}

pub(super) fn is_ordinal_ending(token: &Token) -> bool {
    matches!(&*token.text, "st" | "nd" | "rd" | "th")
}
