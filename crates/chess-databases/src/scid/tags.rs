//! The tags of a SCID game that its index record has no room for.

use crate::pgn_text::write_tag;

/// Longest name of a tag that is stored as such (bytes). Greater lengths stand for a common tag.
const LONGEST_NAME: u8 = 240;

/// The common tags. Their numbers follow the longest length.
const COMMON: [&[u8]; 10] = [
    b"WhiteCountry",
    b"BlackCountry",
    b"Annotator",
    b"PlyCount",
    b"EventDate",
    b"Opening",
    b"Variation",
    b"Setup",
    b"Source",
    b"SetUp",
];

/// An old form of the date of an event, with three bytes. The index states it.
const PACKED_EVENT_DATE: u8 = 255;

/// Writes the tags at the beginning of a game's data, and moves `data` behind them. Returns `None`
/// if they are damaged.
///
/// Tags that the index states, and positions, are left out.
pub(super) fn write_tags(data: &mut &[u8], out: &mut Vec<u8>) -> Option<()> {
    loop {
        let (length, rest) = data.split_first()?;
        let (name, rest) = match *length {
            0 => {
                *data = rest;
                return Some(());
            }
            1..=LONGEST_NAME => rest.split_at_checked(usize::from(*length))?,
            common => {
                let place = usize::from(common - LONGEST_NAME - 1);
                (COMMON.get(place).copied().unwrap_or_default(), rest)
            }
        };
        let (size, rest) =
            if *length == PACKED_EVENT_DATE { (&3, rest) } else { rest.split_first()? };
        let (value, rest) = rest.split_at_checked(usize::from(*size))?;
        if is_written(name) {
            write_tag(out, name, value);
        }
        *data = rest;
    }
}

/// Returns whether a tag is written: one with a name that PGN allows, and that no other part of the
/// database states.
fn is_written(name: &[u8]) -> bool {
    const STATED: [&[u8]; 13] = [
        b"Event",
        b"Site",
        b"Date",
        b"Round",
        b"White",
        b"Black",
        b"Result",
        b"FEN",
        b"SetUp",
        b"WhiteElo",
        b"BlackElo",
        b"ECO",
        b"EventDate",
    ];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_stated = STATED.iter().any(|stated| stated.eq_ignore_ascii_case(name));
    !name.is_empty() && name.iter().all(is_word) && !is_stated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_written_unless_the_index_states_them() {
        let mut data: &[u8] =
            b"\x04Mode\x03OTB\xf3\x02Me\xf5\x041953\xff123\x05White\x01X\x03a b\x01c\0rest";
        let mut out = Vec::new();
        assert_eq!(write_tags(&mut data, &mut out), Some(()));
        assert_eq!(out, b"[Mode \"OTB\"]\n[Annotator \"Me\"]\n");
        assert_eq!(data, b"rest");
    }

    #[test]
    fn damaged_tags_are_refused() {
        for data in [&b""[..], b"\x04Mod", b"\x04Mode", b"\x04Mode\x09OTB\0", b"\xf1"] {
            assert_eq!(write_tags(&mut { data }, &mut Vec::new()), None, "{data:?}");
        }
    }
}
