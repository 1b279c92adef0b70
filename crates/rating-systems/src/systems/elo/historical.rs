//! Elo's historical ratings: each half decade is rated on its own, and the half decades are linked.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition):
//! successive approximations, and ageing (5.67, 6.22).

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::{Date, date};
use rustc_hash::FxHashMap;

use super::ageing::{AGES, RISE, ageing_by};
use super::formulas::Expectancy;
use super::periods::Periods;
use super::successive::self_consistent;
use crate::systems::about::{About, Role};
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::parameters::{Overrides, Parameters, parameters};
use crate::systems::results::Results;
use crate::systems::running::Running;
use crate::systems::simultaneous::Encounters;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};
use crate::systems::wording::counted;

/// Years of a period.
const PERIOD: i16 = 5;

/// One year and a few days.
const PREDICTS_FOR_DAYS: i32 = 369;

parameters! {
    /// Parameters of Elo's historical ratings.
    EloHistorical {
        /// The curve of expected scores: normal, logistic, table (of the book, to two decimals) or
        /// linear.
        expectancy: Expectancy = Expectancy::Normal;
        /// Minimum number of a player's games in a period.
        minimum_games: usize = 12, 4..=1000;
        /// First year of the book's long period, 1846 to 1862, which has too few games for half
        /// decades (5.43).
        long_period_from: i16 = 1846, 1400..=2200;
        /// Last year of the long period; a year before its first one if there is no long period.
        long_period_to: i16 = 1862, 1400..=2200;
        /// The year whose period is anchored; the last period if that one is missing.
        anchor_year: i16 = 1967, 1400..=2200;
        /// Mean rating (points) of the ten best of the anchored period.
        anchor: f64 = 2640.0, 0.0..=4000.0;
        /// Rise (points) of the ageing curve from 21 to 36, which links the periods.
        rise: f64 = RISE, 0.0..=1000.0;
        /// Largest difference (points) between a rating and the performance against the opponents'
        /// ratings.
        tolerance: f64 = 0.001, 0.000001..=10.0;
    }
}

impl Registered for EloHistorical {
    const ABOUT: About = About {
        word: EloHistorical::WORD,
        name: "Elo, historical",
        list_name: "Computed historical Elo",
        summary: "Arpad Elo's historical ratings: half decades rated on their own, and linked",
        role: Role::Whole,
        period_years: Some(PERIOD),
        short_name: Some("Elo, by periods"),
        rates_periods: true,
        ..About::PLAIN
    };
}

impl RatingSystem for EloHistorical {
    fn expected(&self, difference: f64) -> f64 {
        self.expectancy.expected(difference)
    }

    fn explained(&self) -> String {
        "half decades, each solved at once, linked by the players of two half decades and by the \
         ageing curve."
            .into()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        historical(results, self)
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(Periods::of(self.expectancy, self.tolerance, start)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        &["expectancy", "tolerance"]
    }

    /// Dates a list for each year of the following half decade, or until the next list, because it
    /// contains all games of its own half decade.
    fn in_force<'a>(&self, lists: &'a [ComputedList]) -> Cow<'a, [ComputedList]> {
        let years = lists.iter().enumerate().flat_map(|(place, list)| {
            let first = self.end(list.day.year());
            let next = lists.get(place + 1).map(|next| self.end(next.day.year()));
            let last = next.map_or(first + PERIOD, |next| next.min(first + PERIOD));
            (first..last).filter_map(|year| {
                let day = Date::new(year, 1, 1).ok()?;
                Some(ComputedList { day, ..list.clone() })
            })
        });
        Cow::Owned(years.collect())
    }

    fn last_year(&self, first: i16) -> Option<i16> {
        Some(self.end(first) - 1)
    }

    /// From the last copy of a list to the end of the half decade that follows its own.
    fn predicts_for_days(&self) -> i32 {
        PREDICTS_FOR_DAYS
    }
}

impl EloHistorical {
    /// The word for commands and settings.
    pub const WORD: &'static str = "elo-historical";

    /// The system with these values. Values that settings would have refused keep their defaults.
    pub fn with_valid_overrides(overrides: &Overrides) -> EloHistorical {
        let mut system = EloHistorical::default();
        for (key, value) in overrides {
            let _ = system.set(key, value);
        }
        system
    }

    /// The first year of the period that contains a year.
    pub(super) fn start(&self, year: i16) -> i16 {
        let (from, to) = (self.long_period_from, self.long_period_to);
        let half_decade = year - year.rem_euclid(PERIOD);
        if from > to {
            half_decade
        } else if (from..=to).contains(&year) {
            from
        } else if year > to {
            half_decade.max(to + 1)
        } else {
            half_decade
        }
    }

    /// The first year after the period that begins in a year.
    fn end(&self, first: i16) -> i16 {
        let (from, to) = (self.long_period_from, self.long_period_to);
        let half_decade = first - first.rem_euclid(PERIOD) + PERIOD;
        if from > to {
            half_decade
        } else if first == from {
            to + 1
        } else if first < from {
            half_decade.min(from)
        } else {
            half_decade
        }
    }

    /// A player's age in the middle of the period that begins in a year. `None` if the year of
    /// birth is implausible.
    fn age(&self, first: i16, born: i16) -> Option<f64> {
        let middle = f64::from(first + self.end(first)) / 2.0;
        let age = middle - f64::from(born);
        AGES.contains(&age).then_some(age)
    }
}

/// For each player: rating (points), games, and whether the player won or lost all of them.
type PeriodRatings = FxHashMap<u32, (f64, f64, bool)>;

/// Rates all periods and links them.
fn historical(results: &Results, parameters: &EloHistorical) -> SystemRatings {
    let mut by_period: BTreeMap<i16, Vec<(u32, u32, f64)>> = BTreeMap::new();
    for game in &results.games {
        let period = parameters.start(game.day.year());
        by_period.entry(period).or_default().push((game.white, game.black, game.score));
    }
    let mut lists = Vec::new();
    let mut apart = 0;
    let mut periods: Vec<(i16, PeriodRatings)> = Vec::new();
    for (period, games) in &by_period {
        let (pool, disconnected) = rate_period(games, parameters);
        apart += disconnected;
        if pool.len() > 1 {
            periods.push((*period, pool));
        }
    }
    let shifts = link(&periods, results, parameters);
    for ((period, pool), (shift, level_error)) in periods.iter().zip(&shifts) {
        let ratings = pool.iter().map(|(&player, &(rating, games, is_capped))| ListedRating {
            player,
            rating: rating + shift,
            games,
            deviation: Some(SPREAD / games.sqrt()),
            // A score of 0% or 100% has no finite difference.
            is_provisional: is_capped,
        });
        let list = ComputedList::of(date(*period, 1, 1), ratings.collect());
        lists.push(ComputedList { level_error: *level_error, ..list });
    }
    let mut notes = Vec::new();
    if apart > 0 {
        notes.push(format!(
            "{} missing: players with enough games are not connected with the others",
            counted(apart, "half-decade rating")
        ));
    }
    if lists.is_empty() {
        notes.push("no half decade has two connected players with enough games".into());
    }
    SystemRatings { lists, notes, ..SystemRatings::default() }
}

/// Rates the largest connected set of players with enough games around a mean of 0. Also returns
/// how many other players have enough games.
fn rate_period(games: &[(u32, u32, f64)], parameters: &EloHistorical) -> (PeriodRatings, usize) {
    // Players with too few games are removed with their games, which can leave others with too few.
    let mut kept: Vec<(u32, u32, f64)> = games.to_vec();
    loop {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for (white, black, _) in &kept {
            *counts.entry(*white).or_default() += 1;
            *counts.entry(*black).or_default() += 1;
        }
        let enough = |player: &u32| counts[player] >= parameters.minimum_games;
        let before = kept.len();
        kept.retain(|(white, black, _)| enough(white) && enough(black));
        if kept.len() == before {
            break;
        }
    }
    let mut players: Vec<u32> =
        kept.iter().flat_map(|(white, black, _)| [*white, *black]).collect();
    players.sort_unstable();
    players.dedup();
    let number = |player: u32| {
        players.binary_search(&player).expect("the players of the kept games are listed") as u32
    };
    let numbered: Vec<(u32, u32, f64, f64)> = kept
        .iter()
        .map(|&(white, black, score)| (number(white), number(black), score, 1.0))
        .collect();
    let whole = Encounters::of(players.len(), &numbered);
    let Some(pool) = whole.components().into_iter().next() else { return Default::default() };
    let mut place = vec![u32::MAX; players.len()];
    for (new, old) in pool.iter().enumerate() {
        place[*old as usize] = new as u32;
    }
    let inside: Vec<(u32, u32, f64, f64)> = numbered
        .iter()
        .filter(|(white, ..)| place[*white as usize] != u32::MAX)
        .map(|&(white, black, score, weight)| {
            (place[white as usize], place[black as usize], score, weight)
        })
        .collect();
    let mut count = vec![(0.0, 0.0); pool.len()];
    for (white, black, score, _) in &inside {
        for (player, score) in [(*white, *score), (*black, 1.0 - *score)] {
            let sum: &mut (f64, f64) = &mut count[player as usize];
            *sum = (sum.0 + 1.0, sum.1 + score);
        }
    }
    let encounters = Encounters::of(pool.len(), &inside);
    let ratings = self_consistent(&encounters, parameters.expectancy, 0.0, parameters.tolerance);
    let rated = pool
        .iter()
        .enumerate()
        .map(|(place, member)| {
            let (games, points) = count[place];
            let is_capped = points == 0.0 || points == games;
            (players[*member as usize], (ratings[place], games, is_capped))
        })
        .collect();
    (rated, players.len() - pool.len())
}

/// The standard deviation (points) of a performance in one game between equals: 200 times the
/// square root of two.
const SPREAD: f64 = 200.0 * std::f64::consts::SQRT_2;

/// Standard deviation (points) of a player's change between two periods that age does not explain.
/// (Ours.)
const CHANGE: f64 = 40.0;

/// Minimum age (years) of players who link two periods. Younger players change too much, and too
/// differently.
const GROWN_UP: f64 = 18.0;

/// The weight that ties every period to its neighbour, for periods without links, and the standard
/// error (points) from which a level counts as unknown.
const WEAK: f64 = 1e-9;
const UNKNOWN: f64 = 1000.0;

/// The shift (points) of each period, with its standard error relative to the anchored period.
///
/// The shifts are a weighted least squares fit over players with games in two periods. The expected
/// change of a player is the difference of the ageing curve, or zero if the age is unknown. The
/// weight of a link follows from the number of games in both periods and from the unexplained
/// change.
fn link(
    periods: &[(i16, PeriodRatings)],
    results: &Results,
    parameters: &EloHistorical,
) -> Vec<(f64, Option<f64>)> {
    let count = periods.len();
    if count == 0 {
        return Vec::new();
    }
    let mut matrix = vec![vec![0.0; count + 1]; count];
    let mut tie = |a: usize, b: usize, change: f64, weight: f64| {
        // (r_b + s_b) - (r_a + s_a) = expected, so s_b - s_a = change.
        matrix[a][a] += weight;
        matrix[b][b] += weight;
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
        matrix[a][count] -= weight * change;
        matrix[b][count] += weight * change;
    };
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    for (now, (year, pool)) in periods.iter().enumerate() {
        if now > 0 {
            tie(now - 1, now, 0.0, WEAK);
        }
        let mut players: Vec<&u32> = pool.keys().collect();
        players.sort_unstable();
        for player in players {
            let Some(before) = last.insert(*player, now) else { continue };
            let (then, earlier) = &periods[before];
            let born = results.players[*player as usize].born;
            let ages = born.and_then(|born| {
                Some((parameters.age(*then, born)?, parameters.age(*year, born)?))
            });
            if ages.is_some_and(|(then, _)| then < GROWN_UP) {
                continue;
            }
            let expected = ages.map_or(0.0, |(then, now)| {
                ageing_by(now, parameters.rise) - ageing_by(then, parameters.rise)
            });
            let (rating, games, _) = pool[player];
            let (rating_before, games_before, _) = earlier[player];
            let of_games = SPREAD * SPREAD * (1.0 / games + 1.0 / games_before);
            let weight = 1.0 / (of_games + CHANGE * CHANGE);
            tie(before, now, expected - (rating - rating_before), weight);
        }
    }
    // The anchored period is fixed first. The final constant moves all periods.
    let wanted = parameters.start(parameters.anchor_year);
    let anchor = periods.iter().position(|(year, _)| *year == wanted).unwrap_or(count - 1);
    matrix[anchor] = vec![0.0; count + 1];
    matrix[anchor][anchor] = 1.0;
    let errors: Vec<Option<f64>> = (0..count)
        .map(|period| {
            if period == anchor {
                return Some(0.0);
            }
            let mut unit = matrix.clone();
            for (row, line) in unit.iter_mut().enumerate() {
                line[count] = f64::from(u8::from(row == period));
            }
            let variance = solve_linear(unit)[period];
            Some(variance.max(0.0).sqrt()).filter(|error| *error < UNKNOWN)
        })
        .collect();
    let shifts = solve_linear(matrix);
    let mut best: Vec<f64> = periods[anchor].1.values().map(|(rating, ..)| *rating).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    best.truncate(10);
    let mean = best.iter().sum::<f64>() / best.len().max(1) as f64;
    let all = parameters.anchor - mean - shifts[anchor];
    shifts.into_iter().map(|shift| shift + all).zip(errors).collect()
}

/// Solves a system of linear equations by Gaussian elimination with pivoting. The last column is
/// the right-hand side.
fn solve_linear(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .unwrap_or(column);
        rows.swap(column, pivot);
        if rows[column][column] == 0.0 {
            continue;
        }
        let row = rows[column].clone();
        for (_, line) in rows.iter_mut().enumerate().filter(|(other, _)| *other != column) {
            let factor = line[column] / row[column];
            for (value, of_row) in line.iter_mut().zip(&row) {
                *value -= factor * of_row;
            }
        }
    }
    (0..count)
        .map(|place| match rows[place][place] {
            0.0 => 0.0,
            pivot => rows[place][count] / pivot,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::successive::approximate;
    use super::*;

    /// The book's cross table for 1846 to 1862: points of the row's player against the column's.
    const NAMES: [&str; 9] = [
        "Anderssen",
        "Harrwitz",
        "Horwitz",
        "Kolisch",
        "Lowenthal",
        "Morphy",
        "Paulsen",
        "Staunton",
        "Williams",
    ];
    const POINTS: [[f64; 9]; 9] = [
        [0.0, 10.5, 1.5, 10.5, 5.0, 4.0, 5.0, 4.0, 0.0],
        [7.5, 0.0, 14.5, 1.5, 16.0, 3.5, 0.0, 0.0, 21.0],
        [0.5, 11.5, 0.0, 1.0, 1.0, 0.0, 0.0, 11.0, 7.5],
        [9.5, 2.5, 3.0, 0.0, 0.0, 0.0, 17.0, 0.0, 0.0],
        [3.0, 11.0, 5.0, 0.0, 0.0, 4.5, 0.0, 2.0, 11.0],
        [13.0, 5.5, 0.0, 0.0, 10.5, 0.0, 9.5, 0.0, 0.0],
        [4.0, 0.0, 0.0, 19.0, 0.0, 2.5, 0.0, 0.0, 0.0],
        [1.0, 7.0, 20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 11.0],
        [0.0, 6.0, 9.5, 0.0, 8.0, 0.0, 0.0, 10.0, 0.0],
    ];

    /// One game for each pair, weighted by its number of games.
    fn encounters() -> Encounters {
        let mut games = Vec::new();
        for (a, points) in POINTS.iter().enumerate() {
            for (b, mine) in points.iter().enumerate().take(a) {
                let all = mine + POINTS[b][a];
                if all > 0.0 {
                    games.push((a as u32, b as u32, mine / all, all));
                }
            }
        }
        Encounters::of(9, &games)
    }

    #[test]
    fn five_approximations_reproduce_the_figures_for_1846_to_1862() {
        let encounters = encounters();
        let mut ratings = vec![500.0; 9];
        for _ in 0..5 {
            ratings = approximate(&encounters, Expectancy::Normal, &ratings);
        }
        let rounded: Vec<(&str, f64)> =
            NAMES.into_iter().zip(ratings.iter().map(|rating| rating.round())).collect();
        let expected = [551.0, 513.0, 400.0, 520.0, 499.0, 693.0, 511.0, 501.0, 412.0];
        assert_eq!(rounded, NAMES.into_iter().zip(expected).collect::<Vec<_>>());
    }

    #[test]
    fn self_consistent_ratings_are_performances_against_each_other() {
        let encounters = encounters();
        let ratings = self_consistent(&encounters, Expectancy::Normal, 500.0, 1e-6);
        let next = approximate(&encounters, Expectancy::Normal, &ratings);
        let shift = next.iter().zip(&ratings).map(|(a, b)| a - b).sum::<f64>() / 9.0;
        for (next, rating) in next.iter().zip(&ratings) {
            assert!((next - rating - shift).abs() < 1e-3);
        }
    }

    #[test]
    fn two_players_who_only_meet_each_other_converge() {
        let encounters = Encounters::of(2, &[(0, 1, 0.75, 20.0)]);
        let ratings = self_consistent(&encounters, Expectancy::Normal, 0.0, 1e-6);
        let difference = Expectancy::Normal.difference(0.75);
        assert!((ratings[0] - ratings[1] - difference).abs() < 1e-3, "{ratings:?}");
    }
}
