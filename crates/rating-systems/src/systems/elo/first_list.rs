//! The list with which FIDE's ratings began: the cross table of the most active players of some
//! years, solved by successive approximations.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.4,
//! 4.25: 208 players of 1966 to 1968, equal at the start, with acceptable results after eight
//! approximations.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use super::formulas::Expectancy;
use super::successive::approximate;
use crate::systems::mean::mean;
use crate::systems::results::Results;
use crate::systems::simultaneous::Encounters;

/// The players of a cross table, with their ratings after some approximations.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstList {
    /// Number of the player in [`Results::players`], rating (points) and games with the others, the
    /// best first.
    pub players: Vec<(u32, f64, usize)>,
    /// Number of games between these players.
    pub games: usize,
    /// The largest change (points) of a rating by each approximation.
    pub changes: Vec<f64>,
}

/// Rates the `most_active` players of these years from equal ratings of `start` points, by `steps`
/// approximations that keep the mean. Players without a game against another of them are left out.
pub fn first_list(
    results: &Results,
    years: RangeInclusive<i16>,
    most_active: usize,
    start: f64,
    steps: usize,
) -> FirstList {
    let games: Vec<(u32, u32, f64)> = results
        .games
        .iter()
        .filter(|game| years.contains(&game.day.year()))
        .map(|game| (game.white, game.black, game.score))
        .collect();
    let chosen = most_active_of(&games, most_active);
    let among: Vec<(u32, u32, f64)> = games
        .into_iter()
        .filter(|(white, black, _)| chosen.contains_key(white) && chosen.contains_key(black))
        .collect();
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    for player in among.iter().flat_map(|(white, black, _)| [white, black]) {
        *counts.entry(*player).or_default() += 1;
    }
    let mut members: Vec<u32> = counts.keys().copied().collect();
    members.sort_unstable();
    let place: FxHashMap<u32, u32> = members.iter().copied().zip(0..).collect();
    let numbered: Vec<(u32, u32, f64, f64)> = among
        .iter()
        .map(|(white, black, score)| (place[white], place[black], *score, 1.0))
        .collect();
    let encounters = Encounters::new(members.len(), &numbered);
    let mut ratings = vec![start; members.len()];
    let mut changes = Vec::with_capacity(steps);
    for _ in 0..steps {
        let mut next = approximate(&encounters, Expectancy::Normal, &ratings);
        let shift = start - mean(&next);
        next.iter_mut().for_each(|rating| *rating += shift);
        let pairs = next.iter().zip(&ratings);
        changes.push(pairs.map(|(next, rating)| (next - rating).abs()).fold(0.0, f64::max));
        ratings = next;
    }
    let mut players: Vec<(u32, f64, usize)> = members
        .iter()
        .zip(ratings)
        .map(|(player, rating)| (*player, rating, counts[player]))
        .collect();
    players.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    FirstList { players, games: among.len(), changes }
}

/// The players with the most games, with their numbers of games.
fn most_active_of(games: &[(u32, u32, f64)], number: usize) -> FxHashMap<u32, usize> {
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    for player in games.iter().flat_map(|(white, black, _)| [white, black]) {
        *counts.entry(*player).or_default() += 1;
    }
    let mut active: Vec<(u32, usize)> = counts.into_iter().collect();
    active.sort_by_key(|(player, games)| (std::cmp::Reverse(*games), *player));
    active.truncate(number);
    active.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::results::RatedGame;
    use jiff::civil::date;

    #[test]
    fn the_most_active_players_are_rated_by_their_games_with_each_other() {
        let mut results = Results::default();
        for round in 0..20 {
            let year = if round < 16 { 1967 } else { 1970 };
            let day = date(year, 1, 1);
            // 0 scores three quarters against 1, and both half against 2.
            let score = if round % 2 == 0 { 1.0 } else { 0.5 };
            results.games.push(RatedGame::new(0, 1, score, day, round));
            results.games.push(RatedGame::new(0, 2, 0.5, day, round));
            results.games.push(RatedGame::new(2, 1, 0.5, day, round));
        }
        // Player 3 has a single game.
        results.games.push(RatedGame::new(3, 0, 1.0, date(1966, 1, 1), 99));
        let found = first_list(&results, 1966..=1968, 3, 2500.0, 60);
        assert_eq!((found.games, found.players.len()), (48, 3));
        let ratings: Vec<f64> = found.players.iter().map(|(_, rating, _)| *rating).collect();
        assert!((ratings.iter().sum::<f64>() - 7500.0).abs() < 1e-6, "{ratings:?}");
        assert_eq!(found.players[0].0, 0);
        assert!((ratings[0] + ratings[2] - 5000.0).abs() < 1e-6, "{ratings:?}");
        // Each approximation changes less than the one before.
        assert!(found.changes.is_sorted_by(|a, b| a >= b), "{:?}", found.changes);
        assert!(found.changes[59] < 1e-6);
    }
}
