//! Tests reading ChessBase databases, which the tests write.

use std::fs;
use std::path::{Path, PathBuf};

use chess_databases::{Database, Fault, Format, LeftOut};

/// The games as PGN, the faults, and what was left out.
fn read(path: &Path) -> (String, Vec<Fault>, LeftOut) {
    let mut database = Database::open(path, Format::ChessBase, 1 << 20).expect("a database");
    let (mut text, mut faults) = (Vec::new(), Vec::new());
    while let Some(block) = database.next_block().expect("games") {
        faults.extend(block.write_pgn(&mut text).faults);
    }
    faults.extend_from_slice(database.faults());
    (String::from_utf8_lossy(&text).into_owned(), faults, database.left_out())
}

/// A file of records with these facts, each in fields of fixed sizes.
fn entities(size: usize, records: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [records.len(), 0, 1_234_567_890, size, 0xffff_ffff, records.len(), 4] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend([0; 4]);
    for record in records {
        bytes.extend([0xff; 8]);
        bytes.push(0);
        bytes.extend(record);
        bytes.resize(bytes.len() + size - record.len(), 0);
    }
    bytes
}

fn field(text: &str, size: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(size, 0);
    bytes
}

fn date(year: u32, month: u32, day: u32) -> u32 {
    year << 9 | month << 5 | day
}

/// The record of a game between the players 0 and 1 in the tournament 0.
fn record(kind: u8, moves: u32, result: u8, round: [u8; 2]) -> Vec<u8> {
    let mut record = vec![kind];
    record.extend(moves.to_be_bytes());
    record.extend([0; 4]);
    record.extend([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    record.extend(&date(1953, 8, 30).to_be_bytes()[1..]);
    record.extend([result, 0, round[0], round[1]]);
    record.extend(2600u16.to_be_bytes());
    record.extend([0; 2]);
    // C42 is the 243rd code.
    record.extend((243u16 << 7).to_be_bytes());
    record.resize(46, 0);
    record
}

/// Writes a database with two players, a tournament and these games and moves.
fn database(folder: &Path, records: &[Vec<u8>], moves: Option<&[u8]>) -> PathBuf {
    let mut header = vec![0, 0, 44, 0, 46, 1];
    header.extend((records.len() as u32 + 1).to_be_bytes());
    header.resize(46, 0);
    let path = folder.join("games.cbh");
    fs::write(&path, [header, records.concat()].concat()).expect("a file");
    let players = [("Keres", "Paul"), ("Euwe", "")]
        .map(|(surname, given)| [field(surname, 30), field(given, 20)].concat());
    fs::write(folder.join("games.cbp"), entities(58, &players)).expect("a file");
    let mut tournament = [field("Candidates", 40), field("Zurich", 30)].concat();
    tournament.extend(date(1953, 8, 30).to_le_bytes());
    // A round robin with a team flag, in Switzerland, of category 12, with 30 rounds.
    tournament.extend([3, 0, 135, 0, 12, 2, 30]);
    fs::write(folder.join("games.cbt"), entities(90, &[tournament])).expect("a file");
    fs::write(folder.join("games.cbs"), entities(59, &[field("Bronstein", 25)])).expect("a file");
    if let Some(moves) = moves {
        fs::write(folder.join("games.cbg"), moves).expect("a file");
    }
    path
}

#[test]
fn a_record_has_names_facts_of_the_tournament_and_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), &[record(1, 0, 2, [3, 0])], None);
    let (text, faults, _) = read(&path);
    assert_eq!(
        text,
        "[Event \"Candidates\"]\n[Site \"Zurich\"]\n[Date \"1953.08.30\"]\n[Round \"3\"]\n\
         [White \"Keres, Paul\"]\n[Black \"Euwe\"]\n[Result \"1-0\"]\n[WhiteElo \"2600\"]\n\
         [ECO \"C42\"]\n[EventDate \"1953.08.30\"]\n[EventType \"tourn\"]\n[EventRounds \"30\"]\n\
         [EventCountry \"SUI\"]\n[EventCategory \"12\"]\n[EventComplete \"yes\"]\n[SourceTitle \"Bronstein\"]\n\n1-0\n\n"
    );
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(messages, ["the file games.cbg is missing, so the games have no moves"]);
}

#[test]
fn forfeits_lines_texts_and_deleted_games_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let records = [
        record(1, 0, 4, [1, 2]),
        record(3, 0, 0, [0, 0]),
        record(0x81, 0, 0, [0, 0]),
        record(1, 0, 3, [0, 0]),
        record(1, 0, 7, [0, 4]),
    ];
    let (text, _, left_out) = read(&database(folder.path(), &records, None));
    assert_eq!(left_out, LeftOut { deleted: 1, texts: 1 });
    let games: Vec<&str> = text.split("[Event ").skip(1).collect();
    let has = |game: usize, texts: &[&str]| texts.iter().all(|text| games[game].contains(text));
    assert!(
        has(0, &["[Result \"0-1\"]", "[Termination \"unplayed\"]", "[Round \"1.2\"]"]),
        "{text}"
    );
    assert!(has(1, &["[Result \"*\"]", "[Round \"?\"]"]) && !has(1, &["Termination"]), "{text}");
    assert!(has(2, &["[Result \"*\"]", "[Termination \"unplayed\"]", "[Round \"?\"]"]), "{text}");
}

#[test]
fn a_game_that_refers_to_nothing_keeps_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut lost = record(1, 0, 2, [1, 0]);
    // The numbers of Black and of the tournament.
    lost[14] = 9;
    lost[17] = 7;
    let path = database(folder.path(), &[lost, record(1, 99, 1, [2, 0])], Some(&[0; 10]));
    let (text, faults, _) = read(&path);
    assert!(text.starts_with("[Event \"?\"]\n[Site \"?\"]\n"), "{text}");
    assert!(text.contains("[White \"Keres, Paul\"]\n[Black \"?\"]\n"), "{text}");
    let messages: Vec<(u32, &str)> =
        faults.iter().map(|fault| (fault.game, fault.message.as_str())).collect();
    assert_eq!(messages[0], (1, "tournament 7 of this game is not in the file of tournaments"));
    assert_eq!(messages[1], (1, "player 9 of this game is not in the file of players"));
    assert_eq!(messages.last(), Some(&(2, "the moves of this game are outside the file of moves")));
}

#[test]
fn wrong_counts_and_other_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), &[record(1, 0, 2, [1, 0])], None);
    let mut bytes = fs::read(&path).unwrap();
    bytes[9] = 9;
    fs::write(&path, &bytes).unwrap();
    let (text, faults, _) = read(&path);
    assert_eq!(text.matches("[Event ").count(), 1);
    assert!(faults.iter().any(|fault| fault.message.contains("states 8 games, but has 1")));
    bytes[4] = 47;
    fs::write(&path, &bytes).unwrap();
    assert!(Database::open(&path, Format::ChessBase, 1 << 20).is_err());
    fs::remove_file(folder.path().join("games.cbp")).unwrap();
    bytes[4] = 46;
    fs::write(&path, &bytes).unwrap();
    let error = Database::open(&path, Format::ChessBase, 1 << 20).unwrap_err().to_string();
    assert_eq!(error, "lacks its file games.cbp, which belongs next to it");
}
