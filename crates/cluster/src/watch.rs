//! Watches the executors of a cluster, and cancels queries, through the scheduler's REST interface.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;

/// The time between two looks at the executors. Judged: the scheduler notices a loss after seconds
/// of silence (`--silence`), so looking more often gains nothing.
const LOOK: Duration = Duration::from_secs(1);

/// A scheduler, as it answers questions about its cluster.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Address of the scheduler, such as `http://localhost:50050`.
    scheduler: String,
    client: reqwest::Client,
}

#[derive(Debug, Deserialize)]
struct Executor {
    id: String,
}

#[derive(Debug, Deserialize)]
struct Job {
    job_id: String,
    job_name: String,
}

impl Watch {
    /// Watches the cluster of a scheduler (`HOST:PORT`).
    pub fn new(scheduler: &str) -> Watch {
        Watch { scheduler: format!("http://{scheduler}"), client: reqwest::Client::new() }
    }

    async fn get<T: serde::de::DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        let answer = self.client.get(format!("{}{path}", self.scheduler)).send().await;
        let answer = match answer.and_then(reqwest::Response::error_for_status) {
            Ok(answer) => answer.json().await,
            Err(error) => Err(error),
        };
        answer.with_context(|| format!("the scheduler at {} does not answer", self.scheduler))
    }

    /// The identifiers of the executors that the scheduler knows.
    ///
    /// # Errors
    ///
    /// Fails if the scheduler does not answer.
    pub async fn executors(&self) -> anyhow::Result<BTreeSet<String>> {
        let executors: Vec<Executor> = self.get("/api/executors").await?;
        Ok(executors.into_iter().map(|executor| executor.id).collect())
    }

    /// Waits until the scheduler misses one of its executors. Returns those that it misses.
    ///
    /// # Errors
    ///
    /// Fails if the scheduler does not answer.
    pub async fn lost(&self, mut known: BTreeSet<String>) -> anyhow::Result<Vec<String>> {
        loop {
            tokio::time::sleep(LOOK).await;
            let now = self.executors().await?;
            let lost: Vec<String> = known.difference(&now).cloned().collect();
            if !lost.is_empty() {
                return Ok(lost);
            }
            // Executors that join are watched, too.
            known = now;
        }
    }

    /// Cancels the queries with this name. One that has ended meanwhile stays as it is.
    ///
    /// # Errors
    ///
    /// Fails if the scheduler does not answer.
    pub async fn cancel(&self, name: &str) -> anyhow::Result<()> {
        let jobs: Vec<Job> = self.get("/api/jobs").await?;
        for job in jobs.iter().filter(|job| job.job_name == name) {
            let path = format!("{}/api/job/{}", self.scheduler, job.job_id);
            self.client.patch(path).send().await.context("a query cannot be cancelled")?;
        }
        Ok(())
    }
}
