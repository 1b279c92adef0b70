//! The facts at the head of the page of an event.

use super::Site;
use crate::figures::{fixed, percent, spelt_out, spoken};
use archive::{EventRecord, NormRatings};
use pgn_collections::games::Tempo;
use tournament_app::{FitResult, FitTest};

/// The number of players: `22, and Bobby Fischer, who withdrew`.
fn field_text(record: &EventRecord) -> String {
    let number = record.finishers();
    let withdrawn = record.withdrawn();
    let names = withdrawn.iter().map(|standing| {
        let player = &record.analysis.players[*standing];
        spoken(&record.input.players[player.index].name)
    });
    let names: Vec<String> = names.collect();
    match &names[..] {
        [] => number.to_string(),
        [one] => format!("{number}, and {one}, who withdrew"),
        several => {
            format!("{number}, and {} who withdrew: {}", spelt_out(several.len()), names.join(", "))
        }
    }
}

/// The dates of an event. A match of which only the year is known has those of its whole event too.
fn dates_text(site: &Site, record: &EventRecord) -> String {
    let dates = Site::dates(record);
    let whole = record.event.part_of.as_ref().and_then(|id| site.by_id.get(id.as_str()));
    let whole = whole.map(|whole| &site.archive.records[*whole]);
    let known = record.event.days().0.known_parts();
    match whole.filter(|whole| known == 1 && whole.event.days().0.known_parts() > 1) {
        Some(whole) => format!("{dates} (the whole event: {})", Site::dates(whole)),
        None => dates,
    }
}

/// The facts about an event: dates, place, kind, players, games.
pub(super) fn facts(site: &Site, record: &EventRecord) -> Vec<(&'static str, String)> {
    let event = &record.event;
    let mut facts = vec![("Date", dates_text(site, record))];
    if !event.site.is_empty() {
        facts.push(("Place", event.site.clone()));
    }
    facts.push(("Kind", event.kind.words().to_owned()));
    facts.push(("Players", field_text(record)));
    let segments = event.segments();
    let mut games = event.games.len().to_string();
    if segments.len() > 1 {
        let parts: Vec<String> =
            segments.iter().map(|(kind, games)| format!("{games} {}", kind.words())).collect();
        games = format!("{games} ({})", parts.join(", "));
    }
    let unplayed = event.games.iter().filter(|game| !game.played).count();
    if unplayed > 0 {
        games = format!("{games}, {unplayed} not played");
    }
    facts.push(("Games", games));
    let coverage = event.coverage();
    let (known, expected) = (event.recognised.placed_games, event.recognised.expected_games);
    if coverage < 1.0 && expected > 0 {
        facts.push(("Coverage", format!("{known} of {expected} ({})", percent(coverage))));
    }
    if event.tempo != Tempo::Classical {
        let words = event.tempo_reason.words();
        facts.push(("Tempo", format!("{}, {words}", event.tempo.word())));
    }
    let supplied = record.supplied();
    if supplied > 0.5 {
        facts.push(("Estimated", format!("{} of the ratings, from the line", percent(supplied))));
    }
    if !record.analysis.rating_label.is_empty() {
        facts.push(("Ratings", record.analysis.rating_label.clone()));
    }
    if let Some(fit) = fit_of_ratings(&record.analysis.fit_test) {
        facts.push(("Fit of the ratings", fit));
    }
    if let Some(norms) = &record.norms {
        // Its average is not comparable with ratings of another list on the same page.
        let label = match norms.by {
            NormRatings::Fide => "Category",
            NormRatings::Historical => "Category by historical Elo",
        };
        let average = fixed(norms.average, 0);
        facts.push((label, format!("{} (average {average})", norms.category_text())));
    }
    if let (Some(class), true) = (record.class(), event.players.len() > 2) {
        facts.push(("Class", format!("{class} of 22")));
    }
    facts
}

/// Whether the ratings fit the results, in a few words; `None` without a test.
fn fit_of_ratings(test: &FitTest) -> Option<String> {
    let (statistic, critical, lower) = (test.statistic?, test.critical?, test.lower?);
    Some(match test.result {
        FitResult::Failed => format!("failed (chi-squared {statistic:.1}, limit {critical:.1})"),
        FitResult::TooClose => {
            format!("unusually close (chi-squared {statistic:.2}, below {lower:.2})")
        }
        _ => format!("passed (chi-squared {statistic:.1}, limit {critical:.1})"),
    })
}
