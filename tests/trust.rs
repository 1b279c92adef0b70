//! Tests that a run loses nothing and leaves nothing behind.
//!
//! A run may be killed or stopped. Its output may not be read, its inputs may be pipes, and its
//! output folder may be among its inputs.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{case, greatness, stderr, stdout};

/// Creates a folder with a collection.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("none")).unwrap();
    fs::copy(case("site/small.pgn"), folder.path().join("games.pgn")).unwrap();
    folder
}

const BUILD: [&str; 6] = ["build", "games.pgn", "--ratings", "none", "--out", "out"];

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_greatness"));
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Returns the names in a folder other than the collection and the archive.
fn left_behind(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| !["none", "games.pgn", "out"].contains(&name.as_str())).collect()
}

#[test]
fn a_run_killed_at_any_moment_leaves_a_whole_archive_and_the_next_run_cleans_up() {
    let folder = folder();
    assert!(greatness(folder.path(), &BUILD).status.success());
    let out = folder.path().join("out");
    fs::write(out.join("CNAME"), "example.org").unwrap();
    fs::write(out.join("data/my-notes.csv"), "mine").unwrap();
    // A second collection, so that there is something to write.
    let text = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    let other = text.replace("1972", "1973").replace("1995", "1996");
    fs::write(folder.path().join("other.pgn"), other).unwrap();
    let arguments = ["build", "other.pgn", "--ratings", "none", "--out", "out"];
    for step in 0..24 {
        let mut run = program(folder.path(), &arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(15 * step));
        run.kill().unwrap();
        run.wait().unwrap();
        let files = fs::read_to_string(out.join("greatness-archive.files")).unwrap();
        let missing: Vec<&str> = files.lines().filter(|file| !out.join(file).is_file()).collect();
        assert_eq!(missing, Vec::<&str>::new(), "after {} ms", 15 * step);
    }
    // After a complete build the archive has the files of other programs, and only the work that
    // the next build can reuse is next to it.
    fs::remove_file(folder.path().join("other.pgn")).unwrap();
    assert!(greatness(folder.path(), &BUILD).status.success());
    assert_eq!(fs::read_to_string(out.join("CNAME")).unwrap(), "example.org");
    assert_eq!(fs::read_to_string(out.join("data/my-notes.csv")).unwrap(), "mine");
    assert_eq!(left_behind(folder.path()), ["out.cache"]);
}

#[test]
fn a_run_that_receives_sigterm_reports_it_and_leaves_nothing() {
    let folder = folder();
    // It waits for standard input, so it cannot be finished.
    let mut run = program(folder.path(), &["build", "-", "--ratings", "none", "--out", "out"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(400));
    let sent = Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let _input = run.stdin.take();
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("stopped; nothing was written"), "{}", stderr(&output));
    assert_eq!(left_behind(folder.path()), Vec::<String>::new());
}

#[test]
fn a_run_whose_output_is_not_read_finishes() {
    let folder = folder();
    for (arguments, written) in [
        (&["check", "games.pgn", "--out", "found.csv", "--all"][..], "found.csv"),
        (&BUILD[..], "out/index.html"),
    ] {
        let mut run = program(folder.path(), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A pipe to `head -0` closes in this way.
        drop((run.stdout.take(), run.stderr.take()));
        let status = run.wait().unwrap();
        assert!(status.success(), "{arguments:?}: {status}");
        assert!(folder.path().join(written).is_file(), "{arguments:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = folder();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(folder.path(), &["event", "games.pgn"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn a_collection_is_never_overwritten() {
    let folder = folder();
    let collection = fs::read(folder.path().join("games.pgn")).unwrap();
    let all = greatness(folder.path(), &["ingest", ".", "--out", "all.csv"]);
    assert!(all.status.success(), "{}", stderr(&all));
    fs::rename(folder.path().join("all.csv"), folder.path().join("all.parquet")).unwrap();
    let again = greatness(folder.path(), &["ingest", ".", "--out", "all.parquet"]);
    assert!(!again.status.success());
    assert!(stderr(&again).contains("all.parquet is an input"), "{}", stderr(&again));
    assert_eq!(fs::read(folder.path().join("games.pgn")).unwrap(), collection);
}

#[test]
fn an_archive_among_the_inputs_is_skipped_and_reported() {
    let (folder, out) = (folder(), tempfile::tempdir().unwrap());
    let site = out.path().join("site");
    let site = site.to_string_lossy();
    let arguments = ["build", ".", "--ratings", "none", "--out", &site, "--verbose"];
    let first = greatness(folder.path(), &arguments);
    fs::rename(&*site, folder.path().join("site")).unwrap();
    let second = greatness(folder.path(), &arguments);
    let [first, second] = [stderr(&first), stderr(&second)];
    let [games_first, games_second] = [&first, &second].map(|messages| {
        messages.lines().find(|line| line.contains(" games read = ")).unwrap_or_default()
    });
    assert_eq!(games_first, games_second);
    assert!(games_first.starts_with("32 games read"), "{games_first}");
    assert!(second.contains("site: an archive of this program is not an input"));
}

#[test]
fn pipes_are_read_under_any_name() {
    let folder = folder();
    let text = fs::read(folder.path().join("games.pgn")).unwrap();
    for name in ["-", "/dev/stdin"] {
        let mut run = program(folder.path(), &["ingest", name, "--out", "all.csv"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        run.stdin.take().unwrap().write_all(&text).unwrap();
        let output = run.wait_with_output().unwrap();
        assert!(stdout(&output).starts_with("32 games"), "{name}: {}", stdout(&output));
    }
    let pipe = folder.path().join("pipe.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, text).unwrap()
    });
    let output = greatness(folder.path(), &["ingest", "pipe.pgn", "--out", "all.csv"]);
    writer.join().unwrap();
    assert!(stdout(&output).starts_with("32 games"), "{}", stderr(&output));
}

/// Makes a pipe that nobody writes to, under each of these names.
fn pipes(folder: &Path, names: &[&str]) {
    for name in names {
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success());
    }
}

#[test]
fn a_pipe_in_place_of_a_file_does_not_stop_a_run() {
    let folder = folder();
    pipes(folder.path(), &["out.cache", "decisions.toml", "aliases.toml", "names.ssp"]);
    let built = greatness(folder.path(), &BUILD);
    assert!(built.status.success(), "{}", stderr(&built));
    assert!(!folder.path().join("out.cache").is_file(), "the pipe stays");
    for (flag, name) in [
        ("--decisions", "decisions.toml"),
        ("--aliases", "aliases.toml"),
        ("--spelling", "names.ssp"),
        ("--config", "decisions.toml"),
    ] {
        let output = greatness(folder.path(), &[&BUILD[..], &[flag, name]].concat());
        assert!(!output.status.success(), "{flag}");
        let messages = stderr(&output);
        assert!(
            messages.contains(name) && messages.contains("is not a regular file"),
            "{messages}"
        );
    }
}

#[test]
fn a_link_to_another_file_system_is_not_followed() {
    if !Path::new("/proc/self").exists() {
        return;
    }
    let folder = folder();
    std::os::unix::fs::symlink("/proc", folder.path().join("linked")).unwrap();
    let output = greatness(folder.path(), &["ingest", ".", "--out", "all.csv"]);
    assert!(stdout(&output).starts_with("32 games"), "{}", stdout(&output));
    assert!(stderr(&output).contains("is a link to another file system"), "{}", stderr(&output));
}

#[test]
fn a_link_to_nothing_is_not_replaced_by_a_file() {
    let folder = folder();
    std::os::unix::fs::symlink("nowhere/all.csv", folder.path().join("all.csv")).unwrap();
    let output = greatness(folder.path(), &["ingest", "games.pgn", "--out", "all.csv"]);
    assert!(!output.status.success());
    assert!(stderr(&output).contains("its target does not exist"), "{}", stderr(&output));
    assert!(folder.path().join("all.csv").is_symlink());
}

#[test]
fn a_file_that_may_not_grow_is_an_error_with_a_message() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_greatness");
    // The limit has blocks of 512 or 1024 bytes.
    let limited = format!("ulimit -f 1; exec {program} build games.pgn --ratings none --out out");
    let output =
        Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("File too large"), "{}", stderr(&output));
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_build_in_a_folder_that_was_removed_ends_with_an_error() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_greatness");
    let script = format!(
        "mkdir gone; cd gone; rmdir ../gone; exec timeout 60 {program} build {} --out out",
        folder.path().join("games.pgn").display()
    );
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!stderr(&output).is_empty());
}

#[test]
fn many_equal_games_of_a_small_packed_file_are_not_all_read() {
    let folder = folder();
    let game = "[Event \"A\"]\n[White \"B\"]\n[Black \"C\"]\n[Result \"1-0\"]\n\n1-0\n\n";
    let packed = zstd::encode_all(game.repeat(800_000).as_bytes(), 3).unwrap();
    fs::write(folder.path().join("equal.pgn.zst"), &packed).unwrap();
    let output = greatness(folder.path(), &["ingest", "equal.pgn.zst", "--out", "all.csv"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("raise input.limits.ratio"), "{}", stderr(&output));
    assert!(games_read(&stderr(&output)) < 70_000, "{}", stderr(&output));
    let mut pipe = program(folder.path(), &["ingest", "-", "--out", "all.csv"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program stops reading at the limit.
    let _ = pipe.stdin.take().unwrap().write_all(&packed);
    let output = pipe.wait_with_output().unwrap();
    assert!(stderr(&output).contains("raise input.limits.ratio"), "{}", stderr(&output));
    assert!(games_read(&stderr(&output)) < 70_000, "{}", stderr(&output));
}

/// The number of games in the line of the messages that says how long reading took.
fn games_read(messages: &str) -> usize {
    let line = messages.lines().find(|line| line.starts_with("read games"));
    let words = line.unwrap_or_default().split_whitespace().skip_while(|word| *word != "s");
    words.skip(1).find_map(|word| word.replace(',', "").parse().ok()).expect("a number of games")
}

#[test]
fn names_of_spelling_files_aliases_and_lists_are_cleaned() {
    let folder = folder();
    let hidden = "Spassky\u{202e},\u{1b} Boris";
    let spelling =
        format!("@PLAYER\n{hidden}  #GM  RUS [2660]  1937.01.30\n  = Spassky, Boris Vasilievich\n");
    fs::write(folder.path().join("names.ssp"), spelling).unwrap();
    let aliases = "[[player]]\nname = \"Fischer\\u202e, \\u001bBobby\"\nspellings = [\"Fischer, Robert James\"]\n";
    fs::write(folder.path().join("aliases.toml"), aliases).unwrap();
    fs::create_dir(folder.path().join("lists")).unwrap();
    let list = "name,rating,year\n\"Petrosian\u{202e}, \u{1b}Tigran\",2640,1972\n";
    fs::write(folder.path().join("lists/own.csv"), list).unwrap();
    let arguments =
        ["build", "games.pgn", "--ratings", "lists", "--out", "out", "--spelling", "names.ssp"];
    let output =
        greatness(folder.path(), &[&arguments[..], &["--aliases", "aliases.toml"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut found = false;
    for entry in walkdir::WalkDir::new(folder.path().join("out")) {
        let path = entry.unwrap().into_path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let bad = text.find(['\u{202e}', '\u{1b}']);
        assert_eq!(bad, None, "{}", path.display());
        assert!(!text.contains("\\u001b"), "{}", path.display());
        found |= text.contains("Fischer, Bobby");
    }
    assert!(found, "the alias is used");
}

#[test]
fn a_file_that_becomes_shorter_while_it_is_read_is_reported() {
    let folder = folder();
    let path = folder.path().join("long.pgn");
    let text = fs::read(folder.path().join("games.pgn")).unwrap();
    let mut file = fs::File::create(&path).unwrap();
    for _ in 0..4000 {
        file.write_all(&text).unwrap();
    }
    let length = file.metadata().unwrap().len();
    let run = program(folder.path(), &["--threads", "1", "ingest", "long.pgn", "--out", "all.csv"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(20));
    file.set_len(length / 50).unwrap();
    let output = run.wait_with_output().unwrap();
    // The exit code depends on whether the run read the file before it was truncated.
    let shortened = stderr(&output).contains("bytes shorter while it was read");
    assert_eq!(output.status.code(), Some(if shortened { 2 } else { 0 }), "{}", stderr(&output));
}

#[test]
fn an_alias_that_joins_opponents_sets_their_games_aside_and_is_reported_with_its_line() {
    let folder = folder();
    let aliases = "[[player]]\nname = \"Fischer, Robert\"\n\
                   spellings = [\"Spassky, Boris Vasilievich\",\n\"Fischer, Robert James\"]\n";
    fs::write(folder.path().join("aliases.toml"), aliases).unwrap();
    let arguments = [&BUILD[..], &["--aliases", "aliases.toml"]].concat();
    let output = greatness(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let messages = stderr(&output);
    assert!(
        messages.contains("aliases.toml:3: `Spassky, Boris Vasilievich` and `Fischer"),
        "{messages}"
    );
    assert!(messages.contains("met in 20 games (the first: games.pgn:1)"), "{messages}");
    assert!(messages.contains("32 games read = 12 in events + 20 set aside"), "{messages}");
}

/// Returns the tables of results that an archive exports.
fn figures(out: &Path) -> Vec<(String, String)> {
    let tables = ["events.csv", "greatness.csv", "strength.csv", "players.csv", "fragments.csv"];
    tables
        .map(|name| (name.to_owned(), fs::read_to_string(out.join("data").join(name)).unwrap()))
        .into()
}

#[test]
fn the_order_in_which_collections_are_named_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("none")).unwrap();
    // Two sources of the same events differ in spellings, rounds and dates. A third has other
    // events.
    let text = fs::read_to_string(case("site/small.pgn")).unwrap();
    let other = text
        .replace("Spassky, Boris Vasilievich", "Spasski, Boris")
        .replace("Fischer, Robert James", "Fischer, R")
        .replace("[Round \"1\"]", "[Round \"?\"]")
        .replace("1972.07.", "1972.??.");
    let later = text.replace("1972", "1982").replace("1995", "2005").replace("Reykjavik", "Oslo");
    for (name, text) in [("a.pgn", &text), ("b.pgn", &other), ("c.pgn", &later)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut found: Vec<Vec<(String, String)>> = Vec::new();
    for order in
        [["a.pgn", "b.pgn", "c.pgn"], ["c.pgn", "b.pgn", "a.pgn"], ["b.pgn", "c.pgn", "a.pgn"]]
    {
        let arguments = [&["build"][..], &order, &["--ratings", "none", "--out", "out"]].concat();
        let output = greatness(folder.path(), &arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        found.push(figures(&folder.path().join("out")));
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    for other in &found[1..] {
        for ((name, one), (_, other)) in found[0].iter().zip(other) {
            assert_eq!(one, other, "{name}");
        }
    }
    assert!(found[0][0].1.lines().count() > 3, "{}", found[0][0].1);
}

/// Returns the games of events in which no player has two games in one round.
fn events_ordered_by_rounds(games: Vec<String>) -> Vec<String> {
    let mut seats = std::collections::HashSet::new();
    let mut unordered = std::collections::HashSet::new();
    for game in &games {
        for side in ["White", "Black"] {
            if !seats.insert((event_tags(game), tag(game, side), tag(game, "Round"))) {
                unordered.insert(event_tags(game));
            }
        }
    }
    games
        .into_iter()
        .filter(|game| !game.contains("[Round \"?\"]") && !unordered.contains(&event_tags(game)))
        .collect()
}

fn tag(game: &str, name: &str) -> String {
    let value = game.split_once(&format!("[{name} \"")).map_or("", |(_, rest)| rest);
    value.split('"').next().unwrap_or_default().to_owned()
}

fn event_tags(game: &str) -> [String; 2] {
    ["Event", "Site"].map(|name| tag(game, name))
}

/// Returns the bundled games of a decade. Almost none has a day, so all events of a year are
/// simultaneous.
fn games_of(decade: &str) -> Vec<String> {
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games");
    let bundled = bundled.join(format!("{decade}.pgn.zst"));
    let text = zstd::decode_all(fs::File::open(bundled).unwrap()).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.split("[Event ").skip(1).map(|game| format!("[Event {game}")).collect()
}

/// Checks that the figures do not depend on how the games are split into files.
fn assert_same_figures(ways: &[(&str, Vec<&[String]>)]) {
    let mut first: Option<Vec<(String, String)>> = None;
    for (way, files) in ways {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("games")).unwrap();
        // The names are in reverse order, which must not matter.
        for (number, games) in files.iter().rev().enumerate() {
            fs::write(folder.path().join(format!("games/{number}.pgn")), games.concat()).unwrap();
        }
        let output = greatness(folder.path(), &["build", "games", "--out", "out"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let found = figures(&folder.path().join("out"));
        for ((name, one), (_, other)) in
            first.get_or_insert_with(|| found.clone()).iter().zip(&found)
        {
            let differ = one.lines().zip(other.lines()).find(|(one, other)| one != other);
            assert_eq!(differ, None, "{way}: {name}");
            assert_eq!(one.len(), other.len(), "{way}: {name}");
        }
    }
}

#[test]
fn splitting_a_collection_into_files_changes_no_figure() {
    let games = games_of("1880s");
    assert!(games.len() > 2_000, "{}", games.len());
    let parts = games.chunks(games.len().div_ceil(10)).collect();
    assert_same_figures(&[("one file", vec![&games[..]]), ("ten files", parts)]);
}

#[test]
fn the_order_of_games_changes_no_figure_if_their_rounds_are_known() {
    let games = events_ordered_by_rounds(games_of("1900s"));
    assert!(games.len() > 1_000, "{}", games.len());
    let mut reversed = games.clone();
    reversed.reverse();
    // Every seventh game, beginning with each of the first seven in turn, so that each moves far.
    let shuffled: Vec<String> =
        (0..7).flat_map(|first| games.iter().skip(first).step_by(7).cloned()).collect();
    assert_same_figures(&[
        ("in order", vec![&games]),
        ("reversed", vec![&reversed]),
        ("shuffled", vec![&shuffled]),
    ]);
}
