//! Ranks the active players of a list, and finds the world number two.

use jiff::civil::Date;

use super::activity::Activity;
use super::edition::{Edition, Listed};
use super::list::RatingList;
use crate::players::PlayerId;

/// The world number two at a date.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberTwo {
    /// Rating (points), on the scale of the event's ratings.
    pub rating: f64,
    /// Standard deviation (points) of the rating, if the list states it.
    pub deviation: Option<f64>,
    /// The name, as the list writes it.
    pub name: String,
    /// System of the list.
    pub system: String,
    /// The source of the rating.
    pub origin: NumberTwoSource,
}

/// The source of the rating of the world number two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberTwoSource {
    /// A list on the scale of the event's ratings, with the day of its edition.
    List(Date),
    /// FIDE's list with the day of its edition, and the event's rating tags, which are of a later
    /// list that is not stored.
    ListAndTags(Date),
    /// The rating tags of the collection in the twelve months before.
    Tags,
    /// A list of another system, moved by the median difference between the two systems.
    Shifted {
        /// Day of the edition.
        edition: Date,
        /// The shift (points): the median difference between the systems.
        by: f64,
        /// Standard error (points) of the shift.
        deviation: f64,
        /// The number of players that both systems rate.
        players: usize,
    },
}

/// One of the world's ten best players when an event began.
#[derive(Clone, Debug, PartialEq)]
pub struct TopTenPlayer {
    /// Rank among the active players, from 1; players with equal ratings share it.
    pub rank: usize,
    /// The name as the list writes it.
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    /// Standard error (points) of the rating: that of the list, or the usual one of its system.
    pub deviation: f64,
    /// Index among the event's players, if the player takes part.
    pub player: Option<usize>,
    /// The player of the games, if identified with certainty.
    pub person: Option<PlayerId>,
}

/// The number of leaders that are listed. Judged: a top ten is usual; simulations of the number two
/// draw among them, and players further down almost never become second.
pub const LEADERS: usize = 10;

/// The age (days) beyond which an edition no longer ranks the world's best.
///
/// Judged: a year, so that yearly lists cover every day. With half, their second halves would have
/// no number two; with double, it may have stopped or fallen.
pub(super) const STALE_DAYS: i32 = 366;

/// Returns the player with the second highest rating among the active players of a list.
///
/// If two players share the first place, it is the second of them. `None` if the edition in force
/// is more than a year old, or has fewer than two active players.
pub fn number_two(list: &RatingList, date: Date, activity: &Activity) -> Option<NumberTwo> {
    let edition = list.in_force(date)?;
    if (date - edition.day).get_days() > STALE_DAYS {
        return None;
    }
    let second = leaders(list, edition, date, activity).nth(1)?;
    Some(NumberTwo {
        rating: second.rating,
        deviation: second.deviation,
        name: second.name.to_owned(),
        system: list.system.clone(),
        origin: NumberTwoSource::List(edition.day),
    })
}

/// Returns the active players of an edition, by descending rating and then by name.
pub fn leaders<'a>(
    list: &'a RatingList,
    edition: Edition<'a>,
    date: Date,
    activity: &'a Activity,
) -> impl Iterator<Item = Listed<'a>> {
    let mut seen: Vec<u32> = Vec::new();
    edition
        .best()
        .filter(move |listed| list.active_only || activity.is_active(list, listed, date))
        // Two files may list the same player twice.
        .filter(move |listed| {
            let is_new = !seen.contains(&listed.number);
            seen.push(listed.number);
            is_new
        })
}
