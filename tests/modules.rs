//! The shape of the library: no module reaches back, and no files of a module stand in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the ground up; one may use only those before it.
const FLOORS: [&str; 23] = [
    "hint",
    "ordinal",
    "disjoint_sets",
    "repeated_keys",
    "source",
    "games",
    "pgn",
    "players",
    "tournament",
    "gazetteer",
    "events",
    "intrinsic",
    "ratings",
    "systems",
    "forecasts",
    "laboratory",
    "decisions",
    "archive",
    "site",
    "filed",
    "desk",
    "cli",
    "lib",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The files of a crate by their module paths (`events::group`), with the paths that they use, tests left out.
fn uses(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let mut modules = BTreeMap::new();
    for path in paths {
        let inside = path.strip_prefix(&source).expect("inside").with_extension("");
        let mut parts: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if parts.last().is_some_and(|last| last == "mod") {
            parts.pop();
        }
        let text = fs::read_to_string(&path).expect("a text");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut used = BTreeSet::new();
        for statement in text.split(';').filter_map(|part| {
            // Documentation may name what it likes; only code counts.
            let at = part.rfind("\nuse ").map(|at| at + 5)?;
            Some(part[at..].replace(['\n', ' '], ""))
        }) {
            let base = match statement.split("::").next() {
                Some("crate") => Vec::new(),
                Some("super") => {
                    let up = statement.matches("super::").count();
                    parts[..parts.len().saturating_sub(up)].to_vec()
                }
                _ => continue,
            };
            let rest = statement.trim_start_matches("crate::").trim_start_matches("super::");
            let names: Vec<&str> = match rest.split_once('{') {
                Some(("", list)) => list.trim_end_matches('}').split(',').collect(),
                _ => vec![rest],
            };
            for name in names {
                let mut target = base.clone();
                target.extend(name.split("::").map(|word| word.trim_end_matches('}').to_owned()));
                used.insert(target.join("::"));
            }
        }
        modules.insert(parts.join("::"), used);
    }
    modules
}

/// Which file each used path leads to: the longest that there is.
fn arrows(modules: &BTreeMap<String, BTreeSet<String>>) -> BTreeMap<&str, BTreeSet<&str>> {
    let file_of = |path: &str| {
        let mut path = path;
        loop {
            if let Some((name, _)) = modules.get_key_value(path) {
                return Some(name.as_str());
            }
            path = path.rsplit_once("::")?.0;
        }
    };
    modules
        .iter()
        .map(|(from, used)| {
            let to = used.iter().filter_map(|path| file_of(path)).filter(|to| to != from);
            (from.as_str(), to.collect())
        })
        .collect()
}

/// A circle of files, if there is one.
fn circle<'a>(arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Option<Vec<&'a str>> {
    fn walk<'a>(
        at: &'a str,
        arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<&'a str>> {
        if let Some(place) = way.iter().position(|passed| *passed == at) {
            return Some(way[place..].to_vec());
        }
        if !done.insert(at) {
            return None;
        }
        way.push(at);
        for next in &arrows[at] {
            if let Some(found) = walk(next, arrows, way, done) {
                return Some(found);
            }
        }
        way.pop();
        None
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|from| walk(from, arrows, &mut Vec::new(), &mut done))
}

#[test]
fn no_module_reaches_back() {
    let modules = uses("src");
    let floor = |path: &str| {
        let first = path.split("::").next().expect("a word");
        FLOORS.iter().position(|name| *name == first)
    };
    for (from, used) in &modules {
        let Some(mine) = floor(from) else {
            assert_eq!(from, "main", "{from} has no floor");
            continue;
        };
        for path in used {
            let theirs = floor(path);
            assert!(theirs.is_none_or(|theirs| theirs <= mine), "{from} uses {path}");
        }
    }
}

#[test]
fn no_files_stand_in_a_circle() {
    for folder in ["src", "crates/tournament-app/src"] {
        let modules = uses(folder);
        assert!(modules.len() > 10, "{folder}: {modules:?}");
        let arrows = arrows(&modules);
        assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 10, "{folder}: {arrows:?}");
        assert_eq!(circle(&arrows), None, "{folder}");
    }
}

#[test]
fn a_circle_would_be_found() {
    let arrows = BTreeMap::from([
        ("a", BTreeSet::from(["b"])),
        ("b", BTreeSet::from(["c"])),
        ("c", BTreeSet::from(["b"])),
    ]);
    assert_eq!(circle(&arrows), Some(vec!["b", "c"]));
}
