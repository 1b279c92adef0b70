//! The PRA as rating systems: the version of the paper's simulations, and the complete version with
//! corrections by events.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

use super::boosting::Blocks;
use super::corrections::Corrections;
use super::history::{Anchor, START, run};
use super::population::PraPopulation;
use super::rounds::PraRounds;
use crate::systems::about::{About, Role, Shorthand};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::running::Running;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};
use crate::tournament::basic_system::K_BASIC;
use crate::tournament::expectation;

parameters! {
    /// Parameters of the PRA for a population.
    Pra {
        /// Months after which all ratings are shifted back to a mean of 1500; 0 never.
        anchor_months: i32 = 1, 0..=1200;
        /// Days after which they are shifted instead; 1 is each midnight, 0 is by months.
        anchor_days: i32 = 0, 0..=366;
        /// Whether the Boosting System runs.
        boosts: bool = true;
        /// Whether it continues for players whose ratings an event has corrected.
        boosts_corrected: bool = false;
        /// K (points): the rating change for one point more than expected.
        k: f64 = K_BASIC, 0.0..=200.0;
        /// Games of an early block, which has four quarters: 23 games count as 20.
        short_block: u32 = 20, 4..=1000;
        /// Games of a later block, which also has four quarters.
        long_block: u32 = 40, 4..=1000;
        /// Number of a player's games up to which blocks are short and boosts are not damped.
        short_until: u32 = 160, 0..=1000000;
        /// Number of a player's games up to which there are boosts.
        boosts_until: u32 = 320, 0..=1000000;
        /// Factor that reduces later boosts.
        damping: f64 = 0.15, 0.0..=1.0;
    }
}

impl Pra {
    /// An empty population with these parameters.
    fn population(&self, players: usize) -> PraPopulation {
        let blocks = Blocks {
            short: self.short_block,
            long: self.long_block,
            short_until: self.short_until,
            until: self.boosts_until,
            damping: self.damping,
        };
        PraPopulation::new(players, self.k, self.boosts.then_some(blocks))
    }

    fn anchor(&self) -> Anchor {
        Anchor::new(self.anchor_months, self.anchor_days)
    }

    fn corrections(&self) -> Corrections {
        if self.boosts && !self.boosts_corrected {
            Corrections::EndBoosting
        } else {
            Corrections::Ignored
        }
    }
}

impl Registered for Pra {
    const ABOUT: About = About {
        word: "pra",
        name: "PRA",
        list_name: "Computed PRA",
        summary: "Tony Berard's PRA for a population: Basic System, anchor and Boosting System, yearly lists",
        role: Role::Whole,
        published_as: Some("PRA"),
        shorthands: &[Shorthand {
            word: "pra-basic",
            name: "PRA, no boosting",
            set: &[("boosts", "false")],
            numbers: &["k"],
            words: None,
        }],
        variants: &[("boosts_corrected=true", "boosting all"), ("anchor_months=0", "no anchor")],
        ..About::PLAIN
    };
}

impl RatingSystem for Pra {
    fn expected(&self, difference: f64) -> f64 {
        expectation(difference)
    }

    fn explained(&self) -> String {
        let boosting = if !self.boosts {
            "without Berard's Boosting System"
        } else if self.boosts_corrected {
            "with Berard's Boosting System"
        } else {
            "with Berard's Boosting System, which ends for players whose ratings an event has corrected"
        };
        format!(
            "the system of the P-Zeros over all games, with an initial rating of {START:.0}, {boosting}."
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let population = self.population(results.players.len());
        run(results, population, self.anchor(), self.corrections())
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        let population = self.population(start.len());
        let is_anchored = self.anchor() != Anchor::Never;
        Some(Box::new(PraRounds::new(population, start, is_anchored, self.corrections())))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        &[
            "anchor_months",
            "anchor_days",
            "boosts",
            "boosts_corrected",
            "k",
            "short_block",
            "long_block",
            "short_until",
            "boosts_until",
            "damping",
        ]
    }
}

parameters! {
    /// Parameters of the complete PRA: events correct ratings, and newcomers enter with ratings
    /// from the estimator line.
    PraWhole {
        /// Months after which all ratings are shifted back to a mean of 1500; 0 never.
        anchor_months: i32 = 1, 0..=1200;
        /// Days after which they are shifted instead; 1 is each midnight, 0 is by months.
        anchor_days: i32 = 0, 0..=366;
        /// Whether the Boosting System runs for players whose ratings no event has corrected or
        /// estimated.
        boosts: bool = true;
    }
}

impl PraWhole {
    fn anchor(&self) -> Anchor {
        Anchor::new(self.anchor_months, self.anchor_days)
    }

    fn population(&self, players: usize) -> PraPopulation {
        Pra { boosts: self.boosts, ..Pra::default() }.population(players)
    }
}

impl Registered for PraWhole {
    const ABOUT: About = About {
        word: "pra-whole",
        name: "PRA, whole",
        list_name: "Computed whole PRA",
        summary: "the PRA with the Tournament App: events correct ratings, newcomers enter by the estimator line",
        role: Role::Variant,
        needs_events: true,
        ..About::PLAIN
    };
}

impl RatingSystem for PraWhole {
    fn expected(&self, difference: f64) -> f64 {
        expectation(difference)
    }

    fn explained(&self) -> String {
        let boosting = if self.boosts { "with" } else { "without" };
        format!(
            "the PRA {boosting} its Boosting System, and with the Tournament App for each event before its games are rated: \
             ratings that the app corrects change; newcomers enter with the rating from the estimator line, or with \
             {START:.0}; players with a corrected or estimated rating are not boosted any more."
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let population = self.population(results.players.len());
        run(results, population, self.anchor(), Corrections::Move)
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        let population = self.population(start.len());
        let is_anchored = self.anchor() != Anchor::Never;
        Some(Box::new(PraRounds::new(population, start, is_anchored, Corrections::Move)))
    }

    fn round_parameters(&self) -> &'static [&'static str] {
        &["anchor_months", "anchor_days", "boosts"]
    }
}
