//! Divides the games under an initial among the players whose name it may be, event by event.
//!
//! `Bolbochan, J` is Julio in one event and Jacobo in another, so it is no spelling of either. In
//! an event it is the one who lacks just these games, or has them in a copy of the event.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::Candidates;
use super::cluster::{Cluster, LinkInput, opponent_classes};
use super::event_numbers::{EventNumber, EventNumbers};
use super::evidence::field::{EventSeats, RowsCompared};
use super::evidence::seats::Seats;
use super::evidence::weights::{Term, WEIGHTS, counted};
use super::person::{PlayerId, Players};
use crate::games::{GameTable, NameId};

/// The probability from which the games of an event are a player's. Judged: above the limit for two
/// spellings, because the seats of one event decide alone.
const LIMIT: f64 = 0.9;

/// The games under an initial in an event, which are those of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct DividedInitial {
    /// The spelling with the initial.
    pub spelling: u32,
    pub event: EventNumber,
    /// A spelling of the player.
    pub home: u32,
}

/// Finds the player of the games of each event under an initial that several players may have.
pub(super) fn divided_initials(
    input: &LinkInput,
    candidates: &Candidates,
    clusters: &[Cluster],
    seats: &mut Seats,
) -> Vec<DividedInitial> {
    let initials = Initials::new(candidates, clusters);
    let divided = initials.by_event(input, candidates, clusters, seats).into_iter().filter_map(
        |((spelling, event), players)| {
            let odds: Vec<(f64, u32)> =
                players.values().map(|seats| (bits(&seats.rows).exp2(), seats.other)).collect();
            let all: f64 = 1.0 + odds.iter().map(|(odds, _)| odds).sum::<f64>();
            let (_, home) = odds.into_iter().find(|(odds, _)| odds / all >= LIMIT)?;
            Some(DividedInitial { spelling, event, home })
        },
    );
    divided.collect()
}

/// The spellings whose given name is only an initial.
struct Initials {
    /// Those of players who have no other spelling.
    alone: FxHashSet<u32>,
    /// Those of them that several players may have.
    shared: FxHashSet<u32>,
    /// The cluster of each spelling.
    home_of: Vec<u32>,
}

impl Initials {
    fn new(candidates: &Candidates, clusters: &[Cluster]) -> Initials {
        let mut home_of = vec![0; candidates.forms.len()];
        let mut alone: FxHashSet<u32> = FxHashSet::default();
        for (cluster, number) in clusters.iter().zip(0u32..) {
            for &member in &cluster.members {
                home_of[member as usize] = number;
            }
            if cluster.members.iter().all(|member| has_only_initials(candidates, *member)) {
                alone.extend(&cluster.members);
            }
        }
        let mut shared: FxHashSet<u32> = FxHashSet::default();
        for &initial in &alone {
            let names = candidates.partners.of(initial).iter().map(|(other, _)| *other);
            let players: FxHashSet<u32> = names
                .filter(|other| !alone.contains(other))
                .map(|other| home_of[other as usize])
                .collect();
            if players.len() > 1 {
                shared.insert(initial);
            }
        }
        Initials { alone, shared, home_of }
    }

    /// Returns what the games under each initial in each event say about each player.
    fn by_event(
        &self,
        input: &LinkInput,
        candidates: &Candidates,
        clusters: &[Cluster],
        seats: &mut Seats,
    ) -> BTreeMap<(u32, EventNumber), BTreeMap<u32, EventSeats>> {
        let mut by_event: BTreeMap<(u32, EventNumber), BTreeMap<u32, EventSeats>> = BTreeMap::new();
        if self.shared.is_empty() {
            return by_event;
        }
        let groups = clusters.iter().map(|cluster| cluster.members.as_slice());
        let classes = opponent_classes(&candidates.forms, input.spellings, groups);
        seats.reclassify(&classes);
        for found in seats.compare_some(input, &classes, &candidates.partners, &self.shared) {
            let [one, other] =
                [found.spelling, found.other].map(|one| &input.spellings[one as usize]);
            if self.alone.contains(&found.other) || !one.is_one_career_with(other) {
                continue;
            }
            let players = by_event.entry((found.spelling, found.event)).or_default();
            players
                .entry(self.home_of[found.other as usize])
                .and_modify(|sum| sum.rows.add(&found.rows))
                .or_insert(found);
        }
        by_event
    }
}

fn has_only_initials(candidates: &Candidates, spelling: u32) -> bool {
    let forms = &candidates.forms[spelling as usize];
    forms.iter().all(|form| form.given.first().is_some_and(|word| word.len() == 1))
}

/// Returns the log odds (bits) that the games of an event are a player's.
fn bits(rows: &RowsCompared) -> f64 {
    let equal = counted(rows.equal_games.unsigned_abs()) * f64::from(rows.equal_games.signum());
    WEIGHTS[Term::Conflicts as usize] * counted(rows.conflicts)
        + WEIGHTS[Term::Complement as usize] * rows.complement.clamp(-2.0, 8.0)
        + WEIGHTS[Term::SameGames as usize] * equal
}

/// Gives the games the full names of their players, and returns a message for each initial and
/// player.
pub(super) fn rename_divided(table: &mut GameTable, players: &Players) -> Vec<String> {
    let wanted: FxHashSet<PlayerId> = players.divided.iter().map(|one| one.2).collect();
    let mut usual: BTreeMap<PlayerId, BTreeMap<NameId, usize>> = BTreeMap::new();
    for name in table.games().iter().flat_map(|game| [game.white, game.black]) {
        if let Some(player) = players.of_name(name).filter(|player| wanted.contains(player)) {
            *usual.entry(player).or_default().entry(name).or_default() += 1;
        }
    }
    let usual: FxHashMap<PlayerId, NameId> = usual
        .into_iter()
        .filter_map(|(player, names)| {
            let (name, _) = names.into_iter().rev().max_by_key(|(_, games)| *games)?;
            Some((player, name))
        })
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let numbers = EventNumbers::new(table);
    let owners: FxHashMap<(NameId, EventNumber), PlayerId> =
        players.divided.iter().map(|&(name, event, player)| ((name, event), player)).collect();
    let mut counts: BTreeMap<(NameId, PlayerId), usize> = BTreeMap::new();
    for (row, game) in table.games_mut().iter_mut().enumerate() {
        for name in [&mut game.white, &mut game.black] {
            if let Some(&player) = owners.get(&(*name, numbers.of_row(row)))
                && let Some(&full_name) = usual.get(&player)
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
            "{name}: {games} taken as those of {player}, who lacks or has just these in the event"
        ));
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, GameResult, PartialDate, Round};
    use crate::players::{Aliases, resolve::resolve};

    const JULIO: &str = "Bolbochan, Julio";
    const JACOBO: &str = "Bolbochan, Jacobo";
    const FIELD: [&str; 5] =
        ["Eliskases, E", "Najdorf, M", "Guimard, C", "Pilnik, H", "Rossetto, H"];

    /// Returns the players under `Bolbochan, J` in two round robins, in which the first player has
    /// these names in the rounds. The brothers have other games too.
    fn divided(events: [[&'static str; 5]; 2]) -> Vec<String> {
        let mut table = GameTable::default();
        let mut push = |event: &str, round: usize, white: &str, black: &str| {
            let [event, white, black] = [event, white, black].map(|text| table.names.intern(text));
            let (date, result) = (PartialDate::of_year(1950), GameResult::Draw);
            let round = Round::parse(&(round + 1).to_string());
            table.push(Game { event, white, black, date, round, result, ..Game::default() });
        };
        for (names, event) in events.into_iter().zip(["Mar del Plata", "Buenos Aires"]) {
            for (round, (name, opponent)) in names.into_iter().zip(FIELD).enumerate() {
                push(event, round, name, opponent);
                for (other, another) in FIELD[..round].iter().enumerate() {
                    push(event, (round + other) % 5, opponent, another);
                }
            }
        }
        for name in [JULIO, JACOBO] {
            push("Championship", 0, name, FIELD[0]);
        }
        let initial = table.names.intern("Bolbochan, J");
        let before: Vec<[NameId; 2]> =
            table.games().iter().map(|game| [game.white, game.black]).collect();
        let players = resolve(&table, &Aliases::default());
        rename_divided(&mut table, &players);
        let after = table.games().iter().flat_map(|game| [game.white, game.black]);
        let names = before.into_iter().flatten().zip(after).filter(|(name, _)| *name == initial);
        let found = names.map(|(_, name)| players.of_name(name).expect("a player"));
        found.map(|player| players.get(player).name.clone()).collect()
    }

    #[test]
    fn games_that_one_of_two_brothers_lacks_are_his_in_each_event() {
        const INITIAL: &str = "Bolbochan, J";
        let first = [JULIO, INITIAL, JULIO, JULIO, INITIAL];
        let second = [JACOBO, JACOBO, INITIAL, JACOBO, INITIAL];
        let [julio, jacobo] = ["Bolbochán, Julio", "Bolbochán, Jacobo"];
        assert_eq!(divided([first, second]), [julio, julio, jacobo, jacobo]);
    }

    #[test]
    fn an_event_without_a_whole_name_says_nothing() {
        assert_eq!(divided([["Bolbochan, J"; 5]; 2]), ["Bolbochan, J"; 10]);
    }
}
