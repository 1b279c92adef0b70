//! Collections that have games in common, under other tags: what must not be joined, and what must.

use std::fmt::Write;

use greatness::archive::{Grouped, Selected, Settings, Silent};
use greatness::events::games_in;

/// A collection in the making.
#[derive(Default)]
struct Collection(String);

/// A game: its players, and a number that makes its moves.
type Game = (String, String, usize);

impl Collection {
    /// Adds a game under these tags: Event, Site, Date, Round.
    fn add(&mut self, [event, site, date, round]: [&str; 4], game: &Game, plies: usize) {
        let (white, black, number) = game;
        write!(
            self.0,
            "[Event \"{event}\"]\n[Site \"{site}\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1/2-1/2\"]\n\n"
        )
        .expect("text");
        for ply in 0..plies {
            // Two digits of the number in the first moves, so that all games differ.
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
    let games = Selected::read(&settings, &Silent, &mut Vec::new()).expect("there are games");
    let found = games.group(settings.events, &mut Vec::new());
    let all = games_in(&found.events) + found.counts.set_aside_total();
    assert_eq!(found.counts.seen, all, "no game is lost or invented");
    found
}

/// Everybody against everybody: games with numbers from `first`.
fn round_robin(surname: &str, players: usize, first: usize) -> Vec<Game> {
    let name = |player: usize| {
        let letter = char::from(b'A' + player as u8);
        format!("{surname}{}, {letter}", letter.to_ascii_lowercase())
    };
    let pairs = (0..players).flat_map(|a| (0..a).map(move |b| (a, b)));
    (first..).zip(pairs).map(|(number, (a, b))| (name(a), name(b), number)).collect()
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
fn a_magazines_selection_takes_no_game_out_of_the_tournaments() {
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
fn a_collection_of_whole_tournaments_is_none_itself() {
    let (collection, games) = tournaments();
    let mut heap = Collection::default();
    for game in games.iter().flatten() {
        heap.add(["?", "?", "1935.??.??", "?"], game, 40);
    }
    let Grouped { events, .. } = read(&[heap, collection]);
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["Bled 1935", "Kemeri 1935", "Ostrau 1935", "Semmering 1935", "Zurich 1935"]);
    assert!(events.iter().all(|event| event.games.len() == 28));
}

#[test]
fn a_plus_that_means_something_else_takes_no_game_out() {
    let (collection, games) = tournaments();
    let mut best = Collection::default();
    for game in games.iter().flatten().step_by(2) {
        best.add(["Best of 2600+", "?", "1935.??.??", "?"], game, 40);
    }
    let Grouped { events, .. } = read(&[collection, best]);
    assert_eq!(events.iter().filter(|event| event.games.len() == 28).count(), 5);
}

#[test]
fn games_of_one_day_are_as_many_as_there_are() {
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
fn a_drawn_game_that_is_replayed_is_two() {
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
fn a_score_that_differs_in_its_moves_is_one_game() {
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
fn a_knock_out_keeps_its_final_and_a_yearly_cup_is_not_one_cycle() {
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
