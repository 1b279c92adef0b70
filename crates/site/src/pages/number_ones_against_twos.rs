//! The matches of the world's number one against number two.

use std::collections::BTreeMap;

use serde::Serialize;

use super::outcome::won_with;
use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, fixed, list_with_shift, spoken};
use archive::RankedMatch;
use chess_history::players::PlayerId;

/// The matches of number one against number two.
fn matches<'a>(site: &'a Site) -> impl Iterator<Item = &'a RankedMatch> + Clone {
    site.archive
        .studies
        .chessmetrics
        .matches
        .iter()
        .filter(|row| row.players.each_ref().map(|one| one.rank) == [1, 2])
}

pub fn has_matches_of_the_two_best(site: &Site) -> bool {
    matches(site).next().is_some()
}

pub fn number_ones_against_twos(site: &Site, page: &Page) -> impl Serialize {
    let mut rows: Vec<&RankedMatch> = matches(site).collect();
    // Records are in the order of their days.
    rows.sort_by_key(|row| row.event);
    let won_by_first = rows
        .iter()
        .filter(|row| {
            let record = &site.archive.records[row.event];
            let winners = record.winners();
            winners.len() == 1
                && record.event.players[record.analysis.players[winners[0]].index]
                    == row.players[0].player
        })
        .count();
    let mut by_player: BTreeMap<usize, (PlayerId, usize)> = BTreeMap::new();
    for one in rows.iter().flat_map(|row| &row.players) {
        by_player.entry(one.player.index()).or_insert((one.player, 0)).1 += 1;
    }
    let most = by_player.values().map(|(_, count)| *count).max().unwrap_or(0);
    let names: Vec<String> = by_player
        .values()
        .filter(|(_, count)| *count == most)
        .map(|(player, _)| spoken(&site.archive.players.get(*player).name))
        .collect();
    let mut finding = format!(
        "The world’s number one has met number two in {} and won {won_by_first}.",
        counted(rows.len(), "match", "matches")
    );
    // With more names, or one match each, no one stands out.
    if most > 1 && names.len() <= 2 {
        let each = if names.len() > 1 { " each" } else { "" };
        finding.push_str(&format!(" {} played most of them: {most}{each}.", names.join(" and ")));
    }
    let until_2005 = rows.iter().filter(|row| {
        site.archive.records[row.event].event.start.year().is_some_and(|year| year <= 2005)
    });
    view!(
        frame = page.cited_frame(site, finding),
        until_2005 = counted(until_2005.count(), "match", "matches"),
        rows = rows.iter().map(|row| line(site, row)).collect::<Vec<_>>()
    )
}

/// The surname of a name: the link leads to the whole name, and the table fits on a phone.
fn surname(name: &str) -> &str {
    name.split_once(',').map_or(name, |(surname, _)| surname)
}

fn line(site: &Site, row: &RankedMatch) -> impl Serialize {
    let record = &site.archive.records[row.event];
    let (winner, score) = won_with(record, |player| surname(&player.name).to_owned());
    view!(
        year = Site::year(record),
        event = Link::to_event(record),
        // Number one and number two, each with the rating.
        players = row.players.each_ref().map(|one| {
            let link = Link::to_player(site.archive, one.player);
            let text = surname(&link.text).to_owned();
            (Link { text, ..link }, fixed(one.rating, 0))
        }),
        winner,
        score,
        list = list_with_shift(&row.list, row.edition, row.shift)
    )
}
