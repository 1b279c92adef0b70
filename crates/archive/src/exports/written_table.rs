//! Names the files of a table.

use tables::TableDeclaration;

/// A table that was written.
#[derive(Clone, Debug)]
pub struct WrittenTable {
    /// The path of its files within the folder, without ending and number.
    pub name: String,
    pub files: Vec<WrittenFile>,
    pub declaration: TableDeclaration,
}

/// A file of a table. A long table has several, each with some of its rows.
#[derive(Clone, Debug)]
pub struct WrittenFile {
    /// The ending: `csv`, `json` or `parquet`.
    pub format: &'static str,
    /// The path within the folder of the tables.
    pub path: String,
    /// The SHA-256 digest in hexadecimal digits; empty until it is computed.
    pub(super) digest: String,
}

impl WrittenTable {
    /// A table with a file of its name in each format.
    pub(super) fn new(
        name: String,
        formats: Vec<&'static str>,
        declaration: TableDeclaration,
    ) -> WrittenTable {
        let files = formats.into_iter().map(|format| WrittenFile::new(format, &name)).collect();
        WrittenTable { name, files, declaration }
    }

    /// The paths of its files in a format.
    pub fn paths(&self, format: &str) -> Vec<&str> {
        let files = self.files.iter().filter(|file| file.format == format);
        files.map(|file| file.path.as_str()).collect()
    }
}

impl WrittenFile {
    /// A file by its path without the ending.
    pub(super) fn new(format: &'static str, stem: &str) -> WrittenFile {
        WrittenFile { format, path: format!("{stem}.{format}"), digest: String::new() }
    }
}
