//! The whole PRA in one stream: round robins whose results correct the ratings with which players came.

use super::setup::{Setup, contestants};
use crate::laboratory::pairing::Pairing;
use crate::laboratory::plan::Plan;
use crate::laboratory::population::{Population, Start};
use crate::laboratory::report::measures;
use crate::laboratory::simulation::simulate;
use crate::laboratory::table::{Cell, Table};

/// Players of a round robin.
const FIELD: usize = 10;

/// With whom one plays: anybody, or neighbours by ratings with errors of so many points.
const FIELDS: [(&str, Option<f64>); 2] = [("anybody", None), ("neighbours", Some(100.0))];

/// The systems: boosting that events end, boosting that goes on, none, and the whole.
const SYSTEMS: [&str; 4] = ["pra", "pra:boosts_corrected=true", "pra-basic", "pra-whole"];

pub(super) fn perform(setup: &Setup) -> Result<Table, String> {
    let mut table = Table::new(
        "whole",
        &["start", "field", "system", "out_162", "out_342", "aligned", "scale", "excess"],
    );
    for (start, word) in [(Start::Chaos, "chaos"), (Start::Noise(100.0), "noise:100")] {
        for (field, noise) in FIELDS {
            let mut plan = Plan::of(Population::Standard, contestants(&SYSTEMS)?);
            plan.players = setup.players;
            plan.seed = setup.seed;
            plan.runs = setup.runs.unwrap_or(1);
            // Whole events of nine rounds.
            plan.games = 342;
            plan.start = start;
            plan.pairing = Pairing::Events(FIELD, noise);
            for system in simulate(&plan, &|_| ())?.systems {
                let early = system.mean_at(162, |point| Some(f64::from(point.measures.out_100)));
                let cells = measures(&system, plan.games);
                table.rows.push(vec![
                    word.into(),
                    field.into(),
                    system.system.as_str().into(),
                    Cell::of(early.map(|(mean, _)| mean), 0),
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
