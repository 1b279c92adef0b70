//! Finds files that lack all players below a rating.

use std::collections::BTreeMap;

use crate::games::GameTable;

/// A file without players below a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingFloor {
    /// The number of the file: its place among the members of the table.
    pub source: u32,
    /// The lowest rating (points).
    pub rating: u16,
}

/// The least number of games of a file whose lowest rating is judged. Judged: a smaller file may be
/// a selection of strong events.
const GAMES: usize = 10_000;

/// One in this many ratings may be below the floor. Judged: misprints and players who lost points
/// since the selection.
const BELOW: usize = 1000;

/// The width (points) of the range above the floor in which many ratings must be.
const ABOVE: u16 = 50;

/// One in this many ratings must be in that range.
///
/// Measured: in the bundled decades and in a collection of 427,228 games, at most one in 250 is in
/// the 50 points above the lowest ratings, because few players are that weak. Where a list is cut
/// off, the players just above the cut are many.
const JUST_ABOVE: usize = 100;

/// At most one in this many players of a game may be without a rating. Judged: a file that has
/// unrated players lacks no weak ones.
const UNRATED: usize = 10;

/// Returns the files that lack the players below a rating.
pub fn rating_floors(table: &GameTable) -> Vec<RatingFloor> {
    let mut of_source: BTreeMap<u32, Vec<u16>> = BTreeMap::new();
    for game in table.games() {
        let ratings = of_source.entry(table.sources().of_game(game)).or_default();
        ratings.extend([game.white_elo, game.black_elo]);
    }
    let mut floors = Vec::new();
    for (source, mut ratings) in of_source {
        if let Some(rating) = floor_of(&mut ratings) {
            floors.push(RatingFloor { source, rating });
        }
    }
    floors
}

/// Returns the floor of the ratings of a file, two for each game, of which 0 is none.
fn floor_of(ratings: &mut Vec<u16>) -> Option<u16> {
    let sides = ratings.len();
    ratings.retain(|rating| *rating > 0);
    if sides < 2 * GAMES || (sides - ratings.len()) * UNRATED > sides {
        return None;
    }
    ratings.sort_unstable();
    let lowest = ratings[ratings.len() / BELOW];
    let above = ratings.iter().filter(|rating| (lowest..lowest + ABOVE).contains(*rating)).count();
    (above * JUST_ABOVE >= ratings.len()).then_some(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratings from 1400 on, most of them near 2200.
    fn ratings() -> Vec<u16> {
        let mut ratings = Vec::new();
        for points in 0..1600_u32 {
            let weight = 50 - points.abs_diff(800) / 16;
            ratings.extend(vec![1400 + points as u16; weight as usize]);
        }
        ratings
    }

    #[test]
    fn a_file_that_is_cut_off_has_a_floor() {
        assert_eq!(floor_of(&mut ratings()), None);
        let mut cut = ratings();
        cut.retain(|rating| *rating >= 2000);
        assert_eq!(floor_of(&mut cut.clone()), Some(2000));
        // With unrated players no one is missing. A small file is a selection.
        let mut unrated = [cut.clone(), vec![0; cut.len() / 5]].concat();
        assert_eq!(floor_of(&mut unrated), None);
        cut.truncate(2000);
        assert_eq!(floor_of(&mut cut), None);
    }
}
