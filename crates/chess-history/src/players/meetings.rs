//! Records which players met: over the board, or in one event.

use std::cmp::Ordering;
use std::hash::Hasher;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::spelling::{NameIndex, Spelling};
use crate::games::{Game, GameTable, REAL_MOVES};

/// The games of one spelling in one event.
#[derive(Debug, Default)]
struct Appearance {
    spelling: usize,
    /// The opponents, each with the hash of surname and initial.
    opponents: FxHashSet<(usize, u64)>,
    /// The games, each with the side: twice the row, and one more for Black.
    seats: Vec<u32>,
    /// The games of each known round.
    rounds: FxHashMap<u16, Vec<GameOfRound>>,
    /// Whether the round of every game is known.
    rounds_known: bool,
    /// The rating tag, if all games have the same one.
    elo: Option<u16>,
}

impl Appearance {
    /// Collects the games of one spelling; `seats` are its event, spelling, and game with side.
    fn new(
        table: &GameTable,
        name_index: &NameIndex,
        name_hashes: &[u64],
        seats: &[(u64, u32, u32)],
    ) -> Appearance {
        let mut appearance = Appearance {
            rounds_known: true,
            seats: seats.iter().map(|(_, _, seat)| *seat).collect(),
            ..Appearance::default()
        };
        for (number, &(_, spelling, seat)) in seats.iter().enumerate() {
            let game = game_of_seat(table.games(), seat);
            let (opponent, elo) = if seat % 2 == 0 {
                (game.black, game.white_elo)
            } else {
                (game.white, game.black_elo)
            };
            appearance.spelling = spelling as usize;
            let opponent =
                name_index.get(opponent).map(|opponent| (opponent, name_hashes[opponent]));
            appearance.opponents.extend(opponent);
            if number == 0 {
                appearance.elo = Some(elo);
            }
            appearance.elo = appearance.elo.filter(|known| *known == elo && elo > 0);
            match game.round.number() {
                Some(round) => {
                    let games = appearance.rounds.entry(round).or_default();
                    games.push((game.round.part(), opponent.map(|(_, called)| called)));
                }
                None => appearance.rounds_known = false,
            }
        }
        appearance
    }

    /// Whether this and another appearance in the same event may be one player's.
    ///
    /// They may be if no round and no opponent is the same, and if every round is known or the
    /// rating tags are equal. Two players of one event meet the same opponents in the same rounds.
    /// In a match all rounds have the same opponent.
    ///
    /// The games of a match within one round may be under both spellings, because no player meets
    /// two opponents in one round.
    fn may_be_one_player_with(&self, other: &Appearance) -> bool {
        let is_rated_the_same = self.elo.is_some() && self.elo == other.elo;
        if !((self.rounds_known && other.rounds_known) || is_rated_the_same) {
            return false;
        }
        let mut in_one_match: FxHashSet<u64> = FxHashSet::default();
        for (round, mine) in &self.rounds {
            let Some(theirs) = other.rounds.get(round) else { continue };
            let Some(opponent) = opponent_of_match(mine, theirs) else { return false };
            in_one_match.insert(opponent);
        }
        let mut both = self.opponents.intersection(&other.opponents);
        if both.all(|(_, called)| in_one_match.contains(called)) {
            return true;
        }
        let [mine, theirs] = [self, other].map(|one| -> FxHashSet<u64> {
            one.opponents.iter().map(|(_, called)| *called).collect()
        });
        mine.len() == 1
            && mine == theirs
            && self.rounds.len() + other.rounds.len() >= GAMES_OF_MATCH
    }

    /// Whether all games of one are recorded under the other too.
    ///
    /// Their moves may differ, because many collections cut games short.
    fn is_copy_of(&self, other: &Appearance, games: &[Game]) -> bool {
        let (few, many) =
            if self.seats.len() <= other.seats.len() { (self, other) } else { (other, self) };
        few.opponents.is_subset(&many.opponents)
            && few.seats.iter().all(|&one| {
                let game = game_of_seat(games, one);
                many.seats.iter().filter(|&&other| other % 2 == one % 2).any(|&other| {
                    let copy = game_of_seat(games, other);
                    [game, copy].iter().all(|game| game.trace != 0 && game.plies >= REAL_MOVES)
                        && game.result == copy.result
                        && (game.white == copy.white || game.black == copy.black)
                        && game.has_most_moves_of(copy)
                })
            })
    }
}

/// Returns the game of a seat: twice the row, and one more for Black.
fn game_of_seat(games: &[Game], seat: u32) -> &Game {
    &games[(seat / 2) as usize]
}

/// The number of rounds in which one opponent is met in a match, and not by chance by two players.
///
/// Judged: in a tournament two namesakes rarely meet one opponent twice each. Half as many would
/// make one player of two; twice as many would miss short matches.
const GAMES_OF_MATCH: usize = 4;

/// A game of a round: its part, and the hash of the opponent's surname and initial.
///
/// The opponent may have two spellings as well.
type GameOfRound = (Option<u16>, Option<u64>);

/// Returns a hash of the surname and the initial of a spelling.
fn name_hash(spelling: &Spelling) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(spelling.name.surname_key().as_bytes());
    let initial = spelling.name.given.first().and_then(|word| word.chars().next());
    hasher.write_u32(initial.map_or(0, u32::from));
    hasher.finish()
}

/// Returns the opponent whom both met in one round, if these are games of one match.
///
/// Sources may disagree on a result, so a game may occur twice.
fn opponent_of_match(mine: &[GameOfRound], theirs: &[GameOfRound]) -> Option<u64> {
    let opponent = mine.first()?.1?;
    let mut parts: Vec<u16> = Vec::new();
    for (part, other) in mine.iter().chain(theirs) {
        if *other != Some(opponent) {
            return None;
        }
        parts.push((*part)?);
    }
    parts.sort_unstable();
    let twice = parts.windows(2).filter(|two| two[0] == two[1]).count();
    (ONE_DUPLICATE_IN * twice <= parts.len()).then_some(opponent)
}

/// At most one in this many games of a match may occur twice.
///
/// Judged: sources disagree on single results. If half of the games occur twice, two players may
/// have played the same opponent.
const ONE_DUPLICATE_IN: usize = 4;

/// Returns a hash of an event (tags and year) and a cluster of spellings in it.
///
/// A collision only means that two names are treated as having met.
fn event_hash(game: &Game, cluster: u32) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(game.event.index());
    hasher.write_usize(game.site.index());
    hasher.write_i16(game.date.year().unwrap_or(i16::MIN));
    hasher.write_u32(cluster);
    hasher.finish()
}

/// The pairs of spellings that met.
#[derive(Debug)]
pub(super) struct Meetings<'a> {
    /// Pairs of spellings that played each other, smaller number first.
    over_the_board: FxHashSet<(usize, usize)>,
    /// The appearances of each spelling in events with others of its cluster, by event number.
    ///
    /// Pairs are not stored: ten thousand namesakes in one event would be fifty million pairs.
    in_events: FxHashMap<usize, Vec<(usize, Appearance)>>,
    games: &'a [Game],
}

impl<'a> Meetings<'a> {
    /// Finds the meetings within each cluster of spellings that may belong to one player.
    pub fn new(
        table: &'a GameTable,
        name_index: &NameIndex,
        spellings: &[Spelling],
        clusters: &[Vec<usize>],
    ) -> Meetings<'a> {
        let mut cluster: Vec<Option<u32>> = vec![None; spellings.len()];
        for (number, members) in (0..).zip(clusters).filter(|(_, all)| all.len() > 1) {
            for &index in members {
                cluster[index] = Some(number);
            }
        }
        let name_hashes: Vec<u64> = spellings.iter().map(name_hash).collect();
        // Games without an event name do not show who met in it.
        let is_named: Vec<bool> =
            table.names.iter().map(|(_, text)| text.chars().any(char::is_alphanumeric)).collect();
        let over_the_board: FxHashSet<(usize, usize)> = table
            .games()
            .par_iter()
            .filter_map(|game| {
                let (white, black) = (name_index.get(game.white)?, name_index.get(game.black)?);
                (cluster[white].is_some() && cluster[white] == cluster[black])
                    .then_some((white.min(black), white.max(black)))
            })
            .collect();
        // The event and cluster, the spelling, and the game with side, of each player in each game.
        let mut seats: Vec<(u64, u32, u32)> = table
            .games()
            .par_iter()
            .enumerate()
            .filter(|(_, game)| is_named[game.event.index()])
            .filter_map(|(row, game)| {
                Some((row, game, name_index.get(game.white)?, name_index.get(game.black)?))
            })
            .flat_map_iter(|(row, game, white, black)| {
                let cluster = &cluster;
                [white, black].into_iter().zip(0..).filter_map(move |(index, side)| {
                    let event = event_hash(game, cluster[index]?);
                    Some((event, index as u32, 2 * row as u32 + side))
                })
            })
            .collect();
        seats.par_sort_unstable();
        // Events with several spellings of one cluster. Nearly all events have none.
        let of_events = seats.chunk_by(|a, b| a.0 == b.0);
        let mut in_events: FxHashMap<usize, Vec<(usize, Appearance)>> = FxHashMap::default();
        let of_events = of_events.filter(|all| all[0].1 != all[all.len() - 1].1);
        for (number, of_event) in of_events.enumerate() {
            for seats in of_event.chunk_by(|a, b| a.1 == b.1) {
                let appearance = Appearance::new(table, name_index, &name_hashes, seats);
                in_events.entry(appearance.spelling).or_default().push((number, appearance));
            }
        }
        Meetings { over_the_board, in_events, games: table.games() }
    }

    /// Whether two spellings met: over the board, or as players of one event.
    pub fn met(&self, a: usize, b: usize) -> bool {
        if self.met_over_the_board(a, b) {
            return true;
        }
        let (mut mine, mut theirs) = (self.appearances(a), self.appearances(b));
        while let ([(one, first), rest_of_mine @ ..], [(other, second), rest_of_theirs @ ..]) =
            (mine, theirs)
        {
            match one.cmp(other) {
                Ordering::Less => mine = rest_of_mine,
                Ordering::Greater => theirs = rest_of_theirs,
                Ordering::Equal
                    if !first.may_be_one_player_with(second)
                        && !first.is_copy_of(second, self.games) =>
                {
                    return true;
                }
                Ordering::Equal => (mine, theirs) = (rest_of_mine, rest_of_theirs),
            }
        }
        false
    }

    fn met_over_the_board(&self, a: usize, b: usize) -> bool {
        self.over_the_board.contains(&(a.min(b), a.max(b)))
    }

    /// Returns the appearances of a spelling in events with others of its cluster, by event number.
    fn appearances(&self, spelling: usize) -> &[(usize, Appearance)] {
        self.in_events.get(&spelling).map_or(&[][..], Vec::as_slice)
    }

    /// Whether any spelling of one group played any of another.
    pub fn any_met_over_the_board(&self, a: &[usize], b: &[usize]) -> bool {
        a.iter().any(|&a| b.iter().any(|&b| self.met_over_the_board(a, b)))
    }

    /// Whether any spelling of one group met any of another.
    pub fn any_met(&self, a: &[usize], b: &[usize]) -> bool {
        a.iter().any(|&a| b.iter().any(|&b| self.met(a, b)))
    }
}
