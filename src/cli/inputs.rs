//! Defines the flags for inputs, which are the same in all commands.

use std::path::{Path, PathBuf};

use clap::Args;

use super::logging;
use crate::archive::Settings;

/// The settings file that is read without being named.
const SETTINGS: &str = "greatness.toml";

/// The flag for settings.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigArguments {
    /// Settings file; other arguments override it [default: greatness.toml in the current folder,
    /// if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The flags for names of players.
#[derive(Clone, Debug, Default, Args)]
pub struct NameArguments {
    /// File of aliases (TOML), or folder of them; may be given several times. They add to those of
    /// the settings file and to the bundled ones, over which yours have priority
    #[arg(long, value_name = "PATH")]
    aliases: Vec<PathBuf>,
    /// Leave out the bundled aliases
    #[arg(long)]
    without_bundled_aliases: bool,
    /// SCID spelling file (.ssp): other spellings of names, dates of birth and death, FIDE ratings;
    /// may be given several times
    #[arg(long, value_name = "FILE")]
    spelling: Vec<PathBuf>,
}

/// The flag for the known results of events.
#[derive(Clone, Debug, Default, Args)]
pub struct ResultArguments {
    /// Leave out the bundled table of results from historical sources (data/events/results.csv),
    /// and recognise all events from the games. Tables of the settings file (history) are read
    #[arg(long)]
    without_known_results: bool,
}

/// The flags for ratings, decisions and known results.
#[derive(Clone, Debug, Default, Args)]
pub struct KnowledgeArguments {
    /// Rating list (CSV, TSV, FIDE's text or XML), or folder of them; may be given several times.
    /// They add to the bundled lists
    #[arg(long, value_name = "PATH")]
    ratings: Vec<PathBuf>,
    /// Leave out the bundled rating lists
    #[arg(long)]
    without_bundled_ratings: bool,
    /// File of the Ratings Administrator's decisions (TOML), or folder of them; may be given
    /// several times. They add to those of the settings file and, if the bundled games are read, to
    /// the bundled ones; your decision about an event replaces the bundled one
    #[arg(long, value_name = "PATH")]
    decisions: Vec<PathBuf>,
    /// Leave out the bundled decisions
    #[arg(long)]
    without_bundled_decisions: bool,
    #[command(flatten)]
    results: ResultArguments,
}

impl ConfigArguments {
    /// Reads the settings file, or takes the defaults. Games that are given replace those of the
    /// file.
    ///
    /// # Errors
    ///
    /// Returns an error if the settings file cannot be used.
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

    /// The arguments, as they are typed.
    #[cfg(feature = "server")]
    pub(super) fn typed(&self) -> Vec<String> {
        typed(&[("--config", self.config.as_slice())])
    }
}

impl NameArguments {
    /// Replaces the settings by what is given, except that aliases add up.
    pub fn overrule(&self, settings: &mut Settings) {
        add(&mut settings.input.aliases, &self.aliases);
        settings.input.without_bundled_aliases |= self.without_bundled_aliases;
        replace(&mut settings.input.spelling, &self.spelling);
    }

    pub(super) fn first_given(&self) -> Option<&'static str> {
        let bundled = self.without_bundled_aliases.then_some("without-bundled-aliases");
        first_given(&[("aliases", &self.aliases), ("spelling", &self.spelling)]).or(bundled)
    }

    /// The arguments, as they are typed.
    #[cfg(feature = "server")]
    pub(super) fn typed(&self) -> Vec<String> {
        let mut typed = typed(&[("--aliases", &self.aliases), ("--spelling", &self.spelling)]);
        if self.without_bundled_aliases {
            typed.push("--without-bundled-aliases".into());
        }
        typed
    }
}

impl ResultArguments {
    /// Leaves the bundled results out if the flag is given.
    pub fn overrule(&self, settings: &mut Settings) {
        settings.input.without_known_results |= self.without_known_results;
    }
}

impl KnowledgeArguments {
    /// Replaces the settings by what is given, except that decisions add up.
    pub fn overrule(&self, settings: &mut Settings) {
        let (spelling, ratings) = separate_spelling(&self.ratings);
        replace(&mut settings.input.ratings, &ratings);
        settings.input.without_bundled_ratings |= self.without_bundled_ratings;
        add_spelling(settings, spelling);
        add(&mut settings.input.decisions, &self.decisions);
        settings.input.without_bundled_decisions |= self.without_bundled_decisions;
        self.results.overrule(settings);
    }

    pub(super) fn first_given(&self) -> Option<&'static str> {
        let bundled = self.without_bundled_decisions.then_some("without-bundled-decisions");
        let results = self.results.without_known_results.then_some("without-known-results");
        let lists = self.without_bundled_ratings.then_some("without-bundled-ratings");
        let files = first_given(&[("ratings", &self.ratings), ("decisions", &self.decisions)]);
        files.or(bundled).or(lists).or(results)
    }

    /// The arguments, as they are typed.
    #[cfg(feature = "server")]
    pub(super) fn typed(&self) -> Vec<String> {
        let mut typed = typed(&[("--ratings", &self.ratings), ("--decisions", &self.decisions)]);
        if self.without_bundled_decisions {
            typed.push("--without-bundled-decisions".into());
        }
        if self.without_bundled_ratings {
            typed.push("--without-bundled-ratings".into());
        }
        if self.results.without_known_results {
            typed.push("--without-known-results".into());
        }
        typed
    }

    /// Whether files of decisions are given.
    pub(super) fn has_decisions(&self) -> bool {
        !self.decisions.is_empty()
    }
}

/// Separates SCID spelling files, recognised by their ending, from other paths.
pub(super) fn separate_spelling(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths
        .iter()
        .cloned()
        .partition(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ssp")))
}

/// Adds spelling files to the settings, given under any flag.
pub(super) fn add_spelling(settings: &mut Settings, files: Vec<PathBuf>) {
    for file in files {
        if !settings.input.spelling.contains(&file) {
            logging::say(&format!("{}: a spelling file, read as with --spelling", file.display()));
            settings.input.spelling.push(file);
        }
    }
}

/// Adds paths to a setting, each once.
fn add(setting: &mut Vec<PathBuf>, given: &[PathBuf]) {
    for path in given {
        if !setting.iter().any(|known| is_same_path(known, path)) {
            setting.push(path.clone());
        }
    }
}

/// Whether two paths lead to the same file. Paths that do not exist are compared as texts.
fn is_same_path(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

fn replace(setting: &mut Vec<PathBuf>, given: &[PathBuf]) {
    if !given.is_empty() {
        given.clone_into(setting);
    }
}

/// Flags with their paths, as they are typed.
#[cfg(feature = "server")]
pub(super) fn typed(flags: &[(&str, &[PathBuf])]) -> Vec<String> {
    let paths = flags.iter().flat_map(|(flag, paths)| paths.iter().map(move |path| (flag, path)));
    paths.flat_map(|(flag, path)| [(*flag).to_owned(), path.display().to_string()]).collect()
}

/// The first of these flags that is given, if any.
fn first_given(flags: &[(&'static str, &Vec<PathBuf>)]) -> Option<&'static str> {
    flags.iter().find(|(_, given)| !given.is_empty()).map(|(flag, _)| *flag)
}
