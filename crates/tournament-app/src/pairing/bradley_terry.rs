//! Fits the Zermelo-Bradley-Terry model: strengths at which every player's expected points equal
//! his points.

use super::gradients::{LinearSystem, conjugate_gradients};
use super::linear::linear;
use super::rows::Rows;
use super::table::PairingTable;

/// Largest difference between expected and actual points. Judged: ratings then differ by far less
/// than a hundredth of a point, which is what reports show.
const NEAR: f64 = 1e-7;

/// Largest number of Newton steps, of inner iterations, and of halvings of a step.
const MOST: usize = 100;
const INSIDE: usize = 1_000;
const HALVINGS: usize = 40;

/// Converts rating points to natural logarithms of odds: 400 points are odds of ten to one.
const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// Computes the natural logarithms of the strengths, with mean 0. The players must be strongly
/// connected.
pub fn bradley_terry(table: &PairingTable) -> Vec<f64> {
    let count = table.len();
    let mut strengths: Vec<f64> =
        linear(table, 400.0).iter().map(|rating| rating * NATURAL).collect();
    let mut rows = Rows::new(table, |_| 0.0);
    let mut state = State::new(table, &strengths, &mut rows.weights);
    for _ in 0..MOST {
        let largest = state.rest.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
        if largest <= NEAR {
            break;
        }
        let hessian = LinearSystem {
            matrix: &|x, image| rows.laplacian(&state.diagonal, x, image),
            diagonal: &state.diagonal,
            right_side: &state.rest,
        };
        let enough = largest / 10.0;
        let step = conjugate_gradients(
            &hessian,
            &|rest| rest.iter().all(|rest| rest.abs() <= enough),
            INSIDE,
        );
        let mut part = 1.0;
        let mut found = None;
        for _ in 0..HALVINGS {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, step)| strength + part * step)
                .collect();
            let after = State::new(table, &next, &mut rows.weights);
            if after.likelihood >= state.likelihood - 1e-12 * state.likelihood.abs() {
                found = Some((next, after));
                break;
            }
            part /= 2.0;
        }
        // No step improves the likelihood: the limit of floating-point precision.
        let Some((next, after)) = found else { break };
        (strengths, state) = (next, after);
    }
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    for strength in &mut strengths {
        *strength -= mean;
    }
    strengths
}

/// The derivatives of the likelihood at given strengths.
struct State {
    /// Each player's points minus the expected points.
    rest: Vec<f64>,
    /// The sum of the variances of each player's games.
    diagonal: Vec<f64>,
    /// The log likelihood of all games, each counted once.
    likelihood: f64,
}

impl State {
    /// Computes the state, and writes the variance of each pair's games into `variances`.
    fn new(table: &PairingTable, strengths: &[f64], variances: &mut [f64]) -> State {
        let count = table.len();
        let mut state =
            State { rest: vec![0.0; count], diagonal: vec![0.0; count], likelihood: 0.0 };
        for player in 0..count {
            let own = strengths[player];
            let (mut rest, mut diagonal, mut likelihood) = (0.0, 0.0, 0.0);
            let pairs = table.opponents(player).iter();
            for (pair, variance) in pairs.zip(&mut variances[table.range(player)]) {
                // One exponential serves both sides: the other side has its inverse.
                let power = (strengths[pair.opponent as usize] - own).exp();
                let expected = 1.0 / (1.0 + power);
                let games = pair.games();
                *variance = games * expected * (1.0 - expected);
                rest += pair.won - games * expected;
                diagonal += *variance;
                if pair.won > 0.0 {
                    likelihood -= pair.won * power.ln_1p();
                }
            }
            (state.rest[player], state.diagonal[player]) = (rest, diagonal);
            state.likelihood += likelihood;
        }
        state
    }
}
