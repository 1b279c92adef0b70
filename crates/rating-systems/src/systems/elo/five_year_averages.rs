//! Each player's best five-year average, from windows of five years that begin in every year.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.4, 5.5,
//! 9.4, 9.5. The book reads the averages from curves that are smoothed by least squares. The
//! windows and the running mean are ours.

use rustc_hash::FxHashMap;

use super::levels::SPREAD;
use super::period_pool::PeriodPool;
use crate::systems::lists::{CareerWindow, ComputedList, FiveYearAverage, FiveYearCareer};
use crate::systems::mean::mean;

/// Games of a player that count for the level of a window. Judged: with more, a player with long
/// matches would determine it alone.
const COUNTED: f64 = 80.0;

/// Years before and after a window whose windows are averaged with it. Judged: five windows that
/// overlap, so that the mean rests on nine years of a career.
const NEAR: i16 = 2;

/// Minimum number of games of an established average. Judged: the standard error is then 63 points
/// (2.55). The book stars averages from shorter periods of active play.
const ENOUGH: f64 = 20.0;

/// A half decade of a career.
#[derive(Clone, Copy, Debug)]
struct CareerPoint {
    /// The middle of the half decade, as a year with its fraction.
    at: f64,
    /// Rating (points).
    rating: f64,
}

/// A player's rating in a window.
#[derive(Clone, Copy, Debug)]
struct WindowRating {
    /// First year of the window.
    first: i16,
    /// Rating (points).
    rating: f64,
    games: f64,
}

/// The half decades that the windows are compared with.
pub(super) struct HalfDecades<'a> {
    /// The lists of the half decades, each with the middle of its half decade.
    pub lists: Vec<(f64, &'a ComputedList)>,
    /// First year of the half decade whose best players fix the scale.
    pub anchor: i16,
    /// Number of these players.
    pub anchored: usize,
}

/// The averages of each player, the player with the best one first. `last_year` returns the last
/// year of a window that begins in a year.
///
/// Maxima of averages that are not smoothed are too high by their errors. The best players of the
/// anchored half decade keep their mean, so smoothing does not lower the scale.
pub(super) fn five_year_careers(
    windows: &[PeriodPool],
    half_decades: &HalfDecades,
    last_year: &dyn Fn(i16) -> i16,
) -> Vec<FiveYearCareer> {
    let careers = careers(half_decades);
    let mut ratings: FxHashMap<u32, Vec<WindowRating>> = FxHashMap::default();
    for window in windows {
        let Some(shift) = shift_to_careers(window, &careers) else { continue };
        for (player, rating) in &window.ratings {
            if PeriodPool::is_provisional(rating) {
                continue;
            }
            ratings.entry(*player).or_default().push(WindowRating {
                first: window.first,
                rating: rating.rating + shift,
                games: rating.games,
            });
        }
    }
    let raised = loss_by_smoothing(&ratings, half_decades);
    let mut found: Vec<FiveYearCareer> = ratings
        .iter()
        .filter_map(|(player, windows)| {
            let (best, rating) = best_window(windows)?;
            let best = FiveYearAverage {
                player: *player,
                rating: rating + raised,
                deviation: SPREAD / best.games.sqrt(),
                games: best.games,
                from: best.first,
                to: last_year(best.first),
                is_established: best.games >= ENOUGH,
            };
            let smooth = windows.iter().filter_map(|window| {
                Some(CareerWindow {
                    from: window.first,
                    to: last_year(window.first),
                    rating: smoothed(windows, window.first)? + raised,
                    games: window.games,
                })
            });
            let mut windows: Vec<CareerWindow> = smooth.collect();
            windows.sort_by_key(|window| window.from);
            Some(FiveYearCareer { best, windows })
        })
        .collect();
    found.sort_by(|a, b| {
        let (a, b) = (&a.best, &b.best);
        b.rating.total_cmp(&a.rating).then_with(|| a.player.cmp(&b.player))
    });
    found
}

/// The established half decades of each player, in their order.
fn careers(half_decades: &HalfDecades) -> FxHashMap<u32, Vec<CareerPoint>> {
    let mut careers: FxHashMap<u32, Vec<CareerPoint>> = FxHashMap::default();
    for (at, list) in &half_decades.lists {
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            let point = CareerPoint { at: *at, rating: line.rating };
            careers.entry(line.player).or_default().push(point);
        }
    }
    careers
}

/// The rating (points) of a career at a time, interpolated between half decades. Before the first
/// and after the last one it is theirs.
fn interpolated(career: &[CareerPoint], at: f64) -> f64 {
    let after = career.partition_point(|point| point.at <= at);
    match (after.checked_sub(1).map(|place| career[place]), career.get(after)) {
        (Some(before), Some(after)) => {
            let part = (at - before.at) / (after.at - before.at);
            before.rating + part * (after.rating - before.rating)
        }
        (Some(point), None) => point.rating,
        (None, point) => point.map_or(f64::NAN, |point| point.rating),
    }
}

/// The shift (points) that gives the core of a window the mean rating of the same players' careers,
/// weighted by games. `None` if no player of the core has a career.
fn shift_to_careers(
    window: &PeriodPool,
    careers: &FxHashMap<u32, Vec<CareerPoint>>,
) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    let mut core: Vec<u32> = window.ratings.keys().copied().collect();
    core.sort_unstable();
    for player in core {
        let rating = &window.ratings[&player];
        let Some(career) = careers.get(&player) else { continue };
        if rating.circle != window.core || rating.is_capped {
            continue;
        }
        let weight = rating.games.min(COUNTED);
        sum += weight * (interpolated(career, window.middle) - rating.rating);
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

/// The rating (points) of a window, averaged with those near it and weighted by games.
fn smoothed(windows: &[WindowRating], first: i16) -> Option<f64> {
    let near = windows.iter().filter(|window| (window.first - first).abs() <= NEAR);
    let (sum, games) = near.fold((0.0, 0.0), |(sum, games), window| {
        (sum + window.games * window.rating, games + window.games)
    });
    (games > 0.0).then(|| sum / games)
}

/// The window with the highest smoothed rating, and that rating (points). Windows with few games
/// count only if the player has no others.
fn best_window(windows: &[WindowRating]) -> Option<(WindowRating, f64)> {
    let has_enough = windows.iter().any(|window| window.games >= ENOUGH);
    windows
        .iter()
        .filter(|window| !has_enough || window.games >= ENOUGH)
        .filter_map(|window| Some((*window, smoothed(windows, window.first)?)))
        .max_by(|(one, a), (other, b)| a.total_cmp(b).then_with(|| other.first.cmp(&one.first)))
}

/// The points by which smoothing lowers the mean of the best players of the anchored half decade.
fn loss_by_smoothing(
    ratings: &FxHashMap<u32, Vec<WindowRating>>,
    half_decades: &HalfDecades,
) -> f64 {
    let anchored =
        half_decades.lists.iter().find(|(_, list)| list.day.year() == half_decades.anchor);
    let best = anchored.into_iter().flat_map(|(_, list)| {
        list.ratings.iter().filter(|line| !line.is_provisional).take(half_decades.anchored)
    });
    let losses: Vec<f64> = best
        .filter_map(|line| {
            Some(line.rating - smoothed(ratings.get(&line.player)?, half_decades.anchor)?)
        })
        .collect();
    if losses.is_empty() { 0.0 } else { mean(&losses) }
}

#[cfg(test)]
mod tests {
    use super::super::period_pool::{PeriodRating, PoolCircle};
    use super::*;
    use crate::systems::lists::ListedRating;
    use jiff::civil::date;

    /// A window of five years in which every player has 40 games.
    fn window(first: i16, ratings: &[(u32, f64)]) -> PeriodPool {
        let circle = PoolCircle::Masters;
        let ratings = ratings.iter().map(|&(player, rating)| {
            (player, PeriodRating { rating, games: 40.0, circle, is_capped: false })
        });
        let middle = f64::from(first) + 2.5;
        PeriodPool { first, middle, ratings: ratings.collect(), core: circle, unconnected: 0 }
    }

    fn half_decade(first: i16, ratings: &[(u32, f64)]) -> ComputedList {
        let lines = ratings.iter().map(|&(player, rating)| ListedRating::new(player, rating, 40.0));
        ComputedList::new(date(first, 1, 1), lines.collect())
    }

    #[test]
    fn a_window_has_the_mean_of_the_interpolated_careers_of_its_core() {
        let lists = [
            half_decade(1900, &[(0, 2500.0), (1, 2400.0)]),
            half_decade(1905, &[(0, 2550.0), (1, 2450.0)]),
        ];
        let half_decades = HalfDecades {
            lists: vec![(1902.5, &lists[0]), (1907.5, &lists[1])],
            anchor: 1990,
            anchored: 10,
        };
        // Two fifths of the way from 1902.5 to 1907.5: 2520 and 2420, a mean of 2470.
        let found =
            five_year_careers(&[window(1902, &[(0, 70.0), (1, -70.0)])], &half_decades, &|first| {
                first + 4
            });
        let found: Vec<(u32, f64, i16, i16)> = found
            .iter()
            .map(|one| &one.best)
            .map(|one| (one.player, (one.rating * 1e6).round() / 1e6, one.from, one.to))
            .collect();
        assert_eq!(found, [(0, 2540.0, 1902, 1906), (1, 2400.0, 1902, 1906)]);
    }

    #[test]
    fn the_best_window_is_that_with_the_best_mean_of_its_neighbours_and_enough_games() {
        let window = |first, rating, games| WindowRating { first, rating, games };
        // A window of 12 games is higher than all others and counts for its neighbours only.
        let windows = [
            window(1900, 2500.0, 40.0),
            window(1901, 2540.0, 40.0),
            window(1905, 2520.0, 40.0),
            window(1906, 2600.0, 12.0),
        ];
        let (best, rating) = best_window(&windows).unwrap();
        assert_eq!(best.first, 1905);
        assert!((rating - (40.0 * 2520.0 + 12.0 * 2600.0) / 52.0).abs() < 1e-9, "{rating}");
        let (best, rating) = best_window(&windows[3..]).unwrap();
        assert_eq!((best.first, rating), (1906, 2600.0));
    }

    #[test]
    fn smoothing_does_not_lower_the_best_players_of_the_anchored_half_decade() {
        let list = half_decade(1965, &[(0, 2700.0), (1, 2600.0)]);
        let half_decades = HalfDecades { lists: vec![(1967.5, &list)], anchor: 1965, anchored: 2 };
        let windows = [
            window(1965, &[(0, 50.0), (1, -50.0)]),
            window(1966, &[(0, 20.0), (1, -20.0)]),
            window(1967, &[(0, 20.0), (1, -20.0)]),
        ];
        let found = five_year_careers(&windows, &half_decades, &|first| first + 4);
        let mean = (found[0].best.rating + found[1].best.rating) / 2.0;
        assert!((mean - 2650.0).abs() < 1e-6, "{found:?}");
    }
}
