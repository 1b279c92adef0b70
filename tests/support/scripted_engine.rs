//! A UCI engine for tests: `scripted-engine LOG MILLISECONDS [FAULT [POSITION]]`.
//!
//! The value of a move is a hash of position and move. The engine adds one line to the log for each
//! search, and waits the given time. A fault occurs at one position (the beginning of its EPD), or
//! at the first search if none is given.

use std::io::{BufRead, Write};
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// Returns a pseudo-random number that depends only on the text.
fn number(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

/// Appends a line to the log with one write, because several engines write to it.
fn append(log: &str, line: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(log).expect("a log");
    file.write_all(line.as_bytes()).expect("written");
}

/// Returns the legal moves of a position with their values (centipawns), best first.
///
/// Another `shift` gives other values.
fn valued_moves(fen: &str, shift: &str) -> Vec<(i64, String)> {
    let position: Chess = fen
        .parse::<Fen>()
        .expect("a FEN")
        .into_position(CastlingMode::Standard)
        .expect("a position");
    let epd = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let mut moves: Vec<(i64, String)> = position
        .legal_moves()
        .into_iter()
        .map(|played| {
            let played = UciMove::from_standard(played).to_string();
            let value = number(&format!("{epd}{played}{shift}")) % 400;
            (value as i64 - 200, played)
        })
        .collect();
    moves.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    moves
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let log = arguments.first().cloned().unwrap_or_default();
    let wait: u64 = arguments.get(1).and_then(|wait| wait.parse().ok()).unwrap_or(0);
    let fault = arguments.get(2).cloned().unwrap_or_default();
    let at = arguments.get(3).cloned();
    let mut out = std::io::stdout().lock();
    let mut fen = String::new();
    let mut multipv = 1;
    let mut searches = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["uci"] => {
                if fault == "no-uciok" {
                    std::thread::sleep(Duration::from_secs(3600));
                }
                writeln!(out, "id name Scripted 1\nid author tests\nuciok").expect("heard");
            }
            ["isready"] => writeln!(out, "readyok").expect("heard"),
            ["setoption", "name", "MultiPV", "value", value] => {
                multipv = value.parse().expect("a number");
            }
            ["position", "fen", ref rest @ ..] => fen = rest.join(" "),
            ["position", "startpos"] => fen = Fen::default().to_string(),
            ["go", ref how @ ..] => {
                searches += 1;
                // The first search only loads the network.
                let is_bad = match &at {
                    Some(at) => fen.starts_with(at.as_str()),
                    None => !fault.is_empty() && how[0] == "nodes",
                };
                let epd: Vec<&str> = fen.split(' ').take(4).collect();
                if how[0] == "nodes" && !log.is_empty() {
                    let only = how.iter().position(|word| *word == "searchmoves");
                    let only = only.map_or("", |at| how[at + 1]);
                    append(&log, &format!("{} {only}\n", epd.join(" ")));
                }
                std::thread::sleep(Duration::from_millis(wait));
                let shift = if fault == "other-values" { "!" } else { "" };
                let mut moves = valued_moves(&fen, shift);
                if let Some(at) = how.iter().position(|word| *word == "searchmoves") {
                    moves.retain(|(_, played)| played == how[at + 1]);
                }
                moves.truncate(multipv);
                let best = moves.first().map_or("(none)".into(), |(_, played)| played.clone());
                match fault.as_str() {
                    "silent" if is_bad => std::thread::sleep(Duration::from_secs(3600)),
                    "exit" if is_bad => {
                        eprintln!("out of memory, says the script");
                        std::process::exit(3);
                    }
                    "dies-at-seven" if searches == 8 => std::process::exit(1),
                    "half-line" if is_bad => {
                        write!(out, "info depth 1 multipv 1 sco").expect("heard");
                        out.flush().expect("heard");
                        std::process::exit(0);
                    }
                    "garbage" if is_bad => {
                        writeln!(out, "\u{7}%%% 12 \u{fffd}\nbestmove {best}").expect("heard");
                    }
                    "long-line" if is_bad => {
                        writeln!(out, "info {}\nbestmove {best}", "x".repeat(1 << 20))
                            .expect("heard");
                    }
                    "none" if is_bad => writeln!(out, "bestmove (none)").expect("heard"),
                    _ => {
                        for depth in 1..=2 {
                            for (place, (value, played)) in moves.iter().enumerate() {
                                let mut played = played.clone();
                                if is_bad && fault == "illegal" && place == 0 {
                                    played = "a1h8".into();
                                }
                                if is_bad && fault == "twice" && place == 1 {
                                    played = moves[0].1.clone();
                                }
                                let bound =
                                    if fault == "bounds" && is_bad { " upperbound" } else { "" };
                                writeln!(
                                    out,
                                    "info depth {depth} multipv {} score cp {value}{bound} nodes 9 pv {played}",
                                    place + 1
                                )
                                .expect("heard");
                            }
                        }
                        writeln!(out, "bestmove {best}").expect("heard");
                    }
                }
            }
            ["quit"] => return,
            _ => {}
        }
        out.flush().expect("heard");
    }
}
