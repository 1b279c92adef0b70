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

use crate::functions::functions;
use crate::games_table::{GamesExec, GamesTable};

/// Largest message between machines (bytes).
///
/// Messages are large, because plans name every part of a collection and rows contain whole events.
pub const MESSAGE: usize = 256 << 20;

/// Number of rows in a batch of tasks. It is small, because the rows of events are large.
pub const TASKS: usize = 256;

/// Number of rows in a batch of games, and the batch size of the session that reads games.
///
/// A session with smaller batches would split them, and write each slice with the whole batch from
/// which it was cut.
pub const GAMES: usize = 8192;

/// Finds a function of this program by its name. Sessions that other code creates do not know these
/// functions.
///
/// # Errors
///
/// Fails if no function has this name.
pub fn function(name: &str) -> Result<Arc<ScalarUDF>> {
    let own = functions().into_iter().find(|function| function.name() == name);
    own.ok_or_else(|| DataFusionError::Plan(format!("no function is named {name}")))
}

/// Marks a function of this program in an encoded plan, so that the decoder looks its name up here.
fn mark(own: &ScalarUDF, bytes: &mut Vec<u8>) {
    if functions().iter().any(|function| function.name() == own.name()) {
        bytes.extend_from_slice(own.name().as_bytes());
    }
}

/// Encodes and decodes logical plans, including tables of games.
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
        match serde_json::from_slice::<GamesTable>(bytes) {
            Ok(games) => Ok(Arc::new(games)),
            Err(_) => self.0.try_decode_table_provider(bytes, table, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        provider: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        match provider.downcast_ref::<GamesTable>() {
            Some(games) => serde_json::to_writer(bytes, games)
                .map_err(|error| DataFusionError::External(error.into())),
            None => self.0.try_encode_table_provider(table, provider, bytes),
        }
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

/// Encodes and decodes physical plans, including nodes that read parts of collections.
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
        match GamesExec::read(bytes, inputs) {
            Some(node) => Ok(Arc::new(node?)),
            None => self.0.try_decode(bytes, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match node.downcast_ref::<GamesExec>() {
            Some(games) => games.write(bytes),
            None => self.0.try_encode(node, bytes, converter),
        }
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

/// Creates the settings of a session from its number of shuffle partitions and of rows in a batch.
pub fn config(partitions: usize, batch: usize) -> SessionConfig {
    let (logical, physical) = codecs();
    SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        .with_batch_size(batch)
        .with_ballista_logical_extension_codec(logical)
        .with_ballista_physical_extension_codec(physical)
        .with_ballista_grpc_client_max_message_size(MESSAGE)
        // Coalescing would join partitions with few rows into one task. Each row is much work, so
        // the partitions must stay separate.
        .with_ballista_coalesce_enabled(false)
}

/// Creates a session that knows the functions of this program.
///
/// # Errors
///
/// Fails if a function cannot be registered.
pub fn state(config: SessionConfig) -> Result<SessionState> {
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(environment()?)
        .with_default_features()
        .build();
    for function in functions() {
        state.register_udf(function)?;
    }
    Ok(state)
}

/// Creates the registry of the functions that an executor knows.
///
/// # Errors
///
/// Fails if a function cannot be registered.
pub fn registry() -> Result<Arc<BallistaFunctionRegistry>> {
    Ok(Arc::new(BallistaFunctionRegistry::from(&state(config(1, TASKS))?)))
}
