//! Measures the speed of forecasts, pools and age curves.
//!
//! `cargo bench --bench forecasts -- [--rounds N]` forecasts as many performances as a million
//! games contain. It alternates with a bare loop that only computes each distribution once, and
//! prints a report in Markdown.

mod support;

use std::hint::black_box;

use greatness::forecasts::{
    Chances, ForecastGame, PlayedGames, ScoreDistribution, first_place, match_forecast,
};
use greatness::population::ages::age_curves;
use greatness::population::pool::{PoolMember, pool_years};
use greatness::systems::elo::formulas::Expectancy;
use rayon::prelude::*;
use support::{median, timed};

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Performances of a million games: two a game, thirteen games each.
const PERFORMANCES: usize = 150_000;
const GAMES: usize = 13;

fn opponent(performance: usize, game: usize) -> f64 {
    2300.0 + ((performance * 37 + game * 101) % 400) as f64
}

fn bare() -> f64 {
    (0..PERFORMANCES)
        .into_par_iter()
        .map(|performance| {
            let chances = (0..GAMES).map(|game| {
                let expected = Expectancy::Normal.expected(2500.0 - opponent(performance, game));
                Chances::new(expected, 0.6)
            });
            ScoreDistribution::from_games(chances).at_least(7.0)
        })
        .sum()
}

fn performances() -> f64 {
    (0..PERFORMANCES)
        .into_par_iter()
        .map(|performance| {
            let played = PlayedGames { games: GAMES, score: 7.0, draws: 0.6 };
            let found = played.predicted_by(2500.0, 31.6, |rating, game| {
                Expectancy::Normal.expected(rating - opponent(performance, game))
            });
            found.chance_with_error
        })
        .sum()
}

/// A hundred lists of five thousand players each. A third of the players change every ten years.
fn lists() -> Vec<(i16, Vec<PoolMember>)> {
    (1900..2000)
        .map(|year: i16| {
            let members = (0..5000u32).map(|place| {
                let player = place * 40 + (year as u32 + place % 30) / 30;
                let age = 15.0 + f64::from((year as u32 + place % 30) % 30 + place % 7);
                let rating = 2000.0 + f64::from(place % 700);
                PoolMember { player, rating, played: None, is_established: true, age: Some(age) }
            });
            (year, members.collect())
        })
        .collect()
}

/// A measured piece of work: its name, and the work.
type Workload<'a> = (&'static str, Box<dyn Fn() -> f64 + 'a>);

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--rounds").skip(1);
    let rounds: usize = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    let lists = lists();
    let chances = vec![Chances::new(0.6, 0.5); 24];
    let event: Vec<ForecastGame> = (0..16)
        .flat_map(|white| (0..white).map(move |black| (white, black)))
        .map(|(white, black)| ForecastGame { white, black, chances: Chances::new(0.5, 0.6) })
        .collect();
    let works: [Workload; 6] = [
        ("the bare loop: each distribution once", Box::new(bare)),
        ("150,000 performances of 13 games", Box::new(performances)),
        ("a match of 24 games", Box::new(|| match_forecast(&chances).win)),
        (
            "first place of 120 games, 100,000 draws",
            Box::new(|| first_place(&[0.0; 16], &event, 100_000, 1)[0]),
        ),
        ("a pool of 5,000 players over 100 years", Box::new(|| pool_years(&lists).len() as f64)),
        ("its ages", Box::new(|| age_curves(&lists).len() as f64)),
    ];
    let mut times = vec![Vec::new(); works.len()];
    for _ in 0..rounds {
        for (times, (_, work)) in times.iter_mut().zip(&works) {
            times.push(timed(|| {
                black_box(work());
            }));
        }
    }
    println!("Medians of {rounds} rounds in turns, on {} threads.\n", rayon::current_num_threads());
    println!("| what | time | times the bare loop |\n|---|---|---|");
    let all: Vec<f64> = times.into_iter().map(|times| median(times).as_secs_f64()).collect();
    for ((name, _), time) in works.iter().zip(&all) {
        println!("| {name} | {:.2} ms | {:.4} |", time * 1000.0, time / all[0]);
    }
}
