//! Implements `greatness ratings`: computes the lists of a rating system from games.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

use super::CommandOutcome;
use super::build::{check_outside, report};
use super::first_list::FirstListArguments;
use super::inputs::{ConfigArguments, NameArguments};
use super::logging;
use super::output::{counted, outln, refuse_input, write_atomically};
use super::progress::Terminal;
use crate::archive::{Grouped, Selected, Settings, write_rating_lists};
use crate::rated::results_of;
use crate::systems::elo::EloHistorical;
use crate::systems::{Overrides, Parameter, Results, System, Value, stretched};

/// Compute the lists of a rating system from games
///
/// The system rates all games that count, whether or not they belong to an event, and produces
/// lists at its own intervals. `greatness ratings SYSTEM --help` lists the parameters of a system.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness ratings elo --pgn my-collection --out elo.csv
  greatness ratings chessmetrics --pgn my-collection --out chessmetrics.csv")]
#[command(
    subcommand_value_name = "SYSTEM",
    subcommand_help_heading = "Systems",
    override_usage = "greatness ratings SYSTEM [OPTIONS]"
)]
pub(super) struct RatingsArguments {
    #[command(subcommand)]
    run: SystemRun,
}

impl RatingsArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        self.run.run()
    }
}

/// A rating system with its parameters.
#[derive(Debug)]
struct SystemRun {
    system: &'static System,
    /// The parameters that its flags set.
    parameters: Vec<(&'static str, Value)>,
    arguments: SharedArguments,
    /// The flags of historical Elo alone.
    first_list: Option<FirstListArguments>,
}

/// The flags that all systems share.
#[derive(Debug, Args)]
struct SharedArguments {
    /// Game collection, or folder of them; may be given several times [default: the bundled results
    /// before 1971]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    /// File to write: Parquet if its name ends in .parquet, otherwise CSV [default: CSV on standard
    /// output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Makes the flag for a parameter: `--minimum-games` for `minimum_games`.
fn flag(system: &'static System, parameter: Parameter) -> Arg {
    let Parameter { key, meaning, default, range } = parameter;
    let range = if range.is_empty() { range } else { format!(" ({range})") };
    // Only settings files quote words.
    let shown = match &default {
        Value::Word(word) => word.clone(),
        default => default.to_string(),
    };
    Arg::new(key)
        .long(key.replace('_', "-"))
        .value_name(match default {
            Value::Flag(_) => "true|false",
            Value::Word(_) => "WORD",
            Value::Whole(_) | Value::Number(_) => "NUMBER",
        })
        .allow_negative_numbers(true)
        .value_parser(move |text: &str| {
            let value = Value::of_text(text);
            let given = Overrides::from([(key.to_owned(), value.clone())]);
            system.with(&given).map(|_| value).map_err(|error| error.reason)
        })
        .help(format!("{}{range} [default: {shown}]", meaning.trim_end_matches('.')))
        .help_heading("Parameters of the system")
}

impl Subcommand for SystemRun {
    fn augment_subcommands(command: Command) -> Command {
        let systems = System::all().iter().map(|system| {
            let flags = system.parameters();
            let flags = flags.into_iter().map(|parameter| flag(system, parameter));
            // The description comes last, because the arguments have one, too.
            let command =
                SharedArguments::augment_args(Command::new(system.about.word)).args(flags);
            let command = if system.about.word == EloHistorical::WORD {
                FirstListArguments::augment_args(command)
            } else {
                command
            };
            command.about(system.about.summary)
        });
        // An unknown word is handled here, where the nearest name is known.
        command.subcommands(systems).subcommand_required(true).allow_external_subcommands(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        SystemRun::augment_subcommands(command)
    }

    fn has_subcommand(word: &str) -> bool {
        System::named(word).is_ok()
    }
}

impl FromArgMatches for SystemRun {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SystemRun, Error> {
        let Some((word, matches)) = matches.subcommand() else {
            return Err(Error::raw(
                ErrorKind::MissingSubcommand,
                "no rating system given; `greatness ratings --help` lists them\n",
            ));
        };
        let system = System::named(word)
            .map_err(|error| Error::raw(ErrorKind::InvalidSubcommand, format!("{error}\n")))?;
        let mut parameters = Vec::new();
        for Parameter { key, .. } in system.parameters() {
            if let Some(value) = matches.get_one::<Value>(key) {
                parameters.push((key, value.clone()));
            }
        }
        let first_list = (system.about.word == EloHistorical::WORD)
            .then(|| FirstListArguments::from_arg_matches(matches))
            .transpose()?;
        let arguments = SharedArguments::from_arg_matches(matches)?;
        Ok(SystemRun { system, parameters, arguments, first_list })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SystemRun::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SystemRun {
    fn run(self) -> anyhow::Result<CommandOutcome> {
        let settings = self.settings()?;
        if let Some(out) = &self.arguments.out {
            refuse_input(out, &settings)?;
            check_outside("the list", out, &settings.input.pgn)?;
        }
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        // A game that two sources have counts once.
        let Grouped { games, .. } = games.group(settings.events, &mut Vec::new());
        report(&diagnostics);
        let gap_days = settings.events.gap_days;
        let results = results_of(&games.table, &games.rows, &games.players, gap_days);
        if results.games.is_empty() {
            bail!(
                "no game counts for ratings: none of the {} was played by two players, with a result and a year",
                counted(games.table.games().len(), "game")
            );
        }
        if let Some(list) = self.first_list.as_ref().filter(|list| list.is_wanted()) {
            let settings = settings.with_bundled_data(&super::bundled_data()?)?;
            list.print(&results, &games, &settings)?;
            return Ok(CommandOutcome::from_findings(&diagnostics));
        }
        print_components(&results);
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
                write_atomically(path, |temporary| {
                    let mut file = BufWriter::new(File::create(temporary)?);
                    write_rating_lists(&results, &lists, &mut file, is_parquet)?;
                    Ok(file.flush()?)
                })?;
                outln!(
                    "{} with {} in {}",
                    counted(lists.len(), "list"),
                    counted(lines, "rating"),
                    path.display()
                );
            }
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                write_rating_lists(&results, &lists, &mut out, false)?;
                out.flush()?;
                logging::say(&format!(
                    "{} with {}",
                    counted(lists.len(), "list"),
                    counted(lines, "rating")
                ));
            }
        }
        Ok(CommandOutcome::from_findings(&diagnostics))
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.arguments.config.settings(&self.arguments.pgn)?;
        self.arguments.names.overrule(&mut settings);
        if settings.input.pgn.is_empty() {
            let data = super::bundled_data()?;
            let results = data.join("results");
            if !results.is_dir() {
                bail!(
                    "no games: the bundled results are not at {}; give games with --pgn",
                    results.display()
                );
            }
            settings.input.pgn.push(results);
            settings.input.add_bundled_aliases(&data);
        }
        for (key, value) in &self.parameters {
            settings.systems.set(self.system, key, value.clone())?;
        }
        Ok(settings)
    }
}

/// Prints how many players are not connected to the others. They are no reason to fail.
fn print_components(results: &Results) {
    let components = results.encounters().components();
    let apart: usize = components.iter().skip(1).map(Vec::len).sum();
    logging::say(&format!(
        "{} of {}; {apart} of them, in {}, never met any of the others",
        counted(results.games.len(), "game"),
        counted(results.players.len(), "player"),
        counted(components.len().saturating_sub(1), "group")
    ));
}
