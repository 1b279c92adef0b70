//! How long players stayed near their best, and how their strength changed with age, by the
//! five-year averages of historical Elo.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.64,
//! 6.22. The windows of five years from every year on are ours.

use std::collections::BTreeMap;

use chess_history::players::{PlayerId, Players};
use rating_systems::systems::{CareerWindow, FiveYearAverage, FiveYearCareer};

/// Points below the best average within which a player is near the best. Source: Elo, 5.64.
const NEAR: f64 = 50.0;

/// The fewest windows of a career. Judged: a player with fewer was active for less than ten years.
const WINDOWS: usize = 5;

/// The age (years) with which later ages are compared, and how far the age of the window may be
/// from it. Source: Elo, 6.22.
const START: f64 = 21.0;
const AROUND: f64 = 2.0;

/// The fewest players of an age. Judged: the mean of fewer has an error above fifteen points.
const PLAYERS: usize = 20;

/// How long players stayed near their best, and how their strength changed with age.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Longevity {
    /// The careers, that with the most years near the best first.
    pub careers: Vec<LongCareer>,
    /// The mean change since the age of 21, by age.
    pub composite: Vec<CompositeAge>,
}

/// A career with its years near the best.
#[derive(Clone, Debug, PartialEq)]
pub struct LongCareer {
    pub player: PlayerId,
    pub best: FiveYearAverage,
    /// Number of years whose average is at most 50 points below the best.
    pub years: i16,
    /// The first and the last of these years.
    pub near: (i16, i16),
    /// The best rating minus that at 21 (points), if it is known.
    pub rise: Option<f64>,
    /// The windows of the career, the earliest first.
    pub windows: Vec<CareerWindow>,
}

/// The mean change of players since the age of 21.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompositeAge {
    /// Age (years).
    pub age: i32,
    /// Mean of the rating minus the own rating at 21 (points).
    pub change: f64,
    pub players: usize,
}

impl Longevity {
    /// Studies the careers.
    pub fn new(careers: &[(PlayerId, FiveYearCareer)], players: &Players) -> Longevity {
        let born = |player: PlayerId| players.get(player).life.as_ref().and_then(|life| life.born);
        let mut long: Vec<LongCareer> = careers
            .iter()
            .filter(|(_, career)| career.best.is_established && career.windows.len() >= WINDOWS)
            .map(|(player, career)| long_career(*player, career, born(*player)))
            .collect();
        long.sort_by(|a, b| {
            b.years.cmp(&a.years).then_with(|| b.best.rating.total_cmp(&a.best.rating))
        });
        let with_birth = careers
            .iter()
            .filter_map(|(player, career)| Some((&career.windows[..], born(*player)?)));
        Longevity { careers: long, composite: composite(with_birth) }
    }
}

/// The years in the middle of a window: one of five years, or more of a longer period.
fn middle_years(window: &CareerWindow) -> (i16, i16) {
    (window.from + 2, window.to - 2)
}

fn long_career(player: PlayerId, career: &FiveYearCareer, born: Option<i16>) -> LongCareer {
    let near = career.windows.iter().filter(|window| window.rating >= career.best.rating - NEAR);
    let (mut years, mut first, mut last) = (0, i16::MAX, i16::MIN);
    for (from, to) in near.map(middle_years) {
        years += to - from + 1;
        (first, last) = (first.min(from), last.max(to));
    }
    let at_start = born.and_then(|born| rating_at_start(&career.windows, born));
    LongCareer {
        player,
        best: career.best,
        years,
        near: (first, last),
        rise: at_start.map(|rating| career.best.rating - rating),
        windows: career.windows.clone(),
    }
}

/// The rating (points) in the window nearest to the age of 21.
fn rating_at_start(windows: &[CareerWindow], born: i16) -> Option<f64> {
    let distance = |window: &CareerWindow| (window.middle() - f64::from(born) - START).abs();
    let nearest = windows.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(nearest) <= AROUND).then_some(nearest.rating)
}

fn composite<'a>(careers: impl Iterator<Item = (&'a [CareerWindow], i16)>) -> Vec<CompositeAge> {
    let mut by_age: BTreeMap<i32, (f64, usize)> = BTreeMap::new();
    for (windows, born) in careers {
        let Some(start) = rating_at_start(windows, born) else { continue };
        for window in windows {
            let age = (window.middle() - f64::from(born)).round();
            if age >= START {
                let sum = by_age.entry(age as i32).or_default();
                *sum = (sum.0 + window.rating - start, sum.1 + 1);
            }
        }
    }
    by_age
        .into_iter()
        .filter(|(_, (_, players))| *players >= PLAYERS)
        .map(|(age, (sum, players))| CompositeAge { age, change: sum / players as f64, players })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn career(ratings: &[f64]) -> FiveYearCareer {
        let windows: Vec<CareerWindow> = (1900..)
            .zip(ratings)
            .map(|(from, rating)| CareerWindow { from, to: from + 4, rating: *rating, games: 40.0 })
            .collect();
        let rating = ratings.iter().copied().fold(0.0, f64::max);
        let best = FiveYearAverage {
            player: 0,
            rating,
            deviation: 45.0,
            games: 40.0,
            from: 1900,
            to: 1904,
            is_established: true,
        };
        FiveYearCareer { best, windows }
    }

    #[test]
    fn years_near_the_best_are_counted_even_if_others_lie_between() {
        let career = career(&[2400.0, 2460.0, 2500.0, 2440.0, 2455.0]);
        let player = PlayerId::of_index(0);
        // Born in 1881, the player is 21 in the middle of 1900 to 1904.
        let found = long_career(player, &career, Some(1881));
        assert_eq!((found.years, found.near), (3, (1903, 1906)));
        assert_eq!(found.rise, Some(100.0));
        assert_eq!(long_career(player, &career, Some(1860)).rise, None);
    }

    #[test]
    fn the_composite_curve_is_the_mean_of_enough_players() {
        let careers = [career(&[2400.0, 2420.0]), career(&[2300.0, 2360.0])];
        let many = careers.iter().cycle().take(20);
        let found = composite(many.map(|career| (&career.windows[..], 1881)));
        let found: Vec<(i32, f64)> = found.iter().map(|age| (age.age, age.change)).collect();
        assert_eq!(found, [(22, 0.0), (23, 40.0)]);
    }
}
