//! The numbers by which ChessBase refers to the pieces of a side.

use shakmaty::{Board, Color, File, Move, Role, Square};

/// Most pieces of a kind that have a number: eight pawns, three others.
const MOST_PAWNS: usize = 8;
const MOST_OTHERS: usize = 3;

/// The squares of the pieces of both sides, by kind and number.
///
/// Pawns keep their numbers. When another piece is captured, those after it move up. A fourth piece
/// of a kind has no number.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    squares: [[[Option<Square>; MOST_PAWNS]; 6]; 2],
}

/// Returns the square with a number: a1, a2, ... h8.
pub(super) fn square(number: u32) -> Square {
    Square::from_coords(File::new(number >> 3 & 7), shakmaty::Rank::new(number & 7))
}

impl Pieces {
    /// Numbers the pieces of a position in the order of their squares.
    pub fn new(board: &Board, is_reversed: bool) -> Pieces {
        let mut pieces = Pieces { squares: [[[None; MOST_PAWNS]; 6]; 2] };
        for number in 0..64 {
            let square = square(if is_reversed { 63 - number } else { number });
            if let Some(piece) = board.piece_at(square) {
                pieces.add(piece.color, piece.role, square);
            }
        }
        pieces
    }

    /// The places of the pieces of a kind.
    fn places(&mut self, color: Color, role: Role) -> &mut [Option<Square>] {
        let most = if role == Role::Pawn { MOST_PAWNS } else { MOST_OTHERS };
        &mut self.squares[color as usize][role as usize - 1][..most]
    }

    /// Gives a piece the first free number, if there is one.
    fn add(&mut self, color: Color, role: Role, square: Square) {
        if let Some(free) = self.places(color, role).iter_mut().find(|place| place.is_none()) {
            *free = Some(square);
        }
    }

    fn shift(&mut self, color: Color, role: Role, from: Square, to: Option<Square>) {
        if let Some(place) = self.places(color, role).iter_mut().find(|place| **place == Some(from))
        {
            *place = to;
        }
    }

    /// Removes a captured piece.
    fn remove(&mut self, color: Color, role: Role, square: Square) {
        self.shift(color, role, square, None);
        if role != Role::Pawn {
            // `false` precedes `true`, and the order of equal ones stays.
            self.places(color, role).sort_by_key(Option::is_none);
        }
    }

    /// Returns the square of a piece.
    pub fn square(&mut self, color: Color, role: Role, number: usize) -> Option<Square> {
        *self.places(color, role).get(number)?
    }

    /// Follows a legal move.
    pub fn follow(&mut self, color: Color, played: Move) {
        match played {
            Move::Normal { role, from, to, capture, promotion } => {
                if let Some(captured) = capture {
                    self.remove(!color, captured, to);
                }
                match promotion {
                    Some(promoted) => {
                        self.shift(color, role, from, None);
                        self.add(color, promoted, to);
                    }
                    None => self.shift(color, role, from, Some(to)),
                }
            }
            Move::EnPassant { from, to } => {
                let captured = Square::from_coords(to.file(), from.rank());
                self.remove(!color, Role::Pawn, captured);
                self.shift(color, Role::Pawn, from, Some(to));
            }
            Move::Castle { king, rook } => {
                let files = if king < rook { [File::G, File::F] } else { [File::C, File::D] };
                let [king_to, rook_to] = files.map(|file| Square::from_coords(file, king.rank()));
                self.shift(color, Role::King, king, Some(king_to));
                self.shift(color, Role::Rook, rook, Some(rook_to));
            }
            Move::Put { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_move_up_when_one_is_captured_but_pawns_do_not() {
        let mut pieces = Pieces::new(&Board::new(), false);
        let (rook, pawn) = (Role::Rook, Role::Pawn);
        let white = |pieces: &mut Pieces, role, number| pieces.square(Color::White, role, number);
        let capture = |captured, to| Move::Normal {
            role: rook,
            from: Square::A8,
            to,
            capture: Some(captured),
            promotion: None,
        };
        pieces.follow(Color::Black, capture(rook, Square::A1));
        assert_eq!(white(&mut pieces, rook, 0), Some(Square::H1));
        assert_eq!(white(&mut pieces, rook, 1), None);
        pieces.follow(Color::Black, capture(pawn, Square::A2));
        assert_eq!(white(&mut pieces, pawn, 0), None);
        assert_eq!(white(&mut pieces, pawn, 1), Some(Square::B2));
        let mut reversed = Pieces::new(&Board::new(), true);
        assert_eq!(white(&mut reversed, rook, 0), Some(Square::H1));
        assert_eq!(white(&mut reversed, pawn, 0), Some(Square::H2));
    }

    #[test]
    fn a_promoted_piece_gets_the_first_free_number() {
        let mut pieces = Pieces::new(&Board::new(), false);
        let promote = |from, to| Move::Normal {
            role: Role::Pawn,
            from,
            to,
            capture: None,
            promotion: Some(Role::Queen),
        };
        for (from, to) in
            [(Square::A2, Square::A8), (Square::B2, Square::B8), (Square::C2, Square::C8)]
        {
            pieces.follow(Color::White, promote(from, to));
        }
        let queens = [0, 1, 2, 3].map(|number| pieces.square(Color::White, Role::Queen, number));
        assert_eq!(queens, [Some(Square::D1), Some(Square::A8), Some(Square::B8), None]);
    }
}
