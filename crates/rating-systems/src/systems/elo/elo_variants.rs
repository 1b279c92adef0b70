//! Other ways to run Elo's continuous system, to be tried beside the one that stands.

use super::formulas::Expectancy;
use super::rules::EloRules;
use crate::systems::parameters::{Overrides, ParameterValue, Value};

/// A way to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct EloVariant {
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
pub fn elo_variants() -> Vec<EloVariant> {
    let curves = Expectancy::ALL.map(|curve| EloVariant {
        name: format!("Elo, {}", curve.words()),
        curve: Some(curve),
        // Other rules may have a curve of their own.
        overrides: Overrides::from([
            ("expectancy".to_owned(), curve.value()),
            ("rules".to_owned(), EloRules::Elo.value()),
        ]),
    });
    // Each differs from the rules of the book in one thing, whatever is set beside.
    let of_book = ("rules", EloRules::Elo.value());
    let others = [
        ("Elo, long events whole", vec![of_book.clone(), ("in_parts", Value::Flag(false))]),
        ("Elo, K by the event", vec![of_book.clone(), ("remembered", Value::Whole(REMEMBERED))]),
        ("Elo, points given back", vec![of_book, ("feedback", Value::Flag(true))]),
        ("Elo, rules of FIDE 1978", by_rules(EloRules::Fide1978)),
        ("Elo, rules of the USCF", by_rules(EloRules::Uscf)),
    ];
    let others = others.map(|(name, overrides)| EloVariant {
        name: name.to_owned(),
        curve: None,
        overrides: overrides.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    });
    curves.into_iter().chain(others).collect()
}

/// EloRules as they are, without what the book proposes beside.
fn by_rules(rules: EloRules) -> Vec<(&'static str, Value)> {
    vec![
        ("rules", rules.value()),
        ("remembered", Value::Whole(0)),
        ("feedback", Value::Flag(false)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::System;

    #[test]
    fn all_ways_can_be_set() {
        let elo = System::named("elo").unwrap();
        for way in elo_variants() {
            assert!(elo.with(&way.overrides).is_ok(), "{way:?}");
        }
    }
}
