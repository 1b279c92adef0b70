//! Recognises round robins with gaps, withdrawals, several cycles, or an early end.

use std::collections::BTreeMap;

use super::event_format::{FIRST_SWISS, LEAVERS, ROUND_ROBIN_PAIRS};
use super::field_size::rounds_of_cycle;
use super::match_of_two::is_decided;
use super::pairing_table::{PairCounts, Pairing, TableRounds};
use super::recognised::{Circumstances, EndEvidence, MissingGame, Recognised, expected_each};
use super::second_cycle::{
    LAST_REPLAYS, copied_pairs, is_after_replays, rounds_repeat, shows_second_cycle,
};
use crate::tournament::Kind;

/// A player with at most this share of the full number of games has withdrawn.
///
/// Taken from the usual rule of tournaments (FIDE): the games of a player who leaves before half of
/// the rounds do not count.
const WITHDRAWAL: f64 = 0.5;

/// A player with at most this share has withdrawn even if the others lack a game or two.
///
/// Judged: a source rarely loses three games in four of one player and few of the others. With
/// half, players whose games are lost would count as withdrawn.
const SOON: f64 = 0.25;

/// The share of their games that the others must then have.
///
/// Judged: one lost game in twenty. With one in ten, the table would often have other gaps than
/// those of the players who left.
const NEARLY_WHOLE: f64 = 0.95;

/// The least number of players of a table without gaps which shows, even without rounds, that a
/// player with few games left.
///
/// Judged: a table of eight has 28 games, one of four only six, all of which a source may have by
/// chance.
const LARGE: usize = 8;

/// If rounds show another cycle, at least one in this many pairs must have met in it.
///
/// Judged: the rounds are the evidence, so that few repeated pairs suffice, but not a play-off.
const REPEATS_WITH_ROUNDS: usize = 20;

/// If only repeated pairs show another cycle, at least one in this many pairs must have met in it.
///
/// Judged: copies and replays repeat fewer pairs. With one in two, a second cycle of which most
/// games are lost would count as complete without them.
const REPEATS_ALONE: usize = 4;

/// The number of repeated pairs that are more likely replays than games of another cycle, in a
/// table whose rounds may show one.
///
/// Judged: between a few copies and the 26 repeated pairs of Monte Carlo 1901. Fewer are judged by
/// the rounds.
const MANY_REPLAYS: usize = 8;

/// One in this many repeated pairs may have two decisive games.
///
/// Measured on Monte Carlo 1901: three of its 26 repeated pairs have two, because a source has a
/// game of a replay under a wrong result. In two cycles half of the pairs would have two.
const EXCEPTIONS_TO_REPLAYS: usize = 5;

impl PairCounts {
    /// Recognises a round robin, possibly with gaps and withdrawals.
    pub fn round_robin(
        &self,
        pairings: &[Pairing],
        rounds: Option<&TableRounds>,
        about: Circumstances,
    ) -> Option<Recognised> {
        let cycles = self.cycles(pairings, rounds, about);
        let full = cycles * (self.active.len() - 1);
        // A few players may have left early. Their games are outside the table, which is complete
        // without them. In a table with other gaps, a player with few games did not leave: the
        // games are lost.
        let left: Vec<usize> = self
            .active
            .iter()
            .copied()
            .filter(|&player| self.games[player] as f64 <= WITHDRAWAL * full as f64)
            .filter(|&player| left_early(rounds, player))
            .collect();
        if !left.is_empty()
            && left.len() * LEAVERS <= self.active.len()
            && self.active.len() - left.len() >= 3
        {
            let rest = self.without_players(&left);
            let left_soon =
                left.iter().all(|player| self.games[*player] as f64 <= SOON * full as f64);
            let needed = if left_soon { NEARLY_WHOLE } else { 1.0 };
            if rest.active.len() == self.active.len() - left.len()
                && rest.met.len() as f64 >= needed * rest.pairs() as f64
            {
                let mut found = rest.as_round_robin(
                    rest.cycles(pairings, rounds, about),
                    pairings,
                    rounds,
                    left,
                );
                // In a small table only the games of one player may be lost by chance.
                if rounds.is_none() && rest.active.len() < LARGE {
                    found.end = EndEvidence::Usual;
                }
                if found.coverage() >= needed {
                    found.notes.extend(rest.repeated_pairs(found.cycles, pairings, about));
                    return Some(found);
                }
            }
        }
        let opponents = self.opponents();
        let most = opponents.iter().copied().max().unwrap_or(0);
        let pairs_met = self.met.len() as f64 / self.pairs() as f64;
        // In a Swiss no player meets nearly all others. In an incomplete round robin one usually
        // does.
        let one_met_nearly_all = self.active.len() >= 8 && most * 10 >= 9 * (self.active.len() - 1);
        let by_rounds = rounds.is_some_and(|rounds| {
            let last = usize::from(rounds.last);
            // At least a quarter of each round must be known: one game of each round is not a
            // table.
            last + 2 >= self.active.len()
                && last < 3 * self.active.len()
                && cycles == 1
                && 4 * self.total() >= last * (self.active.len() / 2)
        });
        let before_swiss = about.year.is_some_and(|year| year < FIRST_SWISS);
        let is_one = pairs_met >= ROUND_ROBIN_PAIRS
            || (self.usual_games_of_pair() <= 2
                && pairs_met >= 0.25
                && (one_met_nearly_all || by_rounds))
            || ((before_swiss || about.form == Some(Kind::RoundRobin))
                && self.usual_games_of_pair() == 1
                && pairs_met >= 0.25);
        is_one.then(|| {
            if let Some(broken_off) = self.broken_off(rounds, about) {
                return broken_off;
            }
            let mut found = self.as_round_robin(cycles, pairings, rounds, Vec::new());
            found.notes.extend(self.repeated_pairs(found.cycles, pairings, about));
            found
        })
    }

    /// Recognises a round robin that seems to have ended early for all players: each has a game in
    /// each of its rounds.
    ///
    /// A source that lacks the last rounds looks the same. So only a known result makes it certain.
    fn broken_off(&self, rounds: Option<&TableRounds>, about: Circumstances) -> Option<Recognised> {
        let before_swiss = about.year.is_some_and(|year| year < FIRST_SWISS);
        let most = self.games.iter().copied().max().unwrap_or(0);
        let fewest = self.active.iter().map(|player| self.games[*player]).min().unwrap_or(0);
        // In an odd field one player is always free.
        let free = self.active.len() % 2;
        let rounds_agree = rounds.is_none_or(|rounds| usize::from(rounds.last) <= most + free);
        let is_regular = self.usual_games_of_pair() == 1
            && self.total() == self.met.len()
            && most + 1 < self.active.len()
            && most >= 3
            && fewest + free >= most
            && rounds_agree;
        let games = self.total();
        let note =
            format!("broken off after {most} rounds; all players have a game in each of them");
        (before_swiss && is_regular).then(|| Recognised {
            end: EndEvidence::Unknown,
            is_certain: false,
            notes: vec![note],
            ..Recognised::new(Kind::RoundRobin, games, games, expected_each(self, 0))
        })
    }

    /// Returns the number of games that each pair was to play: the largest number that the evidence
    /// supports.
    ///
    /// Most pairs of a double round robin without its last rounds met once, but it is not a
    /// complete single one.
    fn cycles(
        &self,
        pairings: &[Pairing],
        rounds: Option<&TableRounds>,
        about: Circumstances,
    ) -> usize {
        let usual = self.usual_games_of_pair();
        let is_repeated =
            shows_second_cycle(pairings, about) || rounds_repeat(self.active.len(), pairings);
        if usual == 1 && is_repeated {
            return 2;
        }
        match rounds {
            // Replays have their own round numbers.
            Some(_)
                if self.pairs_with(usual + 1) >= MANY_REPLAYS
                    && self.are_replays(usual, pairings, about) =>
            {
                usual
            }
            Some(rounds) => self.cycles_by_rounds(usual, rounds, about),
            None => self.cycles_by_repeats(usual, pairings, about),
        }
    }

    /// Counts cycles by rounds: those in which most of the field has a game, or those in the tags.
    fn cycles_by_rounds(&self, usual: usize, rounds: &TableRounds, about: Circumstances) -> usize {
        let of_a_cycle = rounds_of_cycle(self.active.len());
        let last = usize::from(rounds.last.max(about.rounds));
        let nearest = (last as f64 / of_a_cycle as f64).round() as usize;
        let fits = last.abs_diff(nearest * of_a_cycle) * 10 <= of_a_cycle;
        // More rounds than the cycles allow are numbered in another way.
        let possible = usual + 1..=2 * usual;
        if fits && possible.contains(&nearest) {
            return nearest;
        }
        // In a large field an additional round may be a day for postponed games.
        let slack = of_a_cycle / 10;
        let full = usize::from(rounds.last_full.max(about.rounds));
        let begun = full.saturating_sub(slack).div_ceil(of_a_cycle);
        let repeats = self.pairs_with(usual + 1);
        if REPEATS_WITH_ROUNDS * repeats >= self.pairs() && possible.contains(&begun) {
            return begun;
        }
        let begun = rounds.begun_cycles(usual, of_a_cycle);
        begun.filter(|cycles| repeats > 0 && possible.contains(cycles)).unwrap_or(usual)
    }

    /// Counts cycles by pairs that met more often than most.
    ///
    /// A play-off has one such pair. Before 1914 drawn games were replayed.
    fn cycles_by_repeats(&self, usual: usize, pairings: &[Pairing], about: Circumstances) -> usize {
        let most = self.met.iter().map(|(_, games)| *games).max().unwrap_or(usual);
        let begun = (usual + 1..=most).rev().find(|games| {
            let mut pairs = self.pairs_with(*games);
            if usual == 1 && is_after_replays(about) {
                pairs = pairs.saturating_sub(copied_pairs(pairings));
            }
            pairs >= 2 && REPEATS_ALONE * pairs >= self.pairs()
        });
        let begun = begun.unwrap_or(usual);
        let replays = self.are_replays(usual, pairings, about);
        // `as_round_robin` handles matches of three games that stopped after two.
        let of_three = usual == 2 && begun == 3;
        if replays || of_three { usual } else { begun }
    }

    /// Returns whether repeated pairs replayed draws: the year is one of replays, and few pairs
    /// have more decisive games than most pairs have games.
    ///
    /// Of two games in two cycles, both were decisive in half of the pairs of that time. A source
    /// may have one game of a replay under a wrong result.
    fn are_replays(&self, usual: usize, pairings: &[Pairing], about: Circumstances) -> bool {
        let mut decisive: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for pairing in pairings.iter().filter(|pairing| pairing.white_score != Some(0.5)) {
            let pair = (pairing.white.min(pairing.black), pairing.white.max(pairing.black));
            *decisive.entry(pair).or_default() += 1;
        }
        let repeated = self.pairs_with(usual + 1);
        let exceptions = decisive.values().filter(|games| **games > usual).count();
        about.year.is_some_and(|year| year < LAST_REPLAYS)
            && EXCEPTIONS_TO_REPLAYS * exceptions <= repeated
    }

    /// Returns the note that pairs met more often than the cycles of a round robin require. If most
    /// of them drew a game in the years of replays, these are the likely reason.
    fn repeated_pairs(
        &self,
        cycles: usize,
        pairings: &[Pairing],
        about: Circumstances,
    ) -> Option<String> {
        let repeated: Vec<(usize, usize)> =
            self.met.iter().filter(|(_, games)| *games > cycles).map(|(pair, _)| *pair).collect();
        let which = match repeated.len() {
            0 => return None,
            1 => "one pair".to_owned(),
            pairs => format!("{pairs} pairs"),
        };
        let drawn = repeated.iter().filter(|pair| {
            pairings.iter().any(|game| game.pair() == **pair && game.white_score == Some(0.5))
        });
        let replays = about.year.is_some_and(|year| year < LAST_REPLAYS)
            && 2 * drawn.count() > repeated.len();
        let why = if replays { ", probably because drawn games were replayed" } else { "" };
        Some(format!("{which} met more often than the others{why}"))
    }

    fn as_round_robin(
        &self,
        usual: usize,
        pairings: &[Pairing],
        rounds: Option<&TableRounds>,
        withdrawn: Vec<usize>,
    ) -> Recognised {
        let mut found = self.table_of_cycles(usual, pairings, rounds, withdrawn);
        // Matches of three games instead of single games, some decided after two (Vienna 1873).
        let most = self.met.iter().map(|(_, games)| *games).max().unwrap_or(usual);
        if most == 3 && usual == 2 {
            let matches = self.table_of_cycles(most, pairings, rounds, found.withdrawn.clone());
            if matches.missing.is_empty() {
                found = matches;
                found.notes.push("matches of three games, some of them decided after two".into());
            }
        }
        found
    }

    fn table_of_cycles(
        &self,
        cycles: usize,
        pairings: &[Pairing],
        rounds: Option<&TableRounds>,
        withdrawn: Vec<usize>,
    ) -> Recognised {
        let mut notes = Vec::new();
        // Pairs in which one player has more than half of the points of such a match.
        let may_be_decided = cycles > 2 && cycles % 2 == 1;
        let decided: Vec<(usize, usize)> =
            if may_be_decided { decided_pairs(pairings, cycles) } else { Vec::new() };
        let leavers = self.leavers(cycles, rounds);
        let mut expected_of = vec![0; self.games.len()];
        let mut expected_games = 0;
        let mut placed_games = 0;
        let mut missing = Vec::new();
        for (place, &a) in self.active.iter().enumerate() {
            for &b in &self.active[place + 1..] {
                let count = self.count(a, b);
                let excused = leavers.binary_search(&a).is_ok()
                    || leavers.binary_search(&b).is_ok()
                    || decided.binary_search(&(a, b)).is_ok();
                let due = if excused { count.min(cycles) } else { cycles };
                expected_games += due;
                placed_games += count.min(due);
                // Games beyond the table do not replace missing ones.
                expected_of[a] += due.max(count);
                expected_of[b] += due.max(count);
                if count < due {
                    missing.push(MissingGame::of_pair(a, b, due - count));
                }
            }
        }
        if !leavers.is_empty() {
            notes.push(match leavers.len() {
                1 => "one player left before the end; no earlier game is missing".to_owned(),
                players => {
                    format!("{players} players left before the end; no earlier game is missing")
                }
            });
        }
        let is_shown = missing.is_empty() || self.shows_cycles(cycles, rounds);
        let kind = match cycles {
            1 => Kind::RoundRobin,
            2 => Kind::DoubleRoundRobin,
            _ => Kind::MultipleRoundRobin,
        };
        Recognised {
            cycles,
            withdrawn,
            missing,
            end: if is_shown { EndEvidence::Shown } else { EndEvidence::Usual },
            notes,
            ..Recognised::new(kind, expected_games, placed_games, expected_of)
        }
    }

    /// Returns whether a table with gaps shows the number of cycles.
    ///
    /// One or two are usual, and of two the second one shows. Three may have been four, unless the
    /// rounds reach the end of the last cycle.
    fn shows_cycles(&self, cycles: usize, rounds: Option<&TableRounds>) -> bool {
        let of_a_cycle = rounds_of_cycle(self.active.len());
        cycles < 3 || rounds.is_some_and(|rounds| usize::from(rounds.last) >= cycles * of_a_cycle)
    }

    /// Finds players who left a round robin early but whose games count.
    ///
    /// An example is Tal at Curaçao 1962, who left after three of four cycles. If rounds are known,
    /// a leaver has all games up to a round and none after it. Otherwise a leaver has the same
    /// number of games with each opponent, and no other pair lacks a game.
    fn leavers(&self, cycles: usize, rounds: Option<&TableRounds>) -> Vec<usize> {
        let full = cycles * (self.active.len() - 1);
        let short: Vec<usize> =
            self.active.iter().copied().filter(|player| self.games[*player] < full).collect();
        if let Some(rounds) = rounds {
            let free = cycles * (self.active.len() % 2);
            let gone: Vec<usize> = short
                .iter()
                .copied()
                .filter(|&player| {
                    let Some((_, last)) = rounds.spans[player] else { return false };
                    // Two players who both lack their last game only lack the one between them.
                    last < rounds.last
                        && self.games[player] + 1 < full
                        && self.games[player] + free >= usize::from(last)
                })
                .collect();
            if self.explain_gaps(&gone, cycles) {
                return gone;
            }
        }
        let gone: Vec<usize> = short
            .iter()
            .copied()
            .filter(|&player| {
                let mut counts = self
                    .active
                    .iter()
                    .filter(|other| **other != player)
                    .map(|other| self.count(player, *other));
                counts.next().is_some_and(|first| {
                    (1..cycles).contains(&first) && counts.all(|count| count == first)
                })
            })
            .collect();
        if self.explain_gaps(&gone, cycles) { gone } else { Vec::new() }
    }

    /// Returns whether only a few players left, and all pairs of the others have all of their
    /// games.
    fn explain_gaps(&self, gone: &[usize], cycles: usize) -> bool {
        if gone.is_empty() || gone.len() * LEAVERS > self.active.len() {
            return false;
        }
        let rest = self.without_players(gone);
        rest.met.len() == rest.pairs() && rest.met.iter().all(|(_, games)| *games >= cycles)
    }
}

/// Returns the pairs, in order, in which one player has more than half of the points of `games`
/// games.
fn decided_pairs(pairings: &[Pairing], games: usize) -> Vec<(usize, usize)> {
    let mut of_pair: BTreeMap<(usize, usize), Vec<Pairing>> = BTreeMap::new();
    for pairing in pairings {
        let pair = (pairing.white.min(pairing.black), pairing.white.max(pairing.black));
        of_pair.entry(pair).or_default().push(*pairing);
    }
    of_pair.retain(|_, played| is_decided(played, games as u16));
    of_pair.into_keys().collect()
}

/// Returns whether a player's last round is unknown or in the first two thirds.
fn left_early(rounds: Option<&TableRounds>, player: usize) -> bool {
    let Some(rounds) = rounds else { return true };
    rounds.spans[player].is_none_or(|(_, last)| 3 * u32::from(last) <= 2 * u32::from(rounds.last))
}
