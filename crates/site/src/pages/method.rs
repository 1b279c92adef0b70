//! The page of the method: each formula with its source, and an example from the archive.

use serde::Serialize;

use super::certainty::of_performance;
use super::moves::{self, MovesMethod};
use super::page::Page;
use super::who_did_better::{WhoDidBetter, who_did_better};
use super::{Frame, Link, Site};
use crate::charts::{Histogram, histogram};
use crate::figures::{fixed, fixed_or_empty, percent, points, spoken};
use rating_systems::laboratory::bundled::fit_test_power;
use rating_systems::systems::System;
use tournament_app::basic_system::p_zero_gains;
use tournament_app::greatness::{ANCHOR, resistance};
use tournament_app::{FitResult, RatingOrigin, expectation};

#[derive(Debug, Serialize)]
pub struct MethodPage<'a> {
    frame: Frame,
    /// Rating difference and expected score.
    expectations: Vec<(String, String)>,
    performance: Option<PerformanceExample>,
    draws: Option<DrawsExample>,
    filled: Option<LineExample>,
    corrected: Option<LineExample>,
    failed: Option<FitExample>,
    passed: Option<FitExample>,
    tried: Option<Tried>,
    minimum_games: usize,
    minimum_g_score: String,
    minimum_coverage: String,
    of_performances: String,
    /// Games that a correction needs.
    correction_games: usize,
    /// The part of the field that a source needs to be chosen at once.
    sufficient: String,
    who_did_better: Option<WhoDidBetter>,
    moves: Option<MovesMethod<'a>>,
    /// The computed rating systems: name, and how each works.
    systems: Vec<(&'static str, String)>,
}

/// The first performance of the Greatness List.
#[derive(Debug, Serialize)]
struct PerformanceExample {
    player: Link,
    event: Link,
    anchor: String,
    g: String,
    p_zero: String,
    games: usize,
    per_game: String,
    resistance: String,
    stamina: String,
    number_two: String,
    strength: String,
    /// The player's first game.
    opponent: String,
    score: String,
    expected: String,
    gain: String,
    /// The opponent's rating, rho and resistance.
    rating: String,
    rho: String,
    resists: String,
}

/// The draws of that performance.
#[derive(Debug, Serialize)]
struct DrawsExample {
    count: usize,
    /// The standard error with its parts, and the side on which the score errs, in sentences.
    certainty: String,
    chance: String,
    histogram: Option<Histogram>,
}

/// A rating that comes from a performance line.
#[derive(Debug, Serialize)]
struct LineExample {
    player: Link,
    event: Link,
    intercept: String,
    slope: String,
    p_zero: String,
    rating: String,
    was: String,
}

#[derive(Debug, Serialize)]
struct FitExample {
    event: Link,
    ratings: usize,
    degrees: usize,
    statistic: String,
    critical: String,
}

/// The fractions of simulated round robins that failed the fit test.
#[derive(Debug, Serialize)]
struct Tried {
    players: usize,
    narrow_spread: String,
    wide_spread: String,
    narrow: String,
    wide: String,
    narrow_seen: String,
    wide_seen: String,
}

fn tried() -> Option<Tried> {
    const PLAYERS: usize = 14;
    const SPREADS: [f64; 2] = [40.0, 100.0];
    let [narrow, wide] = SPREADS.map(|spread| fit_test_power(PLAYERS, 1, spread));
    let (narrow, wide) = (narrow?, wide?);
    Some(Tried {
        players: PLAYERS,
        narrow_spread: fixed(SPREADS[0], 0),
        wide_spread: fixed(SPREADS[1], 0),
        narrow: percent(narrow.fails_all_right[0]),
        wide: percent(wide.fails_all_right[0]),
        narrow_seen: percent(narrow.fails_one_wrong[0]),
        wide_seen: percent(wide.fails_one_wrong[0]),
    })
}

pub fn method<'a>(site: &Site<'a>, page: &Page) -> MethodPage<'a> {
    let settings = &site.archive.settings;
    let lists = &settings.lists;
    MethodPage {
        frame: page.frame(site, "How the figures of this archive are computed: each formula with its source, and an example \
             from the archive's own games.",
        ),
        expectations: [0.0, 50.0, 82.0, 100.0, 200.0, 400.0, 800.0]
            .into_iter()
            .map(|difference| (fixed(difference, 0), fixed(expectation(difference), 4)))
            .collect(),
        performance: performance(site),
        draws: draws(site),
        filled: from_the_line(site, RatingOrigin::Filled),
        corrected: from_the_line(site, RatingOrigin::Corrected),
        failed: fit(site, FitResult::Failed),
        passed: fit(site, FitResult::Passed),
        tried: tried(),
        minimum_games: lists.minimum_games,
        minimum_g_score: fixed(lists.minimum_g_score, 0),
        minimum_coverage: percent(lists.minimum_coverage),
        of_performances: percent(lists.minimum_coverage_of_performances),
        correction_games: settings.analysis.minimum_games,
        sufficient: percent(settings.ratings.sufficient_part),
        who_did_better: who_did_better(site),
        moves: moves::method(site),
        systems: System::all()
            .iter()
            .map(|system| (system.about.name, settings.systems.system(system).explained()))
            .collect(),
    }
}

/// A link to a player with the name in spoken order.
fn spoken_link(link: Link) -> Link {
    Link { text: spoken(&link.text), ..link }
}

fn performance(site: &Site) -> Option<PerformanceExample> {
    let row = site.archive.lists.greatness.first()?;
    let record = &site.archive.records[row.event];
    let analysis = &record.analysis;
    let player = &analysis.players[row.standing];
    let (p_zero, number_two) = (player.p_zero?, analysis.number_two?);
    let gains = p_zero_gains(record.input.players.len(), record.input.played());
    let (game, gain) = record
        .input
        .played()
        .zip(gains)
        .find(|(game, _)| game.white == player.index || game.black == player.index)?;
    let is_white = game.white == player.index;
    let other = if is_white { game.black } else { game.white };
    let opponent = analysis.players.iter().find(|player| player.index == other)?;
    let rating = opponent.initial_rating?;
    let score = if is_white { game.white_score } else { 1.0 - game.white_score };
    Some(PerformanceExample {
        player: spoken_link(Link::to_player(site.archive, row.player)),
        event: Link::to_event(record),
        anchor: format!("g-{}", site.archive.players.get(row.player).id),
        g: fixed(row.g_score, 2),
        p_zero: fixed(p_zero, 2),
        games: player.games,
        per_game: fixed(p_zero / player.games as f64, 4),
        resistance: fixed_or_empty(player.resistance, 4),
        stamina: fixed(player.stamina, 2),
        number_two: fixed(number_two, 0),
        strength: fixed_or_empty(analysis.strength, 4),
        opponent: spoken(&opponent.name),
        score: points(score),
        expected: fixed(if is_white { gain.expected } else { 1.0 - gain.expected }, 4),
        gain: fixed(if is_white { gain.gain } else { -gain.gain }, 3),
        rating: fixed(rating, 0),
        rho: fixed((rating + ANCHOR - number_two) / ANCHOR, 4),
        resists: fixed(resistance(rating, number_two), 4),
    })
}

fn draws(site: &Site) -> Option<DrawsExample> {
    let row = site.archive.lists.greatness.first()?;
    let player = &site.archive.records[row.event].analysis.players[row.standing];
    let error = player.simulated.g_error?;
    Some(DrawsExample {
        count: player.simulated.g_draws.len(),
        certainty: of_performance(player, Some(row.range)),
        chance: percent(row.range.first),
        histogram: histogram(
            (row.g_score, error),
            player.simulated.g_median?,
            &player.simulated.g_draws,
        ),
    })
}

/// An example from the strongest ranked event that has a rating of this origin.
fn from_the_line(site: &Site, origin: RatingOrigin) -> Option<LineExample> {
    site.archive.lists.strength.iter().find_map(|row| {
        let record = &site.archive.records[row.event];
        let line = record.analysis.line?;
        let player =
            record.analysis.players.iter().find(|player| player.rating_origin == origin)?;
        Some(LineExample {
            player: spoken_link(Link::to_player(site.archive, record.event.players[player.index])),
            event: Link::to_event(record),
            intercept: fixed(line.intercept, 1),
            slope: fixed(line.slope.abs(), 3),
            p_zero: fixed(player.p_zero?, 2),
            rating: fixed(player.initial_rating?, 0),
            was: fixed_or_empty(player.rating_found, 0),
        })
    })
}

/// The strongest ranked event with this result of the fit test.
fn fit(site: &Site, result: FitResult) -> Option<FitExample> {
    site.archive.lists.strength.iter().find_map(|row| {
        let record = &site.archive.records[row.event];
        let test = record.analysis.before.fit_test;
        let (statistic, critical) = (test.statistic?, test.critical?);
        (test.result == result).then(|| FitExample {
            event: Link::to_event(record),
            ratings: test.degrees_of_freedom + 1,
            degrees: test.degrees_of_freedom,
            statistic: fixed(statistic, 3),
            critical: fixed(critical, 3),
        })
    })
}
