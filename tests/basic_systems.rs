//! Basic systems on results that are small, one-sided, apart or empty.

use greatness::evaluation::comparison::{compare_systems, compute, draw_rates};
use greatness::systems::{
    Overrides, RatedGame, RatedPlayer, Results, Role, System, SystemRatings, Value,
};
use jiff::civil::date;
use proptest::prelude::*;

/// All basic systems and orders, with their defaults and, where they have a prior, without it.
/// Every player with a game is listed.
fn systems() -> Vec<(String, Box<dyn greatness::systems::RatingSystem>)> {
    let mut found = Vec::new();
    for system in System::all() {
        if !matches!(system.about.role, Role::Basic | Role::Order) {
            continue;
        }
        let keys: Vec<&str> = system.parameters().iter().map(|one| one.key).collect();
        let mut overrides = Overrides::new();
        if keys.contains(&"games") {
            overrides.insert("games".into(), Value::Whole(1));
        }
        found.push((system.about.word.to_owned(), system.with(&overrides).unwrap()));
        if keys.contains(&"prior") {
            overrides.insert("prior".into(), Value::Number(0.0));
            found.push((
                format!("{}, prior 0", system.about.word),
                system.with(&overrides).unwrap(),
            ));
        }
    }
    assert!(found.len() > 10);
    found
}

fn results(players: usize, games: Vec<(u32, u32, f64, i16)>) -> Results {
    let mut games: Vec<RatedGame> = games
        .into_iter()
        .map(|(white, black, score, year)| RatedGame {
            white,
            black,
            score,
            day: date(year, 5, 1),
            event: (year - 1960) as u32,
        })
        .collect();
    games.sort_by_key(|game| game.event);
    Results { players: vec![RatedPlayer::default(); players], games, ..Results::default() }
}

fn ratings(found: &SystemRatings) -> Vec<f64> {
    found.lists.iter().flat_map(|list| &list.ratings).map(|line| line.rating).collect()
}

#[test]
fn where_nobody_played_there_are_no_lists() {
    for (name, system) in systems() {
        assert_eq!(system.rate(&Results::default()).lists, [], "{name}");
        assert_eq!(system.rate(&results(5, Vec::new())).lists, [], "{name}");
    }
}

#[test]
fn where_all_is_drawn_all_are_equal_and_share_a_rank() {
    let mut games = Vec::new();
    for round in 0..4 {
        for one in 0..5 {
            games.extend((one + 1..5).map(|other| (one, other, 0.5, 1960 + round)));
        }
    }
    // Progressive ratings grow with each game, drawn or not, so a later game is against a higher
    // rating.
    for (name, system) in systems().iter().filter(|(name, _)| name != "progressive") {
        let found = system.rate(&results(5, games.clone()));
        let list = found.lists.last().unwrap();
        let first = list.ratings[0].rating;
        assert!(
            list.ratings.iter().all(|line| (line.rating - first).abs() < 1e-6),
            "{name} {list:?}"
        );
        assert_eq!(list.ranks(), [1; 5], "{name} {list:?}");
    }
}

#[test]
fn who_won_or_lost_everything_is_outside_where_there_is_no_prior_and_counted() {
    // 0 beat all; 4 lost to all; 1, 2 and 3 beat each other in a circle.
    let games = vec![
        (0, 1, 1.0, 1960),
        (0, 2, 1.0, 1960),
        (0, 4, 1.0, 1960),
        (1, 2, 1.0, 1960),
        (2, 3, 1.0, 1960),
        (3, 1, 1.0, 1960),
        (1, 4, 1.0, 1960),
        (3, 4, 1.0, 1960),
    ];
    for word in ["ratio", "berkin", "bradley-terry", "linear"] {
        let overrides = Overrides::from([
            ("prior".to_owned(), Value::Number(0.0)),
            ("games".to_owned(), Value::Whole(1)),
            ("years".to_owned(), Value::Whole(1)),
        ]);
        let system = System::named(word).unwrap().with(&overrides).unwrap();
        let found = system.rate(&results(5, games.clone()));
        let mut listed: Vec<u32> = found.lists[0].ratings.iter().map(|line| line.player).collect();
        listed.sort_unstable();
        if word == "linear" {
            assert_eq!(listed, [0, 1, 2, 3, 4], "finite all the same");
        } else {
            assert_eq!(listed, [1, 2, 3], "{word}");
            assert!(found.notes[0].starts_with("2 ratings missing"), "{word} {:?}", found.notes);
        }
    }
}

fn games() -> impl Strategy<Value = Vec<(u32, u32, f64, i16)>> {
    let game = (0u32..8, 0u32..8, 0usize..3, 1960i16..1966);
    prop::collection::vec(game, 0..60).prop_map(|games| {
        let played = games.into_iter().filter(|(one, other, ..)| one != other);
        played.map(|(one, other, score, year)| (one, other, score as f64 / 2.0, year)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_value_of_a_list_is_a_number(games in games()) {
        let results = results(8, games);
        for (name, system) in systems() {
            let found = system.rate(&results);
            prop_assert!(ratings(&found).iter().all(|one| one.is_finite()), "{name} {found:?}");
        }
    }

    #[test]
    fn figures_are_the_same_with_any_number_of_threads(games in games()) {
        let results = results(8, games);
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                systems().iter().map(|(_, system)| system.rate(&results).lists).collect::<Vec<_>>()
            })
        });
        prop_assert_eq!(one, three);
    }

    #[test]
    fn systems_are_judged_alike_with_any_number_of_threads(games in games()) {
        let results = results(8, games);
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let basic = System::all().iter().filter(|system| system.about.role == Role::Basic);
                let systems = basic.map(|system| (system, system.with(&Overrides::new()).unwrap()));
                let predictions = compute(&results, systems.collect(), |_| ()).1;
                let habits = draw_rates(&results, &predictions);
                // As text, because NaN is not equal to itself.
                format!("{:?}", compare_systems(&results, &predictions, &habits))
            })
        });
        prop_assert_eq!(one, three);
    }
}
