//! Removes games that an event has twice with different moves or dates.
//!
//! Sources disagree on a move, a date, or the order of a few moves. Then the fingerprints differ,
//! and the game occurs twice. Inside an event such a pair is visible: the same players have the
//! same colours and result in one round. If almost every pairing occurs once, one of the two games
//! may lack the round.

use rustc_hash::FxHashSet;

use super::group::{GameGroup, GroupedGame, counted_games};
use super::match_of_two::UNBROKEN_GAMES;
use super::second_cycle::LAST_REPLAYS;
use super::tag::SegmentKind;
use crate::games::{Duplicate, Game, GameFlags, GameResult, GameTable};
use crate::players::PlayerId;

/// At most one in `FEW` pairings of an event occurs twice by mistake.
///
/// Judged: sources repeat far fewer games, and a second cycle repeats far more. With twelve, small
/// events would keep their copies; with three, the begun second cycle of an event would be lost.
const FEW: usize = 6;

/// The most days by which the dates of one game differ by mistake.
///
/// Judged: a game may have the day of its adjournment or of its round. Pairs do not meet again so
/// soon, except in matches.
const NEAR_DAYS: i32 = 2;

/// The most games of one pairing that are compared with each other. It bounds the time, which grows
/// with the square; no pair has 500 games in an event.
const MOST: usize = 500;

/// Removes repeated games from a group. The one with the better known round and date remains.
pub(super) fn remove_repeated(table: &GameTable, group: &mut GameGroup) -> Vec<Duplicate> {
    let mut members = group.members.clone();
    members.sort_by_key(pairing_of);
    let pairings: Vec<&[GroupedGame]> =
        members.chunk_by(|a, b| pairing_of(a) == pairing_of(b)).collect();
    let repeated = pairings.iter().filter(|members| members.len() > 1).count();
    if repeated == 0 {
        return Vec::new();
    }
    let players = group.players().len();
    let mostly_once = players > 2 && repeated * FEW <= pairings.len();
    // A single number for all games is not a round.
    let rounds_differ = {
        let mut rounds = members.iter().map(|member| member.round);
        let first = rounds.next();
        rounds.any(|round| Some(round) != first)
    };
    let is_fully_numbered = players == 2 && is_numbered_from_one(&members);
    let is_whole = is_fully_numbered && is_unbroken(&members);
    let rounds = RoundMeaning {
        rounds_differ,
        are_single_games: are_single_games(table, &members),
        copies_differ_in_spelling: copies_differ_in_spelling(table, &members),
        all_pairs_met: mostly_once && all_pairs_met(&members, players),
    };
    let mut found = Vec::new();
    for members in pairings.into_iter().filter(|members| (2..=MOST).contains(&members.len())) {
        let mut remaining: Vec<GroupedGame> = Vec::new();
        let mut members = members.to_vec();
        // The best known games come first.
        members.sort_by_key(|member| {
            let game = &table.games()[member.row];
            let known = game.date.known_parts() + u32::from(member.round.is_known());
            // In a match numbered from 1, the games with a number remain.
            let is_numbered = is_fully_numbered && member.round.is_known();
            (std::cmp::Reverse((is_numbered, known, game.plies)), member.row)
        });
        for member in members {
            let same = remaining.iter().find(|kept| {
                let [one, other] = [kept, &member].map(|member| game_of(table, member));
                are_one_game(table, [&one, &other], mostly_once, rounds)
                    || (is_fully_numbered && may_be_unnumbered_copy(&one, &other, is_whole))
            });
            match same {
                Some(kept) => found.push(Duplicate { game: member.row, kept: kept.row }),
                None => remaining.push(member),
            }
        }
    }
    if !found.is_empty() {
        group.remove_copies(&found);
        let games = counted_games(found.len());
        group.reasons.push(format!("{games} removed: repeated with other moves or another date"));
    }
    found.sort_by_key(|copy| copy.game);
    found
}

/// Returns the players of a game with their colours, and its segment.
fn pairing_of(member: &GroupedGame) -> (PlayerId, PlayerId, SegmentKind) {
    (member.white, member.black, member.segment)
}

/// Returns a game with the round that counts: a source may give the same to all games.
fn game_of(table: &GameTable, member: &GroupedGame) -> Game {
    Game { round: member.round, ..*member.game(table) }
}

/// Returns whether the numbered games of a match have all numbers from 1, each once.
fn is_numbered_from_one(members: &[GroupedGame]) -> bool {
    let mut numbers: Vec<u16> = members.iter().filter_map(|member| member.round.number()).collect();
    numbers.sort_unstable();
    numbers.len() >= 4 && (1..).zip(&numbers).all(|(place, number)| place == *number)
}

/// Returns whether the numbered games of a match alone would count as the whole of it.
fn is_unbroken(members: &[GroupedGame]) -> bool {
    let numbered = members.iter().filter(|member| member.round.is_known()).count();
    numbered >= UNBROKEN_GAMES && numbered.is_multiple_of(2)
}

/// Returns whether a game without a number may be a given one of a fully numbered match.
///
/// Without moves it may as well be the next game, unless the numbered ones are the whole match.
fn may_be_unnumbered_copy(numbered: &Game, other: &Game, is_whole: bool) -> bool {
    (is_whole || numbered.plies.min(other.plies) >= crate::games::REAL_MOVES)
        && numbered.round.is_known()
        && !other.round.is_known()
        && numbered.result == other.result
        && numbered.date.compatible(other.date)
        && numbered.has_similar_moves(other)
        && similar_length(numbered, other)
}

/// What the rounds of an event show of its games.
#[derive(Clone, Copy, Debug)]
struct RoundMeaning {
    /// Whether there is more than one round number.
    rounds_differ: bool,
    /// Whether each pair has one game in a round, of which there may be copies.
    are_single_games: bool,
    /// Whether copies of games differ in the spelling of names.
    copies_differ_in_spelling: bool,
    /// Whether the table of a single round robin has no gap.
    all_pairs_met: bool,
}

/// The least number of copies that are evidence for these properties.
///
/// Judged: one or two may be mistakes. With six, a copied event that shares few games keeps them.
const COPIES: usize = 3;

/// Returns whether games of one pair and round nearly always have the same colours and result, as
/// copies do.
///
/// In a stage of a knock-out the colours alternate.
fn are_single_games(table: &GameTable, members: &[GroupedGame]) -> bool {
    let mut in_rounds: Vec<_> = members
        .iter()
        .filter(|member| member.round.is_known())
        .map(|member| {
            let GroupedGame { white, black, round, .. } = *member;
            let pair = (white.min(black), white.max(black));
            let result = member.game(table).result;
            ((pair, round.number(), round.part()), (white, result as u8))
        })
        .collect();
    in_rounds.sort_unstable();
    let (mut copies, mut others) = (0, 0);
    for games in in_rounds.chunk_by(|a, b| a.0 == b.0).filter(|games| games.len() > 1) {
        if games.iter().all(|game| game.1 == games[0].1) {
            copies += 1;
        } else {
            others += 1;
        }
    }
    // A match numbered from 1 may have a single game twice.
    let mut rounds: Vec<_> = in_rounds.iter().map(|(round, _)| (round.1, round.2)).collect();
    rounds.dedup();
    let is_match = in_rounds.iter().all(|(round, _)| round.0 == in_rounds[0].0.0);
    (copies >= COPIES && others * 10 <= copies)
        || (is_match && copies > 0 && others == 0 && rounds.len() >= COPIES)
}

/// Returns whether games with the same pair, colours, result and round nearly always differ in the
/// spelling of names.
///
/// A source always spells a player in one way, so a second spelling is from another source.
fn copies_differ_in_spelling(table: &GameTable, members: &[GroupedGame]) -> bool {
    let mut sorted: Vec<_> = members
        .iter()
        .map(|member| {
            let game = &table.games()[member.row];
            let round = (member.round.number(), member.round.part());
            ((member.white, member.black, game.result as u8, round), game)
        })
        .collect();
    sorted.sort_by_key(|(key, _)| *key);
    let (mut in_two, mut in_one) = (0, 0);
    for games in sorted.chunk_by(|a, b| a.0 == b.0) {
        for two in games.windows(2) {
            if are_spelt_alike(two[0].1, two[1].1) {
                in_one += 1;
            } else {
                in_two += 1;
            }
        }
    }
    in_two >= COPIES && in_one * 10 <= in_two
}

/// Returns whether each player has met each of the others, always with the same colours.
fn all_pairs_met(members: &[GroupedGame], players: usize) -> bool {
    let pairs: FxHashSet<(PlayerId, PlayerId)> =
        members.iter().map(|member| (member.white, member.black)).collect();
    let is_single = pairs.iter().all(|(white, black)| !pairs.contains(&(*black, *white)));
    is_single && pairs.len() == players * (players - 1) / 2
}

/// Returns whether two games spell the names of the players alike.
fn are_spelt_alike(a: &Game, b: &Game) -> bool {
    (a.white, a.black) == (b.white, b.black)
}

/// Returns whether two games of one pairing are the same game.
fn are_one_game(
    table: &GameTable,
    [a, b]: [&Game; 2],
    mostly_once: bool,
    rounds: RoundMeaning,
) -> bool {
    let RoundMeaning { rounds_differ, are_single_games, copies_differ_in_spelling, all_pairs_met } =
        rounds;
    if copies_differ_in_spelling
        && !are_spelt_alike(a, b)
        && a.result == b.result
        && (a.round.agrees(b.round) || !a.round.is_known() || !b.round.is_known())
        && a.date.compatible(b.date)
        && a.has_similar_moves(b)
    {
        return true;
    }
    let of_one_source = table.sources().of_game(a) == table.sources().of_game(b);
    // In a source without moves, two results of one pair are usually two games, because a draw may
    // have been replayed. They are one game if pairs meet once and both have the same round, or if
    // one of them comes from a source with fewer details. In a table without gaps, a decisive game
    // has no second one.
    let without_moves = a.plies.max(b.plies) < crate::games::REAL_MOVES;
    let one_round = rounds_differ && a.round.is_known() && a.round.agrees(b.round);
    let is_one_place = (mostly_once
        && (one_round || lacks_details(a, b) || (all_pairs_met && lacks_round(a, b))))
        || (are_single_games && one_round);
    if mostly_once && one_round && are_opposite_forfeits(a, b) {
        return true;
    }
    if a.result != b.result || (without_moves && of_one_source && !is_one_place) {
        return false;
    }
    // Games without similar moves are different ones, unless one of them has no other place.
    let has_one_place = (mostly_once || are_single_games) && one_round;
    if !(has_one_place || a.has_similar_moves(b)) {
        return false;
    }
    let days = a.date.day_exact().zip(b.date.day_exact());
    let same_day = days.is_some_and(|(a, b)| a == b);
    let far_apart = days.is_some_and(|(a, b)| (a - b).get_days().abs() > NEAR_DAYS);
    if rounds_differ && a.round.is_known() && b.round.is_known() {
        // Two games may have the same round by mistake, or in a stage of a knock-out. Then their
        // lengths nearly always differ.
        return a.round.agrees(b.round)
            && (mostly_once || a.date.compatible(b.date))
            && (similar_length(a, b)
                || (mostly_once && (same_day || (!of_one_source && !far_apart))));
    }
    // One round is unknown. The pairing must occur once, or two sources must have the same day.
    similar_length(a, b)
        && ((mostly_once && a.date.compatible(b.date)) || (same_day && !of_one_source))
}

/// Returns whether two games without moves have opposite results, one of which is a forfeit. If
/// they have one round, sources disagree on who forfeited.
fn are_opposite_forfeits(a: &Game, b: &Game) -> bool {
    let scores = a.result.white_score().zip(b.result.white_score());
    let is_forfeit = |game: &Game| game.flags.contains(GameFlags::UNPLAYED);
    (is_forfeit(a) || is_forfeit(b))
        && a.plies.max(b.plies) < crate::games::REAL_MOVES
        && a.date.compatible(b.date)
        && scores.is_some_and(|(a, b)| a != b)
}

/// Returns whether one of two games has neither round nor day and the other has both.
///
/// Draws of the time when draws were replayed do not count.
fn lacks_details(a: &Game, b: &Game) -> bool {
    let [a_details, b_details] = [a, b].map(|game| [game.round.is_known(), game.date.is_exact()]);
    let may_be_replayed = a.result == GameResult::Draw
        && [a, b].iter().any(|game| game.date.year().is_none_or(|year| year < LAST_REPLAYS));
    !may_be_replayed
        && matches!(
            (a_details, b_details),
            ([true, true], [false, false]) | ([false, false], [true, true])
        )
}

/// Returns whether one of two decisive games has a round and the other has none.
///
/// In the time when draws were replayed, a pair may have more games than the table shows.
fn lacks_round(a: &Game, b: &Game) -> bool {
    a.result != GameResult::Draw
        && a.round.is_known() != b.round.is_known()
        && [a, b].iter().all(|game| game.date.year().is_some_and(|year| year >= LAST_REPLAYS))
}

/// Returns whether the lengths of two scores allow them to be one game. A score is often cut a
/// little short.
pub(super) fn similar_length(a: &Game, b: &Game) -> bool {
    let (short, long) = (a.plies.min(b.plies), a.plies.max(b.plies));
    short < crate::games::REAL_MOVES || long - short <= (long / 8).max(4)
}
