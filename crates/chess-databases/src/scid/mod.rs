//! SCID databases, version 4 (`.si4`, `.sn4`, `.sg4`) and 5 (`.si5`, `.sn5`, `.sg5`).
//!
//! The index has a record of fixed size for each game, the second file has the names, and the third
//! the other tags and the moves. Both versions encode the moves alike.
//!
//! Source: the comments and code of Scid (`codec_scid4.cpp`, `codec_scid5.h`, `bytebuf.h`).

mod index;
mod moves;
mod names;
mod pieces;
mod tags;

pub(crate) use index::{Layout, SI4_HEADER, si4_games};
pub(crate) use names::Names;

use crate::pgn_text::{write_known, write_number, write_tag};
use crate::place::Place;
use index::IndexRecord;
use tags::write_tags;

/// The results, by their numbers in the index.
const RESULTS: [&[u8]; 4] = [b"*", b"1-0", b"0-1", b"1/2-1/2"];

/// The systems of ratings, by their numbers in the index. They end the names of tags: `WhiteElo`.
const RATINGS: [&str; 8] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF", "Rating"];

/// The kinds of names, in the order of the files.
const NAMES: [&str; 4] = ["player", "event", "site", "round"];

/// What is known of all games of a SCID database.
#[derive(Debug)]
pub(crate) struct ScidFacts {
    pub layout: Layout,
    pub names: Names,
    /// Whether the database has a file with the moves.
    pub has_moves: bool,
}

impl ScidFacts {
    /// Returns where the moves of a record are.
    pub fn place(&self, record: &[u8]) -> Place {
        let record = self.layout.read(record);
        if record.is_deleted {
            return Place::Deleted;
        }
        Place::Game { offset: record.offset, length: Some(u64::from(record.length)) }
    }

    /// Writes a game as PGN, and returns its faults. `data` are its tags and moves, if they can be
    /// read.
    pub fn write(&self, record: &[u8], data: Option<&[u8]>, out: &mut Vec<u8>) -> Vec<String> {
        let mut faults = Vec::new();
        let record = self.layout.read(record);
        self.write_roster(&record, out, &mut faults);
        match data {
            Some(data) => faults.extend(write_data(&record, data, out)),
            None => {
                if self.has_moves {
                    faults.push("the moves of this game are outside the file of moves".to_owned());
                }
                out.push(b'\n');
            }
        }
        let result = RESULTS[usize::from(record.result) % RESULTS.len()];
        out.extend_from_slice(result);
        out.extend_from_slice(b"\n\n");
        faults
    }

    /// Writes the tags that the index states.
    fn write_roster(&self, record: &IndexRecord, out: &mut Vec<u8>, faults: &mut Vec<String>) {
        let mut name = |kind: usize, id: u32| match self.names.get(kind, id) {
            Some(name) => name,
            None => {
                let kind = NAMES[kind];
                faults.push(format!("{kind} {id} of this game is not in the file of names"));
                b"?"
            }
        };
        write_tag(out, b"Event", name(names::EVENT, record.event));
        write_tag(out, b"Site", name(names::SITE, record.site));
        record.date.write(out, "Date");
        write_tag(out, b"Round", name(names::ROUND, record.round));
        write_tag(out, b"White", name(names::PLAYER, record.white));
        write_tag(out, b"Black", name(names::PLAYER, record.black));
        write_tag(out, b"Result", RESULTS[usize::from(record.result) % RESULTS.len()]);
        for (side, (rating, kind)) in [("White", record.white_elo), ("Black", record.black_elo)] {
            let kind = RATINGS[usize::from(kind) % RATINGS.len()];
            write_number(out, &format!("{side}{kind}"), rating);
        }
        write_known(out, "ECO", &record.eco());
        if record.event_date.is_known() {
            record.event_date.write(out, "EventDate");
        }
    }
}

/// Writes the other tags of a game and its moves. Returns what is damaged.
fn write_data(record: &IndexRecord, mut data: &[u8], out: &mut Vec<u8>) -> Option<String> {
    let start = out.len();
    if write_tags(&mut data, out).is_none() {
        out.push(b'\n');
        return Some("the tags of this game are damaged, so its moves are lost".to_owned());
    }
    let states_variant = || out[start..].windows(9).any(|part| part == b"[Variant ");
    if record.is_chess960 && !states_variant() {
        write_tag(out, b"Variant", b"Chess960");
    }
    moves::write(data, out)
}
