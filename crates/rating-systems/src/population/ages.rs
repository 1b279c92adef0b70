//! How players change with age, from the lists themselves.
//!
//! After Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), chapters 5 and 6; measuring the change over the
//! same players, so that who drops out does not bend the curve, is ours.

use std::collections::BTreeMap;

use crate::population::pool::Member;
use crate::systems::ComputedList;
use crate::systems::RatedPlayer;
use crate::systems::elo::ageing::{AGES, ageing};

/// A place on a curve of ages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgePoint {
    /// Age in whole years.
    pub age: i16,
    /// Players who were on lists at this age and at the next one towards the start.
    pub players: usize,
    /// How much (points) players of this age are above themselves at 21, beside the best of their time.
    pub mean: f64,
    /// Its standard error (points).
    pub error: f64,
}

/// A curve of ages, of all or of those born within 25 years.
#[derive(Clone, Debug, PartialEq)]
pub struct AgeCurve {
    /// The first year of birth; `None` of all.
    pub generation: Option<i16>,
    /// Its points, the youngest first.
    pub points: Vec<AgePoint>,
}

/// The age at which the curve is nought; where too few of that age are known, it begins at the youngest of whom enough are, on the
/// curve of the book.
const START: i16 = 21;

/// Players whose change an age needs, of all, and of a generation.
const ENOUGH: usize = 50;

/// Years of a generation.
pub const GENERATION: i16 = 25;

/// The ranks with whose mean rating everybody is compared.
const RANKS: std::ops::Range<usize> = 2..20;

/// The first year of a generation.
pub fn generation(born: i16) -> i16 {
    born - born.rem_euclid(GENERATION)
}

/// Sums of changes.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    count: usize,
    sum: f64,
    squares: f64,
}

impl Changes {
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

/// The curves of all and of each generation, from lists of January in the order of the years, each in the order of the players.
pub fn age_curves(lists: &[(i16, Vec<Member>)]) -> Vec<AgeCurve> {
    let mut by_generation: BTreeMap<Option<i16>, BTreeMap<i16, Changes>> = BTreeMap::new();
    for pair in lists.windows(2) {
        let [(year_before, earlier), (now, later)] = pair else { continue };
        let (Some(base_before), Some(base)) = (base(earlier), base(later)) else { continue };
        if now - year_before != 1 {
            continue;
        }
        for member in later.iter().filter(|member| member.is_established) {
            let Some(age) = member.age else { continue };
            let Ok(place) = earlier.binary_search_by_key(&member.player, |one| one.player) else {
                continue;
            };
            let before = &earlier[place];
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
fn base(list: &[Member]) -> Option<f64> {
    let mut ratings: Vec<f64> =
        list.iter().filter(|member| member.is_established).map(|member| member.rating).collect();
    ratings.sort_by(|a, b| b.total_cmp(a));
    let best = ratings.get(RANKS)?;
    Some(best.iter().sum::<f64>() / best.len() as f64)
}

/// Mean changes summed up from the start, to where too few are left.
fn curve(changes: &BTreeMap<i16, Changes>) -> Vec<AgePoint> {
    let known = |age: i16| changes.get(&age).filter(|changes| changes.count >= ENOUGH);
    let mut points = Vec::new();
    let has_start = known(START).is_some() || known(START - 1).is_some();
    let youngest = changes.keys().copied().find(|age| known(*age).is_some()).unwrap_or(START);
    let start = if has_start { START } else { youngest };
    let from = if has_start { 0.0 } else { ageing(f64::from(start)) };
    let (mut mean, mut variance) = (from, 0.0);
    let mut age = start;
    while let Some(before) = known(age - 1) {
        mean -= before.mean();
        variance += before.variance();
        age -= 1;
        points.push(AgePoint { age, players: before.count, mean, error: f64::sqrt(variance) });
    }
    points.reverse();
    let players = known(start).or(known(start - 1)).map_or(0, |changes| changes.count);
    points.push(AgePoint { age: start, players, mean: from, error: 0.0 });
    (mean, variance, age) = (from, 0.0, start);
    while let Some(next) = known(age) {
        mean += next.mean();
        variance += next.variance();
        age += 1;
        points.push(AgePoint { age, players: next.count, mean, error: f64::sqrt(variance) });
    }
    points
}

/// Ages of several players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgesOf {
    /// How many.
    pub players: usize,
    /// The lower quartile, the median and the upper one.
    pub quartiles: [f64; 3],
}

impl AgesOf {
    /// Of ages in any order; `None` without any.
    pub fn of(ages: &[f64]) -> Option<AgesOf> {
        if ages.is_empty() {
            return None;
        }
        let mut sorted = ages.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let place = part * (sorted.len() - 1) as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            sorted[low] + (place - place.floor()) * (sorted[high] - sorted[low])
        };
        Some(AgesOf { players: sorted.len(), quartiles: [at(0.25), at(0.5), at(0.75)] })
    }
}

/// On 1 January those born in a year are half a year younger, in the mean, than the years tell.
const HALF_A_YEAR: f64 = 0.5;

/// Years over which a rating is taken at its peak.
const PEAK_YEARS: usize = 3;

/// Ages in the middle of the best three years beside contemporaries, as they are in the mean of a year of birth, of players with lists before and behind these: (generation, age). Years in
/// which somebody did not play tell nothing of him.
pub fn peaks_beside_others(lists: &[(i16, Vec<Member>)]) -> Vec<(i16, f64)> {
    let mut of: BTreeMap<u32, Vec<(i16, f64, f64)>> = BTreeMap::new();
    let mut last: BTreeMap<u32, &Member> = BTreeMap::new();
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
    let peak = |years: Vec<(i16, f64, f64)>| {
        let windows = years.windows(PEAK_YEARS).enumerate();
        let whole = windows.filter(|(_, three)| {
            usize::try_from(three[PEAK_YEARS - 1].0 - three[0].0) == Ok(PEAK_YEARS - 1)
        });
        let sum = |three: &[(i16, f64, f64)]| three.iter().map(|year| year.2).sum::<f64>();
        let (best, three) = whole.max_by(|a, b| sum(a.1).total_cmp(&sum(b.1)))?;
        let has_both_sides = best > 0 && best + PEAK_YEARS < years.len();
        let (year, age, _) = three[PEAK_YEARS / 2];
        has_both_sides.then(|| (generation(year - age as i16), age - HALF_A_YEAR))
    };
    of.into_values().filter_map(peak).collect()
}

/// Ages in the middle of the best period, of players with periods on both sides of it: (generation, age), from lists of periods in order;
/// `last_year` tells the last year of one by its first.
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
    let peak = |(player, ratings): (u32, Vec<(i16, f64)>)| {
        let born = players[player as usize].born?;
        let (best, (first, _)) =
            ratings.iter().enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
        let has_both_sides = best > 0 && best + 1 < ratings.len();
        let age = f64::from(*first + last_year(*first) + 1) / 2.0 - f64::from(born) - HALF_A_YEAR;
        (has_both_sides && AGES.contains(&age)).then_some((generation(born), age))
    };
    of.into_iter().filter_map(peak).collect()
}

/// The levels (points) at whose first reaching ages are asked.
pub const LEVELS: [f64; 5] = [2300.0, 2400.0, 2500.0, 2600.0, 2700.0];

/// Ages, in the mean of a year of birth, at the first established rating from a level on, of each player who reached it: (generation, level, age).
pub fn first_at_levels(lists: &[(i16, Vec<Member>)]) -> Vec<(i16, f64, f64)> {
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

    /// A hundred players of each age from 18 to 60, and a top that stays.
    fn lists() -> Vec<(i16, Vec<Member>)> {
        (0..3)
            .map(|year| {
                let mut members: Vec<Member> = (0..30)
                    .map(|player| Member {
                        player,
                        rating: 2800.0,
                        played: None,
                        is_established: true,
                        age: None,
                    })
                    .collect();
                for born in 0..43 {
                    for one in 0..60 {
                        let age = f64::from(18 + born + year);
                        let own = f64::from(one) * 5.0;
                        members.push(Member {
                            player: 100 + (born * 60 + one) as u32,
                            rating: 2000.0 + own + ageing(age),
                            played: None,
                            is_established: true,
                            age: Some(age),
                        });
                    }
                }
                (1980 + year as i16, members)
            })
            .collect()
    }

    #[test]
    fn the_curve_that_made_the_ratings_comes_out() {
        let curves = age_curves(&lists());
        let all = curves.iter().find(|curve| curve.generation.is_none()).unwrap();
        assert_eq!(all.points.first().unwrap().age, 18);
        for point in &all.points {
            assert!((point.mean - ageing(f64::from(point.age))).abs() < 1e-6, "{point:?}");
        }
        assert!(curves.len() > 1, "by generation too");
    }

    #[test]
    fn where_nobody_of_21_is_known_the_curve_begins_on_that_of_the_book() {
        let old: Vec<(i16, Vec<Member>)> = lists()
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
    fn who_reaches_several_levels_at_once_has_the_same_age_at_all() {
        let list = |year: i16, rating: f64| {
            let member = Member {
                player: 1,
                rating,
                played: None,
                is_established: true,
                age: Some(f64::from(year - 1960)),
            };
            (year, vec![member])
        };
        let found = first_at_levels(&[
            list(1978, 2250.0),
            list(1979, 2410.0),
            list(1981, 2390.0),
            list(1985, 2500.0),
        ]);
        assert_eq!(found, [(1950, 2300.0, 18.5), (1950, 2400.0, 18.5), (1950, 2500.0, 24.5)]);
    }

    #[test]
    fn the_peak_lies_where_three_years_together_are_best_with_years_on_both_sides() {
        let of = |ratings: &[f64]| {
            let lists: Vec<(i16, Vec<Member>)> = (1980..)
                .zip(ratings)
                .map(|(year, rating)| {
                    let member = |player: u32, rating: f64, age: Option<f64>| Member {
                        player,
                        rating,
                        played: None,
                        is_established: true,
                        age,
                    };
                    let mut list = vec![member(0, *rating, Some(f64::from(year - 1950)))];
                    list.extend((1..30).map(|player| member(player, 2500.0, None)));
                    (year, list)
                })
                .collect();
            peaks_beside_others(&lists)
        };
        // 1983 alone is best, 1981 to 1983 together.
        assert_eq!(of(&[2400.0, 2450.0, 2450.0, 2470.0, 2300.0]), [(1950, 31.5)]);
        assert_eq!(of(&[2400.0, 2450.0, 2460.0, 2470.0]), [], "it may have gone on rising");
    }

    #[test]
    fn years_without_a_game_are_not_years_after_the_peak() {
        // He stays where he is; the others rise from the fourth year on, so that beside them he falls.
        let of = |games: [f64; 6]| {
            let lists: Vec<(i16, Vec<Member>)> = (1980..)
                .zip([2400.0, 2450.0, 2460.0, 2470.0, 2470.0, 2470.0])
                .zip(games)
                .map(|((year, rating), games)| {
                    let member = |player: u32, rating: f64, age: Option<f64>| Member {
                        player,
                        rating,
                        played: Some(if player == 0 { games } else { f64::from(year) }),
                        is_established: true,
                        age,
                    };
                    let others = 2500.0 + 30.0 * f64::from((year - 1983).max(0));
                    let mut list = vec![member(0, rating, Some(f64::from(year - 1950)))];
                    list.extend((1..30).map(|player| member(player, others, None)));
                    (year, list)
                })
                .collect();
            peaks_beside_others(&lists)
        };
        assert_eq!(of([40.0, 50.0, 60.0, 70.0, 80.0, 90.0]), [(1950, 31.5)], "he played on");
        assert_eq!(of([40.0, 50.0, 60.0, 70.0, 70.0, 70.0]), [], "he stopped at his best");
    }

    #[test]
    fn the_best_period_counts_in_its_middle_and_only_between_others() {
        use crate::systems::ListedRating;
        use jiff::civil::date;
        let born = [Some(1900), Some(1900), None];
        let players = born.map(|born| RatedPlayer { born, ..RatedPlayer::default() });
        let of = |year: i16, ratings: [f64; 3]| {
            let lines = (0..).zip(ratings).map(|(player, rating)| ListedRating {
                player,
                rating,
                games: 40.0,
                deviation: None,
                is_provisional: false,
            });
            ComputedList::of(date(year, 1, 1), lines.collect())
        };
        let lists = [
            of(1925, [2500.0, 2700.0, 2500.0]),
            of(1930, [2600.0, 2600.0, 2600.0]),
            of(1935, [2500.0, 2500.0, 2500.0]),
        ];
        // 1930 to 1934 has its middle in the middle of 1932, and so has 1900; the second was at his best in the first of his, of the third no birth is known.
        assert_eq!(peaks_of_periods(&lists, &players, &|first| first + 4), [(1900, 32.0)]);
    }

    #[test]
    fn quartiles_lie_between_the_middle_ones() {
        assert_eq!(AgesOf::of(&[20.0, 30.0, 25.0, 35.0]).unwrap().quartiles, [23.75, 27.5, 31.25]);
        assert_eq!(AgesOf::of(&[]), None);
    }
}
