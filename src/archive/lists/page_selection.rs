//! Which events and players have a page of their own.
//!
//! Of a large collection most events are a game or two of somebody's, and most players played a few games: a page of each
//! would be most of the site and tell nearly nothing. They are rows of tables, are found by search, and one page shows any
//! of them from its data.

use crate::archive::lists::PlayerRow;
use crate::archive::lists::missing::MissingRow;
use crate::archive::record::EventRecord;
use crate::archive::review::ReviewRow;
use crate::archive::settings::OwnPages;
use crate::archive::status::Status;
use crate::archive::studies::norms::Titled;
use crate::players::{PlayerId, Players};

/// Games that tell something by their number.
const ENOUGH: usize = 10;

/// Fragments that are worth a page for what they would be: the strongest, as many as their page lists.
pub const FRAGMENTS_SHOWN: usize = 500;

/// What else makes an event or a player worth a page.
pub(crate) struct Mentioned<'a> {
    /// The queue.
    pub review: &'a [ReviewRow],
    /// Missing games.
    pub missing: &'a [MissingRow],
    /// Events of which too much is missing, the strongest first.
    pub fragments: &'a [usize],
    /// Titles.
    pub titles: &'a [Titled],
}

/// Tells events whether they have a page, and gives the players who have one, by their numbers.
pub(crate) fn own_pages(
    which: OwnPages,
    records: &mut [EventRecord],
    rows: &[PlayerRow],
    players: &Players,
    mentioned: &Mentioned<'_>,
) -> Vec<bool> {
    for record in records.iter_mut() {
        record.has_page = which == OwnPages::All
            || matches!(record.performances, Status::Listed | Status::Faster)
            || record.decided.is_some()
            || record.event.games.len() >= ENOUGH;
    }
    let of_review = mentioned.review.iter().map(|row| row.event);
    let of_missing = mentioned.missing.iter().map(|row| row.event);
    let shown = mentioned.fragments.iter().take(FRAGMENTS_SHOWN).copied();
    let is_strong = |event: &usize| records[*event].analysis.strength.is_some();
    let of_fragments: Vec<usize> = shown.filter(is_strong).collect();
    let of_norms = mentioned.titles.iter().flat_map(|titled| titled.norms.iter().copied());
    for event in of_review.chain(of_missing).chain(of_fragments).chain(of_norms) {
        records[event].has_page = true;
    }
    let mut have = vec![false; players.len()];
    let mut give = |player: PlayerId| have[player.index()] = true;
    for row in rows {
        if which == OwnPages::All || row.games >= ENOUGH || row.great.is_some() {
            give(row.player);
        }
    }
    for titled in mentioned.titles {
        give(titled.player);
    }
    have
}
