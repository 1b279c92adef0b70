//! The pages about the data, the downloads, and missing addresses.

use std::path::Path;

use serde::Serialize;

use super::Site;
use super::dataset::dataset;
use super::page::Page;
use crate::figures::{counted, fixed, percent};
use archive::{
    Archive, Citation, DataLicence, DataSources, QueueCounts, Settings, Status, WrittenTable,
};
use pgn_collections::source::{STANDARD_INPUT, Severity};
use rating_systems::systems::System;

fn licence_view(licence: &DataLicence) -> impl Serialize {
    view!(
        title = licence.title.clone(),
        address = licence.address.clone(),
        // Whether it is the one by which the publisher waives all rights.
        is_waiver = licence.is_waiver()
    )
}

pub fn about(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let diagnostics = &archive.findings.diagnostics;
    let of_severity =
        |severity| diagnostics.iter().filter(|found| found.severity == severity).count();
    let set_aside = archive.counts.set_aside.iter();
    let queue = QueueCounts::from_queue(&archive.findings.review);
    let description = "The sources and their terms, the games that were set aside and why, and \
         how to rebuild this archive.";
    view!(
        frame = page.frame(site, description),
        version = env!("CARGO_PKG_VERSION"),
        summary = format!(
            "{}, {}, {}",
            counted(archive.records.len(), "event", "events"),
            counted(archive.lists.player_rows.len(), "player", "players"),
            counted(
                archive.lists.greatness.len(),
                "performance on the Greatness List",
                "performances on the Greatness List"
            ),
        ),
        seen = archive.counts.seen,
        used = archive.counts.used,
        // Games that were set aside, by reason.
        set_aside = set_aside.map(|(what, games)| (*what, *games)).collect::<Vec<_>>(),
        // Events by status.
        statuses = statuses(archive),
        // Names of the user's inputs, by kind.
        inputs = inputs(archive),
        // The sources of the bundled data that the archive uses.
        sources = DataSources::bundled()
            .used_by(&archive.settings.input)
            .into_iter()
            .cloned()
            .collect::<Vec<_>>(),
        licence = licence_view(&archive.settings.site.data_licence),
        // Rating systems with their first and last year.
        systems = systems(archive),
        settings = settings(&archive.settings),
        clean = diagnostics.iter().all(|found| found.severity == Severity::Note),
        errors = of_severity(Severity::Error),
        warnings = of_severity(Severity::Warning),
        // Events in the review queue, and those whose decision would change a published rank.
        waiting = queue.all,
        changing = queue.changing,
        decided = archive.records.iter().filter(|record| record.decided.is_some()).count()
    )
}

/// How many events have each status.
fn statuses(archive: &Archive) -> Vec<(&'static str, usize)> {
    Status::ALL
        .into_iter()
        .map(|status| {
            let events = archive.records.iter().filter(|record| record.status == status);
            (events.count(), status.of_many())
        })
        .filter(|(events, _)| *events > 0)
        .map(|(events, what)| (what, events))
        .collect()
}

/// Names of the user's inputs, by their kind. Every file of decisions is named with its counts,
/// because a reader should see whose decisions an archive contains.
fn inputs(archive: &Archive) -> Vec<(&'static str, String)> {
    let input = &archive.settings.input;
    let kinds = [
        ("Games", &input.pgn),
        ("Rating lists", &input.ratings),
        ("Spelling files", &input.spelling),
        ("Aliases", &input.aliases),
        ("Engine analyses", &input.intrinsic),
    ];
    let mut inputs: Vec<(&'static str, String)> = kinds
        .into_iter()
        .map(|(what, paths)| {
            let own = paths.iter().filter(|path| !input.is_bundled(path));
            (what, own.map(|path| name(path)).collect::<Vec<_>>().join(", "))
        })
        .filter(|(_, names)| !names.is_empty())
        .collect();
    let files = archive.decision_files.iter();
    let files: Vec<String> =
        files.map(|file| format!("{} ({})", file.name(), file.words())).collect();
    if !files.is_empty() {
        inputs.push(("Decisions", files.join("; ")));
    }
    inputs
}

/// Rating systems with the first and last year of their lists.
fn systems(archive: &Archive) -> Vec<(String, String)> {
    let mut systems: Vec<(String, String)> = Vec::new();
    for ranking in &archive.lists.rankings {
        match systems.last_mut() {
            Some((system, years)) if *system == ranking.system => {
                let first = years.split('–').next().unwrap_or_default().to_owned();
                *years = format!("{first}–{}", ranking.year);
            }
            _ => systems.push((ranking.system.clone(), ranking.year.to_string())),
        }
    }
    systems
}

/// The settings on which the figures depend most.
fn settings(settings: &Settings) -> Vec<(&'static str, String)> {
    let order: Vec<String> = settings.ratings.order.iter().map(ToString::to_string).collect();
    vec![
        ("ratings.order", order.join(", ")),
        ("ratings.minimum_players", settings.ratings.minimum_players.to_string()),
        ("ratings.minimum_part", percent(settings.ratings.minimum_part)),
        ("analysis.policy", settings.analysis.policy.word().to_owned()),
        ("analysis.elo_k", settings.analysis.elo_k.to_string()),
        ("analysis.minimum_games", settings.analysis.minimum_games.to_string()),
        ("lists.minimum_g_score", fixed(settings.lists.minimum_g_score, 0)),
        ("lists.minimum_games", settings.lists.minimum_games.to_string()),
        ("lists.minimum_coverage", percent(settings.lists.minimum_coverage)),
        ("events.gap_days", settings.events.gap_days.to_string()),
    ]
}

/// The last part of a path. The page does not publish the user's folders.
fn name(path: &Path) -> String {
    match path.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None if path.as_os_str() == STANDARD_INPUT => "standard input".into(),
        None => "a folder".into(),
    }
}

pub fn downloads(site: &Site, page: &Page, tables: &[WrittenTable]) -> impl Serialize {
    view!(
        frame = page
            .frame(site, "The archive as tables: CSV, JSON and Parquet, in full precision.")
            .cited("archive", &Citation::of_archive(site.url, site.data_to))
            .describing(dataset(site)),
        // The tables of the systems follow below.
        files = tables
            .iter()
            .filter(|table| !table.name.contains('/'))
            .map(|table| view!(
                name = table.name.clone(),
                paths = table.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>(),
                // The title of the table.
                title = table.declaration.title.clone(),
                // The table of the codebook that explains it.
                anchor = table.declaration.name.clone()
            ))
            .collect::<Vec<_>>(),
        // Whether the archive has the page that answers queries.
        has_queries = site.archive.settings.site.sql,
        systems = tables
            .iter()
            .filter_map(|table| {
                let system = System::named(table.name.strip_prefix("systems/")?).ok()?;
                Some(view!(name = system.about.name, paths = table.paths("parquet")))
            })
            .collect::<Vec<_>>(),
        licence = licence_view(&site.archive.settings.site.data_licence)
    )
}

pub fn not_found(site: &Site, page: &Page) -> impl Serialize {
    view!(
        frame = page.frame(site, "This archive has no such page."),
        // The address of the archive, since the page is shown at any address.
        base = site.url.to_owned()
    )
}
