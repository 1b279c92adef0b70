//! Simultaneous ratio ratings: an eigenvector, akin to Keener's.
//!
//! The source finds that (16), used on all at once, does not converge. True of the numbers, not of their proportions: each step multiplies all by one
//! eigenvalue (Perron and Frobenius). Since that is 1 only by accident these ratings are not self-consistent, and not those of
//! Bradley and Terry.

use super::table::PairingTable;

/// Ratings of one geometric mean, and what a step multiplies them by.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioRatings {
    /// Positive ratings with the geometric mean 1.
    pub ratings: Vec<f64>,
    /// The eigenvalue.
    pub lambda: f64,
}

/// Relative change below which proportions stand, and steps after which they are taken as they are.
const TOLERANCE: f64 = 1e-12;
const MOST: usize = 20_000;

/// Solves `lambda R = (W / L) mean(R of the opponents)` for strongly joined players, each of whom won and lost something. A single player has 1.
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
        // Both sums are of positive numbers, so that their ratio lies between the smallest factor and the largest.
        lambda = next.iter().sum::<f64>() / ratings.iter().sum::<f64>();
        let mut change = 0.0_f64;
        for (rating, next) in ratings.iter_mut().zip(&next) {
            // Half a step: whole ones swing for ever where two camps meet only each other.
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

/// `(W / L) mean(R of the opponents)`, (16) to (18), of everybody who lost something.
fn step(table: &PairingTable, ratings: &[f64], next: &mut [f64]) {
    for (player, next) in next.iter_mut().enumerate() {
        let pairs = table.opponents(player).iter();
        let sum: f64 = pairs.map(|pair| pair.games() * ratings[pair.opponent as usize]).sum();
        *next = table.won(player) / table.lost(player) * sum / table.games(player);
    }
}

/// Why ratings around a fixed one cannot be found: what a step multiplies those of the others by, which is 1 or more.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the others' ratings grow without limit: each step multiplies them by {0:.4}")]
pub struct Grows(pub f64);

/// The ratings of the others where an undefeated player is held at one: `R = (W / L) mean(R of the opponents)` for everybody else, who each won and
/// lost something.
///
/// Also the spectral radius: what a step multiplies the others' ratings by if the held one had none.
///
/// # Errors
///
/// Where what the others have from each other grows by itself, or somebody else has no games or no losses.
pub fn ratio_beside(
    table: &PairingTable,
    held: u32,
    rating: f64,
) -> Result<(Vec<f64>, f64), Grows> {
    let held = held as usize;
    // Who lost nothing, be it that he did not play, has no quotient.
    if (0..table.len()).any(|player| player != held && table.lost(player) <= 0.0) {
        return Err(Grows(f64::INFINITY));
    }
    // What a step does without the held one.
    let mut alone = vec![1.0; table.len()];
    let mut next = vec![0.0; table.len()];
    let mut radius = 0.0;
    for _ in 0..MOST {
        alone[held] = 0.0;
        step(table, &alone, &mut next);
        next[held] = 0.0;
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
    // Nothing that is no number is a solution.
    if !(0.0..1.0).contains(&radius) {
        return Err(Grows(radius));
    }
    let mut ratings = vec![rating; table.len()];
    for _ in 0..MOST {
        step(table, &ratings, &mut next);
        next[held] = rating;
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
    fn numbers_grow_by_lambda_while_proportions_stand() {
        let found = ratio(&PairingTable::of(4, TABLE_1));
        assert!((found.lambda - 1.172_717).abs() < 5e-7, "{found:?}");
        let sum: f64 = found.ratings.iter().sum();
        let parts: Vec<f64> =
            found.ratings.iter().map(|rating| (rating / sum * 1e4).round() / 1e4).collect();
        assert_eq!(parts, [0.3624, 0.3624, 0.0538, 0.2213]);
        // Sixty whole steps from 1, as printed: 22491.4 22491.4 3337.97 13734.7.
        let table = PairingTable::of(4, TABLE_1);
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
    fn an_undefeated_player_holds_the_others_where_they_do_not_grow_by_themselves() {
        // E, who beat A and is held at 1.
        let games = TABLE_1.into_iter().chain([(4, 0, 1.0)]);
        let (found, radius) = ratio_beside(&PairingTable::of(5, games), 4, 1.0).unwrap();
        assert!((radius - 0.8767).abs() < 5e-5, "{radius}");
        for (found, of_35) in found.iter().zip([23.0, 32.0, 5.0, 20.0, 35.0]) {
            assert!((found - of_35 / 35.0).abs() < 1e-9, "{found}");
        }
        // The four are joined to nobody who is held: they grow by 1.17 each step.
        let games = TABLE_1.into_iter().chain([(4, 5, 1.0), (5, 6, 1.0), (6, 5, 1.0)]);
        let alone = ratio_beside(&PairingTable::of(7, games), 4, 1.0).unwrap_err();
        assert!((alone.0 - 1.172_717).abs() < 1e-4, "{alone:?}");
        // Somebody without games has no rating.
        assert!(ratio_beside(&PairingTable::of(3, [(0, 1, 1.0)]), 0, 1.0).is_err());
    }
}
