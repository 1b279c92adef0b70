//! Tests `greatness build`: its inputs, messages and exit codes.

use std::fs;
use std::path::Path;

use crate::support::{greatness, stderr, stdout};

/// A double round robin of three players whose names try to inject code, formulas and paths.
fn hostile_pgn() -> String {
    let names = ["<script>alert(1)</script>, A", "=HYPERLINK(\\\"x\\\"), B", "../../etc/passwd, C"];
    let mut pgn = String::new();
    for (white, black) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
        pgn.push_str(&format!(
            "[Event \"<b>Cup</b>\"]\n[Site \"..\"]\n[Date \"1999.??.??\"]\n[White \"{}\"]\n\
             [Black \"{}\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2450\"]\n\n1-0\n\n",
            names[white], names[black]
        ));
    }
    pgn
}

fn build(folder: &Path, arguments: &[&str]) -> std::process::Output {
    greatness(folder, &[&["build", "--out", "out"], arguments].concat())
}

#[test]
fn a_missing_input_stops_the_build_and_the_dry_run_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.pgn"), hostile_pgn()).unwrap();
    for flag in ["--pgn", "--ratings", "--aliases", "--spelling"] {
        for more in [&[][..], &["--dry-run"]] {
            let arguments = [&["--pgn", "cup.pgn", flag, "gone"], more].concat();
            let output = build(folder.path(), &arguments);
            assert_eq!(output.status.code(), Some(1), "{flag}");
            let message = "greatness: gone: no such file or folder; nothing was read or written\n";
            assert_eq!(stderr(&output), message, "{flag}");
        }
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_dry_run_refuses_and_reports_what_a_build_would() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cup.pgn"), hostile_pgn()).unwrap();
    fs::write(folder.join("names.toml"), "[[player]\nname = 1\n").unwrap();
    fs::write(folder.join("d.toml"), "[x-1900]\nauthor = \"A\"\nreason = \"R\"\n").unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    let inputs = ["--pgn", "cup.pgn", "--aliases", "names.toml", "--decisions", "d.toml"];
    let output = build(folder, &[&["--dry-run"], &inputs[..]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let messages = stderr(&output);
    for part in
        ["error: names.toml", "one decision has no date", "d.toml:1: x-1900: this decides nothing"]
    {
        assert!(messages.contains(part), "{part} in {messages}");
    }
    let output = build(folder, &["--dry-run", "--pgn", "empty"]);
    assert_eq!(output.status.code(), Some(1), "a folder without games");
    assert!(stderr(&output).contains("no games: "), "{}", stderr(&output));
}

#[test]
fn without_any_game_the_build_fails_and_states_why() {
    let folder = tempfile::tempdir().unwrap();
    let output = build(folder.path(), &["--pgn", "gone.pgn"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("gone.pgn: no such file or folder"), "{}", stderr(&output));
}

#[test]
fn a_damaged_collection_and_rating_list_are_reported_and_the_rest_is_built() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.pgn"), hostile_pgn()).unwrap();
    let mut packed = zstd::encode_all(hostile_pgn().as_bytes(), 3).unwrap();
    packed.truncate(packed.len() / 2);
    fs::write(folder.path().join("broken.pgn.zst"), packed).unwrap();
    fs::write(folder.path().join("list.csv"), "date,name,rating\nnever,nobody,none\n").unwrap();
    let output = build(
        folder.path(),
        &["--pgn", "cup.pgn", "--pgn", "broken.pgn.zst", "--ratings", "list.csv"],
    );
    assert_eq!(output.status.code(), Some(2));
    let messages = stderr(&output);
    assert!(messages.contains("error: broken.pgn.zst: cannot be unpacked"), "{messages}");
    assert!(messages.contains("error: list.csv: only 0 of 1 lines can be read"), "{messages}");
    assert!(messages.contains("warning: list.csv:2: \"none\" is not a rating"), "{messages}");
    let diagnostics = fs::read_to_string(folder.path().join("out/data/diagnostics.csv")).unwrap();
    assert_eq!(diagnostics.lines().count(), 4, "{diagnostics}");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.pgn"), hostile_pgn()).unwrap();
    for (threads, out) in [("1", "one"), ("4", "four")] {
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_greatness"))
            .args(["build", "--pgn", "cup.pgn", "--out", out])
            .env("RAYON_NUM_THREADS", threads)
            .env("POLARS_MAX_THREADS", threads)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(status.status.success());
    }
    for file in ["index.html", "data/events.csv", "data/greatness.json", "data/games.parquet"] {
        let [one, four] =
            ["one", "four"].map(|out| fs::read(folder.path().join(out).join(file)).unwrap());
        assert!(one == four, "{file} differs");
    }
}

#[test]
fn a_folder_that_is_not_an_archive_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.pgn"), hostile_pgn()).unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/thesis.txt"), "years of work").unwrap();
    let output = build(folder.path(), &["--pgn", "cup.pgn"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(folder.path().join("out/thesis.txt").is_file());
}

#[test]
fn an_archive_of_other_games_is_replaced_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["cup.pgn", "league.pgn"] {
        fs::write(folder.path().join(name), hostile_pgn()).unwrap();
    }
    assert!(build(folder.path(), &["--pgn", "cup.pgn"]).status.success());
    let index = folder.path().join("out/data/inputs.json");
    let before = fs::read_to_string(&index).unwrap();
    for arguments in [&["--pgn", "league.pgn"][..], &[], &["--pgn", "league.pgn", "--dry-run"]] {
        let output = build(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1));
        let message = stderr(&output);
        assert!(message.contains("an archive of cup.pgn") && message.contains("--replace"));
        assert_eq!(fs::read_to_string(&index).unwrap(), before);
    }
    let both = ["--pgn", "cup.pgn", "--pgn", "league.pgn"];
    for arguments in [&both[..], &["--pgn", "league.pgn"], &["--pgn", "cup.pgn", "--replace"]] {
        let output = build(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn other_games_in_a_file_of_the_same_name_do_not_replace_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.pgn");
    let read = |text: &str, arguments: &[&str]| {
        fs::write(&file, text).unwrap();
        build(folder.path(), &[&["--pgn", "cup.pgn"], arguments].concat())
    };
    let [first, second] = ["Player", "Person"].map(table_of_ten);
    assert!(read(&first, &[]).status.success());
    let other = read(&second, &[]);
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("none of its games was read"), "{}", stderr(&other));
    for (text, arguments) in
        [(format!("{second}{first}"), &[][..]), (first, &[]), (second, &["--replace"])]
    {
        let output = read(&text, arguments);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    // The bundled archive can be built again, so it needs no question.
    let (other, bundled) = (tempfile::tempdir().unwrap(), folder.path().join("games"));
    fs::create_dir(&bundled).unwrap();
    fs::rename(&file, bundled.join("cup.pgn")).unwrap();
    let out = other.path().join("out");
    let arguments = ["build", "--pgn", "games", "--out", out.to_str().unwrap()];
    assert!(greatness(folder.path(), &arguments).status.success());
    let plain = greatness(other.path(), &["build", "--out", "out"]);
    assert_eq!(plain.status.code(), Some(1), "a folder that is called like the bundled one");
}

/// A round robin of ten players with these names, without moves.
fn table_of_ten(name: &str) -> String {
    let mut pgn = String::new();
    for white in 0..10 {
        for black in (0..10).filter(|black| *black != white) {
            pgn.push_str(&format!(
                "[Event \"Cup\"]\n[Site \"Oslo\"]\n[Date \"1999.??.??\"]\n[White \"{name}{white}\"]\n\
                 [Black \"{name}{black}\"]\n[Result \"1-0\"]\n\n1-0\n\n"
            ));
        }
    }
    pgn
}

#[test]
fn a_settings_file_is_used_and_its_mistakes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.pgn"), hostile_pgn()).unwrap();
    fs::write(
        folder.path().join("greatness.toml"),
        "[input]\npgn = [\"cup.pgn\"]\n[output]\ndirectory = \"site\"\n",
    )
    .unwrap();
    let output = greatness(folder.path(), &["build", "--config", "greatness.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output).trim(), "site/index.html");
    fs::write(folder.path().join("greatness.toml"), "[lists]\nminimum_game = 3\n").unwrap();
    let output = greatness(folder.path(), &["build", "--config", "greatness.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("greatness.toml") && message.contains("line 2"), "{message}");
}

#[test]
fn packed_collections_patterns_and_standard_input_are_read() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(hostile_pgn().as_bytes()).unwrap();
    fs::write(folder.path().join("cup.pgn.gz"), packer.finish().unwrap()).unwrap();
    let output = build(folder.path(), &["--pgn", "*.gz"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("6 games read = 6 in events"), "{}", stderr(&output));

    let mut child = Command::new(env!("CARGO_BIN_EXE_greatness"))
        .args(["build", "--pgn", "-", "--out", "piped"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(hostile_pgn().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(folder.path().join("piped/index.html").is_file());
}
