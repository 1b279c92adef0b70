//! Writes the machine-readable descriptions of the exports.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::citation::Citation;
use crate::exports::croissant::croissant;
use crate::exports::data_package::{DatasetFacts, data_package};
use crate::exports::written_table::WrittenTable;
use crate::run::Archive;
use tables::{ExportError, create};

/// Writes `datapackage.json` and `croissant.json` for the tables of a folder.
///
/// # Errors
///
/// Returns an error if a table cannot be read, or a description cannot be written.
pub(super) fn write_descriptions(
    archive: &Archive,
    tables: &mut [WrittenTable],
    folder: &Path,
) -> Result<(), ExportError> {
    for table in &mut *tables {
        for file in &mut table.files {
            let path = folder.join(&file.path);
            file.digest = sha256(&path).map_err(|error| ExportError::write(&path, error))?;
        }
    }
    let facts = facts(archive);
    for (name, description) in [
        ("datapackage.json", data_package(&facts, tables)),
        ("croissant.json", croissant(&facts, tables)),
    ] {
        let path = folder.join(name);
        serde_json::to_writer_pretty(create(&path)?, &description)
            .map_err(|error| ExportError::write(&path, error.into()))?;
    }
    Ok(())
}

/// What the tables contain, in a sentence.
pub const DATASET_DESCRIPTION: &str = "Tournaments and matches of chess with the performances of their \
    players: G-scores, strengths, ratings and forecasts, computed from the results of games.";

/// The facts about an archive that its descriptions repeat.
fn facts(archive: &Archive) -> DatasetFacts {
    let site = &archive.settings.site;
    let last_day = archive.last_day();
    DatasetFacts {
        title: "Greatness Archive".into(),
        description: DATASET_DESCRIPTION.into(),
        url: site.url.clone(),
        last_day: last_day.map(|day| day.to_string()).unwrap_or_default(),
        licence: site.data_licence.clone(),
        cite_as: Citation::of_archive(&site.url, last_day).bibtex(),
    }
}

/// Returns the SHA-256 digest of a file, in hexadecimal digits.
fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = HashWriter(Sha256::new());
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hash.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Passes what is written on to a hash.
struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
