//! One game of the table: what its tags and moves state.

use bitflags::bitflags;

use super::date::PartialDate;
use super::names::NameId;
use super::result::GameResult;
use super::round::Round;

/// Fewest plies by which games can be distinguished. Fewer are a placeholder for a lost score.
/// Judged: a real game is rarely over after two moves, and placeholders have one or two.
pub const REAL_MOVES: u16 = 6;

/// Returns a number as a rating (points), or `None` if no list has such ratings.
///
/// The least is the floor of US Chess, which is the lowest of all lists. `25` is a misprint.
pub(crate) fn rating_points(number: u32) -> Option<u16> {
    u16::try_from(number).ok().filter(|elo| (100..=4000).contains(elo))
}

/// One row of the game table. By default nothing is known about the game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Game {
    /// Value of the Event tag.
    pub event: NameId,
    /// Value of the Site tag.
    pub site: NameId,
    /// White's name as the tag spells it.
    pub white: NameId,
    /// Black's name as the tag spells it.
    pub black: NameId,
    /// Value of the Date tag.
    pub date: PartialDate,
    /// Value of the EventDate tag.
    pub event_date: PartialDate,
    /// Value of the Round tag.
    pub round: Round,
    /// Result of the game.
    pub result: GameResult,
    /// White's rating (points) from the tag; 0 is unknown.
    pub white_elo: u16,
    /// Black's rating (points) from the tag; 0 is unknown.
    pub black_elo: u16,
    /// White's FIDE id from the tag; 0 is unknown.
    pub white_fide_id: u32,
    /// Black's FIDE id from the tag; 0 is unknown.
    pub black_fide_id: u32,
    /// Number of half-moves.
    pub plies: u16,
    /// Fingerprint of the moves (see [`crate::pgn`]). It distinguishes games only from
    /// [`REAL_MOVES`] plies on.
    pub fingerprint: u64,
    /// Eight bytes that estimate how many moves two games share (see
    /// [`Game::has_similar_moves`]); 0 is unknown.
    pub trace: u64,
    /// Number of rounds of the event, from the EventRounds tag; 0 is unknown.
    pub event_rounds: u8,
    /// FIDE's category of the event, from the EventCategory tag; 0 is unknown.
    pub event_category: u8,
    /// What the tags state that decides whether the game is rated.
    pub flags: GameFlags,
    /// Number of the member from which the game was read.
    pub member: u32,
    /// Line of the member on which the game begins, from 1.
    pub line: u32,
}

impl Game {
    /// Returns the numbers of its four names.
    pub(crate) fn name_ids(&self) -> [NameId; 4] {
        [self.event, self.site, self.white, self.black]
    }

    /// Returns whether two games share about half of their moves, estimated from their traces.
    ///
    /// A slip, a missing move or a transposition changes few moves. Two different games of one pair
    /// of players share little more than an opening. The result is `true` if the moves of either
    /// game are unknown.
    pub fn has_similar_moves(&self, other: &Game) -> bool {
        self.shared_moves(other).is_none_or(|(shared, compared)| 2 * shared >= compared)
    }

    /// Returns whether two games share about three quarters of their moves, estimated from their
    /// traces.
    ///
    /// The players of a match repeat an opening, often for half of a short draw. The result is
    /// `true` if the moves of either game are unknown.
    pub fn has_most_moves_of(&self, other: &Game) -> bool {
        self.shared_moves(other).is_none_or(|(shared, compared)| 4 * shared >= 3 * compared)
    }

    /// Returns whether the moves may be the beginning of those of a longer game, of which a source
    /// has cut the end.
    ///
    /// Each byte of a trace is the least of its part of the moves, so with more moves no byte is
    /// greater. Of two unrelated games one in four passes, so only many games together are
    /// evidence.
    pub fn may_begin(&self, longer: &Game) -> bool {
        let traces = self.trace.to_le_bytes().into_iter().zip(longer.trace.to_le_bytes());
        self.trace != 0
            && longer.trace != 0
            && self.plies >= REAL_MOVES
            && self.plies < longer.plies
            && traces.into_iter().all(|(short, long)| long <= short)
    }

    /// Returns how many bytes of the traces of two games are equal, and how many say anything;
    /// `None` if the moves of either are unknown.
    fn shared_moves(&self, other: &Game) -> Option<(usize, usize)> {
        if self.trace == 0 || other.trace == 0 || self.plies.min(other.plies) < REAL_MOVES {
            return None;
        }
        let (mine, theirs) = (self.trace.to_le_bytes(), other.trace.to_le_bytes());
        // A byte that is empty in both traces does not count as agreement.
        let compared = mine.iter().zip(&theirs).filter(|two| *two != (&u8::MAX, &u8::MAX));
        let shared = compared.clone().filter(|(mine, theirs)| mine == theirs).count();
        Some((shared, compared.count()))
    }
}

bitflags! {
    /// What a game's tags state that decides whether the game is rated, or what its event was.
    ///
    /// Game tables store the bits, so each keeps its value.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GameFlags: u32 {
        /// The game began from another position than the initial one (SetUp, FEN).
        const SET_UP = 1;
        /// A Variant tag names another game than standard chess, or a piece was dropped.
        const VARIANT = 2;
        /// A Termination tag or a result states that the game was not played.
        const UNPLAYED = 4;
        /// A Mode or EventType tag states correspondence chess.
        const CORRESPONDENCE = 8;
        /// A TimeControl, EventType or Mode tag states rapid chess, or the clocks show it.
        const RAPID = 16;
        /// A TimeControl, EventType or Mode tag states blitz chess, or the clocks show it.
        const BLITZ = 32;
        /// An EventType tag states a simultaneous display.
        const SIMULTANEOUS = 64;
        /// A TimeControl tag or the clocks give an hour or more for sixty moves.
        const CLASSICAL = 128;
        /// A Mode tag states that the game was played on a server.
        const ONLINE = 256;
        /// A WhiteType or WhiteTitle tag states that White is a program.
        const WHITE_PROGRAM = 512;
        /// A BlackType or BlackTitle tag states that Black is a program.
        const BLACK_PROGRAM = 1024;
        /// A WhiteTeam or BlackTeam tag names a team.
        const TEAMS = 2048;
        /// The game was read from a table of results, which has no moves and states forfeits.
        const RESULT_ONLY = 4096;
        /// The game was read from a tournament report that has the results of all its pairings.
        const WHOLE_REPORT = 8192;
        /// The table of results does not state the colours. The player named first counts as White.
        const COLOURS_UNKNOWN = 16384;
        /// An EventType tag states a round robin.
        const ROUND_ROBIN = 1 << 15;
        /// An EventType tag states a Swiss.
        const SWISS = 1 << 16;
        /// An EventType tag states a knock-out.
        const KNOCK_OUT = 1 << 17;
        /// An EventType tag states a Scheveningen.
        const SCHEVENINGEN = 1 << 18;
        /// An EventComplete tag states that the collection has all games of the event.
        const COMPLETE = 1 << 19;
    }
}

impl GameFlags {
    /// The flags that state the tempo.
    pub const TEMPI: GameFlags =
        GameFlags::CLASSICAL.union(GameFlags::RAPID).union(GameFlags::BLITZ);

    /// The flags that state the form of an event.
    pub const FORMS: GameFlags = GameFlags::ROUND_ROBIN
        .union(GameFlags::SWISS)
        .union(GameFlags::KNOCK_OUT)
        .union(GameFlags::SCHEVENINGEN);
}
