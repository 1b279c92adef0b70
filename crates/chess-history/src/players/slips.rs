//! What events say of names that may be slips of the pen for others', or their initials.
//!
//! A source that has a wrong letter in one game has the right ones in the others of the same event,
//! so that the two names are in one table: with the same game, where the event is there twice, or
//! with games that complete each other. Two persons in one table have games in the same rounds, and
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

/// Bearers of a surname beyond which an initial is nobody's.
const MOST: usize = 40;

/// Spellings of a group that are compared with those of another.
const SPELLINGS: usize = 4;

/// Games of a name that may be a slip of the pen at most, and of the player whose it is at least.
const FEW_GAMES: u32 = 2;
const MANY_GAMES: u32 = 6;

/// Letters from which a name may have a wrong one.
const LONG_NAME: usize = 6;

/// Texts of a group that are compared.
const TEXTS: usize = 12;

/// An event as its tags name it: the event, the place, the year.
type EventKey = (usize, usize, i16);

/// A game of one player.
#[derive(Clone, Copy, Debug)]
struct PlayerGame {
    place: EventKey,
    round: Option<u16>,
    /// The group of the opponent.
    opponent: usize,
    is_white: bool,
    result: GameResult,
}

impl PlayerGame {
    /// Whether two seats are those of one game.
    fn is_same(&self, other: &PlayerGame) -> bool {
        self.opponent == other.opponent
            && self.is_white == other.is_white
            && self.result == other.result
    }

    /// Whether two seats may be those of one game in which the opponent is called otherwise too, if
    /// these `are_alike`.
    fn may_be_same(&self, other: &PlayerGame, are_alike: &dyn Fn(usize, usize) -> bool) -> bool {
        self.opponent != other.opponent
            && self.round.is_some()
            && self.round == other.round
            && self.is_white == other.is_white
            && self.result == other.result
            && are_alike(self.opponent, other.opponent)
    }

    /// Whether nobody can have both; `is_open` tells of groups that may be another.
    fn contradicts(&self, other: &PlayerGame, is_open: impl Fn(usize) -> bool) -> bool {
        let is_one_round = match self.round.zip(other.round) {
            Some((one, two)) if one != two => return false,
            rounds => rounds.is_some(),
        };
        match self.opponent == other.opponent {
            // In a round of a knock-out a pair has several games.
            true => self.is_white == other.is_white && self.result != other.result,
            false => is_one_round && !is_open(self.opponent) && !is_open(other.opponent),
        }
    }
}

impl Joining<'_> {
    /// Step 5: initials that can be only one person's, and that seemed to be somebody who met the
    /// same people because their event is there twice.
    pub fn initials_of_events_told_twice(&mut self, table: &GameTable, of: &NameIndex) {
        let pairs = self.initials();
        let mut found: Vec<((usize, usize), IdentityEvidence)> =
            in_shared_events(table, of, &self.homes(), &pairs, &|a, b| self.are_alike(a, b))
                .into_iter()
                .collect();
        found.sort_unstable_by_key(|(pair, _)| *pair);
        for ((initial, known), evidence) in found {
            if evidence.games + evidence.both_differ == 0
                || !evidence.outweighs()
                || !self.nothing_parts(initial, known)
            {
                continue;
            }
            let told = format!("{} there under both", evidence.told());
            self.join(known, initial, MergeReason::SameEvents, told);
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Step 5: names that differ from that of another player of their event by one character, which may
    /// be a comma or a space too (`RadjabovtT`, `NieHua`): with a game or two, which he lacks or has.
    pub fn slips_of_the_pen(&mut self, table: &GameTable, of: &NameIndex) {
        let homes = self.homes();
        let pairs = self.texts_a_letter_apart(table, of, &homes);
        let mut found: Vec<((usize, usize), IdentityEvidence)> =
            in_shared_events(table, of, &homes, &pairs, &|a, b| self.are_alike(a, b))
                .into_iter()
                .filter(|(_, evidence)| {
                    evidence.contradictions == 0
                        && evidence.games + evidence.both_differ + evidence.completes > 0
                })
                .collect();
        found.sort_unstable_by_key(|(pair, _)| *pair);
        // Whose it is must be certain.
        for slip in found.chunk_by(|a, b| a.0.0 == b.0.0) {
            let [((slip, known), evidence)] = *slip else { continue };
            if self.nothing_parts(slip, known) {
                let told = format!("{} there under both", evidence.told());
                self.join(known, slip, MergeReason::SameEvents, told);
            }
        }
        self.groups.retain(|group| !group.is_empty());
    }

    /// Groups of a game or two, each with those of its events whose names differ by a letter.
    fn texts_a_letter_apart(
        &self,
        table: &GameTable,
        of: &NameIndex,
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
        // Without rounds nothing says that he lacks the game.
        let mut of_places: Vec<(EventKey, usize)> = table
            .games()
            .par_iter()
            .filter(|game| game.round.number().is_some())
            .flat_map_iter(|game| {
                let players = [of.get(game.white), of.get(game.black)].into_iter().flatten();
                players.map(|player| (place(game), homes[player]))
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
            let slips = players.iter().filter(|(_, group)| is_rare(*group));
            let pairs = slips.flat_map(|&(_, slip)| {
                let known = players.iter().map(|&(_, known)| known);
                let known =
                    known.filter(move |&known| known != slip && games_of[known] >= MANY_GAMES);
                known.map(move |known| (slip, known))
            });
            let is_near = |&(slip, known): &(usize, usize)| {
                texts[slip]
                    .iter()
                    .any(|wrong| texts[known].iter().any(|right| are_a_letter_apart(wrong, right)))
            };
            pairs.filter(is_near).collect()
        };
        let places: Vec<&[(EventKey, usize)]> = of_places.chunk_by(|a, b| a.0 == b.0).collect();
        places.into_par_iter().flat_map_iter(pairs_of).collect()
    }

    /// Groups that are called by an initial, each with the only other group of the surname whose it
    /// may be.
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

    /// Whether a name of one group may be one of another's.
    pub(super) fn are_alike(&self, a: usize, b: usize) -> bool {
        let names = |group: usize| self.groups[group].iter().take(SPELLINGS);
        names(a).any(|&one| names(b).any(|&other| self.names.may_be_one(one, other)))
    }

    /// Whether two groups did not play each other, and have no numbers with FIDE that differ.
    pub(super) fn nothing_parts(&self, a: usize, b: usize) -> bool {
        let (mine, theirs) = (&self.groups[a], &self.groups[b]);
        !self.meetings.any_met_over_the_board(mine, theirs)
            && !self.have_other_numbers(mine, theirs)
    }
}

/// What the events in which both of a pair of groups play say for and against their being one: of
/// each pair the first is the one that may be a slip.
pub(super) fn in_shared_events(
    table: &GameTable,
    of: &NameIndex,
    homes: &[usize],
    pairs: &FxHashSet<(usize, usize)>,
    are_alike: &dyn Fn(usize, usize) -> bool,
) -> FxHashMap<(usize, usize), IdentityEvidence> {
    let slips: FxHashSet<usize> = pairs.iter().map(|(slip, _)| *slip).collect();
    let known: FxHashSet<usize> = pairs.iter().map(|(_, known)| *known).collect();
    let of_slips = seats(table, of, homes, |home, _| slips.contains(&home));
    let places: FxHashSet<EventKey> = of_slips.values().flatten().map(|seat| seat.place).collect();
    let of_known =
        seats(table, of, homes, |home, place| known.contains(&home) && places.contains(&place));
    let is_open = |group: usize| slips.contains(&group);
    let mut found = FxHashMap::default();
    for &(slip, known) in pairs {
        let (Some(mine), Some(theirs)) = (of_slips.get(&slip), of_known.get(&known)) else {
            continue;
        };
        let mut evidence = IdentityEvidence::default();
        for seat in mine {
            let others = || theirs.iter().filter(|other| other.place == seat.place);
            evidence.completes += usize::from(others().next().is_some());
            if others().any(|other| seat.is_same(other)) {
                evidence.games += 1;
            } else if others().any(|other| seat.may_be_same(other, are_alike)) {
                evidence.both_differ += 1;
                continue;
            }
            evidence.contradictions +=
                usize::from(others().any(|other| seat.contradicts(other, is_open)));
        }
        found.insert((slip, known), evidence);
    }
    found
}

/// The games of some groups in some events.
fn seats(
    table: &GameTable,
    of: &NameIndex,
    homes: &[usize],
    is_wanted: impl Fn(usize, EventKey) -> bool,
) -> FxHashMap<usize, Vec<PlayerGame>> {
    let mut seats: FxHashMap<usize, Vec<PlayerGame>> = FxHashMap::default();
    for game in table.games() {
        let (Some(white), Some(black)) = (of.get(game.white), of.get(game.black)) else { continue };
        let place = place(game);
        let both = [(homes[white], homes[black], true), (homes[black], homes[white], false)];
        for (home, opponent, is_white) in both {
            if is_wanted(home, place) {
                let (round, result) = (game.round.number(), game.result);
                let seat = PlayerGame { place, round, opponent, is_white, result };
                seats.entry(home).or_default().push(seat);
            }
        }
    }
    seats
}

fn place(game: &Game) -> EventKey {
    (game.event.index(), game.site.index(), game.date.year().unwrap_or(i16::MIN))
}

#[cfg(test)]
mod tests {
    use crate::games::{Game, GameResult, GameTable, PartialDate, Round};
    use crate::players::{Aliases, resolve};

    /// The persons of a table in which somebody plays a round robin with ten others in 1955, and
    /// further games: each with the round, both names and the result.
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
    fn a_wrong_letter_in_a_game_that_somebody_lacks_is_a_slip() {
        let found = persons(&[(11, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw)]);
        assert!(found.contains(&"Ilivitkky, Georgy = Ilivitsky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn a_wrong_character_may_be_that_between_surname_and_given_name() {
        let of = |round: u16, name: &'static str| {
            persons(&[(round, name, "Zberg, Otto", GameResult::Draw)])
        };
        let found = of(11, "Ilivitskyt Georgy");
        assert!(found.contains(&"Ilivitsky, Georgy = Ilivitskyt Georgy".to_owned()), "{found:?}");
        // In a round in which he has a game with somebody else it is another's.
        let found = of(3, "Ilivitskyt Georgy");
        assert!(found.contains(&"Ilivitskyt Georgy".to_owned()), "{found:?}");
        // Two characters are too many.
        let found = of(11, "Ilivitskytt Georgy");
        assert!(found.contains(&"Ilivitskytt Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn who_plays_in_the_same_rounds_is_somebody_else_however_alike_the_names_are() {
        let games =
            [1, 2, 3].map(|round| (round, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw));
        let found = persons(&games);
        assert!(found.contains(&"Ilivitkky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn a_surname_that_others_bear_is_no_slip() {
        let found = persons(&[
            (11, "Ilivitkky, Georgy", "Zberg, Otto", GameResult::Draw),
            (12, "Ilivitkky, Semyon", "Zberg, Otto", GameResult::Draw),
        ]);
        assert!(found.contains(&"Ilivitkky, Georgy".to_owned()), "{found:?}");
    }

    #[test]
    fn an_initial_with_games_that_are_there_in_full_is_the_same_persons() {
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
