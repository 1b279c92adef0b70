//! Explains the G-scores of an event, down to the games.

use serde::Serialize;

use super::certainty::of_performance;
use super::{Link, Site};
use crate::figures::{fixed, fixed_or_empty, points};
use archive::EventRecord;
use tournament_app::basic_system::{Gain, p_zero_gains};
use tournament_app::greatness::resistance;
use tournament_app::{GreatnessBand, PlayerAnalysis};

/// Performances of one event that are explained game by game. For the others, the page shows the
/// factors only. Large fields, whose pages are long already, have fewer. Judged: an explanation is
/// a table of all games of a player, and few events have more performances on the Greatness List.
const TO_THE_GAMES: usize = 10;
const OF_LARGE_FIELDS: usize = 7;

/// The number of players from which a field is large. Judged: its page has hundreds of rows
/// without the further columns.
pub(super) const LARGE_FIELD: usize = 100;

/// The performances that are on the Greatness List, best first.
pub(super) fn performances(site: &Site, index: usize) -> Vec<impl Serialize> {
    let record = &site.archive.records[index];
    let analysis = &record.analysis;
    let mut great: Vec<(f64, usize)> = (0..)
        .zip(&record.great)
        .filter_map(|(standing, great)| Some(((*great)?, standing)))
        .collect();
    if great.is_empty() {
        return Vec::new();
    }
    let to_the_games = match analysis.players.len() {
        LARGE_FIELD.. => OF_LARGE_FIELDS,
        _ => TO_THE_GAMES,
    };
    great.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let gains = p_zero_gains(record.input.players.len(), record.input.played());
    // By the player's number in the event.
    let mut by_player: Vec<Option<&PlayerAnalysis>> = vec![None; record.event.players.len()];
    for player in &analysis.players {
        by_player[player.index] = Some(player);
    }
    great
        .into_iter()
        .enumerate()
        .map(|(place, (g_score, standing))| {
            let player = &analysis.players[standing];
            let id = record.event.players[player.index];
            let band = GreatnessBand::from_g_score(g_score);
            let p_zero = player.p_zero.expect("a G-score has a P-Zero");
            view!(
                player = Link::to_player(site.archive, id),
                // The anchor that the lists link to.
                anchor = format!("g-{}", site.archive.players.get(id).id),
                rank = site.greatness_rank.get(&(index, standing)).copied(),
                // Why it is not ranked; empty if it is.
                unranked = record.unranked(standing, &site.archive.settings.lists),
                g = fixed(g_score, 2),
                band = band.map_or("", GreatnessBand::name),
                band_number = band.map_or(0, |band| band as usize + 1),
                p_zero = fixed(p_zero, 2),
                games = player.games,
                per_game = fixed(p_zero / player.games as f64, 4),
                resistance = fixed_or_empty(player.resistance, 4),
                stamina = fixed(player.stamina, 2),
                // Its standard error and the range of its rank, in words.
                certainty = of_performance(player, site.range_of(index, standing)),
                par = if place < to_the_games { par(site, index, standing, g_score) } else { None },
                rows = if place < to_the_games {
                    rows(record, &gains, &by_player, player.index)
                } else {
                    Vec::new()
                }
            )
        })
        .collect()
}

/// The difference (G-score) within which performances are on a par. Source: Berard, the PRA paper.
const PAR: f64 = 10.0;

/// The other performances on a par with a ranked one or above it, and the filter of the list that
/// shows them. `None` for a performance that is not ranked.
fn par(site: &Site, event: usize, standing: usize, g_score: f64) -> Option<impl Serialize> {
    let rank = *site.greatness_rank.get(&(event, standing))?;
    let greatness = &site.archive.lists.greatness;
    let least = g_score - PAR;
    let others = greatness.partition_point(|row| row.g_score >= least).saturating_sub(1);
    Some(view!(above = rank - 1, others, least = fixed(least.max(0.0), 2)))
}

fn rows(
    record: &EventRecord,
    gains: &[Gain],
    by_player: &[Option<&PlayerAnalysis>],
    player: usize,
) -> Vec<impl Serialize + use<>> {
    let number_two = record.analysis.number_two;
    let games = record.input.played().zip(gains);
    games
        .filter(|(game, _)| game.white == player || game.black == player)
        .zip(1..)
        .map(|((game, gain), number)| {
            let is_white = game.white == player;
            let opponent = by_player[if is_white { game.black } else { game.white }];
            let rating = opponent.and_then(|opponent| opponent.initial_rating);
            let (mine, theirs, expected, score, won) = if is_white {
                (gain.white_before, gain.black_before, gain.expected, game.white_score, gain.gain)
            } else {
                (
                    gain.black_before,
                    gain.white_before,
                    1.0 - gain.expected,
                    1.0 - game.white_score,
                    -gain.gain,
                )
            };
            let resists = rating.zip(number_two).map(|(rating, two)| resistance(rating, two));
            view!(
                number,
                colour = if is_white { "w" } else { "b" },
                opponent = opponent.map(|opponent| opponent.name.clone()).unwrap_or_default(),
                rating = fixed_or_empty(rating, 0),
                resists = fixed_or_empty(resists, 4),
                score = points(score),
                mine = fixed(mine, 2),
                theirs = fixed(theirs, 2),
                expected = fixed(expected, 4),
                gain = fixed(won, 3)
            )
        })
        .collect()
}
