//! Measures the speed of the Tournament App on one core.
//!
//! `cargo bench`: events of ten players, once with all ratings known, once with three missing.
//! Times are for 1,000 events, so a millisecond corresponds to a second for a million events.

use divan::Bencher;
use greatness::tournament::{Event, Game, Kind, Options, Player, analyse};

fn main() {
    divan::main();
}

/// Returns a number below `range` and advances the state of the generator.
///
/// A linear congruential generator (Knuth, MMIX): results must vary, but need not be random.
fn next(state: &mut u64, range: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % range
}

/// A round robin of ten players, with results that depend on the number.
fn event(number: u64, missing: usize) -> Event {
    let mut state = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    let players = (0..10)
        .map(|player| {
            let rating = 2400.0 + next(&mut state, 300) as f64;
            Player::new(format!("Player {player}"), (player >= missing).then_some(rating))
        })
        .collect();
    let mut games = Vec::new();
    for white in 0..10 {
        for black in 0..white {
            let mut game = Game::new(white, black, next(&mut state, 3) as f64 / 2.0);
            game.sequence = Some(games.len() as u32);
            games.push(game);
        }
    }
    Event {
        name: format!("Event {number}"),
        kind: Kind::RoundRobin,
        rating_system: "Elo".into(),
        players,
        games,
        number_two: Some(2700.0),
    }
}

#[divan::bench(args = [0, 3])]
fn thousand_events_of_ten_players(bencher: Bencher, missing: usize) {
    let events: Vec<Event> = (0..1000).map(|number| event(number, missing)).collect();
    let options = Options::default();
    bencher.bench_local(|| {
        for event in &events {
            divan::black_box(analyse(divan::black_box(event), &options).is_ok());
        }
    });
}
