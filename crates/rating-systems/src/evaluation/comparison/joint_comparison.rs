//! Compares all systems on the games that every one of them could rate.

use rayon::prelude::*;

use super::common_games::CommonGames;
use super::predictions::Predictions;
use super::score::{Adjusted, LossDifference};
use super::system_evaluation::SystemEvaluation;
use crate::evaluation::draw_model::DrawRates;
use crate::evaluation::expectations::Expectations;
use crate::evaluation::recalibration::Recalibrated;
use crate::systems::draw_tendency::draw_probabilities;
use crate::systems::{Results, Role, System};

/// The result of comparing systems.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemComparison {
    /// Number of all games, rated or not.
    pub games: usize,
    /// Number of common games: those that all systems could rate.
    pub common: usize,
    /// Evaluations of the systems, then of the baselines.
    pub systems: Vec<SystemEvaluation>,
}

/// Estimates draw rates from the recalibrated predictions of the standard system, or of the first
/// system if the standard is missing.
pub fn draw_rates(results: &Results, predictions: &[(&'static System, Predictions)]) -> DrawRates {
    let standard = predictions.iter().find(|(system, _)| system.about.is_standard);
    let Some((_, standard)) = standard.or(predictions.first()) else {
        return DrawRates::default();
    };
    let expected = &standard.recalibrated.expected;
    DrawRates::from_games(
        results.games.iter().enumerate().filter_map(|(number, game)| {
            Some((game.day.year(), expected.get(number)?, game.score))
        }),
    )
}

/// Whether a system takes part in the comparison of all systems.
///
/// It must rate at least half of all games, because the comparison uses only games that all systems
/// could rate. Systems of the past are compared separately, by
/// [`trial`](crate::evaluation::trials::trial).
pub fn is_judged_with_all(results: &Results, system: &System, predictions: &Predictions) -> bool {
    let rated = predictions.recalibrated.expected.rated();
    system.about.role != Role::Past
        && !system.about.reads_published_ratings
        && 2 * rated >= results.games.len()
}

/// Compares the predictions of all systems that take part in the comparison.
pub fn compare_systems(
    results: &Results,
    predictions: &[(&'static System, Predictions)],
    rates: &DrawRates,
) -> SystemComparison {
    let present = predictions.iter().filter(|(system, of)| is_judged_with_all(results, system, of));
    let standard = System::standard().about.name;
    let present: Vec<&Predictions> = present.map(|(_, predictions)| predictions).collect();
    compare(results, &present, standard, rates)
}

/// Compares systems on the games that all of them could rate: with each other, with the system
/// named `standard`, and with two baselines. The baselines always predict one half, or White's
/// average score in earlier events.
pub fn compare(
    results: &Results,
    systems: &[&Predictions],
    standard: &str,
    rates: &DrawRates,
) -> SystemComparison {
    let common = CommonGames::new(results, systems, rates);
    let baselines = baselines(results);
    let all: Vec<&Predictions> = systems.iter().copied().chain(&baselines).collect();
    let standard = all.iter().find(|of| of.name == standard);
    let losses_of_standard =
        standard.filter(|_| !common.games.is_empty()).map(|of| common.losses(of));
    let judged = all.par_iter().map(|of| {
        let against = losses_of_standard.as_ref();
        let behind_standard =
            against.map(|standard| common.difference(&common.losses(of), standard));
        SystemEvaluation { behind_standard, ..SystemEvaluation::new(&common, of) }
    });
    let mut judged: Vec<SystemEvaluation> = judged.collect();
    let losses: Vec<f64> = judged[..systems.len()]
        .iter()
        .map(|judged| judged.recalibrated.log_loss().unwrap_or(f64::INFINITY))
        .collect();
    let best = (0..losses.len()).min_by(|a, b| losses[*a].total_cmp(&losses[*b]));
    if let Some(best) = best.filter(|_| !common.games.is_empty()) {
        let smallest = common.losses(systems[best]);
        for (judged, of) in judged.iter_mut().zip(&all) {
            judged.behind_best = common.difference(&common.losses(of), &smallest);
        }
        let behind = behind_with_white(&common, systems, &judged);
        for (judged, behind) in judged.iter_mut().zip(behind) {
            judged.behind = behind;
        }
    }
    SystemComparison { games: results.games.len(), common: common.games.len(), systems: judged }
}

/// Each system's log loss minus the smallest one, both with White's advantage. `None` for a
/// system without its own curve.
fn behind_with_white(
    common: &CommonGames<'_>,
    systems: &[&Predictions],
    judged: &[SystemEvaluation],
) -> Vec<Option<LossDifference>> {
    let mut smallest: Option<(f64, &Expectations, Adjusted)> = None;
    for (system, judged) in systems.iter().zip(judged) {
        let (Some(own), Some(with_white)) = (&system.own, judged.with_white) else { continue };
        let loss = with_white.score.log_loss().unwrap_or(f64::INFINITY);
        if smallest.is_none_or(|(least, ..)| loss.total_cmp(&least).is_lt()) {
            smallest = Some((loss, own, with_white));
        }
    }
    let smallest = smallest.map(|(_, own, with)| common.losses_with_white(own, with));
    systems
        .iter()
        .zip(judged)
        .map(|(system, judged)| {
            let losses = common.losses_with_white(system.own.as_ref()?, judged.with_white?);
            Some(common.difference(&losses, smallest.as_ref()?))
        })
        .collect()
}

/// The baselines: always one half, and White's average score in earlier events.
fn baselines(results: &Results) -> [Predictions; 2] {
    let mut average = Vec::with_capacity(results.games.len());
    let (mut sum, mut count) = (0.5, 1.0);
    for event in results.events() {
        average.extend(std::iter::repeat_n(Some(sum / count), event.len()));
        sum += event.iter().map(|game| game.score).sum::<f64>();
        count += event.len() as f64;
    }
    let half: Vec<Option<f64>> = vec![Some(0.5); results.games.len()];
    [("always one half", half), ("White's average", average)].map(|(name, expected)| {
        let expected: Expectations = expected.into_iter().collect();
        // A baseline knows no level either.
        let draws = draw_probabilities(results, |game| expected.get(game), &[]);
        let recalibrated = Recalibrated { expected: expected.clone(), slope: None, white: None };
        let draws = Some(draws.into_iter().collect());
        Predictions { name: name.to_owned(), own: Some(expected), recalibrated, draws }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::comparison::Bin;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    fn predictions(name: &str, expected: impl IntoIterator<Item = Option<f64>>) -> Predictions {
        let expected: Expectations = expected.into_iter().collect();
        let recalibrated = Recalibrated { expected: expected.clone(), slope: None, white: None };
        Predictions { name: name.to_owned(), own: Some(expected), recalibrated, draws: None }
    }

    fn results(scores: &[f64]) -> Results {
        let players =
            ["A", "B"].map(|name| RatedPlayer { name: name.into(), ..RatedPlayer::default() });
        let games = (0..).zip(scores);
        let games =
            games.map(|(event, score)| RatedGame::new(0, 1, *score, date(1950, 1, 1), event));
        Results { players: players.into(), games: games.collect(), ..Results::default() }
    }

    #[test]
    fn standard_errors_of_differences_are_clustered_by_event() {
        let scores: Vec<f64> = (0..40).map(|game| f64::from(game % 4 / 2)).collect();
        let results = results(&scores);
        let informed = predictions("informed", scores.iter().map(|score| Some(0.4 + 0.2 * score)));
        let constant = predictions("constant", scores.iter().map(|_| Some(0.5)));
        let rates = DrawRates::default();
        let found = compare(&results, &[&informed, &constant], "constant", &rates);
        assert_eq!(found.systems[0].behind.unwrap().mean, 0.0);
        let behind = found.systems[1].behind.unwrap();
        let wanted = (-(0.5f64.ln())) - (-(0.6f64.ln()));
        assert!((behind.mean - wanted).abs() < 1e-6, "{behind:?}");
        // All games have the same difference of losses.
        assert!(behind.standard_error.unwrap() < 1e-6, "{behind:?}");
        let behind_standard = found.systems[0].behind_standard.unwrap();
        assert!((behind_standard.mean + wanted).abs() < 1e-6, "{behind_standard:?}");
        let nothing = LossDifference { mean: 0.0, standard_error: Some(0.0) };
        assert_eq!(found.systems[1].behind_standard, Some(nothing));
    }

    #[test]
    fn comparison_uses_only_games_that_all_systems_rated() {
        let results = results(&[1.0, 0.5, 0.0]);
        let two = predictions("rated two", [Some(0.8), Some(0.5), None]);
        let all = predictions("rated all", [Some(0.6); 3]);
        let found = compare(&results, &[&two, &all], "", &DrawRates::default());
        assert_eq!((found.games, found.common), (3, 2));
        assert!(found.systems.iter().all(|one| one.overall.games == 2));
        assert_eq!(found.systems.iter().map(|one| one.rated).collect::<Vec<_>>(), [2, 3, 3, 3]);
        let first = &found.systems[0].overall;
        let expected = (-(0.8f64.ln()) - 0.5f64.ln()) / 2.0;
        assert!((first.log_loss().unwrap() - expected).abs() < 1e-7);
        assert!((first.brier_score().unwrap() - 0.04 / 2.0).abs() < 1e-7);
        let half = &found.systems[2];
        assert!((half.overall.log_loss().unwrap() - 2f64.ln()).abs() < 1e-12);
        assert_eq!(half.bins[10], Bin { games: 2, expected: 1.0, actual: 1.5 });
        // White's average uses only earlier games.
        assert_eq!(found.systems[3].bins[10].games, 1);
        assert_eq!(found.systems[3].bins[15].games, 1);
    }
}
