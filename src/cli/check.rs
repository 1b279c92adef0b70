//! Implements `greatness check`: reports errors and doubts in the inputs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::CommandOutcome;
use super::inputs::{ConfigArguments, NameArguments, ResultArguments};
use super::output::{counted, outln, refuse_input, write_atomically};
use super::progress::Terminal;
use crate::archive::{Grouped, Selected, Settings, read_ratings, read_world, write_diagnostics};
use crate::events::{Event, RatingFloor, games_in, rating_floors};
use crate::players::{AliasEntry, AliasFile, Doubt, MergeReason, WeighedPair};
use crate::ratings::RatingLookup;
use crate::source::Diagnostic;
use crate::tournament::Step;
use crate::tournament::words::sentence;

/// Report errors and doubtful points in the inputs, without building anything
///
/// The report lists damaged games with file and line, duplicates, different spellings taken for one
/// player, events joined from several tags, and incomplete events. All findings are also written to
/// diagnostics.csv.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness check my-collection
  greatness check my-base.cbh games.pgn.zst")]
pub(super) struct CheckArguments {
    /// Game collections, or folders of them; - for standard input. PGN, tables of results, SCID
    /// (.si4, .si5) and ChessBase (.cbh) databases
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    results: ResultArguments,
    /// File for the findings
    #[arg(long, value_name = "FILE", default_value = "diagnostics.csv")]
    out: PathBuf,
    /// File for the doubtful names, in the form of a file of aliases for you to complete
    #[arg(long, value_name = "FILE", default_value = "doubtful-names.toml")]
    doubts: PathBuf,
    /// Print the evidence for and against each name that is similar to this one
    #[arg(long, value_name = "NAME")]
    explain: Option<String>,
    /// Replay all moves and report the first illegal one of each game
    #[arg(long)]
    validate: bool,
    /// Print every finding, not only the first of each kind
    #[arg(long)]
    all: bool,
}

/// Writes a word with a capital letter.
fn heading(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The number of lines of each kind that are printed without `--all`. Judged: enough to see what is
/// wrong; twice as many would make the report of a large collection longer than two screens.
const SHOWN: usize = 10;

impl CheckArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let mut settings = self.config.settings(&self.paths)?;
        self.names.overrule(&mut settings);
        self.results.overrule(&mut settings);
        settings.input.validate |= self.validate;
        settings.input.explained.clone_from(&self.explain);
        // Bundled aliases and lists, as a build reads them. Without them only the user's are used.
        if let Ok(data) = super::bundled_data() {
            settings = settings.with_bundled_data(&data)?;
        }
        for out in [&self.out, &self.doubts] {
            refuse_input(out, &settings)?;
        }
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        let Grouped { games, events, counts, .. } = games.group(settings.events, &mut diagnostics);

        outln!(
            "{} in {}",
            counted(counts.seen, "game"),
            counted(games.table.members.len(), "file")
        );
        outln!("{} in {}", games_in(&events), counted(events.len(), "event"));
        for (reason, games) in &counts.set_aside {
            outln!("{games} set aside: {reason}");
        }

        self.findings(&diagnostics);
        self.merges(&games);
        self.doubts(&games.players.doubts)?;
        if let Some(name) = &self.explain {
            explain(name, &games.players.weighed);
        }
        self.events("How events were recognised", &events, |event| event.reasons.join("; "));
        let tags = tags_beside_list(&settings, &games, &events, &mut diagnostics);
        self.listed("Rating tags that differ from FIDE's list in force", &tags);
        self.listed("Files without weaker players", &floors(&games));
        self.events("Round robins that may lack players", &events, |event| {
            if event.recognised.is_field_unconfirmed {
                format!("{} with games", counted(event.players.len(), "player"))
            } else {
                String::new()
            }
        });
        self.events("Incomplete events", &events, |event| match event.coverage() {
            _ if event.recognised.expected_games == 0 => {
                let known = counted(event.recognised.placed_games, "game");
                format!("{known} of an unknown number")
            }
            coverage if coverage < 1.0 => format!(
                "{} of {}",
                event.recognised.placed_games,
                counted(event.recognised.expected_games, "game")
            ),
            _ => String::new(),
        });

        write_atomically(&self.out, |temporary| Ok(write_diagnostics(&diagnostics, temporary)?))?;
        outln!("\nAll findings: {}", self.out.display());
        Ok(CommandOutcome::from_findings(&diagnostics))
    }

    fn shown(&self) -> usize {
        if self.all { usize::MAX } else { SHOWN }
    }

    fn more(&self, all: usize) {
        if all > self.shown() {
            outln!("  ... and {} more (--all prints them)", all - self.shown());
        }
    }

    /// Prints the findings, by kind.
    fn findings(&self, diagnostics: &[Diagnostic]) {
        let mut by_kind: BTreeMap<_, Vec<&Diagnostic>> = BTreeMap::new();
        for diagnostic in diagnostics {
            by_kind.entry((diagnostic.severity, diagnostic.kind)).or_default().push(diagnostic);
        }
        for ((severity, kind), found) in by_kind {
            outln!(
                "\n{}: {} ({})",
                heading(severity.word()),
                kind.word().replace('_', " "),
                found.len()
            );
            for diagnostic in found.iter().take(self.shown()) {
                outln!("  {diagnostic}");
            }
            self.more(found.len());
        }
    }

    /// Prints the spellings that were taken for one player, by reason.
    fn merges(&self, games: &Selected) {
        for reason in MergeReason::ALL {
            let title = reason.heading();
            let merges: Vec<_> =
                games.players.merges.iter().filter(|merge| merge.reason == reason).collect();
            if merges.is_empty() {
                continue;
            }
            outln!("\n{title} ({})", merges.len());
            for merge in merges.iter().take(self.shown()) {
                let evidence = if merge.evidence.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", merge.evidence)
                };
                outln!("  {} = {}{evidence}", merge.spelling, merge.name);
            }
            self.more(merges.len());
        }
    }

    /// Prints pairs of names that may be one player, and writes them as a file of aliases.
    fn doubts(&self, doubts: &[Doubt]) -> anyhow::Result<()> {
        if doubts.is_empty() {
            return Ok(());
        }
        outln!("\nNames that may be one player, but were kept apart ({})", doubts.len());
        for doubt in doubts.iter().take(self.shown()) {
            outln!("  {} = {}? {}", doubt.name, doubt.other, doubt.evidence);
        }
        self.more(doubts.len());
        let decided = std::fs::read_to_string(&self.doubts)
            .is_ok_and(|text| text.lines().any(|line| line.trim_start().starts_with('[')));
        if decided {
            outln!(
                "  not written: {} holds your decisions; give another file with --doubts",
                self.doubts.display()
            );
            return Ok(());
        }
        let text = template(doubts)?;
        write_atomically(&self.doubts, |temporary| Ok(std::fs::write(temporary, text)?))?;
        outln!("  All of them are in {}; decide there which are one player", self.doubts.display());
        Ok(())
    }

    /// Prints the events about which `remark` has something to say.
    fn events(&self, title: &str, events: &[Event], remark: impl Fn(&Event) -> String) {
        // Several events may have one name.
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        events.iter().for_each(|event| *named.entry(&event.name).or_default() += 1);
        let mut lines = Vec::new();
        for event in events {
            let remark = remark(event);
            if remark.is_empty() {
                continue;
            }
            lines.push(match named.get(event.name.as_str()) {
                Some(1) => format!("{}: {remark}", event.name),
                _ => format!("{} ({}): {remark}", event.name, event.id),
            });
        }
        self.listed(title, &lines);
    }

    /// Prints lines under a title, if there are any.
    fn listed(&self, title: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        outln!("\n{title} ({})", lines.len());
        for line in lines.iter().take(self.shown()) {
            outln!("  {line}");
        }
        self.more(lines.len());
    }
}

/// Prints the evidence of the pairs of names of which one contains `name`.
fn explain(name: &str, weighed: &[WeighedPair]) {
    outln!("\nNames that may be those of {name}, with the evidence in bits");
    for WeighedPair { names: [one, other], are_joined, probability, terms } in weighed {
        let outcome = if *are_joined { "=" } else { "is not" };
        outln!("  {one} {outcome} {other} ({:.0}%): {terms}", 100.0 * probability);
    }
}

/// The files whose rating tags begin with a floor.
fn floors(games: &Selected) -> Vec<String> {
    let floors = rating_floors(&games.table);
    let line = |floor: &RatingFloor| {
        let file = &games.table.members[floor.source as usize];
        format!("{file}: no player is rated below {}", floor.rating)
    };
    floors.iter().map(line).collect()
}

/// The rating tags that differ from FIDE's list in force, event by event.
fn tags_beside_list(
    settings: &Settings,
    games: &Selected,
    events: &[Event],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let sources = read_ratings(&settings.input, &settings.ratings, games, None, diagnostics);
    let world = read_world(&settings.input, &settings.ratings, games, events, None, diagnostics);
    let lookup = RatingLookup {
        table: &games.table,
        players: &games.players,
        sources: &sources,
        context: &world,
        thresholds: settings.ratings.thresholds(),
    };
    let whole = events.iter().filter(|event| event.part_of.is_none());
    let steps = whole.flat_map(|event| {
        let ratings = lookup.initial_ratings(event);
        ratings.steps.into_iter().map(move |step| (event, step))
    });
    let differences = steps.filter(|(_, step)| {
        matches!(step, Step::ListBeforeTag { .. } | Step::TagBeforeList { .. })
    });
    differences.map(|(event, step)| format!("{}: {}", event.name, sentence(&step))).collect()
}

/// Writes the doubtful names as a file of aliases in which every entry is commented out.
fn template(doubts: &[Doubt]) -> anyhow::Result<String> {
    let mut text = String::from(
        "# Names that may be one player, with the evidence. Where two names are one player, remove the
# hashes from the three lines; `name` is the name that will be shown. Then pass this file with
# --aliases.
",
    );
    for doubt in doubts.iter().filter(|doubt| doubt.name != doubt.other) {
        let entry = AliasEntry::new(
            doubt.name.as_str(),
            doubt.spellings.iter().map(|spelling| spelling.as_str().into()).collect(),
        );
        let evidence: String =
            doubt.evidence.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text.push_str(&format!("\n# {evidence}\n"));
        for line in toml::to_string(&AliasFile { player: vec![entry] })?.lines() {
            text.push_str(&format!("#{line}\n"));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(name: &str, other: &str) -> Doubt {
        Doubt {
            name: name.into(),
            other: other.into(),
            spellings: vec![other.into()],
            evidence: "3 opponents\nin common".into(),
        }
    }

    #[test]
    fn a_template_holds_entries_only_after_the_hashes_are_removed() {
        let doubts = [doubt("A \"x\", B", "A,B"), doubt("C,D", "C,D")];
        let text = template(&doubts).expect("TOML");
        let commented_out: AliasFile = toml::from_str(&text).expect("TOML");
        assert!(commented_out.player.is_empty());
        let uncommented: String = text
            .lines()
            .map(|line| line.strip_prefix('#').filter(|line| !line.starts_with(' ')).unwrap_or(""))
            .map(|line| format!("{line}\n"))
            .collect();
        let completed: AliasFile = toml::from_str(&uncommented).expect("TOML");
        assert_eq!(completed.player.len(), 1);
        assert_eq!(completed.player[0].name, "A \"x\", B");
    }
}
