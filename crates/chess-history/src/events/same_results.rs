//! Joins groups of one event whose games have the same results but other moves, or no moves.
//!
//! One source may have the moves and another only the results, or both may have different moves.
//! The same players then have the same colours and results on the same days or in the same rounds.
//! Each source may lack games, so a small overlap is no evidence against one event. Contradictions
//! are: another result of a pair in one round, or two opponents of a player in one round.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{GameGroup, GroupedGame, counted_games};
use crate::games::{Duplicate, Game, GameTable, REAL_MOVES, tag_words};
use crate::players::{PlayerId, fold};
use crate::prefilter::keep_repeated;

/// The most days by which two sources differ on one game.
///
/// Judged: sources differ by the day of the adjournment or of the round. A week would join games of
/// neighbouring rounds; one day would miss copies of a source with wrong days.
const NEAR_DAYS: i32 = 3;

/// The least number of common games of two sources whose dates have days.
///
/// Judged: on the same days, colours and results of three games rarely agree by chance, and small
/// events have six games or fewer. With six, most copies of matches would stay.
const FEW: usize = 3;

/// The least number of common games where dates without days do not show that the time is the same.
///
/// Judged: twice [`FEW`], because two events of a year may share players. Three would join matches
/// of one pair.
const FEW_OF_A_YEAR: usize = 6;

/// The least number of games with the same round, colours and result in two incomplete sources.
///
/// Judged: four games rarely agree by chance in round, colours and result. With two, different
/// tables of the same players would be joined.
const IN_ROUNDS: usize = 4;

/// The least number of players for [`IN_ROUNDS`]: four, the fewest with two games in a round. Two
/// matches of one pair often begin alike.
const PLAYERS: usize = 4;

/// The least number of such games of a match, where both sources together have each round once.
///
/// Judged: one, since two matches do not complete each other.
const PAIR_WHOLE: usize = 1;

/// The least number of such games of a match, where both sources have the same place, or one fills
/// missing rounds of the other.
///
/// Judged: one common game in a place and year is chance; three would leave copies of short
/// matches.
const PAIR_IN_ONE_PLACE: usize = 2;

/// The least number of such games of any other match.
///
/// Judged: the result and the round must agree five times, since place and completeness show
/// nothing. With two, a return match that begins alike would join.
const PAIR_IN_ROUNDS: usize = 5;

/// The least number of games with the same colours and result in two tables without common rounds.
///
/// Another event of these players has other colours and results. Judged: a dozen games agree by
/// chance only if nearly all others differ, which [`ONE_ERROR_IN_TABLE`] excludes.
const IN_TABLES: usize = 12;

/// The least number of players for [`IN_TABLES`]. Judged: fewer players have fewer than a dozen
/// games unless they meet several times, and then a wrong colour may agree in another cycle.
const PLAYERS_OF_TABLE: usize = 6;

/// The least length, in letters, of a place that may be a shortened form of another. Some sources
/// cut long places. Judged: shorter beginnings (`San`, `Saint`) are those of several places.
const CUT_PLACE: usize = 8;

/// At most one in this many comparable games may differ, because sources contain errors.
///
/// Judged: one wrong result or round in ten games. With one in five, two short matches would join.
const ONE_ERROR_IN: usize = 10;

/// At most one in this many comparable games of two tables may differ. All games of a wrongly
/// identified player differ, and in another event of the same players nearly every game does.
///
/// Judged: one of eight players is in a quarter of the games. One in ten would keep such copies.
const ONE_ERROR_IN_TABLE: usize = 4;

/// The most players of one event whom two sources name otherwise. It bounds the time, which grows
/// with the square. Judged: misprints and namesakes of one field are one or two.
const MOST_RENAMED: usize = 4;

/// The most games of one pairing and result that are compared. It bounds the time, which grows with
/// the square; more are those of a source that repeats a game.
const MOST: usize = 64;

/// Joins groups most of whose games are in another group with the same results.
///
/// Returns the games that occur twice.
pub(super) fn join_same_results(table: &GameTable, groups: &mut Vec<GameGroup>) -> Vec<Duplicate> {
    let mut repeated = Vec::new();
    let mut gone: FxHashSet<usize> = FxHashSet::default();
    let mut indices: FxHashMap<usize, GameIndex> = FxHashMap::default();
    for (a, b) in similar_groups(table, groups) {
        if gone.contains(&a) || gone.contains(&b) {
            continue;
        }
        // Of two tables with equally many games, the one with more moves is not the shortened one.
        let size = |group: &GameGroup| {
            let moves = group.members.iter().map(|member| u64::from(member.game(table).plies));
            (group.members.len(), moves.sum::<u64>())
        };
        let a_is_larger = size(&groups[a]) >= size(&groups[b]);
        let (large, small) = if a_is_larger { (a, b) } else { (b, a) };
        let index = indices.entry(large).or_insert_with(|| GameIndex::new(table, &groups[large]));
        let renamed = index.renamed_players(table, &groups[large], &groups[small]);
        let found = index.compare(table, &groups[small], &renamed);
        if !found.is_one_event(table, &groups[small], &groups[large], index) {
            continue;
        }
        let mut found = found.same;
        if found.len() > groups[small].pairs().len() / 2 {
            let copies = index.copies_of_others(table, &groups[small], &found);
            found.extend(copies);
        }
        gone.insert(small);
        let empty = GameGroup { members: Vec::new(), reasons: Vec::new(), ..groups[small].clone() };
        let other = std::mem::replace(&mut groups[small], empty);
        groups[large].take_fuller_tags(&other);
        indices.remove(&large);
        let reason = format!(
            "joined with \"{}\": {} with the same results under both names",
            other.base,
            counted_games(found.len())
        );
        groups[large].absorb(other, reason);
        groups[large].remove_copies(&found);
        repeated.extend(found);
    }
    groups.retain(|group| !group.members.is_empty());
    repeated
}

/// A game with its pairing and result, by which games are sorted and compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Keyed {
    white: PlayerId,
    black: PlayerId,
    result: u8,
    group: u32,
    /// Row of the game table.
    row: u32,
}

impl Keyed {
    fn has_same_result(&self, other: &Keyed) -> bool {
        (self.white, self.black, self.result) == (other.white, other.black, other.result)
    }
}

/// Returns the pairs of groups with enough games of the same pairing and result for a comparison.
///
/// Pairs with most such games come first.
fn similar_groups(table: &GameTable, groups: &[GameGroup]) -> Vec<(usize, usize)> {
    let mut games: Vec<Keyed> = groups
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, group)| {
            group.members.iter().map(move |&GroupedGame { row, white, black, .. }| {
                let result = table.games()[row].result as u8;
                Keyed { white, black, result, group: number as u32, row: row as u32 }
            })
        })
        .collect();
    keep_repeated(&mut games, |game| {
        ((game.white.index() as u64) << 34)
            ^ ((game.black.index() as u64) << 2)
            ^ u64::from(game.result)
    });
    games.par_sort_unstable();
    let pairs: Vec<(usize, usize)> = games
        .par_chunk_by(Keyed::has_same_result)
        .filter(|games| (2..=MOST).contains(&games.len()))
        .flat_map_iter(|games| groups_with_copies(table, games))
        .collect();
    let mut shared: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for pair in pairs {
        *shared.entry(pair).or_default() += 1;
    }
    let is_match: Vec<bool> = groups.iter().map(|group| group.pairs().len() == 1).collect();
    let mut shared: Vec<((usize, usize), usize)> = shared
        .into_iter()
        .filter(|((a, b), games)| {
            let are_matches = is_match[*a] && is_match[*b];
            *games >= if are_matches { PAIR_WHOLE } else { PAIR_IN_ONE_PLACE }
        })
        .collect();
    shared.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    shared.into_iter().map(|(pair, _)| pair).collect()
}

/// Returns the pairs of groups that have copies of one game among these games of one pairing and
/// result.
fn groups_with_copies(table: &GameTable, games: &[Keyed]) -> FxHashSet<(usize, usize)> {
    let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
    for (place, a) in games.iter().enumerate() {
        for b in games[place + 1..].iter().filter(|b| b.group != a.group) {
            let [x, y] = [a, b].map(|game| &table.games()[game.row as usize]);
            if likeness(table, x, y).is_some() {
                pairs.insert((a.group as usize, b.group as usize));
            }
        }
    }
    pairs
}

/// The games of a group, indexed by pairing and by round.
struct GameIndex {
    /// Rows by (White, Black).
    by_pairing: FxHashMap<(PlayerId, PlayerId), Vec<usize>>,
    /// Opponents by player and round.
    in_round: FxHashMap<(PlayerId, u16), Vec<PlayerId>>,
}

impl GameIndex {
    fn new(table: &GameTable, group: &GameGroup) -> GameIndex {
        let mut index =
            GameIndex { by_pairing: FxHashMap::default(), in_round: FxHashMap::default() };
        for &GroupedGame { row, white, black, .. } in &group.members {
            index.by_pairing.entry((white, black)).or_default().push(row);
            if let Some(round) = table.games()[row].round.number() {
                index.in_round.entry((white, round)).or_default().push(black);
                index.in_round.entry((black, round)).or_default().push(white);
            }
        }
        index
    }

    /// Returns the players whom the small group names otherwise than the large one, by all games of
    /// each: a source may spell a name so that it is not recognised.
    fn renamed_players(
        &self,
        table: &GameTable,
        large: &GameGroup,
        small: &GameGroup,
    ) -> FxHashMap<PlayerId, PlayerId> {
        let (all, own) = (large.players(), small.players());
        let only_of = |one: &[PlayerId], other: &[PlayerId]| -> Vec<PlayerId> {
            one.iter().filter(|player| other.binary_search(player).is_err()).copied().collect()
        };
        let (missing, unknown) = (only_of(&all, &own), only_of(&own, &all));
        if missing.len().max(unknown.len()) > MOST_RENAMED {
            return FxHashMap::default();
        }
        let mut renamed: FxHashMap<PlayerId, PlayerId> = FxHashMap::default();
        for &player in &unknown {
            // Games with another such player show nothing.
            let games: Vec<&GroupedGame> = small
                .members
                .iter()
                .filter(|member| {
                    let sides = [member.white, member.black];
                    let is_unknown = |side: &&PlayerId| unknown.contains(*side);
                    sides.contains(&player) && sides.iter().filter(is_unknown).count() == 1
                })
                .collect();
            let mut agreeing = missing.iter().copied().filter(|name| {
                games.len() >= FEW
                    && games.iter().all(|member| self.has_game_as(table, member, player, *name))
            });
            if let (Some(name), None) = (agreeing.next(), agreeing.next()) {
                renamed.insert(player, name);
            }
        }
        renamed
    }

    /// Returns whether there is a game like the given one, with another name for one player.
    fn has_game_as(
        &self,
        table: &GameTable,
        member: &GroupedGame,
        player: PlayerId,
        name: PlayerId,
    ) -> bool {
        let [white, black] =
            [member.white, member.black].map(|side| if side == player { name } else { side });
        let game = member.game(table);
        let mut rows = self.by_pairing.get(&(white, black)).into_iter().flatten();
        rows.any(|row| {
            let theirs = &table.games()[*row];
            theirs.result == game.result && likeness(table, game, theirs).is_some()
        })
    }

    /// Compares the games of another group with these. Some of its players have other names here.
    fn compare(
        &self,
        table: &GameTable,
        small: &GameGroup,
        renamed: &FxHashMap<PlayerId, PlayerId>,
    ) -> GroupComparison {
        let name_of = |player: PlayerId| renamed.get(&player).copied().unwrap_or(player);
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        let mut comparison = GroupComparison::default();
        for member in &small.members {
            let game = &table.games()[member.row];
            let pairing = (name_of(member.white), name_of(member.black));
            let others = self.by_pairing.get(&pairing).into_iter().flatten();
            let free: Vec<usize> =
                others.copied().take(MOST).filter(|row| !taken.contains(row)).collect();
            let candidates = free.iter().filter_map(|&row| {
                let theirs = &table.games()[row];
                let likeness =
                    likeness(table, game, theirs).filter(|_| theirs.result == game.result)?;
                Some((likeness, row))
            });
            match candidates.min_by_key(|(likeness, row)| (*likeness, *row)) {
                Some((likeness, kept)) => {
                    taken.insert(kept);
                    comparison.same.push(Duplicate { game: member.row, kept });
                    comparison.certain += usize::from(likeness == Likeness::Certain);
                }
                None => {
                    comparison.others.push(member.row);
                    // Without a round, a known game with these colours has another result.
                    let has_other_result =
                        free.iter().map(|row| &table.games()[*row]).any(|theirs| {
                            !(game.round.is_known() && theirs.round.is_known())
                                && game.date.compatible(theirs.date)
                        });
                    comparison.contradictions +=
                        usize::from(has_other_result || self.contradicts(table, member, pairing));
                }
            }
        }
        comparison
    }

    /// Returns copies among the other games of a table that name another player: of two Laskers a
    /// source may have only the surname.
    fn copies_of_others(
        &self,
        table: &GameTable,
        small: &GameGroup,
        known: &[Duplicate],
    ) -> Vec<Duplicate> {
        let mut taken: FxHashSet<usize> = known.iter().map(|copy| copy.kept).collect();
        let is_known: FxHashSet<usize> = known.iter().map(|copy| copy.game).collect();
        let mut copies = Vec::new();
        for member in small.members.iter().filter(|member| !is_known.contains(&member.row)) {
            let game = member.game(table);
            let of_side = self
                .by_pairing
                .iter()
                .filter(|((white, black), _)| (*white == member.white) != (*black == member.black));
            let rows = of_side.flat_map(|(_, rows)| rows).copied().filter(|row| {
                let theirs = &table.games()[*row];
                let has_same_moves =
                    game.plies >= REAL_MOVES && game.fingerprint == theirs.fingerprint;
                !taken.contains(row)
                    && theirs.result == game.result
                    && theirs.date.compatible(game.date)
                    && (has_same_moves || game.may_begin(theirs))
                    && share_word(table.text(game.white), table.text(theirs.white))
                    && share_word(table.text(game.black), table.text(theirs.black))
            });
            if let Some(kept) = rows.min() {
                taken.insert(kept);
                copies.push(Duplicate { game: member.row, kept });
            }
        }
        copies
    }

    /// Returns whether the round of a game has another game of one of its players.
    fn contradicts(
        &self,
        table: &GameTable,
        member: &GroupedGame,
        (white, black): (PlayerId, PlayerId),
    ) -> bool {
        let Some(round) = table.games()[member.row].round.number() else { return false };
        [white, black].iter().any(|player| {
            // Several games in one round are those of a match, or the round number is wrong.
            self.in_round.get(&(*player, round)).is_some_and(|opponents| opponents.len() == 1)
        })
    }

    /// Returns whether games fill missing rounds of a match, and whether all rounds are then known.
    fn gaps_filled_by(&self, table: &GameTable, rows: &[usize]) -> (bool, bool) {
        let mut own: Vec<u16> = self.in_round.keys().map(|(_, round)| *round).collect();
        own.sort_unstable();
        own.dedup();
        let last = own.last().copied().unwrap_or(0);
        let rounds: Option<Vec<u16>> =
            rows.iter().map(|row| table.games()[*row].round.number()).collect();
        let Some(mut rounds) = rounds else { return (false, false) };
        let fill = rounds.iter().any(|round| *round < last)
            && rounds.iter().all(|round| own.binary_search(round).is_err());
        rounds.extend(own);
        rounds.sort_unstable();
        (fill, fill && (1..).zip(&rounds).all(|(place, round)| place == *round))
    }
}

/// Returns whether two names have a word in common, as those of namesakes do.
fn share_word(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| tag_words(&fold(name)).collect::<Vec<String>>());
    one.iter().any(|word| word.len() > 2 && other.contains(word))
}

#[derive(Default)]
struct GroupComparison {
    /// Games of the smaller group that the larger one has.
    same: Vec<Duplicate>,
    /// How many of these agree in more than colours and result.
    certain: usize,
    /// Games of the smaller group that the larger one lacks.
    others: Vec<usize>,
    /// How many of these have no place in the larger group.
    contradictions: usize,
}

impl GroupComparison {
    /// Returns whether the two groups are one event.
    fn is_one_event(
        &self,
        table: &GameTable,
        small: &GameGroup,
        large: &GameGroup,
        index: &GameIndex,
    ) -> bool {
        let same = self.same.len();
        let all = small.members.len();
        let pairs: Vec<[&Game; 2]> = self
            .same
            .iter()
            .map(|copy| [copy.game, copy.kept].map(|row| &table.games()[row]))
            .collect();
        let are_whole = |games: &&[&Game; 2]| {
            !games[0].may_begin(games[1]) || games[0].has_similar_moves(games[1])
        };
        let has_days = pairs.iter().flatten().all(|game| game.date.day_exact().is_some());
        let least = if has_days { FEW } else { FEW_OF_A_YEAR };
        if self.certain >= least && 5 * self.certain >= 4 * all {
            return true;
        }
        let players = small.players().len();
        let one_error_in = if players < PLAYERS { ONE_ERROR_IN } else { ONE_ERROR_IN_TABLE };
        if self.contradictions * one_error_in > same {
            return false;
        }
        let in_rounds = pairs.iter().filter(are_whole);
        let in_rounds =
            in_rounds.filter(|games| games.iter().all(|game| game.round.is_known())).count();
        if players < PLAYERS {
            // One source may have cut the place short.
            let (a, b) = (&small.site_key, &large.site_key);
            let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
            let is_one_place = !short.is_empty()
                && (short == long || (short.len() >= CUT_PLACE && long.starts_with(short)));
            let (fills, is_whole) = index.gaps_filled_by(table, &self.others);
            let fits = self.contradictions == 0;
            let least = match (is_one_place, fits && fills) {
                (true, true) if is_whole => PAIR_WHOLE,
                (true, _) | (_, true) => PAIR_IN_ONE_PLACE,
                (false, false) => PAIR_IN_ROUNDS,
            };
            return in_rounds >= least;
        }
        4 * same >= all
            && (in_rounds >= IN_ROUNDS || (players >= PLAYERS_OF_TABLE && same >= IN_TABLES))
    }
}

/// The strength of the evidence that two games of one pairing and result are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// Their moves, rounds or sources are evidence.
    Certain,
    /// There is only no evidence against it.
    Possible,
}

/// Compares two games of one pairing and result. Returns `None` if they are different games.
///
/// The same game has one time, and similar moves or sources of which one has no moves. In a source
/// without moves, only equal rounds make a repetition certain.
fn likeness(table: &GameTable, a: &Game, b: &Game) -> Option<Likeness> {
    let both_have_moves = [a, b].iter().all(|game| game.plies >= REAL_MOVES && game.trace != 0);
    let rounds_known = a.round.is_known() && b.round.is_known();
    let is_shortened =
        both_have_moves && !a.has_similar_moves(b) && (a.may_begin(b) || b.may_begin(a));
    if both_have_moves && !a.has_similar_moves(b) && !is_shortened {
        return None;
    }
    let has_evidence = both_have_moves || table.sources().of_game(a) != table.sources().of_game(b);
    if !has_evidence && rounds_known && !a.round.agrees(b.round) {
        return None;
    }
    let is_of_one_time = match (a.date.day_exact(), b.date.day_exact()) {
        (Some(one), Some(other)) => (one - other).get_days().abs() <= NEAR_DAYS,
        // Two matches of one pair in successive years often have the same results.
        _ => a.date.year().is_some() && a.date.year() == b.date.year() && a.date.compatible(b.date),
    };
    is_of_one_time.then_some(if (has_evidence || rounds_known) && !is_shortened {
        Likeness::Certain
    } else {
        Likeness::Possible
    })
}
