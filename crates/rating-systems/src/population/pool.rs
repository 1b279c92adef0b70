//! A pool of rated players over the years: its size, its middle, its drift, its shape, and what its points are worth in another's.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.54, 3.81, 7.3, 9.1. Distances to curves, the
//! correction of the drift by age and exchange rates are ours.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::erf::erf;

use crate::systems::elo::ageing::{AGES, ageing};

/// Somebody on a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Number of the player; lists of members are in its order.
    pub player: u32,
    /// Rating (points).
    pub rating: f64,
    /// What grows when he plays, where anything does: games, where the system counts and does not weigh them; changes of his rating on lists
    /// that tell no games.
    pub played: Option<f64>,
    /// Whether it rests on games enough; a beginning does not.
    pub is_established: bool,
    /// Age in the year of the list, where the birth is known and can be right.
    pub age: Option<f64>,
}

impl Member {
    /// Whether he has played since he was on an earlier list; taken for granted where nothing tells it.
    pub fn has_played_since(&self, earlier: &Member) -> bool {
        self.played.zip(earlier.played).is_none_or(|(now, before)| now > before)
    }
}

/// Games from which a rating is established (2.59).
pub const ESTABLISHED_GAMES: f64 = 30.0;

/// A year of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolYear {
    /// The year; the list is that of its first day.
    pub year: i16,
    /// How many there are; `None` of a list that is cut, of which only the best are known to be all of them.
    pub size: Option<Size>,
    /// Mean rating (points) of the established.
    pub mean: Option<f64>,
    /// Standard deviation of their ratings (points).
    pub deviation: Option<f64>,
    /// Their median (points).
    pub median: Option<f64>,
    /// Mean rating (points) of ranks 1 to 10.
    pub best_ten: Option<f64>,
    /// Mean rating (points) of ranks 3 to 20.
    pub ranks_3_to_20: Option<f64>,
    /// How far (points) the best is above the mean of the ten best, and above the second (5.75), of those who were established a year before too: a
    /// few games of a beginning may make anybody the first.
    pub dominance: Option<(f64, f64)>,
    /// Rating (points) of rank 10.
    pub tenth: Option<f64>,
    /// Rating (points) of rank 20.
    pub twentieth: Option<f64>,
    /// Rating (points) of rank 50.
    pub rank_50: Option<f64>,
    /// Rating (points) of rank 100.
    pub rank_100: Option<f64>,
    /// Mean age of those whose birth is known.
    pub mean_age: Option<f64>,
    /// The watched: established players of 25 to 40.
    pub watched: Option<Watched>,
    /// How the ratings of the established are spread.
    pub shape: Option<Shape>,
}

/// How many players a list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Players on it, beginners among them.
    pub listed: usize,
    /// Those whose rating is established.
    pub established: usize,
    /// Who was not on the list of the year before.
    pub came: usize,
    /// Who was on that and is not on this one.
    pub left: usize,
}

/// Established players of 25 to 40 who were on the list of the year before too (3.81).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched {
    /// How many.
    pub players: usize,
    /// Their mean rating (points).
    pub mean: f64,
    /// Their mean change since the year before, less what their ages say (points).
    pub change: f64,
    /// Its standard error (points).
    pub error: f64,
}

impl Watched {
    /// The change in standard errors; beyond 1.96 and 2.58 it is not chance (5%, 1%).
    pub fn t(&self) -> Option<f64> {
        (self.error > 0.0).then(|| self.change / self.error)
    }
}

/// How far ratings are spread otherwise than by two curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Players.
    pub players: usize,
    /// Largest distance from the normal distribution of the same mean and deviation.
    pub normal: f64,
    /// The same from Maxwell's.
    pub maxwell: f64,
    /// Distances that chance alone would exceed once in twenty and once in a hundred times; too kind, since mean and deviation are
    /// fitted.
    pub critical: (f64, f64),
}

/// Maxwell's distribution of ratings (9.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Maxwell {
    /// The rating (points) at which it begins.
    pub zero: f64,
    /// The most frequent rating less that (points).
    pub most_frequent: f64,
}

impl Maxwell {
    /// Of ratings with this mean and standard deviation (points).
    pub fn of(mean: f64, deviation: f64) -> Maxwell {
        let zero = mean - deviation / (3.0 * std::f64::consts::PI / 8.0 - 1.0).sqrt();
        Maxwell { zero, most_frequent: (mean - zero) * std::f64::consts::PI.sqrt() / 2.0 }
    }

    /// The part of the ratings below one (points), in `[0, 1]`.
    pub fn below(&self, rating: f64) -> f64 {
        let x = ((rating - self.zero) / self.most_frequent).max(0.0);
        erf(x) - 2.0 * x * (-x * x).exp() / std::f64::consts::PI.sqrt()
    }
}

/// Distances by the root of the number beyond which chance alone leads once in twenty and once in a hundred times (7.3).
const CRITICAL: (f64, f64) = (1.36, 1.63);

/// Players below which a shape says nothing.
const FEWEST: usize = 30;

impl Shape {
    /// Of ratings (points) in any order; `None` of few.
    pub fn of(ratings: &[f64]) -> Option<Shape> {
        if ratings.len() < FEWEST {
            return None;
        }
        let mut sorted = ratings.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (mean, deviation) = moments(&sorted)?;
        let (normal, maxwell) = (Normal::new(mean, deviation).ok()?, Maxwell::of(mean, deviation));
        let count = sorted.len() as f64;
        let distance = |of: &dyn Fn(f64) -> f64| {
            sorted.iter().enumerate().fold(0.0_f64, |most, (place, rating)| {
                let below = of(*rating);
                most.max((below - place as f64 / count).abs())
                    .max((below - (place as f64 + 1.0) / count).abs())
            })
        };
        let root = count.sqrt();
        Some(Shape {
            players: sorted.len(),
            normal: distance(&|rating| normal.cdf(rating)),
            maxwell: distance(&|rating| maxwell.below(rating)),
            critical: (CRITICAL.0 / root, CRITICAL.1 / root),
        })
    }
}

/// Mean and standard deviation; `None` of fewer than two, or where all are equal.
fn moments(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    (deviation > 0.0).then_some((mean, deviation))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The ages of the watched: settled, and not yet old.
const WATCHED: std::ops::RangeInclusive<f64> = 25.0..=40.0;

/// A pool year by year, from its lists in the order of the years, each in the order of the players' numbers.
pub fn pool_years(lists: &[(i16, Vec<Member>)]) -> Vec<PoolYear> {
    let mut before: Option<&(i16, Vec<Member>)> = None;
    lists
        .iter()
        .map(|list| {
            let year = pool_year(list, before.filter(|(year, _)| *year == list.0 - 1));
            before = Some(list);
            year
        })
        .collect()
}

fn pool_year((year, list): &(i16, Vec<Member>), before: Option<&(i16, Vec<Member>)>) -> PoolYear {
    let earlier = before.map_or(&[][..], |(_, list)| list.as_slice());
    let before_of = |player: u32| {
        let place = earlier.binary_search_by_key(&player, |member| member.player).ok()?;
        earlier.get(place)
    };
    let stayed = list.iter().filter(|member| before_of(member.player).is_some()).count();
    let established: Vec<&Member> = list.iter().filter(|member| member.is_established).collect();
    let mut ratings: Vec<f64> = established.iter().map(|member| member.rating).collect();
    ratings.sort_by(|a, b| b.total_cmp(a));
    let ages: Vec<f64> = list.iter().filter_map(|member| member.age).collect();
    let ranks = |from: usize, to: usize| ratings.get(from..to).and_then(mean);
    let moments = moments(&ratings);
    let mut proven: Vec<f64> = established
        .iter()
        .filter(|member| before_of(member.player).is_some_and(|before| before.is_established))
        .map(|member| member.rating)
        .collect();
    proven.sort_by(|a, b| b.total_cmp(a));
    let dominance =
        proven.get(..10).and_then(mean).map(|of_ten| (proven[0] - of_ten, proven[0] - proven[1]));
    let mut changes = Vec::new();
    let mut of_watched = Vec::new();
    for member in &established {
        let Some(age) = member.age.filter(|age| WATCHED.contains(age)) else { continue };
        // Who did not play did not change, whatever his age says.
        let Some(earlier) = before_of(member.player)
            .filter(|earlier| earlier.is_established && member.has_played_since(earlier))
        else {
            continue;
        };
        of_watched.push(member.rating);
        changes.push(member.rating - earlier.rating - (ageing(age) - ageing(age - 1.0)));
    }
    let watched =
        moments_of_changes(&changes).zip(mean(&of_watched)).map(|((change, deviation), mean)| {
            Watched {
                players: changes.len(),
                mean,
                change,
                error: deviation / (changes.len() as f64).sqrt(),
            }
        });
    PoolYear {
        year: *year,
        size: Some(Size {
            listed: list.len(),
            established: established.len(),
            came: if before.is_some() { list.len() - stayed } else { 0 },
            left: earlier.len() - stayed.min(earlier.len()),
        }),
        mean: moments.map(|(mean, _)| mean),
        deviation: moments.map(|(_, deviation)| deviation),
        median: (!ratings.is_empty())
            .then(|| (ratings[(ratings.len() - 1) / 2] + ratings[ratings.len() / 2]) / 2.0),
        best_ten: ranks(0, 10),
        ranks_3_to_20: ranks(2, 20),
        dominance,
        tenth: ratings.get(9).copied(),
        twentieth: ratings.get(19).copied(),
        rank_50: ratings.get(49).copied(),
        rank_100: ratings.get(99).copied(),
        mean_age: mean(&ages),
        watched,
        shape: Shape::of(&ratings),
    }
}

impl PoolYear {
    /// What is known of a list that has everybody only from this rating (points) on: nothing of its size, its middle and its shape, and of
    /// its ranks only those above. The watched may still be watched, if the list has them wherever they stand.
    pub fn cut(self, complete_from: f64) -> PoolYear {
        let whole = |rating: &f64| *rating >= complete_from;
        PoolYear {
            year: self.year,
            // The last of ten, and of twenty, may be below where their mean is not.
            best_ten: self.best_ten.filter(|_| self.tenth.as_ref().is_some_and(whole)),
            ranks_3_to_20: self
                .ranks_3_to_20
                .filter(|_| self.twentieth.as_ref().is_some_and(whole)),
            dominance: self.dominance.filter(|_| self.tenth.as_ref().is_some_and(whole)),
            tenth: self.tenth.filter(whole),
            twentieth: self.twentieth.filter(whole),
            rank_50: self.rank_50.filter(whole),
            rank_100: self.rank_100.filter(whole),
            watched: self.watched,
            ..PoolYear::default()
        }
    }
}

/// As [`moments`], of ten and more: fewer say nothing of a pool.
fn moments_of_changes(changes: &[f64]) -> Option<(f64, f64)> {
    const ENOUGH: usize = 10;
    moments(changes).filter(|_| changes.len() >= ENOUGH)
}

/// The age in a year of somebody born in another; `None` where it cannot be right.
pub fn age_in(year: i16, born: Option<i16>) -> Option<f64> {
    born.map(|born| f64::from(year) - f64::from(born)).filter(|age| AGES.contains(age))
}

/// What the ratings of one system are in those of another, over the players of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// Players.
    pub players: usize,
    /// Mean of the second's ratings less the first's (points).
    pub difference: f64,
    /// Its standard error (points).
    pub error: f64,
    /// The second's standard deviation by the first's.
    pub slope: f64,
}

/// Exchanges two systems by their ratings (points) of the same players; `None` of few players, or where one has them all alike.
pub fn exchange(pairs: &[(f64, f64)]) -> Option<Exchange> {
    const ENOUGH: usize = 10;
    if pairs.len() < ENOUGH {
        return None;
    }
    let differences: Vec<f64> = pairs.iter().map(|(first, second)| second - first).collect();
    let (firsts, seconds): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let ((_, of_first), (_, of_second)) = (moments(&firsts)?, moments(&seconds)?);
    let (difference, deviation) = moments(&differences).unwrap_or((differences[0], 0.0));
    Some(Exchange {
        players: pairs.len(),
        difference,
        error: deviation / (pairs.len() as f64).sqrt(),
        slope: of_second / of_first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maxwells_distribution_of_the_book() {
        // Mean and deviation of two pools (9.1); the book reads 945 and 840 off a graph.
        assert_eq!(Maxwell::of(1547.0, 251.6).zero.round(), 951.0);
        assert_eq!(Maxwell::of(1474.0, 271.0).zero.round(), 832.0);
        // 9.17 is that of zero 862 and most frequent 552.
        let of_917 = Maxwell { zero: 862.0, most_frequent: 552.0 };
        let printed = [0.0105, 0.0530, 0.1375, 0.2603, 0.4059, 0.5545];
        for (rating, printed) in (10..=15).map(|hundred| f64::from(hundred) * 100.0).zip(printed) {
            assert!(
                (of_917.below(rating) - printed).abs() < 0.00145,
                "{rating}: {}",
                of_917.below(rating)
            );
        }
        assert_eq!(of_917.below(500.0), 0.0);
    }

    #[test]
    fn distances_that_chance_exceeds_rarely() {
        let normal = Normal::new(1500.0, 250.0).unwrap();
        let ratings: Vec<f64> =
            (0..1857).map(|place| normal.inverse_cdf((f64::from(place) + 0.5) / 1857.0)).collect();
        let shape = Shape::of(&ratings).unwrap();
        assert!(
            (shape.critical.0 - 0.0316).abs() < 5e-5 && (shape.critical.1 - 0.0378).abs() < 5e-5
        );
        assert!(shape.normal < 0.002 && shape.maxwell > shape.normal, "{shape:?}");
        assert_eq!(Shape::of(&ratings[..10]), None);
    }

    #[test]
    fn the_first_is_as_far_ahead_as_of_those_who_were_there_a_year_before() {
        let of = |year: i16, newcomer: bool| {
            let mut list: Vec<Member> =
                (0..12).map(|one| member(one, 2600.0 - 10.0 * f64::from(one), 30.0)).collect();
            list.extend(newcomer.then(|| member(20, 2900.0, 20.0)));
            (year, list)
        };
        let years = pool_years(&[of(1980, false), of(1981, true)]);
        assert_eq!((years[0].dominance, years[1].dominance), (None, Some((45.0, 10.0))));
    }

    fn member(player: u32, rating: f64, age: f64) -> Member {
        Member { player, rating, played: None, is_established: true, age: Some(age) }
    }

    #[test]
    fn the_watched_lose_what_is_taken_from_them_beyond_their_age() {
        let of = |year: i16, drift: f64| -> (i16, Vec<Member>) {
            let members = (0..20).map(|player| {
                let age = 25.0 + f64::from(player % 10) + f64::from(year - 1980);
                let rating = 2400.0
                    + 10.0 * f64::from(player)
                    + ageing(age)
                    + drift * f64::from(1 + player % 2);
                member(player, rating, age)
            });
            (year, members.collect())
        };
        let years = pool_years(&[of(1980, 0.0), of(1981, -4.0), of(1983, 0.0)]);
        let watched = years[1].watched.unwrap();
        assert_eq!(watched.players, 20);
        assert!((watched.change + 6.0).abs() < 1e-9, "{watched:?}");
        assert!(watched.t().unwrap() < -2.58);
        assert_eq!(
            (years[0].watched, years[2].watched),
            (None, None),
            "no list of the year before"
        );
        let size = years[1].size.unwrap();
        assert_eq!((size.came, size.left), (0, 0));
    }

    #[test]
    fn who_comes_and_who_leaves_is_counted() {
        let years = pool_years(&[
            (1980, vec![member(1, 2400.0, 30.0), member(2, 2300.0, 30.0)]),
            (1981, vec![member(2, 2310.0, 31.0), member(3, 2200.0, 20.0), member(4, 2100.0, 20.0)]),
        ]);
        let wanted = Size { listed: 3, established: 3, came: 2, left: 1 };
        assert_eq!(years[1].size, Some(wanted));
        assert_eq!(years[1].median, Some(2200.0));
        assert_eq!(years[1].best_ten, None, "there are only three");
    }

    #[test]
    fn beginners_are_listed_but_not_established() {
        let beginner = Member { is_established: false, ..member(2, 2900.0, 20.0) };
        let years = pool_years(&[(1980, vec![member(1, 2400.0, 30.0), beginner])]);
        let wanted = Size { listed: 2, established: 1, came: 0, left: 0 };
        assert_eq!((years[0].size, years[0].median), (Some(wanted), Some(2400.0)));
    }

    #[test]
    fn who_did_not_play_is_not_watched() {
        let of = |year: i16, played: f64, by: f64| -> (i16, Vec<Member>) {
            let members = (0..20).map(|player: u32| {
                // Every other one plays, and wins nine or eleven points beyond what his age says.
                let (plays, age) = (f64::from(player % 2), 30.0 + by);
                let wins = by * (9.0 + f64::from(player / 2 % 2 * 2));
                let rating = 2400.0 + plays * (wins + ageing(age));
                Member { played: Some(played * plays), ..member(player, rating, age) }
            });
            (year, members.collect())
        };
        let years = pool_years(&[of(1980, 1.0, 0.0), of(1981, 2.0, 1.0)]);
        let watched = years[1].watched.unwrap();
        assert_eq!(watched.players, 10);
        assert!((watched.change - 10.0).abs() < 1e-9, "{watched:?}");
    }

    #[test]
    fn of_a_cut_list_only_the_ranks_above_the_cut_are_known() {
        let list = (0..30).map(|player| member(player, 2600.0 - 10.0 * f64::from(player), 30.0));
        let whole = pool_years(&[(1980, list.collect())])[0];
        assert_eq!((whole.tenth, whole.twentieth), (Some(2510.0), Some(2410.0)));
        let cut = whole.cut(2500.0);
        assert_eq!((cut.best_ten, cut.ranks_3_to_20), (Some(2555.0), None));
        assert_eq!((cut.size, cut.mean, cut.median, cut.shape), (None, None, None, None));
        assert_eq!(whole.cut(2550.0).best_ten, None);
    }

    #[test]
    fn exchange_rates_are_over_the_players_of_both() {
        let pairs: Vec<(f64, f64)> = (0..20)
            .map(|place| (2000.0 + 10.0 * f64::from(place), 2100.0 + 20.0 * f64::from(place)))
            .collect();
        let found = exchange(&pairs).unwrap();
        assert!(
            (found.difference - 195.0).abs() < 1e-9 && (found.slope - 2.0).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!(exchange(&pairs[..5]), None);
    }
}
