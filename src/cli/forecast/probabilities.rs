//! Forecasts a match from given probabilities of win, draw and loss of a game.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), (2).

use anyhow::bail;
use serde_json::json;

use super::lines::{first_to_lines, forecast_lines, percent, row};
use crate::cli::checks::check_score;
use crate::cli::output::counted;
use crate::forecasts::{Chances, FirstTo, MatchForecast, first_to, match_forecast};

/// A match whose games all have the same given probabilities.
pub(super) struct GivenChances {
    game: Chances,
    games: usize,
    score: Option<f64>,
    first: Option<(u32, FirstTo)>,
    found: MatchForecast,
}

/// Largest distance of the sum of the probabilities from 1. Judged: it accepts thirds with three
/// digits (0.333), which half of it would refuse; ten times as much would hide a typing error.
const ROUNDING: f64 = 0.001;

impl GivenChances {
    /// The match of the probabilities of win, draw and loss.
    ///
    /// # Errors
    ///
    /// Returns an error if the probabilities are not from 0 to 1 with the sum 1, or if the score is
    /// impossible.
    pub fn new(
        parts: &[f64],
        games: usize,
        score: Option<f64>,
        wins: Option<u32>,
    ) -> anyhow::Result<GivenChances> {
        let &[win, draw, loss] = parts else {
            bail!("--probabilities takes three numbers: win, draw and loss")
        };
        for part in parts {
            if !(0.0..=1.0).contains(part) {
                bail!("a probability must be from 0 to 1; got {part}");
            }
        }
        let sum = win + draw + loss;
        if (sum - 1.0).abs() > ROUNDING {
            // Without the rounding errors of the sum.
            let shown = (sum * 1e6).round() / 1e6;
            bail!("the probabilities of win, draw and loss must add up to 1; got {shown}");
        }
        if let Some(score) = score {
            check_score(score, games)?;
        }
        let game = Chances { win: win / sum, draw: draw / sum, loss: loss / sum };
        let first = wins.map(|wins| (wins, first_to(wins, game)));
        Ok(GivenChances { game, games, score, first, found: match_forecast(&vec![game; games]) })
    }

    /// The probabilities of a score: exactly, or more, or less.
    fn of_score(&self, score: f64) -> [f64; 3] {
        let scores = &self.found.scores;
        let (more, less) = (scores.at_least(score), scores.at_most(score));
        [scores.chances().get((2.0 * score) as usize).copied().unwrap_or(0.0), more, less]
    }

    pub fn lines(&self) -> Vec<String> {
        let Chances { win, draw, loss } = self.game;
        let mut lines = vec![
            format!(
                "{}, each won with {}, drawn with {}, lost with {}",
                counted(self.games, "game"),
                percent(win),
                percent(draw),
                percent(loss)
            ),
            row("a game", format!("{:.4}", self.game.expected())),
        ];
        lines.extend(forecast_lines(&self.found));
        if let Some(score) = self.score {
            let [exactly, more, less] = self.of_score(score);
            lines.push(row(&format!("chance of {score}"), percent(exactly)));
            lines.push(row(&format!("chance of {score} or more"), percent(more)));
            lines.push(row(&format!("chance of {score} or less"), percent(less)));
        }
        lines.extend(self.first.iter().flat_map(|(wins, first)| first_to_lines(*wins, first)));
        lines.push("all scores:".to_owned());
        lines.extend(self.distribution());
        lines
    }

    /// The probabilities of all scores that are not rarer than one in twenty thousand.
    fn distribution(&self) -> impl Iterator<Item = String> {
        /// Rarer scores would be printed as 0.00%.
        const SHOWN: f64 = 0.000_05;
        let chances = self.found.scores.chances().iter().enumerate();
        chances
            .filter(|(_, chance)| **chance >= SHOWN)
            .map(|(place, chance)| row(&format!("  {}", place as f64 / 2.0), percent(*chance)))
    }

    pub fn json(&self) -> serde_json::Value {
        let found = &self.found;
        let (low, high) = found.scores.middle_half();
        let first = self.first.as_ref().map(|(wins, first)| {
            json!({
                "wins": wins, "win": first.win, "level": first.level,
                "decisive_games": first.decisive_games, "games": first.games,
            })
        });
        let of_score = self.score.map(|score| {
            let [exactly, more, less] = self.of_score(score);
            json!({"score": score, "exactly": exactly, "or_more": more, "or_less": less})
        });
        json!({
            "game": {"win": self.game.win, "draw": self.game.draw, "loss": self.game.loss},
            "games": self.games, "expected_score": self.game.expected(),
            "expected": found.scores.mean(), "sigma": found.scores.sigma(),
            "win": found.win, "draw": found.draw, "loss": found.loss,
            "likeliest": found.scores.likeliest(), "middle_half": [low, high],
            "games_until_decided": found.games_until_decided,
            "scores": found.scores.chances(), "of_score": of_score, "first_to": first,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_games_of_the_article() {
        let given = GivenChances::new(&[0.5, 0.3, 0.2], 10, Some(8.0), None).unwrap();
        let found = given.json();
        assert!((found["expected"].as_f64().unwrap() - 6.5).abs() < 1e-12, "{found}");
        assert!((found["sigma"].as_f64().unwrap() - 1.2349).abs() < 5e-5, "{found}");
        assert!((found["scores"][13].as_f64().unwrap() - 0.158_103).abs() < 5e-7, "{found}");
        assert!(
            (found["of_score"]["or_more"].as_f64().unwrap() - 0.157_203).abs() < 5e-7,
            "{found}"
        );
        let lines = given.lines();
        assert!(lines.iter().any(|line| line.ends_with(" 15.72%")), "{lines:?}");
        // The whole distribution.
        let from = lines.iter().position(|line| line == "all scores:").unwrap();
        for (score, printed) in [
            ("5", 7.47),
            ("5.5", 11.03),
            ("6", 14.18),
            ("6.5", 15.81),
            ("7", 15.17),
            ("7.5", 12.38),
            ("8", 8.42),
            ("8.5", 4.64),
            ("9", 1.97),
            ("9.5", 0.59),
            ("10", 0.10),
        ] {
            let expected = format!("{printed:.2}%");
            let found = lines[from..]
                .iter()
                .find(|line| line.trim_start().starts_with(&format!("{score} ")));
            assert!(found.is_some_and(|line| line.ends_with(&expected)), "{score}: {found:?}");
        }
    }

    #[test]
    fn first_to_ten_wins_at_six_to_four() {
        // The book's .128 for 9-9 (8.87), with and without draws.
        for draw in [0.0, 0.5] {
            let parts = [0.6 * (1.0 - draw), draw, 0.4 * (1.0 - draw)];
            let (_, first) = GivenChances::new(&parts, 24, None, Some(10)).unwrap().first.unwrap();
            assert!((first.level - 0.128).abs() < 5e-4, "{first:?}");
        }
    }

    #[test]
    fn thirds_may_be_rounded_but_other_sums_are_refused() {
        let thirds = GivenChances::new(&[0.333, 0.333, 0.333], 4, None, None).unwrap();
        assert!((thirds.found.win - thirds.found.loss).abs() < 1e-12);
        for (parts, message) in [
            ([0.5, 0.3, 0.3], "must add up to 1; got 1.1"),
            ([1.5, -0.5, 0.0], "must be from 0 to 1; got 1.5"),
            ([f64::NAN, 0.5, 0.5], "must be from 0 to 1"),
        ] {
            let error = GivenChances::new(&parts, 4, None, None).err().unwrap().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
