//! Recognises the second cycle of a round robin by the colours of the pairs that met again.

use std::collections::{BTreeMap, BTreeSet};

use super::field_size::rounds_of_cycle;
use super::pairing_table::Pairing;
use super::recognised::Circumstances;

/// Until this year some tournaments replayed drawn games. Taken from the history of tournaments:
/// the custom ended with the First World War.
pub(super) const LAST_REPLAYS: i16 = 1914;

/// The least number of pairs with both colours that show a second cycle.
///
/// Measured: none of 638 complete single round robins after 1914 has three such pairs, and of 4,345
/// repeated pairs of double ones 4,317 have both colours.
const REVERSED_PAIRS: usize = 3;

/// The least number of players of these pairs. Three players have three pairs in their play-off.
const REVERSED_PLAYERS: usize = 4;

/// The evidence (nats) of the rounds that shows a second cycle.
///
/// Judged: 5 are odds of 150 to 1, as for two parts of one event.
const ENOUGH: f64 = 5.0;

/// Returns whether drawn games were no longer replayed, so that a pair met again only in another
/// cycle or a play-off.
pub(super) fn is_after_replays(about: Circumstances) -> bool {
    about.year.is_some_and(|year| year > LAST_REPLAYS)
}

/// Returns whether pairs that met with both colours show a second cycle.
pub(super) fn shows_second_cycle(pairings: &[Pairing], about: Circumstances) -> bool {
    if !is_after_replays(about) {
        return false;
    }
    let games: BTreeSet<(usize, usize)> =
        pairings.iter().map(|game| (game.white, game.black)).collect();
    let reversed = games.iter().filter(|(white, black)| games.contains(&(*black, *white)));
    // A pair is there from both sides.
    let players: BTreeSet<usize> = reversed.clone().map(|(white, _)| *white).collect();
    reversed.count() >= 2 * REVERSED_PAIRS && players.len() >= REVERSED_PLAYERS
}

/// Returns whether the rounds show that the `players` players met twice, although no pair is known
/// with both games: round 1 of the second cycle has the pairs of the first round, and so on.
///
/// If half of the games are lost, the two rounds complete each other, and no player is in both with
/// different opponents. Rounds of a larger field, from which players are missing, do not fit so.
pub(super) fn rounds_repeat(players: usize, pairings: &[Pairing]) -> bool {
    let of_a_cycle = rounds_of_cycle(players) as u16;
    let mut of_round: BTreeMap<u16, Vec<(usize, usize)>> = BTreeMap::new();
    for game in pairings {
        let Some(round) = game.round else { return false };
        of_round.entry(round).or_default().push(game.pair());
    }
    let pairs: BTreeSet<(usize, usize)> = pairings.iter().map(Pairing::pair).collect();
    // The replay of a draw is in the round that belongs to its first game.
    let has_repeated = pairs.len() < pairings.len();
    if has_repeated
        || players < 4
        || of_round.keys().next_back().is_none_or(|last| *last > 2 * of_a_cycle)
    {
        return false;
    }
    let mut fitting = 0;
    for (round, games) in &of_round {
        let Some(again) = of_round.get(&(round + of_a_cycle)) else { continue };
        for one in games {
            for other in again {
                let shares_player = [other.0, other.1].iter().any(|&it| it == one.0 || it == one.1);
                if shares_player {
                    return false;
                }
                fitting += 1;
            }
        }
    }
    // The chance that two different pairs have no common player.
    let pairs = players * (players - 1) / 2;
    let apart = (players - 2) * (players - 3) / 2;
    let evidence = ((pairs - 1) as f64 / apart as f64).ln();
    f64::from(fitting) * evidence >= ENOUGH
}

/// Counts the pairs whose games all have the same colours and the same result. They are copies of
/// one game under different dates or rounds.
pub(super) fn copied_pairs(pairings: &[Pairing]) -> usize {
    let mut of_pair: BTreeMap<(usize, usize), Vec<&Pairing>> = BTreeMap::new();
    for game in pairings {
        of_pair.entry(game.pair()).or_default().push(game);
    }
    let copies = of_pair.values().filter(|games| {
        games.len() > 1
            && games
                .windows(2)
                .all(|two| two[0].white == two[1].white && two[0].white_score == two[1].white_score)
    });
    copies.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Recognised, recognise};
    use crate::tournament::Kind;

    /// All pairs of eight players once, then the given pairs again with reversed colours.
    fn table(again: &[(usize, usize)]) -> Vec<Pairing> {
        let mut games: Vec<Pairing> = Vec::new();
        for a in 0..8 {
            for b in 0..a {
                let (white, black) = if (a + b) % 2 == 0 { (a, b) } else { (b, a) };
                games.push(Pairing { white_score: Some(1.0), ..Pairing::new(white, black) });
            }
        }
        for pair in again {
            let first = games.iter().find(|game| game.pair() == *pair).expect("all pairs met");
            let again = Pairing::new(first.black, first.white);
            games.push(Pairing { white_score: Some(0.5), ..again });
        }
        games
    }

    fn recognised(games: &[Pairing], year: i16) -> Recognised {
        recognise(8, games, Circumstances { year: Some(year), ..Circumstances::default() })
    }

    #[test]
    fn three_pairs_with_both_colours_are_a_second_cycle_after_1914() {
        let games = table(&[(0, 1), (2, 3), (4, 5)]);
        assert_eq!(recognised(&games, 1991).expected_games, 56);
        assert_eq!(recognised(&games, 1880).expected_games, 28, "drawn games were replayed");
    }

    /// Rounds of a circle of players, of which the odd games of the first cycle and the even ones
    /// of the second are known.
    fn halves(players: usize) -> Vec<Pairing> {
        let rounds = players - 1;
        let mut games = Vec::new();
        for round in 0..2 * rounds {
            let mut seats = vec![players - 1];
            seats.extend((0..rounds).map(|seat| (round + seat) % rounds));
            for seat in (0..players / 2).filter(|seat| seat % 2 == round / rounds) {
                let (white, black) = (seats[seat], seats[players - 1 - seat]);
                let number = round as u16 + 1;
                games.push(Pairing { round: Some(number), ..Pairing::new(white, black) });
            }
        }
        games
    }

    #[test]
    fn rounds_that_complete_each_other_are_two_cycles() {
        let games = halves(6);
        assert_eq!(games.len(), 15);
        let found = recognised(&games, 2010);
        assert_eq!((found.kind, found.expected_games), (Kind::DoubleRoundRobin, 30));
        // The first cycle alone, or a player with two opponents in one pair of rounds.
        assert!(!rounds_repeat(6, &games[..10]));
        let mut games = games;
        games[0].round = Some(7);
        assert!(!rounds_repeat(6, &games));
    }

    #[test]
    fn a_play_off_of_three_players_is_no_second_cycle() {
        assert_eq!(recognised(&table(&[(0, 1), (0, 2), (1, 2)]), 1991).expected_games, 28);
    }

    #[test]
    fn copies_of_games_are_no_second_cycle() {
        let mut games = table(&[]);
        games.extend(games[..10].to_vec());
        assert_eq!(recognised(&games, 1991).expected_games, 28);
        // With the other colour or another result they are different games.
        for game in &mut games[28..] {
            game.white_score = Some(0.0);
        }
        assert_eq!(recognised(&games, 1991).expected_games, 56);
    }
}
