//! Implements `greatness serve`: a local preview, with the Ratings Administrator's desk.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::CommandOutcome;
use super::inputs::ConfigArguments;
use super::logging;
use super::output::tell;
use crate::review_server::{self, Desk};
use crate::site::Preview;

/// Serve an archive to browsers on this machine only; pages reload when the archive is rebuilt
#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// Folder of the archive
    #[arg(value_name = "DIR", default_value = "reports/archive")]
    folder: PathBuf,
    /// Port to listen on; 0 takes any free port
    #[arg(long, default_value_t = 8800)]
    port: u16,
    /// Open the Ratings Administrator's desk, which shows the review queue and the effect of each
    /// choice. Decisions are written to this file (TOML), which is created if it does not exist
    #[arg(long, value_name = "FILE")]
    decide: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
}

impl ServeArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        if !self.folder.join("index.html").is_file() {
            bail!("no archive in {}; build one with `greatness build`", self.folder.display());
        }
        if self.decide.is_none()
            && let Some(flag) = self.config.first_given()
        {
            bail!("--{flag} has no effect without --decide; leave it out");
        }
        let mut preview = Preview::of(&self.folder, self.port).with_context(|| {
            format!("port {} cannot be used; give another with --port", self.port)
        })?;
        let mut address = preview.address()?;
        if let Some(file) = &self.decide {
            let lists = self.config.settings(&[])?.lists;
            preview = preview.with(review_server::routes(Desk::open(&self.folder, file, lists)?));
            address = format!("{}{}", address.trim_end_matches('/'), review_server::PATH);
        }
        tell!("{address}");
        logging::say("press Control-C to stop");
        preview.run()?;
        Ok(CommandOutcome::Done)
    }
}
