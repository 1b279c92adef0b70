//! Reads and writes a work folder: the games, computed ratings and analyses of a build.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::errors::{BuildError, WorkError};
use crate::parquet::{read_tasks, write_parquet, write_tasks};
use crate::progress::Progress;
use crate::work::tasks::{AppTask, Helpers, RatingTask};
use pgn_collections::games::GameTable;
use pgn_collections::source::Diagnostic;
use rating_systems::evaluation::comparison::{Computed, Predictions};
use rating_systems::systems::Results;
use tournament_app::Analysis;

/// A folder with finished parts of a build. `games.parquet` and `findings` contain what was read;
/// `systems/WORD` the ratings of a system; `analyses/N.parquet` analyses. Each part has a hash of
/// its task, so that work on other games, with other settings or by another version is never
/// mistaken for it.
#[derive(Debug)]
pub struct WorkFolder {
    folder: PathBuf,
    /// The results that systems were last asked to rate, as bytes.
    results: OnceLock<Vec<u8>>,
}

/// Analyses by the hash of their tasks.
type Analyses = FxHashMap<u64, Vec<u8>>;

impl WorkFolder {
    /// Refers to a folder. Nothing is created before something is written.
    pub fn at(folder: &Path) -> WorkFolder {
        WorkFolder { folder: folder.to_owned(), results: OnceLock::new() }
    }

    pub fn games(&self) -> PathBuf {
        self.folder.join("games.parquet")
    }

    /// Writes the games that were read, with the findings.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub fn write_games(&self, table: &GameTable, found: &[Diagnostic]) -> Result<(), WorkError> {
        self.make("")?;
        let path = self.games();
        write_parquet(table, &path).map_err(|error| WorkError::at(&path)(&error))?;
        let found: Vec<Vec<u8>> = found.iter().map(Diagnostic::to_bytes).collect();
        self.write("findings", &bitcode::encode(&found))
    }

    /// The findings of reading the games.
    ///
    /// # Errors
    ///
    /// Returns an error if they are missing or from another version.
    pub fn findings(&self) -> Result<Vec<Diagnostic>, WorkError> {
        let path = self.folder.join("findings");
        let bytes = fs::read(&path).map_err(|error| WorkError::at(&path)(&error))?;
        let found: Option<Vec<Diagnostic>> = bitcode::decode::<Vec<Vec<u8>>>(&bytes)
            .ok()
            .and_then(|found| found.iter().map(|one| Diagnostic::from_bytes(one)).collect());
        found.ok_or_else(|| {
            WorkError::at(&path)(
                &"written by another version of the program; make the folder again",
            )
        })
    }

    /// Compresses the ratings of a system for its file, with a checksum of their content.
    ///
    /// # Errors
    ///
    /// Returns an error if the data cannot be compressed.
    pub fn packed(digest: u64, computed: &[u8]) -> io::Result<Vec<u8>> {
        let mut packed = zstd::Encoder::new(digest.to_le_bytes().to_vec(), 1)?;
        packed.include_checksum(true)?;
        packed.write_all(computed)?;
        packed.finish()
    }

    /// Decompresses the ratings from such a file; `None` if they are for other results or settings,
    /// or damaged.
    pub fn unpacked(digest: u64, file: &[u8]) -> Option<Vec<u8>> {
        let (own, packed) = file.split_first_chunk()?;
        (u64::from_le_bytes(*own) == digest).then_some(())?;
        zstd::decode_all(packed).ok()
    }

    /// Writes the file of a system.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub fn write_rated(&self, word: &str, packed: &[u8]) -> Result<(), WorkError> {
        self.make("systems")?;
        self.write(&format!("systems/{word}"), packed)
    }

    /// The ratings that a system computed for these results; `None` if they are missing.
    pub fn read_rated(&self, task: &RatingTask, results: &[u8]) -> Option<Vec<u8>> {
        let file = fs::read(self.folder.join("systems").join(&task.word)).ok()?;
        WorkFolder::unpacked(task.digest(results), &file)
    }

    /// Writes analyses, each with the hash of its task. They replace previous ones.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub fn write_analyses(&self, analyses: &[(u64, Vec<u8>)]) -> Result<(), WorkError> {
        let folder = self.folder.join("analyses");
        if folder.is_dir() {
            fs::remove_dir_all(&folder).map_err(|error| WorkError::at(&folder)(&error))?;
        }
        self.make("analyses")?;
        for (number, part) in analyses.chunks(PART).enumerate() {
            let path = folder.join(format!("{number}.parquet"));
            write_tasks(&path, part).map_err(|error| WorkError::at(&path)(&error))?;
        }
        Ok(())
    }

    /// All analyses in the folder. A file that cannot be read counts as empty.
    pub fn analyses(&self) -> Analyses {
        let mut analyses = Analyses::default();
        let Ok(files) = fs::read_dir(self.folder.join("analyses")) else { return analyses };
        for file in files.flatten() {
            // The analyses of a damaged file are computed again.
            analyses.extend(read_tasks(&file.path()));
        }
        analyses
    }

    fn make(&self, folder: &str) -> Result<(), WorkError> {
        let folder = self.folder.join(folder);
        fs::create_dir_all(&folder).map_err(|error| WorkError::at(&folder)(&error))
    }

    /// Writes under a temporary name, then renames, so that files are always complete.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), WorkError> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        write_complete(&path, folder, bytes).map_err(|error| WorkError::at(&path)(&error))
    }
}

/// Writes a file under a temporary name in a folder, then renames it.
fn write_complete(path: &Path, folder: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// The number of analyses in a file.
const PART: usize = 8192;

impl Helpers for WorkFolder {
    fn analyse(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError> {
        let known = self.analyses();
        let mut found = Vec::with_capacity(tasks.len());
        for task in tasks {
            let bytes = known.get(&task.to_bytes().0);
            let analysis = bytes.and_then(|bytes| AppTask::analysis(bytes));
            if analysis.is_some() {
                progress.advance(1);
            }
            found.push(analysis);
        }
        Ok(found)
    }

    fn rate(&self, results: &Results, _tasks: &[RatingTask]) -> Result<(), BuildError> {
        self.results.get_or_init(|| results.to_bytes());
        Ok(())
    }

    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)> {
        task.computed(&self.read_rated(task, self.results.get()?)?)
    }
}
