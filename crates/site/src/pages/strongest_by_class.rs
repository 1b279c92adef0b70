//! The strongest tournaments by their mean Chessmetrics rating and by class.

use serde::Serialize;

use super::page::{Inputs, Page};
use super::{Link, Site};
use crate::errors::PublishError;
use crate::figures::{fixed, list_with_shift};
use crate::long_table::LongTable;
use archive::RankedTournament;

/// The ranks by either list that the page and its files have. Judged: some screens. The export has
/// a thousand.
const LISTED: usize = 300;

pub fn has_classes(site: &Site) -> bool {
    !site.archive.studies.chessmetrics.tournaments.is_empty()
}

pub fn strongest_by_class(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    let site = to.site;
    let tournaments = &site.archive.studies.chessmetrics.tournaments;
    let mut listed: Vec<&RankedTournament> =
        tournaments.iter().filter(|row| row.by_class <= LISTED || row.by_mean <= LISTED).collect();
    listed.sort_by_key(|row| row.by_class);
    let years = listed.iter().filter_map(|row| site.archive.records[row.event].event.start.year());
    let (first_year, last_year) = (years.clone().min(), years.max());
    let table =
        LongTable::new("strongest-by-class", listed.iter().map(|row| line(site, row)).collect());
    let view = view!(
        frame = page.cited_frame(site, finding(site, &listed)),
        first_year,
        last_year,
        table = &table
    );
    to.writer.page(page.path, "strongest-by-class.html", &view)?;
    to.writer.rest(&table, "class_rows.html", "")
}

/// The strongest tournaments by class and by mean, in a sentence.
fn finding(site: &Site, listed: &[&RankedTournament]) -> String {
    let name = |row: &RankedTournament| {
        let record = &site.archive.records[row.event];
        record.event.name.clone()
    };
    let by_mean = listed.iter().min_by_key(|row| row.by_mean);
    let (Some(by_class), Some(by_mean)) = (listed.first(), by_mean) else {
        return String::new();
    };
    let ranks: Vec<String> = by_class.top_ten.iter().map(ToString::to_string).collect();
    let best = format!(
        "Of the tournaments listed here, {} had most of the world’s best: {} of the first ten ({}), class {} of 22.",
        name(by_class),
        ranks.len(),
        ranks.join(", "),
        by_class.class
    );
    let mean = format!(
        "The highest mean rating is that of {}: {} points.",
        name(by_mean),
        fixed(by_mean.mean, 0)
    );
    if by_class.class == 0 { mean } else { format!("{best} {mean}") }
}

fn line(site: &Site, row: &RankedTournament) -> impl Serialize {
    let record = &site.archive.records[row.event];
    let ranks: Vec<String> = row.top_ten.iter().map(ToString::to_string).collect();
    view!(
        by_class = row.by_class,
        by_mean = row.by_mean,
        event = Link::to_event(record),
        year = Site::year(record),
        class = row.class,
        // World ranks of its players among the first ten.
        top_ten = ranks.join(" "),
        mean = fixed(row.mean, 0),
        category = row.category,
        // How many of the players are on the list, if not all.
        listed = if row.listed < record.event.players.len() {
            format!("{} of {}", row.listed, record.event.players.len())
        } else {
            String::new()
        },
        list = list_with_shift(&row.list, row.edition.year(), row.shift)
    )
}
