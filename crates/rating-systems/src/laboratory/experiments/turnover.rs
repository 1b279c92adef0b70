//! Measures the level of ratings when players leave and others join.

use rand::RngExt;

use super::setup::{ExperimentSetup, contestants, mean, mean_result};
use crate::laboratory::chance::{Purpose, generator, normal};
use crate::laboratory::contestant::Contestant;
use crate::laboratory::errors::PlanError;
use crate::laboratory::plan::Plan;
use crate::laboratory::table::{ResultTable, TableCell};

/// Number of rounds: twice the paper's 340, so that most players are replaced.
const ROUNDS: u32 = 680;

/// Mean and standard deviation (points) of the new players' true ratings. Their first rating is the
/// mean.
const MEAN: f64 = 1500.0;
const SPREAD: f64 = 297.0;

/// Fewest games of an experienced player, whose error counts. Judged: boosting of newcomers has
/// ended by then.
const EXPERIENCED: u32 = 100;

/// Groups that leave: probabilities to leave in a round, of players rated below the mean, and of
/// the others. Judged: a player stays for about 250 games on average.
const LEAVERS: [(&str, f64, f64); 3] =
    [("all alike", 0.004, 0.004), ("the weak", 0.006, 0.002), ("the strong", 0.002, 0.006)];

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new(
        "turnover",
        &["who_leaves", "system", "mean_rating", "mean_true_rating", "mean_error_of_experienced"],
    );
    let systems = contestants(&["pra-basic", "pra-basic:anchor_months=0", "elo-tiers"])?;
    for (who, below, above) in LEAVERS {
        for contestant in &systems {
            let plan = setup.plan(vec![contestant.clone()]);
            plan.check()?;
            let runs: Vec<[f64; 3]> =
                setup.results(|run| mean_levels(&plan, contestant, run, below, above));
            let mut row = vec![who.into(), contestant.name.as_str().into()];
            row.extend((0..3).map(|place| TableCell::Number(mean_result(&runs, place), 1)));
            table.rows.push(row);
        }
    }
    Ok(table)
}

/// Mean rating, mean true rating, and mean error of the experienced players (points).
fn mean_levels(plan: &Plan, contestant: &Contestant, run: u64, below: f64, above: f64) -> [f64; 3] {
    let world = plan.world(run);
    let schedule = plan.schedule(run);
    let mut truth = world.truth.clone();
    let mut played = vec![0u32; truth.len()];
    let mut running = contestant.running(&world.start);
    let mut ratings = Vec::new();
    for number in 1..=ROUNDS {
        let games = schedule.round(number, &truth, &[]);
        running.play(&games);
        running.ratings(&mut ratings);
        let mut random = generator(plan.seed, run, u64::from(number), Purpose::Society);
        for player in 0..truth.len() {
            played[player] += 1;
            let chance = if ratings[player] < MEAN { below } else { above };
            if random.random::<f64>() < chance {
                truth[player] = MEAN + SPREAD * normal(&mut random);
                played[player] = 0;
                running.replace(player as u32, MEAN);
            }
        }
    }
    running.ratings(&mut ratings);
    let experienced = (0..truth.len()).filter(|player| played[*player] >= EXPERIENCED);
    let errors: Vec<f64> = experienced.map(|player| ratings[player] - truth[player]).collect();
    [mean(&ratings), mean(&truth), mean(&errors)]
}
