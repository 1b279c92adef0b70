//! The pieces into which the inputs are split.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_databases::Block;
use memchr::memmem;

use crate::source::{Budget, Damaged, Finding, ResultsForm, TextForm};

/// Receives the pieces that were produced.
pub(super) type PieceSink<'g> = &'g mut dyn FnMut(Piece);

/// The number of games of a file that were read so far. Other threads read them.
#[derive(Clone, Default)]
pub(super) struct FoundGames(Arc<AtomicU64>);

impl FoundGames {
    pub fn add(&self, games: usize) {
        self.0.fetch_add(games as u64, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the games of a file cost in memory.
///
/// Tags count the games of a piece before it is read, so a file that is too large stops at its
/// limit, not when other threads have read what follows. Games without these tags cost as soon as
/// they were found.
#[derive(Default)]
pub(super) struct GameCosts {
    pub found: FoundGames,
    announced: Cell<u64>,
    deducted: Cell<u64>,
}

impl GameCosts {
    /// Deducts the games of the next piece of text from the budget. Cuts the text after the last
    /// game that the budget pays.
    ///
    /// # Errors
    ///
    /// Returns an error if the text was cut.
    pub fn deduct(&self, text: &mut Vec<u8>, budget: &Budget) -> io::Result<()> {
        let tags = [b"[Event ", b"[White "].map(memmem::Finder::new);
        let games = tags.each_ref().map(|tag| tag.find_iter(text).count());
        let (tag, games) =
            if games[0] < games[1] { (&tags[1], games[1]) } else { (&tags[0], games[0]) };
        self.announced.set(self.announced.get() + games as u64);
        let due = self.announced.get().max(self.found.get());
        let more = due - self.deducted.replace(due);
        let unpaid = more.saturating_sub(budget.games_left());
        let outcome = budget.deduct_games(more);
        if outcome.is_err() {
            let paid = games.saturating_sub(unpaid as usize);
            let end = tag.find_iter(text).nth(paid).unwrap_or(text.len());
            text.truncate(end);
        }
        outcome
    }
}

/// One step of reading the files.
pub(super) enum Piece {
    /// A member begins.
    Begin { name: String, form: TextForm },
    /// A piece of the member's text follows. Its games are added to those found.
    Text { text: Vec<u8>, found: FoundGames },
    /// Games of the member, which is a database.
    Games(Box<Block>),
    /// Findings about the member as a whole.
    Notes(Vec<Finding>),
    /// The member is a table of results, with this whole text.
    Results { form: ResultsForm, name: String, text: Vec<u8> },
    /// The member ends.
    End,
    /// A member, or its remainder, cannot be read.
    Damaged(Damaged),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_cost_before_they_are_read_and_only_once() {
        let (costs, budget) = (GameCosts::default(), Budget::new(4500));
        let two = b"[Event \"A\"]\n[White \"B\"]\n\n1-0\n\n[Event \"A\"]\n\n1-0\n";
        assert!(costs.deduct(&mut two.to_vec(), &budget).is_ok());
        costs.found.add(2);
        assert!(costs.deduct(&mut b"1-0\n".to_vec(), &budget).is_ok());
        costs.found.add(1);
        assert!(costs.deduct(&mut Vec::new(), &budget).is_ok());
        let mut more = two.to_vec();
        assert!(costs.deduct(&mut more, &budget).is_err());
        assert_eq!(more, b"[Event \"A\"]\n[White \"B\"]\n\n1-0\n\n");
    }
}
