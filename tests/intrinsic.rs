//! Tests intrinsic performance ratings: the published figures, faults of the engine, and runs that
//! are killed and resumed.

#![cfg(unix)]
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::{case, example, stderr, stdout};
use greatness::intrinsic::{
    Cache, EngineAnalysis, EnginePosition, EngineSettings, Job, RatingLine, introduce, line,
};
use greatness::tables::read_turns;
use rand::{RngExt, SeedableRng};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use tempfile::TempDir;

/// A row of the published tables.
struct Row {
    fields: BTreeMap<String, String>,
}

impl Row {
    fn text(&self, column: &str) -> &str {
        &self.fields[column]
    }

    fn number(&self, column: &str) -> Option<f64> {
        self.fields[column].parse().ok()
    }
}

fn published() -> Vec<Row> {
    let mut reader = csv::Reader::from_path(case("intrinsic/published.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let fields = header.iter().zip(&row).map(|(name, value)| (name.into(), value.into()));
        Row { fields: fields.collect() }
    });
    rows.collect()
}

#[test]
fn published_intervals_are_symmetric_with_ratio_1_4_except_known_misprints() {
    let rows = published();
    assert_eq!(rows.len(), 353);
    let (mut both, mut odd) = (0, Vec::new());
    for row in &rows {
        let bounds =
            ["ipr", "low", "high", "actual_low", "actual_high"].map(|name| row.number(name));
        let [Some(ipr), Some(low), Some(high), Some(actual_low), Some(actual_high)] = bounds else {
            continue;
        };
        both += 1;
        let middle = |low: f64, high: f64| ((low + high) / 2.0 - ipr).abs();
        let ratio = (actual_high - actual_low) / (high - low);
        let fits = middle(low, high) <= 2.0
            && middle(actual_low, actual_high) <= 2.0
            && (ratio - 1.4).abs() <= 0.035;
        if !fits {
            odd.push((row.text("name").to_owned(), row.text("misprint").to_owned()));
        }
    }
    assert_eq!(both, 325);
    assert!(odd.iter().all(|(_, misprint)| misprint.contains("range not about")), "{odd:?}");
    assert_eq!(odd.len(), 8, "{odd:?}");
}

#[test]
fn regression_of_table_2_is_the_printed_one() {
    let rows = published();
    let of_2006: Vec<&Row> = rows
        .iter()
        .filter(|row| row.text("table") == "2" && row.text("period").starts_with("2006"))
        .collect();
    assert_eq!(of_2006.len(), 12);
    let points: Vec<(f64, f64)> = of_2006
        .iter()
        .map(|row| (row.number("elo").unwrap() / 1000.0, row.number("c").unwrap()))
        .collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let xy: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let xx: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let (slope, intercept) = (xy / xx, y - xy / xx * x);
    assert!((intercept - 0.32442).abs() < 5e-6, "{intercept}");
    assert!((slope - 0.0696503).abs() < 5e-7, "{slope}");
    for row in of_2006 {
        let fitted = intercept + slope * row.number("elo").unwrap() / 1000.0;
        assert!((fitted - row.number("c_fit").unwrap()).abs() <= 0.001, "{fitted}");
    }
}

#[test]
fn published_averages_agree_with_their_captions() {
    let rows = published();
    // Table 12 has sixteen matches; its number of moves leaves out 1974.
    let matches: Vec<&Row> = rows
        .iter()
        .filter(|row| row.text("table") == "12" && row.text("name").starts_with("Wch"))
        .filter(|row| !row.text("name").contains(" g"))
        .collect();
    let iprs: Vec<f64> = matches.iter().filter_map(|row| row.number("ipr")).collect();
    let turns: f64 = matches
        .iter()
        .filter(|row| row.text("name") != "Wch 1974")
        .filter_map(|row| row.number("turns"))
        .sum();
    assert_eq!(turns, 19_147.0);
    let mean = iprs.iter().sum::<f64>() / iprs.len() as f64;
    assert_eq!(iprs.len(), 16);
    assert!((mean - 2742.0).abs() < 1.0, "{mean}");
}

#[test]
fn line_is_fitted_through_points_of_rating_and_skill() {
    let (found, r) = line(&[(2700.0, 0.1), (2500.0, 0.14), (2300.0, 0.18)]).unwrap();
    assert!((r + 1.0).abs() < 1e-12);
    let RatingLine { intercept, slope } = found;
    assert!((intercept - 3200.0).abs() < 1e-9 && (slope + 5000.0).abs() < 1e-9);
}

/// The path of the scripted engine.
fn scripted() -> PathBuf {
    example("scripted-engine")
}

/// A folder with an engine that fails at one position, at all or at none, and its log.
struct Script {
    folder: TempDir,
    program: PathBuf,
}

impl Script {
    fn of(milliseconds: u32, fault: &str, at: Option<&str>) -> Script {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("engine.sh");
        let at = at.map(|at| format!("'{at}'")).unwrap_or_default();
        let text = format!(
            "#!/bin/sh\nexec '{}' '{}' {milliseconds} '{fault}' {at}\n",
            scripted().display(),
            folder.path().join("log").display()
        );
        std::fs::write(&program, text).unwrap();
        let mut permissions = std::fs::metadata(&program).unwrap().permissions();
        permissions.set_mode(0o755);
        std::fs::set_permissions(&program, permissions).unwrap();
        Script { folder, program }
    }

    fn settings(&self) -> EngineSettings {
        EngineSettings { patience: Duration::from_secs(2), ..EngineSettings::of(&self.program) }
    }

    /// How often the engine searched each position with all moves.
    fn searched(&self) -> BTreeMap<String, usize> {
        let text = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let mut searched = BTreeMap::new();
        for line in text.lines() {
            *searched.entry(line.to_owned()).or_default() += 1;
        }
        searched
    }
}

/// A game of random moves.
fn game(seed: u64, plies: usize) -> (Vec<Chess>, String) {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut position = Chess::default();
    let (mut positions, mut text) = (Vec::new(), String::new());
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        positions.push(position.clone());
        let played = moves[random.random_range(0..moves.len())];
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        let san = SanPlus::from_move_and_play_unchecked(&mut position, played);
        text.push_str(&format!("{san} "));
    }
    (positions, text)
}

fn jobs(positions: &[Chess]) -> Vec<Job> {
    positions
        .iter()
        .filter(|position| position.legal_moves().len() > 5)
        .map(|position| {
            let asked = EnginePosition::of(position);
            // The last of all legal moves is usually not among the listed ones.
            let played = asked.position_moves().into_iter().next_back();
            Job { position: asked.key(), played: played.into_iter().collect() }
        })
        .collect()
}

#[test]
fn each_engine_fault_is_reported_and_affects_one_position_only() {
    let (positions, _) = game(3, 24);
    let asked = jobs(&positions[4..]);
    let bad = EnginePosition::unpacked(&asked[5].position).unwrap().epd();
    for (fault, expected) in [
        ("silent", "did not answer"),
        ("exit", "ended unexpectedly"),
        ("half-line", "ended unexpectedly"),
        ("garbage", "no depth with all lines"),
        ("long-line", "no depth with all lines"),
        ("bounds", "no depth with all lines"),
        ("none", "no best move"),
        ("illegal", "not legal"),
        ("twice", "twice"),
    ] {
        let script = Script::of(0, fault, Some(&bad));
        let cache = Cache::open(&script.folder.path().join("cache")).unwrap();
        let engine = introduce(&script.settings(), &cache).unwrap();
        let key = engine.key.clone();
        let stop = AtomicBool::new(false);
        let analysis = EngineAnalysis { cache: &cache, engines: 2, stop: &stop };
        let found = analysis.run(&asked, engine, &mut |_| ()).unwrap();
        assert_eq!(found.done, asked.len() - 1, "{fault}");
        assert_eq!(found.failures.len(), 1, "{fault}");
        let failure = &found.failures[0];
        assert_eq!(failure.epd, bad, "{fault}");
        let message = failure.error.to_string();
        assert!(message.contains(expected), "{fault}: {message}");
        if fault == "exit" {
            assert!(message.contains("out of memory, says the script"), "{message}");
        }
        let searched = script.searched();
        assert_eq!(searched[&format!("{bad} ")], 2, "{fault}: once more on a new process");
        let missing = greatness::intrinsic::missing(&asked, &key, &cache).unwrap();
        assert_eq!(missing, 1, "{fault}: the others are in the cache");
    }
}

#[test]
fn engine_that_sometimes_dies_loses_no_position() {
    let (positions, _) = game(4, 40);
    let asked = jobs(&positions[4..]);
    let script = Script::of(0, "dies-at-seven", None);
    let cache = Cache::open(&script.folder.path().join("cache")).unwrap();
    let engine = introduce(&script.settings(), &cache).unwrap();
    let stop = AtomicBool::new(false);
    let analysis = EngineAnalysis { cache: &cache, engines: 1, stop: &stop };
    let found = analysis.run(&asked, engine, &mut |_| ()).unwrap();
    assert_eq!((found.done, found.failures.len()), (asked.len(), 0));
}

#[test]
fn engine_that_always_fails_ends_the_run_with_its_message() {
    let (positions, _) = game(5, 24);
    let asked = jobs(&positions[4..]);
    let fine = Script::of(0, "", None);
    let cache = Cache::open(&fine.folder.path().join("cache")).unwrap();
    drop(introduce(&fine.settings(), &cache).unwrap());
    for (fault, expected) in [("no-uciok", "did not answer"), ("exit", "ended unexpectedly")] {
        let script = Script::of(0, fault, None);
        let failed = introduce(&script.settings(), &cache).map(|_| ()).unwrap_err().to_string();
        assert!(failed.contains(expected), "{fault}: {failed}");
    }
    // An engine that starts to fail after its introduction: three failures in a row end the run.
    let script = Script::of(0, "garbage", Some("r"));
    let engine = introduce(&fine.settings(), &cache).unwrap();
    drop(engine);
    let stop = AtomicBool::new(false);
    let engine =
        introduce(&EngineSettings { program: script.program.clone(), ..fine.settings() }, &cache);
    // All known positions except the endgame begin with a rook.
    let failed = match engine {
        Ok(engine) => EngineAnalysis { cache: &cache, engines: 1, stop: &stop }
            .run(&asked, engine, &mut |_| ())
            .map(|_| ())
            .unwrap_err()
            .to_string(),
        Err(error) => error.to_string(),
    };
    assert!(failed.contains("invalid answer"), "{failed}");
    let other = Script::of(0, "other-values", None);
    let failed = introduce(&other.settings(), &cache).map(|_| ()).unwrap_err().to_string();
    assert!(failed.contains("another engine"), "{failed}");
    let none = EngineSettings::of("no-such-engine-anywhere");
    let failed = introduce(&none, &cache).map(|_| ()).unwrap_err().to_string();
    assert!(failed.contains("apt-get install stockfish"), "{failed}");
}

#[test]
fn values_do_not_depend_on_order_or_number_of_engines() {
    let (positions, _) = game(6, 40);
    let asked = jobs(&positions[4..]);
    let mut backwards = asked.clone();
    backwards.reverse();
    let mut found = Vec::new();
    for (jobs, engines) in [(&asked, 1), (&backwards, 2), (&asked, 7)] {
        let script = Script::of(0, "", None);
        let cache = Cache::open(&script.folder.path().join("cache")).unwrap();
        let engine = introduce(&script.settings(), &cache).unwrap();
        let number = greatness::intrinsic::engine_number(&engine.key);
        let stop = AtomicBool::new(false);
        let analysis = EngineAnalysis { cache: &cache, engines, stop: &stop };
        analysis.run(jobs, engine, &mut |_| ()).unwrap();
        found.push(cache.found(number, asked.iter().map(|job| job.position.bytes())).unwrap());
    }
    assert!(found[0].iter().all(Option::is_some));
    assert!(found[0] == found[1] && found[1] == found[2]);
}

/// A double round robin of three players with random moves.
fn collection(folder: &Path) -> PathBuf {
    let players = ["Alpha, Ann", "Beta, Bob", "Gamma, Gus"];
    let mut text = String::new();
    let mut round = 0;
    for (white, black) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
        round += 1;
        let (_, moves) = game(100 + round, 70);
        text.push_str(&format!(
            "[Event \"Lot\"]\n[Site \"Wien\"]\n[Date \"1999.05.0{round}\"]\n[Round \"{round}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"1/2-1/2\"]\n\n{moves}1/2-1/2\n\n",
            players[white], players[black]
        ));
    }
    let path = folder.join("lot.pgn");
    std::fs::write(&path, text).unwrap();
    path
}

fn intrinsic(script: &Script, folder: &Path, more: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_greatness"));
    command
        .args(["intrinsic", "--pgn"])
        .arg(folder.join("lot.pgn"))
        .arg("--engine")
        .arg(&script.program)
        .args(more)
        .current_dir(folder);
    command
}

#[test]
fn killed_run_resumes_and_writes_the_same_bytes() {
    let script = Script::of(8, "", None);
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let whole = intrinsic(&script, folder.path(), &["--cache", "whole", "--out", "whole.parquet"])
        .output()
        .unwrap();
    assert!(whole.status.success(), "{}", stderr(&whole));
    assert!(stdout(&whole).contains("no rating"), "{}", stdout(&whole));
    let needed = script.searched();
    std::fs::remove_file(script.folder.path().join("log")).unwrap();

    let killed = ["--cache", "killed", "--out", "killed.parquet", "--jobs", "1"];
    let mut child = intrinsic(&script, folder.path(), &killed)
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // Wait for the first commit, but not for the end.
    let all: usize = needed.values().sum();
    for _ in 0..2000 {
        std::thread::sleep(Duration::from_millis(10));
        if script.searched().values().sum::<usize>() > all * 3 / 4 {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before: usize = script.searched().values().sum();
    assert!(before < all, "it was killed half-way: {before} of {all}");
    assert!(!folder.path().join("killed.parquet").exists());
    let again = intrinsic(&script, folder.path(), &killed).output().unwrap();
    assert!(again.status.success(), "{}", stderr(&again));
    let searched = script.searched();
    // Three positions verify that it is the same engine.
    let twice = searched.values().filter(|times| **times > 1).count();
    assert!(searched.len() == needed.len(), "{} {}", searched.len(), needed.len());
    // Positions searched in the two seconds before the kill, at nine milliseconds or more each.
    assert!(twice <= 3 + 2_500 / 9, "{twice} of {} twice", needed.len());
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("whole.parquet") == bytes("killed.parquet"));
    // With all answers cached, the engine is only verified.
    let log = script.searched().values().sum::<usize>();
    let third = intrinsic(&script, folder.path(), &killed).output().unwrap();
    assert!(third.status.success());
    assert_eq!(script.searched().values().sum::<usize>(), log + 3);
    let none = intrinsic(&script, folder.path(), &["--cache", "killed", "--no-engine"]).output();
    let none = none.unwrap();
    assert!(none.status.success(), "{}", stderr(&none));
    assert_eq!(script.searched().values().sum::<usize>(), log + 3);
    assert!(bytes("turns.parquet") == bytes("whole.parquet"));
}

#[test]
fn shards_of_several_machines_are_merged() {
    let script = Script::of(0, "", None);
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let run = |more: &[&str]| {
        let output = intrinsic(&script, folder.path(), more).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run(&["--cache", "whole", "--out", "whole.parquet"]);
    for (shard, cache) in [("1/3", "a"), ("2/3", "b"), ("3/3", "c")] {
        run(&["--cache", cache, "--shard", shard]);
    }
    let merge = crate::support::greatness(
        folder.path(),
        &["intrinsic", "merge", "a", "b", "c", "--out", "joined"],
    );
    assert!(merge.status.success(), "{}", stderr(&merge));
    run(&["--cache", "joined", "--out", "joined.parquet", "--no-engine"]);
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("whole.parquet") == bytes("joined.parquet"));
    let wrong = intrinsic(&script, folder.path(), &["--shard", "4/3"]).output().unwrap();
    assert!(stderr(&wrong).contains("from 1/5 to 5/5"), "{}", stderr(&wrong));
}

#[test]
fn build_shows_turns_on_its_pages() {
    let script = Script::of(0, "", None);
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let run = intrinsic(&script, folder.path(), &["--out", "turns.parquet"]).output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    let table = read_turns(&folder.path().join("turns.parquet")).unwrap();
    assert_eq!(table.len(), 1);
    assert_eq!(table[0].games.len(), 6);
    std::fs::write(
        folder.path().join("greatness.toml"),
        "[input]\npgn = [\"lot.pgn\"]\nintrinsic = [\"turns.parquet\"]\n[ratings]\ncompute = false\n",
    )
    .unwrap();
    let build = crate::support::greatness(
        folder.path(),
        &["build", "--config", "greatness.toml", "--out", "archive"],
    );
    assert!(build.status.success(), "{}", stderr(&build));
    let data = std::fs::read_to_string(folder.path().join("archive/data/intrinsic.csv")).unwrap();
    assert_eq!(data.lines().count(), 1 + 1 + 3, "{data}");
    let turns: usize = table[0]
        .games
        .iter()
        .flat_map(|game| &game.turns)
        .filter(|turn| turn.left_out.is_none())
        .count();
    let event = data.lines().nth(1).unwrap();
    assert!(event.contains(&format!(",,{turns},")), "{event} {turns}");
    assert!(event.contains("Scripted 1"), "{event}");
    let page = std::fs::read_to_string(folder.path().join("archive/moves.html")).unwrap();
    assert!(page.contains("Quality of the moves"));
    let id = event.split(',').next().unwrap();
    let page =
        std::fs::read_to_string(folder.path().join(format!("archive/events/{id}.html"))).unwrap();
    assert!(page.contains("No rating: "), "{page}");
}
