//! `cargo xtask explain`: finds the one input that explains why a published figure differs from
//! ours.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use greatness::archive::{Archive, EventRecord, Input, Settings, build};
use greatness::cli::{Terminal, report};
use greatness::tournament::{Analysis, Event, Options, Policy, analyse};

/// Find the one input that explains why a published figure differs from ours
///
/// Tries, in this order, the Chessmetrics lists of the years before and after, each rating of the
/// world number two, and each rating of each player. A change explains the figures of an event only
/// if all of them follow from it to the last printed digit, and if a match by chance is unlikely.
/// Writes the explanations into the files of published figures.
#[derive(Debug, Args)]
pub struct Explain {
    /// Folder of the bundled data
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

/// The largest change (points) of a rating that is tried. Judged: two lists of one system differ
/// less about one player in a year.
const REACH: i32 = 150;

/// The largest number of changes that may match by chance. Judged: one explanation in twenty is
/// then false. With 1, a figure of two decimals in a field of fourteen would match some rating half
/// of the time.
const MATCHES_BY_CHANCE: f64 = 0.05;

impl Explain {
    pub fn run(self) -> anyhow::Result<()> {
        let archive = build(Settings::default().with_bundled_data(&self.data)?, &Terminal::new())?;
        report(&archive.findings.diagnostics);
        let shifted = [
            ("the Chessmetrics list of the next January", self.with_shifted_lists(-1)?),
            ("the Chessmetrics list of the January before", self.with_shifted_lists(1)?),
        ];
        let folder = self.data.join("published");
        let found = explained_events(&archive, &shifted);
        write(&folder.join("pra-g-scores.csv"), &archive, &found)?;
        write(&folder.join("pra-strengths.csv"), &archive, &found)
    }

    /// Builds the archive with each yearly Chessmetrics list some years later.
    fn with_shifted_lists(&self, years: i16) -> anyhow::Result<Archive> {
        const LISTS: &str = "chessmetrics-yearly.csv";
        let folder = std::env::temp_dir().join(format!("greatness-lists-{years}"));
        fs::create_dir_all(&folder)?;
        let path = folder.join(LISTS);
        let mut reader = csv::Reader::from_path(self.data.join("ratings").join(LISTS))?;
        let mut out = csv::Writer::from_path(&path)?;
        out.write_record(reader.headers()?)?;
        for row in reader.deserialize() {
            let (year, rank, name, rating): (i16, String, String, String) = row?;
            out.write_record([(year + years).to_string(), rank, name, rating])?;
        }
        out.flush()?;
        let input = Input { ratings: vec![path], ..Input::default() };
        let settings = Settings { input, ..Settings::default() }.with_bundled_data(&self.data)?;
        let archive = build(settings, &Terminal::new())?;
        fs::remove_dir_all(folder)?;
        Ok(archive)
    }
}

/// A published figure of an event.
struct Figure {
    of: Of,
    published: f64,
    /// The value of its last printed digit.
    digit: f64,
}

enum Of {
    /// The G-score of a player, by name.
    GScore(String),
    Strength,
    IntervalLow,
    IntervalHigh,
}

impl Figure {
    fn ours(&self, analysis: &Analysis) -> Option<f64> {
        match &self.of {
            Of::GScore(name) => {
                analysis.players.iter().find(|player| player.name == *name)?.g_score
            }
            Of::Strength => analysis.strength,
            Of::IntervalLow => analysis.fit_test.constant_low,
            Of::IntervalHigh => analysis.fit_test.constant_high,
        }
    }

    fn agrees(&self, analysis: &Analysis) -> bool {
        self.ours(analysis).is_some_and(|ours| (ours - self.published).abs() < self.digit / 2.0)
    }
}

/// An event with a change that explains its published figures.
struct Explained {
    /// Index of the event's record.
    event: usize,
    change: String,
}

fn explained_events(archive: &Archive, shifted: &[(&str, Archive)]) -> Vec<Explained> {
    let mut explained = Vec::new();
    for (event, record) in archive.records.iter().enumerate() {
        // The figures of a knock-out count its tie-breaks, which its input does not have.
        if record.all_games.iter().any(Option::is_some) {
            continue;
        }
        let figures = figures(archive, event);
        if figures.iter().all(|figure| figure.agrees(&record.analysis)) {
            continue;
        }
        let list = shifted.iter().find(|(_, other)| agree_in(other, archive, event));
        let list = list.map(|(change, _)| (*change).to_owned());
        match list.or_else(|| explanation(record, &figures)) {
            Some(change) => {
                println!("{}: {change}", record.event.id);
                explained.push(Explained { event, change });
            }
            None => println!("{}: unexplained", record.event.id),
        }
    }
    explained
}

/// Whether all published figures of an event agree in another archive.
fn agree_in(other: &Archive, archive: &Archive, event: usize) -> bool {
    let id = &archive.records[event].event.id;
    let Some(event) = other.records.iter().position(|record| record.event.id == *id) else {
        return false;
    };
    figures(other, event).iter().all(|figure| figure.agrees(&other.records[event].analysis))
}

/// The published figures of an event, except those from before a correction.
fn figures(archive: &Archive, event: usize) -> Vec<Figure> {
    let mut figures = Vec::new();
    for row in &archive.findings.published {
        if let Some((_, standing)) = row.ours.filter(|(index, _)| *index == event) {
            let name = archive.records[event].analysis.players[standing].name.clone();
            figures.push(Figure { of: Of::GScore(name), published: row.g_score, digit: 0.01 });
        }
    }
    for row in &archive.findings.published_strengths {
        if row.ours != Some(event) || row.is_before_correction {
            continue;
        }
        if let Some(published) = row.strength {
            figures.push(Figure { of: Of::Strength, published, digit: 0.0001 });
        }
        if let Some((low, high)) = row.interval {
            figures.push(Figure { of: Of::IntervalLow, published: low, digit: 0.1 });
            figures.push(Figure { of: Of::IntervalHigh, published: high, digit: 0.1 });
        }
    }
    figures
}

/// The smallest change of one rating that gives all figures of an event, in words.
fn explanation(record: &EventRecord, figures: &[Figure]) -> Option<String> {
    if let Some(change) = change_of_number_two(record, figures) {
        return Some(change);
    }
    let mut changes: Vec<(String, i32, Event)> = Vec::new();
    for points in (-REACH..=REACH).filter(|points| *points != 0) {
        for (index, player) in record.input.players.iter().enumerate() {
            let Some(rating) = player.initial_rating else { continue };
            let mut input = record.input.clone();
            input.players[index].initial_rating = Some(rating + f64::from(points));
            let change = format!("{} at {:.0}", player.name, rating + f64::from(points));
            changes.push((change, points.abs(), input));
        }
    }
    smallest(&changes, record, figures, record.options)
}

/// The smallest change of the number two that gives all figures of an event, in words. The ratings
/// of the players stay as they are.
fn change_of_number_two(record: &EventRecord, figures: &[Figure]) -> Option<String> {
    let mut settled = record.input.clone();
    for player in &record.analysis.players {
        settled.players[player.index].initial_rating = player.initial_rating;
    }
    let number_two = settled.number_two?.round();
    let mut changes: Vec<(String, i32, Event)> = Vec::new();
    for points in -REACH..=REACH {
        let rating = number_two + f64::from(points);
        let input = Event { number_two: Some(rating), ..settled.clone() };
        changes.push((format!("the number two at {rating:.0}"), points.abs(), input));
    }
    let keep = Options { policy: Policy::Keep, knock_out_policy: Policy::Keep, ..record.options };
    smallest(&changes, record, figures, keep)
}

/// The smallest change with which all figures agree, if chance is an unlikely reason.
fn smallest(
    changes: &[(String, i32, Event)],
    record: &EventRecord,
    figures: &[Figure],
    options: Options,
) -> Option<String> {
    let options = Options { order_spread: false, ..options };
    let analyses: Vec<(&String, i32, Analysis)> = changes
        .iter()
        .filter_map(|(change, size, input)| Some((change, *size, analyse(input, &options).ok()?)))
        .collect();
    let matching = analyses
        .iter()
        .filter(|(.., analysis)| figures.iter().all(|figure| figure.agrees(analysis)))
        .min_by_key(|(_, size, _)| *size)?;
    let tried: Vec<&Analysis> =
        analyses.iter().filter(|(_, size, _)| *size <= matching.1).map(|(.., one)| one).collect();
    // The figures of an event depend on each other, so the most precise one counts.
    let mut by_chance = f64::INFINITY;
    for figure in figures.iter().filter(|figure| !figure.agrees(&record.analysis)) {
        by_chance = f64::min(by_chance, matches_by_chance(figure, &record.analysis, &tried)?);
    }
    (by_chance < MATCHES_BY_CHANCE).then(|| matching.0.clone())
}

/// The expected number of changes that match a figure by chance: as many as the figure's last digit
/// has of the changes' density within its distance from ours.
fn matches_by_chance(figure: &Figure, ours: &Analysis, tried: &[&Analysis]) -> Option<f64> {
    let distance = (figure.ours(ours)? - figure.published).abs();
    let near = tried
        .iter()
        .filter_map(|analysis| figure.ours(analysis))
        .filter(|changed| (changed - figure.published).abs() <= distance)
        .count();
    Some(near as f64 * figure.digit / (2.0 * distance))
}

/// Writes the explanations into a file of published figures. Its rows are in the order of the
/// findings.
fn write(path: &Path, archive: &Archive, found: &[Explained]) -> anyhow::Result<()> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let column = |name: &str| {
        let place = header.iter().position(|column| column == name);
        place.with_context(|| format!("{} has no column {name}", path.display()))
    };
    let (explanation, explained) = (column("explanation")?, column("explained")?);
    let mut out = csv::Writer::from_path(path)?;
    out.write_record(&header)?;
    for row in reader.records() {
        let row = row?;
        let (event, ours) = ours(archive, &row);
        let change = found.iter().find(|one| Some(one.event) == event).zip(ours);
        let mut fields: Vec<String> = row.iter().map(str::to_owned).collect();
        fields[explanation] = change.map(|(one, _)| one.change.clone()).unwrap_or_default();
        fields[explained] = change.map(|(_, ours)| format!("{ours:.6}")).unwrap_or_default();
        out.write_record(fields)?;
    }
    out.flush()?;
    Ok(())
}

/// The event of a row, and our figure if it differs.
fn ours(archive: &Archive, row: &csv::StringRecord) -> (Option<usize>, Option<f64>) {
    let records = &archive.records;
    let g_scores = &archive.findings.published;
    if let Some(found) = g_scores.iter().find(|one| row[0] == one.player && row[1] == one.event) {
        let ours = found.our_g_score(records).filter(|_| !found.agrees(records));
        return (found.ours.map(|(event, _)| event), ours);
    }
    let strengths = &archive.findings.published_strengths;
    let Some(found) = strengths.iter().find(|one| row[0] == one.event) else {
        return (None, None);
    };
    let low = found.our_interval(records).map(|(low, _)| low);
    let ours = if found.strength.is_some() { found.our_strength(records) } else { low };
    (found.ours, ours.filter(|_| !found.agrees(records) && !found.is_before_correction))
}
