//! Measures how soon wrong ratings are corrected among players whose ratings are right.

use super::setup::{ExperimentSetup, contestants, median};
use crate::laboratory::accuracy::SPEC;
use crate::laboratory::contestant::Contestant;
use crate::laboratory::errors::PlanError;
use crate::laboratory::plan::Plan;
use crate::laboratory::population::Start;
use crate::laboratory::table::{ResultTable, TableCell};

/// True ratings (points) of the misjudged players, number of players at each, and their error
/// (points). Judged: few enough that the other players' ratings remain right, and enough for a
/// median.
const TRUE: [f64; 3] = [1000.0, 1500.0, 2000.0];
const MISJUDGED: usize = 60;
const BY: f64 = 400.0;

/// Number of rounds. Judged: more than twice the paper's 340, so that few players never reach spec.
const ROUNDS: u32 = 800;

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new(
        "misjudged",
        &["system", "rating", "players", "median_games_to_spec", "never"],
    );
    for contestant in contestants(&["pra", "pra-basic", "elo:16"])? {
        let mut plan = setup.plan(vec![contestant.clone()]);
        plan.start = Start::True;
        plan.check()?;
        let runs: Vec<Vec<Vec<Option<u32>>>> =
            setup.results(|run| games_to_spec(&plan, &contestant, run));
        for (place, rating) in TRUE.into_iter().enumerate() {
            let all: Vec<Option<u32>> = runs.iter().flat_map(|run| run[place].clone()).collect();
            let never = all.iter().filter(|games| games.is_none()).count();
            let games = all.iter().map(|games| f64::from(games.unwrap_or(ROUNDS + 1))).collect();
            table.rows.push(vec![
                contestant.name.as_str().into(),
                TableCell::Number(rating, 0),
                (all.len() as u32).into(),
                TableCell::Number(median(games), 0),
                TableCell::Number(never as f64 / all.len() as f64, 3),
            ]);
        }
    }
    Ok(table)
}

/// The games until each misjudged player is in spec, by true rating. `None` for players who are not
/// within [`ROUNDS`].
fn games_to_spec(plan: &Plan, contestant: &Contestant, run: u64) -> Vec<Vec<Option<u32>>> {
    let world = plan.world(run);
    let mut start = world.start.clone();
    let mut taken: Vec<Vec<u32>> = Vec::new();
    for rating in TRUE {
        let distances: Vec<f64> = world.truth.iter().map(|truth| (truth - rating).abs()).collect();
        let mut nearest: Vec<u32> = (0..start.len() as u32).collect();
        nearest.sort_by(|a, b| {
            distances[*a as usize].total_cmp(&distances[*b as usize]).then(a.cmp(b))
        });
        nearest.truncate(MISJUDGED);
        for (player, place) in nearest.iter().zip(0..) {
            start[*player as usize] += if place % 2 == 0 { BY } else { -BY };
        }
        taken.push(nearest);
    }
    let mut running = contestant.running(&start);
    running.boost_only(&taken.concat());
    let schedule = plan.schedule(run);
    let mut games_to_spec = vec![vec![None; MISJUDGED]; TRUE.len()];
    let mut ratings = Vec::new();
    for number in 1..=ROUNDS {
        let games = schedule.round(number, &world.truth, &[]);
        running.play(&games);
        running.ratings(&mut ratings);
        for (players, found) in taken.iter().zip(&mut games_to_spec) {
            for (player, found) in players.iter().zip(found) {
                let player = *player as usize;
                if (ratings[player] - world.truth[player]).abs() < SPEC {
                    found.get_or_insert(number);
                }
            }
        }
    }
    games_to_spec
}
