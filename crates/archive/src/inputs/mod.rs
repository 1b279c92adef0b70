//! Reads the games, identifies their players, selects the games that count, and groups them.

pub mod counts;
pub mod games_read;
pub mod grouped;
pub mod identified;
pub mod selected;
