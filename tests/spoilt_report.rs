//! The report about spoilt collections: `reports/spoilt-collections`.
//!
//! `GREATNESS_UPDATE_REPORTS=1 cargo test --test main spoilt_report:: -- --ignored` writes it, in
//! about two minutes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

use serde::{Deserialize, Serialize};

use crate::support::spoil::{Damage, decades, spoil};
use crate::support::spoilt_forms::{FORMS_WITH_GOALS, OTHER_FORMS};
use crate::support::spoilt_lists::{ListComparison, RankedLists};

const DECADES: [&str; 4] = ["1950s", "1970s", "1990s", "2000s"];

/// The decade of which each daily run checks the rows.
const CHECKED: &str = "1990s";

const SEED: u64 = 3;

/// The tables of `README.md` follow this line.
const TABLES: &str = "<!-- The test writes the tables below. -->\n";

/// A row of the report.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    collection: String,
    damage: String,
    seed: u64,
    known_results: bool,
    strengths_whole: usize,
    strengths_listed: usize,
    strengths_sound: usize,
    g_scores_whole: usize,
    g_scores_listed: usize,
    g_scores_sound: usize,
    identifiers_changed: usize,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/spoilt-collections")
}

/// Measures one decade in all forms, with and without the table of known results. The good
/// collection has the table in both cases.
fn rows_of(decade: &str) -> Vec<Row> {
    let games = decades(&[decade]);
    let good = RankedLists::new(from_ref(&games), true);
    let forms = FORMS_WITH_GOALS.iter().chain(&OTHER_FORMS);
    let damages = forms.map(|form| (form.name, form.damage));
    let mut rows = Vec::new();
    for (name, damage) in [("none", Damage::NONE)].into_iter().chain(damages) {
        let spoilt = spoil(&games, &damage, SEED);
        for known_results in [true, false] {
            let lists = RankedLists::new(&spoilt, known_results);
            let ListComparison { strengths, g_scores } = ListComparison::new(&good, &lists);
            rows.push(Row {
                collection: decade.to_owned(),
                damage: name.to_owned(),
                seed: SEED,
                known_results,
                strengths_whole: strengths.whole,
                strengths_listed: strengths.listed,
                strengths_sound: strengths.sound,
                g_scores_whole: g_scores.whole,
                g_scores_listed: g_scores.listed,
                g_scores_sound: g_scores.sound,
                identifiers_changed: strengths.renamed,
            });
        }
    }
    rows
}

/// Writes the rows of one decade for readers: a line for each kind of damage.
fn markdown(decade: &str, rows: &[Row]) -> String {
    let mut text = format!(
        "\n## {decade}\n\n\
         | damage | strengths: whole | sound of listed | without known results | \
         G-scores: whole | sound of listed | without known results |\n\
         |---|---|---|---|---|---|---|\n"
    );
    let of_decade: Vec<&Row> = rows.iter().filter(|row| row.collection == decade).collect();
    for pair in of_decade.chunks(2) {
        let [with, without] = pair else { panic!("rows come in pairs") };
        let _ = writeln!(
            text,
            "| {} | {} | {} of {} | {} of {} | {} | {} of {} | {} of {} |",
            with.damage,
            with.strengths_whole,
            with.strengths_sound,
            with.strengths_listed,
            without.strengths_sound,
            without.strengths_listed,
            with.g_scores_whole,
            with.g_scores_sound,
            with.g_scores_listed,
            without.g_scores_sound,
            without.g_scores_listed,
        );
    }
    text
}

fn write_report() {
    let rows: Vec<Row> = DECADES.iter().flat_map(|decade| rows_of(decade)).collect();
    let mut table = csv::Writer::from_path(folder().join("rows.csv")).unwrap();
    for row in &rows {
        table.serialize(row).unwrap();
    }
    table.flush().unwrap();
    let path = folder().join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (introduction, _) = text.split_once(TABLES).expect("the line before the tables");
    let tables: String = DECADES.iter().map(|decade| markdown(decade, &rows)).collect();
    std::fs::write(path, format!("{introduction}{TABLES}{tables}")).unwrap();
}

/// Builds of a minute or more. `.ci/run` runs them once a day.
mod daily {
    use super::*;

    #[test]
    #[ignore = "builds of a minute or more; GREATNESS_UPDATE_REPORTS=1 writes the report"]
    fn the_report_has_the_rows_that_the_program_lists() {
        if std::env::var_os("GREATNESS_UPDATE_REPORTS").is_some() {
            return write_report();
        }
        let mut table = csv::Reader::from_path(folder().join("rows.csv")).unwrap();
        let written: Vec<Row> = table.deserialize().map(|row| row.unwrap()).collect();
        let written: Vec<Row> =
            written.into_iter().filter(|row| row.collection == CHECKED).collect();
        for (found, written) in rows_of(CHECKED).iter().zip(&written) {
            assert_eq!(found, written, "write the report again with GREATNESS_UPDATE_REPORTS=1");
        }
    }
}
