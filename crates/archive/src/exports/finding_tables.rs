//! Tables of what is doubtful, missing, different from other sources, or decided.

use std::io::{BufWriter, Write};
use std::path::Path;

use crate::exports::cell_values::{player_of, year};
use crate::lists::missing::MissingRow;
use crate::record::{Decided, EventRecord};
use crate::review::ReviewRow;
use crate::review::checked::HistoryDifference;
use crate::run::Archive;
use crate::studies::published::PublishedRow;
use pgn_collections::source::Diagnostic;
use tables::{ExportError, ExportTable, create, some};
use tournament_app::PlayerAnalysis;

/// The missing games of events that would rank high if they were complete.
pub(super) fn missing_games(archive: &Archive) -> ExportTable {
    let rows = &archive.findings.missing;
    let rows: Vec<(&MissingRow, &EventRecord)> =
        rows.iter().map(|row| (row, &archive.records[row.event])).collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(_, record)| some(&record.event.id))
        .text("event", |(_, record)| some(&record.event.name))
        .whole("year", |(_, record)| year(record))
        .whole("round", |(row, _)| row.round.map(usize::from))
        .text("player", |(row, record)| Some(player_of(archive, record, row.player?).name.clone()))
        .text("player_id", |(row, record)| Some(player_of(archive, record, row.player?).id.clone()))
        .text("opponent", |(row, record)| {
            Some(player_of(archive, record, row.opponent?).name.clone())
        })
        .text("opponent_id", |(row, record)| {
            Some(player_of(archive, record, row.opponent?).id.clone())
        })
        .whole("games", |(row, _)| Some(row.games))
        .finish()
}

/// Differences between the events and historical sources.
pub(super) fn history_check(archive: &Archive) -> ExportTable {
    let rows: Vec<(&EventRecord, &HistoryDifference)> = archive
        .findings
        .checked
        .differing
        .iter()
        .flat_map(|(event, differences)| {
            differences.iter().map(|difference| (&archive.records[*event], difference))
        })
        .collect();
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, _)| some(&record.event.id)))
        .text("event", rows.iter().map(|(record, _)| some(&record.event.name)))
        .whole("year", rows.iter().map(|(record, _)| year(record)))
        .text("aspect", rows.iter().map(|(_, difference)| some(difference.aspect.word())))
        .text("found", rows.iter().map(|(_, difference)| some(&difference.found)))
        .text("known", rows.iter().map(|(_, difference)| some(&difference.known)))
        .text(
            "explanation",
            rows.iter().map(|(_, difference)| {
                difference.explanation.map(|explanation| explanation.words().to_owned())
            }),
        )
}

/// Published G-scores next to ours.
pub(super) fn published(archive: &Archive) -> ExportTable {
    let rows = &archive.findings.published;
    let rows: Vec<(&PublishedRow, Option<(&EventRecord, &PlayerAnalysis)>)> = rows
        .iter()
        .map(|row| {
            let ours = row.ours.map(|(event, standing)| {
                let record = &archive.records[event];
                (record, &record.analysis.players[standing])
            });
            (row, ours)
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("player", |(row, _)| some(&row.player))
        .text("event", |(row, _)| some(&row.event))
        .number("published_g", |(row, _)| Some(row.g_score))
        .text("player_id", |(_, ours)| {
            let (record, player) = (*ours)?;
            Some(player_of(archive, record, player.index).id.clone())
        })
        .text("event_id", |(_, ours)| Some((*ours)?.0.event.id.clone()))
        .number("g_score", |(row, _)| row.our_g_score(&archive.records))
        .number("difference", |(row, _)| Some(row.our_g_score(&archive.records)? - row.g_score))
        .number("g_score_by_rule", |(row, _)| row.by_rule)
        .text("why", |(row, _)| some(&row.why))
        .finish()
}

/// Published strengths and constant intervals next to ours.
pub(super) fn published_strengths(archive: &Archive) -> ExportTable {
    let (rows, records) = (&archive.findings.published_strengths, &archive.records);
    ExportTable::default()
        .text("event", rows.iter().map(|row| some(&row.event)))
        .number("published_strength", rows.iter().map(|row| row.strength))
        .number("published_interval_low", rows.iter().map(|row| Some(row.interval?.0)))
        .number("published_interval_high", rows.iter().map(|row| Some(row.interval?.1)))
        .flag("before_correction", rows.iter().map(|row| Some(row.is_before_correction)))
        .text("event_id", rows.iter().map(|row| Some(records[row.ours?].event.id.clone())))
        .number("strength", rows.iter().map(|row| row.our_strength(records)))
        .number("interval_low", rows.iter().map(|row| Some(row.our_interval(records)?.0)))
        .number("interval_high", rows.iter().map(|row| Some(row.our_interval(records)?.1)))
        .number("strength_by_rule", rows.iter().map(|row| row.by_rule))
        .text("why", rows.iter().map(|row| some(&row.why)))
}

pub(super) fn review(archive: &Archive) -> ExportTable {
    let rows: Vec<(&ReviewRow, &EventRecord)> =
        archive.findings.review.iter().map(|row| (row, &archive.records[row.event])).collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(_, record)| some(&record.event.id))
        .text("event", |(_, record)| some(&record.event.name))
        .whole("year", |(_, record)| year(record))
        .text("reasons", |(row, _)| {
            let words: Vec<&str> = row.reasons.iter().map(|reason| reason.word()).collect();
            some(words.join("; "))
        })
        .text("why", |(row, _)| some(&row.why))
        .text("choice", |(row, _)| some(&row.choice))
        .text("effect", |(row, _)| some(row.effect.sentence()))
        .number("weight", |(row, _)| Some(row.effect.weight))
        .text("decided_by", |(_, record)| Some(record.decided.as_ref()?.author.clone()))
        .number("best_g", |(row, _)| row.best_g)
        .number("strength", |(_, record)| record.analysis.strength)
        .number("fit_statistic", |(_, record)| record.analysis.before.fit_test.statistic)
        .number("fit_critical", |(_, record)| record.analysis.before.fit_test.critical)
        .text("toml", |(row, _)| some(&row.toml))
        .text("toml_as_it_is", |(row, _)| some(&row.toml_as_it_is))
        .finish()
}

pub(super) fn decisions(archive: &Archive) -> ExportTable {
    let rows: Vec<(&EventRecord, &Decided)> = archive
        .records
        .iter()
        .filter_map(|record| Some((record, record.decided.as_ref()?)))
        .collect();
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, _)| some(&record.event.id)))
        .text("event", rows.iter().map(|(record, _)| some(&record.event.name)))
        .text("author", rows.iter().map(|(_, decided)| some(&decided.author)))
        .date("date", rows.iter().map(|(_, decided)| some(&decided.date)))
        .text("reason", rows.iter().map(|(_, decided)| some(&decided.reason)))
        .text("decided", rows.iter().map(|(_, decided)| some(decided.what.join(" "))))
        .text(
            "special_conditions",
            rows.iter().map(|(_, decided)| some(decided.special_conditions.join("; "))),
        )
        .text("source", rows.iter().map(|(_, decided)| decided.source.clone()))
        .text("note", rows.iter().map(|(_, decided)| decided.note.clone()))
}

/// Writes findings as CSV.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write_diagnostics(found: &[Diagnostic], path: &Path) -> Result<(), ExportError> {
    // There may be millions of findings. As columns they would take much more memory.
    const BATCH: usize = 50_000;
    let mut file = BufWriter::new(create(path)?);
    diagnostics(&found[..found.len().min(BATCH)]).write_csv_to(&mut file, true)?;
    for batch in found.chunks(BATCH).skip(1) {
        diagnostics(batch).write_csv_to(&mut file, false)?;
    }
    // Dropping the writer without flushing would hide a full disk.
    file.flush().map_err(|error| ExportError::write(path, error))
}

pub(super) fn diagnostics(rows: &[Diagnostic]) -> ExportTable {
    ExportTable::default()
        .text("file", rows.iter().map(|row| some(&*row.file)))
        .whole("line", rows.iter().map(|row| (row.line > 0).then_some(row.line as usize)))
        .text("severity", rows.iter().map(|row| some(row.severity.word())))
        .text("kind", rows.iter().map(|row| some(row.kind.word())))
        .text("message", rows.iter().map(|row| some(row.message.as_str())))
}
