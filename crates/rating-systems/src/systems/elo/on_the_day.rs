//! Historical Elo ratings on any day, interpolated between half decades.
//!
//! The effect of age is removed before the interpolation, and added again for the day. Source:
//! Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition). The smoothing and
//! the interpolation are ours.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::ageing::{AGES, ageing_by};
use super::formulas::{Expectancy, performance, rating_error};
use super::historical::EloHistorical;
use crate::systems::lists::ComputedList;
use crate::systems::results::Results;
use crate::systems::system::RatingSystem;

/// A player's rating in a half decade.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HalfDecade {
    /// The mean day of the games, as a year with its fraction.
    at: f64,
    /// Rating (points).
    rating: f64,
    /// The rating without the effect of age (points).
    level: f64,
    games: f64,
    /// First year of the half decade.
    first: i16,
    /// The first year after the half decade.
    end: i16,
}

/// A half decade of a career.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CareerPoint {
    /// The first year of the half decade.
    pub first: i16,
    /// The last year of the half decade.
    pub last: i16,
    /// Age (years) at the mean day of the games.
    pub age: f64,
    /// Rating (points).
    pub rating: f64,
    /// Standard error (points) of the rating.
    pub error: f64,
    /// The mean ageing curve at this age, fitted to the career (points).
    pub curve: f64,
}

impl CareerPoint {
    /// The rating minus the curve (points).
    pub fn deviation(&self) -> f64 {
        self.rating - self.curve
    }
}

/// A year of a career.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CareerYear {
    /// The calendar year.
    pub year: i16,
    /// Age (years) in the middle of the year.
    pub age: f64,
    /// Performance (points) against the opponents' ratings on the days of the games.
    pub performance: f64,
    /// Games against opponents who had such a rating.
    pub games: u32,
}

/// Minimum number of games for a year's performance. Judged: its standard error is 126 points with
/// five games, and 89 with ten (2.55), but many years of early careers have fewer than ten.
const YEAR_GAMES: u32 = 5;

/// All players' ratings on any day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoricalEloByDay {
    points: Vec<Vec<HalfDecade>>,
    born: Vec<Option<i16>>,
    /// Rise (points) of the ageing curve.
    rise: f64,
    /// The years of each player with a known year of birth: year, sum of the opponents' ratings
    /// (points), points and games.
    years: Vec<Vec<(i16, f64, f64, u32)>>,
    expectancy: Expectancy,
}

/// A day as a year with its fraction.
fn year_of(day: Date) -> f64 {
    f64::from(day.year()) + (f64::from(day.day_of_year()) - 0.5) / f64::from(day.days_in_year())
}

impl HistoricalEloByDay {
    /// From the games and the lists of Elo's historical ratings.
    pub fn new(
        results: &Results,
        system: &EloHistorical,
        lists: &[ComputedList],
    ) -> HistoricalEloByDay {
        let mut days: FxHashMap<(u32, i16), (f64, f64)> = FxHashMap::default();
        for game in &results.games {
            let period = system.start(game.day.year());
            for player in [game.white, game.black] {
                let sum = days.entry((player, period)).or_default();
                *sum = (sum.0 + year_of(game.day), sum.1 + 1.0);
            }
        }
        let born: Vec<Option<i16>> = results.players.iter().map(|player| player.born).collect();
        let mut points: Vec<Vec<HalfDecade>> = vec![Vec::new(); results.players.len()];
        for list in lists {
            let first = list.day.year();
            for line in list.ratings.iter().filter(|line| !line.is_provisional) {
                let Some((sum, games)) = days.get(&(line.player, first)) else { continue };
                let at = sum / games;
                let level = line.rating - age_effect(born[line.player as usize], at, system.rise);
                points[line.player as usize].push(HalfDecade {
                    at,
                    rating: line.rating,
                    level,
                    games: line.games,
                    first,
                    end: system.last_year(first).unwrap_or(first) + 1,
                });
            }
        }
        for own in &mut points {
            smooth(own);
        }
        let years = Vec::new();
        let mut found = HistoricalEloByDay {
            points,
            born,
            rise: system.rise,
            years,
            expectancy: system.expectancy,
        };
        found.years = found.years_of(results);
        found
    }

    /// The years of players with rated half decades and a known year of birth.
    fn years_of(&self, results: &Results) -> Vec<Vec<(i16, f64, f64, u32)>> {
        let mut years: Vec<Vec<(i16, f64, f64, u32)>> = vec![Vec::new(); self.points.len()];
        for game in &results.games {
            for (player, opponent, score) in game.sides() {
                let own = player as usize;
                if self.points[own].is_empty() || self.born[own].is_none() {
                    continue;
                }
                let Some(theirs) = self.rating(opponent, game.day) else { continue };
                let (years, played) = (&mut years[own], game.day.year());
                // Games are in the order of their events, and an event can span two years.
                let place = years.iter().rposition(|(year, ..)| *year == played);
                let place = place.unwrap_or_else(|| {
                    years.push((played, 0.0, 0.0, 0));
                    years.len() - 1
                });
                let (_, opponents, points, games) = &mut years[place];
                (*opponents, *points, *games) = (*opponents + theirs, *points + score, *games + 1);
            }
        }
        years
    }

    /// A player's performances by year, the earliest first. Empty without a rated half decade or a
    /// known year of birth.
    pub fn career_years(&self, player: u32) -> Vec<CareerYear> {
        let (Some(years), Some(born)) =
            (self.years.get(player as usize), self.born.get(player as usize).copied().flatten())
        else {
            return Vec::new();
        };
        let mut years: Vec<CareerYear> = years
            .iter()
            .filter(|(.., games)| *games >= YEAR_GAMES)
            .map(|&(year, opponents, points, count)| {
                let games = f64::from(count);
                let fraction = points.clamp(0.5, games - 0.5) / games;
                CareerYear {
                    year,
                    age: f64::from(year) + 0.5 - f64::from(born),
                    performance: performance(self.expectancy, opponents / games, fraction),
                    games: count,
                }
            })
            .filter(|year| AGES.contains(&year.age))
            .collect();
        years.sort_by_key(|year| year.year);
        years
    }

    /// A player's rating (points) on a day, from all games of the half decades around it. `None`
    /// without a rated half decade.
    pub fn rating(&self, player: u32, day: Date) -> Option<f64> {
        let (points, at) = (self.points.get(player as usize)?, year_of(day));
        let next = points.partition_point(|point| point.at <= at);
        let level = match (next.checked_sub(1).and_then(|last| points.get(last)), points.get(next))
        {
            (Some(before), Some(after)) => {
                let part = (at - before.at) / (after.at - before.at);
                before.level + part * (after.level - before.level)
            }
            (Some(only), None) | (None, Some(only)) => only.level,
            (None, None) => return None,
        };
        Some(level + age_effect(self.born[player as usize], at, self.rise))
    }

    /// A player's half decades with the mean ageing curve, fitted by least squares weighted by
    /// games. Empty if the year of birth is unknown or implausible.
    pub fn career(&self, player: u32) -> Vec<CareerPoint> {
        let (Some(points), Some(born)) =
            (self.points.get(player as usize), self.born.get(player as usize).copied().flatten())
        else {
            return Vec::new();
        };
        let ages: Vec<f64> = points.iter().map(|point| point.at - f64::from(born)).collect();
        if ages.iter().any(|age| !AGES.contains(age)) {
            return Vec::new();
        }
        let effects: Vec<f64> = ages.iter().map(|age| ageing_by(*age, self.rise)).collect();
        let games: f64 = points.iter().map(|point| point.games).sum();
        let sum: f64 = points
            .iter()
            .zip(&effects)
            .map(|(point, effect)| point.games * (point.rating - effect))
            .sum();
        let level = sum / games;
        points
            .iter()
            .zip(ages.into_iter().zip(effects))
            .map(|(point, (age, effect))| CareerPoint {
                first: point.first,
                last: point.end - 1,
                age,
                rating: point.rating,
                error: rating_error(point.games),
                curve: level + effect,
            })
            .collect()
    }

    /// A player's rating in the half decade before a day, which contains no later games. `None` if
    /// there is none.
    pub fn half_decade_before(&self, player: u32, day: Date) -> Option<f64> {
        /// Years after which an earlier half decade is too old: the length of a half decade.
        const LAST: i16 = 5;
        let year = day.year();
        let points = self.points.get(player as usize)?;
        let before = points.iter().rev().find(|point| point.end <= year)?;
        (year < before.end + LAST).then_some(before.rating)
    }
}

/// The effect of age (points); 0 if the age is unknown.
fn age_effect(born: Option<i16>, at: f64, rise: f64) -> f64 {
    let age = born.map(|born| at - f64::from(born)).filter(|age| AGES.contains(age));
    age.map_or(0.0, |age| ageing_by(age, rise))
}

/// Smooths the levels of neighbours with the weights 1, 2, 1, multiplied by the games.
fn smooth(points: &mut [HalfDecade]) {
    let before = points.to_vec();
    for (place, point) in points.iter_mut().enumerate() {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (place, weight) in
            [(place.checked_sub(1), 1.0), (Some(place), 2.0), (Some(place + 1), 1.0)]
        {
            let Some(neighbour) = place.and_then(|place| before.get(place)) else { continue };
            sum += weight * neighbour.games * neighbour.level;
            weights += weight * neighbour.games;
        }
        point.level = sum / weights;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn point(at: f64, level: f64, games: f64) -> HalfDecade {
        let first = (at / 5.0).floor() as i16 * 5;
        HalfDecade { at, rating: level, level, games, first, end: first + 5 }
    }

    fn single_player(points: Vec<HalfDecade>, born: Option<i16>) -> HistoricalEloByDay {
        let rise = EloHistorical::default().rise;
        HistoricalEloByDay {
            points: vec![points],
            born: vec![born],
            rise,
            ..HistoricalEloByDay::default()
        }
    }

    #[test]
    fn levels_are_smoothed_by_games_and_interpolated_linearly() {
        let mut points = vec![
            point(1902.5, 2400.0, 20.0),
            point(1907.5, 2500.0, 40.0),
            point(1912.5, 2600.0, 20.0),
        ];
        smooth(&mut points);
        // (2 * 20 * 2400 + 40 * 2500) / 80, and so on.
        assert_eq!([points[0].level, points[1].level, points[2].level], [2450.0, 2500.0, 2550.0]);
        let found = single_player(points, None);
        assert!((found.rating(0, date(1905, 1, 1)).unwrap() - 2475.0).abs() < 0.1);
        assert_eq!(found.rating(0, date(1890, 1, 1)), Some(2450.0));
        assert_eq!(found.rating(0, date(1950, 1, 1)), Some(2550.0));
        assert_eq!(found.half_decade_before(0, date(1906, 5, 1)), Some(2400.0));
        assert_eq!(found.half_decade_before(0, date(1904, 5, 1)), None);
        assert_eq!(found.half_decade_before(0, date(1921, 5, 1)), None, "too long ago");
    }

    #[test]
    fn a_career_along_the_curve_has_no_deviation() {
        let points: Vec<HalfDecade> = [1902.5, 1907.5, 1912.5]
            .map(|at| HalfDecade {
                rating: 2400.0 + crate::systems::elo::ageing::ageing(at - 1881.0),
                ..point(at, 2400.0, 20.0)
            })
            .into();
        let found = single_player(points, Some(1881));
        let career = found.career(0);
        assert_eq!(career.len(), 3);
        assert!(career.iter().all(|point| point.deviation().abs() < 1e-9), "{career:?}");
        let unknown = HistoricalEloByDay { born: vec![None], ..found };
        assert!(unknown.career(0).is_empty());
    }

    #[test]
    fn the_effect_of_age_is_added_for_the_day() {
        let points = vec![point(1902.5, 2400.0, 20.0)];
        let found = single_player(points, Some(1881));
        let at_36 = found.rating(0, date(1917, 7, 1)).unwrap();
        assert!((at_36 - 2520.0).abs() < 0.5, "{at_36}");
    }
}
