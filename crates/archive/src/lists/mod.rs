//! Makes the ranked lists.

pub mod missing;
pub mod rank_ranges;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::lists::rank_ranges::{RankRange, SampledFigure, rank_ranges};
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::settings::ListSettings;
use chess_history::players::{PlayerId, Players};
use chess_history::ratings::{Histories, RatingHistory, RatingList};
use pgn_collections::games::{GameTable, Tempo};
use rating_systems::systems::FiveYearAverage;
use rating_systems::systems::elo::{CareerPoint, CareerYear};
use tournament_app::{GreatnessBand, Kind};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GreatnessRow {
    /// Rank on the list, from 1.
    pub rank: usize,
    /// Index of the event's record.
    pub event: usize,
    /// Place of the player in the analysis, from 0.
    pub standing: usize,
    pub player: PlayerId,
    pub g_score: f64,
    /// Its band; `None` where the settings admit scores below 100.
    pub band: Option<GreatnessBand>,
    pub range: RankRange,
}

/// A line of the list of strongest events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrengthRow {
    /// Rank on the list, from 1.
    pub rank: usize,
    /// Index of the event's record.
    pub event: usize,
    pub strength: f64,
    pub range: RankRange,
}

/// What the archive knows of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRow {
    pub player: PlayerId,
    /// Indices of the records of the player's events, earliest first, each with the place in the
    /// analysis.
    pub events: Vec<(usize, usize)>,
    /// The number of events, as pages and tables show it. A match that is part of another event
    /// does not count again.
    pub event_count: usize,
    pub games: usize,
    pub points: f64,
    /// First and last year.
    pub years: Option<(i16, i16)>,
    /// The highest G-score with the index of its event.
    pub best: Option<(f64, usize)>,
    /// That G-score, if it is on the Greatness List.
    pub great: Option<f64>,
    /// The player's ratings, list by list.
    pub histories: Vec<RatingHistory>,
    /// The player's half decades by historical Elo, next to the curve of ages.
    pub career: Vec<CareerPoint>,
    /// The performances of each year, if the date of birth is known.
    pub career_years: Vec<CareerYear>,
    /// The player's best five-year average by historical Elo.
    pub five_year_average: Option<FiveYearAverage>,
}

/// The lists of one tempo that is not ranked with the others.
#[derive(Clone, Debug, PartialEq)]
pub struct FasterLists {
    pub tempo: Tempo,
    /// Its performances, best first.
    pub greatness: Vec<GreatnessRow>,
    /// Its events, strongest first.
    pub strength: Vec<StrengthRow>,
}

/// The lists of each tempo that is not ranked with the others.
pub fn faster(records: &[EventRecord], settings: &ListSettings) -> Vec<FasterLists> {
    let others = Tempo::ALL.into_iter().filter(|tempo| !settings.tempo.contains(tempo));
    others
        .map(|tempo| FasterLists {
            tempo,
            greatness: greatness(records, Status::Faster, Some(tempo)),
            strength: strength(records, Status::Faster, |record| record.event.tempo == tempo),
        })
        .collect()
}

/// Incomplete events, the strongest first, then those with most games.
pub fn fragments(records: &[EventRecord]) -> Vec<usize> {
    let mut found: Vec<usize> = (0..records.len())
        .filter(|&event| {
            let status = records[event].status;
            matches!(status, Status::Incomplete | Status::Unrecognised | Status::Uncertain)
        })
        .collect();
    found.sort_by(|&a, &b| {
        let [strength_of_a, strength_of_b] =
            [a, b].map(|event| records[event].analysis.strength.unwrap_or(f64::NEG_INFINITY));
        let [games_of_a, games_of_b] = [a, b].map(|event| records[event].event.games.len());
        (strength_of_b.total_cmp(&strength_of_a)).then(games_of_b.cmp(&games_of_a)).then(a.cmp(&b))
    });
    found
}

/// All performances of events with this status (and tempo) that enter a list, best first.
pub fn greatness(
    records: &[EventRecord],
    status: Status,
    tempo: Option<Tempo>,
) -> Vec<GreatnessRow> {
    let mut rows = Vec::new();
    let mut others: Vec<SampledFigure> = Vec::new();
    for (event, record) in records.iter().enumerate() {
        if record.performances != status
            || record.event.ranked_elsewhere
            || tempo.is_some_and(|tempo| record.event.tempo != tempo)
        {
            continue;
        }
        for (standing, player) in record.analysis.players.iter().enumerate() {
            let Some(g_score) = record.great[standing] else {
                // Only players who may enter the list have simulated G-scores.
                others.extend(
                    player
                        .g_score
                        .filter(|_| !player.simulated.g_draws.is_empty())
                        .map(|g_score| (g_score, player.simulated.g_draws.as_slice())),
                );
                continue;
            };
            rows.push(GreatnessRow {
                rank: 0,
                event,
                standing,
                player: record.event.players[player.index],
                g_score,
                band: GreatnessBand::from_g_score(g_score),
                range: RankRange::default(),
            });
        }
    }
    rows.sort_by(|a, b| {
        b.g_score.total_cmp(&a.g_score).then((a.event, a.standing).cmp(&(b.event, b.standing)))
    });
    let figures: Vec<SampledFigure> = rows
        .iter()
        .map(|row| {
            let player = &records[row.event].analysis.players[row.standing];
            (row.g_score, player.simulated.g_draws.as_slice())
        })
        .collect();
    let ranges = rank_ranges(&figures, &others);
    for ((index, row), range) in rows.iter_mut().enumerate().zip(ranges) {
        (row.rank, row.range) = (index + 1, range);
    }
    rows
}

/// All events with this status that are `wanted`, strongest first.
///
/// No game is ranked twice: a match gives way to its knock-out, a stage to its event, and a cycle
/// to its matches. A short match of a knock-out is not ranked without it.
pub fn strength(
    records: &[EventRecord],
    status: Status,
    wanted: impl Fn(&EventRecord) -> bool,
) -> Vec<StrengthRow> {
    let others = not_ranked_alone(records, status);
    let mut rows: Vec<StrengthRow> = records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.status == status && wanted(record))
        .filter(|(_, record)| !others.contains(record.event.id.as_str()))
        .filter_map(|(event, record)| {
            let (strength, range) = (record.analysis.strength?, RankRange::default());
            Some(StrengthRow { rank: 0, event, strength, range })
        })
        .collect();
    rows.sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.event.cmp(&b.event)));
    let figures: Vec<SampledFigure> = rows
        .iter()
        .map(|row| (row.strength, records[row.event].analysis.strength_draws.as_slice()))
        .collect();
    let ranges = rank_ranges(&figures, &[]);
    for ((index, row), range) in rows.iter_mut().enumerate().zip(ranges) {
        (row.rank, row.range) = (index + 1, range);
    }
    rows
}

/// The fewest games played in a match of a knock-out that is ranked alone where the knock-out as a
/// whole is not.
///
/// Judged: matches of candidates have six games or more, those of world cups two or four, also with
/// a rapid game or two that no tag tells apart. With four, the matches of world cups would stand
/// alone; with eight, those of the candidates of 2007 would not.
const FEWEST_GAMES_ALONE: usize = 6;

/// The ids of the events that are no rows of a list of this status: their games are ranked with
/// another event, or they are short matches of a knock-out that is not ranked.
fn not_ranked_alone(records: &[EventRecord], status: Status) -> FxHashSet<&str> {
    let listed: Vec<&EventRecord> =
        records.iter().filter(|record| record.status == status).collect();
    let ids: FxHashSet<&str> = listed.iter().map(|record| record.event.id.as_str()).collect();
    listed
        .into_iter()
        .filter_map(|record| {
            let whole = record.event.part_of.as_deref()?;
            // A match of a knock-out is ranked elsewhere; a match of a cycle is not.
            match (record.event.ranked_elsewhere, ids.contains(whole)) {
                (true, is_ranked) if is_ranked || !stands_alone(record) => {
                    Some(record.event.id.as_str())
                }
                (false, true) => Some(whole),
                _ => None,
            }
        })
        .collect()
}

/// Returns whether a part of an event that is not ranked is an event that history knows.
fn stands_alone(record: &EventRecord) -> bool {
    record.event.kind != Kind::Match
        || record.event.known.is_some()
        || record.eligibility.listed == Some(true)
        || record.event.games.len() >= FEWEST_GAMES_ALONE
}

/// All players of events, in the order of their ids.
pub fn players(
    records: &[EventRecord],
    table: &GameTable,
    players: &Players,
    lists: &[&RatingList],
    settings: &ListSettings,
) -> Vec<PlayerRow> {
    let mut rows: Vec<PlayerRow> = players
        .iter()
        .map(|(player, _)| PlayerRow {
            player,
            events: Vec::new(),
            event_count: 0,
            games: 0,
            points: 0.0,
            years: None,
            best: None,
            great: None,
            histories: Vec::new(),
            career: Vec::new(),
            career_years: Vec::new(),
            five_year_average: None,
        })
        .collect();
    for (index, record) in records.iter().enumerate() {
        for (standing, analysed) in record.analysis.players.iter().enumerate() {
            let row = &mut rows[record.event.players[analysed.index].index()];
            row.events.push((index, standing));
            // The games of a match in a cycle are already counted in the cycle.
            if record.event.part_of.is_none() {
                row.event_count += 1;
                row.games += analysed.games;
                row.points += analysed.played_points;
            }
            // Weak ratings and incomplete events make no best performance.
            let is_ranked = record.unranked(standing, settings).is_empty();
            let g_score = analysed.g_score.filter(|_| is_ranked);
            if let Some(g_score) = g_score
                && row.best.is_none_or(|(best, _)| g_score > best)
            {
                row.best = Some((g_score, index));
                row.great = record.great[standing];
            }
        }
        for game in &record.event.games {
            let Some(year) = table.games()[game.row].date.year() else { continue };
            for player in [game.white, game.black] {
                let row = &mut rows[record.event.players[player].index()];
                row.years = Some(
                    row.years
                        .map_or((year, year), |(first, last)| (first.min(year), last.max(year))),
                );
            }
        }
    }
    rows.retain(|row| !row.events.is_empty());
    for list in lists {
        let histories = Histories::new(list);
        rows.par_iter_mut().for_each(|row| {
            row.histories.extend(histories.player(players.get(row.player)));
        });
    }
    rows
}
