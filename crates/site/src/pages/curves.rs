//! Which curve of expected scores fits best: a section of the page *Which ratings to trust*.

use serde::Serialize;

use super::Site;
use crate::charts::{ChartLine, LineAbout, line_chart};
use crate::figures::{fixed, fixed_or_empty, thousands};
use rating_systems::forecasts::DifferenceBin;
use rating_systems::systems::elo::formulas::Expectancy;

/// The section of the page; `None` if no source is on Elo's scale.
pub(super) fn curves(site: &Site) -> Option<impl Serialize> {
    let sources = &site.archive.studies.curves;
    let (of, test) = sources
        .iter()
        .filter(|of| of.test.is_some())
        .max_by_key(|of| of.games)
        .and_then(|of| Some((of, of.test.as_ref()?)))?;
    let rows = test.cells.iter().filter(|cell| cell.games > 0).map(|cell| {
        let games = cell.games as f64;
        view!(
            range = match cell.to {
                Some(to) => format!("{}–{}", fixed(cell.from, 0), fixed(to, 0)),
                None => format!("from {}", fixed(cell.from, 0)),
            },
            games = thousands(cell.games),
            draws = fixed(100.0 * cell.draws as f64 / games, 0),
            scored = fixed(100.0 * cell.scored / games, 1),
            error = fixed(100.0 * cell.variance().sqrt() / games, 1),
            expected =
                cell.expected.iter().map(|sum| fixed(100.0 * sum / games, 1)).collect::<Vec<_>>()
        )
    });
    let fits = Expectancy::ALL.iter().zip(&test.fits).filter_map(|(curve, fit)| {
        let fit = (*fit)?;
        let probability = match fit.probability {
            ..0.0001 => "below 0.0001".into(),
            probability => fixed(probability, 4),
        };
        Some([
            curve.words().to_owned(),
            fixed(fit.statistic, 1),
            fit.cells.to_string(),
            probability,
            fixed(fit.book_statistic, 1),
        ])
    });
    let mut lines = vec![score_line(&test.cells, "scored", 0, |cell| cell.scored)];
    for (place, curve) in Expectancy::ALL.iter().enumerate() {
        let line = score_line(&test.cells, curve.words(), place + 1, |cell| cell.expected[place]);
        lines.push(line);
    }
    let about = LineAbout::new(
        "curves",
        "Score of the higher-rated player by rating difference",
        ["rating difference", "per cent"],
    );
    Some(view!(
        source = of.source.clone(),
        games = thousands(of.games),
        rows = rows.collect::<Vec<_>>(),
        // The names of the curves, and how well they fit.
        fits = fits.collect::<Vec<_>>(),
        chart = line_chart(about, &lines),
        point_values = sources
            .iter()
            .filter(|of| of.slope_and_white.is_some())
            .map(|of| {
                [
                    of.source.clone(),
                    thousands(of.games),
                    fixed_or_empty(of.slope_and_white.map(|worth| worth.slope), 3),
                    fixed_or_empty(of.slope_and_white.map(|worth| worth.white), 1),
                ]
            })
            .collect::<Vec<_>>()
    ))
}

/// A cell with fewer games is not on the chart. Judged: the standard error of the score of 30
/// games is about seven per cent, more than the curves differ from each other.
const ENOUGH: usize = 30;

/// Scores in per cent by rating difference.
fn score_line(
    cells: &[DifferenceBin],
    name: &str,
    stroke: usize,
    score: impl Fn(&DifferenceBin) -> f64,
) -> ChartLine {
    let drawn = cells.iter().filter(|cell| cell.games >= ENOUGH);
    ChartLine::new(
        name,
        stroke,
        drawn.map(|cell| (cell.difference, 100.0 * score(cell) / cell.games as f64)),
    )
}
