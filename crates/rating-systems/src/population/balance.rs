//! Where the points of a pool come from and go to, of systems that rate event by event.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.54 (balance), 3.83 (who takes from whom). Groups
//! by age and by the median at once are ours.

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::population::pool::age_in;
use crate::systems::ComputedList;
use crate::systems::RatedPlayer;
use crate::systems::{Flow, Flows};

/// What became of the points of a list until the list a year later (3.54).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// The year on whose first day the later list is.
    pub year: i16,
    /// Points of all who were on the earlier list.
    pub at_start: f64,
    /// Brought by those who were rated for the first time.
    pub came: f64,
    /// Brought by those who had been on no list for some time.
    pub came_back: f64,
    /// Taken away by those who are no longer on the list.
    pub left: f64,
    /// Made while ratings were beginnings.
    pub beginning: f64,
    /// Made by the rule: won and lost by settled players, against each other and against beginners.
    pub exchanged: f64,
    /// Points of all on the later list: the sum of all that.
    pub at_end: f64,
    /// What those who left had more than when they came: what must be fed in, or the pool deflates.
    pub carried_off: f64,
}

/// The balances of all years with a list at their beginning and at their end; the first list begins with nothing.
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
        // In the order of the lists, so that sums come out the same each time.
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

/// Ages that are told apart (3.83): up to which each group goes.
pub const AGE_GROUPS: [Option<i16>; 4] = [Some(17), Some(25), Some(40), None];

/// What players of one group won and lost by the rule (3.83).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Years of players.
    pub player_years: usize,
    sum: f64,
    squares: f64,
}

impl Taken {
    /// Of so many years of players, each of whom won this in the mean (points).
    pub fn of_mean(player_years: usize, mean: f64) -> Taken {
        let count = player_years as f64;
        Taken { player_years, sum: mean * count, squares: mean * mean * count }
    }

    fn add(&mut self, points: f64) {
        self.player_years += 1;
        self.sum += points;
        self.squares += points * points;
    }

    /// Both groups together.
    pub fn with(self, other: Taken) -> Taken {
        Taken {
            player_years: self.player_years + other.player_years,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// Points that a player won in a year in the mean.
    pub fn mean(&self) -> Option<f64> {
        (self.player_years > 0).then(|| self.sum / self.player_years as f64)
    }

    /// Its standard error (points).
    pub fn error(&self) -> Option<f64> {
        let count = self.player_years as f64;
        let mean = self.mean().filter(|_| self.player_years > 1)?;
        Some(((self.squares / count - mean * mean).max(0.0) / (count - 1.0)).sqrt())
    }
}

/// Who takes from whom: by group of age (see [`AGE_GROUPS`]), each below and above the median of those who are beyond their beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Takers {
    /// Below the median, by group of age.
    pub below: [Taken; 4],
    /// From the median on.
    pub above: [Taken; 4],
}

/// Who takes from whom over all years: of players with known ages who were on the list before, beyond their beginning. What lies between two
/// lists was won and lost in the year before the later one, and so are ages.
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
        // Those that are a beginning stand behind the others, who stand in order.
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
    fn fifty_points_too_low_cost_opponents_seven_hundredths_of_k_a_game() {
        let cost = Expectancy::Normal.expected(50.0) - 0.5;
        assert!((cost - 0.07).abs() < 5e-4, "{cost}");
    }

    #[test]
    fn groups_of_the_book_add_up_to_its_means() {
        // 3.84: juniors below and above 1700, adults likewise.
        let juniors = Taken::of_mean(127, 30.8).with(Taken::of_mean(119, 5.0));
        assert_eq!((juniors.mean().unwrap() * 10.0).round(), 183.0);
        let adults = Taken::of_mean(365, 7.8).with(Taken::of_mean(561, -10.7));
        assert_eq!((adults.mean().unwrap() * 10.0).round(), -34.0);
        assert_eq!(Taken::default().mean(), None);
    }

    fn list(year: i16, ratings: &[(u32, f64)]) -> ComputedList {
        let line = |&(player, rating): &(u32, f64)| ListedRating {
            player,
            rating,
            games: 40.0,
            deviation: None,
            is_provisional: false,
        };
        ComputedList::of(date(year, 1, 1), ratings.iter().map(line).collect())
    }

    fn flow(player: u32, entered: Option<f64>, beginning: f64, exchanged: f64) -> Flow {
        Flow { player, entered, beginning, exchanged }
    }

    #[test]
    fn points_at_the_end_are_those_at_the_start_and_all_that_happened() {
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
        // He came with 2320 and left with 2300.
        assert_eq!((found[1].left, found[1].carried_off), (2300.0, -20.0));
        assert_eq!((found[2].came, found[2].came_back), (0.0, 2300.0));
    }

    #[test]
    fn the_young_take_and_the_old_give() {
        // The games are those of 1980: sixteen, and forty years old.
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
