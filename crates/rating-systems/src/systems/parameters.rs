//! Parameters of rating systems: each is described once and can be set by settings and flags.

use std::collections::BTreeMap;
use std::fmt;

use bitcode::{Decode, Encode};

/// The value of a parameter, as settings and flags state it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub enum Value {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number that need not be whole.
    Number(f64),
    /// A word from a fixed set.
    Word(String),
}

impl Value {
    /// Parses the text of a flag: a number if it is one, `true` or `false`, or else a word.
    pub fn of_text(text: &str) -> Value {
        match (text.parse(), text.parse(), text.parse()) {
            (Ok(whole), ..) => Value::Whole(whole),
            (_, Ok(number), _) => Value::Number(number),
            (.., Ok(flag)) => Value::Flag(flag),
            _ => Value::Word(text.to_owned()),
        }
    }
}

/// Writes the value as TOML does.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(flag) => write!(formatter, "{flag}"),
            Value::Whole(number) => write!(formatter, "{number}"),
            Value::Number(number) => write!(formatter, "{number:?}"),
            Value::Word(word) => write!(formatter, "{word:?}"),
        }
    }
}

/// Values set by the user, by parameter key.
pub type Overrides = BTreeMap<String, Value>;

/// A parameter, as help and settings show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The key, such as `minimum_games`.
    pub key: &'static str,
    /// What the parameter means, with its unit.
    pub meaning: &'static str,
    /// The value if neither settings nor flags set one.
    pub default: Value,
    /// The range of values, in words. Empty if every value of the type is valid.
    pub range: String,
}

/// A rating system refuses a parameter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{key}: {reason}")]
pub struct ParameterError {
    /// The name of the parameter, as it was given.
    pub key: String,
    /// Why the system refuses it.
    #[source]
    pub reason: InvalidParameter,
}

/// Why a rating system refuses a parameter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidParameter {
    /// The value of a number is something else, or not finite.
    #[error("{0} is not a number")]
    NotANumber(Value),
    /// The value of a flag is something else.
    #[error("{0} is neither true nor false")]
    NotAFlag(Value),
    /// The value of a whole number is something else.
    #[error("{0} is not a whole number")]
    NotWhole(Value),
    /// The whole number does not fit the parameter's type.
    #[error("{0} is too small or too large")]
    Overflow(i64),
    /// The value lies outside the parameter's range.
    #[error("{value} is not within {range}")]
    OutOfRange {
        /// The value, as text.
        value: String,
        /// The range, in words: `1 to 9`.
        range: String,
    },
    /// The value is none of the words that the parameter accepts.
    #[error("{value} is none of {}", words.join(", "))]
    UnknownWord {
        /// The value as it was given.
        value: Value,
        /// The words that the parameter accepts.
        words: Vec<&'static str>,
    },
    /// The system has no parameter of this name.
    #[error("there is no parameter {key}{}", suggestion(key, keys))]
    Unknown {
        /// The name as it was given.
        key: String,
        /// The names of the system's parameters.
        keys: Vec<&'static str>,
    },
}

impl InvalidParameter {
    /// The system has no parameter of this name, but has these.
    pub fn unknown(key: &str, keys: &[&'static str]) -> InvalidParameter {
        InvalidParameter::Unknown { key: key.to_owned(), keys: keys.to_vec() }
    }
}

/// The second half of a message about an unknown parameter: the most similar name, or all names.
fn suggestion(key: &str, keys: &[&str]) -> String {
    match crate::hint::nearest(key, keys.iter().copied()) {
        Some(hint) => format!("; did you mean {hint}?"),
        None if keys.is_empty() => String::new(),
        None => format!("; there are {}", keys.join(", ")),
    }
}

/// A type that parameters can have.
pub trait ParameterValue: Sized {
    /// Converts a value as it was written.
    ///
    /// # Errors
    ///
    /// Returns an error if the value has another type.
    fn from_value(value: &Value) -> Result<Self, InvalidParameter>;

    /// The value as it would be written.
    fn value(&self) -> Value;
}

impl ParameterValue for f64 {
    fn from_value(value: &Value) -> Result<f64, InvalidParameter> {
        match value {
            Value::Whole(number) => Ok(*number as f64),
            Value::Number(number) if number.is_finite() => Ok(*number),
            _ => Err(InvalidParameter::NotANumber(value.clone())),
        }
    }

    fn value(&self) -> Value {
        Value::Number(*self)
    }
}

impl ParameterValue for bool {
    fn from_value(value: &Value) -> Result<bool, InvalidParameter> {
        match value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(InvalidParameter::NotAFlag(value.clone())),
        }
    }

    fn value(&self) -> Value {
        Value::Flag(*self)
    }
}

macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl ParameterValue for $kind {
            fn from_value(value: &Value) -> Result<$kind, InvalidParameter> {
                match value {
                    Value::Whole(number) => <$kind>::try_from(*number)
                        .map_err(|_| InvalidParameter::Overflow(*number)),
                    _ => Err(InvalidParameter::NotWhole(value.clone())),
                }
            }

            fn value(&self) -> Value {
                Value::Whole(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )*};
}

whole_numbers!(i16, i32, u32, usize);

/// A set of parameters that can be described and set one by one.
pub trait Parameters: Default {
    /// All parameters, in the order in which they are shown.
    fn described() -> Vec<Parameter>;

    /// Sets one parameter.
    ///
    /// # Errors
    ///
    /// Returns an error if no parameter has this key, or the value has the wrong type or is out of
    /// range.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), InvalidParameter>;

    /// The default parameters, with these values in place of the defaults.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Parameters::set`] for the first parameter that is refused.
    fn with_overrides(overrides: &Overrides) -> Result<Self, ParameterError> {
        let mut parameters = Self::default();
        for (key, value) in overrides {
            parameters
                .set(key, value)
                .map_err(|reason| ParameterError { key: key.clone(), reason })?;
        }
        Ok(parameters)
    }
}

/// Defines the parameters of a rating system: a struct whose fields each have documentation, a
/// default and an optional range. The documentation of a field is what `--help` and `greatness
/// init` show, so it must be a sentence with a full stop.
macro_rules! parameters {
    (
        $(#[doc = $about:literal])*
        $name:ident {
            $(
                $(#[doc = $meaning:literal])+
                $key:ident: $kind:ty = $default:expr $(, $low:literal ..= $high:literal)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $meaning])+ pub $key: $kind,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($key: $default,)* }
            }
        }

        impl $crate::systems::parameters::Parameters for $name {
            fn described() -> Vec<$crate::systems::parameters::Parameter> {
                use $crate::systems::parameters::{Parameter, ParameterValue};
                let default = $name::default();
                vec![$(Parameter {
                    key: stringify!($key),
                    meaning: concat!($($meaning),+).trim(),
                    default: default.$key.value(),
                    range: String::new() $(+ &format!("{} to {}", $low, $high))?,
                },)*]
            }

            fn set(
                &mut self,
                key: &str,
                value: &$crate::systems::parameters::Value,
            ) -> Result<(), $crate::systems::parameters::InvalidParameter> {
                use $crate::systems::parameters::{InvalidParameter, ParameterValue};
                match key {
                    $(stringify!($key) => {
                        let value = <$kind>::from_value(value)?;
                        $(if !($low..=$high).contains(&value) {
                            return Err(InvalidParameter::OutOfRange {
                                value: value.to_string(),
                                range: format!("{} to {}", $low, $high),
                            });
                        })?
                        self.$key = value;
                        Ok(())
                    })*
                    _ => Err(InvalidParameter::unknown(key, &[$(stringify!($key)),*])),
                }
            }
        }
    };
}

pub(super) use parameters;

#[cfg(test)]
mod tests {
    use super::*;

    parameters! {
        /// A small set of parameters.
        Small {
            /// Number of games, in two
            /// lines.
            games: usize = 5, 1..=9;
            /// A level (points).
            level: f64 = 2300.0;
            /// Whether it does.
            does: bool = true;
        }
    }

    #[test]
    fn descriptions_contain_documentation_default_and_range() {
        let described = Small::described();
        assert_eq!(described[0].meaning, "Number of games, in two lines.");
        assert_eq!(described[0].range, "1 to 9");
        let defaults: Vec<String> =
            described.iter().map(|parameter| parameter.default.to_string()).collect();
        assert_eq!(defaults, ["5", "2300.0", "true"]);
    }

    fn refused(key: &str, text: &str) -> String {
        Small::default().set(key, &Value::of_text(text)).expect_err(text).to_string()
    }

    #[test]
    fn invalid_values_and_unknown_names_are_refused() {
        let mut small = Small::default();
        small.set("games", &Value::of_text("7")).unwrap();
        small.set("level", &Value::of_text("2000")).unwrap();
        small.set("does", &Value::of_text("false")).unwrap();
        assert_eq!(small, Small { games: 7, level: 2000.0, does: false });
        assert_eq!(refused("games", "10"), "10 is not within 1 to 9");
        assert_eq!(refused("games", "1.5"), "1.5 is not a whole number");
        assert_eq!(refused("games", "-1"), "-1 is too small or too large");
        assert_eq!(refused("level", "NaN"), "NaN is not a number");
        assert_eq!(refused("levle", "1"), "there is no parameter levle; did you mean level?");
    }
}
