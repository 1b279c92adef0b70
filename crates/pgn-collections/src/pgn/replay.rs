//! Replays the moves of a game on a board.

use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::san::SanError;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::cursor::shown;
use crate::games::tag_flags::StartingPosition;

/// A game that was replayed as far as its moves are legal.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// The position in which the game began.
    pub start: Chess,
    /// The legal moves, in their order.
    pub moves: Vec<Move>,
    /// Number of half-moves from the first illegal one on.
    pub left: usize,
    /// The fault: the first illegal move, or a starting position that is not valid.
    pub wrong: Option<String>,
}

impl Replayed {
    /// Returns the FEN of the position in which the game began, unless it is the initial one.
    pub fn start_fen(&self) -> Option<String> {
        let is_initial = self.start == Chess::default();
        (!is_initial).then(|| Fen::from_position(&self.start, EnPassantMode::Legal).to_string())
    }

    /// Returns the legal moves in standard algebraic notation.
    pub fn san(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let mut san = Vec::with_capacity(self.moves.len());
        for played in &self.moves {
            let word = SanPlus::from_move_and_play_unchecked(&mut position, *played);
            san.push(word.to_string());
        }
        san
    }
}

/// Replays the moves of one game's text, without its variations.
pub fn replay(text: &[u8]) -> Replayed {
    let longest = text.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
    let mut reader = Reader::build(Cursor::new(text))
        // A tag line that is longer than the reader's buffer would end the reading.
        .set_supported_tag_line_length(longest)
        .finish();
    let mut replayer = MoveReplayer::default();
    // Reading from memory does not fail. Other faults of the text were reported before.
    let _ = reader.read_game(&mut replayer);
    replayer.game
}

/// Replays a game as the parser reads it.
#[derive(Default)]
struct MoveReplayer {
    position: Chess,
    game: Replayed,
}

impl Visitor for MoveReplayer {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" && states_position(value.as_bytes()) {
            let position: Option<Chess> = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
            match position {
                Some(position) => {
                    self.position = position.clone();
                    self.game.start = position;
                }
                None => {
                    let message =
                        format!("FEN \"{}\" is not a valid position", shown(value.as_bytes()));
                    self.game.wrong = Some(message);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (): &mut (), san_plus: SanPlus) -> ControlFlow<()> {
        if self.game.wrong.is_some() {
            self.game.left += 1;
            return ControlFlow::Continue(());
        }
        match san_plus.san.to_move(&self.position) {
            Ok(played) => {
                self.position.play_unchecked(played);
                self.game.moves.push(played);
            }
            Err(error) => {
                let number = self.position.fullmoves();
                let dots = if self.position.turn().is_white() { "." } else { "..." };
                self.game.wrong =
                    Some(format!("{number}{dots}{san_plus} cannot be played: {}", reason(&error)));
                self.game.left = 1;
            }
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Returns whether the value of a FEN tag must be read to replay the moves.
fn states_position(fen: &[u8]) -> bool {
    StartingPosition::parse(&String::from_utf8_lossy(fen)) == StartingPosition::Other
}

/// Why a move cannot be played, in plain words.
fn reason(error: &SanError) -> &'static str {
    match error {
        SanError::IllegalSan => "no such piece can move there",
        SanError::AmbiguousSan => "several such pieces can move there",
    }
}
