//! Simultaneous ratings: each rating is a function of the opponents' ratings, and all are solved
//! together.

use rayon::prelude::*;

/// Minimum number of players per parallel task, so that a task costs more than its scheduling.
const PIECE: usize = 4096;

/// Games between players, summed by player for fixed-point iterations.
#[derive(Clone, Debug, Default)]
pub struct Encounters {
    /// Index of each player's first opponent.
    starts: Vec<u32>,
    /// Opponent and weight of each game, once for each of its players.
    opponents: Vec<(u32, f32)>,
    /// Sum of weights and of weighted points, by player.
    sums: Vec<(f64, f64)>,
}

impl Encounters {
    /// From games (player, opponent, the player's score, weight) between players numbered from 0.
    pub fn new(players: usize, games: &[(u32, u32, f64, f64)]) -> Encounters {
        let mut starts = vec![0u32; players + 1];
        for &(a, b, ..) in games {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for player in 0..players {
            starts[player + 1] += starts[player];
        }
        let mut next = starts.clone();
        let mut opponents = vec![(0, 0.0); 2 * games.len()];
        let mut sums = vec![(0.0, 0.0); players];
        for &(a, b, score, weight) in games {
            for (one, other, score) in [(a, b, score), (b, a, 1.0 - score)] {
                let place = &mut next[one as usize];
                opponents[*place as usize] = (other, weight as f32);
                *place += 1;
                let sum = &mut sums[one as usize];
                *sum = (sum.0 + weight, sum.1 + weight * score);
            }
        }
        Encounters { starts, opponents, sums }
    }

    /// Number of players, with or without games.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether the set contains no players.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Starts an empty set that is filled player by player; see [`Encounters::push_opponent`] and
    /// [`Encounters::close`].
    pub(super) fn begin(players: usize) -> Encounters {
        Encounters { starts: vec![0], opponents: Vec::new(), sums: Vec::with_capacity(players) }
    }

    /// Adds a game of the current player.
    pub(super) fn push_opponent(&mut self, opponent: u32, weight: f64) {
        self.opponents.push((opponent, weight as f32));
    }

    /// Completes the current player with the sums of weights and of weighted points.
    pub(super) fn close(&mut self, weight: f64, points: f64) {
        self.starts.push(self.opponents.len() as u32);
        self.sums.push((weight, points));
    }

    /// One iteration: `rate(mean rating of the opponents, fraction of the points, weight)` for each
    /// player with games. Other ratings stay the same. The result is written to `next`, whose
    /// memory is reused.
    pub fn step(
        &self,
        ratings: &[f64],
        next: &mut [f64],
        rate: impl Fn(f64, f64, f64) -> f64 + Sync,
    ) {
        if next.len() < 2 * PIECE {
            for (player, next) in next.iter_mut().enumerate() {
                *next = self.next_rating(player, ratings, &rate);
            }
        } else {
            next.par_iter_mut()
                .enumerate()
                .with_min_len(PIECE)
                .for_each(|(player, next)| *next = self.next_rating(player, ratings, &rate));
        }
    }

    /// A player's rating after an iteration.
    #[inline]
    fn next_rating(
        &self,
        player: usize,
        ratings: &[f64],
        rate: &impl Fn(f64, f64, f64) -> f64,
    ) -> f64 {
        let (weight, points) = self.sums[player];
        if weight > 0.0 {
            let range = self.starts[player] as usize..self.starts[player + 1] as usize;
            let sum: f64 = self.opponents[range]
                .iter()
                .map(|&(opponent, weight)| f64::from(weight) * ratings[opponent as usize])
                .sum();
            rate(sum / weight, points / weight, weight)
        } else {
            ratings[player]
        }
    }

    /// Iterates from a start until no rating changes by more than `tolerance`, or `most` times.
    /// After each iteration, `shift(ratings)` is added to all ratings. Returns the ratings and the
    /// number of iterations.
    pub fn solve(
        &self,
        start: Vec<f64>,
        rate: impl Fn(f64, f64, f64) -> f64 + Sync,
        mut shift: impl FnMut(&[f64]) -> f64,
        tolerance: f64,
        most: usize,
    ) -> (Vec<f64>, usize) {
        let mut ratings = start;
        let mut next = ratings.clone();
        for steps in 1..=most {
            self.step(&ratings, &mut next, &rate);
            let shift = shift(&next);
            let mut change: f64 = 0.0;
            for (next, before) in next.iter_mut().zip(&ratings) {
                *next += shift;
                change = change.max((*next - before).abs());
            }
            std::mem::swap(&mut ratings, &mut next);
            if change < tolerance {
                return (ratings, steps);
            }
        }
        (ratings, most)
    }

    /// The connected components of players joined by games, the largest first. Players of different
    /// components cannot be compared.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.len()];
        let mut found: Vec<Vec<u32>> = Vec::new();
        for first in 0..self.len() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let mut component = vec![first as u32];
            let mut at = 0;
            while at < component.len() {
                let player = component[at] as usize;
                at += 1;
                let range = self.starts[player] as usize..self.starts[player + 1] as usize;
                for &(opponent, _) in &self.opponents[range] {
                    if !std::mem::replace(&mut seen[opponent as usize], true) {
                        component.push(opponent);
                    }
                }
            }
            found.push(component);
        }
        found.sort_by_key(|component| std::cmp::Reverse(component.len()));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unconnected_players_form_their_own_components() {
        let games = [(0, 1, 1.0, 1.0), (1, 2, 0.5, 1.0), (3, 4, 0.0, 1.0)];
        let encounters = Encounters::new(6, &games);
        let sizes: Vec<usize> = encounters.components().iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 2, 1]);
    }

    #[test]
    fn a_player_without_games_keeps_the_rating() {
        let encounters = Encounters::new(3, &[(0, 1, 1.0, 1.0)]);
        let mut next = vec![0.0; 3];
        encounters.step(&[1000.0, 2000.0, 3000.0], &mut next, |mean, fraction, _| {
            mean + 100.0 * fraction
        });
        assert_eq!(next, [2100.0, 1000.0, 3000.0]);
    }
}
