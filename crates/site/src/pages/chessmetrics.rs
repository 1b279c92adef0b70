//! The performances and matches that rank highest by Chessmetrics.

use serde::Serialize;

use super::page::Page;
use super::{Frame, Link, Site};
use crate::figures::{fixed, points, spoken};
use archive::{ChessmetricsLists, PaddedRow, RankedMatch};

/// The number of performances, and of matches, on the page. Judged: a few screens. The exports have
/// all.
const LISTED: usize = 300;

#[derive(Debug, Serialize)]
pub struct ChessmetricsPage {
    frame: Frame,
    performances: Vec<PaddedLine>,
    matches: Vec<RankedMatchLine>,
    /// How many performances have a padded rating, and how many were played.
    rated: usize,
    played: usize,
}

#[derive(Debug, Serialize)]
struct PaddedLine {
    rank: usize,
    player: Link,
    event: Link,
    year: String,
    padded: String,
    raw: String,
    opponents: String,
    points: String,
    games: usize,
    list: String,
}

impl PaddedLine {
    fn new(site: &Site, row: &PaddedRow) -> PaddedLine {
        let record = &site.archive.records[row.event];
        PaddedLine {
            rank: row.rank,
            player: Link::to_player(site.archive, row.player),
            event: Link::to_event(record),
            year: Site::year(record),
            padded: fixed(row.padded, 0),
            raw: fixed(row.performance.raw, 0),
            opponents: fixed(row.performance.mean_opponent, 0),
            points: points(row.performance.points),
            games: row.performance.games,
            list: match row.shift {
                0.0 => format!("{}, {}", row.list, row.edition.year()),
                shift => format!("{} {:+.0}, {}", row.list, shift, row.edition.year()),
            },
        }
    }
}

#[derive(Debug, Serialize)]
struct RankedMatchLine {
    rank: usize,
    event: Link,
    year: String,
    /// The players with their world ranks, the stronger first.
    players: Vec<(Link, usize)>,
    games: usize,
}

impl RankedMatchLine {
    fn new(site: &Site, row: &RankedMatch) -> RankedMatchLine {
        let record = &site.archive.records[row.event];
        RankedMatchLine {
            rank: row.rank,
            event: Link::to_event(record),
            year: Site::year(record),
            players: row
                .players
                .map(|one| (Link::to_player(site.archive, one.player), one.rank))
                .to_vec(),
            games: record.event.games.len(),
        }
    }
}

/// Whether any performance or match is ranked.
pub fn has_chessmetrics(site: &Site) -> bool {
    let ChessmetricsLists { performances, matches, .. } = &site.archive.studies.chessmetrics;
    !performances.is_empty() || !matches.is_empty()
}

pub fn chessmetrics(site: &Site, page: &Page) -> ChessmetricsPage {
    let lists = &site.archive.studies.chessmetrics;
    let finding = match lists.performances.first() {
        Some(best) => format!(
            "By Jeff Sonas’s measure, the greatest performance is that of {} at {}: {} points.",
            spoken(&site.archive.players.get(best.player).name),
            site.archive.records[best.event].event.name,
            fixed(best.padded, 0)
        ),
        None => "No performance has opponents who are all on a list of Chessmetrics.".into(),
    };
    let performances = lists.performances.iter().take(LISTED);
    let matches = lists.matches.iter().take(LISTED);
    ChessmetricsPage {
        frame: page.cited_frame(site, finding),
        performances: performances.map(|row| PaddedLine::new(site, row)).collect(),
        matches: matches.map(|row| RankedMatchLine::new(site, row)).collect(),
        rated: lists.rated,
        played: lists.played,
    }
}
