//! Decides which events and players have their own page.
//!
//! In a large collection most events are incomplete and no list ranks them, and most players have a
//! few games. Pages for each would be most of the site, and no free host would take it. Such events
//! and players appear in tables and in the search, and one page shows any of them from its data.

use crate::lists::PlayerRow;
use crate::rated_players::rankings::Ranking;
use crate::record::EventRecord;
use crate::record::status::Status;
use crate::settings::OwnPages;
use crate::studies::norms::Titled;
use chess_history::players::Players;
use pgn_collections::games::Tempo;
use tournament_app::Kind;

/// The number of games from which a player has a page. Judged: readers look for players who played
/// for years.
const ENOUGH: usize = 200;

/// The ranks on a yearly list up to which a player has a page: the world's best, as far as
/// readers know them. Judged.
const BEST_OF_YEAR: usize = 100;

/// The number of incomplete events that have a page for what they would be: the strongest, as many
/// as their page lists. Judged: a page of this length can still be read.
pub const FRAGMENTS_SHOWN: usize = 500;

/// Other reasons for a page.
pub struct PageReasons<'a> {
    /// Incomplete events, the strongest first.
    pub fragments: &'a [usize],
    pub titles: &'a [Titled],
    pub rankings: &'a [Ranking],
}

/// Finds out whether each event, by index, and each player, by number, has a page.
pub fn own_pages(
    which: OwnPages,
    records: &[EventRecord],
    rows: &[PlayerRow],
    players: &Players,
    mentioned: &PageReasons<'_>,
) -> (Vec<bool>, Vec<bool>) {
    if which == OwnPages::All {
        let mut have = vec![false; players.len()];
        for row in rows {
            have[row.player.index()] = true;
        }
        return (vec![true; records.len()], have);
    }
    let mut events: Vec<bool> = records.iter().map(is_looked_for).collect();
    for event in mentioned.fragments.iter().take(FRAGMENTS_SHOWN) {
        events[*event] |= records[*event].analysis.strength.is_some();
    }
    let mut have = vec![false; players.len()];
    for row in rows {
        have[row.player.index()] = row.games >= ENOUGH || row.great.is_some();
    }
    for titled in mentioned.titles {
        have[titled.player.index()] = true;
    }
    for line in mentioned.rankings.iter().flat_map(|ranking| &ranking.lines) {
        if let Some(player) = line.player.filter(|_| line.rank <= BEST_OF_YEAR) {
            have[player.index()] = true;
        }
    }
    (events, have)
}

/// Whether an event is on a list, decided or famous, or whole and classical.
fn is_looked_for(record: &EventRecord) -> bool {
    let is_listed = matches!(record.performances, Status::Listed | Status::Faster)
        || record.status == Status::Listed;
    let is_whole = record.eligibility.is_certain && record.eligibility.coverage() >= 1.0;
    let is_classical = record.event.tempo == Tempo::Classical;
    let is_individual = !matches!(record.event.kind, Kind::Team | Kind::Fragment);
    is_listed
        || record.decided.is_some()
        || record.event.known.is_some()
        || (is_whole && is_classical && is_individual)
}
