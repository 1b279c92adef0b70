//! How sure ratings are of lists that do not tell it themselves.

use std::collections::BTreeMap;

use super::list_file::FIDE_SYSTEM;

/// Standard errors (points) of ratings by system. Measured by us: how far the scores of 22,000 players in classical
/// tournaments lie from what their ratings expect, beyond what chance does with so many games and draws.
const MEASURED: [(&str, f64); 3] =
    [(FIDE_SYSTEM, 30.0), ("Chessmetrics", 40.0), ("Computed Chessmetrics", 35.0)];

/// Standard error (points) of a rating of any other system.
const USUAL: f64 = 50.0;

/// Standard errors of ratings by the name of their system.
#[derive(Clone, Debug, Default)]
pub struct Deviations {
    set: BTreeMap<String, f64>,
}

impl Deviations {
    /// Those that somebody set (points), before ours.
    pub fn new(set: BTreeMap<String, f64>) -> Deviations {
        Deviations { set }
    }

    /// The standard error (points) of a rating of a system whose list tells none.
    pub fn of(&self, system: &str) -> f64 {
        let measured =
            || MEASURED.iter().find(|(name, _)| *name == system).map(|(_, points)| *points);
        self.set.get(system).copied().or_else(measured).unwrap_or(USUAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_goes_before_what_was_measured() {
        let deviations = Deviations::new(BTreeMap::from([("Elo".to_owned(), 20.0)]));
        assert_eq!(deviations.of("Elo"), 20.0);
        assert_eq!(deviations.of("Chessmetrics"), 40.0);
        assert_eq!(deviations.of("Edo"), USUAL);
    }
}
