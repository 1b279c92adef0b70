//! Tests the site in a browser: runs `tests/browser/suite.mjs`, `shared.mjs`, `desk.mjs`,
//! `board.mjs` and `sql.mjs` on the bundled archive.
//!
//! The test needs Chromium, Node.js, and the packages of `tests/browser` (run `npm ci` there). It
//! fails if one is missing.

use std::path::Path;
use std::process::Command;

use crate::support::Bundled;

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The missing requirement of the browser tests, if any.
fn missing(folder: &Path) -> Option<&'static str> {
    if !["chromium", "chromium-browser", "google-chrome"].into_iter().any(is_installed) {
        Some("chromium is not installed")
    } else if !is_installed("node") {
        Some("node is not installed")
    } else if !folder.join("node_modules").is_dir() {
        Some("tests/browser has no packages; run `npm ci` there")
    } else {
        None
    }
}

/// The failed tests of a TAP report with their diagnostics; the passed ones would hide them.
fn failures(report: &str) -> String {
    let mut shown = false;
    let lines = report.lines().filter(|line| {
        let line = line.trim_start();
        shown = line.starts_with("not ok") || shown && !line.starts_with("ok ");
        shown && !line.starts_with("# Subtest")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_report_shows_failed_tests_alone() {
    let report =
        "ok 1 - a\n  ---\n  ...\n    # Subtest: b\n    not ok 2 - b\n      error: c\nok 3 - d\n";
    assert_eq!(failures(report), "    not ok 2 - b\n      error: c");
}

#[test]
#[ignore = "needs chromium, node and npm ci in tests/browser"]
fn the_bundled_archive_passes_the_browser_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    if let Some(missing) = missing(&folder) {
        panic!("{missing}");
    }
    let output = Command::new("node")
        .args(["--test", "suite.mjs", "shared.mjs", "desk.mjs", "board.mjs", "sql.mjs"])
        .current_dir(&folder)
        .env("GREATNESS_ARCHIVE", Bundled::get().path())
        .env("GREATNESS_PROGRAM", env!("CARGO_BIN_EXE_greatness"))
        .output()
        .expect("node starts");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", failures(&report));
    // A suite that runs no tests must not pass.
    let passed = report.lines().find_map(|line| line.strip_prefix("# pass ")?.parse::<u32>().ok());
    assert!(passed.is_some_and(|passed| passed > 80), "{report}");
}
