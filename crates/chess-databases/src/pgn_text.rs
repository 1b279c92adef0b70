//! Writes the tags of games as PGN.

/// Writes a tag. Control characters become spaces.
pub(crate) fn write_tag(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    for byte in value {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            0..0x20 | 0x7f => out.push(b' '),
            _ => out.push(*byte),
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// Writes a tag with a number, unless it is 0, which means that it is unknown.
pub(crate) fn write_number(out: &mut Vec<u8>, name: &str, number: u32) {
    if number > 0 {
        write_tag(out, name.as_bytes(), number.to_string().as_bytes());
    }
}

/// Writes a tag with a text, unless it is empty.
pub(crate) fn write_known(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    if !value.is_empty() {
        write_tag(out, name.as_bytes(), value);
    }
}

/// A date as both formats store it: the day in five bits, the month in the next four, and the year
/// above them. A part that is 0 is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedDate(pub u32);

impl PackedDate {
    pub fn year(self) -> u32 {
        self.0 >> 9 & 0xfff
    }

    pub fn is_known(self) -> bool {
        self.year() > 0
    }

    /// Writes the date as in PGN: `1953.08.??`.
    pub fn write(self, out: &mut Vec<u8>, name: &str) {
        let part = |number: u32, width: usize| match number {
            0 => "?".repeat(width),
            number => format!("{number:0width$}"),
        };
        let (month, day) = (part(self.0 >> 5 & 15, 2), part(self.0 & 31, 2));
        let date = format!("{}.{month}.{day}", part(self.year(), 4));
        write_tag(out, name.as_bytes(), date.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_and_dates_partial() {
        let mut out = Vec::new();
        write_tag(&mut out, b"Event", b"A \"B\" \\ C\n");
        PackedDate(1953 << 9 | 8 << 5).write(&mut out, "Date");
        write_number(&mut out, "WhiteElo", 0);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "[Event \"A \\\"B\\\" \\\\ C \"]\n[Date \"1953.08.??\"]\n");
    }
}
