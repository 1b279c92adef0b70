//! Implements `greatness data`: prints a table of an archive.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::CommandOutcome;
use super::output::outln;
use crate::hint::nearest;
use crate::parquet::read_export;
use crate::tables::{ExportError, create};

/// Print a table of an archive
///
/// An archive has tables of more than 50,000 rows only as Parquet, so that free hosts take it. This
/// command prints any table as CSV. Without a table, it lists the tables.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness data crosstables --csv > crosstables.csv
  greatness data --archive my-archive")]
pub(super) struct DataArguments {
    /// Table, as the codebook names it (performances)
    #[arg(value_name = "TABLE")]
    table: Option<String>,
    /// Print the table as CSV, which is the only format so far
    #[arg(long)]
    csv: bool,
    /// Folder of the archive
    #[arg(long, value_name = "DIR", default_value = "reports/archive")]
    archive: PathBuf,
    /// File to write instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl DataArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let tables = tables(&self.archive.join("data"))?;
        let Some(name) = &self.table else {
            for name in tables.keys() {
                outln!("{name}");
            }
            return Ok(CommandOutcome::Done);
        };
        let Some(files) = tables.get(name) else {
            let near = nearest(name, tables.keys().map(String::as_str));
            let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            bail!("{name}: no such table in {}{hint}", self.archive.display());
        };
        let written = match &self.out {
            Some(out) => print(files, &mut BufWriter::new(create(out)?)),
            None => match print(files, &mut BufWriter::new(io::stdout().lock())) {
                // The reader of a pipe, such as `head`, has seen enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other,
            },
        };
        written.with_context(|| format!("cannot print the table {name}"))?;
        Ok(CommandOutcome::Done)
    }
}

/// The tables in a folder, each with its CSV file, or else its Parquet files in order.
fn tables(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<PathBuf>>> {
    let entries = fs::read_dir(folder).with_context(|| {
        format!("{}: no tables there; build an archive with `greatness build`", folder.display())
    })?;
    let mut tables: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in entries {
        let path = entry.context("cannot list the tables")?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        let ending = path.extension().and_then(|ending| ending.to_str());
        // A long table is cut into performances-1, performances-2 and so on.
        let number = stem.rsplit_once('-').filter(|(_, number)| number.parse::<u32>().is_ok());
        let name = number.map_or(stem, |(name, _)| name);
        let lines = [format!("{name}.csv"), format!("{name}-1.csv")].map(|name| folder.join(name));
        let has_csv = lines.iter().any(|file| file.is_file());
        if ending == Some("csv") || (ending == Some("parquet") && !has_csv) {
            tables.entry(name.to_owned()).or_default().push(path);
        }
    }
    for files in tables.values_mut() {
        // By length first, since performances-10 follows performances-9.
        files.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
    }
    Ok(tables)
}

/// Prints CSV or Parquet files as one table in CSV.
fn print(files: &[PathBuf], out: &mut impl Write) -> io::Result<()> {
    let mut has_header = false;
    for file in files {
        if file.extension().is_some_and(|ending| ending == "csv") {
            let mut lines = BufReader::new(File::open(file)?);
            if has_header {
                lines.skip_until(b'\n')?;
            }
            io::copy(&mut lines, out)?;
            has_header = true;
            continue;
        }
        read_export(file, |part| {
            let written = part.write_csv_to(out, !has_header);
            has_header = true;
            written.map_err(|error| match error {
                ExportError::Write { error, .. } | ExportError::Table(error) => error,
                other => io::Error::other(other),
            })
        })?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_in_several_files_is_printed_as_one() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("findings-1.csv", "row\n1\n"),
            ("findings-2.csv", "row\n2\n"),
            ("findings-10.csv", "row\n10\n"),
            ("findings-1.parquet", "not read, because there is CSV"),
            ("norms.csv", "name\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let tables = tables(folder.path()).unwrap();
        assert_eq!(tables.keys().map(String::as_str).collect::<Vec<_>>(), ["findings", "norms"]);
        let mut printed = Vec::new();
        print(&tables["findings"], &mut printed).unwrap();
        assert_eq!(printed, b"row\n1\n2\n10\n");
    }
}
