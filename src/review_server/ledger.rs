//! Writes the desk's file of decisions.

use std::fs;
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;
use thiserror::Error;

use super::toml_text::{remove_table, set_table};
use crate::decisions::{Decision, DecisionError, Decisions};

/// The file of decisions that the administrator edits at the desk. All else stays the same byte for
/// byte, except for a comment that touches the header of a withdrawn decision.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// Opens the file, which need not exist yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists but is not a file of decisions.
    pub fn open(path: &Path) -> Result<Ledger, DecisionError> {
        let ledger = Ledger { path: path.to_owned() };
        ledger.decisions()?;
        Ok(ledger)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the decisions in the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or contains an invalid decision.
    pub fn decisions(&self) -> Result<Decisions, DecisionError> {
        let mut decisions = Decisions::default();
        if self.path.exists() {
            decisions.read(&self.path)?;
        }
        Ok(decisions)
    }

    /// Sets the decision about an event, if a build would accept the resulting file. Concurrent
    /// changes by other desks are preserved: those about other events are in the file already, and
    /// `seen`, the [`revision`] of the decision that the administrator saw, must be that of the
    /// file. Without `seen` any decision is replaced.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, a build would refuse it, or another desk
    /// decided about the event.
    pub fn put(
        &self,
        event: &str,
        decision: &Decision,
        seen: Option<&str>,
    ) -> Result<(), LedgerError> {
        let _held = self.lock()?;
        let mut decisions = self.decisions()?;
        refuse_changed(decisions.get(event), seen)?;
        decisions.put(event, decision.clone());
        let mut impossible = decisions.wrong_merges();
        impossible.extend(decisions.names_alike());
        if let Some(error) = DecisionError::of_all(impossible) {
            return Err(error.into());
        }
        let values = toml_edit::ser::to_document(decision).map_err(io::Error::other)?;
        let text = set_table(&self.text()?, event, &values).map_err(io::Error::other)?;
        // The new text is validated as a build would read it, which removes invisible characters.
        Decisions::default().add(&text, &self.path.display().to_string())?;
        Ok(self.write(&text)?)
    }

    /// Removes the decision about an event, whose revision is `seen` as for [`put`](Ledger::put).
    /// Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, or another desk decided about the event.
    pub fn remove(&self, event: &str, seen: Option<&str>) -> Result<bool, LedgerError> {
        let _held = self.lock()?;
        if seen.is_some() {
            refuse_changed(self.decisions()?.get(event), seen)?;
        }
        let rest = remove_table(&self.text()?, event).map_err(io::Error::other)?;
        if let Some(text) = &rest {
            self.write(text)?;
        }
        Ok(rest.is_some())
    }

    /// The file that is written: the target, if the path is a link.
    fn real(&self) -> PathBuf {
        self.path.canonicalize().unwrap_or_else(|_| self.path.clone())
    }

    fn folder(&self) -> PathBuf {
        match self.real().parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// Waits until no other desk, of this process or another, writes to a file of this folder. The
    /// folder is locked because the file itself is replaced.
    fn lock(&self) -> io::Result<fs::File> {
        #[cfg(unix)]
        let held = fs::File::open(self.folder())?;
        #[cfg(not(unix))]
        let held = fs::File::create(self.folder().join(".greatness-desk.lock"))?;
        held.lock()?;
        Ok(held)
    }

    fn text(&self) -> io::Result<String> {
        match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            text => text,
        }
    }

    /// Writes under a temporary name and renames, so that a full disk loses no decision. The file
    /// keeps its mode, and a link stays a link.
    fn write(&self, text: &str) -> io::Result<()> {
        let real = self.real();
        if real.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "the target of the link does not exist",
            ));
        }
        let mut temporary = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual mode of a new file.
            temporary.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = temporary.tempfile_in(self.folder())?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        if let Ok(found) = fs::metadata(&real) {
            fs::set_permissions(file.path(), found.permissions())?;
        }
        file.persist(&real).map_err(|error| error.error)?;
        Ok(())
    }
}

/// A digest of the decision about an event, by which a change is noticed; empty without a decision.
pub fn revision(decision: Option<&Decision>) -> String {
    let text = decision.and_then(|decision| toml::to_string(decision).ok());
    text.map_or_else(String::new, |text| format!("{:016x}", FxBuildHasher.hash_one(text)))
}

/// Refuses to replace a decision that the administrator has not seen.
fn refuse_changed(current: Option<&Decision>, seen: Option<&str>) -> Result<(), LedgerError> {
    if seen.is_none_or(|seen| seen == revision(current)) {
        return Ok(());
    }
    Err(LedgerError::Changed(match current {
        Some(current) => format!("{} decided about it: \"{}\"", current.author, current.reason),
        None => "the decision about it was withdrawn".to_owned(),
    }))
}

/// A reason for which a choice is not written.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Another desk changed the decision since this one loaded it. The text says how.
    #[error(
        "Meanwhile {0}. Nothing was saved. Load the event again to see what changed; your choices \
         here are then lost, so note them first."
    )]
    Changed(String),
    /// The file cannot be read or written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// A build would refuse the file.
    #[error(transparent)]
    Decision(#[from] DecisionError),
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str =
        "[x-1900]\nauthor = \"A\"\ndate = 2026-11-21\nreason = \"R\"\nlisted = false\n";

    #[test]
    fn desks_on_one_file_preserve_each_others_decisions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.toml");
        fs::write(&path, OWN).unwrap();
        let decision =
            Ledger::open(&path).unwrap().decisions().unwrap().get("x-1900").unwrap().clone();
        std::thread::scope(|scope| {
            for desk in 0..4 {
                // A separate ledger, as another process would have.
                let ledger = Ledger::open(&path).unwrap();
                let decision = &decision;
                scope.spawn(move || {
                    for event in 0..25 {
                        ledger.put(&format!("e{desk}-{event}"), decision, None).unwrap();
                    }
                });
            }
        });
        assert_eq!(Ledger::open(&path).unwrap().decisions().unwrap().len(), 101);
    }

    #[test]
    fn a_decision_that_changed_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.toml");
        fs::write(&path, OWN).unwrap();
        let ledger = Ledger::open(&path).unwrap();
        let found = ledger.decisions().unwrap().get("x-1900").unwrap().clone();
        let seen = revision(Some(&found));
        let other = Decision { author: "B".into(), ..found.clone() };
        ledger.put("x-1900", &other, Some(&seen)).unwrap();
        let mine = Decision { author: "C".into(), ..found.clone() };
        let refused = ledger.put("x-1900", &mine, Some(&seen)).unwrap_err().to_string();
        assert!(refused.starts_with("Meanwhile B decided about it: \"R\". Nothing was saved."));
        assert!(ledger.remove("x-1900", Some(&seen)).is_err(), "nor is it withdrawn");
        assert_eq!(ledger.decisions().unwrap().get("x-1900").unwrap().author, "B");
        // Two desks decide about an event without a decision.
        ledger.put("y-1901", &other, Some("")).unwrap();
        assert!(ledger.put("y-1901", &mine, Some("")).is_err());
        ledger.put("x-1900", &mine, Some(&revision(Some(&other)))).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_the_file_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.toml"), folder.path().join("link.toml"));
        fs::write(&real, OWN).unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let ledger = Ledger::open(&link).unwrap();
        let decision = ledger.decisions().unwrap().get("x-1900").unwrap().clone();
        ledger.put("y-1901", &decision, None).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("[y-1901]"));
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_decision_that_a_build_would_refuse_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.toml");
        fs::write(&path, OWN).unwrap();
        let ledger = Ledger::open(&path).unwrap();
        let mut decision = ledger.decisions().unwrap().get("x-1900").unwrap().clone();
        decision.merge = vec!["x-1900".into()];
        let refused = ledger.put("y-1901", &decision, None).unwrap_err().to_string();
        assert!(refused.contains("x-1900 has its own decision"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), OWN);
        // An author of invisible characters counts as missing.
        decision.merge.clear();
        decision.author = "\u{200b}\0".into();
        let refused = ledger.put("y-1901", &decision, None).unwrap_err().to_string();
        assert!(refused.contains("author"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), OWN);
    }

    #[test]
    fn other_content_is_preserved_when_decisions_are_set_changed_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.toml");
        let own = "# Of the year 1900.\n[x-1900]\nauthor = \"A\" # who\ndate = 2026-11-21\nreason = \"R\"\nlisted = false\n";
        fs::write(&path, own).unwrap();
        let ledger = Ledger::open(&path).unwrap();
        let mut decision = ledger.decisions().unwrap().get("x-1900").unwrap().clone();
        decision.reason = "Another \"reason\"\nof two lines".into();
        ledger.put("y-1901", &decision, None).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(own), "{text}");
        assert!(text.contains("\n[y-1901]\nauthor = \"A\"\ndate = 2026-11-21\n"), "{text}");
        let decisions = ledger.decisions().unwrap();
        assert_eq!(decisions.get("y-1901").unwrap().reason, decision.reason);
        decision.listed = Some(true);
        ledger.put("y-1901", &decision, None).unwrap();
        assert_eq!(ledger.decisions().unwrap().get("y-1901").unwrap().listed, Some(true));
        assert!(ledger.remove("y-1901", None).unwrap());
        assert!(!ledger.remove("y-1901", None).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), own);
    }
}
