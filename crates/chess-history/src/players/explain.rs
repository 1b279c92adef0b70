//! Describes the evidence of a pair of names in a line.

use std::collections::BTreeMap;

use strum::VariantArray;

use super::evidence::weights::{Term, Terms, WEIGHTS};

/// The least weight (bits) that is described.
const LEAST: f64 = 0.5;

/// Describes the terms of a pair, largest first: `+9 rating, +4 seats`.
pub(super) fn in_words(terms: &Terms) -> String {
    let mut bits: BTreeMap<&str, f64> = BTreeMap::new();
    for &term in Term::VARIANTS {
        *bits.entry(subject(term)).or_default() += terms.get(term) * WEIGHTS[term as usize];
    }
    let mut bits: Vec<(&str, f64)> =
        bits.into_iter().filter(|(_, bits)| bits.abs() >= LEAST).collect();
    bits.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(b.0)));
    let described: Vec<String> =
        bits.iter().map(|(subject, bits)| format!("{bits:+.0} {subject}")).collect();
    described.join(", ")
}

/// Returns the words for what a term is about.
fn subject(term: Term) -> &'static str {
    match term {
        Term::Constant | Term::Rarity | Term::Rivals => "rarity of the name",
        Term::Rating
        | Term::RatingMore
        | Term::RatingAgainst
        | Term::OneUnrated
        | Term::WeakRatings => "ratings",
        Term::Circle | Term::CircleAgainst => "opponents",
        Term::Countries | Term::CountriesAgainst => "countries",
        Term::SameYears
        | Term::YearsApart
        | Term::DecadesApart
        | Term::CareerApart
        | Term::LifeApart => "years",
        Term::Conflicts => "two games in one round",
        Term::TwoPlaces => "two events on one day",
        Term::SameGames | Term::SameMoves => "games under both names",
        Term::Complement | Term::MetInOtherRounds => "missing games",
        Term::ErrorInEvent => "a misspelt name in an event of the player",
        Term::GamesOfFewer | Term::GamesOfMore => "number of games",
        Term::FideEqual | Term::FideDiffers => "FIDE number",
        Term::TableEqual | Term::TableDiffers => "table of names",
        Term::NamesExclude => "spellings that exclude each other",
        _ => "spelling",
    }
}
