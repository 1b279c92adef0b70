//! Makes the tables of the quality of moves.

use crate::run::Archive;
use crate::studies::moves::{AggregateMoves, EventMoves, YearMoves};
use intrinsic_ratings::{Calibration, MoveQuality};
use tables::{ExportTable, some};

/// A row of a table: event, player, year, quality of the moves, calibration of the engine.
type MoveRow<'a> = (&'a str, &'a str, Option<i16>, &'a MoveQuality, &'a Calibration);

/// The quality of moves by event, and by player in each event.
pub fn intrinsic(archive: &Archive) -> ExportTable {
    let mut lines: Vec<MoveRow<'_>> = Vec::new();
    for (record, moves) in archive.records.iter().zip(&archive.moves.events) {
        let Some(EventMoves { engine, all, players, .. }) = moves else { continue };
        let engine = &archive.moves.engines[*engine];
        lines.push((&record.event.id, "", None, all, engine));
        for (player, moves) in record.event.players.iter().zip(players) {
            if let Some(moves) = moves {
                let id = archive.players.get(*player).id.as_str();
                lines.push((&record.event.id, id, None, moves, engine));
            }
        }
    }
    let table = ExportTable::default().text("event_id", lines.iter().map(|line| some(line.0)));
    let table = add_player_and_quality(table, &lines)
        .number("difference", lines.iter().map(|(.., moves, _)| moves.difference()));
    add_matches_sigma(table, &lines)
}

/// The quality of moves by player and year.
pub fn intrinsic_years(archive: &Archive) -> ExportTable {
    let lines: Vec<MoveRow<'_>> = archive
        .moves
        .years
        .iter()
        .map(|YearMoves { player, year, engine, moves }| {
            let id = archive.players.get(*player).id.as_str();
            ("", id, Some(*year), moves, &archive.moves.engines[*engine])
        })
        .collect();
    let years = lines.iter().map(|line| line.2.and_then(|year| usize::try_from(year).ok()));
    let table = add_player_and_quality(ExportTable::default().whole("year", years), &lines);
    add_matches_sigma(table, &lines)
}

/// The quality of the moves of all players by year and by band of ratings.
pub fn intrinsic_aggregates(archive: &Archive) -> ExportTable {
    let runs = &archive.moves.aggregates;
    let lines: Vec<MoveRow<'_>> = runs
        .iter()
        .map(|AggregateMoves { engine, moves, .. }| {
            ("", "", None, moves, &archive.moves.engines[*engine])
        })
        .collect();
    let table = ExportTable::default()
        .text("kind", runs.iter().map(|run| some(run.kind.word())))
        .text("set", runs.iter().map(|run| some(run.name.as_str())));
    let table = add_quality(table, &lines)
        .number("difference", runs.iter().map(|run| run.moves.difference()));
    add_matches_sigma(table, &lines)
}

/// The quality of the moves of a set of games, or of one side of them.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredSet {
    /// Name of the set: an event, a player, a year, or a band of ratings.
    pub set: String,
    /// Whose moves they are: a player's identifier, or words for several players; empty for all.
    pub player: String,
    pub moves: MoveQuality,
    /// Performance rating (points) of the results, if all results and ratings are known.
    pub performance: Option<f64>,
}

/// The quality of moves by set of games. The columns are those of `intrinsic.csv`, with the set in
/// place of the event, and four more: the intrinsic rating less the mean rating (`difference`) and
/// less the performance rating (`less_performance`), the performance rating, and the line that gave
/// the ratings. Regan's tables 5 to 7 have the first difference, table 14 has the second.
pub fn measured_sets(rows: &[MeasuredSet], engine: &Calibration, line: &str) -> ExportTable {
    let lines: Vec<MoveRow<'_>> =
        rows.iter().map(|row| ("", row.player.as_str(), None, &row.moves, engine)).collect();
    let table = ExportTable::default().text("set", rows.iter().map(|row| some(row.set.as_str())));
    add_player_and_quality(table, &lines)
        .number("difference", rows.iter().map(|row| row.moves.difference()))
        .number("performance", rows.iter().map(|row| row.performance))
        .number(
            "less_performance",
            rows.iter().map(|row| Some(row.moves.shown.rating?.rating - row.performance?)),
        )
        .text("line", rows.iter().map(|_| some(line)))
}

/// Adds the standard error of the expected matches, which is the last column.
fn add_matches_sigma(table: ExportTable, lines: &[MoveRow<'_>]) -> ExportTable {
    table.number(
        "mm_sigma",
        lines.iter().map(|(.., moves, _)| moves.shown.skill.map(|_| moves.shown.matches_sigma)),
    )
}

fn add_player_and_quality(table: ExportTable, lines: &[MoveRow<'_>]) -> ExportTable {
    add_quality(table.text("player_id", lines.iter().map(|line| some(line.1))), lines)
}

fn add_quality(table: ExportTable, lines: &[MoveRow<'_>]) -> ExportTable {
    table
        .whole("turns", lines.iter().map(|(.., moves, _)| Some(moves.shown.turns)))
        .whole("left_out", lines.iter().map(|(.., moves, _)| Some(moves.left_out())))
        .number("s", lines.iter().map(|(.., moves, _)| Some(moves.shown.skill?.sensitivity)))
        .number("c", lines.iter().map(|(.., moves, _)| Some(moves.shown.skill?.consistency)))
        .number("ipr", lines.iter().map(|(.., moves, _)| Some(moves.shown.rating?.rating)))
        .number("low", lines.iter().map(|(.., moves, _)| Some(moves.shown.rating?.actual.0)))
        .number("high", lines.iter().map(|(.., moves, _)| Some(moves.shown.rating?.actual.1)))
        .number(
            "projected_low",
            lines.iter().map(|(.., moves, _)| Some(moves.shown.rating?.projected.0)),
        )
        .number(
            "projected_high",
            lines.iter().map(|(.., moves, _)| Some(moves.shown.rating?.projected.1)),
        )
        .number("ae", lines.iter().map(|(.., moves, _)| Some(moves.shown.error)))
        .number(
            "ae_expected",
            lines
                .iter()
                .map(|(.., moves, _)| moves.shown.skill.map(|_| moves.shown.error_expected)),
        )
        .number("mm", lines.iter().map(|(.., moves, _)| Some(moves.shown.matches)))
        .number(
            "mm_expected",
            lines
                .iter()
                .map(|(.., moves, _)| moves.shown.skill.map(|_| moves.shown.matches_expected)),
        )
        .number("loss", lines.iter().map(|(.., moves, _)| Some(moves.shown.loss)))
        .number("accuracy", lines.iter().map(|(.., moves, _)| Some(moves.shown.accuracy)))
        .number("elo", lines.iter().map(|(.., moves, _)| moves.elo))
        .text("engine", lines.iter().map(|line| some(line.4.engine.as_str())))
        .text("method", lines.iter().map(|line| some(line.4.method.as_str())))
        .text(
            "quality",
            lines.iter().map(|(.., moves, _)| some(moves.shown.rating?.quality.word())),
        )
        .whole("games", lines.iter().map(|(.., moves, _)| Some(moves.games)))
}
