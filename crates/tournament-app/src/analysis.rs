//! Runs the Tournament App on one event.

use bitcode::{Decode, Encode};
use std::borrow::Cow;
use std::cmp::Ordering;

use serde::Serialize;

use super::basic_system::{elo_after, p_zeros, pra_after};
use super::correction::{FieldColumns, Fit, RatingOrigin, Settled, Spec, settle};
use super::event::{Event, EventError, EventPart, PlayingOrder};
use super::expectation::expectation;
use super::fit_test::FitTest;
use super::greatness::{g_score, resistance, stamina, strength};
use super::line::Line;
use super::options::{LARGEST_FIELD, Options, Policy};
use super::order_spread::{in_random_orders, order_spread};
use super::simulated::Simulated;
use super::steps::Step;
use super::uncertainty::{DrawInputs, DrawRange, PlayerUncertainty, StandardErrors, Uncertainty};
use super::words::documents;
use crate::kind::Kind;

/// The results of the Tournament App for one event.
#[derive(Clone, Debug, Serialize, Encode, Decode)]
pub struct Analysis {
    /// Name of the event.
    pub name: String,
    /// Kind of the event.
    pub kind: Kind,
    /// Name of the rating system of the input.
    pub rating_system: String,
    /// Name of the rating system, with a note if ratings were estimated or corrected:
    /// `Elo (PRA-corrected)`.
    pub rating_label: String,
    /// How much of the playing order is known.
    pub order: PlayingOrder,
    /// The policy for ratings that fail the fit test.
    pub policy: Policy,
    /// The players in the order of the standings.
    pub players: Vec<PlayerAnalysis>,
    /// The performance line of the ratings used. `None` with fewer than two ratings, or if the line
    /// is [too steep](Line::is_too_steep).
    pub line: Option<Line>,
    /// The fit test of that line.
    pub fit_test: FitTest,
    /// The line and the fit test of the ratings found.
    pub before: BeforeCorrection,
    /// Whether the estimator line is missing or too weak to rely on; the steps give the reason.
    pub weak: bool,
    /// Rating (points) of the world number two; `None` if it is unknown.
    pub number_two: Option<f64>,
    /// Origin of that rating.
    pub number_two_origin: NumberTwoOrigin,
    /// Strength of the event; 100 if every player has the rating of the world number two. `None` if
    /// a player with games has no rating, or if the number two's rating is unknown.
    pub strength: Option<f64>,
    /// Standard error of the strength; `None` if no standard errors of the ratings were given.
    pub strength_error: Option<f64>,
    /// The strength in each of [`DRAWS`](super::uncertainty::DRAWS) simulations; empty without
    /// standard errors.
    #[serde(skip)]
    pub strength_draws: Vec<f32>,
    /// Median of the strength over the simulations.
    pub strength_median: Option<f64>,
    /// Lower end of the range of the middle nine tenths of the simulated strengths.
    pub strength_low: Option<f64>,
    /// Upper end of that range.
    pub strength_high: Option<f64>,
    /// Name of the player with the highest rating used. `None` if no player has a rating, or if one
    /// of his opponents has none.
    pub favourite: Option<String>,
    /// Product of the favourite's expected scores: the probability that he wins all his games if no
    /// game is drawn.
    pub sweep_probability: Option<f64>,
    /// Pairs of players of whom the one with fewer points has the higher P-Zero; empty for more
    /// than [`LARGEST_FIELD`] players.
    pub inversions: Vec<Inversion>,
    /// How the ratings were settled, step by step. JSON documents contain each step as data and as
    /// a sentence.
    #[serde(serialize_with = "documents")]
    pub steps: Vec<Step>,
}

/// The fit of the ratings before missing ones were estimated and others corrected.
#[derive(Clone, Debug, Serialize, Encode, Decode)]
pub struct BeforeCorrection {
    /// The performance line of the ratings found. `None` with fewer than two ratings, or if the
    /// line is [too steep](Line::is_too_steep).
    pub line: Option<Line>,
    /// The fit test of that line.
    pub fit_test: FitTest,
    /// Number of players with games whose rating was found.
    pub known_ratings: usize,
}

impl BeforeCorrection {
    /// Summarises the ratings found; `fit` is their fit.
    fn new(event: &Event, tally: &ScoreTotals, fit: Option<&Fit>) -> BeforeCorrection {
        let players = event.players.iter().zip(&tally.games);
        BeforeCorrection {
            line: fit.map(|fit| fit.line.tested()),
            fit_test: test_of(fit),
            known_ratings: players
                .filter(|(player, games)| **games > 0 && player.initial_rating.is_some())
                .count(),
        }
    }
}

/// Origin of the rating of the world number two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum NumberTwoOrigin {
    /// From a rating list, the input or a decision.
    Given,
    /// No source covers the date, so neither strength nor G-scores can be computed.
    Missing,
}

impl NumberTwoOrigin {
    /// Returns the origin of a rating that may be missing.
    fn from_rating(number_two: Option<f64>) -> NumberTwoOrigin {
        match number_two {
            Some(_) => NumberTwoOrigin::Given,
            None => NumberTwoOrigin::Missing,
        }
    }
}

/// The results of one player.
#[derive(Clone, Debug, Serialize, Encode, Decode)]
pub struct PlayerAnalysis {
    /// Place in the standings, from 1: by points in the main event, then by play-off points.
    /// Players who share a place have the first of its numbers. [`Analysis::finish_as`] replaces it
    /// by the place in the order of finish.
    pub rank: usize,
    /// The last number of a shared place; otherwise the rank.
    pub last_rank: usize,
    /// Whether missing games may change the place. The rank and the last rank are then the first
    /// and the last place that they allow.
    pub is_place_open: bool,
    /// Place by points alone, from 1. Ties are broken by play-off points, then performance rating,
    /// then G-score.
    pub points_rank: usize,
    /// Index of the player in the input event.
    #[serde(skip)]
    pub index: usize,
    /// Name as in the input event.
    pub name: String,
    /// Rating used (points); `None` if it is missing and could not be estimated.
    pub initial_rating: Option<f64>,
    /// Origin of the rating used.
    pub rating_origin: RatingOrigin,
    /// Rating found (points), before any correction; `None` if none was found.
    pub rating_found: Option<f64>,
    /// Games played in all parts of the event, forfeits excluded.
    pub games: usize,
    /// Points in all parts of the event, forfeits included.
    pub points: f64,
    /// Points in the games played in all parts of the event, forfeits excluded.
    pub played_points: f64,
    /// Games of the main event, forfeits included.
    pub main_games: usize,
    /// Points in the main event, which determine the standings.
    pub main_points: f64,
    /// Points in play-offs; `None` without a play-off.
    pub play_off_points: Option<f64>,
    /// P-Zero (rating points); `None` without games.
    pub p_zero: Option<f64>,
    /// P-Zero divided by the sample standard deviation of all P-Zeros; `None` without games, or if
    /// all P-Zeros are equal.
    pub z_score: Option<f64>,
    /// Performance rating (points); `None` without a performance line or without games.
    pub performance_rating: Option<f64>,
    /// Rating used minus the rating that the performance line predicts (points).
    pub residual: Option<f64>,
    /// Class of that residual.
    pub spec: Option<Spec>,
    /// Residual (points) of the rating found from the line of all ratings found.
    pub residual_before: Option<f64>,
    /// Elo rating (points) after the event; `None` if any player with games has no rating.
    pub elo_after: Option<f64>,
    /// PRA rating (points) after the event; `None` if any player with games has no rating.
    pub pra_after: Option<f64>,
    /// G-score; `None` without games, or if the rating of an opponent or of the world number two is
    /// unknown.
    pub g_score: Option<f64>,
    /// Mean resistance of the opponents, weighted by games: the coefficient of the G-score.
    pub resistance: Option<f64>,
    /// The player's own resistance, which enters the strength of the event.
    pub own_resistance: Option<f64>,
    /// Stamina, the factor of the G-score for the number of games: 1 + games / 20.
    pub stamina: f64,
    /// Standard deviation (rating points) of the P-Zero over random orders of the games. `None` if
    /// the order is known, without games, or if the options turn this off.
    pub order_spread: Option<f64>,
    /// Standard deviation of the G-score over random orders of the games, with the ratings held
    /// fixed.
    pub g_order_spread: Option<f64>,
    /// The figures that the simulations show. In JSON documents they are fields of the player.
    #[serde(flatten)]
    pub simulated: Simulated,
}

/// Two players of whom the one with fewer points has the higher P-Zero. They are stored as indices
/// into [`Analysis::players`] to save memory: a large open has thousands of such pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
pub struct Inversion {
    /// Index of the player with more points in the main event.
    pub by_points: u32,
    /// Index of the player with the higher P-Zero.
    pub by_p_zero: u32,
}

impl Analysis {
    /// Returns the names of the player with more points and the player with the higher P-Zero.
    pub fn names_of(&self, inversion: Inversion) -> [&str; 2] {
        [inversion.by_points, inversion.by_p_zero]
            .map(|place| self.players[place as usize].name.as_str())
    }

    /// Puts the players into the order of finish, which points do not always give: a play-off may
    /// have decided, and in a knock-out the points depend on the lengths of its matches.
    ///
    /// `groups` are indices of players in the standings. The players of a group share a place.
    /// Every player is in exactly one group.
    pub fn finish_as(&mut self, groups: &[Vec<usize>]) {
        let order = groups.concat();
        let mut place_of = vec![0; self.players.len()];
        for (place, before) in order.iter().enumerate() {
            place_of[*before] = place as u32;
        }
        for inversion in &mut self.inversions {
            inversion.by_points = place_of[inversion.by_points as usize];
            inversion.by_p_zero = place_of[inversion.by_p_zero as usize];
        }
        self.players = order.into_iter().map(|before| self.players[before].clone()).collect();
        let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        assign_ranks(&mut self.players, &sizes);
    }
}

/// Runs the Tournament App on an event.
///
/// The result does not depend on the order of the players. It depends on the order of the games
/// (see [`Analysis::order`]).
///
/// # Errors
///
/// Fails if [`Event::check`] rejects the event.
pub fn analyse(event: &Event, options: &Options) -> Result<Analysis, EventError> {
    analyse_with_errors(event, options, None)
}

/// Runs the Tournament App and computes standard errors of its results from those of the ratings.
///
/// Without `errors`, the result is that of [`analyse`].
///
/// # Errors
///
/// Fails if [`Event::check`] rejects the event, if the number of standard errors differs from the
/// number of players, or if one of them is negative or not finite. Also fails if a rating of
/// [`StandardErrors::best`] is out of range.
pub fn analyse_with_errors(
    event: &Event,
    options: &Options,
    errors: Option<&StandardErrors>,
) -> Result<Analysis, EventError> {
    event.check()?;
    if let Some(errors) = errors {
        errors.check(event)?;
    }
    let (event, original) = by_name(event);
    let errors = errors.map(|errors| errors.in_order(&original));
    let field = event.players.len();
    let options = &options.for_field(field);
    let tally = ScoreTotals::from_event(&event);
    let all_p_zeros = p_zeros(field, event.played());
    let p_zeros: Vec<Option<f64>> =
        (0..field).map(|player| (tally.games[player] > 0).then_some(all_p_zeros[player])).collect();

    let names: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
    let ratings: Vec<Option<f64>> = event.players.iter().map(|p| p.initial_rating).collect();
    let decided: Vec<Option<&str>> =
        event.players.iter().map(|player| player.decided.as_deref()).collect();
    let field = FieldColumns {
        names: &names,
        p_zeros: &p_zeros,
        games: &tally.games,
        ratings: &ratings,
        decided: &decided,
        number_two: event.number_two,
    };
    let settled = settle(field, event.kind, options);
    let orders = options.order_spread.then(|| in_random_orders(&event)).flatten();
    let uncertainty = errors.map(|errors| {
        let drawn = DrawInputs {
            kind: event.kind,
            options,
            field,
            opponents: &opponents(&event),
            number_two: event.number_two,
            settled: &settled,
            orders: orders.as_deref(),
            errors: &errors,
        };
        drawn.uncertainty()
    });
    let spread = orders.map(|orders| order_spread(event.players.len(), &orders));
    let uncertainty = uncertainty.unwrap_or_default();
    let computed = Computed { tally, p_zeros, settled, spread, uncertainty };
    Ok(assemble(&event, &original, computed, options))
}

/// The values computed for an event before the analysis is assembled.
struct Computed {
    tally: ScoreTotals,
    p_zeros: Vec<Option<f64>>,
    settled: Settled,
    /// Order spread of the P-Zeros; `None` if the order is known.
    spread: Option<Vec<f64>>,
    /// Empty if no standard errors of the ratings were given.
    uncertainty: Uncertainty,
}

/// Lists the opponents of each player, one entry per game.
fn opponents(event: &Event) -> Vec<Vec<usize>> {
    let mut opponents = vec![Vec::new(); event.players.len()];
    for game in event.played() {
        opponents[game.white].push(game.black);
        opponents[game.black].push(game.white);
    }
    opponents
}

/// Sorts the players by name, and returns the original index of each.
///
/// With a fixed order of summation, rounding errors do not depend on the order of the input.
fn by_name(event: &Event) -> (Cow<'_, Event>, Vec<usize>) {
    let mut original: Vec<usize> = (0..event.players.len()).collect();
    if event.players.is_sorted_by(|a, b| a.name <= b.name) {
        return (Cow::Borrowed(event), original);
    }
    original.sort_by(|&a, &b| event.players[a].name.cmp(&event.players[b].name));
    let mut place = vec![0; original.len()];
    for (new, &old) in original.iter().enumerate() {
        place[old] = new;
    }
    let mut sorted = event.clone();
    sorted.players = original.iter().map(|&old| event.players[old].clone()).collect();
    for game in &mut sorted.games {
        game.white = place[game.white];
        game.black = place[game.black];
    }
    (Cow::Owned(sorted), original)
}

/// The number of games and the points of each player.
struct ScoreTotals {
    /// Games played, forfeits excluded.
    games: Vec<usize>,
    /// Points, forfeits included.
    points: Vec<f64>,
    /// Points, forfeits excluded.
    played_points: Vec<f64>,
    /// Games of the main event, forfeits included.
    main_games: Vec<usize>,
    /// Points in the main event, forfeits included.
    main_points: Vec<f64>,
    /// Points in play-offs; `None` without a play-off.
    play_off_points: Vec<Option<f64>>,
}

impl ScoreTotals {
    fn from_event(event: &Event) -> ScoreTotals {
        let field = event.players.len();
        let mut tally = ScoreTotals {
            games: vec![0; field],
            points: vec![0.0; field],
            played_points: vec![0.0; field],
            main_games: vec![0; field],
            main_points: vec![0.0; field],
            play_off_points: vec![None; field],
        };
        // If no game is marked as part of the main event, all games are.
        let has_main = event.games.iter().any(|game| game.part.is_main());
        for game in &event.games {
            let scores = [(game.white, game.white_score), (game.black, 1.0 - game.white_score)];
            for (player, score) in scores {
                if game.part.is_main() || !has_main {
                    tally.main_games[player] += 1;
                    tally.main_points[player] += score;
                } else if game.part == EventPart::PlayOff {
                    *tally.play_off_points[player].get_or_insert(0.0) += score;
                }
            }
            tally.points[game.white] += game.white_score;
            tally.points[game.black] += 1.0 - game.white_score;
            if game.played {
                for (player, score) in scores {
                    tally.games[player] += 1;
                    tally.played_points[player] += score;
                }
            }
        }
        tally
    }
}

/// Assembles the analysis of an event from the computed values. `original` holds the index of each
/// player in the event as the caller gave it.
fn assemble(event: &Event, original: &[usize], computed: Computed, options: &Options) -> Analysis {
    let Computed { tally, p_zeros, settled, spread, uncertainty } = computed;
    let Settled { ratings, origins, before, after, weak, mut steps } = settled;
    let number_two = event.number_two;
    if number_two.is_none() && ratings.iter().any(Option::is_some) {
        steps.push(Step::NumberTwoUnknown);
    }
    let resistances: Vec<Option<f64>> =
        ratings.iter().map(|rating| Some(resistance((*rating)?, number_two?))).collect();
    let complete =
        tally.games.iter().zip(&ratings).all(|(games, rating)| *games == 0 || rating.is_some());
    let mut players = {
        let columns = PlayerColumns {
            event,
            original,
            tally: &tally,
            p_zeros: &p_zeros,
            ratings: &ratings,
            origins: &origins,
            before: before.as_ref(),
            after: after.as_ref(),
            spread: spread.as_deref(),
            resistances: &resistances,
            coefficients: coefficients(event, &tally, &resistances),
            deviation: sample_deviation(&p_zeros),
            after_event: complete.then(|| {
                let initial: Vec<f64> =
                    ratings.iter().map(|rating| rating.unwrap_or(0.0)).collect();
                // A forfeit counts at its place in the Elo ratings, as in the paper.
                let elo = elo_after(&initial, &event.games, options.elo_k);
                (elo, pra_after(&initial, event.played()))
            }),
        };
        let mut uncertainties = uncertainty.players.into_iter();
        let players = 0..event.players.len();
        players.map(|player| columns.player(player, uncertainties.next())).collect::<Vec<_>>()
    };
    let (favourite, sweep_probability) = favourite(event, &tally, &ratings, &event.players);
    let weights = resistances.iter().zip(&tally.games);
    let strength = complete
        .then(|| strength(weights.filter_map(|(resistance, &games)| Some(((*resistance)?, games)))))
        .flatten();
    rank(&mut players);
    let inversions = inversions(&players);
    let strength_range = DrawRange::from_draws(&uncertainty.strength_draws);
    Analysis {
        rating_label: label(&event.rating_system, &origins),
        name: event.name.clone(),
        kind: event.kind,
        rating_system: event.rating_system.clone(),
        order: event.order(),
        policy: options.policy_for(event.kind),
        players,
        line: after.as_ref().map(|fit| fit.line.tested()),
        fit_test: test_of(after.as_ref()),
        before: BeforeCorrection::new(event, &tally, before.as_ref()),
        weak,
        number_two,
        number_two_origin: NumberTwoOrigin::from_rating(number_two),
        strength,
        strength_error: uncertainty.strength,
        strength_median: strength_range.map(|range| range.median),
        strength_low: strength_range.map(|range| range.low),
        strength_high: strength_range.map(|range| range.high),
        strength_draws: uncertainty.strength_draws,
        favourite,
        sweep_probability,
        inversions,
        steps,
    }
}

/// The computed values of all players, from which the analysis of each is assembled. All slices and
/// vectors are parallel to the players of the event.
struct PlayerColumns<'a> {
    event: &'a Event,
    /// Index of each player in the event as the caller gave it.
    original: &'a [usize],
    tally: &'a ScoreTotals,
    p_zeros: &'a [Option<f64>],
    /// Ratings used.
    ratings: &'a [Option<f64>],
    origins: &'a [RatingOrigin],
    /// The fit of the ratings found.
    before: Option<&'a Fit>,
    /// The fit of the ratings used.
    after: Option<&'a Fit>,
    /// Order spread of the P-Zeros; `None` if the order of the games is known.
    spread: Option<&'a [f64]>,
    resistances: &'a [Option<f64>],
    /// Mean resistance of each player's opponents, weighted by games.
    coefficients: Vec<Option<f64>>,
    /// Sample standard deviation of the P-Zeros.
    deviation: Option<f64>,
    /// Elo and PRA ratings (points) after the event; `None` if a player with games has no rating.
    after_event: Option<(Vec<f64>, Vec<f64>)>,
}

impl PlayerColumns<'_> {
    /// Assembles the analysis of one player. The rank is assigned later.
    fn player(&self, player: usize, uncertainty: Option<PlayerUncertainty>) -> PlayerAnalysis {
        let tally = self.tally;
        let games = tally.games[player];
        let p_zero = self.p_zeros[player];
        let residual = self.after.and_then(|fit| fit.residuals[player]);
        let coefficient = self.coefficients[player];
        let order_spread = self.spread.filter(|_| games > 0).map(|spread| spread[player]);
        let after_event = self.after_event.as_ref().filter(|_| self.ratings[player].is_some());
        PlayerAnalysis {
            rank: 0,
            last_rank: 0,
            is_place_open: false,
            points_rank: 0,
            index: self.original[player],
            name: self.event.players[player].name.clone(),
            initial_rating: self.ratings[player],
            rating_origin: self.origins[player],
            rating_found: self.event.players[player].initial_rating,
            games,
            points: tally.points[player],
            played_points: tally.played_points[player],
            main_games: tally.main_games[player],
            main_points: tally.main_points[player],
            play_off_points: tally.play_off_points[player],
            p_zero,
            z_score: p_zero.zip(self.deviation).map(|(p_zero, deviation)| p_zero / deviation),
            performance_rating: p_zero
                .zip(self.after)
                .map(|(p_zero, fit)| fit.line.performance(p_zero)),
            residual,
            spec: residual.map(Spec::from_residual),
            residual_before: self.before.and_then(|fit| fit.residuals[player]),
            elo_after: after_event.map(|(elo, _)| elo[player]),
            pra_after: after_event.map(|(_, pra)| pra[player]),
            g_score: p_zero.zip(coefficient).map(|(x, by)| g_score(x, games, by)),
            resistance: coefficient,
            own_resistance: self.resistances[player],
            stamina: stamina(games),
            order_spread,
            g_order_spread: order_spread.zip(coefficient).map(|(x, by)| g_score(x, games, by)),
            simulated: Simulated::new(uncertainty, games),
        }
    }
}

/// Returns the fit test of a fit. Without a fit, the test does not apply.
fn test_of(fit: Option<&Fit>) -> FitTest {
    fit.map_or_else(|| FitTest::from_residuals(&[]), |fit| fit.test)
}

/// Computes the mean resistance of each player's opponents, one entry per game. It is `None`
/// without games or if an opponent has no rating.
fn coefficients(
    event: &Event,
    tally: &ScoreTotals,
    resistances: &[Option<f64>],
) -> Vec<Option<f64>> {
    let mut sums: Vec<Option<f64>> =
        tally.games.iter().map(|&games| (games > 0).then_some(0.0)).collect();
    for game in event.played() {
        for (player, opponent) in [(game.white, game.black), (game.black, game.white)] {
            sums[player] = sums[player].zip(resistances[opponent]).map(|(sum, r)| sum + r);
        }
    }
    sums.iter().zip(&tally.games).map(|(sum, &games)| sum.map(|sum| sum / games as f64)).collect()
}

/// Computes the sample standard deviation (rating points; divisor n - 1) of the P-Zeros.
///
/// Returns `None` with fewer than two P-Zeros, or if all are equal.
fn sample_deviation(p_zeros: &[Option<f64>]) -> Option<f64> {
    let present: Vec<f64> = p_zeros.iter().flatten().copied().collect();
    if present.len() < 2 {
        return None;
    }
    let mean = present.iter().sum::<f64>() / present.len() as f64;
    let squares: f64 = present.iter().map(|x| (x - mean).powi(2)).sum();
    let deviation = (squares / (present.len() - 1) as f64).sqrt();
    (deviation > 1e-9).then_some(deviation)
}

/// Finds the favourite, the player with games who has the highest rating, and the product of the
/// favourite's expected scores. Among equal ratings, the player with the largest product is chosen.
///
/// Returns `None` twice if no player has a rating, or if an opponent of a candidate has none.
fn favourite(
    event: &Event,
    tally: &ScoreTotals,
    ratings: &[Option<f64>],
    players: &[super::event::Player],
) -> (Option<String>, Option<f64>) {
    let playing = (0..players.len()).filter(|&player| tally.games[player] > 0);
    let highest = playing.clone().filter_map(|player| ratings[player]).max_by(f64::total_cmp);
    let Some(highest) = highest else { return (None, None) };
    let mut best: Option<(f64, usize)> = None;
    for player in playing.filter(|&player| ratings[player] == Some(highest)) {
        let games = event.played().filter(|game| game.white == player || game.black == player);
        let sweep: Option<f64> = games
            .map(|game| {
                let opponent = if game.white == player { game.black } else { game.white };
                Some(expectation(highest - ratings[opponent]?))
            })
            .product();
        let Some(sweep) = sweep else { return (None, None) };
        if best.is_none_or(|(likeliest, _)| sweep > likeliest) {
            best = Some((sweep, player));
        }
    }
    match best {
        Some((sweep, player)) => (Some(players[player].name.clone()), Some(sweep)),
        None => (None, None),
    }
}

/// Sorts the players into the standings (see [`PlayerAnalysis::rank`]) and assigns ranks. A player
/// without games in the main event comes after others without points.
fn rank(players: &mut [PlayerAnalysis]) {
    players.sort_by(|a, b| {
        b.main_points
            .total_cmp(&a.main_points)
            .then((b.main_games > 0).cmp(&(a.main_games > 0)))
            .then(compare_figures(b.play_off_points, a.play_off_points))
            .then(compare_figures(b.performance_rating, a.performance_rating))
            .then(compare_figures(b.g_score, a.g_score))
            .then(a.name.cmp(&b.name))
    });
    for (index, player) in players.iter_mut().enumerate() {
        player.points_rank = index + 1;
    }
    let sharing = players.chunk_by(|a, b| {
        a.main_points == b.main_points
            && (a.main_games > 0) == (b.main_games > 0)
            && a.play_off_points == b.play_off_points
    });
    let sizes: Vec<usize> = sharing.map(<[PlayerAnalysis]>::len).collect();
    assign_ranks(players, &sizes);
}

/// Assigns ranks to players in the order of the standings. Each group of consecutive players, of
/// these sizes, shares a place.
fn assign_ranks(players: &mut [PlayerAnalysis], sizes: &[usize]) {
    let mut first = 0;
    for size in sizes {
        for player in &mut players[first..first + size] {
            (player.rank, player.last_rank) = (first + 1, first + size);
        }
        first += size;
    }
}

/// Compares two figures. A missing one is less than any number.
fn compare_figures(a: Option<f64>, b: Option<f64>) -> Ordering {
    a.unwrap_or(f64::NEG_INFINITY).total_cmp(&b.unwrap_or(f64::NEG_INFINITY))
}

/// Finds all pairs of players of whom the one with fewer points has the higher P-Zero. More than
/// [`LARGEST_FIELD`] players are not compared.
fn inversions(standings: &[PlayerAnalysis]) -> Vec<Inversion> {
    let mut inversions = Vec::new();
    if standings.len() > LARGEST_FIELD {
        return inversions;
    }
    for (place, ahead) in standings.iter().enumerate() {
        for (behind_place, behind) in standings.iter().enumerate().skip(place + 1) {
            let (Some(x), Some(y)) = (ahead.p_zero, behind.p_zero) else { continue };
            // A difference of a millionth of a rating point or less is a rounding error.
            if ahead.main_points > behind.main_points && y > x + 1e-6 {
                inversions
                    .push(Inversion { by_points: place as u32, by_p_zero: behind_place as u32 });
            }
        }
    }
    inversions
}

/// Returns the name of the rating system with a note: `(PRA-corrected)` if ratings were estimated,
/// `(PRA-adjusted)` if ratings were corrected but none was estimated.
fn label(system: &str, origins: &[RatingOrigin]) -> String {
    if origins.contains(&RatingOrigin::Filled) {
        format!("{system} (PRA-corrected)")
    } else if origins.contains(&RatingOrigin::Corrected) {
        format!("{system} (PRA-adjusted)")
    } else {
        system.to_owned()
    }
}
