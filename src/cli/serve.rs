//! Implements `greatness serve`: a local preview, with the Ratings Administrator's desk.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::CommandOutcome;
use super::inputs::{ConfigArguments, KnowledgeArguments, NameArguments, typed};
use super::logging;
use super::output::outln;
use crate::archive::{BuildInputs, Settings};
use crate::decisions::Decisions;
use crate::preview::Preview;
use crate::review_server::{self, Desk, RebuildCommand, RunningBuild};

/// Serve an archive to browsers on this machine only; pages reload when the archive is rebuilt
///
/// With --decide, give the inputs and settings that built the archive: the desk can then rebuild
/// it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness serve my-archive
  greatness serve my-archive --decide decisions.toml --pgn my-collection")]
pub(super) struct ServeArguments {
    /// Folder of the archive
    #[arg(value_name = "DIR", default_value = "reports/archive")]
    folder: PathBuf,
    /// Port to listen on; 0 takes any free port
    #[arg(long, default_value_t = 8800)]
    port: u16,
    /// Address to listen on. A container needs 0.0.0.0. Browsers must name this machine even then:
    /// the preview answers only requests to localhost
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    address: IpAddr,
    /// Open the Ratings Administrator's desk, which shows the review queue and the effect of each
    /// choice. Decisions are written to this file (TOML), which is created if it does not exist
    #[arg(long, value_name = "FILE")]
    decide: Option<PathBuf>,
    /// Game collection of the archive, or folder of them; may be given several times [default: the
    /// bundled games]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: KnowledgeArguments,
}

impl ServeArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        if !self.folder.join("index.html").is_file() {
            bail!("no archive in {}; build one with `greatness build`", self.folder.display());
        }
        let pgn = (!self.pgn.is_empty()).then_some("pgn");
        let given = self.config.first_given().or(self.names.first_given()).or(pgn);
        if self.decide.is_none()
            && let Some(flag) = given.or(self.knowledge.first_given())
        {
            bail!("--{flag} has no effect without --decide; leave it out");
        }
        self.check_address()?;
        let socket = SocketAddr::new(self.address, self.port);
        let mut preview = Preview::bind(&self.folder, socket).with_context(|| {
            format!("{socket} cannot be used; give another --port or --address")
        })?;
        let mut address = preview.address()?;
        if let Some(file) = &self.decide {
            preview = preview.with(review_server::routes(self.desk(file)?));
            address = format!("{}{}", address.trim_end_matches('/'), review_server::PATH);
        }
        outln!("{address}");
        logging::say("press Control-C to stop");
        preview.run()?;
        Ok(CommandOutcome::Done)
    }

    /// Refuses addresses at which the preview is useless or the desk unsafe.
    fn check_address(&self) -> anyhow::Result<()> {
        let address = self.address;
        if !address.is_loopback() && !address.is_unspecified() {
            bail!(
                "--address {address} has no effect: the preview answers only requests to localhost; \
                 leave it out, or give 0.0.0.0 in a container"
            );
        }
        if self.decide.is_some() && !address.is_loopback() {
            bail!("--address {address} would open the desk to other machines; leave out --address");
        }
        Ok(())
    }

    /// The desk, with the bundled decisions that its file may replace.
    fn desk(&self, file: &Path) -> anyhow::Result<Desk> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        let lists = settings.lists.clone();
        let mut bundled = Decisions::default();
        // Without bundled data the desk works on the archive alone.
        if let Ok(data) = super::bundled_data() {
            let path = data.join("decisions").join("bundled.toml");
            if path.is_file() && !settings.input.without_bundled_decisions {
                bundled.read(&path)?;
            }
            settings = settings.with_bundled_data(&data)?;
        }
        let command = self.rebuild(file, &settings)?;
        let desk = Desk::open(&self.folder, file, lists)?;
        Ok(desk.with_bundled(bundled).with_rebuild(command))
    }

    /// The command that rebuilds the archive with the decisions of a file.
    fn rebuild(&self, file: &Path, settings: &Settings) -> anyhow::Result<RebuildCommand> {
        let program = std::env::current_exe().context("the program's own path is unknown")?;
        let mut words = vec![program.display().to_string(), "build".into()];
        words.extend(self.config.typed());
        words.extend(typed(&[("--pgn", &self.pgn)]));
        words.extend(self.names.typed());
        words.extend(self.knowledge.typed());
        let (file, folder) = (file.to_owned(), self.folder.clone());
        words.extend(typed(&[("--decisions", std::slice::from_ref(&file)), ("--out", &[folder])]));
        let mut settings = settings.clone();
        settings.input.decisions.push(file.clone());
        let inputs = BuildInputs::from_settings(&settings);
        let is_same =
            BuildInputs::read(&self.folder).is_some_and(|built| built.is_kept_by(&inputs));
        let refusal = (!is_same).then(|| {
            "The archive was built from other inputs, decisions or settings than `serve` was given, \
             or by another version. Run the command that built it, with this file of decisions \
             added, or start `serve` with the same inputs."
                .to_owned()
        });
        let running = RunningBuild::default();
        let started = running.clone();
        // If the handler cannot be set, a build that the desk started outlives it.
        let _ = ctrlc::try_set_handler(move || {
            started.stop();
            std::process::exit(super::STOPPED);
        });
        Ok(RebuildCommand { words, refusal, running })
    }
}
