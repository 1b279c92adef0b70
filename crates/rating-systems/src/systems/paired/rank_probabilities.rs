//! Probabilities of a year's ranks, and estimates of players' peaks, from posterior samples.
//!
//! Samples are necessary because the maximum of several uncertain values is larger than the largest
//! of their means.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::fit::StrengthFit;
use super::history::History;
use super::scale::BEST;
use crate::systems::lists::{CareerPeak, ComputedList, RankProbabilities};

/// Number of posterior samples. Judged: the standard error of a probability of one half is 0.035;
/// twice as many would take twice the time and make it 0.025.
const SAMPLES: usize = 200;

/// The seed of the samples. Any fixed number will do.
const SEED: u64 = 1967;

/// Number of a year's best players who compete for ranks, and of those whose ranks are reported.
/// The ranks of the others would need more competitors. Judged: a player beyond the eightieth place
/// is rarely among the first thirty in a sample.
const COMPETITORS: usize = 80;
const REPORTED: usize = 30;

/// A player who was among this many best of any year can have a reported peak. Judged: it selects
/// every leading player of a year, and twice as many would take more time.
const PEAK_RANKS: usize = 10;

/// Fraction of the samples outside each end of the interval of ranks: an interval of 80%.
const TAIL: f64 = 0.10;

/// The best players of a year.
struct Year {
    year: i16,
    /// Player and node, the best first.
    best: Vec<(u32, usize)>,
}

/// The rank probabilities of each list, in the order of the lists, and the peaks, the highest
/// first. `shift` (points) converts strengths to ratings. `known` marks the players who may compete
/// for ranks.
pub(super) fn rank_probabilities(
    history: &History,
    fit: &StrengthFit,
    shift: f64,
    (lists, known): (&[ComputedList], &[bool]),
) -> (Vec<Vec<RankProbabilities>>, Vec<CareerPeak>) {
    let years: Vec<Year> = lists
        .iter()
        .map(|list| {
            let year = list.day.year();
            let nodes = list
                .ratings
                .iter()
                .filter(|line| !line.is_provisional && known[line.player as usize])
                .filter_map(|line| Some((line.player, history.node_of(line.player, year)?)));
            Year { year, best: nodes.take(COMPETITORS).collect() }
        })
        .collect();
    let mut wanted: Vec<usize> =
        years.iter().flat_map(|year| year.best.iter().map(|(_, node)| *node)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return (vec![Vec::new(); lists.len()], Vec::new());
    }
    let place: FxHashMap<usize, usize> =
        (0..).zip(&wanted).map(|(place, node)| (*node, place)).collect();
    let samples = fit.samples(history, &wanted, SAMPLES, SEED);
    let probabilities = years.par_iter().map(|year| of_year(fit, year, &place, &samples)).collect();
    (probabilities, peaks(fit, shift, &years, &place, &samples))
}

/// The strength (points) of a node in a sample.
fn sampled_strength(
    fit: &StrengthFit,
    node: usize,
    place: &FxHashMap<usize, usize>,
    sample: &[f32],
) -> f64 {
    fit.points(node) + f64::from(sample[place[&node]])
}

fn of_year(
    fit: &StrengthFit,
    year: &Year,
    place: &FxHashMap<usize, usize>,
    samples: &[Vec<f32>],
) -> Vec<RankProbabilities> {
    let mut ranks: Vec<Vec<u32>> = vec![Vec::with_capacity(samples.len()); year.best.len()];
    for sample in samples {
        let mut order: Vec<(f64, usize)> = (0..)
            .zip(&year.best)
            .map(|(number, (_, node))| (sampled_strength(fit, *node, place, sample), number))
            .collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (rank, (_, number)) in (1..).zip(order) {
            ranks[number].push(rank);
        }
    }
    let tail = (TAIL * samples.len() as f64) as usize;
    let reported = year.best.iter().zip(ranks).take(REPORTED);
    reported
        .map(|((player, _), mut ranks)| {
            ranks.sort_unstable();
            let firsts = ranks.iter().take_while(|rank| **rank == 1).count();
            RankProbabilities {
                player: *player,
                first: firsts as f64 / samples.len() as f64,
                best: ranks[tail],
                worst: ranks[ranks.len() - 1 - tail],
            }
        })
        .collect()
}

/// For each year, the place of the nearest year with ten players, whose shift is that of the level.
///
/// With fewer than ten players, their mean would mostly reflect a single player. Neighbouring years
/// share the error of the level, because most of their players are the same.
fn years_with_level(years: &[Year]) -> Vec<Option<usize>> {
    let enough: Vec<usize> =
        (0..years.len()).filter(|place| years[*place].best.len() >= BEST).collect();
    let nearest = |year: &Year| {
        enough.iter().copied().min_by_key(|place| (years[*place].year - year.year).abs())
    };
    years.iter().map(nearest).collect()
}

/// The peaks of players who were once among the best: the medians of the samples' best years and
/// highest ratings. Each sample is corrected by the shift of the year's ten best, because the level
/// of a whole period says nothing about a player's peak.
fn peaks(
    fit: &StrengthFit,
    shift: f64,
    years: &[Year],
    place: &FxHashMap<usize, usize>,
    samples: &[Vec<f32>],
) -> Vec<CareerPeak> {
    let mut careers: FxHashMap<u32, Vec<(i16, usize, usize)>> = FxHashMap::default();
    for (number, year) in years.iter().enumerate() {
        for (player, node) in &year.best {
            careers.entry(*player).or_default().push((year.year, *node, number));
        }
    }
    let leaders: std::collections::BTreeSet<u32> = years
        .iter()
        .flat_map(|year| year.best.iter().take(PEAK_RANKS).map(|(player, _)| *player))
        .collect();
    // The shift of each year's ten best in each sample.
    let with_level = years_with_level(years);
    let levels: Vec<Vec<f64>> = samples
        .par_iter()
        .map(|sample| {
            let of_years = with_level.iter().map(|year| {
                let Some(year) = year else { return 0.0 };
                let best = &years[*year].best[..BEST];
                let sum: f64 = best.iter().map(|(_, node)| f64::from(sample[place[node]])).sum();
                sum / BEST as f64
            });
            of_years.collect()
        })
        .collect();
    let mut peaks: Vec<CareerPeak> = leaders
        .into_iter()
        .collect::<Vec<u32>>()
        .into_par_iter()
        .map(|player| {
            let career = &careers[&player];
            let mut highest: Vec<(f64, i16)> = samples
                .iter()
                .zip(&levels)
                .filter_map(|(sample, levels)| {
                    career
                        .iter()
                        .map(|(year, node, number)| {
                            (sampled_strength(fit, *node, place, sample) - levels[*number], *year)
                        })
                        .max_by(|a, b| a.0.total_cmp(&b.0))
                })
                .collect();
            highest.sort_unstable_by_key(|(_, year)| *year);
            let year = highest[highest.len() / 2].1;
            highest.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let count = highest.len() as f64;
            let mean = highest.iter().map(|(value, _)| value).sum::<f64>() / count;
            let squares: f64 = highest.iter().map(|(value, _)| (value - mean).powi(2)).sum();
            let rating = highest[highest.len() / 2].0 + shift;
            CareerPeak { player, rating, deviation: (squares / count).sqrt(), year }
        })
        .collect();
    peaks.sort_unstable_by(|a, b| b.rating.total_cmp(&a.rating).then(a.player.cmp(&b.player)));
    peaks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::lists::ListedRating;
    use crate::systems::paired::history::{PairedGame, PairedModel};
    use jiff::civil::date;

    fn game(white: u32, black: u32, score: f64) -> PairedGame {
        PairedGame { white, black, year: 1900, score, weight: 1.0, offset: 0.0 }
    }

    #[test]
    fn a_year_of_few_players_has_the_level_of_the_nearest_year_with_ten() {
        let year = |year, players| Year { year, best: (0..players).map(|one| (one, 0)).collect() };
        let years = [year(1858, 3), year(1870, 12), year(1916, 4), year(1918, 10)];
        assert_eq!(years_with_level(&years), [Some(1), Some(1), Some(3), Some(3)]);
        assert_eq!(years_with_level(&years[..1]), [None]);
    }

    #[test]
    fn two_equal_leaders_share_the_first_rank() {
        // 0 and 1 are equal, and far stronger than 2 and 3.
        let mut games = Vec::new();
        for round in 0..20 {
            games.push(game(0, 1, f64::from(round % 3) / 2.0));
            for (strong, weak) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
                games.push(game(strong, weak, if round % 10 == 0 { 0.5 } else { 1.0 }));
                games.push(game(weak, strong, if round % 10 == 5 { 0.5 } else { 0.0 }));
            }
        }
        let mut history = History::new(PairedModel::default(), &games, &[None; 4]);
        let fit = StrengthFit::new(&mut history, None, 1e-6);
        let ratings = (0..4)
            .map(|player| ListedRating {
                player,
                rating: fit.points(history.node_of(player, 1900).expect("a node of 1900")),
                games: 100.0,
                deviation: Some(50.0),
                is_provisional: false,
            })
            .collect();
        let list = ComputedList::new(date(1900, 1, 1), ratings);
        let (probabilities, peaks) = rank_probabilities(&history, &fit, 0.0, (&[list], &[true; 4]));
        let mut ranked = probabilities[0].clone();
        ranked.sort_by_key(|one| one.player);
        let sum: f64 = ranked.iter().map(|one| one.first).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        assert!(ranked[0].first > 0.2 && ranked[1].first > 0.2, "{ranked:?}");
        assert!(ranked[2].first < 0.02, "{ranked:?}");
        assert_eq!((ranked[0].best, ranked[0].worst), (1, 2));
        assert_eq!((ranked[3].best, ranked[3].worst), (3, 4));
        assert!(peaks[0].player < 2 && peaks[0].year == 1900 && peaks[0].deviation > 0.0);
    }
}
