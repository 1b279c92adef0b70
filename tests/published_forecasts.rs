//! Tests forecasts from games and published ratings on the shared collection, against the figures
//! of their specification for the same games.
//!
//! Needs `../shared/data`, and a spelling file that `GREATNESS_SPELLING` names.

use std::path::Path;
use std::time::Instant;

use greatness::archive::{Selected, Settings, Silent, rated_results};
use greatness::evaluation::comparison::{Predictions, compute, draw_rates};
use greatness::evaluation::published_trial::{
    GroupScores, PublishedTrial, TrialGroup, published_predictions,
};
use greatness::systems::published::PairedAndPublished;
use greatness::systems::{Results, System};

/// Log losses of all games since 2000 with tags of both: the filter, and the last layer without
/// paired comparison. They depend on how names and events are read.
const ALL_GAMES: [f64; 2] = [0.60169, 0.60077];
const NEAR: f64 = 0.0015;

/// Log losses on common games since 2000: tags, paired comparison, and both together.
const TAGS: f64 = 0.62690;
const PAIRED: f64 = 0.63214;
const BOTH: f64 = 0.62366;

/// How much better than the tags the forecasts must be, and the least number of games of a group in
/// which they may not be worse.
const BETTER: f64 = 0.0025;
const ENOUGH: usize = 2000;

/// Log losses of three results: the tags with the draws of their decade, and the forecasts with the
/// players' tendencies.
const THREE_WAY: [f64; 2] = [0.9095, 0.8951];

fn results() -> Results {
    let mut settings = Settings::default();
    settings.input.pgn.push(crate::support::shared_data().join("games.pgn.zst"));
    settings.input.spelling.push(crate::support::spelling_file());
    let settings = settings
        .with_bundled_data(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
        .expect("the bundled lists");
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings, &Silent, &mut diagnostics).expect("games");
    rated_results(&settings, &games, &mut diagnostics).expect("results")
}

/// The mean log loss of logits.
fn log_loss(games: &[(f64, f64)]) -> f64 {
    let loss = |(z, score): &(f64, f64)| z.max(0.0) + (-z.abs()).exp().ln_1p() - score * z;
    games.iter().map(loss).sum::<f64>() / games.len() as f64
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn log_losses_are_those_of_the_specification() {
    let results = results();
    let begin = Instant::now();
    let forecasts = PairedAndPublished::default().forecasts(&results);
    println!("{} games forecast in {:.1?}", forecasts.len(), begin.elapsed());
    let tagged: Vec<usize> = (0..results.games.len())
        .filter(|game| results.published.tags[*game].iter().all(|tag| *tag >= 1000))
        .filter(|game| results.games[*game].day.year() >= 2000)
        .collect();
    for (wanted, which) in ALL_GAMES.into_iter().zip(["filter", "layer"]) {
        let logits = tagged.iter().map(|game| {
            let found = forecasts[*game];
            let logit = if which == "filter" { found.filter } else { found.layer };
            (logit, results.games[*game].score)
        });
        let found = log_loss(&logits.collect::<Vec<_>>());
        println!("{which}: {found:.5} of {} games", tagged.len());
        assert!((found - wanted).abs() < NEAR, "{which}: {found}");
    }
}

#[test]
#[ignore = "needs ../shared/data, and GREATNESS_SPELLING to name a spelling file"]
fn forecasts_are_better_than_the_tags_in_every_era_level_and_age() {
    let results = results();
    let system = |word: &str| {
        let system = System::named(word).expect("a system");
        (system, Settings::default().systems.system(system))
    };
    let words = ["elo", "paired", "paired-and-published"];
    let (_, predictions) = compute(&results, words.map(system).into(), |_| ());
    let rates = draw_rates(&results, &predictions);
    let tags = published_predictions(&results, "Tags", &results.published.tags);
    let others: Vec<&Predictions> = predictions[1..].iter().map(|(_, of)| of).collect();
    let trial = PublishedTrial::of(&results, &tags, &others, &rates).expect("common games");
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
            assert!(scores[2].against_tags.mean < 0.0, "{group:?}");
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
        assert!((found - wanted).abs() < 2.0 * NEAR, "{found} {wanted}");
    }
}
