//! Prints an event with a handicap for weaker players (`--handicap`).

use std::fmt::Write as _;
use std::str::FromStr;

use anyhow::{anyhow, bail};
use clap::Args;

use crate::cli::checks::check_rating;
use crate::forecasts::{handicap_by_performance, round_robin_handicap, swiss_handicap};
use crate::systems::elo::formulas::{Expectancy, exact_performance};
use crate::tournament::{Analysis, Event, Kind, PlayerAnalysis};

/// How to compute the handicap.
#[derive(Debug, Args)]
pub(super) struct HandicapArguments {
    /// Show the event with handicaps instead of the analysis: points for players below scratch, by
    /// the tables of Elo's book for round robins and Swiss events
    #[arg(long, conflicts_with_all = ["trace", "what_if", "decisions", "follow_up"])]
    handicap: bool,
    /// Rating from which handicaps are counted: top (the highest rating), top3 (the mean of the
    /// three highest) or a number [default: top for round robins, top3 for Swiss events]
    #[arg(long, value_name = "RATING", requires = "handicap")]
    scratch: Option<Scratch>,
    /// Add this part of the difference from scratch to the performance rating, instead of points to
    /// the score (.8 is usual)
    #[arg(long, value_name = "PART", requires = "handicap")]
    by_performance: Option<f64>,
}

/// The rating from which handicaps are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scratch {
    /// The highest rating.
    Top,
    /// The mean of the three highest ratings.
    TopThree,
    /// A rating (points).
    Rating(f64),
}

impl FromStr for Scratch {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Scratch> {
        match text {
            "top" => Ok(Scratch::Top),
            "top3" => Ok(Scratch::TopThree),
            number => {
                let rating = number
                    .parse()
                    .map_err(|_| anyhow!("scratch is top, top3 or a rating; got {number}"))?;
                check_rating(rating)?;
                Ok(Scratch::Rating(rating))
            }
        }
    }
}

impl Scratch {
    /// The rating (points), from those of the players.
    fn rating(self, ratings: &[f64]) -> f64 {
        let mut best = ratings.to_vec();
        best.sort_by(|a, b| b.total_cmp(a));
        best.truncate(if self == Scratch::TopThree { 3 } else { 1 });
        match self {
            Scratch::Rating(rating) => rating,
            _ => best.iter().sum::<f64>() / best.len() as f64,
        }
    }
}

/// A player with the handicap.
struct HandicappedPlayer<'a> {
    player: &'a PlayerAnalysis,
    rating: f64,
    /// The points or the performance without the handicap.
    result: f64,
    /// The same with the handicap.
    with_handicap: f64,
}

impl HandicapArguments {
    /// Whether handicaps are wanted instead of the analysis.
    pub fn is_wanted(&self) -> bool {
        self.handicap
    }

    /// The event with handicaps; `None` if it is not wanted.
    pub fn text(&self, event: &Event, analysis: &Analysis) -> anyhow::Result<Option<String>> {
        if !self.handicap {
            return Ok(None);
        }
        let is_swiss = event.kind == Kind::Swiss;
        let is_round_robin = matches!(
            event.kind,
            Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin
        );
        if !is_swiss && !is_round_robin && self.by_performance.is_none() {
            bail!(
                "handicaps in points exist for round robins and Swiss events; give --by-performance for others"
            );
        }
        let ratings: Vec<f64> =
            analysis.players.iter().filter_map(|player| player.initial_rating).collect();
        if ratings.is_empty() {
            bail!("no player has a rating, so there is no handicap");
        }
        let by_default = if is_swiss { Scratch::TopThree } else { Scratch::Top };
        let scratch = self.scratch.unwrap_or(by_default).rating(&ratings);
        let mut players = Vec::new();
        for player in &analysis.players {
            let Some(rating) = player.initial_rating else { continue };
            players.push(self.handicapped(event, analysis, player, rating, scratch)?);
        }
        players.sort_by(|a, b| b.with_handicap.total_cmp(&a.with_handicap));
        Ok(Some(self.table(scratch, &players, analysis.players.len() - players.len())))
    }

    fn handicapped<'a>(
        &self,
        event: &Event,
        analysis: &'a Analysis,
        player: &'a PlayerAnalysis,
        rating: f64,
        scratch: f64,
    ) -> anyhow::Result<HandicappedPlayer<'a>> {
        let below = scratch - rating;
        if let Some(part) = self.by_performance {
            let result = performance_of(event, analysis, player).unwrap_or(f64::NAN);
            let with_handicap = handicap_by_performance(scratch, rating, result, part);
            return Ok(HandicappedPlayer { player, rating, result, with_handicap });
        }
        let handicap = if event.kind == Kind::Swiss {
            let rounds = analysis.players.iter().map(|player| player.main_games).max();
            let rounds = rounds.unwrap_or(0);
            swiss_handicap(rounds, below).ok_or_else(|| {
                anyhow!("the table for Swiss events has 5 to 12 rounds; this has {rounds}")
            })?
        } else {
            round_robin_handicap(analysis.players.len(), below)
        };
        let result = player.main_points;
        Ok(HandicappedPlayer { player, rating, result, with_handicap: result + handicap })
    }

    fn table(&self, scratch: f64, players: &[HandicappedPlayer], unrated: usize) -> String {
        let (result, decimals) =
            if self.by_performance.is_some() { ("performance", 0) } else { ("points", 1) };
        let mut text = format!("scratch {scratch:.0}\n\n");
        let _ = writeln!(
            text,
            "{:>4} {:<32} {:>6} {:>11} {:>8} {:>8}",
            "", "player", "rating", result, "handicap", "total"
        );
        for (place, one) in players.iter().enumerate() {
            let name: String = one.player.name.chars().take(32).collect();
            let _ = writeln!(
                text,
                "{:>4} {name:<32} {:>6.0} {:>11.decimals$} {:>8.decimals$} {:>8.decimals$}",
                place + 1,
                one.rating,
                one.result,
                one.with_handicap - one.result,
                one.with_handicap,
            );
        }
        if unrated > 0 {
            let _ = writeln!(text, "\n{unrated} without a rating left out");
        }
        text
    }
}

/// The performance rating (points) of a player against the rated opponents.
fn performance_of(event: &Event, analysis: &Analysis, player: &PlayerAnalysis) -> Option<f64> {
    let mut ratings = vec![None; event.players.len()];
    for one in &analysis.players {
        ratings[one.index] = one.initial_rating;
    }
    let (mut opponents, mut score) = (Vec::new(), 0.0);
    for game in event.played() {
        for (own, opponent, points) in [
            (game.white, game.black, game.white_score),
            (game.black, game.white, 1.0 - game.white_score),
        ] {
            if own != player.index {
                continue;
            }
            let Some(rating) = ratings[opponent] else { continue };
            opponents.push(rating);
            score += points;
        }
    }
    exact_performance(Expectancy::Normal, &opponents, score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_is_the_highest_rating_the_mean_of_three_or_a_number() {
        let ratings = [2500.0, 2600.0, 2400.0, 2300.0];
        for (text, expected) in [("top", 2600.0), ("top3", 2500.0), ("2450", 2450.0)] {
            assert_eq!(text.parse::<Scratch>().unwrap().rating(&ratings), expected);
        }
        let error = "best".parse::<Scratch>().unwrap_err().to_string();
        assert!(error.contains("top, top3 or a rating"), "{error}");
    }
}
