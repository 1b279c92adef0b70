//! What the ratings foretold of an event.

use serde::{Deserialize, Serialize};

use crate::forecasts::ScorePrediction;

/// What was foretold of the players of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventForecast {
    /// By place in the analysis; `None` where his own rating, or that of more than half of his opponents, was not known before.
    pub players: Vec<Option<PlayerForecast>>,
    /// The part of the games between equals that are drawn, as it was in that decade.
    pub draws: f64,
    /// White's advantage (points) in that decade; 0 where it is not known who had White.
    pub white: f64,
}

/// What was foretold of a player, and what his score was worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerForecast {
    /// What his rating foretold.
    #[serde(flatten)]
    pub foretold: ScorePrediction,
    /// His exact performance rating (points) against the same opponents; `None` of no points or all of them.
    pub performance: Option<f64>,
    /// Its standard error (points); `None` below four games.
    pub performance_error: Option<f64>,
    /// The chances of all scores from nothing on, by half points; `None` of a field so large that nobody would look
    /// at them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_chances: Option<Vec<f64>>,
}

impl EventForecast {
    /// Those of whom something was foretold.
    pub fn known(&self) -> impl Iterator<Item = &ScorePrediction> {
        self.players.iter().flatten().map(|player| &player.foretold)
    }

    /// The root mean square of z: near 1 where ratings and sigma are right. `None` where nothing was foretold.
    pub fn root_mean_square(&self) -> Option<f64> {
        let squares: Vec<f64> = self.known().filter_map(|one| one.z).map(|z| z * z).collect();
        (!squares.is_empty()).then(|| (squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
    }

    /// How many scored more than one sigma more or less than expected.
    pub fn outside(&self) -> usize {
        self.known().filter_map(|one| one.z).filter(|z| z.abs() > 1.0).count()
    }
}
