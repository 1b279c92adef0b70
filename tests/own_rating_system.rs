//! A rating system is one file and one line: the example `own_rating_system` registers one, and it
//! appears wherever the bundled systems do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use greatness::systems::System;

use crate::support::{example, stderr, stdout};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let program = example("own_rating_system");
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    output
}

fn games_of(decade: &str) -> String {
    let name = format!("data/games/{decade}.pgn.zst");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string()
}

#[test]
fn commands_and_settings_know_a_registered_system() {
    let folder = tempfile::tempdir().unwrap();
    let help = stdout(&run(folder.path(), &["ratings", "--help"]));
    assert!(help.contains("average-score"), "{help}");
    run(folder.path(), &["init", "."]);
    let settings = fs::read_to_string(folder.path().join("greatness.toml")).unwrap();
    assert!(settings.contains("[systems.average-score]"), "{settings}");
    let list =
        stdout(&run(folder.path(), &["ratings", "average-score", "--pgn", &games_of("1890s")]));
    assert!(list.contains("Lasker"), "{list}");
}

#[test]
fn an_archive_has_the_lists_the_comparison_and_the_method_of_a_registered_system() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[ratings]\norder = [\"computed:average-score\"]\n";
    fs::write(folder.path().join("greatness.toml"), settings).unwrap();
    let [before, after] = ["1920s", "1930s"].map(games_of);
    run(folder.path(), &["build", &before, &after, "--out", "archive", "--no-sync"]);
    let archive = folder.path().join("archive");
    for (file, name) in [
        ("data/comparison.csv", "Average score"),
        ("comparison.html", "Average score"),
        ("method.html", "Average score"),
        ("data/events.csv", "Computed average score"),
    ] {
        assert!(fs::read_to_string(archive.join(file)).unwrap().contains(name), "{file}");
    }
    assert!(archive.join("data/systems/average-score.parquet").is_file());
}

/// Code that names contestants of the laboratory as data: those that run by default or in an
/// experiment, and those whose figures are published or drawn.
const DATA: [&str; 5] = [
    "crates/rating-systems/src/laboratory/bundled.rs",
    "crates/rating-systems/src/laboratory/contestant.rs",
    "crates/rating-systems/src/laboratory/experiments/",
    "crates/rating-systems/src/laboratory/published.rs",
    "crates/site/src/pages/laboratory.rs",
];

/// Other meanings of a system's word: columns of exports, and a curve of expected scores.
const OTHER_MEANINGS: [(&str, &str); 5] = [
    ("crates/archive/src/exports/event_tables.rs", "berkin"),
    ("crates/archive/src/exports/event_tables.rs", "linear"),
    ("crates/archive/src/exports/forecast_tables.rs", "linear"),
    ("crates/archive/src/exports/moves_tables.rs", "elo"),
    ("src/cli/performance/opponents.rs", "linear"),
];

/// The folders in which systems are defined.
const SYSTEMS: &str = "crates/rating-systems/src/systems/";

fn sources(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = walkdir::WalkDir::new(root).into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// The code of a file, without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    text[..end].to_owned()
}

#[test]
fn no_code_outside_of_a_system_s_own_folder_names_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named = Vec::new();
    for folder in ["src", "crates/archive/src", "crates/rating-systems/src", "crates/site/src"] {
        for path in sources(folder) {
            let shown = path.strip_prefix(root).unwrap().display().to_string();
            let is_of_a_system =
                shown.strip_prefix(SYSTEMS).is_some_and(|inside| inside.contains('/'));
            if is_of_a_system || DATA.iter().any(|data| shown.starts_with(data)) {
                continue;
            }
            let text = code(&path);
            for system in System::all() {
                let word = system.about.word;
                let is_other = OTHER_MEANINGS.contains(&(shown.as_str(), word));
                if text.contains(&format!("\"{word}\"")) && !is_other {
                    named.push(format!("{shown}: {word}"));
                }
            }
        }
    }
    assert_eq!(named, Vec::<String>::new());
}
