//! Collects turns and rates them together: those of an event, a player, a year or any other set of
//! games.

use std::collections::BTreeMap;

use super::calibration::Calibration;
use super::choices::TurnValues;
use super::rating::{IntrinsicPerformance, rate};
use super::turn_table::AnsweredGame;
use super::turns::LeftOut;

/// The quality of the moves of a set of turns, such as those of an event or of one of its players.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveQuality {
    /// The quality of the turns that were not left out.
    pub shown: IntrinsicPerformance,
    /// The number of turns that were left out, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
    /// The number of games that were analysed.
    pub games: usize,
    /// The mean rating (points) of the players; `None` unless all are known.
    pub elo: Option<f64>,
}

impl MoveQuality {
    /// The number of turns that were left out, for any reason.
    pub fn left_out(&self) -> usize {
        self.left_out.values().sum()
    }

    /// The intrinsic rating less the mean rating of the players (points), which the tables of
    /// events in Regan's *Intrinsic Ratings Compendium* (2012) list. `None` unless both are known.
    pub fn difference(&self) -> Option<f64> {
        Some(self.shown.rating?.rating - self.elo?)
    }
}

/// Turns collected for rating.
#[derive(Clone, Debug, Default)]
pub struct CollectedTurns<'g> {
    turns: Vec<&'g TurnValues>,
    left_out: BTreeMap<LeftOut, usize>,
    games: usize,
}

impl<'g> CollectedTurns<'g> {
    /// Adds the turns of White (`Some(true)`), of Black, or of both in a game.
    pub fn take(&mut self, game: &'g AnsweredGame, side: Option<bool>) {
        self.games += 1;
        for (ply, answer) in game.turns.iter().enumerate() {
            if side.is_some_and(|is_white| is_white != ply.is_multiple_of(2)) {
                continue;
            }
            match (answer.left_out, &answer.values) {
                (None, Some(values)) => self.turns.push(values),
                (reason, _) => {
                    *self.left_out.entry(reason.unwrap_or(LeftOut::NotAnalysed)).or_default() += 1;
                }
            }
        }
    }

    /// The number of turns that count.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether no turn counts.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Rates the turns. `elo` is the mean rating (points) of the players, for comparison.
    pub fn rated(self, calibration: &Calibration, elo: Option<f64>) -> MoveQuality {
        let shown = rate(self.turns, calibration, elo);
        MoveQuality { shown, left_out: self.left_out, games: self.games, elo }
    }
}
