//! Tests events of the PRA paper whose results are known without moves, and rules that the paper
//! states, against the bundled archive.

use serde_json::Value;

use crate::support::{Bundled, greatness_here, player, printed, stdout};

/// The rows of an export in which a column has a value.
fn with_value<'a>(rows: &'a [Value], column: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| !row[column].is_null()).collect()
}

/// The paper's worked example: nine results from its P-Zeros, and the ratings of its administrator.
/// The rounds of most games are unknown, so they differ by a quarter of a point at most.
#[test]
fn hastings_1919_has_the_figures_of_the_paper() {
    let event = Bundled::get().event("hastings-1919");
    assert!((event["strength"].as_f64().unwrap() - 71.3432).abs() < 0.0001);
    assert_eq!(event["fit_test"]["result"], "passed");
    for (name, p_zero, pra, elo, g_score) in [
        ("Capablanca, José Raúl", 44.29, 2840.81, 2832.90, 285.81),
        ("Kostić, Boris", 35.40, 2696.74, 2690.08, 233.36),
    ] {
        let player = player(&event, name);
        for (figure, published) in
            [("p_zero", p_zero), ("pra_after", pra), ("elo_after", elo), ("g_score", g_score)]
        {
            let ours = player[figure].as_f64().unwrap();
            assert!((ours - published).abs() < 0.25, "{name}: {figure} {ours}");
        }
    }
}

#[test]
fn the_page_of_an_event_states_that_its_colours_are_unknown() {
    let archive = Bundled::get().path();
    let page = |id: &str| std::fs::read_to_string(archive.join(format!("events/{id}.html")));
    let sentence = "Of 28 games the colours are unknown";
    assert!(page("hastings-1921").unwrap().contains(sentence));
    assert!(!page("hastings-1895").unwrap().contains("colours are unknown"));
}

/// The paper prints 252.66. The list in force rates two of the eight players.
#[test]
fn a_list_that_rates_too_few_players_is_completed_from_its_nearest_editions() {
    let hastings = Bundled::get().event("hastings-1921");
    let steps = hastings["steps"].as_array().unwrap();
    let completed: Vec<&Value> =
        steps.iter().filter(|step| step["fact"]["is"] == "other_edition").collect();
    assert_eq!(completed.len(), 5, "{completed:?}");
    let kostic = player(&hastings, "Kostić, Boris")["g_score"].as_f64().unwrap();
    assert!((kostic - 252.66).abs() < 0.01 * 252.66, "{kostic}");
    // Here it rates nine of ten, and the line estimates the other.
    let dresden = Bundled::get().event("dresden-1926");
    assert_eq!(player(&dresden, "von Holzhausen, Walther")["rating_origin"], "filled");
    assert_eq!(printed(&player(&dresden, "Nimzowitsch, Aron")["g_score"], 2), "307.11");
}

#[test]
fn a_decision_states_the_day_of_the_rating_lists() {
    let event = Bundled::get().event("new-york-1893");
    assert_eq!(event["rating_edition"], "1894-01-01");
    let ratings = |input: &Value| -> Vec<Value> {
        let players = input["players"].as_array().unwrap().iter();
        players.map(|player| player["initial_rating"].clone()).collect()
    };
    assert_ne!(ratings(&event["input"]), ratings(&event["undecided"]["input"]));
    let lasker = player(&event, "Lasker, Emanuel")["g_score"].as_f64().unwrap();
    assert!((lasker - 348.19).abs() < 0.01 * 348.19, "{lasker}");
}

/// The paper claims that the order by P-Zero never contradicts the order by points, and that the
/// order by ratings should predict the result where the correlation is significant.
#[test]
fn no_order_by_p_zero_contradicts_that_by_points_and_ratings_predict_few_results() {
    let events = Bundled::get().table("events");
    let whole = with_value(&events, "inversions");
    assert_eq!(whole.len(), 832);
    assert!(whole.iter().all(|row| row["inversions"] == 0));
    let significant: Vec<&Value> =
        whole.into_iter().filter(|row| row["r_significant"] == true).collect();
    let count = |column: &str| significant.iter().filter(|row| row[column] == true).count();
    assert_eq!(
        (significant.len(), count("favourite_won"), count("first_three_in_order")),
        (282, 147, 24)
    );
}

#[test]
fn other_results_show_their_figures_next_to_those_of_the_games() {
    let archive = Bundled::get().path().to_string_lossy();
    let what_if = |id: &str, results: &[&str]| {
        let mut arguments = vec!["event", id, "--archive", &*archive];
        for result in results {
            arguments.extend(["--what-if", result]);
        }
        stdout(&greatness_here(&arguments))
    };
    let caruana =
        what_if("saint-louis-2014", &["Caruana | Nakamura | 1-0", "Aronian | Caruana | 0-1"]);
    assert!(caruana.contains("302.89") && caruana.contains("391.23"), "{caruana}");
    let steinitz =
        what_if("blackburne-steinitz-london-1876", &["Blackburne | Steinitz | 0-1 | new"]);
    assert!(steinitz.contains("397.44") && steinitz.contains("410.72"), "{steinitz}");
    // Pillsbury wins the play-off; the paper has 387.6 for him and 352.4 for Tarrasch.
    let vienna = what_if("vienna-1898", &["Tarrasch | Pillsbury | 0-1 | 2"]);
    for (name, printed) in [("Pillsbury", 387.6), ("Tarrasch", 352.4)] {
        let line =
            vienna.lines().find(|line| line.starts_with(name)).expect("a line of the player");
        let after: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
        assert!((after - printed).abs() < 1.0, "{line}");
    }
}

/// A leader who is lowered takes the number two along, as far as needed and no farther.
#[test]
fn no_choice_of_the_review_queue_makes_a_weak_tournament_the_strongest() {
    let mut lowered = 0;
    for row in Bundled::get().table("review") {
        let [choice, effect] =
            ["choice", "effect"].map(|column| row[column].as_str().unwrap_or_default());
        if choice.contains("lowered") {
            lowered += 1;
            assert!(!effect.contains("→ 1 of the tournaments"), "{effect}");
        }
    }
    assert_eq!(lowered, 8);
}

/// Section 2: the event that the paper keeps although its ratings do not fit.
#[test]
fn the_us_championship_of_2015_fails_and_is_kept() {
    let event = Bundled::get().event("saint-louis-us-championship-2015");
    let before = &event["before"];
    assert_eq!(printed(&before["line"]["intercept"], 2), "2643.83");
    assert_eq!(printed(&before["line"]["slope"], 4), "4.2120");
    assert_eq!(printed(&before["line"]["r"], 2), "0.60");
    assert_eq!(printed(&before["fit_test"]["statistic"], 3), "21.050");
    assert_eq!(printed(&before["fit_test"]["critical"], 3), "19.675");
    assert_eq!(printed(&event["strength"], 4), "81.1288");
    for (name, residual) in [
        ("So, Wesley", "107.0"),
        ("Sevian, Samuel", "-96.1"),
        ("Holt, Conrad", "-81.4"),
        ("Troff, Kayden", "-80.8"),
        ("Naroditsky, D", "89.3"),
    ] {
        let player = player(&event, name);
        assert_eq!(printed(&player["residual"], 1), residual, "{name}");
        assert_eq!(player["initial_rating"], player["rating_found"], "{name}");
    }
}

/// Section 2: the first version of the paper moved two of the three ratings of 2013 that are out of
/// spec, and its interval is that of these two.
#[test]
fn two_corrections_of_2013_give_the_interval_of_the_first_version() {
    let archive = Bundled::get().path().to_string_lossy();
    let id = "saint-louis-us-championship-2013";
    let text =
        stdout(&greatness_here(&["event", id, "--archive", &archive, "--format", "text-input"]));
    let text =
        text.replace("\n2371 Sevian", "\n2532 Sevian").replace("\n2421 Troff", "\n2570 Troff");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.txt");
    std::fs::write(&file, text).unwrap();
    let file = file.to_string_lossy();
    let analysis = stdout(&greatness_here(&["event", &file, "--format", "json"]));
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    let test = &analysis["fit_test"];
    assert_eq!(printed(&test["constant_low"], 1), "2112.2");
    assert_eq!(printed(&test["constant_high"], 1), "5675.3");
}

/// Section 8: machines have ratings, and their matches are treated like any other.
#[test]
fn matches_with_machines_have_the_strengths_of_the_paper() {
    for (id, strength) in [
        ("deep-blue-kasparov-1997", "101.1607"),
        ("deep-blue-kasparov-philadelphia-1996", "98.5858"),
    ] {
        assert_eq!(printed(&Bundled::get().event(id)["strength"], 4), strength, "{id}");
    }
    let event = Bundled::get().event("deep-blue-kasparov-1997");
    assert_eq!(printed(&player(&event, "Deep Blue")["g_score"], 2), "66.12");
}

/// Section 10: by the intervals that the paper prints, constants from 2237.7 to 2965.3 fail the
/// same events as 2500: three, all before fixing. Five are too close.
#[test]
fn the_constant_classifies_the_events_of_the_paper_as_it_says() {
    let rows = Bundled::get().table("constants");
    let counts = |constant: u64| {
        let row = rows.iter().find(|row| row["constant"] == constant).unwrap();
        ["published_passed", "published_failed", "published_too_close"]
            .map(|column| row[column].as_u64().unwrap())
    };
    assert_eq!(counts(2500), [29, 3, 5]);
    for constant in [2300, 2400, 2600] {
        assert_eq!(counts(constant), counts(2500), "{constant}");
    }
    assert_eq!(counts(2800)[1..], [3, 7]);
    let page = std::fs::read_to_string(Bundled::get().path().join("method.html")).unwrap();
    assert!(page.contains("2237.7 to 2965.3"));
}

/// Section 12: the world champion of 1972 and the winner of the Candidates of 2013 lost Elo.
#[test]
fn some_winners_lost_elo_and_gained_by_the_pra() {
    let rows = Bundled::get().table("events");
    for id in ["fischer-spassky-reykjavik-1972", "london-2013"] {
        let row = rows.iter().find(|row| row["event_id"] == id).unwrap();
        assert_eq!(row["winner_lost_elo"], true, "{id}");
    }
}

/// Section 12: an event from a file gets its ranks on the lists of an archive.
#[test]
fn a_new_event_gets_its_ranks_on_both_lists() {
    let archive = Bundled::get().path().to_string_lossy();
    let file = crate::support::input_text("frankfurt-1997.txt").to_string_lossy().into_owned();
    let text = stdout(&greatness_here(&["event", &file, "--archive", &archive]));
    let strengths = Bundled::get().table("strength");
    let stronger = strengths
        .iter()
        .filter(|row| row["kind"] != "match" && row["strength"].as_f64().unwrap() > 92.740_880_102);
    let rank = format!("no. {} of the tournaments", stronger.count() + 1);
    assert!(text.contains(&rank), "{rank}: {text}");
    let performances = Bundled::get().table("greatness");
    let higher = performances.iter().filter(|row| row["g_score"].as_f64().unwrap() > 173.4965);
    let rank = format!("no. {} of the Greatness List", higher.count() + 1);
    assert!(text.contains(&rank), "{rank}: {text}");
}

/// Section 12: Tarrasch proposed a champion of tournaments and one of matches.
#[test]
fn tournaments_and_matches_have_champions_of_their_own() {
    let rows = Bundled::get().table("greatest-players-forms");
    let first = |form: &str| {
        let row = rows.iter().find(|row| row["form"] == form && row["rank"] == 1).unwrap();
        row["player"].as_str().unwrap().to_owned()
    };
    assert_ne!(first("tournaments"), first("matches"));
    let page =
        std::fs::read_to_string(Bundled::get().path().join("greatest-players.html")).unwrap();
    assert!(page.contains("In tournaments alone"), "the page names both");
}

/// Section 9: how pairs of a round robin divide the points won from the other players.
#[test]
fn points_from_common_opponents_divide_less_widely_than_the_rule_of_thumb() {
    let rows = Bundled::get().table("shared-points");
    assert_eq!(rows.len(), 5);
    for row in rows.iter().filter(|row| row["from"] != 0) {
        let [claimed, share, error] =
            ["claimed", "share", "error"].map(|column| row[column].as_f64().unwrap());
        assert!(share + 2.0 * error < claimed, "{row}");
    }
}

/// The paper's main evidence: the corrected ratings of the US Championship of 2013 are nearest to
/// the official ones nineteen months later, and better than the uncorrected ones from month 15 on.
/// In the first months the tags of the event rate all 24 players, and the figures are the paper's.
/// Later, names identify 20 of them on the lists; with all 24 the paper has 7.49 in month 19.
#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn the_corrected_ratings_of_2013_are_nearest_after_nineteen_months() {
    let games = crate::support::shared_data().join("chUSA2013_results_only.pgn");
    let spelling = crate::support::spelling_file();
    let [games, spelling] = [games, spelling].map(|path| path.to_string_lossy().into_owned());
    let output = greatness_here(&["event", &games, "--spelling", &spelling, "--follow-up"]);
    let text = stdout(&output);
    for (month, figures) in [
        ("0", ["24", "23.79", "0.84", "0.00", "13.09", "35.17"]),
        ("14", ["20", "8.86", "8.85", "10.19", "10.12", "30.14"]),
        ("15", ["20", "9.98", "10.55", "11.97", "10.12", "30.14"]),
        ("19", ["20", "4.99", "17.75", "19.07", "10.12", "30.14"]),
    ] {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(month));
        let words: Vec<&str> = line.expect("a line of the month").split_whitespace().collect();
        assert_eq!(words[1..], figures, "{month}");
    }
    assert!(text.contains("nearest in month 19"), "{text}");
}
