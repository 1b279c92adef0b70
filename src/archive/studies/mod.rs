//! Studies the whole archive: pools of rated players, forecasts, norms, moves, published
//! figures, performances by Chessmetrics, what corrections foresaw, and careers.

pub(crate) mod all_games;
pub(crate) mod boards;
pub(crate) mod book_averages;
pub(crate) mod chessmetrics_lists;
pub(crate) mod consistency;
pub(crate) mod curves;
pub(crate) mod elo_variants;
pub(crate) mod event_figures;
pub(crate) mod event_forecast;
pub(crate) mod event_norms;
pub(crate) mod foresight;
pub(crate) mod game_forecasts;
pub(crate) mod greatest_players;
pub(crate) mod match_vs_tournament;
pub(crate) mod moves;
pub(crate) mod norms;
pub(crate) mod pools;
pub(crate) mod predictions;
pub(crate) mod published;
pub(crate) mod published_pool;
pub(crate) mod published_strengths;
pub(crate) mod substitutions;
pub(crate) mod tie_breaks;
