//! Computes masks with AVX-512, 64 bytes at a time. Its comparisons yield masks directly.

use std::arch::x86_64::*;

use super::{BLOCK, Classify, MoveMasks, TagMasks};

/// Computes masks with AVX-512. Use it only if [`Vector64::is_there`] returns `true`.
#[derive(Clone, Copy, Debug)]
pub(in crate::pgn) struct Vector64;

impl Vector64 {
    /// Returns whether the processor has the instructions.
    pub fn is_there() -> bool {
        super::Vector32::is_there()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
    }
}

impl Classify for Vector64 {
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
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi2")]
fn moves(bytes: &[u8; BLOCK]) -> MoveMasks {
    let set = |byte: u8| _mm512_set1_epi8(byte as i8);
    // SAFETY: an unaligned load of 64 bytes from an array of 64 bytes.
    let v = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(v, set(byte));
    let within = |v: __m512i, first: u8, last: u8| {
        _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, set(first)), set(last - first))
    };
    // The tricks with the case bit and the highest bit are those of `Vector32`.
    let lower = _mm512_or_si512(v, set(0x20));
    let is_lower = |byte: u8| _mm512_cmpeq_epi8_mask(lower, set(byte));
    let letter = within(lower, b'a', b'z');
    let digit = within(v, b'0', b'9');
    let equals = is(b'=');
    MoveMasks {
        digit,
        letter,
        upper: within(v, b'A', b'Z'),
        token: letter | digit | equals | is(b'-') | is(b'/'),
        equals,
        newline: is(b'\n'),
        special: is_lower(b'{')
            | is_lower(b'}')
            | within(v, b'(', b'*')
            | within(v, b'$', b'%')
            | is(b';')
            | is(0)
            | _mm512_movepi8_mask(v),
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi2")]
fn tags(bytes: &[u8; BLOCK]) -> TagMasks {
    // SAFETY: an unaligned load of 64 bytes from an array of 64 bytes.
    let v = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(byte as i8));
    TagMasks { quote: is(b'"'), newline: is(b'\n'), odd: is(b'\\') | is(0) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi2")]
fn pick(bytes: &[u8; BLOCK], chosen: u64, picked: &mut [u8; BLOCK]) {
    // SAFETY: an unaligned load of 64 bytes from an array of 64 bytes, and a store to another.
    unsafe {
        let v = _mm512_loadu_si512(bytes.as_ptr().cast());
        let together = _mm512_maskz_compress_epi8(chosen, v);
        _mm512_storeu_si512(picked.as_mut_ptr().cast(), together);
    }
}
