//! What a run changed: the new archive against the one that it replaces.
//!
//! There are no clocks in it, so that the same input gives the same bytes: a run that changes nothing
//! keeps the record as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::addresses::of_event;
use super::figures::{counted, fixed};
use crate::archive::Archive;

/// Editions that are remembered.
const EDITIONS: usize = 20;

/// Changes of one edition that are named.
const ITEMS: usize = 100;

/// The editions of an archive, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Changes {
    pub editions: Vec<Edition>,
}

/// An edition of the archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Edition {
    /// From 1.
    pub number: usize,
    /// In a sentence or two.
    pub summary: String,
    /// The changes, the most important first.
    pub items: Vec<Change>,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    pub text: String,
    /// Page that tells more, relative to the archive's folder.
    pub href: String,
}

/// A line of an export of the archive before, as far as it is compared.
#[derive(Debug, Deserialize)]
struct OldPerformance {
    rank: usize,
    g_score: f64,
    player: String,
    player_id: String,
    event: String,
    event_id: String,
}

#[derive(Debug, Deserialize)]
struct OldEvent {
    event_id: String,
    name: String,
    games: usize,
    strength: Option<f64>,
}

impl Changes {
    /// Compares an archive with what is published in a folder.
    pub fn since(archive: &Archive, published: &Path) -> Changes {
        fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
            serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
        }
        let data = published.join("data");
        let before: Option<Changes> = read(&data.join("changes.json"));
        let performances: Option<Vec<OldPerformance>> = read(&data.join("greatness.json"));
        let events: Option<Vec<OldEvent>> = read(&data.join("events.json"));
        let (Some(mut changes), Some(performances), Some(events)) = (before, performances, events)
        else {
            return Changes { editions: vec![first(archive)] };
        };
        let number = changes.editions.first().map_or(1, |edition| edition.number + 1);
        if let Some(edition) = edition(archive, number, &performances, &events) {
            changes.editions.insert(0, edition);
            changes.editions.truncate(EDITIONS);
        }
        changes
    }
}

/// The first edition.
fn first(archive: &Archive) -> Edition {
    let items = archive.lists.greatness.first().map(|row| {
        let record = &archive.records[row.event];
        Change {
            text: format!(
                "{}, {}, leads the Greatness List with {}",
                archive.players.get(row.player).name,
                record.event.name,
                fixed(row.g_score, 2)
            ),
            href: format!("events/{}.html", record.event.id),
        }
    });
    Edition {
        number: 1,
        summary: format!(
            "The first edition: {} with {}, {}.",
            counted(archive.records.len(), "event", "events"),
            counted(archive.counts.used, "game", "games"),
            counted(
                archive.lists.greatness.len(),
                "performance on the list",
                "performances on the list"
            ),
        ),
        items: items.into_iter().collect(),
    }
}

/// What is other than before; `None` where nothing is.
fn edition(
    archive: &Archive,
    number: usize,
    performances: &[OldPerformance],
    events: &[OldEvent],
) -> Option<Edition> {
    let mut items: Vec<Change> = Vec::new();
    let old: BTreeMap<(&str, &str), &OldPerformance> = performances
        .iter()
        .map(|row| ((row.player_id.as_str(), row.event_id.as_str()), row))
        .collect();
    let (mut entered, mut moved) = (0, 0);
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for row in &archive.lists.greatness {
        let event = &archive.records[row.event].event;
        let player = archive.players.get(row.player);
        let key = (player.id.as_str(), event.id.as_str());
        seen.push(key);
        let g_score = fixed(row.g_score, 2);
        let text = match old.get(&key) {
            None => {
                entered += 1;
                format!(
                    "{}, {}: new at number {} with {g_score}",
                    player.name, event.name, row.rank
                )
            }
            Some(before) if fixed(before.g_score, 2) != g_score => {
                moved += 1;
                format!(
                    "{}, {}: {g_score}, was {} (number {}, was {})",
                    player.name,
                    event.name,
                    fixed(before.g_score, 2),
                    row.rank,
                    before.rank
                )
            }
            Some(_) => continue,
        };
        items.push(Change { text, href: format!("events/{}.html#g-{}", event.id, player.id) });
    }
    seen.sort_unstable();
    let left: Vec<&&OldPerformance> = old
        .iter()
        .filter(|(key, _)| seen.binary_search(key).is_err())
        .map(|(_, row)| row)
        .collect();
    items.extend(left.iter().map(|row| Change {
        text: format!(
            "{}, {}: no longer on the list (was {})",
            row.player,
            row.event,
            fixed(row.g_score, 2)
        ),
        href: "greatness.html".into(),
    }));

    let old: BTreeMap<&str, &OldEvent> =
        events.iter().map(|event| (event.event_id.as_str(), event)).collect();
    let (mut new, mut changed) = (0, 0);
    for record in &archive.records {
        let strength = |value: Option<f64>| value.map(|value| fixed(value, 4));
        let event = &record.event;
        let text = match old.get(event.id.as_str()) {
            None => {
                new += 1;
                format!("{}: a new event", event.name)
            }
            Some(before) if before.games != event.games.len() => {
                changed += 1;
                format!("{}: {} games, were {}", event.name, event.games.len(), before.games)
            }
            Some(before) if strength(before.strength) != strength(record.analysis.strength) => {
                changed += 1;
                format!(
                    "{}: strength {}, was {}",
                    event.name,
                    strength(record.analysis.strength).unwrap_or_else(|| "unknown".into()),
                    strength(before.strength).unwrap_or_else(|| "unknown".into())
                )
            }
            Some(_) => continue,
        };
        items.push(Change { text, href: of_event(record) });
    }
    let ids: std::collections::BTreeSet<&str> =
        archive.records.iter().map(|record| record.event.id.as_str()).collect();
    let gone: Vec<&&OldEvent> =
        old.values().filter(|event| !ids.contains(event.event_id.as_str())).collect();
    items.extend(gone.iter().map(|event| Change {
        text: format!("{}: no longer an event", event.name),
        href: "events.html".into(),
    }));
    if items.is_empty() {
        return None;
    }
    let parts = [
        (new, "new event", "new events"),
        (changed, "event changed", "events changed"),
        (gone.len(), "event gone", "events gone"),
        (entered, "new performance on the list", "new performances on the list"),
        (moved, "G-score changed", "G-scores changed"),
        (left.len(), "performance left the list", "performances left the list"),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    items.truncate(ITEMS);
    Some(Edition { number, summary: format!("Edition {number}: {}.", told.join(", ")), items })
}
