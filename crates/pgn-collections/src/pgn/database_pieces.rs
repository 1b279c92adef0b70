//! Splits a database of SCID or ChessBase into blocks of games, which are read as PGN.
//!
//! Lines of a database are the numbers of its games.

use std::path::Path;

use chess_databases::{Block, Database, Fault, Format, LeftOut};

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
    // Each game of the block is one game of the text.
    debug_assert_eq!(written.numbers.len(), chunk.games.len());
    let starts: Vec<u32> = chunk.games.iter().map(|game| game.line).collect();
    let number_at = |line: u32| {
        let place = starts.partition_point(|start| *start <= line).saturating_sub(1);
        written.numbers.get(place).copied().unwrap_or_default()
    };
    for (game, number) in chunk.games.iter_mut().zip(&written.numbers) {
        game.line = *number;
    }
    for finding in &mut chunk.findings {
        finding.line = number_at(finding.line);
    }
    for (count, line) in [&mut chunk.not_utf_8, &mut chunk.nul] {
        if *count > 0 {
            *line = number_at(*line);
        }
    }
    chunk.findings.extend(written.faults.iter().map(warning));
    chunk.findings.sort_by_key(|finding| finding.line);
    (chunk.lines, chunk.cut_off) = (0, None);
    chunk
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
