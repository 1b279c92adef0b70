//! Measures how fast collections are read, compared with a scan of the same bytes for line feeds.
//!
//! `cargo bench --bench reading -- [--rounds N] [--json] FILE...` reads the files, or a generated
//! text of 200,000 games. The scan uses one thread and goes with `memchr` from line feed to line
//! feed over the mapped file. Reading goes from the file to games grouped by their tags. All
//! methods alternate, so that other load on the machine affects all of them alike. The report has
//! medians.
//!
//! `--once METHOD FILE` runs one method once, to count its instructions.

use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use greatness::events::by_tags;
use greatness::games::GameTable;
use greatness::pgn::{ChunkReader, ReadOptions, read_files};

/// A measured method.
#[derive(Clone, Copy)]
enum ReadingMethod {
    /// `memchr` from line feed to line feed.
    Scan,
    /// `memchr` that only counts line feeds: the fastest way for one thread to look at all bytes.
    Count,
    /// Reading to grouped games, with this number of threads.
    Read(usize),
    /// Parsing the bytes to rows in one piece, on one thread.
    Parse,
    /// Parsing without vector instructions.
    ParsePortably,
}

const WAYS: [(&str, ReadingMethod); 6] = [
    ("scan", ReadingMethod::Scan),
    ("count", ReadingMethod::Count),
    ("one-thread", ReadingMethod::Read(1)),
    ("two-threads", ReadingMethod::Read(2)),
    ("parse", ReadingMethod::Parse),
    ("parse-portably", ReadingMethod::ParsePortably),
];

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let json = take_flag(&mut arguments, "--json").is_some();
    if let Some(place) = arguments.iter().position(|argument| argument == "--once") {
        let [way, file] = [&arguments[place + 1], &arguments[place + 2]];
        let way = WAYS.iter().find(|(name, _)| name == way).expect("a known way").1;
        println!("{}", run(way, Path::new(file)));
        return;
    }
    let rounds = match arguments.iter().position(|argument| argument == "--rounds") {
        Some(place) => {
            let rounds = arguments[place + 1].parse().expect("a number of rounds");
            arguments.drain(place..place + 2);
            rounds
        }
        None => 9,
    };
    let made = tempfile::NamedTempFile::new().expect("a temporary file");
    let files: Vec<PathBuf> = if arguments.is_empty() {
        make(made.as_file());
        vec![made.path().to_owned()]
    } else {
        arguments.iter().map(PathBuf::from).collect()
    };
    for file in &files {
        measure(file, rounds, json);
    }
}

fn take_flag(arguments: &mut Vec<String>, flag: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument == flag)?;
    Some(arguments.remove(place))
}

fn measure(file: &Path, rounds: usize, json: bool) {
    let bytes = file.metadata().expect("a file").len();
    let games = run(ReadingMethod::Read(1), file);
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); WAYS.len()];
    for _ in 0..rounds {
        for (place, (_, way)) in WAYS.iter().enumerate() {
            let start = Instant::now();
            black_box(run(*way, file));
            times[place].push(start.elapsed());
        }
    }
    let medians: Vec<f64> = times
        .into_iter()
        .map(|mut times| {
            times.sort();
            times[times.len() / 2].as_secs_f64()
        })
        .collect();
    let scan = medians[0];
    if json {
        let ways: Vec<String> = WAYS
            .iter()
            .zip(&medians)
            .map(|((name, _), seconds)| {
                format!(
                    "\"{name}\": {{\"seconds\": {seconds:.6}, \"scans\": {:.3}}}",
                    seconds / scan
                )
            })
            .collect();
        println!("{{\"bytes\": {bytes}, \"games\": {games}, \"ways\": {{{}}}}}", ways.join(", "));
        return;
    }
    println!("{}: {bytes} bytes, {games} games", file.display());
    for ((name, _), seconds) in WAYS.iter().zip(&medians) {
        println!(
            "  {name:<16} {:>8.1} ms {:>7.2} scans {:>7.2} GB/s {:>7.2} million games/s",
            seconds * 1e3,
            seconds / scan,
            bytes as f64 / seconds / 1e9,
            games as f64 / seconds / 1e6
        );
    }
}

fn mapped(file: &Path) -> memmap2::Mmap {
    let file = File::open(file).expect("a file");
    // SAFETY: no other process changes the file meanwhile.
    unsafe { memmap2::Mmap::map(&file) }.expect("a file to map")
}

/// Runs one method. Returns the number of lines or games that it found.
fn run(way: ReadingMethod, file: &Path) -> usize {
    match way {
        ReadingMethod::Scan => {
            let mut lines = 0;
            for line in memchr::memchr_iter(b'\n', &mapped(file)) {
                lines += 1;
                black_box(line);
            }
            lines
        }
        ReadingMethod::Count => memchr::memchr_iter(b'\n', &mapped(file)).count(),
        ReadingMethod::Read(threads) => {
            let mut table = GameTable::default();
            let mut diagnostics = Vec::new();
            let options = ReadOptions { threads, ..ReadOptions::default() };
            read_files(&[file.to_owned()], options, &mut table, &mut diagnostics, &|_| ());
            let groups = by_tags(&table, 0..table.len());
            black_box(groups);
            table.len()
        }
        ReadingMethod::Parse => ChunkReader::default().read(&mapped(file), false).games.len(),
        ReadingMethod::ParsePortably => {
            ChunkReader::default().read_portably(&mapped(file), false).games.len()
        }
    }
}

/// Writes 200,000 games of about 650 bytes each.
fn make(mut file: &File) {
    let moves =
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O\n".repeat(6);
    let mut text = String::new();
    for game in 0..200_000 {
        let (event, round) = (game / 45, game / 5 % 9 + 1);
        let (white, black) = (game % 10, (game + 1 + game / 10) % 10);
        text.push_str(&format!(
            "[Event \"Event {event}\"]\n[Site \"Vienna\"]\n[Date \"{}.??.??\"]\n[Round \"{round}\"]\n\
             [White \"Player {}, A\"]\n[Black \"Player {}, B\"]\n[Result \"1-0\"]\n\n{moves}1-0\n\n",
            1850 + event % 150,
            event % 400 * 10 + white,
            event % 400 * 10 + black,
        ));
    }
    file.write_all(text.as_bytes()).expect("a temporary file to write to");
}
