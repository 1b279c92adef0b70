//! Tests `greatness ratings` on the bundled results, and `greatness init`.

use std::fs;

use crate::support::rated_lists::list;
use crate::support::{Bundled, greatness, greatness_here, stderr, stdout};
use greatness::systems::{Role, System};

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
fn bradley_terry_ratings_and_errors_are_those_of_ordo() {
    // Ordo 1.2 with -z 200.2431 (400 points for ten to one), 1,000 simulations, a draw rate of 50%:
    // ratings of the fifteen players, and half-widths of 95% intervals.
    let printed = [
        (2697.4999, 92.5694),
        (2648.1027, 88.3980),
        (2648.1027, 94.4185),
        (2648.1027, 89.9144),
        (2624.1572, 86.0057),
        (2612.2724, 87.2471),
        (2612.2724, 91.2209),
        (2600.4110, 89.2352),
        (2600.4110, 86.5808),
        (2588.5470, 88.1578),
        (2588.5470, 91.6231),
        (2576.6545, 92.2043),
        (2564.7072, 90.7227),
        (2540.5392, 89.9518),
        (2449.6734, 100.6183),
    ];
    let pgn = Bundled::get().path().join("data/events/zurich-1953.pgn");
    let pgn = pgn.to_string_lossy();
    let output = greatness_here(&[
        "ratings",
        "bradley-terry",
        "--pgn",
        &pgn,
        "--prior",
        "0",
        "--years",
        "100",
        "--games",
        "1",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(text.as_bytes()).records().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), printed.len());
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    for (row, (rating, half_width)) in printed.into_iter().enumerate() {
        let (ahead, of_ordo) = (number(row, 3) - number(0, 3), rating - printed[0].0);
        assert!((ahead - of_ordo).abs() < 0.01, "{row}: {ahead} {of_ordo}");
        // More games were drawn than Ordo assumes, so our errors are somewhat smaller.
        let ratio = number(row, 6) / (half_width / 1.96);
        assert!((0.85..1.05).contains(&ratio), "{row}: {ratio}");
    }
}

#[test]
fn bundled_aliases_of_players_without_games_are_no_warnings() {
    let output = greatness_here(&["ratings", "harkness"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("warning"), "{}", stderr(&output));
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
