//! Makes the tables of rating pools, exchange rates and ages.

use crate::rated_players::elo_variants::{CurveEvaluation, CurveVariant};
use crate::run::Archive;
use rating_systems::population::ages::AgePoint;
use rating_systems::population::balance::Balance;
use rating_systems::population::pool::PoolYear;
use rating_systems::systems::elo::CareerPoint;
use rating_systems::systems::elo::formulas::Expectancy;
use tables::ExportTable;

/// The rating pools, one line for each year.
pub fn pool(archive: &Archive) -> ExportTable {
    let rows: Vec<(&str, &PoolYear)> = archive
        .studies
        .pools
        .iter()
        .flat_map(|pool| pool.years.iter().map(|year| (pool.system, year)))
        .collect();
    ExportTable::from_rows(&rows)
        .text("system", |(system, _)| Some((*system).to_owned()))
        .whole("year", |(_, year)| usize::try_from(year.year).ok())
        .whole("listed", |(_, year)| Some(year.size.as_ref()?.listed))
        .whole("established", |(_, year)| Some(year.size.as_ref()?.established))
        .whole("came", |(_, year)| Some(year.size.as_ref()?.came))
        .whole("left", |(_, year)| Some(year.size.as_ref()?.left))
        .number("mean", |(_, year)| year.mean)
        .number("deviation", |(_, year)| year.deviation)
        .number("median", |(_, year)| year.median)
        .number("best_ten", |(_, year)| year.best_ten)
        .number("ranks_3_to_20", |(_, year)| year.ranks_3_to_20)
        .number("over_ten_best", |(_, year)| Some(year.dominance?.0))
        .number("over_second", |(_, year)| Some(year.dominance?.1))
        .number("rank_50", |(_, year)| year.rank_50)
        .number("rank_100", |(_, year)| year.rank_100)
        .number("mean_age", |(_, year)| year.mean_age)
        .whole("watched", |(_, year)| Some(year.watched?.players))
        .number("watched_mean", |(_, year)| Some(year.watched.as_ref()?.mean))
        .number("watched_change", |(_, year)| Some(year.watched.as_ref()?.change))
        .number("watched_error", |(_, year)| Some(year.watched.as_ref()?.error))
        .number("watched_t", |(_, year)| year.watched.as_ref()?.t())
        .number("from_normal", |(_, year)| Some(year.shape.as_ref()?.normal))
        .number("from_maxwell", |(_, year)| Some(year.shape.as_ref()?.maxwell))
        .number("critical_5", |(_, year)| Some(year.shape.as_ref()?.critical.0))
        .number("critical_1", |(_, year)| Some(year.shape.as_ref()?.critical.1))
        .finish()
}

/// The balance of rating points in each pool.
pub fn balance(archive: &Archive) -> ExportTable {
    let rows: Vec<(&str, &Balance)> = archive
        .studies
        .pools
        .iter()
        .flat_map(|pool| pool.balances.iter().map(|balance| (pool.system, balance)))
        .collect();
    ExportTable::from_rows(&rows)
        .text("system", |(system, _)| Some((*system).to_owned()))
        .whole("year", |(_, balance)| usize::try_from(balance.year).ok())
        .number("at_start", |(_, balance)| Some(balance.at_start))
        .number("came", |(_, balance)| Some(balance.came))
        .number("came_back", |(_, balance)| Some(balance.came_back))
        .number("left", |(_, balance)| Some(balance.left))
        .number("beginning", |(_, balance)| Some(balance.beginning))
        .number("exchanged", |(_, balance)| Some(balance.exchanged))
        .number("at_end", |(_, balance)| Some(balance.at_end))
        .number("carried_off", |(_, balance)| Some(balance.carried_off))
        .finish()
}

/// Variants of Elo's system, systems of the past, and systems that rate fewer than half of the
/// games, compared with standard Elo.
pub fn trials(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.elo_variants.trials;
    ExportTable::from_rows(rows)
        .text("way", |row| Some(row.name.clone()))
        .whole("games", |row| Some(row.pair.games))
        .number("log_loss", |row| Some(row.pair.own.as_ref()?.log_losses.0))
        .number("log_loss_of_elo", |row| Some(row.pair.own.as_ref()?.log_losses.1))
        .number("better", |row| Some(row.better_by_own_curve()?.mean))
        .number("better_error", |row| row.better_by_own_curve()?.standard_error)
        .number("slope", |row| Some(row.pair.own.as_ref()?.slope))
        .number("recalibrated", |row| row.pair.recalibrated.0.log_loss())
        .number("recalibrated_of_elo", |row| row.pair.recalibrated.1.log_loss())
        .number("recalibrated_better", |row| Some(row.better().mean))
        .number("recalibrated_better_error", |row| row.better().standard_error)
        .number("recalibrated_squared", |row| row.pair.recalibrated.0.brier_score())
        .number("recalibrated_slope", |row| row.pair.slope)
        .number("three_way", |row| Some(row.pair.three_way.0))
        .number("three_way_of_elo", |row| Some(row.pair.three_way.1))
        .finish()
}

/// Ratings computed with each curve, evaluated with each curve.
pub fn curve_runs(archive: &Archive) -> ExportTable {
    let rows: Vec<(&CurveVariant, Expectancy, CurveEvaluation)> = archive
        .studies
        .elo_variants
        .curves
        .iter()
        .flat_map(|run| {
            Expectancy::ALL.into_iter().zip(&run.judged).map(move |(by, judged)| (run, by, *judged))
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("made_by", |(run, ..)| Some(run.made_by.word().to_owned()))
        .text("judged_by", |(_, by, _)| Some(by.word().to_owned()))
        .whole("games", |(run, ..)| Some(run.games))
        .number("log_loss", |(.., judged)| judged.log_loss)
        .number("chi_squared", |(.., judged)| Some(judged.fit?.statistic))
        .whole("cells", |(.., judged)| Some(judged.fit?.cells))
        .number("probability", |(.., judged)| Some(judged.fit?.probability))
        .number("chi_squared_of_book", |(.., judged)| Some(judged.fit?.book_statistic))
        .finish()
}

/// The strength of the best players of each period.
pub fn improvement(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.improvement.periods;
    ExportTable::from_rows(rows)
        .whole("from", |row| usize::try_from(row.from).ok())
        .whole("to", |row| usize::try_from(row.to).ok())
        .whole("number", |row| Some(row.number))
        .number("mean", |row| row.mean)
        .number("moved", |_| archive.studies.improvement.moved)
        .number("best_ten", |row| row.fixed[0])
        .number("best_fifty", |row| row.fixed[1])
        .number("level_error", |row| row.error)
        .finish()
}

/// Exchange rates between the points of two systems.
pub fn exchange(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.exchanges;
    ExportTable::from_rows(rows)
        .whole("half_decade", |row| usize::try_from(row.half_decade).ok())
        .text("first", |row| Some(row.first.to_owned()))
        .text("second", |row| Some(row.second.to_owned()))
        .whole("players", |row| Some(row.rate.players))
        .number("difference", |row| Some(row.rate.difference))
        .number("error", |row| Some(row.rate.error))
        .number("slope", |row| Some(row.rate.slope))
        .finish()
}

/// The consistency of rating lists with games.
pub fn consistency(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.consistency;
    ExportTable::from_rows(rows)
        .text("system", |row| Some(row.system.clone()))
        .whole("list", |row| usize::try_from(row.year).ok())
        .whole("games_of", |row| usize::try_from(row.games_of).ok())
        .whole("games", |row| Some(row.found.games))
        .whole("players", |row| Some(row.found.players))
        .number("of_ratings", |row| Some(row.found.of_ratings))
        .number("of_scores", |row| Some(row.found.of_scores))
        .finish()
}

pub fn ages(archive: &Archive) -> ExportTable {
    let curves = &archive.studies.ages.curves;
    let rows: Vec<(Option<i16>, &AgePoint)> = curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(|point| (curve.generation, point)))
        .collect();
    ExportTable::from_rows(&rows)
        .text("source", |_| Some(archive.studies.ages.system.to_owned()))
        .whole("generation", |(generation, _)| usize::try_from((*generation)?).ok())
        .whole("age", |(_, point)| usize::try_from(point.age).ok())
        .whole("players", |(_, point)| Some(point.players))
        .number("mean", |(_, point)| Some(point.mean))
        .number("error", |(_, point)| Some(point.error))
        .finish()
}

/// Half decades of careers next to the curve of ages.
pub fn careers(archive: &Archive) -> ExportTable {
    let rows: Vec<(&str, &CareerPoint)> = archive
        .lists
        .player_rows
        .iter()
        .flat_map(|row| {
            let id = archive.players.get(row.player).id.as_str();
            row.career.iter().map(move |point| (id, point))
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("player_id", |(id, _)| Some((*id).to_owned()))
        .whole("from", |(_, point)| usize::try_from(point.first).ok())
        .number("age", |(_, point)| Some(point.age))
        .number("rating", |(_, point)| Some(point.rating))
        .number("error", |(_, point)| Some(point.error))
        .number("curve", |(_, point)| Some(point.curve))
        .number("deviation", |(_, point)| Some(point.deviation()))
        .finish()
}
