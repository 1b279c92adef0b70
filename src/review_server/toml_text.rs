//! Changes one table in the text of a TOML file. All other bytes stay as they are.

use std::ops::Range;

use toml::{Table, Value};
use toml_edit::{Array, ArrayOfTables, Document, Item, TomlError};

/// Returns the text with other values in the table `name`, which is appended if the text has none.
///
/// Comments stay, also those next to a changed value. A byte order mark and the line ends stay.
pub(super) fn set_table(
    text: &str,
    name: &str,
    values: &toml_edit::Table,
) -> Result<String, TomlError> {
    let document = Document::parse(text)?;
    let old: Table = toml::from_str(text).unwrap_or_default();
    let texts = values;
    let values: Table = toml::from_str(&values.to_string()).unwrap_or_default();
    let mut edits = Edits { text, name, texts: Some(texts), list: Vec::new() };
    match (document.get(name), old.get(name)) {
        (Some(Item::Table(table)), Some(Value::Table(old))) => edits.table(table, old, &values),
        (Some(item), _) => {
            let inline = Value::Table(values).to_string();
            edits.list.extend(item.span().map(|span| (span, inline)));
        }
        (None, _) => {
            let blank =
                if text.trim_start_matches('\u{feff}').is_empty() { "" } else { edits.eol() };
            let table = format!("{blank}{}", edits.section(&format!("[{}]", key(name)), &values));
            edits.insert_lines(text.len(), &table);
        }
    }
    Ok(edits.apply())
}

/// Returns the text without the table `name` and the comment that touches it, or `None` if it has
/// no such table.
pub(super) fn remove_table(text: &str, name: &str) -> Result<Option<String>, TomlError> {
    let document = Document::parse(text)?;
    let Some(item) = document.get(name) else { return Ok(None) };
    let mut edits = Edits { text, name, texts: None, list: Vec::new() };
    match item {
        Item::Table(table) => edits.remove_table(table),
        _ => edits.list.extend(item.span().map(|span| (edits.lines(&span), String::new()))),
    }
    Ok(Some(edits.apply()))
}

/// A key as it stands in a header or before a value.
fn key(name: &str) -> String {
    toml_edit::Key::new(name).to_string()
}

/// Replacements in a text, by the bytes that they replace.
struct Edits<'t> {
    text: &'t str,
    name: &'t str,
    /// The new values, with their keys in the order in which they are written.
    texts: Option<&'t toml_edit::Table>,
    list: Vec<(Range<usize>, String)>,
}

impl Edits<'_> {
    fn apply(mut self) -> String {
        self.list.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut whole, mut at) = (String::new(), 0);
        for (range, new) in self.list {
            whole.push_str(&self.text[at.min(range.start)..range.start]);
            whole.push_str(&new);
            at = range.end.max(at);
        }
        whole.push_str(&self.text[at..]);
        whole
    }

    fn eol(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The whole lines that contain a range.
    fn lines(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.text[..range.start].rfind('\n').map_or(0, |end| end + 1);
        start..self.line_end(range.end)
    }

    /// The end of a line, behind its line feed.
    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1)
    }

    /// Inserts whole lines at the beginning of a line or at the end of the text.
    fn insert_lines(&mut self, at: usize, lines: &str) {
        let unfinished = at > 0 && !self.text[..at].ends_with(['\n', '\u{feff}']);
        let eol = if unfinished { self.eol() } else { "" };
        self.list.push((at..at, format!("{eol}{lines}")));
    }

    /// The lines of a table with its header.
    fn section(&self, header: &str, values: &Table) -> String {
        format!("{header}{}{}", self.eol(), self.pairs(values))
    }

    fn pairs(&self, values: &Table) -> String {
        let mut pairs: Vec<_> = values.iter().collect();
        pairs.sort_by_key(|(name, _)| self.texts?.iter().position(|(one, _)| one == *name));
        pairs
            .iter()
            .map(|(name, value)| {
                format!("{} = {}{}", key(name), self.shown(name, value), self.eol())
            })
            .collect()
    }

    /// The text of a value of the new table. A value within a table there has its keys sorted.
    fn shown(&self, name: &str, value: &Value) -> String {
        let written = self.texts.and_then(|texts| texts.get(name)).and_then(Item::as_value);
        let is_it = |one: &&toml_edit::Value| {
            let text = format!("value = {}", one.to_string().trim());
            toml::from_str::<Table>(&text).is_ok_and(|read| read.get("value") == Some(value))
        };
        let elements = written.and_then(toml_edit::Value::as_array).into_iter().flatten();
        let found = written.into_iter().chain(elements).find(is_it);
        found.map_or_else(|| value.to_string(), |found| found.to_string().trim().to_owned())
    }

    /// Changes the values of a table that differ.
    fn table(&mut self, table: &toml_edit::Table, old: &Table, new: &Table) {
        let mut added: Table = Table::new();
        for (name, item) in table {
            match (new.get(name), item) {
                (Some(value), _) if old.get(name) == Some(value) => {}
                (Some(Value::Array(values)), Item::Value(toml_edit::Value::Array(array))) => {
                    let old = old[name].as_array().map_or(&[][..], Vec::as_slice);
                    self.array(name, array, old, values);
                }
                (Some(Value::Array(values)), Item::ArrayOfTables(tables)) => {
                    let old = old[name].as_array().map_or(&[][..], Vec::as_slice);
                    self.array_of_tables(name, tables, old, values);
                }
                (Some(value), Item::Value(one)) => {
                    let shown = self.shown(name, value);
                    self.list.extend(one.span().map(|span| (span, shown)));
                }
                (value, _) => {
                    self.remove(item);
                    added.extend(value.map(|value| (name.to_owned(), value.clone())));
                }
            }
        }
        let fresh = new.iter().filter(|(name, _)| !table.contains_key(name));
        added.extend(fresh.map(|(name, value)| (name.clone(), value.clone())));
        if added.is_empty() {
            return;
        }
        if table.is_implicit() {
            let section = self.section(&format!("[{}]", key(self.name)), &added);
            let first = pieces(table).iter().map(|piece| piece.start).min().unwrap_or_default();
            let first = self.lines(&(first..first)).start;
            self.insert_lines(first, &section);
        } else if let Some(own) = own_piece(table) {
            let lines = self.pairs(&added);
            self.insert_lines(self.line_end(own.end), &lines);
        }
    }

    /// Removes the lines of an item.
    fn remove(&mut self, item: &Item) {
        match item {
            Item::Table(table) => self.remove_table(table),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|table| self.remove_table(table)),
            _ => self.list.extend(item.span().map(|span| (self.lines(&span), String::new()))),
        }
    }

    /// Removes a table with the comment that touches its header, and a blank line before them.
    fn remove_table(&mut self, table: &toml_edit::Table) {
        for piece in pieces(table) {
            let mut lines = self.lines(&piece);
            while let Some(before) = self.line_before(lines.start)
                && self.text[before.clone()].trim_start_matches('\u{feff}').trim().starts_with('#')
            {
                lines.start = before.start;
            }
            if let Some(before) = self.line_before(lines.start)
                && self.text[before.clone()].trim().is_empty()
            {
                lines.start = before.start;
            }
            if lines.start == 0 && self.text.starts_with('\u{feff}') {
                lines.start = '\u{feff}'.len_utf8();
            }
            self.list.push((lines, String::new()));
        }
    }

    fn line_before(&self, start: usize) -> Option<Range<usize>> {
        (start > 0).then(|| self.lines(&(start - 1..start - 1)))
    }

    /// Removes the elements of an array that are gone, and adds the new ones after those before
    /// them.
    fn array(&mut self, name: &str, array: &Array, old: &[Value], new: &[Value]) {
        let spans: Vec<_> = array.iter().filter_map(toml_edit::Value::span).collect();
        let kept = common(old, new);
        if kept.is_empty() || spans.len() != old.len() {
            let whole = self.shown(name, &Value::Array(new.to_vec()));
            self.list.extend(array.span().map(|span| (span, whole)));
            return;
        }
        for (place, span) in spans.iter().enumerate() {
            if kept.iter().any(|(of_old, _)| *of_old == place) {
                continue;
            }
            let comma = self.comma(span.end);
            let line = self.lines(span);
            let others = [&self.text[line.start..span.start], &self.text[span.end..line.end]];
            let alone = others[0].trim().is_empty() && matches!(others[1].trim(), "" | ",");
            self.list.push((if alone { line } else { span.clone() }, String::new()));
            self.list.extend(comma.filter(|_| !alone).map(|at| (at..at + 1, String::new())));
        }
        let mut next = 0;
        for (of_old, of_new) in &kept {
            for value in &new[next..*of_new] {
                let at = spans[*of_old].start;
                self.list.push((at..at, format!("{}, ", self.shown(name, value))));
            }
            next = of_new + 1;
        }
        if let (Some((last, _)), true) = (kept.last(), next < new.len()) {
            let texts: Vec<String> =
                new[next..].iter().map(|value| self.shown(name, value)).collect();
            self.append(&spans[*last], &texts);
        }
    }

    /// Adds elements after one, on lines of their own if that is at the end of its line.
    fn append(&mut self, last: &Range<usize>, values: &[String]) {
        let line = self.lines(last);
        let comma = self.comma(last.end).filter(|at| *at < line.end);
        let behind = comma.map_or(last.end, |at| at + 1);
        let rest = self.text[behind..line.end].trim();
        let indent = &self.text[line.start..last.start];
        if comma.is_none() {
            self.list.push((last.end..last.end, ",".to_owned()));
        }
        if (rest.is_empty() || rest.starts_with('#')) && indent.trim().is_empty() {
            let lines: String =
                values.iter().map(|value| format!("{indent}{value},{}", self.eol())).collect();
            self.list.push((line.end..line.end, lines));
        } else {
            let end = if comma.is_some() { "," } else { "" };
            self.list.push((behind..behind, format!(" {}{end}", values.join(", "))));
        }
    }

    /// The place of the comma after an element, behind blanks and comments.
    fn comma(&self, mut at: usize) -> Option<usize> {
        while let Some(c) = self.text[at..].chars().next() {
            match c {
                ',' => return Some(at),
                '#' => at = self.line_end(at),
                c if c.is_whitespace() => at += c.len_utf8(),
                _ => return None,
            }
        }
        None
    }

    fn array_of_tables(
        &mut self,
        name: &str,
        tables: &ArrayOfTables,
        old: &[Value],
        new: &[Value],
    ) {
        let kept = common(old, new);
        for (place, table) in tables.iter().enumerate() {
            if !kept.iter().any(|(of_old, _)| *of_old == place) {
                self.remove_table(table);
            }
        }
        let header = format!("[[{}.{}]]", key(self.name), key(name));
        let sections: String = new
            .iter()
            .enumerate()
            .filter(|(place, _)| !kept.iter().any(|(_, of_new)| of_new == place))
            .filter_map(|(_, value)| value.as_table())
            .map(|values| format!("{}{}", self.eol(), self.section(&header, values)))
            .collect();
        let last = tables.iter().flat_map(pieces).map(|piece| piece.end).max();
        if let Some(last) = last.filter(|_| !sections.is_empty()) {
            self.insert_lines(self.line_end(last), &sections);
        }
    }
}

/// Places of elements that both lists have, in the order of both.
fn common(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    let (mut kept, mut from) = (Vec::new(), 0);
    for (of_old, value) in old.iter().enumerate() {
        if let Some(found) = new[from..].iter().position(|one| one == value) {
            kept.push((of_old, from + found));
            from += found + 1;
        }
    }
    kept
}

/// The header of a table and its values, without the tables in it.
fn own_piece(table: &toml_edit::Table) -> Option<Range<usize>> {
    let header = table.span().filter(|span| !span.is_empty());
    let values = table.iter().filter(|(_, item)| item.is_value()).filter_map(|(_, one)| one.span());
    let dotted = table
        .iter()
        .filter_map(|(_, item)| item.as_table())
        .filter(|table| table.is_dotted())
        .filter_map(own_piece);
    header
        .into_iter()
        .chain(values)
        .chain(dotted)
        .reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
}

/// All pieces of a table: its own, and those of the tables in it.
fn pieces(table: &toml_edit::Table) -> Vec<Range<usize>> {
    let mut all: Vec<_> = own_piece(table).into_iter().collect();
    for (_, item) in table {
        match item {
            Item::Table(table) if !table.is_dotted() => all.extend(pieces(table)),
            Item::ArrayOfTables(tables) => all.extend(tables.iter().flat_map(pieces)),
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(text: &str, values: &str) -> String {
        let values: toml_edit::DocumentMut = values.parse().unwrap();
        set_table(text, "x-1900", &values).unwrap()
    }

    #[test]
    fn a_changed_value_keeps_the_comments_around_it() {
        let text = "\u{feff}# The file.\r\n\r\n# Of 1900.\r\n[x-1900] # here\r\n# who\r\nauthor = \"A\" # he\r\nlisted = false\r\n# end\r\n";
        let changed = set(text, "author = \"B\"\nlisted = false\nreviewed = true\n");
        let expected = text
            .replace("\"A\"", "\"B\"")
            .replace("listed = false\r\n", "listed = false\r\nreviewed = true\r\n");
        assert_eq!(changed, expected);
    }

    #[test]
    fn only_the_elements_of_an_array_that_differ_are_changed() {
        let text =
            "[x-1900]\nmerge = [\n  \"a\", # first\n  # a note\n  \"b\",\n  \"c\", # last\n]\n";
        assert_eq!(
            set(text, "merge = [\"a\", \"c\", \"d\"]"),
            "[x-1900]\nmerge = [\n  \"a\", # first\n  # a note\n  \"c\", # last\n  \"d\",\n]\n"
        );
        assert_eq!(
            set("[x-1900]\nmerge = [\"a\", \"b\"]", "merge = [\"b\", \"c\"]"),
            "[x-1900]\nmerge = [ \"b\", \"c\"]"
        );
    }

    #[test]
    fn keys_within_a_value_keep_their_order() {
        let ratings = "ratings = [{ player = \"A\", delete = true }]\n";
        assert_eq!(set("", ratings), format!("[x-1900]\n{ratings}"));
        assert_eq!(
            set("[x-1900]\nratings = [{ player = \"B\" }]\n", ratings),
            format!("[x-1900]\n{ratings}")
        );
    }

    #[test]
    fn tables_within_the_table_are_changed_where_they_stand() {
        let text = "[x-1900]\nauthor = \"A\"\n\n# one\n[[x-1900.ratings]]\nset = 1\n\n# two\n[[x-1900.ratings]]\nset = 2\n# end\n\n[y]\n";
        assert_eq!(
            set(text, "author = \"A\"\nratings = [{ set = 2 }, { set = 3 }]"),
            "[x-1900]\nauthor = \"A\"\n\n# two\n[[x-1900.ratings]]\nset = 2\n\n[[x-1900.ratings]]\nset = 3\n# end\n\n[y]\n"
        );
    }

    #[test]
    fn a_removed_table_takes_only_the_comment_that_touches_it() {
        let text = "# The file.\n\n# Of 1900.\n[x-1900]\na = 1 # one\n# Of 1901.\n[y]\n";
        assert_eq!(
            remove_table(text, "x-1900").unwrap().unwrap(),
            "# The file.\n# Of 1901.\n[y]\n"
        );
        assert_eq!(remove_table(text, "z").unwrap(), None);
    }

    /// A value of a decision, as a person may write it, and its comment.
    fn value() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z]{1,3}".prop_map(|text| format!("\"{text}\"")),
            "[a-z]{1,3}".prop_map(|text| format!("'{text}'")),
            (1..9).prop_map(|number: i32| number.to_string()),
            Just("\"\"\"\ntwo\nlines\"\"\"".to_owned()),
            prop::collection::vec((1..9).prop_map(|number: i32| number.to_string()), 0..4)
                .prop_map(|list| {
                    let lines: String =
                        list.iter().map(|one| format!("  {one}, # of {one}\n")).collect();
                    format!("[\n  # first\n{lines}  # last\n]")
                }),
            prop::collection::vec(1..9, 0..4).prop_map(|list| format!("{list:?}")),
        ]
    }

    proptest! {
        #[test]
        fn other_lines_are_the_same_after_any_change(
            tables in prop::collection::vec(prop::collection::btree_map("[a-f]", value(), 0..5), 1..4),
            values in prop::collection::btree_map("[a-f]", value(), 0..5),
            changed in 0usize..4,
            windows in any::<bool>(),
        ) {
            let mut text = "# The file.\n\n".to_owned();
            for (number, table) in tables.iter().enumerate() {
                text += &format!("# above {number}\n[t{number}] # of table {number}\n");
                for (name, value) in table {
                    text += &format!("# above {name} of {number}\n{name} = {value} # of {number}\n");
                }
                text += &format!("# below {number}\n\n");
            }
            if windows {
                text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
            }
            let new: String =
                values.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
            let new: toml_edit::DocumentMut = new.parse().unwrap();
            let name = format!("t{changed}");
            let after = set_table(&text, &name, &new).unwrap();
            let read: Table = toml::from_str(&after).unwrap();
            let wanted: Table = toml::from_str(&new.to_string()).unwrap();
            let plain = |table: &Table| table.to_string().replace("\\r", "");
            prop_assert_eq!(plain(read[&name].as_table().unwrap()), plain(&wanted));
            for line in text.lines().filter(|line| line.starts_with('#')) {
                prop_assert!(after.lines().any(|one| one == line), "{}\n lost {}", after, line);
            }
            for (number, _) in tables.iter().enumerate().filter(|(number, _)| *number != changed) {
                let start = text.find(&format!("[t{number}]")).unwrap();
                let end = start + text[start..].find("# below").unwrap();
                prop_assert!(after.contains(&text[start..end]), "{}", after);
            }
            let without = remove_table(&after, &name).unwrap().unwrap();
            let left: Table = toml::from_str(&without).unwrap();
            prop_assert!(!left.contains_key(&name));
            for line in text.lines().filter(|line| line.starts_with("# below")) {
                prop_assert!(without.lines().any(|one| one == line), "{}\n lost {}", without, line);
            }
        }
    }
}
