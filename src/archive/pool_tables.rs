//! The tables of pools, of exchange rates, of ages.

use super::run::Archive;
use super::table::Table;
use crate::systems::ages::AgePoint;
use crate::systems::elo::CareerPoint;
use crate::systems::pool::{PoolYear, Shape, Watched};

/// The pools of our own systems, a line a year.
pub(super) fn pool(archive: &Archive) -> Table {
    let rows: Vec<(&str, &PoolYear)> = archive
        .pools
        .iter()
        .flat_map(|pool| pool.years.iter().map(|year| (pool.system, year)))
        .collect();
    let whole = |of: fn(&PoolYear) -> usize| {
        rows.iter().map(move |(_, year)| Some(of(year))).collect::<Vec<_>>().into_iter()
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
        .whole("listed", whole(|year| year.listed))
        .whole("established", whole(|year| year.established))
        .whole("came", whole(|year| year.came))
        .whole("left", whole(|year| year.left))
        .number("mean", number(|year| year.mean))
        .number("deviation", number(|year| year.deviation))
        .number("median", number(|year| year.median))
        .number("best_ten", number(|year| year.best_ten))
        .number("ranks_3_to_20", number(|year| year.ranks_3_to_20))
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

/// What points of one system are worth in another.
pub(super) fn exchange(archive: &Archive) -> Table {
    let rows = &archive.exchanges;
    Table::default()
        .whole("half_decade", rows.iter().map(|row| usize::try_from(row.half_decade).ok()))
        .text("first", rows.iter().map(|row| Some(row.first.to_owned())))
        .text("second", rows.iter().map(|row| Some(row.second.to_owned())))
        .whole("players", rows.iter().map(|row| Some(row.rate.players)))
        .number("difference", rows.iter().map(|row| Some(row.rate.difference)))
        .number("error", rows.iter().map(|row| Some(row.rate.error)))
        .number("slope", rows.iter().map(|row| Some(row.rate.slope)))
}

/// Curves of ages.
pub(super) fn ages(archive: &Archive) -> Table {
    let curves = &archive.ages.curves;
    let rows: Vec<(Option<i16>, &AgePoint)> = curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(|point| (curve.generation, point)))
        .collect();
    let year = |year: Option<i16>| year.and_then(|year| usize::try_from(year).ok());
    Table::default()
        .text("source", rows.iter().map(|_| Some(archive.ages.system.to_owned())))
        .whole("generation", rows.iter().map(|(generation, _)| year(*generation)))
        .whole("age", rows.iter().map(|(_, point)| usize::try_from(point.age).ok()))
        .whole("players", rows.iter().map(|(_, point)| Some(point.players)))
        .number("mean", rows.iter().map(|(_, point)| Some(point.mean)))
        .number("error", rows.iter().map(|(_, point)| Some(point.error)))
}

/// Half decades of careers beside the curve of ages.
pub(super) fn careers(archive: &Archive) -> Table {
    let rows: Vec<(&str, &CareerPoint)> = archive
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
