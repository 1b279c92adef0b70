//! Finding inputs, opening and decompressing them, cutting them into members.
//!
//! A *member* is one file's worth of text: a plain file, what a zstd file unpacks to, or one file
//! of a tar archive (compressed or not). Kinds are recognised by content, not by name; in a folder
//! only files whose names promise the kind that is looked for are opened.

mod diagnostic;
mod find;
mod open;

pub use diagnostic::{Diagnostic, DiagnosticKind, Severity};
pub use find::{Wanted, find};
pub use open::{Member, SourceError, decode, for_each_member};
