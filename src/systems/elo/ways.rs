//! Other ways to run Elo's continuous system, to be tried beside the one that stands.

use super::formulas::Expectancy;
use super::rules::Rules;
use crate::systems::parameters::{Overrides, ParameterValue, Value};

/// A way to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// What it is called.
    pub name: String,
    /// The curve, where it is only that which differs.
    pub curve: Option<Expectancy>,
    /// What it sets.
    pub overrides: Overrides,
}

/// Games that ratings remember where K goes by the event, in the book's table (8.28).
const REMEMBERED: i64 = 30;

/// The ways, the curves first.
pub fn ways() -> Vec<Way> {
    let curves = Expectancy::ALL.map(|curve| Way {
        name: format!("Elo, {}", curve.words()),
        curve: Some(curve),
        // Other rules may have a curve of their own.
        overrides: Overrides::from([
            ("expectancy".to_owned(), curve.value()),
            ("rules".to_owned(), Rules::Elo.value()),
        ]),
    });
    let others = [
        ("Elo, long events whole", "in_parts", Value::Flag(false)),
        ("Elo, K by the event", "remembered", Value::Whole(REMEMBERED)),
        ("Elo, points given back", "feedback", Value::Flag(true)),
        ("Elo, rules of FIDE 1978", "rules", Rules::Fide1978.value()),
        ("Elo, rules of the USCF", "rules", Rules::Uscf.value()),
    ];
    let others = others.map(|(name, key, value)| Way {
        name: name.to_owned(),
        curve: None,
        overrides: Overrides::from([(key.to_owned(), value)]),
    });
    curves.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::System;

    #[test]
    fn all_ways_can_be_set() {
        let elo = System::named("elo").unwrap();
        for way in ways() {
            assert!(elo.with(&way.overrides).is_ok(), "{way:?}");
        }
    }
}
