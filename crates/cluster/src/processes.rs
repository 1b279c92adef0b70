//! Runs the scheduler and executors as processes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;

use crate::session::{MESSAGE, codecs, config, environment, registry, state};

/// Distribute work to executors
///
/// There is no authentication: any program that reaches the ports can join. Keep the ports within a
/// network that you trust.
#[derive(Clone, Debug, Args)]
pub struct Scheduler {
    /// Address on which to listen
    #[arg(long, value_name = "ADDRESS", env = "GREATNESS_BIND", default_value = "127.0.0.1:50050")]
    bind: SocketAddr,
    /// Name of this machine for other machines
    #[arg(long, value_name = "HOST", env = "GREATNESS_HOST", default_value = "localhost")]
    host: String,
    /// Seconds of silence after which an executor counts as lost, and other executors receive its
    /// work
    #[arg(long, value_name = "SECONDS", env = "GREATNESS_SILENCE", default_value_t = 30, value_parser = clap::value_parser!(u64).range(6..))]
    silence: u64,
}

impl Scheduler {
    /// Runs the scheduler until the process is stopped.
    ///
    /// # Errors
    ///
    /// Fails if the address cannot be used.
    pub async fn run(self) -> anyhow::Result<()> {
        let (logical, physical) = codecs();
        let settings = SchedulerConfig {
            external_host: self.host,
            bind_host: self.bind.ip().to_string(),
            bind_port: self.bind.port(),
            grpc_server_max_decoding_message_size: MESSAGE as u32,
            grpc_server_max_encoding_message_size: MESSAGE as u32,
            grpc_client_max_message_size: MESSAGE as u32,
            // An executor that asks for work knows itself which of its cores are free. Cores that
            // the scheduler counts may stay taken after a query is cancelled.
            scheduling_policy: TaskSchedulingPolicy::PullStaged,
            executor_timeout_seconds: self.silence,
            expire_dead_executor_interval_seconds: (self.silence / 3).max(1),
            no_executors_grace_period_seconds: 10 * self.silence,
            override_config_producer: Some(Arc::new(|| config(1))),
            override_session_builder: Some(Arc::new(state)),
            override_logical_codec: Some(logical),
            override_physical_codec: Some(physical),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&settings).await?;
        start_server(cluster, self.bind, Arc::new(settings))
            .await
            .with_context(|| format!("cannot run a scheduler on {}", self.bind))?;
        Ok(())
    }
}

/// Do the work that a scheduler distributes
#[derive(Clone, Debug, Args)]
pub struct Executor {
    /// Address of the scheduler
    #[arg(
        long,
        value_name = "HOST:PORT",
        env = "GREATNESS_SCHEDULER",
        default_value = "localhost:50050"
    )]
    scheduler: String,
    /// Address from which other processes fetch results
    #[arg(long, value_name = "ADDRESS", env = "GREATNESS_BIND", default_value = "127.0.0.1:50051")]
    bind: SocketAddr,
    /// Port for the scheduler [default: the port of --bind plus one]
    #[arg(long, value_name = "PORT", env = "GREATNESS_GRPC_PORT")]
    grpc_port: Option<u16>,
    /// Name of this machine for other machines
    #[arg(long, value_name = "HOST", env = "GREATNESS_HOST", default_value = "localhost")]
    host: String,
    /// Number of tasks at a time [default: one for each core]
    #[arg(long, value_name = "NUMBER", env = "GREATNESS_CORES", value_parser = clap::value_parser!(u16).range(1..))]
    cores: Option<u16>,
    /// Memory (MiB) for the operators of queries. What a task needs comes on top: a part of a
    /// collection, or the results and lists of a rating system
    #[arg(long, value_name = "MIB", env = "GREATNESS_MEMORY", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..))]
    memory: u32,
    /// Folder for data between stages [default: a temporary folder]
    #[arg(long, value_name = "DIR", env = "GREATNESS_WORK")]
    work: Option<PathBuf>,
    /// Seconds to wait for a scheduler that does not answer yet
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u16,
}

impl Executor {
    /// Runs the executor until the process is stopped.
    ///
    /// # Errors
    ///
    /// Fails if no scheduler answers, or if an address cannot be used.
    pub async fn run(self) -> anyhow::Result<()> {
        let (logical, physical) = codecs();
        let (host, port) = self
            .scheduler
            .rsplit_once(':')
            .and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)))
            .with_context(|| {
                format!("--scheduler {}: write HOST:PORT, such as localhost:50050", self.scheduler)
            })?;
        let cores = match self.cores {
            Some(cores) => usize::from(cores),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        // A rating system uses all threads of the pool. Executors that share a machine must not use
        // more threads together than it has cores.
        rayon::ThreadPoolBuilder::new().num_threads(cores).build_global()?;
        let folder = tempfile::tempdir()?;
        let work = self.work.unwrap_or_else(|| folder.path().to_owned());
        std::fs::create_dir_all(&work).with_context(|| work.display().to_string())?;
        let stores = environment()?;
        let settings = ExecutorProcessConfig {
            bind_host: self.bind.ip().to_string(),
            port: self.bind.port(),
            grpc_port: self.grpc_port.unwrap_or(self.bind.port() + 1),
            external_host: Some(self.host),
            scheduler_host: host,
            scheduler_port: port,
            scheduler_connect_timeout_seconds: self.patience,
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            vcores: cores,
            work_dir: Some(work.display().to_string()),
            grpc_max_decoding_message_size: MESSAGE as u32,
            grpc_max_encoding_message_size: MESSAGE as u32,
            executor_heartbeat_interval_seconds: 2,
            memory_pool_size: Some(u64::from(self.memory) << 20),
            override_function_registry: Some(registry()?),
            override_runtime_producer: Some(Arc::new(move |_| Ok(Arc::clone(&stores)))),
            override_config_producer: Some(Arc::new(|| config(1))),
            override_logical_codec: Some(logical),
            override_physical_codec: Some(physical),
            ..ExecutorProcessConfig::default()
        };
        start_executor_process(Arc::new(settings)).await.with_context(|| {
            format!("cannot run an executor for {} on {}", self.scheduler, self.bind)
        })?;
        Ok(())
    }
}
