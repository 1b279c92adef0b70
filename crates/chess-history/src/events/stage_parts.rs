//! Finds the tie-breaks of a knock-out by the parts of its rounds: `2.3` is the third game of a
//! match of the second stage.

use std::collections::BTreeMap;

use super::group::GroupedGame;
use crate::games::GameTable;

/// The number of regular games of a match in a large knock-out, since Tilburg 1992.
pub(super) const REGULAR: usize = 2;

/// In a stage of at least this many matches, games without days beyond the regular ones are
/// tie-breaks.
///
/// Judged: finals and semifinals may have four games or six, earlier stages have two.
const LARGE_STAGE: usize = 4;

/// The games of one pair in one stage.
type Match<'m> = Vec<&'m GroupedGame>;

/// Returns the rows of the games whose part is beyond the regular games of their stage.
///
/// In a stage all matches have the same number of regular games. Whether a match was level before
/// the tie-break does not matter, because one of its regular games may be missing.
pub(super) fn tie_breaks_by_parts(table: &GameTable, pairs: &[Match<'_>]) -> Vec<usize> {
    let mut stages: BTreeMap<u16, Vec<Match<'_>>> = BTreeMap::new();
    for games in pairs {
        for of_stage in games.chunk_by(|a, b| number_of(table, a) == number_of(table, b)) {
            if let Some(stage) = number_of(table, of_stage[0]) {
                stages.entry(stage).or_default().push(of_stage.to_vec());
            }
        }
    }
    let mut faster = Vec::new();
    for mut matches in stages.into_values() {
        if !parts_number_games(table, &matches) {
            continue;
        }
        // A match without its first two games has perhaps a board instead of a number.
        matches.retain(|games| games.iter().any(|game| part_of(table, game) <= REGULAR));
        let Some(regular) = regular_games(table, &matches) else { continue };
        let games = matches.iter().flatten();
        let beyond = games.filter(|game| part_of(table, game) > regular);
        faster.extend(beyond.map(|game| game.row));
    }
    faster
}

/// Returns whether the parts of the rounds number the games of each match, and not the boards: half
/// of the matches with several games have a first and a second one.
fn parts_number_games(table: &GameTable, matches: &[Match<'_>]) -> bool {
    let several = matches.iter().filter(|games| games.len() > 1);
    let numbered = several.clone().filter(|games| {
        let has = |part| games.iter().any(|game| part_of(table, game) == part);
        has(1) && has(2)
    });
    let several = several.count();
    several > 0 && 2 * numbered.count() >= several
}

/// Returns the number of regular games of a stage; `None` if neither days nor the size of the stage
/// show it.
///
/// Two, and more if at least half of the matches have a further game, on a day on which they have
/// no other one.
fn regular_games(table: &GameTable, matches: &[Match<'_>]) -> Option<usize> {
    let mut regular = REGULAR;
    loop {
        let next = matches.iter().filter_map(|games| {
            let game = games.iter().find(|game| part_of(table, game) == regular + 1)?;
            Some((games, table.games()[game.row].date.day_exact()))
        });
        let next: Vec<_> = next.collect();
        if 2 * next.len() < matches.len() {
            return Some(regular);
        }
        if next.iter().any(|(_, day)| day.is_none()) {
            return (matches.len() >= LARGE_STAGE).then_some(regular);
        }
        let share_their_day = next.iter().filter(|(games, day)| {
            let of_day =
                games.iter().filter(|game| table.games()[game.row].date.day_exact() == *day);
            of_day.count() > 1
        });
        if share_their_day.count() > 0 {
            return Some(regular);
        }
        regular += 1;
    }
}

fn number_of(table: &GameTable, game: &GroupedGame) -> Option<u16> {
    table.games()[game.row].round.number()
}

fn part_of(table: &GameTable, game: &GroupedGame) -> usize {
    table.games()[game.row].round.part().map_or(0, usize::from)
}
