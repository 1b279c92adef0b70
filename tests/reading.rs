//! Tests reading collections.
//!
//! Damage is reported with its line, loses as little as possible, and never changes another game.
//! The result does not depend on the number of threads or the size of pieces.

use std::fs;
use std::path::Path;

use crate::support::pgn::{damaged, harmed, valid_game};
use greatness::games::{Game, GameFlags, GameTable};
use greatness::pgn::{ReadOptions, read_text};
use greatness::source::{Diagnostic, DiagnosticKind};
use proptest::prelude::*;

fn read_with(text: &[u8], options: ReadOptions) -> (GameTable, Vec<Diagnostic>) {
    let mut table = GameTable::default();
    let mut diagnostics = Vec::new();
    read_text("case.pgn", text, options, &mut table, &mut diagnostics);
    (table, diagnostics)
}

fn read(text: impl AsRef<[u8]>) -> (GameTable, Vec<Diagnostic>) {
    read_with(text.as_ref(), ReadOptions::default())
}

fn kinds(diagnostics: &[Diagnostic]) -> Vec<(u64, DiagnosticKind)> {
    diagnostics.iter().map(|diagnostic| (diagnostic.line, diagnostic.kind)).collect()
}

/// Returns everything known about a game in one line.
fn line(table: &GameTable, game: &Game) -> String {
    format!(
        "{:>3}  {} - {}  {}  {}, {} {}  round {}  {} plies  {:016x}{}",
        game.line,
        table.text(game.white),
        table.text(game.black),
        game.result.pgn(),
        table.text(game.event),
        table.text(game.site),
        game.date,
        game.round,
        game.plies,
        game.fingerprint,
        if game.flags == Default::default() {
            String::new()
        } else {
            format!("  {:?}", game.flags)
        },
    )
}

#[test]
fn each_case_yields_the_same_with_carriage_returns_at_line_ends() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/reading");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(text) = fs::read_to_string(&path).ok().filter(|text| !text.contains('\r')) else {
            continue;
        };
        let [plain, other] = [text.clone(), text.replace('\n', "\r\n")].map(|text| {
            let (table, diagnostics) = read(text);
            let games: Vec<String> = table.games().iter().map(|game| line(&table, game)).collect();
            (games, kinds(&diagnostics))
        });
        assert_eq!(plain, other, "{}", path.display());
    }
}

#[test]
fn each_case_gives_the_games_and_findings_that_it_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/reading");
    let mut cases: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|case| case.extension().is_some_and(|ending| ending == "pgn"));
    cases.sort();
    assert!(cases.len() > 15);
    let mut report = String::new();
    for case in cases {
        let (table, diagnostics) = read(fs::read(&case).unwrap());
        report.push_str(&format!("{}\n", case.file_stem().unwrap().to_string_lossy()));
        for game in table.games() {
            report.push_str(&format!("  {}\n", line(&table, game)));
        }
        for diagnostic in diagnostics {
            report.push_str(&format!(
                "  {:>3}: {:?} {}: {}\n",
                diagnostic.line,
                diagnostic.severity,
                diagnostic.kind.word(),
                diagnostic.message
            ));
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_byte_order_mark_utf_16_and_carriage_returns_are_read_and_noted() {
    let text =
        "[Event \"A\"]\n[White \"Sämisch\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1.e4 1-0\n\n";
    let (plain, diagnostics) = read(text);
    assert!(diagnostics.is_empty());
    let utf_16: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, words) in [
        (format!("\u{feff}{text}").into_bytes(), "byte order mark"),
        (utf_16, "UTF-16"),
        (text.replace('\n', "\r").into_bytes(), "CR alone"),
    ] {
        let (table, diagnostics) = read(&bytes);
        assert_eq!(line(&table, &table.games()[0]), line(&plain, &plain.games()[0]), "{words}");
        assert_eq!(kinds(&diagnostics), [(1, DiagnosticKind::Form)]);
        assert!(diagnostics[0].message.contains(words), "{diagnostics:?}");
    }
    let (table, _) = read(text.replace('\n', "\r\n"));
    assert_eq!(line(&table, &table.games()[0]), line(&plain, &plain.games()[0]));
}

#[test]
fn text_that_is_not_utf_8_does_not_change_other_texts() {
    let mut bytes = valid_game(1, "Sämisch, Fritz", "Réti, Richard", "1.e4 e5 1-0").into_bytes();
    bytes.extend(
        b"[Event \"B\"]\n[White \"S\xe4misch\"]\n[Black \"R\xe9ti\"]\n[Result \"*\"]\n\n*\n",
    );
    let (table, diagnostics) = read(&bytes);
    let names: Vec<&str> = table.games().iter().map(|game| table.text(game.white)).collect();
    assert_eq!(names, ["Sämisch, Fritz", "Sämisch"]);
    assert_eq!(kinds(&diagnostics), [(13, DiagnosticKind::Encoding)]);
    assert!(diagnostics[0].message.starts_with("2 texts"), "{diagnostics:?}");
    // Each file has a finding, and each text counts, regardless of the thread that read it.
    for threads in [1, 2] {
        let options = ReadOptions { threads, chunk: 64, ..ReadOptions::default() };
        let mut table = GameTable::default();
        let mut diagnostics = Vec::new();
        for name in ["a.pgn", "b.pgn"] {
            read_text(name, &bytes.repeat(3), options, &mut table, &mut diagnostics);
        }
        let counts: Vec<&str> = diagnostics.iter().map(|found| &found.message[..7]).collect();
        assert_eq!(counts, ["6 texts"; 2]);
    }
}

#[test]
fn indented_tags_begin_games() {
    let game = "  [White \"A\"]\n  [Black \"B\"]\n  [Result \"1-0\"]\n\n  1.e4 1-0\n\n";
    assert_eq!(read(game.repeat(3)).0.len(), 3);
}

#[test]
fn signs_among_the_moves_are_not_moves_and_a_result_may_state_a_forfeit() {
    let facts = |moves: &str| {
        let tags = "[White \"A\"]\n[Black \"B\"]\n\n";
        let (table, found) = read(format!("{tags}{moves}\n"));
        let game = table.games()[0];
        (
            game.plies,
            game.fingerprint,
            game.result.pgn(),
            game.flags.contains(GameFlags::UNPLAYED),
            found,
        )
    };
    let plain = facts("1. e4 e5 2. Nf3 Nc6 1-0");
    // ChessBase writes these signs for a novelty and a diagram.
    assert_eq!(facts("1. e4 N e5 D 2. Nf3 N Nc6 1-0"), plain);
    assert_eq!(facts("1. e4 e5 2. Nf3 Nc6 N\n1-0"), plain);
    let (plies, _, result, is_unplayed, found) = facts("1. e4 e5 1-0F");
    assert_eq!((plies, result, is_unplayed, found.len()), (2, "1-0", true, 0), "{found:?}");
    // Another letter is left out and reported.
    let (plies, .., found) = facts("1. e4 Q e5 1-0");
    assert_eq!((plies, found[0].kind), (2, DiagnosticKind::UnknownMove));
}

#[test]
fn nul_bytes_are_left_out_and_reported_once() {
    let text =
        "[Event \"A\"]\n[White \"T\0al\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1.e4\0 e5 {\0} 1-0\n";
    let (table, diagnostics) = read(text);
    assert_eq!(table.text(table.games()[0].white), "Tal");
    assert_eq!(table.games()[0].plies, 2);
    assert_eq!(kinds(&diagnostics), [(2, DiagnosticKind::Nul)]);
    assert!(diagnostics[0].message.starts_with("3 NUL bytes"), "{diagnostics:?}");
}

#[test]
fn a_study_names_its_event_and_the_day_of_a_chapter_dates_no_game() {
    for (tags, event, date) in [
        ("[StudyName \"Bled\"]\n[ChapterName \"A - B\"]\n", "Bled", "????.??.??"),
        ("[BroadcastName \"Bled\"]\n[StudyName \"Graz\"]\n", "Bled", "????.??.??"),
        ("[StudyName \"Graz\"]\n[BroadcastName \"Bled\"]\n", "Bled", "????.??.??"),
        ("[StudyName \"Round 1\"]\n", "Round 1: A - B", "????.??.??"),
        ("[ChapterName \"A - B\"]\n", "Round 1: A - B", "????.??.??"),
        ("[BroadcastName \"Bled\"]\n", "Bled", "2022.08.01"),
        ("", "Round 1: A - B", "2022.08.01"),
    ] {
        let roster = "[Event \"Round 1: A - B\"]\n[White \"A\"]\n[Black \"B\"]\n";
        let game =
            format!("{roster}[UTCDate \"2022.08.01\"]\n{tags}[Result \"1-0\"]\n\n1. e4 1-0\n");
        let (table, _) = read(game);
        let game = &table.games()[0];
        assert_eq!(
            (table.text(game.event), game.date.to_string().as_str()),
            (event, date),
            "{tags}"
        );
    }
}

#[test]
fn a_tag_of_100_kilobytes_is_cut_and_reported() {
    let text = format!(
        "[Event \"{}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n\n{}",
        "x".repeat(100_000),
        valid_game(1, "A", "B", "1.e4 1-0"),
    );
    let (table, diagnostics) = read(text);
    assert_eq!(table.len(), 2);
    assert_eq!(table.text(table.games()[0].event).len(), 250);
    assert_eq!(kinds(&diagnostics), [(1, DiagnosticKind::LongTag)]);
}

#[test]
fn ten_thousand_nested_variations_are_skipped_and_reported() {
    for (closing, expected) in [
        (10_000, vec![DiagnosticKind::DeepVariation]),
        (1, vec![DiagnosticKind::Unbalanced, DiagnosticKind::DeepVariation]),
    ] {
        let moves = format!("1.e4 {}{} e5 1-0", "(1.d4 ".repeat(10_000), ")".repeat(closing));
        let text = valid_game(1, "A", "B", &moves) + &valid_game(2, "C", "D", "1.e4 1-0");
        let (table, diagnostics) = read(text);
        assert_eq!(table.len(), 2);
        assert_eq!(table.games()[0].plies, if closing == 1 { 1 } else { 2 });
        let found: Vec<_> = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.kind)
            .filter(|kind| *kind != DiagnosticKind::MissingResult)
            .collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_game_of_20_000_plies_is_read_and_reported() {
    let moves = "Nf3 Nf6 Ng1 Ng8\n".repeat(5000);
    let text = valid_game(1, "A", "B", &format!("{moves}1-0")) + &valid_game(2, "C", "D", "1-0");
    let (table, diagnostics) = read(text);
    assert_eq!(table.games()[0].plies, 20_000);
    assert_eq!(table.len(), 2);
    assert_eq!(diagnostics[0].kind, DiagnosticKind::LongGame);
}

#[test]
fn beyond_a_thousand_findings_of_one_kind_are_only_counted() {
    let text = valid_game(1, "A", "B", "1.e4 sic! 1-0").repeat(1500);
    let (table, diagnostics) = read(text);
    assert_eq!(table.len(), 1500);
    assert_eq!(diagnostics.len(), 1001);
    assert!(diagnostics[1000].message.starts_with("500 more findings"), "{:?}", diagnostics[1000]);
}

#[test]
fn many_unclosed_comments_take_linear_time() {
    let text = valid_game(1, "A", "B", "1.e4 { oh (").repeat(50_000);
    assert_eq!(read(text).0.len(), 50_000);
}

#[test]
fn many_games_on_one_line_take_linear_time() {
    let one_line = "[Event \"A\"] 1-0 oh {[Event \"B\"] } ".repeat(50_000);
    let (table, _) = read(format!("{one_line}\n[Site \"B\"]\n\n1-0\n"));
    assert!(table.len() >= 50_000);
}

#[test]
fn repetitive_texts_take_linear_time() {
    // Quadratic time would make this test take hours.
    let n = 200_000;
    let cases: Vec<Vec<u8>> = vec![
        b"[".repeat(n),
        b"[\n".repeat(n / 2),
        [b"[Event \"a\"]\n".as_slice(), &b"[".repeat(n)].concat(),
        [b"[Event \"a\"]\n".as_slice(), &b"[\n".repeat(n / 2)].concat(),
        b"[Event ".repeat(n / 7),
        b"[Event \"a\"]".repeat(n / 11),
        [b"[Event \"a\"]\n\ne4 ".as_slice(), &b"[Event".repeat(n / 6)].concat(),
        [b"[Event \"a\"]\n\n{".as_slice(), &b"[Event \"".repeat(n / 8)].concat(),
        [b"[Event \"a\"]\n\n{".as_slice(), &b"[Event \"".repeat(n / 8), b"\n[Site \"x\"]\n"]
            .concat(),
        [b"[Event \"a\"]\n\n{".as_slice(), &b"[Eventx\"".repeat(n / 8), b"\n[Site \"x\"]\n"]
            .concat(),
        b"[Event \"a\"] 1-0 x ".repeat(n / 18),
        [b"[Event \"a\"] 1-0 x ".repeat(n / 18).as_slice(), b"\n[Site \"x\"]\n"].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &b"(".repeat(n)].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &b")".repeat(n)].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &b"{".repeat(n)].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &b"({".repeat(n / 2)].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &b"a".repeat(n)].concat(),
        vec![0; n],
        [b"[Event \"a\"]\n\n".as_slice(), &vec![0; n]].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &"é".repeat(n / 2).into_bytes()].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &"é ".repeat(n / 3).into_bytes()].concat(),
        b"[A \"b\"] ".repeat(n / 8),
        [b"[Event \"".as_slice(), &b"\"".repeat(n)].concat(),
        b"[Event \"\"\"\"\"]\n".repeat(n / 14),
        [b"[Event \"a\"]\n\n".as_slice(), &b";\n".repeat(n / 2)].concat(),
        [b"[Event \"a\"]\n\n{".as_slice(), &b" \n[Site \"".repeat(n / 9)].concat(),
        [b"[Event \"a\"]\n\ne4".as_slice(), &b"\n".repeat(n)].concat(),
        [b"[Event \"a\"]\n\n".as_slice(), &"½".repeat(n / 2).into_bytes()].concat(),
        [b"[Event \"".as_slice(), &b"\\".repeat(n), b"\"]\n"].concat(),
        b"[White \"a\"]\n[Event \"b\"]\n".repeat(n / 24),
        b"[White \"a\"]\n\n1-0\n\n".repeat(n / 18),
    ];
    for text in cases {
        for threads in [1, 2] {
            let options = ReadOptions { threads, ..ReadOptions::default() };
            let (_, diagnostics) = read_with(&text, options);
            assert!(diagnostics.len() < 5000, "{}", diagnostics.len());
        }
    }
}

/// Generates texts of games, fragments of games and arbitrary bytes.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => (0..100usize).prop_map(|number| {
            valid_game(number, "Tarrasch, S", "Pillsbury, H", "1.e4 e5 2.Nf3 {[%clk 1]} Nc6 1-0")
                .into_bytes()
        }),
        4 => prop::sample::select(vec![
            "[", "]", "\"", "{", "}", "(", ")", ";", "%", "\n", "\r\n", "\n\n", "\r", " ", "\\", "\0",
            "[Event \"", "\n\n[Event \"A\"]\n", "[White \"B\"]\n", "[Result \"1-0\"]\n", "\"]\n",
            "1-0", "0-1", "1/2-1/2", "*", "½-½", "1.", "e4", "Nf3+", "O-O", "0-0", "e8=Q", "--", "$1",
            "\n[Event \"C\"]\n", "[event \"x\"]\n", "% x\n", "; a note\n", "a line\n", "{a\n", "York\"]\n", "[White \"Tal,\n",
            "]]\n", "[BLACK \"y\"]\n", "and", "12", "[Site \"", "[Date \"1898.??.??\"]", "\u{e9}", "            ",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..30),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn all_of(table: &GameTable) -> Vec<String> {
    table.games().iter().map(|game| format!("{} {:?}", line(table, game), game)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn threads_and_pieces_make_no_difference(text in any_text(), size in 64usize..2000) {
        let one = ReadOptions { threads: 1, chunk: usize::MAX, ..ReadOptions::default() };
        let (whole, findings) = read_with(&text, one);
        for threads in [1, 2, 3] {
            let options = ReadOptions { threads, chunk: size, ..ReadOptions::default() };
            let (parts, findings_of_parts) = read_with(&text, options);
            prop_assert_eq!(all_of(&parts), all_of(&whole));
            prop_assert_eq!(&findings_of_parts, &findings);
        }
    }

    #[test]
    fn vector_instructions_find_the_same_as_reading_byte_by_byte(text in any_text()) {
        let vectors = greatness::pgn::ChunkReader::default().read(&text, true);
        let bytes = greatness::pgn::ChunkReader::default().read_portably(&text, true);
        prop_assert_eq!(vectors.games, bytes.games);
        prop_assert_eq!(vectors.findings, bytes.findings);
        prop_assert_eq!(vectors.places, bytes.places);
        prop_assert_eq!(vectors.lines, bytes.lines);
    }

    #[test]
    fn damage_to_one_game_leaves_every_other_unchanged(
        game in 0usize..5,
        place: prop::sample::Index,
        length in 0usize..60,
        inserted in any_text(),
    ) {
        let (before, after) = damaged(game, place.index(1000), length, &inserted);
        prop_assert_eq!(harmed(&read(&before).0, &read(&after).0, game), Vec::<String>::new());
    }
}
