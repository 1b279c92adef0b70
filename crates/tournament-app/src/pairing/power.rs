//! Computes ratings by the power method of Kendall and Wei: points against strong opponents count
//! more.

use super::table::PairingTable;

/// Tolerance, and the largest number of steps.
const TOLERANCE: f64 = 1e-13;
const MOST: usize = 200_000;

/// Computes ratings that satisfy `lambda R = S R`, the highest being 1. The players must be
/// strongly connected. A single player has 1.
pub fn power(table: &PairingTable) -> Vec<f64> {
    let count = table.len();
    let mut ratings = vec![1.0; count];
    if count < 2 {
        return ratings;
    }
    // Half steps, because full steps may cycle without draws.
    for _ in 0..MOST {
        let mut next: Vec<f64> = (0..count)
            .map(|player| {
                let pairs = table.opponents(player).iter();
                let taken: f64 = pairs.map(|pair| pair.won * ratings[pair.opponent as usize]).sum();
                taken + ratings[player]
            })
            .collect();
        let highest = next.iter().fold(0.0_f64, |most, one| most.max(*one));
        let mut change = 0.0_f64;
        for (next, rating) in next.iter_mut().zip(&ratings) {
            *next /= highest;
            change = change.max((*next - rating).abs());
        }
        ratings = next;
        if change < TOLERANCE {
            break;
        }
    }
    ratings
}
