//! A folder with what was done of a run: its games, what its rating systems computed, the analyses of its events.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::archive::run::errors::{BuildError, WorkError};
use crate::archive::run::progress::Progress;
use crate::archive::run::tasks::{AppTask, Helpers, RatingTask};
use crate::evaluation::comparison::{Computed, Predictions};
use crate::games::GameTable;
use crate::source::Diagnostic;
use crate::systems::Results;
use crate::tables::{ParquetError, read_tasks, write_parquet, write_tasks};
use crate::tournament::Analysis;

/// A folder with what was done of a run. `games.parquet` and `findings` hold what was read; `systems/WORD`, what a system
/// computed; `analyses/N.parquet`, analyses. Each piece of work is there under what tells it from all others, so that what was
/// done of other games, by other settings or another version is never taken for it.
#[derive(Debug)]
pub struct WorkFolder {
    folder: PathBuf,
    /// What tells the results that systems were last asked to rate.
    results: OnceLock<Vec<u8>>,
}

/// Analyses by what tells their tasks.
type Analyses = FxHashMap<u64, Vec<u8>>;

impl WorkFolder {
    /// A folder; nothing is made of it before something is written.
    pub fn at(folder: &Path) -> WorkFolder {
        WorkFolder { folder: folder.to_owned(), results: OnceLock::new() }
    }

    /// The file of games.
    pub fn games(&self) -> PathBuf {
        self.folder.join("games.parquet")
    }

    /// Writes what was read.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
    pub fn write_games(&self, table: &GameTable, found: &[Diagnostic]) -> Result<(), WorkError> {
        self.make("")?;
        let path = self.games();
        write_parquet(table, &path).map_err(|error: ParquetError| WorkError::at(&path)(&error))?;
        let found: Vec<Vec<u8>> = found.iter().map(Diagnostic::to_bytes).collect();
        self.write("findings", &bitcode::encode(&found))
    }

    /// What was found when the games were read.
    ///
    /// # Errors
    ///
    /// Where they are not there.
    pub fn findings(&self) -> Result<Vec<Diagnostic>, WorkError> {
        let path = self.folder.join("findings");
        let bytes = fs::read(&path).map_err(|error| WorkError::at(&path)(&error))?;
        let found: Option<Vec<Diagnostic>> = bitcode::decode::<Vec<Vec<u8>>>(&bytes)
            .ok()
            .and_then(|found| found.iter().map(|one| Diagnostic::from_bytes(one)).collect());
        found.ok_or_else(|| WorkError::at(&path)(&"was written by another version"))
    }

    /// What a system computed, packed as its file has it.
    ///
    /// # Errors
    ///
    /// Where it cannot be packed.
    pub fn packed(digest: u64, computed: &[u8]) -> io::Result<Vec<u8>> {
        Ok([&digest.to_le_bytes()[..], &zstd::encode_all(computed, 1)?].concat())
    }

    /// What such a file says that a system computed; `None` where it is of other results or settings.
    pub fn unpacked(digest: u64, file: &[u8]) -> Option<Vec<u8>> {
        let (own, packed) = file.split_first_chunk()?;
        (u64::from_le_bytes(*own) == digest).then_some(())?;
        zstd::decode_all(packed).ok()
    }

    /// Writes the file of a system.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn write_rated(&self, word: &str, packed: &[u8]) -> Result<(), WorkError> {
        self.make("systems")?;
        self.write(&format!("systems/{word}"), packed)
    }

    /// What a system computed of these results; `None` where that is not there.
    pub fn read_rated(&self, task: &RatingTask, results: &[u8]) -> Option<Vec<u8>> {
        let file = fs::read(self.folder.join("systems").join(&task.word)).ok()?;
        WorkFolder::unpacked(task.digest(results), &file)
    }

    /// Writes some analyses, each with what tells its task, in place of those that were there.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
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

    /// All analyses that are there; a file that cannot be read holds none.
    pub fn analyses(&self) -> Analyses {
        let mut analyses = Analyses::default();
        let Ok(files) = fs::read_dir(self.folder.join("analyses")) else { return analyses };
        for file in files.flatten() {
            // One that is damaged holds none either: what it had is done again.
            analyses.extend(read_tasks(&file.path()));
        }
        analyses
    }

    fn make(&self, folder: &str) -> Result<(), WorkError> {
        let folder = self.folder.join(folder);
        fs::create_dir_all(&folder).map_err(|error| WorkError::at(&folder)(&error))
    }

    /// Writes beside, then renames: what is there is whole.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), WorkError> {
        let path = self.folder.join(name);
        let write = || -> io::Result<()> {
            let folder = path.parent().unwrap_or(&self.folder);
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(bytes)?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|error| WorkError::at(&path)(&error))
    }
}

/// Analyses of a file.
const PART: usize = 8192;

impl Helpers for WorkFolder {
    fn analyse(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError> {
        let known = self.analyses();
        let found = |task: &&AppTask| {
            let analysis = AppTask::analysis(known.get(&task.to_bytes().0)?)?;
            progress.advance(1);
            Some(analysis)
        };
        Ok(tasks.iter().map(found).collect())
    }

    fn rate(&self, results: &Results, _tasks: &[RatingTask]) -> Result<(), BuildError> {
        self.results.get_or_init(|| results.to_bytes());
        Ok(())
    }

    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)> {
        task.computed(&self.read_rated(task, self.results.get()?)?)
    }
}
