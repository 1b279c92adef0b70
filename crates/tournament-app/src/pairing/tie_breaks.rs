//! Computes tie-breaks of tournament practice from played games. Tie-breaks that need unplayed
//! rounds (FIDE's dummy opponents) cannot be computed from results.

use super::table::PairingTable;

/// Sonneborn-Berger, also called Neustadtl: the sum, over all opponents, of the points scored
/// against the opponent times the opponent's points.
pub fn sonneborn_berger(table: &PairingTable) -> Vec<f64> {
    (0..table.len())
        .map(|player| {
            let pairs = table.opponents(player).iter();
            pairs.map(|pair| pair.won * table.won(pair.opponent as usize)).sum()
        })
        .collect()
}

/// Buchholz, also called Solkoff: the sum of the opponents' points, once for each game against
/// them.
pub fn buchholz(table: &PairingTable) -> Vec<f64> {
    (0..table.len())
        .map(|player| {
            let pairs = table.opponents(player).iter();
            pairs.map(|pair| pair.games() * table.won(pair.opponent as usize)).sum()
        })
        .collect()
}

/// Koya: the points scored against opponents with at least half of their possible points.
pub fn koya(table: &PairingTable) -> Vec<f64> {
    let has_half: Vec<bool> =
        (0..table.len()).map(|player| table.won(player) >= table.lost(player)).collect();
    (0..table.len())
        .map(|player| {
            let pairs = table.opponents(player).iter();
            pairs.filter(|pair| has_half[pair.opponent as usize]).map(|pair| pair.won).sum()
        })
        .collect()
}
