//! Ranks the active players of a list, and finds the world number two.

use std::iter;

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
    let mut absent = absent_leaders(list, edition).into_iter().peekable();
    let mut best = edition.best().peekable();
    let all = iter::from_fn(move || {
        let next = best.peek().map_or(f64::NEG_INFINITY, |listed| listed.rating);
        if absent.peek().is_some_and(|listed| listed.rating > next) {
            absent.next()
        } else {
            best.next()
        }
    });
    all.filter(move |listed| list.active_only || activity.is_active(list, listed, date))
        // Two files may list the same player twice.
        .filter(move |listed| {
            let is_new = !seen.contains(&listed.number);
            seen.push(listed.number);
            is_new
        })
}

/// Returns the players of earlier editions who are missing from a published list of active players
/// and return on the next one, best first, if they would be among its first two.
///
/// Such a list leaves out players who have not played for a while, and who are no weaker for it:
/// Lasker in 1921, when he lost his title, or Botvinnik in 1951. They keep their last rating for
/// two years.
fn absent_leaders<'a>(list: &'a RatingList, edition: Edition<'a>) -> Vec<Listed<'a>> {
    let mut absent: Vec<Listed<'a>> = Vec::new();
    if !list.active_only || list.is_computed {
        return absent;
    }
    let (Some(second), Some(next)) = (edition.best().nth(1), list.after(edition.day)) else {
        return absent;
    };
    let mut later = vec![edition];
    for earlier in list.before(edition.day) {
        for listed in earlier.best().take_while(|listed| listed.rating > second.rating) {
            let is_last = !later.iter().any(|later| later.has(listed.number));
            if is_last && next.has(listed.number) {
                absent.push(listed);
            }
        }
        later.push(earlier);
    }
    absent.sort_by(|one, other| other.rating.total_cmp(&one.rating));
    absent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::RatingListLine;
    use jiff::civil::date;

    /// The second of 1921 on a list of active players, on which Lasker has these ratings by year.
    fn second_of_1921(of_lasker: &[(i16, f64)]) -> f64 {
        let mut list = RatingList::new("Chessmetrics");
        list.active_only = true;
        for year in 1919..=1923 {
            for place in 0..12 {
                let name = format!("Player {}", char::from(b'A' + place));
                let rating = 2730.0 - 10.0 * f64::from(place) + f64::from(year - 1919);
                list.add(date(year, 1, 1), RatingListLine::new(name, rating));
            }
        }
        for (year, rating) in of_lasker {
            list.add(date(*year, 1, 1), RatingListLine::new("Emanuel Lasker", *rating));
        }
        number_two(&list, date(1921, 3, 15), &Activity::default()).unwrap().rating
    }

    #[test]
    fn a_player_who_is_missing_from_one_yearly_list_keeps_the_rating() {
        assert_eq!(second_of_1921(&[(1919, 2810.0), (1920, 2825.0), (1922, 2790.0)]), 2732.0);
        assert_eq!(second_of_1921(&[(1919, 2731.5), (1922, 2790.0)]), 2731.5);
        assert_eq!(second_of_1921(&[]), 2722.0);
    }

    #[test]
    fn a_player_who_does_not_return_or_left_earlier_does_not() {
        assert_eq!(second_of_1921(&[(1919, 2810.0), (1920, 2825.0)]), 2722.0);
        assert_eq!(second_of_1921(&[(1918, 2825.0), (1922, 2790.0)]), 2722.0);
    }

    #[test]
    fn the_last_rating_is_kept() {
        assert_eq!(second_of_1921(&[(1919, 2825.0), (1920, 2700.0), (1922, 2790.0)]), 2722.0);
    }

    #[test]
    fn a_player_who_is_on_the_list_has_the_new_rating() {
        assert_eq!(second_of_1921(&[(1920, 2825.0), (1921, 2725.0), (1922, 2790.0)]), 2725.0);
    }
}
