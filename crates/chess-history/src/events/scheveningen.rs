//! Recognises Scheveningen events: each player of one side meets all players of the other.

use super::pairing_table::{PairCounts, TableRounds};
use super::recognised::{MissingGame, Recognised};
use crate::tournament::Kind;

impl PairCounts {
    /// Splits a field into two sides such that no player met another of the same side.
    ///
    /// Returns `None` if there are no such sides, or a player could be on either.
    pub fn sides(&self) -> Option<[Vec<usize>; 2]> {
        let first = *self.active.first()?;
        let mut side_of: Vec<Option<usize>> = vec![None; self.games.len()];
        side_of[first] = Some(0);
        let mut others: Vec<Vec<usize>> = vec![Vec::new(); self.games.len()];
        for &((a, b), _) in &self.met {
            others[a].push(b);
            others[b].push(a);
        }
        let mut next = vec![first];
        while let Some(player) = next.pop() {
            for &other in &others[player] {
                match side_of[other] {
                    None => {
                        side_of[other] = side_of[player].map(|side| 1 - side);
                        next.push(other);
                    }
                    Some(_) if side_of[other] == side_of[player] => return None,
                    Some(_) => {}
                }
            }
        }
        if self.active.iter().any(|player| side_of[*player].is_none()) {
            return None;
        }
        let (own, others) = self.active.iter().partition(|player| side_of[**player] == Some(0));
        Some([own, others])
    }

    /// Recognises a Scheveningen of two sides with at least three players each.
    ///
    /// Each player meets all players of the other side once or several times. Up to two fifths of
    /// the games may be missing. With more gaps it may be any event of two sides that did not meet.
    pub fn scheveningen(&self, rounds: Option<&TableRounds>) -> Option<Recognised> {
        let [own, others] = self.sides()?;
        if own.len() < 3 || others.len() < 3 {
            return None;
        }
        let usual = self.usual_games_of_pair();
        let begun = (usual + 1..=2 * usual).rev().find(|games| {
            let pairs = self.pairs_with(*games);
            // With three players a side there is sometimes a fourth round.
            3 * pairs > own.len() * others.len()
        });
        let by_rounds = rounds
            .and_then(|rounds| rounds.begun_cycles(usual, own.len().max(others.len())))
            .filter(|cycles| self.pairs_with(usual + 1) > 0 && *cycles <= 2 * usual);
        let cycles = begun.into_iter().chain(by_rounds).max().unwrap_or(usual);
        // All games are between the sides. The missing pairs are listed only after this check: the
        // two sides of a chain or knock-out of thousands of players would have millions.
        let expected = own.len() * others.len() * cycles;
        let placed: usize = self.met.iter().map(|(_, count)| (*count).min(cycles)).sum();
        if placed * 5 < expected * 3 {
            return None;
        }
        let mut missing = Vec::new();
        for &a in &own {
            for &b in &others {
                let count = self.count(a, b);
                if count < cycles {
                    missing.push(MissingGame::of_pair(a, b, cycles - count));
                }
            }
        }
        let mut expected_of = vec![0; self.games.len()];
        for &player in &own {
            expected_of[player] = others.len() * cycles;
        }
        for &player in &others {
            expected_of[player] = own.len() * cycles;
        }
        let found = Recognised::new(Kind::Scheveningen, expected, placed, expected_of);
        Some(Recognised { cycles, missing, ..found })
    }
}

#[cfg(test)]
mod tests {
    use crate::events::recognise_pairs;
    use crate::tournament::Kind;

    #[test]
    fn a_chain_of_thousands_of_players_lists_no_missing_pairs() {
        let chain: Vec<(usize, usize)> = (0..20_000).map(|place| (place, place + 1)).collect();
        let found = recognise_pairs(20_001, &chain);
        assert_ne!(found.kind, Kind::Scheveningen);
        assert!(found.missing.len() <= 20_000);
    }
}
