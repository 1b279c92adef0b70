//! Computes ranges of ranks from simulations of the whole list.

use rayon::prelude::*;

/// The range of ranks that a figure of a list may have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankRange {
    /// The best rank in the middle nine tenths of the simulations, from 1; never worse than the
    /// rank on the list.
    pub best: usize,
    /// The worst such rank; never better than the rank on the list.
    pub worst: usize,
    /// The proportion of simulations in which it is first, in `[0, 1]`.
    pub first: f64,
    /// Whether the difference to the figure above is smaller than its standard error, so that
    /// either may be ahead.
    pub is_tied: bool,
}

/// A figure, and its value in each simulation. Without simulations the figure counts as exact.
pub type SampledFigure<'a> = (f64, &'a [f32]);

/// The proportion of simulations that is left out at either end of a range. Judged: a range then
/// holds nine in ten simulations. With half of it, the ends rest on half as many simulations.
const LEFT_OUT: f64 = 0.05;

/// The ranges of ranks of listed figures, the highest first. The figures in `others` are too low
/// for the list, but may enter it in a simulation.
pub fn rank_ranges(listed: &[SampledFigure], others: &[SampledFigure]) -> Vec<RankRange> {
    let all: Vec<SampledFigure> = listed.iter().chain(others).copied().collect();
    let draws = all.iter().map(|(_, draws)| draws.len()).max().unwrap_or(0);
    // The rank of each listed figure in each simulation.
    let ranks: Vec<Vec<u32>> = (0..draws)
        .into_par_iter()
        .map(|draw| {
            let mut order: Vec<(f32, u32)> =
                (0..).zip(&all).map(|(place, drawn)| (figure_in(*drawn, draw), place)).collect();
            // Equal figures keep the order of the list.
            order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let mut ranks = vec![0; listed.len()];
            for (rank, (_, place)) in (1..).zip(order) {
                if let Some(of_place) = ranks.get_mut(place as usize) {
                    *of_place = rank;
                }
            }
            ranks
        })
        .collect();
    let left_out = (LEFT_OUT * draws as f64).floor() as usize;
    (0..listed.len())
        .into_par_iter()
        .map(|place| {
            let rank = place + 1;
            let mut own: Vec<u32> = ranks.iter().map(|of_draw| of_draw[place]).collect();
            own.sort_unstable();
            let firsts = own.iter().take_while(|rank| **rank == 1).count();
            let best = own.get(left_out).map_or(rank, |best| *best as usize);
            let worst = own.get(draws.saturating_sub(1 + left_out));
            let worst = worst.map_or(rank, |worst| *worst as usize);
            RankRange {
                best: best.min(rank),
                worst: worst.max(rank),
                first: match draws {
                    0 => f64::from(u8::from(rank == 1)),
                    _ => firsts as f64 / draws as f64,
                },
                is_tied: place > 0 && are_tied(listed[place - 1], listed[place], draws),
            }
        })
        .collect()
}

/// The value of a figure in a simulation.
fn figure_in((figure, draws): SampledFigure, draw: usize) -> f32 {
    draws.get(draw).copied().unwrap_or(figure as f32)
}

fn are_tied(above: SampledFigure, below: SampledFigure, draws: usize) -> bool {
    let difference = above.0 - below.0;
    let squares: f64 = (0..draws)
        .map(|draw| {
            (f64::from(figure_in(above, draw)) - f64::from(figure_in(below, draw)) - difference)
                .powi(2)
        })
        .sum();
    difference <= (squares / draws.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(figure: f64, step: f32) -> Vec<f32> {
        (0..200).map(|draw| figure as f32 + step * (draw as f32 - 99.5)).collect()
    }

    #[test]
    fn a_figure_far_ahead_is_always_first_and_two_near_ones_are_tied() {
        let (far, near, nearer) = (draws(400.0, 0.05), draws(300.0, 0.1), draws(299.0, -0.1));
        let listed: Vec<SampledFigure> = vec![(400.0, &far), (300.0, &near), (299.0, &nearer)];
        let ranges = rank_ranges(&listed, &[]);
        let places: Vec<(usize, usize)> =
            ranges.iter().map(|range| (range.best, range.worst)).collect();
        assert_eq!(places, [(1, 1), (2, 3), (2, 3)]);
        assert_eq!(ranges[0].first, 1.0);
        let tied: Vec<bool> = ranges.iter().map(|range| range.is_tied).collect();
        assert_eq!(tied, [false, false, true]);
    }

    #[test]
    fn figures_with_shared_errors_are_not_tied() {
        let (one, other) = (draws(300.0, 0.2), draws(295.0, 0.2));
        let ranges = rank_ranges(&[(300.0, &one), (295.0, &other)], &[]);
        assert_eq!((ranges[1].best, ranges[1].worst, ranges[1].is_tied), (2, 2, false));
    }

    #[test]
    fn a_figure_below_the_list_may_enter_it_in_a_simulation() {
        let (listed, below) = (draws(101.0, 0.0), draws(99.0, 0.1));
        let range = rank_ranges(&[(101.0, &listed)], &[(99.0, &below)])[0];
        assert_eq!((range.best, range.worst), (1, 2));
        assert!(range.first > 0.5 && range.first < 1.0);
    }

    #[test]
    fn without_simulations_the_range_is_the_rank() {
        let ranges = rank_ranges(&[(2.0, &[]), (1.0, &[])], &[]);
        assert_eq!((ranges[1].best, ranges[1].worst, ranges[1].first), (2, 2, 0.0));
        assert_eq!(ranges[0].first, 1.0);
    }
}
