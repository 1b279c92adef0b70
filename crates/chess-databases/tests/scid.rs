//! Tests reading a SCID database that SCID's `tkscid` made of `tests/data/games.pgn`.

use std::fs;
use std::path::{Path, PathBuf};

use chess_databases::{Database, Fault, Format};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The games as PGN, and the faults of the database and of its games.
fn read(path: &Path) -> (String, Vec<Fault>) {
    let format = Format::of_main_file(path).expect("a main file");
    let mut database = Database::open(path, format, 1 << 20).expect("a database");
    let (mut text, mut faults) = (Vec::new(), Vec::new());
    while let Some(block) = database.next_block().expect("games") {
        faults.extend(block.write_pgn(&mut text).faults);
    }
    faults.extend_from_slice(database.faults());
    (String::from_utf8_lossy(&text).into_owned(), faults)
}

/// The words of the moves without numbers and checks.
fn moves_of(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with('['));
    let words = lines.flat_map(str::split_whitespace).map(|word| word.trim_end_matches(['+', '#']));
    words.filter(|word| !word.ends_with('.')).map(str::to_owned).collect()
}

/// The lines of tags, sorted within each game.
fn tags_of(text: &str) -> Vec<Vec<&str>> {
    let games = text.split("[Event ").skip(1);
    let tags = games.map(|game| {
        let mut tags: Vec<&str> = game.lines().filter(|line| line.ends_with("\"]")).collect();
        tags[1..].sort_unstable();
        tags
    });
    tags.collect()
}

#[test]
fn a_database_has_the_tags_and_moves_of_its_pgn() {
    let (text, faults) = read(&data("games.si4"));
    assert_eq!(faults, []);
    let pgn = fs::read_to_string(data("games.pgn")).unwrap();
    assert_eq!(tags_of(&text), tags_of(&pgn));
    assert_eq!(moves_of(&text), moves_of(&pgn));
}

fn big(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The names of a `.sn4` file, as (kind, number, name). Each kind has fewer than 256 uses.
fn names_of(file: &[u8]) -> Vec<(u32, u32, Vec<u8>)> {
    let (mut names, mut at) = (Vec::new(), 36);
    for kind in 0..4 {
        let mut name: Vec<u8> = Vec::new();
        for place in 0..big(&file[12 + 3 * kind..15 + 3 * kind]) {
            let (number, length) = (big(&file[at..at + 2]), usize::from(file[at + 3]));
            let shared = if place == 0 { 0 } else { usize::from(file[at + 4]) };
            at += if place == 0 { 4 } else { 5 };
            name.truncate(shared);
            name.extend(&file[at..at + length - shared]);
            at += length - shared;
            names.push((kind as u32, number, name.clone()));
        }
    }
    names.sort();
    names
}

/// Rewrites a database of version 4 as one of version 5, whose games have the same bytes.
fn write_version_5(folder: &Path) {
    let mut names = Vec::new();
    for (kind, _, name) in names_of(&fs::read(data("games.sn4")).expect("a file")) {
        let head = (name.len() as u32) << 3 | kind;
        if head < 128 {
            names.push(head as u8);
        } else {
            names.extend([head as u8 | 128, (head >> 7) as u8]);
        }
        names.extend(name);
    }
    fs::write(folder.join("games.sn5"), names).expect("a file");
    fs::copy(data("games.sg4"), folder.join("games.sg5")).expect("a file");
    let index = fs::read(data("games.si4")).expect("a file");
    let mut written = Vec::new();
    for record in index[182..].chunks(47) {
        let short = |at: usize| big(&record[at..at + 2]);
        let dates = big(&record[25..29]);
        let date = dates & 0xf_ffff;
        let event_date = match dates >> 20 {
            0 => 0,
            stored => ((date >> 9) + (stored >> 9 & 7) - 4) << 9 | stored & 0x1ff,
        };
        for word in [
            short(10),
            short(12),
            short(15),
            short(17),
            short(19),
            (short(29) & 0xfff) << 20 | date,
            (short(31) & 0xfff) << 20 | event_date,
            short(7),
            short(4) << 15,
            big(&record[0..4]),
            0,
            (short(21) >> 12) << 16 | short(23),
            0,
            0,
        ] {
            written.extend(word.to_le_bytes());
        }
    }
    fs::write(folder.join("games.si5"), written).expect("a file");
}

#[test]
fn version_5_has_the_same_games_as_version_4() {
    let folder = tempfile::tempdir().unwrap();
    write_version_5(folder.path());
    let (text, faults) = read(&folder.path().join("games.si5"));
    assert_eq!(faults, []);
    assert_eq!(text, read(&data("games.si4")).0);
}

/// Copies the database, with one of its files changed.
fn damaged(ending: &str, change: impl Fn(&mut Vec<u8>)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["si4", "sn4", "sg4"] {
        let name = format!("games.{part}");
        let mut bytes = fs::read(data(&name)).expect("a file");
        if part == ending {
            change(&mut bytes);
        }
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

fn read_damaged(ending: &str, change: impl Fn(&mut Vec<u8>)) -> (String, Vec<Fault>) {
    read(&damaged(ending, change).path().join("games.si4"))
}

#[test]
fn damage_to_one_game_leaves_its_neighbours() {
    let (whole, _) = read(&data("games.si4"));
    let games: Vec<&str> = whole.split_inclusive("\n\n").collect();
    // The second record: its place, its players, and a mark of deletion.
    let second = 182 + 47;
    for (at, byte, message) in [
        (second, 0xff, "the moves of this game are outside the file of moves"),
        (second + 11, 0xee, "player 238 of this game is not in the file of names"),
    ] {
        let (text, faults) = read_damaged("si4", |bytes| bytes[at] = byte);
        assert_eq!(faults, [Fault { game: 2, message: message.to_owned() }]);
        let found: Vec<&str> = text.split_inclusive("\n\n").collect();
        assert_eq!(found.len(), games.len());
        assert_eq!((found[..2].to_vec(), &found[4..]), (games[..2].to_vec(), &games[4..]));
    }
    let (text, faults) = read_damaged("si4", |bytes| bytes[second + 8] |= 8);
    assert_eq!(faults, [], "a deleted game is no fault");
    assert_eq!(text, [&games[..2], &games[4..]].concat().concat());
}

#[test]
fn wrong_counts_are_reported() {
    let (text, faults) = read_damaged("si4", |bytes| bytes.truncate(182 + 2 * 47 + 5));
    assert_eq!(text.matches("[Event ").count(), 2);
    assert_eq!(faults[0].message, "the index states 6 games, but has 2; 2 are read");
    let (text, faults) = read_damaged("si4", |bytes| bytes[16] = 4);
    assert_eq!((text.matches("[Event ").count(), faults), (4, vec![]));
    let (_, faults) = read_damaged("sn4", |bytes| bytes.truncate(100));
    assert!(faults.iter().any(|fault| fault.game == 0 && fault.message.contains("games.sn4")));
}

#[test]
fn other_files_are_refused() {
    let changes: [fn(&mut Vec<u8>); 3] =
        [|bytes| bytes[0] = b'X', |bytes| bytes[9] = 1, |bytes| bytes.clear()];
    for change in changes {
        let folder = damaged("si4", change);
        let path = folder.path().join("games.si4");
        assert!(Database::open(&path, Format::Scid4, 1 << 20).is_err());
    }
    let large = Database::open(&data("games.si4"), Format::Scid4, 100).unwrap_err().to_string();
    assert!(large.contains("input.limits.whole_mib"), "{large}");
}

#[test]
fn no_damage_makes_reading_panic() {
    for ending in ["si4", "sn4", "sg4"] {
        let length = fs::read(data(&format!("games.{ending}"))).unwrap().len();
        for at in (0..length).step_by(5) {
            for byte in [0xff, 0x0d] {
                let folder = damaged(ending, |bytes| bytes[at] ^= byte);
                let path = folder.path().join("games.si4");
                if Database::open(&path, Format::Scid4, 1 << 20).is_ok() {
                    read(&path);
                }
            }
        }
    }
}
