//! Tests ratings by paired comparison on simulated players whose strengths follow the model.

use greatness::systems::paired::fit::StrengthFit;
use greatness::systems::paired::history::{History, PairedGame, PairedModel};
use rand::{Rng, RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

const PLAYERS: usize = 300;
const YEARS: i16 = 40;
const FIRST: i16 = 1950;

/// Simulated players: strengths (points) by player and year, and the games of random groups of six
/// each year.
struct SimulatedHistory {
    strengths: Vec<Vec<f64>>,
    games: Vec<PairedGame>,
    births: Vec<Option<i16>>,
}

fn normal(random: &mut impl Rng) -> f64 {
    StandardNormal.sample(random)
}

fn simulated(model: &PairedModel, seed: u64) -> SimulatedHistory {
    let mut random = Pcg64::seed_from_u64(seed);
    let births: Vec<i16> = (0..PLAYERS).map(|_| FIRST - random.random_range(15..35)).collect();
    let mut strengths = vec![vec![0.0; YEARS as usize]; PLAYERS];
    for (own, born) in strengths.iter_mut().zip(&births) {
        own[0] = model.newcomers * normal(&mut random);
        for year in 1..YEARS {
            let age = f64::from(FIRST + year - 1 - born) - 0.5;
            let deviation = model.movement.variance_of(age, 1.0).sqrt();
            own[year as usize] = own[year as usize - 1]
                + model.movement.mean_of(age, 1.0)
                + deviation * normal(&mut random);
        }
    }
    let mut games = Vec::new();
    let mut order: Vec<usize> = (0..PLAYERS).collect();
    for year in 0..YEARS {
        for place in (1..PLAYERS).rev() {
            order.swap(place, random.random_range(0..=place));
        }
        for six in order.chunks(6) {
            for (place, &one) in six.iter().enumerate() {
                for &other in &six[place + 1..] {
                    let (white, black) =
                        if random.random::<bool>() { (one, other) } else { (other, one) };
                    let difference =
                        strengths[white][year as usize] - strengths[black][year as usize] + 40.0;
                    let expected = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
                    // Two independent half points: half of the games that could be drawn are.
                    let chances: [f64; 2] = [random.random(), random.random()];
                    let score = chances.map(|chance| f64::from(chance < expected) / 2.0);
                    let score = score[0] + score[1];
                    let game = PairedGame::new(white as u32, black as u32, FIRST + year, score);
                    games.push(game);
                }
            }
        }
    }
    SimulatedHistory { strengths, games, births: births.into_iter().map(Some).collect() }
}

/// The proportion of 90% intervals that contain the true value: of differences between two players
/// in a year, and of changes of one player over ten years.
fn coverage(model: PairedModel, simulated: &SimulatedHistory) -> (f64, f64) {
    const SOME: u32 = 60;
    const DECADES: [i16; 4] = [5, 15, 25, 35];
    const NINETY: f64 = 1.644_853_6;
    let mut history = History::new(model, &simulated.games, &simulated.births);
    let fit = StrengthFit::new(&mut history, None, 0.01);
    let seats: Vec<(u32, i16)> =
        (0..SOME).flat_map(|player| DECADES.map(|year| (player, year))).collect();
    let nodes: Vec<usize> = seats
        .iter()
        .map(|&(player, year)| history.node_of(player, FIRST + year).unwrap())
        .collect();
    let covariances = fit.covariances(&history, &nodes);
    // Numbers of intervals, and of those that contain the true value.
    let (mut all, mut inside) = ([0.0; 2], [0.0; 2]);
    for (a, one) in seats.iter().enumerate() {
        for (b, other) in seats.iter().enumerate() {
            let kind = if one.0 < other.0 && one.1 == other.1 {
                0
            } else if one.0 == other.0 && one.1 + 10 == other.1 {
                1
            } else {
                continue;
            };
            let variance = covariances[a][a] + covariances[b][b] - 2.0 * covariances[a][b];
            let difference = fit.points(nodes[a]) - fit.points(nodes[b]);
            let [truth_a, truth_b] = [one, other]
                .map(|(player, year)| simulated.strengths[*player as usize][*year as usize]);
            let error = difference - (truth_a - truth_b);
            if error.abs() <= NINETY * variance.sqrt() {
                inside[kind] += 1.0;
            }
            all[kind] += 1.0;
        }
    }
    (inside[0] / all[0], inside[1] / all[1])
}

#[test]
// Over 2,000 pairs each of four such simulations it is 0.901 within a year and 0.901 over ten.
fn intervals_have_their_nominal_coverage() {
    let model = PairedModel { pad: 0.0, ..PairedModel::default() };
    let simulated = simulated(&model, 1);
    let (within, over_ten) = coverage(model, &simulated);
    assert!((0.88..=0.94).contains(&within), "{within}");
    assert!((0.88..=0.94).contains(&over_ten), "{over_ten}");
    // If draws are treated as coin tosses, intervals are too wide.
    let (within, _) = coverage(PairedModel { by_draws: false, ..model }, &simulated);
    assert!(within > 0.94, "{within}");
}
