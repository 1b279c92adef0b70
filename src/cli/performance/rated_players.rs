//! The mean rating of a round robin from its rated players, and their performance ratings.

use std::str::FromStr;

use anyhow::{Context, anyhow, bail};

use super::lines::{CURVES, columns, row};
use crate::cli::checks::{check_games, check_rating, check_score};
use crate::cli::output::counted;
use crate::systems::elo::formulas::{Expectancy, round_robin_mean, round_robin_performance};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RatingAndScore {
    rating: f64,
    points: f64,
}

impl FromStr for RatingAndScore {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<RatingAndScore> {
        let (rating, points) = text.split_once(':').ok_or_else(|| {
            anyhow!("a rating and the points scored are joined by a colon, as in 2340:14")
        })?;
        Ok(RatingAndScore { rating: number(rating)?, points: number(points)? })
    }
}

fn number(text: &str) -> anyhow::Result<f64> {
    text.parse().with_context(|| format!("{text} is not a number"))
}

/// The rated players of a round robin.
pub(super) struct RatedPlayers<'a> {
    pub rated: &'a [RatingAndScore],
    /// Number of all players.
    pub players: usize,
}

/// Number of games on which an established rating rests. Taken from the example of Elo's book for
/// equation (15).
const ESTABLISHED: f64 = 50.0;

impl RatedPlayers<'_> {
    /// All that follows from the scores of the rated players, as lines of text.
    pub fn lines(&self) -> anyhow::Result<Vec<String>> {
        let games = self.check()?;
        let fractions: Vec<(f64, f64)> =
            self.rated.iter().map(|one| (one.rating, one.points / games as f64)).collect();
        let mut lines = vec![format!(
            "{} in a round robin of {}, {} each",
            counted(self.rated.len(), "rated player"),
            self.players,
            counted(games, "game")
        )];
        for curve in CURVES {
            let mean = cell(round_robin_mean(curve, &fractions, self.players));
            lines.push(row(&format!("mean of all, {}", curve.words()), &mean));
        }
        lines.push(columns("performance rating", &["normal curve", "table", "change"]));
        for (one, (rating, fraction)) in self.rated.iter().zip(&fractions) {
            let [normal, table] = [Expectancy::Normal, Expectancy::Table].map(|curve| {
                let mean = round_robin_mean(curve, &fractions, self.players)?;
                Some(round_robin_performance(curve, mean, *fraction, self.players))
            });
            let change = table.map(|table| (table - rating) * games as f64 / ESTABLISHED);
            lines.push(columns(
                &format!("{rating:.0}, {} points", one.points),
                &[cell(normal), cell(table), cell(change)],
            ));
        }
        lines.push(format!(
            "change: performance by the table minus rating, times {games}/{ESTABLISHED}"
        ));
        Ok(lines)
    }

    /// Checks the input and returns the number of each player's games.
    fn check(&self) -> anyhow::Result<usize> {
        let games = check_games(self.players as i64 - 1)?;
        if self.rated.len() > self.players {
            bail!(
                "--rated has {}, but --players only {}",
                counted(self.rated.len(), "player"),
                self.players
            );
        }
        for one in self.rated {
            check_rating(one.rating)?;
            check_score(one.points, games)?;
            if one.points == 0.0 || one.points == games as f64 {
                bail!(
                    "{} of {games} points have no rating difference; leave the player out",
                    one.points
                );
            }
        }
        Ok(games)
    }
}

/// A number with one decimal; empty if there is none.
fn cell(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_and_a_score_are_read_with_a_colon() {
        let read: RatingAndScore = "2295:13.5".parse().unwrap();
        assert_eq!(read, RatingAndScore { rating: 2295.0, points: 13.5 });
        for (text, part) in [("2295", "joined by a colon"), ("2295:x", "x is not a number")] {
            let message = format!("{:#}", text.parse::<RatingAndScore>().unwrap_err());
            assert!(message.contains(part), "{message}");
        }
    }

    fn last_number(line: &str) -> f64 {
        line.split_whitespace().last().and_then(|word| word.parse().ok()).unwrap()
    }

    #[test]
    fn six_rated_players_of_nineteen_in_brazil_in_1972() {
        let rated = ["2340:14", "2295:13.5", "2300:13.5", "2345:12.5", "2405:9", "2220:6.5"];
        let rated = rated.map(|text| text.parse().unwrap());
        let lines = RatedPlayers { rated: &rated, players: 19 }.lines().unwrap();
        let mean = lines.iter().find(|line| line.starts_with("mean of all, table")).unwrap();
        assert_eq!(last_number(mean).round(), 2216.0);
        // The book rounds the mean and the performances first, so its changes differ by up to 1.
        let players = lines.iter().filter(|line| line.contains(" points "));
        let changes: Vec<f64> = players.map(|line| last_number(line)).collect();
        for (change, printed) in changes.iter().zip([30.0, 37.0, 36.0, 2.0, -68.0, -36.0]) {
            assert!((change - printed).abs() < 1.0, "{changes:?}");
        }
        assert_eq!(changes.len(), 6, "{lines:?}");
    }
}
