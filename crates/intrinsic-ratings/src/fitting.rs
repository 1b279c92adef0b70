//! Fits a skill to turns.

use super::choices::Choices;
use super::model::{ChoiceModel, Skill};
use strum::IntoStaticStr;

/// The method that fits a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Method {
    /// The consistency is held. The sensitivity is the one at which the expected error equals the
    /// observed error. This method is ours.
    #[default]
    Matched,
    /// Maximum likelihood of the moves played.
    Likelihood,
    /// Calibrated chances: each move played covers an interval of the cumulative chances of its
    /// turn; the part of intervals below each percentile should equal that percentile.
    ///
    /// Source: K. Regan and G. Haworth, *Intrinsic Chess Ratings* (2011).
    Percentiles,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 3] = [Method::Matched, Method::Likelihood, Method::Percentiles];

    /// The word used in calibration files.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the method of a word.
    pub fn of_word(word: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.word() == word)
    }
}

/// A skill that was fitted to moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntrinsicFit {
    /// The sensitivity and the consistency.
    pub skill: Skill,
    /// Whether the skill is at an end of the searched range, so that it is not a fit.
    pub is_end: bool,
}

/// Range of sensitivities. Judged: fits of real games lie near 0.1; a fit at an end of the range is
/// marked.
const LEAST: f64 = 0.01;
const MOST: f64 = 3.0;
/// Range of consistencies. Judged, too: fits of real games lie near 0.5.
const LEAST_C: f64 = 0.05;
const MOST_C: f64 = 5.0;

/// Fits a skill. [`Method::Matched`] holds `consistency`; the other methods fit it. Returns `None`
/// without turns.
pub fn fit(
    choices: &Choices,
    method: Method,
    consistency: f64,
    model: ChoiceModel,
) -> Option<IntrinsicFit> {
    if choices.is_empty() {
        return None;
    }
    let (sensitivity, consistency) = match method {
        Method::Matched => (matched(choices, consistency, model), consistency),
        Method::Likelihood => minimum(|skill| mean_log_loss(choices, skill, model)),
        Method::Percentiles => minimum(|skill| percentile_error(choices, skill, model)),
    };
    let is_end = !(LEAST * 1.001..=MOST / 1.001).contains(&sensitivity)
        || !(LEAST_C * 1.001..=MOST_C / 1.001).contains(&consistency);
    Some(IntrinsicFit { skill: Skill { sensitivity, consistency }, is_end })
}

/// Finds the sensitivity at which the expected error equals the observed one. The expected error
/// increases with the sensitivity.
fn matched(choices: &Choices, consistency: f64, model: ChoiceModel) -> f64 {
    let error = choices.error();
    let (mut low, mut high) = (LEAST.ln(), MOST.ln());
    let [mut below, mut above] =
        [low, high].map(|log| expected_error(choices, log, consistency, model) - error);
    if below >= 0.0 {
        return LEAST;
    }
    if above <= 0.0 {
        return MOST;
    }
    // Regula falsi (Illinois variant): an end that stays twice has its value halved.
    let mut stayed = 0;
    for _ in 0..60 {
        let log = (low * above - high * below) / (above - below);
        let found = expected_error(choices, log, consistency, model) - error;
        if found.abs() < NEAR_ERROR || high - low < NEAR_LOG {
            return log.exp();
        }
        if found < 0.0 {
            (low, below) = (log, found);
            if stayed == 1 {
                above /= 2.0;
            }
            stayed = 1;
        } else {
            (high, above) = (log, found);
            if stayed == -1 {
                below /= 2.0;
            }
            stayed = -1;
        }
    }
    (low + (high - low) / 2.0).exp()
}

/// The expected error at a sensitivity, given by its logarithm.
fn expected_error(choices: &Choices, log: f64, consistency: f64, model: ChoiceModel) -> f64 {
    choices.expected_error(Skill { sensitivity: log.exp(), consistency }, model)
}

/// Tolerances for the error (scaled pawns) and for ln s. A hundredth of a rating point corresponds
/// to an error of about a millionth.
const NEAR_ERROR: f64 = 1e-9;
const NEAR_LOG: f64 = 1e-9;

/// Mean of the negative log of the chance of the move played. A group of several moves counts for
/// one of them.
pub(super) fn mean_log_loss(choices: &Choices, skill: Skill, model: ChoiceModel) -> f64 {
    let mut sum = 0.0;
    choices.for_each(skill, model, |groups, chances, played| {
        sum -= (chances[played] / groups[played].moves).max(1e-300).ln();
    });
    sum / choices.len() as f64
}

/// Sum, over the 19 percentiles q = 5%, 10%, ..., 95%, of the squared difference between q and the
/// part of turns whose interval is below it.
fn percentile_error(choices: &Choices, skill: Skill, model: ChoiceModel) -> f64 {
    let mut up = [0.0; 19];
    choices.for_each(skill, model, |_, chances, played| {
        let low: f64 = chances[..played].iter().sum();
        let high = (low + chances[played]).min(1.0);
        for (place, up) in up.iter_mut().enumerate() {
            let part = (place + 1) as f64 / 20.0;
            *up += ((part - low) / (high - low).max(1e-12)).clamp(0.0, 1.0);
        }
    });
    let turns = choices.len() as f64;
    let parts = up.iter().enumerate();
    parts.map(|(place, up)| (up / turns - (place + 1) as f64 / 20.0).powi(2)).sum()
}

/// Minimizes a cost over sensitivity and consistency, starting from (0.1, 0.5): the Nelder-Mead
/// simplex method over their logarithms, which is deterministic.
///
/// Source: J. A. Nelder and R. Mead, *A Simplex Method for Function Minimization* (1965).
fn minimum(cost: impl Fn(Skill) -> f64) -> (f64, f64) {
    let start = [f64::ln(0.1), f64::ln(0.5)];
    let mut simplex: Vec<([f64; 2], f64)> =
        [start, [start[0] + 0.3, start[1]], [start[0], start[1] + 0.2]]
            .into_iter()
            .map(|point| (point, cost_at(&cost, point)))
            .collect();
    for _ in 0..300 {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let size = simplex[1..]
            .iter()
            .flat_map(|(point, _)| [point[0] - simplex[0].0[0], point[1] - simplex[0].0[1]])
            .fold(0.0, |most: f64, side| most.max(side.abs()));
        if size < 1e-6 {
            break;
        }
        let (worst, worst_cost) = simplex[2];
        let middle = [0, 1].map(|axis| (simplex[0].0[axis] + simplex[1].0[axis]) / 2.0);
        let point = moved(worst, middle, 1.0);
        let reflected = (point, cost_at(&cost, point));
        let next = if reflected.1 < simplex[0].1 {
            let point = moved(worst, middle, 2.0);
            let expanded = (point, cost_at(&cost, point));
            Some(if expanded.1 < reflected.1 { expanded } else { reflected })
        } else if reflected.1 < simplex[1].1 {
            Some(reflected)
        } else {
            let step = if reflected.1 < worst_cost { 0.5 } else { -0.5 };
            let point = moved(worst, middle, step);
            let contracted = (point, cost_at(&cost, point));
            (contracted.1 < worst_cost.min(reflected.1)).then_some(contracted)
        };
        match next {
            Some(next) => simplex[2] = next,
            None => {
                let best = simplex[0].0;
                for corner in &mut simplex[1..] {
                    let point = [0, 1].map(|axis| (best[axis] + corner.0[axis]) / 2.0);
                    *corner = (point, cost_at(&cost, point));
                }
            }
        }
    }
    simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [s, c] = simplex[0].0;
    (s.exp().clamp(LEAST, MOST), c.exp().clamp(LEAST_C, MOST_C))
}

/// The cost at a point, the logarithms of sensitivity and consistency. Outside the range it
/// increases with the distance.
fn cost_at(cost: &impl Fn(Skill) -> f64, [s, c]: [f64; 2]) -> f64 {
    let sensitivity = s.exp().clamp(LEAST, MOST);
    let consistency = c.exp().clamp(LEAST_C, MOST_C);
    let far = (s - sensitivity.ln()).abs() + (c - consistency.ln()).abs();
    cost(Skill { sensitivity, consistency }) + far
}

/// Moves the worst corner of a simplex through the middle of the others, and this many times its
/// distance beyond it.
fn moved(worst: [f64; 2], middle: [f64; 2], step: f64) -> [f64; 2] {
    [0, 1].map(|axis| middle[axis] + step * (middle[axis] - worst[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::{Terms, TurnValues};
    use crate::model::{MoveGroup, chances, scaled};
    use rand::{RngExt, SeedableRng};

    /// Simulates turns with five listed moves and a tail, played with this skill.
    fn simulated(skill: Skill, turns: usize) -> Choices {
        let terms = Terms::default();
        // The standard error of s is about 3% by likelihood; this seed is within it. With ten times
        // as many turns all three methods are within 1%.
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(21);
        let mut choices = Choices::default();
        for _ in 0..turns {
            let best = random.random_range(-150i16..150);
            let mut value = best;
            let mut values = vec![best];
            for _ in 0..4 {
                value -= random.random_range(0i16..60);
                values.push(value);
            }
            let legal = random.random_range(20u8..40);
            let scaled_best = scaled(f64::from(best) / 100.0, 1.0);
            let mut groups: Vec<MoveGroup> = values
                .iter()
                .map(|value| scaled_best - scaled(f64::from(*value) / 100.0, 1.0))
                .map(|delta| MoveGroup { delta, moves: 1.0 })
                .collect();
            let tail = groups[4].delta + terms.tail;
            groups.push(MoveGroup { delta: tail, moves: f64::from(legal - 5) });
            let found = chances(&groups, skill, ChoiceModel::Powers);
            let mut lot: f64 = random.random();
            let place = found.iter().position(|chance| {
                lot -= chance;
                lot < 0.0
            });
            let place = place.unwrap_or(0);
            // A move of the tail has the value of the tail.
            let below = scaled_best - tail;
            let pawns = below.signum() * below.abs().exp_m1();
            let turn = TurnValues {
                legal,
                place: (place < 5).then_some(place),
                played: values.get(place).copied().unwrap_or((100.0 * pawns).round() as i16),
                values,
            };
            choices.push(&turn, &terms);
        }
        choices
    }

    #[test]
    fn every_method_recovers_the_skill_of_simulated_turns() {
        let skill = Skill { sensitivity: 0.095, consistency: 0.5 };
        let choices = simulated(skill, 20_000);
        for method in Method::ALL {
            let found = fit(&choices, method, skill.consistency, ChoiceModel::Powers).unwrap();
            let Skill { sensitivity, consistency } = found.skill;
            let apart = (sensitivity / skill.sensitivity - 1.0).abs();
            assert!(apart < 0.03 && !found.is_end, "{method:?} {found:?}");
            assert!((consistency - skill.consistency).abs() < 0.02, "{method:?} {found:?}");
        }
    }

    #[test]
    fn perfect_and_worst_play_are_at_the_ends_of_the_range() {
        let perfect = TurnValues { legal: 20, values: vec![30, 10], place: Some(0), played: 30 };
        let worst = TurnValues { place: None, played: -900, ..perfect.clone() };
        let terms = Terms::default();
        for (turn, sensitivity) in [(&perfect, LEAST), (&worst, MOST)] {
            let choices = Choices::new(std::iter::repeat_n(turn, 50), &terms);
            let found = fit(&choices, Method::Matched, 0.5, ChoiceModel::Powers).unwrap();
            assert!(found.is_end, "{found:?}");
            assert_eq!(found.skill.sensitivity, sensitivity);
            for method in [Method::Likelihood, Method::Percentiles] {
                let found = fit(&choices, method, 0.5, ChoiceModel::Powers).unwrap();
                assert!(found.skill.sensitivity.is_finite() && found.skill.consistency.is_finite());
            }
        }
        assert_eq!(fit(&Choices::default(), Method::Matched, 0.5, ChoiceModel::Powers), None);
    }
}
