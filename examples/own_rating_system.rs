//! The program with an additional rating system, which this file defines and `main` registers.
//!
//! `cargo run --release --example own_rating_system -- ratings average-score GAMES.pgn`

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Parser;
use greatness::cli::{self, Arguments};
use greatness::systems::{
    About, ComputedList, InvalidParameter, ListedRating, Parameter, Parameters, RatingSystem,
    Registered, Results, Role, SystemRatings, Value, register,
};
use jiff::civil::date;

/// Every player's average score so far, on a scale from 2000 to 2800.
#[derive(Default)]
struct AverageScore;

impl Parameters for AverageScore {
    fn described() -> Vec<Parameter> {
        Vec::new()
    }

    fn set(&mut self, key: &str, _: &Value) -> Result<(), InvalidParameter> {
        Err(InvalidParameter::unknown(key, &[]))
    }
}

impl Registered for AverageScore {
    const ABOUT: About = About {
        word: "average-score",
        name: "Average score",
        list_name: "Computed average score",
        summary: "the average score of all games so far, regardless of the opponents",
        role: Role::Whole,
        ..About::PLAIN
    };
}

impl RatingSystem for AverageScore {
    fn expected(&self, difference: f64) -> f64 {
        (0.5 + difference / 1600.0).clamp(0.0, 1.0)
    }

    fn explained(&self) -> String {
        "2000 points plus 800 times the average score.".into()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        // Points and games of each player, up to the end of each year.
        let mut so_far: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        let mut lists: BTreeMap<i16, BTreeMap<u32, (f64, f64)>> = BTreeMap::new();
        let mut games: Vec<_> = results.games.iter().collect();
        games.sort_by_key(|game| game.day);
        for of_year in games.chunk_by(|one, other| one.day.year() == other.day.year()) {
            for game in of_year {
                for (player, score) in [(game.white, game.score), (game.black, 1.0 - game.score)] {
                    let sums = so_far.entry(player).or_default();
                    *sums = (sums.0 + score, sums.1 + 1.0);
                }
            }
            // The list is in force from the next January on.
            lists.insert(of_year[0].day.year() + 1, so_far.clone());
        }
        let mut computed = Vec::new();
        for (year, sums) in lists {
            let ratings = sums.into_iter().map(|(player, (score, games))| ListedRating {
                player,
                rating: 2000.0 + 800.0 * score / games,
                games,
                deviation: None,
                is_provisional: false,
            });
            computed.push(ComputedList::new(date(year, 1, 1), ratings.collect()));
        }
        SystemRatings { lists: computed, ..SystemRatings::default() }
    }
}

fn main() -> ExitCode {
    register::<AverageScore>();
    match cli::run(Arguments::parse()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            cli::fail(&error);
            ExitCode::FAILURE
        }
    }
}
