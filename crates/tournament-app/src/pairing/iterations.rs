//! Replaces the ratings of all players by their performances, step by step.
//!
//! The solvers of this module find the limits directly. The steps show how ratings reach a limit,
//! or that they have none: tables 7 to 9 of the source. Players may be held at fixed ratings
//! (tables 4 and 5).

use super::ratio;
use super::table::PairingTable;

/// A formula of the performance, which replaces a rating by the opponents' ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerformanceRule {
    /// `Rc + P - Pc` (11), with a scale of 1.
    Linear,
    /// `Rc + 400 log10(P / Pc)` (23), in points.
    Logarithmic,
    /// `Rc P / Pc` (16).
    Ratio,
    /// The opponents' ratings, weighted by the points won, divided by the points lost (78).
    Berkin,
    /// The opponents' mean plus 850 times the fraction of the points minus one half, in points.
    /// Each step moves all players so that their mean stays. Source: Jeff Sonas, Chessmetrics,
    /// "Formulas".
    Chessmetrics,
    /// The same with four draws against the mean opponent and three against a rating of 2300, plus
    /// 43 points.
    PaddedChessmetrics,
}

/// Points of the scale of Chessmetrics for the whole score, the padding games, their ratings, and
/// the points that are added to a padded performance.
const SPREAD: f64 = 850.0;
const AGAINST_MEAN: f64 = 4.0;
const AGAINST_FLOOR: f64 = 3.0;
const FLOOR: f64 = 2300.0;
const ADDED: f64 = 43.0;

/// A player's performance is undefined by a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndefinedPerformance {
    /// The player with this number has no games.
    #[error("player {0} has no games")]
    NoGames(usize),
    /// The player with this number lost no points.
    #[error("player {0} lost no points")]
    NothingLost(usize),
    /// The player with this number won no points.
    #[error("player {0} won no points")]
    NothingWon(usize),
}

impl PerformanceRule {
    /// The rating of all players from which the tables of the source begin.
    pub fn start(self) -> f64 {
        match self {
            PerformanceRule::Linear | PerformanceRule::Berkin => 0.5,
            PerformanceRule::Logarithmic => 2200.0,
            PerformanceRule::Ratio => 1.0,
            PerformanceRule::Chessmetrics | PerformanceRule::PaddedChessmetrics => 2500.0,
        }
    }

    /// Whether a step multiplies ratings, instead of adding to them.
    pub fn is_ratio(self) -> bool {
        matches!(self, PerformanceRule::Ratio | PerformanceRule::Berkin)
    }

    /// Whether each step moves all players so that their mean stays.
    pub fn keeps_mean(self) -> bool {
        matches!(self, PerformanceRule::Chessmetrics | PerformanceRule::PaddedChessmetrics)
    }

    /// Checks that the player's performance is defined.
    fn check(self, table: &PairingTable, player: usize) -> Result<(), UndefinedPerformance> {
        let needs_losses = self != PerformanceRule::Linear && !self.keeps_mean();
        if table.games(player) <= 0.0 {
            Err(UndefinedPerformance::NoGames(player))
        } else if needs_losses && table.lost(player) <= 0.0 {
            Err(UndefinedPerformance::NothingLost(player))
        } else if self == PerformanceRule::Logarithmic && table.won(player) <= 0.0 {
            Err(UndefinedPerformance::NothingWon(player))
        } else {
            Ok(())
        }
    }

    fn performance(self, table: &PairingTable, player: usize, ratings: &[f64]) -> f64 {
        let pairs = table.opponents(player).iter();
        let (won, lost, games) = (table.won(player), table.lost(player), table.games(player));
        match self {
            PerformanceRule::Linear | PerformanceRule::Logarithmic => {
                let opponents = pairs.map(|pair| pair.games() * ratings[pair.opponent as usize]);
                let mean = opponents.sum::<f64>() / games;
                if self == PerformanceRule::Linear {
                    mean + (won - lost) / games
                } else {
                    mean + 400.0 * (won / lost).log10()
                }
            }
            PerformanceRule::Chessmetrics | PerformanceRule::PaddedChessmetrics => {
                let opponents = pairs.map(|pair| pair.games() * ratings[pair.opponent as usize]);
                let mean = opponents.sum::<f64>() / games;
                if self == PerformanceRule::Chessmetrics {
                    return mean + SPREAD * (won / games - 0.5);
                }
                let all = games + AGAINST_MEAN + AGAINST_FLOOR;
                let padded = (mean * (games + AGAINST_MEAN) + FLOOR * AGAINST_FLOOR) / all;
                let fraction = (won + (AGAINST_MEAN + AGAINST_FLOOR) / 2.0) / all;
                padded + SPREAD * (fraction - 0.5) + ADDED
            }
            PerformanceRule::Ratio => ratio::performance(table, player, ratings),
            PerformanceRule::Berkin => {
                pairs.map(|pair| pair.won * ratings[pair.opponent as usize]).sum::<f64>() / lost
            }
        }
    }
}

/// How a step changed the ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepChange {
    /// Largest absolute change of a rating.
    pub largest: f64,
    /// Mean change of the ratings.
    pub mean: f64,
    /// Sum of the ratings after the step, divided by the sum before it.
    pub factor: f64,
}

/// The ratings of a pairing table after a number of steps.
#[derive(Clone, Debug)]
pub struct Iterations<'a> {
    table: &'a PairingTable,
    rule: PerformanceRule,
    is_held: Vec<bool>,
    ratings: Vec<f64>,
    next: Vec<f64>,
    /// The mean that rules keep which move all players.
    mean: f64,
}

impl Iterations<'_> {
    /// Begins with the same rating for all players, except those held: number and rating.
    ///
    /// # Errors
    ///
    /// Returns an error if the performance of a player who is not held is undefined.
    ///
    /// ```
    /// use tournament_app::pairing::{Iterations, PairingTable, PerformanceRule};
    ///
    /// let table = PairingTable::new(2, [(0, 1, 1.0), (0, 1, 1.0), (1, 0, 1.0)]);
    /// let mut steps = Iterations::begin(&table, PerformanceRule::Ratio, 1.0, &[(1, 10.0)])?;
    /// steps.step();
    /// assert_eq!(steps.ratings(), [20.0, 10.0]);
    /// # Ok::<(), tournament_app::pairing::UndefinedPerformance>(())
    /// ```
    pub fn begin<'a>(
        table: &'a PairingTable,
        rule: PerformanceRule,
        start: f64,
        held: &[(usize, f64)],
    ) -> Result<Iterations<'a>, UndefinedPerformance> {
        let mut ratings = vec![start; table.len()];
        let mut is_held = vec![false; table.len()];
        for (player, rating) in held {
            (ratings[*player], is_held[*player]) = (*rating, true);
        }
        let mut free = (0..table.len()).filter(|player| !is_held[*player]);
        free.try_for_each(|player| rule.check(table, player))?;
        let (next, mean) = (ratings.clone(), mean_of(&ratings));
        Ok(Iterations { table, rule, is_held, ratings, next, mean })
    }

    /// Begins with other ratings of some players, who are not held: number and rating.
    #[must_use]
    pub fn starting_with(mut self, ratings: &[(usize, f64)]) -> Self {
        for (player, rating) in ratings {
            (self.ratings[*player], self.next[*player]) = (*rating, *rating);
        }
        self.mean = mean_of(&self.ratings);
        self
    }

    /// Sets the mean rating that rules keep which move all players; without this, it is that of the
    /// start.
    #[must_use]
    pub fn with_mean(self, mean: f64) -> Self {
        Iterations { mean, ..self }
    }

    /// The ratings, by the players' numbers.
    pub fn ratings(&self) -> &[f64] {
        &self.ratings
    }

    /// Replaces the ratings of all players who are not held by their performances.
    pub fn step(&mut self) -> StepChange {
        for (player, next) in self.next.iter_mut().enumerate() {
            if !self.is_held[player] {
                *next = self.rule.performance(self.table, player, &self.ratings);
            }
        }
        if self.rule.keeps_mean() {
            let shift = self.mean - mean_of(&self.next);
            let free = self.next.iter_mut().zip(&self.is_held).filter(|(_, is_held)| !**is_held);
            free.for_each(|(next, _)| *next += shift);
        }
        let pairs = self.ratings.iter().zip(&self.next);
        let largest = pairs.fold(0.0_f64, |most, (one, next)| most.max((next - one).abs()));
        let sums = (self.ratings.iter().sum::<f64>(), self.next.iter().sum::<f64>());
        std::mem::swap(&mut self.ratings, &mut self.next);
        let mean = (sums.1 - sums.0) / self.ratings.len().max(1) as f64;
        StepChange { largest, mean, factor: sums.1 / sums.0 }
    }
}

fn mean_of(ratings: &[f64]) -> f64 {
    ratings.iter().sum::<f64>() / ratings.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linares_2005_converges_as_in_the_formulas_of_chessmetrics() {
        // Points of twelve games, start, and the first and last steps that the source prints.
        let points = [5.5, 6.5, 4.0, 8.0, 6.0, 8.0, 4.0];
        let start = [2443.0, 2543.0, 2643.0, 2743.0, 2843.0, 2943.0, 3043.0];
        let steps = [
            [2758.0, 2812.0, 2618.0, 2885.0, 2726.0, 2851.0, 2551.0],
            [2705.0, 2767.0, 2622.0, 2861.0, 2746.0, 2867.0, 2633.0],
            [2714.0, 2774.0, 2621.0, 2865.0, 2743.0, 2864.0, 2620.0],
            [2712.0, 2773.0, 2622.0, 2864.0, 2743.0, 2864.0, 2622.0],
        ];
        // Only the points count in a round robin, so each game of a pair may have this score.
        let pairs = (0..7_u32).flat_map(|one| (0..one).map(move |other| (one, other)));
        let games = pairs.flat_map(|(one, other)| {
            let score = 0.5 + (points[one as usize] - points[other as usize]) / 14.0;
            [(one, other, score); 2]
        });
        let table = PairingTable::new(7, games);
        let starts: Vec<(usize, f64)> = start.into_iter().enumerate().collect();
        let mut found = Iterations::begin(&table, PerformanceRule::Chessmetrics, 0.0, &[])
            .unwrap()
            .starting_with(&starts);
        for step in steps {
            found.step();
            let rounded: Vec<f64> = found.ratings().iter().map(|rating| rating.round()).collect();
            assert_eq!(rounded, step);
        }
        // Padding draws the players together and keeps their mean.
        let mut padded =
            Iterations::begin(&table, PerformanceRule::PaddedChessmetrics, 2743.0, &[])
                .unwrap()
                .with_mean(2700.0);
        for _ in 0..50 {
            padded.step();
        }
        let ratings = padded.ratings();
        assert!((ratings.iter().sum::<f64>() / 7.0 - 2700.0).abs() < 1e-6);
        assert!(ratings[3] - ratings[2] < 2864.0 - 2622.0, "{ratings:?}");
    }

    /// A beats B and C, B beats C and D, D beats A, C and D draw (table 1).
    const TABLE_1: [(u32, u32, f64); 6] =
        [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (1, 3, 1.0), (3, 0, 1.0), (2, 3, 0.5)];

    /// The ratings of table 1 after some steps, and the change of the last step.
    fn after(rule: PerformanceRule, steps: usize) -> (Vec<f64>, StepChange) {
        let table = PairingTable::new(4, TABLE_1);
        let mut found = Iterations::begin(&table, rule, rule.start(), &[]).unwrap();
        let change = (0..steps).map(|_| found.step()).last().unwrap();
        (found.ratings().to_vec(), change)
    }

    fn near(found: &[f64], printed: [f64; 4]) {
        for (found_one, printed) in found.iter().zip(printed) {
            // Printed to six digits.
            let digits = 5.1e-6 * printed.abs() + 1e-9;
            assert!((found_one - printed).abs() < digits, "{found:?} for {printed}");
        }
    }

    #[test]
    fn steps_are_those_of_table_9() {
        near(&after(PerformanceRule::Linear, 5).0, [0.751_029, 0.751_029, -0.002_057_61, 0.5]);
        near(&after(PerformanceRule::Ratio, 10).0, [7.804_55, 7.804_55, 1.158_29, 4.766_05]);
        near(&after(PerformanceRule::Ratio, 60).0, [22491.4, 22491.4, 3337.97, 13734.7]);
        near(&after(PerformanceRule::Berkin, 50).0, [0.913_513, 0.783_039, 0.130_499, 0.651_468]);
        near(&after(PerformanceRule::Berkin, 120).0, [0.913_043, 0.782_609, 0.130_435, 0.652_174]);
        near(&after(PerformanceRule::Logarithmic, 100).0, [1328.48, 1328.48, 1028.48, 1238.17]);
        near(&after(PerformanceRule::Logarithmic, 150).0, [843.927, 843.927, 543.927, 753.618]);
    }

    #[test]
    fn ratios_grow_by_a_factor_and_logarithms_drift_where_the_others_settle() {
        let (_, ratio) = after(PerformanceRule::Ratio, 60);
        assert!((ratio.factor - 1.172_717).abs() < 5e-7, "{ratio:?}");
        let (_, logarithmic) = after(PerformanceRule::Logarithmic, 60);
        assert!((logarithmic.mean + 9.691).abs() < 5e-4, "{logarithmic:?}");
        for rule in [PerformanceRule::Linear, PerformanceRule::Berkin] {
            let (_, change) = after(rule, 120);
            assert!(change.largest < 1e-6, "{rule:?} {change:?}");
        }
    }

    #[test]
    fn a_held_player_gives_the_ratios_of_table_5_a_limit() {
        // E beat A and is held at 1.
        let table = PairingTable::new(5, TABLE_1.into_iter().chain([(4, 0, 1.0)]));
        let undefeated = Iterations::begin(&table, PerformanceRule::Ratio, 1.0, &[]).unwrap_err();
        assert_eq!(undefeated, UndefinedPerformance::NothingLost(4));
        let mut found =
            Iterations::begin(&table, PerformanceRule::Ratio, 1.0, &[(4, 1.0)]).unwrap();
        for _ in 0..200 {
            found.step();
        }
        let rounded: Vec<f64> =
            found.ratings().iter().map(|rating| (rating * 1e4).round() / 1e4).collect();
        assert_eq!(rounded, [0.6571, 0.9143, 0.1429, 0.5714, 1.0]);
    }

    #[test]
    fn a_held_player_fixes_the_level_of_linear_ratings() {
        // D is held at one half: tables 2 and 3.
        let table = PairingTable::new(4, TABLE_1);
        let mut found =
            Iterations::begin(&table, PerformanceRule::Linear, 0.0, &[(3, 0.5)]).unwrap();
        for _ in 0..200 {
            found.step();
        }
        near(found.ratings(), [0.75, 0.75, 0.0, 0.5]);
    }

    #[test]
    fn undefined_performances_are_refused() {
        let table = PairingTable::new(3, [(0, 1, 1.0)]);
        for (rule, error) in [
            (PerformanceRule::Logarithmic, UndefinedPerformance::NothingWon(1)),
            (PerformanceRule::Linear, UndefinedPerformance::NoGames(2)),
        ] {
            let refused = Iterations::begin(&table, rule, 1.0, &[(0, 1.0)]).unwrap_err();
            assert_eq!(refused, error);
        }
    }
}
