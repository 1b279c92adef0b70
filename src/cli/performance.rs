//! `greatness performance`: what a score against rated opponents was worth, and how sure that is.

use clap::Args;

use super::Outcome;
use super::checks::{check_draws, check_games, check_rating, check_score};
use super::output::tell;
use crate::forecasts::{
    PROBABLE, PlayedGames, USUAL_ERROR, book_errors, performance_error, small_sample_factor,
    small_sample_performance,
};
use crate::systems::elo::formulas::{
    Expectancy, exact_performance, linear_performance, performance,
};

/// Tell what a score against rated opponents was worth, and how sure that is.
///
/// All forms of Arpad Elo's performance rating, its errors (with draws, and as his book has them), the factor for few games;
/// with one's own rating also what was expected, and how likely the score was.
#[derive(Debug, Args)]
pub(super) struct Performance {
    /// Points scored
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    score: f64,
    /// Ratings of the opponents, one for each game
    #[arg(long, value_name = "RATING", num_args = 1.., required = true, allow_negative_numbers = true)]
    opponents: Vec<f64>,
    /// One's own rating
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    own: Option<f64>,
    /// Part of the games between equals that are drawn, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.5, allow_negative_numbers = true)]
    draws: f64,
}

/// Points over which opponents' means no longer stand for them (1.55).
const WIDE: f64 = 600.0;

impl Performance {
    pub fn run(self) -> anyhow::Result<Outcome> {
        self.check()?;
        for line in self.told() {
            tell!("{line}");
        }
        Ok(Outcome::Done)
    }

    fn check(&self) -> anyhow::Result<()> {
        let games = check_games(self.opponents.len() as i64)?;
        for rating in self.opponents.iter().chain(&self.own) {
            check_rating(*rating)?;
        }
        check_score(self.score, games)?;
        check_draws(self.draws)
    }

    fn told(&self) -> Vec<String> {
        let games = self.opponents.len();
        let count = games as f64;
        let mean = self.opponents.iter().sum::<f64>() / count;
        let fraction = self.score / count;
        let is_finite = self.score > 0.0 && self.score < count;
        let mut lines = vec![format!(
            "{} of {games} ({:.1}%) against a mean of {mean:.1}",
            self.score,
            100.0 * fraction
        )];
        let row = |name: &str, value: String| format!("{name:<34}{value}");
        let unlimited = || "no limit".to_owned();
        let exact = exact_performance(Expectancy::Normal, &self.opponents, self.score);
        match exact.filter(|_| is_finite) {
            Some(exact) => {
                lines.push(row("performance rating, exact", format!("{exact:.1}")));
                if let Some(error) = performance_error(exact, &self.opponents, self.draws) {
                    lines.push(row(
                        "  its standard error",
                        format!("{error:.1} with {} of equal games drawn", self.draws),
                    ));
                    lines.push(row(
                        "  even money",
                        format!(
                            "{:.0} to {:.0}",
                            exact - PROBABLE * error,
                            exact + PROBABLE * error
                        ),
                    ));
                }
            }
            None => lines.push(row("performance rating, exact", unlimited())),
        }
        let (low, high) = self
            .opponents
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(*one), high.max(*one)));
        if high - low > WIDE {
            lines.push(format!(
                "The opponents are {:.0} points apart: beyond {WIDE:.0} only the exact form is right.",
                high - low
            ));
        } else {
            let forms = [
                ("normal curve", Expectancy::Normal),
                ("logistic curve", Expectancy::Logistic),
                ("table of the book", Expectancy::Table),
            ];
            for (name, expectancy) in forms {
                let value = match is_finite {
                    true => format!("{:.1}", performance(expectancy, mean, fraction)),
                    false => unlimited(),
                };
                lines.push(row(&format!("by the mean, {name}"), value));
            }
            let won = self.score - (count - self.score);
            lines.push(row(
                "linear",
                format!("{:.1}", linear_performance(mean, won.max(0.0), (-won).max(0.0), count)),
            ));
            let difference = Expectancy::Normal.difference(fraction);
            if games < 30 {
                let factor = small_sample_factor(games as u32, difference.clamp(-4000.0, 4000.0));
                let drawn_in = small_sample_performance(mean, games as u32, difference);
                let told = match is_finite {
                    true => format!("{drawn_in:.1} (factor {factor:.3})"),
                    false => format!("{drawn_in:.1}"),
                };
                lines.push(row("drawn in for few games", told));
            }
        }
        let book = book_errors(games as u32);
        lines.push(row(
            "error by the book, without draws",
            format!(
                "{:.1} points, probable error {:.1}; within 100 points with {:.1}%",
                book.sigma_rating,
                book.probable_error,
                100.0 * book.confidence
            ),
        ));
        if let Some(own) = self.own {
            let played = PlayedGames { games, score: self.score, draws: self.draws };
            let found = played.predicted_by(own, USUAL_ERROR, |rating, game| {
                Expectancy::Normal.expected(rating - self.opponents[game])
            });
            lines.push(row(
                &format!("expected of {own:.0}"),
                format!("{:.2}, give or take {:.2}", found.expected, found.sigma),
            ));
            let side = if self.score >= found.expected { "or more" } else { "or less" };
            lines.push(row(
                &format!("chance of {} {side}", self.score),
                format!(
                    "{:.2}%; with the rating's own error of {USUAL_ERROR} points {:.2}%",
                    100.0 * found.chance,
                    100.0 * found.chance_with_error
                ),
            ));
        }
        lines
    }
}
