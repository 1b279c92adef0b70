//! Makes the tables of the performances, tournaments and matches that rank highest by Chessmetrics.

use crate::exports::cell_values::year;
use crate::record::EventRecord;
use crate::run::Archive;
use crate::studies::chessmetrics_lists::{PaddedRow, RankedMatch, RankedTournament};
use chess_history::players::Player;
use tables::{ExportTable, some};

/// The performances with the highest padded ratings.
pub fn performances(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.chessmetrics.performances;
    let rows: Vec<(&PaddedRow, &EventRecord, &Player)> = rows
        .iter()
        .map(|row| (row, &archive.records[row.event], archive.players.get(row.player)))
        .collect();
    ExportTable::from_rows(&rows)
        .whole("rank", |(row, ..)| Some(row.rank))
        .number("padded", |(row, ..)| Some(row.padded))
        .number("raw", |(row, ..)| Some(row.performance.raw))
        .number("mean_opponent", |(row, ..)| Some(row.performance.mean_opponent))
        .text("player", |(.., player)| some(&player.name))
        .text("player_id", |(.., player)| some(&player.id))
        .text("event", |(_, record, _)| some(&record.event.name))
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .whole("year", |(_, record, _)| year(record))
        .text("kind", |(_, record, _)| some(record.event.kind.word()))
        .whole("games", |(row, ..)| Some(row.performance.games))
        .number("points", |(row, ..)| Some(row.performance.points))
        .text("list", |(row, ..)| some(&row.list))
        .date("edition", |(row, ..)| some(row.edition.to_string()))
        .number("shift", |(row, ..)| Some(row.shift))
        .finish()
}

/// The tournaments with the highest mean rating or class.
pub fn tournaments(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.chessmetrics.tournaments;
    let rows: Vec<(&RankedTournament, &EventRecord)> =
        rows.iter().map(|row| (row, &archive.records[row.event])).collect();
    ExportTable::from_rows(&rows)
        .whole("by_mean", |(row, _)| Some(row.by_mean))
        .whole("by_class", |(row, _)| Some(row.by_class))
        .text("event", |(_, record)| some(&record.event.name))
        .text("event_id", |(_, record)| some(&record.event.id))
        .whole("year", |(_, record)| year(record))
        .number("mean", |(row, _)| Some(row.mean))
        .number("category", |(row, _)| Some(f64::from(row.category)))
        .whole("class", |(row, _)| Some(row.class as usize))
        .text("top_ten", |(row, _)| {
            let ranks: Vec<String> = row.top_ten.iter().map(ToString::to_string).collect();
            some(ranks.join(" "))
        })
        .whole("listed", |(row, _)| Some(row.listed))
        .whole("players", |(_, record)| Some(record.event.players.len()))
        .text("list", |(row, _)| some(&row.list))
        .date("edition", |(row, _)| some(row.edition.to_string()))
        .number("shift", |(row, _)| Some(row.shift))
        .finish()
}

/// The matches whose weaker player ranked highest.
pub fn matches(archive: &Archive) -> ExportTable {
    let rows = &archive.studies.chessmetrics.matches;
    let rows: Vec<(&RankedMatch, &EventRecord, [&Player; 2])> = rows
        .iter()
        .map(|row| {
            let players = row.players.each_ref().map(|one| archive.players.get(one.player));
            (row, &archive.records[row.event], players)
        })
        .collect();
    ExportTable::from_rows(&rows)
        .whole("rank", |(row, ..)| Some(row.rank))
        .text("event", |(_, record, _)| some(&record.event.name))
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .whole("year", |(_, record, _)| year(record))
        .text("stronger", |(.., players)| some(&players[0].name))
        .text("stronger_id", |(.., players)| some(&players[0].id))
        .whole("stronger_rank", |(row, ..)| Some(row.players[0].rank))
        .number("stronger_rating", |(row, ..)| Some(row.players[0].rating))
        .text("weaker", |(.., players)| some(&players[1].name))
        .text("weaker_id", |(.., players)| some(&players[1].id))
        .whole("weaker_rank", |(row, ..)| Some(row.players[1].rank))
        .number("weaker_rating", |(row, ..)| Some(row.players[1].rating))
        .whole("games", |(_, record, _)| Some(record.event.games.len()))
        .text("list", |(row, ..)| some(&row.list))
        .date("edition", |(row, ..)| some(row.edition.to_string()))
        .number("shift", |(row, ..)| Some(row.shift))
        .finish()
}
