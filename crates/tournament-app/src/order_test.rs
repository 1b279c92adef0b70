//! Tests whether an event ended in the order of its ratings.
//!
//! Source: Berard, the PRA paper. If the correlation of ratings and results is significant, theory
//! expects the favourite to win, and the first three by rating to be the first three. A favourite
//! who does not win then *chokes*.

use crate::analysis::{Analysis, PlayerAnalysis};

/// The level at which the correlation is significant. Source: Berard.
const LEVEL: f64 = 0.05;

/// What the order of the ratings lets expect of an event, and whether it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderTest {
    /// Whether the correlation of ratings and P-Zeros is significant (one-sided, at 5%).
    pub r_significant: bool,
    /// Whether the player with the highest rating is first in the standings.
    pub favourite_won: bool,
    /// Whether the first three by rating are the first three of the standings, in this order.
    pub first_three_in_order: bool,
}

impl OrderTest {
    /// Compares the standings of an event with its ratings. `None` if a rating was not found, or
    /// without a test of the correlation.
    pub fn new(analysis: &Analysis) -> Option<OrderTest> {
        let playing = analysis.players.iter().filter(|player| player.games > 0);
        let standings: Vec<&PlayerAnalysis> = playing.collect();
        if standings.iter().any(|player| player.rating_found.is_none()) {
            return None;
        }
        let p_value = analysis.line?.p_value?;
        let mut by_rating = standings.clone();
        by_rating.sort_by(|a, b| {
            let [a, b] = [a, b].map(|player| player.initial_rating.unwrap_or(f64::NEG_INFINITY));
            b.total_cmp(&a)
        });
        Some(OrderTest {
            r_significant: p_value < LEVEL,
            favourite_won: analysis.favourite.as_ref() == Some(&standings.first()?.name),
            first_three_in_order: first_three(&by_rating) == first_three(&standings),
        })
    }
}

fn first_three<'a>(players: &[&'a PlayerAnalysis]) -> Vec<&'a str> {
    players.iter().take(3).map(|player| player.name.as_str()).collect()
}

/// Whether all players with games played the same number of them.
pub fn has_equal_games(analysis: &Analysis) -> bool {
    let mut games = analysis.players.iter().map(|player| player.games).filter(|games| *games > 0);
    let first = games.next();
    games.all(|other| Some(other) == first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_input;

    /// The test of a round robin of five, in which the player of each pair who is named first wins.
    fn order_test(ratings: [u16; 5]) -> Option<OrderTest> {
        let mut text = String::from("Five\n5\nElo\n");
        for (rating, name) in ratings.iter().zip(["A", "B", "C", "D", "E"]) {
            text.push_str(&format!("{rating} {name}\n"));
        }
        text.push_str("2750\n1 2 1 3 4 1\n1 3 1 2 5 1\n1 4 1 3 5 1\n1 5 1 2 4 1\n2 3 1 4 5 1\n");
        let input = text_input::read(&text).unwrap();
        OrderTest::new(&crate::analyse(&input.event, &input.options).unwrap())
    }

    #[test]
    fn an_event_may_end_in_the_order_of_its_ratings() {
        let found = order_test([2700, 2660, 2620, 2580, 2540]).unwrap();
        let all =
            OrderTest { r_significant: true, favourite_won: true, first_three_in_order: true };
        assert_eq!(found, all);
    }

    #[test]
    fn the_favourite_may_lose_although_the_ratings_predict_the_results() {
        let found = order_test([2670, 2690, 2620, 2580, 2540]).unwrap();
        assert!(found.r_significant && !found.favourite_won && !found.first_three_in_order);
        let level = order_test([2600, 2620, 2590, 2610, 2605]).unwrap();
        assert!(!level.r_significant);
    }

    #[test]
    fn estimated_ratings_are_no_evidence() {
        let mut event =
            text_input::read("Two\n3\nElo\n2600 A\n2550 B\n2500 C\n2650\n1 2 1 2 3 1 3 1 0\n")
                .unwrap()
                .event;
        let options = crate::Options::default();
        assert!(OrderTest::new(&crate::analyse(&event, &options).unwrap()).is_some());
        event.players[1].initial_rating = None;
        assert_eq!(OrderTest::new(&crate::analyse(&event, &options).unwrap()), None);
    }
}
