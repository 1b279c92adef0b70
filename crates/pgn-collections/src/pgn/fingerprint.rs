//! Hashes of the moves of a game: the fingerprint finds equal moves, the trace similar ones.

use super::masks::{BLOCK, Classify};

/// Number of bytes that are hashed at a time.
const SEGMENT: usize = 4096;

/// Collects the moves of one game in algebraic notation and hashes them.
///
/// Capital letters are left out, because the letters of pieces differ between languages: a knight
/// is `N`, `S` or `C`. Castling is represented by its hyphens.
///
/// Each word of eight bytes is mixed with its place and folded from 128 to 64 bits. The terms are
/// summed, so no word depends on the one before. The hash is the same on every machine and can be
/// stored.
///
/// Source of the folded multiplication: Wang Yi, wyhash. The constants are digits of the golden
/// ratio and of pi.
#[derive(Debug)]
pub(super) struct Fingerprint {
    /// Buffer for a segment and a block after it.
    moves: Box<[u8]>,
    /// Number of bytes of the buffer that are moves.
    length: usize,
    /// Number of words hashed so far.
    words: u64,
    sum: u64,
    trace: u64,
}

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        let moves = vec![0; SEGMENT + BLOCK].into_boxed_slice();
        Fingerprint { moves, length: 0, words: 0, sum: 0, trace: 0 }
    }
}

impl Fingerprint {
    /// Adds the bytes of a block whose bits are set in `chosen`.
    #[inline(always)]
    pub fn add_block<C: Classify>(&mut self, block: &[u8; BLOCK], chosen: u64) {
        if let Some(room) = self.moves[self.length..].first_chunk_mut() {
            C::pick(block, chosen, room);
        }
        self.length += chosen.count_ones() as usize;
        self.hash_full_segment();
    }

    /// Adds a move in algebraic notation.
    pub fn add(&mut self, san: &[u8]) {
        for byte in san.iter().filter(|byte| !byte.is_ascii_uppercase()) {
            self.moves[self.length] = *byte;
            self.length += 1;
            self.hash_full_segment();
        }
    }

    /// Returns the hash of all moves and their [`trace`], and resets the collector.
    #[inline(always)]
    pub fn finish(&mut self) -> (u64, u64) {
        let bytes = 8 * self.words + self.length as u64;
        if self.words == 0 {
            self.trace = trace(&self.moves[..self.length]);
        }
        let whole = self.length.next_multiple_of(8);
        self.moves[self.length..whole].fill(0);
        self.hash(whole);
        let hash = self.sum ^ bytes;
        let trace = self.trace;
        (self.length, self.words, self.sum, self.trace) = (0, 0, 0, 0);
        (hash, trace)
    }

    #[inline(always)]
    fn hash_full_segment(&mut self) {
        if self.length >= SEGMENT {
            if self.words == 0 {
                self.trace = trace(&self.moves[..SEGMENT]);
            }
            self.hash(SEGMENT);
            self.moves.copy_within(SEGMENT..self.length, 0);
            self.length -= SEGMENT;
        }
    }

    #[inline(always)]
    fn hash(&mut self, length: usize) {
        const PLACE: u64 = 0x9e37_79b9_7f4a_7c15;
        const MIX: u64 = 0x243f_6a88_85a3_08d3;
        let (words, _) = self.moves[..length].as_chunks::<8>();
        let mut place = self.words.wrapping_mul(PLACE);
        for word in words {
            place = place.wrapping_add(PLACE);
            let product = u128::from(u64::from_le_bytes(*word) ^ place) * u128::from(MIX);
            self.sum = self.sum.wrapping_add(product as u64 ^ (product >> 64) as u64);
        }
        self.words += words.len() as u64;
    }
}

/// Returns a MinHash signature of eight bytes, by which the moves of two games can be compared.
///
/// Each pair of successive squares is hashed into one of eight bins. Each byte is the least hash of
/// its bin, or 255 if the bin is empty. The proportion of equal bytes in two traces estimates the
/// proportion of pairs that the games share. A slip, a missing move or a transposition changes few
/// bytes.
///
/// Source: A. Broder, "On the resemblance and containment of documents" (1997); P. Li, A. Owen and
/// C.-H. Zhang, "One Permutation Hashing" (2012).
fn trace(moves: &[u8]) -> u64 {
    const MIX: u32 = 0x9e37_79b1;
    let mut least = [u8::MAX; 8];
    let mut squares = 0u32;
    for two in moves.windows(2) {
        // A square ends with the digit of its rank.
        if two[1].is_ascii_digit() {
            squares = squares << 16 | u32::from(two[0]) << 8 | u32::from(two[1]);
            let hash = squares.wrapping_mul(MIX);
            let lane = &mut least[(hash >> 29) as usize];
            *lane = (*lane).min((hash >> 21) as u8);
        }
    }
    u64::from_le_bytes(least)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::masks::Portable;

    fn fingerprint_of(parts: &[&[u8]]) -> (u64, u64) {
        let mut fingerprint = Fingerprint::default();
        for part in parts {
            fingerprint.add(part);
        }
        fingerprint.finish()
    }

    #[test]
    fn the_hash_equals_the_stored_one() {
        assert_eq!(fingerprint_of(&[]).0, 0);
        // Computed by hand from the definition.
        assert_eq!(fingerprint_of(&[b"e4", b"e5", b"Nf3", b"Nc6"]).0, 9_935_457_318_957_553_104);
    }

    #[test]
    fn the_language_of_the_pieces_does_not_matter() {
        let spanish = fingerprint_of(&[b"e4", b"e5", b"Cf3", b"Cc6", b"O-O", b"Axb5"]);
        assert_eq!(spanish, fingerprint_of(&[b"e4", b"e5", b"Nf3", b"Nc6", b"O-O", b"Bxb5"]));
    }

    proptest! {
        #[test]
        fn the_hash_does_not_depend_on_how_the_moves_are_split(
            bytes in prop::collection::vec(any::<u8>(), 0..10_000),
            sizes in prop::collection::vec(1usize..200, 1..20),
        ) {
            let mut rest = &bytes[..];
            let mut parts = Vec::new();
            for size in sizes.iter().cycle() {
                let (part, behind) = rest.split_at((*size).min(rest.len()));
                parts.push(part);
                rest = behind;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(fingerprint_of(&parts), fingerprint_of(&[&bytes]));
        }

        #[test]
        fn a_block_counts_by_its_chosen_bytes(blocks in prop::collection::vec(any::<(u64, [u8; 32])>(), 0..200)) {
            let mut by_block = Fingerprint::default();
            let mut chosen_bytes = Vec::new();
            for (chosen, half) in &blocks {
                let block: [u8; BLOCK] = [*half, *half].concat().try_into().unwrap();
                // The caller does not choose capital letters.
                let small = (0..BLOCK).filter(|place| !block[*place].is_ascii_uppercase());
                let chosen = chosen & small.fold(0u64, |bits, place| bits | 1 << place);
                by_block.add_block::<Portable>(&block, chosen);
                let places = (0..BLOCK).filter(|place| chosen >> place & 1 == 1);
                chosen_bytes.extend(places.map(|place| block[place]));
            }
            prop_assert_eq!(by_block.finish(), fingerprint_of(&[&chosen_bytes]));
        }
    }
}
