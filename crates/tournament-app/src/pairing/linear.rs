//! Simultaneous interval ratings: least squares of score differences by rating differences (Massey; with drawn games beside, Colley).

use super::gradients::{LinearSystem, conjugate_gradients};
use super::rows::Rows;
use super::table::PairingTable;

/// Points that a rating may differ from the performance.
const NEAR: f64 = 0.001;

/// Steps after which ratings are taken as they are.
const MOST: usize = 10_000;

/// Ratings whose performances `Rc + K (2P - 1)` they are themselves (11), (12), around a mean of nought: of joined players, each with games.
/// `scale` is K (points).
///
/// ```
/// use tournament_app::pairing::{PairingTable, linear};
///
/// let one_game = PairingTable::of(2, [(0, 1, 1.0)]);
/// assert_eq!(linear(&one_game, 400.0), [200.0, -200.0]);
/// ```
pub fn linear(table: &PairingTable, scale: f64) -> Vec<f64> {
    let players = 0..table.len();
    let games: Vec<f64> = players.clone().map(|player| table.games(player)).collect();
    let wanted: Vec<f64> =
        players.map(|player| scale * (table.won(player) - table.lost(player))).collect();
    // The Laplacian of the games: singular, but what is wanted sums to nought.
    let rows = Rows::of(table, |pair| pair.games());
    let laplacian = |x: &[f64], image: &mut [f64]| rows.laplacian(&games, x, image);
    let near = NEAR * (scale / 400.0).abs().min(1.0) * 1e-3;
    let is_enough = |rest: &[f64]| {
        rest.iter().zip(&games).all(|(rest, games)| rest.abs() <= near * games.max(1.0))
    };
    let system = LinearSystem { matrix: &laplacian, diagonal: &games, right_side: &wanted };
    let mut ratings = conjugate_gradients(&system, &is_enough, MOST);
    let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
    for rating in &mut ratings {
        *rating -= mean;
    }
    ratings
}
