//! Compares three models of the probability of a draw: proportional to the smaller of the two
//! expected scores, proportional to their product, and Davidson's.
//!
//! `cargo run --release --example draw_models -- GAMES...` prints the mean log loss of win, draw
//! and loss. Each model has one parameter for each decade, fitted to the games of the decade
//! before, so no model uses the games that it predicts. Expected scores are those of the standard
//! system.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use greatness::archive::{Selected, Settings, Silent};
use greatness::evaluation::comparison::compute;
use greatness::evaluation::draw_model::Chances;
use greatness::rated::results_of;
use greatness::systems::{Overrides, System};

/// A model: probabilities of win, draw and loss, from the expected score and the parameter.
type DrawModel = fn(f64, f64) -> [f64; 3];

/// The model that the program uses.
fn smaller(expected: f64, draws: f64) -> [f64; 3] {
    let Chances { win, draw, loss } = Chances::new(expected, draws);
    [win, draw, loss]
}

fn product(expected: f64, draws: f64) -> [f64; 3] {
    let draw = 4.0 * draws * expected * (1.0 - expected);
    let draw = draw.min(2.0 * expected.min(1.0 - expected));
    [expected - draw / 2.0, draw, 1.0 - expected - draw / 2.0]
}

/// `draw^2 = nu^2 win loss`, with the expected score kept (R. R. Davidson).
fn davidson(expected: f64, nu: f64) -> [f64; 3] {
    let half = nu * (expected - 0.5);
    let root = (half * half + 4.0 * expected * (1.0 - expected)).sqrt();
    let odds = (half + root) / (2.0 * (1.0 - expected));
    let all = odds * odds + nu * odds + 1.0;
    [odds * odds / all, nu * odds / all, 1.0 / all]
}

/// The models, with the largest parameter of each.
const MODELS: [(&str, DrawModel, f64); 3] =
    [("smaller", smaller, 1.0), ("product", product, 2.0), ("Davidson", davidson, 1000.0)];

/// Fits the parameter: the expected number of draws equals the actual number.
fn fitted(model: DrawModel, games: &[(f64, f64)], largest: f64) -> f64 {
    let drawn = games.iter().filter(|(_, score)| *score == 0.5).count() as f64;
    let (mut low, mut high) = (0.0, largest);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let expected: f64 = games.iter().map(|(expected, _)| model(*expected, middle)[1]).sum();
        if expected < drawn { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

fn log_loss(model: DrawModel, parameter: f64, games: &[(f64, f64)]) -> f64 {
    games
        .iter()
        .map(|(expected, score)| {
            let [win, draw, loss] = model(*expected, parameter);
            let chance = match score {
                score if *score > 0.75 => win,
                score if *score < 0.25 => loss,
                _ => draw,
            };
            -chance.max(0.001).ln()
        })
        .sum()
}

fn print_row(decade: &str, games: usize, sums: [f64; MODELS.len()]) {
    let means = sums.map(|sum| format!("{:.4}", sum / games as f64)).join(" | ");
    println!("| {decade} | {games} | {means} |");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings::default();
    settings.input.pgn.extend(std::env::args_os().skip(1).map(PathBuf::from));
    let games = Selected::read(&settings.input, &Silent, &mut Vec::new())?;
    let gap_days = settings.events.gap_days;
    let results = results_of(&games.table, &games.rows, &games.players, gap_days);
    let standard = System::standard();
    let system = standard.with(&Overrides::new())?;
    let predictions = compute(&results, vec![(standard, system)], |_| ()).1;
    let expected = &predictions[0].1.recalibrated.expected;

    let mut decades: BTreeMap<i16, Vec<(f64, f64)>> = BTreeMap::new();
    for (number, game) in results.games.iter().enumerate() {
        if let Some(expected) = expected.get(number) {
            let decade = game.day.year() / 10 * 10;
            decades.entry(decade).or_default().push((expected, game.score));
        }
    }
    let (mut all, mut sums) = (0, [0.0; MODELS.len()]);
    let names = MODELS.map(|(name, ..)| name).join(" | ");
    println!("| decade | games | {names} |\n|---|---:|---:|---:|---:|");
    for (decade, games) in &decades {
        let Some(before) = decades.get(&(decade - 10)).filter(|before| before.len() >= 300) else {
            continue;
        };
        let losses =
            MODELS.map(|(_, model, most)| log_loss(model, fitted(model, before, most), games));
        print_row(&format!("{decade}s"), games.len(), losses);
        all += games.len();
        for (sum, loss) in sums.iter_mut().zip(losses) {
            *sum += loss;
        }
    }
    print_row("all", all, sums);
    Ok(())
}
