//! Opens files that the user did not name as a collection.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file. Opening a pipe would wait for a writer forever.
///
/// # Errors
///
/// Returns an error if the file cannot be opened, or is a pipe, device or folder.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"))
    }
}

/// Reads the text of a regular file.
///
/// # Errors
///
/// Returns the errors of [`open_regular`], and one if the text is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(path)?.read_to_string(&mut text)?;
    Ok(text)
}
