//! Elo's system by the FIDE rules of 1978: lists of January and July. All changes between two lists
//! use the ratings of the earlier one.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 3.34,
//! 3.76, 4.41, 4.51 to 4.56.
//!
//! - Unrated players of a round robin count as 2200 if they are at most a fifth of the field.
//!   Otherwise the mean of the field follows from the rated players (7), and an unrated player who
//!   scores half or more enters at that mean.
//! - In other events only games against rated players count.
//! - Unrated players without a point are left out with their games.
//! - Events in which a player has fewer than four games are pooled between two lists.
//!
//! Rules that require rated opponents need a first list. FIDE began with Elo's computed list. We
//! begin with the first list of Elo's continuous system that has fifty eligible players. Four more
//! rules are ours:
//!
//! - In a field of fewer than four players, all must be rated.
//! - A player who falls off the list starts again as a newcomer.
//! - An event belongs to the list after its last day.
//! - Women's events have the same figures as others, because results do not state the sex of a
//!   player. The rules of national championships do not apply, because results do not name them.

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

/// Number of games, and of events, with the first K: it ends with whichever comes first (4.51).
const NEW_GAMES: u32 = 30;
const NEW_EVENTS: u32 = 3;

/// Rating (points) above which the smallest K applies permanently (4.5).
const HIGH: f64 = 2400.0;

/// Minimum number of games and minimum rating (points) of a newcomer's first listing (4.55).
const LISTED_GAMES: u32 = 9;
const LISTED: f64 = 2200.0;

/// Minimum number of games against rated players for a newcomer's event rating (4.41).
const NEWCOMER_GAMES: usize = 4;

/// Minimum number of games for a change, in one event or in several between two lists (4.56).
const CHANGE_GAMES: u32 = 4;

/// Minimum number of rated players in a field smaller than [`SMALL_FIELD`]. Larger fields need one
/// third (4.41).
const RATED_OF_SMALL_FIELD: usize = 4;
const SMALL_FIELD: usize = 10;

/// Minimum number of players of a double round robin (4.41).
const DOUBLE_ROUND_ROBIN: usize = 6;

/// Rating (points) of unrated players of a round robin if they are at most this part of the field
/// (4.53).
const UNRATED: f64 = 2200.0;
const FEW_UNRATED: f64 = 0.2;

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
    /// Rated events.
    events: u32,
    /// Whether the player was once listed above [`HIGH`].
    was_high: bool,
    /// For a newcomer: sum of event ratings weighted by games, and number of games.
    newcomer: (f64, u32),
    /// Since the last list: change (points) and number of games.
    change: (f64, u32),
    /// Since the last list, in events of fewer than four games: points above expectation, and
    /// number of games.
    short: (f64, u32),
    last: Option<Date>,
}

impl FidePlayerState {
    fn k(&self) -> f64 {
        if self.games < NEW_GAMES && self.events < NEW_EVENTS {
            K_NEW
        } else if self.was_high {
            K_HIGH
        } else {
            K_SETTLED
        }
    }

    /// Adds the result of an event: points above expectation, and number of games.
    fn add_event(&mut self, over: f64, games: u32) {
        if games < CHANGE_GAMES {
            self.short = (self.short.0 + over, self.short.1 + games);
            return;
        }
        self.change = (self.change.0 + self.k() * over, self.change.1 + games);
        self.events += 1;
    }

    /// Makes the next list: adds the changes, and lists newcomers with enough games and rating.
    fn list(&mut self) {
        let (over, games) = std::mem::take(&mut self.short);
        if games >= CHANGE_GAMES {
            self.add_event(over, games);
        }
        if let Some(rating) = &mut self.rating {
            *rating += self.change.0;
            self.games += self.change.1;
            if *rating < LISTED {
                (self.rating, self.games, self.events) = (None, 0, 0);
                self.newcomer = (0.0, 0);
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

/// The players of an event, and how they met.
struct EventField<'a> {
    /// The games of each player.
    players: Vec<&'a [PlayerGame]>,
    /// The number of rated players.
    rated: usize,
    /// How often every two players met, if all met equally often.
    cycles: Option<usize>,
}

impl<'a> EventField<'a> {
    fn new(games: &'a [PlayerGame], states: &[FidePlayerState]) -> EventField<'a> {
        let players: Vec<&[PlayerGame]> = games.chunk_by(|a, b| a.player == b.player).collect();
        let rated =
            players.iter().filter(|games| states[games[0].player as usize].rating.is_some());
        EventField { rated: rated.count(), cycles: cycles(&players), players }
    }

    /// Whether enough players are rated (4.41).
    fn is_rateable(&self) -> bool {
        let players = self.players.len();
        if self.cycles == Some(2) && (RATED_OF_SMALL_FIELD..DOUBLE_ROUND_ROBIN).contains(&players) {
            return false;
        }
        let wanted = if players < SMALL_FIELD {
            RATED_OF_SMALL_FIELD.min(players)
        } else {
            players.div_ceil(3)
        };
        self.rated >= wanted
    }

    /// Whether unrated players are few enough to count as 2200.
    fn has_few_unrated(&self) -> bool {
        let players = self.players.len();
        (players - self.rated) as f64 <= FEW_UNRATED * players as f64
    }
}

/// How often every two players met, if all met equally often.
fn cycles(players: &[&[PlayerGame]]) -> Option<usize> {
    let others = players.len().checked_sub(1).filter(|others| *others > 0)?;
    let cycles = players.first()?.len() / others;
    let mut opponents: Vec<u32> = Vec::new();
    for games in players {
        opponents.clear();
        opponents.extend(games.iter().map(|game| game.opponent));
        opponents.sort_unstable();
        let mut met = opponents.chunk_by(|a, b| a == b);
        if games.len() != cycles * others || met.any(|games| games.len() != cycles) {
            return None;
        }
    }
    (cycles > 0).then_some(cycles)
}

/// The games without those of unrated players who scored no point against the others.
fn without_pointless(event: &[RatedGame], states: &[FidePlayerState]) -> Vec<RatedGame> {
    let mut left = event.to_vec();
    loop {
        let mut scored: BTreeMap<u32, f64> = BTreeMap::new();
        for game in &left {
            for (player, _, score) in game.sides() {
                *scored.entry(player).or_default() += score;
            }
        }
        let before = left.len();
        left.retain(|game| {
            [game.white, game.black]
                .iter()
                .all(|player| states[*player as usize].rating.is_some() || scored[player] > 0.0)
        });
        if left.len() == before {
            return left;
        }
    }
}

/// A newcomer's event rating (3.76) if many players are unrated: the event's mean for a score of
/// 50% or more, or else the performance.
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
            "{} {} not count: too few players of the event were rated, or an unrated player scored no point or was not in a round robin",
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

/// Rates an event. Returns the number of games that counted.
fn rate(event: &[RatedGame], states: &mut [FidePlayerState], expectancy: Expectancy) -> usize {
    let event = without_pointless(event, states);
    let games = player_games(&event, &|player| states[player as usize].rating.unwrap_or(f64::NAN));
    let field = EventField::new(&games, states);
    if !field.is_rateable() {
        return 0;
    }
    let newcomers = newcomers(&field, states, expectancy);
    // The ratings of unrated opponents.
    let as_opponent = |player: u32| match states[player as usize].rating {
        Some(rating) => Some(rating),
        None if field.cycles.is_none() => None,
        None if field.has_few_unrated() => Some(UNRATED),
        None => newcomers.get(&player).map(|(rating, _)| *rating),
    };
    let mut changes: Vec<(u32, f64, u32)> = Vec::new();
    for games in &field.players {
        let player = games[0].player;
        let Some(own) = states[player as usize].rating else { continue };
        let (mut over, mut count) = (0.0, 0);
        for game in *games {
            let Some(opponent) = as_opponent(game.opponent) else { continue };
            over += game.score - expectancy.expected(own - opponent);
            count += 1;
        }
        changes.push((player, over, count));
    }
    let counts = |player: u32| as_opponent(player).is_some() || newcomers.contains_key(&player);
    let counted = event
        .iter()
        .filter(|game| counts(game.white) && counts(game.black))
        .filter(|game| as_opponent(game.white).is_some() || as_opponent(game.black).is_some())
        .count();
    let day = event.iter().map(|game| game.day).max();
    for (player, over, games) in changes {
        let state = &mut states[player as usize];
        state.add_event(over, games);
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

/// The ratings of unrated players from this event, each with its number of games.
fn newcomers(
    field: &EventField,
    states: &[FidePlayerState],
    expectancy: Expectancy,
) -> BTreeMap<u32, (f64, u32)> {
    let rated: Vec<(f64, f64)> = field
        .players
        .iter()
        .filter_map(|games| {
            let rating = states[games[0].player as usize].rating?;
            Some((rating, capped(fraction(games), games.len())))
        })
        .collect();
    let mean = round_robin_mean(expectancy, &rated, field.players.len());
    let mut newcomers = BTreeMap::new();
    for games in &field.players {
        let player = games[0].player;
        if states[player as usize].rating.is_some() {
            continue;
        }
        let known: Vec<&PlayerGame> =
            games.iter().filter(|game| !game.opponent_rating.is_nan()).collect();
        if known.len() < NEWCOMER_GAMES {
            continue;
        }
        let points: f64 = known.iter().map(|game| game.score).sum();
        let opponents =
            known.iter().map(|game| game.opponent_rating).sum::<f64>() / known.len() as f64;
        let of_known = capped(points / known.len() as f64, known.len());
        let against_rated = performance(expectancy, opponents, of_known);
        let (rating, count) = match mean.filter(|_| field.cycles.is_some()) {
            None => (against_rated, known.len()),
            Some(_) if field.has_few_unrated() => {
                let sum: f64 = games.iter().map(|game| rated_or(game, UNRATED)).sum();
                let scored = capped(fraction(games), games.len());
                (performance(expectancy, sum / games.len() as f64, scored), games.len())
            }
            Some(mean) => (newcomer_rating(mean, against_rated, fraction(games)), games.len()),
        };
        newcomers.insert(player, (rating, count as u32));
    }
    newcomers
}

/// The opponent's rating (points), or this one if the opponent has none.
fn rated_or(game: &PlayerGame, unrated: f64) -> f64 {
    if game.opponent_rating.is_nan() { unrated } else { game.opponent_rating }
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
        let is_rateable = |rated, players, cycles| {
            EventField { players: vec![&[][..]; players], rated, cycles }.is_rateable()
        };
        let wanted = [2, 3, 4, 9, 10, 15, 16]
            .map(|players| (0..).find(|rated| is_rateable(*rated, players, Some(1))).unwrap());
        assert_eq!(wanted, [2, 3, 4, 4, 4, 5, 6]);
        // A double round robin needs six players, of whom four are rated (4.41).
        assert!(!is_rateable(5, 5, Some(2)) && is_rateable(4, 6, Some(2)));
        assert!(is_rateable(5, 5, Some(1)) && is_rateable(5, 5, None));
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

    #[test]
    fn the_first_k_ends_with_three_events_or_thirty_games() {
        let new = FidePlayerState { rating: Some(2300.0), ..FidePlayerState::default() };
        let mut by_events = new;
        for k in [25.0, 25.0, 25.0, 15.0] {
            assert_eq!(by_events.k(), k);
            by_events.add_event(0.0, 5);
            by_events.list();
        }
        assert_eq!(by_events.games, 20);
        let mut by_games = new;
        by_games.add_event(0.0, 30);
        by_games.list();
        assert_eq!((by_games.events, by_games.k()), (1, 15.0));
    }

    #[test]
    fn events_of_fewer_than_four_games_count_together_or_not_at_all() {
        let new = FidePlayerState { rating: Some(2300.0), ..FidePlayerState::default() };
        let [mut once, mut twice] = [new, new];
        once.add_event(1.5, 3);
        twice.add_event(1.5, 3);
        twice.add_event(-0.5, 2);
        once.list();
        twice.list();
        assert_eq!((once.rating, once.games), (Some(2300.0), 0));
        assert_eq!((twice.rating, twice.games), (Some(2325.0), 5));
        // The games of one period are not carried into the next.
        once.add_event(1.0, 2);
        once.list();
        assert_eq!(once.rating, Some(2300.0));
    }

    /// A round robin in which every player beats those after them: White's score is 1.
    fn round_robin(players: &[u32], day: Date, event: u32) -> Vec<RatedGame> {
        let mut games = Vec::new();
        for (place, one) in players.iter().enumerate() {
            for other in &players[place + 1..] {
                games.push(RatedGame::new(*one, *other, 1.0, day, event));
            }
        }
        games
    }

    /// Players 0 to 7, rated from 2500 down by 20 points, after one event.
    fn after(event: &[RatedGame]) -> Vec<FidePlayerState> {
        let mut states = vec![FidePlayerState::default(); 12];
        for (player, state) in states.iter_mut().enumerate().take(8) {
            state.rating = Some(2500.0 - 20.0 * player as f64);
        }
        rate(event, &mut states, Expectancy::Normal);
        states
    }

    #[test]
    fn few_unrated_players_count_as_2200_and_get_their_performances() {
        // Player 8 is a ninth of the field, beats players 6 and 7 and loses to all others.
        let states = after(&round_robin(&[0, 1, 2, 3, 4, 5, 8, 6, 7], date(1978, 3, 1), 0));
        let expected: f64 = (1..8)
            .map(|other| 2500.0 - 20.0 * f64::from(other))
            .chain([2200.0])
            .map(|opponent| 1.0 - Expectancy::Normal.expected(2500.0 - opponent))
            .sum();
        assert!((states[0].change.0 - 25.0 * expected).abs() < 1e-9, "{:?}", states[0]);
        let performance = 2430.0 + Expectancy::Normal.difference(0.25);
        let (sum, games) = states[8].newcomer;
        assert!((sum / f64::from(games) - performance).abs() < 1e-6 && games == 8, "{states:?}");
    }

    #[test]
    fn of_many_unrated_players_those_with_half_the_points_enter_at_the_mean() {
        let players = [0, 8, 9, 1, 2, 3, 4, 10, 5];
        let states = after(&round_robin(&players, date(1978, 3, 1), 0));
        let event_mean = |player: usize| states[player].newcomer.0 / 8.0;
        assert!((event_mean(8) - event_mean(9)).abs() < 1e-9, "{states:?}");
        // Player 10 scores one of eight: one of six against rated players of 2450 on average.
        let performance = 2450.0 + Expectancy::Normal.difference(1.0 / 6.0);
        assert!((event_mean(10) - performance).abs() < 1e-6, "{states:?}");
    }

    #[test]
    fn in_other_events_only_games_against_rated_players_count() {
        let mut games = round_robin(&[0, 1, 2, 3, 4, 5, 6, 7, 8], date(1978, 3, 1), 0);
        // Player 8 beats player 7, and plays player 6 twice and player 0 never.
        games.retain(|game| (game.white, game.black) != (0, 8));
        games.push(RatedGame::new(8, 6, 1.0, date(1978, 3, 1), 0));
        let states = after(&games);
        assert_eq!((states[1].change.1, states[6].change.1), (7, 7));
        assert_eq!(states[8].newcomer.1, 8);
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
        results.games = round_robin(&[0, 1, 2, 3, 4], date(1975, 1, 1), 0);
        // The same event twice in the next half year, with a newcomer who loses all games.
        results.games.extend(round_robin(&[0, 1, 2, 3, 4, 5], date(1975, 8, 1), 1));
        results.games.extend(round_robin(&[0, 1, 2, 3, 4, 5], date(1975, 10, 1), 2));
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
        let once: f64 = [1, 2, 3, 4]
            .map(|other| 1.0 - Expectancy::Normal.expected(july[&0] - july[&other]))
            .iter()
            .sum();
        assert!((january[&0] - july[&0] - 2.0 * 25.0 * once).abs() < 1e-9);
        let PreEventRatings::Differences(before) = &ratings.before else { panic!("{ratings:?}") };
        assert_eq!(before.len(), results.games.len());
        assert_eq!(before[10], before[25], "both by the list of July");
        // Ten games precede the first list. Each event has five games against the newcomer.
        assert_eq!(
            ratings.notes,
            [
                "begins with the list of 1975-07-01 (5 players of the continuous system); 10 games before it are not rated",
                "10 games do not count: too few players of the event were rated, or an unrated player scored no point or was not in a round robin"
            ]
        );
    }
}
