//! The performances and matches that rank highest by Chessmetrics.

use serde::Serialize;

use super::number_ones_against_twos::has_matches_of_the_two_best;
use super::page::Page;
use super::strongest_by_class::has_classes;
use super::{Link, Site};
use crate::figures::{fixed, list_with_shift, points, spoken};
use archive::{ChessmetricsLists, PaddedRow, RankedMatch};

/// The number of performances, and of matches, on the page. Judged: a few screens. The exports have
/// all.
const LISTED: usize = 300;

fn padded_line(site: &Site, row: &PaddedRow) -> impl Serialize {
    let record = &site.archive.records[row.event];
    view!(
        rank = row.rank,
        player = Link::to_player(site.archive, row.player),
        event = Link::to_event(record),
        year = Site::year(record),
        padded = fixed(row.padded, 0),
        raw = fixed(row.performance.raw, 0),
        opponents = fixed(row.performance.mean_opponent, 0),
        points = points(row.performance.points),
        games = row.performance.games,
        list = list_with_shift(&row.list, row.edition.year(), row.shift)
    )
}

fn ranked_match_line(site: &Site, row: &RankedMatch) -> impl Serialize {
    let record = &site.archive.records[row.event];
    view!(
        rank = row.rank,
        event = Link::to_event(record),
        year = Site::year(record),
        // The players with their world ranks, the stronger first.
        players =
            row.players.map(|one| (Link::to_player(site.archive, one.player), one.rank)).to_vec(),
        games = record.event.games.len()
    )
}

/// Whether any performance or match is ranked.
pub fn has_chessmetrics(site: &Site) -> bool {
    let ChessmetricsLists { performances, matches, .. } = &site.archive.studies.chessmetrics;
    !performances.is_empty() || !matches.is_empty()
}

pub fn chessmetrics(site: &Site, page: &Page) -> impl Serialize {
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
    view!(
        frame = page.cited_frame(site, finding),
        has_classes = has_classes(site),
        has_two_best = has_matches_of_the_two_best(site),
        performances = performances.map(|row| padded_line(site, row)).collect::<Vec<_>>(),
        matches = matches.map(|row| ranked_match_line(site, row)).collect::<Vec<_>>(),
        // How many performances have a padded rating, and how many were played.
        rated = lists.rated,
        played = lists.played
    )
}
