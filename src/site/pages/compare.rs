//! Any two players beside each other: the page is filled by its script.

use serde::Serialize;

use super::pairs::most_games;
use super::{Frame, Link, Site};
use crate::archive::Archive;
use crate::site::dossiers::{number_of_files, systems};

/// Pairs who met most often, for those who only look around.
const EXAMPLES: usize = 12;

/// The comparison of two players.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ComparePage {
    frame: Frame,
    /// Files of players.
    files: usize,
    systems: Vec<String>,
    examples: Vec<Link>,
}

/// The view of the comparison.
pub(in crate::site) fn compare(site: &Site) -> ComparePage {
    let archive: &Archive = site.archive;
    ComparePage {
        frame: site.frame(
            "compare.html",
            "players",
            "Two players beside each other".into(),
            "Ratings by every list, events in which both played, and what they scored against each other."
                .into(),
        ),
        files: number_of_files(archive),
        systems: systems(archive),
        examples: most_games(site, EXAMPLES),
    }
}
