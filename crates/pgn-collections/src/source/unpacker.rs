//! Unpacks packed files and archives, which may contain each other.

use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use rustc_hash::FxHashMap;

use super::limits::{Budget, Budgeted, Limits};
use super::member::{Content, DEEPEST, Damaged, InputMember, SourceError};
use super::packed_members::{MemberDecoder, PackedMembers};
use super::packing_format::PackingFormat;

/// Memory for the dictionary of an xz file (KiB): 1 GiB. `xz -9` needs 64 MiB.
const DICTIONARY_KIB: u32 = 1 << 20;

pub(super) type Visit<'v> = &'v mut dyn FnMut(Result<InputMember<'_>, Damaged>);

/// Removes layers of packing.
pub(super) struct Unpacker<'a, 'v> {
    pub limits: Limits,
    /// Number of bytes that may still be unpacked.
    pub budget: &'a Budget,
    pub visit: Visit<'v>,
}

impl Unpacker<'_, '_> {
    pub fn damaged(&mut self, name: &str, error: SourceError) {
        (self.visit)(Err(Damaged { name: name.to_owned(), error }));
    }

    pub fn open(&mut self, name: String, reader: &mut dyn Read, depth: usize) {
        let mut head = Vec::new();
        let fault = fill(reader, PackingFormat::HEAD, &mut head).err();
        let format = PackingFormat::detect(&head);
        if let Some(error) = fault {
            // The bytes before the fault are read, however few they are.
            if head.is_empty() || format != PackingFormat::Plain {
                return self.damaged(&name, SourceError::reading(depth > 0, error));
            }
            let mut bytes = Cursor::new(head).chain(DeferredError(Some(error)));
            return self.member(name, &mut bytes, depth);
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
            PackingFormat::Gzip => self.members::<_, GzDecoder<_>>(name, whole, depth),
            PackingFormat::Bzip2 => self.members::<_, BzDecoder<_>>(name, whole, depth),
            PackingFormat::Zstd => self.members::<_, zstd::Decoder<'_, _>>(name, whole, depth),
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

    /// Opens the members of a packed file as one.
    fn members<R: Read, D: MemberDecoder<Packed = BufReader<R>>>(
        &mut self,
        name: String,
        packed: R,
        depth: usize,
    ) {
        match PackedMembers::<D>::new(packed) {
            Ok(inner) => self.open(name, &mut Budgeted::new(inner, self.budget), depth),
            Err(error) => self.damaged(&name, SourceError::Unpack(error)),
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

    pub fn zip(&mut self, name: &str, mut reader: impl Read + Seek, depth: usize) {
        let size = match reader.seek(SeekFrom::End(0)) {
            Ok(size) => size,
            Err(error) => return self.damaged(name, SourceError::Unpack(error)),
        };
        // Iterate over the entries, because two may have the same name.
        let archive =
            zip::unstable::read::ZipIterable::try_new(reader, zip::read::Config::default());
        let mut archive = match archive {
            Ok(archive) => archive,
            Err(zip::result::ZipError::InvalidArchive(why)) => {
                let why = format!("its directory is missing, so it is probably cut off ({why})");
                return self.damaged(name, SourceError::Unpack(io::Error::other(why)));
            }
            Err(error) => return self.damaged(name, SourceError::Unpack(error.into())),
        };
        let entries = match archive.files() {
            Ok(entries) => entries,
            Err(error) => return self.damaged(name, SourceError::Unpack(error.into())),
        };
        let mut names = MemberNames::default();
        let mut index = 0;
        let mut packed = 0;
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
                    packed += entry.compressed_size();
                    if packed > size {
                        // A few bytes would be unpacked again and again.
                        let error = io::Error::other(OVERLAP);
                        return self.damaged(&inner, SourceError::Unpack(error));
                    }
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

    pub fn seven_zip(&mut self, name: &str, mut reader: impl Read + Seek, depth: usize) {
        let password = sevenz_rust2::Password::empty();
        let archive = match sevenz_rust2::Archive::read(&mut reader, &password) {
            Ok(archive) => archive,
            Err(error) => return self.damaged(name, seven_zip_error(&error)),
        };
        let mut names = MemberNames::default();
        let budget = self.budget;
        for block in 0..archive.blocks.len() {
            let asked = archive.blocks[block].coders.iter().map(demanded_mib).max().unwrap_or(0);
            if asked > self.limits.whole_mib {
                let message = format!(
                    "unpacking needs {asked} MiB of memory; if you trust the file, raise \
                     input.limits.whole_mib"
                );
                self.damaged(name, SourceError::Unpack(io::Error::other(message)));
                continue;
            }
            let decoder =
                sevenz_rust2::BlockDecoder::new(1, block, &archive, &password, &mut reader);
            let mut of_block: Vec<String> = Vec::new();
            for entry in decoder.entries() {
                of_block.push(if entry.is_directory() {
                    String::new()
                } else {
                    names.distinct(inner_name(name, entry.name()))
                });
            }
            let mut visited = 0;
            let outcome = decoder.for_each_entries(&mut |entry, reader| {
                let inner = of_block.get(visited).cloned().unwrap_or_default();
                visited += 1;
                if !entry.is_directory() {
                    self.open(inner, &mut Budgeted::new(reader, budget), depth);
                }
                // The crate unpacks the remainder of a member that is not read to its end. Stop it
                // when the budget is used up.
                Ok(!budget.is_used_up())
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
        for entry in &archive.files {
            if !entry.has_stream() && !entry.is_directory() {
                self.open(names.distinct(inner_name(name, entry.name())), &mut io::empty(), depth);
            }
        }
    }

    fn member(&mut self, name: String, reader: &mut dyn Read, depth: usize) {
        let mut bounded = self.limits.bounded(reader);
        let content = Content::Stream(&mut bounded);
        let budget = (depth > 0).then_some(self.budget);
        (self.visit)(Ok(InputMember { name, content, unpacked: depth > 0, budget }));
    }

    /// Reads a whole archive into memory, because its directory is at the end.
    fn read(&self, reader: &mut dyn Read) -> Result<Vec<u8>, SourceError> {
        let mut bytes = Vec::new();
        self.limits.whole(reader).read_to_end(&mut bytes).map_err(SourceError::Unpack)?;
        Ok(bytes)
    }
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

/// The message about a zip whose members are longer together than the zip.
const OVERLAP: &str = "this and earlier members share their packed bytes, so the rest is left out";

/// The message about a link.
const LINK: &str = "it is a link, and its target is read where it is stored";

/// Returns how much memory a coder of a 7z archive demands by its properties (MiB, rounded up).
fn demanded_mib(coder: &sevenz_rust2::Coder) -> u64 {
    let bytes = match (coder.encoder_method_id(), coder.properties()) {
        // LZMA and PPMd state it after a byte.
        ([3, 1, 1] | [3, 4, 1], [_, a, b, c, d, ..]) => {
            u64::from(u32::from_le_bytes([*a, *b, *c, *d]))
        }
        // LZMA2 states it as a power of two, or one and a half of it.
        ([0x21], [step, ..]) => (2 | u64::from(step & 1)) << (u32::from(step / 2).min(40) + 11),
        _ => 0,
    };
    bytes.div_ceil(1 << 20)
}

fn seven_zip_error(error: &sevenz_rust2::Error) -> SourceError {
    SourceError::Unpack(io::Error::other(error.to_string()))
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

/// Returns the name of a member for display: without control characters, and not too long.
fn inner_name(archive: &str, member: &str) -> String {
    const LONGEST: usize = 200;
    let shown: String = member.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    format!("{archive}/{shown}")
}

/// Appends the first bytes of a stream to `head`, also those before an error.
pub(super) fn fill(
    reader: &mut (impl Read + ?Sized),
    count: usize,
    head: &mut Vec<u8>,
) -> io::Result<usize> {
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
    use crate::source::for_each_member;
    use crate::source::member::DEEPEST;
    use std::io::Write;

    const TEXT: &[u8] = b"[Event \"A\"]\n\n1.e4 *\n";

    type ReadMember = Result<(String, Vec<u8>), String>;
    type ReadMembers = Vec<ReadMember>;

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

    fn fails_with(member: &ReadMember, part: &str) -> bool {
        member.as_ref().is_err_and(|message| message.contains(part))
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
    fn a_zip_that_is_cut_off_is_said_to_be() {
        let bytes = zip(&[("one.pgn", TEXT)]);
        let found = members(&bytes[..bytes.len() / 2]);
        assert!(fails_with(&found[0], "probably cut off"), "{found:?}");
    }

    #[test]
    fn members_of_a_zip_that_are_the_same_bytes_are_refused() {
        // Longer than its entries in the directory, however it is packed.
        let text: Vec<u8> = (0..5000).flat_map(|n: u32| n.wrapping_pow(3).to_le_bytes()).collect();
        let bytes = zip(&[("one.pgn", &text)]);
        // The end of the archive has 22 bytes; those from 8 on are the number of members, twice,
        // and the size and the place of the directory.
        let (rest, end) = bytes.split_at(bytes.len() - 22);
        let number = |from: usize| u32::from_le_bytes(end[from..from + 4].try_into().unwrap());
        let (members_of_zip, directory) = rest.split_at(number(16) as usize);
        let with_copies = |copies: u8| {
            let mut end = end.to_vec();
            (end[8], end[10]) = (copies, copies);
            end[12..16].copy_from_slice(&(u32::from(copies) * number(12)).to_le_bytes());
            members(&[members_of_zip, &directory.repeat(copies.into()), &end].concat())
        };
        assert_eq!(with_copies(1), [Ok(("one.pgn".into(), text.clone()))]);
        let found = with_copies(100);
        assert!(found.len() < 10, "{}", found.len());
        let last = found.last().expect("an error").as_ref().expect_err("an error");
        assert!(last.contains("share their packed bytes"), "{last}");
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
        assert!(fails_with(&members(&broken)[0], "cannot be unpacked"));
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
            assert!(fails_with(&members(head)[0], "cannot be read; unpack it"));
            assert!(members(&gzip(head))[0].is_err());
        }
    }

    fn incompressible() -> Vec<u8> {
        let numbers = (0..200_000u32).map(|n| n.wrapping_mul(n).wrapping_mul(2_654_435_761));
        numbers.flat_map(u32::to_le_bytes).collect()
    }

    fn damaged(mut packed: Vec<u8>) -> Vec<u8> {
        let middle = packed.len() / 2;
        packed[middle..middle + 100].fill(0);
        packed
    }

    #[test]
    fn a_7z_archive_that_demands_too_much_memory_is_not_unpacked() {
        // PPMd with 2 GiB for an empty block of one member `a.pgn`.
        let head = "377abcaf271c00047390dfcf28000000000000003100000000000000\
                    91594bf0";
        let body = "0104060001092800070b0100012303040105060000008\
                    00c83e80008000005\
                    01110d0061002e00700067006e0000000000";
        let bytes = |hex: &str| -> Vec<u8> {
            (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
                .collect()
        };
        let packed = [bytes(head), vec![0; 40], bytes(body)].concat();
        let found = members(&packed);
        assert_eq!(found.len(), 1);
        assert!(fails_with(&found[0], "unpacking needs 2048 MiB of memory"), "{found:?}");
    }

    #[test]
    fn a_damaged_block_of_a_7z_archive_loses_only_its_members() {
        let long = incompressible();
        let files: [(&str, &[u8]); 3] = [("a.pgn", b"first"), ("b.pgn", &long), ("c.pgn", b"last")];
        let packed = seven_zip(&files);
        let found = members(&damaged(packed));
        assert_eq!(found[0], Ok(("a.pgn".into(), b"first".to_vec())));
        assert!(found.iter().any(|one| fails_with(one, "b.pgn: ")));
        assert!(found.contains(&Ok(("c.pgn".into(), b"last".to_vec()))), "{found:?}");
    }

    #[test]
    fn members_lost_with_a_damaged_solid_block_are_reported_by_name() {
        let long = incompressible();
        let mut packer = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
        let names = ["a.pgn", "b.pgn", "c.pgn"];
        let entries = names.map(sevenz_rust2::ArchiveEntry::new_file).to_vec();
        let contents: [&[u8]; 3] = [b"first", &long, b"last"];
        packer
            .push_archive_entries(entries, contents.map(sevenz_rust2::SourceReader::new).into())
            .unwrap();
        let packed = packer.finish().unwrap().into_inner();
        let found = members(&damaged(packed));
        assert_eq!(found[0], Ok(("a.pgn".into(), b"first".to_vec())));
        for (place, name) in [(1, "b.pgn: "), (2, "c.pgn: ")] {
            assert!(fails_with(&found[place], name), "{place}");
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
            assert!(fails_with(&found[0], "one.gz: cannot be unpacked"), "{found:?}");
            assert_eq!(found[1], Ok(("two.pgn".into(), TEXT.to_vec())));
        }
    }

    #[test]
    fn a_truncated_file_is_reported() {
        let mut packed = zstd::encode_all(&[b'x'; 4000][..], 3).unwrap();
        packed.truncate(packed.len() - 5);
        assert!(fails_with(&members(&packed)[0], "cannot be unpacked"));
    }

    #[test]
    fn bombs_are_stopped_at_the_limits() {
        let bomb = zstd::encode_all(io::repeat(b' ').take(200 << 20), 3).unwrap();
        let message = open(&bomb, Limits { ratio: 1000, ..Limits::default() });
        assert!(fails_with(&message[0], "more than the limit"), "{message:?}");
        let member = open(TEXT, Limits { member_mib: 0, ..Limits::default() });
        assert!(fails_with(&member[0], "is larger than 0 MiB"));
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
