//! Defines the work of executors: what a task's bytes mean, and what comes out.

use anyhow::{Context, bail};

use crate::receipt::Output;
use crate::store::Place;
use crate::{collections, events, positions, systems};

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Reads a part of a collection.
    ReadPart,
    /// Computes a rating system over all results.
    RateSystem,
    /// Runs events through the Tournament App.
    AnalyseEvents,
    /// Analyses positions with the executor's engine.
    SearchPositions,
}

impl Work {
    const ALL: [Work; 4] =
        [Work::ReadPart, Work::RateSystem, Work::AnalyseEvents, Work::SearchPositions];

    /// The word for the work in a table of tasks.
    pub fn word(self) -> &'static str {
        match self {
            Work::ReadPart => "read-part",
            Work::RateSystem => "rate-system",
            Work::AnalyseEvents => "analyse-events",
            Work::SearchPositions => "search-positions",
        }
    }

    /// The work with this word.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub fn named(word: &str) -> anyhow::Result<Work> {
        let work = Work::ALL.into_iter().find(|work| work.word() == word);
        work.with_context(|| format!("another version of the program asks for {word:?}"))
    }

    /// Does a task. A panic is a failure of this task alone.
    ///
    /// # Errors
    ///
    /// Fails if the task cannot be done.
    pub fn run(self, task: &[u8], store: &Place) -> anyhow::Result<Output> {
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match self {
            Work::ReadPart => collections::read(task),
            Work::RateSystem => systems::rate(task, store),
            Work::AnalyseEvents => events::analyse(task),
            Work::SearchPositions => positions::search(task),
        }));
        match outcome {
            Ok(output) => output,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                bail!("the work {} panicked: {}", self.word(), text.unwrap_or("no message"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_work_is_found_by_its_word() {
        for work in Work::ALL {
            assert_eq!(Work::named(work.word()).unwrap(), work);
        }
        assert!(Work::named("dig").is_err());
    }
}
