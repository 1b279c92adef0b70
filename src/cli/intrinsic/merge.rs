//! Implements `greatness intrinsic merge`: joins the caches of several machines.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::super::CommandOutcome;
use super::super::output::{counted, outln};
use crate::intrinsic::Cache;

/// Join the caches of several machines
#[derive(Debug, Args)]
pub(super) struct MergeArguments {
    /// Caches to join
    #[arg(value_name = "CACHE", required = true)]
    caches: Vec<PathBuf>,
    /// Cache that receives all answers; created if it does not exist
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
}

impl MergeArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        for path in &self.caches {
            if !path.is_file() {
                bail!("{}: no such cache", path.display());
            }
        }
        let out = Cache::open(&self.out)?;
        for path in &self.caches {
            let new = out.merge(&Cache::open(path)?)?;
            outln!("{}: {}", path.display(), counted(new as usize, "new position"));
        }
        outln!("{} in {}", counted(out.positions()? as usize, "position"), self.out.display());
        Ok(CommandOutcome::Done)
    }
}
