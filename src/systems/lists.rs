//! What a rating system computes: lists by day, the same as those that others publish.

use jiff::civil::Date;

use super::results::Results;
use crate::ratings::RatingList;

/// A computed list.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputedList {
    /// The day from which it is in force.
    pub day: Date,
    /// The best first, those that are provisional behind the others.
    pub ratings: Vec<ListedRating>,
}

/// A line of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListedRating {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// Rating (points).
    pub rating: f64,
    /// Games that it rests on, weighted where the system weighs them.
    pub games: f64,
    /// Whether it rests on too few games to be more than a beginning.
    pub is_provisional: bool,
}

impl ComputedList {
    /// Of ratings in any order: the best first, of equals by number, those that are provisional behind the
    /// others.
    pub(super) fn of(day: Date, mut ratings: Vec<ListedRating>) -> ComputedList {
        ratings.sort_by(|a, b| {
            a.is_provisional
                .cmp(&b.is_provisional)
                .then(b.rating.total_cmp(&a.rating))
                .then(a.player.cmp(&b.player))
        });
        ComputedList { day, ratings }
    }
}

/// Computed lists as a rating list like any other, without what is provisional.
pub fn rating_list(name: &str, results: &Results, lists: &[ComputedList]) -> RatingList {
    let mut by_player: Vec<Vec<(Date, f64)>> = vec![Vec::new(); results.players.len()];
    for list in lists {
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            by_player[line.player as usize].push((list.day, line.rating));
        }
    }
    let mut list = RatingList::new(name);
    for (player, ratings) in results.players.iter().zip(by_player) {
        list.add_ratings(&player.name, player.fide_id, ratings);
    }
    list
}
