//! Finds, opens and unpacks inputs, and splits them into members.
//!
//! A *member* is the text of one file: a plain file, the content of a packed file (gzip, bzip2,
//! zstd, xz, lzip), or one file of an archive (tar, zip, 7z). Archives and packed files may be
//! nested to some depth. The content of a file determines its format. In a folder, only files with
//! suitable names are opened. Sizes are limited ([`Limits`]).

mod chunks;
mod clean_text;
mod code_page;
mod diagnostic;
mod find;
mod finding;
mod limits;
mod member;
mod open;
mod packed_members;
mod packing_format;
mod pipe;
mod regular_file;
mod results_form;
mod text;
mod unpacker;

pub use chunks::first_cut;
pub(crate) use chunks::{CHUNK, Chunks};
pub use clean_text::{CleanName, CleanText, LONGEST_NAME};
pub(crate) use code_page::CodePages;
pub use diagnostic::{Diagnostic, DiagnosticKind, Severity};
pub(crate) use find::unreadable;
pub use find::{ARCHIVE_MARK, PROGRAM, Wanted, find, is_archive, is_missing};
pub use finding::Finding;
pub(crate) use finding::{Findings, MOST_LISTED};
pub(crate) use limits::Budget;
pub use limits::Limits;
pub use member::{Content, Damaged, InputMember, SourceError};
pub use open::{STANDARD_INPUT, for_each_member, is_read_once};
pub use regular_file::{open_regular, read_text};
pub use results_form::ResultsForm;
pub(crate) use results_form::{CrosstableColumns, cells};
pub use text::decode;
pub(crate) use text::{BYTE_ORDER_MARK, HEAD, TextForm, decode_with, is_encoded_twice, plain};
pub(crate) use unpacker::DeferredError;
