//! The page of search results, which answers `search.html?q=`.

use serde::Serialize;

use super::Site;
use super::page::Page;

/// The page of search results. Its script fills it, because the site has no server.
pub fn search(site: &Site, page: &Page) -> impl Serialize {
    view!(
        frame =
            page.frame(site, "Players, events, years, pairs of players and terms of the glossary.")
    )
}
