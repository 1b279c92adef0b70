//! Reads the built pages of the bundled archive, and compares the numbers that two places show.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::Bundled;

/// The text between two others; fails if it is absent.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before:?}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} after {before:?}")).0
}

/// A page without its markup, on one line.
fn words(html: &str) -> String {
    let mut text = String::new();
    let mut is_markup = false;
    for c in html.chars() {
        match c {
            '<' => is_markup = true,
            '>' => is_markup = false,
            _ if is_markup => {}
            c if c.is_whitespace() => text.push(' '),
            c => text.push(c),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page(path: &str) -> String {
    let path = Bundled::get().path().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder of the archive with this extension.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Bundled::get().path().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// A count as pages write it: `1,190`.
fn count(text: &str) -> usize {
    text.trim().replace(',', "").parse().unwrap_or_else(|_| panic!("{text:?} is no count"))
}

fn whole(row: &Value, column: &str) -> usize {
    row[column].as_u64().unwrap_or_else(|| panic!("{column} of {row}")) as usize
}

fn rows_by(table: &str, column: &str) -> BTreeMap<String, Value> {
    let rows = Bundled::get().table(table).into_iter();
    rows.map(|row| (row[column].as_str().unwrap().to_owned(), row)).collect()
}

/// Careers of all players for the comparison of two of them, by id.
fn dossiers() -> BTreeMap<String, Value> {
    let mut dossiers = BTreeMap::new();
    for file in files("compare", "js") {
        let text = fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| !line.starts_with("self.greatnessMoved")) {
            let call = between(line, "greatnessDossier(", ");");
            let (id, dossier) = call.split_once(", ").unwrap();
            let dossier = serde_json::from_str(dossier).unwrap();
            dossiers.insert(id.trim_matches('"').to_owned(), dossier);
        }
    }
    dossiers
}

/// Returns the number before a noun, singular or plural, in the lead of a page.
fn number_of(lead: &str, noun: &str) -> usize {
    let noun =
        if lead.contains(&format!(" {noun}s")) { format!("{noun}s") } else { noun.to_owned() };
    let before = lead.split(&format!(" {noun}")).next().unwrap();
    count(before.rsplit(' ').next().unwrap())
}

#[test]
fn a_players_events_games_and_best_g_agree_on_their_page_in_comparisons_and_in_the_lists() {
    let (players, dossiers) = (rows_by("players", "player_id"), dossiers());
    let mut ranked: BTreeMap<String, f64> = BTreeMap::new();
    for row in Bundled::get().table("greatness") {
        let id = row["player_id"].as_str().unwrap().to_owned();
        // The list is in order, so the first is the best.
        ranked.entry(id).or_insert(row["g_score"].as_f64().unwrap());
    }
    let pages = files("players", "html");
    assert!(pages.len() > 500, "{}", pages.len());
    for path in pages {
        let id = stem(&path);
        let html = fs::read_to_string(&path).unwrap();
        if !html.contains("<p class=\"lead\">") {
            // Redirects from a former address.
            continue;
        }
        let lead = words(between(&html, "<p class=\"lead\">", "</p>"));
        let (row, dossier) = (&players[&id], &dossiers[&id]);
        let events = [
            number_of(&lead, "event"),
            whole(row, "events"),
            dossier["events"].as_array().unwrap().len(),
        ];
        assert!(events.iter().all(|number| *number == events[0]), "{id}: {events:?} events");
        let games = [number_of(&lead, "game"), whole(row, "games"), whole(dossier, "games")];
        assert!(games.iter().all(|number| *number == games[0]), "{id}: {games:?} games");

        // A score that rounds to zero has no sign.
        let best = row["best_g"]
            .as_f64()
            .map(|g| format!("{g:.2}").replace("-0.00", "0.00").replace('-', "\u{2212}"));
        let on_page =
            lead.split_once(", G ").map(|(_, rest)| rest.split([',', ' ']).next().unwrap());
        let on_page = on_page.map(|g| g.trim_end_matches('.').to_owned());
        let compared = dossier["best"][0].as_str().map(str::to_owned);
        assert_eq!((&on_page, &compared), (&best, &best), "{id}: best G");
        if let Some(first) = ranked.get(&id) {
            assert_eq!(Some(*first), row["best_g"].as_f64(), "{id}: best G on the list");
        }
    }
}

#[test]
fn g_scores_above_the_best_of_a_player_say_that_they_are_not_ranked() {
    let mut found = 0;
    for path in files("players", "html") {
        let html = fs::read_to_string(&path).unwrap();
        let Some((_, rest)) = html.split_once("<h2>Performances</h2>") else { continue };
        let Some((table, _)) = rest.split_once("</table>") else { continue };
        let lead = words(between(&html, "<p class=\"lead\">", "</p>"));
        let best = lead.split_once(", G ").and_then(|(_, rest)| {
            rest.split([',', ' ']).next().unwrap().trim_end_matches('.').parse::<f64>().ok()
        });
        for row in table.split("<tr>").skip(1) {
            let Some((_, cell)) = row.rsplit_once("<td class=\"n\">") else { continue };
            let Ok(g) = words(cell).split(' ').next().unwrap().parse::<f64>() else { continue };
            if g >= 100.0 && best.is_none_or(|best| g > best + 0.005) {
                found += 1;
                assert!(cell.contains("not ranked"), "{}: {}", path.display(), words(row));
            }
        }
    }
    assert!(found > 5, "{found}");
}

#[test]
fn the_review_queue_has_one_size_on_all_pages_and_at_the_desk() {
    // The desk reads this table.
    let queue = Bundled::get().table("review");
    let changing = queue.iter().filter(|row| row["weight"].as_f64() > Some(0.0)).count();
    let review = words(between(&page("review.html"), "<p class=\"lead\">", "</p>"));
    assert_eq!(count(review.split(' ').next().unwrap()), queue.len(), "{review}");
    assert_eq!(count(between(&review, "In ", " of them")), changing, "{review}");
    let about = words(&page("about.html"));
    assert_eq!(count(between(&about, "the review queue: ", ".")), queue.len());
    assert_eq!(count(between(&about, ". In ", " of them a different decision")), changing);
    let front = words(&page("index.html"));
    let waiting = front.split_once(" a different decision").unwrap().0;
    let waiting = waiting.rsplit("In ").next().unwrap();
    assert_eq!(count(waiting.split(' ').next().unwrap()), changing, "{waiting}");
}

#[test]
fn each_band_has_one_count_on_the_list_on_its_own_page_and_in_the_table() {
    let rows = Bundled::get().table("greatness");
    let html = page("greatness.html");
    let bands = between(&html, "<table class=\"bands\">", "</table>");
    let mut all = 0;
    for line in bands.split("<tr>").skip(2) {
        let number = between(line, "band b", "\"");
        let name = between(line, "<th scope=\"row\">", "</th>");
        let shown = count(between(line, "<td class=\"n\">", "</td>"));
        all += shown;
        let ranked = rows.iter().filter(|row| row["band"].as_str() == Some(name)).count();
        assert_eq!(shown, ranked, "{name}");
        if ranked > 0 {
            let own = page(&format!("greatness/band-{number}.html"));
            let lead = words(between(&own, "<p class=\"lead\">", "</p>"));
            assert_eq!(count(lead.split(' ').next().unwrap()), ranked, "{name}: {lead}");
        }
    }
    assert_eq!(all, rows.len());
}

#[test]
fn the_players_of_an_event_are_those_of_the_table_without_those_who_withdrew() {
    let events = rows_by("events", "event_id");
    let mut withdrawn = 0;
    for path in files("events", "html") {
        let html = fs::read_to_string(&path).unwrap();
        let row = &events[&stem(&path)];
        let players = words(between(&html, "<dt>Players</dt><dd>", "</dd>"));
        let (number, withdrew) =
            (players.split([',', ' ']).next().unwrap(), whole(row, "withdrew"));
        let id = stem(&path);
        assert_eq!(count(number), whole(row, "players") - withdrew, "{id}: {players}");
        let standings = between(&html, "<table class=\"standings", "</table>");
        let lines = standings.matches("<tr><td class=\"n\">").count();
        assert_eq!(lines, count(number), "{id}: standings");
        withdrawn += withdrew;
        assert_eq!(players.contains("withdrew"), withdrew > 0, "{id}: {players}");
    }
    assert!(withdrawn > 10, "{withdrawn}");
}

fn event_and_player(row: &Value) -> (String, String) {
    (row["event_id"].to_string(), row["player_id"].to_string())
}

#[test]
fn the_ranked_performances_of_a_hundred_points_are_the_greatness_list() {
    let all = Bundled::get().table("performances");
    let found: BTreeSet<_> = all
        .iter()
        .filter(|row| row["ranked"] == true && row["g_score"].as_f64() >= Some(100.0))
        .map(event_and_player)
        .collect();
    let list: BTreeSet<_> =
        Bundled::get().table("greatness").iter().map(event_and_player).collect();
    assert!(list.len() > 2000, "{}", list.len());
    assert_eq!(found, list);
    for row in &all {
        assert_eq!(row["ranked"] == true, row["why_not_ranked"].is_null(), "{row}");
    }
}

#[test]
fn events_have_the_country_of_their_place() {
    let events = rows_by("events", "event_id");
    assert_eq!(events["vienna-1898"]["country"], "AUT");
    let known = events.values().filter(|event| event["country"].is_string()).count();
    assert!(known * 10 > events.len() * 9, "{known} of {}", events.len());
}
