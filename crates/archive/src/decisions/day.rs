//! Reads a day, as far as it is known, from TOML or JSON.

use serde::{Deserialize, Deserializer};

use pgn_collections::games::PartialDate;

/// Reads `1904`, `1904-04` or `1904-04-25`, as a text, a number or a TOML date.
///
/// # Errors
///
/// Returns an error if the value is not a day. A day that does not exist, such as 31 April, is
/// refused.
pub(super) fn day<'de, D: Deserializer<'de>>(source: D) -> Result<Option<PartialDate>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a year, a month or a day like 1904-04-25")]
    enum Day {
        Year(u16),
        Text(String),
        Date(toml::value::Datetime),
    }
    let text = match Day::deserialize(source)? {
        Day::Year(year) => format!("{year:04}"),
        Day::Text(text) => text.trim().to_owned(),
        Day::Date(date) => date.to_string(),
    };
    match parse_day(&text) {
        Some(date) => Ok(Some(date)),
        None => Err(serde::de::Error::custom(format!(
            "\"{text}\" is not a day; write 1904, 1904-04 or 1904-04-25"
        ))),
    }
}

/// Parses a day, as far as it is known: `1904`, `1904-04` or `1904-04-25`. Returns `None` for
/// anything else, and for a day that does not exist.
pub fn parse_day(text: &str) -> Option<PartialDate> {
    let text = text.trim();
    let date = PartialDate::parse(text).filter(|date| date.year().is_some())?;
    // Reading tags is lenient and drops a day that does not exist.
    (date.iso() == text.replace(['.', '/'], "-")).then_some(date)
}
