//! Helpers of several test files: the program, the bundled archive, and tables of an export.

pub mod crate_map;
pub mod pgn;
pub mod rated_lists;
pub mod spoil;
pub mod spoilt_forms;
pub mod spoilt_lists;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use greatness::archive_reader;
use serde_json::Value;
use tempfile::TempDir;

/// Runs the program in a folder.
pub fn greatness(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_greatness"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

/// Returns the path of a program among the examples. `cargo test` builds them.
pub fn example(name: &str) -> PathBuf {
    static BUILT: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let program = path.join("examples").join(name);
    let mut built = BUILT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // A single test file (`--test intrinsic`) does not build them, or leaves an old version.
    if !built.iter().any(|known| known == name) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--example", name]);
        assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
        built.push(name.to_owned());
    }
    assert!(program.is_file(), "{} is built by cargo test", program.display());
    program
}

/// Runs the program in the folder of the project.
pub fn greatness_here(arguments: &[&str]) -> Output {
    greatness(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

/// Returns the folder of the real collections and lists next to the project.
///
/// Tests that need them are ignored unless `cargo test -- --include-ignored` requests them, and
/// fail if the folder is missing.
pub fn shared_data() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    assert!(path.is_dir(), "the shared collections are not at {}", path.display());
    path
}

/// Returns SCID's spelling file (Debian's package scid-rating-data), which `GREATNESS_SPELLING`
/// names.
pub fn spelling_file() -> PathBuf {
    let path = std::env::var_os("GREATNESS_SPELLING").map(PathBuf::from);
    path.expect("GREATNESS_SPELLING names a spelling file")
}

/// Checks that exactly the known failures occur.
///
/// A new failure fails the test. So does an unexpected success, until its line is removed from the
/// list. The list is the text of a case file, in which `#` begins a comment.
#[track_caller]
pub fn fail_as_known(what: &str, failures: &[String], known: &str) {
    let known: Vec<&str> = known
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let new: Vec<&String> =
        failures.iter().filter(|failure| !known.contains(&failure.as_str())).collect();
    let mended: Vec<&&str> =
        known.iter().filter(|known| !failures.iter().any(|failure| failure == **known)).collect();
    assert!(
        new.is_empty() && mended.is_empty(),
        "{what}\n  new failures: {new:#?}\n  no longer failing (remove them from the list): {mended:#?}"
    );
}

/// Returns the path of a case file.
pub fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)
}

/// Returns the path of a file in `data/examples`.
pub fn input_text(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/examples").join(name)
}

/// Returns the output of `greatness event --format json` for an example file.
pub fn analysis_of(name: &str) -> Value {
    let path = input_text(name);
    let output = greatness_here(&["event", &path.to_string_lossy(), "--format", "json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

/// Returns a player of an analysis.
pub fn player<'a>(analysis: &'a Value, name: &str) -> &'a Value {
    analysis["players"]
        .as_array()
        .and_then(|players| players.iter().find(|player| player["name"] == name))
        .unwrap_or_else(|| panic!("no player {name}"))
}

/// Formats a number with the given number of decimals.
pub fn printed(value: &Value, decimals: usize) -> String {
    let number = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    format!("{number:.decimals$}")
}

/// Returns the analysis of an event of an archive.
pub fn document(archive: &Path, id: &str) -> Value {
    let text = archive_reader::read(archive, id).unwrap_or_else(|error| panic!("{id}: {error}"));
    serde_json::from_str(&text).expect("JSON")
}

/// The archive of the bundled data, built once for all tests.
///
/// `GREATNESS_BUNDLED_ARCHIVE` names an archive that exists already. `.ci/run` runs the tests
/// twice, and both runs share it.
pub struct Bundled {
    path: PathBuf,
    /// The folder is removed after the last test.
    _folder: Option<TempDir>,
    pub messages: String,
}

impl Bundled {
    pub fn get() -> &'static Bundled {
        static ARCHIVE: OnceLock<Bundled> = OnceLock::new();
        ARCHIVE.get_or_init(|| Bundled::named().unwrap_or_else(Bundled::build))
    }

    fn named() -> Option<Bundled> {
        let path = PathBuf::from(std::env::var_os("GREATNESS_BUNDLED_ARCHIVE")?);
        let messages = std::env::var_os("GREATNESS_BUNDLED_MESSAGES")?;
        let messages = std::fs::read_to_string(messages).expect("the messages of the build");
        Some(Bundled { path, _folder: None, messages })
    }

    fn build() -> Bundled {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("archive");
        let output = greatness_here(&["build", "--out", &path.to_string_lossy()]);
        assert!(output.status.success(), "{}", stderr(&output));
        Bundled { path, _folder: Some(folder), messages: stderr(&output) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the analysis of an event.
    pub fn event(&self, id: &str) -> Value {
        document(self.path(), id)
    }

    /// Returns an export as rows of JSON.
    pub fn table(&self, name: &str) -> Vec<Value> {
        let path = self.path().join("data").join(format!("{name}.json"));
        let text = std::fs::read_to_string(path).expect("the export is there");
        serde_json::from_str(&text).expect("JSON")
    }
}
