//! A line of a tournament report, whose values are in fixed columns.

/// A line. Columns are counted in characters, or in bytes if the program that wrote the line
/// counted so.
pub(super) struct ReportLine<'a> {
    text: &'a str,
    /// The place of each character; empty if columns are bytes.
    places: Vec<usize>,
}

/// Longest line that is read (bytes): a player with five hundred rounds.
const LONGEST: usize = 16 << 10;

/// Columns of a player's line that separate two values (from 1).
const BETWEEN: [usize; 11] = [4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91];

/// The column in which the first round begins (from 1), and the number of columns of a round.
const ROUNDS: (usize, usize) = (92, 10);

impl<'a> ReportLine<'a> {
    /// Creates a line. Its columns are bytes only if they separate the values, and characters do
    /// not.
    pub fn new(text: &'a str) -> ReportLine<'a> {
        let text = &text[..text.floor_char_boundary(LONGEST)];
        let by_bytes = ReportLine { text, places: Vec::new() };
        if text.is_ascii() {
            return by_bytes;
        }
        let places = text.char_indices().map(|(place, _)| place).collect();
        let by_characters = ReportLine { text, places };
        if !by_characters.is_aligned() && by_bytes.is_aligned() { by_bytes } else { by_characters }
    }

    /// Returns whether the columns between the values are blank.
    pub fn is_aligned(&self) -> bool {
        BETWEEN.iter().all(|column| self.value(*column, *column).is_empty())
    }

    /// Returns the text in some columns, from 1, without the spaces around it.
    pub fn value(&self, first: usize, last: usize) -> &'a str {
        self.text.get(self.place(first - 1)..self.place(last)).unwrap_or_default().trim()
    }

    /// Returns the text from a column to the end.
    pub fn rest(&self, first: usize) -> &'a str {
        self.text.get(self.place(first - 1)..).unwrap_or_default().trim()
    }

    /// Returns the number of rounds for which the line has columns.
    pub fn rounds(&self) -> usize {
        let columns =
            if self.places.is_empty() { self.text.trim_end().len() } else { self.places.len() };
        (columns + 1).saturating_sub(ROUNDS.0).div_ceil(ROUNDS.1)
    }

    /// Returns the text in some columns of a round. Rounds are counted from 0, columns from 1.
    pub fn of_round(&self, round: usize, first: usize, last: usize) -> &'a str {
        let before = ROUNDS.0 - 1 + ROUNDS.1 * round;
        self.value(before + first, before + last)
    }

    /// The place after some columns (bytes).
    fn place(&self, columns: usize) -> usize {
        if self.places.is_empty() {
            self.text.floor_char_boundary(columns)
        } else {
            self.places.get(columns).copied().unwrap_or(self.text.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_unless_only_bytes_separate_the_values() {
        // A program that counts bytes pads a name with two letters of two bytes by two spaces less.
        for width in [33, 31] {
            let name = format!("{:width$}", "Sjøberg, Bjørn");
            let text = format!(
                "001    1 m GM {name} 2839 NOR     1503014 1990/11/30  1.0    1     2 w 1  "
            );
            let line = ReportLine::new(&text);
            assert_eq!(line.value(15, 47), "Sjøberg, Bjørn");
            assert_eq!(line.value(49, 52), "2839");
            assert_eq!(
                (line.rounds(), line.of_round(0, 1, 4), line.of_round(0, 8, 8)),
                (1, "2", "1")
            );
        }
    }

    #[test]
    fn columns_beyond_the_end_are_empty() {
        let line = ReportLine::new("001    1");
        assert_eq!((line.value(5, 8), line.value(15, 47), line.rounds()), ("1", "", 0));
        assert_eq!(ReportLine::new(&"é".repeat(100_000)).value(1, 2), "éé");
    }
}
