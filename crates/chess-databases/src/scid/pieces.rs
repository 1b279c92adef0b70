//! The numbers by which SCID refers to the pieces of a side.

use shakmaty::{Board, Color, File, Move, Rank, Role, Square};

/// The squares of the pieces of both sides, by number.
///
/// The king has the number 0. When a piece is captured, the last one gets its number.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    squares: [[Option<Square>; 16]; 2],
    counts: [usize; 2],
    /// The number of the piece on each square.
    numbers: [u8; 64],
}

impl Pieces {
    /// Numbers the pieces of the initial position: the king, the other pieces from the a-file on,
    /// and the pawns.
    pub fn initial(board: &Board) -> Pieces {
        let files = [4, 0, 1, 2, 3, 5, 6, 7].map(File::new);
        let mut pieces = Pieces::empty();
        for (color, ranks) in [
            (Color::White, [Rank::First, Rank::Second]),
            (Color::Black, [Rank::Eighth, Rank::Seventh]),
        ] {
            for file in files {
                pieces.add(board, color, Square::from_coords(file, ranks[0]));
            }
            for file in File::ALL {
                pieces.add(board, color, Square::from_coords(file, ranks[1]));
            }
        }
        pieces
    }

    /// Numbers the pieces of another position in the order of its FEN.
    pub fn of_position(board: &Board) -> Pieces {
        let mut pieces = Pieces::empty();
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                if let Some(piece) = board.piece_at(square) {
                    pieces.add(board, piece.color, square);
                }
            }
        }
        pieces
    }

    fn empty() -> Pieces {
        Pieces { squares: [[None; 16]; 2], counts: [0; 2], numbers: [0; 64] }
    }

    /// Adds a piece. A king takes the place of the first piece, which becomes the last.
    fn add(&mut self, board: &Board, color: Color, square: Square) {
        let side = color as usize;
        let count = self.counts[side];
        let first = self.squares[side][0];
        if board.role_at(square) == Some(Role::King)
            && let Some(first) = first
        {
            self.set(side, count, first);
            self.set(side, 0, square);
        } else {
            self.set(side, count, square);
        }
        self.counts[side] += 1;
    }

    fn set(&mut self, side: usize, number: usize, square: Square) {
        if let Some(place) = self.squares[side].get_mut(number) {
            *place = Some(square);
            self.numbers[square as usize] = number as u8;
        }
    }

    /// Returns the square of a piece.
    pub fn square(&self, color: Color, number: u8) -> Option<Square> {
        *self.squares[color as usize].get(usize::from(number))?
    }

    /// Follows a legal move.
    pub fn follow(&mut self, color: Color, played: Move) {
        match played {
            Move::Normal { from, to, capture, .. } => {
                if capture.is_some() {
                    self.remove(!color, to);
                }
                self.shift(color, from, to);
            }
            Move::EnPassant { from, to } => {
                self.remove(!color, Square::from_coords(to.file(), from.rank()));
                self.shift(color, from, to);
            }
            Move::Castle { king, rook } => {
                let is_short = king < rook;
                let rank = king.rank();
                let [king_file, rook_file] =
                    if is_short { [File::G, File::F] } else { [File::C, File::D] };
                let number = self.numbers[rook as usize];
                self.set(color as usize, 0, Square::from_coords(king_file, rank));
                self.set(color as usize, number.into(), Square::from_coords(rook_file, rank));
            }
            Move::Put { .. } => {}
        }
    }

    fn shift(&mut self, color: Color, from: Square, to: Square) {
        let number = self.numbers[from as usize];
        self.set(color as usize, number.into(), to);
    }

    fn remove(&mut self, color: Color, square: Square) {
        let side = color as usize;
        let number = usize::from(self.numbers[square as usize]);
        let Some(last) = self.counts[side].checked_sub(1) else { return };
        self.counts[side] = last;
        if let Some(square) = self.squares[side].get(last).copied().flatten() {
            self.set(side, number, square);
        }
        self.squares[side][last] = None;
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn the_king_is_the_first_piece_and_the_last_replaces_a_captured_one() {
        let fen: Fen = "rnb1k2Q/1p5p/p7/4p3/4q3/8/PPP2R1P/2K5 b - - 0 1".parse().unwrap();
        let board = fen.into_setup().board;
        let mut pieces = Pieces::of_position(&board);
        let squares = |pieces: &Pieces, color| {
            (0..16).map_while(|number| pieces.square(color, number)).collect::<Vec<Square>>()
        };
        let black = squares(&pieces, Color::Black);
        assert_eq!(black[..4], [Square::E8, Square::B8, Square::C8, Square::A8]);
        let white = squares(&pieces, Color::White);
        assert_eq!((white[0], white[1], white[6]), (Square::C1, Square::A2, Square::H8));
        pieces.follow(
            Color::White,
            Move::Normal {
                role: Role::Queen,
                from: Square::H8,
                to: Square::H7,
                capture: Some(Role::Pawn),
                promotion: None,
            },
        );
        assert_eq!(squares(&pieces, Color::Black).len(), black.len() - 1);
        assert_eq!(pieces.square(Color::White, 6), Some(Square::H7));
        assert_eq!(pieces.square(Color::Black, 5), Some(Square::E4), "the last replaces it");
    }
}
