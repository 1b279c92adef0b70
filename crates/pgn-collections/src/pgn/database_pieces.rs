//! Splits a database of SCID or ChessBase into blocks of games, which are read as PGN.
//!
//! Lines of a database are the numbers of its games.

use std::path::Path;

use chess_databases::{Block, BlockGames, Database, Fault, Format, LeftOut};

use super::chunk::Chunk;
use super::chunk_reader::ChunkReader;
use super::legality;
use super::piece::{Piece, PieceSink};
use crate::source::{Damaged, DiagnosticKind, Finding, Limits, SourceError, TextForm};

/// Produces the pieces of a database.
pub(super) fn pieces_of_database(
    path: &Path,
    format: Format,
    limits: Limits,
    advance: &(dyn Fn(u64) + Sync),
    give: PieceSink<'_>,
) {
    let name = path.display().to_string();
    let mut database = match Database::open(path, format, limits.whole_mib << 20) {
        Ok(database) => database,
        Err(error) => {
            return give(Piece::Damaged(Damaged { name, error: SourceError::Database(error) }));
        }
    };
    give(Piece::Begin { name: name.clone(), form: TextForm::Plain });
    let outcome = loop {
        match database.next_block() {
            Ok(Some(block)) => {
                advance(block.index_bytes());
                give(Piece::Games(Box::new(block)));
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let mut notes: Vec<Finding> = database.faults().iter().map(warning).collect();
    notes.extend(left_out(database.left_out()));
    give(Piece::Notes(notes));
    give(Piece::End);
    if let Err(error) = outcome {
        give(Piece::Damaged(Damaged { name, error: SourceError::Read(error) }));
    }
}

/// Reads a block of games. `text` is a buffer.
pub(super) fn read_block(
    reader: &mut ChunkReader,
    block: &Block,
    validate: bool,
    text: &mut Vec<u8>,
) -> Chunk {
    text.clear();
    let written = block.write_pgn(text);
    let mut chunk = reader.read(text, true);
    if validate {
        legality::check(text, &mut chunk);
    }
    renumber(&mut chunk, &written);
    chunk.findings.extend(written.faults.iter().map(warning));
    chunk.findings.sort_by_key(|finding| finding.line);
    chunk
}

/// Replaces the lines of a text by the numbers of its games.
fn renumber(chunk: &mut Chunk, written: &BlockGames) {
    let number_at = |place: usize| {
        let before = written.starts.partition_point(|start| *start <= place);
        written.numbers.get(before.saturating_sub(1)).copied().unwrap_or_default()
    };
    // The line of each game in the text, and its number.
    let mut lines = Vec::with_capacity(chunk.games.len());
    for (game, (start, _)) in chunk.games.iter_mut().zip(&chunk.places) {
        let number = number_at(*start);
        lines.push((game.line, number));
        game.line = number;
    }
    let number_of_line = |line: u32| {
        let before = lines.partition_point(|(first, _)| *first <= line);
        lines.get(before.saturating_sub(1)).map_or(0, |(_, number)| *number)
    };
    for finding in &mut chunk.findings {
        finding.line = number_of_line(finding.line);
    }
    for (count, line) in [&mut chunk.not_utf_8, &mut chunk.nul] {
        if *count > 0 {
            *line = number_of_line(*line);
        }
    }
    (chunk.lines, chunk.cut_off) = (0, None);
}

fn warning(fault: &Fault) -> Finding {
    Finding::warning(fault.game, DiagnosticKind::Database, fault.message.clone())
}

/// Notes the records that were left out.
fn left_out(LeftOut { deleted, texts }: LeftOut) -> Vec<Finding> {
    let counted = |count: u32, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let deleted = counted(
        deleted,
        "game is marked as deleted and left out",
        "games are marked as deleted and left out",
    );
    let texts = counted(
        texts,
        "record is a text without a game and left out",
        "records are texts without games and left out",
    );
    let messages = [deleted, texts].into_iter().flatten();
    messages.map(|message| Finding::note(0, DiagnosticKind::Database, message)).collect()
}
