//! The pages for events and players without their own page. A script fills them.

use serde::Serialize;

use super::page::Page;
use super::{Frame, Site};
use crate::event_files::first_events;
use crate::{dossiers, shared_events};

/// A page for many events or players. Its address names one of them: `event.html?e=vienna-1898`.
#[derive(Debug, Serialize)]
pub struct AnyPage {
    frame: Frame,
    /// What it shows: `event` or `player`.
    what: &'static str,
    /// The folder of the data, relative to the archive's folder.
    folder: &'static str,
    /// The number of data files.
    files: usize,
    /// The first event of each data file of events.
    first_events: Vec<String>,
    /// The rating systems; the data refers to them by number.
    systems: Vec<String>,
    /// The number of events or players without a page.
    without: usize,
}

fn events_without(site: &Site) -> usize {
    site.archive.records.iter().filter(|record| !record.has_page).count()
}

fn players_without(site: &Site) -> usize {
    let archive = site.archive;
    let rows = archive.lists.player_rows.iter();
    rows.filter(|row| !archive.player_pages[row.player.index()]).count()
}

/// Whether an event has no page of its own.
pub fn has_any_event(site: &Site) -> bool {
    events_without(site) > 0
}

/// Whether a player has no page of their own.
pub fn has_any_player(site: &Site) -> bool {
    players_without(site) > 0
}

/// The page for events without their own page.
pub fn any_event(site: &Site, page: &Page) -> AnyPage {
    let first_events = first_events(site.archive, &shared_events::files(site.archive));
    AnyPage {
        frame: page.cited_frame(site, "This page shows any event that is not ranked."),
        what: "event",
        folder: shared_events::FOLDER,
        files: first_events.len(),
        first_events,
        systems: Vec::new(),
        without: events_without(site),
    }
}

/// The page for players without their own page.
pub fn any_player(site: &Site, page: &Page) -> AnyPage {
    AnyPage {
        frame: page.cited_frame(site, "This page shows any player without a ranked performance."),
        what: "player",
        folder: "compare",
        files: dossiers::number_of_files(site.archive),
        first_events: Vec::new(),
        systems: dossiers::systems(site.archive),
        without: players_without(site),
    }
}
