//! Defines the errors of the desk.

use thiserror::Error;

use super::choice::ChoiceError;
use super::ledger::LedgerError;
use crate::archive_reader::{FiledError, LookupError};
use crate::decisions::DecisionError;

#[derive(Debug, Error)]
pub enum DeskError {
    /// The archive cannot be used.
    #[error(transparent)]
    Filed(#[from] FiledError),
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The choice is not a valid decision.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The decisions file cannot be used, or a decision cannot be carried out.
    #[error("{}", .0.messages())]
    Decision(#[from] DecisionError),
    /// Another desk changed the decision since this one loaded it.
    #[error("{0}")]
    Changed(LedgerError),
    #[error("{file}: cannot be written: {error}")]
    Write { file: String, error: std::io::Error },
    /// The request is inconsistent.
    #[error("{0}")]
    Asked(String),
}
