//! Makes the tables that test claims of the PRA paper: official ratings after corrected events, the
//! constant of the fit test, and the points won from common opponents.

use crate::record::EventRecord;
use crate::run::Archive;
use crate::studies::constants::{ConstantCounts, ConstantIntervals};
use tables::{ExportTable, some};
use tournament_app::follow_up::FollowedMonth;

/// The months after each corrected event.
pub fn follow_ups(archive: &Archive) -> ExportTable {
    let events = archive.studies.follow_ups.events.iter();
    let rows: Vec<(&EventRecord, &FollowedMonth)> = events
        .flat_map(|followed| {
            followed.months.iter().map(|month| (&archive.records[followed.event], month))
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(record, _)| some(&record.event.id))
        .text("event", |(record, _)| some(&record.event.name))
        .whole("month", |(_, month)| Some(month.month))
        .whole("players", |(_, month)| Some(month.players))
        .number("corrected", |(_, month)| Some(month.corrected))
        .number("uncorrected", |(_, month)| Some(month.uncorrected))
        .number("initial", |(_, month)| Some(month.initial))
        .number("lower", |(_, month)| Some(month.lower))
        .number("upper", |(_, month)| Some(month.upper))
        .finish()
}

/// The means over all corrected events by month.
pub fn means(archive: &Archive) -> ExportTable {
    ExportTable::from_rows(&archive.studies.follow_ups.means)
        .whole("month", |mean| Some(mean.month))
        .whole("events", |mean| Some(mean.events))
        .number("corrected", |mean| Some(mean.corrected))
        .number("uncorrected", |mean| Some(mean.uncorrected))
        .number("initial", |mean| Some(mean.initial))
        .finish()
}

/// How two players of a round robin divide the points that they take from the others.
pub fn shared_points(archive: &Archive) -> ExportTable {
    ExportTable::from_rows(&archive.studies.shared_points)
        .whole("from", |row| Some(row.from as usize))
        .whole("events", |row| Some(row.events))
        .whole("pairs", |row| Some(row.pairs))
        .number("claimed", |row| Some(row.claimed))
        .number("share", |row| Some(row.share))
        .number("error", |row| Some(row.error))
        .finish()
}

/// The results of the fit test by its constant: of the ranked events, and of the events of the PRA
/// paper.
pub fn constants(archive: &Archive) -> ExportTable {
    let ours = ConstantIntervals::of_events(&archive.records).counts();
    let published = ConstantIntervals::published(&archive.findings.published_strengths).counts();
    let rows: Vec<(ConstantCounts, ConstantCounts)> = ours.into_iter().zip(published).collect();
    ExportTable::from_rows(&rows)
        .whole("constant", |(ours, _)| Some(ours.constant as usize))
        .whole("passed", |(ours, _)| Some(ours.passed))
        .whole("failed", |(ours, _)| Some(ours.failed))
        .whole("too_close", |(ours, _)| Some(ours.too_close))
        .whole("published_passed", |(_, published)| Some(published.passed))
        .whole("published_failed", |(_, published)| Some(published.failed))
        .whole("published_too_close", |(_, published)| Some(published.too_close))
        .finish()
}
