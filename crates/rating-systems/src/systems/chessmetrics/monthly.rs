//! Monthly lists of simultaneous, weighted, padded performance ratings.
//!
//! Source: Jeff Sonas, *Chessmetrics: Formulas* (the formulas of 2005).

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::formulas::{MOST_ITERATIONS, SPREAD, WINDOW, padded, weight};
use super::rounds::ChessmetricsRounds;
use crate::systems::about::{About, Role};
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::parameters::parameters;
use crate::systems::results::{RatedGame, Results, first_of, month_of};
use crate::systems::running::Running;
use crate::systems::simultaneous::Encounters;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of Chessmetrics.
    Chessmetrics {
        /// Rating (points) of the opponent in three of the games that pad a performance.
        floor: f64 = 2300.0, 0.0..=4000.0;
        /// Fraction by which the floor follows the level of the scale: at 0 it is fixed, at 1 it
        /// keeps its distance from the level of 2004 in every year.
        floor_slide: f64 = 0.0, 0.0..=1.0;
        /// Months whose games a list uses; the weight of a game falls to zero over them.
        window_months: i32 = WINDOW, 1..=1200;
        /// Weighted games against the pool that bring a player into it; lowered in early years
        /// until there are enough players.
        minimum_games: f64 = 5.0, 0.1..=100.0;
        /// Weighted games that put a player on the list.
        listed_games: f64 = 5.0, 0.0..=1000.0;
        /// Minimum number of players in a pool.
        smallest_pool: usize = 10, 3..=1000000;
        /// Fraction by which the mean of ranks 3 to 20 moves each month towards its value on the
        /// published lists; the first list has that value.
        pull: f64 = 0.05, 0.0..=1.0;
        /// Largest change (points) at which an iteration has converged.
        tolerance: f64 = 0.01, 0.000001..=10.0;
    }
}

impl Registered for Chessmetrics {
    const ABOUT: About = About {
        word: "chessmetrics",
        name: "Chessmetrics",
        list_name: "Computed Chessmetrics",
        summary: "Jeff Sonas's Chessmetrics: monthly lists of simultaneous, weighted, padded performances",
        role: Role::Whole,
        published_as: Some("Chessmetrics"),
        has_pool: true,
        ..About::PLAIN
    };
}

/// Limits of expected scores on the straight line. Judged: a surprise costs a log loss of at most
/// 4.6; with 0.001 and 0.999 it could cost 6.9.
const SURE: RangeInclusive<f64> = 0.01..=0.99;

impl RatingSystem for Chessmetrics {
    fn expected(&self, difference: f64) -> f64 {
        (0.5 + difference / SPREAD).clamp(*SURE.start(), *SURE.end())
    }

    fn explained(&self) -> String {
        format!(
            "Jeff Sonas's formulas of 2005: every month, all players of a closed pool are rated together, from the \
             games of {}, older games weighing less; a performance is the opponents' mean + (score − 50%) × \
             {SPREAD}, padded by four games against the mean opponent and three against {:.0}{}.",
            window_words(self.window_months),
            self.floor,
            if self.floor_slide > 0.0 {
                " in 2004, which follows the level of the scale"
            } else {
                ""
            }
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let lists = monthly_lists(results, self);
        let mut notes = Vec::new();
        if lists.is_empty() {
            let players = self.smallest_pool;
            notes.push(format!(
                "no month has {players} players with enough games against each other"
            ));
        }
        SystemRatings { lists, notes, ..SystemRatings::default() }
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(ChessmetricsRounds::new(self.tolerance, self.window_months, start)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        &["tolerance", "window_months"]
    }
}

/// The mean rating (points) of ranks 3 to 20 on the published January lists, by year. Values in
/// between are interpolated. Source: Jeff Sonas's Chessmetrics, lists of 1843 to 2004.
///
/// Alignment with the previous list alone is unstable, because padding games have a fixed rating of
/// 2300. A hundred games more or less in a collection can shift the scale by two hundred points
/// after a century, which also compresses differences. The lists are therefore pulled towards these
/// levels, and a collection that begins in 1990 starts at the level of 1990. (This is ours.)
const LEVELS: [(i16, f64); 12] = [
    (1843, 2400.0),
    (1850, 2490.0),
    (1860, 2495.0),
    (1880, 2550.0),
    (1885, 2619.0),
    (1895, 2674.0),
    (1915, 2676.0),
    (1922, 2640.0),
    (1935, 2663.0),
    (1950, 2706.0),
    (1975, 2715.0),
    (2004, 2729.0),
];

/// The level of Chessmetrics' scale in a year: the mean rating (points) of ranks 3 to 20 on the
/// published lists, interpolated between some years.
pub fn level(year: i16) -> f64 {
    let after = LEVELS.partition_point(|(other, _)| *other <= year);
    match (after.checked_sub(1).and_then(|before| LEVELS.get(before)), LEVELS.get(after)) {
        (Some(&(from, low)), Some(&(to, high))) => {
            low + (high - low) * f64::from(year - from) / f64::from(to - from)
        }
        (Some(&(_, level)), None) | (None, Some(&(_, level))) => level,
        (None, None) => 0.0,
    }
}

impl Chessmetrics {
    /// The rating (points) of the opponent in three of the games that pad a performance, when the
    /// scale has this level (points).
    fn floor_at(&self, level_then: f64) -> f64 {
        self.floor + self.floor_slide * (level_then - level(i16::MAX))
    }
}

/// A window in words: `four years`, `1 month`, `30 months`.
fn window_words(months: i32) -> String {
    match (months, months % 12) {
        (WINDOW, _) => "four years".into(),
        (12, _) => "one year".into(),
        (1, _) => "one month".into(),
        (_, 0) => format!("{} years", months / 12),
        _ => format!("{months} months"),
    }
}

/// The ranks that align consecutive lists, as Sonas states them.
const ALIGNED: RangeInclusive<usize> = 3..=20;

/// Number of the best players on the previous list from whom the seed of a pool is chosen. This
/// constant and the next two are those of Sonas.
const SEED_FROM_BEST: usize = 10;

/// Number of players who enter a pool in each of its first rounds: those with most games against
/// it.
const FIRST_ROUNDS: [usize; 4] = [5, 4, 5, 5];

/// Maximum number of later rounds, in which every player with enough games against the pool enters.
const MORE_ROUNDS: usize = 8;

/// Distance (points) below the level at which a newcomer's iteration starts. It does not affect the
/// result.
const NEWCOMERS_BELOW: f64 = 100.0;

/// All monthly lists, from the first month with a pool to the month after the last game.
fn monthly_lists(results: &Results, parameters: &Chessmetrics) -> Vec<ComputedList> {
    let mut games: Vec<&RatedGame> = results.games.iter().collect();
    // Games of a month are sorted by their players, so that ties do not depend on the order of
    // files.
    games.sort_by(|a, b| {
        (month_of(a.day), a.white, a.black)
            .cmp(&(month_of(b.day), b.white, b.black))
            .then(a.score.total_cmp(&b.score))
    });
    let months: Vec<i32> = games.iter().map(|game| month_of(game.day)).collect();
    let (Some(&first), Some(&last)) = (months.first(), months.last()) else { return Vec::new() };
    let mut work = MonthlyGames::new(results.players.len(), parameters.window_months);
    let mut lists: Vec<ComputedList> = Vec::new();
    let mut previous: Option<Solved> = None;
    for month in first + 1..=last + 1 {
        // `from` and `until` delimit the games of the window. A game of the previous month is 0
        // months old.
        let from = months.partition_point(|game| *game < month - parameters.window_months);
        let until = months.partition_point(|game| *game < month);
        work.weight_games(&games[from..until], &months[from..until], month);
        let Some(pool) = work.pool(previous.as_ref(), parameters) else { continue };
        let solved = work.solve(pool, previous.as_ref(), parameters);
        // A list without players at the aligned ranks would lose the scale.
        if solved.listed.len() < *ALIGNED.start() {
            continue;
        }
        lists.push(solved.list(first_of(month)));
        previous = Some(solved);
    }
    lists
}

/// The solution of a month, before it becomes a list.
struct Solved {
    /// Ratings (points) of the pool's players.
    ratings: FxHashMap<u32, f64>,
    /// Listed players, the best first, with rating and weighted games.
    listed: Vec<(u32, f64, f64)>,
    /// Ranks of the listed players, from 1.
    rank: FxHashMap<u32, usize>,
}

impl Solved {
    fn list(&self, day: Date) -> ComputedList {
        let ratings = self
            .listed
            .iter()
            .map(|&(player, rating, games)| ListedRating::new(player, rating, games));
        ComputedList {
            day,
            ratings: ratings.collect(),
            ranks: Vec::new(),
            odds: Vec::new(),
            level_error: None,
        }
    }
}

/// The weighted games of a month's window by player. The buffers are reused from month to month.
struct MonthlyGames {
    /// Sum of the weights of each player's games, against all opponents.
    weights: Vec<f64>,
    /// Players with games in the window.
    active: Vec<u32>,
    /// Index of the first edge of each active player, by index in `active`.
    starts: Vec<u32>,
    /// Index of each player in `active`.
    place: Vec<u32>,
    /// Index of the opponent, weight, and weight times score.
    edges: Vec<(u32, f64, f64)>,
    /// The level of the scale at the time (points).
    level: f64,
    /// Number of months whose games count.
    window: i32,
}

const NOBODY: u32 = u32::MAX;

impl MonthlyGames {
    fn new(players: usize, window: i32) -> MonthlyGames {
        MonthlyGames {
            weights: vec![0.0; players],
            active: Vec::new(),
            starts: Vec::new(),
            place: vec![NOBODY; players],
            edges: Vec::new(),
            level: 0.0,
            window,
        }
    }

    /// Weights the games of a window for the list of a month.
    fn weight_games(&mut self, games: &[&RatedGame], months: &[i32], month: i32) {
        self.level = level(first_of(month).year());
        for player in self.active.drain(..) {
            self.weights[player as usize] = 0.0;
            self.place[player as usize] = NOBODY;
        }
        let mut counts: Vec<u32> = Vec::new();
        for game in games {
            for player in [game.white, game.black] {
                let place = &mut self.place[player as usize];
                if *place == NOBODY {
                    *place = self.active.len() as u32;
                    self.active.push(player);
                    counts.push(0);
                }
                counts[*place as usize] += 1;
            }
        }
        self.starts.clear();
        self.starts.push(0);
        for count in &counts {
            self.starts.push(self.starts.last().copied().unwrap_or(0) + count);
        }
        let mut next: Vec<u32> = self.starts.clone();
        self.edges.clear();
        self.edges.resize(2 * games.len(), (0, 0.0, 0.0));
        for (game, played) in games.iter().zip(months) {
            let weight = weight(month - 1 - played, self.window);
            for (player, opponent, score) in game.sides() {
                self.weights[player as usize] += weight;
                let place = &mut next[self.place[player as usize] as usize];
                let opponent = self.place[opponent as usize];
                self.edges[*place as usize] = (opponent, weight, weight * score);
                *place += 1;
            }
        }
    }

    fn edges_of(&self, place: usize) -> &[(u32, f64, f64)] {
        &self.edges[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The closed pool of the month: whether each active player belongs to it. `None` if no pool is
    /// large enough.
    fn pool(&self, previous: Option<&Solved>, parameters: &Chessmetrics) -> Option<Vec<bool>> {
        if self.active.len() < parameters.smallest_pool {
            return None;
        }
        let seed = self.seed(previous)?;
        let mut minimum = parameters.minimum_games;
        loop {
            let pool = self.grow_pool(seed, minimum);
            if pool.iter().filter(|inside| **inside).count() >= parameters.smallest_pool {
                return Some(pool);
            }
            if minimum <= 1.0 {
                return None;
            }
            minimum = (minimum - 1.0).max(1.0);
        }
    }

    /// The seed of the pool. Among the ten best of the previous list, it is the player with the
    /// most weighted games. If there is none, it is the player with the most games.
    fn seed(&self, previous: Option<&Solved>) -> Option<usize> {
        // The first one among equals.
        let mut heaviest: Option<(f64, usize)> = None;
        let listed = previous.map_or(&[][..], |solved| &solved.listed);
        for (player, ..) in listed.iter().take(SEED_FROM_BEST) {
            let (place, weight) = (self.place[*player as usize], self.weights[*player as usize]);
            if place != NOBODY && heaviest.is_none_or(|(most, _)| weight > most) {
                heaviest = Some((weight, place as usize));
            }
        }
        if let Some((_, seed)) = heaviest {
            return Some(seed);
        }
        (0..self.active.len()).reduce(|best, place| {
            if self.edges_of(place).len() > self.edges_of(best).len() { place } else { best }
        })
    }

    /// Adds a player to the pool, and the player's games to those against the pool.
    fn add_to_pool(&self, place: usize, pool: &mut [bool], against: &mut [f64]) {
        pool[place] = true;
        for &(opponent, weight, _) in self.edges_of(place) {
            against[opponent as usize] += weight;
        }
    }

    fn grow_pool(&self, seed: usize, minimum: f64) -> Vec<bool> {
        let mut pool = vec![false; self.active.len()];
        // Weighted games against the pool.
        let mut against = vec![0.0; self.active.len()];
        self.add_to_pool(seed, &mut pool, &mut against);
        // The seed's 5 most frequent opponents, then 4, 5 and 5 players with most games against the
        // pool so far.
        for most in FIRST_ROUNDS {
            let mut next: Vec<usize> =
                (0..pool.len()).filter(|&place| !pool[place] && against[place] > 0.0).collect();
            next.sort_by(|&a, &b| against[b].total_cmp(&against[a]).then(a.cmp(&b)));
            for place in next.into_iter().take(most) {
                self.add_to_pool(place, &mut pool, &mut against);
            }
        }
        for _ in 0..MORE_ROUNDS {
            let next: Vec<usize> = (0..pool.len())
                .filter(|&place| !pool[place] && against[place] >= minimum)
                .collect();
            if next.is_empty() {
                break;
            }
            for place in next {
                self.add_to_pool(place, &mut pool, &mut against);
            }
        }
        pool
    }

    /// The simultaneous padded ratings of a pool, on the scale of the previous list.
    fn solve(
        &self,
        pool: Vec<bool>,
        previous: Option<&Solved>,
        parameters: &Chessmetrics,
    ) -> Solved {
        // Only games within the pool count. The arrays below contain only its members.
        let members: Vec<usize> = (0..pool.len()).filter(|&place| pool[place]).collect();
        let mut number = vec![NOBODY; pool.len()];
        for (new, &place) in members.iter().enumerate() {
            number[place] = new as u32;
        }
        let mut encounters = Encounters::begin(members.len());
        for &place in &members {
            let (mut games, mut score) = (0.0, 0.0);
            for &(opponent, weight, points) in self.edges_of(place) {
                let opponent = number[opponent as usize];
                if opponent != NOBODY {
                    encounters.push_opponent(opponent, weight);
                    games += weight;
                    score += points;
                }
            }
            encounters.close(games, score);
        }
        let players: Vec<u32> = members.iter().map(|&place| self.active[place]).collect();
        let start = players.iter().map(|player| {
            previous
                .and_then(|solved| solved.ratings.get(player).copied())
                .unwrap_or(self.level - NEWCOMERS_BELOW)
        });
        let listed: Vec<usize> = (0..players.len())
            .filter(|&member| self.weights[players[member] as usize] >= parameters.listed_games)
            .collect();
        let floor = parameters.floor_at(self.level);
        let (ratings, _) = encounters.solve(
            start.collect(),
            |mean, fraction, games| padded(mean, fraction, games, floor),
            |next| self.shift(next, &listed, &players, previous, parameters),
            parameters.tolerance,
            MOST_ITERATIONS,
        );
        let mut ranked: Vec<(u32, f64, f64)> = listed
            .iter()
            .map(|&member| {
                let player = players[member];
                (player, ratings[member], self.weights[player as usize])
            })
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Solved {
            ratings: players.iter().copied().zip(ratings).collect(),
            rank: ranked.iter().zip(1..).map(|((player, ..), rank)| (*player, rank)).collect(),
            listed: ranked,
        }
    }

    /// The shift (points) to the scale of the previous list. Players with ranks 3 to 20 on both
    /// lists keep their mean. Without such players, the mean of these ranks stays the same.
    fn shift(
        &self,
        ratings: &[f64],
        listed: &[usize],
        players: &[u32],
        previous: Option<&Solved>,
        parameters: &Chessmetrics,
    ) -> f64 {
        let mut order: Vec<usize> = listed.to_vec();
        let last = *ALIGNED.end();
        if order.len() > last {
            order.select_nth_unstable_by(last, |a, b| by_rating(ratings, *a, *b));
            order.truncate(last);
        }
        order.sort_unstable_by(|a, b| by_rating(ratings, *a, *b));
        let top: Vec<usize> = order.into_iter().skip(ALIGNED.start() - 1).collect();
        let level = mean(top.iter().map(|&member| ratings[member]));
        let Some(previous) = previous else {
            return level.map_or(0.0, |level| self.level - level);
        };
        let both: Vec<(f64, f64)> = top
            .iter()
            .filter_map(|&member| {
                let rank = previous.rank.get(&players[member])?;
                let rank = Some(rank).filter(|rank| ALIGNED.contains(rank))?;
                Some((previous.listed[rank - 1].1, ratings[member]))
            })
            .collect();
        let aligned = match mean(both.iter().map(|(before, now)| before - now)) {
            Some(shift) => shift,
            None => {
                let before = previous.listed.iter().skip(ALIGNED.start() - 1).take(ALIGNED.count());
                let before = mean(before.map(|(_, rating, _)| *rating));
                before.zip(level).map_or(0.0, |(before, level)| before - level)
            }
        };
        let off = level.map_or(0.0, |level| self.level - (level + aligned));
        aligned + parameters.pull * off
    }
}

/// The order of two members: the higher rating first, then the lower number.
fn by_rating(ratings: &[f64], a: usize, b: usize) -> Ordering {
    ratings[b].total_cmp(&ratings[a]).then(a.cmp(&b))
}

/// The mean of at least one value.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::super::formulas::raw_performance;
    use super::*;

    /// Linares 2005, a double round robin of seven players: points from twelve games.
    const LINARES: [(&str, f64); 7] = [
        ("Adams", 5.5),
        ("Anand", 6.5),
        ("Kasimdzhanov", 4.0),
        ("Kasparov", 8.0),
        ("Leko", 6.0),
        ("Topalov", 8.0),
        ("Vallejo", 4.0),
    ];

    /// A round robin with scores that add up to these totals.
    fn encounters() -> Encounters {
        let mut games = Vec::new();
        for (a, (_, mine)) in (0..).zip(LINARES) {
            for (b, (_, theirs)) in (0..a).zip(LINARES) {
                // The formula uses only sums, so a score outside `[0, 1]` is acceptable.
                games.push((a, b, 0.5 + (mine - theirs) / 14.0, 2.0));
            }
        }
        Encounters::new(LINARES.len(), &games)
    }

    /// The simultaneous raw performances of Linares 2005, after at most `most` iterations from a
    /// start, or until no rating changes by 0.01. The mean of the start is kept.
    fn linares_2005(start: &[f64], most: usize) -> Vec<f64> {
        let mean = start.iter().sum::<f64>() / start.len() as f64;
        let (ratings, _) = encounters().solve(
            start.to_vec(),
            |mean, fraction, _| raw_performance(mean, fraction),
            |next| mean - next.iter().sum::<f64>() / next.len() as f64,
            0.01,
            most,
        );
        ratings.iter().map(|rating| rating.round()).collect()
    }

    #[test]
    fn the_level_follows_the_published_lists() {
        assert_eq!(level(1800), 2400.0);
        assert_eq!(level(1870), 2522.5);
        assert_eq!(level(2030), 2729.0);
    }

    #[test]
    fn a_sliding_floor_keeps_its_distance_from_the_level_of_the_scale() {
        let fixed = Chessmetrics::default();
        assert_eq!([fixed.floor_at(2400.0), fixed.floor_at(2729.0)], [2300.0, 2300.0]);
        let sliding = Chessmetrics { floor_slide: 1.0, ..Chessmetrics::default() };
        assert_eq!([sliding.floor_at(2400.0), sliding.floor_at(2729.0)], [1971.0, 2300.0]);
    }

    #[test]
    fn games_weigh_less_with_age_and_nothing_beyond_the_window() {
        // Sonas: last month 100%, 24 months back 50%, 47 months back about 2%.
        assert_eq!([weight(0, WINDOW), weight(24, WINDOW)], [1.0, 0.5]);
        assert!((weight(47, WINDOW) - 0.02).abs() < 0.001);
        // A shorter window forgets sooner.
        assert_eq!([weight(12, 24), weight(24, 24)], [0.5, 0.0]);
    }

    #[test]
    fn a_window_is_explained_in_words() {
        assert_eq!(
            [48, 12, 24, 30, 1].map(window_words),
            ["four years", "one year", "2 years", "30 months", "one month"]
        );
    }

    #[test]
    fn linares_2005_converges_from_any_start() {
        let start = [2443.0, 2543.0, 2643.0, 2743.0, 2843.0, 2943.0, 3043.0];
        let first = [2758.0, 2812.0, 2618.0, 2885.0, 2726.0, 2851.0, 2551.0];
        assert_eq!(linares_2005(&start, 1), first);
        let limit = [2713.0, 2773.0, 2622.0, 2864.0, 2743.0, 2864.0, 2622.0];
        assert_eq!(linares_2005(&start, MOST_ITERATIONS), limit);
        assert_eq!(linares_2005(&[2743.0; 7], MOST_ITERATIONS), limit);
    }
}
