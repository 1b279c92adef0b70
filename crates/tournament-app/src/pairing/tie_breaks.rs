//! Tie-breaks of tournament practice, of played games only: those that need unplayed rounds (FIDE's dummy opponents) cannot be told from results.

use super::table::PairingTable;

/// Sonneborn-Berger, also called Neustadtl: the points taken off each opponent times his points.
pub fn sonneborn_berger(table: &PairingTable) -> Vec<f64> {
    let of = |player: usize| {
        let pairs = table.opponents(player).iter();
        pairs.map(|pair| pair.won * table.won(pair.opponent as usize)).sum()
    };
    (0..table.len()).map(of).collect()
}

/// Buchholz, also called Solkoff: the points of the opponents, once for each game against them.
pub fn buchholz(table: &PairingTable) -> Vec<f64> {
    let of = |player: usize| {
        let pairs = table.opponents(player).iter();
        pairs.map(|pair| pair.games() * table.won(pair.opponent as usize)).sum()
    };
    (0..table.len()).map(of).collect()
}

/// Koya: the points taken off those who have at least half of theirs.
pub fn koya(table: &PairingTable) -> Vec<f64> {
    let has_half = |player: u32| table.won(player as usize) >= table.lost(player as usize);
    let of = |player: usize| {
        let pairs = table.opponents(player).iter();
        pairs.filter(|pair| has_half(pair.opponent)).map(|pair| pair.won).sum()
    };
    (0..table.len()).map(of).collect()
}
