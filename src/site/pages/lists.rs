//! The two ranked lists.

use serde::Serialize;

use super::certainty::range;
use super::{Frame, Link, Site};
use crate::archive::{EventRecord, GreatnessRow, StrengthRow};
use crate::site::charts::{Dot, Scatter, scatter};
use crate::site::figures::{counted, fixed, fixed_or_empty, margin, percent, points};
use crate::tournament::Band;
use crate::tournament::Kind;

/// Dots of the chart that are links of their own.
const LINKED: usize = 2000;

/// The Greatness List.
#[derive(Debug, Serialize)]
pub(in crate::site) struct GreatnessPage {
    frame: Frame,
    bands: Vec<BandLine>,
    kinds: Vec<(&'static str, &'static str)>,
    first_year: Option<i16>,
    last_year: Option<i16>,
    chart: Option<Scatter>,
    rows: Vec<PerformanceLine>,
    minimum_games: usize,
    /// Whether there are published figures to compare with.
    published: bool,
}

/// All performances of the list as dots of a chart, the best first.
pub(super) fn dots(site: &Site) -> Vec<Dot> {
    let rows = site.archive.greatness.iter();
    rows.filter_map(|row| {
        let record = &site.archive.records[row.event];
        let day = record.event.start.earliest().filter(|_| record.event.start.known_parts() > 1);
        let year = f64::from(record.event.start.year()?);
        let part = day.map_or(0.5, |day| f64::from(day.day_of_year()) / 366.0);
        let name = &site.archive.players.get(row.player).name;
        Some(Dot {
            year: year + part,
            g_score: row.g_score,
            href: format!("events/{}.html#{}", record.event.id, anchor(site, row)),
            error: record.analysis.players[row.standing].g_error,
            title: format!("{name}, {}: {}", record.event.name, fixed(row.g_score, 2)),
        })
    })
    .collect()
}

/// Where the page of an event explains a performance.
fn anchor(site: &Site, row: &GreatnessRow) -> String {
    format!("g-{}", site.archive.players.get(row.player).id)
}

/// A band with its limits and how many performances are in it.
#[derive(Debug, Serialize)]
struct BandLine {
    name: &'static str,
    range: String,
    count: usize,
    number: usize,
    roman: &'static str,
}

/// The numbers of the bands as people write them; short beside a G-score, and no colour alone.
const ROMAN: [&str; 8] = ["", "I", "II", "III", "IV", "V", "VI", "VII"];

/// A line of the Greatness List.
#[derive(Debug, Serialize)]
pub(super) struct PerformanceLine {
    rank: usize,
    g: String,
    player: Link,
    event: Link,
    /// The part of the event's page that explains the performance.
    anchor: String,
    year: String,
    kind: &'static str,
    games: usize,
    points: String,
    p_zero: String,
    resistance: String,
    stamina: String,
    roman: &'static str,
    band_number: usize,
    rating_label: String,
    /// Where the line supplied more than half of the field, how much.
    supplied: String,
    /// Standard error of the G-score, and the score less that.
    error: String,
    cautious: String,
    /// The ranks that it may have, where they are several: `1–4`.
    range: String,
    /// Whether the one above may as well be below.
    is_tied: bool,
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
            anchor: anchor(site, row),
            year: Site::year(record),
            kind: record.event.kind.word(),
            games: player.games,
            points: points(player.points),
            p_zero: fixed_or_empty(player.p_zero, 2),
            resistance: fixed_or_empty(player.resistance, 4),
            stamina: fixed(player.stamina, 2),
            roman: ROMAN[row.band.map_or(0, |band| band as usize + 1)],
            band_number: row.band.map_or(0, |band| band as usize + 1),
            rating_label: record.analysis.rating_label.clone(),
            supplied: supplied(record),
            error: player.g_error.map(margin).unwrap_or_default(),
            cautious: fixed_or_empty(player.g_error.map(|error| row.g_score - error), 0),
            range: range(row.range),
            is_tied: row.range.is_tied,
        }
    }
}

/// What the line supplied of the field, where that was more than half: `58%`.
fn supplied(record: &EventRecord) -> String {
    let part = record.supplied();
    if part > 0.5 { percent(part) } else { String::new() }
}

/// A line of the strongest events.
#[derive(Debug, Serialize)]
pub(super) struct StrengthLine {
    rank: usize,
    strength: String,
    event: Link,
    year: String,
    kind: &'static str,
    kind_words: &'static str,
    players: usize,
    games: usize,
    number_two: String,
    rating_label: String,
    supplied: String,
    /// Standard error of the strength.
    error: String,
    /// The ranks that it may have, where they are several: `1–4`.
    range: String,
    /// Whether the one above may as well be below.
    is_tied: bool,
}

impl StrengthLine {
    pub fn of(site: &Site, row: &StrengthRow) -> StrengthLine {
        let record = &site.archive.records[row.event];
        StrengthLine {
            rank: row.rank,
            strength: fixed(row.strength, 4),
            event: Link::to_event(record),
            year: Site::year(record),
            kind: record.event.kind.word(),
            kind_words: record.event.kind.words(),
            players: record.event.players.len(),
            games: record.event.games.len(),
            number_two: fixed_or_empty(record.analysis.number_two, 0),
            rating_label: record.analysis.rating_label.clone(),
            supplied: supplied(record),
            error: record.analysis.strength_error.map(margin).unwrap_or_default(),
            range: range(row.range),
            is_tied: row.range.is_tied,
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
                _ => format!("{:.0}–{:.2}", band.from(), band.from() + 49.99),
            },
            count: rows.iter().filter(|row| row.band == Some(band)).count(),
            number: band as usize + 1,
            roman: ROMAN[band as usize + 1],
        })
        .collect();
    let events = || rows.iter().map(|row| row.event);
    let (first_year, last_year) = years(site, events());
    GreatnessPage {
        frame: site.frame(
            "greatness.html",
            "greatness",
            "The Greatness List".into(),
            format!(
                "{} with a G-score of {} or more, best first.",
                counted(rows.len(), "performance", "performances"),
                fixed(site.archive.settings.lists.minimum_g_score, 0)
            ),
        ),
        kinds: kinds(site, events()),
        first_year,
        last_year,
        chart: scatter(&dots(site), LINKED),
        bands,
        rows: rows.iter().map(|row| PerformanceLine::of(site, row)).collect(),
        minimum_games: site.archive.settings.lists.minimum_games,
        published: !site.archive.published.is_empty(),
    }
}

/// The kinds that occur among events, in exports' words and in people's.
fn kinds(
    site: &Site,
    events: impl Iterator<Item = usize> + Clone,
) -> Vec<(&'static str, &'static str)> {
    let occurs =
        |kind: &Kind| events.clone().any(|event| site.archive.records[event].event.kind == *kind);
    let kinds = Kind::ALL.into_iter().filter(occurs);
    kinds.map(|kind| (kind.word(), kind.words())).collect()
}

/// The first and the last year of events.
fn years(site: &Site, events: impl Iterator<Item = usize> + Clone) -> (Option<i16>, Option<i16>) {
    let years =
        || events.clone().filter_map(|event| site.archive.records[event].event.start.year());
    (years().min(), years().max())
}

/// The lists of rapid, or of blitz.
#[derive(Debug, Serialize)]
pub(in crate::site) struct FasterPage {
    frame: Frame,
    tempo: &'static str,
    greatness: Vec<PerformanceLine>,
    strength: Vec<StrengthLine>,
}

/// Lines of each list that a page of a faster tempo shows.
const FASTER: usize = 300;

/// The views of the faster tempos that have events, with the path of each.
pub(in crate::site) fn faster(site: &Site) -> Vec<(String, FasterPage)> {
    let lists = site.archive.faster.iter().filter(|lists| !lists.strength.is_empty());
    lists
        .map(|lists| {
            let tempo = lists.tempo.word();
            let path = format!("{tempo}.html");
            let mut title = tempo.to_owned();
            title[..1].make_ascii_uppercase();
            let events = counted(lists.strength.len(), "event", "events");
            let performances = counted(lists.greatness.len(), "performance", "performances");
            let page = FasterPage {
                frame: site.frame(
                    &path,
                    "strength",
                    format!("{title} chess"),
                    format!("{events}, {performances} with a G-score of 100 or more."),
                ),
                tempo,
                greatness: lists
                    .greatness
                    .iter()
                    .take(FASTER)
                    .map(|row| PerformanceLine::of(site, row))
                    .collect(),
                strength: lists
                    .strength
                    .iter()
                    .take(FASTER)
                    .map(|row| StrengthLine::of(site, row))
                    .collect(),
            };
            (path, page)
        })
        .collect()
}

/// The strongest events.
#[derive(Debug, Serialize)]
pub(in crate::site) struct StrengthPage {
    frame: Frame,
    kinds: Vec<(&'static str, &'static str)>,
    first_year: Option<i16>,
    last_year: Option<i16>,
    rows: Vec<StrengthLine>,
    minimum_coverage: String,
    /// Paths and names of the lists of faster chess.
    faster: Vec<(String, &'static str)>,
}

/// The view of the strongest events.
pub(in crate::site) fn strength(site: &Site) -> StrengthPage {
    let rows = &site.archive.strength;
    let events = || rows.iter().map(|row| row.event);
    let (first_year, last_year) = years(site, events());
    StrengthPage {
        kinds: kinds(site, events()),
        first_year,
        last_year,
        frame: site.frame(
            "tournaments.html",
            "strength",
            "The strongest tournaments and matches".into(),
            format!("{} by the strength of their fields.", counted(rows.len(), "event", "events")),
        ),
        rows: rows.iter().map(|row| StrengthLine::of(site, row)).collect(),
        faster: site
            .archive
            .faster
            .iter()
            .filter(|lists| !lists.strength.is_empty())
            .map(|lists| (format!("{}.html", lists.tempo.word()), lists.tempo.word()))
            .collect(),
        minimum_coverage: crate::site::figures::percent(
            site.archive.settings.lists.minimum_coverage,
        ),
    }
}
