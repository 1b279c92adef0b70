//! `greatness completions`: for the shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, Outcome};

/// Print completions for a shell: `greatness completions bash > ~/.local/share/bash-completion/completions/greatness`.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "greatness", &mut text);
        std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
        Ok(Outcome::Done)
    }
}
