//! Builds an archive as `greatness build` does, with executors as its helpers.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{UInt32Type, UInt64Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use greatness::archive::{
    Archive, BuildError, DoneWork, WorkFolder, build_with, without_other_members, write_exports,
};
use greatness::cli::{ConfigArguments, KnowledgeArguments, NameArguments, Terminal, bundled_data};
use greatness::games::{GameColumns, GameTable, Members};
use greatness::source::{Diagnostic, Severity, Wanted, find};

use crate::collections::{Part, Reading, schema, task};
use crate::executors::Executors;
use crate::requests::{Cluster, Session, report};
use crate::stage::{Manifest, STAGES, Stage, Task, output, run};
use crate::store::{Place, address};
use crate::work::Work;

/// Build an archive: executors read the games, compute ratings and analyse events
///
/// The inputs must have the same addresses on all machines.
#[derive(Clone, Debug, Args)]
pub struct Build {
    #[command(flatten)]
    cluster: Cluster,
    /// Game collection, or folder of them: a path, or an address like s3://BUCKET/PREFIX; may be
    /// given several times
    #[arg(long, value_name = "PLACE", required = true)]
    pgn: Vec<String>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: KnowledgeArguments,
    /// Folder for the results: its `exports` are those of a site, and `greatness build --from DIR`
    /// makes the site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Size (MiB) above which a plain collection is read in ranges of this size
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    range: u64,
}

impl Build {
    /// Runs the build. Returns whether all inputs could be read.
    ///
    /// # Errors
    ///
    /// Fails if no scheduler answers, or if a step of the build fails.
    pub fn run(self) -> anyhow::Result<bool> {
        let session = self.cluster.open()?;
        let start = session.start;
        let mut settings = self.config.settings(&[])?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        let done = WorkFolder::at(&self.out);
        let reading = Reading { limits: settings.input.limits, validate: settings.input.validate };
        let mut found = Vec::new();
        let parts = self.parts(&session, &mut found)?;
        let files: Vec<PathBuf> = parts.iter().map(|part| PathBuf::from(&part.name)).collect();
        report(start, &format!("{} parts of collections to read", parts.len()));
        let (table, of_reading, manifest) = read(&session, &parts, reading)?;
        found.extend(without_other_members(&files, of_reading));
        if table.is_empty() {
            let first = found.first().map(ToString::to_string);
            return Err(BuildError::NoGames { files: files.len(), first }.into());
        }
        report(start, &format!("{} games read", table.len()));
        done.write_games(&table, &found)?;
        drop(table);
        settings.input.pgn = vec![done.games()];
        settings.input.from = Some(self.out.clone());
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        let helpers = Executors::new(session, done, vec![manifest]);
        let work = DoneWork { helpers: Some(&helpers), cache: None };
        let archive = build_with(settings, work, &Terminal::default())?;
        report(start, &format!("{} events in the archive", archive.records.len()));
        let exports = self.out.join("exports");
        std::fs::create_dir_all(&exports).with_context(|| exports.display().to_string())?;
        write_exports(&archive, &exports)?;
        report(start, &format!("exports in {}", exports.display()));
        let (session, manifests) = helpers.into_parts();
        write_manifests(&self.out, &manifests)?;
        // All that executors gave is in the work folder now.
        session.wait(session.store.remove(STAGES))?;
        summary(&archive);
        println!("greatness build --from {}", self.out.display());
        Ok(!archive.has_unread_input())
    }

    /// Divides the collections into parts, in their order.
    fn parts(&self, session: &Session, found: &mut Vec<Diagnostic>) -> anyhow::Result<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        for (url, name) in self.files(session, found)? {
            let (size, version) = session.wait(Place::at(&url)?.version())?;
            let step = self.range << 20;
            let ranges: Vec<Option<(u64, u64)>> = if size > step && is_plain(session, &url)? {
                (0..size)
                    .step_by(step as usize)
                    .map(|first| Some((first, (first + step).min(size))))
                    .collect()
            } else {
                vec![None]
            };
            let part = Part { url, name, range: None, size, version };
            parts.extend(ranges.into_iter().map(|range| Part { range, ..part.clone() }));
        }
        Ok(parts)
    }

    /// The files of the collections, in their order: address, and name in findings.
    fn files(
        &self,
        session: &Session,
        found: &mut Vec<Diagnostic>,
    ) -> anyhow::Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        for given in &self.pgn {
            let url = address(given)?;
            let Ok(path) = url.to_file_path() else {
                let place = Place::at(given)?;
                let all = session.wait(place.list(""))?;
                if all.is_empty() {
                    bail!("{given}: no file was found; check the address");
                }
                for (name, _) in all {
                    let url =
                        if name.is_empty() { place.url().to_owned() } else { place.url_of(&name) };
                    files.push((url.clone(), url));
                }
                continue;
            };
            // Findings name a local file as the user did.
            let path = if given.contains("://") { path } else { PathBuf::from(given) };
            for file in find(&[path], Wanted::Games, found) {
                let name = file.display().to_string();
                files.push((address(&name)?.to_string(), name));
            }
        }
        Ok(files)
    }
}

/// Whether a file begins like plain text in which each byte has the same meaning wherever the text
/// is cut.
fn is_plain(session: &Session, url: &str) -> anyhow::Result<bool> {
    let place = Place::at(url)?;
    let head = session.wait(place.range(0..1 << 10))?;
    let is_text =
        head.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..));
    Ok(is_text && head.trim_ascii_start().starts_with(b"["))
}

/// Writes the manifests of all stages to the output folder. A stage whose outputs an earlier build
/// left there keeps its manifest.
fn write_manifests(out: &Path, manifests: &[Manifest]) -> anyhow::Result<()> {
    let folder = out.join("manifests");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for manifest in manifests {
        let path = folder.join(format!("{}.json", manifest.stage));
        std::fs::write(&path, serde_json::to_vec_pretty(manifest)?)
            .with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn summary(archive: &Archive) {
    let counts = &archive.counts;
    eprintln!(
        "{} games read: {} in events, {} set aside",
        counts.seen,
        counts.used,
        counts.set_aside_total()
    );
    let errors =
        archive.findings.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    for error in errors {
        eprintln!("error: {error}");
    }
}

/// Has executors read all parts, and combines the games in their order.
fn read(
    session: &Session,
    parts: &[Part],
    reading: Reading,
) -> anyhow::Result<(GameTable, Vec<Diagnostic>, Manifest)> {
    let mut tasks: Vec<Task> = Vec::with_capacity(parts.len());
    for part in parts {
        let effort = part.range.map_or(part.size, |(first, end)| end - first);
        tasks.push(Task::new(Work::ReadPart, task(part, reading)?, effort));
    }
    let whole = parts.iter().filter(|part| part.range.is_none_or(|(first, _)| first == 0));
    let stage = Stage {
        name: "read",
        work: Work::ReadPart,
        tasks: &tasks,
        rows_in: None,
        // Each byte of a file belongs to one of its parts.
        bytes_in: Some(whole.map(|part| part.size).sum()),
    };
    let manifest = run(session, &stage)?;
    let mut gathered = Gathered::default();
    for (number, (part, receipt)) in parts.iter().zip(&manifest.files).enumerate() {
        if number == 0 || parts[number - 1].name != part.name {
            gathered.lines = 0;
        }
        let before = gathered.table.len() as u64;
        gathered.append_part(output(session, &manifest, receipt)?)?;
        let games = gathered.table.len() as u64 - before;
        if games != receipt.rows_out {
            bail!("{}: {games} games arrived of {}", part.name, receipt.rows_out);
        }
    }
    Ok((gathered.table, gathered.found, manifest))
}

/// The games and findings of all parts so far.
#[derive(Default)]
struct Gathered {
    table: GameTable,
    found: Vec<Diagnostic>,
    members: Members,
    /// Number of lines in the earlier parts of the same file.
    lines: u32,
}

impl Gathered {
    fn append_part(&mut self, bytes: Vec<u8>) -> anyhow::Result<()> {
        for batch in ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes))?.build()? {
            let (batch, schema) = (batch?, schema());
            // A reader may return other kinds of texts than those that were written.
            let columns = schema.fields().iter().map(|field| {
                let column = batch.column_by_name(field.name());
                let column = column.with_context(|| lacks(field.name()))?;
                Ok(cast(column, field.data_type())?)
            });
            let columns = columns.collect::<anyhow::Result<Vec<ArrayRef>>>()?;
            self.append(&RecordBatch::try_new(schema, columns)?)?;
        }
        Ok(())
    }

    fn append(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        let found = batch.column(batch.num_columns() - 1).as_binary::<i32>();
        let games = (0..found.len()).take_while(|row| found.is_null(*row)).count();
        let rows = batch.slice(0, games);
        let (before, lines) = (self.table.len(), self.lines);
        columns(&rows, lines)?.append_to(&mut self.table, &mut self.members, before)?;
        for row in games..found.len() {
            if found.is_null(row) {
                bail!("an executor returned a game after the findings of its part");
            }
            if found.value(row).is_empty() {
                let line = batch.column_by_name("line").with_context(|| lacks("line"))?;
                self.lines += line.as_primitive::<UInt32Type>().value(row);
                continue;
            }
            let mut one = Diagnostic::from_bytes(found.value(row)).context(
                "an executor runs another version of the program; use the same version everywhere",
            )?;
            if one.line > 0 {
                one.line += u64::from(lines);
            }
            self.found.push(one);
        }
        Ok(())
    }
}

/// Converts rows of games to columns. Adds the number of earlier lines to each game's line.
fn columns(batch: &RecordBatch, lines: u32) -> anyhow::Result<GameColumns<'_>> {
    Ok(GameColumns {
        event: texts(batch, "event")?,
        site: texts(batch, "site")?,
        white: texts(batch, "white")?,
        black: texts(batch, "black")?,
        date: borrowed(&texts(batch, "date")?),
        event_date: borrowed(&texts(batch, "event_date")?),
        round: borrowed(&texts(batch, "round")?),
        result: texts(batch, "result")?,
        white_elo: numbers(batch, "white_elo")?,
        black_elo: numbers(batch, "black_elo")?,
        white_fide_id: numbers(batch, "white_fide_id")?,
        black_fide_id: numbers(batch, "black_fide_id")?,
        plies: numbers(batch, "plies")?,
        fingerprint: long_numbers(batch, "fingerprint")?,
        trace: long_numbers(batch, "trace")?,
        event_rounds: numbers(batch, "event_rounds")?,
        event_category: numbers(batch, "event_category")?,
        signs: numbers(batch, "signs")?,
        member: texts(batch, "member")?,
        line: numbers(batch, "line")?.into_iter().map(|line| line + lines).collect(),
    })
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> anyhow::Result<&'a ArrayRef> {
    batch.column_by_name(name).with_context(|| lacks(name))
}

fn texts<'a>(batch: &'a RecordBatch, name: &str) -> anyhow::Result<Vec<&'a str>> {
    Ok(column(batch, name)?.as_string::<i32>().iter().map(Option::unwrap_or_default).collect())
}

fn numbers(batch: &RecordBatch, name: &str) -> anyhow::Result<Vec<u32>> {
    Ok(column(batch, name)?.as_primitive::<UInt32Type>().values().to_vec())
}

fn long_numbers(batch: &RecordBatch, name: &str) -> anyhow::Result<Vec<u64>> {
    Ok(column(batch, name)?.as_primitive::<UInt64Type>().values().to_vec())
}

fn lacks(column: &str) -> String {
    format!("an executor returned rows without the column {column}")
}

fn borrowed<'a>(texts: &[&'a str]) -> Vec<Cow<'a, str>> {
    texts.iter().copied().map(Cow::Borrowed).collect()
}
