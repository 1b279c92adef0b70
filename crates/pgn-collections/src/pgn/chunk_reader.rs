//! Reads PGN text, one piece at a time.

use super::chunk::{Chunk, ChunkDetails, NewNames};
use super::fingerprint::Fingerprint;
use super::game_reader::GameReader;
use super::masks::{Classify, Portable};
#[cfg(target_arch = "x86_64")]
use super::masks::{Vector32, Vector64};
use crate::games::NameBytes;
use crate::source::CleanName;

/// Reads pieces of text one after the other, and numbers the names that occur.
#[derive(Debug)]
pub struct ChunkReader {
    names: NameBytes,
    /// Number of names that earlier chunks already returned.
    given: usize,
    /// Buffer for the moves of one game.
    fingerprint: Fingerprint,
    keeps_details: bool,
}

impl Default for ChunkReader {
    fn default() -> ChunkReader {
        let mut names = NameBytes::default();
        // The empty name gets the number 0, which stands for a missing tag.
        names.intern(b"");
        let fingerprint = Fingerprint::default();
        ChunkReader { names, given: 0, fingerprint, keeps_details: false }
    }
}

impl ChunkReader {
    /// Creates a reader that also returns the details of the games.
    pub fn with_details() -> ChunkReader {
        ChunkReader { keeps_details: true, ..ChunkReader::default() }
    }

    /// Reads all games of a text.
    ///
    /// The first tag begins the first game. Any of these begins the next one:
    ///
    /// - a tag after moves,
    /// - a second Event tag,
    /// - a roster tag that the game already has, after a blank line,
    /// - an Event tag, if a roster tag that precedes it occurs again after it.
    ///
    /// Text before the first tag belongs to no game. With `places`, the chunk contains the start
    /// and end of each game in the text.
    pub fn read(&mut self, bytes: &[u8], places: bool) -> Chunk {
        #[cfg(target_arch = "x86_64")]
        {
            if Vector64::is_there() {
                // SAFETY: the processor has all instructions that the function is compiled for.
                return unsafe { self.read_by_64(bytes, places) };
            }
            if Vector32::is_there() {
                // SAFETY: the processor has all instructions that the function is compiled for.
                return unsafe { self.read_by_32(bytes, places) };
            }
        }
        self.read_with::<Portable>(bytes, places)
    }

    /// Reads all games of a text like [`read`](ChunkReader::read), but without vector instructions.
    ///
    /// The result is the same; tests compare the two.
    pub fn read_portably(&mut self, bytes: &[u8], places: bool) -> Chunk {
        self.read_with::<Portable>(bytes, places)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn read_by_32(&mut self, bytes: &[u8], places: bool) -> Chunk {
        self.read_with::<Vector32>(bytes, places)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi2")]
    fn read_by_64(&mut self, bytes: &[u8], places: bool) -> Chunk {
        self.read_with::<Vector64>(bytes, places)
    }

    #[inline(always)]
    fn read_with<C: Classify>(&mut self, bytes: &[u8], places: bool) -> Chunk {
        let mut reader = GameReader::new(bytes, &mut self.names, &mut self.fingerprint);
        reader.chunk.details = self.keeps_details.then(ChunkDetails::new);
        reader.pass_preface();
        while reader.cursor.at < bytes.len() {
            let start = reader.cursor.at;
            reader.game::<C>();
            if places {
                reader.chunk.places.push((start, reader.cursor.at));
            }
        }
        let mut chunk = reader.finish();
        let names = self.names.since(self.given);
        let clean = names.iter().map(CleanName::is_clean).collect();
        chunk.names = NewNames { first: self.given, names, clean };
        self.given = self.names.len();
        chunk
    }
}
