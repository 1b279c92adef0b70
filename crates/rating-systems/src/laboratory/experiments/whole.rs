//! Runs the whole PRA in one stream of round robins, whose results correct the ratings that players
//! had before.

use super::setup::{ExperimentSetup, contestants};
use crate::laboratory::errors::PlanError;
use crate::laboratory::pairing::PairingRule;
use crate::laboratory::population::Start;
use crate::laboratory::report::measures;
use crate::laboratory::simulation::simulate;
use crate::laboratory::table::{ResultTable, TableCell};

/// Players of a round robin.
const FIELD: usize = 10;

/// Fields: random, or neighbours by ratings with errors (points). The words appear in the
/// table.
const FIELDS: [(&str, Option<f64>); 2] = [("anybody", None), ("neighbours", Some(100.0))];

/// The systems: boosting that ends with an event, boosting that continues, no boosting, the whole
/// PRA.
const SYSTEMS: [&str; 4] = ["pra", "pra:boosts_corrected=true", "pra-basic", "pra-whole"];

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new(
        "whole",
        &["start", "field", "system", "out_162", "out_342", "aligned", "scale", "excess"],
    );
    for (start, word) in [(Start::Chaos, "chaos"), (Start::Noise(100.0), "noise:100")] {
        for (field, noise) in FIELDS {
            let mut plan = setup.plan(contestants(&SYSTEMS)?);
            plan.runs = setup.runs.unwrap_or(1);
            // A multiple of the nine rounds of an event.
            plan.games = 342;
            plan.start = start;
            plan.pairing = PairingRule::Events(FIELD, noise);
            for system in simulate(&plan, &|_| ())?.systems {
                let early = system.mean_at(162, |point| Some(f64::from(point.measures.out_100)));
                let cells = measures(&system, plan.games);
                table.rows.push(vec![
                    word.into(),
                    field.into(),
                    system.system.as_str().into(),
                    TableCell::new(early.map(|(mean, _)| mean), 0),
                    cells[0].clone(),
                    cells[4].clone(),
                    cells[6].clone(),
                    cells[8].clone(),
                ]);
            }
        }
    }
    Ok(table)
}
