//! Tests the rules that group games into events, with one case file for each rule.
//!
//! The first lines of `tests/cases/grouping/NAME.pgn` describe the rule. `NAME.txt` lists the
//! expected events: id, kind, players, games, first day, last day, status. No ratings are known, so
//! a complete event of known kind is `unrated`.

use std::fs;
use std::path::{Path, PathBuf};

use greatness::archive::{Archive, Settings, Silent, SourceName, build};

/// The cases that fail at present, each with the reason.
const KNOWN_FAILURES: &str = "
    # Copies are dated by the game that stays, which cuts a selection into the two tournaments that it is from.
    collection-of-several-months
";

fn cases() -> Vec<PathBuf> {
    let folder = crate::support::case("grouping");
    let files = fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("a case").path());
    let mut cases: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "pgn")).collect();
    cases.sort();
    cases
}

/// Builds the archive of a collection.
fn archive(pgn: &Path) -> Archive {
    let mut settings = Settings::default();
    settings.input.pgn.push(pgn.to_owned());
    settings.ratings.order = vec![SourceName::Tags];
    settings.ratings.compute = false;
    let decisions = pgn.with_extension("toml");
    if decisions.is_file() {
        settings.input.decisions.push(decisions);
    }
    build(settings, &Silent).expect("there are games")
}

/// Returns the events of a collection, one in each line, sorted by id.
fn events(pgn: &Path) -> Vec<String> {
    let archive = archive(pgn);
    assert!(archive.counts.add_up(), "{}: {:?}", pgn.display(), archive.counts);
    let mut lines: Vec<String> = archive
        .records
        .iter()
        .map(|record| {
            let event = &record.event;
            format!(
                "{} | {} | {} | {} | {} | {} | {}",
                event.id,
                event.kind.word(),
                event.players.len(),
                event.games.len(),
                event.start.iso(),
                event.end.iso(),
                record.status.word()
            )
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn each_case_gives_the_expected_events() {
    let cases = cases();
    assert!(cases.len() >= 40, "{} cases", cases.len());
    let mut failures = Vec::new();
    for case in cases {
        let name = case.file_stem().expect("a name").to_string_lossy().into_owned();
        let expected = fs::read_to_string(case.with_extension("txt")).expect("the expected events");
        let found = events(&case);
        if found != expected.lines().collect::<Vec<_>>() {
            eprintln!("{name}\n  expected: {expected}\n  found: {found:#?}");
            failures.push(name);
        }
    }
    crate::support::fail_as_known("grouping", &failures, KNOWN_FAILURES);
}

#[test]
fn the_order_of_the_games_does_not_change_the_events() {
    let mut failures = Vec::new();
    let folder = tempfile::tempdir().expect("a folder");
    for case in cases() {
        let name = case.file_stem().expect("a name").to_string_lossy().into_owned();
        if case.with_extension("toml").is_file() {
            continue;
        }
        let text = fs::read_to_string(&case).expect("a case");
        let mut games: Vec<String> =
            text.split("[Event ").skip(1).map(|game| format!("[Event {game}")).collect();
        games.reverse();
        let reversed = folder.path().join(format!("{name}.pgn"));
        fs::write(&reversed, games.concat()).expect("written");
        if events(&reversed) != events(&case) {
            failures.push(name);
        }
    }
    assert_eq!(failures, Vec::<String>::new());
}

#[test]
fn a_play_off_of_the_next_year_is_not_in_the_name() {
    let case = crate::support::case("grouping").join("round-robin-with-a-play-off.pgn");
    let games = fs::read_to_string(case).expect("the case");
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("collection.pgn");
    let (main, play_off) = games.split_at(games.match_indices("[Event ").nth(15).expect("it").0);
    let play_off =
        play_off.replace("\"Masters\"", "\"Masters playoff\"").replace("2007.05", "2008.01");
    fs::write(&pgn, format!("{main}{play_off}")).expect("written");
    let archive = archive(&pgn);
    let names: Vec<&str> =
        archive.records.iter().map(|record| record.event.name.as_str()).collect();
    assert_eq!(names, ["Sofia Masters 2007"]);
}

/// The match of 1972 in 21 games, of which the second has one half-move. `moves` are those of the
/// others.
fn match_of_1972(moves: &str) -> String {
    let mut pgn = String::new();
    for round in 1..=21 {
        let names = ["Spassky, Boris V", "Fischer, Robert James"];
        let [white, black] = if round % 2 == 1 { names } else { [names[1], names[0]] };
        // Spassky won the games 1, 2 and 11, Fischer seven of the others.
        let winner = match round {
            1 | 2 | 11 => "Spassky, Boris V",
            3 | 5 | 6 | 8 | 10 | 13 | 21 => "Fischer, Robert James",
            _ => "",
        };
        let result = match winner {
            "" => "1/2-1/2",
            winner if winner == white => "1-0",
            _ => "0-1",
        };
        let moves = if round == 2 { "1. d4" } else { moves };
        pgn.push_str(&format!(
            "[Event \"World Championship 28th\"]\n[Site \"Reykjavik\"]\n[Date \"1972.??.??\"]\n\
             [Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             {moves} {result}\n\n"
        ));
    }
    pgn
}

#[test]
fn the_only_game_without_moves_is_the_one_that_history_knows_as_forfeited() {
    let folder = tempfile::tempdir().unwrap();
    let unplayed = |moves: &str| {
        let pgn = folder.path().join("match.pgn");
        fs::write(&pgn, match_of_1972(moves)).unwrap();
        let archive = archive(&pgn);
        let event = &archive.records[0].event;
        assert_eq!(event.id, "fischer-spassky-reykjavik-1972");
        let games = event.games.iter().filter(|game| !game.played);
        games.map(|game| game.round.number()).collect::<Vec<_>>()
    };
    assert_eq!(unplayed("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"), [Some(2)]);
    assert_eq!(unplayed(""), [], "a source without moves");
}
