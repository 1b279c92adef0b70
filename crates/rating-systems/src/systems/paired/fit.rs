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

use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::couplings::PIECE;
use super::curvature::{Curvature, LANES, sum};
use super::history::{Edge, History, NONE, PairedGame};
use super::tendency::{Meeting, Tendency};
use crate::systems::logistic::{NATURAL, logistic, softplus};

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

/// Relative accuracy of posterior samples. Judged: far below their scatter, and half the digits of
/// the `f32` that stores them.
const SAMPLE_ACCURACY: f64 = 1e-4;

/// Memory (bytes) for the posterior samples that are computed in parallel: 1 GiB. Judged: with half
/// of it, large histories would use fewer threads.
const SAMPLE_MEMORY: usize = 1 << 30;

/// Number of vectors that the solver keeps for each group of right-hand sides.
const SOLUTION_VECTORS: usize = 6;

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
    curvature: Curvature,
}

/// The log posterior with its first and second derivatives, in natural units.
struct Derivatives {
    /// The log posterior, up to a constant.
    objective: f64,
    /// First derivative with respect to each strength.
    gradient: Vec<f64>,
    /// Negative second derivative with respect to each strength.
    diagonal: Vec<f64>,
    /// Negative second derivative of each coupling with respect to the difference of strengths.
    of_coupling: Vec<f64>,
    /// First derivative and information with respect to White's advantage, by quarter century.
    of_eras: Vec<(f64, f64)>,
}

impl Derivatives {
    /// Prepares the negative second derivatives for solving.
    fn curvature(&self, history: &History) -> Curvature {
        Curvature::new(history, self.diagonal.clone(), self.of_coupling.clone())
    }
}

/// The log likelihood of an edge's games with its derivatives.
struct Likelihood {
    /// The log likelihood.
    logarithm: f64,
    /// First derivative with respect to the difference of strengths.
    slope: f64,
    /// Negative second derivative with respect to the difference of strengths.
    information: f64,
    /// First derivative and information with respect to White's advantage.
    of_white: (f64, f64),
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
            let tendency = fit.tendency_of(history);
            for edge in &mut history.edges {
                let level =
                    (fit.strengths[edge.white as usize] + fit.strengths[edge.black as usize]) / 2.0;
                let year = history.nodes[edge.white as usize].year;
                edge.factor = tendency.factor(year, level);
            }
            let (steps, iterations) = (fit.steps, fit.iterations);
            fit = StrengthFit::with_fixed_weights(history, fit.strengths, fit.white, tolerance);
            fit.steps += steps;
            fit.iterations += iterations;
            fit.tendency = tendency;
        }
        fit
    }

    /// Estimates the frequency of draws from the games.
    fn tendency_of(&self, history: &History) -> Tendency {
        let meetings: Vec<Meeting> = history
            .edges
            .iter()
            .map(|edge| {
                let (white, black) = (edge.white as usize, edge.black as usize);
                let year = history.nodes[white].year;
                let advantage = self.white[edge.era as usize];
                edge.meeting(year, self.strengths[white], self.strengths[black], advantage)
            })
            .collect();
        Tendency::from_meetings(&meetings)
    }

    /// Runs Newton's method with fixed weights of the games.
    fn with_fixed_weights(
        history: &History,
        mut strengths: Vec<f64>,
        mut white: Vec<f64>,
        tolerance: f64,
    ) -> StrengthFit {
        let mut now = evaluate(history, &strengths, &white);
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
                let trial = evaluate(history, &next, &white);
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
                now = evaluate(history, &strengths, &white);
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
        let terms = likelihood(history, &edge, &self.strengths, &self.white);
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

    /// Draws `count` samples from the posterior, as deviations (points) from the fitted strengths
    /// of the wanted nodes.
    ///
    /// For each sample, every game, link, step and prior adds a normal variable, with its
    /// information as the variance, to the right-hand side. The solution is a sample. Equal seeds
    /// give equal samples.
    pub fn samples(
        &self,
        history: &History,
        wanted: &[usize],
        count: usize,
        seed: u64,
    ) -> Vec<Vec<f32>> {
        let numbers: Vec<usize> = (0..count).collect();
        // Solve groups of samples in parallel, because some parts of one solution are sequential.
        // Memory limits the number of groups.
        let of_one = history.len().max(1) * LANES * size_of::<f64>() * SOLUTION_VECTORS;
        let at_once = (SAMPLE_MEMORY / of_one).clamp(1, count.max(1)) * LANES;
        let samples = numbers.chunks(at_once).flat_map(|together| {
            together
                .par_chunks(LANES)
                .map(|numbers| self.group_of_samples(history, wanted, seed, numbers))
                .collect::<Vec<Vec<Vec<f32>>>>()
        });
        samples.flatten().collect()
    }

    /// The samples of these numbers, at most [`LANES`], which are solved at once.
    fn group_of_samples(
        &self,
        history: &History,
        wanted: &[usize],
        seed: u64,
        numbers: &[usize],
    ) -> Vec<Vec<f32>> {
        let disturbed: Vec<Vec<f64>> = numbers
            .par_iter()
            .map(|number| self.disturbed_right_side(history, seed, *number))
            .collect();
        let right = (0..history.len())
            .into_par_iter()
            .with_min_len(PIECE)
            .map(|node| {
                std::array::from_fn(|lane| disturbed.get(lane).map_or(0.0, |one| one[node]))
            })
            .collect();
        drop(disturbed);
        let (solution, _) =
            self.curvature.solve_lanes::<LANES>(history, right, wanted, SAMPLE_ACCURACY);
        (0..numbers.len())
            .map(|lane| solution.iter().map(|node| (node[lane] / NATURAL) as f32).collect())
            .collect()
    }

    /// The right-hand side for one sample: the sum of each term's normal variable, by node.
    fn disturbed_right_side(&self, history: &History, seed: u64, number: usize) -> Vec<f64> {
        let own = seed ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Pcg64::seed_from_u64(own);
        let mut right: Vec<f64> = history
            .prior_precision
            .iter()
            .map(|precision| sample_normal(&mut random, *precision))
            .collect();
        for (place, &next) in history.next.iter().enumerate() {
            if next != NONE {
                let drawn = sample_normal(&mut random, history.precision[place]);
                right[next as usize] += drawn;
                right[place] -= drawn;
            }
            if history.model.drawn_first && history.before[place] == NONE {
                let even = logistic(self.strengths[place]);
                right[place] += sample_normal(&mut random, even * (1.0 - even));
            }
        }
        let pairs = history.edges.iter().map(|edge| (edge.white, edge.black));
        let pairs = pairs.chain(history.links.iter().copied());
        for ((a, b), information) in pairs.zip(&self.curvature.of_coupling) {
            let drawn = sample_normal(&mut random, *information);
            right[a as usize] += drawn;
            right[b as usize] -= drawn;
        }
        right
    }
}

/// Samples a normal variable with mean zero and this variance.
fn sample_normal(random: &mut Pcg64, variance: f64) -> f64 {
    let standard: f64 = StandardNormal.sample(random);
    variance.sqrt() * standard
}

/// The log likelihood of an edge's games and padding draws, at these strengths and these advantages
/// of White (natural units).
fn likelihood(history: &History, edge: &Edge, strengths: &[f64], white: &[f64]) -> Likelihood {
    let difference = strengths[edge.white as usize] - strengths[edge.black as usize];
    let z = difference + white[edge.era as usize] + edge.offset;
    let (expected, even) = (logistic(z), logistic(difference));
    let pad = history.model.pad * edge.factor * edge.games;
    let slope = edge.factor * (edge.points - edge.games * expected);
    let information = edge.factor * edge.games * expected * (1.0 - expected);
    Likelihood {
        logarithm: edge.factor * (edge.points * z - edge.games * softplus(z, expected))
            + pad * (0.5 * difference - softplus(difference, even)),
        slope: slope + pad * (0.5 - even),
        information: information + pad * even * (1.0 - even),
        of_white: (slope, information),
    }
}

/// The log posterior and its derivatives at these strengths and these advantages of White (natural
/// units).
fn evaluate(history: &History, strengths: &[f64], white: &[f64]) -> Derivatives {
    let mut couplings = CouplingTerms::of_games(history, strengths, white);
    couplings.add_links(history, strengths);
    let (gradient, diagonal) = node_derivatives(history, strengths, &couplings);
    let CouplingTerms { mut objective, information, of_eras, .. } = couplings;
    let penalty = sum(strengths.len(), |nodes| {
        nodes.map(|node| node_penalty(history, strengths, node)).sum()
    });
    objective -= 0.5 * penalty;
    if history.model.white_deviation > 0.0 {
        let away = white.iter().map(|white| (white / NATURAL - history.model.white).powi(2));
        objective -= 0.5 * away.sum::<f64>() / history.model.white_deviation.powi(2);
    }
    Derivatives { objective, gradient, diagonal, of_coupling: information, of_eras }
}

/// The terms of the log posterior that couple two nodes: first those of the games, then those of
/// the links to cohorts.
struct CouplingTerms {
    /// Sum of the terms.
    objective: f64,
    /// First derivative of each term with respect to the difference of strengths.
    slopes: Vec<f64>,
    /// Negative second derivative of each term with respect to the difference of strengths.
    information: Vec<f64>,
    /// First derivative and information with respect to White's advantage, by quarter century.
    of_eras: Vec<(f64, f64)>,
}

impl CouplingTerms {
    /// Computes the terms of the games. Those of the links remain zero.
    fn of_games(history: &History, strengths: &[f64], white: &[f64]) -> CouplingTerms {
        let edges = &history.edges;
        let all = edges.len() + history.links.len();
        let mut slopes = vec![0.0; all];
        let mut information = vec![0.0; all];
        let pieces: Vec<(f64, Vec<(f64, f64)>)> = slopes[..edges.len()]
            .par_chunks_mut(PIECE)
            .zip(information[..edges.len()].par_chunks_mut(PIECE))
            .zip(edges.par_chunks(PIECE))
            .map(|((slopes, informations), edges)| {
                let mut objective = 0.0;
                let mut of_eras = vec![(0.0, 0.0); white.len()];
                for ((slope, information), edge) in slopes.iter_mut().zip(informations).zip(edges) {
                    let terms = likelihood(history, edge, strengths, white);
                    (*slope, *information) = (terms.slope, terms.information);
                    objective += terms.logarithm;
                    let era = &mut of_eras[edge.era as usize];
                    *era = (era.0 + terms.of_white.0, era.1 + terms.of_white.1);
                }
                (objective, of_eras)
            })
            .collect();
        let mut objective = 0.0;
        let mut of_eras = vec![(0.0, 0.0); white.len()];
        for (piece, eras) in pieces {
            objective += piece;
            for (era, part) in of_eras.iter_mut().zip(eras) {
                *era = (era.0 + part.0, era.1 + part.1);
            }
        }
        CouplingTerms { objective, slopes, information, of_eras }
    }

    /// Adds the terms of the links between first nodes and their cohorts.
    fn add_links(&mut self, history: &History, strengths: &[f64]) {
        let first = history.edges.len();
        for (place, &(a, b)) in history.links.iter().enumerate() {
            let step = strengths[b as usize] - strengths[a as usize];
            self.slopes[first + place] = history.link * step;
            self.information[first + place] = history.link;
            self.objective -= 0.5 * history.link * step * step;
        }
    }
}

/// First derivative, with respect to a node's strength, of the term for the step to the next node
/// of its chain.
fn chain_slope(history: &History, strengths: &[f64], node: usize) -> f64 {
    let next = strengths[history.next[node] as usize];
    history.precision[node] * (next - strengths[node] - history.drift[node])
}

/// The gradient of the log posterior, and its negative second derivatives on the diagonal, by node.
fn node_derivatives(
    history: &History,
    strengths: &[f64],
    couplings: &CouplingTerms,
) -> (Vec<f64>, Vec<f64>) {
    let mut gradient = vec![0.0; strengths.len()];
    let mut diagonal = vec![0.0; strengths.len()];
    gradient.par_iter_mut().zip(&mut diagonal).enumerate().with_min_len(PIECE).for_each(
        |(node, (gradient, diagonal))| {
            *gradient = -history.prior_precision[node] * strengths[node];
            *diagonal = history.prior_precision[node];
            if history.model.drawn_first && history.before[node] == NONE {
                let even = logistic(strengths[node]);
                *gradient += 0.5 - even;
                *diagonal += even * (1.0 - even);
            }
            if history.next[node] != NONE {
                *gradient += chain_slope(history, strengths, node);
                *diagonal += history.precision[node];
            }
            if history.before[node] != NONE {
                let before = history.before[node] as usize;
                *gradient -= chain_slope(history, strengths, before);
                *diagonal += history.precision[before];
            }
            for &coupling in &history.couplings.sides()[history.couplings.places(node)] {
                let slope = couplings.slopes[(coupling / 2) as usize];
                *gradient += if coupling % 2 == 0 { slope } else { -slope };
                *diagonal += couplings.information[(coupling / 2) as usize];
            }
        },
    );
    (gradient, diagonal)
}

/// Twice the negative log prior of a node, up to a constant: its distance from zero, the step to
/// the next node of its chain, and a newcomer's drawn game against strength zero.
fn node_penalty(history: &History, strengths: &[f64], node: usize) -> f64 {
    let tie = match history.next[node] {
        NONE => 0.0,
        _ => chain_slope(history, strengths, node).powi(2) / history.precision[node],
    };
    let drawn = match history.before[node] {
        NONE if history.model.drawn_first => {
            2.0 * softplus(strengths[node], logistic(strengths[node])) - strengths[node]
        }
        _ => 0.0,
    };
    history.prior_precision[node] * strengths[node] * strengths[node] + tie + drawn
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
            .map(|&(year, white, black, score)| PairedGame {
                white,
                black,
                year,
                score,
                weight: 1.0,
                offset: 0.0,
            })
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
        for (player, strengths) in strengths.iter().enumerate() {
            for (node, wanted) in history.of_player[player].iter().zip(*strengths) {
                assert_near(fit.points(*node as usize), *wanted);
            }
        }
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
        for (player, strengths) in strengths.iter().enumerate() {
            for (node, wanted) in history.of_player[player].iter().zip(*strengths) {
                assert_near(fit.points(*node as usize), *wanted);
            }
        }
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

    /// The strengths (points) of four nodes, less their mean.
    fn relative_strengths(fit: &StrengthFit) -> Vec<f64> {
        let mean = (0..4).map(|node| fit.points(node)).sum::<f64>() / 4.0;
        (0..4).map(|node| fit.points(node) - mean).collect()
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
        let wanted = [113.508, 58.608, 58.608, -230.725];
        for (found, wanted) in relative_strengths(&fit).into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 2e-3, "{found} is not {wanted}");
        }
        assert!((fit.white[0] / NATURAL - 119.331).abs() < 2e-3);
        let (_, even) = fitted(bare(1e5, 100.0), &rows, 4);
        let wanted = [103.091, 53.687, 53.687, -210.464];
        for (found, wanted) in relative_strengths(&even).into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 2e-3, "{found} is not {wanted}");
        }
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
