//! Derives the probabilities of win, draw and loss from an expected score.
//!
//! The probability of a draw is proportional to the smaller of the two expected scores. Elo (*The
//! Rating of Chessplayers, Past and Present*, 8.91) describes that draws become rarer as the
//! difference grows, without numbers; the form is ours. It predicts better than Davidson's model
//! and than a probability proportional to the product of the expected scores
//! (`reports/benchmarks/draw-model.md`).

use std::collections::BTreeMap;

/// The probabilities that a game is won, drawn and lost. Their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Probability of a win, in `[0, 1]`.
    pub win: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability of a loss.
    pub loss: f64,
}

/// Smallest probability in a log loss: no prediction is certain. Judged: an impossible result costs
/// 6.9, ten times as much as a guess of one half. Half of it would add 0.7 to that cost.
const LEAST: f64 = 0.001;

impl Chances {
    /// The probabilities for a game with expected score `expected`, in `[0, 1]`. `draws`, in
    /// `[0, 1]`, is the proportion of drawn games between equals. The probability of a draw is
    /// `draws` × 2 min(`expected`, 1 − `expected`).
    ///
    /// ```
    /// use rating_systems::evaluation::draw_model::Chances;
    ///
    /// let equals = Chances::new(0.5, 0.5);
    /// assert_eq!((equals.win, equals.draw, equals.loss), (0.25, 0.5, 0.25));
    /// ```
    pub fn new(expected: f64, draws: f64) -> Chances {
        Chances::with_draw(expected, draws * most_draws(expected))
    }

    /// The probabilities for a game with expected score `expected` and this probability of a draw,
    /// both in `[0, 1]`.
    pub fn with_draw(expected: f64, draw: f64) -> Chances {
        Chances { win: expected - draw / 2.0, draw, loss: 1.0 - expected - draw / 2.0 }
    }

    /// The expected score, in `[0, 1]`.
    pub fn expected(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The variance of the score.
    pub fn variance(&self) -> f64 {
        let expected = self.expected();
        expected * (1.0 - expected) - self.draw / 4.0
    }

    /// The probability of a score of 1, 0.5 or 0.
    pub fn chance(&self, score: f64) -> f64 {
        match score {
            score if score > 0.75 => self.win,
            score if score < 0.25 => self.loss,
            _ => self.draw,
        }
    }

    /// The log loss of a score of 1, 0.5 or 0. Probabilities below 0.001 count as 0.001.
    pub fn log_loss(&self, score: f64) -> f64 {
        -self.chance(score).max(LEAST).ln()
    }
}

/// The largest possible probability of a draw at this expected score.
fn most_draws(expected: f64) -> f64 {
    2.0 * expected.min(1.0 - expected)
}

/// Estimates the proportion of draws between equals, in `[0, 1]`, from pairs of expected score and
/// score. With it the expected number of draws equals the actual number. `None` if no game could be
/// drawn.
pub(crate) fn drawn_between_equals(games: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let mut sums = DrawSums::default();
    for (expected, score) in games {
        sums.add(expected, score);
    }
    sums.draws()
}

/// Sums over games, for one estimate of the draw rate.
#[derive(Clone, Copy, Debug, Default)]
struct DrawSums {
    games: usize,
    drawn: f64,
    room: f64,
}

impl DrawSums {
    fn add(&mut self, expected: f64, score: f64) {
        self.games += 1;
        self.drawn += f64::from(u8::from((0.25..=0.75).contains(&score)));
        self.room += most_draws(expected);
    }

    fn draws(&self) -> Option<f64> {
        (self.room > 0.0).then(|| (self.drawn / self.room).min(1.0))
    }

    /// The draw rate, if there are enough games for one.
    fn draws_of_enough_games(&self) -> Option<f64> {
        if self.games >= ENOUGH { self.draws() } else { None }
    }
}

/// The proportion of draws between equals, by decade.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawRates {
    by_decade: BTreeMap<i16, f64>,
    /// Rate of all games. `None` if there are too few.
    all: Option<f64>,
}

/// Fewest games from which a decade has its own rate, and all games have one. Judged: the standard
/// error of a rate near one half is then about 0.035. A quarter of the games would double it.
const ENOUGH: usize = 200;

impl DrawRates {
    /// Estimates the rates from games: year, expected score, score.
    pub fn from_games(games: impl Iterator<Item = (i16, f64, f64)>) -> DrawRates {
        let mut by_decade: BTreeMap<i16, DrawSums> = BTreeMap::new();
        let mut all = DrawSums::default();
        for (year, expected, score) in games {
            all.add(expected, score);
            by_decade.entry(decade(year)).or_default().add(expected, score);
        }
        DrawRates {
            by_decade: by_decade
                .into_iter()
                .filter_map(|(decade, sums)| Some((decade, sums.draws_of_enough_games()?)))
                .collect(),
            all: all.draws_of_enough_games(),
        }
    }

    /// The rate of a year, in `[0, 1]`. Years of decades with too few games have the rate of all
    /// games. `None` if there are too few games in total.
    pub fn year(&self, year: i16) -> Option<f64> {
        self.by_decade.get(&decade(year)).copied().or(self.all)
    }
}

fn decade(year: i16) -> i16 {
    year - year.rem_euclid(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_keep_the_expected_score() {
        for expected in [0.0, 0.1, 0.5, 0.76, 1.0] {
            for draws in [0.0, 0.5, 1.0] {
                let chances = Chances::new(expected, draws);
                assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
                assert!((chances.expected() - expected).abs() < 1e-12);
                assert!(chances.win >= 0.0 && chances.loss >= 0.0, "{chances:?}");
                assert!(chances.variance() >= -1e-12);
            }
        }
    }

    #[test]
    fn expected_draws_equal_actual_draws() {
        // Of 400 games between equals, 200 are drawn in one decade and 100 in the other.
        let games = (0..800).map(|game| {
            let (year, every) = if game < 400 { (1905, 2) } else { (1985, 4) };
            (year, 0.5, if game % every == 0 { 0.5 } else { f64::from(game % 3 / 2) })
        });
        let rates = DrawRates::from_games(games);
        assert_eq!((rates.year(1900), rates.year(1989)), (Some(0.5), Some(0.25)));
        // A decade without games has the rate of all games: 300 of 800.
        assert_eq!(rates.year(1950), Some(0.375));
        // Three games are too few.
        assert_eq!(DrawRates::from_games([(1900, 0.5, 0.5); 3].into_iter()).year(1900), None);
        // With an expected score of 0.8 at most two games in five can be drawn.
        assert_eq!(drawn_between_equals([(0.8, 0.5), (0.8, 1.0)]), Some(1.0));
        assert_eq!(drawn_between_equals([(1.0, 1.0)]), None);
    }
}
