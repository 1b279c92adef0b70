//! Least squares, fair bets, Bradley-Terry and the ratio system, each over a window of years.

use std::sync::{Mutex, PoisonError};

use super::lists::{Window, window_lists};
use crate::systems::about::{About, Role};
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};
use crate::tournament::pairing::{berkin, bradley_terry, linear, ratio};

/// Defines one of the systems with the parameters that all of them have. Only the meaning of a
/// `prior` of 0 differs between them.
macro_rules! window_system {
    ($(#[doc = $about:literal])* $name:ident { $(#[doc = $prior:literal])+ prior }) => {
        parameters! {
            $(#[doc = $about])*
            $name {
                /// Calendar years whose games a list uses.
                years: u32 = 5, 1..=100;
                /// Minimum number of a listed player's games in these years.
                games: u32 = 5, 1..=1000;
                $(#[doc = $prior])+
                prior: f64 = 2.0, 0.0..=100.0;
                /// Mean rating (points) of the ten best of 1970, or else of the last list with ten
                /// players.
                anchor: f64 = 2640.0, 0.0..=4000.0;
                /// Value of the smallest rating in exports, if ratings are stretched to another
                /// scale.
                low: f64 = 0.0, -1e6..=1e6;
                /// Value of the largest rating in exports; ratings are not stretched unless it is
                /// above the smallest.
                high: f64 = 0.0, -1e6..=1e6;
            }
        }

        impl $name {
            fn window(&self, needs_strong_connection: bool) -> Window {
                let $name { years, games, prior, anchor, .. } = *self;
                let has_errors = false;
                Window { years, games, prior, anchor, needs_strong_connection, has_errors }
            }
        }
    };
}

window_system! {
    /// Parameters of simultaneous interval ratings.
    Linear {
        /// Drawn games between each player and a phantom player, who connects separate pools; 0 is
        /// the original system.
        prior
    }
}

window_system! {
    /// Parameters of simultaneous Berkin ratings.
    Berkin {
        /// Drawn games between each player and a phantom player, who connects separate pools; 0 is
        /// the original system.
        prior
    }
}

window_system! {
    /// Parameters of Bradley-Terry ratings.
    BradleyTerry {
        /// Drawn games between each player and a phantom player, who connects separate pools; 0
        /// leaves out players with a score of 0% or 100%.
        prior
    }
}

window_system! {
    /// Parameters of simultaneous ratio ratings.
    Ratio {
        /// Drawn games between each player and a phantom player, who connects separate pools; 0
        /// leaves out players with a score of 0% or 100%.
        prior
    }
}

/// K of the straight line (points): half of the difference between expected scores of 0 and 1, as
/// on Elo's straight line.
const SCALE: f64 = 400.0;

const fn about(
    word: &'static str,
    name: &'static str,
    list_name: &'static str,
    summary: &'static str,
) -> About {
    About { word, name, list_name, summary, role: Role::Basic, ..About::PLAIN }
}

impl Registered for Linear {
    const ABOUT: About = about(
        "linear",
        "Least squares",
        "Computed least squares",
        "simultaneous interval ratings of a few years (least squares, Massey; with two drawn games Colley)",
    );
}

impl Registered for Berkin {
    const ABOUT: About = about(
        "berkin",
        "Berkin",
        "Computed Berkin",
        "simultaneous Berkin ratings of a few years (fair bets)",
    );
}

impl Registered for BradleyTerry {
    const ABOUT: About = about(
        "bradley-terry",
        "Bradley-Terry",
        "Computed Bradley-Terry",
        "the Zermelo-Bradley-Terry model over a few years",
    );
}

impl Registered for Ratio {
    const ABOUT: About = about(
        "ratio",
        "Ratio",
        "Computed ratio",
        "simultaneous ratio ratings of a few years (an eigenvector, akin to Keener)",
    );
}

/// Adds a note if `low` and `high` do not define a scale for exports.
fn with_note_on_scale(mut ratings: SystemRatings, low: f64, high: f64) -> SystemRatings {
    if (low, high) != (0.0, 0.0) && high <= low {
        ratings.notes.push(format!("low = {low} and high = {high} do not define a scale, because high is not above low: exports contain the original ratings"));
    }
    ratings
}

impl RatingSystem for Linear {
    fn expected(&self, difference: f64) -> f64 {
        (0.5 + difference / (2.0 * SCALE)).clamp(0.01, 0.99)
    }

    fn explained(&self) -> String {
        format!(
            "the games of {} years all at once; each rating is the opponents’ mean plus 400 points times the fraction won minus the fraction lost; with the straight line.",
            self.years
        )
    }

    fn export_scale(&self) -> Option<(f64, f64)> {
        (self.high > self.low).then_some((self.low, self.high))
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let ratings = window_lists(results, &self.window(false), &|table| linear(table, SCALE));
        with_note_on_scale(ratings, self.low, self.high)
    }
}

impl RatingSystem for Berkin {
    fn expected(&self, difference: f64) -> f64 {
        logistic(NATURAL * difference)
    }

    fn explained(&self) -> String {
        format!(
            "the games of {} years all at once, with opponents weighted by the points taken from them; with the logistic curve.",
            self.years
        )
    }

    fn export_scale(&self) -> Option<(f64, f64)> {
        (self.high > self.low).then_some((self.low, self.high))
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let ratings = window_lists(results, &self.window(true), &|table| {
            berkin(table).iter().map(|rating| SCALE * rating.log10()).collect()
        });
        with_note_on_scale(ratings, self.low, self.high)
    }
}

impl RatingSystem for BradleyTerry {
    fn expected(&self, difference: f64) -> f64 {
        logistic(NATURAL * difference)
    }

    fn explained(&self) -> String {
        format!(
            "the games of {} years all at once, so that each player’s expected points equal the actual points; with the logistic curve.",
            self.years
        )
    }

    fn export_scale(&self) -> Option<(f64, f64)> {
        (self.high > self.low).then_some((self.low, self.high))
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let window = Window { has_errors: true, ..self.window(true) };
        let ratings = window_lists(results, &window, &|table| {
            bradley_terry(table).iter().map(|strength| strength / NATURAL).collect()
        });
        with_note_on_scale(ratings, self.low, self.high)
    }
}

impl RatingSystem for Ratio {
    fn expected(&self, difference: f64) -> f64 {
        logistic(NATURAL * difference)
    }

    fn explained(&self) -> String {
        format!(
            "the games of {} years all at once; each rating is proportional to points won divided by points lost, times the \
             opponents’ mean. The constant of proportionality is 1 only by accident, so the ratings are not self-consistent, \
             and in large pools they concentrate on a few players; with the logistic curve.",
            self.years
        )
    }

    fn export_scale(&self) -> Option<(f64, f64)> {
        (self.high > self.low).then_some((self.low, self.high))
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let lambdas = Mutex::new(Vec::new());
        let mut ratings = window_lists(results, &self.window(true), &|table| {
            let found = ratio(table);
            if table.len() > 2 {
                lambdas.lock().unwrap_or_else(PoisonError::into_inner).push(found.lambda);
            }
            found.ratings.iter().map(|rating| SCALE * rating.log10()).collect()
        });
        let mut lambdas = lambdas.into_inner().unwrap_or_else(PoisonError::into_inner);
        lambdas.sort_by(f64::total_cmp);
        if let (Some(least), Some(most)) = (lambdas.first(), lambdas.last()) {
            ratings.notes.push(format!(
                "each iteration multiplies the ratings by a constant between {least:.4} and {most:.4}; they are self-consistent only if it is 1"
            ));
        }
        with_note_on_scale(ratings, self.low, self.high)
    }
}
