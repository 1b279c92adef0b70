//! Makes world rankings: the best players of every rating list, year by year.

use std::collections::BTreeSet;

use jiff::civil::{Date, date};
use rustc_hash::FxHashMap;

use crate::rated_players::computed::ListOdds;
use chess_history::players::PlayerId;
use chess_history::ratings::{Activity, RatingList, leaders};

/// The number of players in a ranking. Judged: the world's best of a year. Twice as many double the
/// pages of rankings.
const LONGEST: usize = 100;

/// The active players of one list at the beginning of a year, the best hundred.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    pub system: String,
    pub year: i16,
    /// Day of the edition in force on the first of January; where there was none yet, the first of
    /// the year.
    pub edition: Date,
    /// Whether ratings of the edition were collected from the tags of games.
    pub is_from_tags: bool,
    /// Whether there is a ranking of the year before, by another edition.
    pub is_compared: bool,
    /// The best first.
    pub lines: Vec<RankedLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RankedLine {
    /// Place, from 1; equals share it.
    pub rank: usize,
    /// The name, as the list writes it.
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    /// The player of the archive, if the identification is certain.
    pub player: Option<PlayerId>,
    /// The rank in the year before, if any.
    pub before: Option<usize>,
    /// The standard deviation of the rating (points), if the list has it.
    pub deviation: Option<f64>,
    /// The probability of being the best of the year, and the interval of ranks with 80%
    /// probability, if the system computes them.
    pub odds: Option<(f64, (u32, u32))>,
}

/// The rankings of all lists in their order, then by year.
pub fn rankings(lists: &[&RatingList], activity: &Activity, odds: &[ListOdds]) -> Vec<Ranking> {
    let mut known: FxHashMap<(&str, i16, &str), &ListOdds> = FxHashMap::default();
    for odds in odds {
        known.insert((odds.list, odds.year, &odds.name), odds);
    }
    let mut rankings: Vec<Ranking> =
        lists.iter().flat_map(|list| rankings_of_list(list, activity)).collect();
    for ranking in &mut rankings {
        for line in &mut ranking.lines {
            let odds = known.get(&(ranking.system.as_str(), ranking.edition.year(), &line.name));
            line.odds = odds.map(|odds| (odds.first, odds.ranks));
        }
    }
    rankings
}

fn rankings_of_list(list: &RatingList, activity: &Activity) -> Vec<Ranking> {
    let years: BTreeSet<i16> = list.editions().map(|edition| edition.day.year()).collect();
    let mut found: Vec<Ranking> = Vec::new();
    for year in years {
        let first = date(year, 1, 1);
        let Some(edition) = list
            .in_force(first)
            .filter(|edition| edition.day.year() >= year - 1)
            .or_else(|| list.editions().find(|edition| edition.day.year() == year))
        else {
            continue;
        };
        let day = edition.day.max(first);
        let before = found
            .last()
            .filter(|ranking| ranking.year == year - 1 && ranking.edition != edition.day);
        let mut lines: Vec<RankedLine> = Vec::new();
        for (place, listed) in (1..).zip(leaders(list, edition, day, activity).take(LONGEST)) {
            let rank = match lines.last() {
                Some(last) if last.rating == listed.rating => last.rank,
                _ => place,
            };
            let line_before = before.and_then(|ranking| {
                ranking.lines.iter().find(|line| line.name == listed.name).map(|line| line.rank)
            });
            lines.push(RankedLine {
                rank,
                name: listed.name.to_owned(),
                rating: listed.rating,
                player: activity.player_of(&listed, day),
                before: line_before,
                deviation: listed.deviation,
                odds: None,
            });
        }
        if lines.len() > 1 {
            let is_compared = before.is_some();
            let (system, is_from_tags) = (list.system.clone(), edition.is_from_tags());
            let edition = edition.day;
            found.push(Ranking { system, year, edition, is_from_tags, is_compared, lines });
        }
    }
    found
}
