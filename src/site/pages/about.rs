//! About the data, the downloads, and the page for what is not there.

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
    /// What was read, by what it is.
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
            "What was read, what was set aside and why, and how to make this archive again.".into(),
        ),
        version: env!("CARGO_PKG_VERSION"),
        summary: format!(
            "{}, {}, {}",
            counted(archive.records.len(), "event", "events"),
            counted(archive.lists.player_rows.len(), "player", "players"),
            counted(
                archive.lists.greatness.len(),
                "performance on the list",
                "performances on the list"
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
        ("Turns that engines analysed", &input.intrinsic),
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
        ("analysis.minimum_games", settings.analysis.minimum_games.to_string()),
        ("lists.minimum_g_score", fixed(settings.lists.minimum_g_score, 0)),
        ("lists.minimum_games", settings.lists.minimum_games.to_string()),
        ("lists.minimum_coverage", percent(settings.lists.minimum_coverage)),
        ("events.gap_days", settings.events.gap_days.to_string()),
    ]
}

/// The last part of a path: where the archivist keeps his files is nobody's business.
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
    /// The computed systems: words, which are the files' names, and names.
    systems: Vec<(&'static str, &'static str)>,
}

/// Formats of long tables, and of short ones.
const LARGE: &[&str] = &["csv", "json", "parquet"];
const SMALL: &[&str] = &["csv", "json"];

/// Tables that every archive has: name, formats, contents.
const FILES: [(&str, &[&str], &str); 32] = [
    ("greatness", LARGE, "The Greatness List with the factors of every G-score"),
    ("strength", SMALL, "The strongest tournaments and matches"),
    ("fragments", SMALL, "Events of which too much is missing"),
    ("history-check", SMALL, "In what events differ from what history knows of them"),
    ("missing-games", SMALL, "Games that are missing of events that would rank high"),
    ("published", SMALL, "Our G-scores beside those of the PRA paper"),
    ("events", LARGE, "All events with their lines, fit tests and strengths"),
    ("players", LARGE, "All players with the spellings seen and their best performances"),
    ("games", &["parquet"], "Every game of every event: players, date, round, result"),
    ("review", SMALL, "Events that wait for a decision, with a line for the decisions file"),
    ("forecasts", SMALL, "What the ratings foretold of each player of each event"),
    ("match-forecasts", SMALL, "The same of matches of eleven games and more"),
    ("draws", SMALL, "By decade: draws between equals, and White's advantage"),
    ("curves", SMALL, "Scores by difference in rating beside four curves"),
    ("worths", SMALL, "What a point of difference is worth, by source of the ratings"),
    ("pool", SMALL, "The pools of the computed lists, year by year"),
    ("exchange", SMALL, "What points of one system are worth in another"),
    ("consistency", SMALL, "How lists agree with the games of the year before them, and of theirs"),
    ("balance", SMALL, "Where the points of a pool came from and went to, year by year"),
    ("improvement", SMALL, "How good the best of each half decade were"),
    ("trials", SMALL, "Other ways to run Elo's system, and systems of the past, beside it"),
    ("curve-runs", SMALL, "Elo's system run with each curve, judged by each"),
    ("ages", SMALL, "How players change with age"),
    ("careers", SMALL, "Half decades of careers beside the curve of ages"),
    ("norms", SMALL, "Norms for titles that were made in round robins"),
    (
        "tie-breaks",
        SMALL,
        "Other ways to rank events: tie-breaks, dominance, least squares, fair bets",
    ),
    ("intrinsic", SMALL, "How good the moves of events and of their players were"),
    ("intrinsic-years", SMALL, "How good the moves of players were, year by year"),
    ("titles", SMALL, "Titles as they were given, and by the rules of 1977"),
    ("decisions", SMALL, "What was decided, by whom and why"),
    ("diagnostics", SMALL, "What was wrong or doubtful in the input, by file and line"),
    ("changes", &["json"], "What the latest runs changed"),
];

/// Tables of the comparison of rating systems, where there is one.
const COMPARISON_FILES: [(&str, &[&str], &str); 3] = [
    ("comparison", SMALL, "How well each rating system predicts"),
    ("comparison-eras", SMALL, "The same by era"),
    ("comparison-calibration", SMALL, "What each system expected, and what was scored"),
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

/// The page for what is not there.
#[derive(Debug, Serialize)]
pub(in crate::site) struct NotFoundPage {
    frame: Frame,
    /// Where the archive begins, since the page is shown at any address.
    base: String,
}

/// The view of it.
pub(in crate::site) fn not_found(site: &Site) -> NotFoundPage {
    NotFoundPage {
        frame: site.frame(
            "404.html",
            "front",
            "Not found".into(),
            "There is no such page in this archive.".into(),
        ),
        base: site.url.to_owned(),
    }
}
