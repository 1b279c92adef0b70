//! Tables too long for a page: the page shows the first lines, and files of lines bring the others when somebody asks
//! for them, or sorts, or filters. Scripts, not JSON, since a page opened from a disk may load only those.

use serde::Serialize;
use tera::{Context, Tera};

/// RowsView that a page shows.
pub(super) const SHOWN: usize = 300;

/// RowsView of one file.
const IN_FILE: usize = 1000;

/// A table, with its first lines apart from the others.
#[derive(Debug, Serialize)]
pub(super) struct LongTable<T> {
    /// What its files are called.
    name: String,
    /// The lines that the page shows.
    pub rows: Vec<T>,
    /// How many lines there are in all.
    total: usize,
    /// How many files the others are in; none where the page shows all.
    files: usize,
    #[serde(skip)]
    rest: Vec<T>,
}

/// What the template of lines is filled with.
#[derive(Serialize)]
struct RowsView<'a, T> {
    rows: &'a [T],
    prefix: &'a str,
}

impl<T> LongTable<T> {
    /// A table of these lines; its files will be called `name`, which must be safe as the name of a file.
    pub fn of(name: impl Into<String>, rows: Vec<T>) -> LongTable<T> {
        LongTable::showing(SHOWN, name, rows)
    }

    /// The same with another number of lines on the page.
    pub fn showing(shown: usize, name: impl Into<String>, mut rows: Vec<T>) -> LongTable<T> {
        let total = rows.len();
        let rest = rows.split_off(total.min(shown));
        LongTable { name: name.into(), rows, total, files: rest.len().div_ceil(IN_FILE), rest }
    }
}

impl<T: Serialize> LongTable<T> {
    /// The files of the other lines: path below the archive's folder, and text. The template writes the lines one after
    /// another as `<tr>…</tr>`; `prefix` leads from the page to the archive's folder.
    ///
    /// # Errors
    ///
    /// Where the template is malformed: a fault of the program.
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
    fn no_line_is_lost_between_page_and_files() {
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
