//! Any bytes: pieces of any size give the games and the findings of the whole.

#![no_main]

use greatness::games::{Game, GameTable};
use greatness::pgn::{ReadOptions, read_text};
use greatness::source::Diagnostic;
use libfuzzer_sys::fuzz_target;

fn read(text: &[u8], chunk: usize) -> (Vec<Game>, Vec<String>, Vec<Diagnostic>) {
    let mut table = GameTable::default();
    let mut diagnostics = Vec::new();
    let options = ReadOptions { threads: 1, chunk, ..ReadOptions::default() };
    read_text("fuzz", text, options, &mut table, &mut diagnostics);
    let names = table.names.iter().map(|(_, name)| name.to_owned()).collect();
    (table.games().to_vec(), names, diagnostics)
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, text) = input;
    assert_eq!(read(text, 64 + usize::from(size)), read(text, 1 << 20));
});
