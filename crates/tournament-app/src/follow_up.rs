//! Follows the official ratings of an event's players month by month.
//!
//! Source: Berard, the PRA paper. After a correction, later official ratings should come nearer to
//! the ratings that the event left; his example is nearest nineteen months later. The comparisons
//! with uncorrected and initial ratings are ours.

use crate::analysis::analyse;
use crate::correction::RatingOrigin;
use crate::event::{Event, EventError};
use crate::fit_test::{DENOMINATOR, limits};
use crate::options::{Options, Policy};

/// The months after the first day of an event that are followed. Source: Berard.
pub const MONTHS: usize = 24;

/// Chi-squared of the official ratings of a month against three sets of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowedMonth {
    /// Months after the first day of the event.
    pub month: usize,
    /// Players who are on the list.
    pub players: usize,
    /// Against the PRA ratings after the event, from corrected initial ratings.
    pub corrected: f64,
    /// Against the PRA ratings after the event, from the ratings found.
    pub uncorrected: f64,
    /// Against the ratings found.
    pub initial: f64,
    /// The 5% quantile of chi-squared; below it the agreement is unusually close.
    pub lower: f64,
    /// The 95% quantile.
    pub upper: f64,
}

impl FollowedMonth {
    /// One of the three values of chi-squared by degree of freedom.
    pub fn by_degree(&self, chi_squared: f64) -> f64 {
        chi_squared / (self.players as f64 - 1.0)
    }
}

/// Compares the official ratings of each month with those after an event. `lists` are the ratings
/// (points) of its players by month; months with fewer than three of them are left out. Players
/// whose rating was not found before the event are left out (ours): no control has them.
///
/// Returns no months if no rating is out of spec, or if a rating is missing.
///
/// # Errors
///
/// Fails if [`Event::check`] rejects the event.
pub fn follow_up(
    event: &Event,
    options: &Options,
    lists: &[Vec<Option<f64>>],
) -> Result<Vec<FollowedMonth>, EventError> {
    let options = Options { order_spread: false, ..*options };
    let [corrected, kept] = [Policy::Correct, Policy::Keep].map(|policy| {
        let options = Options { policy, knock_out_policy: policy, ..options };
        analyse(event, &options)
    });
    let (corrected, kept) = (corrected?, kept?);
    let mut months = Vec::new();
    if !corrected.players.iter().any(|player| player.rating_origin == RatingOrigin::Corrected) {
        return Ok(months);
    }
    let field = event.players.len();
    let (mut with, mut without) = (vec![None; field], vec![None; field]);
    for (analysis, after) in [(&corrected, &mut with), (&kept, &mut without)] {
        for player in &analysis.players {
            after[player.index] = player.pra_after;
        }
    }
    let found: Vec<Option<f64>> =
        event.players.iter().map(|player| player.initial_rating).collect();
    for (month, official) in lists.iter().enumerate() {
        let official: Vec<Option<f64>> = official
            .iter()
            .zip(&found)
            .map(|(rating, found)| rating.filter(|_| found.is_some()))
            .collect();
        let players = official.iter().flatten().count();
        let Some((lower, upper)) = limits(players.saturating_sub(1)).filter(|_| players >= 3)
        else {
            continue;
        };
        months.push(FollowedMonth {
            month,
            players,
            corrected: chi_squared(&official, &with),
            uncorrected: chi_squared(&official, &without),
            initial: chi_squared(&official, &found),
            lower,
            upper,
        });
    }
    Ok(months)
}

/// The sum of the squared differences of two sets of ratings over the constant of the fit test.
/// Players whom either set lacks do not count.
fn chi_squared(official: &[Option<f64>], expected: &[Option<f64>]) -> f64 {
    let both = official.iter().zip(expected).filter_map(|(one, other)| Some((*one)? - (*other)?));
    both.map(|difference| difference * difference / DENOMINATOR).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_input;

    fn round_robin(first: u16) -> Event {
        let text = format!(
            "Four\n4\nElo\n{first} A\n2500 B\n2500 C\n2500 D\n2750\n\
             1 2 0 3 4 1\n1 3 0 2 4 1\n1 4 0 2 3 1\n"
        );
        text_input::read(&text).unwrap().event
    }

    #[test]
    fn a_later_list_is_compared_with_the_ratings_after_the_event() {
        let options = Options { minimum_games: 1, ..Options::default() };
        let event = round_robin(2800);
        let found: Vec<Option<f64>> =
            event.players.iter().map(|player| player.initial_rating).collect();
        let absent = vec![None; 4];
        let months = follow_up(&event, &options, &[found, absent]).unwrap();
        assert_eq!(months.len(), 1, "a list without the players is left out");
        let FollowedMonth { month, players, initial, corrected, uncorrected, .. } = months[0];
        assert_eq!((month, players, initial), (0, 4, 0.0));
        assert!(corrected > uncorrected && uncorrected > 0.0, "{months:?}");
    }

    #[test]
    fn an_event_whose_ratings_fit_has_nothing_to_follow() {
        let event = round_robin(2480);
        let found = vec![vec![Some(2500.0); 4]];
        assert_eq!(follow_up(&event, &Options::default(), &found).unwrap(), []);
    }
}
