//! The two ranked lists.

use serde::Serialize;

use super::{Frame, Link, Site};
use crate::archive::{GreatnessRow, StrengthRow};
use crate::site::figures::{fixed, fixed_or_empty, points};
use crate::tournament::Band;

/// The Greatness List.
#[derive(Debug, Serialize)]
pub(in crate::site) struct GreatnessPage {
    frame: Frame,
    bands: Vec<BandLine>,
    rows: Vec<PerformanceLine>,
    minimum_games: usize,
}

/// A band with its limits and how many performances are in it.
#[derive(Debug, Serialize)]
struct BandLine {
    name: &'static str,
    range: String,
    count: usize,
    number: usize,
}

/// A line of the Greatness List.
#[derive(Debug, Serialize)]
pub(super) struct PerformanceLine {
    rank: usize,
    g: String,
    player: Link,
    event: Link,
    year: String,
    kind: &'static str,
    games: usize,
    points: String,
    p_zero: String,
    resistance: String,
    stamina: String,
    band: &'static str,
    band_number: usize,
    rating_label: String,
    order_spread: String,
}

impl PerformanceLine {
    pub fn of(site: &Site, row: &GreatnessRow) -> PerformanceLine {
        let record = &site.archive.records[row.event];
        let player = &record.analysis.players[row.standing];
        PerformanceLine {
            rank: row.rank,
            g: fixed(row.g_score, 2),
            player: Link::to_player(site.archive, row.player),
            event: Link::to_event(record),
            year: Site::year(record),
            kind: record.event.kind.words(),
            games: player.games,
            points: points(player.points),
            p_zero: fixed_or_empty(player.p_zero, 2),
            resistance: fixed_or_empty(player.resistance, 4),
            stamina: fixed(player.stamina, 2),
            band: row.band.map_or("", Band::name),
            band_number: row.band.map_or(0, |band| band as usize + 1),
            rating_label: record.analysis.rating_label.clone(),
            order_spread: fixed_or_empty(player.g_order_spread.map(f64::abs), 1),
        }
    }
}

/// A line of the strongest events.
#[derive(Debug, Serialize)]
pub(super) struct StrengthLine {
    rank: usize,
    strength: String,
    event: Link,
    year: String,
    kind: &'static str,
    players: usize,
    games: usize,
    number_two: String,
    rating_label: String,
}

impl StrengthLine {
    pub fn of(site: &Site, row: &StrengthRow) -> StrengthLine {
        let record = &site.archive.records[row.event];
        StrengthLine {
            rank: row.rank,
            strength: fixed(row.strength, 4),
            event: Link::to_event(record),
            year: Site::year(record),
            kind: record.event.kind.words(),
            players: record.event.players.len(),
            games: record.event.games.len(),
            number_two: fixed_or_empty(record.analysis.number_two, 0),
            rating_label: record.analysis.rating_label.clone(),
        }
    }
}

/// The view of the Greatness List.
pub(in crate::site) fn greatness(site: &Site) -> GreatnessPage {
    let rows = &site.archive.greatness;
    let bands = Band::ALL
        .into_iter()
        .rev()
        .map(|band| BandLine {
            name: band.name(),
            range: match band {
                Band::BeyondComprehension => format!("{:.0} and up", band.from()),
                _ => format!("{:.0} – {:.2}", band.from(), band.from() + 49.99),
            },
            count: rows.iter().filter(|row| row.band == Some(band)).count(),
            number: band as usize + 1,
        })
        .collect();
    GreatnessPage {
        frame: Frame {
            title: "The Greatness List".into(),
            description: format!(
                "{} performances with a G-score of 100 or more, best first.",
                rows.len()
            ),
            root: "",
            section: "greatness",
        },
        bands,
        rows: rows.iter().map(|row| PerformanceLine::of(site, row)).collect(),
        minimum_games: site.archive.settings.lists.minimum_games,
    }
}

/// The strongest events.
#[derive(Debug, Serialize)]
pub(in crate::site) struct StrengthPage {
    frame: Frame,
    rows: Vec<StrengthLine>,
    minimum_coverage: String,
}

/// The view of the strongest events.
pub(in crate::site) fn strength(site: &Site) -> StrengthPage {
    let rows = &site.archive.strength;
    StrengthPage {
        frame: Frame {
            title: "The strongest tournaments and matches".into(),
            description: format!("{} events by the strength of their fields.", rows.len()),
            root: "",
            section: "strength",
        },
        rows: rows.iter().map(|row| StrengthLine::of(site, row)).collect(),
        minimum_coverage: crate::site::figures::percent(
            site.archive.settings.lists.minimum_coverage,
        ),
    }
}
