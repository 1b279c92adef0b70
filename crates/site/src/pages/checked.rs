//! The events compared with a reference table of famous events.

use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, spoken};
use archive::{EventRecord, HistoryDifference};
use chess_history::events::KnownResult;

fn differing_event(record: &EventRecord, differences: &[HistoryDifference]) -> impl Serialize {
    let rows = differences.iter().map(|difference| {
        view!(
            aspect = difference.aspect.word(),
            found = difference.found.clone(),
            known = difference.known.clone(),
            explanation = difference.explanation.map_or("", |explanation| explanation.words())
        )
    });
    view!(
        event = Link::to_event(record),
        year = Site::year(record),
        differences = rows.collect::<Vec<_>>()
    )
}

pub fn checked(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let checked = &archive.findings.checked;
    let (mut explained, mut unexplained) = (Vec::new(), Vec::new());
    for (event, differences) in &checked.differing {
        let line = differing_event(&archive.records[*event], differences);
        if differences.iter().all(|difference| difference.explanation.is_some()) {
            explained.push(line);
        } else {
            unexplained.push(line);
        }
    }
    let all = checked.agreeing.len() + checked.differing.len();
    let description = match all {
        0 => "No event of this archive is in the reference table.".to_owned(),
        _ => format!(
            "{} of {} agree with the reference table.",
            checked.agreeing.len(),
            counted(all, "famous event", "famous events")
        ),
    };
    view!(
        frame = page.frame(site, description),
        // Events with an unexplained difference.
        unexplained,
        explained,
        absent = checked.absent.iter().map(|result| absent(result)).collect::<Vec<_>>()
    )
}

/// A famous event without games in the collection.
fn absent(result: &KnownResult) -> impl Serialize {
    let winners: Vec<String> = result.winners.iter().map(|name| spoken(name)).collect();
    let pair = result.contestants.iter().map(|name| name.split(',').next().unwrap_or_default());
    let pair = pair.collect::<Vec<_>>().join("–");
    let title = match result.name.as_str() {
        "" | "Match" => "",
        name => name,
    };
    view!(
        name = match (title, pair.as_str()) {
            ("", "") => result.place.clone(),
            (title, "") => title.to_owned(),
            ("", pair) => pair.to_owned(),
            (title, pair) => format!("{title}: {pair}"),
        },
        place = result.place.clone(),
        date = result.start.iso(),
        winners = winners.join(", "),
        points = result.points.map(|points| points.to_string()).unwrap_or_default()
    )
}
