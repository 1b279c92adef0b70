//! The games of a table of results that was read.

use crate::games::{Game, GameDetails, NameTable};
use crate::source::{CodePages, DiagnosticKind, Finding};

/// The games of one table of results.
///
/// They are not yet rows of a game table: the numbers of names and texts are those of
/// [`names`](Self::names) and [`texts`](Self::texts), and the member is missing.
#[derive(Debug, Default)]
pub struct ResultsRead {
    /// The games, in the order of play as far as it is known.
    pub games: Vec<Game>,
    /// The details of the games.
    pub details: Vec<GameDetails>,
    /// The names that the games refer to.
    pub names: NameTable,
    /// The texts that the details refer to.
    pub texts: NameTable,
    /// The first thousand findings of each kind, in the order of their lines.
    pub findings: Vec<Finding>,
    /// The number of findings beyond the first thousand, by kind.
    pub not_listed: Vec<(DiagnosticKind, usize)>,
    /// Number of lines that are not UTF-8, and the first of them.
    pub not_utf_8: (u64, u32),
    /// The encodings of those lines.
    pub(crate) pages: Option<CodePages>,
}
