//! Measures whether systems find the distance between two groups that rarely meet.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::setup::{ExperimentSetup, contestants, mean};
use crate::laboratory::chance::{Purpose, generator};
use crate::laboratory::contestant::Contestant;
use crate::laboratory::errors::PlanError;
use crate::laboratory::outcome::{ResultModel, score};
use crate::laboratory::plan::Plan;
use crate::laboratory::table::{ResultTable, TableCell};
use crate::systems::running::RoundGame;

/// True difference (points) of the groups' means.
const APART: f64 = 200.0;

/// Proportions of games between the groups.
const PARTS: [f64; 2] = [0.01, 0.1];

/// Number of rounds. Source: Berard, the PRA paper, for its simulations.
const ROUNDS: u32 = 340;

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new("pools", &["part_between", "system", "gap_found"]);
    for part in PARTS {
        for contestant in contestants(&["pra", "pra-basic", "elo:16", "elo-tiers", "simultaneous"])?
        {
            let plan = setup.plan(vec![contestant.clone()]);
            plan.check()?;
            let runs: Vec<f64> = setup.results(|run| gap_found(&plan, &contestant, part, run));
            table.rows.push(vec![
                TableCell::Number(part, 2),
                contestant.name.as_str().into(),
                TableCell::Number(mean(&runs), 1),
            ]);
        }
    }
    Ok(table)
}

/// The difference (points) of the groups' means that a system finds, scaled so that [`APART`] is
/// right.
fn gap_found(plan: &Plan, contestant: &Contestant, part: f64, run: u64) -> f64 {
    let world = plan.world(run);
    // Every second player by true rating belongs to the first group, so both have the same
    // distribution.
    let mut sorted = world.truth.clone();
    sorted.sort_by(f64::total_cmp);
    let above = sorted.iter().step_by(2).map(|rating| rating + APART / 2.0);
    let below = sorted.iter().skip(1).step_by(2).map(|rating| rating - APART / 2.0);
    let truth: Vec<f64> = above.chain(below).collect();
    let mut running = contestant.running(&world.start);
    for number in 1..=ROUNDS {
        running.play(&round(&truth, part, plan.seed, run, number));
    }
    let mut ratings = Vec::new();
    running.ratings(&mut ratings);
    gap(&ratings) * APART / gap(&truth)
}

/// The mean of the first half of the ratings minus that of the second.
fn gap(ratings: &[f64]) -> f64 {
    let (first, second) = ratings.split_at(ratings.len() / 2);
    mean(first) - mean(second)
}

/// The games of a round. About a proportion `part` of them is between the groups.
fn round(truth: &[f64], part: f64, seed: u64, run: u64, number: u32) -> Vec<RoundGame> {
    let mut random = generator(seed, run, u64::from(number), Purpose::Round);
    let half = (truth.len() / 2) as u32;
    let mut groups: [Vec<u32>; 2] = [(0..half).collect(), (half..2 * half).collect()];
    for group in &mut groups {
        group.shuffle(&mut random);
    }
    // An even number of players meets the other group, so that the rest of each group can be
    // paired.
    let over = (0..half).filter(|_| random.random::<f64>() < part).count() / 2 * 2;
    let between = groups[0][..over].iter().copied().zip(groups[1][..over].iter().copied());
    let within =
        groups.iter().flat_map(|group| group[over..].chunks_exact(2).map(|two| (two[0], two[1])));
    let pairs: Vec<(u32, u32)> = between.chain(within).collect();
    pairs
        .into_iter()
        .map(|(white, black)| {
            let ahead = truth[white as usize] - truth[black as usize];
            let expected = ResultModel::Table.expected(ahead);
            RoundGame { white, black, score: score(expected, 0.0, random.random()) }
        })
        .collect()
}
