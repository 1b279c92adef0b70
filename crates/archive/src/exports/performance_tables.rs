//! The tables of all performances and all crosstables.

use std::collections::BTreeMap;

use crate::exports::cell_values::player_of;
use crate::exports::event_tables::StatusWords;
use crate::record::EventRecord;
use crate::run::Archive;
use tables::{ExportTable, some};
use tournament_app::PlayerAnalysis;

/// A row for each player of each event, in the order of the standings.
pub(super) fn performances(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<Performance<'_>> = records
        .iter()
        .flat_map(|record| {
            let games = games_by_player(record);
            let players = record.analysis.players.iter().enumerate();
            players.map(move |(standing, player)| {
                let why_not = record.unranked(standing, &archive.settings.lists);
                (record, player, why_not, games[player.index])
            })
        })
        .collect();
    let statuses = StatusWords::new(archive);
    ExportTable::from_rows(&rows)
        .text("event_id", |(record, ..)| some(&record.event.id))
        .text("player_id", |(record, one, ..)| some(&player_of(archive, record, one.index).id))
        .text("player", |(_, one, ..)| some(&one.name))
        .whole("rank", |(_, one, ..)| Some(one.rank))
        .number("points", |(_, one, ..)| Some(one.points))
        .whole("games", |(_, one, ..)| Some(one.games))
        .number("main_points", |(_, one, ..)| Some(one.main_points))
        .whole("main_games", |(_, one, ..)| Some(one.main_games))
        .number("play_off_points", |(_, one, ..)| one.play_off_points)
        .number("rating", |(_, one, ..)| one.initial_rating)
        .text("rating_origin", |(_, one, ..)| some(one.rating_origin.word()))
        .number("rating_found", |(_, one, ..)| one.rating_found)
        .number("p_zero", |(_, one, ..)| one.p_zero)
        .number("z_score", |(_, one, ..)| one.z_score)
        .number("performance_rating", |(_, one, ..)| one.performance_rating)
        .number("performance_error", |(_, one, ..)| one.simulated.performance_error)
        .number("residual", |(_, one, ..)| one.residual)
        .number("elo_after", |(_, one, ..)| one.elo_after)
        .number("pra_after", |(_, one, ..)| one.pra_after)
        .number("resistance", |(_, one, ..)| one.resistance)
        .number("stamina", |(_, one, ..)| Some(one.stamina))
        .number("g_score", |(_, one, ..)| one.g_score)
        .number("g_error", |(_, one, ..)| one.simulated.g_error)
        .text("status", |(record, ..)| some(statuses.word(record)))
        .flag("ranked", |(_, _, why_not, _)| Some(why_not.is_empty()))
        .text("why_not_ranked", |(_, _, why_not, _)| some(*why_not))
        .text("part_of", |(record, ..)| record.event.part_of.clone())
        .number("played_points", |(_, one, ..)| Some(one.played_points))
        .whole("all_games", |(.., games)| Some(*games))
        .whole("last_rank", |(_, one, ..)| Some(one.last_rank))
        .whole("points_rank", |(_, one, ..)| Some(one.points_rank))
        .flag("place_is_open", |(_, one, ..)| Some(one.is_place_open))
        .finish()
}

/// An event, a player of it, why the performance can enter no ranked list (empty if it can), and
/// the number of games.
type Performance<'a> = (&'a EventRecord, &'a PlayerAnalysis, &'static str, usize);

/// The number of games of each player of an event, by index.
fn games_by_player(record: &EventRecord) -> Vec<usize> {
    let mut games = vec![0; record.input.players.len()];
    for game in &record.input.games {
        games[game.white] += 1;
        games[game.black] += 1;
    }
    games
}

/// A pair of players of an event, from the side of one of them.
struct Encounter<'a> {
    event: &'a str,
    /// The event that has the same games, if any.
    part_of: Option<&'a str>,
    player: &'a str,
    opponent: &'a str,
    /// Game points of the player.
    points: f64,
    /// Games, forfeits excluded.
    played: usize,
    /// Games, forfeits included.
    games: usize,
}

/// A row for each player and each of their opponents in each event.
pub(super) fn crosstables(archive: &Archive, records: &[EventRecord]) -> ExportTable {
    let rows: Vec<Encounter> =
        records.iter().flat_map(|record| encounters(archive, record)).collect();
    ExportTable::from_rows(&rows)
        .text("event_id", |row| some(row.event))
        .text("player_id", |row| some(row.player))
        .text("opponent_id", |row| some(row.opponent))
        .number("points", |row| Some(row.points))
        .whole("games", |row| Some(row.games))
        .whole("played", |row| Some(row.played))
        .text("part_of", |row| row.part_of.map(str::to_owned))
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
    pairs
        .into_iter()
        .map(|((player, opponent), (points, played, games))| Encounter {
            event: &record.event.id,
            part_of: record.event.part_of.as_deref(),
            player: &player_of(archive, record, player).id,
            opponent: &player_of(archive, record, opponent).id,
            points,
            played,
            games,
        })
        .collect()
}
