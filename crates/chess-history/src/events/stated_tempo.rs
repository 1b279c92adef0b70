//! Gives games without a stated tempo that of the games they were played among.
//!
//! Broadcasts lose clocks, and databases lose TimeControl tags. One event would become two if each
//! game had to state its own tempo.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::games::{Game, GameFlags, GameTable, NameId};
use crate::players::{PlayerId, Players};

/// One part in so many of the games with equal tags must state a faster tempo.
///
/// Judged: a third. Fewer are more likely the tie-breaks of a classical event, or another event
/// under its name.
const STATED: usize = 3;

/// The Event and Site tags of a game, and its year.
type TagKey = (NameId, NameId, Option<i16>);

/// Games with equal tags: those that state a faster tempo, and those that state none.
#[derive(Default)]
struct Tagged {
    rapid: Vec<usize>,
    blitz: Vec<usize>,
    silent: Vec<usize>,
    has_classical: bool,
}

/// Rows of games that state no tempo, by the tempo of the games they were played among.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FasterByOthers {
    /// Rows of rapid games, in their order.
    pub rapid: Vec<usize>,
    /// Rows of blitz games, in their order.
    pub blitz: Vec<usize>,
}

/// Finds games among `classical` that state no tempo, but were played among games that state a
/// faster one in their tags or clocks, and have the same Event and Site tags and the same year.
///
/// A tie-break or another event under the same tags says nothing about them. Therefore the games
/// must be of the same days; without days, no pair may have met in both.
pub fn faster_by_others(
    table: &GameTable,
    players: &Players,
    classical: &[usize],
    [rapid, blitz]: [&[usize]; 2],
) -> FasterByOthers {
    let mut by_tags: FxHashMap<TagKey, Tagged> = FxHashMap::default();
    for &row in rapid.iter().chain(blitz) {
        let game = &table.games()[row];
        let tagged = by_tags.entry(key(game)).or_default();
        if game.flags.contains(GameFlags::BLITZ) {
            tagged.blitz.push(row);
        } else if game.flags.contains(GameFlags::RAPID) {
            tagged.rapid.push(row);
        }
    }
    for &row in classical {
        let game = &table.games()[row];
        if let Some(tagged) = by_tags.get_mut(&key(game)) {
            tagged.has_classical |= game.flags.contains(GameFlags::CLASSICAL);
            tagged.silent.push(row);
        }
    }
    let mut found = FasterByOthers::default();
    for tagged in by_tags.into_values().filter(|tagged| tagged.is_one_event(table, players)) {
        let faster = if tagged.blitz.len() > tagged.rapid.len() {
            &mut found.blitz
        } else {
            &mut found.rapid
        };
        faster.extend(tagged.silent);
    }
    found.rapid.sort_unstable();
    found.blitz.sort_unstable();
    found
}

fn key(game: &Game) -> TagKey {
    (game.event, game.site, game.date.year())
}

impl Tagged {
    fn stated(&self) -> impl Iterator<Item = usize> {
        self.rapid.iter().chain(&self.blitz).copied()
    }

    /// Returns whether the games without a stated tempo were played among those that state one.
    fn is_one_event(&self, table: &GameTable, players: &Players) -> bool {
        let stated = self.rapid.len() + self.blitz.len();
        if self.has_classical || STATED * stated < stated + self.silent.len() {
            return false;
        }
        let day = |row: &usize| table.games()[*row].date.day_exact();
        let days: FxHashSet<_> = self.stated().filter_map(|row| day(&row)).collect();
        let dated: Vec<_> = self.silent.iter().filter_map(day).collect();
        let is_of_same_days =
            2 * dated.iter().filter(|day| days.contains(day)).count() >= dated.len();
        let later = self.games_after_others(table, players);
        if dated.is_empty() || days.is_empty() {
            return later.is_none();
        }
        is_of_same_days && later.is_none_or(|later| 2 * later < stated)
    }

    /// Counts the games with a stated tempo of pairs who also played without one, but not
    /// afterwards: such games may be tie-breaks. Returns `None` if there is no such pair.
    fn games_after_others(&self, table: &GameTable, players: &Players) -> Option<usize> {
        let pair = |row: usize| -> Option<(PlayerId, PlayerId)> {
            let game = &table.games()[row];
            let pair = (players.of_name(game.white)?, players.of_name(game.black)?);
            Some((pair.0.min(pair.1), pair.0.max(pair.1)))
        };
        let time = |row: usize| (table.games()[row].date, table.games()[row].round);
        let mut last = FxHashMap::default();
        for &row in &self.silent {
            let Some(pair) = pair(row) else { continue };
            let latest = last.entry(pair).or_insert_with(|| time(row));
            *latest = time(row).max(*latest);
        }
        let mut has_pair = false;
        let mut after = 0;
        for row in self.stated() {
            let Some(latest) = pair(row).and_then(|pair| last.get(&pair)) else { continue };
            has_pair = true;
            after += usize::from(*latest <= time(row));
        }
        has_pair.then_some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{ReadOptions, read_text};
    use crate::players::{Aliases, resolve};

    /// The number of games that follow the stated tempo. A game has its day in August, its round,
    /// its players, and whether it states rapid chess.
    fn following(games: &[(u8, u8, char, char, bool)]) -> usize {
        let mut text = String::new();
        for (day, round, white, black, states) in games {
            let day = if *day == 0 { "??".to_owned() } else { format!("{day:02}") };
            let control = if *states { "[TimeControl \"900+10\"]\n" } else { "" };
            text.push_str(&format!(
                "[Event \"Cup\"]\n[Site \"Testville\"]\n[Date \"2019.08.{day}\"]\n\
                 [Round \"{round}\"]\n[White \"Player{white}, X\"]\n[Black \"Player{black}, Y\"]\n\
                 [Result \"1-0\"]\n{control}\n1-0\n\n"
            ));
        }
        let mut table = GameTable::default();
        let options = ReadOptions::default();
        read_text("games.pgn", text.as_bytes(), options, &mut table, &mut Vec::new());
        let players = resolve(&table, &Aliases::default());
        let states = |row: &usize| table.games()[*row].flags.contains(GameFlags::RAPID);
        let (rapid, silent): (Vec<usize>, Vec<usize>) = (0..table.len()).partition(states);
        faster_by_others(&table, &players, &silent, [&rapid, &[]]).rapid.len()
    }

    #[test]
    fn games_among_rapid_games_are_rapid() {
        let games = [(1, 1, 'A', 'B', true), (1, 1, 'C', 'D', false), (1, 2, 'A', 'C', false)];
        assert_eq!(following(&games), 2);
        let without_days = games.map(|game| (0, game.1, game.2, game.3, game.4));
        assert_eq!(following(&without_days), 2);
    }

    #[test]
    fn games_before_tie_breaks_are_not() {
        let games = [(1, 1, 'A', 'B', false), (2, 2, 'A', 'B', false), (2, 3, 'A', 'B', true)];
        assert_eq!(following(&games), 0);
    }

    #[test]
    fn games_of_other_days_are_not() {
        let games = [(1, 1, 'A', 'B', true), (2, 1, 'C', 'D', false), (3, 2, 'A', 'C', false)];
        assert_eq!(following(&games), 0);
    }

    #[test]
    fn a_few_rapid_games_say_nothing() {
        let games = [
            (1, 1, 'A', 'B', true),
            (1, 1, 'C', 'D', false),
            (1, 2, 'A', 'C', false),
            (1, 2, 'B', 'D', false),
        ];
        assert_eq!(following(&games), 0);
    }
}
