//! What corrections, pressure and decisions foresaw.

use serde::Serialize;

use super::follow_ups::has_follow_ups;
use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, fixed, fixed_or_empty, margin, spelt_out, thousands};
use archive::{
    ClusteredMean, DecidedRating, Direction, ForesightGroup, LaterRating, MONTHS_AHEAD, Signal,
};

/// Corrections that the page shows. Judged: the largest fifty show the pattern. The table to
/// download has all.
const SHOWN: usize = 50;

/// Ratings with the same signal.
fn group_line(group: &ForesightGroup) -> impl Serialize {
    let share_in_percent = group.share.map(|share| ClusteredMean {
        mean: 100.0 * share.mean,
        error: share.error.map(|error| 100.0 * error),
    });
    let [share_error, change_error] = [share_in_percent, group.change]
        .map(|mean| mean.and_then(|mean| mean.error).map(margin).unwrap_or_default());
    view!(
        // The system, or `all`.
        system = group.system.clone().unwrap_or_else(|| "all".into()),
        signal = group.signal.words(),
        direction = group.direction.map_or("both", Direction::word),
        ratings = thousands(group.ratings),
        players = thousands(group.players),
        same = thousands(group.same),
        opposite = thousands(group.opposite),
        unchanged = thousands(group.unchanged()),
        share =
            share_in_percent.map(|share| format!("{}%", fixed(share.mean, 0))).unwrap_or_default(),
        share_error,
        change = fixed_or_empty(group.change.map(|change| change.mean), 1),
        change_error
    )
}

fn correction_line(site: &Site, row: &LaterRating) -> impl Serialize {
    let record = &site.archive.records[row.event];
    view!(
        player = Link::to_player(site.archive, row.player),
        event = Link::to_event(record),
        found = fixed(row.found, 0),
        used = fixed(row.used, 0),
        later = fixed(row.later, 0),
        list = row.day.year().to_string(),
        // Whether the list moved in the same direction, in a word.
        moved = match row.change() {
            0.0 => "unchanged",
            change if change > 0.0 => "same way",
            _ => "opposite",
        }
    )
}

fn decided_rating_line(site: &Site, row: &DecidedRating) -> impl Serialize {
    view!(
        player = Link::to_player(site.archive, row.player),
        event = Link::to_event(&site.archive.records[row.event]),
        found = fixed_or_empty(row.found, 0),
        used = fixed_or_empty(row.used, 0),
        later = fixed_or_empty(row.later.map(|(rating, _)| rating), 0),
        verdict = match (row.later, row.is_same_way()) {
            (None, _) => "no later list",
            (_, Some(true)) => "same way",
            (_, Some(false)) => "opposite",
            (_, None) => "cannot be judged",
        }
    )
}

/// Whether a later list can be compared with any event.
pub fn has_foresight(site: &Site) -> bool {
    !site.archive.studies.foresight.groups.is_empty()
}

pub fn foresight(site: &Site, page: &Page) -> impl Serialize {
    let found = &site.archive.studies.foresight;
    let (mut signals, mut directions, mut systems) = (Vec::new(), Vec::new(), Vec::new());
    for group in &found.groups {
        let lines = match (&group.system, &group.direction) {
            (None, None) => &mut signals,
            (None, Some(_)) => &mut directions,
            (Some(_), None) => &mut systems,
            (Some(_), Some(_)) => continue,
        };
        lines.push(group_line(group));
    }
    let mut corrections: Vec<&LaterRating> =
        found.ratings.iter().filter(|row| row.signal == Signal::Corrected).collect();
    corrections.sort_by(|a, b| {
        let [a, b] = [a, b].map(|row| (row.used - row.found).abs());
        b.total_cmp(&a)
    });
    view!(
        frame = page.frame(site, finding(site)),
        // The number of months to the later list, in words.
        months = spelt_out(MONTHS_AHEAD as usize),
        // By signal, all systems and both directions.
        signals,
        // The same by direction.
        directions,
        // The same by system.
        systems,
        // What the corrections gained, in a sentence.
        gained = gained(found.of_signal(Signal::Corrected)),
        more = corrections.len().saturating_sub(SHOWN),
        corrections = corrections
            .into_iter()
            .take(SHOWN)
            .map(|row| correction_line(site, row))
            .collect::<Vec<_>>(),
        administrators = administrators(site),
        has_follow_ups = has_follow_ups(site),
        decided =
            found.decided.iter().map(|row| decided_rating_line(site, row)).collect::<Vec<_>>()
    )
}

/// The finding: how often later lists moved the way of the corrections, and without pressure.
fn finding(site: &Site) -> String {
    let corrected = [Signal::Corrected, Signal::OutOfSpec, Signal::Pressure]
        .into_iter()
        .find_map(|signal| ratings_and_share(site, signal));
    let quiet = ratings_and_share(site, Signal::Quiet);
    match (corrected, quiet) {
        (Some((ratings, share)), Some((others, quiet))) => format!(
            "Of {ratings}, {share} moved in the same direction by the list {MONTHS_AHEAD} months later; of {others}, {quiet} \
             moved towards the performance."
        ),
        (Some((ratings, share)), None) => format!(
            "Of {ratings}, {share} moved in the same direction by the list {MONTHS_AHEAD} months later."
        ),
        (None, Some((others, quiet))) => format!(
            "No rating was corrected or under pressure. Of {others}, {quiet} moved towards the performance."
        ),
        (None, None) => "No rating moved by a later list.".into(),
    }
}

/// The ratings with a signal, and the share of them that moved in its direction, in words.
fn ratings_and_share(site: &Site, signal: Signal) -> Option<(String, String)> {
    let group = site.archive.studies.foresight.of_signal(signal)?;
    Some((with_signal(signal, group.ratings), share_with_error(group.share?)))
}

/// `62 ± 4%`.
fn share_with_error(share: ClusteredMean) -> String {
    let error = share.error.map(|error| format!(" ± {}", margin(100.0 * error)));
    format!("{}{}%", fixed(100.0 * share.mean, 0), error.unwrap_or_default())
}

/// Ratings with a signal, in words: `182 ratings under pressure`.
fn with_signal(signal: Signal, number: usize) -> String {
    match signal {
        Signal::Corrected => counted(number, "corrected rating", "corrected ratings"),
        Signal::OutOfSpec => counted(number, "rating out of spec", "ratings out of spec"),
        Signal::Pressure => counted(number, "rating under pressure", "ratings under pressure"),
        Signal::Quiet => counted(number, "rating without pressure", "ratings without pressure"),
    }
}

/// What the corrections gained as predictions of the later ratings.
fn gained(group: Option<&ForesightGroup>) -> String {
    let Some(group) = group else { return String::new() };
    format!(
        "As a prediction of the later list, the corrected rating was nearer than the one before in {} of {}: the mean \
         distances are {} and {} points.",
        thousands(group.nearer),
        counted(group.ratings, "case", "cases"),
        fixed(group.distance_used, 0),
        fixed(group.distance_found, 0)
    )
}

fn administrators(site: &Site) -> Vec<[String; 7]> {
    let records = site.archive.studies.foresight.administrators.iter();
    records
        .map(|record| {
            [
                record.author.clone(),
                thousands(record.events),
                thousands(record.ratings),
                thousands(record.judged),
                thousands(record.same),
                thousands(record.nearer),
                record.share.map(share_with_error).unwrap_or_default(),
            ]
        })
        .collect()
}
