//! Flags from tags outside the roster that decide whether a game is rated.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

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
        if fen.split_whitespace().any(|word| word == "startpos") {
            return StartingPosition::Initial;
        }
        let side = fields.next().unwrap_or("w");
        let mut castling: Vec<u8> = fields.next().unwrap_or("KQkq").bytes().collect();
        castling.sort_unstable();
        let is_initial = pieces.trim_end_matches('/')
            == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
            && side.eq_ignore_ascii_case("w")
            // Programs for Chess960 name the files of the rooks.
            && matches!(&castling[..], b"KQkq" | b"AHah");
        if is_initial { StartingPosition::Initial } else { StartingPosition::Other }
    }
}

/// Flags of a Variant tag. Servers name a game from another position `From Position`, which a FEN
/// tag states.
pub(crate) fn of_variant(variant: &str) -> GameFlags {
    const STANDARD: [&str; 9] = [
        "standard",
        "chess",
        "normal",
        "classic",
        "classical",
        "regular",
        "orthodox",
        "from",
        "position",
    ];
    let variant = variant.to_lowercase();
    let mut words = variant.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    if words.all(|word| STANDARD.contains(&word)) { GameFlags::empty() } else { GameFlags::VARIANT }
}

/// Flags of an EventType or a Mode tag.
///
/// The modes are those of the PGN standard, section 9.8.2: OTB is over the board, PM paper mail,
/// EM electronic mail, ICS a server, TC a telephone or telegraph. ChessBase writes the form of play
/// in the EventType tag, with the tempo in brackets: `k.o. (rapid)`.
pub(crate) fn of_event_type(text: &str) -> GameFlags {
    tag_words(&text.replace('.', ""))
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
/// Broadcasts of individual events write the players' federations there (`ARG`, `Argentina`). A
/// competition of national teams is recognised by its name instead.
pub(crate) fn names_a_team(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let is_code = value.len() == 3 && value.iter().all(u8::is_ascii_uppercase);
    !is_code && !matches!(value, b"" | b"?" | b"-") && !is_country(value)
}

const COUNTRIES: &str = include_str!("../../../../data/places/countries.csv");

fn is_country(name: &[u8]) -> bool {
    static NAMES: LazyLock<FxHashSet<&[u8]>> = LazyLock::new(|| {
        let rows = COUNTRIES.lines().skip(1);
        rows.filter_map(|row| row.split(',').nth(1)).map(str::as_bytes).collect()
    });
    NAMES.contains(name)
}

/// Returns whether the value of a team tag is the name of the player: in any order of its words,
/// with a title, with initials, or the surname alone.
///
/// Broadcasts of individual events repeat the players there.
pub(crate) fn names_player(team: &[u8], player: &[u8]) -> bool {
    let [team, player]: [Vec<String>; 2] = [team, player].map(|name| {
        let name = String::from_utf8_lossy(name);
        let name = name.split('(').next().unwrap_or_default();
        tag_words(name).filter(|word| !lexicon::means(Class::Person, word, "title")).collect()
    });
    let is_of_player = |word: &String| {
        let is_initial = word.chars().count() == 1;
        player.iter().any(|own| own == word || is_initial && own.starts_with(word.as_str()))
    };
    // The letter of a team is no name.
    let has_name = team.iter().any(|word| word.chars().count() > 1);
    has_name && team.iter().all(is_of_player)
}

/// Flags of a TimeControl tag, as the standard defines it or in words: `90 min + 30 sec`,
/// `G/25;d5`.
pub(crate) fn of_time_control(time_control: &str) -> GameFlags {
    let minutes = minutes(time_control).or_else(|| minutes_in_words(time_control));
    minutes.map_or(GameFlags::empty(), of_minutes)
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

/// Returns the time that a player has for sixty moves (minutes), from a time control in words:
/// `90 min + 30 sec per move`, `15'+10"`, `G/25;d5`. Returns `None` if the text states no minutes.
fn minutes_in_words(text: &str) -> Option<f64> {
    // `5|0` has minutes and seconds.
    if let Some((minutes, seconds)) = text.split_once('|') {
        return Some(number(minutes)? + number(seconds)?);
    }
    let text = text.to_lowercase();
    let (mut minutes, mut increment) = (0.0, 0.0);
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let amount: f64 = digits[..end].parse().ok().filter(|amount| *amount < 1000.0)?;
        rest = &digits[end..];
        let unit = rest.trim_start();
        if begins_with_any(unit, &["\"", "''", "”", "″", "sec"]) || is_letter(unit, 's') {
            increment = amount;
        } else if is_letter(unit, 'h') || begins_with_any(unit, &["hour", "hr"]) {
            minutes += 60.0 * amount;
        } else if begins_with_any(unit, &["min", "'", "’", "′"])
            || is_letter(unit, 'm')
            || before.ends_with("g/")
        {
            minutes += amount;
        }
    }
    (minutes > 0.0).then_some(minutes + increment)
}

/// Returns whether a text begins with a letter that is a unit, and not with a longer word.
fn is_letter(text: &str, unit: char) -> bool {
    text.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

fn begins_with_any(text: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| text.starts_with(beginning))
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
        for team in ["Adler", "A. Adler", "GM Anton Adler", "Anton Adler (GER)"] {
            assert!(names_player(team.as_bytes(), b"Adler, Anton"), "{team}");
        }
        assert!(!names_player(b"A", b"Adler, Anton"));
        assert!(!names_player(b"", b"Adler, Anton"));
        assert!(!names_player(b"Adler Berlin", b"Adler, Anton"));
        assert!(!names_player(b"Werder Bremen", b"Adler, Anton"));
    }

    #[test]
    fn a_team_tag_may_name_the_federation() {
        assert!(!names_a_team(b"ARG") && !names_a_team(b"Argentina") && !names_a_team(b"?"));
        assert!(names_a_team(b"Argentino Juniors"));
    }

    #[test]
    fn a_variant_of_another_name_than_chess_is_a_variant() {
        for standard in ["", "?", "-", "Standard", "Standard chess", "From Position", "Orthodox"] {
            assert_eq!(of_variant(standard), GameFlags::empty(), "{standard}");
        }
        for variant in ["Chess960", "Standard960", "Atomic", "Crazyhouse"] {
            assert_eq!(of_variant(variant), GameFlags::VARIANT, "{variant}");
        }
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
    fn time_controls_in_words_give_the_minutes_of_a_game() {
        for (text, expected) in [
            ("90 min + 30 sec per move", Some(120.0)),
            ("90 minutes for 40 moves, 30 minutes, 30 seconds per move", Some(150.0)),
            ("15'+10\"", Some(25.0)),
            ("3min + 2s", Some(5.0)),
            ("2 hours", Some(120.0)),
            ("1h30+30s", Some(90.0)),
            ("G/90;d5", Some(90.0)),
            ("5|0", Some(5.0)),
            ("15m+10s", Some(25.0)),
            ("standard", None),
            ("40 moves", None),
            ("60+0", None),
        ] {
            assert_eq!(minutes_in_words(text), expected, "{text}");
        }
    }

    #[test]
    fn an_hour_for_sixty_moves_is_classical() {
        for (tag, tempo) in [
            ("90+30", GameFlags::CLASSICAL),
            ("5400+30", GameFlags::CLASSICAL),
            ("900+10", GameFlags::RAPID),
            ("180+2", GameFlags::BLITZ),
            ("90 min + 30 sec", GameFlags::CLASSICAL),
            ("90'+30''", GameFlags::CLASSICAL),
            ("G/90;d5", GameFlags::CLASSICAL),
            ("1h30+30s", GameFlags::CLASSICAL),
            ("15 min + 10 sec", GameFlags::RAPID),
            ("5|0", GameFlags::BLITZ),
            ("60+0", GameFlags::empty()),
            ("?", GameFlags::empty()),
        ] {
            let tempi = GameFlags::CLASSICAL | GameFlags::RAPID | GameFlags::BLITZ;
            assert_eq!(of_time_control(tag) & tempi, tempo, "{tag}");
        }
    }

    #[test]
    fn the_initial_position_is_recognised_without_its_counters() {
        const PIECES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for rest in ["w KQkq - 0 1", "W kqKQ", "w HAha - 0 1", "  w  KQkq - 5 9", "", "/ w KQkq"] {
            let separator = if rest.starts_with('/') { "" } else { " " };
            let fen = format!("{PIECES}{separator}{rest}");
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
            ("position startpos", StartingPosition::Initial),
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
