//! How well the systems' ratings before an event predict its games: all on the same games.

use bitcode::{Decode, Encode};
use jiff::civil::Date;

use rayon::prelude::*;

use crate::evaluation::draw_model::{Chances, DrawRates};
use crate::evaluation::expectations::Expectations;
use crate::evaluation::recalibration::{Recalibrated, recalibrated};
use crate::systems::ComputedList;
use crate::systems::Results;
use crate::systems::Role;
use crate::systems::System;
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::{PreEventRatings, RatingSystem, SystemRatings, differences};

/// First years of the eras that are told apart.
pub const ERAS: [i16; 7] = [i16::MIN, 1900, 1925, 1950, 1970, 1990, 2010];

/// Bins of expected scores, each five per cent.
pub const BINS: usize = 20;

/// What is known of one system's predictions on games that all could rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Name of the system or baseline.
    pub system: String,
    /// Games that it could rate, of all.
    pub rated: usize,
    /// By its own curve, on the games that all systems could rate.
    pub overall: Score,
    /// The same games with the advantage of White that makes the predictions best; `None` of a system without a curve of its own.
    pub with_white: Option<Adjusted>,
    /// The same with the best advantage and the best slope.
    pub at_best: Option<Adjusted>,
    /// How much greater the log loss is, both with White's advantage, than that of who has the smallest.
    /// `None` of a system without a curve of its own, and of baselines.
    pub behind: Option<Difference>,
    /// By the curve that is fitted to what it predicted before, on the same games.
    pub recalibrated: Score,
    /// The last slope of that curve, for Elo's points: below 1 the system spreads players too far. `None` of a system without such points.
    pub slope: Option<f64>,
    /// The same with chances of win, draw and loss, by Davidson's model: the mean of -ln of what was given to the result.
    pub three_way: Option<f64>,
    /// How much greater the recalibrated log loss is than that of the standard system.
    pub beside_standard: Option<Difference>,
    /// How much greater the recalibrated log loss is than that of who has the smallest.
    pub behind_best: Difference,
    /// By its own curve by era, in the order of [`ERAS`].
    pub eras: Vec<Score>,
    /// By the fitted curve likewise.
    pub eras_recalibrated: Vec<Score>,
    /// Calibration: by expected score of White, bins of five per cent.
    pub bins: Vec<Bin>,
}

/// Predictions with what was found afterwards to make them best: what part of a difference in strength foretells, and what
/// White's side is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjusted {
    /// By what the difference is multiplied.
    pub slope: f64,
    /// White's advantage (points of 400 to ten times the odds).
    pub white: f64,
    /// How good they are then.
    pub score: Score,
}

/// A difference of mean log losses on the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// The difference.
    pub mean: f64,
    /// Its standard error; the games of an event count as one observation, since they are alike. `None` of fewer than ten events, which tell none.
    pub standard_error: Option<f64>,
}

impl Difference {
    /// Whether it is above nought by more than so many standard errors; not where there is none.
    pub fn is_above(&self, errors: f64) -> bool {
        self.standard_error.is_some_and(|error| self.mean > errors * error)
    }

    /// Whether it may as well be nought: within so many standard errors, or without one.
    pub fn is_noise(&self, errors: f64) -> bool {
        self.standard_error.is_none_or(|error| self.mean.abs() <= errors * error)
    }
}

/// Events without which a difference has no standard error.
const ENOUGH_EVENTS: usize = 10;

/// How good predictions were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// How many games.
    pub games: usize,
    log_loss: f64,
    squared: f64,
}

/// The log loss of a prediction.
fn log_loss(expected: f64, score: f64) -> f64 {
    // Nobody is certain: a prediction of 0 or 1 that fails would cost without limit.
    let p = expected.clamp(0.001, 0.999);
    -(score * p.ln() + (1.0 - score) * (1.0 - p).ln())
}

/// The inverse of the logistic function, within what predictions are taken for.
fn logit(expected: f64) -> f64 {
    let p = expected.clamp(0.001, 0.999);
    (p / (1.0 - p)).ln()
}

/// Steps of Newton's that are more than enough for two unknowns.
const STEPS: usize = 30;

impl Adjusted {
    /// The best for predictions (as logits) and scores, with the slope as it is or the best one too.
    fn of(games: &[(f64, f64)], with_slope: bool) -> Adjusted {
        let (mut slope, mut white) = (1.0, 0.0);
        for _ in 0..STEPS {
            // Slopes and second derivatives by White's advantage and by the slope.
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
            let (to_white, to_slope) = match with_slope && determinant > 1e-9 * white_white {
                true => (
                    (slope_slope * by_white - white_slope * by_slope) / determinant,
                    (white_white * by_slope - white_slope * by_white) / determinant,
                ),
                false if white_white > 0.0 => (by_white / white_white, 0.0),
                false => (0.0, 0.0),
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
    fn add(&mut self, expected: f64, score: f64) {
        self.games += 1;
        self.log_loss += log_loss(expected, score);
        self.squared += (score - expected).powi(2);
    }

    /// Mean log loss; a draw is half a win and half a loss. `None` without games.
    pub fn log_loss(&self) -> Option<f64> {
        (self.games > 0).then(|| self.log_loss / self.games as f64)
    }

    /// Brier score: the mean squared error of the expected score. `None` without games.
    pub fn brier_score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.squared / self.games as f64)
    }
}

/// A bin of the calibration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many games.
    pub games: usize,
    /// Sum of expected scores.
    pub expected: f64,
    /// Sum of actual scores.
    pub actual: f64,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// All games.
    pub games: usize,
    /// Games that all systems could rate.
    pub common: usize,
    /// The systems, then the baselines.
    pub judged: Vec<Judged>,
}

/// What a system made of the games.
#[derive(Clone, Debug)]
pub struct Computed {
    /// Which system.
    pub system: &'static System,
    /// Its lists, and what it could not rate.
    pub ratings: SystemRatings,
    /// Its lists by the day from which they are in force.
    pub in_force: Vec<ComputedList>,
}

/// What a system expected of the games.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Predictions {
    /// Its name.
    pub name: String,
    /// By its own curve; `None` of a system without one.
    pub own: Option<Expectations>,
    /// By the curve that is fitted to what it predicted before.
    pub recalibrated: Recalibrated,
}

/// Runs a system; one that predicts also tells what.
pub fn rated(
    results: &Results,
    system: &'static System,
    rates: &dyn RatingSystem,
) -> (SystemRatings, Option<Predictions>) {
    let mut ratings = rates.rate(results).finite();
    // Who knows what came later does not predict.
    let predicts = !system.about.knows_later_games;
    let predictions = predicts.then(|| {
        let in_force = rates.in_force(&ratings.lists);
        predictions(results, system.about.name, rates, &ratings, &in_force)
    });
    // They have told what they are there for, and are many.
    ratings.before = PreEventRatings::Lists;
    (ratings, predictions)
}

/// The same with the lists in force.
pub fn computed(
    results: &Results,
    system: &'static System,
    rates: &dyn RatingSystem,
) -> (Computed, Option<Predictions>) {
    let (ratings, predictions) = rated(results, system, rates);
    let in_force = rates.in_force(&ratings.lists).into_owned();
    (Computed { system, ratings, in_force }, predictions)
}

/// Runs systems beside each other; those that predict also tell what. Of each is kept what somebody makes of it: all of their
/// lists at one time would be many times the games.
pub fn compute<T: Send>(
    results: &Results,
    systems: Vec<(&'static System, Box<dyn RatingSystem>)>,
    keep: impl Fn(&Computed) -> T + Sync,
) -> (Vec<T>, Vec<(&'static System, Predictions)>) {
    compute_by(systems, |system, rates| computed(results, system, rates), keep)
}

/// The same where somebody else may have run them.
pub fn compute_by<T: Send>(
    systems: Vec<(&'static System, Box<dyn RatingSystem>)>,
    run: impl Fn(&'static System, &dyn RatingSystem) -> (Computed, Option<Predictions>) + Sync,
    keep: impl Fn(&Computed) -> T + Sync,
) -> (Vec<T>, Vec<(&'static System, Predictions)>) {
    // Some at a time: who waits for a part of his work begins another system, and the lists of all would be there at last.
    let at_a_time = 2 * rayon::current_num_threads();
    let (mut kept, mut found) = (Vec::with_capacity(systems.len()), Vec::new());
    let mut systems = systems.into_iter().peekable();
    while systems.peek().is_some() {
        let some: Vec<_> = systems.by_ref().take(at_a_time).collect();
        let (of_some, predictions): (Vec<T>, Vec<Option<_>>) = some
            .into_par_iter()
            .with_max_len(1)
            .map(|(system, rates)| {
                let (found, predictions) = run(system, rates.as_ref());
                (keep(&found), predictions.map(|predictions| (system, predictions)))
            })
            .unzip();
        kept.extend(of_some);
        found.extend(predictions.into_iter().flatten());
    }
    (kept, found)
}

/// What a system expects of each game by what it knew before.
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
    let own = |difference: f64| system.expected(difference);
    let mut recalibrated = recalibrated(results, differences, &own);
    // A slope is told for Elo's points; where there are none it tells nothing.
    let of_a_point =
        system.elo_equivalent(1.0).zip(system.elo_equivalent(0.0)).map(|(one, none)| one - none);
    recalibrated.slope = recalibrated
        .slope
        .zip(of_a_point)
        .filter(|_| system.has_curve())
        .map(|(slope, points)| slope / points);
    Predictions {
        name: name.to_owned(),
        own: system.has_curve().then(|| differences.iter().map(|known| known.map(own)).collect()),
        recalibrated,
    }
}

/// Differences by the list in force before each event.
fn differences_by_lists(results: &Results, lists: &[ComputedList], days: i32) -> Vec<Option<f64>> {
    let mut known = Vec::with_capacity(results.games.len());
    // Rating by player with the list that gave it.
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
        let before = |player: u32| {
            let (list, rating) = ratings[player as usize];
            (!is_stale && list > 0 && list == next as u32).then_some(rating)
        };
        known.extend(differences(event, &before));
    }
    known
}

/// The proportion of games between equals that are drawn, where too few games were predicted to know it.
const USUAL: f64 = 1.0 / 3.0;

/// How readily games were drawn, by what the standard system expected of them; by what the first did where it is not there.
pub fn draw_rates(results: &Results, predictions: &[(&'static System, Predictions)]) -> DrawRates {
    let is_standard = |of: &&(&'static System, Predictions)| of.0.about.is_standard;
    let Some((_, standard)) = predictions.iter().find(is_standard).or(predictions.first()) else {
        return DrawRates::default();
    };
    let expected = &standard.recalibrated.expected;
    DrawRates::of(
        results.games.iter().enumerate().filter_map(|(number, game)| {
            Some((game.day.year(), expected.get(number)?, game.score))
        }),
    )
}

/// Whether a system is judged with all others on the games that all can rate: if it can rate at least half of all games, lest it take games from
/// the others; and if it is no system of the past, which are tried by themselves (see [`trial`](crate::evaluation::trials::trial)).
pub fn is_judged_with_all(results: &Results, system: &System, predictions: &Predictions) -> bool {
    let rated = predictions.recalibrated.expected.rated();
    system.about.role != Role::Past && 2 * rated >= results.games.len()
}

/// Compares the systems of these predictions that are judged with all others.
pub fn compare_systems(
    results: &Results,
    predictions: &[(&'static System, Predictions)],
    rates: &DrawRates,
) -> Comparison {
    let present = predictions.iter().filter(|(system, of)| is_judged_with_all(results, system, of));
    let standard = System::standard().about.name;
    let present: Vec<&Predictions> = present.map(|(_, predictions)| predictions).collect();
    compare(results, &present, standard, rates)
}

/// Judges predictions on the games that all have, each beside the one with the name of the standard, and the baselines "always one half" and "White's
/// average so far".
pub fn compare(
    results: &Results,
    systems: &[&Predictions],
    standard: &str,
    rates: &DrawRates,
) -> Comparison {
    let games = &results.games;
    let mut average = Vec::with_capacity(games.len());
    let (mut sum, mut count) = (0.5, 1.0);
    for event in results.events() {
        average.extend(std::iter::repeat_n(Some(sum / count), event.len()));
        sum += event.iter().map(|game| game.score).sum::<f64>();
        count += event.len() as f64;
    }
    let is_common =
        |game: usize| systems.iter().all(|of| of.recalibrated.expected.get(game).is_some());
    let common: Vec<usize> = (0..games.len()).filter(|game| is_common(*game)).collect();
    let half: Vec<Option<f64>> = vec![Some(0.5); games.len()];
    let baseline = |name: &str, expected: Vec<Option<f64>>| {
        let expected: Expectations = expected.into_iter().collect();
        let recalibrated = Recalibrated { expected: expected.clone(), slope: None, white: None };
        Predictions { name: name.to_owned(), own: Some(expected), recalibrated }
    };
    let baselines = [baseline("always one half", half), baseline("White's average", average)];
    let all: Vec<&Predictions> = systems.iter().copied().chain(&baselines).collect();
    let standard = all.iter().find(|of| of.name == standard);
    let standard = standard.map(|of| plain_losses(results, &of.recalibrated.expected, &common));
    let judged = all.par_iter().map(|of| {
        let mut judged = Judged {
            system: of.name.clone(),
            rated: of.recalibrated.expected.rated(),
            overall: Score::default(),
            with_white: None,
            at_best: None,
            behind: None,
            recalibrated: Score::default(),
            slope: of.recalibrated.slope,
            three_way: None,
            beside_standard: None,
            behind_best: Difference::default(),
            eras: vec![Score::default(); ERAS.len()],
            eras_recalibrated: vec![Score::default(); ERAS.len()],
            bins: vec![Bin::default(); BINS],
        };
        let mut three_way = 0.0;
        for &game in &common {
            let played = &games[game];
            let era = ERAS.iter().rposition(|first| played.day.year() >= *first).unwrap_or(0);
            if let Some(expected) = of.recalibrated.expected.get(game) {
                judged.recalibrated.add(expected, played.score);
                judged.eras_recalibrated[era].add(expected, played.score);
                let draws = rates.year(played.day.year()).unwrap_or(USUAL);
                three_way += Chances::of(expected, draws).log_loss(played.score);
            }
            let own = of.own.as_ref().and_then(|own| own.get(game));
            let Some(expected) = own else { continue };
            judged.overall.add(expected, played.score);
            judged.eras[era].add(expected, played.score);
            let bin = &mut judged.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
            bin.games += 1;
            bin.expected += expected;
            bin.actual += played.score;
        }
        judged.three_way = (!common.is_empty()).then(|| three_way / common.len() as f64);
        let losses = plain_losses(results, &of.recalibrated.expected, &common);
        judged.beside_standard = standard
            .as_ref()
            .filter(|_| !common.is_empty())
            .map(|standard| difference(results, &common, &losses, standard));
        if let Some(own) = &of.own {
            judged.with_white = Some(adjusted(results, own, &common, false));
            judged.at_best = Some(adjusted(results, own, &common, true));
        }
        judged
    });
    let mut judged: Vec<Judged> = judged.collect();
    tell_differences(&mut judged, results, systems, &common);
    let loss = |judged: &Judged| judged.recalibrated.log_loss().unwrap_or(f64::INFINITY);
    let best = (0..systems.len()).min_by(|a, b| loss(&judged[*a]).total_cmp(&loss(&judged[*b])));
    if let Some(best) = best.filter(|_| !common.is_empty()) {
        let of = |place: usize| plain_losses(results, &all[place].recalibrated.expected, &common);
        let smallest = of(best);
        for (place, judged) in judged.iter_mut().enumerate() {
            judged.behind_best = difference(results, &common, &of(place), &smallest);
        }
    }
    Comparison { games: games.len(), common: common.len(), judged }
}

/// The log loss of each of these games as it was predicted.
fn plain_losses(results: &Results, expected: &Expectations, games: &[usize]) -> Vec<f64> {
    let of =
        |game: &usize| log_loss(expected.get(*game).unwrap_or(0.5), results.games[*game].score);
    games.iter().map(of).collect()
}

/// Tells by how much each system is behind the one with the smallest log loss, both with White's advantage.
fn tell_differences(
    judged: &mut [Judged],
    results: &Results,
    systems: &[&Predictions],
    common: &[usize],
) {
    let with_own: Vec<(usize, &Expectations)> = systems
        .iter()
        .enumerate()
        .filter_map(|(place, of)| Some((place, of.own.as_ref()?)))
        .collect();
    let loss = |place: usize| {
        let with_white = judged[place].with_white;
        with_white.and_then(|with| with.score.log_loss()).unwrap_or(f64::INFINITY)
    };
    let best = with_own.iter().min_by(|a, b| loss(a.0).total_cmp(&loss(b.0)));
    let Some((best, of_best)) = best.filter(|_| !common.is_empty()) else { return };
    let with = |place: usize, judged: &[Judged]| judged[place].with_white.unwrap_or_default();
    let smallest = losses(results, of_best, common, with(*best, judged));
    for (place, own) in &with_own {
        let losses = losses(results, own, common, with(*place, judged));
        judged[*place].behind = Some(difference(results, common, &losses, &smallest));
    }
}

/// The log loss of each of these games, with White's advantage.
fn losses(
    results: &Results,
    predictions: &Expectations,
    games: &[usize],
    with: Adjusted,
) -> Vec<f64> {
    let white = with.white * NATURAL;
    let of = |game: &usize| {
        let expected = predictions.get(*game).unwrap_or(0.5);
        log_loss(logistic(logit(expected) + white), results.games[*game].score)
    };
    games.iter().map(of).collect()
}

/// How much greater the one's losses are in the mean than the other's; the games of an event count as one.
fn difference(results: &Results, games: &[usize], one: &[f64], other: &[f64]) -> Difference {
    let mean = one.iter().zip(other).map(|(a, b)| a - b).sum::<f64>() / games.len() as f64;
    let places: Vec<usize> = (0..games.len()).collect();
    let event = |place: &usize| results.games[games[*place]].event;
    let (mut squares, mut events) = (0.0, 0_i32);
    for of_event in places.chunk_by(|a, b| event(a) == event(b)) {
        let rest = |place: &usize| one[*place] - other[*place] - mean;
        squares += of_event.iter().map(rest).sum::<f64>().powi(2);
        events += 1;
    }
    // Few events lie nearer to their own mean than to the true one.
    let few = f64::from(events) / f64::from((events - 1).max(1));
    let standard_error =
        (events as usize >= ENOUGH_EVENTS).then(|| (squares * few).sqrt() / games.len() as f64);
    Difference { mean, standard_error }
}

/// Predictions of these games with the advantage of White that makes them best, and, if asked, the best slope too.
fn adjusted(
    results: &Results,
    predictions: &Expectations,
    games: &[usize],
    with_slope: bool,
) -> Adjusted {
    let logits = games
        .iter()
        .filter_map(|game| Some((logit(predictions.get(*game)?), results.games[*game].score)));
    Adjusted::of(&logits.collect::<Vec<(f64, f64)>>(), with_slope)
}

/// The log loss of all predictions that there are, with the advantage of White that makes it smallest; `None` without any.
pub fn log_loss_with_white(results: &Results, predictions: &Expectations) -> Option<f64> {
    let all: Vec<usize> = (0..predictions.len()).collect();
    adjusted(results, predictions, &all, false).score.log_loss()
}

/// Two systems on the games that both could rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// How many games.
    pub games: usize,
    /// By own curves, where both have one.
    pub own: Option<OwnCurves>,
    /// The scores of the one and of the other by the curves that are fitted to what they predicted before.
    pub recalibrated: (Score, Score),
    /// How much greater the one's log loss is then.
    pub behind: Difference,
    /// The last slope of the one's fitted curve.
    pub slope: Option<f64>,
    /// The mean of -ln of what the one gave to the results, and the other.
    pub three_way: (f64, f64),
}

/// Two systems by their own curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnCurves {
    /// The log losses of the one and of the other, each with the advantage of White that makes it smallest.
    pub log_losses: (f64, f64),
    /// How much greater the one's is.
    pub behind: Difference,
    /// The slope at which the one would be best.
    pub slope: f64,
}

/// Judges two systems on the games that both could rate; `None` where there are none.
pub fn compare_two(
    results: &Results,
    one: &Predictions,
    other: &Predictions,
    rates: &DrawRates,
) -> Option<Pair> {
    let (of_one, of_other) = (&one.recalibrated.expected, &other.recalibrated.expected);
    let common: Vec<usize> = (0..of_one.len())
        .filter(|game| of_one.get(*game).is_some() && of_other.get(*game).is_some())
        .collect();
    if common.is_empty() {
        return None;
    }
    let scores = |of: &Expectations| {
        let (mut score, mut three_way) = (Score::default(), 0.0);
        for &game in &common {
            let (Some(expected), played) = (of.get(game), &results.games[game]) else { continue };
            score.add(expected, played.score);
            let draws = rates.year(played.day.year()).unwrap_or(USUAL);
            three_way += Chances::of(expected, draws).log_loss(played.score);
        }
        (score, three_way / common.len() as f64)
    };
    let ((score, three_way), (score_of_other, three_way_of_other)) =
        (scores(of_one), scores(of_other));
    let behind = difference(
        results,
        &common,
        &plain_losses(results, of_one, &common),
        &plain_losses(results, of_other, &common),
    );
    let own = one.own.as_ref().zip(other.own.as_ref()).and_then(|(one, other)| {
        let (with_one, with_other) =
            (adjusted(results, one, &common, false), adjusted(results, other, &common, false));
        Some(OwnCurves {
            log_losses: (with_one.score.log_loss()?, with_other.score.log_loss()?),
            behind: difference(
                results,
                &common,
                &losses(results, one, &common, with_one),
                &losses(results, other, &common, with_other),
            ),
            slope: adjusted(results, one, &common, true).slope,
        })
    });
    Some(Pair {
        games: common.len(),
        own,
        recalibrated: (score, score_of_other),
        behind,
        slope: one.recalibrated.slope,
        three_way: (three_way, three_way_of_other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    fn of(name: &str, expected: impl IntoIterator<Item = Option<f64>>) -> Predictions {
        let expected: Expectations = expected.into_iter().collect();
        let recalibrated = Recalibrated { expected: expected.clone(), slope: None, white: None };
        Predictions { name: name.to_owned(), own: Some(expected), recalibrated }
    }

    fn results(scores: &[f64]) -> Results {
        let player = |name: &str| RatedPlayer { name: name.into(), ..RatedPlayer::default() };
        let games = (0..).zip(scores).map(|(event, score)| RatedGame {
            white: 0,
            black: 1,
            score: *score,
            day: date(1950, 1, 1),
            event,
        });
        Results {
            players: vec![player("A"), player("B")],
            games: games.collect(),
            ..Results::default()
        }
    }

    #[test]
    fn an_advantage_and_a_slope_are_found_where_they_are() {
        // Scores that are what half the difference and 50 points for White let expect.
        let games: Vec<(f64, f64)> = (-20..=20)
            .map(|step| f64::from(step) / 10.0)
            .map(|z| (z, logistic(0.5 * z + 50.0 * NATURAL)))
            .collect();
        let best = Adjusted::of(&games, true);
        assert!((best.slope - 0.5).abs() < 1e-6 && (best.white - 50.0).abs() < 1e-4, "{best:?}");
        let with_white = Adjusted::of(&games, false);
        assert_eq!(with_white.slope, 1.0);
        assert!(best.score.log_loss() < with_white.score.log_loss());
    }

    #[test]
    fn differences_have_errors_by_events() {
        let scores: Vec<f64> = (0..40).map(|game| f64::from(game % 4 / 2)).collect();
        let results = results(&scores);
        let knows = of("knows", scores.iter().map(|score| Some(0.4 + 0.2 * score)));
        let guesses = of("guesses", scores.iter().map(|_| Some(0.5)));
        let rates = DrawRates::default();
        let found = compare(&results, &[&knows, &guesses], "guesses", &rates);
        assert_eq!(found.judged[0].behind.unwrap().mean, 0.0);
        let behind = found.judged[1].behind.unwrap();
        let wanted = (-(0.5f64.ln())) - (-(0.6f64.ln()));
        assert!((behind.mean - wanted).abs() < 1e-6, "{behind:?}");
        // All games tell the same.
        assert!(behind.standard_error.unwrap() < 1e-6, "{behind:?}");
        let beside = found.judged[0].beside_standard.unwrap();
        assert!((beside.mean + wanted).abs() < 1e-6, "{beside:?}");
        let nothing = Difference { mean: 0.0, standard_error: Some(0.0) };
        assert_eq!(found.judged[1].beside_standard, Some(nothing));
    }

    #[test]
    fn all_are_judged_on_the_games_that_all_could_rate() {
        let results = results(&[1.0, 0.5, 0.0]);
        let two = of("knows two", [Some(0.8), Some(0.5), None]);
        let all = of("knows all", [Some(0.6); 3]);
        let found = compare(&results, &[&two, &all], "", &DrawRates::default());
        assert_eq!((found.games, found.common), (3, 2));
        assert!(found.judged.iter().all(|one| one.overall.games == 2));
        assert_eq!(found.judged.iter().map(|one| one.rated).collect::<Vec<_>>(), [2, 3, 3, 3]);
        let first = &found.judged[0].overall;
        let expected = (-(0.8f64.ln()) - 0.5f64.ln()) / 2.0;
        assert!((first.log_loss().unwrap() - expected).abs() < 1e-7);
        assert!((first.brier_score().unwrap() - 0.04 / 2.0).abs() < 1e-7);
        let half = &found.judged[2];
        assert!((half.overall.log_loss().unwrap() - 2f64.ln()).abs() < 1e-12);
        assert_eq!(half.bins[10], Bin { games: 2, expected: 1.0, actual: 1.5 });
        // White's average knows only what was played before.
        assert_eq!(found.judged[3].bins[10].games, 1);
        assert_eq!(found.judged[3].bins[15].games, 1);
    }
}
