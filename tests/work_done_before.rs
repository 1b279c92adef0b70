//! Tests that results from helpers, now or earlier, give the same archive as a build alone.
//!
//! Results that do not fit are computed again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use greatness::archive::{
    AppTask, BuildError, DoneWork, GamesRead, Helpers, Progress, RatingTask, Settings, Silent,
    SystemChoice, WorkFolder, build, build_with, write_exports,
};
use greatness::evaluation::comparison::{Computed, Predictions};
use greatness::systems::Results;
use greatness::tournament::Analysis;

use crate::support::{greatness, stderr};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn settings(games: PathBuf) -> Settings {
    let mut settings = Settings::default();
    settings.input.pgn = vec![games];
    settings.systems.compute = SystemChoice::All;
    settings.with_bundled_data(&data()).unwrap()
}

fn collection() -> Settings {
    settings(data().join("games/1880s.pgn.zst"))
}

fn exports(archive: &greatness::archive::Archive) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    write_exports(archive, folder.path()).unwrap();
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder.path()).unwrap().flatten() {
        if entry.path().is_file() {
            let name = entry.file_name().to_string_lossy().into_owned();
            all.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    all
}

/// A helper that runs each task from its bytes, like another machine, and stores the result in a
/// folder.
#[derive(Debug)]
struct FolderHelper {
    folder: WorkFolder,
    results: Mutex<Vec<u8>>,
    systems: AtomicUsize,
    events: AtomicUsize,
}

impl Helpers for FolderHelper {
    fn analyse(
        &self,
        tasks: &[&AppTask],
        _: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError> {
        let mut done = Vec::new();
        for task in tasks {
            let (digest, bytes) = task.to_bytes();
            done.push((digest, AppTask::run_bytes(&bytes).unwrap()));
        }
        self.events.store(done.len(), Ordering::Relaxed);
        self.folder.write_analyses(&done)?;
        Ok(done.iter().map(|(_, bytes)| AppTask::analysis(bytes)).collect())
    }

    fn rate(&self, results: &Results, tasks: &[RatingTask]) -> Result<(), BuildError> {
        let bytes = results.to_bytes();
        let received = Results::from_bytes(&bytes).unwrap();
        for task in tasks {
            let computed = RatingTask::run_bytes(&task.to_bytes(), &received).unwrap();
            let packed = WorkFolder::packed(task.digest(&bytes), &computed).unwrap();
            self.folder.write_rated(&task.word, &packed)?;
        }
        self.systems.store(tasks.len(), Ordering::Relaxed);
        *self.results.lock().unwrap() = bytes;
        Ok(())
    }

    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)> {
        task.computed(&self.folder.read_rated(task, &self.results.lock().unwrap())?)
    }
}

#[test]
fn results_of_helpers_give_the_same_archive_now_and_later() {
    let alone = exports(&build(collection(), &Silent).unwrap());

    let folder = tempfile::tempdir().unwrap();
    let work = WorkFolder::at(folder.path());
    let mut found = Vec::new();
    let games = GamesRead::read(&collection().input, &Silent, &mut found).unwrap();
    work.write_games(&games.table, &found).unwrap();
    let mut from = settings(work.games());
    from.input.from = Some(folder.path().to_owned());

    let helper = FolderHelper {
        folder: WorkFolder::at(folder.path()),
        results: Mutex::default(),
        systems: AtomicUsize::new(0),
        events: AtomicUsize::new(0),
    };
    let helped =
        build_with(from.clone(), DoneWork { helpers: Some(&helper), cache: None }, &Silent)
            .unwrap();
    assert_eq!(exports(&helped), alone);
    assert!(helper.systems.into_inner() > 15);
    assert_eq!(helper.events.into_inner(), helped.records.len());

    let later = build(from.clone(), &Silent).unwrap();
    assert_eq!(exports(&later), alone);

    // A file of another build, a truncated file and a file of another kind are all computed again.
    let systems = folder.path().join("systems");
    fs::copy(systems.join("elo"), systems.join("pra")).unwrap();
    let whole = fs::read(systems.join("chessmetrics")).unwrap();
    fs::write(systems.join("chessmetrics"), &whole[..whole.len() / 2]).unwrap();
    fs::write(folder.path().join("analyses/0.parquet"), b"PAR1 and no more").unwrap();
    let damaged = build(from.clone(), &Silent).unwrap();
    assert_eq!(exports(&damaged), alone);

    fs::remove_file(folder.path().join("findings")).unwrap();
    let error = build(from, &Silent).unwrap_err().to_string();
    assert!(error.contains("findings"), "{error}");
}

#[test]
fn an_analysis_that_cannot_be_decoded_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let work = WorkFolder::at(folder.path());
    work.write_analyses(&[(7, vec![1, 2, 3]), (9, vec![])]).unwrap();
    let known = work.analyses();
    assert_eq!(known.get(&7), Some(&vec![1, 2, 3]));
    assert_eq!(known.get(&9), Some(&Vec::new()));
    assert!(AppTask::analysis(&known[&7]).is_none());
}

/// All files in a folder, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|file| {
            let path = file.path().strip_prefix(folder).unwrap().to_owned();
            (path, fs::read(file.path()).unwrap())
        })
        .collect()
}

const DECISION: &str = "[hastings-1895]\nauthor = \"RA\"\ndate = 2026-01-01\n\
    reason = \"A test\"\nname = \"Hastings Tournament\"\n";

/// Builds an archive of a collection. Returns the messages of the build, which must succeed.
fn messages_of_build(folder: &Path, collection: &str, out: &str, more: &[&str]) -> String {
    let arguments = [&["build", collection, "--out", out, "--no-sync"], more].concat();
    let output = greatness(folder, &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_build_that_reuses_the_last_one_writes_the_same_archive_as_one_that_computes_everything() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("d.toml"), DECISION).unwrap();
    let decades = ["1880s", "1890s"].map(|one| data().join(format!("games/{one}.pgn.zst")));
    let [early, late] = decades.each_ref().map(|path| path.to_str().unwrap());
    // One more collection and one decision.
    let changed = [early, "--decisions", "d.toml"];
    messages_of_build(folder.path(), late, "out", &[]);
    let messages = messages_of_build(folder.path(), late, "out", &changed);
    for (step, is_reused) in
        [("Tournament App", true), ("write the archive", true), ("compute ratings", false)]
    {
        let line = messages.lines().find(|line| line.contains(step)).unwrap_or_default();
        assert_eq!(line.contains("reused from the last build"), is_reused, "{step}: {messages}");
    }
    messages_of_build(folder.path(), late, "all", &["--no-cache"]);
    let messages =
        messages_of_build(folder.path(), late, "all", &[&changed[..], &["--no-cache"]].concat());
    assert!(!messages.contains("reused"), "{messages}");
    let [ours, theirs] = ["out", "all"].map(|out| files(&folder.path().join(out)));
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    let differing: Vec<_> = ours.iter().filter(|(path, text)| theirs[*path] != **text).collect();
    let differing: Vec<_> = differing.into_iter().map(|(path, _)| path).collect();
    assert!(differing.is_empty(), "{differing:?}");
    assert!(folder.path().join("out.cache").is_file());
    assert!(!folder.path().join("all.cache").exists());
    // The same build once more computes and writes nothing.
    let messages = messages_of_build(folder.path(), late, "out", &changed);
    assert!(messages.contains("all reused from the last build"), "{messages}");
}
