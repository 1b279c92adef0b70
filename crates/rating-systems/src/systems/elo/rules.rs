//! The rules by which Elo's system can run.

use crate::systems::parameters::{InvalidParameter, ParameterValue, Value};

/// Rules of Elo's system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloRules {
    /// The book's rules, with the K of today's federations.
    #[default]
    Elo,
    /// The FIDE rules of 1978 (4.5).
    Fide1978,
    /// The rules of the United States Chess Federation: the straight line (12).
    Uscf,
}

impl EloRules {
    /// All rules, the default first.
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
    fn from_value(value: &Value) -> Result<EloRules, InvalidParameter> {
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
