//! Variants of Elo's continuous system, for comparison with the standard settings.

use super::formulas::Expectancy;
use super::rules::EloRules;
use crate::systems::parameters::{Overrides, ParameterValue, Value};

/// A variant of Elo's continuous system.
#[derive(Clone, Debug, PartialEq)]
pub struct EloVariant {
    /// The name in tables of systems.
    pub name: String,
    /// Its curve, if the variant differs only by the curve.
    pub curve: Option<Expectancy>,
    /// Parameters that differ from the settings.
    pub overrides: Overrides,
}

/// Games that ratings remember in the variant whose K depends on the event, as in the book's table
/// (8.28).
const REMEMBERED: i64 = 30;

/// All variants, the curves first.
pub fn elo_variants() -> Vec<EloVariant> {
    let curves = Expectancy::ALL.map(|curve| EloVariant {
        name: format!("Elo, {}", curve.words()),
        curve: Some(curve),
        // Other rules can imply another curve.
        overrides: Overrides::from([
            ("expectancy".to_owned(), curve.value()),
            ("rules".to_owned(), EloRules::Elo.value()),
        ]),
    });
    // Each variant differs from the book's rules in one parameter.
    let of_book = ("rules", EloRules::Elo.value());
    let others = [
        ("Elo, long events whole", vec![of_book.clone(), ("in_parts", Value::Flag(false))]),
        ("Elo, K by the event", vec![of_book.clone(), ("remembered", Value::Whole(REMEMBERED))]),
        (
            "Elo, few games not reduced",
            vec![of_book.clone(), ("small_samples", Value::Flag(false))],
        ),
        ("Elo, provisional first", vec![of_book.clone(), ("provisional_first", Value::Flag(true))]),
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

/// The settings of other rules, without the book's additional proposals.
fn by_rules(rules: EloRules) -> Vec<(&'static str, Value)> {
    vec![
        ("rules", rules.value()),
        ("remembered", Value::Whole(0)),
        ("feedback", Value::Flag(false)),
        ("small_samples", Value::Flag(false)),
        ("provisional_first", Value::Flag(false)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::System;

    #[test]
    fn all_variants_are_valid_settings() {
        let elo = System::named("elo").unwrap();
        for way in elo_variants() {
            assert!(elo.with(&way.overrides).is_ok(), "{way:?}");
        }
    }
}
