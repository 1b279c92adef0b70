//! Opens one input. Its content determines its format.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::limits::{Budget, Limits, PackedPipe};
use super::member::{Content, Damaged, InputMember, SourceError};
use super::packing_format::PackingFormat;
use super::pipe;
use super::unpacker::{Unpacker, Visit, fill};

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Returns whether an input can be read only once: a pipe, a device or standard input.
pub fn is_read_once(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT || pipe::is_one(path)
}

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
    if is_read_once(path) {
        let stream: io::Result<Box<dyn Read>> = if name == STANDARD_INPUT {
            Ok(Box::new(io::stdin().lock()))
        } else {
            pipe::open(path)
        };
        let budget = limits.of_pipe();
        return match stream {
            Ok(inner) => {
                let mut stream = PackedPipe { inner, ratio: limits.ratio, budget: &budget };
                Unpacker { limits, budget: &budget, visit }.open(name, &mut stream, 0);
            }
            Err(error) => visit(Err(Damaged { name, error: SourceError::Read(error) })),
        };
    }
    let mut head = Vec::new();
    let opened = File::open(path).and_then(|mut file| {
        fill(&mut file, PackingFormat::HEAD, &mut head)?;
        file.seek(SeekFrom::Start(0))?;
        Ok((file.metadata()?.len(), file))
    });
    let (length, mut file) = match opened {
        Ok(opened) => opened,
        Err(error) => return visit(Err(Damaged { name, error: SourceError::Read(error) })),
    };
    let budget = Budget::new(limits.budget(length));
    let format = PackingFormat::detect(&head);
    if format == PackingFormat::Plain {
        return visit(Ok(InputMember::new(name, Content::File(&mut file))));
    }
    let mut unpacker = Unpacker { limits, budget: &budget, visit };
    let mut file = MeteredFile { file, advance };
    match format {
        PackingFormat::Foreign(why) => unpacker.damaged(&name, SourceError::NoFile(why)),
        // These two formats have their directory at the end, so they are read in place.
        PackingFormat::Zip => unpacker.zip(&name, file, 1),
        PackingFormat::SevenZip => unpacker.seven_zip(&name, file, 1),
        _ => unpacker.open(name, &mut file, 0),
    }
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
