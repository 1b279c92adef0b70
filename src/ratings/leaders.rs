//! The best active players of a list: the world's number two, the top ten.

use jiff::civil::Date;

use super::activity::Activity;
use super::list::{Edition, Listed, RatingList};

/// The world's number two at a date.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberTwo {
    /// Rating (points).
    pub rating: f64,
    /// The name, as the list writes it.
    pub name: String,
    /// System of the list.
    pub system: String,
    /// Day of the list's edition.
    pub edition: Date,
}

/// The second highest rating among the active players of the edition in force. If two share the
/// top, the second of them.
///
/// `None` where no edition is in force or fewer than two of its players are active.
pub fn number_two(list: &RatingList, date: Date, activity: &Activity) -> Option<NumberTwo> {
    let edition = list.in_force(date)?;
    let second = leaders(list, edition, date, activity).nth(1)?;
    Some(NumberTwo {
        rating: second.rating,
        name: second.name.to_owned(),
        system: list.system.clone(),
        edition: edition.day,
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
