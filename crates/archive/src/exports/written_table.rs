//! Names the files of a table.

use tables::TableDeclaration;

/// A table that was written: its name and its files.
#[derive(Clone, Debug)]
pub struct WrittenTable {
    /// The path of its files within the folder, without ending.
    pub name: String,
    /// The endings of its files.
    pub formats: Vec<&'static str>,
    pub declaration: TableDeclaration,
    /// The SHA-256 digest of each file, in hexadecimal digits; empty until it is computed.
    pub(super) digests: Vec<(&'static str, String)>,
}

impl WrittenTable {
    pub(super) fn new(
        name: String,
        formats: Vec<&'static str>,
        declaration: TableDeclaration,
    ) -> WrittenTable {
        WrittenTable { name, formats, declaration, digests: Vec::new() }
    }

    /// The path of the file in a format, if the table has one.
    pub(super) fn file(&self, format: &str) -> Option<String> {
        self.formats.contains(&format).then(|| format!("{}.{format}", self.name))
    }
}
