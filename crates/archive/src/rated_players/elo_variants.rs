//! Compares variants of Elo's system, and systems of the past, with standard Elo.

use rayon::prelude::*;

use crate::settings::system_settings::{SystemChoice, SystemSettings};
use rating_systems::evaluation::comparison::{
    Predictions, is_judged_with_all, log_loss_with_white, predictions,
};
use rating_systems::evaluation::draw_model::DrawRates;
use rating_systems::evaluation::expectations::Expectations;
use rating_systems::evaluation::shared_draws::SharedDraws;
use rating_systems::evaluation::trials::{Trial, trial};
use rating_systems::forecasts::{CurveFit, KnownGame, curve_test};
use rating_systems::systems::elo::formulas::Expectancy;
use rating_systems::systems::elo::{EloVariant, elo_variants};
use rating_systems::systems::{Overrides, PreEventRatings, Results, System};

/// The comparisons with standard Elo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EloVariants {
    /// Each variant compared with standard Elo.
    pub trials: Vec<Trial>,
    /// Elo's system with each curve, evaluated with every curve.
    pub curves: Vec<CurveVariant>,
}

/// Elo's system with one curve.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveVariant {
    /// The curve from which the ratings were computed.
    pub made_by: Expectancy,
    /// The number of games whose players both had a rating before.
    pub games: usize,
    /// The evaluations of these ratings with each curve, in the order of [`Expectancy::ALL`].
    pub judged: Vec<CurveEvaluation>,
}

/// The evaluation of ratings with a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveEvaluation {
    /// The log loss with the advantage of White that minimises it.
    pub log_loss: Option<f64>,
    /// The fit of scores by rating difference.
    pub fit: Option<CurveFit>,
}

/// The predictions that are compared with standard Elo.
#[derive(Clone, Copy, Debug)]
pub struct JudgedPredictions<'a> {
    /// Those of all systems.
    pub computed: &'a [(&'static System, Predictions)],
    /// Those from published ratings.
    pub published: &'a [Predictions],
    /// The draw model that all of them share.
    pub draws: &'a SharedDraws<'a>,
}

/// Compares all variants. Variants of Elo's system are computed only with all systems.
pub fn compare_elo_variants(
    results: &Results,
    settings: &SystemSettings,
    JudgedPredictions { computed, published, draws }: JudgedPredictions<'_>,
    draw_rates: &DrawRates,
) -> EloVariants {
    let standing = computed.iter().find(|(system, _)| system.about.is_standard);
    let Some((system, standing)) = standing else { return EloVariants::default() };
    let overrides = settings.overrides(system);
    let ways = match settings.compute {
        SystemChoice::All => elo_variants(),
        SystemChoice::Core => Vec::new(),
    };
    let found: Vec<_> = ways
        .into_par_iter()
        .with_max_len(1)
        .filter_map(|way| {
            let curve = way.curve;
            let with = overrides.clone().into_iter().chain(way.overrides.clone()).collect();
            // Settings are within their ranges, and so are the variants.
            let rates = system.with(&with).ok()?;
            // The standard system itself is already computed.
            let is_other = differs(&way, system, &overrides);
            if curve.is_none() && !is_other {
                return None;
            }
            let ratings = rates.rate(results).finite();
            let by_curve = match (curve, &ratings.before) {
                (Some(curve), PreEventRatings::Differences(before)) => {
                    Some(curve_run(results, curve, before))
                }
                _ => None,
            };
            if !is_other {
                return Some((by_curve, None));
            }
            // Evaluated at once, so that no variant keeps its predictions: a game takes sixteen
            // bytes.
            let mut known =
                predictions(results, &way.name, rates.as_ref(), &ratings, &ratings.lists);
            known.predict_draws(draws);
            Some((by_curve, trial(results, &known, standing, draw_rates)))
        })
        .collect();
    let (curves, tried): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let others: Vec<&Predictions> = computed
        .iter()
        .filter(|(tried, of)| tried != system && !is_judged_with_all(results, tried, of))
        .map(|(_, predictions)| predictions)
        .chain(published)
        .collect();
    let others: Vec<Option<Trial>> =
        others.into_par_iter().map(|tried| trial(results, tried, standing, draw_rates)).collect();
    EloVariants {
        trials: tried.into_iter().chain(others).flatten().collect(),
        curves: curves.into_iter().flatten().collect(),
    }
}

/// Whether a variant has other parameters than the system with these overrides.
fn differs(way: &EloVariant, system: &System, overrides: &Overrides) -> bool {
    way.overrides.iter().any(|(key, value)| {
        let own = overrides.get(key).cloned().or_else(|| {
            let parameters = system.parameters().into_iter();
            parameters.filter(|one| one.key == key.as_str()).map(|one| one.default).next()
        });
        own.as_ref() != Some(value)
    })
}

/// Evaluates ratings that were computed with a curve, given as White's lead in each game, with
/// every curve.
fn curve_run(results: &Results, made_by: Expectancy, before: &[Option<f64>]) -> CurveVariant {
    let known: Vec<KnownGame> = results
        .games
        .iter()
        .zip(before)
        .filter_map(|(game, difference)| {
            Some(KnownGame {
                year: game.day.year(),
                difference: (*difference)?,
                curve: 0,
                score: game.score,
                has_colours: true,
            })
        })
        .collect();
    let fits = curve_test(&known).fits;
    let judged = Expectancy::ALL.iter().zip(fits).map(|(curve, fit)| {
        let expected = before.iter().map(|known| known.map(|known| curve.expected(known)));
        let expected: Expectations = expected.collect();
        CurveEvaluation { log_loss: log_loss_with_white(results, &expected), fit }
    });
    CurveVariant { made_by, games: known.len(), judged: judged.collect() }
}
