//! Studies populations of rated players: their size, their ages, and how rating points move between
//! them.

pub mod ages;
pub mod balance;
pub mod improvement;
pub mod polynomial;
pub mod pool;
