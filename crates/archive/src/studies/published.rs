//! Compares our G-scores with those printed in the PRA paper, and finds published events.

use std::fs::File;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::analysed::analyses::AnalysisContext;
use crate::progress::counted;
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::studies::substitutions::{Explanations, SAME, explain};
use chess_history::players::{Players, fold};
use chess_history::ratings::FIDE_SYSTEM;
use pgn_collections::source::{Diagnostic, DiagnosticKind};
use tournament_app::Kind;
use tournament_app::PlayingOrder;

/// A published G-score and the archive's.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRow {
    /// The player, as the source writes the name.
    pub player: String,
    /// The event, as the source writes it.
    pub event: String,
    /// The published G-score.
    pub g_score: f64,
    /// The index of the event's record and the place of the player in its analysis; `None` if the
    /// archive has no such performance.
    pub ours: Option<(usize, usize)>,
    /// Why the two differ, as far as the record shows it.
    pub why: String,
    /// The changed inputs that bring ours closest to the published one, where they differ.
    pub explanations: Explanations,
}

/// Reads the published figures of the settings and finds each in the records.
pub fn compare(
    paths: &[PathBuf],
    records: &[EventRecord],
    context: AnalysisContext<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PublishedRow> {
    let mut rows = Vec::new();
    for path in paths {
        match read(path) {
            Ok(found) => rows.extend(found),
            Err(error) => diagnostics.push(unreadable(path, &error)),
        }
    }
    for row in &mut rows {
        row.ours = find(row, records, &context.games.players);
        row.why = why(row, records);
        if let Some((event, standing)) = row.ours.filter(|_| !row.why.is_empty()) {
            row.explanations = explain(&records[event], standing, row.g_score, context);
        }
    }
    rows
}

/// The finding that a file of published figures cannot be used.
pub(super) fn unreadable(path: &Path, error: &PublishedError) -> Diagnostic {
    let file = path.display().to_string();
    Diagnostic::error(file, 0, DiagnosticKind::Unreadable, error.to_string())
}

/// A file of published figures that cannot be used.
#[derive(Debug, Error)]
pub(super) enum PublishedError {
    /// The file cannot be read, or is not a CSV file with these columns.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    #[error("the {column} of {row} is {value}; write a finite number")]
    NotFinite {
        /// The column of the figure.
        column: &'static str,
        /// The names in the row.
        row: String,
        value: f64,
    },
}

/// The column that a file of published strengths has, and a file of G-scores lacks.
pub(super) const STRENGTH: &str = "strength";

/// Opens a CSV file of published figures, and states whether it holds strengths.
pub(super) fn open(path: &Path) -> Result<(csv::Reader<File>, bool), PublishedError> {
    let mut reader = csv::Reader::from_path(path)?;
    let has_strengths = reader.headers()?.iter().any(|column| column == STRENGTH);
    Ok((reader, has_strengths))
}

/// Reads a CSV file with the columns `player`, `event` and `g`. A file of strengths has no rows for
/// this table.
fn read(path: &Path) -> Result<Vec<PublishedRow>, PublishedError> {
    let (mut reader, has_strengths) = open(path)?;
    let mut rows = Vec::new();
    if has_strengths {
        return Ok(rows);
    }
    for record in reader.deserialize() {
        let (player, event, g_score): (String, String, f64) = record?;
        if !g_score.is_finite() {
            let row = format!("{player} at {event}");
            return Err(PublishedError::NotFinite { column: "G-score", row, value: g_score });
        }
        rows.push(PublishedRow {
            player,
            event,
            g_score,
            ours: None,
            why: String::new(),
            explanations: Explanations::default(),
        });
    }
    Ok(rows)
}

/// The number of initial letters that two similar words must share (`Waldbrodt`, `Walbrodt` differ
/// later). Judged: with one or two, different surnames of a few letters would be similar; with six,
/// short surnames never would.
const LIKE: usize = 3;

/// Finds a published performance: by the player's surname (and initial, if given), the year, and
/// the words that the names of the events share.
fn find(row: &PublishedRow, records: &[EventRecord], players: &Players) -> Option<(usize, usize)> {
    let name_of_event = PublishedName::parse(&row.event)?;
    let mut name = row.player.split('_');
    let surname = fold(name.next()?.trim_end_matches(|c: char| c.is_ascii_digit()));
    let initial = name.next().map(fold);
    /// The number of shared words, whether the kind fits, the number of games; then the
    /// performance.
    type Candidate = ((usize, bool, usize), (usize, usize));
    let mut best: Option<Candidate> = None;
    for (index, record) in records.iter().enumerate() {
        let event = &record.event;
        if !name_of_event.is_in_year(record) {
            continue;
        }
        let standing = record.analysis.players.iter().position(|player| {
            let person = &players.get(event.players[player.index]).name;
            let (family, given) = person.split_once(',').unwrap_or((person, ""));
            player.games > 0
                && has_surname(family, &surname)
                && initial
                    .as_ref()
                    .is_none_or(|initial| fold(given).trim().starts_with(initial.as_str()))
        });
        let Some(standing) = standing else { continue };
        let shared = name_of_event.shared_words(record, &surname);
        let fits_kind = !name_of_event.is_match() || event.kind == Kind::Match;
        let key = (shared, fits_kind, record.analysis.players[standing].games);
        if shared > 0 && best.is_none_or(|(known, _)| key > known) {
            best = Some((key, (index, standing)));
        }
    }
    best.map(|(_, found)| found)
}

/// The words of an event's name in a published list.
pub(super) struct PublishedName {
    words: Vec<String>,
    year: i16,
}

impl PublishedName {
    /// Reads a name that ends with a year; `None` without a year.
    pub(super) fn parse(name: &str) -> Option<PublishedName> {
        let words = words_of(&split_words(name));
        let year = words.iter().rev().find_map(|word| word.parse().ok().filter(|y| *y > 1400))?;
        Some(PublishedName { words, year })
    }

    /// Whether the event was played in the year of the name.
    pub(super) fn is_in_year(&self, record: &EventRecord) -> bool {
        let years = record.event.start.year().zip(record.event.end.year());
        years.is_some_and(|(first, last)| (first..=last).contains(&self.year))
    }

    /// The number of words that the event's names share with this one. Years and the player's
    /// surname do not count.
    pub(super) fn shared_words(&self, record: &EventRecord, surname: &str) -> usize {
        let event = &record.event;
        let ours = words_of(&format!("{} {} {}", event.name, event.tag, event.id));
        let words = self.words.iter().filter(|word| word.parse::<i16>().is_err());
        words
            .filter(|word| *word != surname)
            .filter(|word| ours.iter().any(|other| similar_words(word, other)))
            .count()
    }

    fn is_match(&self) -> bool {
        self.words.iter().any(|word| word == "vs")
    }

    /// The number of words except years.
    pub(super) fn len(&self) -> usize {
        self.words.iter().filter(|word| word.parse::<i16>().is_err()).count()
    }
}

/// Whether a family name is this folded surname: the whole name or a part of it (`Lagrave` of
/// `Vachier-Lagrave`). `K` and `C` sound alike (`Karuana`).
fn has_surname(family: &str, surname: &str) -> bool {
    let family = fold(family);
    let parts = family.split([' ', '-']).filter(|part| part.len() > LIKE);
    let surname = surname.trim().replace('k', "c");
    [family.as_str()].into_iter().chain(parts).any(|name| name.trim().replace('k', "c") == surname)
}

/// A text with a space before each capital that follows a small letter:
/// `1stAmericanChessCongress` has four words.
fn split_words(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut was_small = false;
    for letter in text.chars() {
        if was_small && letter.is_uppercase() {
            spaced.push(' ');
        }
        was_small = letter.is_lowercase();
        spaced.push(letter);
    }
    spaced
}

fn similar_words(a: &str, b: &str) -> bool {
    a == b
        || (a.len() > LIKE
            && b.len() > LIKE
            && a.chars().take(LIKE).eq(b.chars().take(LIKE))
            && strsim::damerau_levenshtein(a, b) <= 2)
}

fn words_of(text: &str) -> Vec<String> {
    let spaced: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    fold(&spaced).split_whitespace().map(str::to_owned).collect()
}

fn why(row: &PublishedRow, records: &[EventRecord]) -> String {
    let Some((event, standing)) = row.ours else {
        return "this archive has no such performance".into();
    };
    let record = &records[event];
    let player = &record.analysis.players[standing];
    let Some(g_score) = player.g_score else {
        return "this archive has too few ratings for a G-score".into();
    };
    if (g_score - row.g_score).abs() < SAME {
        return String::new();
    }
    let mut reasons = reasons(record);
    if record.analysis.order != PlayingOrder::Known {
        let spread = player.g_order_spread.map_or(0.0, f64::abs);
        reasons.push(format!("the order of the games is unknown (spread {spread:.1})"));
    }
    if reasons.is_empty() { UNEXPLAINED.into() } else { reasons.join("; ") }
}

/// What is reported where the record shows no other input.
pub(super) const UNEXPLAINED: &str = "the record does not explain it";

/// How the inputs of an event may differ from those of a published figure.
pub(super) fn reasons(record: &EventRecord) -> Vec<String> {
    let mut reasons = Vec::new();
    if record.status == Status::Incomplete {
        let table = &record.event.recognised;
        reasons.push(format!(
            "{} of {} known",
            table.placed_games,
            counted(table.expected_games, "game")
        ));
    }
    if !record.analysis.rating_system.eq_ignore_ascii_case(FIDE_SYSTEM) {
        reasons.push(format!("ratings by {}", record.analysis.rating_label));
    } else if record.analysis.rating_label != record.analysis.rating_system {
        reasons.push(record.analysis.rating_label.clone());
    }
    let supplied = record.supplied();
    if supplied > 0.0 {
        reasons.push(format!(
            "{:.0}% of the ratings are estimated from the estimator line",
            100.0 * supplied
        ));
    }
    if record.event.games.iter().any(|game| !game.played) {
        reasons.push("a game was not played".into());
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_names_are_found_in_other_spellings() {
        for (family, surname) in [
            ("Vachier-Lagrave", "lagrave"),
            ("Vachier Lagrave", "lagrave"),
            ("Caruana", "karuana"),
            ("Maróczy", "maroczy"),
        ] {
            assert!(has_surname(family, surname), "{family} {surname}");
        }
        assert!(!has_surname("Van Wely", "van"));
        assert!(!has_surname("Carlsen", "karuana"));
    }

    #[test]
    fn events_written_without_spaces_have_words() {
        assert_eq!(
            words_of(&split_words("1stAmericanChessCongress_1857")),
            ["1st", "american", "chess", "congress", "1857"]
        );
    }
}
