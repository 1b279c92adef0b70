//! Tests a real engine: its answers do not depend on the order of positions, and they distinguish
//! strong players from weak ones. Needs `stockfish` and the shared collections; takes three minutes
//! on two cores.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use greatness::archive::{Grouped, Selected, Settings, Silent};
use greatness::intrinsic::{
    Cache, EngineAnalysis, EnginePosition, EngineSettings, FIRST_MOVE, GameTurns, MILEPOSTS,
    RatedTurns, Terms, TurnValues, answers, calibrate, candidates, collect, games_of, introduce,
    jobs, rate, sample_turns,
};
use greatness::parquet::read_calibration;
use greatness::pgn::ReadOptions;
use greatness::source::{Wanted, find};

/// Games that were read and grouped into events.
struct Read {
    grouped: Grouped,
    files: Vec<PathBuf>,
}

fn read(path: PathBuf) -> Read {
    let mut settings = Settings::default();
    settings.input.pgn.push(path);
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data");
    let settings = settings.with_bundled_data(&data).unwrap();
    let mut diagnostics = Vec::new();
    let games = Selected::read(&settings.input, &Silent, &mut diagnostics).unwrap();
    let grouped = games.group(settings.events, &mut diagnostics);
    let files = find(&settings.input.pgn, Wanted::Games, &mut diagnostics);
    Read { grouped, files }
}

/// Stockfish's values of the turns that count, game by game.
fn values(
    games: &[GameTurns],
    settings: &EngineSettings,
    cache: &Cache,
) -> (String, Vec<Vec<TurnValues>>) {
    let engine = introduce(settings, cache).unwrap();
    let key = engine.key.clone();
    let stop = AtomicBool::new(false);
    let analysis = EngineAnalysis { cache, engines: 2, stop: &stop };
    let found = analysis.run(&jobs(games), engine, &mut |_| ()).unwrap();
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    let answers = answers(games, &key, cache, &Terms::default()).unwrap();
    let values = answers.into_iter().map(|game| {
        let counted = game.into_iter().filter(|answer| answer.left_out.is_none());
        counted.filter_map(|answer| answer.values).collect()
    });
    (key, values.collect())
}

#[test]
#[ignore = "needs Stockfish and the shared collections"]
fn positions_have_the_same_values_in_two_orders() {
    let text = "[Event \"A\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Bb7 10.d4 Re8 11.Nbd2 Bf8 12.a4 h6 13.Bc2 exd4 14.cxd4 Nb4 15.Bb1 c5 *\n";
    let game = greatness::pgn::replay(text.as_bytes());
    let (turns, _) = greatness::intrinsic::turns(&game, FIRST_MOVE);
    let asked: Vec<EnginePosition> = turns
        .iter()
        .filter(|turn| turn.left_out.is_none())
        .filter_map(|turn| EnginePosition::unpacked(&turn.position))
        .take(12)
        .collect();
    assert_eq!(asked.len(), 12);
    let mut engine =
        greatness::intrinsic::Engine::start(&EngineSettings::new("stockfish")).unwrap();
    let forwards: Vec<_> = asked.iter().map(|asked| engine.search(asked, None).unwrap()).collect();
    drop(engine);
    let mut engine =
        greatness::intrinsic::Engine::start(&EngineSettings::new("stockfish")).unwrap();
    let mut backwards: Vec<_> =
        asked.iter().rev().map(|asked| engine.search(asked, None).unwrap()).collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);
}

#[test]
#[ignore = "needs Stockfish and the shared collections"]
fn match_of_2000_is_rated_at_least_300_points_above_that_of_1892() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/intrinsic/calibration.toml");
    let calibration = read_calibration(&data).unwrap();
    let Read { grouped, files } = read(crate::support::shared_data().join("tournaments.tar.zst"));
    let cache_folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(&cache_folder.path().join("cache")).unwrap();
    let mut rated = Vec::new();
    for id in ["chigorin-steinitz-havana-1892", "kasparov-kramnik-london-2000"] {
        let event = grouped.events.iter().find(|event| event.id == id).expect(id);
        let games = games_of(&[event], &grouped.games.players);
        let mut games =
            collect(&games, &grouped.games.table, &files, ReadOptions::default(), FIRST_MOVE);
        // As many turns of each game as needed for slightly more than 300 in total.
        let each = 420usize.div_ceil(2 * games.len());
        games.iter_mut().for_each(|game| sample_turns(game, &[true, false], each));
        let (key, values) = values(&games, &EngineSettings::new("stockfish"), &cache);
        assert_eq!(key, calibration.engine, "the bundled calibration is of another engine");
        let turns: Vec<&TurnValues> = values.iter().flatten().take(300).collect();
        assert!(turns.len() >= 280, "{}", turns.len());
        rated.push(rate(turns, &calibration, None).rating.expect("a rating").rating);
    }
    assert!(rated[1] - rated[0] >= 300.0, "{rated:?}");
}

/// The ratings that are compared. From so few turns, neighbours cannot be distinguished: over all
/// six mileposts, samples of 1,300 and 2,500 turns each had correlations of -0.78 and -0.65.
const RATINGS: [u16; 4] = [2200, 2300, 2600, 2700];
/// Games of players of each rating.
const GAMES: usize = 120;

#[test]
#[ignore = "needs Stockfish and the shared collections"]
fn stronger_players_lose_less_value() {
    let Read { grouped, files } = read(crate::support::shared_data().join("games.pgn.zst"));
    let Grouped { games, events, .. } = &grouped;
    let cache_folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(&cache_folder.path().join("cache")).unwrap();
    let pools = candidates(&games.table, &games.rows, events, &games.players);
    let mut chosen: Vec<(usize, bool)> = Vec::new();
    let mut wanted = Vec::new();
    for (milepost, pool) in pools.iter().enumerate() {
        if !RATINGS.contains(&MILEPOSTS[milepost]) {
            continue;
        }
        for candidate in pool.iter().take(GAMES) {
            chosen.push((milepost, candidate.is_white));
            wanted.push(candidate.game.clone());
        }
    }
    let mut found = collect(&wanted, &games.table, &files, ReadOptions::default(), FIRST_MOVE);
    assert_eq!(found.len(), chosen.len());
    for (game, (_, is_white)) in found.iter_mut().zip(&chosen) {
        sample_turns(game, &[*is_white], 25);
    }
    // Many turns distinguish players, not deep searches of few turns.
    let settings = EngineSettings { nodes: 10_000, ..EngineSettings::new("stockfish") };
    let (key, values) = values(&found, &settings, &cache);
    let sets: Vec<RatedTurns> = MILEPOSTS
        .into_iter()
        .enumerate()
        .filter(|(_, elo)| RATINGS.contains(elo))
        .map(|(milepost, elo)| RatedTurns {
            elo: elo.into(),
            games: chosen
                .iter()
                .zip(&values)
                .filter(|((of, _), _)| *of == milepost)
                .map(|(_, values)| values.clone())
                .collect(),
        })
        .collect();
    let reference: Vec<TurnValues> = values.into_iter().flatten().collect();
    let found = calibrate(&key, &sets, &reference, Terms::default());
    let (line, r) = (found.line.expect("a line"), found.correlation.expect("r"));
    let errors: Vec<(f64, f64)> =
        found.milepost.iter().map(|found| (found.elo, found.error_expected)).collect();
    assert!(line.slope < 0.0 && r < -0.8, "r = {r}; expected errors: {errors:?}");
    assert!(!found.is_accepted(), "2,500 turns each are too few");
}
