//! Computes masks byte by byte, on every processor.

use super::{BLOCK, Classify, MoveMasks, TagMasks};

/// The classes of each byte in movetext, one bit per mask.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut number = 0;
    while number < 256 {
        let byte = number as u8;
        let token = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/' | b'=');
        let special = matches!(
            byte,
            b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'*' | b'$' | b';' | b'%' | 0 | 0x80..
        );
        classes[number] = byte.is_ascii_digit() as u8
            | (byte.is_ascii_alphabetic() as u8) << 1
            | (byte.is_ascii_uppercase() as u8) << 2
            | (token as u8) << 3
            | ((byte == b'=') as u8) << 4
            | ((byte == b'\n') as u8) << 5
            | (special as u8) << 6;
        number += 1;
    }
    classes
}

/// Computes masks byte by byte. It is the reference for the vector methods.
#[derive(Clone, Copy, Debug)]
pub(in crate::pgn) struct Portable;

impl Classify for Portable {
    fn moves(bytes: &[u8; BLOCK]) -> MoveMasks {
        let mut masks = MoveMasks::default();
        for (place, byte) in bytes.iter().enumerate() {
            let class = CLASSES[usize::from(*byte)];
            masks.digit |= u64::from(class & 1) << place;
            masks.letter |= u64::from(class >> 1 & 1) << place;
            masks.upper |= u64::from(class >> 2 & 1) << place;
            masks.token |= u64::from(class >> 3 & 1) << place;
            masks.equals |= u64::from(class >> 4 & 1) << place;
            masks.newline |= u64::from(class >> 5 & 1) << place;
            masks.special |= u64::from(class >> 6 & 1) << place;
        }
        masks
    }

    fn tags(bytes: &[u8; BLOCK]) -> TagMasks {
        let mut masks = TagMasks::default();
        for (place, byte) in bytes.iter().enumerate() {
            masks.quote |= u64::from(*byte == b'"') << place;
            masks.newline |= u64::from(*byte == b'\n') << place;
            masks.odd |= u64::from(matches!(byte, b'\\' | 0)) << place;
        }
        masks
    }

    fn pick(bytes: &[u8; BLOCK], mut chosen: u64, picked: &mut [u8; BLOCK]) {
        for slot in picked {
            if chosen == 0 {
                return;
            }
            *slot = bytes[chosen.trailing_zeros() as usize];
            chosen &= chosen - 1;
        }
    }
}
