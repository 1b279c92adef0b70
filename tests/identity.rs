//! Who is who on the real collection: pairs of spellings that are one person by their rating tags.
//!
//! Needs `../shared/data`. `cargo xtask labelled-pairs` wrote the pairs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use greatness::archive::{Selected, Settings, Silent};

/// A short and a full spelling of one person: `Kasparov,G` and `Kasparov, Garry`.
const PAIRS: &str = "tests/cases/identity/pairs.csv";

/// Spellings of two persons of one surname, with the same initial.
const APART: &str = "tests/cases/identity/apart.csv";

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// All games of the collection, read once for all tests; with the spelling file or without.
fn games(with_spelling_file: bool) -> &'static Selected {
    static ALONE: OnceLock<Selected> = OnceLock::new();
    static WITH_SPELLING_FILE: OnceLock<Selected> = OnceLock::new();
    let cell = if with_spelling_file { &WITH_SPELLING_FILE } else { &ALONE };
    cell.get_or_init(|| {
        let mut settings = Settings::default();
        settings.input.pgn.push(crate::support::shared_data().join("games.pgn.zst"));
        if with_spelling_file {
            settings.input.spelling.push(crate::support::spelling_file());
        }
        Selected::read(&settings, &Silent, &mut Vec::new()).expect("there are games")
    })
}

/// The person behind each spelling.
fn persons(games: &Selected) -> BTreeMap<&str, usize> {
    let names = games.table.names.iter();
    names.filter_map(|(name, text)| Some((text, games.players.of_name(name)?.index()))).collect()
}

#[test]
#[ignore = "needs ../shared/data"]
fn no_two_names_that_met_over_the_board_are_one_person() {
    nobody_met_himself(games(false));
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn neither_are_they_with_a_spelling_file() {
    nobody_met_himself(games(true));
}

fn nobody_met_himself(games: &Selected) {
    for game in games.table.games().iter().filter(|game| game.white != game.black) {
        let (white, black) = (games.players.of_name(game.white), games.players.of_name(game.black));
        let text = |name| games.table.text(name);
        assert!(
            white != black || white.is_none(),
            "{} and {} met",
            text(game.white),
            text(game.black)
        );
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn short_and_full_spellings_of_one_person_are_joined_and_of_two_are_not() {
    let known = include_str!("cases/identity/not-joined.txt");
    joins(games(false), "without a spelling file", known);
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn with_a_spelling_file_more_of_them_are_joined() {
    let known = include_str!("cases/identity/not-joined-with-a-spelling-file.txt");
    joins(games(true), "with a spelling file", known);
}

fn joins(games: &Selected, what: &str, known: &str) {
    let persons = persons(games);
    let mut pairs = csv::Reader::from_path(here(PAIRS)).expect("the labelled pairs");
    let rows: Vec<(String, String)> = pairs.deserialize().map(|row| row.expect("a pair")).collect();
    assert_eq!(rows.len(), 500);
    let mut apart = Vec::new();
    let mut labels: BTreeMap<usize, &str> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (short, full) in &rows {
        let (a, b) = (persons[short.as_str()], persons[full.as_str()]);
        if a != b {
            apart.push(format!("{short} = {full}"));
        }
        // Different full names of the sample are different persons.
        let known = labels.entry(b).or_insert(full);
        if known != full {
            wrong.push(format!("{known} and {full}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    crate::support::fail_as_known(what, &apart, known);
}

#[test]
#[ignore = "needs ../shared/data"]
fn namesakes_with_the_same_initial_are_not_joined() {
    let persons = persons(games(false));
    let mut pairs = csv::Reader::from_path(here(APART)).expect("the labelled pairs");
    let rows: Vec<(String, String)> = pairs.deserialize().map(|row| row.expect("a pair")).collect();
    assert!(rows.len() >= 100, "{}", rows.len());
    let joined: Vec<String> = rows
        .iter()
        .filter(|(one, other)| persons[one.as_str()] == persons[other.as_str()])
        .map(|(one, other)| format!("{one} and {other}"))
        .collect();
    crate::support::fail_as_known(
        "namesakes",
        &joined,
        include_str!("cases/identity/wrongly-joined.txt"),
    );
}
