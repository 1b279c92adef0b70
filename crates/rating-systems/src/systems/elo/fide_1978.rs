//! Elo's system by the FIDE rules of 1978: lists of January and July. All changes between two lists
//! use the ratings of the earlier one.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.34,
//! 3.76, 4.41, 4.5, 4.55.
//!
//! Rules that require rated opponents need a first list. FIDE began with Elo's computed list. We
//! begin with the first list of Elo's continuous system that has fifty eligible players. Three more
//! rules are ours:
//!
//! - In a field of fewer than four players, all must be rated.
//! - A player who falls off the list starts again as a newcomer.
//! - An event belongs to the list after its last day.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::formulas::{Expectancy, performance, rating_error, remembered, round_robin_mean};
use crate::systems::event_by_event::{PlayerGame, half_year_after, player_games};
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::results::{RatedGame, Results};
use crate::systems::system::{PreEventRatings, SystemRatings, differences};
use crate::systems::wording::counted;

/// K of the first games, of later games, and of players who were once listed above [`HIGH`] (4.5).
const K_NEW: f64 = 25.0;
const K_SETTLED: f64 = 15.0;
const K_HIGH: f64 = 10.0;

/// Number of games with the first K (4.5).
const NEW_GAMES: u32 = 30;

/// Rating (points) above which the smallest K applies permanently (4.5).
const HIGH: f64 = 2400.0;

/// Minimum number of games and minimum rating (points) of a newcomer's first listing (4.55).
const LISTED_GAMES: u32 = 9;
const LISTED: f64 = 2200.0;

/// Minimum number of games against rated players for a newcomer's event rating (4.41).
const NEWCOMER_GAMES: usize = 4;

/// Minimum number of rated players in a field smaller than [`SMALL_FIELD`]. Larger fields need one
/// third (4.5).
const RATED_OF_SMALL_FIELD: usize = 4;
const SMALL_FIELD: usize = 10;

/// Minimum number of players on the first list. Without such a list, the size of the largest one.
/// Judged: with fewer, most events have too few rated players to count; with twice as many, the
/// rules begin later.
const FIRST_LIST_PLAYERS: usize = 50;

/// Years without a game after which a player is not shown. Judged, as for systems that rate event
/// by event: the rating of a player who stopped says less each year.
const SHOWN_YEARS: i16 = 2;

/// What the rules store about a player.
#[derive(Clone, Copy, Debug, Default)]
struct FidePlayerState {
    /// Rating on the last list (points).
    rating: Option<f64>,
    /// Games that the rating rests on.
    games: u32,
    /// Whether the player was once listed above [`HIGH`].
    was_high: bool,
    /// For a newcomer: sum of event ratings weighted by games, and number of games.
    newcomer: (f64, u32),
    /// Since the last list: change (points) and number of games.
    change: (f64, u32),
    last: Option<Date>,
}

impl FidePlayerState {
    fn k(&self) -> f64 {
        if self.games < NEW_GAMES {
            K_NEW
        } else if self.was_high {
            K_HIGH
        } else {
            K_SETTLED
        }
    }

    /// Makes the next list: adds the changes, and lists newcomers with enough games and rating.
    fn list(&mut self) {
        if let Some(rating) = &mut self.rating {
            *rating += self.change.0;
            self.games += self.change.1;
            if *rating < LISTED {
                (self.rating, self.games, self.newcomer) = (None, 0, (0.0, 0));
            }
        } else if self.newcomer.1 >= LISTED_GAMES {
            let rating = self.newcomer.0 / f64::from(self.newcomer.1);
            if rating >= LISTED {
                (self.rating, self.games) = (Some(rating), self.newcomer.1);
                self.newcomer = (0.0, 0);
            }
        }
        self.change = (0.0, 0);
        self.was_high |= self.rating.is_some_and(|rating| rating > HIGH);
    }
}

/// Whether a field of `players` has enough rated players.
fn is_enough(rated: usize, players: usize) -> bool {
    let wanted =
        if players < SMALL_FIELD { RATED_OF_SMALL_FIELD.min(players) } else { players.div_ceil(3) };
    rated >= wanted
}

/// A newcomer's event rating (3.76): the event's mean for a score of 50% or more, or else the
/// performance.
fn newcomer_rating(event_mean: f64, performance: f64, fraction: f64) -> f64 {
    if fraction >= 0.5 { event_mean } else { performance }
}

/// The players of a list who may be on the first one.
fn eligible(list: &ComputedList) -> Vec<ListedRating> {
    let lines = list.ratings.iter();
    lines
        .filter(|line| line.rating >= LISTED && line.games >= f64::from(LISTED_GAMES))
        .copied()
        .collect()
}

/// The first list: the earliest one with enough eligible players. Returns its day and the eligible
/// players.
fn first_list(lists: &[ComputedList]) -> Option<(Date, Vec<ListedRating>)> {
    let most = lists.iter().map(|list| eligible(list).len()).max()?.min(FIRST_LIST_PLAYERS);
    let list = lists.iter().find(|list| most > 0 && eligible(list).len() >= most)?;
    Some((list.day, eligible(list)))
}

/// Runs the rules through history, starting from one of `lists_before`.
pub(super) fn fide_1978(
    results: &Results,
    expectancy: Expectancy,
    lists_before: &[ComputedList],
) -> SystemRatings {
    let mut states = vec![FidePlayerState::default(); results.players.len()];
    // Events by the list after their first day, and by the list after their last day.
    let mut begun: BTreeMap<Date, Vec<&[RatedGame]>> = BTreeMap::new();
    let mut ended: BTreeMap<Date, Vec<&[RatedGame]>> = BTreeMap::new();
    for event in results.events() {
        let days = event.iter().map(|game| game.day);
        let first = days.clone().min().and_then(half_year_after).unwrap_or(Date::MAX);
        begun.entry(first).or_default().push(event);
        let last = days.max().and_then(half_year_after).unwrap_or(Date::MAX);
        ended.entry(last).or_default().push(event);
    }
    let (mut lists, mut before) = (Vec::new(), Vec::with_capacity(results.games.len()));
    let (mut left, mut earlier) = (0, 0);
    let first_list = first_list(lists_before);
    let mut next = begun.keys().next().copied();
    let end = ended.keys().next_back().copied();
    while let Some(day) = next.filter(|day| end.is_some_and(|end| *day <= end)) {
        let has_begun = first_list.as_ref().is_some_and(|(first, _)| *first < day);
        // Events are in the order of their first days, so these differences are in the order of the
        // games.
        for event in begun.get(&day).into_iter().flatten() {
            before.extend(differences(event, &|player| states[player as usize].rating));
        }
        for event in ended.get(&day).into_iter().flatten() {
            if has_begun {
                left += event.len() - rate(event, &mut states, expectancy);
            } else {
                earlier += event.len();
            }
        }
        if let Some((_, of_first)) = first_list.as_ref().filter(|(first, _)| *first == day) {
            for line in of_first {
                let state = &mut states[line.player as usize];
                (state.rating, state.games) = (Some(line.rating), line.games as u32);
                state.last = Some(day);
            }
        }
        states.iter_mut().for_each(FidePlayerState::list);
        if first_list.as_ref().is_some_and(|(first, _)| *first <= day) {
            lists.push(list_of(&states, day));
        }
        next = half_year_after(day);
    }
    let mut notes = Vec::new();
    if let Some((first, of_first)) = &first_list {
        notes.push(format!(
            "begins with the list of {first} ({} of the continuous system); {} before it {} not rated",
            counted(of_first.len(), "player"),
            counted(earlier, "game"),
            if earlier == 1 { "is" } else { "are" }
        ));
    }
    if left > 0 {
        notes.push(format!(
            "{} {} not count: too few players of the event were rated, or a newcomer scored no point",
            counted(left, "game"),
            if left == 1 { "does" } else { "do" }
        ));
    }
    SystemRatings {
        lists,
        before: PreEventRatings::Differences(before),
        notes,
        ..SystemRatings::default()
    }
}

fn fraction(games: &[PlayerGame]) -> f64 {
    games.iter().map(|game| game.score).sum::<f64>() / games.len().max(1) as f64
}

/// The fraction, at least half a point from 0 and 1, which have no performance.
fn capped(fraction: f64, games: usize) -> f64 {
    let half = 0.5 / games.max(2) as f64;
    fraction.clamp(half, 1.0 - half)
}

/// A player's rating on the last list, or else a newcomer's rating from this event.
fn rating_in_event(
    states: &[FidePlayerState],
    newcomers: &BTreeMap<u32, (f64, u32)>,
    player: u32,
) -> Option<f64> {
    states[player as usize].rating.or_else(|| Some(newcomers.get(&player)?.0))
}

/// Rates an event. Returns the number of games that counted.
fn rate(event: &[RatedGame], states: &mut [FidePlayerState], expectancy: Expectancy) -> usize {
    let all = player_games(event, &|player| states[player as usize].rating.unwrap_or(f64::NAN));
    let players: Vec<&[PlayerGame]> = all.chunk_by(|a, b| a.player == b.player).collect();
    let rated: Vec<(f64, f64)> = players
        .iter()
        .filter_map(|games| {
            let rating = states[games[0].player as usize].rating?;
            Some((rating, capped(fraction(games), games.len())))
        })
        .collect();
    if !is_enough(rated.len(), players.len()) {
        return 0;
    }
    let Some(mean) = round_robin_mean(expectancy, &rated, players.len()) else { return 0 };
    // Against newcomers, their rating from this event is used.
    let mut newcomers: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    for games in &players {
        let player = games[0].player;
        let known: Vec<&PlayerGame> =
            games.iter().filter(|game| !game.opponent_rating.is_nan()).collect();
        let scored = fraction(games);
        if states[player as usize].rating.is_some() || known.len() < NEWCOMER_GAMES || scored == 0.0
        {
            continue;
        }
        let points: f64 = known.iter().map(|game| game.score).sum();
        let opponents =
            known.iter().map(|game| game.opponent_rating).sum::<f64>() / known.len() as f64;
        let of_known = capped(points / known.len() as f64, known.len());
        let performance = performance(expectancy, opponents, of_known);
        let rating = newcomer_rating(mean, performance, scored);
        newcomers.insert(player, (rating, games.len() as u32));
    }
    let day = event.iter().map(|game| game.day).max();
    let mut changes: Vec<(u32, f64, u32)> = Vec::new();
    for games in &players {
        let player = games[0].player;
        let Some(own) = states[player as usize].rating else { continue };
        let (mut over, mut count) = (0.0, 0);
        for game in *games {
            let Some(opponent) = rating_in_event(states, &newcomers, game.opponent) else {
                continue;
            };
            over = over + game.score - expectancy.expected(own - opponent);
            count += 1;
        }
        changes.push((player, states[player as usize].k() * over, count));
    }
    let counted = event
        .iter()
        .filter(|game| rating_in_event(states, &newcomers, game.white).is_some())
        .filter(|game| rating_in_event(states, &newcomers, game.black).is_some())
        .count();
    for (player, change, games) in changes {
        let state = &mut states[player as usize];
        state.change = (state.change.0 + change, state.change.1 + games);
        state.last = day.max(state.last);
    }
    for (player, (rating, games)) in newcomers {
        let state = &mut states[player as usize];
        let (sum, so_far) = state.newcomer;
        state.newcomer = (sum + rating * f64::from(games), so_far + games);
        state.last = day.max(state.last);
    }
    counted
}

fn list_of(states: &[FidePlayerState], day: Date) -> ComputedList {
    let from = Date::new(day.year() - SHOWN_YEARS, day.month(), 1).unwrap_or(day);
    let lines = (0..).zip(states).filter_map(|(player, state)| {
        let rating = state.rating.filter(|_| state.last.is_some_and(|last| last >= from))?;
        let known = f64::from(state.games).max(1.0).min(remembered(state.k()));
        Some(ListedRating {
            player,
            rating,
            games: f64::from(state.games),
            deviation: Some(rating_error(known)),
            is_provisional: false,
        })
    });
    ComputedList::new(day, lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::RatedPlayer;
    use jiff::civil::date;

    #[test]
    fn a_field_needs_a_third_of_rated_players_and_a_small_one_four() {
        let wanted = [2, 3, 4, 9, 10, 15, 16]
            .map(|players| (0..).find(|rated| is_enough(*rated, players)).unwrap());
        assert_eq!(wanted, [2, 3, 4, 4, 4, 5, 6]);
    }

    #[test]
    fn a_newcomer_enters_at_the_event_mean_or_below() {
        assert_eq!(newcomer_rating(2450.0, 2520.0, 0.6), 2450.0);
        assert_eq!(newcomer_rating(2450.0, 2380.0, 0.4), 2380.0);
    }

    #[test]
    fn k_falls_permanently_after_a_list_above_2400() {
        let mut state = FidePlayerState { rating: Some(2390.0), ..FidePlayerState::default() };
        assert_eq!(state.k(), 25.0);
        state.change = (5.0, 30);
        state.list();
        assert_eq!((state.k(), state.rating), (15.0, Some(2395.0)));
        state.change = (10.0, 9);
        state.list();
        assert_eq!((state.k(), state.rating), (10.0, Some(2405.0)));
        state.change = (-50.0, 9);
        state.list();
        assert_eq!((state.k(), state.rating), (10.0, Some(2355.0)));
        state.change = (-160.0, 9);
        state.list();
        assert_eq!((state.rating, state.was_high), (None, true));
    }

    /// A double round robin in which the first player wins all games and the last one loses all.
    fn double_round_robin(players: &[u32], year: i16, month: i8, event: u32) -> Vec<RatedGame> {
        let mut games = Vec::new();
        for (place, one) in players.iter().enumerate() {
            for other in &players[place + 1..] {
                let day = date(year, month, 1);
                let is_decided = place == 0 || *other == players[players.len() - 1];
                let score = if is_decided { 1.0 } else { 0.5 };
                games.push(RatedGame::new(*one, *other, score, day, event));
                games.push(RatedGame::new(*other, *one, 1.0 - score, day, event));
            }
        }
        games
    }

    /// The ratings by player on the list of a day.
    fn listed(ratings: &SystemRatings, day: Date) -> BTreeMap<u32, f64> {
        let list = ratings.lists.iter().find(|list| list.day == day).unwrap();
        list.ratings.iter().map(|line| (line.player, line.rating)).collect()
    }

    #[test]
    fn events_of_a_half_year_use_the_list_before_it_and_newcomers_without_a_point_are_left_out() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 8], ..Results::default() };
        results.games = double_round_robin(&[0, 1, 2, 3, 4], 1975, 1, 0);
        // The same event twice in the next half year, with a newcomer who loses all games.
        results.games.extend(double_round_robin(&[0, 1, 2, 3, 5], 1975, 8, 1));
        results.games.extend(double_round_robin(&[0, 1, 2, 3, 5], 1975, 10, 2));
        let first = (0..).zip([2500.0, 2410.0, 2400.0, 2390.0, 2300.0]);
        let first = first.map(|(player, rating)| ListedRating::new(player, rating, 9.0));
        let before = [ComputedList::new(date(1975, 7, 1), first.collect())];
        let ratings = fide_1978(&results, Expectancy::Normal, &before);
        let july = listed(&ratings, date(1975, 7, 1));
        let january = listed(&ratings, date(1976, 1, 1));
        assert_eq!(july.len(), 5);
        assert!(!january.contains_key(&5), "{january:?}");
        // Both events change the first player's rating by the same amount, with the K of a new
        // player. Games against the newcomer do not count.
        let once: f64 = [1, 2, 3]
            .map(|other| 2.0 * (1.0 - Expectancy::Normal.expected(july[&0] - july[&other])))
            .iter()
            .sum();
        assert!((january[&0] - july[&0] - 2.0 * 25.0 * once).abs() < 1e-9);
        let PreEventRatings::Differences(before) = &ratings.before else { panic!("{ratings:?}") };
        assert_eq!(before.len(), results.games.len());
        assert_eq!(before[20], before[40], "both by the list of July");
        // Twenty games precede the first list. Each event has eight games against the newcomer.
        assert_eq!(
            ratings.notes,
            [
                "begins with the list of 1975-07-01 (5 players of the continuous system); 20 games before it are not rated",
                "16 games do not count: too few players of the event were rated, or a newcomer scored no point"
            ]
        );
    }
}
