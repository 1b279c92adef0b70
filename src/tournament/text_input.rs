//! The app's own input text.
//!
//! ```text
//! Frankfurt_Chess_Classics_1997      name, underscores for spaces
//! 4                                  number of players
//! Elo                                rating system
//! 2765 Anand                         rating and name, one player a line; 0 or ? where unknown
//! 2760 Karpov
//! 2725 Topalov
//! 2570 Lobron
//! 2765                               rating of the world's number two
//! 4 1 0.0   3 2 0.0                  White's number, Black's number, White's score
//! -1 -1 -1.0                         the end
//! ```
//!
//! White space is free except that a player has a line of his own; several games may stand on one
//! line; the end marker may be missing; a line that starts with `#` is a comment. The games stand
//! in the order they were played.

use thiserror::Error;

use super::event::{Event, Game, Player};
use crate::events::kind;

/// What is wrong with an input text, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {message}")]
pub struct TextInputError {
    /// Line number, from 1; the last line where something is missing at the end.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// A field larger than this is a mistake in the text, not a tournament.
const MOST_PLAYERS: usize = 100_000;

/// Reads an event from the app's input text.
///
/// # Errors
///
/// A missing or malformed part, with its line and the offending token.
pub fn read(text: &str) -> Result<Event, TextInputError> {
    let mut lines = Lines::of(text);
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
        let (line, rating) = lines.token(&format!("rating and name of player {number}"))?;
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
            return Err(TextInputError { line, message: format!("a second player `{name}`") });
        }
        players.push(Player::new(name, initial_rating));
    }
    let (line, token) = lines.token("the rating of the world's number two")?;
    let number_two = rating_or_unknown(&token)
        .ok_or_else(|| wrong(line, &token, "the rating of the world's number two"))?;

    let mut games = Vec::new();
    while let Some((line, token)) = lines.next_token() {
        let number = games.len() + 1;
        if token.starts_with('-') {
            break;
        }
        let white = player_number(line, &token, count, number, "White")?;
        let (line, token) = lines.token(&format!("Black's number in game {number}"))?;
        let black = player_number(line, &token, count, number, "Black")?;
        let (line, token) = lines.token(&format!("White's score in game {number}"))?;
        let white_score =
            token.parse::<f64>().ok().filter(|score| (0.0..=1.0).contains(score)).ok_or_else(
                || wrong(line, &token, &format!("White's score in game {number}, from 0 to 1")),
            )?;
        if white == black {
            return Err(TextInputError {
                line,
                message: format!("game {number}: player {} against himself", white + 1),
            });
        }
        let mut game = Game::new(white, black, white_score);
        game.sequence = Some(games.len() as u32);
        games.push(game);
    }
    let kind = kind::recognise(
        players.len(),
        &games.iter().map(|game| (game.white, game.black)).collect::<Vec<_>>(),
    );
    Ok(Event { name, kind: kind.kind, rating_system, players, games, number_two })
}

/// Writes an event as the app's input text, which [`read`] reads back to the same figures.
///
/// Unplayed games are left out (the text has no word for them), as comments say.
pub fn write(event: &Event) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let number =
        |rating: Option<f64>| rating.map_or_else(|| "?".into(), |rating| rating.to_string());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", token_of(&event.name));
    let _ = writeln!(text, "{}", event.players.len());
    let _ = writeln!(text, "{}", token_of(&event.rating_system));
    for player in &event.players {
        let _ = writeln!(text, "{} {}", number(player.initial_rating), line_of(&player.name));
    }
    let _ = writeln!(text, "{}", number(event.number_two));
    for game in &event.games {
        let comment = if game.played { "" } else { "# not played: " };
        let _ =
            writeln!(text, "{comment}{} {} {}", game.white + 1, game.black + 1, game.white_score);
    }
    text.push_str("-1 -1 -1.0\n");
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
    // A name that looked like a comment or like nothing would not be read back.
    if token.is_empty() || token.starts_with('#') { format!("_{token}") } else { token }
}

fn rating_or_unknown(token: &str) -> Option<Option<f64>> {
    if token == "?" {
        return Some(None);
    }
    let rating: f64 = token.parse().ok().filter(|rating: &f64| rating.is_finite())?;
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

/// Lines without comments, taken token by token.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    number: usize,
    rest: &'a str,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lines { lines: text.lines().enumerate(), number: 1, rest: "" }
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
            self.rest = if line.trim_start().starts_with('#') { "" } else { line };
        }
    }

    fn token(&mut self, expected: &str) -> Result<(usize, String), TextInputError> {
        self.next_token().ok_or_else(|| TextInputError {
            line: self.number,
            message: format!("the text ends where {expected} should stand"),
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
    fn free_white_space_unknown_ratings_and_a_missing_end_are_accepted() {
        let event = read(SMALL).unwrap();
        assert_eq!(event.name, "Two friends");
        assert_eq!(event.players[0].name, "Anderssen, Adolf");
        assert_eq!(event.players[1].initial_rating, None);
        assert_eq!(event.number_two, None);
        assert_eq!(event.games.len(), 2);
        assert_eq!(event.games[1].white_score, 1.0);
    }

    #[test]
    fn errors_name_the_line_and_the_token() {
        let message = |text: &str| read(text).unwrap_err().to_string();
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
            "line 4: the text ends where rating and name of player 2 should stand"
        );
        assert_eq!(
            message("A\n2\nElo\n2500\n2400 Y"),
            "line 4: player 1 has a rating (`2500`) but no name"
        );
        assert_eq!(message(""), "line 1: the text ends where the name of the event should stand");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let event = read(SMALL).unwrap();
        assert_eq!(read(&write(&event)).unwrap(), event);
    }
}
