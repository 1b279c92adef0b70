//! Implements `greatness completions`: completions for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, CommandOutcome};

/// Print completions for a shell: `greatness completions bash >
/// ~/.local/share/bash-completion/completions/greatness`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness completions bash
  greatness completions fish")]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "greatness", &mut text);
        std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
        Ok(CommandOutcome::Done)
    }
}
