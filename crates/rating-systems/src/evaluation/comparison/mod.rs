//! Compares rating systems by how well their ratings before an event predict its games.
//!
//! All systems are evaluated on the same games: those that every one of them could rate.

mod common_games;
mod computation;
mod joint_comparison;
mod pairwise_comparison;
mod predictions;
mod score;
mod system_evaluation;

pub(super) use common_games::CommonGames;
pub use common_games::log_loss_with_white;
pub use computation::{Computed, ParameterisedSystem, compute, compute_by, computed, rated};
pub use joint_comparison::{
    SystemComparison, compare, compare_systems, draw_rates, is_judged_with_all,
};
pub(crate) use pairwise_comparison::compare_two;
pub use pairwise_comparison::{OwnCurves, PairwiseComparison};
pub use predictions::{Predictions, predictions};
pub use score::{Adjusted, LossDifference, Score};
pub use system_evaluation::{BINS, Bin, ERAS, SystemEvaluation};
