//! Finds events that two sources record under two names, with different spellings of the players.
//!
//! A crosstable is a fingerprint. Two events of a year are one if the players with similar names
//! met in the same rounds, with the same colours and results. Then a player in the same place of
//! both tables is one player, even if all names are spelt differently and no day is known.

use std::hash::Hasher;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::comparable_names::ComparableNames;
use super::event_numbers::EventKey;
use super::evidence::{IdentityEvidence, MOST_NAMES};
use super::spelling::NameIndex;
use crate::games::{GameTable, REAL_MOVES};

/// The number of games with equal colours, result and known round that make two tables one event.
///
/// Judged: three games against the same opponents may be of two events with some of the same
/// players; with ten, fragments of a tournament are not recognised.
const GAMES: usize = 5;

/// At most one in this many comparable games may differ, because sources have errors.
///
/// Judged: a source with a wrong result in each tenth game is a bad one, and two editions with the
/// same players differ in half of the games.
const ONE_ERROR_IN: usize = 10;

/// The number of words by which an event of few players is searched: the rarest in their names.
///
/// Words of several games go first, because a rare word in one game may be misspelt. Judged: two of
/// them must be found, so half may be spelt otherwise. Twice as many double the pairs that are
/// compared.
const WORDS: usize = 8;

/// The number of players for each of whom a large event is searched by one more word.
///
/// Its rarest words are those of its stages and play-offs, or of the event a year before: the copy
/// of a knock-out of a hundred players was not found by eight words. Judged: with two, the work for
/// open tournaments doubles; with eight, events of sixty players are searched like those of eight.
const PLAYERS_PER_WORD: usize = 4;

/// One in this many words of the smaller of two events must be among those of the other: of all its
/// words, and of those by which a large event is searched.
///
/// Measured, together with an index of the games: on 427,000 games identities took 1.93 s instead
/// of 2.7 s, with the same merges and doubts.
const ONE_SHARED_IN: usize = 3;

/// The number of events beyond which a word is too common for the search.
///
/// Judged: a word of thirty events in two years is a given name or a frequent player's. The pairs
/// grow with the square of this number.
const MOST_EVENTS: usize = 30;

/// The number of players of an event beyond which a common word or end of a name is ignored.
///
/// It is a given name or an ending like `ov`. Judged: only events of thousands have so many, whose
/// pairs grow with the square.
const MOST_SHARING: usize = 256;

/// The number of letters at either end of a surname that are compared.
///
/// Both ends together are shorter than the surnames that may have a wrong letter.
const END: usize = 2;

/// The shortest word (letters) of a name that is used for the search.
///
/// Judged: shorter ones are initials, particles (`van`, `de`) or beginnings of given names.
const LONG_WORD: usize = 4;

#[derive(Clone, Copy, Debug)]
struct TableGame {
    white: u32,
    black: u32,
    round: Option<u16>,
    /// The number of the game in a match within a round.
    part: Option<u16>,
    row: u32,
}

impl TableGame {
    fn opponent_of(&self, player: u32) -> u32 {
        if self.white == player { self.black } else { self.white }
    }

    /// Whether two games of a round are known to be different ones of a match.
    fn is_another_of_match(&self, other: &TableGame) -> bool {
        self.part.zip(other.part).is_some_and(|(one, two)| one != two)
    }
}

/// The games that one source has under one name of an event, in one year.
#[derive(Debug)]
struct SourceTable {
    /// The numbers of the tags of the event and the site.
    tags: [usize; 2],
    year: i16,
    pairings: Vec<TableGame>,
    players: Vec<u32>,
    /// The [`keys`] of the players, in order.
    keys: Vec<(u64, u32)>,
}

impl SourceTable {
    /// Returns the event of the table.
    fn key(&self) -> EventKey {
        (self.tags[0], self.tags[1], self.year)
    }
}

/// The tables that several sources have of one event, and the names in the same places of them.
#[derive(Debug, Default)]
pub(super) struct SameTables {
    /// The evidence for pairs of spellings, smaller number first.
    pub spellings: FxHashMap<(usize, usize), IdentityEvidence>,
    /// The pairs of events that are one.
    pub events: Vec<(EventKey, EventKey)>,
}

impl SameTables {
    /// Compares the tables of a year and the next that may be one event.
    pub fn find(table: &GameTable, name_index: &NameIndex, names: &ComparableNames) -> SameTables {
        let mut tables = source_tables(table, name_index);
        let keys: Vec<Vec<u64>> =
            (0..names.len()).into_par_iter().map(|spelling| keys(names, spelling)).collect();
        tables.par_iter_mut().for_each(|one| {
            for &player in &one.players {
                one.keys.extend(keys[player as usize].iter().map(|key| (*key, player)));
            }
            one.keys.sort_unstable();
        });
        let of_players: Vec<GamesByPlayer> = tables.par_iter().map(GamesByPlayer::new).collect();
        let mut pairs = candidates(&tables, names);
        pairs.extend((0..tables.len()).map(|one| (one, one)));
        let compared = pairs.into_par_iter().filter_map(|(a, b)| {
            let games = [&of_players[a], &of_players[b]];
            let (a, b) = (&tables[a], &tables[b]);
            Some((a.key(), b.key(), TablePair { a, b, games, table, names }.same_places()?))
        });
        let mut found = SameTables::default();
        for (a, b, places) in compared.collect::<Vec<_>>() {
            if a != b {
                found.events.push((a.min(b), a.max(b)));
            }
            for ((x, y), evidence) in places {
                let all =
                    found.spellings.entry((x.min(y) as usize, x.max(y) as usize)).or_default();
                all.games += evidence.games;
                all.contradictions += evidence.contradictions;
                all.completes += evidence.completes;
            }
        }
        found
    }
}

/// Returns the keys of a name. Two names that may be one have at least one key in common.
///
/// The keys are the words, and both ends of the surname. One wrong letter leaves one of the ends as
/// it is.
fn keys(names: &ComparableNames, spelling: usize) -> Vec<u64> {
    let surname: Vec<char> = names.surname(spelling).chars().collect();
    let ends = [
        key_of_end(0, &surname[..surname.len().min(END)]),
        key_of_end(1, &surname[surname.len().saturating_sub(END)..]),
    ];
    let mut keys: Vec<u64> =
        names.words(spelling).iter().map(|word| u64::from(*word)).chain(ends).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns the key of the beginning (0) or the ending (1) of a surname.
fn key_of_end(which: u8, letters: &[char]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(which);
    letters.iter().for_each(|letter| hasher.write_u32(u32::from(*letter)));
    // The numbers of words are smaller.
    hasher.finish() | 1 << 63
}

/// Groups the games by event tag, site, source and year, independently of their order.
fn source_tables(table: &GameTable, name_index: &NameIndex) -> Vec<SourceTable> {
    let mut rows: Vec<(u32, u32, u32, i16, u32)> = (0..)
        .zip(table.games())
        .filter(|(_, game)| {
            name_index.get(game.white).is_some() && name_index.get(game.black).is_some()
        })
        .filter_map(|(row, game)| {
            let (event, site) = (game.event.index() as u32, game.site.index() as u32);
            Some((event, site, table.sources().of_game(game), game.date.year()?, row))
        })
        .collect();
    rows.par_sort_unstable();
    rows.par_chunk_by(|a, b| (a.0, a.1, a.2, a.3) == (b.0, b.1, b.2, b.3))
        .filter(|rows| rows.len() >= GAMES)
        .map(|rows| {
            let pairings = rows.iter().filter_map(|row| {
                let game = &table.games()[row.4 as usize];
                let (white, black) =
                    (name_index.get(game.white)? as u32, name_index.get(game.black)? as u32);
                let (round, part) = (game.round.number(), game.round.part());
                Some(TableGame { white, black, round, part, row: row.4 })
            });
            let pairings: Vec<TableGame> = pairings.collect();
            let mut players: Vec<u32> =
                pairings.iter().flat_map(|game| [game.white, game.black]).collect();
            players.sort_unstable();
            players.dedup();
            let tags = [rows[0].0 as usize, rows[0].1 as usize];
            SourceTable { tags, year: rows[0].3, pairings, players, keys: Vec::new() }
        })
        .collect()
}

/// Returns pairs of events of the same year or the next that share rare words of players' names.
fn candidates(tables: &[SourceTable], names: &ComparableNames) -> Vec<(usize, usize)> {
    let words: Vec<Vec<TableWord>> =
        tables.par_iter().map(|table| words_of(table, names)).collect();
    let mut events_with: FxHashMap<(i16, u32), u32> = FxHashMap::default();
    for (one, words) in tables.iter().zip(&words) {
        for &TableWord { word, .. } in words {
            *events_with.entry((one.year, word)).or_default() += 1;
            *events_with.entry((one.year + 1, word)).or_default() += 1;
        }
    }
    let events_with = &events_with;
    let mut with_word: Vec<(i16, u32, usize)> = tables
        .par_iter()
        .zip(&words)
        .enumerate()
        .flat_map_iter(|(number, (table, words))| {
            [table.year, table.year + 1].into_iter().flat_map(move |year| {
                let words = rarest_words(words, year, events_with, words_searched(table));
                words.map(move |word| (year, word, number))
            })
        })
        .collect();
    with_word.sort_unstable();
    let mut searched: Vec<(usize, usize)> = with_word
        .par_chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .flat_map_iter(pairs_of_word)
        .collect();
    searched.par_sort_unstable();
    searched
        .par_chunk_by(|a, b| a == b)
        .filter(|pairs| {
            let (a, b) = pairs[0];
            let fewest = words_searched(&tables[a]).min(words_searched(&tables[b]));
            pairs.len() > 1 && (fewest == WORDS || pairs.len() * ONE_SHARED_IN >= fewest)
        })
        .map(|pairs| pairs[0])
        .filter(|&(a, b)| share_names(&words[a], &words[b]))
        .collect()
}

/// Returns the words by which an event is searched among those of a year, at most `count`.
///
/// Words that no other event of the year has are left out.
fn rarest_words(
    words: &[TableWord],
    year: i16,
    events_with: &FxHashMap<(i16, u32), u32>,
    count: usize,
) -> impl Iterator<Item = u32> {
    let mut rare: Vec<(bool, u32, u32)> = words
        .iter()
        .map(|one| (one.is_single, events_with[&(year, one.word)], one.word))
        .filter(|(_, events, _)| *events > 1)
        .collect();
    rare.sort_unstable();
    rare.truncate(count);
    rare.into_iter().map(|(.., word)| word)
}

/// Returns all pairs of the events that have a word, unless it is too common.
fn pairs_of_word(events: &[(i16, u32, usize)]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if events.len() > MOST_EVENTS {
        return pairs;
    }
    for (place, &(_, _, a)) in events.iter().enumerate() {
        pairs.extend(events[place + 1..].iter().map(|&(_, _, b)| (a, b)));
    }
    pairs
}

/// Whether two tables may be of one event, by the words of names that both have.
///
/// Nearly all players of the smaller table are in the other, and most names are not misspelt. A
/// word of a single game may be.
fn share_names(one: &[TableWord], other: &[TableWord]) -> bool {
    let mut shared = 0;
    // Both are in the order of the words.
    let mut rest = other.iter().map(|of| of.word).peekable();
    for of in one {
        while rest.next_if(|word| *word < of.word).is_some() {}
        shared += usize::from(rest.peek() == Some(&of.word));
    }
    let [mine, theirs] = [one, other].map(|words| words.iter().filter(|of| !of.is_single).count());
    ONE_SHARED_IN * shared >= mine.min(theirs)
}

/// Returns the number of words by which an event is searched.
fn words_searched(table: &SourceTable) -> usize {
    WORDS.max(table.players.len() / PLAYERS_PER_WORD)
}

/// A word in the names of the players of a table.
struct TableWord {
    word: u32,
    /// Whether it is in a single game, so that it may be misspelt.
    is_single: bool,
}

/// Returns the long words in the names of the players of a table, each once.
fn words_of(table: &SourceTable, names: &ComparableNames) -> Vec<TableWord> {
    let seats = table.pairings.iter().flat_map(|game| [game.white, game.black]);
    let mut words: Vec<u32> =
        seats.flat_map(|player| names.long_words(player as usize, LONG_WORD)).collect();
    words.sort_unstable();
    let of_words = words.chunk_by(|a, b| a == b);
    of_words.map(|all| TableWord { word: all[0], is_single: all.len() == 1 }).collect()
}

/// Two tables that may be one event, or one table whose players may have several names.
struct TablePair<'a> {
    a: &'a SourceTable,
    b: &'a SourceTable,
    /// The games of the players, for both tables.
    games: [&'a GamesByPlayer; 2],
    table: &'a GameTable,
    names: &'a ComparableNames<'a>,
}

/// The pairs of players, one of each table, that may be one player.
#[derive(Debug, Default)]
struct SimilarNames {
    pairs: FxHashSet<(u32, u32)>,
    /// The pairs whose names seem to have an error each. Only a certain game shows that they are
    /// one.
    misspelt: FxHashSet<(u32, u32)>,
    /// The players of the first table that may have another name in the second.
    firsts: FxHashSet<u32>,
    /// The players of the second table that may have another name in the first.
    seconds: FxHashSet<u32>,
}

impl SimilarNames {
    fn insert(&mut self, (x, y): (u32, u32), is_partner: bool) {
        self.pairs.insert((x, y));
        if is_partner {
            self.firsts.insert(x);
            self.seconds.insert(y);
        }
    }
}

impl TablePair<'_> {
    /// Whether both tables are the same one of a single source.
    fn is_one_source(&self) -> bool {
        std::ptr::eq(self.a, self.b)
    }

    /// Returns the evidence for pairs of names that may be spellings of each other; `None` if the
    /// tables are two events.
    ///
    /// In two sources a name also matches itself. A player who remains when all others are matched
    /// is often another player, of another group or event.
    fn same_places(&self) -> Option<Vec<((u32, u32), IdentityEvidence)>> {
        let is_one_source = self.is_one_source();
        let pairs = self.pairs_with_a_key();
        let mut similar = SimilarNames::default();
        for &(x, y) in pairs.iter().filter(|(x, y)| x == y || self.names_are_similar(*x, *y)) {
            similar.insert((x, y), x != y || !is_one_source);
            if is_one_source {
                similar.insert((y, x), x != y);
            }
        }
        if similar.firsts.is_empty() || !self.may_be_one_event(&similar) {
            return None;
        }
        similar.misspelt = pairs
            .into_iter()
            .filter(|pair| !similar.pairs.contains(pair))
            .filter(|&(x, y)| self.names.may_both_be_misspelt(x as usize, y as usize))
            .collect();
        let mut compared: Vec<((u32, u32), IdentityEvidence)> = similar
            .pairs
            .iter()
            .filter(|(x, y)| x != y || !is_one_source)
            .chain(&similar.misspelt)
            .map(|&pair| (pair, self.compare(pair, &similar)))
            .filter(|(_, evidence)| evidence.games > 0 || evidence.completes > 0)
            .collect();
        compared.sort_unstable_by_key(|(pair, _)| *pair);
        if !is_one_source && !is_one_event(&compared) {
            return None;
        }
        compared.retain(|&((x, y), evidence)| {
            x != y && self.is_enough((x, y), evidence.games) && evidence.outweighs()
        });
        Some(compared)
    }

    /// Whether a number of games under two names is enough for the tables.
    ///
    /// In one source a single game is enough if one of the names has no other games, or only those
    /// that the other lacks.
    fn is_enough(&self, (x, y): (u32, u32), games: usize) -> bool {
        let (mine, theirs) = (self.games[0].games(x), self.games[1].games(y));
        if games >= 2 || games == mine.len().min(theirs.len()) || !self.is_one_source() {
            return true;
        }
        // Apart from the games that both have, these are one player's, who plays once in a round.
        let (one, other) = (CrosstableRow::new(mine, x), CrosstableRow::new(theirs, y));
        one.rounds.len() == one.games
            && other.rounds.len() == other.games
            && one.rounds.intersection(&other.rounds).count() == games
            && one.opponents.intersection(&other.opponents).count() <= games
    }

    /// Whether the tables may be one event.
    ///
    /// The first table needs enough games between players that may be in the second.
    fn may_be_one_event(&self, similar: &SimilarNames) -> bool {
        if self.is_one_source() {
            return true;
        }
        let mut names_of: FxHashMap<u32, usize> = FxHashMap::default();
        for (x, _) in &similar.pairs {
            *names_of.entry(*x).or_default() += 1;
        }
        let seats = self
            .a
            .pairings
            .iter()
            .filter_map(|game| Some(names_of.get(&game.white)? + names_of.get(&game.black)?));
        seats.sum::<usize>() >= 2 * GAMES
    }

    /// Returns the pairs of players whose names have a key in common.
    ///
    /// Only these are compared, because a field of hundreds has tens of thousands of pairs.
    fn pairs_with_a_key(&self) -> Vec<(u32, u32)> {
        let is_one_source = self.is_one_source();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut theirs = &self.b.keys[..];
        for mine in self.a.keys.chunk_by(|a, b| a.0 == b.0) {
            let key = mine[0].0;
            // Both lists are short, and neighbours in one are near in the other.
            let before = theirs.iter().take_while(|other| other.0 < key).count();
            let equal = theirs[before..].iter().take_while(|other| other.0 == key).count();
            let (same, behind) = theirs[before..].split_at(equal);
            theirs = behind;
            if mine.len().max(same.len()) > MOST_SHARING {
                continue;
            }
            let both = same.iter().flat_map(|(_, y)| mine.iter().map(|(_, x)| (*x, *y)));
            // In one source each pair is there in both orders.
            pairs.extend(both.filter(|(x, y)| !is_one_source || x <= y));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn names_are_similar(&self, x: u32, y: u32) -> bool {
        self.names.are_similar(x as usize, y as usize)
    }

    /// Counts the games in which two players have the same place, against opponents who may be one.
    ///
    /// Also counts the rounds in which each has another game.
    fn compare(&self, (x, y): (u32, u32), similar: &SimilarNames) -> IdentityEvidence {
        let (mine, theirs) = (self.games[0].games(x), self.games[1].games(y));
        let mut evidence = IdentityEvidence::default();
        for game in mine {
            let twin = theirs.iter().find(|other| {
                game.row != other.row
                    && (game.white == x) == (other.white == y)
                    && similar.pairs.contains(&(game.opponent_of(x), other.opponent_of(y)))
                    && self.is_one_game((game, x), (other, y), similar)
            });
            if twin.is_some() {
                evidence.games += 1;
                continue;
            }
            // An opponent without a match in the other table may be in it under any name.
            let other = only_of_round(mine, game).and_then(|game| only_of_round(theirs, game));
            evidence.contradictions += usize::from(other.is_some_and(|other| {
                let opponents = (game.opponent_of(x), other.opponent_of(y));
                let are_of_match =
                    game.is_another_of_match(other) && similar.pairs.contains(&opponents);
                !are_of_match
                    && similar.firsts.contains(&opponents.0)
                    && similar.seconds.contains(&opponents.1)
            }));
        }
        let is_without_evidence = x != y && evidence == IdentityEvidence::default();
        if is_without_evidence
            && !self.is_one_source()
            && self.have_the_same_candidates((x, y), similar)
        {
            let [mine, theirs] =
                [(mine, x), (theirs, y)].map(|(games, one)| CrosstableRow::new(games, one));
            evidence.completes =
                usize::from(mine.is_completed_by(&theirs) || theirs.is_completed_by(&mine));
        }
        evidence
    }

    /// Whether all candidates for the second player are candidates for the first too.
    fn have_the_same_candidates(&self, (x, y): (u32, u32), similar: &SimilarNames) -> bool {
        let mut rivals =
            self.a.players.iter().filter(|rival| similar.pairs.contains(&(**rival, y)));
        rivals.all(|&rival| rival == x || rival == y || self.names_are_similar(rival, x))
    }

    /// Whether two games, each of a name, with equal colours may be one game.
    ///
    /// In an event the opponent plays one game in a round. Without rounds, only two sources can
    /// record one game twice. But few players have the same rating.
    fn is_one_game(
        &self,
        one: (&TableGame, u32),
        other: (&TableGame, u32),
        similar: &SimilarNames,
    ) -> bool {
        let ((game, x), (twin, y)) = (one, other);
        let in_one_round = match game.round.zip(twin.round) {
            Some((round, same)) => {
                round == same
                    && !game.is_another_of_match(twin)
                    && !(self.is_one_source() && self.plays_several(game.opponent_of(x), round))
            }
            None if !self.is_one_source() && !similar.misspelt.contains(&(x, y)) => true,
            None => {
                let [mine, theirs] = [one, other].map(|(game, player)| self.rating(game, player));
                mine > 0 && mine == theirs
            }
        };
        let [a, b] = [game, twin].map(|game| &self.table.games()[game.row as usize]);
        in_one_round
            && a.result == b.result
            && a.date.compatible(b.date)
            && (a.plies.min(b.plies) < REAL_MOVES || a.has_similar_moves(b))
    }

    /// Whether a player has more opponents in a round than names of one may be.
    ///
    /// It is a simultaneous display.
    fn plays_several(&self, player: u32, round: u16) -> bool {
        let games = self.games[0].games(player).iter();
        let of_round = games.filter(|game| game.round == Some(round));
        let opponents: FxHashSet<u32> = of_round.map(|game| game.opponent_of(player)).collect();
        opponents.len() > MOST_NAMES
    }

    /// Returns the rating tag (points) of a player in a game, or 0.
    fn rating(&self, game: &TableGame, player: u32) -> u16 {
        let tags = &self.table.games()[game.row as usize];
        if game.white == player { tags.white_elo } else { tags.black_elo }
    }
}

/// Whether two tables are one event, by the games that agree and differ. Each game counts for both
/// players.
fn is_one_event(compared: &[((u32, u32), IdentityEvidence)]) -> bool {
    let same: usize = compared.iter().map(|(_, evidence)| evidence.games).sum();
    let contradictions: usize = compared.iter().map(|(_, evidence)| evidence.contradictions).sum();
    same >= 2 * GAMES && contradictions * ONE_ERROR_IN <= same
}

/// The rounds of a player, and the opponents with the player's colours (whether White).
struct CrosstableRow {
    rounds: FxHashSet<u16>,
    opponents: FxHashSet<(u32, bool)>,
    games: usize,
}

impl CrosstableRow {
    fn new(games: &[TableGame], player: u32) -> CrosstableRow {
        CrosstableRow {
            rounds: games.iter().filter_map(|game| game.round).collect(),
            opponents: games
                .iter()
                .map(|game| (game.opponent_of(player), game.white == player))
                .collect(),
            games: games.len(),
        }
    }

    /// Whether another name has a few games that are missing in this row.
    ///
    /// Two players of one event play in the same rounds and meet the same opponents.
    fn is_completed_by(&self, other: &CrosstableRow) -> bool {
        let rounds_are_known =
            [self, other].iter().all(|row| row.games > 0 && row.rounds.len() == row.games);
        rounds_are_known
            && self.games >= 2 * other.games
            && self.rounds.is_disjoint(&other.rounds)
            && self.opponents.is_disjoint(&other.opponents)
    }
}

/// Returns the game of the same round among those of a player, if there is only one.
fn only_of_round<'g>(games: &'g [TableGame], game: &TableGame) -> Option<&'g TableGame> {
    let mut of_round = games.iter().filter(|one| game.round.is_some() && one.round == game.round);
    of_round.next().filter(|_| of_round.next().is_none())
}

/// The games of each player of a table.
struct GamesByPlayer(FxHashMap<u32, Vec<TableGame>>);

impl GamesByPlayer {
    fn new(table: &SourceTable) -> GamesByPlayer {
        let mut games: FxHashMap<u32, Vec<TableGame>> = FxHashMap::default();
        for game in &table.pairings {
            for player in [game.white, game.black] {
                games.entry(player).or_default().push(*game);
            }
        }
        GamesByPlayer(games)
    }

    fn games(&self, player: u32) -> &[TableGame] {
        self.0.get(&player).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{Game, GameResult, GameTable, PartialDate, Round};
    use crate::players::{Aliases, resolve};

    const FIRST: [&str; 6] = [
        "Botvinnik, Mikhail",
        "Keres, Paul",
        "Smyslov, Vasily",
        "Reshevsky, Samuel",
        "Euwe, Max",
        "Szabó, László",
    ];
    const SECOND: [&str; 6] =
        ["Botvinnik,M", "Paul Keres", "Smysloff,V", "Reshevsky S", "Max Euwe", "Szaba,L"];

    /// Resolves all games of six players under two tags; `second` gives the results under the
    /// second tag.
    fn twice(tags: [&str; 2], second: impl Fn(GameResult) -> GameResult) -> Vec<String> {
        twice_with(tags, [FIRST, SECOND], second)
    }

    /// As [`twice`], with other names.
    fn twice_with(
        tags: [&str; 2],
        both: [[&str; 6]; 2],
        second: impl Fn(GameResult) -> GameResult,
    ) -> Vec<String> {
        let mut table = GameTable::default();
        for (tag, names) in tags.into_iter().zip(both) {
            for (round, pair) in
                (1..6_usize).flat_map(|round| (0..3).map(move |pair| (round, pair)))
            {
                // The circle method: a player paired with himself meets the last player.
                let (a, b) = ((round + pair) % 5, (round + 5 - pair) % 5);
                let b = if a == b { 5 } else { b };
                let results = [GameResult::White, GameResult::Draw, GameResult::Black];
                let result = results[(a + 2 * b + round) % 3];
                let [event, white, black] =
                    [tag, names[a], names[b]].map(|text| table.names.intern(text));
                table.push(Game {
                    event,
                    site: event,
                    white,
                    black,
                    date: PartialDate::of_year(1946),
                    round: Round::of_number(round as u16),
                    result: if names == both[0] { result } else { second(result) },
                    ..Game::default()
                });
            }
        }
        let players = resolve(&table, &Aliases::default());
        players.iter().map(|(_, player)| player.spellings.join(" = ")).collect()
    }

    #[test]
    fn the_same_place_in_two_tables_is_one_player() {
        let found = twice(["Groningen 21st", "Groningen"], |result| result);
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(found.contains(&"Szaba,L = Szabó, László".to_owned()), "{found:?}");
    }

    #[test]
    fn two_records_of_one_event_in_one_source_are_joined_too() {
        let found = twice(["Groningen", "Groningen"], |result| result);
        assert_eq!(found.len(), 6, "{found:?}");
    }

    #[test]
    fn a_name_without_a_comma_may_have_a_wrong_letter() {
        let mut names = FIRST;
        names[1] = "Keras Paul";
        let found = twice_with(["Groningen 21st", "Groningen"], [FIRST, names], |result| result);
        assert!(found.contains(&"Keras Paul = Keres, Paul".to_owned()), "{found:?}");
    }

    #[test]
    fn two_sources_may_each_have_a_wrong_letter_in_a_long_name() {
        let mut names = [FIRST; 2];
        names[0][3] = "Reshevzky, Samuel";
        names[1][3] = "Rezhevsky, Samuel";
        let found = twice_with(["Groningen 21st", "Groningen"], names, |result| result);
        assert_eq!(found.len(), 6, "{found:?}");
        // In short names two letters make another player.
        names[0][3] = "Reshko, Samuel";
        names[1][3] = "Rashka, Samuel";
        let found = twice_with(["Groningen 21st", "Groningen"], names, |result| result);
        assert_eq!(found.len(), 7, "{found:?}");
    }

    #[test]
    fn the_same_opponents_with_other_results_may_be_another_player() {
        let found = twice(["Groningen 21st", "Groningen"], |result| match result {
            GameResult::White => GameResult::Draw,
            _ => GameResult::White,
        });
        assert!(found.contains(&"Szaba,L".to_owned()), "{found:?}");
    }
}
