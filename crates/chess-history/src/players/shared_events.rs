//! Compares the games that two groups of spellings have in the same events.
//!
//! Two players of one event have games in the same rounds and against the same opponents. If the
//! games of one name are just those that the other lacks, both are very likely one player.

use jiff::civil::Date;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::event_numbers::{EventNumber, EventNumbers, GameRows};
use super::evidence::{IdentityEvidence, MOST_NAMES};
use super::spelling::NameIndex;
use crate::games::{GameResult, GameTable, NameId, PartialDate};

/// The number of days between two games of the same tags beyond which they are of two editions.
///
/// Judged: leagues pause for weeks, and yearly events are eleven months apart. Half a year would
/// join spring and autumn editions; a month would divide leagues.
const EDITION_DAYS: i32 = 60;

/// The fewest games of a player who counts as one of the field. Fewer may be of a misspelt name.
///
/// Judged: typos are in one game or two. With six, the field of a small Swiss or a knock-out would
/// be empty.
const FIELD_GAMES: usize = 3;

/// The greatest field whose crosstable is compared. In larger ones most pairs do not meet.
///
/// Judged: round robins have at most some thirty players, so a larger limit would only cost time.
const LARGEST_FIELD: usize = 60;

/// The chance of two players' games completing each other below which both are one.
///
/// Judged: the names are already a letter apart, which is much evidence. With a sixth, single games
/// of players with many gaps stay apart; with two thirds, nearly any game of a namesake is joined.
const SMALL_CHANCE: f64 = 1.0 / 3.0;

/// The chance below which one player's names may all be misspelt.
///
/// Judged: the usual level of strong evidence. It takes some four games, so half or twice this
/// value is a game more or less.
const VERY_SMALL_CHANCE: f64 = 0.01;

/// The chance that one player's opponent in a match has another match with a similar name.
///
/// Judged: below [`SMALL_CHANCE`], so one game of a match is enough, and far above
/// [`VERY_SMALL_CHANCE`], so that four games are needed for that.
const CHANCE_IN_MATCH: f64 = 1.0 / 4.0;

/// At most one in this many games or rounds of a player is missing if the gaps show who fills them.
///
/// Judged: of a player with half of the games missing, any game of a namesake would fill a gap;
/// with six, a player with one missing game of five would have no gap.
const MOST_ARE_KNOWN: usize = 3;

/// The share of pairs that met from which an event is a round robin with gaps.
///
/// Judged: in a Swiss of nine rounds and twenty players it is just below a half, in a round robin
/// with a third of the games missing above it.
const DENSE: f64 = 0.5;

/// The difference of two rating tags (points) beyond which they are not one player's in one event.
///
/// Judged: sources give ratings of neighbouring lists, or national ones, which are up to a hundred
/// points apart. With 300, fathers and sons could be one player.
const RATINGS_APART: u16 = 150;

/// At most one in this many players of a round has two opponents, because sources have errors.
///
/// Judged: in a knock-out whose rounds are the games of each pair, nearly all players have several.
const ONE_ERROR_IN: usize = 4;

/// The evidence in the events in which both of two groups play.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedEvents {
    pub evidence: IdentityEvidence,
    /// The chance that another player would have only games that the known one lacks.
    chance: f64,
    /// Whether each game has a rating tag that the known player has in the event.
    pub has_the_same_ratings: bool,
}

impl SharedEvents {
    /// Whether the games of one name are those that the other lacks, which would be unlikely by
    /// chance.
    pub fn fills_gaps(&self) -> bool {
        self.chance <= SMALL_CHANCE
    }

    /// Whether there are enough games to exclude chance.
    pub fn is_proof(&self) -> bool {
        self.chance <= VERY_SMALL_CHANCE
    }

    /// Adds up the evidence of several games.
    pub fn total<'a>(games: impl IntoIterator<Item = &'a SharedEvents>) -> SharedEvents {
        let mut total = SharedEvents {
            evidence: IdentityEvidence::default(),
            chance: 1.0,
            has_the_same_ratings: true,
        };
        for SharedEvents { evidence, chance, has_the_same_ratings } in games {
            total.has_the_same_ratings &= has_the_same_ratings;
            total.evidence.games += evidence.games;
            total.evidence.both_differ += evidence.both_differ;
            total.evidence.contradictions += evidence.contradictions;
            total.evidence.completes += evidence.completes;
            total.chance *= chance;
        }
        total
    }
}

/// A game from the side of one group.
#[derive(Clone, Copy, Debug)]
struct GameOfGroup {
    row: usize,
    place: EventNumber,
    round: Option<u16>,
    /// The number of the game in a match within a round.
    part: Option<u16>,
    /// The first and last possible days, as numbers.
    days: Option<(i32, i32)>,
    /// The group of the opponent.
    opponent: usize,
    is_white: bool,
    result: GameResult,
    /// The rating tag, or 0.
    elo: u16,
}

impl GameOfGroup {
    /// Whether two records are of one game.
    fn is_same_game_as(&self, other: &GameOfGroup) -> bool {
        self.opponent == other.opponent
            && self.is_white == other.is_white
            && self.result == other.result
            && !self.is_another_game_than(other)
    }

    /// Whether two games are known to be of one round.
    fn is_in_round_of(&self, other: &GameOfGroup) -> bool {
        self.round.is_some() && self.round == other.round
    }

    /// Whether both rounds are known and differ, or the numbers of the games in a match do.
    fn is_another_game_than(&self, other: &GameOfGroup) -> bool {
        self.round.zip(other.round).is_some_and(|(one, two)| one != two)
            || self.part.zip(other.part).is_some_and(|(one, two)| one != two)
    }

    /// Whether one player can't have both games; `may_be_one_opponent` is whether two
    /// opponents may be one player.
    fn contradicts(
        &self,
        other: &GameOfGroup,
        may_be_one_opponent: impl Fn(usize, usize) -> bool,
    ) -> bool {
        if self.opponent == other.opponent {
            // In a round of a knock-out, a pair plays several games.
            !self.is_another_game_than(other)
                && self.is_white == other.is_white
                && self.result != other.result
        } else {
            self.is_in_round_of(other) && !may_be_one_opponent(self.opponent, other.opponent)
        }
    }
}

/// Returns the numbers of the first and last day that a date may mean.
fn days(date: PartialDate) -> Option<(i32, i32)> {
    date.earliest().map(day_number).zip(date.latest().map(day_number))
}

/// Returns a number that grows by one a day within a year.
fn day_number(day: Date) -> i32 {
    i32::from(day.year()) * 366 + i32::from(day.day_of_year())
}

/// The crosstable of one event, with the groups as players.
#[derive(Debug, Default)]
struct EventTable {
    rounds: FxHashSet<u16>,
    /// Whether a player has one opponent in a round.
    ///
    /// In some knock-outs, rounds are the games of each pair.
    has_one_opponent_a_round: bool,
    /// The players, each with a round, who have more opponents than names of one player may be.
    ///
    /// They give a simultaneous display.
    displays: FxHashSet<(usize, u16)>,
    /// The number of games of each pair, smaller number first.
    pairs: FxHashMap<(usize, usize), usize>,
    games: FxHashMap<usize, usize>,
    /// The number of games of each player with each colour (whether White) and result.
    outcomes: FxHashMap<(usize, bool, GameResult), usize>,
    /// The usual number of games of a pair.
    cycles: usize,
}

/// A game in a crosstable: White, Black, the round, the result.
type Pairing = (usize, usize, Option<u16>, GameResult);

impl EventTable {
    /// Builds the table from the games, of which two sources may have recorded some twice.
    fn new(mut games: Vec<Pairing>) -> EventTable {
        games.sort_unstable_by_key(|game| (game.0, game.1, game.2, game.3 as u8));
        games.dedup();
        let mut table = EventTable::default();
        let mut in_rounds: Vec<(usize, u16, usize)> = Vec::new();
        for (white, black, round, result) in games {
            *table.outcomes.entry((white, true, result)).or_default() += 1;
            *table.outcomes.entry((black, false, result)).or_default() += 1;
            table.rounds.extend(round);
            *table.pairs.entry((white.min(black), white.max(black))).or_default() += 1;
            for (player, opponent) in [(white, black), (black, white)] {
                *table.games.entry(player).or_default() += 1;
                in_rounds.extend(round.map(|round| (player, round, opponent)));
            }
        }
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        for count in table.pairs.values() {
            *counts.entry(*count).or_default() += 1;
        }
        let usual = counts.into_iter().max_by_key(|(count, pairs)| (*pairs, *count));
        table.cycles = usual.map_or(0, |(count, _)| count);
        in_rounds.sort_unstable();
        in_rounds.dedup();
        let (mut seats, mut with_several) = (0, 0);
        for opponents in in_rounds.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (player, round, _) = opponents[0];
            seats += 1;
            with_several += usize::from(opponents.len() > 1);
            if opponents.len() > MOST_NAMES {
                table.displays.insert((player, round));
            }
        }
        table.has_one_opponent_a_round = ONE_ERROR_IN * with_several <= seats;
        table
    }

    /// Returns the number of games of two groups against each other.
    fn met(&self, a: usize, b: usize) -> usize {
        self.pairs.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
    }

    /// Returns the players of the field without two groups that may be one; `None` if there are
    /// too many.
    fn others(&self, [name, known]: [usize; 2]) -> Option<Vec<usize>> {
        let others: Vec<usize> = self
            .games
            .iter()
            .map(|(&player, &games)| (player, games))
            .filter(|&(player, _)| player != name && player != known)
            .filter(|&(player, games)| games >= FIELD_GAMES || self.met(name, player) > 0)
            .map(|(player, _)| player)
            .take(LARGEST_FIELD + 1)
            .collect();
        (others.len() <= LARGEST_FIELD).then_some(others)
    }

    /// Returns the chance that another player has a game against an opponent whom the known player
    /// should have met more often.
    fn chance_by_opponents(&self, pair: [usize; 2], opponent: usize) -> f64 {
        if self.games.len() == pair.len() + 1 {
            return CHANCE_IN_MATCH;
        }
        let met = self.met(pair[1], opponent);
        if met + self.met(pair[0], opponent) > self.cycles {
            return 1.0;
        }
        // A pair of a knock-out plays several games.
        let of_pair = if met > 0 { self.density() } else { 1.0 };
        let Some(others) = self.others(pair) else { return of_pair.min(1.0) };
        // The share of the games that the known player lacks against the field.
        let lacking: usize =
            others.iter().map(|&other| self.cycles.saturating_sub(self.met(pair[1], other))).sum();
        let all = self.cycles * others.len();
        of_pair.min(if self.density() >= DENSE {
            lacking.max(1) as f64 / all.max(1) as f64
        } else {
            missing_share(lacking, all)
        })
    }

    /// Returns the chance that another player has a game with the same opponent, colour and result:
    /// the share of such games among the opponent's others. It is 1 in a simultaneous display.
    fn chance_of_same_game(&self, seat: &GameOfGroup) -> f64 {
        let outcome = (seat.opponent, !seat.is_white, seat.result);
        // Both records that are compared are among the opponent's games.
        let [same, all] = [self.outcomes.get(&outcome), self.games.get(&seat.opponent)]
            .map(|count| count.map_or(0, |count| count.saturating_sub(2)));
        if all == 0 { 1.0 } else { (same + 1) as f64 / (all + 1) as f64 }
    }

    /// Returns the share of the pairs that met.
    fn density(&self) -> f64 {
        let players = self.games.len();
        self.pairs.len() as f64 / (players * players.saturating_sub(1) / 2).max(1) as f64
    }

    /// Whether both together have met all others equally often, as one player of a round robin has.
    fn is_one_row(&self, [name, known]: [usize; 2]) -> bool {
        self.others([name, known]).is_some_and(|others| {
            others.len() > 1
                && others
                    .iter()
                    .all(|&other| self.met(name, other) + self.met(known, other) == self.cycles)
        })
    }
}

/// Returns the share of a player's games that is missing, or 1 if most are not known.
///
/// In a knock-out, and where most games are missing, a player lacks many games anyhow.
fn missing_share(lacking: usize, all: usize) -> f64 {
    if MOST_ARE_KNOWN * lacking <= all { lacking.max(1) as f64 / all.max(1) as f64 } else { 1.0 }
}

/// The games, and the spelling and the event of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpelledGames<'a> {
    pub table: &'a GameTable,
    pub name_index: &'a NameIndex,
    pub numbers: &'a EventNumbers,
    pub rows: &'a GameRows,
}

/// The games of groups of names, for comparing the groups in their events.
pub(super) struct GroupedGames<'a> {
    pub table: &'a GameTable,
    /// The group of a name; `None` if the text names no player.
    pub group_of: Box<dyn Fn(NameId) -> Option<usize> + Sync + 'a>,
    /// Whether a name of one group may be a name of another.
    pub have_similar_names: Box<dyn Fn(usize, usize) -> bool + Sync + 'a>,
    pub numbers: &'a EventNumbers,
    pub rows: &'a GameRows,
}

/// What a game of a name says about its being a known player's.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComparedGame {
    pub row: usize,
    pub place: EventNumber,
    pub shared: SharedEvents,
}

impl GroupedGames<'_> {
    /// Returns the evidence for each pair of groups that play in the same events.
    ///
    /// The first of each pair is the one that may be another name of the second.
    pub fn in_shared_events(
        &self,
        pairs: &FxHashSet<(usize, usize)>,
    ) -> FxHashMap<(usize, usize), SharedEvents> {
        self.compared(pairs)
            .into_iter()
            .map(|(pair, games)| (pair, SharedEvents::total(games.iter().map(|one| &one.shared))))
            .collect()
    }

    /// Compares each game of the first of each pair with the games of the second in that event.
    pub fn compared(
        &self,
        pairs: &FxHashSet<(usize, usize)>,
    ) -> FxHashMap<(usize, usize), Vec<ComparedGame>> {
        let names: FxHashSet<usize> = pairs.iter().map(|(name, _)| *name).collect();
        let known: FxHashSet<usize> = pairs.iter().map(|(_, known)| *known).collect();
        let of_names = self.seats(&names, |_| true);
        let places: FxHashSet<EventNumber> =
            of_names.values().flatten().map(|seat| seat.place).collect();
        let of_known = self.seats(&known, |place| places.contains(&place));
        let shared: FxHashSet<EventNumber> =
            of_known.values().flatten().map(|seat| seat.place).collect();
        let tables: FxHashMap<EventNumber, EventTable> = shared
            .into_par_iter()
            .map(|place| {
                let games = self.rows.of_event(place).iter().filter_map(|row| {
                    let game = &self.table.games()[*row as usize];
                    let (white, black) =
                        ((self.group_of)(game.white)?, (self.group_of)(game.black)?);
                    Some((white, black, game.round.number(), game.result))
                });
                (place, EventTable::new(games.collect()))
            })
            .collect();
        pairs
            .par_iter()
            .filter_map(|&(name, known)| {
                let (mine, theirs) = (of_names.get(&name)?, of_known.get(&known)?);
                let comparison = Comparison {
                    pair: [name, known],
                    theirs,
                    tables: &tables,
                    open: &names,
                    have_similar_names: &self.have_similar_names,
                };
                let compared = mine.iter().filter_map(|seat| comparison.compared_game(seat));
                Some(((name, known), compared.collect()))
            })
            .collect()
    }

    /// Returns the games of some groups in some events, in order.
    fn seats(
        &self,
        groups: &FxHashSet<usize>,
        is_wanted: impl Fn(EventNumber) -> bool + Sync,
    ) -> FxHashMap<usize, Vec<GameOfGroup>> {
        let names: Vec<(NameId, usize)> = self
            .table
            .names
            .iter()
            .filter_map(|(name, _)| Some((name, (self.group_of)(name)?)))
            .filter(|(_, group)| groups.contains(group))
            .collect();
        let found: Vec<(usize, Vec<GameOfGroup>)> = names
            .into_par_iter()
            .map(|(name, group)| {
                let rows = self.rows.of_name(name).iter().map(|row| *row as usize);
                let rows = rows.filter(|row| is_wanted(self.numbers.of_row(*row)));
                let seats = rows.flat_map(|row| self.seats_of(name, row)).flatten();
                (group, seats.collect())
            })
            .collect();
        let mut seats: FxHashMap<usize, Vec<GameOfGroup>> = FxHashMap::default();
        for (group, of_name) in found.into_iter().filter(|(_, seats)| !seats.is_empty()) {
            seats.entry(group).or_default().extend(of_name);
        }
        for of_group in seats.values_mut() {
            of_group.sort_unstable_by_key(|seat| (seat.row, !seat.is_white));
        }
        seats
    }

    /// Returns the game of a row from the side of a name: twice if the name has both sides, and not
    /// at all if the opponent is not a player.
    fn seats_of(&self, name: NameId, row: usize) -> [Option<GameOfGroup>; 2] {
        let game = &self.table.games()[row];
        [(game.white, game.black, true), (game.black, game.white, false)].map(
            |(own, other, is_white)| {
                let opponent = (self.group_of)(other).filter(|_| own == name)?;
                Some(GameOfGroup {
                    row,
                    place: self.numbers.of_row(row),
                    round: game.round.number(),
                    part: game.round.part(),
                    days: days(game.date),
                    opponent,
                    is_white,
                    result: game.result,
                    elo: if is_white { game.white_elo } else { game.black_elo },
                })
            },
        )
    }
}

/// Two groups that are compared in the events in which both play.
struct Comparison<'a> {
    pair: [usize; 2],
    /// The games of the known player.
    theirs: &'a [GameOfGroup],
    tables: &'a FxHashMap<EventNumber, EventTable>,
    /// The groups that may be another one.
    open: &'a FxHashSet<usize>,
    have_similar_names: &'a dyn Fn(usize, usize) -> bool,
}

impl Comparison<'_> {
    /// Compares a game of a name with those of the known player in its event, if there are any.
    fn compared_game(&self, seat: &GameOfGroup) -> Option<ComparedGame> {
        // The tags are the same, and the games are not of two editions.
        let theirs = self.theirs.iter().filter(|other| seat.place == other.place);
        let theirs: Vec<&GameOfGroup> = theirs
            .filter(|other| {
                seat.days.zip(other.days).is_none_or(|((first, last), (from, to))| {
                    first - to <= EDITION_DAYS && from - last <= EDITION_DAYS
                })
            })
            .collect();
        let table = self.tables.get(&seat.place).filter(|_| !theirs.is_empty())?;
        let evidence = IdentityEvidence { completes: 1, ..IdentityEvidence::default() };
        let has_the_same_ratings = seat.elo > 0 && theirs.iter().any(|other| other.elo == seat.elo);
        let mut shared = SharedEvents { evidence, chance: 1.0, has_the_same_ratings };
        self.compare(seat, &theirs, table, &mut shared);
        Some(ComparedGame { row: seat.row, place: seat.place, shared })
    }

    /// Completes the evidence of a game, and the chance of such a game if there are two players.
    fn compare(
        &self,
        seat: &GameOfGroup,
        theirs: &[&GameOfGroup],
        table: &EventTable,
        SharedEvents { evidence, chance, .. }: &mut SharedEvents,
    ) {
        let is_same_game = theirs.iter().any(|other| seat.is_same_game_as(other));
        if is_same_game {
            evidence.games = 1;
        } else if theirs.iter().any(|other| self.may_be_one_game(seat, other)) {
            evidence.both_differ = 1;
            return;
        }

        // If one game is the same, the pair's others are further ones.
        let mut rivals =
            theirs.iter().filter(|other| !is_same_game || other.opponent != seat.opponent);
        let mut ratings = theirs.iter().map(|other| other.elo).filter(|elo| *elo > 0).peekable();
        let is_rated_otherwise = seat.elo > 0
            && ratings.peek().is_some()
            && ratings.all(|elo| elo.abs_diff(seat.elo) > RATINGS_APART);
        if is_rated_otherwise || seat.opponent == self.pair[1] {
            evidence.contradictions = 1;
        } else if !rivals
            .any(|other| seat.contradicts(other, |a, b| self.may_be_one_opponent(a, b, table)))
        {
            *chance = self.chance(seat, theirs, table);
            if is_same_game {
                *chance = chance.min(table.chance_of_same_game(seat));
            }
            if *chance > SMALL_CHANCE && table.has_one_opponent_a_round {
                // An opponent with a similar name may be the same one or another.
                evidence.completes =
                    usize::from(!theirs.iter().any(|other| {
                        seat.is_in_round_of(other) && other.opponent != seat.opponent
                    }));
            }
        } else if table.is_one_row(self.pair) {
            // A wrong round is likelier than a player who has only the games that a row lacks.
            *chance = 0.0;
        } else {
            evidence.contradictions = 1;
        }
    }

    /// Whether two opponents in a round of an event may be one player.
    fn may_be_one_opponent(&self, a: usize, b: usize, table: &EventTable) -> bool {
        !table.has_one_opponent_a_round
            || self.open.contains(&a)
            || self.open.contains(&b)
            || (self.have_similar_names)(a, b)
    }

    /// Returns the chance that another player's game would be one that the known player lacks.
    fn chance(&self, seat: &GameOfGroup, theirs: &[&GameOfGroup], table: &EventTable) -> f64 {
        let by_opponents = table.chance_by_opponents(self.pair, seat.opponent);
        if !table.has_one_opponent_a_round
            || seat.round.is_some_and(|round| table.displays.contains(&(seat.opponent, round)))
        {
            return by_opponents;
        }
        let mut of_round = theirs.iter().filter(|other| seat.is_in_round_of(other)).peekable();
        if of_round.peek().is_some() {
            // No player meets two opponents in a round: both met this one.
            let similar = if of_round.all(|other| other.opponent == seat.opponent) {
                1
            } else {
                let others = table.games.keys().filter(|other| **other != seat.opponent);
                others.filter(|other| (self.have_similar_names)(**other, seat.opponent)).count()
            };
            return missing_share(similar, table.games.len().saturating_sub(1)).min(by_opponents);
        }
        let rounds: FxHashSet<u16> = theirs.iter().filter_map(|other| other.round).collect();
        let are_known = theirs.iter().all(|other| other.round.is_some());
        let by_rounds = match (seat.round, rounds.iter().max()) {
            // The player played later, so they played in this round as well.
            (Some(round), Some(&last)) if are_known && round < last => {
                let before_last = table.rounds.iter().filter(|round| **round <= last).count();
                (before_last - rounds.len()) as f64 / before_last as f64
            }
            (Some(_), Some(_)) if are_known => {
                missing_share(table.rounds.len() - rounds.len(), table.rounds.len())
            }
            _ => 1.0,
        };
        by_rounds.min(by_opponents)
    }

    /// Whether two records may be of one game with two names of the opponent.
    fn may_be_one_game(&self, one: &GameOfGroup, other: &GameOfGroup) -> bool {
        one.opponent != other.opponent
            && one.is_in_round_of(other)
            && one.is_white == other.is_white
            && one.result == other.result
            && (self.have_similar_names)(one.opponent, other.opponent)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::games::{Game, Round};
    use crate::players::{Aliases, resolve};

    /// Adds a round robin of 1956 to a table; `change` may rename the players of a game, by round.
    ///
    /// The results depend on the names, so that no two games look like one.
    pub fn add_round_robin(
        table: &mut GameTable,
        names: &[&str],
        change: impl Fn(u16, &mut Vec<String>),
    ) {
        let (event, site) = (table.names.intern("Alekhine Memorial"), table.names.intern("Moscow"));
        let even = names.len() / 2 * 2;
        assert_eq!(names.len(), even, "an even number of players has no byes");
        for round in 1..even {
            for pair in 0..even / 2 {
                // The circle method: a player paired with himself meets the last player.
                let (a, b) = ((round + pair) % (even - 1), (round + even - 1 - pair) % (even - 1));
                let b = if a == b { even - 1 } else { b };
                let mut both = vec![names[a].to_owned(), names[b].to_owned()];
                change(round as u16, &mut both);
                let [white, black] = [&both[0], &both[1]].map(|name| table.names.intern(name));
                let results = [GameResult::White, GameResult::Draw, GameResult::Black];
                table.push(Game {
                    event,
                    site,
                    white,
                    black,
                    date: PartialDate::of_year(1956),
                    round: Round::of_number(round as u16),
                    result: results[(a + 2 * b) % 3],
                    ..Game::default()
                });
            }
        }
    }

    pub const FIELD: [&str; 8] = [
        "Padevsky, Nikola",
        "Botvinnik, Mikhail",
        "Smyslov, Vasily",
        "Taimanov, Mark",
        "Gligoric, Svetozar",
        "Bronstein, David",
        "Najdorf, Miguel",
        "Keres, Paul",
    ];

    /// Renames a player in some rounds.
    pub fn rename(rounds: &[u16], old: &str, new: &str) -> impl Fn(u16, &mut Vec<String>) {
        move |round, both| {
            for name in both.iter_mut().filter(|name| **name == old && rounds.contains(&round)) {
                new.clone_into(name);
            }
        }
    }

    fn players(change: impl Fn(u16, &mut Vec<String>)) -> Vec<String> {
        let mut table = GameTable::default();
        add_round_robin(&mut table, &FIELD, change);
        let players = resolve(&table, &Aliases::default());
        players.iter().map(|(_, player)| player.spellings.join(" = ")).collect()
    }

    #[test]
    fn a_name_with_just_the_games_that_a_player_lacks_is_his() {
        for other in ["Padevsky, N", "Padewsky, Nikola", "Padevskyt Nikola"] {
            let found = players(rename(&[3], FIELD[0], other));
            assert_eq!(found.len(), 8, "{found:?}");
        }
        let found = players(rename(&[2, 6], FIELD[0], "Padevskx, Nikola"));
        assert_eq!(found.len(), 8, "{found:?}");
    }

    #[test]
    fn a_wrong_letter_that_makes_a_digraph_is_one_letter() {
        let found = players(rename(&[3], "Bronstein, David", "Bronsaein, David"));
        assert_eq!(found.len(), 8, "{found:?}");
    }

    #[test]
    fn the_games_of_two_sources_complete_each_other() {
        // Each source has half of the games; the first misspells one of them.
        let mut table = GameTable::default();
        add_round_robin(&mut table, &FIELD, rename(&[1], FIELD[0], "Padewsky, Nikola"));
        let mut both = GameTable::default();
        for (row, game) in table.games().iter().enumerate() {
            let rounds = [1..=5, 3..=7];
            for (event, rounds) in ["Alekhine Memorial", "Moscow mem"].iter().zip(rounds) {
                let round = game.round.number().expect("a round");
                let is_of_other_source = event.starts_with("Moscow") && row == 0;
                if rounds.contains(&round) && !is_of_other_source {
                    let [event, site, white, black] =
                        [event, "Moscow", table.text(game.white), table.text(game.black)]
                            .map(|text| both.names.intern(text));
                    both.push(Game { event, site, white, black, ..*game });
                }
            }
        }
        assert_eq!(resolve(&both, &Aliases::default()).len(), 8);
    }

    #[test]
    fn two_similar_names_in_a_simultaneous_display_are_two_players() {
        for round in [0, 1] {
            assert_eq!(players_of_display(round), 7, "round {round}");
        }
    }

    /// Counts the players of a simultaneous display whose games all have one round, or none (0).
    fn players_of_display(round: u16) -> usize {
        let mut table = GameTable::default();
        let names = ["Maeser, P.", "Waser, P.", "Bhend, E.", "Hug, W.", "Huss, A.", "Partos, C."];
        for name in names {
            let [event, white, black] =
                ["Zurich sim", "Kavalek, Lubomir", name].map(|text| table.names.intern(text));
            let date = PartialDate::of_year(1988);
            table.push(Game {
                event,
                white,
                black,
                date,
                round: if round > 0 { Round::of_number(round) } else { Round::default() },
                result: GameResult::White,
                ..Game::default()
            });
        }
        resolve(&table, &Aliases::default()).len()
    }

    #[test]
    fn a_wrong_letter_may_be_in_a_name_of_another_order() {
        let mut names = FIELD;
        names[0] = "Nikola Padevsky";
        let mut table = GameTable::default();
        add_round_robin(&mut table, &names, rename(&[3], names[0], "Padewsky, Nikola"));
        assert_eq!(resolve(&table, &Aliases::default()).len(), 8);
    }

    #[test]
    fn father_and_son_are_two_players() {
        let mut names = FIELD;
        names[0] = "Loewy, Leopold Jr";
        let mut table = GameTable::default();
        add_round_robin(&mut table, &names, rename(&[3], names[0], "Loewy, Leopold Sr"));
        assert_eq!(resolve(&table, &Aliases::default()).len(), 9);
    }

    #[test]
    fn a_row_that_one_game_completes_outweighs_a_wrong_round() {
        let mut table = GameTable::default();
        add_round_robin(&mut table, &FIELD, rename(&[3], FIELD[0], "Padewsky, Nikola"));
        let names: Vec<[String; 2]> = table
            .games()
            .iter()
            .map(|game| [game.white, game.black].map(|name| table.text(name).to_owned()))
            .collect();
        let wrong = names
            .iter()
            .position(|both| both.iter().any(|name| name.contains("Padew")))
            .expect("a game in round 3");
        table.games_mut()[wrong].round = Round::of_number(5);
        assert_eq!(resolve(&table, &Aliases::default()).len(), 8);
        // Without the rest of the row, a second game in one round belongs to another player.
        let mut some = GameTable::default();
        for (game, both) in table.games().iter().zip(&names) {
            let [event, site, white, black] =
                [table.text(game.event), table.text(game.site), &both[0], &both[1]]
                    .map(|text| some.names.intern(text));
            if !(both.contains(&FIELD[0].to_owned()) && both.contains(&FIELD[7].to_owned())) {
                some.push(Game { event, site, white, black, ..*game });
            }
        }
        assert_eq!(resolve(&some, &Aliases::default()).len(), 9);
    }

    #[test]
    fn numbers_and_single_letters_distinguish_programs_and_teams() {
        for (old, new) in [("Rebel 8 Pro", "Rebel 9 Pro"), ("Ulm School A", "Ulm School B")] {
            let mut names = FIELD;
            names[0] = old;
            let mut table = GameTable::default();
            add_round_robin(&mut table, &names, rename(&[3], old, new));
            assert_eq!(resolve(&table, &Aliases::default()).len(), 9, "{new}");
        }
    }

    /// Counts the players of the field if Padevsky's name has a wrong letter in a round, with a
    /// rating.
    fn players_with_rating(elo: u16) -> usize {
        let mut table = GameTable::default();
        add_round_robin(&mut table, &FIELD, rename(&[3], FIELD[0], "Padewsky, Nikola"));
        let [known, typo] = [FIELD[0], "Padewsky, Nikola"].map(|text| table.names.intern(text));
        for game in table.games_mut() {
            for (name, rating) in [(known, 2450), (typo, elo)] {
                if game.white == name {
                    game.white_elo = rating;
                }
                if game.black == name {
                    game.black_elo = rating;
                }
            }
        }
        resolve(&table, &Aliases::default()).len()
    }

    #[test]
    fn a_player_with_another_rating_in_the_event_is_another() {
        assert_eq!(players_with_rating(2450), 8);
        assert_eq!(players_with_rating(2100), 9);
    }
}
