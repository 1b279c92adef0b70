//! Tests the Tournament App as a library: properties of every event, cases with missing inputs, and
//! the policies.

use proptest::prelude::*;
use tournament_app::{
    Analysis, Event, EventPart, FitResult, Game, Kind, LARGEST_FIELD, Options, Player,
    PlayerAnalysis, PlayingOrder, Policy, RatingOrigin, Step, StepKind, analyse, text_input,
};

/// Makes an event with a known order from ratings (0: unknown) and games (White, Black, White's
/// half points).
fn event(ratings: &[f64], games: &[(usize, usize, u8)]) -> Event {
    Event {
        name: "Test".into(),
        kind: if ratings.len() == 2 { Kind::Match } else { Kind::RoundRobin },
        rating_system: "Elo".into(),
        players: ratings
            .iter()
            .enumerate()
            .map(|(index, rating)| {
                let name = format!("Player {}", (b'A' + index as u8) as char);
                Player::new(name, (*rating != 0.0).then_some(*rating))
            })
            .collect(),
        games: games
            .iter()
            .enumerate()
            .map(|(place, &(white, black, half))| {
                let mut game = Game::new(white, black, f64::from(half) / 2.0);
                game.sequence = Some(place as u32);
                game
            })
            .collect(),
        number_two: Some(2750.0),
    }
}

fn run(event: &Event) -> Analysis {
    analyse(event, &Options::default()).expect("the event is well formed")
}

fn with_policy(policy: Policy) -> Options {
    Options { policy, ..Options::default() }
}

/// Makes a round robin of several cycles. A function gives the results.
fn round_robin(
    players: usize,
    cycles: usize,
    half: impl Fn(usize, usize) -> u8,
) -> Vec<(usize, usize, u8)> {
    let mut games = Vec::new();
    for cycle in 0..cycles {
        for white in 0..players {
            for black in 0..white {
                games.push(if cycle % 2 == 0 {
                    (white, black, half(white, black))
                } else {
                    (black, white, 2 - half(white, black))
                });
            }
        }
    }
    games
}

/// Asserts that no figure of an analysis is NaN or infinite. JSON would write these as null, so the
/// numbers themselves are checked.
fn assert_finite(analysis: &Analysis) {
    for player in &analysis.players {
        for (name, value) in [
            ("initial rating", player.initial_rating),
            ("P-Zero", player.p_zero),
            ("z-score", player.z_score),
            ("performance rating", player.performance_rating),
            ("residual", player.residual),
            ("Elo after", player.elo_after),
            ("PRA after", player.pra_after),
            ("G", player.g_score),
            ("resistance", player.resistance),
            ("order spread", player.order_spread),
        ] {
            assert!(value.is_none_or(f64::is_finite), "{name} of {} is {value:?}", player.name);
        }
    }
    for (name, value) in [
        ("slope", analysis.line.map(|line| line.slope)),
        ("intercept", analysis.line.map(|line| line.intercept)),
        ("r", analysis.line.and_then(|line| line.r)),
        ("p-value", analysis.line.and_then(|line| line.p_value)),
        ("statistic", analysis.fit_test.statistic),
        ("constant low", analysis.fit_test.constant_low),
        ("constant high", analysis.fit_test.constant_high),
        ("strength", analysis.strength),
        ("sweep probability", analysis.sweep_probability),
    ] {
        assert!(value.is_none_or(f64::is_finite), "{name} is {value:?}");
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    (2usize..9)
        .prop_flat_map(|players| {
            (
                prop::collection::vec(
                    prop_oneof![4 => (2000u32..2800).prop_map(f64::from), 1 => Just(0.0)],
                    players,
                ),
                prop::collection::vec((0..players, 1..players, 0u8..3), 0..60),
            )
        })
        .prop_map(|(ratings, games)| {
            let players = ratings.len();
            let games: Vec<_> = games
                .into_iter()
                .map(|(white, step, half)| (white, (white + step) % players, half))
                .collect();
            event(&ratings, &games)
        })
}

proptest! {
    #[test]
    fn p_zeros_sum_to_zero(event in any_event()) {
        let sum: f64 = run(&event).players.iter().filter_map(|player| player.p_zero).sum();
        prop_assert!(sum.abs() < 1e-9);
    }

    #[test]
    fn all_figures_are_finite(event in any_event()) {
        for policy in [Policy::Correct, Policy::Rebuild, Policy::Keep] {
            assert_finite(&analyse(&event, &with_policy(policy)).unwrap());
        }
    }

    #[test]
    fn permuting_the_players_changes_no_figure(event in any_event(), turn in 1usize..8) {
        let players = event.players.len();
        let mut turned = event.clone();
        turned.players.rotate_left(turn % players);
        for game in &mut turned.games {
            for player in [&mut game.white, &mut game.black] {
                *player = (*player + players - turn % players) % players;
            }
        }
        let (a, b) = (run(&event), run(&turned));
        prop_assert_eq!(serde_json::to_string(&a).unwrap(), serde_json::to_string(&b).unwrap());
    }

    /// Whole constants only, because estimates and corrections are rounded to whole numbers.
    #[test]
    fn adding_a_constant_to_all_ratings_changes_no_g_score_and_no_statistic(
        event in any_event(),
        constant in -300i32..300,
    ) {
        let mut shifted = event.clone();
        let constant = f64::from(constant);
        for player in &mut shifted.players {
            player.initial_rating = player.initial_rating.map(|rating| rating + constant);
        }
        shifted.number_two = shifted.number_two.map(|rating| rating + constant);
        let (a, b) = (run(&event), run(&shifted));
        let close = |x: Option<f64>, y: Option<f64>| match (x, y) {
            (Some(x), Some(y)) => (x - y).abs() <= 1e-6 * x.abs().max(1.0),
            (x, y) => x.is_none() == y.is_none(),
        };
        // A value on the edge of rounding may fall to the other side. The shifted event is then a
        // different event.
        let edge = a.players.iter().zip(&b.players).any(|(a, b)| {
            !close(a.initial_rating.map(|rating| rating + constant), b.initial_rating)
        });
        prop_assume!(!edge);
        prop_assert!(close(a.strength, b.strength));
        prop_assert!(close(a.fit_test.statistic, b.fit_test.statistic));
        for (a, b) in a.players.iter().zip(&b.players) {
            prop_assert!(close(a.g_score, b.g_score), "{:?} {:?}", a.g_score, b.g_score);
            prop_assert!(close(a.residual, b.residual));
        }
    }

    /// With the estimated ratings given as input, all figures are the same.
    #[test]
    fn an_event_with_estimated_ratings_gives_the_figures_of_a_full_one(event in any_event()) {
        let filled = run(&event);
        prop_assume!(filled.players.iter().all(|player| player.initial_rating.is_some()));
        let mut full = event.clone();
        for player in &filled.players {
            full.players[player.index].initial_rating = player.initial_rating;
        }
        let full = analyse(&full, &with_policy(Policy::Keep)).unwrap();
        for (a, b) in filled.players.iter().zip(&full.players) {
            prop_assert_eq!(&a.name, &b.name);
            prop_assert_eq!(a.g_score, b.g_score);
            prop_assert_eq!(a.residual, b.residual);
            prop_assert_eq!(a.pra_after, b.pra_after);
        }
        prop_assert_eq!(filled.strength, full.strength);
        prop_assert_eq!(filled.fit_test, full.fit_test);
    }

    #[test]
    fn the_input_text_preserves_all_figures(event in any_event()) {
        let options = Options::default();
        let again = text_input::read(&text_input::write(&event, &options)).unwrap();
        prop_assert_eq!(&again.event, &event);
        prop_assert_eq!(again.options, options);
        prop_assert_eq!(
            serde_json::to_string(&run(&event)).unwrap(),
            serde_json::to_string(&run(&again.event)).unwrap()
        );
    }

    #[test]
    fn any_text_is_read_or_rejected_with_a_line(text in "(.{0,40}\\n){0,6}.{0,40}") {
        if let Err(error) = text_input::read(&text) {
            prop_assert!(error.line >= 1);
        }
    }
}

#[test]
fn two_players_have_a_line_but_no_test() {
    let analysis = run(&event(&[2700.0, 2600.0], &[(0, 1, 2), (1, 0, 1), (0, 1, 1), (1, 0, 0)]));
    assert_finite(&analysis);
    assert_eq!(analysis.fit_test.result, FitResult::NotApplicable);
    assert!(analysis.players.iter().all(|player| player.residual.unwrap().abs() < 1e-9));
    assert!(analysis.steps.contains(&Step::TwoPlayers));
}

#[test]
fn a_player_without_games_is_left_out() {
    let analysis = run(&event(&[2700.0, 2600.0, 2500.0, 2650.0], &round_robin(3, 2, |_, _| 1)));
    assert_finite(&analysis);
    let absent = analysis.players.iter().find(|player| player.name == "Player D").unwrap();
    assert_eq!((absent.games, absent.p_zero, absent.g_score), (0, None, None));
    assert_eq!(analysis.line.unwrap().n, 3);
    assert!(analysis.strength.is_some(), "his rating is not needed");
    assert!(analysis.steps.contains(&Step::WithoutGames { player: "Player D".into() }));
}

#[test]
fn equal_scores_give_a_flat_line_and_a_test() {
    let analysis = run(&event(&[2700.0, 2600.0, 2650.0, 2680.0], &round_robin(4, 1, |_, _| 1)));
    assert_finite(&analysis);
    assert!(analysis.players.iter().all(|player| player.p_zero == Some(0.0)));
    assert!(analysis.players.iter().all(|player| player.z_score.is_none()));
    let line = analysis.line.unwrap();
    assert_eq!((line.slope, line.intercept, line.r), (0.0, 2657.5, None));
    assert!(analysis.fit_test.statistic.is_some());
}

#[test]
fn one_known_rating_gives_p_zeros_only() {
    let analysis = run(&event(&[2700.0, 0.0, 0.0], &round_robin(3, 2, |a, b| (a > b).into())));
    assert_finite(&analysis);
    assert_eq!(analysis.line, None);
    assert!(analysis.weak);
    assert!(analysis.players.iter().all(|player| player.p_zero.is_some()));
    assert!(analysis.players.iter().all(|player| player.g_score.is_none()));
    assert!(analysis.steps.iter().any(|step| step.kind() == StepKind::NoLine));
}

#[test]
fn a_line_that_is_too_steep_gives_no_ratings() {
    // A and B play only each other and hardly differ; C is far from both.
    let mut event =
        event(&[2000.0, 2790.0, 0.0, 0.0], &[(0, 1, 1), (1, 0, 1), (2, 3, 2), (2, 3, 2)]);
    event.games[0].white_score = 0.500_001;
    let analysis = run(&event);
    assert_finite(&analysis);
    assert!(analysis.weak);
    assert!(analysis.players.iter().all(|player| player.rating_origin != RatingOrigin::Filled));
    assert!(analysis.steps.iter().any(Step::is_of_steep_line));
}

#[test]
fn equal_ratings_fit_unusually_closely() {
    let analysis = run(&event(&[2600.0; 4], &round_robin(4, 2, |a, b| (a > b).into())));
    assert_finite(&analysis);
    assert_eq!(analysis.fit_test.statistic, Some(0.0));
    assert_eq!(analysis.fit_test.result, FitResult::TooClose);
    assert_eq!(analysis.line.unwrap().r, None);
}

#[test]
fn an_event_without_games_is_valid() {
    let analysis = run(&event(&[2600.0, 2500.0, 2550.0], &[]));
    assert_finite(&analysis);
    assert_eq!(analysis.line, None);
    assert_eq!(analysis.strength, None);
}

#[test]
fn without_a_number_two_there_is_no_strength_or_g_score_and_a_step_says_so() {
    let mut event = event(&[2700.0, 2600.0, 2650.0], &round_robin(3, 2, |_, _| 1));
    event.number_two = None;
    let analysis = run(&event);
    assert_eq!((analysis.number_two, analysis.strength), (None, None));
    assert!(analysis.players.iter().all(|player| player.g_score.is_none()));
    assert!(analysis.steps.contains(&Step::NumberTwoUnknown));
}

#[test]
fn a_line_gives_no_ratings_far_outside_the_known_ones() {
    // Six players are rated within 50 points of each other. The seventh loses all games, the eighth
    // wins all.
    let winner = |white: usize, black: usize| match (white, black) {
        (7, _) | (_, 6) => 2,
        (_, 7) | (6, _) => 0,
        _ => 1,
    };
    let mut close = event(
        &[2600.0, 2610.0, 2620.0, 2630.0, 2640.0, 2650.0, 2000.0, 2900.0],
        &round_robin(8, 2, winner),
    );
    for player in [6, 7] {
        close.players[player].initial_rating = None;
    }
    let analysis = run(&close);
    let lowest = 2600.0 - 200.0;
    let highest = 2650.0 + 200.0;
    let within = analysis
        .players
        .iter()
        .filter_map(|player| player.initial_rating)
        .all(|rating| (lowest..=highest).contains(&rating));
    assert!(within);
    let beyond = |player: &PlayerAnalysis| player.rating_origin == RatingOrigin::Missing;
    assert_eq!(analysis.players.iter().filter(|player| beyond(player)).count() > 0, analysis.weak);
}

#[test]
fn ranks_follow_the_main_event_and_a_play_off_only_breaks_ties() {
    // A and B share first place before C. B beats A in the play-off, which does not add to his
    // points.
    let mut event =
        event(&[2600.0, 2590.0, 2580.0], &[(0, 1, 1), (0, 2, 2), (1, 2, 2), (0, 1, 0), (1, 0, 2)]);
    for game in &mut event.games[3..] {
        game.part = EventPart::PlayOff;
    }
    let analysis = run(&event);
    let places: Vec<(&str, f64, f64)> = analysis
        .players
        .iter()
        .map(|player| (player.name.as_str(), player.main_points, player.points))
        .collect();
    assert_eq!(places, [("Player B", 1.5, 3.5), ("Player A", 1.5, 1.5), ("Player C", 0.0, 0.0)]);
    assert_eq!(analysis.players[0].play_off_points, Some(2.0));
    // P-Zero and G count all games.
    assert_eq!(analysis.players[0].games, 4);
    let text = text_input::write(&event, &Options::default());
    assert_eq!(
        text_input::read(&text).expect("it reads back").event.games[4].part,
        EventPart::PlayOff
    );
}

/// Makes eight players with ratings in the order of their results, except that the last is rated
/// like the first.
fn misfit() -> Event {
    let ratings = [2400.0, 2430.0, 2460.0, 2490.0, 2520.0, 2550.0, 2580.0, 2900.0];
    // Player H, rated 2900, loses all games. Among the others the higher rated player wins.
    let games =
        round_robin(8, 1, |white, black| if white == 7 { 0 } else { 2 * u8::from(white > black) });
    // H is not one of the world's two best, whose ratings no line lowers below the number two.
    Event { number_two: Some(2950.0), ..event(&ratings, &games) }
}

#[test]
fn the_default_policy_corrects_ratings_out_of_spec_once() {
    let analysis = run(&misfit());
    assert_eq!(analysis.before.fit_test.result, FitResult::Failed);
    let moved: Vec<&str> = analysis
        .players
        .iter()
        .filter(|player| player.rating_origin == RatingOrigin::Corrected)
        .map(|player| player.name.as_str())
        .collect();
    assert!(moved.contains(&"Player H"), "{moved:?}");
    for player in &analysis.players {
        let out = player.residual_before.unwrap().abs() > 100.0;
        assert_eq!(player.rating_origin == RatingOrigin::Corrected, out, "{}", player.name);
        let rating = player.initial_rating.unwrap();
        assert!(!out || rating == rating.round(), "corrected to a whole number");
    }
    assert_eq!(analysis.rating_label, "Elo (PRA-adjusted)");
}

#[test]
fn rebuilding_deletes_ratings_and_estimates_them_again() {
    let analysis = analyse(&misfit(), &with_policy(Policy::Rebuild)).unwrap();
    let h = analysis.players.iter().find(|player| player.name == "Player H").unwrap();
    assert_eq!(h.rating_origin, RatingOrigin::Filled);
    assert!(h.initial_rating.unwrap() < 2500.0, "{:?}", h.initial_rating);
    assert_ne!(analysis.fit_test.result, FitResult::Failed);
    assert_eq!(analysis.rating_label, "Elo (PRA-corrected)");
}

#[test]
fn keeping_changes_no_rating_and_records_the_failure() {
    let analysis = analyse(&misfit(), &with_policy(Policy::Keep)).unwrap();
    assert_eq!(analysis.fit_test.result, FitResult::Failed);
    assert!(analysis.players.iter().all(|player| player.rating_origin == RatingOrigin::Given));
    assert_eq!(analysis.rating_label, "Elo");
}

#[test]
fn a_knock_out_keeps_its_ratings_by_default() {
    let mut event = misfit();
    event.kind = Kind::KnockOut;
    assert_eq!(run(&event).policy, Policy::Keep);
    assert!(run(&event).players.iter().all(|p| p.rating_origin == RatingOrigin::Given));
}

#[test]
fn with_the_option_ratings_under_pressure_are_corrected_too() {
    let options = Options { move_pressure: true, ..Options::default() };
    let (plain, with_switch) = (run(&misfit()), analyse(&misfit(), &options).unwrap());
    let corrected = |analysis: &Analysis| {
        analysis.players.iter().filter(|p| p.rating_origin == RatingOrigin::Corrected).count()
    };
    let pressed = plain
        .players
        .iter()
        .filter(|p| (75.0..=100.0).contains(&p.residual_before.unwrap().abs()))
        .count();
    assert_eq!(corrected(&with_switch), corrected(&plain) + pressed);
    assert!(pressed > 0, "the case must contain ratings under pressure");
}

#[test]
fn fewer_than_six_games_are_too_few_for_a_correction() {
    let ratings = [2400.0, 2900.0, 2500.0, 2600.0];
    let analysis = run(&event(&ratings, &round_robin(4, 1, |a, b| 2 * u8::from(a > b))));
    assert_eq!(analysis.fit_test.result, FitResult::Failed);
    assert!(analysis.players.iter().all(|player| player.rating_origin == RatingOrigin::Given));
    assert!(analysis.steps.iter().any(|step| matches!(step, Step::TooFewGames { games: 3, .. })));
}

#[test]
fn a_forfeit_counts_for_points_but_not_as_a_game() {
    let mut event = event(&[2785.0, 2660.0], &[(0, 1, 0), (0, 1, 0), (0, 1, 2), (1, 0, 1)]);
    event.games[1].played = false;
    let analysis = run(&event);
    let a = analysis.players.iter().find(|player| player.name == "Player A").unwrap();
    assert_eq!((a.games, a.points), (3, 1.5));
    assert_eq!(a.stamina, 1.15);
}

#[test]
fn a_decided_rating_is_neither_corrected_nor_left_out() {
    let mut event = misfit();
    event.players[7].decided = Some("The list is right.".into());
    for policy in [Policy::Correct, Policy::Rebuild] {
        let analysis = analyse(&event, &with_policy(policy)).unwrap();
        let h = analysis.players.iter().find(|player| player.name == "Player H").unwrap();
        assert_eq!((h.initial_rating, h.rating_origin), (Some(2900.0), RatingOrigin::Decided));
    }
    event.players[0].initial_rating = None;
    let analysis = run(&event);
    let h = analysis.players.iter().find(|player| player.name == "Player H").unwrap();
    assert_eq!((h.initial_rating, h.rating_origin), (Some(2900.0), RatingOrigin::Decided));
}

#[test]
fn ratings_out_of_range_are_rejected() {
    for rating in [1e308, f64::NAN, f64::INFINITY, -1e6] {
        let event = event(&[rating, 2500.0, 2600.0], &round_robin(3, 1, |_, _| 1));
        assert!(analyse(&event, &Options::default()).is_err(), "{rating}");
    }
}

#[test]
fn an_inversion_is_found_where_players_met_different_fields() {
    // A beats two players who lose all games. B draws with the strong C and beats D.
    let games = [
        (0, 4, 2),
        (0, 5, 2),
        (0, 4, 2),
        (1, 2, 1),
        (1, 3, 2),
        (2, 3, 2),
        (2, 4, 2),
        (3, 5, 2),
        (2, 5, 2),
        (3, 4, 2),
        (1, 2, 1),
    ];
    let analysis = run(&event(&[0.0; 6], &games));
    for inversion in &analysis.inversions {
        let of = |place: u32| &analysis.players[place as usize];
        let (points, p_zero) = (of(inversion.by_points), of(inversion.by_p_zero));
        assert!(points.points > p_zero.points && points.p_zero < p_zero.p_zero);
    }
    assert!(!analysis.inversions.is_empty());
}

#[test]
fn ties_in_points_are_broken_by_performance() {
    // B and C have a point each. C lost to a leader and beat a new opponent; B lost and beat a
    // player with losses.
    let games = [(0, 1, 2), (0, 2, 2), (2, 3, 2), (1, 3, 2)];
    let analysis = run(&event(&[2600.0, 2500.0, 2550.0, 2450.0], &games));
    let names: Vec<&str> = analysis.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Player A", "Player C", "Player B", "Player D"]);
    assert_eq!(analysis.players[1].points, analysis.players[2].points);
    assert!(analysis.players[1].performance_rating > analysis.players[2].performance_rating);
}

#[test]
fn an_unknown_order_has_a_spread_and_a_known_one_has_none() {
    let mut event = event(
        &[2600.0, 2500.0, 2550.0, 2450.0],
        &round_robin(4, 4, |a, b| ((a + 2 * b) % 3) as u8),
    );
    assert!(run(&event).players.iter().all(|player| player.order_spread.is_none()));
    for game in &mut event.games {
        game.sequence = None;
    }
    let analysis = run(&event);
    assert_eq!(analysis.order, PlayingOrder::Unknown);
    assert!(analysis.players.iter().all(|player| player.order_spread.is_some()));
    event.games[0].sequence = Some(1);
    assert_eq!(run(&event).order, PlayingOrder::Partial);
}

#[test]
fn a_field_that_no_tournament_has_is_not_compared_pair_by_pair() {
    // Each player meets the next, and every second one draws with four others and so has more
    // games. The ratings fit nothing, and every tenth player is unrated.
    let of_size = |players: usize| {
        let chain = (1..players).map(|player| (player - 1, player, (player % 3) as u8));
        let more = (4..players).step_by(2);
        let more = more.flat_map(|player| [(player, player - 2, 1), (player - 4, player, 1)]);
        let games: Vec<(usize, usize, u8)> = chain.chain(more).collect();
        let rating = |player: usize| match player % 10 {
            0 => None,
            _ => Some(1500.0 + (player * 7919 % 1000) as f64),
        };
        let mut event = event(&[], &[]);
        event.kind = Kind::Other;
        event.players = (0..players)
            .map(|player| Player::new(format!("{player:05}"), rating(player)))
            .collect();
        event.games = games
            .iter()
            .map(|&(white, black, half)| Game::new(white, black, f64::from(half) / 2.0))
            .collect();
        run(&event)
    };
    let omits = |analysis: &Analysis| {
        analysis.steps.iter().any(|step| matches!(step, Step::Omitted { .. }))
    };
    let tournament = of_size(200);
    assert!(omits(&tournament) && !tournament.inversions.is_empty());
    assert!(tournament.players[0].order_spread.is_some());
    let server = of_size(LARGEST_FIELD + 1);
    assert!(!omits(&server) && server.inversions.is_empty());
    assert!(server.players[0].order_spread.is_none() && server.players[0].p_zero.is_some());
}
