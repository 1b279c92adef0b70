//! Forecasts matches.

use super::distribution::ScoreDistribution;
use crate::evaluation::draw_model::Chances;

/// The forecast of a match with a fixed number of games, from the side of the first player.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchForecast {
    /// Distribution of the score.
    pub scores: ScoreDistribution,
    /// Probability of more than half of the points.
    pub win: f64,
    /// Probability of half of the points.
    pub draw: f64,
    /// Probability of less than half of the points.
    pub loss: f64,
    /// Expected number of games until a player has more than half of all points, or all are
    /// played.
    pub games_until_decided: f64,
}

/// Forecasts a match from the probabilities of each game.
pub fn match_forecast(games: &[Chances]) -> MatchForecast {
    let scores = ScoreDistribution::from_games(games.iter().copied());
    let half = games.len() as f64 / 2.0;
    let draw = scores.chances().get(games.len()).copied().unwrap_or(0.0);
    let win = scores.at_least(half + 0.5);
    // Probabilities of the first player's score, in half points, while no player has won the match.
    let mut open = vec![1.0];
    let mut games_until_decided = 0.0;
    let enough = games.len() + 1;
    for (played, game) in games.iter().enumerate() {
        // All matches that are still open play this game.
        games_until_decided += open.iter().sum::<f64>();
        let mut next = vec![0.0; open.len() + 2];
        for (own, chance) in open.iter().enumerate() {
            for (more, part) in [(0, game.loss), (1, game.draw), (2, game.win)] {
                let (own, all) = (own + more, 2 * (played + 1));
                if own < enough && all - own < enough {
                    next[own] += chance * part;
                }
            }
        }
        open = next;
    }
    MatchForecast { win, draw, loss: (1.0 - win - draw).max(0.0), scores, games_until_decided }
}

/// The forecast of a match that goes to the first player with a number of wins. Draws do not count
/// (8.87).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstTo {
    /// Probability that the first player wins.
    pub win: f64,
    /// Probability that both players reach one win less than needed.
    pub level: f64,
    /// Expected number of decisive games.
    pub decisive_games: f64,
    /// Expected number of all games. Infinite if every game is drawn.
    pub games: f64,
}

/// Forecasts a match to `wins` wins, from the probabilities of one game.
pub fn first_to(wins: u32, game: Chances) -> FirstTo {
    let decisive = game.win + game.loss;
    let p = if decisive > 0.0 { game.win / decisive } else { 0.5 };
    let q = 1.0 - p;
    // The winner loses k games with probability C(wins - 1 + k, k) p^wins q^k. Compute it term by
    // term, so that nothing overflows.
    let (mut won, mut lost) = (p.powi(wins as i32), q.powi(wins as i32));
    let (mut win, mut expected) = (0.0, 0.0);
    for k in 0..wins {
        if k > 0 {
            let growth = f64::from(wins - 1 + k) / f64::from(k);
            won *= growth * q;
            lost *= growth * p;
        }
        win += won;
        expected += f64::from(wins + k) * (won + lost);
    }
    // Both one win short: C(2 wins - 2, wins - 1) (p q)^(wins - 1).
    let level =
        (1..wins).fold(1.0, |chance, k| chance * f64::from(wins - 1 + k) / f64::from(k) * p * q);
    let games = if decisive > 0.0 { expected / decisive } else { f64::INFINITY };
    FirstTo { win, level, decisive_games: expected, games }
}

/// The handicap, in game points, that the stronger player can give in a match (3.94): the
/// difference of the expected scores minus one standard deviation without draws. `expected` is the
/// stronger player's expected score of a game.
pub fn handicap(expected: f64, games: u32) -> f64 {
    let games = f64::from(games);
    games * (2.0 * expected - 1.0).abs() - (games * expected * (1.0 - expected)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::elo::formulas::Expectancy;

    fn forecast(higher: f64, lower: f64, games: usize, draws: f64) -> MatchForecast {
        let expected = Expectancy::Normal.expected(higher - lower);
        match_forecast(&vec![Chances::new(expected, draws); games])
    }

    #[test]
    fn matches_of_24_games() {
        for (ratings, draws, expected) in [
            ((2785.0, 2660.0), 0.0, [16.098, 2.302, 0.9379, 0.0364]),
            ((2785.0, 2660.0), 0.5, [16.098, 1.823, 0.9799, 0.0096]),
            ((2715.0, 2645.0), 0.0, [14.346, 2.402, 0.7802, 0.1010]),
            ((2715.0, 2645.0), 0.5, [14.346, 1.832, 0.8728, 0.0475]),
        ] {
            let found = forecast(ratings.0, ratings.1, 24, draws);
            let values = [found.scores.mean(), found.scores.sigma(), found.win, found.draw];
            for (place, (value, expected)) in values.into_iter().zip(expected).enumerate() {
                let digits = if place < 2 { 5.1e-4 } else { 5.1e-5 };
                assert!(
                    (value - expected).abs() < digits,
                    "{ratings:?} {draws}: {value} {expected}"
                );
            }
            assert!((found.win + found.draw + found.loss - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_match_is_decided_before_its_end() {
        let found = match_forecast(&[Chances::new(0.6, 0.0); 24]);
        assert!((found.games_until_decided - 20.76).abs() < 0.005, "{}", found.games_until_decided);
        let drawn = match_forecast(&[Chances { win: 0.0, draw: 1.0, loss: 0.0 }; 10]);
        assert_eq!(drawn.games_until_decided, 10.0);
    }

    #[test]
    fn first_to_ten_wins_at_six_to_four() {
        let game = Chances { win: 0.36, draw: 0.4, loss: 0.24 };
        let found = first_to(10, game);
        assert!((found.level - 0.128).abs() < 5e-4, "{found:?}");
        assert!((found.win - 0.8139).abs() < 5e-5, "{found:?}");
        assert!((found.decisive_games - 15.78).abs() < 5e-3, "{found:?}");
        assert!((found.games - found.decisive_games / 0.6).abs() < 1e-9);
        // If the champion keeps the title at 9-9: the challenger's wins without that score, and the
        // champion's wins outright.
        let outright = found.win - found.level * 0.6;
        assert!((outright - 0.7368).abs() < 5e-4, "{outright}");
        assert_eq!(first_to(10, Chances { win: 0.0, draw: 1.0, loss: 0.0 }).games, f64::INFINITY);
    }

    #[test]
    fn the_handicap_of_two_hundred_points_over_twenty_games() {
        assert!((handicap(0.76, 20) - 8.49).abs() < 0.005);
    }
}
