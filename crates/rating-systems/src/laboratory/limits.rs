//! Limits of the laboratory: larger plans would need more memory or time than a machine has.

pub(super) const LARGEST_FIELD: usize = 100;

/// Largest error (points) of the ratings that order neighbours.
pub(super) const LARGEST_NOISE: f64 = 100_000.0;

/// Most games of each player.
pub(super) const MOST_GAMES: u32 = 1_000_000;

/// Most games that a system may keep, about ten gigabytes.
pub(super) const MOST_KEPT: u64 = 400_000_000;

/// Most runs of a plan or an experiment.
pub(super) const MOST_RUNS: u32 = 1_000_000;

/// Largest absolute value of a rating (points) in a file.
pub(super) const LARGEST_RATING: f64 = 100_000.0;

/// Most players of a population: their numbers have 32 bits.
pub(super) const MOST_PLAYERS: usize = 100_000_000;
