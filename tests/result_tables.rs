//! Tests that results without moves (tournament reports and crosstables) are inputs like
//! collections, and that a filled-in form of missing games completes its event.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::support::{case, greatness, stderr, stdout};
use serde_json::Value;

/// Runs the program, which must succeed.
fn good(folder: &Path, arguments: &[&str]) -> std::process::Output {
    let output = greatness(folder, arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

/// A folder with settings that skip the computation of ratings, which no test needs.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("greatness.toml"), "[ratings]\ncompute = false\n").unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    folder
}

fn rows(path: &Path) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).collect()
}

/// The values of a column of a CSV file.
fn column(path: &Path, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let place = reader.headers().unwrap().iter().position(|title| title == name).expect(name);
    reader.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

/// A table of an archive.
fn table(folder: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(format!("out/data/{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_crosstable_may_leave_the_colours_unknown() {
    let folder = folder();
    let table = "player,opponent,round,colour,result\nTal,Keres,1,,1\nTal,Geller,2,black,1/2\n\
                 Geller,Keres,3,,1\nKeres,Geller,3,white,0\n";
    fs::write(folder.path().join("mine/riga.csv"), table).unwrap();
    good(folder.path(), &["ingest", "mine", "--out", "games.csv"]);
    let games = folder.path().join("games.csv");
    assert_eq!(column(&games, "white"), ["Tal", "Geller", "Keres"]);
    assert_eq!(column(&games, "colours_unknown"), ["true", "false", "false"]);
}

#[test]
fn reports_and_crosstables_are_found_in_folders_and_archives() {
    let folder = folder();
    let mine = folder.path().join("mine");
    fs::copy(case("results/oslo.trf"), mine.join("oslo.trf")).unwrap();
    fs::copy(case("results/vienna.csv"), mine.join("vienna.csv")).unwrap();
    fs::write(mine.join("prices.csv"), "player,price\nTal,3\n").unwrap();
    fs::write(mine.join("plain.txt"), fs::read(case("results/oslo.trf")).unwrap()).unwrap();
    let mut zip = zip::ZipWriter::new(fs::File::create(mine.join("z.zip")).unwrap());
    zip.start_file("a/vienna.csv", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&fs::read(case("results/vienna.csv")).unwrap()).unwrap();
    zip.finish().unwrap();
    let output = good(folder.path(), &["ingest", "mine", "--out", "games.csv"]);
    assert_eq!(stdout(&output), "18 games in games.csv\n");
    assert!(!stderr(&output).contains("prices"), "{}", stderr(&output));
    let games = folder.path().join("games.csv");
    let members = column(&games, "member");
    for (name, count) in [
        ("mine/oslo.trf", 6),
        ("mine/plain.txt", 6),
        ("mine/vienna.csv", 3),
        ("mine/z.zip/a/vienna.csv", 3),
    ] {
        assert_eq!(members.iter().filter(|member| *member == name).count(), count, "{name}");
    }
    // The report has the first six games.
    assert_eq!(column(&games, "date")[..3], ["2024.05.01", "2024.05.01", "2024.05.02"]);
    for (name, value) in [
        ("white", "Aas, Arne"),
        ("white_elo", "2510"),
        ("black_fide_id", "1500004"),
        ("white_title", "GM"),
        ("black_federation", "NOR"),
        ("white_born", "1990-01-02"),
        ("tempo", "classical"),
    ] {
        assert_eq!(column(&games, name)[0], value, "{name}");
    }
    let unplayed = column(&games, "unplayed");
    assert_eq!(unplayed[..6].iter().filter(|value| *value == "true").count(), 1);
}

#[test]
fn faults_of_a_table_are_reported_with_file_and_line() {
    let folder = folder();
    let table = "player,opponent,round,colour,result\n\
                 Keres,Euwe,1,white,1\n\
                 Euwe,Keres,1,black,1\n\
                 Keres,Euwe,2,white,two\n\
                 Keres,Euwe,3,black,0\n";
    fs::write(folder.path().join("mine/zurich.csv"), table).unwrap();
    let output = good(folder.path(), &["check", "mine"]);
    let text = stdout(&output);
    for line in [
        "2 games in 1 file",
        "1 set aside: no result",
        "Warning: pairing mismatch (1)",
        "Warning: result table (1)",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n--\n{text}");
    }
    assert!(text.contains("mine/zurich.csv:3: a win for the player here, but a win"), "{text}");
    assert!(text.contains("mine/zurich.csv:4: \"two\" is not a result"), "{text}");
}

/// The six players of a tournament of 1994 whose ratings are known, by their order in the table.
const FIELD: [(&str, u16); 6] = [
    ("Karpov, Anatoly", 2740),
    ("Kasparov, Garry", 2805),
    ("Shirov, Alexei", 2715),
    ("Anand, Viswanathan", 2715),
    ("Kramnik, Vladimir", 2710),
    ("Gelfand, Boris", 2685),
];

/// The pairings of the five rounds, White first, by the places in [`FIELD`].
const ROUNDS: [[(usize, usize); 3]; 5] = [
    [(0, 5), (1, 4), (2, 3)],
    [(5, 3), (4, 2), (0, 1)],
    [(1, 5), (2, 0), (3, 4)],
    [(5, 4), (0, 3), (1, 2)],
    [(2, 5), (3, 1), (4, 0)],
];

/// The game of a pairing. The player who is earlier in the table wins. Each game has different
/// moves.
fn game(date: &str, round: usize, white: usize, black: usize) -> String {
    let result = if white < black { "1-0" } else { "0-1" };
    let ((name, elo), (other, other_elo)) = (FIELD[white], FIELD[black]);
    let files = ["a", "b", "c", "d", "e", "f"];
    let (mine, theirs) = (files[white], files[black]);
    format!(
        "[Event \"Linares\"]\n[Site \"Linares ESP\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n\
         [White \"{name}\"]\n[Black \"{other}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{other_elo}\"]\n\
         [Result \"{result}\"]\n\n1. {mine}4 {theirs}5 2. {mine}5 {theirs}4 3. Nf3 Nc6 4. Nc3 Nf6 \
         {result}\n\n"
    )
}

/// The tournament, without the games of some pairings.
fn collection(without: &[(usize, usize)]) -> String {
    let rounds = (1..).zip(ROUNDS);
    let games = rounds.flat_map(|(round, pairs)| pairs.map(|(white, black)| (round, white, black)));
    games
        .filter(|(_, white, black)| !without.contains(&(*white, *black)))
        .map(|(round, white, black)| {
            game(&format!("1994.02.{:02}", 22 + round), round, white, black)
        })
        .collect()
}

/// Copies a form with these values in each line.
fn fill_in(form: &Path, filled: &Path, values: &[(&str, &str)]) {
    let mut reader = csv::Reader::from_path(form).unwrap();
    let titles = reader.headers().unwrap().clone();
    let mut filled = csv::Writer::from_path(filled).unwrap();
    filled.write_record(&titles).unwrap();
    for row in reader.records().map(Result::unwrap) {
        let cells = titles.iter().zip(&row).map(|(title, cell)| {
            let value = values.iter().find(|(name, _)| *name == title);
            value.map_or(cell, |(_, value)| *value)
        });
        filled.write_record(cells).unwrap();
    }
    filled.flush().unwrap();
}

#[test]
fn a_filled_in_form_of_missing_games_completes_the_event() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("mine/games.pgn"), collection(&[(2, 3), (4, 0)])).unwrap();
    good(path, &["build", "mine", "--out", "out"]);
    let event = &table(path, "events")[0];
    assert_eq!((&event["known_games"], &event["expected_games"]), (&13.into(), &15.into()));
    // The form has the missing pairings, and asks for colours and results.
    let form = path.join("out/data/missing-games-form.csv");
    let mut pairings: Vec<(String, String)> =
        column(&form, "player").into_iter().zip(column(&form, "opponent")).collect();
    pairings.iter_mut().for_each(|pair| {
        if pair.0 > pair.1 {
            std::mem::swap(&mut pair.0, &mut pair.1);
        }
    });
    pairings.sort();
    let expected =
        [("Anand, Viswanathan", "Shirov, Alexei"), ("Karpov, Anatoly", "Kramnik, Vladimir")];
    assert_eq!(pairings, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    // A form that is not filled in adds no game.
    fs::copy(&form, path.join("mine/form.csv")).unwrap();
    let output = good(path, &["build", "mine", "--out", "out"]);
    assert!(stderr(&output).contains("13 games read = 13 in events + 0 set aside"));
    let message = "mine/form.csv: contains no game (no line has a result)";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    // With the filled-in form the event is complete.
    fill_in(&form, &path.join("mine/form.csv"), &[("colour", "black"), ("result", "1/2")]);
    let output = good(path, &["build", "mine", "--out", "out"]);
    assert!(stderr(&output).contains("15 games read = 15 in events + 0 set aside"));
    let events = table(path, "events");
    assert_eq!(events.len(), 1, "{events:#?}");
    assert_eq!(events[0]["known_games"], 15);
    assert_eq!(events[0]["coverage"].as_f64(), Some(1.0));
    assert_eq!(events[0]["kind"], "round_robin");
    assert!(rows(&form).is_empty());
}

#[test]
fn a_form_with_results_alone_completes_a_double_round_robin_over_new_year() {
    let folder = folder();
    let path = folder.path();
    let second = ROUNDS.map(|pairs| pairs.map(|(white, black)| (black, white)));
    let rounds = (1..).zip(ROUNDS.into_iter().chain(second));
    let games = rounds.flat_map(|(round, pairs)| pairs.map(|(white, black)| (round, white, black)));
    // Both games of Anand and Shirov are missing, and the second one of Karpov and Kramnik.
    let missing = [(2, 3), (3, 2), (0, 4)];
    let known = games.filter(|(_, white, black)| !missing.contains(&(*white, *black)));
    let games = known.map(|(round, white, black)| {
        let date = match round {
            1..=5 => format!("1994.12.{:02}", 26 + round),
            _ => format!("1995.01.{:02}", round - 5),
        };
        game(&date, round, white, black)
    });
    fs::write(path.join("mine/games.pgn"), games.collect::<String>()).unwrap();
    good(path, &["build", "mine", "--out", "out"]);
    let form = path.join("out/data/missing-games-form.csv");
    assert_eq!(column(&form, "date"), ["1994-12", "1994-12", "1994-12"]);
    let lines: Vec<(String, String)> =
        column(&form, "player").into_iter().zip(column(&form, "colour")).collect();
    let (of_one_game, of_both): (Vec<_>, Vec<_>) =
        lines.iter().partition(|(player, _)| player.starts_with('K'));
    let colours: Vec<&str> = of_both.iter().map(|(_, colour)| colour.as_str()).collect();
    assert_eq!(colours, ["white", "black"], "{lines:?}");
    let (player, colour) = of_one_game[0];
    assert_eq!(colour == "white", player == "Karpov, Anatoly", "{lines:?}");
    fill_in(&form, &path.join("mine/form.csv"), &[("result", "1/2")]);
    good(path, &["build", "mine", "--out", "out"]);
    let events = table(path, "events");
    assert_eq!((events.len(), &events[0]["known_games"]), (1, &30.into()), "{events:#?}");
    assert_eq!(events[0]["kind"], "double_round_robin");
    assert_eq!(events[0]["coverage"].as_f64(), Some(1.0));
}

/// The opponent, colour and result of a player in each round, as in a report.
fn round_cells(place: usize) -> String {
    ROUNDS
        .map(|pairs| {
            let own = pairs.iter().find(|(white, black)| place == *white || place == *black);
            let (white, black) = *own.unwrap();
            let (other, colour) = if place == white { (black, 'w') } else { (white, 'b') };
            format!("  {:>4} {colour} {}", other + 1, u8::from(place < other))
        })
        .concat()
}

/// The tournament as a report, whose games have no moves.
fn report() -> String {
    let players = FIELD.iter().enumerate().map(|(place, (name, elo))| {
        let number = place + 1;
        format!(
            "001 {number:>4} m GM {name:<33} {elo:>4} {:26} {:>9}{}\n",
            "",
            number,
            round_cells(place)
        )
    });
    let players: String = players.collect();
    format!(
        "012 Ciudad de Linares\n022 Linares\n032 ESP\n042 1994/02/23\n052 1994/02/27\n\
         132{:88}94/02/23  94/02/24  94/02/25  94/02/26  94/02/27\n{players}",
        ""
    )
}

#[test]
fn a_report_of_an_event_whose_games_are_known_is_not_a_second_event() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("mine/report.trf"), report()).unwrap();
    good(path, &["build", "mine", "--out", "out"]);
    let alone = table(path, "events");
    assert_eq!((alone.len(), &alone[0]["known_games"]), (1, &15.into()), "{alone:#?}");
    let strength = alone[0]["strength"].clone();
    assert!(strength.is_number());
    fs::write(path.join("mine/games.pgn"), collection(&[])).unwrap();
    good(path, &["build", "mine", "--out", "out"]);
    let both = table(path, "events");
    assert_eq!((both.len(), &both[0]["known_games"]), (1, &15.into()), "{both:#?}");
    assert_eq!(both[0]["strength"], strength);
}

#[test]
fn ingest_chooses_games_and_its_numbers_add_up() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("mine/games.pgn"), collection(&[])).unwrap();
    let output = good(
        path,
        &[
            "ingest",
            "mine",
            "--out",
            "a.csv",
            "--out",
            "a.parquet",
            "--from",
            "1994-02-24",
            "--player",
            "kasparov",
        ],
    );
    assert_eq!(
        stdout(&output),
        "4 games in a.csv\n4 games in a.parquet\n15 games read = 4 written + 11 left out\n\
         3 left out: before --from\n8 left out: not of --player\n"
    );
    let output =
        good(path, &["ingest", "a.parquet", "--out", "b.csv", "--min-elo", "2710", "--first", "1"]);
    assert!(
        stdout(&output).contains("4 games read = 1 written + 3 left out\n"),
        "{}",
        stdout(&output)
    );
    let [first, same_seed, other_seed] =
        [("c.csv", "1"), ("d.csv", "1"), ("e.csv", "2")].map(|(out, seed)| {
            good(path, &["ingest", "mine", "--out", out, "--sample", "5", "--seed", seed]);
            fs::read_to_string(path.join(out)).unwrap()
        });
    assert_eq!(first.lines().count(), 6);
    assert_eq!(first, same_seed);
    assert_ne!(first, other_seed);
    let nothing = ["ingest", "mine", "--out", "f.csv", "--from", "1995", "--to", "1994"];
    let nothing = greatness(path, &nothing);
    assert!(!nothing.status.success() && stderr(&nothing).contains("--from is after --to"));
    let twice = greatness(path, &["ingest", "mine", "--out", "f.csv", "--out", "./f.csv"]);
    assert!(stderr(&twice).contains("f.csv is given twice"), "{}", stderr(&twice));
}
