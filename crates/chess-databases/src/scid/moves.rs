//! The moves of a SCID game.
//!
//! The high half of a byte is the number of the piece, the low half its move. The king has fewer
//! than sixteen moves, and its other values are marks.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, CastlingSide, Chess, Position, Role, Square};

use super::pieces::Pieces;
use crate::main_line::MainLine;
use crate::pgn_text::write_tag;

// The marks among the moves.
const SYMBOL: u8 = 11;
const COMMENT: u8 = 12;
const VARIATION: u8 = 13;
const END_OF_VARIATION: u8 = 14;
const END: u8 = 15;

/// A move as it is stored.
enum StoredMove {
    To(Square, Option<Role>),
    Castle(CastlingSide),
    Null,
}

/// Writes the position in which a game begins, if it is not the initial one, and its main line.
/// Returns what is damaged.
pub(super) fn write(data: &[u8], out: &mut Vec<u8>) -> Option<String> {
    const NO_START: &str =
        "the position in which this game begins is damaged, so its moves are lost";
    let Some((flags, mut rest)) = data.split_first() else {
        out.push(b'\n');
        return Some(NO_START.to_owned());
    };
    let mut start = Chess::default();
    let has_position = flags & 1 == 1;
    if has_position {
        let length = rest.iter().position(|byte| *byte == 0);
        let fen = length.map(|length| &rest[..length]);
        if let Some(fen) = fen {
            write_tag(out, b"SetUp", b"1");
            write_tag(out, b"FEN", fen);
        }
        out.push(b'\n');
        let position = fen.and_then(|fen| {
            let fen = Fen::from_ascii(fen).ok()?;
            fen.into_position::<Chess>(CastlingMode::Chess960).ok()
        });
        let (Some(position), Some(length)) = (position, length) else {
            return Some(NO_START.to_owned());
        };
        start = position;
        rest = &rest[length + 1..];
    } else {
        out.push(b'\n');
    }
    let pieces = if has_position {
        Pieces::of_position(start.board())
    } else {
        Pieces::initial(start.board())
    };
    let mut plies = 0;
    let outcome = main_line(rest, start, pieces, out, &mut plies);
    outcome.is_none().then(|| {
        format!("the moves of this game are damaged after {plies} half-moves; the others are lost")
    })
}

/// Plays and writes the main line, and counts its half-moves. Returns `None` if it is damaged.
fn main_line(
    data: &[u8],
    start: Chess,
    mut pieces: Pieces,
    out: &mut Vec<u8>,
    plies: &mut u32,
) -> Option<()> {
    let mut line = MainLine::new(start, out);
    let mut bytes = data.iter().copied();
    let mut depth = 0u32;
    loop {
        let byte = bytes.next()?;
        match byte {
            SYMBOL => {
                bytes.next()?;
            }
            COMMENT => {}
            VARIATION => depth += 1,
            END_OF_VARIATION => depth = depth.checked_sub(1)?,
            END => return (depth == 0).then_some(()),
            _ if depth > 0 => {}
            _ => {
                let color = line.position().turn();
                let from = pieces.square(color, byte >> 4)?;
                let role = line.position().board().role_at(from)?;
                match stored_move(role, from, byte & 15, color.is_white(), &mut bytes)? {
                    StoredMove::To(to, promotion) => {
                        pieces.follow(color, line.play(from, to, promotion)?);
                    }
                    StoredMove::Castle(side) => pieces.follow(color, line.castle(side)?),
                    StoredMove::Null => line.pass()?,
                }
                *plies += 1;
            }
        }
    }
}

/// Decodes a move of a piece. A queen that moves diagonally has a second byte.
fn stored_move(
    role: Role,
    from: Square,
    code: u8,
    is_white: bool,
    bytes: &mut impl Iterator<Item = u8>,
) -> Option<StoredMove> {
    let (file, rank) = (from.file() as i32, from.rank() as i32);
    let code_file = i32::from(code & 7);
    let mut promotion = None;
    let to = match role {
        Role::Pawn => {
            promotion = match code {
                3..=5 => Some(Role::Queen),
                6..=8 => Some(Role::Rook),
                9..=11 => Some(Role::Bishop),
                12..=14 => Some(Role::Knight),
                _ => None,
            };
            let step = if code == 15 { 16 } else { 7 + i32::from(code % 3) };
            from as i32 + if is_white { step } else { -step }
        }
        Role::Knight => {
            const STEPS: [i32; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];
            from as i32 + STEPS.get(usize::from(code).checked_sub(1)?)?
        }
        Role::Bishop if code < 8 => from as i32 + 9 * (code_file - file),
        Role::Bishop => from as i32 - 7 * (code_file - file),
        // A queen that moves to its own file within its rank moves diagonally.
        Role::Queen if i32::from(code) == file => i32::from(bytes.next()?) - 64,
        Role::Rook | Role::Queen if code < 8 => 8 * rank + code_file,
        Role::Rook | Role::Queen => 8 * code_file + file,
        Role::King => match code {
            0 => return Some(StoredMove::Null),
            9 => return Some(StoredMove::Castle(CastlingSide::QueenSide)),
            10 => return Some(StoredMove::Castle(CastlingSide::KingSide)),
            _ => {
                const STEPS: [i32; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
                from as i32 + STEPS.get(usize::from(code) - 1)?
            }
        },
    };
    let to = Square::try_from(u8::try_from(to).ok()?).ok()?;
    Some(StoredMove::To(to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(data: &[u8]) -> (String, Option<String>) {
        let mut out = Vec::new();
        let fault = write(data, &mut out);
        (String::from_utf8(out).unwrap(), fault)
    }

    #[test]
    fn variations_comments_and_symbols_are_skipped() {
        // 1. e4 $1 e5 (1... c5 $15 {comment}) 2. Qh5 {comment} Nc6
        let data = [
            0,
            0xcf,
            SYMBOL,
            1,
            0xcf,
            VARIATION,
            0xaf,
            SYMBOL,
            15,
            COMMENT,
            END_OF_VARIATION,
            0x43,
            64 + 39,
            COMMENT,
            0x22,
            END,
        ];
        let (text, fault) = written(&data);
        assert_eq!((text.as_str(), fault), ("\ne4 e5 Qh5 Nc6 ", None));
        let (text, fault) = written(&[0, 0xcf, 10, END]);
        assert_eq!(text, "\ne4 ");
        assert!(fault.is_some_and(|fault| fault.contains("after 1 half-moves")));
    }

    #[test]
    fn positions_are_written_and_their_pieces_numbered() {
        // The king of White has the number 0 and the pawn, which comes first in the FEN, 1.
        let data = [b"\x018/4P1k1/8/8/8/8/8/4K3 w - - 0 1\0", &[0x14, 0x05, END][..]].concat();
        let (text, fault) = written(&data);
        assert_eq!(fault, None);
        assert!(text.ends_with("\"]\n\ne8=Q Kh7 "), "{text}");
        for data in [&b""[..], b"\x018/8/8 w\0\x0f", b"\x01unfinished"] {
            assert!(written(data).1.is_some_and(|fault| fault.contains("position")), "{data:?}");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        for first in 0..=255 {
            for second in (0..=255).step_by(5) {
                written(&[0, 0xcf, 0xcf, first, second, second ^ first, END]);
            }
        }
    }
}
