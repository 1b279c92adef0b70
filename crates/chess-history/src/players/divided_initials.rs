//! Divides the games under an initial among the players whose name it may be.
//!
//! `Bolbochan, J` is Julio in one event and Jacobo in another. Ratings distinguish them only where
//! both are rated. Otherwise the full names decide: if nearly all games of an event are under
//! `Bolbochan, Julio`, and those under `Bolbochan, J` are just the missing ones, they are Julio's.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::event_numbers::{EventNumber, EventNumbers, GameRows};
use super::name::PersonName;
use super::person::{PlayerId, Players};
use super::shared_events::{ComparedGame, GroupedGames, SharedEvents};
use crate::games::{GameTable, NameId};

/// The number of players beyond which an initial identifies no one.
///
/// Judged: all pairs of an initial and a player are compared, and only the commonest surnames have
/// so many bearers. A higher number costs time and finds few owners.
const MOST_CANDIDATES: usize = 40;

/// At most one in this many games of an event may have no owner, because sources have errors.
///
/// Judged: it allows a wrong header or two in a usual event. If more games are left over, another
/// player of that initial probably played, and all games stay under it.
const ONE_ERROR_IN: usize = 4;

/// Gives games under an initial the full name of the only player of their event who can have them.
///
/// Names that only one player can have stay as they are. Returns a message for each player and
/// initial.
pub(super) fn divide_initials(table: &mut GameTable, players: &Players) -> Vec<String> {
    let initials = Initials::new(table, players);
    if initials.candidates.is_empty() {
        return Vec::new();
    }
    let owners = initials.owners(table, players);
    let full_names = initials.full_names(table, players, &owners);
    let mut counts: BTreeMap<(NameId, PlayerId), usize> = BTreeMap::new();
    for Owner { row, number, player } in owners {
        let Some(&full_name) = full_names.get(&player) else { continue };
        let game = &mut table.games_mut()[row];
        for name in [&mut game.white, &mut game.black] {
            if initials.numbers.get(name) == Some(&number) && players.of_name(*name) != Some(player)
            {
                *counts.entry((*name, player)).or_default() += 1;
                *name = full_name;
            }
        }
    }
    let mut messages = Vec::new();
    for ((name, player), games) in counts {
        let (name, player) = (table.text(name), &players.get(player).name);
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        messages.push(format!(
            "{name}: {games} taken as those of {player}, who lacks just these in the event"
        ));
    }
    messages
}

/// A game under an initial, and the player who has it.
struct Owner {
    row: usize,
    number: usize,
    player: PlayerId,
}

/// Names with an initial that several players may have.
#[derive(Debug, Default)]
struct Initials {
    /// The number of each such name. Spellings of one name have one number.
    numbers: FxHashMap<NameId, usize>,
    /// The players whose name each may be.
    candidates: Vec<BTreeSet<PlayerId>>,
}

impl Initials {
    fn new(table: &GameTable, players: &Players) -> Initials {
        let mut by_key: BTreeMap<String, (PersonName, Vec<NameId>)> = BTreeMap::new();
        for (id, text) in table.names.iter().filter(|(id, _)| players.of_name(*id).is_some()) {
            let name = PersonName::parse(text);
            if name.given.first().is_some_and(|word| word.len() == 1) {
                by_key.entry(name.key()).or_insert_with(|| (name, Vec::new())).1.push(id);
            }
        }
        let wanted: FxHashSet<String> =
            by_key.values().map(|(name, _)| name.surname_key()).collect();
        let mut with_full_names: FxHashMap<String, Vec<(PlayerId, &PersonName)>> =
            FxHashMap::default();
        for (id, player) in players.iter() {
            for name in &player.names {
                let surname = name.surname_key();
                if name.given.first().is_some_and(|word| word.len() > 2)
                    && wanted.contains(&surname)
                {
                    with_full_names.entry(surname).or_default().push((id, name));
                }
            }
        }
        let mut initials = Initials::default();
        for (name, ids) in by_key.into_values() {
            let bearers = with_full_names.get(&name.surname_key()).map_or(&[][..], Vec::as_slice);
            // `Narayanan,SL` is not Srinath Narayanan, who has no second name.
            let bearers = bearers.iter().filter(|(_, other)| {
                other.given.len() >= name.given.len() && name.given_compatible(other, false)
            });
            let candidates: BTreeSet<PlayerId> = bearers.map(|(id, _)| *id).collect();
            let mut homes = ids.iter().filter_map(|id| players.of_name(*id));
            let is_decided = homes.all(|home| candidates.iter().all(|id| *id == home));
            if !is_decided && candidates.len() <= MOST_CANDIDATES {
                let number = initials.candidates.len();
                initials.numbers.extend(ids.into_iter().map(|id| (id, number)));
                initials.candidates.push(candidates);
            }
        }
        initials
    }

    /// Returns the player of each game under an initial, if only one of its event can have it.
    fn owners(&self, table: &GameTable, players: &Players) -> Vec<Owner> {
        let mut owners = Vec::new();
        for ((number, _), games) in self.by_event(table, players) {
            let mut of_player: BTreeMap<PlayerId, Vec<(usize, SharedEvents)>> = BTreeMap::new();
            for (&row, candidates) in &games {
                if let Some((player, shared)) = only_owner(candidates) {
                    of_player.entry(player).or_default().push((row, shared));
                }
            }
            of_player.retain(|_, games| is_supported(games));
            let found: usize = of_player.values().map(Vec::len).sum();
            if ONE_ERROR_IN * (games.len() - found) <= games.len() {
                for (player, games) in of_player {
                    owners.extend(games.into_iter().map(|(row, _)| Owner { row, number, player }));
                }
            }
        }
        owners
    }

    /// Compares the games under each initial with those of its candidates, by event and row.
    fn by_event(
        &self,
        table: &GameTable,
        players: &Players,
    ) -> BTreeMap<(usize, EventNumber), BTreeMap<usize, Vec<CandidateGame>>> {
        let numbers = EventNumbers::new(table, &[]);
        let rows = GameRows::new(table, &numbers);
        let games = GroupedGames {
            table,
            // Players are numbered before initials.
            group_of: Box::new(|name| match self.numbers.get(&name) {
                Some(number) => Some(players.len() + number),
                None => players.of_name(name).map(PlayerId::index),
            }),
            have_similar_names: Box::new(|_, _| false),
            numbers: &numbers,
            rows: &rows,
        };
        let pairs: FxHashSet<(usize, usize)> = (0..)
            .zip(&self.candidates)
            .flat_map(|(number, all)| all.iter().map(move |id| (number, id.index())))
            .map(|(number, player): (usize, usize)| (players.len() + number, player))
            .collect();
        let mut by_event: BTreeMap<(usize, EventNumber), BTreeMap<usize, Vec<CandidateGame>>> =
            BTreeMap::new();
        for ((group, player), compared) in games.compared(&pairs) {
            for game in compared {
                let of_event = by_event.entry((group - players.len(), game.place)).or_default();
                let player = PlayerId::of_index(player as u32);
                of_event.entry(game.row).or_default().push(CandidateGame { player, game });
            }
        }
        by_event
    }

    /// Returns the name that each owner has most often.
    fn full_names(
        &self,
        table: &GameTable,
        players: &Players,
        owners: &[Owner],
    ) -> FxHashMap<PlayerId, NameId> {
        let wanted: FxHashSet<PlayerId> = owners.iter().map(|owner| owner.player).collect();
        let mut counts: BTreeMap<(PlayerId, NameId), usize> = BTreeMap::new();
        for name in table.games().iter().flat_map(|game| [game.white, game.black]) {
            if let Some(player) = players.of_name(name)
                && wanted.contains(&player)
                && !self.numbers.contains_key(&name)
            {
                *counts.entry((player, name)).or_default() += 1;
            }
        }
        let mut counts: Vec<((PlayerId, NameId), usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, games)| *games);
        counts.into_iter().map(|(name, _)| name).collect()
    }
}

/// A game under an initial, compared with the games of a player who may have it.
struct CandidateGame {
    player: PlayerId,
    game: ComparedGame,
}

/// Whether some games belong to a player: one of them is also under the player's full name, or they
/// are just those that the player lacks.
fn is_supported(games: &[(usize, SharedEvents)]) -> bool {
    let total = SharedEvents::total(games.iter().map(|(_, shared)| shared));
    total.evidence.games + total.evidence.both_differ > 0 || total.fills_gaps()
}

/// Returns the only candidate who has a game, or else the only one who can have it.
fn only_owner(candidates: &[CandidateGame]) -> Option<(PlayerId, SharedEvents)> {
    let possible: Vec<(PlayerId, SharedEvents)> = candidates
        .iter()
        .map(|one| (one.player, one.game.shared))
        .filter(|(_, shared)| shared.evidence.contradictions == 0)
        .collect();
    let have_it: Vec<(PlayerId, SharedEvents)> =
        possible.iter().copied().filter(|(_, shared)| shared.evidence.games > 0).collect();
    let all = if have_it.is_empty() { possible } else { have_it };
    match all[..] {
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, GameResult, PartialDate};
    use crate::players::shared_events::tests::{FIELD, add_round_robin, rename};
    use crate::players::{Aliases, resolve};

    const JULIO: &str = "Bolbochan, Julio";
    const JACOBO: &str = "Bolbochan, Jacobo";

    /// Returns the names with a J in a round robin with these players, after division.
    ///
    /// Both brothers have other games too.
    fn divided(names: &[&str], change: impl Fn(u16, &mut Vec<String>)) -> Vec<String> {
        let mut table = GameTable::default();
        add_round_robin(&mut table, names, change);
        for (year, name) in [(1957, JULIO), (1957, JACOBO), (1958, JULIO), (1958, JACOBO)] {
            let [event, white, black] =
                [name, name, "Eliskases, Erich"].map(|text| table.names.intern(text));
            let date = PartialDate::of_year(year);
            table.push(Game {
                event,
                white,
                black,
                date,
                result: GameResult::Draw,
                ..Game::default()
            });
        }
        let before: Vec<[NameId; 2]> =
            table.games().iter().map(|game| [game.white, game.black]).collect();
        let players = resolve(&table, &Aliases::default());
        divide_initials(&mut table, &players);
        let after = table.games().iter().flat_map(|game| [game.white, game.black]);
        before
            .into_iter()
            .flatten()
            .zip(after)
            .filter(|(name, _)| table.text(*name) == "Bolbochan, J")
            .map(|(_, name)| table.text(name).to_owned())
            .collect()
    }

    fn field(first: &[&'static str]) -> Vec<&'static str> {
        first.iter().chain(&FIELD[first.len()..]).copied().collect()
    }

    #[test]
    fn games_that_one_of_two_brothers_lacks_are_his() {
        let found = divided(&field(&[JULIO]), rename(&[2, 5], JULIO, "Bolbochan, J"));
        assert_eq!(found, [JULIO; 2]);
        let found = divided(&field(&[JACOBO]), rename(&[2, 5], JACOBO, "Bolbochan, J"));
        assert_eq!(found, [JACOBO; 2]);
    }

    #[test]
    fn each_brother_in_one_event_gets_the_games_that_he_lacks() {
        let found = divided(&field(&[JULIO, JACOBO]), |round, both| {
            rename(&[3], JULIO, "Bolbochan, J")(round, both);
            rename(&[5], JACOBO, "Bolbochan, J")(round, both);
        });
        assert_eq!(found, [JULIO, JACOBO]);
    }

    #[test]
    fn games_in_the_rounds_of_the_brother_are_another_players() {
        let names = field(&[JULIO, "Bolbochan, J"]);
        assert_eq!(divided(&names, |_, _| ()), ["Bolbochan, J"; 7]);
    }

    #[test]
    fn games_against_the_brother_are_another_players() {
        let found = divided(&field(&[JULIO]), |round, both| {
            if round == 3 {
                let other = both.iter().position(|name| name == JULIO).map(|place| 1 - place);
                other.into_iter().for_each(|other| both[other] = "Bolbochan, J".to_owned());
            }
        });
        assert_eq!(found, ["Bolbochan, J"]);
    }

    #[test]
    fn two_initials_are_not_those_of_a_player_with_one_name() {
        let mut table = GameTable::default();
        add_round_robin(&mut table, &field(&[JULIO]), rename(&[2, 5], JULIO, "Bolbochan, JM"));
        let players = resolve(&table, &Aliases::default());
        assert!(Initials::new(&table, &players).numbers.is_empty());
    }

    #[test]
    fn an_event_without_a_whole_name_says_nothing() {
        assert_eq!(divided(&field(&["Bolbochan, J"]), |_, _| ()), ["Bolbochan, J"; 7]);
    }
}
