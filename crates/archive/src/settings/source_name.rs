//! Parses the names of sources of ratings in the settings.

use std::fmt;

use serde::Deserialize;
use thiserror::Error;

use rating_systems::systems::{Role, System};

/// A source of ratings, as `[ratings] order` names it.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceName {
    /// `tags`: the rating tags of the games.
    Tags,
    /// `computed:WORD`: one of our own systems.
    Computed(&'static System),
    /// Any other name: the rating list of the system with this name, if there is one.
    List(String),
}

/// A name in an order of sources that calls for no source of ratings.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SourceNameError {
    /// No rating system has this word; the message lists the words that exist.
    #[error("{0}")]
    UnknownSystem(String),
    /// The system exists, but rates no events.
    #[error("{system} is {what}: it is computed for comparison and cannot be a source of ratings")]
    NotASource {
        system: &'static str,
        /// What the system is instead.
        what: &'static str,
    },
}

/// The word for the rating tags.
const TAGS: &str = "tags";

/// The prefix of the word of one of our own systems.
const COMPUTED: &str = "computed:";

impl SourceName {
    /// Parses a name.
    ///
    /// # Errors
    ///
    /// Returns an error if the name asks for a system that does not exist, or that rates no events.
    /// The message lists the systems.
    pub fn parse(name: &str) -> Result<SourceName, SourceNameError> {
        let Some(word) = name.strip_prefix(COMPUTED) else {
            return Ok(match name {
                TAGS => SourceName::Tags,
                _ => SourceName::List(name.to_owned()),
            });
        };
        let system = System::named(word)
            .map_err(|error| SourceNameError::UnknownSystem(error.to_string()))?;
        if system.about.role.is_source() {
            return Ok(SourceName::Computed(system));
        }
        let what = match system.about.role {
            Role::Past => "a system of the past",
            Role::Forecasts => "for forecasts only, because it repeats what FIDE published",
            _ => "an order and no scale of strength",
        };
        Err(SourceNameError::NotASource { system: system.about.name, what })
    }

    /// All names except those of lists.
    pub fn ours() -> Vec<String> {
        let sources = System::all().iter().filter(|system| system.about.role.is_source());
        let computed = sources.map(SourceName::Computed);
        computed.chain([SourceName::Tags]).map(|name| name.to_string()).collect()
    }
}

/// Writes the name as in the settings.
impl fmt::Display for SourceName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceName::Tags => formatter.write_str(TAGS),
            SourceName::Computed(system) => write!(formatter, "{COMPUTED}{}", system.about.word),
            SourceName::List(system) => formatter.write_str(system),
        }
    }
}

impl<'de> Deserialize<'de> for SourceName {
    fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<SourceName, D::Error> {
        SourceName::parse(&String::deserialize(source)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    #[test]
    fn a_written_name_is_read_back() {
        for name in ["tags", "computed:elo-historical", "Chessmetrics"] {
            assert_eq!(SourceName::parse(name).map(|name| name.to_string()), Ok(name.to_owned()));
        }
        assert_eq!(SourceName::parse("tags"), Ok(SourceName::Tags));
    }

    #[test]
    fn a_system_of_the_past_is_refused_as_a_source() {
        let message = SourceName::parse("computed:ingo").unwrap_err().to_string();
        assert!(message.starts_with("Ingo is a system of the past"), "{message}");
        assert!(SourceName::ours().iter().all(|name| !name.contains("ingo")));
    }

    #[test]
    fn a_system_that_reads_published_ratings_is_refused_with_the_reason() {
        let message = SourceName::parse("computed:paired-and-published").unwrap_err().to_string();
        let reason =
            "Paired and published is for forecasts only, because it repeats what FIDE published";
        assert!(message.starts_with(reason), "{message}");
        assert!(SourceName::ours().iter().all(|name| !name.contains("published")));
    }

    #[test]
    fn an_unknown_system_is_reported_with_its_line() {
        let text = "[ratings]\norder = [\n  \"tags\",\n  \"computed:ello\",\n]\n";
        let message = toml::from_str::<Settings>(text).unwrap_err().to_string();
        assert!(message.contains("line 2") && message.contains("did you mean elo?"), "{message}");
    }
}
