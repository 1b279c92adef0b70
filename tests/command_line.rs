//! Tests the command line: paths without flags, settings in the folder, the amount of output, and
//! checks before the work.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{greatness, greatness_here, stderr, stdout};
use serde_json::Value;

/// A match of four games.
fn pgn() -> String {
    (1..5)
        .map(|round| {
            let (white, black) =
                if round % 2 == 1 { ("Tal, M", "Koblencs, A") } else { ("Koblencs, A", "Tal, M") };
            format!(
                "[Event \"Match\"]\n[Site \"Riga\"]\n[Date \"1950.01.0{round}\"]\n[Round \"{round}\"]\n\
                 [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n\
                 [BlackElo \"2480\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb{round} 1-0\n\n"
            )
        })
        .collect()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/games.pgn"), pgn()).unwrap();
    folder
}

fn good(folder: &Path, arguments: &[&str]) -> Output {
    let output = greatness(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    output
}

#[test]
fn a_table_for_a_folder_that_does_not_exist_names_that_folder() {
    let folder = folder();
    let output = greatness(folder.path(), &["ingest", "mine", "--out", "missing/games.parquet"]);
    let message = stderr(&output);
    assert!(!output.status.success());
    assert!(message.contains("missing/games.parquet: there is no folder missing"), "{message}");
}

#[test]
fn collections_can_be_given_without_a_flag() {
    let folder = folder();
    let output = good(folder.path(), &["build", "mine/games.pgn", "--out", "out"]);
    assert!(stderr(&output).contains("4 games read = 4 in events + 0 set aside"));
    assert!(!stderr(&output).contains("reading the bundled games"));
}

#[test]
fn settings_in_the_current_folder_are_used_and_reported() {
    let folder = folder();
    good(folder.path(), &["init"]);
    // One path needs no brackets.
    let settings = "[input]\npgn = \"mine\"\n[output]\ndirectory = \"site\"\n";
    fs::write(folder.path().join("greatness.toml"), settings).unwrap();
    let output = good(folder.path(), &["build"]);
    assert!(stderr(&output).starts_with("settings: greatness.toml\n"), "{}", stderr(&output));
    assert!(folder.path().join("site/index.html").is_file());
}

/// The first eight games of Steinitz and Anderssen, whose match had fourteen.
fn beginning_of_a_famous_match() -> String {
    (1..=8)
        .map(|round| {
            let (white, black) = if round % 2 == 1 {
                ("Steinitz, William", "Anderssen, Adolf")
            } else {
                ("Anderssen, Adolf", "Steinitz, William")
            };
            format!(
                "[Event \"Match\"]\n[Site \"London\"]\n[Date \"1866.??.??\"]\n[Round \"{round}\"]\n\
                 [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1-0\n\n"
            )
        })
        .collect()
}

#[test]
fn known_results_are_used_unless_they_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), beginning_of_a_famous_match()).unwrap();
    let incomplete = "8 of 14 games";
    let check = |arguments: &[&str]| {
        stdout(&good(folder.path(), &[&["check", "games.pgn"], arguments].concat()))
    };
    assert!(check(&[]).contains(incomplete), "{}", check(&[]));
    assert!(!check(&["--without-known-results"]).contains(incomplete));

    let settings = "[input]\nwithout_known_results = true\n";
    fs::write(folder.path().join("settings.toml"), settings).unwrap();
    for (arguments, games) in [
        (&[][..], "14"),
        (&["--without-known-results"], "8"),
        (&["--config", "settings.toml"], "8"),
    ] {
        good(folder.path(), &[&["build", "games.pgn", "--out", "out"], arguments].concat());
        let table = fs::read_to_string(folder.path().join("out/data/events.json")).unwrap();
        let events: Vec<Value> = serde_json::from_str(&table).unwrap();
        assert_eq!(events[0]["expected_games"].to_string(), games, "{arguments:?}");
    }
}

#[test]
fn a_spelling_file_is_recognised_under_any_flag() {
    let folder = folder();
    fs::write(folder.path().join("names.ssp"), "@PLAYER\nTal, Mihail\n  %Prefix \"xx\" \"yy\"\n")
        .unwrap();
    let output = good(folder.path(), &["build", "mine", "--ratings", "names.ssp", "--dry-run"]);
    assert!(stderr(&output).contains("names.ssp: a spelling file, read as with --spelling"));
}

#[test]
fn another_data_folder_is_not_mistaken_for_the_bundled_data() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("data/games")).unwrap();
    fs::write(folder.path().join("data/games/other.pgn"), pgn()).unwrap();
    let output = good(folder.path(), &["build", "--dry-run"]);
    assert!(stdout(&output).contains("1970s.pgn.zst"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("other.pgn"));
}

#[test]
fn a_dry_run_prints_the_inputs_and_writes_nothing() {
    let folder = folder();
    let output = good(folder.path(), &["build", "mine", "--out", "out", "--dry-run"]);
    let text = stdout(&output);
    assert!(text.starts_with("games: 1 file, 0.0 MB\n  mine/games.pgn\n"), "{text}");
    assert!(text.ends_with("archive: out\n"), "{text}");
    assert!(!folder.path().join("out").exists());
    let missing = greatness(folder.path(), &["build", "gone", "--dry-run"]);
    assert_eq!(missing.status.code(), Some(1), "as a build would fail");
}

#[test]
fn an_unwritable_target_is_reported_before_the_work() {
    if !Path::new("/proc/self").exists() {
        eprintln!("skipped: this system has no folder that is never writable");
        return;
    }
    let folder = folder();
    let output = greatness(folder.path(), &["build", "mine", "--out", "/proc/archive"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/proc/archive"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("read games"), "{}", stderr(&output));
}

#[test]
fn quiet_prints_only_errors_and_the_json_log_can_be_parsed() {
    let folder = folder();
    let output = good(folder.path(), &["build", "mine", "--out", "out", "-q"]);
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&output).trim(), Path::new("out").join("index.html").display().to_string());
    fs::write(folder.path().join("broken.zst"), [0x28, 0xb5, 0x2f, 0xfd, 0, 0]).unwrap();
    let output = greatness(
        folder.path(),
        &["--log", "json", "build", "mine", "broken.zst", "--out", "out", "--threads", "1"],
    );
    assert_eq!(output.status.code(), Some(2));
    let lines: Vec<Value> =
        stderr(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["step"] == "rank" && line["seconds"].is_number()));
    let error = lines.iter().find(|line| line["level"] == "error").unwrap();
    assert_eq!(
        (error["file"].as_str(), error["kind"].as_str()),
        (Some("broken.zst"), Some("unreadable"))
    );
    assert!(error["line"].is_null(), "the whole file");
    let progress = lines.iter().find(|line| line["level"] == "progress").unwrap();
    assert!(progress["step"].is_string() && progress["message"].is_string(), "{progress}");
    let output = greatness(folder.path(), &["--log", "json", "event", "nothing-1900"]);
    let error: Value = serde_json::from_str(stderr(&output).trim()).unwrap();
    assert_eq!(error["level"], "error");
}

#[test]
fn verbose_prints_all_findings() {
    let folder = folder();
    let mut text = pgn();
    for number in 0..60 {
        text.push_str(&format!("[Event \"Open\"]\n[White \"A{number}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Date \"19x{number}\"]\n\n1.e4 1-0\n\n"));
    }
    fs::write(folder.path().join("mine/games.pgn"), text).unwrap();
    let short = stderr(&good(folder.path(), &["build", "mine", "--out", "out"]));
    let long = stderr(&good(folder.path(), &["build", "mine", "--out", "out", "-v"]));
    assert!(short.contains("more warnings"), "{short}");
    assert!(!long.contains("more warnings"));
    assert!(long.lines().count() > short.lines().count() + 10);
}

#[test]
fn a_game_table_is_written_as_parquet_or_csv_and_never_over_an_input() {
    let folder = folder();
    good(folder.path(), &["ingest", "mine", "--out", "games.csv"]);
    let csv = fs::read_to_string(folder.path().join("games.csv")).unwrap();
    assert!(csv.starts_with("event,site,white,black,date,"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
    let output = greatness(folder.path(), &["ingest", "mine", "--out", "games.txt"]);
    assert!(stderr(&output).contains("end it in .parquet, .csv or .pgn"));
    fs::copy(folder.path().join("mine/games.pgn"), folder.path().join("games.parquet")).unwrap();
    let output = greatness(folder.path(), &["ingest", "games.parquet", "--out", "games.parquet"]);
    assert!(stderr(&output).contains("games.parquet is an input"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("games.parquet")).unwrap(), pgn());
}

#[test]
fn members_without_games_are_reported_in_one_line() {
    let folder = folder();
    let mut zip =
        zip::ZipWriter::new(fs::File::create(folder.path().join("mine/all.zip")).unwrap());
    for (name, text) in [
        ("readme.txt", "Games of Riga."),
        ("b.jpg", "\u{1}\u{2}"),
        ("c.html", "<p>"),
        ("games.pgn", ""),
    ] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        let text =
            if name == "games.pgn" { pgn().replace("1950", "1951") } else { text.to_owned() };
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let output = good(folder.path(), &["build", "mine", "--out", "out"]);
    let about: Vec<String> = stderr(&output)
        .lines()
        .filter(|line| line.contains("all.zip"))
        .map(str::to_owned)
        .collect();
    assert_eq!(about.len(), 1, "{about:?}");
    assert!(stderr(&output).contains("8 games read"), "{}", stderr(&output));
}

#[test]
fn completions_and_manual_pages_are_written() {
    let folder = folder();
    assert!(stdout(&good(folder.path(), &["completions", "bash"])).contains("--dry-run"));
    let page = stdout(&good(folder.path(), &["manual", "build"]));
    assert!(page.contains(".TH greatness-build 1"), "{page}");
    assert!(stdout(&good(folder.path(), &["manual"])).contains(".TH greatness 1"));
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert!(names.iter().all(|entry| !entry.path().ends_with("greatness.1")), "{names:?}");
    let unknown = greatness(folder.path(), &["manual", "bild"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("bild is not a command"), "{}", stderr(&unknown));
    good(folder.path(), &["manual", "--out", "man"]);
    for page in ["greatness.1", "greatness-build.1", "greatness-check.1"] {
        assert!(folder.path().join("man").join(page).is_file(), "{page}");
    }
    let of_server = folder.path().join("man/greatness-serve.1");
    assert_eq!(of_server.is_file(), cfg!(feature = "server"));
}

#[cfg(feature = "server")]
#[test]
fn serving_refuses_addresses_that_are_useless_or_unsafe() {
    let folder = folder();
    fs::write(folder.path().join("index.html"), "").unwrap();
    let desk = ["--decide", "decisions.toml"];
    for (address, more, expected) in [
        ("192.0.2.1", &[][..], "answers only requests to localhost"),
        ("0.0.0.0", &desk, "would open the desk to other machines"),
    ] {
        let arguments = [&["serve", ".", "--port", "0", "--address", address], more].concat();
        let output = greatness(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{address}");
        assert!(stderr(&output).contains(expected), "{address}: {}", stderr(&output));
    }
    assert!(!folder.path().join("decisions.toml").exists());
}

#[test]
fn the_help_says_which_command_was_not_compiled() {
    let folder = folder();
    let help = stdout(&good(folder.path(), &["--help"]));
    let says = help.contains("no command `serve`: it was compiled without the feature `server`");
    assert_eq!(says, cfg!(not(feature = "server")), "{help}");
    assert_eq!(help.contains("\n  serve "), cfg!(feature = "server"), "{help}");
}

#[test]
fn inputs_without_games_get_one_plain_sentence() {
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("program.bin"), [127, 69, 76, 70, 2, 1, 1, 0, 10, 0, 3]).unwrap();
    for (input, expected) in [
        ("empty", "no games: empty: no file in this folder ends in .pgn, .txt, .parquet"),
        ("program.bin", "no games in 1 file; give PGN files"),
        ("program.bin", "program.bin:1: binary data instead of PGN"),
    ] {
        let output = greatness(folder.path(), &["build", input, "--out", "out"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn an_archive_inside_the_collection_is_refused() {
    let folder = folder();
    for out in ["mine/archive", "mine/deep/archive", "mine"] {
        let output = greatness(folder.path(), &["build", "mine", "--out", out]);
        assert_eq!(output.status.code(), Some(1), "{out}");
    }
    let output = greatness(folder.path(), &["build", "mine", "--out", "mine/archive"]);
    assert!(stderr(&output).contains("a path outside of it"), "{}", stderr(&output));
    good(folder.path(), &["build", "mine", "--out", "mine-archive", "--dry-run"]);
}

#[test]
fn impossible_targets_and_threads_are_refused_in_plain_words() {
    let folder = folder();
    fs::write(folder.path().join("afile"), "").unwrap();
    let message = stderr(&greatness(folder.path(), &["build", "mine", "--out", "afile"]));
    assert!(message.contains("afile is a file; name a folder for the archive"), "{message}");
    for number in ["0", "5000", "x"] {
        let message = stderr(&greatness(folder.path(), &["build", "mine", "--threads", number]));
        assert!(message.contains("give a number from 1 to 1024"), "{message}");
    }
}

#[test]
fn every_help_ends_with_two_examples_that_are_understood() {
    let all = stdout(&greatness_here(&["--help"]));
    let commands = all.split_once("Commands:").unwrap().1.split("Options:").next().unwrap();
    let names = commands.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    for name in names {
        let help = stdout(&greatness_here(&[&name, "--help"]));
        let examples = help.split_once("Examples:\n").map_or("", |(_, examples)| examples);
        let lines: Vec<&str> = examples.lines().map(str::trim).collect();
        assert_eq!(lines.iter().filter(|line| !line.is_empty()).count(), 2, "{name}");
        for line in lines.iter().filter(|line| !line.is_empty()) {
            let typed = line.split(" > ").next().unwrap();
            let words: Vec<&str> = typed.split(' ').skip(1).chain(["--help"]).collect();
            let output = greatness_here(&words);
            assert!(output.status.success(), "{line}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_player_of_later_years_is_missed_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let output = greatness(folder.path(), &["compare", "Fischer", "Kasparov", "--year", "1970"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("no player is called Kasparov"), "{message}");
    assert!(message.contains("end with 1970") && message.contains("--other-year"), "{message}");
}
