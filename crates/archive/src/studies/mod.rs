//! Studies the whole archive: pools of rated players, forecasts, norms, moves, published
//! figures, performances by Chessmetrics, what corrections foresaw, and careers.

pub mod boards;
pub mod book_averages;
pub mod chessmetrics_lists;
pub mod common_opponents;
pub mod consistency;
pub mod constants;
pub mod curves;
pub mod follow_ups;
pub mod foresight;
pub mod greatest_players;
mod later_lists;
pub mod longevity;
pub mod match_vs_tournament;
pub mod moves;
pub mod norms;
pub mod predictions;
pub mod published;
pub mod published_pool;
pub mod published_strengths;
pub mod tie_breaks;
pub mod title_odds;
