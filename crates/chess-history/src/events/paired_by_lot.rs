//! Recognises whether a field was paired by its scores.

use std::collections::BTreeMap;

use super::pairing_table::Pairing;

/// A Swiss pairs players with similar scores. If the differences exceed this share of those of
/// random pairings, the event is not a Swiss.
///
/// Judged: without regard to scores the share is near 1, in a Swiss far lower. With 0.4, a Swiss of
/// few rounds and unequal scores would be refused; above 1, chance would decide.
const LIKE_SCORES: f64 = 0.8;

/// The least number of games after the second round that show how a field was paired.
///
/// Judged: with six, chance moves the mean difference by more than the fifth that [`LIKE_SCORES`]
/// leaves; with two dozen, eight players in six rounds would show nothing.
const SHOWING_GAMES: usize = 12;

/// Returns whether players met regardless of their scores, as those of a round robin do.
///
/// This requires rounds and results.
pub(super) fn is_paired_by_lot(players: usize, pairings: &[Pairing]) -> bool {
    let mut by_round: BTreeMap<u16, Vec<&Pairing>> = BTreeMap::new();
    for pairing in pairings {
        let Some(round) = pairing.round else { return false };
        by_round.entry(round).or_default().push(pairing);
    }
    let mut points = vec![0.0; players];
    let (mut found, mut by_lot, mut games) = (0.0, 0.0, 0);
    for (place, round) in by_round.values().enumerate() {
        if place >= 2 {
            let mut playing: Vec<f64> =
                round.iter().flat_map(|game| [points[game.white], points[game.black]]).collect();
            playing.sort_unstable_by(f64::total_cmp);
            found += round
                .iter()
                .map(|game| f64::abs(points[game.white] - points[game.black]))
                .sum::<f64>();
            // The mean absolute difference between two of the sorted points.
            let count = playing.len() as f64;
            let weighted = playing.iter().enumerate();
            let sum: f64 =
                weighted.map(|(place, value)| value * (2.0 * place as f64 + 1.0 - count)).sum();
            let mean_difference = 2.0 * sum / (count * (count - 1.0)).max(1.0);
            by_lot += mean_difference * round.len() as f64;
            games += round.len();
        }
        for game in round {
            let Some(white) = game.white_score else { continue };
            points[game.white] += white;
            points[game.black] += 1.0 - white;
        }
    }
    games >= SHOWING_GAMES && found > LIKE_SCORES * by_lot
}
