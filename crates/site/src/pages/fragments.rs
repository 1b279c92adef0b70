//! Incomplete events: the fragments, and the missing games of strong events.

use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, percent, spoken};
use archive::{EventRecord, FRAGMENTS_SHOWN, MissingRow, Status};
use tournament_app::Kind;

/// Events with missing games that the page shows. Judged: more than a reader can look for. The
/// table to download has all.
const SHOWN: usize = 500;

/// Missing games that the page names for one event. Judged: as many as fit in a row of the table.
const NAMED: usize = 12;

pub fn fragments(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let rows: Vec<_> = archive
        .lists
        .fragments
        .iter()
        .take(FRAGMENTS_SHOWN)
        .map(|event| {
            let record = &archive.records[*event];
            let table = &record.event.recognised;
            let is_known = record.status != Status::Uncertain && table.expected_games > 0;
            view!(
                event = Link::to_event(record),
                year = Site::year(record),
                kind = record.event.kind.words(),
                known = table.placed_games,
                // Empty if unknown.
                expected = if is_known { table.expected_games.to_string() } else { String::new() },
                coverage = if is_known { percent(table.coverage()) } else { String::new() },
                why = record.status.note(),
                strength = Site::strength(record)
            )
        })
        .collect();
    let all = archive.lists.fragments.len();
    view!(
        frame = page.frame(
            site,
            match all {
                1 => "1 event is too incomplete to be ranked.".into(),
                _ => {
                    format!("{} are too incomplete to be ranked.", counted(all, "event", "events"))
                }
            },
        ),
        more = all - rows.len(),
        rows,
        minimum_coverage = percent(archive.settings.lists.minimum_coverage)
    )
}

/// A missing pairing in words: `Lasker–Pillsbury, round 3 (2 games)`.
fn missing_pairing(site: &Site, record: &EventRecord, row: &MissingRow) -> String {
    let [player, opponent] = [row.player, row.opponent].map(|player| {
        let player = record.event.players[player?];
        Some(spoken(&site.archive.players.get(player).name))
    });
    let who = match (player, opponent) {
        (Some(player), Some(opponent)) => format!("{player}–{opponent}"),
        (Some(player), None) => player,
        _ if record.event.kind == Kind::KnockOut => "matches of the bracket".to_owned(),
        _ => "games".to_owned(),
    };
    let round = row.round.map(|round| format!(", round {round}")).unwrap_or_default();
    match row.games {
        1 => format!("{who}{round}"),
        games => format!("{who}{round} ({games} games)"),
    }
}

pub fn missing(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let events: Vec<&[MissingRow]> =
        archive.findings.missing.chunk_by(|a, b| a.event == b.event).collect();
    let rows: Vec<_> = events
        .iter()
        .take(SHOWN)
        .map(|missing| {
            let record = &archive.records[missing[0].event];
            // Not the number of rows: a game without a known opponent is listed for both sides.
            let (known, expected) =
                (record.event.recognised.placed_games, record.event.recognised.expected_games);
            view!(
                event = Link::to_event(record),
                year = Site::year(record),
                strength = Site::strength(record),
                games = expected.saturating_sub(known),
                // The missing pairings, in words.
                pairings = missing
                    .iter()
                    .take(NAMED)
                    .map(|row| missing_pairing(site, record, row))
                    .collect::<Vec<_>>(),
                // The number of further pairings.
                more = missing.len().saturating_sub(NAMED)
            )
        })
        .collect();
    view!(
        frame = page.frame(
            site,
            match events.len() {
                0 => "No games are missing from events that would rank in the top thousand.".into(),
                1 => "Games are missing from 1 event that would rank in the top thousand.".into(),
                events => format!(
                    "Games are missing from {events} events that would rank in the top thousand."
                ),
            },
        ),
        more = events.len() - rows.len(),
        rows
    )
}
