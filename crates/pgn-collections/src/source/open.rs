//! Opens one input. Its content determines its format.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::limits::{Budgeted, Limits};
use super::pipe;

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Returns whether an input can be read only once: a pipe, a device or standard input.
pub fn is_read_once(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT || pipe::is_one(path)
}

/// Most layers of packing that are removed. Judged: a packed archive within a packed archive, the
/// most that occurs in practice, has four.
const DEEPEST: usize = 4;

/// Largest zstd window that is supported (binary logarithm): 2 GiB, as `zstd --long=31` writes.
const WINDOW_LOG_MAX: u32 = 31;

/// Memory for the dictionary of an xz file (KiB): 1 GiB. `xz -9` needs 64 MiB.
const DICTIONARY_KIB: u32 = 1 << 20;

/// Position of `ustar` in a tar header (POSIX.1-1988).
const USTAR_OFFSET: usize = 257;

/// Why an input, or one of its members, could not be read.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The packed file or archive is damaged.
    #[error("cannot be unpacked: {0}")]
    Unpack(#[source] io::Error),
    /// The input has too many layers of packing.
    #[error("has more than {DEEPEST} layers of packing")]
    TooDeep,
    /// The input exists but has no content that can be read.
    #[error("is skipped: {0}")]
    NoFile(&'static str),
    /// A member is not a file: a link or a pipe. No games are lost.
    #[error("is skipped: {0}")]
    Link(&'static str),
    /// A member follows a damaged one in the same block of a solid archive.
    #[error("cannot be unpacked, because an earlier member of its block is damaged")]
    Behind,
}

/// The text of one file, not yet read.
pub struct InputMember<'a> {
    /// Path of the file. For a member of an archive: the path of the archive, a slash, and the path
    /// of the member. The name is only for display, never for opening.
    pub name: String,
    /// The unpacked content, not yet decoded.
    pub content: Content<'a>,
    unpacked: bool,
}

/// How the bytes of a member can be read.
pub enum Content<'a> {
    /// A plain file, which can be read from any position.
    File(&'a mut File),
    /// A stream, which can be read only from beginning to end.
    Stream(&'a mut dyn Read),
}

impl<'a> InputMember<'a> {
    /// Creates a member that is not from a packed file.
    pub fn new(name: String, content: Content<'a>) -> InputMember<'a> {
        InputMember { name, content, unpacked: false }
    }

    /// Reads the whole content.
    ///
    /// # Errors
    ///
    /// Returns an error if the content cannot be read or unpacked, or is larger than the limits
    /// allow.
    pub fn read_whole(self, limits: Limits) -> Result<Vec<u8>, Damaged> {
        let InputMember { name, content, unpacked } = self;
        let mut bytes = Vec::new();
        let outcome = match content {
            Content::File(file) => limits.whole(file).read_to_end(&mut bytes),
            Content::Stream(stream) => limits.whole(stream).read_to_end(&mut bytes),
        };
        match outcome {
            Ok(_) => Ok(bytes),
            Err(error) => Err(Damaged { name, error: SourceError::reading(unpacked, error) }),
        }
    }

    /// Converts an error that occurred while the content was read.
    pub fn damaged(&self, error: io::Error) -> Damaged {
        Damaged { name: self.name.clone(), error: SourceError::reading(self.unpacked, error) }
    }
}

impl SourceError {
    fn reading(unpacked: bool, error: io::Error) -> SourceError {
        if unpacked { SourceError::Unpack(error) } else { SourceError::Read(error) }
    }
}

/// A file, or a member of an archive, that could not be read.
#[derive(Debug)]
pub struct Damaged {
    /// Its name, as in [`InputMember::name`].
    pub name: String,
    /// Why reading or unpacking it failed.
    pub error: SourceError,
}

/// The format of an input, recognised by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PackingFormat {
    Gzip,
    Bzip2,
    Zstd,
    Xz,
    Lzip,
    Tar,
    Zip,
    SevenZip,
    /// A format that is not supported, with advice.
    Foreign(&'static str),
    Plain,
}

impl PackingFormat {
    /// Recognises a format by its magic number.
    ///
    /// Source: RFC 1952 (gzip), RFC 8878 (zstd), APPNOTE 4.3.7 (zip), 7zFormat.txt, the XZ file
    /// format (2.1.1.1), the manuals of lzip and of the LZ4 frame. In bzip2 the block header
    /// follows the level.
    fn detect(head: &[u8]) -> PackingFormat {
        if head.starts_with(&[0x1f, 0x8b]) {
            PackingFormat::Gzip
        } else if head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY") {
            PackingFormat::Bzip2
        } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            PackingFormat::Zstd
        } else if head.starts_with(b"\xfd7zXZ\0") {
            PackingFormat::Xz
        } else if head.starts_with(b"LZIP\x01") {
            PackingFormat::Lzip
        } else if head.starts_with(b"Rar!\x1a\x07") {
            PackingFormat::Foreign(
                "rar archives cannot be read; unpack it, or pack it as zip or 7z",
            )
        } else if head.starts_with(&[0x04, 0x22, 0x4d, 0x18]) {
            PackingFormat::Foreign("lz4 files cannot be read; unpack it, or pack it with zstd")
        } else if head.starts_with(&[0x1f, 0x9d]) {
            PackingFormat::Foreign(
                "files of compress (.Z) cannot be read; unpack it, or pack it with gzip",
            )
        } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            PackingFormat::Zip
        } else if head.starts_with(b"7z\xbc\xaf\x27\x1c") {
            PackingFormat::SevenZip
        } else if head.get(USTAR_OFFSET..USTAR_OFFSET + 5) == Some(b"ustar") {
            PackingFormat::Tar
        } else {
            PackingFormat::Plain
        }
    }
}

type Visit<'v> = &'v mut dyn FnMut(Result<InputMember<'_>, Damaged>);

/// Calls `visit` with every member of a file, or with the reason why it cannot be read. The path
/// `-` is standard input.
///
/// `advance` is called with the number of bytes of a packed file that were read since the last
/// call. Packed files and archives may contain each other. Damage in one member loses only that
/// member. Damage in the structure of an archive loses the members after it.
pub fn for_each_member(
    path: &Path,
    limits: Limits,
    advance: &dyn Fn(u64),
    mut visit: impl FnMut(Result<InputMember<'_>, Damaged>),
) {
    let visit: Visit = &mut visit;
    let name = path.display().to_string();
    if name == STANDARD_INPUT {
        let budget = Cell::new(u64::MAX);
        return Unpacker { limits, budget: &budget, visit }.open(name, &mut io::stdin().lock(), 0);
    }
    let opened = if pipe::is_one(path) {
        pipe::open(path).map(OpenedInput::Pipe)
    } else {
        File::open(path).and_then(|mut file| {
            let head = peek(&mut file, USTAR_OFFSET + 5)?;
            file.seek(SeekFrom::Start(0))?;
            Ok(OpenedInput::File { length: file.metadata()?.len(), head, file })
        })
    };
    let (length, head, mut file) = match opened {
        Ok(OpenedInput::File { length, head, file }) => (length, head, file),
        // A pipe can be read only from beginning to end.
        Ok(OpenedInput::Pipe(mut stream)) => {
            let budget = Cell::new(u64::MAX);
            return Unpacker { limits, budget: &budget, visit }.open(name, &mut stream, 0);
        }
        Err(error) => return visit(Err(Damaged { name, error: SourceError::Read(error) })),
    };
    let budget = Cell::new(limits.budget(length));
    let format = PackingFormat::detect(&head);
    if format == PackingFormat::Plain {
        return visit(Ok(InputMember { name, content: Content::File(&mut file), unpacked: false }));
    }
    let mut unpacker = Unpacker { limits, budget: &budget, visit };
    let mut file = MeteredFile { file, advance };
    match format {
        PackingFormat::Foreign(why) => {
            (unpacker.visit)(Err(Damaged { name, error: SourceError::NoFile(why) }));
        }
        // These two formats have their directory at the end, so they are read in place.
        PackingFormat::Zip => unpacker.zip(&name, file, 1),
        PackingFormat::SevenZip => unpacker.seven_zip(&name, file, 1),
        _ => unpacker.open(name, &mut file, 0),
    }
}

enum OpenedInput {
    File { length: u64, head: Vec<u8>, file: File },
    Pipe(Box<dyn Read>),
}

/// A file that reports the number of bytes read.
struct MeteredFile<'a> {
    file: File,
    advance: &'a dyn Fn(u64),
}

impl Read for MeteredFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        (self.advance)(read as u64);
        Ok(read)
    }
}

impl Seek for MeteredFile<'_> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

/// Removes layers of packing.
struct Unpacker<'a, 'v> {
    limits: Limits,
    /// Number of bytes that may still be unpacked.
    budget: &'a Cell<u64>,
    visit: Visit<'v>,
}

impl Unpacker<'_, '_> {
    fn damaged(&mut self, name: &str, error: SourceError) {
        (self.visit)(Err(Damaged { name: name.to_owned(), error }));
    }

    fn open(&mut self, name: String, reader: &mut dyn Read, depth: usize) {
        let mut head = Vec::new();
        let fault = fill(reader, USTAR_OFFSET + 5, &mut head).err();
        let format = PackingFormat::detect(&head);
        if let Some(error) = fault {
            // The bytes before the fault are read, however few they are.
            if head.is_empty() || format != PackingFormat::Plain {
                return self.damaged(&name, SourceError::reading(depth > 0, error));
            }
            return self.member(
                name,
                &mut Cursor::new(head).chain(DeferredError(Some(error))),
                depth,
            );
        }
        let mut whole = Cursor::new(head).chain(reader);
        if format == PackingFormat::Plain {
            return self.member(name, &mut whole, depth);
        }
        if depth >= DEEPEST {
            return self.damaged(&name, SourceError::TooDeep);
        }
        let (budget, depth) = (self.budget, depth + 1);
        match format {
            PackingFormat::Gzip => {
                let inner = flate2::read::MultiGzDecoder::new(whole);
                self.open(name, &mut Budgeted::new(inner, budget), depth);
            }
            PackingFormat::Bzip2 => {
                let inner = bzip2::read::MultiBzDecoder::new(whole);
                self.open(name, &mut Budgeted::new(inner, budget), depth);
            }
            PackingFormat::Zstd => {
                let decoder = zstd::Decoder::new(whole).and_then(|mut decoder| {
                    decoder.window_log_max(WINDOW_LOG_MAX)?;
                    Ok(decoder)
                });
                match decoder {
                    Ok(inner) => self.open(name, &mut Budgeted::new(inner, budget), depth),
                    Err(error) => self.damaged(&name, SourceError::Unpack(error)),
                }
            }
            PackingFormat::Xz => {
                let inner = lzma_rust2::XzReader::new_mem_limit(whole, true, DICTIONARY_KIB);
                self.open(name, &mut Budgeted::new(inner, budget), depth);
            }
            PackingFormat::Lzip => {
                let inner = lzma_rust2::LzipReader::new(whole);
                self.open(name, &mut Budgeted::new(inner, budget), depth);
            }
            PackingFormat::Tar => self.tar(&name, whole, depth),
            PackingFormat::Foreign(why) => self.damaged(&name, SourceError::NoFile(why)),
            PackingFormat::Zip | PackingFormat::SevenZip => {
                let bytes = match self.read(&mut whole) {
                    Ok(bytes) => Cursor::new(bytes),
                    Err(error) => return self.damaged(&name, error),
                };
                if format == PackingFormat::Zip {
                    self.zip(&name, bytes, depth);
                } else {
                    self.seven_zip(&name, bytes, depth);
                }
            }
            PackingFormat::Plain => {}
        }
    }

    fn tar(&mut self, name: &str, reader: impl Read, depth: usize) {
        let mut archive = tar::Archive::new(reader);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.damaged(name, SourceError::Unpack(error)),
        };
        for entry in entries {
            match entry {
                Ok(mut entry) => {
                    let inner = inner_name(name, &String::from_utf8_lossy(&entry.path_bytes()));
                    match tar_member(&mut entry) {
                        Ok(true) => self.open(inner, &mut entry, depth),
                        Ok(false) => {}
                        Err(why) => self.damaged(&inner, why),
                    }
                }
                // Without this header the next one cannot be found.
                Err(error) => return self.damaged(name, SourceError::Unpack(error)),
            }
        }
    }

    fn zip(&mut self, name: &str, reader: impl Read + Seek, depth: usize) {
        // Iterate over the entries, because two may have the same name.
        let archive =
            zip::unstable::read::ZipIterable::try_new(reader, zip::read::Config::default());
        let mut archive = match archive {
            Ok(archive) => archive,
            Err(error) => return self.damaged(name, SourceError::Unpack(error.into())),
        };
        let entries = match archive.files() {
            Ok(entries) => entries,
            Err(error) => return self.damaged(name, SourceError::Unpack(error.into())),
        };
        let mut names = MemberNames::default();
        let mut index = 0;
        while let Some(entry) = entries.next() {
            index += 1;
            let budget = self.budget;
            let nameless = inner_name(name, &format!("(member {index})"));
            let entry = match entry {
                Ok(entry) => entry,
                // Without this header the next one cannot be found.
                Err(error) => return self.damaged(&nameless, SourceError::Unpack(error.into())),
            };
            let inner = match entry.name() {
                Ok(inner) => names.distinct(inner_name(name, &inner)),
                Err(_) => nameless,
            };
            match entry.with_reader(entries.reader_mut(), zip::ZipReadOptions::default()) {
                Ok(entry) if entry.is_file() => {
                    self.open(inner, &mut Budgeted::new(entry, budget), depth);
                }
                Ok(entry) if entry.is_symlink() => {
                    self.damaged(&inner, SourceError::Link(LINK));
                }
                Ok(_) => {}
                Err(error) => self.damaged(&inner, SourceError::Unpack(error.into())),
            }
        }
    }

    fn seven_zip(&mut self, name: &str, mut reader: impl Read + Seek, depth: usize) {
        let password = sevenz_rust2::Password::empty();
        let archive = match sevenz_rust2::Archive::read(&mut reader, &password) {
            Ok(archive) => archive,
            Err(error) => return self.damaged(name, seven_zip_error(&error)),
        };
        let mut names = MemberNames::default();
        let budget = self.budget;
        for block in 0..archive.blocks.len() {
            let decoder =
                sevenz_rust2::BlockDecoder::new(1, block, &archive, &password, &mut reader);
            let of_block: Vec<String> = decoder
                .entries()
                .iter()
                .map(|entry| {
                    if entry.is_directory() {
                        String::new()
                    } else {
                        names.distinct(inner_name(name, entry.name()))
                    }
                })
                .collect();
            let mut visited = 0;
            let outcome = decoder.for_each_entries(&mut |entry, reader| {
                let inner = of_block.get(visited).cloned().unwrap_or_default();
                visited += 1;
                if !entry.is_directory() {
                    self.open(inner, &mut Budgeted::new(reader, budget), depth);
                }
                // The crate unpacks the remainder of a member that is not read to its end. Stop it
                // when the budget is used up.
                Ok(budget.get() > 0)
            });
            // Damage loses the later members of its block, but no other block.
            let mut lost = of_block.iter().skip(visited).filter(|inner| !inner.is_empty());
            if let Err(error) = outcome {
                self.damaged(lost.next().map_or(name, String::as_str), seven_zip_error(&error));
            }
            for inner in lost {
                self.damaged(inner, SourceError::Behind);
            }
        }
        for entry in
            archive.files.iter().filter(|entry| !entry.has_stream() && !entry.is_directory())
        {
            self.open(names.distinct(inner_name(name, entry.name())), &mut io::empty(), depth);
        }
    }

    fn member(&mut self, name: String, reader: &mut dyn Read, depth: usize) {
        let mut bounded = self.limits.bounded(reader);
        let content = Content::Stream(&mut bounded);
        (self.visit)(Ok(InputMember { name, content, unpacked: depth > 0 }));
    }

    /// Reads a whole archive into memory, because its directory is at the end.
    fn read(&self, reader: &mut dyn Read) -> Result<Vec<u8>, SourceError> {
        let mut bytes = Vec::new();
        self.limits.whole(reader).read_to_end(&mut bytes).map_err(SourceError::Unpack)?;
        Ok(bytes)
    }
}

/// Names of the members of an archive. Equal names get a number.
#[derive(Default)]
struct MemberNames {
    counts: FxHashMap<String, usize>,
}

impl MemberNames {
    fn distinct(&mut self, name: String) -> String {
        let times = self.counts.entry(name.clone()).or_default();
        *times += 1;
        match *times {
            1 => name,
            times => format!("{name} ({times})"),
        }
    }
}

/// The message about a link.
const LINK: &str = "it is a link, and its target is read where it is stored";

fn seven_zip_error(error: &sevenz_rust2::Error) -> SourceError {
    SourceError::Unpack(io::Error::other(error.to_string()))
}

/// Returns whether a member of a tar archive is a file. Folders and the like are not, and contain
/// no games.
///
/// # Errors
///
/// Returns an error if the member may contain games but cannot be read.
fn tar_member(entry: &mut tar::Entry<'_, impl Read>) -> Result<bool, SourceError> {
    let kind = entry.header().entry_type();
    if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
        let pax = entry.pax_extensions().ok().flatten();
        let is_sparse = pax.is_some_and(|pax| {
            let mut keys = pax.flatten().map(|one| one.key_bytes().to_vec());
            keys.any(|key| key.starts_with(b"GNU.sparse."))
        });
        if is_sparse {
            let message = "it is packed as a sparse file; pack it without --sparse";
            return Err(SourceError::NoFile(message));
        }
        return Ok(true);
    }
    if kind.is_dir() || kind.is_pax_global_extensions() {
        return Ok(false);
    }
    Err(match kind {
        _ if kind.is_symlink() => SourceError::Link(LINK),
        _ if kind.is_hard_link() => SourceError::Link("it is another name of a member before it"),
        _ if kind.is_fifo() || kind.is_character_special() || kind.is_block_special() => {
            SourceError::Link("it is a pipe or a device")
        }
        _ => SourceError::NoFile("it is of an unknown type"),
    })
}

/// Returns the name of a member for display: without control characters, and not too long.
fn inner_name(archive: &str, member: &str) -> String {
    const LONGEST: usize = 200;
    let shown: String = member.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    format!("{archive}/{shown}")
}

/// Reads the first bytes of a stream; fewer only if the stream is shorter.
fn peek(reader: &mut (impl Read + ?Sized), count: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(count);
    fill(reader, count, &mut head)?;
    Ok(head)
}

/// Appends the first bytes of a stream to `head`, also those before an error.
fn fill(reader: &mut (impl Read + ?Sized), count: usize, head: &mut Vec<u8>) -> io::Result<usize> {
    reader.take(count as u64).read_to_end(head)
}

/// A stream that fails once and then ends.
pub(crate) struct DeferredError(pub Option<io::Error>);

impl Read for DeferredError {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"[Event \"A\"]\n\n1.e4 *\n";

    type ReadMembers = Vec<Result<(String, Vec<u8>), String>>;

    fn open(bytes: &[u8], limits: Limits) -> ReadMembers {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        std::fs::write(&path, bytes).unwrap();
        let mut found = Vec::new();
        for_each_member(&path, limits, &|_| (), |member| {
            let whole =
                member.and_then(|member| Ok((member.name.clone(), member.read_whole(limits)?)));
            found.push(match whole {
                Ok((name, bytes)) => Ok((file_name(&name), bytes)),
                Err(damaged) => Err(format!("{}: {}", file_name(&damaged.name), damaged.error)),
            });
        });
        found
    }

    fn file_name(path: &str) -> String {
        path.rsplit('/').next().unwrap_or_default().to_owned()
    }

    fn members(bytes: &[u8]) -> ReadMembers {
        open(bytes, Limits::default())
    }

    fn plain() -> ReadMembers {
        vec![Ok(("input".into(), TEXT.to_vec()))]
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut packer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            packer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            packer.write_all(bytes).unwrap();
        }
        packer.finish().unwrap().into_inner()
    }

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            archive.append_data(&mut header, name, *bytes).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn seven_zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut packer = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
        for (name, bytes) in files {
            let entry = sevenz_rust2::ArchiveEntry::new_file(name);
            packer.push_archive_entry(entry, Some(*bytes)).unwrap();
        }
        packer.finish().unwrap().into_inner()
    }

    #[test]
    fn packed_files_are_recognised_by_their_content() {
        assert_eq!(members(TEXT), plain());
        assert_eq!(members(&gzip(TEXT)), plain());
        assert_eq!(members(&bzip2(TEXT)), plain());
        assert_eq!(members(&zstd::encode_all(TEXT, 3).unwrap()), plain());
        assert_eq!(members(&gzip(&bzip2(TEXT))), plain());
        assert_eq!(members(b""), [Ok(("input".into(), Vec::new()))]);
    }

    #[test]
    fn concatenated_streams_are_one_text() {
        let (one, two) = TEXT.split_at(9);
        assert_eq!(members(&[gzip(one), gzip(two)].concat()), plain());
        assert_eq!(members(&[bzip2(one), bzip2(two)].concat()), plain());
        let packed = [one, two].map(|part| zstd::encode_all(part, 3).unwrap()).concat();
        assert_eq!(members(&packed), plain());
    }

    #[test]
    fn the_files_of_archives_are_members_even_if_nested() {
        let files: [(&str, &[u8]); 2] = [("a/one.pgn", b"first"), ("b/two.pgn", b"second")];
        let expected: ReadMembers = vec![
            Ok(("one.pgn".into(), b"first".to_vec())),
            Ok(("two.pgn".into(), b"second".to_vec())),
        ];
        assert_eq!(members(&tar(&files)), expected);
        assert_eq!(members(&zip(&files)), expected);
        assert_eq!(members(&seven_zip(&files)), expected);
        assert_eq!(members(&gzip(&tar(&files))), expected);
        assert_eq!(members(&tar(&[("inner.zip", &zip(&files))])), expected);
        assert_eq!(members(&zip(&[("inner.7z", &seven_zip(&files))])), expected);
    }

    fn xz(bytes: &[u8]) -> Vec<u8> {
        let options = lzma_rust2::XzOptions::with_preset(1);
        let mut packer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn xz_is_read_alone_around_an_archive_and_concatenated() {
        assert_eq!(members(&xz(TEXT)), plain());
        let (one, two) = TEXT.split_at(9);
        assert_eq!(members(&[xz(one), xz(two)].concat()), plain());
        let files: [(&str, &[u8]); 1] = [("one.pgn", b"first")];
        assert_eq!(members(&xz(&tar(&files))), [Ok(("one.pgn".into(), b"first".to_vec()))]);
        let mut broken = xz(&TEXT.repeat(50));
        broken.truncate(broken.len() / 2);
        assert!(
            members(&broken)[0]
                .as_ref()
                .is_err_and(|message| message.contains("cannot be unpacked"))
        );
    }

    #[test]
    fn members_with_equal_names_are_all_read() {
        let files: [(&str, &[u8]); 3] =
            [("a.pgn", b"first"), ("b.pgn", b"other"), ("a.pgn", b"last")];
        let expected: ReadMembers = vec![
            Ok(("a.pgn".into(), b"first".to_vec())),
            Ok(("b.pgn".into(), b"other".to_vec())),
            Ok(("a.pgn (2)".into(), b"last".to_vec())),
        ];
        // The packer refuses equal names, so the bytes of one name are changed afterwards.
        let mut packed = zip(&[("a.pgn", b"first"), ("b.pgn", b"other"), ("X.pgn", b"last")]);
        while let Some(at) = packed.windows(5).position(|window| window == b"X.pgn") {
            packed[at] = b'a';
        }
        assert_eq!(members(&packed), expected);
        assert_eq!(members(&seven_zip(&files)), expected);
        assert_eq!(members(&tar(&files)).len(), 3);
    }

    #[test]
    fn members_of_a_tar_archive_that_cannot_be_read_are_reported() {
        let mut archive = tar::Builder::new(Vec::new());
        for (kind, name) in [
            (tar::EntryType::Directory, "folder"),
            (tar::EntryType::Symlink, "link.pgn"),
            (tar::EntryType::Fifo, "pipe.pgn"),
            (tar::EntryType::new(b'Q'), "odd.pgn"),
            (tar::EntryType::Continuous, "file.pgn"),
        ] {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(kind);
            header.set_size(0);
            header.set_cksum();
            archive.append_data(&mut header, name, io::empty()).unwrap();
        }
        let found = members(&archive.into_inner().unwrap());
        let [Err(link), Err(pipe), Err(odd), file] = &found[..] else { panic!("{found:?}") };
        assert!(link.starts_with("link.pgn: is skipped: it is a link"), "{found:?}");
        assert!(pipe.contains("a pipe or a device") && odd.contains("unknown type"));
        assert_eq!(*file, Ok(("file.pgn".into(), Vec::new())));
    }

    #[test]
    fn formats_that_are_not_supported_are_reported() {
        for head in [&b"Rar!\x1a\x07\x01\0"[..], &[0x04, 0x22, 0x4d, 0x18, 0x64]] {
            let found = members(head);
            let message = found[0].as_ref().unwrap_err();
            assert!(message.contains("cannot be read; unpack it"), "{message}");
            assert!(members(&gzip(head))[0].is_err());
        }
    }

    #[test]
    fn a_damaged_block_of_a_7z_archive_loses_only_its_members() {
        let long: Vec<u8> = (0..200_000u32)
            .flat_map(|n| n.wrapping_mul(n).wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        let files: [(&str, &[u8]); 3] = [("a.pgn", b"first"), ("b.pgn", &long), ("c.pgn", b"last")];
        let mut packed = seven_zip(&files);
        let middle = packed.len() / 2;
        packed[middle..middle + 100].fill(0);
        let found = members(&packed);
        assert_eq!(found[0], Ok(("a.pgn".into(), b"first".to_vec())));
        assert!(
            found
                .iter()
                .any(|one| one.as_ref().is_err_and(|message| message.starts_with("b.pgn: ")))
        );
        assert!(found.contains(&Ok(("c.pgn".into(), b"last".to_vec()))), "{found:?}");
    }

    #[test]
    fn members_lost_with_a_damaged_solid_block_are_reported_by_name() {
        let long: Vec<u8> = (0..200_000u32)
            .flat_map(|n| n.wrapping_mul(n).wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        let mut packer = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
        let names = ["a.pgn", "b.pgn", "c.pgn"];
        let entries = names.map(sevenz_rust2::ArchiveEntry::new_file).to_vec();
        let contents: [&[u8]; 3] = [b"first", &long, b"last"];
        packer
            .push_archive_entries(entries, contents.map(sevenz_rust2::SourceReader::new).into())
            .unwrap();
        let mut packed = packer.finish().unwrap().into_inner();
        let middle = packed.len() / 2;
        packed[middle..middle + 100].fill(0);
        let found = members(&packed);
        assert_eq!(found[0], Ok(("a.pgn".into(), b"first".to_vec())));
        for (place, name) in [(1, "b.pgn: "), (2, "c.pgn: ")] {
            assert!(
                found[place].as_ref().is_err_and(|message| message.starts_with(name)),
                "{place}"
            );
        }
    }

    #[test]
    fn a_damaged_member_loses_no_other() {
        let broken = {
            let mut packed = gzip(&TEXT.repeat(50));
            packed.truncate(packed.len() / 2);
            packed
        };
        for archive in [
            tar(&[("one.gz", &broken), ("two.pgn", TEXT)]),
            zip(&[("one.gz", &broken), ("two.pgn", TEXT)]),
            seven_zip(&[("one.gz", &broken), ("two.pgn", TEXT)]),
        ] {
            let found = members(&archive);
            assert_eq!(found.len(), 2, "{found:?}");
            let message = found[0].as_ref().unwrap_err();
            assert!(message.starts_with("one.gz: cannot be unpacked"), "{message}");
            assert_eq!(found[1], Ok(("two.pgn".into(), TEXT.to_vec())));
        }
    }

    #[test]
    fn a_truncated_file_is_reported() {
        let mut packed = zstd::encode_all(&[b'x'; 4000][..], 3).unwrap();
        packed.truncate(packed.len() - 5);
        let found = members(&packed);
        assert!(found[0].as_ref().is_err_and(|message| message.contains("cannot be unpacked")));
    }

    #[test]
    fn bombs_are_stopped_at_the_limits() {
        let bomb = zstd::encode_all(io::repeat(b' ').take(200 << 20), 3).unwrap();
        let message = open(&bomb, Limits { ratio: 1000, ..Limits::default() });
        assert!(
            message[0].as_ref().is_err_and(|message| message.contains("more than the limit")),
            "{message:?}"
        );
        let member = open(TEXT, Limits { member_mib: 0, ..Limits::default() });
        assert!(member[0].as_ref().is_err_and(|message| message.contains("is larger than 0 MiB")));
        let deep = (0..DEEPEST + 1).fold(TEXT.to_vec(), |text, _| gzip(&text));
        assert_eq!(members(&deep), [Err("input: has more than 4 layers of packing".into())]);
    }

    #[test]
    fn bytes_unpacked_before_a_fault_are_kept() {
        let packed = [gzip(TEXT), b"no gzip".to_vec()].concat();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn.gz");
        std::fs::write(&path, packed).unwrap();
        let mut read = Vec::new();
        for_each_member(&path, Limits::default(), &|_| (), |member| {
            let mut bytes = Vec::new();
            let member = member.unwrap();
            let outcome = match member.content {
                Content::File(file) => file.read_to_end(&mut bytes),
                Content::Stream(stream) => stream.read_to_end(&mut bytes),
            };
            read.push((bytes, outcome.is_err()));
        });
        assert_eq!(read, [(TEXT.to_vec(), true)]);
    }
}
