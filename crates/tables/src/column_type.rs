//! The types of columns.

use serde::Serialize;
use strum::IntoStaticStr;

/// The type of the values of a column, by its name in the Data Package standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum ColumnType {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A finite number, whole or not.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A day in the form `1972-07-11`.
    Date,
}

impl ColumnType {
    /// The name in the Data Package standard.
    pub fn word(self) -> &'static str {
        self.into()
    }
}
