//! The turns of a game: who had to choose where, what was played, and whether it counts.

use std::num::NonZeroU32;

use rustc_hash::FxHashSet;
use shakmaty::fen::Epd;
use shakmaty::packed::PackedSetup;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Setup};

use crate::pgn::Replayed;

/// Why a turn is not rated.
///
/// Source: K. Regan, *Intrinsic Ratings Compendium* (2012), for all but [`LeftOut::OnlyMove`] and those about games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeftOut {
    /// Among the first moves.
    Opening,
    /// The position stood on the board before in the game.
    Repeated,
    /// There was a single legal move.
    OnlyMove,
    /// The best move's value is beyond what is cut.
    Decided,
    /// At or behind a move that the rules do not allow.
    Illegal,
    /// The engine failed on the position, or was not asked.
    NotAnalysed,
}

impl LeftOut {
    /// All, in the order in which they are looked for.
    pub const ALL: [LeftOut; 6] = [
        LeftOut::Opening,
        LeftOut::Repeated,
        LeftOut::OnlyMove,
        LeftOut::Decided,
        LeftOut::Illegal,
        LeftOut::NotAnalysed,
    ];

    /// As it stands in tables.
    pub fn word(self) -> &'static str {
        match self {
            LeftOut::Opening => "opening",
            LeftOut::Repeated => "repeated",
            LeftOut::OnlyMove => "only_move",
            LeftOut::Decided => "decided",
            LeftOut::Illegal => "illegal",
            LeftOut::NotAnalysed => "not_analysed",
        }
    }

    /// As it is said to readers, behind a number of turns.
    pub fn words(self) -> &'static str {
        match self {
            LeftOut::Opening => "among the first moves",
            LeftOut::Repeated => "in a position that stood there before",
            LeftOut::OnlyMove => "with a single legal move",
            LeftOut::Decided => "where one side was too far ahead",
            LeftOut::Illegal => "behind a move that cannot be played",
            LeftOut::NotAnalysed => "that no engine has valued",
        }
    }

    /// What a word of a table means.
    pub fn of_word(word: &str) -> Option<LeftOut> {
        LeftOut::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

/// A position without counters in bytes, the same in every game and every version (shakmaty's packed setup).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey([u8; PositionKey::BYTES]);

impl PositionKey {
    /// Squares that are taken, and half a byte for each of 32 pieces.
    const BYTES: usize = 24;

    /// Of such bytes; `None` of more or fewer.
    pub fn of_bytes(bytes: &[u8]) -> Option<PositionKey> {
        bytes.try_into().ok().map(PositionKey)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A position as an engine is asked about it: without counters, so that it is the same in every game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePosition {
    /// The position.
    pub position: Chess,
}

impl EnginePosition {
    /// A position without its counters.
    pub fn of(position: &Chess) -> EnginePosition {
        EnginePosition { position: position.clone() }
    }

    /// The position of a text like `8/5pk1/3R2p1/7p/5P1P/6P1/1r4K1/8 w - -`; counters behind it are passed over.
    pub fn of_epd(text: &str) -> Option<EnginePosition> {
        let fields: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        let epd: Epd = fields.join(" ").parse().ok()?;
        let position = epd.into_position(CastlingMode::Chess960).ok()?;
        Some(EnginePosition { position })
    }

    /// All moves that the rules allow, as engines write them, in no order of meaning.
    pub fn position_moves(&self) -> Vec<UciMove> {
        self.position.legal_moves().into_iter().map(UciMove::from_standard).collect()
    }

    /// The position that was packed.
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

    /// The position packed.
    pub fn key(&self) -> PositionKey {
        let mut key = PositionKey::default();
        // A position out of a game can always be packed.
        if let Ok(packed) = PackedSetup::pack_standard(&self.setup()) {
            let bytes = packed.as_bytes();
            let length = bytes.len().min(PositionKey::BYTES);
            key.0[..length].copy_from_slice(&bytes[..length]);
        }
        key
    }

    /// As text: placement, side to move, castling, en passant where it is legal.
    pub fn epd(&self) -> String {
        Epd::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// How many moves the rules allow.
    pub fn legal(&self) -> usize {
        self.position.legal_moves().len()
    }
}

/// A choice of one player in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Half-moves before it.
    pub ply: u16,
    /// Whether White is to move.
    pub is_white: bool,
    /// Where.
    pub position: PositionKey,
    /// How many moves the rules allow.
    pub legal: u8,
    /// What was played, as engines write it; nothing where only the position is asked about.
    pub played: Option<UciMove>,
    /// Why it is left out, as far as that needs no engine.
    pub left_out: Option<LeftOut>,
}

/// The turns of a game whose first moves, before this one, are left out; and how many more there are behind a move that cannot be played.
pub fn turns(game: &Replayed, first_move: u32) -> (Vec<Turn>, usize) {
    let mut position = game.start.clone();
    let mut seen: FxHashSet<PositionKey> = FxHashSet::default();
    let mut turns = Vec::with_capacity(game.moves.len());
    for (ply, played) in game.moves.iter().enumerate() {
        let asked = EnginePosition::of(&position);
        let (key, legal) = (asked.key(), asked.legal());
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

    fn of(moves: &str) -> (Vec<Turn>, usize) {
        turns(&replay(format!("[Event \"A\"]\n\n{moves} *\n").as_bytes()), 3)
    }

    #[test]
    fn first_moves_and_what_stood_there_before_are_left_out() {
        let (turns, left) = of("1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 5.e4");
        assert_eq!(left, 0);
        let reasons: Vec<Option<LeftOut>> = turns.iter().map(|turn| turn.left_out).collect();
        let opening = Some(LeftOut::Opening);
        let repeated = Some(LeftOut::Repeated);
        assert_eq!(reasons[..4], [opening; 4]);
        // The first occurrence was among the first moves; it was there all the same.
        assert_eq!(reasons[4..], [repeated; 5]);
    }

    #[test]
    fn what_is_behind_an_illegal_move_is_counted_and_what_is_before_it_stays() {
        let (turns, left) = of("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Qh8 Nf6 5.O-O");
        assert_eq!((turns.len(), left), (6, 3));
        assert_eq!(turns[4].left_out, None);
        assert_eq!(turns[4].played.map(|played| played.to_string()), Some("f1b5".into()));
        assert!(turns[4].is_white && !turns[5].is_white);
    }

    #[test]
    fn a_single_legal_move_is_no_choice_and_castling_is_written_as_engines_do() {
        let (turns, _) = of("1.e4 e5 2.Qh5 Ke7 3.Qxe5#");
        assert_eq!(turns.len(), 5);
        let (turns, _) = of("1.f3 e5 2.Kf2 d5 3.Kg3 Qg5+ 4.Kf2");
        assert_eq!(turns[6].left_out, Some(LeftOut::OnlyMove));
        let (turns, _) = of("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O");
        assert_eq!(turns[6].played.map(|played| played.to_string()), Some("e1g1".into()));
    }

    #[test]
    fn a_position_is_the_same_in_every_game_and_en_passant_counts_where_it_is_legal() {
        let last = |moves: &str| of(moves).0.pop().map(|turn| turn.position);
        assert_eq!(last("1.d4 d5 2.c4 e6 3.Nc3"), last("1.c4 e6 2.d4 d5 3.Nc3"));
        // No pawn can take.
        assert_eq!(last("1.Nf3 e5 2.e4 a6 3.a3"), last("1.e4 a6 2.Nf3 e5 3.a3"));
        assert_ne!(last("1.e4 a6 2.e5 d5 3.a3"), last("1.e4 d6 2.e5 d5 3.a3"));
        let (turns, _) = of("1.d4 d5 2.c4 e6 3.Nc3");
        let asked = EnginePosition::unpacked(&turns[4].position).unwrap();
        assert!(asked.epd().ends_with(" w KQkq -"), "{}", asked.epd());
        assert_eq!(asked.key(), turns[4].position);
        assert_eq!(asked.legal(), usize::from(turns[4].legal));
        // Castling, en passant and 32 pieces in 24 bytes, and back.
        for (turns, _) in [of("1.e4 a6 2.e5 d5 3.a3"), of("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O")] {
            for turn in turns {
                assert_eq!(EnginePosition::unpacked(&turn.position).unwrap().key(), turn.position);
            }
        }
    }
}
