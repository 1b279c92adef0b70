//! Computes simultaneous interval ratings: least squares of score differences by rating differences
//! (Massey; with additional drawn games, Colley).

use super::gradients::{LinearSystem, conjugate_gradients};
use super::rows::Rows;
use super::table::PairingTable;

/// Largest difference (points) between rating and performance.
const NEAR: f64 = 0.001;

/// Largest number of steps.
const MOST: usize = 10_000;

/// Computes ratings that equal their performances `Rc + K (2P - 1)` (11), (12), with mean 0. The
/// players must be connected by games. `scale` is K (points).
///
/// ```
/// use tournament_app::pairing::{PairingTable, linear};
///
/// let one_game = PairingTable::new(2, [(0, 1, 1.0)]);
/// assert_eq!(linear(&one_game, 400.0), [200.0, -200.0]);
/// ```
pub fn linear(table: &PairingTable, scale: f64) -> Vec<f64> {
    let players = 0..table.len();
    let games: Vec<f64> = players.clone().map(|player| table.games(player)).collect();
    let wanted: Vec<f64> =
        players.map(|player| scale * (table.won(player) - table.lost(player))).collect();
    // The Laplacian of the games is singular, but the right-hand side sums to 0.
    let rows = Rows::new(table, |pair| pair.games());
    let system = LinearSystem {
        matrix: &|x, image| rows.laplacian(&games, x, image),
        diagonal: &games,
        right_side: &wanted,
    };
    let near = NEAR * (scale / 400.0).abs().min(1.0) * 1e-3;
    let mut ratings = conjugate_gradients(
        &system,
        &|rest| rest.iter().zip(&games).all(|(rest, games)| rest.abs() <= near * games.max(1.0)),
        MOST,
    );
    let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
    for rating in &mut ratings {
        *rating -= mean;
    }
    ratings
}
