//! How well the systems' ratings before an event predict its games: all on the same games.

use jiff::civil::Date;

use rayon::prelude::*;

use super::lists::ComputedList;
use super::logistic::{NATURAL, logistic};
use super::registry::System;
use super::results::Results;
use super::system::{Before, RatingSystem, Ratings, differences};

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
    /// On the games that all systems could rate.
    pub overall: Score,
    /// The same games with the advantage of White that makes the predictions best.
    pub with_white: Adjusted,
    /// The same with the best advantage and the best slope.
    pub at_best: Adjusted,
    /// How much greater the log loss is, both with White's advantage, than that of who has the smallest.
    pub behind: Difference,
    /// The same by era, in the order of [`ERAS`].
    pub eras: Vec<Score>,
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
    /// Its standard error; the games of an event count as one observation, since they are alike.
    pub standard_error: f64,
}

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
    pub ratings: Ratings,
    /// Its lists by the day from which they are in force.
    pub in_force: Vec<ComputedList>,
}

/// The name of a system, and White's expected score of each game; `None` where it could not rate one.
pub type Predictions = (String, Vec<Option<f64>>);

/// The same, looked at.
pub type Named<'a> = (&'a str, &'a [Option<f64>]);

/// Runs systems beside each other; those that predict also tell what.
pub fn compute(
    results: &Results,
    systems: Vec<(&'static System, Box<dyn RatingSystem>)>,
) -> (Vec<Computed>, Vec<(&'static System, Predictions)>) {
    let (computed, predictions): (Vec<Computed>, Vec<Option<_>>) = systems
        .into_par_iter()
        .with_max_len(1)
        .map(|(system, rates)| {
            let ratings = rates.rate(results);
            let in_force = rates.in_force(&ratings.lists).into_owned();
            // Who knows what came later does not predict.
            let predicts = !system.about.knows_later_games;
            let predictions = predicts.then(|| {
                let predictions = predictions(results, rates.as_ref(), &ratings, &in_force);
                (system, (system.about.name.to_owned(), predictions))
            });
            (Computed { system, ratings, in_force }, predictions)
        })
        .unzip();
    (computed, predictions.into_iter().flatten().collect())
}

/// White's expected score of each game by what a system knew before; `None` where it could not rate it.
pub fn predictions(
    results: &Results,
    system: &dyn RatingSystem,
    ratings: &Ratings,
    in_force: &[ComputedList],
) -> Vec<Option<f64>> {
    let by_lists;
    let differences = match &ratings.before {
        Before::Differences(differences) => differences,
        Before::Lists => {
            by_lists = differences_by_lists(results, in_force, system.predicts_for_days());
            &by_lists
        }
    };
    differences.iter().map(|known| known.map(|known| system.expected(known))).collect()
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

/// Compares the systems of these predictions; those of the past, which can rate fewer games, are tried by themselves (see
/// [`trials`](super::trials)).
pub fn compare_systems(
    results: &Results,
    predictions: &[(&'static System, Predictions)],
) -> Comparison {
    let present = predictions.iter().filter(|(system, _)| system.about.role.is_compared());
    let present: Vec<Named> =
        present.map(|(_, (name, known))| (name.as_str(), known.as_slice())).collect();
    compare(results, &present)
}

/// Judges predictions (White's expected score of each game, `None` where a system could not rate it) on the
/// games that all have, and the baselines "always one half" and "White's average so far".
pub fn compare(results: &Results, systems: &[Named]) -> Comparison {
    let games = &results.games;
    let mut average = Vec::with_capacity(games.len());
    let (mut sum, mut count) = (0.5, 1.0);
    for event in results.events() {
        average.extend(std::iter::repeat_n(Some(sum / count), event.len()));
        sum += event.iter().map(|game| game.score).sum::<f64>();
        count += event.len() as f64;
    }
    let is_common = |game: usize| systems.iter().all(|(_, all)| all[game].is_some());
    let common: Vec<usize> = (0..games.len()).filter(|game| is_common(*game)).collect();
    let half = vec![Some(0.5); games.len()];
    let baselines = [("always one half", half.as_slice()), ("White's average", average.as_slice())];
    let judged = systems
        .iter()
        .chain(&baselines)
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|(system, predictions)| {
            let mut judged = Judged {
                system: (*system).to_owned(),
                rated: predictions.iter().flatten().count(),
                overall: Score::default(),
                with_white: Adjusted::default(),
                at_best: Adjusted::default(),
                behind: Difference::default(),
                eras: vec![Score::default(); ERAS.len()],
                bins: vec![Bin::default(); BINS],
            };
            for &game in &common {
                let (Some(expected), played) = (predictions[game], &games[game]) else { continue };
                judged.overall.add(expected, played.score);
                let era = ERAS.iter().rposition(|first| played.day.year() >= *first).unwrap_or(0);
                judged.eras[era].add(expected, played.score);
                let bin = &mut judged.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
                bin.games += 1;
                bin.expected += expected;
                bin.actual += played.score;
            }
            let logits: Vec<(f64, f64)> = common
                .iter()
                .filter_map(|game| Some((logit(predictions[*game]?), games[*game].score)))
                .collect();
            judged.with_white = Adjusted::of(&logits, false);
            judged.at_best = Adjusted::of(&logits, true);
            judged
        })
        .collect();
    let mut judged: Vec<Judged> = judged;
    tell_differences(&mut judged, results, systems, &common);
    Comparison { games: games.len(), common: common.len(), judged }
}

/// Tells by how much each system is behind the one with the smallest log loss, both with White's advantage.
fn tell_differences(judged: &mut [Judged], results: &Results, systems: &[Named], common: &[usize]) {
    let loss = |judged: &Judged| judged.with_white.score.log_loss().unwrap_or(f64::INFINITY);
    let judged_systems = &judged[..systems.len()];
    let best = (0..systems.len())
        .min_by(|a, b| loss(&judged_systems[*a]).total_cmp(&loss(&judged_systems[*b])));
    let Some(best) = best.filter(|_| !common.is_empty()) else { return };
    let losses = |system: usize, judged: &[Judged]| -> Vec<f64> {
        losses(results, systems[system].1, common, judged[system].with_white)
    };
    let smallest = losses(best, judged);
    for system in 0..systems.len() {
        judged[system].behind = difference(results, common, &losses(system, judged), &smallest);
    }
}

/// The log loss of each of these games, with White's advantage.
fn losses(
    results: &Results,
    predictions: &[Option<f64>],
    games: &[usize],
    with: Adjusted,
) -> Vec<f64> {
    let white = with.white * NATURAL;
    let of = |game: &usize| {
        let expected = predictions[*game].unwrap_or(0.5);
        log_loss(logistic(logit(expected) + white), results.games[*game].score)
    };
    games.iter().map(of).collect()
}

/// How much greater the one's losses are in the mean than the other's; the games of an event count as one.
fn difference(results: &Results, games: &[usize], one: &[f64], other: &[f64]) -> Difference {
    let mean = one.iter().zip(other).map(|(a, b)| a - b).sum::<f64>() / games.len() as f64;
    let places: Vec<usize> = (0..games.len()).collect();
    let event = |place: &usize| results.games[games[*place]].event;
    let squares = places.chunk_by(|a, b| event(a) == event(b)).map(|of_event| {
        let rest = |place: &usize| one[*place] - other[*place] - mean;
        of_event.iter().map(rest).sum::<f64>().powi(2)
    });
    Difference { mean, standard_error: squares.sum::<f64>().sqrt() / games.len() as f64 }
}

/// Predictions of these games with the advantage of White that makes them best, and, if asked, the best slope too.
fn adjusted(
    results: &Results,
    predictions: &[Option<f64>],
    games: &[usize],
    with_slope: bool,
) -> Adjusted {
    let logits = games
        .iter()
        .filter_map(|game| Some((logit(predictions[*game]?), results.games[*game].score)));
    Adjusted::of(&logits.collect::<Vec<(f64, f64)>>(), with_slope)
}

/// The log loss of all predictions that there are, with the advantage of White that makes it smallest; `None` without any.
pub fn log_loss_with_white(results: &Results, predictions: &[Option<f64>]) -> Option<f64> {
    let all: Vec<usize> = (0..predictions.len()).collect();
    adjusted(results, predictions, &all, false).score.log_loss()
}

/// Two predictions on the games that both have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// How many games.
    pub games: usize,
    /// The log losses of the one and of the other, each with the advantage of White that makes it smallest.
    pub log_losses: (f64, f64),
    /// How much greater the one's is.
    pub behind: Difference,
    /// The slope at which the one would be best.
    pub slope: f64,
}

/// Judges two predictions on the games that both have; `None` where there are none.
pub fn compare_two(results: &Results, one: &[Option<f64>], other: &[Option<f64>]) -> Option<Pair> {
    let common: Vec<usize> =
        (0..one.len()).filter(|game| one[*game].is_some() && other[*game].is_some()).collect();
    let (with_one, with_other) =
        (adjusted(results, one, &common, false), adjusted(results, other, &common, false));
    let log_losses = (with_one.score.log_loss()?, with_other.score.log_loss()?);
    let behind = difference(
        results,
        &common,
        &losses(results, one, &common, with_one),
        &losses(results, other, &common, with_other),
    );
    let slope = adjusted(results, one, &common, true).slope;
    Some(Pair { games: common.len(), log_losses, behind, slope })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{Rated, RatedPlayer};
    use jiff::civil::date;

    fn results(scores: &[f64]) -> Results {
        let player = |name: &str| RatedPlayer { name: name.into(), ..RatedPlayer::default() };
        let games = (0..).zip(scores).map(|(event, score)| Rated {
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
        let knows: Vec<_> = scores.iter().map(|score| Some(0.4 + 0.2 * score)).collect();
        let guesses = vec![Some(0.5); scores.len()];
        let found = compare(&results, &[("knows", &knows), ("guesses", &guesses)]);
        assert_eq!(found.judged[0].behind, Difference::default());
        let behind = found.judged[1].behind;
        let wanted = (-(0.5f64.ln())) - (-(0.6f64.ln()));
        assert!((behind.mean - wanted).abs() < 1e-6, "{behind:?}");
        // All games tell the same.
        assert!(behind.standard_error < 1e-6, "{behind:?}");
    }

    #[test]
    fn all_are_judged_on_the_games_that_all_could_rate() {
        let results = results(&[1.0, 0.5, 0.0]);
        let two: &[_] = &[Some(0.8), Some(0.5), None];
        let found = compare(&results, &[("knows two", two), ("knows all", &[Some(0.6); 3])]);
        assert_eq!((found.games, found.common), (3, 2));
        assert!(found.judged.iter().all(|one| one.overall.games == 2));
        assert_eq!(found.judged.iter().map(|one| one.rated).collect::<Vec<_>>(), [2, 3, 3, 3]);
        let first = &found.judged[0].overall;
        let expected = (-(0.8f64.ln()) - 0.5f64.ln()) / 2.0;
        assert!((first.log_loss().unwrap() - expected).abs() < 1e-12);
        assert!((first.brier_score().unwrap() - 0.04 / 2.0).abs() < 1e-12);
        let half = &found.judged[2];
        assert!((half.overall.log_loss().unwrap() - 2f64.ln()).abs() < 1e-12);
        assert_eq!(half.bins[10], Bin { games: 2, expected: 1.0, actual: 1.5 });
        // White's average knows only what was played before.
        assert_eq!(found.judged[3].bins[10].games, 1);
        assert_eq!(found.judged[3].bins[15].games, 1);
    }
}
