//! Finds the ratings that a list gave the players before each game, and their years of birth.

use rayon::prelude::*;

use chess_history::players::{PlayerId, Players};
use chess_history::ratings::{Histories, RatingHistory, RatingList};
use rating_systems::systems::Results;

/// The ratings (points) of White and Black on a list on the first day of each game's event; 0 is
/// none.
pub fn listed_ratings(results: &Results, players: &Players, list: &RatingList) -> Vec<[u16; 2]> {
    let histories = Histories::new(list);
    let of_player: Vec<Option<RatingHistory>> = results
        .players
        .par_iter()
        .map(|player| histories.player(players.get(PlayerId::of_index(player.id?))))
        .collect();
    let mut found = Vec::with_capacity(results.games.len());
    for (event, span) in results.events().zip(results.spans()) {
        for game in event {
            found.push([game.white, game.black].map(|player| {
                let history = of_player[player as usize].as_ref();
                let rating = history.and_then(|history| history.in_force(span.first));
                rating.map_or(0, |rating| rating.round() as u16)
            }));
        }
    }
    found
}

/// The year of birth of each player on the first list that states one.
pub fn listed_births(
    results: &Results,
    players: &Players,
    lists: &[RatingList],
) -> Vec<Option<i16>> {
    let histories: Vec<Histories> =
        lists.iter().filter(|list| list.has_births()).map(Histories::new).collect();
    if histories.is_empty() {
        return Vec::new();
    }
    results
        .players
        .par_iter()
        .map(|player| {
            let player = players.get(PlayerId::of_index(player.id?));
            histories.iter().find_map(|histories| histories.born(player))
        })
        .collect()
}
