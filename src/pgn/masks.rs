//! Which of 64 bytes are what: one bit each, so that questions about all of them are single
//! instructions.
//!
//! After G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28 (2019),
//! section 3: classify bytes by vector comparisons, then work on the bits.

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// Bits of bytes in moves; bit 0 is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveMasks {
    /// `0` to `9`.
    pub digit: u64,
    /// `A` to `Z`, `a` to `z`.
    pub letter: u64,
    /// `A` to `Z`.
    pub upper: u64,
    /// What moves, numbers and results are written with: letters, digits, `-`, `/`, `=`.
    pub token: u64,
    /// `=`.
    pub equals: u64,
    /// Line feed.
    pub newline: u64,
    /// What begins or ends something: `{}[]()*$;%`, NUL, and all beyond ASCII.
    pub special: u64,
}

/// Bits of bytes in a line of tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TagMasks {
    /// `"`.
    pub quote: u64,
    /// Line feed.
    pub newline: u64,
    /// `\` and NUL: what cannot be taken as it stands.
    pub odd: u64,
}

/// A way to classify bytes, chosen once for a chunk by what the processor can do.
pub(super) trait Classify {
    /// Bits of bytes in moves.
    fn moves(bytes: &[u8; BLOCK]) -> MoveMasks;
    /// Bits of bytes in a line of tags.
    fn tags(bytes: &[u8; BLOCK]) -> TagMasks;
}

/// The classes of each byte in moves, a bit for each mask.
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

/// Byte by byte; works everywhere, and says what the others must say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Classify for Portable {
    fn moves(bytes: &[u8; BLOCK]) -> MoveMasks {
        let mut masks = MoveMasks::default();
        for (place, byte) in bytes.iter().enumerate() {
            let class = CLASSES[usize::from(*byte)];
            let bit = |number: u32| u64::from(class >> number & 1) << place;
            masks.digit |= bit(0);
            masks.letter |= bit(1);
            masks.upper |= bit(2);
            masks.token |= bit(3);
            masks.equals |= bit(4);
            masks.newline |= bit(5);
            masks.special |= bit(6);
        }
        masks
    }

    fn tags(bytes: &[u8; BLOCK]) -> TagMasks {
        let mut masks = TagMasks::default();
        for (place, byte) in bytes.iter().enumerate() {
            let bit = |is: bool| u64::from(is) << place;
            masks.quote |= bit(*byte == b'"');
            masks.newline |= bit(*byte == b'\n');
            masks.odd |= bit(matches!(byte, b'\\' | 0));
        }
        masks
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use vectors::Avx2;

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;

    use super::{BLOCK, Classify, MoveMasks, TagMasks};

    /// 32 bytes at a time. Only to be used where [`Avx2::is_there`].
    #[derive(Clone, Copy, Debug)]
    pub(in crate::pgn) struct Avx2;

    impl Avx2 {
        /// Whether this processor can.
        pub fn is_there() -> bool {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        }
    }

    impl Classify for Avx2 {
        #[inline(always)]
        fn moves(bytes: &[u8; BLOCK]) -> MoveMasks {
            // SAFETY: this type is used behind `is_there` only.
            unsafe { moves_avx2(bytes) }
        }

        #[inline(always)]
        fn tags(bytes: &[u8; BLOCK]) -> TagMasks {
            // SAFETY: as above.
            unsafe { tags_avx2(bytes) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn moves_avx2(bytes: &[u8; BLOCK]) -> MoveMasks {
        let mut masks = MoveMasks::default();
        let set = |byte: u8| _mm256_set1_epi8(byte as i8);
        let (parts, _) = bytes.as_chunks::<32>();
        for (place, part) in parts.iter().enumerate() {
            // SAFETY: an unaligned load of 32 bytes from an array of 32 bytes.
            let v = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
            // `[` and `{`, `]` and `}` differ only in the bit that makes letters lower case; beyond
            // ASCII is what has its highest bit set, which is the bit that `bits` takes.
            let lower = _mm256_or_si256(v, set(0x20));
            let is = |byte: u8| _mm256_cmpeq_epi8(v, set(byte));
            let within = |v: __m256i, first: u8, last: u8| {
                let from_first = _mm256_sub_epi8(v, set(first));
                _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, set(last - first)), from_first)
            };
            let or = |a, b| _mm256_or_si256(a, b);
            let letter = within(lower, b'a', b'z');
            let digit = within(v, b'0', b'9');
            let equals = is(b'=');
            let token = or(or(letter, digit), or(equals, or(is(b'-'), is(b'/'))));
            let braces =
                or(_mm256_cmpeq_epi8(lower, set(b'{')), _mm256_cmpeq_epi8(lower, set(b'}')));
            let marks = or(within(v, b'(', b'*'), within(v, b'$', b'%'));
            let special = or(or(braces, marks), or(or(is(b';'), is(0)), v));
            let bits = |v: __m256i| u64::from(_mm256_movemask_epi8(v) as u32) << (32 * place);
            masks.digit |= bits(digit);
            masks.letter |= bits(letter);
            masks.upper |= bits(_mm256_andnot_si256(_mm256_slli_epi16::<2>(v), letter));
            masks.token |= bits(token);
            masks.equals |= bits(equals);
            masks.newline |= bits(is(b'\n'));
            masks.special |= bits(special);
        }
        masks
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn tags_avx2(bytes: &[u8; BLOCK]) -> TagMasks {
        let mut masks = TagMasks::default();
        let set = |byte: u8| _mm256_set1_epi8(byte as i8);
        let (parts, _) = bytes.as_chunks::<32>();
        for (place, part) in parts.iter().enumerate() {
            // SAFETY: an unaligned load of 32 bytes from an array of 32 bytes.
            let v = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
            let is = |byte: u8| _mm256_cmpeq_epi8(v, set(byte));
            let bits = |v: __m256i| u64::from(_mm256_movemask_epi8(v) as u32) << (32 * place);
            masks.quote |= bits(is(b'"'));
            masks.newline |= bits(is(b'\n'));
            masks.odd |= bits(_mm256_or_si256(is(b'\\'), is(0)));
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_ways_to_classify_bytes_agree(bytes in proptest::array::uniform32(any::<[u8; 2]>())) {
            let bytes: [u8; BLOCK] = bytes.concat().try_into().unwrap();
            let (moves, tags) = (Portable::moves(&bytes), Portable::tags(&bytes));
            #[cfg(target_arch = "x86_64")]
            if Avx2::is_there() {
                prop_assert_eq!(Avx2::moves(&bytes), moves);
                prop_assert_eq!(Avx2::tags(&bytes), tags);
            }
            let _ = (moves, tags);
        }
    }
}
