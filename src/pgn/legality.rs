//! Whether the moves of games are allowed by the rules: they are replayed.

use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::chunk::Chunk;
use super::cursor::shown;
use super::finding::Finding;
use crate::games::GameFlags;
use crate::source::DiagnosticKind;

/// Replays all games of a piece of text that stand where it says, and tells the first illegal move
/// of each. Variants of chess are not replayed.
pub(super) fn check(text: &[u8], chunk: &mut Chunk) {
    for (game, &(start, end)) in chunk.games.iter().zip(&chunk.places) {
        if game.flags.contains(GameFlags::VARIANT) {
            continue;
        }
        let bytes = &text[start..end];
        let longest = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        let mut reader = Reader::build(Cursor::new(bytes))
            // A tag line longer than the reader's buffer would be an error for the whole reader.
            .set_supported_tag_line_length(longest)
            .finish();
        let mut replay = Replay::default();
        // Reading from memory does not fail, and what the reader cannot make sense of was told.
        let _ = reader.read_game(&mut replay);
        if let Some(message) = replay.wrong {
            let finding = Finding::warning(game.line, DiagnosticKind::IllegalMove, message);
            chunk.findings.push(finding);
        }
    }
    chunk.findings.sort_by_key(|finding| finding.line);
}

/// Plays a game.
#[derive(Default)]
struct Replay {
    position: Chess,
    plies: u32,
    wrong: Option<String>,
}

impl Visitor for Replay {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let position = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
            match position {
                Some(position) => self.position = position,
                None => {
                    let message = format!("FEN \"{}\" is no position", shown(value.as_bytes()));
                    self.wrong = Some(message);
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
        match san_plus.san.to_move(&self.position) {
            Ok(played) => {
                self.position.play_unchecked(played);
                self.plies += 1;
                ControlFlow::Continue(())
            }
            Err(error) => {
                let number = self.position.fullmoves();
                let dots = if self.position.turn().is_white() { "." } else { "..." };
                self.wrong = Some(format!("{number}{dots}{san_plus} cannot be played: {error}"));
                ControlFlow::Break(())
            }
        }
    }

    fn end_game(&mut self, (): ()) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::chunk::ChunkReader;

    fn wrong(moves: &str) -> Vec<String> {
        let text =
            format!("[Event \"A\"]\n[White \"X\"]\n[Black \"Y\"]\n[Result \"*\"]\n\n{moves} *\n");
        let mut chunk = ChunkReader::default().read(text.as_bytes(), true);
        check(text.as_bytes(), &mut chunk);
        chunk.findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn the_first_illegal_move_is_told() {
        assert!(wrong("1.e4 e5 2.Nf3 (2.Nf6) Nc6 3.Bb5").is_empty());
        let told = wrong("1.e4 e5 2.Nf3 Nc6 3.Bb6 a6 4.Qh8");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("3.Bb6 cannot be played"), "{told:?}");
        let told = wrong("1.e4 Ke7");
        assert!(told[0].starts_with("1...Ke7 cannot be played"), "{told:?}");
    }
}
