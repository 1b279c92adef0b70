//! Implements `greatness event --follow-up`: the official ratings of the months after an event.

use std::fmt::Write as _;

use anyhow::bail;

use crate::archive::{AnalysedEvent, FollowedEvent, follow_event};
use crate::players::Players;
use crate::ratings::{FIDE_SYSTEM, RatingContext, Source};

/// The table of an event whose ratings a correction would change.
pub(super) fn follow_up(
    event: &AnalysedEvent,
    sources: &[Source],
    world: &RatingContext,
    players: &Players,
) -> anyhow::Result<String> {
    let name = &event.event.name;
    if event.event.days().0.month().is_none() {
        bail!("--follow-up needs the day of the event, and {name} has none");
    }
    if !sources.iter().any(is_list_of_fide) {
        bail!("--follow-up needs FIDE's lists; give them with --ratings or --spelling");
    }
    let followed = follow_event(event, players, sources, world)?;
    if followed.months.is_empty() {
        return Ok(format!("{name}\nNo correction changes its ratings, or no list has them.\n"));
    }
    Ok(table(name, &followed))
}

fn is_list_of_fide(source: &Source) -> bool {
    matches!(source, Source::List(list) if list.system == FIDE_SYSTEM)
}

fn table(name: &str, followed: &FollowedEvent) -> String {
    let mut text = format!(
        "{name}\nChi-squared of the official ratings against the ratings after the event\n\n\
         {:>5} {:>8} {:>10} {:>12} {:>8} {:>7} {:>7}\n",
        "month", "players", "corrected", "uncorrected", "initial", "5%", "95%"
    );
    for one in &followed.months {
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
    if let Some(nearest) = followed.nearest() {
        let _ = writeln!(text, "\nThe corrected ratings are nearest in month {}.", nearest.month);
    }
    if let Some(close) = followed.first_close() {
        let _ = writeln!(text, "They are unusually close from month {} on.", close.month);
    }
    text
}
