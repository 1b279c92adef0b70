//! The standings of an event: each player's result, ratings and figures.

use serde::Serialize;

use super::explain::LARGE_FIELD;
use super::moves;
use super::outcome::PlayerScore;
use super::{Link, Site, mark_of};
use crate::figures::{fixed, fixed_or_empty, margin, points};
use archive::{AllGamesFigures, EventRecord};
use tournament_app::{PlayerAnalysis, RatingOrigin};

#[derive(Debug, Serialize)]
pub(super) struct StandingRow {
    /// `2–4` if it is shared.
    place: String,
    /// The number of the line in the crosstable; a dash for a player who withdrew.
    label: String,
    withdrew: bool,
    /// Points from all games, for a player who withdrew.
    all_points: String,
    all_games: usize,
    player: Link,
    rating: String,
    origin: &'static str,
    found: String,
    points: String,
    score: PlayerScore,
    p_zero: String,
    z_score: String,
    performance: String,
    residual: String,
    /// The mark of a large residual: as a sign, and in words.
    sign: &'static str,
    mark: &'static str,
    /// Chessmetrics performance rating, for five or more games.
    chessmetrics: String,
    elo_after: String,
    pra_after: String,
    g: String,
    /// The anchor of the explanation of the G-score, if it is on the list.
    anchor: String,
    /// Standard errors.
    spread: String,
    performance_error: String,
    g_error: String,
    /// Quality of the moves (Elo), its interval, and whether few moves were analysed.
    moves: String,
    moves_interval: String,
    moves_weak: bool,
}

pub(super) fn standings(site: &Site, index: usize) -> Vec<StandingRow> {
    let archive = site.archive;
    let record = &archive.records[index];
    let chessmetrics = record.chessmetrics_performances();
    let players = record.analysis.players.iter().zip(&record.great).zip(chessmetrics);
    players
        .enumerate()
        .map(|(standing, ((player, great), chessmetrics))| {
            let (moves, moves_interval, moves_weak) = moves::at_event(site, index, player.index);
            let id = record.event.players[player.index];
            let link = Link::to_player(archive, id);
            let line = standing_row(record, standing, *great, link, &archive.players.get(id).id);
            let padded = chessmetrics.and_then(|performance| performance.padded);
            let chessmetrics = fixed_or_empty(padded, 0);
            StandingRow { chessmetrics, moves, moves_interval, moves_weak, ..line }
        })
        .collect()
}

fn standing_row(
    record: &EventRecord,
    standing: usize,
    great: Option<f64>,
    link: Link,
    id: &str,
) -> StandingRow {
    let player = &record.analysis.players[standing];
    let (sign, mark) = mark_of(player.spec);
    let withdrew = record.withdrew(standing);
    // For large fields, only the event's data has the errors.
    let is_large = record.event.players.len() >= LARGE_FIELD;
    let performance_error = player.simulated.performance_error.filter(|_| !is_large);
    let g_error = player.simulated.g_error.filter(|_| !is_large && (!withdrew || great.is_some()));
    StandingRow {
        place: shared_place(player),
        label: if withdrew { "–".into() } else { (standing + 1).to_string() },
        withdrew,
        all_points: points(player.played_points),
        all_games: player.games,
        rating: fixed_or_empty(player.initial_rating, 0),
        origin: match player.rating_origin {
            RatingOrigin::Given | RatingOrigin::Missing => "",
            RatingOrigin::Filled => "estimated",
            RatingOrigin::Corrected => "corrected",
            RatingOrigin::Decided => "decided",
        },
        found: player
            .rating_found
            .filter(|found| player.initial_rating != Some(*found))
            .map(|found| fixed(found, 0))
            .unwrap_or_default(),
        points: points(player.main_points),
        score: PlayerScore::new(record, standing),
        p_zero: fixed_or_empty(player.p_zero, 2),
        z_score: fixed_or_empty(player.z_score, 2),
        performance: fixed_or_empty(player.performance_rating, 0),
        residual: fixed_or_empty(player.residual, 0),
        sign,
        mark,
        chessmetrics: String::new(),
        elo_after: fixed_or_empty(player.elo_after, 2),
        pra_after: fixed_or_empty(player.pra_after, 2),
        g: fixed_or_empty(record.shown_g_score(standing), 2),
        anchor: match great {
            Some(_) => format!("g-{id}"),
            None => String::new(),
        },
        player: link,
        spread: player
            .simulated
            .p_zero_error
            .or(player.order_spread)
            .filter(|error| *error > 0.0)
            .map(margin)
            .unwrap_or_default(),
        performance_error: performance_error.map(margin).unwrap_or_default(),
        g_error: g_error.map(margin).unwrap_or_default(),
        moves: String::new(),
        moves_interval: String::new(),
        moves_weak: false,
    }
}

/// The place of a player in an event: `3`, `2–4` if it is shared, `2 to 9` if missing games leave
/// it open.
pub(super) fn shared_place(player: &PlayerAnalysis) -> String {
    match (player.rank, player.last_rank) {
        (first, last) if first == last => first.to_string(),
        (first, last) if player.is_place_open => format!("{first} to {last}"),
        (first, last) => format!("{first}–{last}"),
    }
}

/// The place of a player if it is not the number of the line in the standings, from 0; otherwise
/// empty.
pub(crate) fn place_beside_line(player: &PlayerAnalysis, standing: usize) -> String {
    let shown = shared_place(player);
    if shown == (standing + 1).to_string() { String::new() } else { shown }
}

/// Whether the games of players who withdrew count; empty if no player withdrew.
pub(super) fn withdrawal(record: &EventRecord) -> &'static str {
    let withdrawn = record.withdrawn();
    if withdrawn.is_empty() {
        ""
    } else if withdrawn.iter().any(|standing| record.analysis.players[*standing].games > 0) {
        "Games against a player who withdrew do not count in the standings. They were played, so they count \
         in P-Zero and in the figures that depend on it."
    } else {
        "Games against a player who withdrew do not count."
    }
}

/// The players with tie-breaks, by their G-score over all games.
pub(super) fn all_games(site: &Site, index: usize) -> Vec<impl Serialize> {
    let record = &site.archive.records[index];
    let players = record.analysis.players.iter().zip(&record.all_games);
    let mut found: Vec<(&PlayerAnalysis, AllGamesFigures)> = players
        .filter_map(|(player, figures)| Some((player, (*figures)?)))
        .filter(|(player, figures)| figures.games > player.games)
        .collect();
    found.sort_by(|(_, a), (_, b)| {
        let [a, b] = [a, b].map(|figures| figures.g_score.unwrap_or(f64::NEG_INFINITY));
        b.total_cmp(&a)
    });
    found
        .into_iter()
        .map(|(player, figures)| {
            view!(
                player = Link::to_player(site.archive, record.event.players[player.index]),
                points = points(figures.points),
                games = figures.games,
                p_zero = fixed(figures.p_zero, 2),
                g = fixed_or_empty(figures.g_score, 2)
            )
        })
        .collect()
}
