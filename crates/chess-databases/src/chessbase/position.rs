//! The position in which a ChessBase game begins, if it is not the initial one.

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece,
    PositionError, Rank, Role, Setup, Square,
};

use super::pieces::square;

/// Size of a stored position (bytes): four bytes of facts, and the pieces.
pub(super) const SIZE: usize = 28;

/// Number of further bytes of a position of Chess960. The squares of the kings and rooks, which
/// they state, follow from the position.
pub(super) const CHESS960_SIZE: usize = 8;

/// Reads a position. Returns `None` if it is damaged, or not one of chess.
pub(super) fn read(bytes: &[u8]) -> Option<Chess> {
    let [_, side, castling, number, pieces @ ..] = bytes.get(..SIZE)? else { return None };
    let board = read_board(pieces)?;
    let turn = if side & 16 == 0 { Color::White } else { Color::Black };
    let mut setup = Setup::empty();
    setup.castling_rights = castling_rights(&board, *castling);
    setup.board = board;
    setup.turn = turn;
    let target = if turn.is_white() { Rank::Sixth } else { Rank::Third };
    setup.ep_square = match side & 15 {
        file @ 1..=8 => Some(Square::from_coords(File::new(u32::from(file) - 1), target)),
        _ => None,
    };
    setup.fullmoves = u32::from((*number).max(1)).try_into().ok()?;
    // Castling rights and en passant squares that are impossible do not change the moves.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .ok()
}

/// Reads the pieces: a bit for each square, and four more if it is not empty.
fn read_board(pieces: &[u8]) -> Option<Board> {
    let bits = pieces.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    // The bits of the last square may be cut off if there are too many pieces.
    let mut bits = bits.map(Some).chain(std::iter::repeat(None));
    let mut board = Board::empty();
    for number in 0..64 {
        if bits.next()?? == 0 {
            continue;
        }
        let color = if bits.next()?? == 0 { Color::White } else { Color::Black };
        let mut kind = 0;
        for _ in 0..3 {
            kind = kind << 1 | bits.next()??;
        }
        let role = match kind {
            1 => Role::King,
            2 => Role::Queen,
            3 => Role::Knight,
            4 => Role::Bishop,
            5 => Role::Rook,
            6 => Role::Pawn,
            _ => return None,
        };
        board.set_piece_at(square(number), Piece { color, role });
    }
    Some(board)
}

/// The rooks with which a side may castle: the outermost ones on both sides of its king.
fn castling_rights(board: &Board, castling: u8) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    for (color, long) in [(Color::White, 1), (Color::Black, 4)] {
        let rank = color.fold_wb(Rank::First, Rank::Eighth);
        let rooks = board.by_piece(color.rook()) & Bitboard::from_rank(rank);
        let Some(king) = board.king_of(color) else { continue };
        let outermost = [rooks.first(), rooks.last()];
        let is_on_side = [outermost[0] < Some(king), outermost[1] > Some(king)];
        for (place, bit) in [long, 2 * long].into_iter().enumerate() {
            if let Some(rook) = outermost[place]
                && castling & bit != 0
                && is_on_side[place]
            {
                rights.add(rook);
            }
        }
    }
    rights
}

/// Writes a position as FEN.
pub(super) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Stores a position, with castling rights as bits.
    pub fn stored(fen: &str, castling: u8, en_passant: u8) -> Vec<u8> {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        let mut bits: Vec<u8> = Vec::new();
        for number in 0..64 {
            match setup.board.piece_at(square(number)) {
                None => bits.push(0),
                Some(piece) => {
                    let kind = match piece.role {
                        Role::King => 1,
                        Role::Queen => 2,
                        Role::Knight => 3,
                        Role::Bishop => 4,
                        Role::Rook => 5,
                        Role::Pawn => 6u8,
                    };
                    bits.extend([
                        1,
                        u8::from(piece.color.is_black()),
                        kind >> 2,
                        kind >> 1 & 1,
                        kind & 1,
                    ]);
                }
            }
        }
        bits.resize(24 * 8, 0);
        let side = u8::from(setup.turn.is_black()) << 4 | en_passant;
        let mut bytes = vec![1, side, castling, 7];
        bytes.extend(bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)));
        bytes
    }

    #[test]
    fn a_position_is_read_with_its_side_castling_and_en_passant() {
        let text = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 7";
        let position = read(&stored(text, 0b1011, 4)).unwrap();
        assert_eq!(fen(&position), text);
        let impossible = read(&stored("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7", 0b1111, 1)).unwrap();
        assert_eq!(fen(&impossible), "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7");
    }

    #[test]
    fn damaged_positions_are_refused() {
        let mut whole = stored("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, 0);
        assert!(read(&whole[..27]).is_none());
        whole[4..].fill(0xff);
        assert!(read(&whole).is_none());
        whole[4..].fill(0);
        assert!(read(&whole).is_none(), "a position without kings");
    }
}
