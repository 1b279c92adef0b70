//! Tests the figures that the PRA paper prints for the years of FIDE's ratings, computed from raw
//! games and SCID's spelling file alone.
//!
//! Needs `../shared/data`, and a spelling file that `GREATNESS_SPELLING` names.

use greatness::archive::{
    AnalysisContext, DoneWork, EventRecord, Grouped, Selected, Settings, Silent, analyse_events,
    read_ratings,
};
use greatness::decisions::Decisions;
use greatness::ratings::{Activity, RatingContext, Source, number_two};
use jiff::civil::date;

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn second_ratings_strengths_and_constant_intervals_are_the_published_ones() {
    let (shared, spelling) = (crate::support::shared_data(), crate::support::spelling_file());
    let mut settings = Settings::default();
    settings.input.pgn.push(shared.join("games.pgn.zst"));
    settings.input.spelling.push(spelling);
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings, &Silent, &mut diagnostics).expect("there are games");
    let sources = read_ratings(&settings, &games, None, &mut diagnostics);
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
    let two = |day| number_two(list, day, &world.activity).map(|two| two.rating);
    assert_eq!(two(date(1993, 3, 1)), Some(2725.0));
    assert_eq!(two(date(1996, 12, 9)), Some(2775.0));
    assert_eq!(two(date(2009, 11, 5)), Some(2801.0));
    assert_eq!(two(date(2014, 8, 27)), Some(2805.0));

    let ids = ["las-palmas-1996", "moscow-2009", "saint-louis-2014"];
    found.retain(|event| ids.contains(&event.id.as_str()));
    let decisions = Decisions::default();
    let context = AnalysisContext {
        games: &games,
        sources: &sources,
        world: &world,
        settings: &settings,
        decisions: &decisions,
    };
    let records = analyse_events(context, found, DoneWork::default(), &Silent).expect("figures");
    let figures = |id: &str| -> (String, String) {
        let record = record(&records, id);
        let fit = &record.analysis.fit_test;
        let strength = record.analysis.strength.expect("a strength");
        let (low, high) = fit.constant_low.zip(fit.constant_high).expect("an interval");
        let interval = format!("{low:.1} {high:.1}");
        (interval, format!("{strength:.4}"))
    };
    assert_eq!(figures("las-palmas-1996"), ("187.6 1812.8".into(), "97.5214".into()));
    assert_eq!(figures("moscow-2009"), ("183.2 931.9".into(), "95.3126".into()));
    assert_eq!(figures("saint-louis-2014").1, "98.4786");
    let sinquefield = &record(&records, "saint-louis-2014").analysis.players;
    let caruana = sinquefield.iter().find(|player| player.name.starts_with("Caruana"));
    let g_score = caruana.and_then(|player| player.g_score).expect("a G-score");
    assert_eq!(format!("{g_score:.2}"), "302.89");
}

fn record<'a>(records: &'a [EventRecord], id: &str) -> &'a EventRecord {
    records.iter().find(|record| record.event.id == id).unwrap_or_else(|| panic!("no {id}"))
}
