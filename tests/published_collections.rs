//! Tests reading collections in the forms in which they are published.

use std::fs;
use std::io::Write;

use greatness::games::{Game, GameFlags, GameTable, PartialDate};
use greatness::pgn::{ReadOptions, read_files};
use greatness::source::{Diagnostic, DiagnosticKind};

/// Reads a file with this name and content.
fn read(name: &str, content: &[u8]) -> (GameTable, Vec<Diagnostic>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file");
    let (mut table, mut found) = (GameTable::default(), Vec::new());
    read_files(&[path], ReadOptions::default(), &mut table, &mut found, &|_| ());
    (table, found)
}

fn players(table: &GameTable, game: &Game) -> [String; 2] {
    [game.white, game.black].map(|name| table.text(name).to_owned())
}

const LICHESS: &str = r#"[Event "Rated Blitz game"]
[Site "https://lichess.org/AbCdEfGh"]
[Date "2024.03.01"]
[Round "-"]
[White "alpha"]
[Black "beta"]
[Result "1-0"]
[UTCDate "2024.03.01"]
[UTCTime "00:00:17"]
[WhiteElo "1804"]
[BlackElo "1790"]
[WhiteRatingDiff "+6"]
[BlackRatingDiff "-6"]
[ECO "C20"]
[Opening "King's Pawn Game"]
[TimeControl "300+0"]
[Termination "Normal"]

1. e4 { [%eval 0.17] [%clk 0:05:00] } 1... e5 { [%eval 0.19] [%clk 0:05:00] } 2. Qh5?! { [%eval -0.3] [%clk 0:04:58] } 2... Nc6 { [%clk 0:04:55] } 3. Bc4 { [%clk 0:04:57] } 3... Nf6?? { [%eval #1] [%clk 0:04:51] } 4. Qxf7# { [%clk 0:04:55] } 1-0

"#;

#[test]
fn a_lichess_dump_is_several_zstd_frames() {
    let frame = zstd::encode_all(LICHESS.repeat(3).as_bytes(), 3).unwrap();
    let (table, found) = read("lichess_db_standard_rated_2024-03.pgn.zst", &frame.repeat(2));
    assert_eq!(found, []);
    assert_eq!(table.len(), 6);
    let game = &table.games()[5];
    assert_eq!(players(&table, game), ["alpha", "beta"]);
    assert_eq!((game.plies, game.white_elo), (7, 1804));
    assert!(game.flags.contains(GameFlags::BLITZ));
}

const BROADCAST: &str = r#"[Event "Candidates 2024 | Open"]
[Site "https://lichess.org/broadcast/candidates-2024--open/round-1/x/y"]
[Date "2024.04.04"]
[Round "1.2"]
[White "Caruana, Fabiano"]
[Black "Nakamura, Hikaru"]
[Result "1/2-1/2"]
[WhiteElo "2803"]
[WhiteTitle "GM"]
[WhiteFideId "2020009"]
[BlackElo "2789"]
[BlackTitle "GM"]
[BlackFideId "2016192"]
[TimeControl "40/7200:1800+30"]
[Variant "Standard"]
[ECO "C88"]
[StudyName "Round 1"]
[ChapterName "Caruana, Fabiano - Nakamura, Hikaru"]
[BroadcastName "Candidates 2024 | Open"]
[UTCDate "2024.04.04"]
[UTCTime "18:30:11"]

1. e4 { [%clk 1:59:54] } e5 { [%clk 1:59:50] } 2. Nf3 { [%clk 1:59:45] } Nc6 { [%clk 1:59:40] } 1/2-1/2

"#;

#[test]
fn a_game_of_a_broadcast_has_the_name_of_the_event() {
    let packed = zstd::encode_all(BROADCAST.as_bytes(), 3).unwrap();
    let (table, found) = read("lichess_db_broadcast_2024-04.pgn.zst", &packed);
    assert_eq!(found, []);
    let game = &table.games()[0];
    assert_eq!(table.text(game.event), "Candidates 2024 | Open");
    assert_eq!((game.white_fide_id, game.round.to_string()), (2020009, "1.2".to_owned()));
    assert!(game.flags.contains(GameFlags::CLASSICAL));
}

const CHESS_COM: &str = r#"[Event "Live Chess"]
[Site "Chess.com"]
[Date "2023.11.05"]
[Round "-"]
[White "gamma"]
[Black "delta"]
[Result "0-1"]
[CurrentPosition "rnb1k1nr/pppp1ppp/8/2b1p3/4P3/8/PPPP1qPP/RNBQKBNR w KQkq - 0 4"]
[Timezone "UTC"]
[ECO "C20"]
[ECOUrl "https://www.chess.com/openings/Kings-Pawn-Opening"]
[UTCDate "2023.11.05"]
[UTCTime "20:01:02"]
[WhiteElo "1523"]
[BlackElo "1540"]
[TimeControl "180"]
[Termination "delta won by checkmate"]
[StartTime "20:01:02"]
[EndDate "2023.11.05"]
[EndTime "20:03:10"]
[Link "https://www.chess.com/game/live/1"]

1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:58.1]} 2. f3 {[%clk 0:02:57]} 2... Bc5 {[%clk 0:02:55]} 3. Nh3 {[%clk 0:02:50]} 3... Qh4+ {[%clk 0:02:51.4]} 0-1

"#;

#[test]
fn a_monthly_archive_of_chess_com_has_clocks_after_each_move() {
    let (table, found) = read("ChessCom_gamma_202311.pgn", CHESS_COM.repeat(2).as_bytes());
    assert_eq!(found, []);
    let game = &table.games()[1];
    assert_eq!((table.len(), game.plies), (2, 6));
    assert_eq!(Some(game.date), PartialDate::parse("2023.11.05"));
    assert!(game.flags.contains(GameFlags::BLITZ) && !game.flags.contains(GameFlags::UNPLAYED));
}

const TWIC: &[u8] = b"[Event \"86th Tata Steel Masters\"]\r\n[Site \"Wijk aan Zee NED\"]\r\n\
[Date \"2024.01.13\"]\r\n[Round \"1.3\"]\r\n[White \"Van Foreest, J\xf6rden\"]\r\n\
[Black \"Ju, Wenjun\"]\r\n[Result \"1/2-1/2\"]\r\n[WhiteTitle \"GM\"]\r\n[BlackTitle \"GM\"]\r\n\
[WhiteElo \"2682\"]\r\n[BlackElo \"2549\"]\r\n[ECO \"C67\"]\r\n[WhiteFideId \"1039784\"]\r\n\
[BlackFideId \"8603006\"]\r\n[EventDate \"2024.01.13\"]\r\n\r\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 \
4. O-O Nxe4 5. Re1\r\nNd6 1/2-1/2\r\n\r\n";

#[test]
fn an_issue_of_the_week_in_chess_is_a_zipped_text_with_one_byte_for_each_character() {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("twic1523.pgn", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(&TWIC.repeat(3)).unwrap();
    let (table, found) = read("twic1523g.zip", &archive.finish().unwrap().into_inner());
    let kinds: Vec<DiagnosticKind> = found.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [DiagnosticKind::Encoding]);
    let game = &table.games()[2];
    assert_eq!(players(&table, game), ["Van Foreest, Jörden", "Ju, Wenjun"]);
    assert_eq!((game.plies, game.white_fide_id), (10, 1039784));
    assert_eq!(Some(game.event_date), PartialDate::parse("2024.01.13"));
}
