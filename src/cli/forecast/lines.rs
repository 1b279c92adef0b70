//! Forms the lines of the output, which all forecasts share.

use crate::cli::output::counted;
use crate::forecasts::{FirstTo, MatchForecast, PROBABLE};

/// A line of the output: what it is, and its value.
pub(super) fn row(name: &str, value: String) -> String {
    format!("{name:<34}{value}")
}

/// A probability in per cent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.2}%", 100.0 * part)
}

/// The probabilities of winning, drawing and losing a match.
pub(super) fn outcome(found: &MatchForecast) -> String {
    format!("{}, {}, {}", percent(found.win), percent(found.draw), percent(found.loss))
}

/// The expected score with its errors, the outcome, and the distribution of the score.
pub(super) fn forecast_lines(found: &MatchForecast) -> Vec<String> {
    let sigma = found.scores.sigma();
    let likeliest = found.scores.likeliest();
    let place = (2.0 * likeliest) as usize;
    let chance = found.scores.chances().get(place).copied().unwrap_or(0.0);
    let (low, high) = found.scores.middle_half();
    vec![
        row(
            "expected score",
            format!(
                "{:.2} ± {sigma:.2} (probable error {:.2})",
                found.scores.mean(),
                PROBABLE * sigma
            ),
        ),
        row("chance to win, draw, lose", outcome(found)),
        row("likeliest score", format!("{likeliest} ({})", percent(chance))),
        row("middle half of all scores", format!("{low} to {high}")),
        row("games until decided", format!("{:.1}", found.games_until_decided)),
    ]
}

/// The forecast of a match that a number of wins decides.
pub(super) fn first_to_lines(wins: u32, first: &FirstTo) -> Vec<String> {
    let length = if first.games.is_finite() {
        format!("{:.2} decided, {:.1} in all", first.decisive_games, first.games)
    } else {
        "no end: every game is drawn".to_owned()
    };
    vec![
        row(
            &format!("first to {}", counted(wins as usize, "win")),
            format!("{} against {}", percent(first.win), percent(1.0 - first.win)),
        ),
        row(&format!("  {0}-{0} on the way", wins - 1), percent(first.level)),
        row("  games", length),
    ]
}
