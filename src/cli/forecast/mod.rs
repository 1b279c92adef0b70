//! Implements `greatness forecast`: the likely result of a match, and what ratings predicted for an
//! event.

mod by_system;
mod handicaps;
mod lines;
mod probabilities;

use std::hash::BuildHasher;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use jiff::civil::Date;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;
use serde_json::json;

use super::CommandOutcome;
use super::checks::{check_draws, check_games, check_rating};
use super::inputs::{ConfigArguments, KnowledgeArguments, NameArguments};
use super::logging;
use super::output::{counted, outln};
use crate::archive::{
    Curves, PlayerForecast, Selected, Settings, Silent, SystemSettings, read_ratings,
};
use crate::archive_reader;
use crate::forecasts::{
    Chances, Colours, ForecastGame, MatchForecast, PROBABLE, USUAL_ERROR, first_place, first_to,
    handicap, match_forecast,
};
use crate::hint::nearest;
use crate::players::{PersonName, fold};
use crate::ratings::Source;
use crate::systems::elo::formulas::Expectancy;
use crate::tournament::{self, EventPart, Kind};
use handicaps::{handicap_table, round_robin_table, swiss_table};
use lines::{first_to_lines, forecast_lines, outcome, row};
use probabilities::GivenChances;

/// Forecast a match, or show what ratings predicted for an event
///
/// For a match, prints the expected score with its standard deviation, the chances of winning,
/// drawing and losing, and the most likely score. For an event of the last build, prints each
/// player's expected score, how likely the actual score was, and the chance of winning the event.
/// Instead of ratings, --probabilities takes the chances of a game.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness forecast --match 2785 2660 --games 24
  greatness forecast --event vienna-1898")]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(super) struct ForecastArguments {
    /// Two ratings, or two names on the rating lists in force on --date
    #[arg(long = "match", value_names = ["A", "B"], num_args = 2, group = "what", allow_negative_numbers = true)]
    opponents: Option<Vec<String>>,
    /// Event of the last build (linares-1994)
    #[arg(long, value_name = "ID", group = "what")]
    event: Option<String>,
    /// Probabilities that A wins, draws and loses a game, instead of ratings. Their sum is 1
    #[arg(
        long,
        value_names = ["WIN", "DRAW", "LOSS"],
        num_args = 3,
        group = "what",
        conflicts_with_all = ["draws", "white_first", "worth", "curve", "date"],
        allow_negative_numbers = true
    )]
    probabilities: Option<Vec<f64>>,
    /// Score of A whose probability is printed, with --probabilities
    #[arg(long, value_name = "POINTS", requires = "probabilities", allow_negative_numbers = true)]
    score: Option<f64>,
    /// Print the handicaps, in points of the score, that the stronger player can give in matches
    #[arg(long, group = "what", conflicts_with_all = ["games", "wins", "draws", "white_first", "worth", "date", "format"])]
    handicaps: bool,
    /// With --handicaps: those in a round robin, by the number of players
    #[arg(long, requires = "handicaps", conflicts_with = "swiss")]
    round_robin: bool,
    /// With --handicaps: those in a Swiss event, by the number of rounds
    #[arg(long, requires = "handicaps")]
    swiss: bool,
    /// Number of games in the match
    #[arg(long, value_name = "NUMBER", default_value_t = 12, allow_negative_numbers = true)]
    games: i64,
    /// Number of wins that decides the match; draws do not count
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    wins: Option<i64>,
    /// Proportion of games between equal players that are drawn, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.5, allow_negative_numbers = true)]
    draws: f64,
    /// A has White in the first game, and colours alternate
    #[arg(long)]
    white_first: bool,
    /// Factor for the rating difference in a second forecast, printed on a separate line. The
    /// file worths.csv of a build gives the measured factor of each source
    #[arg(long, value_name = "PART", default_value_t = WORTH, allow_negative_numbers = true)]
    worth: f64,
    /// Curve that gives the expected score for a rating difference
    #[arg(long, value_enum, default_value_t = CurveArgument::Normal)]
    curve: CurveArgument,
    /// Day for which names are looked up on the rating lists (1972-07-11)
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// Rating system that forecasts the match from all games before --date, in place of ratings
    /// from lists (paired-and-published). It takes names only, and predicts the draws of the two
    #[arg(
        long,
        value_name = "SYSTEM",
        requires_all = ["opponents", "date"],
        conflicts_with_all = ["draws", "worth", "curve", "wins"]
    )]
    by: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = ForecastFormat::Text)]
    format: ForecastFormat,
    /// Folder of the archive in which events are looked up
    #[arg(long, value_name = "DIR", default_value = "reports/archive")]
    archive: PathBuf,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: KnowledgeArguments,
}

/// The curves of Elo's book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CurveArgument {
    /// The normal distribution
    Normal,
    /// The logistic distribution
    Logistic,
    /// The book's table with two decimals
    Table,
    /// The straight line
    Linear,
}

impl CurveArgument {
    fn expectancy(self) -> Expectancy {
        match self {
            CurveArgument::Normal => Expectancy::Normal,
            CurveArgument::Logistic => Expectancy::Logistic,
            CurveArgument::Table => Expectancy::Table,
            CurveArgument::Linear => Expectancy::Linear,
        }
    }
}

/// What to print
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ForecastFormat {
    /// A table for reading
    Text,
    /// All figures, as JSON
    Json,
}

/// The possible numbers of wins that decide a match. Judged: no match was longer, and the work
/// grows with the square of the number.
const WINS: std::ops::RangeInclusive<i64> = 1..=500;

/// The number of simulations from which chances of the first place are estimated. Judged: a chance
/// of 50% then has a standard error of 0.16 points, about what the printed decimal shows; a quarter
/// as many would double it.
const DRAWS: usize = 100_000;

/// The factor by which a difference on FIDE's lists predicted the scores of the bundled games best.
/// Measured: `worths.csv` of a build has it for each source.
const WORTH: f64 = 0.863;

/// The possible factors. Judged: measured ones are near 1; 0 shows a match of equals.
const WORTHS: std::ops::RangeInclusive<f64> = 0.0..=5.0;

/// A player of the match, with a rating (points).
struct Opponent {
    name: String,
    rating: f64,
}

/// The parts of an event's document from which it is forecast.
#[derive(Debug, Deserialize)]
struct StoredForecast {
    name: String,
    input: tournament::Event,
    rating_source: String,
    draws_between_equals: f64,
    white_advantage: f64,
    players: Vec<ForecastPlayer>,
}

#[derive(Debug, Deserialize)]
struct ForecastPlayer {
    name: String,
    forecast: Option<PlayerForecast>,
}

impl ForecastArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        match (&self.opponents, &self.event, &self.probabilities) {
            (Some(opponents), ..) => self.forecast_match(opponents)?,
            (None, Some(id), _) => self.forecast_event(id)?,
            (None, None, Some(parts)) => self.forecast_from_probabilities(parts)?,
            (None, None, None) if self.handicaps => {
                let lines = match (self.round_robin, self.swiss) {
                    (true, _) => round_robin_table(),
                    (_, true) => swiss_table(),
                    _ => handicap_table(self.curve.expectancy()),
                };
                for line in lines {
                    outln!("{line}");
                }
            }
            (None, None, None) => bail!("nothing to forecast; give --match or --event"),
        }
        Ok(CommandOutcome::Done)
    }

    fn forecast_match(&self, opponents: &[String]) -> anyhow::Result<()> {
        let games = check_games(self.games)?;
        check_draws(self.draws)?;
        if !WORTHS.contains(&self.worth) {
            bail!(
                "--worth must be from {} to {}; got {}",
                WORTHS.start(),
                WORTHS.end(),
                self.worth
            );
        }
        let _ = self.decisive_wins()?;
        if let Some(word) = &self.by {
            return self.forecast_match_by(word, opponents, games);
        }
        let rated = self.rated(opponents)?;
        let [a, b] = &rated[..] else {
            bail!("a match needs two players; give two ratings or two names")
        };
        check_rating(a.rating)?;
        check_rating(b.rating)?;
        let difference = a.rating - b.rating;
        let found = self.forecast(difference, games);
        let expected = self.curve.expectancy().expected(difference);
        match self.format {
            ForecastFormat::Text => {
                for line in self.lines(a, b, games, &found, expected) {
                    outln!("{line}");
                }
            }
            ForecastFormat::Json => outln!("{}", self.json(a, b, games, &found, expected)),
        }
        Ok(())
    }

    /// The number of wins that decides the match, if given.
    fn decisive_wins(&self) -> anyhow::Result<Option<u32>> {
        match self.wins {
            Some(wins) if !WINS.contains(&wins) => {
                bail!("--wins must be from {} to {}; got {wins}", WINS.start(), WINS.end())
            }
            wins => Ok(wins.map(|wins| wins as u32)),
        }
    }

    /// Forecasts a match from the probabilities of a game.
    fn forecast_from_probabilities(&self, parts: &[f64]) -> anyhow::Result<()> {
        let games = check_games(self.games)?;
        let wins = self.decisive_wins()?;
        let given = GivenChances::new(parts, games, self.score, wins)?;
        match self.format {
            ForecastFormat::Text => {
                for line in given.lines() {
                    outln!("{line}");
                }
            }
            ForecastFormat::Json => outln!("{}", given.json()),
        }
        Ok(())
    }

    /// The chances of each game of a match, at a rating difference in points.
    fn chances(&self, difference: f64, games: usize) -> Vec<Chances> {
        let curve = self.curve.expectancy();
        (0..games)
            .map(|game| {
                let has_white = self.white_first.then_some(game.is_multiple_of(2));
                let expected = Colours::BOOK.expected(curve, difference, has_white);
                Chances::new(expected, self.draws)
            })
            .collect()
    }

    fn forecast(&self, difference: f64, games: usize) -> MatchForecast {
        match_forecast(&self.chances(difference, games))
    }

    fn lines(
        &self,
        a: &Opponent,
        b: &Opponent,
        games: usize,
        found: &MatchForecast,
        expected: f64,
    ) -> Vec<String> {
        let difference = a.rating - b.rating;
        let mut lines = vec![
            format!(
                "{} ({:.0}) against {} ({:.0}), {}",
                a.name,
                a.rating,
                b.name,
                b.rating,
                counted(games, "game")
            ),
            row("a game", format!("{expected:.4}; odds {:.2} to 1", expected / (1.0 - expected))),
        ];
        lines.extend(forecast_lines(found));
        // The probable error of the difference of two ratings, each with the usual error.
        let off = PROBABLE * USUAL_ERROR * std::f64::consts::SQRT_2;
        for (name, by) in
            [("if the difference is less by", -off), ("if the difference is more by", off)]
        {
            let other = self.forecast(difference + by, games);
            lines.push(row(
                &format!("{name} {off:.0}"),
                format!("{:.2}; {}", other.scores.mean(), outcome(&other)),
            ));
        }
        let worth = self.forecast(self.worth * difference, games);
        lines.push(row(
            &format!("if the difference counts {:.2}", self.worth),
            format!("{:.2}; {}", worth.scores.mean(), outcome(&worth)),
        ));
        lines.push(row(
            "handicap, points of the score",
            format!("{:.2}", handicap(expected, games as u32).max(0.0)),
        ));
        if let Some(wins) = self.wins {
            let first = first_to(wins as u32, Chances::new(expected, self.draws));
            lines.extend(first_to_lines(wins as u32, &first));
        }
        lines
    }

    fn json(
        &self,
        a: &Opponent,
        b: &Opponent,
        games: usize,
        found: &MatchForecast,
        expected: f64,
    ) -> serde_json::Value {
        let first = self.wins.map(|wins| {
            let first = first_to(wins as u32, Chances::new(expected, self.draws));
            json!({
                "wins": wins, "win": first.win, "level": first.level,
                "decisive_games": first.decisive_games, "games": first.games,
            })
        });
        let (low, high) = found.scores.middle_half();
        let worth = self.forecast(self.worth * (a.rating - b.rating), games);
        json!({
            "players": [{"name": a.name, "rating": a.rating}, {"name": b.name, "rating": b.rating}],
            "games": games, "draws": self.draws, "curve": self.curve.expectancy().word(),
            "expected_score": expected, "expected": found.scores.mean(), "sigma": found.scores.sigma(),
            "win": found.win, "draw": found.draw, "loss": found.loss,
            "likeliest": found.scores.likeliest(), "middle_half": [low, high],
            "games_until_decided": found.games_until_decided,
            "handicap": handicap(expected, games as u32),
            "scores": found.scores.chances(), "first_to": first,
            "if_worth": {
                "part": self.worth, "expected": worth.scores.mean(), "sigma": worth.scores.sigma(),
                "win": worth.win, "draw": worth.draw, "loss": worth.loss,
            },
        })
    }

    /// The two players with their ratings: those given, or those on the lists of the date.
    fn rated(&self, opponents: &[String]) -> anyhow::Result<Vec<Opponent>> {
        let numbers: Vec<Option<f64>> = opponents.iter().map(|text| text.parse().ok()).collect();
        if let [Some(a), Some(b)] = numbers[..] {
            return Ok(vec![
                Opponent { name: "A".into(), rating: a },
                Opponent { name: "B".into(), rating: b },
            ]);
        }
        let date = self.day()?;
        let settings = self.settings()?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Silent, &mut diagnostics)?;
        let sources =
            read_ratings(&settings.input, &settings.ratings, &games, None, &mut diagnostics);
        super::build::report(&diagnostics);
        on_lists(opponents, &numbers, date, &sources)
    }

    /// The day on which names are looked up.
    fn day(&self) -> anyhow::Result<Date> {
        let date = self.date.as_deref().ok_or_else(|| {
            anyhow!("names are looked up on the rating lists of a day; give it with --date, as in --date 1972-07-11")
        })?;
        date.parse()
            .with_context(|| format!("--date {date} is not a day; write it like 1972-07-11"))
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings: Settings = self.config.settings(&[])?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        Ok(settings.with_bundled_data(&super::bundled_data()?)?)
    }

    fn forecast_event(&self, id: &str) -> anyhow::Result<()> {
        let text =
            archive_reader::read(&self.archive, id).map_err(|reason| anyhow!("{id}: {reason}"))?;
        let stored: StoredForecast = serde_json::from_str(&text).with_context(|| {
            format!(
                "{id} was written by another version of the program; run `greatness build` again"
            )
        })?;
        let known: Vec<f64> =
            stored.input.players.iter().filter_map(|player| player.initial_rating).collect();
        let forecast = stored.players.iter().filter(|player| player.forecast.is_some()).count();
        if known.len() < 2 || forecast == 0 {
            bail!("{id}: nothing to forecast: fewer than two ratings were known before the event");
        }
        let first = stored.chances_of_first_place(&known, FxBuildHasher.hash_one(id));
        match self.format {
            ForecastFormat::Json => outln!("{}", stored.json(id, first.as_deref())),
            ForecastFormat::Text => stored.print(known.len(), first.as_deref()),
        }
        Ok(())
    }
}

/// The largest number of games that are simulated for one event, over all simulations. Judged: only
/// events of more than 300 games have fewer simulations, and the time stays in proportion to it.
const MOST_SIMULATED_GAMES: usize = 30_000_000;

impl StoredForecast {
    /// The chance of each player, in `[0, 1]`, to win the event, by the players' numbers. A player
    /// whose rating is unknown has the mean of the known ones. `None` where points do not decide
    /// who wins: who is paired with whom in a knock-out depends on the results, and teams win by
    /// boards.
    fn chances_of_first_place(&self, known: &[f64], seed: u64) -> Option<Vec<f64>> {
        if matches!(self.input.kind, Kind::KnockOut | Kind::Team | Kind::Fragment) {
            return None;
        }
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let players = self.input.players.iter();
        let ratings: Vec<f64> =
            players.map(|player| player.initial_rating.unwrap_or(mean)).collect();
        let curves = Curves::from_settings(&SystemSettings::default());
        let curve = curves.number(&self.rating_source);
        let mut points = vec![0.0; ratings.len()];
        let mut games = Vec::new();
        for game in self.input.games.iter().filter(|game| game.part != EventPart::PlayOff) {
            if !game.played {
                points[game.white] += game.white_score;
                points[game.black] += 1.0 - game.white_score;
                continue;
            }
            let ahead = ratings[game.white] - ratings[game.black] + self.white_advantage;
            let expected = curves.expected(curve, ahead);
            let chances = Chances::new(expected, self.draws_between_equals);
            games.push(ForecastGame { white: game.white, black: game.black, chances });
        }
        let draws = DRAWS.min(MOST_SIMULATED_GAMES / games.len().max(1));
        Some(first_place(&points, &games, draws, seed))
    }

    /// The chance of a player to win the event, from the chances by the players' numbers.
    fn first_of(&self, first: Option<&[f64]>, name: &str) -> Option<f64> {
        let place = self.input.players.iter().position(|player| player.name == name)?;
        first?.get(place).copied()
    }

    fn json(&self, id: &str, first: Option<&[f64]>) -> serde_json::Value {
        let players: Vec<serde_json::Value> = self
            .players
            .iter()
            .map(|player| {
                let first = self.first_of(first, &player.name);
                json!({"name": player.name, "forecast": player.forecast, "first": first})
            })
            .collect();
        json!({
            "event_id": id, "name": self.name, "draws_between_equals": self.draws_between_equals,
            "white_advantage": self.white_advantage, "players": players,
        })
    }

    /// Prints the forecast as a table; `known` is the number of players whose ratings are known.
    fn print(&self, known: usize, first: Option<&[f64]>) {
        outln!("{}", self.name);
        outln!(
            "{:.0}% of the games between equals drawn, {} for White",
            100.0 * self.draws_between_equals,
            match self.white_advantage {
                0.0 => "nothing".to_owned(),
                white => format!("{white:.0} points"),
            }
        );
        let unknown = self.input.players.len() - known;
        if unknown > 0 {
            let verb = if unknown == 1 { "is" } else { "are" };
            outln!(
                "{} {verb} unknown; the chances of first place use the mean of the others instead",
                counted(unknown, "rating")
            );
        }
        outln!(
            "{:<28}{:>6}{:>10}{:>8}{:>7}{:>9}{:>8}",
            "",
            "scored",
            "expected",
            "sigma",
            "z",
            "chance",
            "first"
        );
        for player in &self.players {
            let name: String = player.name.chars().take(27).collect();
            let first = self.first_of(first, &player.name);
            let first = first.map(|first| format!("{:.1}%", 100.0 * first)).unwrap_or_default();
            match player.forecast.as_ref().map(|forecast| forecast.predicted) {
                Some(found) => outln!(
                    "{name:<28}{:>6}{:>10.2}{:>8.2}{:>7}{:>8.2}%{first:>8}",
                    found.score,
                    found.expected,
                    found.sigma,
                    found.z.map(|z| format!("{z:.2}")).unwrap_or_default(),
                    100.0 * found.chance_with_error,
                ),
                None => outln!("{name:<28}{:>40}{first:>8}", "no forecast"),
            }
        }
    }
}

/// Finds both players on the first list of a day that has both, so that their ratings share a
/// scale. A player given as a number keeps that rating.
fn on_lists(
    opponents: &[String],
    numbers: &[Option<f64>],
    date: Date,
    sources: &[Source],
) -> anyhow::Result<Vec<Opponent>> {
    let editions = sources.iter().filter_map(|source| match source {
        Source::List(list) => list.in_force(date).map(|edition| (&list.system, edition)),
        Source::Tags(_) => None,
    });
    let mut known = vec![false; opponents.len()];
    let mut names: Vec<String> = Vec::new();
    for (system, edition) in editions {
        let mut rated = Vec::new();
        for (place, (text, number)) in opponents.iter().zip(numbers).enumerate() {
            if let Some(rating) = number {
                rated.push(Opponent { name: text.clone(), rating: *rating });
                continue;
            }
            let wanted = fold(text);
            let found = edition.find(&PersonName::readings(text)).or_else(|| {
                edition.best().find(|listed| {
                    fold(listed.name.split(',').next().unwrap_or_default()) == wanted
                })
            });
            if let Some(listed) = found {
                known[place] = true;
                rated.push(Opponent { name: listed.name.to_owned(), rating: listed.rating });
            }
        }
        if rated.len() == opponents.len() {
            logging::say(&format!("ratings: {system}, list of {}", edition.day));
            return Ok(rated);
        }
        names.extend(edition.best().map(|listed| listed.name.to_owned()));
    }
    let places = opponents.iter().zip(numbers).zip(&known);
    let missing = places.filter(|((_, number), known)| number.is_none() && !**known);
    if let Some(((name, _), _)) = missing.into_iter().next() {
        let hint = nearest(name, names.iter().map(String::as_str))
            .map(|hint| format!("; did you mean {hint}?"))
            .unwrap_or_default();
        bail!("{name} is on no rating list of {date}{hint}");
    }
    bail!(
        "no rating list of {date} has both players, and ratings of two lists have different scales; give both ratings as numbers"
    )
}
