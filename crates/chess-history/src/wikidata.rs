//! Identifiers of Wikidata, which link players and series to other collections.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

/// The identifier of an item of Wikidata: `Q41314`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct WikidataId(u64);

/// A text that is not an identifier of an item.
#[derive(Debug, Error)]
#[error("{0} is not an identifier of Wikidata; write Q and a number, such as Q41314")]
pub struct WikidataIdError(String);

impl WikidataId {
    /// Returns the address of the item.
    pub fn address(self) -> String {
        format!("https://www.wikidata.org/wiki/{self}")
    }
}

impl TryFrom<String> for WikidataId {
    type Error = WikidataIdError;

    fn try_from(text: String) -> Result<WikidataId, WikidataIdError> {
        let digits = text.strip_prefix('Q').filter(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0')
        });
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok(WikidataId(number)),
            None => Err(WikidataIdError(text)),
        }
    }
}

impl fmt::Display for WikidataId {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "Q{}", self.0)
    }
}

impl Serialize for WikidataId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_q_and_a_number() {
        let id = WikidataId::try_from("Q41314".to_owned()).unwrap();
        assert_eq!(id.to_string(), "Q41314");
        for wrong in ["", "Q", "Q0", "Q007", "q1", "41314", "Q4 1", "Q+1", "P569", "Q1x"] {
            assert!(WikidataId::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
