//! Implements `greatness manual`: prints or writes the manual pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Command, CommandFactory};

use super::output::outln;
use super::{Arguments, CommandOutcome};

/// Print a manual page for `man`, or write all of them into a folder
///
/// `greatness manual build | man -l -` shows the page of `greatness build`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness manual build
  greatness manual --out man")]
pub(super) struct ManualArguments {
    /// Command whose page is printed (build, event, ...) [default: the page of the program]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,
    /// Folder for all pages (greatness.1, greatness-build.1, ...)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManualArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let program = Arguments::command();
        match &self.out {
            Some(folder) => write_pages(program, folder)?,
            None => print_page(program, self.command.as_deref())?,
        }
        Ok(CommandOutcome::Done)
    }
}

/// Writes the pages of the program and all commands into a folder.
fn write_pages(program: Command, folder: &Path) -> anyhow::Result<()> {
    let shown = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {shown}"))?;
    clap_mangen::generate_to(program, folder)
        .with_context(|| format!("cannot write into {shown}"))?;
    outln!("{}", folder.join("greatness.1").display());
    Ok(())
}

/// Prints the page of a command, or of the program.
fn print_page(mut program: Command, name: Option<&str>) -> anyhow::Result<()> {
    program.build();
    let page = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            // The page names the command as it is called: `greatness-build`.
            Some(command) => {
                let full = format!("{}-{name}", program.get_name());
                command.clone().name(full)
            }
            None => bail!(
                "{name} is not a command, so it has no page; give one of: {}",
                program.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ")
            ),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).context("cannot make the manual page")?;
    outln!("{}", String::from_utf8_lossy(&text).trim_end());
    Ok(())
}
