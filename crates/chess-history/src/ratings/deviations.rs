//! States the standard errors of ratings whose list states none.

use std::collections::BTreeMap;

use super::list_file::FIDE_SYSTEM;

/// Standard errors (points) of ratings by system.
///
/// We measured them: they are how far the scores of 22,000 players in classical tournaments differ
/// from their expected scores, beyond the variance due to the number of games and draws.
const MEASURED: [(&str, f64); 3] =
    [(FIDE_SYSTEM, 30.0), ("Chessmetrics", 40.0), ("Computed Chessmetrics", 35.0)];

/// The standard error (points) of a rating of any other system.
///
/// Judged: somewhat more than those measured. Half would claim the precision of FIDE's list for any
/// source; double would exceed the differences between most players of a tournament.
const USUAL: f64 = 50.0;

/// Standard errors of ratings (points), by the name of the system.
#[derive(Clone, Debug, Default)]
pub struct Deviations {
    set: BTreeMap<String, f64>,
}

impl Deviations {
    /// Takes these standard errors (points) instead of the measured ones.
    pub fn new(set: BTreeMap<String, f64>) -> Deviations {
        Deviations { set }
    }

    /// Returns the standard error (points) of a rating whose list states none.
    pub fn of_system(&self, system: &str) -> f64 {
        if let Some(points) = self.set.get(system) {
            return *points;
        }
        MEASURED.iter().find(|(name, _)| *name == system).map_or(USUAL, |(_, points)| *points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_override_measurements() {
        let deviations = Deviations::new(BTreeMap::from([("Elo".to_owned(), 20.0)]));
        assert_eq!(deviations.of_system("Elo"), 20.0);
        assert_eq!(deviations.of_system("Chessmetrics"), 40.0);
        assert_eq!(deviations.of_system("Edo"), USUAL);
    }
}
