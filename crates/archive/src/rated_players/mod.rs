//! Rates players: the published lists, our own systems, what is kept of each system's lists before
//! they are dropped, and the world rankings.

pub mod anchors;
pub mod computed;
pub mod computed_lists;
pub mod elo_variants;
pub mod game_forecasts;
pub mod on_the_day;
pub mod pools;
pub mod rankings;
pub mod sources;
