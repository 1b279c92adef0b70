//! `greatness ratings`: the lists of a rating system, computed from games.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

use super::Outcome;
use super::build::report;
use super::inputs::{Config, Names};
use super::logging;
use super::output::{put, refuse_input, tell};
use super::progress::Terminal;
use crate::archive::{Selected, Settings, write_rating_lists};
use crate::rated::results_of;
use crate::source::Severity;
use crate::systems::{Overrides, Parameter, Results, System, Value, stretched};

/// Compute the lists of a rating system from games.
///
/// All games that count for ratings are taken, whether they belong to an event or not. The lists are
/// those of the system's own intervals. What a system's parameters are, `greatness ratings SYSTEM --help` says.
#[derive(Debug, Args)]
#[command(
    subcommand_value_name = "SYSTEM",
    subcommand_help_heading = "Systems",
    override_usage = "greatness ratings SYSTEM [OPTIONS]"
)]
pub(super) struct Ratings {
    #[command(subcommand)]
    run: Run,
}

impl Ratings {
    pub fn run(self) -> anyhow::Result<Outcome> {
        self.run.run()
    }
}

/// What to compute.
#[derive(Debug)]
struct Run {
    system: &'static System,
    /// What its flags set.
    parameters: Vec<(&'static str, Value)>,
    arguments: Arguments,
}

/// What all systems take.
#[derive(Debug, Args)]
struct Arguments {
    /// Game collection, or folder of them; may be given several times [default: the bundled results before
    /// 1971]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    names: Names,
    /// File to write, as CSV or, if its name ends so, as Parquet [default: CSV on standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A flag for each parameter: `--minimum-games` for `minimum_games`.
fn flag(system: &'static System, parameter: Parameter) -> Arg {
    let Parameter { key, meaning, default, range } = parameter;
    let range = if range.is_empty() { range } else { format!(" ({range})") };
    // Quotes are for settings.
    let shown = match &default {
        Value::Word(word) => word.clone(),
        default => default.to_string(),
    };
    let read = move |text: &str| {
        let value = Value::of_text(text);
        let given = Overrides::from([(key.to_owned(), value.clone())]);
        system.with(&given).map(|_| value).map_err(|error| error.reason)
    };
    Arg::new(key)
        .long(key.replace('_', "-"))
        .value_name(match default {
            Value::Flag(_) => "true|false",
            Value::Word(_) => "WORD",
            Value::Whole(_) | Value::Number(_) => "NUMBER",
        })
        .allow_negative_numbers(true)
        .value_parser(read)
        .help(format!("{}{range} [default: {shown}]", meaning.trim_end_matches('.')))
        .help_heading("Parameters of the system")
}

impl Subcommand for Run {
    fn augment_subcommands(command: Command) -> Command {
        let systems = System::all().iter().map(|system| {
            let flags = system.parameters();
            let flags = flags.into_iter().map(|parameter| flag(system, parameter));
            // Last: the arguments bring a text of their own.
            Arguments::augment_args(Command::new(system.about.word))
                .args(flags)
                .about(system.about.summary)
        });
        // A word that is none of them comes to us, who know the nearest.
        command.subcommands(systems).subcommand_required(true).allow_external_subcommands(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Run::augment_subcommands(command)
    }

    fn has_subcommand(word: &str) -> bool {
        System::named(word).is_ok()
    }
}

impl FromArgMatches for Run {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Run, Error> {
        let Some((word, matches)) = matches.subcommand() else {
            return Err(Error::raw(ErrorKind::MissingSubcommand, "which rating system?\n"));
        };
        let system = System::named(word)
            .map_err(|error| Error::raw(ErrorKind::InvalidSubcommand, format!("{error}\n")))?;
        let mut parameters = Vec::new();
        for Parameter { key, .. } in system.parameters() {
            if let Some(value) = matches.get_one::<Value>(key) {
                parameters.push((key, value.clone()));
            }
        }
        Ok(Run { system, parameters, arguments: Arguments::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Run::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Run {
    fn run(self) -> anyhow::Result<Outcome> {
        let settings = self.settings()?;
        if let Some(out) = &self.arguments.out {
            refuse_input(out, &settings)?;
        }
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        let gap_days = settings.events.gap_days;
        let results = results_of(&games.table, &games.rows, &games.players, gap_days);
        if results.games.is_empty() {
            bail!(
                "no game counts for ratings: of {} games read none was played between two players, with a result and a year",
                games.table.games().len()
            );
        }
        tell_components(&results);
        let system = settings.systems.system(self.system);
        let ratings = system.rate(&results).finite();
        for note in &ratings.notes {
            logging::say(&note.to_string());
        }
        let lists = match system.export_scale() {
            Some(scale) => stretched(ratings.lists, scale),
            None => ratings.lists,
        };
        let lines: usize = lists.iter().map(|list| list.ratings.len()).sum();
        match &self.arguments.out {
            Some(path) => {
                let is_parquet = path.extension().is_some_and(|ending| ending == "parquet");
                put(path, |beside| {
                    let mut file = BufWriter::new(File::create(beside)?);
                    write_rating_lists(&results, &lists, &mut file, is_parquet)?;
                    Ok(file.flush()?)
                })?;
                tell!("{} lists with {lines} ratings in {}", lists.len(), path.display());
            }
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                write_rating_lists(&results, &lists, &mut out, false)?;
                out.flush()?;
                logging::say(&format!("{} lists with {lines} ratings", lists.len()));
            }
        }
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        Ok(if unread { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.arguments.config.settings(&self.arguments.pgn)?;
        self.arguments.names.overrule(&mut settings);
        if settings.input.pgn.is_empty() {
            let data = super::bundled_data()?;
            let results = data.join("results");
            if !results.is_dir() {
                bail!(
                    "no games: --pgn gives some; the bundled results are not at {}",
                    results.display()
                );
            }
            settings.input.pgn.push(results);
            if settings.input.aliases.is_empty() {
                settings.input.aliases.push(data.join("players"));
            }
        }
        for (key, value) in &self.parameters {
            settings.systems.set(self.system, key, value.clone())?;
        }
        Ok(settings)
    }
}

/// Who cannot be compared with the others at all is told, and no reason to refuse.
fn tell_components(results: &Results) {
    let components = results.encounters().components();
    let apart: usize = components.iter().skip(1).map(Vec::len).sum();
    logging::say(&format!(
        "{} games of {} players; {apart} of them, in {} groups, never met any of the others",
        results.games.len(),
        results.players.len(),
        components.len().saturating_sub(1)
    ));
}
