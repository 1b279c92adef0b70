//! The page of the method: each formula with its source, and an example from the archive.

use serde::Serialize;

use super::certainty::of_performance;
use super::five_year_averages::{agreement, has_averages};
use super::moves;
use super::page::Page;
use super::who_did_better::who_did_better;
use super::{Link, Site};
use crate::charts::histogram;
use crate::figures::{counted, fixed, fixed_or_empty, percent, points, spoken, thousands};
use archive::ConstantIntervals;
use rating_systems::laboratory::bundled::fit_test_power;
use rating_systems::systems::System;
use tournament_app::basic_system::p_zero_gains;
use tournament_app::fit_test::DENOMINATOR;
use tournament_app::greatness::{ANCHOR, resistance};
use tournament_app::{FitResult, RatingOrigin, expectation};

/// The fractions of simulated round robins that failed the fit test.
fn tried() -> Option<impl Serialize> {
    const PLAYERS: usize = 14;
    const SPREADS: [f64; 2] = [40.0, 100.0];
    let [narrow, wide] = SPREADS.map(|spread| fit_test_power(PLAYERS, 1, spread));
    let (narrow, wide) = (narrow?, wide?);
    Some(view!(
        players = PLAYERS,
        narrow_spread = fixed(SPREADS[0], 0),
        wide_spread = fixed(SPREADS[1], 0),
        narrow = percent(narrow.fails_all_right[0]),
        wide = percent(wide.fails_all_right[0]),
        narrow_seen = percent(narrow.fails_one_wrong[0]),
        wide_seen = percent(wide.fails_one_wrong[0])
    ))
}

pub fn method<'a>(site: &Site<'a>, page: &Page) -> impl Serialize {
    let settings = &site.archive.settings;
    let lists = &settings.lists;
    let description = "How the figures of this archive are computed: each formula with its \
         source, and an example from the archive's own games.";
    view!(
        frame = page.frame(site, description),
        // Rating difference and expected score.
        expectations = [0.0, 50.0, 82.0, 100.0, 200.0, 400.0, 800.0]
            .into_iter()
            .map(|difference| (fixed(difference, 0), fixed(expectation(difference), 4)))
            .collect::<Vec<_>>(),
        performance = performance(site),
        draws = draws(site),
        filled = from_the_line(site, RatingOrigin::Filled),
        corrected = from_the_line(site, RatingOrigin::Corrected),
        failed = fit(site, FitResult::Failed),
        passed = fit(site, FitResult::Passed),
        tried = tried(),
        constants = constants(site),
        minimum_games = lists.minimum_games,
        minimum_g_score = fixed(lists.minimum_g_score, 0),
        minimum_coverage = percent(lists.minimum_coverage),
        of_performances = percent(lists.minimum_coverage_of_performances),
        // Games that a correction needs.
        correction_games = settings.analysis.minimum_games,
        // The part of the field that a source needs to be chosen at once.
        sufficient = percent(settings.ratings.sufficient_part),
        who_did_better = who_did_better(site),
        moves = moves::method(site),
        // How historical Elo agrees with Elo's book; empty if that is unknown.
        agreement = agreement(site),
        has_averages = has_averages(site),
        // The computed rating systems: name, and how each works.
        systems = System::all()
            .iter()
            .map(|system| (system.about.name, settings.systems.system(system).explained()))
            .collect::<Vec<_>>()
    )
}

/// The constants that the table shows: every fifth of those that were tried.
const SHOWN_CONSTANTS: usize = 5;

/// How the results of the fit test depend on its constant. `None` without tested events.
fn constants(site: &Site) -> Option<impl Serialize> {
    let ours = ConstantIntervals::of_events(&site.archive.records);
    let published = ConstantIntervals::published(&site.archive.findings.published_strengths);
    if ours.is_empty() {
        return None;
    }
    let rows: Vec<[String; 7]> = ours
        .counts()
        .into_iter()
        .zip(published.counts())
        .step_by(SHOWN_CONSTANTS)
        .map(|(ours, published)| {
            let figures = [ours.constant as usize, ours.passed, ours.failed, ours.too_close];
            let [constant, passed, failed, too_close] = figures.map(thousands);
            let figures = [published.passed, published.failed, published.too_close];
            let [paper_passed, paper_failed, paper_too_close] = figures.map(thousands);
            [constant, passed, failed, too_close, paper_passed, paper_failed, paper_too_close]
        })
        .collect();
    Some(view!(
        rows,
        events = counted(ours.len(), "ranked event", "ranked events"),
        constant = thousands(DENOMINATOR as usize),
        published = published.len(),
        unchanged = published.unchanged().map(|(low, high)| [fixed(low, 1), fixed(high, 1)])
    ))
}

/// A link to a player with the name in spoken order.
fn spoken_link(link: Link) -> Link {
    Link { text: spoken(&link.text), ..link }
}

/// The first performance of the Greatness List, with the player's first game.
fn performance(site: &Site) -> Option<impl Serialize> {
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
    Some(view!(
        player = spoken_link(Link::to_player(site.archive, row.player)),
        event = Link::to_event(record),
        anchor = format!("g-{}", site.archive.players.get(row.player).id),
        g = fixed(row.g_score, 2),
        p_zero = fixed(p_zero, 2),
        games = player.games,
        per_game = fixed(p_zero / player.games as f64, 4),
        resistance = fixed_or_empty(player.resistance, 4),
        stamina = fixed(player.stamina, 2),
        number_two = fixed(number_two, 0),
        strength = fixed_or_empty(analysis.strength, 4),
        // The player's first game.
        opponent = spoken(&opponent.name),
        score = points(score),
        expected = fixed(if is_white { gain.expected } else { 1.0 - gain.expected }, 4),
        gain = fixed(if is_white { gain.gain } else { -gain.gain }, 3),
        // The opponent's rating, rho and resistance.
        rating = fixed(rating, 0),
        rho = fixed((rating + ANCHOR - number_two) / ANCHOR, 4),
        resists = fixed(resistance(rating, number_two), 4)
    ))
}

/// The draws of that performance.
fn draws(site: &Site) -> Option<impl Serialize> {
    let row = site.archive.lists.greatness.first()?;
    let player = &site.archive.records[row.event].analysis.players[row.standing];
    let error = player.simulated.g_error?;
    Some(view!(
        count = player.simulated.g_draws.len(),
        // The standard error with its parts, and the side on which the score errs, in sentences.
        certainty = of_performance(player, Some(row.range)),
        chance = percent(row.range.first),
        histogram =
            histogram((row.g_score, error), player.simulated.g_median?, &player.simulated.g_draws)
    ))
}

/// An example from the strongest ranked event that has a rating of this origin.
fn from_the_line(site: &Site, origin: RatingOrigin) -> Option<impl Serialize> {
    site.archive.lists.strength.iter().find_map(|row| {
        let record = &site.archive.records[row.event];
        let line = record.analysis.line?;
        let player =
            record.analysis.players.iter().find(|player| player.rating_origin == origin)?;
        Some(view!(
            player = spoken_link(Link::to_player(site.archive, record.event.players[player.index])),
            event = Link::to_event(record),
            intercept = fixed(line.intercept, 1),
            slope = fixed(line.slope.abs(), 3),
            p_zero = fixed(player.p_zero?, 2),
            rating = fixed(player.initial_rating?, 0),
            was = fixed_or_empty(player.rating_found, 0)
        ))
    })
}

/// The strongest ranked event with this result of the fit test.
fn fit(site: &Site, result: FitResult) -> Option<impl Serialize> {
    site.archive.lists.strength.iter().find_map(|row| {
        let record = &site.archive.records[row.event];
        let test = record.analysis.before.fit_test;
        let (statistic, critical) = (test.statistic?, test.critical?);
        (test.result == result).then(|| {
            view!(
                event = Link::to_event(record),
                ratings = test.degrees_of_freedom + 1,
                degrees = test.degrees_of_freedom,
                statistic = fixed(statistic, 3),
                critical = fixed(critical, 3)
            )
        })
    })
}
