//! Self-consistent performance ratings, the limit of Elo's successive approximations.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition). The
//! solution by conjugate gradients is ours: successive approximations slow down long before they
//! converge, so the size of a step says nothing about the remaining error.

use super::formulas::Expectancy;
use crate::systems::simultaneous::Encounters;
use crate::tournament::pairing::{LinearSystem, conjugate_gradients};

/// Maximum number of iterations. A safeguard: conjugate gradients need at most one for each player,
/// apart from rounding, and in connected pools far fewer.
const MOST: usize = 10_000;

/// One successive approximation. Each rating becomes the weighted mean of the opponents' ratings
/// plus the difference for the score. Scores stay half a point from 0% and 100%.
pub(super) fn approximate(
    encounters: &Encounters,
    expectancy: Expectancy,
    ratings: &[f64],
) -> Vec<f64> {
    let mut next = ratings.to_vec();
    encounters.step(ratings, &mut next, |mean, fraction, games| {
        mean + expectancy.difference(capped(fraction, games))
    });
    next
}

/// A fraction of the points of this many games, at least half a point from 0 and 1.
pub(super) fn capped(fraction: f64, games: f64) -> f64 {
    let half = 0.5 / games.max(1.0);
    fraction.clamp(half, 1.0 - half)
}

fn sum_of(set: &[u32], values: &[f64]) -> f64 {
    set.iter().map(|player| values[*player as usize]).sum()
}

/// Whether no residual of the equations, divided by the player's games, exceeds the tolerance
/// (points).
fn is_within_tolerance(rest: &[f64], games: &[f64], tolerance: f64) -> bool {
    rest.iter().zip(games).all(|(rest, games)| rest.abs() <= tolerance * games)
}

/// The self-consistent ratings around a mean (points), separately for each connected set of
/// players. No rating differs from its next approximation by more than the tolerance (points),
/// apart from the shift common to all. Players without games have the mean.
pub(super) fn self_consistent(
    encounters: &Encounters,
    expectancy: Expectancy,
    mean: f64,
    tolerance: f64,
) -> Vec<f64> {
    let players = encounters.len();
    let none = vec![0.0; players];
    let mut games = vec![0.0; players];
    encounters.step(&none, &mut games, |_, _, games| games);
    let mut wanted = vec![0.0; players];
    encounters.step(&none, &mut wanted, |_, fraction, games| {
        games * expectancy.difference(capped(fraction, games))
    });
    let sets = encounters.components();
    for set in &sets {
        // The shift of all ratings by one approximation (23).
        let drift = sum_of(set, &wanted) / sum_of(set, &games).max(1.0);
        for player in set {
            wanted[*player as usize] -= drift * games[*player as usize];
        }
    }
    let system = LinearSystem {
        // The Laplacian of the games.
        matrix: &|x: &[f64], image: &mut [f64]| {
            encounters.step(x, image, |mean, _, games| games * mean);
            for ((image, x), games) in image.iter_mut().zip(x).zip(&games) {
                *image = if *games > 0.0 { games * x - *image } else { 0.0 };
            }
        },
        diagonal: &games,
        right_side: &wanted,
    };
    let mut ratings =
        conjugate_gradients(&system, &|rest| is_within_tolerance(rest, &games, tolerance), MOST);
    for set in &sets {
        let own = sum_of(set, &ratings) / set.len() as f64;
        for player in set {
            ratings[*player as usize] += mean - own;
        }
    }
    ratings
}

/// The self-consistent ratings (points) of the players without a known rating. The known ratings
/// stay the same.
///
/// Each connected set of players must contain a known rating. No rating differs from its next
/// approximation by more than the tolerance (points). Players without games who are not known have
/// 0.
pub(super) fn self_consistent_against(
    known: &[Option<f64>],
    encounters: &Encounters,
    expectancy: Expectancy,
    tolerance: f64,
) -> Vec<f64> {
    let players = encounters.len();
    let fixed: Vec<f64> = known.iter().map(|known| known.unwrap_or(0.0)).collect();
    let mut games = vec![0.0; players];
    encounters.step(&vec![0.0; players], &mut games, |_, _, games| games);
    let mut wanted = vec![0.0; players];
    encounters.step(&fixed, &mut wanted, |mean, fraction, games| {
        games * (mean + expectancy.difference(capped(fraction, games)))
    });
    for ((wanted, games), known) in wanted.iter_mut().zip(&mut games).zip(known) {
        if known.is_some() || *games == 0.0 {
            (*wanted, *games) = (0.0, 1.0);
        }
    }
    let system = LinearSystem {
        // Known ratings keep 0, so they do not enter the other players' equations.
        matrix: &|x: &[f64], image: &mut [f64]| {
            encounters.step(x, image, |mean, _, games| games * mean);
            for (place, image) in image.iter_mut().enumerate() {
                let others = if known[place].is_some() { 0.0 } else { *image };
                *image = games[place] * x[place] - others;
            }
        },
        diagonal: &games,
        right_side: &wanted,
    };
    let found =
        conjugate_gradients(&system, &|rest| is_within_tolerance(rest, &games, tolerance), MOST);
    known.iter().zip(found).map(|(known, found)| known.unwrap_or(found)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain in which players only meet their neighbours, so that information travels slowly.
    fn chain(players: u32) -> Encounters {
        let mut games = Vec::new();
        for player in 0..players - 1 {
            for (place, score) in [1.0, 0.5, f64::from(player % 3) / 2.0].into_iter().enumerate() {
                let other = (player + 1 + place as u32).min(players - 1);
                if other != player {
                    games.push((player, other, score, 1.0));
                }
            }
        }
        Encounters::new(players as usize, &games)
    }

    #[test]
    fn ratings_differ_from_the_next_approximation_by_less_than_the_tolerance() {
        for expectancy in [Expectancy::Normal, Expectancy::Logistic] {
            let encounters = chain(400);
            let ratings = self_consistent(&encounters, expectancy, 2000.0, 0.001);
            let next = approximate(&encounters, expectancy, &ratings);
            // An approximation shifts all ratings by the same amount.
            let moves: Vec<f64> = next.iter().zip(&ratings).map(|(next, now)| next - now).collect();
            let games: Vec<f64> = {
                let mut games = vec![0.0; 400];
                encounters.step(&vec![0.0; 400], &mut games, |_, _, games| games);
                games
            };
            let drift = moves.iter().zip(&games).map(|(one, games)| one * games).sum::<f64>()
                / games.iter().sum::<f64>();
            assert!(moves.iter().all(|one| (one - drift).abs() < 0.002), "{drift}");
            let mean = ratings.iter().sum::<f64>() / 400.0;
            assert!((mean - 2000.0).abs() < 1e-6, "{mean}");
        }
    }

    #[test]
    fn approximations_drift_but_self_consistent_ratings_match_the_article() {
        // Table 1: A beats B and C, B beats C and D, D beats A, C and D draw. Logistic curve, start
        // 2200; step 150 (23) gives 843.927 843.927 543.927 753.618. A and B scored two points of
        // three.
        let games = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (1, 3, 1.0), (3, 0, 1.0), (2, 3, 0.5)];
        let games: Vec<(u32, u32, f64, f64)> =
            games.into_iter().map(|(one, other, score)| (one, other, score, 1.0)).collect();
        let encounters = Encounters::new(4, &games);
        let mut ratings = vec![2200.0; 4];
        let mut before = 0.0;
        for step in 0..150 {
            let next = approximate(&encounters, Expectancy::Logistic, &ratings);
            if step == 149 {
                before = next.iter().zip(&ratings).map(|(next, now)| next - now).sum::<f64>() / 4.0;
            }
            ratings = next;
        }
        for (found, printed) in ratings.iter().zip([843.927, 843.927, 543.927, 753.618]) {
            assert!((found - printed).abs() < 5e-4, "{ratings:?}");
        }
        assert!((before + 9.691).abs() < 5e-4, "{before}");
        let found = self_consistent(&encounters, Expectancy::Logistic, 0.0, 1e-9);
        assert!((found[0] - found[2] - 300.0).abs() < 1e-6, "{found:?}");
        assert!((found[0] - found[3] - 90.309).abs() < 5e-4, "{found:?}");
    }

    #[test]
    fn ratings_against_known_ones_are_performances_and_leave_those_alone() {
        // Player 0 is known. Player 1 scores 3 of 4 against player 0, player 2 draws with player 1.
        let games = [(0, 1, 0.25, 4.0), (1, 2, 0.5, 2.0)];
        let encounters = Encounters::new(3, &games);
        let known = [Some(2400.0), None, None];
        let found = self_consistent_against(&known, &encounters, Expectancy::Normal, 1e-9);
        let next = approximate(&encounters, Expectancy::Normal, &found);
        assert_eq!(found[0], 2400.0);
        assert!((next[1] - found[1]).abs() < 1e-6 && (next[2] - found[2]).abs() < 1e-6);
        // 4 of 6 points against a mean of (4 * 2400 + 2 * the own rating) / 6.
        let difference = Expectancy::Normal.difference(4.0 / 6.0);
        assert!((found[1] - 2400.0 - difference * 1.5).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn players_without_games_and_separate_components_have_the_mean() {
        let games = [(0, 1, 1.0, 1.0), (0, 1, 0.5, 1.0), (3, 4, 0.5, 1.0)];
        let found = self_consistent(&Encounters::new(5, &games), Expectancy::Normal, 1500.0, 1e-6);
        assert!((found[0] + found[1] - 3000.0).abs() < 1e-9 && found[0] > 1500.0, "{found:?}");
        assert_eq!(found[2..], [1500.0, 1500.0, 1500.0]);
        assert_eq!(
            self_consistent(&Encounters::new(0, &[]), Expectancy::Normal, 0.0, 0.1),
            [0.0; 0]
        );
    }
}
