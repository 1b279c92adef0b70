//! Computes a rating list from a collection of games: the best ten by Elo's system on its last day.
//!
//! `cargo run --release --example rating_list -- GAMES.pgn`

use std::error::Error;
use std::path::PathBuf;

use greatness::archive::{Selected, Settings, Silent};
use greatness::rated::results_of;
use greatness::systems::{Overrides, System, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("give a collection of games")?;
    let mut settings = Settings::default();
    settings.input.pgn.push(PathBuf::from(path));

    // Reads the games, resolves the players and selects what counts. The findings would list faults
    // of the input.
    let mut findings = Vec::new();
    let games = Selected::read(&settings.input, &Silent, &mut findings)?;
    let gap_days = settings.events.gap_days;
    let results = results_of(&games.table, &games.rows, &games.players, gap_days);

    // Any system of the registry, with any of its parameters.
    let parameters = Overrides::from([("initial_games".to_owned(), Value::Whole(10))]);
    let elo = System::named("elo")?.with(&parameters)?;
    let ratings = elo.rate(&results);

    let last = ratings.lists.last().ok_or("no list: too few games with dates")?;
    println!("{}, {} games", last.day, results.games.len());
    for (rank, line) in (1..=10).zip(&last.ratings) {
        let player = &results.players[line.player as usize];
        println!("{rank:>3} {:<30} {:>6.0} {:>5.0} games", player.name, line.rating, line.games);
    }
    Ok(())
}
