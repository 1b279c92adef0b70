//! Tests forecasts in the terminal: `greatness performance`, `forecast`, `norm`.

use crate::support::{greatness_here, stderr, stdout};
use greatness::archive::{Selected, Settings, Silent};
use greatness::forecasts::{Decades, KnownGame, slope_and_white};
use greatness::systems::elo::formulas::Expectancy;

/// The ratings of Portisch's opponents at Wijk aan Zee 1975.
const OPPONENTS: [&str; 15] = [
    "2600", "2600", "2555", "2575", "2615", "2470", "2550", "2600", "2510", "2560", "2410", "2470",
    "2485", "2445", "2460",
];

fn performance(arguments: &[&str]) -> std::process::Output {
    greatness_here(&[&["performance"], arguments].concat())
}

/// Returns the line of a text that begins with these words after its indentation.
fn line<'a>(text: &'a str, start: &str) -> &'a str {
    let found = text.lines().find(|line| line.trim_start().starts_with(start));
    found.unwrap_or_else(|| panic!("no {start} in {text}"))
}

fn number(row: &serde_json::Value, key: &str) -> f64 {
    row[key].as_f64().unwrap()
}

#[test]
fn every_form_of_the_book_is_computed_for_portisch_at_wijk_aan_zee_1975() {
    let arguments = [&["--score", "10.5", "--own", "2635", "--opponents"], &OPPONENTS[..]].concat();
    let text = stdout(&performance(&arguments));
    assert!(text.starts_with("10.5 of 15 (70.0%) against a mean of 2527.0\n"), "{text}");
    assert!(line(&text, "performance rating, exact").ends_with("2679.2"), "{text}");
    assert!(line(&text, "its standard error").contains("77.4"), "{text}");
    assert!(line(&text, "by the mean, table of the book").ends_with("2676.0"), "{text}");
    assert!(line(&text, "linear").ends_with("2687.0"), "{text}");
    assert!(line(&text, "adjusted for few games").contains("factor 0.90"), "{text}");
    assert!(
        line(&text, "error by the book").contains("73.0 points, probable error 49.3"),
        "{text}"
    );
    assert!(line(&text, "chance of 10.5 or more").contains('%'), "{text}");
    let decided = [&["--score", "10.5", "--draws", "0", "--opponents"], &OPPONENTS[..]].concat();
    assert!(stdout(&performance(&decided)).contains("97.3"), "{text}");
}

/// Jeff Sonas, *Chessmetrics: Formulas*: 8 of 12 against a mean of 2733.
#[test]
fn kasparov_at_linares_2005_has_the_performances_of_chessmetrics() {
    let arguments = [&["--score", "8", "--opponents"], &["2733"; 12][..]].concat();
    let text = stdout(&performance(&arguments));
    for (form, expected) in [("Chessmetrics, raw", 2875.0), ("Chessmetrics, padded", 2797.0)] {
        let line = text.lines().find(|line| line.starts_with(form));
        let line = line.unwrap_or_else(|| panic!("no {form} in {text}"));
        let value = line.split_whitespace().next_back().and_then(|value| value.parse().ok());
        assert_eq!(value.map(f64::round), Some(expected), "{form}");
    }
    let four = [&["--score", "3", "--opponents"], &["2733"; 4][..]].concat();
    assert!(!stdout(&performance(&four)).contains("padded"), "four games are too few");
}

#[test]
fn a_perfect_score_has_no_finite_rating_except_the_one_for_few_games() {
    let text = stdout(&performance(&[
        "--score",
        "5",
        "--opponents",
        "2500",
        "2500",
        "2500",
        "2500",
        "2500",
    ]));
    assert!(text.contains("no limit"), "{text}");
    let adjusted = text.lines().find(|line| line.starts_with("adjusted for")).unwrap();
    assert!(adjusted.ends_with("2704.0"), "{text}");
}

#[test]
fn opponents_who_are_far_apart_allow_only_the_exact_form() {
    let text =
        stdout(&performance(&["--score", "2", "--opponents", "1800", "2100", "2500", "2450"]));
    assert!(text.contains("700 points apart"), "{text}");
    assert!(!text.contains("linear"), "{text}");
}

#[test]
fn impossible_numbers_are_refused_with_a_reason() {
    for (arguments, expected) in [
        (
            &["--score", "1", "--opponents", "27850"][..],
            "a rating must be between 100 and 4000; got 27850",
        ),
        (&["--score", "1", "--opponents", "2500", "--own", "99"], "got 99"),
        (&["--score", "0.3", "--opponents", "2500"], "a number of half points; got 0.3"),
        (&["--score", "-1", "--opponents", "2500"], "between 0 and the number of games, 1; got -1"),
        (&["--score", "2", "--opponents", "2500"], "got 2"),
        (
            &["--score", "1", "--opponents", "2500", "--draws", "1.5"],
            "the proportion of draws must be from 0 to 1",
        ),
    ] {
        let output = performance(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

/// The cells of the first line that starts with these words, after them.
fn cells<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(start));
    line.unwrap_or_else(|| panic!("no {start} in {text}")).split_whitespace().collect()
}

#[test]
fn portisch_gets_the_new_ratings_of_the_book() {
    let arguments = ["--score", "10.5", "--own", "2635", "--k", "10", "--players", "16"];
    let text = stdout(&performance(&[&arguments[..], &["--opponents"], &OPPONENTS].concat()));
    // The book rounds the mean of all to 2534, so its round robin form gives 2674.
    assert_eq!(cells(&text, "mean of all 16 players"), ["2533.8"]);
    assert_eq!(cells(&text, "round robin, table of the book"), ["2673.4"]);
    // By the table: 2643.4 from the expected scores of the games, 2642.5 from their mean opponent,
    // and one tenth more from the mean of all (2.45).
    let new = text.lines().skip_while(|line| !line.starts_with("new rating with K 10"));
    let new = new.collect::<Vec<_>>().join("\n");
    assert_eq!(cells(&new, "table of the book"), ["2643.40", "2642.50", "2642.60"]);
    assert_eq!(cells(&new, "straight line"), ["2644.75"; 3]);
    // The exact curve expects 9.675 points.
    assert_eq!(cells(&new, "normal curve")[0], "2643.25");
}

#[test]
fn both_players_of_a_match_have_performances_from_their_mean() {
    let result = ["--match", "2715", "2645", "--games", "24", "--score", "12.5", "--k", "10"];
    let text = stdout(&performance(&result));
    assert_eq!(cells(&text, "match form, table of the book"), ["2687.0", "2673.0"]);
    assert_eq!(cells(&text, "new, table of the book"), ["2696.00", "2664.00"]);
}

#[test]
fn the_mean_of_a_round_robin_follows_from_its_rated_players() {
    let rated = ["2340:14", "2295:13.5", "2300:13.5", "2345:12.5", "2405:9", "2220:6.5"];
    let text = stdout(&performance(&[&["--players", "19", "--rated"], &rated[..]].concat()));
    let mean: f64 = cells(&text, "mean of all, table of the book")[0].parse().unwrap();
    assert_eq!(mean.round(), 2216.0, "{text}");
}

#[test]
fn impossible_events_are_refused_with_a_reason() {
    for (arguments, expected) in [
        (
            &["--score", "1", "--opponents", "2500", "--k", "10"][..],
            "--k and --players need the player's own rating; give it with --own",
        ),
        (
            &["--score", "1", "--opponents", "2500", "--own", "2400", "--k", "0"],
            "--k must be from 1 to 200; got 0",
        ),
        (
            &["--score", "1", "--opponents", "2500", "--own", "2400", "--players", "3"],
            "in a round robin of 3 players, each has 2 opponents or a multiple; --opponents has 1 rating",
        ),
        (
            &["--score", "1", "--opponents", "2500", "--own", "2400", "--players", "1"],
            "a round robin has at least two players; --players is 1",
        ),
        (&["--score", "3", "--match", "2500", "2400", "--games", "2"], "got 3"),
        (
            &["--players", "2", "--rated", "2500:1", "2400:0"],
            "1 of 1 points have no rating difference; leave the player out",
        ),
        (
            &["--players", "2", "--rated", "2500:.5", "2400:.5", "2300:.5"],
            "--rated and --unrated have 3 players, but --players only 2",
        ),
    ] {
        let output = performance(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
    // The parser of the command line refuses incomplete input.
    for (arguments, expected) in [
        (&["--score", "1"][..], "--opponents"),
        (&["--rated", "2500:1"], "--players"),
        (&["--players", "9", "--rated", "2500"], "joined by a colon, as in 2340:14"),
        (&["--score", "1", "--match", "2500", "2400"], "--games"),
    ] {
        let output = performance(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

fn forecast(arguments: &[&str]) -> std::process::Output {
    greatness_here(&[&["forecast"], arguments].concat())
}

fn norm(arguments: &[&str]) -> std::process::Output {
    greatness_here(&[&["norm"], arguments].concat())
}

#[test]
fn a_match_of_two_ratings_is_forecast_with_and_without_draws() {
    for (draws, expected) in
        [("0", [16.098, 2.302, 0.9379, 0.0364]), ("0.5", [16.098, 1.823, 0.9799, 0.0096])]
    {
        let output = forecast(&[
            "--match", "2785", "2660", "--games", "24", "--draws", draws, "--format", "json",
        ]);
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        for (key, expected) in ["expected", "sigma", "win", "draw"].into_iter().zip(expected) {
            let digits = if expected > 1.0 { 5.1e-4 } else { 5.1e-5 };
            assert!((found[key].as_f64().unwrap() - expected).abs() < digits, "{key}: {found}");
        }
        let sum: f64 =
            found["scores"].as_array().unwrap().iter().filter_map(|one| one.as_f64()).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
}

#[test]
fn players_on_the_lists_of_a_day_are_forecast_by_name() {
    let text = stdout(&forecast(&["--match", "Karpov", "Korchnoi", "--date", "1974-09-16"]));
    assert!(
        text.starts_with("Karpov, Anatoly (2700) against Korchnoi, Viktor (2670), 12 games"),
        "{text}"
    );
    let output = forecast(&["--match", "Karpof", "Korchnoi", "--date", "1974-09-16"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("Karpof is on no rating list of 1974-09-16; did you mean Karpov, Anatoly?"),
        "{text}"
    );
}

/// Forecasts an event of the bundled archive.
fn event_forecast(id: &str) -> std::process::Output {
    let archive = crate::support::Bundled::get().path().to_string_lossy();
    forecast(&["--event", id, "--archive", &archive, "--format", "json"])
}

#[test]
fn an_event_of_the_last_build_is_forecast_with_each_players_chance_of_first_place() {
    let output = event_forecast("wijk-aan-zee-1975");
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let players = found["players"].as_array().unwrap();
    let first: f64 = players.iter().filter_map(|player| player["first"].as_f64()).sum();
    assert!((first - 1.0).abs() < 1e-9, "{first}");
    let sosonko = players.iter().find(|player| player["name"] == "Sosonko, Genna").unwrap();
    // Without colours it is 6.109. The exact value differs, because Sosonko had two more games with
    // Black than with White.
    let expected = sosonko["forecast"]["expected"].as_f64().unwrap();
    assert!((expected - 6.109).abs() < 0.15, "{expected}");
    assert_eq!(stdout(&event_forecast("wijk-aan-zee-1975")), stdout(&output), "the same draws");
    let text = stderr(&event_forecast("wijk-aan-zee-1976x"));
    assert!(
        text.contains("wijk-aan-zee-1976x: no such event") && text.contains("did you mean"),
        "{text}"
    );
    let unknown = crate::support::Bundled::get()
        .table("forecasts")
        .iter()
        .map(|row| row["event_id"].as_str().unwrap().to_owned())
        .collect::<std::collections::BTreeSet<_>>();
    let rows = crate::support::Bundled::get().table("events");
    let without =
        rows.iter().find(|row| !unknown.contains(row["event_id"].as_str().unwrap())).unwrap();
    let output = event_forecast(without["event_id"].as_str().unwrap());
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("nothing to forecast: fewer than two ratings were known before the event"),
        "{text}"
    );
}

#[test]
fn norms_follow_the_rules_of_1977_and_of_1957() {
    let text = stdout(&norm(&["--average", "2534", "--players", "16", "--score", "8.5"]));
    assert!(text.contains("grandmaster: 9 of 15 (60%); not made"), "{text}");
    assert!(text.contains("international master: 6 of 15 (40%); made"), "{text}");
    let text = stdout(&norm(&["--rules", "1957", "--gm", "5", "--im", "7", "--others", "3"]));
    assert_eq!(text, "grandmaster: 11 of 15\ninternational master: 8 of 15\n");
    let text = stdout(&norm(&["--rules", "1957", "--players", "16", "--gm", "8", "--im", "4"]));
    assert!(text.starts_with("category 1a\n"), "{text}");
    let many = u32::MAX.to_string();
    let output = norm(&["--rules", "1957", "--players", "16", "--gm", &many, "--im", &many]);
    assert!(stderr(&output).contains("8589934590 players with a title"), "{}", stderr(&output));
    let output = norm(&["--rules", "1957", "--players", "16", "--score", "9"]);
    assert!(stderr(&output).contains("leave --score and --others out"), "{}", stderr(&output));
    let text = stdout(&norm(&["--average", "2380", "--players", "10"]));
    assert!(text.contains("FIDE master: no norm; 2300 over 24 games"), "{text}");
}

#[test]
fn norms_of_an_event_of_the_last_build_are_printed() {
    let archive = crate::support::Bundled::get().path();
    let folder = archive.to_string_lossy();
    let text = stdout(&norm(&["--event", "wijk-aan-zee-1975", "--archive", &folder]));
    assert!(
        text.contains("category 12: average 2534, by FIDE's ratings\ngrandmaster: 9 of 15\n"),
        "{text}"
    );
    assert!(text.contains("Portisch, Lajos: GM, 10.5 of 15 (9 needed)"), "{text}");
    let output = norm(&["--event", "fischer-spassky-reykjavik-1972", "--archive", &folder]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("has no category"), "{}", stderr(&output));
}

#[test]
fn forecasts_and_norms_of_impossible_numbers_are_refused_with_a_reason() {
    for (output, expected) in [
        (
            forecast(&["--match", "27850", "2660"]),
            "a rating must be between 100 and 4000; got 27850",
        ),
        (
            forecast(&["--match", "2785", "2660", "--games", "0"]),
            "the number of games must be from 1 to 1000; got 0",
        ),
        (
            forecast(&["--match", "2785", "2660", "--games", "1001"]),
            "the number of games must be from 1 to 1000; got 1001",
        ),
        (
            forecast(&["--match", "2785", "2660", "--wins", "501"]),
            "--wins must be from 1 to 500; got 501",
        ),
        (
            forecast(&["--match", "2785", "2660", "--draws", "-1"]),
            "the proportion of draws must be from 0 to 1",
        ),
        (forecast(&["--match", "Tal", "2660"]), "give it with --date"),
        (norm(&["--average", "2500", "--players", "8"]), "a norm needs at least nine games"),
        (
            norm(&["--average", "2240", "--players", "16"]),
            "2240 is below category 1, which begins at 2251",
        ),
        (norm(&["--average", "2500", "--players", "16", "--score", "7.3"]), "half points; got 7.3"),
        (norm(&["--rules", "1957", "--gm", "5"]), "a norm needs at least nine games"),
    ] {
        assert_eq!(output.status.code(), Some(1), "{expected}");
        assert!(stderr(&output).contains(expected), "{expected}: {}", stderr(&output));
    }
}

#[test]
fn a_match_is_forecast_from_given_probabilities() {
    let ten = ["--probabilities", "0.5", "0.3", "0.2", "--games", "10", "--score", "8"];
    let text = stdout(&forecast(&ten));
    // Jones (2): ten games.
    assert_eq!(cells(&text, "expected score")[..3], ["6.50", "±", "1.23"]);
    assert_eq!(cells(&text, "chance of 8 or more"), ["15.72%"]);
    let json = stdout(&forecast(&[&ten[..], &["--wins", "6", "--format", "json"]].concat()));
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!((found["scores"][13].as_f64().unwrap() - 0.158_103).abs() < 5e-7, "{found}");
    assert_eq!(found["first_to"]["wins"], 6);
    let output = forecast(&["--probabilities", "0.5", "0.3", "0.3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("must add up to 1; got 1.1"), "{}", stderr(&output));
}

#[test]
fn handicaps_of_matches_are_printed_by_difference_and_games() {
    let text = stdout(&forecast(&["--handicaps", "--curve", "table"]));
    // 3.94: 200 points and 20 games.
    assert_eq!(cells(&text, "200 ")[5], "8.49", "{text}");
}

/// The bundled games whose players both have rating tags, as the prototype selected them.
fn tagged() -> Vec<KnownGame> {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let settings = Settings::default().with_bundled_data(&data).unwrap();
    let games = Selected::read(&settings.input, &Silent, &mut Vec::new()).unwrap();
    // Grouping finds the tie-breaks, which do not count as classical games.
    let games = games.group(settings.events, &mut Vec::new()).games;
    let known = games.rows.iter().filter_map(|row| {
        let game = &games.table.games()[*row];
        let year = game.date.year()?;
        let score = game.result.white_score()?;
        let difference = f64::from(game.white_elo) - f64::from(game.black_elo);
        (game.white_elo > 0 && game.black_elo > 0).then_some(KnownGame {
            year,
            difference,
            score,
            has_colours: true,
            curve: 0,
        })
    });
    known.collect()
}

fn normal(_: usize, difference: f64) -> f64 {
    Expectancy::Normal.expected(difference)
}

#[test]
fn draws_colours_and_the_factor_of_differences_are_measured_in_games_with_rating_tags() {
    let games = tagged();
    let mut plain = std::collections::BTreeMap::new();
    for game in &games {
        plain.entry(game.year).or_insert((1, 0));
    }
    let decades = Decades::new(&games, &plain, &normal);
    let found: Vec<(i16, f64, f64)> = decades
        .iter()
        .filter(|(first, _)| (1970..2020).contains(first))
        .map(|(first, customs)| (first, (100.0 * customs.draws).round(), customs.white.round()))
        .collect();
    // The prototype had 32,946 of them. The bundled games have grown since.
    assert!(games.len() >= 32_946, "{}", games.len());
    let prototype = [
        (1970, 67.0, 38.0),
        (1980, 66.0, 38.0),
        (1990, 62.0, 46.0),
        (2000, 69.0, 48.0),
        (2010, 73.0, 39.0),
    ];
    assert_eq!(found.len(), prototype.len());
    for (found, prototype) in found.iter().zip(prototype) {
        assert_eq!(found.0, prototype.0);
        assert!((found.1 - prototype.1).abs() <= 2.0, "draws: {found:?} {prototype:?}");
        assert!((found.2 - prototype.2).abs() <= 5.0, "White: {found:?} {prototype:?}");
    }
    let worth = slope_and_white(&games, &normal).unwrap();
    assert!((worth.slope - 0.863).abs() < 0.01 && (worth.white - 40.6).abs() < 1.5, "{worth:?}");
}

#[test]
fn a_second_forecast_scales_the_difference_by_the_given_factor() {
    let [whole, none, refused] = ["1", "0", "-1"].map(|worth| {
        let match_of = ["forecast", "--match", "2785", "2660", "--games", "24", "--format", "json"];
        greatness_here(&[&match_of[..], &["--worth", worth]].concat())
    });
    let whole: serde_json::Value = serde_json::from_str(&stdout(&whole)).unwrap();
    assert_eq!(whole["if_worth"]["expected"], whole["expected"]);
    let none: serde_json::Value = serde_json::from_str(&stdout(&none)).unwrap();
    assert_eq!(none["if_worth"]["expected"], 12.0);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("--worth must be from 0 to 5; got -1"),
        "{}",
        stderr(&refused)
    );
}

/// Monthly matches of 2000 between a strong player (White in even months) and a weak one, with
/// ratings in the tags.
fn matches_of_2000() -> String {
    let mut pgn = String::new();
    for month in 1..=12 {
        for round in 1..=4 {
            let is_white = (month + round) % 2 == 0;
            let [white, black] = if is_white {
                [("Strong, Anna", 2600), ("Weak, Bert", 2400)]
            } else {
                [("Weak, Bert", 2400), ("Strong, Anna", 2600)]
            };
            let result = match (round, is_white) {
                (4, _) => "1/2-1/2",
                (_, true) => "1-0",
                (_, false) => "0-1",
            };
            pgn.push_str(&format!(
                "[Event \"Match {month}\"]\n[Site \"Oslo\"]\n[Date \"2000.{month:02}.0{round}\"]\n\
                 [Round \"{round}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\
                 [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n\n1. e4 e5 {result}\n\n",
                white.0, black.0, white.1, black.1
            ));
        }
    }
    pgn
}

/// Forecasts four games of Strong and Weak on a day by a system.
fn forecast_match(config: &str, date: &str, by: &str) -> std::process::Output {
    let names = ["forecast", "--match", "Strong", "Weak", "--date", date, "--by", by];
    greatness_here(
        &[&names[..], &["--games", "4", "--format", "json", "--config", config]].concat(),
    )
}

#[test]
fn a_match_is_forecast_by_a_system_from_the_games_before_its_day() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, config) = (folder.path().join("games.pgn"), folder.path().join("greatness.toml"));
    std::fs::write(&pgn, matches_of_2000()).unwrap();
    std::fs::write(&config, "[input]\npgn = [\"games.pgn\"]\n").unwrap();
    let config = config.to_str().unwrap();
    let output = forecast_match(config, "2000-07-01", "paired-and-published");
    assert!(output.status.success(), "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(found["players"][0], "Strong, Anna");
    let (white, black) = (&found["with_white"], &found["with_black"]);
    assert!(number(white, "expected") > number(black, "expected"), "{found}");
    for game in [white, black] {
        let sum = number(game, "win") + number(game, "draw") + number(game, "loss");
        assert!((sum - 1.0).abs() < 1e-9, "{found}");
    }
    assert!(number(&found, "expected") > 2.5, "{found}");
    // Every system that predicts can forecast, and no one is known before the first game.
    assert!(forecast_match(config, "2000-07-01", "paired").status.success());
    let early = stderr(&forecast_match(config, "1999-07-01", "paired-and-published"));
    assert!(early.contains("has no game before 1999-07-01"), "{early}");
    let later = stderr(&forecast_match(config, "2000-07-01", "paired-smoothed"));
    assert!(later.contains("uses later games"), "{later}");
}
