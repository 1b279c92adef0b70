//! The rating system `paired-and-published`.

use jiff::ToSpan;
use jiff::civil::{Date, date};

use super::filter::{FilterModel, StrengthFilter, YEAR};
use super::forecasts::{GameForecast, PublishedForecasts, PublishedModel, RATED_DAYS};
use super::schedule::day_number;
use crate::systems::about::{About, Role};
use crate::systems::draw_tendency::draw_probabilities;
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::paired::Paired;
use crate::systems::paired::forward_run::ForwardForecasts;
use crate::systems::paired::history::PairedModel;
use crate::systems::paired::movement::Movement;
use crate::systems::parameters::{Overrides, parameters};
use crate::systems::results::Results;
use crate::systems::system::{PreEventRatings, RatingSystem, Registered, SystemRatings};
use crate::systems::yearly_regression::Memory;

parameters! {
    /// Forecasts from games and published ratings.
    PairedAndPublished {
        /// Standard deviation of a published rating from the strength (points).
        noise: f64 = 60.0, 1.0..=1000.0;
        /// Time by which a published rating is behind (years).
        lag: f64 = 1.0, 0.0..=10.0;
        /// Variance of an adult's strength (points squared a year).
        variance: f64 = 700.0, 0.01..=100000.0;
        /// Additional variance of young players (points squared a year).
        young_variance: f64 = 4000.0, 0.0..=100000.0;
        /// Age up to which the additional variance is constant (years).
        young_age: f64 = 14.0, 0.0..=100.0;
        /// Time after that age in which it falls by a factor of e (years).
        young_years: f64 = 5.0, 0.1..=100.0;
        /// Mean rise of young players (points a year).
        rise: f64 = 110.0, 0.0..=1000.0;
        /// Age up to which the rise is constant (years).
        rise_age: f64 = 12.0, 0.0..=100.0;
        /// Time after that age in which it falls by a factor of e (years).
        rise_years: f64 = 7.0, 0.1..=100.0;
        /// Decline ten years after the age at which it begins (points a year).
        fall: f64 = 3.0, 0.0..=100.0;
        /// Age at which the decline begins (years).
        fall_age: f64 = 40.0, 0.0..=100.0;
        /// Standard deviation of newcomers around their mean (points).
        newcomers: f64 = 170.0, 1.0..=100000.0;
        /// Number of newcomers after which their running mean has forgotten most.
        memory: f64 = 500.0, 1.0..=1000000.0;
        /// Weight of a game.
        weight: f64 = 1.0, 0.0..=10.0;
        /// White's advantage (points).
        white: f64 = 38.0, -200.0..=200.0;
        /// Factor by which a forecast of the filter shrinks a difference.
        shrinkage: f64 = 0.94, 0.1..=2.0;
        /// Standard deviations beyond which a rating is not believed.
        outlier: f64 = 4.0, 1.0..=1000.0;
        /// Difference within which a second rating that was not believed is believed (points).
        alike: f64 = 150.0, 0.0..=1000.0;
        /// Time after which an unchanged rating counts as a new one (days).
        again: i32 = 400, 1..=100000;
        /// Part of what the last layer has learnt that remains after a year.
        keep: f64 = 0.8, 0.0..=1.0;
        /// Information of the start of the last layer in each of its coefficients.
        prior: f64 = 30.0, 0.001..=1000000.0;
    }
}

impl PairedAndPublished {
    pub(crate) fn filter(&self) -> FilterModel {
        FilterModel {
            movement: Movement {
                variance: self.variance,
                young_variance: self.young_variance,
                young_age: self.young_age,
                young_years: self.young_years,
                rise: self.rise,
                rise_age: self.rise_age,
                rise_years: self.rise_years,
                fall: self.fall,
                fall_age: self.fall_age,
            },
            newcomers: self.newcomers,
            memory: self.memory,
            noise: self.noise,
            lag: self.lag,
            outlier: self.outlier,
            alike: self.alike,
            again: self.again,
            weight: self.weight,
            white: self.white,
            shrinkage: self.shrinkage,
        }
    }

    fn model(&self) -> PublishedModel {
        PublishedModel {
            filter: self.filter(),
            layer: Memory { keep: self.keep, prior: self.prior },
        }
    }

    /// The model of the system `paired`, whose defaults are within their ranges.
    fn paired_model() -> PairedModel {
        Paired::model_with(&Overrides::new()).unwrap_or_default()
    }

    /// The forecasts of all games of [`Results::games`], with their parts.
    pub fn forecasts(&self, results: &Results) -> Vec<GameForecast> {
        let paired = ForwardForecasts::run(results, PairedAndPublished::paired_model(), |_, _| {});
        PublishedForecasts::run(results, &self.model(), Some(&paired), |_, _| {})
    }

    /// The same by the filter and the last layer alone, without paired comparison, in a fraction of
    /// the time. Games of players without a published rating of the last three years have no
    /// forecast.
    pub fn forecasts_without_paired(&self, results: &Results) -> Vec<GameForecast> {
        PublishedForecasts::run(results, &self.model(), None, |_, _| {})
    }

    /// The lists and predictions, with these forecasts by paired comparison.
    fn rate_with(&self, results: &Results, paired: &ForwardForecasts) -> SystemRatings {
        let mut lists: Vec<ComputedList> = Vec::new();
        let mut next: Option<Date> = None;
        let forecasts =
            PublishedForecasts::run(results, &self.model(), Some(paired), |filter, day| {
                // The list of 1 January rests on the games that ended before its week.
                while let Some(list) = next.filter(|list| day_number(*list) <= day) {
                    lists.push(list_of(filter, results, list));
                    next = list.checked_add(1.year()).ok();
                }
                next = next.or_else(|| Some(date((f64::from(day) / YEAR) as i16 + 1, 1, 1)));
            });
        lists.retain(|list| list.ratings.len() > 1);
        let before = forecasts.iter().map(|game| game.logit.map(|logit| logit / NATURAL)).collect();
        let levels: Vec<f32> = forecasts.iter().map(|game| game.level as f32).collect();
        let draws =
            draw_probabilities(results, |game| forecasts[game].logit.map(logistic), &levels);
        SystemRatings {
            lists,
            draws,
            before: PreEventRatings::Differences(before),
            ..SystemRatings::default()
        }
    }
}

impl Registered for PairedAndPublished {
    const ABOUT: About = About {
        word: "paired-and-published",
        name: "Paired and published",
        list_name: "Computed Paired and published",
        summary: "forecasts from games and published ratings; for forecasts only, as it repeats what FIDE published",
        role: Role::Forecasts,
        reads_published_ratings: true,
        follows: Some(Paired::ABOUT.list_name),
        reads_births: true,
        ..About::PLAIN
    };
}

/// Days after the last game during which a player stays on the lists: two years, as for systems
/// that rate event by event.
const LISTED_DAYS: i32 = (2.0 * YEAR) as i32;

impl RatingSystem for PairedAndPublished {
    fn expected(&self, difference: f64) -> f64 {
        logistic(difference * NATURAL)
    }

    fn is_calibrated(&self) -> bool {
        true
    }

    fn explained(&self) -> String {
        "a strength for each player that follows games and published ratings, and a last layer that corrects for age and for \
         time without games. Without a published rating of the last three years, paired comparison forecasts. It serves forecasts \
         only."
            .to_owned()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        let paired = ForwardForecasts::run(results, PairedAndPublished::paired_model(), |_, _| {});
        self.rate_with(results, &paired)
    }

    fn rate_after(&self, results: &Results, paired: &SystemRatings) -> SystemRatings {
        let fitted = paired.fitted.as_ref();
        match fitted.and_then(|fitted| fitted.downcast_ref::<ForwardForecasts>()) {
            Some(known) if known.model == PairedAndPublished::paired_model() => {
                self.rate_with(results, known)
            }
            _ => self.rate(results),
        }
    }
}

/// The players who had a published rating and a game lately, with their strengths.
fn list_of(filter: &StrengthFilter, results: &Results, list: Date) -> ComputedList {
    let day = day_number(list);
    let mut lines = Vec::new();
    for player in 0..results.players.len() as u32 {
        let Some(last) = filter.last_game(player) else { continue };
        if !filter.is_rated(player, day, RATED_DAYS) || day - last > LISTED_DAYS {
            continue;
        }
        let Some((rating, variance)) = filter.projected(player, day) else { continue };
        lines.push(ListedRating {
            player,
            rating,
            games: f64::from(filter.games(player)),
            deviation: Some(variance.sqrt()),
            is_provisional: false,
        });
    }
    ComputedList::new(list, lines)
}
