//! Writes the games of a table as PGN, with their moves.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::archive::Input;
use crate::games::{Game, GameTable};
use crate::pgn::{PgnGame, ReadOptions, Replayed, for_each_game, replay};
use crate::source::{Wanted, find};

/// Writes the games of a table in their order, as UTF-8.
///
/// The moves are read again from the inputs, up to the first illegal one. Games of tables of
/// results and of Parquet files have no moves.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub(super) fn write_pgn(table: &GameTable, input: &Input, path: &Path) -> io::Result<()> {
    let files = find(&input.pgn, Wanted::Games, &mut Vec::new());
    let options = ReadOptions { limits: input.limits, ..ReadOptions::default() };
    let mut out = PgnOutput { out: BufWriter::new(File::create(path)?), table, next: 0 };
    let mut place = InputPlace::default();
    let mut outcome = Ok(());
    for_each_game(&files, options, &mut |member, game, text| {
        if outcome.is_ok() {
            place.go_to(table, member, game.line);
            outcome = out.write_at(place, text);
        }
    });
    outcome?;
    while out.next < table.len() {
        out.write_next(&Replayed::default())?;
    }
    out.out.flush()
}

/// The place of a game: the number of its member in the table, and its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct InputPlace {
    member: usize,
    line: u32,
}

impl InputPlace {
    /// Goes to the next game. A file that is read twice is two members.
    fn go_to(&mut self, table: &GameTable, member: &str, line: u32) {
        let is_same = |place: &usize| *table.members[*place] == *member;
        if self.line >= line || !is_same(&self.member) {
            let next = (self.member + 1..table.members.len()).find(is_same);
            self.member = next.unwrap_or(self.member);
        }
        self.line = line;
    }

    fn of_game(game: &Game) -> InputPlace {
        InputPlace { member: game.member as usize, line: game.line }
    }
}

struct PgnOutput<'a> {
    out: BufWriter<File>,
    table: &'a GameTable,
    /// The row of the next game.
    next: usize,
}

impl PgnOutput<'_> {
    /// Writes the game at a place, if it was chosen, and those before it, which have no moves.
    fn write_at(&mut self, place: InputPlace, text: &[u8]) -> io::Result<()> {
        while let Some(game) = self.table.games().get(self.next) {
            let next = InputPlace::of_game(game);
            if next >= place {
                return if next == place { self.write_next(&replay(text)) } else { Ok(()) };
            }
            self.write_next(&Replayed::default())?;
        }
        Ok(())
    }

    fn write_next(&mut self, replayed: &Replayed) -> io::Result<()> {
        let game = &self.table.games()[self.next];
        let (start, moves) = (replayed.start_fen(), replayed.san());
        let game = PgnGame {
            table: self.table,
            game,
            names: [game.white, game.black].map(|name| self.table.text(name)),
            start: start.as_deref(),
            moves: &moves,
            details: self.table.details().map(|details| details.row(self.next)),
        };
        self.next += 1;
        game.write(&mut self.out)
    }
}
