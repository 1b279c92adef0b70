//! The performance rating of a score against rated opponents, its error, and the new rating.

use super::lines::{CURVES, UNLIMITED, columns, is_finite, row};
use crate::forecasts::{
    PROBABLE, PlayedGames, RatedSchedule, USUAL_ERROR, book_errors, performance_error,
};
use crate::systems::chessmetrics::ChessmetricsPerformance;
use crate::systems::elo::formulas::{
    Expectancy, blended, exact_performance, k_suitability, linear_performance,
    linear_round_robin_performance, performance, remembered, round_robin_performance,
};
use crate::systems::elo::{small_sample_factor, small_sample_performance};

/// A score against rated opponents.
pub(super) struct OpponentsScore<'a> {
    pub score: f64,
    /// Ratings of the opponents (points), one for each game.
    pub opponents: &'a [f64],
    /// The player's own rating (points), if known.
    pub own: Option<f64>,
    /// Proportion of games between equals that are drawn, in `[0, 1]`.
    pub draws: f64,
    /// Number of players, if the event is a round robin.
    pub players: Option<usize>,
    /// K for a new rating, if wanted.
    pub k: Option<f64>,
}

/// The spread of opponents (points) beyond which their mean no longer represents them. Taken from
/// Elo's book (1.55).
const WIDE: f64 = 600.0;

impl OpponentsScore<'_> {
    /// All that follows from the score, as lines of text.
    pub fn lines(&self) -> Vec<String> {
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
            let of =
                RatedSchedule { rating: own, opponents: self.opponents, players: self.players };
            lines.extend(self.round_robin(&of));
            lines.extend(self.k.into_iter().flat_map(|k| self.new_rating(&of, k)));
        }
        lines
    }

    /// Whether the score has a performance rating.
    fn is_finite(&self) -> bool {
        is_finite(self.score, self.opponents.len())
    }

    /// The exact performance rating with its errors.
    fn exact(&self) -> Vec<String> {
        let exact = exact_performance(Expectancy::Normal, self.opponents, self.score);
        let Some(exact) = exact.filter(|_| self.is_finite()) else {
            return vec![row("performance rating, exact", UNLIMITED)];
        };
        let mut lines = vec![row("performance rating, exact", &format!("{exact:.1}"))];
        if let Some(error) = performance_error(exact, self.opponents, self.draws) {
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
        let mut lines: Vec<String> = CURVES
            .into_iter()
            .map(|curve| {
                let value = if self.is_finite() {
                    format!("{:.1}", performance(curve, mean, fraction))
                } else {
                    UNLIMITED.to_owned()
                };
                row(&format!("by the mean, {}", curve.words()), &value)
            })
            .collect();
        let won = self.score - (count - self.score);
        let linear = linear_performance(mean, won.max(0.0), (-won).max(0.0), count);
        lines.push(row("linear", &format!("{linear:.1}")));
        lines.extend(self.by_chessmetrics());
        if games < 30 {
            let difference = Expectancy::Normal.difference(fraction);
            let factor = small_sample_factor(games as u32, difference.clamp(-4000.0, 4000.0));
            let adjusted = small_sample_performance(mean, games as u32, difference);
            let value = if self.is_finite() {
                format!("{adjusted:.1} (factor {factor:.3})")
            } else {
                format!("{adjusted:.1}")
            };
            lines.push(row("adjusted for few games", &value));
        }
        lines
    }

    /// The performance ratings of Chessmetrics: raw, and padded from five games on.
    fn by_chessmetrics(&self) -> Vec<String> {
        let (games, sum) = (self.opponents.len(), self.opponents.iter().sum());
        let Some(of) = ChessmetricsPerformance::new(games, self.score, sum) else {
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

    /// The round robin form of the performance rating; no lines for other events.
    fn round_robin(&self, of: &RatedSchedule) -> Vec<String> {
        let Some((players, mean)) = of.players.zip(of.event_mean()) else { return Vec::new() };
        let fraction = self.score / self.opponents.len() as f64;
        let mut lines = vec![row(&format!("mean of all {players} players"), &format!("{mean:.1}"))];
        lines.extend(CURVES.into_iter().map(|curve| {
            let value = if self.is_finite() {
                format!("{:.1}", round_robin_performance(curve, mean, fraction, players))
            } else {
                UNLIMITED.to_owned()
            };
            row(&format!("round robin, {}", curve.words()), &value)
        }));
        let linear = linear_round_robin_performance(mean, fraction, players);
        lines.push(row("round robin, linear", &format!("{linear:.1}")));
        let games = self.opponents.len() as u32;
        if games < 30 && self.is_finite() {
            // RF = Ra + F Da (71).
            let performance = round_robin_performance(Expectancy::Normal, mean, fraction, players);
            let adjusted = small_sample_performance(mean, games, performance - mean);
            lines.push(row("round robin, adjusted", &format!("{adjusted:.1}")));
        }
        lines
    }

    /// The new rating with a factor K, by all curves and all ways to the expected score.
    fn new_rating(&self, of: &RatedSchedule, k: f64) -> Vec<String> {
        let mut ways = vec!["by games", "by their mean"];
        ways.extend(of.players.map(|_| "by mean of all"));
        let mut lines = vec![columns(&format!("new rating with K {k}"), &ways)];
        for curve in Expectancy::ALL {
            let found = of.expected(curve);
            let expected = [found.by_games, found.by_opponents_mean].into_iter();
            let after: Vec<String> = expected
                .chain(found.by_event_mean)
                .map(|expected| format!("{:.2}", of.after(k, self.score, expected)))
                .collect();
            lines.push(columns(&format!("  {}", curve.words()), &after));
        }
        let games = self.opponents.len() as f64;
        match k_suitability(k, games) {
            Some(suits) => lines.push(row(
                &format!("is K {k} well chosen?"),
                &format!(
                    "within 1.5 standard errors of a performance up to {:.0} points away ({:.0}%), \
                     which changes the rating by {:.0}",
                    suits.reach,
                    100.0 * suits.probability,
                    suits.change
                ),
            )),
            None => lines.push(row(
                &format!("is K {k} well chosen?"),
                &format!("no: it remembers {:.0} games, not more than these", remembered(k)),
            )),
        }
        if self.is_finite() && remembered(k).is_finite() {
            let performance =
                performance(Expectancy::Normal, of.opponents_mean(), self.score / games);
            let blended = blended(of.rating, remembered(k), performance, games);
            lines.push(row("blended by precision", &format!("{blended:.1}")));
        }
        lines
    }
}
