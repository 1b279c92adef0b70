//! A logistic regression that reads its games once and is solved anew on each 1 January.
//!
//! Each observation adds its gradient and its information at the coefficients that predicted it.
//! Full refits of all earlier years give nearly the same predictions, at many times the cost. The
//! method is ours.

use std::collections::BTreeMap;

use super::logistic::logistic;

/// Sums over observations: information, and right side of the normal equations.
#[derive(Clone, Copy, Debug)]
struct NormalEquations<const N: usize> {
    information: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> NormalEquations<N> {
    const EMPTY: NormalEquations<N> =
        NormalEquations { information: [[0.0; N]; N], right: [0.0; N] };

    fn scale(&mut self, by: f64) {
        self.information.iter_mut().flatten().chain(&mut self.right).for_each(|sum| *sum *= by);
    }

    fn add(&mut self, other: &NormalEquations<N>) {
        let rows = self.information.iter_mut().flatten().chain(&mut self.right);
        let added = other.information.iter().flatten().chain(&other.right);
        rows.zip(added).for_each(|(sum, added)| *sum += added);
    }
}

/// How a [`YearlyRegression`] forgets, and how it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The part, in `[0, 1]`, of what was learnt that remains after a year.
    pub keep: f64,
    /// Information of the start in each coefficient.
    pub prior: f64,
}

/// The regression: its coefficients, and what it has learnt so far.
#[derive(Clone, Debug)]
pub(crate) struct YearlyRegression<const N: usize> {
    memory: Memory,
    start: [f64; N],
    learnt: NormalEquations<N>,
    /// What observations of unfinished years teach, by the year in which they end.
    waiting: BTreeMap<i16, NormalEquations<N>>,
    year: Option<i16>,
    coefficients: [f64; N],
}

impl<const N: usize> YearlyRegression<N> {
    /// The regression before its first observation, with these coefficients.
    pub fn starting_at(start: [f64; N], memory: Memory) -> YearlyRegression<N> {
        YearlyRegression {
            memory,
            start,
            learnt: NormalEquations::EMPTY,
            waiting: BTreeMap::new(),
            year: None,
            coefficients: start,
        }
    }

    /// The coefficients of the current year.
    #[cfg(test)]
    pub fn coefficients(&self) -> &[f64; N] {
        &self.coefficients
    }

    /// Begins a year: learns from all observations that ended before it. Years must not decrease.
    pub fn begin_year(&mut self, year: i16) {
        let Some(last) = self.year.replace(year) else { return };
        if year <= last {
            return;
        }
        let past = self.waiting.split_off(&year);
        let past = std::mem::replace(&mut self.waiting, past);
        // A step of one year forgets before it learns. In years without observations it only
        // forgets.
        let mut taught = past.into_iter().peekable();
        for ended in last..year {
            self.learnt.scale(self.memory.keep);
            while let Some((_, one)) = taught.next_if(|(of, _)| *of <= ended) {
                self.learnt.add(&one);
            }
        }
        self.coefficients = self.solved();
    }

    /// The logit of the outcome for these features.
    pub fn logit(&self, features: &[f64; N]) -> f64 {
        self.coefficients.iter().zip(features).map(|(b, x)| b * x).sum()
    }

    /// Stores an observation of the current year, which will be known after the year `ends`.
    /// `outcome` is in `[0, 1]`.
    pub fn observe(&mut self, features: &[f64; N], outcome: f64, ends: i16) {
        let logit = self.logit(features);
        let expected = logistic(logit);
        let information = expected * (1.0 - expected);
        let right = outcome - expected + information * logit;
        let sums = self.waiting.entry(ends).or_insert(NormalEquations::EMPTY);
        for (row, x) in features.iter().enumerate() {
            sums.right[row] += right * x;
            // The matrix is symmetric, and only this half of it is read.
            for (sum, y) in sums.information[row][..=row].iter_mut().zip(features) {
                *sum += information * x * y;
            }
        }
    }

    /// Solves the normal equations by Cholesky's decomposition.
    fn solved(&self) -> [f64; N] {
        let Memory { prior, .. } = self.memory;
        let mut lower = self.learnt.information;
        let mut solution = self.learnt.right;
        for row in 0..N {
            lower[row][row] += prior;
            solution[row] += prior * self.start[row];
        }
        for row in 0..N {
            for column in 0..=row {
                let (above, current) = lower.split_at(row);
                let other = if column < row { &above[column] } else { &current[0] };
                let known: f64 = (0..column).map(|place| current[0][place] * other[place]).sum();
                let rest = current[0][column] - known;
                lower[row][column] = if column == row {
                    rest.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / lower[column][column]
                };
            }
        }
        for row in 0..N {
            let known: f64 = (0..row).map(|place| lower[row][place] * solution[place]).sum();
            solution[row] = (solution[row] - known) / lower[row][row];
        }
        for row in (0..N).rev() {
            let known: f64 = (row + 1..N).map(|place| lower[place][row] * solution[place]).sum();
            solution[row] = (solution[row] - known) / lower[row][row];
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree(found: [f64; 2], wanted: [f64; 2]) -> bool {
        found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 5e-6)
    }

    #[test]
    fn coefficients_of_a_small_example_are_those_of_the_specification() {
        let memory = Memory { keep: 0.8, prior: 30.0 };
        let mut layer = YearlyRegression::starting_at([0.0, 1.0], memory);
        let scores = [0.0, 0.5, 0.0, 0.5, 1.0, 0.5, 1.0, 1.0];
        let years = [1, 1, 1, 1, 2, 2, 3, 3];
        let mut found = Vec::new();
        let mut logits = Vec::new();
        for (place, (score, year)) in scores.into_iter().zip(years).enumerate() {
            layer.begin_year(year);
            let features = [1.0, -1.0 + 2.0 * place as f64 / 7.0];
            logits.push(layer.logit(&features));
            layer.observe(&features, score, year);
            found.push(*layer.coefficients());
        }
        assert_eq!(found[0], [0.0, 1.0]);
        assert!(agree(found[4], [-0.01461, 1.00999]), "{found:?}");
        assert!(agree(found[6], [-0.00013, 1.00888]), "{found:?}");
        assert!(agree([logits[6], logits[7]], [0.72050, 1.00875]), "{logits:?}");
    }

    #[test]
    fn an_observation_teaches_only_after_the_year_in_which_it_ends() {
        let memory = Memory { keep: 0.8, prior: 1.0 };
        let mut layer = YearlyRegression::starting_at([0.0], memory);
        layer.begin_year(1990);
        layer.observe(&[1.0], 1.0, 1991);
        layer.begin_year(1991);
        assert_eq!(layer.coefficients(), &[0.0]);
        layer.begin_year(1992);
        assert!(layer.coefficients()[0] > 0.0);
    }
}
