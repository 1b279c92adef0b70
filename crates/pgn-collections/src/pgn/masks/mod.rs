//! Classifies 64 bytes at a time into masks of one bit per byte.
//!
//! Single instructions then answer questions about all 64 bytes.
//!
//! Source: G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28
//! (2019), section 3.

mod portable;
#[cfg(target_arch = "x86_64")]
mod vector32;
#[cfg(target_arch = "x86_64")]
mod vector64;

pub(super) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(super) use {vector32::Vector32, vector64::Vector64};

/// Number of bytes that are classified together.
pub(super) const BLOCK: usize = 64;

/// Masks of bytes in movetext. Bit 0 is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveMasks {
    /// `0` to `9`.
    pub digit: u64,
    /// `A` to `Z`, `a` to `z`.
    pub letter: u64,
    /// `A` to `Z`.
    pub upper: u64,
    /// Characters of moves, numbers and results: letters, digits, `-`, `/`, `=`.
    pub token: u64,
    /// `=`.
    pub equals: u64,
    /// Line feed.
    pub newline: u64,
    /// Delimiters and others that need care: `{}[]()*$;%`, NUL, and everything beyond ASCII.
    pub special: u64,
}

/// Masks of bytes in a line of tags. Bit 0 is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TagMasks {
    /// `"`.
    pub quote: u64,
    /// Line feed.
    pub newline: u64,
    /// `\` and NUL, which need cleaning.
    pub odd: u64,
}

/// A method of classifying bytes. Each chunk uses the fastest one that the processor has.
pub(super) trait Classify {
    /// Returns the masks of bytes in movetext.
    fn moves(bytes: &[u8; BLOCK]) -> MoveMasks;
    /// Returns the masks of bytes in a line of tags.
    fn tags(bytes: &[u8; BLOCK]) -> TagMasks;
    /// Writes the bytes whose bits are set to the beginning of `picked`. The bytes after them have
    /// no meaning.
    fn pick(bytes: &[u8; BLOCK], chosen: u64, picked: &mut [u8; BLOCK]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[cfg(target_arch = "x86_64")]
    fn picked<C: Classify>(bytes: &[u8; BLOCK], chosen: u64) -> Vec<u8> {
        let mut picked = [0; BLOCK];
        C::pick(bytes, chosen, &mut picked);
        picked[..chosen.count_ones() as usize].to_vec()
    }

    proptest! {
        #[test]
        fn all_methods_of_classifying_bytes_agree(
            bytes in proptest::array::uniform32(any::<[u8; 2]>()),
            chosen: u64,
        ) {
            let bytes: [u8; BLOCK] = bytes.concat().try_into().unwrap();
            let (moves, tags) = (Portable::moves(&bytes), Portable::tags(&bytes));
            #[cfg(target_arch = "x86_64")]
            {
                let expected = picked::<Portable>(&bytes, chosen);
                if Vector32::is_there() {
                    prop_assert_eq!(Vector32::moves(&bytes), moves);
                    prop_assert_eq!(Vector32::tags(&bytes), tags);
                    prop_assert_eq!(&picked::<Vector32>(&bytes, chosen), &expected);
                }
                if Vector64::is_there() {
                    prop_assert_eq!(Vector64::moves(&bytes), moves);
                    prop_assert_eq!(Vector64::tags(&bytes), tags);
                    prop_assert_eq!(&picked::<Vector64>(&bytes, chosen), &expected);
                }
            }
            let _ = (moves, tags, chosen);
        }
    }
}
