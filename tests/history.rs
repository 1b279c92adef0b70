//! Events held against what history knows of them, by a table of one's own.

use std::fs;
use std::path::Path;

use greatness::archive::{Archive, Aspect, Explanation, Settings, Silent, build};

const PLAYERS: [&str; 6] =
    ["Alder, Anna", "Birch, Boris", "Cedar, Clara", "Dogwood, Denis", "Elm, Emma", "Fir, Felix"];

/// A round robin of six in which who stands further up the list wins: 5, 4, 3, 2, 1 and 0 points.
fn round_robin(folder: &Path) {
    let mut pgn = String::new();
    for (place, white) in PLAYERS.iter().enumerate() {
        for black in &PLAYERS[place + 1..] {
            pgn.push_str(&format!(
                "[Event \"Tournament\"]\n[Site \"Testville\"]\n[Date \"1955.05.01\"]\n[Round \"?\"]\n\
                 [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1-0\n\n"
            ));
        }
    }
    fs::write(folder.join("games.pgn"), pgn).expect("written");
}

/// The archive of it beside a line about it, and of what was decided.
fn archive(line: &str, decision: &str) -> Archive {
    let folder = tempfile::tempdir().expect("a folder");
    round_robin(folder.path());
    let header =
        "event,name,place,from,to,format,players,cycles,games,winners,points,second,second_points";
    fs::write(folder.path().join("history.csv"), format!("{header}\n{line}\n")).expect("written");
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

/// In what the event differs, and why.
fn differences(archive: &Archive) -> Vec<(Aspect, Option<Explanation>)> {
    let all = archive.findings.checked.differing.iter().flat_map(|(_, differences)| differences);
    all.map(|difference| (difference.aspect, difference.explanation)).collect()
}

#[test]
fn an_event_that_is_as_history_knows_it_agrees() {
    let archive = archive(RIGHT, "");
    assert_eq!((archive.findings.checked.agreeing.len(), differences(&archive)), (1, Vec::new()));
}

#[test]
fn points_that_nothing_explains_are_a_difference_until_somebody_decides() {
    let wrong = RIGHT.replace("\"Alder, Anna\",5", "\"Alder, Anna\",4.5");
    assert_eq!(differences(&archive(&wrong, "")), [(Aspect::Points, None)]);
    // That a rating was set says nothing of the points.
    let rating = "[testville-1955]\nauthor = \"A\"\nreason = \"R\"\n\
                  ratings = [{ player = \"Elm, Emma\", set = 2000 }]\n";
    assert_eq!(differences(&archive(&wrong, rating)), [(Aspect::Points, None)]);
    let reviewed = "[testville-1955]\nauthor = \"A\"\nreason = \"R\"\nreviewed = true\n";
    let decided = [(Aspect::Points, Some(Explanation::Decided))];
    assert_eq!(differences(&archive(&wrong, reviewed)), decided);
}

#[test]
fn half_of_a_double_round_robin_is_no_whole_single_one_where_history_knows_both_halves() {
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
fn the_winner_is_who_won_the_tie_break_and_a_famous_event_without_games_is_absent() {
    // History gives the first place to the second by the games: no tie, so that it is a difference.
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
    // Bundled lines about 1955 are about other events.
    assert!(archive.findings.checked.absent.iter().any(|result| result.event.contains("1955")));
}
