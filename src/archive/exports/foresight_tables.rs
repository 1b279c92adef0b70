//! Makes the tables of what corrections, pressure and decisions foresaw.

use crate::archive::record::EventRecord;
use crate::archive::run::Archive;
use crate::archive::studies::foresight::{
    AdministratorRecord, ClusteredMean, DecidedRating, Direction, ForesightGroup, LaterRating,
    Signal,
};
use crate::tables::{ExportTable, some};

/// Every corrected or pressured rating next to the player's rating on the later list.
pub(crate) fn ratings(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.foresight.ratings;
    let record = |row: &LaterRating| &archive.records[row.event];
    let player = |row: &LaterRating| archive.players.get(row.player);
    let moved = |row: &LaterRating| match row.change() {
        0.0 => "unchanged",
        change if change > 0.0 => "same",
        _ => "opposite",
    };
    ExportTable::default()
        .text("event_id", rows.iter().map(|row| some(&record(row).event.id)))
        .text("event", rows.iter().map(|row| some(&record(row).event.name)))
        .whole("year", rows.iter().map(|row| year(record(row))))
        .text("player", rows.iter().map(|row| some(&player(row).name)))
        .text("player_id", rows.iter().map(|row| some(&player(row).id)))
        .text("system", rows.iter().map(|row| some(record(row).ratings.origin.name())))
        .text("signal", rows.iter().map(|row| some(row.signal.word())))
        .text("direction", rows.iter().map(|row| some(row.direction.word())))
        .number("residual", rows.iter().map(|row| Some(row.residual)))
        .number("rating", rows.iter().map(|row| Some(row.found)))
        .number("used", rows.iter().map(|row| Some(row.used)))
        .number("later", rows.iter().map(|row| Some(row.later)))
        .text("later_list", rows.iter().map(|row| some(row.day.to_string())))
        .number("change", rows.iter().map(|row| Some(row.later - row.found)))
        .text("moved", rows.iter().map(|row| some(moved(row))))
        .flag("nearer", rows.iter().map(|row| row.is_nearer()))
}

/// How often the later list moved in the same direction, by system, signal and direction.
pub(crate) fn groups(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.foresight.groups;
    let is_corrected = |row: &ForesightGroup| row.signal == Signal::Corrected;
    let of_corrected = |row: &ForesightGroup, value: f64| Some(value).filter(|_| is_corrected(row));
    ExportTable::default()
        .text("system", rows.iter().map(|row| some(row.system.as_deref().unwrap_or("all"))))
        .text("signal", rows.iter().map(|row| some(row.signal.word())))
        .text(
            "direction",
            rows.iter().map(|row| some(row.direction.map_or("both", Direction::word))),
        )
        .whole("ratings", rows.iter().map(|row| Some(row.ratings)))
        .whole("players", rows.iter().map(|row| Some(row.players)))
        .whole("same", rows.iter().map(|row| Some(row.same)))
        .whole("opposite", rows.iter().map(|row| Some(row.opposite)))
        .whole("unchanged", rows.iter().map(|row| Some(row.unchanged())))
        .number("share", rows.iter().map(|row| mean(row.share)))
        .number("share_error", rows.iter().map(|row| error(row.share)))
        .number("change", rows.iter().map(|row| mean(row.change)))
        .number("change_error", rows.iter().map(|row| error(row.change)))
        .whole("nearer", rows.iter().map(|row| Some(row.nearer).filter(|_| is_corrected(row))))
        .number("distance", rows.iter().map(|row| Some(row.distance_found)))
        .number("distance_corrected", rows.iter().map(|row| of_corrected(row, row.distance_used)))
}

/// Every rating that was decided, next to the player's rating on the later list.
pub(crate) fn decided(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.foresight.decided;
    let record = |row: &DecidedRating| &archive.records[row.event];
    let player = |row: &DecidedRating| archive.players.get(row.player);
    let author = |row: &DecidedRating| record(row).decided.as_ref().map(|by| by.author.clone());
    ExportTable::default()
        .text("author", rows.iter().map(author))
        .text("event_id", rows.iter().map(|row| some(&record(row).event.id)))
        .text("player", rows.iter().map(|row| some(&player(row).name)))
        .text("player_id", rows.iter().map(|row| some(&player(row).id)))
        .number("rating", rows.iter().map(|row| row.found))
        .number("used", rows.iter().map(|row| row.used))
        .number("later", rows.iter().map(|row| row.later.map(|(rating, _)| rating)))
        .text("later_list", rows.iter().map(|row| row.later.map(|(_, day)| day.to_string())))
        .flag("same_way", rows.iter().map(|row| row.is_same_way()))
        .flag("nearer", rows.iter().map(|row| row.is_nearer()))
}

/// The record of each author of decisions.
pub(crate) fn administrators(archive: &Archive) -> ExportTable {
    let rows: &[AdministratorRecord] = &archive.studies.foresight.administrators;
    ExportTable::default()
        .text("author", rows.iter().map(|row| some(&row.author)))
        .whole("events", rows.iter().map(|row| Some(row.events)))
        .whole("ratings", rows.iter().map(|row| Some(row.ratings)))
        .whole("judged", rows.iter().map(|row| Some(row.judged)))
        .whole("same", rows.iter().map(|row| Some(row.same)))
        .whole("nearer", rows.iter().map(|row| Some(row.nearer)))
        .number("share", rows.iter().map(|row| mean(row.share)))
        .number("share_error", rows.iter().map(|row| error(row.share)))
}

fn mean(of: Option<ClusteredMean>) -> Option<f64> {
    of.map(|of| of.mean)
}

fn error(of: Option<ClusteredMean>) -> Option<f64> {
    of.and_then(|of| of.error)
}

fn year(record: &EventRecord) -> Option<usize> {
    record.event.start.year().and_then(|year| usize::try_from(year).ok())
}
