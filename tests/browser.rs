//! The site in a real browser: runs `tests/browser/suite.mjs`, `desk.mjs` and `board.mjs` on the bundled archive.
//!
//! It takes Chromium, Node.js, and the packages of `tests/browser` (`npm ci` there installs them), and fails where
//! one is missing.

use std::path::Path;
use std::process::Command;

use crate::support::Bundled;

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What is missing for tests in a browser.
fn missing(folder: &Path) -> Option<&'static str> {
    if !["chromium", "chromium-browser", "google-chrome"].into_iter().any(is_there) {
        Some("no chromium on this machine")
    } else if !is_there("node") {
        Some("no node on this machine")
    } else if !folder.join("node_modules").is_dir() {
        Some("`npm ci` was not run in tests/browser")
    } else {
        None
    }
}

#[test]
#[ignore = "needs chromium, node and npm ci in tests/browser"]
fn the_bundled_archive_passes_the_browser_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    if let Some(missing) = missing(&folder) {
        panic!("{missing}");
    }
    let output = Command::new("node")
        .args(["--test", "suite.mjs", "desk.mjs", "board.mjs"])
        .current_dir(&folder)
        .env("GREATNESS_ARCHIVE", Bundled::get().path())
        .env("GREATNESS_PROGRAM", env!("CARGO_BIN_EXE_greatness"))
        .output()
        .expect("node starts");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    // A suite that ran no test has passed nothing.
    let passed = told.lines().find_map(|line| line.strip_prefix("# pass ")?.parse::<u32>().ok());
    assert!(passed.is_some_and(|passed| passed > 80), "{told}");
}
