//! What simulations show of the figures of a player.

use std::ops::Deref;

use bitcode::{Decode, Encode};
use serde::{Serialize, Serializer};

use super::uncertainty::{DrawRange, PlayerUncertainty};

/// The figures of a player from simulations. Without simulations all of them are `None`.
///
/// Most events of a large collection have none, and then they take one word of memory.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Simulated(Option<Box<SimulatedFigures>>);

/// The figures of a player from [`DRAWS`](super::uncertainty::DRAWS) simulations.
#[derive(Clone, Debug, PartialEq, Serialize, Encode, Decode)]
pub struct SimulatedFigures {
    /// Standard error (rating points) of the P-Zero. Its only cause is an unknown order of the
    /// games.
    ///
    /// This and the standard errors below are `None` if the player has no games, or if no player
    /// has a rating.
    pub p_zero_error: Option<f64>,
    /// Standard error (points) of the performance rating.
    pub performance_error: Option<f64>,
    /// Standard error of the G-score.
    pub g_error: Option<f64>,
    /// The part of the G-score's standard error that is spread caused by the ratings. The squares
    /// of this part, of the next one and of `g_bias` add up to the square of `g_error`.
    pub g_error_ratings: Option<f64>,
    /// The part of the G-score's standard error that is spread caused by the order of the games.
    pub g_error_order: Option<f64>,
    /// Mean of the simulated G-scores minus the G-score: the side on which the published one
    /// probably errs. Above 0, it is probably too low.
    pub g_bias: Option<f64>,
    /// The part of `g_bias` caused by the number two's rating, which as one of the highest of a
    /// list is more often too high than too low.
    pub g_bias_number_two: Option<f64>,
    /// The part of `g_bias` caused by the order of the games.
    pub g_bias_order: Option<f64>,
    /// Median of the G-score over the simulations.
    pub g_median: Option<f64>,
    /// Lower end of the range of the middle nine tenths of the simulated G-scores.
    pub g_low: Option<f64>,
    /// Upper end of that range.
    pub g_high: Option<f64>,
    /// The G-score in each of [`DRAWS`](super::uncertainty::DRAWS) simulations.
    #[serde(skip)]
    pub g_draws: Vec<f32>,
}

impl SimulatedFigures {
    /// The figures without simulations.
    const NONE: SimulatedFigures = SimulatedFigures {
        p_zero_error: None,
        performance_error: None,
        g_error: None,
        g_error_ratings: None,
        g_error_order: None,
        g_bias: None,
        g_bias_number_two: None,
        g_bias_order: None,
        g_median: None,
        g_low: None,
        g_high: None,
        g_draws: Vec::new(),
    };
}

impl Deref for Simulated {
    type Target = SimulatedFigures;

    fn deref(&self) -> &SimulatedFigures {
        static NONE: SimulatedFigures = SimulatedFigures::NONE;
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl Serialize for Simulated {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl Simulated {
    /// The figures of a player with this number of games.
    pub(super) fn new(uncertainty: Option<PlayerUncertainty>, games: usize) -> Simulated {
        Simulated(
            uncertainty.map(|uncertainty| Box::new(SimulatedFigures::new(uncertainty, games))),
        )
    }

    /// Drops the simulated G-scores. The standard errors and ranges stay.
    pub fn forget_draws(&mut self) {
        if let Some(figures) = &mut self.0 {
            figures.g_draws = Vec::new();
        }
    }
}

impl SimulatedFigures {
    fn new(uncertainty: PlayerUncertainty, games: usize) -> SimulatedFigures {
        let PlayerUncertainty { g_score, p_zero, performance_rating, draws } = uncertainty;
        let range = DrawRange::from_draws(&draws);
        SimulatedFigures {
            p_zero_error: (games > 0).then_some(p_zero),
            performance_error: performance_rating,
            g_error: g_score.map(|components| components.total),
            g_error_ratings: g_score.map(|components| components.by_ratings),
            g_error_order: g_score.map(|components| components.by_order),
            g_bias: g_score.map(|components| components.bias.total),
            g_bias_number_two: g_score.map(|components| components.bias.by_number_two),
            g_bias_order: g_score.map(|components| components.bias.by_order),
            g_median: range.map(|range| range.median),
            g_low: range.map(|range| range.low),
            g_high: range.map(|range| range.high),
            g_draws: draws,
        }
    }
}
