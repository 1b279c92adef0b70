//! Tests that the winner of an event is first in all tables and on all pages, that shared places
//! are shared, and that a score is the same on every page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::support::Bundled;

/// The rows of all performances, by event.
fn standings() -> BTreeMap<String, Vec<Value>> {
    let mut standings: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in Bundled::get().table("performances") {
        standings.entry(row["event_id"].as_str().unwrap().to_owned()).or_default().push(row);
    }
    standings
}

fn rank(row: &Value, column: &str) -> usize {
    row[column].as_u64().unwrap() as usize
}

#[test]
fn the_winner_is_first_in_the_table_of_performances() {
    let standings = standings();
    let mut decided_otherwise = 0;
    for event in Bundled::get().table("events") {
        let winners: BTreeSet<&str> =
            event["winner_ids"].as_str().unwrap_or_default().split("; ").collect();
        if winners.iter().all(|winner| winner.is_empty()) {
            continue;
        }
        let id = event["event_id"].as_str().unwrap();
        let rows = &standings[id];
        let first = |column: &str| -> BTreeSet<&str> {
            let rows = rows.iter().filter(|row| rank(row, column) == 1);
            rows.map(|row| row["player_id"].as_str().unwrap()).collect()
        };
        assert_eq!(first("rank"), winners, "{id}");
        decided_otherwise += usize::from(winners.len() == 1 && first("points_rank") != winners);
    }
    assert!(decided_otherwise > 50, "{decided_otherwise}");
}

#[test]
fn the_numbers_of_a_shared_place_are_those_of_its_players() {
    let mut open = 0;
    for (id, rows) in standings() {
        for (next, row) in (1..).zip(&rows) {
            let (first, last) = (rank(row, "rank"), rank(row, "last_rank"));
            assert!(first <= next && next <= last, "{id}: {row}");
            if row["place_is_open"] == true {
                assert!(first < last, "{id}: {row}");
                open += 1;
                continue;
            }
            let sharing = rows
                .iter()
                .filter(|other| rank(other, "rank") == first && other["place_is_open"] == false);
            assert_eq!(sharing.count(), last - first + 1, "{id}: {row}");
        }
        let by_points: BTreeSet<usize> = rows.iter().map(|row| rank(row, "points_rank")).collect();
        assert_eq!(by_points, (1..=rows.len()).collect(), "{id}");
    }
    assert!(open > 100, "{open} places that missing games leave open");
}

#[test]
fn history_gives_the_second_place_that_missing_games_hide() {
    // Naiditsch scored 4½ in his eight known games, and 8½ of 13.
    let rows = &standings()["wijk-aan-zee-b-2010"];
    let second = rows.iter().find(|row| rank(row, "rank") == 2).unwrap();
    assert_eq!(second["player"], "Naiditsch, Arkadij");
    assert_eq!((rank(second, "last_rank"), &second["place_is_open"]), (2, &Value::Bool(false)));
}

/// The places of the first players of an event, by name.
fn first_places(id: &str, count: usize) -> Vec<String> {
    let rows = &standings()[id];
    let line = |row: &Value| {
        let name = row["player"].as_str().unwrap().split(',').next().unwrap().to_owned();
        format!("{}-{} {name}", rank(row, "rank"), rank(row, "last_rank"))
    };
    rows.iter().take(count).map(line).collect()
}

#[test]
fn the_players_of_a_knock_out_are_ranked_by_the_round_they_reached() {
    let moscow = first_places("moscow-2001", 5);
    assert_eq!(moscow[..2], ["1-1 Ponomariov", "2-2 Ivanchuk"]);
    assert_eq!(moscow[2..4], ["3-4 Anand", "3-4 Svidler"]);
    assert!(moscow[4].starts_with("5-8 "), "{moscow:?}");
    // The match for the third place counts.
    let new_york = first_places("new-york-1857", 4);
    assert_eq!(new_york, ["1-1 Morphy", "2-2 Paulsen", "3-3 Lichtenhein", "4-4 Raphael"]);
}

#[test]
fn places_follow_from_the_scoring_of_the_event() {
    // Carlsen has more game points, Wang Hao more wins.
    assert_eq!(first_places("biel-2012", 2), ["1-1 Wang Hao", "2-2 Carlsen"]);
    assert_eq!(first_places("bilbao-2008", 1), ["1-1 Topalov"]);
}

/// The text of a piece of a page, without its elements.
fn text(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<').skip(1) {
        text.push_str(piece.split_once('>').map_or("", |(_, after)| after));
        text.push(' ');
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A row of a table that begins with the link to a page.
struct Row {
    href: String,
    cells: Vec<String>,
}

/// The rows of the tables of a page that link to a page of this folder.
fn rows(page: &str, folder: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for row in page.split("<tr").skip(1) {
        let Some((_, head)) = row.split_once("<th scope=\"row\"><a href=\"../") else { continue };
        let (href, _) = head.split_once('"').unwrap();
        if href.starts_with(folder) {
            let cells = row.split("</tr>").next().unwrap().split("<td").skip(1);
            let cells = cells.map(|cell| cell.split("</td>").next().unwrap());
            let cells = cells.map(|cell| text(&format!("<td{cell}"))).collect();
            rows.push(Row { href: href.to_owned(), cells });
        }
    }
    rows
}

/// The pages of a folder of the archive, with their addresses.
fn pages(folder: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(Bundled::get().path().join(folder)).unwrap();
    let mut pages = Vec::new();
    for file in files {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "html") {
            let address = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
            pages.push((address, fs::read_to_string(&path).unwrap()));
        }
    }
    pages
}

/// The part of a page between two texts.
fn between<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    page.split_once(start).map_or("", |(_, after)| after.split(end).next().unwrap())
}

#[test]
fn the_page_of_an_event_and_those_of_its_players_give_the_same_place_and_score() {
    let mut of_players: BTreeMap<(String, String), (String, String)> = BTreeMap::new();
    for (player, page) in pages("players") {
        for row in rows(between(&page, "<h2>Performances</h2>", "</table>"), "events/") {
            let event = row.href.split('#').next().unwrap().to_owned();
            let found = (row.cells[0].clone(), row.cells[1].clone());
            of_players.insert((event, player.clone()), found);
        }
    }
    let mut compared = 0;
    for (event, page) in pages("events") {
        for row in rows(between(&page, "<table class=\"standings", "</table>"), "players/") {
            let Some((place, score)) = of_players.get(&(event.clone(), row.href.clone())) else {
                continue;
            };
            let place = place.split(" of ").next().unwrap();
            assert_eq!((place, score), (&*row.cells[0], &row.cells[2]), "{event}, {}", row.href);
            compared += 1;
        }
    }
    assert!(compared > 5000, "{compared}");
}
