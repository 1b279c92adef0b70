//! Elo's system run through history event by event: everybody's games of an event are rated together, by the
//! ratings before it.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition): the current rating
//! formula; K = 4C/N (8.25, 8.28) as federations have it. The anchor and the games that wait are ours.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::formulas::{
    Expectancy, KFactors, current, performance, rating_error, remembered, round_robin_performance,
};
use super::rounds::Rounds;
use crate::systems::about::About;
use crate::systems::lists::{ComputedList, ListedRating};
use crate::systems::parameters::parameters;
use crate::systems::results::{Rated, Results};
use crate::systems::running::Running;
use crate::systems::system::{Before, RatingSystem, Ratings, Registered, differences};

parameters! {
    /// Elo's continuous system, and how it runs.
    Elo {
        /// Expected scores: normal, logistic, table (of the book, of two decimals) or linear.
        expectancy: Expectancy = Expectancy::Normal;
        /// Games of the initial period, in which a rating is a performance and provisional.
        initial_games: u32 = 25, 1..=1000;
        /// K below 30 games.
        k_new: f64 = 32.0, 0.0..=200.0;
        /// K from 30 games on, below the high ratings.
        k: f64 = 20.0, 0.0..=200.0;
        /// K of high ratings.
        k_high: f64 = 10.0, 0.0..=200.0;
        /// Rating (points) from which the smallest K holds.
        high: f64 = 2400.0, 0.0..=4000.0;
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for Elo {
    const ABOUT: About = About {
        word: "elo",
        name: "Elo",
        list_name: "Computed Elo",
        summary: "Arpad Elo's continuous system, event by event: lists of each half year",
        knows_later_games: false,
        is_of_events: false,
        is_variant: false,
        led_by: None,
        period_years: None,
    };
}

impl RatingSystem for Elo {
    fn expected(&self, difference: f64) -> f64 {
        self.expectancy.expected(difference)
    }

    fn explained(&self) -> String {
        format!(
            "first a performance, from {} games on K × (score − expectation), event by event, by the {}.",
            self.initial_games,
            self.expectancy.words()
        )
    }

    fn rate(&self, results: &Results) -> Ratings {
        continuous(results, self)
    }

    fn running(&self, start: &[f64]) -> Option<Box<dyn Running>> {
        Some(Box::new(Rounds::of(self.expectancy, self.k_factors(), start)))
    }

    fn heard_in_rounds(&self) -> &'static [&'static str] {
        &["expectancy", "k_new", "k", "k_high", "high"]
    }
}

impl Elo {
    fn k_factors(&self) -> KFactors {
        KFactors { new: self.k_new, settled: self.k, high: self.k_high, high_from: self.high }
    }
}

/// What the system knows of a player.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    rating: f64,
    games: u32,
    is_rated: bool,
    /// Of the initial period: opponents' ratings, points, games.
    opponents: f64,
    points: f64,
    initial: u32,
    last: Option<Date>,
}

/// Runs the system event by event.
fn continuous(results: &Results, parameters: &Elo) -> Ratings {
    let mut standings = vec![Standing::default(); results.players.len()];
    let mut lists: Vec<ComputedList> = Vec::new();
    let mut before = Vec::with_capacity(results.games.len());
    let is_joined = joined(results);
    let mut waiting = Waiting::of(results.players.len());
    let mut has_begun = false;
    let mut next_list: Option<Date> = None;
    for (number, event) in results.events().enumerate() {
        let day = event.iter().map(|game| game.day).min().unwrap_or_default();
        while let Some(list) = next_list.filter(|list| *list <= day) {
            lists.push(list_of(&standings, list, parameters));
            next_list = half_year_after(list);
        }
        before.extend(differences(event, &|player| {
            let standing = &standings[player as usize];
            standing.is_rated.then_some(standing.rating)
        }));
        // The first event of all is one of those that are joined to most others.
        let founds = !has_begun
            && event.len() >= FIRST_GAMES
            && event.first().is_some_and(|game| is_joined[game.white as usize]);
        let newly = if founds {
            has_begun = true;
            next_list = half_year_after(day);
            found_first(event, &mut standings, parameters)
        } else {
            let (left, newly) = rate_event(event, &mut standings, parameters);
            waiting.wait(number, left);
            newly
        };
        // Who is rated now may have games that waited for it, the earliest first.
        waiting.wake(&newly);
        while let Some((number, games)) = waiting.next() {
            let (left, newly) = rate_event(&games, &mut standings, parameters);
            waiting.wait(number, left);
            waiting.wake(&newly);
        }
    }
    if let Some(last) = next_list {
        lists.push(list_of(&standings, last, parameters));
    }
    lists.retain(|list| list.ratings.len() > 1);
    let unrated = standings.iter().filter(|standing| !standing.is_rated).count();
    let games: usize = waiting.games.values().map(Vec::len).sum();
    let notes = if unrated > 0 {
        vec![format!(
            "{unrated} players met nobody who could be rated; {games} games wait for ever"
        )]
    } else {
        Vec::new()
    };
    Ratings { lists, before: Before::Differences(before), notes, peaks: Vec::new() }
}

/// Games that the first event of all has at least.
const FIRST_GAMES: usize = 6;

/// Whether each player belongs to the largest set of players who are joined by games.
fn joined(results: &Results) -> Vec<bool> {
    let mut is_joined = vec![false; results.players.len()];
    let components = results.encounters().components();
    for player in components.into_iter().next().unwrap_or_default() {
        is_joined[player as usize] = true;
    }
    is_joined
}

/// Games of players none of whom is rated yet.
struct Waiting {
    /// By number of their event.
    games: BTreeMap<usize, Vec<Rated>>,
    /// Events that wait for each player.
    of_player: Vec<Vec<usize>>,
    /// Events that may be rated now.
    ready: BTreeSet<usize>,
}

impl Waiting {
    fn of(players: usize) -> Waiting {
        Waiting {
            games: BTreeMap::new(),
            of_player: vec![Vec::new(); players],
            ready: BTreeSet::new(),
        }
    }

    fn wait(&mut self, event: usize, games: Vec<Rated>) {
        if games.is_empty() {
            return;
        }
        for game in &games {
            for player in [game.white, game.black] {
                let events = &mut self.of_player[player as usize];
                if events.last() != Some(&event) {
                    events.push(event);
                }
            }
        }
        self.games.insert(event, games);
    }

    fn wake(&mut self, players: &[u32]) {
        for player in players {
            self.ready.extend(std::mem::take(&mut self.of_player[*player as usize]));
        }
    }

    fn next(&mut self) -> Option<(usize, Vec<Rated>)> {
        while let Some(event) = self.ready.pop_first() {
            if let Some(games) = self.games.remove(&event) {
                return Some((event, games));
            }
        }
        None
    }
}

fn half_year_after(day: Date) -> Option<Date> {
    let (year, month) = if day.month() < 7 { (day.year(), 7) } else { (day.year() + 1, 1) };
    Date::new(year, month, 1).ok()
}

/// The first event of all: its players are rated by their scores around the anchor.
fn found_first(event: &[Rated], standings: &mut [Standing], parameters: &Elo) -> Vec<u32> {
    let mut field: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for game in event {
        for (player, score) in [(game.white, game.score), (game.black, 1.0 - game.score)] {
            let (points, games) = field.entry(player).or_default();
            (*points, *games) = (*points + score, *games + 1.0);
        }
    }
    for (&player, &(points, games)) in &field {
        let fraction = capped(points, games);
        let standing = &mut standings[player as usize];
        standing.rating = round_robin_performance(
            parameters.expectancy,
            parameters.anchor,
            fraction,
            field.len(),
        );
        standing.is_rated = true;
        standing.opponents = parameters.anchor * games;
        (standing.points, standing.initial, standing.games) = (points, games as u32, games as u32);
        standing.last = event.last().map(|game| game.day);
    }
    field.into_keys().collect()
}

/// Fraction of the points, half a point from its ends at least; of a single game a quarter, since half a point
/// would make a win as good as a draw.
fn capped(points: f64, games: f64) -> f64 {
    if games <= 1.0 {
        return points.clamp(0.25, 0.75);
    }
    points.clamp(0.5, games - 0.5) / games
}

/// A game as one of its players sees it.
#[derive(Clone, Copy, Debug)]
struct Played {
    player: u32,
    /// The opponent's rating (points).
    opponent: f64,
    /// The expected score.
    expected: f64,
    /// The score.
    score: f64,
}

/// Rates the games of an event; those of two players without ratings are given back. Also tells who got a
/// rating.
fn rate_event(
    event: &[Rated],
    standings: &mut [Standing],
    parameters: &Elo,
) -> (Vec<Rated>, Vec<u32>) {
    let mut newly: Vec<u32> = Vec::new();
    // Who has no rating is rated from those who have, then those who met him, and so on.
    loop {
        let mut newcomers: BTreeMap<u32, (f64, f64, f64)> = BTreeMap::new();
        for game in event {
            for (player, opponent, score) in
                [(game.white, game.black, game.score), (game.black, game.white, 1.0 - game.score)]
            {
                let theirs = standings[opponent as usize];
                if standings[player as usize].is_rated || !theirs.is_rated {
                    continue;
                }
                let (sum, points, games) = newcomers.entry(player).or_default();
                *sum += theirs.rating;
                *points += score;
                *games += 1.0;
            }
        }
        if newcomers.is_empty() {
            break;
        }
        for (player, (sum, points, games)) in newcomers {
            let standing = &mut standings[player as usize];
            let fraction = capped(points, games);
            standing.rating = performance(parameters.expectancy, sum / games, fraction);
            standing.is_rated = true;
            newly.push(player);
        }
    }
    let left: Vec<Rated> =
        event.iter().filter(|game| !standings[game.white as usize].is_rated).copied().collect();
    // All games of an event are rated by the ratings before it.
    let mut played: Vec<Played> = Vec::new();
    for game in event {
        let [white, black] = [game.white, game.black].map(|player| standings[player as usize]);
        if !white.is_rated || !black.is_rated {
            continue;
        }
        for (player, mine, opponent, score) in [
            (game.white, white.rating, black.rating, game.score),
            (game.black, black.rating, white.rating, 1.0 - game.score),
        ] {
            let expected = parameters.expectancy.expected(mine - opponent);
            played.push(Played { player, opponent, expected, score });
        }
    }
    played.sort_by_key(|game| game.player);
    let day = event.iter().map(|game| game.day).max();
    for of_player in played.chunk_by(|a, b| a.player == b.player) {
        let standing = &mut standings[of_player[0].player as usize];
        let k = parameters.k_factors().of(standing.rating, standing.games);
        let count = of_player.len() as u32;
        let expected: f64 = of_player.iter().map(|game| game.expected).sum();
        let score: f64 = of_player.iter().map(|game| game.score).sum();
        if standing.initial < parameters.initial_games {
            standing.opponents += of_player.iter().map(|game| game.opponent).sum::<f64>();
            standing.points += score;
            standing.initial += count;
            let games = f64::from(standing.initial);
            let fraction = capped(standing.points, games);
            standing.rating =
                performance(parameters.expectancy, standing.opponents / games, fraction);
        } else {
            standing.rating = current(standing.rating, k, score, expected);
        }
        standing.games += count;
        standing.last = day.max(standing.last);
    }
    (left, newly)
}

/// The standard error (points) of a rating: of the games that it remembers (8.25).
fn error(standing: &Standing, parameters: &Elo) -> f64 {
    let k = parameters.k_factors().of(standing.rating, standing.games);
    rating_error(f64::from(standing.games).max(1.0).min(remembered(k)))
}

fn list_of(standings: &[Standing], day: Date, parameters: &Elo) -> ComputedList {
    const STAYS: i16 = 2;
    let from = Date::new(day.year() - STAYS, day.month(), 1).unwrap_or(day);
    let ratings = standings
        .iter()
        .enumerate()
        .filter(|(_, standing)| standing.is_rated && standing.last.is_some_and(|last| last >= from))
        .map(|(player, standing)| ListedRating {
            player: player as u32,
            rating: standing.rating,
            games: f64::from(standing.games),
            deviation: Some(error(standing, parameters)),
            is_provisional: standing.initial < parameters.initial_games,
        });
    ComputedList::of(day, ratings.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_unrated_players_wait_until_one_of_them_is_rated_and_none_is_lost() {
        use crate::systems::RatedPlayer;
        use jiff::civil::date;
        // 0 and 1 found the scale; 3 and 4 meet before 3 meets 0; 5 and 6 meet nobody else.
        let pairs: [&[(u32, u32)]; 4] = [
            &[(3, 4), (4, 3)],
            &[(5, 6)],
            &[(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)],
            &[(0, 3)],
        ];
        let mut results = Results::default();
        for number in 0..7 {
            let name = format!("P{number}");
            results.players.push(RatedPlayer { name, ..RatedPlayer::default() });
        }
        for (event, pairs) in (0..).zip(pairs) {
            let day = date(1900 + event as i16, 1, 1);
            let games =
                pairs.iter().map(|&(white, black)| Rated { white, black, score: 0.5, day, event });
            results.games.extend(games);
        }
        let found = Elo::default().rate(&results);
        let expected = "2 players met nobody who could be rated; 1 games wait for ever";
        assert_eq!(found.notes, [expected]);
        let last = found.lists.last().unwrap();
        let games: f64 =
            last.ratings.iter().filter(|line| line.player == 3).map(|line| line.games).sum();
        assert_eq!(games, 3.0, "{last:?}");
    }
}
