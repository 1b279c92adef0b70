//! The texts of an event on the page that it shares with other events.

use serde::Serialize;

use super::event::{how_made, parts, unlisted};
use super::facts::facts;
use super::neighbours::{Neighbour, neighbours};
use super::verdict::verdict;
use super::{Link, Site};

/// The texts of an event, which are those of a page of its own.
#[derive(Debug, Serialize)]
pub struct SharedTexts {
    name: String,
    verdict: String,
    unlisted: String,
    facts: Vec<(&'static str, String)>,
    part_of: Option<Link>,
    parts: Vec<Link>,
    /// How the event was assembled.
    reasons: Vec<String>,
    neighbours: Vec<Neighbour>,
    year: Option<i16>,
}

/// The texts of the event with this index.
pub fn texts(site: &Site, index: usize) -> SharedTexts {
    let record = &site.archive.records[index];
    let event = &record.event;
    let whole = event.part_of.as_ref().and_then(|id| site.by_id.get(id.as_str())).copied();
    SharedTexts {
        name: event.name.clone(),
        verdict: verdict(record),
        unlisted: unlisted(record, &site.archive.settings.lists),
        facts: facts(site, record),
        part_of: whole.map(|whole| site.event_link(whole)),
        parts: parts(site, event),
        reasons: how_made(event),
        neighbours: neighbours(site, index),
        year: event.start.year(),
    }
}
