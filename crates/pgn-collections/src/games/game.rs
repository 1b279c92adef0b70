//! One game: what its tags and moves tell.

use bitflags::bitflags;

use super::date::PartialDate;
use super::names::NameId;
use super::result::GameResult;
use super::round::Round;

/// Fewer plies than this are a mark in place of a lost score, not moves to tell games apart by.
pub const REAL_MOVES: u16 = 6;

/// One game as a row; by default one of which nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Game {
    /// Event tag.
    pub event: NameId,
    /// Site tag.
    pub site: NameId,
    /// White's name as it stands in the tag.
    pub white: NameId,
    /// Black's name as it stands in the tag.
    pub black: NameId,
    /// Date tag.
    pub date: PartialDate,
    /// EventDate tag.
    pub event_date: PartialDate,
    /// Round tag.
    pub round: Round,
    /// Result.
    pub result: GameResult,
    /// White's rating (points) as tagged; 0 unknown.
    pub white_elo: u16,
    /// Black's rating (points) as tagged; 0 unknown.
    pub black_elo: u16,
    /// White's FIDE id as tagged; 0 unknown.
    pub white_fide_id: u32,
    /// Black's FIDE id as tagged; 0 unknown.
    pub black_fide_id: u32,
    /// Half-moves read.
    pub plies: u16,
    /// Fingerprint of the moves' squares (see [`crate::pgn`]); of no use below [`REAL_MOVES`]
    /// plies.
    pub fingerprint: u64,
    /// What of the moves agrees with those of another game, in eight bytes; 0 where it is not known
    /// (see [`Game::has_similar_moves`]).
    pub trace: u64,
    /// Rounds that the event has as its EventRounds tag says; 0 unknown.
    pub event_rounds: u8,
    /// What the tags say that bears on rating the game.
    pub flags: GameFlags,
    /// Number of the member it was read from.
    pub member: u32,
    /// Line of the member where the game begins, from 1.
    pub line: u32,
}

impl Game {
    /// Whether half of the moves of two games agree, as far as their traces tell, or those of one
    /// are not known: a slip, a missing move, a transposition leave most as it was; two games of
    /// one pair have hardly more than an opening in common.
    pub fn has_similar_moves(&self, other: &Game) -> bool {
        if self.trace == 0 || other.trace == 0 || self.plies.min(other.plies) < REAL_MOVES {
            return true;
        }
        let (mine, theirs) = (self.trace.to_le_bytes(), other.trace.to_le_bytes());
        // Where both have nothing they agree in nothing.
        let told = || mine.iter().zip(&theirs).filter(|two| *two != (&u8::MAX, &u8::MAX));
        2 * told().filter(|(mine, theirs)| mine == theirs).count() >= told().count()
    }
}

bitflags! {
    /// What a game's tags state that decides whether the game is rated.
    ///
    /// Game tables store the bits, so each keeps its value.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GameFlags: u16 {
        /// The game began from another position than the initial one (SetUp, FEN).
        const SET_UP = 1;
        /// A Variant tag names another game than standard chess.
        const VARIANT = 2;
        /// A Termination tag or a result states that the game was not played.
        const UNPLAYED = 4;
        /// A Mode or EventType tag states correspondence chess.
        const CORRESPONDENCE = 8;
        /// A TimeControl, EventType or Mode tag states rapid chess.
        const RAPID = 16;
        /// A TimeControl, EventType or Mode tag states blitz chess.
        const BLITZ = 32;
        /// An EventType tag states a simultaneous display.
        const SIMULTANEOUS = 64;
        /// A TimeControl tag gives an hour or more for sixty moves.
        const CLASSICAL = 128;
        /// A Mode tag states that the game was played on a server.
        const ONLINE = 256;
        /// A WhiteType or WhiteTitle tag states that White is a program.
        const WHITE_PROGRAM = 512;
        /// A BlackType or BlackTitle tag states that Black is a program.
        const BLACK_PROGRAM = 1024;
        /// A WhiteTeam or BlackTeam tag names a team.
        const TEAMS = 2048;
    }
}
