//! Measures the speed of the laboratory.
//!
//! `cargo bench --bench laboratory -- [--rounds N]` runs the simulations for which there are speed
//! targets. It alternates with a bare loop over the same number of games that only counts players
//! out of spec, and prints a report in Markdown.

mod support;

use std::hint::black_box;
use std::time::Duration;

use greatness::laboratory::{Contestant, Plan, Population, simulate};
use greatness::tournament::expectation;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use support::{median, timed};

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PLAYERS: usize = 15_000;
const GAMES: u32 = 340;

fn plan(systems: &[&str]) -> Plan {
    let systems = systems.iter().map(|word| Contestant::named(word).expect("a system"));
    Plan::new(Population::Standard, systems.collect())
}

/// Five systems, two by the PRA's curve and three by Elo's, without boosting or measures, on one
/// thread.
fn bare() -> u64 {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let truth: Vec<f64> =
        (0..PLAYERS).map(|_| 1500.0 + 297.0 * 3.46 * (random.random::<f64>() - 0.5)).collect();
    let mut ratings = vec![vec![1500.0; PLAYERS]; 5];
    let mut out = 0;
    let mut scores = vec![0.0; PLAYERS / 2];
    for _ in 0..GAMES {
        let mut order: Vec<u32> = (0..PLAYERS as u32).collect();
        order.shuffle(&mut random);
        let (whites, blacks) = order.split_at(PLAYERS / 2);
        for ((white, black), score) in whites.iter().zip(blacks).zip(&mut scores) {
            let expected = expectation(truth[*white as usize] - truth[*black as usize]);
            *score = f64::from(u8::from(random.random::<f64>() < expected));
        }
        for (system, ratings) in ratings.iter_mut().enumerate() {
            for ((white, black), score) in whites.iter().zip(blacks).zip(&scores) {
                let (white, black) = (*white as usize, *black as usize);
                let ahead = ratings[white] - ratings[black];
                let expected = match system {
                    0 | 1 => expectation(ahead),
                    _ => 1.0 / (1.0 + (-ahead * 0.005_756_462_732_485_115).exp()),
                };
                let gain = 9.0 * (score - expected);
                ratings[white] += gain;
                ratings[black] -= gain;
            }
            let errors = ratings.iter().zip(&truth).map(|(rating, truth)| (rating - truth).abs());
            out += errors.filter(|error| *error >= 100.0).count() as u64;
        }
    }
    out
}

fn run(plan: &Plan) {
    black_box(simulate(plan, &|_| ()).expect("a simulation"));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let rounds = arguments
        .iter()
        .position(|argument| argument == "--rounds")
        .and_then(|place| arguments.get(place + 1)?.parse().ok())
        .unwrap_or(5usize);
    let sequential = plan(&["pra", "pra-basic", "elo:16", "elo:32", "elo-tiers"]);
    let solving = plan(&["simultaneous", "chessmetrics"]);
    let many = Plan { runs: 44, games: 600, ..plan(&["pra"]) };
    let mut large = plan(&["pra"]);
    (large.players, large.games) = (1_000_000, 20);
    // Alternate, so that all of them meet the same disturbances.
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..rounds {
        times[0].push(timed(|| {
            black_box(bare());
        }));
        times[1].push(timed(|| run(&sequential)));
        times[2].push(timed(|| run(&solving)));
        times[3].push(timed(|| run(&many)));
        times[4].push(timed(|| run(&large)));
    }
    let seconds = times.map(|times| median(times).as_secs_f64());
    println!("# Speed of the laboratory\n");
    println!(
        "Medians of {rounds} rounds in turns, on {} threads; 15,000 players, 340 games each unless stated otherwise.\n",
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    println!("| what | time | times the bare loop |\n|---|---|---|");
    let what = [
        "the bare loop: five systems without measures, one thread",
        "five sequential systems with all measures",
        "all games at once, and Chessmetrics, every 20 games",
        "44 runs of pra over 600 games",
        "pra, 1,000,000 players, 20 games",
    ];
    for (what, seconds_of) in what.iter().zip(seconds) {
        println!("| {what} | {seconds_of:.2} s | {:.1} |", seconds_of / seconds[0]);
    }
}
