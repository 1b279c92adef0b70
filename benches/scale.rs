//! Measures how time and memory of a complete build grow with the collection.
//!
//! `cargo bench --bench scale -- [--games N,N...] [--pages said|all] [--builds 1|2] [--rounds N]
//! [--most-growth N] [--keep FOLDER] INPUT` makes collections of the given numbers of games out of
//! one (plain or compressed by zstd). It repeats the collection, each time with other surnames,
//! other names of events and some moves of knights before the others. Players and events therefore
//! grow with the games, and no game occurs twice.
//!
//! The bench then runs the program's build command on each collection and measures its memory, and
//! runs it again (except with `--builds 1`) to measure a build that reuses the work of the last
//! one. At the end a bare loop creates the same files. The bench prints a report in Markdown, with
//! the steps of each build and their growth. With `--rounds`, the seconds of a step are the median
//! of several first builds; with `--most-growth`, the bench fails if a step grows by a larger
//! factor for ten times the games.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let games = take_option(&mut arguments, "--games")
        .unwrap_or_else(|| "100000,1000000,10000000".to_owned());
    let pages = take_option(&mut arguments, "--pages");
    let builds_again = take_option(&mut arguments, "--builds").is_none_or(|builds| builds != "1");
    let rounds = take_option(&mut arguments, "--rounds").map_or(1, |rounds| number(&rounds));
    let most_growth = take_option(&mut arguments, "--most-growth").map(|most| number(&most) as f64);
    let keep = take_option(&mut arguments, "--keep");
    println!("# Growth of a complete build\n");
    let [input] = &arguments[..] else {
        println!("No input was given.");
        return;
    };
    let text = text_of(Path::new(input));
    let heads: Vec<usize> = memchr::memmem::find_iter(&text, b"[Event \"").collect();
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = keep.map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    println!(
        "| games | events | players | files | MB | build, s | again, s | bare loop, s | build less two loops, s | of a million games, s | memory, MB | bytes a game |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    let mut steps: Vec<(usize, [Vec<Step>; 2])> = Vec::new();
    for games in games.split(',').map(number) {
        let collection = folder.join(format!("games-{games}.pgn"));
        if !collection.is_file() {
            write_collection(&text, &heads, games, &collection);
        }
        let out = folder.join("archive");
        let mut first: Vec<BuildRun> = (0..rounds)
            .map(|_| {
                let _ = fs::remove_dir_all(&out);
                let _ = fs::remove_file(folder.join("archive.cache"));
                build(&collection, &out, pages.as_deref(), &folder)
            })
            .collect();
        let medians = medians(&first);
        let run = first.pop().expect("a build");
        let again = builds_again.then(|| build(&collection, &out, pages.as_deref(), &folder));
        let (files, bytes, bare) = bare_loop(&out, &folder.join("bare"));
        let _ = fs::remove_dir_all(&out);
        let _ = fs::remove_file(folder.join("archive.cache"));
        let seconds = run.time.as_secs_f64();
        let rest = seconds - 2.0 * bare.as_secs_f64();
        println!(
            "| {games} | {} | {} | {files} | {:.0} | {seconds:.1} | {} | {:.1} | {rest:.1} | {:.1} | {:.0} | {:.0} |",
            run.events,
            run.players,
            bytes as f64 / 1e6,
            again.as_ref().map_or(String::new(), |run| format!("{:.1}", run.time.as_secs_f64())),
            bare.as_secs_f64(),
            rest / games as f64 * 1e6,
            run.memory as f64 / 1e6,
            run.memory as f64 / games as f64,
        );
        steps.push((games, [medians, again.map(|run| run.steps).unwrap_or_default()]));
        if folder == temporary.path() {
            let _ = fs::remove_file(&collection);
        }
    }
    print_steps(&steps);
    let growth = growth(&steps);
    print_growth(&growth);
    if let Some(most) = most_growth {
        let too_much: Vec<&Growth> = growth.iter().filter(|step| step.factor > most).collect();
        assert!(too_much.is_empty(), "steps grow by more than {most} times: {too_much:?}");
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

/// The median seconds of each step of several builds.
fn medians(builds: &[BuildRun]) -> Vec<Step> {
    let Some(BuildRun { steps: names, .. }) = builds.first() else { return Vec::new() };
    let median = |name: &str| {
        let of_builds = builds.iter().flat_map(|build| &build.steps);
        let own = of_builds.filter(|(other, _)| other == name);
        let mut seconds: Vec<f64> = own.map(|(_, seconds)| *seconds).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    };
    names.iter().map(|(name, _)| (name.clone(), median(name))).collect()
}

/// How a step grows from one number of games to the next.
#[derive(Debug)]
struct Growth {
    name: String,
    games: [usize; 2],
    /// The factor for ten times the games: if five times take seven times as long, 16.
    factor: f64,
}

/// The least seconds of a step whose growth is measured. Judged: noise is a large part of shorter
/// ones.
const LEAST_SECONDS: f64 = 0.2;

/// The growth of the steps of the first builds that take some time.
fn growth(steps: &[(usize, [Vec<Step>; 2])]) -> Vec<Growth> {
    let mut growth = Vec::new();
    for pair in steps.windows(2) {
        let [(fewer, [before, _]), (more, [after, _])] = pair else { continue };
        for (name, seconds) in after.iter().filter(|(_, seconds)| *seconds >= LEAST_SECONDS) {
            let Some((_, earlier)) = before.iter().find(|(other, _)| other == name) else {
                continue;
            };
            // A step of no measurable time took less than a millisecond.
            let exponent =
                (seconds / earlier.max(0.001)).ln() / (*more as f64 / *fewer as f64).ln();
            let factor = 10f64.powf(exponent);
            growth.push(Growth { name: name.clone(), games: [*fewer, *more], factor });
        }
    }
    growth
}

fn print_growth(growth: &[Growth]) {
    if growth.is_empty() {
        return;
    }
    println!("\n| step | from | to games | for ten times the games, times |\n|---|---:|---:|---:|");
    for Growth { name, games: [fewer, more], factor } in growth {
        println!("| {name} | {fewer} | {more} | {factor:.1} |");
    }
}

/// Removes an option with its value from the arguments and returns the value.
fn take_option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument == name)?;
    arguments.drain(place..place + 2).nth(1)
}

/// Prints the seconds of each step, by number of games: of a first build, and of a second.
fn print_steps(steps: &[(usize, [Vec<Step>; 2])]) {
    let Some((_, [names, _])) = steps.first() else { return };
    let heads = steps.iter().map(|(games, _)| format!(" {games} | again |"));
    println!("\n| step, s |{}", heads.collect::<String>());
    println!("|---|{}", "---:|---:|".repeat(steps.len()));
    for (name, _) in names {
        let cells = steps.iter().flat_map(|(_, builds)| builds).map(|build| {
            let own = build.iter().find(|(other, _)| other == name);
            own.map_or_else(|| " |".to_owned(), |(_, seconds)| format!(" {seconds:.1} |"))
        });
        println!("| {name} |{}", cells.collect::<String>());
    }
}

fn text_of(file: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    let opened = File::open(file).expect("the collection");
    let mut reader: Box<dyn Read> = if file.extension().is_some_and(|ending| ending == "zst") {
        Box::new(zstd::Decoder::new(opened).expect("zstd"))
    } else {
        Box::new(BufReader::new(opened))
    };
    reader.read_to_end(&mut text).expect("the collection is read");
    text
}

/// The number of games in a row that a part of the collection has. Judged: most events have fewer
/// than a hundred games, so most of them are whole.
const RUN: usize = 500;

/// Writes this number of games, or a few more. Fewer than the collection has are taken from all of
/// it: its first games are those of one source and era. Each repetition of the collection has other
/// names, the first too: a surname that begins another would pass for its abbreviation, since both
/// play the same events.
fn write_collection(text: &[u8], heads: &[usize], games: usize, out: &Path) {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(out).expect("a file"));
    if games < heads.len() {
        let mut written = 0;
        for first in (0..heads.len()).step_by(RUN) {
            if written < games * (first + RUN) / heads.len() {
                let until = heads.get(first + RUN).copied().unwrap_or(text.len());
                for line in text[heads[first]..until].split_inclusive(|byte| *byte == b'\n') {
                    file.write_all(&changed(line, 0)).expect("games are written");
                }
                written += RUN;
            }
        }
        file.flush().expect("games are written");
        return;
    }
    for first in (0..games).step_by(heads.len()) {
        let round = first / heads.len();
        let until = heads.get(games - first).copied().unwrap_or(text.len());
        for line in text[..until].split_inclusive(|byte| *byte == b'\n') {
            file.write_all(&changed(line, round)).expect("games are written");
        }
    }
    file.flush().expect("games are written");
}

/// The ending of surnames in a repetition: two syllables. Two of the first seventy differ in at
/// least two letters, so that surnames of two repetitions are not misspellings of each other.
fn ending(round: usize) -> String {
    let consonants = b"bdfgklmnprstvz";
    let vowels = b"aeiou";
    let (consonant, vowel) = (round % consonants.len(), round / consonants.len() % vowels.len());
    let letters = [
        consonants[consonant],
        vowels[vowel],
        consonants[(5 * consonant + 3) % consonants.len()],
        vowels[(2 * vowel + consonant) % vowels.len()],
    ];
    String::from_utf8_lossy(&letters).into_owned()
}

/// Knight moves out and back, different in each repetition. The games continue from the initial
/// position.
fn before_the_moves(round: usize) -> String {
    let white = ["Nf3 Ng1", "Nc3 Nb1", "Nh3 Ng1", "Na3 Nb1"];
    let black = ["Nf6 Ng8", "Nc6 Nb8", "Nh6 Ng8", "Na6 Nb8"];
    let mut text = String::new();
    for digits in [round % 16, round / 16 % 16] {
        let sides = [white[digits % 4], black[digits / 4]].map(|moves| moves.split_once(' '));
        let [Some((out, back)), Some((other_out, other_back))] = sides else { continue };
        text.push_str(&format!("{out} {other_out} {back} {other_back} "));
    }
    text
}

fn changed(line: &[u8], round: usize) -> Vec<u8> {
    let ending = &ending(round);
    for tag in ["[White \"", "[Black \""] {
        if line.starts_with(tag.as_bytes()) {
            let value = &line[tag.len()..];
            let end = value.iter().position(|byte| b",\"".contains(byte)).unwrap_or(0);
            return with_inserted(line, tag.len() + end, ending);
        }
    }
    if line.starts_with(b"[Event \"") && !line.starts_with(b"[Event \"?") {
        return with_inserted(line, "[Event \"".len(), &format!("{ending} "));
    }
    if line.starts_with(b"[WhiteFideId") || line.starts_with(b"[BlackFideId") {
        return Vec::new();
    }
    if line.starts_with(b"1.") {
        return with_inserted(line, 0, &before_the_moves(round));
    }
    line.to_vec()
}

fn with_inserted(line: &[u8], place: usize, text: &str) -> Vec<u8> {
    let mut changed = line.to_vec();
    changed.splice(place..place, text.bytes());
    changed
}

/// A step of a build, with its seconds.
type Step = (String, f64);

/// The step of a progress line, such as `read games   0.850 s  1000 games`.
fn step(line: &str) -> Option<Step> {
    let (before, _) = line.split_once(" s  ")?;
    let (name, seconds) = before.rsplit_once(' ')?;
    Some((name.trim().to_owned(), seconds.parse().ok()?))
}

struct BuildRun {
    time: Duration,
    steps: Vec<Step>,
    /// Peak memory (bytes).
    memory: u64,
    events: usize,
    players: usize,
}

fn build(collection: &Path, out: &Path, pages: Option<&str>, folder: &Path) -> BuildRun {
    let mut command = Command::new(env!("CARGO_BIN_EXE_greatness"));
    command.arg("build").arg("--pgn").arg(collection).arg("--out").arg(out);
    if let Some(pages) = pages {
        let settings = folder.join("greatness.toml");
        fs::write(&settings, format!("[site]\npages = \"{pages}\"\n")).expect("settings");
        command.arg("--config").arg(settings);
    }
    let start = Instant::now();
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let messages = BufReader::new(child.stderr.take().expect("messages"));
    let steps = std::thread::spawn(move || {
        let lines = messages.lines().map_while(Result::ok);
        lines.inspect(|line| eprintln!("{line}")).filter_map(|line| step(&line)).collect()
    });
    let mut memory = 0;
    let status = loop {
        memory = memory.max(most_memory(child.id()));
        if let Some(status) = child.try_wait().expect("the program is there") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let time = start.elapsed();
    assert!(status.success(), "the build failed: {status}");
    let [events, players] = ["events", "players"].map(|table| rows_of(&out.join("data"), table));
    let steps = steps.join().expect("the messages are read");
    BuildRun { time, steps, memory, events, players }
}

/// The number of rows of a table, which has one CSV file or several numbered ones.
fn rows_of(data: &Path, table: &str) -> usize {
    let files = fs::read_dir(data).expect("the tables").map(|file| file.expect("a file").path());
    files
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let number = name.strip_prefix(table).and_then(|rest| rest.strip_suffix(".csv"));
            number.is_some_and(|number| {
                number.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
            })
        })
        .map(|path| fs::read_to_string(path).expect("a table").lines().count() - 1)
        .sum()
}

/// The peak memory of a process (bytes); 0 if the operating system does not report it.
fn most_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// Creates the same files again, one after another. Returns their number, their bytes and the time.
/// Reading their content, and removing files to limit the disk space, is not timed.
fn bare_loop(archive: &Path, bare: &Path) -> (usize, u64, Duration) {
    let (mut files, mut bytes, mut time) = (0, 0, Duration::ZERO);
    let mut written: Vec<PathBuf> = Vec::new();
    for entry in walkdir::WalkDir::new(archive).into_iter().filter_map(Result::ok) {
        let path = bare.join(entry.path().strip_prefix(archive).expect("inside"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&path).expect("a folder");
            continue;
        }
        let content = fs::read(entry.path()).expect("a file");
        files += 1;
        bytes += content.len() as u64;
        let start = Instant::now();
        fs::write(&path, &content).expect("a file");
        time += start.elapsed();
        written.push(path);
        if written.len() == 10_000 {
            written.drain(..).for_each(|path| fs::remove_file(path).expect("it goes"));
        }
    }
    let _ = fs::remove_dir_all(bare);
    (files, bytes, time)
}
