//! The match form of Elo's performance rating: of both players, from their mean rating.

use super::lines::{CURVES, UNLIMITED, columns, is_finite};
use crate::forecasts::RatedSchedule;
use crate::systems::elo::formulas::{Expectancy, match_performance};
use crate::tournament::{CERTAINTY, expectation, rating_difference};

/// The result of a match of two rated players.
pub(super) struct MatchResult {
    /// Ratings before the match (points).
    pub ratings: [f64; 2],
    pub games: usize,
    /// Points of the first player.
    pub score: f64,
    /// K for new ratings, if wanted.
    pub k: Option<f64>,
}

impl MatchResult {
    /// All that follows from the score, as lines of text.
    pub fn lines(&self) -> Vec<String> {
        let [a, b] = self.ratings;
        let games = self.games as f64;
        let (mean, scores) = ((a + b) / 2.0, [self.score, games - self.score]);
        let mut lines = vec![
            format!(
                "{} of {} ({:.1}%), mean of the two {mean:.1}",
                self.score,
                self.games,
                100.0 * self.score / games
            ),
            columns("", &[format!("A ({a:.0})"), format!("B ({b:.0})")]),
        ];
        for curve in CURVES {
            let performances = scores.map(|score| {
                if is_finite(score, self.games) {
                    format!("{:.1}", match_performance(curve, mean, score / games))
                } else {
                    UNLIMITED.to_owned()
                }
            });
            lines.push(columns(&format!("match form, {}", curve.words()), &performances));
        }
        lines.extend(self.pra_lines());
        if let Some(k) = self.k {
            for curve in Expectancy::ALL {
                let both = [(a, b, scores[0]), (b, a, scores[1])].map(|(rating, other, score)| {
                    let opponents = vec![other; self.games];
                    let schedule = RatedSchedule { rating, opponents: &opponents, players: None };
                    let expected = schedule.expected(curve).by_games;
                    format!("{:.2}", schedule.after(k, score, expected))
                });
                lines.push(columns(&format!("new, {}", curve.words()), &both));
            }
            lines.push(format!("new ratings with K {k}"));
        }
        lines
    }

    /// What the curve of the PRA expects, and the rating difference whose expected score is that of
    /// the match.
    fn pra_lines(&self) -> Vec<String> {
        let (games, [a, b]) = (self.games as f64, self.ratings);
        let expected = [expectation(a - b), expectation(b - a)];
        let difference = rating_difference(self.score / games);
        let difference = if difference.abs() < CERTAINTY {
            format!("{difference:.1}")
        } else {
            format!("{difference:.0} or {}", if difference > 0.0 { "more" } else { "less" })
        };
        vec![
            columns("expected a game, PRA curve", &expected.map(|part| format!("{part:.6}"))),
            columns(
                "expected score, PRA curve",
                &expected.map(|part| format!("{:.2}", games * part)),
            ),
            columns(
                "chance of all games, PRA curve",
                &expected.map(|part| format!("{:.6}", part.powf(games))),
            ),
            format!("rating difference of this score, PRA curve: {difference}"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn karpov_and_korchnoi_in_1974() {
        let found =
            MatchResult { ratings: [2715.0, 2645.0], games: 24, score: 12.5, k: None }.lines();
        let table = found.iter().find(|line| line.contains("table of the book")).unwrap();
        assert!(table.contains(" 2687.0") && table.ends_with(" 2673.0"), "{found:?}");
    }

    #[test]
    fn steinitz_and_blackburne_by_the_curve_of_the_pra() {
        let of = MatchResult { ratings: [2730.0, 2648.0], games: 7, score: 7.0, k: None };
        let text = of.lines().join("\n");
        for figure in ["0.532670", "3.73", "3.27", "0.012168", "PRA curve: 1800 or more"] {
            assert!(text.contains(figure), "{figure}: {text}");
        }
        for (score, difference) in [(6.0, "150.0"), (7.0, "250.0"), (9.0, "450.0")] {
            let text = MatchResult { games: 10, score, ..of }.lines().join("\n");
            assert!(text.contains(&format!("PRA curve: {difference}")), "{text}");
        }
    }

    #[test]
    fn one_player_gains_what_the_other_loses() {
        let of = MatchResult { ratings: [2715.0, 2645.0], games: 24, score: 12.5, k: Some(10.0) };
        let text = of.lines().join("\n");
        // .60 of 24 games by the table: 14.4 expected, 12.5 scored.
        assert!(text.contains("2696.00") && text.contains("2664.00"), "{text}");
        let all = MatchResult { score: 24.0, k: None, ..of }.lines().join("\n");
        assert_eq!(all.matches(UNLIMITED).count(), 6, "{all}");
    }
}
