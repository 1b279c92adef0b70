//! The first ten of the world, year by year, and who was among them for longest.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::leader::{Leader, name_here};
use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, spoken};
use archive::{RankedLine, Ranking};
use chess_history::players::PlayerId;

/// The number of players of a year.
const PLAYERS: usize = 10;

/// The rows of the table of players. Judged: the last of them were among the first ten for about
/// ten years.
const ROWS: usize = 100;

pub fn has_first_ten(site: &Site) -> bool {
    yearly(site).next().is_some()
}

/// The ranking of each year that has ten players, from the first source of ratings that has one.
fn yearly<'a>(site: &Site<'a>) -> impl Iterator<Item = &'a Ranking> {
    let mut years: BTreeMap<i16, &Ranking> = BTreeMap::new();
    for ranking in &site.archive.lists.rankings {
        if ranking.lines.len() >= PLAYERS {
            years.entry(ranking.year).or_insert(ranking);
        }
    }
    years.into_values()
}

/// The years in which a player was among the first ten.
#[derive(Debug, Default, PartialEq)]
struct Tenure {
    player: Option<PlayerId>,
    /// Years as number one, among the first three and among the first ten.
    years: [usize; 3],
    first: i16,
    last: i16,
}

/// Counts the years of each player by name, the longest first.
fn tenures<'r>(
    years: impl Iterator<Item = (i16, &'r [RankedLine])>,
    name_of: impl Fn(&RankedLine) -> String,
) -> Vec<(String, Tenure)> {
    let mut found: BTreeMap<String, Tenure> = BTreeMap::new();
    for (year, lines) in years {
        for line in lines.iter().take_while(|line| line.rank <= PLAYERS) {
            let own = found.entry(name_of(line)).or_default();
            own.player = own.player.or(line.player);
            for (count, place) in own.years.iter_mut().zip([1, 3, PLAYERS]) {
                *count += usize::from(line.rank <= place);
            }
            own.first = if own.first == 0 { year } else { own.first };
            own.last = year;
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, own)| {
        let [first, three, ten] = own.years;
        Reverse((ten, three, first))
    });
    found
}

/// The page of the first ten.
pub fn first_ten(site: &Site, page: &Page) -> impl Serialize {
    let tenures = tenures(yearly(site).map(|ranking| (ranking.year, &ranking.lines[..])), |line| {
        name_here(site, line.player, &line.name)
    });
    let finding = finding(&tenures);
    let rows = tenures.iter().take(ROWS).map(|(name, own)| {
        let [first, three, ten] = own.years;
        view!(
            player = own.player.map(|player| Link::to_player(site.archive, player)),
            name = name.clone(),
            first,
            three,
            ten,
            years = super::span(Some((own.first, own.last)))
        )
    });
    let years = yearly(site).map(|ranking| {
        let lines = ranking.lines.iter().take(PLAYERS);
        view!(
            year = ranking.year,
            // Only years with events have a page.
            has_page = site.years.iter().any(|(year, _)| *year == ranking.year),
            system = ranking.system.clone(),
            players = lines.map(|line| Leader::new(site, ranking, line)).collect::<Vec<_>>()
        )
    });
    let mut years: Vec<_> = years.collect();
    years.reverse();
    view!(
        frame = page.cited_frame(site, finding),
        all = tenures.len(),
        rows = rows.collect::<Vec<_>>(),
        years
    )
}

/// Who was among the first ten for longest, and who was first for longest.
fn finding(tenures: &[(String, Tenure)]) -> String {
    let first = tenures.iter().rev().max_by_key(|(_, own)| own.years[0]);
    let (Some((name, own)), Some((leader, led))) = (tenures.first(), first) else {
        return String::new();
    };
    // As many years as another player are no record.
    let is_record = |place: usize, years: usize| {
        tenures.iter().filter(|(_, other)| other.years[place] >= years).count() == 1
    };
    let record = |place, years| {
        if is_record(place, years) { ", longer than any other player" } else { "" }
    };
    let ten = own.years[2];
    format!(
        "{} was among the world’s first ten in {}{}. {} was first in {}{}.",
        spoken(name),
        counted(ten, "year", "years"),
        record(2, ten),
        spoken(leader),
        counted(led.years[0], "year", "years"),
        record(0, led.years[0])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rank: usize, name: &str) -> RankedLine {
        RankedLine {
            rank,
            name: name.to_owned(),
            rating: 2700.0,
            player: None,
            before: None,
            deviation: None,
            odds: None,
        }
    }

    #[test]
    fn years_are_counted_by_rank_and_equals_share_it() {
        let first =
            [line(1, "Lasker"), line(2, "Maroczy"), line(10, "Marshall"), line(10, "Mieses")];
        let second = [line(1, "Lasker"), line(4, "Marshall"), line(11, "Mieses")];
        let found = tenures([(1900, &first[..]), (1902, &second[..])].into_iter(), |line| {
            line.name.clone()
        });
        let years: Vec<(&str, [usize; 3])> =
            found.iter().map(|(name, own)| (name.as_str(), own.years)).collect();
        assert_eq!(
            years,
            [
                ("Lasker", [2, 2, 2]),
                ("Marshall", [0, 0, 2]),
                ("Maroczy", [0, 1, 1]),
                ("Mieses", [0, 0, 1]),
            ]
        );
        assert_eq!((found[1].1.first, found[1].1.last), (1900, 1902));
        assert_eq!(
            finding(&found),
            "Lasker was among the world’s first ten in 2 years. Lasker was first in 2 years, \
             longer than any other player."
        );
    }
}
