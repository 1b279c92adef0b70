//! The shape of the library: no module uses one above it, and no files use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::crate_map::CrateMap;

/// The modules of each crate from the ground up; one may use only those before it. Crates that are
/// not listed have no folders.
const FLOORS: [(&str, &[&str]); 4] = [
    ("crates/pgn-collections", &["guarded", "prefilter", "source", "games", "pgn"]),
    (
        "crates/chess-history",
        &["ordinal", "disjoint_sets", "players", "gazetteer", "events", "ratings"],
    ),
    (
        "crates/rating-systems",
        &["systems", "population", "evaluation", "wire", "forecasts", "laboratory"],
    ),
    (
        ".",
        &[
            "glossary",
            "rated",
            "decisions",
            "archive",
            "site",
            "archive_reader",
            "review_server",
            "cli",
            "main",
        ],
    ),
];

/// The crates of the program from the ground up, each with those that it uses.
const CRATES: [(&str, &[&str]); 8] = [
    ("error-hints", &[]),
    ("tournament-app", &[]),
    ("pgn-collections", &[]),
    ("chess-history", &["pgn-collections", "tournament-app"]),
    ("rating-systems", &["error-hints", "tournament-app"]),
    ("intrinsic-ratings", &["chess-history", "pgn-collections", "tournament-app"]),
    ("archive-tables", &["intrinsic-ratings", "pgn-collections"]),
    (
        "greatness",
        &[
            "archive-tables",
            "chess-history",
            "error-hints",
            "intrinsic-ratings",
            "pgn-collections",
            "rating-systems",
            "tournament-app",
        ],
    ),
];

/// Which modules each module uses, re-exports followed to where an item is defined.
type Arrows = BTreeMap<String, BTreeSet<String>>;

fn source(folder: &str) -> CrateMap {
    CrateMap::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

fn arrows(map: &CrateMap) -> Arrows {
    map.names()
        .map(|from| {
            let to = map.used(from).filter_map(|path| map.resolve(path)).map(|(to, _)| to);
            let to = to.filter(|to| *to != from && !to.is_empty());
            (from.to_owned(), to.map(str::to_owned).collect())
        })
        .collect()
}

/// A circle of modules, if there is one.
fn circle(arrows: &Arrows) -> Option<Vec<&str>> {
    fn walk<'a>(
        at: &'a str,
        arrows: &'a Arrows,
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

/// Uses of a module above: `"events uses crate::site::page"`.
fn upward(map: &CrateMap, floors: &[&str]) -> Vec<String> {
    let floor = |word: &str| floors.iter().position(|name| *name == word);
    let mut found = Vec::new();
    for from in map.names().filter(|name| !name.is_empty()) {
        let first = from.split("::").next().expect("a word");
        let mine = floor(first).unwrap_or_else(|| panic!("{from} has no floor"));
        for path in map.used(from) {
            let defined = map.resolve(path).map(|(module, _)| module.split("::").next());
            for word in [path.first().map(String::as_str), defined.flatten()].into_iter().flatten()
            {
                if floor(word).is_some_and(|theirs| theirs > mine) {
                    found.push(format!("{from} uses {}", path.join("::")));
                }
            }
        }
    }
    found
}

fn folder_of(name: &str) -> String {
    if name == "greatness" { ".".to_owned() } else { format!("crates/{name}") }
}

/// The names of the packages that a crate depends on.
fn dependencies(name: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder_of(name)).join("Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
}

#[test]
fn crates_use_those_below_them_and_only_one_uses_polars() {
    for (place, (name, uses)) in CRATES.iter().enumerate() {
        let all = dependencies(name);
        let ours = all.iter().filter(|of| CRATES.iter().any(|(known, _)| known == of));
        assert_eq!(ours.collect::<Vec<_>>(), *uses, "{name}");
        let below: Vec<&str> = CRATES[..place].iter().map(|(known, _)| *known).collect();
        assert!(uses.iter().all(|used| below.contains(used)), "{name}: {uses:?}");
        assert_eq!(all.contains("polars"), *name == "archive-tables", "{name}");
    }
}

#[test]
fn no_module_uses_one_above_it() {
    for (folder, floors) in FLOORS {
        let map = source(&format!("{folder}/src"));
        assert_eq!(upward(&map, floors), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    for (name, _) in CRATES.iter().skip(1) {
        let folder = folder_of(name);
        let arrows = arrows(&source(&format!("{folder}/src")));
        if *name == "archive-tables" {
            assert_eq!(circle(&arrows), None, "{folder}");
            continue;
        }
        assert!(arrows.len() > 10, "{folder}: {arrows:?}");
        assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 30, "{folder}: {arrows:?}");
        assert_eq!(circle(&arrows), None, "{folder}");
    }
}

/// Floors of made crates.
const FLOORS_OF_TESTS: [&str; 2] = ["events", "site"];

/// A crate of files, each a path and a text.
fn made(files: &[(&str, &str)]) -> CrateMap {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    CrateMap::read(folder.path())
}

#[test]
fn a_use_inside_a_function_an_expression_or_a_macro_is_found() {
    for text in [
        "fn f() { use crate::site::page; }",
        "fn f() { let _ = crate::site::page(); }",
        "fn f() { println!(\"{}\", crate::site::page()); }",
        "mod inner { fn f() -> super::super::site::Page { todo() } }",
        "use super::site::{self as other, page};",
    ] {
        let map = made(&[("lib.rs", ""), ("events.rs", text), ("site.rs", "pub fn page() {}")]);
        assert!(!upward(&map, &FLOORS_OF_TESTS).is_empty(), "{text}");
    }
    let in_a_test = "#[cfg(test)] mod tests { use crate::site::page; }";
    let map = made(&[("lib.rs", ""), ("events.rs", in_a_test), ("site.rs", "pub fn page() {}")]);
    assert_eq!(upward(&map, &FLOORS_OF_TESTS), Vec::<String>::new());
}

#[test]
fn a_circle_is_found_also_where_it_leads_through_a_re_export() {
    let map = made(&[
        ("events/mod.rs", "mod a; mod b; pub use b::B;"),
        ("events/a.rs", "use super::B; pub struct A;"),
        ("events/b.rs", "use super::a::A; pub struct B(A);"),
    ]);
    let found = circle(&arrows(&map)).map(|way| way.into_iter().map(str::to_owned).collect());
    assert_eq!(found, Some(vec!["events::a".to_owned(), "events::b".to_owned()]));
}
