//! Computes standard errors by simulation: the app is run repeatedly with perturbed ratings and
//! orders of games.
//!
//! A G-score is exact for given opponents and ratings, but its inputs are uncertain. Each of
//! [`DRAWS`] simulations perturbs:
//!
//! 1. the ratings, by their standard errors;
//! 2. the rating of the world number two;
//! 3. the order of the games, if it is unknown;
//! 4. the estimated ratings. They are estimated again from a line through the perturbed ratings,
//!    and scatter around it as much as known ratings do.
//!
//! The standard error of a figure is the root mean square of its differences from the published
//! figure over all simulations. It has three parts, whose squares add up to its square: the mean
//! difference (the bias), and the spread around that mean by the ratings and by the order. This
//! method is ours; the paper does not mention it.

use bitcode::{Decode, Encode};
use std::sync::OnceLock;

use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;
use statrs::distribution::{ContinuousCDF, Normal};

use super::correction::{FieldColumns, Fit, RatingOrigin, Settled, settle};
use super::event::{Event, EventError};
use super::fit_test::FitResult;
use super::greatness::{g_score, resistance, strength};
use super::line::Line;
use super::options::{Options, Policy};
use super::order_spread::SAMPLES;
use crate::kind::Kind;
use crate::rating::is_rating;

/// Number of simulations: one for each random order used for the order spread.
pub const DRAWS: usize = SAMPLES;

/// Usual standard deviation (rating points) of ratings around their line: the root of the
/// [denominator](super::fit_test::DENOMINATOR) of the fit test. Source: Berard, the PRA paper.
pub const USUAL_SCATTER: f64 = 50.0;

/// Weight of [`USUAL_SCATTER`], as a number of ratings, next to the ratings of the event. Judged:
/// three ratings leave one degree of freedom, and then the usual scatter prevails; for ten or more
/// the event decides.
const USUAL_WEIGHT: f64 = 2.0;

/// Least correlation of ratings and P-Zeros that is assumed. Judged: the overestimate of unrated
/// players is inversely proportional to it. A correlation near zero is an accident of few games.
const LEAST_CORRELATION: f64 = 0.5;

/// Largest overestimate of unrated players by the line, in standard deviations of the scatter.
/// Judged: 75 points at the usual scatter. Without a limit, an unrated outsider could lower all
/// estimates by hundreds of points.
const MOST_SELECTED: f64 = 1.5;

/// The standard error of a rating, with the seed of its simulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct StandardError {
    /// The standard error (rating points).
    pub points: f64,
    /// Seed of the perturbations. Equal seeds give equal perturbations. So a rating is perturbed
    /// equally in all events of a year, and also when its player is the world number two.
    pub seed: u64,
}

/// The standard errors of all inputs of an event.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct StandardErrors {
    /// Standard errors of the ratings found, in the order of the event's players. The entry of a
    /// player without a rating is ignored.
    pub ratings: Vec<StandardError>,
    /// Ratings of the world's best players with their standard errors; the number two is the second
    /// of them.
    ///
    /// In each simulation the number two is again the second highest. His rating is therefore more
    /// certain than that of any single player. With fewer than two entries, only `number_two` is
    /// used.
    pub best: Vec<(f64, StandardError)>,
    /// Additional standard error of the number two's rating: that of shifting it to another scale,
    /// or the whole standard error if the best players are unknown.
    pub number_two: StandardError,
    /// Seed of the perturbations that belong to the event.
    pub seed: u64,
}

impl StandardErrors {
    /// Checks the standard errors against their event.
    pub(super) fn check(&self, event: &Event) -> Result<(), EventError> {
        let players = event.players.len();
        let are_errors = self
            .ratings
            .iter()
            .chain(self.best.iter().map(|(_, error)| error))
            .chain([&self.number_two])
            .all(|error| error.points >= 0.0 && error.points.is_finite());
        let are_ratings = self.best.iter().all(|(rating, _)| is_rating(*rating));
        if are_errors && are_ratings && self.ratings.len() == players {
            Ok(())
        } else {
            Err(EventError::StandardErrors { found: self.ratings.len(), players })
        }
    }

    /// Reorders the standard errors. `places` holds the old index of each player.
    pub(super) fn in_order(&self, places: &[usize]) -> StandardErrors {
        let ratings = places.iter().map(|place| self.ratings[*place]).collect();
        StandardErrors { ratings, ..self.clone() }
    }

    /// Perturbation of the number two's rating (points) in each simulation.
    fn of_number_two(&self) -> Vec<f64> {
        let own = normals(self.number_two.seed);
        let mut departures: Vec<f64> = own.iter().map(|z| self.number_two.points * z).collect();
        if self.best.len() < 2 {
            return departures;
        }
        let drawn: Vec<Vec<f64>> = self.best.iter().map(|(_, error)| normals(error.seed)).collect();
        let seconds: Vec<f64> = (0..DRAWS)
            .map(|draw| {
                let mut ratings: Vec<f64> = self
                    .best
                    .iter()
                    .zip(&drawn)
                    .map(|((rating, error), normals)| rating + error.points * normals[draw])
                    .collect();
                ratings.sort_unstable_by(|a, b| b.total_cmp(a));
                ratings[1]
            })
            .collect();
        // A player high on a list is more often overrated than underrated. The expected bias is
        // estimated by perturbing the list once more with the same errors: the true second is
        // probably lower by as much as the perturbed second is higher.
        let mut listed: Vec<f64> = self.best.iter().map(|(rating, _)| *rating).collect();
        listed.sort_unstable_by(|a, b| b.total_cmp(a));
        let mean = seconds.iter().sum::<f64>() / DRAWS as f64;
        let too_high = (mean - listed[1]).max(0.0);
        for (departure, second) in departures.iter_mut().zip(seconds) {
            *departure += second - mean - too_high;
        }
        departures
    }
}

/// A standard error with its components: `total² = bias² + by_ratings² + by_order²`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorComponents {
    /// The total standard error: the root mean square difference of the simulations from the
    /// published figure.
    pub total: f64,
    /// The spread around the mean simulation that is caused by ratings: those of opponents, of the
    /// world number two, and estimated ones.
    pub by_ratings: f64,
    /// The spread around the mean simulation that is caused by the order of the games; 0 if the
    /// order is known.
    pub by_order: f64,
    /// The mean of the simulations minus the published figure.
    pub bias: Bias,
}

/// The mean of the simulations minus the published figure, with its causes. What the two causes
/// leave is due to the other ratings: the resistance is a curve, and estimated ratings may be too
/// high.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bias {
    /// The whole difference, in the unit of the figure.
    pub total: f64,
    /// The part caused by the number two's rating, which as one of the highest of a list is more
    /// often too high than too low.
    pub by_number_two: f64,
    /// The part caused by the order of the games: the published order may be a favourable one.
    pub by_order: f64,
}

/// The middle of the simulations of one figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawRange {
    /// The median, in the unit of the figure.
    pub median: f64,
    /// The lower end of the middle nine tenths.
    pub low: f64,
    /// The upper end of the middle nine tenths.
    pub high: f64,
}

/// The proportion of simulations left out at either end of a [`DrawRange`], which is therefore a
/// 90% interval. Judged: with 200 simulations, ten remain outside on either side; a 99% interval
/// would depend on a single one.
const LEFT_OUT: f64 = 0.05;

impl DrawRange {
    /// Computes the range of some simulations; `None` if there are none.
    pub fn from_draws(draws: &[f32]) -> Option<DrawRange> {
        let mut sorted: Vec<f64> = draws.iter().map(|draw| f64::from(*draw)).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let left_out = (LEFT_OUT * sorted.len() as f64).floor() as usize;
        Some(DrawRange {
            median: (sorted[last / 2] + sorted[sorted.len() / 2]) / 2.0,
            low: sorted[left_out],
            high: sorted[last - left_out],
        })
    }
}

/// The standard errors of a player's figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerUncertainty {
    /// Standard error of the G-score.
    pub g_score: Option<ErrorComponents>,
    /// Standard error (rating points) of the P-Zero; 0 if the order is known.
    pub p_zero: f64,
    /// Standard error (points) of the performance rating.
    pub performance_rating: Option<f64>,
    /// The G-score in each simulation.
    pub draws: Vec<f32>,
}

/// The standard errors of an event's figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uncertainty {
    /// By player, in the order of the event. Empty if no rating is known.
    pub players: Vec<PlayerUncertainty>,
    /// Standard error of the strength.
    pub strength: Option<f64>,
    /// The strength in each simulation.
    pub strength_draws: Vec<f32>,
}

/// The inputs of the simulations: an event with settled ratings. All slices are parallel.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawInputs<'a> {
    pub kind: Kind,
    pub options: &'a Options,
    /// The players with the ratings found.
    pub field: FieldColumns<'a>,
    /// Opponents of each player, one entry per game.
    pub opponents: &'a [Vec<usize>],
    pub number_two: Option<f64>,
    /// The settled ratings.
    pub settled: &'a Settled,
    /// P-Zeros in random orders of the games; `None` if the order is known.
    pub orders: Option<&'a [Vec<f64>]>,
    pub errors: &'a StandardErrors,
}

/// The figures of an event, either published or simulated.
struct EventFigures {
    g_scores: Vec<Option<f64>>,
    performance_ratings: Vec<Option<f64>>,
    strength: Option<f64>,
}

/// Sums of the differences of a figure from the published one, over the simulations.
#[derive(Clone, Copy, Default)]
struct Departures {
    sum: f64,
    squares: f64,
    /// The same with perturbed ratings only, and the products of both differences.
    sum_by_ratings: f64,
    products: f64,
    count: usize,
}

impl Departures {
    fn add(&mut self, published: Option<f64>, drawn: Option<f64>) {
        self.add_with_ratings(published, drawn, drawn);
    }

    /// Adds a simulation: the figure in it, and the figure if only the ratings were perturbed.
    fn add_with_ratings(
        &mut self,
        published: Option<f64>,
        drawn: Option<f64>,
        by_ratings: Option<f64>,
    ) {
        if let (Some(published), Some(drawn)) = (published, drawn) {
            let departure = drawn - published;
            let by_ratings = by_ratings.map_or(departure, |drawn| drawn - published);
            self.sum += departure;
            self.squares += departure.powi(2);
            self.sum_by_ratings += by_ratings;
            self.products += departure * by_ratings;
            self.count += 1;
        }
    }

    fn root_mean_square(self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }

    /// The components of the error. `by_number_two` is the bias caused by the number two's rating.
    ///
    /// The covariance of the difference by ratings with the whole difference is the part of the
    /// variance that ratings cause. The rest is caused by the order, so the parts add up.
    fn components(self, by_number_two: f64) -> Option<ErrorComponents> {
        let total = self.root_mean_square()?;
        let count = self.count as f64;
        let (mean, mean_by_ratings) = (self.sum / count, self.sum_by_ratings / count);
        let variance = (self.squares / count - mean.powi(2)).max(0.0);
        let covariance = self.products / count - mean * mean_by_ratings;
        let by_ratings = covariance.clamp(0.0, variance);
        Some(ErrorComponents {
            total,
            by_ratings: by_ratings.sqrt(),
            by_order: (variance - by_ratings).sqrt(),
            bias: Bias { total: mean, by_number_two, by_order: mean - mean_by_ratings },
        })
    }
}

/// Returns [`DRAWS`] standard normal numbers that are evenly spread: the quantiles in random order.
fn normals(seed: u64) -> Vec<f64> {
    static QUANTILES: OnceLock<Vec<f64>> = OnceLock::new();
    let quantiles = QUANTILES.get_or_init(|| {
        let normal = Normal::standard();
        let quantiles: Vec<f64> =
            (0..DRAWS).map(|draw| normal.inverse_cdf((draw as f64 + 0.5) / DRAWS as f64)).collect();
        let variance = quantiles.iter().map(|z| z * z).sum::<f64>() / DRAWS as f64;
        quantiles.into_iter().map(|z| z / variance.sqrt()).collect()
    });
    let mut normals = quantiles.clone();
    normals.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    normals
}

/// Derives a seed for one of several quantities of an event.
fn derived(seed: u64, number: usize) -> u64 {
    seed ^ (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The random numbers of all simulations of an event.
struct Normals<'a> {
    /// Empty names, and the decided players without reasons: the steps of a simulation are not
    /// shown.
    no_names: Vec<&'a str>,
    decided: Vec<Option<&'a str>>,
    /// Perturbations of the ratings found, by player.
    ratings: Vec<Vec<f64>>,
    /// Perturbations of the number two's rating (points).
    number_two: Vec<f64>,
    /// Scatter of the estimated ratings, by player.
    scatter: Vec<Vec<f64>>,
    /// Perturbations of the level and slope of the line.
    line: [Vec<f64>; 2],
    /// How far unrated players are unrated because they are weaker, in `[0, 1]`.
    selected: Vec<f64>,
    /// Standard deviation (rating points) of true ratings around the line, in every simulation.
    miss: f64,
}

impl DrawInputs<'_> {
    /// Runs the simulations and computes the standard errors.
    pub fn uncertainty(&self) -> Uncertainty {
        let players = self.field.names.len();
        if self.settled.ratings.iter().all(Option::is_none) {
            // Without ratings there are only P-Zeros.
            return Uncertainty::default();
        }
        let normals = self.normals();
        let line = self.settled.after.as_ref().map(|fit| fit.line);
        let ratings = &self.settled.ratings;
        let published = self.figures(self.field.p_zeros, ratings, self.number_two, line);
        let mut g = vec![Departures::default(); players];
        let mut p_zeros = vec![Departures::default(); players];
        let mut performances = vec![Departures::default(); players];
        let mut strength = Departures::default();
        let mut draws = vec![Vec::with_capacity(DRAWS); players];
        let mut strength_draws = Vec::with_capacity(DRAWS);
        for draw in 0..DRAWS {
            let order: Option<Vec<Option<f64>>> = self.orders.map(|orders| {
                let of_draw = self.field.p_zeros.iter().zip(&orders[draw]);
                of_draw.map(|(played, p_zero)| played.map(|_| *p_zero)).collect()
            });
            let drawn = self.drawn(order.as_deref().unwrap_or(self.field.p_zeros), draw, &normals);
            let by_ratings = order.as_ref().map(|_| self.drawn(self.field.p_zeros, draw, &normals));
            strength.add(published.strength, drawn.strength);
            strength_draws.extend(
                published.strength.map(|published| drawn.strength.unwrap_or(published) as f32),
            );
            for player in 0..players {
                let here = published.g_scores[player];
                let there = drawn.g_scores[player];
                let rated = by_ratings.as_ref().map_or(there, |drawn| drawn.g_scores[player]);
                g[player].add_with_ratings(here, there, rated);
                draws[player].extend(here.map(|here| there.unwrap_or(here) as f32));
                performances[player]
                    .add(published.performance_ratings[player], drawn.performance_ratings[player]);
                if let Some(order) = &order {
                    p_zeros[player].add(self.field.p_zeros[player], order[player]);
                }
            }
        }
        let by_number_two = self.bias_by_number_two(&published, &normals);
        let of_player = (0..players).zip(draws).map(|(player, draws)| PlayerUncertainty {
            g_score: g[player].components(by_number_two[player]),
            p_zero: p_zeros[player].root_mean_square().unwrap_or(0.0),
            performance_rating: performances[player].root_mean_square(),
            draws,
        });
        Uncertainty {
            players: of_player.collect(),
            strength: strength.root_mean_square(),
            strength_draws,
        }
    }

    /// By how much each G-score changes if only the number two's rating is replaced by its mean
    /// over the simulations.
    fn bias_by_number_two(&self, published: &EventFigures, normals: &Normals<'_>) -> Vec<f64> {
        let mean = normals.number_two.iter().sum::<f64>() / DRAWS as f64;
        let number_two = self.number_two.map(|rating| rating + mean);
        let moved = self.figures(self.field.p_zeros, &self.settled.ratings, number_two, None);
        let both = published.g_scores.iter().zip(moved.g_scores);
        both.map(|(here, there)| there.zip(*here).map_or(0.0, |(there, here)| there - here))
            .collect()
    }

    fn normals(&self) -> Normals<'static> {
        let players = self.field.names.len();
        let seed = self.errors.seed;
        // Only estimated and corrected ratings scatter.
        let scatters = self.settled.origins.iter().any(|origin| is_supplied(*origin))
            || self.options.policy_for(self.kind) != Policy::Keep;
        // Two for the line, one for each player, and one for the selection of the unrated players.
        let mut own: Vec<Vec<f64>> = (0..players + 3)
            .map(|number| if scatters { normals(derived(seed, number)) } else { vec![0.0; DRAWS] })
            .collect();
        let selected = own.pop().unwrap_or_default();
        let scatter = own.split_off(2);
        Normals {
            no_names: vec![""; players],
            decided: self.field.decided.iter().map(|decided| decided.map(|_| "")).collect(),
            ratings: self.errors.ratings.iter().map(|error| normals(error.seed)).collect(),
            number_two: self.errors.of_number_two(),
            scatter,
            line: [own.remove(0), own.remove(0)],
            selected: selected.into_iter().map(|z| Normal::standard().cdf(z)).collect(),
            miss: self.true_scatter(),
        }
    }

    /// Computes the figures of one simulation.
    fn drawn(&self, p_zeros: &[Option<f64>], draw: usize, normals: &Normals<'_>) -> EventFigures {
        let found: Vec<Option<f64>> = self
            .field
            .ratings
            .iter()
            .zip(&self.errors.ratings)
            .zip(&normals.ratings)
            .map(|((rating, error), normals)| Some((*rating)? + error.points * normals[draw]))
            .collect();
        let number_two = self.number_two.map(|rating| rating + normals.number_two[draw]);
        let is_full = p_zeros.iter().zip(&found).all(|(x, y)| x.is_none() || y.is_some());
        if is_full {
            // Ratings that fit need no correction; this is the case in most simulations.
            let fit = Fit::from_points(p_zeros, &found);
            if fit.as_ref().is_none_or(|fit| fit.test.result != FitResult::Failed) {
                return self.figures(p_zeros, &found, number_two, fit.map(|fit| fit.line));
            }
        }
        let field = FieldColumns {
            // The steps of a simulation are not shown.
            names: &normals.no_names,
            decided: &normals.decided,
            p_zeros,
            ratings: &found,
            // A leader's rating is kept because it is unknown which one is right. A simulation
            // corrects it where it does not fit, so that the standard errors include that doubt.
            number_two: None,
            ..self.field
        };
        let Settled { mut ratings, mut origins, after, .. } =
            settle(field, self.kind, self.options);
        let mut line = after.map(|fit| fit.line);
        // A simulation may not estimate a rating that was estimated for publication, because its
        // line goes too far. Its line is then used without that limit; without a line, the
        // published rating is used.
        for player in 0..p_zeros.len() {
            let (None, Some(published), Some(x)) =
                (ratings[player], self.settled.ratings[player], p_zeros[player])
            else {
                continue;
            };
            ratings[player] = Some(line.map_or(published, |line| line.performance(x)));
            origins[player] = RatingOrigin::Filled;
        }
        if origins.iter().any(|origin| is_supplied(*origin)) {
            self.scatter(p_zeros, &origins, &mut ratings, draw, normals);
            line = Fit::from_points(p_zeros, &ratings).map(|fit| fit.line);
        }
        self.figures(p_zeros, &ratings, number_two, line)
    }

    /// Perturbs the estimated ratings: for the uncertainty of the line, and for the scatter of
    /// players around it.
    ///
    /// Source of the standard errors of level and slope: any textbook on least squares.
    fn scatter(
        &self,
        p_zeros: &[Option<f64>],
        origins: &[RatingOrigin],
        ratings: &mut [Option<f64>],
        draw: usize,
        normals: &Normals<'_>,
    ) {
        let scatter = normals.miss;
        let evidence: Vec<(f64, f64)> = (0..p_zeros.len())
            .filter(|&player| origins[player] != RatingOrigin::Filled)
            .filter_map(|player| Some((p_zeros[player]?, ratings[player]?)))
            .collect();
        let Some(line) = Line::through(evidence.iter().copied()) else { return };
        let count = evidence.len() as f64;
        let mean = evidence.iter().map(|(x, _)| x).sum::<f64>() / count;
        let squares: f64 = evidence.iter().map(|(x, _)| (x - mean).powi(2)).sum();
        let [level, slope] = [0, 1].map(|part| scatter * normals.line[part][draw]);
        let missed = self.missed(p_zeros, origins, mean, squares / count, line.r);
        let shift = -normals.selected[draw] * missed * scatter;
        for (player, rating) in ratings.iter_mut().enumerate() {
            let (Some(rating), Some(x)) = (rating, p_zeros[player]) else { continue };
            if !is_supplied(origins[player]) {
                continue;
            }
            *rating += shift + level / count.sqrt() + scatter * normals.scatter[player][draw];
            if squares > 1e-9 {
                *rating += slope * (x - mean) / squares.sqrt();
            }
        }
    }

    /// Computes by how many standard deviations of the scatter the line overestimates the unrated
    /// players, if they are unrated because they are weaker.
    ///
    /// A player who is rated in spite of a poor result is better than the result. By the normal
    /// selection model, the overestimate is the difference of the mean P-Zeros of rated and unrated
    /// players, in standard deviations, divided by the correlation.
    ///
    /// Source: J. Heckman (1979), Sample selection bias as a specification error, sections 1 and 2.
    fn missed(
        &self,
        p_zeros: &[Option<f64>],
        origins: &[RatingOrigin],
        mean: f64,
        variance: f64,
        r: Option<f64>,
    ) -> f64 {
        let supplied: Vec<f64> = (0..p_zeros.len())
            .filter(|&player| {
                origins[player] == RatingOrigin::Filled && self.field.ratings[player].is_none()
            })
            .filter_map(|player| p_zeros[player])
            .collect();
        if supplied.is_empty() || variance < 1e-9 {
            return 0.0;
        }
        let lower = mean - supplied.iter().sum::<f64>() / supplied.len() as f64;
        let correlation = r.unwrap_or(0.0).max(LEAST_CORRELATION);
        (lower / variance.sqrt() / correlation).clamp(0.0, MOST_SELECTED)
    }

    /// Estimates the standard deviation (rating points) of true ratings around the line: the
    /// variance of the ratings found, including those left out, minus the variance of their errors.
    fn true_scatter(&self) -> f64 {
        let Some(Fit { line, .. }) = &self.settled.after else { return USUAL_SCATTER };
        let (mut squares, mut errors, mut count) = (0.0, 0.0, 0.0);
        let found = self.field.p_zeros.iter().zip(self.field.ratings).zip(&self.errors.ratings);
        for ((x, rating), error) in found {
            let (Some(x), Some(rating)) = (x, rating) else { continue };
            squares += (rating - line.expected(*x)).powi(2);
            errors += error.points.powi(2);
            count += 1.0;
        }
        let freedom = f64::max(count - 2.0, 0.0);
        let usual = USUAL_WEIGHT * USUAL_SCATTER.powi(2);
        // Residuals from a line through few points underestimate the scatter.
        let variance = (squares + usual) / (freedom + USUAL_WEIGHT);
        (variance - errors / f64::max(count, 1.0)).max(0.0).sqrt()
    }

    /// Mean resistance of a player's opponents.
    fn coefficient(&self, player: usize, resistances: &[Option<f64>]) -> Option<f64> {
        let opponents = &self.opponents[player];
        let mut sum = 0.0;
        for opponent in opponents {
            sum += resistances[*opponent]?;
        }
        (!opponents.is_empty()).then(|| sum / opponents.len() as f64)
    }

    fn figures(
        &self,
        p_zeros: &[Option<f64>],
        ratings: &[Option<f64>],
        number_two: Option<f64>,
        line: Option<Line>,
    ) -> EventFigures {
        let players = p_zeros.len();
        let games = self.field.games;
        let complete = (0..players).all(|player| games[player] == 0 || ratings[player].is_some());
        let resistances = resistances(ratings, number_two);
        let of_field = (0..players)
            .filter(|&player| games[player] > 0)
            .filter_map(|player| Some((resistances[player]?, games[player])));
        EventFigures {
            g_scores: (0..players)
                .map(|player| {
                    let coefficient = self.coefficient(player, &resistances)?;
                    Some(g_score(p_zeros[player]?, games[player], coefficient))
                })
                .collect(),
            performance_ratings: p_zeros.iter().map(|x| Some(line?.performance((*x)?))).collect(),
            strength: complete.then(|| strength(of_field)).flatten(),
        }
    }
}

fn resistances(ratings: &[Option<f64>], number_two: Option<f64>) -> Vec<Option<f64>> {
    ratings.iter().map(|rating| Some(resistance((*rating)?, number_two?))).collect()
}

fn is_supplied(origin: RatingOrigin) -> bool {
    matches!(origin, RatingOrigin::Filled | RatingOrigin::Corrected)
}
