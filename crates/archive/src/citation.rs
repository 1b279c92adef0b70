//! How to cite an archive or one of its pages.
//!
//! A citation names the version of the program and the last day of the data. It has no date of
//! retrieval or publication, so that the same input gives the same bytes.

use jiff::civil::Date;
use serde_json::{Value, json};

/// The author, as in `CITATION.cff`.
const AUTHOR: &str = "The Greatness developers";

/// The title of the work that contains the page.
const CONTAINER: &str = "The Greatness Archive";

/// A page to cite, or the archive as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The key in a bibliography: `greatness-archive-vienna-1898`.
    pub key: String,
    /// The title of the page; empty for the archive as a whole.
    pub title: String,
    /// Its address; empty if unknown.
    pub address: String,
    /// The last day of a game; `None` if unknown.
    pub data_to: Option<Date>,
}

impl Citation {
    /// The citation of a page.
    ///
    /// `path` is relative to the archive's folder. `site` is the address of the site with a slash
    /// at its end; empty if unknown.
    pub fn of_page(site: &str, path: &str, title: &str, data_to: Option<Date>) -> Citation {
        let stem = path.strip_suffix(".html").unwrap_or(path);
        // The identifiers of events and players are clear without their folders.
        let mut folders = ["events/", "players/"].into_iter();
        let stem = folders.find_map(|folder| stem.strip_prefix(folder)).unwrap_or(stem);
        let stem = stem.replace('/', "-");
        Citation {
            key: format!("greatness-archive-{stem}"),
            title: title.to_owned(),
            address: address(site, path),
            data_to,
        }
    }

    pub fn of_archive(site: &str, data_to: Option<Date>) -> Citation {
        Citation {
            key: "greatness-archive".into(),
            title: String::new(),
            address: site.to_owned(),
            data_to,
        }
    }

    /// The version and the last day of the data: `version 0.1.0, data to 2024-12-12`.
    fn edition(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        match self.data_to {
            Some(day) => format!("version {version}, data to {day}"),
            None => format!("version {version}"),
        }
    }

    pub fn plain(&self) -> String {
        let title = match self.title.as_str() {
            "" => String::new(),
            title => format!("{title}. "),
        };
        let address = match self.address.as_str() {
            "" => String::new(),
            address => format!(" {address}"),
        };
        format!("{AUTHOR}: {title}{CONTAINER}, {}.{address}", self.edition())
    }

    /// The citation as an entry of BibTeX, in UTF-8.
    pub fn bibtex(&self) -> String {
        let whole = self.title.is_empty();
        let title = if whole { CONTAINER } else { &self.title };
        let mut entry = format!("@misc{{{},\n  author = {{{{{AUTHOR}}}}},\n", self.key);
        // Double braces keep the capitals.
        entry.push_str(&format!("  title = {{{{{}}}}},\n", escape_tex(title)));
        if !whole {
            entry.push_str(&format!("  howpublished = {{{CONTAINER}}},\n"));
        }
        entry.push_str(&format!("  note = {{{}}}", sentence_case(&self.edition())));
        if !self.address.is_empty() {
            entry.push_str(&format!(",\n  url = {{{}}}", self.address));
        }
        entry.push_str("\n}");
        entry
    }

    /// The citation as CSL-JSON, which programs for bibliographies import.
    pub fn csl_json(&self) -> Value {
        let whole = self.title.is_empty();
        let mut item = json!({
            "id": self.key,
            "type": if whole { "dataset" } else { "webpage" },
            "author": [{ "literal": AUTHOR }],
            "title": if whole { CONTAINER } else { &self.title },
            "version": env!("CARGO_PKG_VERSION"),
        });
        if !whole {
            item["container-title"] = json!(CONTAINER);
        }
        if let Some(day) = self.data_to {
            item["note"] = json!(format!("Data to {day}"));
        }
        if !self.address.is_empty() {
            item["URL"] = json!(self.address);
        }
        json!([item])
    }
}

/// The address of a page; empty if the address of the site is unknown. Braces and backslashes,
/// which BibTeX reads, are percent-encoded.
fn address(site: &str, path: &str) -> String {
    match site {
        "" => String::new(),
        site => {
            format!("{site}{path}").replace('\\', "%5C").replace('{', "%7B").replace('}', "%7D")
        }
    }
}

/// A text with the special characters of TeX escaped.
fn escape_tex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text whose first letter is a capital.
fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = env!("CARGO_PKG_VERSION");

    fn vienna(site: &str) -> Citation {
        let day = jiff::civil::date(2024, 12, 12);
        Citation::of_page(site, "events/vienna-1898.html", "Vienna 1898", Some(day))
    }

    #[test]
    fn a_citation_has_the_version_and_the_date_of_the_data() {
        let cited = vienna("https://example.org/chess/");
        assert_eq!(
            cited.plain(),
            format!(
                "The Greatness developers: Vienna 1898. The Greatness Archive, version {VERSION}, data to \
                 2024-12-12. https://example.org/chess/events/vienna-1898.html"
            )
        );
        assert_eq!(
            cited.bibtex(),
            format!(
                "@misc{{greatness-archive-vienna-1898,\n  author = {{{{The Greatness developers}}}},\n  \
                 title = {{{{Vienna 1898}}}},\n  howpublished = {{The Greatness Archive}},\n  \
                 note = {{Version {VERSION}, data to 2024-12-12}},\n  \
                 url = {{https://example.org/chess/events/vienna-1898.html}}\n}}"
            )
        );
        let item = &cited.csl_json()[0];
        assert_eq!(item["version"], VERSION);
        assert_eq!(item["note"], "Data to 2024-12-12");
        assert_eq!(item["URL"], "https://example.org/chess/events/vienna-1898.html");
    }

    #[test]
    fn without_an_address_a_citation_has_none() {
        let cited = vienna("");
        assert!(cited.plain().ends_with("data to 2024-12-12."), "{}", cited.plain());
        assert!(!cited.bibtex().contains("url"));
        assert!(cited.csl_json()[0]["URL"].is_null());
        let whole = Citation::of_archive("", None);
        assert_eq!(whole.csl_json()[0]["type"], "dataset");
        assert!(whole.bibtex().contains("title = {{The Greatness Archive}}"));
    }

    #[test]
    fn names_with_special_characters_are_escaped_for_tex() {
        let title = "A & B_1 {100%} \\input{x} ~^#$";
        let cited = Citation::of_page("https://a/{b}/", "lists/a.html", title, None);
        let entry = cited.bibtex();
        assert!(entry.contains(
            "{{A \\& B\\_1 \\{100\\%\\} \\textbackslash{}input\\{x\\} \\textasciitilde{}\\textasciicircum{}\\#\\$}}"
        ), "{entry}");
        assert!(entry.contains("url = {https://a/%7Bb%7D/lists/a.html}"), "{entry}");
        assert_eq!(cited.key, "greatness-archive-lists-a");
    }
}
