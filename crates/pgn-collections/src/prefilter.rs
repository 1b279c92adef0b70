//! Finds items that share a key with another item, without sorting all items.

/// Removes most items whose key no other item has.
///
/// The key is a hash. Items that share a key always stay. A few others stay too, because two keys
/// may fall on one bit. The function passes over the list twice.
pub fn keep_repeated<T>(items: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    let bits = (8 * items.len()).next_power_of_two().max(64);
    let (mut once, mut again) = (vec![0u64; bits / 64], vec![0u64; bits / 64]);
    for item in items.iter() {
        let (word, bit) = place_of_bit(key(item), bits);
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    items.retain(|item| {
        let (word, bit) = place_of_bit(key(item), bits);
        again[word] & bit != 0
    });
}

/// The word of a key's bit, and the bit within it.
#[inline]
fn place_of_bit(key: u64, bits: usize) -> (usize, u64) {
    // The upper bits of a product are mixed best.
    let bit = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize % bits;
    (bit / 64, 1u64 << (bit % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_a_shared_key_stay_and_most_others_go() {
        let mut numbers: Vec<u64> = (0..10_000).chain(500..600).collect();
        keep_repeated(&mut numbers, |number| *number);
        for number in 500..600 {
            assert_eq!(numbers.iter().filter(|other| **other == number).count(), 2);
        }
        assert!(numbers.len() < 3_000, "{} of 10,100 stay", numbers.len());
    }
}
