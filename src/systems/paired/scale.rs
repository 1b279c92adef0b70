//! Where the scale begins: strengths say only who is how much stronger than whom.

/// The year in which the ten best have a known rating, if nothing better is known.
const ANCHOR_YEAR: i16 = 1967;

/// The mean rating (points) of the ten best of that year; the same that historical Elo takes.
const ANCHOR: f64 = 2640.0;

/// How many are the best.
pub(super) const BEST: usize = 10;

/// By how much (points) strengths are moved to be ratings, of the strengths of each year; and what is to be told of it.
pub(super) fn shift(strengths_of_years: &[(i16, Vec<f64>)]) -> (f64, Option<String>) {
    let best = |strengths: &[f64]| {
        let mut strengths = strengths.to_vec();
        strengths.sort_unstable_by(|a, b| b.total_cmp(a));
        strengths.truncate(BEST);
        strengths.iter().sum::<f64>() / strengths.len().max(1) as f64
    };
    let enough = |strengths: &[f64]| strengths.len() >= BEST;
    let anchored =
        strengths_of_years.iter().find(|(year, all)| *year == ANCHOR_YEAR && enough(all));
    if let Some((_, strengths)) = anchored {
        return (ANCHOR - best(strengths), None);
    }
    let last = strengths_of_years.iter().rev().find(|(_, all)| enough(all));
    let Some((year, strengths)) = last.or(strengths_of_years.last()) else { return (ANCHOR, None) };
    let note = format!(
        "the level of these ratings is arbitrary: there are no games of {ANCHOR_YEAR}, so the ten best of {year} \
         are given {ANCHOR}"
    );
    (ANCHOR - best(strengths), Some(note))
}
