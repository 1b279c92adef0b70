//! Variants of Elo's system, and systems of the past: a section of the page *Which ratings to
//! trust*.

use serde::Serialize;

use super::Site;
use super::differences::{BEYOND, with_error};
use crate::figures::{fixed, fixed_or_empty, thousands};
use rating_systems::systems::elo::formulas::Expectancy;

/// The section of the page; `None` if nothing was compared.
pub(super) fn trials(site: &Site, standard: &str) -> Option<impl Serialize> {
    let ways = &site.archive.studies.elo_variants;
    if ways.trials.is_empty() {
        return None;
    }
    let better: Vec<&str> = ways
        .trials
        .iter()
        .filter(|trial| trial.better().is_above(BEYOND))
        .map(|trial| trial.name.as_str())
        .collect();
    Some(view!(
        verdict = match better.len() {
            0 => format!(
                "None of them predicts better than the standard version of {standard} by more than twice the standard error."
            ),
            _ => format!(
                "Better than the standard version of {standard} by more than twice the standard error: {}.",
                better.join("; ")
            ),
        },
        rows = ways
            .trials
            .iter()
            .map(|trial| {
                [
                    trial.name.clone(),
                    thousands(trial.pair.games),
                    fixed_or_empty(trial.pair.recalibrated.0.log_loss(), 4),
                    fixed_or_empty(trial.pair.recalibrated.1.log_loss(), 4),
                    with_error(trial.better()),
                    fixed_or_empty(trial.pair.slope, 2),
                    fixed(trial.pair.three_way.0, 4),
                    trial.better_by_own_curve().map(with_error).unwrap_or_default(),
                ]
            })
            .collect::<Vec<_>>(),
        curves = Expectancy::ALL.map(Expectancy::words).to_vec(),
        games = thousands(ways.curves.first().map_or(0, |run| run.games)),
        runs = ways
            .curves
            .iter()
            .map(|run| view!(
                made_by = run.made_by.words(),
                // Log loss and chi-squared by each curve.
                cells = run
                    .judged
                    .iter()
                    .map(|judged| {
                        let statistic = judged.fit.map(|fit| fit.statistic.round() as usize);
                        (
                            fixed_or_empty(judged.log_loss, 4),
                            statistic.map(thousands).unwrap_or_default(),
                        )
                    })
                    .collect::<Vec<_>>()
            ))
            .collect::<Vec<_>>()
    ))
}
