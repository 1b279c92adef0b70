//! The fuzz targets: properties that must hold for all bytes.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use greatness::archive::Settings;
use greatness::decisions::Decisions;
use greatness::events::{EventTag, EventWords, SiteTag};
use greatness::games::{Game, GameTable, PartialDate, Round};
use greatness::gazetteer::Places;
use greatness::intrinsic::{Cache, CacheEntry, Calibration, SearchResult};
use greatness::parquet::{read_parquet, write_parquet};
use greatness::pgn::{ChunkReader, ReadOptions, read_files, read_text, replay};
use greatness::players::{NameSources, PersonName, fold, read_spelling_file, slug};
use greatness::ratings::{ListOptions, read_lists, system_of};
use greatness::results::read_results;
use greatness::source::{CleanName, Diagnostic, Limits, ResultsForm, decode};
use greatness::tournament::{analyse, text_input};

#[path = "../../tests/support/pgn.rs"]
mod pgn;

/// The name of a target, and the function that receives the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 20] = [
    ("reader", reader),
    ("pieces", pieces),
    ("faults", faults),
    ("validate", validate),
    ("archive", archive),
    ("report", report),
    ("crosstable", crosstable),
    ("text-input", app_input),
    ("settings", settings),
    ("decisions", decisions),
    ("aliases", aliases),
    ("ratings", ratings),
    ("spelling", spelling),
    ("tables", tables),
    ("calibration", calibration),
    ("words", words),
    ("parquet", parquet),
    ("cache", cache),
    ("scid", scid),
    ("chessbase", chessbase),
];

/// The reader counts every line, its games are adjacent, and vector instructions find the same as
/// reading byte by byte.
fn reader(text: &[u8]) {
    let chunk = ChunkReader::default().read(text, true);
    let portably = ChunkReader::default().read_portably(text, true);
    assert_eq!(chunk.games, portably.games);
    assert_eq!(chunk.findings, portably.findings);
    assert_eq!(chunk.places, portably.places);
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(chunk.lines as usize, lines);
    assert_eq!(chunk.games.len(), chunk.places.len());
    let mut last = None;
    for (start, end) in chunk.places {
        assert!(start < end && last.is_none_or(|last| last == start));
        last = Some(end);
    }
    assert!(last.is_none_or(|last| last == text.len()));
}

fn read(text: &[u8], options: ReadOptions) -> (Vec<Game>, Vec<String>, Vec<Diagnostic>) {
    let (mut table, mut diagnostics) = (GameTable::default(), Vec::new());
    let options = ReadOptions { threads: 1, ..options };
    read_text("fuzz", text, options, &mut table, &mut diagnostics);
    let names = table.names.iter().map(|(_, name)| name.to_owned()).collect();
    (table.games().to_vec(), names, diagnostics)
}

/// Pieces of any size yield the games and findings of the whole text.
fn pieces(bytes: &[u8]) {
    let Some((size, text)) = bytes.split_first() else { return };
    let [in_pieces, whole] = [64 + usize::from(*size), 1 << 20]
        .map(|chunk| read(text, ReadOptions { chunk, ..ReadOptions::default() }));
    assert_eq!(in_pieces, whole);
}

/// Returns the games of a text, read with one thread.
fn table_of(text: &[u8]) -> GameTable {
    let mut table = GameTable::default();
    let options = ReadOptions { threads: 1, ..ReadOptions::default() };
    read_text("fuzz", text, options, &mut table, &mut Vec::new());
    table
}

/// Damage to one of five games leaves the other four unchanged.
fn faults(bytes: &[u8]) {
    let [game, high, low, length, inserted @ ..] = bytes else { return };
    static WHOLE: OnceLock<GameTable> = OnceLock::new();
    let game = usize::from(*game) % 5;
    let place = usize::from(u16::from_be_bytes([*high, *low])) % 1000;
    let (before, after) = pgn::damaged(game, place, usize::from(*length), inserted);
    let whole = WHOLE.get_or_init(|| table_of(&before));
    assert_eq!(pgn::harmed(whole, &table_of(&after), game), Vec::<String>::new());
}

/// Replaying games never panics, from any position that a tag sets up.
fn validate(text: &[u8]) {
    let _ = replay(text);
    read(text, ReadOptions { validate: true, ..ReadOptions::default() });
}

thread_local! {
    static FOLDER: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

/// Writes bytes to a file, for functions that read files.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| tempfile::tempdir().expect("a folder"));
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    })
}

/// Opening a packed or plain file within tight limits never panics.
fn archive(bytes: &[u8]) {
    let path = file("games.zip", bytes);
    let limits = Limits { whole_mib: 4, member_mib: 4, ..Limits::default() };
    let options = ReadOptions { threads: 1, limits, ..ReadOptions::default() };
    let mut table = GameTable::default();
    read_files(&[path], options, &mut table, &mut Vec::new(), &|_| ());
}

/// Reading a tournament report never panics.
fn report(bytes: &[u8]) {
    results(ResultsForm::Report, bytes, "001    1 m");
}

/// Reading a crosstable never panics.
fn crosstable(bytes: &[u8]) {
    results(ResultsForm::Crosstable, bytes, "player,opponent,round,colour,result\n");
}

/// Reads a table of results as it is, and after the beginning that such a table has. No game
/// appears from nothing: each needs a line, or eight columns of a line. A collection that is
/// recognised as a table has the same number of games.
fn results(form: ResultsForm, bytes: &[u8], beginning: &str) {
    for text in [bytes.to_vec(), [beginning.as_bytes(), bytes].concat()] {
        let table = read_results(form, "fuzz.csv", &text);
        assert_eq!(table.games.len(), table.details.len());
        assert!(table.games.len() * 8 <= text.len());
        for game in &table.games {
            let names = [game.event, game.site, game.white, game.black];
            assert!(names.into_iter().all(|name| name.index() < table.names.len()));
            assert!(game.line > 0);
        }
        // Texts in UTF-16, or whose lines end in CR alone, are converted before they are read.
        let is_plain = !text.iter().any(|byte| matches!(byte, 0 | b'\r'));
        if is_plain && ResultsForm::detect(&text) == Some(form) {
            let (games, ..) = read(&text, ReadOptions::default());
            assert_eq!(games.len(), table.games.len());
        }
    }
}

/// Parsing and analysing the Tournament App's own input format never panics.
fn app_input(bytes: &[u8]) {
    let Ok(input) = text_input::read(&String::from_utf8_lossy(bytes)) else { return };
    // A large event takes long and tests nothing that a small one does not.
    if input.event.players.len() <= 12 && input.event.games.len() <= 200 {
        let _ = analyse(&input.event, &input.options);
    }
}

fn settings(bytes: &[u8]) {
    let _ = Settings::read(&file("greatness.toml", bytes)).map_err(|error| error.to_string());
}

fn decisions(bytes: &[u8]) {
    let path = file("decisions.toml", bytes);
    let _ = Decisions::default().read(&path).map_err(|error| error.to_string());
}

fn aliases(bytes: &[u8]) {
    let aliases = &[file("aliases.toml", bytes)];
    let names = &[file("names.csv", bytes)];
    NameSources { aliases, names, ..NameSources::default() }.check();
}

/// Reading rating lists of every format never panics. The first byte selects the name of the file.
fn ratings(bytes: &[u8]) {
    let Some((form, bytes)) = bytes.split_first() else { return };
    let names = ["list.csv", "list.tsv", "list.txt", "list.frl", "list.zip"];
    let path = file(names[usize::from(*form) % names.len()], bytes);
    let limits = Limits { whole_mib: 4, member_mib: 4, ..Limits::default() };
    read_lists([path], ListOptions { system: &system_of, limits, occurs: &|_| true });
}

fn spelling(bytes: &[u8]) {
    let _ = read_spelling_file(&file("spelling.ssp", bytes), &|_| true);
}

fn tables(bytes: &[u8]) {
    let path: &Path = &file("table.csv", bytes);
    let _ = Places::default().read(path).map_err(|error| error.to_string());
    let _ = EventWords::default().read(path).map_err(|error| error.to_string());
}

fn calibration(bytes: &[u8]) {
    let path = file("calibration.toml", bytes);
    let _ = Calibration::read(&path).map_err(|error| error.to_string());
}

/// Parsing names, dates, rounds and tags never panics.
fn words(bytes: &[u8]) {
    let (text, _) = decode(bytes);
    let date = PartialDate::parse_bytes(bytes).unwrap_or_else(|| PartialDate::salvaged(&text));
    let _ = (
        date.iso(),
        date.in_words(),
        Round::parse(&text),
        EventTag::parse(&text),
        SiteTag::parse(&text),
    );
    let name = CleanName::new(&text);
    for reading in PersonName::readings(&name) {
        let _ = reading.surname_key();
    }
    assert!(fold(&text).is_ascii() || !text.is_ascii());
    let id = slug(&text);
    assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{id}");
}

/// Changes some bytes of a file. Of each four bytes, three are the place, and the fourth is
/// combined with the byte there by exclusive or.
fn changed(whole: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for edit in edits.chunks_exact(4) {
        let place = u32::from_be_bytes([0, edit[0], edit[1], edit[2]]) as usize % bytes.len();
        bytes[place] ^= edit[3];
    }
    bytes
}

/// A damaged game table is refused.
///
/// A table without a digest may yield other games. It yields another number of games only if two
/// places of its metadata are changed, which can then agree on that number.
fn parquet(bytes: &[u8]) {
    let Some((form, edits)) = bytes.split_first() else { return };
    static WHOLE: OnceLock<(GameTable, [Vec<u8>; 2])> = OnceLock::new();
    let (table, forms) = WHOLE.get_or_init(|| {
        let (text, _) = pgn::damaged(0, 0, 0, &[]);
        let table = table_of(&text);
        let path = file("whole.parquet", &[]);
        write_parquet(&table, &path).expect("a table");
        let ours = fs::read(&path).expect("a table");
        // Another program's file has no digest: the key is renamed.
        let key = b"greatness.digest";
        let place = ours.windows(key.len()).rposition(|part| part == key).expect("a digest");
        let mut foreign = ours.clone();
        foreign[place] = b'G';
        (table, [ours, foreign])
    });
    let form = usize::from(*form) % 2;
    let damaged = changed(&forms[form], edits);
    // Damage to the key of the digest makes the file one of another program.
    let has_digest = contains(&damaged, b"greatness.digest") && contains(&damaged, b"xxh3:");
    let path = file("games.parquet", &damaged);
    let mut again = GameTable::default();
    match read_parquet(&path, Limits::default(), &mut again) {
        Ok(_) if has_digest => assert_eq!(again.games(), table.games()),
        Ok(_) if changes_in_metadata(&forms[form], &damaged) < 2 => {
            assert_eq!(again.len(), table.len());
        }
        Ok(count) => assert_eq!(again.len(), count),
        Err(_) => assert!(again.is_empty()),
    }
}

fn contains(bytes: &[u8], name: &[u8]) -> bool {
    bytes.windows(name.len()).any(|part| part == name)
}

/// Returns the number of metadata bytes that differ between two copies of a Parquet file. The
/// length of the metadata precedes the last four bytes.
fn changes_in_metadata(whole: &[u8], damaged: &[u8]) -> usize {
    let (rest, length) = whole[..whole.len() - 4].split_last_chunk::<4>().expect("a footer");
    let begin = rest.len() - u32::from_le_bytes(*length) as usize;
    whole.iter().zip(damaged).skip(begin).filter(|(old, new)| old != new).count()
}

/// A damaged cache of engine analysis is refused or loses entries, but never changes one.
fn cache(edits: &[u8]) {
    static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
    let whole = WHOLE.get_or_init(|| {
        let path = file("whole.redb", &[]);
        let _ = fs::remove_file(&path);
        let cache = Cache::open(&path).expect("a cache");
        cache.name_engine("an engine").expect("an engine");
        let entries = (1..9).map(|position: u8| {
            let result = SearchResult { depth: u32::from(position), lines: Vec::new() };
            CacheEntry::Position(vec![position], result)
        });
        cache.write(7, &entries.collect::<Vec<_>>()).expect("entries");
        drop(cache);
        fs::read(&path).expect("a cache")
    });
    let path = file("cache.redb", &changed(whole, edits));
    let Ok(cache) = Cache::open(&path) else { return };
    let _ = (cache.engines(), cache.rows(), cache.positions());
    let keys: Vec<[u8; 1]> = (1..9).map(|position| [position]).collect();
    if let Ok(found) = cache.found(7, keys.iter().map(|key| &key[..])) {
        for (found, [position]) in found.into_iter().zip(&keys) {
            assert!(
                found.is_none_or(
                    |found| found.depth == u32::from(*position) && found.lines.is_empty()
                )
            );
        }
    }
}

/// Reads the games of a database within tight limits. Each has the number of a record.
fn read_database(path: PathBuf) {
    let limits = Limits { whole_mib: 4, member_mib: 4, ..Limits::default() };
    let options = ReadOptions { threads: 1, validate: true, limits, ..ReadOptions::default() };
    let mut table = GameTable::default();
    read_files(&[path], options, &mut table, &mut Vec::new(), &|_| ());
    assert!(table.games().is_sorted_by(|one, next| 0 < one.line && one.line <= next.line));
}

/// Splits bytes into pieces. Two bytes before each but the last are its length.
fn pieces_of<const COUNT: usize>(mut bytes: &[u8]) -> [&[u8]; COUNT] {
    let mut pieces = [&b""[..]; COUNT];
    for (place, piece) in pieces.iter_mut().enumerate() {
        let Some((length, rest)) = bytes.split_first_chunk::<2>() else { break };
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let length = if place + 1 == COUNT { rest.len() } else { length };
        (*piece, bytes) = rest.split_at(length);
    }
    pieces
}

/// Reading a SCID database never panics. The first byte selects the version, and how the bytes
/// damage the files of a whole database or replace them.
fn scid(bytes: &[u8]) {
    const WHOLE: [(&str, &[u8]); 3] = [
        ("sn4", include_bytes!("../../crates/chess-databases/tests/data/games.sn4")),
        ("sg4", include_bytes!("../../crates/chess-databases/tests/data/games.sg4")),
        ("si4", include_bytes!("../../crates/chess-databases/tests/data/games.si4")),
    ];
    let Some((form, bytes)) = bytes.split_first() else { return };
    let form = usize::from(*form) % 7;
    if form == 6 {
        let [index, names, games] = pieces_of(bytes);
        file("base.sn5", names);
        file("base.sg5", games);
        return read_database(file("base.si5", index));
    }
    for (place, (ending, whole)) in WHOLE.into_iter().enumerate() {
        let name = format!("base.{ending}");
        if place != form % 3 {
            file(&name, whole);
        } else if form < 3 {
            file(&name, &changed(whole, bytes));
        } else {
            // The header stays.
            let header = whole.len().min(if ending == "si4" { 182 } else { 8 });
            file(&name, &[&whole[..header], bytes].concat());
        }
    }
    let folder = file("base", &[]).with_extension("si4");
    read_database(folder);
}

/// Reading a ChessBase database never panics. The bytes are the records of its files.
fn chessbase(bytes: &[u8]) {
    let [games, more, players, tournaments, moves] = pieces_of(bytes);
    for (ending, size, records) in [("cbp", 58u32, players), ("cbt", 90, tournaments)] {
        let numbers = [records.len() as u32 / (size + 9), 0, 1_234_567_890, size, 0, 0, 0];
        let header = numbers.map(u32::to_le_bytes).concat();
        file(&format!("base.{ending}"), &[&header, records].concat());
    }
    let mut header = [8u32, 120, 1].map(u32::to_le_bytes).concat();
    header.resize(32, 0);
    file("base.cbj", &[&header, more].concat());
    file("base.cbg", moves);
    let mut header = vec![0, 0, 44, 0, 46, 1, 0, 0, 255, 255];
    header.resize(46, 0);
    read_database(file("base.cbh", &[&header, games].concat()));
}
