//! The Tournament App alone: one event from its input text, and the results of the app.
//!
//! `cargo run --example tournament_app -- data/examples/frankfurt-1997.txt`

use std::error::Error;

use tournament_app::report::{Style, report};
use tournament_app::words::sentence;
use tournament_app::{analyse, text_input};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("give a file with the app's input text")?;
    let input = text_input::read(&std::fs::read_to_string(path)?)?;
    let analysis = analyse(&input.event, &input.options)?;

    // The figures as numbers ...
    for player in &analysis.players {
        let g_score = player.g_score.map_or_else(String::new, |g_score| format!("G {g_score:.2}"));
        println!("{} {}: {} points {g_score}", player.rank, player.name, player.points);
    }
    // ... what was done to the ratings as facts, and in words ...
    for step in &analysis.steps {
        println!("{:?}: {}", step.kind(), sentence(step));
    }
    // ... and everything as text.
    println!("\n{}", report(&analysis, Style::Plain));
    Ok(())
}
