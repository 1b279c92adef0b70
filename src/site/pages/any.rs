//! The pages that show what has no page of its own: any event, any player. Their script fills them.

use serde::Serialize;

use super::{Frame, Site};
use crate::site::addresses::{ANY_EVENT, ANY_PLAYER};
use crate::site::{dossiers, small_events};

/// A page for many; which of them it shows stands in its address after the `#`.
#[derive(Debug, Serialize)]
pub(in crate::site) struct AnyPage {
    frame: Frame,
    /// What it shows: `event` or `player`.
    what: &'static str,
    /// Where the data is, below the archive's folder.
    folder: &'static str,
    /// In how many files.
    files: usize,
    /// The rating systems by their numbers.
    systems: Vec<String>,
    /// How many have no page.
    without: usize,
}

/// The page of events without one of their own; `None` where all have one.
pub(in crate::site) fn any_event(site: &Site) -> Option<AnyPage> {
    let archive = site.archive;
    let without = archive.records.iter().filter(|record| !record.has_page).count();
    (without > 0).then(|| AnyPage {
        frame: site.frame(
            ANY_EVENT,
            "strength",
            "An event".into(),
            "Of events with a few games, which no list ranks, one page shows any.".into(),
        ),
        what: "event",
        folder: small_events::FOLDER,
        files: small_events::number_of_files(archive),
        systems: Vec::new(),
        without,
    })
}

/// The page of players without one of their own; `None` where all have one.
pub(in crate::site) fn any_player(site: &Site) -> Option<AnyPage> {
    let archive = site.archive;
    let has_page = |player: crate::players::PlayerId| archive.player_pages[player.index()];
    let without = archive.lists.player_rows.iter().filter(|row| !has_page(row.player)).count();
    (without > 0).then(|| AnyPage {
        frame: site.frame(
            ANY_PLAYER,
            "players",
            "A player".into(),
            "Of players with a few games one page shows any.".into(),
        ),
        what: "player",
        folder: "compare",
        files: dossiers::number_of_files(archive),
        systems: dossiers::systems(archive),
        without,
    })
}
