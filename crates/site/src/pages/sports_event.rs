//! An event for search engines: `SportsEvent` of schema.org.

use serde_json::{Value, json};

use super::{Link, Site};
use crate::figures::spoken;
use chess_history::gazetteer::country;

/// The largest field whose players are listed. Judged: no reader sees them, and a
/// larger field would make the page much larger.
const LISTED: usize = 30;

/// The path from the page of an event to the archive's folder.
const ROOT: &str = "../";

/// Describes an event: name, address, days, place, players, and the event or series to which it
/// belongs.
pub(super) fn sports_event(site: &Site, index: usize) -> Value {
    let record = &site.archive.records[index];
    let event = &record.event;
    let mut described = json!({
        "@type": "SportsEvent",
        "name": event.name,
        "url": site.address(ROOT, &Link::to_event(record).href),
        "sport": "Chess",
    });
    let (first, last) = event.days();
    for (key, day) in [("startDate", first), ("endDate", last)] {
        if day.year().is_some() {
            described[key] = json!(day.iso());
        }
    }
    if !event.site.is_empty() {
        let mut place = json!({ "@type": "Place", "name": event.site });
        if let Some(country) = site.country_of(record).and_then(country) {
            place["address"] = json!(format!("{}, {}", event.site, country.name));
        }
        described["location"] = place;
    }
    if event.players.len() <= LISTED {
        let players = record.analysis.players.iter().map(|player| {
            let link = Link::to_player(site.archive, event.players[player.index]);
            json!({
                "@type": "Person",
                "name": spoken(&player.name),
                "url": site.address(ROOT, &link.href),
            })
        });
        described["competitor"] = players.collect();
    }
    let whole = event.part_of.as_ref().and_then(|id| site.by_id.get(id.as_str())).map(|whole| {
        let Link { href, text } = site.event_link(*whole);
        json!({ "@type": "SportsEvent", "name": text, "url": site.address(ROOT, &href) })
    });
    let series = event.series.as_ref().map(|series| {
        json!({ "@type": "EventSeries", "name": series.name, "sameAs": series.wikidata.address() })
    });
    let above: Vec<Value> = whole.into_iter().chain(series).collect();
    if !above.is_empty() {
        described["superEvent"] = Value::Array(above);
    }
    described
}
