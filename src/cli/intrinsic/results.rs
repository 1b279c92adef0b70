//! Rates sets of turns and prints the ratings.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use thiserror::Error;

use super::super::logging;
use super::super::output::{counted, outln};
use super::selection::ChosenGames;
use crate::archive::{MeasuredSet, Settings, measured_sets};
use crate::games::GameTable;
use crate::intrinsic::{
    ALL_TURNS, AnsweredGame, Calibration, FEWEST_TURNS, GameSide, MeanTerm, MeasuredGame, Method,
    MoveQuality, Movers, PUBLISHED_ENGINE, RatingLine, RatingMeans, TurnDivision, TurnSet,
    turn_sets,
};
use crate::parquet::read_calibration;
use crate::systems::elo::formulas::{Expectancy, exact_performance};

/// The flags that decide how turns are rated and how ratings are printed.
#[derive(Debug, Args)]
pub(super) struct ResultsArguments {
    /// Calibration of the engine, which converts errors to Elo points [default: the bundled
    /// calibration, if it is for this engine and these settings]
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Method by which skills are estimated: matched, likelihood or percentiles [default: the
    /// calibration's]
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Option<Method>,
    /// Line that converts expected errors to ratings
    #[arg(long, value_enum, default_value_t = LineArgument::Own)]
    line: LineArgument,
    /// How the ratings are printed
    #[arg(long, value_enum, default_value_t = ResultsFormat::Text)]
    format: ResultsFormat,
}

/// The line that converts expected errors to ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LineArgument {
    /// The line of the engine's calibration
    Own,
    /// Regan's line of 2012, IPR = 3571 - 15413 AE. It belongs to another engine, so its ratings
    /// are for comparison only
    Published,
}

/// How the ratings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ResultsFormat {
    /// A line for each set, for reading
    Text,
    /// All figures as JSON, an object for each set
    Json,
    /// All figures as CSV, a row for each set
    Csv,
}

#[derive(Debug, Error)]
#[error("{0}")]
struct UnknownMethod(String);

/// Reads a method by its word.
fn method(word: &str) -> Result<Method, UnknownMethod> {
    let words = Method::ALL.map(Method::word);
    Method::of_word(word).ok_or_else(|| UnknownMethod(crate::hint::no_such("method", word, &words)))
}

impl ResultsArguments {
    /// Reads the calibrations of the settings. They are read before the work, so that a misspelt
    /// name is reported at once.
    ///
    /// # Errors
    ///
    /// Fails if a calibration cannot be read.
    pub fn calibrations(&self, settings: &mut Settings) -> anyhow::Result<Vec<Calibration>> {
        if let Some(path) = &self.calibration {
            settings.input.calibration = vec![path.clone()];
        }
        let read = settings.input.calibration.iter().map(|path| read_calibration(path));
        Ok(read.collect::<Result<_, _>>()?)
    }

    /// The calibration of an engine, with the method and the line that the flags name.
    pub fn calibration(&self, known: Vec<Calibration>, engine: &str) -> Calibration {
        let known = known.into_iter().find(|known| known.engine == engine);
        let mut calibration = known.unwrap_or_else(|| {
            logging::say("no calibration for this engine with these settings, so errors give no ratings; make one with `greatness intrinsic calibrate`");
            Calibration::none(engine)
        });
        if let Some(method) = self.method.filter(|method| *method != calibration.method()) {
            let consequence = match self.line {
                LineArgument::Own => ", and give no ratings",
                LineArgument::Published => "",
            };
            logging::say(&format!(
                "the calibration uses the method {}; skills are estimated by {}{consequence}",
                calibration.method,
                method.word()
            ));
            calibration.method = method.word().to_owned();
            calibration.line = None;
        }
        match self.line {
            LineArgument::Own => calibration,
            LineArgument::Published => calibration.with_published_line(),
        }
    }

    /// Rates the chosen games and prints the ratings. `answered` are the games with their values,
    /// each with its row in the table of games.
    ///
    /// # Errors
    ///
    /// Fails if the table of results cannot be made.
    pub fn print(
        &self,
        answered: &[(usize, &AnsweredGame)],
        games: &GameTable,
        chosen: &ChosenGames,
        calibration: &Calibration,
    ) -> anyhow::Result<()> {
        let measured: Vec<MeasuredGame<'_>> =
            answered.iter().map(|(row, game)| measured_game(*row, game, games)).collect();
        let (sets, few) =
            without_short_sets(turn_sets(&measured, chosen.division, chosen.focus.as_deref()));
        let sets = rate_sets(sets, calibration);
        let total = set_of_all_turns(&sets, answered, &measured, chosen.division)
            .and_then(|total| rate_sets(vec![total], calibration).pop());
        match self.format {
            ResultsFormat::Text => {
                for line in self.lines(&sets, total.as_ref(), chosen.division) {
                    outln!("{line}");
                }
                if few > 0 {
                    outln!(
                        "{} with fewer than {FEWEST_TURNS} turns not listed",
                        counted(few, "player")
                    );
                }
            }
            ResultsFormat::Json | ResultsFormat::Csv => {
                let rows: Vec<MeasuredSet> = sets.into_iter().chain(total).collect();
                let table = measured_sets(&rows, calibration, &self.line_in_words());
                let mut text = Vec::new();
                match self.format {
                    ResultsFormat::Csv => table.write_csv_to(&mut text, true)?,
                    _ => table.write_json_to(&mut text)?,
                }
                outln!("{}", String::from_utf8_lossy(&text).trim_end());
            }
        }
        Ok(())
    }

    /// Prints the path of the table of turns: after a text on standard output, otherwise with the
    /// messages, so that the output is only JSON or CSV.
    pub fn print_path(&self, path: &std::path::Path) {
        match self.format {
            ResultsFormat::Text => outln!("{}", path.display()),
            _ => logging::say(&path.display().to_string()),
        }
    }

    /// What the column `line` says.
    fn line_in_words(&self) -> String {
        match self.line {
            LineArgument::Own => "own".to_owned(),
            LineArgument::Published => {
                format!("published for {PUBLISHED_ENGINE}, for comparison only")
            }
        }
    }

    /// The ratings in words.
    fn lines(
        &self,
        sets: &[MeasuredSet],
        total: Option<&MeasuredSet>,
        division: TurnDivision,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        if self.line == LineArgument::Published {
            let RatingLine { intercept, slope } = RatingLine::PUBLISHED;
            lines.push(format!(
                "ratings by the published line IPR = {intercept:.0} - {:.0} AE, which belongs to {PUBLISHED_ENGINE}; for comparison only",
                slope.abs()
            ));
        }
        for set in sets {
            let label = match set.player.as_str() {
                "" => label(&set.set, division),
                player => format!("  {player}"),
            };
            lines.push(format!("{label}: {}", in_words(&set.moves, set.performance)));
        }
        let Some(total) = total else { return lines };
        lines.push(format!("all together: {}", in_words(&total.moves, None)));
        let terms: Vec<MeanTerm> = sets
            .iter()
            .filter(|set| set.player.is_empty())
            .filter_map(|set| {
                let rating = set.moves.shown.rating?.rating;
                Some(MeanTerm { rating, elo: set.moves.elo, turns: set.moves.shown.turns })
            })
            .collect();
        if let Some(means) = RatingMeans::new(&terms).filter(|means| means.ratings > 1) {
            let differences = means.differences.map_or(String::new(), |(plain, by_turns)| {
                format!(
                    "; difference from the players' ratings {plain:+.1}, weighted {by_turns:+.1}"
                )
            });
            lines.push(format!(
                "mean of the {} ratings: {:.0}, weighted by turns {:.0}{differences}",
                means.ratings, means.plain, means.by_turns
            ));
        }
        lines
    }
}

/// A game with the rating tags of its players and its result.
fn measured_game<'g>(row: usize, game: &'g AnsweredGame, games: &GameTable) -> MeasuredGame<'g> {
    let tags = &games.games()[row];
    MeasuredGame {
        game,
        ratings: [tags.white_elo, tags.black_elo].map(|rating| (rating > 0).then_some(rating)),
        white_score: tags.result.white_score(),
    }
}

/// The sets without the players of the set of all turns that have too few turns, and the number of
/// these. A collection may have thousands of them.
fn without_short_sets(mut sets: Vec<TurnSet<'_>>) -> (Vec<TurnSet<'_>>, usize) {
    let before = sets.len();
    let has_focus = sets.iter().any(|set| matches!(set.movers, Movers::OpponentsOf(_)));
    sets.retain(|set| {
        let is_of_player = matches!(set.movers, Movers::Player(_)) && set.name == ALL_TURNS;
        has_focus || !is_of_player || set.turns.len() >= FEWEST_TURNS
    });
    let few = before - sets.len();
    (sets, few)
}

/// The set of all turns, where the games are divided into several sets. A game that is in two
/// events counts once.
fn set_of_all_turns<'g>(
    sets: &[MeasuredSet],
    answered: &[(usize, &AnsweredGame)],
    measured: &[MeasuredGame<'g>],
    division: TurnDivision,
) -> Option<TurnSet<'g>> {
    let whole = sets.iter().filter(|set| set.player.is_empty()).count();
    if whole < 2 || division == TurnDivision::Together {
        return None;
    }
    let mut seen = FxHashSet::default();
    let once: Vec<MeasuredGame<'g>> = answered
        .iter()
        .zip(measured)
        .filter(|((row, _), _)| seen.insert(*row))
        .map(|(_, game)| *game)
        .collect();
    turn_sets(&once, TurnDivision::Together, None).into_iter().next()
}

fn rate_sets(sets: Vec<TurnSet<'_>>, calibration: &Calibration) -> Vec<MeasuredSet> {
    sets.into_par_iter()
        .map(|set| {
            let elo = set.mean_rating();
            let player = match &set.movers {
                Movers::All => String::new(),
                Movers::Player(player) => player.to_string(),
                Movers::OpponentsOf(player) => format!("opponents of {player}"),
            };
            let performance =
                (set.movers != Movers::All).then(|| performance(&set.sides)).flatten();
            MeasuredSet {
                set: set.name,
                player,
                moves: set.turns.rated(calibration, elo),
                performance,
            }
        })
        .collect()
}

/// The performance rating (points) of the results of a player, or of a player's opponents. `None`
/// unless all ratings of the opponents and all results are known.
fn performance(sides: &[GameSide]) -> Option<f64> {
    let opponents: Vec<f64> =
        sides.iter().map(|side| side.opponent.map(f64::from)).collect::<Option<_>>()?;
    let score: f64 = sides.iter().map(|side| side.score).sum::<Option<f64>>()?;
    exact_performance(Expectancy::Normal, &opponents, score)
}

fn label(set: &str, division: TurnDivision) -> String {
    match division {
        TurnDivision::Together => "all games".to_owned(),
        TurnDivision::Bands { within } => match set.parse::<i32>() {
            Ok(band) => {
                let within = i32::from(within);
                // 2750 belongs to the next band.
                let last = if within == 50 { band + 49 } else { band + within };
                format!("rated {} to {last}", band - within)
            }
            Err(_) => set.to_owned(),
        },
        _ => set.to_owned(),
    }
}

/// A rating in words: the rating with its interval, or why there is none; the turns; how often the
/// best move was played; and for comparison the rating and the performance of the player.
fn in_words(moves: &MoveQuality, performance: Option<f64>) -> String {
    let shown = &moves.shown;
    let rating = match &shown.rating {
        Some(rating) => format!(
            "{:.0}, between {:.0} and {:.0}",
            rating.rating, rating.actual.0, rating.actual.1
        ),
        None if shown.turns < FEWEST_TURNS => {
            format!("no rating with fewer than {FEWEST_TURNS} turns")
        }
        None if shown.is_end => "no rating, because no skill fits these errors".into(),
        None => "no rating".into(),
    };
    let mut words = format!(
        "{rating}; {}, best move in {:.1}%",
        counted(shown.turns, "turn"),
        100.0 * shown.matches
    );
    if let Some(elo) = moves.elo {
        words.push_str(&format!("; rated {elo:.0}"));
        if let Some(difference) = moves.difference() {
            words.push_str(&format!(", difference {difference:+.0}"));
        }
    }
    if let Some(performance) = performance {
        words.push_str(&format!("; performance {performance:.0}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_named_by_their_ends() {
        assert_eq!(label("2700", TurnDivision::Bands { within: 10 }), "rated 2690 to 2710");
        assert_eq!(label("2700", TurnDivision::Bands { within: 50 }), "rated 2650 to 2749");
        assert_eq!(label("1972", TurnDivision::Years), "1972");
        assert_eq!(label("all", TurnDivision::Together), "all games");
    }

    fn side(opponent: Option<u16>, score: Option<f64>) -> GameSide {
        GameSide { rating: None, opponent, score }
    }

    #[test]
    fn a_performance_needs_all_ratings_and_results() {
        let draws = [side(Some(2600), Some(0.5)), side(Some(2500), Some(0.5))];
        assert!((performance(&draws).unwrap() - 2550.0).abs() < 0.01);
        assert_eq!(performance(&[draws[0], side(None, Some(1.0))]), None);
        assert_eq!(performance(&[draws[0], side(Some(2500), None)]), None);
    }
}
