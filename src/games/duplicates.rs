//! The same game from several places.

use rustc_hash::FxHashMap;

use super::table::{Game, GameTable, REAL_MOVES};

/// A game that repeats another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Row of the game that repeats.
    pub game: usize,
    /// Row of the game that stays.
    pub kept: usize,
}

/// Finds duplicates and completes the game that stays from them, field by field.
///
/// The same game: the same two players on the same sides, the same result, compatible dates, and
/// the same moves; of games without moves, from *different* members, the same event, site and
/// known round. (Within one member, two results of one pair in one round are two games.) The
/// same moves in two known rounds of one event are two games: players do repeat short draws.
///
/// `same_player` gives each name the number of its person.
pub fn duplicates(table: &mut GameTable, same_player: &[u32]) -> Vec<Duplicate> {
    let mut by_key: FxHashMap<(u32, u32, u8, u64), Vec<usize>> = FxHashMap::default();
    let mut found = Vec::new();
    for index in 0..table.len() {
        let game = table.games()[index];
        let moves = if game.plies >= REAL_MOVES { game.fingerprint } else { 0 };
        let key = (
            same_player[game.white.index()],
            same_player[game.black.index()],
            game.result as u8,
            moves,
        );
        let earlier = by_key.entry(key).or_default();
        let kept =
            earlier.iter().copied().find(|&kept| is_same(&table.games()[kept], &game, moves));
        match kept {
            Some(kept) => {
                complete(&mut table.games_mut()[kept], &game);
                found.push(Duplicate { game: index, kept });
            }
            None => earlier.push(index),
        }
    }
    found
}

fn is_same(a: &Game, b: &Game, moves: u64) -> bool {
    if !a.date.compatible(b.date) {
        return false;
    }
    let one_event = a.event == b.event && a.site == b.site;
    let rounds_known = a.round.is_known() && b.round.is_known();
    if moves != 0 {
        return !(one_event && rounds_known && a.round != b.round);
    }
    a.member != b.member && one_event && rounds_known && a.round == b.round
}

/// Takes over what the other header knows better.
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
    use crate::games::{GameResult, PartialDate, Round};

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
                event_date: PartialDate::UNKNOWN,
                round: Round::parse(round),
                result: GameResult::Draw,
                white_elo: 0,
                black_elo: 0,
                white_fide_id: 0,
                black_fide_id: 0,
                plies: if fingerprint == 0 { 1 } else { 40 },
                fingerprint,
                signs: Default::default(),
                member,
                line: 1,
            });
        }
        table
    }

    fn repeated(rows: &[(u32, &str, &str, u64, &str)]) -> Vec<usize> {
        let mut table = table(rows);
        let persons: Vec<u32> = (0..table.names.len() as u32).collect();
        duplicates(&mut table, &persons).iter().map(|duplicate| duplicate.game).collect()
    }

    #[test]
    fn the_same_moves_under_another_header_are_the_same_game() {
        assert_eq!(
            repeated(&[(0, "1898", "?", 7, "Vienna"), (1, "1898.06.01", "3", 7, "Wien")]),
            [1]
        );
    }

    #[test]
    fn a_short_draw_repeated_in_another_round_is_another_game() {
        assert!(
            repeated(&[(0, "1898", "3", 7, "Vienna"), (0, "1898", "5", 7, "Vienna")]).is_empty()
        );
    }

    #[test]
    fn results_without_moves_are_told_apart_within_a_file_and_matched_across_files() {
        assert!(
            repeated(&[(0, "1898", "3", 0, "Vienna"), (0, "1898", "3", 0, "Vienna")]).is_empty()
        );
        assert_eq!(repeated(&[(0, "1898", "3", 0, "Vienna"), (1, "1898", "3", 0, "Vienna")]), [1]);
        assert!(
            repeated(&[(0, "1898", "?", 0, "Vienna"), (1, "1898", "?", 0, "Vienna")]).is_empty()
        );
    }

    #[test]
    fn the_game_that_stays_learns_from_its_duplicate() {
        let mut table = table(&[(0, "1898", "?", 7, "Vienna"), (1, "1898.06.01", "3", 7, "Wien")]);
        let persons: Vec<u32> = (0..table.names.len() as u32).collect();
        duplicates(&mut table, &persons);
        assert_eq!(table.games()[0].date.iso(), "1898-06-01");
        assert_eq!(table.games()[0].round.to_string(), "3");
    }
}
