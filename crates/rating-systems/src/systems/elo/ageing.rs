//! The effect of age on strength, relative to the player's own strength at 21.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.67,
//! 6.22, 6.32, 6.33. The book gives points of the curve but no equation. The parabolas between the
//! points, and the mean of the two groups of young masters, are ours.

/// Plausible ages (years) of players. Judged: outside this range, a wrong year of birth or a
/// namesake is likelier than a player of that age.
pub const AGES: std::ops::Range<f64> = 8.0..90.0;

/// The reference age of the curve (years, 5.67).
const START: f64 = 21.0;

/// The age of the peak (years), its height above the reference age (points), and the age at which
/// strength has fallen to the reference again (5.67, 6.22).
const PEAK: f64 = 36.0;
pub(super) const RISE: f64 = 120.0;
const BACK: f64 = 63.0;

/// Points below the own level at 21, at the ages 13 to 20, of 12 early and 15 late masters (6.32).
const EARLY: [f64; 8] = [660.0, 515.0, 325.0, 190.0, 130.0, 95.0, 40.0, 20.0];
const LATE: [f64; 8] = [715.0, 560.0, 350.0, 290.0, 200.0, 145.0, 100.0, 30.0];
const MASTERS: (f64, f64) = (12.0, 15.0);

/// The first age of that table (years, 6.32).
const YOUNGEST: f64 = 13.0;

/// Points gained per year at younger ages (6.33).
const YOUNG_GAIN: f64 = 150.0;

/// The mean of both groups at an index of the table; 0 at the age of 21.
fn youth(place: usize) -> f64 {
    match EARLY.get(place).zip(LATE.get(place)) {
        Some((early, late)) => -(MASTERS.0 * early + MASTERS.1 * late) / (MASTERS.0 + MASTERS.1),
        None => 0.0,
    }
}

/// The strength at an age (years) relative to the own strength at 21 (points). It rises by 120
/// points from 21 to 36, and falls to zero again at 63.
pub fn ageing(age: f64) -> f64 {
    ageing_by(age, RISE)
}

/// The same curve with another rise (points) from 21 to 36.
pub(super) fn ageing_by(age: f64, rise: f64) -> f64 {
    if age < YOUNGEST {
        return youth(0) - YOUNG_GAIN * (YOUNGEST - age);
    }
    if age < START {
        let place = (age - YOUNGEST).floor();
        let (from, to) = (youth(place as usize), youth(place as usize + 1));
        return from + (age - YOUNGEST - place) * (to - from);
    }
    let width = if age < PEAK { PEAK - START } else { BACK - PEAK };
    rise * (1.0 - ((age - PEAK) / width).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ageing_curve_peaks_at_36_and_returns_to_zero_at_63() {
        assert_eq!(ageing(21.0), 0.0);
        assert_eq!(ageing(36.0), 120.0);
        assert_eq!(ageing(63.0), 0.0);
    }

    #[test]
    fn young_players_follow_the_table_of_young_masters() {
        let found: Vec<f64> = (13..=20).map(|age| ageing(f64::from(age)).round()).collect();
        assert_eq!(found, [-691.0, -540.0, -339.0, -246.0, -169.0, -123.0, -73.0, -26.0]);
        assert!((ageing(15.5) - (-338.9 - 245.6) / 2.0).abs() < 0.1);
        assert!((ageing(11.0) - (ageing(13.0) - 300.0)).abs() < 1e-9);
        assert!(ageing(20.999) < 0.0 && ageing(20.999) > -0.1, "no step at 21");
    }
}
