//! Tests the figures that the PRA paper prints: all of them against the bundled archive, and those
//! for the years of FIDE's ratings also from raw games and SCID's spelling file alone.
//!
//! The second test needs `../shared/data`, and a spelling file that `GREATNESS_SPELLING` names.

use greatness::archive::{
    AnalysedEvent, AnalysisContext, DoneWork, Grouped, Selected, Settings, Silent, analyse_events,
    read_ratings,
};
use greatness::decisions::Decisions;
use greatness::ratings::{Activity, RatingContext, Source, number_two};
use jiff::civil::date;
use serde_json::Value;

/// How many figures of one kind the archive has, has within 1%, and has to the last printed digit.
#[derive(Debug, Default, PartialEq)]
struct Agreement {
    found: usize,
    near: usize,
    exact: usize,
}

impl Agreement {
    fn count(&mut self, printed: f64, ours: &Value, last_digit: f64) {
        let Some(ours) = ours.as_f64() else { return };
        self.found += 1;
        self.near += usize::from((ours - printed).abs() <= 0.01 * printed);
        self.exact += usize::from((ours - printed).abs() < last_digit / 2.0);
    }
}

#[test]
fn the_bundled_archive_has_these_figures_of_the_paper() {
    let archive = crate::support::Bundled::get();
    let [mut g_scores, mut strengths, mut intervals] = [(); 3].map(|()| Agreement::default());
    let [mut g_scores_by_rule, mut strengths_by_rule] = [(); 2].map(|()| Agreement::default());
    let rows = archive.table("published");
    assert_eq!(rows.len(), 77);
    for row in rows {
        let printed = row["published_g"].as_f64().unwrap();
        g_scores.count(printed, &row["g_score"], 0.01);
        g_scores_by_rule.count(printed, &row["g_score_by_rule"], 0.01);
        let agrees = row["g_score"].as_f64().is_some_and(|ours| (ours - printed).abs() < 0.005);
        assert_eq!(row["why"].is_null(), agrees, "every difference has a reason: {row}");
    }
    let rows = archive.table("published-strengths");
    for row in rows {
        if let Some(printed) = row["published_strength"].as_f64() {
            strengths.count(printed, &row["strength"], 0.0001);
            strengths_by_rule.count(printed, &row["strength_by_rule"], 0.0001);
        }
        // Both ends follow from one sum of squares, so the lower one is enough.
        if let Some(printed) = row["published_interval_low"].as_f64() {
            intervals.count(printed, &row["interval_low"], 0.1);
        }
    }
    assert_eq!(g_scores, Agreement { found: 76, near: 50, exact: 24 });
    assert_eq!(g_scores_by_rule, Agreement { found: 75, near: 38, exact: 19 });
    assert_eq!(strengths, Agreement { found: 52, near: 50, exact: 39 });
    assert_eq!(strengths_by_rule, Agreement { found: 50, near: 37, exact: 23 });
    assert_eq!(intervals, Agreement { found: 37, near: 16, exact: 15 });
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn second_ratings_strengths_and_constant_intervals_are_the_published_ones() {
    let (shared, spelling) = (crate::support::shared_data(), crate::support::spelling_file());
    let mut settings = Settings::default();
    settings.input.pgn.push(shared.join("games.pgn.zst"));
    settings.input.spelling.push(spelling);
    let mut diagnostics = Vec::new();
    let games =
        Selected::read(&settings.input, &Silent, &mut diagnostics).expect("there are games");
    let sources = read_ratings(&settings.input, &settings.ratings, &games, None, &mut diagnostics);
    let list = sources
        .iter()
        .find_map(|source| match source {
            Source::List(list) if list.system == "Elo" => Some(list),
            _ => None,
        })
        .expect("the file has ratings");

    let Grouped { games, events: mut found, .. } = games.group(settings.events, &mut Vec::new());
    let activity = Activity::new(&games.table, &found, &games.players);
    let world = RatingContext { activity, ..RatingContext::default() };
    for (day, rating) in [
        (date(1993, 3, 1), 2725.0),
        (date(1996, 12, 9), 2775.0),
        (date(2009, 11, 5), 2801.0),
        (date(2014, 8, 27), 2805.0),
    ] {
        let two = number_two(list, day, &world.activity);
        assert_eq!(two.map(|two| two.rating), Some(rating), "{day}");
    }

    let ids = ["las-palmas-1996", "moscow-2009", "saint-louis-2014"];
    found.retain(|event| ids.contains(&event.id.as_str()));
    let decisions = Decisions::default();
    let context = AnalysisContext {
        games: &games,
        sources: &sources,
        world: &world,
        ratings: &settings.ratings,
        analysis: &settings.analysis,
        lists: &settings.lists,
        decisions: &decisions,
    };
    let records = analyse_events(context, found, DoneWork::default(), &Silent).expect("figures");
    for (id, interval, strength) in [
        ("las-palmas-1996", Some("187.6 1812.8"), "97.5214"),
        ("moscow-2009", Some("183.2 931.9"), "95.3126"),
        ("saint-louis-2014", None, "98.4786"),
    ] {
        let analysis = &record(&records, id).analysis;
        let fit = &analysis.fit_test;
        let (low, high) = fit.constant_low.zip(fit.constant_high).expect("an interval");
        if let Some(interval) = interval {
            assert_eq!(format!("{low:.1} {high:.1}"), interval, "{id}");
        }
        assert_eq!(format!("{:.4}", analysis.strength.expect("a strength")), strength, "{id}");
    }
    let sinquefield = &record(&records, "saint-louis-2014").analysis.players;
    let caruana = sinquefield.iter().find(|player| player.name.starts_with("Caruana"));
    let g_score = caruana.and_then(|player| player.g_score).expect("a G-score");
    assert_eq!(format!("{g_score:.2}"), "302.89");
}

fn record<'a>(records: &'a [AnalysedEvent], id: &str) -> &'a AnalysedEvent {
    records.iter().find(|record| record.event.id == id).unwrap_or_else(|| panic!("no {id}"))
}
