//! Measures how two players divide the points that they take from common opponents.
//!
//! Source of the claim: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament
//! App*. Of all points that two players 150 points apart take from the rest of a field, 60% go to
//! the better one. The pairs, the opponents and the measure are ours.

use rand::RngExt;

use super::setup::{ExperimentSetup, mean};
use crate::laboratory::chance::{Purpose, generator};
use crate::laboratory::errors::PlanError;
use crate::laboratory::outcome::{ResultModel, score};
use crate::laboratory::population::check_players;
use crate::laboratory::table::{ResultTable, TableCell};

/// Means (points) of the true ratings of the pairs. Judged: three near the middle of the
/// population, and one near its top.
const MEANS: [f64; 4] = [1400.0, 1500.0, 1600.0, 2500.0];

/// Differences (points) of a pair's true ratings, each with the claimed share of the better player.
/// Source: Berard, the PRA paper, rule of thumb.
const CLAIMS: [(f64, f64); 3] = [(150.0, 0.6), (250.0, 0.7), (350.0, 0.8)];

/// Number of games of each player of a pair in a run. Source: Berard, the PRA paper, for its
/// simulations.
const GAMES: u32 = 340;

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let plan = setup.plan(Vec::new());
    check_players(&plan.population, plan.players)?;
    // The true ratings are quantiles, so all runs have the same ones.
    let field = plan.true_ratings(1);
    let mut table = ResultTable::new(
        "common",
        &["mean", "difference", "claimed_share", "measured_share", "expected_share"],
    );
    for middle in MEANS {
        for (difference, claimed) in CLAIMS {
            let pair = Pair::new(middle, difference);
            let number = table.rows.len() as u64;
            let shares: Vec<f64> =
                setup.results(|run| pair.measured_share(&field, setup.seed, run, number));
            table.rows.push(vec![
                TableCell::Number(middle, 0),
                TableCell::Number(difference, 0),
                TableCell::Number(claimed, 1),
                TableCell::Number(mean(&shares), 3),
                TableCell::Number(pair.expected_share(&field), 3),
            ]);
        }
    }
    Ok(table)
}

/// The true ratings (points) of two players who meet the same opponents.
#[derive(Clone, Copy, Debug)]
struct Pair {
    better: f64,
    worse: f64,
}

impl Pair {
    fn new(mean: f64, difference: f64) -> Pair {
        Pair { better: mean + difference / 2.0, worse: mean - difference / 2.0 }
    }

    /// The better player's share, in `[0, 1]`, of the points that both take in one run. `number`
    /// keeps the random numbers of the pairs apart.
    fn measured_share(self, field: &[f64], seed: u64, run: u64, number: u64) -> f64 {
        let mut random = generator(seed, run, number, Purpose::CommonOpponents);
        let mut points = [0.0; 2];
        for _ in 0..GAMES {
            let opponent = field[random.random_range(0..field.len())];
            for (points, rating) in points.iter_mut().zip([self.better, self.worse]) {
                let expected = ResultModel::Curve.expected(rating - opponent);
                *points += f64::from(score(expected, 0.0, random.random()));
            }
        }
        share(points)
    }

    /// The same share of the expected scores against all players of the field.
    fn expected_share(self, field: &[f64]) -> f64 {
        let expected = [self.better, self.worse].map(|rating| {
            field.iter().map(|opponent| ResultModel::Curve.expected(rating - opponent)).sum::<f64>()
        });
        share(expected)
    }
}

/// The share, in `[0, 1]`, of the first of two scores in their sum.
fn share([first, second]: [f64; 2]) -> f64 {
    first / (first + second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::report::mean_and_deviation;

    const RUNS: u32 = 30;

    fn setup() -> ExperimentSetup {
        ExperimentSetup { players: 1000, runs: Some(RUNS), ..ExperimentSetup::default() }
    }

    fn number(cell: &TableCell) -> f64 {
        match cell {
            TableCell::Number(number, _) => *number,
            other => panic!("{other:?} is not a number"),
        }
    }

    #[test]
    fn no_pair_divides_the_points_as_claimed() {
        let table = perform(&setup()).unwrap();
        assert_eq!(table.rows.len(), MEANS.len() * CLAIMS.len());
        for row in &table.rows {
            let [claimed, measured, expected] = [2, 3, 4].map(|column| number(&row[column]));
            assert!(measured < claimed && expected < claimed, "{row:?}");
            // The better player does take the larger share.
            assert!(measured > 0.5 && expected > 0.5, "{row:?}");
        }
    }

    #[test]
    fn scores_of_60_and_50_percent_divide_the_points_55_to_45() {
        assert!((share([0.6, 0.5]) - 0.545).abs() < 0.001);
    }

    #[test]
    fn measured_shares_agree_with_expected_ones() {
        let setup = setup();
        let field = setup.plan(Vec::new()).true_ratings(1);
        let pairs = MEANS.into_iter().flat_map(|mean| CLAIMS.map(|claim| (mean, claim.0)));
        for ((mean, difference), number) in pairs.zip(0..) {
            let pair = Pair::new(mean, difference);
            let shares: Vec<f64> =
                setup.results(|run| pair.measured_share(&field, setup.seed, run, number));
            let (measured, deviation) = mean_and_deviation(&shares);
            let error = deviation.unwrap() / f64::from(RUNS).sqrt();
            let expected = pair.expected_share(&field);
            assert!((measured - expected).abs() < 3.0 * error, "{pair:?}: {measured} {expected}");
        }
    }
}
