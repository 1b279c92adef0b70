//! Measures how well a rating list agrees with the scores of games.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), section 3.
//! Least-squares ratings agree perfectly by the first measure with the games from which they were
//! computed, and best of all ratings by the second. Lists are therefore compared on later games.

use std::collections::BTreeMap;

/// A game between two players of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListedGame {
    /// Number of the first player.
    pub one: u32,
    /// Number of the second player.
    pub other: u32,
    /// Rating (points) of the first player.
    pub rating: f64,
    /// Rating (points) of the second player.
    pub opponent: f64,
    /// Score of the first player, in `[0, 1]`.
    pub score: f64,
}

/// The agreement of a list with games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Consistency {
    /// Games between two players of the list.
    pub games: usize,
    /// Players in these games.
    pub players: usize,
    /// Root mean square distance (points), over players, of a rating from the performance
    /// `Rc + K (2P - 1)` against the opponents' ratings. All ratings are first shifted by the
    /// constant that makes it least.
    pub of_ratings: f64,
    /// Root mean square distance, over games, of the difference of the scores from the difference
    /// of the ratings divided by K.
    pub of_scores: f64,
}

impl Consistency {
    /// Measures the agreement with K = `scale` (points). The order of the games does not matter.
    /// `None` without games.
    pub fn from_games(games: &[ListedGame], scale: f64) -> Option<Consistency> {
        if games.is_empty() {
            return None;
        }
        #[derive(Default)]
        struct PlayerSums {
            rating: f64,
            opponents: f64,
            surplus: f64,
            games: f64,
        }
        let mut by_player: BTreeMap<u32, PlayerSums> = BTreeMap::new();
        let mut squares = 0.0;
        for game in games {
            let surplus = 2.0 * game.score - 1.0;
            squares += (surplus - (game.rating - game.opponent) / scale).powi(2);
            for (player, own, other, surplus) in [
                (game.one, game.rating, game.opponent, surplus),
                (game.other, game.opponent, game.rating, -surplus),
            ] {
                let sums = by_player.entry(player).or_default();
                sums.rating = own;
                sums.opponents += other;
                sums.surplus += surplus;
                sums.games += 1.0;
            }
        }
        let apart: Vec<f64> = by_player
            .values()
            .map(|of| of.rating - of.opponents / of.games - scale * of.surplus / of.games)
            .collect();
        let count = apart.len() as f64;
        let mean = apart.iter().sum::<f64>() / count;
        let of_ratings = apart.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
        Some(Consistency {
            games: games.len(),
            players: apart.len(),
            of_ratings: of_ratings.sqrt(),
            of_scores: (squares / games.len() as f64).sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::pairing::{PairingTable, bradley_terry, linear};

    /// A beats B and C, B beats C and D, D beats A, C and D draw (table 1).
    const TABLE_1: [(u32, u32, f64); 6] =
        [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (1, 3, 1.0), (3, 0, 1.0), (2, 3, 0.5)];

    fn consistency(ratings: &[f64], scale: f64) -> Consistency {
        let games = TABLE_1.map(|(one, other, score)| {
            let (rating, opponent) = (ratings[one as usize], ratings[other as usize]);
            ListedGame { one, other, rating, opponent, score }
        });
        Consistency::from_games(&games, scale).unwrap()
    }

    #[test]
    fn least_squares_ratings_agree_best_with_their_own_games() {
        let table = PairingTable::new(4, TABLE_1);
        let found = consistency(&linear(&table, 1.0), 1.0);
        assert!(found.of_ratings < 1e-6, "{found:?}");
        assert_eq!((found.of_scores * 1e4).round(), 7638.0);
        assert_eq!((found.games, found.players), (6, 4));
        // Changing any rating makes the scores agree less. Adding a constant to all changes
        // nothing.
        for player in 0..4 {
            for by in [-0.01, 0.01] {
                let mut moved = linear(&table, 1.0);
                moved[player] += by;
                assert!(consistency(&moved, 1.0).of_scores > found.of_scores);
            }
        }
        let shifted: Vec<f64> = linear(&table, 400.0).iter().map(|one| one + 2000.0).collect();
        assert!((consistency(&shifted, 400.0).of_scores - found.of_scores).abs() < 1e-9);
        let other: Vec<f64> = bradley_terry(&table);
        assert!(consistency(&other, 1.0).of_scores > found.of_scores);
        assert_eq!(Consistency::from_games(&[], 400.0), None);
    }
}
