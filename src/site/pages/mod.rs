//! One view a page kind.

mod event;
mod indexes;
mod lists;
mod player;
mod review;

use serde::Serialize;

use crate::archive::{Archive, EventRecord};

pub(super) use event::event;
pub(super) use indexes::{events, front, players};
pub(super) use lists::{greatness, strength};
pub(super) use player::player;
pub(super) use review::review;

/// The archive with what several pages look up.
pub(super) struct Site<'a> {
    pub archive: &'a Archive,
    /// Place of each event on the strength list.
    strength_rank: Vec<Option<usize>>,
}

impl<'a> Site<'a> {
    pub fn of(archive: &'a Archive) -> Site<'a> {
        let mut strength_rank = vec![None; archive.records.len()];
        for row in &archive.strength {
            strength_rank[row.event] = Some(row.rank);
        }
        Site { archive, strength_rank }
    }

    /// When an event took place, in words.
    fn dates(record: &EventRecord) -> String {
        let (start, end) = (record.event.start, record.event.end);
        match (start.in_words(), end.in_words()) {
            (Some(start), Some(end)) if start != end => format!("{start} – {end}"),
            (Some(start), _) => start,
            _ => "date unknown".into(),
        }
    }

    /// The year of an event, or nothing.
    fn year(record: &EventRecord) -> String {
        record.event.start.year().map(|year| year.to_string()).unwrap_or_default()
    }
}

/// What the frame of every page needs.
#[derive(Clone, Debug, Serialize)]
struct Frame {
    /// Title of the page.
    title: String,
    /// One sentence for those who share or find it.
    description: String,
    /// The way from the page to the archive's folder: empty or `../`.
    root: &'static str,
    /// Which entry of the navigation the page is.
    section: &'static str,
}

/// A link with its text; the target is relative to the archive's folder.
#[derive(Clone, Debug, Serialize)]
struct Link {
    href: String,
    text: String,
}

impl Link {
    fn to_event(record: &EventRecord) -> Link {
        Link { href: format!("events/{}.html", record.event.id), text: record.event.name.clone() }
    }

    fn to_player(archive: &Archive, player: crate::players::PlayerId) -> Link {
        let player = archive.players.get(player);
        Link { href: format!("players/{}.html", player.id), text: player.name.clone() }
    }
}
