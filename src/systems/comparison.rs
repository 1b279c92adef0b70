//! How well the systems' ratings before an event predict its games: all on the same games.

use jiff::civil::Date;

use rayon::prelude::*;

use super::lists::ComputedList;
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
    /// The same by era, in the order of [`ERAS`].
    pub eras: Vec<Score>,
    /// Calibration: by expected score of White, bins of five per cent.
    pub bins: Vec<Bin>,
}

/// How good predictions were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// How many games.
    pub games: usize,
    log_loss: f64,
    squared: f64,
}

impl Score {
    fn add(&mut self, expected: f64, score: f64) {
        // Nobody is certain: a prediction of 0 or 1 that fails would cost without limit.
        let p = expected.clamp(0.001, 0.999);
        self.games += 1;
        self.log_loss -= score * p.ln() + (1.0 - score) * (1.0 - p).ln();
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

/// Runs systems beside each other, and compares them.
pub fn compute(
    results: &Results,
    systems: Vec<(&'static System, Box<dyn RatingSystem>)>,
) -> (Vec<Computed>, Comparison) {
    let (computed, predictions): (Vec<Computed>, Vec<Predictions>) = systems
        .into_par_iter()
        .with_max_len(1)
        .map(|(system, rates)| {
            let ratings = rates.rate(results);
            let in_force = rates.in_force(&ratings.lists).into_owned();
            let predictions = predictions(results, rates.as_ref(), &ratings, &in_force);
            (Computed { system, ratings, in_force }, (system.about.name.to_owned(), predictions))
        })
        .unzip();
    let comparison = compare(results, predictions);
    (computed, comparison)
}

/// White's expected score of each game by what a system knew before; `None` where it could not rate it.
fn predictions(
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

/// Judges predictions (White's expected score of each game, `None` where a system could not rate it) on the
/// games that all have, and the baselines "always one half" and "White's average so far".
pub fn compare(results: &Results, systems: Vec<Predictions>) -> Comparison {
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
    let baselines = [
        ("always one half".to_owned(), vec![Some(0.5); games.len()]),
        ("White's average".to_owned(), average),
    ];
    let judged = systems
        .iter()
        .chain(&baselines)
        .map(|(system, predictions)| {
            let mut judged = Judged {
                system: system.clone(),
                rated: predictions.iter().flatten().count(),
                overall: Score::default(),
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
            judged
        })
        .collect();
    Comparison { games: games.len(), common: common.len(), judged }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{Rated, RatedPlayer};
    use jiff::civil::date;

    fn results(scores: &[f64]) -> Results {
        let player = |name: &str| RatedPlayer { name: name.into(), fide_id: None, born: None };
        let games = (0..).zip(scores).map(|(event, score)| Rated {
            white: 0,
            black: 1,
            score: *score,
            day: date(1950, 1, 1),
            event,
        });
        Results { players: vec![player("A"), player("B")], games: games.collect() }
    }

    #[test]
    fn all_are_judged_on_the_games_that_all_could_rate() {
        let results = results(&[1.0, 0.5, 0.0]);
        let systems = vec![
            ("knows two".into(), vec![Some(0.8), Some(0.5), None]),
            ("knows all".into(), vec![Some(0.6), Some(0.6), Some(0.6)]),
        ];
        let found = compare(&results, systems);
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
