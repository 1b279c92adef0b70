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
    /// Index of each event by its identifier.
    by_id: rustc_hash::FxHashMap<&'a str, usize>,
    /// Matches of each cycle or knock-out.
    parts: rustc_hash::FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Site<'a> {
    pub fn of(archive: &'a Archive) -> Site<'a> {
        let mut strength_rank = vec![None; archive.records.len()];
        for row in &archive.strength {
            strength_rank[row.event] = Some(row.rank);
        }
        let ids = archive.records.iter().enumerate();
        let by_id = ids.map(|(index, record)| (record.event.id.as_str(), index)).collect();
        let mut parts: rustc_hash::FxHashMap<&str, Vec<usize>> = Default::default();
        for (index, record) in archive.records.iter().enumerate() {
            if let Some(whole) = &record.event.part_of {
                parts.entry(whole).or_default().push(index);
            }
        }
        Site { archive, strength_rank, by_id, parts }
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
