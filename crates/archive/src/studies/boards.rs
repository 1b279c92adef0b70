//! Reads the moves of the games of events for the board, from the collections, if the settings ask
//! for it.

use rustc_hash::FxHashMap;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Role, Square};

use crate::record::EventRecord;
use crate::settings::Input;
use pgn_collections::games::GameTable;
use pgn_collections::pgn::{ReadOptions, for_each_game, replay};
use pgn_collections::source::{Wanted, find};

/// The moves of games, by their rows in the game table.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    games: FxHashMap<usize, PackedMoves>,
}

/// The moves of one game, two bytes each.
#[derive(Clone, Debug, PartialEq)]
struct PackedMoves {
    /// The initial position, if it is not the usual one.
    start: Option<Box<Chess>>,
    moves: Box<[u16]>,
}

/// A half-move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardMove {
    /// In standard algebraic notation: `Nxd5+`.
    pub san: String,
    /// In UCI notation, with castling as the king capturing its own rook: `e1h1`.
    pub squares: String,
}

const SQUARE: u16 = 0o77;
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Packs origin, target and promotion into 6, 6 and 3 bits.
fn packed(played: UciMove) -> Option<u16> {
    let UciMove::Normal { from, to, promotion } = played else { return None };
    let becomes = promotion.and_then(|role| PROMOTIONS.iter().position(|other| *other == role));
    let becomes = becomes.map_or(0, |place| place as u16 + 1);
    Some(u16::from(from) | u16::from(to) << 6 | becomes << 12)
}

fn unpacked(packed: u16) -> UciMove {
    let square = |bits: u16| Square::new(u32::from(bits & SQUARE));
    let becomes = usize::from(packed >> 12).checked_sub(1);
    UciMove::Normal {
        from: square(packed),
        to: square(packed >> 6),
        promotion: becomes.and_then(|place| PROMOTIONS.get(place)).copied(),
    }
}

impl Boards {
    /// Reads the moves of all games of events, up to the first illegal one.
    pub fn read(input: &Input, records: &[EventRecord], table: &GameTable) -> Boards {
        // A game is identified by its place in the inputs and by its moves.
        let mut rows: FxHashMap<(&str, u32, u64), Vec<usize>> = FxHashMap::default();
        for row in records.iter().flat_map(|record| &record.event.games).map(|game| game.row) {
            let game = &table.games()[row];
            let rows =
                rows.entry((&**table.member_of(game), game.line, game.fingerprint)).or_default();
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        let files = find(&input.pgn, Wanted::Games, &mut Vec::new());
        let options = ReadOptions { limits: input.limits, ..ReadOptions::default() };
        let mut boards = Boards::default();
        for_each_game(&files, options, &mut |member, game, text| {
            let Some(rows) = rows.get(&(member, game.line, game.fingerprint)) else { return };
            let replayed = replay(text);
            let moves = replayed.moves.iter().map(|played| played.to_uci(CastlingMode::Chess960));
            let moves: Box<[u16]> = moves.map_while(packed).collect();
            if moves.is_empty() {
                return;
            }
            let usual = replayed.start == Chess::default();
            let start = (!usual).then(|| Box::new(replayed.start));
            for row in rows {
                boards
                    .games
                    .insert(*row, PackedMoves { start: start.clone(), moves: moves.clone() });
            }
        });
        boards
    }

    /// Whether the moves of a game are known.
    pub fn has(&self, row: usize) -> bool {
        self.games.contains_key(&row)
    }

    /// The number of games with moves.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether no game has moves.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The initial position of a game (FEN, if it is not the usual one) and its half-moves; `None`
    /// if no moves are known.
    pub fn game(&self, row: usize) -> Option<(Option<String>, Vec<BoardMove>)> {
        let game = self.games.get(&row)?;
        let mut position = game.start.as_deref().cloned().unwrap_or_default();
        let start = game
            .start
            .as_deref()
            .map(|start| Fen::from_position(start, EnPassantMode::Legal).to_string());
        let moves = game
            .moves
            .iter()
            .map_while(|&packed| {
                let squares = unpacked(packed);
                let played = squares.to_move(&position).ok()?;
                let san = SanPlus::from_move_and_play_unchecked(&mut position, played).to_string();
                Some(BoardMove { san, squares: squares.to_string() })
            })
            .collect();
        Some((start, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_moves_unpack_to_the_same_moves() {
        for text in ["e2e4", "e1h1", "a7a8q", "h2h1n", "b7c8r", "g7g8b"] {
            let played: UciMove = text.parse().unwrap();
            assert_eq!(unpacked(packed(played).unwrap()).to_string(), text);
        }
        assert_eq!(packed(UciMove::Null), None);
    }
}
