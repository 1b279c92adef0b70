//! Whose rules Elo's system is run by.

use crate::systems::parameters::{InvalidParameter, ParameterValue, Value};

/// Rules by which the system was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloRules {
    /// Those of the book, with K as federations have it today.
    #[default]
    Elo,
    /// FIDE's of 1978 (4.5).
    Fide1978,
    /// Those of the federation of the United States: the straight line (12).
    Uscf,
}

impl EloRules {
    /// All of them.
    pub const ALL: [EloRules; 3] = [EloRules::Elo, EloRules::Fide1978, EloRules::Uscf];

    /// The word in settings.
    pub fn word(self) -> &'static str {
        match self {
            EloRules::Elo => "elo",
            EloRules::Fide1978 => "fide-1978",
            EloRules::Uscf => "uscf",
        }
    }
}

impl ParameterValue for EloRules {
    fn of(value: &Value) -> Result<EloRules, InvalidParameter> {
        let found = match value {
            Value::Word(word) => EloRules::ALL.into_iter().find(|rules| rules.word() == word),
            _ => None,
        };
        found.ok_or_else(|| InvalidParameter::UnknownWord {
            value: value.clone(),
            words: EloRules::ALL.map(EloRules::word).to_vec(),
        })
    }

    fn value(&self) -> Value {
        Value::Word(self.word().to_owned())
    }
}
