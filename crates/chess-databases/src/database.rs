//! Opens a database, and reads its games in blocks.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::block::{Block, BlockGame, Facts};
use crate::chessbase::{self, ChessBaseFacts};
use crate::error::{DatabaseError, Fault};
use crate::format::{Format, required, sibling};
use crate::game_file::GameFile;
use crate::place::Place;
use crate::record_file::{RecordFile, name, read_whole};
use crate::scid::{Layout, Names, SI4_HEADER, ScidFacts, si4_games};

/// Most games of a block, and most bytes of their moves. Judged: a block makes about a MiB of PGN,
/// which is worth passing to another thread.
const MOST_GAMES: usize = 2048;
const MOST_DATA: usize = 1 << 20;

/// The numbers of records that are no games to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of games that are marked as deleted.
    pub deleted: u32,
    /// Number of texts, which ChessBase stores among the games.
    pub texts: u32,
}

/// A database whose games can be read in their order.
#[derive(Debug)]
pub struct Database {
    facts: Arc<Facts>,
    records: RecordFile,
    /// The records with more facts of each game, which some databases have.
    more: Option<RecordFile>,
    games: Option<GameFile>,
    /// Number of records, and of those that were read.
    count: u64,
    read: u64,
    faults: Vec<Fault>,
    left_out: LeftOut,
}

impl Database {
    /// Opens a database by its main file. The other files are in the same folder.
    ///
    /// Files that are held in memory may have at most `largest` bytes each.
    ///
    /// # Errors
    ///
    /// Returns an error if no game can be read, because a file is missing, damaged or too large.
    pub fn open(path: &Path, format: Format, largest: u64) -> Result<Database, DatabaseError> {
        match format {
            Format::Scid4 => Database::open_scid(path, Layout::Si4, largest),
            Format::Scid5 => Database::open_scid(path, Layout::Si5, largest),
            Format::ChessBase => Database::open_chessbase(path, largest),
        }
    }

    /// Returns the number of records: games, and those that are left out.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Returns whether the database has no record.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the faults of the database as a whole.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns the numbers of records that were left out so far.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    fn open_scid(path: &Path, layout: Layout, largest: u64) -> Result<Database, DatabaseError> {
        let failed = |error| DatabaseError::Read(name(path), error);
        let mut index = RecordFile::open(path)?;
        let (header, stated, names, games) = match layout {
            Layout::Si4 => {
                let mut header = Vec::new();
                (&mut index).take(SI4_HEADER as u64).read_to_end(&mut header).map_err(failed)?;
                let stated = si4_games(name(path), &header)?;
                (SI4_HEADER as u64, Some(stated), "sn4", "sg4")
            }
            Layout::Si5 => (0, None, "sn5", "sg5"),
        };
        let records = RecordFile::new(index, header, layout.size()).map_err(failed)?;
        let mut faults = Vec::new();
        let count = count_of(&records, stated, &mut faults);
        let names_file = required(path, names)?;
        let bytes = read_whole(&names_file, largest)?;
        let (names, fault) = match layout {
            Layout::Si4 => Names::read_sn4(&bytes, largest),
            Layout::Si5 => Names::read_sn5(&bytes),
        };
        faults.extend(
            fault.map(|fault| Fault::of_database(format!("{}: {fault}", name(&names_file)))),
        );
        let games = optional_games(path, games, &mut faults)?;
        let facts = Facts::Scid(ScidFacts { layout, names, has_moves: games.is_some() });
        let (facts, read, left_out) = (Arc::new(facts), 0, LeftOut::default());
        Ok(Database { facts, records, more: None, games, count, read, faults, left_out })
    }

    fn open_chessbase(path: &Path, largest: u64) -> Result<Database, DatabaseError> {
        let failed = |error| DatabaseError::Read(name(path), error);
        let mut file = RecordFile::open(path)?;
        let mut header = Vec::new();
        let size = chessbase::RECORD as u64;
        (&mut file).take(size).read_to_end(&mut header).map_err(failed)?;
        let stated = chessbase::stated_games(name(path), &header)?;
        let records = RecordFile::new(file, size, chessbase::RECORD).map_err(failed)?;
        let mut faults = Vec::new();
        let count = count_of(&records, Some(stated), &mut faults);
        let more = chessbase::open_more(path, &mut faults)?;
        let games = optional_games(path, "cbg", &mut faults)?;
        let facts = ChessBaseFacts::read(path, largest, games.is_some(), &mut faults)?;
        let (facts, read, left_out) = (Arc::new(Facts::ChessBase(facts)), 0, LeftOut::default());
        Ok(Database { facts, records, more, games, count, read, faults, left_out })
    }

    /// Reads the next games. Returns `None` after the last.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read any more.
    pub fn next_block(&mut self) -> io::Result<Option<Block>> {
        let count = (self.count - self.read).min(MOST_GAMES as u64) as usize;
        if count == 0 {
            return Ok(None);
        }
        let records = self.read_records(count)?;
        let size = self.records.size + self.more.as_ref().map_or(0, |more| more.size);
        let mut block = Block {
            facts: Arc::clone(&self.facts),
            records,
            data: Vec::new(),
            games: Vec::new(),
            index_bytes: 0,
        };
        let first = self.read;
        for place in 0..count {
            if block.data.len() > MOST_DATA {
                break;
            }
            let record = place * size..(place + 1) * size;
            let Some(bytes) = block.records.get(record.clone()) else {
                self.faults.push(Fault::of_database(
                    "the index became shorter while it was read".to_owned(),
                ));
                self.read = self.count;
                break;
            };
            self.read += 1;
            match self.facts.place(bytes) {
                Place::Deleted => self.left_out.deleted += 1,
                Place::Text => self.left_out.texts += 1,
                Place::Game { offset, length } => {
                    let data = self.append_data(offset, length, &mut block.data)?;
                    block.games.push(BlockGame { number: self.read as u32, record, data });
                }
            }
        }
        block.index_bytes = (self.read - first) * self.records.size as u64;
        Ok(Some(block))
    }

    /// Reads records. The additional facts of each follow it.
    fn read_records(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let records = self.records.read(self.read, count)?;
        let Some(more) = &mut self.more else { return Ok(records) };
        let facts = more.read(self.read, count)?;
        let mut joined = Vec::with_capacity(count * (self.records.size + more.size));
        let mut facts = facts.chunks_exact(more.size);
        let unknown = vec![0; more.size];
        for record in records.chunks_exact(self.records.size) {
            joined.extend_from_slice(record);
            joined.extend_from_slice(facts.next().unwrap_or(&unknown));
        }
        Ok(joined)
    }

    /// Appends the data of a game, and returns their place.
    fn append_data(
        &mut self,
        offset: u64,
        length: Option<u64>,
        data: &mut Vec<u8>,
    ) -> io::Result<Option<Range<usize>>> {
        let Some(games) = &mut self.games else { return Ok(None) };
        let length = match length {
            Some(length) => Some(length),
            None => games.read(offset, chessbase::MOVES_HEADER)?.map(chessbase::length_of_moves),
        };
        let Some(length) = length else { return Ok(None) };
        let Some(bytes) = games.read(offset, length)? else { return Ok(None) };
        let start = data.len();
        data.extend_from_slice(bytes);
        Ok(Some(start..data.len()))
    }
}

/// The number of records to be read: those that the header states, as far as the file has them.
fn count_of(records: &RecordFile, stated: Option<u64>, faults: &mut Vec<Fault>) -> u64 {
    let room = records.room;
    let Some(stated) = stated.filter(|stated| *stated != room) else { return room };
    let message =
        format!("the index states {stated} games, but has {room}; {} are read", stated.min(room));
    // Programs enlarge files in advance, so that room beyond the last game is no fault.
    if stated > room {
        faults.push(Fault::of_database(message));
    }
    stated.min(room)
}

/// Opens the file of moves, if there is one.
fn optional_games(
    path: &Path,
    ending: &str,
    faults: &mut Vec<Fault>,
) -> Result<Option<GameFile>, DatabaseError> {
    let Some(games) = sibling(path, ending) else {
        let file = name(&path.with_extension(ending));
        faults.push(Fault::of_database(format!(
            "the file {file} is missing, so the games have no moves"
        )));
        return Ok(None);
    };
    let failed = |error| DatabaseError::Read(name(&games), error);
    File::open(&games).and_then(GameFile::new).map(Some).map_err(failed)
}
