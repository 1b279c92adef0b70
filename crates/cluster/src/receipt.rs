//! Defines what an executor delivers for a task: an output and a receipt.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What a task gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The encoded result, whose form depends on the work.
    pub bytes: Vec<u8>,
    /// Number of bytes that were read from a source.
    pub bytes_in: u64,
    /// Number of rows that went in.
    pub rows_in: u64,
    /// Number of rows that came out.
    pub rows_out: u64,
    /// Numbers of rows that were set aside, by reason.
    pub set_aside: BTreeMap<String, u64>,
}

/// What an executor says of a task that it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Digest of the task.
    pub task: u64,
    /// Name of the output in the store; empty if the task failed.
    pub file: String,
    /// Size of the output (bytes).
    pub bytes: u64,
    /// XXH3 of the output.
    pub checksum: u64,
    /// Size of the input that the task read from its source (bytes); 0 if it read none.
    pub bytes_in: u64,
    /// Number of rows that went in: games, systems, events or positions.
    pub rows_in: u64,
    /// Number of rows that came out.
    pub rows_out: u64,
    /// Numbers of rows that were set aside, by reason.
    pub set_aside: BTreeMap<String, u64>,
    /// Why the task failed. It is tried again, because another executor may do it.
    pub failure: Option<String>,
}

impl Receipt {
    /// The receipt of an output.
    pub fn new(task: u64, file: String, output: &Output) -> Receipt {
        Receipt {
            task,
            file,
            bytes: output.bytes.len() as u64,
            checksum: xxh3_64(&output.bytes),
            bytes_in: output.bytes_in,
            rows_in: output.rows_in,
            rows_out: output.rows_out,
            set_aside: output.set_aside.clone(),
            failure: None,
        }
    }

    /// The receipt of a task that failed.
    pub fn failed(task: u64, reason: String) -> Receipt {
        let none = Output::default();
        Receipt {
            failure: Some(reason),
            bytes: 0,
            checksum: 0,
            ..Receipt::new(task, String::new(), &none)
        }
    }

    /// Whether every row that went in came out or was set aside.
    pub fn adds_up(&self) -> bool {
        self.rows_in == self.rows_out + self.set_aside.values().sum::<u64>()
    }
}

/// Ending of the names of receipts.
pub const RECEIPT: &str = ".receipt";

/// Ending of the names of outputs.
pub const OUTPUT: &str = ".output";

/// The name of a task's output or receipt in an attempt.
pub fn name_of(folder: &str, task: u64, ending: &str) -> String {
    format!("{folder}/{task:016x}{ending}")
}
