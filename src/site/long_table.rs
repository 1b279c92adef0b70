//! Tables that are too long for a page.
//!
//! The page has the first rows. Files have the others, which the page loads when the reader asks
//! for them, sorts or filters. The files are scripts, not JSON, since a page opened from a disk can
//! load only scripts.

use serde::Serialize;
use tera::{Context, Tera};

/// The number of rows on a page.
pub(super) const SHOWN: usize = 300;

/// The number of rows in a file.
const IN_FILE: usize = 1000;

/// A table, with its first rows separate from the others.
#[derive(Debug, Serialize)]
pub(super) struct LongTable<T> {
    /// The name of its files.
    name: String,
    /// The rows on the page.
    pub rows: Vec<T>,
    /// The number of all rows.
    total: usize,
    /// The number of files with further rows.
    files: usize,
    #[serde(skip)]
    rest: Vec<T>,
}

/// The view for the template of rows.
#[derive(Serialize)]
struct RowsView<'a, T> {
    rows: &'a [T],
    prefix: &'a str,
}

impl<T> LongTable<T> {
    /// A table of these rows. `name` is the name of its files, and must be safe as a file name.
    pub fn of(name: impl Into<String>, rows: Vec<T>) -> LongTable<T> {
        LongTable::showing(SHOWN, name, rows)
    }

    /// A table of these rows with `shown` rows on the page.
    pub fn showing(shown: usize, name: impl Into<String>, mut rows: Vec<T>) -> LongTable<T> {
        let total = rows.len();
        let rest = rows.split_off(total.min(shown));
        LongTable { name: name.into(), rows, total, files: rest.len().div_ceil(IN_FILE), rest }
    }
}

impl<T: Serialize> LongTable<T> {
    /// The files of the other rows: path relative to the archive's folder, and text. The template
    /// writes each row as `<tr>…</tr>`. `prefix` leads from the page to the archive's folder.
    ///
    /// # Errors
    ///
    /// If the template is malformed, which is an error of the program.
    pub fn files(
        &self,
        tera: &Tera,
        template: &str,
        prefix: &str,
    ) -> Result<Vec<(String, String)>, tera::Error> {
        let chunks = self.rest.chunks(IN_FILE).enumerate();
        chunks
            .map(|(place, rows)| {
                let context = Context::from_serialize(&RowsView { rows, prefix })?;
                let html = tera.render(template, &context)?;
                let lines: Vec<&str> = html
                    .split_inclusive("</tr>")
                    .map(str::trim)
                    .filter(|line| line.starts_with("<tr"))
                    .collect();
                debug_assert_eq!(lines.len(), rows.len(), "{template}");
                let text = format!(
                    "greatnessRows({}, {place}, {});\n",
                    super::script::json(&self.name),
                    super::script::json(&lines)
                );
                Ok((format!("lists/{}-{place}.js", self.name), text))
            })
            .collect()
    }
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
        let table = LongTable::of("some", lines);
        assert_eq!((table.rows.len(), table.total, table.files), (300, 2301, 3));
        let files = table.files(&tera, "lines.html", "").unwrap();
        assert_eq!(files.len(), 3);
        assert_eq!(files[0].0, "lists/some-0.js");
        let lines: usize = files.iter().map(|(_, text)| text.matches("/tr>").count()).sum();
        assert_eq!(lines, 2001);
        assert!(files.iter().all(|(_, text)| !text.contains('<')), "safe in any script");
        let short = LongTable::of("some", vec![NamedRow { name: "one".into() }]);
        assert_eq!(short.files, 0);
        assert!(short.files(&tera, "lines.html", "").unwrap().is_empty());
    }
}
