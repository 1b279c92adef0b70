//! Computes what the players of a knock-out reached with the rapid and blitz games of its
//! tie-breaks.
//!
//! These games are set aside, because only classical games count. The PRA paper counts them: its
//! G-scores of the World Cup 2013 are those of all games.

use jiff::civil::Date;
use rayon::prelude::*;

use crate::inputs::selected::Selected;
use crate::record::AnalysedEvent;
use crate::record::all_games::AllGamesFigures;
use chess_history::events::{FasterGame, tie_breaks};
use pgn_collections::games::Round;
use tournament_app::{EventPart, Options, Policy, analyse};

/// Computes the figures of all knock-outs of which tie-breaks are known, by event; empty for other
/// events. `faster` holds the games that were set aside as faster than their events.
pub fn figures_with_tie_breaks(
    records: &[AnalysedEvent],
    faster: &[FasterGame],
    games: &Selected,
) -> Vec<Vec<Option<AllGamesFigures>>> {
    if faster.is_empty() {
        return vec![Vec::new(); records.len()];
    }
    records
        .par_iter()
        .map(|record| {
            let rows = tie_breaks(&record.event, faster, &games.table, &games.players);
            if rows.is_empty() { Vec::new() } else { figures(record, &rows, games) }
        })
        .collect()
}

/// The figures of every player, parallel to the analysis. A player without a tie-break has them
/// too, because the P-Zeros of the opponents count theirs.
fn figures(
    record: &AnalysedEvent,
    rows: &[usize],
    games: &Selected,
) -> Vec<Option<AllGamesFigures>> {
    let Some(input) = event_with_tie_breaks(record, rows, games) else { return Vec::new() };
    // The ratings are settled already. The knock-out keeps them.
    let options = Options {
        policy: Policy::Keep,
        knock_out_policy: Policy::Keep,
        order_spread: false,
        ..record.options
    };
    let Ok(analysis) = analyse(&input, &options) else { return Vec::new() };
    let of_players = record.analysis.players.iter().map(|player| {
        let all = analysis.players.iter().find(|all| all.index == player.index)?;
        let figures = AllGamesFigures {
            games: all.games,
            points: all.points,
            p_zero: all.p_zero?,
            g_score: all.g_score,
        };
        Some(figures)
    });
    of_players.collect()
}

/// The event with its tie-breaks at their places in the order of play, and the ratings that its
/// analysis used.
fn event_with_tie_breaks(
    record: &AnalysedEvent,
    rows: &[usize],
    games: &Selected,
) -> Option<tournament_app::Event> {
    let event = &record.event;
    let mut input = record.input.clone();
    for player in &record.analysis.players {
        input.players[player.index].initial_rating = player.initial_rating;
    }
    let table = games.table.games();
    let when = |row: usize| (table[row].date.day_exact(), table[row].round, row);
    let analysed = event.games.iter().filter(|game| game.analysed);
    let known = analysed.filter(|game| table[game.row].result.white_score().is_some());
    type When = (Option<Date>, Round, usize);
    let mut all: Vec<(When, tournament_app::Game)> =
        known.map(|game| when(game.row)).zip(input.games.iter().copied()).collect();
    if all.len() != input.games.len() {
        return None;
    }
    for &row in rows {
        let game = &table[row];
        let [white, black] = [game.white, game.black].map(|name| {
            let person = games.players.of_name(name)?;
            event.players.iter().position(|player| *player == person)
        });
        let (white, black) = white.zip(black)?;
        let Some(score) = game.result.white_score() else { continue };
        let tie_break = tournament_app::Game::new(white, black, score);
        all.push((when(row), tournament_app::Game { part: EventPart::PlayOff, ..tie_break }));
    }
    all.sort_by_key(|(when, _)| *when);
    input.games = (0..)
        .zip(all)
        .map(|(place, (_, game))| tournament_app::Game { sequence: Some(place), ..game })
        .collect();
    Some(input)
}
