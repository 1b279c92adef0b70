//! Measures how fast turns are rated, on one core: `cargo bench --bench intrinsic`.
//!
//! It solves 2,000 turns of seven columns once (target: 5 ms). It also rates an event of fourteen
//! players with 230 turns each, and its players (target: half a second).

use divan::Bencher;
use greatness::intrinsic::{
    Calibration, ChoiceModel, Choices, RatingLine, Skill, Terms, TurnValues, rate,
};

fn main() {
    divan::main();
}

/// Returns a number below `range` and advances the state of the generator.
///
/// A linear congruential generator (Knuth, MMIX): values must vary, but need not be random.
fn next(state: &mut u64, range: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % range
}

/// Turns with varying values.
fn turns(count: u64) -> Vec<TurnValues> {
    let mut state = 1;
    (0..count)
        .map(|_| {
            let mut value = next(&mut state, 300) as i16 - 150;
            let values: Vec<i16> = (0..5)
                .map(|_| {
                    value -= next(&mut state, 50) as i16;
                    value
                })
                .collect();
            // Often the first move, sometimes one that is not listed: then there are seven columns.
            let place = Some(next(&mut state, 9) as usize)
                .map(|lot| lot.saturating_sub(4))
                .filter(|at| *at < 4);
            let unlisted = values[4] - next(&mut state, 80) as i16;
            let played = place.map_or(unlisted, |place| values[place]);
            TurnValues { legal: 30, values, place, played }
        })
        .collect()
}

#[divan::bench]
fn two_thousand_turns_once(bencher: Bencher) {
    let choices = Choices::new(&turns(2_000), &Terms::default());
    let skill = Skill { sensitivity: 0.1, consistency: 0.5 };
    bencher.bench_local(|| choices.expected(skill, ChoiceModel::Powers));
}

#[divan::bench]
fn an_event_of_fourteen_players(bencher: Bencher) {
    let mut calibration = Calibration::none("an engine");
    calibration.line = Some(RatingLine { intercept: 3300.0, slope: -6000.0 });
    let calibration = calibration.with_reference(&turns(2_000));
    let turns = turns(14 * 230);
    bencher.bench_local(|| {
        let all = rate(&turns, &calibration, None);
        let players: Vec<_> =
            turns.chunks(230).map(|turns| rate(turns, &calibration, Some(2500.0))).collect();
        (all, players)
    });
}
