//! Computes the lists of window systems and aligns them with each other.

use std::collections::BTreeMap;

use jiff::civil::date;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::systems::lists::{ComputedList, ListedRating, anchored};
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::mean::mean;
use crate::systems::results::Results;
use crate::systems::system::SystemRatings;
use crate::systems::wording::counted;
use crate::tournament::pairing::PairingTable;

/// The settings of a window system.
pub(super) struct Window {
    /// Calendar years of a window.
    pub years: u32,
    /// Minimum number of a listed player's games in the window.
    pub games: u32,
    /// Number of drawn games between each player and a phantom player.
    pub prior: f64,
    /// Mean rating (points) of the ten best of 1970, or else of the last list with ten players.
    pub anchor: f64,
    /// Whether only a strongly connected set can be rated: one in which every player took points
    /// off every other, directly or through third players.
    pub needs_strong_connection: bool,
    /// Whether ratings have standard errors, by the logistic curve.
    pub has_errors: bool,
}

/// The ranks that align two lists, as in Chessmetrics, and the minimum number of players with these
/// ranks on both lists. Judged: with two, a change of one player would move the scale by half of
/// it.
const RANKS: std::ops::Range<usize> = 2..20;
const ENOUGH: usize = 4;

/// Minimum number of players on a list. Two players are a match and not a pool.
pub(super) const FEWEST: usize = 3;

/// All lists. `solve` returns the ratings (points) of a table's players.
pub(super) fn window_lists(
    results: &Results,
    window: &Window,
    solve: &(dyn Fn(&PairingTable) -> Vec<f64> + Sync),
) -> SystemRatings {
    let unaligned = map_windows(results, window.years, &|players| rate(players, window, solve));
    let outside: usize = unaligned.iter().map(|(_, (_, outside))| outside).sum();
    let mut lists: Vec<ComputedList> = Vec::new();
    let mut few = 0;
    for (year, (lines, _)) in unaligned {
        if lines.len() < FEWEST {
            few += usize::from(!lines.is_empty());
            continue;
        }
        let mut list = ComputedList::new(date(year, 1, 1), lines);
        let shift = lists.last().map_or(0.0, |before| shift(&before.ratings, &list.ratings));
        for line in &mut list.ratings {
            line.rating += shift;
        }
        lists.push(list);
    }
    for list in &mut lists {
        // Ratings that differed by rounding errors may be equal after the shift.
        *list = ComputedList::new(list.day, std::mem::take(&mut list.ratings));
    }
    anchored(&mut lists, window.anchor);
    SystemRatings { lists, notes: notes(outside, few), ..SystemRatings::default() }
}

/// Sentences for the terminal: how many players with enough games could not be rated, and how many
/// years have too few players for a list.
pub(super) fn notes(outside: usize, few: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if outside > 0 {
        notes.push(format!(
            "{} missing: players with enough games cannot be compared with the others",
            counted(outside, "rating")
        ));
    }
    if few > 0 {
        notes.push(format!(
            "{} without a list: fewer than {FEWEST} comparable players have enough games",
            counted(few, "year")
        ));
    }
    notes
}

/// The games of a window, and the player number for each index of their table.
pub(super) struct Windowed {
    pub table: PairingTable,
    pub players: Vec<u32>,
    /// The share of the games, in `[0, 1]`, that were not drawn.
    decided: f64,
}

/// Applies `make` to the window of each year. The key is the year after the window.
pub(super) fn map_windows<T: Send>(
    results: &Results,
    years: u32,
    make: &(dyn Fn(Windowed) -> T + Sync),
) -> Vec<(i16, T)> {
    let mut by_year: BTreeMap<i16, Vec<(u32, u32, f64)>> = BTreeMap::new();
    for game in &results.games {
        let games = by_year.entry(game.day.year()).or_default();
        games.push((game.white, game.black, game.score));
    }
    let (Some(first), Some(last)) =
        (by_year.keys().next().copied(), by_year.keys().next_back().copied())
    else {
        return Vec::new();
    };
    let span = years as i16;
    // The largest windows come last in time and are computed first, so that all threads finish
    // together.
    let mut made: Vec<(i16, T)> = (first + 1..=last + 1)
        .rev()
        .collect::<Vec<i16>>()
        .into_par_iter()
        .with_max_len(1)
        .map(|year| {
            let games = by_year.range(year - span..year).flat_map(|(_, games)| games);
            (year, make(windowed(&games.copied().collect::<Vec<_>>())))
        })
        .collect();
    made.reverse();
    made
}

fn windowed(games: &[(u32, u32, f64)]) -> Windowed {
    let mut players: Vec<u32> = games.iter().flat_map(|(one, other, _)| [*one, *other]).collect();
    players.sort_unstable();
    players.dedup();
    let places: FxHashMap<u32, u32> =
        players.iter().enumerate().map(|(place, player)| (*player, place as u32)).collect();
    let numbered = games.iter().map(|(one, other, score)| (places[one], places[other], *score));
    let decided = games.iter().filter(|(.., score)| *score != 0.5).count() as f64;
    Windowed {
        table: PairingTable::new(players.len(), numbered),
        players,
        decided: decided / games.len().max(1) as f64,
    }
}

/// Number of a table's players with at least this many games.
pub(super) fn players_with_games(table: &PairingTable, enough: f64) -> usize {
    (0..table.len()).filter(|player| table.games(*player) >= enough).count()
}

/// Rates a window, up to a constant. Also returns how many players with enough games could not be
/// rated.
fn rate(
    Windowed { table, players, decided }: Windowed,
    window: &Window,
    solve: &(dyn Fn(&PairingTable) -> Vec<f64> + Sync),
) -> (Vec<ListedRating>, usize) {
    let enough = f64::from(window.games);
    let all = players_with_games(&table, enough);
    let mut lines: Vec<ListedRating> = Vec::new();
    let outside = if window.prior > 0.0 {
        let with = table.with_drawn_games(window.prior);
        let joined = table.joined().into_iter().next().unwrap_or_default();
        let ratings = solve(&with);
        for (place, &rating) in ratings.iter().take(table.len()).enumerate() {
            let is_provisional = joined.binary_search(&(place as u32)).is_err();
            let deviation =
                window.has_errors.then(|| standard_error(&with, &ratings, place, decided));
            let (player, games) = (players[place], table.games(place));
            let line = ListedRating::new(player, rating, games);
            lines.push(ListedRating { is_provisional, deviation, ..line });
        }
        0
    } else {
        let sets =
            if window.needs_strong_connection { table.strongly_joined() } else { table.joined() };
        let members = sets.into_iter().next().unwrap_or_default();
        let part = table.part(&members);
        let ratings = solve(&part);
        for (place, &rating) in ratings.iter().enumerate() {
            let player = players[members[place] as usize];
            let deviation =
                window.has_errors.then(|| standard_error(&part, &ratings, place, decided));
            let line = ListedRating::new(player, rating, part.games(place));
            lines.push(ListedRating { deviation, ..line });
        }
        all - players_with_games(&part, enough)
    };
    lines.retain(|line| line.games >= enough);
    let listed = lines.len();
    lines.retain(|line| line.rating.is_finite());
    let outside = outside + listed - lines.len();
    (lines, outside)
}

/// The standard error (points) of a rating by the logistic curve, if the opponents' ratings were
/// exact: the variance of a game is p (1 - p), times the share of decided games.
fn standard_error(table: &PairingTable, ratings: &[f64], player: usize, decided: f64) -> f64 {
    let information: f64 = table
        .opponents(player)
        .iter()
        .map(|pair| {
            let ahead = ratings[player] - ratings[pair.opponent as usize];
            let expected = logistic(NATURAL * ahead);
            pair.games() * expected * (1.0 - expected)
        })
        .sum();
    (decided / information).sqrt() / NATURAL
}

/// The shift (points) that aligns a list with the previous one: players with ranks 3 to 20 on both
/// lists keep their mean. With too few such players, all players on both lists do; without any, all
/// players.
fn shift(before: &[ListedRating], list: &[ListedRating]) -> f64 {
    let best = falls(aligning(before), aligning(list));
    if best.len() >= ENOUGH {
        return mean(&best);
    }
    let all_on_both = falls(before, list);
    if !all_on_both.is_empty() {
        return mean(&all_on_both);
    }
    let [before, list] = [before, list]
        .map(|lines| mean(&lines.iter().map(|line| line.rating).collect::<Vec<f64>>()));
    before - list
}

/// The lines with the ranks that align two lists.
fn aligning(list: &[ListedRating]) -> &[ListedRating] {
    let end = RANKS.end.min(list.len());
    &list[RANKS.start.min(end)..end]
}

/// The earlier rating minus the later one (points) of each player with both.
fn falls(earlier: &[ListedRating], later: &[ListedRating]) -> Vec<f64> {
    let known: FxHashMap<u32, f64> =
        earlier.iter().map(|line| (line.player, line.rating)).collect();
    later.iter().filter_map(|line| Some(known.get(&line.player)? - line.rating)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};
    use crate::tournament::pairing::linear;

    fn results(games: &[(u32, u32, f64, i16)]) -> Results {
        let games = games.iter().map(|&(white, black, score, year)| {
            RatedGame::new(white, black, score, date(year, 6, 1), 0)
        });
        Results {
            players: vec![RatedPlayer::default(); 8],
            games: games.collect(),
            ..Results::default()
        }
    }

    fn window(prior: f64) -> Window {
        Window {
            years: 2,
            games: 1,
            prior,
            anchor: 2640.0,
            needs_strong_connection: false,
            has_errors: false,
        }
    }

    #[test]
    fn a_list_rests_on_the_games_of_its_window_only() {
        let games = [1900, 1901, 1905]
            .map(|year| [(0, 1, 1.0, year), (1, 2, 1.0, year), (2, 0, 0.5, year)])
            .concat();
        let found = window_lists(&results(&games), &window(0.0), &|table| linear(table, 400.0));
        let days: Vec<i16> = found.lists.iter().map(|list| list.day.year()).collect();
        assert_eq!(days, [1901, 1902, 1903, 1906]);
        let games: Vec<f64> = found.lists.iter().map(|list| list.ratings[0].games).collect();
        assert_eq!(games, [2.0, 4.0, 2.0, 2.0]);
        let last = found.lists.last().unwrap();
        let mean = last.ratings.iter().map(|line| line.rating).sum::<f64>() / 3.0;
        assert!((mean - 2640.0).abs() < 1e-6, "of the ten best, who are three");
    }

    #[test]
    fn unconnected_players_are_provisional_or_unlisted() {
        let games = [(0, 1, 1.0, 1900), (1, 2, 1.0, 1900), (2, 0, 0.5, 1900), (4, 5, 1.0, 1900)];
        let with = window_lists(&results(&games), &window(2.0), &|table| linear(table, 400.0));
        let provisional: Vec<u32> = with.lists[0]
            .ratings
            .iter()
            .filter(|line| line.is_provisional)
            .map(|line| line.player)
            .collect();
        assert_eq!((with.lists[0].ratings.len(), provisional), (5, vec![4, 5]));
        let without = window_lists(&results(&games), &window(0.0), &|table| linear(table, 400.0));
        assert_eq!(without.lists[0].ratings.len(), 3);
        assert!(without.notes[0].starts_with("2 ratings"), "{:?}", without.notes);
    }
}
