//! Tests that sources of ratings are judged: whose rating counts, and which pool ranks no one.

use std::path::Path;

use crate::support::case;
use greatness::archive::{Archive, Settings, Silent, build};
use greatness::tournament::{Kind, Policy};

/// Builds an archive of a case with the bundled lists.
fn archive_of(name: &str) -> Archive {
    let mut settings = Settings::default();
    settings.input.pgn.push(case(name));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    build(settings.with_bundled_data(&data).unwrap(), &Silent).unwrap()
}

/// Builds an archive of a Swiss of sixteen players in five rounds, all of whom have rating tags.
/// The first `listed` of them are on FIDE's list of the month.
fn swiss(listed: usize) -> Archive {
    let mut text = String::new();
    let mut list = String::from("date,name,rating\n");
    for player in 0..listed {
        let letter = char::from(b'A' + player as u8);
        let rating = 2500 - 10 * player;
        list.push_str(&format!("2016-08-01,\"{letter}{letter}{letter}, {letter}\",{rating}\n"));
    }
    for round in 0..5 {
        let seat = |place: usize| if place == 0 { 15 } else { (round + place - 1) % 15 };
        for board in 0..8 {
            let (white, black) = (seat(board), seat(15 - board));
            text.push_str(&format!(
                "[Event \"Open\"]\n[Site \"Testville\"]\n[Date \"2016.08.0{0}\"]\n[Round \"{0}\"]\n",
                round + 1
            ));
            for (side, player) in [("White", white), ("Black", black)] {
                let letter = char::from(b'A' + player as u8);
                text.push_str(&format!("[{side} \"{letter}{letter}{letter}, {letter}\"]\n"));
                text.push_str(&format!("[{side}Elo \"{}\"]\n", 2500 - 10 * player));
            }
            let result = if (board + round) % 3 == 0 { "1-0" } else { "1/2-1/2" };
            text.push_str(&format!("[Result \"{result}\"]\n\n{result}\n\n"));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, text).unwrap();
    let fide = folder.path().join("fide-2016-08-01.csv");
    std::fs::write(&fide, list).unwrap();
    let mut settings = Settings::default();
    settings.input.pgn.push(path);
    settings.input.ratings.push(fide);
    build(settings, &Silent).unwrap()
}

#[test]
fn ratings_of_the_list_in_force_are_kept_in_a_swiss() {
    for (listed, policy) in [(12, Policy::Keep), (11, Policy::Correct)] {
        let archive = swiss(listed);
        assert_eq!(archive.records[0].event.kind, Kind::Swiss);
        assert_eq!(archive.records[0].options.policy, policy, "{listed} listed players");
    }
}

#[test]
fn a_club_without_links_to_rated_players_is_not_ranked() {
    let club = archive_of("lists/isolated-club-pool.pgn");
    assert_eq!(club.records.len(), 4);
    assert!(club.lists.greatness.is_empty() && club.lists.strength.is_empty());
}

#[test]
fn the_number_two_of_a_list_that_is_not_stored_is_counted_with_the_tags() {
    let merano = archive_of("lists/rating-day-before-the-event.pgn");
    let two = merano.records[0].ratings.number_two.as_ref().unwrap();
    assert_eq!((two.name.as_str(), two.rating), ("Korchnoi, Viktor", 2695.0));
}

/// Builds an archive of a match of twelve games with the bundled lists. `tags` are the ratings of
/// both players, 0 without a tag. Returns the number two on whom the match's figures rest.
fn number_two_of(players: [&str; 2], date: &str, tags: [u16; 2]) -> (String, f64) {
    let mut text = String::new();
    for game in 0..12 {
        text.push_str(&format!(
            "[Event \"World Championship Match\"]\n[Site \"Testville\"]\n[Date \"{date}\"]\n\
             [Round \"{}\"]\n",
            game + 1
        ));
        for (side, player) in [("White", game % 2), ("Black", 1 - game % 2)] {
            text.push_str(&format!("[{side} \"{}\"]\n", players[player]));
            if tags[player] > 0 {
                text.push_str(&format!("[{side}Elo \"{}\"]\n", tags[player]));
            }
        }
        text.push_str("[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.pgn");
    std::fs::write(&path, text).unwrap();
    let mut settings = Settings::default();
    settings.input.pgn.push(path);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let archive = build(settings.with_bundled_data(&data).unwrap(), &Silent).unwrap();
    let two = archive.records[0].ratings.number_two.as_ref().unwrap();
    (two.name.clone(), two.rating)
}

#[test]
fn tags_of_both_players_count_as_the_list_that_is_not_stored() {
    let players = ["Karpov, Anatoly", "Kasparov, Garry"];
    let of_july = |date| number_two_of(players, date, [2720, 2700]);
    assert_eq!(of_july("1985.09.10"), ("Kasparov, Garry".into(), 2700.0));
    assert_eq!(of_july("1985.??.??"), ("Kasparov, Garry".into(), 2700.0));
}

#[test]
fn without_tags_the_stored_list_in_force_counts() {
    let players = ["Kasparov, Garry", "Karpov, Anatoly"];
    let of_january = |date, tags| number_two_of(players, date, tags);
    assert_eq!(of_january("1987.10.12", [0, 0]), ("Karpov, Anatoly".into(), 2710.0));
    assert_eq!(of_january("1987.??.??", [2735, 2710]), ("Karpov, Anatoly".into(), 2710.0));
    // One tag that is on the list says no more than the list.
    assert_eq!(of_january("1987.10.12", [0, 2710]), ("Karpov, Anatoly".into(), 2710.0));
}

/// A round robin of six players. `rating` gives the tag of a player.
fn round_robin(event: &str, date: &str, rating: impl Fn(u16) -> Option<u16>) -> String {
    let mut text = String::new();
    for white in 0..6 {
        for black in white + 1..6 {
            text.push_str(&format!("[Event \"{event}\"]\n[Site \"Testville\"]\n"));
            text.push_str(&format!("[Date \"{date}\"]\n"));
            for (side, player) in [("White", white), ("Black", black)] {
                let letter = char::from(b'A' + player as u8);
                text.push_str(&format!("[{side} \"{letter}{letter}{letter}, {letter}\"]\n"));
                if let Some(rating) = rating(player) {
                    text.push_str(&format!("[{side}Elo \"{rating}\"]\n"));
                }
            }
            text.push_str("[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n");
        }
    }
    text
}

#[test]
fn an_old_rating_is_replaced_by_one_between_those_of_other_years() {
    let of_1990 = |player| Some(2500 + 10 * player);
    let of_1994 = |player| Some(2540 + 10 * player);
    let old = |player| Some(2200 + 7 * player);
    let sound = [
        round_robin("Autumn Cup", "1990.10.01", of_1990),
        round_robin("Winter Cup", "1992.12.20", |_| None),
        round_robin("Autumn Cup", "1994.10.01", of_1994),
    ];
    let stale = ["1990.05.01", "1992.10.01", "1994.05.01"];
    let stale = stale.map(|date| round_robin("Spring Cup", date, old));
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::default();
    for (name, games) in [("sound.pgn", sound), ("stale.pgn", stale)] {
        let path = folder.path().join(name);
        std::fs::write(&path, games.concat()).unwrap();
        settings.input.pgn.push(path);
    }
    let archive = build(settings, &Silent).unwrap();
    let of_1992 = |name: &str| {
        let mut records = archive.records.iter();
        let found = records.find(|record| {
            record.event.name.contains(name) && record.event.start.year() == Some(1992)
        });
        &found.unwrap().ratings
    };
    let ratings = [2520.0, 2530.0, 2540.0, 2550.0, 2560.0, 2570.0].map(Some);
    assert_eq!(of_1992("Spring").ratings, ratings);
    // A player without a tag may have had no rating.
    assert_eq!(of_1992("Winter").tried[0], ("Elo".to_owned(), 0));
}
