//! Finding inputs, opening and decompressing them, cutting them into members.
//!
//! A *member* is one file's worth of text: a plain file, what a packed file (gzip, bzip2, zstd, xz, lzip)
//! unpacks to, or one file of an archive (tar, zip, 7z), in each other to some depth. What a file is
//! is told by its content; in a folder only files whose names promise the kind that is looked for
//! are opened. Sizes are bounded ([`Limits`]).

mod chunks;
mod code_page;
mod diagnostic;
mod find;
mod limits;
mod open;
mod pipe;
mod text;

pub use chunks::{CHUNK, Chunks, first_cut};
pub use diagnostic::{Diagnostic, DiagnosticKind, Severity};
pub use find::{ARCHIVE_MARK, PROGRAM, Wanted, find, is_archive};
pub use limits::Limits;
pub use open::{
    Content, Damaged, InputMember, STANDARD_INPUT, SourceError, for_each_member, is_read_once,
};
pub use text::{BYTE_ORDER_MARK, HEAD, TextForm, decode, plain};
