//! Compares rating systems by how well their ratings before an event predict its games.
//!
//! All systems are evaluated on the same games: those that every one of them could rate.

use bitcode::{Decode, Encode};
use jiff::civil::Date;

use rayon::prelude::*;

use crate::evaluation::draw_model::{Chances, DrawRates};
use crate::evaluation::expectations::Expectations;
use crate::evaluation::recalibration::{Recalibrated, recalibrated};
use crate::evaluation::shared_draws::SharedDraws;
use crate::systems::ComputedList;
use crate::systems::Results;
use crate::systems::Role;
use crate::systems::System;
use crate::systems::draw_tendency::draw_probabilities;
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::{PreEventRatings, RatingSystem, SystemRatings, differences};

/// First years of the eras, each of which also has separate scores. Judged: each has enough games
/// for a comparison. FIDE's first official list is of 1971.
pub const ERAS: [i16; 7] = [i16::MIN, 1900, 1925, 1950, 1970, 1990, 2010];

/// Number of calibration bins. Each is five per cent of the expected score wide.
pub const BINS: usize = 20;

/// The evaluation of one system's predictions, on the games that all systems could rate.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemEvaluation {
    /// Name of the system or baseline.
    pub system: String,
    /// Number of games that the system could rate, including those that others could not.
    pub rated: usize,
    /// Score of the predictions by the system's own curve; no games for a system without one.
    pub overall: Score,
    /// The score with the advantage of White that minimises the log loss. `None` for a system
    /// without its own curve.
    pub with_white: Option<Adjusted>,
    /// The score with the advantage of White and the slope that minimise the log loss. `None` for a
    /// system without its own curve.
    pub at_best: Option<Adjusted>,
    /// Log loss minus the smallest log loss of all systems, both with White's advantage. `None` for
    /// baselines, for a system without its own curve, and without common games.
    pub behind: Option<LossDifference>,
    /// Score of the recalibrated predictions, by a curve that is fitted to the system's earlier
    /// predictions.
    pub recalibrated: Score,
    /// The last slope of the fitted curve, relative to Elo's curve. Below 1, the system spreads
    /// players too far. `None` for a system whose ratings have no Elo equivalent.
    pub slope: Option<f64>,
    /// Mean log loss of the probabilities of win, draw and loss, which follow from the recalibrated
    /// expected score and [`Predictions::draws`]. `None` without common games.
    pub three_way: Option<f64>,
    /// Recalibrated log loss minus that of the standard system. `None` if the standard system is
    /// not compared, or without common games.
    pub behind_standard: Option<LossDifference>,
    /// Recalibrated log loss minus the smallest of all systems; 0 without common games.
    pub behind_best: LossDifference,
    /// Scores by the system's own curve for each era of [`ERAS`].
    pub eras: Vec<Score>,
    /// Recalibrated scores for each era of [`ERAS`].
    pub eras_recalibrated: Vec<Score>,
    /// Calibration of the system's own curve, in [`BINS`] bins of White's expected score.
    pub bins: Vec<Bin>,
}

/// The score of corrected predictions. The correction is a factor for rating differences, and
/// White's advantage. It is fitted to the predicted games themselves, so the score is optimistic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjusted {
    /// Factor by which rating differences are multiplied.
    pub slope: f64,
    /// White's advantage (points; 400 points multiply the odds by ten).
    pub white: f64,
    /// Score of the corrected predictions.
    pub score: Score,
}

/// The difference between two systems' mean log losses (natural logarithm) on the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossDifference {
    /// Difference of the mean log losses, per game.
    pub mean: f64,
    /// Standard error of the difference. The games of an event count as one observation, because
    /// they are correlated. `None` with fewer than ten events.
    pub standard_error: Option<f64>,
}

impl LossDifference {
    /// Whether the difference is more than `errors` standard errors above zero. `false` without a
    /// standard error.
    pub fn is_above(&self, errors: f64) -> bool {
        self.standard_error.is_some_and(|error| self.mean > errors * error)
    }

    /// Whether the difference is within `errors` standard errors of zero, or has no standard error.
    pub fn is_noise(&self, errors: f64) -> bool {
        self.standard_error.is_none_or(|error| self.mean.abs() <= errors * error)
    }
}

/// Fewest events from which a standard error is computed. Judged: with ten, the standard error is
/// itself uncertain by a quarter; with five, by a third.
const ENOUGH_EVENTS: usize = 10;

/// The score of predictions: the sums of their losses over games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Number of games whose losses are summed.
    pub games: usize,
    /// Sum of log losses.
    log_loss: f64,
    /// Sum of squared errors of the expected score.
    squared: f64,
}

/// The log loss (natural logarithm) of a prediction. Both arguments are in `[0, 1]`.
fn log_loss(expected: f64, score: f64) -> f64 {
    // Clamp the prediction: a wrong prediction of 0 or 1 would have an infinite log loss.
    let p = expected.clamp(0.001, 0.999);
    -(score * p.ln() + (1.0 - score) * (1.0 - p).ln())
}

/// The inverse of the logistic function, for predictions clamped to 0.001 to 0.999.
fn logit(expected: f64) -> f64 {
    let p = expected.clamp(0.001, 0.999);
    (p / (1.0 - p)).ln()
}

/// Maximum number of steps of Newton's method. With two unknowns it needs fewer.
const STEPS: usize = 30;

impl Adjusted {
    /// Fits White's advantage, and the slope if `with_slope`, to pairs of prediction (logit) and
    /// score.
    fn fit(games: &[(f64, f64)], with_slope: bool) -> Adjusted {
        let (mut slope, mut white) = (1.0, 0.0);
        for _ in 0..STEPS {
            // First derivatives of the log likelihood with respect to White's advantage and the
            // slope, and its negative second derivatives.
            let (mut by_white, mut by_slope) = (0.0, 0.0);
            let (mut white_white, mut white_slope, mut slope_slope) = (0.0, 0.0, 0.0);
            for &(z, score) in games {
                let expected = logistic(slope * z + white);
                let (rest, information) = (score - expected, expected * (1.0 - expected));
                by_white += rest;
                by_slope += rest * z;
                white_white += information;
                white_slope += information * z;
                slope_slope += information * z * z;
            }
            let determinant = white_white * slope_slope - white_slope * white_slope;
            let (to_white, to_slope) = if with_slope && determinant > 1e-9 * white_white {
                (
                    (slope_slope * by_white - white_slope * by_slope) / determinant,
                    (white_white * by_slope - white_slope * by_white) / determinant,
                )
            } else if white_white > 0.0 {
                (by_white / white_white, 0.0)
            } else {
                (0.0, 0.0)
            };
            white += to_white;
            slope += to_slope;
            if to_white.abs().max(to_slope.abs()) < 1e-10 {
                break;
            }
        }
        let mut score = Score::default();
        for &(z, scored) in games {
            score.add(logistic(slope * z + white), scored);
        }
        Adjusted { slope, white: white / NATURAL, score }
    }
}

impl Score {
    /// Adds a prediction with the actual score.
    fn add(&mut self, expected: f64, score: f64) {
        self.games += 1;
        self.log_loss += log_loss(expected, score);
        self.squared += (score - expected).powi(2);
    }

    /// Mean log loss (natural logarithm); a draw counts as half a win and half a loss. `None`
    /// without games.
    pub fn log_loss(&self) -> Option<f64> {
        (self.games > 0).then(|| self.log_loss / self.games as f64)
    }

    /// Brier score: the mean squared error of the expected score. `None` without games.
    pub fn brier_score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.squared / self.games as f64)
    }
}

/// One bin of the calibration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Number of games whose expected score is in the bin.
    pub games: usize,
    /// Sum of White's expected scores.
    pub expected: f64,
    /// Sum of White's actual scores.
    pub actual: f64,
}

/// The result of comparing systems.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemComparison {
    /// Number of all games, rated or not.
    pub games: usize,
    /// Number of common games: those that all systems could rate.
    pub common: usize,
    /// Evaluations of the systems, then of the baselines.
    pub systems: Vec<SystemEvaluation>,
}

/// The ratings that a system computed from the games.
#[derive(Clone, Debug)]
pub struct Computed {
    /// The system that computed the ratings.
    pub system: &'static System,
    /// Its lists, and notes on the players that it could not rate.
    pub ratings: SystemRatings,
    /// Its lists, each with the day from which it is in force.
    pub in_force: Vec<ComputedList>,
}

/// A system's predictions of all games.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Predictions {
    /// Name of the system.
    pub name: String,
    /// Expected scores by the system's own curve. `None` for a system without one.
    pub own: Option<Expectations>,
    /// Expected scores by the curve that is fitted to earlier predictions.
    pub recalibrated: Recalibrated,
    /// The probability of a draw in each game: by a system that predicts draws, or by
    /// [`SharedDraws`]. Without it, evaluations use the fraction of draws of the decade.
    pub draws: Option<Expectations>,
}

impl Predictions {
    /// Predicts draws by the shared model, unless the system predicted them.
    pub fn predict_draws(&mut self, shared: &SharedDraws) {
        if self.draws.is_none() {
            self.draws = Some(shared.of_expected(&self.recalibrated.expected));
        }
    }
}

/// Computes a system's ratings, and its predictions unless the system uses later games. `leader`
/// holds the ratings of the system that leads it, if these were computed just before.
pub fn rated(
    results: &Results,
    system: &'static System,
    rates: &dyn RatingSystem,
    leader: Option<&SystemRatings>,
) -> (SystemRatings, Option<Predictions>) {
    let ratings = match leader {
        Some(leader) => rates.rate_after(results, leader),
        None => rates.rate(results),
    };
    let mut ratings = ratings.finite();
    // Ratings that rest on later games do not predict.
    let predicts = !system.about.knows_later_games;
    let predictions = predicts.then(|| {
        let in_force = rates.in_force(&ratings.lists);
        predictions(results, system.about.name, rates, &ratings, &in_force)
    });
    // Free what is known of all games, which is no longer needed.
    ratings.before = PreEventRatings::Lists;
    ratings.draws = Vec::new();
    (ratings, predictions)
}

/// Computes a system's ratings, its lists in force, and its predictions as [`rated`] does.
pub fn computed(
    results: &Results,
    system: &'static System,
    rates: &dyn RatingSystem,
    leader: Option<&SystemRatings>,
) -> (Computed, Option<Predictions>) {
    let (ratings, predictions) = rated(results, system, rates, leader);
    let in_force = rates.in_force(&ratings.lists).into_owned();
    (Computed { system, ratings, in_force }, predictions)
}

/// A system with its parameters.
pub type ParameterisedSystem = (&'static System, Box<dyn RatingSystem>);

/// Computes several systems in parallel.
///
/// Returns what `keep` returns for each system, in the order of `systems`, and the predictions of
/// those that predict. Everything else is dropped: the lists of all systems would need many times
/// the memory of the games.
pub fn compute<T: Send>(
    results: &Results,
    systems: Vec<ParameterisedSystem>,
    keep: impl Fn(&Computed) -> T + Sync,
) -> (Vec<T>, Vec<(&'static System, Predictions)>) {
    let (kept, mut predictions) = compute_by(
        systems,
        |(system, rates), leader| computed(results, system, rates.as_ref(), leader),
        keep,
    );
    let shared = SharedDraws::new(results);
    predictions.par_iter_mut().for_each(|(_, of)| of.predict_draws(&shared));
    (kept, predictions)
}

/// Computes several systems as [`compute`] does, with `run` in place of [`computed`], and does not
/// predict draws. `run` may fetch results from another machine.
pub fn compute_by<T: Send>(
    systems: Vec<ParameterisedSystem>,
    run: impl Fn(&ParameterisedSystem, Option<&SystemRatings>) -> (Computed, Option<Predictions>) + Sync,
    keep: impl Fn(&Computed) -> T + Sync,
) -> (Vec<T>, Vec<(&'static System, Predictions)>) {
    // Process systems in batches: work stealing would otherwise keep every system's lists alive at
    // once.
    let at_a_time = 2 * rayon::current_num_threads();
    let mut found: Vec<(usize, T, Option<Predictions>)> = Vec::with_capacity(systems.len());
    for some in by_leader(&systems).chunks(at_a_time) {
        let of_some: Vec<Vec<(usize, T, Option<Predictions>)>> = some
            .par_iter()
            .with_max_len(1)
            .map(|numbers| {
                let mut leader: Option<SystemRatings> = None;
                let mut computed = Vec::with_capacity(numbers.len());
                for &number in numbers {
                    let (found, predictions) = run(&systems[number], leader.as_ref());
                    computed.push((number, keep(&found), predictions));
                    leader.get_or_insert(found.ratings);
                }
                computed
            })
            .collect();
        found.extend(of_some.into_iter().flatten());
    }
    found.sort_unstable_by_key(|(number, ..)| *number);
    let (mut kept, mut predicted) = (Vec::with_capacity(found.len()), Vec::new());
    for (number, of, predictions) in found {
        kept.push(of);
        predicted.extend(predictions.map(|predictions| (systems[number].0, predictions)));
    }
    (kept, predicted)
}

/// Groups the systems, by number: a system is together with those that it leads, which follow it.
fn by_leader(systems: &[ParameterisedSystem]) -> Vec<Vec<usize>> {
    let leaders: Vec<Option<usize>> = systems
        .iter()
        .map(|(system, _)| {
            let list = system.about.led_by?;
            systems.iter().position(|(other, _)| other.about.list_name == list)
        })
        .collect();
    let mut groups = Vec::new();
    for first in 0..systems.len() {
        if leaders[first].is_none() {
            let followers = (0..systems.len()).filter(|number| leaders[*number] == Some(first));
            groups.push(std::iter::once(first).chain(followers).collect());
        }
    }
    groups
}

/// Predicts White's score in each game, from the system's ratings before the game's event.
pub fn predictions(
    results: &Results,
    name: &str,
    system: &dyn RatingSystem,
    ratings: &SystemRatings,
    in_force: &[ComputedList],
) -> Predictions {
    let by_lists;
    let differences = match &ratings.before {
        PreEventRatings::Differences(differences) => differences,
        PreEventRatings::Lists => {
            by_lists = differences_by_lists(results, in_force, system.predicts_for_days());
            &by_lists
        }
    };
    let mut own: Option<Expectations> = None;
    if system.has_curve() || system.is_calibrated() {
        own = Some(differences.iter().map(|known| known.map(|by| system.expected(by))).collect());
    }
    let mut recalibrated = if system.is_calibrated() {
        let expected = own.clone().unwrap_or_default();
        Recalibrated { expected, slope: None, white: None }
    } else {
        recalibrated(results, differences, &|difference| system.expected(difference))
    };
    // Convert the slope to Elo points. Without an Elo equivalent there is none.
    let of_a_point =
        system.elo_equivalent(1.0).zip(system.elo_equivalent(0.0)).map(|(one, none)| one - none);
    recalibrated.slope = recalibrated
        .slope
        .zip(of_a_point)
        .filter(|_| system.has_curve())
        .map(|(slope, points)| slope / points);
    Predictions {
        name: name.to_owned(),
        own: own.filter(|_| system.has_curve()),
        recalibrated,
        draws: (!ratings.draws.is_empty()).then(|| ratings.draws.iter().copied().collect()),
    }
}

/// Rating differences (points) of all games, by the list in force on the first day of each event.
/// `None` if a player is not on that list or is provisional, or if the list is older than `days`
/// days.
fn differences_by_lists(results: &Results, lists: &[ComputedList], days: i32) -> Vec<Option<f64>> {
    let mut known = Vec::with_capacity(results.games.len());
    // The last rating of each player, with the number, from 1, of its list.
    let mut ratings: Vec<(u32, f64)> = vec![(0, 0.0); results.players.len()];
    let mut next = 0;
    let mut day_of_list: Option<Date> = None;
    for event in results.events() {
        let day = event.iter().map(|game| game.day).min().unwrap_or_default();
        let last = next + lists[next..].partition_point(|list| list.day <= day);
        if last > next {
            next = last;
            let list = &lists[last - 1];
            for line in list.ratings.iter().filter(|line| !line.is_provisional) {
                ratings[line.player as usize] = (last as u32, line.rating);
            }
            day_of_list = Some(list.day);
        }
        let is_stale = day_of_list.is_none_or(|list| (day - list).get_days() > days);
        known.extend(differences(event, &|player| {
            let (list, rating) = ratings[player as usize];
            (!is_stale && list > 0 && list == next as u32).then_some(rating)
        }));
    }
    known
}

/// The assumed proportion of draws between equals, for years with too few predicted games. Judged:
/// a game without further information has three equally likely results.
const USUAL: f64 = 1.0 / 3.0;

/// Estimates draw rates from the recalibrated predictions of the standard system, or of the first
/// system if the standard is missing.
pub fn draw_rates(results: &Results, predictions: &[(&'static System, Predictions)]) -> DrawRates {
    let standard = predictions.iter().find(|(system, _)| system.about.is_standard);
    let Some((_, standard)) = standard.or(predictions.first()) else {
        return DrawRates::default();
    };
    let expected = &standard.recalibrated.expected;
    DrawRates::from_games(
        results.games.iter().enumerate().filter_map(|(number, game)| {
            Some((game.day.year(), expected.get(number)?, game.score))
        }),
    )
}

/// Whether a system takes part in the comparison of all systems.
///
/// It must rate at least half of all games, because the comparison uses only games that all systems
/// could rate. Systems of the past are compared separately, by
/// [`trial`](crate::evaluation::trials::trial).
pub fn is_judged_with_all(results: &Results, system: &System, predictions: &Predictions) -> bool {
    let rated = predictions.recalibrated.expected.rated();
    system.about.role != Role::Past
        && !system.about.reads_published_ratings
        && 2 * rated >= results.games.len()
}

/// Compares the predictions of all systems that take part in the comparison.
pub fn compare_systems(
    results: &Results,
    predictions: &[(&'static System, Predictions)],
    rates: &DrawRates,
) -> SystemComparison {
    let present = predictions.iter().filter(|(system, of)| is_judged_with_all(results, system, of));
    let standard = System::standard().about.name;
    let present: Vec<&Predictions> = present.map(|(_, predictions)| predictions).collect();
    compare(results, &present, standard, rates)
}

/// Compares systems on the games that all of them could rate: with each other, with the system
/// named `standard`, and with two baselines. The baselines always predict one half, or White's
/// average score in earlier events.
pub fn compare(
    results: &Results,
    systems: &[&Predictions],
    standard: &str,
    rates: &DrawRates,
) -> SystemComparison {
    let games = results.games.len();
    let common = (0..games)
        .filter(|game| systems.iter().all(|of| of.recalibrated.expected.get(*game).is_some()))
        .collect();
    let common = CommonGames { results, games: common, rates };
    let baselines = baselines(results);
    let all: Vec<&Predictions> = systems.iter().copied().chain(&baselines).collect();
    let standard = all.iter().find(|of| of.name == standard);
    let losses_of_standard =
        standard.filter(|_| !common.games.is_empty()).map(|of| common.recalibrated_losses(of));
    let judged = all.par_iter().map(|of| {
        let against = losses_of_standard.as_ref();
        let behind_standard =
            against.map(|standard| common.difference(&common.recalibrated_losses(of), standard));
        SystemEvaluation { behind_standard, ..common.judged(of) }
    });
    let mut judged: Vec<SystemEvaluation> = judged.collect();
    let losses: Vec<f64> = judged[..systems.len()]
        .iter()
        .map(|judged| judged.recalibrated.log_loss().unwrap_or(f64::INFINITY))
        .collect();
    let best = (0..losses.len()).min_by(|a, b| losses[*a].total_cmp(&losses[*b]));
    if let Some(best) = best.filter(|_| !common.games.is_empty()) {
        let smallest = common.recalibrated_losses(systems[best]);
        for (judged, of) in judged.iter_mut().zip(&all) {
            judged.behind_best = common.difference(&common.recalibrated_losses(of), &smallest);
        }
        let behind = common.behind_with_white(systems, &judged);
        for (judged, behind) in judged.iter_mut().zip(behind) {
            judged.behind = behind;
        }
    }
    SystemComparison { games, common: common.games.len(), systems: judged }
}

/// The baselines: always one half, and White's average score in earlier events.
fn baselines(results: &Results) -> [Predictions; 2] {
    let mut average = Vec::with_capacity(results.games.len());
    let (mut sum, mut count) = (0.5, 1.0);
    for event in results.events() {
        average.extend(std::iter::repeat_n(Some(sum / count), event.len()));
        sum += event.iter().map(|game| game.score).sum::<f64>();
        count += event.len() as f64;
    }
    let half: Vec<Option<f64>> = vec![Some(0.5); results.games.len()];
    [("always one half", half), ("White's average", average)].map(|(name, expected)| {
        let expected: Expectations = expected.into_iter().collect();
        // A baseline knows no level either.
        let draws = draw_probabilities(results, |game| expected.get(game), &[]);
        let recalibrated = Recalibrated { expected: expected.clone(), slope: None, white: None };
        let draws = Some(draws.into_iter().collect());
        Predictions { name: name.to_owned(), own: Some(expected), recalibrated, draws }
    })
}

/// The games on which systems are compared: those that all of them could rate.
pub(super) struct CommonGames<'a> {
    pub results: &'a Results,
    /// Numbers of the games, in ascending order.
    pub games: Vec<usize>,
    pub rates: &'a DrawRates,
}

impl CommonGames<'_> {
    /// Evaluates one system. The differences from other systems remain empty.
    fn judged(&self, predictions: &Predictions) -> SystemEvaluation {
        let mut judged = SystemEvaluation {
            system: predictions.name.clone(),
            rated: predictions.recalibrated.expected.rated(),
            overall: Score::default(),
            with_white: predictions.own.as_ref().map(|own| self.adjusted(own, false)),
            at_best: predictions.own.as_ref().map(|own| self.adjusted(own, true)),
            behind: None,
            recalibrated: Score::default(),
            slope: predictions.recalibrated.slope,
            three_way: self.three_way(predictions),
            behind_standard: None,
            behind_best: LossDifference::default(),
            eras: vec![Score::default(); ERAS.len()],
            eras_recalibrated: vec![Score::default(); ERAS.len()],
            bins: vec![Bin::default(); BINS],
        };
        for &game in &self.games {
            let played = &self.results.games[game];
            let era = ERAS.iter().rposition(|first| played.day.year() >= *first).unwrap_or(0);
            if let Some(expected) = predictions.recalibrated.expected.get(game) {
                judged.recalibrated.add(expected, played.score);
                judged.eras_recalibrated[era].add(expected, played.score);
            }
            let own = predictions.own.as_ref().and_then(|own| own.get(game));
            let Some(expected) = own else { continue };
            judged.overall.add(expected, played.score);
            judged.eras[era].add(expected, played.score);
            let bin = &mut judged.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
            bin.games += 1;
            bin.expected += expected;
            bin.actual += played.score;
        }
        judged
    }

    /// The score of predictions of these games. Games without a prediction are skipped.
    pub(super) fn score(&self, expected: &Expectations) -> Score {
        let mut score = Score::default();
        for &game in &self.games {
            if let Some(expected) = expected.get(game) {
                score.add(expected, self.results.games[game].score);
            }
        }
        score
    }

    /// The mean log loss of the probabilities of win, draw and loss. `None` without games.
    pub(super) fn three_way(&self, predictions: &Predictions) -> Option<f64> {
        let mut sum = 0.0;
        for &game in &self.games {
            let played = &self.results.games[game];
            if let Some(expected) = predictions.recalibrated.expected.get(game) {
                let own = predictions.draws.as_ref().and_then(|draws| draws.get(game));
                let chances = if let Some(draw) = own {
                    Chances::with_draw(expected, draw)
                } else {
                    let draws = self.rates.year(played.day.year()).unwrap_or(USUAL);
                    Chances::new(expected, draws)
                };
                sum += chances.log_loss(played.score);
            }
        }
        (!self.games.is_empty()).then(|| sum / self.games.len() as f64)
    }

    /// The log loss of each game. A missing prediction counts as one half.
    pub(super) fn losses(&self, expected: &Expectations) -> Vec<f64> {
        self.games
            .iter()
            .map(|game| {
                log_loss(expected.get(*game).unwrap_or(0.5), self.results.games[*game].score)
            })
            .collect()
    }

    /// The log loss of each game by the recalibrated predictions.
    fn recalibrated_losses(&self, predictions: &Predictions) -> Vec<f64> {
        self.losses(&predictions.recalibrated.expected)
    }

    /// The log loss of each game, after adding White's advantage. A missing prediction counts as
    /// one half.
    fn losses_with_white(&self, expected: &Expectations, with: Adjusted) -> Vec<f64> {
        let white = with.white * NATURAL;
        self.games
            .iter()
            .map(|game| {
                let expected = expected.get(*game).unwrap_or(0.5);
                log_loss(logistic(logit(expected) + white), self.results.games[*game].score)
            })
            .collect()
    }

    /// Fits White's advantage, and the slope if `with_slope`, to predictions of these games.
    pub(super) fn adjusted(&self, expected: &Expectations, with_slope: bool) -> Adjusted {
        let logits = self.games.iter().filter_map(|game| {
            Some((logit(expected.get(*game)?), self.results.games[*game].score))
        });
        Adjusted::fit(&logits.collect::<Vec<(f64, f64)>>(), with_slope)
    }

    /// Each system's log loss minus the smallest one, both with White's advantage. `None` for a
    /// system without its own curve.
    fn behind_with_white(
        &self,
        systems: &[&Predictions],
        judged: &[SystemEvaluation],
    ) -> Vec<Option<LossDifference>> {
        let mut smallest: Option<(f64, &Expectations, Adjusted)> = None;
        for (system, judged) in systems.iter().zip(judged) {
            let (Some(own), Some(with_white)) = (&system.own, judged.with_white) else { continue };
            let loss = with_white.score.log_loss().unwrap_or(f64::INFINITY);
            if smallest.is_none_or(|(least, ..)| loss.total_cmp(&least).is_lt()) {
                smallest = Some((loss, own, with_white));
            }
        }
        let smallest = smallest.map(|(_, own, with)| self.losses_with_white(own, with));
        systems
            .iter()
            .zip(judged)
            .map(|(system, judged)| {
                let losses = self.losses_with_white(system.own.as_ref()?, judged.with_white?);
                Some(self.difference(&losses, smallest.as_ref()?))
            })
            .collect()
    }

    /// The mean of `one` minus `other`, the losses of two systems in each of these games. There
    /// must be a game. The games of an event count as one observation.
    pub(super) fn difference(&self, one: &[f64], other: &[f64]) -> LossDifference {
        let count = self.games.len() as f64;
        let mean = one.iter().zip(other).map(|(a, b)| a - b).sum::<f64>() / count;
        let (mut squares, mut events) = (0.0, 0_i32);
        let mut next = 0;
        for of_event in
            self.games.chunk_by(|a, b| self.results.games[*a].event == self.results.games[*b].event)
        {
            let places = next..next + of_event.len();
            next = places.end;
            let rest: f64 = places.map(|place| one[place] - other[place] - mean).sum();
            squares += rest.powi(2);
            events += 1;
        }
        // Bessel's correction: the mean is estimated from the same events.
        let few = f64::from(events) / f64::from((events - 1).max(1));
        let standard_error =
            (events as usize >= ENOUGH_EVENTS).then(|| (squares * few).sqrt() / count);
        LossDifference { mean, standard_error }
    }
}

/// The mean log loss of all predictions, with the advantage of White that minimises it. `None`
/// without predictions.
pub fn log_loss_with_white(results: &Results, predictions: &Expectations) -> Option<f64> {
    let games = (0..predictions.len()).collect();
    let all = CommonGames { results, games, rates: &DrawRates::default() };
    all.adjusted(predictions, false).score.log_loss()
}

/// The comparison of two systems on the games that both could rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairwiseComparison {
    /// Number of games that both systems could rate.
    pub games: usize,
    /// Comparison by their own curves; `None` unless both have one.
    pub own: Option<OwnCurves>,
    /// Scores of the first and the second system by recalibrated predictions.
    pub recalibrated: (Score, Score),
    /// Recalibrated log loss of the first system minus that of the second.
    pub behind: LossDifference,
    /// The last slope of the first system's fitted curve (see [`SystemEvaluation::slope`]).
    pub slope: Option<f64>,
    /// Mean log losses of the probabilities of win, draw and loss: of the first, and of the second.
    pub three_way: (f64, f64),
}

/// The comparison of two systems by their own curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnCurves {
    /// Log losses of the first and the second, each with the advantage of White that minimises it.
    pub log_losses: (f64, f64),
    /// Log loss of the first minus that of the second, both with White's advantage.
    pub behind: LossDifference,
    /// The slope that, with White's advantage, minimises the first system's log loss.
    pub slope: f64,
}

/// Compares two systems on the games that both could rate. `None` without such games.
pub(crate) fn compare_two(
    results: &Results,
    one: &Predictions,
    other: &Predictions,
    rates: &DrawRates,
) -> Option<PairwiseComparison> {
    let (of_one, of_other) = (&one.recalibrated.expected, &other.recalibrated.expected);
    let games = (0..of_one.len())
        .filter(|game| of_one.get(*game).is_some() && of_other.get(*game).is_some())
        .collect();
    let common = CommonGames { results, games, rates };
    let three_way = (common.three_way(one)?, common.three_way(other)?);
    let own = one.own.as_ref().zip(other.own.as_ref()).and_then(|(one, other)| {
        let (with_one, with_other) = (common.adjusted(one, false), common.adjusted(other, false));
        Some(OwnCurves {
            log_losses: (with_one.score.log_loss()?, with_other.score.log_loss()?),
            behind: common.difference(
                &common.losses_with_white(one, with_one),
                &common.losses_with_white(other, with_other),
            ),
            slope: common.adjusted(one, true).slope,
        })
    });
    Some(PairwiseComparison {
        games: common.games.len(),
        own,
        recalibrated: (common.score(of_one), common.score(of_other)),
        behind: common.difference(&common.losses(of_one), &common.losses(of_other)),
        slope: one.recalibrated.slope,
        three_way,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    fn predictions(name: &str, expected: impl IntoIterator<Item = Option<f64>>) -> Predictions {
        let expected: Expectations = expected.into_iter().collect();
        let recalibrated = Recalibrated { expected: expected.clone(), slope: None, white: None };
        Predictions { name: name.to_owned(), own: Some(expected), recalibrated, draws: None }
    }

    fn results(scores: &[f64]) -> Results {
        let players =
            ["A", "B"].map(|name| RatedPlayer { name: name.into(), ..RatedPlayer::default() });
        let games = (0..).zip(scores).map(|(event, score)| RatedGame {
            white: 0,
            black: 1,
            score: *score,
            day: date(1950, 1, 1),
            event,
        });
        Results { players: players.into(), games: games.collect(), ..Results::default() }
    }

    #[test]
    fn fit_recovers_a_known_advantage_and_slope() {
        // The scores are those expected from half the difference and 50 points for White.
        let games: Vec<(f64, f64)> = (-20..=20)
            .map(|step| f64::from(step) / 10.0)
            .map(|z| (z, logistic(0.5 * z + 50.0 * NATURAL)))
            .collect();
        let best = Adjusted::fit(&games, true);
        assert!((best.slope - 0.5).abs() < 1e-6 && (best.white - 50.0).abs() < 1e-4, "{best:?}");
        let with_white = Adjusted::fit(&games, false);
        assert_eq!(with_white.slope, 1.0);
        assert!(best.score.log_loss() < with_white.score.log_loss());
    }

    #[test]
    fn standard_errors_of_differences_are_clustered_by_event() {
        let scores: Vec<f64> = (0..40).map(|game| f64::from(game % 4 / 2)).collect();
        let results = results(&scores);
        let informed = predictions("informed", scores.iter().map(|score| Some(0.4 + 0.2 * score)));
        let constant = predictions("constant", scores.iter().map(|_| Some(0.5)));
        let rates = DrawRates::default();
        let found = compare(&results, &[&informed, &constant], "constant", &rates);
        assert_eq!(found.systems[0].behind.unwrap().mean, 0.0);
        let behind = found.systems[1].behind.unwrap();
        let wanted = (-(0.5f64.ln())) - (-(0.6f64.ln()));
        assert!((behind.mean - wanted).abs() < 1e-6, "{behind:?}");
        // All games have the same difference of losses.
        assert!(behind.standard_error.unwrap() < 1e-6, "{behind:?}");
        let behind_standard = found.systems[0].behind_standard.unwrap();
        assert!((behind_standard.mean + wanted).abs() < 1e-6, "{behind_standard:?}");
        let nothing = LossDifference { mean: 0.0, standard_error: Some(0.0) };
        assert_eq!(found.systems[1].behind_standard, Some(nothing));
    }

    #[test]
    fn comparison_uses_only_games_that_all_systems_rated() {
        let results = results(&[1.0, 0.5, 0.0]);
        let two = predictions("rated two", [Some(0.8), Some(0.5), None]);
        let all = predictions("rated all", [Some(0.6); 3]);
        let found = compare(&results, &[&two, &all], "", &DrawRates::default());
        assert_eq!((found.games, found.common), (3, 2));
        assert!(found.systems.iter().all(|one| one.overall.games == 2));
        assert_eq!(found.systems.iter().map(|one| one.rated).collect::<Vec<_>>(), [2, 3, 3, 3]);
        let first = &found.systems[0].overall;
        let expected = (-(0.8f64.ln()) - 0.5f64.ln()) / 2.0;
        assert!((first.log_loss().unwrap() - expected).abs() < 1e-7);
        assert!((first.brier_score().unwrap() - 0.04 / 2.0).abs() < 1e-7);
        let half = &found.systems[2];
        assert!((half.overall.log_loss().unwrap() - 2f64.ln()).abs() < 1e-12);
        assert_eq!(half.bins[10], Bin { games: 2, expected: 1.0, actual: 1.5 });
        // White's average uses only earlier games.
        assert_eq!(found.systems[3].bins[10].games, 1);
        assert_eq!(found.systems[3].bins[15].games, 1);
    }
}
