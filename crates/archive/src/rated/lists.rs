//! Converts computed lists to rating lists like those that others publish.

use std::sync::Arc;

use jiff::civil::Date;

use chess_history::ratings::{ListNames, RatingList};
use rating_systems::systems::{About, ComputedList, Results, Role, established_from};

/// What all lists made from the same results share.
#[derive(Clone, Debug)]
pub struct ListedPlayers {
    names: Arc<ListNames>,
    /// The day from which each player can be compared with others; see [`established_from`].
    established: Vec<Option<Date>>,
}

impl ListedPlayers {
    /// The players of these results.
    pub fn new(results: &Results) -> ListedPlayers {
        let mut names = ListNames::default();
        for player in &results.players {
            names.number_of(&player.name, player.fide_id);
        }
        ListedPlayers { names: Arc::new(names), established: established_from(results) }
    }

    /// Leaves out the players whose ratings have no known level; see [`linked_players`].
    ///
    /// [`linked_players`]: super::linked_players
    pub fn keep_linked(&mut self, is_linked: &[bool]) {
        for (established, is_linked) in self.established.iter_mut().zip(is_linked) {
            if !is_linked {
                *established = None;
            }
        }
    }
}

/// Makes a rating list from computed lists. It leaves out provisional ratings, and players who have
/// too few games, or too many against the same opponent, to be compared with others.
pub fn rating_list(
    about: About,
    results: &Results,
    players: &ListedPlayers,
    lists: &[ComputedList],
) -> RatingList {
    let ListedPlayers { names, established } = players;
    let mut rated = RatingList::with_names(about.list_name, names);
    rated.is_computed = true;
    rated.of_events = about.role == Role::Events;
    rated.led_by = about.led_by.map(str::to_owned);
    if rated.of_events {
        for list in lists {
            rated.begin_event(list.day);
            for line in list.ratings.iter().filter(|line| !line.is_provisional) {
                if established[line.player as usize].is_some() {
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
            let is_established = established[line.player as usize]
                .is_some_and(|from| about.knows_later_games || from <= list.day);
            if is_established {
                by_player[line.player as usize].push((list.day, line.rating, line.deviation));
            }
        }
    }
    for (player, ratings) in results.players.iter().zip(by_player) {
        rated.add_ratings(&player.name, player.fide_id, ratings);
    }
    rated
}
