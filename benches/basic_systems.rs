//! Measures how fast basic systems rate one large pool.
//!
//! `cargo bench --bench basic_systems -- [--rounds N]` rates a million games of fifty thousand
//! players. It alternates with a bare loop that sorts the games by pairs and iterates over them a
//! hundred times, as a solver of a hundred steps would. It prints a report in Markdown.

mod support;

use std::hint::black_box;

use greatness::tournament::pairing::{
    PairingTable, berkin, bradley_terry, dominances, linear, places_by_dominance, ratio,
};
use support::{median, timed};

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const GAMES: usize = 1_000_000;
const PLAYERS: u32 = 50_000;

/// Drawn games of each player against a phantom: the default, and none, as the systems were
/// proposed.
const PRIORS: [f64; 2] = [2.0, 0.0];

/// A reproducible pseudo-random generator.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(below)) as u32
    }

    /// Returns the number of a player. Small numbers are more frequent.
    fn skewed(&mut self) -> u32 {
        let limit = self.next(PLAYERS);
        self.next(limit + 1)
    }
}

/// Shapes of the pool. In a chain each player meets the next thousand players of a ring, so
/// information needs many steps to reach the other side. In a skewed pool some players play far
/// more than others.
#[derive(Clone, Copy)]
enum PoolShape {
    Chain,
    Skewed,
}

impl PoolShape {
    fn games(self) -> Vec<(u32, u32, f64)> {
        let mut chance = Chance(7);
        let mut games = Vec::with_capacity(GAMES);
        while games.len() < GAMES {
            let (one, other) = match self {
                PoolShape::Chain => {
                    let one = chance.next(PLAYERS);
                    (one, (one + 1 + chance.next(1000)) % PLAYERS)
                }
                PoolShape::Skewed => (chance.skewed(), chance.skewed()),
            };
            if one == other {
                continue;
            }
            // The player with the smaller number is the stronger.
            let stronger = if one < other { 6 } else { 4 };
            let score = match chance.next(10) {
                luck if luck < stronger - 1 => 1.0,
                luck if luck < stronger + 2 => 0.5,
                _ => 0.0,
            };
            games.push((one, other, score));
        }
        games
    }
}

/// The minimum work of a solver: pairs in rows, and a hundred passes over them.
fn bare(games: &[(u32, u32, f64)]) -> f64 {
    let mut sides: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * games.len());
    for (one, other, score) in games {
        sides.push((*one, *other, *score));
        sides.push((*other, *one, 1.0 - score));
    }
    sides.sort_unstable_by_key(|side| (side.0, side.1));
    let mut x = vec![1.0; PLAYERS as usize];
    let mut image = vec![0.0; PLAYERS as usize];
    for _ in 0..100 {
        image.fill(0.0);
        for (one, other, score) in &sides {
            image[*one as usize] += score * x[*other as usize];
        }
        std::mem::swap(&mut x, &mut image);
        let most = x.iter().fold(0.0_f64, |most, one| most.max(*one));
        x.iter_mut().for_each(|one| *one /= most);
    }
    x.iter().sum()
}

/// Number of rounds: `--rounds N`.
fn rounds() -> usize {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--rounds").skip(1);
    arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(5)
}

/// A measured piece of work on a table.
type Workload = fn(&PairingTable) -> f64;

fn main() {
    let rounds = rounds();
    let work: [(&str, Workload); 5] = [
        ("linear", |table| linear(table, 400.0).iter().sum()),
        ("Berkin", |table| berkin(table).iter().sum()),
        ("Bradley-Terry", |table| bradley_terry(table).iter().sum()),
        ("ratio", |table| ratio(table).lambda),
        ("dominance", |table| {
            let places = places_by_dominance(table);
            dominances(table).len() as f64 + places[0] as f64
        }),
    ];
    for (name, pool) in [("a chain", PoolShape::Chain), ("a skewed pool", PoolShape::Skewed)] {
        let games = pool.games();
        let table = PairingTable::new(PLAYERS as usize, games.iter().copied());
        for prior in PRIORS {
            let with = if prior > 0.0 {
                table.with_drawn_games(prior)
            } else {
                table.part(&table.strongly_joined()[0])
            };
            let mut seconds = vec![Vec::new(); work.len() + 2];
            for _ in 0..rounds {
                seconds[0].push(timed(|| {
                    black_box(bare(&games));
                }));
                seconds[1].push(timed(|| {
                    let table = PairingTable::new(PLAYERS as usize, games.iter().copied());
                    black_box(table.with_drawn_games(PRIORS[0]));
                }));
                for (place, (_, work)) in work.iter().enumerate() {
                    seconds[place + 2].push(timed(|| {
                        black_box(work(&with));
                    }));
                }
            }
            let mut seconds = seconds.into_iter().map(|times| median(times).as_secs_f64());
            let bare = seconds.next().unwrap_or(f64::NAN);
            println!(
                "## A million games of fifty thousand players, {name}, prior {prior} ({} rated)\n",
                with.len()
            );
            println!("| what | s | of the bare loop |\n| --- | ---: | ---: |");
            println!("| bare loop | {bare:.3} | 1.00 |");
            let names = std::iter::once("table").chain(work.iter().map(|(name, _)| *name));
            for (name, found) in names.zip(seconds) {
                println!("| {name} | {found:.3} | {:.2} |", found / bare);
            }
            println!();
        }
    }
}
