//! Rating systems that we compute ourselves from the games: Chessmetrics, Elo (event by event, and by half
//! decades), the PRA; and how well each predicts.
//!
//! Each takes [`Results`] and gives lists by day, which [`rating_list`] makes a rating list like any other, so
//! that nothing downstream can tell them apart but for their names.

pub mod chessmetrics;
pub mod comparison;
pub mod elo;
pub mod elo_historical;
mod lists;
pub mod pra;
mod results;
pub mod simultaneous;

use std::fmt;
use std::str::FromStr;

pub use lists::{ComputedList, ListedRating, rating_list};
pub use results::{Rated, RatedPlayer, Results};

/// The systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// Sonas's Chessmetrics, by month.
    Chessmetrics,
    /// Elo's, event by event.
    Elo,
    /// Elo's historical ratings, by half decade.
    EloHistorical,
    /// Berard's PRA for a population.
    Pra,
}

impl System {
    /// All of them.
    pub const ALL: [System; 4] =
        [System::Chessmetrics, System::Elo, System::EloHistorical, System::Pra];

    /// The word for settings and commands.
    pub fn word(self) -> &'static str {
        match self {
            System::Chessmetrics => "chessmetrics",
            System::Elo => "elo",
            System::EloHistorical => "elo-historical",
            System::Pra => "pra",
        }
    }

    /// The name of its lists, as labels show it.
    pub fn list_name(self) -> &'static str {
        match self {
            System::Chessmetrics => "Computed Chessmetrics",
            System::Elo => "Computed Elo",
            System::EloHistorical => "Computed historical Elo",
            System::Pra => "Computed PRA",
        }
    }

    /// Its lists with the default parameters.
    pub fn lists(self, results: &Results) -> Vec<ComputedList> {
        match self {
            System::Chessmetrics => {
                chessmetrics::monthly_lists(results, &chessmetrics::Parameters::default())
            }
            System::Elo => elo::continuous(results, &elo::Parameters::default(), |_, _| ()).lists,
            System::EloHistorical => {
                elo_historical::historical(results, &elo_historical::Parameters::default()).lists
            }
            System::Pra => pra::population(results, &pra::Parameters::default(), |_, _| ()),
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for System {
    type Err = String;

    fn from_str(word: &str) -> Result<System, String> {
        System::ALL.into_iter().find(|system| system.word() == word).ok_or_else(|| {
            let words = System::ALL.map(System::word);
            format!("no rating system {word}; there are {}", words.join(", "))
        })
    }
}
