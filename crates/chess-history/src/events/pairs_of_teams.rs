//! Recognises competitions of teams by their pairings alone.
//!
//! If the boards of each match follow each other, with alternate colours, each match divides its
//! players into two sides, and the sides of all rounds are a few teams whose players never meet.
//!
//! If each player has the same board in all rounds, players of different boards never meet, so each
//! board looks like a separate round robin. But in each round all boards have the same pairs of
//! teams, and the colours alternate from board to board. Groups A and B with the same pairing table
//! have the same colours.

use std::collections::BTreeMap;

use super::group::{GroupedGame, sorted_unique};
use crate::disjoint_sets::DisjointSets;
use crate::games::GameTable;
use crate::players::PlayerId;

/// Fewest teams. Judged: a round robin of four has few pairing tables, and with the colours
/// exchanged one of them is the same table. No table of six to twelve players is.
const TEAMS: usize = 5;

/// Fewest boards of a match of teams. Judged: with two, a group A and a group B whose colours were
/// exchanged would be teams.
const BOARDS: usize = 3;

/// Most boards of a match of teams. Judged: leagues have up to ten.
const MOST_BOARDS: usize = 10;

/// Fewest rounds in which the sides of matches must be those of the same teams. Judged: in two
/// rounds of a small Swiss this may be chance; in three it is rare.
const ROUNDS: usize = 3;

/// Returns whether the games of each round, in the order of their boards or of the file, are those
/// of matches of teams. `players` is the field, in order.
pub(super) fn are_matches_of_teams(
    table: &GameTable,
    members: &[GroupedGame],
    players: &[PlayerId],
) -> bool {
    let mut rounds: BTreeMap<u16, Vec<&GroupedGame>> = BTreeMap::new();
    for member in members {
        let Some(round) = member.game(table).round.number() else { return false };
        rounds.entry(round).or_default().push(member);
    }
    if rounds.len() < ROUNDS {
        return false;
    }
    for games in rounds.values_mut() {
        games.sort_by_key(|member| (member.game(table).round.part(), member.row));
    }
    (BOARDS..=MOST_BOARDS).any(|boards| have_teams_of(boards, &rounds, players))
}

/// Returns whether the sides of matches with a number of boards are those of teams.
fn have_teams_of(
    boards: usize,
    rounds: &BTreeMap<u16, Vec<&GroupedGame>>,
    players: &[PlayerId],
) -> bool {
    if rounds.values().any(|games| !games.len().is_multiple_of(boards)) {
        return false;
    }
    let place = |player: PlayerId| players.binary_search(&player).unwrap_or_default();
    let mut teams = DisjointSets::new(players.len());
    for of_match in rounds.values().flat_map(|games| games.chunks(boards)) {
        let [first, second] = [place(of_match[0].white), place(of_match[0].black)];
        for (board, member) in of_match.iter().enumerate() {
            let [white, black] = [place(member.white), place(member.black)];
            let (one, other) =
                if board.is_multiple_of(2) { (white, black) } else { (black, white) };
            teams.join(first, one);
            teams.join(second, other);
        }
    }
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for player in 0..players.len() {
        *sizes.entry(teams.find(player)).or_default() += 1;
    }
    // Two teams are a Scheveningen. A team may have as many reserves as players.
    let are_sizes_of_teams =
        sizes.len() > 2 && sizes.values().all(|size| (boards..=2 * boards).contains(size));
    are_sizes_of_teams
        && rounds
            .values()
            .flatten()
            .all(|member| teams.find(place(member.white)) != teams.find(place(member.black)))
}

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
            for board in 0..4 {
                for (white, black) in &pairs {
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

    /// Six teams of four boards. From the third round on, a fifth player has the first board, and
    /// the others move down.
    fn with_reserves() -> Vec<TestResult> {
        let mut results = Vec::new();
        for (round, pairs) in (1..).zip(circle(6)) {
            for (one, other) in pairs {
                for board in 0..4 {
                    let member = if round > 2 { (board + 4) % 5 } else { board };
                    let pair = (5 * one + member, 5 * other + member);
                    let (white, black) = if board % 2 == 1 { (pair.1, pair.0) } else { pair };
                    results.push((round, white, black, "1/2-1/2"));
                }
            }
        }
        results
    }

    #[test]
    fn matches_of_teams_with_reserves_are_recognised_by_their_boards() {
        assert_eq!(kinds(&with_reserves()), [Kind::Team]);
    }

    #[test]
    fn an_open_whose_boards_follow_each_other_is_no_competition_of_teams() {
        let mut results: Vec<TestResult> = Vec::new();
        for (round, pairs) in (1..).zip(circle(24).into_iter().take(7)) {
            results.extend(pairs.iter().map(|(white, black)| (round, *white, *black, "1-0")));
        }
        assert_eq!(kinds(&results), [Kind::Swiss]);
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
