//! Damage to one of five games leaves the four others as they were.

#![no_main]

use std::sync::OnceLock;

use greatness::games::GameTable;
use greatness::pgn::{ReadOptions, read_text};
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/pgn.rs"]
mod pgn;

fn read(text: &[u8]) -> GameTable {
    let mut table = GameTable::default();
    let options = ReadOptions { threads: 1, ..ReadOptions::default() };
    read_text("fuzz", text, options, &mut table, &mut Vec::new());
    table
}

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    static WHOLE: OnceLock<GameTable> = OnceLock::new();
    let (game, place, length, inserted) = input;
    let game = usize::from(game) % 5;
    let (before, after) =
        pgn::damaged(game, usize::from(place) % 1000, usize::from(length), inserted);
    let whole = WHOLE.get_or_init(|| read(&before));
    assert_eq!(pgn::harmed(whole, &read(&after), game), Vec::<String>::new());
});
