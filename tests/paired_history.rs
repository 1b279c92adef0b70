//! Ratings by paired comparison on the shared collection: the figures of the prototype on the same games.
//!
//! Needs `../shared/data`, and a spelling file that `GREATNESS_SPELLING` names.

mod support;

use std::path::Path;

use greatness::archive::{Selected, Settings, Silent, rated_results};
use greatness::systems::comparison::compare;
use greatness::systems::paired::history::Model;
use greatness::systems::paired::standing::{Advantage, Standing};
use greatness::systems::paired::{PairedSmoothed, Whole};
use greatness::systems::{Before, Overrides, Results, System};

/// What the prototype found, and how near to it we are to be.
const DIFFERENCES: [(&str, &str, i16, f64, f64); 3] = [
    ("Fischer", "Karpov", 1972, 84.0, 28.0),
    ("Kasparov", "Karpov", 1985, 27.0, 19.0),
    ("Capablanca", "Lasker", 1914, 3.0, 32.0),
];
const NEAR: f64 = 5.0;

/// Log loss before the event, of all games whose players both played before.
const LOG_LOSS: f64 = 0.6333;

/// How far strengths are left out of an event's own games (points, median).
const LEFT_OUT: f64 = 0.3;

fn model() -> Model {
    PairedSmoothed::model_with(&Overrides::default()).expect("the defaults")
}

fn results() -> Results {
    let mut settings = Settings::default();
    settings.input.pgn.push(support::shared_data().join("games.pgn.zst"));
    settings.input.spelling.push(support::spelling_file());
    let settings = settings
        .with_bundled_data(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
        .expect("the bundled lists");
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings, &Silent, &mut diagnostics).expect("games");
    rated_results(&settings, &games, &mut diagnostics).expect("results")
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn the_figures_of_the_prototype_come_out_on_its_games() {
    let results = results();
    let whole = Whole::of(&results, model());
    let rate = |word: &str| {
        let system = System::named(word).expect("it");
        Settings::default().systems.system(system).rate(&results)
    };

    for (one, other, year, wanted, deviation) in DIFFERENCES {
        let standing = |name: &str| {
            let player = results.called(name).expect("somebody");
            Standing::of(&whole.history, player, year).expect("he played")
        };
        let found = Advantage::of(&whole.history, &whole.fit, &standing(one), &standing(other));
        println!("{one} - {other} {year}: {:.1} +- {:.1}", found.difference, found.deviation);
        assert!((found.difference - wanted).abs() < NEAR, "{one} {found:?}");
        assert!((found.deviation - deviation).abs() < NEAR, "{one} {found:?}");
    }

    println!("{} anchors, the scale is moved by {:.1}", results.anchors.len(), whole.shift);
    assert!(results.anchors.len() > 500 && whole.note.is_none());
    assert!((whole.shift - 2439.0).abs() < NEAR, "{}", whole.shift);

    let Before::Differences(before) = rate("paired").before else { panic!("forecasts") };
    let curve = System::named("paired").expect("it");
    let curve = Settings::default().systems.system(curve);
    let forecasts = before.iter().map(|known| known.map(|known| curve.expected(known)));
    let compared = compare(&results, vec![("paired".into(), forecasts.collect())]);
    let log_loss = compared.judged[0].overall.log_loss().expect("games");
    println!("log loss {log_loss:.5} of {} games", compared.common);
    assert!((log_loss - LOG_LOSS).abs() < 0.0003, "{log_loss}");

    // Every so many events of ten games or more, by refits without their games.
    let lists = rate("paired-left-out").lists;
    let events: Vec<_> = results.events().filter(|event| event.len() >= 30).collect();
    let mut errors: Vec<f64> = Vec::new();
    for event in events.iter().step_by(events.len() / 4 + 1) {
        let mut others = results.clone();
        let number = event[0].event;
        others.games.retain(|game| game.event != number);
        let refitted = Whole::of(&others, model());
        let day = event.iter().map(|game| game.day).min().expect("a day");
        let list = lists.iter().find(|list| list.day == day).expect("the list of its day");
        let mut players: Vec<u32> =
            event.iter().flat_map(|game| [game.white, game.black]).collect();
        players.sort_unstable();
        players.dedup();
        for player in players {
            let line = list.ratings.iter().find(|line| line.player == player);
            // A year with nothing but the event is between others, or gone, without it.
            let node = refitted.history.node_of(player, day.year());
            if let (Some(line), Some(node)) = (line, node) {
                errors.push((line.rating - whole.shift - refitted.fit.points(node)).abs());
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    println!("left out: {median:.3} in the median of {}", errors.len());
    assert!(errors.len() > 20 && median < LEFT_OUT, "{median}");
}
