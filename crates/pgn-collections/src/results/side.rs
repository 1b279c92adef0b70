//! One side of a game: what a table states about it in the row of one of its players.

use crate::games::GameResult;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    White,
    Black,
}

/// The points of a player in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    Win,
    Draw,
    Loss,
}

/// A game from the side of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// The player's colour; `None` is unknown.
    pub colour: Option<Colour>,
    pub score: Score,
    /// Whether the game was played. Points by forfeit, and games of less than a move, were not.
    pub played: bool,
}

impl Side {
    /// Returns whether another side may be the opponent's side of the same game.
    pub fn mirrors(self, other: Side) -> bool {
        self.complements(other) && self.fits_colour(other)
    }

    /// Returns whether another side has the points that the opponent has.
    pub fn complements(self, other: Side) -> bool {
        let is_complement = matches!(
            (self.score, other.score),
            (Score::Win, Score::Loss) | (Score::Draw, Score::Draw) | (Score::Loss, Score::Win)
        );
        is_complement && self.played == other.played
    }

    /// Returns whether the two sides do not state the same colour.
    pub fn fits_colour(self, other: Side) -> bool {
        self.colour.is_none() || self.colour != other.colour
    }

    /// Returns whether both sides state that their player lost by forfeit.
    pub fn is_double_forfeit(self, other: Side) -> bool {
        [self, other].iter().all(|side| side.score == Score::Loss && !side.played)
    }

    /// Returns whether the player had White. If no side states a colour, the first one has White.
    pub fn is_white(self, other: Option<Side>) -> bool {
        let others = other.and_then(|other| other.colour);
        match self.colour {
            Some(colour) => colour == Colour::White,
            None => others != Some(Colour::White),
        }
    }

    /// Returns the result of the game.
    pub fn result(self, is_white: bool) -> GameResult {
        match (self.score, is_white) {
            (Score::Draw, _) => GameResult::Draw,
            (Score::Win, true) | (Score::Loss, false) => GameResult::White,
            (Score::Win, false) | (Score::Loss, true) => GameResult::Black,
        }
    }

    /// Returns the points in words, for messages.
    pub fn words(self) -> &'static str {
        match (self.score, self.played) {
            (Score::Win, true) => "a win",
            (Score::Draw, true) => "a draw",
            (Score::Loss, true) => "a loss",
            (Score::Win, false) => "a win without a game",
            (Score::Draw, false) => "a draw without a game",
            (Score::Loss, false) => "a loss without a game",
        }
    }
}
