//! Holds the forecasts of the players of an event.

use serde::{Deserialize, Serialize};

use rating_systems::forecasts::ScorePrediction;

/// The forecasts of the players of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventForecast {
    /// The forecasts by place in the analysis; `None` if the player's own rating, or that of more
    /// than half of the opponents, was unknown before the event.
    pub players: Vec<Option<PlayerForecast>>,
    /// The proportion of games between equals that were drawn in that decade, in `[0, 1]`.
    pub draws: f64,
    /// White's advantage (points) in that decade; 0 if colours are unknown.
    pub white: f64,
}

/// The forecast of a player, and the performance rating of the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerForecast {
    #[serde(flatten)]
    pub predicted: ScorePrediction,
    /// The exact performance rating (points) against the same opponents; `None` for no points or
    /// all of them.
    pub performance: Option<f64>,
    /// Its standard error (points); `None` for fewer than four games.
    pub performance_error: Option<f64>,
    /// The probabilities of all scores from 0 on, by half points; `None` for large fields, where
    /// they are of no use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_chances: Option<Vec<f64>>,
}

impl EventForecast {
    /// The forecasts that exist.
    pub fn known(&self) -> impl Iterator<Item = &ScorePrediction> {
        self.players.iter().flatten().map(|player| &player.predicted)
    }

    /// The root mean square of z: near 1 if ratings and sigma are right. `None` without forecasts.
    pub fn root_mean_square(&self) -> Option<f64> {
        let squares: Vec<f64> = self.known().filter_map(|one| one.z).map(|z| z * z).collect();
        (!squares.is_empty()).then(|| (squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
    }

    /// The number of players whose scores differ from the expected by more than one sigma.
    pub fn outside(&self) -> usize {
        self.known().filter_map(|one| one.z).filter(|z| z.abs() > 1.0).count()
    }
}
