//! Opening one input by its content.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use thiserror::Error;

/// zstd's magic number (RFC 8878, section 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Where a tar header says `ustar` (POSIX.1-1988).
const USTAR_OFFSET: usize = 257;

/// Largest zstd window that is unpacked: 2 GiB, what `zstd --long=31` writes.
const WINDOW_LOG_MAX: u32 = 31;

/// Bytes that a member may unpack to.
const MEMBER_LIMIT: u64 = 8 << 30;

/// A file that could not be read.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The file is compressed or an archive, and broken.
    #[error("cannot be unpacked: {0}")]
    Unpack(#[source] io::Error),
    /// A member is larger than is sensible.
    #[error("unpacks to more than {} GiB", MEMBER_LIMIT >> 30)]
    TooLarge,
}

/// One file's worth of text.
#[derive(Clone, Debug)]
pub struct Member {
    /// The file's path as it was named or found; for a member of an archive the archive's path, a
    /// slash, and the member's. For display only, never to be opened.
    pub name: String,
    /// The content, unpacked.
    pub bytes: Vec<u8>,
}

/// Calls `visit` with every member of a file.
///
/// # Errors
///
/// Where the file cannot be opened, read or unpacked; the members before the damage have been
/// visited.
pub fn for_each_member(path: &Path, mut visit: impl FnMut(Member)) -> Result<(), SourceError> {
    let name = path.display().to_string();
    let mut file = BufReader::new(File::open(path).map_err(SourceError::Read)?);
    if file.fill_buf().map_err(SourceError::Read)?.starts_with(&ZSTD) {
        let mut decoder = zstd::Decoder::with_buffer(file).map_err(SourceError::Unpack)?;
        decoder.window_log_max(WINDOW_LOG_MAX).map_err(SourceError::Unpack)?;
        unpacked(&name, BufReader::new(decoder), SourceError::Unpack, &mut visit)
    } else {
        unpacked(&name, file, SourceError::Read, &mut visit)
    }
}

fn unpacked(
    name: &str,
    mut reader: BufReader<impl Read>,
    wrap: impl Fn(io::Error) -> SourceError,
    visit: &mut impl FnMut(Member),
) -> Result<(), SourceError> {
    let head = peek(&mut reader, USTAR_OFFSET + 5).map_err(&wrap)?;
    if head.get(USTAR_OFFSET..) != Some(b"ustar") {
        visit(Member {
            name: name.to_owned(),
            bytes: whole(io::Cursor::new(head).chain(reader), &wrap)?,
        });
        return Ok(());
    }
    let mut archive = tar::Archive::new(io::Cursor::new(head).chain(reader));
    for entry in archive.entries().map_err(SourceError::Unpack)? {
        let entry = entry.map_err(SourceError::Unpack)?;
        if entry.header().entry_type().is_file() {
            let inner = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let bytes = whole(entry, SourceError::Unpack)?;
            visit(Member { name: format!("{name}/{inner}"), bytes });
        }
    }
    Ok(())
}

/// The first bytes of a stream; fewer only where it is shorter. They are consumed.
fn peek(reader: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(count);
    reader.take(count as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn whole(
    reader: impl Read,
    wrap: impl Fn(io::Error) -> SourceError,
) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    reader.take(MEMBER_LIMIT + 1).read_to_end(&mut bytes).map_err(wrap)?;
    if bytes.len() as u64 > MEMBER_LIMIT { Err(SourceError::TooLarge) } else { Ok(bytes) }
}

/// The text of a member: UTF-8 (a byte order mark is dropped), or else Windows-1252. The flag tells
/// whether it was the latter.
///
/// UTF-8 with characters between U+0080 and U+009F was Windows-1252 taken for Latin-1 on its way
/// (`Karel Treybal`'s brother is `Franti\u{9a}ek` on one list); these are read as meant.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains(is_c1) => {
            let meant = text.chars().map(|c| if is_c1(c) { windows_1252(c) } else { c });
            (Cow::Owned(meant.collect()), false)
        }
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0, true),
    }
}

/// C1 control characters, which no text means.
fn is_c1(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

fn windows_1252(c1: char) -> char {
    let byte = [c1 as u32 as u8];
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(&byte).0.chars().next().unwrap_or(c1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn members(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        std::fs::write(&path, bytes).unwrap();
        let mut members = Vec::new();
        for_each_member(&path, |member| {
            let name = member.name.rsplit('/').next().unwrap_or_default().to_owned();
            members.push((name, member.bytes));
        })
        .unwrap();
        members
    }

    #[test]
    fn plain_and_zstd_files_are_told_by_their_content() {
        let plain = members(b"[Event \"A\"]");
        assert_eq!(plain[0].1, b"[Event \"A\"]");
        assert_eq!(members(&zstd::encode_all(&b"[Event \"A\"]"[..], 3).unwrap()), plain);
        assert_eq!(members(b""), [("input".to_owned(), Vec::new())]);
    }

    #[test]
    fn a_tar_archive_gives_its_files_one_by_one() {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, text) in [("a/one.pgn", "first"), ("b/two.pgn", "second")] {
            let mut header = tar::Header::new_ustar();
            header.set_size(text.len() as u64);
            header.set_cksum();
            archive.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        let packed = zstd::encode_all(&archive.into_inner().unwrap()[..], 3).unwrap();
        assert_eq!(
            members(&packed),
            [("one.pgn".to_owned(), b"first".to_vec()), ("two.pgn".to_owned(), b"second".to_vec())]
        );
    }

    #[test]
    fn a_broken_zstd_file_is_an_error_that_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.pgn.zst");
        let mut packed = zstd::encode_all(&[b'x'; 4000][..], 3).unwrap();
        packed.truncate(packed.len() - 5);
        File::create(&path).unwrap().write_all(&packed).unwrap();
        let error = for_each_member(&path, |_| {}).unwrap_err();
        assert!(error.to_string().starts_with("cannot be unpacked"), "{error}");
    }

    #[test]
    fn text_that_is_not_utf_8_is_read_as_windows_1252() {
        assert_eq!(decode(b"S\xe4misch"), (Cow::from("Sämisch"), true));
        assert_eq!(decode("Franti\u{9a}ek".as_bytes()).0, "František");
        assert_eq!(decode("\u{feff}Sämisch".as_bytes()), (Cow::from("Sämisch"), false));
    }
}
