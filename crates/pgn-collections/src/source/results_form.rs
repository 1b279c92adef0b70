//! Recognises tables of results without moves by their first lines.

use std::borrow::Cow;

use memchr::memmem;

use super::text::decode;

/// The form of a table of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultsForm {
    /// A tournament report (TRF16 or TRF26) of FIDE.
    Report,
    /// A crosstable as CSV, with a line for each game or for each player of a game.
    Crosstable,
}

/// The code that begins the line of a player in a tournament report.
const PLAYER: &str = "001";

impl ResultsForm {
    /// Recognises the form by the first bytes of a text; `None` is any other text.
    ///
    /// A tournament report begins with a line of its codes, and has the line of a player. A
    /// crosstable begins with a header that has all required columns. A text with an Event tag is a
    /// collection, which damage or a joined file may precede.
    pub fn detect(head: &[u8]) -> Option<ResultsForm> {
        if memmem::find(head, b"\n[Event \"").is_some() {
            return None;
        }
        let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"###"))?;
        let is_report = has_code(first) && (is_player(first) || lines.any(is_player));
        if is_report {
            return Some(ResultsForm::Report);
        }
        CrosstableColumns::parse(&decode(first).0).map(|_| ResultsForm::Crosstable)
    }
}

/// Returns whether a line begins with a code of tournament reports: three digits, or the letters
/// `XX` and another one, as some programs write before the first line of the standard.
fn has_code(line: &[u8]) -> bool {
    let Some((code, rest)) = line.split_at_checked(3) else { return false };
    let is_code = code.iter().all(u8::is_ascii_digit)
        || code.starts_with(b"XX") && code[2].is_ascii_uppercase();
    is_code && matches!(rest.first(), None | Some(b' '))
}

/// Returns whether a line is that of a player in a tournament report.
fn is_player(line: &[u8]) -> bool {
    let number = line.get(4..8).unwrap_or_default().trim_ascii();
    line.starts_with(PLAYER.as_bytes())
        && line.get(3) == Some(&b' ')
        && !number.is_empty()
        && number.iter().all(u8::is_ascii_digit)
}

/// The positions of the columns of a crosstable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CrosstableColumns {
    /// A comma, a semicolon or a tab.
    pub delimiter: char,
    pub player: usize,
    pub opponent: usize,
    pub round: usize,
    pub colour: usize,
    pub result: usize,
    pub event: Option<usize>,
    pub site: Option<usize>,
    pub date: Option<usize>,
    pub player_elo: Option<usize>,
    pub opponent_elo: Option<usize>,
    pub player_fide_id: Option<usize>,
    pub opponent_fide_id: Option<usize>,
}

impl CrosstableColumns {
    /// Finds the columns in a header, or returns `None` if a required one is missing. Capitals and
    /// the order of the columns do not matter. Other columns are allowed.
    pub fn parse(header: &str) -> Option<CrosstableColumns> {
        // Of equally frequent ones the last, so that a header without any has commas.
        let delimiter =
            ['\t', ';', ','].into_iter().max_by_key(|sign| header.matches(*sign).count())?;
        let titles: Vec<String> =
            cells(header, delimiter)?.iter().map(|title| title.to_lowercase()).collect();
        Some(CrosstableColumns {
            delimiter,
            player: column(&titles, "player")?,
            opponent: column(&titles, "opponent")?,
            round: column(&titles, "round")?,
            colour: column(&titles, "colour").or_else(|| column(&titles, "color"))?,
            result: column(&titles, "result")?,
            event: column(&titles, "event"),
            site: column(&titles, "site"),
            date: column(&titles, "date"),
            player_elo: column(&titles, "player_elo"),
            opponent_elo: column(&titles, "opponent_elo"),
            player_fide_id: column(&titles, "player_fide_id"),
            opponent_fide_id: column(&titles, "opponent_fide_id"),
        })
    }
}

/// The place of the first column with this title.
fn column(titles: &[String], name: &str) -> Option<usize> {
    titles.iter().position(|title| title == name)
}

/// Most cells of a line that are read. Further ones belong to no column. Judged: a table has at
/// most eleven columns that count, and a few others.
const MOST_CELLS: usize = 100;

/// Splits a line into its cells, without the spaces around them. A cell in quotes may contain the
/// delimiter, and a doubled quote for a quote.
///
/// Returns `None` if a quote is not closed on the line. An unclosed quote must not swallow the
/// lines that follow.
pub(crate) fn cells(line: &str, delimiter: char) -> Option<Vec<Cow<'_, str>>> {
    let mut all = Vec::new();
    let mut rest = line;
    while all.len() < MOST_CELLS {
        let begun = rest.trim_start_matches(|c: char| c.is_whitespace() && c != delimiter);
        let cell = match begun.strip_prefix('"') {
            None => {
                let (cell, after) = begun.split_at(begun.find(delimiter).unwrap_or(begun.len()));
                rest = after;
                Cow::Borrowed(cell.trim())
            }
            Some(quoted) => {
                let end = closing_quote(quoted)?;
                let after = &quoted[end + 1..];
                rest = &after[after.find(delimiter).unwrap_or(after.len())..];
                if quoted[..end].contains('"') {
                    Cow::Owned(quoted[..end].replace("\"\"", "\""))
                } else {
                    Cow::Borrowed(&quoted[..end])
                }
            }
        };
        all.push(cell);
        match rest.strip_prefix(delimiter) {
            Some(after) => rest = after,
            None => break,
        }
    }
    Some(all)
}

/// Returns the place of the quote that ends a cell: the first that is not doubled.
fn closing_quote(quoted: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let place = from + quoted[from..].find('"')?;
        if !quoted[place + 1..].starts_with('"') {
            return Some(place);
        }
        from = place + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_behind_a_report_is_a_collection() {
        let report = b"012 Oslo Open\n001    1 m    Foss, Finn\n";
        assert_eq!(ResultsForm::detect(report), Some(ResultsForm::Report));
        let joined = [&report[..], b"\n[Event \"Oslo\"]\n[White \"Foss, Finn\"]\n"].concat();
        assert_eq!(ResultsForm::detect(&joined), None);
    }

    #[test]
    fn tables_are_recognised_by_their_first_lines() {
        let player = "001    1 m GM Carlsen, Magnus                   2839 NOR";
        for (text, form) in [
            (format!("012 Oslo\n022 Oslo\n{player}\n"), Some(ResultsForm::Report)),
            (format!("### a comment\n\nXXR 9\n{player}\n"), Some(ResultsForm::Report)),
            (format!("{player}\n"), Some(ResultsForm::Report)),
            ("012 Oslo\n022 Oslo\n".to_owned(), None),
            (format!("Results of Oslo:\n{player}\n"), None),
            ("Player,Opponent,Round,Color,Result\n".to_owned(), Some(ResultsForm::Crosstable)),
            ("event;player;opponent;round;colour;result".to_owned(), Some(ResultsForm::Crosstable)),
            ("player\topponent\tround\tcolour\tresult".to_owned(), Some(ResultsForm::Crosstable)),
            ("player\topponent\tresult".to_owned(), None),
            ("player,opponent,result\n".to_owned(), None),
            ("[Event \"012\"]\n".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(ResultsForm::detect(text.as_bytes()), form, "{text}");
        }
    }

    #[test]
    fn cells_may_be_quoted() {
        for (line, expected) in [
            ("a, b ,,", Some("a|b||")),
            ("\"Tal, M\",\"say \"\"1\"\"\" x,2", Some("Tal, M|say \"1\"|2")),
            ("\"Tal, M,1", None),
            ("", Some("")),
        ] {
            let joined = cells(line, ',').map(|cells| cells.join("|"));
            assert_eq!(joined.as_deref(), expected, "{line}");
        }
        let joined = cells("a\t\t b, c\t\"d\te\"", '\t').map(|cells| cells.join("|"));
        assert_eq!(joined.as_deref(), Some("a||b, c|d\te"));
    }
}
