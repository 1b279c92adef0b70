//! Finds typos and initials of players' names by the events that they share.
//!
//! A source with a wrong letter in one game has the right name in the other games of the event.
//! Both names are then in one table: with the same game, if the event is recorded twice, or with
//! games that complete each other. Two players in one table have games in the same rounds, and
//! results of their own against the same opponents.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::alike_names::are_a_letter_apart;
use super::evidence::IdentityEvidence;
use super::joining::Joining;
use super::merge_reason::MergeReason;
use super::name::fold;
use super::spellings::NameIndex;
use crate::games::{Game, GameResult, GameTable};

/// The number of bearers of a surname beyond which an initial identifies no one.
const MOST: usize = 40;

/// The number of spellings of a group that are compared.
const SPELLINGS: usize = 4;

/// The greatest number of games of a name that may be a typo.
const FEW_GAMES: u32 = 2;

/// The smallest number of games of the player whose name it is.
const MANY_GAMES: u32 = 6;

/// The shortest name (letters) that may have a wrong letter.
const LONG_NAME: usize = 6;

/// The number of texts of a group that are compared.
const TEXTS: usize = 12;

/// An event, identified by its tags: the event, the site, the year.
type EventKey = (usize, usize, i16);

/// A game from the side of one group.
#[derive(Clone, Copy, Debug)]
struct GameOfGroup {
    place: EventKey,
    round: Option<u16>,
    /// The group of the opponent.
    opponent: usize,
    is_white: bool,
    result: GameResult,
}

impl GameOfGroup {
    /// Whether two records are of one game.
    fn is_same_game_as(&self, other: &GameOfGroup) -> bool {
        self.opponent == other.opponent
            && self.is_white == other.is_white
            && self.result == other.result
    }

    /// Whether two records may be of one game with two names of the opponent, if these `are_alike`.
    fn may_be_same_game_as(
        &self,
        other: &GameOfGroup,
        are_alike: &dyn Fn(usize, usize) -> bool,
    ) -> bool {
        self.opponent != other.opponent
            && self.round.is_some()
            && self.round == other.round
            && self.is_white == other.is_white
            && self.result == other.result
            && are_alike(self.opponent, other.opponent)
    }

    /// Whether no player can have both games; `is_open` marks groups that may be another.
    fn contradicts(&self, other: &GameOfGroup, is_open: impl Fn(usize) -> bool) -> bool {
        let is_one_round = match self.round.zip(other.round) {
            Some((one, two)) if one != two => return false,
            rounds => rounds.is_some(),
        };
        match self.opponent == other.opponent {
            // In a round of a knock-out, a pair plays several games.
            true => self.is_white == other.is_white && self.result != other.result,
            false => is_one_round && !is_open(self.opponent) && !is_open(other.opponent),
        }
    }
}

impl Joining<'_> {
    /// Step 5: joins initials that only one player can have.
    ///
    /// They seemed to be a player with the same opponents because their event is recorded twice.
    pub fn initials_in_duplicate_events(&mut self, table: &GameTable, name_index: &NameIndex) {
        let pairs = self.initials();
        let mut found: Vec<((usize, usize), IdentityEvidence)> =
            in_shared_events(table, name_index, &self.homes(), &pairs, &|a, b| {
                self.are_alike(a, b)
            })
            .into_iter()
            .collect();
        found.sort_unstable_by_key(|(pair, _)| *pair);
        for ((initial, known), evidence) in found {
            if evidence.games + evidence.both_differ == 0
                || !evidence.outweighs()
                || !self.nothing_excludes(initial, known)
            {
                continue;
            }
            self.join(known, initial, MergeReason::SameEvents, evidence.in_words());
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Step 5: joins names that differ by one character from that of another player of their event.
    ///
    /// The character may be a comma or a space (`RadjabovtT`, `NieHua`). The name has one or two
    /// games, which the other player lacks or has as well.
    pub fn typos(&mut self, table: &GameTable, name_index: &NameIndex) {
        let homes = self.homes();
        let pairs = self.texts_a_letter_apart(table, name_index, &homes);
        let mut found: Vec<((usize, usize), IdentityEvidence)> =
            in_shared_events(table, name_index, &homes, &pairs, &|a, b| self.are_alike(a, b))
                .into_iter()
                .filter(|(_, evidence)| {
                    evidence.contradictions == 0
                        && evidence.games + evidence.both_differ + evidence.completes > 0
                })
                .collect();
        found.sort_unstable_by_key(|(pair, _)| *pair);
        // The typo must have only one candidate.
        for typo in found.chunk_by(|a, b| a.0.0 == b.0.0) {
            let [((typo, known), evidence)] = *typo else { continue };
            if self.nothing_excludes(typo, known) {
                self.join(known, typo, MergeReason::SameEvents, evidence.in_words());
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Returns groups of one or two games, each with groups of its events whose names differ by a
    /// letter.
    fn texts_a_letter_apart(
        &self,
        table: &GameTable,
        name_index: &NameIndex,
        homes: &[usize],
    ) -> FxHashSet<(usize, usize)> {
        let games_of: Vec<u32> = self
            .groups
            .par_iter()
            .map(|group| self.members(group).map(|one| one.games).sum())
            .collect();
        let texts: Vec<Vec<String>> = self
            .groups
            .par_iter()
            .map(|group| {
                let texts = self.members(group).flat_map(|one| &one.texts).take(TEXTS);
                texts.map(|(_, text)| fold(text)).filter(|text| text.len() >= LONG_NAME).collect()
            })
            .collect();
        // Without rounds it is unknown whether a player lacks the game.
        let mut of_places: Vec<(EventKey, usize)> = table
            .games()
            .par_iter()
            .filter(|game| game.round.number().is_some())
            .flat_map_iter(|game| {
                let players =
                    [name_index.get(game.white), name_index.get(game.black)].into_iter().flatten();
                players.map(|player| (event_key(game), homes[player]))
            })
            .collect();
        of_places.par_sort_unstable();
        of_places.dedup();
        let games_of = &games_of;
        let bearers = self.bearers();
        let is_rare = |group: usize| {
            let mut surnames = self.members(&self.groups[group]).map(|one| one.name.surname_key());
            games_of[group] <= FEW_GAMES && surnames.all(|surname| bearers[&surname] == 1)
        };
        let pairs_of = |players: &[(EventKey, usize)]| -> Vec<(usize, usize)> {
            let typos = players.iter().filter(|(_, group)| is_rare(*group));
            let pairs = typos.flat_map(|&(_, typo)| {
                let known = players.iter().map(|&(_, known)| known);
                let known =
                    known.filter(move |&known| known != typo && games_of[known] >= MANY_GAMES);
                known.map(move |known| (typo, known))
            });
            let is_near = |&(typo, known): &(usize, usize)| {
                texts[typo]
                    .iter()
                    .any(|wrong| texts[known].iter().any(|right| are_a_letter_apart(wrong, right)))
            };
            pairs.filter(is_near).collect()
        };
        let places: Vec<&[(EventKey, usize)]> = of_places.chunk_by(|a, b| a.0 == b.0).collect();
        places.into_par_iter().flat_map_iter(pairs_of).collect()
    }

    /// Returns groups with only an initial, each with the only other group of the surname that
    /// fits.
    fn initials(&self) -> FxHashSet<(usize, usize)> {
        let mut by_surname: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            for one in self.members(group) {
                by_surname.entry(one.name.surname_key()).or_default().insert(number);
            }
        }
        let is_initial = |group: usize| {
            let mut given = self.members(&self.groups[group]).map(|one| one.name.given.first());
            given.all(|word| word.is_some_and(|word| word.len() == 1))
        };
        let mut pairs = FxHashSet::default();
        for groups in by_surname.values().filter(|groups| (2..=MOST).contains(&groups.len())) {
            for &initial in groups.iter().filter(|group| is_initial(**group)) {
                let may_be = |other: &&usize| {
                    **other != initial && self.may_be(&self.groups[initial], &self.groups[**other])
                };
                let mut others = groups.iter().filter(may_be);
                if let (Some(&only), None) = (others.next(), others.next())
                    && !is_initial(only)
                {
                    pairs.insert((initial, only));
                }
            }
        }
        pairs
    }

    /// Whether a name of one group may be a name of another.
    pub(super) fn are_alike(&self, a: usize, b: usize) -> bool {
        let names = |group: usize| self.groups[group].iter().take(SPELLINGS);
        names(a).any(|&one| names(b).any(|&other| self.names.may_be_one(one, other)))
    }

    /// Whether two groups did not play each other and have no different FIDE numbers.
    pub(super) fn nothing_excludes(&self, a: usize, b: usize) -> bool {
        let (mine, theirs) = (&self.groups[a], &self.groups[b]);
        !self.meetings.any_met_over_the_board(mine, theirs)
            && !self.have_different_numbers(mine, theirs)
    }
}

/// Returns the evidence in events in which both groups of a pair play.
///
/// The first of each pair is the one that may be a typo.
pub(super) fn in_shared_events(
    table: &GameTable,
    name_index: &NameIndex,
    homes: &[usize],
    pairs: &FxHashSet<(usize, usize)>,
    are_alike: &dyn Fn(usize, usize) -> bool,
) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let typos: FxHashSet<usize> = pairs.iter().map(|(typo, _)| *typo).collect();
    let known: FxHashSet<usize> = pairs.iter().map(|(_, known)| *known).collect();
    let of_typos = seats(table, name_index, homes, |home, _| typos.contains(&home));
    let places: FxHashSet<EventKey> = of_typos.values().flatten().map(|seat| seat.place).collect();
    let of_known = seats(table, name_index, homes, |home, place| {
        known.contains(&home) && places.contains(&place)
    });
    let is_open = |group: usize| typos.contains(&group);
    let mut found = FxHashMap::default();
    for &(typo, known) in pairs {
        let (Some(mine), Some(theirs)) = (of_typos.get(&typo), of_known.get(&known)) else {
            continue;
        };
        let mut evidence = IdentityEvidence::default();
        for seat in mine {
            let others = || theirs.iter().filter(|other| other.place == seat.place);
            evidence.completes += usize::from(others().next().is_some());
            if others().any(|other| seat.is_same_game_as(other)) {
                evidence.games += 1;
            } else if others().any(|other| seat.may_be_same_game_as(other, are_alike)) {
                evidence.both_differ += 1;
                continue;
            }
            evidence.contradictions +=
                usize::from(others().any(|other| seat.contradicts(other, is_open)));
        }
        found.insert((typo, known), evidence);
    }
    found
}

/// Returns the games of some groups in some events.
fn seats(
    table: &GameTable,
    name_index: &NameIndex,
    homes: &[usize],
    is_wanted: impl Fn(usize, EventKey) -> bool,
) -> FxHashMap<usize, Vec<GameOfGroup>> {
    let mut seats: FxHashMap<usize, Vec<GameOfGroup>> = FxHashMap::default();
    for game in table.games() {
        let (Some(white), Some(black)) = (name_index.get(game.white), name_index.get(game.black))
        else {
            continue;
        };
        let place = event_key(game);
        let both = [(homes[white], homes[black], true), (homes[black], homes[white], false)];
        for (home, opponent, is_white) in both {
            if is_wanted(home, place) {
                let (round, result) = (game.round.number(), game.result);
                let seat = GameOfGroup { place, round, opponent, is_white, result };
                seats.entry(home).or_default().push(seat);
            }
        }
    }
    seats
}

/// Returns the event of a game.
fn event_key(game: &Game) -> EventKey {
    (game.event.index(), game.site.index(), game.date.year().unwrap_or(i16::MIN))
}

#[cfg(test)]
mod tests {
    use crate::games::{Game, GameResult, GameTable, PartialDate, Round};
    use crate::players::{Aliases, resolve};

    /// Resolves a round robin of 1955 with ten opponents and further games.
    ///
    /// Each further game has the round, both names and the result.
    fn persons(further: &[(u16, &str, &str, GameResult)]) -> Vec<String> {
        let mut table = GameTable::default();
        let mut push = |round: u16, white: &str, black: &str, result: GameResult| {
            let [event, white, black] =
                ["Gothenburg", white, black].map(|text| table.names.intern(text));
            let (date, round) = (PartialDate::of_year(1955), Round::of_number(round));
            table.push(Game { event, white, black, date, round, result, ..Game::default() });
        };
        for round in 1..=10 {
            let letter = char::from(b'A' + round as u8);
            push(round, "Ilivitsky, Georgy", &format!("{letter}berg, Otto"), GameResult::White);
        }
        for (round, white, black, result) in further {
            push(*round, white, black, *result);
        }
        let players = resolve(&table, &Aliases::default());
        players.iter().map(|(_, player)| player.spellings.join(" = ")).collect()
    }

    #[test]
    fn a_wrong_letter_in_a_missing_game_is_a_typo() {
        let found = persons(&[(11, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw)]);
        assert!(found.contains(&"Ilivitkky, Georgy = Ilivitsky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn the_wrong_character_may_be_between_surname_and_given_name() {
        let of = |round: u16, name: &'static str| {
            persons(&[(round, name, "Zberg, Otto", GameResult::Draw)])
        };
        let found = of(11, "Ilivitskyt Georgy");
        assert!(found.contains(&"Ilivitsky, Georgy = Ilivitskyt Georgy".to_owned()), "{found:?}");
        // In a round in which he has another game it is another player's.
        let found = of(3, "Ilivitskyt Georgy");
        assert!(found.contains(&"Ilivitskyt Georgy".to_owned()), "{found:?}");
        // Two characters are too many.
        let found = of(11, "Ilivitskytt Georgy");
        assert!(found.contains(&"Ilivitskytt Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn a_similar_name_in_the_same_rounds_is_another_player() {
        let games =
            [1, 2, 3].map(|round| (round, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw));
        let found = persons(&games);
        assert!(found.contains(&"Ilivitkky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn a_surname_with_several_bearers_is_not_a_typo() {
        let found = persons(&[
            (11, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw),
            (12, "Ilivitkky, Semyon", "Zberg, Otto", GameResult::Draw),
        ]);
        assert!(found.contains(&"Ilivitkky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn an_initial_with_the_games_of_a_full_name_is_the_same_player() {
        let games = [1, 2, 3].map(|round| {
            let letter = ['B', 'C', 'D'][usize::from(round) - 1];
            (round, "Ilivitsky, G", format!("{letter}berg, Otto"))
        });
        let of = |result| {
            persons(
                &games
                    .each_ref()
                    .map(|(round, white, black)| (*round, *white, black.as_str(), result)),
            )
        };
        let same = of(GameResult::White);
        assert!(same.contains(&"Ilivitsky, G = Ilivitsky, Georgy".to_owned()), "{same:?}");
        let other = of(GameResult::Draw);
        assert!(other.contains(&"Ilivitsky, G".to_owned()), "{other:?}");
    }
}
