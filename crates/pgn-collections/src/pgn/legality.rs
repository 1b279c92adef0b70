//! Checks the legality of moves by replaying games.

use super::chunk::Chunk;
use super::replay::replay;
use crate::games::GameFlags;
use crate::source::{DiagnosticKind, Finding};

/// Replays all games of a piece of text, and adds a finding for the first illegal move of each.
///
/// The chunk must contain the ranges of its games. Variants of chess are not replayed.
pub(super) fn check(text: &[u8], chunk: &mut Chunk) {
    for (game, &(start, end)) in chunk.games.iter().zip(&chunk.places) {
        if game.flags.contains(GameFlags::VARIANT) {
            continue;
        }
        if let Some(message) = replay(&text[start..end]).wrong {
            let finding = Finding::warning(game.line, DiagnosticKind::IllegalMove, message);
            chunk.findings.push(finding);
        }
    }
    chunk.findings.sort_by_key(|finding| finding.line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::chunk_reader::ChunkReader;

    fn wrong(moves: &str) -> Vec<String> {
        let text =
            format!("[Event \"A\"]\n[White \"X\"]\n[Black \"Y\"]\n[Result \"*\"]\n\n{moves} *\n");
        let mut chunk = ChunkReader::default().read(text.as_bytes(), true);
        check(text.as_bytes(), &mut chunk);
        chunk.findings.into_iter().map(|finding| finding.message.into()).collect()
    }

    #[test]
    fn the_first_illegal_move_is_reported() {
        assert!(wrong("1.e4 e5 2.Nf3 (2.Nf6) Nc6 3.Bb5").is_empty());
        let messages = wrong("1.e4 e5 2.Nf3 Nc6 3.Bb6 a6 4.Qh8");
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].starts_with("3.Bb6 cannot be played"), "{messages:?}");
        let messages = wrong("1.e4 Ke7");
        assert!(messages[0].starts_with("1...Ke7 cannot be played"), "{messages:?}");
    }
}
