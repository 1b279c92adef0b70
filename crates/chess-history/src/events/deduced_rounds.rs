//! Deduces the rounds that some games of a round robin lack.
//!
//! Of two sources of one tournament, often only one has rounds. A player has one game in each
//! round, so the rounds that are known leave few places for the others, like the numbers of a
//! Sudoku. Only rounds that follow are taken; no round is guessed. They are as right as those that
//! the tags state.

use std::rc::Rc;

use super::event_format::recognise_pairs;
use super::field_size::rounds_of_cycle;
use super::group::GameGroup;
use super::tag::SegmentKind;
use crate::games::Round;

/// The most rounds of a tournament, one a bit of [`Rounds`].
const MOST_ROUNDS: usize = 64;

/// The least share of the games whose round must be known.
///
/// Judged: with a quarter of the rounds, hardly any other follows from them.
const KNOWN: f64 = 0.25;

/// The most games for which each possible round is tried. It bounds the time, which grows with the
/// square.
const MOST_TRIED: usize = 120;

/// Gives the games of a whole round robin the rounds that follow from those of its other games.
pub(super) fn deduce_rounds(group: &mut GameGroup) {
    let players = group.players();
    let main: Vec<usize> = (0..group.members.len())
        .filter(|place| group.members[*place].segment == SegmentKind::Main)
        .collect();
    let known = main.iter().filter(|place| group.members[**place].round.is_known()).count();
    if players.len() < 4
        || group.teams
        || known == main.len()
        || (known as f64) < KNOWN * main.len() as f64
        || 2 * main.len() < players.len() * (players.len() - 1)
    {
        return;
    }
    let games: Vec<TableGame> = main
        .iter()
        .map(|place| {
            let member = &group.members[*place];
            TableGame {
                players: [member.white, member.black]
                    .map(|player| players.binary_search(&player).unwrap_or_default()),
                round: member.round.number().map(usize::from),
            }
        })
        .collect();
    let deduced = deduce(players.len(), &games);
    for (place, round) in main.into_iter().zip(deduced) {
        if let (false, Some(round)) = (group.members[place].round.is_known(), round) {
            group.members[place].round = Round::of_number(round as u16);
        }
    }
}

/// A game of the table.
struct TableGame {
    players: [usize; 2],
    round: Option<usize>,
}

/// Returns the rounds of the games of a whole round robin, as far as they are known or follow.
fn deduce(players: usize, games: &[TableGame]) -> Vec<Option<usize>> {
    let stated = games.iter().map(|game| game.round).collect();
    let pairs: Vec<(usize, usize)> =
        games.iter().map(|game| (game.players[0], game.players[1])).collect();
    let found = recognise_pairs(players, &pairs);
    let rounds = found.cycles * rounds_of_cycle(players);
    let is_whole = found.kind.is_round_robin()
        && found.missing.is_empty()
        && found.withdrawn.is_empty()
        && found.placed_games == games.len();
    if !is_whole || rounds >= MOST_ROUNDS {
        return stated;
    }
    let Some(mut table) = Table::new(players, rounds, games) else { return stated };
    if !table.follow() {
        return stated;
    }
    if table.open().count() <= MOST_TRIED {
        table.refute();
    }
    if table.possible.contains(&Rounds(0)) {
        return stated;
    }
    table.possible.iter().map(|rounds| rounds.only()).collect()
}

/// A set of rounds, each a bit.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rounds(u64);

impl Rounds {
    fn contains(self, round: usize) -> bool {
        self.0 >> round & 1 == 1
    }

    fn remove(&mut self, round: usize) {
        self.0 &= !(1 << round);
    }

    /// Returns the round, if there is only one.
    fn only(self) -> Option<usize> {
        (self.0.count_ones() == 1).then(|| self.0.trailing_zeros() as usize)
    }

    fn each(self) -> impl Iterator<Item = usize> {
        (0..MOST_ROUNDS).filter(move |round| self.contains(*round))
    }
}

/// The rounds that each game may have.
#[derive(Clone)]
struct Table<'a> {
    games: &'a [TableGame],
    /// The games of each player.
    games_of: Rc<Vec<Vec<usize>>>,
    /// Whether each player has a game in every round: in an even field.
    are_all_busy: bool,
    rounds: usize,
    /// The rounds that each game may have.
    possible: Vec<Rounds>,
}

impl<'a> Table<'a> {
    /// Returns `None` if a known round is beyond the last one.
    fn new(players: usize, rounds: usize, games: &'a [TableGame]) -> Option<Table<'a>> {
        let mut games_of = vec![Vec::new(); players];
        for (number, game) in games.iter().enumerate() {
            for player in game.players {
                games_of[player].push(number);
            }
        }
        let any = Rounds((1..=rounds).fold(0, |any, round| any | 1 << round));
        let possible = games.iter().map(|game| match game.round {
            Some(round) => (1..=rounds).contains(&round).then_some(Rounds(1 << round)),
            None => Some(any),
        });
        let possible = possible.collect::<Option<_>>()?;
        let games_of = Rc::new(games_of);
        Some(Table { games, games_of, are_all_busy: players.is_multiple_of(2), rounds, possible })
    }

    /// Returns the games whose round is unknown.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.games.len()).filter(|game| self.possible[*game].only().is_none())
    }

    /// Excludes what contradicts the known rounds, again and again. Returns whether every game
    /// still has a possible round.
    fn follow(&mut self) -> bool {
        loop {
            let before = self.possible.clone();
            for game in 0..self.games.len() {
                let Some(round) = self.possible[game].only() else { continue };
                for player in self.games[game].players {
                    for other in self.games_of[player].iter().filter(|other| **other != game) {
                        self.possible[*other].remove(round);
                    }
                }
            }
            if self.possible.contains(&Rounds(0)) || self.are_all_busy && !self.fill_rounds() {
                return false;
            }
            if before == self.possible {
                return true;
            }
        }
    }

    /// Takes the only game that a player can have in a round. Returns whether there is one in every
    /// round.
    fn fill_rounds(&mut self) -> bool {
        for games in self.games_of.iter() {
            for round in 1..=self.rounds {
                let mut fitting = games.iter().filter(|game| self.possible[**game].contains(round));
                match (fitting.next(), fitting.next()) {
                    (None, _) => return false,
                    (Some(only), None) => self.possible[*only] = Rounds(1 << round),
                    _ => {}
                }
            }
        }
        true
    }

    /// Excludes the rounds that lead to a contradiction.
    fn refute(&mut self) {
        loop {
            let before = self.possible.clone();
            for game in self.open().collect::<Vec<_>>() {
                for round in self.possible[game].each() {
                    let mut tried = self.clone();
                    tried.possible[game] = Rounds(1 << round);
                    if !tried.follow() {
                        self.possible[game].remove(round);
                        self.follow();
                    }
                }
            }
            if before == self.possible {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_events::circle;
    use super::*;

    /// A round robin; the games at some places have no round.
    fn table(players: usize, is_unknown: impl Fn(usize) -> bool) -> Vec<TableGame> {
        let rounds = circle(players).into_iter().zip(1..);
        let games =
            rounds.flat_map(|(pairs, round)| pairs.into_iter().map(move |pair| (pair, round)));
        let with_round = |(place, ((white, black), round)): (usize, ((usize, usize), usize))| {
            let round = Some(round).filter(|_| !is_unknown(place));
            TableGame { players: [white, black], round }
        };
        games.enumerate().map(with_round).collect()
    }

    #[test]
    fn rounds_of_half_of_the_games_determine_the_others() {
        let whole: Vec<Option<usize>> =
            table(10, |_| false).iter().map(|game| game.round).collect();
        let half = table(10, |place| place % 2 == 0);
        assert_eq!(deduce(10, &half), whole);
    }

    #[test]
    fn a_round_that_does_not_follow_stays_unknown() {
        // Two rounds of four players without any known game may be exchanged.
        let games = table(4, |place| place >= 2);
        let deduced = deduce(4, &games);
        assert_eq!(deduced[..2], [Some(1), Some(1)]);
        assert!(deduced[2..].iter().all(Option::is_none));
    }

    #[test]
    fn contradictory_rounds_deduce_nothing() {
        let mut games = table(6, |place| place >= 9);
        games[3].round = games[0].round;
        let stated: Vec<Option<usize>> = games.iter().map(|game| game.round).collect();
        assert_eq!(deduce(6, &games), stated);
    }

    #[test]
    fn rounds_of_an_incomplete_table_are_not_deduced() {
        let mut games = table(8, |place| place % 3 == 0);
        games.truncate(20);
        let stated: Vec<Option<usize>> = games.iter().map(|game| game.round).collect();
        assert_eq!(deduce(8, &games), stated);
    }
}
