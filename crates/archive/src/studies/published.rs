//! Compares our G-scores with those printed in the PRA paper, and finds published events.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::progress::counted;
use crate::record::EventRecord;
use crate::record::status::Status;
use chess_history::players::{Players, fold};
use chess_history::ratings::FIDE_SYSTEM;
use pgn_collections::source::{Diagnostic, DiagnosticKind};
use tournament_app::{Analysis, Kind, Options, PlayingOrder, analyse};

/// A published G-score and the archive's.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRow {
    /// The player, as the source writes the name.
    pub player: String,
    /// The event, as the source writes it.
    pub event: String,
    /// The published G-score.
    pub g_score: f64,
    /// The identifier of the event, if the source states it.
    event_id: Option<String>,
    /// The identifier of the player, if the source states it.
    player_id: Option<String>,
    notes: Notes,
    /// The index of the event's record and the place of the player in its analysis; `None` if the
    /// archive has no such performance.
    pub ours: Option<(usize, usize)>,
    /// The G-score without the decision about the event; `None` if it has none.
    pub by_rule: Option<f64>,
    /// Why the two differ; empty if they agree.
    pub why: String,
}

/// What a file of published figures knows about the difference between one of them and ours.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// What is known of the difference from the source itself, such as a slip.
    pub(super) stated: Option<String>,
    /// The one input that explains the difference, found by `cargo xtask explain`.
    pub(super) explanation: Option<String>,
    /// Our figure that the explanation is about.
    pub(super) explained: Option<f64>,
}

impl Notes {
    /// The reason of a difference, if it is known. An explanation holds only for the figure that it
    /// was found for, which other games, ratings and decisions change.
    pub(super) fn reason(&self, ours: Option<f64>) -> Option<String> {
        if let Some(stated) = &self.stated {
            return Some(stated.clone());
        }
        let (explained, ours) = self.explained.zip(ours)?;
        self.explanation.clone().filter(|_| (explained - ours).abs() < SAME_FIGURE)
    }
}

/// The difference below which two figures of this program are the same. They are written with six
/// decimals, and the figures of two machines differ by far less.
const SAME_FIGURE: f64 = 1e-5;

/// The difference below which two G-scores are the same in print: half of the last of two decimals.
const SAME: f64 = 0.005;

impl PublishedRow {
    /// Our G-score, if the archive has one. In a knock-out all games count, with its tie-breaks, as
    /// in the PRA paper.
    pub fn our_g_score(&self, records: &[EventRecord]) -> Option<f64> {
        let (event, standing) = self.ours?;
        let record = &records[event];
        let all_games = record.all_games.get(standing).copied().flatten();
        all_games.and_then(|all| all.g_score).or(record.analysis.players[standing].g_score)
    }

    /// Whether the published figure agrees with ours to the last printed digit.
    pub fn agrees(&self, records: &[EventRecord]) -> bool {
        self.our_g_score(records).is_some_and(|ours| (ours - self.g_score).abs() < SAME)
    }
}

/// Reads the published figures of the settings and finds each in the records.
pub fn compare(
    paths: &[PathBuf],
    records: &[EventRecord],
    players: &Players,
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
        row.ours = find(row, records, players);
        row.by_rule = g_score_by_rule(row, records);
        row.why = why(row, records);
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

/// A row of a file of published G-scores.
#[derive(Deserialize)]
struct GScoreRow {
    player: String,
    event: String,
    g: f64,
    #[serde(default)]
    event_id: Option<String>,
    #[serde(default)]
    player_id: Option<String>,
    #[serde(default)]
    stated: Option<String>,
    #[serde(default)]
    explanation: Option<String>,
    #[serde(default)]
    explained: Option<f64>,
}

/// Reads a CSV file with the columns `player`, `event` and `g`, and perhaps `event_id`,
/// `player_id`, `stated`, `explanation` and `explained`. A file of strengths has no rows for this
/// table.
fn read(path: &Path) -> Result<Vec<PublishedRow>, PublishedError> {
    let (mut reader, has_strengths) = open(path)?;
    let mut rows = Vec::new();
    if has_strengths {
        return Ok(rows);
    }
    for record in reader.deserialize() {
        let GScoreRow {
            player,
            event,
            g: g_score,
            event_id,
            player_id,
            stated,
            explanation,
            explained,
        } = record?;
        if !g_score.is_finite() {
            let row = format!("{player} at {event}");
            return Err(PublishedError::NotFinite { column: "G-score", row, value: g_score });
        }
        rows.push(PublishedRow {
            player,
            event,
            g_score,
            event_id,
            player_id,
            notes: Notes { stated, explanation, explained },
            ours: None,
            by_rule: None,
            why: String::new(),
        });
    }
    Ok(rows)
}

/// The number of initial letters that two similar words must share (`Waldbrodt`, `Walbrodt` differ
/// later). Judged: with one or two, different surnames of a few letters would be similar; with six,
/// short surnames never would.
const LIKE: usize = 3;

/// Finds a published performance by the identifiers of event and player. Without them: by the
/// player's surname (and initial, if given), the year, and the words that the names of the events
/// share.
fn find(row: &PublishedRow, records: &[EventRecord], players: &Players) -> Option<(usize, usize)> {
    if let Some(event_id) = &row.event_id {
        let place = records.iter().position(|record| record.event.id == *event_id)?;
        let EventRecord { event, analysis, .. } = &records[place];
        let mut standings = analysis.players.iter();
        let standing = standings.position(|player| {
            Some(&players.get(event.players[player.index]).id) == row.player_id.as_ref()
        })?;
        return Some((place, standing));
    }
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
    if row.agrees(records) {
        return String::new();
    }
    let ours = row.our_g_score(records);
    if let Some(reason) = row.notes.reason(ours) {
        return reason;
    }
    let Some((event, standing)) = row.ours else {
        return "this archive has no such performance".into();
    };
    let record = &records[event];
    let player = &record.analysis.players[standing];
    if ours.is_none() {
        return "this archive has too few ratings for a G-score".into();
    }
    let mut reasons = reasons(record);
    if record.analysis.order != PlayingOrder::Known {
        let spread = player.g_order_spread.map_or(0.0, f64::abs);
        reasons.push(format!("the order of the games is unknown (spread {spread:.1})"));
    }
    unexplained(record, reasons)
}

/// The G-score of a published performance without the decision about its event.
fn g_score_by_rule(row: &PublishedRow, records: &[EventRecord]) -> Option<f64> {
    let (event, standing) = row.ours?;
    let Some(analysis) = analysis_by_rule(&records[event]) else { return row.our_g_score(records) };
    let name = &records[event].analysis.players[standing].name;
    analysis.players.iter().find(|player| player.name == *name)?.g_score
}

/// The analysis of an event without the decision about it; `None` if there is no decision.
pub(super) fn analysis_by_rule(record: &EventRecord) -> Option<Analysis> {
    let undecided = record.undecided.as_ref()?;
    let options = Options { order_spread: false, ..undecided.options };
    analyse(&undecided.input, &options).ok()
}

/// What is reported of a difference without a known reason: how the inputs may differ. Missing
/// games are a reason.
pub(super) fn unexplained(record: &EventRecord, inputs: Vec<String>) -> String {
    let mut parts = inputs;
    if record.status != Status::Incomplete {
        parts.insert(0, "unexplained".to_owned());
    }
    parts.join("; ")
}

/// How the inputs of an event may differ from those of a published figure.
pub(super) fn reasons(record: &EventRecord) -> Vec<String> {
    let mut reasons = Vec::new();
    if record.status == Status::Incomplete {
        let table = &record.event.recognised;
        let known = table.placed_games;
        reasons.push(if table.expected_games > known {
            format!("only {known} of {} are known", counted(table.expected_games, "game"))
        } else {
            format!("only {} of an unknown number are known", counted(known, "game"))
        });
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
    fn an_explanation_holds_only_for_the_figure_that_it_was_found_for() {
        let explanation = Some("the number two at 2800".to_owned());
        let notes = Notes { explanation, explained: Some(91.5037), stated: None };
        assert_eq!(notes.reason(Some(91.5037)).as_deref(), Some("the number two at 2800"));
        assert_eq!(notes.reason(Some(91.6)), None, "the inputs have changed");
        let slip = Notes { stated: Some("a slip".into()), ..Notes::default() };
        assert_eq!(slip.reason(Some(91.6)).as_deref(), Some("a slip"));
        assert_eq!(Notes::default().reason(Some(91.6)), None);
    }

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
