//! Three rating systems by paired comparison: from the games before each event, from all games, and
//! from all games except those of the event in question.

use std::sync::Arc;

use jiff::civil::{Date, date};
use rustc_hash::FxHashMap;

use super::fit::StrengthFit;
use super::forward::ForwardFit;
use super::forward_run::ForwardForecasts;
use super::history::{History, PairedGame, PairedModel};
use super::movement::Movement;
use super::rank_probabilities::rank_probabilities;
use super::rounds::PairedRounds;
use super::scale::{BEST, Strengths, shift};
use crate::systems::about::{About, Role};
use crate::systems::lists::{ComputedList, ListedRating, established_from};
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::parameters::{Overrides, ParameterError, Parameters, parameters};
use crate::systems::results::{RatedGame, Results};
use crate::systems::running::Running;
use crate::systems::system::{PreEventRatings, RatingSystem, Registered, SystemRatings};

/// The smallest standard deviation (points) that is not treated as zero. Smaller ones make the
/// equations singular in double precision. Judged: plausible deviations are ten points and more.
const SMALLEST_DEVIATION: f64 = 0.1;

/// A standard deviation (points), or zero if it is too small for the equations.
fn zero_if_tiny(deviation: f64) -> f64 {
    if deviation < SMALLEST_DEVIATION { 0.0 } else { deviation }
}

/// Defines one of the systems with the parameters that all of them have.
macro_rules! paired {
    ($(#[doc = $about:literal])* $name:ident) => {
        parameters! {
            $(#[doc = $about])*
            $name {
                /// Variance of an adult's yearly step (points squared).
                variance: f64 = 100.0, 0.01..=100000.0;
                /// Additional variance of young players (points squared a year).
                young_variance: f64 = 1500.0, 0.0..=100000.0;
                /// Mean rise of young players (points a year).
                rise: f64 = 70.0, 0.0..=1000.0;
                /// Additional decline of players above forty (points a year at the age of fifty).
                fall: f64 = 2.0, 0.0..=100.0;
                /// Standard deviation of newcomers around their mean (points).
                newcomers: f64 = 140.0, 1.0..=100000.0;
                /// Standard deviation of the step between the means of newcomers of consecutive
                /// five-year cohorts (points); below 0.1 all newcomers share one mean.
                cohorts: f64 = 30.0, 0.0..=1000.0;
                /// Drawn games that are added for each game.
                pad: f64 = 0.05, 0.0..=1.0;
                /// Prior mean of White's advantage (points).
                white: f64 = 35.0, -200.0..=200.0;
                /// Prior standard deviation of White's advantage (points); below 0.1 the advantage
                /// is fixed.
                white_deviation: f64 = 15.0, 0.0..=1000.0;
                /// Whether games weigh more where draws are more frequent.
                by_draws: bool = true;
            }
        }

        impl $name {
            /// The model with these values in place of the defaults.
            ///
            /// # Errors
            ///
            /// Returns an error if a parameter is unknown, or its value has the wrong type or is
            /// out of range.
            pub fn model_with(overrides: &Overrides) -> Result<PairedModel, ParameterError> {
                Ok($name::with_overrides(overrides)?.model())
            }

            fn model(&self) -> PairedModel {
                PairedModel {
                    movement: Movement {
                        variance: self.variance,
                        young_variance: self.young_variance,
                        rise: self.rise,
                        fall: self.fall,
                        ..Movement::default()
                    },
                    newcomers: self.newcomers,
                    drawn_first: false,
                    cohorts: zero_if_tiny(self.cohorts),
                    pad: self.pad,
                    white: self.white,
                    white_deviation: zero_if_tiny(self.white_deviation),
                    by_draws: self.by_draws,
                }
            }
        }
    };
}

paired! {
    /// Ratings by paired comparison of earlier games.
    Paired
}

paired! {
    /// Ratings by paired comparison of all games, earlier and later.
    PairedSmoothed
}

paired! {
    /// Ratings by paired comparison of all games except those of the event in question.
    PairedLeftOut
}

impl Registered for Paired {
    const ABOUT: About = About {
        word: "paired",
        name: "Paired",
        list_name: "Computed Paired",
        summary: "paired comparison of earlier games, with strengths that change with time: quarterly lists",
        role: Role::Whole,
        reads_births: true,
        short_name: Some("Paired comparison"),
        ..About::PLAIN
    };
}

impl Registered for PairedSmoothed {
    const ABOUT: About = About {
        word: "paired-smoothed",
        name: "Paired, smoothed",
        list_name: "Computed Paired, smoothed",
        summary: "paired comparison of all games, earlier and later: the strength of every player in each year",
        period_years: Some(1),
        knows_later_games: true,
        role: Role::Whole,
        reads_births: true,
        ..About::PLAIN
    };
}

impl Registered for PairedLeftOut {
    const ABOUT: About = About {
        word: "paired-left-out",
        name: "Paired, left out",
        list_name: "Computed Paired, left out",
        summary: "paired comparison for the players of each event, from all games except those of the event",
        knows_later_games: true,
        role: Role::Events,
        reads_births: true,
        led_by: Some(PairedSmoothed::ABOUT.list_name),
        follows: Some(PairedSmoothed::ABOUT.list_name),
        ..About::PLAIN
    };
}

/// The parameters that have an effect round by round. No births are known there, so the parameters
/// of age act from the first year on.
const ROUND_PARAMETERS: &[&str] = &[
    "variance",
    "young_variance",
    "rise",
    "fall",
    "newcomers",
    "cohorts",
    "pad",
    "white",
    "white_deviation",
    "by_draws",
];

/// Expected score, in `[0, 1]`, of a player rated `difference` points above the opponent.
fn expected(difference: f64) -> f64 {
    logistic(difference * NATURAL)
}

impl RatingSystem for Paired {
    fn expected(&self, difference: f64) -> f64 {
        expected(difference)
    }

    fn explained(&self) -> String {
        "one model of all earlier games: a strength for each player and year, which changes from year to year, more for the \
         young, upwards in youth and downwards in old age; White's advantage and the frequency of draws depend on the period."
            .to_owned()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        forward(results, self.model())
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(PairedRounds::new(self.model(), start)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        ROUND_PARAMETERS
    }
}

impl RatingSystem for PairedSmoothed {
    fn expected(&self, difference: f64) -> f64 {
        expected(difference)
    }

    fn explained(&self) -> String {
        "the same model of all games, including those of later years: the best estimate of a player's strength, but not a \
         prediction."
            .to_owned()
    }

    fn last_year(&self, first: i16) -> Option<i16> {
        Some(first)
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        smoothed(results, self.model())
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(PairedRounds::new(self.model(), start)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        ROUND_PARAMETERS
    }
}

impl RatingSystem for PairedLeftOut {
    fn expected(&self, difference: f64) -> f64 {
        expected(difference)
    }

    fn explained(&self) -> String {
        "the smoothed model without the games of the event in question: initial ratings for players without earlier results."
            .to_owned()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        left_out(results, &FittedHistory::new(results, self.model()))
    }

    fn rate_after(&self, results: &Results, leader: &SystemRatings) -> SystemRatings {
        let fitted = leader.fitted.as_ref().and_then(|fitted| fitted.downcast_ref());
        match fitted.filter(|fitted: &&FittedHistory| fitted.history.model == self.model()) {
            Some(fitted) => left_out(results, fitted),
            None => self.rate(results),
        }
    }
}

/// Years after the last game during which a player stays on the lists, as for systems that rate
/// event by event.
const LISTED_YEARS: i16 = 2;

/// Minimum number of games, and maximum standard deviation (points), of a rating that is not
/// provisional. Judged: a newcomer begins with 140 points, and with less evidence a rating rests
/// mostly on the mean of the newcomers.
const ENOUGH_GAMES: u32 = 5;
const LARGEST_DEVIATION: f64 = 100.0;

fn births_of(results: &Results) -> Vec<Option<i16>> {
    results.players.iter().map(|player| player.born).collect()
}

/// A player's estimate on a list whose scale is not fixed yet.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    /// Number of the player in [`Results::players`].
    player: u32,
    /// Strength (points), up to the constant of the scale.
    strength: f64,
    /// Variance of the strength (points squared).
    variance: f64,
    /// Games that the estimate rests on.
    games: u32,
}

/// A list with the deviations of differences from the mean of its ten best.
///
/// Source: the quick approximation of Coulom (2008), with variances conditional on all other
/// players, which add up for a pair.
fn list_of(day: Date, mut lines: Vec<Estimate>, shift: f64) -> ComputedList {
    lines.sort_unstable_by(|a, b| b.strength.total_cmp(&a.strength).then(a.player.cmp(&b.player)));
    let of_best = variance_of_best(&lines);
    let best = lines.len().min(BEST);
    list_against(day, lines, shift, of_best, best)
}

/// A list from lines in descending order. The deviations are those of differences from a mean with
/// variance `of_best` (points squared), to which the first `best` lines belong.
fn list_against(
    day: Date,
    lines: Vec<Estimate>,
    shift: f64,
    of_best: f64,
    best: usize,
) -> ComputedList {
    let ratings = lines.iter().enumerate().map(|(place, line)| {
        let Estimate { player, strength, variance, games } = *line;
        // A player of the ten best is part of their mean, with a weight of one tenth.
        let own = if place < best { variance * (1.0 - 2.0 / best as f64) } else { variance };
        let deviation = (own + of_best).max(0.0).sqrt();
        ListedRating {
            player,
            rating: strength + shift,
            games: f64::from(games),
            deviation: Some(deviation),
            is_provisional: games < ENOUGH_GAMES || deviation > LARGEST_DEVIATION,
        }
    });
    ComputedList::new(day, ratings.collect())
}

/// The lists that have players. Players outside the largest connected set are provisional, because
/// only the model's assumptions compare them with the others.
fn pooled(results: &Results, lists: Vec<ComputedList>) -> Vec<ComputedList> {
    let in_pool = results.in_largest_set();
    let pooled = lists.into_iter().filter(|list| !list.ratings.is_empty()).map(|list| {
        if list.ratings.iter().all(|line| in_pool[line.player as usize]) {
            return list;
        }
        let ratings = list.ratings.into_iter().map(|line| {
            let is_provisional = line.is_provisional || !in_pool[line.player as usize];
            ListedRating { is_provisional, ..line }
        });
        ComputedList::new(list.day, ratings.collect())
    });
    pooled.collect()
}

/// The variance (points squared) of the mean of the ten best. `lines` are in descending order.
fn variance_of_best(lines: &[Estimate]) -> f64 {
    let best = lines.len().min(BEST);
    lines[..best].iter().map(|line| line.variance).sum::<f64>() / (best * best).max(1) as f64
}

fn first_day(event: &[RatedGame]) -> Date {
    event.iter().map(|game| game.day).min().unwrap_or_default()
}

/// The estimates for the list of a day, of all players with a game in the last two years.
fn estimates(known: &ForwardFit, day: Date) -> Vec<Estimate> {
    let mut estimates = Vec::new();
    for player in known.active_since(day.year() - LISTED_YEARS) {
        let Some((strength, variance)) = known.projected(player, day.year()) else { continue };
        estimates.push(Estimate {
            player,
            strength: strength / NATURAL,
            variance: variance / (NATURAL * NATURAL),
            games: known.games(player),
        });
    }
    estimates
}

fn forward(results: &Results, model: PairedModel) -> SystemRatings {
    let mut lists: Vec<(Date, Vec<Estimate>)> = Vec::new();
    let forecasts = ForwardForecasts::run(results, model, |day, known| {
        lists.push((day, estimates(known, day)));
    });
    let mut before: Vec<Option<f64>> = Vec::with_capacity(results.games.len());
    for expected in &forecasts.expected {
        // The difference for which the curve expects this score.
        before.push(expected.map(|expected| (expected / (1.0 - expected)).ln() / NATURAL));
    }
    let mut of_years: Vec<Strengths> = Vec::new();
    for (day, lines) in lists.iter().filter(|(day, _)| day.month() == 1) {
        // A January list covers games of the year before.
        of_years.push((
            day.year() - 1,
            lines.iter().map(|line| (line.player, line.strength)).collect(),
        ));
    }
    // Games after the last January list belong to the last year.
    if let Some((day, lines)) = lists.last().filter(|(day, _)| day.month() != 1) {
        of_years
            .push((day.year(), lines.iter().map(|line| (line.player, line.strength)).collect()));
    }
    let (shift, note) = shift(&results.anchors, &of_years);
    let lists = lists.into_iter().map(|(day, lines)| list_of(day, lines, shift));
    let lists = lists.filter(|list| list.ratings.len() > 1).collect();
    SystemRatings {
        lists: pooled(results, lists),
        before: PreEventRatings::Differences(before),
        notes: note.into_iter().collect(),
        fitted: Some(Arc::new(forecasts)),
        ..SystemRatings::default()
    }
}

/// The model fitted to all games, earlier and later.
#[derive(Clone, Debug)]
pub struct FittedHistory {
    /// The model and its games; players have their numbers in [`Results::players`].
    pub history: History,
    /// The most probable strengths.
    pub fit: StrengthFit,
    /// Number of games of each player.
    pub games: Vec<u32>,
    /// Constant (points) that is added to strengths to obtain ratings.
    pub shift: f64,
    /// A remark about the scale for the terminal, if there is one.
    pub note: Option<String>,
}

/// Accuracy (points) of the strengths. Judged: a hundredth of what is shown; Newton's method gains
/// the last digits in one step.
const EXACT: f64 = 0.01;

impl FittedHistory {
    /// Fits the strengths of all years to all games together.
    pub fn new(results: &Results, model: PairedModel) -> FittedHistory {
        let games: Vec<PairedGame> = results.games.iter().map(PairedGame::from_game).collect();
        let mut history = History::new(model, &games, &births_of(results));
        let fit = StrengthFit::new(&mut history, None, EXACT);
        let mut games = vec![0; results.players.len()];
        for game in &results.games {
            games[game.white as usize] += 1;
            games[game.black as usize] += 1;
        }
        let of_years: Vec<Strengths> = history
            .years()
            .map(|(year, nodes)| {
                (year, nodes.map(|node| (history.nodes[node].player, fit.points(node))).collect())
            })
            .collect();
        let (shift, note) = shift(&results.anchors, &of_years);
        FittedHistory { history, fit, games, shift, note }
    }
}

fn smoothed(results: &Results, model: PairedModel) -> SystemRatings {
    let fitted = Arc::new(FittedHistory::new(results, model));
    let FittedHistory { history, fit, games, shift, note } = &*fitted;
    let variances = fit.variances_alone();
    let lists = history.years().map(|(year, nodes)| {
        let lines = nodes.map(|node| {
            let player = history.nodes[node].player;
            let (strength, variance) = (fit.points(node), variances[node]);
            Estimate { player, strength, variance, games: games[player as usize] }
        });
        list_of(date(year, 1, 1), lines.collect(), *shift)
    });
    let mut lists = pooled(results, lists.filter(|list| list.ratings.len() > 1).collect());
    // Players whom the lists omit do not compete for ranks.
    let known: Vec<bool> = established_from(results).iter().map(Option::is_some).collect();
    let (of_lists, peaks) = rank_probabilities(history, fit, *shift, (&lists, &known));
    for (list, odds) in lists.iter_mut().zip(of_lists) {
        list.odds = odds;
    }
    let notes = note.iter().cloned().collect();
    SystemRatings { lists, peaks, notes, fitted: Some(fitted), ..SystemRatings::default() }
}

fn left_out(results: &Results, fitted: &FittedHistory) -> SystemRatings {
    let FittedHistory { history, fit, games, shift, note } = fitted;
    let variances = fit.variances_alone();
    // Deviations refer to the world's ten best, not to the best of the event.
    let of_best: FxHashMap<i16, f64> = history
        .years()
        .map(|(year, nodes)| {
            let lines = nodes.map(|node| Estimate {
                player: 0,
                strength: fit.points(node),
                variance: variances[node],
                games: 0,
            });
            let mut lines: Vec<Estimate> = lines.collect();
            lines.sort_unstable_by(|a, b| b.strength.total_cmp(&a.strength));
            (year, variance_of_best(&lines))
        })
        .collect();
    let mut lists: Vec<ComputedList> = Vec::new();
    for event in results.events() {
        let day = first_day(event);
        let mut lines: Vec<Estimate> = Vec::new();
        // Slope and information of the event's games, and their number, by player and year.
        let mut evidence: FxHashMap<(u32, i16), (f64, f64, u32)> = FxHashMap::default();
        for game in event.iter().map(PairedGame::from_game) {
            let Some((slope, information)) = fit.of_game(history, &game) else { continue };
            for (player, slope) in [(game.white, slope), (game.black, -slope)] {
                let sum = evidence.entry((player, game.year)).or_default();
                *sum = (sum.0 + slope, sum.1 + information, sum.2 + 1);
            }
        }
        for ((player, year), (slope, information, own)) in evidence {
            let Some(node) = history.node_of(player, year) else { continue };
            let natural = variances[node] * NATURAL * NATURAL;
            // The fraction of the player's precision that remains without the event.
            let rest = 1.0 - natural * information;
            if year != day.year() || rest <= 0.0 {
                continue;
            }
            let strength = fit.strengths[node] - natural * slope / rest;
            let variance = natural / rest / (NATURAL * NATURAL);
            let games = games[player as usize] - own;
            lines.push(Estimate { player, strength: strength / NATURAL, variance, games });
        }
        let of_best = of_best.get(&day.year()).copied().unwrap_or_default();
        lists.push(list_against(day, lines, *shift, of_best, 0));
    }
    // Several lists can have the same day, one for each event.
    lists.sort_by_key(|list| list.day);
    SystemRatings {
        lists: pooled(results, lists),
        notes: note.iter().cloned().collect(),
        ..SystemRatings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::results::RatedPlayer;

    /// A game of a round. Each round is an event.
    fn game(white: u32, black: u32, event: u32) -> RatedGame {
        RatedGame { white, black, score: 1.0, day: date(1900, 7, 1), event }
    }

    #[test]
    fn unconnected_players_are_provisional() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 6], ..Results::default() };
        // Four players who all met, and two who only met each other, with more decisive results.
        for round in 0..6 {
            for (white, black) in [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)] {
                results.games.push(game(white, black, round));
            }
        }
        let ratings = smoothed(&results, PairedModel::default());
        let list = &ratings.lists[0];
        let behind: Vec<u32> = list
            .ratings
            .iter()
            .filter(|line| line.is_provisional)
            .map(|line| line.player)
            .collect();
        assert!(behind.contains(&4) && behind.contains(&5), "{behind:?}");
        assert!(!behind.contains(&0), "{behind:?}");
    }

    #[test]
    fn without_games_there_are_no_lists() {
        let results = Results::default();
        for ratings in [
            forward(&results, PairedModel::default()),
            smoothed(&results, PairedModel::default()),
            left_out(&results, &FittedHistory::new(&results, PairedModel::default())),
        ] {
            assert!(ratings.lists.is_empty() && ratings.peaks.is_empty());
        }
    }

    /// The lists of the smoothed system with these deviations (points).
    fn smoothed_lists(results: &Results, cohorts: f64, white_deviation: f64) -> Vec<ComputedList> {
        let system = PairedSmoothed { cohorts, white_deviation, ..PairedSmoothed::default() };
        system.rate(results).lists
    }

    #[test]
    fn tiny_deviations_count_as_zero() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 6], ..Results::default() };
        for round in 0..6 {
            for (white, black) in [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 0)] {
                results.games.push(game(white, black, round));
            }
        }
        for (cohorts, white_deviation) in
            [(0.0001, 15.0), (1e-160, 15.0), (30.0, 1e-160), (1e-9, 1e-9)]
        {
            let lists = smoothed_lists(&results, cohorts, white_deviation);
            let ratings = lists.iter().flat_map(|list| &list.ratings);
            assert!(ratings.clone().count() > 0);
            assert!(
                ratings.clone().all(|line| line.rating.is_finite()),
                "{cohorts} {white_deviation}"
            );
        }
        let of_zero = smoothed_lists(&results, 0.0, 15.0);
        assert_eq!(smoothed_lists(&results, 0.0001, 15.0), of_zero);
    }
}
