//! The pages for events and players without their own page. A script fills them.

use serde::Serialize;

use super::{Frame, Site};
use crate::addresses::{ANY_EVENT, ANY_PLAYER};
use crate::{dossiers, small_events};

/// A page for many events or players. Its address names one of them after the `#`.
#[derive(Debug, Serialize)]
pub struct AnyPage {
    frame: Frame,
    /// What it shows: `event` or `player`.
    what: &'static str,
    /// The folder of the data, relative to the archive's folder.
    folder: &'static str,
    /// The number of data files.
    files: usize,
    /// The rating systems; the data refers to them by number.
    systems: Vec<String>,
    /// The number of events or players without a page.
    without: usize,
}

/// The page for events without their own page; `None` if all have one.
pub fn any_event(site: &Site) -> Option<AnyPage> {
    let archive = site.archive;
    let without = archive.records.iter().filter(|record| !record.has_page).count();
    (without > 0).then(|| AnyPage {
        frame: site.frame(
            ANY_EVENT,
            "strength",
            "An event".into(),
            "This page shows any event that has only a few games and is not ranked.".into(),
        ),
        what: "event",
        folder: small_events::FOLDER,
        files: small_events::number_of_files(archive),
        systems: Vec::new(),
        without,
    })
}

/// The page for players without their own page; `None` if all have one.
pub fn any_player(site: &Site) -> Option<AnyPage> {
    let archive = site.archive;
    let without = archive
        .lists
        .player_rows
        .iter()
        .filter(|row| !archive.player_pages[row.player.index()])
        .count();
    (without > 0).then(|| AnyPage {
        frame: site.frame(
            ANY_PLAYER,
            "players",
            "A player".into(),
            "This page shows any player who has only a few games.".into(),
        ),
        what: "player",
        folder: "compare",
        files: dossiers::number_of_files(archive),
        systems: dossiers::systems(archive),
        without,
    })
}
