//! Implements `greatness event`: analyses one event.

mod follow_up;
mod handicap;
mod new_ranks;
mod trace;
mod what_if;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::CommandOutcome;
use super::build::report;
use super::inputs::{self, ConfigArguments, NameArguments};
use super::logging::harmless;
use super::output::counted;
use crate::archive::{
    AnalysisContext, ComputedRatings, Decided, DoneWork, EventDocument, EventForecast, EventRecord,
    Grouped, LaterFigures, RatingInputs, Selected, Silent, Status, amend, analyse_events,
    chessmetrics_performances, figures_with_tie_breaks, in_order, read_decisions,
    read_published_lists, read_world,
};
use crate::archive_reader::{self, FiledEvent};
use crate::decisions::{Decision, Rule};
use crate::events::recognise_pairs;
use crate::games::Tempo;
use crate::hint::nearest;
use crate::review_server::{self, DecisionPreview, EventFigures};
use crate::source::{Damaged, Limits, decode, for_each_member, is_read_once};
use crate::tournament::pairing::other_orders;
use crate::tournament::report::{Style, report as text_report, wrapped};
use crate::tournament::text_input::TextInput;
use crate::tournament::{self, Options, analyse, text_input};
use follow_up::follow_up;
use handicap::HandicapArguments;
use new_ranks::new_ranks;
use trace::TraceArguments;
use what_if::{OtherResult, what_if};

/// Analyse one event
///
/// The event is a file with the Tournament App's input text, a PGN file that holds one event, or
/// the identifier of an event of the last build (linares-1994). With --decisions, an event of the
/// last build is shown before and after the decision about it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness event vienna-1898
  greatness event data/examples/isle-of-lewis-1995.txt --format json")]
pub(super) struct EventArguments {
    /// File, or identifier of an event of the last build
    #[arg(value_name = "NAME_OR_FILE")]
    event: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = EventFormat::Text)]
    format: EventFormat,
    /// Another result of a game, as "WHITE | BLACK | RESULT"; shows the figures with it next to
    /// those of the games. May be given several times. After a further | follows the number of the
    /// game, if there are several with these colours, or `new` for a further game
    #[arg(long, value_name = "RESULT", conflicts_with_all = ["trace", "decisions"])]
    what_if: Vec<OtherResult>,
    /// Compare FIDE's ratings of the following 24 months with those after the event, for a PGN
    /// file and lists
    #[arg(long, conflicts_with_all = ["trace", "decisions", "what_if"])]
    follow_up: bool,
    /// Folder of the archive in which identifiers are looked up, and on whose lists an event from a
    /// file gets its ranks
    #[arg(long, value_name = "DIR", default_value = "reports/archive")]
    archive: PathBuf,
    #[command(flatten)]
    trace: TraceArguments,
    #[command(flatten)]
    handicap: HandicapArguments,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: inputs::KnowledgeArguments,
}

/// What to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EventFormat {
    /// The report, readable at 80 columns
    Text,
    /// All figures, as in data/events/<event_id>.json of an archive
    Json,
    /// The app's input text, which this command reads again
    TextInput,
}

/// The parts of an event's document from which the analysis can be repeated.
#[derive(Debug, Deserialize)]
struct StoredInputs {
    input: tournament::Event,
    options: Options,
    decision: Option<Decided>,
}

/// Whether a line begins with one of the seven tags that every game has. A text with such a line is
/// a collection.
fn is_tag_of_roster(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|tag| tag.split_whitespace().next());
    let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    name.is_some_and(|name| roster.iter().any(|tag| tag.eq_ignore_ascii_case(name)))
}

impl EventArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        if !self.what_if.is_empty() && self.format != EventFormat::Text {
            bail!("--what-if prints a table; leave --format out");
        }
        if !self.event.exists() {
            return self.analyse_published();
        }
        let text = self.read_text()?;
        if text.lines().map(str::trim_start).any(is_tag_of_roster) {
            if is_read_once(&self.event) {
                bail!(
                    "{} can be read only once, but games are read twice; give a file",
                    self.event.display()
                );
            }
            return self.analyse_pgn();
        }
        self.refuse_inputs()?;
        if self.follow_up {
            bail!("--follow-up needs a PGN file, whose event has a day");
        }
        let TextInput { mut event, options, is_kind_given } = text_input::read(&text)
            .map_err(|error| anyhow::anyhow!("{}: {error}", self.event.display()))?;
        if !is_kind_given {
            let pairs: Vec<(usize, usize)> =
                event.games.iter().map(|game| (game.white, game.black)).collect();
            event.kind = recognise_pairs(event.players.len(), &pairs).kind;
        }
        let analysis = analyse(&event, &options)?;
        let document = EventDocument {
            archive: None,
            analysis: &analysis,
            forecast: None,
            all_games: &[],
            orders: other_orders(&event),
            input: &event,
            options,
            decision: None,
        };
        self.print(&document)?;
        self.print_new_ranks(&document, None)?;
        Ok(CommandOutcome::Done)
    }

    /// Reads the file, unpacked.
    fn read_text(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        let mut damage = None;
        let limits = Limits::default();
        for_each_member(&self.event, limits, &|_| (), |member| {
            match member.and_then(|member| member.read_whole(limits)) {
                Ok(bytes) => text.push_str(&decode(&bytes).0),
                Err(damaged) => damage = Some(damaged),
            }
        });
        match damage {
            Some(Damaged { name, error }) => bail!("{name}: {error}"),
            None => Ok(text),
        }
    }

    /// Refuses flags for settings, lists, names and decisions. They apply only to games: the app's
    /// text and an archive contain their own.
    fn refuse_inputs(&self) -> anyhow::Result<()> {
        let given = self.config.first_given().or(self.names.first_given());
        if let Some(flag) = given.or(self.knowledge.first_given()) {
            bail!(
                "--{flag} applies to PGN files only; {} contains its own data, so leave the flag out",
                self.event.display()
            );
        }
        Ok(())
    }

    /// Analyses an event of the last build.
    fn analyse_published(&self) -> anyhow::Result<CommandOutcome> {
        let name = self.event.to_string_lossy();
        let text = archive_reader::read(&self.archive, &name)
            .map_err(|reason| anyhow!("{name}: no such file, and {reason}"))?;
        if self.knowledge.has_decisions() {
            return self.show_decision(&text);
        }
        if self.follow_up {
            bail!("--follow-up needs a PGN file and FIDE's lists");
        }
        self.refuse_inputs()?;
        if self.format == EventFormat::Json && !self.trace.is_wanted() {
            print(&text)?;
            return Ok(CommandOutcome::Done);
        }
        let stored: StoredInputs = serde_json::from_str(&text).with_context(|| {
            format!(
                "{name} was written by another version of the program; run `greatness build` again"
            )
        })?;
        let analysis = analyse(&stored.input, &stored.options)?;
        let document = EventDocument {
            archive: None,
            analysis: &analysis,
            forecast: None,
            all_games: &[],
            orders: other_orders(&stored.input),
            input: &stored.input,
            options: stored.options,
            decision: stored.decision.as_ref(),
        };
        self.print(&document)?;
        Ok(CommandOutcome::Done)
    }

    /// Shows an event of the last build before and after a decision.
    fn show_decision(&self, text: &str) -> anyhow::Result<CommandOutcome> {
        let mut settings = self.config.settings(&[])?;
        self.knowledge.overrule(&mut settings);
        let event: FiledEvent = serde_json::from_str(text).with_context(|| {
            format!(
                "{} was written by another version of the program; run `greatness build` again",
                self.event.display()
            )
        })?;
        let mut decisions = read_decisions(&settings.input)?;
        let rules: Vec<Rule> = decisions.rules().to_vec();
        let rules: Vec<&Rule> =
            rules.iter().filter(|rule| rule.covers(&event.name, &event.event_id)).collect();
        decisions.with_rules(&event.event_id, &rules);
        let Some(decision) = decisions.get(&event.event_id) else {
            let hint = nearest(&event.event_id, decisions.iter().map(|(id, _)| id));
            let hint = hint.map(|hint| format!("; there is one about {hint}")).unwrap_or_default();
            bail!(
                "no decision is about {}{hint}; check the ids in the file of decisions",
                event.event_id
            );
        };
        let lists = archive_reader::published_lists(&self.archive)?;
        let answer =
            review_server::compare(&self.archive, &lists, &settings.lists, &event, Some(decision))?;
        match self.format {
            EventFormat::Json => print(&format!("{}\n", serde_json::to_string_pretty(&answer)?))?,
            EventFormat::Text => print(&before_and_after(&event, decision, &answer))?,
            EventFormat::TextInput => {
                let (decided, _) = review_server::decided_inputs(&self.archive, &event, decision)?;
                let case = decided.inputs;
                print(&text_input::write(&case.input, &case.options))?;
            }
        }
        Ok(CommandOutcome::Done)
    }

    /// Analyses a PGN file with one event.
    fn analyse_pgn(&self) -> anyhow::Result<CommandOutcome> {
        let mut settings = self.config.settings(std::slice::from_ref(&self.event))?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        let settings = settings.with_bundled_data(&super::bundled_data()?)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Silent, &mut diagnostics)?;
        let Grouped { games, events: found, faster, .. } =
            games.group(settings.events, &mut Vec::new());
        let lists =
            read_published_lists(&settings.input, &settings.ratings, &games, &mut diagnostics);
        let inputs = RatingInputs::new(&settings, &games, &lists);
        let computed =
            ComputedRatings::compute(inputs, DoneWork::default(), &Silent, &mut diagnostics)?;
        let sources = in_order(lists, computed.as_ref(), &settings.ratings);
        report(&diagnostics);
        // A file of decisions covers a whole archive. Decisions about other events do not matter
        // here.
        let mut decisions = read_decisions(&settings.input)?;
        decisions.retain(|id| found.iter().any(|event| event.id == id));
        let found = amend(found, &mut decisions, games.material(settings.events), &mut Vec::new())?;
        // A knock-out is one event, however many matches it has.
        let whole = found.iter().filter(|event| event.part_of.is_none()).count();
        if whole != 1 {
            let names: Vec<String> = found
                .iter()
                .filter(|event| event.part_of.is_none())
                .map(|event| format!("  {} ({})", event.name, counted(event.games.len(), "game")))
                .collect();
            bail!(
                "{} holds {} instead of one; analyse them all with `greatness build --pgn`\n{}",
                self.event.display(),
                counted(whole, "event"),
                names.join("\n")
            );
        }
        let world = read_world(
            &settings.input,
            &settings.ratings,
            &games,
            &found,
            computed.as_ref(),
            &mut diagnostics,
        );
        let context = AnalysisContext {
            games: &games,
            sources: &sources,
            world: &world,
            ratings: &settings.ratings,
            analysis: &settings.analysis,
            lists: &settings.lists,
            decisions: &decisions,
        };
        let analysed = analyse_events(context, found, DoneWork::default(), &Silent)?;
        let all_games = figures_with_tie_breaks(&analysed, &faster, &games);
        for (event, all_games) in analysed.into_iter().zip(all_games) {
            if event.event.part_of.is_none() {
                if self.follow_up {
                    print(&follow_up(&event, &sources, &world, &games.players)?)?;
                    continue;
                }
                // One event alone shows neither draw rates nor brackets of others.
                let later = LaterFigures {
                    status: event.status,
                    performances: event.performances,
                    bracket_result: None,
                    all_games,
                    forecast: EventForecast::default(),
                    norms: None,
                };
                let tempo = (event.status == Status::Faster).then_some(event.event.tempo);
                let record = EventRecord::new(event, later);
                let document = EventDocument::new(&record);
                self.print(&document)?;
                self.print_new_ranks(&document, tempo)?;
            }
        }
        Ok(CommandOutcome::from_findings(&diagnostics))
    }

    /// Prints the ranks of an event from a file, below its report.
    fn print_new_ranks(
        &self,
        document: &EventDocument,
        tempo: Option<Tempo>,
    ) -> anyhow::Result<()> {
        let prints_report = self.format == EventFormat::Text
            && self.what_if.is_empty()
            && !self.trace.is_wanted()
            && !self.handicap.is_wanted();
        if prints_report {
            let kind = document.input.kind;
            print(&new_ranks(&self.archive, document.analysis, kind, tempo))?;
        }
        Ok(())
    }

    fn print(&self, document: &EventDocument) -> anyhow::Result<()> {
        if !self.what_if.is_empty() {
            return print(&what_if(document.input, &document.options, &self.what_if)?);
        }
        if let Some(steps) = self.trace.trace(document.input, self.format == EventFormat::Json)? {
            if self.format == EventFormat::TextInput {
                bail!("--trace prints text or JSON; leave --format text-input out");
            }
            return print(&steps);
        }
        if let Some(text) = self.handicap.text(document.input, document.analysis)? {
            if self.format != EventFormat::Text {
                bail!("--handicap prints a table; leave --format out");
            }
            return print(&text);
        }
        match self.format {
            EventFormat::Text => {
                let mut text = text_report(document.analysis, style());
                text.push_str(&chessmetrics_text(document));
                if let Some(decided) = document.decision {
                    text.push_str(&decision_text(decided));
                }
                print(&text)
            }
            EventFormat::Json => print(&format!("{}\n", serde_json::to_string_pretty(document)?)),
            EventFormat::TextInput => print(&text_input::write(document.input, &document.options)),
        }
    }
}

/// Describes what a decision changes in an event, for a terminal of 80 columns.
fn before_and_after(event: &FiledEvent, decision: &Decision, answer: &DecisionPreview) -> String {
    let mut text = format!("{}\n", event.name);
    text.push_str(&wrapped("", &format!("Decided in {}: {}", decision.place, decision.reason)));
    text.push('\n');
    let sentence = match answer.sentence.as_str() {
        "" => "No published rank changes.",
        sentence => sentence,
    };
    text.push_str(&wrapped("", sentence));
    for later in &answer.later {
        text.push_str(&wrapped("", later));
    }
    let (before, after) = (&answer.before, &answer.after);
    let [games_before, games_after] =
        [before.games, after.games].map(|(known, expected)| format!("{known} of {expected}"));
    let lines = [
        ("lists", before.status.clone(), after.status.clone()),
        ("winner", before.winners.clone(), after.winners.clone()),
        ("ended", before.outcome.to_owned(), after.outcome.to_owned()),
        ("days", before.days.clone(), after.days.clone()),
        ("strength", number(before.strength, 2), number(after.strength, 2)),
        ("ratings", fit_in_words(before), fit_in_words(after)),
        ("number two", number(before.number_two, 0), number(after.number_two, 0)),
        ("games", games_before, games_after),
        ("kind", before.kind.to_owned(), after.kind.to_owned()),
        ("tempo", before.tempo.to_owned(), after.tempo.to_owned()),
    ];
    let _ = writeln!(text, "\n{:<12} {:<36} with the decision", "", "published");
    for (name, before, after) in lines {
        if !before.is_empty() || !after.is_empty() {
            let _ = writeln!(text, "{name:<12} {before:<36} {after}");
        }
    }
    let _ = writeln!(
        text,
        "\n{:<32} {:>6} {:>6} {:<12} {:>8} {:>8}",
        "player", "rating", "then", "", "G", "then"
    );
    for player in &answer.players {
        let name: String = player.name.chars().take(32).collect();
        let _ = writeln!(
            text,
            "{name:<32} {:>6} {:>6} {:<12} {:>8} {:>8}",
            number(player.rating_before, 0),
            number(player.rating, 0),
            player.origin,
            number(player.g_before, 2),
            number(player.g, 2),
        );
    }
    text
}

/// A number with this many decimals, or a dash if it is unknown.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

/// Whether the ratings pass the fit test, with the statistic and its critical value.
fn fit_in_words(figures: &EventFigures) -> String {
    match figures.statistic.zip(figures.critical) {
        Some((statistic, critical)) => {
            format!("{} ({statistic:.2} of {critical:.2})", figures.fit)
        }
        None => figures.fit.to_owned(),
    }
}

/// The performances by the formulas of Chessmetrics, for the report; empty if there is none.
fn chessmetrics_text(document: &EventDocument) -> String {
    let performances = chessmetrics_performances(document.input, document.analysis);
    if performances.iter().all(Option::is_none) {
        return String::new();
    }
    let mut text = String::from("\nChessmetrics performances\n");
    let _ = writeln!(
        text,
        "{:<32} {:>6} {:>6} {:>10} {:>8} {:>8}",
        "name", "games", "points", "opponents", "raw", "padded"
    );
    for (player, performance) in document.analysis.players.iter().zip(performances) {
        let Some(of) = performance else { continue };
        let name: String = harmless(&player.name).chars().take(32).collect();
        let (opponents, raw) = (number(Some(of.mean_opponent), 0), number(Some(of.raw), 0));
        let (games, points, padded) = (of.games, of.points, number(of.padded, 0));
        let _ = writeln!(
            text,
            "{name:<32} {games:>6} {points:>6} {opponents:>10} {raw:>8} {padded:>8}"
        );
    }
    text.push_str(&wrapped("", "From the ratings used, by the formulas of Jeff Sonas."));
    text
}

/// Describes the decision, for the end of the report.
fn decision_text(decided: &Decided) -> String {
    let mut text = String::from("\nDecided by the Ratings Administrator\n");
    let mut paragraphs = vec![decided.reason.clone()];
    paragraphs.extend(decided.what.iter().cloned());
    if !decided.special_conditions.is_empty() {
        paragraphs.push(format!("Special conditions: {}.", decided.special_conditions.join(", ")));
    }
    paragraphs.extend(decided.source.iter().map(|source| format!("Source: {source}.")));
    paragraphs.extend(decided.note.clone());
    paragraphs.push(match decided.date.as_str() {
        "" => decided.author.clone(),
        date => format!("{}, {date}", decided.author),
    });
    for paragraph in paragraphs {
        text.push_str(&wrapped("- ", &paragraph));
    }
    text
}

/// Colours on a terminal, unless `NO_COLOR` is set (no-color.org).
fn style() -> Style {
    use std::io::IsTerminal;
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && std::io::stdout().is_terminal() { Style::Colour } else { Style::Plain }
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
