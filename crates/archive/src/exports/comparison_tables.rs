//! Tables of the comparison of the rating systems.

use rating_systems::evaluation::comparison::{BINS, Bin, ERAS, SystemComparison};
use tables::{ExportTable, some};

/// The comparison of the rating systems: on all games, by era, by expected score.
pub(super) fn comparison(found: &SystemComparison) -> [(&'static str, ExportTable); 3] {
    let rows = &found.systems;
    let whole = ExportTable::default()
        .text("system", rows.iter().map(|row| some(&row.system)))
        .whole("games", rows.iter().map(|_| Some(found.games)))
        .whole("rated", rows.iter().map(|row| Some(row.rated)))
        .whole("judged", rows.iter().map(|row| Some(row.recalibrated.games)))
        .number("log_loss", rows.iter().map(|row| row.overall.log_loss()))
        .number("brier_score", rows.iter().map(|row| row.overall.brier_score()))
        .number("white", rows.iter().map(|row| Some(row.with_white?.white)))
        .number("log_loss_with_white", rows.iter().map(|row| row.with_white?.score.log_loss()))
        .number("best_white", rows.iter().map(|row| Some(row.at_best?.white)))
        .number("best_slope", rows.iter().map(|row| Some(row.at_best?.slope)))
        .number("log_loss_at_best", rows.iter().map(|row| row.at_best?.score.log_loss()))
        .number("behind", rows.iter().map(|row| Some(row.behind?.mean)))
        .number("behind_error", rows.iter().map(|row| row.behind?.standard_error))
        .number("recalibrated", rows.iter().map(|row| row.recalibrated.log_loss()))
        .number("recalibrated_squared", rows.iter().map(|row| row.recalibrated.brier_score()))
        .number("recalibrated_slope", rows.iter().map(|row| row.slope))
        .number("beside_elo", rows.iter().map(|row| Some(row.behind_standard?.mean)))
        .number("beside_elo_error", rows.iter().map(|row| row.behind_standard?.standard_error))
        .number("behind_best", rows.iter().map(|row| Some(row.behind_best.mean)))
        .number("behind_best_error", rows.iter().map(|row| row.behind_best.standard_error))
        .number("three_way", rows.iter().map(|row| row.three_way));
    let mut eras = Vec::new();
    let mut bins = Vec::new();
    for row in rows {
        eras.extend(row.eras.iter().enumerate().map(|(era, score)| (row, era, score)));
        bins.extend(row.bins.iter().enumerate().map(|(number, bin)| (row, number, bin)));
    }
    let by_era = ExportTable::from_rows(&eras)
        .text("system", |(row, ..)| some(&row.system))
        .whole("from_year", |(_, era, _)| usize::try_from(ERAS[*era]).ok())
        .whole("to_year", |(_, era, _)| Some(*ERAS.get(era + 1)? as usize - 1))
        .whole("judged", |(row, era, _)| Some(row.eras_recalibrated[*era].games))
        .number("log_loss", |(.., score)| score.log_loss())
        .number("brier_score", |(.., score)| score.brier_score())
        .number("recalibrated", |(row, era, _)| row.eras_recalibrated[*era].log_loss())
        .finish();
    let by_bin = ExportTable::from_rows(&bins)
        .text("system", |(row, ..)| some(&row.system))
        .number("from_expected", |(_, number, _)| Some(*number as f64 / BINS as f64))
        .number("to_expected", |(_, number, _)| Some((number + 1) as f64 / BINS as f64))
        .whole("judged", |(.., bin)| Some(bin.games))
        .number("expected", |(.., bin)| mean_of_games(bin, bin.expected))
        .number("scored", |(.., bin)| mean_of_games(bin, bin.actual))
        .finish();
    [("comparison", whole), ("comparison-eras", by_era), ("comparison-calibration", by_bin)]
}

/// A sum over the games of a bin, divided by their number.
fn mean_of_games(bin: &Bin, sum: f64) -> Option<f64> {
    (bin.games > 0).then(|| sum / bin.games as f64)
}
