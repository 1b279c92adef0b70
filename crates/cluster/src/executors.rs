//! Executors as the helpers of a build: they compute the ratings and analyse the events.

use std::sync::{Mutex, OnceLock, PoisonError};

use greatness::archive::{AppTask, BuildError, Helpers, Progress, RatingTask, WorkFolder};
use greatness::evaluation::comparison::{Computed, Predictions};
use greatness::systems::Results;
use greatness::tournament::Analysis;

use crate::events::{rows, table};
use crate::requests::Session;
use crate::stage::{Manifest, Stage, Task, output, run};
use crate::systems::SystemTask;
use crate::work::Work;

/// Executors as helpers. What they computed is kept in the work folder, from which the same build
/// takes it the next time.
#[derive(Debug)]
pub struct Executors {
    session: Session,
    done: WorkFolder,
    results: OnceLock<Vec<u8>>,
    manifests: Mutex<Vec<Manifest>>,
}

/// Largest number of events in a task. Judged: each task costs two files of the store, so far fewer
/// would make the files the larger part; far more would leave cores idle at the end of a stage.
const EVENTS: usize = 256;

/// Size of a task of events (bytes), beyond which no further event is added to it.
const TASK_BYTES: usize = 1 << 20;

impl Executors {
    /// Makes helpers of a session, with the folder of finished work and the manifests of earlier
    /// stages.
    pub fn new(session: Session, done: WorkFolder, manifests: Vec<Manifest>) -> Executors {
        let manifests = Mutex::new(manifests);
        Executors { session, done, results: OnceLock::new(), manifests }
    }

    /// The session, and the manifests of all stages.
    pub fn into_parts(self) -> (Session, Vec<Manifest>) {
        (self.session, self.manifests.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn finish(&self, stage: &Stage<'_>) -> anyhow::Result<Manifest> {
        let manifest = run(&self.session, stage)?;
        let mut manifests = self.manifests.lock().unwrap_or_else(PoisonError::into_inner);
        manifests.push(manifest.clone());
        Ok(manifest)
    }

    /// Converts a failure of the cluster to an error of the build.
    fn build_result<T>(outcome: anyhow::Result<T>) -> Result<T, BuildError> {
        outcome
            .map_err(|error| BuildError::Helpers(format!("cannot build on the cluster: {error:#}")))
    }

    fn analyse_all(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> anyhow::Result<Vec<Option<Analysis>>> {
        let mut known = self.done.analyses();
        let mut todo: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut digests = Vec::with_capacity(tasks.len());
        for task in tasks {
            let (digest, bytes) = task.to_bytes();
            digests.push(digest);
            if !known.contains_key(&digest) {
                todo.push((digest, bytes));
            }
        }
        if !todo.is_empty() {
            let events = todo.len() as u64;
            let tasks = chunks(&todo)?;
            drop(todo);
            let stage = Stage {
                name: "events",
                work: Work::AnalyseEvents,
                tasks: &tasks,
                rows_in: Some(events),
                bytes_in: None,
            };
            let manifest = self.finish(&stage)?;
            for receipt in &manifest.files {
                let analyses = rows(output(&self.session, &manifest, receipt)?)?;
                progress.advance(analyses.len() as u64);
                known.extend(analyses);
            }
        }
        let kept: Vec<(u64, Vec<u8>)> = digests
            .iter()
            .filter_map(|digest| Some((*digest, known.get(digest)?.clone())))
            .collect();
        self.done.write_analyses(&kept)?;
        drop(known);
        Ok(kept_in_order(&digests, kept))
    }

    fn rate_all(&self, results: &Results, tasks: &[RatingTask]) -> anyhow::Result<()> {
        let results = self.results.get_or_init(|| results.to_bytes());
        let lacking: Vec<&RatingTask> =
            tasks.iter().filter(|task| self.done.read_rated(task, results).is_none()).collect();
        if lacking.is_empty() {
            return Ok(());
        }
        let store = &self.session.store;
        let name = format!("inputs/{}", RatingTask::name_of(results));
        self.session.wait(store.put(&name, zstd::encode_all(&results[..], 1)?))?;
        let mut own: Vec<Task> = Vec::with_capacity(lacking.len());
        for task in &lacking {
            let (system, digest) = (task.to_bytes(), task.digest(results));
            let bytes = serde_json::to_vec(&SystemTask { system, digest, results: name.clone() })?;
            own.push(Task::new(Work::RateSystem, bytes, 1));
        }
        let stage = Stage {
            name: "ratings",
            work: Work::RateSystem,
            tasks: &own,
            rows_in: Some(own.len() as u64),
            bytes_in: None,
        };
        let manifest = self.finish(&stage)?;
        for (task, receipt) in lacking.iter().zip(&manifest.files) {
            self.done.write_rated(&task.word, &output(&self.session, &manifest, receipt)?)?;
        }
        self.session.wait(store.remove("inputs"))
    }
}

/// Divides events into tasks of similar size.
fn chunks(events: &[(u64, Vec<u8>)]) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    let mut rest = events;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fitting = rest.iter().take(EVENTS).take_while(|(_, event)| {
            let fits = bytes < TASK_BYTES;
            bytes += event.len();
            fits
        });
        let (own, others) = rest.split_at(fitting.count());
        let effort = own.iter().map(|(_, event)| event.len() as u64).sum();
        let table = table(own.iter().map(|(digest, event)| (*digest, &event[..])))?;
        tasks.push(Task::new(Work::AnalyseEvents, table, effort));
        rest = others;
    }
    Ok(tasks)
}

/// Decodes the analyses, in the order of their tasks. Several tasks may be equal.
fn kept_in_order(digests: &[u64], kept: Vec<(u64, Vec<u8>)>) -> Vec<Option<Analysis>> {
    let mut kept = kept.into_iter().peekable();
    digests
        .iter()
        .map(|digest| {
            let (_, bytes) = kept.next_if(|(own, _)| own == digest)?;
            AppTask::analysis(&bytes)
        })
        .collect()
}

impl Helpers for Executors {
    fn analyse(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError> {
        Executors::build_result(self.analyse_all(tasks, progress))
    }

    fn rate(&self, results: &Results, tasks: &[RatingTask]) -> Result<(), BuildError> {
        Executors::build_result(self.rate_all(results, tasks))
    }

    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)> {
        task.computed(&self.done.read_rated(task, self.results.get()?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_divided_by_number_and_size() {
        let small: Vec<(u64, Vec<u8>)> = (0..600).map(|event| (event, vec![1])).collect();
        let tasks = chunks(&small).unwrap();
        assert_eq!(tasks.iter().map(|task| task.effort).collect::<Vec<_>>(), [256, 256, 88]);
        let large: Vec<(u64, Vec<u8>)> = (0..3).map(|event| (event, vec![1; 1 << 20])).collect();
        assert_eq!(chunks(&large).unwrap().len(), 3);
    }
}
