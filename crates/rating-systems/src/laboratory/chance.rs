//! Where chance comes from: a generator for each purpose, so that nothing depends on what else is drawn.

use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_pcg::Pcg64Mcg;

/// What a generator is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Who plays whom, and the results.
    Round = 1,
    /// True ratings, where they are drawn.
    Truth = 2,
    /// Ratings at the start.
    Start = 3,
    /// Pairs of players whose results are foretold.
    Pairs = 4,
    /// Who leaves, and who comes.
    Society = 5,
    /// The fields of events.
    Fields = 6,
}

/// The generator of a round (or whatever is counted) of a run, for a purpose.
pub(super) fn generator(seed: u64, run: u64, round: u64, purpose: Purpose) -> Pcg64Mcg {
    let mixed =
        [seed, run, round].into_iter().fold(purpose as u64, |state, word| mix(state ^ mix(word)));
    Pcg64Mcg::seed_from_u64(mixed)
}

/// Parts of one to which normal values are rounded: libraries of different machines agree to many more digits, and so here to all.
const PARTS: f64 = 1e9;

/// A normal value.
pub(super) fn normal(random: &mut Pcg64Mcg) -> f64 {
    (random.sample::<f64, _>(StandardNormal) * PARTS).round() / PARTS
}

/// Neighbouring numbers become numbers that have nothing to do with each other.
///
/// Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators* (2014), as SplitMix64.
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
