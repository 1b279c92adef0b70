//! Tests the comparison of events with a table of known results.

use std::fs;

use greatness::archive::{Archive, Aspect, Explanation, Settings, Silent, build};

const PLAYERS: [&str; 6] =
    ["Alder, Anna", "Birch, Boris", "Cedar, Clara", "Dogwood, Denis", "Elm, Emma", "Fir, Felix"];

/// A round robin of six in which the player higher on the list always wins: 5, 4, 3, 2, 1 and 0
/// points.
fn round_robin(tags: [&str; 2]) -> String {
    round_robin_of(&PLAYERS, tags)
}

/// A round robin in which the earlier of two players always wins.
fn round_robin_of(players: &[&str], [event, date]: [&str; 2]) -> String {
    let mut pgn = String::new();
    for (place, white) in players.iter().enumerate() {
        for black in &players[place + 1..] {
            pgn.push_str(&format!(
                "[Event \"{event}\"]\n[Site \"Testville\"]\n[Date \"{date}\"]\n[Round \"?\"]\n\
                 [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1-0\n\n"
            ));
        }
    }
    pgn
}

/// A drawn match of six games in Testville.
fn drawn_match() -> String {
    (0..6)
        .map(|number| {
            let (white, black) = (PLAYERS[number % 2], PLAYERS[1 - number % 2]);
            format!(
                "[Event \"Match\"]\n[Site \"Testville\"]\n[Date \"1955.05.01\"]\n[Round \"{}\"]\n\
                 [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n",
                number + 1
            )
        })
        .collect()
}

/// An archive of the round robin, with a line of known results and a decision.
fn archive(line: &str, decision: &str) -> Archive {
    archive_of(&round_robin(["Tournament", "1955.05.01"]), line, decision)
}

/// An archive of these games.
fn archive_of(games: &str, line: &str, decision: &str) -> Archive {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("games.pgn"), games).expect("written");
    let header = "event,name,place,from,to,format,players,cycles,games,winners,points,second,second_points,stages";
    // Most lines have one stage.
    let lines: Vec<String> = line
        .lines()
        .map(|line| if line.contains(",stages,") { line.to_owned() } else { format!("{line},") })
        .collect();
    let table = format!("{header}\n{}\n", lines.join("\n"));
    fs::write(folder.path().join("history.csv"), table).expect("written");
    let mut settings = Settings::default();
    settings.input.pgn.push(folder.path().join("games.pgn"));
    settings.input.history.push(folder.path().join("history.csv"));
    settings.ratings.compute = false;
    if !decision.is_empty() {
        fs::write(folder.path().join("decisions.toml"), decision).expect("written");
        settings.input.decisions.push(folder.path().join("decisions.toml"));
    }
    build(settings, &Silent).expect("there are games")
}

const RIGHT: &str = "testville-1955,Testville,Testville,1955-05,1955-05,round_robin,6,1,15,\"Alder, Anna\",5,\"Birch, Boris\",4";

/// The differences of the event, and their explanations.
fn differences(archive: &Archive) -> Vec<(Aspect, Option<Explanation>)> {
    let all = archive.findings.checked.differing.iter().flat_map(|(_, differences)| differences);
    all.map(|difference| (difference.aspect, difference.explanation)).collect()
}

#[test]
fn event_with_the_known_results_agrees() {
    let archive = archive(RIGHT, "");
    assert_eq!((archive.findings.checked.agreeing.len(), differences(&archive)), (1, Vec::new()));
}

#[test]
fn the_season_in_a_tag_selects_among_known_results_and_these_give_the_months() {
    let lines =
        [("testville-1954-55", "1954-12", "1955-01"), ("testville-1955-56", "1955-12", "1956-01")]
            .map(|(key, from, to)| {
                format!(
                    "{key},Testville,Testville,{from},{to},round_robin,6,1,15,\"Alder, Anna\",,,"
                )
            });
    for (event, months) in
        [("Testville5556", ["1955-12", "1956-01"]), ("Testville5455", ["1954-12", "1955-01"])]
    {
        let archive = archive_of(&round_robin([event, "1955.??.??"]), &lines.join("\n"), "");
        let (first, last) = archive.records[0].event.days();
        assert_eq!([first.iso(), last.iso()], months, "{event}");
    }
}

#[test]
fn a_known_match_of_other_length_in_another_town_is_another_match() {
    for (place, games, is_known) in
        [("Elsewhere", 9, false), ("Testville", 9, true), ("Elsewhere", 6, true), ("", 9, true)]
    {
        let line = format!(
            "alder-birch-1955,Match,{place},1955,1955,match,2,,{games},\"Alder, Anna\",6,\"Birch, Boris\",3"
        );
        let archive = archive_of(&drawn_match(), &line, "");
        assert_eq!(archive.records[0].event.known.is_some(), is_known, "{place} {games}");
    }
}

#[test]
fn unexplained_points_are_a_difference_until_reviewed() {
    let wrong = RIGHT.replace("\"Alder, Anna\",5", "\"Alder, Anna\",4.5");
    assert_eq!(differences(&archive(&wrong, "")), [(Aspect::Points, None)]);
    // A decision about a rating does not explain the points.
    let rating = "[testville-1955]\nauthor = \"A\"\nreason = \"R\"\n\
                  ratings = [{ player = \"Elm, Emma\", set = 2000 }]\n";
    assert_eq!(differences(&archive(&wrong, rating)), [(Aspect::Points, None)]);
    let reviewed = "[testville-1955]\nauthor = \"A\"\nreason = \"R\"\nreviewed = true\n";
    let decided = [(Aspect::Points, Some(Explanation::Decided))];
    assert_eq!(differences(&archive(&wrong, reviewed)), decided);
}

/// A preliminary of six, and a final of four that another player wins.
fn preliminary_and_final() -> String {
    let [alder, birch, cedar, dogwood, ..] = PLAYERS;
    round_robin(["Testville prel", "1955.05.01"])
        + &round_robin_of(&[birch, cedar, alder, dogwood], ["Testville f", "1955.05.20"])
}

/// The known results of both stages.
const STAGES: &str = "preliminary,,Testville,1955-05,1955-05,round_robin,6,1,15,\"Alder, Anna\",5,,\n\
                      final,,Testville,1955-05,1955-05,round_robin,4,1,6,\"Birch, Boris\",3,,";

#[test]
fn the_stages_that_a_known_result_names_are_one_event() {
    let whole = "whole,,Testville,1955-05,1955-05,stages,6,,21,\"Birch, Boris\",7,\"Alder, Anna\",6,\
                 preliminary; final";
    let archive = archive_of(&preliminary_and_final(), &format!("{STAGES}\n{whole}"), "");
    let shown: Vec<(&str, Option<&str>, bool)> = archive
        .records
        .iter()
        .map(|record| &record.event)
        .map(|event| (event.id.as_str(), event.part_of.as_deref(), event.ranked_elsewhere))
        .collect();
    let mut expected = [
        ("testville-1955", None, false),
        ("testville-f-1955", Some("testville-1955"), true),
        ("testville-preliminary-1955", Some("testville-1955"), true),
    ];
    expected.sort_unstable();
    let mut found = shown.clone();
    found.sort_unstable();
    assert_eq!(found, expected);
    let record = archive.records.iter().find(|record| record.event.part_of.is_none()).expect("one");
    let first = &record.analysis.players[0];
    assert_eq!((first.name.as_str(), first.points, first.games), ("Birch, Boris", 7.0, 8));
    assert_eq!((record.event.coverage(), record.event.recognised.expected_games), (1.0, 21));
    assert_eq!(differences(&archive), []);
}

#[test]
fn a_preliminary_and_a_final_without_such_a_line_stay_two_events() {
    let archive = archive_of(&preliminary_and_final(), STAGES, "");
    assert_eq!(archive.records.len(), 2);
    assert!(archive.records.iter().all(|record| record.event.part_of.is_none()));
    // A final that is not known leaves the preliminary as it is.
    let whole =
        "whole,,Testville,1955-05,1955-05,stages,6,,21,\"Birch, Boris\",7,,,preliminary; other";
    let archive = archive_of(&preliminary_and_final(), &format!("{STAGES}\n{whole}"), "");
    assert!(archive.records.iter().all(|record| !record.event.ranked_elsewhere));
}

#[test]
fn a_tournament_that_moved_has_all_of_its_towns() {
    let moved = RIGHT.replace("Testville,Testville,", "Testville,Elsewhere/Testville,");
    let archive = archive(&moved, "");
    let event = &archive.records[0].event;
    assert_eq!(
        (event.name.as_str(), event.site.as_str()),
        ("Testville 1955", "Elsewhere/Testville")
    );
}

#[test]
fn half_of_a_known_double_round_robin_lacks_games() {
    let double = RIGHT
        .replace("round_robin,6,1,15", "round_robin,6,2,30")
        .replace("\"Alder, Anna\",5", "\"Alder, Anna\",10");
    let archive = archive(&double, "");
    let event = &archive.records[0].event;
    assert_eq!((event.recognised.placed_games, event.recognised.expected_games), (15, 30));
    let explained = differences(&archive);
    assert!(
        explained.iter().all(|(_, why)| *why == Some(Explanation::GamesMissing)),
        "{explained:?}"
    );
}

#[test]
fn known_winner_replaces_the_points_winner_and_famous_events_without_games_are_absent() {
    // The known result names the games' runner-up as winner. There was not a tie, so this is a
    // difference.
    let other = RIGHT
        .replace("\"Alder, Anna\",5,\"Birch, Boris\",4", "\"Birch, Boris\",4,\"Alder, Anna\",5");
    let archive = archive(&other, "");
    let record = &archive.records[0];
    let names: Vec<&str> = record
        .winners()
        .into_iter()
        .map(|place| record.analysis.players[place].name.as_str())
        .collect();
    assert_eq!(names, ["Birch, Boris"]);
    assert!(differences(&archive).contains(&(Aspect::Winner, None)));
    // Bundled results of 1955 are of other events.
    assert!(archive.findings.checked.absent.iter().any(|result| result.event.contains("1955")));
}

/// Returns the first event with this number of players.
fn event_of(archive: &Archive, players: usize) -> greatness::events::Event {
    let mut events = archive.records.iter().map(|record| record.event.clone());
    events.find(|event| event.players.len() == players).unwrap()
}

#[test]
fn an_event_keeps_its_days_and_place_when_a_decision_moves_a_game_away() {
    let games = round_robin(["Tournament", "1955.??.??"]) + &drawn_match();
    let line = "testville-1955,Testville,Testville,1955-05-02,1955-05-20,round_robin,6,1,15,\
                \"Alder, Anna\",5,\"Birch, Boris\",4";
    let found = archive_of(&games, line, "");
    let tournament = event_of(&found, 6);
    assert_eq!(tournament.days().0.iso(), "1955-05-02", "the source has the days");
    let decision = format!(
        "[{}]\nauthor = \"A\"\ndate = 2026-11-21\nreason = \"R\"\nmoved_games = \
         [{{ from = \"{}\", white = \"Alder, Anna\", black = \"Birch, Boris\" }}]\n",
        event_of(&found, 2).id,
        tournament.id
    );
    let rest = event_of(&archive_of(&games, line, &decision), 6);
    assert_eq!(rest.games.len(), 14);
    assert_eq!((rest.days(), rest.site), (tournament.days(), tournament.site));
}
