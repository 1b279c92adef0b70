//! Tests files as people have them: other spellings, tools and habits, with one case file for each
//! kind.
//!
//! The first lines of `tests/cases/field/NAME.*` describe the kind. `NAME.txt` lists what is
//! expected: the games, why games are set aside, the warnings, and the events.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use greatness::archive::{Selected, Settings, Silent};
use greatness::games::{Game, GameFlags, Rateable, Tempo};
use greatness::source::{Diagnostic, Severity};

fn cases() -> Vec<PathBuf> {
    let folder = crate::support::case("field");
    let files = fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("a case").path());
    let mut cases: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending != "txt")).collect();
    cases.sort();
    cases
}

/// Describes a game: its line, players, result, date, ratings and flags.
fn described(games: &Selected, row: usize) -> String {
    let table = &games.table;
    let game: &Game = &table.games()[row];
    let mut words = vec![format!(
        "{}: {} - {} {} {}",
        game.line,
        table.text(game.white),
        table.text(game.black),
        game.result.pgn(),
        game.date
    )];
    if game.white_elo + game.black_elo > 0 {
        words.push(format!("{} {}", game.white_elo, game.black_elo));
    }
    let flags = game.flags.difference(GameFlags::RESULT_ONLY);
    words.extend(flags.iter_names().map(|(name, _)| name.to_lowercase()));
    words.join(" | ")
}

/// Reads a case, and returns what is known about its games and events.
fn report(case: &Path) -> String {
    let mut settings = Settings::default();
    settings.input.pgn.push(case.to_owned());
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let games =
        Selected::read(&settings.input, &Silent, &mut diagnostics).expect("there are games");
    let mut lines: Vec<String> = Vec::new();
    let mut rateable = Rateable::default();
    for row in 0..games.table.len() {
        let mut line = described(&games, row);
        if let Some(copy) = games.duplicates.iter().find(|copy| copy.game == row) {
            let kept = games.table.games()[copy.kept].line;
            line.push_str(&format!(" | copy of {kept}"));
        } else if let Some(reason) = rateable.reason(&games.table, &games.table.games()[row]) {
            line.push_str(&format!(" | set aside: {}", reason.words()));
        }
        lines.push(line);
    }
    let found = games.group(settings.events, &mut diagnostics);
    let rated: BTreeSet<usize> = found.games.rows.iter().copied().collect();
    for event in &found.events {
        if event.tempo != Tempo::Classical {
            let is_rated = event.games.iter().any(|game| rated.contains(&game.row));
            assert!(!is_rated, "{}: games of {} are rated", case.display(), event.name);
        }
        let expected = event.recognised.expected_games;
        lines.push(format!(
            "event: {} | {} | {} players | {} of {expected} games | {} to {} | {}",
            event.name,
            event.kind.word(),
            event.players.len(),
            event.games.len(),
            event.start.iso(),
            event.end.iso(),
            event.tempo.word(),
        ));
    }
    for found in diagnostics.iter().filter(|found| found.severity != Severity::Note) {
        lines.push(format!("{}: {}", found.line, found.message));
    }
    let folder = case.parent().expect("a folder").join("").display().to_string();
    (lines.join("\n") + "\n").replace(&folder, "")
}

#[test]
fn each_case_gives_what_is_expected() {
    let cases = cases();
    assert!(!cases.is_empty());
    let mut failures: Vec<String> = Vec::new();
    for case in cases {
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        let expected = fs::read_to_string(case.with_extension("txt")).expect("what is expected");
        let found = report(&case);
        if found != expected {
            eprintln!("{name}\n  expected:\n{expected}\n  found:\n{found}");
            failures.push(name);
        }
    }
    assert_eq!(failures, Vec::<String>::new());
}
