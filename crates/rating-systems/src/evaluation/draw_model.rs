//! Win, draw and loss from an expected score.
//!
//! The chance of a draw is proportional to the smaller of the two expected scores. Elo (*The Rating of
//! Chessplayers, Past and Present*, 8.91) describes how draws grow rarer with the difference, without
//! numbers; the form is ours. It predicts better than Davidson's model and than one proportional to
//! the product of the expected scores (`reports/benchmarks/draw-model.md`).

use std::collections::BTreeMap;

/// The chances of a game to be won, drawn and lost; their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// To win, in `[0, 1]`.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

/// The least chance in a log loss: no prediction is certain.
const LEAST: f64 = 0.001;

impl Chances {
    /// The chances of a game with expected score `expected`, in `[0, 1]`, where `draws`, in `[0, 1]`, is
    /// the proportion of drawn games between equals: a draw has the chance
    /// `draws` × 2 min(`expected`, 1 − `expected`).
    ///
    /// ```
    /// use rating_systems::evaluation::draw_model::Chances;
    ///
    /// let equals = Chances::of(0.5, 0.5);
    /// assert_eq!((equals.win, equals.draw, equals.loss), (0.25, 0.5, 0.25));
    /// ```
    pub fn of(expected: f64, draws: f64) -> Chances {
        let draw = draws * room(expected);
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

    /// The chance of a score of 1, 0.5 or 0.
    pub fn chance(&self, score: f64) -> f64 {
        match score {
            score if score > 0.75 => self.win,
            score if score < 0.25 => self.loss,
            _ => self.draw,
        }
    }

    /// The log loss of a score of 1, 0.5 or 0; chances below 0.001 count as that.
    pub fn log_loss(&self, score: f64) -> f64 {
        -self.chance(score).max(LEAST).ln()
    }
}

/// The largest chance of a draw that an expected score leaves.
fn room(expected: f64) -> f64 {
    2.0 * expected.min(1.0 - expected)
}

/// The proportion of games between equals that are drawn, in `[0, 1]`, from expected scores and scores
/// of games: as many draws are expected as there were. `None` where no game could be drawn.
pub fn drawn_between_equals(games: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let mut sums = Sums::default();
    for (expected, score) in games {
        sums.add(expected, score);
    }
    sums.draws()
}

/// Sums over games.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: usize,
    drawn: f64,
    room: f64,
}

impl Sums {
    fn add(&mut self, expected: f64, score: f64) {
        self.games += 1;
        self.drawn += f64::from(u8::from((0.25..=0.75).contains(&score)));
        self.room += room(expected);
    }

    fn draws(&self) -> Option<f64> {
        (self.room > 0.0).then(|| (self.drawn / self.room).min(1.0))
    }
}

/// The proportion of games between equals that are drawn, by decade.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawRates {
    by_decade: BTreeMap<i16, f64>,
    /// Of all games; `None` of too few.
    all: Option<f64>,
}

/// Games below which a decade has the rate of all games.
const ENOUGH: usize = 200;

impl DrawRates {
    /// From games: year, expected score, score.
    pub fn of(games: impl Iterator<Item = (i16, f64, f64)>) -> DrawRates {
        let mut by_decade: BTreeMap<i16, Sums> = BTreeMap::new();
        let mut all = Sums::default();
        for (year, expected, score) in games {
            all.add(expected, score);
            by_decade.entry(decade(year)).or_default().add(expected, score);
        }
        let enough = |sums: Sums| (sums.games >= ENOUGH).then(|| sums.draws()).flatten();
        let of_decades = by_decade.into_iter();
        DrawRates {
            by_decade: of_decades
                .filter_map(|(decade, sums)| Some((decade, enough(sums)?)))
                .collect(),
            all: enough(all),
        }
    }

    /// The rate of a year, in `[0, 1]`; `None` where too few games were predicted.
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
    fn chances_add_up_and_keep_the_expected_score() {
        for expected in [0.0, 0.1, 0.5, 0.76, 1.0] {
            for draws in [0.0, 0.5, 1.0] {
                let chances = Chances::of(expected, draws);
                assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
                assert!((chances.expected() - expected).abs() < 1e-12);
                assert!(chances.win >= 0.0 && chances.loss >= 0.0, "{chances:?}");
                assert!(chances.variance() >= -1e-12);
            }
        }
    }

    #[test]
    fn as_many_draws_are_expected_as_there_were() {
        // Of 400 games between equals in each decade 200 and 100 are drawn: half and a quarter.
        let games = (0..800).map(|game| {
            let (year, every) = if game < 400 { (1905, 2) } else { (1985, 4) };
            (year, 0.5, if game % every == 0 { 0.5 } else { f64::from(game % 3 / 2) })
        });
        let rates = DrawRates::of(games);
        assert_eq!((rates.year(1900), rates.year(1989)), (Some(0.5), Some(0.25)));
        // Another decade has the rate of all: 300 of 800.
        assert_eq!(rates.year(1950), Some(0.375));
        // Three games are too few.
        assert_eq!(DrawRates::of([(1900, 0.5, 0.5); 3].into_iter()).year(1900), None);
        // A favourite at 80% leaves room for two draws in five.
        assert_eq!(drawn_between_equals([(0.8, 0.5), (0.8, 1.0)]), Some(1.0));
        assert_eq!(drawn_between_equals([(1.0, 1.0)]), None);
    }
}
