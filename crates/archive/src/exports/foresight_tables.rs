//! Makes the tables of what corrections, pressure and decisions foresaw.

use crate::exports::cell_values::year;
use crate::record::EventRecord;
use crate::run::Archive;
use crate::studies::foresight::{
    AdministratorRecord, ClusteredMean, DecidedRating, Direction, LaterRating, Signal,
};
use chess_history::players::Player;
use tables::{ExportTable, some};

/// Every corrected or pressured rating next to the player's rating on the later list.
pub fn ratings(archive: &Archive) -> ExportTable {
    let rows: Vec<(&LaterRating, &EventRecord, &Player)> = archive
        .studies
        .foresight
        .ratings
        .iter()
        .map(|row| (row, &archive.records[row.event], archive.players.get(row.player)))
        .collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .text("event", |(_, record, _)| some(&record.event.name))
        .whole("year", |(_, record, _)| year(record))
        .text("player", |(.., player)| some(&player.name))
        .text("player_id", |(.., player)| some(&player.id))
        .text("system", |(_, record, _)| some(record.ratings.origin.name()))
        .text("signal", |(row, ..)| some(row.signal.word()))
        .text("direction", |(row, ..)| some(row.direction.word()))
        .number("residual", |(row, ..)| Some(row.residual))
        .number("rating", |(row, ..)| Some(row.found))
        .number("used", |(row, ..)| Some(row.used))
        .number("later", |(row, ..)| Some(row.later))
        .date("later_list", |(row, ..)| some(row.day.to_string()))
        .number("change", |(row, ..)| Some(row.later - row.found))
        .text("moved", |(row, ..)| some(moved_word(row.change())))
        .flag("nearer", |(row, ..)| row.is_nearer())
        .finish()
}

/// How often the later list moved in the same direction, by system, signal and direction.
pub fn groups(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.foresight.groups;
    ExportTable::from_rows(rows)
        .text("system", |row| some(row.system.as_deref().unwrap_or("all")))
        .text("signal", |row| some(row.signal.word()))
        .text("direction", |row| some(row.direction.map_or("both", Direction::word)))
        .whole("ratings", |row| Some(row.ratings))
        .whole("players", |row| Some(row.players))
        .whole("same", |row| Some(row.same))
        .whole("opposite", |row| Some(row.opposite))
        .whole("unchanged", |row| Some(row.unchanged()))
        .number("share", |row| mean(row.share))
        .number("share_error", |row| error(row.share))
        .number("change", |row| mean(row.change))
        .number("change_error", |row| error(row.change))
        .whole("nearer", |row| (row.signal == Signal::Corrected).then_some(row.nearer))
        .number("distance", |row| Some(row.distance_found))
        .number("distance_corrected", |row| {
            (row.signal == Signal::Corrected).then_some(row.distance_used)
        })
        .finish()
}

/// Every rating that was decided, next to the player's rating on the later list.
pub fn decided(archive: &Archive) -> ExportTable {
    let rows: Vec<(&DecidedRating, &EventRecord, &Player)> = archive
        .studies
        .foresight
        .decided
        .iter()
        .map(|row| (row, &archive.records[row.event], archive.players.get(row.player)))
        .collect();
    ExportTable::from_rows(&rows)
        .text("author", |(_, record, _)| Some(record.decided.as_ref()?.author.clone()))
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .text("player", |(.., player)| some(&player.name))
        .text("player_id", |(.., player)| some(&player.id))
        .number("rating", |(row, ..)| row.found)
        .number("used", |(row, ..)| row.used)
        .number("later", |(row, ..)| row.later.map(|(rating, _)| rating))
        .date("later_list", |(row, ..)| row.later.map(|(_, day)| day.to_string()))
        .flag("same_way", |(row, ..)| row.is_same_way())
        .flag("nearer", |(row, ..)| row.is_nearer())
        .finish()
}

/// The record of each author of decisions.
pub fn administrators(archive: &Archive) -> ExportTable {
    let rows: &[AdministratorRecord] = &archive.studies.foresight.administrators;
    ExportTable::from_rows(rows)
        .text("author", |row| some(&row.author))
        .whole("events", |row| Some(row.events))
        .whole("ratings", |row| Some(row.ratings))
        .whole("judged", |row| Some(row.judged))
        .whole("same", |row| Some(row.same))
        .whole("nearer", |row| Some(row.nearer))
        .number("share", |row| mean(row.share))
        .number("share_error", |row| error(row.share))
        .finish()
}

/// Whether a rating moved in the direction that was expected, in the words of the table.
fn moved_word(change: f64) -> &'static str {
    if change == 0.0 {
        "unchanged"
    } else if change > 0.0 {
        "same"
    } else {
        "opposite"
    }
}

fn mean(value: Option<ClusteredMean>) -> Option<f64> {
    Some(value?.mean)
}

fn error(value: Option<ClusteredMean>) -> Option<f64> {
    value?.error
}
