//! `greatness serve`: a local preview.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::Outcome;
use crate::site::Preview;

/// Show an archive in the browser, on this machine only; pages load again when it is built anew.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Folder of the archive
    #[arg(value_name = "DIR", default_value = "reports/archive")]
    folder: PathBuf,
    /// Port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8800)]
    port: u16,
}

impl Serve {
    pub fn run(self) -> anyhow::Result<Outcome> {
        if !self.folder.join("index.html").is_file() {
            bail!("there is no archive in {}; `greatness build` makes one", self.folder.display());
        }
        let preview = Preview::of(&self.folder, self.port)
            .with_context(|| format!("port {} cannot be used; --port gives another", self.port))?;
        println!("{}", preview.address()?);
        eprintln!("Control-C ends it.");
        preview.run()?;
        Ok(Outcome::Done)
    }
}
