//! The path from the front page to a page, for search engines.

use serde_json::Value;

use crate::linked_data::LinkedData;

/// The entries of the navigation: the word of a section, the name of its page, and its path.
const SECTIONS: [(&str, &str, &str); 10] = [
    ("greatness", "Greatness List", "greatness.html"),
    ("careers", "Greatest players", "greatest-players.html"),
    ("strength", "Tournaments", "tournaments.html"),
    ("champions", "Championships", "champions.html"),
    ("players", "Players", "players.html"),
    ("ratings", "Ratings", "ratings.html"),
    ("years", "Years", "years.html"),
    ("method", "Method", "method.html"),
    ("about", "About", "about.html"),
    ("review", "About", "about.html"),
];

/// The front page, the page of the section, and the page itself; `None` for the front page.
///
/// `address` makes addresses of paths that are relative to the archive's folder.
pub(super) fn breadcrumbs(
    section: &str,
    path: &str,
    title: &str,
    address: impl Fn(&str) -> String,
) -> Option<Value> {
    let (_, name, of_section) = SECTIONS.into_iter().find(|(word, ..)| *word == section)?;
    let mut pages = vec![("The Greatness Archive", address("index.html"))];
    if path != of_section {
        pages.push((name, address(of_section)));
    }
    pages.push((title, address(path)));
    Some(LinkedData::breadcrumbs(&pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_leads_from_the_front_page_through_the_section() {
        let of = |section: &str, path: &str| {
            let found = breadcrumbs(section, path, "Here", |path| format!("https://a/{path}"))?;
            let steps = found["itemListElement"].as_array()?.iter();
            Some(steps.map(|step| step["item"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        let event = of("strength", "events/a.html").unwrap();
        assert_eq!(
            event,
            ["https://a/index.html", "https://a/tournaments.html", "https://a/events/a.html"]
        );
        let section = of("players", "players.html").unwrap();
        assert_eq!(section, ["https://a/index.html", "https://a/players.html"]);
        assert_eq!(of("front", "index.html"), None);
    }
}
