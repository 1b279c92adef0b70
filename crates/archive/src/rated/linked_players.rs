//! Finds the players whose computed ratings are linked to published ratings by games.
//!
//! Ratings that are computed from games have no level of their own. A club whose members only play
//! each other gets the level of the world's best, whatever its strength.

use rating_systems::systems::Results;
use rating_systems::systems::simultaneous::Encounters;

/// The number of games against players with published ratings that determine the level of a pool.
///
/// The error of a performance in n games is 282 points divided by the square root of n (Elo 2.55:
/// 89 points in ten games). With 32 games it is below 50 points.
const LINKS: usize = 32;

/// The number of such games with which a player is linked without the rest of the pool.
///
/// Taken from `established_from`: with as many games a player can be compared with others. Here all
/// of them are against players whose level is known.
const OWN_LINKS: usize = 10;

/// Returns for each player whether the level of the rating is known: the player has a published
/// rating, has enough games against players who have one, or belongs to a pool that has.
///
/// A pool is the players without published ratings who are connected by games against each other.
/// `published` are the ratings of White and Black before each game, from each source of published
/// ratings; 0 is none. If no player has a published rating, the computed ratings are the only level
/// there is, and all players are linked.
pub fn linked_players(results: &Results, published: &[&[[u16; 2]]]) -> Vec<bool> {
    let count = results.players.len();
    let mut is_published = vec![false; count];
    for ratings in published {
        for (game, [white, black]) in results.games.iter().zip(*ratings) {
            is_published[game.white as usize] |= *white > 0;
            is_published[game.black as usize] |= *black > 0;
        }
    }
    for anchor in &results.anchors {
        is_published[anchor.player as usize] = true;
    }
    if !is_published.contains(&true) {
        return vec![true; count];
    }
    let mut links = vec![0; count];
    let mut within_pools: Vec<(u32, u32, f64, f64)> = Vec::new();
    for game in &results.games {
        let (white, black) = (game.white as usize, game.black as usize);
        match (is_published[white], is_published[black]) {
            (false, false) => within_pools.push((game.white, game.black, game.score, 1.0)),
            (true, false) => links[black] += 1,
            (false, true) => links[white] += 1,
            (true, true) => {}
        }
    }
    let mut is_linked = is_published;
    for pool in Encounters::new(count, &within_pools).components() {
        let of_pool: usize = pool.iter().map(|player| links[*player as usize]).sum();
        for player in pool {
            let player = player as usize;
            is_linked[player] |= of_pool >= LINKS || links[player] >= OWN_LINKS;
        }
    }
    is_linked
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use rating_systems::systems::{RatedGame, RatedPlayer};

    /// Which of four players are linked. 0 and 1 play each other, and 0 plays `links` games against
    /// 2, who has this published rating; 3 plays no one.
    fn linked(links: usize, published: u16) -> Vec<bool> {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 4], ..Results::default() };
        let day = date(1994, 3, 1);
        results.games.push(RatedGame::new(0, 1, 1.0, day, 0));
        let mut tags = vec![[0, 0]];
        for _ in 0..links {
            results.games.push(RatedGame::new(2, 0, 0.5, day, 0));
            tags.push([published, 0]);
        }
        linked_players(&results, &[&tags])
    }

    #[test]
    fn a_pool_needs_games_against_players_with_published_ratings() {
        assert_eq!(linked(32, 2500), [true, true, true, false]);
        assert_eq!(linked(9, 2500), [false, false, true, false]);
    }

    #[test]
    fn a_player_with_enough_such_games_is_linked_without_the_rest_of_the_pool() {
        assert_eq!(linked(10, 2500), [true, false, true, false]);
        assert_eq!(linked(31, 2500), [true, false, true, false]);
    }

    #[test]
    fn without_published_ratings_there_is_no_level_to_be_linked_to() {
        assert_eq!(linked(9, 0), [true; 4]);
    }
}
