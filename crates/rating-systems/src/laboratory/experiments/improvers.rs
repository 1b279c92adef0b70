//! Measures how far ratings lag behind players who improve while the others stay the same.

use rayon::prelude::*;

use super::setup::{ExperimentSetup, contestants, mean};
use crate::laboratory::errors::PlanError;
use crate::laboratory::plan::Plan;
use crate::laboratory::population::{Population, Start};
use crate::laboratory::table::{ResultTable, TableCell};

/// One in ten players improves, those nearest to a true rating (points). They gain this many points
/// between two games.
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
        let mut plan = Plan::new(Population::Standard, vec![contestant.clone()]);
        plan.players = setup.players;
        plan.seed = setup.seed;
        plan.start = Start::True;
        plan.check()?;
        let of_run = |run: u64| -> Vec<[f64; 2]> {
            let world = plan.world(run);
            let schedule = plan.schedule(run);
            let mut truth = world.truth.clone();
            let mut nearest: Vec<usize> = (0..truth.len()).collect();
            let distance = |player: usize| (world.truth[player] - AROUND).abs();
            nearest.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)).then(a.cmp(b)));
            let mut is_improver = vec![false; truth.len()];
            for player in &nearest[..truth.len() / ONE_OF] {
                is_improver[*player] = true;
            }
            let improves = |player: usize| is_improver[player];
            let mut running = contestant.running(&world.start);
            let mut ratings = Vec::new();
            let mut found = Vec::new();
            for number in 1..=LOOKS[LOOKS.len() - 1] {
                if (FROM + 1..=UNTIL).contains(&number) {
                    for player in (0..truth.len()).filter(|player| improves(*player)) {
                        truth[player] += GAIN / f64::from(UNTIL - FROM);
                    }
                }
                let games = schedule.round(number, &truth, &[]);
                running.play(&games);
                if LOOKS.contains(&number) {
                    running.ratings(&mut ratings);
                    if running.has_free_level() {
                        let shift = mean(&truth) - mean(&ratings);
                        ratings.iter_mut().for_each(|rating| *rating += shift);
                    }
                    let of = |wanted: bool| {
                        let players = (0..truth.len()).filter(|player| improves(*player) == wanted);
                        mean(
                            &players
                                .map(|player| ratings[player] - truth[player])
                                .collect::<Vec<_>>(),
                        )
                    };
                    // Relative to the others: an error of the general level is not a lag.
                    found.push([of(false) - of(true), of(false)]);
                }
            }
            found
        };
        let runs: Vec<_> =
            setup.run_numbers().collect::<Vec<_>>().into_par_iter().map(of_run).collect();
        for (place, game) in LOOKS.into_iter().enumerate() {
            let of =
                |which: usize| mean(&runs.iter().map(|run| run[place][which]).collect::<Vec<_>>());
            table.rows.push(vec![
                contestant.name.as_str().into(),
                game.into(),
                TableCell::Number(of(0), 1),
                TableCell::Number(of(1), 1),
            ]);
        }
    }
    Ok(table)
}
