//! Pairs players of similar ratings, which the paper expects to do better than random pairing.

use super::setup::{ExperimentSetup, contestants};
use crate::laboratory::errors::PlanError;
use crate::laboratory::pairing::PairingRule;
use crate::laboratory::report::mean_and_deviation;
use crate::laboratory::simulation::simulate;
use crate::laboratory::table::{ResultTable, TableCell};

/// Errors (points) of the ratings that order neighbours. `None` pairs at random.
const NOISES: [Option<f64>; 4] = [None, Some(300.0), Some(150.0), Some(50.0)];

/// True rating (points) of the probe player who is farthest from the start.
const HIGHEST: f64 = 2800.0;

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table =
        ResultTable::new("near", &["pairing", "system", "out", "aligned", "rating_of_2800"]);
    for noise in NOISES {
        let mut plan = setup.plan(contestants(&["pra", "pra-basic"])?);
        plan.runs = setup.runs.unwrap_or(1);
        plan.keeps_all_paths = true;
        plan.pairing = noise.map_or(PairingRule::Random, PairingRule::Near);
        for system in simulate(&plan, &|_| ())?.systems {
            let out = system.mean_at(plan.games, |point| Some(f64::from(point.measures.out_100)));
            let aligned =
                system.mean_at(plan.games, |point| Some(f64::from(point.measures.aligned_100)));
            let highest: Vec<f64> = system
                .runs
                .iter()
                .flat_map(|run| run.probes.iter().filter(|probe| probe.rating == HIGHEST))
                .filter_map(|probe| probe.path.last().map(|(_, rating)| f64::from(*rating)))
                .collect();
            table.rows.push(vec![
                TableCell::Text(noise.map_or("random".into(), |noise| format!("near:{noise}"))),
                system.system.as_str().into(),
                TableCell::new(out.map(|(mean, _)| mean), 0),
                TableCell::new(aligned.map(|(mean, _)| mean), 0),
                TableCell::Number(mean_and_deviation(&highest).0, 0),
            ]);
        }
    }
    Ok(table)
}
