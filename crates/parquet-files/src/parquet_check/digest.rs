//! Writes and verifies a digest of the Parquet files that Greatness writes.
//!
//! Parquet reserves a field for the checksum of each page, but polars neither writes nor checks
//! it, so a single wrong bit can change values unnoticed. Greatness therefore writes a digest of
//! the whole file into the file's metadata.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use polars::prelude::KeyValueMetadata;
use xxhash_rust::xxh3::Xxh3;

/// The metadata key of the digest.
const KEY: &str = "greatness.digest";

/// The beginning of a digest, before its digits: the name of the hash function.
const PREFIX: &str = "xxh3:";

/// The placeholder of the hexadecimal digits while the digest is computed.
const NO_DIGITS: &[u8; 16] = b"0000000000000000";

/// Number of bytes at the end of a file that are searched for the digest. The schema follows the
/// digest, so the search must not be shorter than the schema.
const END: u64 = 1 << 20;

/// Most bytes between the key and the digest. They are field headers and lengths of Thrift's
/// compact protocol, in which Parquet stores metadata.
const BETWEEN: usize = 8;

/// Returns the metadata that a file must be written with, so that it can be [sealed](seal).
pub(crate) fn unsealed() -> Option<KeyValueMetadata> {
    let digits = String::from_utf8_lossy(NO_DIGITS);
    Some(KeyValueMetadata::from_static(vec![(KEY.to_owned(), format!("{PREFIX}{digits}"))]))
}

/// Writes the digest of a finished file into its metadata.
///
/// # Errors
///
/// Returns an error if the file cannot be read or written, or was not written with [`unsealed`]
/// metadata.
pub(crate) fn seal(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let Some(place) = place_of_digits(&mut file)? else {
        return Err(io::Error::other("the metadata have no place for a digest"));
    };
    let digest = digest(&mut file, place)?;
    file.seek(SeekFrom::Start(place))?;
    file.write_all(&digest)
}

/// Returns whether the bytes of a file match its digest.
///
/// Returns `None` for a file without a digest, which another program wrote.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(super) fn matches(file: &mut File) -> io::Result<Option<bool>> {
    let Some(place) = place_of_digits(file)? else { return Ok(None) };
    let mut written = *NO_DIGITS;
    file.seek(SeekFrom::Start(place))?;
    file.read_exact(&mut written)?;
    Ok(Some(written == digest(file, place)?))
}

/// Returns the position (bytes) of the digits, or `None` if the file has no digest.
fn place_of_digits(file: &mut File) -> io::Result<Option<u64>> {
    let size = file.metadata()?.len();
    let from = size.saturating_sub(END);
    file.seek(SeekFrom::Start(from))?;
    let mut end = Vec::new();
    Read::by_ref(file).take(END).read_to_end(&mut end)?;
    let place = memchr::memmem::rfind_iter(&end, KEY.as_bytes()).find_map(|key| {
        let value = key + KEY.len();
        let near = &end[value..end.len().min(value + BETWEEN + PREFIX.len())];
        let digits = value + memchr::memmem::find(near, PREFIX.as_bytes())? + PREFIX.len();
        (digits + NO_DIGITS.len() <= end.len()).then_some(digits)
    });
    Ok(place.map(|place| from + place as u64))
}

/// Returns the XXH3 hash of all bytes as hexadecimal digits. The digits at `place` count as zeros.
///
/// Source: Yann Collet, *xxHash fast digest algorithm*, XXH3 of 64 bits.
fn digest(file: &mut File, place: u64) -> io::Result<[u8; NO_DIGITS.len()]> {
    let mut hasher = Xxh3::new();
    let mut buffer = vec![0; 1 << 16];
    let mut hash = |part: &mut dyn Read| -> io::Result<()> {
        loop {
            match part.read(&mut buffer)? {
                0 => return Ok(()),
                count => hasher.update(&buffer[..count]),
            }
        }
    };
    file.seek(SeekFrom::Start(0))?;
    hash(&mut Read::by_ref(file).take(place))?;
    hash(&mut NO_DIGITS.as_slice())?;
    file.seek(SeekFrom::Start(place + NO_DIGITS.len() as u64))?;
    hash(file)?;
    let mut digits = *NO_DIGITS;
    write!(&mut digits[..], "{:016x}", hasher.digest())?;
    Ok(digits)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn is_as_written(path: &Path) -> Option<bool> {
        matches(&mut File::open(path).unwrap()).unwrap()
    }

    #[test]
    fn a_changed_bit_of_a_sealed_file_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let text = format!("PAR1 rows {KEY}\u{18}\u{15}{PREFIX}0000000000000000 schema PAR1");
        fs::write(&path, &text).unwrap();
        assert_eq!(is_as_written(&path), Some(false));
        seal(&path).unwrap();
        assert_eq!(is_as_written(&path), Some(true));
        let sealed = fs::read(&path).unwrap();
        let key = text.find(KEY).unwrap()..text.find(PREFIX).unwrap() + PREFIX.len();
        for place in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[place] ^= 1;
            fs::write(&path, damaged).unwrap();
            // A file with a damaged key counts as one without a digest.
            let is_known = !key.contains(&place) || matches!(place - key.start, 16 | 17);
            assert_eq!(is_as_written(&path) == Some(false), is_known, "byte {place}");
        }
        fs::write(&path, "PAR1 of another program PAR1").unwrap();
        assert_eq!(is_as_written(&path), None);
        assert!(seal(&path).is_err());
    }
}
