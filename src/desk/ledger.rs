//! The decisions file that the desk writes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item};

use crate::decisions::{Decision, DecisionError, Decisions};

/// A decisions file under the administrator's hands. What others wrote into it, comments as well, stays as it is.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The file, which need not be there yet.
    ///
    /// # Errors
    ///
    /// Where it is there and is no file of decisions.
    pub fn open(path: &Path) -> Result<Ledger, DecisionError> {
        let ledger = Ledger { path: path.to_owned() };
        ledger.decisions()?;
        Ok(ledger)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says now.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or says what no decision can.
    pub fn decisions(&self) -> Result<Decisions, DecisionError> {
        let mut decisions = Decisions::default();
        if self.path.exists() {
            decisions.read(&self.path)?;
        }
        Ok(decisions)
    }

    /// Puts a decision for an event in place of the one that is there.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn put(&self, event: &str, decision: &Decision) -> io::Result<()> {
        let mut document = self.document()?;
        let table = toml_edit::ser::to_document(decision).map_err(io::Error::other)?;
        let mut table = table.as_table().clone();
        table.set_implicit(false);
        // Behind what is there, and with a line between.
        table.set_position(None);
        table.decor_mut().set_prefix(if document.is_empty() { "" } else { "\n" });
        document.insert(event, Item::Table(table));
        self.write(&document)
    }

    /// Takes the decision for an event out; whether there was one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn remove(&self, event: &str) -> io::Result<bool> {
        let mut document = self.document()?;
        let was_there = document.remove(event).is_some();
        if was_there {
            self.write(&document)?;
        }
        Ok(was_there)
    }

    fn document(&self) -> io::Result<DocumentMut> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        text.parse::<DocumentMut>().map_err(io::Error::other)
    }

    /// Writes beside the file, and renames: a full disk costs no decision.
    fn write(&self, document: &DocumentMut) -> io::Result<()> {
        let folder = match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(document.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        if let Ok(found) = fs::metadata(&self.path) {
            fs::set_permissions(file.path(), found.permissions())?;
        }
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_stays_and_a_decision_is_put_changed_and_taken_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.toml");
        let own = "# Of the year 1900.\n[x-1900]\nauthor = \"A\" # who\ndate = 2026-11-21\nreason = \"R\"\nlisted = false\n";
        fs::write(&path, own).unwrap();
        let ledger = Ledger::open(&path).unwrap();
        let mut decision = ledger.decisions().unwrap().get("x-1900").unwrap().clone();
        decision.reason = "Another \"reason\"\nof two lines".into();
        ledger.put("y-1901", &decision).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(own), "{text}");
        assert!(text.contains("\n[y-1901]\nauthor = \"A\"\ndate = 2026-11-21\n"), "{text}");
        let decisions = ledger.decisions().unwrap();
        assert_eq!(decisions.get("y-1901").unwrap().reason, decision.reason);
        decision.listed = Some(true);
        ledger.put("y-1901", &decision).unwrap();
        assert_eq!(ledger.decisions().unwrap().get("y-1901").unwrap().listed, Some(true));
        assert!(ledger.remove("y-1901").unwrap());
        assert!(!ledger.remove("y-1901").unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), own);
    }
}
