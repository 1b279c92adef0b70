//! Finds games that two sources record under two names of one player, however different these are.
//!
//! The other player is the same if event, day, round, colour, result and one player are equal, or
//! if moves, result and year are equal. This works for all alphabets and orders of names. Names
//! with two games in one round are two players.

use std::hash::Hasher;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::comparable_names::ComparableNames;
use super::evidence::IdentityEvidence;
use super::name::fold;
use super::same_games::SourceHeader;
use super::same_tables::SameTables;
use super::spelling::{NameIndex, Spelling};
use crate::games::{Game, GameTable, REAL_MOVES, tag_words};
use crate::prefilter::keep_repeated;

/// The number of headers of one game beyond which they are not compared.
///
/// Judged: few games are in a dozen sources, and the work grows with the square of this number.
const MOST_COMPARED: usize = 12;

/// Returns the evidence for pairs of spellings, smaller number first.
///
/// Pairs that played each other, or two games in one round, are excluded.
pub(super) fn same_events(
    table: &GameTable,
    spellings: &[Spelling],
    name_index: &NameIndex,
    names: &ComparableNames,
    same_moves: &[Vec<SourceHeader>],
    same_tables: &SameTables,
) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let events = event_numbers(table);
    let mut found = by_rounds(table, name_index, &events);
    for (pair, evidence) in by_moves(same_moves) {
        // A game that both methods find counts once.
        let all = found.entry(pair).or_default();
        all.games = all.games.max(evidence.games);
        all.both_differ = evidence.both_differ;
    }
    found.retain(|pair, evidence| is_enough(*evidence, *pair, spellings, names));
    for (&pair, evidence) in &same_tables.spellings {
        let all = found.entry(pair).or_default();
        all.games = all.games.max(evidence.games);
        all.contradictions = evidence.contradictions;
        all.completes = evidence.completes;
    }
    found.retain(|(a, b), _| spellings[*a].is_one_career_with(&spellings[*b]));
    remove_opponents(table, name_index, names, &events, &mut found);
    found
}

/// Whether enough games support that two spellings mean one player.
///
/// One game is enough if the names may be spellings of each other. Otherwise several games are
/// needed that are most of the games of one spelling.
fn is_enough(
    evidence: IdentityEvidence,
    (a, b): (usize, usize),
    spellings: &[Spelling],
    names: &ComparableNames,
) -> bool {
    let IdentityEvidence { games, both_differ, .. } = evidence;
    let both = [a, b].map(|index| &spellings[index]);
    let of_rarer = both[0].games.min(both[1].games) as usize;
    if (games >= 3 && 2 * games >= of_rarer)
        || (games + both_differ >= 5 && 3 * (games + both_differ) >= 2 * of_rarer)
    {
        return true;
    }
    // A single game in which both names differ may be another game.
    let shared = if both_differ >= 2 { games.max(both_differ) } else { games };
    // A bare surname may be any player's.
    let is_bare = both.iter().any(|one| one.name.given.is_empty());
    shared >= 1 && (!is_bare || 2 * shared >= of_rarer) && names.sound_the_same(a, b)
}

/// Returns a hash for each Event tag, equal for tags with the same words.
fn event_numbers(table: &GameTable) -> Vec<u32> {
    let mut is_event = vec![false; table.names.len()];
    for game in table.games() {
        is_event[game.event.index()] = true;
    }
    table
        .names
        .iter()
        .map(|(name, text)| {
            if !is_event[name.index()] {
                return 0;
            }
            let mut hasher = FxHasher::default();
            let mut letters = false;
            for word in tag_words(&fold(text)) {
                letters |= word.chars().any(char::is_alphabetic);
                hasher.write(word.as_bytes());
                hasher.write_u8(b' ');
            }
            // A tag without letters names no event.
            if letters { hasher.finish() as u32 | 1 } else { 0 }
        })
        .collect()
}

fn hash(parts: [u64; 5]) -> u64 {
    let mut hasher = FxHasher::default();
    for part in parts {
        hasher.write_u64(part);
    }
    hasher.finish()
}

/// Returns the event, the day and the round of a game that has all three.
fn slot(game: &Game, events: &[u32]) -> Option<[u64; 3]> {
    let event = events[game.event.index()];
    let day = game.date.day_exact()?;
    let round = game.round.number()?;
    let day =
        (i64::from(day.year()) * 10_000) + i64::from(day.month()) * 100 + i64::from(day.day());
    (event > 0).then_some([event.into(), day.unsigned_abs(), round.into()])
}

/// Finds two names of one opponent by event, day, round, colour and result.
fn by_rounds(
    table: &GameTable,
    name_index: &NameIndex,
    events: &[u32],
) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let mut found: FxHashMap<(usize, usize), IdentityEvidence> = FxHashMap::default();
    let mut seen: Vec<(u64, u32, u32)> = table
        .games()
        .par_iter()
        .enumerate()
        .filter_map(|(row, game)| Some((row, game, slot(game, events)?)))
        .flat_map_iter(|(row, game, [event, day, round])| {
            [(game.white, game.black, 0), (game.black, game.white, 1)].into_iter().filter_map(
                move |(player, opponent, colour)| {
                    let (player, opponent) = (name_index.get(player)?, name_index.get(opponent)?);
                    let about = colour << 8 | game.result as u64;
                    let key = hash([event, day, round, player as u64, about]);
                    Some((key, opponent as u32, row as u32))
                },
            )
        })
        .collect();
    keep_repeated(&mut seen, |one| one.0);
    seen.par_sort_unstable();
    for repeated in seen.chunk_by(|a, b| a.0 == b.0).filter(|repeated| repeated.len() > 1) {
        let mut opponents: Vec<(u32, u32)> = repeated.iter().map(|one| (one.1, one.2)).collect();
        opponents.dedup_by_key(|one| one.0);
        if opponents.len() < 2 || opponents.len() > MOST_COMPARED {
            continue;
        }
        for (place, a) in opponents.iter().enumerate() {
            for b in &opponents[place + 1..] {
                let [x, y] = [a.1, b.1].map(|row| &table.games()[row as usize]);
                if x.plies.min(y.plies) >= REAL_MOVES && !x.has_similar_moves(y) {
                    continue;
                }
                let pair = (a.0.min(b.0) as usize, a.0.max(b.0) as usize);
                found.entry(pair).or_default().games += 1;
            }
        }
    }
    found
}

/// Finds two names of one player, or of both, by the moves.
fn by_moves(same_moves: &[Vec<SourceHeader>]) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let mut found: FxHashMap<(usize, usize), IdentityEvidence> = FxHashMap::default();
    for headers in same_moves.iter().filter(|headers| headers.len() <= MOST_COMPARED) {
        let mut pairs: FxHashMap<(usize, usize), bool> = FxHashMap::default();
        for (place, a) in headers.iter().enumerate() {
            for b in &headers[place + 1..] {
                if !a.has_result_of(b) || a.years_from(b).is_none_or(|years| years > 1) {
                    continue;
                }
                let whites = ((a.white, b.white), a.black == b.black);
                let blacks = ((a.black, b.black), a.white == b.white);
                for ((x, y), other) in [whites, blacks] {
                    if x != y {
                        let is_same = pairs.entry((x.min(y), x.max(y))).or_default();
                        *is_same |= other;
                    }
                }
            }
        }
        for (pair, is_same) in pairs {
            let evidence = found.entry(pair).or_default();
            evidence.games += usize::from(is_same);
            evidence.both_differ += usize::from(!is_same);
        }
    }
    found
}

/// Removes pairs that played each other, or often two games in one round of an event.
///
/// Two games in one round count if the opponents' names cannot be one player's.
fn remove_opponents(
    table: &GameTable,
    name_index: &NameIndex,
    names: &ComparableNames,
    events: &[u32],
    found: &mut FxHashMap<(usize, usize), IdentityEvidence>,
) {
    let mut is_concerned = vec![false; names.len()];
    found.keys().for_each(|(a, b)| (is_concerned[*a], is_concerned[*b]) = (true, true));
    let met: FxHashSet<(usize, usize)> = games_of(&is_concerned, table, name_index)
        .filter(|(_, white, black)| is_concerned[*white] && is_concerned[*black])
        .map(|(_, white, black)| (white.min(black), white.max(black)))
        .filter(|pair| found.contains_key(pair))
        .collect();
    let mut of_slots: Vec<(u64, u32, u32)> = games_of(&is_concerned, table, name_index)
        .filter_map(|(game, white, black)| {
            let [event, day, round] = slot(game, events)?;
            Some((hash([event, day, round, 0, 0]), white as u32, black as u32))
        })
        .flat_map_iter(|(slot, white, black)| [(slot, white, black), (slot, black, white)])
        .filter(|(_, player, _)| is_concerned[*player as usize])
        .collect();
    of_slots.par_sort_unstable();
    let mut partners: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (a, b) in found.keys() {
        partners.entry(*a).or_default().push(*b);
    }
    let mut in_one_round: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for players in of_slots.chunk_by(|a, b| a.0 == b.0) {
        for games in players.chunk_by(|a, b| a.1 == b.1) {
            let a = games[0].1 as usize;
            for &b in partners.get(&a).into_iter().flatten() {
                let [mut mine, theirs] = [a, b].map(|player| opponents_in_slot(players, player));
                let are_two = mine.any(|x| {
                    theirs.clone().any(|y| {
                        x != y
                            && !found.contains_key(&(x.min(y), x.max(y)))
                            && !names.are_similar(x, y)
                    })
                });
                if are_two {
                    *in_one_round.entry((a, b)).or_default() += 1;
                }
            }
        }
    }
    found.retain(|pair, evidence| {
        let rounds = in_one_round.get(pair).copied().unwrap_or(0);
        evidence.contradictions = evidence.contradictions.max(rounds);
        !met.contains(pair) && evidence.outweighs()
    });
}

/// Returns the games in which a concerned spelling plays, with the spellings of White and Black.
fn games_of<'g>(
    is_concerned: &'g [bool],
    table: &'g GameTable,
    name_index: &'g NameIndex,
) -> impl ParallelIterator<Item = (&'g Game, usize, usize)> {
    table
        .games()
        .par_iter()
        .filter_map(|game| Some((game, name_index.get(game.white)?, name_index.get(game.black)?)))
        .filter(|(_, white, black)| is_concerned[*white] || is_concerned[*black])
}

/// Returns the opponents of a player among the sorted games of a round of an event.
fn opponents_in_slot(
    games: &[(u64, u32, u32)],
    player: usize,
) -> impl Iterator<Item = usize> + Clone {
    let from = games.partition_point(|game| (game.1 as usize) < player);
    let games = games[from..].iter().take_while(move |game| game.1 as usize == player);
    games.take(MOST_COMPARED).map(|game| game.2 as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::PartialDate;
    use crate::games::Round;
    use crate::players::{Aliases, resolve, table_of_test_games};

    fn persons(names: &[(&str, &str)], complete: impl Fn(usize, &mut Game)) -> Vec<String> {
        let white: Vec<(&str, u16)> = names.iter().map(|(white, _)| (*white, 1895)).collect();
        let mut table = table_of_test_games(&white);
        for (place, (_, black)) in names.iter().enumerate() {
            let black = table.names.intern(black);
            let game = &mut table.games_mut()[place];
            game.black = black;
            complete(place, game);
        }
        let players = resolve(&table, &Aliases::default());
        players.iter().map(|(_, player)| player.spellings.join(" = ")).collect()
    }

    #[test]
    fn one_place_in_one_round_is_one_player() {
        let games =
            [("Pillsbury, Harry", "Schiffers, E"), ("Pillsbury, Harry", "Emanuel Shiffers")];
        let found = persons(&games, |_, game| {
            game.date = PartialDate::parse("1895.08.05").expect("a date");
            game.round = Round::of_number(1);
        });
        assert_eq!(found, ["Emanuel Shiffers = Schiffers, E", "Pillsbury, Harry"]);
        // On another day it is another game, so nothing is known about the two names.
        let apart = persons(&games, |place, game| {
            let day = format!("1895.08.0{}", place + 5);
            game.date = PartialDate::parse(&day).expect("a date");
            game.round = Round::of_number(1 + place as u16);
        });
        assert_eq!(apart.len(), 3);
    }

    #[test]
    fn the_same_games_in_another_alphabet_are_one_players() {
        let mut games = Vec::new();
        for _ in 0..5 {
            games.push(("Steinitz, William", "Zukertort, J"));
            games.push(("Стейниц", "Zukertort, J"));
        }
        let found = persons(&games, |place, game| {
            (game.plies, game.fingerprint) = (60, 100 + place as u64 / 2);
        });
        assert_eq!(found, ["Steinitz, William = Стейниц", "Zukertort, J"]);
    }

    #[test]
    fn two_games_in_one_round_are_two_players() {
        let games = [
            ("Pillsbury, Harry", "Lasker, Em"),
            ("Pillsbury, Harry", "Lasker, Emanuel"),
            ("Tarrasch, S", "Lasker, Em"),
            ("Chigorin, M", "Lasker, Emanuel"),
        ];
        let found = persons(&games, |place, game| {
            let round = 1 + place as u16 / 2;
            let day = format!("1895.08.0{round}");
            game.date = PartialDate::parse(&day).expect("a date");
            game.round = Round::of_number(round);
        });
        assert!(found.iter().any(|person| person == "Lasker, Em"), "{found:?}");
    }
}
