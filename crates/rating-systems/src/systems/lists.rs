//! Computed rating lists, each with the day from which it is in force.

use bitcode::{Decode, Encode};

use jiff::civil::{Date, date};
use rustc_hash::FxHashMap;

use super::results::Results;

/// A rating list that a system computed.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputedList {
    /// The day from which it is in force.
    pub day: Date,
    /// The lines, the best first. Provisional ratings follow the others.
    pub ratings: Vec<ListedRating>,
    /// The rank of each line, if the ratings alone do not determine it. Otherwise empty.
    pub ranks: Vec<u32>,
    /// Probabilities of the best players' ranks, if the system computes them.
    pub odds: Vec<RankProbabilities>,
    /// The standard error (points) of this list's level relative to the anchored list, if the
    /// system links the levels of its lists.
    pub level_error: Option<f64>,
}

/// How certain a player's rank on a list is.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct RankProbabilities {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// The probability, in `[0, 1]`, that the player was the best.
    pub first: f64,
    /// The best rank of an interval that contains the true rank with a probability of 80%.
    pub best: u32,
    /// The worst rank of that interval.
    pub worst: u32,
}

/// A player's best year.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct CareerPeak {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// Rating (points).
    pub rating: f64,
    /// Its standard deviation (points).
    pub deviation: f64,
    /// The calendar year.
    pub year: i16,
}

/// A player's best average over five years.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct FiveYearAverage {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// Rating (points).
    pub rating: f64,
    /// The standard error (points) of a rating from the games of these years.
    pub deviation: f64,
    /// Number of games in these years.
    pub games: f64,
    /// First year.
    pub from: i16,
    /// Last year.
    pub to: i16,
    /// Whether the average rests on 20 games or more.
    pub is_established: bool,
}

/// A player's ratings in the windows of five years, smoothed.
#[derive(Clone, Debug, PartialEq)]
pub struct FiveYearCareer {
    /// The best window.
    pub best: FiveYearAverage,
    /// All windows, the earliest first.
    pub windows: Vec<CareerWindow>,
}

/// A window of some years of a career.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CareerWindow {
    /// First year.
    pub from: i16,
    /// Last year.
    pub to: i16,
    /// Rating (points), averaged with those of the windows near it.
    pub rating: f64,
    /// Number of games in these years.
    pub games: f64,
}

impl CareerWindow {
    /// The middle of the window, as a year with its fraction.
    pub fn middle(&self) -> f64 {
        (f64::from(self.from) + f64::from(self.to) + 1.0) / 2.0
    }
}

/// A line of a list.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct ListedRating {
    /// Number of the player in [`Results::players`].
    pub player: u32,
    /// Rating (points).
    pub rating: f64,
    /// Games that the rating rests on, weighted if the system weights games.
    pub games: f64,
    /// Standard error (points) of the rating, if the system estimates one. By paired comparison, it
    /// is that of the difference from the mean of the list's ten best.
    pub deviation: Option<f64>,
    /// Whether the rating rests on too few games. A provisional rating is listed, but it serves no
    /// event and predicts nothing.
    pub is_provisional: bool,
}

impl ListedRating {
    /// A rating without a deviation that is not provisional.
    pub fn new(player: u32, rating: f64, games: f64) -> ListedRating {
        ListedRating { player, rating, games, deviation: None, is_provisional: false }
    }
}

impl ComputedList {
    /// The rank of each line, from 1. Equal ratings share a rank, unless
    /// [`ComputedList::ranks`](#structfield.ranks) distinguishes them.
    pub fn ranks(&self) -> Vec<usize> {
        if !self.ranks.is_empty() {
            return self.ranks.iter().map(|rank| *rank as usize).collect();
        }
        let mut ranks: Vec<usize> = Vec::with_capacity(self.ratings.len());
        for (place, line) in self.ratings.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &self.ratings[before]);
            let shares_rank = before.is_some_and(|before| {
                before.rating == line.rating && before.is_provisional == line.is_provisional
            });
            ranks.push(if shares_rank { ranks[place - 1] } else { place + 1 });
        }
        ranks
    }

    /// Sorts ratings into a list: the best first, equal ratings by player number, provisional
    /// ratings last.
    pub fn new(day: Date, mut ratings: Vec<ListedRating>) -> ComputedList {
        ratings.sort_by(|a, b| {
            a.is_provisional
                .cmp(&b.is_provisional)
                .then(b.rating.total_cmp(&a.rating))
                .then(a.player.cmp(&b.player))
        });
        ComputedList { day, ratings, ranks: Vec::new(), odds: Vec::new(), level_error: None }
    }

    /// Sorts ratings into a list for systems in which the smallest rating is the best.
    pub(super) fn of_smallest(day: Date, ratings: Vec<ListedRating>) -> ComputedList {
        let mut list = ComputedList::new(day, ratings);
        list.ratings.sort_by(|a, b| {
            a.is_provisional
                .cmp(&b.is_provisional)
                .then(a.rating.total_cmp(&b.rating))
                .then(a.player.cmp(&b.player))
        });
        list
    }
}

/// The year of the list that anchors systems without an absolute scale, and the number of players
/// whose mean is fixed. Judged: FIDE's official lists begin a year later, and with half as many
/// players one rating that is 50 points off would move the scale by ten.
const ANCHORED: i16 = 1970;
const BEST: usize = 10;

/// Shifts all lists by one constant, so that the ten best of 1 January 1970 have this mean rating
/// (points).
///
/// If that list has fewer than ten players whose ratings are not provisional, the last list with
/// ten is used, or else the one with most. The latest list alone would not do: a single game with a
/// wrong year makes a list.
pub(super) fn anchored(lists: &mut [ComputedList], anchor: f64) {
    // Among lists with equally many players, `max_by_key` returns the last.
    let found = lists
        .iter()
        .find(|list| list.day == date(ANCHORED, 1, 1) && count_settled(list) == BEST)
        .or_else(|| lists.iter().max_by_key(|list| count_settled(list)));
    let Some(list) = found.filter(|list| count_settled(list) > 0) else { return };
    let lines = list.ratings.iter().filter(|line| !line.is_provisional);
    let best: Vec<f64> = lines.take(BEST).map(|line| line.rating).collect();
    let by = anchor - best.iter().sum::<f64>() / best.len() as f64;
    for line in lists.iter_mut().flat_map(|list| &mut list.ratings) {
        line.rating += by;
    }
}

/// Number of ratings that are not provisional, at most [`BEST`].
fn count_settled(list: &ComputedList) -> usize {
    list.ratings.iter().filter(|line| !line.is_provisional).count().min(BEST)
}

/// Stretches lists to another scale: the smallest of all ratings becomes `low`, the largest `high`
/// (Jones (29), (30)). Standard errors are stretched by the same factor.
pub fn stretched(mut lists: Vec<ComputedList>, (low, high): (f64, f64)) -> Vec<ComputedList> {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for line in lists.iter().flat_map(|list| &list.ratings) {
        (least, most) = (least.min(line.rating), most.max(line.rating));
    }
    if most <= least {
        return lists;
    }
    let by = (high - low) / (most - least);
    for list in &mut lists {
        list.level_error = list.level_error.map(|error| error * by);
        for line in &mut list.ratings {
            line.rating = low + (line.rating - least) * by;
            line.deviation = line.deviation.map(|deviation| deviation * by);
        }
    }
    lists
}

/// Minimum number of games of an established rating. At most [`WITH_ONE`] games count per opponent.
/// Judged: the standard error of a performance is 126 points in five games, and 89 in ten (Elo
/// 2.55).
const ENOUGH_GAMES: u32 = 10;

/// Minimum number of opponents of an established rating. Judged: with two, it could rest on one
/// overrated opponent; with eight, on no small tournament.
const ENOUGH_OPPONENTS: u32 = 4;

/// Games with the same opponent that count towards [`ENOUGH_GAMES`]. A series against one opponent
/// compares two players, but does not compare them with others. Judged: with eight, one long match
/// would supply nearly all games that a rating needs.
const WITH_ONE: u32 = 4;

/// The day from which each player has enough games against enough opponents. `None` if this never
/// happens.
pub fn established_from(results: &Results) -> Vec<Option<Date>> {
    let mut games: Vec<(u32, Date, u32)> = Vec::with_capacity(2 * results.games.len());
    for game in &results.games {
        games.push((game.white, game.day, game.black));
        games.push((game.black, game.day, game.white));
    }
    games.sort_unstable();
    let mut known = vec![None; results.players.len()];
    let mut with: FxHashMap<u32, u32> = FxHashMap::default();
    for of_player in games.chunk_by(|a, b| a.0 == b.0) {
        with.clear();
        let mut counted = 0;
        for &(player, day, opponent) in of_player {
            let so_far = with.entry(opponent).or_default();
            *so_far += 1;
            counted += u32::from(*so_far <= WITH_ONE);
            if counted >= ENOUGH_GAMES && with.len() >= ENOUGH_OPPONENTS as usize {
                known[player as usize] = Some(day);
                break;
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(year: i16, ratings: &[f64]) -> ComputedList {
        let lines = (0..).zip(ratings).map(|(player, rating)| ListedRating {
            player,
            rating: *rating,
            games: 10.0,
            deviation: Some(40.0),
            is_provisional: false,
        });
        ComputedList::new(date(year, 1, 1), lines.collect())
    }

    #[test]
    fn stretching_maps_the_smallest_and_largest_rating_of_all_lists() {
        let lists = vec![list(1900, &[2400.0, 2000.0]), list(1901, &[2200.0, 2800.0])];
        let found = stretched(lists, (0.0, 100.0));
        let ratings: Vec<f64> =
            found.iter().flat_map(|list| &list.ratings).map(|line| line.rating).collect();
        assert_eq!(ratings, [50.0, 0.0, 100.0, 25.0]);
        assert_eq!(found[0].ratings[0].deviation, Some(5.0));
        let alike = vec![list(1900, &[2400.0, 2400.0])];
        assert_eq!(stretched(alike.clone(), (0.0, 100.0)), alike);
    }

    #[test]
    fn a_late_list_with_few_players_does_not_anchor_the_scale() {
        let many: Vec<f64> = (0..12).map(|place| 2000.0 - f64::from(place)).collect();
        let mut lists = vec![list(2000, &many), list(2001, &many), list(2119, &[1000.0, 900.0])];
        anchored(&mut lists, 2640.0);
        let best = &lists[1].ratings[..10];
        let mean = best.iter().map(|line| line.rating).sum::<f64>() / 10.0;
        assert!((mean - 2640.0).abs() < 1e-9, "{mean}");
        let mut none: Vec<ComputedList> = Vec::new();
        anchored(&mut none, 2640.0);
    }

    #[test]
    fn equal_ratings_share_a_rank() {
        assert_eq!(list(1900, &[2400.0, 2500.0, 2400.0, 2300.0]).ranks(), [1, 2, 2, 4]);
    }
}
