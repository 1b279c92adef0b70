//! Flags from tags outside the roster that decide whether a game is rated.

use super::game::GameFlags;
use super::lexicon::{self, Class};
use super::rateable::tag_words;

/// Flags of a Termination tag: whether the game was played at all.
pub(crate) fn of_termination(termination: &str) -> GameFlags {
    let termination = termination.to_lowercase();
    // A loss on time (`time forfeit`) is a loss in play.
    if termination.contains("time") {
        return GameFlags::empty();
    }
    let unplayed = ["forfeit", "default", "unplayed", "walkover"];
    if unplayed.iter().any(|word| termination.contains(word)) {
        GameFlags::UNPLAYED
    } else {
        GameFlags::empty()
    }
}

/// The position that the value of a FEN tag states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartingPosition {
    /// The value is empty or unknown.
    NotStated,
    Initial,
    Other,
}

impl StartingPosition {
    /// Parses the value of a FEN tag.
    ///
    /// Programs write the tag for every game. The initial position is recognised by its pieces, the
    /// side to move and the castling rights. Fields after them are counters, and missing ones are
    /// those of the initial position.
    pub fn parse(fen: &str) -> StartingPosition {
        let mut fields = fen.split_whitespace();
        let Some(pieces) = fields.next().filter(|pieces| !matches!(*pieces, "?" | "-")) else {
            return StartingPosition::NotStated;
        };
        if pieces == "startpos" {
            return StartingPosition::Initial;
        }
        let side = fields.next().unwrap_or("w");
        let castling = fields.next().unwrap_or("KQkq");
        let is_initial = pieces == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
            && side == "w"
            // Programs for Chess960 name the files of the rooks.
            && matches!(castling, "KQkq" | "HAha" | "AHah");
        if is_initial { StartingPosition::Initial } else { StartingPosition::Other }
    }
}

pub(crate) fn of_variant(variant: &str) -> GameFlags {
    match variant.to_lowercase().as_str() {
        "" | "?" | "standard" | "chess" | "normal" | "classical" => GameFlags::empty(),
        _ => GameFlags::VARIANT,
    }
}

/// Flags of an EventType or a Mode tag.
///
/// The modes are those of the PGN standard, section 9.8.2: OTB is over the board, PM paper mail,
/// EM electronic mail, ICS a server, TC a telephone or telegraph.
pub(crate) fn of_event_type(text: &str) -> GameFlags {
    tag_words(text)
        .filter_map(|word| GameFlags::from_name(lexicon::meaning(Class::Mode, &word)?))
        .collect()
}

/// Returns whether the value of a WhiteType, BlackType, WhiteTitle or BlackTitle tag states that
/// the player is a program.
pub(crate) fn is_program(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    ["program", "computer", "engine", "bot"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns whether the value of a WhiteTeam or BlackTeam tag names a team.
///
/// Broadcasts of individual events write the players' federations there (`ARG`). A competition of
/// national teams is recognised by its name instead.
pub(crate) fn names_a_team(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let is_code = value.len() == 3 && value.iter().all(u8::is_ascii_uppercase);
    !is_code && !matches!(value, b"" | b"?" | b"-")
}

/// Returns whether the value of a team tag is the name of the player, in any order of its words.
///
/// Broadcasts of individual events repeat the players there.
pub(crate) fn names_player(team: &[u8], player: &[u8]) -> bool {
    // Only a comma and spaces differ.
    if team.len().abs_diff(player.len()) > 2 {
        return false;
    }
    let words = |name: &[u8]| {
        let words = name.split(|byte| byte.is_ascii_whitespace() || b",.".contains(byte));
        let mut words: Vec<Vec<u8>> =
            words.filter(|word| !word.is_empty()).map(<[u8]>::to_ascii_lowercase).collect();
        words.sort_unstable();
        words
    };
    words(team) == words(player)
}

pub(crate) fn of_time_control(time_control: &str) -> GameFlags {
    minutes(time_control).map_or(GameFlags::empty(), of_minutes)
}

/// Flags of the time that a player has for sixty moves (minutes).
pub(crate) fn of_minutes(minutes: f64) -> GameFlags {
    match minutes {
        minutes if minutes <= 10.0 => GameFlags::BLITZ,
        minutes if minutes < 60.0 => GameFlags::RAPID,
        _ => GameFlags::CLASSICAL,
    }
}

/// Number of moves for which FIDE computes the time of a game.
const MOVES: f64 = 60.0;

/// Returns the time that a player has for sixty moves (minutes), from a TimeControl tag.
///
/// The tag is a list of periods separated by colons. A period is a time in seconds for the rest of
/// the game (`3600`) or for some moves (`40/7200`). Seconds per move follow a plus. Broadcasts and
/// organisers often write minutes instead (`90+30`, `40/120`), which [`in_seconds`] recognises by
/// their size. Returns `None` if the tag states no time (`?`, `-`) or is not a list of periods.
///
/// Source: FIDE Laws of Chess, appendices A and B; PGN standard, section 9.6.1.
fn minutes(time_control: &str) -> Option<f64> {
    let text = time_control.trim().trim_end_matches(['"', '\'', 's']);
    let mut seconds = 0.0;
    let mut moves_left = MOVES;
    for period in text.split([':', ',']) {
        // A sandclock (`*180`) gives 180 seconds for each move.
        if let Some(clock) = period.strip_prefix('*') {
            let clock = number(clock)?;
            return Some((seconds + clock * moves_left) / 60.0);
        }
        let (moves, time) = match period.split_once('/') {
            Some((moves, time)) => (Some(number(moves)?), time),
            None => (None, period),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let increment = number(increment)?;
        let base = number(base)?;
        seconds += in_seconds(base, increment, moves.is_some())?;
        let moves = moves.unwrap_or(moves_left).clamp(0.0, moves_left);
        seconds += increment * moves;
        moves_left -= moves;
        if moves_left <= 0.0 {
            break;
        }
    }
    (seconds > 0.0).then_some(seconds / 60.0)
}

/// Parses a number of a TimeControl tag, from 0 to 1,000,000.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| (0.0..=1e6).contains(number))
}

/// Returns the time of a period in seconds, whether the tag states seconds or minutes. Returns
/// `None` if it may be either.
///
/// | number | unit |
/// |---|---|
/// | below 60 (`3+2`, `25+10`) | minutes |
/// | below 300, for a number of moves (`40/120`) | minutes |
/// | below 300, with ten seconds or more per move (`90+30`) | minutes |
/// | 60 to 179 otherwise (`60`, `120`: bullet or an afternoon) | unknown |
/// | 180 or more otherwise (`180+2`) | seconds |
fn in_seconds(base: f64, increment: f64, is_of_moves: bool) -> Option<f64> {
    let is_of_minutes = base < 60.0 || base < 300.0 && (is_of_moves || increment >= 10.0);
    if is_of_minutes {
        Some(60.0 * base)
    } else if base < 180.0 {
        None
    } else {
        Some(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_tag_may_repeat_the_player() {
        assert!(names_player(b"Anton Adler", b"Adler, Anton"));
        assert!(names_player(
            "Jos\u{e9} Ra\u{fa}l Capablanca".as_bytes(),
            "Capablanca, Jos\u{e9} Ra\u{fa}l".as_bytes()
        ));
        assert!(!names_player(b"Adler Berlin", b"Adler, Anton"));
        assert!(!names_player(b"Werder Bremen", b"Adler, Anton"));
    }

    #[test]
    fn time_controls_in_seconds_and_in_minutes_are_recognised() {
        for (tag, expected) in [
            ("300+3", Some(8.0)),
            ("1500+10", Some(35.0)),
            ("5400+30", Some(120.0)),
            ("90+30", Some(120.0)),
            ("25+10", Some(35.0)),
            ("3+2", Some(5.0)),
            ("180+2", Some(5.0)),
            ("180", Some(3.0)),
            ("600", Some(10.0)),
            ("7200", Some(120.0)),
            ("40/7200:3600", Some(180.0)),
            ("40/120:20/60", Some(180.0)),
            ("40/6000+30:3000+30", Some(180.0)),
            ("*60", Some(60.0)),
            ("60", None),
            ("120+1", None),
            ("nan/60:40/60", None),
            ("*nan", None),
            ("*-5", None),
            ("?", None),
            ("-", None),
            ("G/60", None),
        ] {
            assert_eq!(minutes(tag), expected, "{tag}");
        }
    }

    #[test]
    fn an_hour_for_sixty_moves_is_classical() {
        for (tag, tempo) in [
            ("90+30", GameFlags::CLASSICAL),
            ("5400+30", GameFlags::CLASSICAL),
            ("900+10", GameFlags::RAPID),
            ("180+2", GameFlags::BLITZ),
            ("?", GameFlags::empty()),
        ] {
            let tempi = GameFlags::CLASSICAL | GameFlags::RAPID | GameFlags::BLITZ;
            assert_eq!(of_time_control(tag) & tempi, tempo, "{tag}");
        }
    }

    #[test]
    fn the_initial_position_is_recognised_without_its_counters() {
        const PIECES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for rest in ["w KQkq - 0 1", "w KQkq", "w HAha - 0 1", "  w  KQkq - 5 9", ""] {
            let fen = format!("{PIECES} {rest}");
            assert_eq!(StartingPosition::parse(&fen), StartingPosition::Initial, "{fen}");
        }
        for rest in ["b KQkq - 0 1", "w - - 0 1", "w Kkq - 0 1"] {
            let fen = format!("{PIECES} {rest}");
            assert_eq!(StartingPosition::parse(&fen), StartingPosition::Other, "{fen}");
        }
        for (fen, position) in [
            ("", StartingPosition::NotStated),
            (" ? ", StartingPosition::NotStated),
            ("startpos", StartingPosition::Initial),
            ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", StartingPosition::Other),
            ("nonsense", StartingPosition::Other),
        ] {
            assert_eq!(StartingPosition::parse(fen), position, "{fen}");
        }
    }

    #[test]
    fn a_game_lost_on_time_was_played() {
        for unplayed in ["forfeit", "unplayed", "Default"] {
            assert!(of_termination(unplayed).contains(GameFlags::UNPLAYED), "{unplayed}");
        }
        for played in ["Time forfeit", "time forfeit", "Normal"] {
            assert!(!of_termination(played).contains(GameFlags::UNPLAYED), "{played}");
        }
    }

    #[test]
    fn programs_are_recognised_by_type_and_title() {
        assert!(is_program(b"program") && is_program(b"BOT") && !is_program(b"GM"));
    }
}
