//! Computes ratings game by game within one event: the Basic System of the PRA for P-Zeros, and Elo
//! ratings for the column *Elo after*.

use super::event::Game;
use super::expectation::expectation;

/// K-factor of the Basic System (rating points per point scored). Source: Berard, the PRA paper.
pub const K_BASIC: f64 = 9.0;

/// Usual K-factor of the Elo ratings (rating points per point scored). Source: Berard, the PRA
/// paper, whose tables of *Elo after* all have it.
pub const K_ELO: f64 = 10.0;

/// The K-factors (rating points per point scored) that are possible.
pub const K_FACTORS: std::ops::RangeInclusive<f64> = 1.0..=100.0;

/// Computes P-Zeros (rating points): every player starts at 0, and the games are rated in order.
///
/// The P-Zeros sum to 0 up to rounding. Source: Berard, *The Performance Rating Algorithm*.
pub fn p_zeros<'a>(players: usize, games: impl IntoIterator<Item = &'a Game>) -> Vec<f64> {
    let mut ratings = vec![0.0; players];
    run(&mut ratings, games);
    ratings
}

/// The effect of one game on the P-Zeros (rating points).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// White's P-Zero before the game.
    pub white_before: f64,
    /// Black's P-Zero before the game.
    pub black_before: f64,
    /// White's expected score, in `(0, 1)`.
    pub expected: f64,
    /// The points that White gained and Black lost.
    pub gain: f64,
}

/// Computes the effect of each game on the P-Zeros.
pub fn p_zero_gains<'a>(players: usize, games: impl IntoIterator<Item = &'a Game>) -> Vec<Gain> {
    let mut ratings = vec![0.0; players];
    let steps = games.into_iter().map(|game| {
        let (white_before, black_before) = (ratings[game.white], ratings[game.black]);
        let expected = expectation(white_before - black_before);
        run(&mut ratings, [game]);
        Gain { white_before, black_before, expected, gain: ratings[game.white] - white_before }
    });
    steps.collect()
}

/// Computes PRA ratings after the event from the initial ratings.
pub fn pra_after<'a>(initial: &[f64], games: impl IntoIterator<Item = &'a Game>) -> Vec<f64> {
    let mut ratings = initial.to_vec();
    run(&mut ratings, games);
    ratings
}

/// Computes the column *Elo after*: Elo ratings updated game by game with the K-factor `k` (rating
/// points per point scored).
///
/// The logistic expectation is that of the running PRA ratings, not of the Elo ratings themselves.
/// Source: Berard, the PRA paper.
pub fn elo_after<'a>(
    initial: &[f64],
    games: impl IntoIterator<Item = &'a Game>,
    k: f64,
) -> Vec<f64> {
    let (mut elo, mut pra) = (initial.to_vec(), initial.to_vec());
    for game in games {
        let gain = k * (game.white_score - logistic(pra[game.white] - pra[game.black]));
        elo[game.white] += gain;
        elo[game.black] -= gain;
        run(&mut pra, [game]);
    }
    elo
}

fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-difference / 400.0))
}

/// Rates games in order by the Basic System. Both players of a game change by the same amount,
/// computed from their ratings before the game.
fn run<'a>(ratings: &mut [f64], games: impl IntoIterator<Item = &'a Game>) {
    for game in games {
        let expected = expectation(ratings[game.white] - ratings[game.black]);
        let gain = K_BASIC * (game.white_score - expected);
        ratings[game.white] += gain;
        ratings[game.black] -= gain;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn games() -> impl Strategy<Value = Vec<Game>> {
        prop::collection::vec((0usize..8, 1usize..8, 0u8..3), 0..200).prop_map(|raw| {
            raw.into_iter()
                .map(|(white, step, half)| {
                    Game::new(white, (white + step) % 8, f64::from(half) / 2.0)
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn p_zeros_sum_to_zero(games in games()) {
            let sum: f64 = p_zeros(8, &games).iter().sum();
            prop_assert!(sum.abs() < 1e-9);
        }

        #[test]
        fn gains_sum_to_the_p_zeros(games in games()) {
            let mut sums = [0.0; 8];
            for (game, gain) in games.iter().zip(p_zero_gains(8, &games)) {
                sums[game.white] += gain.gain;
                sums[game.black] -= gain.gain;
            }
            for (sum, p_zero) in sums.iter().zip(p_zeros(8, &games)) {
                prop_assert!((sum - p_zero).abs() < 1e-9);
            }
        }

        #[test]
        fn the_sum_of_ratings_is_constant(games in games()) {
            let initial = [2500.0, 2600.0, 2450.0, 2700.0, 2550.0, 2510.0, 2400.0, 2650.0];
            for after in [pra_after(&initial, &games), elo_after(&initial, &games, K_ELO)] {
                let change = after.iter().sum::<f64>() - initial.iter().sum::<f64>();
                prop_assert!(change.abs() < 1e-8);
            }
        }
    }
}
