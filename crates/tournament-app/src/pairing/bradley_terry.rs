//! The model of Zermelo, Bradley and Terry: strengths for which everybody's expected points are his points.

use super::gradients::{LinearSystem, conjugate_gradients};
use super::linear::linear;
use super::rows::Rows;
use super::table::PairingTable;

/// Points that expected and actual ones may differ by.
const NEAR: f64 = 1e-7;

/// Newton's steps, those of each solution inside, and how often a step is halved.
const MOST: usize = 100;
const INSIDE: usize = 1_000;
const HALVINGS: usize = 40;

/// Points of 400 to ten times the odds.
const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// Natural logarithms of the strengths, around a mean of nought: of strongly joined players.
pub fn bradley_terry(table: &PairingTable) -> Vec<f64> {
    let count = table.len();
    let mut strengths: Vec<f64> =
        linear(table, 400.0).iter().map(|rating| rating * NATURAL).collect();
    let mut rows = Rows::of(table, |_| 0.0);
    let mut state = State::of(table, &strengths, &mut rows.weights);
    for _ in 0..MOST {
        let largest = state.rest.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
        if largest <= NEAR {
            break;
        }
        let hessian = |x: &[f64], image: &mut [f64]| rows.laplacian(&state.diagonal, x, image);
        let enough = largest / 10.0;
        let is_enough = |rest: &[f64]| rest.iter().all(|rest| rest.abs() <= enough);
        let system =
            LinearSystem { matrix: &hessian, diagonal: &state.diagonal, right_side: &state.rest };
        let step = conjugate_gradients(&system, &is_enough, INSIDE);
        let mut part = 1.0;
        let mut found = None;
        for _ in 0..HALVINGS {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, step)| strength + part * step)
                .collect();
            let after = State::of(table, &next, &mut rows.weights);
            if after.likelihood >= state.likelihood - 1e-12 * state.likelihood.abs() {
                found = Some((next, after));
                break;
            }
            part /= 2.0;
        }
        // Nothing is better: as near as numbers can tell.
        let Some((next, after)) = found else { break };
        (strengths, state) = (next, after);
    }
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    for strength in &mut strengths {
        *strength -= mean;
    }
    strengths
}

/// What strengths make of a table.
struct State {
    /// Everybody's points less those that his strength lets expect.
    rest: Vec<f64>,
    /// By player, the sum of the variances of his games.
    diagonal: Vec<f64>,
    /// The logarithm of the likelihood of all games, each told once.
    likelihood: f64,
}

impl State {
    /// Also writes the variance of each pair's games.
    fn of(table: &PairingTable, strengths: &[f64], variances: &mut [f64]) -> State {
        let count = table.len();
        let mut state =
            State { rest: vec![0.0; count], diagonal: vec![0.0; count], likelihood: 0.0 };
        for player in 0..count {
            let own = strengths[player];
            let (mut rest, mut diagonal, mut likelihood) = (0.0, 0.0, 0.0);
            let pairs = table.opponents(player).iter();
            for (pair, variance) in pairs.zip(&mut variances[table.range(player)]) {
                // One power for all: e^-d, of which the other side has the inverse.
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
