//! Which ratings to trust: all systems on the same games.

use serde::Serialize;

use super::curves::{self, CurvesView};
use super::differences::{BEYOND, with_error};
use super::trials::{self, TrialsView};
use super::{Frame, Site};
use crate::evaluation::comparison::{BINS, ERAS, SystemComparison, SystemEvaluation};
use crate::site::charts::{CalibrationPlot, calibration_plot};
use crate::site::figures::{fixed, fixed_or_empty, percent, thousands};
use crate::systems::System;

/// How the systems compare.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ComparisonPage {
    frame: Frame,
    games: String,
    common: String,
    part: String,
    /// The system beside which each is told.
    standard: &'static str,
    rows: Vec<SystemRow>,
    eras: Vec<String>,
    era_games: Vec<String>,
    plot: Option<CalibrationPlot>,
    bins: Vec<BinRow>,
    systems: Vec<String>,
    /// Which to trust, and when their order is noise, in sentences.
    verdict: String,
    /// Which know what came later, and are not judged.
    not_judged: String,
    curves: Option<CurvesView>,
    trials: Option<TrialsView>,
}

#[derive(Debug, Serialize)]
struct SystemRow {
    system: String,
    rated: String,
    coverage: String,
    /// By its own curve.
    log_loss: String,
    brier: String,
    /// By the fitted curve: log loss, squared error, how it compares with the standard, slope, three results.
    recalibrated: String,
    recalibrated_brier: String,
    beside: String,
    fitted_slope: String,
    three_way: String,
    /// By its own curve with White's advantage, and that.
    with_white: String,
    white: String,
    /// With the best slope too, and that.
    at_best: String,
    slope: String,
    /// How far behind the best, with its standard error.
    behind: String,
    /// Log loss by era, by the fitted curve.
    eras: Vec<String>,
}

#[derive(Debug, Serialize)]
struct BinRow {
    range: String,
    /// Games, expected and actual score of each system.
    cells: Vec<(String, String, String)>,
}

/// The view of the comparison; `None` where nothing was computed.
pub(in crate::site) fn comparison(site: &Site) -> Option<ComparisonPage> {
    let comparison = site.archive.studies.comparison.as_ref()?;
    let used: Vec<usize> = (0..ERAS.len())
        .filter(|era| {
            comparison.systems.iter().any(|judged| judged.eras_recalibrated[*era].games > 0)
        })
        .collect();
    let part = |games: usize| match comparison.games {
        0 => String::new(),
        all => percent(games as f64 / all as f64),
    };
    let systems: Vec<&SystemEvaluation> = with_curves(comparison);
    let standard = System::standard().about.name;
    let later: Vec<&str> = System::all()
        .iter()
        .filter(|system| system.about.knows_later_games)
        .map(|system| system.about.name)
        .collect();
    Some(ComparisonPage {
        frame: site.frame(
            "comparison.html",
            "method",
            "Which ratings to trust".into(),
            "How well each rating system, before an event, predicts its games: all on the same games."
                .into(),
        ),
        games: thousands(comparison.games),
        common: thousands(comparison.common),
        part: part(comparison.common),
        standard,
        rows: comparison
            .systems
            .iter()
            .map(|judged| SystemRow {
                system: judged.system.clone(),
                rated: thousands(judged.rated),
                coverage: part(judged.rated),
                log_loss: fixed_or_empty(judged.overall.log_loss(), 4),
                brier: fixed_or_empty(judged.overall.brier_score(), 4),
                recalibrated: fixed_or_empty(judged.recalibrated.log_loss(), 4),
                recalibrated_brier: fixed_or_empty(judged.recalibrated.brier_score(), 4),
                beside: judged
                    .behind_standard
                    .filter(|_| judged.system != standard)
                    .map(with_error)
                    .unwrap_or_default(),
                fitted_slope: fixed_or_empty(judged.slope, 2),
                three_way: fixed_or_empty(judged.three_way, 4),
                with_white: fixed_or_empty(
                    judged.with_white.and_then(|with| with.score.log_loss()),
                    4,
                ),
                white: fixed_or_empty(judged.with_white.map(|with| with.white), 0),
                at_best: fixed_or_empty(
                    judged.at_best.and_then(|with| with.score.log_loss()),
                    4,
                ),
                slope: fixed_or_empty(judged.at_best.map(|with| with.slope), 2),
                behind: judged
                    .behind
                    .filter(|behind| behind.mean > 0.0)
                    .map(with_error)
                    .unwrap_or_default(),
                eras: used
                    .iter()
                    .map(|era| fixed_or_empty(judged.eras_recalibrated[*era].log_loss(), 4))
                    .collect(),
            })
            .collect(),
        eras: used
            .iter()
            .map(|&era| match (ERAS[era], ERAS.get(era + 1)) {
                (i16::MIN, Some(next)) => format!("to {}", next - 1),
                (first, Some(next)) => format!("{first}–{}", next - 1),
                (first, None) => format!("from {first}"),
            })
            .collect(),
        era_games: used
            .iter()
            .map(|era| {
                let games = comparison.systems.first().map_or(0, |judged| judged.eras_recalibrated[*era].games);
                thousands(games)
            })
            .collect(),
        plot: calibration_plot(&systems),
        bins: (0..BINS)
            .map(|bin| BinRow {
                range: format!("{}–{}%", bin * 5, bin * 5 + 5),
                cells: systems
                    .iter()
                    .map(|judged| {
                        let bin = judged.bins[bin];
                        let mean = |sum: f64| match bin.games {
                            0 => String::new(),
                            games => fixed(sum / games as f64, 3),
                        };
                        (thousands(bin.games), mean(bin.expected), mean(bin.actual))
                    })
                    .collect(),
            })
            .collect(),
        systems: systems.iter().map(|judged| judged.system.clone()).collect(),
        verdict: verdict(comparison, standard),
        not_judged: later.join("; "),
        curves: curves::curves(site),
        trials: trials::trials(site, standard),
    })
}

/// The systems with pages of their lists, whose predictions are not always the same: others would hide them in a chart, and stand in the exports.
fn with_curves(comparison: &SystemComparison) -> Vec<&SystemEvaluation> {
    let has_pages = |name: &str| {
        let system = System::all().iter().find(|system| system.about.name == name);
        system.is_some_and(|system| system.about.role.has_pages())
    };
    comparison
        .systems
        .iter()
        .filter(|judged| has_pages(&judged.system))
        .filter(|judged| judged.bins.iter().filter(|bin| bin.games > 0).count() > 4)
        .collect()
}

/// Names in a row: `A, B and C`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The baseline that knows how often White wins, and nothing else.
const WHITE_ALONE: &str = "White's average";

/// Which to trust: the best by the fitted curves, who cannot be told from it, and who is behind beyond chance.
fn verdict(comparison: &SystemComparison, standard: &str) -> String {
    let is_system = |judged: &&SystemEvaluation| {
        System::all().iter().any(|system| system.about.name == judged.system)
    };
    let mut ranked: Vec<(&SystemEvaluation, f64)> = comparison
        .systems
        .iter()
        .filter(is_system)
        .filter_map(|judged| Some((judged, judged.recalibrated.log_loss()?)))
        .collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [(best, loss), others @ ..] = &ranked[..] else {
        return "There are too few games that all could rate.".into();
    };
    if others.is_empty() {
        return "There are too few systems to compare.".into();
    }
    let by = match ranked.iter().any(|(judged, _)| judged.slope.is_some()) {
        true => "by fitted curves",
        false => "by own curves, since there are too few games to fit any",
    };
    let white = comparison.systems.iter().find(|judged| judged.system == WHITE_ALONE);
    let white = white.and_then(|judged| judged.recalibrated.log_loss());
    let of_white = match white {
        Some(white) if white <= *loss => format!(
            " Who knows nothing but how often White wins has {}, and foretells better than all of them: these games tell nothing of ratings.",
            fixed(white, 4)
        ),
        Some(white) => format!(
            " Who knows nothing but how often White wins has {}: between that and the best lies all that ratings know.",
            fixed(white, 4)
        ),
        None => String::new(),
    };
    if best.behind_best.standard_error.is_none() {
        return format!(
            "{} has the smallest log loss, {} {by}; but there are too few events to tell that from chance.{of_white}",
            best.system,
            fixed(*loss, 4)
        );
    }
    let systems: Vec<&SystemEvaluation> = others.iter().map(|(judged, _)| *judged).collect();
    let is_near = |judged: &&&SystemEvaluation| judged.behind_best.is_noise(BEYOND);
    let near: Vec<&str> =
        systems.iter().filter(is_near).map(|judged| judged.system.as_str()).collect();
    let far: Vec<&&SystemEvaluation> = systems.iter().filter(|judged| !is_near(judged)).collect();
    let told_apart = match &near[..] {
        [] => "and no other comes within twice the standard error of it".to_owned(),
        [one] => format!(
            "but {one} is within twice the standard error of it: which of the two is better is noise"
        ),
        some => format!(
            "but {} are within twice the standard error of it: their order is noise",
            listed(some)
        ),
    };
    let last = far.last().map(|judged| {
        format!(
            " Beyond chance behind it are {}, from {} to {}.",
            match far.len() {
                1 => "one other".to_owned(),
                more => format!("{more} others"),
            },
            fixed(far[0].behind_best.mean, 4),
            fixed(judged.behind_best.mean, 4)
        )
    });
    let like_standard: Vec<&str> = systems
        .iter()
        .filter(|judged| judged.system != standard)
        .filter(|judged| judged.behind_standard.is_some_and(|beside| beside.is_noise(BEYOND)))
        .map(|judged| judged.system.as_str())
        .collect();
    let noise = match &like_standard[..] {
        [] => String::new(),
        _ if best.system == standard => String::new(),
        some => {
            format!(" {standard} cannot be told from {}: there the order is noise.", listed(some))
        }
    };
    format!(
        "{} foretells best (log loss {} {by}), {told_apart}.{}{noise}{of_white}",
        best.system,
        fixed(*loss, 4),
        last.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_one_says_them() {
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
    }
}
