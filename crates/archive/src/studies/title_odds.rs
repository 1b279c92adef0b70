//! How often players perform far above their ratings: the theory of Elo's book against the
//! tournaments of the archive.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 4.32,
//! 4.74: a performance of N games is normal around the rating, with a standard deviation of 200
//! times the square root of 2/N. The comparison is ours.

use super::norms::FIDE_FROM;
use crate::record::EventRecord;
use chess_history::ratings::FIDE_SYSTEM;
use pgn_collections::games::Tempo;
use rating_systems::systems::elo::formulas::{Expectancy, chance_of_performance, performance};

/// The differences (points) between a performance and the rating that are counted.
const AHEAD: [f64; 6] = [-50.0, 0.0, 50.0, 100.0, 150.0, 200.0];

/// The numbers of games that are counted: first those of all performances, then those of groups.
/// Norms were made in nine to nineteen games.
const GAMES: [(usize, usize); 4] = [(9, 19), (9, 10), (11, 13), (14, 19)];

/// The fewest performances of a group. Judged: the standard error of a share of one half is then
/// five hundredths.
const FEWEST: usize = 100;

/// The performances of a group that were so far above the rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TitleOdds {
    /// The difference (points) from the rating that a performance reached or not.
    pub ahead: f64,
    /// The smallest and the largest number of games.
    pub games: (usize, usize),
    /// Number of performances.
    pub performances: usize,
    /// Number of those that reached the difference.
    pub reached: usize,
    /// The share of them that the theory expects, in `[0, 1]`.
    pub expected: f64,
}

impl TitleOdds {
    /// The share of the performances that reached the difference, in `[0, 1]`.
    pub fn share(&self) -> f64 {
        self.reached as f64 / self.performances as f64
    }

    /// The standard error of that share.
    pub fn error(&self) -> f64 {
        let share = self.share();
        (share * (1.0 - share) / self.performances as f64).sqrt()
    }
}

/// A performance: its difference from the rating (points), and the number of games.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RatedPerformance {
    ahead: f64,
    games: usize,
}

/// Counts the performances of players with FIDE ratings in whole round robins since 1971.
pub fn title_odds(records: &[EventRecord]) -> Vec<TitleOdds> {
    let performances: Vec<RatedPerformance> =
        records.iter().filter(|record| counts(record)).flat_map(performances).collect();
    odds(&performances)
}

fn odds(performances: &[RatedPerformance]) -> Vec<TitleOdds> {
    let mut found = Vec::new();
    for games in GAMES {
        let group: Vec<&RatedPerformance> =
            performances.iter().filter(|one| (games.0..=games.1).contains(&one.games)).collect();
        if group.len() < FEWEST {
            continue;
        }
        for ahead in AHEAD {
            let expected: f64 =
                group.iter().map(|one| chance_of_performance(ahead, one.games as f64)).sum();
            found.push(TitleOdds {
                ahead,
                games,
                performances: group.len(),
                reached: group.iter().filter(|one| one.ahead >= ahead).count(),
                expected: expected / group.len() as f64,
            });
        }
    }
    found
}

fn counts(record: &EventRecord) -> bool {
    record.event.tempo == Tempo::Classical
        && record.is_whole_round_robin()
        && !record.event.ranked_elsewhere
        && record.event.start.year().is_some_and(|year| year >= FIDE_FROM)
        && record.ratings.origin.name() == FIDE_SYSTEM
}

/// The performances of the players of an event against opponents who all have a rating.
fn performances(record: &EventRecord) -> Vec<RatedPerformance> {
    let ratings = &record.ratings.ratings;
    let mut sums = vec![(0, 0.0, Some(0.0)); ratings.len()];
    for game in record.input.played() {
        let sides = [
            (game.white, game.black, game.white_score),
            (game.black, game.white, 1.0 - game.white_score),
        ];
        for (player, opponent, score) in sides {
            let (games, points, sum) = &mut sums[player];
            *games += 1;
            *points += score;
            *sum = sum.zip(ratings[opponent]).map(|(sum, rating)| sum + rating);
        }
    }
    let with_own = sums.into_iter().zip(ratings);
    with_own
        .filter_map(|((games, points, sum), own)| {
            if games == 0 {
                return None;
            }
            let mean = sum? / games as f64;
            let found = performance(Expectancy::Normal, mean, points / games as f64);
            Some(RatedPerformance { ahead: found - (*own)?, games })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn performances_are_counted_by_their_numbers_of_games() {
        // Of 200 performances of ten games, half are 100 points above the rating.
        let performances: Vec<RatedPerformance> = (0..200)
            .map(|place| RatedPerformance { ahead: f64::from(place % 2) * 100.0, games: 10 })
            .chain([RatedPerformance { ahead: f64::INFINITY, games: 12 }])
            .collect();
        let found = odds(&performances);
        let groups: Vec<(usize, usize)> = found.iter().map(|row| row.games).collect();
        assert!(groups.iter().all(|games| [(9, 19), (9, 10)].contains(games)), "{groups:?}");
        let row = found.iter().find(|row| row.games == (9, 10) && row.ahead == 100.0).unwrap();
        assert_eq!((row.performances, row.reached, row.share()), (200, 100, 0.5));
        // 1 - Phi(100 sqrt(10) / 282.84).
        assert!((row.expected - 0.1318).abs() < 1e-3, "{row:?}");
        let all = found.iter().find(|row| row.games == (9, 19) && row.ahead == 200.0).unwrap();
        assert_eq!((all.performances, all.reached), (201, 1));
    }
}
