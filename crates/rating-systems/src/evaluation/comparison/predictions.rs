//! A system's predictions of all games, from its ratings before each event.

use bitcode::{Decode, Encode};
use jiff::civil::Date;

use crate::evaluation::expectations::Expectations;
use crate::evaluation::recalibration::{Recalibrated, recalibrated};
use crate::evaluation::shared_draws::SharedDraws;
use crate::systems::{
    ComputedList, PreEventRatings, RatingSystem, Results, SystemRatings, differences,
};

/// A system's predictions of all games.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Predictions {
    /// Name of the system.
    pub name: String,
    /// Expected scores by the system's own curve. `None` for a system without one.
    pub own: Option<Expectations>,
    /// Expected scores by the curve that is fitted to earlier predictions.
    pub recalibrated: Recalibrated,
    /// The probability of a draw in each game: by a system that predicts draws, or by
    /// [`SharedDraws`]. Without it, evaluations use the fraction of draws of the decade.
    pub draws: Option<Expectations>,
}

impl Predictions {
    /// Predicts draws by the shared model, unless the system predicted them.
    pub fn predict_draws(&mut self, shared: &SharedDraws) {
        if self.draws.is_none() {
            self.draws = Some(shared.of_expected(&self.recalibrated.expected));
        }
    }
}

/// Predicts White's score in each game, from the system's ratings before the game's event.
pub fn predictions(
    results: &Results,
    name: &str,
    system: &dyn RatingSystem,
    ratings: &SystemRatings,
    in_force: &[ComputedList],
) -> Predictions {
    let by_lists;
    let differences = match &ratings.before {
        PreEventRatings::Differences(differences) => differences,
        PreEventRatings::Lists => {
            by_lists = differences_by_lists(results, in_force, system.predicts_for_days());
            &by_lists
        }
    };
    let mut own: Option<Expectations> = None;
    if system.has_curve() || system.is_calibrated() {
        own = Some(differences.iter().map(|known| known.map(|by| system.expected(by))).collect());
    }
    let mut recalibrated = if system.is_calibrated() {
        let expected = own.clone().unwrap_or_default();
        Recalibrated { expected, slope: None, white: None }
    } else {
        recalibrated(results, differences, &|difference| system.expected(difference))
    };
    // Convert the slope to Elo points. Without an Elo equivalent there is none.
    let of_a_point =
        system.elo_equivalent(1.0).zip(system.elo_equivalent(0.0)).map(|(one, none)| one - none);
    recalibrated.slope = recalibrated
        .slope
        .zip(of_a_point)
        .filter(|_| system.has_curve())
        .map(|(slope, points)| slope / points);
    Predictions {
        name: name.to_owned(),
        own: own.filter(|_| system.has_curve()),
        recalibrated,
        draws: (!ratings.draws.is_empty()).then(|| ratings.draws.iter().copied().collect()),
    }
}

/// Rating differences (points) of all games, by the list in force on the first day of each event.
/// `None` if a player is not on that list or is provisional, or if the list is older than `days`
/// days.
fn differences_by_lists(results: &Results, lists: &[ComputedList], days: i32) -> Vec<Option<f64>> {
    let mut known = Vec::with_capacity(results.games.len());
    // The last rating of each player, with the number, from 1, of its list.
    let mut ratings: Vec<(u32, f64)> = vec![(0, 0.0); results.players.len()];
    let mut next = 0;
    let mut day_of_list: Option<Date> = None;
    for event in results.events() {
        let day = event.iter().map(|game| game.day).min().unwrap_or_default();
        let last = next + lists[next..].partition_point(|list| list.day <= day);
        if last > next {
            next = last;
            let list = &lists[last - 1];
            for line in list.ratings.iter().filter(|line| !line.is_provisional) {
                ratings[line.player as usize] = (last as u32, line.rating);
            }
            day_of_list = Some(list.day);
        }
        let is_stale = day_of_list.is_none_or(|list| (day - list).get_days() > days);
        known.extend(differences(event, &|player| {
            let (list, rating) = ratings[player as usize];
            (!is_stale && list > 0 && list == next as u32).then_some(rating)
        }));
    }
    known
}
