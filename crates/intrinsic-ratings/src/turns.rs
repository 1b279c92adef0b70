//! Lists the turns of a game: the position, the player to move, the move played, and whether the
//! turn is rated.

use std::num::NonZeroU32;

use strum::IntoStaticStr;

use rustc_hash::FxHashSet;
use shakmaty::fen::Epd;
use shakmaty::packed::PackedSetup;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Setup};

use crate::pgn::Replayed;

/// Why a turn is not rated.
///
/// Source: K. Regan, *Intrinsic Ratings Compendium* (2012), except [`LeftOut::OnlyMove`],
/// [`LeftOut::Illegal`] and [`LeftOut::NotAnalysed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LeftOut {
    /// The turn is among the first moves.
    Opening,
    /// The position occurred earlier in the game.
    Repeated,
    /// There was a single legal move.
    OnlyMove,
    /// The value of the best move exceeds the cut.
    Decided,
    /// The turn is at or after an illegal move.
    Illegal,
    /// The engine failed on the position, or the position was not analysed.
    NotAnalysed,
}

impl LeftOut {
    /// All reasons, in the order in which they are checked.
    pub const ALL: [LeftOut; 6] = [
        LeftOut::Opening,
        LeftOut::Repeated,
        LeftOut::OnlyMove,
        LeftOut::Decided,
        LeftOut::Illegal,
        LeftOut::NotAnalysed,
    ];

    /// The word used in tables.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// The words shown to readers after a number of turns.
    pub fn words(self) -> &'static str {
        match self {
            LeftOut::Opening => "among the first moves",
            LeftOut::Repeated => "in a repeated position",
            LeftOut::OnlyMove => "with a single legal move",
            LeftOut::Decided => "with one side too far ahead",
            LeftOut::Illegal => "after an illegal move",
            LeftOut::NotAnalysed => "without engine values",
        }
    }

    /// Returns the reason of a word.
    pub fn of_word(word: &str) -> Option<LeftOut> {
        LeftOut::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

/// A position without move counters as bytes, the same in every game and every version (shakmaty's
/// packed setup).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey([u8; PositionKey::BYTES]);

impl PositionKey {
    /// Occupied squares (8 bytes), and half a byte for each of 32 pieces.
    const BYTES: usize = 24;

    /// Makes a key from bytes. Returns `None` if the length is wrong.
    pub fn of_bytes(bytes: &[u8]) -> Option<PositionKey> {
        bytes.try_into().ok().map(PositionKey)
    }

    /// The bytes of the key, always 24.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A position to be analysed, without move counters, so that it is the same in every game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePosition {
    /// The position, whose move counters are not part of the key.
    pub position: Chess,
}

impl EnginePosition {
    /// Takes the position of a game.
    pub fn from_position(position: &Chess) -> EnginePosition {
        EnginePosition { position: position.clone() }
    }

    /// Parses a text like `8/5pk1/3R2p1/7p/5P1P/6P1/1r4K1/8 w - -`. Counters after it are ignored.
    pub fn of_epd(text: &str) -> Option<EnginePosition> {
        let fields: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        let epd: Epd = fields.join(" ").parse().ok()?;
        let position = epd.into_position(CastlingMode::Chess960).ok()?;
        Some(EnginePosition { position })
    }

    /// Lists all legal moves in UCI notation, in no particular order.
    pub fn position_moves(&self) -> Vec<UciMove> {
        self.position.legal_moves().into_iter().map(UciMove::from_standard).collect()
    }

    /// Unpacks a position. Returns `None` if the bytes are not those of a legal one.
    pub fn unpacked(key: &PositionKey) -> Option<EnginePosition> {
        let setup = PackedSetup::try_from_bytes(key.bytes()).ok()?.unpack_standard().ok()?;
        let position = setup.position(CastlingMode::Chess960).ok()?;
        Some(EnginePosition { position })
    }

    fn setup(&self) -> Setup {
        let mut setup = self.position.to_setup(EnPassantMode::Legal);
        (setup.halfmoves, setup.fullmoves) = (0, NonZeroU32::MIN);
        setup
    }

    /// Packs the position, without its move counters.
    pub fn key(&self) -> PositionKey {
        let mut key = PositionKey::default();
        // A position from a game can always be packed.
        if let Ok(packed) = PackedSetup::pack_standard(&self.setup()) {
            let bytes = packed.as_bytes();
            let length = bytes.len().min(PositionKey::BYTES);
            key.0[..length].copy_from_slice(&bytes[..length]);
        }
        key
    }

    /// Writes the position as text: placement, side to move, castling, and en passant if it is
    /// legal.
    pub fn epd(&self) -> String {
        Epd::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// Number of legal moves.
    pub fn legal(&self) -> usize {
        self.position.legal_moves().len()
    }
}

/// A decision of one player in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Number of half-moves before it.
    pub ply: u16,
    /// Whether White is to move.
    pub is_white: bool,
    /// The position before the move.
    pub position: PositionKey,
    /// Number of legal moves.
    pub legal: u8,
    /// The move played, in UCI notation; `None` if only the position is of interest.
    pub played: Option<UciMove>,
    /// Why the turn is left out, as far as that is known without an engine.
    pub left_out: Option<LeftOut>,
}

/// Lists the turns of a game, and counts the half-moves from the first illegal move on. Turns
/// before move number `first_move` are marked as opening.
pub fn turns(game: &Replayed, first_move: u32) -> (Vec<Turn>, usize) {
    let mut position = game.start.clone();
    let mut seen: FxHashSet<PositionKey> = FxHashSet::default();
    let mut turns = Vec::with_capacity(game.moves.len());
    for (ply, played) in game.moves.iter().enumerate() {
        let engine_position = EnginePosition::from_position(&position);
        let (key, legal) = (engine_position.key(), engine_position.legal());
        let is_new = seen.insert(key);
        let left_out = if position.fullmoves().get() < first_move {
            Some(LeftOut::Opening)
        } else if !is_new {
            Some(LeftOut::Repeated)
        } else if legal < 2 {
            Some(LeftOut::OnlyMove)
        } else {
            None
        };
        turns.push(Turn {
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
            is_white: position.turn() == Color::White,
            position: key,
            legal: u8::try_from(legal).unwrap_or(u8::MAX),
            played: Some(UciMove::from_standard(*played)),
            left_out,
        });
        position.play_unchecked(*played);
    }
    (turns, game.left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::replay;

    fn turns_of(moves: &str) -> (Vec<Turn>, usize) {
        turns(&replay(format!("[Event \"A\"]\n\n{moves} *\n").as_bytes()), 3)
    }

    #[test]
    fn first_moves_and_repeated_positions_are_left_out() {
        let (turns, left) = turns_of("1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 5.e4");
        assert_eq!(left, 0);
        let reasons: Vec<Option<LeftOut>> = turns.iter().map(|turn| turn.left_out).collect();
        let opening = Some(LeftOut::Opening);
        let repeated = Some(LeftOut::Repeated);
        assert_eq!(reasons[..4], [opening; 4]);
        // The first occurrence counts even though it is among the first moves.
        assert_eq!(reasons[4..], [repeated; 5]);
    }

    #[test]
    fn moves_after_an_illegal_move_are_counted_and_earlier_turns_are_kept() {
        let (turns, left) = turns_of("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Qh8 Nf6 5.O-O");
        assert_eq!((turns.len(), left), (6, 3));
        assert_eq!(turns[4].left_out, None);
        assert_eq!(turns[4].played.map(|played| played.to_string()), Some("f1b5".into()));
        assert!(turns[4].is_white && !turns[5].is_white);
    }

    #[test]
    fn a_single_legal_move_is_left_out_and_castling_is_in_uci_notation() {
        let (turns, _) = turns_of("1.e4 e5 2.Qh5 Ke7 3.Qxe5#");
        assert_eq!(turns.len(), 5);
        let (turns, _) = turns_of("1.f3 e5 2.Kf2 d5 3.Kg3 Qg5+ 4.Kf2");
        assert_eq!(turns[6].left_out, Some(LeftOut::OnlyMove));
        let (turns, _) = turns_of("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O");
        assert_eq!(turns[6].played.map(|played| played.to_string()), Some("e1g1".into()));
    }

    #[test]
    fn positions_are_equal_across_games_and_en_passant_counts_if_legal() {
        for (one, other, are_equal) in [
            ("1.d4 d5 2.c4 e6 3.Nc3", "1.c4 e6 2.d4 d5 3.Nc3", true),
            // No pawn can capture en passant.
            ("1.Nf3 e5 2.e4 a6 3.a3", "1.e4 a6 2.Nf3 e5 3.a3", true),
            ("1.e4 a6 2.e5 d5 3.a3", "1.e4 d6 2.e5 d5 3.a3", false),
        ] {
            let [one, other] = [one, other].map(|moves| turns_of(moves).0.pop().unwrap().position);
            assert_eq!(one == other, are_equal, "{one:?} {other:?}");
        }
        let (turns, _) = turns_of("1.d4 d5 2.c4 e6 3.Nc3");
        let engine_position = EnginePosition::unpacked(&turns[4].position).unwrap();
        assert!(engine_position.epd().ends_with(" w KQkq -"), "{}", engine_position.epd());
        assert_eq!(engine_position.key(), turns[4].position);
        assert_eq!(engine_position.legal(), usize::from(turns[4].legal));
        // Castling, en passant and 32 pieces fit into 24 bytes and can be unpacked.
        for (turns, _) in
            [turns_of("1.e4 a6 2.e5 d5 3.a3"), turns_of("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O")]
        {
            for turn in turns {
                assert_eq!(EnginePosition::unpacked(&turn.position).unwrap().key(), turn.position);
            }
        }
    }
}
