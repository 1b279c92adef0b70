//! Computes figures of an event that are not the app's, by the formulas of others.

use crate::record::EventRecord;
use chess_history::ratings::LEADERS;
use rating_systems::systems::chessmetrics::ChessmetricsPerformance;
use tournament_app::Analysis;

impl EventRecord {
    /// The class of a tournament (0 to 22), from the participants among the world's best ten: four
    /// points each for numbers 1 and 2, three for 3 and 4, two for 5 and 6, one for 7 to 10. `None`
    /// if no list has ten players. Source: Jeff Sonas, Chessmetrics, "Event formulas".
    pub fn class(&self) -> Option<u32> {
        let leaders = &self.ratings.leaders;
        (leaders.len() == LEADERS).then(|| {
            let present = (1..).zip(leaders).filter(|(_, leader)| leader.player.is_some());
            present.map(|(rank, _)| points_of_rank(rank)).sum()
        })
    }

    /// The performances by the formulas of Chessmetrics, by place in the analysis; see
    /// [`chessmetrics_performances`].
    pub fn chessmetrics_performances(&self) -> Vec<Option<ChessmetricsPerformance>> {
        chessmetrics_performances(&self.input, &self.analysis)
    }
}

/// The points that a player of this world rank adds to the class of a tournament. Source: Jeff
/// Sonas, Chessmetrics, "Event formulas".
pub fn points_of_rank(rank: usize) -> u32 {
    match rank {
        1 | 2 => 4,
        3 | 4 => 3,
        5 | 6 => 2,
        7..=10 => 1,
        _ => 0,
    }
}

/// The performances of an event by the formulas of Chessmetrics, from the ratings that its analysis
/// used, by place in the analysis. `None` without games, or if an opponent's rating is unknown.
/// Source: Jeff Sonas, Chessmetrics, "Formulas".
pub fn chessmetrics_performances(
    input: &tournament_app::Event,
    analysis: &Analysis,
) -> Vec<Option<ChessmetricsPerformance>> {
    let mut ratings = vec![None; input.players.len()];
    for player in &analysis.players {
        ratings[player.index] = player.initial_rating;
    }
    let by_index = performances_against(input, &ratings);
    analysis.players.iter().map(|player| by_index[player.index]).collect()
}

/// The performances of an event's players by the formulas of Chessmetrics, from these ratings
/// (points), by index in the event. `None` without games, or if an opponent's rating is unknown.
pub fn performances_against(
    input: &tournament_app::Event,
    ratings: &[Option<f64>],
) -> Vec<Option<ChessmetricsPerformance>> {
    /// The games of a player. The sum of the opponents' ratings is `None` once one is unknown.
    #[derive(Clone, Copy)]
    struct Games {
        number: usize,
        points: f64,
        sum: Option<f64>,
    }
    let mut games = vec![Games { number: 0, points: 0.0, sum: Some(0.0) }; input.players.len()];
    for game in input.played() {
        let sides = [
            (game.white, game.black, game.white_score),
            (game.black, game.white, 1.0 - game.white_score),
        ];
        for (player, opponent, score) in sides {
            let own = &mut games[player];
            own.number += 1;
            own.points += score;
            own.sum = own.sum.zip(ratings[opponent]).map(|(sum, rating)| sum + rating);
        }
    }
    games.iter().map(|own| ChessmetricsPerformance::new(own.number, own.points, own.sum?)).collect()
}
