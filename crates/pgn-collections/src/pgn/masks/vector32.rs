//! Computes masks with AVX2, 32 bytes at a time.

use std::arch::x86_64::*;

use super::{BLOCK, Classify, MoveMasks, TagMasks};

/// Computes masks with AVX2. Use it only if [`Vector32::is_there`] returns `true`.
#[derive(Clone, Copy, Debug)]
pub(in crate::pgn) struct Vector32;

impl Vector32 {
    /// Returns whether the processor has the instructions.
    pub fn is_there() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

impl Classify for Vector32 {
    #[inline(always)]
    fn moves(bytes: &[u8; BLOCK]) -> MoveMasks {
        // SAFETY: this type is used only after `is_there` returned `true`.
        unsafe { moves(bytes) }
    }

    #[inline(always)]
    fn tags(bytes: &[u8; BLOCK]) -> TagMasks {
        // SAFETY: this type is used only after `is_there` returned `true`.
        unsafe { tags(bytes) }
    }

    #[inline(always)]
    fn pick(bytes: &[u8; BLOCK], chosen: u64, picked: &mut [u8; BLOCK]) {
        // SAFETY: this type is used only after `is_there` returned `true`.
        unsafe { pick(bytes, chosen, picked) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn moves(bytes: &[u8; BLOCK]) -> MoveMasks {
    let mut masks = MoveMasks::default();
    let set = |byte: u8| _mm256_set1_epi8(byte as i8);
    let (parts, _) = bytes.as_chunks::<32>();
    for (place, part) in parts.iter().enumerate() {
        // SAFETY: an unaligned load of 32 bytes from an array of 32 bytes.
        let v = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
        // `[` and `{`, `]` and `}` differ only in the bit that makes letters lower case. Bytes
        // beyond ASCII have their highest bit set, which is the bit that `bits` extracts.
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
        let braces = or(_mm256_cmpeq_epi8(lower, set(b'{')), _mm256_cmpeq_epi8(lower, set(b'}')));
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
fn tags(bytes: &[u8; BLOCK]) -> TagMasks {
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

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn pick(bytes: &[u8; BLOCK], chosen: u64, picked: &mut [u8; BLOCK]) {
    let (words, _) = bytes.as_chunks::<8>();
    let mut place = 0;
    for (number, word) in words.iter().enumerate() {
        let bits = chosen >> (8 * number) & 0xff;
        // Spread the bit of each byte to all eight bits of the byte.
        let whole = _pdep_u64(bits, 0x0101_0101_0101_0101) * 0xff;
        let together = _pext_u64(u64::from_le_bytes(*word), whole).to_le_bytes();
        // If nearly all bytes are chosen, fewer than eight bytes remain for the last words.
        let room = (BLOCK - place).min(8);
        picked[place..place + room].copy_from_slice(&together[..room]);
        place += bits.count_ones() as usize;
    }
}
