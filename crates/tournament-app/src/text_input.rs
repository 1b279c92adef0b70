//! Reads and writes the app's input text.
//!
//! ```text
//! Frankfurt_Chess_Classics_1997      name, underscores for spaces
//! 4                                  number of players
//! Elo                                rating system
//! 2765 Anand                         rating and name, one player a line; 0 or ? where unknown
//! 2760 Karpov
//! 2725 Topalov
//! 2570 Lobron
//! 2765                               rating of the world number two
//! 4 1 0.0   3 2 0.0                  White's number, Black's number, White's score
//! -1 -1 -1.0                         the end
//! ```
//!
//! White space is free, but each player has a separate line. Several games may be on one line.
//! The end marker is optional. A line that starts with `#` is a comment. The games are in the order
//! in which they were played.
//!
//! Further settings are directives in comments, which other programs ignore:
//!
//! - `#! kind round_robin`: the kind of event.
//! - `#! policy keep`: the policy for ratings that fail the fit test.
//! - `#! pressure moves`: the policy also changes ratings under pressure.
//! - `#! minimum games 4`: the fewest games for a correction.
//! - `#! elo k 32`: the K-factor of the Elo ratings after the event.
//! - `#! decided 3 REASON`: the rating of player 3 is a decision.
//! - `#! not played 1 2 0`: a forfeit, at its place among the games.
//! - `#! part play_off 36 37`: games that are not part of the main event.
//! - `#! order 1 2 - 3`: the positions of the games in the playing order, `-` if unknown. Several
//!   such lines continue each other.

use thiserror::Error;

use super::basic_system::K_FACTORS;
use super::event::{Event, EventPart, Game, Player};
use super::options::{Options, Policy};
use crate::kind::Kind;
use crate::rating::is_rating;

/// An error in an input text, with its line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {message}")]
pub struct TextInputError {
    /// Line number, from 1; the last line if something is missing at the end.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// Largest number of players; a larger one is an error in the text.
const MOST_PLAYERS: usize = 100_000;

/// An event with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct TextInput {
    /// The players, ratings and games that the text gives.
    pub event: Event,
    /// The options; the defaults unless the text sets them.
    pub options: Options,
    /// Whether the text gives the kind of event. Otherwise the kind is [`Kind::Other`] until it is
    /// recognised from the table.
    pub is_kind_given: bool,
}

/// Reads an event from the app's input text.
///
/// # Errors
///
/// Fails on a missing or malformed part. The error gives the line and the token.
pub fn read(text: &str) -> Result<TextInput, TextInputError> {
    let mut lines = InputLines::new(text);
    let (_, name) = lines.token("the name of the event")?;
    let name = spaced(&name);
    let (line, token) = lines.token("the number of players")?;
    let count: usize = token
        .parse()
        .ok()
        .filter(|count| (2..=MOST_PLAYERS).contains(count))
        .ok_or_else(|| wrong(line, &token, "the number of players, 2 or more"))?;
    let (_, rating_system) = lines.token("the rating system")?;
    let rating_system = spaced(&rating_system);

    let mut players: Vec<Player> = Vec::new();
    for number in 1..=count {
        let (line, rating) = lines.token(&format!("the rating and name of player {number}"))?;
        let initial_rating = rating_or_unknown(&rating)
            .ok_or_else(|| wrong(line, &rating, &format!("the rating of player {number}")))?;
        let name = spaced(&lines.rest_of_line());
        if name.is_empty() {
            return Err(TextInputError {
                line,
                message: format!("player {number} has a rating (`{rating}`) but no name"),
            });
        }
        if players.iter().any(|player| player.name == name) {
            return Err(TextInputError {
                line,
                message: format!("player {number} has the same name as another player: `{name}`"),
            });
        }
        players.push(Player::new(name, initial_rating));
    }
    let (line, token) = lines.token("the rating of the world number two")?;
    let number_two = rating_or_unknown(&token)
        .ok_or_else(|| wrong(line, &token, "the rating of the world number two"))?;

    let mut games: Vec<Game> = Vec::new();
    while let Some((line, token)) = lines.next_token() {
        lines.take_forfeits(line, count, &mut games)?;
        if token.starts_with('-') {
            read_end_marker(&mut lines, line, &token)?;
            break;
        }
        games.push(game(&mut lines, line, &token, count, games.len() + 1)?);
    }
    lines.take_forfeits(usize::MAX, count, &mut games)?;
    for (place, game) in games.iter_mut().enumerate() {
        game.sequence = Some(place as u32);
    }
    let kind = Kind::Other;
    let mut event = Event { name, kind, rating_system, players, games, number_two };
    let is_kind_given = lines.directives.iter().any(|(_, text)| text.starts_with("kind "));
    let options = directives(&lines.directives, &mut event)?;
    Ok(TextInput { event, options, is_kind_given })
}

/// Reads a game whose first token was already taken.
fn game(
    lines: &mut InputLines,
    line: usize,
    token: &str,
    count: usize,
    number: usize,
) -> Result<Game, TextInputError> {
    let white = player_number(line, token, count, number, "White")?;
    let (line, token) = lines.token(&format!("Black's number in game {number}"))?;
    let black = player_number(line, &token, count, number, "Black")?;
    let (line, token) = lines.token(&format!("White's score in game {number}"))?;
    let white_score = score(line, &token, number)?;
    if white == black {
        return Err(TextInputError {
            line,
            message: format!("game {number}: White and Black are both player {}", white + 1),
        });
    }
    Ok(Game::new(white, black, white_score))
}

fn score(line: usize, token: &str, number: usize) -> Result<f64, TextInputError> {
    token
        .parse::<f64>()
        .ok()
        .filter(|score| (0.0..=1.0).contains(score))
        .ok_or_else(|| wrong(line, token, &format!("White's score in game {number}, from 0 to 1")))
}

/// Reads the end marker `-1 -1 -1.0`. Nothing may follow it, so that no game is lost unnoticed.
fn read_end_marker(lines: &mut InputLines, line: usize, first: &str) -> Result<(), TextInputError> {
    if first.parse() != Ok(-1.0) {
        return Err(wrong(line, first, "a player's number or the end marker (-1 -1 -1.0)"));
    }
    for _ in 0..2 {
        let (line, token) = lines.token("the end marker (-1 -1 -1.0)")?;
        if token.parse() != Ok(-1.0) {
            return Err(wrong(line, &token, "part of the end marker (-1 -1 -1.0)"));
        }
    }
    match lines.next_token() {
        None => Ok(()),
        Some((line, token)) => {
            Err(wrong(line, &token, "allowed after the end marker (-1 -1 -1.0)"))
        }
    }
}

/// Applies the directives, except forfeits, which were read at their places.
fn directives(
    directives: &[(usize, String)],
    event: &mut Event,
) -> Result<Options, TextInputError> {
    let mut options = Options::default();
    let mut order: Vec<Option<u32>> = Vec::new();
    let mut order_line = 0;
    for (line, text) in directives {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "kind" => {
                let kind = Kind::of_word(rest);
                event.kind = kind.ok_or_else(|| wrong(*line, text, "a kind of event"))?;
            }
            "policy" => {
                let policy = [Policy::Correct, Policy::Rebuild, Policy::Keep]
                    .into_iter()
                    .find(|policy| policy.word() == rest)
                    .ok_or_else(|| wrong(*line, text, "a policy (correct, rebuild, keep)"))?;
                options.policy = policy;
                options.knock_out_policy = policy;
                options.omit_ratings = policy != Policy::Keep;
            }
            "pressure" => options.move_pressure = true,
            "minimum" => {
                options.minimum_games = rest
                    .strip_prefix("games ")
                    .and_then(|number| number.parse().ok())
                    .ok_or_else(|| wrong(*line, text, "`minimum games NUMBER`"))?;
            }
            "elo" => {
                options.elo_k = rest
                    .strip_prefix("k ")
                    .and_then(|number| number.parse().ok())
                    .filter(|k| K_FACTORS.contains(k))
                    .ok_or_else(|| wrong(*line, text, "`elo k NUMBER`, from 1 to 100"))?;
            }
            "decided" => {
                let (number, reason) = rest.split_once(' ').unwrap_or((rest, ""));
                let player = number
                    .parse::<usize>()
                    .ok()
                    .and_then(|number| event.players.get_mut(number.checked_sub(1)?))
                    .ok_or_else(|| wrong(*line, text, "`decided PLAYER'S_NUMBER REASON`"))?;
                player.decided = Some(reason.to_owned());
            }
            "order" => {
                order_line = *line;
                for place in rest.split_whitespace() {
                    order.push(match place {
                        "-" => None,
                        place => Some(place.parse().map_err(|_| {
                            wrong(*line, text, "a position in the playing order or `-`")
                        })?),
                    });
                }
            }
            "part" => {
                let mut words = rest.split_whitespace();
                let part = [EventPart::Extra, EventPart::PlayOff]
                    .into_iter()
                    .find(|part| words.clone().next() == Some(part.word()))
                    .ok_or_else(|| {
                        wrong(*line, text, "`part extra` or `part play_off` with numbers of games")
                    })?;
                for number in words.by_ref().skip(1) {
                    let number: Option<usize> = number.parse().ok();
                    let game =
                        number.and_then(|number| event.games.get_mut(number.checked_sub(1)?));
                    game.ok_or_else(|| wrong(*line, text, "the number of a game"))?.part = part;
                }
            }
            // Forfeits were already read. Unknown directives are comments.
            _ => {}
        }
    }
    if !order.is_empty() {
        set_playing_order(event, order, order_line)?;
    }
    Ok(options)
}

/// Sets the positions of the games in the playing order. `line` is the last line that gives them.
fn set_playing_order(
    event: &mut Event,
    order: Vec<Option<u32>>,
    line: usize,
) -> Result<(), TextInputError> {
    if order.len() != event.games.len() {
        let (positions, games) = (order.len(), event.games.len());
        return Err(TextInputError {
            line,
            message: format!("the order directive has {positions} positions for {games} games"),
        });
    }
    for (game, position) in event.games.iter_mut().zip(order) {
        game.sequence = position;
    }
    Ok(())
}

/// Positions of games per line of the order directive.
const PLACES_A_LINE: usize = 20;

/// A rating as a token of the text, `?` if it is unknown.
fn rating_token(rating: Option<f64>) -> String {
    rating.map_or_else(|| "?".into(), |rating| rating.to_string())
}

/// Writes an event as the app's input text. [`read`] restores an event with the same figures.
pub fn write(event: &Event, options: &Options) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", token_of(&event.name));
    let _ = writeln!(text, "{}", event.players.len());
    let _ = writeln!(text, "{}", token_of(&event.rating_system));
    for player in &event.players {
        let _ = writeln!(text, "{} {}", rating_token(player.initial_rating), line_of(&player.name));
    }
    let _ = writeln!(text, "{}", rating_token(event.number_two));
    let _ = writeln!(text, "#! kind {}", event.kind.word());
    let policy = options.policy_for(event.kind);
    if policy != Options::default().policy_for(event.kind) || !options.omit_ratings {
        let _ = writeln!(text, "#! policy {}", policy.word());
    }
    if options.move_pressure {
        text.push_str("#! pressure moves\n");
    }
    if options.minimum_games != Options::default().minimum_games {
        let _ = writeln!(text, "#! minimum games {}", options.minimum_games);
    }
    if options.elo_k != Options::default().elo_k {
        let _ = writeln!(text, "#! elo k {}", options.elo_k);
    }
    for (index, player) in event.players.iter().enumerate() {
        if let Some(reason) = &player.decided {
            let _ = writeln!(text, "#! decided {} {}", index + 1, line_of(reason));
        }
    }
    for game in &event.games {
        let lead = if game.played { "" } else { "#! not played " };
        let _ = writeln!(text, "{lead}{} {} {}", game.white + 1, game.black + 1, game.white_score);
    }
    text.push_str("-1 -1 -1.0\n");
    for part in [EventPart::Extra, EventPart::PlayOff] {
        let of_part = (1..).zip(&event.games).filter(|(_, game)| game.part == part);
        let numbers: Vec<String> = of_part.map(|(number, _)| number.to_string()).collect();
        for numbers in numbers.chunks(PLACES_A_LINE) {
            let _ = writeln!(text, "#! part {} {}", part.word(), numbers.join(" "));
        }
    }
    let is_input_order =
        event.games.iter().enumerate().all(|(place, game)| game.sequence == Some(place as u32));
    if !is_input_order {
        for games in event.games.chunks(PLACES_A_LINE) {
            let places: Vec<String> = games
                .iter()
                .map(|game| game.sequence.map_or_else(|| "-".into(), |place| place.to_string()))
                .collect();
            let _ = writeln!(text, "#! order {}", places.join(" "));
        }
    }
    text
}

fn spaced(token: &str) -> String {
    token.replace('_', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_of(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn token_of(name: &str) -> String {
    let token = name.split_whitespace().collect::<Vec<_>>().join("_");
    // A name that looks like a comment, or is empty, would not be read back.
    if token.is_empty() || token.starts_with('#') { format!("_{token}") } else { token }
}

fn rating_or_unknown(token: &str) -> Option<Option<f64>> {
    if token == "?" {
        return Some(None);
    }
    let rating: f64 = token.parse().ok().filter(|rating| is_rating(*rating))?;
    Some((rating != 0.0).then_some(rating))
}

fn player_number(
    line: usize,
    token: &str,
    count: usize,
    game: usize,
    side: &str,
) -> Result<usize, TextInputError> {
    token
        .parse::<usize>()
        .ok()
        .filter(|number| (1..=count).contains(number))
        .map(|number| number - 1)
        .ok_or_else(|| {
            wrong(line, token, &format!("{side}'s number in game {game}, from 1 to {count}"))
        })
}

fn wrong(line: usize, token: &str, expected: &str) -> TextInputError {
    let shown: String = token.chars().take(40).collect();
    TextInputError { line, message: format!("`{shown}` is not {expected}") }
}

/// The tokens of the text without comments. Directives are collected.
struct InputLines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    number: usize,
    rest: &'a str,
    /// Directives with their line numbers, without the `#!`.
    directives: Vec<(usize, String)>,
    /// Number of directives already searched for forfeits.
    searched: usize,
}

impl<'a> InputLines<'a> {
    fn new(text: &'a str) -> InputLines<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        InputLines {
            lines: text.lines().enumerate(),
            number: 1,
            rest: "",
            directives: Vec::new(),
            searched: 0,
        }
    }

    fn next_token(&mut self) -> Option<(usize, String)> {
        loop {
            let rest = self.rest.trim_start();
            if let Some(token) = rest.split_whitespace().next() {
                self.rest = &rest[token.len()..];
                return Some((self.number, token.to_owned()));
            }
            let (index, line) = self.lines.next()?;
            self.number = index + 1;
            let trimmed = line.trim_start();
            if let Some(directive) = trimmed.strip_prefix("#!") {
                self.directives.push((self.number, directive.trim().to_owned()));
            }
            self.rest = if trimmed.starts_with('#') { "" } else { line };
        }
    }

    fn take_forfeits(
        &mut self,
        before: usize,
        count: usize,
        games: &mut Vec<Game>,
    ) -> Result<(), TextInputError> {
        while let Some((line, text)) = self.directives.get(self.searched) {
            if *line >= before {
                break;
            }
            self.searched += 1;
            let Some(forfeit) = text.strip_prefix("not played ") else { continue };
            let number = games.len() + 1;
            let [white, black, white_score] = forfeit.split_whitespace().collect::<Vec<_>>()[..]
            else {
                return Err(wrong(*line, forfeit, "White, Black and White's score"));
            };
            let mut game = Game::new(
                player_number(*line, white, count, number, "White")?,
                player_number(*line, black, count, number, "Black")?,
                score(*line, white_score, number)?,
            );
            game.played = false;
            games.push(game);
        }
        Ok(())
    }

    fn token(&mut self, expected: &str) -> Result<(usize, String), TextInputError> {
        self.next_token().ok_or_else(|| TextInputError {
            line: self.number,
            message: format!("the text ends before {expected}"),
        })
    }

    fn rest_of_line(&mut self) -> String {
        std::mem::take(&mut self.rest).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "Two_friends\n2\nElo\n2500 Anderssen, Adolf\n? Morphy\n0\n1 2 .5 2 1 1";

    #[test]
    fn free_white_space_unknown_ratings_and_a_missing_end_marker_are_accepted() {
        let event = read(SMALL).unwrap().event;
        assert_eq!(event.name, "Two friends");
        assert_eq!(event.players[0].name, "Anderssen, Adolf");
        assert_eq!(event.players[1].initial_rating, None);
        assert_eq!(event.number_two, None);
        assert_eq!(event.games.len(), 2);
        assert_eq!(event.games[1].white_score, 1.0);
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_the_line_and_the_token() {
        assert_eq!(
            message("A\n2\nElo\n2500 X\n2400 Y\n2500\n1 3 .5\n"),
            "line 7: `3` is not Black's number in game 1, from 1 to 2"
        );
        assert_eq!(
            message("A\n2\nElo\n2500 X\nbest Y\n"),
            "line 5: `best` is not the rating of player 2"
        );
        assert_eq!(
            message("A\n2\nElo\n2500 X\n2400 Y\n2500\n1 2 1.5"),
            "line 7: `1.5` is not White's score in game 1, from 0 to 1"
        );
        assert_eq!(
            message("A\n2\nElo\n2500 X"),
            "line 4: the text ends before the rating and name of player 2"
        );
        assert_eq!(
            message("A\n2\nElo\n2500\n2400 Y"),
            "line 4: player 1 has a rating (`2500`) but no name"
        );
        assert_eq!(message(""), "line 1: the text ends before the name of the event");
    }

    #[test]
    fn a_written_event_is_read_back_with_its_directives() {
        let mut input = read(SMALL).unwrap();
        assert!(!input.is_kind_given);
        input.is_kind_given = true;
        assert_eq!(read(&write(&input.event, &input.options)).unwrap(), input);
        input.event.kind = Kind::Swiss;
        input.event.games[0].played = false;
        input.event.games[1].sequence = None;
        input.event.players[1].decided = Some("He was ill.".into());
        input.event.players[1].initial_rating = Some(2433.25);
        input.options.policy = Policy::Keep;
        input.options.knock_out_policy = Policy::Keep;
        input.options.omit_ratings = false;
        input.options.move_pressure = true;
        input.options.minimum_games = 4;
        assert_eq!(read(&write(&input.event, &input.options)).unwrap(), input);
    }

    #[test]
    fn games_after_a_minus_sign_or_the_end_marker_are_errors() {
        for (games, error) in [
            (
                "1 2 1\n-2 1 0",
                "line 8: `-2` is not a player's number or the end marker (-1 -1 -1.0)",
            ),
            ("-1 2 1", "line 7: `2` is not part of the end marker (-1 -1 -1.0)"),
            ("-1 -1 -1.0\n1 2 1", "line 8: `1` is not allowed after the end marker (-1 -1 -1.0)"),
        ] {
            assert_eq!(message(&format!("A\n2\nElo\n2500 X\n2400 Y\n2500\n{games}")), error);
        }
    }

    #[test]
    fn ratings_out_of_range_are_rejected() {
        assert_eq!(
            read("A\n2\nElo\n1e308 X\n2400 Y\n2500").unwrap_err().to_string(),
            "line 4: `1e308` is not the rating of player 1"
        );
    }
}
