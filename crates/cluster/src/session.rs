//! Defines the sessions of all processes.
//!
//! The scheduler, the executors and the program that requests work must agree on plan nodes,
//! functions, stores and sizes.

use std::sync::Arc;

use ballista_core::extension::SessionConfigExt;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, Result, TableReference};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{FunctionRegistry, SessionState, SessionStateBuilder, TaskContext};
use datafusion::logical_expr::{Extension, LogicalPlan, ScalarUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use object_store::{ObjectStore, parse_url_opts};
use url::Url;

use crate::functions::{DO_TASK, do_task};

/// Largest message between machines (bytes).
///
/// Messages are large enough for plans that name thousands of files.
pub const MESSAGE: usize = 256 << 20;

/// Number of rows in a batch of tasks. Each row is much work, so a batch has one.
const TASKS: usize = 1;

/// Finds the function of this program by its name. Sessions that other code creates do not know it.
fn function(name: &str) -> Result<Arc<ScalarUDF>> {
    if name == DO_TASK {
        return Ok(do_task());
    }
    Err(DataFusionError::Plan(format!("no function is named {name}")))
}

/// Encodes and decodes logical plans, including the function of this program.
#[derive(Debug, Default)]
pub struct LogicalCodec(BallistaLogicalExtensionCodec);

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode_udf(&self, name: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
        function(name)
    }

    fn try_encode_udf(&self, own: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        mark(own, bytes);
        Ok(())
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.0.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        self.0.try_decode_table_provider(bytes, table, schema, context)
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        provider: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        self.0.try_encode_table_provider(table, provider, bytes)
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(
        &self,
        bytes: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.0.try_encode_file_format(bytes, format)
    }
}

/// Marks the function of this program in an encoded plan, so that the decoder looks its name up
/// here.
fn mark(own: &ScalarUDF, bytes: &mut Vec<u8>) {
    if own.name() == DO_TASK {
        bytes.extend_from_slice(DO_TASK.as_bytes());
    }
}

/// Encodes and decodes physical plans, including the function of this program.
#[derive(Debug, Default)]
pub struct PhysicalCodec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode_udf(&self, name: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
        function(name)
    }

    fn try_encode_udf(&self, own: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        mark(own, bytes);
        Ok(())
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.try_decode(bytes, inputs, context, converter)
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.0.try_encode(node, bytes, converter)
    }
}

/// Creates both codecs, in the types that Ballista's settings take.
pub fn codecs() -> (Arc<dyn LogicalExtensionCodec>, Arc<dyn PhysicalExtensionCodec>) {
    (Arc::new(LogicalCodec::default()), Arc::new(PhysicalCodec::default()))
}

/// Opens stores by their addresses, with the keys and regions in the environment variables.
#[derive(Debug, Default)]
struct Stores(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.0.get_store(url) {
            return Ok(store);
        }
        let (store, _) = parse_url_opts(url, std::env::vars())
            .map_err(|error| DataFusionError::ObjectStore(Box::new(error)))?;
        let store: Arc<dyn ObjectStore> = Arc::from(store);
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}

/// Creates the runtime environment of queries.
///
/// # Errors
///
/// Fails if no folder for spilled data can be created.
pub fn environment() -> Result<Arc<RuntimeEnv>> {
    RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default())).build_arc()
}

/// Creates the settings of a session from its number of partitions.
pub fn config(partitions: usize) -> SessionConfig {
    let (logical, physical) = codecs();
    let mut config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        .with_batch_size(TASKS)
        .with_ballista_logical_extension_codec(logical)
        .with_ballista_physical_extension_codec(physical)
        .with_ballista_grpc_client_max_message_size(MESSAGE)
        // Coalescing would join partitions with few rows into one task. Each row is much work, so
        // the partitions must stay separate.
        .with_ballista_coalesce_enabled(false);
    // Each file of tasks is a partition as it is.
    config.options_mut().optimizer.repartition_file_scans = false;
    config
}

/// Creates a session that knows the function of this program.
///
/// # Errors
///
/// Fails if the function cannot be registered.
pub fn state(config: SessionConfig) -> Result<SessionState> {
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(environment()?)
        .with_default_features()
        .build();
    state.register_udf(do_task())?;
    Ok(state)
}

/// Creates the registry of the functions that an executor knows.
///
/// # Errors
///
/// Fails if the function cannot be registered.
pub fn registry() -> Result<Arc<BallistaFunctionRegistry>> {
    Ok(Arc::new(BallistaFunctionRegistry::from(&state(config(1))?)))
}
