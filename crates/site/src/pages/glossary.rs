//! The glossary as a page, made from `docs/glossary.md`.

use serde::Serialize;

use super::Site;
use super::page::Page;
use crate::markdown;
use chess_history::players::slug;

/// The glossary, which is part of the program.
const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

/// Terms of the program's inside, which no page uses.
const INTERNAL: [&str; 17] = [
    "chunk",
    "counts",
    "document",
    "folding",
    "gain",
    "game flag",
    "game table",
    "group",
    "member",
    "orphan",
    "record",
    "row",
    "slug",
    "source (of games)",
    "stage",
    "thresholds",
    "trace",
];

pub fn glossary(site: &Site, page: &Page) -> impl Serialize {
    view!(
        frame = page.frame(
            site,
            "The terms of chess history, of the PRA and of this site, in alphabetical order.",
        ),
        entries = entries()
            .map(|(anchor, term, definition)| view!(anchor, term, definition))
            .collect::<Vec<_>>()
    )
}

/// The anchors and terms of the glossary.
pub fn glossary_terms() -> impl Iterator<Item = (String, &'static str)> {
    entries().map(|(anchor, term, _)| (anchor, term))
}

/// The entries that readers need: paragraphs of the form `**term** — definition`. Each has its
/// anchor, its term and its definition in HTML.
fn entries() -> impl Iterator<Item = (String, &'static str, String)> {
    GLOSSARY.split("\n\n").filter_map(|paragraph| {
        let (term, definition) = paragraph.trim().strip_prefix("**")?.split_once("** — ")?;
        if INTERNAL.contains(&term) {
            return None;
        }
        let html = markdown::render(&without_code(&definition.replace('\n', " ")));
        let html = html.trim().trim_start_matches("<p>").trim_end_matches("</p>");
        Some((anchor(term), term, html.to_owned()))
    })
}

/// The anchor of a term, without its abbreviation or synonyms: `G-score (G)` has `g-score`.
fn anchor(term: &str) -> String {
    slug(term.split([',', '(']).next().unwrap_or(term))
}

/// A definition without its references to code, which are in parentheses: ``(`tournament::Line`)``.
fn without_code(definition: &str) -> String {
    let mut text = String::new();
    let mut rest = definition;
    while let Some((before, after)) = rest.split_once(" (`") {
        text.push_str(before);
        // A reference that does not end is the last part of the definition.
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::templates::template_texts;

    #[test]
    fn links_to_the_glossary_lead_to_an_entry() {
        let anchors: BTreeSet<String> = glossary_terms().map(|(anchor, _)| anchor).collect();
        assert!(anchors.len() > 100, "{anchors:?}");
        for (name, text) in template_texts() {
            for link in text.split("glossary.html#").skip(1) {
                let anchor = link.split('"').next().unwrap_or_default();
                assert!(anchors.contains(anchor), "{name}: {anchor}");
            }
        }
    }

    #[test]
    fn each_anchor_occurs_once_and_internal_terms_are_those_of_the_file() {
        let all: Vec<String> = glossary_terms().map(|(anchor, _)| anchor).collect();
        let anchors: BTreeSet<&String> = all.iter().collect();
        assert_eq!(anchors.len(), all.len());
        for term in INTERNAL {
            assert!(GLOSSARY.contains(&format!("\n**{term}** — ")), "{term}");
        }
    }

    #[test]
    fn definitions_have_no_references_to_code() {
        assert_eq!(
            without_code("Resistance uses 2800 (`greatness::ANCHOR`), Elo 2400 (`Elo`, `X`*)."),
            "Resistance uses 2800, Elo 2400."
        );
        assert!(entries().all(|(.., definition)| !definition.contains("::")));
    }
}
