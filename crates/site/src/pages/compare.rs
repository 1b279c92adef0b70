//! The comparison of any two players. A script fills the page.

use serde::Serialize;

use super::Site;
use super::page::Page;
use super::pairs::most_games;
use crate::dossiers::{number_of_files, systems};
use archive::Archive;

/// Pairs with the most games, as examples. Judged: three lines of links.
const EXAMPLES: usize = 12;

pub fn compare(site: &Site, page: &Page) -> impl Serialize {
    let archive: &Archive = site.archive;
    view!(
        frame = page.frame(
            site,
            "Ratings by every list, events with both players, and their score against each other.",
        ),
        // The number of files with players.
        files = number_of_files(archive),
        systems = systems(archive),
        examples = most_games(site, EXAMPLES)
    )
}
