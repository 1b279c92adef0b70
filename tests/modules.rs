//! Tests the structure of the crates: no crate or module uses one above it, and no files use each
//! other in a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::crate_map::CrateMap;

/// The modules of each crate from the lowest up. A module may use only those before it. Crates that
/// are not listed have no folders.
const LAYERS: [(&str, &[&str]); 5] = [
    ("crates/pgn-collections", &["guarded", "prefilter", "source", "games", "results", "pgn"]),
    (
        "crates/chess-history",
        &["ordinal", "disjoint_sets", "wikidata", "players", "gazetteer", "events", "ratings"],
    ),
    (
        "crates/rating-systems",
        &["systems", "population", "evaluation", "wire", "forecasts", "laboratory"],
    ),
    (
        "crates/archive",
        &[
            "settings",
            "citation",
            "data_sources",
            "no_parquet",
            "parquet",
            "progress",
            "rated",
            "decisions",
            "errors",
            "work",
            "inputs",
            "record",
            "lists",
            "rated_players",
            "decided",
            "analysed",
            "review",
            "studies",
            "run",
            "exports",
        ],
    ),
    (".", &["glossary", "preview", "archive_reader", "review_server", "cli", "main"]),
];

/// The crates of the program from the lowest up, each with those that it uses.
const CRATES: [(&str, &[&str]); 12] = [
    ("error-hints", &[]),
    ("tournament-app", &[]),
    ("chess-databases", &[]),
    ("pgn-collections", &["chess-databases"]),
    ("chess-history", &["pgn-collections", "tournament-app"]),
    ("rating-systems", &["error-hints", "tournament-app"]),
    ("intrinsic-ratings", &["chess-history", "pgn-collections", "tournament-app"]),
    ("tables", &["pgn-collections"]),
    ("parquet-files", &["intrinsic-ratings", "pgn-collections", "tables"]),
    (
        "archive",
        &[
            "chess-history",
            "error-hints",
            "intrinsic-ratings",
            "parquet-files",
            "pgn-collections",
            "rating-systems",
            "tables",
            "tournament-app",
        ],
    ),
    (
        "site",
        &[
            "archive",
            "chess-history",
            "intrinsic-ratings",
            "pgn-collections",
            "rating-systems",
            "tables",
            "tournament-app",
        ],
    ),
    (
        "greatness",
        &[
            "archive",
            "chess-history",
            "error-hints",
            "intrinsic-ratings",
            "parquet-files",
            "pgn-collections",
            "rating-systems",
            "site",
            "tables",
            "tournament-app",
        ],
    ),
];

/// The modules that each module uses. Re-exports are followed to the definitions.
type UseGraph = BTreeMap<String, BTreeSet<String>>;

fn source(folder: &str) -> CrateMap {
    CrateMap::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

fn use_graph(map: &CrateMap) -> UseGraph {
    map.names()
        .map(|from| {
            let to = map.used(from).filter_map(|path| map.resolve(path)).map(|(to, _)| to);
            let to = to.filter(|to| *to != from && !to.is_empty());
            (from.to_owned(), to.map(str::to_owned).collect())
        })
        .collect()
}

/// Returns a cycle of modules, if there is one.
fn cycle(graph: &UseGraph) -> Option<Vec<&str>> {
    fn walk<'a>(
        at: &'a str,
        graph: &'a UseGraph,
        path: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<&'a str>> {
        if let Some(place) = path.iter().position(|passed| *passed == at) {
            return Some(path[place..].to_vec());
        }
        if !done.insert(at) {
            return None;
        }
        path.push(at);
        for next in &graph[at] {
            if let Some(found) = walk(next, graph, path, done) {
                return Some(found);
            }
        }
        path.pop();
        None
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|from| walk(from, graph, &mut Vec::new(), &mut done))
}

/// Returns the uses of a module above: `"events uses crate::site::page"`.
fn upward_uses(map: &CrateMap, layers: &[&str]) -> Vec<String> {
    let layer = |word: &str| layers.iter().position(|name| *name == word);
    let mut found = Vec::new();
    for from in map.names().filter(|name| !name.is_empty()) {
        let first = from.split("::").next().expect("a word");
        let mine = layer(first).unwrap_or_else(|| panic!("{from} is in no layer"));
        for path in map.used(from) {
            let defined = map.resolve(path).map(|(module, _)| module.split("::").next());
            for word in [path.first().map(String::as_str), defined.flatten()].into_iter().flatten()
            {
                if layer(word).is_some_and(|theirs| theirs > mine) {
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

/// Returns the names of the packages that a crate depends on.
fn dependencies(name: &str) -> BTreeSet<String> {
    let all = manifest_value(name, &["dependencies"]).expect("dependencies");
    all.as_table().unwrap().keys().cloned().collect()
}

#[test]
fn crates_use_those_below_them_and_only_one_uses_polars() {
    for (place, (name, uses)) in CRATES.iter().enumerate() {
        let all = dependencies(name);
        let ours = all.iter().filter(|of| CRATES.iter().any(|(known, _)| known == of));
        assert_eq!(ours.collect::<Vec<_>>(), *uses, "{name}");
        let below: Vec<&str> = CRATES[..place].iter().map(|(known, _)| *known).collect();
        assert!(uses.iter().all(|used| below.contains(used)), "{name}: {uses:?}");
        assert_eq!(all.contains("polars"), *name == "parquet-files", "{name}");
    }
}

/// Returns the value at a path of keys in the manifest of a crate; `None` if it has none.
fn manifest_value(name: &str, path: &[&str]) -> Option<toml::Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder_of(name)).join("Cargo.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let mut value = toml::Value::Table(text.parse().unwrap());
    for key in path {
        value = value.get(key)?.clone();
    }
    Some(value)
}

#[test]
fn pages_compile_without_polars() {
    let optional = ["dependencies", "parquet-files", "optional"];
    assert_eq!(manifest_value("archive", &optional), Some(toml::Value::Boolean(true)));
    assert_eq!(manifest_value("archive", &["features", "default"]), None);
    for (name, features) in [("site", None), ("greatness", Some(vec!["parquet"]))] {
        let found = manifest_value(name, &["dependencies", "archive", "features"]);
        assert_eq!(found, features.map(toml::Value::from), "{name}");
    }
    let of_all = ["workspace", "dependencies", "archive", "features"];
    assert_eq!(manifest_value("greatness", &of_all), None);
}

#[test]
fn no_module_uses_one_above_it() {
    for (folder, layers) in LAYERS {
        let map = source(&format!("{folder}/src"));
        assert_eq!(upward_uses(&map, layers), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn no_files_use_each_other_in_a_cycle() {
    for (name, _) in CRATES.iter().skip(1) {
        let folder = folder_of(name);
        let graph = use_graph(&source(&format!("{folder}/src")));
        if ["tables", "parquet-files"].contains(name) {
            assert_eq!(cycle(&graph), None, "{folder}");
            continue;
        }
        assert!(graph.len() > 10, "{folder}: {graph:?}");
        assert!(graph.values().map(BTreeSet::len).sum::<usize>() > 30, "{folder}: {graph:?}");
        assert_eq!(cycle(&graph), None, "{folder}");
    }
}

/// The layers of the crates that tests create.
const TEST_LAYERS: [&str; 2] = ["events", "site"];

/// Creates a crate of files, each a path and a text.
fn crate_of(files: &[(&str, &str)]) -> CrateMap {
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
        let map = crate_of(&[("lib.rs", ""), ("events.rs", text), ("site.rs", "pub fn page() {}")]);
        assert!(!upward_uses(&map, &TEST_LAYERS).is_empty(), "{text}");
    }
    let in_a_test = "#[cfg(test)] mod tests { use crate::site::page; }";
    let map =
        crate_of(&[("lib.rs", ""), ("events.rs", in_a_test), ("site.rs", "pub fn page() {}")]);
    assert_eq!(upward_uses(&map, &TEST_LAYERS), Vec::<String>::new());
}

#[test]
fn a_cycle_through_a_re_export_is_found() {
    let map = crate_of(&[
        ("events/mod.rs", "mod a; mod b; pub use b::B;"),
        ("events/a.rs", "use super::B; pub struct A;"),
        ("events/b.rs", "use super::a::A; pub struct B(A);"),
    ]);
    let found = cycle(&use_graph(&map)).map(|path| path.into_iter().map(str::to_owned).collect());
    assert_eq!(found, Some(vec!["events::a".to_owned(), "events::b".to_owned()]));
}
