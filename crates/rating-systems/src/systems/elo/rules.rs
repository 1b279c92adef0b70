//! Whose rules Elo's system is run by.

use crate::systems::parameters::{ParameterValue, Value};

/// Rules by which the system was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Those of the book, with K as federations have it today.
    #[default]
    Elo,
    /// FIDE's of 1978 (4.5).
    Fide1978,
    /// Those of the federation of the United States: the straight line (12).
    Uscf,
}

impl Rules {
    /// All of them.
    pub const ALL: [Rules; 3] = [Rules::Elo, Rules::Fide1978, Rules::Uscf];

    /// The word in settings.
    pub fn word(self) -> &'static str {
        match self {
            Rules::Elo => "elo",
            Rules::Fide1978 => "fide-1978",
            Rules::Uscf => "uscf",
        }
    }
}

impl ParameterValue for Rules {
    fn of(value: &Value) -> Result<Rules, String> {
        let found = match value {
            Value::Word(word) => Rules::ALL.into_iter().find(|rules| rules.word() == word),
            _ => None,
        };
        found
            .ok_or_else(|| format!("{value} is none of {}", Rules::ALL.map(Rules::word).join(", ")))
    }

    fn value(&self) -> Value {
        Value::Word(self.word().to_owned())
    }
}
