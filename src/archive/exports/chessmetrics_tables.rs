//! Makes the tables of the performances and matches that rank highest by Chessmetrics.

use crate::archive::record::EventRecord;
use crate::archive::run::Archive;
use crate::archive::studies::chessmetrics_lists::{PaddedRow, RankedMatch};
use crate::tables::{ExportTable, some};

/// The performances with the highest padded ratings.
pub(crate) fn performances(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.chessmetrics.performances;
    let record = |row: &PaddedRow| &archive.records[row.event];
    let player = |row: &PaddedRow| archive.players.get(row.player);
    ExportTable::default()
        .whole("rank", rows.iter().map(|row| Some(row.rank)))
        .number("padded", rows.iter().map(|row| Some(row.padded)))
        .number("raw", rows.iter().map(|row| Some(row.performance.raw)))
        .number("mean_opponent", rows.iter().map(|row| Some(row.performance.mean_opponent)))
        .text("player", rows.iter().map(|row| some(&player(row).name)))
        .text("player_id", rows.iter().map(|row| some(&player(row).id)))
        .text("event", rows.iter().map(|row| some(&record(row).event.name)))
        .text("event_id", rows.iter().map(|row| some(&record(row).event.id)))
        .whole("year", rows.iter().map(|row| year(record(row))))
        .text("kind", rows.iter().map(|row| some(record(row).event.kind.word())))
        .whole("games", rows.iter().map(|row| Some(row.performance.games)))
        .number("points", rows.iter().map(|row| Some(row.performance.points)))
        .text("list", rows.iter().map(|row| some(&row.list)))
        .text("edition", rows.iter().map(|row| some(row.edition.to_string())))
        .number("shift", rows.iter().map(|row| Some(row.shift)))
}

/// The matches whose weaker player ranked highest.
pub(crate) fn matches(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.chessmetrics.matches;
    let record = |row: &RankedMatch| &archive.records[row.event];
    let player = |row: &RankedMatch, place: usize| archive.players.get(row.players[place].player);
    let rank = |place: usize| rows.iter().map(move |row| Some(row.players[place].rank));
    let rating = |place: usize| rows.iter().map(move |row| Some(row.players[place].rating));
    ExportTable::default()
        .whole("rank", rows.iter().map(|row| Some(row.rank)))
        .text("event", rows.iter().map(|row| some(&record(row).event.name)))
        .text("event_id", rows.iter().map(|row| some(&record(row).event.id)))
        .whole("year", rows.iter().map(|row| year(record(row))))
        .text("stronger", rows.iter().map(|row| some(&player(row, 0).name)))
        .text("stronger_id", rows.iter().map(|row| some(&player(row, 0).id)))
        .whole("stronger_rank", rank(0))
        .number("stronger_rating", rating(0))
        .text("weaker", rows.iter().map(|row| some(&player(row, 1).name)))
        .text("weaker_id", rows.iter().map(|row| some(&player(row, 1).id)))
        .whole("weaker_rank", rank(1))
        .number("weaker_rating", rating(1))
        .whole("games", rows.iter().map(|row| Some(record(row).event.games.len())))
        .text("list", rows.iter().map(|row| some(&row.list)))
        .text("edition", rows.iter().map(|row| some(row.edition.to_string())))
        .number("shift", rows.iter().map(|row| Some(row.shift)))
}

fn year(record: &EventRecord) -> Option<usize> {
    record.event.start.year().and_then(|year| usize::try_from(year).ok())
}
