//! Describes a pool of rated players year by year: size, averages, drift, distribution. It also
//! compares the scales of two systems.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.54,
//! 3.81, 7.3, 9.1. Distances to curves, the correction of the drift for age and the exchange rates
//! are ours.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::erf::erf;

use crate::systems::elo::ageing::{AGES, ageing};

/// A player on a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolMember {
    /// Number of the player. Lists of members are ordered by it.
    pub player: u32,
    /// Rating (points).
    pub rating: f64,
    /// A count that increases when the player plays: the number of games, if the system counts them
    /// without weights; the number of changes of the rating, on lists without numbers of games.
    /// `None` if there is neither.
    pub played: Option<f64>,
    /// Whether the rating is established; a provisional one is not.
    pub is_established: bool,
    /// Age in the year of the list. `None` if the birth is unknown or implausible.
    pub age: Option<f64>,
}

impl PoolMember {
    /// Whether the player has played since an earlier list. `true` if the lists do not show it.
    pub(super) fn has_played_since(&self, earlier: &PoolMember) -> bool {
        self.played.zip(earlier.played).is_none_or(|(now, before)| now > before)
    }
}

/// Fewest games of an established rating (2.59).
pub const ESTABLISHED_GAMES: f64 = 30.0;

/// A pool in one year.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolYear {
    /// The year. The list is that of its first day.
    pub year: i16,
    /// Numbers of players. `None` of a truncated list, which is complete only for the best.
    pub size: Option<PoolSize>,
    /// Mean of the established ratings (points).
    pub mean: Option<f64>,
    /// Standard deviation of the established ratings (points).
    pub deviation: Option<f64>,
    /// Median of the established ratings (points).
    pub median: Option<f64>,
    /// Mean rating (points) of ranks 1 to 10.
    pub best_ten: Option<f64>,
    /// Mean rating (points) of ranks 3 to 20.
    pub ranks_3_to_20: Option<f64>,
    /// Lead (points) of the best player over the mean of the ten best, and over the second (5.75).
    /// It counts only players with an established rating a year earlier too, because a few games
    /// can make a newcomer the first.
    pub dominance: Option<(f64, f64)>,
    /// Rating (points) of rank 10.
    pub tenth: Option<f64>,
    /// Rating (points) of rank 20.
    pub twentieth: Option<f64>,
    /// Rating (points) of rank 50.
    pub rank_50: Option<f64>,
    /// Rating (points) of rank 100.
    pub rank_100: Option<f64>,
    /// Mean age of the players with a known birth.
    pub mean_age: Option<f64>,
    /// The watched group: established players of 25 to 40.
    pub watched: Option<Watched>,
    /// Distribution of the established ratings.
    pub shape: Option<Shape>,
}

/// Numbers of players on a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolSize {
    /// All players, including those with provisional ratings.
    pub listed: usize,
    /// Players with an established rating.
    pub established: usize,
    /// Players who were not on the list of the year before.
    pub came: usize,
    /// Players of the list of the year before who are not on this one.
    pub left: usize,
}

/// The watched group (3.81): established players of 25 to 40 who also were on the list of the
/// year before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched {
    /// Number of players in the group.
    pub players: usize,
    /// Mean rating (points).
    pub mean: f64,
    /// Mean rating change (points) since the year before, minus the change expected from age.
    pub change: f64,
    /// Standard error (points) of the change.
    pub error: f64,
}

impl Watched {
    /// The change in standard errors. Beyond 1.96 and 2.58 it is significant (5%, 1%). `None` if
    /// the error is zero.
    pub fn t(&self) -> Option<f64> {
        (self.error > 0.0).then(|| self.change / self.error)
    }
}

/// Distances of a distribution of ratings from two theoretical ones (Kolmogorov-Smirnov
/// statistics).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Number of established players.
    pub players: usize,
    /// Largest distance from the normal distribution with the same mean and standard deviation.
    pub normal: f64,
    /// Largest distance from Maxwell's distribution with the same mean and standard deviation.
    pub maxwell: f64,
    /// Critical distances at 5% and 1%. They are too large, because mean and deviation are fitted.
    pub critical: (f64, f64),
}

/// Maxwell's distribution of ratings (9.1).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Maxwell {
    /// Rating (points) at which the distribution starts.
    zero: f64,
    /// Most frequent rating minus that start (points).
    most_frequent: f64,
}

impl Maxwell {
    /// The distribution with this mean and standard deviation (points).
    fn new(mean: f64, deviation: f64) -> Maxwell {
        let zero = mean - deviation / (3.0 * std::f64::consts::PI / 8.0 - 1.0).sqrt();
        Maxwell { zero, most_frequent: (mean - zero) * std::f64::consts::PI.sqrt() / 2.0 }
    }

    /// The proportion of ratings below a rating (points), in `[0, 1]`.
    fn below(&self, rating: f64) -> f64 {
        let x = ((rating - self.zero) / self.most_frequent).max(0.0);
        erf(x) - 2.0 * x * (-x * x).exp() / std::f64::consts::PI.sqrt()
    }
}

/// Critical distances at 5% and 1%, times the square root of the number of players (7.3).
const CRITICAL: (f64, f64) = (1.36, 1.63);

/// Fewest players for a test of the distribution. Judged: the critical distance at 5% is 0.25 with
/// thirty players, and fewer would only show extreme deviations.
const FEWEST: usize = 30;

impl Shape {
    /// Computes the distances. The order of the ratings (points) does not matter. `None` for fewer
    /// than 30.
    pub fn from_ratings(ratings: &[f64]) -> Option<Shape> {
        if ratings.len() < FEWEST {
            return None;
        }
        let mut sorted = ratings.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (mean, deviation) = moments(&sorted)?;
        let (normal, maxwell) = (Normal::new(mean, deviation).ok()?, Maxwell::new(mean, deviation));
        let root = (sorted.len() as f64).sqrt();
        Some(Shape {
            players: sorted.len(),
            normal: largest_distance(&sorted, |rating| normal.cdf(rating)),
            maxwell: largest_distance(&sorted, |rating| maxwell.below(rating)),
            critical: (CRITICAL.0 / root, CRITICAL.1 / root),
        })
    }
}

/// The largest distance between the distribution of sorted values and a theoretical one, which
/// returns the proportion below a value.
fn largest_distance(sorted: &[f64], proportion_below: impl Fn(f64) -> f64) -> f64 {
    let count = sorted.len() as f64;
    let mut most = 0.0_f64;
    for (place, value) in sorted.iter().enumerate() {
        let below = proportion_below(*value);
        most = most
            .max((below - place as f64 / count).abs())
            .max((below - (place as f64 + 1.0) / count).abs());
    }
    most
}

/// Mean and standard deviation. `None` of fewer than two values, or if all are equal.
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

/// Ages of the watched group: mature, and not yet declining (3.81).
const WATCHED: std::ops::RangeInclusive<f64> = 25.0..=40.0;

/// Fewest players of the watched group. Judged: fewer do not represent a pool.
const ENOUGH_WATCHED: usize = 10;

/// The member of a list who is this player. The list is ordered by player.
pub(super) fn find_member(list: &[PoolMember], player: u32) -> Option<&PoolMember> {
    let place = list.binary_search_by_key(&player, |member| member.player).ok()?;
    list.get(place)
}

/// Describes a pool year by year. The lists are in the order of the years, each ordered by player.
pub fn pool_years(lists: &[(i16, Vec<PoolMember>)]) -> Vec<PoolYear> {
    let mut before: Option<&(i16, Vec<PoolMember>)> = None;
    lists
        .iter()
        .map(|list| {
            let year = pool_year(list, before.filter(|(year, _)| *year == list.0 - 1));
            before = Some(list);
            year
        })
        .collect()
}

fn pool_year(
    (year, list): &(i16, Vec<PoolMember>),
    before: Option<&(i16, Vec<PoolMember>)>,
) -> PoolYear {
    let earlier = before.map_or(&[][..], |(_, list)| list.as_slice());
    let stayed = list.iter().filter(|member| find_member(earlier, member.player).is_some()).count();
    let established: Vec<&PoolMember> =
        list.iter().filter(|member| member.is_established).collect();
    let mut ratings: Vec<f64> = established.iter().map(|member| member.rating).collect();
    ratings.sort_by(|a, b| b.total_cmp(a));
    let ages: Vec<f64> = list.iter().filter_map(|member| member.age).collect();
    let of_ratings = moments(&ratings);
    let mut proven: Vec<f64> = Vec::new();
    for member in &established {
        if find_member(earlier, member.player).is_some_and(|before| before.is_established) {
            proven.push(member.rating);
        }
    }
    proven.sort_by(|a, b| b.total_cmp(a));
    let dominance =
        proven.get(..10).and_then(mean).map(|of_ten| (proven[0] - of_ten, proven[0] - proven[1]));
    let mut changes = Vec::new();
    let mut of_watched = Vec::new();
    for member in &established {
        let Some(age) = member.age.filter(|age| WATCHED.contains(age)) else { continue };
        // A player without games did not change, even if the age curve predicts it.
        let Some(earlier) = find_member(earlier, member.player)
            .filter(|earlier| earlier.is_established && member.has_played_since(earlier))
        else {
            continue;
        };
        of_watched.push(member.rating);
        changes.push(member.rating - earlier.rating - (ageing(age) - ageing(age - 1.0)));
    }
    let watched = moments(&changes)
        .filter(|_| changes.len() >= ENOUGH_WATCHED)
        .zip(mean(&of_watched))
        .map(|((change, deviation), mean)| Watched {
            players: changes.len(),
            mean,
            change,
            error: deviation / (changes.len() as f64).sqrt(),
        });
    PoolYear {
        year: *year,
        size: Some(PoolSize {
            listed: list.len(),
            established: established.len(),
            came: if before.is_some() { list.len() - stayed } else { 0 },
            left: earlier.len() - stayed.min(earlier.len()),
        }),
        mean: of_ratings.map(|(mean, _)| mean),
        deviation: of_ratings.map(|(_, deviation)| deviation),
        median: (!ratings.is_empty())
            .then(|| (ratings[(ratings.len() - 1) / 2] + ratings[ratings.len() / 2]) / 2.0),
        best_ten: ratings.get(0..10).and_then(mean),
        ranks_3_to_20: ratings.get(2..20).and_then(mean),
        dominance,
        tenth: ratings.get(9).copied(),
        twentieth: ratings.get(19).copied(),
        rank_50: ratings.get(49).copied(),
        rank_100: ratings.get(99).copied(),
        mean_age: mean(&ages),
        watched,
        shape: Shape::from_ratings(&ratings),
    }
}

impl PoolYear {
    /// The figures that are valid for a list that is complete only from a rating (points) upwards.
    /// Size, averages and distribution become unknown, and lower ranks too. The watched group
    /// remains, if the list contains all of its players.
    pub fn cut(self, complete_from: f64) -> PoolYear {
        let tenth = self.tenth.filter(|rating| *rating >= complete_from);
        let twentieth = self.twentieth.filter(|rating| *rating >= complete_from);
        PoolYear {
            year: self.year,
            // The mean of ten may exceed the limit while the tenth is below it.
            best_ten: self.best_ten.filter(|_| tenth.is_some()),
            ranks_3_to_20: self.ranks_3_to_20.filter(|_| twentieth.is_some()),
            dominance: self.dominance.filter(|_| tenth.is_some()),
            tenth,
            twentieth,
            rank_50: self.rank_50.filter(|rating| *rating >= complete_from),
            rank_100: self.rank_100.filter(|rating| *rating >= complete_from),
            watched: self.watched,
            ..PoolYear::default()
        }
    }
}

/// The age in `year` of a player born in `born`. `None` if the birth is unknown or the age
/// implausible.
pub fn age_in(year: i16, born: Option<i16>) -> Option<f64> {
    born.map(|born| f64::from(year) - f64::from(born)).filter(|age| AGES.contains(age))
}

/// The relation of two systems' ratings of the same players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// Number of players whom both systems rate.
    pub players: usize,
    /// Mean of the second system's ratings minus the first's (points).
    pub difference: f64,
    /// Standard error (points) of the difference.
    pub error: f64,
    /// Standard deviation of the second system's ratings divided by the first's.
    pub slope: f64,
}

/// Relates two systems by their ratings (points) of the same players. `None` for fewer than ten
/// players, or if one system rates all of them equally.
pub fn exchange(pairs: &[(f64, f64)]) -> Option<Exchange> {
    /// Judged: the standard deviation of ten ratings is good to a quarter of itself.
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
    fn maxwell_distribution_is_the_books() {
        // Means and deviations of two pools (9.1). The book reads 945 and 840 off a graph.
        assert_eq!(Maxwell::new(1547.0, 251.6).zero.round(), 951.0);
        assert_eq!(Maxwell::new(1474.0, 271.0).zero.round(), 832.0);
        // 9.17 shows the distribution with zero 862 and most frequent rating 552.
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
    fn critical_distances_are_the_books() {
        let normal = Normal::new(1500.0, 250.0).unwrap();
        let ratings: Vec<f64> =
            (0..1857).map(|place| normal.inverse_cdf((f64::from(place) + 0.5) / 1857.0)).collect();
        let shape = Shape::from_ratings(&ratings).unwrap();
        assert!(
            (shape.critical.0 - 0.0316).abs() < 5e-5 && (shape.critical.1 - 0.0378).abs() < 5e-5
        );
        assert!(shape.normal < 0.002 && shape.maxwell > shape.normal, "{shape:?}");
        assert_eq!(Shape::from_ratings(&ratings[..10]), None);
    }

    #[test]
    fn lead_counts_only_players_established_a_year_before() {
        let before: Vec<PoolMember> =
            (0..12).map(|one| member(one, 2600.0 - 10.0 * f64::from(one), 30.0)).collect();
        let mut after = before.clone();
        after.push(member(20, 2900.0, 20.0));
        let years = pool_years(&[(1980, before), (1981, after)]);
        assert_eq!((years[0].dominance, years[1].dominance), (None, Some((45.0, 10.0))));
    }

    fn member(player: u32, rating: f64, age: f64) -> PoolMember {
        PoolMember { player, rating, played: None, is_established: true, age: Some(age) }
    }

    /// Twenty players who drift by this many points or twice as many.
    fn drifting(year: i16, drift: f64) -> (i16, Vec<PoolMember>) {
        let members = (0..20).map(|player| {
            let age = 25.0 + f64::from(player % 10) + f64::from(year - 1980);
            let rating =
                2400.0 + 10.0 * f64::from(player) + ageing(age) + drift * f64::from(1 + player % 2);
            member(player, rating, age)
        });
        (year, members.collect())
    }

    #[test]
    fn drift_of_watched_players_excludes_the_effect_of_age() {
        let years = pool_years(&[drifting(1980, 0.0), drifting(1981, -4.0), drifting(1983, 0.0)]);
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
    fn newcomers_and_leavers_are_counted() {
        let years = pool_years(&[
            (1980, vec![member(1, 2400.0, 30.0), member(2, 2300.0, 30.0)]),
            (1981, vec![member(2, 2310.0, 31.0), member(3, 2200.0, 20.0), member(4, 2100.0, 20.0)]),
        ]);
        let wanted = PoolSize { listed: 3, established: 3, came: 2, left: 1 };
        assert_eq!(years[1].size, Some(wanted));
        assert_eq!(years[1].median, Some(2200.0));
        assert_eq!(years[1].best_ten, None, "there are only three");
    }

    #[test]
    fn provisional_players_are_listed_but_not_established() {
        let newcomer = PoolMember { is_established: false, ..member(2, 2900.0, 20.0) };
        let years = pool_years(&[(1980, vec![member(1, 2400.0, 30.0), newcomer])]);
        let wanted = PoolSize { listed: 2, established: 1, came: 0, left: 0 };
        assert_eq!((years[0].size, years[0].median), (Some(wanted), Some(2400.0)));
    }

    /// Twenty players, of whom every second one plays. The active ones gain 9 or 11 points a year
    /// more than expected from their age.
    fn half_active(year: i16, years: f64) -> (i16, Vec<PoolMember>) {
        let members = (0..20).map(|player: u32| {
            let (plays, age) = (f64::from(player % 2), 30.0 + years);
            let wins = years * (9.0 + f64::from(player / 2 % 2 * 2));
            let rating = 2400.0 + plays * (wins + ageing(age));
            let played = Some((1.0 + years) * plays);
            PoolMember { played, ..member(player, rating, age) }
        });
        (year, members.collect())
    }

    #[test]
    fn players_without_games_are_not_watched() {
        let years = pool_years(&[half_active(1980, 0.0), half_active(1981, 1.0)]);
        let watched = years[1].watched.unwrap();
        assert_eq!(watched.players, 10);
        assert!((watched.change - 10.0).abs() < 1e-9, "{watched:?}");
    }

    #[test]
    fn truncated_list_keeps_only_ranks_above_the_limit() {
        let list = (0..30).map(|player| member(player, 2600.0 - 10.0 * f64::from(player), 30.0));
        let whole = pool_years(&[(1980, list.collect())])[0];
        assert_eq!((whole.tenth, whole.twentieth), (Some(2510.0), Some(2410.0)));
        let cut = whole.cut(2500.0);
        assert_eq!((cut.best_ten, cut.ranks_3_to_20), (Some(2555.0), None));
        assert_eq!((cut.size, cut.mean, cut.median, cut.shape), (None, None, None, None));
        assert_eq!(whole.cut(2550.0).best_ten, None);
    }

    #[test]
    fn exchange_rate_uses_players_of_both_systems() {
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
