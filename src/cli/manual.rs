//! `greatness manual`: the manual's pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use super::output::tell;
use super::{Arguments, Outcome};

/// Write the manual's pages (greatness.1, greatness-build.1, ...) for `man`.
#[derive(Debug, Args)]
pub(super) struct Manual {
    /// Folder for them
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

impl Manual {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let folder = self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {folder}"))?;
        clap_mangen::generate_to(Arguments::command(), &self.folder)
            .with_context(|| format!("cannot write into {folder}"))?;
        tell!("{}", self.folder.join("greatness.1").display());
        Ok(Outcome::Done)
    }
}
