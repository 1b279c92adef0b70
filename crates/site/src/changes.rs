//! Records what a build changed: compares the new archive with the one that it replaces.
//!
//! The record has no times, so the same input gives the same bytes. A build without changes keeps
//! the record.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::addresses::of_event;
use super::figures::{counted, fixed};
use archive::{Archive, EventRecord};
use pgn_collections::source::CleanText;

/// The number of editions in the record. Judged: readers return within twenty builds, and each page
/// of changes stays short.
const EDITIONS: usize = 20;

/// The number of changes of one edition in the record. Judged: a rebuilt archive has thousands,
/// which no one reads.
const ITEMS: usize = 100;

/// The editions of an archive, latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ChangeLog {
    pub editions: Vec<ArchiveEdition>,
}

/// An edition of the archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ArchiveEdition {
    /// Editions are numbered from 1.
    pub number: usize,
    /// The changes in a sentence.
    pub summary: CleanText,
    /// The changes, most important first.
    pub items: Vec<Change>,
    /// The last day of a game (`2024-12-12`); empty if unknown.
    pub data_to: CleanText,
}

/// A change of a performance or an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    pub text: CleanText,
    /// The page with the details, relative to the archive's folder.
    pub href: CleanText,
}

/// The compared columns of a row of the former archive's Greatness List.
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

impl ChangeLog {
    /// Compares an archive with the one that is published in a folder.
    pub fn since(archive: &Archive, published: &Path) -> ChangeLog {
        fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
            serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
        }
        let data = published.join("data");
        let before: Option<ChangeLog> = read(&data.join("changes.json"));
        let performances: Option<Vec<OldPerformance>> = read(&data.join("greatness.json"));
        let events: Option<Vec<OldEvent>> = read(&data.join("events.json"));
        let (Some(mut changes), Some(performances), Some(events)) = (before, performances, events)
        else {
            return ChangeLog { editions: vec![first(archive)] };
        };
        changes.clean();
        let number = changes.editions.first().map_or(1, |edition| edition.number.saturating_add(1));
        if let Some(edition) = edition(archive, number, &performances, &events) {
            changes.editions.insert(0, edition);
            changes.editions.truncate(EDITIONS);
        }
        changes
    }

    /// Removes what a build would not write: the file lies where other programs can write. A link
    /// leads to a page of the archive or to a web page.
    fn clean(&mut self) {
        for edition in &mut self.editions {
            for change in &mut edition.items {
                let is_of_web =
                    ["http://", "https://"].iter().any(|web| change.href.starts_with(web));
                if !is_of_web && change.href.contains(':') {
                    change.href = "index.html".into();
                }
            }
        }
    }
}

fn first(archive: &Archive) -> ArchiveEdition {
    let items = archive.lists.greatness.first().map(|row| {
        let record = &archive.records[row.event];
        Change {
            text: format!(
                "{}, {}, leads the Greatness List with a G-score of {}",
                archive.players.get(row.player).name,
                record.event.name,
                fixed(row.g_score, 2)
            )
            .into(),
            href: format!("events/{}.html", record.event.id).into(),
        }
    });
    ArchiveEdition {
        number: 1,
        summary: format!(
            "The first edition: {} with {}, {}.",
            counted(archive.records.len(), "event", "events"),
            counted(archive.counts.used, "game", "games"),
            counted(
                archive.lists.greatness.len(),
                "performance on the Greatness List",
                "performances on the Greatness List"
            ),
        )
        .into(),
        items: items.into_iter().collect(),
        data_to: last_day(archive).into(),
    }
}

/// The last day of a game; empty if unknown.
fn last_day(archive: &Archive) -> String {
    archive.last_day().map(|day| day.to_string()).unwrap_or_default()
}

/// The differences between an archive and the exports of the one before; `None` where there is
/// none.
fn edition(
    archive: &Archive,
    number: usize,
    performances: &[OldPerformance],
    events: &[OldEvent],
) -> Option<ArchiveEdition> {
    let on_list = ListChanges::since(archive, performances);
    let of_events = EventChanges::since(archive, events);
    let parts = [
        (of_events.new, "new event", "new events"),
        (of_events.changed, "event changed", "events changed"),
        (of_events.gone, "event removed", "events removed"),
        (on_list.entered, "new performance on the list", "new performances on the list"),
        (on_list.moved, "G-score changed", "G-scores changed"),
        (on_list.left, "performance left the list", "performances left the list"),
    ];
    let mut items = on_list.items;
    items.extend(of_events.items);
    if items.is_empty() {
        return None;
    }
    let counts: Vec<String> = parts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    items.truncate(ITEMS);
    Some(ArchiveEdition {
        number,
        summary: format!("Edition {number}: {}.", counts.join(", ")).into(),
        items,
        data_to: last_day(archive).into(),
    })
}

#[derive(Debug, Default)]
struct ListChanges {
    items: Vec<Change>,
    /// Performances that were not on the list before.
    entered: usize,
    /// Performances with another G-score than before.
    moved: usize,
    /// Performances that are no longer on the list.
    left: usize,
}

impl ListChanges {
    fn since(archive: &Archive, performances: &[OldPerformance]) -> ListChanges {
        let old: BTreeMap<(&str, &str), &OldPerformance> = performances
            .iter()
            .map(|row| ((row.player_id.as_str(), row.event_id.as_str()), row))
            .collect();
        let mut changes = ListChanges::default();
        let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
        for row in &archive.lists.greatness {
            let event = &archive.records[row.event].event;
            let player = archive.players.get(row.player);
            let key = (player.id.as_str(), event.id.as_str());
            seen.insert(key);
            let what = format!("{}, {}", player.name, event.name);
            let g_score = fixed(row.g_score, 2);
            let text = match old.get(&key) {
                None => {
                    changes.entered += 1;
                    format!("{what}: new at rank {} with {g_score}", row.rank)
                }
                Some(before) if fixed(before.g_score, 2) != g_score => {
                    changes.moved += 1;
                    let was = fixed(before.g_score, 2);
                    format!(
                        "{what}: G-score {g_score}, was {was} (rank {}, was {})",
                        row.rank, before.rank
                    )
                }
                Some(_) => continue,
            };
            let href = format!("events/{}.html#g-{}", event.id, player.id);
            changes.items.push(Change { text: text.into(), href: href.into() });
        }
        let left = old.iter().filter(|(key, _)| !seen.contains(*key)).map(|(_, row)| Change {
            text: format!(
                "{}, {}: no longer on the list (was {})",
                row.player,
                row.event,
                fixed(row.g_score, 2)
            )
            .into(),
            href: "greatness.html".into(),
        });
        let entered_or_moved = changes.items.len();
        changes.items.extend(left);
        changes.left = changes.items.len() - entered_or_moved;
        changes
    }
}

#[derive(Debug, Default)]
struct EventChanges {
    items: Vec<Change>,
    /// Events that the archive did not have before.
    new: usize,
    /// Events with another number of games, or another strength.
    changed: usize,
    /// Events that the archive no longer has.
    gone: usize,
}

impl EventChanges {
    fn since(archive: &Archive, events: &[OldEvent]) -> EventChanges {
        let old: BTreeMap<&str, &OldEvent> =
            events.iter().map(|event| (event.event_id.as_str(), event)).collect();
        let mut changes = EventChanges::default();
        for record in &archive.records {
            let text = match old.get(record.event.id.as_str()) {
                None => {
                    changes.new += 1;
                    format!("{}: new event", record.event.name)
                }
                Some(before) => {
                    let Some(text) = difference(record, before) else { continue };
                    changes.changed += 1;
                    text
                }
            };
            changes.items.push(Change { text: text.into(), href: of_event(record).into() });
        }
        let ids: BTreeSet<&str> =
            archive.records.iter().map(|record| record.event.id.as_str()).collect();
        let gone = old.values().filter(|event| !ids.contains(event.event_id.as_str()));
        let new_or_changed = changes.items.len();
        changes.items.extend(gone.map(|event| Change {
            text: format!("{}: no longer an event", event.name).into(),
            href: "events.html".into(),
        }));
        changes.gone = changes.items.len() - new_or_changed;
        changes
    }
}

/// How an event differs from its former export; `None` where games and strength are the same.
fn difference(record: &EventRecord, before: &OldEvent) -> Option<String> {
    let event = &record.event;
    if before.games != event.games.len() {
        return Some(format!(
            "{}: {}, was {}",
            event.name,
            counted(event.games.len(), "game", "games"),
            before.games
        ));
    }
    let strength =
        |value: Option<f64>| value.map(|value| fixed(value, 4)).unwrap_or_else(|| "unknown".into());
    let (now, was) = (strength(record.analysis.strength), strength(before.strength));
    (now != was).then(|| format!("{}: strength {now}, was {was}", event.name))
}
