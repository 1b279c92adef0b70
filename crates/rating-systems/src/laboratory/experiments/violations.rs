//! Counts the results of round robins of equal players that contradict the final order.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011): a hundred round
//! robins of ten equals. Other numbers of players, and draws, are ours.

use rand::RngExt;

use super::setup::{ExperimentSetup, mean_result};
use crate::laboratory::chance::{Purpose, generator};
use crate::laboratory::errors::PlanError;
use crate::laboratory::outcome::score;
use crate::laboratory::table::{ResultTable, TableCell};
use crate::tournament::pairing::{
    PairingTable, fewest_violations, places_by_dominance, violations,
};

/// Numbers of players. The effort for the fewest violations doubles with each player.
const FIELDS: [u32; 5] = [6, 8, 10, 12, 14];

const DRAWS: [f64; 2] = [0.0, 0.5];

pub(super) fn perform(setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
    let mut table = ResultTable::new(
        "violations",
        &["draws", "players", "dominances", "by_dominance", "fewest"],
    );
    for (kind, draws) in (0..).zip(DRAWS) {
        for players in FIELDS {
            let field = RoundRobinOfEquals { players, draws, kind };
            let runs: Vec<[f64; 3]> =
                setup.results(|run| violation_counts(&field.play(setup.seed, run)));
            let mut row = vec![TableCell::Number(draws, 1), players.into()];
            row.extend((0..3).map(|place| TableCell::Number(mean_result(&runs, place), 2)));
            table.rows.push(row);
        }
    }
    Ok(table)
}

/// A round robin whose players all have the same strength.
#[derive(Clone, Copy, Debug)]
struct RoundRobinOfEquals {
    players: u32,
    draws: f64,
    /// Number of the proportion of draws, which keeps the random numbers of the kinds apart.
    kind: u64,
}

impl RoundRobinOfEquals {
    fn play(self, seed: u64, run: u64) -> PairingTable {
        let round = (u64::from(self.players) << 8) | self.kind;
        let mut random = generator(seed, run, round, Purpose::Equals);
        let mut games = Vec::new();
        for one in 0..self.players {
            for other in one + 1..self.players {
                games.push((one, other, f64::from(score(0.5, self.draws, random.random()))));
            }
        }
        PairingTable::new(self.players as usize, games)
    }
}

/// The numbers of dominances, of those that the order by dominances violates, and of those that any
/// order violates. In a single round robin the order by dominances is the order by points.
fn violation_counts(table: &PairingTable) -> [f64; 3] {
    // The players are equals, so their numbers put those who share a place into a random order.
    let strict: Vec<usize> = places_by_dominance(table)
        .iter()
        .enumerate()
        .map(|(player, place)| place * table.len() + player)
        .collect();
    let decided = (0..table.len())
        .map(|player| table.opponents(player).iter().filter(|pair| pair.won > pair.lost).count());
    [
        decided.sum::<usize>() as f64,
        violations(table, &strict) as f64,
        fewest_violations(table).unwrap_or_default() as f64,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_round_robins_of_ten_equals_violate_about_as_many_as_the_articles() {
        let field = RoundRobinOfEquals { players: 10, draws: 0.0, kind: 0 };
        let runs: Vec<[f64; 3]> =
            (1..=100).map(|run| violation_counts(&field.play(1, run))).collect();
        let [dominances, by_dominance, fewest] = [0, 1, 2].map(|place| mean_result(&runs, place));
        assert_eq!(dominances, 45.0);
        // Printed for a hundred: 11.75 and 9.3, with standard errors of about .22 and .16. Ours
        // have the same errors.
        let tolerance = 2.5 * 2.0_f64.sqrt();
        assert!((by_dominance - 11.75).abs() < 0.22 * tolerance, "{by_dominance}");
        assert!((fewest - 9.3).abs() < 0.16 * tolerance, "{fewest}");
        assert!(runs.iter().all(|run| run[2] <= run[1]));
    }

    #[test]
    fn draws_leave_fewer_pairs_with_a_winner() {
        let field = RoundRobinOfEquals { players: 8, draws: 0.5, kind: 1 };
        let found = violation_counts(&field.play(1, 1));
        assert!(found[0] < 28.0 && found[2] <= found[1], "{found:?}");
    }
}
