//! Tools for maintainers of Greatness: `cargo xtask --help`.

mod bundle;
mod explain;
mod identity_truth;
mod labelled_pairs;
mod laboratory;
mod tie_breaks;
mod torture;

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;

/// Write the bundled data and the labels of tests
#[derive(Debug, Parser)]
enum Task {
    Bundle(bundle::Bundle),
    Explain(explain::Explain),
    IdentityTruth(identity_truth::IdentityTruth),
    LabelledPairs(labelled_pairs::LabelledPairs),
    Laboratory(Laboratory),
    TieBreaks(tie_breaks::TieBreaks),
    Torture(torture::Torture),
}

/// Simulate the figures of the site's laboratory page, which takes minutes
#[derive(Debug, clap::Args)]
struct Laboratory {
    /// Seed of the simulations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "data/laboratory")]
    out: PathBuf,
}

impl Laboratory {
    fn run(&self) -> anyhow::Result<()> {
        let folder = &self.out;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        for table in laboratory::tables(self.seed, &|step| eprintln!("{step}"))? {
            let path = folder.join(format!("{}.csv", table.name));
            std::fs::write(&path, table.csv(true))
                .with_context(|| format!("cannot write {}", path.display()))?;
            println!("{}", path.display());
        }
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::Bundle(bundle) => bundle.run(),
        Task::Explain(explain) => explain.run(),
        Task::IdentityTruth(truth) => truth.run(),
        Task::LabelledPairs(pairs) => pairs.run(),
        Task::Laboratory(laboratory) => laboratory.run(),
        Task::TieBreaks(tie_breaks) => tie_breaks.run(),
        Task::Torture(torture) => torture.run(),
    }
}
