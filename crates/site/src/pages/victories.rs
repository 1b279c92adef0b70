//! The titles and first places of a player.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tournament_series::{FirstPlaces, base_name, first_places};
use super::{Link, Site};
use crate::figures::counted;
use archive::{EventRecord, PlayerRow};

/// Victories in one series that are named together. Judged: two are a coincidence of a much-visited
/// town; the page lists every victory below.
const SEVERAL: usize = 3;

/// The most series that are named. Judged: the sentence must stay readable.
const SERIES: usize = 6;

#[derive(Debug, Serialize)]
struct Victory {
    event: Link,
    /// Whether others shared the first place.
    is_shared: bool,
}

/// The titles and first places of a player; `None` without any.
pub(super) fn victories(site: &Site, row: &PlayerRow) -> Option<impl Serialize + use<>> {
    let reigns = site.reigns.get(&row.player).map_or(&[][..], Vec::as_slice);
    let titles: Vec<String> = reigns.iter().map(|reign| reign.words()).collect();
    let FirstPlaces { tournaments, mut won } = first_places(&site.archive.records, row);
    if titles.is_empty() && won.is_empty() {
        return None;
    }
    won.sort_by_key(|(record, _)| record.event.days());
    let victories: Vec<Victory> = won
        .iter()
        .map(|(record, is_shared)| Victory { event: Link::to_event(record), is_shared: *is_shared })
        .collect();
    Some(view!(titles, summary = summary(&won, tournaments), series = series(&won), victories))
}

/// `First in 41 of 174 tournaments, in 5 of them with others.`
fn summary(won: &[(&EventRecord, bool)], tournaments: usize) -> String {
    if won.is_empty() {
        return String::new();
    }
    let shared = won.iter().filter(|(_, is_shared)| *is_shared).count();
    let with_others = match shared {
        0 => String::new(),
        all if all == won.len() => ", with others".into(),
        some => format!(", in {some} of them with others"),
    };
    let all = counted(tournaments, "tournament", "tournaments");
    format!("First in {} of {all} here{with_others}.", won.len())
}

/// The series with several victories, most victories first: `Linares nine times (1990, 1992 ...)`.
fn series(won: &[(&EventRecord, bool)]) -> Vec<String> {
    let mut series: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (record, _) in won {
        let name = base_name(&record.event.name);
        series.entry(name).or_default().push(Site::year(record));
    }
    let mut series: Vec<(String, Vec<String>)> =
        series.into_iter().filter(|(_, years)| years.len() >= SEVERAL).collect();
    series.sort_by(|(a, of_a), (b, of_b)| of_b.len().cmp(&of_a.len()).then(a.cmp(b)));
    let lines = series.iter().take(SERIES);
    lines.map(|(name, years)| format!("{name}: {} ({})", years.len(), years.join(", "))).collect()
}
