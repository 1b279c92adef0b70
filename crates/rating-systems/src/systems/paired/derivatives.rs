//! The log posterior of strengths, with its first and second derivatives.

use rayon::prelude::*;

use super::couplings::PIECE;
use super::curvature::{Curvature, sum};
use super::history::{Edge, History, NONE};
use crate::systems::logistic::{NATURAL, logistic, softplus};

/// The log posterior with its first and second derivatives, in natural units.
pub(super) struct Derivatives {
    /// The log posterior, up to a constant.
    pub objective: f64,
    /// First derivative with respect to each strength.
    pub gradient: Vec<f64>,
    /// Negative second derivative with respect to each strength.
    diagonal: Vec<f64>,
    /// Negative second derivative of each coupling with respect to the difference of strengths.
    of_coupling: Vec<f64>,
    /// First derivative and information with respect to White's advantage, by quarter century.
    pub of_eras: Vec<(f64, f64)>,
}

impl Derivatives {
    /// Computes them at these strengths and these advantages of White (natural units).
    pub fn new(history: &History, strengths: &[f64], white: &[f64]) -> Derivatives {
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

    /// Prepares the negative second derivatives for solving.
    pub fn curvature(&self, history: &History) -> Curvature {
        Curvature::new(history, self.diagonal.clone(), self.of_coupling.clone())
    }
}

/// The log likelihood of an edge's games with its derivatives.
pub(super) struct Likelihood {
    /// The log likelihood.
    logarithm: f64,
    /// First derivative with respect to the difference of strengths.
    pub slope: f64,
    /// Negative second derivative with respect to the difference of strengths.
    pub information: f64,
    /// First derivative and information with respect to White's advantage.
    of_white: (f64, f64),
}

impl Likelihood {
    /// Computes it at these strengths and these advantages of White (natural units), with the
    /// padding draws of the edge.
    pub fn new(history: &History, edge: &Edge, strengths: &[f64], white: &[f64]) -> Likelihood {
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
                    let terms = Likelihood::new(history, edge, strengths, white);
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

/// First derivative, with respect to a node's strength, of the term for the step to the next node
/// of its chain.
fn chain_slope(history: &History, strengths: &[f64], node: usize) -> f64 {
    let next = strengths[history.next[node] as usize];
    history.precision[node] * (next - strengths[node] - history.drift[node])
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
