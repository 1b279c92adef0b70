//! Measures how rating points enter, leave and move within a pool, for systems that rate event by
//! event.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.54
//! (balance), 3.83 (transfer of points). Grouping by age and median together is ours.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::population::pool::age_in;
use crate::systems::ComputedList;
use crate::systems::RatedPlayer;
use crate::systems::{Flow, Flows};

/// The balance of rating points between two lists a year apart (3.54).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Year of the later list, which is that of its first day.
    pub year: i16,
    /// Sum of the ratings (points) on the earlier list.
    pub at_start: f64,
    /// Points of players who were rated for the first time.
    pub came: f64,
    /// Points of players who return after an absence from the lists.
    pub came_back: f64,
    /// Points of players who are no longer on the list.
    pub left: f64,
    /// Points gained by provisional ratings.
    pub beginning: f64,
    /// Points gained by established players, against each other and against provisional ones.
    pub exchanged: f64,
    /// Sum of the ratings (points) on the later list, which is the sum of all items.
    pub at_end: f64,
    /// Points that the leaving players had gained since they entered. The pool deflates unless they
    /// are replaced.
    pub carried_off: f64,
}

/// Computes the balances of all years with a list at their beginning and at their end. The first
/// list starts from zero.
pub fn balances<'a>(
    lists: impl Iterator<Item = &'a ComputedList>,
    flows: &[Flows],
) -> Vec<Balance> {
    let mut found = Vec::new();
    let mut before: Option<(Date, FxHashMap<u32, f64>)> = None;
    let mut entered: FxHashMap<u32, f64> = FxHashMap::default();
    for list in lists {
        let now: FxHashMap<u32, f64> =
            list.ratings.iter().map(|line| (line.player, line.rating)).collect();
        let of_year = flows.iter().find(|flows| flows.day == list.day);
        let by_player: FxHashMap<u32, &Flow> =
            of_year.iter().flat_map(|of| &of.flows).map(|flow| (flow.player, flow)).collect();
        let none = FxHashMap::default();
        let is_next = before.as_ref().is_none_or(|(day, _)| day.year() + 1 == list.day.year());
        let earlier = before.as_ref().map_or(&none, |(_, ratings)| ratings);
        let mut balance = Balance { year: list.day.year(), ..Balance::default() };
        // Add in the order of the lists, so that sums are reproducible.
        for line in &list.ratings {
            let flow = by_player.get(&line.player);
            let (beginning, exchanged) =
                flow.map_or((0.0, 0.0), |flow| (flow.beginning, flow.exchanged));
            balance.beginning += beginning;
            balance.exchanged += exchanged;
            balance.at_end += line.rating;
            if earlier.contains_key(&line.player) {
                continue;
            }
            let brought = line.rating - beginning - exchanged;
            entered.insert(line.player, brought);
            if flow.is_some_and(|flow| flow.entered.is_some()) {
                balance.came += brought;
            } else {
                balance.came_back += brought;
            }
        }
        let mut gone: Vec<(&u32, &f64)> =
            earlier.iter().filter(|(player, _)| !now.contains_key(player)).collect();
        gone.sort_by_key(|(player, _)| **player);
        for (player, rating) in gone {
            balance.left += rating;
            balance.carried_off += rating - entered.get(player).copied().unwrap_or(*rating);
        }
        let mut all: Vec<(&u32, &f64)> = earlier.iter().collect();
        all.sort_by_key(|(player, _)| **player);
        balance.at_start = all.iter().fold(0.0, |sum, (_, rating)| sum + **rating);
        if is_next {
            found.push(balance);
        }
        before = Some((list.day, now));
    }
    found
}

/// Upper limits of the age groups (3.83).
pub const AGE_GROUPS: [Option<i16>; 4] = [Some(17), Some(25), Some(40), None];

/// Points that one group of players gained by established ratings (3.83).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointsTaken {
    /// Number of player years.
    pub player_years: usize,
    sum: f64,
    squares: f64,
}

impl PointsTaken {
    /// The group of `player_years` player years with this mean gain (points).
    pub fn of_mean(player_years: usize, mean: f64) -> PointsTaken {
        let count = player_years as f64;
        PointsTaken { player_years, sum: mean * count, squares: mean * mean * count }
    }

    fn add(&mut self, points: f64) {
        self.player_years += 1;
        self.sum += points;
        self.squares += points * points;
    }

    /// Merges two groups that have no player year in common.
    pub fn with(self, other: PointsTaken) -> PointsTaken {
        PointsTaken {
            player_years: self.player_years + other.player_years,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// Mean gain of a player in a year (points). `None` without player years.
    pub fn mean(&self) -> Option<f64> {
        (self.player_years > 0).then(|| self.sum / self.player_years as f64)
    }

    /// Standard error of the mean (points). `None` for fewer than two player years.
    pub fn error(&self) -> Option<f64> {
        let count = self.player_years as f64;
        let mean = self.mean().filter(|_| self.player_years > 1)?;
        Some(((self.squares / count - mean * mean).max(0.0) / (count - 1.0)).sqrt())
    }
}

/// Gains by age group (see [`AGE_GROUPS`]), each below and above the median of the established
/// players.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Takers {
    /// Players below the median, by age group.
    pub below: [PointsTaken; 4],
    /// Players at or above the median, by age group.
    pub above: [PointsTaken; 4],
}

/// Computes which groups gained points over all years. It uses players of known age with an
/// established rating on the earlier list. Points between two lists, and ages, belong to the year
/// before the later list.
pub fn takers<'a>(
    lists: impl Iterator<Item = &'a ComputedList>,
    flows: &[Flows],
    players: &[RatedPlayer],
) -> Takers {
    let mut takers = Takers::default();
    let mut before: Option<&ComputedList> = None;
    for list in lists {
        let Some(earlier) = before.replace(list) else { continue };
        let Some(of_year) = flows.iter().find(|flows| flows.day == list.day) else { continue };
        // The established ratings come first, in descending order.
        let settled = earlier.ratings.partition_point(|line| !line.is_provisional);
        let settled = &earlier.ratings[..settled];
        let Some(median) = settled.get(settled.len() / 2).map(|line| line.rating) else { continue };
        let ratings: FxHashMap<u32, f64> =
            settled.iter().map(|line| (line.player, line.rating)).collect();
        for flow in of_year.flows.iter().filter(|flow| flow.exchanged != 0.0) {
            let born = players[flow.player as usize].born;
            let Some((rating, age)) =
                ratings.get(&flow.player).zip(age_in(list.day.year() - 1, born))
            else {
                continue;
            };
            let group = AGE_GROUPS
                .iter()
                .position(|to| to.is_none_or(|to| age <= f64::from(to)))
                .unwrap_or(AGE_GROUPS.len() - 1);
            let side = if *rating < median { &mut takers.below } else { &mut takers.above };
            side[group].add(flow.exchanged);
        }
    }
    takers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::ListedRating;
    use crate::systems::elo::formulas::Expectancy;
    use jiff::civil::date;

    #[test]
    fn fifty_points_too_low_cost_opponents_7_per_cent_of_k_a_game() {
        let cost = Expectancy::Normal.expected(50.0) - 0.5;
        assert!((cost - 0.07).abs() < 5e-4, "{cost}");
    }

    #[test]
    fn merged_groups_have_the_books_means() {
        // 3.84: juniors below and above 1700, then adults below and above it.
        let juniors = PointsTaken::of_mean(127, 30.8).with(PointsTaken::of_mean(119, 5.0));
        assert_eq!((juniors.mean().unwrap() * 10.0).round(), 183.0);
        let adults = PointsTaken::of_mean(365, 7.8).with(PointsTaken::of_mean(561, -10.7));
        assert_eq!((adults.mean().unwrap() * 10.0).round(), -34.0);
        assert_eq!(PointsTaken::default().mean(), None);
    }

    fn list(year: i16, ratings: &[(u32, f64)]) -> ComputedList {
        let lines = ratings.iter().map(|&(player, rating)| ListedRating::new(player, rating, 40.0));
        ComputedList::new(date(year, 1, 1), lines.collect())
    }

    fn flow(player: u32, entered: Option<f64>, beginning: f64, exchanged: f64) -> Flow {
        Flow { player, entered, beginning, exchanged }
    }

    #[test]
    fn items_of_a_balance_add_up() {
        let lists = [
            list(1980, &[(0, 2400.0), (1, 2300.0)]),
            list(1981, &[(0, 2410.0), (2, 2250.0)]),
            list(1982, &[(0, 2410.0), (1, 2290.0), (2, 2250.0)]),
        ];
        let flows = [
            Flows {
                day: date(1980, 1, 1),
                flows: vec![flow(0, Some(2380.0), 20.0, 0.0), flow(1, Some(2320.0), 0.0, -20.0)],
            },
            Flows {
                day: date(1981, 1, 1),
                flows: vec![flow(0, None, 0.0, 10.0), flow(2, Some(2200.0), 50.0, 0.0)],
            },
            Flows { day: date(1982, 1, 1), flows: vec![flow(1, None, 0.0, -10.0)] },
        ];
        let found = balances(lists.iter(), &flows);
        assert_eq!(found.len(), 3);
        for balance in &found {
            let sum = balance.at_start + balance.came + balance.came_back - balance.left
                + balance.beginning
                + balance.exchanged;
            assert!((sum - balance.at_end).abs() < 0.01, "{balance:?}");
        }
        // The player entered with 2320 and left with 2300.
        assert_eq!((found[1].left, found[1].carried_off), (2300.0, -20.0));
        assert_eq!((found[2].came, found[2].came_back), (0.0, 2300.0));
    }

    #[test]
    fn gains_are_grouped_by_age_and_median() {
        // The games are those of 1980, when the players were 16 and 40 years old.
        let born = [Some(1964), Some(1940), None];
        let players = born.map(|born| RatedPlayer { born, ..RatedPlayer::default() });
        let lists = [
            list(1980, &[(0, 2300.0), (1, 2400.0), (2, 2350.0)]),
            list(1981, &[(0, 2330.0), (1, 2380.0), (2, 2340.0)]),
        ];
        let flows = [Flows {
            day: date(1981, 1, 1),
            flows: vec![
                flow(0, None, 0.0, 30.0),
                flow(1, None, 0.0, -20.0),
                flow(2, None, 0.0, -10.0),
            ],
        }];
        let found = takers(lists.iter(), &flows, &players);
        assert_eq!(found.below[0].mean(), Some(30.0));
        assert_eq!(found.above[2].mean(), Some(-20.0), "not yet beyond forty");
        let all: usize = found.below.iter().chain(&found.above).map(|one| one.player_years).sum();
        assert_eq!(all, 2, "of the third no age is known");
    }
}
