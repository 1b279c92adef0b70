//! Computes resistance, stamina, the G-score with its bands, and the strength of an event.

use serde::Serialize;

/// The anchor of the rating scale: the rating (points) of the world number two is shifted to it.
/// Source: Berard, the PRA paper, as for all constants here.
pub const ANCHOR: f64 = 2800.0;

/// Scale of the G-score.
pub const SCALE: f64 = 66.7;

/// Number of games per unit of stamina.
pub const STAMINA_GAMES: f64 = 20.0;

/// Lowest G-score of the Greatness List.
pub const LIST_THRESHOLD: f64 = 100.0;

/// Resistance of a player with this rating; 1 for the world number two.
///
/// `rho = (rating + slide) / 2800` with `slide = 2800 - number two`. The resistance is
///
/// - 0 for a negative rho,
/// - `0.2 rho` up to one half,
/// - `3.6 (rho - 0.5)^2 + 0.1` up to one,
/// - `rho` beyond.
pub fn resistance(rating: f64, number_two: f64) -> f64 {
    let rho = (rating + ANCHOR - number_two) / ANCHOR;
    if rho <= 0.0 {
        0.0
    } else if rho <= 0.5 {
        0.2 * rho
    } else if rho <= 1.0 {
        3.6 * (rho - 0.5).powi(2) + 0.1
    } else {
        rho
    }
}

/// Stamina, the factor for the length of the event: 1 + games / 20.
pub fn stamina(games: usize) -> f64 {
    1.0 + games as f64 / STAMINA_GAMES
}

/// Computes the G-score.
///
/// `p_zero` (rating points) was reached in `games` games (at least 1). `coefficient` is the mean
/// resistance of the opponents, one entry per game. A negative P-Zero gives a negative G-score.
pub fn g_score(p_zero: f64, games: usize, coefficient: f64) -> f64 {
    (p_zero / games as f64) * coefficient * stamina(games) * SCALE
}

/// Computes the strength of an event: 100 times the mean resistance of its players, weighted by
/// games.
///
/// The items are (resistance, games). Returns `None` without games.
pub fn strength(players: impl Iterator<Item = (f64, usize)>) -> Option<f64> {
    let (mut weighted, mut games) = (0.0, 0usize);
    for (resistance, played) in players {
        weighted += resistance * played as f64;
        games += played;
    }
    (games > 0).then(|| 100.0 * weighted / games as f64)
}

/// The seven bands of the Greatness List.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum GreatnessBand {
    /// 100 to 149.99
    #[serde(rename = "Making the G-List")]
    MakingTheList,
    /// 150 to 199.99
    #[serde(rename = "Very Good")]
    VeryGood,
    /// 200 to 249.99
    #[serde(rename = "A Dominating Performance")]
    Dominating,
    /// 250 to 299.99
    #[serde(rename = "A Threat to the World Championship")]
    Threat,
    /// 300 to 349.99
    #[serde(rename = "A Generationally Great Performance")]
    GenerationallyGreat,
    /// 350 to 399.99
    #[serde(rename = "A Historically Great Performance")]
    HistoricallyGreat,
    /// 400 and up
    #[serde(rename = "Beyond Human Comprehension")]
    BeyondComprehension,
}

impl GreatnessBand {
    /// All bands, lowest first.
    pub const ALL: [GreatnessBand; 7] = [
        GreatnessBand::MakingTheList,
        GreatnessBand::VeryGood,
        GreatnessBand::Dominating,
        GreatnessBand::Threat,
        GreatnessBand::GenerationallyGreat,
        GreatnessBand::HistoricallyGreat,
        GreatnessBand::BeyondComprehension,
    ];

    /// The band of a G-score; `None` below 100.
    pub fn from_g_score(g_score: f64) -> Option<GreatnessBand> {
        GreatnessBand::ALL.into_iter().rev().find(|band| g_score >= band.from())
    }

    /// Lowest G-score of the band.
    pub fn from(self) -> f64 {
        LIST_THRESHOLD + 50.0 * self as usize as f64
    }

    /// Name of the band in the paper.
    pub fn name(self) -> &'static str {
        match self {
            GreatnessBand::MakingTheList => "Making the G-List",
            GreatnessBand::VeryGood => "Very Good",
            GreatnessBand::Dominating => "A Dominating Performance",
            GreatnessBand::Threat => "A Threat to the World Championship",
            GreatnessBand::GenerationallyGreat => "A Generationally Great Performance",
            GreatnessBand::HistoricallyGreat => "A Historically Great Performance",
            GreatnessBand::BeyondComprehension => "Beyond Human Comprehension",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation;

    /// A simultaneous display against new opponents, each with a P-Zero of 0.
    fn display(games: usize) -> f64 {
        let mut p_zero = 0.0;
        for _ in 0..games {
            p_zero += 9.0 * (1.0 - expectation(p_zero));
        }
        g_score(p_zero, games, resistance(1400.0, 2800.0))
    }

    #[test]
    fn the_papers_simultaneous_displays_are_reproduced() {
        assert_eq!(format!("{:.2}", display(220)), "172.94");
        assert_eq!(format!("{:.2}", display(500)), "226.98");
        assert_eq!(format!("{:.2}", display(1000)), "300.89");
    }

    #[test]
    fn the_number_two_has_a_resistance_of_one() {
        assert_eq!(resistance(2660.0, 2660.0), 1.0);
        assert_eq!(resistance(-500.0, 2800.0), 0.0);
    }

    #[test]
    fn the_bands_have_the_names_of_the_paper() {
        let named = [
            (100.0, "Making the G-List"),
            (150.0, "Very Good"),
            (200.0, "A Dominating Performance"),
            (250.0, "A Threat to the World Championship"),
            (300.0, "A Generationally Great Performance"),
            (350.0, "A Historically Great Performance"),
            (400.0, "Beyond Human Comprehension"),
        ];
        for (from, name) in named {
            let band = GreatnessBand::from_g_score(from).unwrap();
            assert_eq!((band.from(), band.name()), (from, name));
            let json = serde_json::to_string(&band).unwrap();
            assert_eq!(json, format!("\"{name}\""));
        }
        assert_eq!(GreatnessBand::from_g_score(99.99), None);
    }

    #[test]
    fn resistance_is_continuous() {
        for edge in [1400.0, 2800.0] {
            let jump = resistance(edge + 1e-6, 2800.0) - resistance(edge - 1e-6, 2800.0);
            assert!(jump.abs() < 1e-8, "jump of {jump} at {edge}");
        }
    }

    #[test]
    fn bands_begin_at_the_limits_of_the_paper() {
        assert_eq!(GreatnessBand::from_g_score(99.999), None);
        assert_eq!(GreatnessBand::from_g_score(100.0), Some(GreatnessBand::MakingTheList));
        assert_eq!(GreatnessBand::from_g_score(149.999), Some(GreatnessBand::MakingTheList));
        assert_eq!(GreatnessBand::from_g_score(390.21), Some(GreatnessBand::HistoricallyGreat));
        assert_eq!(GreatnessBand::from_g_score(1000.0), Some(GreatnessBand::BeyondComprehension));
    }
}
