//! Results of games.

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// White won (`1-0`).
    White,
    /// Black won (`0-1`).
    Black,
    /// The game was drawn (`1/2-1/2`).
    Draw,
    /// The game was not finished, or its result is unknown (`*`).
    #[default]
    Unknown,
}

impl GameResult {
    /// Parses a result in PGN notation, or as files without moves write it: `+:-`, `½-½`.
    ///
    /// The flag is `true` if the text states that the game was not played.
    pub fn parse(text: &str) -> Option<(GameResult, bool)> {
        Some(match text.trim() {
            "1-0" => (GameResult::White, false),
            "0-1" => (GameResult::Black, false),
            "1/2-1/2" | "1/2" | "½-½" => (GameResult::Draw, false),
            "*" => (GameResult::Unknown, false),
            "+:-" | "+--" | "1-0 ff" | "1-0F" => (GameResult::White, true),
            "-:+" | "--+" | "0-1 ff" | "0-1F" => (GameResult::Black, true),
            _ => return None,
        })
    }

    /// Returns White's score (0, 0.5 or 1 point), or `None` without a result.
    pub fn white_score(self) -> Option<f64> {
        match self {
            GameResult::White => Some(1.0),
            GameResult::Black => Some(0.0),
            GameResult::Draw => Some(0.5),
            GameResult::Unknown => None,
        }
    }

    /// Returns the result in PGN notation.
    pub fn pgn(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}
