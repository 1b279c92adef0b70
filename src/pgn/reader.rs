//! From one member's text to rows of the game table.

use std::io::Cursor;

use pgn_reader::{Outcome, Reader};

use super::boundaries::{GameText, games};
use super::headers::{HeaderVisitor, Headers};
use crate::games::{Game, GameResult, GameTable, PartialDate, Round, Signs};
use crate::source::{Diagnostic, DiagnosticKind, Member, decode};

/// A name, place or event longer than this (bytes) is cut: nobody is called that.
const LONGEST_TEXT: usize = 250;

/// Reads all games of a member into the table; what is wrong with them into the diagnostics.
pub fn read_member(member: &Member, table: &mut GameTable, diagnostics: &mut Vec<Diagnostic>) {
    let (text, windows_1252) = decode(&member.bytes);
    if windows_1252 {
        diagnostics.push(Diagnostic::warning(
            &member.name,
            0,
            DiagnosticKind::Encoding,
            "not UTF-8; read as Windows-1252",
        ));
    }
    let number = table.members.len() as u32;
    table.members.push(member.name.clone());
    let mut visitor = HeaderVisitor::default();
    let before = table.len();
    for game in games(&text) {
        parse(game, &mut visitor);
        let row = row(&visitor.headers, game.line, number, member, table, diagnostics);
        table.push(row);
    }
    if table.len() == before && !text.trim().is_empty() {
        diagnostics.push(Diagnostic::warning(
            &member.name,
            0,
            DiagnosticKind::NoGames,
            "holds no game (no line like [Event \"...\"])",
        ));
    }
}

fn parse(game: GameText, visitor: &mut HeaderVisitor) {
    let mut reader = Reader::build(Cursor::new(game.text))
        // A tag line longer than the reader's buffer would be an error for the whole reader.
        .set_supported_tag_line_length(game.text.lines().map(str::len).max().unwrap_or(0))
        .finish();
    // Reading from memory does not fail; a game that the reader cannot make sense of leaves the
    // headers as far as they came.
    visitor.headers = Headers::default();
    let _ = reader.read_game(visitor);
}

fn row(
    headers: &Headers,
    line: u32,
    number: u32,
    member: &Member,
    table: &mut GameTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Game {
    let mut warn = |kind, message: String| {
        diagnostics.push(Diagnostic::warning(&member.name, u64::from(line), kind, message));
    };
    let mut date_of = |tag: &str, text: &str| {
        PartialDate::parse(text).unwrap_or_else(|| {
            warn(DiagnosticKind::BadTag, format!("{tag} \"{}\" is no date", shown(text)));
            PartialDate::UNKNOWN
        })
    };
    let date = date_of("Date", &headers.date);
    let event_date = date_of("EventDate", &headers.event_date);

    let mut signs = signs(headers);
    let by_moves = headers.outcome.map(of_outcome).filter(|r| *r != GameResult::Unknown);
    let tagged = GameResult::parse(&headers.result);
    if let Some((_, true)) = tagged {
        signs.insert(Signs::UNPLAYED);
    }
    let result = match (tagged.map(|(result, _)| result), by_moves) {
        (Some(GameResult::Unknown) | None, Some(by_moves)) => by_moves,
        (Some(tagged), by_moves) => {
            if by_moves.is_some_and(|by_moves| by_moves != tagged) {
                warn(
                    DiagnosticKind::ResultMismatch,
                    format!(
                        "Result is {} but the moves end otherwise; the tag counts",
                        tagged.pgn()
                    ),
                );
            }
            tagged
        }
        (None, None) => {
            let message = if headers.result.is_empty() {
                "no Result tag, and the moves end without one".to_owned()
            } else {
                format!("Result \"{}\" is none", shown(&headers.result))
            };
            warn(DiagnosticKind::MissingTag, message);
            GameResult::Unknown
        }
    };
    for (tag, text) in [("White", &headers.white), ("Black", &headers.black)] {
        if text.is_empty() {
            warn(DiagnosticKind::MissingTag, format!("no {tag} tag"));
        }
    }
    let mut elo_of = |tag: &str, text: &str| match text.trim() {
        "" | "?" | "-" | "0" => 0,
        text => {
            text.parse::<u16>().ok().filter(|elo| (1..=4000).contains(elo)).unwrap_or_else(|| {
                warn(DiagnosticKind::BadTag, format!("{tag} \"{}\" is no rating", shown(text)));
                0
            })
        }
    };
    let white_elo = elo_of("WhiteElo", &headers.white_elo);
    let black_elo = elo_of("BlackElo", &headers.black_elo);
    let fide_id = |text: &str| text.parse().unwrap_or(0);
    let mut intern = |text: &str| table.names.intern(&bounded(text));
    Game {
        event: intern(&headers.event),
        site: intern(&headers.site),
        white: intern(&headers.white),
        black: intern(&headers.black),
        date,
        event_date,
        round: Round::parse(&headers.round),
        result,
        white_elo,
        black_elo,
        white_fide_id: fide_id(&headers.white_fide_id),
        black_fide_id: fide_id(&headers.black_fide_id),
        plies: headers.plies,
        fingerprint: headers.fingerprint,
        signs,
        member: number,
        line,
    }
}

fn of_outcome(outcome: Outcome) -> GameResult {
    GameResult::parse(&outcome.to_string()).map_or(GameResult::Unknown, |(result, _)| result)
}

/// What the tags say that bears on rating the game.
fn signs(headers: &Headers) -> Signs {
    let mut signs = Signs::default();
    if headers.set_up {
        signs.insert(Signs::SET_UP);
    }
    let variant = headers.variant.to_lowercase();
    if !matches!(variant.as_str(), "" | "?" | "standard" | "chess" | "normal" | "classical") {
        signs.insert(Signs::VARIANT);
    }
    let termination = headers.termination.to_lowercase();
    let unplayed = ["forfeit", "default", "unplayed", "walkover"];
    if headers.unplayed || unplayed.iter().any(|word| termination.contains(word)) {
        signs.insert(Signs::UNPLAYED);
    }
    for word in
        crate::games::tag_words(&headers.event_type).chain(crate::games::tag_words(&headers.mode))
    {
        match word.as_str() {
            "corr" | "correspondence" | "postal" | "em" | "pm" => {
                signs.insert(Signs::CORRESPONDENCE);
            }
            "rapid" => signs.insert(Signs::RAPID),
            "blitz" | "bullet" => signs.insert(Signs::BLITZ),
            "simul" | "simultaneous" => signs.insert(Signs::SIMULTANEOUS),
            _ => {}
        }
    }
    match minutes(&headers.time_control) {
        Some(minutes) if minutes <= 10.0 => signs.insert(Signs::BLITZ),
        Some(minutes) if minutes < 60.0 => signs.insert(Signs::RAPID),
        _ => {}
    }
    signs
}

/// Minutes a player has for 60 moves, by FIDE's reckoning (Laws of Chess, appendices A and B), from
/// a TimeControl tag of one period; `None` for several periods or anything else.
fn minutes(time_control: &str) -> Option<f64> {
    let (base, increment) = time_control.split_once('+').unwrap_or((time_control, "0"));
    let base: f64 = base.trim().parse().ok()?;
    let increment: f64 = increment.trim().parse().ok()?;
    // Below a minute it is a number of minutes or a mistake; it says nothing reliable.
    (base >= 60.0).then_some((base + 60.0 * increment) / 60.0)
}

/// White space folded, control characters out, length bounded.
fn bounded(text: &str) -> String {
    let mut clean = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if clean.len() > LONGEST_TEXT {
        let end = (0..=LONGEST_TEXT).rev().find(|end| clean.is_char_boundary(*end)).unwrap_or(0);
        clean.truncate(end);
    }
    clean
}

/// As much of a tag as a message can hold.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (GameTable, Vec<Diagnostic>) {
        let mut table = GameTable::default();
        let mut diagnostics = Vec::new();
        let member = Member { name: "test.pgn".into(), bytes: text.as_bytes().to_vec() };
        read_member(&member, &mut table, &mut diagnostics);
        (table, diagnostics)
    }

    #[test]
    fn a_game_becomes_a_row() {
        let (table, diagnostics) = read(
            "[Event \"Vienna\"]\n[Site \"Vienna\"]\n[Date \"1898.??.??\"]\n[Round \"?\"]\n\
             [White \"Burn, Amos\"]\n[Black \"Alapin, Simon\"]\n[Result \"1/2-1/2\"]\n\
             [WhiteElo \"\"]\n[BlackElo \"2450\"]\n\n1.e4 e5 2.Nf3 { good } (2.f4) Nc6 1/2-1/2\n",
        );
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let game = table.games()[0];
        assert_eq!(table.text(game.white), "Burn, Amos");
        assert_eq!(game.result, GameResult::Draw);
        assert_eq!((game.white_elo, game.black_elo), (0, 2450));
        assert_eq!(game.plies, 4);
        assert_eq!(game.date.iso(), "1898");
    }

    #[test]
    fn comments_numbers_and_marks_do_not_change_the_fingerprint() {
        let moves = |text: &str| {
            let (table, _) = read(&format!("[Event \"A\"]\n\n{text} *\n"));
            table.games()[0].fingerprint
        };
        assert_eq!(moves("1. e4 e5 2. Qh5+ Ke7"), moves("1.e4! {hm} 1...e5 $3 2.Qh5 (2.d4) Ke7"));
        assert_ne!(moves("1. e4 e5 2. Qh5"), moves("1. e4 e5 2. Qg4"));
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let (table, diagnostics) = read(
            "[Event \"A\"]\n[White \"X\"]\n[Black \"Y\"]\n[Result \"1-0\"]\n\n1.e4 0-1\n\n\
             [Event \"B\"]\n[White \"X\"]\n[Date \"soon\"]\n[WhiteElo \"strong\"]\n[Result \"0-1\"]\n\n0-1\n",
        );
        assert_eq!(table.games()[0].result, GameResult::White);
        let told: Vec<_> = diagnostics.iter().map(|d| (d.line, d.kind)).collect();
        assert_eq!(
            told,
            [
                (1, DiagnosticKind::ResultMismatch),
                (8, DiagnosticKind::BadTag),
                (8, DiagnosticKind::MissingTag),
                (8, DiagnosticKind::BadTag),
            ]
        );
    }

    #[test]
    fn what_was_not_played_is_seen_in_tags_results_and_comments() {
        for text in [
            "[Event \"A\"]\n[Result \"1-0\"]\n[Termination \"forfeit\"]\n\n1-0\n",
            "[Event \"A\"]\n[Result \"+:-\"]\n\n1-0\n",
            "[Event \"A\"]\n[Result \"1-0\"]\n\n{ Black forfeited } 1-0\n",
        ] {
            assert!(read(text).0.games()[0].signs.contains(Signs::UNPLAYED), "{text}");
        }
    }

    #[test]
    fn time_controls_tell_rapid_and_blitz() {
        assert_eq!(minutes("300+3"), Some(8.0));
        assert_eq!(minutes("1500+10"), Some(35.0));
        assert_eq!(minutes("40/7200:3600"), None);
        assert_eq!(minutes("?"), None);
    }

    #[test]
    fn names_are_cleaned_and_bounded() {
        assert_eq!(bounded(" Nimzowitsch,\t Aaron \u{7}"), "Nimzowitsch, Aaron");
        assert!(bounded(&"ä".repeat(1000)).len() <= LONGEST_TEXT);
    }
}
