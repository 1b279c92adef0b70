//! `greatness serve`: a local preview, with the Ratings Administrator's desk.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::Outcome;
use super::inputs::Config;
use super::logging;
use super::output::tell;
use crate::review_server::{self, Desk};
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
    /// The Ratings Administrator's desk: the review queue with the effect of each choice; what is decided there is written to
    /// this file (TOML), which need not be there yet
    #[arg(long, value_name = "FILE")]
    decide: Option<PathBuf>,
    #[command(flatten)]
    config: Config,
}

impl Serve {
    pub fn run(self) -> anyhow::Result<Outcome> {
        if !self.folder.join("index.html").is_file() {
            bail!("there is no archive in {}; `greatness build` makes one", self.folder.display());
        }
        if self.decide.is_none()
            && let Some(flag) = self.config.first_given()
        {
            bail!("--{flag} is for --decide: it says what enters the lists");
        }
        let mut preview = Preview::of(&self.folder, self.port)
            .with_context(|| format!("port {} cannot be used; --port gives another", self.port))?;
        let mut address = preview.address()?;
        if let Some(file) = &self.decide {
            let lists = self.config.settings(&[])?.lists;
            preview = preview.with(review_server::routes(Desk::open(&self.folder, file, lists)?));
            address = format!("{}{}", address.trim_end_matches('/'), review_server::PATH);
        }
        tell!("{address}");
        logging::say("Control-C ends it.");
        preview.run()?;
        Ok(Outcome::Done)
    }
}
