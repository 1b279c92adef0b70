//! Arpad Elo's own best five-year averages of some masters, for comparison with ours.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present*, 9.4 and 9.5.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use chess_history::players::Player;

/// Player, rating and section of the book.
const AVERAGES: &str = include_str!("../../../../data/published/elo-five-year-averages.csv");

/// A player's best five-year average (points) in Elo's book. `None` if it is not known here.
pub fn book_average(player: &Player) -> Option<f64> {
    average_of(std::iter::once(&player.name).chain(&player.spellings).chain(&player.also_called))
}

/// The average of the player who has one of these names.
fn average_of<'a>(mut names: impl Iterator<Item = &'a String>) -> Option<f64> {
    names.find_map(|name| averages().get(name.as_str()).copied())
}

fn averages() -> &'static FxHashMap<String, f64> {
    static TABLE: OnceLock<FxHashMap<String, f64>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = csv::Reader::from_reader(AVERAGES.as_bytes()).into_deserialize();
        // The table is part of the program, and a test reads every line.
        rows.filter_map(|row| {
            row.ok().map(|(name, rating, _): (String, f64, String)| (name, rating))
        })
        .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        assert_eq!(averages().len(), AVERAGES.lines().skip(1).count());
        assert_eq!(averages()["Capablanca, José Raúl"], 2725.0);
    }

    #[test]
    fn an_average_is_found_by_any_name_of_the_player() {
        let morphy = ["Morphy, Paul Charles", "Morphy, Paul"].map(str::to_owned);
        assert_eq!(average_of(morphy.iter()), Some(2690.0));
        let eichborn = ["Eichborn, Louis", "Eichborn,L"].map(str::to_owned);
        assert_eq!(average_of(eichborn.iter()), None);
    }
}
