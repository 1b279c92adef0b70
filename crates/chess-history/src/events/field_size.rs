//! Finds out from rounds, boards and colours whether a round robin had more players than those with
//! games.
//!
//! A source without weaker players lacks all of their games. What it has is a round robin of the
//! others, often without a gap, but the rounds, boards and colours remain those of the whole field.

use super::pairing_table::{PairCounts, Pairing, TableRounds};
use super::recognised::{Circumstances, MissingGame, Recognised};
use crate::tournament::Kind;

/// The least number of games beyond the rounds of a table that show other rounds.
///
/// Judged: a single one has a wrong round, or was postponed.
const BEYOND: usize = 2;

/// The share of games that must have a board, and the share of boards that must have one game in a
/// round.
///
/// Judged: one game in ten may lack its board. The parts of rounds that number the games of pairs
/// occur in every pair, so most of them occur several times.
const WITH_BOARD: f64 = 0.9;

/// The least number of rounds in which the highest board occurs. Judged: a single one is a
/// misprint.
const ROUNDS_OF_BOARD: usize = 2;

/// The first year in which colours show the size of a field. Judged: until the 1920s some events
/// drew the colours by lot (Paris 1900, New York 1916).
const BERGER_TABLES: i16 = 1930;

/// The least number of players whose colours show it. Judged: of four players two may have unequal
/// colours by a wrong tag.
const COLOUR_PLAYERS: usize = 5;

/// One in this many players must have unequal colours.
///
/// Measured on 42 complete single round robins of odd fields from 1930 on: only two have as many,
/// and from both a player had withdrawn.
const UNEQUAL_PLAYERS: usize = 3;

/// The lowest board is at most this one. Taken from Berger tables: one player stays at the first
/// board, which has no game without that player. A group with higher boards follows another group.
const FIRST_BOARD: u16 = 2;

impl Recognised {
    /// Compares the field of a round robin or a Scheveningen with its rounds, boards and colours.
    /// Expects the games of players whose games are all missing, or doubts the number of cycles.
    pub(super) fn compare_field(
        &mut self,
        players: usize,
        pairings: &[Pairing],
        about: Circumstances,
    ) {
        let table = PairCounts::new(players, pairings);
        let rounds = TableRounds::from_pairings(players, pairings);
        if self.kind == Kind::Scheveningen {
            if let Some(rounds) = rounds {
                self.compare_sides_with_rounds(&table, pairings, &rounds);
            }
            return;
        }
        let known = table.active.len();
        let by_boards = if rounds.is_some() { 2 * highest_board(pairings) } else { 0 };
        let end = self.cycles * rounds_of_cycle(known);
        // An odd field has as many rounds as one with one more player.
        let by_rounds = rounds.as_ref().is_some_and(|rounds| usize::from(rounds.last) == end);
        let by_rounds = (by_rounds || usize::from(about.rounds) == end) && known.is_multiple_of(2);
        self.shows_field =
            self.withdrawn.is_empty() && (by_rounds || by_boards + known % 2 == known);
        let last = rounds.and_then(|rounds| self.round_beyond(end, &table, pairings, &rounds));
        // Replays and play-offs repeat pairs.
        let is_repeated = table.pairs_with(self.cycles + 1) > 0;
        let by_last = last.map_or(0, |last| last.div_ceil(self.cycles) + 1);
        let by_tags = self.field_of_stated_rounds(known, end, about);
        if let Some(field) = by_tags.filter(|field| *field > by_last.max(by_boards)) {
            self.expect_players(&table, about, field, "stated rounds");
        } else if by_last > by_boards && by_last < 2 * known && !is_repeated {
            self.expect_players(&table, about, by_last, "rounds");
        } else if by_boards > known {
            self.expect_players(&table, about, by_boards, "boards");
        } else if let Some(last) = last
            && !self.missing.is_empty()
        {
            self.is_certain = false;
            self.notes.push(format!(
                "round {last} is beyond the table; cycles or players may be missing"
            ));
        }
        let is_whole = self.missing.is_empty() && self.withdrawn.is_empty() && self.cycles == 1;
        if is_whole && colours_are_unequal(&table, pairings, about) {
            self.expect_players(&table, about, known + 1, "colours");
        }
    }

    /// Returns the number of players that the stated rounds show, if it is larger than that of the
    /// known ones, whose table ends with round `end`. Twice as many rounds are those of another
    /// cycle.
    fn field_of_stated_rounds(
        &self,
        known: usize,
        end: usize,
        about: Circumstances,
    ) -> Option<usize> {
        let rounds = usize::from(about.rounds);
        let field = rounds.div_ceil(self.cycles) + 1;
        // An odd field has as many rounds as one with one more player.
        let is_larger = field > known + known % 2 && rounds < 2 * end;
        (is_larger && about.form != Some(Kind::Swiss)).then_some(field)
    }

    /// Returns the last round, if it is more than one beyond the table, which ends with round
    /// `end`. One may be that of postponed games.
    fn round_beyond(
        &self,
        end: usize,
        table: &PairCounts,
        pairings: &[Pairing],
        rounds: &TableRounds,
    ) -> Option<usize> {
        let beyond = pairings.iter().filter(|game| {
            let (a, b) = game.pair();
            let is_beyond = game.round.is_some_and(|round| usize::from(round) > end);
            is_beyond && game.round <= Some(rounds.last) && table.count(a, b) <= self.cycles
        });
        let beyond: Vec<usize> = beyond.filter_map(|game| game.round).map(usize::from).collect();
        let last = beyond.iter().copied().max()?;
        (last > end + 1 && beyond.len() >= BEYOND).then_some(last)
    }

    /// Expects sides of as many players as a Scheveningen has rounds in a cycle, if its rounds are
    /// more than the known players need.
    fn compare_sides_with_rounds(
        &mut self,
        table: &PairCounts,
        pairings: &[Pairing],
        rounds: &TableRounds,
    ) {
        let Some(sides) = table.sides() else { return };
        let end = self.cycles * sides[0].len().max(sides[1].len());
        self.shows_field = sides[0].len() == sides[1].len() && usize::from(rounds.last) == end;
        let Some(last) = self.round_beyond(end, table, pairings, rounds) else { return };
        let size = last.div_ceil(self.cycles);
        for (own, others) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
            let games = self.cycles * (size - others.len());
            for &player in own {
                self.expect_unknown(Some(player), games);
            }
        }
        let [own, others] = sides.map(|side| size - side.len());
        self.expect_unknown(None, self.cycles * own * others);
        self.notes.push(format!("its rounds are those of sides of {size} players"));
    }

    /// Expects the games of a table of `field` players, of whom those of `table` are known.
    fn expect_players(
        &mut self,
        table: &PairCounts,
        about: Circumstances,
        field: usize,
        evidence: &str,
    ) {
        // If some players left early, as many others may have left before their first game.
        let known = table.active.len();
        if field <= known + about.left + about.left + self.withdrawn.len() {
            return;
        }
        let others = field - known;
        for &player in &table.active {
            if self.expected_of[player] > 0 {
                self.expect_unknown(Some(player), self.cycles * others);
            }
        }
        self.expect_unknown(None, self.cycles * others * (others - 1) / 2);
        self.notes.push(format!("its {evidence} are those of {field} players"));
    }

    /// Expects games of a player, or of two unknown ones, against players without known games.
    fn expect_unknown(&mut self, player: Option<usize>, games: usize) {
        if games == 0 {
            return;
        }
        self.expected_games += games;
        if let Some(player) = player {
            self.expected_of[player] += games;
        }
        self.missing.push(MissingGame { player, opponent: None, round: None, games });
    }

    /// Withdraws the games of players whose games are all missing, because history knows that there
    /// were none.
    pub(super) fn expect_no_other_players(&mut self) {
        for gap in self.missing.iter().filter(|gap| gap.opponent.is_none()) {
            self.expected_games -= gap.games;
            if let Some(player) = gap.player {
                self.expected_of[player] -= gap.games;
            }
        }
        self.missing.retain(|gap| gap.opponent.is_some());
    }
}

/// Returns the number of rounds in which each of `players` players meets all others once. In an odd
/// field one player is free in each round.
pub(super) fn rounds_of_cycle(players: usize) -> usize {
    if players.is_multiple_of(2) { players - 1 } else { players }
}

/// Returns whether the colours of a whole table of an odd field are those of a larger one: a third
/// of its players had one colour at least two games more often.
///
/// In a Berger table of an odd field each player has both colours equally often. Without one player
/// of an even field, half of the others have not.
fn colours_are_unequal(table: &PairCounts, pairings: &[Pairing], about: Circumstances) -> bool {
    let known = table.active.len();
    let is_early = about.year.is_none_or(|year| year < BERGER_TABLES);
    let is_odd = !known.is_multiple_of(2);
    if is_early || !is_odd || known < COLOUR_PLAYERS || table.total() > table.met.len() {
        return false;
    }
    let mut lead_of_white = vec![0_i32; table.games.len()];
    for game in pairings {
        lead_of_white[game.white] += 1;
        lead_of_white[game.black] -= 1;
    }
    let unequal = lead_of_white.iter().filter(|lead| lead.abs() >= 2).count();
    UNEQUAL_PLAYERS * unequal >= known
}

/// Returns the highest board that the parts of the rounds number; 0 where they number something
/// else.
fn highest_board(pairings: &[Pairing]) -> usize {
    let mut boards: Vec<(u16, u16)> =
        pairings.iter().filter_map(|game| Some((game.part?, game.round?))).collect();
    let all = boards.len();
    boards.sort_unstable();
    boards.dedup();
    let are_boards = all as f64 >= WITH_BOARD * pairings.len() as f64
        && boards.len() as f64 >= WITH_BOARD * all as f64
        && boards.first().is_some_and(|(board, _)| *board <= FIRST_BOARD);
    let mut by_board = boards.chunk_by(|a, b| a.0 == b.0).rev();
    let highest = by_board.find(|rounds| rounds.len() >= ROUNDS_OF_BOARD);
    highest.filter(|_| are_boards).map_or(0, |rounds| usize::from(rounds[0].0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::recognise;

    /// The games of a round robin of an even field, paired by the circle method, with boards.
    fn table(field: usize) -> Vec<Pairing> {
        let mut games = Vec::new();
        for round in 0..field - 1 {
            for board in 0..field / 2 {
                let seat = |place: usize| match place {
                    0 => field - 1,
                    place => (round + place - 1) % (field - 1),
                };
                games.push(Pairing {
                    round: Some(round as u16 + 1),
                    part: Some(board as u16 + 1),
                    ..Pairing::new(seat(board), seat(field - 1 - board))
                });
            }
        }
        games
    }

    fn without_boards(games: &[Pairing]) -> Vec<Pairing> {
        games.iter().map(|game| Pairing { part: None, ..*game }).collect()
    }

    /// Leaves out the last players with all their games.
    fn of_first(players: usize, games: &[Pairing]) -> Vec<Pairing> {
        games.iter().filter(|game| game.pair().1 < players).copied().collect()
    }

    fn recognised(games: &[Pairing]) -> Recognised {
        recognise(20, games, Circumstances { year: Some(2001), ..Circumstances::default() })
    }

    #[test]
    fn rounds_beyond_a_whole_table_show_that_players_are_missing() {
        let found = recognised(&of_first(9, &without_boards(&table(12))));
        assert_eq!(
            (found.kind, found.placed_games, found.expected_games),
            (Kind::RoundRobin, 36, 66)
        );
        assert_eq!(found.expected_of[0], 11);
        assert_eq!(found.notes, ["its rounds are those of 12 players"]);
    }

    #[test]
    fn a_postponed_game_or_one_more_round_shows_no_player() {
        let mut games = without_boards(&table(10));
        games[0].round = Some(13);
        assert_eq!(recognised(&games).expected_games, 45);
        games[0].round = Some(10);
        games[7].round = Some(10);
        let found = recognised(&games);
        assert_eq!((found.expected_games, found.is_certain), (45, true));
    }

    #[test]
    fn replays_in_later_rounds_show_no_player() {
        let mut games = without_boards(&table(10));
        for round in 10..13 {
            games.push(Pairing { round: Some(round), ..games[0] });
        }
        let found = recognised(&games);
        assert_eq!((found.expected_games, found.coverage()), (45, 1.0));
    }

    #[test]
    fn rounds_beyond_a_table_with_gaps_make_its_length_uncertain() {
        // Two players met three times in the rounds of one cycle, so its cycles are unknown.
        let mut games = without_boards(&table(10));
        games.drain(3..6);
        games[8].round = Some(12);
        games[9].round = Some(13);
        games.push(Pairing { round: Some(12), ..games[0] });
        assert!(!recognised(&games).is_certain);
        games.truncate(games.len() - 1);
        games[8].round = Some(3);
        games[9].round = Some(3);
        assert!(recognised(&games).is_certain);
    }

    #[test]
    fn boards_show_that_one_player_is_missing() {
        // Nine players have as many rounds as ten.
        let part = of_first(9, &table(10));
        assert_eq!(recognised(&without_boards(&part)).expected_games, 36);
        let found = recognised(&part);
        assert_eq!((found.placed_games, found.expected_games), (36, 45));
        assert_eq!(recognised(&table(10)).expected_games, 45);
    }

    #[test]
    fn a_misprint_or_a_part_that_numbers_the_games_of_pairs_is_no_board() {
        let mut games = table(10);
        games[4].part = Some(7);
        assert_eq!(recognised(&games).expected_games, 45);
        for game in &mut games {
            game.part = Some(game.round.map_or(1, |round| 1 + round % 2 * 8));
        }
        assert_eq!(recognised(&games).expected_games, 45);
    }

    #[test]
    fn unequal_colours_show_that_one_player_of_an_even_field_is_missing() {
        let mut whole = Vec::new();
        for a in 0..10 {
            for b in 0..a {
                whole.push(if (a + b) % 2 == 0 { Pairing::new(a, b) } else { Pairing::new(b, a) });
            }
        }
        assert_eq!(recognised(&whole).expected_games, 45);
        // Nine players with equal colours may have been all.
        assert_eq!(recognised(&of_first(9, &whole)).expected_games, 36);
        let part: Vec<Pairing> =
            whole.into_iter().filter(|game| game.white != 4 && game.black != 4).collect();
        let found = recognised(&part);
        assert_eq!((found.placed_games, found.expected_games), (36, 45));
        assert_eq!(found.notes, ["its colours are those of 10 players"]);
        let about = Circumstances { year: Some(1900), ..Circumstances::default() };
        assert_eq!(recognise(20, &part, about).expected_games, 36, "drawn by lot");
    }

    #[test]
    fn rounds_beyond_a_scheveningen_show_that_players_of_both_sides_are_missing() {
        let mut games = Vec::new();
        for round in 0..5 {
            for own in 0..5 {
                let game = Pairing::new(own, 5 + (own + round) % 5);
                games.push(Pairing { round: Some(round as u16 + 1), ..game });
            }
        }
        assert_eq!(recognised(&games).expected_games, 25);
        games.retain(|game| game.white != 4 && game.black != 9);
        assert_eq!(recognised(&games).expected_games, 16, "one round more");
        games.retain(|game| game.white != 3 && game.black != 8);
        let found = recognised(&games);
        assert_eq!((found.kind, found.expected_games), (Kind::Scheveningen, 25));
        assert_eq!(found.expected_of[0], 5);
    }

    #[test]
    fn a_player_who_left_explains_rounds_of_a_larger_field() {
        let games = of_first(9, &without_boards(&table(12)));
        let about = Circumstances { year: Some(2001), left: 1, ..Circumstances::default() };
        assert_eq!(recognise(20, &games, about).expected_games, 66, "three players are missing");
        let games = of_first(10, &without_boards(&table(12)));
        assert_eq!(recognised(&games).expected_games, 66);
        assert_eq!(recognise(20, &games, about).expected_games, 45);
    }
}
