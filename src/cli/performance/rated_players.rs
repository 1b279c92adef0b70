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
    /// Points of unrated players.
    pub unrated: &'a [f64],
    /// Number of all players.
    pub players: usize,
    /// Number of games on which an established rating rests.
    pub established: f64,
}

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
            let change = table.map(|table| (table - rating) * games as f64 / self.established);
            lines.push(columns(
                &format!("{rating:.0}, {} points", one.points),
                &[cell(normal), cell(table), cell(change)],
            ));
        }
        lines.push(format!(
            "change: performance by the table minus rating, times {games}/{}",
            self.established
        ));
        if !self.unrated.is_empty() {
            lines.push(columns("performance of unrated", &["normal curve", "table"]));
        }
        for points in self.unrated {
            let fraction = points / games as f64;
            let performances = [Expectancy::Normal, Expectancy::Table].map(|curve| {
                let mean = round_robin_mean(curve, &fractions, self.players)?;
                Some(round_robin_performance(curve, mean, fraction, self.players))
            });
            lines.push(columns(&format!("{points} points"), &performances.map(cell)));
        }
        Ok(lines)
    }

    /// Checks the input and returns the number of each player's games.
    fn check(&self) -> anyhow::Result<usize> {
        let games = check_games(self.players as i64 - 1)?;
        let given = self.rated.len() + self.unrated.len();
        if given > self.players {
            bail!(
                "--rated and --unrated have {}, but --players only {}",
                counted(given, "player"),
                self.players
            );
        }
        for one in self.rated {
            check_rating(one.rating)?;
        }
        for points in self.rated.iter().map(|one| one.points).chain(self.unrated.iter().copied()) {
            check_score(points, games)?;
            if points == 0.0 || points == games as f64 {
                bail!("{points} of {games} points have no rating difference; leave the player out");
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
        let unrated = [11.5, 11.0, 10.5, 9.0, 7.0, 6.0, 3.5];
        let brazil =
            RatedPlayers { rated: &rated, unrated: &unrated, players: 19, established: 50.0 };
        let lines = brazil.lines().unwrap();
        let mean = lines.iter().find(|line| line.starts_with("mean of all, table")).unwrap();
        assert_eq!(last_number(mean).round(), 2216.0);
        // The book rounds the mean and the performances first, so its changes differ by up to 1.
        let players = lines.iter().filter(|line| line.contains(", ") && line.contains(" points "));
        let changes: Vec<f64> = players.map(|line| last_number(line)).collect();
        for (change, printed) in changes.iter().zip([30.0, 37.0, 36.0, 2.0, -68.0, -36.0]) {
            assert!((change - printed).abs() < 1.0, "{changes:?}");
        }
        assert_eq!(changes.len(), 6, "{lines:?}");
        // The performances of unrated players, which the book prints to the nearest point.
        let from =
            lines.iter().position(|line| line.starts_with("performance of unrated")).unwrap();
        let performances: Vec<f64> =
            lines[from + 1..].iter().map(|line| last_number(line)).collect();
        assert_eq!(performances.len(), unrated.len());
        for (found, printed) in
            performances.iter().zip([2313.0, 2292.0, 2270.0, 2216.0, 2140.0, 2098.0, 1978.0])
        {
            assert!((found - printed).abs() <= 1.0, "{performances:?}");
        }
    }

    #[test]
    fn three_rated_players_of_twenty_give_the_mean_of_example_8() {
        let rated = ["2350:15", "2205:12", "2165:9"].map(|text| text.parse().unwrap());
        let field = RatedPlayers { rated: &rated, unrated: &[], players: 20, established: 50.0 };
        let lines = field.lines().unwrap();
        let mean = lines.iter().find(|line| line.starts_with("mean of all, table")).unwrap();
        // 2240 - 101 * 19/20 = 2144 with the book's rounding.
        assert!((last_number(mean) - 2143.7).abs() < 0.1, "{mean}");
    }
}
