//! The events compared with a reference table of famous events.

use serde::Serialize;

use super::page::Page;
use super::{Frame, Link, Site};
use crate::figures::{counted, spoken};
use archive::{EventRecord, HistoryDifference};
use chess_history::events::KnownResult;

/// The page *Checked against history*.
#[derive(Debug, Serialize)]
pub struct CheckedPage {
    frame: Frame,
    agreeing: usize,
    /// Events with an unexplained difference.
    unexplained: Vec<DifferingEvent>,
    explained: Vec<DifferingEvent>,
    absent: Vec<Absent>,
}

#[derive(Debug, Serialize)]
struct DifferingEvent {
    event: Link,
    year: String,
    differences: Vec<DifferenceRow>,
}

impl DifferingEvent {
    fn new(record: &EventRecord, differences: &[HistoryDifference]) -> DifferingEvent {
        let rows = differences.iter().map(|difference| DifferenceRow {
            aspect: difference.aspect.word(),
            found: difference.found.clone(),
            known: difference.known.clone(),
            explanation: difference.explanation.map_or("", |explanation| explanation.words()),
        });
        DifferingEvent {
            event: Link::to_event(record),
            year: Site::year(record),
            differences: rows.collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct DifferenceRow {
    aspect: &'static str,
    found: String,
    known: String,
    explanation: &'static str,
}

/// A famous event without games in the collection.
#[derive(Debug, Serialize)]
struct Absent {
    name: String,
    place: String,
    date: String,
    winners: String,
    points: String,
}

pub fn checked(site: &Site, page: &Page) -> CheckedPage {
    let archive = site.archive;
    let checked = &archive.findings.checked;
    let (mut explained, mut unexplained) = (Vec::new(), Vec::new());
    for (event, differences) in &checked.differing {
        let line = DifferingEvent::new(&archive.records[*event], differences);
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
    CheckedPage {
        frame: page.frame(site, description),
        agreeing: checked.agreeing.len(),
        unexplained,
        explained,
        absent: checked.absent.iter().map(|result| absent(result)).collect(),
    }
}

fn absent(result: &KnownResult) -> Absent {
    let winners: Vec<String> = result.winners.iter().map(|name| spoken(name)).collect();
    let pair = result.contestants.iter().map(|name| name.split(',').next().unwrap_or_default());
    let pair = pair.collect::<Vec<_>>().join("–");
    let title = match result.name.as_str() {
        "" | "Match" => "",
        name => name,
    };
    Absent {
        name: match (title, pair.as_str()) {
            ("", "") => result.place.clone(),
            (title, "") => title.to_owned(),
            ("", pair) => pair.to_owned(),
            (title, pair) => format!("{title}: {pair}"),
        },
        place: result.place.clone(),
        date: result.start.iso(),
        winners: winners.join(", "),
        points: result.points.map(|points| points.to_string()).unwrap_or_default(),
    }
}
