//! Recognises competitions of teams whose players have the same board in all rounds.
//!
//! Players of different boards never meet, so each board looks like a round robin of its own. But
//! in each round all boards have the same pairs of teams, and in a match the colours alternate from
//! board to board. Groups A and B with the same pairing table have the same colours.

use std::collections::BTreeMap;

use super::group::{GroupedGame, sorted_unique};
use crate::games::GameTable;
use crate::players::PlayerId;

/// Fewest teams. Judged: a round robin of four has few pairing tables, and with the colours
/// exchanged one of them is the same again. No table of five to twelve players is.
const TEAMS: usize = 5;

/// Fewest boards of a match of teams. Judged: with two, a group A and a group B whose colours were
/// exchanged would be teams.
const BOARDS: usize = 3;

/// Returns whether the games of separate fields are those of the boards of teams.
pub(super) fn are_boards_of_teams(table: &GameTable, fields: &[Vec<GroupedGame>]) -> bool {
    if fields.len() < BOARDS {
        return false;
    }
    let boards: Option<Vec<Board>> = fields.iter().map(|games| Board::new(table, games)).collect();
    let Some(boards) = boards else { return false };
    let colours: Option<Vec<Colours>> =
        boards[1..].iter().map(|other| boards[0].compare(other)).collect();
    let Some(colours) = colours else { return false };
    let exchanged = colours.iter().filter(|colours| **colours == Colours::Exchanged).count();
    (2 * exchanged).abs_diff(boards.len()) <= 1
}

/// The colours of a board whose pairs of teams are those of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colours {
    Same,
    Exchanged,
}

/// The games of a field, each player of which has one game in each round.
struct Board {
    players: Vec<PlayerId>,
    /// The opponent of each player in each round, and whether the player was White.
    games: BTreeMap<(u16, PlayerId), (PlayerId, bool)>,
}

impl Board {
    /// Returns `None` if the players are too few, if a round is unknown, or if a player has two
    /// games in one round.
    fn new(table: &GameTable, members: &[GroupedGame]) -> Option<Board> {
        let mut games = BTreeMap::new();
        for member in members {
            let round = member.game(table).round.number()?;
            let white = games.insert((round, member.white), (member.black, true));
            let black = games.insert((round, member.black), (member.white, false));
            if white.is_some() || black.is_some() {
                return None;
            }
        }
        let players = sorted_unique(games.keys().map(|(_, player)| *player).collect());
        (players.len() >= TEAMS).then_some(Board { players, games })
    }

    /// Compares the colours of two boards. Returns `None` if their pairs are not those of the same
    /// teams.
    fn compare(&self, other: &Board) -> Option<Colours> {
        if self.games.len() != other.games.len() || self.players.len() != other.players.len() {
            return None;
        }
        other.players.iter().find_map(|image| self.compare_by(other, *image))
    }

    /// Compares the colours of two boards if the first player of this one is in the team of a given
    /// player of the other one. Their opponents in a round are then of one team.
    fn compare_by(&self, other: &Board, image: PlayerId) -> Option<Colours> {
        let mut of_team: BTreeMap<PlayerId, PlayerId> = BTreeMap::from([(self.players[0], image)]);
        let mut next = vec![self.players[0]];
        let mut has_same_colour: Option<bool> = None;
        while let Some(player) = next.pop() {
            for ((round, _), (opponent, is_white)) in
                self.games.iter().filter(|((_, own), _)| *own == player)
            {
                let (other_opponent, other_is_white) =
                    other.games.get(&(*round, of_team[&player]))?;
                let is_same = is_white == other_is_white;
                if *has_same_colour.get_or_insert(is_same) != is_same {
                    return None;
                }
                match of_team.get(opponent) {
                    None => {
                        of_team.insert(*opponent, *other_opponent);
                        next.push(*opponent);
                    }
                    Some(known) if known != other_opponent => return None,
                    Some(_) => {}
                }
            }
        }
        let colours = if has_same_colour? { Colours::Same } else { Colours::Exchanged };
        (of_team.len() == self.players.len()).then_some(colours)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_events::{TestResult, circle, events_of};
    use crate::tournament::Kind;

    /// Four round robins of six players with the same pairs in each round. On every second board
    /// the colours may be exchanged.
    fn boards(exchange: bool) -> Vec<TestResult> {
        let mut results = Vec::new();
        for (round, pairs) in (1..).zip(circle(6)) {
            for (white, black) in pairs {
                for board in 0..4 {
                    let pair = (6 * board + white, 6 * board + black);
                    let (white, black) =
                        if exchange && board % 2 == 1 { (pair.1, pair.0) } else { pair };
                    results.push((round, white, black, "1/2-1/2"));
                }
            }
        }
        results
    }

    fn kinds(results: &[TestResult]) -> Vec<Kind> {
        events_of(results).iter().map(|event| event.kind).collect()
    }

    #[test]
    fn boards_with_the_same_pairs_and_alternate_colours_are_those_of_teams() {
        assert_eq!(kinds(&boards(true)), [Kind::Team]);
    }

    #[test]
    fn groups_with_the_same_pairing_table_are_events_of_their_own() {
        assert_eq!(kinds(&boards(false)), [Kind::RoundRobin; 4]);
    }
}
