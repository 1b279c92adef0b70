//! Makes the tables of rating pools, exchange rates and ages.

use crate::archive::run::Archive;
use crate::archive::studies::elo_variants::{CurveEvaluation, CurveVariant};
use crate::evaluation::comparison::OwnCurves;
use crate::population::ages::AgePoint;
use crate::population::balance::Balance;
use crate::population::pool::{PoolYear, Shape, Size, Watched};
use crate::systems::elo::CareerPoint;
use crate::systems::elo::formulas::Expectancy;
use crate::tables::Table;

/// The rating pools, one line for each year.
pub(crate) fn pool(archive: &Archive) -> Table {
    let rows: Vec<(&str, &PoolYear)> = archive
        .studies
        .pools
        .iter()
        .flat_map(|pool| pool.years.iter().map(|year| (pool.system, year)))
        .collect();
    let whole = |of: fn(&Size) -> usize| {
        rows.iter().map(move |(_, year)| year.size.as_ref().map(of)).collect::<Vec<_>>().into_iter()
    };
    let number = |of: fn(&PoolYear) -> Option<f64>| {
        rows.iter().map(move |(_, year)| of(year)).collect::<Vec<_>>().into_iter()
    };
    let watched = |of: fn(&Watched) -> Option<f64>| {
        rows.iter().map(move |(_, year)| of(year.watched.as_ref()?)).collect::<Vec<_>>().into_iter()
    };
    let shape = |of: fn(&Shape) -> f64| {
        rows.iter()
            .map(move |(_, year)| year.shape.as_ref().map(of))
            .collect::<Vec<_>>()
            .into_iter()
    };
    Table::default()
        .text("system", rows.iter().map(|(system, _)| Some((*system).to_owned())))
        .whole("year", rows.iter().map(|(_, year)| usize::try_from(year.year).ok()))
        .whole("listed", whole(|size| size.listed))
        .whole("established", whole(|size| size.established))
        .whole("came", whole(|size| size.came))
        .whole("left", whole(|size| size.left))
        .number("mean", number(|year| year.mean))
        .number("deviation", number(|year| year.deviation))
        .number("median", number(|year| year.median))
        .number("best_ten", number(|year| year.best_ten))
        .number("ranks_3_to_20", number(|year| year.ranks_3_to_20))
        .number("over_ten_best", number(|year| Some(year.dominance?.0)))
        .number("over_second", number(|year| Some(year.dominance?.1)))
        .number("rank_50", number(|year| year.rank_50))
        .number("rank_100", number(|year| year.rank_100))
        .number("mean_age", number(|year| year.mean_age))
        .whole("watched", rows.iter().map(|(_, year)| Some(year.watched?.players)))
        .number("watched_mean", watched(|watched| Some(watched.mean)))
        .number("watched_change", watched(|watched| Some(watched.change)))
        .number("watched_error", watched(|watched| Some(watched.error)))
        .number("watched_t", watched(Watched::t))
        .number("from_normal", shape(|shape| shape.normal))
        .number("from_maxwell", shape(|shape| shape.maxwell))
        .number("critical_5", shape(|shape| shape.critical.0))
        .number("critical_1", shape(|shape| shape.critical.1))
}

/// The balance of rating points in each pool.
pub(crate) fn balance(archive: &Archive) -> Table {
    let rows: Vec<(&str, &Balance)> = archive
        .studies
        .pools
        .iter()
        .flat_map(|pool| pool.balances.iter().map(|balance| (pool.system, balance)))
        .collect();
    let number = |of: fn(&Balance) -> f64| {
        rows.iter().map(move |(_, balance)| Some(of(balance))).collect::<Vec<_>>().into_iter()
    };
    Table::default()
        .text("system", rows.iter().map(|(system, _)| Some((*system).to_owned())))
        .whole("year", rows.iter().map(|(_, balance)| usize::try_from(balance.year).ok()))
        .number("at_start", number(|balance| balance.at_start))
        .number("came", number(|balance| balance.came))
        .number("came_back", number(|balance| balance.came_back))
        .number("left", number(|balance| balance.left))
        .number("beginning", number(|balance| balance.beginning))
        .number("exchanged", number(|balance| balance.exchanged))
        .number("at_end", number(|balance| balance.at_end))
        .number("carried_off", number(|balance| balance.carried_off))
}

/// Variants of Elo's system, systems of the past, and systems that rate fewer than half of the
/// games, compared with standard Elo.
pub(crate) fn trials(archive: &Archive) -> Table {
    let rows = &archive.studies.elo_variants.trials;
    let own = |of: fn(&OwnCurves) -> f64| {
        rows.iter().map(move |row| row.pair.own.as_ref().map(of)).collect::<Vec<_>>().into_iter()
    };
    Table::default()
        .text("way", rows.iter().map(|row| Some(row.name.clone())))
        .whole("games", rows.iter().map(|row| Some(row.pair.games)))
        .number("log_loss", own(|own| own.log_losses.0))
        .number("log_loss_of_elo", own(|own| own.log_losses.1))
        .number("better", rows.iter().map(|row| Some(row.better_by_own_curve()?.mean)))
        .number("better_error", rows.iter().map(|row| row.better_by_own_curve()?.standard_error))
        .number("slope", own(|own| own.slope))
        .number("recalibrated", rows.iter().map(|row| row.pair.recalibrated.0.log_loss()))
        .number("recalibrated_of_elo", rows.iter().map(|row| row.pair.recalibrated.1.log_loss()))
        .number("recalibrated_better", rows.iter().map(|row| Some(row.better().mean)))
        .number("recalibrated_better_error", rows.iter().map(|row| row.better().standard_error))
        .number(
            "recalibrated_squared",
            rows.iter().map(|row| row.pair.recalibrated.0.brier_score()),
        )
        .number("recalibrated_slope", rows.iter().map(|row| row.pair.slope))
        .number("three_way", rows.iter().map(|row| Some(row.pair.three_way.0)))
        .number("three_way_of_elo", rows.iter().map(|row| Some(row.pair.three_way.1)))
}

/// Ratings computed with each curve, evaluated with each curve.
pub(crate) fn curve_runs(archive: &Archive) -> Table {
    let rows: Vec<(&CurveVariant, Expectancy, CurveEvaluation)> = archive
        .studies
        .elo_variants
        .curves
        .iter()
        .flat_map(|run| {
            Expectancy::ALL.into_iter().zip(&run.judged).map(move |(by, judged)| (run, by, *judged))
        })
        .collect();
    Table::default()
        .text("made_by", rows.iter().map(|(run, ..)| Some(run.made_by.word().to_owned())))
        .text("judged_by", rows.iter().map(|(_, by, _)| Some(by.word().to_owned())))
        .whole("games", rows.iter().map(|(run, ..)| Some(run.games)))
        .number("log_loss", rows.iter().map(|(.., judged)| judged.log_loss))
        .number("chi_squared", rows.iter().map(|(.., judged)| Some(judged.fit?.statistic)))
        .whole("cells", rows.iter().map(|(.., judged)| Some(judged.fit?.cells)))
        .number("probability", rows.iter().map(|(.., judged)| Some(judged.fit?.probability)))
}

/// The strength of the best players of each period.
pub(crate) fn improvement(archive: &Archive) -> Table {
    let rows = &archive.studies.improvement.periods;
    let fixed = |place: usize| rows.iter().map(move |row| row.fixed[place]);
    Table::default()
        .whole("from", rows.iter().map(|row| usize::try_from(row.from).ok()))
        .whole("to", rows.iter().map(|row| usize::try_from(row.to).ok()))
        .whole("number", rows.iter().map(|row| Some(row.number)))
        .number("mean", rows.iter().map(|row| row.mean))
        .number("moved", rows.iter().map(|_| archive.studies.improvement.moved))
        .number("best_ten", fixed(0))
        .number("best_fifty", fixed(1))
        .number("level_error", rows.iter().map(|row| row.error))
}

/// Exchange rates between the points of two systems.
pub(crate) fn exchange(archive: &Archive) -> Table {
    let rows = &archive.studies.exchanges;
    Table::default()
        .whole("half_decade", rows.iter().map(|row| usize::try_from(row.half_decade).ok()))
        .text("first", rows.iter().map(|row| Some(row.first.to_owned())))
        .text("second", rows.iter().map(|row| Some(row.second.to_owned())))
        .whole("players", rows.iter().map(|row| Some(row.rate.players)))
        .number("difference", rows.iter().map(|row| Some(row.rate.difference)))
        .number("error", rows.iter().map(|row| Some(row.rate.error)))
        .number("slope", rows.iter().map(|row| Some(row.rate.slope)))
}

/// The consistency of rating lists with games.
pub(crate) fn consistency(archive: &Archive) -> Table {
    let rows = &archive.studies.consistency;
    Table::default()
        .text("system", rows.iter().map(|row| Some(row.system.clone())))
        .whole("list", rows.iter().map(|row| usize::try_from(row.year).ok()))
        .whole("games_of", rows.iter().map(|row| usize::try_from(row.games_of).ok()))
        .whole("games", rows.iter().map(|row| Some(row.found.games)))
        .whole("players", rows.iter().map(|row| Some(row.found.players)))
        .number("of_ratings", rows.iter().map(|row| Some(row.found.of_ratings)))
        .number("of_scores", rows.iter().map(|row| Some(row.found.of_scores)))
}

/// Rating by age.
pub(crate) fn ages(archive: &Archive) -> Table {
    let curves = &archive.studies.ages.curves;
    let rows: Vec<(Option<i16>, &AgePoint)> = curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(|point| (curve.generation, point)))
        .collect();
    let year = |year: Option<i16>| year.and_then(|year| usize::try_from(year).ok());
    Table::default()
        .text("source", rows.iter().map(|_| Some(archive.studies.ages.system.to_owned())))
        .whole("generation", rows.iter().map(|(generation, _)| year(*generation)))
        .whole("age", rows.iter().map(|(_, point)| usize::try_from(point.age).ok()))
        .whole("players", rows.iter().map(|(_, point)| Some(point.players)))
        .number("mean", rows.iter().map(|(_, point)| Some(point.mean)))
        .number("error", rows.iter().map(|(_, point)| Some(point.error)))
}

/// Half decades of careers next to the curve of ages.
pub(crate) fn careers(archive: &Archive) -> Table {
    let rows: Vec<(&str, &CareerPoint)> = archive
        .lists
        .player_rows
        .iter()
        .flat_map(|row| {
            let id = archive.players.get(row.player).id.as_str();
            row.career.iter().map(move |point| (id, point))
        })
        .collect();
    let number = |of: fn(&CareerPoint) -> f64| {
        rows.iter().map(move |(_, point)| Some(of(point))).collect::<Vec<_>>().into_iter()
    };
    Table::default()
        .text("player_id", rows.iter().map(|(id, _)| Some((*id).to_owned())))
        .whole("from", rows.iter().map(|(_, point)| usize::try_from(point.first).ok()))
        .number("age", number(|point| point.age))
        .number("rating", number(|point| point.rating))
        .number("error", number(|point| point.error))
        .number("curve", number(|point| point.curve))
        .number("deviation", number(CareerPoint::deviation))
}
