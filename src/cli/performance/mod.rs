//! Implements `greatness performance`: the performance rating of a score, its error, and the new
//! rating.

mod lines;
mod match_form;
mod opponents;
mod rated_players;

use anyhow::bail;
use clap::Args;

use super::CommandOutcome;
use super::checks::{check_draws, check_games, check_rating, check_score};
use super::output::{counted, outln};
use match_form::MatchResult;
use opponents::OpponentsScore;
use rated_players::{RatedPlayers, RatingAndScore};

/// Compute the performance rating of a score against rated opponents, with its error
///
/// The output contains all forms of Arpad Elo's performance rating, its errors (with draws taken
/// into account, and as in his book) and his factor for few games. The two performance ratings of
/// Jeff Sonas's Chessmetrics follow; the padded one needs five games. With --own, the output also
/// contains the expected score and how likely the actual score was; with --k, the new rating; with
/// --players, the round robin form. Two forms replace --opponents: --match rates both players of a
/// match, and --rated estimates the mean of a round robin from its rated players (with --unrated,
/// also the performances of others).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness performance --score 6.5 --opponents 2600 2575 2550 2510 2560 2485 2445 2470 2615
  greatness performance --match 2715 2645 --games 24 --score 12.5")]
pub(super) struct PerformanceArguments {
    /// Points scored
    #[arg(
        long,
        value_name = "POINTS",
        required_unless_present = "rated",
        allow_negative_numbers = true
    )]
    score: Option<f64>,
    /// Ratings of the opponents, one for each game
    #[arg(
        long,
        value_name = "RATING",
        num_args = 1..,
        required_unless_present_any = ["of_match", "rated"],
        allow_negative_numbers = true
    )]
    opponents: Vec<f64>,
    /// The player's own rating
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    own: Option<f64>,
    /// Proportion of games between equal players that are drawn, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.5, allow_negative_numbers = true)]
    draws: f64,
    /// Factor K of the new rating: points gained for each point scored above expectation. Needs
    /// --own or --match
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    k: Option<f64>,
    /// Number of players of a round robin. With --opponents, needs --own
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    players: Option<i64>,
    /// Ratings of the two players of a match, in which the first scored --score
    #[arg(
        long = "match",
        value_names = ["A", "B"],
        num_args = 2,
        requires = "games",
        conflicts_with_all = ["opponents", "own", "players", "rated"],
        allow_negative_numbers = true
    )]
    of_match: Option<Vec<f64>>,
    /// Number of games in the match
    #[arg(long, value_name = "NUMBER", requires = "of_match", allow_negative_numbers = true)]
    games: Option<i64>,
    /// Rated players of a round robin of --players, each as rating and points (2340:14)
    #[arg(
        long,
        value_name = "RATING:POINTS",
        num_args = 1..,
        requires = "players",
        conflicts_with_all = ["opponents", "own", "score", "k"]
    )]
    rated: Vec<RatingAndScore>,
    /// Points of unrated players of the same round robin, for their performance ratings
    #[arg(long, value_name = "POINTS", num_args = 1.., requires = "rated")]
    unrated: Vec<f64>,
    /// Number of games on which the established ratings of --rated rest
    #[arg(long, value_name = "NUMBER", default_value_t = 50, requires = "rated")]
    established: u32,
}

/// The range of K. Judged: published factors are from 10 to 40; far outside of them the number is
/// another flag's.
const K: std::ops::RangeInclusive<f64> = 1.0..=200.0;

impl PerformanceArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        for line in self.lines()? {
            outln!("{line}");
        }
        Ok(CommandOutcome::Done)
    }

    /// Checks the input and forms the lines of the output.
    fn lines(&self) -> anyhow::Result<Vec<String>> {
        if let Some(k) = self.k
            && !K.contains(&k)
        {
            bail!("--k must be from {} to {}; got {k}", K.start(), K.end());
        }
        if !self.rated.is_empty() {
            let players = self.round_robin_players()?.unwrap_or(0);
            if self.established == 0 {
                bail!("--established must be at least 1 game");
            }
            let (rated, unrated) = (&self.rated, &self.unrated);
            let established = f64::from(self.established);
            return RatedPlayers { rated, unrated, players, established }.lines();
        }
        let score = self.score.unwrap_or(0.0);
        if let Some(&[a, b]) = self.of_match.as_deref() {
            let games = check_games(self.games.unwrap_or(0))?;
            check_rating(a)?;
            check_rating(b)?;
            check_score(score, games)?;
            return Ok(MatchResult { ratings: [a, b], games, score, k: self.k }.lines());
        }
        let games = check_games(self.opponents.len() as i64)?;
        for rating in self.opponents.iter().chain(&self.own) {
            check_rating(*rating)?;
        }
        check_score(score, games)?;
        check_draws(self.draws)?;
        let players = self.round_robin_players()?;
        if self.own.is_none() && (self.k.is_some() || players.is_some()) {
            bail!("--k and --players need the player's own rating; give it with --own");
        }
        if let Some(players) = players
            && !games.is_multiple_of(players - 1)
        {
            bail!(
                "in a round robin of {players} players, each has {} or a multiple; --opponents has {}",
                counted(players - 1, "opponent"),
                counted(games, "rating")
            );
        }
        let (own, draws, k) = (self.own, self.draws, self.k);
        Ok(OpponentsScore { score, opponents: &self.opponents, own, draws, players, k }.lines())
    }

    /// The number of players of a round robin, if given.
    fn round_robin_players(&self) -> anyhow::Result<Option<usize>> {
        match self.players {
            Some(players) if players < 2 => {
                bail!("a round robin has at least two players; --players is {players}")
            }
            players => Ok(players.map(|players| players as usize)),
        }
    }
}
