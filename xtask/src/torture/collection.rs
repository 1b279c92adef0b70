//! Makes random collections: tournaments and matches of several kinds, with the faults that
//! collections have.

use std::fmt::Write as _;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Names of players, some of which are spellings of one person or hostile.
pub(super) const NAMES: [&str; 24] = [
    "Lasker, Emanuel",
    "Lasker, Em",
    "Lasker, Edward",
    "Tarrasch, Siegbert",
    "Capablanca, Jose Raul",
    "Capablanca,JR",
    "Alekhine, Alexander",
    "Aljechin, Alexander",
    "Nimzowitsch, Aron",
    "Rubinstein, Akiba",
    "Réti, Richard",
    "Spielmann, Rudolf",
    "Marshall, Frank",
    "Janowski, David",
    "Schlechter, Carl",
    "Maróczy, Géza",
    "Teichmann, Richard",
    "Vidmar, Milan",
    "Carlsen, Magnus",
    "Anand, Viswanathan",
    "<script>alert(1)</script>",
    "=HYPERLINK(\"http://example.org\")",
    "\u{202e}Tal, Mihail\u{1b}[2J",
    "../../etc/passwd",
];

const PLACES: [&str; 6] =
    ["London", "Vienna", "St. Petersburg", "New York", "?", "Wijk aan Zee NED"];
const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "1-0", "0-1", "*"];

/// How the games of an event are paired.
#[derive(Clone, Copy, Debug)]
enum Format {
    RoundRobin,
    Match,
    KnockOut,
    Swiss,
}

/// A collection in PGN of one to six events. `seed` determines all of it.
pub fn collection(seed: u64) -> String {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut text = String::new();
    for _ in 0..random.random_range(1..=6) {
        write_event(&mut random, &mut text);
    }
    text
}

fn write_event(random: &mut Pcg64Mcg, text: &mut String) {
    let formats = [Format::RoundRobin, Format::Match, Format::KnockOut, Format::Swiss];
    let format = formats[random.random_range(0..formats.len())];
    let mut names = NAMES.to_vec();
    names.shuffle(random);
    let place = PLACES[random.random_range(0..PLACES.len())];
    let year = random.random_range(1850..=2025);
    // Ratings are in half of the events; some of them are impossible.
    let has_ratings = random.random::<bool>();
    let known = random.random_range(0.6..=1.0);
    for (round, white, black) in pairings(random, format, &names) {
        if random.random::<f64>() > known {
            continue;
        }
        let day = random.random_range(1..=28);
        let date = match random.random_range(0..4) {
            0 => format!("{year}.??.??"),
            _ => format!("{year}.05.{day:02}"),
        };
        let result = RESULTS[random.random_range(0..RESULTS.len())];
        let _ = writeln!(text, "[Event \"{place} {year}\"]\n[Site \"{place}\"]\n[Date \"{date}\"]");
        let _ = writeln!(text, "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]");
        if has_ratings {
            let [one, other] = [0; 2].map(|_: i32| random.random_range(0..3000));
            let _ = writeln!(text, "[WhiteElo \"{one}\"]\n[BlackElo \"{other}\"]");
        }
        let moves = ["", "1. e4 e5 2. Nf3 Nc6 ", "1. d4 {[%clk 0:0", "1. e4 (1. d4 ("];
        let moves = moves[random.random_range(0..moves.len())];
        let _ = writeln!(text, "[Result \"{result}\"]\n\n{moves}{result}\n");
    }
}

/// The pairings of an event, with their rounds.
fn pairings<'a>(
    random: &mut Pcg64Mcg,
    format: Format,
    names: &[&'a str],
) -> Vec<(u32, &'a str, &'a str)> {
    let mut pairs = Vec::new();
    match format {
        Format::RoundRobin => {
            let players = random.random_range(3..=10);
            for one in 0..players {
                for other in one + 1..players {
                    pairs.push(((one + other) as u32 % 9 + 1, names[one], names[other]));
                }
            }
        }
        Format::Match => {
            let games = random.random_range(1..=24);
            pairs.extend((1..=games).map(|round| (round, names[0], names[1])));
        }
        Format::KnockOut => {
            let mut left = names[..16].to_vec();
            for round in 1..=4 {
                for pair in left.chunks(2) {
                    pairs.extend([(round, pair[0], pair[1]), (round, pair[1], pair[0])]);
                }
                left = left.chunks(2).map(|pair| pair[0]).collect();
            }
        }
        Format::Swiss => {
            let mut players = names[..20].to_vec();
            for round in 1..=7 {
                players.shuffle(random);
                pairs.extend(players.chunks(2).map(|pair| (round, pair[0], pair[1])));
            }
        }
    }
    pairs
}
