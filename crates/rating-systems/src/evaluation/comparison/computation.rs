//! Computes the ratings and predictions of systems.

use rayon::prelude::*;

use super::predictions::{Predictions, predictions};
use crate::evaluation::shared_draws::SharedDraws;
use crate::systems::{ComputedList, PreEventRatings, RatingSystem, Results, System, SystemRatings};

/// The ratings that a system computed from the games.
#[derive(Clone, Debug)]
pub struct Computed {
    /// The system that computed the ratings.
    pub system: &'static System,
    /// Its lists, and notes on the players that it could not rate.
    pub ratings: SystemRatings,
    /// Its lists, each with the day from which it is in force.
    pub in_force: Vec<ComputedList>,
}

/// Computes a system's ratings, and its predictions unless the system uses later games. `leader`
/// holds what the system that it follows has fitted, if that was computed just before.
pub fn rated(
    results: &Results,
    system: &'static System,
    rates: &dyn RatingSystem,
    leader: Option<&SystemRatings>,
) -> (SystemRatings, Option<Predictions>) {
    let ratings = match leader {
        Some(leader) => rates.rate_after(results, leader),
        None => rates.rate(results),
    };
    let mut ratings = ratings.finite();
    // Ratings that rest on later games do not predict.
    let predicts = !system.about.knows_later_games;
    let predictions = predicts.then(|| {
        let in_force = rates.in_force(&ratings.lists);
        predictions(results, system.about.name, rates, &ratings, &in_force)
    });
    // Free what is known of all games, which is no longer needed.
    ratings.before = PreEventRatings::Lists;
    ratings.draws = Vec::new();
    (ratings, predictions)
}

/// Computes a system's ratings, its lists in force, and its predictions as [`rated`] does.
pub fn computed(
    results: &Results,
    system: &'static System,
    rates: &dyn RatingSystem,
    leader: Option<&SystemRatings>,
) -> (Computed, Option<Predictions>) {
    let (ratings, predictions) = rated(results, system, rates, leader);
    let in_force = rates.in_force(&ratings.lists).into_owned();
    (Computed { system, ratings, in_force }, predictions)
}

/// A system with its parameters.
pub type ParameterisedSystem = (&'static System, Box<dyn RatingSystem>);

/// Computes several systems in parallel.
///
/// Returns what `keep` returns for each system, in the order of `systems`, and the predictions of
/// those that predict. Everything else is dropped: the lists of all systems would need many times
/// the memory of the games.
pub fn compute<T: Send>(
    results: &Results,
    systems: Vec<ParameterisedSystem>,
    keep: impl Fn(&Computed) -> T + Sync,
) -> (Vec<T>, Vec<(&'static System, Predictions)>) {
    let (kept, mut predictions) = compute_by(
        systems,
        |(system, rates), leader| computed(results, system, rates.as_ref(), leader),
        keep,
    );
    let shared = SharedDraws::new(results);
    predictions.par_iter_mut().for_each(|(_, of)| of.predict_draws(&shared));
    (kept, predictions)
}

/// Computes several systems as [`compute`] does, with `run` in place of [`computed`], and does not
/// predict draws. `run` may fetch results from another machine.
pub fn compute_by<T: Send>(
    systems: Vec<ParameterisedSystem>,
    run: impl Fn(&ParameterisedSystem, Option<&SystemRatings>) -> (Computed, Option<Predictions>) + Sync,
    keep: impl Fn(&Computed) -> T + Sync,
) -> (Vec<T>, Vec<(&'static System, Predictions)>) {
    // Process systems in batches: work stealing would otherwise keep every system's lists alive at
    // once.
    let at_a_time = 2 * rayon::current_num_threads();
    let mut found: Vec<(usize, T, Option<Predictions>)> = Vec::with_capacity(systems.len());
    for some in by_leader(&systems).chunks(at_a_time) {
        let of_some: Vec<Vec<(usize, T, Option<Predictions>)>> = some
            .par_iter()
            .with_max_len(1)
            .map(|numbers| {
                let mut leader: Option<SystemRatings> = None;
                let mut computed = Vec::with_capacity(numbers.len());
                for &number in numbers {
                    let (found, predictions) = run(&systems[number], leader.as_ref());
                    computed.push((number, keep(&found), predictions));
                    // Followers need no lists, which take more memory than the fit.
                    let fitted = found.ratings.fitted;
                    leader.get_or_insert(SystemRatings { fitted, ..SystemRatings::default() });
                }
                computed
            })
            .collect();
        found.extend(of_some.into_iter().flatten());
    }
    found.sort_unstable_by_key(|(number, ..)| *number);
    let (mut kept, mut predicted) = (Vec::with_capacity(found.len()), Vec::new());
    for (number, of, predictions) in found {
        kept.push(of);
        predicted.extend(predictions.map(|predictions| (systems[number].0, predictions)));
    }
    (kept, predicted)
}

/// Groups the systems, by number: a system is together with those that it leads, which follow it.
fn by_leader(systems: &[ParameterisedSystem]) -> Vec<Vec<usize>> {
    let leaders: Vec<Option<usize>> = systems
        .iter()
        .map(|(system, _)| {
            let list = system.about.follows?;
            systems.iter().position(|(other, _)| other.about.list_name == list)
        })
        .collect();
    let mut groups = Vec::new();
    for first in 0..systems.len() {
        if leaders[first].is_none() {
            let followers = (0..systems.len()).filter(|number| leaders[*number] == Some(first));
            groups.push(std::iter::once(first).chain(followers).collect());
        }
    }
    groups
}
