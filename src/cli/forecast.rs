//! `greatness forecast`: what a match is likely to bring, and what the ratings foretold of an event.

use std::hash::BuildHasher;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use jiff::civil::Date;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;
use serde_json::json;

use super::Outcome;
use super::checks::{check_draws, check_games, check_rating};
use super::inputs::{Config, Knowledge, Names};
use super::logging;
use super::output::tell;
use crate::archive::{Curves, PlayerForecast, Selected, Settings, Silent, read_ratings};
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

/// Tell what a match is likely to bring, or what the ratings foretold of an event.
///
/// Of a match: the expected score, how far it may be off, the chances to win, draw and lose, the likeliest score. Of an
/// event of the last build: what was expected of everybody, how likely his score was, and his chance to win.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(super) struct Forecast {
    /// Two ratings, or two names on the lists of the date
    #[arg(long = "match", value_names = ["A", "B"], num_args = 2, group = "what", allow_negative_numbers = true)]
    opponents: Option<Vec<String>>,
    /// Event of the last build (linares-1994)
    #[arg(long, value_name = "ID", group = "what")]
    event: Option<String>,
    /// Games of the match
    #[arg(long, value_name = "NUMBER", default_value_t = 12, allow_negative_numbers = true)]
    games: i64,
    /// Who first wins so many games wins the match, draws not counting
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    wins: Option<i64>,
    /// Part of the games between equals that are drawn, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.5, allow_negative_numbers = true)]
    draws: f64,
    /// A has White in the first game, and the colours change
    #[arg(long)]
    white_first: bool,
    /// What a point of difference is worth of its face, for a line of its own: worths.csv of a build tells it by source
    #[arg(long, value_name = "PART", default_value_t = WORTH, allow_negative_numbers = true)]
    worth: f64,
    /// What a difference in ratings lets expect
    #[arg(long, value_enum, default_value_t = Curve::Normal)]
    curve: Curve,
    /// The day of the lists in which names are looked up (1972-07-11)
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Folder of the archive in which events are looked up
    #[arg(long, value_name = "DIR", default_value = "reports/archive")]
    archive: PathBuf,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    knowledge: Knowledge,
}

/// The curves of Elo's book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Curve {
    /// The normal one
    Normal,
    /// The logistic one
    Logistic,
    /// The book's table of two decimals
    Table,
    /// The straight line
    Linear,
}

impl Curve {
    fn expectancy(self) -> Expectancy {
        match self {
            Curve::Normal => Expectancy::Normal,
            Curve::Logistic => Expectancy::Logistic,
            Curve::Table => Expectancy::Table,
            Curve::Linear => Expectancy::Linear,
        }
    }
}

/// What to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for people
    Text,
    /// Everything
    Json,
}

/// Wins that decide a match.
const WINS: std::ops::RangeInclusive<i64> = 1..=500;

/// Draws by which chances of the first place are found.
const DRAWS: usize = 100_000;

/// What a difference on FIDE's lists was worth of its face in the bundled games: so much of it foretold their scores best.
const WORTH: f64 = 0.863;

/// What it may be.
const WORTHS: std::ops::RangeInclusive<f64> = 0.0..=5.0;

/// Somebody with a rating.
struct Rated {
    name: String,
    rating: f64,
}

/// The parts of an event's document from which it is forecast.
#[derive(Debug, Deserialize)]
struct Stored {
    name: String,
    input: tournament::Event,
    rating_source: String,
    draws_between_equals: f64,
    white_advantage: f64,
    players: Vec<StoredPlayer>,
}

#[derive(Debug, Deserialize)]
struct StoredPlayer {
    name: String,
    forecast: Option<PlayerForecast>,
}

impl Forecast {
    pub fn run(self) -> anyhow::Result<Outcome> {
        match (&self.opponents, &self.event) {
            (Some(opponents), _) => self.of_match(opponents)?,
            (None, Some(id)) => self.of_event(id)?,
            (None, None) => bail!("nothing to forecast: give --match or --event"),
        }
        Ok(Outcome::Done)
    }

    fn of_match(&self, opponents: &[String]) -> anyhow::Result<()> {
        let games = check_games(self.games)?;
        check_draws(self.draws)?;
        if !WORTHS.contains(&self.worth) {
            bail!("--worth is {} to {}; got {}", WORTHS.start(), WORTHS.end(), self.worth);
        }
        if let Some(wins) = self.wins
            && !WINS.contains(&wins)
        {
            bail!("--wins is {} to {}; got {wins}", WINS.start(), WINS.end());
        }
        let rated = self.rated(opponents)?;
        let [a, b] = &rated[..] else { bail!("a match is between two") };
        check_rating(a.rating)?;
        check_rating(b.rating)?;
        let difference = a.rating - b.rating;
        let found = self.forecast(difference, games);
        let expected = self.curve.expectancy().expected(difference);
        match self.format {
            Format::Text => {
                for line in self.lines(a, b, games, &found, expected) {
                    tell!("{line}");
                }
            }
            Format::Json => tell!("{}", self.json(a, b, games, &found, expected)),
        }
        Ok(())
    }

    /// The games of a match at a difference (points).
    fn chances(&self, difference: f64, games: usize) -> Vec<Chances> {
        let colours = |game: usize| self.white_first.then_some(game.is_multiple_of(2));
        let curve = self.curve.expectancy();
        (0..games)
            .map(|game| {
                let expected = Colours::BOOK.expected(curve, difference, colours(game));
                Chances::of(expected, self.draws)
            })
            .collect()
    }

    fn forecast(&self, difference: f64, games: usize) -> MatchForecast {
        match_forecast(&self.chances(difference, games))
    }

    fn lines(
        &self,
        a: &Rated,
        b: &Rated,
        games: usize,
        found: &MatchForecast,
        expected: f64,
    ) -> Vec<String> {
        let row = |name: &str, value: String| format!("{name:<34}{value}");
        let percent = |part: f64| format!("{:.2}%", 100.0 * part);
        let difference = a.rating - b.rating;
        let sigma = found.scores.sigma();
        let mut lines = vec![
            format!(
                "{} ({:.0}) against {} ({:.0}), {games} games",
                a.name, a.rating, b.name, b.rating
            ),
            row("a game", format!("{expected:.4}; odds {:.2} to 1", expected / (1.0 - expected))),
            row(
                "expected score",
                format!(
                    "{:.2}, give or take {sigma:.2} (probable error {:.2})",
                    found.scores.mean(),
                    PROBABLE * sigma
                ),
            ),
            row("chance to win, draw, lose", outcome(found)),
        ];
        let likeliest = found.scores.likeliest();
        let place = (2.0 * likeliest) as usize;
        let chance = found.scores.chances().get(place).copied().unwrap_or(0.0);
        lines.push(row("likeliest score", format!("{likeliest} ({})", percent(chance))));
        let (low, high) = found.scores.middle_half();
        lines.push(row("half of all scores lie from", format!("{low} to {high}")));
        lines.push(row("games until decided", format!("{:.1}", found.games_until_decided)));
        // The error of a difference of two ratings that are each as sure as usual.
        let off = PROBABLE * USUAL_ERROR * std::f64::consts::SQRT_2;
        for (name, by) in [("if the difference is less by", -off), ("if it is more by", off)] {
            let other = self.forecast(difference + by, games);
            lines.push(row(
                &format!("{name} {off:.0}"),
                format!("{:.2}; {}", other.scores.mean(), outcome(&other)),
            ));
        }
        let worth = self.forecast(self.worth * difference, games);
        lines.push(row(
            &format!("if a point is worth {:.2}", self.worth),
            format!("{:.2}; {}", worth.scores.mean(), outcome(&worth)),
        ));
        lines.push(row(
            "handicap, points of the score",
            format!("{:.2}", handicap(expected, games as u32).max(0.0)),
        ));
        if let Some(wins) = self.wins {
            let game = Chances::of(expected, self.draws);
            let first = first_to(wins as u32, game);
            lines.push(row(
                &format!("first to {wins} wins"),
                format!("{} against {}", percent(first.win), percent(1.0 - first.win)),
            ));
            lines.push(row(&format!("  {0}-{0} on the way", wins - 1), percent(first.level)));
            let length = match first.games.is_finite() {
                true => format!("{:.2} decided, {:.1} in all", first.decisive_games, first.games),
                false => "without end: every game is drawn".to_owned(),
            };
            lines.push(row("  games", length));
        }
        lines
    }

    fn json(
        &self,
        a: &Rated,
        b: &Rated,
        games: usize,
        found: &MatchForecast,
        expected: f64,
    ) -> serde_json::Value {
        let first = self.wins.map(|wins| {
            let first = first_to(wins as u32, Chances::of(expected, self.draws));
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

    /// The two, with their ratings: as given, or of the lists of the date.
    fn rated(&self, opponents: &[String]) -> anyhow::Result<Vec<Rated>> {
        let numbers: Vec<Option<f64>> = opponents.iter().map(|text| text.parse().ok()).collect();
        if let [Some(a), Some(b)] = numbers[..] {
            return Ok(vec![
                Rated { name: "A".into(), rating: a },
                Rated { name: "B".into(), rating: b },
            ]);
        }
        let date = self.date.as_deref().ok_or_else(|| {
            anyhow!("names are looked up on the lists of a day: give it with --date 1972-07-11")
        })?;
        let date: Date = date
            .parse()
            .with_context(|| format!("--date {date} is no day; write it like 1972-07-11"))?;
        let mut settings: Settings = self.config.settings(&[])?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        let settings = settings.with_bundled_data(&super::bundled_data()?)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings, &Silent, &mut diagnostics)?;
        let sources = read_ratings(&settings, &games, None, &mut diagnostics);
        super::build::report(&diagnostics);
        on_lists(opponents, &numbers, date, &sources)
    }

    fn of_event(&self, id: &str) -> anyhow::Result<()> {
        let text =
            archive_reader::read(&self.archive, id).map_err(|reason| anyhow!("{id}: {reason}"))?;
        let stored: Stored = serde_json::from_str(&text)
            .with_context(|| format!("{id} was written by another version; build again"))?;
        let known: Vec<f64> =
            stored.input.players.iter().filter_map(|player| player.initial_rating).collect();
        let foretold = stored.players.iter().filter(|player| player.forecast.is_some()).count();
        if known.len() < 2 || foretold == 0 {
            bail!("{id}: nothing to forecast: fewer than two ratings were known before the event");
        }
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let ratings: Vec<f64> = stored
            .input
            .players
            .iter()
            .map(|player| player.initial_rating.unwrap_or(mean))
            .collect();
        let curves = Curves::of(&Settings::default());
        let curve = curves.number(&stored.rating_source);
        let mut points = vec![0.0; ratings.len()];
        let mut games = Vec::new();
        for game in stored.input.games.iter().filter(|game| game.part != EventPart::PlayOff) {
            if !game.played {
                points[game.white] += game.white_score;
                points[game.black] += 1.0 - game.white_score;
                continue;
            }
            let ahead = ratings[game.white] - ratings[game.black] + stored.white_advantage;
            let expected = curves.expected(curve, ahead);
            let chances = Chances::of(expected, stored.draws_between_equals);
            games.push(ForecastGame { white: game.white, black: game.black, chances });
        }
        // Who was paired with whom in a knock-out, and how often, tells who went on; teams win by boards.
        let is_by_points =
            !matches!(stored.input.kind, Kind::KnockOut | Kind::Team | Kind::Fragment);
        // No more than so many games are drawn in all.
        const MOST: usize = 30_000_000;
        let draws = if is_by_points { DRAWS.min(MOST / games.len().max(1)) } else { 0 };
        let first = first_place(&points, &games, draws, FxBuildHasher.hash_one(id));
        let of_name = |name: &str| {
            let place = stored.input.players.iter().position(|player| player.name == name);
            place.filter(|_| is_by_points).map(|place| first[place])
        };
        let percent = |name: &str| {
            of_name(name).map(|first| format!("{:.1}%", 100.0 * first)).unwrap_or_default()
        };
        if self.format == Format::Json {
            let players: Vec<serde_json::Value> = stored
                .players
                .iter()
                .map(|player| {
                    json!({"name": player.name, "forecast": player.forecast, "first": of_name(&player.name)})
                })
                .collect();
            tell!(
                "{}",
                json!({
                    "event_id": id, "name": stored.name, "draws_between_equals": stored.draws_between_equals,
                    "white_advantage": stored.white_advantage, "players": players,
                })
            );
            return Ok(());
        }
        tell!("{}", stored.name);
        tell!(
            "{:.0}% of the games between equals drawn, {} for White",
            100.0 * stored.draws_between_equals,
            match stored.white_advantage {
                0.0 => "nothing".to_owned(),
                white => format!("{white:.0} points"),
            }
        );
        let unknown = ratings.len() - known.len();
        if unknown > 0 {
            tell!(
                "{unknown} ratings were not known before; for the chances of the first place the mean of the others stands in"
            );
        }
        tell!(
            "{:<28}{:>6}{:>10}{:>8}{:>7}{:>9}{:>8}",
            "",
            "scored",
            "expected",
            "sigma",
            "z",
            "chance",
            "first"
        );
        for player in &stored.players {
            let name: String = player.name.chars().take(27).collect();
            let first = percent(&player.name);
            match player.forecast.as_ref().map(|forecast| forecast.foretold) {
                Some(found) => tell!(
                    "{name:<28}{:>6}{:>10.2}{:>8.2}{:>7}{:>8.2}%{first:>8}",
                    found.score,
                    found.expected,
                    found.sigma,
                    found.z.map(|z| format!("{z:.2}")).unwrap_or_default(),
                    100.0 * found.chance_with_error,
                ),
                None => tell!("{name:<28}{:>40}{first:>8}", "too little known"),
            }
        }
        Ok(())
    }
}

fn outcome(found: &MatchForecast) -> String {
    let percent = |part: f64| format!("{:.2}%", 100.0 * part);
    format!("{}, {}, {}", percent(found.win), percent(found.draw), percent(found.loss))
}

/// The two on the first list of a day that has both, so that their ratings have one scale; whoever has a number keeps it.
fn on_lists(
    opponents: &[String],
    numbers: &[Option<f64>],
    date: Date,
    sources: &[Source],
) -> anyhow::Result<Vec<Rated>> {
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
                rated.push(Rated { name: text.clone(), rating: *rating });
                continue;
            }
            let wanted = fold(text);
            let surname = |listed: &str| fold(listed.split(',').next().unwrap_or_default());
            let found = edition
                .find(&PersonName::readings(text))
                .or_else(|| edition.best().find(|listed| surname(listed.name) == wanted));
            if let Some(listed) = found {
                known[place] = true;
                rated.push(Rated { name: listed.name.to_owned(), rating: listed.rating });
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
        bail!("{name} is on no list of {date}{hint}");
    }
    bail!("no list of {date} has both: their ratings would be of different scales")
}
