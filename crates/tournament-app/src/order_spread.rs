//! Computes how much P-Zeros depend on the order of the games.
//!
//! The Basic System rates games one by one, so its result depends on their order. The sources do
//! not give the order of most events before 1950. The published figures then use the order of
//! appearance, and each P-Zero has an *order spread*: its standard deviation over [`SAMPLES`]
//! random orders. The order spread is ours; the paper does not mention it.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;

use super::basic_system::p_zeros;
use super::event::{Event, Game};

/// Number of random orders. Judged: a standard deviation from 200 values has an error of 5%, from
/// half as many 7%.
pub const SAMPLES: usize = 200;

/// A fixed seed, so that every computation gives the same result.
const SEED: u64 = 1898;

/// Computes the P-Zeros (rating points) of all players in [`SAMPLES`] random orders of the games.
/// Returns `None` if the order is known.
///
/// Games with a known position keep their relative order; the others are placed at random. The
/// shuffling starts from a canonical order (by names, then score), so the order of the input and of
/// the players does not matter.
pub(super) fn in_random_orders(event: &Event) -> Option<Vec<Vec<f64>>> {
    let mut games: Vec<&Game> = event.played().collect();
    games.sort_by(|a, b| {
        let [key_a, key_b] = [a, b].map(|game| {
            (&event.players[game.white].name, &event.players[game.black].name, game.sequence)
        });
        key_a.cmp(&key_b).then(a.white_score.total_cmp(&b.white_score))
    });
    let mut placed: Vec<Game> = Vec::new();
    let mut free: Vec<Game> = Vec::new();
    for game in games {
        if game.sequence.is_some() { placed.push(*game) } else { free.push(*game) }
    }
    if free.is_empty() {
        return None;
    }
    placed.sort_by_key(|game| game.sequence);

    let mut random = Pcg64Mcg::seed_from_u64(SEED);
    let mut order: Vec<Game> = Vec::with_capacity(placed.len() + free.len());
    let samples = (0..SAMPLES).map(|_| {
        free.shuffle(&mut random);
        interleave(&placed, &free, &mut order, &mut random);
        p_zeros(event.players.len(), &order)
    });
    Some(samples.collect())
}

/// Computes the standard deviation (rating points) of each player's P-Zero over random orders of
/// the games.
pub fn order_spread(players: usize, in_random_orders: &[Vec<f64>]) -> Vec<f64> {
    // Welford's algorithm for mean and variance.
    let mut mean = vec![0.0; players];
    let mut squares = vec![0.0; players];
    for (sample, p_zeros) in (1..).zip(in_random_orders) {
        for (player, p_zero) in p_zeros.iter().enumerate() {
            let step = p_zero - mean[player];
            mean[player] += step / f64::from(sample);
            squares[player] += step * (p_zero - mean[player]);
        }
    }
    let less_one = in_random_orders.len().saturating_sub(1).max(1) as f64;
    squares.into_iter().map(|sum| (sum / less_one).sqrt()).collect()
}

/// Merges two sequences in a uniformly random way. Each keeps its own order.
fn interleave(placed: &[Game], free: &[Game], order: &mut Vec<Game>, random: &mut Pcg64Mcg) {
    order.clear();
    let (mut placed, mut free) = (placed.iter(), free.iter());
    while placed.len() + free.len() > 0 {
        let take_free =
            placed.len() == 0 || random.random_range(0..placed.len() + free.len()) < free.len();
        let next = if take_free { free.next() } else { placed.next() };
        order.extend(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Player;
    use crate::kind::Kind;

    fn event(games: Vec<Game>) -> Event {
        Event {
            name: "Test".into(),
            kind: Kind::RoundRobin,
            rating_system: "Elo".into(),
            players: ["Anderssen", "Paulsen", "Morphy", "Staunton"]
                .map(|name| Player::new(name, None))
                .into(),
            games,
            number_two: None,
        }
    }

    fn all_against_all() -> Vec<Game> {
        let mut games = Vec::new();
        for round in 0..6 {
            for white in 0..4usize {
                for black in 0..white {
                    games.push(Game::new(
                        white,
                        black,
                        f64::from((round + white as u32) % 3) / 2.0,
                    ));
                }
            }
        }
        games
    }

    fn spread(games: Vec<Game>) -> Vec<f64> {
        order_spread(4, &in_random_orders(&event(games)).expect("an order that is not known"))
    }

    #[test]
    fn a_known_order_has_no_spread() {
        let mut games = all_against_all();
        for (place, game) in games.iter_mut().enumerate() {
            game.sequence = Some(place as u32);
        }
        assert_eq!(in_random_orders(&event(games)), None);
    }

    #[test]
    fn the_spread_does_not_depend_on_the_order_of_the_input() {
        let games = all_against_all();
        let mut reversed = games.clone();
        reversed.reverse();
        let spread = spread(games);
        assert_eq!(spread, self::spread(reversed));
        assert!(spread.iter().all(|spread| *spread > 0.0));
    }

    #[test]
    fn a_partly_known_order_has_less_spread_than_an_unknown_one() {
        let unknown: f64 = spread(all_against_all()).iter().sum();
        let mut games = all_against_all();
        for (place, game) in games.iter_mut().enumerate().take(30) {
            game.sequence = Some(place as u32);
        }
        let partial: f64 = spread(games).iter().sum();
        assert!(partial > 0.0 && partial < unknown, "{partial} against {unknown}");
    }
}
