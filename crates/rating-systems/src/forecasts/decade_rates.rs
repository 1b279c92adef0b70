//! Estimates the draw rate and White's advantage for each decade (8.91, 8.93).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::evaluation::draw_model::drawn_between_equals;
use crate::systems::bisection::bisect;

/// A game whose players both had a rating before its event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownGame {
    /// The calendar year.
    pub year: i16,
    /// White's rating minus Black's (points).
    pub difference: f64,
    /// White's score: 1, 0.5 or 0.
    pub score: f64,
    /// Whether the colours are known.
    pub has_colours: bool,
    /// Number of the curve by which these ratings predict scores.
    pub curve: usize,
}

impl KnownGame {
    /// Compares two games by all fields.
    pub fn order(one: &KnownGame, other: &KnownGame) -> Ordering {
        one.year
            .cmp(&other.year)
            .then(one.difference.total_cmp(&other.difference))
            .then(one.score.total_cmp(&other.score))
            .then(one.has_colours.cmp(&other.has_colours))
            .then(one.curve.cmp(&other.curve))
    }
}

/// The draw rate and White's advantage of one decade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecadeRates {
    /// Games whose players both had a rating.
    pub games: usize,
    /// The proportion of draws between equals, in `[0, 1]`.
    pub draws: f64,
    /// Whether there are too few rated games for an estimate. Then `draws` follows from the
    /// proportion of draws of all games, by the usual ratio of the two.
    pub is_plain: bool,
    /// White's advantage (points). A decade with too few rated games has that of all decades.
    pub white: f64,
    /// Standard error of White's advantage (points). `None` if the games do not determine it.
    pub white_error: Option<f64>,
}

/// Fewest rated games from which a decade has its own estimates. Judged: the standard error of the
/// draw rate is then about 0.03, and that of White's advantage about 15 points.
const ENOUGH_GAMES: usize = 300;

/// Usual ratio of the proportion of draws of all games to that between equals. Judged: it suits
/// players whose mean difference is about 60 points. A ratio of 0.7 would raise the estimated draw
/// rates of these decades by a fifth.
const USUAL_RATIO: f64 = 0.83;

/// Largest advantage of White (points) that the search considers. Judged: ten times the real one.
const REACH: f64 = 400.0;

/// Number of bisections of that range, which end within a millionth of a point.
const HALVINGS: usize = 40;

/// Half of the step (points) of a numerical derivative.
const STEP: f64 = 0.5;

/// Draw rates and White's advantages of all decades, by the decade's first year.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decades {
    of: BTreeMap<i16, DecadeRates>,
}

/// The first year of a decade.
fn decade(year: i16) -> i16 {
    year - year.rem_euclid(10)
}

impl Decades {
    /// Estimates the rates of all decades. The order of the games does not matter. `plain` has the
    /// number of all games and of draws by year. `expected` gives the expected score by curve and
    /// difference (points).
    pub fn new(
        games: &[KnownGame],
        plain: &BTreeMap<i16, (usize, usize)>,
        expected: &(dyn Fn(usize, f64) -> f64 + Sync),
    ) -> Decades {
        let mut by_decade: BTreeMap<i16, Vec<&KnownGame>> = BTreeMap::new();
        for game in games {
            by_decade.entry(decade(game.year)).or_default().push(game);
        }
        let mut all: BTreeMap<i16, (usize, usize)> = BTreeMap::new();
        for (year, (games, draws)) in plain {
            let sum = all.entry(decade(*year)).or_default();
            *sum = (sum.0 + games, sum.1 + draws);
        }
        let everything: Vec<&KnownGame> = games.iter().collect();
        let draws = draws_of(&everything, expected).unwrap_or(0.0);
        let of_all = white_advantage(&everything, draws, expected);
        let of = all.into_iter().map(|(first, (count, drawn))| {
            let games = by_decade.get(&first).map_or(&[][..], Vec::as_slice);
            let own = draws_of(games, expected).filter(|_| games.len() >= ENOUGH_GAMES);
            let plain = (drawn as f64 / count.max(1) as f64 / USUAL_RATIO).min(1.0);
            let draws = own.unwrap_or(plain);
            let (white, white_error) = match own {
                Some(draws) => white_advantage(games, draws, expected),
                None => of_all,
            };
            let rates = DecadeRates {
                games: games.len(),
                draws,
                is_plain: own.is_none(),
                white,
                white_error,
            };
            (first, rates)
        });
        Decades { of: of.collect() }
    }

    /// The proportion of draws between equals and White's advantage (points) in a year. Both are
    /// zero for decades without games.
    pub fn year(&self, year: i16) -> (f64, f64) {
        self.of.get(&decade(year)).map_or((0.0, 0.0), |rates| (rates.draws, rates.white))
    }

    /// Iterates over the decades: first year, and rates.
    pub fn iter(&self) -> impl Iterator<Item = (i16, &DecadeRates)> {
        self.of.iter().map(|(first, rates)| (*first, rates))
    }
}

/// Estimates the proportion of draws between equals. `None` if no game could be drawn.
fn draws_of(games: &[&KnownGame], expected: &(dyn Fn(usize, f64) -> f64 + Sync)) -> Option<f64> {
    drawn_between_equals(
        games.iter().map(|game| (expected(game.curve, game.difference), game.score)),
    )
}

/// White's points in these games minus the expected ones, for an advantage of White (points).
fn surplus(
    games: &[&&KnownGame],
    white: f64,
    expected: &(dyn Fn(usize, f64) -> f64 + Sync),
) -> f64 {
    games.iter().map(|game| game.score - expected(game.curve, game.difference + white)).sum()
}

/// Estimates White's advantage (points) and its standard error. With it the sum of score minus
/// expected score is zero. The advantage is 0 if the games do not determine it.
fn white_advantage(
    games: &[&KnownGame],
    draws: f64,
    expected: &(dyn Fn(usize, f64) -> f64 + Sync),
) -> (f64, Option<f64>) {
    let games: Vec<&&KnownGame> = games.iter().filter(|game| game.has_colours).collect();
    if games.is_empty()
        || surplus(&games, -REACH, expected) < 0.0
        || surplus(&games, REACH, expected) > 0.0
    {
        return (0.0, None);
    }
    let white = bisect(-REACH, REACH, HALVINGS, |white| surplus(&games, white, expected) > 0.0);
    let fall = surplus(&games, white - STEP, expected) - surplus(&games, white + STEP, expected);
    let slope = fall / (2.0 * STEP);
    let variances = games.iter().map(|game| {
        super::performance::game_variance(expected(game.curve, game.difference + white), draws)
    });
    let variance: f64 = variances.sum();
    (white, (slope > 0.0).then(|| variance.max(0.0).sqrt() / slope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::elo::formulas::Expectancy;

    fn normal(_: usize, difference: f64) -> f64 {
        Expectancy::Normal.expected(difference)
    }

    /// A thousand games between equals: `won` by White, `drawn`, and the others lost.
    fn equals(year: i16, won: usize, drawn: usize) -> Vec<KnownGame> {
        (0..1000)
            .map(|place| KnownGame {
                year,
                difference: 0.0,
                score: if place < won {
                    1.0
                } else if place < won + drawn {
                    0.5
                } else {
                    0.0
                },
                has_colours: true,
                curve: 0,
            })
            .collect()
    }

    #[test]
    fn whites_advantage_makes_the_expected_score_right() {
        let games = equals(1975, 370, 400);
        let decades = Decades::new(&games, &BTreeMap::from([(1975, (1000, 400))]), &normal);
        let (draws, white) = decades.year(1979);
        assert!((draws - 0.4).abs() < 1e-12);
        assert!((Expectancy::Normal.expected(white) - 0.57).abs() < 1e-6, "{white}");
        let error = decades.iter().next().unwrap().1.white_error.unwrap();
        // The standard deviation of a game is sqrt(.57 * .43 - .4 * 2 * .43 / 4), and the curve
        // rises by about .0014 a point.
        assert!((error - 8.9).abs() < 0.2, "{error}");
    }

    #[test]
    fn decades_with_few_games_use_the_proportion_of_all_draws() {
        let mut games = equals(1855, 90, 5)[..100].to_vec();
        games.extend(equals(1925, 370, 400));
        let plain = BTreeMap::from([(1851, (1000, 83)), (1925, (1000, 400))]);
        let decades = Decades::new(&games, &plain, &normal);
        assert!((decades.year(1859).0 - 0.1).abs() < 1e-12);
        let few = decades.iter().next().unwrap().1;
        assert!(few.is_plain);
        // By the hundred games alone White's advantage would be 400 points; that of all games is
        // used.
        assert!((50.0..90.0).contains(&few.white), "{few:?}");
        assert_eq!(decades.year(1901), (0.0, 0.0), "nothing is known of that decade");
    }
}
