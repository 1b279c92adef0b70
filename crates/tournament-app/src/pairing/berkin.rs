//! Computes simultaneous Berkin ratings: fair bets (Daniels; Moon and Pullman), the first step of
//! Luce spectral ranking.

use super::gradients::{LinearSystem, stabilised_gradients};
use super::rows::Rows;
use super::table::PairingTable;

/// Relative tolerance, and the largest number of steps.
const TOLERANCE: f64 = 1e-12;
const MOST: usize = 5_000;

/// Largest relative difference, for each player, between the two sides of the equation. Judged: far
/// more exact than the digits shown, and within reach of floating point.
const NEAR: f64 = 1e-8;

/// Largest number of Gauss-Seidel sweeps, which are used if BiCGSTAB breaks down.
const SWEEPS: usize = 20_000;

/// Computes positive ratings with mean 1 that satisfy `L_i R_i = sum S_ij R_j` (78), (79). The
/// players must be strongly connected. A single player has 1.
pub fn berkin(table: &PairingTable) -> Vec<f64> {
    let count = table.len();
    if count < 2 {
        return vec![1.0; count];
    }
    let lost: Vec<f64> = (0..count).map(|player| table.lost(player)).collect();
    let rows = Rows::new(table, |pair| pair.won);
    // The columns of diag(L) - S sum to 0, so the mean is added as one more condition.
    let mean_lost = lost.iter().sum::<f64>() / count as f64;
    let system = LinearSystem {
        matrix: &|x, image| {
            let of_mean = mean_lost * x.iter().sum::<f64>() / count as f64;
            rows.laplacian(&lost, x, image);
            image.iter_mut().for_each(|image| *image += of_mean);
        },
        diagonal: &lost,
        right_side: &vec![mean_lost; count],
    };
    let solved = stabilised_gradients(&system, vec![1.0; count], TOLERANCE, MOST);
    let found = solved
        .filter(|ratings| ratings.iter().all(|rating| rating.is_finite() && *rating > 0.0))
        .unwrap_or_else(|| vec![1.0; count]);
    // The total residual depends very little on players far below the others, so each equation is
    // checked.
    let mut image = vec![0.0; count];
    rows.times(&found, &mut image);
    let is_solved = (0..count).all(|player| {
        let given = found[player] * lost[player];
        (image[player] - given).abs() <= NEAR * found[player] * lost[player]
    });
    let mut ratings = if is_solved { found } else { by_sweeps(table, &lost, found) };
    let mean = ratings.iter().sum::<f64>() / count as f64;
    for rating in &mut ratings {
        *rating /= mean;
    }
    ratings
}

/// Solves by Gauss-Seidel sweeps.
fn by_sweeps(table: &PairingTable, lost: &[f64], start: Vec<f64>) -> Vec<f64> {
    let mut ratings = start;
    for _ in 0..SWEEPS {
        let mut change = 0.0_f64;
        for player in 0..table.len() {
            let pairs = table.opponents(player).iter();
            let taken: f64 = pairs.map(|pair| pair.won * ratings[pair.opponent as usize]).sum();
            let next = taken / lost[player];
            change = change.max((next / ratings[player] - 1.0).abs());
            ratings[player] = next;
        }
        if change < TOLERANCE {
            break;
        }
    }
    ratings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_neighbours_has_equal_steps() {
        // Each player scores nine of ten against the next, so each is nine times as strong: 381.7
        // points.
        let games = (0..24)
            .flat_map(|one| (0..10).map(move |game| (one, one + 1, f64::from(u8::from(game < 9)))));
        let found = berkin(&PairingTable::new(25, games));
        for two in found.windows(2) {
            assert!((two[0] / two[1] - 9.0).abs() < 1e-3, "{found:?}");
        }
    }

    #[test]
    fn sweeps_give_the_same_ratings() {
        let games = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (1, 3, 1.0), (3, 0, 1.0), (2, 3, 0.5)];
        let table = PairingTable::new(4, games);
        let lost: Vec<f64> = (0..4).map(|player| table.lost(player)).collect();
        let (one, other) = (berkin(&table), by_sweeps(&table, &lost, vec![1.0; 4]));
        for place in 0..4 {
            assert!((one[place] / one[0] - other[place] / other[0]).abs() < 1e-9);
        }
    }
}
