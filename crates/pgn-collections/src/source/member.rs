//! A member of an input, and why it could not be read.

use std::fs::File;
use std::io::{self, Read};

use chess_databases::DatabaseError;
use thiserror::Error;

use super::limits::{Budget, Limits};

/// Most layers of packing that are removed. Judged: a packed archive within a packed archive, the
/// most that occurs in practice, has four.
pub(super) const DEEPEST: usize = 4;

/// The text of one file, not yet read.
pub struct InputMember<'a> {
    /// Path of the file. For a member of an archive: the path of the archive, a slash, and the path
    /// of the member. The name is only for display, never for opening.
    pub name: String,
    /// The unpacked content, not yet decoded.
    pub content: Content<'a>,
    pub(super) unpacked: bool,
    /// What may still be unpacked of the packed file of the member.
    pub(crate) budget: Option<&'a Budget>,
}

impl<'a> InputMember<'a> {
    /// Creates a member that is not from a packed file.
    pub fn new(name: String, content: Content<'a>) -> InputMember<'a> {
        InputMember { name, content, unpacked: false, budget: None }
    }

    /// Reads the whole content.
    ///
    /// # Errors
    ///
    /// Returns an error if the content cannot be read or unpacked, or is larger than the limits
    /// allow.
    pub fn read_whole(self, limits: Limits) -> Result<Vec<u8>, Damaged> {
        let InputMember { name, content, unpacked, .. } = self;
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

/// How the bytes of a member can be read.
pub enum Content<'a> {
    /// A plain file, which can be read from any position.
    File(&'a mut File),
    /// A stream, which can be read only from beginning to end.
    Stream(&'a mut dyn Read),
}

/// A file, or a member of an archive, that could not be read.
#[derive(Debug)]
pub struct Damaged {
    /// Its name, as in [`InputMember::name`].
    pub name: String,
    /// Why reading or unpacking it failed.
    pub error: SourceError,
}

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
    /// The database of a chess program cannot be read.
    #[error("{0}")]
    Database(#[source] DatabaseError),
    /// A member follows a damaged one in the same block of a solid archive.
    #[error("cannot be unpacked, because an earlier member of its block is damaged")]
    Behind,
}

impl SourceError {
    pub(super) fn reading(unpacked: bool, error: io::Error) -> SourceError {
        if unpacked { SourceError::Unpack(error) } else { SourceError::Read(error) }
    }
}
