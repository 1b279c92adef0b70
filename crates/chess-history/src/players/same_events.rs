//! Games that two sources tell of one person under two names, however different these are.
//!
//! Where the event, the day, the round, the colour, the result and one of the two players are the same, the other is
//! one person too; so he is where the moves, the result and the year are. It works across alphabets and orders of
//! name. Who plays two games in one round is two persons.

use std::hash::Hasher;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::alike_names::AlikeNames;
use super::evidence::IdentityEvidence;
use super::name::fold;
use super::same_moves::GameHeader;
use super::same_tables::same_tables;
use super::spellings::{NameIndex, Spelling};
use crate::games::{Game, GameTable, REAL_MOVES, tag_words};
use crate::prefilter::keep_repeated;

/// Headers of one game beyond which they are not compared.
const MOST: usize = 12;

/// What speaks for pairs of spellings, the smaller number first; pairs that played each other, or two games in one
/// round, are left out.
pub(super) fn same_events(
    table: &GameTable,
    spellings: &[Spelling],
    of: &NameIndex,
    names: &AlikeNames,
    same_moves: &[Vec<GameHeader>],
) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let events = event_numbers(table);
    let mut found = by_rounds(table, of, &events);
    for (pair, evidence) in by_moves(same_moves) {
        // A game that both ways find is one.
        let all = found.entry(pair).or_default();
        all.games = all.games.max(evidence.games);
        all.both_differ = evidence.both_differ;
    }
    found.retain(|(a, b), evidence| {
        let may_be_written = || names.may_be_written(*a, *b);
        is_enough(*evidence, [&spellings[*a], &spellings[*b]], may_be_written)
    });
    for (pair, evidence) in same_tables(table, of, names) {
        let all = found.entry(pair).or_default();
        all.games = all.games.max(evidence.games);
        all.contradictions = evidence.contradictions;
        all.completes = evidence.completes;
    }
    found.retain(|(a, b), _| spellings[*a].is_one_career_with(&spellings[*b]));
    leave_out_who_met(table, of, names, &events, &mut found);
    found
}

/// Whether games enough speak for it that two spellings are one person's: a single one where the names may be written
/// so, otherwise several that are most of one of the two.
fn is_enough(
    evidence: IdentityEvidence,
    [a, b]: [&Spelling; 2],
    may_be_written: impl Fn() -> bool,
) -> bool {
    let IdentityEvidence { games, both_differ, .. } = evidence;
    let of_smaller = a.games.min(b.games) as usize;
    // A bare surname may be anybody's.
    let is_bare = a.name.given.is_empty() || b.name.given.is_empty();
    let may_be_one = |games: usize| (!is_bare || 2 * games >= of_smaller) && may_be_written();
    (games >= 1 && may_be_one(games))
        || (games >= 3 && 2 * games >= of_smaller)
        || (both_differ >= 2 && may_be_one(both_differ))
        || (games + both_differ >= 5 && 3 * (games + both_differ) >= 2 * of_smaller)
}

/// A number for each Event tag: the same for the same words.
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
            // An event without a name is none.
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

/// The event and the day of a game with both, and its round.
fn slot(game: &Game, events: &[u32]) -> Option<[u64; 3]> {
    let event = events[game.event.index()];
    let day = game.date.day_exact()?;
    let round = game.round.number()?;
    let day =
        (i64::from(day.year()) * 10_000) + i64::from(day.month()) * 100 + i64::from(day.day());
    (event > 0).then_some([event.into(), day.unsigned_abs(), round.into()])
}

/// Two names of one opponent, by event, day, round, colour and result.
fn by_rounds(
    table: &GameTable,
    of: &NameIndex,
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
                    let (player, opponent) = (of.get(player)?, of.get(opponent)?);
                    let about = colour << 8 | game.result as u64;
                    let key = hash([event, day, round, player as u64, about]);
                    Some((key, opponent as u32, row as u32))
                },
            )
        })
        .collect();
    keep_repeated(&mut seen, |one| one.0);
    seen.par_sort_unstable();
    for alike in seen.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        let mut opponents: Vec<(u32, u32)> = alike.iter().map(|one| (one.1, one.2)).collect();
        opponents.dedup_by_key(|one| one.0);
        if opponents.len() < 2 || opponents.len() > MOST {
            continue;
        }
        for (place, a) in opponents.iter().enumerate() {
            for b in &opponents[place + 1..] {
                let [x, y] = [a.1, b.1].map(|row| &table.games()[row as usize]);
                let has_moves = |game: &Game| game.plies >= REAL_MOVES;
                if has_moves(x) && has_moves(y) && !x.has_similar_moves(y) {
                    continue;
                }
                let pair = (a.0.min(b.0) as usize, a.0.max(b.0) as usize);
                found.entry(pair).or_default().games += 1;
            }
        }
    }
    found
}

/// Two names of one or of both players, by the moves.
fn by_moves(same_moves: &[Vec<GameHeader>]) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let mut found: FxHashMap<(usize, usize), IdentityEvidence> = FxHashMap::default();
    for headers in same_moves.iter().filter(|headers| headers.len() <= MOST) {
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

/// Drops pairs that played each other, or more than now and then two games in one round of an event: against
/// opponents whose names cannot be one.
fn leave_out_who_met(
    table: &GameTable,
    of: &NameIndex,
    names: &AlikeNames,
    events: &[u32],
    found: &mut FxHashMap<(usize, usize), IdentityEvidence>,
) {
    let mut is_concerned = vec![false; names.len()];
    found.keys().for_each(|(a, b)| (is_concerned[*a], is_concerned[*b]) = (true, true));
    let with_players = || {
        let games = table.games().par_iter();
        let games = games.filter_map(|game| Some((game, of.get(game.white)?, of.get(game.black)?)));
        games.filter(|(_, white, black)| is_concerned[*white] || is_concerned[*black])
    };
    let met: FxHashSet<(usize, usize)> = with_players()
        .filter(|(_, white, black)| is_concerned[*white] && is_concerned[*black])
        .map(|(_, white, black)| (white.min(black), white.max(black)))
        .filter(|pair| found.contains_key(pair))
        .collect();
    let mut of_slots: Vec<(u64, u32, u32)> = with_players()
        .filter_map(|(game, white, black)| {
            let [event, day, round] = slot(game, events)?;
            Some((hash([event, day, round, 0, 0]), white as u32, black as u32))
        })
        .flat_map_iter(|(slot, white, black)| [(slot, white, black), (slot, black, white)])
        .filter(|(_, player, _)| is_concerned[*player as usize])
        .collect();
    of_slots.par_sort_unstable();
    let may_be_one = |a: usize, b: usize| {
        a == b || found.contains_key(&(a.min(b), a.max(b))) || names.may_be_one(a, b)
    };
    let mut partners: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (a, b) in found.keys() {
        partners.entry(*a).or_default().push(*b);
    }
    let mut in_one_round: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for players in of_slots.chunk_by(|a, b| a.0 == b.0) {
        let opponents_of = |player: usize| {
            let from = players.partition_point(|game| (game.1 as usize) < player);
            let games = players[from..].iter().take_while(move |game| game.1 as usize == player);
            games.take(MOST).map(|game| game.2 as usize)
        };
        for games in players.chunk_by(|a, b| a.1 == b.1) {
            let a = games[0].1 as usize;
            for &b in partners.get(&a).into_iter().flatten() {
                if opponents_of(a).any(|x| opponents_of(b).any(|y| !may_be_one(x, y))) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::PartialDate;
    use crate::games::Round;
    use crate::players::{Aliases, name_of_test_games, resolve};

    fn persons(names: &[(&str, &str)], complete: impl Fn(usize, &mut Game)) -> Vec<String> {
        let white: Vec<(&str, u16)> = names.iter().map(|(white, _)| (*white, 1895)).collect();
        let mut table = name_of_test_games(&white);
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
    fn one_slot_of_one_event_is_one_person() {
        let games =
            [("Pillsbury, Harry", "Schiffers, E"), ("Pillsbury, Harry", "Emanuel Shiffers")];
        let found = persons(&games, |_, game| {
            game.date = PartialDate::parse("1895.08.05").expect("a date");
            game.round = Round::of_number(1);
        });
        assert_eq!(found, ["Emanuel Shiffers = Schiffers, E", "Pillsbury, Harry"]);
        // Another day: another game, and nothing is known of the two.
        let apart = persons(&games, |place, game| {
            let day = format!("1895.08.0{}", place + 5);
            game.date = PartialDate::parse(&day).expect("a date");
            game.round = Round::of_number(1 + place as u16);
        });
        assert_eq!(apart.len(), 3);
    }

    #[test]
    fn the_same_games_in_another_alphabet_are_one_persons() {
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
    fn two_games_in_one_round_are_two_persons() {
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
