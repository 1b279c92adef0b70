//! Dominance over a window of years: Copeland scores, which rank players without measuring
//! strength.

use jiff::civil::date;

use super::lists::{FEWEST, Windowed, map_windows, notes, players_with_games};
use super::ordinal_rounds::Quantiles;
use crate::systems::about::{About, Role};
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::running::Running;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};
use crate::tournament::pairing::{dominances, places_by_dominance};

parameters! {
    /// Parameters of ordinal ratings.
    Ordinal {
        /// Calendar years whose games a list uses.
        years: u32 = 5, 1..=100;
        /// Minimum number of a listed player's games in these years.
        games: u32 = 5, 1..=1000;
    }
}

impl Registered for Ordinal {
    const ABOUT: About = About {
        word: "ordinal",
        name: "Dominance",
        list_name: "Computed dominance",
        summary: "dominated opponents in a few years (Copeland): those from whom a player took more than half of the points; an order, not a source of ratings",
        role: Role::Order,
        ..About::PLAIN
    };
}

impl RatingSystem for Ordinal {
    /// A placeholder, used until a curve is fitted: the system does not define one.
    fn expected(&self, difference: f64) -> f64 {
        (0.5 + difference / 200.0).clamp(0.01, 0.99)
    }

    fn has_curve(&self) -> bool {
        false
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(Quantiles::new(start)))
    }

    fn explained(&self) -> String {
        format!(
            "in the games of {} years, the number of opponents from whom a player took more than half of the points, minus the number of \
             those who took more than half from the player. Lists show the percentage of all possible opponents that a player \
             dominates; opponents never met count as half. In a large pool this mostly shows who met many opponents.",
            self.years
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let found = map_windows(results, self.years, &|of| list(of, f64::from(self.games)));
        let outside: usize = found.iter().map(|(_, (.., outside))| outside).sum();
        let few = found
            .iter()
            .filter(|(_, (lines, ..))| !lines.is_empty() && lines.len() < FEWEST)
            .count();
        let lists = found.into_iter().filter(|(_, (lines, ..))| lines.len() >= FEWEST);
        let lists = lists.map(|(year, (lines, places, _))| {
            // The order distinguishes more than the percentages, which can be equal.
            let mut list = ComputedList::new(date(year, 1, 1), lines);
            list.ratings.sort_by_key(|line| place_of(&places, line.player));
            // Converts places among all players to ranks among the listed ones.
            for (number, line) in list.ratings.iter().enumerate() {
                let place = place_of(&places, line.player);
                let is_shared =
                    number > 0 && place == place_of(&places, list.ratings[number - 1].player);
                let rank = if is_shared { list.ranks[number - 1] } else { number as u32 + 1 };
                list.ranks.push(rank);
            }
            list
        });
        SystemRatings {
            lists: lists.collect(),
            notes: notes(outside, few),
            ..SystemRatings::default()
        }
    }
}

/// A player's place. `places` are in the order of the players.
fn place_of(places: &[(u32, u32)], player: u32) -> u32 {
    places.binary_search_by_key(&player, |of| of.0).map_or(0, |at| places[at].1)
}

/// The lines and the places of the largest connected set's players with enough games. Also returns
/// how many other players have enough games.
fn list(of: Windowed, enough: f64) -> (Vec<ListedRating>, Vec<(u32, u32)>, usize) {
    let members = of.table.joined().into_iter().next().unwrap_or_default();
    let table = of.table.part(&members);
    let places = places_by_dominance(&table);
    let mut lines = Vec::new();
    let mut placed = Vec::new();
    for (number, found) in dominances(&table).into_iter().enumerate() {
        let player = of.players[members[number] as usize];
        let Some(part) = found.part.filter(|_| table.games(number) >= enough) else { continue };
        let (rating, games) = (100.0 * part, table.games(number));
        lines.push(ListedRating::new(player, rating, games));
        placed.push((player, places[number] as u32));
    }
    placed.sort_unstable();
    let outside = players_with_games(&of.table, enough) - lines.len();
    (lines, placed, outside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};

    fn game(white: u32, black: u32, score: f64) -> RatedGame {
        RatedGame { white, black, score, day: date(1900, 3, 1), event: 0 }
    }

    #[test]
    fn equal_balances_are_ordered_by_their_encounter_or_share_a_rank() {
        // 0 and 1 each dominate two players and are dominated by one; 0 beat 1. 3 and 4 have equal
        // balances, and drew.
        let games = vec![
            game(0, 1, 1.0),
            game(1, 2, 1.0),
            game(2, 0, 1.0),
            game(0, 3, 1.0),
            game(1, 4, 1.0),
            game(3, 4, 0.5),
        ];
        let results =
            Results { players: vec![RatedPlayer::default(); 5], games, ..Results::default() };
        let ordinal = Ordinal { years: 1, games: 1 };
        let list = &ordinal.rate(&results).lists[0];
        let order: Vec<u32> = list.ratings.iter().map(|line| line.player).collect();
        assert_eq!(order, [0, 1, 2, 3, 4], "{list:?}");
        assert_eq!(list.ranks, [1, 2, 3, 4, 4]);
        let parts: Vec<f64> = list.ratings.iter().map(|line| line.rating).collect();
        assert_eq!(parts, [62.5, 62.5, 50.0, 37.5, 37.5]);
    }
}
