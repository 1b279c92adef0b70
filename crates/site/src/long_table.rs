//! Tables that are too long for a page.
//!
//! The page has the first rows. Files have the others, which the page loads when the reader asks
//! for them, sorts or filters. The files are scripts, not JSON, since a page opened from a disk can
//! load only scripts.

use serde::Serialize;
use tera::{Context, Tera};

/// The number of rows on a page. Judged: a reader sees the first hundred at once. Twice as many
/// would nearly double the size of the page.
pub(super) const SHOWN: usize = 100;

/// The number of rows in a file. Judged: several hundred kilobytes, which the browser loads only
/// when a reader asks for more rows.
const IN_FILE: usize = 1000;

/// A table, with its first rows separate from the others.
#[derive(Debug, Serialize)]
pub(super) struct LongTable<T> {
    name: String,
    pub rows: Vec<T>,
    /// The number of all rows.
    pub total: usize,
    /// The number of files with further rows.
    files: usize,
    #[serde(skip)]
    rest: Vec<T>,
}

/// The view for the template of rows.
#[derive(Debug, Serialize)]
pub(super) struct RowsView<'a, T> {
    rows: &'a [T],
    prefix: &'a str,
}

impl<T> LongTable<T> {
    /// A table of these rows. `name` is the name of its files, and must be safe as a file name.
    pub fn new(name: impl Into<String>, rows: Vec<T>) -> LongTable<T> {
        LongTable::showing(SHOWN, name, rows)
    }

    /// A table of these rows with `shown` rows on the page.
    pub fn showing(shown: usize, name: impl Into<String>, mut rows: Vec<T>) -> LongTable<T> {
        let total = rows.len();
        let rest = rows.split_off(total.min(shown));
        LongTable { name: name.into(), rows, total, files: rest.len().div_ceil(IN_FILE), rest }
    }
}

/// A file with rows that the page does not show.
#[derive(Debug)]
pub(super) struct RowsFile<'a, T> {
    /// The path, relative to the archive's folder.
    pub path: String,
    name: &'a str,
    /// The number of the file.
    place: usize,
    /// The view for the template of rows.
    pub view: RowsView<'a, T>,
}

impl<T: Serialize> LongTable<T> {
    /// The files of the other rows. `prefix` leads from the page to the archive's folder.
    pub fn files<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = RowsFile<'a, T>> {
        self.rest.chunks(IN_FILE).enumerate().map(move |(place, rows)| RowsFile {
            path: format!("lists/{}-{place}.js", self.name),
            name: &self.name,
            place,
            view: RowsView { rows, prefix },
        })
    }
}

impl<T: Serialize> RowsFile<'_, T> {
    /// The text of the file. The template writes each row as `<tr>…</tr>`. The file leaves out the
    /// end tags that HTML does not need.
    ///
    /// # Errors
    ///
    /// Returns an error if the template is malformed, which is an error of the program.
    pub fn text(&self, tera: &Tera, template: &str) -> Result<String, tera::Error> {
        let html = tera.render(template, &Context::from_serialize(&self.view)?)?;
        let lines: Vec<String> = html
            .split("</tr>")
            .map(str::trim)
            .filter(|line| line.starts_with("<tr"))
            .map(without_end_tags)
            .collect();
        debug_assert_eq!(lines.len(), self.view.rows.len(), "{template}");
        Ok(format!(
            "greatnessRows({}, {}, {});\n",
            super::script::json(&self.name),
            self.place,
            super::script::json_in_file(&lines)
        ))
    }
}

/// A row without the end tags of its cells and the quotes of their commonest attributes. A text
/// cannot contain either, because the template escapes it.
fn without_end_tags(row: &str) -> String {
    row.replace("</td>", "")
        .replace("</th>", "")
        .replace("class=\"n\"", "class=n")
        .replace("scope=\"row\"", "scope=row")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize)]
    struct NamedRow {
        name: String,
    }

    #[test]
    fn page_and_files_have_all_rows() {
        let mut tera = Tera::new();
        tera.add_raw_templates([(
            "lines.html",
            "{% for row in rows %}<tr><td>{{ row.name }}</td></tr>\n{% endfor %}",
        )])
        .unwrap();
        let lines =
            (0..2301).map(|number| NamedRow { name: format!("{number} </script>") }).collect();
        let table = LongTable::new("some", lines);
        assert_eq!((table.rows.len(), table.total, table.files), (SHOWN, 2301, 3));
        let files: Vec<_> = table.files("").collect();
        assert_eq!(files.len(), 3);
        assert_eq!(files[0].path, "lists/some-0.js");
        let texts: Vec<String> =
            files.iter().map(|file| file.text(&tera, "lines.html").unwrap()).collect();
        let lines: usize = texts.iter().map(|text| text.matches("<tr>").count()).sum();
        assert_eq!(lines, 2301 - SHOWN);
        assert!(texts.iter().all(|text| !text.contains("</")), "no end tags");
        let short = LongTable::new("some", vec![NamedRow { name: "one".into() }]);
        assert_eq!(short.files, 0);
        assert!(short.files("").next().is_none());
    }
}
