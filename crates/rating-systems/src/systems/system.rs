//! The traits of a rating system, and its output.

use bitcode::{Decode, Encode};
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use jiff::civil::Date;

use super::about::About;
use super::lists::{CareerPeak, ComputedList, FiveYearCareer};
use super::parameters::Parameters;
use super::results::{RatedGame, Results};
use super::running::Running;
use super::wording::counted;

/// A rating system with its parameters.
pub trait RatingSystem: Send + Sync {
    /// Expected score, in `[0, 1]`, of a player rated `difference` points above the opponent.
    fn expected(&self, difference: f64) -> f64;

    /// Whether the system defines its own curve. If `false`, [`RatingSystem::expected`] is a
    /// placeholder: evaluate predictions only with a curve fitted to the ratings.
    fn has_curve(&self) -> bool {
        true
    }

    /// Whether its predictions already follow earlier games year by year. If `true`, no curve is
    /// fitted to them for the comparison.
    fn is_calibrated(&self) -> bool {
        false
    }

    /// Explains to readers how the system works with these parameters. The sentences follow its
    /// name and a colon.
    fn explained(&self) -> String;

    /// Rates all players of these results.
    fn rate(&self, results: &Results) -> SystemRatings;

    /// Rates all players after the system that it [follows](super::About::follows). A system may
    /// reuse what its leader has fitted; the ratings are those of [`RatingSystem::rate`].
    fn rate_after(&self, results: &Results, _leader: &SystemRatings) -> SystemRatings {
        self.rate(results)
    }

    /// The lists for look-ups. The day of such a list is the first day after all games that it
    /// rests on.
    fn in_force<'a>(&self, lists: &'a [ComputedList]) -> Cow<'a, [ComputedList]> {
        Cow::Borrowed(lists)
    }

    /// The system in its round-by-round form, from all players' initial ratings (points). `None` if
    /// the system cannot run so.
    fn running(&self, _start: &[f64]) -> Option<Box<dyn Running>> {
        None
    }

    /// The parameters that have an effect in the round-by-round form.
    fn round_parameters(&self) -> &'static [&'static str] {
        &[]
    }

    /// The last year of the list that begins in this year, for systems whose lists cover years (see
    /// [`About::period_years`](super::About::period_years)).
    fn last_year(&self, _first: i16) -> Option<i16> {
        None
    }

    /// The five-year averages of each player from the games and the lists, the player with the best
    /// one first. Empty if the system has none.
    fn five_year_careers(
        &self,
        _results: &Results,
        _lists: &[ComputedList],
    ) -> Vec<FiveYearCareer> {
        Vec::new()
    }

    /// The rating converted to Elo points. `None` for a historical system without a usual
    /// conversion. Systems whose points are compared directly return the rating itself.
    fn elo_equivalent(&self, rating: f64) -> Option<f64> {
        Some(rating)
    }

    /// The smallest and the largest rating of all lists in exports, if these are stretched to
    /// another scale (Jones (29), (30)).
    fn export_scale(&self) -> Option<(f64, f64)> {
        None
    }

    /// The number of days for which a list in force predicts, if no other list follows.
    fn predicts_for_days(&self) -> i32 {
        PREDICTS_FOR_DAYS
    }
}

/// Two years, as long as players without a game stay on most lists. Judged: the strength of a
/// player without a game for longer is too uncertain.
const PREDICTS_FOR_DAYS: i32 = 731;

/// A system that the registry can hold.
pub trait Registered: RatingSystem + Parameters + 'static {
    /// What tables, help and pages say of the system, and how its lists are used.
    const ABOUT: About;
}

/// The output of a rating system.
#[derive(Clone, Debug, Default)]
pub struct SystemRatings {
    /// The lists, the earliest first. Unless [`RatingSystem::in_force`] states otherwise, a list
    /// rests only on games before its day.
    pub lists: Vec<ComputedList>,
    /// The ratings before each event, for the evaluation of predictions.
    pub before: PreEventRatings,
    /// The probability of a draw in each game, from what was known before its event, if the system
    /// predicts draws; otherwise empty.
    pub draws: Vec<Option<f64>>,
    /// The best years of the best players, the highest first, if the system estimates them.
    pub peaks: Vec<CareerPeak>,
    /// Sentences for the terminal about players or games that could not be rated.
    pub notes: Vec<String>,
    /// Changes of ratings between January lists, for systems that rate event by event.
    pub flows: Vec<Flows>,
    /// What the system fitted, for systems that [follow](RatingSystem::rate_after) it and know the
    /// type.
    pub fitted: Option<Arc<dyn Any + Send + Sync>>,
}

impl SystemRatings {
    /// Removes ratings that are not numbers or lie beyond 100,000 points, which extreme parameters
    /// can produce, and adds a note with their number.
    #[must_use]
    pub fn finite(mut self) -> SystemRatings {
        let mut lost = 0;
        for list in &mut self.lists {
            let before = list.ratings.len();
            // A comparison with NaN is false.
            list.ratings.retain(|line| line.rating.abs() < BEYOND);
            lost += before - list.ratings.len();
        }
        let mut unknown = 0;
        if let PreEventRatings::Differences(known) = &mut self.before {
            for known in known.iter_mut().filter(|known| known.is_some_and(|of| !of.is_finite())) {
                (*known, unknown) = (None, unknown + 1);
            }
        }
        if lost + unknown > 0 {
            self.notes.push(format!(
                "with these parameters, {} and the predictions of {} are not within 100,000 points; they are left out",
                counted(lost, "rating"),
                counted(unknown, "game")
            ));
        }
        self
    }
}

/// The changes of ratings since the previous January list.
#[derive(Clone, Debug, PartialEq)]
pub struct Flows {
    /// The day of the list that contains these changes.
    pub day: Date,
    /// Changes by player number. Players without a change are omitted.
    pub flows: Vec<Flow>,
}

/// The changes of one rating.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Flow {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// The first rating (points), if the player entered in this period.
    pub entered: Option<f64>,
    /// Points gained while the rating was provisional.
    pub beginning: f64,
    /// Points gained by the system's rule for established ratings.
    pub exchanged: f64,
}

/// The Tournament App takes no ratings (points) that are as far from zero as this.
const BEYOND: f64 = 100_000.0;

/// What a system knew of the players before each event.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PreEventRatings {
    /// The ratings of the list in force.
    #[default]
    Lists,
    /// By game of [`Results::games`]: White's rating minus Black's (points). `None` if one of them
    /// was unrated.
    Differences(Vec<Option<f64>>),
}

/// White's rating minus Black's (points) for each game; see [`PreEventRatings::Differences`].
pub(crate) fn differences<'a>(
    games: &'a [RatedGame],
    before: &'a dyn Fn(u32) -> Option<f64>,
) -> impl Iterator<Item = Option<f64>> + 'a {
    games.iter().map(|game| Some(before(game.white)? - before(game.black)?))
}
