//! Random generators: a separate one for each purpose, so that draws for one do not change
//! another's.

use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_pcg::Pcg64Mcg;

/// What a generator draws.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// The pairs of a round, and their results.
    Round = 1,
    /// True ratings, unless they are quantiles.
    Truth = 2,
    /// Ratings at the start.
    Start = 3,
    /// Pairs of players whose results are predicted.
    Pairs = 4,
    /// Players who leave, and their successors.
    Society = 5,
    /// The fields of events.
    Fields = 6,
    /// The results of round robins of equal players.
    Equals = 7,
    /// The games of two players against common opponents.
    CommonOpponents = 8,
    /// The true ratings and results of tournaments whose formats are compared.
    Formats = 9,
}

/// The generator for a purpose in a round of a run. `round` may count something else than rounds.
pub(super) fn generator(seed: u64, run: u64, round: u64, purpose: Purpose) -> Pcg64Mcg {
    let mixed =
        [seed, run, round].into_iter().fold(purpose as u64, |state, word| mix(state ^ mix(word)));
    Pcg64Mcg::seed_from_u64(mixed)
}

/// Normal values are rounded to this part of one. Libraries on different machines agree to many
/// more digits, so their rounded values are equal.
const PARTS: f64 = 1e9;

/// Draws a standard normal value.
pub(super) fn normal(random: &mut Pcg64Mcg) -> f64 {
    (random.sample::<f64, _>(StandardNormal) * PARTS).round() / PARTS
}

/// Maps neighbouring numbers to unrelated ones.
///
/// Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators* (2014), as
/// SplitMix64.
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
