//! What an event says of the ratings with which its players came.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*: Tournament Rating Corrections
//! (TRC), and the estimator line for newcomers.

use super::population::Population;
use crate::tournament::basic_system::p_zeros;
use crate::tournament::correction::{FieldColumns, settle};
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
    // Three who all meet are three pairs too.
    let is_small = players < 4;
    let comes_in_matches = games.len() >= 2 * pairs.len();
    if !is_small && pairs.len() <= players && comes_in_matches {
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
    let field = FieldColumns {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of these pairs, so many each, which the first player of a pair wins.
    fn games(pairs: &[(usize, usize)], each: usize) -> Vec<Game> {
        pairs.iter().flat_map(|&(a, b)| vec![Game::new(a, b, 1.0); each]).collect()
    }

    /// Everybody against everybody.
    fn all(players: usize) -> Vec<(usize, usize)> {
        (0..players).flat_map(|a| (0..a).map(move |b| (a, b))).collect()
    }

    #[test]
    fn a_knock_out_is_known_by_its_pairs() {
        let bracket = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)];
        assert_eq!(kind(8, &games(&bracket, 2)), Kind::KnockOut);
        assert_eq!(kind(4, &games(&all(4), 2)), Kind::Other);
        assert_eq!(kind(3, &games(&all(3), 2)), Kind::Other);
    }

    #[test]
    fn who_is_far_from_the_line_moves_only_where_events_move_ratings() {
        // Eight who meet twice; the last wins everything and came with the lowest rating.
        let games = games(&all(8), 2);
        let players: Vec<u32> = (0..8).collect();
        let after = |corrections| {
            let mut population = Population::of(8, 9.0, None);
            for player in 0..8 {
                let rating = if player == 7 { 1450.0 } else { 1500.0 + 40.0 * player as f64 };
                population.enter(player, rating);
            }
            correct(&mut population, &players, &games, corrections);
            population.rating(7)
        };
        assert!(after(Corrections::Move) > 1550.0, "{}", after(Corrections::Move));
        assert_eq!(after(Corrections::EndBoosting), 1450.0);
    }

    #[test]
    fn a_newcomer_enters_by_the_estimator_line() {
        let mut population = Population::of(6, 9.0, None);
        for player in 0..5 {
            population.enter(player, 1500.0 + 20.0 * player as f64);
        }
        let players: Vec<u32> = (0..6).collect();
        correct(&mut population, &players, &games(&all(6), 1), Corrections::Move);
        // He won all his games, and so comes above all others.
        assert!(population.rating(5) > 1580.0, "{}", population.rating(5));
    }
}
