//! Reads the fixed-size records of a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::DatabaseError;

/// A file of records of one size after a header.
#[derive(Debug)]
pub(crate) struct RecordFile {
    file: File,
    /// Size of the header (bytes).
    header: u64,
    /// Size of a record (bytes).
    pub size: usize,
    /// The number of whole records for which the file has room.
    pub room: u64,
}

impl RecordFile {
    /// Opens a file. Its header has at least `least` bytes.
    pub fn open(path: &Path) -> Result<File, DatabaseError> {
        File::open(path).map_err(|error| DatabaseError::Read(name(path), error))
    }

    pub fn new(file: File, header: u64, size: usize) -> io::Result<RecordFile> {
        let length = file.metadata()?.len();
        let room = length.saturating_sub(header) / size as u64;
        Ok(RecordFile { file, header, size, room })
    }

    /// Reads records from a number on, from 0. Fewer are read if the file ends.
    pub fn read(&mut self, first: u64, count: usize) -> io::Result<Vec<u8>> {
        let count = self.room.saturating_sub(first).min(count as u64);
        let size = self.size as u64;
        self.file.seek(SeekFrom::Start(self.header + first * size))?;
        let mut records = Vec::with_capacity((count * size) as usize);
        (&mut self.file).take(count * size).read_to_end(&mut records)?;
        records.truncate(records.len() / self.size * self.size);
        Ok(records)
    }
}

/// Reads a whole file of at most `largest` bytes.
pub(crate) fn read_whole(path: &Path, largest: u64) -> Result<Vec<u8>, DatabaseError> {
    let failed = |error| DatabaseError::Read(name(path), error);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > largest {
        return Err(DatabaseError::TooLarge(name(path), length >> 20));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(largest).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The name of a file without its folder.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
