//! Tests collections that share games under different tags: which groups are joined, and which are
//! not.

use std::fmt::Write;

use greatness::archive::{Grouped, Selected, Settings, Silent};
use greatness::events::games_in;

/// The text of a collection.
#[derive(Default)]
struct Collection(String);

/// White, Black, and a number from which the moves are derived.
type Game = (String, String, usize);

impl Collection {
    /// Adds a game with the tags Event, Site, Date and Round.
    fn add(&mut self, [event, site, date, round]: [&str; 4], game: &Game, plies: usize) {
        let (white, black, number) = game;
        write!(
            self.0,
            "[Event \"{event}\"]\n[Site \"{site}\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1/2-1/2\"]\n\n"
        )
        .expect("text");
        for ply in 0..plies {
            // Each ply depends on one octal digit of the number, so that all games differ.
            let digit = number / 8usize.pow(ply as u32 % 6) % 8;
            let file = char::from(b'a' + digit as u8);
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            write!(self.0, "{number}N{file}{} ", ply % 8 + 1).expect("text");
        }
        self.0.push_str("1/2-1/2\n\n");
    }
}

fn read(collections: &[Collection]) -> Grouped {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = Settings::default();
    for (number, collection) in collections.iter().enumerate() {
        let path = folder.path().join(format!("{number}.pgn"));
        std::fs::write(&path, &collection.0).expect("written");
        settings.input.pgn.push(path);
    }
    let games = Selected::read(&settings.input, &Silent, &mut Vec::new()).expect("there are games");
    let found = games.group(settings.events, &mut Vec::new());
    let all = games_in(&found.events) + found.counts.set_aside_total();
    assert_eq!(found.counts.seen, all, "no game is lost or invented");
    found
}

/// Creates a round robin whose games are numbered from `first`.
fn round_robin(surname: &str, players: usize, first: usize) -> Vec<Game> {
    let names: Vec<String> = ('A'..)
        .take(players)
        .map(|letter| format!("{surname}{}, {letter}", letter.to_ascii_lowercase()))
        .collect();
    let pairs = (0..players).flat_map(|a| (0..a).map(move |b| (a, b)));
    (first..)
        .zip(pairs)
        .map(|(number, (a, b))| (names[a].clone(), names[b].clone(), number))
        .collect()
}

fn tournaments() -> (Collection, Vec<Vec<Game>>) {
    let mut collection = Collection::default();
    let places = ["Ostrau", "Bled", "Kemeri", "Zurich", "Semmering"];
    let games: Vec<Vec<Game>> = places
        .iter()
        .enumerate()
        .map(|(number, place)| round_robin(&format!("{place}er"), 8, 100 * (number + 1)))
        .collect();
    for (place, games) in places.iter().zip(&games) {
        for game in games {
            collection.add([place, place, "1935.??.??", "?"], game, 40);
        }
    }
    (collection, games)
}

#[test]
fn a_selection_of_a_magazine_leaves_all_games_to_the_tournaments() {
    let (collection, games) = tournaments();
    let mut selection = Collection::default();
    for game in games.iter().flatten().step_by(3) {
        selection.add(["Best games of the year", "?", "1935.??.??", "?"], game, 40);
    }
    let Grouped { events, .. } = read(&[collection, selection]);
    assert_eq!(events.len(), 5);
    assert!(events.iter().all(|event| event.games.len() == 28 && event.coverage() == 1.0));
}

#[test]
fn a_collection_of_complete_tournaments_is_not_an_event() {
    let (collection, games) = tournaments();
    let mut all_games = Collection::default();
    for game in games.iter().flatten() {
        all_games.add(["?", "?", "1935.??.??", "?"], game, 40);
    }
    let Grouped { events, .. } = read(&[all_games, collection]);
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["Bled 1935", "Kemeri 1935", "Ostrau 1935", "Semmering 1935", "Zurich 1935"]);
    assert!(events.iter().all(|event| event.games.len() == 28));
}

#[test]
fn a_plus_in_a_name_does_not_mark_replayed_games() {
    let (collection, games) = tournaments();
    let mut best = Collection::default();
    for game in games.iter().flatten().step_by(2) {
        best.add(["Best of 2600+", "?", "1935.??.??", "?"], game, 40);
    }
    let Grouped { events, .. } = read(&[collection, best]);
    assert_eq!(events.iter().filter(|event| event.games.len() == 28).count(), 5);
}

#[test]
fn several_games_of_one_pair_and_day_are_not_repetitions() {
    let mut casual = Collection::default();
    for number in 0..6 {
        let (white, black) = ("Morphy, Paul".to_owned(), "Anderssen, Adolf".to_owned());
        let game = (white, black, 1000 + number);
        casual.add(["Casual", "Paris", "1858.12.27", "?"], &game, 20 + 5 * number);
    }
    let Grouped { events, .. } = read(&[casual]);
    assert_eq!((events.len(), events[0].games.len()), (1, 6));
}

#[test]
fn a_drawn_game_and_its_replay_are_two_games() {
    let games = round_robin("London", 8, 500);
    let mut collection = Collection::default();
    for (number, game) in games.iter().enumerate() {
        collection.add(["London", "London", "1883.??.??", "?"], game, 30);
        if number < 3 {
            let replay = (game.0.clone(), game.1.clone(), game.2 + 1000);
            collection.add(["London", "London", "1883.??.??", "?"], &replay, 60);
        }
    }
    let Grouped { events, .. } = read(&[collection]);
    assert_eq!(events[0].games.len(), 31);
}

#[test]
fn two_scores_of_one_game_with_different_moves_are_joined() {
    let games = round_robin("Wien", 8, 700);
    let [mut one, mut other] = [Collection::default(), Collection::default()];
    for (number, game) in games.iter().enumerate() {
        one.add(["Vienna", "Vienna", "1922.??.??", &(number / 4 + 1).to_string()], game, 40);
        let moved = if number % 9 == 0 { game.2 + 2000 } else { game.2 };
        let copy = (game.0.clone(), game.1.clone(), moved);
        other.add(["Wien", "Vienna", "1922.??.??", "?"], &copy, 40);
    }
    let Grouped { events, .. } = read(&[one, other]);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].coverage(), 1.0);
}

#[test]
fn a_knock_out_keeps_its_final_and_the_editions_of_a_cup_are_separate_cycles() {
    let mut cups = Collection::default();
    let mut finals = Collection::default();
    let names = ["Ada, A", "Bert, B", "Carl, C", "Dora, D"];
    for year in 1990..1993 {
        let mut number = 1000 * (year - 1980);
        for (stage, pairs) in [("sf1", [0, 1]), ("sf2", [2, 3]), ("final", [0, 2])] {
            for round in 1..=4 {
                number += 1;
                let [white, black] = pairs.map(|player: usize| names[player].to_owned());
                let game = (white, black, number);
                let date = format!("{year}.??.??");
                let event = format!("Ruritanian Cup {stage}");
                cups.add([&event, "Strelsau", &date, &round.to_string()], &game, 40);
                if stage == "final" {
                    finals.add(["Cup final", "Strelsau", &date, &round.to_string()], &game, 40);
                }
            }
        }
    }
    let Grouped { events, .. } = read(&[cups, finals]);
    let cycles: Vec<usize> = events
        .iter()
        .filter(|event| event.part_of.is_none())
        .map(|event| event.games.len())
        .collect();
    assert_eq!(cycles, [12, 12, 12]);
    assert_eq!(events.iter().filter(|event| event.part_of.is_some()).count(), 9);
}
