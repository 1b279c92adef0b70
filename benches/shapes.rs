//! Builds collections of unusual shapes at a size, twice and four times that size. It finds work
//! that grows faster than its input.
//!
//!     cargo bench --bench shapes [-- --size 10000]

use std::fmt::Write;
use std::time::Instant;

use greatness::archive::{Settings, Silent, build};

/// A shape: its name, and a collection of a given size.
type CollectionShape = (&'static str, fn(usize) -> String);

const SHAPES: [CollectionShape; 11] = [
    ("Event tags without games", |size| {
        let mut text = game("A", "B", 1, 1);
        text.extend((0..size).map(|_| "[Event \"E\"]\n"));
        text
    }),
    ("games of one pair, a round each", |size| {
        (0..size).map(|round| game("Adams, A", "Brown, B", round + 1, round)).collect()
    }),
    ("games of one pair without rounds or moves", |size| {
        (0..size).map(|_| game("Adams, A", "Brown, B", 0, 0)).collect()
    }),
    ("one surname in one event", |size| {
        chain(size, |number| format!("Smith, {}", letters(number)))
    }),
    ("alike surnames in one event", |size| {
        chain(size, |number| format!("Ivan{}ov, I", letters(number)))
    }),
    ("surnames a letter from many others", |size| {
        // Nine letters at five positions: each surname has forty others at one letter's distance.
        chain(size, |number| {
            let places = (0..5).map(|place| 4_801 * number % 59_049 / 9_usize.pow(place) % 9);
            let middle: String = places.map(|letter| char::from(b"abdeginor"[letter])).collect();
            format!("X{middle}ov, Ivan")
        })
    }),
    ("small fields under one tag of a year", |size| {
        (0..size / 6)
            .flat_map(|field| {
                [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)].map(|(one, other)| {
                    let [white, black] =
                        [one, other].map(|player| format!("{}{player}, X", letters(7 * field)));
                    game(&white, &black, 0, field).replace("1990.01", "1990.??")
                })
            })
            .collect()
    }),
    ("a Swiss of nine rounds", |size| {
        let players = (size / 9 * 2).max(2);
        (0..9)
            .flat_map(|round| {
                (0..players / 2).map(move |board| {
                    let [white, black] = [2 * board, (2 * board + 2 * round + 1) % players]
                        .map(|player| format!("{}, Q", letters(player)));
                    game(&white, &black, round + 1, round)
                })
            })
            .collect()
    }),
    ("names without letters", |size| {
        chain(size, |number| format!("{number:b}").replace('0', "!").replace('1', "?"))
    }),
    ("an event a game", |size| {
        (0..size)
            .map(|place| {
                let (white, black) = (letters(2 * place), letters(2 * place + 1));
                game(&white, &black, 1, place).replace("\"E\"", &format!("\"{white} Cup\""))
            })
            .collect()
    }),
    ("unclosed comments", |size| {
        (0..size)
            .map(|place| game("A", "B", place, place).replace("1-0\n\n", "{ 1-0\n\n"))
            .collect()
    }),
];

/// A game of an event. Its moves depend on `moves`.
fn game(white: &str, black: &str, round: usize, moves: usize) -> String {
    const MOVES: [&str; 4] = ["Nf3 Nf6", "Nc3 Nc6", "Ng1 Ng8", "Nb1 Nb8"];
    let mut text = format!(
        "[Event \"E\"]\n[Site \"S\"]\n[Date \"1990.01.{:02}\"]\n[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"1-0\"]\n\n",
        1 + moves % 28,
        if round == 0 { "?".to_owned() } else { round.to_string() },
    );
    let mut rest = moves;
    for _ in 0..8 {
        let _ = write!(text, "{} ", MOVES[rest % 4]);
        rest /= 4;
    }
    text.push_str("1-0\n\n");
    text
}

/// Each player plays the next one, twice around.
fn chain(size: usize, name: impl Fn(usize) -> String) -> String {
    (0..size).map(|place| game(&name(place), &name((place + 1) % size), 1, place)).collect()
}

/// A number as letters.
fn letters(mut number: usize) -> String {
    let mut text = String::from("A");
    while number > 0 {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    text
}

fn seconds(text: &str) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shape.pgn");
    std::fs::write(&path, text).expect("a file");
    let mut settings = Settings::default();
    settings.input.pgn = vec![path];
    settings.ratings.compute = false;
    let start = Instant::now();
    // Some shapes have no event, which is a valid result.
    let _ = build(settings, &Silent);
    start.elapsed().as_secs_f64()
}

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--size").skip(1);
    let size: usize = arguments.next().and_then(|size| size.parse().ok()).unwrap_or(10_000);
    println!(
        "| shape | {size}, s | {}, s | {}, s | exponent |\n|---|---:|---:|---:|---:|",
        2 * size,
        4 * size
    );
    for (name, shape) in SHAPES {
        let times = [1, 2, 4].map(|times| {
            let text = shape(times * size);
            // The minimum of three: disturbances only add time.
            (0..3).map(|_| seconds(&text)).fold(f64::INFINITY, f64::min)
        });
        let exponent = (times[2] / times[0]).log2() / 2.0;
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} | {exponent:.2} |",
            times[0], times[1], times[2]
        );
    }
}
