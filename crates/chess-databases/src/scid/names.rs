//! The names of players, events, sites and rounds of a SCID database.

use crate::bytes::big_endian;

/// The places of the kinds of names.
pub(super) const PLAYER: usize = 0;
pub(super) const EVENT: usize = 1;
pub(super) const SITE: usize = 2;
pub(super) const ROUND: usize = 3;

/// The number of kinds of names.
const KINDS: usize = 4;

/// The first bytes of a `.sn4` file.
const SN4_MAGIC: &[u8] = b"Scid.sn\0";

/// Size of the header of a `.sn4` file (bytes).
const SN4_HEADER: usize = 36;

/// The names, by kind and number.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// All names, concatenated.
    bytes: Vec<u8>,
    /// The place and length of each name; none for a number that has no name.
    places: [Vec<Option<(u64, u32)>>; KINDS],
}

impl Names {
    /// Returns the name with a number.
    pub(super) fn get(&self, kind: usize, number: u32) -> Option<&[u8]> {
        let (place, length) = (*self.places[kind].get(number as usize)?)?;
        self.bytes.get(place as usize..)?.get(..length as usize)
    }

    fn push(&mut self, kind: usize, number: usize, name: &[u8]) {
        let places = &mut self.places[kind];
        if places.len() <= number {
            places.resize(number + 1, None);
        }
        places[number] = Some((self.bytes.len() as u64, name.len() as u32));
        self.bytes.extend_from_slice(name);
    }

    /// Reads a `.sn4` file. Returns the names up to the first damage, and what is damaged.
    ///
    /// The names of each kind are sorted. A name is stored as the number of bytes that it shares
    /// with the one before, and the others. The names may have at most `largest` bytes.
    pub fn read_sn4(file: &[u8], largest: u64) -> (Names, Option<&'static str>) {
        let mut names = Names::default();
        if !file.starts_with(SN4_MAGIC) || file.len() < SN4_HEADER {
            return (names, Some("it does not begin like the names of a SCID database"));
        }
        let mut rest = &file[SN4_HEADER..];
        for kind in 0..KINDS {
            let count = big_endian(file, 12 + 3 * kind, 3);
            // A name takes four bytes or more, so a damaged number cannot fill the memory.
            let most = count.min(file.len() as u64 / 4);
            let most_used = big_endian(file, 24 + 3 * kind, 3);
            // Numbers have two or three bytes, frequencies one to three.
            let number_size = if count >= 1 << 16 { 3 } else { 2 };
            let frequency_size = match most_used {
                0..0x100 => 1,
                0x100..0x1_0000 => 2,
                _ => 3,
            };
            let mut name: Vec<u8> = Vec::new();
            for place in 0..count {
                let number = big_endian(rest, 0, number_size);
                let length_at = number_size + frequency_size;
                let head = length_at + if place == 0 { 1 } else { 2 };
                let (Some(length), Some(shared)) =
                    (rest.get(length_at), rest.get(length_at.max(head - 1)))
                else {
                    return (names, Some("it ends within the names"));
                };
                let shared = if place == 0 { 0 } else { usize::from(*shared) };
                let length = usize::from(*length);
                if shared > name.len() || shared > length || number >= most {
                    return (names, Some("a name is damaged, and those after it are lost"));
                }
                let end = head + length - shared;
                let Some(own) = rest.get(head..end) else {
                    return (names, Some("it ends within the names"));
                };
                name.truncate(shared);
                name.extend_from_slice(own);
                if (names.bytes.len() + name.len()) as u64 > largest {
                    return (
                        names,
                        Some("it has more names than the limit input.limits.whole_mib"),
                    );
                }
                names.push(kind, number as usize, &name);
                rest = &rest[end..];
            }
        }
        (names, None)
    }

    /// Reads a `.sn5` file, like [`read_sn4`](Names::read_sn4).
    ///
    /// The names follow each other. Each begins with its length and kind. The names of one kind are
    /// numbered from 0.
    pub fn read_sn5(mut file: &[u8]) -> (Names, Option<&'static str>) {
        let mut names = Names::default();
        while !file.is_empty() {
            let Some((head, rest)) = variable_number(file) else {
                return (names, Some("it ends within the names"));
            };
            let (kind, length) = ((head & 7) as usize, head >> 3);
            // The kind after those of names describes the database.
            if kind > KINDS {
                return (names, Some("a name is damaged, and those after it are lost"));
            }
            let Some((name, rest)) =
                usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
            else {
                return (names, Some("it ends within the names"));
            };
            if let Some(places) = names.places.get(kind) {
                let number = places.len();
                names.push(kind, number, name);
            }
            file = rest;
        }
        (names, None)
    }
}

/// Reads a number whose bytes have seven bits each, the least significant first. The highest bit of
/// a byte states that more follow.
fn variable_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let length = bytes.iter().take(9).position(|byte| *byte < 0x80)? + 1;
    let (digits, rest) = bytes.split_at(length);
    let number = digits.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A `.sn4` file with these players, and one name of each other kind.
    fn sn4(players: &[(u16, &str, u8)]) -> Vec<u8> {
        let mut file = [SN4_MAGIC, &[0; 4]].concat();
        for count in [players.len() as u8, 1, 1, 1] {
            file.extend([0, 0, count]);
        }
        file.extend([0, 0, 9].repeat(4));
        for (place, (number, name, shared)) in players.iter().enumerate() {
            file.extend(number.to_be_bytes());
            file.extend([1, name.len() as u8]);
            if place > 0 {
                file.push(*shared);
            }
            file.extend(&name.as_bytes()[usize::from(*shared)..]);
        }
        for name in ["Zurich", "Zurich SUI", "12"] {
            file.extend([0, 0, 1, name.len() as u8]);
            file.extend(name.as_bytes());
        }
        file
    }

    #[test]
    fn names_share_their_beginnings() {
        let file = sn4(&[(2, "Tal", 0), (0, "Tal, M", 3), (1, "Tarrasch", 2)]);
        let (names, fault) = Names::read_sn4(&file, 1000);
        assert_eq!(fault, None);
        let players = [0, 1, 2, 3].map(|number| names.get(PLAYER, number));
        assert_eq!(players, [Some(&b"Tal, M"[..]), Some(b"Tarrasch"), Some(b"Tal"), None]);
        assert_eq!(names.get(ROUND, 0), Some(&b"12"[..]));
    }

    #[test]
    fn damage_costs_the_names_after_it() {
        for (players, shared) in
            [([(0, "Tal", 0), (7, "Tarrasch", 2)], 0), ([(0, "Tal", 0), (1, "Tarrasch", 5)], 0)]
        {
            let (names, fault) = Names::read_sn4(&sn4(&players), 1000);
            assert!(fault.is_some_and(|fault| fault.contains("damaged")), "{fault:?} {shared}");
            assert_eq!(names.get(PLAYER, 0), Some(&b"Tal"[..]));
        }
        let whole = sn4(&[(0, "Tal", 0)]);
        for end in 0..whole.len() {
            assert!(Names::read_sn4(&whole[..end], 1000).1.is_some(), "{end}");
        }
        assert!(Names::read_sn4(&whole, 5).1.is_some_and(|fault| fault.contains("limit")));
    }

    #[test]
    fn names_of_version_5_are_numbered_by_kind() {
        let mut file = Vec::new();
        let long = "a".repeat(300);
        for (kind, name) in [(0, "Tal"), (1, "Zurich"), (4, "type1"), (0, &long), (3, "1")] {
            let head = name.len() << 3 | kind;
            if head < 128 {
                file.push(head as u8)
            } else {
                file.extend([(head & 127 | 128) as u8, (head >> 7) as u8])
            }
            file.extend(name.as_bytes());
        }
        let (names, fault) = Names::read_sn5(&file);
        assert_eq!(fault, None);
        assert_eq!(names.get(PLAYER, 1), Some(long.as_bytes()));
        assert_eq!((names.get(EVENT, 0), names.get(SITE, 0)), (Some(&b"Zurich"[..]), None));
        file.push(7);
        assert!(Names::read_sn5(&file).1.is_some());
        file.pop();
        file.extend([0xff; 20]);
        assert_eq!(Names::read_sn5(&file).1, Some("it ends within the names"));
    }
}
