//! Win, draw and loss from an expected score: the model of Davidson.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), section 1, for partitions of results (2); R. R. Davidson's extension of the
//! model of Bradley and Terry to ties; that its parameter belongs to a decade, ratings held, as J. Edwards has it (*Drawn Games and Tied Pools*,
//! 2025).

use std::collections::BTreeMap;

/// Chances of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeWay {
    /// That it is won, in `[0, 1]`.
    pub win: f64,
    /// That it is drawn.
    pub draw: f64,
    /// That it is lost.
    pub loss: f64,
}

impl ThreeWay {
    /// Of an expected score in `[0, 1]`: `draw^2 = nu^2 win loss`, `win + draw / 2` being what is expected. Who is certain to win or to lose draws nothing.
    ///
    /// ```
    /// use rating_systems::systems::three_way::ThreeWay;
    ///
    /// let equals = ThreeWay::of(0.5, 2.0);
    /// assert_eq!((equals.win, equals.draw, equals.loss), (0.25, 0.5, 0.25));
    /// ```
    pub fn of(expected: f64, nu: f64) -> ThreeWay {
        if expected >= 1.0 {
            return ThreeWay { win: 1.0, draw: 0.0, loss: 0.0 };
        }
        if expected <= 0.0 {
            return ThreeWay { win: 0.0, draw: 0.0, loss: 1.0 };
        }
        let rest = 1.0 - expected;
        let half = nu * (expected - 0.5);
        let root = (half * half + 4.0 * expected * rest).sqrt();
        // The same twice: the one does not lose digits where nu is large and little is expected.
        let odds = match half >= 0.0 {
            true => (half + root) / (2.0 * rest),
            false => 2.0 * expected / (root - half),
        };
        let all = odds * odds + nu * odds + 1.0;
        ThreeWay { win: odds * odds / all, draw: nu * odds / all, loss: 1.0 / all }
    }

    /// The chance of a score of 1, 0.5 or 0.
    pub fn chance(&self, score: f64) -> f64 {
        match score {
            score if score > 0.75 => self.win,
            score if score < 0.25 => self.loss,
            _ => self.draw,
        }
    }

    /// Its logarithm, as a loss; nobody is certain.
    pub fn log_loss(&self, score: f64) -> f64 {
        -self.chance(score).max(0.001).ln()
    }
}

/// The nu at which this part of the games between equals, in `[0, 1)`, is drawn.
pub fn nu_of_equals(draws: f64) -> f64 {
    2.0 * draws / (1.0 - draws).max(1e-6)
}

/// How readily games are drawn, decade by decade.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawHabits {
    by_decade: BTreeMap<i16, f64>,
    /// Of all games; `None` of too few.
    all: Option<f64>,
}

/// Steps of expected scores within which games are taken together.
const STEPS: usize = 2000;

/// Games without which a decade has the habits of all.
const ENOUGH: usize = 200;

/// Halvings of the range in which nu is sought, and how far it goes.
const HALVINGS: usize = 100;
const LARGEST: f64 = 1000.0;

/// Games with like expectations.
#[derive(Clone, Debug)]
struct Binned {
    /// Games, and the sum of their expected scores, by step.
    bins: Vec<(f64, f64)>,
    draws: f64,
    games: usize,
}

impl Default for Binned {
    fn default() -> Binned {
        Binned { bins: vec![(0.0, 0.0); STEPS], draws: 0.0, games: 0 }
    }
}

impl Binned {
    fn add(&mut self, expected: f64, score: f64) {
        let bin = &mut self.bins[((expected * STEPS as f64) as usize).min(STEPS - 1)];
        *bin = (bin.0 + 1.0, bin.1 + expected);
        self.draws += f64::from(u8::from((0.25..=0.75).contains(&score)));
        self.games += 1;
    }

    /// With which nu as many draws are expected as there were.
    fn nu(&self) -> f64 {
        let filled = || self.bins.iter().filter(|bin| bin.0 > 0.0);
        let expected = |nu: f64| -> f64 {
            filled().map(|(games, sum)| games * ThreeWay::of(sum / games, nu).draw).sum()
        };
        let (mut low, mut high) = (0.0, LARGEST);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if expected(middle) < self.draws {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    }
}

impl DrawHabits {
    /// From games (year, expected score, score).
    pub fn of(games: impl Iterator<Item = (i16, f64, f64)>) -> DrawHabits {
        let mut by_decade: BTreeMap<i16, Binned> = BTreeMap::new();
        let mut all = Binned::default();
        for (year, expected, score) in games {
            all.add(expected, score);
            by_decade.entry(decade(year)).or_default().add(expected, score);
        }
        let of_decades = by_decade.into_iter().filter(|(_, games)| games.games >= ENOUGH);
        DrawHabits {
            by_decade: of_decades.map(|(decade, games)| (decade, games.nu())).collect(),
            all: (all.games >= ENOUGH).then(|| all.nu()),
        }
    }

    /// Davidson's nu in a year: twice the odds of a draw between equals against a win, 0 where nothing is drawn; `None` where too few games were foretold
    /// to know.
    pub fn nu(&self, year: i16) -> Option<f64> {
        self.by_decade.get(&decade(year)).copied().or(self.all)
    }

    /// By first years of decades.
    pub fn iter(&self) -> impl Iterator<Item = (i16, f64)> {
        self.by_decade.iter().map(|(decade, nu)| (*decade, *nu))
    }
}

fn decade(year: i16) -> i16 {
    year - year.rem_euclid(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_comes_out_and_draws_are_as_davidson_has_them() {
        for expected in [1e-9, 0.01, 0.2, 0.5, 0.64, 0.99, 1.0 - 1e-9] {
            for nu in [0.0, 0.3, 1.0, 2.0, 30.0] {
                let found = ThreeWay::of(expected, nu);
                let score = found.win + found.draw / 2.0;
                assert!((score - expected).abs() < 1e-12, "{expected} {nu} {found:?}");
                assert!((found.win + found.draw + found.loss - 1.0).abs() < 1e-12);
                let ratio = found.draw * found.draw - nu * nu * found.win * found.loss;
                assert!(ratio.abs() < 1e-12, "{expected} {nu} {found:?}");
            }
        }
        for draws in [0.0, 0.3, 0.62] {
            assert!((ThreeWay::of(0.5, nu_of_equals(draws)).draw - draws).abs() < 1e-12);
        }
        assert_eq!(ThreeWay::of(1.0, 2.0).win, 1.0);
        assert_eq!(ThreeWay::of(0.0, 2.0).loss, 1.0);
    }

    #[test]
    fn nu_makes_as_many_draws_expected_as_there_were() {
        // Of 400 games between equals in each decade 200 and 100 are drawn: half and a quarter.
        let games = (0..800).map(|game| {
            let (year, every) = if game < 400 { (1905, 2) } else { (1985, 4) };
            (year, 0.5, if game % every == 0 { 0.5 } else { f64::from(game % 3 / 2) })
        });
        let habits = DrawHabits::of(games);
        // Half: nu = 2. A quarter: nu / (2 + nu) = 1/4.
        assert!((habits.nu(1900).unwrap() - 2.0).abs() < 1e-9, "{habits:?}");
        assert!((habits.nu(1989).unwrap() - 2.0 / 3.0).abs() < 1e-9, "{habits:?}");
        assert_eq!(habits.iter().count(), 2);
        // Another decade has the habits of all: 300 of 800.
        assert!((habits.nu(1950).unwrap() - 1.2).abs() < 1e-9, "{habits:?}");
        // Three games tell nothing.
        let few = DrawHabits::of([(1900, 0.5, 0.5); 3].into_iter());
        assert_eq!(few.nu(1900), None);
    }
}
