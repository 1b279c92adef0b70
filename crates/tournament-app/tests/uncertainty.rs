//! Tests the standard errors on simulated tournaments whose true figures are known.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;
use statrs::distribution::{ContinuousCDF, Normal};
use tournament_app::{
    Analysis, Event, Game, Kind, Options, Player, PlayerAnalysis, StandardError, StandardErrors,
    analyse, analyse_with_errors,
};

/// Parameters of simulated tournaments whose players have true ratings.
#[derive(Clone, Copy)]
struct SimulatedWorld {
    players: usize,
    /// Number of games of each pair.
    cycles: usize,
    /// Standard deviation of true ratings in a tournament (points).
    spread: f64,
    /// Standard error of the ratings found and of the number two's rating (points).
    error: f64,
    /// Part of the players without a rating, in `[0, 1]`, and whether they are mostly the weaker
    /// ones.
    missing: f64,
    are_weaker: bool,
    /// Whether the order of the games is known.
    is_ordered: bool,
    /// Whether the number two is the second of ten leaders with listed ratings.
    has_leaders: bool,
}

/// The rating of the world number two in every simulation.
const NUMBER_TWO: f64 = 2700.0;

/// The true rating of a leader. As on top lists, the differences decrease further down.
fn leader(place: usize) -> f64 {
    NUMBER_TWO + [60.0, 0.0, -12.0, -22.0, -30.0, -38.0, -45.0, -51.0, -57.0, -62.0][place]
}

fn normal(random: &mut Pcg64Mcg) -> f64 {
    Normal::standard().inverse_cdf(random.random_range(1e-12..1.0))
}

/// Simulates a tournament: with its true ratings, and as it is known.
fn tournament(world: SimulatedWorld, random: &mut Pcg64Mcg) -> (Event, Event, StandardErrors) {
    let level = 2500.0 + 60.0 * normal(random);
    let true_ratings: Vec<f64> =
        (0..world.players).map(|_| level + world.spread * normal(random)).collect();
    let mut games = Vec::new();
    for cycle in 0..world.cycles {
        for a in 0..world.players {
            for b in 0..a {
                let (white, black) = if (a + b + cycle) % 2 == 0 { (a, b) } else { (b, a) };
                let difference = true_ratings[white] - true_ratings[black] + 30.0;
                let expected = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
                let drawn = 2.0 * 0.5 * expected.min(1.0 - expected);
                let luck = random.random::<f64>();
                let score = if luck < expected - drawn / 2.0 {
                    1.0
                } else if luck < expected + drawn / 2.0 {
                    0.5
                } else {
                    0.0
                };
                games.push(Game::new(white, black, score));
            }
        }
    }
    games.shuffle(random);
    let event = |ratings: &[Option<f64>], number_two: f64, games: Vec<Game>| Event {
        name: "Test".into(),
        kind: if world.players == 2 { Kind::Match } else { Kind::RoundRobin },
        rating_system: "Elo".into(),
        players: ratings
            .iter()
            .enumerate()
            .map(|(index, rating)| Player::new(format!("Player {index:02}"), *rating))
            .collect(),
        games,
        number_two: Some(number_two),
    };
    let mut played = games.clone();
    for (place, game) in played.iter_mut().enumerate() {
        game.sequence = Some(place as u32);
    }
    let all: Vec<Option<f64>> = true_ratings.iter().copied().map(Some).collect();
    let truth = event(&all, NUMBER_TWO, played.clone());
    let found: Vec<Option<f64>> = true_ratings
        .iter()
        .map(|rating| {
            let chance = if !world.are_weaker {
                world.missing
            } else if *rating > level {
                world.missing / 3.0
            } else {
                f64::min(world.missing * 5.0 / 3.0, 1.0)
            };
            let listed = rating + world.error * normal(random);
            (random.random::<f64>() >= chance).then_some(listed)
        })
        .collect();
    let mut listed: Vec<f64> = (0..if world.has_leaders { 10 } else { 0 })
        .map(|place| leader(place) + world.error * normal(random))
        .collect();
    listed.sort_by(|a, b| b.total_cmp(a));
    let number_two =
        listed.get(1).copied().unwrap_or_else(|| NUMBER_TWO + world.error * normal(random));
    let known = if world.is_ordered {
        played
    } else {
        // In random order, as in a collection.
        games.shuffle(random);
        games
    };
    let error = |seed: u64| StandardError { points: world.error, seed };
    let errors = StandardErrors {
        ratings: (0..world.players).map(|_| error(random.random())).collect(),
        best: listed.iter().map(|rating| (*rating, error(random.random()))).collect(),
        number_two: if world.has_leaders {
            StandardError::default()
        } else {
            error(random.random())
        },
        seed: random.random(),
    };
    (truth, event(&found, number_two, known), errors)
}

/// Counts how often the true figure is within one and 1.96 standard errors.
#[derive(Clone, Copy, Default)]
struct Coverage {
    one: usize,
    two: usize,
    all: usize,
    /// Sum of squared differences divided by squared standard errors.
    squares: f64,
}

impl Coverage {
    fn add(&mut self, published: Option<f64>, error: Option<f64>, truth: Option<f64>) {
        let (Some(published), Some(error), Some(truth)) = (published, error, truth) else { return };
        let away = (truth - published).abs();
        self.one += usize::from(away <= error);
        self.two += usize::from(away <= 1.96 * error);
        self.all += 1;
        self.squares += (away / error).powi(2);
    }

    fn shares(&self) -> (f64, f64) {
        (self.one as f64 / self.all as f64, self.two as f64 / self.all as f64)
    }
}

/// The coverage of G-scores, strengths and performance ratings in simulated tournaments.
fn coverage(world: SimulatedWorld, tournaments: usize) -> [Coverage; 3] {
    let mut random = Pcg64Mcg::seed_from_u64(391);
    let mut coverage = [Coverage::default(); 3];
    for _ in 0..tournaments {
        let (truth, known, errors) = tournament(world, &mut random);
        // True ratings are not corrected.
        let keep = Options { policy: tournament_app::Policy::Keep, ..Options::default() };
        let truth = analyse(&truth, &keep).expect("well formed");
        let known =
            analyse_with_errors(&known, &Options::default(), Some(&errors)).expect("well formed");
        coverage[1].add(known.strength, known.strength_error, truth.strength);
        let of = |analysis: &Analysis, index: usize| {
            let found = analysis.players.iter().find(|player| player.index == index);
            found.expect("everybody is there").clone()
        };
        for player in &known.players {
            let true_player = of(&truth, player.index);
            coverage[0].add(player.g_score, player.simulated.g_error, true_player.g_score);
            coverage[2].add(
                player.performance_rating,
                player.simulated.performance_error,
                true_player.performance_rating,
            );
        }
    }
    coverage
}

const WORLD: SimulatedWorld = SimulatedWorld {
    players: 12,
    cycles: 1,
    spread: 110.0,
    error: 30.0,
    missing: 0.0,
    are_weaker: false,
    is_ordered: false,
    has_leaders: false,
};

/// Prints the coverage, and fails if G-scores or strengths are not covered as often as they should
/// be.
fn assert_coverage(world: SimulatedWorld, tournaments: usize) {
    let found = coverage(world, tournaments);
    for (figure, coverage) in ["G", "strength", "performance"].into_iter().zip(found) {
        let ((one, two), all) = (coverage.shares(), coverage.all);
        let mean_square = coverage.squares / all as f64;
        println!("{figure}: {one:.3} and {two:.3} of {all}; mean square {mean_square:.2}");
        // The G-scores of one event are correlated. One event gives a single strength but a dozen
        // G-scores.
        let tolerance = if figure == "G" { 0.03 } else { 0.05 };
        if figure == "performance" {
            // Too wide if all players are rated, too narrow for unrated players; never by more than
            // this.
            assert!((0.60..0.82).contains(&one) && two > 0.88, "{figure}: {one} {two}");
        } else {
            assert!((one - 0.683).abs() < tolerance, "{figure}: {one} within one standard error");
            assert!((two - 0.95).abs() < tolerance, "{figure}: {two} within 1.96");
        }
    }
}

#[test]
fn standard_errors_are_correct_if_all_are_rated_and_the_order_is_known() {
    assert_coverage(SimulatedWorld { is_ordered: true, ..WORLD }, 300);
}

#[test]
fn standard_errors_are_correct_if_the_order_is_unknown() {
    assert_coverage(WORLD, 300);
}

#[test]
fn standard_errors_are_nearly_correct_if_the_number_two_is_from_a_list() {
    // The second player on a list is more likely overrated than underrated, which biases all
    // figures of an event in one direction. The standard errors include most of that.
    let [of_g, of_strength, _] = coverage(SimulatedWorld { has_leaders: true, ..WORLD }, 300);
    for coverage in [of_g, of_strength] {
        let (one, two) = coverage.shares();
        println!("{one:.3} and {two:.3} of {}", coverage.all);
        assert!((0.59..0.75).contains(&one) && two > 0.91, "{one} {two}");
    }
}

#[test]
fn standard_errors_of_matches_are_correct() {
    assert_coverage(SimulatedWorld { players: 2, cycles: 12, ..WORLD }, 1500);
}

#[test]
fn standard_errors_are_correct_with_two_in_five_ratings_estimated() {
    assert_coverage(SimulatedWorld { missing: 0.4, ..WORLD }, 300);
}

#[test]
fn standard_errors_are_correct_in_large_fields_with_half_unrated() {
    assert_coverage(SimulatedWorld { players: 20, missing: 0.5, ..WORLD }, 150);
}

#[test]
fn standard_errors_are_correct_for_poor_ratings() {
    assert_coverage(SimulatedWorld { error: 60.0, missing: 0.3, ..WORLD }, 300);
}

#[test]
fn standard_errors_cover_most_of_the_bias_if_the_weaker_are_unrated() {
    let [of_g, ..] = coverage(SimulatedWorld { missing: 0.5, are_weaker: true, ..WORLD }, 300);
    let (one, two) = of_g.shares();
    println!("G: {one:.3} and {two:.3}");
    // The standard errors cannot include all of what the line cannot see. Without the selection
    // model these numbers would be 0.58 and 0.90.
    assert!(one > 0.60 && two > 0.91, "{one} {two}");
}

/// A tournament with unrated players whose order of games is unknown.
fn some_tournament() -> (Event, StandardErrors) {
    let world = SimulatedWorld { missing: 0.3, ..WORLD };
    let (_, known, errors) = tournament(world, &mut Pcg64Mcg::seed_from_u64(1898));
    (known, errors)
}

fn analysed(event: &Event, errors: &StandardErrors) -> Analysis {
    analyse_with_errors(event, &Options::default(), Some(errors)).expect("well formed")
}

#[test]
fn without_standard_errors_the_figures_are_the_same() {
    let (event, errors) = some_tournament();
    let without = analyse(&event, &Options::default()).expect("well formed");
    let with = analysed(&event, &errors);
    for (one, other) in without.players.iter().zip(&with.players) {
        assert_eq!((&one.name, one.g_score), (&other.name, other.g_score));
        assert!(one.simulated.g_error.is_none() && other.simulated.g_error.is_some());
        assert!(one.simulated.g_draws.is_empty());
    }
    assert!(without.strength_error.is_none() && with.strength_error.is_some());
}

#[test]
fn the_squares_of_the_components_and_of_the_bias_add_up_to_that_of_the_total() {
    let (event, errors) = some_tournament();
    for player in analysed(&event, &errors).players {
        let [total, ratings, order, bias] = [
            player.simulated.g_error,
            player.simulated.g_error_ratings,
            player.simulated.g_error_order,
            player.simulated.g_bias,
        ]
        .map(Option::unwrap);
        assert!(ratings > 0.0 && order > 0.0 && ratings < total && order < total);
        let sum = f64::hypot(bias, f64::hypot(ratings, order));
        assert!((total - sum).abs() < 1e-6 * sum, "{total} of {ratings}, {order} and {bias}");
    }
}

#[test]
fn the_bias_is_the_mean_of_the_draws_and_the_range_has_nine_tenths_of_them() {
    let (event, errors) = some_tournament();
    for player in analysed(&event, &errors).players {
        let draws: Vec<f64> =
            player.simulated.g_draws.iter().map(|draw| f64::from(*draw)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let bias = player.simulated.g_bias.unwrap();
        assert!((mean - player.g_score.unwrap() - bias).abs() < 1e-3, "{mean}: {bias}");
        let [low, median, high] =
            [player.simulated.g_low, player.simulated.g_median, player.simulated.g_high]
                .map(Option::unwrap);
        let share = |is: &dyn Fn(f64) -> bool| {
            draws.iter().filter(|draw| is(**draw)).count() as f64 / draws.len() as f64
        };
        assert!((share(&|draw| low <= draw && draw <= high) - 0.9).abs() < 0.011);
        assert!((share(&|draw| draw < median) - 0.5).abs() < 0.011);
    }
}

#[test]
fn figures_are_too_low_if_the_number_two_is_probably_overrated() {
    let (event, mut errors) = some_tournament();
    let error = |seed: u64| StandardError { points: 40.0, seed };
    // Many near equals: the second of the list was probably lucky.
    errors.best = (0..10).map(|place| (2720.0 - f64::from(place), error(place as u64))).collect();
    let analysis = analysed(&event, &errors);
    let best = &analysis.players[0];
    assert!(best.g_score.unwrap() > 0.0 && best.simulated.g_bias_number_two.unwrap() > 0.0);
    let worst = analysis.players.last().unwrap();
    assert!(worst.g_score.unwrap() < 0.0 && worst.simulated.g_bias_number_two.unwrap() < 0.0);
}

#[test]
fn exact_inputs_give_no_error() {
    let mut random = Pcg64Mcg::seed_from_u64(1972);
    let world = SimulatedWorld { error: 0.0, is_ordered: true, ..WORLD };
    let (_, known, errors) = tournament(world, &mut random);
    let analysis = analyse_with_errors(
        &known,
        &Options { policy: tournament_app::Policy::Keep, ..Options::default() },
        Some(&errors),
    );
    for player in analysis.expect("well formed").players {
        assert!(
            player.simulated.g_error.is_some_and(|error| error < 1e-4),
            "{:?}",
            player.simulated.g_error
        );
        assert_eq!(
            (player.simulated.p_zero_error, player.simulated.g_error_order),
            (Some(0.0), Some(0.0))
        );
    }
}

#[test]
fn the_errors_do_not_depend_on_the_order_of_the_players() {
    let (event, errors) = some_tournament();
    let places: Vec<usize> = (0..event.players.len()).rev().collect();
    let mut turned = event.clone();
    turned.players.reverse();
    for game in &mut turned.games {
        (game.white, game.black) = (places[game.white], places[game.black]);
    }
    let mut of_turned = errors.clone();
    of_turned.ratings.reverse();
    let (one, other) = (analysed(&event, &errors), analysed(&turned, &of_turned));
    let figures = |analysis: &Analysis| -> Vec<(String, Option<f64>, Vec<f32>)> {
        let of = |player: &PlayerAnalysis| {
            (player.name.clone(), player.simulated.g_error, player.simulated.g_draws.clone())
        };
        analysis.players.iter().map(of).collect()
    };
    assert_eq!(figures(&one), figures(&other));
}

#[test]
fn the_number_two_has_a_resistance_of_one_in_every_simulation() {
    let mut event = Event {
        name: "Match".into(),
        kind: Kind::Match,
        rating_system: "Elo".into(),
        players: vec![Player::new("Champion", Some(2780.0)), Player::new("Second", Some(2700.0))],
        games: vec![Game::new(0, 1, 1.0); 8],
        number_two: Some(2700.0),
    };
    for (place, game) in event.games.iter_mut().enumerate() {
        game.sequence = Some(place as u32);
    }
    let error = |seed: u64| StandardError { points: 40.0, seed };
    let errors = StandardErrors {
        ratings: vec![error(1), error(2)],
        best: Vec::new(),
        number_two: error(2),
        seed: 0,
    };
    let champion = &analysed(&event, &errors).players[0];
    assert!(
        champion.simulated.g_error.is_some_and(|error| error < 1e-4),
        "{:?}",
        champion.simulated.g_error
    );
    let other = StandardErrors { number_two: error(3), ..errors };
    assert!(analysed(&event, &other).players[0].simulated.g_error.is_some_and(|error| error > 1.0));
}

#[test]
fn invalid_standard_errors_are_rejected() {
    let (event, errors) = some_tournament();
    let mut negative = errors.clone();
    negative.ratings[0].points = -1.0;
    let mut few = errors;
    few.ratings.pop();
    for wrong in [negative, few] {
        assert!(analyse_with_errors(&event, &Options::default(), Some(&wrong)).is_err());
    }
}

#[test]
fn the_second_of_many_is_more_certain_than_any_one_of_them() {
    let (event, mut errors) = some_tournament();
    for error in &mut errors.ratings {
        error.points = 0.0;
    }
    let error = |seed: u64| StandardError { points: 40.0, seed };
    let strength_error = |best: usize| {
        let errors = StandardErrors {
            best: (0..best as u64)
                .map(|place| (2720.0 - 10.0 * place as f64, error(place)))
                .collect(),
            number_two: if best == 0 { error(99) } else { StandardError::default() },
            ..errors.clone()
        };
        let keep = Options { policy: tournament_app::Policy::Keep, ..Options::default() };
        let mut full = event.clone();
        for player in &mut full.players {
            player.initial_rating = player.initial_rating.or(Some(2400.0));
        }
        analyse_with_errors(&full, &keep, Some(&errors)).expect("well formed").strength_error
    };
    let (alone, of_ten) = (strength_error(0).unwrap(), strength_error(10).unwrap());
    assert!(of_ten < 0.7 * alone && of_ten > 0.2 * alone, "{of_ten} of ten, {alone} alone");
}
