//! Defines the function by which queries do tasks.
//!
//! `do_task(work, digest, task, store, folder)` does a task, and writes its output and its receipt
//! to a folder of the store. It returns the number of rows that came out.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, UInt64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt64Type};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::receipt::{OUTPUT, Output, RECEIPT, Receipt, name_of};
use crate::store::{Place, wait};
use crate::work::Work;

/// Name of the function in queries.
pub const DO_TASK: &str = "do_task";

/// The columns of a table of tasks, in the order of the arguments.
pub const COLUMNS: [&str; 5] = ["work", "digest", "task", "store", "folder"];

static TYPES: [DataType; 5] =
    [DataType::Utf8, DataType::UInt64, DataType::LargeBinary, DataType::Utf8, DataType::Utf8];

struct DoTask {
    signature: Signature,
}

impl fmt::Debug for DoTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(DO_TASK)
    }
}

// The name identifies the function.
impl PartialEq for DoTask {
    fn eq(&self, _: &DoTask) -> bool {
        true
    }
}

impl Eq for DoTask {}

impl Hash for DoTask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        DO_TASK.hash(state);
    }
}

impl ScalarUDFImpl for DoTask {
    fn name(&self) -> &str {
        DO_TASK
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::UInt64)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = arguments.number_rows;
        let given = arguments.args.iter().zip(&TYPES);
        let columns: Vec<ArrayRef> = given
            .map(|(value, kind)| Ok(cast(&value.to_array(rows)?, kind)?))
            .collect::<Result<_>>()?;
        let done =
            do_tasks(&columns).map_err(|error| DataFusionError::Execution(format!("{error:#}")))?;
        Ok(ColumnarValue::Array(done))
    }
}

/// Does a task for each row.
///
/// # Errors
///
/// Fails if the store cannot be written. A task that fails only has a receipt that says so.
fn do_tasks(columns: &[ArrayRef]) -> anyhow::Result<ArrayRef> {
    let [works, stores, folders] = [0, 3, 4].map(|column| columns[column].as_string::<i32>());
    let digests = columns[1].as_primitive::<UInt64Type>();
    let tasks = columns[2].as_binary::<i64>();
    let rows = (0..columns[0].len()).map(|row| {
        let store = Place::at(stores.value(row))?;
        let (digest, folder) = (digests.value(row), folders.value(row));
        let output =
            Work::named(works.value(row)).and_then(|work| work.run(tasks.value(row), &store));
        deliver(&store, folder, digest, output)
    });
    Ok(Arc::new(rows.collect::<anyhow::Result<UInt64Array>>()?))
}

/// Writes the output of a task and then its receipt. Returns the number of rows that came out.
fn deliver(
    store: &Place,
    folder: &str,
    digest: u64,
    output: anyhow::Result<Output>,
) -> anyhow::Result<u64> {
    let (receipt, bytes) = match output {
        Ok(output) => {
            let receipt = Receipt::new(digest, name_of(folder, digest, OUTPUT), &output);
            (receipt, Some(output.bytes))
        }
        Err(error) => (Receipt::failed(digest, format!("{error:#}")), None),
    };
    let text = serde_json::to_vec(&receipt)?;
    wait(async {
        if let Some(bytes) = bytes {
            store.put(&receipt.file, bytes).await?;
        }
        store.put(&name_of(folder, digest, RECEIPT), text).await
    })?;
    Ok(receipt.rows_out)
}

/// The function, for the sessions of all processes.
pub fn do_task() -> Arc<ScalarUDF> {
    let signature = Signature::any(COLUMNS.len(), Volatility::Volatile);
    Arc::new(ScalarUDF::from(DoTask { signature }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_fails_has_a_receipt_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().to_str().unwrap();
        let text = |text: &str| -> ArrayRef {
            Arc::new(datafusion::arrow::array::StringArray::from(vec![text]))
        };
        let bytes = datafusion::arrow::array::LargeBinaryArray::from_vec(vec![b"nothing"]);
        let columns: [ArrayRef; 5] = [
            text("analyse-events"),
            Arc::new(UInt64Array::from(vec![7])),
            Arc::new(bytes),
            text(store),
            text("stages/events/1"),
        ];
        let rows = do_tasks(&columns).unwrap();
        assert_eq!(rows.as_primitive::<UInt64Type>().value(0), 0);
        let receipt = folder.path().join("stages/events/1/0000000000000007.receipt");
        let receipt: Receipt = serde_json::from_slice(&std::fs::read(receipt).unwrap()).unwrap();
        assert_eq!(receipt.task, 7);
        assert!(receipt.failure.is_some(), "{receipt:?}");
    }
}
