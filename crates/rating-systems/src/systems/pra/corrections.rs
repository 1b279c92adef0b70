//! Corrections of ratings by the events in which players took part.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*: Tournament
//! Rating Corrections (TRC), and the estimator line for newcomers.

use super::population::PraPopulation;
use crate::tournament::basic_system::p_zeros;
use crate::tournament::correction::{FieldColumns, settle};
use crate::tournament::{Game, Kind, Options, RatingOrigin};

/// The effect of a corrected rating on its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Corrections {
    /// None: events only supply games.
    Ignored,
    /// The player is not boosted any more.
    EndBoosting,
    /// The rating changes, and newcomers enter with the rating from the estimator line. Neither is
    /// boosted any more, since the event has calibrated them.
    Move,
}

/// Minimum number of players of a tested event: a line fits two players exactly.
const TESTED: usize = 3;

/// Recognises knock-outs, which fail the test because of their format. Every pairing except the
/// last eliminates a player, so a knock-out has no more pairings than players. (The games do not
/// state the kind of their event.)
fn kind(players: usize, games: &[Game]) -> Kind {
    let mut pairs: Vec<(usize, usize)> =
        games.iter().map(|game| (game.white.min(game.black), game.white.max(game.black))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    // A round robin of three players also has three pairings.
    let is_small = players < 4;
    let comes_in_matches = games.len() >= 2 * pairs.len();
    if !is_small && pairs.len() <= players && comes_in_matches {
        Kind::KnockOut
    } else {
        Kind::Other
    }
}

/// Corrects the population by the app's analysis of an event, before its games are rated. `games`
/// refer to players by index, in the order of play. Players who have not entered have no rating.
pub(super) fn correct(
    population: &mut PraPopulation,
    players: &[u32],
    games: &[Game],
    corrections: Corrections,
) {
    if corrections == Corrections::Ignored || players.len() < TESTED {
        return;
    }
    let mut played = vec![0; players.len()];
    for game in games {
        played[game.white] += 1;
        played[game.black] += 1;
    }
    let p_zeros: Vec<Option<f64>> = p_zeros(players.len(), games).into_iter().map(Some).collect();
    let ratings: Vec<Option<f64>> = players
        .iter()
        .map(|player| *player as usize)
        .map(|player| population.has_entered(player).then(|| population.rating(player)))
        .collect();
    let is_complete = ratings.iter().all(Option::is_some);
    if !is_complete && corrections == Corrections::EndBoosting {
        // Only a complete set of ratings is corrected.
        return;
    }
    let field = FieldColumns {
        names: &vec![""; players.len()],
        p_zeros: &p_zeros,
        games: &played,
        ratings: &ratings,
        decided: &vec![None; players.len()],
        // The population has no list that names a number two.
        number_two: None,
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
            // A weak estimator line supplies no ratings here.
            (RatingOrigin::Filled, Some(rating))
                if corrections == Corrections::Move
                    && ratings[place].is_none()
                    && !settled.weak =>
            {
                population.enter(player, rating);
                population.end_boosting(player);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::boosting::Blocks;
    use super::*;

    /// `each` games of every pair. The first player of a pair wins them.
    fn games(pairs: &[(usize, usize)], each: usize) -> Vec<Game> {
        pairs.iter().flat_map(|&(a, b)| vec![Game::new(a, b, 1.0); each]).collect()
    }

    /// All pairs of a round robin.
    fn all(players: usize) -> Vec<(usize, usize)> {
        (0..players).flat_map(|a| (0..a).map(move |b| (a, b))).collect()
    }

    #[test]
    fn a_knock_out_is_recognised_by_its_number_of_pairings() {
        let bracket = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)];
        assert_eq!(kind(8, &games(&bracket, 2)), Kind::KnockOut);
        assert_eq!(kind(4, &games(&all(4), 2)), Kind::Other);
        assert_eq!(kind(3, &games(&all(3), 2)), Kind::Other);
    }

    #[test]
    fn ratings_far_from_the_line_change_only_if_events_change_ratings() {
        // Eight players meet twice. The one with the lowest rating wins all games.
        let games = games(&all(8), 2);
        let players: Vec<u32> = (0..8).collect();
        let [moved, kept] = [Corrections::Move, Corrections::EndBoosting].map(|corrections| {
            let mut population = PraPopulation::new(8, 9.0, None);
            for player in 0..8 {
                let rating = if player == 7 { 1450.0 } else { 1500.0 + 40.0 * player as f64 };
                population.enter(player, rating);
            }
            correct(&mut population, &players, &games, corrections);
            population.rating(7)
        });
        assert!(moved > 1550.0, "{moved}");
        assert_eq!(kept, 1450.0);
    }

    #[test]
    fn a_newcomer_enters_with_the_estimator_lines_rating() {
        let mut population = PraPopulation::new(6, 9.0, None);
        for player in 0..5 {
            population.enter(player, 1500.0 + 20.0 * player as f64);
        }
        let players: Vec<u32> = (0..6).collect();
        correct(&mut population, &players, &games(&all(6), 1), Corrections::Move);
        // The newcomer won all games, so the rating is above all others.
        assert!(population.rating(5) > 1580.0, "{}", population.rating(5));
    }

    #[test]
    fn a_newcomer_with_a_rating_from_the_line_is_not_boosted() {
        let blocks = Blocks { short: 4, long: 8, short_until: 40, until: 80, damping: 0.15 };
        let [boosted, plain] = [Some(blocks), None].map(|blocks| {
            let mut population = PraPopulation::new(6, 9.0, blocks);
            for player in 0..5 {
                population.enter(player, 1500.0 + 20.0 * player as f64);
                population.end_boosting(player);
            }
            let players: Vec<u32> = (0..6).collect();
            correct(&mut population, &players, &games(&all(6), 1), Corrections::Move);
            // Eight wins in a row are two blocks whose ratings rise.
            for opponent in [0, 1, 2, 3, 4, 0, 1, 2] {
                population.play(5, opponent, 1.0);
            }
            population.rating(5)
        });
        assert_eq!(boosted, plain);
    }
}
