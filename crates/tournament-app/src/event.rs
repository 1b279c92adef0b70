//! Defines the input of the Tournament App: one tournament or match.

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use thiserror::Error;

use crate::kind::Kind;
use crate::rating::is_rating;

/// One tournament or match: its players, their known ratings, and the games in playing order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
pub struct Event {
    /// Display name.
    pub name: String,
    /// Kind of competition. Knock-outs have a separate default policy.
    pub kind: Kind,
    /// Name of the rating system of the initial ratings (`Elo`, `Chessmetrics`).
    pub rating_system: String,
    /// The players. Games refer to them by index.
    pub players: Vec<Player>,
    /// All games, forfeits included, in the order used for the published figures.
    pub games: Vec<Game>,
    /// Rating (points) of the world number two at the time, if it is known.
    pub number_two: Option<f64>,
}

/// A player of an [`Event`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Encode, Decode)]
pub struct Player {
    /// Display name, unique within the event.
    pub name: String,
    /// Rating before the event (rating points), if known.
    pub initial_rating: Option<f64>,
    /// The reason why the Ratings Administrator set the rating, or deleted it (the rating is then
    /// `None`). `None` if there is no such decision.
    pub decided: Option<String>,
}

impl Player {
    /// Makes a player with a rating from a list or a tag, or without a rating.
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
    /// White's score in points, in `[0, 1]`. Black's score is 1 minus it.
    pub white_score: f64,
    /// Whether the game was played. A forfeit counts for points but not for any rating.
    pub played: bool,
    /// The part of the event that the game belongs to.
    #[serde(default, skip_serializing_if = "EventPart::is_main")]
    pub part: EventPart,
    /// Position of the game in the playing order according to rounds or dates; equal numbers mean
    /// the same round. `None` if it is unknown.
    pub sequence: Option<u32>,
}

impl Game {
    /// Makes a played game of the main event whose position in the playing order is unknown.
    pub fn new(white: usize, black: usize, white_score: f64) -> Game {
        Game { white, black, white_score, played: true, part: EventPart::Main, sequence: None }
    }
}

/// A part of an event. Standings and scores are those of the main event. All parts count for P-Zero
/// and G, as in the paper.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    Encode,
    Decode,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventPart {
    /// The main event, whose points decide the standings.
    #[default]
    Main,
    /// Games against players who withdrew, annulled games, replays.
    Extra,
    /// A play-off, which decides the places it is played for.
    PlayOff,
}

impl EventPart {
    pub(crate) fn is_main(&self) -> bool {
        *self == EventPart::Main
    }

    /// The word used in the input text.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// How much of the playing order is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PlayingOrder {
    /// Rounds or dates determine the position of every game.
    Known,
    /// The positions of some games are known.
    Partial,
    /// No position is known; the published order is that of appearance in the source.
    Unknown,
}

impl PlayingOrder {
    /// The word used in exports: `known`, `partial`, `unknown`.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// Errors of an invalid event.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EventError {
    /// A game names a player index outside the field.
    #[error("game {game} names player {player}, but there are only {players} players")]
    UnknownPlayer {
        /// Number of the game, from 1.
        game: usize,
        /// Number of the player, from 1.
        player: usize,
        /// Number of players, which is the largest valid number of a player.
        players: usize,
    },
    /// White and Black of a game are the same player.
    #[error("game {game}: White and Black are both player {player}")]
    AgainstHimself {
        /// Number of the game, from 1.
        game: usize,
        /// Number of the player, from 1.
        player: usize,
    },
    /// A score outside `[0, 1]`.
    #[error("game {game}: the score {score} is not between 0 and 1")]
    Score {
        /// Number of the game, from 1.
        game: usize,
        /// White's score, as the game states it.
        score: f64,
    },
    /// A rating is not a finite number, or is beyond [`LARGEST_RATING`](crate::LARGEST_RATING).
    #[error("the rating of {player} is not a number between -100000 and 100000")]
    Rating {
        /// Name of the player, or "the world number two".
        player: String,
    },
    /// The number of standard errors differs from the number of players, or a standard error is
    /// invalid.
    #[error(
        "there are {found} standard errors of ratings for {players} players; each player needs one, and all must be finite numbers of 0 or more"
    )]
    StandardErrors {
        /// Number of standard errors.
        found: usize,
        /// Number of players. Each needs a standard error.
        players: usize,
    },
    /// The event has fewer than two players.
    #[error("an event needs at least two players; this one has {0}")]
    TooFewPlayers(usize),
}

impl Event {
    /// Iterates over the games that count for ratings.
    pub fn played(&self) -> impl Iterator<Item = &Game> + Clone {
        self.games.iter().filter(|game| game.played)
    }

    /// Determines how much of the order of the played games is known.
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

    /// Checks the event for errors that the types cannot exclude.
    ///
    /// # Errors
    ///
    /// Fails if an index is out of range, White and Black of a game are the same player, a score is
    /// outside `[0, 1]`, a rating is invalid, or there are fewer than two players.
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
            return Err(EventError::Rating { player: "the world number two".into() });
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
