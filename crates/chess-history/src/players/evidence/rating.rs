//! Weighs the ratings in the games of two names: the chance that one player has both against the
//! chance that two players do.

use std::collections::BTreeMap;

/// The time (years) and the value (points) of a rating tag.
pub(in crate::players) type Tag = (f32, u16);

/// Bounds (years) of the rows of [`WALK`].
const YEARS: [f32; 5] = [0.09, 0.3, 0.75, 1.5, 3.5];

/// Bounds (points) of the columns of [`WALK`].
const POINTS: [u16; 6] = [0, 10, 30, 60, 100, 200];

/// How often the tags of one player that are so many years apart differ by so many points.
///
/// Counted in the shared collection. The first row is set: distinct values of one list hide how
/// often they are equal.
const WALK: [[f64; 7]; 6] = [
    [0.900, 0.040, 0.030, 0.010, 0.006, 0.006, 0.008],
    [0.288, 0.377, 0.271, 0.053, 0.008, 0.002, 0.001],
    [0.105, 0.356, 0.367, 0.133, 0.029, 0.008, 0.002],
    [0.051, 0.266, 0.365, 0.215, 0.069, 0.028, 0.006],
    [0.026, 0.196, 0.320, 0.250, 0.119, 0.069, 0.020],
    [0.014, 0.126, 0.224, 0.243, 0.169, 0.152, 0.072],
];

/// The share of tags that are another player's.
///
/// Judged: one in seventy. It bounds what a single contradiction counts, at six bits.
const WRONG_TAGS: f64 = 0.015;

/// The number of years that count. More are no independent evidence: ratings change slowly.
const MOST_YEARS: usize = 4;

/// The tags (of players) that the ratings of a decade are drawn to, their mean and their standard
/// deviation (points).
///
/// Those of the shared collection, rounded. A collection of one tournament would otherwise call its
/// own ratings common. With ten times as many, a large collection would not have its own either.
const TAGS_BEFORE: f64 = 1000.0;
const USUAL_RATING: f64 = 2300.0;
const USUAL_SPREAD: f64 = 200.0;

/// A rating is a placeholder, such as that of all unrated players, if so many times more names have
/// it than the mean of the ratings near it that some names have. In some decades ratings are
/// multiples of five, so only ratings at multiples of five points from it are compared.
///
/// Judged: by chance, a rating hardly ever has five times the names of its neighbours.
const PLACEHOLDER: f64 = 5.0;

/// Ratings are near one if they differ by so many points. Judged: lists change little over it, and
/// it contains several multiples of five.
const NEAR: u16 = 20;

/// The share of players with each rating, by decade.
#[derive(Debug, Default)]
pub(in crate::players) struct RatingDensity {
    /// The share of ratings below each number of points.
    below: BTreeMap<i32, Vec<f64>>,
    /// The share of names with a placeholder, apart from the two that are compared.
    placeholders: BTreeMap<(i32, u16), f64>,
}

impl RatingDensity {
    /// Counts tags, each of a player once.
    pub fn new<'a>(tags: impl Iterator<Item = &'a [Tag]>) -> RatingDensity {
        let mut counts: BTreeMap<i32, Vec<f64>> = BTreeMap::new();
        let mut names = ExactRatings::default();
        for of_name in tags {
            for tag in of_name {
                let of_decade = counts.entry(decade(tag.0)).or_insert_with(|| vec![0.0; 4000]);
                of_decade[usize::from(tag.1).min(3999)] += 1.0;
            }
            names.add(of_name);
        }
        // A kernel of twenty points: the ratings of a list are multiples of five in some decades.
        let kernel: Vec<f64> =
            (-60..=60).map(|points| (-0.5 * (f64::from(points) / 20.0).powi(2)).exp()).collect();
        let mut below = BTreeMap::new();
        for (decade, counts) in counts {
            let of_kernel: f64 = kernel.iter().sum();
            let usual = (0..4000).map(|points| {
                let deviations = (f64::from(points) - USUAL_RATING) / USUAL_SPREAD;
                (-0.5 * deviations * deviations).exp()
            });
            // The factor makes the sum that of so many tags: 2.507 is the root of two pi.
            let each = TAGS_BEFORE * of_kernel / (2.507 * USUAL_SPREAD);
            let mut smooth: Vec<f64> = usual.map(|share| 1e-9 + each * share).collect();
            for (points, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                for (place, weight) in kernel.iter().enumerate() {
                    if let Some(at) = (points + place).checked_sub(60).filter(|at| *at < 4000) {
                        smooth[at] += count * weight;
                    }
                }
            }
            let all: f64 = smooth.iter().sum();
            let mut sum = 0.0;
            let mut shares = vec![0.0];
            shares.extend(smooth.iter().map(|density| {
                sum += density / all;
                sum
            }));
            below.insert(decade, shares);
        }
        let mut density = RatingDensity { below, placeholders: BTreeMap::new() };
        for (decade, rating, share) in names.placeholders() {
            let usual = density.share((10 * decade) as f32, rating, 0);
            if usual.is_some_and(|usual| share > usual) {
                density.placeholders.insert((decade, rating), share);
            }
        }
        density
    }

    /// Returns the share of ratings that differ from one by a column of [`WALK`].
    fn share(&self, time: f32, rating: u16, column: usize) -> Option<f64> {
        let below = self.below.get(&decade(time))?;
        let at = |points: i32| below[points.clamp(0, 4000) as usize];
        let rating = i32::from(rating);
        let nearest = column.checked_sub(1).map_or(0, |before| i32::from(POINTS[before]) + 1);
        let farthest = POINTS.get(column).map_or(3000, |points| i32::from(*points));
        let share = if column == 0 {
            let placeholder = self.placeholders.get(&(decade(time), rating as u16));
            placeholder.copied().unwrap_or(at(rating + 1) - at(rating))
        } else {
            at(rating + farthest + 1) - at(rating + nearest) + at(rating - nearest + 1)
                - at(rating - farthest)
        };
        Some(share.max(1e-5))
    }

    /// Returns the weight (bits) of two players' tags for one player; `None` if either has none.
    ///
    /// Each year counts once, by the two tags that are nearest in time, and each value once: some
    /// sources give a player one rating for all years.
    pub fn bits(&self, a: &[Tag], b: &[Tag]) -> Option<f64> {
        let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if few.is_empty() {
            return None;
        }
        let mut nearest: BTreeMap<i32, (f32, u16, u16, f32)> = BTreeMap::new();
        for &(time, rating) in few {
            let place = many.partition_point(|other| other.0 < time);
            for &(other_time, other) in &many[place.saturating_sub(3)..(place + 3).min(many.len())]
            {
                let found = ((time - other_time).abs(), rating.abs_diff(other), rating, time);
                let best = nearest.entry(time as i32).or_insert(found);
                if (found.0, found.1) < (best.0, best.1) {
                    *best = found;
                }
            }
        }
        let mut all: Vec<(f32, u16, u16, f32)> = nearest.into_values().collect();
        all.sort_by(|x, y| x.partial_cmp(y).expect("times are numbers"));
        let soon = all.partition_point(|one| one.0 <= 0.75);
        all.truncate(soon.max(1));
        let mut seen = Vec::new();
        all.retain(|&(_, points, rating, _)| {
            let is_repeated = points == 0 && seen.contains(&rating);
            seen.push(rating);
            !is_repeated
        });
        let last = all.len() - 1;
        let counted = all.len().min(MOST_YEARS);
        let mut bits = 0.0;
        for number in 0..counted {
            let place = if counted == 1 { 0 } else { number * last / (counted - 1) };
            let (years, points, rating, time) = all[place];
            let row = YEARS.partition_point(|bound| *bound < years);
            let column = POINTS.partition_point(|bound| *bound < points);
            let Some(share) = self.share(time, rating, column) else { continue };
            bits += (((1.0 - WRONG_TAGS) * WALK[row][column] + WRONG_TAGS * share) / share).log2();
        }
        Some(bits)
    }
}

/// How many names have each rating in each decade.
#[derive(Debug, Default)]
struct ExactRatings {
    names: BTreeMap<i32, u32>,
    counts: BTreeMap<(i32, u16), u32>,
}

impl ExactRatings {
    /// Counts the ratings of a name, each once a decade.
    fn add(&mut self, tags: &[Tag]) {
        let mut ratings: Vec<(i32, u16)> = tags.iter().map(|tag| (decade(tag.0), tag.1)).collect();
        ratings.sort_unstable();
        ratings.dedup();
        for same in ratings.chunk_by(|a, b| a.0 == b.0) {
            *self.names.entry(same[0].0).or_default() += 1;
        }
        for rating in ratings {
            *self.counts.entry(rating).or_default() += 1;
        }
    }

    /// The decade, the rating, and the share of names that have it, of each placeholder. The two
    /// names that are compared do not count.
    fn placeholders(&self) -> Vec<(i32, u16, f64)> {
        let mut found = Vec::new();
        for (&(decade, rating), &count) in &self.counts {
            let others = f64::from(count.saturating_sub(2));
            let near = rating.saturating_sub(NEAR)..=rating.saturating_add(NEAR);
            let near = (decade, *near.start())..=(decade, *near.end());
            let (mut names, mut ratings) = (0, 0);
            for ((_, other), count) in self.counts.range(near) {
                if *other != rating && other.abs_diff(rating).is_multiple_of(5) {
                    names += count;
                    ratings += 1;
                }
            }
            let usual = f64::from(names.max(1)) / f64::from(ratings.max(1));
            if others > PLACEHOLDER * usual {
                let all = self.names.get(&decade).copied().unwrap_or(1);
                found.push((decade, rating, others / f64::from(all)));
            }
        }
        found
    }
}

fn decade(time: f32) -> i32 {
    time as i32 / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most players of 2005 are near 2200, few above 2700.
    fn density() -> RatingDensity {
        let mut tags: Vec<Tag> =
            (0..2000).map(|number| (2005.0, 2000 + (number * 7 % 400) as u16)).collect();
        tags.extend((0..10).map(|number| (2005.0, 2700 + number * 10)));
        RatingDensity::new(std::iter::once(&tags[..]))
    }

    #[test]
    fn equal_ratings_weigh_more_where_they_are_rare() {
        let density = density();
        let bits = |one, other| density.bits(&[(2005.0, one)], &[(2005.0, other)]).unwrap();
        assert!(bits(2750, 2750) > bits(2200, 2200) + 3.0);
        assert!(bits(2200, 2200) > 3.0);
        assert!(bits(2200, 2750) < -2.0);
        assert_eq!(density.bits(&[], &[(2005.0, 2200)]), None);
    }

    #[test]
    fn a_rating_that_many_names_have_shows_little() {
        let names = |all: u16, with_placeholder: u16| {
            let tags = (0..all).map(|name| {
                let rating = if name < with_placeholder { 2000 } else { 2010 + 7 * (name % 90) };
                // Most names have several ratings in a decade.
                (0..5).map(|year| (2001.0 + year as f32, rating)).collect()
            });
            let tags: Vec<Vec<Tag>> = tags.collect();
            let density = RatingDensity::new(tags.iter().map(Vec::as_slice));
            density.bits(&[(2005.0, 2000)], &[(2005.0, 2000)]).unwrap()
        };
        // Two names of twelve may be those of one player, eight of them are not.
        assert!(names(12, 2) > 5.0);
        assert!(names(12, 8) < 1.5);
        assert!(names(1000, 300) < 2.0);
        // Multiples of five are no placeholders.
        assert!(names(1000, 12) > 5.0);
    }

    #[test]
    fn a_rating_that_a_source_repeats_counts_once() {
        let density = density();
        let once = density.bits(&[(2005.0, 2300)], &[(2005.0, 2300)]).unwrap();
        let repeated: Vec<Tag> = (2001..=2005).map(|year| (year as f32, 2300)).collect();
        assert!(density.bits(&repeated, &repeated).unwrap() < once + 0.5);
        let walk: Vec<Tag> = (2001..=2005).map(|year| (year as f32, 2300 + year % 10)).collect();
        assert!(density.bits(&walk, &walk).unwrap() >= once - 0.5);
    }
}
