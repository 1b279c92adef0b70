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
        fs::copy(data().join(name), folder.join(name)).expect("a file");
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
    let (of_base, _) = read(std::slice::from_ref(&base));
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
    assert!(
        text.contains("games.si4: all 6 games are also in games.pgn; each counts once"),
        "{text}"
    );
}

/// Runs a program of Debian's package `scid`, and returns what it prints.
fn run_scid(program: &str, arguments: &[&Path]) -> Vec<u8> {
    // `scidpgn` is a script that calls the other program.
    let path = format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default());
    let output = std::process::Command::new(Path::new("/usr/games").join(program))
        .args(arguments)
        .env("PATH", path)
        .output()
        .expect("Debian's package scid is installed");
    assert!(output.status.success(), "{}", stderr(&output));
    output.stdout
}

/// Writes a SCID database of a collection.
fn write_scid(base: &Path, pgn: &Path) {
    let script = base.with_extension("tcl");
    let text =
        "sc_base create [lindex $argv 0]\nsc_base import [sc_base current] [lindex $argv 1]\n";
    fs::write(&script, text).expect("a file");
    run_scid("tkscid", &[&script, base, pgn]);
}

/// Compares two tables row by row. Names that are not ASCII may be in another encoding, and those
/// with a backslash are not escaped by SCID.
fn assert_same_games(ours: &GameTable, scids: &GameTable) {
    assert_eq!(ours.len(), scids.len());
    let mut differing = Vec::new();
    for (row, (mine, theirs)) in ours.games().iter().zip(scids.games()).enumerate() {
        let without_names = |game: &Game| {
            let mut game = Game { member: 0, line: 0, ..*game };
            (game.event, game.site, game.white, game.black) = Default::default();
            game
        };
        let names = |table: &GameTable, game: &Game| {
            [game.event, game.site, game.white, game.black].map(|id| table.text(id).to_owned())
        };
        let comparable = |name: &str| name.is_ascii() && !name.contains('\\');
        let names_agree = names(ours, mine)
            .iter()
            .zip(&names(scids, theirs))
            .all(|(mine, theirs)| mine == theirs || !comparable(mine) || !comparable(theirs));
        if !names_agree || without_names(mine) != without_names(theirs) {
            differing.push((row, *mine, *theirs));
        }
    }
    let first: Vec<_> = differing.iter().take(3).collect();
    assert!(differing.is_empty(), "{} of {} differ: {first:#?}", differing.len(), ours.len());
}

#[test]
#[ignore = "needs ../shared/data, and Debian's package scid"]
fn the_sample_of_scid_has_the_games_that_scid_shows() {
    let folder = tempfile::tempdir().unwrap();
    let base = crate::support::shared_data().join("databases/scid/sample.si4");
    let (ours, found) = read(std::slice::from_ref(&base));
    assert_eq!(ours.len(), 1339);
    assert!(found.iter().all(|one| one.kind != DiagnosticKind::Database), "{found:?}");
    for ending in ["si4", "sn4", "sg4"] {
        let copy = folder.path().join("sample").with_extension(ending);
        fs::copy(base.with_extension(ending), &copy).unwrap();
    }
    let shown = folder.path().join("sample.pgn");
    fs::write(&shown, run_scid("scidpgn", &[&folder.path().join("sample")])).unwrap();
    assert_same_games(&ours, &read(&[shown]).0);
}

/// The bundled games as PGN, without those of tables of results.
fn bundled_games() -> Vec<u8> {
    let mut text = Vec::new();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games");
    let mut files: Vec<_> =
        fs::read_dir(games).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        if file.extension().is_some_and(|ending| ending == "zst") {
            text.extend(zstd::decode_all(fs::File::open(file).unwrap()).unwrap());
        }
    }
    text
}

#[test]
#[ignore = "needs Debian's package scid"]
fn the_bundled_games_as_a_scid_database_are_those_of_the_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("bundled.pgn");
    fs::write(&pgn, bundled_games()).unwrap();
    write_scid(&folder.path().join("bundled"), &pgn);
    let (of_database, _) = read(&[folder.path().join("bundled.si4")]);
    assert_same_games(&of_database, &read(&[pgn]).0);
}

#[test]
#[ignore = "needs Debian's package scid"]
fn the_archive_of_the_bundled_games_as_a_scid_database_is_that_of_the_pgn() {
    let folder = tempfile::tempdir().unwrap();
    for (input, out) in [("pgn", "of-pgn"), ("database", "of-database")] {
        fs::create_dir(folder.path().join(input)).unwrap();
        let pgn = folder.path().join("pgn/games.pgn");
        match input {
            "pgn" => fs::write(&pgn, bundled_games()).unwrap(),
            _ => write_scid(&folder.path().join("database/games"), &pgn),
        }
        let output = greatness(folder.path(), &["build", input, "--out", out]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let [of_pgn, of_database] =
        ["of-pgn", "of-database"].map(|out| files(&folder.path().join(out)));
    assert!(of_pgn.keys().eq(of_database.keys()));
    let differing = of_pgn.iter().filter(|(path, bytes)| of_database[*path] != **bytes);
    let differing: Vec<&str> = differing.map(|(path, _)| path.as_str()).collect();
    // They name the files, and the line or the number of a game.
    let of_files = [
        "about.html",
        "data/croissant.json",
        "data/diagnostics.csv",
        "data/diagnostics.json",
        "data/diagnostics.parquet",
        "data/inputs.json",
    ];
    assert_eq!(differing, of_files);
}

/// The contents of all files of a folder, by their paths in it.
fn files(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap());
    entries
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            (path, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// The surnames of both players, in lower case.
fn surnames(table: &GameTable, game: &Game) -> [String; 2] {
    [game.white, game.black]
        .map(|name| table.text(name).split(',').next().unwrap_or_default().to_lowercase())
}

/// The games of a ChessBase database that the shared collection has too. Both have the surnames and
/// the year, and the moves if there are any. With each game is its counterpart, of several the one
/// of the same round.
fn counterparts(base: &str) -> (usize, Vec<(Game, Game)>) {
    let shared = crate::support::shared_data();
    let (ours, found) = read(&[shared.join("databases/chessbase").join(base)]);
    let damaged = found.iter().find(|one| one.kind == DiagnosticKind::Database && one.line > 0);
    assert!(damaged.is_none(), "{damaged:?}");
    let (theirs, _) = read(&[shared.join("games.pgn.zst")]);
    let mut by_players: std::collections::HashMap<_, Vec<&Game>> = Default::default();
    for game in theirs.games() {
        let key = (surnames(&theirs, game), game.date.year());
        by_players.entry(key).or_default().push(game);
    }
    let mut pairs = Vec::new();
    for game in ours.games() {
        let candidates = by_players.get(&(surnames(&ours, game), game.date.year()));
        let same_moves = |other: &&&Game| {
            game.plies == 0 || (other.plies, other.fingerprint) == (game.plies, game.fingerprint)
        };
        let found = candidates.into_iter().flatten().filter(same_moves);
        if let Some(other) = found.max_by_key(|other| other.round == game.round) {
            pairs.push((*game, **other));
        }
    }
    (ours.len(), pairs)
}

/// The number of pairs whose values agree, of those that both state.
fn agreeing<T: PartialEq + Default>(
    pairs: &[(Game, Game)],
    value: impl Fn(&Game) -> T,
) -> (usize, usize) {
    let values = pairs.iter().map(|(mine, theirs)| (value(mine), value(theirs)));
    let unknown = T::default();
    let stated: Vec<_> =
        values.filter(|(mine, theirs)| *mine != unknown && *theirs != unknown).collect();
    (stated.iter().filter(|(mine, theirs)| mine == theirs).count(), stated.len())
}

#[test]
#[ignore = "needs ../shared/data"]
fn chessbase_games_with_moves_agree_with_another_collection() {
    let (games, pairs) = counterparts("linares-old/linares.cbh");
    assert_eq!(games, 503);
    // 16 of the others have other moves there, and 17 another spelling of a name.
    assert!(pairs.len() >= 465, "{} counterparts", pairs.len());
    for (agree, stated) in [
        agreeing(&pairs, |game| game.result.white_score()),
        agreeing(&pairs, |game| game.round),
        agreeing(&pairs, |game| (game.date.known_parts() == 3).then_some(game.date)),
    ] {
        assert!(agree == stated && stated > 150, "{agree} of {stated}");
    }
    // Some ratings of 2001 and later are rounded to five points.
    for (agree, stated) in
        [agreeing(&pairs, |game| game.white_elo), agreeing(&pairs, |game| game.black_elo)]
    {
        assert!(stated > 430 && 100 * agree > 90 * stated, "{agree} of {stated}");
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn chessbase_headers_agree_with_another_collection() {
    let (games, pairs) = counterparts("World-ch/World-ch.cbh");
    assert_eq!(games, 1025, "13 records are texts");
    assert!(pairs.len() >= 990, "{} counterparts", pairs.len());
    // Two matches of one pair in one year, which lack rounds there, cannot be distinguished.
    let results = agreeing(&pairs, |game| game.result.white_score());
    let rounds = agreeing(&pairs, |game| game.round);
    for (agree, stated) in [results, rounds] {
        assert!(stated > 950 && 100 * agree >= 98 * stated, "{agree} of {stated}");
    }
}
