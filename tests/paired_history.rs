//! Tests ratings by paired comparison on the shared collection, against the prototype's figures for
//! the same games.
//!
//! Needs `../shared/data`, and a spelling file that `GREATNESS_SPELLING` names.

use std::path::Path;

use greatness::archive::{Selected, Settings, Silent, rated_results};
use greatness::evaluation::comparison::{
    Predictions, SystemEvaluation, compare, compute, draw_rates,
};
use greatness::rated::player_named;
use greatness::systems::paired::forward::ForwardFit;
use greatness::systems::paired::history::{PairedGame, PairedModel};
use greatness::systems::paired::strength_in_year::{StrengthDifference, StrengthInYear};
use greatness::systems::paired::{FittedHistory, PairedSmoothed};
use greatness::systems::{Overrides, RatedGame, Results, Role, System};
use rustc_hash::FxHashMap;

/// The prototype's differences (points) with their standard deviations, and the tolerance (points).
const DIFFERENCES: [(&str, &str, i16, f64, f64); 3] = [
    ("Fischer", "Karpov", 1972, 84.0, 28.0),
    ("Kasparov", "Karpov", 1985, 27.0, 19.0),
    ("Capablanca", "Lasker", 1914, 3.0, 32.0),
];
const NEAR: f64 = 5.0;

/// Mean rating of the ten best players of 1967, on a scale fixed by FIDE's lists of 1971 to 2021.
/// Source: the specification of paired comparison.
const BEST_OF_1967: f64 = 2647.0;

/// Log loss of predictions before the event, on the games that all systems rate.
const LOG_LOSS: f64 = 0.6630;

/// Factor by which a difference shrinks a year ahead.
/// Source: the specification of paired comparison.
const A_YEAR_AHEAD: f64 = 0.87;

/// Largest accepted median error (points) of strengths that leave out an event's own games. Judged:
/// a hundredth of the standard deviations in [`DIFFERENCES`].
const LEFT_OUT: f64 = 0.3;

fn model() -> PairedModel {
    PairedSmoothed::model_with(&Overrides::default()).expect("the defaults")
}

fn results() -> Results {
    let mut settings = Settings::default();
    settings.input.pgn.push(crate::support::shared_data().join("games.pgn.zst"));
    settings.input.spelling.push(crate::support::spelling_file());
    let settings = settings
        .with_bundled_data(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
        .expect("the bundled lists");
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings.input, &Silent, &mut diagnostics).expect("games");
    rated_results(&settings, &games, &mut diagnostics).expect("results")
}

/// A player's scores of a year: their deviation from the forecasts, and its variance.
#[derive(Clone, Debug, Default)]
struct Year {
    games: usize,
    /// Score minus forecast, and the variance of the games alone.
    off: f64,
    variance: f64,
    /// Derivative of the sum of forecasts by the player's own strength, and by each opponent's.
    steep: f64,
    against: FxHashMap<u32, f64>,
}

fn first_day(event: &[RatedGame]) -> jiff::civil::Date {
    event.iter().map(|game| game.day).min().expect("a game")
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn variance_of_scores_a_year_ahead_is_the_predicted_one() {
    let results = results();
    let tendency = FittedHistory::new(&results, model()).fit.tendency;
    let births: Vec<_> = results.players.iter().map(|player| player.born).collect();
    let mut known = ForwardFit::new(model(), &births);
    let events: Vec<&[RatedGame]> = results.events().collect();
    let (mut sum, mut count) = (0.0, 0);
    for of_year in events.chunk_by(|a, b| first_day(a).year() == first_day(b).year()) {
        let year = first_day(of_year[0]).year();
        let mut years: FxHashMap<u32, Year> = FxHashMap::default();
        for game in of_year.iter().copied().flatten() {
            let [white, black] =
                [game.white, game.black].map(|player| known.projected(player, year));
            let (Some((x, one)), Some((y, other))) = (white, black) else { continue };
            let scatter = (1.0 + std::f64::consts::PI / 8.0 * (one + other)).sqrt();
            let z = (A_YEAR_AHEAD * (x - y) + known.white_in(year)) / scatter;
            let expected = 1.0 / (1.0 + (-z).exp());
            let chance = expected * (1.0 - expected);
            // Derivative of the forecast by a strength.
            let steep = chance * A_YEAR_AHEAD / scatter;
            let of_chance = chance * (1.0 - tendency.at(year, (x + y) / 2.0));
            let off = game.score - expected;
            for (player, opponent, off) in
                [(game.white, game.black, off), (game.black, game.white, -off)]
            {
                let own = years.entry(player).or_default();
                own.games += 1;
                own.off += off;
                own.variance += of_chance;
                own.steep += steep;
                *own.against.entry(opponent).or_default() += steep;
            }
        }
        for (player, own) in years.iter().filter(|(_, own)| own.games >= 8) {
            let variance =
                |player| known.projected(player, year).map_or(0.0, |(_, variance)| variance);
            let opponents: f64 =
                own.against.iter().map(|(other, steep)| steep * steep * variance(*other)).sum();
            let all = own.variance + own.steep * own.steep * variance(*player) + opponents;
            sum += own.off * own.off / all;
            count += 1;
        }
        for of_day in of_year.chunk_by(|a, b| first_day(a) == first_day(b)) {
            let games = of_day.iter().copied().flatten().map(PairedGame::from_game);
            known.add(&games.collect::<Vec<PairedGame>>());
        }
    }
    let mean = sum / f64::from(count);
    println!("mean {mean:.3} over {count} players and years");
    assert!(count > 10_000 && (mean - 0.99).abs() < 0.05, "{mean} of {count}");
}

fn log_loss(evaluation: &SystemEvaluation) -> f64 {
    evaluation.overall.log_loss().expect("games")
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn figures_agree_with_the_prototype() {
    let results = results();
    let whole = FittedHistory::new(&results, model());

    for (one, other, year, wanted, deviation) in DIFFERENCES {
        let [of_one, of_other] = [one, other].map(|name| {
            let player = player_named(&results, name).expect("a player of this name");
            StrengthInYear::new(&whole.history, player, year).expect("a year with games")
        });
        let found = StrengthDifference::new(&whole.history, &whole.fit, &of_one, &of_other);
        println!("{one} - {other} {year}: {:.1} +- {:.1}", found.difference, found.deviation);
        assert!((found.difference - wanted).abs() < NEAR, "{one} {found:?}");
        assert!((found.deviation - deviation).abs() < NEAR, "{one} {found:?}");
    }

    println!("{} anchors, the scale is moved by {:.1}", results.anchors.len(), whole.shift);
    assert!(results.anchors.len() > 500 && whole.note.is_none());
    // The prototype's level was measured without cohorts; with them it is 10 points lower.
    let flat = FittedHistory::new(&results, PairedModel { cohorts: 0.0, ..model() });
    let (_, nodes) = flat.history.years().find(|(year, _)| *year == 1967).expect("the year");
    let mut best: Vec<f64> = nodes.map(|node| flat.fit.points(node) + flat.shift).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    let best = best[..10].iter().sum::<f64>() / 10.0;
    println!("the ten best of 1967: {best:.1}");
    assert!((best - BEST_OF_1967).abs() < NEAR, "{best}");

    let predicting = System::all().iter().filter(|system| !system.about.knows_later_games);
    let systems = predicting.map(|system| (system, Settings::default().systems.system(system)));
    let (_, predictions) = compute(&results, systems.collect(), |_| ());
    // The prototype was evaluated on the games that exactly these systems could rate.
    let present: Vec<&Predictions> = predictions
        .iter()
        .filter(|(system, _)| matches!(system.about.role, Role::Whole | Role::Variant))
        .map(|(_, predictions)| predictions)
        .collect();
    let comparison = compare(&results, &present, "Elo", &draw_rates(&results, &predictions));
    for evaluation in &comparison.systems {
        println!(
            "{}: {:.4} of {} games",
            evaluation.system,
            log_loss(evaluation),
            comparison.common
        );
    }
    let best = comparison.systems.iter().min_by(|a, b| log_loss(a).total_cmp(&log_loss(b)));
    let best = best.expect("a system");
    assert_eq!(best.system, "Paired");
    assert!((log_loss(best) - LOG_LOSS).abs() < 0.0003, "{}", log_loss(best));

    // Refit without the games of some events of thirty games or more.
    let system = System::named("paired-left-out").expect("it");
    let lists = Settings::default().systems.system(system).rate(&results).lists;
    let events: Vec<_> = results.events().filter(|event| event.len() >= 30).collect();
    let mut errors: Vec<f64> = Vec::new();
    for event in events.iter().step_by(events.len() / 4 + 1) {
        let mut others = results.clone();
        let number = event[0].event;
        others.games.retain(|game| game.event != number);
        let refitted = FittedHistory::new(&others, model());
        let day = first_day(event);
        let mut players: Vec<u32> =
            event.iter().flat_map(|game| [game.white, game.black]).collect();
        players.sort_unstable();
        players.dedup();
        // Find the list of this event among those of its day, by its players.
        let list = lists
            .iter()
            .filter(|list| list.day == day)
            .find(|list| {
                let listed: Vec<u32> = list.ratings.iter().map(|line| line.player).collect();
                players.iter().all(|player| listed.contains(player))
            })
            .expect("the list of the event");
        for &player in &players {
            let line = list.ratings.iter().find(|line| line.player == player);
            // Without the event, a year with no other games is interpolated or missing.
            let node = refitted.history.node_of(player, day.year());
            if let (Some(line), Some(node)) = (line, node) {
                errors.push((line.rating - whole.shift - refitted.fit.points(node)).abs());
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    println!("left out: median error {median:.3} over {}", errors.len());
    assert!(errors.len() > 20 && median < LEFT_OUT, "{median}");
}
