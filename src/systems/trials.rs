//! Ways to rate that are tried beside one that stands: each on the games that both could rate.
//!
//! A comparison of all on the games of all would have only the games of whoever can rate fewest.

use super::comparison::{Difference, compare_two};
use super::results::Results;

/// One way beside the one that stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What it is called.
    pub name: String,
    /// Games that both could rate.
    pub games: usize,
    /// Its log loss on these, with the advantage of White that makes its predictions best.
    pub log_loss: f64,
    /// That of the one that stands, likewise.
    pub standing: f64,
    /// How much smaller it is than the other's: above nought it predicts better.
    pub better: Difference,
    /// By what its differences are to be multiplied so that they foretell best.
    pub slope: f64,
}

/// Tries the predictions of one way beside those of what stands; `None` where they have no game together.
pub fn trial(
    results: &Results,
    name: &str,
    tried: &[Option<f64>],
    standing: &[Option<f64>],
) -> Option<Trial> {
    let found = compare_two(results, tried, standing)?;
    let (log_loss, standing) = found.log_losses;
    Some(Trial {
        name: name.to_owned(),
        games: found.games,
        log_loss,
        standing,
        better: Difference { mean: -found.behind.mean, ..found.behind },
        slope: found.slope,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{Rated, RatedPlayer};
    use jiff::civil::date;

    #[test]
    fn who_knows_more_is_better_on_the_games_of_both() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 2], ..Results::default() };
        results.games = (0..40)
            .map(|event| Rated {
                white: 0,
                black: 1,
                score: f64::from(event % 4 / 2),
                day: date(1950, 1, 1),
                event,
            })
            .collect();
        let knows =
            |by: f64| results.games.iter().map(move |game| Some(0.5 + by * (game.score - 0.5)));
        let standing: Vec<Option<f64>> = knows(0.2).collect();
        let better: Vec<Option<f64>> = knows(0.3).take(20).chain(vec![None; 20]).collect();
        let worse: Vec<Option<f64>> = knows(0.1).collect();
        let tried = |name, tried: &[Option<f64>]| trial(&results, name, tried, &standing);
        assert_eq!(tried("never", &[None; 40]), None);
        let found = [tried("better", &better).unwrap(), tried("worse", &worse).unwrap()];
        assert_eq!(found.each_ref().map(|trial| trial.games), [20, 40]);
        assert!((found[0].better.mean - (0.65f64.ln() - 0.6f64.ln())).abs() < 1e-6, "{found:?}");
        assert!((found[1].better.mean - (0.55f64.ln() - 0.6f64.ln())).abs() < 1e-6, "{found:?}");
    }
}
