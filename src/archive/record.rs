//! An event with its ratings, its analysis and its standing towards the lists.

use serde::{Deserialize, Serialize};

use crate::archive::eligibility::{self, Eligibility};
use crate::archive::review::event_inputs::EventInputs;
use crate::archive::review::review_reason::ReviewReason;
use crate::archive::status::Status;
use crate::archive::studies::event_forecast::EventForecast;
use crate::archive::studies::event_norms::EventNorms;
use crate::events::Event;
use crate::ratings::InitialRatings;
use crate::tournament::pairing::{OtherOrders, other_orders};
use crate::tournament::{self, Analysis, Kind, Options, PlayerAnalysis};

impl EventRecord {
    /// Part of the field whose ratings the line supplied, in `[0, 1]`.
    pub fn supplied(&self) -> f64 {
        eligibility::supplied(&self.analysis)
    }

    /// The event as decisions see it, with what was decided.
    pub fn case(&self) -> EventInputs {
        let (input, options, eligibility) =
            (self.input.clone(), self.options, self.eligibility.clone());
        EventInputs { input, options, eligibility }
    }

    /// Other ways to rank it; `None` of matches. Worked out when asked for: kept of every event they would be a fifth of all memory.
    pub fn orders(&self) -> Option<OtherOrders> {
        other_orders(&self.input)
    }

    /// Places in the analysis of those who won: as history knows it, or else by the points of the
    /// main event, of equals by a play-off among them; several where they shared it. Nobody where
    /// the event has no winner of boards (teams), is not told by points (knock-outs), was not
    /// played to its end, or where missing games may have changed it.
    pub fn winners(&self) -> Vec<usize> {
        match &self.event.known {
            Some(known) if known.winners.is_empty() && known.result.was_broken_off() => Vec::new(),
            Some(known) if !known.winners.is_empty() => {
                let place_of = |index: &usize| {
                    self.analysis.players.iter().position(|player| player.index == *index)
                };
                let mut places: Vec<usize> = known.winners.iter().filter_map(place_of).collect();
                places.sort_unstable();
                places
            }
            _ => self.winners_by_points(),
        }
    }

    /// The same by the games alone.
    pub fn winners_by_points(&self) -> Vec<usize> {
        let players = &self.analysis.players;
        if matches!(self.event.kind, Kind::Team | Kind::KnockOut | Kind::Fragment) {
            return Vec::new();
        }
        let Some(first) = players.first().filter(|first| first.main_games > 0) else {
            return Vec::new();
        };
        // With the points of their missing games somebody else may have been first.
        let missing = |place: usize| {
            let (known, expected) = self.games_of(place);
            (expected - known) as f64
        };
        let is_safe = |place: usize| {
            let other = &players[place];
            missing(place) == 0.0 || other.main_points + missing(place) < first.main_points
        };
        if missing(0) > 0.0
            && !(1..players.len())
                .all(|place| players[place].main_points + missing(place) < first.main_points)
            || !(1..players.len()).all(is_safe)
        {
            return Vec::new();
        }
        let is_first = |player: &&PlayerAnalysis| {
            player.main_points == first.main_points
                && player.play_off_points == first.play_off_points
        };
        (0..players.iter().take_while(is_first).count()).collect()
    }

    /// Games of a player (by his place in the analysis) that are there, and that a complete event would hold.
    pub fn games_of(&self, standing: usize) -> (usize, usize) {
        self.eligibility.games_of(&self.analysis.players[standing])
    }
}

/// An event of the archive.
#[derive(Clone, Debug)]
pub struct EventRecord {
    /// The event.
    pub event: Event,
    /// What was found of its ratings.
    pub ratings: InitialRatings,
    /// What the app was given.
    pub input: tournament::Event,
    /// How the app was run on it.
    pub options: Options,
    /// What the app says.
    pub analysis: Analysis,
    /// What the Ratings Administrator decided.
    pub decided: Option<Decided>,
    /// What was known of it before anything was decided; `None` where nothing was.
    pub undecided: Option<Box<EventInputs>>,
    /// What decides, beside its figures, whether it enters the lists.
    pub eligibility: Eligibility,
    /// Whether it enters the lists.
    pub status: Status,
    /// Whether performances in it do.
    pub performances: Status,
    /// What the ratings foretold of its players.
    pub forecast: EventForecast,
    /// Its category, and the norms that were made in it; `None` where the rules of categories do not apply, or too few ratings are known.
    pub norms: Option<EventNorms>,
    /// The performances that are high enough for a list, by place in the analysis: the G-score, or `None`. The
    /// one rule for lists, pages and search; see `Eligibility::great`.
    pub great: Vec<Option<f64>>,
    /// Whether it has a page of its own (see [`OwnPages`](super::OwnPages)); the others are shown by one page.
    pub has_page: bool,
}

/// What the Ratings Administrator decided for an event, as pages and exports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Who decided.
    pub author: String,
    /// When.
    pub date: String,
    /// Why.
    pub reason: String,
    /// What, a sentence each.
    pub what: Vec<String>,
    /// Changing time controls, illness, fraud.
    pub special_conditions: Vec<String>,
    /// A note in Markdown.
    pub note: Option<String>,
    /// Whether it enters the lists whatever the rules say, where that was decided.
    #[serde(default)]
    pub listed: Option<bool>,
    /// Reasons for a review that it answers.
    pub settles: Vec<ReviewReason>,
}
