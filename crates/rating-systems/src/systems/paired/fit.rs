//! Finds the most probable strengths given all games, and approximates their posterior covariance.
//!
//! Newton's method updates all nodes together. Conjugate gradients solve for each step,
//! preconditioned by the players' chains and by the levels of periods.
//!
//! The posterior is approximated by a normal distribution around the most probable strengths
//! (Laplace's approximation). Its covariance is the inverse of the negative second derivatives with
//! respect to the strengths. White's advantage and the frequency of draws are held at their
//! estimates.
//!
//! Sources: R. Coulom, *Whole-History Rating* (2008), appendix B, for the chains; M. Hestenes and
//! E. Stiefel, *Methods of conjugate gradients for solving linear systems* (1952), for the solver.

use super::curvature::{Curvature, LANES};
use super::derivatives::{Derivatives, Likelihood};
use super::history::{Edge, History, PairedGame};
use super::tendency::{Meeting, Tendency};
use crate::systems::logistic::NATURAL;

/// Weight of a game before the frequency of draws is estimated, if the model
/// [weights games by draws](super::history::PairedModel::by_draws): the weight for a frequency of
/// one half.
pub(super) const FIRST_FACTOR: f64 = 2.0;

/// Accuracy (points) of the strengths from which the frequency of draws is estimated. Judged: two
/// points change an expected score by 0.003, and its product with the opponent's by less.
const DRAW_FREQUENCY_ACCURACY: f64 = 2.0;

/// Maximum number of Newton steps. A safeguard: the objective is concave, and 320,000 games took 6
/// steps, or 11 with cohorts.
const MAXIMUM_STEPS: usize = 60;

/// Relative accuracy of the first Newton step. Judged: the next steps correct its error.
const FIRST_STEP_ACCURACY: f64 = 0.1;

/// Relative accuracy of later Newton steps. Judged: the last steps are a few points long, so their
/// error is a few hundredths of a point.
const LATER_STEP_ACCURACY: f64 = 0.01;

/// Relative accuracy of the solutions for variances. Judged: exact to all digits that are shown; it
/// takes 3 to 80 iterations.
const VARIANCE_ACCURACY: f64 = 1e-6;

/// The most probable strengths, with the curvature of the posterior.
#[derive(Clone, Debug)]
pub struct StrengthFit {
    /// Strength (natural units) by node, followed by the means of the cohorts.
    pub strengths: Vec<f64>,
    /// White's advantage (natural units) by quarter century.
    pub white: Vec<f64>,
    /// The frequency of draws, by time and level; empty if the model does not use it.
    pub tendency: Tendency,
    /// The log posterior, up to a constant.
    pub objective: f64,
    /// Number of Newton steps.
    pub steps: usize,
    /// Total number of conjugate gradient iterations.
    pub iterations: usize,
    pub(super) curvature: Curvature,
}

impl StrengthFit {
    /// Fits a history, and sets the weight factors of its edges.
    ///
    /// Ends when a step changes no strength and no advantage of White by `tolerance` (points) or
    /// more, or after 60 steps. `start` holds approximate strengths (natural units) by node, if
    /// known. If the model weights games by draws, the history is fitted twice: first with one
    /// factor for all games, then with factors from the estimated frequency of draws.
    pub fn new(history: &mut History, start: Option<Vec<f64>>, tolerance: f64) -> StrengthFit {
        let model = history.model;
        let first_factor = if model.by_draws { FIRST_FACTOR } else { 1.0 };
        for edge in &mut history.edges {
            edge.factor = first_factor;
        }
        let strengths = start.unwrap_or_else(|| vec![0.0; history.len()]);
        let white = vec![model.white * NATURAL; history.eras];
        // Small changes of strengths do not matter for the frequency of draws.
        let first_tolerance =
            if model.by_draws { tolerance.max(DRAW_FREQUENCY_ACCURACY) } else { tolerance };
        let mut fit = StrengthFit::with_fixed_weights(history, strengths, white, first_tolerance);
        if model.by_draws {
            let mut meetings: Vec<Meeting> = Vec::with_capacity(history.edges.len());
            for edge in &history.edges {
                let (white, black) = (edge.white as usize, edge.black as usize);
                let (year, advantage) = (history.nodes[white].year, fit.white[edge.era as usize]);
                let [one, other] = [fit.strengths[white], fit.strengths[black]];
                meetings.push(edge.meeting(year, one, other, advantage));
            }
            let tendency = Tendency::from_meetings(&meetings);
            for (edge, meeting) in history.edges.iter_mut().zip(&meetings) {
                edge.factor = tendency.factor(meeting.year, meeting.level);
            }
            let (steps, iterations) = (fit.steps, fit.iterations);
            fit = StrengthFit::with_fixed_weights(history, fit.strengths, fit.white, tolerance);
            fit.steps += steps;
            fit.iterations += iterations;
            fit.tendency = tendency;
        }
        fit
    }

    /// Runs Newton's method with fixed weights of the games.
    fn with_fixed_weights(
        history: &History,
        mut strengths: Vec<f64>,
        mut white: Vec<f64>,
        tolerance: f64,
    ) -> StrengthFit {
        let mut now = Derivatives::new(history, &strengths, &white);
        let (mut steps, mut iterations) = (0, 0);
        while steps < MAXIMUM_STEPS && !history.is_empty() {
            steps += 1;
            let curvature = now.curvature(history);
            let exactness = if steps == 1 { FIRST_STEP_ACCURACY } else { LATER_STEP_ACCURACY };
            let (step, used) = curvature.solve(history, &now.gradient, exactness);
            iterations += used;
            // Take the whole step, or halve it until the objective no longer falls.
            let mut part = 1.0;
            let mut next: Vec<f64>;
            loop {
                next = strengths.iter().zip(&step).map(|(x, step)| x + part * step).collect();
                let trial = Derivatives::new(history, &next, &white);
                if trial.objective >= now.objective - 1e-9 * now.objective.abs() || part < 1e-3 {
                    now = trial;
                    break;
                }
                part /= 2.0;
            }
            strengths = next;
            let mut largest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs())) * part;
            if history.model.white_deviation > 0.0 {
                let prior = (history.model.white_deviation * NATURAL).powi(-2);
                for (white, (slope, information)) in white.iter_mut().zip(&now.of_eras) {
                    let away = *white - history.model.white * NATURAL;
                    let change = (slope - prior * away) / (information + prior);
                    *white += change;
                    largest = largest.max(change.abs());
                }
                now = Derivatives::new(history, &strengths, &white);
            }
            if largest < tolerance * NATURAL {
                break;
            }
        }
        let curvature = now.curvature(history);
        let (objective, tendency) = (now.objective, Tendency::default());
        StrengthFit { strengths, white, tendency, objective, steps, iterations, curvature }
    }

    /// Slope and information (natural units) of a game's log likelihood with respect to White's
    /// strength. `None` if the history lacks one of the players in that year.
    pub fn of_game(&self, history: &History, game: &PairedGame) -> Option<(f64, f64)> {
        let white = history.node_of(game.white, game.year)?;
        let black = history.node_of(game.black, game.year)?;
        let edge = history.edge(white, black, game);
        let level = (self.strengths[white] + self.strengths[black]) / 2.0;
        let factor =
            if history.model.by_draws { self.tendency.factor(game.year, level) } else { 1.0 };
        let edge = Edge { factor, ..edge };
        let terms = Likelihood::new(history, &edge, &self.strengths, &self.white);
        Some((terms.slope, terms.information))
    }

    /// The strength of a node in points.
    pub fn points(&self, node: usize) -> f64 {
        self.strengths[node] / NATURAL
    }

    /// Variances (points squared) of the strengths, conditional on the other players' strengths.
    ///
    /// Source: Coulom (2008), appendix B.2.
    pub(crate) fn variances_alone(&self) -> Vec<f64> {
        let squared = NATURAL * NATURAL;
        self.curvature.chains.variances().into_iter().map(|variance| variance / squared).collect()
    }

    /// The posterior standard deviation (points) of a linear combination of strengths: nodes with
    /// their coefficients.
    pub fn deviation(&self, history: &History, terms: &[(usize, f64)]) -> f64 {
        let mut right = vec![0.0; history.len()];
        for &(node, times) in terms {
            right[node] += times;
        }
        let (solution, _) = self.curvature.solve(history, &right, VARIANCE_ACCURACY);
        let variance: f64 = terms.iter().map(|&(node, times)| times * solution[node]).sum();
        variance.max(0.0).sqrt() / NATURAL
    }

    /// The posterior covariances (points squared) between the strengths of these nodes.
    pub fn covariances(&self, history: &History, nodes: &[usize]) -> Vec<Vec<f64>> {
        let squared = NATURAL * NATURAL;
        let mut covariances = Vec::with_capacity(nodes.len());
        for some in nodes.chunks(LANES) {
            let mut right = vec![[0.0; LANES]; history.len()];
            for (lane, node) in some.iter().enumerate() {
                right[*node][lane] = 1.0;
            }
            let (solution, _) =
                self.curvature.solve_lanes(history, right, nodes, VARIANCE_ACCURACY);
            covariances.extend((0..some.len()).map(|lane| {
                solution.iter().map(|other| other[lane] / squared).collect::<Vec<f64>>()
            }));
        }
        covariances
    }

    /// The difference (points) between the strengths of two nodes, and its standard deviation.
    pub fn difference(&self, history: &History, one: usize, other: usize) -> (f64, f64) {
        let deviation = self.deviation(history, &[(one, 1.0), (other, -1.0)]);
        (self.points(one) - self.points(other), deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::paired::history::PairedModel;
    use crate::systems::paired::movement::Movement;

    /// A model without White's advantage, padding games, weights by draws, ageing and cohorts.
    fn bare(newcomers: f64, variance: f64) -> PairedModel {
        let movement =
            Movement { variance, young_variance: 0.0, rise: 0.0, fall: 0.0, ..Movement::default() };
        PairedModel {
            movement,
            newcomers,
            drawn_first: false,
            cohorts: 0.0,
            pad: 0.0,
            white: 0.0,
            white_deviation: 0.0,
            by_draws: false,
        }
    }

    fn games(rows: &[(i16, u32, u32, f64)]) -> Vec<PairedGame> {
        rows.iter()
            .map(|&(year, white, black, score)| PairedGame::new(white, black, year, score))
            .collect()
    }

    fn fitted(
        model: PairedModel,
        rows: &[(i16, u32, u32, f64)],
        players: usize,
    ) -> (History, StrengthFit) {
        let mut history = History::new(model, &games(rows), &vec![None; players]);
        let fit = StrengthFit::new(&mut history, None, 1e-9);
        (history, fit)
    }

    fn assert_near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-3, "{found} is not {wanted}");
    }

    /// Checks the strengths (points) of each player, year by year.
    fn assert_strengths(history: &History, fit: &StrengthFit, wanted: &[&[f64]]) {
        for (nodes, wanted) in history.of_player.iter().zip(wanted) {
            for (node, wanted) in nodes.iter().zip(*wanted) {
                assert_near(fit.points(*node as usize), *wanted);
            }
        }
    }

    const FOUR: [(i16, u32, u32, f64); 11] = [
        (1900, 0, 1, 1.0),
        (1900, 2, 0, 0.5),
        (1900, 1, 2, 0.5),
        (1901, 2, 3, 0.5),
        (1901, 0, 3, 1.0),
        (1901, 3, 1, 1.0),
        (1902, 1, 0, 1.0),
        (1902, 3, 2, 0.5),
        (1903, 0, 2, 0.5),
        (1903, 3, 1, 0.0),
        (1903, 3, 0, 1.0),
    ];

    #[test]
    fn two_players_of_one_year_match_a_manual_solution() {
        let rows = [(1900, 0, 1, 1.0), (1900, 1, 0, 0.0), (1900, 0, 1, 0.0)];
        let (history, fit) = fitted(bare(200.0, 100.0), &rows, 2);
        assert_near(fit.points(0), 38.9536);
        assert_near(fit.points(1), -38.9536);
        assert_near(fit.deviation(&history, &[(0, 1.0)]), 164.0635);
        assert_near(fit.variances_alone()[0].sqrt(), 143.3793);
        let (difference, deviation) = fit.difference(&history, 0, 1);
        assert_near(difference, 77.9073);
        assert_near(deviation, 166.3349);
    }

    #[test]
    fn four_players_of_four_years() {
        let model = PairedModel { white: 35.0, ..bare(200.0, 4023.0) };
        let (history, fit) = fitted(model, &FOUR, 4);
        assert_near(fit.objective, -7.102);
        let strengths: [&[f64]; 4] = [
            &[12.8811, 3.7031, -15.6043, -25.7339],
            &[-7.8445, 2.0077, 22.5091, 33.8327],
            &[-0.0092, -0.1778, 0.9759, 1.2433],
            &[-5.0274, -7.3751, -8.8364],
        ];
        assert_strengths(&history, &fit, &strengths);
        let alone = fit.variances_alone();
        let deviations = [
            (156.3400, 135.4649),
            (164.1784, 146.7653),
            (163.9376, 146.3582),
            (152.9223, 131.6448),
        ];
        for (player, (joint, held)) in (0..).zip(deviations) {
            let node = history.node_of(player, 1903).unwrap();
            assert_near(fit.deviation(&history, &[(node, 1.0)]), joint);
            assert_near(alone[node].sqrt(), held);
        }
        let [first, last] = [0, 3].map(|player| history.node_of(player, 1903).unwrap());
        let (difference, deviation) = fit.difference(&history, first, last);
        assert_near(difference, -16.8975);
        assert_near(deviation, 171.9467);
    }

    #[test]
    fn four_players_with_all_assumptions_of_the_model() {
        // Every game has the fixed weight 2.
        let model = PairedModel {
            white: 42.0,
            white_deviation: 0.0,
            by_draws: false,
            ..PairedModel::default()
        };
        let twice: Vec<PairedGame> =
            games(&FOUR).into_iter().map(|game| PairedGame { weight: 2.0, ..game }).collect();
        let mut history = History::new(model, &twice, &[None; 4]);
        let fit = StrengthFit::new(&mut history, None, 1e-9);
        let [node, of_other, of_1900] = [(0, 1903), (3, 1903), (0, 1900)]
            .map(|(player, year)| history.node_of(player, year).unwrap());
        let (difference, deviation) = fit.difference(&history, node, of_other);
        assert_near(difference, 5.4581);
        assert_near(deviation, 104.7438);
        let (difference, deviation) = fit.difference(&history, node, of_1900);
        assert_near(difference, 8.0141);
        assert_near(deviation, 22.2747);
    }

    /// The expected numbers come from the package whole-history-rating 3.7.1, whose unit of time is
    /// the day.
    #[test]
    fn drawn_first_games_reproduce_whole_history_rating() {
        let rows = [
            (0, 0, 1, 1.0),
            (0, 0, 2, 1.0),
            (0, 1, 2, 0.0),
            (100, 2, 3, 1.0),
            (100, 0, 3, 1.0),
            (100, 1, 3, 0.0),
            (400, 0, 1, 0.0),
            (400, 2, 3, 0.0),
            (730, 0, 2, 1.0),
            (730, 1, 3, 1.0),
            (730, 0, 3, 0.0),
        ];
        let model = PairedModel { drawn_first: true, ..bare(1.0, 14.0) };
        let (history, fit) = fitted(model, &rows, 4);
        let strengths: [&[f64]; 4] = [
            &[92.497, 88.482, 67.504, 60.972],
            &[-52.296, -46.637, -19.035, -5.215],
            &[-34.212, -35.806, -53.766, -62.526],
            &[-4.365, 6.970, 8.443],
        ];
        assert_strengths(&history, &fit, &strengths);
        let alone = fit.variances_alone();
        let of_first =
            [(142.932, 208.575), (142.351, 209.006), (144.218, 212.179), (149.792, 217.417)];
        for (node, (held, joint)) in history.of_player[0].iter().zip(of_first) {
            assert_near(alone[*node as usize].sqrt(), held);
            assert_near(fit.deviation(&history, &[(*node as usize, 1.0)]), joint);
        }
        let (one, other) = (history.node_of(0, 730).unwrap(), history.node_of(1, 730).unwrap());
        let (difference, deviation) = fit.difference(&history, one, other);
        assert_near(difference, 66.187);
        assert_near(deviation, 200.304);
    }

    /// Checks the strengths (points) of four nodes, less their mean.
    fn assert_relative_strengths(fit: &StrengthFit, wanted: [f64; 4]) {
        let mean = (0..4).map(|node| fit.points(node)).sum::<f64>() / 4.0;
        for (node, wanted) in wanted.into_iter().enumerate() {
            let found = fit.points(node) - mean;
            assert!((found - wanted).abs() < 2e-3, "{found} is not {wanted}");
        }
    }

    /// The expected numbers come from Ordo 1.2.6, to two decimals.
    #[test]
    fn one_period_reproduces_maximum_likelihood_ratings() {
        let rows = [
            (1, 0, 1, 1.0),
            (1, 0, 2, 0.5),
            (1, 0, 3, 1.0),
            (1, 1, 0, 0.5),
            (1, 1, 2, 1.0),
            (1, 1, 3, 0.5),
            (1, 2, 0, 1.0),
            (1, 2, 1, 0.5),
            (1, 2, 3, 1.0),
            (1, 3, 0, 0.0),
            (1, 3, 1, 0.0),
            (1, 3, 2, 0.5),
        ];
        let model = PairedModel { white_deviation: 1e6, ..bare(1e5, 100.0) };
        let (_, fit) = fitted(model, &rows, 4);
        assert_relative_strengths(&fit, [113.508, 58.608, 58.608, -230.725]);
        assert!((fit.white[0] / NATURAL - 119.331).abs() < 2e-3);
        let (_, even) = fitted(bare(1e5, 100.0), &rows, 4);
        assert_relative_strengths(&even, [103.091, 53.687, 53.687, -210.464]);
    }

    #[test]
    fn the_order_of_games_and_the_start_do_not_matter() {
        let (_, fit) = fitted(PairedModel::default(), &FOUR, 4);
        let mut turned = FOUR;
        turned.reverse();
        let (mut history, other) = fitted(PairedModel::default(), &turned, 4);
        assert_eq!(fit.strengths, other.strengths);
        let far = vec![1.0; history.len()];
        let warm = StrengthFit::new(&mut history, Some(far), 1e-9);
        for (one, two) in fit.strengths.iter().zip(&warm.strengths) {
            assert!((one - two).abs() / NATURAL < 0.02);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let rows: Vec<(i16, u32, u32, f64)> = (0..6_000u32)
            .map(|number| {
                let (a, b) = (number.wrapping_mul(7919) % 997, number.wrapping_mul(104_729) % 991);
                let year = 1900 + (number % 50) as i16;
                (year, a, 997 + b, f64::from(number.wrapping_mul(31) % 3) / 2.0)
            })
            .collect();
        let [with_one, with_three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (history, fit) = fitted(PairedModel::default(), &rows, 2000);
                let samples = fit.samples(&history, &[0, 1500], 3, 1);
                (fit.strengths, samples)
            })
        });
        assert_eq!(with_one, with_three);
    }

    #[test]
    fn samples_have_the_posterior_deviation() {
        let model = PairedModel { white: 35.0, ..bare(200.0, 4023.0) };
        let (history, fit) = fitted(model, &FOUR, 4);
        let nodes = [history.node_of(0, 1903).unwrap(), history.node_of(3, 1903).unwrap()];
        let samples = fit.samples(&history, &nodes, 1000, 7);
        let squares = samples.iter().map(|sample| f64::from(sample[0] - sample[1]).powi(2));
        let deviation = (squares.sum::<f64>() / samples.len() as f64).sqrt();
        assert!((deviation / 171.9467 - 1.0).abs() < 0.07, "{deviation}");
    }
}
