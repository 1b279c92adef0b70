//! Measures the speed of forecasts from games and published ratings.
//!
//! `cargo bench -p rating-systems --bench published_forecasts -- [--rounds N]` forecasts a million
//! generated games by the filter and the last layer, on one thread, and prints the median.

use std::hint::black_box;
use std::time::{Duration, Instant};

use jiff::ToSpan;
use jiff::civil::{Date, date};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rating_systems::systems::published::PairedAndPublished;
use rating_systems::systems::{EventSpan, RatedGame, RatedPlayer, Results};

const GAMES: usize = 1_000_000;
const PLAYERS: usize = 50_000;

/// Games and players of an event, and the days that it lasts.
const EVENT_GAMES: usize = 50;
const EVENT_PLAYERS: usize = 14;
const EVENT_DAYS: i32 = 9;

/// First day, and number of days over which the events are spread.
const FIRST: Date = date(1971, 1, 1);
const DAYS: usize = 50 * 365;

/// The part of all players who are active at one time.
const ACTIVE: f64 = 0.2;

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--rounds").skip(1);
    let rounds: usize = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    let results = results();
    let system = PairedAndPublished::default();
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(system.forecasts_without_paired(&results));
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!(
        "{} games of {} players in {} events, filter and last layer: {:.2} s (median of {rounds})",
        results.games.len(),
        results.players.len(),
        results.published.spans.len(),
        times[times.len() / 2].as_secs_f64()
    );
}

/// Events of players who are active at the same time. Each has a rating tag, which changes once a
/// year, and nine of ten have a year of birth.
fn results() -> Results {
    let mut random = Pcg64::seed_from_u64(1);
    let strength: Vec<f64> = (0..PLAYERS).map(|_| random.random_range(1900.0..2700.0)).collect();
    let events = GAMES / EVENT_GAMES;
    let players = (0..PLAYERS).map(|player| {
        let born = 1950 + (player * 50 / PLAYERS) as i16;
        let born = Some(born).filter(|_| player % 10 != 0);
        RatedPlayer { name: format!("Player {player}"), born, ..RatedPlayer::default() }
    });
    let mut results = Results { players: players.collect(), ..Results::default() };
    for event in 0..events {
        let part = event as f64 / events as f64;
        let first = FIRST.saturating_add(((part * DAYS as f64) as i32).days());
        let oldest = part * (1.0 - ACTIVE) * PLAYERS as f64;
        let field: Vec<usize> = (0..EVENT_PLAYERS)
            .map(|_| {
                // A few players play most games.
                let place: f64 = random.random_range(0.0..1.0);
                (oldest + place * place * ACTIVE * PLAYERS as f64) as usize
            })
            .collect();
        let tag = |player: usize| {
            let year = usize::try_from(first.year()).unwrap_or_default();
            (strength[player] as usize + (player * 31 + year * 17) % 100) as u16
        };
        for _ in 0..EVENT_GAMES {
            let white = random.random_range(0..EVENT_PLAYERS);
            let black = (white + random.random_range(1..EVENT_PLAYERS)) % EVENT_PLAYERS;
            let (white, black) = (field[white], field[black]);
            if white == black {
                continue;
            }
            let ahead = (strength[white] - strength[black]) / 850.0;
            let luck: f64 = random.random_range(0.0..1.0);
            let score = if luck < 0.3 + ahead {
                1.0
            } else if luck < 0.7 + ahead {
                0.5
            } else {
                0.0
            };
            let (white_tag, black_tag) = (tag(white), tag(black));
            let (white, black) = (white as u32, black as u32);
            let event = event as u32;
            results.games.push(RatedGame { white, black, score, day: first, event });
            results.published.tags.push([white_tag, black_tag]);
        }
        let last = first.saturating_add(EVENT_DAYS.days());
        results.published.spans.push(EventSpan { first, last });
    }
    results
}
