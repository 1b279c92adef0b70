//! Implements `greatness manual`: writes the manual pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use super::output::tell;
use super::{Arguments, CommandOutcome};

/// Write the manual pages (greatness.1, greatness-build.1, ...) for `man`
#[derive(Debug, Args)]
pub(super) struct ManualArguments {
    /// Folder for the pages
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

impl ManualArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let folder = self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).with_context(|| format!("cannot create {folder}"))?;
        clap_mangen::generate_to(Arguments::command(), &self.folder)
            .with_context(|| format!("cannot write into {folder}"))?;
        tell!("{}", self.folder.join("greatness.1").display());
        Ok(CommandOutcome::Done)
    }
}
