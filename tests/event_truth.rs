//! Detects the labelled events of the shared collections in three ways.
//!
//! The first reads the files one by one. The second reads all games shuffled into one file. The
//! third adds a collection that has every game again with other headers.
//!
//! An event is found if its main segment has exactly the labelled games, with one copy of each. The
//! tests need `../shared/data`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use greatness::archive::{Grouped, Selected, Settings, Silent};
use greatness::events::{Event, SegmentKind};
use greatness::pgn::ChunkReader;
use greatness::source::{Limits, for_each_member};
use rand::SeedableRng;
use rand::seq::SliceRandom;

/// A labelled event: its file, and the indices of its games in the collection.
struct Label {
    file: String,
    games: Vec<usize>,
}

/// The games of all tournament files, in order.
struct Collection {
    /// The text of each game with its tags.
    games: Vec<Vec<u8>>,
    /// The name of each file and the range of its games.
    files: Vec<(String, std::ops::Range<usize>)>,
    labels: Vec<Label>,
}

fn collection() -> &'static Collection {
    static COLLECTION: OnceLock<Collection> = OnceLock::new();
    COLLECTION.get_or_init(|| read(&crate::support::shared_data()))
}

fn read(shared: &Path) -> Collection {
    let mut collection = Collection { games: Vec::new(), files: Vec::new(), labels: Vec::new() };
    // The Event tag and index of each game, by file.
    let mut tags: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for_each_member(&shared.join("tournaments.tar.zst"), Limits::default(), &|_| (), |member| {
        let member = member.expect("a member");
        let name = member.name.clone();
        let text = member.read_whole(Limits::default()).expect("a text");
        let first = collection.games.len();
        let file = name.rsplit('/').next().expect("a file name").to_owned();
        for (start, end) in ChunkReader::default().read(&text, true).places {
            let game = text[start..end].to_vec();
            let tag = event_tag(&game);
            tags.entry(file.clone()).or_default().push((tag, collection.games.len()));
            collection.games.push(game);
        }
        collection.files.push((name, first..collection.games.len()));
    });
    let truth = std::fs::read_to_string(shared.join("event-truth.csv")).expect("the labels");
    for label in csv::Reader::from_reader(truth.as_bytes()).records() {
        let label = label.expect("a label");
        let of_file = tags.get(&label[0]).unwrap_or_else(|| panic!("no file {}", &label[0]));
        let games = of_file.iter().filter(|(tag, _)| *tag == label[1]);
        let games: Vec<usize> = games.map(|(_, game)| *game).collect();
        assert_eq!(games.len().to_string(), label[2], "{}", &label[0]);
        collection.labels.push(Label { file: label[0].to_owned(), games });
    }
    collection
}

fn event_tag(game: &[u8]) -> String {
    let text = String::from_utf8_lossy(game);
    let tag = text.lines().find_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]"));
    tag.unwrap_or_default().to_owned()
}

/// Reads files and detects their events.
fn detect(files: Vec<PathBuf>) -> Grouped {
    let mut settings = Settings::default();
    settings.input.pgn = files;
    let games = Selected::read(&settings.input, &Silent, &mut Vec::new()).expect("there are games");
    games.group(settings.events, &mut Vec::new())
}

/// Describes why a labelled event is not found, with its file. Returns `None` if it is found.
///
/// `row_of` maps a game to its row, and `kept` maps each row to the row that is kept for it.
fn failure(
    label: &Label,
    found: &Grouped,
    row_of: impl Fn(usize) -> usize,
    kept: &[usize],
) -> Option<(String, String)> {
    let rows: BTreeSet<usize> = label.games.iter().map(|game| kept[row_of(*game)]).collect();
    if found.events.iter().any(|event| main_rows(event) == rows) {
        return None;
    }
    let best =
        found.events.iter().max_by_key(|event| main_rows(event).intersection(&rows).count())?;
    let games = main_rows(best);
    let description = format!(
        "{} ({} games): {} has {} of them and {} others\n   lacks{}\n   others{}",
        label.file,
        rows.len(),
        best.name,
        games.intersection(&rows).count(),
        games.difference(&rows).count(),
        described(found, rows.difference(&games)),
        described(found, games.difference(&rows)),
    );
    Some((label.file.clone(), description))
}

/// Returns the rows of an event's games that are neither tie-breaks nor play-offs.
fn main_rows(event: &Event) -> BTreeSet<usize> {
    let main = event.games.iter().filter(|game| game.segment == SegmentKind::Main);
    main.map(|game| game.row).collect()
}

/// Describes the first four of some games, with their events.
fn described<'a>(found: &Grouped, rows: impl Iterator<Item = &'a usize>) -> String {
    let table = &found.games.table;
    let games = rows.take(4).map(|row| {
        let game = &table.games()[*row];
        let place = found.events.iter().find_map(|event| {
            let found = event.games.iter().find(|found| found.row == *row)?;
            Some(format!("{} of {}", found.segment.words(), event.name))
        });
        format!(
            "\n    {}-{} {} round {} {} {}:{}, {}",
            table.text(game.white),
            table.text(game.black),
            game.date.iso(),
            game.round,
            table.text(game.event),
            table.member_of(game).rsplit('/').next().unwrap_or_default(),
            game.line,
            place.unwrap_or_else(|| "in no event".into())
        )
    });
    games.collect()
}

/// Maps each row of the table to the row that is kept for it.
fn kept(found: &Grouped) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..found.games.table.len()).collect();
    for duplicate in found.games.duplicates.iter().chain(&found.repeated) {
        kept[duplicate.game] = duplicate.kept;
    }
    // The kept game of some copies may itself be a repetition that was found later.
    for row in 0..kept.len() {
        while kept[kept[row]] != kept[row] {
            kept[row] = kept[kept[row]];
        }
    }
    kept
}

/// Checks that exactly the labelled events fail that the case file lists.
#[track_caller]
fn check_failures(way: &str, failures: &[(String, String)], known: &str) {
    for (_, description) in failures {
        eprintln!("  {description}");
    }
    let files: Vec<String> = failures.iter().map(|(file, _)| file.clone()).collect();
    crate::support::fail_as_known(way, &files, known);
}

#[test]
#[ignore = "needs ../shared/data"]
fn labelled_events_are_found_in_single_files() {
    let collection = collection();
    let folder = tempfile::tempdir().expect("a folder");
    let mut failures = Vec::new();
    for label in &collection.labels {
        let (_, range) = collection
            .files
            .iter()
            .find(|(_, range)| range.contains(&label.games[0]))
            .expect("the label's file");
        let path = folder.path().join("event.pgn");
        std::fs::write(&path, collection.games[range.clone()].join(&b"\n\n"[..])).expect("a file");
        let found = detect(vec![path]);
        assert_eq!(found.games.table.len(), range.len());
        failures.extend(failure(label, &found, |game| game - range.start, &kept(&found)));
    }
    check_failures("one by one", &failures, include_str!("cases/labelled/one-by-one.txt"));
}

/// Writes all games to one file in random order. Returns the place of each game.
fn shuffled(collection: &Collection, path: &Path) -> Vec<usize> {
    let mut order: Vec<usize> = (0..collection.games.len()).collect();
    order.shuffle(&mut rand_pcg::Pcg64Mcg::seed_from_u64(7));
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    let mut place = vec![0; order.len()];
    for (row, &game) in order.iter().enumerate() {
        place[game] = row;
        out.write_all(&collection.games[game]).expect("written");
        out.write_all(b"\n\n").expect("written");
    }
    out.flush().expect("written");
    place
}

#[test]
#[ignore = "needs ../shared/data"]
fn labelled_events_are_found_in_all_files_shuffled_into_one() {
    let collection = collection();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shuffled.pgn");
    let place = shuffled(collection, &path);
    let found = detect(vec![path]);
    assert_eq!(found.games.table.len(), place.len());
    let kept = kept(&found);
    let failures: Vec<(String, String)> = collection
        .labels
        .iter()
        .filter_map(|label| failure(label, &found, |game| place[game], &kept))
        .collect();
    check_failures("shuffled", &failures, include_str!("cases/labelled/shuffled.txt"));
}

#[test]
#[ignore = "needs ../shared/data"]
fn labelled_events_are_found_next_to_copies_with_other_headers() {
    let collection = collection();
    let shared = crate::support::shared_data();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shuffled.pgn");
    let place = shuffled(collection, &path);
    let found = detect(vec![shared.join("games.pgn.zst"), path]);
    let before = found.games.table.len() - place.len();
    let kept = kept(&found);
    let failures: Vec<(String, String)> = collection
        .labels
        .iter()
        .filter_map(|label| failure(label, &found, |game| before + place[game], &kept))
        .collect();
    check_failures("shuffled, with copies", &failures, include_str!("cases/labelled/heap.txt"));
}
