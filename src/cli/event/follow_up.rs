//! Implements `greatness event --follow-up`: the official ratings of the months after an event.

use std::fmt::Write as _;

use anyhow::bail;
use jiff::ToSpan;
use jiff::civil::Date;

use crate::archive::AnalysedEvent;
use crate::players::Players;
use crate::ratings::{FIDE_SYSTEM, RatingList, Source};
use crate::tournament::follow_up::{FollowedMonth, MONTHS, follow_up as by_month};

/// The age (days) beyond which a list is not that of a month. Judged: FIDE published at least twice
/// a year from 1981 on.
const LIST_AGE: i32 = 190;

/// The table of an event whose ratings a correction would change.
pub(super) fn follow_up(
    event: &AnalysedEvent,
    sources: &[Source],
    players: &Players,
) -> anyhow::Result<String> {
    let name = &event.event.name;
    let Some(first) = event.event.days().0.earliest() else {
        bail!("--follow-up needs the day of the event, and {name} has none");
    };
    let lists: Vec<&RatingList> = sources
        .iter()
        .filter_map(|source| match source {
            Source::List(list) if list.system == FIDE_SYSTEM => Some(list),
            _ => None,
        })
        .collect();
    if lists.is_empty() {
        bail!("--follow-up needs FIDE's lists; give them with --ratings or --spelling");
    }
    let mut official = Vec::new();
    for month in 0..=MONTHS {
        let day = first.checked_add((month as i32).months())?;
        official.push(on_lists(event, &lists, day, players));
    }
    let months = by_month(&event.input, &event.options, &official)?;
    if months.is_empty() {
        return Ok(format!("{name}\nNo correction changes its ratings, or no list has them.\n"));
    }
    Ok(table(name, &months))
}

/// The official ratings (points) of the players of an event on a day.
fn on_lists(
    event: &AnalysedEvent,
    lists: &[&RatingList],
    day: Date,
    players: &Players,
) -> Vec<Option<f64>> {
    let mut ratings = vec![None; event.event.players.len()];
    for list in lists {
        let Some(edition) = list.in_force(day) else { continue };
        if (day - edition.day).get_days() > LIST_AGE {
            continue;
        }
        for (rating, player) in ratings.iter_mut().zip(&event.event.players) {
            let line = edition.find_player(players.get(*player));
            *rating = rating.or(line.map(|line| line.rating));
        }
    }
    ratings
}

fn table(name: &str, months: &[FollowedMonth]) -> String {
    let mut text = format!(
        "{name}\nChi-squared of the official ratings against the ratings after the event\n\n\
         {:>5} {:>8} {:>10} {:>12} {:>8} {:>7} {:>7}\n",
        "month", "players", "corrected", "uncorrected", "initial", "5%", "95%"
    );
    for one in months {
        let _ = writeln!(
            text,
            "{:>5} {:>8} {:>10.2} {:>12.2} {:>8.2} {:>7.2} {:>7.2}",
            one.month,
            one.players,
            one.corrected,
            one.uncorrected,
            one.initial,
            one.lower,
            one.upper
        );
    }
    let nearest = months.iter().min_by(|a, b| a.corrected.total_cmp(&b.corrected));
    if let Some(nearest) = nearest {
        let _ = writeln!(text, "\nThe corrected ratings are nearest in month {}.", nearest.month);
    }
    if let Some(close) = months.iter().find(|one| one.corrected < one.lower) {
        let _ = writeln!(text, "They are unusually close from month {} on.", close.month);
    }
    text
}
