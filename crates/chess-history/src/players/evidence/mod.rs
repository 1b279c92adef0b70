//! Weighs the evidence that two names are one player's: each file has a term, in bits.

mod bearers;
pub(super) mod circle;
mod copies;
pub(super) mod field;
pub(super) mod name;
pub(super) mod partners;
pub(super) mod prior;
pub(super) mod rating;
mod seat;
pub(super) mod seats;
pub(super) mod weights;
