//! Measures how the best players improved over a century. The number of best players grows with the
//! population.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.73. The
//! fixed numbers of best players, and the standard errors, are ours.

use crate::systems::ComputedList;

/// The book's years and mean ratings (points) of the best (5.73).
pub const BOOK: [(i16, f64); 5] =
    [(1860, 2485.0), (1885, 2505.0), (1910, 2520.0), (1935, 2535.0), (1960, 2575.0)];

/// The year in which our means are set equal to the book's: its last one.
const AGREE: i16 = 1960;

/// The book's numbers of best players in these years.
const NUMBERS: [(i16, usize); 5] = [(1860, 15), (1885, 20), (1910, 27), (1935, 35), (1960, 50)];

/// The number of best players in a year. Other years than the book's follow an exponential from 15
/// in 1860 to 50 in 1960.
fn best_of_year(year: i16) -> usize {
    if let Some((_, number)) = NUMBERS.iter().find(|(of, _)| *of == year) {
        return *number;
    }
    let (first, last) = (15.0_f64, 50.0_f64);
    (first * (last / first).powf((f64::from(year) - 1860.0) / 100.0)).round() as usize
}

/// Fixed numbers of best players, for comparison.
const FIXED: [usize; 2] = [10, 50];

/// The best players of a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Improvement {
    /// First year of the period.
    pub from: i16,
    /// Last year of the period.
    pub to: i16,
    /// Number of best players, which grows with the population.
    pub number: usize,
    /// Their mean rating (points), shifted by [`Century::moved`]. `None` if the list has fewer
    /// players.
    pub mean: Option<f64>,
    /// Mean ratings (points) of the ten and the fifty best, without the shift.
    pub fixed: [Option<f64>; 2],
    /// Standard error (points) of the level of this period relative to the anchored periods.
    pub error: Option<f64>,
}

/// The best players of all periods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Century {
    /// The periods, in order.
    pub periods: Vec<Improvement>,
    /// Shift (points) that makes the mean of 1960 equal to the book's. `None` if no period contains
    /// 1960, or its list has too few players; the means are then not shifted.
    pub moved: Option<f64>,
}

/// Computes the best players of each period. The lists are those of periods in order; `last_year`
/// maps the first year of a period to its last.
pub fn improvement(lists: &[ComputedList], last_year: &dyn Fn(i16) -> i16) -> Century {
    let mut periods: Vec<Improvement> = lists
        .iter()
        .map(|list| {
            let from = list.day.year();
            let to = last_year(from);
            let number = best_of_year((from + to + 1) / 2);
            Improvement {
                from,
                to,
                number,
                mean: mean_of_best(list, number),
                fixed: FIXED.map(|number| mean_of_best(list, number)),
                error: list.level_error,
            }
        })
        .collect();
    let agreed = periods.iter().find(|one| (one.from..=one.to).contains(&AGREE));
    let moved =
        agreed.and_then(|one| Some(BOOK.iter().find(|(year, _)| *year == AGREE)?.1 - one.mean?));
    for one in &mut periods {
        one.mean = one.mean.map(|mean| mean + moved.unwrap_or(0.0));
    }
    Century { periods, moved }
}

/// The mean rating (points) of this many best players. `None` if the list has fewer.
fn mean_of_best(list: &ComputedList, number: usize) -> Option<f64> {
    let lines = list.ratings.iter().filter(|line| !line.is_provisional);
    let best: Vec<f64> = lines.take(number).map(|line| line.rating).collect();
    (best.len() == number && number > 0).then(|| best.iter().sum::<f64>() / best.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::ListedRating;
    use jiff::civil::date;

    #[test]
    fn numbers_of_best_players_are_the_books_and_its_exponential() {
        let years = [1860, 1885, 1910, 1935, 1960, 1985, 2010];
        assert_eq!(years.map(best_of_year), [15, 20, 27, 35, 50, 68, 91]);
    }

    #[test]
    fn mean_of_1960_equals_the_books() {
        let lists = [(1900, 2500.0), (1960, 2600.0)].map(|(year, best)| {
            let lines =
                (0..60).map(|player| ListedRating::new(player, best - f64::from(player), 40.0));
            ComputedList::new(date(year, 1, 1), lines.collect())
        });
        let Century { periods: found, moved } = improvement(&lists, &|first| first + 4);
        assert_eq!(moved, Some(0.0));
        assert_eq!(found[1].mean, Some(2575.0));
        assert_eq!(found[1].fixed, [Some(2595.5), Some(2575.5)]);
        // The middles of the two periods have 51 and 25 best players.
        assert_eq!((found[0].number, found[1].number), (25, 51));
        assert_eq!(found[0].mean, Some(2488.0));
        let alone = improvement(&lists[..1], &|first| first + 4);
        assert_eq!((alone.periods[0].mean, alone.moved), (Some(2488.0), None), "no 1960");
    }
}
