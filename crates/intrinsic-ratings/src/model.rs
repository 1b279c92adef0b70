//! Models how often a player of a given skill chooses each of the legal moves.
//!
//! Source: K. Regan and G. Haworth, *Intrinsic Chess Ratings* (2011): log(1/p_0) / log(1/p_i) =
//! exp(-(delta_i / s)^c), so p_i = p_0 ^ exp((delta_i / s)^c). (Regan's *Intrinsic Ratings
//! Compendium* of 2012 prints the reciprocal of the exponent, which would make worse moves more
//! likely.)

/// Largest absolute value (pawns) that counts; mates have this value too. Judged: the game is
/// decided long before, and the logarithm of the scale makes larger values count little.
pub const CAP: f64 = 10.0;

/// Scales a value (pawns), because players err in proportion to the advantage. The scaled value is
/// the integral of A / (A + |z|) from 0, so differences add up across zero. `scale` is A (pawns).
pub fn scaled(pawns: f64, scale: f64) -> f64 {
    scale * (pawns.abs() / scale).ln_1p() * if pawns < 0.0 { -1.0 } else { 1.0 }
}

/// The skill of a player in the choice model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// Sensitivity s, above 0: the smaller, the smaller the differences that the player notices.
    pub sensitivity: f64,
    /// Consistency c, above 0: the larger, the rarer bad moves are.
    pub consistency: f64,
}

/// How chances depend on differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChoiceModel {
    /// p_i = p_0 ^ exp((delta_i / s)^c).
    #[default]
    Powers,
    /// p_i = p_0 exp(-(delta_i / s)^c), for comparison.
    Shares,
}

/// A group of moves with the same value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveGroup {
    /// Difference from the best move (scaled pawns, 0 or more).
    pub delta: f64,
    /// Number of moves, above 0.
    pub moves: f64,
}

/// Largest exponent. Beyond it the chance of a move is zero in practice.
const MOST: f64 = 50.0;
/// Change of ln(-ln p_0) at which the iteration ends, and the largest number of steps.
const NEAR: f64 = 1e-12;
const STEPS: usize = 80;

/// Computes the chance of each group as a whole. The chances sum to 1. The first group is the best
/// move.
#[cfg(test)]
pub(super) fn chances(groups: &[MoveGroup], skill: Skill, model: ChoiceModel) -> Vec<f64> {
    let mut chances = Vec::new();
    let logs = groups.iter().map(|group| group.delta.ln());
    let moves = groups.iter().map(|group| group.moves);
    chances_of(logs, moves, skill, model, &mut chances);
    chances
}

/// Computes the chances from the logarithms of the differences, which do not depend on the skill.
pub(super) fn chances_of(
    logs: impl Iterator<Item = f64>,
    moves: impl Iterator<Item = f64> + Clone,
    Skill { sensitivity, consistency }: Skill,
    model: ChoiceModel,
    chances: &mut Vec<f64>,
) {
    chances.clear();
    let log = sensitivity.ln();
    // (delta / s)^c; it is 0 for delta = 0.
    chances.extend(logs.map(|delta| (consistency * (delta - log)).exp().min(700.0)));
    match model {
        ChoiceModel::Shares => {
            let mut sum = 0.0;
            for (chance, moves) in chances.iter_mut().zip(moves) {
                *chance = moves * (-*chance).exp();
                sum += *chance;
            }
            chances.iter_mut().for_each(|chance| *chance /= sum);
        }
        ChoiceModel::Powers => {
            let mut all = 0.0;
            for (exponent, moves) in chances.iter_mut().zip(moves.clone()) {
                *exponent = exponent.min(MOST).exp();
                all += moves;
            }
            let x = solved(chances, moves.clone(), all);
            for (chance, moves) in chances.iter_mut().zip(moves) {
                *chance = moves * (-*chance * x).exp();
            }
        }
    }
}

/// Solves for x = -ln p_0, at which the chances of `all` moves sum to 1. It is the root of g = ln
/// sum w exp(-a x), which decreases in x, found by Newton's method over ln x.
///
/// Newton's method over x is unsuitable. Started where the sum is at most 1, its first step passes
/// the root and is clamped at 0. With large exponents the slope there is so steep that the next
/// step is 0, and every move would have the chance 1. Over ln x, steps are comparable everywhere.
fn solved(exponents: &[f64], moves: impl Iterator<Item = f64> + Clone, all: f64) -> f64 {
    if all <= 1.0 {
        return 0.0;
    }
    // At the upper end the sum is at most 1; at the lower end it is close to the number of moves.
    let (mut low, mut high) = (-(MOST + 10.0), all.ln().ln());
    let mut log = high;
    for _ in 0..STEPS {
        let x = log.exp();
        let (mut value, mut slope) = (0.0, 0.0);
        for (exponent, moves) in exponents.iter().zip(moves.clone()) {
            let power = exponent * x;
            let term = moves * (-power).exp();
            value += term;
            slope -= power * term;
        }
        let ahead = value.ln();
        if ahead > 0.0 {
            low = log
        } else {
            high = log
        }
        let next = log - ahead * value / slope;
        // A step that leaves the bracket, or is not a number, is replaced by bisection.
        let next = if next > low && next < high { next } else { (low + high) / 2.0 };
        let step = (next - log).abs();
        log = next;
        if step < NEAR {
            break;
        }
    }
    log.exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chances_of(
        deltas: &[f64],
        sensitivity: f64,
        consistency: f64,
        model: ChoiceModel,
    ) -> Vec<f64> {
        let groups: Vec<MoveGroup> =
            deltas.iter().map(|delta| MoveGroup { delta: *delta, moves: 1.0 }).collect();
        chances(&groups, Skill { sensitivity, consistency }, model)
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 5e-7, "{found} {expected}");
        }
    }

    #[test]
    fn chances_match_reference_values() {
        near(
            &chances_of(&[0.0, 0.2, 0.4], 0.078, 0.502, ChoiceModel::Powers),
            &[0.734459, 0.215413, 0.050129],
        );
        near(
            &chances_of(&[0.0, 0.2, 0.4], 0.123, 0.490, ChoiceModel::Powers),
            &[0.668978, 0.239308, 0.091715],
        );
    }

    #[test]
    fn the_example_of_regan_and_haworth_is_reproduced() {
        // Moves 0, 0.04, 0.12, 0.12 and 0.39 pawns behind a best move at +0.63.
        let deltas: Vec<f64> = [0.0, 0.04, 0.12, 0.12, 0.39]
            .iter()
            .map(|behind| scaled(0.63, 1.0) - scaled(0.63 - behind, 1.0))
            .collect();
        near(&deltas, &[0.0, 0.024846, 0.076470, 0.076470, 0.273469]);
        near(
            &chances_of(&deltas, 0.078, 0.502, ChoiceModel::Powers),
            &[0.468644, 0.264219, 0.130037, 0.130037, 0.007064],
        );
        near(
            &chances_of(&deltas, 0.078, 0.502, ChoiceModel::Shares),
            &[0.405590, 0.230959, 0.150692, 0.150692, 0.062067],
        );
    }

    #[test]
    fn differences_add_up_across_zero() {
        assert!((scaled(0.2, 1.0) - scaled(-0.3, 1.0) - 0.444686).abs() < 5e-7);
        assert_eq!(scaled(0.0, 2.0), 0.0);
        // The larger the scale, the closer to unscaled pawns.
        assert!((scaled(1.0, 1e9) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn edge_cases_have_valid_chances() {
        near(&chances_of(&[0.0; 7], 0.1, 0.5, ChoiceModel::Powers), &[1.0 / 7.0; 7]);
        near(&chances_of(&[0.0], 0.1, 0.5, ChoiceModel::Powers), &[1.0]);
        near(&chances_of(&[0.0, 1e-300], 0.1, 0.5, ChoiceModel::Powers), &[0.5, 0.5]);
        let far = chances_of(&[0.0, 10.0], 0.01, 2.0, ChoiceModel::Powers);
        assert!(far[0] > 1.0 - 1e-9 && far[1] < 1e-9, "{far:?}");
        // Steep and many: cases in which Newton's method over ln p_0 itself stops at 0.
        let steep = chances_of(&[0.0, 0.4, 0.5, 0.9], 0.01, 0.9, ChoiceModel::Powers);
        assert!(steep[0] > 1.0 - 1e-9 && steep[1] < 1e-9, "{steep:?}");
        let steep = chances_of(&[0.0, 0.02, 0.5, 5.0], 0.01, 0.6, ChoiceModel::Powers);
        assert!((steep.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{steep:?}");
        // Ten moves in one group have the chances of ten groups.
        let groups = [MoveGroup { delta: 0.0, moves: 1.0 }, MoveGroup { delta: 0.3, moves: 10.0 }];
        let skill = Skill { sensitivity: 0.1, consistency: 0.5 };
        let joined = chances(&groups, skill, ChoiceModel::Powers);
        let apart: Vec<f64> = std::iter::once(0.0).chain([0.3; 10]).collect();
        let apart = chances_of(&apart, 0.1, 0.5, ChoiceModel::Powers);
        assert!((joined[1] - apart[1..].iter().sum::<f64>()).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn chances_sum_to_one_and_fall_with_the_difference(
            mut deltas in prop::collection::vec(0.0f64..6.0, 1..12),
            sensitivity in 0.01f64..3.0,
            consistency in 0.1f64..3.0,
            is_shares in any::<bool>(),
        ) {
            deltas.sort_by(f64::total_cmp);
            deltas[0] = 0.0;
            let model = if is_shares { ChoiceModel::Shares } else { ChoiceModel::Powers };
            let found = chances_of(&deltas, sensitivity, consistency, model);
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
            prop_assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
            prop_assert!(found.iter().all(|chance| (0.0..=1.0).contains(chance)), "{found:?}");
        }
    }
}
