//! Writes the exports. Their names and columns are a contract with readers.

pub mod career_tables;
mod cell_values;
pub mod chessmetrics_tables;
mod croissant;
mod data_package;
mod descriptions;
pub mod document;
pub mod forecast_tables;
pub mod foresight_tables;
mod game_forecast_table;
mod missing_form;
pub mod moves_tables;
mod performance_tables;
pub mod pool_tables;
mod written_table;

pub use descriptions::DATASET_DESCRIPTION;
pub use written_table::WrittenTable;

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use jiff::civil::Date;
use rayon::prelude::*;

use crate::exports::cell_values::{known_rating, player_of, year};
use crate::exports::descriptions::write_descriptions;
use crate::exports::game_forecast_table::GameForecastTable;
use crate::lists::missing::MissingRow;
use crate::lists::{GreatnessRow, PlayerRow, StrengthRow};
use crate::parquet::write_export;
use crate::rated_players::computed_lists;
use crate::record::{Decided, EventRecord};
use crate::review::ReviewRow;
use crate::review::checked::HistoryDifference;
use crate::run::Archive;
use crate::studies::published::PublishedRow;
use crate::studies::substitutions::Substitution;
use chess_history::gazetteer::Places;
use chess_history::players::Player;
use pgn_collections::games::Game;
use pgn_collections::source::Diagnostic;
use rating_systems::evaluation::comparison::{BINS, Bin, ERAS, SystemComparison};
use tables::{Codebook, ExportError, ExportTable, TableDeclaration, create, some};
use tournament_app::pairing::{OtherOrder, OtherOrders};
use tournament_app::{Kind, PlayerAnalysis, RatingOrigin, StepKind};

/// The number of rows (events, players, findings) of a partial table. A table of millions of rows
/// would take more memory than its source.
const PART: usize = 4096;

/// An export: its name, its number of rows, and a function that makes the table of some of them.
struct Export<'a> {
    name: String,
    rows: usize,
    table: Box<dyn Fn(Range<usize>) -> ExportTable + Sync + 'a>,
    /// Whether it is also written as Parquet, because it grows with the collection.
    is_large: bool,
}

impl<'a> Export<'a> {
    /// An export whose table is made in parts.
    fn new(
        name: &str,
        rows: usize,
        table: impl Fn(Range<usize>) -> ExportTable + Sync + 'a,
    ) -> Export<'a> {
        Export { name: name.to_owned(), rows, table: Box::new(table), is_large: false }
    }

    /// An export whose table is made at once.
    fn whole(name: &str, table: impl Fn() -> ExportTable + Sync + 'a) -> Export<'a> {
        Export::new(name, 1, move |_| table())
    }

    fn large(self) -> Export<'a> {
        Export { is_large: true, ..self }
    }

    fn parts(&self) -> impl Iterator<Item = ExportTable> + '_ {
        // An empty export still has a header.
        (0..self.rows.max(1))
            .step_by(PART)
            .map(|first| (self.table)(first.min(self.rows)..(first + PART).min(self.rows)))
    }

    /// Returns the declaration of the table, and its parts.
    fn declared(
        &self,
        codebook: &Codebook,
    ) -> Result<(TableDeclaration, impl Iterator<Item = ExportTable>), ExportError> {
        let mut parts = self.parts().peekable();
        let first = parts.peek().expect("an empty export has one part");
        Ok((codebook.declare(&self.name, first)?, parts))
    }

    fn write(&self, folder: &Path, codebook: &Codebook) -> Result<WrittenTable, ExportError> {
        let (declaration, parts) = self.declared(codebook)?;
        let csv = folder.join(format!("{}.csv", self.name));
        let json = folder.join(format!("{}.json", self.name));
        let has_json = ExportTable::write_csv_and_json(parts, &csv, &json)?;
        let mut formats = vec!["csv"];
        formats.extend(has_json.then_some("json"));
        if self.is_large || !has_json {
            self.write_parquet(folder, codebook)?;
            formats.push("parquet");
        }
        Ok(WrittenTable::new(self.name.clone(), formats, declaration))
    }

    fn write_parquet(
        &self,
        folder: &Path,
        codebook: &Codebook,
    ) -> Result<WrittenTable, ExportError> {
        let (declaration, parts) = self.declared(codebook)?;
        let path = folder.join(format!("{}.parquet", self.name));
        write_export(parts, Some(&declaration), create(&path)?)?;
        Ok(WrittenTable::new(self.name.clone(), vec!["parquet"], declaration))
    }
}

/// Writes all tables into an existing folder, and returns what was written, in the order of the
/// codebook. (The analysis of each event is an [`EventDocument`](document::EventDocument).)
///
/// # Errors
///
/// Returns an error if a file cannot be written.
pub fn write_exports(archive: &Archive, folder: &Path) -> Result<Vec<WrittenTable>, ExportError> {
    let records = &archive.records;
    let places = archive.settings.places();
    let exports = exports(archive, &places);
    let codebook = Codebook::read()?;
    let mut written: Vec<WrittenTable> = exports
        .par_iter()
        .map(|export| export.write(folder, &codebook))
        .collect::<Result<_, ExportError>>()?;
    written.extend(write_system_lists(archive, folder, &codebook)?);
    let games = Export::new("games", records.len(), |range| games(archive, &records[range]));
    written.push(games.write_parquet(folder, &codebook)?);
    if let Some(found) = GameForecastTable::new(archive) {
        let export = Export::new("forecast-games", found.len(), |range| found.table(range));
        written.push(export.write_parquet(folder, &codebook)?);
    }
    written.sort_by(|a, b| a.name.cmp(&b.name));
    write_descriptions(archive, &mut written, folder)?;
    written.sort_by_key(|table| codebook.place(&table.name));
    Ok(written)
}

/// The exports that are tables of the archive in memory.
fn exports<'a>(archive: &'a Archive, places: &'a Places) -> Vec<Export<'a>> {
    let records = &archive.records;
    let mut exports = vec![
        Export::whole("greatness", || greatness(archive, &archive.lists.greatness)).large(),
        Export::whole("strength", || strength(archive, &archive.lists.strength)),
        Export::whole("greatest-players", || career_tables::careers(archive)).large(),
        Export::whole("greatest-players-eras", || career_tables::eras(archive)).large(),
        Export::new("events", records.len(), |range| events(archive, &records[range], places))
            .large(),
        Export::new("performances", records.len(), |range| {
            performance_tables::performances(archive, &records[range])
        })
        .large(),
        Export::new("crosstables", records.len(), |range| {
            performance_tables::crosstables(archive, &records[range])
        })
        .large(),
        Export::whole("fragments", || fragments(archive)),
        Export::whole("missing-games", || missing_games(archive)),
        Export::whole("missing-games-form", || missing_form::missing_games_form(archive)),
        Export::whole("history-check", || history_check(archive)),
        Export::whole("published", || published(archive)),
        Export::whole("published-strengths", || published_strengths(archive)),
        Export::new("players", archive.lists.player_rows.len(), |range| {
            players(archive, &archive.lists.player_rows[range])
        })
        .large(),
        Export::whole("review", || review(archive)),
        Export::whole("decisions", || decisions(archive)),
        Export::new("diagnostics", archive.findings.diagnostics.len(), |range| {
            diagnostics(&archive.findings.diagnostics[range])
        })
        .large(),
        Export::new("forecasts", records.len(), |range| {
            forecast_tables::forecasts(archive, &records[range])
        })
        .large(),
        Export::whole("match-forecasts", || forecast_tables::match_forecasts(archive)),
        Export::whole("draws", || forecast_tables::draws(archive)),
        Export::whole("curves", || forecast_tables::curves(archive)),
        Export::whole("worths", || forecast_tables::worths(archive)),
        Export::whole("pool", || pool_tables::pool(archive)),
        Export::whole("exchange", || pool_tables::exchange(archive)),
        Export::whole("consistency", || pool_tables::consistency(archive)),
        Export::whole("balance", || pool_tables::balance(archive)),
        Export::whole("improvement", || pool_tables::improvement(archive)),
        Export::whole("trials", || pool_tables::trials(archive)),
        Export::whole("published-trial", || forecast_tables::published_trial(archive)),
        Export::whole("curve-runs", || pool_tables::curve_runs(archive)),
        Export::whole("ages", || pool_tables::ages(archive)),
        Export::whole("careers", || pool_tables::careers(archive)),
        Export::whole("norms", || forecast_tables::norms(archive)),
        Export::new("tie-breaks", records.len(), |range| tie_breaks(archive, &records[range]))
            .large(),
        Export::whole("intrinsic", || moves_tables::intrinsic(archive)),
        Export::whole("intrinsic-years", || moves_tables::intrinsic_years(archive)),
        Export::whole("intrinsic-aggregates", || moves_tables::intrinsic_aggregates(archive)),
        Export::whole("titles", || forecast_tables::titles(archive)),
        Export::whole("chessmetrics-performances", || chessmetrics_tables::performances(archive)),
        Export::whole("chessmetrics-matches", || chessmetrics_tables::matches(archive)),
        Export::whole("foresight", || foresight_tables::groups(archive)),
        Export::whole("foresight-ratings", || foresight_tables::ratings(archive)),
        Export::whole("decided-ratings", || foresight_tables::decided(archive)),
        Export::whole("administrators", || foresight_tables::administrators(archive)),
    ];
    for lists in &archive.lists.faster {
        let tempo = lists.tempo.word();
        exports.push(Export::whole(&format!("greatness-{tempo}"), || {
            greatness(archive, &lists.greatness)
        }));
        exports.push(Export::whole(&format!("strength-{tempo}"), || {
            strength(archive, &lists.strength)
        }));
    }
    for (name, table) in archive.studies.comparison.iter().flat_map(comparison) {
        exports.push(Export::whole(name, move || table.clone()));
    }
    exports
}

/// Writes the yearly lists of the computed systems.
fn write_system_lists(
    archive: &Archive,
    folder: &Path,
    codebook: &Codebook,
) -> Result<Vec<WrittenTable>, ExportError> {
    if archive.studies.system_lists.is_empty() {
        return Ok(Vec::new());
    }
    let systems = folder.join("systems");
    std::fs::create_dir_all(&systems).map_err(|error| ExportError::write(&systems, error))?;
    let mut written = Vec::new();
    for lists in &archive.studies.system_lists {
        let path = systems.join(format!("{}.parquet", lists.system));
        std::fs::write(&path, &lists.parquet).map_err(|error| ExportError::write(&path, error))?;
        let name = format!("systems/{}", lists.system);
        let declaration = computed_lists::declaration(codebook)?;
        written.push(WrittenTable::new(name, vec!["parquet"], declaration));
    }
    Ok(written)
}

fn greatness(archive: &Archive, rows: &[GreatnessRow]) -> ExportTable {
    let rows: Vec<(&GreatnessRow, &EventRecord, &PlayerAnalysis)> = rows
        .iter()
        .map(|row| {
            let record = &archive.records[row.event];
            (row, record, &record.analysis.players[row.standing])
        })
        .collect();
    ExportTable::from_rows(&rows)
        .whole("rank", |(row, ..)| Some(row.rank))
        .number("g_score", |(row, ..)| Some(row.g_score))
        .text("player", |(.., player)| some(&player.name))
        .text("player_id", |(row, ..)| some(&archive.players.get(row.player).id))
        .text("event", |(_, record, _)| some(&record.event.name))
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .whole("year", |(_, record, _)| year(record))
        .text("kind", |(_, record, _)| some(record.event.kind.word()))
        .whole("games", |(.., player)| Some(player.games))
        .number("points", |(.., player)| Some(player.points))
        .number("p_zero", |(.., player)| player.p_zero)
        .number("resistance", |(.., player)| player.resistance)
        .number("stamina", |(.., player)| Some(player.stamina))
        .text("band", |(row, ..)| row.band.map(|band| band.name().to_owned()))
        .text("rating_label", |(_, record, _)| some(&record.analysis.rating_label))
        .number("coverage", |(_, record, _)| Some(record.event.coverage()))
        .text("order", |(_, record, _)| some(record.analysis.order.word()))
        .number("order_spread", |(.., player)| player.g_order_spread.map(f64::abs))
        .text("tempo", |(_, record, _)| some(record.event.tempo.word()))
        .whole("games_known", |(row, record, _)| Some(record.games_of(row.standing).0))
        .whole("games_expected", |(row, record, _)| Some(record.games_of(row.standing).1))
        .number("supplied", |(_, record, _)| Some(record.supplied()))
        .number("g_error", |(.., player)| player.simulated.g_error)
        .number("g_error_ratings", |(.., player)| player.simulated.g_error_ratings)
        .number("g_error_order", |(.., player)| player.simulated.g_error_order)
        .whole("rank_best", |(row, ..)| Some(row.range.best))
        .whole("rank_worst", |(row, ..)| Some(row.range.worst))
        .number("first", |(row, ..)| Some(row.range.first))
        .number("g_bias", |(.., player)| player.simulated.g_bias)
        .number("g_bias_number_two", |(.., player)| player.simulated.g_bias_number_two)
        .number("g_bias_order", |(.., player)| player.simulated.g_bias_order)
        .number("g_median", |(.., player)| player.simulated.g_median)
        .number("g_low", |(.., player)| player.simulated.g_low)
        .number("g_high", |(.., player)| player.simulated.g_high)
        .number("played_points", |(.., player)| Some(player.played_points))
        .finish()
}

fn strength(archive: &Archive, rows: &[StrengthRow]) -> ExportTable {
    let ranks = ranks_of_kind(archive, rows);
    let rows: Vec<(&StrengthRow, &EventRecord, usize)> = rows
        .iter()
        .zip(ranks)
        .map(|(row, rank_of_kind)| (row, &archive.records[row.event], rank_of_kind))
        .collect();
    ExportTable::from_rows(&rows)
        .whole("rank", |(row, ..)| Some(row.rank))
        .number("strength", |(row, ..)| Some(row.strength))
        .text("event", |(_, record, _)| some(&record.event.name))
        .text("event_id", |(_, record, _)| some(&record.event.id))
        .whole("year", |(_, record, _)| year(record))
        .text("kind", |(_, record, _)| some(record.event.kind.word()))
        .whole("players", |(_, record, _)| Some(record.event.players.len()))
        .whole("games", |(_, record, _)| Some(record.event.games.len()))
        .number("number_two", |(_, record, _)| record.analysis.number_two)
        .text("rating_label", |(_, record, _)| some(&record.analysis.rating_label))
        .number("coverage", |(_, record, _)| Some(record.event.coverage()))
        .text("tempo", |(_, record, _)| some(record.event.tempo.word()))
        .number("supplied", |(_, record, _)| Some(record.supplied()))
        .number("strength_error", |(_, record, _)| record.analysis.strength_error)
        .whole("rank_best", |(row, ..)| Some(row.range.best))
        .whole("rank_worst", |(row, ..)| Some(row.range.worst))
        .number("first", |(row, ..)| Some(row.range.first))
        .whole("rank_of_kind", |(.., rank_of_kind)| Some(*rank_of_kind))
        .number("strength_median", |(_, record, _)| record.analysis.strength_median)
        .number("strength_low", |(_, record, _)| record.analysis.strength_low)
        .number("strength_high", |(_, record, _)| record.analysis.strength_high)
        .finish()
}

/// The rank of each event among tournaments, or among matches, as the pages number them.
fn ranks_of_kind(archive: &Archive, rows: &[StrengthRow]) -> Vec<usize> {
    let mut counts = [0, 0];
    rows.iter()
        .map(|row| {
            let is_match = archive.records[row.event].event.kind == Kind::Match;
            let count = &mut counts[usize::from(is_match)];
            *count += 1;
            *count
        })
        .collect()
}

/// Incomplete events, and what is known of them.
fn fragments(archive: &Archive) -> ExportTable {
    let rows: Vec<&EventRecord> =
        archive.lists.fragments.iter().map(|event| &archive.records[*event]).collect();
    ExportTable::default()
        .text("event_id", rows.iter().map(|row| some(&row.event.id)))
        .text("event", rows.iter().map(|row| some(&row.event.name)))
        .whole("year", rows.iter().map(|row| year(row)))
        .text("kind", rows.iter().map(|row| some(row.event.kind.word())))
        .text("tempo", rows.iter().map(|row| some(row.event.tempo.word())))
        .whole("players", rows.iter().map(|row| Some(row.event.players.len())))
        .whole("games", rows.iter().map(|row| Some(row.event.games.len())))
        .whole("known_games", rows.iter().map(|row| Some(row.event.recognised.placed_games)))
        .whole("expected_games", rows.iter().map(|row| Some(row.event.recognised.expected_games)))
        .number("coverage", rows.iter().map(|row| Some(row.event.coverage())))
        .number("strength", rows.iter().map(|row| row.analysis.strength))
        .text("status", rows.iter().map(|row| some(row.status.word())))
}

/// The missing games of events that would rank high if they were complete.
fn missing_games(archive: &Archive) -> ExportTable {
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
fn history_check(archive: &Archive) -> ExportTable {
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
fn published(archive: &Archive) -> ExportTable {
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
        .number("g_score", |(_, ours)| (*ours)?.1.g_score)
        .number("difference", |(row, ours)| Some((*ours)?.1.g_score? - row.g_score))
        .text("why", |(row, _)| some(&row.why))
        .number("g_score_all_games", |(row, _)| {
            let (event, standing) = row.ours?;
            (*archive.records[event].all_games.get(standing)?)?.g_score
        })
        .number("explaining_number_two", |(row, _)| {
            match row.explanations.number_two.as_ref()?.by {
                Substitution::NumberTwo(rating) => Some(rating),
                _ => None,
            }
        })
        .number("g_by_number_two", |(row, _)| Some(row.explanations.number_two.as_ref()?.g_score))
        .text("explaining_change", |(row, _)| Some(row.explanations.other.as_ref()?.by.words()))
        .number("g_by_change", |(row, _)| Some(row.explanations.other.as_ref()?.g_score))
        .finish()
}

/// Published strengths and constant intervals next to ours.
fn published_strengths(archive: &Archive) -> ExportTable {
    let (rows, records) = (&archive.findings.published_strengths, &archive.records);
    ExportTable::default()
        .text("event", rows.iter().map(|row| some(&row.event)))
        .number("published_strength", rows.iter().map(|row| row.strength))
        .number("published_interval_low", rows.iter().map(|row| Some(row.interval?.0)))
        .number("published_interval_high", rows.iter().map(|row| Some(row.interval?.1)))
        .text("event_id", rows.iter().map(|row| Some(records[row.ours?].event.id.clone())))
        .number("strength", rows.iter().map(|row| row.our_strength(records)))
        .number("interval_low", rows.iter().map(|row| Some(row.our_interval(records)?.0)))
        .number("interval_high", rows.iter().map(|row| Some(row.our_interval(records)?.1)))
        .text("why", rows.iter().map(|row| some(&row.why)))
}

fn events(archive: &Archive, rows: &[EventRecord], places: &Places) -> ExportTable {
    ExportTable::default()
        .text("event_id", rows.iter().map(|row| some(&row.event.id)))
        .text("name", rows.iter().map(|row| some(&row.event.name)))
        .text("site", rows.iter().map(|row| some(&row.event.site)))
        .text("start", rows.iter().map(|row| some(row.event.days().0.iso())))
        .text("end", rows.iter().map(|row| some(row.event.days().1.iso())))
        .text("kind", rows.iter().map(|row| some(row.event.kind.word())))
        .whole("players", rows.iter().map(|row| Some(row.event.players.len())))
        .whole("games", rows.iter().map(|row| Some(row.event.games.len())))
        .whole("expected_games", rows.iter().map(|row| Some(row.event.recognised.expected_games)))
        .number("coverage", rows.iter().map(|row| Some(row.event.coverage())))
        .text("rating_source", rows.iter().map(|row| some(row.ratings.origin.name())))
        .whole("known_ratings", rows.iter().map(|row| Some(row.analysis.before.known_ratings)))
        .whole("filled", rows.iter().map(|row| Some(row.ratings_of_origin(RatingOrigin::Filled))))
        .whole("omitted", rows.iter().map(|row| Some(ratings_left_out(row))))
        .whole(
            "corrected",
            rows.iter().map(|row| Some(row.ratings_of_origin(RatingOrigin::Corrected))),
        )
        .number("slope", rows.iter().map(|row| Some(row.analysis.line?.slope)))
        .number("intercept", rows.iter().map(|row| Some(row.analysis.line?.intercept)))
        .number("r", rows.iter().map(|row| row.analysis.line?.r))
        .number("fit_statistic", rows.iter().map(|row| row.analysis.fit_test.statistic))
        .number("fit_critical", rows.iter().map(|row| row.analysis.fit_test.critical))
        .number("fit_lower", rows.iter().map(|row| row.analysis.fit_test.lower))
        .text("fit_result", rows.iter().map(|row| some(row.analysis.fit_test.result.word())))
        .number("constant_low", rows.iter().map(|row| row.analysis.fit_test.constant_low))
        .number("constant_high", rows.iter().map(|row| row.analysis.fit_test.constant_high))
        .number("number_two", rows.iter().map(|row| row.analysis.number_two))
        .number("strength", rows.iter().map(|row| row.analysis.strength))
        .text("order", rows.iter().map(|row| some(row.analysis.order.word())))
        .text("status", rows.iter().map(|row| some(row.status.word())))
        .text("tempo", rows.iter().map(|row| some(row.event.tempo.word())))
        .text("tempo_reason", rows.iter().map(|row| some(row.event.tempo_reason.word())))
        .whole("known_games", rows.iter().map(|row| Some(row.event.recognised.placed_games)))
        .number("supplied", rows.iter().map(|row| Some(row.supplied())))
        .text(
            "winner",
            rows.iter().map(|row| {
                let winners: Vec<&str> = row
                    .winners()
                    .into_iter()
                    .map(|place| row.analysis.players[place].name.as_str())
                    .collect();
                some(winners.join("; "))
            }),
        )
        .number("strength_error", rows.iter().map(|row| row.analysis.strength_error))
        .whole("withdrew", rows.iter().map(|row| Some(row.withdrawn().len())))
        .text(
            "winner_ids",
            rows.iter().map(|row| {
                let winners = row.winners().into_iter();
                let ids = winners.map(|place| {
                    let player = row.event.players[row.analysis.players[place].index];
                    archive.players.get(player).id.as_str()
                });
                some(ids.collect::<Vec<_>>().join("; "))
            }),
        )
        .date("date_from", rows.iter().map(|row| day(row.event.days().0.earliest())))
        .date("date_to", rows.iter().map(|row| day(row.event.days().1.latest())))
        .text("date_precision", rows.iter().map(date_precision))
        .text("country", rows.iter().map(|row| row.country(places).map(str::to_owned)))
        .text("part_of", rows.iter().map(|row| row.event.part_of.clone()))
}

/// The number of ratings that the estimator line of an event left out.
fn ratings_left_out(record: &EventRecord) -> usize {
    let steps = record.analysis.steps.iter();
    steps.filter(|step| matches!(step.kind(), StepKind::Omitted | StepKind::Deleted)).count()
}

fn day(day: Option<Date>) -> Option<String> {
    day.map(|day| day.to_string())
}

/// How exactly the days of an event are known: by the less exact of the first and the last.
fn date_precision(record: &EventRecord) -> Option<String> {
    let (first, last) = record.event.days();
    let word = match first.known_parts().min(last.known_parts()) {
        0 => return None,
        1 => "year",
        2 => "month",
        _ => "day",
    };
    Some(word.to_owned())
}

fn players(archive: &Archive, rows: &[PlayerRow]) -> ExportTable {
    let rows: Vec<(&PlayerRow, &Player)> =
        rows.iter().map(|row| (row, archive.players.get(row.player))).collect();
    ExportTable::from_rows(&rows)
        .text("player_id", |(_, player)| some(&player.id))
        .text("name", |(_, player)| some(&player.name))
        .text("names_seen", |(_, player)| some(player.spellings.join("; ")))
        .whole("events", |(row, _)| Some(row.event_count))
        .whole("games", |(row, _)| Some(row.games))
        .whole("first_year", |(row, _)| row.years.map(|(first, _)| first as usize))
        .whole("last_year", |(row, _)| row.years.map(|(_, last)| last as usize))
        .number("best_g", |(row, _)| row.best.map(|(g_score, _)| g_score))
        .text("best_event", |(row, _)| Some(archive.records[row.best?.1].event.id.clone()))
        .whole("born", |(_, player)| Some(player.life.as_ref()?.born? as usize))
        .whole("died", |(_, player)| Some(player.life.as_ref()?.died? as usize))
        .text("federation", |(_, player)| some(player.life.as_ref()?.federation.as_str()))
        .text("titles", |(_, player)| some(player.life.as_ref()?.titles.as_str()))
        .whole("fide_id", |(_, player)| player.fide_id().map(|id| id as usize))
        .text("other_names", |(_, player)| some(player.also_called.join("; ")))
        .text("wikidata", |(_, player)| some(player.life.as_ref()?.wikidata?.to_string()))
        .finish()
}

fn review(archive: &Archive) -> ExportTable {
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

fn decisions(archive: &Archive) -> ExportTable {
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
        .text("note", rows.iter().map(|(_, decided)| decided.note.clone()))
}

/// Other rankings of events: a line for each player of each event except matches.
fn tie_breaks(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let orders: Vec<Option<OtherOrders>> = records.par_iter().map(EventRecord::orders).collect();
    let rows: Vec<(&EventRecord, &PlayerAnalysis, &OtherOrder)> = records
        .iter()
        .zip(&orders)
        .filter_map(|(record, orders)| Some((record, orders.as_ref()?)))
        .flat_map(|(record, orders)| {
            let standing = record.analysis.players.iter();
            standing.map(move |player| (record, player, &orders.players[player.index]))
        })
        .collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |(record, ..)| some(&record.event.id))
        .text("player_id", |(record, player, _)| some(&player_of(archive, record, player.index).id))
        .number("points", |(.., own)| Some(own.points))
        .whole("direct_encounter", |(.., own)| Some(own.direct_encounter))
        .number("sonneborn_berger", |(.., own)| Some(own.sonneborn_berger))
        .number("buchholz", |(.., own)| Some(own.buchholz))
        .number("koya", |(.., own)| Some(own.koya))
        .whole("over", |(.., own)| Some(own.dominance.over))
        .whole("under", |(.., own)| Some(own.dominance.under))
        .number("dominance", |(.., own)| own.dominance.part)
        .number("linear", |(.., own)| own.linear)
        .number("berkin", |(.., own)| own.berkin.figure())
        .number("bradley_terry", |(.., own)| own.bradley_terry.figure())
        .number("power", |(.., own)| own.power.figure())
        .finish()
}

/// The comparison of the rating systems: on all games, by era, by expected score.
fn comparison(found: &SystemComparison) -> [(&'static str, ExportTable); 3] {
    let rows = &found.systems;
    let whole = ExportTable::default()
        .text("system", rows.iter().map(|row| some(&row.system)))
        .whole("games", rows.iter().map(|_| Some(found.games)))
        .whole("rated", rows.iter().map(|row| Some(row.rated)))
        .whole("judged", rows.iter().map(|row| Some(row.recalibrated.games)))
        .number("log_loss", rows.iter().map(|row| row.overall.log_loss()))
        .number("brier_score", rows.iter().map(|row| row.overall.brier_score()))
        .number("white", rows.iter().map(|row| Some(row.with_white?.white)))
        .number("log_loss_with_white", rows.iter().map(|row| row.with_white?.score.log_loss()))
        .number("best_white", rows.iter().map(|row| Some(row.at_best?.white)))
        .number("best_slope", rows.iter().map(|row| Some(row.at_best?.slope)))
        .number("log_loss_at_best", rows.iter().map(|row| row.at_best?.score.log_loss()))
        .number("behind", rows.iter().map(|row| Some(row.behind?.mean)))
        .number("behind_error", rows.iter().map(|row| row.behind?.standard_error))
        .number("recalibrated", rows.iter().map(|row| row.recalibrated.log_loss()))
        .number("recalibrated_squared", rows.iter().map(|row| row.recalibrated.brier_score()))
        .number("recalibrated_slope", rows.iter().map(|row| row.slope))
        .number("beside_elo", rows.iter().map(|row| Some(row.behind_standard?.mean)))
        .number("beside_elo_error", rows.iter().map(|row| row.behind_standard?.standard_error))
        .number("behind_best", rows.iter().map(|row| Some(row.behind_best.mean)))
        .number("behind_best_error", rows.iter().map(|row| row.behind_best.standard_error))
        .number("three_way", rows.iter().map(|row| row.three_way));
    let mut eras = Vec::new();
    let mut bins = Vec::new();
    for row in rows {
        eras.extend(row.eras.iter().enumerate().map(|(era, score)| (row, era, score)));
        bins.extend(row.bins.iter().enumerate().map(|(number, bin)| (row, number, bin)));
    }
    let by_era = ExportTable::from_rows(&eras)
        .text("system", |(row, ..)| some(&row.system))
        .whole("from_year", |(_, era, _)| usize::try_from(ERAS[*era]).ok())
        .whole("to_year", |(_, era, _)| Some(*ERAS.get(era + 1)? as usize - 1))
        .whole("judged", |(row, era, _)| Some(row.eras_recalibrated[*era].games))
        .number("log_loss", |(.., score)| score.log_loss())
        .number("brier_score", |(.., score)| score.brier_score())
        .number("recalibrated", |(row, era, _)| row.eras_recalibrated[*era].log_loss())
        .finish();
    let by_bin = ExportTable::from_rows(&bins)
        .text("system", |(row, ..)| some(&row.system))
        .number("from_expected", |(_, number, _)| Some(*number as f64 / BINS as f64))
        .number("to_expected", |(_, number, _)| Some((number + 1) as f64 / BINS as f64))
        .whole("judged", |(.., bin)| Some(bin.games))
        .number("expected", |(.., bin)| mean_of_games(bin, bin.expected))
        .number("scored", |(.., bin)| mean_of_games(bin, bin.actual))
        .finish();
    [("comparison", whole), ("comparison-eras", by_era), ("comparison-calibration", by_bin)]
}

/// A sum over the games of a bin, divided by their number.
fn mean_of_games(bin: &Bin, sum: f64) -> Option<f64> {
    (bin.games > 0).then(|| sum / bin.games as f64)
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

fn diagnostics(rows: &[Diagnostic]) -> ExportTable {
    ExportTable::default()
        .text("file", rows.iter().map(|row| some(&*row.file)))
        .whole("line", rows.iter().map(|row| (row.line > 0).then_some(row.line as usize)))
        .text("severity", rows.iter().map(|row| some(row.severity.word())))
        .text("kind", rows.iter().map(|row| some(row.kind.word())))
        .text("message", rows.iter().map(|row| some(&row.message)))
}

/// The games of all events, one row for each game.
fn games(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<(&EventRecord, &chess_history::events::EventGame, &Game)> = records
        .iter()
        .flat_map(|record| {
            record
                .event
                .games
                .iter()
                .map(move |game| (record, game, &archive.table.games()[game.row]))
        })
        .collect();
    // A game of a match is also a game of its cycle.
    let mut seen: HashSet<usize> = HashSet::new();
    ExportTable::default()
        .text("event_id", rows.iter().map(|(record, ..)| some(&record.event.id)))
        .text("date", rows.iter().map(|(.., game)| some(game.date.iso())))
        .text(
            "round",
            rows.iter().map(|(.., game)| game.round.is_known().then(|| game.round.to_string())),
        )
        .text(
            "white_id",
            rows.iter().map(|(record, game, _)| some(&player_of(archive, record, game.white).id)),
        )
        .text(
            "black_id",
            rows.iter().map(|(record, game, _)| some(&player_of(archive, record, game.black).id)),
        )
        .text("white", rows.iter().map(|(.., game)| some(archive.table.text(game.white))))
        .text("black", rows.iter().map(|(.., game)| some(archive.table.text(game.black))))
        .number("white_score", rows.iter().map(|(.., game)| game.result.white_score()))
        .whole("white_elo", rows.iter().map(|(.., game)| known_rating(game.white_elo)))
        .whole("black_elo", rows.iter().map(|(.., game)| known_rating(game.black_elo)))
        .text("segment", rows.iter().map(|(_, game, _)| some(game.segment.words())))
        .flag("played", rows.iter().map(|(_, game, _)| Some(game.played)))
        .flag("repeats", rows.iter().map(|(_, game, _)| Some(!seen.insert(game.row))))
}
