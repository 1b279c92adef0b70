//! Scheduler and executors as processes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;

use crate::session::{MESSAGE, TASKS, codecs, config, environment, registry, state};

/// Hand out the work. Nobody is asked who may join: keep the ports within a network that you trust.
#[derive(Clone, Debug, Args)]
pub struct Scheduler {
    /// Address to listen at
    #[arg(long, value_name = "ADDRESS", env = "GREATNESS_BIND", default_value = "127.0.0.1:50050")]
    bind: SocketAddr,
    /// How the others call this machine
    #[arg(long, value_name = "HOST", env = "GREATNESS_HOST", default_value = "localhost")]
    host: String,
    /// Seconds of silence after which an executor is given up, and others do what it had
    #[arg(long, value_name = "SECONDS", env = "GREATNESS_SILENCE", default_value_t = 30, value_parser = clap::value_parser!(u64).range(6..))]
    silence: u64,
}

impl Scheduler {
    /// Runs until it is told to stop.
    ///
    /// # Errors
    ///
    /// Where the address cannot be had.
    pub async fn run(self) -> anyhow::Result<()> {
        let (logical, physical) = codecs();
        let settings = SchedulerConfig {
            external_host: self.host,
            bind_host: self.bind.ip().to_string(),
            bind_port: self.bind.port(),
            grpc_server_max_decoding_message_size: MESSAGE as u32,
            grpc_server_max_encoding_message_size: MESSAGE as u32,
            grpc_client_max_message_size: MESSAGE as u32,
            executor_timeout_seconds: self.silence,
            expire_dead_executor_interval_seconds: (self.silence / 3).max(1),
            no_executors_grace_period_seconds: 10 * self.silence,
            override_config_producer: Some(Arc::new(|| config(1, TASKS))),
            override_session_builder: Some(Arc::new(state)),
            override_logical_codec: Some(logical),
            override_physical_codec: Some(physical),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&settings).await?;
        start_server(cluster, self.bind, Arc::new(settings))
            .await
            .with_context(|| format!("no scheduler at {}", self.bind))?;
        Ok(())
    }
}

/// Do what a scheduler hands out.
#[derive(Clone, Debug, Args)]
pub struct Executor {
    /// The scheduler
    #[arg(
        long,
        value_name = "HOST:PORT",
        env = "GREATNESS_SCHEDULER",
        default_value = "localhost:50050"
    )]
    scheduler: String,
    /// Address to listen at for those who fetch results
    #[arg(long, value_name = "ADDRESS", env = "GREATNESS_BIND", default_value = "127.0.0.1:50051")]
    bind: SocketAddr,
    /// Port for the scheduler [default: that of --bind, and one]
    #[arg(long, value_name = "PORT", env = "GREATNESS_GRPC_PORT")]
    grpc_port: Option<u16>,
    /// How the others call this machine
    #[arg(long, value_name = "HOST", env = "GREATNESS_HOST", default_value = "localhost")]
    host: String,
    /// Tasks at a time [default: one a core]
    #[arg(long, value_name = "NUMBER", env = "GREATNESS_CORES", value_parser = clap::value_parser!(u16).range(1..))]
    cores: Option<u16>,
    /// Folder for what is on its way between stages [default: a temporary one]
    #[arg(long, value_name = "DIR", env = "GREATNESS_WORK")]
    work: Option<PathBuf>,
    /// Seconds to wait for a scheduler that is not there yet
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u16,
}

impl Executor {
    /// Runs until it is told to stop.
    ///
    /// # Errors
    ///
    /// Where there is no scheduler, or an address cannot be had.
    pub async fn run(self) -> anyhow::Result<()> {
        let (logical, physical) = codecs();
        let (host, port) = self
            .scheduler
            .rsplit_once(':')
            .and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)))
            .with_context(|| {
                format!("--scheduler {} is no HOST:PORT, as localhost:50050 is", self.scheduler)
            })?;
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let cores = self.cores.map_or_else(all, usize::from);
        // A rating system works on as many threads as there are; two executors of a machine share it.
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
            vcores: cores,
            work_dir: Some(work.display().to_string()),
            grpc_max_decoding_message_size: MESSAGE as u32,
            grpc_max_encoding_message_size: MESSAGE as u32,
            executor_heartbeat_interval_seconds: 2,
            // Events are small, and of the app nothing spills.
            memory_pool_size: Some(0),
            override_function_registry: Some(registry()?),
            override_runtime_producer: Some(Arc::new(move |_| Ok(Arc::clone(&stores)))),
            override_config_producer: Some(Arc::new(|| config(1, TASKS))),
            override_logical_codec: Some(logical),
            override_physical_codec: Some(physical),
            ..ExecutorProcessConfig::default()
        };
        start_executor_process(Arc::new(settings))
            .await
            .with_context(|| format!("no executor of {} at {}", self.scheduler, self.bind))?;
        Ok(())
    }
}
