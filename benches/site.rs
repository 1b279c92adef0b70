//! Measures how fast the site is written, compared with a bare loop that creates the same files.
//!
//! `cargo bench --bench site -- [--rounds N] INPUT...` builds an archive of the inputs in memory
//! once. Three steps alternate: publishing the archive into an empty folder, creating the same
//! files with the same bytes in a bare loop on one core, and publishing again over the existing
//! files. It prints a report in Markdown.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use greatness::archive::{Archive, Settings, Silent, build};
use greatness::site::{UnfinishedArchives, publish};
use support::{median, timed};

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds = match arguments.iter().position(|argument| argument == "--rounds") {
        Some(place) => arguments
            .drain(place..place + 2)
            .nth(1)
            .and_then(|rounds| rounds.parse().ok())
            .expect("a number of rounds"),
        None => 5,
    };
    println!("# Writing the site\n");
    if arguments.is_empty() {
        println!("No input was given.");
        return;
    }
    let mut settings = Settings::default();
    settings.input.pgn.extend(arguments.iter().map(PathBuf::from));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let settings = settings.with_bundled_data(&data).expect("the bundled ratings");
    let archive = build(settings, &Silent).expect("an archive");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("archive");

    let (mut published, mut bare, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let mut files = Vec::new();
    for round in 0..=rounds {
        let _ = fs::remove_dir_all(&out);
        let write = timed(|| write(&archive, &out));
        if files.is_empty() {
            files = contents(&out);
        }
        let rewrite = timed(|| crate::write(&archive, &out));
        fs::remove_dir_all(&out).expect("the archive goes");
        let loop_ = timed(|| create(&folder.path().join("bare"), &files));
        fs::remove_dir_all(folder.path().join("bare")).expect("the files go");
        // The first round warms the disk's caches.
        if round > 0 {
            published.push(write);
            again.push(rewrite);
            bare.push(loop_);
        }
    }
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let (published, bare, again) = (median(published), median(bare), median(again));
    println!(
        "{} events, {} players; {} files, {:.0} MB. Medians of {rounds} rounds, on {} threads.\n",
        archive.records.len(),
        archive.lists.player_rows.len(),
        files.len(),
        bytes as f64 / 1e6,
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    println!("| what | time | of the bare loop |\n|---|---|---|");
    for (what, time) in [
        ("the bare loop: the same files, one after the other", bare),
        ("the site: computed, rendered and written", published),
        ("the site again over the existing files: nothing changed", again),
    ] {
        println!(
            "| {what} | {:.2} s | {:.2} |",
            time.as_secs_f64(),
            time.as_secs_f64() / bare.as_secs_f64()
        );
    }
}

fn write(archive: &Archive, out: &Path) {
    publish(archive, out, &UnfinishedArchives::default(), None, &Silent)
        .expect("the site is written");
}

/// All files with their bytes, in the order of their folders.
fn contents(out: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    walkdir::WalkDir::new(out)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(out).expect("inside").to_owned();
            (path, fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

/// The minimum work: each file created and written.
fn create(folder: &Path, files: &[(PathBuf, Vec<u8>)]) {
    let mut made = std::collections::BTreeSet::new();
    for (path, bytes) in files {
        let path = folder.join(path);
        let parent = path.parent().expect("a folder").to_owned();
        if !made.contains(&parent) {
            fs::create_dir_all(&parent).expect("a folder");
            made.insert(parent);
        }
        fs::write(path, bytes).expect("a file");
    }
}
