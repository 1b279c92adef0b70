//! A player's strength in any year, with or without games, and comparisons of two players.

use statrs::distribution::{ContinuousCDF, Normal};

use super::fit::StrengthFit;
use super::history::History;
use crate::systems::logistic::{NATURAL, logistic};

/// Maximum number of years to which a strength is projected before the first or after the last year
/// with games. Judged: an adult's strength moves by 17 points in three years, a young player's by
/// much more.
const PROJECTED_YEARS: i16 = 3;

/// How the strength of a year is obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The player has games in that year.
    Played,
    /// Interpolated between two years with games.
    Between(i16, i16),
    /// Projected from the last year with games.
    After(i16),
    /// Projected back from the first year with games.
    Before(i16),
}

/// A player's strength in a year, as a linear combination of strengths in years with games.
#[derive(Clone, Debug, PartialEq)]
pub struct StrengthInYear {
    /// Nodes with their coefficients.
    pub terms: Vec<(usize, f64)>,
    /// Constant of the combination (points).
    pub drift: f64,
    /// Additional variance (points squared) of the years without games.
    pub variance: f64,
    /// How the strength is obtained.
    pub basis: Basis,
}

impl StrengthInYear {
    /// The strength of a player in a year. `None` if the year is more than three years before the
    /// first or after the last game.
    pub fn new(history: &History, player: u32, year: i16) -> Option<StrengthInYear> {
        let own = history.of_player.get(player as usize)?;
        let place = own.partition_point(|node| history.nodes[*node as usize].year < year);
        let before = place.checked_sub(1).and_then(|before| own.get(before));
        let [before, behind] = [before, own.get(place)]
            .map(|node| node.map(|node| (*node as usize, history.nodes[*node as usize].year)));
        Some(match (before, behind) {
            (_, Some((node, played))) if played == year => StrengthInYear {
                terms: vec![(node, 1.0)],
                drift: 0.0,
                variance: 0.0,
                basis: Basis::Played,
            },
            (Some((one, earlier)), Some((other, later))) => {
                let (to_here, up) = step_in_points(history, player, earlier, year);
                let (from_here, on) = step_in_points(history, player, year, later);
                // The closer year has the larger weight.
                let (first, second) =
                    (from_here / (to_here + from_here), to_here / (to_here + from_here));
                StrengthInYear {
                    terms: vec![(one, first), (other, second)],
                    drift: first * up - second * on,
                    variance: to_here * from_here / (to_here + from_here),
                    basis: Basis::Between(earlier, later),
                }
            }
            (Some((one, earlier)), None) if year - earlier <= PROJECTED_YEARS => {
                let (variance, drift) = step_in_points(history, player, earlier, year);
                let (terms, basis) = (vec![(one, 1.0)], Basis::After(earlier));
                StrengthInYear { terms, drift, variance, basis }
            }
            (None, Some((other, later))) if later - year <= PROJECTED_YEARS => {
                let (variance, drift) = step_in_points(history, player, year, later);
                let (terms, basis) = (vec![(other, 1.0)], Basis::Before(later));
                StrengthInYear { terms, drift: -drift, variance, basis }
            }
            _ => return None,
        })
    }

    /// The strength (points).
    pub fn points(&self, fit: &StrengthFit) -> f64 {
        self.drift + self.terms.iter().map(|&(node, times)| times * fit.points(node)).sum::<f64>()
    }
}

/// Variance (points squared) and mean (points) of a player's step between two years.
fn step_in_points(history: &History, player: u32, from: i16, to: i16) -> (f64, f64) {
    let (variance, mean) = history.step(player, from, to);
    (variance / (NATURAL * NATURAL), mean / NATURAL)
}

/// The difference between two strengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthDifference {
    /// Strength of the first minus that of the second (points).
    pub difference: f64,
    /// Its standard deviation (points).
    pub deviation: f64,
}

impl StrengthDifference {
    /// The difference between `one` and `other`.
    pub fn new(
        history: &History,
        fit: &StrengthFit,
        one: &StrengthInYear,
        other: &StrengthInYear,
    ) -> StrengthDifference {
        let mut terms = one.terms.clone();
        terms.extend(other.terms.iter().map(|&(node, times)| (node, -times)));
        let posterior = fit.deviation(history, &terms);
        StrengthDifference {
            difference: one.points(fit) - other.points(fit),
            deviation: (posterior * posterior + one.variance + other.variance).sqrt(),
        }
    }

    /// The probability, in `[0, 1]`, that the first player was stronger.
    pub fn probability(&self) -> f64 {
        match Normal::new(0.0, 1.0) {
            Ok(normal) if self.deviation > 0.0 => normal.cdf(self.difference / self.deviation),
            _ if self.difference > 0.0 => 1.0,
            _ if self.difference < 0.0 => 0.0,
            _ => 0.5,
        }
    }

    /// The expected score, in `[0, 1]`, of a game without colours. Uncertainty moves it towards one
    /// half.
    pub fn expected_score(&self) -> f64 {
        let variance = (self.deviation * NATURAL).powi(2);
        let scatter = (1.0 + std::f64::consts::PI / 8.0 * variance).sqrt();
        logistic(self.difference * NATURAL / scatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::paired::history::{PairedGame, PairedModel};

    #[test]
    fn gaps_are_interpolated_and_projections_end_after_three_years() {
        let games = [(1900, 1.0), (1900, 1.0), (1910, 0.0)]
            .map(|(year, score)| PairedGame::new(0, 1, year, score));
        let mut history = History::new(PairedModel::default(), &games, &[Some(1850), Some(1850)]);
        let fit = StrengthFit::new(&mut history, None, 1e-6);
        for (year, basis) in [
            (1896, None),
            (1898, Some(Basis::Before(1900))),
            (1900, Some(Basis::Played)),
            (1902, Some(Basis::Between(1900, 1910))),
            (1912, Some(Basis::After(1910))),
            (1914, None),
        ] {
            let found = StrengthInYear::new(&history, 0, year);
            assert_eq!(found.map(|one| one.basis), basis, "{year}");
        }
        let [early, late] =
            [1902, 1909].map(|year| StrengthInYear::new(&history, 0, year).expect("between"));
        assert!(early.terms[0].1 > 0.75 && late.terms[1].1 > 0.85, "{early:?} {late:?}");
        assert!((early.variance - 160.0).abs() < 2.0, "{early:?}");
        let other = StrengthInYear::new(&history, 1, 1902).expect("between");
        let advantage = StrengthDifference::new(&history, &fit, &early, &other);
        assert!(advantage.difference > 0.0);
        assert!(advantage.probability() > 0.5 && advantage.expected_score() > 0.5);
    }
}
