//! Tests that the documents are true.
//!
//! Every command in them runs and prints the output shown. Their numbers are those of the bundled
//! archive. Their links have targets, and the code has the items that the glossary names.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use greatness::archive::{Citation, DataSources};

use crate::support::crate_map::CrateMap;
use crate::support::{Bundled, case, greatness, input_text, stdout};
use snapbox::assert_data_eq;
use snapbox::data::DataFormat;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the text of a file of the project.
fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns all documents with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> =
        ["README.md", "DESIGN.md", "CONTRIBUTING.md"].map(|name| root().join(name)).into();
    let docs = walkdir::WalkDir::new(root().join("docs")).into_iter();
    let files =
        docs.map(|entry| entry.expect("a document")).filter(|entry| entry.file_type().is_file());
    paths.extend(files.map(walkdir::DirEntry::into_path));
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a text");
            (path, text)
        })
        .collect()
}

/// Returns the commands of the blocks marked `console`, each with the output below it.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.lines() {
            match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => {
                    output.push_str(line);
                    output.push('\n');
                }
                (None, None) => panic!("text before the first command: {line}"),
            }
        }
    }
    found
}

/// Starts a preview, and waits until it prints its address.
fn preview(folder: &Path, arguments: &[&str]) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_greatness"))
        .args(arguments)
        .args(["--port", "0"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut address = String::new();
    let output = server.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut address).expect("a line");
    server.kill().expect("it runs until it is stopped");
    server.wait().expect("it ends");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
}

/// A file of the SCID database of a few games.
fn database(name: &str) -> PathBuf {
    root().join("crates/chess-databases/tests/data").join(name)
}

#[test]
fn every_command_runs_and_prints_the_output_shown() {
    for (path, text) in documents() {
        let folder = tempfile::tempdir().expect("a folder");
        for (from, to) in [
            (case("site/small.pgn"), "my-collection/small.pgn"),
            (database("games.si4"), "my-base.si4"),
            (database("games.sn4"), "my-base.sn4"),
            (database("games.sg4"), "my-base.sg4"),
            (input_text("isle-of-lewis-1995.txt"), "data/examples/isle-of-lewis-1995.txt"),
            (input_text("frankfurt-1997.txt"), "data/examples/frankfurt-1997.txt"),
        ] {
            let to = folder.path().join(to);
            fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            fs::copy(from, to).expect("copied");
        }
        for (command, expected) in commands(&text) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let ["greatness", arguments @ ..] = &words[..] else {
                panic!("{}: {command} is not a command of greatness", path.display())
            };
            if arguments.first() == Some(&"serve") {
                if cfg!(feature = "server") {
                    preview(folder.path(), arguments);
                }
                continue;
            }
            let output = greatness(folder.path(), arguments);
            let messages = crate::support::stderr(&output);
            assert!(output.status.success(), "{}: {command}\n{messages}", path.display());
            if !expected.is_empty() {
                let found = snapbox::Data::text(stdout(&output)).coerce_to(DataFormat::Text);
                assert_data_eq!(found, snapbox::Data::text(expected));
            }
        }
    }
}

/// Formats a number below a million with a comma.
fn thousands(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

#[test]
fn the_numbers_of_the_readme_are_those_of_the_bundled_archive() {
    let readme = read("README.md");
    let archive = Bundled::get();
    for row in archive.table("greatness").iter().take(5) {
        let [player, event] = ["player", "event"].map(|key| row[key].as_str().expect("a text"));
        let line = format!(
            "| {} | {:.2} | {player}: {event} |",
            row["rank"],
            row["g_score"].as_f64().expect("a number")
        );
        assert!(readme.contains(&line), "{line}");
    }
    let events = archive.table("events").len();
    assert!(readme.contains(&format!("{} events", thousands(events))), "{events} events");
    let games = archive
        .messages
        .lines()
        .find_map(|line| line.split_once(" read = ")?.1.split_once(" in events"))
        .and_then(|(games, _)| games.parse().ok())
        .expect("the summary");
    assert!(readme.contains(&format!("{} games", thousands(games))), "{games} games");
    let help = greatness(root(), &["--help"]);
    for line in stdout(&help).lines().skip_while(|line| *line != "Commands:").skip(1) {
        let Some(command) = line.strip_prefix("  ").and_then(|line| line.split("  ").next()) else {
            break;
        };
        let is_command = !command.is_empty() && command != "help";
        let row = format!("| `greatness {command}` |");
        assert!(!is_command || readme.contains(&row), "{row}");
    }
}

#[test]
fn links_between_documents_have_targets() {
    for (path, text) in documents() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.contains(['$', '`', '"']) {
                continue;
            }
            let file = link.split('#').next().unwrap_or_default();
            let target = path.parent().expect("a folder").join(file);
            assert!(target.exists(), "{}: {link}", path.display());
        }
    }
}

#[test]
fn the_items_that_the_glossary_names_are_in_the_code() {
    let library = [
        "src",
        "crates/archive/src",
        "crates/chess-history/src",
        "crates/pgn-collections/src",
        "crates/rating-systems/src",
    ]
    .map(|folder| CrateMap::read(&root().join(folder)));
    let [archive, site, intrinsic, app] =
        ["archive", "site", "intrinsic-ratings", "tournament-app"]
            .map(|name| CrateMap::read(&root().join(format!("crates/{name}/src"))));
    let is_there = |place: &str| {
        let path: Vec<String> = place.split("::").map(str::to_owned).collect();
        match path.split_first() {
            Some((first, rest)) if first == "archive" => archive.has(rest),
            Some((first, rest)) if first == "site" => site.has(rest),
            Some((first, rest)) if first == "tournament" => app.has(rest),
            Some((first, rest)) if first == "intrinsic" => intrinsic.has(rest),
            _ => library.iter().any(|part| part.has(&path)),
        }
    };
    let glossary = read("docs/glossary.md");
    let places = glossary.split('`').skip(1).step_by(2).filter(|place| place.contains("::"));
    let missing: Vec<&str> = places.filter(|place| !is_there(place)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    // The path counts, not only the name.
    assert!(is_there("events::SegmentKind::Extra") && is_there("tournament::EventPart::PlayOff"));
    assert!(!is_there("games::SegmentKind::Extra") && !is_there("events::SegmentKind::Cycle"));
    assert!(!is_there("tournament::Kind::PlayOff"));
}

#[test]
fn the_files_of_a_release_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    let citation = read("CITATION.cff");
    let [cited_version, date] = ["version: ", "date-released: "]
        .map(|key| citation.lines().find_map(|line| line.strip_prefix(key)));
    assert_eq!(cited_version, Some(version));
    let date = date.expect("a date");
    let changelog = read("CHANGELOG.md");
    let sections: Vec<&str> =
        changelog.lines().filter_map(|line| line.strip_prefix("## ")).take(2).collect();
    assert_eq!(sections, ["[Unreleased]".to_owned(), format!("[{version}] - {date}")]);
    // This crate is a separate workspace, so it cannot inherit the version.
    let cluster = read("crates/cluster/Cargo.toml");
    assert!(cluster.contains(&format!("\nversion = \"{version}\"\n")), "{cluster}");
    let workflow = read("docs/publish-archive.yml");
    assert!(workflow.contains(&format!("/greatness@v{version}\n")), "{workflow}");
    // Pages are cited with the same author.
    let (_, author) = citation.split_once("authors:\n  - name: ").expect("an author");
    let author = author.lines().next().unwrap_or_default();
    assert!(Citation::of_archive("", None).plain().starts_with(&format!("{author}: ")), "{author}");
}

/// The rows of a table of Markdown, each in one line.
fn rows(text: &str, head: &str) -> Vec<String> {
    let (_, rest) = text.split_once(head).unwrap_or_else(|| panic!("no table {head}"));
    let rows = rest.trim_start().lines().skip(1).take_while(|line| line.starts_with('|'));
    rows.map(str::to_owned).collect()
}

#[test]
fn the_sources_of_the_bundled_data_are_those_that_the_pages_list() {
    let text = fs::read_to_string(root().join("data/README.md")).unwrap();
    let DataSources { files, sources } = DataSources::bundled();
    let of_files = files.iter().map(|file| {
        let names: Vec<String> = file.names.iter().map(|name| format!("`{name}`")).collect();
        format!("| {} | {} | {} |", names.join(", "), file.content, file.source)
    });
    assert_eq!(rows(&text, "| file | content | source |"), of_files.collect::<Vec<_>>());
    let of_sources = sources.iter().map(|source| {
        format!("| {} | {} | {} | {} |", source.name, source.gives, source.terms, source.retrieved)
    });
    let found = rows(&text, "| source | what was taken | terms | retrieved |");
    assert_eq!(found, of_sources.collect::<Vec<_>>());
}
