//! Defines the work of executors as functions of queries.
//!
//! One function runs an event through the app, one computes a rating system over all results, and
//! one analyses positions with an engine. Each takes and returns bytes; the library does the work.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeBinaryArray, LargeBinaryBuilder, UInt64Array,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt64Type};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use greatness::archive::{AppTask, RatingTask, WorkFolder};
use greatness::systems::Results;

use crate::positions::search;
use crate::store::{Place, wait};

/// A function that maps rows of bytes, texts and numbers to a column.
struct Function {
    name: &'static str,
    signature: Signature,
    /// Types to which the arguments are cast.
    arguments: &'static [DataType],
    returns: DataType,
    run: fn(&[ArrayRef]) -> Result<ArrayRef>,
}

impl Function {
    fn udf(
        name: &'static str,
        arguments: &'static [DataType],
        returns: DataType,
        run: fn(&[ArrayRef]) -> Result<ArrayRef>,
    ) -> Arc<ScalarUDF> {
        let signature = Signature::any(arguments.len(), Volatility::Stable);
        Arc::new(ScalarUDF::from(Function { name, signature, arguments, returns, run }))
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

// Each name belongs to one function, so names identify functions.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.returns.clone())
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = arguments.number_rows;
        let given = arguments.args.iter().zip(self.arguments);
        let columns: Vec<ArrayRef> = given
            .map(|(value, kind)| Ok(cast(&value.to_array(rows)?, kind)?))
            .collect::<Result<_>>()?;
        Ok(ColumnarValue::Array((self.run)(&columns)?))
    }
}

/// All functions that the plans of this program may name.
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    use DataType::{LargeBinary, UInt64, Utf8};
    vec![
        Function::udf("tournament_app", &[LargeBinary], LargeBinary, tournament_app),
        Function::udf("rate_all", &[LargeBinary, UInt64, Utf8, Utf8], UInt64, rate_all),
        Function::udf("search_positions", &[LargeBinary, Utf8, UInt64], UInt64, search_positions),
    ]
}

fn failed(error: impl fmt::Display) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}

fn bytes(column: &ArrayRef) -> &LargeBinaryArray {
    column.as_binary::<i64>()
}

/// Runs each event through the app. Returns the analyses.
fn tournament_app(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let tasks = bytes(&columns[0]);
    let mut analyses = LargeBinaryBuilder::new();
    for task in tasks {
        match task {
            Some(task) => analyses.append_value(AppTask::run_bytes(task).map_err(failed)?),
            None => analyses.append_null(),
        }
    }
    Ok(Arc::new(analyses.finish()))
}

/// The results that were read last, with their name, which no other results have.
///
/// All systems of a build rate the same results, so they are read once.
static RESULTS: Mutex<Option<(String, Arc<Results>)>> = Mutex::new(None);

fn results(place: &Place, name: &str) -> Result<Arc<Results>> {
    let mut known = RESULTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, results)) = known.as_ref().filter(|(of, _)| of == name) {
        return Ok(Arc::clone(results));
    }
    let packed = wait(place.get(name)).map_err(|error| failed(format!("{error:#}")))?;
    let bytes = zstd::decode_all(&packed[..]).map_err(failed)?;
    let results = Results::from_bytes(&bytes)
        .ok_or_else(|| failed("the results were written by another version of the program"))?;
    let results = Arc::new(results);
    *known = Some((name.to_owned(), Arc::clone(&results)));
    Ok(results)
}

/// Computes rating systems over the results in a place, and stores their ratings there.
///
/// Returns the sizes of the stored files (bytes).
fn rate_all(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let (tasks, digests) = (bytes(&columns[0]), columns[1].as_primitive::<UInt64Type>());
    let (places, names) = (columns[2].as_string::<i32>(), columns[3].as_string::<i32>());
    let mut sizes = Vec::with_capacity(tasks.len());
    for row in 0..tasks.len() {
        let place = Place::at(places.value(row)).map_err(|error| failed(format!("{error:#}")))?;
        let (task, digest) = (tasks.value(row), digests.value(row));
        let results = results(&place, names.value(row))?;
        let computed = RatingTask::run_bytes(task, &results).map_err(failed)?;
        let word = RatingTask::word_of(task).ok_or_else(|| {
            failed("these bytes hold no rating task of this version of the program")
        })?;
        let packed = WorkFolder::packed(digest, &computed).map_err(failed)?;
        sizes.push(packed.len() as u64);
        wait(place.put(&format!("systems/{word}"), packed))
            .map_err(|error| failed(format!("{error:#}")))?;
    }
    Ok(Arc::new(UInt64Array::from(sizes)))
}

/// Analyses shards of positions with the executor's own engine, and stores the results in a place
/// as Parquet.
///
/// Returns the number of analysed positions of each shard.
fn search_positions(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let (shards, places) = (bytes(&columns[0]), columns[1].as_string::<i32>());
    let numbers = columns[2].as_primitive::<UInt64Type>();
    let mut done = Vec::with_capacity(shards.len());
    for row in 0..shards.len() {
        let found = search(shards.value(row), places.value(row), numbers.value(row));
        done.push(found.map_err(|error| failed(format!("{error:#}")))?);
    }
    Ok(Arc::new(UInt64Array::from(done)))
}
