//! Measures how far ratings lag behind players who improve while the others stay the same.

use super::setup::{ExperimentSetup, contestants, mean, mean_result};
use crate::laboratory::contestant::Contestant;
use crate::laboratory::errors::PlanError;
use crate::laboratory::plan::Plan;
use crate::laboratory::population::Start;
use crate::laboratory::table::{ResultTable, TableCell};

/// One in ten players improves, those nearest to a true rating (points). They gain this many points
/// between two games. Judged: 300 points in 200 games are the rise of a talented junior.
const ONE_OF: usize = 10;
const AROUND: f64 = 1400.0;
const GAIN: f64 = 300.0;
const FROM: u32 = 100;
const UNTIL: u32 = 300;

/// Numbers of games after which the lag is measured.
const LOOKS: [u32; 3] = [200, 300, 400];

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new("improvers", &["system", "game", "lag", "error_of_others"]);
    for contestant in contestants(&["pra", "pra-basic", "elo:16", "elo-tiers", "simultaneous"])? {
        let mut plan = setup.plan(vec![contestant.clone()]);
        plan.start = Start::True;
        plan.check()?;
        let runs: Vec<Vec<[f64; 2]>> = setup.results(|run| lags(&plan, &contestant, run));
        for (place, game) in LOOKS.into_iter().enumerate() {
            let looks: Vec<[f64; 2]> = runs.iter().map(|run| run[place]).collect();
            table.rows.push(vec![
                contestant.name.as_str().into(),
                game.into(),
                TableCell::Number(mean_result(&looks, 0), 1),
                TableCell::Number(mean_result(&looks, 1), 1),
            ]);
        }
    }
    Ok(table)
}

/// The lag of the improving players behind the others, and the mean error of the others (points),
/// after each number of games of [`LOOKS`].
fn lags(plan: &Plan, contestant: &Contestant, run: u64) -> Vec<[f64; 2]> {
    let world = plan.world(run);
    let schedule = plan.schedule(run);
    let mut truth = world.truth.clone();
    let distances: Vec<f64> = truth.iter().map(|truth| (truth - AROUND).abs()).collect();
    let mut nearest: Vec<usize> = (0..truth.len()).collect();
    nearest.sort_by(|a, b| distances[*a].total_cmp(&distances[*b]).then(a.cmp(b)));
    let mut is_improver = vec![false; truth.len()];
    for player in &nearest[..truth.len() / ONE_OF] {
        is_improver[*player] = true;
    }
    let mut running = contestant.running(&world.start);
    let mut ratings = Vec::new();
    let mut found = Vec::new();
    for number in 1..=LOOKS[LOOKS.len() - 1] {
        if (FROM + 1..=UNTIL).contains(&number) {
            for player in (0..truth.len()).filter(|player| is_improver[*player]) {
                truth[player] += GAIN / f64::from(UNTIL - FROM);
            }
        }
        let games = schedule.round(number, &truth, &[]);
        running.play(&games);
        if !LOOKS.contains(&number) {
            continue;
        }
        running.ratings(&mut ratings);
        if running.solves() {
            let shift = mean(&truth) - mean(&ratings);
            ratings.iter_mut().for_each(|rating| *rating += shift);
        }
        let (mut errors, mut errors_of_improvers) = (Vec::new(), Vec::new());
        for player in 0..truth.len() {
            let errors = if is_improver[player] { &mut errors_of_improvers } else { &mut errors };
            errors.push(ratings[player] - truth[player]);
        }
        // Relative to the others: an error of the general level is not a lag.
        let others = mean(&errors);
        found.push([others - mean(&errors_of_improvers), others]);
    }
    found
}
