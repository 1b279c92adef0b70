//! The best active players of a list: the world's number two, the top ten.

use jiff::civil::Date;

use super::activity::Activity;
use super::list::{Edition, Listed, RatingList};

/// The world's number two at a date.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberTwo {
    /// Rating (points), on the scale of the event's ratings.
    pub rating: f64,
    /// Standard deviation (points) of that, where its list tells it.
    pub deviation: Option<f64>,
    /// The name, as the list writes it.
    pub name: String,
    /// System of the list.
    pub system: String,
    /// Where it comes from.
    pub origin: NumberTwoSource,
}

/// Where the rating of the world's number two comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberTwoSource {
    /// A list: the day of its edition.
    List(Date),
    /// The tags of the collection, of the twelve months before.
    Tags,
    /// The list of another system, moved by the median difference (points) over so many players.
    Shifted {
        /// Day of the edition.
        edition: Date,
        /// What was added.
        by: f64,
        /// Standard error (points) of that.
        deviation: f64,
        /// Players that both systems know.
        players: usize,
    },
}

/// Days after which an edition no longer tells who leads the world.
pub(super) const STALE_DAYS: i32 = 366;

/// The second highest rating among the active players of the edition in force. If two share the
/// top, the second of them.
///
/// `None` where no edition is in force that is less than a year old, or fewer than two of its players are
/// active.
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

/// The active players of an edition, the highest rating first, of equals by name.
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
        // Nobody is his own second, whatever two files say of him.
        .filter(move |listed| {
            let is_new = !seen.contains(&listed.number);
            seen.push(listed.number);
            is_new
        })
}
