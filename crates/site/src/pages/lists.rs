//! The ranked lists: the Greatness List, and the strongest tournaments and matches.

use serde::Serialize;

use super::certainty::range;
use super::chessmetrics::has_chessmetrics;
use super::number_ones_against_twos::has_matches_of_the_two_best;
use super::outcome::{PlayerScore, winner_in_short};
use super::page::{Inputs, Page};
use super::parts::{Part, Parts};
use super::strongest_by_class::has_classes;
use super::{Link, Section, Site};
use crate::charts::{Dot, scatter};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, fixed_or_empty, margin, percent, spelt_out};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use archive::{EventRecord, FasterLists, GreatnessRow, StrengthRow};
use chess_history::gazetteer::country;
use pgn_collections::games::Tempo;
use tournament_app::{GreatnessBand, Kind};

/// Dots of the chart that are links: as many as do not hide each other. Judged: each link also
/// makes the page larger.
const LINKED: usize = 300;

/// The performances of the list as dots of a chart, best first.
pub(super) fn dots(site: &Site) -> Vec<Dot> {
    let rows = site.archive.lists.greatness.iter();
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
            error: record.analysis.players[row.standing].simulated.g_error,
            title: format!("{name}, {}: {}", record.event.name, fixed(row.g_score, 2)),
        })
    })
    .collect()
}

/// The anchor on the event's page that explains a performance.
fn anchor(site: &Site, row: &GreatnessRow) -> String {
    format!("g-{}", site.archive.players.get(row.player).id)
}

/// Roman numbers of the bands. They fit next to a G-score, and do not rely on colour alone.
const ROMAN: [&str; 8] = ["", "I", "II", "III", "IV", "V", "VI", "VII"];

/// A row of the Greatness List.
pub(super) fn performance_line(site: &Site, row: &GreatnessRow) -> impl Serialize {
    let record = &site.archive.records[row.event];
    let player = &record.analysis.players[row.standing];
    view!(
        rank = row.rank,
        g = fixed(row.g_score, 2),
        player = Link::to_player(site.archive, row.player),
        event = Link::to_event(record),
        // The part of the event's page that explains the performance.
        anchor = anchor(site, row),
        year = Site::year(record),
        kind = record.event.kind.word(),
        // Codes of the player's countries, separated by spaces; empty if unknown.
        countries = site.countries_of(row.player).join(" "),
        games = player.games,
        score = PlayerScore::new(record, row.standing),
        p_zero = fixed_or_empty(player.p_zero, 2),
        resistance = fixed_or_empty(player.resistance, 4),
        stamina = fixed(player.stamina, 2),
        roman = ROMAN[row.band.map_or(0, |band| band as usize + 1)],
        band_number = row.band.map_or(0, |band| band as usize + 1),
        rating_label = record.analysis.rating_label.clone(),
        // The estimated part of the ratings, if it is more than half.
        supplied = supplied(record),
        // Standard error of the G-score, and the score minus the error.
        error = player.simulated.g_error.map(margin).unwrap_or_default(),
        cautious = fixed_or_empty(player.simulated.g_error.map(|error| row.g_score - error), 0),
        // The range of its rank, if there is more than one: `1–4`.
        range = range(row.range),
        // Whether it is level with the one above within the margin of error.
        is_tied = row.range.is_tied
    )
}

/// The estimated part of the ratings, if it is more than half: `58%`.
fn supplied(record: &EventRecord) -> String {
    let part = record.supplied();
    if part > 0.5 { percent(part) } else { String::new() }
}

/// A row of the strongest events.
pub(super) fn strength_line(site: &Site, row: &StrengthRow) -> impl Serialize {
    let record = &site.archive.records[row.event];
    view!(
        rank = row.rank,
        // The strength, with the decimals that its error allows, and in full.
        strength = Site::strength(record),
        strength_full = Site::full_strength(record),
        event = Link::to_event(record),
        year = Site::year(record),
        dates = Site::dates(record),
        // The winner, with the score of a match; or the players who shared first place.
        winner = winner_in_short(record),
        kind = record.event.kind.word(),
        kind_words = record.event.kind.words(),
        // Code of the country of the event; empty if unknown.
        country = site.country_of(record).unwrap_or_default(),
        players = record.finishers(),
        games = record.event.games.len(),
        number_two = fixed_or_empty(record.analysis.number_two, 0),
        rating_label = record.analysis.rating_label.clone(),
        supplied = supplied(record),
        error = record.analysis.strength_error.map(margin).unwrap_or_default(),
        // The range of its rank, if there is more than one: `1–4`.
        range = range(row.range),
        // Whether it is level with the one above within the margin of error.
        is_tied = row.range.is_tied
    )
}

/// The bands with their limits, the highest first.
fn bands(rows: &[GreatnessRow]) -> Vec<impl Serialize> {
    let bands = GreatnessBand::ALL.into_iter().rev();
    bands
        .map(|band| {
            view!(
                name = band.name(),
                range = match band {
                    GreatnessBand::BeyondComprehension => format!("{:.0} and up", band.from()),
                    _ => format!("{:.0}–{:.2}", band.from(), band.from() + 49.99),
                },
                count = rows.iter().filter(|row| row.band == Some(band)).count(),
                number = band as usize + 1,
                roman = ROMAN[band as usize + 1]
            )
        })
        .collect()
}

/// How many G-scores are high enough for the list but not ranked, in a sentence; empty if none.
fn unranked(site: &Site) -> String {
    let lists = &site.archive.settings.lists;
    let mut number = 0;
    for record in &site.archive.records {
        let standings = 0..record.analysis.players.len();
        number += standings.filter(|standing| record.is_unranked_g(*standing, lists)).count();
    }
    match number {
        0 => String::new(),
        number => format!(
            "The bands count ranked performances. {} of {:.0} or more {} not on this list: the event is \
             incomplete, is ranked by its matches or with a larger event, is rapid or blitz, or has too \
             few known ratings. The pages of the event and of the player give the reason.",
            counted(number, "other G-score", "other G-scores"),
            lists.minimum_g_score,
            if number == 1 { "is" } else { "are" }
        ),
    }
}

/// The parts of the Greatness List: by century, by band, by country of the player.
fn greatness_parts(site: &Site) -> Vec<(&'static str, Vec<Part>)> {
    let rows = &site.archive.lists.greatness;
    let year = |place: usize| site.archive.records[rows[place].event].event.start.year();
    let centuries = Part::of_centuries(rows.len(), year);
    let bands = GreatnessBand::ALL.into_iter().rev().map(|band| {
        let number = band as usize + 1;
        Part {
            slug: format!("band-{number}"),
            name: format!("{} {}", ROMAN[number], band.name()),
            filter: format!("band={number}"),
            rows: (0..rows.len()).filter(|place| rows[*place].band == Some(band)).collect(),
        }
    });
    let countries = Part::of_countries(rows.len(), |place| site.countries_of(rows[place].player));
    vec![
        ("By century", centuries),
        ("By period", Part::of_periods(rows.len(), year)),
        (
            "By player",
            Part::of_players(rows.len(), |place, group| {
                let life = site.archive.players.get(rows[place].player).life.as_ref();
                group.has(life, year(place))
            }),
        ),
        ("By band", bands.filter(|band| !band.rows.is_empty()).collect()),
        ("By the player’s country", countries),
    ]
}

/// The parts of a list of strengths: by century, by kind, by country.
fn strength_parts(site: &Site, rows: &[StrengthRow]) -> Vec<(&'static str, Vec<Part>)> {
    let records: Vec<&EventRecord> =
        rows.iter().map(|row| &site.archive.records[row.event]).collect();
    let kinds: Vec<Part> = kinds(site, rows.iter().map(|row| row.event))
        .into_iter()
        .map(|(word, words)| Part {
            slug: word.replace('_', "-"),
            name: words.to_owned(),
            filter: format!("kind={word}"),
            rows: (0..rows.len())
                .filter(|place| records[*place].event.kind.word() == word)
                .collect(),
        })
        .collect();
    let year = |place: usize| records[place].event.start.year();
    vec![
        ("By century", Part::of_centuries(rows.len(), year)),
        ("By period", Part::of_periods(rows.len(), year)),
        (
            "By player",
            Part::of_players(rows.len(), |place, group| {
                let mut players = records[place].event.players.iter();
                players.all(|player| {
                    group.has(site.archive.players.get(*player).life.as_ref(), year(place))
                })
            }),
        ),
        ("By kind", if kinds.len() > 1 { kinds } else { Vec::new() }),
        (
            "By country",
            Part::of_countries(rows.len(), |place| {
                site.country_of(records[place]).into_iter().collect()
            }),
        ),
    ]
}

pub fn greatness_part_paths(site: &Site) -> Vec<String> {
    let groups = greatness_parts(site);
    groups.iter().flat_map(|(_, parts)| parts).map(|part| part.path("greatness")).collect()
}

/// Writes the pages of the parts of the Greatness List.
pub fn greatness_part_pages(writer: &PageWriter) -> Result<(), PublishError> {
    let site = writer.site;
    let groups = greatness_parts(site);
    let others = Parts::new("greatness", &groups);
    for part in groups.iter().flat_map(|(_, parts)| parts) {
        let path = part.path("greatness");
        let count = counted(part.rows.len(), "performance", "performances");
        let rows = part.rows.iter().map(|row| &site.archive.lists.greatness[*row]);
        let view = view!(
            frame = site.cited_frame(
                &path,
                Section::Greatness,
                format!("The Greatness List: {}", part.name),
                format!("{count}, best first. Ranks are those of the full list."),
            ),
            table = LongTable::new("", rows.map(|row| performance_line(site, row)).collect()),
            // The whole list, filtered to this part.
            whole = part.in_whole("greatness.html"),
            others = &others
        );
        writer.page(&path, "greatness_part.html", &view)?;
    }
    Ok(())
}

/// The lists of strengths, by their names.
fn lists_of_strength<'a>(site: &Site<'a>) -> [(&'static str, &'a [StrengthRow]); 2] {
    let lists = &site.archive.lists;
    [("tournaments", &lists.tournaments), ("matches", &lists.matches_by_strength)]
}

pub fn strength_part_paths(site: &Site) -> Vec<String> {
    let mut paths = Vec::new();
    for (name, rows) in lists_of_strength(site) {
        let groups = strength_parts(site, rows);
        paths.extend(groups.iter().flat_map(|(_, parts)| parts).map(|part| part.path(name)));
    }
    paths
}

/// Writes the pages of the parts of the lists of tournaments and matches.
pub fn strength_part_pages(writer: &PageWriter) -> Result<(), PublishError> {
    let site = writer.site;
    for (name, rows) in lists_of_strength(site) {
        let groups = strength_parts(site, rows);
        let others = Parts::new(name, &groups);
        for part in groups.iter().flat_map(|(_, parts)| parts) {
            let path = part.path(name);
            let count = counted(part.rows.len(), "event", "events");
            let lines = part.rows.iter().map(|row| strength_line(site, &rows[*row])).collect();
            let view = view!(
                frame = site.cited_frame(
                    &path,
                    Section::Strength,
                    format!("The strongest {name}: {}", part.name),
                    format!("{count}, strongest first. Ranks are those of all {name}."),
                ),
                table = LongTable::new("", lines),
                whole = part.in_whole(&format!("{name}.html")),
                others = &others,
                what = name
            );
            writer.page(&path, "strength_part.html", &view)?;
        }
    }
    Ok(())
}

pub fn greatness(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    let site = to.site;
    let rows = &site.archive.lists.greatness;
    let events = rows.iter().map(|row| row.event);
    let (first_year, last_year) = years(site, events.clone());
    let lines = rows.iter().map(|row| performance_line(site, row)).collect();
    let table = LongTable::new("greatness", lines);
    let view = view!(
        frame = page.cited_frame(
            site,
            format!(
                "{} with a G-score of {} or more, best first.",
                counted(rows.len(), "performance", "performances"),
                fixed(site.archive.settings.lists.minimum_g_score, 0)
            ),
        ),
        kinds = kinds(site, events),
        first_year,
        last_year,
        chart = scatter(&dots(site), LINKED),
        bands = bands(rows),
        // How many high G-scores the bands do not count, in a sentence; empty if there are none.
        unranked = unranked(site),
        table = &table,
        // Codes and names of the countries of its players.
        countries = named(rows.iter().flat_map(|row| site.countries_of(row.player))),
        parts = Parts::new("greatness", &greatness_parts(site)),
        // Games that a performance needs, in words.
        minimum_games = spelt_out(site.archive.settings.lists.minimum_games),
        minimum_g_score = site.archive.settings.lists.minimum_g_score,
        // Whether there are published figures for comparison.
        published = site.archive.compares_published(),
        // Whether performances are also ranked by Chessmetrics.
        has_chessmetrics = has_chessmetrics(site)
    );
    to.writer.page(page.path, "greatness.html", &view)?;
    to.writer.rest(&table, "performance_rows.html", "")
}

/// Countries by name.
pub(super) fn named(
    codes: impl Iterator<Item = &'static str>,
) -> Vec<(&'static str, &'static str)> {
    let codes: std::collections::BTreeSet<&'static str> = codes.collect();
    let mut named: Vec<(&str, &str)> =
        codes.into_iter().filter_map(|code| Some((code, country(code)?.name))).collect();
    named.sort_by_key(|(_, name)| *name);
    named
}

/// The kinds of these events: the word in exports, and the words for readers.
fn kinds(
    site: &Site,
    events: impl Iterator<Item = usize> + Clone,
) -> Vec<(&'static str, &'static str)> {
    let kinds = Kind::ALL
        .into_iter()
        .filter(|kind| events.clone().any(|event| site.archive.records[event].event.kind == *kind));
    kinds.map(|kind| (kind.word(), kind.words())).collect()
}

/// The first and the last year of events.
fn years(site: &Site, events: impl Iterator<Item = usize> + Clone) -> (Option<i16>, Option<i16>) {
    let years = events.filter_map(|event| site.archive.records[event].event.start.year());
    (years.clone().min(), years.max())
}

/// Rows of each list on the page of a faster tempo. Judged: a few screens, since these lists
/// have no files of further rows.
const FASTER: usize = 300;

/// The lists of a faster tempo; `None` if it has no events.
fn lists_of<'a>(site: &Site<'a>, tempo: Tempo) -> Option<&'a FasterLists> {
    let lists = site.archive.lists.faster.iter().find(|lists| lists.tempo == tempo)?;
    (!lists.strength.is_empty()).then_some(lists)
}

pub fn has_faster(site: &Site, tempo: Tempo) -> bool {
    lists_of(site, tempo).is_some()
}

/// The page of a faster tempo; `None` if it has no events.
pub fn faster(site: &Site, page: &Page, tempo: Tempo) -> Option<impl Serialize> {
    let lists = lists_of(site, tempo)?;
    let events = counted(lists.strength.len(), "event", "events");
    let performances = counted(lists.greatness.len(), "performance", "performances");
    let greatness = lists.greatness.iter().take(FASTER);
    let strength = lists.strength.iter().take(FASTER);
    Some(view!(
        frame = page.cited_frame(
            site,
            format!("{events} and {performances} with a G-score of 100 or more."),
        ),
        tempo = tempo.word(),
        greatness = greatness.map(|row| performance_line(site, row)).collect::<Vec<_>>(),
        strength = strength.map(|row| strength_line(site, row)).collect::<Vec<_>>()
    ))
}

pub fn tournaments(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    strength(to, page, "tournaments", &to.site.archive.lists.tournaments)
}

pub fn matches(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    strength(to, page, "matches", &to.site.archive.lists.matches_by_strength)
}

/// Writes a list of strengths. `what` is listed: `tournaments` or `matches`.
fn strength(
    to: &Inputs,
    page: &Page,
    what: &'static str,
    rows: &[StrengthRow],
) -> Result<(), PublishError> {
    let site = to.site;
    let events = rows.iter().map(|row| row.event);
    let (first_year, last_year) = years(site, events.clone());
    let records = events.clone().map(|event| &site.archive.records[event]);
    let (one, many) =
        if what == "matches" { ("match", "matches") } else { ("tournament", "tournaments") };
    let lines = rows.iter().map(|row| strength_line(site, row)).collect();
    let table = LongTable::new(what, lines);
    let view = view!(
        what,
        kinds = kinds(site, events),
        countries = named(records.filter_map(|record| site.country_of(record))),
        first_year,
        last_year,
        frame = page.cited_frame(
            site,
            format!("{}, ranked by the strength of the field.", counted(rows.len(), one, many)),
        ),
        table = &table,
        // Whether the page of Chessmetrics' order of these events exists.
        by_chessmetrics = match what {
            "matches" => has_matches_of_the_two_best(site),
            _ => has_classes(site),
        },
        parts = Parts::new(what, &strength_parts(site, rows)),
        // Paths and names of the lists of faster chess.
        faster = site
            .archive
            .lists
            .faster
            .iter()
            .filter(|lists| !lists.strength.is_empty())
            .map(|lists| (format!("{}.html", lists.tempo.word()), lists.tempo.word()))
            .collect::<Vec<_>>(),
        minimum_coverage = percent(site.archive.settings.lists.minimum_coverage)
    );
    to.writer.page(page.path, "strength.html", &view)?;
    to.writer.rest(&table, "strength_rows.html", "")
}
