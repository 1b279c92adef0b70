//! Tests forecasts from games and published ratings on the shared collection. The expected figures
//! are this program's; those of the specification are in the comments.
//!
//! The figures of the specification are less good (filter 0.60169, here 0.59992). The cause is the
//! data, not the filter, and later knowledge does not leak into it:
//!
//! - The specification's prototype, run on exactly the results of this test, has the same 136,999
//!   logits as our filter to within 1e-14, and 0.59894 with its last layer, where we have 0.59895.
//! - We know more years of birth: those of 98% of the players of these games, counted by game. With
//!   the births of every fourth player hidden, our figures are those of the specification.
//! - With all births hidden, the gain over the tags is 0.0010, as in the specification.
//! - The tags alone have 0.60346 on these games and 0.60379 on the 137,455 of the specification. So
//!   the games are almost the same.
//!
//! Needs `../shared/data`, and a spelling file that `GREATNESS_SPELLING` names.

use std::path::Path;
use std::time::Instant;

use greatness::archive::{Selected, Settings, Silent, rated_results};
use greatness::evaluation::comparison::{Predictions, compute, draw_rates};
use greatness::evaluation::published_trial::{
    GroupScores, PublishedTrial, TrialGroup, published_predictions,
};
use greatness::systems::published::{GameForecast, PairedAndPublished};
use greatness::systems::{Results, System};

/// Tolerance of log losses. Judged: half of the gain of the last layer over the filter, 0.001.
const NEAR: f64 = 0.0005;

/// Log losses of the filter and of the last layer on all games since 2000 with tags of both: with
/// all known births; with those of every fourth player hidden; with none.
///
/// The numbers of the players change with their identities, so the second is the mean over the four
/// fourths. The specification hid one fourth, and has 0.60169 and 0.60077.
const ALL_BIRTHS: [f64; 2] = [0.59992, 0.59895];
const FEWER_BIRTHS: [f64; 2] = [0.60169, 0.60077];
const NO_BIRTHS: [f64; 2] = [0.60386, 0.60244];

/// Log losses on common games since 2000, as this program measured them: tags, paired comparison,
/// and both together. There are 126,644 such games: every source predicts them, and their events
/// have a known month. The specification also required both players to be on the last quarterly
/// list of paired comparison, and has 0.62690, 0.63214 and 0.62366 on 99,253 games. Players of a
/// list are closer to each other, so their games are harder to predict. Of our games 115,351 meet
/// that condition, or 101,744 without provisional ratings. On them the tags have 0.63313 and
/// 0.64641, and both together 0.62912 and 0.64272: the gain is 0.0040 and 0.0037.
const TAGS: f64 = 0.62054;
const PAIRED: f64 = 0.62422;
const BOTH: f64 = 0.61629;

/// Smallest accepted gain of the forecasts over the tags (log loss), and the number of games from
/// which a group is compared.
///
/// Both are judged. The gain over the tags is 0.0042, so most of it must remain. In groups much
/// smaller than 2,000 games, chance would decide.
const BETTER: f64 = 0.0025;
const ENOUGH: usize = 2000;

/// Log losses of three results: the tags with the draws of their decade, and the forecasts with the
/// players' tendencies. The specification has 0.9095 and 0.8951 on fewer games.
const THREE_WAY: [f64; 2] = [0.9058, 0.8820];

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

/// The mean log loss of logits.
fn log_loss(games: &[(f64, f64)]) -> f64 {
    let losses = games.iter().map(|(z, score)| z.max(0.0) + (-z.abs()).exp().ln_1p() - score * z);
    losses.sum::<f64>() / games.len() as f64
}

/// The results with the births of some players hidden, by the players' numbers.
fn with_hidden_births(mut results: Results, is_hidden: impl Fn(usize) -> bool) -> Results {
    for (number, player) in results.players.iter_mut().enumerate() {
        player.born = player.born.filter(|_| !is_hidden(number));
    }
    results
}

/// Log losses of the filter and of the last layer on the games since 2000 with tags of both.
fn filter_and_layer(results: &Results) -> [f64; 2] {
    let begin = Instant::now();
    let forecasts = PairedAndPublished::default().forecasts_without_paired(results);
    println!("{} games forecast in {:.1?}", forecasts.len(), begin.elapsed());
    let tagged: Vec<usize> = (0..results.games.len())
        .filter(|game| results.published.tags[*game].iter().all(|tag| *tag >= 1000))
        .filter(|game| results.games[*game].day.year() >= 2000)
        .collect();
    let (mut by_filter, mut by_layer) = (Vec::new(), Vec::new());
    for game in &tagged {
        let GameForecast { filter, layer, .. } = forecasts[*game];
        let score = results.games[*game].score;
        by_filter.push((filter, score));
        by_layer.push((layer, score));
    }
    let found = [log_loss(&by_filter), log_loss(&by_layer)];
    println!("filter {:.5}, last layer {:.5} of {} games", found[0], found[1], tagged.len());
    found
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn births_explain_how_well_the_filter_and_the_last_layer_predict() {
    let results = results();
    let fourths = [0, 1, 2, 3].map(|fourth| {
        filter_and_layer(&with_hidden_births(results.clone(), |number| number % 4 == fourth))
    });
    let means = [0, 1].map(|layer| fourths.iter().map(|found| found[layer]).sum::<f64>() / 4.0);
    let found = [
        filter_and_layer(&results),
        means,
        filter_and_layer(&with_hidden_births(results, |_| true)),
    ];
    for (found, wanted) in found.into_iter().zip([ALL_BIRTHS, FEWER_BIRTHS, NO_BIRTHS]) {
        assert!(found[1] < found[0], "the last layer predicts better: {found:?}");
        for (found, wanted) in found.into_iter().zip(wanted) {
            assert!((found - wanted).abs() < NEAR, "{found} {wanted}");
        }
    }
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn forecasts_are_better_than_the_tags_in_every_era_level_and_age() {
    let results = results();
    let systems = ["elo", "paired", "paired-and-published"].map(|word| {
        let system = System::named(word).expect("a system");
        (system, Settings::default().systems.system(system))
    });
    let (_, predictions) = compute(&results, systems.into(), |_| ());
    let rates = draw_rates(&results, &predictions);
    let tags = published_predictions(&results, "Tags", &results.published.tags);
    let others: Vec<&Predictions> = predictions[1..].iter().map(|(_, of)| of).collect();
    let trial = PublishedTrial::new(&results, &tags, &others, &rates).expect("common games");
    println!("{} of {} players have a birth", trial.born, trial.players);
    for GroupScores { group, games, scores } in &trial.groups {
        let line: Vec<String> = scores
            .iter()
            .map(|score| {
                let error = score.against_tags.standard_error.unwrap_or(f64::NAN);
                let mean = score.against_tags.mean;
                format!("{:.5} {mean:+.4} ({error:.4}) {:.2}", score.log_loss, score.slope)
            })
            .collect();
        println!("{group:?} {games}: {}", line.join(" | "));
        if *games >= ENOUGH {
            assert!(scores[2].against_tags.mean < 0.0, "better than the tags: {group:?}");
            assert!(scores[2].log_loss < scores[1].log_loss, "than paired: {group:?}");
        }
    }
    for (source, score) in trial.sources.iter().zip(&trial.three_way) {
        println!("{source}: three results {:.4}, {:.4}", score.by_decade, score.by_tendency);
    }
    let all = trial.all().expect("all games");
    assert_eq!(all.group, TrialGroup::All);
    for (score, wanted) in all.scores.iter().zip([TAGS, PAIRED, BOTH]) {
        assert!((score.log_loss - wanted).abs() < NEAR, "{} {wanted}", score.log_loss);
    }
    assert!(all.scores[2].against_tags.mean < -BETTER);
    let three_way = [trial.three_way[0].by_decade, trial.three_way[2].by_tendency];
    for (found, wanted) in three_way.into_iter().zip(THREE_WAY) {
        assert!((found - wanted).abs() < NEAR, "{found} {wanted}");
    }
}
