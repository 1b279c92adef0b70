//! The moves of a ChessBase game.
//!
//! The main line precedes all variations, so it ends with the first mark of an end.

use shakmaty::{CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square};

use super::cipher::Encoding;
use super::pieces::{Pieces, square};
use super::position::{self, CHESS960_SIZE, SIZE};
use crate::bytes::big_endian;
use crate::main_line::MainLine;
use crate::pgn_text::write_tag;

/// Number of bytes at the beginning of a game's moves that state their length.
pub(crate) const MOVES_HEADER: u64 = 4;

/// Returns the length of the moves of a game (bytes), from their first bytes.
pub(crate) fn length_of_moves(header: &[u8]) -> u64 {
    big_endian(header, 1, 3).max(MOVES_HEADER)
}

// The codes that are no moves of a piece.
const NULL_MOVE: u8 = 0;
const SHORT_CASTLING: u8 = 9;
const LONG_CASTLING: u8 = 10;
const TWO_BYTES: u8 = 235;
const END: u8 = 255;

/// The first code of each piece, with its kind and number.
const PIECES: [(u8, Role, usize); 21] = [
    (1, Role::King, 0),
    (11, Role::Queen, 0),
    (39, Role::Rook, 0),
    (53, Role::Rook, 1),
    (67, Role::Bishop, 0),
    (81, Role::Bishop, 1),
    (95, Role::Knight, 0),
    (103, Role::Knight, 1),
    (111, Role::Pawn, 0),
    (115, Role::Pawn, 1),
    (119, Role::Pawn, 2),
    (123, Role::Pawn, 3),
    (127, Role::Pawn, 4),
    (131, Role::Pawn, 5),
    (135, Role::Pawn, 6),
    (139, Role::Pawn, 7),
    (143, Role::Queen, 1),
    (171, Role::Queen, 2),
    (199, Role::Rook, 2),
    (213, Role::Bishop, 2),
    (227, Role::Knight, 2),
];

/// Writes the position in which a game begins, if it is not the initial one, and its main line.
/// Returns what is damaged.
pub(super) fn write(data: &[u8], is_chess960: bool, out: &mut Vec<u8>) -> Option<String> {
    let kind = data.first().copied().unwrap_or_default();
    let mut rest = data.get(MOVES_HEADER as usize..).unwrap_or_default();
    let (number, has_position) = (kind & 0x3f, kind & 0x40 != 0);
    if is_chess960 || matches!(number, 10 | 11) {
        write_tag(out, b"Variant", b"Chess960");
    }
    let Some(encoding) = Encoding::new(number) else {
        write_tag(out, b"Variant", b"unorthodox");
        out.push(b'\n');
        return Some(format!("the moves of this game have the unknown encoding {number}"));
    };
    let mut start = Chess::default();
    if has_position {
        let Some(position) = position::read(rest) else {
            write_tag(out, b"SetUp", b"1");
            out.push(b'\n');
            return Some(
                "the position in which this game begins is damaged, so its moves are lost".into(),
            );
        };
        write_tag(out, b"SetUp", b"1");
        write_tag(out, b"FEN", position::fen(&position).as_bytes());
        start = position;
        let size = SIZE + if number < 8 { 0 } else { CHESS960_SIZE };
        rest = rest.get(size..).unwrap_or_default();
    }
    out.push(b'\n');
    let mut line = MainLine::new(start, out);
    let mut plies = 0;
    let outcome = if encoding.is_simple {
        simple_line(rest, encoding, &mut line, &mut plies)
    } else {
        compact_line(rest, encoding, &mut line, &mut plies)
    };
    outcome.is_none().then(|| {
        format!("the moves of this game are damaged after {plies} half-moves; the others are lost")
    })
}

/// Plays a line whose moves mostly have one byte. Returns `None` if it is damaged.
fn compact_line(
    data: &[u8],
    encoding: Encoding,
    line: &mut MainLine<'_>,
    plies: &mut u32,
) -> Option<()> {
    let mut pieces = Pieces::new(line.position().board(), encoding.is_reversed);
    let mut bytes = data.iter();
    loop {
        let moves = *plies as u8;
        let mut next = || Some(encoding.decode(*bytes.next()?, moves));
        let code = next()?;
        let color = line.position().turn();
        match code {
            END => return Some(()),
            // A variation begins, or an unknown mark.
            236..=254 => continue,
            NULL_MOVE => line.pass()?,
            SHORT_CASTLING => pieces.follow(color, line.castle(CastlingSide::KingSide)?),
            LONG_CASTLING => pieces.follow(color, line.castle(CastlingSide::QueenSide)?),
            TWO_BYTES => {
                let number = u32::from(next()?) << 8 | u32::from(next()?);
                let (from, to) = (square(number & 63), square(number >> 6 & 63));
                pieces.follow(color, long_move(line, from, to, number)?);
            }
            code => {
                let (first, role, number) = *PIECES.iter().rfind(|(first, ..)| *first <= code)?;
                let from = pieces.square(color, role, number)?;
                let to = target(from, role, color, code - first)?;
                pieces.follow(color, line.play(from, to, None)?);
            }
        }
        *plies += 1;
    }
}

/// Plays a line whose moves have two bytes. Returns `None` if it is damaged.
fn simple_line(
    data: &[u8],
    encoding: Encoding,
    line: &mut MainLine<'_>,
    plies: &mut u32,
) -> Option<()> {
    // A game without moves has no mark of its end.
    let (pairs, _) = data.as_chunks::<2>();
    if pairs.is_empty() {
        return Some(());
    }
    for pair in pairs {
        let [high, low] = pair.map(|byte| encoding.decode(byte, *plies as u8));
        let number = u32::from(high) << 8 | u32::from(low);
        let (mut from, mut to) = (number & 63, number >> 6 & 63);
        if encoding.is_reversed {
            (from, to) = (to, from);
        }
        match (from, to) {
            (0, 0) => line.pass()?,
            _ => {
                long_move(line, square(from), square(to), number)?;
            }
        }
        *plies += 1;
        if number & 1 << 14 != 0 {
            return Some(());
        }
    }
    None
}

/// Plays a move that states both squares. Bits 12 and 13 state the piece of a promotion. Castling
/// of Chess960 states the target of the king twice.
fn long_move(line: &mut MainLine<'_>, from: Square, to: Square, number: u32) -> Option<Move> {
    if from == to {
        let is_short = from.file() == File::G;
        return line.castle(if is_short {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        });
    }
    let is_promotion = line.position().board().role_at(from) == Some(Role::Pawn)
        && matches!(to.rank(), Rank::First | Rank::Eighth);
    const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let promotion = is_promotion.then(|| PROMOTIONS[(number >> 12 & 3) as usize]);
    line.play(from, to, promotion)
}

/// Returns the target of a move of a piece. Files and ranks are counted modulo 8.
fn target(from: Square, role: Role, color: Color, code: u8) -> Option<Square> {
    const STEPS: [(i32, i32); 8] =
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    const JUMPS: [(i32, i32); 8] =
        [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];
    const PAWN: [(i32, i32); 4] = [(0, 1), (0, 2), (1, 1), (-1, 1)];
    let place = usize::from(code);
    let (files, ranks) = match role {
        Role::King => *STEPS.get(place)?,
        Role::Knight => *JUMPS.get(place)?,
        Role::Pawn => {
            let (files, ranks) = *PAWN.get(place)?;
            if color.is_white() { (files, ranks) } else { (-files, -ranks) }
        }
        Role::Queen | Role::Rook | Role::Bishop => {
            let distance = i32::from(code % 7) + 1;
            match code / 7 + if role == Role::Bishop { 2 } else { 0 } {
                0 => (0, distance),
                1 => (distance, 0),
                2 => (distance, distance),
                3 => (distance, -distance),
                _ => return None,
            }
        }
    };
    let file = (from.file() as i32 + files).rem_euclid(8);
    let rank = (from.rank() as i32 + ranks).rem_euclid(8);
    Some(square((8 * file + rank) as u32))
}

#[cfg(test)]
mod tests {
    use super::position::tests::stored;
    use super::*;

    /// A game with these codes. After each that is a move, the next is stored differently.
    fn game(kind: u8, position: &[u8], codes: &[&[u8]]) -> Vec<u8> {
        let encoding = Encoding::new(kind & 63).unwrap();
        let mut data = vec![kind, 0, 0, 0];
        data.extend_from_slice(position);
        let mut moves = 0;
        for codes in codes {
            data.extend(codes.iter().map(|code| encoding.encode(*code, moves)));
            moves += u8::from(encoding.is_simple || codes[0] < 236);
        }
        data
    }

    fn written(data: &[u8]) -> (String, Option<String>) {
        let mut out = Vec::new();
        let fault = write(data, false, &mut out);
        (String::from_utf8(out).unwrap(), fault)
    }

    #[test]
    fn every_compact_encoding_has_the_same_moves() {
        // e4 (variation) e5 Nf3 Nc6 Bb5 a6 O-O: pieces are numbered from the other side in some.
        for kind in [0, 4] {
            let codes: [&[u8]; 9] =
                [&[254], &[128], &[128], &[105], &[101], &[91], &[111], &[9], &[255]];
            let (text, fault) = written(&game(kind, &[], &codes));
            assert_eq!((text.as_str(), fault), ("\ne4 e5 Nf3 Nc6 Bb5 a6 O-O ", None), "{kind}");
        }
        for kind in [2, 6] {
            let codes: [&[u8]; 6] = [&[124], &[236], &[124], &[97], &[109], &[255]];
            let (text, fault) = written(&game(kind, &[], &codes));
            assert_eq!((text.as_str(), fault), ("\ne4 e5 Nf3 Nc6 ", None), "{kind}");
        }
    }

    /// The two bytes of a move.
    fn pair(from: u16, to: u16, marks: u16) -> [u8; 2] {
        (from | to << 6 | marks << 12).to_be_bytes()
    }

    #[test]
    fn simple_encodings_state_both_squares() {
        // e2 is 33, e4 35, e7 38, e5 36, a1 0.
        for kind in [1, 3, 5, 7] {
            let moves = [(33, 35, 0), (38, 36, 8), (0, 0, 4), (33, 34, 4)];
            let pairs = moves.map(|(from, to, marks)| match kind & 2 {
                0 => pair(from, to, marks),
                _ => pair(to, from, marks),
            });
            let codes: Vec<&[u8]> = pairs.iter().map(|pair| &pair[..]).collect();
            let (text, fault) = written(&game(kind, &[], &codes));
            assert_eq!((text.as_str(), fault), ("\ne4 e5 -- ", None), "{kind}");
            assert_eq!(written(&game(kind, &[], &[])).1, None);
        }
    }

    #[test]
    fn promotions_and_chess960_castling_have_two_bytes() {
        let position = stored("4k3/P7/8/8/8/8/8/RK5R w KQ - 0 1", 0b0011, 0);
        let promotion = [&[TWO_BYTES][..], &pair(6, 7, 3)].concat();
        let pass = [NULL_MOVE];
        let castle = [&[TWO_BYTES][..], &pair(48, 48, 0)].concat();
        let codes: [&[u8]; 4] = [&promotion, &[3], &castle, &[255]];
        let extra = [position.clone(), vec![0; CHESS960_SIZE]].concat();
        let (text, fault) = written(&game(0x40 | 10, &extra, &codes));
        assert_eq!(fault, None, "{text}");
        assert!(text.starts_with("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7"), "{text}");
        assert!(text.ends_with("\n\na8=N Kf8 O-O "), "{text}");
        let codes: [&[u8]; 3] = [&promotion, &pass, &[255]];
        assert!(written(&game(0x40, &position, &codes)).0.ends_with("a8=N -- "));
    }

    #[test]
    fn damage_costs_the_moves_after_it() {
        let codes: [&[u8]; 3] = [&[128], &[128], &[128]];
        let (text, fault) = written(&game(0, &[], &codes));
        assert_eq!(text, "\ne4 e5 ");
        assert!(fault.is_some_and(|fault| fault.contains("after 2 half-moves")));
        assert!(written(&[8, 0, 0, 4]).1.is_some_and(|fault| fault.contains("encoding 8")));
        assert!(written(&[0x40, 0, 0, 4, 1]).1.is_some_and(|fault| fault.contains("position")));
        assert!(written(&[]).1.is_some());
    }
}
