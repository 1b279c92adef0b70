//! Rates all players from all games at once, by maximum likelihood: each player's expected score
//! equals his score. No system can learn much more from the games.
//!
//! Each player gets one additional drawn game against the mean of all players, so that a player who
//! won all games has a rating too. The solver is Newton's method with conjugate gradients, which
//! also finds the relative level of two groups that rarely meet.

use std::marker::PhantomData;

use crate::systems::elo::formulas::Expectancy;
use crate::systems::logistic::NATURAL;
use crate::systems::mean::mean;
use crate::systems::running::{RoundGame, Running};
use crate::tournament::expectation;

/// A curve of expected scores.
pub(super) trait ExpectationCurve: Send {
    /// Expected score, in `[0, 1]`, of a player who is rated `difference` points higher.
    fn expected(difference: f64) -> f64;

    /// Approximate slope of the curve (per point) where the expected score is `expected`.
    fn slope(expected: f64) -> f64;
}

pub(super) struct PraCurve;

impl ExpectationCurve for PraCurve {
    fn expected(difference: f64) -> f64 {
        expectation(difference)
    }

    /// The derivative of the curve's pieces. It is bounded at their cusps, where the true slope is
    /// infinite.
    fn slope(expected: f64) -> f64 {
        let favourite = expected.max(1.0 - expected);
        let slope = if favourite < 0.6 {
            1.0 / (30_000.0 * (0.6 - favourite))
        } else if favourite <= 0.9 {
            0.001
        } else {
            1.0 / (270_000.0 * (favourite - 0.9))
        };
        slope.min(STEEPEST)
    }
}

pub(super) struct LogisticCurve;

impl ExpectationCurve for LogisticCurve {
    fn expected(difference: f64) -> f64 {
        Expectancy::Logistic.expected(difference)
    }

    fn slope(expected: f64) -> f64 {
        (expected * (1.0 - expected) * NATURAL).max(LEAST)
    }
}

/// All games so far, and the ratings that follow from them.
pub(super) struct SimultaneousSolver<C> {
    games: Vec<RoundGame>,
    /// Slope of the curve in each game, kept to reuse its memory.
    slopes: Vec<f64>,
    /// The last solution: ratings (points).
    ratings: Vec<f64>,
    /// Mean of all ratings (points).
    mean: f64,
    /// Whether games were added after the last solution.
    is_stale: bool,
    curve: PhantomData<C>,
}

/// The solver ends when no rating changes by this much (points). Judged: far below the error of any
/// rating, and a smaller one may cost another step.
const TOLERANCE: f64 = 0.2;
/// Most steps of Newton's method. A bound only: it usually ends earlier.
const STEPS: usize = 60;
/// Most points by which a step moves a rating. Judged: the curves are far from straight beyond it.
const LONGEST: f64 = 300.0;
/// Most iterations of conjugate gradients in a step, and the residual, relative to the initial one,
/// at which they end.
const INNER: usize = 60;
const INNER_TOLERANCE: f64 = 0.2;
/// The bounds of the slope that the solver uses: the PRA's curve has cusps, Elo's curve is flat at
/// its ends.
const STEEPEST: f64 = 0.003;
const LEAST: f64 = 1e-6;

/// Sums of the halves are added in a fixed order, so results do not depend on the number of
/// threads.
fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Sums over games, for each player: score minus expected score, and slope of the curve. Also
/// writes the slope of each game.
fn residuals<C: ExpectationCurve>(
    games: &[RoundGame],
    ratings: &[f64],
    slopes: &mut [f64],
) -> (Vec<f64>, Vec<f64>) {
    let (mut rest, mut diagonal) = (vec![0.0; ratings.len()], vec![0.0; ratings.len()]);
    for (game, kept) in games.iter().zip(slopes) {
        let (a, b) = (game.white as usize, game.black as usize);
        let expected = C::expected(ratings[a] - ratings[b]);
        let surprise = f64::from(game.score) - expected;
        rest[a] += surprise;
        rest[b] -= surprise;
        let slope = C::slope(expected);
        *kept = slope;
        diagonal[a] += slope;
        diagonal[b] += slope;
    }
    (rest, diagonal)
}

/// The image of `direction` under the part of the matrix outside its diagonal.
fn off_diagonal(games: &[RoundGame], slopes: &[f64], direction: &[f64]) -> Vec<f64> {
    let mut image = vec![0.0; direction.len()];
    for (game, slope) in games.iter().zip(slopes) {
        let (a, b) = (game.white as usize, game.black as usize);
        image[a] -= slope * direction[b];
        image[b] -= slope * direction[a];
    }
    image
}

impl<C: ExpectationCurve> SimultaneousSolver<C> {
    /// Starts from these ratings (points).
    pub fn new(start: &[f64]) -> SimultaneousSolver<C> {
        SimultaneousSolver {
            games: Vec::new(),
            slopes: Vec::new(),
            ratings: start.to_vec(),
            mean: mean(start),
            is_stale: false,
            curve: PhantomData,
        }
    }

    fn solve(&mut self) {
        let players = self.ratings.len();
        let mut rest = vec![0.0; players];
        let mut diagonal = vec![0.0; players];
        let mut before = vec![0.0; players];
        for _ in 0..STEPS {
            for player in 0..players {
                let expected = C::expected(self.ratings[player] - self.mean);
                rest[player] = 0.5 - expected;
                diagonal[player] = C::slope(expected);
            }
            self.slopes.resize(self.games.len(), 0.0);
            let (first, second) = self.games.split_at(self.games.len() / 2);
            let (first_slopes, second_slopes) = self.slopes.split_at_mut(first.len());
            let ratings = &self.ratings;
            let halves = rayon::join(
                || residuals::<C>(first, ratings, first_slopes),
                || residuals::<C>(second, ratings, second_slopes),
            );
            for (more_rest, more_diagonal) in [halves.0, halves.1] {
                add(&mut rest, &more_rest);
                add(&mut diagonal, &more_diagonal);
            }
            let mut largest: f64 = 0.0;
            let steps = self.step(&rest, &diagonal);
            for ((rating, before), step) in self.ratings.iter_mut().zip(&mut before).zip(steps) {
                let step = step.clamp(-LONGEST, LONGEST);
                // Halve the step of a rating that oscillates around a cusp.
                let step = if step * *before < 0.0 {
                    step.clamp(-before.abs() / 2.0, before.abs() / 2.0)
                } else {
                    step
                };
                *before = step;
                *rating += step;
                largest = largest.max(step.abs());
            }
            if largest < TOLERANCE {
                break;
            }
        }
    }

    /// Newton's step: the changes that would make all expected scores equal to the scores if the
    /// curve were straight.
    fn step(&self, rest: &[f64], diagonal: &[f64]) -> Vec<f64> {
        let players = rest.len();
        let mut step = vec![0.0; players];
        let mut rest = rest.to_vec();
        let mut direction: Vec<f64> = rest.iter().zip(diagonal).map(|(r, d)| r / d).collect();
        let mut size = dot(&rest, &direction);
        let enough = size * INNER_TOLERANCE * INNER_TOLERANCE;
        let mut image = vec![0.0; players];
        for _ in 0..INNER {
            if size <= enough || size <= f64::MIN_POSITIVE {
                break;
            }
            let (first, second) = self.games.split_at(self.games.len() / 2);
            let (first_slopes, second_slopes) = self.slopes.split_at(first.len());
            let halves = rayon::join(
                || off_diagonal(first, first_slopes, &direction),
                || off_diagonal(second, second_slopes, &direction),
            );
            for player in 0..players {
                image[player] = diagonal[player] * direction[player];
            }
            add(&mut image, &halves.0);
            add(&mut image, &halves.1);
            let along = size / dot(&direction, &image);
            for player in 0..players {
                step[player] += along * direction[player];
                rest[player] -= along * image[player];
            }
            let next: Vec<f64> = rest.iter().zip(diagonal).map(|(r, d)| r / d).collect();
            let next_size = dot(&rest, &next);
            let turn = next_size / size;
            size = next_size;
            for (direction, next) in direction.iter_mut().zip(&next) {
                *direction = next + turn * *direction;
            }
        }
        step
    }
}

impl<C: ExpectationCurve> Running for SimultaneousSolver<C> {
    fn play(&mut self, round: &[RoundGame]) {
        self.games.extend_from_slice(round);
        self.is_stale = true;
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        if self.is_stale {
            self.solve();
            self.is_stale = false;
        }
        ratings.clone_from(&self.ratings);
    }

    fn keeps_rounds(&self) -> usize {
        usize::MAX
    }

    /// Removes the leaving player's games.
    fn replace(&mut self, player: u32, rating: f64) {
        self.games.retain(|game| game.white != player && game.black != player);
        self.ratings[player as usize] = rating;
        self.is_stale = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_scores_equal_scores() {
        let games: Vec<RoundGame> = (0..12u32)
            .flat_map(|white| {
                (0..12u32).filter(move |black| *black != white).map(move |black| (white, black))
            })
            .map(|(white, black)| {
                let score = f32::from((white * 7 + black * 3) % 5 < 3);
                RoundGame { white, black, score }
            })
            .collect();
        let mut solved = Vec::new();
        let mut yardstick: SimultaneousSolver<PraCurve> = SimultaneousSolver::new(&[1500.0; 12]);
        yardstick.play(&games);
        yardstick.ratings(&mut solved);
        for player in 0..12u32 {
            let rest: f64 = games
                .iter()
                .filter(|game| game.white == player || game.black == player)
                .map(|game| {
                    let ahead = solved[game.white as usize] - solved[game.black as usize];
                    let surprise = f64::from(game.score) - expectation(ahead);
                    if game.white == player { surprise } else { -surprise }
                })
                .sum();
            let with_draw = rest + 0.5 - expectation(solved[player as usize] - 1500.0);
            assert!(with_draw.abs() < 0.01, "{player}: {with_draw}");
        }
    }
}
