//! Measures the speed of reading spelling files, resolving identities and assembling events, and
//! the quality of identity resolution.
//!
//! `cargo bench --bench identity -- [--rounds N] [--spelling FILE] PGN...` prints a report in
//! Markdown. Reading the spelling file alternates with a scan of the same mapped bytes for line
//! feeds. Identities are resolved in the collections, and in a million games with twice the names
//! (a second copy in which every surname has another ending). Precision and recall are those of the
//! labelled pairs in `tests/cases`.

mod support;

use std::collections::BTreeMap;
use std::fs::File;
use std::hint::black_box;
use std::path::PathBuf;

use greatness::archive::{Selected, Settings, Silent};
use greatness::events::{EventContext, EventThresholds, EventWords, TempoRows, events};
use greatness::games::{GameTable, NameId};
use greatness::gazetteer::Places;
use greatness::pgn::{ReadOptions, read_files};
use greatness::players::{NameSources, identify, read_spelling_file};
use support::{median, timed};

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let rounds: usize =
        take_option(&mut arguments, "--rounds").map_or(5, |text| text.parse().expect("a number"));
    let spelling = take_option(&mut arguments, "--spelling").map(PathBuf::from);
    let files: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    println!("# Speed and quality of identity resolution and event assembly\n");
    if files.is_empty() {
        println!("No collection was given.");
        return;
    }
    println!(
        "Medians of {rounds} rounds, on {} threads.\n",
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    println!("| what | size | time |\n|---|---|---|");
    if let Some(file) = &spelling {
        spelling_file(file, rounds);
    }
    let mut table = GameTable::default();
    read_files(&files, ReadOptions::default(), &mut table, &mut Vec::new(), &|_| ());
    names("names of the collections", &table, rounds);
    let million = doubled(&table);
    names("names of a million games", &million, rounds);
    grouping("events of the collections", &table, rounds);
    grouping("events of a million games", &million, rounds);

    println!("\n| pairs of spellings | without a spelling file | with it |\n|---|---|---|");
    let alone = persons(&files, None);
    let helped = spelling.as_ref().map(|file| persons(&files, Some(file)));
    for (what, case) in [
        ("of one person, joined (recall)", "pairs"),
        ("of two persons, joined (wrongly, except for errors of the labels)", "apart"),
    ] {
        let pairs = pairs(case);
        let with = helped.as_ref().map_or("-".into(), |persons| joined_pairs(&pairs, persons));
        println!("| {what} | {} | {with} |", joined_pairs(&pairs, &alone));
    }
}

/// Removes an option with its value from the arguments and returns the value.
fn take_option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument == name)?;
    Some(arguments.drain(place..place + 2).nth(1).expect("a value"))
}

/// Counts the pairs of spellings that belong to one person: `"3 of 5"`.
fn joined_pairs(pairs: &[(String, String)], persons: &BTreeMap<String, usize>) -> String {
    let joined = pairs
        .iter()
        .filter(|(a, b)| persons.get(a).is_some_and(|person| Some(person) == persons.get(b)));
    format!("{} of {}", joined.count(), pairs.len())
}

fn spelling_file(file: &PathBuf, rounds: usize) {
    let size = file.metadata().expect("the spelling file").len();
    let (mut scans, mut reads) = (Vec::new(), Vec::new());
    let mut players = 0;
    for _ in 0..rounds {
        scans.push(timed(|| {
            // SAFETY: no other process changes the file meanwhile.
            let map = unsafe { memmap2::Mmap::map(&File::open(file).expect("the file")) };
            black_box(memchr::memchr_iter(b'\n', &map.expect("the map")).count());
        }));
        reads.push(timed(|| {
            players = read_spelling_file(file, &|_| true).expect("the spelling file").len();
        }));
    }
    let (scan, read) = (median(scans), median(reads));
    println!(
        "| the spelling file, all {players} players | {:.0} MB | {:.2} s, {:.0} scans for line feeds |",
        size as f64 / 1e6,
        read.as_secs_f64(),
        read.as_secs_f64() / scan.as_secs_f64()
    );
}

fn names(what: &str, table: &GameTable, rounds: usize) {
    let spellings = table.years_of_names().len();
    let mut persons = 0;
    let times = (0..rounds)
        .map(|_| {
            let mut table = table.clone();
            let sources = NameSources::default();
            timed(|| persons = identify(&mut table, &sources).players.len())
        })
        .collect();
    println!(
        "| {what} | {} games, {spellings} spellings, {persons} persons | {:.2} s |",
        table.len(),
        median(times).as_secs_f64()
    );
}

fn grouping(what: &str, table: &GameTable, rounds: usize) {
    let table = &mut table.clone();
    let players = identify(table, &NameSources::default()).players;
    let rows = TempoRows::all_classical(table);
    let (places, words) = (Places::default(), EventWords::default());
    let mut found = 0;
    let times = (0..rounds)
        .map(|_| {
            timed(|| {
                let thresholds = EventThresholds::default();
                let material = EventContext {
                    table,
                    players: &players,
                    places: &places,
                    words: &words,
                    thresholds,
                };
                found = events(material, &rows, &[]).events.len();
            })
        })
        .collect();
    println!(
        "| {what} | {} games, {found} events | {:.2} s |",
        table.len(),
        median(times).as_secs_f64()
    );
}

/// The games, and copies with other surnames, up to a million games.
fn doubled(table: &GameTable) -> GameTable {
    let mut doubled = table.clone();
    let mut others: BTreeMap<NameId, NameId> = BTreeMap::new();
    while doubled.len() < 1_000_000 {
        let room = 1_000_000 - doubled.len().min(1_000_000);
        for &game in table.games().iter().take(room) {
            let mut copy = game;
            for name in [&mut copy.white, &mut copy.black] {
                *name = *others.entry(*name).or_insert_with(|| {
                    let text = table.text(*name);
                    let (surname, given) = text.split_once(',').unwrap_or((text, ""));
                    doubled.names.intern(&format!("{surname}enko,{given}"))
                });
            }
            copy.fingerprint = copy.fingerprint.wrapping_mul(31);
            doubled.push(copy);
        }
    }
    doubled
}

/// The player behind each spelling.
fn persons(files: &[PathBuf], spelling: Option<&PathBuf>) -> BTreeMap<String, usize> {
    let mut settings = Settings::default();
    settings.input.pgn.extend(files.iter().cloned());
    settings.input.spelling.extend(spelling.cloned());
    let reading =
        Selected::read(&settings.input, &Silent, &mut Vec::new()).expect("there are games");
    let names = reading.table.names.iter();
    names
        .filter_map(|(name, text)| Some((text.to_owned(), reading.players.of_name(name)?.index())))
        .collect()
}

fn pairs(case: &str) -> Vec<(String, String)> {
    let path = format!("{}/tests/cases/identity/{case}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut pairs = csv::Reader::from_path(path).expect("the labelled pairs");
    pairs.deserialize().map(|pair| pair.expect("a pair")).collect()
}
