//! Implements `greatness performance`: the performance rating of a score, and its error.

use clap::Args;

use super::CommandOutcome;
use super::checks::{check_draws, check_games, check_rating, check_score};
use super::output::tell;
use crate::forecasts::{
    PROBABLE, PlayedGames, USUAL_ERROR, book_errors, performance_error, small_sample_factor,
    small_sample_performance,
};
use crate::systems::chessmetrics::ChessmetricsPerformance;
use crate::systems::elo::formulas::{
    Expectancy, exact_performance, linear_performance, performance,
};

/// Compute the performance rating of a score against rated opponents, with its error
///
/// The output contains all forms of Arpad Elo's performance rating, its errors (with draws taken
/// into account, and as in his book) and his factor for few games. The two performance ratings of
/// Jeff Sonas's Chessmetrics follow; the padded one needs five games. With --own, the output also
/// contains the expected score and how likely the actual score was.
#[derive(Debug, Args)]
pub(super) struct PerformanceArguments {
    /// Points scored
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    score: f64,
    /// Ratings of the opponents, one for each game
    #[arg(long, value_name = "RATING", num_args = 1.., required = true, allow_negative_numbers = true)]
    opponents: Vec<f64>,
    /// The player's own rating
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    own: Option<f64>,
    /// Proportion of games between equal players that are drawn, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.5, allow_negative_numbers = true)]
    draws: f64,
}

/// The spread of opponents (points) beyond which their mean no longer represents them (Elo's book,
/// 1.55).
const WIDE: f64 = 600.0;

impl PerformanceArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        self.check()?;
        for line in self.lines() {
            tell!("{line}");
        }
        Ok(CommandOutcome::Done)
    }

    fn check(&self) -> anyhow::Result<()> {
        let games = check_games(self.opponents.len() as i64)?;
        for rating in self.opponents.iter().chain(&self.own) {
            check_rating(*rating)?;
        }
        check_score(self.score, games)?;
        check_draws(self.draws)
    }

    /// All that follows from the score, as lines of text.
    fn lines(&self) -> Vec<String> {
        let count = self.opponents.len() as f64;
        let mean = self.opponents.iter().sum::<f64>() / count;
        let mut lines = vec![format!(
            "{} of {} ({:.1}%) against a mean of {mean:.1}",
            self.score,
            self.opponents.len(),
            100.0 * self.score / count
        )];
        lines.extend(self.exact());
        let (low, high) = self
            .opponents
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(*one), high.max(*one)));
        if high - low > WIDE {
            lines.push(format!(
                "The opponents are {:.0} points apart: beyond {WIDE:.0} points only the exact form is valid.",
                high - low
            ));
        } else {
            lines.extend(self.by_mean(mean));
        }
        let book = book_errors(self.opponents.len() as u32);
        lines.push(row(
            "error by the book, without draws",
            &format!(
                "{:.1} points, probable error {:.1}; within 100 points with {:.1}%",
                book.sigma_rating,
                book.probable_error,
                100.0 * book.confidence
            ),
        ));
        if let Some(own) = self.own {
            lines.extend(self.expected_of(own));
        }
        lines
    }

    /// Whether the score has a performance rating: some points, and not all of them.
    fn is_finite(&self) -> bool {
        self.score > 0.0 && self.score < self.opponents.len() as f64
    }

    /// The exact performance rating with its errors.
    fn exact(&self) -> Vec<String> {
        let exact = exact_performance(Expectancy::Normal, &self.opponents, self.score);
        let Some(exact) = exact.filter(|_| self.is_finite()) else {
            return vec![row("performance rating, exact", UNLIMITED)];
        };
        let mut lines = vec![row("performance rating, exact", &format!("{exact:.1}"))];
        if let Some(error) = performance_error(exact, &self.opponents, self.draws) {
            lines.push(row(
                "  its standard error",
                &format!("{error:.1}, with {} of the games between equals drawn", self.draws),
            ));
            let (low, high) = (exact - PROBABLE * error, exact + PROBABLE * error);
            lines.push(row("  50% interval", &format!("{low:.0} to {high:.0}")));
        }
        lines
    }

    /// The forms of the performance rating that replace the opponents by their mean (points).
    fn by_mean(&self, mean: f64) -> Vec<String> {
        let games = self.opponents.len();
        let count = games as f64;
        let fraction = self.score / count;
        let forms = [
            ("normal curve", Expectancy::Normal),
            ("logistic curve", Expectancy::Logistic),
            ("table of the book", Expectancy::Table),
        ];
        let mut lines: Vec<String> = forms
            .into_iter()
            .map(|(name, expectancy)| {
                let value = match self.is_finite() {
                    true => format!("{:.1}", performance(expectancy, mean, fraction)),
                    false => UNLIMITED.to_owned(),
                };
                row(&format!("by the mean, {name}"), &value)
            })
            .collect();
        let won = self.score - (count - self.score);
        let linear = linear_performance(mean, won.max(0.0), (-won).max(0.0), count);
        lines.push(row("linear", &format!("{linear:.1}")));
        lines.extend(self.by_sonas());
        if games < 30 {
            let difference = Expectancy::Normal.difference(fraction);
            let factor = small_sample_factor(games as u32, difference.clamp(-4000.0, 4000.0));
            let adjusted = small_sample_performance(mean, games as u32, difference);
            let value = match self.is_finite() {
                true => format!("{adjusted:.1} (factor {factor:.3})"),
                false => format!("{adjusted:.1}"),
            };
            lines.push(row("adjusted for few games", &value));
        }
        lines
    }

    /// The performance ratings of Chessmetrics: raw, and padded from five games on.
    fn by_sonas(&self) -> Vec<String> {
        let (games, sum) = (self.opponents.len(), self.opponents.iter().sum());
        let Some(of) = ChessmetricsPerformance::of(games, self.score, sum) else {
            return Vec::new();
        };
        let mut lines = vec![row("Chessmetrics, raw", &format!("{:.1}", of.raw))];
        lines.extend(of.padded.map(|padded| row("Chessmetrics, padded", &format!("{padded:.1}"))));
        lines
    }

    /// The score that a player with this rating (points) was expected to make, and how likely the
    /// actual score was.
    fn expected_of(&self, own: f64) -> [String; 2] {
        let games = self.opponents.len();
        let played = PlayedGames { games, score: self.score, draws: self.draws };
        let found = played.predicted_by(own, USUAL_ERROR, |rating, game| {
            Expectancy::Normal.expected(rating - self.opponents[game])
        });
        let side = if self.score >= found.expected { "or more" } else { "or less" };
        [
            row(
                &format!("expected of {own:.0}"),
                &format!("{:.2} ± {:.2}", found.expected, found.sigma),
            ),
            row(
                &format!("chance of {} {side}", self.score),
                &format!(
                    "{:.2}%; with the rating's own error of {USUAL_ERROR} points {:.2}%",
                    100.0 * found.chance,
                    100.0 * found.chance_with_error
                ),
            ),
        ]
    }
}

/// The text in place of a performance rating where the score gives none.
const UNLIMITED: &str = "no limit";

/// A line of the output: what it is, and its value.
fn row(name: &str, value: &str) -> String {
    format!("{name:<34}{value}")
}
