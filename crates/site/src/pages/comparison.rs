//! The page *Which ratings to trust*: all systems compared on the same games.

use serde::Serialize;

use super::Site;
use super::curves;
use super::differences::{BEYOND, with_error};
use super::page::Page;
use super::published_trial;
use super::trials;
use crate::charts::calibration_plot;
use crate::figures::{fixed, fixed_or_empty, percent, thousands};
use rating_systems::evaluation::comparison::{BINS, ERAS, SystemComparison, SystemEvaluation};
use rating_systems::systems::System;

/// The view of the comparison; `None` if there is none.
pub fn comparison(site: &Site, page: &Page) -> Option<impl Serialize> {
    let comparison = site.archive.studies.comparison.as_ref()?;
    let eras = eras_with_games(comparison);
    let systems: Vec<&SystemEvaluation> = with_curves(comparison);
    let standard = System::standard().about.name;
    let knowing = System::all().iter().filter(|system| system.about.knows_later_games);
    let not_judged: Vec<&str> = knowing.map(|system| system.about.name).collect();
    let first = comparison.systems.first();
    let era_games = eras
        .iter()
        .map(|era| thousands(first.map_or(0, |judged| judged.eras_recalibrated[*era].games)));
    let rows = comparison.systems.iter();
    let description = "How well each rating system predicts the games of an event before it \
         begins, on the same games.";
    Some(view!(
        frame = page.frame(site, description),
        games = thousands(comparison.games),
        common = thousands(comparison.common),
        part = part_of_games(comparison, comparison.common),
        // The system with which each is compared.
        standard,
        rows = rows
            .map(|systems| system_row(comparison, systems, &eras, standard))
            .collect::<Vec<_>>(),
        eras = eras.iter().map(|era| era_in_words(*era)).collect::<Vec<_>>(),
        era_games = era_games.collect::<Vec<_>>(),
        plot = calibration_plot(&systems),
        bins = (0..BINS).map(|bin| bin_row(bin, &systems)).collect::<Vec<_>>(),
        systems = systems.iter().map(|judged| judged.system.clone()).collect::<Vec<_>>(),
        // Which systems predict best, and where their order is not significant, in sentences.
        verdict = verdict(comparison, standard),
        // The systems that use later games, and so are not compared.
        not_judged = not_judged.join("; "),
        curves = curves::curves(site),
        published = published_trial::published_trial(site),
        trials = trials::trials(site, standard)
    ))
}

/// Places in `ERAS` of those in which any system rated games.
fn eras_with_games(comparison: &SystemComparison) -> Vec<usize> {
    (0..ERAS.len())
        .filter(|era| {
            comparison.systems.iter().any(|judged| judged.eras_recalibrated[*era].games > 0)
        })
        .collect()
}

/// `to 1899`, `1900–1949`, `from 2000`.
fn era_in_words(era: usize) -> String {
    match (ERAS[era], ERAS.get(era + 1)) {
        (i16::MIN, Some(next)) => format!("to {}", next - 1),
        (first, Some(next)) => format!("{first}–{}", next - 1),
        (first, None) => format!("from {first}"),
    }
}

/// Games as a percentage of all that were predicted.
fn part_of_games(comparison: &SystemComparison, games: usize) -> String {
    match comparison.games {
        0 => String::new(),
        all => percent(games as f64 / all as f64),
    }
}

/// The row of a system, with its log loss in these eras.
fn system_row(
    comparison: &SystemComparison,
    judged: &SystemEvaluation,
    eras: &[usize],
    standard: &str,
) -> impl Serialize + use<> {
    let (with_white, at_best) = (judged.with_white, judged.at_best);
    view!(
        system = judged.system.clone(),
        rated = thousands(judged.rated),
        coverage = part_of_games(comparison, judged.rated),
        // With its own curve.
        log_loss = fixed_or_empty(judged.overall.log_loss(), 4),
        brier = fixed_or_empty(judged.overall.brier_score(), 4),
        // With the fitted curve: log loss, squared error, difference from the standard, slope, and
        // log loss of three results.
        recalibrated = fixed_or_empty(judged.recalibrated.log_loss(), 4),
        recalibrated_brier = fixed_or_empty(judged.recalibrated.brier_score(), 4),
        against_standard = judged
            .behind_standard
            .filter(|_| judged.system != standard)
            .map(with_error)
            .unwrap_or_default(),
        fitted_slope = fixed_or_empty(judged.slope, 2),
        three_way = fixed_or_empty(judged.three_way, 4),
        // With its own curve and White's advantage: log loss, and the advantage (points).
        with_white = fixed_or_empty(with_white.and_then(|with| with.score.log_loss()), 4),
        white = fixed_or_empty(with_white.map(|with| with.white), 0),
        // With the best slope as well: log loss, and the slope.
        at_best = fixed_or_empty(at_best.and_then(|with| with.score.log_loss()), 4),
        slope = fixed_or_empty(at_best.map(|with| with.slope), 2),
        // The difference from the best system, with its standard error.
        behind =
            judged.behind.filter(|behind| behind.mean > 0.0).map(with_error).unwrap_or_default(),
        // Log loss by era, with the fitted curve.
        eras = eras
            .iter()
            .map(|era| fixed_or_empty(judged.eras_recalibrated[*era].log_loss(), 4))
            .collect::<Vec<_>>()
    )
}

/// Expected and actual scores of the games whose expected score is in this bin of 5%.
fn bin_row(bin: usize, systems: &[&SystemEvaluation]) -> impl Serialize + use<> {
    let mut cells = Vec::new();
    for judged in systems {
        let bin = judged.bins[bin];
        let [expected, actual] = [bin.expected, bin.actual].map(|sum| match bin.games {
            0 => String::new(),
            games => fixed(sum / games as f64, 3),
        });
        cells.push((thousands(bin.games), expected, actual));
    }
    view!(
        range = format!("{}–{}%", bin * 5, bin * 5 + 5),
        // Games, expected score and actual score of each system.
        cells
    )
}

/// The systems for the chart: those with pages of their lists and with different predictions. The
/// others would hide them; the exports have all.
fn with_curves(comparison: &SystemComparison) -> Vec<&SystemEvaluation> {
    comparison
        .systems
        .iter()
        .filter(|judged| {
            let mut systems = System::all().iter();
            let system = systems.find(|system| system.about.name == judged.system);
            system.is_some_and(|system| system.about.role.has_pages())
        })
        .filter(|judged| judged.bins.iter().filter(|bin| bin.games > 0).count() > 4)
        .collect()
}

/// Names as a list: `A, B and C`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The baseline that uses only White's average score.
const WHITE_ALONE: &str = "White's average";

/// Which system predicts best, which cannot be distinguished from it, and which are behind by
/// more than chance.
fn verdict(comparison: &SystemComparison, standard: &str) -> String {
    let ranked = systems_by_log_loss(comparison);
    let [(best, loss), others @ ..] = &ranked[..] else {
        return "There are too few games that all systems could predict.".into();
    };
    if others.is_empty() {
        return "There are too few systems to compare.".into();
    }
    let by = if ranked.iter().any(|(judged, _)| judged.slope.is_some()) {
        "with fitted curves"
    } else {
        "with each system’s own curve, since there are too few games to fit one"
    };
    let baseline = baseline_sentence(comparison, *loss);
    let loss = fixed(*loss, 4);
    if best.behind_best.standard_error.is_none() {
        return format!(
            "{} has the smallest log loss ({loss} {by}), but with so few events this may be chance.{baseline}",
            best.system
        );
    }
    let others: Vec<&SystemEvaluation> = others.iter().map(|(judged, _)| *judged).collect();
    let (near, far): (Vec<&SystemEvaluation>, Vec<&SystemEvaluation>) =
        others.iter().copied().partition(|judged| judged.behind_best.is_noise(BEYOND));
    let noise = if best.system == standard {
        String::new()
    } else {
        like_standard_sentence(&others, standard)
    };
    format!(
        "{} predicts best (log loss {loss} {by}), {}.{}{noise}{baseline}",
        best.system,
        near_sentence(&near),
        far_sentence(&far)
    )
}

/// Systems with their log loss by fitted curves, the best first; baselines are left out.
fn systems_by_log_loss(comparison: &SystemComparison) -> Vec<(&SystemEvaluation, f64)> {
    let mut ranked: Vec<(&SystemEvaluation, f64)> = comparison
        .systems
        .iter()
        .filter(|judged| System::all().iter().any(|system| system.about.name == judged.system))
        .filter_map(|judged| Some((judged, judged.recalibrated.log_loss()?)))
        .collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    ranked
}

/// The log loss of the baseline next to that of the best system, `loss`.
fn baseline_sentence(comparison: &SystemComparison, loss: f64) -> String {
    let white = comparison.systems.iter().find(|systems| systems.system == WHITE_ALONE);
    match white.and_then(|systems| systems.recalibrated.log_loss()) {
        Some(white) if white <= loss => format!(
            " A forecast that uses only White’s average score has a log loss of {}, better than all of them: in these games \
             ratings add nothing.",
            fixed(white, 4)
        ),
        Some(white) => format!(
            " A forecast that uses only White’s average score has a log loss of {}; the gap between that and the best system is \
             all that ratings add.",
            fixed(white, 4)
        ),
        None => String::new(),
    }
}

/// The systems that cannot be distinguished from the best.
fn near_sentence(near: &[&SystemEvaluation]) -> String {
    let names: Vec<&str> = near.iter().map(|judged| judged.system.as_str()).collect();
    match &names[..] {
        [] => "and no other system is within twice the standard error of it".to_owned(),
        [one] => format!(
            "but {one} is within twice the standard error of it, so their order is not significant"
        ),
        some => format!(
            "but {} are within twice the standard error of it, so their order is not significant",
            listed(some)
        ),
    }
}

/// How many systems are behind the best by more than chance, and by how much.
fn far_sentence(far: &[&SystemEvaluation]) -> String {
    let [first, .., last] = far else {
        return match far {
            [one] => {
                let mean = fixed(one.behind_best.mean, 4);
                format!(" One other system is significantly behind it, by {mean}.")
            }
            _ => String::new(),
        };
    };
    format!(
        " {} other systems are significantly behind it, by {} to {}.",
        far.len(),
        fixed(first.behind_best.mean, 4),
        fixed(last.behind_best.mean, 4)
    )
}

/// The systems that cannot be distinguished from the standard.
fn like_standard_sentence(others: &[&SystemEvaluation], standard: &str) -> String {
    let names: Vec<&str> = others
        .iter()
        .filter(|judged| judged.system != standard)
        .filter(|judged| {
            judged.behind_standard.is_some_and(|difference| difference.is_noise(BEYOND))
        })
        .map(|judged| judged.system.as_str())
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!(" {standard} cannot be distinguished from {}.", listed(&names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_by_commas_and_and() {
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
    }
}
