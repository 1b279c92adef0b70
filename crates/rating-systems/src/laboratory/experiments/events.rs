//! The Ratings Goodness of Fit Test itself: round robins of players whose true ratings are known.

use rand::RngExt;
use rayon::prelude::*;

use super::setup::Setup;
use crate::laboratory::chance::{Purpose, generator, normal};
use crate::laboratory::outcome::{Outcome, score};
use crate::laboratory::table::{Cell, Table};
use crate::tournament::{Event, FitResult, Game, Kind, Options, Player, analyse};

/// Fields: players, and how often everybody meets everybody.
pub(super) const FIELDS: [(usize, usize); 9] =
    [(6, 1), (6, 2), (8, 1), (8, 2), (10, 1), (10, 2), (14, 1), (14, 2), (20, 1)];

/// Spreads of the true ratings (points).
pub(super) const SPREADS: [f64; 6] = [40.0, 60.0, 80.0, 100.0, 150.0, 200.0];

/// Mean of the true ratings (points).
const MEAN: f64 = 2600.0;

/// By how much (points) one rating is wrong.
const WRONG: f64 = 150.0;

/// How many of the games that could be drawn are.
const DRAWS: f64 = 0.5;

/// What an event showed.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    fails: bool,
    /// Whether the first player's rating moved.
    moves_him: bool,
    /// Sum of squared errors (points) after corrections.
    after: f64,
}

pub(super) fn perform(setup: &Setup) -> Result<Table, String> {
    let mut table = Table::new(
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
    let tries = setup.runs.unwrap_or(1);
    for outcome in [Outcome::Curve, Outcome::Logistic] {
        for (players, meetings) in FIELDS {
            for spread in SPREADS {
                let of = |wrong: f64| -> Result<Vec<Shown>, String> {
                    (0..tries)
                        .into_par_iter()
                        .map(|number| {
                            // The same events, whether somebody's rating is wrong or not.
                            let tried = u64::from(number);
                            one(setup.seed, tried, (players, meetings), spread, outcome, wrong)
                        })
                        .collect()
                };
                let (right, wrong) = (of(0.0)?, of(WRONG)?);
                let share = |shown: &[Shown], of: fn(&Shown) -> bool| {
                    shown.iter().filter(|one| of(one)).count() as f64 / shown.len() as f64
                };
                let failed: Vec<&Shown> = right.iter().filter(|one| one.fails).collect();
                let squares: f64 = failed.iter().map(|one| one.after).sum();
                let after = (squares / (failed.len() * players) as f64).sqrt();
                table.rows.push(vec![
                    outcome.word().into(),
                    (players as u32).into(),
                    (meetings as u32).into(),
                    Cell::Number(spread, 0),
                    Cell::Number(share(&right, |one| one.fails), 4),
                    Cell::Number(share(&wrong, |one| one.fails), 4),
                    Cell::Number(share(&wrong, |one| one.moves_him), 4),
                    Cell::of(Some(after), 1),
                ]);
            }
        }
    }
    Ok(table)
}

/// One event, whose first player's rating is wrong by so many points, up or down.
fn one(
    seed: u64,
    number: u64,
    (players, meetings): (usize, usize),
    spread: f64,
    outcome: Outcome,
    wrong: f64,
) -> Result<Shown, String> {
    let mut random = generator(seed, number, (players * 100 + meetings) as u64, Purpose::Fields);
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
    let analysis = analyse(&event, &Options::default()).map_err(|error| error.to_string())?;
    let mut shown =
        Shown { fails: analysis.before.fit_test.result == FitResult::Failed, ..Shown::default() };
    for player in &analysis.players {
        let used = player.initial_rating.unwrap_or(ratings[player.index]);
        shown.moves_him |= player.index == 0 && used != ratings[0];
        shown.after += (used - truth[player.index]).powi(2);
    }
    Ok(shown)
}
