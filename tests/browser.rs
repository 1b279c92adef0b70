//! The site in a real browser (headless Chromium).
//!
//! Runs where `chromium` is installed and says so where it is not; with `GREATNESS_BROWSER=required`
//! (as in `.ci/run`) a missing browser is a failure.

mod support;

use std::path::Path;
use std::process::Command;

use support::Bundled;

/// Width of a phone, in CSS pixels.
const PHONE: u32 = 390;

/// Pages of every kind, the hard cases of each among them: a large field, a match, a knock-out.
const PAGES: [&str; 10] = [
    "index.html",
    "greatness.html",
    "tournaments.html",
    "events.html",
    "players.html",
    "review.html",
    "events/vienna-1898.html",
    "events/fischer-spassky-reykjavik-1972.html",
    "events/manila-interzonal-1990.html",
    "players/tarrasch-siegbert.html",
];

fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok());
    if found.is_none() {
        assert!(
            std::env::var("GREATNESS_BROWSER").as_deref() != Ok("required"),
            "no chromium, and the browser tests are required"
        );
        eprintln!("skipped: no chromium on this machine");
    }
    found
}

/// Loads a page and gives the document as it is after scripts ran.
fn document(browser: &str, page: &Path) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--allow-file-access-from-files", "--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A page that loads all pages in a frame of a width and writes a line of findings for each.
fn probe(root: &Path, width: u32, finding: &str) -> std::path::PathBuf {
    let pages = serde_json::to_string(&PAGES).unwrap();
    let html = format!(
        "<!doctype html><pre id=out></pre><iframe id=f width={width} height=900></iframe><script>
         const pages = {pages}, f = document.getElementById('f'), out = document.getElementById('out');
         let at = 0;
         f.onload = () => {{
           const d = f.contentDocument;
           if (at > 0) out.textContent += 'FOUND ' + pages[at - 1] + ' ' + ({finding}) + '\\n';
           if (at < pages.length) f.src = pages[at++]; else out.textContent += 'END';
         }};
         f.src = 'about:blank';
         </script>"
    );
    let path = root.join(format!("probe-{width}.html"));
    std::fs::write(&path, html).unwrap();
    path
}

fn findings(width: u32, finding: &str) -> Option<Vec<(String, String)>> {
    let browser = browser()?;
    // The probe must be of the same origin as the pages, so it stands in a copy of the archive's
    // folder made for it alone.
    let root = Bundled::get().path();
    let folder = tempfile::tempdir().unwrap();
    for page in PAGES.iter().chain(&["style.css"]) {
        let to = folder.path().join(page);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(root.join(page), to).unwrap();
    }
    let document = document(browser, &probe(folder.path(), width, finding));
    // Behind the findings the probe's own script stands in the document.
    let written = document.split("</pre>").next().unwrap_or_default();
    let found: Vec<(String, String)> = written
        .lines()
        .filter_map(|line| line.split_once("FOUND ")?.1.split_once(' '))
        .map(|(page, finding)| (page.to_owned(), finding.to_owned()))
        .collect();
    assert_eq!(found.len(), PAGES.len(), "{document}");
    Some(found)
}

#[test]
fn no_page_scrolls_sideways_on_a_phone() {
    let Some(found) = findings(PHONE, "d.documentElement.scrollWidth") else { return };
    for (page, width) in found {
        assert!(width.parse::<u32>().unwrap() <= PHONE, "{page} is {width} wide");
    }
}

#[test]
fn every_page_has_its_style_one_heading_and_its_tables_headed() {
    let finding = "[getComputedStyle(d.body).fontFamily.includes('Georgia'), \
                   d.querySelectorAll('h1').length, \
                   d.querySelectorAll('table').length, \
                   d.querySelectorAll('table:not(:has(thead th))').length].join(' ')";
    let Some(found) = findings(1200, finding) else { return };
    for (page, finding) in found {
        let words: Vec<&str> = finding.split(' ').collect();
        assert_eq!((words[0], words[1], words[3]), ("true", "1", "0"), "{page}: {finding}");
        assert_ne!(words[2], "0", "{page} has no table");
    }
}

#[test]
fn the_plot_shows_every_rated_player_within_its_frame() {
    let finding = "Array.from(d.querySelectorAll('svg .point circle')).every(c => { \
                   const b = c.getBoundingClientRect(), s = c.ownerSVGElement.getBoundingClientRect(); \
                   return b.left >= s.left && b.right <= s.right && b.top >= s.top && b.bottom <= s.bottom; \
                   }) + ' ' + d.querySelectorAll('svg .point').length";
    let Some(found) = findings(1100, finding) else { return };
    for (page, expected) in
        [("events/vienna-1898.html", "20"), ("events/fischer-spassky-reykjavik-1972.html", "2")]
    {
        let finding = &found.iter().find(|(name, _)| name == page).unwrap().1;
        assert_eq!(*finding, format!("true {expected}"), "{page}");
    }
}
