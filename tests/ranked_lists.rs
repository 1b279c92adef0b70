//! Tests that the ranked lists contain complete classical events on the right scale.
//!
//! The inputs are small cases and a large mixed collection. The checks on the large collection read
//! only the exports and share no code with the program. They count pairings again from the events'
//! documents, and all facts of chess history that they use are in this file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::{case, greatness_here, stderr};
use serde_json::Value;
use tempfile::TempDir;

/// An archive built from some collections.
struct Archive {
    folder: TempDir,
}

impl Archive {
    fn build(collections: &[&Path]) -> Archive {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        // The lists need only the ratings of their events, not the comparison of all rating
        // systems.
        let settings = folder.path().join("greatness.toml");
        std::fs::write(&settings, "[ratings]\ncompute = false\n").expect("it is written");
        let mut arguments = vec![
            "build".to_owned(),
            "--config".to_owned(),
            settings.to_string_lossy().into_owned(),
        ];
        for path in collections {
            arguments.extend(["--pgn".to_owned(), path.to_string_lossy().into_owned()]);
        }
        arguments.extend(["--out".to_owned(), out.to_string_lossy().into_owned()]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = greatness_here(&arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(!stderr(&output).contains("do not add up"), "{}", stderr(&output));
        Archive { folder }
    }

    fn of_case(name: &str) -> Archive {
        Archive::build(&[&case(&format!("lists/{name}.pgn"))])
    }

    fn table(&self, name: &str) -> Vec<Value> {
        let path = self.folder.path().join("out/data").join(format!("{name}.json"));
        let text = std::fs::read_to_string(path).expect("the table is there");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The rows of a table that is too long for JSON.
    fn long_table(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let folder = self.folder.path().join("out/data");
        let numbered = (1..).map(|number| folder.join(format!("{name}-{number}.csv")));
        let whole = [folder.join(format!("{name}.csv"))].into_iter();
        let files = whole.filter(|file| file.is_file());
        let files = files.chain(numbered.take_while(|file| file.is_file()));
        let mut rows = Vec::new();
        for file in files {
            let mut reader = csv::Reader::from_path(file).expect("the table is there");
            for row in reader.deserialize() {
                rows.push(row.expect("CSV"));
            }
        }
        assert!(!rows.is_empty(), "{name} is not there");
        rows
    }

    fn document(&self, id: &str) -> Value {
        crate::support::document(&self.folder.path().join("out"), id)
    }

    /// Returns the only event.
    fn only_event(&self) -> Value {
        let events = self.table("events");
        assert_eq!(events.len(), 1, "{events:#?}");
        events[0].clone()
    }

    fn is_ranked(&self) -> bool {
        !self.table("greatness").is_empty() || !self.table("strength").is_empty()
    }
}

fn whole(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_else(|| panic!("{key} of {row}"))
}

fn known_of_expected(event: &Value) -> (u64, u64) {
    (whole(event, "known_games"), whole(event, "expected_games"))
}

#[test]
fn fragments_of_events_are_not_ranked() {
    for (name, kind, known, expected) in [
        ("withdrawn", "swiss", 22, None),
        ("star", "fragment", 7, None),
        ("star2", "fragment", 5, None),
        ("other", "fragment", 7, None),
        ("lastround", "fragment", 9, Some(81)),
        ("partmatch", "match", 5, Some(21)),
        ("wch01", "match", 8, Some(20)),
    ] {
        let archive = Archive::of_case(name);
        let event = archive.only_event();
        assert_eq!(event["kind"], kind, "{name}");
        assert_eq!(event["status"], "incomplete", "{name}");
        let (found, all) = known_of_expected(&event);
        assert_eq!(found, known, "{name}");
        assert!(expected.is_none_or(|expected| expected == all), "{name}: {all}");
        // A fragment without rounds does not show how many games it had.
        assert!(all == 0 || found * 10 < all * 9, "{name}");
        assert!(!archive.is_ranked(), "{name}");
        assert_eq!(archive.table("fragments").len(), 1, "{name}");
    }
}

#[test]
fn missing_games_of_a_match_are_listed_by_round() {
    let archive = Archive::of_case("partmatch");
    let missing = archive.table("missing-games");
    let rounds: Vec<u64> = missing.iter().map(|row| whole(row, "round")).collect();
    assert_eq!(rounds, [2, 3, 4, 5, 7, 8, 10, 12, 13, 14, 15, 16, 18, 19, 20, 21]);
}

fn game_of_final(part: u32) -> String {
    format!(
        "[Event \"Cup\"]\n[Site \"Testville\"]\n[Date \"1998.01.{:02}\"]\n[Round \"8.{part}\"]\n\
         [White \"Karpov, Anatoly\"]\n[Black \"Anand, Viswanathan\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n",
        part + 1
    )
}

#[test]
fn a_final_played_within_one_round_has_a_known_number_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("final.pgn");
    let whole: String = [1, 2, 3, 4, 5, 6].map(game_of_final).concat();
    std::fs::write(&path, whole).expect("it is written");
    let event = Archive::build(&[&path]).only_event();
    assert_ne!(event["status"], "uncertain");
    assert_eq!(known_of_expected(&event), (6, 6));
    let part: String = [1, 2, 6].map(game_of_final).concat();
    std::fs::write(&path, part).expect("it is written");
    assert_eq!(known_of_expected(&Archive::build(&[&path]).only_event()), (3, 6));
}

#[test]
fn classical_chess_is_recognised_by_time_controls_servers_and_days() {
    for name in ["tc90", "tc90s", "idchess", "lichess-broadcast", "utcdate"] {
        let archive = Archive::of_case(name);
        let event = archive.only_event();
        assert_eq!((&event["tempo"], &event["kind"]), (&"classical".into(), &"round_robin".into()));
        assert_eq!(known_of_expected(&event), (15, 15), "{name}");
        assert_ne!(event["start"], Value::Null, "{name}");
    }
    let archive = Archive::of_case("ko");
    let event = archive.only_event();
    assert_eq!((&event["kind"], &event["tempo"]), (&"knock_out".into(), &"classical".into()));
    assert_eq!(known_of_expected(&event), (6, 6));
    let set_aside = archive.table("diagnostics");
    let tie_breaks = set_aside.iter().filter(|row| row["kind"] == "set_aside").count();
    assert_eq!(tie_breaks, 8, "every game that is set aside is reported");
    let archive = Archive::of_case("corres");
    assert!(archive.table("events").is_empty());
    assert!(archive.table("diagnostics").iter().all(|row| row["kind"] == "set_aside"));
}

#[test]
fn team_events_scheveningen_and_constant_rounds_are_recognised() {
    let teams = Archive::of_case("teams").only_event();
    assert_eq!((&teams["kind"], whole(&teams, "games")), (&"team".into(), 112));
    let teams = Archive::of_case("schev").only_event();
    assert_eq!((&teams["kind"], known_of_expected(&teams)), (&"scheveningen".into(), (27, 27)));
    let games = Archive::of_case("falsedup").only_event();
    assert_eq!(whole(&games, "games"), 4);
}

#[test]
fn the_number_two_has_a_rating_of_the_right_scale_and_time() {
    let archive = Archive::of_case("n2-2025");
    let event = archive.only_event();
    let number_two = event["number_two"].as_f64();
    assert!(number_two.is_none_or(|two| (2780.0..2830.0).contains(&two)), "{number_two:?}");
}

/// Words in the names of events that are not classical chess between two players.
const OTHER_CHESS: [&str; 12] = [
    "rapid",
    "blitz",
    "blindfold",
    "intel-gp",
    "amber",
    "simul",
    "tcec",
    "internet",
    "corr",
    "armageddon",
    "chess classics",
    "advanced chess",
];

/// Tournaments that were broken off: the war ended Mannheim 1914 after eleven rounds.
const BROKEN_OFF: [&str; 1] = ["mannheim-1914"];

/// The requirements of a list for its events.
struct Requirements<'a> {
    /// The pairs (percent) that must have met in a round robin: 80 for a strength, 75 for a
    /// performance.
    pairs: u64,
    /// The name of the player all of whose games must be known.
    player: Option<&'a str>,
}

/// Returns what is wrong with a listed event; empty if nothing is.
fn faults(
    archive: &Archive,
    events: &BTreeMap<String, Value>,
    id: &str,
    required: &Requirements<'_>,
) -> Vec<String> {
    let row = &events[id];
    let document = archive.document(id);
    let name = row["name"].as_str().unwrap_or_default().to_lowercase();
    let mut faults = Vec::new();
    if OTHER_CHESS.iter().any(|word| name.contains(word)) || row["tempo"] != "classical" {
        faults.push("not classical chess".to_owned());
    }
    let input = &document["input"];
    let pairings = Pairings::from_json(input);
    if pairings.active() > 3 && pairings.most() * 5 >= pairings.main() * 4 {
        faults.push("the games of one player".to_owned());
    }
    match row["kind"].as_str().unwrap_or_default() {
        kind @ ("round_robin" | "double_round_robin" | "multiple_round_robin") => {
            let usual = if kind == "round_robin" { 1 } else { 2 };
            faults.extend(pairings.faults_of_round_robin(usual, input, id, required));
        }
        kind => faults.extend(pairings.fault_of_other_kind(kind)),
    }
    faults.extend(faults_of_scale(row, &document));
    faults
}

/// The pairings of an event, counted again without play-off games.
#[derive(Default)]
struct Pairings {
    /// The number of games of each pair.
    met: BTreeMap<(u64, u64), u64>,
    /// The number of games of each player.
    games_of: BTreeMap<u64, u64>,
}

impl Pairings {
    fn from_json(input: &Value) -> Pairings {
        let mut pairings = Pairings::default();
        let games = input["games"].as_array().expect("games");
        // An event that is a play-off as a whole has no main games.
        let has_main = games.iter().any(|game| game["part"].is_null());
        for game in games.iter().filter(|game| game["part"].is_null() || !has_main) {
            let (a, b) = (whole(game, "white"), whole(game, "black"));
            *pairings.met.entry((a.min(b), a.max(b))).or_default() += 1;
            *pairings.games_of.entry(a).or_default() += 1;
            *pairings.games_of.entry(b).or_default() += 1;
        }
        pairings
    }

    /// Returns the number of games.
    fn main(&self) -> u64 {
        self.met.values().sum()
    }

    /// Returns the number of players with games.
    fn active(&self) -> u64 {
        self.games_of.len() as u64
    }

    /// Returns the number of games of the player with most games.
    fn most(&self) -> u64 {
        self.games_of.values().copied().max().unwrap_or(0)
    }

    fn faults_of_round_robin(
        &self,
        usual: u64,
        input: &Value,
        id: &str,
        required: &Requirements<'_>,
    ) -> Vec<String> {
        let mut faults = Vec::new();
        let active = self.active();
        let pairs = active * (active - 1) / 2;
        let together = self.met.len() as u64;
        if together * 100 < pairs * required.pairs && !BROKEN_OFF.contains(&id) {
            faults.push(format!("{together} of {pairs} pairs met"));
        }
        if let Some(player) = required.player {
            let players = input["players"].as_array().expect("players");
            let place = players.iter().position(|one| one["name"] == player);
            let place = place.expect("the player is of the event") as u64;
            let own = self.met.keys().filter(|(a, b)| [*a, *b].contains(&place)).count() as u64;
            if own + 1 < active && !BROKEN_OFF.contains(&id) {
                faults.push(format!("{player} met {own} of {} opponents", active - 1));
            }
        }
        let full = self.met.values().filter(|games| **games >= usual).count() as u64;
        if full * 10 < together * 8 {
            faults.push(format!("{full} of {together} pairs met {usual} times"));
        }
        faults
    }

    fn fault_of_other_kind(&self, kind: &str) -> Option<String> {
        let (main, active, most) = (self.main(), self.active(), self.most());
        match kind {
            "match" if active != 2 => Some(format!("a match of {active}")),
            "match" if main < 3 => Some(format!("a match of {main} games")),
            "swiss" => (main * 2 * 10 < most * active * 8)
                .then(|| format!("{main} games of {active} players in {most} rounds")),
            "knock_out" => ((self.met.len() as u64) + 1 < active)
                .then(|| format!("{} matches for {active} players", self.met.len())),
            "scheveningen" | "match" => None,
            other => Some(format!("a {other} is listed")),
        }
    }
}

/// Returns what is wrong with the ratings, the number two and the strength of an event.
fn faults_of_scale(row: &Value, document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    // Only one player of the field may be rated far above the world number two.
    let Some(two) = row["number_two"].as_f64() else {
        return vec!["no number two".to_owned()];
    };
    let players = document["players"].as_array().expect("players");
    let mut above = 0;
    let mut is_impossible = false;
    for player in players {
        let Some(rating) = player["initial_rating"].as_f64() else { continue };
        is_impossible |= !(500.0..=3000.0).contains(&rating);
        above += usize::from(player["rating_origin"] == "given" && rating > two + 15.0);
    }
    if is_impossible {
        faults.push("an impossible rating".to_owned());
    }
    if above > 1 {
        faults.push(format!("{above} players are rated above the world number two ({two})"));
    }
    // FIDE's numbers two have all been in this range.
    if row["rating_source"] == "Elo" && !(2630.0..=2860.0).contains(&two) {
        faults.push(format!("a number two of {two}"));
    }
    if row["strength"].as_f64().is_none_or(|strength| !(20.0..=104.0).contains(&strength)) {
        faults.push(format!("strength {}", row["strength"]));
    }
    faults
}

#[test]
#[ignore = "needs ../shared/data"]
fn nearly_all_of_the_first_two_hundred_of_a_large_collection_are_sound() {
    let shared = crate::support::shared_data();
    let archive =
        Archive::build(&[&shared.join("tournaments.tar.zst"), &shared.join("games.pgn.zst")]);
    let events: BTreeMap<String, Value> = archive
        .table("events")
        .into_iter()
        .map(|row| (row["event_id"].as_str().expect("an id").to_owned(), row))
        .collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (list, pairs) in [("greatness", 75), ("strength", 80)] {
        let rows = archive.table(list);
        assert!(rows.len() > 1000, "{list}: {}", rows.len());
        let mut wrong = Vec::new();
        for row in rows.iter().take(200) {
            let id = row["event_id"].as_str().expect("an id");
            let found = faults(
                &archive,
                &events,
                id,
                &Requirements { pairs, player: row["player"].as_str() },
            );
            if !found.is_empty() {
                wrong.push(format!("{} {id}: {}", row["rank"], found.join("; ")));
            }
            seen.insert(id.to_owned());
        }
        println!("{list}: {} of 200 are sound\n{}", 200 - wrong.len(), wrong.join("\n"));
        // At least 97 percent must be sound.
        assert!(wrong.len() <= 6, "{list}:\n{}", wrong.join("\n"));
    }
    // No rating that an event uses is impossible, whether the event is listed or not.
    for (id, row) in &events {
        if row["strength"].is_null() || seen.contains(id) {
            continue;
        }
        let document = archive.document(id);
        for player in document["players"].as_array().expect("players") {
            let rating = player["initial_rating"].as_f64();
            assert!(
                rating.is_none_or(|rating| (500.0..=3000.0).contains(&rating)),
                "{id}: {player}"
            );
        }
    }
    // Every game is in an event or reported, alone or with all others of a copied file.
    let reported: usize = archive
        .long_table("diagnostics")
        .iter()
        .filter(|row| matches!(row["kind"].as_str(), "set_aside" | "in_no_event" | "duplicate"))
        .map(|row| {
            let of_file = row["message"].strip_prefix("all ");
            let games = of_file.and_then(|rest| rest.split(' ').next()?.parse().ok());
            games.unwrap_or(1)
        })
        .sum();
    assert!(reported > 100_000, "{reported}");
}
