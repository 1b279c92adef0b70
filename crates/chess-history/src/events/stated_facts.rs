//! What the tags state about an event: its form, rounds and category, and whether all games are
//! there.
//!
//! ChessBase stores these facts for each tournament and writes them as tags. They count before what
//! the pairing table suggests, but not before what it shows: people copy tags from one event to
//! another, and leave out games after they called an event complete.

use rustc_hash::FxHashMap;

use super::group::GameGroup;
use super::recognised::{Circumstances, EndEvidence, Recognised};
use super::tag::games_of_score;
use crate::games::{Game, GameFlags, GameTable};
use crate::tournament::Kind;

/// What the tags of most games of an event state. By default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatedFacts {
    /// Rounds (of a match: games); 0 where the tags state none.
    pub rounds: u16,
    /// The kind of competition.
    pub form: Option<Kind>,
    /// FIDE's category; 0 where the tags state none.
    pub category: u8,
    /// Whether the collection has all games of the event.
    pub is_complete: bool,
}

impl StatedFacts {
    /// Returns the facts on which more than half of the games agree. A match may also state its
    /// games by its score in the Event tag: `+10-5=5`.
    pub(super) fn of_group(table: &GameTable, group: &GameGroup) -> StatedFacts {
        let stated = |value: fn(&Game) -> u32| {
            let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
            for member in &group.members {
                *counts.entry(value(member.game(table))).or_default() += 1;
            }
            let most = counts.into_iter().find(|(_, count)| 2 * count > group.members.len());
            most.map_or(0, |(value, _)| value)
        };
        let rounds = stated(|game| game.event_rounds.into()) as u16;
        StatedFacts {
            rounds: if rounds > 0 { rounds } else { games_of_score(&group.base).unwrap_or(0) },
            form: form_of(GameFlags::from_bits_retain(stated(|game| {
                (game.flags & GameFlags::FORMS).bits()
            }))),
            category: stated(|game| game.event_category.into()) as u8,
            is_complete: stated(|game| (game.flags & GameFlags::COMPLETE).bits()) > 0,
        }
    }
}

/// Returns the kind of competition that a flag states; `None` for none or several.
fn form_of(form: GameFlags) -> Option<Kind> {
    match form {
        GameFlags::ROUND_ROBIN => Some(Kind::RoundRobin),
        GameFlags::SWISS => Some(Kind::Swiss),
        GameFlags::KNOCK_OUT => Some(Kind::KnockOut),
        GameFlags::SCHEVENINGEN => Some(Kind::Scheveningen),
        _ => None,
    }
}

impl Recognised {
    /// Compares the table with the tags. Where they agree that all games are there, it ended with
    /// the last known game.
    pub(super) fn compare_with_tags(&mut self, about: Circumstances) {
        let has_other_form = self.other_form(about.form).is_some();
        if has_other_form && self.kind.is_round_robin() {
            // A part of a Swiss or of a knock-out may look like a whole table of few players.
            self.is_certain = false;
        }
        let is_whole = self.expected_games > 0 && self.placed_games >= self.expected_games;
        if about.is_complete && is_whole && !has_other_form {
            (self.end, self.is_certain) = (EndEvidence::Shown, true);
        }
    }

    /// Returns the kind that the pairings show, if it is not the stated one.
    fn other_form(&self, stated: Option<Kind>) -> Option<Kind> {
        let found = if self.kind.is_round_robin() { Kind::RoundRobin } else { self.kind };
        let may_differ =
            matches!(found, Kind::RoundRobin | Kind::Swiss | Kind::KnockOut | Kind::Scheveningen);
        stated.filter(|stated| may_differ && *stated != found).map(|_| found)
    }

    /// Returns in what the table differs from the facts that the tags state, as sentences without
    /// capital and full stop.
    pub fn contradictions(&self, stated: StatedFacts) -> Vec<String> {
        let mut found = Vec::new();
        if let Some((form, other)) = stated.form.zip(self.other_form(stated.form)) {
            found.push(format!(
                "its tags call it a {}, but its pairings are those of a {}",
                form.words(),
                other.words()
            ));
        }
        let missing = self.expected_games.saturating_sub(self.placed_games);
        if stated.is_complete && missing > 0 {
            let games = if missing == 1 { "a game is" } else { "games are" };
            found.push(format!("its tags state that it is complete, but {games} missing"));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Pairing, recognise};

    /// Each of the players meets each other once.
    fn all_against_all(players: usize) -> Vec<Pairing> {
        let mut games = Vec::new();
        for a in 0..players {
            for b in 0..a {
                let (white, black) = if (a + b) % 2 == 0 { (a, b) } else { (b, a) };
                games.push(Pairing::new(white, black));
            }
        }
        games
    }

    /// Three rounds of sixteen players, in which the winners of each pair meet.
    fn bracket() -> Vec<Pairing> {
        let mut games = Vec::new();
        for (round, distance) in [(1, 1), (2, 2), (3, 4)] {
            for white in (0..16).step_by(2 * distance) {
                let pairing = Pairing::new(white, white + distance);
                let white_score = Some(1.0);
                games.push(Pairing { round: Some(round), white_score, ..pairing });
            }
        }
        games.push(Pairing { round: Some(4), white_score: Some(1.0), ..Pairing::new(0, 8) });
        games
    }

    fn stating(form: Kind) -> Circumstances {
        Circumstances { year: Some(2001), form: Some(form), ..Circumstances::default() }
    }

    #[test]
    fn a_whole_table_that_the_tags_call_a_swiss_is_uncertain() {
        let games = all_against_all(8);
        assert!(recognise(8, &games, stating(Kind::RoundRobin)).is_certain);
        let found = recognise(8, &games, stating(Kind::Swiss));
        assert_eq!((found.kind, found.is_certain), (Kind::RoundRobin, false));
        let stated = StatedFacts { form: Some(Kind::Swiss), ..StatedFacts::default() };
        assert_eq!(
            found.contradictions(stated),
            ["its tags call it a Swiss tournament, but its pairings are those of a round robin"]
        );
    }

    #[test]
    fn of_half_of_all_pairs_the_tags_say_whether_they_were_drawn_by_score() {
        // Ten players in the first five rounds of the circle method.
        let mut games = Vec::new();
        for round in 0..5 {
            let seat = |place: usize| if place == 9 { 9 } else { (round + place) % 9 };
            for (a, b) in [(9, 0), (1, 8), (2, 7), (3, 6), (4, 5)] {
                let pairing = Pairing::new(seat(a), seat(b));
                games.push(Pairing { round: Some(round as u16 + 1), ..pairing });
            }
        }
        let kind = |form| recognise(10, &games, stating(form)).kind;
        assert_eq!((kind(Kind::Swiss), kind(Kind::RoundRobin)), (Kind::Swiss, Kind::RoundRobin));
    }

    #[test]
    fn matches_of_one_game_are_a_knock_out_if_the_tags_say_so() {
        let found = recognise(16, &bracket(), stating(Kind::KnockOut));
        // Matches of knock-outs have at least two games, so half of the games are missing.
        assert_eq!((found.kind, found.coverage()), (Kind::KnockOut, 0.5));
        let silent = Circumstances { year: Some(2001), ..Circumstances::default() };
        assert_ne!(recognise(16, &bracket(), silent).kind, Kind::KnockOut);
    }

    #[test]
    fn stated_rounds_of_a_larger_table_show_that_players_are_missing() {
        let with_rounds = |rounds| Circumstances { rounds, ..stating(Kind::RoundRobin) };
        let games = all_against_all(9);
        assert_eq!(recognise(9, &games, with_rounds(9)).expected_games, 36, "nine or ten players");
        let found = recognise(9, &games, with_rounds(13));
        assert_eq!((found.placed_games, found.expected_games), (36, 91));
        assert_eq!(found.notes, ["its stated rounds are those of 14 players"]);
        assert!(recognise(10, &all_against_all(10), with_rounds(9)).shows_field);
    }

    #[test]
    fn a_table_that_is_called_complete_is_so_unless_games_are_missing() {
        let about = Circumstances { is_complete: true, ..stating(Kind::RoundRobin) };
        let mut games = all_against_all(8);
        let stated = StatedFacts { is_complete: true, ..StatedFacts::default() };
        let found = recognise(8, &games, about);
        assert_eq!((found.end, found.contradictions(stated).len()), (EndEvidence::Shown, 0));
        games.pop();
        assert_eq!(
            recognise(8, &games, about).contradictions(stated),
            ["its tags state that it is complete, but a game is missing"]
        );
    }

    #[test]
    fn a_match_without_rounds_is_certain_if_it_is_called_complete() {
        let games = [Pairing::new(0, 1), Pairing::new(1, 0), Pairing::new(0, 1)];
        let about = Circumstances { is_complete: true, ..Circumstances::default() };
        assert!(!recognise(2, &games, Circumstances::default()).is_certain);
        assert!(recognise(2, &games, about).is_certain);
    }

    #[test]
    fn twice_as_many_stated_rounds_are_those_of_another_cycle() {
        let about = Circumstances { rounds: 18, ..stating(Kind::RoundRobin) };
        let found = recognise(10, &all_against_all(10), about);
        assert_eq!((found.placed_games, found.expected_games), (45, 45));
    }
}
