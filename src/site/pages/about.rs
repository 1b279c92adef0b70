//! The pages about the data, the downloads, and missing addresses.

use std::path::Path;

use serde::Serialize;

use super::{Frame, Site};
use crate::archive::{Archive, Input, Settings, Status};
use crate::site::figures::{counted, fixed, percent, thousands};
use crate::source::{STANDARD_INPUT, Severity};
use crate::systems::System;

/// About the data.
#[derive(Debug, Serialize)]
pub(in crate::site) struct AboutPage {
    frame: Frame,
    version: &'static str,
    summary: String,
    seen: String,
    used: String,
    set_aside: Vec<CountLine>,
    statuses: Vec<CountLine>,
    /// Names of the inputs, by kind.
    inputs: Vec<(&'static str, String)>,
    /// Rating systems with their first and last year.
    systems: Vec<(String, String)>,
    settings: Vec<(&'static str, String)>,
    clean: bool,
    errors: String,
    warnings: String,
    waiting: String,
    decided: String,
}

#[derive(Debug, Serialize)]
struct CountLine {
    what: &'static str,
    count: String,
}

/// The view of the data.
pub(in crate::site) fn about(site: &Site) -> AboutPage {
    let archive = site.archive;
    let diagnostics = &archive.findings.diagnostics;
    let of_severity =
        |severity| thousands(diagnostics.iter().filter(|found| found.severity == severity).count());
    let set_aside = archive.counts.set_aside.iter();
    AboutPage {
        frame: site.frame(
            "about.html",
            "about",
            "About the data".into(),
            "The inputs, the games that were set aside and why, and how to rebuild this archive."
                .into(),
        ),
        version: env!("CARGO_PKG_VERSION"),
        summary: format!(
            "{}, {}, {}",
            counted(archive.records.len(), "event", "events"),
            counted(archive.lists.player_rows.len(), "player", "players"),
            counted(
                archive.lists.greatness.len(),
                "performance on the Greatness List",
                "performances on the Greatness List"
            ),
        ),
        seen: thousands(archive.counts.seen),
        used: thousands(archive.counts.used),
        set_aside: set_aside
            .map(|(what, games)| CountLine { what, count: thousands(*games) })
            .collect(),
        statuses: statuses(archive),
        inputs: inputs(&archive.settings.input),
        systems: systems(archive),
        settings: settings(&archive.settings),
        clean: diagnostics.iter().all(|found| found.severity == Severity::Note),
        errors: of_severity(Severity::Error),
        warnings: of_severity(Severity::Warning),
        waiting: thousands(
            archive.findings.review.iter().filter(|row| row.effect.weight > 0.0).count(),
        ),
        decided: thousands(
            archive.records.iter().filter(|record| record.decided.is_some()).count(),
        ),
    }
}

/// How many events have each status.
fn statuses(archive: &Archive) -> Vec<CountLine> {
    Status::ALL
        .into_iter()
        .map(|status| {
            let events = archive.records.iter().filter(|record| record.status == status);
            (events.count(), status.of_many())
        })
        .filter(|(events, _)| *events > 0)
        .map(|(events, what)| CountLine { what, count: thousands(events) })
        .collect()
}

/// Names of the inputs, by their kind.
fn inputs(input: &Input) -> Vec<(&'static str, String)> {
    let kinds = [
        ("Games", &input.pgn),
        ("Rating lists", &input.ratings),
        ("Spelling files", &input.spelling),
        ("Aliases", &input.aliases),
        ("Decisions", &input.decisions),
        ("Engine analyses", &input.intrinsic),
    ];
    kinds
        .into_iter()
        .filter(|(_, paths)| !paths.is_empty())
        .map(|(what, paths)| {
            let names: Vec<String> = paths.iter().map(|path| name(path)).collect();
            (what, names.join(", "))
        })
        .collect()
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

/// A file to download.
#[derive(Debug, Serialize)]
struct Download {
    name: &'static str,
    formats: &'static [&'static str],
    what: &'static str,
}

/// The downloads.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DownloadsPage {
    frame: Frame,
    files: Vec<Download>,
    /// The computed systems: the word in file names, and the name.
    systems: Vec<(&'static str, &'static str)>,
}

/// Formats of long tables, and of short ones.
const LARGE: &[&str] = &["csv", "json", "parquet"];
const SMALL: &[&str] = &["csv", "json"];

/// Tables that every archive has: name, formats, contents.
const FILES: [(&str, &[&str], &str); 40] = [
    ("greatness", LARGE, "The Greatness List with the factors of every G-score"),
    ("strength", SMALL, "The strongest tournaments and matches"),
    ("fragments", SMALL, "Incomplete events"),
    ("history-check", SMALL, "Differences between events and the reference table"),
    ("missing-games", SMALL, "Missing games of events that would rank high"),
    ("published", SMALL, "Our G-scores and those of the PRA paper"),
    ("published-strengths", SMALL, "Our strengths and intervals, and those of the PRA paper"),
    ("events", LARGE, "All events with performance lines, fit tests and strengths"),
    ("players", LARGE, "All players with their spellings and best performances"),
    ("games", &["parquet"], "Every game of every event: players, date, round, result"),
    ("review", SMALL, "Events that need a decision, with an entry for the decisions file"),
    ("forecasts", SMALL, "Expected and actual scores of each player of each event"),
    ("match-forecasts", SMALL, "Expected and actual scores of matches of eleven or more games"),
    ("draws", SMALL, "Draws between equals and White's advantage, by decade"),
    ("curves", SMALL, "Scores by rating difference, with four curves"),
    ("worths", SMALL, "Value of a rating point, by source of the ratings"),
    ("pool", SMALL, "Rating pools, year by year"),
    ("exchange", SMALL, "Exchange rates between rating systems"),
    ("consistency", SMALL, "How lists agree with games of the year before and of their own year"),
    ("balance", SMALL, "Balance of points of each pool, year by year"),
    ("improvement", SMALL, "Ratings of the best players by half decade"),
    ("trials", SMALL, "Variants of Elo's system and systems of the past, compared with it"),
    ("curve-runs", SMALL, "Elo's system run with each curve, judged by each curve"),
    ("ages", SMALL, "How players change with age"),
    ("careers", SMALL, "Careers by half decade, with the curve of ages"),
    ("norms", SMALL, "Title norms made in round robins"),
    (
        "tie-breaks",
        SMALL,
        "Other ways to rank events: tie-breaks, dominance, least squares, fair bets",
    ),
    ("intrinsic", SMALL, "Quality of the moves of events and players"),
    ("intrinsic-years", SMALL, "Quality of the moves of players, year by year"),
    ("intrinsic-aggregates", SMALL, "Quality of all moves by year, and by band of ratings"),
    ("titles", SMALL, "Titles as awarded, and by the rules of 1977"),
    ("chessmetrics-performances", SMALL, "The highest performances by Chessmetrics"),
    ("chessmetrics-matches", SMALL, "The strongest matches by Chessmetrics"),
    ("foresight", SMALL, "How often later lists moved the way of corrections and pressure"),
    ("foresight-ratings", SMALL, "Each corrected or pressured rating and its later value"),
    ("decided-ratings", SMALL, "Each decided rating and its later value"),
    ("administrators", SMALL, "The record of each author of decisions"),
    ("decisions", SMALL, "Decisions, with author and reason"),
    ("diagnostics", SMALL, "Errors and warnings of the input, by file and line"),
    ("changes", &["json"], "Changes of the latest editions"),
];

/// Tables of the comparison of rating systems, where there is one.
const COMPARISON_FILES: [(&str, &[&str], &str); 3] = [
    ("comparison", SMALL, "How well each rating system predicts"),
    ("comparison-eras", SMALL, "How well each rating system predicts, by era"),
    ("comparison-calibration", SMALL, "Expected and actual scores by each system"),
];

/// The view of the downloads.
pub(in crate::site) fn downloads(site: &Site) -> DownloadsPage {
    let studies = &site.archive.studies;
    let comparison = studies.comparison.iter().flat_map(|_| COMPARISON_FILES);
    let systems = studies.system_lists.iter();
    DownloadsPage {
        frame: site.frame(
            "downloads.html",
            "about",
            "Downloads".into(),
            "The archive as tables: CSV, JSON and Parquet, in full precision.".into(),
        ),
        files: FILES
            .into_iter()
            .chain(comparison)
            .map(|(name, formats, what)| Download { name, formats, what })
            .collect(),
        systems: systems
            .filter_map(|lists| Some((lists.system, System::named(lists.system).ok()?.about.name)))
            .collect(),
    }
}

/// The page for missing addresses.
#[derive(Debug, Serialize)]
pub(in crate::site) struct NotFoundPage {
    frame: Frame,
    /// The address of the archive, since the page is shown at any address.
    base: String,
}

/// The view of the page for missing addresses.
pub(in crate::site) fn not_found(site: &Site) -> NotFoundPage {
    NotFoundPage {
        frame: site.frame(
            "404.html",
            "front",
            "Not found".into(),
            "This archive has no such page.".into(),
        ),
        base: site.url.to_owned(),
    }
}
