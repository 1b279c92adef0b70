//! A century of improvement: how good the best of each time were, as many of them as there were people for.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 5.73. Fixed numbers of the best beside it, and
//! standard errors of the levels, are ours.

use crate::systems::ComputedList;

/// Years and mean ratings (points) of the best, as the book has them.
pub const BOOK: [(i16, f64); 5] =
    [(1860, 2485.0), (1885, 2505.0), (1910, 2520.0), (1935, 2535.0), (1960, 2575.0)];

/// The year in which ours agree with the book's.
const AGREE: i16 = 1960;

/// How many of the best the book has in these years.
const NUMBERS: [(i16, usize); 5] = [(1860, 15), (1885, 20), (1910, 27), (1935, 35), (1960, 50)];

/// How many of the best there are in a year: what the book has, and between its years 15 in 1860 and 50 in 1960, growing like the
/// population.
pub fn best_of_year(year: i16) -> usize {
    if let Some((_, number)) = NUMBERS.iter().find(|(of, _)| *of == year) {
        return *number;
    }
    let (first, last) = (15.0_f64, 50.0_f64);
    (first * (last / first).powf((f64::from(year) - 1860.0) / 100.0)).round() as usize
}

/// Fixed numbers of the best beside these.
pub const FIXED: [usize; 2] = [10, 50];

/// The best of some years.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Improvement {
    /// The first of these years.
    pub from: i16,
    /// The last.
    pub to: i16,
    /// How many the best are, growing with the population.
    pub number: usize,
    /// Their mean rating (points), moved by [`Century::moved`]; `None` where there are not so many.
    pub mean: Option<f64>,
    /// The mean ratings of the ten and of the fifty best, as they are.
    pub fixed: [Option<f64>; 2],
    /// The standard error (points) of the level of these years beside that of the anchored ones.
    pub error: Option<f64>,
}

/// The best of each period.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Century {
    /// The periods in order.
    pub periods: Vec<Improvement>,
    /// By how much (points) the means of the growing numbers were moved to agree with the book in 1960; `None` where no period has that year, or
    /// it has not so many: then they are as they are.
    pub moved: Option<f64>,
}

/// The best of each period, from lists of periods in order; `last_year` tells the last year of one by its first.
pub fn improvement(lists: &[ComputedList], last_year: &dyn Fn(i16) -> i16) -> Century {
    let mean_of = |list: &ComputedList, number: usize| {
        let lines = list.ratings.iter().filter(|line| !line.is_provisional);
        let best: Vec<f64> = lines.take(number).map(|line| line.rating).collect();
        (best.len() == number && number > 0).then(|| best.iter().sum::<f64>() / best.len() as f64)
    };
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
                mean: mean_of(list, number),
                fixed: FIXED.map(|number| mean_of(list, number)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::ListedRating;
    use jiff::civil::date;

    #[test]
    fn the_best_are_as_many_as_the_book_has_and_go_on_likewise() {
        let years = [1860, 1885, 1910, 1935, 1960, 1985, 2010];
        assert_eq!(years.map(best_of_year), [15, 20, 27, 35, 50, 68, 91]);
    }

    #[test]
    fn means_agree_with_the_book_in_1960() {
        let list = |year: i16, best: f64| {
            let lines = (0..60).map(|player| ListedRating {
                player,
                rating: best - f64::from(player),
                games: 40.0,
                deviation: None,
                is_provisional: false,
            });
            ComputedList::of(date(year, 1, 1), lines.collect())
        };
        let lists = [list(1900, 2500.0), list(1960, 2600.0)];
        let Century { periods: found, moved } = improvement(&lists, &|first| first + 4);
        assert_eq!(moved, Some(0.0));
        assert_eq!(found[1].mean, Some(2575.0));
        assert_eq!(found[1].fixed, [Some(2595.5), Some(2575.5)]);
        // 51 of them in the middle of those years, 25 in that of the others.
        assert_eq!((found[0].number, found[1].number), (25, 51));
        assert_eq!(found[0].mean, Some(2488.0));
        let alone = improvement(&lists[..1], &|first| first + 4);
        assert_eq!((alone.periods[0].mean, alone.moved), (Some(2488.0), None), "no 1960");
    }
}
