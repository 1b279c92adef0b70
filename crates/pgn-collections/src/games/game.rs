//! One game: what its tags and moves tell.

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

/// What a game's tags say that bears on whether it is rated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFlags(u16);

impl GameFlags {
    /// Not from the normal starting position (SetUp, FEN).
    pub const SET_UP: GameFlags = GameFlags(1);
    /// A Variant tag other than standard chess.
    pub const VARIANT: GameFlags = GameFlags(2);
    /// A Termination tag or a result that says the game was not played.
    pub const UNPLAYED: GameFlags = GameFlags(4);
    /// A Mode or EventType tag that says correspondence.
    pub const CORRESPONDENCE: GameFlags = GameFlags(8);
    /// A TimeControl, EventType or Mode tag that says rapid.
    pub const RAPID: GameFlags = GameFlags(16);
    /// The same for blitz.
    pub const BLITZ: GameFlags = GameFlags(32);
    /// An EventType tag that says simultaneous display.
    pub const SIMULTANEOUS: GameFlags = GameFlags(64);
    /// A TimeControl tag that gives an hour or more for sixty moves.
    pub const CLASSICAL: GameFlags = GameFlags(128);
    /// A Mode tag that says played on a server.
    pub const ONLINE: GameFlags = GameFlags(256);
    /// A WhiteType or WhiteTitle tag that says White is a program.
    pub const WHITE_PROGRAM: GameFlags = GameFlags(512);
    /// The same of Black.
    pub const BLACK_PROGRAM: GameFlags = GameFlags(1024);
    /// A WhiteTeam or BlackTeam tag that names a team.
    pub const TEAMS: GameFlags = GameFlags(2048);

    /// As bits, for storing.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// From stored bits; all are meaningful or unused.
    pub fn from_bits(bits: u16) -> GameFlags {
        GameFlags(bits)
    }

    /// Adds all flags of another set.
    pub fn extend(&mut self, flags: GameFlags) {
        self.0 |= flags.0;
    }

    /// Adds a flag.
    pub fn insert(&mut self, flag: GameFlags) {
        self.0 |= flag.0;
    }

    /// Whether a flag is there.
    pub fn contains(self, flag: GameFlags) -> bool {
        self.0 & flag.0 != 0
    }
}
