//! The game table: one column a tag, names interned.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::date::PartialDate;
use super::names::{NameId, Names};
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
    /// Fingerprint of the moves' squares (see [`crate::pgn`]); of no use below [`REAL_MOVES`] plies.
    pub fingerprint: u64,
    /// What of the moves agrees with those of another game, in eight bytes; 0 where it is not known (see
    /// [`Game::has_similar_moves`]).
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
    /// Whether half of the moves of two games agree, as far as their traces tell, or those of one are not
    /// known: a slip, a missing move, a transposition leave most as it was; two games of one pair have
    /// hardly more than an opening in common.
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

/// All games read, in the order of reading.
#[derive(Clone, Debug, Default)]
pub struct GameTable {
    /// The interned texts.
    pub names: Names,
    /// Names of the members, by number.
    pub members: Vec<Arc<str>>,
    games: Vec<Game>,
}

impl GameTable {
    /// Appends a game.
    pub fn push(&mut self, game: Game) {
        self.games.push(game);
    }

    /// Appends games, each completed on its way, whose names may be new.
    pub fn append(
        &mut self,
        games: impl IntoIterator<Item = Game>,
        mut complete: impl FnMut(&mut Names, &mut Game),
    ) {
        let GameTable { names, games: all, .. } = self;
        all.extend(games.into_iter().map(|mut game| {
            complete(names, &mut game);
            game
        }));
    }

    /// The same games with their members in an order that the games themselves tell: by the earliest date, and then by what
    /// they are. In whichever order files are named, and whatever they are called, what is worked out of them is the same.
    /// Within a member games stay in their order, which may be that of playing.
    #[must_use]
    pub fn in_order_of_facts(self) -> GameTable {
        let mut facts: Vec<(Option<PartialDate>, u64, usize)> =
            (0..self.members.len()).map(|member| (None, 0, member)).collect();
        for game in &self.games {
            let (earliest, digest, _) = &mut facts[game.member as usize];
            if game.date.year().is_some() {
                *earliest = Some(earliest.map_or(game.date, |known| known.min(game.date)));
            }
            let names = [game.event, game.site, game.white, game.black];
            let mut hasher = FxHasher::default();
            (*digest, names.map(|name| self.names.hash_of(name))).hash(&mut hasher);
            (game.fingerprint, game.plies, game.date, game.round, game.result).hash(&mut hasher);
            (game.event_date, game.event_rounds, game.flags.bits(), game.trace).hash(&mut hasher);
            let ratings = (game.white_elo, game.black_elo);
            (ratings, game.white_fide_id, game.black_fide_id).hash(&mut hasher);
            *digest = hasher.finish();
        }
        // Members without a date come last; of equal ones it makes no difference which is first.
        facts.sort_by_key(|(earliest, digest, member)| {
            (earliest.is_none(), *earliest, *digest, *member)
        });
        if facts.iter().enumerate().all(|(place, (.., member))| place == *member) {
            return self;
        }
        let mut rank = vec![0; facts.len()];
        for (place, (.., member)) in facts.iter().enumerate() {
            rank[*member] = place as u32;
        }
        let GameTable { names, members, mut games } = self;
        for game in &mut games {
            game.member = rank[game.member as usize];
        }
        games.sort_by_key(|game| game.member);
        // Names are numbered in the order of the games.
        let mut ordered = Names::default();
        let mut numbers: Vec<Option<NameId>> = vec![None; names.len()];
        for game in &mut games {
            for name in [&mut game.event, &mut game.site, &mut game.white, &mut game.black] {
                *name = *numbers[name.index()].get_or_insert_with(|| {
                    ordered.intern_hashed(names.text(*name), names.hash_of(*name))
                });
            }
        }
        let members = facts.iter().map(|(.., member)| Arc::clone(&members[*member])).collect();
        GameTable { names: ordered, members, games }
    }

    /// Drops all games but the first so many.
    pub fn truncate(&mut self, games: usize) {
        self.games.truncate(games);
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// All games.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// All games, to be completed from their duplicates.
    pub fn games_mut(&mut self) -> &mut [Game] {
        &mut self.games
    }

    /// The text behind a number.
    pub fn text(&self, id: NameId) -> &str {
        self.names.text(id)
    }

    /// First and last year of the games of each name in the White and Black columns, in the order of
    /// the names; those without any year are left out.
    pub fn years_of_names(&self) -> Vec<(NameId, (i16, i16))> {
        let mut years = vec![(i16::MAX, i16::MIN); self.names.len()];
        for game in &self.games {
            let Some(year) = game.date.year() else { continue };
            for name in [game.white, game.black] {
                let (first, last) = &mut years[name.index()];
                *first = year.min(*first);
                *last = year.max(*last);
            }
        }
        let names = self.names.iter().map(|(name, _)| name);
        names.zip(years).filter(|(_, (first, last))| first <= last).collect()
    }

    /// Name of the member that a game was read from.
    pub fn member_of(&self, game: &Game) -> &Arc<str> {
        &self.members[game.member as usize]
    }
}
