//! Reads the moves of games from their file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Number of bytes that are read at first, and after a jump. Judged: twenty games of SCID.
const LEAST_AHEAD: u64 = 4 << 10;

/// Most bytes that are read ahead. Judged: more does not make reading faster.
const MOST_AHEAD: u64 = 1 << 20;

/// The file with the moves of all games.
///
/// Games are usually stored in the order of their records. Then the file is read in large pieces. A
/// database that was sorted has them in any order, and small pieces are read.
#[derive(Debug)]
pub(crate) struct GameFile {
    file: File,
    length: u64,
    /// Place of the window in the file.
    start: u64,
    window: Vec<u8>,
    /// Number of bytes to read next.
    ahead: u64,
}

impl GameFile {
    pub fn new(file: File) -> io::Result<GameFile> {
        let length = file.metadata()?.len();
        Ok(GameFile { file, length, start: 0, window: Vec::new(), ahead: LEAST_AHEAD })
    }

    /// Returns the bytes at a place, or `None` if the file ends before.
    pub fn read(&mut self, place: u64, length: u64) -> io::Result<Option<&[u8]>> {
        let Some(end) = place.checked_add(length).filter(|end| *end <= self.length) else {
            return Ok(None);
        };
        let window_end = self.start + self.window.len() as u64;
        if place < self.start || end > window_end {
            let goes_on = place >= self.start && place <= window_end + self.ahead;
            self.ahead = if goes_on { MOST_AHEAD.min(2 * self.ahead) } else { LEAST_AHEAD };
            let size = length.max(self.ahead).min(self.length - place);
            self.start = place;
            self.window.clear();
            self.file.seek(SeekFrom::Start(place))?;
            (&mut self.file).take(size).read_to_end(&mut self.window)?;
        }
        let from = (place - self.start) as usize;
        // Another process may have truncated the file.
        Ok(self.window.get(from..from + length as usize))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_are_read_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let bytes: Vec<u8> = (0..50_000u32).map(|number| (number / 7) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        let mut file = GameFile::new(File::open(&path).unwrap()).unwrap();
        for place in [0, 100, 4000, 9000, 49_990, 5, 20_000, 19_000, 0] {
            let read = file.read(place as u64, 10).unwrap();
            assert_eq!(read, Some(&bytes[place..place + 10]), "{place}");
        }
        for (place, length) in [(49_995, 10), (u64::MAX, 4), (60_000, 0)] {
            assert_eq!(file.read(place, length).unwrap(), None);
        }
    }
}
