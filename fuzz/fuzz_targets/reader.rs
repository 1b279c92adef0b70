//! Any bytes: nothing panics, every line is counted, games lie one behind the other, and vectors find
//! what is found byte by byte.

#![no_main]

use greatness::pgn::ChunkReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let chunk = ChunkReader::default().read(text, true);
    let portably = ChunkReader::default().read_portably(text, true);
    assert_eq!(chunk.games, portably.games);
    assert_eq!(chunk.findings, portably.findings);
    assert_eq!(chunk.places, portably.places);
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(chunk.lines as usize, lines);
    assert_eq!(chunk.games.len(), chunk.places.len());
    let mut last = None;
    for (start, end) in chunk.places {
        assert!(start < end && last.is_none_or(|last| last == start));
        last = Some(end);
    }
    assert!(last.is_none_or(|last| last == text.len()));
});
