//! Measures the speed of the rating systems.
//!
//! `cargo bench --bench systems -- [--rounds N] INPUT...` computes every system's lists from the
//! games of the inputs. It also solves one pool of a million generated games between 50,000
//! players. It prints a report in Markdown.

mod support;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use greatness::archive::{Selected, Settings, Silent};
use greatness::evaluation::comparison::{compare_systems, compute, draw_rates};
use greatness::rated::results_of;
use greatness::systems::simultaneous::Encounters;
use greatness::systems::{Overrides, RatingSystem, System};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use support::{median, timed};

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds: usize = match arguments.iter().position(|argument| argument == "--rounds") {
        Some(place) => {
            let value = arguments.drain(place..place + 2).nth(1);
            value.and_then(|rounds| rounds.parse().ok()).expect("a number of rounds")
        }
        None => 5,
    };
    println!("# Speed of the rating systems\n");
    println!(
        "Medians of {rounds} rounds, on {} threads.\n",
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    println!("| what | size | time |\n|---|---|---|");
    full_pool(rounds);
    if arguments.is_empty() {
        return;
    }
    let mut settings = Settings::default();
    settings.input.pgn.extend(arguments.iter().map(PathBuf::from));
    let games = Selected::read(&settings.input, &Silent, &mut Vec::new()).expect("games");
    let results = results_of(&games.table, &games.rows, &games.players, settings.events.gap_days);
    let size = format!("{} games, {} players", results.games.len(), results.players.len());
    for system in System::all() {
        let mut lists = 0;
        let times = (0..rounds)
            .map(|_| timed(|| lists = defaults(system).rate(&results).lists.len()))
            .collect();
        println!(
            "| {}: {lists} lists | {size} | {:.2} s |",
            system.about.list_name,
            median(times).as_secs_f64()
        );
    }
    let times = (0..rounds)
        .map(|_| {
            timed(|| {
                let predictions = compute(&results, all(), |_| ()).1;
                let rates = draw_rates(&results, &predictions);
                drop(compare_systems(&results, &predictions, &rates));
            })
        })
        .collect();
    println!("| all of them, compared | {size} | {:.2} s |", median(times).as_secs_f64());
}

/// A system with its default parameters.
fn defaults(system: &System) -> Box<dyn RatingSystem> {
    system.with(&Overrides::new()).expect("the defaults are within their ranges")
}

/// All systems with their default parameters.
fn all() -> Vec<(&'static System, Box<dyn RatingSystem>)> {
    System::all().iter().map(|system| (system, defaults(system))).collect()
}

/// Times a million games between players of whom a few play most.
fn full_pool(rounds: usize) {
    const PLAYERS: u32 = 50_000;
    const GAMES: usize = 1_000_000;
    let mut random = Pcg64::seed_from_u64(1);
    let strength: Vec<f64> = (0..PLAYERS).map(|_| random.random_range(1800.0..2700.0)).collect();
    let games: Vec<(u32, u32, f64, f64)> = (0..GAMES)
        .map(|_| {
            let mut player = || {
                let part: f64 = random.random_range(0.0..1.0);
                ((part * part) * f64::from(PLAYERS)) as u32
            };
            let (white, mut black) = (player(), player());
            if black == white {
                black = (white + 1) % PLAYERS;
            }
            let expected = 0.5 + (strength[white as usize] - strength[black as usize]) / 850.0;
            let luck: f64 = random.random_range(0.0..1.0);
            let score = match luck {
                luck if luck < expected - 0.2 => 1.0,
                luck if luck < expected + 0.2 => 0.5,
                _ => 0.0,
            };
            (white, black, score, 1.0)
        })
        .collect();
    let mut steps = 0;
    let mut solve = |with_sums: bool| {
        let encounters = Encounters::new(PLAYERS as usize, &games);
        let start = Instant::now();
        let (_, taken) = encounters.solve(
            vec![2300.0; PLAYERS as usize],
            |mean, part, games| {
                (mean * (games + 4.0) + 850.0 * games * (part - 0.5) + 6900.0) / (games + 7.0)
                    + 43.0
            },
            |next| 2300.0 - next.iter().sum::<f64>() / next.len() as f64,
            0.01,
            400,
        );
        steps = taken;
        if with_sums { Duration::ZERO } else { start.elapsed() }
    };
    let alone: Vec<Duration> = (0..rounds).map(|_| solve(false)).collect();
    let whole: Vec<Duration> = (0..rounds)
        .map(|_| {
            timed(|| {
                solve(true);
            })
        })
        .collect();
    let size = format!("{GAMES} games, {PLAYERS} players");
    println!(
        "| one simultaneous solve to 0.01 points: {steps} steps | {size} | {:.3} s |",
        median(alone).as_secs_f64()
    );
    println!(
        "| the same with its sums by player | {size} | {:.3} s |",
        median(whole).as_secs_f64()
    );
}
