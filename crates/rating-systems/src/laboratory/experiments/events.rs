//! Tests the Ratings Goodness of Fit Test in round robins of players whose true ratings are known.

use rand::RngExt;
use rayon::prelude::*;

use super::setup::ExperimentSetup;
use crate::laboratory::chance::{Purpose, generator, normal};
use crate::laboratory::errors::PlanError;
use crate::laboratory::outcome::{ResultModel, score};
use crate::laboratory::table::{ResultTable, TableCell};
use crate::tournament::{Event, FitResult, Game, Kind, Options, Player, analyse};

/// Fields: number of players, and how often each pair of players meets.
pub(super) const FIELDS: [(usize, usize); 9] =
    [(6, 1), (6, 2), (8, 1), (8, 2), (10, 1), (10, 2), (14, 1), (14, 2), (20, 1)];

/// Standard deviations of the true ratings (points).
pub(super) const SPREADS: [f64; 6] = [40.0, 60.0, 80.0, 100.0, 150.0, 200.0];

/// Mean of the true ratings (points).
const MEAN: f64 = 2600.0;

/// Error (points) of the wrong rating. Judged: three times the standard deviation that the test
/// allows for.
const WRONG: f64 = 150.0;

/// Proportion of draws relative to the largest possible one.
const DRAWS: f64 = 0.5;

/// A round robin of players whose true ratings are known.
#[derive(Clone, Copy, Debug)]
struct RoundRobin {
    players: usize,
    /// How often each pair of players meets.
    meetings: usize,
    /// Standard deviation of the true ratings (points).
    spread: f64,
    /// How results are drawn.
    outcome: ResultModel,
}

/// What one simulated round robin showed.
#[derive(Clone, Copy, Debug, Default)]
struct FitTestTrial {
    /// Whether the fit test failed before corrections.
    fails: bool,
    /// Whether corrections changed the first player's rating.
    moves_first: bool,
    /// Sum of squared errors (points) after corrections.
    after: f64,
}

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new(
        "events",
        &[
            "outcome",
            "players",
            "meetings",
            "spread",
            "fails_all_right",
            "fails_one_wrong",
            "moves_the_wrong_one",
            "error_after_correcting_right_ones",
        ],
    );
    for outcome in [ResultModel::Curve, ResultModel::Logistic] {
        for (players, meetings) in FIELDS {
            for spread in SPREADS {
                let event = RoundRobin { players, meetings, spread, outcome };
                table.rows.push(event.row(setup)?);
            }
        }
    }
    Ok(table)
}

/// The proportion of trials that `counts`, in `[0, 1]`.
fn proportion(trials: &[FitTestTrial], counts: fn(&FitTestTrial) -> bool) -> f64 {
    trials.iter().filter(|trial| counts(trial)).count() as f64 / trials.len() as f64
}

impl RoundRobin {
    /// The row of the table: proportions of trials with all ratings right, and with one wrong.
    fn row(&self, setup: &ExperimentSetup) -> Result<Vec<TableCell>, PlanError> {
        // Both use the same events, so that they differ only in the wrong rating.
        let (right, wrong) = (self.trials(setup, 0.0)?, self.trials(setup, WRONG)?);
        let failed: Vec<&FitTestTrial> = right.iter().filter(|trial| trial.fails).collect();
        let squares: f64 = failed.iter().map(|trial| trial.after).sum();
        let after = (squares / (failed.len() * self.players) as f64).sqrt();
        Ok(vec![
            self.outcome.word().into(),
            (self.players as u32).into(),
            (self.meetings as u32).into(),
            TableCell::Number(self.spread, 0),
            TableCell::Number(proportion(&right, |trial| trial.fails), 4),
            TableCell::Number(proportion(&wrong, |trial| trial.fails), 4),
            TableCell::Number(proportion(&wrong, |trial| trial.moves_first), 4),
            TableCell::new(Some(after), 1),
        ])
    }

    /// Plays and analyses all events, each with this error (points) of the first player's rating.
    fn trials(&self, setup: &ExperimentSetup, wrong: f64) -> Result<Vec<FitTestTrial>, PlanError> {
        (0..setup.runs.unwrap_or(1))
            .into_par_iter()
            .map(|number| self.trial(setup.seed, u64::from(number), wrong))
            .collect()
    }

    /// Plays and analyses event `number`. The first player's rating is wrong by `wrong` points, up
    /// or down.
    fn trial(&self, seed: u64, number: u64, wrong: f64) -> Result<FitTestTrial, PlanError> {
        let RoundRobin { players, meetings, spread, outcome } = *self;
        let mut random =
            generator(seed, number, (players * 100 + meetings) as u64, Purpose::Fields);
        let truth: Vec<f64> = (0..players).map(|_| MEAN + spread * normal(&mut random)).collect();
        let mut ratings = truth.clone();
        ratings[0] += if random.random::<bool>() { wrong } else { -wrong };
        let mut games = Vec::new();
        let mut seats: Vec<usize> = (0..players).collect();
        for round in 0..meetings * (players - 1) {
            for seat in 0..players / 2 {
                let (white, black) = (seats[seat], seats[players - 1 - seat]);
                let expected = outcome.expected(truth[white] - truth[black]);
                let score = f64::from(score(expected, DRAWS, random.random()));
                games.push(Game { sequence: Some(round as u32), ..Game::new(white, black, score) });
            }
            seats[1..].rotate_right(1);
        }
        let event = Event {
            name: "made".into(),
            kind: if meetings == 1 { Kind::RoundRobin } else { Kind::DoubleRoundRobin },
            rating_system: "true".into(),
            players: (0..players)
                .map(|player| Player::new(format!("{player:02}"), Some(ratings[player])))
                .collect(),
            games,
            number_two: None,
        };
        let analysis = analyse(&event, &Options::default())?;
        let fails = analysis.before.fit_test.result == FitResult::Failed;
        let mut trial = FitTestTrial { fails, ..FitTestTrial::default() };
        for player in &analysis.players {
            let used = player.initial_rating.unwrap_or(ratings[player.index]);
            trial.moves_first |= player.index == 0 && used != ratings[0];
            trial.after += (used - truth[player.index]).powi(2);
        }
        Ok(trial)
    }
}
