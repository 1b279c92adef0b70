//! Computes rating systems over all results: tasks of executors.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use greatness::archive::{RatingTask, WorkFolder};
use greatness::systems::Results;
use serde::{Deserialize, Serialize};

use crate::receipt::Output;
use crate::store::{Place, wait};

/// A task: a system, and the name of the results that it rates.
#[derive(Debug, Serialize, Deserialize)]
pub struct SystemTask {
    /// The system, as the library encodes it.
    pub system: Vec<u8>,
    /// Hash of the system and the results, which the file of ratings records.
    pub digest: u64,
    /// Name of the file of results in the store.
    pub results: String,
}

/// The results that were read last, with their name, which no other results have.
///
/// All systems of a build rate the same results, so they are read once.
static RESULTS: Mutex<Option<(String, Arc<Results>)>> = Mutex::new(None);

fn results(store: &Place, name: &str) -> anyhow::Result<Arc<Results>> {
    let mut known = RESULTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, results)) = known.as_ref().filter(|(of, _)| of == name) {
        return Ok(Arc::clone(results));
    }
    let bytes = zstd::decode_all(&wait(store.get(name))?[..])?;
    let results = Results::from_bytes(&bytes)
        .context("the results were written by another version of the program")?;
    let results = Arc::new(results);
    *known = Some((name.to_owned(), Arc::clone(&results)));
    Ok(results)
}

/// Computes a system. The output is its file in a work folder.
///
/// # Errors
///
/// Fails if the results cannot be read, or if another version of the program wrote the task.
pub fn rate(task: &[u8], store: &Place) -> anyhow::Result<Output> {
    let task: SystemTask = serde_json::from_slice(task)?;
    let results = results(store, &task.results)?;
    let computed = RatingTask::run_bytes(&task.system, &results)?;
    let bytes = WorkFolder::packed(task.digest, &computed)?;
    Ok(Output { bytes, rows_in: 1, rows_out: 1, ..Output::default() })
}
