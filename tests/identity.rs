//! Tests identity resolution on the real collection, with pairs of spellings labelled by rating
//! tags.
//!
//! The tests need `../shared/data`. `cargo xtask labelled-pairs` wrote the pairs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use greatness::archive::{Selected, Settings, Silent};

/// Pairs of a short and a full spelling of one player: `Kasparov,G` and `Kasparov, Garry`.
const PAIRS: &str = "tests/cases/identity/pairs.csv";

/// Pairs of spellings of two players with the same surname and initial.
const APART: &str = "tests/cases/identity/apart.csv";

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns all games of the collection, read once for all tests, with or without the spelling file.
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
        Selected::read(&settings.input, &Silent, &mut Vec::new()).expect("there are games")
    })
}

/// Returns the number of the player behind each spelling.
fn persons(games: &Selected) -> BTreeMap<&str, usize> {
    let names = games.table.names.iter();
    names.filter_map(|(name, text)| Some((text, games.players.of_name(name)?.index()))).collect()
}

#[test]
#[ignore = "needs ../shared/data"]
fn names_that_met_over_the_board_are_two_players() {
    assert_no_player_met_themselves(games(false));
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn names_that_met_over_the_board_are_two_players_with_a_spelling_file() {
    assert_no_player_met_themselves(games(true));
}

fn assert_no_player_met_themselves(games: &Selected) {
    for game in games.table.games().iter().filter(|game| game.white != game.black) {
        let (white, black) = (games.players.of_name(game.white), games.players.of_name(game.black));
        assert!(
            white != black || white.is_none(),
            "{} and {} met",
            games.table.text(game.white),
            games.table.text(game.black)
        );
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn short_and_full_spellings_of_one_player_are_joined() {
    let known = include_str!("cases/identity/not-joined.txt");
    assert_joined(games(false), "without a spelling file", known);
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn short_and_full_spellings_of_one_player_are_joined_with_a_spelling_file() {
    let known = include_str!("cases/identity/not-joined-with-a-spelling-file.txt");
    assert_joined(games(true), "with a spelling file", known);
}

/// Compares the pairs that are not joined with a list of known ones; no two players may be joined.
fn assert_joined(games: &Selected, what: &str, known: &str) {
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
        // In the sample, different full names are different players.
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
