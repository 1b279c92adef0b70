//! Holds the turns of games with the values of one engine.

use std::sync::Arc;

use super::answers::AnsweredTurn;
use super::collect::GameTurns;

/// The turns of a game with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredGame {
    /// Identifier of the event at the time of the analysis.
    pub event: Arc<str>,
    /// The year; `None` if it is unknown.
    pub year: Option<i16>,
    /// Identifier of White in that event.
    pub white: Arc<str>,
    /// Identifier of Black in that event.
    pub black: Arc<str>,
    /// Number of the game, from 1, among the event's games with these players and colours.
    pub number: u16,
    /// Fingerprint of the moves.
    pub fingerprint: u64,
    /// The turns of White and Black, alternating.
    pub turns: Vec<AnsweredTurn>,
}

impl AnsweredGame {
    /// Combines a game with its values.
    pub fn new(game: &GameTurns, turns: Vec<AnsweredTurn>) -> AnsweredGame {
        AnsweredGame {
            event: Arc::clone(&game.game.event),
            year: game.year,
            white: Arc::clone(&game.game.white),
            black: Arc::clone(&game.game.black),
            number: game.game.number,
            fingerprint: game.fingerprint,
            turns,
        }
    }
}

/// All turns that were analysed with one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnTable {
    /// Key of the engine: its name, network and settings.
    pub engine: String,
    /// The games, each with its analysed turns.
    pub games: Vec<AnsweredGame>,
}
