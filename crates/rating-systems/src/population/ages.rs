//! Measures how ratings change with age, from rating lists.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), chapters
//! 5 and 6. Measuring the change over the same players is ours: players who drop out then do not
//! bend the curve.

use std::collections::BTreeMap;

use crate::population::pool::{PoolMember, find_member};
use crate::systems::ComputedList;
use crate::systems::RatedPlayer;
use crate::systems::elo::ageing::{AGES, ageing};

/// A point of an age curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgePoint {
    /// Age in whole years.
    pub age: i16,
    /// Players with an established rating at this age and one year nearer to the start of the
    /// curve.
    pub players: usize,
    /// Mean rating (points) relative to the same players at 21. Ratings are measured against the
    /// best players of their time.
    pub mean: f64,
    /// Standard error of the mean (points).
    pub error: f64,
}

/// An age curve of all players, or of those born within 25 years.
#[derive(Clone, Debug, PartialEq)]
pub struct AgeCurve {
    /// First year of birth of the generation. `None` of all players.
    pub generation: Option<i16>,
    /// The points, the youngest age first.
    pub points: Vec<AgePoint>,
}

/// The age at which the curve is zero, as in the book (5.67). If too few players of that age are
/// known, the curve starts at the youngest age with enough players, at the value of the book's
/// curve.
const START: i16 = 21;

/// Fewest players for the change at an age, of all players and of a generation. Judged: if changes
/// of a year scatter by 50 points, the mean of fifty is good to 7 points.
const ENOUGH: usize = 50;

/// Width of a generation (years of birth). Judged: with half of it, early generations would have
/// too few players at most ages.
pub const GENERATION: i16 = 25;

/// The ranks (from 0) whose mean rating is the base of all comparisons: 3 to 20, as those that
/// align the lists of Chessmetrics.
const RANKS: std::ops::Range<usize> = 2..20;

/// The first year of birth of the generation to which a year of birth belongs.
pub fn generation(born: i16) -> i16 {
    born - born.rem_euclid(GENERATION)
}

/// Sums of rating changes.
#[derive(Clone, Copy, Debug, Default)]
struct RatingChanges {
    count: usize,
    sum: f64,
    squares: f64,
}

impl RatingChanges {
    fn add(&mut self, change: f64) {
        self.count += 1;
        self.sum += change;
        self.squares += change * change;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The variance of the mean.
    fn variance(&self) -> f64 {
        let count = self.count as f64;
        let spread = (self.squares - count * self.mean() * self.mean()).max(0.0);
        if self.count < 2 { 0.0 } else { spread / (count - 1.0) / count }
    }
}

/// Computes the curves of all players and of each generation. The lists are those of January in the
/// order of the years, each ordered by player.
pub fn age_curves(lists: &[(i16, Vec<PoolMember>)]) -> Vec<AgeCurve> {
    let mut by_generation: BTreeMap<Option<i16>, BTreeMap<i16, RatingChanges>> = BTreeMap::new();
    for pair in lists.windows(2) {
        let [(year_before, earlier), (now, later)] = pair else { continue };
        let (Some(base_before), Some(base)) = (base(earlier), base(later)) else { continue };
        if now - year_before != 1 {
            continue;
        }
        for member in later.iter().filter(|member| member.is_established) {
            let Some(age) = member.age else { continue };
            let Some(before) = find_member(earlier, member.player) else { continue };
            if !before.is_established || !member.has_played_since(before) {
                continue;
            }
            let change = (member.rating - base) - (before.rating - base_before);
            let from = age as i16 - 1;
            let born = now - age as i16;
            for generation in [None, Some(generation(born))] {
                by_generation.entry(generation).or_default().entry(from).or_default().add(change);
            }
        }
    }
    by_generation
        .into_iter()
        .filter_map(|(generation, changes)| {
            let points = curve(&changes);
            (points.len() > 1).then_some(AgeCurve { generation, points })
        })
        .collect()
}

/// The mean rating (points) of ranks 3 to 20 of a list.
fn base(list: &[PoolMember]) -> Option<f64> {
    let mut ratings: Vec<f64> =
        list.iter().filter(|member| member.is_established).map(|member| member.rating).collect();
    ratings.sort_by(|a, b| b.total_cmp(a));
    let best = ratings.get(RANKS)?;
    Some(best.iter().sum::<f64>() / best.len() as f64)
}

/// Sums mean changes outwards from the start, as far as there are enough players.
fn curve(changes: &BTreeMap<i16, RatingChanges>) -> Vec<AgePoint> {
    let known: BTreeMap<i16, &RatingChanges> = changes
        .iter()
        .filter(|(_, changes)| changes.count >= ENOUGH)
        .map(|(age, changes)| (*age, changes))
        .collect();
    let mut points = Vec::new();
    let has_start = known.contains_key(&START) || known.contains_key(&(START - 1));
    let youngest = known.keys().next().copied().unwrap_or(START);
    let start = if has_start { START } else { youngest };
    let from = if has_start { 0.0 } else { ageing(f64::from(start)) };
    let (mut mean, mut variance) = (from, 0.0);
    let mut age = start;
    while let Some(before) = known.get(&(age - 1)) {
        mean -= before.mean();
        variance += before.variance();
        age -= 1;
        points.push(AgePoint { age, players: before.count, mean, error: f64::sqrt(variance) });
    }
    points.reverse();
    let at_start = known.get(&start).or(known.get(&(start - 1)));
    let players = at_start.map_or(0, |changes| changes.count);
    points.push(AgePoint { age: start, players, mean: from, error: 0.0 });
    (mean, variance, age) = (from, 0.0, start);
    while let Some(next) = known.get(&age) {
        mean += next.mean();
        variance += next.variance();
        age += 1;
        points.push(AgePoint { age, players: next.count, mean, error: f64::sqrt(variance) });
    }
    points
}

/// Quartiles of the ages of a group of players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgeQuartiles {
    /// Number of players whose ages are known.
    pub players: usize,
    /// Lower quartile, median and upper quartile (years).
    pub quartiles: [f64; 3],
}

impl AgeQuartiles {
    /// Computes the quartiles. The order of the ages does not matter. `None` without ages.
    pub fn from_ages(ages: &[f64]) -> Option<AgeQuartiles> {
        if ages.is_empty() {
            return None;
        }
        let mut sorted = ages.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quartiles = [0.25, 0.5, 0.75].map(|part| {
            let place = part * (sorted.len() - 1) as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            sorted[low] + (place - place.floor()) * (sorted[high] - sorted[low])
        });
        Some(AgeQuartiles { players: sorted.len(), quartiles })
    }
}

/// On 1 January players are on average half a year younger than the difference of the years.
const HALF_A_YEAR: f64 = 0.5;

/// Length (years) of a peak. Judged: in a single year chance has more weight; five years would hide
/// short peaks.
const PEAK_YEARS: usize = 3;

/// Ages at the middle of each player's best three consecutive years, measured against
/// contemporaries: (generation, age). A peak needs a list before and a list after these years.
/// Years without games of the player do not count. Ages are the means of a year of birth.
pub fn peaks_against_contemporaries(lists: &[(i16, Vec<PoolMember>)]) -> Vec<(i16, f64)> {
    let mut of: BTreeMap<u32, Vec<(i16, f64, f64)>> = BTreeMap::new();
    let mut last: BTreeMap<u32, &PoolMember> = BTreeMap::new();
    for (year, list) in lists {
        let base = base(list);
        for member in list.iter().filter(|member| member.is_established) {
            let before = last.insert(member.player, member);
            let has_played = before.is_none_or(|before| member.has_played_since(before));
            let Some(base) = base.filter(|_| has_played) else { continue };
            if let Some(age) = member.age {
                of.entry(member.player).or_default().push((*year, age, member.rating - base));
            }
        }
    }
    of.into_values().filter_map(|years| peak_within(&years)).collect()
}

/// The middle of the best three consecutive years of a player: (generation, age). `years` are
/// (year, age, lead over contemporaries). `None` without years before and after these three.
fn peak_within(years: &[(i16, f64, f64)]) -> Option<(i16, f64)> {
    let (best, three) = years
        .windows(PEAK_YEARS)
        .enumerate()
        .filter(|(_, three)| {
            usize::try_from(three[PEAK_YEARS - 1].0 - three[0].0) == Ok(PEAK_YEARS - 1)
        })
        .max_by(|(_, a), (_, b)| total_lead(a).total_cmp(&total_lead(b)))?;
    let has_both_sides = best > 0 && best + PEAK_YEARS < years.len();
    let (year, age, _) = three[PEAK_YEARS / 2];
    has_both_sides.then(|| (generation(year - age as i16), age - HALF_A_YEAR))
}

fn total_lead(years: &[(i16, f64, f64)]) -> f64 {
    years.iter().map(|(_, _, lead)| lead).sum()
}

/// Ages at the middle of each player's best period: (generation, age). A peak needs a period before
/// and one after it. The lists are those of periods in order; `last_year` maps the first year of a
/// period to its last.
pub fn peaks_of_periods(
    lists: &[ComputedList],
    players: &[RatedPlayer],
    last_year: &dyn Fn(i16) -> i16,
) -> Vec<(i16, f64)> {
    let mut of: BTreeMap<u32, Vec<(i16, f64)>> = BTreeMap::new();
    for list in lists {
        for line in list.ratings.iter().filter(|line| !line.is_provisional) {
            of.entry(line.player).or_default().push((list.day.year(), line.rating));
        }
    }
    let mut peaks = Vec::new();
    for (player, ratings) in of {
        let Some(born) = players[player as usize].born else { continue };
        let best = ratings.iter().enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let Some((best, (first, _))) = best else { continue };
        let has_both_sides = best > 0 && best + 1 < ratings.len();
        let age = f64::from(*first + last_year(*first) + 1) / 2.0 - f64::from(born) - HALF_A_YEAR;
        if has_both_sides && AGES.contains(&age) {
            peaks.push((generation(born), age));
        }
    }
    peaks
}

/// Ratings (points) for which [`first_at_levels`] computes ages: those of the book (6.42) and the
/// two next ones.
pub const LEVELS: [f64; 5] = [2300.0, 2400.0, 2500.0, 2600.0, 2700.0];

/// Ages at each player's first established rating at or above a level: (generation, level, age).
/// Ages are the means of a year of birth.
pub fn first_at_levels(lists: &[(i16, Vec<PoolMember>)]) -> Vec<(i16, f64, f64)> {
    let mut reached: BTreeMap<u32, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (year, list) in lists {
        for member in list.iter().filter(|member| member.is_established) {
            let Some(age) = member.age else { continue };
            let next = reached.entry(member.player).or_default();
            while LEVELS.get(*next).is_some_and(|level| member.rating >= *level) {
                found.push((generation(year - age as i16), LEVELS[*next], age - HALF_A_YEAR));
                *next += 1;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(player: u32, rating: f64, age: Option<f64>) -> PoolMember {
        PoolMember { player, rating, played: None, is_established: true, age }
    }

    /// Sixty players of each age from 18 to 60, and a top group whose ratings stay constant.
    fn lists() -> Vec<(i16, Vec<PoolMember>)> {
        (0..3)
            .map(|year| {
                let mut members: Vec<PoolMember> =
                    (0..30).map(|player| member(player, 2800.0, None)).collect();
                for born in 0..43 {
                    for one in 0..60 {
                        let player = 100 + (born * 60 + one) as u32;
                        let age = f64::from(18 + born + year);
                        let rating = 2000.0 + f64::from(one) * 5.0 + ageing(age);
                        members.push(member(player, rating, Some(age)));
                    }
                }
                (1980 + year as i16, members)
            })
            .collect()
    }

    #[test]
    fn age_curve_recovers_the_curve_behind_the_ratings() {
        let curves = age_curves(&lists());
        let all = curves.iter().find(|curve| curve.generation.is_none()).unwrap();
        assert_eq!(all.points.first().unwrap().age, 18);
        for point in &all.points {
            assert!((point.mean - ageing(f64::from(point.age))).abs() < 1e-6, "{point:?}");
        }
        assert!(curves.len() > 1, "by generation too");
    }

    #[test]
    fn without_players_of_21_the_curve_starts_on_the_books_curve() {
        let old: Vec<(i16, Vec<PoolMember>)> = lists()
            .into_iter()
            .map(|(year, list)| {
                (
                    year,
                    list.into_iter()
                        .filter(|member| member.age.is_none_or(|age| age >= 30.0))
                        .collect(),
                )
            })
            .collect();
        let curves = age_curves(&old);
        let first = curves[0].points[0];
        assert_eq!((first.age, first.mean), (30, ageing(30.0)));
        assert!(curves[0].points.len() > 20);
    }

    #[test]
    fn levels_reached_on_one_list_have_the_same_age() {
        let lists = [(1978, 2250.0), (1979, 2410.0), (1981, 2390.0), (1985, 2500.0)]
            .map(|(year, rating)| (year, vec![member(1, rating, Some(f64::from(year - 1960)))]));
        let found = first_at_levels(&lists);
        assert_eq!(found, [(1950, 2300.0, 18.5), (1950, 2400.0, 18.5), (1950, 2500.0, 24.5)]);
    }

    /// The peaks of a player with these ratings from 1980 on, against 29 players rated 2500.
    fn peaks_of_ratings(ratings: &[f64]) -> Vec<(i16, f64)> {
        let lists: Vec<(i16, Vec<PoolMember>)> = (1980..)
            .zip(ratings)
            .map(|(year, rating)| {
                let mut list = vec![member(0, *rating, Some(f64::from(year - 1950)))];
                list.extend((1..30).map(|player| member(player, 2500.0, None)));
                (year, list)
            })
            .collect();
        peaks_against_contemporaries(&lists)
    }

    #[test]
    fn peak_is_the_best_three_years_between_other_years() {
        // 1983 is the best single year, 1981 to 1983 the best three years.
        let found = peaks_of_ratings(&[2400.0, 2450.0, 2450.0, 2470.0, 2300.0]);
        assert_eq!(found, [(1950, 31.5)]);
        let found = peaks_of_ratings(&[2400.0, 2450.0, 2460.0, 2470.0]);
        assert_eq!(found, [], "it may have gone on rising");
    }

    /// The peaks of a player who keeps the rating of 1983, with the number of games so far on each
    /// list. The others gain from 1984 on.
    fn peaks_with_games(games: [f64; 6]) -> Vec<(i16, f64)> {
        let lists: Vec<(i16, Vec<PoolMember>)> = (1980..)
            .zip([2400.0, 2450.0, 2460.0, 2470.0, 2470.0, 2470.0])
            .zip(games)
            .map(|((year, rating), games)| {
                let own = member(0, rating, Some(f64::from(year - 1950)));
                let mut list = vec![PoolMember { played: Some(games), ..own }];
                let others = 2500.0 + 30.0 * f64::from((year - 1983).max(0));
                list.extend((1..30).map(|player| {
                    let played = Some(f64::from(year));
                    PoolMember { played, ..member(player, others, None) }
                }));
                (year, list)
            })
            .collect();
        peaks_against_contemporaries(&lists)
    }

    #[test]
    fn years_without_games_do_not_follow_a_peak() {
        let found = peaks_with_games([40.0, 50.0, 60.0, 70.0, 80.0, 90.0]);
        assert_eq!(found, [(1950, 31.5)], "played on");
        let found = peaks_with_games([40.0, 50.0, 60.0, 70.0, 70.0, 70.0]);
        assert_eq!(found, [], "stopped after the best year");
    }

    #[test]
    fn peak_of_periods_is_the_middle_of_the_best_inner_period() {
        use crate::systems::ListedRating;
        use jiff::civil::date;
        let born = [Some(1900), Some(1900), None];
        let players = born.map(|born| RatedPlayer { born, ..RatedPlayer::default() });
        let lists = [
            (1925, [2500.0, 2700.0, 2500.0]),
            (1930, [2600.0, 2600.0, 2600.0]),
            (1935, [2500.0, 2500.0, 2500.0]),
        ]
        .map(|(year, ratings)| {
            let lines = (0..).zip(ratings);
            let lines = lines.map(|(player, rating)| ListedRating::new(player, rating, 40.0));
            ComputedList::new(date(year, 1, 1), lines.collect())
        });
        // The middle of 1930 to 1934 is the middle of 1932, and births are in the middle of 1900.
        // The second player has the best rating in the first period, and the third player's birth
        // is unknown.
        assert_eq!(peaks_of_periods(&lists, &players, &|first| first + 4), [(1900, 32.0)]);
    }

    #[test]
    fn quartiles_interpolate_between_ages() {
        assert_eq!(
            AgeQuartiles::from_ages(&[20.0, 30.0, 25.0, 35.0]).unwrap().quartiles,
            [23.75, 27.5, 31.25]
        );
        assert_eq!(AgeQuartiles::from_ages(&[]), None);
    }
}
