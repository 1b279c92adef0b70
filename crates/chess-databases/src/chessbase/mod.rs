//! ChessBase databases (`.cbh`).
//!
//! The main file has a record for each game, with the numbers of its players, tournament and
//! source. Each kind of these has a file of its own (see [`entities`]). `.cbj` has further facts of
//! the games, among them the teams, and `.cbg` the moves.
//!
//! Source: the notes of the project Morphy (`morphy-cbh/docs/cbh-format`).

mod cipher;
mod entities;
mod moves;
mod nations;
mod pieces;
mod position;
mod tournament;

use std::io::Read;
use std::path::Path;

use crate::bytes::{big_endian, little_endian, text_field};
use crate::error::{DatabaseError, Fault};
use crate::format::{required, sibling};
use crate::pgn_text::{PackedDate, write_known, write_number, write_tag};
use crate::place::Place;
use crate::record_file::{RecordFile, name};
use entities::Entities;
pub(crate) use moves::{MOVES_HEADER, length_of_moves};

/// Size of the header of a `.cbh` file, and of each of its records (bytes).
pub(crate) const RECORD: usize = 46;

/// Size of the header of a `.cbj` file (bytes).
const MORE_HEADER: usize = 32;

/// Largest record of a `.cbj` file (bytes). The newest version has 120. Judged: ten times as many
/// leave room for others, and a damaged size does not fill the memory.
const MORE_LARGEST: u64 = 1200;

/// Reads the header of a `.cbh` file, and returns the number of records that it states.
pub(crate) fn stated_games(name: String, header: &[u8]) -> Result<u64, DatabaseError> {
    if header.len() < RECORD || big_endian(header, 3, 2) != RECORD as u64 {
        let message = "it does not begin like a ChessBase database".to_owned();
        return Err(DatabaseError::Damaged(name, message));
    }
    // The header states the number of the next game.
    Ok(big_endian(header, 6, 4).saturating_sub(1))
}

/// Opens the file with further facts of the games. Very old databases do not have it.
pub(crate) fn open_more(
    path: &Path,
    faults: &mut Vec<Fault>,
) -> Result<Option<RecordFile>, DatabaseError> {
    let Some(path) = sibling(path, "cbj") else { return Ok(None) };
    let failed = |error| DatabaseError::Read(name(&path), error);
    let mut file = RecordFile::open(&path)?;
    let mut header = Vec::new();
    (&mut file).take(MORE_HEADER as u64).read_to_end(&mut header).map_err(failed)?;
    match little_endian(&header, 4, 4) {
        size @ 1..=MORE_LARGEST if header.len() == MORE_HEADER => {
            let records = RecordFile::new(file, MORE_HEADER as u64, size as usize);
            records.map(Some).map_err(failed)
        }
        _ => {
            let file = name(&path);
            faults.push(Fault::of_database(format!(
                "{file} is damaged, so the teams of the games are unknown"
            )));
            Ok(None)
        }
    }
}

/// What is known of all games of a ChessBase database.
#[derive(Debug)]
pub(crate) struct ChessBaseFacts {
    players: Entities,
    tournaments: Entities,
    sources: Entities,
    teams: Entities,
    /// Whether the database has a file with the moves.
    has_moves: bool,
}

impl ChessBaseFacts {
    /// Reads the files of players, tournaments, sources and teams.
    pub fn read(
        path: &Path,
        largest: u64,
        has_moves: bool,
        faults: &mut Vec<Fault>,
    ) -> Result<ChessBaseFacts, DatabaseError> {
        let players = Entities::read(&required(path, "cbp")?, largest, faults)?;
        let mut optional = |ending: &str, loss: Option<&str>| match (sibling(path, ending), loss) {
            (Some(path), _) => Entities::read(&path, largest, faults),
            (None, loss) => {
                let file = name(&path.with_extension(ending));
                let fault = loss.map(|loss| format!("the file {file} is missing, so {loss}"));
                faults.extend(fault.map(Fault::of_database));
                Ok(Entities::default())
            }
        };
        Ok(ChessBaseFacts {
            tournaments: optional("cbt", Some("the tournaments of the games are unknown"))?,
            sources: optional("cbs", None)?,
            teams: optional("cbe", None)?,
            players,
            has_moves,
        })
    }

    /// Returns where the moves of a record are.
    pub fn place(&self, record: &[u8]) -> Place {
        let kind = big_endian(record, 0, 1);
        if kind & 0x80 != 0 {
            return Place::Deleted;
        }
        if kind & 2 != 0 {
            return Place::Text;
        }
        let offset = big_endian(record, 1, 4);
        // Files of more than 4 GiB have the place in the additional record.
        let whole = record.get(RECORD + 30..RECORD + 38).map_or(offset, |at| big_endian(at, 0, 8));
        let is_same = whole & u64::from(u32::MAX) == offset;
        Place::Game { offset: if is_same { whole } else { offset }, length: None }
    }

    /// Writes a game as PGN, and returns its faults. `data` are its moves, if they can be read.
    pub fn write(&self, record: &[u8], data: Option<&[u8]>, out: &mut Vec<u8>) -> Vec<String> {
        let mut faults = Vec::new();
        let (result, is_played) = result(record);
        self.write_tags(record, out, &mut faults);
        if !is_played {
            write_tag(out, b"Termination", b"unplayed");
        }
        // The codes after those of openings are the initial positions of Chess960.
        let is_chess960 = big_endian(record, 35, 2) >= (1 << 16) - 960;
        match data {
            Some(data) => faults.extend(moves::write(data, is_chess960, out)),
            None => {
                if is_chess960 {
                    write_tag(out, b"Variant", b"Chess960");
                }
                out.push(b'\n');
                if self.has_moves {
                    faults.push("the moves of this game are outside the file of moves".to_owned());
                }
            }
        }
        out.extend_from_slice(result);
        out.extend_from_slice(b"\n\n");
        faults
    }

    fn write_tags(&self, record: &[u8], out: &mut Vec<u8>, faults: &mut Vec<String>) {
        let number = |at| big_endian(record, at, 3);
        let mut fault = |kind: &str, at| {
            let number = number(at);
            faults.push(format!("{kind} {number} of this game is not in the file of {kind}s"));
        };
        let tournament = self.tournaments.get(number(15));
        if tournament.is_none() && !self.tournaments.is_empty() {
            fault("tournament", 15);
        }
        let tournament = tournament.unwrap_or_default();
        tournament::write_names(tournament, out);
        PackedDate(number(24) as u32 & 0x1f_ffff).write(out, "Date");
        write_tag(out, b"Round", &round(record));
        for (tag, at) in [(&b"White"[..], 9), (b"Black", 12)] {
            match self.players.get(number(at)) {
                Some(player) => write_tag(out, tag, &player_name(player)),
                None => {
                    fault("player", at);
                    write_tag(out, tag, b"?");
                }
            }
        }
        write_tag(out, b"Result", result(record).0);
        write_number(out, "WhiteElo", big_endian(record, 31, 2) as u32);
        write_number(out, "BlackElo", big_endian(record, 33, 2) as u32);
        write_known(out, "ECO", &eco(record));
        tournament::write_facts(tournament, out);
        for (tag, at) in [("WhiteTeam", RECORD), ("BlackTeam", RECORD + 4)] {
            // A game without teams has the number -1.
            let team = (record.len() >= at + 4).then(|| big_endian(record, at, 4));
            let team = team.and_then(|team| self.teams.get(team)).unwrap_or_default();
            write_known(out, tag, text_field(team, 0, 45));
        }
        let source = self.sources.get(number(21)).unwrap_or_default();
        write_known(out, "SourceTitle", text_field(source, 0, 25));
    }
}

/// The result of a record, and whether the game was played.
fn result(record: &[u8]) -> (&'static [u8], bool) {
    match big_endian(record, 27, 1) {
        0 => (b"0-1", true),
        1 => (b"1/2-1/2", true),
        2 => (b"1-0", true),
        4 => (b"0-1", false),
        5 => (b"1/2-1/2", false),
        6 => (b"1-0", false),
        7 => (b"*", false),
        // 3 is a line of an opening, which is no game.
        _ => (b"*", true),
    }
}

/// The round of a record, as in PGN: `3`, `3.2` or `?`.
fn round(record: &[u8]) -> Vec<u8> {
    match (big_endian(record, 29, 1), big_endian(record, 30, 1)) {
        (0, _) => b"?".to_vec(),
        (round, 0) => round.to_string().into_bytes(),
        (round, part) => format!("{round}.{part}").into_bytes(),
    }
}

fn player_name(player: &[u8]) -> Vec<u8> {
    match (text_field(player, 0, 30), text_field(player, 30, 20)) {
        (b"", b"") => b"?".to_vec(),
        (b"", given) => given.to_vec(),
        (surname, b"") => surname.to_vec(),
        (surname, given) => [surname, b", ", given].concat(),
    }
}

/// The code of the opening; empty if it is unknown.
fn eco(record: &[u8]) -> Vec<u8> {
    match (big_endian(record, 35, 2) >> 7).checked_sub(1) {
        Some(code @ 0..500) => {
            let letter = char::from(b'A' + (code / 100) as u8);
            format!("{letter}{:02}", code % 100).into_bytes()
        }
        _ => Vec::new(),
    }
}
