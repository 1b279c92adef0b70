//! The comparison of any two players. A script fills the page.

use serde::Serialize;

use super::page::Page;
use super::pairs::most_games;
use super::{Frame, Link, Site};
use crate::dossiers::{number_of_files, systems};
use archive::Archive;

/// Pairs with the most games, as examples. Judged: three lines of links.
const EXAMPLES: usize = 12;

#[derive(Debug, Serialize)]
pub struct ComparePage {
    frame: Frame,
    /// The number of files with players.
    files: usize,
    systems: Vec<String>,
    examples: Vec<Link>,
}

pub fn compare(site: &Site, page: &Page) -> ComparePage {
    let archive: &Archive = site.archive;
    ComparePage {
        frame: page.frame(
            site,
            "Ratings by every list, events with both players, and their score against each other.",
        ),
        files: number_of_files(archive),
        systems: systems(archive),
        examples: most_games(site, EXAMPLES),
    }
}
