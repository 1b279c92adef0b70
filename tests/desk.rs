//! Tests the Ratings Administrator's desk without a browser: what it saves, what it refuses, what
//! it predicts, and how it rebuilds the archive.

use std::fs;
use std::path::{Path, PathBuf};

use greatness::archive::{ListSettings, Settings, read_decisions};
use greatness::decisions::Decisions;
use greatness::review_server::{Choice, Desk, DeskError, RebuildCommand, RunningBuild};
use serde_json::{Value, json};

use crate::support::{Bundled, player};

/// A desk on the bundled archive, with the path of its file.
fn desk(folder: &Path) -> (Desk, PathBuf) {
    let file = folder.join("decisions.toml");
    let mut bundled = Decisions::default();
    bundled.read(&bundled_file()).unwrap();
    let desk = Desk::open(Bundled::get().path(), &file, ListSettings::default()).unwrap();
    (desk.with_bundled(bundled), file)
}

fn bundled_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/decisions/bundled.toml")
}

/// A choice with author, date and reason, as the page sends it.
fn choice(what: Value) -> Choice {
    let mut whole = json!({ "author": "A. Archivist", "date": "2026-11-21", "reason": "R" });
    whole.as_object_mut().unwrap().append(&mut what.as_object().unwrap().clone());
    serde_json::from_value(whole).unwrap()
}

fn event(desk: &Desk, id: &str) -> Value {
    serde_json::to_value(desk.event(id).unwrap()).unwrap()
}

fn refused(outcome: Result<impl Sized, DeskError>) -> String {
    outcome.err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn an_empty_choice_a_future_date_and_a_missing_reason_are_refused_and_nothing_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, file) = desk(folder.path());
    let [empty, future, reason] = [
        json!({}),
        json!({ "listed": false, "date": "2999-01-01" }),
        json!({ "listed": false, "reason": " " }),
    ]
    .map(|what| refused(desk.decide("vienna-1898", choice(what))));
    assert!(empty.starts_with("nothing is decided"), "cleared and saved");
    assert!(future.starts_with("2999-01-01 is in the future"), "{future}");
    assert!(reason.contains("`reason` is missing"), "{reason}");
    assert!(!file.exists());
}

#[test]
fn an_event_of_the_bundled_file_is_decided_by_replacing_its_decision() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, file) = desk(folder.path());
    let found = event(&desk, "cambridge-springs-1904");
    assert_eq!(found["elsewhere"], Value::Null, "the bundled file is not the user's");
    assert_eq!(found["bundled"]["ratings"][0]["set"], 2826.0);
    let what = json!({ "ratings": [{ "player": "Lasker, Emanuel", "set": 2800.0 }] });
    assert_eq!(player(&found["answer"], "Lasker, Emanuel")["rating"], 2826.0);
    let answer = desk.decide("cambridge-springs-1904", choice(what)).unwrap();
    let answer = serde_json::to_value(answer).unwrap();
    assert_eq!(player(&answer, "Lasker, Emanuel")["rating"], 2800.0);
    assert!(event(&desk, "cambridge-springs-1904")["decision"].is_object());

    let mut settings = Settings::default();
    settings.input.bundled = Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("data"));
    settings.input.decisions = vec![bundled_file(), file];
    let decisions = read_decisions(&settings.input).unwrap();
    assert_eq!(decisions.len(), 60);
    assert_eq!(decisions.get("cambridge-springs-1904").unwrap().ratings.len(), 1);
    let warning = decisions.replaced()[0].warning().unwrap();
    assert!(warning.contains("its `note`, `special_conditions` no longer apply"), "{warning}");
}

fn effect(desk: &Desk, id: &str, what: Value) -> Value {
    serde_json::to_value(desk.effect(id, choice(what)).unwrap()).unwrap()
}

#[test]
fn winner_end_days_and_forfeits_show_their_effect_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    let found = effect(&desk, "vienna-1898", json!({ "note": "N" }));
    assert_eq!(found["before"]["winners"], "Tarrasch, Siegbert");
    let decided = effect(
        &desk,
        "vienna-1898",
        json!({
            "winners": ["Pillsbury, Harry Nelson"],
            "outcome": "stopped",
            "start": "1898-06-01",
            "name": "Kaiser-Jubiläumsturnier",
        }),
    );
    let after = &decided["after"];
    assert_eq!(after["winners"], "Pillsbury, Harry Nelson");
    assert_eq!(
        (&after["outcome"], &after["name"]),
        (&json!("stopped"), &json!("Kaiser-Jubiläumsturnier"))
    );
    assert!(after["days"].as_str().unwrap().starts_with("1898-06-01 to "), "{}", after["days"]);
    assert_eq!(
        decided["later"],
        json!(["The next build looks up the ratings of the new first day."])
    );
    // The round identifies the game; without its forfeit the second game of 1972 counts.
    let id = "fischer-spassky-reykjavik-1972";
    // The decision has the names of the games, and the form those of the page.
    let forfeit = event(&desk, id)["bundled"]["forfeits"].clone();
    let names = (&forfeit[0]["white"], &forfeit[0]["black"]);
    assert_eq!(names, (&json!("Fischer, Bobby"), &json!("Spassky, Boris")));
    for (what, expected) in [
        (json!({ "forfeits": forfeit }), json!([20, 20])),
        (json!({ "note": "N" }), json!([21, 21])),
    ] {
        let answer = effect(&desk, id, what);
        let players = answer["players"].as_array().unwrap();
        let games: Value = players.iter().map(|player| player["games"].clone()).collect();
        assert_eq!(games, expected);
    }
}

#[test]
fn splits_moved_games_and_one_person_show_their_effect_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, _) = desk(folder.path());
    let id = "hastings-1895";
    let found = &effect(&desk, id, json!({ "note": "N" }))["after"];
    assert_eq!((&found["players"], &found["games"][0]), (&json!(22), &json!(231)));
    let three = ["Pillsbury, Harry Nelson", "Chigorin, Mikhail", "Lasker, Emanuel"];
    let split = json!({ "split": [{ "name": "Three of them", "players": three }] });
    assert_eq!(effect(&desk, id, split)["after"]["games"][0], 228);
    let person = json!({ "persons": [{ "name": three[0], "spellings": [three[1]] }] });
    let message = refused(desk.effect(id, choice(person)));
    assert!(message.contains("met in this event, so they are two persons"), "{message}");
    let moved = json!({ "moved_games": [{ "from": "vienna-1898", "white": "X", "black": "Y" }] });
    let message = refused(desk.effect(id, choice(moved)));
    assert!(message.contains("no player X in the event"), "{message}");
}

/// Returns the state of a desk after a rebuild with the given arguments of the program.
fn rebuilt(folder: &Path, arguments: &[&str], refusal: Option<&str>) -> Value {
    let (desk, _) = desk(folder);
    let arguments = arguments.iter().map(|word| (*word).to_owned());
    let words =
        std::iter::once(env!("CARGO_BIN_EXE_greatness").to_owned()).chain(arguments).collect();
    let refusal = refusal.map(str::to_owned);
    let running = RunningBuild::default();
    let desk = desk.with_rebuild(RebuildCommand { words, refusal, running });
    if desk.begin_rebuild() {
        assert!(!desk.begin_rebuild(), "one at a time");
        desk.rebuild();
    }
    serde_json::to_value(desk.rebuild_state()).unwrap()
}

#[test]
fn the_desk_rebuilds_with_the_command_that_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(rebuilt(folder.path(), &["--version"], None)["state"], "done");
    let failed = rebuilt(folder.path(), &["build", "--pgn", "no such games"], None);
    assert_eq!(failed["state"], "failed");
    assert!(failed["message"].as_str().unwrap().contains("no such games"), "{failed}");
    assert!(
        failed["command"].as_str().unwrap().ends_with("build --pgn 'no such games'"),
        "{failed}"
    );
    let refused = rebuilt(folder.path(), &["--version"], Some("Other inputs."));
    assert_eq!((&refused["state"], &refused["refusal"]), (&json!("idle"), &json!("Other inputs.")));
    fs::remove_dir_all(folder.path()).unwrap();
}

#[test]
fn the_desk_refuses_what_every_build_would_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, file) = desk(folder.path());
    let tarrasch = "Tarrasch, Siegbert";
    for (what, part) in [
        (json!({ "kind": "match" }), "a match has two players, and the event has 20"),
        (json!({ "start": "2099" }), "start: 2099 is 201 years from 1898"),
        (json!({ "end": "1897" }), "before it begins"),
        (json!({ "winners": [tarrasch, tarrasch] }), "winners: Tarrasch, Siegbert is named twice"),
        (json!({ "number_two": 275.0 }), "number_two: 275 is not a possible rating"),
        (json!({ "ratings": [{ "player": tarrasch, "set": 29000.0 }] }), "29000 is not a possible"),
        (
            json!({ "forfeits": [{ "white": tarrasch, "black": "Pillsbury, Harry Nelson", "round": "99" }] }),
            "forfeits: 0 games of Tarrasch, Siegbert (White)",
        ),
        (json!({ "merge": ["fischer-spassky-reykjavik-1972"] }), "has no player of this event"),
        (
            json!({ "split": [{ "name": "Vienna", "players": [tarrasch, "Pillsbury, Harry Nelson"] }] }),
            "split: an event vienna-1898 exists already",
        ),
    ] {
        let message = refused(desk.effect("vienna-1898", choice(what.clone())));
        assert!(message.contains(part), "{what}: {message}");
        assert!(!message.contains("the desk: "), "{message}");
        assert_eq!(refused(desk.decide("vienna-1898", choice(what))), message);
    }
    let event = Bundled::get().table("events").into_iter().find(|event| {
        let id = event["event_id"].as_str().unwrap();
        Bundled::get().event(id)["standing"]["is_ranked_elsewhere"] == true
    });
    let event = event.unwrap();
    let id = event["event_id"].as_str().unwrap();
    let message = refused(desk.decide(id, choice(json!({ "listed": true }))));
    assert!(message.contains("its games are ranked with another event"), "{message}");
    assert!(!file.exists(), "nothing was saved");
}

#[test]
fn a_later_save_does_not_replace_what_another_desk_decided() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = desk(folder.path());
    let (second, _) = desk(folder.path());
    let [of_first, of_second] =
        [&first, &second].map(|desk| event(desk, "vienna-1898")["revision"].clone());
    assert_eq!(of_first, "", "no decision yet");
    let name = choice(json!({ "name": "Kaiser-Jubiläumsturnier", "seen": of_first }));
    let saved = serde_json::to_value(first.decide("vienna-1898", name).unwrap()).unwrap();
    let tempo = choice(json!({ "tempo": "rapid", "seen": of_second }));
    let message = refused(second.decide("vienna-1898", tempo));
    assert!(message.starts_with("Meanwhile A. Archivist decided about it: \"R\"."), "{message}");
    let found = event(&second, "vienna-1898");
    assert_eq!(found["decision"]["name"], "Kaiser-Jubiläumsturnier", "it is kept");
    assert_eq!(found["revision"], saved["revision"]);
    let tempo = choice(json!({ "tempo": "rapid", "seen": found["revision"] }));
    second.decide("vienna-1898", tempo).unwrap();
    assert!(first.take_back("vienna-1898", saved["revision"].as_str()).is_err());
}

#[test]
fn own_decisions_are_listed_even_if_the_queue_lacks_their_events() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, file) = desk(folder.path());
    desk.decide("london-1883", choice(json!({ "note": "N" }))).unwrap();
    let gone =
        "[gone-1900]\nauthor = \"B\"\ndate = 2026-11-20\nreason = \"S\"\nmove_pressure = true\n";
    fs::write(&file, fs::read_to_string(&file).unwrap() + gone).unwrap();
    let own = serde_json::to_value(desk.own_decisions().unwrap()).unwrap();
    for (place, key, text) in [
        (0, "id", "gone-1900"),
        (0, "name", "gone-1900"),
        (0, "what", "move pressure"),
        (0, "date", "2026-11-20"),
        (1, "id", "london-1883"),
        (1, "name", "London 1883"),
    ] {
        assert_eq!(own[place][key], text, "{key}");
    }
    let revision = own[0]["revision"].as_str().unwrap();
    assert!(desk.take_back("gone-1900", Some(revision)).unwrap());
    assert_eq!(desk.own_decisions().unwrap().len(), 1);
}
