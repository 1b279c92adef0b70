//! The sections of the site, and the path from the front page to a page, for search engines.

use serde::Serialize;
use serde_json::Value;

use crate::linked_data::LinkedData;

/// The part of the site to which a page belongs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Section {
    Front,
    Greatness,
    Careers,
    Strength,
    Champions,
    Players,
    Ratings,
    Years,
    Method,
    About,
    Search,
}

impl Section {
    /// The name and the path of the first page of the section, which the navigation names; `None`
    /// of the front page and the search.
    pub fn head(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Section::Front | Section::Search => return None,
            Section::Greatness => ("Greatness List", "greatness.html"),
            Section::Careers => ("Greatest players", "greatest-players.html"),
            Section::Strength => ("Tournaments", "tournaments.html"),
            Section::Champions => ("Championships", "champions.html"),
            Section::Players => ("Players", "players.html"),
            Section::Ratings => ("Ratings", "ratings.html"),
            Section::Years => ("Years", "years.html"),
            Section::Method => ("Method", "method.html"),
            Section::About => ("About", "about.html"),
        })
    }
}

/// The front page, the first page of the section, and the page itself; `None` of the front
/// page and the search.
///
/// `address` makes addresses of paths that are relative to the archive's folder.
pub(super) fn breadcrumbs(
    section: Section,
    path: &str,
    title: &str,
    address: impl Fn(&str) -> String,
) -> Option<Value> {
    let (name, first) = section.head()?;
    let mut pages = vec![("The Greatness Archive", address("index.html"))];
    if path != first {
        pages.push((name, address(first)));
    }
    pages.push((title, address(path)));
    Some(LinkedData::breadcrumbs(&pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_leads_from_the_front_page_through_the_section() {
        let of = |section, path: &str| {
            let address = |path: &str| format!("https://a/{path}");
            let found = breadcrumbs(section, path, "Here", address)?;
            let steps = found["itemListElement"].as_array()?.iter();
            Some(steps.map(|step| step["item"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        let event = of(Section::Strength, "events/a.html").unwrap();
        assert_eq!(
            event,
            ["https://a/index.html", "https://a/tournaments.html", "https://a/events/a.html"]
        );
        let section = of(Section::Players, "players.html").unwrap();
        assert_eq!(section, ["https://a/index.html", "https://a/players.html"]);
        assert_eq!(of(Section::Front, "index.html"), None);
    }
}
