//! The flags that say what is read: the same words in all commands, each where it is read.

use std::path::{Path, PathBuf};

use clap::Args;

use super::logging;
use crate::archive::Settings;

/// The settings file that is used without being named.
const SETTINGS: &str = "greatness.toml";

/// Settings.
#[derive(Clone, Debug, Default, Args)]
pub struct Config {
    /// Settings file; the other arguments overrule it [default: greatness.toml, where one lies here]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What is known of names.
#[derive(Clone, Debug, Default, Args)]
pub struct Names {
    /// File of aliases (TOML), or folder of them; may be given several times
    #[arg(long, value_name = "PATH")]
    aliases: Vec<PathBuf>,
    /// Spelling file of SCID (.ssp): other spellings of names, lives, FIDE ratings; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    spelling: Vec<PathBuf>,
}

/// What is known of ratings, and what was decided.
#[derive(Clone, Debug, Default, Args)]
pub struct Knowledge {
    /// Rating list (CSV, TSV, FIDE's text or XML), or folder of them; may be given several times [default:
    /// the bundled lists]
    #[arg(long, value_name = "PATH")]
    ratings: Vec<PathBuf>,
    /// File of the Ratings Administrator's decisions (TOML), or folder of them; may be given several times
    /// [default: the bundled ones, where the bundled games are used]
    #[arg(long, value_name = "PATH")]
    decisions: Vec<PathBuf>,
}

impl Config {
    /// The settings: the file's, or else the defaults; games that are given replace the file's.
    ///
    /// # Errors
    ///
    /// Where the settings file cannot be used.
    pub fn settings(&self, games: &[PathBuf]) -> anyhow::Result<Settings> {
        let mut settings = match &self.config {
            Some(file) => Settings::read(file)?,
            None if Path::new(SETTINGS).is_file() => {
                logging::say(&format!("settings: {SETTINGS}"));
                Settings::read(Path::new(SETTINGS))?
            }
            None => Settings::default(),
        };
        replace(&mut settings.input.pgn, games);
        Ok(settings)
    }

    pub(super) fn first_given(&self) -> Option<&'static str> {
        self.config.as_ref().map(|_| "config")
    }
}

impl Names {
    /// Replaces what the settings say by what is given.
    pub fn overrule(&self, settings: &mut Settings) {
        replace(&mut settings.input.aliases, &self.aliases);
        replace(&mut settings.input.spelling, &self.spelling);
    }

    pub(super) fn first_given(&self) -> Option<&'static str> {
        first(&[("aliases", &self.aliases), ("spelling", &self.spelling)])
    }
}

impl Knowledge {
    /// Replaces what the settings say by what is given.
    pub fn overrule(&self, settings: &mut Settings) {
        let (spelling, ratings) = part_spelling(&self.ratings);
        replace(&mut settings.input.ratings, &ratings);
        add_spelling(settings, spelling);
        replace(&mut settings.input.decisions, &self.decisions);
    }

    pub(super) fn first_given(&self) -> Option<&'static str> {
        first(&[("ratings", &self.ratings), ("decisions", &self.decisions)])
    }

    /// Whether files of decisions are named.
    pub(super) fn has_decisions(&self) -> bool {
        !self.decisions.is_empty()
    }
}

/// SCID's spelling files among paths, told by their ending, and the others.
pub(super) fn part_spelling(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths
        .iter()
        .cloned()
        .partition(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ssp")))
}

/// Takes files for what they are, under whatever flag they came.
pub(super) fn add_spelling(settings: &mut Settings, files: Vec<PathBuf>) {
    for file in files {
        if !settings.input.spelling.contains(&file) {
            logging::say(&format!("{}: a spelling file, taken as --spelling", file.display()));
            settings.input.spelling.push(file);
        }
    }
}

fn replace(setting: &mut Vec<PathBuf>, given: &[PathBuf]) {
    if !given.is_empty() {
        given.clone_into(setting);
    }
}

/// The first of these flags that is given, if any.
fn first(flags: &[(&'static str, &Vec<PathBuf>)]) -> Option<&'static str> {
    flags.iter().find(|(_, given)| !given.is_empty()).map(|(flag, _)| *flag)
}
