//! Computes the means of several ratings, such as those of all events of a category.

/// An intrinsic rating that enters a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanTerm {
    /// The intrinsic rating (points).
    pub rating: f64,
    /// The mean rating (points) of the players, if it is known.
    pub elo: Option<f64>,
    /// Number of rated turns.
    pub turns: usize,
}

/// Means of intrinsic ratings and of the players' ratings.
///
/// Source: K. Regan, *Intrinsic Ratings Compendium* (2012): the rows *Averages* and *Weighted by
/// moves* below tables 5, 6 and 12. They differ from an aggregate run, which rates all turns
/// together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingMeans {
    /// Number of intrinsic ratings that are averaged.
    pub ratings: usize,
    /// Mean rating (points), each rating counted once.
    pub plain: f64,
    /// Mean rating (points), weighted by the number of turns.
    pub by_turns: f64,
    /// Both means of the intrinsic rating less the players' rating (points): counted once, and
    /// weighted by turns. `None` unless all ratings of the players are known.
    pub differences: Option<(f64, f64)>,
}

impl RatingMeans {
    /// Computes the means. Returns `None` without turns.
    pub fn new(terms: &[MeanTerm]) -> Option<RatingMeans> {
        let turns = terms.iter().map(|term| term.turns).sum::<usize>() as f64;
        if turns == 0.0 {
            return None;
        }
        let (plain, by_turns) = means(terms, turns, |term| Some(term.rating))?;
        let differences = means(terms, turns, |term| Some(term.rating - term.elo?));
        Some(RatingMeans { ratings: terms.len(), plain, by_turns, differences })
    }
}

/// The plain mean of a value of all terms, and the mean weighted by their turns. `None` if a term
/// has no value.
fn means(
    terms: &[MeanTerm],
    turns: f64,
    value: fn(&MeanTerm) -> Option<f64>,
) -> Option<(f64, f64)> {
    let (mut plain, mut by_turns) = (0.0, 0.0);
    for term in terms {
        let value = value(term)?;
        plain += value;
        by_turns += value * term.turns as f64;
    }
    Some((plain / terms.len() as f64, by_turns / turns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_of_many_turns_weighs_more() {
        let terms = [
            MeanTerm { rating: 2700.0, elo: Some(2750.0), turns: 3000 },
            MeanTerm { rating: 2500.0, elo: Some(2600.0), turns: 1000 },
        ];
        let means = RatingMeans::new(&terms).unwrap();
        assert_eq!((means.plain, means.by_turns), (2600.0, 2650.0));
        assert_eq!(means.differences, Some((-75.0, -62.5)));
        let unrated = MeanTerm { elo: None, ..terms[1] };
        let unknown = RatingMeans::new(&[terms[0], unrated]).unwrap();
        assert_eq!((unknown.by_turns, unknown.differences), (2650.0, None));
        assert_eq!(RatingMeans::new(&[]), None);
    }
}
