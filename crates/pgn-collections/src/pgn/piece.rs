//! The pieces into which the inputs are split.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_databases::Block;
use memchr::{memmem, memrchr};

use crate::source::{Budget, Damaged, Finding, ResultsForm, TextForm};

/// Receives the pieces that were produced.
pub(super) type PieceSink<'g> = &'g mut dyn FnMut(Piece);

/// The number of games of a file that no tag announced, and that were not yet deducted from its
/// budget. Other threads find them.
#[derive(Clone, Default)]
pub(super) struct UnannouncedGames(Arc<AtomicU64>);

impl UnannouncedGames {
    /// Adds the games of a piece beyond those that its tags announced.
    pub fn add(&self, found: usize, announced: u64) {
        self.0.fetch_add((found as u64).saturating_sub(announced), Ordering::Relaxed);
    }

    fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// Deducts from the budget the games that the tags of a piece announce, and those of earlier pieces
/// that no tag announced. Cuts the text after the last game that the budget pays. Returns the
/// number of announced games.
///
/// Tags are counted before a piece is read, so a file that is too large stops at its limit, not
/// when other threads have read what follows.
///
/// # Errors
///
/// Returns an error if the text was cut.
pub(super) fn deduct_games(
    text: &mut Vec<u8>,
    unannounced: &UnannouncedGames,
    budget: &Budget,
) -> (u64, io::Result<()>) {
    // Some programs write `[event "`.
    let tags = [b"vent \"", b"hite \""].map(memmem::Finder::new);
    let games = tags.each_ref().map(|tag| tag.find_iter(text).count());
    let (tag, games) =
        if games[0] < games[1] { (&tags[1], games[1]) } else { (&tags[0], games[0]) };
    let due = games as u64 + unannounced.take();
    let unpaid = due.saturating_sub(budget.games_left());
    let outcome = budget.deduct_games(due);
    if outcome.is_err() {
        let paid = games.saturating_sub(unpaid as usize);
        if let Some(place) = tag.find_iter(text).nth(paid) {
            text.truncate(start_of_game(&text[..place]));
        }
    }
    (games as u64, outcome)
}

/// Returns where the game begins in whose tags a text ends: after a blank line, or with the last
/// line.
fn start_of_game(text: &[u8]) -> usize {
    let blank = [&b"\n\n"[..], b"\n\r\n"]
        .map(|line| memmem::rfind(text, line).map(|place| place + line.len()));
    let last = memrchr(b'\n', text).map_or(0, |end| end + 1);
    blank.into_iter().flatten().max().unwrap_or(last)
}

/// One step of reading the files.
pub(super) enum Piece {
    /// A member begins.
    Begin { name: String, form: TextForm },
    /// A piece of the member's text follows. Games beyond the announced ones are counted.
    Text { text: Vec<u8>, announced: u64, unannounced: UnannouncedGames },
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
        let (unannounced, budget) = (UnannouncedGames::default(), Budget::new(4500));
        let two = b"[Event \"A\"]\n[White \"B\"]\n\n1-0\n\n[Event \"A\"]\n\n1-0\n";
        let (announced, paid) = deduct_games(&mut two.to_vec(), &unannounced, &budget);
        assert!(announced == 2 && paid.is_ok());
        // One game more than the tags announced.
        unannounced.add(3, announced);
        assert!(deduct_games(&mut b"1-0\n".to_vec(), &unannounced, &budget).1.is_ok());
        assert_eq!(budget.games_left(), 1);
        let mut more = two.to_vec();
        assert!(deduct_games(&mut more, &unannounced, &budget).1.is_err());
        assert_eq!(more, b"[Event \"A\"]\n[White \"B\"]\n\n1-0\n\n");
    }

    #[test]
    fn a_text_is_cut_between_games_by_the_tag_that_more_of_them_have() {
        let whole = b"[White \"A\"]\n\n1-0\n\n[event \"B\"]\n[White \"C\"]\n\n1-0\n";
        let mut text = whole.to_vec();
        let budget = Budget::new(1500);
        assert!(deduct_games(&mut text, &UnannouncedGames::default(), &budget).1.is_err());
        assert_eq!(text, b"[White \"A\"]\n\n1-0\n\n");
    }
}
