//! About the data, the downloads, and the page for what is not there.

use std::path::Path;

use serde::Serialize;

use super::{Frame, Site};
use crate::archive::Status;
use crate::site::figures::{counted, fixed, percent, thousands};
use crate::source::STANDARD_INPUT;
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
    use crate::source::Severity;
    let archive = site.archive;
    let settings = &archive.settings;
    let of_severity = |severity| {
        thousands(
            archive.findings.diagnostics.iter().filter(|found| found.severity == severity).count(),
        )
    };
    let input = &settings.input;
    let inputs = [
        ("Games", &input.pgn),
        ("Rating lists", &input.ratings),
        ("Spelling files", &input.spelling),
        ("Aliases", &input.aliases),
        ("Decisions", &input.decisions),
        ("Turns that engines analysed", &input.intrinsic),
    ];
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
        set_aside: archive
            .counts
            .set_aside
            .iter()
            .map(|(what, games)| CountLine { what, count: thousands(*games) })
            .collect(),
        statuses: Status::ALL
            .into_iter()
            .map(|status| {
                let events = archive.records.iter().filter(|record| record.status == status);
                (events.count(), status.of_many())
            })
            .filter(|(events, _)| *events > 0)
            .map(|(events, what)| CountLine { what, count: thousands(events) })
            .collect(),
        inputs: inputs
            .into_iter()
            .filter(|(_, paths)| !paths.is_empty())
            .map(|(what, paths)| {
                let names: Vec<String> = paths.iter().map(|path| name(path)).collect();
                (what, names.join(", "))
            })
            .collect(),
        systems,
        settings: vec![
            (
                "ratings.order",
                settings
                    .ratings
                    .order
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            ("ratings.minimum_players", settings.ratings.minimum_players.to_string()),
            ("ratings.minimum_part", percent(settings.ratings.minimum_part)),
            ("analysis.policy", settings.analysis.policy.word().to_owned()),
            ("analysis.minimum_games", settings.analysis.minimum_games.to_string()),
            ("lists.minimum_g_score", fixed(settings.lists.minimum_g_score, 0)),
            ("lists.minimum_games", settings.lists.minimum_games.to_string()),
            ("lists.minimum_coverage", percent(settings.lists.minimum_coverage)),
            ("events.gap_days", settings.events.gap_days.to_string()),
        ],
        clean: archive.findings.diagnostics.iter().all(|found| found.severity == Severity::Note),
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
    formats: Vec<&'static str>,
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

/// The view of the downloads.
pub(in crate::site) fn downloads(site: &Site) -> DownloadsPage {
    let large = vec!["csv", "json", "parquet"];
    let small = vec!["csv", "json"];
    let file =
        |name, formats: &Vec<&'static str>, what| Download { name, formats: formats.clone(), what };
    let comparison = site.archive.studies.comparison.iter().flat_map(|_| {
        [
            file("comparison", &small, "How well each rating system predicts"),
            file("comparison-eras", &small, "The same by era"),
            file(
                "comparison-calibration",
                &small,
                "What each system expected, and what was scored",
            ),
        ]
    });
    let mut files = vec![
        file("greatness", &large, "The Greatness List with the factors of every G-score"),
        file("strength", &small, "The strongest tournaments and matches"),
        file("fragments", &small, "Events of which too much is missing"),
        file("history-check", &small, "In what events differ from what history knows of them"),
        file("missing-games", &small, "Games that are missing of events that would rank high"),
        file("published", &small, "Our G-scores beside those of the PRA paper"),
        file("events", &large, "All events with their lines, fit tests and strengths"),
        file("players", &large, "All players with the spellings seen and their best performances"),
        file("games", &vec!["parquet"], "Every game of every event: players, date, round, result"),
        file(
            "review",
            &small,
            "Events that wait for a decision, with a line for the decisions file",
        ),
        file("forecasts", &small, "What the ratings foretold of each player of each event"),
        file("match-forecasts", &small, "The same of matches of eleven games and more"),
        file("draws", &small, "By decade: draws between equals, and White's advantage"),
        file("curves", &small, "Scores by difference in rating beside four curves"),
        file("worths", &small, "What a point of difference is worth, by source of the ratings"),
        file("pool", &small, "The pools of the computed lists, year by year"),
        file("exchange", &small, "What points of one system are worth in another"),
        file(
            "consistency",
            &small,
            "How lists agree with the games of the year before them, and of theirs",
        ),
        file("balance", &small, "Where the points of a pool came from and went to, year by year"),
        file("improvement", &small, "How good the best of each half decade were"),
        file(
            "trials",
            &small,
            "Other ways to run Elo's system, and systems of the past, beside it",
        ),
        file("curve-runs", &small, "Elo's system run with each curve, judged by each"),
        file("ages", &small, "How players change with age"),
        file("careers", &small, "Half decades of careers beside the curve of ages"),
        file("norms", &small, "Norms for titles that were made in round robins"),
        file(
            "tie-breaks",
            &small,
            "Other ways to rank events: tie-breaks, dominance, least squares, fair bets",
        ),
        file("intrinsic", &small, "How good the moves of events and of their players were"),
        file("intrinsic-years", &small, "How good the moves of players were, year by year"),
        file("titles", &small, "Titles as they were given, and by the rules of 1977"),
        file("decisions", &small, "What was decided, by whom and why"),
        file("diagnostics", &small, "What was wrong or doubtful in the input, by file and line"),
        file("changes", &vec!["json"], "What the latest runs changed"),
    ];
    files.extend(comparison);
    let systems = site.archive.studies.system_lists.iter();
    let systems: Vec<(&'static str, &'static str)> = systems
        .filter_map(|lists| Some((lists.system, System::named(lists.system).ok()?.about.name)))
        .collect();
    DownloadsPage {
        frame: site.frame(
            "downloads.html",
            "about",
            "Downloads".into(),
            "The archive as tables: CSV, JSON and Parquet, in full precision.".into(),
        ),
        files,
        systems,
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
