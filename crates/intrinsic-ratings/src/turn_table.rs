//! The turns of games as an engine judged them.

use std::sync::Arc;

use super::answers::AnsweredTurn;
use super::collect::GameTurns;

/// The turns of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredGame {
    /// Identifier of its event, where the turns were found out.
    pub event: Arc<str>,
    /// The year; nothing where it is not known.
    pub year: Option<i16>,
    /// Identifier of White there.
    pub white: Arc<str>,
    /// Identifier of Black there.
    pub black: Arc<str>,
    /// Which of the games of the event in which this player had White against that, from 1.
    pub number: u16,
    /// Fingerprint of its moves.
    pub fingerprint: u64,
    /// Its turns, White's and Black's by turns.
    pub turns: Vec<AnsweredTurn>,
}

impl AnsweredGame {
    /// A game with its answers.
    pub fn of(game: &GameTurns, turns: Vec<AnsweredTurn>) -> AnsweredGame {
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

/// All turns that were found out with one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnTable {
    /// The engine's key.
    pub engine: String,
    /// The games.
    pub games: Vec<AnsweredGame>,
}
