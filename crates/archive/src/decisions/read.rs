//! Reads the files of decisions that the inputs name.

use crate::decisions::{DecisionError, Decisions};
use crate::settings::Input;
use pgn_collections::source::{Wanted, find};

/// Reads the Ratings Administrator's decisions: the user's, and below them the bundled ones.
///
/// # Errors
///
/// Returns an error if a file is missing, cannot be read or contains an invalid decision.
pub fn read_decisions(input: &Input) -> Result<Decisions, DecisionError> {
    let (mut decisions, mut bundled) = (Decisions::default(), Decisions::default());
    let mut diagnostics = Vec::new();
    let mut errors = Vec::new();
    for file in find(&input.decisions, Wanted::Decisions, &mut diagnostics) {
        let layer = if input.is_bundled(&file) { &mut bundled } else { &mut decisions };
        errors.extend(layer.read(&file).err());
    }
    decisions.add_bundled(bundled);
    // A folder without any file of decisions is as wrong as a missing folder.
    errors.extend(diagnostics.into_iter().map(|missing| DecisionError::Read {
        file: missing.file.to_string(),
        error: std::io::Error::new(std::io::ErrorKind::NotFound, missing.message.as_str()),
    }));
    DecisionError::of_all(errors).map_or(Ok(decisions), Err)
}
