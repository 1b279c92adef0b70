//! Feeds arbitrary bytes to every parser: `GREATNESS_FUZZ=reader greatness-fuzz CORPUS...`, with
//! libFuzzer's flags.
//!
//! All targets are one program, because each would link every crate. `fuzz/run` builds the program
//! with coverage instrumentation for libFuzzer, and runs all targets.

#![cfg_attr(not(test), no_main)]

mod targets;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    static TARGET: OnceLock<fn(&[u8])> = OnceLock::new();
    let target = TARGET.get_or_init(|| {
        let name = std::env::var("GREATNESS_FUZZ").unwrap_or_default();
        let named = targets::ALL.iter().find(|(known, _)| *known == name);
        let names: Vec<&str> = targets::ALL.iter().map(|(name, _)| *name).collect();
        named.unwrap_or_else(|| panic!("GREATNESS_FUZZ must be one of {}", names.join(" "))).1
    });
    target(bytes);
});
