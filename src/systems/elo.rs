//! Elo's formulas, and his system run through history event by event.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition).

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use statrs::function::erf::{erfc, erfc_inv};

use super::lists::{ComputedList, ListedRating};
use super::results::{Rated, Results};
use super::simultaneous::Encounters;

/// From rating differences to expected scores and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expectancy {
    /// The normal distribution: `Phi(D / (200 sqrt 2))`.
    #[default]
    Normal,
    /// The logistic one: `1 / (1 + 10^(-D/400))`.
    Logistic,
    /// The book's table of two decimals.
    Table,
}

/// Highest difference (points) of each line of the table, from P = 0.50 to 0.99; above the last it is 1.00.
const TABLE: [u16; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
];

impl Expectancy {
    /// Expected score, in `[0, 1]`, of who is rated this many points higher.
    pub fn expected(self, difference: f64) -> f64 {
        match self {
            Expectancy::Normal => 0.5 * erfc(-difference / 400.0),
            Expectancy::Logistic => 1.0 / (1.0 + 10f64.powf(-difference / 400.0)),
            Expectancy::Table => {
                let size = difference.abs().round();
                let line = TABLE.iter().position(|highest| size <= f64::from(*highest));
                let part = line.map_or(1.0, |line| 0.5 + line as f64 / 100.0);
                if difference < 0.0 { 1.0 - part } else { part }
            }
        }
    }

    /// The difference (points) at which a score in `(0, 1)` is expected; infinite at its ends, but by the
    /// table, where they count as 0.99 and 0.01.
    pub fn difference(self, part: f64) -> f64 {
        match self {
            // Phi(x) = erfc(-x / sqrt 2) / 2.
            Expectancy::Normal => -400.0 * erfc_inv(2.0 * part.clamp(0.0, 1.0)),
            Expectancy::Logistic => -400.0 * (1.0 / part - 1.0).log10(),
            Expectancy::Table => {
                let hundredths = (part * 100.0).round().clamp(1.0, 99.0) as i32 - 50;
                let line = hundredths.unsigned_abs() as usize;
                // The middle of the line's interval, without its half.
                let low = if line == 0 { 0 } else { TABLE[line - 1] + 1 };
                let middle = if line == 0 { 0.0 } else { f64::from((low + TABLE[line]) / 2) };
                if hundredths < 0 { -middle } else { middle }
            }
        }
    }
}

/// Performance rating: the opponents' mean and the difference for the score (section 1.5).
pub fn performance(expectancy: Expectancy, mean_opponent: f64, part: f64) -> f64 {
    mean_opponent + expectancy.difference(part)
}

/// The rating whose expected score against these opponents is the actual one: the exact form. A score of
/// nothing or of everything counts as half a point from the end.
pub fn exact_performance(expectancy: Expectancy, opponents: &[f64], score: f64) -> Option<f64> {
    let games = opponents.len() as f64;
    let score = score.clamp(0.5_f64.min(games / 2.0), (games - 0.5).max(games / 2.0));
    let (low, high) =
        opponents.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
            (low.min(*one), high.max(*one))
        });
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (low - 2000.0, high + 2000.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        let expected: f64 = opponents.iter().map(|one| expectancy.expected(middle - one)).sum();
        if expected < score { low = middle } else { high = middle }
    }
    Some((low + high) / 2.0)
}

/// Performance in a round robin of `players`, `mean` being that of all of them.
pub fn round_robin_performance(
    expectancy: Expectancy,
    mean: f64,
    part: f64,
    players: usize,
) -> f64 {
    let players = players as f64;
    mean + expectancy.difference(part) * (players - 1.0) / players
}

/// Performance in a match, `mean` being that of the two.
pub fn match_performance(expectancy: Expectancy, mean: f64, part: f64) -> f64 {
    mean + expectancy.difference(part) / 2.0
}

/// Mean of all in a round robin of `players` from those who are rated: (rating, part of the points).
pub fn round_robin_mean(
    expectancy: Expectancy,
    rated: &[(f64, f64)],
    players: usize,
) -> Option<f64> {
    let count = rated.len() as f64;
    let players = players as f64;
    (count > 0.0).then(|| {
        let mean = rated.iter().map(|(rating, _)| rating).sum::<f64>() / count;
        let difference =
            rated.iter().map(|(_, part)| expectancy.difference(*part)).sum::<f64>() / count;
        mean - difference * (players - 1.0) / players
    })
}

/// Performance by the linear approximation.
pub fn linear_performance(mean_opponent: f64, won: f64, lost: f64, games: f64) -> f64 {
    mean_opponent + 400.0 * (won - lost) / games
}

/// The current rating formula: `score` points of which `expected` were expected.
pub fn current(rating: f64, k: f64, score: f64, expected: f64) -> f64 {
    rating + k * (score - expected)
}

/// How the continuous system runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Which expectancy.
    pub expectancy: Expectancy,
    /// Games of the initial period, in which a rating is a performance and provisional.
    pub initial_games: u32,
    /// K below 30 games.
    pub k_new: f64,
    /// K below [`Parameters::high`].
    pub k: f64,
    /// K from there on.
    pub k_high: f64,
    /// Rating (points) from which the smallest K holds.
    pub high: f64,
    /// Mean rating (points) of the players of the first event that can be rated.
    pub anchor: f64,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            expectancy: Expectancy::Normal,
            initial_games: 25,
            k_new: 32.0,
            k: 20.0,
            k_high: 10.0,
            high: 2400.0,
            anchor: 2400.0,
        }
    }
}

impl Parameters {
    fn k_of(&self, standing: &Standing) -> f64 {
        if standing.games < 30 {
            self.k_new
        } else if standing.rating < self.high {
            self.k
        } else {
            self.k_high
        }
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

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Continuous {
    /// Lists of the first of January and of July, of those who played in the two years before.
    pub lists: Vec<ComputedList>,
    /// Players who never met anybody that could be rated.
    pub unrated: usize,
    /// Games of events that wait for ever.
    pub waiting_games: usize,
}

/// Runs the system event by event. `observe` sees the games of each event with the ratings of their players
/// before it.
pub fn continuous(
    results: &Results,
    parameters: &Parameters,
    mut observe: impl FnMut(&[Rated], &dyn Fn(u32) -> Option<f64>),
) -> Continuous {
    let mut standings = vec![Standing::default(); results.players.len()];
    let mut found = Continuous::default();
    let is_joined = joined(results);
    let mut waiting = Waiting::of(results.players.len());
    let mut has_begun = false;
    let mut next_list: Option<Date> = None;
    for (number, event) in results.events().enumerate() {
        let day = event.iter().map(|game| game.day).min().unwrap_or_default();
        while let Some(list) = next_list.filter(|list| *list <= day) {
            found.lists.push(list_of(&standings, list, parameters));
            next_list = half_year_after(list);
        }
        observe(event, &|player| {
            let standing = &standings[player as usize];
            standing.is_rated.then_some(standing.rating)
        });
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
        found.lists.push(list_of(&standings, last, parameters));
    }
    found.lists.retain(|list| list.ratings.len() > 1);
    found.unrated = standings.iter().filter(|standing| !standing.is_rated).count();
    found.waiting_games = waiting.games.values().map(Vec::len).sum();
    found
}

/// Games that the first event of all has at least.
const FIRST_GAMES: usize = 6;

/// Whether each player belongs to the largest set of players who are joined by games.
fn joined(results: &Results) -> Vec<bool> {
    let games: Vec<(u32, u32, f64, f64)> =
        results.games.iter().map(|game| (game.white, game.black, game.score, 1.0)).collect();
    let mut is_joined = vec![false; results.players.len()];
    let components = Encounters::of(results.players.len(), &games).components();
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
fn found_first(event: &[Rated], standings: &mut [Standing], parameters: &Parameters) -> Vec<u32> {
    let mut field: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for game in event {
        for (player, score) in [(game.white, game.score), (game.black, 1.0 - game.score)] {
            let (points, games) = field.entry(player).or_default();
            (*points, *games) = (*points + score, *games + 1.0);
        }
    }
    for (&player, &(points, games)) in &field {
        let part = capped(points, games);
        let standing = &mut standings[player as usize];
        standing.rating =
            round_robin_performance(parameters.expectancy, parameters.anchor, part, field.len());
        standing.is_rated = true;
        standing.opponents = parameters.anchor * games;
        (standing.points, standing.initial, standing.games) = (points, games as u32, games as u32);
        standing.last = event.last().map(|game| game.day);
    }
    field.into_keys().collect()
}

/// Part of the points, half a point from its ends at least.
fn capped(points: f64, games: f64) -> f64 {
    if games <= 1.0 {
        return points.clamp(0.25, 0.75);
    }
    points.clamp(0.5, games - 0.5) / games
}

/// Rates the games of an event; those of two players without ratings are given back. Also tells who got a
/// rating.
fn rate_event(
    event: &[Rated],
    standings: &mut [Standing],
    parameters: &Parameters,
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
            let part = capped(points, games);
            standing.rating = performance(parameters.expectancy, sum / games, part);
            standing.is_rated = true;
            newly.push(player);
        }
    }
    let left: Vec<Rated> =
        event.iter().filter(|game| !standings[game.white as usize].is_rated).copied().collect();
    // All games of an event are rated by the ratings before it.
    let mut gains: Vec<(u32, f64, f64, f64, f64)> = Vec::new();
    for game in event {
        let [white, black] = [game.white, game.black].map(|player| standings[player as usize]);
        if !white.is_rated || !black.is_rated {
            continue;
        }
        for (player, mine, theirs, score) in [
            (game.white, white.rating, black.rating, game.score),
            (game.black, black.rating, white.rating, 1.0 - game.score),
        ] {
            gains.push((player, parameters.expectancy.expected(mine - theirs), score, theirs, 1.0));
        }
    }
    gains.sort_by_key(|gain| gain.0);
    let day = event.iter().map(|game| game.day).max();
    for of_player in gains.chunk_by(|a, b| a.0 == b.0) {
        let standing = &mut standings[of_player[0].0 as usize];
        let k = parameters.k_of(standing);
        let count = of_player.len() as u32;
        let expected: f64 = of_player.iter().map(|gain| gain.1).sum();
        let score: f64 = of_player.iter().map(|gain| gain.2).sum();
        if standing.initial < parameters.initial_games {
            standing.opponents += of_player.iter().map(|gain| gain.3).sum::<f64>();
            standing.points += score;
            standing.initial += count;
            let games = f64::from(standing.initial);
            let part = capped(standing.points, games);
            standing.rating = performance(parameters.expectancy, standing.opponents / games, part);
        } else {
            standing.rating = current(standing.rating, k, score, expected);
        }
        standing.games += count;
        standing.last = day.max(standing.last);
    }
    (left, newly)
}

fn list_of(standings: &[Standing], day: Date, parameters: &Parameters) -> ComputedList {
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
            is_provisional: standing.initial < parameters.initial_games,
        });
    ComputedList::of(day, ratings.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_the_differences_of_the_book() {
        let expected = [
            (0.50, 0.0),
            (0.55, 36.0),
            (0.60, 72.0),
            (0.65, 110.0),
            (0.70, 149.0),
            (0.75, 193.0),
            (0.80, 240.0),
            (0.85, 296.0),
            (0.90, 366.0),
            (0.95, 470.0),
            (0.99, 677.0),
        ];
        for (part, difference) in expected {
            assert_eq!(Expectancy::Table.difference(part), difference, "{part}");
            assert_eq!(Expectancy::Table.difference(1.0 - part), -difference, "{part}");
            let there = Expectancy::Table.expected(difference);
            assert!((there - part).abs() < 1e-9, "{difference} gives {there}");
        }
        assert_eq!(Expectancy::Table.expected(736.0), 1.0);
    }

    #[test]
    fn each_expectancy_is_its_own_inverse_turned_round() {
        for expectancy in [Expectancy::Normal, Expectancy::Logistic] {
            for part in [0.02, 0.3, 0.5, 0.64, 0.97] {
                let back = expectancy.expected(expectancy.difference(part));
                assert!((back - part).abs() < 1e-9, "{expectancy:?} {part} {back}");
            }
        }
        assert!((Expectancy::Normal.expected(200.0) - 0.7602).abs() < 1e-4);
    }

    #[test]
    fn portisch_at_wijk_aan_zee_1975() {
        let part = 10.5 / 15.0;
        let table = Expectancy::Table;
        assert_eq!(performance(table, 2527.0, part).round(), 2676.0);
        assert_eq!(round_robin_performance(table, 2534.0, part, 16).round(), 2674.0);
        assert_eq!(linear_performance(2527.0, 10.5, 4.5, 15.0).round(), 2687.0);
        assert!((current(2635.0, 10.0, 10.5, 9.66) - 2643.4).abs() < 1e-9);
    }

    #[test]
    fn karpov_and_korchnoi_in_1974() {
        let mean = (2715.0 + 2645.0) / 2.0;
        assert_eq!(match_performance(Expectancy::Table, mean, 12.5 / 24.0), 2687.0);
        assert_eq!(match_performance(Expectancy::Table, mean, 11.5 / 24.0), 2673.0);
    }

    #[test]
    fn the_exact_form_expects_what_was_scored() {
        let opponents = [2500.0, 2600.0, 2450.0, 2700.0];
        for expectancy in [Expectancy::Normal, Expectancy::Logistic] {
            let rating = exact_performance(expectancy, &opponents, 2.5).unwrap();
            let expected: f64 = opponents.iter().map(|one| expectancy.expected(rating - one)).sum();
            assert!((expected - 2.5).abs() < 1e-9);
        }
        let all = exact_performance(Expectancy::Normal, &opponents, 4.0).unwrap();
        assert_eq!(Some(all), exact_performance(Expectancy::Normal, &opponents, 3.5));
        assert_eq!(exact_performance(Expectancy::Normal, &[], 0.0), None);
    }

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
            results.players.push(RatedPlayer { name, fide_id: 0, born: None });
        }
        for (event, pairs) in (0..).zip(pairs) {
            let day = date(1900 + event as i16, 1, 1);
            let games =
                pairs.iter().map(|&(white, black)| Rated { white, black, score: 0.5, day, event });
            results.games.extend(games);
        }
        let found = continuous(&results, &Parameters::default(), |_, _| ());
        assert_eq!((found.unrated, found.waiting_games), (2, 1));
        let last = found.lists.last().unwrap();
        let games: f64 =
            last.ratings.iter().filter(|line| line.player == 3).map(|line| line.games).sum();
        assert_eq!(games, 3.0, "{last:?}");
    }

    #[test]
    fn a_round_robin_tells_its_mean_from_the_rated() {
        // Everybody rated: the mean is theirs, since the differences of a whole table cancel out.
        let rated = [(2500.0, 0.6), (2450.0, 0.5), (2400.0, 0.4)];
        let mean = round_robin_mean(Expectancy::Normal, &rated, 3).unwrap();
        assert!((mean - 2450.0).abs() < 1e-9);
        assert_eq!(round_robin_mean(Expectancy::Normal, &[], 3), None);
    }
}
