//! How two players of a round robin divide the points that they take from the other players.
//!
//! Source of the claim: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament
//! App*: of these points the better of two players 100 to 200 points apart takes 60%, and 10% more
//! for every further 100 points. The measure is ours.

use crate::record::EventRecord;
use crate::record::status::Status;

/// The claimed shares of the better player, by hundreds of points of difference. Source: Berard.
const CLAIMED: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

/// Pairs of players whose ratings are about equally far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedPoints {
    /// The difference of the ratings (points): at least this, and less than a hundred more.
    pub from: u32,
    pub events: usize,
    pub pairs: usize,
    /// The share that the paper claims for the better player, in `[0, 1]`.
    pub claimed: f64,
    /// The share that the better player has, in `[0, 1]`.
    pub share: f64,
    /// Its standard error; the pairs of an event count as one draw.
    pub error: f64,
}

/// The points of all pairs of one event and one difference.
#[derive(Clone, Copy, Debug, Default)]
struct PairPoints {
    pairs: usize,
    of_better: f64,
    of_both: f64,
}

/// The pairs of all ranked whole round robins whose ratings are all known, by difference.
pub fn shared_points(records: &[EventRecord]) -> Vec<SharedPoints> {
    let events: Vec<[PairPoints; CLAIMED.len()]> = records
        .iter()
        .filter(|record| record.status == Status::Listed && record.is_whole_round_robin())
        .filter_map(pair_points)
        .collect();
    let mut rows = Vec::new();
    for (band, claimed) in CLAIMED.into_iter().enumerate() {
        let found: Vec<PairPoints> =
            events.iter().map(|event| event[band]).filter(|points| points.pairs > 0).collect();
        let both: f64 = found.iter().map(|points| points.of_both).sum();
        if found.len() < 2 || both == 0.0 {
            continue;
        }
        let share = found.iter().map(|points| points.of_better).sum::<f64>() / both;
        let squares =
            found.iter().map(|points| (points.of_better - share * points.of_both).powi(2));
        let number = found.len() as f64;
        rows.push(SharedPoints {
            from: 100 * band as u32,
            events: found.len(),
            pairs: found.iter().map(|points| points.pairs).sum(),
            claimed,
            share,
            error: (squares.sum::<f64>() * number / (number - 1.0)).sqrt() / both,
        });
    }
    rows
}

/// The points of the pairs of an event; `None` if a rating is unknown.
fn pair_points(record: &EventRecord) -> Option<[PairPoints; CLAIMED.len()]> {
    let players = record.input.players.len();
    let mut ratings = vec![None; players];
    for player in &record.analysis.players {
        ratings[player.index] = player.rating_found;
    }
    let ratings: Vec<f64> = ratings.into_iter().collect::<Option<_>>()?;
    let mut points = vec![0.0; players];
    let mut against = vec![vec![0.0; players]; players];
    for game in record.input.played() {
        for (one, other, score) in [
            (game.white, game.black, game.white_score),
            (game.black, game.white, 1.0 - game.white_score),
        ] {
            points[one] += score;
            against[one][other] += score;
        }
    }
    let mut found = [PairPoints::default(); CLAIMED.len()];
    for one in 0..players {
        for other in 0..players {
            let difference = ratings[one] - ratings[other];
            let band = (difference / 100.0) as usize;
            if difference <= 0.0 || band >= found.len() {
                continue;
            }
            let of_better = points[one] - against[one][other];
            found[band].pairs += 1;
            found[band].of_better += of_better;
            found[band].of_both += of_better + points[other] - against[other][one];
        }
    }
    Some(found)
}
