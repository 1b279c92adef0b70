//! Tests `greatness check`, which reports faults with file and line, and `greatness ingest`, which
//! writes the games as a table.

use std::fs;

use crate::support::{greatness, stderr, stdout};

fn game(event: &str, round: u32, white: &str, black: &str, moves: &str) -> String {
    format!(
        "[Event \"{event}\"]\n[Site \"Paris\"]\n[Date \"1900.??.??\"]\n[Round \"{round}\"]\n\
         [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
    )
}

#[test]
fn check_prints_findings_by_kind_and_writes_all_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let long = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6";
    let mut pgn = String::new();
    pgn.push_str(&game("Paris", 1, "Lasker, Emanuel", "Pillsbury, Harry", long));
    pgn.push_str(&game(
        "Paris",
        2,
        "Pillsbury, Harry",
        "Lasker, Emanuel",
        "1.d4 d5 2.c4 e6 3.Nc3 Nf6",
    ));
    pgn.push_str(&game("Paris", 3, "Lasker, Emanuel", "Pillsbury, Harry", ""));
    pgn.push_str(&game("Paris", 4, "Lasker,E", "Maroczy,G", "1.e4 c5 2.Nf3 d6 3.d4 cxd4"));
    fs::write(folder.path().join("a.pgn"), &pgn).unwrap();
    fs::write(
        folder.path().join("b.pgn"),
        game("Paris", 1, "Lasker, Emanuel", "Pillsbury, Harry", long),
    )
    .unwrap();
    let output = greatness(folder.path(), &["check", "a.pgn", "b.pgn", "gone.pgn"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stdout(&output);
    for line in [
        "5 games in 2 files",
        "1 set aside: duplicate",
        "Error: unreadable (1)",
        "  gone.pgn: no such file or folder",
        "Note: duplicate (1)",
        "  a.pgn:1: the same game as b.pgn:1",
        "Note: in no event (4)",
        "Note: without moves (1)",
        "  a.pgn:21: no moves, although most games of the file have them; the game counts",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n--\n{text}");
    }
    let joined = "\n  Lasker,E = Lasker, Emanuel (+5 rarity of the name, ";
    assert!(text.contains(joined), "{text}");
    let csv = fs::read_to_string(folder.path().join("diagnostics.csv")).unwrap();
    // A missing input, a game without moves, a duplicate, and four games that belong to no event.
    assert_eq!(csv.lines().count(), 1 + 3 + 4, "{csv}");
}

/// A round robin of four of the world's best in February 1994. FIDE's list of January has Shirov
/// with 2715.
#[test]
fn check_reports_a_rating_tag_that_differs_from_the_list_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let field = [
        ("Karpov, Anatoly", 2740),
        ("Kasparov, Garry", 2805),
        ("Shirov, Alexei", 2705),
        ("Anand, Viswanathan", 2715),
    ];
    let mut pgn = String::new();
    for (day, (white, black)) in (23..).zip([(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)]) {
        let ((white, white_elo), (black, black_elo)) = (field[white], field[black]);
        pgn.push_str(&format!(
            "[Event \"Linares\"]\n[Site \"Linares\"]\n[Date \"1994.02.{day}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[WhiteElo \"{white_elo}\"]\n[BlackElo \"{black_elo}\"]\n\
             [Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"
        ));
    }
    fs::write(folder.path().join("linares.pgn"), pgn).unwrap();
    let output = greatness(folder.path(), &["check", "linares.pgn"]);
    let text = stdout(&output);
    let expected = "Shirov, Alexei has 2715 on FIDE's list of 1994-01-01, which was in force, and \
                    2705 in the tags of the games. The list counts.";
    assert!(text.contains("Rating tags that differ from FIDE's list in force (1)"), "{text}");
    assert!(text.contains(expected), "{text}");
}

#[test]
fn an_ingested_collection_builds_the_same_archive() {
    let folder = tempfile::tempdir().unwrap();
    let mut pgn = String::new();
    for round in 1..=6 {
        pgn.push_str(&game("Match", round, "Lasker, Emanuel", "Janowski, Dawid", "1.e4 e5"));
    }
    fs::write(folder.path().join("a.pgn"), pgn).unwrap();
    let output = greatness(folder.path(), &["ingest", "a.pgn", "--out", "games.parquet"]);
    assert_eq!(stdout(&output), "6 games in games.parquet\n", "{}", stderr(&output));
    for (input, out) in [("a.pgn", "one"), ("games.parquet", "two")] {
        let output = greatness(folder.path(), &["build", "--pgn", input, "--out", out]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    for file in ["index.html", "events/janowski-lasker-paris-1900.html", "data/events.csv"] {
        let [one, two] = ["one", "two"]
            .map(|out| fs::read_to_string(folder.path().join(out).join(file)).unwrap());
        assert_eq!(one, two, "{file}");
    }
}

#[test]
fn check_merges_the_spellings_that_a_build_merges() {
    let folder = tempfile::tempdir().unwrap();
    let games: String = (1..=8)
        .map(|round| {
            let name = if round % 2 == 0 { "Nenashev, Alexander" } else { "Graf, Alexander" };
            game("Match", round, name, "Pillsbury, Harry", "").replace("1900", "1994")
        })
        .collect();
    fs::write(folder.path().join("a.pgn"), games).unwrap();
    let merge = "  Nenashev, Alexander = Graf, Alexander";
    let output = greatness(folder.path(), &["check", "a.pgn"]);
    assert!(stdout(&output).contains(merge), "by the bundled aliases");
    let own =
        "[[player]]\nname = \"Pillsbury, Harry Nelson\"\nspellings = [\"Pillsbury, Harry\"]\n";
    fs::write(folder.path().join("own.toml"), own).unwrap();
    let output = greatness(folder.path(), &["check", "a.pgn", "--aliases", "own.toml"]);
    assert!(stdout(&output).contains(merge), "own aliases add to them");
    let output = greatness(folder.path(), &["check", "a.pgn", "--without-bundled-aliases"]);
    assert!(!stdout(&output).contains(merge));
}

#[test]
fn a_table_of_games_is_not_written_next_to_the_games() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/a.pgn"), game("Paris", 1, "A, B", "C, D", "")).unwrap();
    let output = greatness(folder.path(), &["ingest", "mine", "--out", "mine/games.parquet"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("the table would be in mine, a folder of games"), "{message}");
}
