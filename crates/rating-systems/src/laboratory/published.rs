//! The figures that the PRA paper publishes about its simulations.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*. These are
//! facts, in our words.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The key of one of our figures: a measure of a system after a number of games, for a population
/// and a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureKey {
    /// Name of the population.
    pub population: &'static str,
    /// Name of the start.
    pub start: &'static str,
    /// Name of the system.
    pub system: &'static str,
    /// Name of the measure.
    pub measure: &'static str,
    /// Number of games of each player.
    pub game: u32,
}

/// A published figure or statement that can be compared with one of our figures.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFigure {
    /// Description of the figure.
    pub what: &'static str,
    /// The published value, in words.
    pub published: &'static str,
    /// Key of our figure.
    pub key: FigureKey,
    /// The condition under which our figure agrees.
    pub claim: Claim,
}

/// The claim of a published figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// This value, within the given rounding of its last digit.
    Is(f64, f64),
    /// At least this value.
    AtLeast(f64),
    /// At most this value.
    AtMost(f64),
}

impl Claim {
    /// Whether our figure agrees within three standard deviations of one run, because the paper
    /// reports a single run.
    pub fn agrees(self, value: f64, deviation: f64) -> bool {
        let room = 3.0 * deviation;
        match self {
            Claim::Is(published, last_digit) => (value - published).abs() <= room + last_digit,
            Claim::AtLeast(least) => value + room >= least,
            Claim::AtMost(most) => value - room <= most,
        }
    }
}

const fn key(
    population: &'static str,
    start: &'static str,
    system: &'static str,
    measure: &'static str,
    game: u32,
) -> FigureKey {
    FigureKey { population, start, system, measure, game }
}

const fn figure(
    what: &'static str,
    published: &'static str,
    claim: Claim,
    key: FigureKey,
) -> PublishedFigure {
    PublishedFigure { what, published, key, claim }
}

const STANDARD: &str = "standard";
const ELITE: &str = "elite";
const CHAOS: &str = "chaos";
const PRA: &str = "pra";

/// Variant: boosts stay as strong after game 160 as before.
pub const UNDAMPED: &str = "pra:short_until=1000000:boosts_until=1000000";
/// Variant: blocks of forty games from the start.
pub const BLOCKS_OF_40: &str = "pra:short_block=40";

/// The published figures, except the tables of games to spec.
pub const PUBLISHED_FIGURES: [PublishedFigure; 25] = {
    use Claim::{AtLeast, AtMost, Is};
    [
        figure(
            "Standard: out of spec at the start",
            "11,039",
            Is(11_039.0, 15.0),
            key(STANDARD, CHAOS, PRA, "out_100", 0),
        ),
        figure(
            "Standard: out after 340 games",
            "463",
            Is(463.0, 0.0),
            key(STANDARD, CHAOS, PRA, "out_100", 340),
        ),
        figure(
            "Standard: out after 600 games",
            "about 1%, that is 150",
            Is(150.0, 75.0),
            key(STANDARD, CHAOS, PRA, "out_100", 600),
        ),
        figure(
            "Standard: 200 points off after 160 games",
            "182",
            Is(182.0, 0.0),
            key(STANDARD, CHAOS, PRA, "out_200", 160),
        ),
        figure(
            "Standard: 200 points off after 200 games",
            "1%, that is 150",
            Is(150.0, 75.0),
            key(STANDARD, CHAOS, PRA, "out_200", 200),
        ),
        figure(
            "Standard: 200 points off after 400 games",
            "21",
            Is(21.0, 0.0),
            key(STANDARD, CHAOS, PRA, "out_200", 400),
        ),
        figure(
            "Standard: out after 160 games",
            "10%, that is 1,500",
            Is(1500.0, 75.0),
            key(STANDARD, CHAOS, PRA, "out_100", 160),
        ),
        figure(
            "Blocks of 40 games are more accurate: out after 340 games",
            "fewer than 463",
            AtMost(463.0),
            key(STANDARD, CHAOS, BLOCKS_OF_40, "out_100", 340),
        ),
        figure(
            "Boosts not damped after game 160 are unstable: out after 340 games",
            "more than 463",
            AtLeast(463.0),
            key(STANDARD, CHAOS, UNDAMPED, "out_100", 340),
        ),
        figure(
            "Elite: out of spec at the start",
            "2,646",
            Is(2646.0, 15.0),
            key(ELITE, CHAOS, PRA, "out_100", 0),
        ),
        figure(
            "Elite: out after 340 games",
            "620",
            Is(620.0, 0.0),
            key(ELITE, CHAOS, PRA, "out_100", 340),
        ),
        figure(
            "Elite: boosting does harm at first: out after 20 games",
            "more than 2,646",
            AtLeast(2646.0),
            key(ELITE, CHAOS, PRA, "out_100", 20),
        ),
        figure(
            "Elo from a mild start (errors of 100): out after 160 games",
            "17%, that is 2,550",
            Is(2550.0, 150.0),
            key(STANDARD, "noise:100", "elo-tiers", "out_100", 160),
        ),
        figure(
            "Elite: lowest rating ever of the 800",
            "1513",
            Is(1513.37, 0.0),
            key(ELITE, CHAOS, PRA, "lowest_800", 340),
        ),
        figure(
            "Standard: the 2200 after 140 games",
            "2100",
            Is(2100.0, 0.0),
            key(STANDARD, CHAOS, PRA, "rating_2200", 140),
        ),
        figure(
            "Standard: the 2500 after 100 games",
            "above 2000",
            AtLeast(2000.0),
            key(STANDARD, CHAOS, PRA, "rating_2500", 100),
        ),
        figure(
            "Standard: the 2500 after 340 games",
            "below 2400",
            AtMost(2400.0),
            key(STANDARD, CHAOS, PRA, "rating_2500", 340),
        ),
        figure(
            "Standard: the 2800 after 340 games",
            "close to 2400",
            Is(2400.0, 25.0),
            key(STANDARD, CHAOS, PRA, "rating_2800", 340),
        ),
        figure(
            "Standard: the 800 after 275 games",
            "below 900",
            AtMost(900.0),
            key(STANDARD, CHAOS, PRA, "rating_800", 275),
        ),
        figure(
            "Standard: the 600 after 340 games",
            "above 700",
            AtLeast(700.0),
            key(STANDARD, CHAOS, PRA, "rating_600", 340),
        ),
        figure(
            "Elite: the 2800 after 40 games",
            "2600 or more",
            AtLeast(2600.0),
            key(ELITE, CHAOS, PRA, "rating_2800", 40),
        ),
        figure(
            "Elite: the 2800 after 60 games",
            "2700 or more",
            AtLeast(2700.0),
            key(ELITE, CHAOS, PRA, "rating_2800", 60),
        ),
        figure(
            "Elite: the latest that a 2700 comes into spec",
            "268 games",
            Is(268.0, 0.0),
            key(ELITE, CHAOS, PRA, "latest_2700", 340),
        ),
        figure(
            "Elite: how far from the truth the 2200 ever is",
            "160",
            Is(160.0, 0.0),
            key(ELITE, CHAOS, PRA, "farthest_2200", 340),
        ),
        figure(
            "100 points bring as many wins at the top as in the middle: in 340 games",
            "as many as in the middle, 27",
            AtLeast(20.0),
            key(STANDARD, "true", "truth", "wins_at_the_top", 340),
        ),
    ]
};

/// Mean games to spec over 44 runs of the standard population: true rating (points), games.
pub const PUBLISHED_STANDARD: [(f64, f64); 13] = [
    (900.0, 148.59),
    (1000.0, 137.23),
    (1100.0, 75.34),
    (1200.0, 62.39),
    (1300.0, 46.14),
    (1400.0, 5.14),
    (1500.0, 1.0),
    (1600.0, 6.0),
    (1700.0, 47.39),
    (1800.0, 59.36),
    (1900.0, 78.25),
    (2000.0, 111.59),
    (2100.0, 162.09),
];

/// Mean games to spec over 40 runs of the elite: true rating (points), games.
pub const PUBLISHED_ELITE: [(f64, f64); 13] = [
    (1600.0, 214.33),
    (1700.0, 80.98),
    (1800.0, 65.35),
    (1900.0, 54.78),
    (2000.0, 46.4),
    (2100.0, 45.0),
    (2200.0, 1.0),
    (2300.0, 1.0),
    (2400.0, 46.75),
    (2500.0, 45.18),
    (2600.0, 43.2),
    (2700.0, 64.1),
    (2800.0, 90.43),
];

/// Number of runs of the paper, for the standard population and the elite.
pub const PUBLISHED_RUNS: (f64, f64) = (44.0, 40.0);

/// Whether a sum of `cells` squared standardised differences is within the 99% quantile of
/// chi-squared.
pub fn is_chance(chi_squared: f64, cells: usize) -> bool {
    ChiSquared::new(cells as f64).is_ok_and(|chance| chi_squared <= chance.inverse_cdf(0.99))
}

/// The difference of a published mean from ours, in standard errors. Zero if our figure does not
/// vary.
pub fn published_z(published: f64, its_runs: f64, ours: f64, deviation: f64, runs: f64) -> f64 {
    let error = deviation * (1.0 / its_runs + 1.0 / runs).sqrt();
    if error > 0.0 { (published - ours) / error } else { 0.0 }
}
