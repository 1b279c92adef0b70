//! The licence of the data that an archive exports.

use serde::{Deserialize, Deserializer};

use error_hints::no_such;

/// The licence of the exported data: `[site] data_licence`.
///
/// It says what others may do with the tables. The program and its pages have their own licence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLicence {
    /// The identifier in SPDX's list; empty for a licence that is given by its address.
    pub spdx: &'static str,
    /// Its name for readers; its address if it has no identifier.
    pub title: String,
    /// The address of its text.
    pub address: String,
}

/// The licences for data that the settings may name: identifier (SPDX), title and address.
const KNOWN: [(&str, &str, &str); 6] = [
    ("CC0-1.0", "Creative Commons Zero 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    (
        "CC-BY-4.0",
        "Creative Commons Attribution 4.0",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    (
        "CC-BY-SA-4.0",
        "Creative Commons Attribution-ShareAlike 4.0",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    (
        "ODC-By-1.0",
        "Open Data Commons Attribution 1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
    ),
    (
        "ODbL-1.0",
        "Open Data Commons Open Database License 1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
    (
        "PDDL-1.0",
        "Open Data Commons Public Domain Dedication 1.0",
        "https://opendatacommons.org/licenses/pddl/1-0/",
    ),
];

impl Default for DataLicence {
    /// Returns CC0 1.0: the tables contain facts and figures computed from them.
    fn default() -> DataLicence {
        DataLicence::named("CC0-1.0").expect("the list has it")
    }
}

impl DataLicence {
    /// Returns the licence with this SPDX identifier, if the list has it.
    fn named(spdx: &str) -> Option<DataLicence> {
        let (spdx, title, address) = KNOWN.into_iter().find(|(known, ..)| *known == spdx)?;
        Some(DataLicence { spdx, title: title.to_owned(), address: address.to_owned() })
    }

    /// Whether it is CC0, by which the publisher waives all rights.
    pub fn is_waiver(&self) -> bool {
        self.spdx == "CC0-1.0"
    }
}

impl<'de> Deserialize<'de> for DataLicence {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<DataLicence, D::Error> {
        let text = String::deserialize(source)?;
        if let Some(known) = DataLicence::named(&text) {
            return Ok(known);
        }
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_plain = |c: char| c.is_ascii_graphic() && !"<>\"'`\\{}".contains(c);
        if host.is_some_and(|host| !host.is_empty() && host.chars().all(is_plain)) {
            return Ok(DataLicence { spdx: "", title: text.clone(), address: text });
        }
        let known: Vec<&str> = KNOWN.iter().map(|(known, ..)| *known).collect();
        Err(serde::de::Error::custom(format!(
            "{}; for any other licence, write the https:// address of its text",
            no_such("data licence", &text, &known)
        )))
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    use super::*;

    fn read(text: &str) -> Result<DataLicence, Error> {
        let source: StrDeserializer<'_, Error> = text.into_deserializer();
        DataLicence::deserialize(source)
    }

    #[test]
    fn a_licence_is_known_by_its_identifier_or_given_by_its_address() {
        assert_eq!(DataLicence::default().spdx, "CC0-1.0");
        let by = read("CC-BY-4.0").unwrap();
        assert_eq!(by.address, "https://creativecommons.org/licenses/by/4.0/");
        let own = read("https://example.org/terms").unwrap();
        assert_eq!((own.spdx, &*own.title), ("", "https://example.org/terms"));
    }

    #[test]
    fn an_unknown_licence_is_refused_with_a_suggestion() {
        let message = read("CC-BY-4").unwrap_err().to_string();
        assert!(message.contains("did you mean CC-BY-4.0?"), "{message}");
        for wrong in ["", "free", "https://", "javascript:alert(1)", "https://a b", "https://a\"b"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
