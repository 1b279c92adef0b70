//! Holds the sources of ratings, and what the search for an event's ratings knows besides them.

use rustc_hash::FxHashMap;

use super::activity::Activity;
use super::deviations::Deviations;
use super::list::RatingList;
use super::nearby_tags::NearbyTags;
use super::old_tags::DiscardedTags;
use super::tags::{FIRST_TAGS, TagHistory};
use crate::games::GameTable;
use crate::players::Players;

/// A source of ratings.
#[derive(Clone, Debug)]
pub enum Source {
    /// The rating tags of the event's own games, with the name of their rating system.
    Tags(String),
    /// A rating list with all its editions.
    List(RatingList),
}

impl Source {
    /// Returns the name of the rating system.
    pub fn system(&self) -> &str {
        match self {
            Source::Tags(system) => system,
            Source::List(list) => &list.system,
        }
    }

    /// Returns the system whose best players define the scale of these ratings.
    pub(super) fn scale(&self) -> &str {
        match self {
            Source::Tags(system) => system,
            Source::List(list) => list.scale(),
        }
    }

    /// Returns whether the source is used only if no other rates enough players of an event of this
    /// year.
    pub(super) fn is_last_resort(&self, year: Option<i16>) -> bool {
        match self {
            // These ratings know later results.
            Source::List(list) => list.of_events,
            // These tags are older than the ratings that they claim to be.
            Source::Tags(_) => year.is_some_and(|year| year < FIRST_TAGS),
        }
    }
}

/// How many players of an event a source must rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// The number of players that the source must rate; all of them in a smaller event.
    pub players: usize,
    /// The part of the field (0 to 1) that the source must rate.
    pub fraction: f64,
    /// The part of the field (0 to 1) that ends the search: later sources are not asked.
    pub sufficient: f64,
}

impl Default for Thresholds {
    /// Returns the usual thresholds.
    ///
    /// Judged: a line through two ratings has no error, and with less than a quarter of the field
    /// the line supplies most ratings. A source with three quarters is rarely exceeded by a later
    /// one; with all players, sources would change for a single unrated player.
    fn default() -> Thresholds {
        Thresholds { players: 3, fraction: 0.25, sufficient: 0.75 }
    }
}

impl Thresholds {
    /// Returns whether a source that rates `known` players of a field rates enough of them.
    pub(super) fn are_met(&self, known: usize, field: usize) -> bool {
        self.include(known, field, self.fraction)
    }

    /// Returns whether a source that rates `known` players of a field makes later ones unnecessary.
    pub(super) fn end_search(&self, known: usize, field: usize) -> bool {
        self.include(known, field, self.sufficient.max(self.fraction))
    }

    fn include(&self, known: usize, field: usize, part: f64) -> bool {
        known >= self.players.min(field) && known as f64 >= part * field as f64
    }
}

/// What is known about ratings apart from the sources: activity, leaders, scales, tags and errors.
#[derive(Clone, Debug, Default)]
pub struct RatingContext {
    /// When each player played.
    pub activity: Activity,
    /// Lists of the world's best, which come before all other lists for the world number two.
    pub best: Vec<RatingList>,
    /// Lists that define the scales of other lists (see [`RatingList::led_by`]).
    ///
    /// They are not sources of ratings.
    pub scales: Vec<RatingList>,
    /// The rating tags of all games.
    pub tags: TagHistory,
    /// The same tags with those of games that are set aside as copies, for players whose rating an
    /// event does not state.
    pub nearby: NearbyTags,
    /// The rows of the copies of each game, by its row. They testify to the ratings.
    pub copies: FxHashMap<usize, Vec<usize>>,
    /// The players whose tags were discarded.
    pub discarded: DiscardedTags,
    /// The standard errors of ratings whose list states none.
    pub deviations: Deviations,
}

/// Everything that the search for the initial ratings of an event needs.
#[derive(Clone, Copy, Debug)]
pub struct RatingLookup<'a> {
    /// The games, whose tags are a source of ratings.
    pub table: &'a GameTable,
    /// The players of the games.
    pub players: &'a Players,
    /// The sources, in the order of the search.
    pub sources: &'a [Source],
    /// What is known apart from the sources.
    pub context: &'a RatingContext,
    /// How many players a source must rate.
    pub thresholds: Thresholds,
}

impl<'a> RatingLookup<'a> {
    pub(super) fn lists(&self) -> impl Iterator<Item = &'a RatingList> + Clone {
        self.sources.iter().filter_map(|source| match source {
            Source::List(list) => Some(list),
            Source::Tags(_) => None,
        })
    }
}
