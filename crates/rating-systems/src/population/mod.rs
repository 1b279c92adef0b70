//! Populations of rated players: their size and ages, and how ratings flow between them.

pub mod ages;
pub mod balance;
pub mod improvement;
pub mod pool;
