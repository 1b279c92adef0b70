//! The tables of all performances and all crosstables.

use std::collections::BTreeMap;

use crate::archive::record::EventRecord;
use crate::archive::run::Archive;
use crate::players::Player;
use crate::tables::{ExportTable, some};
use crate::tournament::PlayerAnalysis;

/// A row for each player of each event, in the order of the standings.
pub(super) fn performances(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<(&EventRecord, &PlayerAnalysis)> = records
        .iter()
        .flat_map(|record| record.analysis.players.iter().map(move |player| (record, player)))
        .collect();
    let player = |row: &(&EventRecord, &PlayerAnalysis)| -> &Player {
        archive.players.get(row.0.event.players[row.1.index])
    };
    ExportTable::of(&rows)
        .text("event_id", |(record, _)| some(&record.event.id))
        .text("player_id", |row| some(&player(row).id))
        .text("player", |(_, one)| some(&one.name))
        .whole("rank", |(_, one)| Some(one.rank))
        .number("points", |(_, one)| Some(one.points))
        .whole("games", |(_, one)| Some(one.games))
        .number("main_points", |(_, one)| Some(one.main_points))
        .whole("main_games", |(_, one)| Some(one.main_games))
        .number("play_off_points", |(_, one)| one.play_off_points)
        .number("rating", |(_, one)| one.initial_rating)
        .text("rating_origin", |(_, one)| some(one.rating_origin.word()))
        .number("rating_found", |(_, one)| one.rating_found)
        .number("p_zero", |(_, one)| one.p_zero)
        .number("z_score", |(_, one)| one.z_score)
        .number("performance_rating", |(_, one)| one.performance_rating)
        .number("performance_error", |(_, one)| one.performance_error)
        .number("residual", |(_, one)| one.residual)
        .number("elo_after", |(_, one)| one.elo_after)
        .number("pra_after", |(_, one)| one.pra_after)
        .number("resistance", |(_, one)| one.resistance)
        .number("stamina", |(_, one)| Some(one.stamina))
        .number("g_score", |(_, one)| one.g_score)
        .number("g_error", |(_, one)| one.g_error)
        .text("status", |(record, _)| some(record.status.word()))
        .finish()
}

/// A pair of players of an event, from the side of one of them.
struct Encounter<'a> {
    event: &'a str,
    player: &'a str,
    opponent: &'a str,
    /// Game points of the player.
    points: f64,
    /// Games, forfeits excluded.
    played: usize,
    /// Games, forfeits included.
    games: usize,
}

/// A row for each player and each of his opponents in each event.
pub(super) fn crosstables(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<Encounter> =
        records.iter().flat_map(|record| encounters(archive, record)).collect();
    ExportTable::of(&rows)
        .text("event_id", |row| some(row.event))
        .text("player_id", |row| some(row.player))
        .text("opponent_id", |row| some(row.opponent))
        .number("points", |row| Some(row.points))
        .whole("games", |row| Some(row.games))
        .whole("played", |row| Some(row.played))
        .finish()
}

/// The encounters of an event, by the players' places in its input.
fn encounters<'a>(archive: &'a Archive, record: &'a EventRecord) -> Vec<Encounter<'a>> {
    // By player and opponent: points, games played, all games.
    let mut pairs: BTreeMap<(usize, usize), (f64, usize, usize)> = BTreeMap::new();
    for game in &record.input.games {
        for (pair, points) in [
            ((game.white, game.black), game.white_score),
            ((game.black, game.white), 1.0 - game.white_score),
        ] {
            let (sum, played, games) = pairs.entry(pair).or_default();
            *sum += points;
            *played += usize::from(game.played);
            *games += 1;
        }
    }
    let id = |place: usize| archive.players.get(record.event.players[place]).id.as_str();
    let encounter = |((player, opponent), (points, played, games))| Encounter {
        event: &record.event.id,
        player: id(player),
        opponent: id(opponent),
        points,
        played,
        games,
    };
    pairs.into_iter().map(encounter).collect()
}
