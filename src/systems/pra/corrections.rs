//! What an event says of the ratings with which its players came.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*: Tournament Rating Corrections
//! (TRC), and the estimator line for newcomers.

use super::population::Population;
use crate::tournament::basic_system::p_zeros;
use crate::tournament::correction::{Field, settle};
use crate::tournament::{Game, Kind, Options, RatingOrigin};

/// What becomes of a player whose rating an event has corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Corrections {
    /// Nothing: events are only games.
    Unheard,
    /// He is not boosted any more.
    EndBoosting,
    /// That, and his rating in the population moves; newcomers enter by the estimator line.
    Move,
}

/// Players below which an event tests nothing: a line passes through two.
const TESTED: usize = 3;

/// Whether it was a knock-out, which fails because of its format and not of its ratings: every pair but the last sends somebody home,
/// so that there are no more pairs than players. (The games here do not tell what they belong to.)
fn kind(players: usize, games: &[Game]) -> Kind {
    let mut pairs: Vec<(usize, usize)> =
        games.iter().map(|game| (game.white.min(game.black), game.white.max(game.black))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    if pairs.len() <= players && games.len() >= 2 * pairs.len() {
        Kind::KnockOut
    } else {
        Kind::Other
    }
}

/// Runs the app's settling of ratings on an event that is about to be rated: its players (who have not entered have no
/// rating), and its games by place among them, in the order of play. What it says is done to the population.
pub(super) fn correct(
    population: &mut Population,
    players: &[u32],
    games: &[Game],
    corrections: Corrections,
) {
    if corrections == Corrections::Unheard || players.len() < TESTED {
        return;
    }
    let mut played = vec![0; players.len()];
    for game in games {
        played[game.white] += 1;
        played[game.black] += 1;
    }
    let p_zeros: Vec<Option<f64>> = p_zeros(players.len(), games).into_iter().map(Some).collect();
    let has_entered = |player: &u32| population.has_entered(*player as usize);
    let ratings: Vec<Option<f64>> = players
        .iter()
        .map(|player| has_entered(player).then(|| population.rating(*player as usize)))
        .collect();
    let everybody_has = ratings.iter().all(Option::is_some);
    if !everybody_has && corrections == Corrections::EndBoosting {
        // Only a full set of ratings is corrected.
        return;
    }
    let field = Field {
        names: &vec![""; players.len()],
        p_zeros: &p_zeros,
        games: &played,
        ratings: &ratings,
        decided: &vec![None; players.len()],
    };
    let settled = settle(field, kind(players.len(), games), &Options::default());
    for (place, player) in players.iter().enumerate() {
        let player = *player as usize;
        match (settled.origins[place], settled.ratings[place]) {
            (RatingOrigin::Corrected, Some(rating)) => {
                population.end_boosting(player);
                if corrections == Corrections::Move {
                    population.set(player, rating);
                }
            }
            // A line that is weak supplies nothing to a whole history.
            (RatingOrigin::Filled, Some(rating))
                if corrections == Corrections::Move
                    && ratings[place].is_none()
                    && !settled.weak =>
            {
                population.enter(player, rating);
            }
            _ => {}
        }
    }
}
