//! Links from an event to related events: in time, in its series, by strength, between its players.

use serde::Serialize;

use super::{Link, Site};
use crate::figures::spoken;
use pgn_collections::games::PartialDate;

/// A link to a related event, with its description.
#[derive(Debug, Serialize)]
pub(super) struct Neighbour {
    what: &'static str,
    link: Link,
}

/// The events before and after this one: in time, in its series, on the list of the strongest.
pub(super) fn neighbours(site: &Site, index: usize) -> Vec<Neighbour> {
    let records = &site.archive.records;
    let start = records[index].event.start;
    let previous = index.checked_sub(1);
    let next = Some(index + 1).filter(|next| *next < records.len());
    let [previous, next] = [previous, next]
        .map(|other| other.filter(|other| is_order_known(start, records[*other].event.start)));
    let series = site.series[index];
    [
        ("Previous event", previous),
        ("Next event", next),
        ("Previous in this series", series.previous),
        ("Next in this series", series.next),
        ("Next stronger", next_by_strength(site, index, -1)),
        ("Next weaker", next_by_strength(site, index, 1)),
    ]
    .into_iter()
    .filter_map(|(what, event)| Some(Neighbour { what, link: site.event_link(event?) }))
    .chain(series_page(site, index))
    .chain(head_to_head(site, index))
    .collect()
}

/// The page of the series of an event.
fn series_page(site: &Site, index: usize) -> Option<Neighbour> {
    let series = &site.all_series[*site.series_of.get(&index)?];
    let link = Link { href: series.path(), text: series.name.clone() };
    Some(Neighbour { what: "All of the series", link })
}

/// The event that is `step` places below an event on the list of the strongest.
fn next_by_strength(site: &Site, index: usize, step: isize) -> Option<usize> {
    let rank = site.strength_rank[index]?.checked_add_signed(step)?;
    Some(site.ranked_with(index).get(rank.checked_sub(1)?)?.event)
}

/// Whether the order of two dates is known, since they differ in the parts that both have.
fn is_order_known(one: PartialDate, other: PartialDate) -> bool {
    match one.known_parts().min(other.known_parts()) {
        0 => false,
        1 => one.year() != other.year(),
        2 => (one.year(), one.month_name()) != (other.year(), other.month_name()),
        _ => one != other,
    }
}

/// All games between the players of a match, if they met often.
fn head_to_head(site: &Site, index: usize) -> Option<Neighbour> {
    let event = &site.archive.records[index].event;
    let [one, other] = event.players[..] else { return None };
    let href = site.pairs.path(site.archive, one, other)?;
    let names = [one, other].map(|player| spoken(&site.archive.players.get(player).name));
    Some(Neighbour {
        what: "All games between them", link: Link { href, text: names.join(" – ") }
    })
}
