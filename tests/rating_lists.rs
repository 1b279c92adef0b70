//! Tests reading real rating lists. The tests need `../shared/data`.

use std::path::{Path, PathBuf};

use greatness::players::PersonName;
use greatness::ratings::{ListOptions, RatingList, ReadLists, read_lists};
use greatness::source::{Diagnostic, Limits, Severity};

fn shared(name: &str) -> PathBuf {
    crate::support::shared_data().join("ratings").join(name)
}

fn read(path: &Path, occurs: &dyn Fn(&[PersonName]) -> bool) -> (RatingList, Vec<Diagnostic>) {
    let options =
        ListOptions { system: &|_| "Historical".to_owned(), limits: Limits::default(), occurs };
    let ReadLists { mut lists, diagnostics } = read_lists([path], options);
    assert_eq!(lists.len(), 1);
    (lists.remove(0), diagnostics)
}

/// The number of rated players on FIDE's lists of January, 1975 to 2008.
///
/// They are the lines with a number from 1000 to 2999 in the texts, counted without the program.
const PLAYERS: [usize; 34] = [
    1528, 1650, 1910, 2020, 2426, 2883, 3317, 3807, 4186, 4136, 4649, 4789, 5188, 6018, 6897, 7786,
    10068, 10914, 12609, 14491, 16964, 19753, 22671, 20917, 30209, 33384, 36972, 29277, 45015,
    50458, 58649, 67349, 77056, 87075,
];

#[test]
#[ignore = "needs ../shared/data"]
fn every_player_of_fides_thirty_four_january_lists_is_read() {
    let path = shared("fide-january-lists-1975-2008.tar.zst");
    let (list, diagnostics) = read(&path, &|_| true);
    assert_eq!(list.system, "Elo");
    let found: Vec<(i16, usize)> =
        list.editions().map(|edition| (edition.day.year(), edition.ranking().len())).collect();
    let expected: Vec<(i16, usize)> = (1975..).zip(PLAYERS).collect();
    assert_eq!(found, expected);
    assert!(list.editions().all(|edition| (edition.day.month(), edition.day.day()) == (1, 1)));
    let warned: Vec<String> = diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Warning)
        .map(|found| found.message.to_string())
        .collect();
    assert_eq!(warned.len(), 12, "twelve lines have shifted columns: {warned:?}");
    assert!(diagnostics.iter().all(|found| found.severity != Severity::Error));
}

#[test]
#[ignore = "needs ../shared/data"]
fn names_of_games_are_found_on_lists_with_abbreviated_names() {
    let path = shared("fide-january-lists-1975-2008.tar.zst");
    let (list, _) = read(&path, &|_| true);
    for (year, name, expected) in [
        (1975, "Karpov, Anatoly", 2705.0),
        (1988, "Abarca Aguirre, Maximiliano", 2345.0),
        (1988, "Kasparov, Garry", 2750.0),
        (1993, "Fischer, Robert James", 2780.0),
        (2000, "Adams, Michael", 2715.0),
        (2006, "Topalov, Veselin", 2801.0),
    ] {
        let found = list
            .in_force(jiff::civil::date(year, 3, 1))
            .and_then(|edition| edition.find(&[PersonName::parse(name)]));
        assert_eq!(found.map(|line| line.rating), Some(expected), "{name} in {year}");
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn chessmetrics_and_edo_are_read_completely() {
    for (file, lines, first, last) in [
        ("chessmetrics-yearly-1843-2004.tsv", 11_501, 1843, 2004),
        ("chessmetrics-monthly-2001-2004.csv", 4_800, 2001, 2004),
        ("edo-yearly-1820-1928.tsv", 48_932, 1820, 1928),
    ] {
        let path = shared(file);
        let (list, diagnostics) = read(&path, &|_| true);
        assert_eq!((list.len(), diagnostics.len()), (lines, 0), "{file}");
        let years: Vec<i16> = list.editions().map(|edition| edition.day.year()).collect();
        assert_eq!((years.first(), years.last()), (Some(&first), Some(&last)), "{file}");
    }
}
