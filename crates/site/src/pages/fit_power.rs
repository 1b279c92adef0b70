//! States what the fit test can detect in an event. The figures come from the laboratory's
//! experiment with simulated tournaments, whose true ratings are known.

use crate::figures::{fixed, percent};
use archive::EventRecord;
use rating_systems::laboratory::bundled::fit_test_power;
use tournament_app::{FitResult, Kind};

/// From this fraction of false alarms on, a failure may be due to the field. Judged: the test is
/// meant to raise one in twenty.
const MANY_ALARMS: f64 = 0.3;

/// Up to this fraction of detected wrong ratings, the test detects little. Judged: three of four
/// wrong ratings then pass.
const SEES_LITTLE: f64 = 0.25;

/// What the test can detect in an event, in a few sentences. Empty if no similar tournaments were
/// simulated: these are round robins of 6 to 20 players whose ratings are all known.
pub(super) fn of_event(record: &EventRecord) -> String {
    let analysis = &record.analysis;
    let meetings = match record.event.kind {
        Kind::RoundRobin => 1,
        Kind::DoubleRoundRobin => 2,
        _ => return String::new(),
    };
    let playing = analysis.players.iter().filter(|player| player.games > 0);
    let ratings: Vec<f64> = playing.clone().filter_map(|player| player.rating_found).collect();
    let players = ratings.len();
    let test = &analysis.before.fit_test;
    if players != playing.count() || test.result == FitResult::NotApplicable {
        return String::new();
    }
    let mean = ratings.iter().sum::<f64>() / players as f64;
    let squares: f64 = ratings.iter().map(|rating| (rating - mean).powi(2)).sum();
    let spread = (squares / (players as f64 - 1.0).max(1.0)).sqrt();
    let Some(like) = fit_test_power(players, meetings, spread) else { return String::new() };
    let [by_pra, by_elo] = like.fails_all_right.map(percent);
    let [seen_by_pra, seen_by_elo] = like.fails_one_wrong.map(percent);
    let simulated = if like.spread > spread {
        format!(
            "the narrowest simulated fields, with a spread of {} points,",
            fixed(like.spread, 0)
        )
    } else if like.spread < spread {
        format!("the widest simulated fields, with a spread of {} points,", fixed(like.spread, 0))
    } else {
        "simulated tournaments like this one".to_owned()
    };
    let mut text = format!(
        "The ratings have a spread of {} points. With every rating right, {by_pra} of {simulated} fail the test if results \
         follow the PRA’s curve, and {by_elo} if they follow Elo’s. With one rating wrong by 150 points, {seen_by_pra} and \
         {seen_by_elo} fail.",
        fixed(spread, 0)
    );
    if like.fails_all_right[0] >= MANY_ALARMS {
        text.push_str(match test.result {
            FitResult::Failed => " In so wide a field, this failure may be due to the field and not to its ratings.",
            _ => " In so wide a field, even a failure would say little against the ratings; this one passed.",
        });
    } else if like.fails_one_wrong[0] <= SEES_LITTLE {
        text.push_str(match test.result {
            FitResult::Failed => " In so narrow a field a failure is rare, and significant.",
            _ => " In so narrow a field the test rarely detects a wrong rating.",
        });
    }
    text
}
