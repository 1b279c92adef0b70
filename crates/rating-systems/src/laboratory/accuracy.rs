//! Measures how far ratings are from the true ones.

use rand::RngExt;
use serde::Serialize;

use super::chance::{Purpose, generator};
use super::contestant::Contestant;
use super::outcome::ResultModel;
use crate::systems::mean::mean;

/// Error (points) from which a player is out of spec. Source: Berard, the PRA paper.
pub const SPEC: f64 = 100.0;

/// Error (points) from which a player counts in `out_200`. Judged: twice the paper's [`SPEC`].
const FAR: f64 = 200.0;

/// Width (points) of the bands of true ratings for which errors are reported. Judged: about one
/// standard deviation of the standard population.
const BAND: f64 = 300.0;

/// Number of random pairs of players whose results are predicted. Judged: all measurements use the
/// same pairs, so their differences are more exact than each loss. Twice as many would double the
/// time.
const PAIRS: usize = 50_000;

/// The accuracy of a system's ratings after a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Players whose rating is 100 points or more from the true one.
    pub out_100: u32,
    /// Players whose rating is 200 points or more from the true one.
    pub out_200: u32,
    /// Median absolute error (points).
    pub median_error: f64,
    /// Root mean square error (points).
    pub rms_error: f64,
    /// [`Measures::out_100`] after the best straight line from ratings to true ratings.
    pub aligned_100: u32,
    /// [`Measures::out_200`] after that line.
    pub aligned_200: u32,
    /// [`Measures::median_error`] after that line. `None` if it was not computed.
    pub aligned_median: Option<f64>,
    /// [`Measures::rms_error`] after that line.
    pub aligned_rms: f64,
    /// Slope of the regression of ratings on true ratings. 1 is right; below 1 players are too
    /// close together.
    pub scale: f64,
    /// Spearman's rank correlation of ratings and true ratings, in `[-1, 1]`. `None` if it was not
    /// computed.
    pub rank_correlation: Option<f64>,
    /// Excess log loss, times 1,000: the log loss of predicted results minus that of a forecaster
    /// who knows the true ratings. `None` if it was not computed.
    pub excess: Option<f64>,
}

/// The errors of players within a band of 300 points of true ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingBand {
    /// Lower bound of the band: true rating (points).
    pub from: f64,
    /// Number of players whose true rating is in the band.
    pub players: u32,
    /// Mean error (points). Above 0 the players are rated too high.
    pub mean_error: f64,
    /// Root mean square error (points).
    pub rms_error: f64,
    /// Players out of spec.
    pub out_100: u32,
}

/// The true ratings, and the figures that follow from them.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    truth: Vec<f64>,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
    ranks: Vec<f64>,
    pairs: Vec<(u32, u32)>,
    /// True expected score of each pair's first player.
    chances: Vec<f64>,
    /// Mean log loss of a forecaster who knows the true ratings.
    least: f64,
}

/// The least-squares line from ratings to true ratings.
struct RegressionLine {
    /// Mean of the ratings (points).
    rated: f64,
    /// Mean of the true ratings (points).
    mean: f64,
    slope: f64,
    /// Slope of the regression of ratings on true ratings.
    scale: f64,
}

/// Buffers that measurements reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Absolute errors (points), and those after the best line.
    errors: Vec<f64>,
    aligned: Vec<f64>,
    in_box: Vec<f64>,
    /// The last median error, from which the next one differs little.
    guess: f64,
}

/// Number of partial sums, which a processor adds in parallel. Their order never changes.
const LANES: usize = 8;

/// Sums over errors: players out of spec, players 200 points off, squared errors.
#[derive(Clone, Copy, Debug, Default)]
struct ErrorTally {
    out: [u32; LANES],
    far: [u32; LANES],
    squares: [f64; LANES],
}

impl ErrorTally {
    fn add(&mut self, lane: usize, error: f64) {
        self.out[lane] += u32::from(error >= SPEC);
        self.far[lane] += u32::from(error >= FAR);
        self.squares[lane] += error * error;
    }

    fn root_mean_square(&self, players: usize) -> f64 {
        (self.squares.iter().sum::<f64>() / players.max(1) as f64).sqrt()
    }
}

impl Gauge {
    /// Prepares the measurement of a population whose results follow the model `outcome`.
    pub fn new(truth: &[f64], outcome: ResultModel, seed: u64) -> Gauge {
        let players = truth.len();
        let mean = mean(truth);
        let mut random = generator(seed, 0, 0, Purpose::Pairs);
        let pairs: Vec<(u32, u32)> = (0..PAIRS)
            .map(|_| {
                let one = random.random_range(0..players as u32);
                let other = random.random_range(1..players as u32);
                (one, (one + other) % players as u32)
            })
            .collect();
        let chances: Vec<f64> = pairs
            .iter()
            .map(|&(a, b)| outcome.expected(truth[a as usize] - truth[b as usize]))
            .collect();
        let least = chances.iter().map(|p| log_loss(*p, p.clamp(1e-12, 1.0 - 1e-12))).sum::<f64>();
        Gauge {
            mean,
            squares: truth.iter().map(|one| (one - mean).powi(2)).sum(),
            ranks: ranks(truth),
            least: least / pairs.len() as f64,
            pairs,
            chances,
            truth: truth.to_vec(),
        }
    }

    /// Shifts ratings so that their mean is that of the true ratings.
    pub fn level(&self, ratings: &mut [f64]) {
        let shift = self.mean - mean(ratings);
        ratings.iter_mut().for_each(|rating| *rating += shift);
    }

    /// Computes the measures that are quick to compute.
    pub fn measure(&self, ratings: &[f64], room: &mut Scratch) -> Measures {
        let line = self.line(ratings);
        room.errors.resize(ratings.len(), 0.0);
        room.aligned.resize(ratings.len(), 0.0);
        let (mut raw, mut aligned) = (ErrorTally::default(), ErrorTally::default());
        let errors = room.errors.chunks_mut(LANES).zip(room.aligned.chunks_mut(LANES));
        let players = ratings.chunks(LANES).zip(self.truth.chunks(LANES));
        for ((errors, aligned_errors), (ratings, truth)) in errors.zip(players) {
            for lane in 0..ratings.len() {
                let error = (ratings[lane] - truth[lane]).abs();
                raw.add(lane, error);
                errors[lane] = error;
                let error =
                    (line.mean + line.slope * (ratings[lane] - line.rated) - truth[lane]).abs();
                aligned.add(lane, error);
                aligned_errors[lane] = error;
            }
        }
        let median_error = median(&room.errors, room.guess, &mut room.in_box);
        room.guess = median_error;
        Measures {
            out_100: raw.out.iter().sum(),
            out_200: raw.far.iter().sum(),
            median_error,
            rms_error: raw.root_mean_square(ratings.len()),
            aligned_100: aligned.out.iter().sum(),
            aligned_200: aligned.far.iter().sum(),
            aligned_median: None,
            aligned_rms: aligned.root_mean_square(ratings.len()),
            scale: line.scale,
            rank_correlation: None,
            excess: None,
        }
    }

    fn line(&self, ratings: &[f64]) -> RegressionLine {
        // Sums of deviations from the true mean, near which ratings are.
        let (mut sums, mut squares, mut products) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for (ratings, truth) in ratings.chunks(LANES).zip(self.truth.chunks(LANES)) {
            for lane in 0..ratings.len() {
                let (x, y) = (ratings[lane] - self.mean, truth[lane] - self.mean);
                sums[lane] += x;
                squares[lane] += x * x;
                products[lane] += x * y;
            }
        }
        let [sum, squares, both] = [sums, squares, products].map(|lanes| lanes.iter().sum::<f64>());
        let players = ratings.len().max(1) as f64;
        let ahead = sum / players;
        let own = squares - players * ahead * ahead;
        // Deviations of the true ratings from their mean add up to zero, so `both` needs no
        // correction.
        // Equal ratings have no slope; the line is then the mean.
        let varies = own > 1e-9 * players;
        let slope = if varies { both / own } else { 0.0 };
        let scale = if varies && self.squares > 0.0 { both / self.squares } else { 0.0 };
        RegressionLine { rated: self.mean + ahead, mean: self.mean, slope, scale }
    }

    /// Computes all measures, also those that [`measure`](Gauge::measure) leaves out because they
    /// are slow.
    pub fn measure_all(
        &self,
        ratings: &[f64],
        contestant: &Contestant,
        room: &mut Scratch,
    ) -> Measures {
        let loss: f64 = self
            .pairs
            .iter()
            .zip(&self.chances)
            .map(|(&(a, b), p)| {
                let ahead = ratings[a as usize] - ratings[b as usize];
                log_loss(*p, contestant.expected(ahead).clamp(0.001, 0.999))
            })
            .sum();
        let mut measures = Measures {
            rank_correlation: correlation(&ranks(ratings), &self.ranks),
            excess: Some(1000.0 * (loss / self.pairs.len() as f64 - self.least)),
            ..self.measure(ratings, room)
        };
        measures.aligned_median = Some(median(&room.aligned, room.guess, &mut room.in_box));
        measures
    }

    /// Errors by bands of true ratings, in ascending order.
    pub fn bands(&self, ratings: &[f64]) -> Vec<RatingBand> {
        let mut by_band: std::collections::BTreeMap<i64, Vec<f64>> = Default::default();
        for (rating, truth) in ratings.iter().zip(&self.truth) {
            by_band.entry((truth / BAND).floor() as i64).or_default().push(rating - truth);
        }
        let bands = by_band.into_iter().map(|(band, errors)| RatingBand {
            from: band as f64 * BAND,
            players: errors.len() as u32,
            mean_error: mean(&errors),
            rms_error: (errors.iter().map(|error| error * error).sum::<f64>()
                / errors.len() as f64)
                .sqrt(),
            out_100: errors.iter().filter(|error| error.abs() >= SPEC).count() as u32,
        });
        bands.collect()
    }
}

fn log_loss(chance: f64, predicted: f64) -> f64 {
    -(chance * libm::log(predicted) + (1.0 - chance) * libm::log(1.0 - predicted))
}

/// Width (points) of the counting boxes of [`median`], and their number. The last box is unbounded.
const BOX: f64 = 2.0;
const BOXES: usize = 512;

/// Distance (points) from the guess within which [`median`] searches first. Judged: a round moves
/// the median error less. A wider range has more values to sort, a narrower one fails more often.
const NEAR: f64 = 3.0;

/// The median of values of at least 0. It searches near a guess first, then counts boxes.
fn median(values: &[f64], guess: f64, in_box: &mut Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    if let Some(found) = median_within(values, guess - NEAR, guess + NEAR, in_box) {
        return found;
    }
    // Two counters for each box, so that successive additions do not wait for each other.
    let mut counts = [[0u32; BOXES]; 2];
    for (value, place) in values.iter().zip(0..) {
        counts[place % 2][((value / BOX) as usize).min(BOXES - 1)] += 1;
    }
    let [mut counts, more] = counts;
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
    let [low, high] = [(values.len() - 1) / 2, values.len() / 2];
    let (mut first, mut before) = (0, 0);
    while before + counts[first] as usize <= low {
        before += counts[first] as usize;
        first += 1;
    }
    let (mut last, mut until) = (first, before + counts[first] as usize);
    while until <= high {
        last += 1;
        until += counts[last] as usize;
    }
    let end = if last + 1 < BOXES { (last + 1) as f64 * BOX } else { f64::INFINITY };
    median_within(values, first as f64 * BOX, end, in_box).unwrap_or_default()
}

/// The median of values, if it is at least `from` and below `until`.
fn median_within(values: &[f64], from: f64, until: f64, in_box: &mut Vec<f64>) -> Option<f64> {
    let [low, high] = [(values.len() - 1) / 2, values.len() / 2];
    let below = values.iter().map(|value| u32::from(*value < from)).sum::<u32>() as usize;
    in_box.clear();
    in_box.extend(values.iter().copied().filter(|value| (from..until).contains(value)));
    if !(below..below + in_box.len()).contains(&low) || high >= below + in_box.len() {
        return None;
    }
    let lower = *in_box.select_nth_unstable_by(low - below, f64::total_cmp).1;
    if low == high {
        return Some(lower);
    }
    let upper = *in_box.select_nth_unstable_by(high - below, f64::total_cmp).1;
    Some((lower + upper) / 2.0)
}

/// Ranks from 1. Equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(f64, u32)> = values.iter().copied().zip(0..).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|a, b| a.0 == b.0) {
        let rank = before as f64 + (equal.len() as f64 + 1.0) / 2.0;
        for (_, place) in equal {
            ranks[*place as usize] = rank;
        }
        before += equal.len();
    }
    ranks
}

/// Pearson's correlation. `None` if one of the two does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        aa += a * a;
        bb += b * b;
        ab += a * b;
    }
    (aa > 0.0 && bb > 0.0).then(|| ab / (aa * bb).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn true_ratings_have_no_error_and_no_excess() {
        let truth: Vec<f64> = (0..200).map(|player| 1000.0 + 5.0 * f64::from(player)).collect();
        let gauge = Gauge::new(&truth, ResultModel::Logistic, 1);
        let elo = Contestant::named("elo:16").unwrap();
        let found = gauge.measure_all(&truth, &elo, &mut Scratch::default());
        assert_eq!((found.out_100, found.aligned_100, found.scale), (0, 0, 1.0));
        assert_eq!(found.rank_correlation, Some(1.0));
        assert!(found.excess.unwrap().abs() < 1e-9);
    }

    #[test]
    fn alignment_corrects_ratings_that_are_too_close_together() {
        let truth: Vec<f64> = (0..200).map(|player| 500.0 + 10.0 * f64::from(player)).collect();
        let half: Vec<f64> = truth.iter().map(|rating| 1500.0 + (rating - 1495.0) / 2.0).collect();
        let gauge = Gauge::new(&truth, ResultModel::Table, 1);
        let found = gauge.measure(&half, &mut Scratch::default());
        assert!(found.out_100 > 150 && found.aligned_100 == 0, "{found:?}");
        assert!((found.scale - 0.5).abs() < 1e-12);
        let bands = gauge.bands(&half);
        assert_eq!(bands.iter().map(|band| band.players).sum::<u32>(), 200);
        assert!(bands[0].mean_error > 0.0 && bands.last().unwrap().mean_error < 0.0);
    }

    proptest! {
        #[test]
        fn median_agrees_with_sorting(mut values in prop::collection::vec(0.0..3000.0f64, 1..60), guess in 0.0..3000.0f64) {
            let found = median(&values, guess, &mut Vec::new());
            values.sort_by(f64::total_cmp);
            let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            prop_assert!((found - (low + high) / 2.0).abs() < 1e-12);
        }
    }
}
