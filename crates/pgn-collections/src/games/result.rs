//! Results.

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// 1-0
    White,
    /// 0-1
    Black,
    /// 1/2-1/2
    Draw,
    /// `*`: not finished or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// Reads a result as PGN writes it; also `+:-`, `½-½` and the like of results-only files.
    /// The flag tells that the text itself says the game was not played.
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

    /// White's score in game points; `None` without a result.
    pub fn white_score(self) -> Option<f64> {
        match self {
            GameResult::White => Some(1.0),
            GameResult::Black => Some(0.0),
            GameResult::Draw => Some(0.5),
            GameResult::Unknown => None,
        }
    }

    /// As PGN writes it.
    pub fn pgn(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}
