//! Tests `greatness ratings` on the bundled results, and `greatness init`.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{greatness, greatness_here, stderr, stdout};
use greatness::systems::{Role, System};

/// Lines of a list: rank, player, rating, provisional.
fn list(csv: &str, day: &str) -> Vec<(usize, String, f64, bool)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.filter(|row| &row[0] == day)
        .map(|row| {
            let (rank, rating) = (row[1].parse().unwrap(), row[3].parse().unwrap());
            (rank, row[2].to_owned(), rating, &row[5] == "true")
        })
        .collect()
}

#[test]
fn every_system_ranks_lasker_first_in_1900_and_fischer_high_in_1970() {
    // Variants, systems of the past and orders are excluded: they need not rank Lasker first.
    let judged = [Role::Whole, Role::Events, Role::Basic];
    let systems = System::all().iter().filter(|system| judged.contains(&system.about.role));
    for system in systems.map(|system| system.about.word) {
        let output = greatness_here(&["ratings", system]);
        assert!(output.status.success(), "{}", stderr(&output));
        let csv = stdout(&output);
        // Half decades are linked, and an additional column has the standard error of the link.
        let levels = if system == "elo-historical" { ",level_error" } else { "" };
        let head =
            format!("date,rank,player,rating,games,provisional,deviation{levels},player_id\n");
        assert!(csv.starts_with(&head), "{system}");
        if system == "paired-left-out" {
            // Lists of events have their players only.
            assert!(stderr(&output).contains("never met any of the others"), "{system}");
            continue;
        }
        let in_1900 = list(&csv, "1900-01-01");
        assert_eq!(in_1900[0].1, "Lasker, Emanuel", "{system}");
        let settled: Vec<f64> = in_1900.iter().filter(|line| !line.3).map(|line| line.2).collect();
        assert!(settled.is_sorted_by(|a, b| a >= b), "{system}");
        // The results end in 1970, so the half decade of 1970 has only that year.
        let late = list(&csv, if system == "elo-historical" { "1965-01-01" } else { "1970-01-01" });
        let place = late.iter().position(|line| line.1 == "Fischer, Bobby");
        // A mean over a whole career includes the games of a boy.
        let last = if system == "cumulative" { 20 } else { 5 };
        assert!(place.is_some_and(|place| place < last), "{system}: {place:?}");
        assert!(stderr(&output).contains("never met any of the others"), "{system}");
    }
}

/// The best established rating of each player on the lists of historical Elo: player, rating,
/// games, and the first year of the half decade.
fn best_half_decades(csv: &str) -> BTreeMap<String, (f64, f64, i16)> {
    let mut best: BTreeMap<String, (f64, f64, i16)> = BTreeMap::new();
    for row in csv::Reader::from_reader(csv.as_bytes()).records() {
        let row = row.expect("a row");
        if &row[5] == "true" {
            continue;
        }
        let (rating, games): (f64, f64) = (row[3].parse().unwrap(), row[4].parse().unwrap());
        let found = (rating, games, row[0][..4].parse().unwrap());
        let known = best.entry(row[2].to_owned()).or_insert(found);
        if rating > known.0 {
            *known = found;
        }
    }
    best
}

/// The places of numbers in their order; equal numbers share the mean of their places.
fn places(numbers: &[f64]) -> Vec<f64> {
    numbers
        .iter()
        .map(|number| {
            let below = numbers.iter().filter(|other| *other < number).count();
            let equal = numbers.iter().filter(|other| *other == number).count();
            below as f64 + (equal as f64 - 1.0) / 2.0
        })
        .collect()
}

/// Spearman's rank correlation of pairs.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let (one, other): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (one, other) = (places(&one), places(&other));
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in one.iter().zip(&other) {
        xy += (x - mean) * (y - mean);
        xx += (x - mean) * (x - mean);
        yy += (y - mean) * (y - mean);
    }
    xy / (xx * yy).sqrt()
}

/// Historical Elo on the bundled results, compared with the best five-year averages of Elo's book
/// (4.23, 9.4, 9.5).
struct BookComparison {
    /// Rank correlation, over players with 40 games in their best half decade.
    spearman: f64,
    /// Mean of our rating minus the book's (points), over all players.
    level: f64,
    /// The same by the first year of our best half decade, from 1865, with the number of players.
    levels: BTreeMap<i16, (f64, usize)>,
}

fn compared_with_the_book(players: &str) -> BookComparison {
    let output = greatness_here(&["ratings", "elo-historical", "--players", players]);
    assert!(output.status.success(), "{}", stderr(&output));
    let best = best_half_decades(&stdout(&output));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/published/elo-five-year-averages.csv");
    let book = csv::Reader::from_path(path).unwrap().into_deserialize();
    let book: Vec<(String, f64, String)> = book.map(|row| row.unwrap()).collect();
    let pairs: Vec<(f64, (f64, f64, i16))> =
        book.iter().filter_map(|(name, book, _)| Some((*book, *best.get(name)?))).collect();
    assert!(pairs.len() >= 38, "{players}: {}", pairs.len());
    let certain: Vec<(f64, f64)> = pairs
        .iter()
        .filter(|(_, (_, games, _))| *games >= 40.0)
        .map(|(book, (rating, ..))| (*book, *rating))
        .collect();
    let mut sums: BTreeMap<i16, (f64, usize)> = BTreeMap::new();
    for (book, (rating, _, first)) in pairs.iter().filter(|(_, (.., first))| *first >= 1865) {
        let sum = sums.entry(*first).or_default();
        *sum = (sum.0 + rating - book, sum.1 + 1);
    }
    for (sum, count) in sums.values_mut() {
        *sum /= *count as f64;
    }
    let level = pairs.iter().map(|(book, (rating, ..))| rating - book).sum::<f64>();
    BookComparison {
        spearman: rank_correlation(&certain),
        level: level / pairs.len() as f64,
        levels: sums,
    }
}

#[test]
fn historical_elo_of_masters_agrees_with_the_averages_of_elos_book() {
    let (all, masters) = (compared_with_the_book("all"), compared_with_the_book("masters"));
    assert!(
        all.spearman > 0.88 && masters.spearman > 0.88,
        "{} {}",
        all.spearman,
        masters.spearman
    );
    // Our ratings of all players are 69 points below those of the book on average, of masters 7.
    assert!(all.level < -40.0, "{}", all.level);
    assert!(masters.level.abs() < 20.0, "{}", masters.level);
    for (first, (level, players)) in &masters.levels {
        // The best half decade of a single player can be off by the error of that rating.
        let limit = if *players > 1 { 40.0 } else { 60.0 };
        assert!(level.abs() < limit, "{first}: {level} ({players})");
    }
}

#[test]
fn offhand_games_against_one_opponent_head_no_list_of_historical_elo() {
    for players in ["all", "masters"] {
        let output = greatness_here(&["ratings", "elo-historical", "--players", players]);
        assert!(output.status.success(), "{}", stderr(&output));
        let found = list(&stdout(&output), "1846-01-01");
        // Eichborn's only known games are thirty against Anderssen.
        let eichborn = found.iter().find(|line| line.1 == "Eichborn, Louis").expect("listed");
        assert!(eichborn.3, "provisional");
        assert!(found[0].1 == "Morphy, Paul" && !found[0].3, "{:?}", found[0]);
    }
}

#[test]
fn systems_of_the_past_have_lists_in_their_own_points() {
    for system in ["ingo", "harkness", "bcf", "ccla"] {
        let output = greatness_here(&["ratings", system]);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut settled = list(&stdout(&output), "1900-01-01");
        settled.retain(|line| !line.3);
        assert!(settled.len() > 20, "{system}: {}", settled.len());
        if system == "ingo" {
            // In the Ingo system, lower numbers are stronger.
            assert!(settled.is_sorted_by(|a, b| a.2 <= b.2), "{settled:?}");
            continue;
        }
        assert!(settled.is_sorted_by(|a, b| a.2 >= b.2), "{settled:?}");
        let best = settled.iter().take(5).any(|line| line.1 == "Tarrasch, Siegbert");
        assert!(best, "{system}: {settled:?}");
    }
}

#[test]
fn elo_can_follow_the_rules_of_other_federations() {
    let [fide, uscf] = ["fide-1978", "uscf"].map(|rules| {
        let output = greatness_here(&["ratings", "elo", "--rules", rules]);
        assert!(output.status.success(), "{}", stderr(&output));
        output
    });
    let notes = stderr(&fide);
    assert!(
        notes.contains("begins with the list of 1") && notes.contains("games do not count"),
        "{notes}"
    );
    // No player below 2200 is on a list.
    let in_1965 = list(&stdout(&fide), "1965-01-01");
    assert!(in_1965.len() > 50 && in_1965.iter().all(|line| line.2 >= 2200.0), "{in_1965:?}");
    let in_1900 = list(&stdout(&uscf), "1900-01-01");
    assert!(in_1900.iter().take(3).any(|line| line.1 == "Lasker, Emanuel"));
    let output = greatness_here(&["ratings", "elo", "--rules", "fide-1979"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("none of elo, fide-1978, uscf"), "{}", stderr(&output));
}

#[test]
fn lists_are_written_as_parquet_and_csv_and_are_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let [parquet, one, two] = ["elo.parquet", "one.csv", "two.csv"].map(|name| {
        let path = folder.path().join(name);
        let output = greatness_here(&["ratings", "elo", "--out", &path.to_string_lossy()]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read(path).unwrap()
    });
    assert!(parquet.starts_with(b"PAR1"));
    assert!(one == two);
}

#[test]
fn an_unknown_system_is_refused_with_the_list_of_systems() {
    let output = greatness_here(&["ratings", "glicko"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains("no rating system glicko") && text.contains("elo-historical"), "{text}");
}

#[test]
fn a_parameter_has_the_same_effect_as_a_flag_and_as_a_setting() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("greatness.toml");
    fs::write(&settings, "[systems.elo]\nanchor = 2300\n").unwrap();
    let settings = settings.to_string_lossy();
    let [by_flag, by_setting, by_default] =
        [&["--anchor", "2300"][..], &["--config", &settings], &[]].map(|arguments| {
            let output = greatness_here(&[&["ratings", "elo"], arguments].concat());
            assert!(output.status.success(), "{}", stderr(&output));
            list(&stdout(&output), "1900-01-01")
        });
    assert_eq!(by_flag, by_setting);
    // The whole scale is a hundred points lower, apart from the effect of the limits of K.
    let moved = by_default[0].2 - by_flag[0].2;
    assert!((50.0..150.0).contains(&moved), "{moved}");
}

#[test]
fn an_impossible_parameter_is_refused_with_a_reason() {
    let output = greatness_here(&["ratings", "elo", "--k-high", "300"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("300 is not within 0 to 200"));
    let output = greatness_here(&["ratings", "elo", "--floor", "2300"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("unexpected argument '--floor'"), "{}", stderr(&output));
}

#[test]
fn games_of_a_single_pair_give_no_list_but_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[Event \"m\"]\n[Date \"1950.01.01\"]\n[White \"A, B\"]\n[Black \"C, D\"]\n[Result \"1-0\"]\n\n1-0\n\n";
    fs::write(folder.path().join("one.pgn"), game).unwrap();
    for system in System::all().iter().map(|system| system.about.word) {
        let output = greatness(folder.path(), &["ratings", system, "--pgn", "one.pgn"]);
        assert!(output.status.success(), "{system}: {}", stderr(&output));
    }
}

#[test]
fn init_never_overwrites_a_settings_file() {
    let folder = tempfile::tempdir().unwrap();
    assert!(greatness(folder.path(), &["init"]).status.success());
    let before = fs::read(folder.path().join("greatness.toml")).unwrap();
    let again = greatness(folder.path(), &["init"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("greatness.toml exists already"), "{}", stderr(&again));
    assert!(fs::read(folder.path().join("greatness.toml")).unwrap() == before);
}

#[cfg(feature = "server")]
#[test]
fn serving_a_folder_without_an_archive_names_the_command_that_builds_one() {
    let folder = tempfile::tempdir().unwrap();
    let output = greatness(folder.path(), &["serve", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("greatness build"), "{}", stderr(&output));
}
