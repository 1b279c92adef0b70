//! The constant of the scale: games determine only differences of strengths.

use rustc_hash::FxHashMap;

use crate::systems::mean::mean;
use crate::systems::results::Anchor;

/// The year whose ten best have a fixed mean rating if no rating anchors the scale, as in
/// historical Elo.
const ANCHOR_YEAR: i16 = 1967;

/// The mean rating (points) of the ten best of that year, as in historical Elo. FIDE's lists as
/// anchors give them 2647.
const ANCHOR: f64 = 2640.0;

/// From this number of anchors on, outliers are left out. An outlier is farther (points) from the
/// median than a strength can be from the same player's rating. Judged: the mean differences of
/// single years scatter by 7 points, and a namesake's rating can be off by hundreds.
const MANY_ANCHORS: usize = 20;
const OUTLIER: f64 = 200.0;

/// Number of the best players whose mean fixes the scale, and against whom deviations are stated.
pub(super) const BEST: usize = 10;

/// A year, and the strengths (points) of its players by number.
pub(super) type Strengths = (i16, Vec<(u32, f64)>);

/// The constant (points) that converts strengths to ratings, and a remark about the scale, if there
/// is one.
///
/// The anchors have their given ratings on average. Without anchors, the ten best of 1967 have a
/// mean of 2640.
pub(super) fn shift(anchors: &[Anchor], strengths_of_years: &[Strengths]) -> (f64, Option<String>) {
    if let Some(shift) = anchored(anchors, strengths_of_years) {
        return (shift, None);
    }
    let anchored =
        strengths_of_years.iter().find(|(year, all)| *year == ANCHOR_YEAR && all.len() >= BEST);
    if let Some((_, strengths)) = anchored {
        return (ANCHOR - mean_of_best(strengths), None);
    }
    let last = strengths_of_years.iter().rev().find(|(_, all)| all.len() >= BEST);
    let Some((year, strengths)) = last.or(strengths_of_years.last()) else {
        let note = "the level of these ratings is arbitrary: no year has ratings".to_owned();
        return (ANCHOR, Some(note));
    };
    let note = format!(
        "the level of these ratings is arbitrary: {ANCHOR_YEAR} has too few players, so the ten \
         best of {year} have a mean of {ANCHOR}"
    );
    (ANCHOR - mean_of_best(strengths), Some(note))
}

/// The mean strength (points) of the ten best.
fn mean_of_best(strengths: &[(u32, f64)]) -> f64 {
    let mut strengths: Vec<f64> = strengths.iter().map(|(_, strength)| *strength).collect();
    strengths.sort_unstable_by(|a, b| b.total_cmp(a));
    strengths.truncate(BEST);
    mean(&strengths)
}

/// The mean difference between the anchors' ratings and their strengths. `None` if no anchor has a
/// strength.
fn anchored(anchors: &[Anchor], strengths_of_years: &[Strengths]) -> Option<f64> {
    let mut by_year: FxHashMap<i16, Vec<&Anchor>> = FxHashMap::default();
    for anchor in anchors {
        by_year.entry(anchor.year).or_default().push(anchor);
    }
    let mut above: Vec<f64> = Vec::new();
    for (year, strengths) in strengths_of_years {
        let Some(of_year) = by_year.get(year) else { continue };
        let known: FxHashMap<u32, f64> = strengths.iter().copied().collect();
        for anchor in of_year {
            if let Some(strength) = known.get(&anchor.player) {
                above.push(anchor.rating - strength);
            }
        }
    }
    above.sort_unstable_by(f64::total_cmp);
    let median = *above.get(above.len() / 2)?;
    // Among many anchors, one can belong to another player.
    if above.len() >= MANY_ANCHORS {
        above.retain(|above| (above - median).abs() <= OUTLIER);
    }
    Some(above.iter().sum::<f64>() / above.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_precede_the_ten_best_and_need_games() {
        let strengths: Vec<Strengths> =
            vec![(1967, (0..20).map(|player| (player, 300.0 - f64::from(player))).collect())];
        let (usual, note) = shift(&[], &strengths);
        assert!((usual - (2640.0 - 295.5)).abs() < 1e-9 && note.is_none());
        let anchors = [(0, 1967, 2700.0), (1, 1967, 2709.0), (2, 1950, 9999.0)]
            .map(|(player, year, rating)| Anchor { player, year, rating });
        assert_eq!(shift(&anchors, &strengths).0, 2405.0);
        assert_eq!(shift(&anchors[2..], &strengths).0, usual);
    }
}
