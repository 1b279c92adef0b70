//! The flags that say what is read, the same for all commands.

use std::path::PathBuf;

use clap::Args;

use crate::archive::Settings;

/// Settings and inputs.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Inputs {
    /// Settings file (greatness.toml); the other arguments overrule it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Rating list (CSV, TSV, FIDE's text or XML), or folder of them; may be given several times [default:
    /// the bundled lists]
    #[arg(long, value_name = "PATH")]
    ratings: Vec<PathBuf>,
    /// File of aliases (TOML), or folder of them; may be given several times [default: the bundled ones]
    #[arg(long, value_name = "PATH")]
    aliases: Vec<PathBuf>,
    /// Spelling file of SCID (.ssp): other spellings of names, lives, FIDE ratings; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    spelling: Vec<PathBuf>,
    /// File of the Ratings Administrator's decisions (TOML), or folder of them; may be given several times
    /// [default: the bundled ones, where the bundled games are used]
    #[arg(long, value_name = "PATH")]
    decisions: Vec<PathBuf>,
}

impl Inputs {
    /// The first flag that is given, if any.
    pub fn first_given(&self) -> Option<&'static str> {
        let flags = [
            ("config", self.config.is_some()),
            ("ratings", !self.ratings.is_empty()),
            ("aliases", !self.aliases.is_empty()),
            ("spelling", !self.spelling.is_empty()),
            ("decisions", !self.decisions.is_empty()),
        ];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// The settings: the file's, or else the defaults, overruled by what these flags and these games say.
    ///
    /// # Errors
    ///
    /// Where the settings file cannot be used.
    pub fn settings(&self, games: &[PathBuf]) -> anyhow::Result<Settings> {
        let mut settings = match &self.config {
            Some(file) => Settings::read(file)?,
            None => Settings::default(),
        };
        let input = &mut settings.input;
        for (given, setting) in [
            (games, &mut input.pgn),
            (&self.ratings, &mut input.ratings),
            (&self.aliases, &mut input.aliases),
            (&self.spelling, &mut input.spelling),
            (&self.decisions, &mut input.decisions),
        ] {
            if !given.is_empty() {
                given.clone_into(setting);
            }
        }
        Ok(settings)
    }
}
