//! Converts computed lists to rating lists like those that others publish.

use std::sync::Arc;

use jiff::civil::Date;

use crate::ratings::{ListNames, RatingList};
use crate::systems::{About, ComputedList, Results, Role, established_from};

/// The names of the players of results, shared by all lists made from them.
pub fn list_names(results: &Results) -> Arc<ListNames> {
    let mut names = ListNames::default();
    for player in &results.players {
        names.number_of(&player.name, player.fide_id);
    }
    Arc::new(names)
}

/// Makes a rating list from computed lists. It leaves out provisional ratings, and players who have
/// too few games, or too many against the same opponent, to be compared with others.
pub fn rating_list(
    about: About,
    results: &Results,
    names: &Arc<ListNames>,
    lists: &[ComputedList],
) -> RatingList {
    let mut known = established_from(results);
    if about.knows_later_games {
        for day in known.iter_mut().flatten() {
            *day = Date::MIN;
        }
    }
    let mut rated = RatingList::with_names(about.list_name, names);
    rated.of_events = about.role == Role::Events;
    rated.led_by = about.led_by.map(str::to_owned);
    if rated.of_events {
        for list in lists {
            rated.begin_event(list.day);
            for line in list.ratings.iter().filter(|line| !line.is_provisional) {
                if known[line.player as usize].is_some() {
                    let player = &results.players[line.player as usize];
                    let rating = [(list.day, line.rating, line.deviation)];
                    rated.add_ratings(&player.name, player.fide_id, rating);
                }
            }
        }
        return rated;
    }
    let mut by_player: Vec<Vec<(Date, f64, Option<f64>)>> = vec![Vec::new(); results.players.len()];
    for list in lists {
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            if known[line.player as usize].is_some_and(|day| day <= list.day) {
                by_player[line.player as usize].push((list.day, line.rating, line.deviation));
            }
        }
    }
    for (player, ratings) in results.players.iter().zip(by_player) {
        rated.add_ratings(&player.name, player.fide_id, ratings);
    }
    rated
}
