//! Tests reading databases of SCID and ChessBase.
//!
//! `crates/chess-databases/tests/data` has a few games as PGN, and the SCID database that SCID's
//! `tkscid` made of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{greatness, stderr, stdout};
use greatness::games::{Game, GameTable};
use greatness::pgn::{ReadOptions, read_files};
use greatness::source::{Diagnostic, DiagnosticKind, Wanted, find};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/chess-databases/tests/data")
}

fn read(paths: &[PathBuf]) -> (GameTable, Vec<Diagnostic>) {
    let (mut table, mut found) = (GameTable::with_details(), Vec::new());
    read_files(paths, ReadOptions::default(), &mut table, &mut found, &|_| ());
    (table, found)
}

/// Everything that the table knows of a game, except where it was read.
fn facts(table: &GameTable) -> Vec<String> {
    let unnumbered = |game: &Game| {
        let mut game = Game { member: 0, line: 0, ..*game };
        let ids = [game.event, game.site, game.white, game.black];
        (game.event, game.site, game.white, game.black) = Default::default();
        (ids.map(|id| table.text(id).to_owned()), game)
    };
    table.games().iter().map(|game| format!("{:?}", unnumbered(game))).collect()
}

fn eco(table: &GameTable, row: usize) -> Option<&str> {
    table.details().and_then(|details| details.text(details.row(row).eco))
}

fn copy(folder: &Path, names: &[&str]) {
    for name in names {
        fs::copy(data().join(name), folder.join(name)).unwrap();
    }
}

#[test]
fn a_scid_database_has_the_games_of_its_pgn() {
    let (of_pgn, _) = read(&[data().join("games.pgn")]);
    let (of_database, found) = read(&[data().join("games.si4")]);
    assert_eq!(found, []);
    assert_eq!(facts(&of_database), facts(&of_pgn));
    assert_eq!(eco(&of_database, 0), Some("D59"));
    let lines: Vec<u32> = of_database.games().iter().map(|game| game.line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6], "lines are the numbers of games");
}

#[test]
fn the_main_file_of_a_database_stands_for_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), &["games.si4", "games.sn4", "games.sg4"]);
    fs::write(folder.path().join("old.cbv"), "").unwrap();
    let mut found = Vec::new();
    let files = find(&[folder.path().to_path_buf()], Wanted::Games, &mut found);
    assert_eq!(files, [folder.path().join("games.si4")]);
    let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    let advice = "is skipped: it is a packed ChessBase database; unpack it with ChessBase";
    assert_eq!(messages, [advice]);
    let (table, found) = read(&[folder.path().join("old.cbv"), folder.path().join("games.sg4")]);
    assert!(table.is_empty());
    let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    let of_part =
        "is skipped: it belongs to a database; name the main file, .si4, .si5 or .cbh, instead";
    assert_eq!(messages, [advice, of_part]);
}

#[test]
fn damage_is_reported_with_the_number_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), &["games.si4", "games.sn4"]);
    let moves = fs::read(data().join("games.sg4")).unwrap();
    fs::write(folder.path().join("games.sg4"), &moves[..moves.len() - 10]).unwrap();
    let base = folder.path().join("games.si4");
    let (table, found) = read(std::slice::from_ref(&base));
    assert_eq!(table.len(), 6);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].line, found[0].kind), (6, DiagnosticKind::Database));
    assert_eq!(table.games()[5].plies, 0);
    assert_eq!(table.games()[4], {
        let (whole, _) = read(&[data().join("games.si4")]);
        whole.games()[4]
    });
    fs::remove_file(folder.path().join("games.sn4")).unwrap();
    let (table, found) = read(&[base]);
    assert!(table.is_empty());
    assert_eq!(found[0].message, "lacks its file games.sn4, which belongs next to it");
}

#[test]
fn ingest_writes_the_games_of_a_database_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let base = data().join("games.si4");
    let output =
        greatness(folder.path(), &["ingest", &base.display().to_string(), "--out", "games.pgn"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "6 games in games.pgn\n");
    let (of_base, _) = read(&[base.clone()]);
    let written = folder.path().join("games.pgn");
    let (of_pgn, found) = read(std::slice::from_ref(&written));
    assert_eq!(found, []);
    assert_eq!(facts(&of_pgn), facts(&of_base));
    assert_eq!(eco(&of_pgn, 0), Some("D59"));
    let text = fs::read_to_string(written).unwrap();
    assert!(text.contains("16. Qb8+ Nxb8 17. Rd8# 1-0"), "{text}");
    assert!(text.contains("[EventType \"match\"]\n"), "{text}");
    let arguments = ["--out", "one.pgn", "--player", "Winawer", "--from", "1882-05-11"];
    let output = greatness(
        folder.path(),
        &[&["ingest", &base.display().to_string()][..], &arguments].concat(),
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(folder.path().join("one.pgn")).unwrap();
    assert!(text.contains("12. Nb4 fxe6 *") && text.matches("[Event ").count() == 1, "{text}");
}

#[test]
fn the_same_game_of_a_database_and_a_pgn_is_a_duplicate() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), &["games.si4", "games.sn4", "games.sg4", "games.pgn"]);
    let output = greatness(folder.path(), &["check", "games.pgn", "games.si4"]);
    let text = stdout(&output);
    assert!(text.contains("12 games in 2 files"), "{text}");
    assert!(text.contains("games.si4:1: the same game as games.pgn:1"), "{text}");
}
