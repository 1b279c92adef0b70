//! What the fit test can see in an event, from the laboratory's experiment with tournaments whose true ratings are known.

use crate::archive::EventRecord;
use crate::laboratory::bundled::fit_test_power;
use crate::site::figures::{fixed, percent};
use crate::tournament::{FitResult, Kind};

/// From this part of false alarms on a failure speaks of the field.
const MANY_ALARMS: f64 = 0.3;

/// Up to this part of wrong ratings seen the test sees little.
const SEES_LITTLE: f64 = 0.25;

/// Where an event stands, in a few sentences; nothing where no tournaments like it were tried: those are round robins of 6 to 20 whose
/// ratings are all known.
pub(super) fn of_event(record: &EventRecord) -> String {
    let analysis = &record.analysis;
    let meetings = match record.event.kind {
        Kind::RoundRobin => 1,
        Kind::DoubleRoundRobin => 2,
        _ => return String::new(),
    };
    let playing = || analysis.players.iter().filter(|player| player.games > 0);
    let ratings: Vec<f64> = playing().filter_map(|player| player.rating_found).collect();
    let players = ratings.len();
    let test = &analysis.before.fit_test;
    if players != playing().count() || test.result == FitResult::NotApplicable {
        return String::new();
    }
    let mean = ratings.iter().sum::<f64>() / players as f64;
    let squares: f64 = ratings.iter().map(|rating| (rating - mean).powi(2)).sum();
    let spread = (squares / (players as f64 - 1.0).max(1.0)).sqrt();
    let Some(like) = fit_test_power(players, meetings, spread) else { return String::new() };
    let [by_pra, by_elo] = like.fails_all_right.map(percent);
    let [seen_by_pra, seen_by_elo] = like.fails_one_wrong.map(percent);
    let made = if like.spread > spread {
        format!("the narrowest that were tried, which spread by {},", fixed(like.spread, 0))
    } else if like.spread < spread {
        format!("the widest that were tried, which spread by {},", fixed(like.spread, 0))
    } else {
        "made tournaments like this one".to_owned()
    };
    let mut text = format!(
        "The ratings spread by {} points. Of {made} {by_pra} fail the test if results follow the PRA’s curve, and \
         {by_elo} if they follow Elo’s, though every rating is right; with one wrong by 150 points {seen_by_pra} and {seen_by_elo} do.",
        fixed(spread, 0)
    );
    if like.fails_all_right[0] >= MANY_ALARMS {
        text.push_str(match test.result {
            FitResult::Failed => " So this failure may speak of so wide a field, and not of its ratings.",
            _ => " So a failure would say little against the ratings of so wide a field; this one passed.",
        });
    } else if like.fails_one_wrong[0] <= SEES_LITTLE {
        text.push_str(match test.result {
            FitResult::Failed => " In so narrow a field a failure is rare, and means something.",
            _ => " In so narrow a field the test hardly sees a wrong rating.",
        });
    }
    text
}
