//! The main line of a game while it is decoded: plays its moves and writes them.

use shakmaty::{
    CastlingSide, Chess, EnPassantMode, Move, Piece, Position, Rank, Role, Square, attacks,
};

/// Plays moves and writes them in standard algebraic notation, without checks and move numbers.
pub(crate) struct MainLine<'t> {
    position: Chess,
    out: &'t mut Vec<u8>,
}

impl<'t> MainLine<'t> {
    pub fn new(start: Chess, out: &'t mut Vec<u8>) -> MainLine<'t> {
        MainLine { position: start, out }
    }

    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays the move between two squares, and returns it; `None` if it is illegal. Then the line
    /// must end. A king that moves two files castles.
    pub fn play(&mut self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let board = self.position.board();
        let piece = board.piece_at(from)?;
        if piece.role == Role::King && from.distance(to) > 1 {
            return self.castle(if from < to {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            });
        }
        let played = pseudo_legal(&self.position, piece, from, to, promotion)?;
        let may_be_others = !matches!(piece.role, Role::Pawn | Role::King) && {
            let others = board.by_piece(piece).without(from);
            others.any() && (attacks::attacks(to, piece, board.occupied()) & others).any()
        };
        if !may_be_others {
            write_san(self.out, played, &[]);
        } else {
            // Which of them could legally move there decides how the move is written.
            write_san(self.out, played, &self.position.san_candidates(piece.role, to));
        }
        self.position.play_unchecked(played);
        let (board, mover) = (self.position.board(), piece.color);
        let is_legal = board.attacks_to(board.king_of(mover)?, !mover, board.occupied()).is_empty();
        is_legal.then_some(played)
    }

    /// Castles; `None` if it is illegal.
    pub fn castle(&mut self, side: CastlingSide) -> Option<Move> {
        let played = *self.position.castling_moves(side).first()?;
        let san: &[u8] = match side {
            CastlingSide::KingSide => b"O-O ",
            CastlingSide::QueenSide => b"O-O-O ",
        };
        self.out.extend_from_slice(san);
        self.position.play_unchecked(played);
        Some(played)
    }

    /// Plays a null move, as annotators do; `None` if the side to move is in check.
    pub fn pass(&mut self) -> Option<()> {
        self.position = self.position.clone().swap_turn().ok()?;
        self.out.extend_from_slice(b"-- ");
        Some(())
    }
}

/// Returns the move between two squares, if it follows the rules except for checks, and does not
/// castle.
fn pseudo_legal(
    position: &Chess,
    piece: Piece,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let Piece { color, role } = piece;
    let (board, occupied) = (position.board(), position.board().occupied());
    let capture = board.role_at(to);
    let is_promotion = role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
    let is_promoted = promotion.is_some_and(|role| !matches!(role, Role::Pawn | Role::King));
    if color != position.turn()
        || board.by_color(color).contains(to)
        || capture == Some(Role::King)
        || (promotion.is_some(), is_promotion) != (is_promoted, is_promoted)
    {
        return None;
    }
    let reaches = attacks::attacks(from, piece, occupied).contains(to);
    let is_possible = if role == Role::Pawn && capture.is_none() {
        if reaches {
            let is_en_passant = position.ep_square(EnPassantMode::Always) == Some(to);
            return is_en_passant.then_some(Move::EnPassant { from, to });
        }
        let step = color.fold_wb(8, -8);
        let one = from.offset(step).filter(|one| !occupied.contains(*one));
        let is_home = from.rank() == color.fold_wb(Rank::Second, Rank::Seventh);
        one == Some(to) || is_home && one.and_then(|one| one.offset(step)) == Some(to)
    } else {
        reaches
    };
    is_possible.then_some(Move::Normal { role, from, capture, to, promotion })
}

/// Writes a move and a space. `candidates` are the legal moves of such pieces to the same square,
/// if there may be others.
fn write_san(out: &mut Vec<u8>, played: Move, candidates: &[Move]) {
    let (Some(from), to, role) = (played.from(), played.to(), played.role()) else { return };
    if role != Role::Pawn {
        out.push(role.upper_char() as u8);
        let others = candidates.iter().filter_map(|other| other.from());
        let others = others.filter(|other| *other != from);
        let (mut has_others, mut on_file, mut on_rank) = (false, false, false);
        for other in others {
            has_others = true;
            on_file |= other.file() == from.file();
            on_rank |= other.rank() == from.rank();
        }
        // The file distinguishes pieces, unless another one is on it.
        if has_others && (!on_file || on_rank) {
            out.push(from.file().char() as u8);
        }
        if on_file {
            out.push(from.rank().char() as u8);
        }
    } else if played.is_capture() {
        out.push(from.file().char() as u8);
    }
    if played.is_capture() {
        out.push(b'x');
    }
    out.extend([to.file().char() as u8, to.rank().char() as u8]);
    if let Some(promotion) = played.promotion() {
        out.extend([b'=', promotion.upper_char() as u8]);
    }
    out.push(b' ');
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::san::San;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn every_legal_move_is_written_as_the_standard_requires() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "3q2k1/2P1P3/8/Q6Q/8/8/8/Q6K w - - 0 1",
            "4k3/8/8/R6R/8/8/4r3/R3K2R w - - 0 1",
            "N3k2N/8/8/8/8/2b5/8/N1N1K2N w - - 0 1",
        ] {
            let start = position(fen);
            for legal in start.legal_moves() {
                let mut out = Vec::new();
                let mut line = MainLine::new(start.clone(), &mut out);
                let played = match legal.castling_side() {
                    Some(side) => line.castle(side),
                    None => line.play(legal.from().unwrap(), legal.to(), legal.promotion()),
                };
                assert_eq!(played, Some(legal));
                let written = String::from_utf8(out).unwrap();
                assert_eq!(written.trim_end(), San::from_move(&start, legal).to_string(), "{fen}");
            }
        }
    }

    #[test]
    fn only_legal_moves_are_played() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pppp1ppp/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 1",
            // En passant would expose the king; the bishop is pinned; a double check.
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
            "4r2k/P7/8/8/8/4B3/4R3/4K3 w - - 0 1",
            "4k3/8/5N2/8/8/8/4R3/4K3 b - - 0 1",
        ] {
            let start = position(fen);
            let promotions = [Role::Queen, Role::Knight, Role::King, Role::Pawn].map(Some);
            for promotion in promotions.into_iter().chain([None]) {
                for (from, to) in
                    Square::ALL.iter().flat_map(|from| Square::ALL.map(|to| (*from, to)))
                {
                    let mut out = Vec::new();
                    let played = MainLine::new(start.clone(), &mut out).play(from, to, promotion);
                    let mut legal =
                        start.legal_moves().into_iter().filter(|legal| !legal.is_castle());
                    let expected = legal.find(|legal| {
                        (legal.from(), legal.to(), legal.promotion()) == (Some(from), to, promotion)
                    });
                    let castles = played.is_some_and(|played| played.is_castle());
                    assert!(castles || played == expected, "{fen} {from}{to} {promotion:?}");
                }
            }
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        let mut out = Vec::new();
        let mut line = MainLine::new(Chess::default(), &mut out);
        assert_eq!(line.play(Square::E2, Square::E5, None), None);
        assert_eq!(line.play(Square::E4, Square::E5, None), None);
        assert_eq!(line.play(Square::E7, Square::E5, None), None);
        assert_eq!(line.play(Square::E1, Square::G1, None), None);
        assert!(line.pass().is_some());
        assert!(line.play(Square::E7, Square::E5, None).is_some());
        assert_eq!(out, b"-- e5 ");
    }
}
