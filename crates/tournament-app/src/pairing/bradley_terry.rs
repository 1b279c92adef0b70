//! The model of Zermelo, Bradley and Terry: strengths for which everybody's expected points are his points.

use super::gradients::conjugate_gradients;
use super::linear::linear;
use super::table::PairingTable;

/// Points that expected and actual ones may differ by.
const NEAR: f64 = 1e-9;

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
    let mut rest = gradient(table, &strengths);
    for _ in 0..MOST {
        let largest = rest.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
        if largest <= NEAR {
            break;
        }
        // The weight of a pair: games times the variance of one.
        let hessian = |x: &[f64], image: &mut [f64]| {
            for (player, image) in image.iter_mut().enumerate() {
                let pairs = table.opponents(player).iter();
                *image = pairs
                    .map(|pair| {
                        let other = pair.opponent as usize;
                        weight(pair.games(), strengths[player] - strengths[other])
                            * (x[player] - x[other])
                    })
                    .sum();
            }
        };
        let diagonal: Vec<f64> = (0..count)
            .map(|player| {
                let pairs = table.opponents(player).iter();
                let of = |other: u32| strengths[player] - strengths[other as usize];
                pairs.map(|pair| weight(pair.games(), of(pair.opponent))).sum()
            })
            .collect();
        let enough = largest / 10.0;
        let is_enough = |rest: &[f64]| rest.iter().all(|rest| rest.abs() <= enough);
        let step = conjugate_gradients(&hessian, &diagonal, &rest, &is_enough, INSIDE);
        let before = likelihood(table, &strengths);
        let mut part = 1.0;
        for _ in 0..HALVINGS {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, step)| strength + part * step)
                .collect();
            if likelihood(table, &next) >= before - 1e-12 * before.abs() {
                strengths = next;
                break;
            }
            part /= 2.0;
        }
        rest = gradient(table, &strengths);
    }
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    for strength in &mut strengths {
        *strength -= mean;
    }
    strengths
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn weight(games: f64, difference: f64) -> f64 {
    let expected = expected(difference);
    games * expected * (1.0 - expected)
}

/// Everybody's points less those that his strength lets expect.
fn gradient(table: &PairingTable, strengths: &[f64]) -> Vec<f64> {
    (0..table.len())
        .map(|player| {
            let pairs = table.opponents(player).iter();
            pairs
                .map(|pair| {
                    let difference = strengths[player] - strengths[pair.opponent as usize];
                    pair.won - pair.games() * expected(difference)
                })
                .sum()
        })
        .collect()
}

/// The logarithm of the likelihood of all games, each told once.
fn likelihood(table: &PairingTable, strengths: &[f64]) -> f64 {
    let of_player = |player: usize| -> f64 {
        let pairs = table.opponents(player).iter();
        let log = |difference: f64| -> f64 { -(-difference).exp().ln_1p() };
        pairs
            .filter(|pair| pair.won > 0.0)
            .map(|pair| pair.won * log(strengths[player] - strengths[pair.opponent as usize]))
            .sum()
    };
    (0..table.len()).map(of_player).sum()
}
