//! Tables of the ranked lists and of the players.

use crate::exports::cell_values::year;
use crate::lists::{GreatnessRow, PlayerRow, StrengthRow};
use crate::record::EventRecord;
use crate::run::Archive;
use chess_history::players::Player;
use tables::{ExportTable, some};
use tournament_app::{Kind, PlayerAnalysis};

pub(super) fn greatness(archive: &Archive, rows: &[GreatnessRow]) -> ExportTable {
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

pub(super) fn strength(archive: &Archive, rows: &[StrengthRow]) -> ExportTable {
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

pub(super) fn players(archive: &Archive, rows: &[PlayerRow]) -> ExportTable {
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
