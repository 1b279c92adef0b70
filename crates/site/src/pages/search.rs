//! The page of search results, which answers `search.html?q=`.

use serde::Serialize;

use super::page::Page;
use super::{Frame, Site};

/// The page of search results. Its script fills it, because the site has no server.
#[derive(Debug, Serialize)]
pub struct SearchPage {
    frame: Frame,
}

pub fn search(site: &Site, page: &Page) -> SearchPage {
    SearchPage {
        frame: page
            .frame(site, "Players, events, years, pairs of players and terms of the glossary."),
    }
}
