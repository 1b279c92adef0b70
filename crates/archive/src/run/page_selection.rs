//! Decides which events and players have their own page.
//!
//! In a large collection most events have one or two games, and most players a few. Pages for each
//! would be most of the site with almost no content. Such events and players appear in tables and
//! in the search, and one page shows any of them from its data.

use crate::lists::PlayerRow;
use crate::lists::missing::MissingRow;
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::review::ReviewRow;
use crate::settings::OwnPages;
use crate::studies::norms::Titled;
use chess_history::players::Players;

/// The number of games from which an event or a player has a page. Judged: with fewer, a page shows
/// little that the lists do not show. With five, an archive has many more pages, most of them of
/// players with a single event.
const ENOUGH: usize = 10;

/// The number of incomplete events that have a page for what they would be: the strongest, as many
/// as their page lists. Judged: a page of this length can still be read.
pub const FRAGMENTS_SHOWN: usize = 500;

/// Other reasons for a page.
pub struct PageReasons<'a> {
    pub review: &'a [ReviewRow],
    pub missing: &'a [MissingRow],
    /// Incomplete events, the strongest first.
    pub fragments: &'a [usize],
    pub titles: &'a [Titled],
}

/// Finds out whether each event, by index, and each player, by number, has a page.
pub fn own_pages(
    which: OwnPages,
    records: &[EventRecord],
    rows: &[PlayerRow],
    players: &Players,
    mentioned: &PageReasons<'_>,
) -> (Vec<bool>, Vec<bool>) {
    let mut events: Vec<bool> = records
        .iter()
        .map(|record| {
            which == OwnPages::All
                || matches!(record.performances, Status::Listed | Status::Faster)
                || record.decided.is_some()
                || record.event.games.len() >= ENOUGH
        })
        .collect();
    let of_review = mentioned.review.iter().map(|row| row.event);
    let of_missing = mentioned.missing.iter().map(|row| row.event);
    let shown = mentioned.fragments.iter().take(FRAGMENTS_SHOWN).copied();
    let of_fragments: Vec<usize> =
        shown.filter(|event| records[*event].analysis.strength.is_some()).collect();
    let of_norms = mentioned.titles.iter().flat_map(|titled| titled.norms.iter().copied());
    for event in of_review.chain(of_missing).chain(of_fragments).chain(of_norms) {
        events[event] = true;
    }
    let mut have = vec![false; players.len()];
    for row in rows {
        if which == OwnPages::All || row.games >= ENOUGH || row.great.is_some() {
            have[row.player.index()] = true;
        }
    }
    for titled in mentioned.titles {
        have[titled.player.index()] = true;
    }
    (events, have)
}
