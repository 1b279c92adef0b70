//! Each player's best five-year average by historical Elo, next to those of Elo's book.

use serde::Serialize;

use super::page::{Inputs, Page};
use super::{Link, Site};
use crate::errors::PublishError;
use crate::figures::{fixed, fixed_or_empty, spoken};
use crate::long_table::LongTable;
use archive::book_average;
use chess_history::players::PlayerId;
use rating_systems::systems::FiveYearAverage;

/// The number of averages on the page and in its files. Judged: twice as many as the book's list of
/// some 500 masters. The export has all.
const LISTED: usize = 1000;

/// Years of a period that is no half decade.
const LONG: i16 = 5;

pub fn has_averages(site: &Site) -> bool {
    !site.archive.lists.five_year_careers.is_empty()
}

pub fn five_year_averages(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    let site = to.site;
    let careers = &site.archive.lists.five_year_careers;
    let mut rank = 0;
    let rows = careers.iter().take(LISTED).map(|(player, career)| {
        let average = &career.best;
        rank += usize::from(average.is_established);
        line(site, rank, *player, average)
    });
    let table = LongTable::new("five-year-averages", rows.collect());
    let best = careers.iter().find(|(_, career)| career.best.is_established);
    let finding = match best {
        Some((player, career)) => format!(
            "By Elo’s method, the best five years of any player are {}’s of {} to {}: {} points.",
            spoken(&site.archive.players.get(*player).name),
            career.best.from,
            career.best.to,
            fixed(career.best.rating, 0)
        ),
        None => "No player has 20 games in five years.".to_owned(),
    };
    let listed = careers.iter().take(LISTED);
    let born: Vec<i16> = listed.clone().filter_map(|(player, _)| born(site, *player)).collect();
    let view = view!(
        frame = page.cited_frame(site, finding),
        // Years of birth for the filter.
        first_year = born.iter().min(),
        last_year = born.iter().max(),
        // Codes and names of the countries of the players.
        countries = super::lists::named(listed.flat_map(|(player, _)| site.countries_of(*player))),
        // The number of averages in the table to download.
        all = careers.len(),
        agreement = agreement(site),
        table = &table
    );
    to.writer.page(page.path, "five-year-averages.html", &view)?;
    to.writer.rest(&table, "five_year_rows.html", "")
}

fn born(site: &Site, player: PlayerId) -> Option<i16> {
    site.archive.players.get(player).life.as_ref()?.born
}

fn line(site: &Site, rank: usize, id: PlayerId, average: &FiveYearAverage) -> impl Serialize {
    let player = site.archive.players.get(id);
    let born = born(site, id);
    view!(
        // Empty for an average from few games.
        rank = if average.is_established { rank.to_string() } else { String::new() },
        player = Link::to_player(site.archive, id),
        countries = site.countries_of(id).join(" "),
        average = fixed(average.rating, 0),
        error = fixed(average.deviation, 0),
        years = super::span(Some((average.from, average.to))),
        games = average.games as usize,
        // The age in the middle of five years. Of the long period, the years of play are unknown.
        age = born
            .filter(|_| average.to - average.from < LONG)
            .map(|born| i32::from(average.from + average.to) / 2 - i32::from(born)),
        born,
        book = fixed_or_empty(book_average(player), 0)
    )
}

/// How the averages agree with those of the book, in a sentence; empty with fewer than ten.
pub(super) fn agreement(site: &Site) -> String {
    /// Judged: a standard deviation of fewer differences says little.
    const FEWEST: usize = 10;
    let differences: Vec<f64> = site
        .archive
        .lists
        .five_year_careers
        .iter()
        .filter_map(|(player, career)| {
            Some(career.best.rating - book_average(site.archive.players.get(*player))?)
        })
        .collect();
    if differences.len() < FEWEST {
        return String::new();
    }
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>();
    format!(
        "For {} players we have the figure of Elo’s book. Ours differ from them by {} points on average, with a \
         standard deviation of {}.",
        differences.len(),
        fixed(mean, 0),
        fixed((squares / (count - 1.0)).sqrt(), 0)
    )
}
