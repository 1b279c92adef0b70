//! The levels of the periods of Elo's historical ratings, relative to one of them.
//!
//! The shifts are a weighted least squares fit over players with ratings in several periods.
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.4,
//! 5.67. The weights are ours.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use super::ageing::{AGES, ageing_by};
use super::period_pool::{PeriodPool, PeriodRating, PoolCircle};
use crate::systems::linear_equations::solve_linear;

/// The standard deviation (points) of a performance in one game between equals: 200 times the
/// square root of two (2.55).
pub(super) const SPREAD: f64 = 200.0 * std::f64::consts::SQRT_2;

/// Standard deviation (points) of a player's change between two periods that age does not explain.
/// Judged: as much as the standard error of a rating from 50 games, so that a player with more
/// games gains little further weight.
const CHANGE: f64 = 40.0;

/// Minimum age (years) of players who link two periods by the ageing curve. Younger players change
/// too much, and too differently. Measured together with the weights by games, on the bundled
/// results: log loss 0.6652 instead of 0.6655.
const GROWN_UP: f64 = 18.0;

/// The weight that ties every period to its neighbour, for periods without links, and the standard
/// error (points) from which a level counts as unknown. Judged: a single player with 40 games in
/// both periods weighs 200,000 times as much, and a level that only such ties fix has an error of
/// at least 31,623 points.
const WEAK: f64 = 1e-9;
const UNKNOWN: f64 = 1000.0;

/// How periods are linked.
pub(super) struct LinkRules<'a> {
    /// The year of birth by player.
    pub born: &'a dyn Fn(u32) -> Option<i16>,
    /// Rise (points) of the ageing curve from 21 to 36.
    pub rise: f64,
    /// The ages (years) at which the strength of masters counts as stable.
    pub stable: RangeInclusive<f64>,
}

/// The level of a period relative to the anchored one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PeriodLevel {
    /// The shift (points) of all ratings of the period.
    pub shift: f64,
    /// Its standard error (points); `None` if nothing links the period.
    pub error: Option<f64>,
}

/// The levels of the periods, of which the one at the place `anchor` has a shift of 0.
///
/// Masters at ages of stable strength link the periods in which they were rated. Periods that these
/// masters do not connect are linked by all players of two consecutive periods of theirs. The
/// expected change of such a player is the difference of the ageing curve, or zero if the age is
/// unknown.
pub(super) fn levels(periods: &[PeriodPool], rules: &LinkRules, anchor: usize) -> Vec<PeriodLevel> {
    let mut equations = LevelEquations::new(periods.len());
    for link in links_of_masters(periods, rules) {
        equations.add(&link);
        equations.join(link.from, link.to);
    }
    let mut ageing = links_by_ageing(periods, rules);
    ageing.retain(|link| equations.parts[link.from] != equations.parts[link.to]);
    for link in &ageing {
        equations.add(link);
    }
    equations.solve(anchor)
}

/// An observed shift of one period relative to another.
struct LevelLink {
    from: usize,
    to: usize,
    /// The shift of `to` minus that of `from` (points).
    change: f64,
    /// The inverse of its variance.
    weight: f64,
}

/// The variance of a rating as a measure of a constant level (points squared).
fn variance(rating: &PeriodRating) -> f64 {
    SPREAD * SPREAD / rating.games + CHANGE * CHANGE / 2.0
}

/// A player's age in the middle of a period. `None` if it is unknown or implausible.
fn age(pool: &PeriodPool, player: u32, rules: &LinkRules) -> Option<f64> {
    let age = pool.middle - f64::from((rules.born)(player)?);
    AGES.contains(&age).then_some(age)
}

/// The links by masters at ages of stable strength. A master's own level is eliminated from the
/// least squares fit, which leaves a link for each two periods of a master.
fn links_of_masters(periods: &[PeriodPool], rules: &LinkRules) -> Vec<LevelLink> {
    let mut careers: BTreeMap<u32, Vec<(usize, &PeriodRating)>> = BTreeMap::new();
    for (place, pool) in periods.iter().enumerate() {
        for (player, rating) in &pool.ratings {
            if rating.circle != PoolCircle::Masters || rating.is_capped {
                continue;
            }
            if age(pool, *player, rules).is_some_and(|age| rules.stable.contains(&age)) {
                careers.entry(*player).or_default().push((place, rating));
            }
        }
    }
    let mut links = Vec::new();
    for career in careers.values() {
        let whole: f64 = career.iter().map(|(_, rating)| 1.0 / variance(rating)).sum();
        for (later, &(to, second)) in career.iter().enumerate() {
            for &(from, first) in &career[..later] {
                let weight = 1.0 / (variance(first) * variance(second) * whole);
                links.push(LevelLink { from, to, change: first.rating - second.rating, weight });
            }
        }
    }
    links
}

/// The links by all players between two consecutive periods of theirs.
fn links_by_ageing(periods: &[PeriodPool], rules: &LinkRules) -> Vec<LevelLink> {
    let mut links = Vec::new();
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    for (to, pool) in periods.iter().enumerate() {
        let mut players: Vec<(&u32, &PeriodRating)> =
            pool.ratings.iter().filter(|(_, rating)| pool.is_link(rating)).collect();
        players.sort_unstable_by_key(|(player, _)| **player);
        for (&player, second) in players {
            let Some(from) = last.insert(player, to) else { continue };
            let first = &periods[from].ratings[&player];
            let ages = age(&periods[from], player, rules).zip(age(pool, player, rules));
            if ages.is_some_and(|(then, _)| then < GROWN_UP) {
                continue;
            }
            let expected = ages.map_or(0.0, |(then, now)| {
                ageing_by(now, rules.rise) - ageing_by(then, rules.rise)
            });
            let change = expected - (second.rating - first.rating);
            let weight = 1.0 / (variance(first) + variance(second));
            links.push(LevelLink { from, to, change, weight });
        }
    }
    links
}

/// The normal equations of the shifts.
struct LevelEquations {
    /// One row for each period. The last column is the right-hand side.
    rows: Vec<Vec<f64>>,
    /// For each period, the number of the connected part that it belongs to.
    parts: Vec<usize>,
}

impl LevelEquations {
    /// The equations of this many periods, each tied weakly to the one before.
    fn new(count: usize) -> LevelEquations {
        let rows = vec![vec![0.0; count + 1]; count];
        let mut equations = LevelEquations { rows, parts: (0..count).collect() };
        for to in 1..count {
            equations.add(&LevelLink { from: to - 1, to, change: 0.0, weight: WEAK });
        }
        equations
    }

    fn add(&mut self, link: &LevelLink) {
        let &LevelLink { from, to, change, weight } = link;
        let last = self.rows.len();
        self.rows[from][from] += weight;
        self.rows[to][to] += weight;
        self.rows[from][to] -= weight;
        self.rows[to][from] -= weight;
        self.rows[from][last] -= weight * change;
        self.rows[to][last] += weight * change;
    }

    fn join(&mut self, from: usize, to: usize) {
        let (one, other) = (self.parts[from], self.parts[to]);
        for part in self.parts.iter_mut().filter(|part| **part == other) {
            *part = one;
        }
    }

    /// The levels relative to the period at the place `anchor`.
    fn solve(mut self, anchor: usize) -> Vec<PeriodLevel> {
        let count = self.rows.len();
        self.rows[anchor] = vec![0.0; count + 1];
        self.rows[anchor][anchor] = 1.0;
        let errors: Vec<Option<f64>> =
            (0..count).map(|period| self.error(period, anchor)).collect();
        let shifts = solve_linear(self.rows);
        shifts.into_iter().zip(errors).map(|(shift, error)| PeriodLevel { shift, error }).collect()
    }

    /// The standard error (points) of a period's shift, from the equations that hold the anchor.
    fn error(&self, period: usize, anchor: usize) -> Option<f64> {
        if period == anchor {
            return Some(0.0);
        }
        let mut unit = self.rows.clone();
        for (row, line) in unit.iter_mut().enumerate() {
            line[self.rows.len()] = f64::from(u8::from(row == period));
        }
        let variance = solve_linear(unit)[period];
        Some(variance.max(0.0).sqrt()).filter(|error| *error < UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A period from a year on with these players and ratings, all of one circle.
    fn period(first: i16, circle: PoolCircle, ratings: &[(u32, f64)]) -> PeriodPool {
        let ratings = ratings.iter().map(|&(player, rating)| {
            (player, PeriodRating { rating, games: 40.0, circle, is_capped: false })
        });
        PeriodPool {
            first,
            middle: f64::from(first) + 2.5,
            ratings: ratings.collect(),
            core: circle,
            unconnected: 0,
        }
    }

    fn rules(born: &dyn Fn(u32) -> Option<i16>) -> LinkRules<'_> {
        LinkRules { born, rise: 120.0, stable: 25.0..=45.0 }
    }

    fn shifts(levels: &[PeriodLevel]) -> Vec<f64> {
        levels.iter().map(|level| level.shift).collect()
    }

    #[test]
    fn masters_of_stable_strength_link_periods_and_others_do_not() {
        // Player 0 is 32 to 42, player 1 is 52 to 62 and declines by 100 points each time.
        let masters = PoolCircle::Masters;
        let periods = [
            period(1900, masters, &[(0, 50.0), (1, 0.0)]),
            period(1905, masters, &[(0, 20.0), (1, -100.0)]),
            period(1910, masters, &[(0, 60.0), (1, -200.0)]),
        ];
        let rules = rules(&|player| Some(if player == 0 { 1870 } else { 1850 }));
        let found = levels(&periods, &rules, 2);
        // The weak ties between neighbours move the shifts by less than a thousandth of a point.
        let expected = [10.0, 40.0, 0.0];
        for (found, expected) in shifts(&found).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        // Of two ratings from 40 games each: 2 (80,000 / 40 + 800).
        assert!((found[0].error.unwrap() - 5600_f64.sqrt()).abs() < 1.0, "{found:?}");
    }

    #[test]
    fn periods_without_masters_are_linked_by_the_ageing_curve() {
        let periods = [
            period(1895, PoolCircle::Established, &[(0, 0.0)]),
            period(1900, PoolCircle::Masters, &[(0, 0.0), (2, 5.0)]),
            period(1905, PoolCircle::Masters, &[(0, 0.0), (2, 25.0)]),
        ];
        // Player 0 is 21.5 in the middle of the first period, and of a stable age only in the last.
        // Player 2 is 30.5 and 35.5.
        let rules = rules(&|player| Some(if player == 0 { 1876 } else { 1872 }));
        let found = shifts(&levels(&periods, &LinkRules { stable: 28.0..=45.0, ..rules }, 2));
        assert!((found[1] - 20.0).abs() < 1e-3, "only the stable master: {found:?}");
        let rise = ageing_by(26.5, 120.0) - ageing_by(21.5, 120.0);
        assert!((found[1] - found[0] - rise).abs() < 1e-3, "{found:?} {rise}");
    }

    #[test]
    fn a_period_without_any_link_has_no_known_error() {
        let periods = [
            period(1900, PoolCircle::Established, &[(0, 0.0)]),
            period(1905, PoolCircle::Established, &[(1, 0.0)]),
        ];
        let found = levels(&periods, &rules(&|_| None), 1);
        assert_eq!(found.iter().map(|level| level.error).collect::<Vec<_>>(), [None, Some(0.0)]);
    }
}
