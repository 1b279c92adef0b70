//! What a rating system is.

use bitcode::{Decode, Encode};
use std::borrow::Cow;

use jiff::civil::Date;

use super::about::About;
use super::lists::{CareerPeak, ComputedList};
use super::parameters::Parameters;
use super::results::{RatedGame, Results};
use super::running::Running;

/// A rating system with its parameters.
pub trait RatingSystem: Send + Sync {
    /// Expected score, in `[0, 1]`, of who is rated `difference` points higher.
    fn expected(&self, difference: f64) -> f64;

    /// Whether what it expects is a curve of its own; else it is a stand-in, and only predictions by a curve that is fitted to the ratings mean anything.
    fn has_curve(&self) -> bool {
        true
    }

    /// How it works with these parameters, for readers: sentences that follow its name and a colon.
    fn explained(&self) -> String;

    /// Rates everybody.
    fn rate(&self, results: &Results) -> SystemRatings;

    /// The lists by which ratings are looked up: dated by the day from which everything that they rest on is
    /// past.
    fn in_force<'a>(&self, lists: &'a [ComputedList]) -> Cow<'a, [ComputedList]> {
        Cow::Borrowed(lists)
    }

    /// The system as it runs along round by round, from everybody's rating at the start (points); `None` where it cannot.
    fn running(&self, _start: &[f64]) -> Option<Box<dyn Running>> {
        None
    }

    /// The parameters that mean something where it runs so.
    fn heard_in_rounds(&self) -> &'static [&'static str] {
        &[]
    }

    /// The last year that the list beginning in a year is about, of systems whose lists are about years (see
    /// [`About::period_years`](super::About::period_years)).
    fn last_year(&self, _first: i16) -> Option<i16> {
        None
    }

    /// A rating of it in Elo's points; `None` of a system of the past for which there is no usual way to turn it into such. Of others, whose points are
    /// compared as they are, the rating itself.
    fn in_elo(&self, rating: f64) -> Option<f64> {
        Some(rating)
    }

    /// The smallest and the largest rating of all of its lists as they are written for others, where they are stretched to another scale (29), (30).
    fn written_from_to(&self) -> Option<(f64, f64)> {
        None
    }

    /// How many days a list in force predicts, if no other follows.
    fn predicts_for_days(&self) -> i32 {
        PREDICTS_FOR_DAYS
    }
}

/// Two years: who has not played for longer may be anywhere.
const PREDICTS_FOR_DAYS: i32 = 731;

/// A system that the registry can hold.
pub trait Registered: RatingSystem + Parameters + 'static {
    /// What it is called.
    const ABOUT: About;
}

/// What a system made of the games.
#[derive(Clone, Debug, Default)]
pub struct SystemRatings {
    /// Its lists, the earliest first. Unless [`RatingSystem::in_force`] says otherwise they rest on games before
    /// their day alone.
    pub lists: Vec<ComputedList>,
    /// What it knew before each event.
    pub before: PreEventRatings,
    /// The best years of its best, the highest first, where the system tells such.
    pub peaks: Vec<CareerPeak>,
    /// What it could not rate and why, in sentences for the terminal.
    pub notes: Vec<String>,
    /// What changed ratings between its lists of January, of systems that rate event by event.
    pub flows: Vec<Flows>,
}

impl SystemRatings {
    /// Without ratings that are no finite numbers, which parameters near their bounds may give; how
    /// many there were is noted.
    #[must_use]
    pub fn finite(mut self) -> SystemRatings {
        let mut lost = 0;
        for list in &mut self.lists {
            let before = list.ratings.len();
            list.ratings.retain(|line| line.rating.is_finite());
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
                "{lost} ratings and what was expected of {unknown} games are no numbers with these parameters, and left out"
            ));
        }
        self
    }
}

/// What changed ratings since the list of January before.
#[derive(Clone, Debug, PartialEq)]
pub struct Flows {
    /// The day of the list that knows it.
    pub day: Date,
    /// By player, in the order of their numbers; who did not change is not among them.
    pub flows: Vec<Flow>,
}

/// What changed one rating.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Flow {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// His first rating (points), if he got it since then.
    pub entered: Option<f64>,
    /// Points that he won or lost while his rating was a beginning.
    pub beginning: f64,
    /// Points that he won or lost by the system's rule.
    pub exchanged: f64,
}

/// What a system knew of the players before each event.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PreEventRatings {
    /// The ratings of the list in force.
    #[default]
    Lists,
    /// By game of [`Results::games`]: how much (points) White was rated higher; `None` where one of the two
    /// was not rated.
    Differences(Vec<Option<f64>>),
}

/// How much (points) White of each game was rated higher; see [`PreEventRatings::Differences`].
pub(crate) fn differences<'a>(
    games: &'a [RatedGame],
    before: &'a dyn Fn(u32) -> Option<f64>,
) -> impl Iterator<Item = Option<f64>> + 'a {
    games.iter().map(|game| Some(before(game.white)? - before(game.black)?))
}
