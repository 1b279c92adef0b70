//! A number by which the same moves are known again, and one by which similar ones are.

use super::masks::{BLOCK, Classify};

/// Bytes that are hashed at a time.
const SEGMENT: usize = 4096;

/// Collects the squares of the moves of one game, one behind the other in algebraic notation, without
/// anything between them, and hashes them. (Capital letters are left out: a knight is `N`, `S`, `C`, and
/// castling is its hyphens.)
///
/// Each eight bytes are mixed with their place and folded from 128 bits, so that the terms can be
/// summed in any order and no word waits for the one before. (The folded multiplication is that of
/// Wang Yi's wyhash; the constants are the digits of the golden ratio and of pi.) The hash is the
/// same on every machine, and so can be stored.
#[derive(Debug)]
pub(super) struct Fingerprint {
    /// Room for a segment and a block behind it.
    moves: Box<[u8]>,
    /// How many bytes of it are moves.
    length: usize,
    /// Words that were hashed.
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
    /// Adds bytes of a block.
    #[inline(always)]
    pub fn add_block<C: Classify>(&mut self, block: &[u8; BLOCK], chosen: u64) {
        if let Some(room) = self.moves[self.length..].first_chunk_mut() {
            C::pick(block, chosen, room);
        }
        self.length += chosen.count_ones() as usize;
        self.hash_full_segment();
    }

    /// Adds a move.
    pub fn add(&mut self, san: &[u8]) {
        for byte in san.iter().filter(|byte| !byte.is_ascii_uppercase()) {
            self.moves[self.length] = *byte;
            self.length += 1;
            self.hash_full_segment();
        }
    }

    /// The hash of all moves, and their [`trace`]. Then begins anew.
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

/// What of some moves agrees with those of another game: eight bytes, each the least of the hashes that fall to
/// it, of two squares that follow each other; 255 where none does.
///
/// Of two games the part of equal bytes estimates the part of such pairs that they have in common (A. Broder, "On
/// the resemblance and containment of documents", 1997; in one pass as by P. Li, A. Owen and C.-H. Zhang, "One
/// Permutation Hashing", 2012): a slip, a missing move, a transposition change a few of them.
fn trace(moves: &[u8]) -> u64 {
    const MIX: u32 = 0x9e37_79b1;
    let mut least = [u8::MAX; 8];
    let mut squares = 0u32;
    for two in moves.windows(2) {
        // A square ends with its rank.
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

    fn of(parts: &[&[u8]]) -> (u64, u64) {
        let mut fingerprint = Fingerprint::default();
        for part in parts {
            fingerprint.add(part);
        }
        fingerprint.finish()
    }

    #[test]
    fn the_number_is_the_same_today_as_when_it_was_stored() {
        assert_eq!(of(&[]).0, 0);
        // Reckoned by hand from the definition.
        assert_eq!(of(&[b"e4", b"e5", b"Nf3", b"Nc6"]).0, 9_935_457_318_957_553_104);
    }

    #[test]
    fn pieces_are_the_same_in_every_language() {
        let spanish = of(&[b"e4", b"e5", b"Cf3", b"Cc6", b"O-O", b"Axb5"]);
        assert_eq!(spanish, of(&[b"e4", b"e5", b"Nf3", b"Nc6", b"O-O", b"Bxb5"]));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_how_the_moves_come(
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
            prop_assert_eq!(of(&parts), of(&[&bytes]));
        }

        #[test]
        fn blocks_count_by_their_chosen_bytes(blocks in prop::collection::vec(any::<(u64, [u8; 32])>(), 0..200)) {
            let mut by_block = Fingerprint::default();
            let mut chosen_bytes = Vec::new();
            for (chosen, half) in &blocks {
                let block: [u8; BLOCK] = [*half, *half].concat().try_into().unwrap();
                // Capital letters are left out by whoever chooses.
                let small = (0..BLOCK).filter(|place| !block[*place].is_ascii_uppercase());
                let chosen = chosen & small.fold(0u64, |bits, place| bits | 1 << place);
                by_block.add_block::<Portable>(&block, chosen);
                let is_chosen = |place: &usize| chosen >> place & 1 == 1;
                chosen_bytes.extend((0..BLOCK).filter(is_chosen).map(|place| block[place]));
            }
            prop_assert_eq!(by_block.finish(), of(&[&chosen_bytes]));
        }
    }
}
