//! The substitution by which ChessBase stores the bytes of moves.

/// How the moves of a game are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    table: &'static [u8; 256],
    /// Whether the number of moves so far is subtracted before the substitution, or after it.
    subtracts_first: bool,
    /// Whether every move has two bytes.
    pub is_simple: bool,
    /// Whether squares are numbered from h8 instead of a1, and a move states its target first.
    pub is_reversed: bool,
}

/// The substitutions of the encodings with the numbers 0 to 7, 10 and 11, in this order.
///
/// Source: the tables that the project Morphy found in ChessBase (`KeyProvider`).
static TABLES: &[u8; 10 * 256] = include_bytes!("../../data/substitutions.bin");

impl Encoding {
    /// Returns the encoding with a number; `None` if it is that of a variant that is not read.
    pub fn new(number: u8) -> Option<Encoding> {
        let place = match number {
            0..=7 => number,
            10 | 11 => number - 2,
            _ => return None,
        };
        let (tables, _) = TABLES.as_chunks::<256>();
        Some(Encoding {
            table: tables.get(usize::from(place))?,
            subtracts_first: number < 4,
            is_simple: number < 8 && number % 2 == 1,
            is_reversed: if number < 8 { number & 2 != 0 } else { number == 11 },
        })
    }

    /// Decodes a byte after a number of moves.
    pub fn decode(&self, byte: u8, moves: u8) -> u8 {
        if self.subtracts_first {
            self.table[usize::from(byte.wrapping_sub(moves))]
        } else {
            self.table[usize::from(byte)].wrapping_sub(moves)
        }
    }

    /// Encodes a byte, for tests.
    #[cfg(test)]
    pub fn encode(&self, byte: u8, moves: u8) -> u8 {
        (0..=255).find(|stored| self.decode(*stored, moves) == byte).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_substitution_is_a_permutation() {
        for number in (0..8).chain(10..12) {
            let encoding = Encoding::new(number).unwrap();
            let mut bytes = *encoding.table;
            bytes.sort_unstable();
            assert!(bytes.iter().enumerate().all(|(place, byte)| place == usize::from(*byte)));
            assert_eq!(encoding.decode(encoding.encode(200, 90), 90), 200);
        }
        assert_eq!((Encoding::new(8), Encoding::new(63)), (None, None));
    }
}
