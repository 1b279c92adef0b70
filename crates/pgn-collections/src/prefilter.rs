//! What has a key in common with something else, without sorting all of it.

/// Leaves out most of what has a key (a hash) of its own, in one pass over bits and one over the list.
pub fn keep_repeated<T>(all: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    let bits = (8 * all.len()).next_power_of_two().max(64);
    let (mut once, mut again) = (vec![0u64; bits / 64], vec![0u64; bits / 64]);
    let place = |one: &T| {
        // The upper bits of a product are its best ones.
        let bit = (key(one).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize % bits;
        (bit / 64, 1u64 << (bit % 64))
    };
    for one in all.iter() {
        let (word, bit) = place(one);
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    all.retain(|one| {
        let (word, bit) = place(one);
        again[word] & bit != 0
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_key_in_common_stays_and_most_else_goes() {
        let mut all: Vec<u64> = (0..10_000).chain(500..600).collect();
        keep_repeated(&mut all, |number| *number);
        for number in 500..600 {
            assert_eq!(all.iter().filter(|other| **other == number).count(), 2);
        }
        assert!(all.len() < 3_000, "{} of 10,100 stay", all.len());
    }
}
