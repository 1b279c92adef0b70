//! Finds games that several sources contain.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::date::PartialDate;
use super::game::{Game, GameFlags, REAL_MOVES};
use super::result::GameResult;
use super::sources::Sources;
use super::table::GameTable;

/// Fewest plies of a game that is the same as one with another result in an unknown round. Judged:
/// sources that record only the opening end before move twelve, and two games with the same players
/// and colours rarely share more.
const BEYOND_OPENING: u16 = 24;

/// A game that is a copy of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Row of the copy.
    pub game: usize,
    /// Row of the game that is kept.
    pub kept: usize,
}

/// Finds copies of games.
///
/// The copy with the most complete header is kept. Its missing fields are filled from the others.
///
/// Two rows are one game if they have the same players on the same sides, compatible dates and the
/// same moves. Rows with different results are one game if they are in the same known round of one
/// event, or have more moves than an opening; the result of most copies counts, or else that of the
/// most complete header. Two exceptions apply:
///
/// - Players repeat short draws. The same moves in two known rounds of one event are two games.
/// - Rows without moves are one game only if they come from *different* sources and have the same
///   event, site and known round. Two such rows of one source are two games.
///
/// `same_player` maps the index of each name to the number of its player.
pub fn duplicates(table: &mut GameTable, same_player: &[u32]) -> Vec<Duplicate> {
    let mut keys: Vec<(u64, u32)> =
        table.games().iter().zip(0u32..).map(|(game, row)| (key(game, same_player), row)).collect();
    // Games with the same key become neighbours, in the order of the table.
    keys.sort_unstable();
    let sources = table.sources().clone();
    let mut found = Vec::new();
    for alike in keys.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        let rows = alike.iter().map(|(_, row)| *row as usize);
        let originals = originals(table.games(), rows, same_player, &sources);
        for (first, repeated) in originals.iter().filter(|(_, repeated)| !repeated.is_empty()) {
            let all = std::iter::once(*first).chain(repeated.iter().copied());
            let mut copies_with = [0usize; 4];
            for row in all.clone() {
                copies_with[table.games()[row].result as usize] += 1;
            }
            // Among equally complete headers the first is kept.
            let richest = all
                .clone()
                .max_by_key(|row| {
                    let game = &table.games()[*row];
                    (copies_with[game.result as usize], richness(table, game), Reverse(*row))
                })
                .unwrap_or(*first);
            for row in all.filter(|row| *row != richest) {
                let game = table.games()[row];
                complete(&mut table.games_mut()[richest], &game);
                found.push(Duplicate { game: row, kept: richest });
            }
        }
    }
    found.sort_by_key(|duplicate| duplicate.game);
    found
}

/// Groups the games of one key: each original with its copies, which follow it in the table.
fn originals(
    games: &[Game],
    rows: impl Iterator<Item = usize> + Clone,
    same_player: &[u32],
    sources: &Sources,
) -> Vec<(usize, Vec<usize>)> {
    let mut originals: Vec<(usize, Vec<usize>)> = Vec::new();
    // Without moves, copies come from different sources and have a known round.
    let mut of_source = rows.clone().map(|row| sources.of_game(&games[row]));
    let first = of_source.next();
    let has_moves = rows.clone().next().is_some_and(|row| moves(&games[row]) != 0);
    let is_of_one = of_source.all(|source| Some(source) == first);
    let is_in_round = rows.clone().next().is_some_and(|row| games[row].round.is_known());
    if !has_moves && (is_of_one || !is_in_round) {
        return originals;
    }
    // Two complete dates are equal or not. An incomplete date may match several.
    let mut by_day: FxHashMap<PartialDate, Vec<usize>> = FxHashMap::default();
    let mut of_no_day: Vec<usize> = Vec::new();
    for row in rows {
        let date = games[row].date;
        let same_game = |original: usize| {
            are_same_game(&games[originals[original].0], &games[row], same_player, sources)
        };
        let found = if date.is_exact() {
            let of_day = by_day.get(&date).map_or(&[][..], Vec::as_slice);
            let of_day = of_day.iter().copied().find(|original| same_game(*original));
            let of_no_day = of_no_day.iter().copied().find(|original| same_game(*original));
            of_day.into_iter().chain(of_no_day).min()
        } else {
            (0..originals.len()).find(|original| same_game(*original))
        };
        if let Some(place) = found {
            originals[place].1.push(row);
            continue;
        }
        let place = originals.len();
        if date.is_exact() {
            by_day.entry(date).or_default().push(place);
        } else {
            of_no_day.push(place);
        }
        originals.push((row, Vec::new()));
    }
    originals
}

/// A hash that is equal for rows that may be copies of one game.
fn key(game: &Game, same_player: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(same_player[game.white.index()]);
    hasher.write_u32(same_player[game.black.index()]);
    hasher.write_u64(moves(game));
    // Sources contradict each other about results. A game without one says nothing.
    hasher.write_u8(match game.result {
        GameResult::Unknown => 1,
        _ if moves(game) != 0 => 0,
        result => 2 + result as u8,
    });
    if moves(game) == 0 {
        hasher.write_usize(game.event.index());
        hasher.write_usize(game.site.index());
        game.round.hash(&mut hasher);
    }
    hasher.finish()
}

/// The fingerprint of the moves, or 0 if there are too few to distinguish games.
fn moves(game: &Game) -> u64 {
    if game.plies >= REAL_MOVES { game.fingerprint } else { 0 }
}

/// Counts the known fields of a header.
fn richness(table: &GameTable, game: &Game) -> u32 {
    game.date.known_parts()
        + game.event_date.known_parts().min(1)
        + u32::from(game.round.is_known())
        + u32::from(!matches!(table.text(game.event), "" | "?" | "-"))
        + u32::from(!matches!(table.text(game.site), "" | "?" | "-"))
        + u32::from(game.white_elo > 0)
        + u32::from(game.black_elo > 0)
        + u32::from(game.white_fide_id > 0)
        + u32::from(game.black_fide_id > 0)
}

fn are_same_game(a: &Game, b: &Game, same_player: &[u32], sources: &Sources) -> bool {
    let moves = moves(a);
    if same_player[a.white.index()] != same_player[b.white.index()]
        || same_player[a.black.index()] != same_player[b.black.index()]
        || moves != self::moves(b)
        || !a.date.compatible(b.date)
    {
        return false;
    }
    let one_event = a.event == b.event && a.site == b.site;
    let rounds_known = a.round.is_known() && b.round.is_known();
    if a.result != b.result {
        let in_one_round = one_event && rounds_known && a.round.agrees(b.round);
        let beyond_opening = a.plies.min(b.plies) >= BEYOND_OPENING;
        if moves == 0 || !in_one_round && !beyond_opening {
            return false;
        }
    }
    if moves != 0 {
        return !(one_event && rounds_known && !a.round.agrees(b.round));
    }
    // Compatible dates may differ by a year around New Year. Draws in the same round of two years'
    // tournaments are two games.
    let years = a.date.year().zip(b.date.year());
    let one_year = years.is_none_or(|(a, b)| a == b);
    sources.of_game(a) != sources.of_game(b)
        && one_event
        && one_year
        && rounds_known
        && a.round == b.round
}

/// Fills the gaps of a header from that of a copy.
fn complete(kept: &mut Game, other: &Game) {
    if other.date.known_parts() > kept.date.known_parts() {
        kept.date = other.date;
    }
    if other.event_date.known_parts() > kept.event_date.known_parts() {
        kept.event_date = other.event_date;
    }
    if !kept.round.is_known() {
        kept.round = other.round;
    }
    kept.event_rounds = kept.event_rounds.max(other.event_rounds);
    kept.event_category = kept.event_category.max(other.event_category);
    // Statements of one source about the game itself (its tempo, a forfeit) apply to all copies. Of
    // the forms of its event, the first counts.
    let has_form = kept.flags.intersects(GameFlags::FORMS);
    kept.flags |= if has_form { other.flags - GameFlags::FORMS } else { other.flags };
    for (mine, theirs) in
        [(&mut kept.white_elo, other.white_elo), (&mut kept.black_elo, other.black_elo)]
    {
        if *mine == 0 {
            *mine = theirs;
        }
    }
    for (mine, theirs) in [
        (&mut kept.white_fide_id, other.white_fide_id),
        (&mut kept.black_fide_id, other.black_fide_id),
    ] {
        if *mine == 0 {
            *mine = theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{PartialDate, Round};

    fn table(rows: &[(u32, &str, &str, u64, &str)]) -> GameTable {
        let mut table = GameTable::default();
        table.members = vec!["a".into(), "b".into()];
        let event = table.names.intern("Vienna");
        let [white, black] = ["Tarrasch", "Pillsbury"].map(|name| table.names.intern(name));
        for &(member, date, round, fingerprint, site) in rows {
            let site = table.names.intern(site);
            table.push(Game {
                event,
                site,
                white,
                black,
                date: PartialDate::parse(date).unwrap(),
                round: Round::parse(round),
                result: GameResult::Draw,
                plies: if fingerprint == 0 { 1 } else { 40 },
                fingerprint,
                member,
                ..Game::default()
            });
        }
        table
    }

    /// Games of Tarrasch and Pillsbury: the source, the round, the plies and the result.
    fn kept_results(rows: &[(u32, &str, u16, GameResult)]) -> Vec<GameResult> {
        let headers: Vec<_> =
            rows.iter().map(|(member, round, ..)| (*member, "1898", *round, 7, "Vienna")).collect();
        let mut table = table(&headers);
        for (game, &(_, _, plies, result)) in table.games_mut().iter_mut().zip(rows) {
            (game.plies, game.result) = (plies, result);
        }
        let persons: Vec<u32> = (0..table.names.len() as u32).collect();
        let copies = duplicates(&mut table, &persons);
        let is_kept = |row: &usize| copies.iter().all(|copy| copy.game != *row);
        (0..table.len()).filter(is_kept).map(|row| table.games()[row].result).collect()
    }

    #[test]
    fn a_game_with_opposite_results_counts_once() {
        use GameResult::{Black, Draw, Unknown, White};
        // The result of most copies, or else that of the first, which is as complete.
        assert_eq!(kept_results(&[(0, "?", 60, Black), (1, "?", 60, White)]), [Black]);
        assert_eq!(
            kept_results(&[(0, "?", 60, Black), (1, "?", 60, White), (1, "?", 60, White)]),
            [White]
        );
        // The more complete header.
        assert_eq!(kept_results(&[(0, "?", 60, Black), (1, "3", 60, Draw)]), [Draw]);
        assert_eq!(kept_results(&[(0, "3", 10, Black), (1, "3", 10, White)]), [Black]);
        // An opening proves nothing, nor does a game without a result.
        assert_eq!(kept_results(&[(0, "?", 10, Black), (1, "?", 10, White)]), [Black, White]);
        assert_eq!(kept_results(&[(0, "3", 60, Black), (0, "5", 60, White)]), [Black, White]);
        assert_eq!(kept_results(&[(0, "?", 60, Unknown), (1, "?", 60, White)]), [Unknown, White]);
    }

    fn repeated(rows: &[(u32, &str, &str, u64, &str)]) -> Vec<usize> {
        let mut table = table(rows);
        let persons: Vec<u32> = (0..table.names.len() as u32).collect();
        duplicates(&mut table, &persons).iter().map(|duplicate| duplicate.game).collect()
    }

    #[test]
    fn the_same_moves_under_another_header_are_the_same_game() {
        assert_eq!(
            repeated(&[(0, "1898.06.01", "3", 7, "Wien"), (1, "1898", "?", 7, "Vienna")]),
            [1]
        );
    }

    #[test]
    fn the_same_short_draw_in_another_round_is_another_game() {
        assert!(
            repeated(&[(0, "1898", "3", 7, "Vienna"), (0, "1898", "5", 7, "Vienna")]).is_empty()
        );
    }

    #[test]
    fn results_without_moves_are_copies_only_across_files() {
        assert!(
            repeated(&[(0, "1898", "3", 0, "Vienna"), (0, "1898", "3", 0, "Vienna")]).is_empty()
        );
        assert_eq!(repeated(&[(0, "1898", "3", 0, "Vienna"), (1, "1898", "3", 0, "Vienna")]), [1]);
        assert!(
            repeated(&[(0, "1898", "?", 0, "Vienna"), (1, "1898", "?", 0, "Vienna")]).is_empty()
        );
    }

    #[test]
    fn the_most_complete_header_is_kept_and_completed_from_the_others() {
        let rows = [
            (0, "1898", "?", 7, "Vienna"),
            (1, "1898.06.01", "?", 7, "Wien"),
            (2, "1898", "3", 7, "Vienna"),
        ];
        let mut table = table(&rows);
        let persons: Vec<u32> = (0..table.names.len() as u32).collect();
        let found = duplicates(&mut table, &persons);
        let pairs: Vec<_> = found.iter().map(|found| (found.game, found.kept)).collect();
        assert_eq!(pairs, [(0, 1), (2, 1)]);
        assert_eq!(table.games()[1].date.iso(), "1898-06-01");
        assert_eq!(table.games()[1].round.to_string(), "3");
    }
}
