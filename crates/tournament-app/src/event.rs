//! One tournament or match, as the Tournament App takes it.

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::kind::Kind;
use crate::rating::is_rating;

/// One tournament or match: players, what is known of their ratings, games in playing order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
pub struct Event {
    /// Name as people read it.
    pub name: String,
    /// What sort of competition it is; knock-outs have another default policy.
    pub kind: Kind,
    /// Name of the rating system that the initial ratings come from (`Elo`, `Chessmetrics`).
    pub rating_system: String,
    /// The field.
    pub players: Vec<Player>,
    /// All games, unplayed ones included, in the order that the published figures use.
    pub games: Vec<Game>,
    /// Rating of the world's number two at the time, if any source reaches.
    pub number_two: Option<f64>,
}

/// A player of an [`Event`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
pub struct Player {
    /// Name as people read it; unique within the event.
    pub name: String,
    /// Rating before the event (rating points), if known.
    pub initial_rating: Option<f64>,
    /// Why the Ratings Administrator set that rating, or deleted it (then it is `None`); `None`
    /// where it comes from a list or a tag.
    pub decided: Option<String>,
}

impl Player {
    /// A player with a rating from a list or a tag, or without one.
    pub fn new(name: impl Into<String>, initial_rating: Option<f64>) -> Player {
        Player { name: name.into(), initial_rating, decided: None }
    }
}

/// A game of an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
pub struct Game {
    /// Index of White among the players.
    pub white: usize,
    /// Index of Black among the players.
    pub black: usize,
    /// White's score in game points, in `[0, 1]`; Black has the rest of the point.
    pub white_score: f64,
    /// A forfeited game (`false`) gives its point in the table and is no game for any rating.
    pub played: bool,
    /// Which part of the event it belongs to.
    #[serde(default, skip_serializing_if = "EventPart::is_main")]
    pub part: EventPart,
    /// Place of the game in the playing order where rounds or dates tell it (equal numbers: the
    /// same round); `None` where the sources do not.
    pub sequence: Option<u32>,
}

impl Game {
    /// A played game whose place in the order is not known.
    pub fn new(white: usize, black: usize, white_score: f64) -> Game {
        Game { white, black, white_score, played: true, part: EventPart::Main, sequence: None }
    }
}

/// A part of an event. Places and scores are those of the main event; all parts count for P-Zero and G, as in
/// the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum EventPart {
    /// The event proper.
    #[default]
    Main,
    /// Games against players who withdrew, annulled games, replays.
    Extra,
    /// A play-off: it decides the places for which it was played.
    PlayOff,
}

impl EventPart {
    /// Whether it is the event proper.
    pub(crate) fn is_main(&self) -> bool {
        *self == EventPart::Main
    }

    /// The word used in the input text.
    pub fn word(self) -> &'static str {
        match self {
            EventPart::Main => "main",
            EventPart::Extra => "extra",
            EventPart::PlayOff => "play_off",
        }
    }
}

/// How much of the playing order is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum PlayingOrder {
    /// Every game has its place by round or date.
    Known,
    /// Some games have.
    Partial,
    /// None has; the published order is that of appearance.
    Unknown,
}

impl PlayingOrder {
    /// The word used in exports: `known`, `partial`, `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            PlayingOrder::Known => "known",
            PlayingOrder::Partial => "partial",
            PlayingOrder::Unknown => "unknown",
        }
    }
}

/// Why something is no event for the app.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EventError {
    /// A game names a player index outside the field.
    #[error("game {game} names player {player}, but there are only {players} players")]
    UnknownPlayer {
        /// Number of the game, from 1.
        game: usize,
        /// Number of the player, from 1.
        player: usize,
        /// Size of the field.
        players: usize,
    },
    /// A player meets himself.
    #[error("game {game}: player {player} plays against himself")]
    AgainstHimself {
        /// Number of the game, from 1.
        game: usize,
        /// Number of the player, from 1.
        player: usize,
    },
    /// A score outside `[0, 1]`.
    #[error("game {game}: a score of {score} is not between 0 and 1")]
    Score {
        /// Number of the game, from 1.
        game: usize,
        /// The score found.
        score: f64,
    },
    /// A rating that is no finite number, or beyond [`LARGEST_RATING`](crate::LARGEST_RATING).
    #[error("the rating of {player} is not a number between -100000 and 100000")]
    Rating {
        /// Name of the player (or "the world's number two").
        player: String,
    },
    /// There are not as many standard errors as players, or one that is no error.
    #[error(
        "the standard errors of the ratings are {found} for {players} players, or not all of them 0 or more"
    )]
    StandardErrors {
        /// How many there are.
        found: usize,
        /// Size of the field.
        players: usize,
    },
    /// Nobody plays.
    #[error("an event needs at least two players; this one has {0}")]
    TooFewPlayers(usize),
}

impl Event {
    /// The games that count for ratings.
    pub fn played(&self) -> impl Iterator<Item = &Game> + Clone {
        self.games.iter().filter(|game| game.played)
    }

    /// How much of the order of the played games is known.
    pub fn order(&self) -> PlayingOrder {
        let placed = self.played().filter(|game| game.sequence.is_some()).count();
        let all = self.played().count();
        if placed == all {
            PlayingOrder::Known
        } else if placed == 0 {
            PlayingOrder::Unknown
        } else {
            PlayingOrder::Partial
        }
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    ///
    /// An index out of range, a player against himself, a score outside `[0, 1]`, a rating that is
    /// not finite, or fewer than two players.
    pub fn check(&self) -> Result<(), EventError> {
        let players = self.players.len();
        if players < 2 {
            return Err(EventError::TooFewPlayers(players));
        }
        for player in &self.players {
            if player.initial_rating.is_some_and(|rating| !is_rating(rating)) {
                return Err(EventError::Rating { player: player.name.clone() });
            }
        }
        if self.number_two.is_some_and(|rating| !is_rating(rating)) {
            return Err(EventError::Rating { player: "the world's number two".into() });
        }
        for (index, game) in self.games.iter().enumerate() {
            for player in [game.white, game.black] {
                if player >= players {
                    return Err(EventError::UnknownPlayer {
                        game: index + 1,
                        player: player + 1,
                        players,
                    });
                }
            }
            if game.white == game.black {
                return Err(EventError::AgainstHimself { game: index + 1, player: game.white + 1 });
            }
            if !(0.0..=1.0).contains(&game.white_score) {
                return Err(EventError::Score { game: index + 1, score: game.white_score });
            }
        }
        Ok(())
    }
}
