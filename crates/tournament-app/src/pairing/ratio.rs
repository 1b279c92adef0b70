//! Computes simultaneous ratio ratings: an eigenvector, similar to Keener's.
//!
//! The source finds that (16), applied to all players at once, does not converge. This holds for
//! the numbers but not for their proportions: each step multiplies all numbers by one eigenvalue
//! (Perron and Frobenius). The eigenvalue is 1 only by accident, so these ratings are not
//! self-consistent, and they differ from Bradley-Terry.

use super::table::PairingTable;

/// Ratings, with the factor of each step.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioRatings {
    /// Positive ratings with the geometric mean 1.
    pub ratings: Vec<f64>,
    /// The eigenvalue: the factor by which a step multiplies all ratings.
    pub lambda: f64,
}

/// Relative change at which the iteration ends, and the largest number of steps.
const TOLERANCE: f64 = 1e-12;
const MOST: usize = 20_000;

/// Solves `lambda R = (W / L) mean(R of the opponents)`. The players must be strongly connected,
/// and each must have won and lost points. A single player has 1.
pub fn ratio(table: &PairingTable) -> RatioRatings {
    let count = table.len();
    if count < 2 {
        return RatioRatings { ratings: vec![1.0; count], lambda: 1.0 };
    }
    let mut ratings = vec![1.0; count];
    let mut next = vec![0.0; count];
    let mut lambda = 1.0;
    for _ in 0..MOST {
        step(table, &ratings, &mut next);
        // Both sums are of positive numbers, so their ratio is between the smallest and the largest
        // factor.
        lambda = next.iter().sum::<f64>() / ratings.iter().sum::<f64>();
        let mut change = 0.0_f64;
        for (rating, next) in ratings.iter_mut().zip(&next) {
            // Half steps, because full steps oscillate if two groups meet only each other.
            let to = (*rating + next / lambda) / 2.0;
            change = change.max((to / *rating - 1.0).abs());
            *rating = to;
        }
        let logarithms: f64 = ratings.iter().map(|rating| rating.ln()).sum();
        let mean = (logarithms / count as f64).exp();
        ratings.iter_mut().for_each(|rating| *rating /= mean);
        if change < TOLERANCE {
            break;
        }
    }
    RatioRatings { ratings, lambda }
}

/// Computes `(W / L) mean(R of the opponents)` of a player who lost points, (16) to (18).
pub(super) fn performance(table: &PairingTable, player: usize, ratings: &[f64]) -> f64 {
    let pairs = table.opponents(player).iter();
    let sum: f64 = pairs.map(|pair| pair.games() * ratings[pair.opponent as usize]).sum();
    table.won(player) / table.lost(player) * sum / table.games(player)
}

/// Computes the performances of all players.
fn step(table: &PairingTable, ratings: &[f64], next: &mut [f64]) {
    for (player, next) in next.iter_mut().enumerate() {
        *next = performance(table, player, ratings);
    }
}

/// The ratings around a fixed one diverge: each step multiplies the others' ratings by this factor,
/// which is 1 or more.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the ratings of the other players grow without limit: each step multiplies them by {0:.4}")]
pub struct Divergence(pub f64);

/// Computes the ratings of the others if an undefeated player's rating is fixed: `R = (W / L)
/// mean(R of the opponents)` for all others, each of whom won and lost points.
///
/// Also returns the spectral radius: the factor of each step for the others if the fixed rating
/// were 0.
///
/// # Errors
///
/// Fails if the ratings grow without limit, or if another player has no games or no losses.
pub fn ratio_with_fixed(
    table: &PairingTable,
    fixed: u32,
    rating: f64,
) -> Result<(Vec<f64>, f64), Divergence> {
    let fixed = fixed as usize;
    // A player who lost nothing, or did not play, has no quotient.
    if (0..table.len()).any(|player| player != fixed && table.lost(player) <= 0.0) {
        return Err(Divergence(f64::INFINITY));
    }
    // The effect of a step without the fixed player.
    let mut alone = vec![1.0; table.len()];
    let mut next = vec![0.0; table.len()];
    let mut radius = 0.0;
    for _ in 0..MOST {
        alone[fixed] = 0.0;
        step(table, &alone, &mut next);
        next[fixed] = 0.0;
        let (sum, before) = (next.iter().sum::<f64>(), alone.iter().sum::<f64>());
        let found = if before > 0.0 { sum / before } else { 0.0 };
        let is_settled = (found - radius).abs() <= TOLERANCE * found.max(1.0);
        radius = found;
        if is_settled || sum <= 0.0 {
            break;
        }
        for (alone, next) in alone.iter_mut().zip(&next) {
            *alone = (*alone / before + next / sum) / 2.0;
        }
    }
    // This also excludes NaN.
    if !(0.0..1.0).contains(&radius) {
        return Err(Divergence(radius));
    }
    let mut ratings = vec![rating; table.len()];
    for _ in 0..MOST {
        step(table, &ratings, &mut next);
        next[fixed] = rating;
        let pairs = ratings.iter().zip(&next);
        let change = pairs.fold(0.0_f64, |most, (one, next)| most.max((next - one).abs()));
        std::mem::swap(&mut ratings, &mut next);
        if change < TOLERANCE * rating {
            break;
        }
    }
    Ok((ratings, radius))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A beats B and C, B beats C and D, D beats A, C and D draw (table 1).
    const TABLE_1: [(u32, u32, f64); 6] =
        [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (1, 3, 1.0), (3, 0, 1.0), (2, 3, 0.5)];

    #[test]
    fn numbers_grow_by_lambda_while_proportions_converge() {
        let found = ratio(&PairingTable::new(4, TABLE_1));
        assert!((found.lambda - 1.172_717).abs() < 5e-7, "{found:?}");
        let sum: f64 = found.ratings.iter().sum();
        let parts: Vec<f64> =
            found.ratings.iter().map(|rating| (rating / sum * 1e4).round() / 1e4).collect();
        assert_eq!(parts, [0.3624, 0.3624, 0.0538, 0.2213]);
        // Sixty full steps from 1, as printed: 22491.4 22491.4 3337.97 13734.7.
        let table = PairingTable::new(4, TABLE_1);
        let (mut ratings, mut next) = (vec![1.0; 4], vec![0.0; 4]);
        for _ in 0..60 {
            step(&table, &ratings, &mut next);
            std::mem::swap(&mut ratings, &mut next);
        }
        let printed = [22491.4, 22491.4, 3337.97, 13734.7];
        for (found, printed) in ratings.iter().zip(printed) {
            assert!((found / printed - 1.0).abs() < 3e-6, "{ratings:?}");
        }
    }

    #[test]
    fn a_fixed_rating_determines_the_others_unless_they_diverge() {
        // E beat A and is fixed at 1.
        let games = TABLE_1.into_iter().chain([(4, 0, 1.0)]);
        let (found, radius) = ratio_with_fixed(&PairingTable::new(5, games), 4, 1.0).unwrap();
        assert!((radius - 0.8767).abs() < 5e-5, "{radius}");
        for (found, of_35) in found.iter().zip([23.0, 32.0, 5.0, 20.0, 35.0]) {
            assert!((found - of_35 / 35.0).abs() < 1e-9, "{found}");
        }
        // The four are not connected to the fixed player, so they grow by 1.17 each step.
        let games = TABLE_1.into_iter().chain([(4, 5, 1.0), (5, 6, 1.0), (6, 5, 1.0)]);
        let alone = ratio_with_fixed(&PairingTable::new(7, games), 4, 1.0).unwrap_err();
        assert!((alone.0 - 1.172_717).abs() < 1e-4, "{alone:?}");
        // A player without games has no rating.
        assert!(ratio_with_fixed(&PairingTable::new(3, [(0, 1, 1.0)]), 0, 1.0).is_err());
    }
}
